package points

import "welovevoucher/tenants/ledger"

const (
	// What transfers of points moved, by cause: into lots and out of what is owed, and out of lots to what has lapsed.
	moved = `SELECT t.kind, t.cause_id, min(coalesce(CASE WHEN c.kind IN ('point_lot', 'points_owed') THEN c.holder_id END, d.holder_id)::text) AS customer, count(DISTINCT coalesce(CASE WHEN c.kind IN ('point_lot', 'points_owed') THEN c.holder_id END, d.holder_id)) AS customers,
			sum(CASE WHEN c.kind IN ('point_lot', 'points_owed') THEN e.amount_satang ELSE -e.amount_satang END) AS points
		FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		WHERE t.kind IN ('points_granted', 'points_taken_back', 'points_lapsed', 'points_adjusted') GROUP BY 1, 2`
	causes = `SELECT CASE WHEN points > 0 THEN 'points_granted' ELSE 'points_taken_back' END AS kind, id, customer_id, points FROM point_grant WHERE moved
		UNION ALL SELECT 'points_lapsed', id, customer_id, -points FROM point_lapse UNION ALL SELECT 'points_adjusted', id, customer_id, points FROM point_adjustment`
)

// Rules are the audit's rules of points.
var Rules = []ledger.Rule{
	{Name: "a lot of points equals its entries", SQL: `
		SELECT coalesce(l.account_id, a.id)::text, coalesce(l.points_left, 0) || ' of ' || coalesce(l.lapses_on::text, 'no day') || ', entries ' || coalesce(a.sum, 0) || ' of ' || coalesce(a.lapses_on::text, 'no day')
		FROM point_lot l FULL JOIN (SELECT a.id, a.holder_id, a.lapses_on, sum(CASE a.id WHEN e.credit_id THEN e.amount_satang ELSE -e.amount_satang END) AS sum FROM account a
			JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind = 'point_lot' GROUP BY a.id) a ON a.id = l.account_id
		WHERE (l.customer_id, l.lapses_on, l.points_left::numeric) IS DISTINCT FROM (a.holder_id, a.lapses_on, a.sum)`},
	{Name: "points that are owed equal their entries, and who owes has none", SQL: `
		SELECT coalesce(o.customer_id, a.holder_id)::text, coalesce(o.points, 0) || ' owed, entries ' || coalesce(a.sum, 0) || ', has ' || coalesce(l.points, 0)
		FROM point_owed o FULL JOIN (SELECT a.holder_id, sum(CASE a.id WHEN e.debit_id THEN e.amount_satang ELSE -e.amount_satang END) AS sum FROM account a
			JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind = 'points_owed' GROUP BY 1) a ON a.holder_id = o.customer_id
		LEFT JOIN (SELECT customer_id, sum(points_left) AS points FROM point_lot GROUP BY 1) l ON l.customer_id = coalesce(o.customer_id, a.holder_id)
		WHERE coalesce(o.points, 0) <> coalesce(a.sum, 0) OR o.points > 0 AND l.points > 0`},
	{Name: "points moved once for each grant, lapse and adjustment, that many and of its customer", SQL: `
		SELECT coalesce(c.id, m.cause_id)::text, coalesce(c.kind, m.kind) || ' ' || coalesce(c.points, 0) || ', moved ' || coalesce(m.points, 0)
		FROM (` + causes + `) c FULL JOIN (` + moved + `) m ON m.kind = c.kind AND m.cause_id = c.id
		WHERE (c.points::numeric, c.customer_id::text, 1::bigint) IS DISTINCT FROM (m.points, m.customer, m.customers)`},
	{Name: "points were adjusted as a second person approved it, and lapse as he read it", SQL: `
		SELECT coalesce(p.id, a.made_id)::text, coalesce(p.points::text, 'none') || ' for ' || coalesce(a.input::text, 'no approval') FROM point_adjustment p
		FULL JOIN (SELECT id, made_id, customer_id, asked_by, answered_at, input FROM approval WHERE kind = 'points' AND state = 'approved') a ON a.id = p.approval_id
		WHERE (p.id, p.customer_id, p.made_by, p.made_at, p.points, p.reason) IS DISTINCT FROM (a.made_id, a.customer_id, a.asked_by, a.answered_at, (a.input ->> 'points')::bigint, a.input ->> 'reason')
			OR p.points > 0 AND p.lapses_on <> (date_trunc('month', p.made_at AT TIME ZONE 'Asia/Bangkok') + make_interval(months => (a.input ->> 'months')::int + 1))::date - 1`},
	{Name: "an order has brought what its grants say, none of which gave back more than it was", SQL: `
		SELECT p.order_id::text, p.granted || ' <> ' || coalesce(g.points, 0) FROM point_order p LEFT JOIN (SELECT order_id, sum(points) AS points, count(DISTINCT customer_id) AS customers, min(customer_id::text) AS customer FROM point_grant GROUP BY 1) g ON g.order_id = p.order_id
		WHERE p.granted <> coalesce(g.points, 0) OR g.customers > 1 OR g.customer <> p.customer_id::text
		UNION ALL SELECT g.id::text, g.points || ' and ' || b.points FROM point_grant g JOIN (SELECT grant_id, sum(points) AS points, bool_and(moved = (lapses_on >= (at AT TIME ZONE 'Asia/Bangkok')::date)) AS right, min(lapses_on) AS first, max(lapses_on) AS last FROM point_grant WHERE points < 0 GROUP BY 1) b
			ON b.grant_id = g.id WHERE g.points + b.points < 0 OR NOT b.right OR b.first <> g.lapses_on OR b.last <> g.lapses_on
		UNION ALL SELECT g.id::text, 'lapses on ' || g.lapses_on FROM point_grant g JOIN point_order p ON p.order_id = g.order_id JOIN card_type_version v ON v.id = p.version_id
			WHERE g.points > 0 AND g.lapses_on <> (date_trunc('month', g.at AT TIME ZONE 'Asia/Bangkok') + make_interval(months => v.points_months + 1))::date - 1`},
	{Name: "an order brings a member points by his card and what he paid", SQL: `
		SELECT p.order_id::text, p.points || ' for ' || p.paid_satang || ', not ' || coalesce(l.paid, 0) || ' at ' || v.points_baht || ', of ' || p.customer_id || ' from ' || coalesce(p.counts_from::text, 'uses')
		FROM point_order p JOIN orders o ON o.id = p.order_id JOIN card_type_version v ON v.id = p.version_id
		LEFT JOIN LATERAL (SELECT sum(l.amount_satang) AS paid, count(*) AS lines FROM order_line l WHERE l.order_id = p.order_id AND l.position = ANY (p.positions) AND l.package_id IS NOT NULL) l ON true
		WHERE p.paid_satang <> coalesce(l.paid, 0) OR l.lines <> cardinality(p.positions) OR v.points_baht = 0 OR p.points <> p.paid_satang / (100 * greatest(v.points_baht, 1)) OR p.customer_id <> o.customer_id OR p.created_at IS DISTINCT FROM o.paid_at
			OR v.points_tag_id IS NULL AND EXISTS (SELECT FROM order_line n WHERE n.order_id = p.order_id AND n.amount_satang > 0 AND n.package_id IS NOT NULL AND n.position <> ALL (p.positions))
			OR p.counts_from IS DISTINCT FROM CASE v.points_due WHEN 'window' THEN ((o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + 1 + (SELECT max(CASE WHEN n.refund_rule = 'none' THEN 0 ELSE n.refund_days END) FROM order_line n
				WHERE n.order_id = p.order_id))::timestamp AT TIME ZONE 'Asia/Bangkok' END
			OR NOT EXISTS (SELECT FROM membership m JOIN membership_term t ON t.membership_id = m.id WHERE m.customer_id = p.customer_id AND t.version_id = p.version_id AND t.starts_on <= (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date)`},
	// What is still to be looked at may be due by now; what has ended stays as it is.
	{Name: "all points are granted that are due of an order, and no others", SQL: `
		SELECT p.order_id::text, p.granted || ' of ' || p.points || ', kept ' || k.satang || ' of ' || p.paid_satang || ', used ' || u.satang FROM point_order p CROSS JOIN LATERAL (` + keptOf + `) k CROSS JOIN LATERAL (` + usedAtAll + `) u
		WHERE p.ended_at IS NULL AND p.due_at IS NULL AND NOT (` + disputed + `) AND p.granted <> CASE WHEN p.counts_from IS NULL THEN div(p.points::numeric * u.satang, p.paid_satang) ELSE p.points - div(p.points::numeric * (p.paid_satang - k.satang), p.paid_satang) END
		UNION ALL SELECT p.order_id::text, p.granted || ' before ' || p.counts_from FROM point_order p WHERE p.ended_at IS NULL AND p.due_at = p.counts_from AND p.granted > 0`},
}
