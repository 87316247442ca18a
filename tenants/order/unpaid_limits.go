package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// What one customer's orders may hold without money. Stock is taken when an order is made, so that nobody pays for what is
// gone by then; without a bound, somebody could keep a whole sale from everybody else and never pay. docs/operations.md
// lists these figures.
const (
	maxWaiting  = 3  // orders that wait at once
	maxReserved = 10 // pieces of one package that all of them hold together

	// maxUnpaid counts orders that held stock for heldInVain and ended unpaid; maxGivenUp counts all that ended unpaid, however
	// soon: one after the other they hold stock as well as one that waits. An order whose money came late is in neither. Who reaches
	// either within unpaidMemory pays from his wallet until enough of them are longer ago.
	maxUnpaid    = 3
	maxGivenUp   = 10
	unpaidMemory = 24 * time.Hour
	heldInVain   = time.Minute
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

// WalletOnly is the detail of ErrWalletOnly.
type WalletOnly struct {
	Until time.Time `json:"until" doc:"UTC; from then on he may pay directly again"`
}

const (
	waitingOf = `SELECT count(*) FROM orders WHERE customer_id = $1 AND state = 'awaiting'`
	heldOf    = `SELECT l.package_id, sum(l.quantity)::int FROM order_line l JOIN orders o ON o.id = l.order_id
		WHERE o.customer_id = $1 AND o.state = 'awaiting' GROUP BY l.package_id`
	// The last but $4 of them: while it counts, there are more than $4.
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
	walletOnly := func(row pgx.Row) error {
		var over time.Time
		err := row.Scan(&over)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // fewer than that
		}
		if err != nil {
			return fmt.Errorf("orders that %s left unpaid: %w", customer, err)
		}
		return ErrWalletOnly.With(WalletOnly{Until: over.Add(unpaidMemory)})
	}
	since := tx.Now.Add(-unpaidMemory)
	tx.Queue(unpaidOf, customer, since, heldInVain, maxUnpaid-1).QueryRow(walletOnly)
	tx.Queue(unpaidOf, customer, since, time.Duration(0), maxGivenUp-1).QueryRow(walletOnly)
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
