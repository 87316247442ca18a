package voucher

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

const stepOfOrder = `UPDATE voucher SET state = $3, updated_at = $2 WHERE order_id = $1 AND state = ANY ($4)`

// Hold freezes what can still be used of an order whose payer has his money back, or lets go of it again. Whoever has the
// vouchers by then, they are not paid for.
func Hold(ctx context.Context, tx db.Tx, order uuid.UUID, hold bool) error {
	from, to := steps[Thaw].from, steps[Thaw].to
	if hold { // what is over is left as it is, and so comes to no new life by a thaw
		from, to = steps[Expire].from, steps[Freeze].to
	}
	if _, err := tx.Exec(ctx, stepOfOrder, order, tx.Now, to, from); err != nil {
		return fmt.Errorf("hold vouchers of order %s: %w", order, err)
	}
	return nil
}
