package points

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/notice"
)

const (
	customersOver = `SELECT DISTINCT customer_id FROM point_lot WHERE lapses_on < $1 AND points_left > 0 ORDER BY customer_id LIMIT $2`
	anyOver       = `SELECT EXISTS (SELECT FROM point_lot WHERE lapses_on < $1 AND points_left > 0)`
	endOrders     = `UPDATE point_order SET due_at = NULL, ended_at = $2 WHERE order_id IN (SELECT order_id FROM point_order WHERE customer_id = $1 AND ended_at IS NULL ORDER BY order_id FOR NO KEY UPDATE)`
)

// AnyOver reports whether LapseDue has anything to do.
func AnyOver(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyOver, clock.Day(tx.Now)).Scan(&some)
	return some, err
}

// LapseDue has the points lapse whose last day has passed, of at most 200 customers in a transaction. A worker calls it for each organisation.
func LapseDue(ctx context.Context, on *db.DB, org uuid.UUID) error {
	for n := customersAtOnce; n == customersAtOnce; {
		err := on.InOrg(ctx, org, func(tx db.Tx) error {
			customers, err := ids(ctx, tx, customersOver, clock.Day(tx.Now), customersAtOnce)
			if err != nil {
				return err
			}
			n = len(customers)
			if n == 0 {
				return nil
			}
			customer.Lock(tx, customers...)
			if err := tx.Flush(ctx); err != nil {
				return err
			}
			has, err := readHoldings(ctx, tx, customers)
			if err != nil {
				return err
			}
			for _, id := range customers {
				if err := notice.Send(ctx, tx, token.User, id, notice.Event{Topic: "member"}); err != nil {
					return err
				}
			}
			return has.save(tx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Leave has all points of a customer lapse who leaves, and nothing comes of his orders any more. He is locked.
func Leave(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	has, err := readHoldings(ctx, tx, []uuid.UUID{customer})
	if err != nil {
		return err
	}
	has.lapse(tx, has.of[customer], true)
	if _, err := tx.Exec(ctx, endOrders, customer, tx.Now); err != nil {
		return fmt.Errorf("points of %s who leaves: %w", customer, err)
	}
	return has.save(tx)
}
