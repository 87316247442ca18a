package fill_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tools/fill"
)

// TestBooksBalance: what a filled organisation is measured with is what the use cases would have written.
func TestBooksBalance(t *testing.T) {
	w := tenanttest.New(t)
	w.In(func(ctx context.Context, tx db.Tx) error { return fill.Organisation(ctx, tx, 600) })
	w.MustBalance()
	require.EqualValues(t, 600+54, w.Count(`SELECT count(*) FROM orders`))
	require.EqualValues(t, 4, w.Count(`SELECT count(DISTINCT state) FROM orders`), "paid, expired, awaiting and refunded")
	require.EqualValues(t, 162, w.Count(`SELECT count(*) FROM remittance`))
	require.Greater(t, w.Count(`SELECT count(*) FROM cashout`), int64(100))
	require.Greater(t, w.Count(`SELECT count(*) FROM gift WHERE state = 'claimed'`), int64(50))
	require.EqualValues(t, 200, w.Count(`SELECT count(*) FROM customer`))
}
