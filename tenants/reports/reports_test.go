package reports_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/market"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

func days(from, to time.Time) reports.DailyFilter {
	return reports.DailyFilter{Days: reports.Days{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)}}
}

func screen(t *testing.T, w *tenanttest.World, f reports.DailyFilter) (s report.Screen[reports.DailyRow], err error) {
	t.Helper()
	err = w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) (err error) {
		s, err = reports.Daily.Screen(t.Context(), tx, f)
		return err
	})
	return s, err
}

// buy buys n of each package in one order.
func buy(t *testing.T, w *tenanttest.World, quantities map[uuid.UUID]int) {
	t.Helper()
	ann := w.Customer(1_000_000_00)
	in := market.QuoteInput{}
	for id, n := range quantities {
		in.Lines = append(in.Lines, market.Line{Package: id, Quantity: n})
	}
	quote, err := w.Market.Quote(t.Context(), ann, in)
	require.NoError(t, err)
	_, err = w.Market.Buy(t.Context(), ann, tenanttest.Key(), market.BuyInput{Lines: in.Lines, Hash: quote.Hash, Lang: "th"})
	require.NoError(t, err)
}

func TestDaily(t *testing.T) {
	w := tenanttest.New(t)
	a := w.Package(tenanttest.Package{Price: 333_33, Items: 3, Vouchers: 2})
	b := w.Package(tenanttest.Package{Price: 99_99})
	free := w.Package(tenanttest.Package{Price: 0})
	seller := w.Agent(w.Customer(0), 1250)
	today := clock.Day(w.DB.Now())

	buy(t, w, map[uuid.UUID]int{a: 3, b: 7})
	buy(t, w, map[uuid.UUID]int{free: 1})
	ann := w.Customer(10_000_00)
	w.Visit(ann, seller, b)
	_, err := w.Market.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, b, 3))
	require.NoError(t, err)

	t.Run("its sums are the ledger's, to the satang", func(t *testing.T) {
		s, err := screen(t, w, days(today, today))
		require.NoError(t, err)
		require.EqualValues(t, 3, s.Total)
		require.Equal(t, w.House(wallet.Unearned), money.Amount(s.Totals["unearned_satang"]))
		require.Equal(t, w.House(wallet.PlatformFee), money.Amount(s.Totals["fee_satang"]))
		require.Equal(t, w.Pending(seller), money.Amount(s.Totals["commission_satang"]))
		require.EqualValues(t, 3*333_33+10*99_99, s.Totals["gross_satang"])
		for _, row := range s.Data {
			require.Equal(t, row.Gross, row.Fee+row.Commission+row.Unearned)
			require.True(t, row.Fee >= 0 && row.Commission >= 0 && row.Unearned >= 0)
		}
		require.Equal(t, a, s.Data[0].Package, "the best of the day comes first")
		require.EqualValues(t, 2, s.Data[1].Orders)
		require.EqualValues(t, 10, s.Data[1].Quantity)
	})

	t.Run("days are Bangkok's, packages can be picked", func(t *testing.T) {
		s, err := screen(t, w, days(today.AddDate(0, 0, -3), today.AddDate(0, 0, -1)))
		require.NoError(t, err)
		require.Empty(t, s.Data)
		f := days(today, today)
		f.Package = &b
		s, err = screen(t, w, f)
		require.NoError(t, err)
		require.Len(t, s.Data, 1)
	})

	t.Run("a range that is none is refused", func(t *testing.T) {
		for _, f := range []reports.DailyFilter{
			days(today, today.AddDate(0, 0, -1)), days(today.AddDate(-3, 0, 0), today),
			{Days: reports.Days{From: "today", To: "2026-01-01"}},
			{},
		} {
			_, err := screen(t, w, f)
			require.ErrorIs(t, err, fault.BadInput)
		}
	})
}

func TestDashboard(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 500_00})
	buy(t, w, map[uuid.UUID]int{pkg: 2})

	d, err := reports.New(w.DB).Dashboard(t.Context(), w.Org, 7)
	require.NoError(t, err)
	require.Len(t, d.ByDay, 7)
	require.Equal(t, d.To, d.ByDay[6].Day)
	require.EqualValues(t, 1000_00, d.Gross)
	require.EqualValues(t, 1000_00, d.ByDay[6].Gross)
	require.EqualValues(t, 1, d.Orders)
	require.EqualValues(t, 1, d.Customers)
	require.Equal(t, w.House(wallet.Unearned), d.Unearned)
	require.Equal(t, []reports.Best{{ID: pkg, NameTH: d.Packages[0].NameTH, NameEN: d.Packages[0].NameEN, Quantity: 2, Gross: 1000_00}}, d.Packages)

	t.Run("what accounts hold is the same after the day is sealed", func(t *testing.T) {
		w.Clock.Advance(25 * time.Hour)
		w.In(wallet.SealDays)
		buy(t, w, map[uuid.UUID]int{pkg: 1})
		d, err := reports.New(w.DB).Dashboard(t.Context(), w.Org, 7)
		require.NoError(t, err)
		require.Equal(t, w.House(wallet.Unearned), d.Unearned)
	})
}
