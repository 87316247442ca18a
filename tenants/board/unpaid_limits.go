package board

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// For how much one customer may reserve offers without money. An offer is one piece, so who reserves it keeps it from everybody: without a bound,
// somebody could block the whole board and never pay. He pays one offer at a time. maxUnpaid counts payments that held an offer for heldInVain and
// ended unpaid; maxGivenUp counts all that ended unpaid, however soon: one after the other they hold offers as well. A payment whose money came
// late, or whose offer ended under it, is in neither. Who reaches either within unpaidMemory buys from his wallet until enough of them are longer
// ago, which holds nothing. They are the figures of orders; docs/operations.md lists them.
const (
	maxUnpaid    = 3
	maxGivenUp   = 10
	unpaidMemory = 24 * time.Hour
	heldInVain   = time.Minute
)

// WalletOnly is the detail of ErrWalletOnly.
type WalletOnly struct {
	Until time.Time `json:"until" doc:"UTC; from then on he may pay directly again"`
}

const (
	isPaying = `SELECT EXISTS (SELECT FROM reservation WHERE buyer_id = $1 AND state = 'open')`
	// The last but $4 of them: while it counts, there are more than $4.
	unpaidOf = `SELECT w.ended_at FROM reservation w
		WHERE (w.buyer_id = $1 OR w.buyer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = $1)) AND w.state = 'ended' AND w.ended_at > $2
		AND w.ended_at >= w.created_at + $3::interval AND NOT EXISTS (SELECT FROM charge c WHERE c.id = w.id AND c.state = 'captured')
		ORDER BY w.ended_at DESC OFFSET $4 LIMIT 1`
)

// checkUnpaidLimits returns ErrPayFirst or ErrWalletOnly. The customer is locked, so two of his payments at once are counted one after the other.
func checkUnpaidLimits(ctx context.Context, tx db.Tx, buyer uuid.UUID) error {
	var paying bool
	walletOnly := func(row pgx.Row) error {
		var over time.Time
		err := row.Scan(&over)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // fewer than that
		}
		if err != nil {
			return fmt.Errorf("offers that %s left unpaid: %w", buyer, err)
		}
		return ErrWalletOnly.With(WalletOnly{Until: over.Add(unpaidMemory)})
	}
	since := tx.Now.Add(-unpaidMemory)
	tx.Queue(isPaying, buyer).QueryRow(func(row pgx.Row) error { return row.Scan(&paying) })
	tx.Queue(unpaidOf, buyer, since, heldInVain, maxUnpaid-1).QueryRow(walletOnly)
	tx.Queue(unpaidOf, buyer, since, time.Duration(0), maxGivenUp-1).QueryRow(walletOnly)
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if paying {
		return ErrPayFirst
	}
	return nil
}
