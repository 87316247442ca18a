package voucher_test

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

func TestUse(t *testing.T) {
	t.Run("a confirmed use takes its items, and the seller earns their share", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 3})

		use := d.ask(t, 1)
		scan, err := d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
		require.NoError(t, err)
		require.EqualValues(t, 2, scan.ItemsLeftAfter)
		done, err := d.confirm(t, use)

		require.NoError(t, err)
		require.EqualValues(t, 2, done.ItemsLeft)
		require.Equal(t, money.Amount(323_33), d.SystemBalance(ledger.Payable))
		require.Equal(t, money.Amount(646_67), d.SystemBalance(ledger.Unearned))
		d.MustBalance()
	})

	t.Run("a voucher without items left is used, and refused in the specification's words", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		_, err := d.confirm(t, d.ask(t, 1))
		require.NoError(t, err)

		_, err = d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))

		require.ErrorIs(t, err, voucher.ErrAlreadyUsed)
		require.Equal(t, "You have already used this voucher.", fault.From(err).Message)
		d.MustBalance()
	})

	t.Run("a gift voucher is used in part, to the satang", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 900_00, GiftValue: 1000_00})
		for _, satang := range []int64{333_33, 666_66, 1} {
			_, err := d.confirm(t, d.ask(t, satang))
			require.NoError(t, err)
		}

		require.Zero(t, d.SystemBalance(ledger.Unearned))
		require.Equal(t, money.Amount(873_00), d.SystemBalance(ledger.Payable))
		d.MustBalance()
	})

	t.Run("the holder reads when it was used, not when the code was opened", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use := d.ask(t, 1)
		require.Nil(t, use.UsedAt)
		d.Clock.Advance(6 * time.Minute)
		done, err := d.confirm(t, use)
		require.NoError(t, err)

		read, err := d.Voucher.Use(t.Context(), d.ann, use.ID)

		require.NoError(t, err)
		require.NotNil(t, read.UsedAt)
		require.True(t, read.UsedAt.Equal(done.At))
		require.GreaterOrEqual(t, read.UsedAt.Sub(read.OpenedAt), 6*time.Minute)
	})

	t.Run("a second scan learns which voucher it is, and who was first", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use := d.ask(t, 1)
		_, err := d.confirm(t, use)
		require.NoError(t, err)

		_, err = d.Voucher.Verify(t.Context(), d.staff, d.scan(use))

		require.ErrorIs(t, err, voucher.ErrAlreadyUsed)
		earlier := fault.From(err).Detail.(voucher.PreviousUse)
		require.Equal(t, "ต้อม", earlier.Staff)
		require.Equal(t, "สาขาทองหล่อ", earlier.ServicePointTH)
		require.Equal(t, "นวดอโรมา 90 นาที", earlier.NameTH)
		require.NotEmpty(t, earlier.Code)
	})

	t.Run("fifty confirmations at once use a voucher once", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use := d.ask(t, 1)
		d.Scan(d.staff, use, d.servicePoint)

		results := make([]error, 50)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() {
				_, results[i] = d.Voucher.Confirm(context.Background(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
			})
		}
		wg.Wait()

		used := 0
		for _, err := range results {
			if err == nil {
				used++
			} else {
				require.ErrorIs(t, err, voucher.ErrAlreadyUsed)
			}
		}
		require.Equal(t, 1, used)
		d.MustBalance()
	})

	t.Run("confirming again with the same key answers the same and uses nothing", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
		use := d.ask(t, 1)
		d.Scan(d.staff, use, d.servicePoint)
		in, key := voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint}, tenanttest.Key()
		first, err := d.Voucher.Confirm(t.Context(), d.staff, key, in)
		require.NoError(t, err)

		again, err := d.Voucher.Confirm(t.Context(), d.staff, key, in)

		require.NoError(t, err)
		require.Equal(t, first, again)
	})

	t.Run("a screenshot a minute old is refused", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		shot := d.scan(d.ask(t, 1))
		d.Clock.Advance(61 * time.Second)

		_, err := d.Voucher.Verify(t.Context(), d.staff, shot)

		require.ErrorIs(t, err, voucher.ErrStale)
	})

	t.Run("a forged code is unknown", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use := d.ask(t, 1)
		for _, code := range []string{
			voucher.QR(d.Org, use.ID, []byte("guessed"), d.Clock.Now()), voucher.QR(d.Org, uuid.New(), []byte("guessed"), d.Clock.Now()),
			"ABCD2345", "V1", "ทดสอบ", "'; DROP TABLE voucher; --", "a\x00b", "\xff", "https://example.com/" + strings.Repeat("a", 4000),
		} {
			_, err := d.Voucher.Verify(t.Context(), d.staff, voucher.ScanInput{Code: code, ServicePoint: d.servicePoint})
			require.ErrorIs(t, err, voucher.ErrCodeUnknown, code)
		}
	})

	t.Run("another organisation's QR is refused as such", func(t *testing.T) {
		d, other := newUseView(t, tenanttest.Package{Price: 1000_00}), newUseView(t, tenanttest.Package{Price: 1000_00})

		_, err := d.Voucher.Verify(t.Context(), d.staff, voucher.ScanInput{Code: other.scan(other.ask(t, 1)).Code, ServicePoint: d.servicePoint})

		require.ErrorIs(t, err, voucher.ErrOtherOrg)
	})

	t.Run("a scan and a confirmation at another service point are refused", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use, elsewhere := d.ask(t, 1), d.ServicePoint()

		_, err := d.Voucher.Verify(t.Context(), d.staff, voucher.ScanInput{Code: d.scan(use).Code, ServicePoint: elsewhere})
		require.ErrorIs(t, err, voucher.ErrOtherServicePoint)
		_, err = d.Voucher.Confirm(t.Context(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: elsewhere})
		require.ErrorIs(t, err, voucher.ErrOtherServicePoint)
	})

	t.Run("a service point that does not honour the voucher cannot be chosen", func(t *testing.T) {
		w := tenanttest.New(t)
		here, there := w.ServicePoint(), w.ServicePoint()
		ann := w.Customer(1000_00)
		v := w.MustBuy(ann, w.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{here}}))

		_, err := w.Voucher.StartUse(t.Context(), ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: there, Items: 1})

		require.ErrorIs(t, err, voucher.ErrOtherServicePoint)
		w.MustBalance()
	})

	t.Run("a use session ends after ten minutes, and a late confirmation is refused", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use := d.ask(t, 1)
		due := func() (some bool) {
			d.In(func(ctx context.Context, tx db.Tx) (err error) {
				some, err = voucher.AnyDue(ctx, tx)
				return err
			})
			return some
		}
		require.False(t, due())
		d.Clock.Advance(voucher.UseLifetime)

		_, err := d.confirm(t, use)
		require.ErrorIs(t, err, voucher.ErrSessionOver)
		require.True(t, due())
		require.NoError(t, d.Voucher.EndDue(t.Context(), d.Org))
		require.False(t, due())
		require.NoError(t, d.Voucher.EndDue(t.Context(), d.Org))

		list, err := d.Voucher.List(t.Context(), d.ann, voucher.ListInput{State: "ready"})
		require.NoError(t, err)
		require.Equal(t, voucher.Ready, list.Data[0].State)
		d.MustBalance()
	})

	t.Run("a new use begins after ten minutes, also without the worker", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		d.ask(t, 1)
		d.Clock.Advance(voucher.UseLifetime)

		_, err := d.confirm(t, d.ask(t, 1))

		require.NoError(t, err)
	})

	t.Run("a use session is cancelled or confirmed, never both", func(t *testing.T) {
		for range 10 {
			d := newUseView(t, tenanttest.Package{Price: 1000_00})
			use := d.ask(t, 1)
			var confirmed, cancelled error
			var wg sync.WaitGroup
			wg.Go(func() { _, confirmed = d.confirm(t, use) })
			wg.Go(func() { _, cancelled = d.Voucher.CancelUse(context.Background(), d.ann, use.ID) })
			wg.Wait()

			require.NoError(t, cancelled)
			after, err := d.Voucher.Use(t.Context(), d.ann, use.ID)
			require.NoError(t, err)
			require.Equal(t, confirmed == nil, after.State == "used")
			d.MustBalance()
		}
	})

	t.Run("an expired voucher, another customer's and too many items are refused", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
		_, err := d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(3))
		require.ErrorIs(t, err, voucher.ErrTooFew)
		_, err = d.Voucher.StartUse(t.Context(), d.Customer(0), tenanttest.Key(), d.input(1))
		require.ErrorIs(t, err, voucher.ErrNotFound)

		use := d.ask(t, 1)
		d.EndVouchers(d.Clock.Now().AddDate(0, 0, -2))
		_, err = d.confirm(t, use)
		require.ErrorIs(t, err, voucher.ErrExpired)
		d.MustBalance()
	})
}

// TestSQLFollowsTheTable tries every state with everything that SQL does to a voucher: what the table does not name changes
// nothing.
func TestSQLFollowsTheTable(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
	var last voucher.UseSession
	// reach puts a new voucher into a state, with an open use where its event needs one.
	reach := func(from voucher.State, withUse bool) {
		d.voucher = d.MustBuy(d.Customer(1000_00), d.pkg).ID
		d.Force(`UPDATE voucher SET holder_id = $2 WHERE id = $1`, d.voucher, d.ann.Subject)
		if withUse {
			last = d.ask(t, 1)
		}
		d.In(func(ctx context.Context, tx db.Tx) error {
			gift := db.NewID()
			_, err := tx.Exec(ctx, `INSERT INTO gift (id, giver_id, state, card, to_name, words, link_hash, digits, days, created_at, begins_at, expires_at)
				VALUES ($1, $2, 'open', 'because', '', '', $3, '', 7, $4, $4, $5)`, gift, d.ann.Subject, gift[:], tx.Now, tx.Now.AddDate(1, 0, 0))
			if err != nil {
				return err
			}
			offer := db.NewID()
			_, err = tx.Exec(ctx, `INSERT INTO offer (id, seller_id, state, price_satang, royalty_satang, fee_satang, created_at, expires_at) VALUES ($1, $2, 'open', 100, 0, 0, $3, $4)`,
				offer, d.ann.Subject, tx.Now, tx.Now.AddDate(1, 0, 0))
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE voucher SET state = $2, items_left = CASE $2 WHEN 'used' THEN 0 ELSE items_left END, gift_id = CASE $2 WHEN 'in_transfer' THEN $3::uuid END,
				offer_id = CASE $2 WHEN 'on_sale' THEN $4::uuid END WHERE id = $1`, d.voucher, from, gift, offer)
			return err
		})
	}
	now := func() (s voucher.State) {
		d.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT state FROM voucher WHERE id = $1`, d.voucher).Scan(&s)
		})
		return s
	}
	for _, event := range []struct {
		name    voucher.Event
		withUse bool
		do      func(from voucher.State)
	}{
		{voucher.StartUse, false, func(from voucher.State) {
			_, err := d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))
			require.ErrorIs(t, err, tenanttest.StateFaults[from], from)
		}},
		{voucher.CancelUse, true, func(voucher.State) { _, _ = d.Voucher.CancelUse(t.Context(), d.ann, last.ID) }},
		{voucher.UseSome, true, func(voucher.State) { _, _ = d.confirm(t, last) }},
		{voucher.UseLast, true, func(voucher.State) {
			d.In(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.Exec(ctx, `UPDATE voucher SET items_left = 1 WHERE id = $1 AND items_left > 1`, d.voucher)
				return err
			})
			_, _ = d.confirm(t, last)
		}},
		{voucher.Expire, false, func(voucher.State) {
			d.Force(`UPDATE voucher SET valid_until = $2, issued_until = $2 WHERE id = $1`, d.voucher, d.Clock.Now().AddDate(0, 0, -2))
			d.In(d.Voucher.ExpireVouchers)
		}},
	} {
		for _, from := range tenanttest.States {
			reach(from, event.withUse)
			event.do(from)
			want, ok := voucher.Next(from, event.name)
			if !ok {
				want = from
			}
			require.Equal(t, want, now(), "%s: %s", from, event.name)
		}
	}
}

// TestUsesOn: a day of Bangkok has the uses of that day, whenever staff look.
func TestUsesOn(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 5})
	first := clock.Day(d.DB.Now())
	on := func(day time.Time) (ids []uuid.UUID) {
		list, next, err := d.Voucher.UsesOn(t.Context(), d.staff, d.servicePoint, day, nil)
		require.NoError(t, err)
		require.Nil(t, next)
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		return ids
	}
	use := func() uuid.UUID {
		done, err := d.confirm(t, d.ask(t, 1))
		require.NoError(t, err)
		return done.ID
	}
	a, b := use(), use()
	d.Clock.Advance(24 * time.Hour)
	c := use()
	require.Equal(t, []uuid.UUID{b, a}, on(first))
	require.Equal(t, []uuid.UUID{c}, on(time.Time{}))
	require.Equal(t, []uuid.UUID{c}, on(first.AddDate(0, 0, 1)))
	require.Empty(t, on(first.AddDate(0, 0, -1)))
	older, _, err := d.Voucher.UsesOn(t.Context(), d.staff, d.servicePoint, first, &b)
	require.NoError(t, err)
	require.Len(t, older, 1)
	require.Equal(t, a, older[0].ID)
}

func TestUseRights(t *testing.T) {
	t.Run("a service point that has closed meanwhile confirms no use", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use := d.ask(t, 1)
		d.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE service_point SET status = 2`)
			return err
		})

		_, err := d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
		require.ErrorIs(t, err, voucher.ErrServicePointClosed)
		_, err = d.confirm(t, use)
		require.ErrorIs(t, err, voucher.ErrServicePointClosed)
		require.Zero(t, d.SystemBalance(ledger.Payable))
	})

	t.Run("a service point with named staff is open to them and to owners only", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use, hers, keeper := d.ask(t, 1), d.Staff(), d.Staff()
		elsewhere := d.ServicePoint()
		d.In(func(ctx context.Context, tx db.Tx) error {
			if _, err := tx.Exec(ctx, `INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, d.servicePoint, hers.Subject); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `UPDATE staff SET role = 'adminowner' WHERE id = $1`, keeper.Subject)
			return err
		})
		points := func(who token.Session) (ids []uuid.UUID) {
			found, err := d.Voucher.ListServicePoints(t.Context(), who)
			require.NoError(t, err)
			for _, p := range found {
				ids = append(ids, p.ID)
			}
			return ids
		}

		_, err := d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
		require.ErrorIs(t, err, servicepoint.ErrNotStaff)
		_, err = d.confirm(t, use)
		require.ErrorIs(t, err, servicepoint.ErrNotStaff)
		_, _, err = d.Voucher.UsesOn(t.Context(), d.staff, d.servicePoint, time.Time{}, nil)
		require.ErrorIs(t, err, servicepoint.ErrNotStaff)
		require.Equal(t, []uuid.UUID{elsewhere}, points(d.staff))
		for _, who := range []token.Session{hers, keeper} {
			_, err = d.Voucher.Verify(t.Context(), who, d.scan(use))
			require.NoError(t, err)
			require.Equal(t, []uuid.UUID{d.servicePoint, elsewhere}, points(who))
		}

		require.Zero(t, d.SystemBalance(ledger.Payable), "staff who do not work there have used nothing")
		_, err = d.Voucher.Confirm(t.Context(), hers, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
		require.NoError(t, err)
		_, err = d.confirm(t, use)
		require.ErrorIs(t, err, servicepoint.ErrNotStaff, "and without the previous use")
		_, err = d.Voucher.Confirm(t.Context(), keeper, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
		require.ErrorIs(t, err, voucher.ErrAlreadyUsed)
		d.MustBalance()
	})

	t.Run("an unknown service point has no staff, and an unknown use session is refused", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		use, nowhere := d.ask(t, 1), db.NewID()

		_, err := d.Voucher.Verify(t.Context(), d.staff, voucher.ScanInput{Code: d.scan(use).Code, ServicePoint: nowhere})
		require.ErrorIs(t, err, servicepoint.ErrNotStaff)
		_, err = d.Voucher.Confirm(t.Context(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: nowhere})
		require.ErrorIs(t, err, servicepoint.ErrNotStaff)
		_, err = d.Voucher.Confirm(t.Context(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: nowhere, ServicePoint: d.servicePoint})
		require.ErrorIs(t, err, voucher.ErrCodeUnknown)
		require.Zero(t, d.SystemBalance(ledger.Payable))

		_, err = d.confirm(t, use)
		require.NoError(t, err, "the refusals have left the use session as it was")
		d.MustBalance()
	})

	t.Run("a suspended customer cannot start a use", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		d.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4`)
			return err
		})

		_, err := d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))
		require.ErrorIs(t, err, customer.ErrSuspended)
	})
}

// TestExpiryBesideConfirm lets both meet on the same vouchers: none waits for the other's lock, and each voucher ends once.
func TestExpiryBesideConfirm(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
	uses := make([]voucher.UseSession, 10)
	for i := range uses {
		d.voucher = d.MustBuy(d.ann, d.pkg).ID
		uses[i] = d.ask(t, 1)
	}
	d.EndVouchers(clock.Day(d.Clock.Now()))
	late := d.later(24 * time.Hour)
	worker, err := db.Open(t.Context(), map[string]string{db.MainNode: d.AppURL}, 4, late)
	require.NoError(t, err)
	t.Cleanup(worker.Close)

	expired, confirmed := make([]error, 2), make([]error, len(uses))
	var wg sync.WaitGroup
	lateService := voucher.New(worker, refund.Settle)
	for i, job := range []func(context.Context, uuid.UUID) error{lateService.ExpireAllVouchers, lateService.EndDue} {
		wg.Go(func() { expired[i] = job(context.Background(), d.Org) })
	}
	for i, use := range uses {
		wg.Go(func() { _, confirmed[i] = d.confirm(t, use) })
	}
	wg.Wait()

	require.NoError(t, errors.Join(expired...))
	for _, err := range confirmed {
		if err != nil {
			require.NotErrorIs(t, err, fault.Internal)
			require.Equal(t, fault.Conflict, fault.From(err).Kind, err)
		}
	}
	d.MustBalance()
}

// TestExpiryBesideUse lets the worker read a voucher while its last use of the day is still being written.
func TestExpiryBesideUse(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 4})
	use := d.ask(t, 1)
	d.Scan(d.staff, use, d.servicePoint)
	late := d.later(91 * 24 * time.Hour) // over the ninety days
	worker, err := db.Open(t.Context(), map[string]string{db.MainNode: d.AppURL}, 2, late)
	require.NoError(t, err)
	t.Cleanup(worker.Close)

	expired := make(chan error, 1)
	d.In(func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM voucher FOR UPDATE`); err != nil { // what a confirmation holds
			return err
		}
		go func() {
			expired <- worker.InOrg(context.Background(), d.Org, func(tx db.Tx) error { return d.Voucher.ExpireVouchers(context.Background(), tx) })
		}()
		time.Sleep(300 * time.Millisecond)
		return voucher.ConfirmIn(ctx, tx, d.staff.Subject, voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
	})

	require.NoError(t, <-expired)
	require.Zero(t, d.SystemBalance(ledger.Unearned))
	d.MustBalance()
}

// later is a clock that is ahead of the test's own, which earlier tests have moved.
func (v useView) later(by time.Duration) *clock.Clock {
	c := &clock.Clock{}
	c.Advance(time.Until(v.Clock.Now()) + by)
	return c
}

// useView is a voucher, its owner, and the staff of the service point that honours it.
type useView struct {
	*tenanttest.World
	ann, staff   token.Session
	servicePoint uuid.UUID
	pkg          uuid.UUID
	voucher      uuid.UUID
}

func newUseView(t *testing.T, p tenanttest.Package) useView {
	t.Helper()
	w := tenanttest.New(t)
	d := useView{World: w, ann: w.Customer(20_000_00), staff: w.Staff(), servicePoint: w.ServicePoint(), pkg: w.Package(p)}
	d.voucher = w.MustBuy(d.ann, d.pkg).ID
	return d
}

func (v useView) input(items int64) voucher.UseInput {
	return voucher.UseInput{Voucher: v.voucher, ServicePoint: v.servicePoint, Items: items}
}

func (v useView) ask(t *testing.T, items int64) voucher.UseSession {
	t.Helper()
	use, err := v.Voucher.StartUse(t.Context(), v.ann, tenanttest.Key(), v.input(items))
	require.NoError(t, err)
	return use
}

// scan is what the camera reads off the phone at this moment.
func (v useView) scan(use voucher.UseSession) voucher.ScanInput {
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	if err != nil {
		panic(err)
	}
	return voucher.ScanInput{Code: voucher.QR(v.Org, use.ID, secret, v.Clock.Now()), ServicePoint: v.servicePoint}
}

// typed is what the phone shows beside it.
func (v useView) typed(use voucher.UseSession) voucher.ScanInput {
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	if err != nil {
		panic(err)
	}
	return voucher.ScanInput{Code: voucher.Typed(use.TypedName, v.Org, use.ID, secret, v.Clock.Now()), ServicePoint: v.servicePoint}
}

// confirm scans and confirms.
func (v useView) confirm(t *testing.T, use voucher.UseSession) (voucher.Redemption, error) {
	t.Helper()
	if _, err := v.Voucher.Verify(context.Background(), v.staff, v.scan(use)); err != nil {
		return voucher.Redemption{}, err
	}
	return v.Voucher.Confirm(context.Background(), v.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: v.servicePoint})
}
