package payout

import "welovevoucher/tenants/ledger"

// What the transfers of payouts moved, of each kind: what payees can be paid out less what they owe, what is on its way, what is withheld, and what the organisation holds.
const movedByPayouts = `SELECT t.cause_id, t.kind, min(coalesce(d.holder_id, c.holder_id)::text) AS payee, count(DISTINCT coalesce(d.holder_id, c.holder_id)) AS payees,
		sum(e.amount_satang * ((c.kind IN ('commission_payable', 'commission_receivable'))::int - (d.kind IN ('commission_payable', 'commission_receivable'))::int)) AS mature,
		sum(e.amount_satang * ((c.kind = 'bank_clearing')::int - (d.kind = 'bank_clearing')::int)) AS leaving,
		sum(e.amount_satang * ((c.kind = 'withholding_tax')::int - (d.kind = 'withholding_tax')::int)) AS withheld,
		sum(e.amount_satang * ((c.kind = 'payable')::int - (d.kind = 'payable')::int)) AS own
	FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
	WHERE t.kind IN ('payout', 'payout_paid', 'payout_failed', 'payout_returned') GROUP BY 1, 2`

// Rules are the audit's rules of payouts.
var Rules = []ledger.Rule{
	{Name: "every payout moved what it is, once for each step", SQL: `
		SELECT coalesce(p.id, t.cause_id)::text, coalesce(p.state, 'no payout') || ' of ' || coalesce(p.gross, 0) || ', ' || coalesce(p.kind, t.kind) || ' moved ' || coalesce(t.mature, 0) || ', ' || coalesce(t.leaving, 0) || ', ' || coalesce(t.withheld, 0) || ' and ' || coalesce(t.own, 0)
		FROM (SELECT p.id, p.state, p.payee_id, p.gross_satang AS gross, p.withheld_satang AS withheld, p.net_satang AS net, k.kind FROM payout p
			CROSS JOIN LATERAL (VALUES ('payout', p.booked_at IS NOT NULL), ('payout_paid', p.state IN ('paid', 'returned')), ('payout_failed', p.state = 'failed'), ('payout_returned', p.state = 'returned')) k (kind, happened)
			WHERE k.happened AND p.payee_id IS NOT NULL) p
		FULL JOIN (` + movedByPayouts + `) t ON t.cause_id = p.id AND t.kind = p.kind
		WHERE p.id IS NULL OR t.cause_id IS NULL OR t.payees > 1 OR t.payee <> p.payee_id::text
			OR (t.mature, t.leaving, t.withheld, t.own) <> (CASE p.kind WHEN 'payout' THEN -p.gross WHEN 'payout_failed' THEN p.gross WHEN 'payout_returned' THEN p.net ELSE 0 END,
				CASE p.kind WHEN 'payout' THEN p.net WHEN 'payout_returned' THEN 0 ELSE -p.net END,
				CASE p.kind WHEN 'payout' THEN p.withheld WHEN 'payout_failed' THEN -p.withheld ELSE 0 END,
				CASE p.kind WHEN 'payout_paid' THEN p.net WHEN 'payout_returned' THEN -p.net ELSE 0 END)`},
	{Name: "a payout is the sum of its lines, which are of no other", SQL: `
		SELECT p.id::text, p.state || ': ' || p.gross_satang || ' of ' || p.lines || ' lines, has ' || coalesce(l.sum, 0) || ' of ' || coalesce(l.n, 0) || ', ' || coalesce(l.live, 0) || ' live' FROM payout p
		LEFT JOIN (SELECT payout_id, sum(amount_satang), count(*) AS n, count(*) FILTER (WHERE live) AS live FROM payout_line GROUP BY 1) l ON l.payout_id = p.id
		WHERE CASE WHEN p.payee_id IS NULL THEN l.n > 0 ELSE CASE p.state WHEN 'left_out' THEN l.n > 0
			ELSE (coalesce(l.sum, 0), coalesce(l.n, 0), coalesce(l.live, 0)) <> (p.gross_satang, p.lines, CASE p.state WHEN 'failed' THEN 0 ELSE p.lines END) END END`},
	{Name: "a line is all that a change made mature, or that came back, of who is paid", SQL: `
		SELECT l.payout_id::text, l.amount_satang || ' of ' || coalesce(c.mature_satang, b.amount_satang, 0) || ' to ' || p.payee_id FROM payout_line l JOIN payout p ON p.id = l.payout_id
		JOIN payout_run r ON r.id = p.run_id LEFT JOIN commission_change c ON c.id = l.change_id LEFT JOIN payout_return b ON b.payout_id = l.return_id
		WHERE l.amount_satang <> coalesce(c.mature_satang, b.amount_satang, 0) OR p.payee_id IS DISTINCT FROM coalesce(c.payee_id, b.payee_id)
			OR l.amount_satang > 0 AND (coalesce(c.at, b.at) AT TIME ZONE 'Asia/Bangkok')::date > r.up_to`},
	{Name: "what came back is of a payout that was returned, once", SQL: `
		SELECT coalesce(b.payout_id, p.id)::text, coalesce(b.amount_satang, 0) || ' of ' || coalesce(p.net_satang, 0) FROM payout_return b
		FULL JOIN (SELECT id, payee_id, net_satang FROM payout WHERE payee_id IS NOT NULL AND state = 'returned') p ON p.id = b.payout_id
		WHERE (b.payee_id, b.amount_satang) IS DISTINCT FROM (p.payee_id, p.net_satang)`},
	{Name: "what a payee can be paid or owes is what matured and came back, less what he was paid", SQL: `
		SELECT b.payee_id::text, b.payable_satang - b.receivable_satang || ' <> ' || coalesce(k.sum, 0) || ' mature + ' || coalesce(x.sum, 0) || ' back - ' || coalesce(p.sum, 0) || ' paid' FROM payee_balance b
		LEFT JOIN (SELECT payee_id, sum(mature_satang) FROM commission GROUP BY 1) k (id, sum) ON k.id = b.payee_id
		LEFT JOIN (SELECT payee_id, sum(amount_satang) FROM payout_return GROUP BY 1) x (id, sum) ON x.id = b.payee_id
		LEFT JOIN (SELECT payee_id, sum(gross_satang) FROM payout WHERE state IN ('booked', 'sent', 'paid', 'returned') GROUP BY 1) p (id, sum) ON p.id = b.payee_id
		WHERE b.payable_satang - b.receivable_satang <> coalesce(k.sum, 0) + coalesce(x.sum, 0) - coalesce(p.sum, 0)`},
	{Name: "what was withheld is that of the payouts that stand, less what was filed", SQL: `
		SELECT 'withholding_tax', b.sum || ' in the books, ' || p.sum || ' of payouts, ' || f.sum || ' filed' FROM
			(SELECT coalesce(sum(withheld_satang), 0) FROM payout WHERE state IN ('booked', 'sent', 'paid', 'returned')) p (sum),
			(SELECT coalesce(sum(withheld_satang), 0) FROM tax_return WHERE state = 'filed') f (sum),
			(SELECT coalesce(sum(CASE a.id WHEN e.credit_id THEN e.amount_satang ELSE -e.amount_satang END), 0) FROM account a JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind = 'withholding_tax') b (sum)
		WHERE b.sum <> p.sum - f.sum`},
	{Name: "a run was approved by another than who proposed or drafted it, and pays nobody who approved it", SQL: `
		SELECT r.id::text, r.state || ' by ' || coalesce(a.kind || ' ' || a.state || ' ' || a.answered_by, 'nobody') FROM payout_run r LEFT JOIN approval a ON a.id = r.approval_id
		WHERE r.approved_at IS NOT NULL AND ((a.kind, a.state, a.record_id, a.answered_at) IS DISTINCT FROM ('payout', 'approved', r.id, r.approved_at)
			OR NOT a.alone AND a.answered_by IN (a.asked_by, r.drafted_by))
		UNION ALL SELECT r.id::text, 'the hash is not the one that was approved' FROM payout_run r JOIN approval a ON a.id = r.approval_id WHERE r.approved_at IS NOT NULL AND a.input ->> 'hash' <> encode(r.hash, 'hex')`},
	{Name: "a run is over when all of its payouts are, and none of a draft is booked", SQL: `
		SELECT r.id::text, r.state || ', ' || string_agg(DISTINCT p.state, ', ') FROM payout_run r JOIN payout p ON p.run_id = r.id
		GROUP BY r.id HAVING bool_or(CASE r.state WHEN 'closed' THEN p.state IN ('ready', 'booked', 'sent') WHEN 'exported' THEN p.state IN ('ready', 'booked') WHEN 'approved' THEN p.state = 'sent'
			ELSE p.state NOT IN ('ready', 'left_out') END)
			OR r.state = 'exported' AND NOT bool_or(p.state = 'sent')`},
	{Name: "a payout is of the kind of its run, and a transfer of a run is as far as its payout", SQL: `
		SELECT p.id::text, p.state || ' of ' || r.kind || ', ' || p.net_satang || ', the transfer ' || coalesce(m.state || ', ' || m.amount_satang, 'is none') FROM payout p JOIN payout_run r ON r.id = p.run_id LEFT JOIN remittance m ON m.id = p.remittance_id
		WHERE (r.kind = 'refund') <> (p.remittance_id IS NOT NULL) OR m.account_id IS NULL AND p.remittance_id IS NOT NULL OR p.net_satang <> m.amount_satang
			OR p.state <> 'left_out' AND (m.made_at AT TIME ZONE 'Asia/Bangkok')::date > r.up_to
			OR p.sent_at IS NOT NULL AND (m.sent_at, m.sent_by, m.reference) IS DISTINCT FROM (p.sent_at, r.exported_by, p.reference) AND m.id IS NOT NULL
			OR p.state IN ('booked', 'sent', 'paid', 'failed', 'returned') AND m.approval_id IS NOT NULL
			OR CASE p.state WHEN 'booked' THEN m.state <> 'approved' WHEN 'sent' THEN m.state <> 'sent' WHEN 'paid' THEN (m.state, m.ended_at) <> ('done', p.paid_at)
				WHEN 'failed' THEN (m.state, m.ended_at) <> ('failed', p.ended_at) OR m.done_at IS NOT NULL WHEN 'returned' THEN (m.state, m.ended_at, m.done_at) IS DISTINCT FROM ('failed', p.ended_at, p.paid_at) AND m.id IS NOT NULL
				ELSE false END`},
	{Name: "what a payout became was said of it", SQL: `
		SELECT p.id::text, p.state FROM payout p WHERE p.state IN ('paid', 'failed', 'returned') AND NOT EXISTS (SELECT FROM payout_result r WHERE r.payout_id = p.id AND r.answer = 'applied')`},
}
