package gift_test

import (
	"context"
	"errors"
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
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// shop is an organisation with ann, who has bought a voucher that may be given twice, and bob.
type shop struct {
	*tenanttest.World
	ann, bob, staff token.Session
	pkg, point      uuid.UUID
	voucher         voucher.Voucher
}

func open(t *testing.T, p tenanttest.Package) shop {
	t.Helper()
	w := tenanttest.New(t)
	s := shop{World: w, ann: w.Customer(20_000_00), bob: w.Customer(0), staff: w.Staff(), point: w.ServicePoint(), pkg: w.Package(p)}
	s.voucher = w.MustBuy(s.ann, s.pkg)
	return s
}

var threeItems = tenanttest.Package{Price: 1000_00, Items: 3, Transfers: 2}

func (s shop) input() gift.Input {
	return gift.Input{Voucher: s.voucher.ID, Items: s.voucher.ItemsLeft, Card: "birthday", To: "บีบี้", Words: "สุขสันต์วันเกิด"}
}

func (s shop) give(t *testing.T, change ...func(*gift.Input)) gift.Gift {
	t.Helper()
	in := s.input()
	for _, c := range change {
		c(&in)
	}
	g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), in)
	require.NoError(t, err)
	return g
}

func link(g gift.Gift) gift.Link { return gift.Link{Ref: g.Ref} }

// state is the voucher's, and who holds it, as the database has it.
func (s shop) state() (state voucher.State, holder uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT state, holder_id FROM voucher WHERE id = $1`, s.voucher.ID).Scan(&state, &holder)
	})
	return state, holder
}

func (s shop) requireState(t *testing.T, want voucher.State, holder token.Session) {
	t.Helper()
	state, is := s.state()
	require.Equal(t, want, state)
	require.Equal(t, holder.Subject, is)
	s.MustBalance()
}

func TestGive(t *testing.T) {
	t.Run("who opens the link gets the voucher under a new code, and the giver has it no more", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		s.requireState(t, voucher.InTransfer, s.ann)
		require.Len(t, g.Ref, 22)

		w, err := s.Gift.Open(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		require.Equal(t, "สุขสันต์วันเกิด", w.Words)
		require.Len(t, w.Contents, 1)
		require.Nil(t, w.Contents[0].Voucher)
		require.EqualValues(t, 3, w.Contents[0].Items)
		require.Equal(t, 1, w.Transfers)

		got, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		require.Equal(t, "claimed", got.State)
		require.False(t, got.Given)
		s.requireState(t, voucher.Ready, s.bob)

		detail, err := s.Voucher.Detail(t.Context(), s.bob, s.voucher.ID)
		require.NoError(t, err)
		require.NotEqual(t, s.voucher.Code, detail.Code)
		require.Empty(t, detail.OrderNumber)
		require.NotEmpty(t, detail.GivenBy)
		require.Equal(t, 1, detail.TransfersLeft)
		_, err = s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
		require.ErrorIs(t, err, voucher.ErrNotFound)
	})

	t.Run("the same key gives once, and another body is refused", func(t *testing.T) {
		s := open(t, threeItems)
		key := tenanttest.Key()
		first, err := s.Gift.Give(t.Context(), s.ann, key, s.input())
		require.NoError(t, err)
		again, err := s.Gift.Give(t.Context(), s.ann, key, s.input())
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		require.Equal(t, first.Ref, again.Ref)
		other := s.input()
		other.Card = "love"
		_, err = s.Gift.Give(t.Context(), s.ann, key, other)
		require.ErrorIs(t, err, idempotency.ErrReused)
	})

	t.Run("what the rule forbids is refused, each with its fault", func(t *testing.T) {
		s := open(t, threeItems)
		refused := func(want error) {
			t.Helper()
			_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), s.input())
			require.ErrorIs(t, err, want)
		}
		_, err := s.Gift.Give(t.Context(), s.bob, tenanttest.Key(), s.input())
		require.ErrorIs(t, err, voucher.ErrNotFound)
		s.Force(`UPDATE voucher SET transfers_left = 0`)
		refused(voucher.ErrNoTransfersLeft)
		s.Force(`UPDATE voucher SET transfer_rule = 'none'`)
		refused(voucher.ErrNotTransferable)
		s.Force(`UPDATE voucher SET transfer_rule = 'times', transfers_left = 2`)
		s.Force(`UPDATE customer SET debt_satang = 1 WHERE id = $1`, s.ann.Subject)
		refused(customer.ErrDebt)
		s.Force(`UPDATE customer SET debt_satang = 0 WHERE id = $1`, s.ann.Subject)
		s.Text("terms", "customer")
		refused(consent.ErrMissing)
		s.Force(`DELETE FROM consent_version`)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		refused(voucher.ErrExpired)
	})

	t.Run("vouchers that go together are given and claimed together, or not at all", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 1000_00, Vouchers: 3, Transfers: 1, Together: true})
		g := s.give(t)
		require.Len(t, g.Contents, 3)
		require.EqualValues(t, 3, s.Count(`SELECT count(*) FROM voucher WHERE state = 'in_transfer'`))
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		require.EqualValues(t, 3, s.Count(`SELECT count(*) FROM voucher WHERE holder_id = $1 AND transfers_left = 0`, s.bob.Subject))
		s.MustBalance()

		second := s.MustBuy(s.ann, s.pkg)
		var sibling uuid.UUID
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE holder_id = $1 AND id <> $2 LIMIT 1`, s.ann.Subject, second.ID).Scan(&sibling)
		})
		_, err = s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: sibling, ServicePoint: s.point, Items: 1})
		require.NoError(t, err)
		s.voucher = second
		_, err = s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), s.input())
		require.ErrorIs(t, err, voucher.ErrTogether)
		s.MustBalance()
	})

	t.Run("a use by who had it before stays his own", func(t *testing.T) {
		s := open(t, threeItems)
		s.MustRedeem(s.ann, s.voucher.ID, 1, s.staff, s.point)
		g := s.give(t, func(in *gift.Input) { in.Items = 2 })
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.MustRedeem(s.bob, s.voucher.ID, 1, s.staff, s.point)
		detail, err := s.Voucher.Detail(t.Context(), s.bob, s.voucher.ID)
		require.NoError(t, err)
		require.Len(t, detail.Redemptions, 1)
		require.EqualValues(t, 1, detail.ItemsLeft)
		given, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.EqualValues(t, 2, given.Contents[0].Items, "that it was used is not shown")
		s.MustBalance()
	})
}

// TestSlice: some items of a voucher are given.
func TestSlice(t *testing.T) {
	some := func(n int64) func(*gift.Input) { return func(in *gift.Input) { in.Items = n } }

	t.Run("they are a voucher of their own, and every satang of the price is where its items are", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 999_00, Items: 3, Transfers: 2})
		s.MustRedeem(s.ann, s.voucher.ID, 1, s.staff, s.point)
		first := s.SystemBalance(ledger.Payable)
		g := s.give(t, some(1))
		s.requireState(t, voucher.Ready, s.ann)
		require.EqualValues(t, 1, g.Contents[0].Items)
		require.NotEqual(t, s.voucher.ID, *g.Contents[0].Voucher)

		got, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		slice := *got.Contents[0].Voucher
		detail, err := s.Voucher.Detail(t.Context(), s.bob, slice)
		require.NoError(t, err)
		require.EqualValues(t, 1, detail.ItemsTotal)
		require.EqualValues(t, 1, detail.ItemsLeft)
		require.Equal(t, s.voucher.ValidUntil, detail.ValidUntil)
		require.Equal(t, 1, detail.TransfersLeft)
		require.NotEmpty(t, detail.GivenBy)
		kept, err := s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
		require.NoError(t, err)
		require.EqualValues(t, 3, kept.ItemsTotal)
		require.EqualValues(t, 1, kept.ItemsLeft)
		require.Equal(t, 2, kept.TransfersLeft)

		s.MustRedeem(s.bob, slice, 1, s.staff, s.point)
		s.MustRedeem(s.ann, s.voucher.ID, 1, s.staff, s.point)
		require.Zero(t, s.SystemBalance(ledger.Unearned))
		require.EqualValues(t, 999_00-29_97, s.SystemBalance(ledger.Payable))
		require.Positive(t, first)
		s.MustBalance()
	})

	t.Run("what is not claimed is a second voucher of the giver's, and a slice can be split again", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 500_00, GiftValue: 600_00, Transfers: 2})
		g := s.give(t, some(200_00))
		_, err := s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		slice := *g.Contents[0].Voucher
		g, err = s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: slice, Items: 66_66, Card: "love"})
		require.NoError(t, err)
		got, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.MustRedeem(s.bob, *got.Contents[0].Voucher, 66_66, s.staff, s.point)
		s.MustRedeem(s.ann, slice, 133_34, s.staff, s.point)
		s.MustRedeem(s.ann, s.voucher.ID, 400_00, s.staff, s.point)
		require.Zero(t, s.SystemBalance(ledger.Unearned))
		s.MustBalance()
	})

	t.Run("who was given a voucher gives some of it on, and is named as the one who gave it", func(t *testing.T) {
		s := open(t, threeItems)
		got, err := s.Gift.Receive(t.Context(), s.bob, link(s.give(t)))
		require.NoError(t, err)
		g, err := s.Gift.Give(t.Context(), s.bob, tenanttest.Key(), gift.Input{Voucher: s.voucher.ID, Items: 2, Card: "love"})
		require.NoError(t, err)
		_, err = s.Gift.Withdraw(t.Context(), s.bob, g.ID)
		require.NoError(t, err)
		mine, err := s.Voucher.Detail(t.Context(), s.bob, *g.Contents[0].Voucher)
		require.NoError(t, err)
		require.Equal(t, got.Person, mine.GivenBy, "his slice is of what ann gave")
		s.MustRedeem(s.bob, mine.ID, 1, s.staff, s.point)
		s.MustBalance()
	})

	t.Run("more than is left, and some of what goes together, is refused", func(t *testing.T) {
		s := open(t, threeItems)
		in := s.input()
		in.Items = 4
		_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), in)
		require.ErrorIs(t, err, voucher.ErrTooFew)
		s.Force(`UPDATE voucher SET transfer_together = true`)
		in.Items = 2
		_, err = s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), in)
		require.ErrorIs(t, err, voucher.ErrWhole)
	})

	t.Run("two at once that want more than there is", func(t *testing.T) {
		s := open(t, threeItems)
		in := s.input()
		in.Items = 2
		give := func() error { _, err := s.Gift.Give(context.Background(), s.ann, tenanttest.Key(), in); return err }
		one, other := both(give, give)
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		require.ErrorIs(t, errors.Join(one, other), voucher.ErrTooFew)
		s.MustBalance()
	})
}

func TestClaim(t *testing.T) {
	t.Run("nobody else gets it", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		_, err := s.Gift.Receive(t.Context(), s.ann, link(g))
		require.ErrorIs(t, err, gift.ErrOwn)
		_, err = s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: "another"})
		require.ErrorIs(t, err, gift.ErrNotFound)
		_, err = s.Gift.Detail(t.Context(), s.bob, g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)
		_, err = s.Gift.Withdraw(t.Context(), s.bob, g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)
		_, err = s.Gift.Extend(t.Context(), s.bob, g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)
		_, err = s.Gift.Thank(t.Context(), s.bob, g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)

		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		again, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		require.Equal(t, g.ID, again.ID)
		_, err = s.Gift.Receive(t.Context(), s.Customer(0), link(g))
		require.ErrorIs(t, err, gift.ErrOver)
		require.Equal(t, gift.OverDetail{State: "claimed", People: 1}, fault.From(err).Detail)
		s.requireState(t, voucher.Ready, s.bob)
	})

	t.Run("a hundred who open one link: one has it", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		people := make([]token.Session, 24)
		for i := range people {
			people[i] = s.Customer(0)
		}
		var wg sync.WaitGroup
		errs := make([]error, len(people))
		for i, who := range people {
			wg.Go(func() { _, errs[i] = s.Gift.Receive(context.Background(), who, link(g)) })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			require.ErrorIs(t, err, gift.ErrOver)
		}
		require.Equal(t, 1, won)
		s.MustBalance()
	})

	t.Run("the digits lock it; five wrong ones make it pause for an hour", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t, func(in *gift.Input) { in.Digits = "5812" })
		w, err := s.Gift.Open(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		require.True(t, w.Locked)
		require.Empty(t, w.Words)
		require.Empty(t, w.Contents)
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.ErrorIs(t, err, gift.ErrDigits)
		for range 5 {
			_, err = s.Gift.Receive(t.Context(), s.bob, gift.Link{Ref: g.Ref, Digits: "0000"})
			require.ErrorIs(t, err, gift.ErrDigits)
		}
		right := gift.Link{Ref: g.Ref, Digits: "5812"}
		_, err = s.Gift.Receive(t.Context(), s.bob, right)
		require.ErrorIs(t, err, gift.ErrPaused)
		_, err = s.Gift.Open(t.Context(), s.bob, right)
		require.ErrorIs(t, err, gift.ErrPaused)
		s.Clock.Advance(time.Hour)
		w, err = s.Gift.Open(t.Context(), s.bob, right)
		require.NoError(t, err)
		require.False(t, w.Locked)
		_, err = s.Gift.Receive(t.Context(), s.bob, right)
		require.NoError(t, err)
		s.requireState(t, voucher.Ready, s.bob)
	})

	t.Run("a suspended giver's gift does not go on", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		s.Force(`UPDATE customer SET status = 4 WHERE id = $1`, s.ann.Subject)
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.ErrorIs(t, err, gift.ErrOver)
		s.requireState(t, voucher.InTransfer, s.ann)
	})

	t.Run("who has claimed it thanks once", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		for range 2 {
			thanked, err := s.Gift.Thank(t.Context(), s.bob, g.ID)
			require.NoError(t, err)
			require.NotNil(t, thanked.ThankedAt)
		}
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM outbox WHERE payload::text LIKE '%thanked%'`))
	})
}

func TestEnd(t *testing.T) {
	t.Run("a gift that is withdrawn or declined is its giver's again, and its link is dead", func(t *testing.T) {
		s := open(t, threeItems)
		for _, end := range []struct {
			as string
			do func(g gift.Gift) error
		}{
			{voucher.Withdrawn, func(g gift.Gift) error { _, err := s.Gift.Withdraw(t.Context(), s.ann, g.ID); return err }},
			{voucher.Declined, func(g gift.Gift) error { return s.Gift.Decline(t.Context(), s.bob, link(g)) }},
		} {
			g := s.give(t)
			require.NoError(t, end.do(g))
			s.requireState(t, voucher.Ready, s.ann)
			_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
			require.ErrorIs(t, err, gift.ErrOver)
			require.Equal(t, gift.OverDetail{State: end.as, People: 1}, fault.From(err).Detail)
			detail, err := s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
			require.NoError(t, err)
			require.Equal(t, 2, detail.TransfersLeft, "only a claim takes one")
		}
	})

	t.Run("unclaimed it comes back by itself, also before the worker has come by, and once", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		require.Equal(t, clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, 8)), g.ExpiresAt.UTC())
		s.Clock.Advance(time.Until(g.ExpiresAt) + time.Second)
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.ErrorIs(t, err, gift.ErrOver)
		got, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Returned, got.State)
		_, err = s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: s.voucher.ID, ServicePoint: s.point, Items: 1})
		require.NoError(t, err, "who has it back need not wait")
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		s.requireState(t, voucher.InUse, s.ann)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher_event WHERE event = 'return'`))
	})

	t.Run("on its last day it is extended once", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t)
		_, err := s.Gift.Extend(t.Context(), s.ann, g.ID)
		require.ErrorIs(t, err, gift.ErrTooEarly)
		s.Clock.Advance(g.ExpiresAt.Sub(s.Clock.Now()) - time.Hour)
		longer, err := s.Gift.Extend(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, g.ExpiresAt.AddDate(0, 0, 7), longer.ExpiresAt)
		_, err = s.Gift.Extend(t.Context(), s.ann, g.ID)
		require.ErrorIs(t, err, gift.ErrExtended)
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.MustBalance()
	})

	t.Run("the end of its validity ends the gift and the voucher at once", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 1000_00, Vouchers: 2, Transfers: 1, Together: true, ToWallet: true})
		g := s.give(t)
		before := s.Balance(s.ann)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		s.requireState(t, voucher.Expired, s.ann)
		require.Greater(t, s.Balance(s.ann), before)
		got, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Returned, got.State)
	})

	t.Run("what expires at who received it is paid to him", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 1000_00, Transfers: 1, ToWallet: true})
		_, err := s.Gift.Receive(t.Context(), s.bob, link(s.give(t)))
		require.NoError(t, err)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		s.requireState(t, voucher.Expired, s.bob)
		require.Positive(t, s.Balance(s.bob))
	})

	t.Run("what a giver wrote is deleted ninety days after the end", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t, func(in *gift.Input) { in.Digits = "5812" })
		_, err := s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		s.Clock.Advance(89 * 24 * time.Hour)
		s.In(gift.ForgetWords)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM gift WHERE words <> ''`))
		s.Clock.Advance(2 * 24 * time.Hour)
		s.In(gift.ForgetWords)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM gift WHERE words || to_name || digits = ''`))
	})
}

// TestTwoAtOnce tries two different steps on the same voucher at once: one wins, the other reads why.
// TestStop: the organisation stops gifts.
func TestStop(t *testing.T) {
	s := open(t, threeItems)
	office := auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
	stop := func(g gift.Gift) error { return s.Gift.Stop(t.Context(), s.Org, office, g.ID) }

	g := s.give(t)
	require.NoError(t, stop(g))
	s.requireState(t, voucher.Ready, s.ann)
	seen, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
	require.NoError(t, err)
	require.Equal(t, voucher.Stopped, seen.State)
	require.True(t, seen.ByShop)
	_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
	require.ErrorIs(t, err, gift.ErrOver)
	require.ErrorIs(t, stop(g), gift.ErrOver, "twice")
	require.ErrorIs(t, s.Gift.Stop(t.Context(), s.Org, office, uuid.New()), fault.Missing)

	g = s.give(t)
	_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
	require.NoError(t, err)
	require.ErrorIs(t, stop(g), gift.ErrOver, "what was claimed stays claimed")
	s.requireState(t, voucher.Ready, s.bob)

	_, err = s.Gift.Give(t.Context(), s.bob, tenanttest.Key(), s.input())
	require.NoError(t, err)
	s.In(func(ctx context.Context, tx db.Tx) error {
		return gift.StopOf(ctx, tx, office, []uuid.UUID{s.ann.Subject})
	})
	s.requireState(t, voucher.InTransfer, s.bob)
	s.In(func(ctx context.Context, tx db.Tx) error {
		return gift.StopOf(ctx, tx, office, []uuid.UUID{s.bob.Subject})
	})
	s.requireState(t, voucher.Ready, s.bob)
	require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM audit_log WHERE action = 'stop' AND object LIKE 'gift/%'`))

	for range 4 {
		s.voucher = s.MustBuy(s.ann, s.pkg)
		g := s.give(t)
		one, other := both(func() error { return stop(g) }, func() error { _, err := s.Gift.Receive(context.Background(), s.bob, link(g)); return err })
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		require.ErrorIs(t, errors.Join(one, other), gift.ErrOver)
		s.MustBalance()
	}
}

func TestSetting(t *testing.T) {
	s := open(t, threeItems)
	office := auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
	before := s.give(t)
	s.In(func(ctx context.Context, tx db.Tx) error {
		return gift.SaveSetting(ctx, tx, office, gift.Setting{Days: 2})
	})
	s.In(func(ctx context.Context, tx db.Tx) error {
		now, err := gift.ReadSetting(ctx, tx)
		require.Equal(t, 2, now.Days)
		return err
	})
	same, err := s.Gift.Detail(t.Context(), s.ann, before.ID)
	require.NoError(t, err)
	require.Equal(t, before.ExpiresAt, same.ExpiresAt, "a gift under way keeps its days")
	s.voucher = s.MustBuy(s.ann, s.pkg)
	require.Equal(t, before.ExpiresAt.AddDate(0, 0, -5), s.give(t).ExpiresAt)
}

func TestTwoAtOnce(t *testing.T) {
	s := open(t, tenanttest.Package{Price: 100_00, Items: 3, Transfers: 50})
	use := func() error {
		_, err := s.Voucher.StartUse(context.Background(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: s.voucher.ID, ServicePoint: s.point, Items: 1})
		return err
	}
	give := func() error {
		_, err := s.Gift.Give(context.Background(), s.ann, tenanttest.Key(), s.input())
		return err
	}
	for range 6 {
		s.voucher = s.MustBuy(s.ann, s.pkg)
		one, other := both(use, give)
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		require.ErrorIs(t, errors.Join(one, other), map[bool]error{true: voucher.ErrInUse, false: voucher.ErrInTransfer}[one == nil])
		s.MustBalance()

		s.voucher = s.MustBuy(s.ann, s.pkg)
		one, other = both(give, give)
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		require.ErrorIs(t, errors.Join(one, other), voucher.ErrInTransfer)

		s.voucher = s.MustBuy(s.ann, s.pkg)
		g := s.give(t)
		withdraw := func() error {
			got, err := s.Gift.Withdraw(context.Background(), s.ann, g.ID)
			if err == nil && got.State != voucher.Withdrawn {
				return gift.ErrOver
			}
			return err
		}
		receive := func() error { _, err := s.Gift.Receive(context.Background(), s.bob, link(g)); return err }
		decline := func() error { return s.Gift.Decline(context.Background(), s.Customer(0), link(g)) }
		one, other = both(withdraw, receive)
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		require.ErrorIs(t, errors.Join(one, other), gift.ErrOver)
		s.MustBalance()

		s.voucher = s.MustBuy(s.ann, s.pkg)
		g = s.give(t)
		one, other = both(decline, receive)
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		s.MustBalance()

		freeze := func() error {
			return s.Voucher.Freeze(context.Background(), s.Org, auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}, voucher.FreezeInput{ID: s.voucher.ID, Reason: "sold twice"})
		}
		for step, refused := range map[string]error{"use": voucher.ErrFrozen, "give": voucher.ErrFrozen, "receive": gift.ErrOver} {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			if step == "receive" {
				g = s.give(t)
			}
			one, other = both(freeze, map[string]func() error{"use": use, "give": give, "receive": receive}[step])
			require.NoError(t, one, "whoever was first, it is frozen then")
			if other != nil {
				require.ErrorIs(t, other, refused)
			}
			holder := s.ann
			if step == "receive" && other == nil {
				holder = s.bob
			}
			s.requireState(t, voucher.Frozen, holder)
			s.MustBalance()
		}
	}
}

func both(a, b func() error) (errA, errB error) {
	var wg sync.WaitGroup
	wg.Go(func() { errA = a() })
	wg.Go(func() { errB = b() })
	wg.Wait()
	return errA, errB
}

// TestGuessedAtOnce: who guesses all digits at the same moment has no more tries than who guesses one after the other.
func TestGuessedAtOnce(t *testing.T) {
	s := open(t, tenanttest.Package{Price: 100_00, Items: 2, Transfers: 5})
	in := s.input()
	in.Digits = "5812"
	g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), in)
	require.NoError(t, err)
	const guesses = 60
	answers := make([]error, guesses)
	guess := func(digits func(i int) string) {
		var all sync.WaitGroup
		for i := range guesses {
			all.Go(func() {
				_, answers[i] = s.Gift.Open(context.Background(), token.Session{Audience: token.Client, Org: s.Org}, gift.Link{Ref: g.Ref, Digits: digits(i)})
			})
		}
		all.Wait()
	}
	guess(func(int) string { return "" }) // so that as many connections are open as there can be
	guess(func(i int) string { return fmt.Sprintf("%04d", 1000+i) })
	compared := 0
	for _, err := range answers {
		if errors.Is(err, gift.ErrDigits) {
			compared++
		} else {
			require.ErrorIs(t, err, gift.ErrPaused)
		}
	}
	require.Equal(t, 5, compared)
	s.requireState(t, voucher.InTransfer, s.ann)
}

// TestEveryState tries to give, to claim and to take back a voucher in every state: what the table does not name changes nothing.
func TestEveryState(t *testing.T) {
	s := open(t, tenanttest.Package{Price: 100_00, Items: 2, Transfers: 5})
	offer := uuid.New()
	s.Force(`INSERT INTO offer (id, seller_id, state, price_satang, royalty_satang, fee_satang, created_at, expires_at) VALUES ($1, $2, 'open', 100, 0, 0, $3, $4)`,
		offer, s.ann.Subject, s.Clock.Now(), s.Clock.Now().AddDate(1, 0, 0))
	for _, from := range tenanttest.States {
		for _, step := range []struct {
			event voucher.Event
			do    func(g gift.Gift) error
		}{
			{voucher.Give, func(gift.Gift) error {
				_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), s.input())
				return err
			}},
			{voucher.Claim, func(g gift.Gift) error { _, err := s.Gift.Receive(t.Context(), s.bob, link(g)); return err }},
			{voucher.WithdrawGift, func(g gift.Gift) error { _, err := s.Gift.Withdraw(t.Context(), s.ann, g.ID); return err }},
		} {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			var g gift.Gift
			if from == voucher.InTransfer || step.event != voucher.Give {
				g = s.give(t)
			}
			if from != voucher.InTransfer {
				s.Force(`UPDATE voucher SET state = $2, gift_id = NULL, offer_id = CASE $2 WHEN 'on_sale' THEN $3::uuid END, items_left = CASE $2 WHEN 'used' THEN 0 ELSE items_left END
					WHERE id = $1`, s.voucher.ID, from, offer)
				s.Force(`UPDATE gift SET state = 'stopped', ended_at = now() WHERE id = $1`, g.ID) // as by what brought it there
			}
			err := step.do(g)
			want, may := voucher.Next(from, step.event)
			if !may {
				want = from
			}
			state, _ := s.state()
			require.Equal(t, want, state, "%s: %s", from, step.event)
			if step.event != voucher.WithdrawGift { // a gift that has ended says how
				var fault error
				switch {
				case may:
				case step.event == voucher.Give:
					fault = tenanttest.StateFaults[from]
				default:
					fault = gift.ErrOver
				}
				require.ErrorIs(t, err, fault, "%s: %s", from, step.event)
			}
		}
	}
}

// TestScheduled: a gift is made for a day and an hour.
func TestScheduled(t *testing.T) {
	at := func(moment time.Time) func(*gift.Input) { return func(in *gift.Input) { in.Begins = &moment } }

	t.Run("its link is not open before, and its giver gets a message when it is", func(t *testing.T) {
		s := open(t, threeItems)
		begins := clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, 3)).Add(9 * time.Hour)
		g := s.give(t, at(begins))
		require.Equal(t, "scheduled", g.State)
		require.Equal(t, clock.Start(clock.Day(begins).AddDate(0, 0, 8)), g.ExpiresAt.UTC(), "its days count from its beginning")
		s.requireState(t, voucher.InTransfer, s.ann)

		for _, try := range []func() error{
			func() error { _, err := s.Gift.Open(t.Context(), s.bob, link(g)); return err },
			func() error { _, err := s.Gift.Receive(t.Context(), s.bob, link(g)); return err },
			func() error { return s.Gift.Decline(t.Context(), s.bob, link(g)) },
		} {
			err := try()
			require.ErrorIs(t, err, gift.ErrOver)
			require.Equal(t, gift.OverDetail{State: "scheduled", People: 1}, fault.From(err).Detail)
		}
		_, err := s.Gift.Extend(t.Context(), s.ann, g.ID)
		require.ErrorIs(t, err, gift.ErrOver)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		require.Zero(t, s.Count(`SELECT count(*) FROM message WHERE kind = 'gift_due'`))

		s.Clock.Advance(begins.Sub(s.Clock.Now()))
		for range 2 {
			require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		}
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'gift_due' AND customer_id = $1 AND subject_id = $2`, s.ann.Subject, g.ID))
		now, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, "open", now.State)
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.requireState(t, voucher.Ready, s.bob)
	})

	t.Run("it is open at its moment also before the worker has come by, and returned after its days", func(t *testing.T) {
		s := open(t, threeItems)
		begins := s.Clock.Now().Add(5 * time.Hour)
		g := s.give(t, at(begins))
		s.Clock.Advance(5 * time.Hour)
		now, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, "open", now.State)
		s.Clock.Advance(now.ExpiresAt.Sub(s.Clock.Now()))
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.Equal(t, gift.OverDetail{State: voucher.Returned, People: 1}, fault.From(err).Detail)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		s.requireState(t, voucher.Ready, s.ann)
		require.Zero(t, s.Count(`SELECT count(*) FROM message WHERE kind = 'gift_due'`), "there is nothing to send any more")
	})

	t.Run("its giver opens it at once, or takes it back", func(t *testing.T) {
		s := open(t, threeItems)
		g := s.give(t, at(s.Clock.Now().AddDate(0, 0, 20)))
		_, err := s.Gift.Begin(t.Context(), s.bob, g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)
		for range 2 {
			now, err := s.Gift.Begin(t.Context(), s.ann, g.ID)
			require.NoError(t, err)
			require.Equal(t, "open", now.State)
			require.Equal(t, clock.Start(clock.Day(s.Clock.Now()).AddDate(0, 0, 8)), now.ExpiresAt.UTC())
		}
		_, err = s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		_, err = s.Gift.Begin(t.Context(), s.ann, g.ID)
		require.ErrorIs(t, err, gift.ErrOver)

		g = s.give(t, at(s.Clock.Now().AddDate(0, 0, 20)))
		withdrawn, err := s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Withdrawn, withdrawn.State)
		s.requireState(t, voucher.Ready, s.ann)
		s.Clock.Advance(20 * 24 * time.Hour)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		require.Zero(t, s.Count(`SELECT count(*) FROM message WHERE kind = 'gift_due'`))
	})

	t.Run("a moment that has passed, that is too far ahead, or after the last day is refused", func(t *testing.T) {
		s := open(t, threeItems)
		last := clock.Day(s.Clock.Now()).AddDate(0, 0, 30)
		s.EndVouchers(last)
		for _, moment := range []time.Time{s.Clock.Now(), s.Clock.Now().Add(-time.Hour), s.Clock.Now().AddDate(0, 0, 91), clock.Start(last.AddDate(0, 0, 1))} {
			in := s.input()
			in.Begins = &moment
			_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), in)
			require.ErrorIs(t, err, gift.ErrWhen, moment)
		}
		s.requireState(t, voucher.Ready, s.ann)
		g := s.give(t, at(clock.Start(last.AddDate(0, 0, 1)).Add(-time.Hour)))
		require.Equal(t, clock.Start(last.AddDate(0, 0, 1)), g.ExpiresAt.UTC())
	})

	t.Run("what ends an open gift ends it as well", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 1000_00, Items: 3, Transfers: 2})
		office := auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
		later := at(s.Clock.Now().AddDate(0, 0, 2))
		require.NoError(t, s.Gift.Stop(t.Context(), s.Org, office, s.give(t, later).ID))
		s.requireState(t, voucher.Ready, s.ann)

		s.give(t, later)
		s.In(func(ctx context.Context, tx db.Tx) error {
			return gift.StopOf(ctx, tx, office, []uuid.UUID{s.ann.Subject})
		})
		s.requireState(t, voucher.Ready, s.ann)

		g := s.give(t, later)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		s.requireState(t, voucher.Expired, s.ann)
		got, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Returned, got.State)
	})

	t.Run("the worker opens it while its giver withdraws it", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 100_00, Items: 3, Transfers: 50})
		for range 6 {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			g := s.give(t, at(s.Clock.Now().Add(time.Minute)))
			s.Clock.Advance(time.Minute)
			worker, withdraw := both(func() error { return s.Voucher.EndDue(context.Background(), s.Org) }, func() error {
				_, err := s.Gift.Withdraw(context.Background(), s.ann, g.ID)
				return err
			})
			require.NoError(t, errors.Join(worker, withdraw))
			s.requireState(t, voucher.Ready, s.ann)
		}
	})
}

// TestSiblings: what was made of one voucher says so to who holds several of it, and to nobody else.
func TestSiblings(t *testing.T) {
	s := open(t, tenanttest.Package{Price: 900_00, Items: 5, Transfers: 3})
	few := func(items int64) gift.Gift { return s.give(t, func(in *gift.Input) { in.Items = items }) }
	back, gone := few(2), few(1)
	_, err := s.Gift.Withdraw(t.Context(), s.ann, back.ID)
	require.NoError(t, err)
	_, err = s.Gift.Receive(t.Context(), s.bob, link(gone))
	require.NoError(t, err)
	other := s.MustBuy(s.ann, s.pkg)

	list, err := s.Voucher.List(t.Context(), s.ann, voucher.ListInput{State: "ready"})
	require.NoError(t, err)
	require.Len(t, list.Data, 3)
	first, own, left := map[uuid.UUID]int{}, int64(0), int64(0)
	for _, v := range list.Data {
		first[v.FirstSibling]++
		if v.ID != other.ID {
			own, left = own+v.Own, left+v.ItemsLeft
		}
	}
	require.Equal(t, map[uuid.UUID]int{s.voucher.ID: 2, other.ID: 1}, first)
	require.Equal(t, []int64{4, 4}, []int64{own, left}, "without the one that was given away")

	d, err := s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
	require.NoError(t, err)
	require.Len(t, d.Siblings, 1)
	require.EqualValues(t, 2, d.Siblings[0].ItemsLeft)
	d, err = s.Voucher.Detail(t.Context(), s.ann, d.Siblings[0].ID)
	require.NoError(t, err)
	require.Equal(t, s.voucher.ID, d.Siblings[0].ID)

	require.Empty(t, d.Hands, "nobody had it before her")
	his, err := s.Voucher.List(t.Context(), s.bob, voucher.ListInput{State: "all"})
	require.NoError(t, err)
	require.Len(t, his.Data, 1)
	require.Equal(t, his.Data[0].ID, his.Data[0].FirstSibling, "nothing of who gave it")
	d, err = s.Voucher.Detail(t.Context(), s.bob, his.Data[0].ID)
	require.NoError(t, err)
	require.Empty(t, d.Siblings)
	require.Equal(t, []string{"gift"}, d.Hands)
}
