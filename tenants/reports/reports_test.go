package reports_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

func days(from, to time.Time) map[string]any {
	return map[string]any{"from": from.Format(time.DateOnly), "to": to.Format(time.DateOnly)}
}

func screen(t *testing.T, w *tenanttest.World, r report.Report, filter map[string]any, after ...string) (s report.Screen, err error) {
	t.Helper()
	text, err := json.Marshal(filter)
	require.NoError(t, err)
	err = w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) (err error) {
		s, err = r.Screen(t.Context(), tx, text, strings.Join(after, ""))
		return err
	})
	return s, err
}

// buy buys n of each package in one order.
func buy(t *testing.T, w *tenanttest.World, quantities map[uuid.UUID]int) {
	t.Helper()
	ann := w.Customer(1_000_000_00)
	in := order.QuoteInput{}
	for id, n := range quantities {
		in.Lines = append(in.Lines, order.Line{Package: id, Quantity: n})
	}
	quote, err := w.Order.Quote(t.Context(), ann, in)
	require.NoError(t, err)
	_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), order.BuyInput{Lines: in.Lines, Hash: quote.Hash, Lang: "th"})
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
	_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, b, 3))
	require.NoError(t, err)

	t.Run("a daily report's sums equal the ledger's, to the satang", func(t *testing.T) {
		s, err := screen(t, w, reports.Daily, days(today, today))
		require.NoError(t, err)
		require.EqualValues(t, 1, s.Total)
		require.Equal(t, w.SystemBalance(ledger.Unearned), money.Amount(s.Totals["unearned_satang"]))
		require.Equal(t, w.SystemBalance(ledger.PlatformFee), money.Amount(s.Totals["fee_satang"]))
		require.Equal(t, w.Pending(seller), money.Amount(s.Totals["commission_satang"]))
		require.EqualValues(t, 3*333_33+10*99_99, s.Totals["gross_satang"])
		require.EqualValues(t, 3*99_99, s.Totals["agent_satang"])
		require.EqualValues(t, 3, s.Totals["orders"])
		require.EqualValues(t, 14, s.Totals["quantity"])
		w.ReportsAgree(t)
	})

	t.Run("a daily report has days of Bangkok, and can be of one package", func(t *testing.T) {
		s, err := screen(t, w, reports.Daily, days(today.AddDate(0, 0, -3), today.AddDate(0, 0, -1)))
		require.NoError(t, err)
		require.Empty(t, s.Data)
		f := days(today, today)
		f["package_id"] = b
		s, err = screen(t, w, reports.Daily, f)
		require.NoError(t, err)
		require.EqualValues(t, 10*99_99, s.Totals["gross_satang"])
		require.EqualValues(t, 2, s.Totals["orders"])
	})

	t.Run("what sold best comes first among packages", func(t *testing.T) {
		s, err := screen(t, w, reports.ByPackage, days(today, today))
		require.NoError(t, err)
		require.EqualValues(t, 3, s.Total)
		require.Equal(t, a, s.Data[0]["id"])
		require.EqualValues(t, 2, s.Data[1]["orders"])
		require.EqualValues(t, 10, s.Data[1]["quantity"])
		f := days(today, today)
		f["sale_channel"] = "3"
		s, err = screen(t, w, reports.ByPackage, f)
		require.NoError(t, err)
		require.EqualValues(t, 1, s.Total)
		require.EqualValues(t, 3*99_99, s.Totals["gross_satang"])
	})

	t.Run("an invalid filter is refused", func(t *testing.T) {
		for _, f := range []map[string]any{
			days(today, today.AddDate(0, 0, -1)), days(today.AddDate(-3, 0, 0), today),
			{"from": "today", "to": "2026-01-01"},
			{},
			{"from": "2026-01-01", "to": "2026-01-01", "step": "year"},
			{"from": "2026-01-01", "to": "2026-01-01", "package_id": "x"},
			{"from": "2026-01-01", "to": "2026-01-01", "sql": "1"},
		} {
			_, err := screen(t, w, reports.Daily, f)
			require.ErrorIs(t, err, fault.BadInput)
		}
		for _, after := range []string{"x", uuid.NewString() + ",", "'"} {
			_, err := screen(t, w, reports.Sold, days(today, today), after)
			require.ErrorIs(t, err, fault.BadInput)
		}
	})
}

var everything = reports.Visible{Sales: true, Uses: true, Customers: true, TopUps: true, Money: true}

func TestDashboard(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 500_00})
	buy(t, w, map[uuid.UUID]int{pkg: 2})
	read := func(sees reports.Visible) reports.Dashboard {
		d, err := reports.New(w.DB).Dashboard(t.Context(), w.Org, 7, sees)
		require.NoError(t, err)
		return d
	}

	d := read(everything)
	require.Len(t, d.Sales.Days, 7)
	require.Len(t, d.Sales.Earlier, 7)
	require.Equal(t, d.To, d.Sales.Days[6].Day)
	require.EqualValues(t, 1000_00, d.Sales.Gross)
	require.EqualValues(t, 1000_00, d.Sales.Days[6].Gross)
	require.EqualValues(t, 1, d.Sales.Orders)
	require.EqualValues(t, 1, d.Customers.Count)
	require.Equal(t, w.SystemBalance(ledger.Unearned), d.Money.Unearned)
	require.Equal(t, []reports.TopPackage{{ID: pkg, NameTH: d.Sales.Packages[0].NameTH, NameEN: d.Sales.Packages[0].NameEN, Quantity: 2, Gross: 1000_00}}, d.Sales.Packages)

	t.Run("a part that the account may not see is missing", func(t *testing.T) {
		d := read(reports.Visible{Uses: true})
		require.NotNil(t, d.Uses)
		require.Nil(t, d.Sales)
		require.Nil(t, d.Customers)
		require.Nil(t, d.Money)
	})

	t.Run("the money shown is the ledger's, also after a day is sealed", func(t *testing.T) {
		w.Clock.Advance(25 * time.Hour)
		w.In(ledger.SealDays)
		buy(t, w, map[uuid.UUID]int{pkg: 1})
		require.Equal(t, w.SystemBalance(ledger.Unearned), read(everything).Money.Unearned)
	})

	t.Run("the days are compared with the sales of the week before", func(t *testing.T) {
		w.Clock.Advance(6 * 24 * time.Hour)
		require.EqualValues(t, 1000_00, read(everything).Sales.Before)
	})
}

// use uses one item of a customer's new voucher, and returns when.
func use(t *testing.T, w *tenanttest.World, pkg uuid.UUID) time.Time {
	t.Helper()
	ann, point := w.Customer(10_000_00), w.ServicePoint()
	v := w.MustBuy(ann, pkg)
	asked, err := w.Voucher.StartUse(t.Context(), ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: point, Items: 1})
	require.NoError(t, err)
	staff := w.Staff()
	w.Scan(staff, asked, point)
	done, err := w.Voucher.Confirm(t.Context(), staff, tenanttest.Key(), voucher.ConfirmInput{Session: asked.ID, ServicePoint: point})
	require.NoError(t, err)
	return done.At
}

func TestHours(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 500_00, Items: 1})
	at := use(t, w, pkg).In(clock.Bangkok)
	use(t, w, pkg)

	d, err := reports.New(w.DB).Dashboard(t.Context(), w.Org, 1, everything)
	require.NoError(t, err)
	require.EqualValues(t, 2, d.Uses.Count)
	weekday := (int(at.Weekday())+6)%7 + 1
	require.Equal(t, weekday, d.Uses.Hours[0].Weekday)
	require.Equal(t, at.Hour(), d.Uses.Hours[0].Hour)

	require.Len(t, d.Sales.Hours, 24)
	require.Len(t, d.Sales.LastWeek, 24)
	begins := at.Truncate(time.Hour)
	for i, hour := range d.Sales.Hours {
		require.True(t, hour.Hour.AddDate(0, 0, -7).Equal(d.Sales.LastWeek[i].Hour))
		require.Zero(t, d.Sales.LastWeek[i].Gross)
		if hour.Hour.Equal(begins) {
			require.EqualValues(t, 2, hour.Orders)
			require.EqualValues(t, 1000_00, hour.Gross)
			continue
		}
		require.Zero(t, hour.Orders)
	}
	d, err = reports.New(w.DB).Dashboard(t.Context(), w.Org, 7, everything)
	require.NoError(t, err)
	require.Empty(t, d.Sales.Hours, "of several days there are days")
}

func TestActivity(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 500_00})
	kinds := func(sees reports.Visible) (kinds []string) {
		events, err := reports.New(w.DB).Activity(t.Context(), w.Org, sees)
		require.NoError(t, err)
		for _, e := range events {
			kinds = append(kinds, e.Kind)
		}
		return kinds
	}
	require.Empty(t, kinds(everything), "nothing has happened in a new organisation")

	use(t, w, pkg)
	seller := w.Agent(w.Customer(0), 1000)
	ann := w.Customer(10_000_00)
	w.Visit(ann, seller, pkg)
	w.MustBuy(ann, pkg)

	events, err := reports.New(w.DB).Activity(t.Context(), w.Org, reports.Visible{Sales: true})
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, "แอน", events[0].Agent, "the newest comes first, with who sold it")
	require.EqualValues(t, 500_00, events[0].Amount)
	require.Empty(t, events[1].Agent)
	require.Equal(t, []string{"use"}, kinds(reports.Visible{Uses: true}))
	require.Len(t, kinds(reports.Visible{Customers: true}), 3)
	require.Len(t, kinds(everything), 5, "no more than are shown")
	require.Empty(t, kinds(reports.Visible{}))
}

func TestFirstRun(t *testing.T) {
	w := tenanttest.New(t)
	read := func(seesPackages bool) reports.FirstRun {
		f, err := reports.New(w.DB).FirstRun(t.Context(), w.Org, seesPackages)
		require.NoError(t, err)
		return f
	}
	require.Equal(t, reports.FirstRun{}, read(true), "an empty shop")

	draft := w.Package(tenanttest.Package{Price: 500_00})
	status := func(n int16) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE package SET status = $2 WHERE id = $1`, draft, n)
			return err
		})
	}
	status(1)
	f := read(true)
	require.NotNil(t, f.Draft)
	require.Equal(t, draft, f.Draft.ID)
	require.True(t, f.Draft.Price)
	require.True(t, f.Draft.Parts)
	require.False(t, f.Draft.Picture)
	require.Nil(t, read(false).Draft, "who may not see packages is not told their names")

	status(5)
	w.ServicePoint()
	w.AddPaymentSystem()
	w.Staff()
	w.Staff()
	require.Equal(t, reports.FirstRun{ServicePoints: 1, OnSale: 1, Payment: true, Accounts: 1}, read(true))
}

// TestSteps: weeks and months end at the edges of the range.
func TestSteps(t *testing.T) {
	w := tenanttest.New(t)
	b := w.Package(tenanttest.Package{Price: 99_99})
	today := clock.Day(w.DB.Now())
	buy(t, w, map[uuid.UUID]int{b: 3})
	w.Clock.Advance(40 * 24 * time.Hour)
	buy(t, w, map[uuid.UUID]int{b: 1})
	f := days(today, today.AddDate(0, 0, 40))
	for _, step := range []string{"week", "month"} {
		f["step"] = step
		s, err := screen(t, w, reports.Daily, f)
		require.NoError(t, err)
		require.Len(t, s.Data, 2)
		require.Equal(t, f["to"], s.Data[0]["until"])
		require.Equal(t, f["from"], s.Data[1]["day"])
		require.EqualValues(t, 4*99_99, s.Totals["gross_satang"])
		if step == "month" {
			require.Equal(t, "01", s.Data[0]["day"].(string)[8:])
		}
	}
	w.In(ledger.SealDays)
	require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
	w.ReportsAgree(t)
}
