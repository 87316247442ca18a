package voucher_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestExpireAll has one customer hold more than a transaction of the worker's ends.
func TestExpireAll(t *testing.T) {
	w := tenanttest.New(t)
	mallory, ann := w.Customer(10_00), w.Customer(500_00)
	small := w.Package(tenanttest.Package{Price: 1_00, Vouchers: 99})
	_, err := w.Order.Buy(t.Context(), mallory, tenanttest.Key(), w.Quote(mallory, small, 6))
	require.NoError(t, err)
	w.MustBuy(ann, w.Package(tenanttest.Package{Price: 500_00, ToWallet: true}))
	w.Force(`INSERT INTO use_session (id, voucher_id, customer_id, service_point_id, items, secret, state, opened_at, expires_at)
		SELECT gen_random_uuid(), id, holder_id, $1, 1, '', 'open', $2, $3 FROM voucher`, w.ServicePoint(), w.Clock.Now(), w.Clock.Now().Add(voucher.UseLifetime))
	w.Force(`UPDATE voucher SET state = 'in_use'`)

	w.Clock.Advance(voucher.UseLifetime)
	require.NoError(t, w.Voucher.EndDue(t.Context(), w.Org))
	require.Zero(t, w.Count(`SELECT count(*) FROM voucher WHERE state <> 'ready'`))

	w.Force(`DELETE FROM use_session`) // which no key of a caller's made
	w.EndVouchers(w.Clock.Now().Add(-48 * time.Hour))
	require.NoError(t, w.Voucher.ExpireAllVouchers(t.Context(), w.Org))
	require.EqualValues(t, 485_00, w.Balance(ann), "what she paid, less the platform's share")
	require.Zero(t, w.Count(`SELECT count(*) FROM voucher WHERE state <> 'expired'`))
	w.MustBalance()
}
