package voucher_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// around are hours that begin and end so long from now.
func around(from, to time.Duration) catalog.Conditions {
	now := time.Now().In(clock.Bangkok)
	begins, ends := now.Add(from).Format("15:04"), now.Add(to).Format("15:04")
	return catalog.Conditions{UseFrom: &begins, UseTo: &ends}
}

// notToday are all weekdays but that of now in Bangkok.
func notToday() (c catalog.Conditions) {
	today := int16((int(time.Now().In(clock.Bangkok).Weekday())+6)%7 + 1)
	for day := int16(1); day <= 7; day++ {
		if day != today {
			c.Weekdays = append(c.Weekdays, day)
		}
	}
	return c
}

func (v useView) today() time.Time { return clock.Day(v.Clock.Now()) }

func TestConditions(t *testing.T) {
	t.Run("it cannot be asked for outside of its days and hours", func(t *testing.T) {
		for _, c := range []struct {
			of    catalog.Conditions
			why   error
			after int // days, to the next that works
		}{
			{notToday(), catalog.ErrNotToday, 1},
			{catalog.Conditions{BlackoutDays: []string{clock.Day(time.Now()).Format(time.DateOnly), clock.Day(time.Now()).AddDate(0, 0, 1).Format(time.DateOnly)}}, catalog.ErrNotToday, 2},
			{around(time.Hour, 2*time.Hour), catalog.ErrNotAtThisHour, -1},
		} {
			d := newUseView(t, tenanttest.Package{Price: 1000_00, Usable: c.of})

			_, err := d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))

			require.ErrorIs(t, err, c.why)
			next := fault.From(err).Detail.(catalog.NextUse)
			require.NotEmpty(t, next.Day)
			if c.after >= 0 {
				require.Equal(t, d.today().AddDate(0, 0, c.after).Format(time.DateOnly), next.Day)
			}
			require.Zero(t, d.Count(`SELECT count(*) FROM use_session`))
			require.EqualValues(t, 1, d.Count(`SELECT count(*) FROM voucher WHERE state = 'ready'`))
			d.MustBalance()
		}
	})

	t.Run("holder and staff read the same sentence", func(t *testing.T) {
		of := around(-time.Hour, time.Hour)
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Usable: of})

		detail, err := d.Voucher.Detail(t.Context(), d.ann, d.voucher)
		require.NoError(t, err)
		scan, err := d.Voucher.Verify(t.Context(), d.staff, d.scan(d.ask(t, 1)))
		require.NoError(t, err)

		require.Equal(t, of.Sentences(), detail.Sentences)
		require.Equal(t, of.Sentences(), scan.Sentences)
	})

	t.Run("what was asked for in its hours is confirmed after them", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Usable: around(-time.Hour, 3*time.Minute)})
		use := d.ask(t, 1)
		d.Clock.Advance(5 * time.Minute)

		_, err := d.confirm(t, use)

		require.NoError(t, err)
		d.MustBalance()
	})

	t.Run("a closed service point refuses, says why and when it is open again", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		elsewhere := d.ServicePoint()
		d.Close(d.servicePoint, d.today().AddDate(0, 0, -3), d.today().AddDate(0, 0, 4))

		_, err := d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))

		require.ErrorIs(t, err, catalog.ErrClosedDay)
		require.Equal(t, catalog.NextUse{Day: d.today().AddDate(0, 0, 5).Format(time.DateOnly), ReasonTH: "ปิดปรับปรุง", ReasonEN: "Renovation"}, fault.From(err).Detail)
		in := d.input(1)
		in.ServicePoint = elsewhere
		_, err = d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), in)
		require.NoError(t, err, "the other one is open")
	})

	t.Run("a closure that is over, of another day, or taken back refuses nothing", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
		d.Close(d.servicePoint, d.today().AddDate(0, 0, -3), d.today().AddDate(0, 0, -1))
		d.Close(d.servicePoint, d.today().AddDate(0, 0, 1), d.today().AddDate(0, 0, 1))
		d.Force(`UPDATE closure SET status = 9 WHERE id = $1`, d.Close(d.servicePoint, d.today(), d.today()))

		_, err := d.confirm(t, d.ask(t, 1))

		require.NoError(t, err)
	})

	t.Run("what closes between asking and confirming refuses the scan and the confirmation", func(t *testing.T) {
		for name, sql := range map[string]string{
			"the service point": `INSERT INTO closure (id, service_point_id, first_day, last_day, reason_th, reason_en, status, created_at, updated_at) VALUES (gen_random_uuid(), $1, $2, $2, 'น้ำท่วม', 'Flood', 5, now(), now())`,
			"the organisation":  `INSERT INTO closed_day (id, day, name_th, name_en, status, created_at, updated_at) SELECT gen_random_uuid(), $2, 'น้ำท่วม', 'Flood', 5, now(), now() WHERE $1::uuid IS NOT NULL`,
		} {
			t.Run(name, func(t *testing.T) {
				d := newUseView(t, tenanttest.Package{Price: 1000_00})
				use := d.ask(t, 1)
				d.Scan(d.staff, use, d.servicePoint)
				d.Force(sql, d.servicePoint, d.today())

				_, scanErr := d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
				_, err := d.Voucher.Confirm(t.Context(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})

				for _, refused := range []error{scanErr, err} {
					require.ErrorIs(t, refused, catalog.ErrClosedDay)
					require.Equal(t, catalog.NextUse{Day: d.today().AddDate(0, 0, 1).Format(time.DateOnly), ReasonTH: "น้ำท่วม", ReasonEN: "Flood"}, fault.From(refused).Detail)
				}
				require.Zero(t, d.Count(`SELECT count(*) FROM redemption`))
				_, err = d.Voucher.CancelUse(t.Context(), d.ann, use.ID)
				require.NoError(t, err, "the customer gets out of it")
				d.MustBalance()
			})
		}
	})

	t.Run("closures saved while many confirm leave each use confirmed or refused, never half of it", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		uses := []voucher.UseSession{d.ask(t, 1)}
		for range 19 {
			d.voucher = d.MustBuy(d.ann, d.pkg).ID
			uses = append(uses, d.ask(t, 1))
		}
		for _, use := range uses {
			d.Scan(d.staff, use, d.servicePoint)
		}
		results := make([]error, len(uses))
		var wg sync.WaitGroup
		for i, use := range uses {
			wg.Go(func() {
				_, results[i] = d.Voucher.Confirm(context.Background(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
			})
			if i == len(uses)/2 {
				wg.Go(func() { d.Close(d.servicePoint, d.today(), d.today()) })
			}
		}
		wg.Wait()

		confirmed := int64(len(slices.DeleteFunc(slices.Clone(results), func(err error) bool { return err != nil })))
		for _, err := range results {
			if err != nil {
				require.ErrorIs(t, err, catalog.ErrClosedDay)
			}
		}
		require.Equal(t, confirmed, d.Count(`SELECT count(*) FROM redemption`))
		require.Equal(t, confirmed, d.Count(`SELECT count(*) FROM voucher WHERE state = 'used'`))
		_, err := d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))
		require.Error(t, err)
		d.MustBalance()
	})

	t.Run("a voucher keeps the conditions that it was sold under", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Transfers: 1})
		d.restrict(t)

		_, err := d.confirm(t, d.ask(t, 1))
		require.NoError(t, err)

		d.voucher = d.MustBuy(d.ann, d.pkg).ID
		_, err = d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))
		require.ErrorIs(t, err, catalog.ErrNotToday)
		d.MustBalance()
	})

	t.Run("a quote of before a change of the conditions is refused", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Transfers: 1})
		quoted := d.Quote(d.ann, d.pkg, 1)
		d.restrict(t)

		_, err := d.Order.Buy(t.Context(), d.ann, tenanttest.Key(), quoted)

		require.Error(t, err)
		require.Equal(t, "order.quote_changed", fault.From(err).Code)
	})
}

// restrict has what is sold from now on not be usable today.
func (v useView) restrict(t *testing.T) {
	t.Helper()
	owner := v.Owner()
	v.In(func(ctx context.Context, tx db.Tx) error {
		var template uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT template_id FROM voucher WHERE id = $1`, v.voucher).Scan(&template); err != nil {
			return err
		}
		row, err := catalog.VoucherTypes.Detail(ctx, tx, template)
		if err != nil {
			return err
		}
		row.Conditions = notToday()
		_, err = catalog.VoucherTypes.Save(ctx, tx, auditlog.Actor{Kind: token.Owner, ID: owner.Subject}, row)
		return err
	})
}
