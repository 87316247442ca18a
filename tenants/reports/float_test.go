package reports_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// TestFloat: wallets hold 1,000.00 from the first day, half of it from the third; sealed days and those since count alike.
func TestFloat(t *testing.T) {
	w := tenanttest.New(t)
	service := reports.New(w.DB)
	held, err := service.Held(t.Context(), w.Org)
	require.NoError(t, err)
	require.Equal(t, reports.Held{Limit: 50_000_000_00}, held, "an empty shop, and the law's limit")

	first := clock.Day(w.Clock.Now())
	ann := w.Customer(1000_00)
	w.Clock.Advance(48 * time.Hour)
	w.In(ledger.SealDays)
	pkg := w.Package(tenanttest.Package{Price: 500_00})
	_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1))
	require.NoError(t, err)

	today := clock.Day(w.Clock.Now())
	s, err := screen(t, w, reports.Float, days(first.AddDate(0, 0, -1), today))
	require.NoError(t, err)
	require.Len(t, s.Data, 4)
	for i, want := range []struct{ held, average int64 }{{500_00, 833_33}, {1000_00, 1000_00}, {1000_00, 1000_00}, {0, 0}} {
		require.EqualValues(t, want.held, s.Data[i]["held_satang"], i)
		require.EqualValues(t, want.average, s.Data[i]["average_satang"], i)
	}
	require.EqualValues(t, 1000_00, s.Totals["in_satang"])
	require.EqualValues(t, 500_00, s.Totals["out_satang"])

	t.Run("a warning comes by the larger of what is held and its average", func(t *testing.T) {
		wallets := wallet.New(w.DB, nil, nil)
		for limit, warning := range map[money.Amount]int64{1388_90: 0, 1388_88: 60, 1000_00: 80, 877_00: 95, 100: 95} {
			require.NoError(t, wallets.SaveLimit(t.Context(), w.Org, auditlog.Actor{Kind: token.Owner, ID: uuid.New()}, wallet.Limit{Amount: limit}))
			held, err := service.Held(t.Context(), w.Org)
			require.NoError(t, err)
			require.EqualValues(t, 833_33, held.Average)
			require.Equal(t, warning, held.Warning, "of %d", limit)
		}
	})
}
