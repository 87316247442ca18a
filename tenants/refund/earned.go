package refund

import (
	"context"
	"fmt"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/objection"
)

// ErrNotEarned is returned where the organisation would pay more than it has earned for good.
var ErrNotEarned = fault.New(fault.Conflict, "refund.not_earned", "The organisation has not earned that much for good yet. What was used can be objected to until the end of the next day")

const lockBooks = `SELECT FROM ledger FOR NO KEY UPDATE`

// earned returns what the organisation has earned for good, and nobody may object to any more: so much it may pay. Who asks waits for others who
// pay of it, because a system account has no row to lock.
func earned(ctx context.Context, tx db.Tx) (money.Amount, error) {
	if _, err := tx.Exec(ctx, lockBooks); err != nil {
		return 0, fmt.Errorf("lock what was earned: %w", err)
	}
	// What may still be objected to is read first: an objection takes it from what was earned.
	unsettled, err := objection.Unsettled(ctx, tx)
	if err != nil {
		return 0, err
	}
	payable, err := ledger.SystemBalance(ctx, tx, ledger.Payable)
	return payable - unsettled, err
}
