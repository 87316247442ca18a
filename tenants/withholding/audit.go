package withholding

import "welovevoucher/tenants/ledger"

// Rules are the audit's rules of certificates and returns.
var Rules = []ledger.Rule{
	{Name: "a certificate says what was withheld of a payout that was paid", SQL: `
		SELECT c.number, c.income_satang || ', ' || c.withheld_satang || ' on ' || c.paid_on || ', the payout is ' || p.state || ' with ' || p.taxable_satang || ', ' || p.withheld_satang || ' on ' || coalesce(p.paid_on::text, 'no day') FROM tax_certificate c
		JOIN payout p ON p.id = c.payout_id
		WHERE p.state NOT IN ('paid', 'returned') OR (c.payee_id, c.income_satang, c.withheld_satang, c.paid_on) IS DISTINCT FROM (p.payee_id, p.taxable_satang, p.withheld_satang, p.paid_on)`},
	{Name: "a payout that was certified has one certificate that is not void, which names the one before it", SQL: `
		SELECT c.payout_id::text, count(*) || ' certificates, ' || count(*) FILTER (WHERE c.state = 'issued') || ' issued, ' || count(c.replaces_id) || ' in the place of one' FROM tax_certificate c LEFT JOIN tax_certificate o ON o.id = c.replaces_id
		GROUP BY 1 HAVING count(*) FILTER (WHERE c.state = 'issued') <> 1 OR count(c.replaces_id) <> count(*) - 1 OR bool_or(o.payout_id <> c.payout_id OR o.state <> 'void')`},
	{Name: "a return is the sum of its certificates, in their month", SQL: `
		SELECT t.file_name, t.state || ': ' || t.certificates || ', ' || t.paid_satang || ', ' || t.withheld_satang || ' of ' || count(c.id) || ', ' || coalesce(sum(c.income_satang), 0) || ', ' || coalesce(sum(c.withheld_satang), 0) FROM tax_return t
		LEFT JOIN tax_certificate c ON c.return_id = t.id AND c.state = 'issued'
		GROUP BY t.id HAVING CASE t.state WHEN 'cancelled' THEN count(c.id) > 0
			ELSE (count(c.id), coalesce(sum(c.income_satang), 0), coalesce(sum(c.withheld_satang), 0)) <> (t.certificates, t.paid_satang, t.withheld_satang) OR bool_or(c.form <> t.form OR date_trunc('month', c.paid_on)::date <> t.month) END`},
	{Name: "a return that was filed moved its tax, once, by two people", SQL: `
		SELECT coalesce(t.id, f.cause_id)::text, coalesce(t.state, 'no return') || ' of ' || coalesce(t.withheld_satang, 0) || ', moved ' || coalesce(f.sum, 0) FROM (SELECT id, state, withheld_satang FROM tax_return WHERE state = 'filed') t
		FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'tax_filed' GROUP BY 1) f (cause_id, sum) ON f.cause_id = t.id
		WHERE t.withheld_satang IS DISTINCT FROM f.sum
		UNION ALL SELECT t.id::text, t.state || ' by ' || coalesce(a.kind || ' ' || a.state || ' ' || a.answered_by, 'nobody') FROM tax_return t LEFT JOIN approval a ON a.id = t.approval_id
		WHERE t.state = 'filed' AND ((a.kind, a.state, a.record_id, a.answered_at) IS DISTINCT FROM ('tax_return', 'approved', t.id, t.filed_at) OR NOT a.alone AND a.answered_by IN (a.asked_by, t.made_by))`},
}
