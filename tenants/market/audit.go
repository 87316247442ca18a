package market

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/wallet"
)

// What must hold between the ledger and what it pays for (trust-rules.md, D).
var rules = []struct{ name, sql string }{
	{"a paid order's parts add up to its price", `
		SELECT o.number, o.total_satang || ' <> ' || (o.platform_fee_satang + o.commission_satang + coalesce(v.sum, 0))
		FROM orders o LEFT JOIN (SELECT order_id, sum(share_satang) FROM voucher GROUP BY 1) v (order_id, sum) ON v.order_id = o.id
		WHERE o.paid_at IS NOT NULL AND o.total_satang <> o.platform_fee_satang + o.commission_satang + coalesce(v.sum, 0)`},
	{"every paid order with a price was paid by one transfer of that price, and no other was", `
		SELECT o.number, o.state || ' ' || o.total_satang || ' <> ' || coalesce(t.sum, 0) FROM orders o LEFT JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			WHERE t.kind = 'purchase' GROUP BY 1) t (cause_id, sum) ON t.cause_id = o.id
		WHERE CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.total_satang END <> coalesce(t.sum, 0)`},
	{"an order waits for its money exactly as long as its charge, and a charge that paid it made it a paid one", `
		SELECT coalesce(o.number, c.reference), coalesce(o.state, 'no order') || ' beside ' || coalesce(c.state, 'no charge') FROM orders o
		FULL JOIN (SELECT id, reference, state, credited, amount_satang FROM charge WHERE purpose = 'order') c ON c.id = o.id
		WHERE c.id IS NULL AND o.state IN ('awaiting', 'expired')
			OR c.id IS NOT NULL AND (o.id IS NULL OR o.total_satang <> c.amount_satang
				OR (o.state = 'awaiting') <> (c.state IN ('created', 'awaiting'))
				OR (o.paid_at IS NOT NULL) <> (c.state = 'captured' AND NOT c.credited))`},
	{"every purchase on the books has its order", `
		SELECT t.id::text, t.cause_id::text FROM transfer t LEFT JOIN orders o ON o.id = t.cause_id
		WHERE t.kind = 'purchase' AND o.id IS NULL`},
	// An order that waited for its money keeps what each piece issues. Where nothing kept it, that is what the package holds now,
	// unless it was changed since or within the minute before, which the order may not have seen: then only that each piece of a
	// line issued as many as the others.
	{"as many vouchers were issued as were sold", `
		SELECT o.number, l.position || ': ' || coalesce(v.n, 0) || ' of ' || l.quantity || ' times ' || coalesce(e.n::text, 'some') FROM orders o
		JOIN order_line l ON l.order_id = o.id
		JOIN package p ON p.id = l.package_id
		LEFT JOIN (SELECT order_id, line_position, count(*) FROM voucher GROUP BY 1, 2) v (order_id, position, n)
			ON v.order_id = o.id AND v.position = l.position
		LEFT JOIN (SELECT package_id, sum(quantity) FROM package_item GROUP BY 1) i (package_id, n) ON i.package_id = p.id
		CROSS JOIN LATERAL (SELECT CASE
			WHEN l.agreed IS NOT NULL THEN (SELECT sum((part->>'Quantity')::bigint) FROM jsonb_array_elements(l.agreed->'parts') AS part)
			WHEN p.updated_at < o.created_at - interval '1 minute' THEN i.n END) AS e (n)
		WHERE CASE WHEN o.paid_at IS NULL THEN v.n > 0
			WHEN e.n IS NULL THEN v.n IS NULL OR v.n % l.quantity <> 0
			ELSE v.n IS DISTINCT FROM l.quantity * e.n END`},
	{"what was used and what is left make up each voucher", `
		SELECT v.code, v.items_left || ' left, ' || coalesce(r.items, 0) || ' used of ' || v.items_total FROM voucher v
		LEFT JOIN (SELECT voucher_id, sum(items) FROM redemption GROUP BY 1) r (voucher_id, items) ON r.voucher_id = v.id
		WHERE v.items_total - v.items_left <> coalesce(r.items, 0)`},
	{"a voucher is in use exactly when it has an open session", `
		SELECT v.code, v.state FROM voucher v LEFT JOIN use_session u ON u.voucher_id = v.id AND u.state = 'open'
		WHERE (v.state = 'in_use') <> (u.id IS NOT NULL) AND v.state IN ('ready', 'in_use', 'used')`},
	{"every use paid the seller its share once", `
		SELECT r.id::text, r.amount_satang || ' <> ' || coalesce(t.sum, 0) FROM redemption r LEFT JOIN (
			SELECT t.cause_id, sum(e.amount_satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			WHERE t.kind = 'use' GROUP BY 1) t (cause_id, sum) ON t.cause_id = r.id
		WHERE r.amount_satang <> coalesce(t.sum, 0)`},
	{"no voucher paid out more than its share", `
		SELECT v.code, coalesce(sum(r.amount_satang), 0) || ' of ' || v.share_satang FROM voucher v
		LEFT JOIN redemption r ON r.voucher_id = v.id GROUP BY v.id
		HAVING coalesce(sum(r.amount_satang), 0) > v.share_satang
			OR (v.state = 'used' AND coalesce(sum(r.amount_satang), 0) <> v.share_satang)`},
	{"no more was sold than there was, and as much as was ordered", `
		SELECT s.package_id::text, s.sold || ' taken, ' || coalesce(l.sum, 0) || ' ordered' FROM stock s
		LEFT JOIN (SELECT l.package_id, sum(l.quantity) FROM order_line l JOIN orders o ON o.id = l.order_id AND o.state <> 'expired'
			GROUP BY 1) l (package_id, sum) ON l.package_id = s.package_id
		WHERE s.sold <> coalesce(l.sum, 0) OR s.sold > s.quantity`},
	{"every paid order sold by an agent owes him the commission of what stays paid", `
		SELECT o.number, o.commission_satang || ' of ' || o.total_satang || ', ' || coalesce(c.refunded_satang + c.disputed_satang, 0) || ' went back; '
			|| coalesce(k.state || ' ' || k.amount_satang, 'no commission')
		FROM orders o LEFT JOIN commission k ON k.order_id = o.id
		LEFT JOIN charge c ON c.id = o.id AND c.state = 'captured' AND NOT c.credited
		WHERE CASE WHEN o.paid_at IS NULL OR o.commission_satang = 0 THEN 0
				ELSE round(o.commission_satang::numeric * (o.total_satang - coalesce(c.refunded_satang + c.disputed_satang, 0)) / o.total_satang) END
			<> CASE k.state WHEN 'reversed' THEN 0 ELSE coalesce(k.amount_satang, 0) END
			OR (o.paid_at IS NULL OR o.commission_satang = 0) <> (k.id IS NULL)`},
	{"what a commission lost was moved once, and is what went back", `
		SELECT o.number, o.commission_satang || ' less ' || coalesce(r.lost, 0) || ', moved ' || coalesce(r.moved, 0) FROM orders o
		JOIN commission k ON k.order_id = o.id LEFT JOIN (
			SELECT r.commission_id, sum(r.amount_satang) AS lost, sum(t.moved) AS moved FROM commission_reversal r LEFT JOIN (
				SELECT t.cause_id, sum(CASE a.kind WHEN 'commission_pending' THEN e.amount_satang ELSE -e.amount_satang END) AS moved
				FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account a ON a.id = e.debit_id
				WHERE t.kind = 'commission_reversal' GROUP BY 1) t ON t.cause_id = r.id
			GROUP BY 1) r ON r.commission_id = k.id
		WHERE o.commission_satang - coalesce(r.lost, 0) <> CASE k.state WHEN 'reversed' THEN 0 ELSE k.amount_satang END
			OR coalesce(r.lost, 0) <> coalesce(r.moved, 0)`},
	{"every commission that was moved back has its reversal", `
		SELECT t.id::text, t.cause_id::text FROM transfer t LEFT JOIN commission_reversal r ON r.id = t.cause_id
		WHERE t.kind = 'commission_reversal' AND r.id IS NULL`},
	{"what an agent waits for is the sum of his commissions", `
		SELECT coalesce(k.agent_id, a.owner_id)::text, coalesce(k.sum, 0) || ' <> ' || coalesce(a.sum, 0) FROM (
			SELECT agent_id, sum(amount_satang) FROM commission WHERE state = 'pending' GROUP BY 1) k (agent_id, sum)
		FULL JOIN (SELECT a.owner_id, sum(CASE a.id WHEN e.credit_id THEN e.amount_satang ELSE -e.amount_satang END) FROM account a
			JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind = 'commission_pending' GROUP BY 1) a (owner_id, sum)
			ON a.owner_id = k.agent_id
		WHERE coalesce(k.sum, 0) <> coalesce(a.sum, 0)`},
}

// Audit checks everything that must hold in one organisation: the ledger, and what it pays for. No finding means that
// the books balance.
func Audit(ctx context.Context, d *db.DB, org uuid.UUID) ([]wallet.Finding, error) {
	findings, err := wallet.Audit(ctx, d, org)
	if err != nil {
		return nil, err
	}
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		for _, rule := range rules {
			found, err := wallet.Check(ctx, tx, rule.name, rule.sql)
			if err != nil {
				return err
			}
			findings = append(findings, found...)
		}
		return nil
	})
	return findings, err
}
