package voucher_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/venue"
	"welovevoucher/tenants/voucher"
)

// TestVerifyTogether: scans that are read by one statement are still each staff's own.
func TestVerifyTogether(t *testing.T) {
	d := newDoor(t, tenanttest.Package{Price: 1000_00, Items: 2})
	hers, elsewhere := d.Staff(), d.Place()
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
	there.Place = elsewhere
	typed := func(use voucher.UseSession) voucher.ScanInput {
		return voucher.ScanInput{Code: use.TypedCode, Place: d.place}
	}
	forged := voucher.ScanInput{Code: voucher.QR(d.Org, one.ID, []byte("guessed"), d.Clock.Now()), Place: d.place}

	scans := []struct {
		in    voucher.ScanInput
		hers  bool
		shows *voucher.UseSession
		err   error
	}{
		{in: d.scan(one), shows: &one},
		{in: typed(other), shows: &other},
		{in: voucher.ScanInput{Code: "ABCD2345", Place: d.place}, err: voucher.ErrUnknownCode},
		{in: forged, err: voucher.ErrUnknownCode},
		{in: typed(one), shows: &one},
		{in: stale, err: voucher.ErrStale},
		{in: typed(used), err: voucher.ErrAlreadyUsed},
		{in: d.scan(cancelled), err: voucher.ErrSessionOver},
		{in: there, err: venue.ErrNotYours},
		{in: there, hers: true, err: voucher.ErrPlace},
		{in: d.scan(other), hers: true, shows: &other},
	}
	got, errs := make([]voucher.Scan, len(scans)), make([]error, len(scans))
	var group sync.WaitGroup
	d.In(func(ctx context.Context, tx db.Tx) error {
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
	})
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
	require.NotEmpty(t, fault.From(errs[6]).Detail.(voucher.Earlier).Code)
}
