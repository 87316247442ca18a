package rate_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/tenanttest"
)

func TestOf(t *testing.T) {
	require.Equal(t, money.Amount(10_13), rate.Base(1250, 0).Of(81_01, 3), "half up, once for the line")
	require.Equal(t, money.Amount(297_00), rate.Rate{Kind: rate.Baht, Value: 99_00}.Of(81_01, 3))
	require.Zero(t, rate.Rate{}.Of(81_01, 3))
}

// office sells by agents of one type: two packages, of which the second has both tags.
type office struct {
	*tenanttest.World
	t           *testing.T
	agent       uuid.UUID
	agentType   uuid.UUID
	plain       uuid.UUID
	tagged      uuid.UUID
	spa, gifts  uuid.UUID
	buyer       token.Session
	today, next string
}

func openOffice(t *testing.T) *office {
	t.Helper()
	w := tenanttest.New(t)
	o := &office{World: w, t: t, agent: w.Agent(w.Customer(0), 1000), plain: w.Package(tenanttest.Package{Price: 500_00}), tagged: w.Package(tenanttest.Package{Price: 1_000_00})}
	o.buyer = w.Customer(1_000_000_00)
	o.spa, o.gifts = o.tag(o.tagged), o.tag(o.tagged)
	w.Visit(o.buyer, o.agent, o.plain)
	w.In(func(ctx context.Context, tx db.Tx) error {
		o.today, o.next = day(tx.Now, 0), day(tx.Now, 1)
		return tx.QueryRow(ctx, `SELECT agent_type_id FROM agent WHERE id = $1`, o.agent).Scan(&o.agentType)
	})
	return o
}

func day(now time.Time, later int) string {
	return clock.Day(now).AddDate(0, 0, later).Format(time.DateOnly)
}

func (o *office) tag(pkg uuid.UUID) uuid.UUID {
	id := db.NewID()
	o.In(func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO tag (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, 'แท็ก', 'Tag', 5, now(), now())`, id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO package_tag (package_id, tag_id) VALUES ($1, $2)`, pkg, id)
		return err
	})
	return id
}

func (o *office) save(row rate.Row) (saved rate.Row, err error) {
	row.Type = o.agentType
	err = o.DB.InOrg(o.t.Context(), o.Org, func(tx db.Tx) error {
		saved, err = rate.SpecialRates.Save(o.t.Context(), tx, auditlog.Actor{}, row)
		return err
	})
	return saved, err
}

func (o *office) mustSave(row rate.Row) rate.Row {
	o.t.Helper()
	saved, err := o.save(row)
	require.NoError(o.t, err)
	return saved
}

func percent(value int64, first string, last *string) rate.Row {
	return rate.Row{Kind: rate.Percent, Value: value, FirstDay: first, LastDay: last}
}

// earned sells a piece and returns its commission, and by which rate it was counted.
func (o *office) earned(pkg uuid.UUID, pieces int) (commission money.Amount, by string) {
	o.t.Helper()
	made, err := o.Order.Buy(o.t.Context(), o.buyer, tenanttest.Key(), o.Quote(o.buyer, pkg, pieces))
	require.NoError(o.t, err)
	return o.sold(made)
}

func (o *office) sold(made order.Order) (commission money.Amount, by string) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT o.commission_satang, l.rate_kind || ' ' || l.rate_value || CASE WHEN l.rate_id IS NULL THEN '' ELSE ' special' END
			FROM orders o JOIN order_line l ON l.order_id = o.id WHERE o.id = $1`, made.ID).Scan(&commission, &by)
	})
	return commission, by
}

func (o *office) requireEarned(pkg uuid.UUID, commission money.Amount, by string) {
	o.t.Helper()
	got, how := o.earned(pkg, 1)
	require.Equal(o.t, commission, got)
	require.Equal(o.t, by, how)
}

// TestWhichRate: a package's rate is before a tag's, a tag's before that of everything, and that before the type's own.
func TestWhichRate(t *testing.T) {
	o := openOffice(t)
	o.requireEarned(o.tagged, 100_00, "percent 1000")

	o.mustSave(percent(1500, o.today, nil))
	o.requireEarned(o.tagged, 150_00, "percent 1500 special")
	o.requireEarned(o.plain, 75_00, "percent 1500 special")

	spa := percent(2000, o.today, nil)
	spa.Tag = &o.spa
	o.mustSave(spa)
	o.requireEarned(o.tagged, 200_00, "percent 2000 special")
	gifts := percent(500, o.today, nil)
	gifts.Tag = &o.gifts
	o.mustSave(gifts)
	o.requireEarned(o.tagged, 50_00, "percent 500 special") // both began today: the greater id
	o.requireEarned(o.plain, 75_00, "percent 1500 special")

	own := rate.Row{Package: &o.tagged, Kind: rate.Baht, Value: 99_00, FirstDay: o.today}
	o.mustSave(own)
	o.requireEarned(o.tagged, 99_00, "baht 9900 special")
	three, _ := o.earned(o.tagged, 3)
	require.Equal(t, money.Amount(297_00), three)

	o.Clock.Advance(24 * time.Hour)
	o.requireEarned(o.tagged, 99_00, "baht 9900 special")
}

// TestRateInBahtIsBounded: an agent never earns more than the platform's fee leaves.
func TestRateInBahtIsBounded(t *testing.T) {
	o := openOffice(t)
	o.mustSave(rate.Row{Package: &o.plain, Kind: rate.Baht, Value: 600_00, FirstDay: o.today})
	commission, _ := o.earned(o.plain, 1)
	o.In(func(ctx context.Context, tx db.Tx) error {
		var fee money.Amount
		require.NoError(t, tx.QueryRow(ctx, `SELECT platform_fee_satang FROM orders`).Scan(&fee))
		require.Equal(t, 500_00-fee, commission)
		return nil
	})
}

// TestLaterSales: a change holds for orders made later only, also for one that waited for its money meanwhile.
func TestLaterSales(t *testing.T) {
	o := openOffice(t)
	o.AddPaymentSystem()
	waiting, err := o.Order.Pay(t.Context(), o.buyer, tenanttest.Key(), "", order.PayInput{BuyInput: o.Quote(o.buyer, o.plain, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	o.mustSave(rate.Row{Package: &o.plain, Kind: rate.Percent, Value: 4000, FirstDay: o.today})
	o.PayAtGateway(waiting.ID)
	commission, by := o.sold(waiting)
	require.Equal(t, money.Amount(50_00), commission)
	require.Equal(t, "percent 1000", by)
	o.requireEarned(o.plain, 200_00, "percent 4000 special")
	o.In(func(ctx context.Context, tx db.Tx) error {
		record, err := order.Orders.Detail(ctx, tx, waiting.ID)
		require.NoError(t, err)
		require.Equal(t, "percent 1000", fmt.Sprint(record.Lines[0].RateKind, " ", record.Lines[0].RateValue), "the office reads by which rate")
		return nil
	})
	findings, err := order.Audit(t.Context(), o.DB, o.Org)
	require.NoError(t, err)
	require.Empty(t, findings)
}

// TestDays: a rate holds from its first day in Bangkok until the end of its last.
func TestDays(t *testing.T) {
	o := openOffice(t)
	row := percent(3000, o.next, &o.next)
	row.Package = &o.plain
	o.mustSave(row)
	o.requireEarned(o.plain, 50_00, "percent 1000")
	o.Clock.Advance(24 * time.Hour)
	o.requireEarned(o.plain, 150_00, "percent 3000 special")
	o.Clock.Advance(24 * time.Hour)
	o.requireEarned(o.plain, 50_00, "percent 1000")
}

// TestTry: the calculator says what the sale then is, of a rate that is not saved and of one in its place.
func TestTry(t *testing.T) {
	o := openOffice(t)
	calculator := discount.New(o.DB)
	row := percent(2345, o.next, nil)
	row.Type, row.Tag = o.agentType, &o.spa
	base := int64(1200)
	in := discount.TryInput{Rate: &row, AgentType: &o.agentType, Lines: []discount.TryLine{{Package: o.tagged, Quantity: 3}, {Package: o.plain, Quantity: 1}}, First: true, Channel: 3, Day: &o.next}
	got, err := calculator.Try(t.Context(), o.Org, 300, in)
	require.NoError(t, err)
	require.Equal(t, []money.Amount{3_500_00, 105_00, 753_50, 2_641_50}, []money.Amount{got.Total, got.Fee, got.Commission, got.Share})
	require.Equal(t, []money.Amount{703_50, 50_00}, []money.Amount{got.Lines[0].Commission, got.Lines[1].Commission})
	require.Nil(t, got.Lines[1].SpecialRate)
	require.Zero(t, o.Count(`SELECT count(*) FROM commission_rate`))

	in.Day, in.BaseRate = nil, &base
	got, err = calculator.Try(t.Context(), o.Org, 300, in)
	require.NoError(t, err)
	require.Equal(t, []money.Amount{360_00, 60_00}, []money.Amount{got.Lines[0].Commission, got.Lines[1].Commission}, "today it has not begun")

	row = o.mustSave(row)
	row.LastDay, in.Day, in.BaseRate = &o.next, &o.next, nil
	in.Rate = &row
	got, err = calculator.Try(t.Context(), o.Org, 300, in)
	require.NoError(t, err)
	require.Equal(t, money.Amount(753_50), got.Commission)
	o.Clock.Advance(24 * time.Hour)
	sold, _ := o.earned(o.tagged, 3)
	require.Equal(t, got.Lines[0].Commission, sold)

	nowhere := uuid.New()
	elsewhere := row
	elsewhere.Tag, elsewhere.Package = nil, &nowhere
	in.Rate = &elsewhere
	_, err = calculator.Try(t.Context(), o.Org, 300, in)
	require.Equal(t, "rate.package_id", fault.From(err).Fields[0].Path)

	in.Rate = &row
	row.Value = rate.MaxPercent + 1
	_, err = calculator.Try(t.Context(), o.Org, 300, in)
	require.ErrorIs(t, err, fault.BadInput)
}

func TestSpecialRates(t *testing.T) {
	o := openOffice(t)
	of := func(first string, last *string) rate.Row {
		row := percent(1500, first, last)
		row.Package = &o.plain
		return row
	}
	refused := func(want string, row rate.Row) {
		t.Helper()
		_, err := o.save(row)
		require.Error(t, err)
		f := fault.From(err)
		if len(f.Fields) > 0 {
			require.Equal(t, want, f.Fields[0].Path+" "+f.Fields[0].Fault)
			return
		}
		require.Equal(t, want, f.Code)
	}
	yesterday := "2020-01-01"
	refused("first_day field.past", of(yesterday, nil))
	refused("last_day field.too_small", of(o.next, &o.today))
	both := of(o.today, nil)
	both.Tag = &o.spa
	refused("tag_id field.not_in_list", both)
	high := of(o.today, nil)
	high.Value = rate.MaxPercent + 1
	refused("value field.rate_max", high)

	first := o.mustSave(of(o.today, &o.today))
	refused("rate.overlap", of(o.today, nil))
	second := o.mustSave(of(o.next, nil))
	longer := first
	longer.LastDay = &o.next
	refused("rate.overlap", longer)
	o.mustSave(percent(700, o.today, nil)) // of everything: another target

	changed := first
	changed.Value = 1600
	refused("value field.fixed", changed)
	changed = first
	changed.Package = &o.tagged
	refused("package_id field.fixed", changed)

	withdraw := func(id uuid.UUID) error {
		return o.DB.InOrg(t.Context(), o.Org, func(tx db.Tx) error {
			return rate.SpecialRates.SetStatus(t.Context(), tx, auditlog.Actor{}, []uuid.UUID{id}, resource.Deleted)
		})
	}
	require.ErrorIs(t, withdraw(first.ID), rate.ErrBegun)
	require.NoError(t, withdraw(second.ID))
	o.mustSave(of(o.next, nil)) // its days are free again

	o.Clock.Advance(24 * time.Hour)
	first.LastDay = nil
	refused("rate.over", first)
}

// TestTwoOverlappingAtOnce: of two rates of one package that are saved at the same moment, one is refused.
func TestTwoOverlappingAtOnce(t *testing.T) {
	o := openOffice(t)
	row := percent(1500, o.today, nil)
	row.Package = &o.plain
	var wait sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wait.Go(func() { _, errs[i] = o.save(row) })
	}
	wait.Wait()
	saved := 0
	for _, err := range errs {
		if err == nil {
			saved++
			continue
		}
		require.ErrorIs(t, err, rate.ErrOverlap)
	}
	require.Equal(t, 1, saved)
}
