package board

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/charge"
)

const (
	isPaying = `SELECT EXISTS (SELECT FROM reservation WHERE buyer_id = $1 AND state = 'open')`
	// A payment whose offer ended under it is none of them.
	unpaidOf = `SELECT w.ended_at FROM reservation w
		WHERE (w.buyer_id = $1 OR w.buyer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = $1)) AND w.state = 'ended' AND w.ended_at > $2
		AND w.ended_at >= w.created_at + $3::interval AND NOT EXISTS (SELECT FROM charge c WHERE c.id = w.id AND c.state = 'captured')
		ORDER BY w.ended_at DESC OFFSET $4 LIMIT 1`
)

// checkUnpaidLimits returns ErrPayFirst or ErrWalletOnly. An offer is one piece, so who reserves it keeps it from everybody: without a bound, somebody
// could block the whole board and never pay. He pays one offer at a time, and leaves as few unpaid as of orders. The customer is locked.
func checkUnpaidLimits(ctx context.Context, tx db.Tx, buyer uuid.UUID) error {
	var paying bool
	tx.Queue(isPaying, buyer).QueryRow(func(row pgx.Row) error { return row.Scan(&paying) })
	charge.QueueUnpaidLimits(tx, buyer, unpaidOf, ErrWalletOnly)
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if paying {
		return ErrPayFirst
	}
	return nil
}
