package commission

import "welovevoucher/tenants/ledger"

// What the transfers of changes moved, of each account kind: pending, what a payee can be paid out less what he owes, and what buyers owe.
const movedByChanges = `SELECT t.cause_id, t.kind, min(coalesce(d.holder_id, c.holder_id)::text) AS payee, count(DISTINCT coalesce(d.holder_id, c.holder_id)) AS payees,
		sum(e.amount_satang * ((c.kind = 'commission_pending')::int - (d.kind = 'commission_pending')::int)) AS pending,
		sum(e.amount_satang * ((c.kind IN ('commission_payable', 'commission_receivable'))::int - (d.kind IN ('commission_payable', 'commission_receivable'))::int)) AS mature,
		sum(e.amount_satang * ((c.kind = 'chargeback_receivable')::int - (d.kind = 'chargeback_receivable')::int)) AS back,
		sum(e.amount_satang * ((c.kind = 'payable')::int - (d.kind = 'payable')::int)) AS own
	FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
	WHERE t.kind IN ('commission_reversal', 'commission_maturity', 'commission_denial') GROUP BY 1, 2`

const balances = `SELECT a.kind, a.holder_id, sum(CASE a.id WHEN e.credit_id THEN e.amount_satang ELSE -e.amount_satang END) AS sum FROM account a
	JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind IN ('commission_pending', 'commission_payable', 'commission_receivable') GROUP BY 1, 2`

// Rules are the audit's rules of commissions, beside those of what is due of an order.
var Rules = []ledger.Rule{
	{Name: "a commission is what its sale earned and its changes left", SQL: `
		SELECT k.id::text, k.due_satang || ' due, ' || k.mature_satang || ' mature, ' || k.denied_satang || ' denied; ' || k.amount_satang || ' with changes of ' || coalesce(c.due, 0) || ', ' || coalesce(c.mature, 0) || ' and ' || coalesce(c.denied, 0) FROM commission k
		LEFT JOIN (SELECT commission_id, sum(due_satang) AS due, sum(mature_satang) AS mature, sum(denied_satang) AS denied, count(DISTINCT payee_id) AS payees, min(payee_id::text) AS payee FROM commission_change GROUP BY 1) c ON c.commission_id = k.id
		WHERE k.due_satang <> k.amount_satang + coalesce(c.due, 0) OR k.mature_satang <> coalesce(c.mature, 0) OR k.denied_satang <> coalesce(c.denied, 0) OR c.payees > 1 OR c.payee <> k.payee_id::text`},
	{Name: "every change of a commission was moved once, of that sum and payee", SQL: `
		SELECT coalesce(c.id, t.cause_id)::text, coalesce(c.due_satang, 0) || ' due and ' || coalesce(c.mature_satang, 0) || ' mature, ' || coalesce(c.denied_satang, 0) || ' denied, moved ' || coalesce(t.pending, 0) || ', ' || coalesce(t.mature, 0) || ', ' || coalesce(t.back, 0) || ' and ' || coalesce(t.own, 0)
		FROM commission_change c FULL JOIN (` + movedByChanges + `) t ON t.cause_id = c.id
		WHERE c.id IS NULL OR t.cause_id IS NULL OR t.kind <> CASE WHEN c.due_satang = 0 AND c.denied_satang = 0 THEN 'commission_maturity' WHEN c.denied_satang = -c.due_satang THEN 'commission_denial' ELSE 'commission_reversal' END
			OR t.payees > 1 OR t.payee <> c.payee_id::text OR (t.pending, t.mature, t.back, t.own) <> (c.due_satang - c.mature_satang, c.mature_satang, -c.due_satang - c.denied_satang, c.denied_satang)`},
	{Name: "what a payee waits for is the sum of what is due to him and not mature", SQL: `
		SELECT coalesce(k.payee_id, a.holder_id)::text, coalesce(k.sum, 0) || ' <> ' || coalesce(a.sum, 0) FROM (
			SELECT payee_id, sum(due_satang - mature_satang) FROM commission GROUP BY 1) k (payee_id, sum)
		FULL JOIN (SELECT holder_id, sum FROM (` + balances + `) b WHERE kind = 'commission_pending') a ON a.holder_id = k.payee_id
		WHERE coalesce(k.sum, 0) <> coalesce(a.sum, 0)`},
	{Name: "a payee's balance is that of his accounts", SQL: `
		SELECT coalesce(b.payee_id, a.holder_id)::text, coalesce(b.payable_satang, 0) || ' and ' || coalesce(b.receivable_satang, 0) || ' owed; accounts ' || coalesce(a.payable, 0) || ' and ' || coalesce(a.owed, 0)
		FROM payee_balance b FULL JOIN (SELECT holder_id, coalesce(sum(sum) FILTER (WHERE kind = 'commission_payable'), 0) AS payable, coalesce(-sum(sum) FILTER (WHERE kind = 'commission_receivable'), 0) AS owed
			FROM (` + balances + `) x GROUP BY 1) a ON a.holder_id = b.payee_id
		WHERE (coalesce(b.payable_satang, 0), coalesce(b.receivable_satang, 0)) <> (coalesce(a.payable, 0), coalesce(a.owed, 0))
		UNION ALL SELECT k.payee_id::text, 'has no balance' FROM commission k WHERE k.mature_satang > 0 AND NOT EXISTS (SELECT FROM payee_balance b WHERE b.payee_id = k.payee_id)`},
	// What is still to be looked at may have matured meanwhile.
	{Name: "commission matures by its rule, and all of it that is due", SQL: `
		SELECT k.id::text, k.matures || ' ' || k.mature_days || ': ' || k.mature_satang || ' of ' || k.due_satang || ', looked at again ' || coalesce(k.matures_at::text, 'never') FROM commission k
		CROSS JOIN LATERAL (SELECT CASE k.matures WHEN 'sale' THEN k.created_at WHEN 'days' THEN ((k.created_at AT TIME ZONE 'Asia/Bangkok')::date + k.mature_days + 1)::timestamp AT TIME ZONE 'Asia/Bangkok' END AS at) AS matures
		WHERE k.matures <> 'use' AND (k.matures_at IS NULL AND k.mature_satang <> k.due_satang OR k.matures_at IS NOT NULL AND (k.mature_satang > 0 OR k.matures_at <> matures.at)
			OR EXISTS (SELECT FROM commission_change c WHERE c.commission_id = k.id AND c.mature_satang > 0 AND c.at < matures.at))
		UNION ALL SELECT k.id::text, 'use: ' || k.mature_satang || ' of ' || k.due_satang || ', ' || coalesce(u.whole, 0) || ' used of ' || k.paid_satang || ' paid less ' || k.unpaid_satang || ', level ' || k.level FROM commission k
		LEFT JOIN (SELECT u.order_id, sum(u.satang), coalesce(sum(` + ofRecruiter + `), 0)
			FROM (SELECT order_id, line_position, sum(satang) AS satang FROM (` + usedSlices + `) s GROUP BY 1, 2) u
			LEFT JOIN recruiter_share r ON r.order_id = u.order_id AND r.position = u.line_position GROUP BY 1) u (order_id, whole, recruiter) ON u.order_id = k.order_id
		CROSS JOIN LATERAL (SELECT coalesce(round(u.whole * (k.paid_satang - k.unpaid_satang) / nullif(k.paid_satang, 0)), 0) AS whole,
			coalesce(round(u.recruiter * (k.paid_satang - k.unpaid_satang) / nullif(k.paid_satang, 0)), 0) AS recruiter) AS paid
		WHERE k.matures = 'use' AND k.matures_at IS NULL AND k.mature_satang <> least(k.due_satang, CASE k.level WHEN 2 THEN paid.recruiter ELSE paid.whole - paid.recruiter END)`},
	{Name: "a use at a partner's service point earns him his rate of it, which an objection takes and a use that stands gives back", SQL: `
		SELECT coalesce(r.id, k.redemption_id)::text, coalesce(r.partner_satang, 0) || ' by ' || coalesce(r.partner_basis_points, 0) || ' of ' || coalesce(r.amount_satang, 0) || ' to ' || coalesce(r.partner_id::text, 'nobody')
			|| ', commission ' || coalesce(k.amount_satang, 0) || ', moved ' || coalesce(t.sum, 0) || ', ' || coalesce(o.state, 'no objection') || ', denied ' || coalesce(k.denied_satang, 0)
		FROM (SELECT id, partner_id, partner_basis_points, partner_satang, amount_satang, at FROM redemption WHERE partner_id IS NOT NULL) r
		FULL JOIN (SELECT redemption_id, partner_id, amount_satang, paid_satang, unpaid_satang, matures, mature_days, denied_at, denied_satang, created_at FROM commission WHERE redemption_id IS NOT NULL) k ON k.redemption_id = r.id
		FULL JOIN (SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.kind = 'partner_commission' GROUP BY 1) t (cause_id, sum) ON t.cause_id = r.id
		LEFT JOIN objection o ON o.redemption_id = r.id
		WHERE r.id IS NULL OR r.partner_satang <> floor((r.amount_satang::numeric * r.partner_basis_points * 2 + 10000) / 20000) OR r.partner_satang <> coalesce(t.sum, 0)
			OR r.partner_basis_points <> coalesce((SELECT p.basis_points FROM partner_rate p WHERE p.partner_id = r.partner_id AND p.status = 5 AND p.first_day <= (r.at AT TIME ZONE 'Asia/Bangkok')::date AND p.created_at <= r.at ORDER BY p.first_day DESC LIMIT 1), 0)
			OR (k.partner_id, k.amount_satang, k.paid_satang, k.unpaid_satang, k.matures, k.mature_days, k.created_at) IS DISTINCT FROM (r.partner_id, r.partner_satang, r.amount_satang, 0::bigint, 'days', 1, r.at) AND r.partner_satang > 0
			OR k.redemption_id IS NOT NULL AND (r.partner_satang = 0 OR (k.denied_at, k.denied_satang) IS DISTINCT FROM (CASE WHEN o.state IN ('open', 'undone') THEN o.made_at END, CASE WHEN o.state IN ('open', 'undone') THEN k.amount_satang ELSE 0 END))`},
}
