package history

import "strings"

// Selects of the events of a customer, $1: what each is about, its id and kind, its time and the group that it is filtered by.
const (
	uses     = `SELECT 'voucher', r.id, 'used', r.at, 'use' FROM redemption r WHERE r.customer_id = $1`
	gifts    = `SELECT 'gift', g.id, 'given', g.created_at, 'gift' FROM gift g WHERE g.giver_id = $1`
	over     = `SELECT 'gift', g.id, 'gift_' || g.state, g.ended_at, 'gift' FROM gift g WHERE g.giver_id = $1 AND g.ended_at IS NOT NULL`
	received = `SELECT 'gift', g.id, 'received', g.ended_at, 'gift' FROM gift g WHERE g.receiver_id = $1`
	taken    = `SELECT 'gift', t.gift_id, 'received', t.taken_at, 'gift' FROM gift_taker t WHERE t.customer_id = $1`
	offers   = `SELECT 'offer', f.id, 'offered', f.created_at, 'resale' FROM offer f WHERE f.seller_id = $1`
	offSale  = `SELECT 'offer', f.id, CASE f.state WHEN 'sold' THEN 'sold' ELSE 'offer_' || f.state END, f.ended_at, 'resale' FROM offer f WHERE f.seller_id = $1 AND f.ended_at IS NOT NULL`
	resales  = `SELECT 'offer', s.offer_id, 'resale_bought', s.sold_at, 'resale' FROM resale s WHERE s.buyer_id = $1`
	orders   = `SELECT 'order', o.id, 'ordered', o.paid_at, 'order' FROM orders o WHERE o.customer_id = $1 AND o.paid_at IS NOT NULL`
	// Vouchers to which the same happens at once are one event, by the first of them. What freezes a voucher that is frozen, or leaves it so, is no news.
	happened = `SELECT DISTINCT ON (n.at, ` + kindOf + `) 'voucher', n.id, ` + kindOf + `, n.at, '' FROM voucher_event n
		WHERE n.holder_id = $1 AND n.event IN ` + news + ` AND ` + isNews + ` ORDER BY n.at, ` + kindOf + `, n.id`
	news   = `('freeze', 'release', 'refund', 'void', 'expire', 'extend')`
	isNews = `(n.from_state <> n.to_state OR n.items > 0 OR n.event = 'extend')`
	kindOf = `CASE WHEN n.owner_void_id IS NOT NULL THEN 'voided_by_shop' WHEN n.refund_id IS NOT NULL THEN 'refunded' WHEN n.event = 'freeze' THEN 'frozen' WHEN n.event = 'release' THEN 'released' WHEN n.event = 'expire' THEN 'expired' WHEN n.event = 'extend' THEN 'extended' ELSE 'taken_back' END || CASE WHEN n.owner_freeze_id IS NULL THEN '' ELSE '_by_shop' END`
)

var sources = []string{uses, gifts, over, received, taken, offers, offSale, resales, orders, happened}

const columns = `(about, id, kind, at, part)`

// monthsOf counts all events by their month in Bangkok.
var monthsOf = `SELECT to_char(e.at AT TIME ZONE 'Asia/Bangkok', 'YYYY-MM') AS month, count(*), count(*) FILTER (WHERE e.part = 'use'), count(*) FILTER (WHERE e.part = 'gift'),
		count(*) FILTER (WHERE e.part = 'resale'), count(*) FILTER (WHERE e.part = 'order')
	FROM ((` + strings.Join(sources, `) UNION ALL (`) + `)) e ` + columns + ` GROUP BY 1 ORDER BY 1 DESC`

// newest joins the newest events of each source that are older than $2, $3, $4, not before $5, before $6 and of the group $7; at most $8.
func newest() string {
	limited := make([]string, len(sources))
	for i, source := range sources {
		limited[i] = `SELECT e.about, e.id, e.kind, e.at FROM (` + source + `) e ` + columns + ` WHERE (e.at, e.kind, e.id) < ($2, $3, $4) AND e.at >= $5 AND e.at < $6 AND ($7 = '' OR e.part = $7)
			ORDER BY e.at DESC, e.kind DESC, e.id DESC LIMIT $8`
	}
	return `SELECT e.about, e.id, e.kind, e.at FROM ((` + strings.Join(limited, `) UNION ALL (`) + `)) e ORDER BY e.at DESC, e.kind DESC, e.id DESC LIMIT $8`
}

// pageOf says of the newest events what the customer may know. $9 is the account of his wallet. Each LIMIT 1 keeps a row of an event from
// being joined with a whole table.
var pageOf = `SELECT e.id, e.kind, e.at, e.about, CASE e.about WHEN 'voucher' THEN c.held_id ELSE e.id END, coalesce(c.name_th, ''), coalesce(c.name_en, ''), c.picture_id, c.packages,
		CASE e.about WHEN 'order' THEN (SELECT count(*) FROM voucher v WHERE v.order_id = e.id AND v.parent_id IS NULL) ELSE c.vouchers END,
		CASE WHEN c.kinds = 1 AND c.items > 0 THEN c.kind ELSE '' END, CASE WHEN c.kinds = 1 THEN c.items ELSE 0 END, coalesce(r.items_left, 0),
		coalesce(CASE e.kind WHEN 'resale_bought' THEN left(f.seller, 3) WHEN 'sold' THEN f.buyer WHEN 'received' THEN g.giver ELSE coalesce(nullif(g.to_name, ''), g.receiver) END, ''),
		CASE e.kind WHEN 'sold' THEN f.price_satang - f.royalty_satang - f.fee_satang WHEN 'resale_bought' THEN -f.price_satang WHEN 'ordered' THEN -o.total_satang ELSE c.credited END,
		CASE e.kind WHEN 'resale_bought' THEN f.method WHEN 'ordered' THEN o.method ELSE '' END, coalesce(r.place_th, ''), coalesce(r.place_en, ''),
		CASE WHEN f.own THEN f.price_satang END, CASE WHEN f.own THEN f.royalty_satang END, CASE WHEN f.own THEN f.fee_satang END, CASE WHEN f.own THEN f.expires_at END
	FROM (` + newest() + `) e
		LEFT JOIN LATERAL (SELECT r.voucher_id, r.items, r.items_left, p.name_th AS place_th, p.name_en AS place_en
			FROM redemption r JOIN service_point p ON p.id = r.service_point_id WHERE e.kind = 'used' AND r.id = e.id LIMIT 1) r ON true
		LEFT JOIN LATERAL (SELECT g.id, g.people, g.to_name, giver.display_name AS giver, receiver.display_name AS receiver
			FROM gift g JOIN customer giver ON giver.id = g.giver_id LEFT JOIN customer receiver ON receiver.id = g.receiver_id WHERE e.about = 'gift' AND g.id = e.id LIMIT 1) g ON true
		LEFT JOIN LATERAL (SELECT f.id, f.seller_id = $1 AS own, f.price_satang, f.royalty_satang, f.fee_satang, f.expires_at, seller.display_name AS seller, buyer.display_name AS buyer,
				coalesce((SELECT h.method FROM charge h WHERE h.id = s.id), 'wallet') AS method
			FROM offer f JOIN customer seller ON seller.id = f.seller_id LEFT JOIN resale s ON s.offer_id = f.id LEFT JOIN customer buyer ON buyer.id = s.buyer_id
			WHERE e.about = 'offer' AND f.id = e.id LIMIT 1) f ON true
		LEFT JOIN LATERAL (SELECT o.id, o.total_satang, coalesce(h.method, 'wallet') AS method FROM orders o LEFT JOIN charge h ON h.id = o.id WHERE e.about = 'order' AND o.id = e.id LIMIT 1) o ON true
		CROSS JOIN LATERAL (SELECT (array_agg(x.id ORDER BY x.position, x.id) FILTER (WHERE x.holder_id = $1))[1] AS held_id, (array_agg(x.name_th ORDER BY x.position, x.id))[1] AS name_th,
				(array_agg(x.name_en ORDER BY x.position, x.id))[1] AS name_en, (array_agg(x.picture_id ORDER BY x.position, x.id))[1] AS picture_id, count(*) FILTER (WHERE x.id IS NULL) AS packages,
				count(DISTINCT x.id) AS vouchers, count(DISTINCT x.kind) AS kinds, min(x.kind) AS kind, coalesce(sum(x.items), 0)::bigint AS items, coalesce(sum(x.credited), 0)::bigint AS credited
			FROM (` + strings.Join(contents, ` UNION ALL `) + `) x) c
	ORDER BY e.at DESC, e.kind DESC, e.id DESC`

// contents are selects of the vouchers that an event e is about, and of the packages of an order.
var contents = []string{
	`SELECT 0 AS position, v.id, v.holder_id, v.name_th, v.name_en, v.picture_id, v.kind, r.items, 0::numeric AS credited FROM voucher v WHERE v.id = r.voucher_id`,
	`SELECT 0, v.id, v.holder_id, v.name_th, v.name_en, v.picture_id, v.kind, n.items, 0 FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.gift_id = g.id AND n.event = 'give'
			AND CASE WHEN g.people = 1 OR e.kind IN ('given', 'gift_claimed') THEN true WHEN e.kind = 'received' THEN EXISTS (SELECT FROM gift_taker t WHERE t.gift_id = g.id AND t.voucher_id = v.id AND t.customer_id = $1)
				ELSE NOT EXISTS (SELECT FROM gift_taker t WHERE t.gift_id = g.id AND t.voucher_id = v.id) END`,
	`SELECT 0, v.id, v.holder_id, v.name_th, v.name_en, v.picture_id, v.kind, n.items, 0 FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.offer_id = f.id AND n.event = 'offer'`,
	`SELECT 0, v.id, v.holder_id, v.name_th, v.name_en, v.picture_id, v.kind, n.items,
			CASE WHEN n.refund_id IS NULL THEN (SELECT sum(d.amount_satang) FROM transfer t JOIN entry d ON d.transfer_id = t.id WHERE t.kind IN ('expiry', 'taken_back') AND t.cause_id = n.id AND d.credit_id = $9)
				WHEN NOT EXISTS (SELECT FROM voucher_event b WHERE b.voucher_id = n.voucher_id AND b.refund_id = n.refund_id AND b.id < n.id)
				THEN (SELECT i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang - i.refund_fee_satang FROM refund_item i WHERE i.refund_id = n.refund_id AND i.voucher_id = v.id) END
		FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id
		WHERE e.kind IN ('frozen', 'released', 'frozen_by_shop', 'released_by_shop', 'taken_back', 'refunded', 'voided_by_shop', 'expired', 'extended') AND n.holder_id = $1 AND n.at = e.at AND n.event IN ` + news + ` AND ` + isNews + ` AND ` + kindOf + ` = e.kind`,
	`SELECT l.position, NULL, NULL, l.name_th, l.name_en, coalesce(k.picture_id, y.picture_id), NULL, 0, 0 FROM order_line l LEFT JOIN package k ON k.id = l.package_id LEFT JOIN card_type_version d ON d.id = l.card_version_id LEFT JOIN card_type y ON y.id = d.card_type_id WHERE l.order_id = o.id`,
}
