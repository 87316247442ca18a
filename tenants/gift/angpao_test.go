package gift_test

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
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// pairOf is a package of some vouchers that may be given twice.
func pairOf(vouchers int) tenanttest.Package {
	return tenanttest.Package{Price: 1000_00, Vouchers: vouchers, Transfers: 2}
}

func forPeople(n int) func(*gift.Input) { return func(in *gift.Input) { in.People = n } }

// named gives a customer a name as LINE has it.
func (s shop) named(who token.Session, name string) {
	s.Force(`UPDATE customer SET display_name = $2 WHERE id = $1`, who.Subject, name)
}

func (s shop) held(who token.Session) int64 {
	return s.Count(`SELECT count(*) FROM voucher WHERE holder_id = $1 AND state = 'ready'`, who.Subject)
}

func (s shop) messages(kind string) int64 {
	return s.Count(`SELECT count(*) FROM message WHERE kind = $1 AND customer_id = $2`, kind, s.ann.Subject)
}

func TestAngpao(t *testing.T) {
	t.Run("each of the first people gets one, and its giver sees who, and when it begins and ends", func(t *testing.T) {
		s := open(t, pairOf(4))
		d, err := s.Voucher.Detail(t.Context(), s.ann, s.voucher.ID)
		require.NoError(t, err)
		require.Equal(t, 4, d.Alike)
		g := s.give(t, forPeople(3))
		require.Equal(t, 3, g.People)
		require.Len(t, g.Contents, 3)
		require.EqualValues(t, 1, s.held(s.ann), "the fourth stays")
		s.MustBalance()

		people := []token.Session{s.bob, s.Customer(0), s.Customer(0)}
		for i, who := range people {
			s.named(who, fmt.Sprintf("Name%d Family", i))
			w, err := s.Gift.Open(t.Context(), who, link(g))
			require.NoError(t, err)
			require.Equal(t, "open", w.State)
			require.Equal(t, 3-i, w.Left)
			require.Len(t, w.Contents, 1, "one is what each gets")
			require.Empty(t, w.Takers, "who has taken none sees nobody")
			got, err := s.Gift.Receive(t.Context(), who, link(g))
			require.NoError(t, err)
			require.Equal(t, "claimed", got.State)
			require.False(t, got.Given)
			require.Len(t, got.Contents, 1)
			require.NotNil(t, got.Contents[0].Voucher)
			require.Empty(t, got.Ref)
			require.EqualValues(t, 1, s.held(who))
			s.MustBalance()
		}
		given, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, "claimed", given.State)
		require.Len(t, given.Takers, 3)
		require.Equal(t, "Name2", given.Takers[0].Name, "the first of his names")
		seen, err := s.Gift.Open(t.Context(), people[1], link(g))
		require.NoError(t, err)
		require.Equal(t, "claimed", seen.State)
		require.Len(t, seen.Takers, 3)
		require.True(t, seen.Takers[1].Own)
		_, err = s.Gift.Open(t.Context(), s.Customer(0), link(g))
		require.Equal(t, gift.OverDetail{State: "claimed", People: 3}, fault.From(err).Detail)

		require.EqualValues(t, 1, s.messages("gift_first_taken"))
		require.EqualValues(t, 1, s.messages("gift_all_taken"))
		require.Zero(t, s.messages("gift_claimed"))

		list, err := s.Gift.List(t.Context(), people[2], nil)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, g.ID, list[0].ID)
		list, err = s.Gift.List(t.Context(), s.ann, nil)
		require.NoError(t, err)
		require.Len(t, list, 1, "one link is one gift")
	})

	t.Run("nobody gets two, nor does who gives it, and nobody declines it for the others", func(t *testing.T) {
		s := open(t, pairOf(3))
		g := s.give(t, forPeople(3))
		_, err := s.Gift.Receive(t.Context(), s.ann, link(g))
		require.ErrorIs(t, err, gift.ErrOwn)
		require.NoError(t, s.Gift.Decline(t.Context(), s.Customer(0), link(g)))
		take := func() error { _, err := s.Gift.Receive(context.Background(), s.bob, link(g)); return err }
		one, other := both(take, take) // in two sessions at once
		require.NotEqual(t, one == nil, other == nil, "%v, %v", one, other)
		require.ErrorIs(t, take(), gift.ErrHadOne)
		require.EqualValues(t, 1, s.held(s.bob))
		require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM voucher WHERE gift_id = $1`, g.ID))
		_, err = s.Gift.Detail(t.Context(), s.Customer(0), g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)
		s.MustBalance()
	})

	t.Run("many who open it at once: exactly as many as there are get one", func(t *testing.T) {
		const vouchers, openers = 10, 40
		s := open(t, pairOf(vouchers))
		g := s.give(t, forPeople(vouchers))
		people := make([]token.Session, openers)
		for i := range people {
			people[i] = s.Customer(0)
		}
		var wg sync.WaitGroup
		errs := make([]error, openers*2)
		for i := range errs { // everybody in two sessions
			wg.Go(func() { _, errs[i] = s.Gift.Receive(context.Background(), people[i%openers], link(g)) })
		}
		wg.Wait()
		won := 0
		for i := range errs {
			if errs[i] == nil {
				won++
				continue
			}
			require.Contains(t, []string{gift.ErrOver.Code, gift.ErrHadOne.Code}, fault.From(errs[i]).Code)
		}
		require.Equal(t, vouchers, won)
		require.EqualValues(t, vouchers, s.Count(`SELECT count(DISTINCT holder_id) FROM voucher WHERE holder_id <> $1`, s.ann.Subject))
		require.EqualValues(t, 1, s.messages("gift_first_taken"))
		require.EqualValues(t, 1, s.messages("gift_all_taken"))
		s.MustBalance()
	})

	t.Run("its giver takes back what is left; who has one keeps it", func(t *testing.T) {
		s := open(t, pairOf(3))
		g := s.give(t, forPeople(3))
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		got, err := s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Withdrawn, got.State)
		require.Len(t, got.Takers, 1)
		require.EqualValues(t, 2, s.held(s.ann))
		require.EqualValues(t, 1, s.held(s.bob))
		_, err = s.Gift.Receive(t.Context(), s.Customer(0), link(g))
		require.Equal(t, gift.OverDetail{State: voucher.Withdrawn, People: 3}, fault.From(err).Detail)
		his, err := s.Gift.Detail(t.Context(), s.bob, g.ID)
		require.NoError(t, err)
		require.Equal(t, "claimed", his.State, "for him it has been received")
		s.MustBalance()
	})

	t.Run("what is left comes back at its end, or when it is stopped, with one message of both", func(t *testing.T) {
		s := open(t, pairOf(6))
		g := s.give(t, forPeople(3))
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.Clock.Advance(g.ExpiresAt.Sub(s.Clock.Now()) - time.Hour)
		longer, err := s.Gift.Extend(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		s.Clock.Advance(longer.ExpiresAt.Sub(s.Clock.Now()))
		_, err = s.Gift.Receive(t.Context(), s.Customer(0), link(g))
		require.Equal(t, gift.OverDetail{State: voucher.Returned, People: 3}, fault.From(err).Detail)
		require.NoError(t, s.Voucher.EndDue(t.Context(), s.Org))
		require.EqualValues(t, 1, s.messages("gift_rest_returned"))
		require.Zero(t, s.messages("gift_returned"))
		require.EqualValues(t, 5, s.held(s.ann))
		list, err := s.Message.List(t.Context(), s.ann, nil)
		require.NoError(t, err)
		require.Equal(t, "1 of 3 envelopes of Aroma massage were taken in time.", list[0].TextEN)

		s.voucher.ID = *longer.Contents[1].Voucher
		g = s.give(t, forPeople(5))
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		office := auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
		require.NoError(t, s.Gift.Stop(t.Context(), s.Org, office, g.ID))
		require.EqualValues(t, 1, s.messages("gift_rest_stopped"))
		require.EqualValues(t, 4, s.held(s.ann))
		s.MustBalance()
	})

	t.Run("of one voucher each gets so many of its items", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 999_00, Items: 7, Transfers: 2})
		g := s.give(t, forPeople(3), func(in *gift.Input) { in.Items = 2 })
		require.EqualValues(t, 3, s.Count(`SELECT count(*) FROM voucher WHERE gift_id = $1 AND items_left = 2`, g.ID))
		s.requireState(t, voucher.Ready, s.ann)
		got, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.MustRedeem(s.bob, *got.Contents[0].Voucher, 2, s.staff, s.point)
		_, err = s.Gift.Withdraw(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		s.MustBalance()

		all := open(t, tenanttest.Package{Price: 999_00, Items: 3, Transfers: 2})
		g = all.give(t, forPeople(3), func(in *gift.Input) { in.Items = 1 })
		all.requireState(t, voucher.InTransfer, all.ann) // the last of them is the voucher itself
		for range 3 {
			_, err := all.Gift.Receive(t.Context(), all.Customer(0), link(g))
			require.NoError(t, err)
		}
		require.Zero(t, all.held(all.ann))
		all.MustBalance()
	})

	t.Run("what cannot be given to so many is refused", func(t *testing.T) {
		s := open(t, pairOf(3))
		try := func(who token.Session, change ...func(*gift.Input)) error {
			in := s.input()
			for _, c := range change {
				c(&in)
			}
			_, err := s.Gift.Give(t.Context(), who, tenanttest.Key(), in)
			return err
		}
		items := func(n int64) func(*gift.Input) { return func(in *gift.Input) { in.Items = n } }
		require.ErrorIs(t, try(s.bob, forPeople(2)), voucher.ErrNotFound)
		require.ErrorIs(t, try(s.ann, forPeople(4)), voucher.ErrTooFewAlike)
		require.ErrorIs(t, try(s.ann, forPeople(2), items(2)), voucher.ErrTooFew)
		s.Force(`UPDATE voucher SET transfers_left = 1 WHERE id <> $1`, s.voucher.ID)
		require.ErrorIs(t, try(s.ann, forPeople(2)), voucher.ErrTooFewAlike, "who gets the one may do other things than who gets the other")
		s.Force(`UPDATE voucher SET transfers_left = 0`)
		require.ErrorIs(t, try(s.ann, forPeople(2)), voucher.ErrNoTransfersLeft)
		s.Force(`UPDATE voucher SET transfers_left = 2, transfer_together = true`)
		require.ErrorIs(t, try(s.ann, forPeople(2)), voucher.ErrTogether)
		s.Force(`UPDATE voucher SET transfer_together = false`)
		other := s.MustBuy(s.ann, s.pkg)
		require.ErrorIs(t, try(s.ann, forPeople(4)), voucher.ErrTooFewAlike, "those of another order do not count")
		require.NotEqual(t, other.ID, s.voucher.ID)
		long := open(t, tenanttest.Package{Price: 999_00, Items: 7, Transfers: 2})
		in := long.input()
		in.People, in.Items = 4, 2
		_, err := long.Gift.Give(t.Context(), long.ann, tenanttest.Key(), in)
		require.ErrorIs(t, err, voucher.ErrTooFew)
	})

	t.Run("everybody thanks once, without a message for each", func(t *testing.T) {
		s := open(t, pairOf(2))
		g := s.give(t, forPeople(2))
		_, err := s.Gift.Thank(t.Context(), s.bob, g.ID)
		require.ErrorIs(t, err, gift.ErrNotFound)
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		for range 2 {
			thanked, err := s.Gift.Thank(t.Context(), s.bob, g.ID)
			require.NoError(t, err)
			require.NotNil(t, thanked.ThankedAt)
		}
		given, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.True(t, given.Takers[0].Thanked)
		require.Nil(t, given.ThankedAt)
		require.Zero(t, s.messages("gift_thanked"))
	})

	t.Run("the last one is claimed, withdrawn, stopped and expires at once: it goes one way", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 100_00, Vouchers: 2, Transfers: 50})
		office := auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject}
		for round := range 9 {
			s.voucher = s.MustBuy(s.ann, s.pkg)
			g := s.give(t, forPeople(2))
			_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
			require.NoError(t, err)
			late := s.Customer(0)
			receive := func() error { _, err := s.Gift.Receive(context.Background(), late, link(g)); return err }
			end := []func() error{
				func() error { _, err := s.Gift.Withdraw(context.Background(), s.ann, g.ID); return err },
				func() error { return s.Gift.Stop(context.Background(), s.Org, office, g.ID) },
				func() error {
					_, err := s.Gift.Receive(context.Background(), s.Customer(0), link(g))
					return err
				},
			}[round%3]
			_, _ = both(receive, end)
			s.MustBalance()
			require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM voucher v JOIN voucher_event n ON n.voucher_id = v.id AND n.event = 'give' WHERE n.gift_id = $1 AND v.state = 'ready'`, g.ID))
		}
	})

	t.Run("the end of its validity ends it and what is left of it", func(t *testing.T) {
		s := open(t, tenanttest.Package{Price: 1000_00, Vouchers: 3, Transfers: 1, ToWallet: true})
		g := s.give(t, forPeople(3))
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)
		s.EndVouchers(clock.Day(s.Clock.Now()).AddDate(0, 0, -1))
		s.In(s.Voucher.ExpireVouchers)
		require.Positive(t, s.Balance(s.bob))
		require.EqualValues(t, 1, s.messages("gift_rest_returned"))
		got, err := s.Gift.Detail(t.Context(), s.ann, g.ID)
		require.NoError(t, err)
		require.Equal(t, voucher.Returned, got.State)
		s.MustBalance()
	})

	t.Run("it waits for its day like a gift, and another organisation knows nothing of it", func(t *testing.T) {
		s := open(t, pairOf(2))
		begins := s.Clock.Now().Add(time.Hour)
		g := s.give(t, forPeople(2), func(in *gift.Input) { in.Begins = &begins })
		_, err := s.Gift.Receive(t.Context(), s.bob, link(g))
		require.Equal(t, gift.OverDetail{State: "scheduled", People: 2}, fault.From(err).Detail)
		s.Clock.Advance(time.Hour)
		_, err = s.Gift.Receive(t.Context(), s.bob, link(g))
		require.NoError(t, err)

		other := open(t, pairOf(2))
		for _, err := range []error{
			func() error { _, err := other.Gift.Receive(t.Context(), other.bob, link(g)); return err }(),
			func() error { _, err := other.Gift.Withdraw(t.Context(), other.ann, g.ID); return err }(),
			func() error { _, err := other.Gift.Detail(t.Context(), other.ann, uuid.New()); return err }(),
		} {
			require.ErrorIs(t, err, gift.ErrNotFound)
		}
	})
}
