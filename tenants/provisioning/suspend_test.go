package provisioning_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestSuspend: the days of gifts stand still while their organisation is suspended.
func TestSuspend(t *testing.T) {
	s := sellsWithTestKeys(t)
	ann, bob := s.Customer(10_000_00), s.Customer(0)
	pkg := s.Package(tenanttest.Package{Price: 100_00, Transfers: 1})
	give := func(begins *time.Time) gift.Gift {
		g, err := s.Gift.Give(t.Context(), ann, tenanttest.Key(), gift.Input{Voucher: s.MustBuy(ann, pkg).ID, Items: 1, Card: "thanks", Begins: begins})
		require.NoError(t, err)
		return g
	}
	now := func() time.Time { return s.Clock.Now() }
	lastDay := func(id uuid.UUID) (day time.Time) {
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT expires_at FROM gift WHERE id = $1`, id).Scan(&day)
		})
		return clock.Day(day.Add(-time.Second))
	}
	open := give(nil)
	soon, later := now().Add(24*time.Hour), now().Add(60*24*time.Hour)
	begins, ahead := give(&soon), give(&later)
	claimed := give(nil)
	_, err := s.Gift.Receive(t.Context(), bob, gift.Link{Ref: claimed.Ref})
	require.NoError(t, err)
	was := map[uuid.UUID]time.Time{open.ID: lastDay(open.ID), begins.ID: lastDay(begins.ID), ahead.ID: lastDay(ahead.ID), claimed.ID: lastDay(claimed.ID)}

	for _, reason := range []string{"the books do not balance", "another reason"} {
		require.NoError(t, s.service.Suspend(t.Context(), s.Org, admin, reason))
	}
	state := func() (is string) {
		require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT state FROM organisation WHERE id = $1`, s.Org).Scan(&is)
		}))
		return is
	}
	require.Equal(t, "suspended", state())
	record, err := org.New(s.DB, s.directory, s.Box()).Record(t.Context(), s.Org)
	require.NoError(t, err)
	require.Equal(t, "the books do not balance", record.Reason, "the first one stays")
	require.WithinDuration(t, s.Clock.Now(), *record.SuspendedAt, time.Minute)
	require.Equal(t, "suspend", record.Log[0].Action)
	require.Equal(t, []auditlog.Changed{{Field: "reason", After: "the books do not balance"}, {Field: "state", Before: "live", After: "suspended"}}, record.Log[0].Changes)
	require.NotEqual(t, "suspend", record.Log[1].Action, "what changes nothing is not written down")
	s.Clock.Advance(10*24*time.Hour - time.Minute)
	require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org), "the clock goes on, but not for gifts")
	seen, err := s.Gift.Detail(t.Context(), ann, open.ID)
	require.NoError(t, err)
	require.Equal(t, "open", seen.State)
	require.False(t, seen.MayExtend)
	seen, err = s.Gift.Detail(t.Context(), ann, begins.ID)
	require.NoError(t, err)
	require.Equal(t, "scheduled", seen.State)
	wrapped, err := s.Gift.Open(t.Context(), bob, gift.Link{Ref: open.Ref})
	require.NoError(t, err)
	require.Equal(t, "open", wrapped.State)
	for range 2 {
		require.NoError(t, s.service.Resume(t.Context(), s.Org, admin))
	}
	require.Equal(t, "live", state())
	record, err = org.New(s.DB, s.directory, s.Box()).Record(t.Context(), s.Org)
	require.NoError(t, err)
	require.Nil(t, record.SuspendedAt)
	require.Empty(t, record.Reason)
	require.Equal(t, "resume", record.Log[0].Action)
	require.Equal(t, was[open.ID].AddDate(0, 0, 10), lastDay(open.ID))
	require.Equal(t, was[begins.ID].AddDate(0, 0, 9), lastDay(begins.ID), "its link opened a day after")
	require.Equal(t, was[ahead.ID], lastDay(ahead.ID))
	require.Equal(t, was[claimed.ID], lastDay(claimed.ID))
	require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
	g, err := s.Gift.Receive(t.Context(), bob, gift.Link{Ref: open.Ref})
	require.NoError(t, err)
	require.Equal(t, "claimed", g.State)

	t.Run("not beyond the last day of its vouchers", func(t *testing.T) {
		g := give(nil)
		require.NoError(t, s.service.Suspend(t.Context(), s.Org, admin, "a test"))
		s.Clock.Advance(100 * 24 * time.Hour)
		require.NoError(t, s.service.Resume(t.Context(), s.Org, admin))
		v, err := s.Voucher.Detail(t.Context(), ann, *g.Contents[0].Voucher)
		require.NoError(t, err)
		require.Equal(t, v.ValidUntil, lastDay(g.ID).Format(time.DateOnly))
		require.NoError(t, s.Voucher.ExpireAllVouchers(t.Context(), s.Org))
		v, err = s.Voucher.Detail(t.Context(), ann, *g.Contents[0].Voucher)
		require.NoError(t, err)
		require.Equal(t, voucher.Expired, v.State)
	})

	t.Run("nothing that was not opened", func(t *testing.T) {
		require.ErrorIs(t, s.service.Suspend(t.Context(), uuid.New(), admin, "a test"), org.ErrNotFound)
		require.ErrorIs(t, s.service.Resume(t.Context(), uuid.New(), admin), org.ErrNotFound)
		opening, err := s.service.Create(t.Context(), admin, s.input(t))
		require.NoError(t, err)
		require.ErrorIs(t, s.service.Suspend(t.Context(), opening, admin, "a test"), provisioning.ErrProvisioning)
		require.ErrorIs(t, s.service.Resume(t.Context(), opening, admin), provisioning.ErrProvisioning)
	})
	s.MustBalance()
}
