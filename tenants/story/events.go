package story

// Selects of events of vouchers v, orders o and charges h, without their conditions.
const (
	used = `SELECT r.id, 'used', r.at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, r.items, r.amount_satang, p.name_th, p.name_en, s.name, ''
		FROM voucher v JOIN redemption r ON r.voucher_id = v.id JOIN service_point p ON p.id = r.service_point_id JOIN staff s ON s.id = r.staff_id`
	// A scan that a use followed is part of the use.
	scanned = `SELECT u.id, 'scanned', c.at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, u.items, 0::bigint, p.name_th, p.name_en, s.name, u.state
		FROM voucher v JOIN use_session u ON u.voucher_id = v.id AND u.state <> 'used' JOIN use_scan c ON c.use_session_id = u.id
		JOIN service_point p ON p.id = u.service_point_id JOIN staff s ON s.id = c.staff_id`
	changed = `SELECT n.id, ` + changes + `, n.at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, CASE n.event WHEN 'extend' THEN (SELECT x.days FROM extension x WHERE x.id = n.extension_id) ELSE n.items END, CASE WHEN n.event IN ('offer', 'sell') THEN (SELECT f.price_satang FROM offer f WHERE f.id = n.offer_id)
				WHEN n.refund_id IS NOT NULL AND NOT EXISTS (SELECT FROM voucher_event b WHERE b.voucher_id = v.id AND b.refund_id = n.refund_id AND b.id < n.id) THEN coalesce((SELECT i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang - i.refund_fee_satang FROM refund_item i WHERE i.refund_id = n.refund_id AND i.voucher_id = v.id), 0) ELSE 0::bigint END, '', '',
			CASE WHEN n.event = 'expire' THEN '' WHEN n.extension_id IS NOT NULL THEN (SELECT s.name FROM extension x JOIN staff s ON s.id = x.made_by WHERE x.id = n.extension_id) WHEN n.reissue_id IS NOT NULL THEN (SELECT s.name FROM reissue w JOIN staff s ON s.id = w.made_by WHERE w.id = n.reissue_id) WHEN n.owner_void_id IS NOT NULL THEN (SELECT s.name FROM owner_void w JOIN staff s ON s.id = w.made_by WHERE w.id = n.owner_void_id) WHEN n.charge_id IS NOT NULL THEN '' WHEN n.refund_id IS NOT NULL THEN (SELECT coalesce(s.name, hc.display_name) FROM refund f LEFT JOIN staff s ON s.id = f.made_by WHERE f.id = n.refund_id)
				WHEN n.owner_freeze_id IS NOT NULL THEN (SELECT s.name FROM owner_freeze z JOIN staff s ON s.id = CASE n.event WHEN 'freeze' THEN z.frozen_by ELSE z.released_by END WHERE z.id = n.owner_freeze_id)
				ELSE hc.display_name END, CASE n.event WHEN 'expire' THEN v.expiry_rule WHEN 'extend' THEN CASE n.from_state WHEN 'expired' THEN 'expired' ELSE '' END WHEN 'refund' THEN coalesce((SELECT f.reason FROM refund f WHERE f.id = n.refund_id), '') WHEN 'freeze' THEN CASE WHEN n.owner_freeze_id IS NULL THEN '' ELSE 'shop' END WHEN 'void' THEN CASE WHEN n.owner_void_id IS NULL THEN '' ELSE 'shop' END
				WHEN 'release' THEN CASE WHEN n.to_state = 'frozen' THEN 'still_frozen' WHEN n.owner_freeze_id IS NULL THEN '' ELSE 'shop' END WHEN 'return' THEN (SELECT ` + whyBack + ` FROM gift g WHERE g.id = n.gift_id)
				WHEN 'withdraw' THEN (SELECT ` + whyOff + ` FROM offer f WHERE f.id = n.offer_id) ELSE '' END
		FROM voucher v JOIN voucher_event n ON n.voucher_id = v.id JOIN customer hc ON hc.id = n.holder_id`
	whyBack = `CASE WHEN g.stopped_by IS NOT NULL THEN 'stopped_by_shop' WHEN g.stopped_by_admin IS NOT NULL THEN 'stopped_by_platform' ELSE g.state END`
	whyOff  = `CASE WHEN f.stopped_by IS NOT NULL THEN 'stopped_by_shop' WHEN f.stopped_by_admin IS NOT NULL THEN 'stopped_by_platform' ELSE f.state END`
	changes = `CASE n.event WHEN 'freeze' THEN 'frozen' WHEN 'release' THEN 'released' WHEN 'refund' THEN 'refunded' WHEN 'give' THEN 'given' WHEN 'claim' THEN 'claimed'
		WHEN 'return' THEN 'came_back' WHEN 'split' THEN 'split' WHEN 'offer' THEN 'offered' WHEN 'withdraw' THEN 'off_sale' WHEN 'sell' THEN 'resold' WHEN 'undo' THEN 'undone' WHEN 'reissue' THEN 'reissued' WHEN 'expire' THEN 'expired' WHEN 'extend' THEN 'extended' ELSE 'void' END`

	objectedTo = `SELECT n.id, 'objected', n.made_at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, r.items, n.share_satang, p.name_th, p.name_en, c.display_name, ''
		FROM voucher v JOIN objection n ON n.voucher_id = v.id JOIN redemption r ON r.id = n.redemption_id JOIN service_point p ON p.id = r.service_point_id JOIN customer c ON c.id = n.customer_id`
	stood = `SELECT n.id, 'stands', n.decided_at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, r.items, n.share_satang, p.name_th, p.name_en, s.name, ''
		FROM voucher v JOIN objection n ON n.voucher_id = v.id AND n.state = 'stands' JOIN redemption r ON r.id = n.redemption_id JOIN service_point p ON p.id = r.service_point_id JOIN staff s ON s.id = n.decided_by`

	paid = `SELECT o.id, 'paid', o.paid_at, 2, 'orders', o.id, o.number, '', '', '', (SELECT count(*) FROM voucher v WHERE v.order_id = o.id AND v.parent_id IS NULL), o.total_satang, '', '', coalesce(ac.display_name, ''), coalesce(h.method, 'wallet')
		FROM orders o LEFT JOIN charge h ON h.id = o.id LEFT JOIN agent a ON a.id = o.agent_id LEFT JOIN customer ac ON ac.id = a.customer_id`

	atGateway = `SELECT m.id, CASE m.kind WHEN 'refund' THEN 'sent_back' WHEN 'dispute' THEN 'disputed' ELSE m.kind END, m.at, 3, 'depositqrtransaction', h.id, h.reference, '', '', '', 0::bigint, m.amount_satang, '', '', '', ''
		FROM charge h JOIN charge_event m ON m.charge_id = h.id`
	remitted = `SELECT m.id, 'sent_back', coalesce(m.done_at, m.ended_at), 3, 'depositqrtransaction', h.id, h.reference, '', '', '', 0::bigint, m.amount_satang, '', '', '', ''
		FROM charge h JOIN remittance m ON m.charge_id = h.id AND (m.state = 'done' OR m.done_at IS NOT NULL)`

	commissionEarned = `SELECT k.id, CASE k.level WHEN 2 THEN 'commission_recruiter' ELSE 'commission' END, k.created_at, 4, 'orders', o.id, o.number, '', '', '', 0::bigint, k.amount_satang, '', '', ac.display_name, ''
		FROM commission k JOIN orders o ON o.id = k.order_id JOIN agent a ON a.id = k.agent_id JOIN customer ac ON ac.id = a.customer_id`
	commissionChanged = `SELECT b.id, CASE WHEN b.due_satang < 0 AND b.denied_satang > 0 THEN 'commission_denied' WHEN b.due_satang < 0 THEN 'commission_reversed' WHEN b.due_satang > 0 THEN 'commission_restored' WHEN b.mature_satang > 0 THEN 'commission_matured' ELSE 'commission_unmatured' END, b.at, 5,
			'orders', o.id, o.number, '', '', '', 0::bigint, abs(CASE b.due_satang WHEN 0 THEN b.mature_satang ELSE b.due_satang END), '', '', ac.display_name, ''
		FROM commission k JOIN commission_change b ON b.commission_id = k.id AND (b.due_satang <> 0 OR b.mature_satang <> 0) JOIN orders o ON o.id = k.order_id JOIN agent a ON a.id = k.agent_id JOIN customer ac ON ac.id = a.customer_id`
	commissionHeld = `SELECT h.id, 'commission_held', h.held_at, 6, 'orders', o.id, o.number, '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM commission_hold h JOIN orders o ON o.id = h.order_id`
	// What was denied is a change of commission.
	commissionFreed = `SELECT h.id, 'commission_freed', h.ended_at, 6, 'orders', o.id, o.number, '', '', '', 0::bigint, 0::bigint, '', '', coalesce(s.name, ''), ''
		FROM commission_hold h JOIN orders o ON o.id = h.order_id LEFT JOIN staff s ON s.id = h.ended_by`
)
