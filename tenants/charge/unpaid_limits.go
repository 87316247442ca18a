package charge

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// How often what one customer begins to pay, and what is kept for him meanwhile, may end unpaid: without a bound, somebody could keep something
// from everybody else and never pay. maxUnpaid counts what held something for heldInVain; maxGivenUp counts all, however soon it ended: one
// after the other they hold something as well. What was paid late is in neither. Who reaches either within unpaidMemory pays from his wallet,
// which holds nothing, until enough of them are longer ago. docs/operations.md lists these figures.
const (
	maxUnpaid    = 3
	maxGivenUp   = 10
	unpaidMemory = 24 * time.Hour
	heldInVain   = time.Minute
)

// WalletOnly is the detail of a fault that QueueUnpaidLimits is given.
type WalletOnly struct {
	Until time.Time `json:"until" doc:"UTC; from then on he may pay directly again"`
}

// QueueUnpaidLimits queues the check of both bounds, which fails with refused. The customer is locked, so that two of his payments at once are
// counted one after the other. endedOf selects when the customer $1 left something unpaid that held it for $3, after $2, the last but $4 of them:
// while that one counts, there are more than $4.
func QueueUnpaidLimits(tx db.Tx, customer uuid.UUID, endedOf string, refused *fault.Fault) {
	walletOnly := func(row pgx.Row) error {
		var over time.Time
		err := row.Scan(&over)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // fewer than that
		}
		if err != nil {
			return fmt.Errorf("what %s left unpaid: %w", customer, err)
		}
		return refused.With(WalletOnly{Until: over.Add(unpaidMemory)})
	}
	since := tx.Now.Add(-unpaidMemory)
	tx.Queue(endedOf, customer, since, heldInVain, maxUnpaid-1).QueryRow(walletOnly)
	tx.Queue(endedOf, customer, since, time.Duration(0), maxGivenUp-1).QueryRow(walletOnly)
}
