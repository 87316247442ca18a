package hold

import "welovevoucher/tenants/ledger"

// Rules are the audit's rules of holds.
var Rules = []ledger.Rule{
	{Name: "commission was denied of orders that were held, as a second person approved it then", SQL: `
		SELECT k.order_id::text, coalesce(k.denied_at::text, 'not denied') || ', approved ' || coalesce(h.at::text, 'never') FROM commission k
		LEFT JOIN (SELECT h.order_id, min(a.answered_at) AS at FROM commission_hold h JOIN approval a ON a.id = h.approval_id WHERE h.state = 'denied' GROUP BY 1) h ON h.order_id = k.order_id
		WHERE k.order_id IS NOT NULL AND k.denied_at IS DISTINCT FROM h.at
		UNION ALL SELECT h.id::text, 'denied by ' || h.ended_by || ', ' || coalesce(a.kind || ' ' || a.state, 'nothing approved') FROM commission_hold h
		LEFT JOIN approval a ON a.id = h.approval_id LEFT JOIN commission_hold named ON named.id = a.record_id
		WHERE h.state = 'denied' AND ((a.kind, a.state, a.answered_at, a.asked_by, a.input ->> 'reason', named.order_id) IS DISTINCT FROM ('denial', 'approved', h.ended_at, h.ended_by, h.reason, h.order_id) OR NOT a.alone AND a.answered_by = a.asked_by)
		UNION ALL SELECT a.id::text, 'approved, and nothing denied' FROM approval a WHERE a.kind = 'denial' AND a.state = 'approved' AND NOT EXISTS (SELECT FROM commission_hold h WHERE h.id = a.record_id AND h.approval_id = a.id)`},
	{Name: "a hold is of whom its order is owed to, and over when it was released or its days were", SQL: `
		SELECT h.id::text, h.payee_id || ' of ' || coalesce(o.agent_id::text, 'nobody') FROM commission_hold h JOIN orders o ON o.id = h.order_id WHERE h.payee_id IS DISTINCT FROM o.agent_id
		UNION ALL SELECT h.id::text, h.state || ' at ' || h.ended_at || ', until ' || h.ends_at FROM commission_hold h WHERE h.ended_at < h.held_at OR h.state = 'lapsed' AND h.ended_at < h.ends_at`},
}
