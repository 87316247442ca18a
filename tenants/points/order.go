package points

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

const (
	// A term that begins today may not run yet. The window of refunds is that of the line which has the longest.
	freeze = `INSERT INTO point_order (order_id, customer_id, version_id, positions, paid_satang, points, counts_from, due_at, created_at)
		SELECT o.id, o.customer_id, v.id, l.positions, l.paid, l.paid / (100 * v.points_baht), w.since, w.since, $2
		FROM orders o JOIN membership m ON m.customer_id = o.customer_id AND m.state = 'active'
		JOIN membership_term t ON t.membership_id = m.id AND t.state IN ('running', 'to_come') AND t.starts_on <= $3 AND coalesce(t.ends_on, $3) >= $3
		JOIN card_type_version v ON v.id = t.version_id AND v.points_baht > 0
		CROSS JOIN LATERAL (SELECT array_agg(l.position ORDER BY l.position) AS positions, sum(l.amount_satang)::bigint AS paid FROM order_line l
			WHERE l.order_id = o.id AND l.package_id IS NOT NULL AND l.amount_satang > 0
				AND (v.points_tag_id IS NULL OR EXISTS (SELECT FROM package_tag g WHERE g.package_id = l.package_id AND g.tag_id = v.points_tag_id))) l
		CROSS JOIN LATERAL (SELECT CASE v.points_due WHEN 'window' THEN ($3::date + 1 + (SELECT max(CASE WHEN n.refund_rule = 'none' THEN 0 ELSE n.refund_days END) FROM order_line n
			WHERE n.order_id = o.id))::timestamp AT TIME ZONE 'Asia/Bangkok' END AS since) w
		WHERE o.id = ANY ($1) AND l.paid >= 100 * v.points_baht`
	// What is not due by time yet has nothing that could be taken back.
	reconsider = `UPDATE point_order SET due_at = $2 WHERE order_id IN (SELECT order_id FROM point_order
		WHERE order_id = ANY ($1) AND ended_at IS NULL AND coalesce(counts_from, '-infinity') <= $2 ORDER BY order_id FOR NO KEY UPDATE)`
	reconsiderUses = `UPDATE point_order SET due_at = least(due_at, $2) WHERE order_id IN (SELECT p.order_id FROM point_order p WHERE p.order_id IN (SELECT order_id FROM voucher WHERE id = ANY ($1))
		AND p.ended_at IS NULL AND p.counts_from IS NULL AND (p.due_at IS NULL OR p.due_at > $2) ORDER BY p.order_id FOR NO KEY UPDATE)`
)

// Freeze queues what orders will bring that have just been paid: for a payer who is a member, by the card that he has then. Of cards nothing comes, nor of what cost nothing. The payers are locked.
func Freeze(tx db.Tx, orders ...uuid.UUID) {
	if len(orders) > 0 {
		tx.Queue(freeze, orders, tx.Now, clock.Day(tx.Now))
	}
}

// Reconsider queues that what is due of orders is looked at again, because something of them was taken back, or a dispute about them has begun or is over.
func Reconsider(tx db.Tx, orders []uuid.UUID) {
	if len(orders) > 0 {
		tx.Queue(reconsider, orders, tx.Now)
	}
}

// ReconsiderUses queues that what is due by uses is looked at again at a time, because uses of these vouchers count then. The vouchers are locked.
func ReconsiderUses(tx db.Tx, at time.Time, vouchers ...uuid.UUID) {
	if len(vouchers) > 0 {
		tx.Queue(reconsiderUses, vouchers, at)
	}
}
