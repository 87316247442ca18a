package voucher_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestVerifyTogether: scans that are read by one statement are still each staff's own.
func TestVerifyTogether(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
	hers, elsewhere := d.Staff(), d.ServicePoint()
	d.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, elsewhere, hers.Subject)
		return err
	})
	stale := d.scan(d.another(t, 1))
	d.Clock.Advance(2 * time.Minute)
	used, one, other, cancelled := d.another(t, 1), d.another(t, 1), d.another(t, 2), d.another(t, 1)
	_, err := d.confirm(t, used)
	require.NoError(t, err)
	_, err = d.Voucher.CancelUse(t.Context(), d.ann, cancelled.ID)
	require.NoError(t, err)
	there := d.scan(other)
	there.ServicePoint = elsewhere
	forged := voucher.ScanInput{Code: voucher.QR(d.Org, one.ID, []byte("guessed"), d.Clock.Now()), ServicePoint: d.servicePoint}

	scans := []struct {
		in    voucher.ScanInput
		hers  bool
		shows *voucher.UseSession
		err   error
	}{
		{in: d.scan(one), shows: &one},
		{in: d.typed(other), shows: &other},
		{in: voucher.ScanInput{Code: "ABCD2345", ServicePoint: d.servicePoint}, err: voucher.ErrCodeUnknown},
		{in: forged, err: voucher.ErrCodeUnknown},
		{in: d.typed(one), shows: &one},
		{in: stale, err: voucher.ErrStale},
		{in: d.scan(used), err: voucher.ErrAlreadyUsed},
		{in: d.typed(used), err: voucher.ErrCodeUnknown},
		{in: d.scan(cancelled), err: voucher.ErrSessionOver},
		{in: there, err: servicepoint.ErrNotStaff},
		{in: there, hers: true, err: voucher.ErrOtherServicePoint},
		{in: d.scan(other), hers: true, shows: &other},
	}
	got, errs := make([]voucher.Scan, len(scans)), make([]error, len(scans))
	var group sync.WaitGroup
	require.NoError(t, d.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `LOCK TABLE use_session IN ACCESS EXCLUSIVE MODE`)
		group.Go(func() { _, _ = d.Voucher.Verify(context.Background(), d.staff, d.scan(one)) })
		require.Eventually(t, func() bool { return dbtest.Blocks(ctx, t, tx) }, 5*time.Second, time.Millisecond, "it has gone at once, alone")
		for i, s := range scans {
			who := d.staff
			if s.hers {
				who = hers
			}
			group.Go(func() { got[i], errs[i] = d.Voucher.Verify(context.Background(), who, s.in) })
			require.Eventually(t, func() bool { return d.Voucher.Scanning(d.Org) == i+1 }, 5*time.Second, time.Millisecond)
		}
		return err
	}))
	group.Wait()

	for i, s := range scans {
		require.ErrorIs(t, errs[i], s.err, "scan %d", i)
		if s.shows == nil {
			require.Zero(t, got[i], "scan %d", i)
			continue
		}
		require.Equal(t, s.shows.ID, got[i].Session, "scan %d", i)
		require.Equal(t, s.shows.Items, got[i].Items)
		require.Equal(t, 2-s.shows.Items, got[i].ItemsLeftAfter)
	}
	require.NotEmpty(t, fault.From(errs[6]).Detail.(voucher.PreviousUse).Code)
}

// TestConfirmNeedsOwnScan: a session's id is worth nothing without a scan of one's own, a minute old at most.
func TestConfirmNeedsOwnScan(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 3})
	other := d.Staff()
	confirm := func(who token.Session, use voucher.UseSession) error {
		_, err := d.Voucher.Confirm(t.Context(), who, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
		return err
	}
	scan := func(who token.Session, use voucher.UseSession) {
		t.Helper()
		_, err := d.Voucher.Verify(t.Context(), who, d.scan(use))
		require.NoError(t, err)
	}

	use := d.ask(t, 1)
	require.ErrorIs(t, confirm(d.staff, use), voucher.ErrNotScanned, "no account has scanned it")
	_, err := d.Voucher.Verify(t.Context(), d.staff, voucher.ScanInput{Code: voucher.QR(d.Org, use.ID, []byte("guessed"), d.Clock.Now()), ServicePoint: d.servicePoint})
	require.ErrorIs(t, err, voucher.ErrCodeUnknown)
	require.ErrorIs(t, confirm(d.staff, use), voucher.ErrNotScanned, "a forged code is no scan")
	scan(other, use)
	require.ErrorIs(t, confirm(d.staff, use), voucher.ErrNotScanned, "another account has")
	d.Clock.Advance(61 * time.Second)
	require.ErrorIs(t, confirm(other, use), voucher.ErrNotScanned, "the account has, too long ago")
	scan(other, use)
	d.Clock.Advance(55 * time.Second)
	require.NoError(t, confirm(other, use), "within the minute")
	require.ErrorIs(t, confirm(other, use), voucher.ErrAlreadyUsed)
	require.EqualValues(t, 1, d.Count(`SELECT count(*) FROM redemption`))
	d.MustBalance()
}

// TestScannedPhone: the phone that shows a code is notified that staff look at it, why they cannot honour it, and that they left it.
func TestScannedPhone(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
	use, other, there := d.ask(t, 1), d.Staff(), d.ServicePoint()
	d.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, there, other.Subject)
		return err
	})
	shown := func() voucher.UseSession {
		t.Helper()
		now, err := d.Voucher.Use(t.Context(), d.ann, use.ID)
		require.NoError(t, err)
		return now
	}
	notified := func() (events []string) {
		t.Helper()
		d.In(func(ctx context.Context, tx db.Tx) error {
			rows, err := tx.Query(ctx, `SELECT payload->'job'->'print'->>'state' || coalesce(' ' || (payload->'job'->'print'->>'fault'), '') FROM outbox
				WHERE kind = 'notice' AND payload->'job'->>'subject' = $1 AND payload->'job'->'print'->>'id' = $2 ORDER BY id`, d.ann.Subject.String(), use.ID.String())
			if err != nil {
				return err
			}
			events, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
		return events
	}
	cancel := func(who token.Session) {
		t.Helper()
		require.NoError(t, d.Voucher.CancelScan(t.Context(), who, voucher.ScannedInput{Session: use.ID}))
	}
	confirm := func(who token.Session) error {
		_, err := d.Voucher.Confirm(t.Context(), who, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
		return err
	}
	require.Nil(t, shown().ScannedAt)

	_, err := d.Voucher.Verify(t.Context(), d.staff, voucher.ScanInput{Code: voucher.QR(d.Org, use.ID, []byte("guessed"), d.Clock.Now()), ServicePoint: d.servicePoint})
	require.ErrorIs(t, err, voucher.ErrCodeUnknown)
	elsewhere := d.scan(use)
	elsewhere.ServicePoint = there
	_, err = d.Voucher.Verify(t.Context(), other, elsewhere)
	require.ErrorIs(t, err, voucher.ErrOtherServicePoint)
	require.Nil(t, shown().ScannedAt)
	require.Equal(t, []string{"refused voucher.other_service_point"}, notified(), "a forged code notifies nobody")

	_, err = d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
	require.NoError(t, err)
	require.WithinDuration(t, d.Clock.Now(), *shown().ScannedAt, time.Second)
	require.Equal(t, time.Minute, shown().ScanExpiresAt.Sub(*shown().ScannedAt))
	cancel(other)
	require.NotNil(t, shown().ScannedAt, "another account's scan is not theirs to cancel")
	cancel(d.staff)
	cancel(d.staff)
	require.Nil(t, shown().ScannedAt)
	require.ErrorIs(t, confirm(d.staff), voucher.ErrNotScanned)
	require.Equal(t, []string{"refused voucher.other_service_point", "scanned", "open"}, notified())

	_, err = d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
	require.NoError(t, err)
	d.Clock.Advance(61 * time.Second)
	require.Nil(t, shown().ScannedAt, "it cannot be confirmed any more")
	_, err = d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
	require.NoError(t, err)
	require.NoError(t, confirm(d.staff))
	cancel(d.staff)
	require.Equal(t, "used", shown().State)
	require.NotEmpty(t, shown().Staff)
	require.Nil(t, shown().ScannedAt)
	require.Equal(t, []string{"refused voucher.other_service_point", "scanned", "open", "scanned", "scanned", "used"}, notified())
	d.MustBalance()
}

// TestCountsOfViews: each view has as many vouchers as the list says, and says when one was used and where one is being used.
func TestCountsOfViews(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00})
	used, expired := d.ask(t, 1), d.MustBuy(d.ann, d.pkg).ID
	_, err := d.confirm(t, used)
	require.NoError(t, err)
	open := d.another(t, 1)
	d.MustBuy(d.ann, d.pkg)
	require.NoError(t, d.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE voucher SET valid_until = '2020-01-01' WHERE id = $1`, expired)
		return err
	}))
	views := map[string]voucher.List{}
	for _, state := range []string{"ready", "used", "expired", "all"} {
		views[state], err = d.Voucher.List(t.Context(), d.ann, voucher.ListInput{State: state})
		require.NoError(t, err)
	}
	counts := views["all"].Counts
	require.Equal(t, []int{2, 1, 1, 4}, []int{counts.Ready, counts.Used, counts.Expired, counts.All})
	for state, n := range map[string]int{"ready": counts.Ready, "used": counts.Used, "expired": counts.Expired, "all": counts.All} {
		require.Len(t, views[state].Data, n, state)
		require.Equal(t, counts, views[state].Counts)
	}
	require.WithinDuration(t, d.Clock.Now(), *views["used"].Data[0].UsedAt, time.Minute)
	first := views["ready"].Data[0]
	require.Equal(t, open.ID, first.Use.ID)
	require.NotEmpty(t, first.Use.ServicePointTH)
	require.Nil(t, first.UsedAt)
}

// TestCancelScanAgainstConfirm: of both at once one comes first. A use that was confirmed had a scan that was not cancelled.
func TestCancelScanAgainstConfirm(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 8})
	for range 8 {
		use := d.ask(t, 1)
		_, err := d.Voucher.Verify(t.Context(), d.staff, d.scan(use))
		require.NoError(t, err)
		var confirmed, cancelled error
		var group sync.WaitGroup
		group.Go(func() {
			_, confirmed = d.Voucher.Confirm(context.Background(), d.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
		})
		group.Go(func() {
			cancelled = d.Voucher.CancelScan(context.Background(), d.staff, voucher.ScannedInput{Session: use.ID})
		})
		group.Wait()
		require.NoError(t, cancelled)
		if confirmed != nil {
			require.ErrorIs(t, confirmed, voucher.ErrNotScanned)
			_, err = d.Voucher.CancelUse(t.Context(), d.ann, use.ID)
			require.NoError(t, err)
		}
	}
	d.MustBalance()
}

// Two staff of one service point scan the same phone and confirm at once: each may, one does, and the other reads who was first.
func TestConcurrentScansOfOneCode(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00})
	use, staff := d.ask(t, 1), []token.Session{d.staff, d.Staff(), d.Staff(), d.Staff()}
	errs := make([]error, len(staff))
	var group sync.WaitGroup
	for i, who := range staff {
		group.Go(func() {
			if _, errs[i] = d.Voucher.Verify(context.Background(), who, d.scan(use)); errs[i] == nil || errors.Is(errs[i], voucher.ErrAlreadyUsed) {
				_, errs[i] = d.Voucher.Confirm(context.Background(), who, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: d.servicePoint})
			}
		})
	}
	group.Wait()

	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, voucher.ErrAlreadyUsed)
		require.NotEmpty(t, fault.From(err).Detail.(voucher.PreviousUse).Staff)
	}
	require.Equal(t, 1, won)
	d.MustBalance()
}

// TestTypedCode: a typed code is refused later, at another service point, and for another use, as a QR is.
func TestTypedCode(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 3})
	verify := func(in voucher.ScanInput) error {
		_, err := d.Voucher.Verify(t.Context(), d.staff, in)
		return err
	}
	use := d.ask(t, 1)
	now := d.typed(use)
	require.NoError(t, verify(now))
	d.Clock.Advance(30 * time.Second)
	require.NoError(t, verify(now), "the last step counts")
	d.Clock.Advance(30 * time.Second)
	require.ErrorIs(t, verify(now), voucher.ErrCodeUnknown, "the one before does not")

	now = d.typed(use)
	guessed := now
	guessed.Code = now.Code[:3] + "AAAAA"
	require.ErrorIs(t, verify(guessed), voucher.ErrCodeUnknown)
	elsewhere := now
	elsewhere.ServicePoint = d.ServicePoint()
	require.ErrorIs(t, verify(elsewhere), voucher.ErrOtherServicePoint, "it says where it was opened for")
	elsewhere.Code = guessed.Code
	require.ErrorIs(t, verify(elsewhere), voucher.ErrCodeUnknown, "and nothing to who guesses")
	_, err := d.Voucher.CancelUse(t.Context(), d.ann, use.ID)
	require.NoError(t, err)
	require.ErrorIs(t, verify(now), voucher.ErrCodeUnknown, "it names nothing any more")
}

// Names are unique while open, at a service point: a name that is taken is not given twice, and free again afterwards.
func TestNamesOfOpenUses(t *testing.T) {
	d := newUseView(t, tenanttest.Package{Price: 100_00})
	drawn := []string{"AAA", "AAA", "AAA", "BBB", "AAA"}
	voucher.NameBy(t, func() string {
		next := drawn[0]
		drawn = drawn[1:]
		return next
	})
	first := d.ask(t, 1)
	require.Equal(t, "AAA", first.TypedName)
	require.Equal(t, "BBB", d.another(t, 1).TypedName, "AAA was drawn twice more, and is taken")
	_, err := d.Voucher.CancelUse(t.Context(), d.ann, first.ID)
	require.NoError(t, err)
	require.Equal(t, "AAA", d.another(t, 1).TypedName)

	voucher.NameBy(t, func() string { return "BBB" })
	d.voucher = d.MustBuy(d.ann, d.pkg).ID
	_, err = d.Voucher.StartUse(t.Context(), d.ann, tenanttest.Key(), d.input(1))
	require.ErrorIs(t, err, fault.Unready)
	require.EqualValues(t, 2, d.Count(`SELECT count(*) FROM voucher WHERE state = 'ready'`), "the first, and this one, which stays as it was")
}
