package voucher_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestLockOfOrdersBesideSplit: who locks the vouchers of an order while one of them is being split gets the slice too.
func TestLockOfOrdersBesideSplit(t *testing.T) {
	w := tenanttest.New(t)
	ann := w.Customer(1000_00)
	v := w.MustBuy(ann, w.Package(tenanttest.Package{Price: 300_00, Items: 3, Transfers: 1}))
	var order uuid.UUID
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT order_id FROM voucher WHERE id = $1`, v.ID).Scan(&order)
	})

	locked := make(chan []*voucher.Held, 1)
	w.In(func(ctx context.Context, tx db.Tx) error {
		lot, err := voucher.LockLot(ctx, tx, ann.Subject, v.ID)
		require.NoError(t, err)
		go w.In(func(ctx context.Context, tx db.Tx) error {
			held, err := voucher.LockOfOrders(ctx, tx, []uuid.UUID{order})
			locked <- held
			return err
		})
		require.Eventually(t, func() bool {
			var waits bool
			err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid')`).Scan(&waits)
			require.NoError(t, err)
			return waits
		}, 10*time.Second, 10*time.Millisecond, "the other waits for the lock")

		gift := db.NewID()
		tx.Queue(`INSERT INTO gift (id, giver_id, state, card, to_name, words, link_hash, digits, days, created_at, begins_at, expires_at)
			VALUES ($1, $2, 'open', 'thanks', '', '', 'x', '', 7, $3, $3, $3::timestamptz + interval '7 days')`, gift, ann.Subject, tx.Now)
		lot.Give(tx, gift, 1)
		return nil
	})
	held := <-locked
	require.Len(t, held, 2)
	require.EqualValues(t, 2, held[0].Left)
	require.EqualValues(t, 1, held[1].Left)
	require.EqualValues(t, 300_00, held[0].Kept().Plus(held[1].Kept()).Paid())
}
