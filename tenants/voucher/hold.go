package voucher

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

const (
	stepOfOrder = `UPDATE voucher SET state = $3, updated_at = $2 WHERE order_id = $1 AND state = ANY ($4)`
	stopUses    = `UPDATE use_session SET state = 'cancelled', closed_at = $2
		WHERE state = 'open' AND voucher_id IN (SELECT id FROM voucher WHERE order_id = $1)`
)

// Hold freezes what can still be used of an order whose payer has his money back, or lets go of it again. Whoever has the
// vouchers by then, they are not paid for. One that is shown at a door is put back first.
func Hold(ctx context.Context, tx db.Tx, order uuid.UUID, hold bool) error {
	from, to := steps[Thaw].from, steps[Thaw].to
	if hold { // what is over is left as it is, and so comes to no new life by a thaw
		from, to = steps[Expire].from, steps[Freeze].to
	}
	if _, err := tx.Exec(ctx, stepOfOrder, order, tx.Now, to, from); err != nil {
		return fmt.Errorf("hold vouchers of order %s: %w", order, err)
	}
	if !hold {
		return nil
	}
	if _, err := tx.Exec(ctx, stopUses, order, tx.Now); err != nil {
		return fmt.Errorf("stop uses of order %s: %w", order, err)
	}
	return nil
}
