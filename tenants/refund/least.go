package refund

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/voucher"
)

// What discounts that have a least total took off lines of an order: the total that each asks for, and what the line counts to it: its price, less what
// discounts on lines took off it if the discount is on the cart. What a line cost is what its vouchers carry.
const leastsOf = `SELECT u.discount_id, d.least_satang, l.position, l.amount_satang, l.unit_satang * l.quantity - CASE d.class WHEN 'cart' THEN coalesce((
			SELECT sum(o.amount_satang) FROM line_discount o JOIN discount e ON e.id = o.discount_id AND e.class = 'line' WHERE o.order_id = l.order_id AND o.position = l.position), 0)::bigint ELSE 0 END
		FROM discount_use u JOIN discount d ON d.id = u.discount_id AND d.least_satang > 0 JOIN line_discount x ON x.order_id = u.order_id AND x.discount_id = u.discount_id
		JOIN order_line l ON l.order_id = x.order_id AND l.position = x.position WHERE u.order_id = $1 AND u.freed_at IS NULL ORDER BY u.discount_id, l.position`

// least is the least total of a discount, and the lines from which it took something.
type least struct {
	discount uuid.UUID
	total    money.Amount
	lines    map[int]counts
}

// counts is what a line cost, and what it counts to a least total.
type counts struct{ paid, counts money.Amount }

func readLeasts(ctx context.Context, tx db.Tx, order uuid.UUID) (list []least, err error) {
	rows, err := tx.Query(ctx, leastsOf, order)
	if err != nil {
		return nil, fmt.Errorf("least totals of order %s: %w", order, err)
	}
	var of least
	var line int
	var c counts
	_, err = pgx.ForEachRow(rows, []any{&of.discount, &of.total, &line, &c.paid, &c.counts}, func() error {
		if len(list) == 0 || list[len(list)-1].discount != of.discount {
			list = append(list, least{of.discount, of.total, map[int]counts{}})
		}
		list[len(list)-1].lines[line] = c
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("least totals of order %s: %w", order, err)
	}
	return list, nil
}

// leavesTooLittle reports whether a refund leaves less of an order than a discount asked for that made it cheaper. That goes
// by asking. Of a whole order nothing is left; and what the law lets a payer give back goes by itself.
func (t terms) leavesTooLittle(vouchers []*voucher.Held, list []chosen) bool {
	kept, all := map[int]money.Amount{}, money.Amount(0)
	for _, v := range vouchers {
		kept[v.Line] += v.Kept().Paid()
		all += v.Kept().Paid()
	}
	touched := map[int]bool{}
	for _, c := range list {
		worth := c.Last(c.items).Paid()
		kept[c.Line] -= worth
		all -= worth
		touched[c.Line] = touched[c.Line] || !t.law[c.Line]
	}
	if all == 0 {
		return false
	}
	for _, l := range t.leasts {
		left, concerned := money.Amount(0), false
		for line, c := range l.lines {
			concerned = concerned || touched[line]
			if c.paid > 0 {
				left += c.counts.Share(int64(max(0, kept[line])), int64(c.paid))
			}
		}
		if concerned && left < l.total {
			return true
		}
	}
	return false
}
