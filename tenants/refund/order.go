package refund

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/discount"
)

const (
	saveOrder  = `UPDATE orders SET state = $2 WHERE id = $1`
	returnLine = `UPDATE order_line SET returned_at = $3 WHERE order_id = $1 AND position = $2 AND returned_at IS NULL RETURNING package_id, quantity`
)

// stock has the pieces that a returned line gives back.
type stock struct {
	Package  uuid.UUID
	Quantity int
}

// saveOrders says of each order of which something was taken back whether something stays of it. A line of which nothing stays
// and nothing was used gives its stock back, in the order of packages as buyers take it. An order of which nothing stays gives back the uses of its
// discounts after that.
func (s *settlement) saveOrders(ctx context.Context, tx db.Tx) error {
	var free []stock
	var whole []uuid.UUID
	for _, p := range s.orders {
		if !p.touched {
			continue
		}
		state := "refunded"
		for line, untouched := range p.lines() {
			if !untouched {
				state = "part_refunded"
				continue
			}
			l, err := returned(ctx, tx, p.ID, line)
			if errors.Is(err, pgx.ErrNoRows) {
				continue // it was returned before
			}
			if err != nil {
				return fmt.Errorf("return line %d of order %s: %w", line, p.ID, err)
			}
			free = append(free, l)
		}
		tx.Queue(saveOrder, p.ID, state)
		if state == "refunded" {
			whole = append(whole, p.ID)
		}
	}
	slices.SortFunc(free, func(a, b stock) int { return bytes.Compare(a.Package[:], b.Package[:]) })
	for _, l := range free {
		if err := catalog.GiveBack(ctx, tx, l.Package, l.Quantity); err != nil {
			return err
		}
	}
	return discount.Free(ctx, tx, whole...)
}

// lines reports for each line whether all its vouchers were taken back before anything was used.
func (p *purchase) lines() map[int]bool {
	untouched := map[int]bool{}
	for _, v := range p.vouchers {
		before, seen := untouched[v.Line]
		untouched[v.Line] = v.Untouched() && (before || !seen)
	}
	return untouched
}

func returned(ctx context.Context, tx db.Tx, order uuid.UUID, line int) (l stock, err error) {
	err = tx.QueryRow(ctx, returnLine, order, line, tx.Now).Scan(&l.Package, &l.Quantity)
	return l, err
}
