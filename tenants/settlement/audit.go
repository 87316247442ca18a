package settlement

import "welovevoucher/tenants/ledger"

// What the transfers of settlements moved, of each kind: what is payable, what is on its way, what the platform's gateway account holds, and the platform's fee.
const movedBySettlements = `SELECT t.cause_id, t.kind, min(t.at) AS at,
		sum(e.amount_satang * ((c.kind = 'payable')::int - (d.kind = 'payable')::int)) AS own,
		sum(e.amount_satang * ((c.kind = 'bank_clearing')::int - (d.kind = 'bank_clearing')::int)) AS leaving,
		sum(e.amount_satang * ((c.kind = 'gateway_platform')::int - (d.kind = 'gateway_platform')::int)) AS out,
		sum(e.amount_satang * ((c.kind = 'platform_fee')::int - (d.kind = 'platform_fee')::int)) AS fee
	FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
	WHERE t.kind IN ('settlement', 'settlement_paid', 'settlement_failed', 'settlement_returned') GROUP BY 1, 2`

// Rules are the audit's rules of what organisations are paid, and to where.
var Rules = []ledger.Rule{
	{Name: "the organisation's account was approved by a second person of it and by the platform, and nobody else's by the platform", SQL: `
		SELECT v.id::text, y.kind || ' ' || v.state || ', seconded by ' || coalesce(v.seconded_by::text, 'nobody') || ', decided by ' || coalesce(v.decided_by, v.decided_admin)::text FROM payee_version v JOIN payee y ON y.id = v.payee_id
		WHERE CASE WHEN y.kind = 'organisation' THEN v.sent_by IS NULL OR v.state = 'approved' AND v.decided_admin IS NULL ELSE coalesce(v.seconded_by, v.decided_admin) IS NOT NULL END`},
	{Name: "every settlement moved what it is, once for each step", SQL: `
		SELECT coalesce(s.id, t.cause_id)::text, coalesce(s.state, 'no settlement') || ' of ' || coalesce(s.amount, 0) || ', ' || coalesce(s.kind, t.kind) || ' moved ' || coalesce(t.own, 0) || ', ' || coalesce(t.leaving, 0) || ', ' || coalesce(t.out, 0) || ' and ' || coalesce(t.fee, 0)
		FROM (SELECT s.id, s.state, s.amount_satang AS amount, s.fee_satang AS fee, k.kind, k.at FROM settlement s
			CROSS JOIN LATERAL (VALUES ('settlement', true, s.booked_at), ('settlement_paid', s.state IN ('paid', 'returned'), s.paid_at), ('settlement_failed', s.state = 'failed', s.ended_at), ('settlement_returned', s.state = 'returned', s.ended_at)) k (kind, happened, at)
			WHERE k.happened) s
		FULL JOIN (` + movedBySettlements + `) t ON t.cause_id = s.id AND t.kind = s.kind
		WHERE s.id IS NULL OR t.cause_id IS NULL OR s.kind = 'settlement' AND t.at <> s.at
			OR (t.own, t.leaving, t.out, t.fee) <> (CASE s.kind WHEN 'settlement' THEN -s.amount WHEN 'settlement_paid' THEN 0 ELSE s.amount END,
				CASE s.kind WHEN 'settlement' THEN s.amount WHEN 'settlement_returned' THEN 0 ELSE -s.amount END,
				CASE s.kind WHEN 'settlement_paid' THEN s.amount + s.fee WHEN 'settlement_returned' THEN -s.amount ELSE 0 END,
				CASE s.kind WHEN 'settlement_paid' THEN -s.fee ELSE 0 END)`},
	{Name: "a settlement is paid to an account of the organisation that was approved, and after it waited", SQL: `
		SELECT s.id::text, y.kind || ' ' || v.state || ' from ' || coalesce(v.pays_from::text, 'never') FROM settlement s JOIN payee_version v ON v.id = s.version_id JOIN payee y ON y.id = v.payee_id
		WHERE y.kind <> 'organisation' OR v.state <> 'approved' OR v.pays_from > s.pay_day`},
}
