package order

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/charge"
)

// What one customer's orders may hold without money. Stock is taken when an order is made, so that nobody pays for what is
// gone by then; without a bound, somebody could keep a whole sale from everybody else and never pay. charge.QueueUnpaidLimits bounds
// how often. docs/operations.md lists these figures.
const (
	maxWaiting  = 3  // orders that wait at once
	maxReserved = 10 // pieces of one package that all of them hold together
)

// Faults of holding too much.
var (
	ErrPayFirst        = fault.New(fault.Conflict, "order.pay_first", "please pay or cancel the orders that are waiting")
	ErrTooManyReserved = fault.New(fault.Conflict, "order.too_many_reserved", "too many pieces are waiting for payment")
	ErrWalletOnly      = fault.New(fault.Conflict, "order.wallet_only", "please pay from your Wallet")
)

// TooManyReserved is the detail of ErrTooManyReserved.
type TooManyReserved struct {
	Package uuid.UUID `json:"package_id"`
	Max     int       `json:"most" doc:"Pieces that unpaid orders of one customer may hold"`
	Held    int       `json:"held" doc:"Pieces that his other orders hold"`
}

const (
	waitingOf = `SELECT count(*) FROM orders WHERE customer_id = $1 AND state = 'awaiting'`
	heldOf    = `SELECT l.package_id, sum(l.quantity)::int FROM order_line l JOIN orders o ON o.id = l.order_id
		WHERE o.customer_id = $1 AND o.state = 'awaiting' GROUP BY l.package_id`
	unpaidOf = `SELECT o.expired_at FROM orders o
		WHERE (o.customer_id = $1 OR o.customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = $1)) AND o.state = 'expired' AND o.expired_at > $2
		AND o.expired_at >= o.created_at + $3::interval AND NOT EXISTS (SELECT FROM charge c WHERE c.id = o.id AND c.state = 'captured')
		ORDER BY o.expired_at DESC OFFSET $4 LIMIT 1`
)

// checkUnpaidLimits refuses an order whose stock would be held for nothing too often. The customer is locked already (newPurchaseBatch), so
// two of his orders at once are counted one after the other.
func (c cart) checkUnpaidLimits(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	var waiting int
	held := map[uuid.UUID]int{}
	charge.QueueUnpaidLimits(tx, customer, unpaidOf, ErrWalletOnly)
	tx.Queue(waitingOf, customer).QueryRow(func(row pgx.Row) error { return row.Scan(&waiting) })
	tx.Queue(heldOf, customer).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		var n int
		_, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
			held[id] = n
			return nil
		})
		return err
	})
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if waiting >= maxWaiting {
		return ErrPayFirst
	}
	for _, l := range c.lines {
		if held[l.Package]+l.Quantity > maxReserved {
			return ErrTooManyReserved.With(TooManyReserved{Package: l.Package, Max: maxReserved, Held: held[l.Package]})
		}
	}
	return nil
}
