package refund_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

func (s *shop) owner() auditlog.Actor { return auditlog.Actor{Kind: token.Owner, ID: s.staff.Subject} }

func (s *shop) freeze(id uuid.UUID) error {
	return s.Voucher.Freeze(context.Background(), s.Org, s.owner(), voucher.FreezeInput{ID: id, Reason: "sold twice"})
}

func (s *shop) release(id uuid.UUID) error {
	return s.Voucher.Release(context.Background(), s.Org, s.owner(), id)
}

func (s *shop) mustFreeze(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, s.freeze(id))
	s.MustBalance()
}

func (s *shop) mustRelease(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, s.release(id))
	s.MustBalance()
}

// is requires a voucher's state, and why it is frozen as its holder sees it.
func (s *shop) is(t *testing.T, who token.Session, id uuid.UUID, state voucher.State, because string) voucher.Detail {
	t.Helper()
	v, err := s.Voucher.Detail(t.Context(), who, id)
	require.NoError(t, err)
	require.Equal(t, state, v.State)
	require.Equal(t, because, v.Frozen)
	return v
}

// messagesTo are the kinds of the messages to somebody, the first one first, without those about money and uses.
func (s *shop) messagesTo(t *testing.T, who token.Session) (kinds []string) {
	t.Helper()
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(array_agg(kind ORDER BY id), '{}') FROM message WHERE customer_id = $1 AND kind NOT IN ('money_topped_up', 'use_confirmed')`, who.Subject).Scan(&kinds)
	})
	return kinds
}

// until is so many days after the last day that a voucher was sold for.
func (s *shop) until(v uuid.UUID, days int) (day string) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT (issued_until + $2::integer)::text FROM voucher WHERE id = $1`, v, days).Scan(&day)
	})
	return day
}

func TestOwnerFreeze(t *testing.T) {
	pkg := tenanttest.Package{Price: 300_00, Items: 3, Transfers: 2}

	t.Run("it cannot be used or given; its days are added, each that began", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(pkg))
		require.NoError(t, s.use(t, s.ann, v.ID, 1))

		s.mustFreeze(t, v.ID)
		s.is(t, s.ann, v.ID, voucher.Frozen, "shop")
		require.ErrorIs(t, s.use(t, s.ann, v.ID, 1), voucher.ErrFrozen)
		_, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: 1, Card: "thanks"})
		require.ErrorIs(t, err, voucher.ErrFrozen)
		require.Equal(t, []string{string(message.VoucherFrozenByShop)}, s.messagesTo(t, s.ann))

		s.Clock.Advance(49 * time.Hour)
		s.mustRelease(t, v.ID)
		require.Equal(t, s.until(v.ID, 3), s.is(t, s.ann, v.ID, voucher.Ready, "").ValidUntil)
		require.Equal(t, []string{string(message.VoucherFrozenByShop), string(message.VoucherReleasedByShop)}, s.messagesTo(t, s.ann))
		list, err := s.Message.List(t.Context(), s.ann, nil)
		require.NoError(t, err)
		until, err := time.Parse(time.DateOnly, s.until(v.ID, 3))
		require.NoError(t, err)
		require.Contains(t, list[0].TextEN, until.Format("02/01/2006"))

		require.NoError(t, s.use(t, s.ann, v.ID, 1))
		bob := s.Customer(0)
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: 1, Card: "thanks"})
		require.NoError(t, err)
		_, err = s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		s.MustBalance()
	})

	t.Run("what is split off has the days that were added before, and adds its own", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		bob := s.Customer(0)
		v := s.MustBuy(s.ann, s.Package(pkg))
		s.mustFreeze(t, v.ID)
		s.mustRelease(t, v.ID)
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: 1, Card: "thanks"})
		require.NoError(t, err)
		_, err = s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		slice := s.any(bob)
		require.Equal(t, s.until(v.ID, 1), s.is(t, bob, slice, voucher.Ready, "").ValidUntil)
		s.mustFreeze(t, v.ID)
		s.mustFreeze(t, slice)
		s.mustRelease(t, v.ID)
		require.Equal(t, s.until(v.ID, 2), s.is(t, s.ann, v.ID, voucher.Ready, "").ValidUntil)
		s.Clock.Advance(25 * time.Hour)
		s.mustRelease(t, slice)
		require.Equal(t, s.until(v.ID, 3), s.is(t, bob, slice, voucher.Ready, "").ValidUntil)
	})

	t.Run("a use ends with it", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(pkg))
		use, err := s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: s.point, Items: 1})
		require.NoError(t, err)
		s.Scan(s.staff, use, s.point)
		s.mustFreeze(t, v.ID)
		_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: s.point})
		require.ErrorIs(t, err, voucher.ErrSessionOver)
		s.mustRelease(t, v.ID)
		require.NoError(t, s.use(t, s.ann, v.ID, 3))
	})

	t.Run("a gift ends with it, and all that goes along is its giver's again", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 300_00, Vouchers: 3, Transfers: 1, Together: true}))
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: 1, Card: "thanks"})
		require.NoError(t, err)
		s.mustFreeze(t, v.ID)
		require.Equal(t, map[string]int{"frozen": 1, "ready": 2}, s.state(s.ann).vouchers)
		_, err = s.Gift.Receive(t.Context(), s.Customer(0), gift.Link{Ref: g.Ref})
		require.ErrorIs(t, err, gift.ErrOver)
		require.Equal(t, []string{string(message.GiftStopped), string(message.VoucherFrozenByShop)}, s.messagesTo(t, s.ann))
		s.mustRelease(t, v.ID)
	})

	t.Run("what is over is refused, each with its own fault", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(10_000_00)
		used := s.MustBuy(s.ann, s.Package(pkg))
		require.NoError(t, s.use(t, s.ann, used.ID, 3))
		require.ErrorIs(t, s.freeze(used.ID), voucher.ErrAlreadyUsed)
		bob := s.Customer(0)
		back := s.first(s.direct(t, bob, s.Package(pkg)))
		lost := s.first(s.direct(t, bob, s.Package(pkg)))
		for id, change := range map[uuid.UUID]func(*payment.Charge){back: sentBack(300_00), lost: disputed(payment.DisputeLost)} {
			var order uuid.UUID
			s.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT order_id FROM voucher WHERE id = $1`, id).Scan(&order)
			})
			s.gatewaySays(t, order, change)
		}
		require.ErrorIs(t, s.freeze(back), voucher.ErrRefunded)
		require.ErrorIs(t, s.freeze(lost), voucher.ErrVoid)
		due := s.MustBuy(s.ann, s.Package(pkg))
		s.Clock.Advance(91 * 24 * time.Hour)
		require.ErrorIs(t, s.freeze(due.ID), voucher.ErrExpired, "no worker has ended it yet")
		s.In(s.Voucher.ExpireVouchers)
		require.ErrorIs(t, s.freeze(due.ID), voucher.ErrExpired)
		require.ErrorIs(t, s.release(due.ID), voucher.ErrNotFrozen)
		s.MustBalance()
	})

	t.Run("nobody can release what is not frozen, freeze twice, without a reason, or what is another organisation's", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(pkg))
		require.ErrorIs(t, s.release(v.ID), voucher.ErrNotFrozen)
		require.ErrorIs(t, s.freeze(uuid.New()), fault.Missing)
		require.ErrorIs(t, s.release(uuid.New()), fault.Missing)
		require.Error(t, s.Voucher.Freeze(t.Context(), s.Org, s.owner(), voucher.FreezeInput{ID: v.ID, Reason: "  "}))
		other := tenanttest.On(t, s.Server)
		stranger := auditlog.Actor{Kind: token.Owner, ID: other.Staff().Subject}
		require.ErrorIs(t, other.Voucher.Freeze(t.Context(), other.Org, stranger, voucher.FreezeInput{ID: v.ID, Reason: "mine"}), fault.Missing)
		s.mustFreeze(t, v.ID)
		require.ErrorIs(t, s.freeze(v.ID), voucher.ErrFrozenAlready)
		require.ErrorIs(t, other.Voucher.Release(t.Context(), other.Org, stranger, v.ID), fault.Missing)
		s.mustRelease(t, v.ID)
		require.ErrorIs(t, s.release(v.ID), voucher.ErrNotFrozen)
		require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM audit_log WHERE object = 'voucher/' || $1::text AND action IN ('freeze', 'release')`, v.ID))
	})

	t.Run("released by many at once, the days are added once", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(pkg))
		var frozen, released atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if s.freeze(v.ID) == nil {
					frozen.Add(1)
				}
			})
		}
		all.Wait()
		for range 8 {
			all.Go(func() {
				if s.release(v.ID) == nil {
					released.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, frozen.Load())
		require.EqualValues(t, 1, released.Load())
		require.LessOrEqual(t, s.Count(`SELECT added_days FROM voucher WHERE id = $1`, v.ID), int64(1))
		s.MustBalance()
	})

	t.Run("it outlasts its validity, and has as long as it had", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(pkg))
		s.Clock.Advance(89 * 24 * time.Hour)
		s.mustFreeze(t, v.ID)
		s.Clock.Advance(30*24*time.Hour - time.Minute)
		s.In(s.Voucher.ExpireVouchers)
		s.is(t, s.ann, v.ID, voucher.Frozen, "shop")
		s.mustRelease(t, v.ID)
		require.Equal(t, s.until(v.ID, 30), s.is(t, s.ann, v.ID, voucher.Ready, "").ValidUntil)
		s.In(s.Voucher.ExpireVouchers)
		s.is(t, s.ann, v.ID, voucher.Ready, "")
		s.Clock.Advance(72 * time.Hour)
		s.In(s.Voucher.ExpireVouchers)
		s.MustBalance()
		s.is(t, s.ann, v.ID, voucher.Expired, "")
	})
}

// TestOwnerFreezeBesideMoney: the organisation's reason and money that is asked back, in every order.
func TestOwnerFreezeBesideMoney(t *testing.T) {
	pkg := tenanttest.Package{Price: 300_00, Items: 3, Transfers: 2}
	bought := func(t *testing.T) (s *shop, paid, v uuid.UUID) {
		s = open(t)
		p := s.Package(pkg)
		s.Visit(s.ann, s.agent, p)
		paid = s.direct(t, s.ann, p)
		return s, paid, s.first(paid)
	}
	over := func(t *testing.T, s *shop, paid uuid.UUID) {
		t.Helper()
		s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
	}

	t.Run("frozen, disputed, released, won", func(t *testing.T) {
		s, paid, v := bought(t)
		s.mustFreeze(t, v)
		s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.Equal(t, state{owed: 300_00, vouchers: map[string]int{"frozen": 1}}, s.state(s.ann), "it stands for what is owed")
		s.is(t, s.ann, v, voucher.Frozen, "dispute")
		s.Clock.Advance(time.Hour)
		s.mustRelease(t, v)
		require.Equal(t, s.until(v, 1), s.is(t, s.ann, v, voucher.Frozen, "dispute").ValidUntil)
		require.ErrorIs(t, s.release(v), voucher.ErrFrozen)
		require.Equal(t, []string{string(message.VoucherFrozenByShop), string(message.VoucherFrozen)}, s.messagesTo(t, s.ann), "it is on hold still")
		over(t, s, paid)
		require.Equal(t, s.until(v, 1), s.is(t, s.ann, v, voucher.Ready, "").ValidUntil)
		require.Equal(t, string(message.VoucherReleased), s.messagesTo(t, s.ann)[2])
		require.Equal(t, state{vouchers: map[string]int{"ready": 1}, pending: 30_00}, s.state(s.ann))
	})

	t.Run("disputed, frozen, won, released", func(t *testing.T) {
		s, paid, v := bought(t)
		s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.ErrorIs(t, s.release(v), voucher.ErrFrozen)
		s.mustFreeze(t, v)
		s.is(t, s.ann, v, voucher.Frozen, "dispute")
		over(t, s, paid)
		s.is(t, s.ann, v, voucher.Frozen, "shop")
		require.Equal(t, state{vouchers: map[string]int{"frozen": 1}, pending: 30_00}, s.state(s.ann))
		require.Equal(t, []string{string(message.VoucherFrozen), string(message.VoucherFrozenByShop)}, s.messagesTo(t, s.ann), "it is on hold still")
		s.mustRelease(t, v)
		s.is(t, s.ann, v, voucher.Ready, "")
		require.Equal(t, string(message.VoucherReleasedByShop), s.messagesTo(t, s.ann)[2])
	})

	t.Run("frozen twice during a dispute, and sent back after it", func(t *testing.T) {
		s, paid, v := bought(t)
		s.mustFreeze(t, v)
		s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		s.mustRelease(t, v)
		s.mustFreeze(t, v)
		over(t, s, paid)
		s.mustRelease(t, v)
		require.Equal(t, s.until(v, 2), s.is(t, s.ann, v, voucher.Ready, "").ValidUntil)
		s.mustFreeze(t, v)
		s.gatewaySays(t, paid, sentBack(300_00))
		s.is(t, s.ann, v, voucher.Refunded, "")
	})

	t.Run("a dispute that is lost makes it void, frozen by the organisation alone, or for the money as well", func(t *testing.T) {
		for _, openBefore := range []bool{true, false} {
			s, paid, v := bought(t)
			s.mustFreeze(t, v)
			if openBefore {
				s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
			}
			s.gatewaySays(t, paid, disputed(payment.DisputeLost))
			s.is(t, s.ann, v, voucher.Void, "")
			require.ErrorIs(t, s.release(v), voucher.ErrNotFrozen)
			require.Zero(t, s.Count(`SELECT count(*) FROM owner_freeze WHERE ended_at IS NULL OR released_by IS NOT NULL OR days > 0`))
		}
	})

	t.Run("the gateway sends back all of it, and some", func(t *testing.T) {
		s, paid, v := bought(t)
		s.mustFreeze(t, v)
		s.gatewaySays(t, paid, sentBack(100_00))
		s.is(t, s.ann, v, voucher.Frozen, "shop")
		require.EqualValues(t, 2, s.Count(`SELECT items_left FROM voucher WHERE id = $1`, v))
		s.gatewaySays(t, paid, sentBack(200_00))
		s.is(t, s.ann, v, voucher.Refunded, "")
		require.ErrorIs(t, s.release(v), voucher.ErrNotFrozen)
	})

	t.Run("a sum that no whole item covers freezes it, too", func(t *testing.T) {
		s, paid, v := bought(t)
		s.mustFreeze(t, v)
		s.gatewaySays(t, paid, sentBack(50_00))
		s.is(t, s.ann, v, voucher.Frozen, "refund")
		s.mustRelease(t, v)
		s.is(t, s.ann, v, voucher.Frozen, "refund")
		s.topUp(t, s.ann, 100_00)
		s.MustBalance()
		s.is(t, s.ann, v, voucher.Frozen, "refund")
	})

	t.Run("what came along for nothing", func(t *testing.T) {
		for _, freezePaid := range []bool{true, false} {
			s := open(t)
			d := s.paidDirectly(t)
			which := d.extra
			if freezePaid {
				which = d.paid
			}
			s.mustFreeze(t, which)
			s.gatewaySays(t, d.charge, disputed(payment.DisputeOpen))
			require.Equal(t, voucher.Frozen, s.stateOf(d.extra))
			s.gatewaySays(t, d.charge, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })
			require.Equal(t, voucher.Frozen, s.stateOf(which))
			s.mustRelease(t, which)
			require.Equal(t, []voucher.State{voucher.Ready, voucher.Ready}, []voucher.State{s.stateOf(d.paid), s.stateOf(d.extra)})
			s.mustFreeze(t, which)
			s.gatewaySays(t, d.charge, sentBack(300_00))
			require.Equal(t, []voucher.State{voucher.Refunded, voucher.Refunded}, []voucher.State{s.stateOf(d.paid), s.stateOf(d.extra)})
		}
	})

	t.Run("a use of it is undone: what comes back is not frozen, and has the days that were added before", func(t *testing.T) {
		s := open(t)
		s.ann = s.Customer(1000_00)
		v := s.MustBuy(s.ann, s.Package(pkg))
		s.mustFreeze(t, v.ID)
		s.mustRelease(t, v.ID)
		require.NoError(t, s.use(t, s.ann, v.ID, 1))
		var use, id uuid.UUID
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM redemption`).Scan(&use)
		})
		_, err := s.Objection.Object(t.Context(), s.ann, tenanttest.Key(), objection.Input{Use: use})
		require.NoError(t, err)
		s.mustFreeze(t, v.ID)
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM objection`).Scan(&id)
		})
		require.NoError(t, s.Objection.Decide(t.Context(), s.Org, s.owner(), objection.Decision{ID: id, Undo: true}))
		s.MustBalance()
		u, err := s.Objection.Use(t.Context(), s.ann, use)
		require.NoError(t, err)
		require.Equal(t, s.until(v.ID, 1), s.is(t, s.ann, *u.Anew, voucher.Ready, "").ValidUntil)
		s.mustRelease(t, v.ID)
		require.Equal(t, s.until(v.ID, 2), s.is(t, s.ann, v.ID, voucher.Ready, "").ValidUntil)
		require.Equal(t, s.until(v.ID, 1), s.is(t, s.ann, *u.Anew, voucher.Ready, "").ValidUntil)
		s.mustFreeze(t, *u.Anew)
		s.mustRelease(t, *u.Anew)
	})
}
