package voucher_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
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

// TestExpireToWallet: by the rule of the wallet its holder has what was paid for his items of the share, and the platform what it paid, also where that is
// all of the share.
func TestExpireToWallet(t *testing.T) {
	for name, c := range map[string]struct{ discount, paid, back, fee money.Amount }{
		"nothing":          {0, 100_00, 97_00, 3_00},
		"some":             {50_00, 50_00, 47_00, 3_00},
		"all of the share": {97_00, 3_00, 0, 3_00},
	} {
		t.Run("the platform paid "+name, func(t *testing.T) {
			w := tenanttest.New(t)
			ann := w.Customer(100_00)
			if c.discount > 0 {
				w.Discount(tenanttest.Discount{Value: int64(c.discount), Payer: "platform"})
			}
			w.MustBuy(ann, w.Package(tenanttest.Package{Price: 100_00, Items: 3, ToWallet: true}))
			require.Equal(t, 100_00-c.paid, w.Balance(ann))

			w.EndVouchers(w.Clock.Now().Add(-48 * time.Hour))
			require.NoError(t, w.Voucher.ExpireAllVouchers(t.Context(), w.Org))
			require.Equal(t, []money.Amount{100_00 - c.paid + c.back, 0, 0, c.fee},
				[]money.Amount{w.Balance(ann), w.SystemBalance(ledger.Unearned), w.SystemBalance(ledger.Breakage), w.SystemBalance(ledger.PlatformFee)})
			w.MustBalance()
			w.ReportsAgree(t)
		})
	}
}
