package refund_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// deal is what somebody bought for 300 baht: two vouchers of 150 each, and one that came along for nothing.
type deal struct {
	*shop
	t      *testing.T
	who    token.Session
	charge uuid.UUID // that paid it, or filled the wallet which did
	bought
}

type bought struct{ paid, other, extra uuid.UUID }

var twoAndOne = tenanttest.Package{Price: 300_00, Vouchers: 2, Extras: 1}

func (s *shop) paidDirectly(t *testing.T) *deal {
	t.Helper()
	who := s.Customer(0)
	charge := s.direct(t, who, s.Package(tenanttest.Package{Price: 300_00, Vouchers: 2, Extras: 1, ToWallet: true}))
	return &deal{s, t, who, charge, s.vouchersOf(charge)}
}

func (s *shop) paidFromWallet(t *testing.T) *deal {
	t.Helper()
	who := s.Customer(0)
	charge := s.topUp(t, who, 300_00)
	return &deal{s, t, who, charge, s.buys(t, who)}
}

// buys one more from the wallet.
func (s *shop) buys(t *testing.T, who token.Session) bought {
	t.Helper()
	o, err := s.Order.Buy(t.Context(), who, tenanttest.Key(), s.Quote(who, s.Package(twoAndOne), 1))
	require.NoError(t, err)
	return s.vouchersOf(o.ID)
}

func (s *shop) vouchersOf(order uuid.UUID) (b bought) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT (array_agg(id ORDER BY id))[1], (array_agg(id ORDER BY id))[2], (array_agg(id ORDER BY id))[3] FROM voucher WHERE order_id = $1`,
			order).Scan(&b.paid, &b.other, &b.extra)
	})
	return b
}

func (s *shop) stateOf(v uuid.UUID) (state voucher.State) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT state FROM voucher WHERE id = $1`, v).Scan(&state)
	})
	return state
}

// step is something that happens to a deal, after which its extra is in a state.
type step struct {
	what  func(*deal)
	extra voucher.State
}

func says(change func(*payment.Charge)) func(*deal) {
	return func(d *deal) { d.turn(d.t, d.charge, change) }
}

func disputedOf(state payment.Dispute, satang money.Amount) func(*deal) {
	return says(func(c *payment.Charge) { c.Dispute, c.Disputed = state, satang })
}

func uses(which func(*deal) uuid.UUID) func(*deal) {
	return func(d *deal) { require.NoError(d.t, d.use(d.t, d.who, which(d), 1)) }
}

func paidOne(d *deal) uuid.UUID  { return d.paid }
func otherOne(d *deal) uuid.UUID { return d.other }
func extraOne(d *deal) uuid.UUID { return d.extra }

func tops(amount money.Amount) func(*deal) {
	return func(d *deal) { d.topUp(d.t, d.who, amount) }
}

func expires(d *deal) {
	d.Clock.Advance(91 * 24 * time.Hour)
	d.In(d.Voucher.ExpireVouchers)
}

func bears(d *deal) {
	d.Clock.Advance(charge.CaseLifetime)
	require.NoError(d.t, refund.Decide(d.t.Context(), d.DB, d.Org))
}

// TestExtras: what came along for nothing follows what was paid for it.
func TestExtras(t *testing.T) {
	s := open(t)
	opened, won, lost := says(disputed(payment.DisputeOpen)), says(disputed(payment.DisputeWon)), says(disputed(payment.DisputeLost))
	back := func(satang money.Amount) func(*deal) { return says(sentBack(satang)) }
	for name, steps := range map[string][]step{
		"a dispute is won":                                {{opened, voucher.Frozen}, {won, voucher.Ready}},
		"a dispute is lost":                               {{opened, voucher.Frozen}, {lost, voucher.Void}},
		"a dispute is lost at once":                       {{lost, voucher.Void}},
		"all of it is sent back":                          {{back(300_00), voucher.Refunded}},
		"half of it is sent back, then the other":         {{back(150_00), voucher.Ready}, {back(150_00), voucher.Refunded}},
		"half of it is sent back, the rest is disputed":   {{back(150_00), voucher.Ready}, {disputedOf(payment.DisputeOpen, 150_00), voucher.Frozen}, {lost, voucher.Void}},
		"half of it is sent back, the rest is won":        {{back(150_00), voucher.Ready}, {disputedOf(payment.DisputeOpen, 150_00), voucher.Frozen}, {won, voucher.Ready}},
		"a third of it is sent back":                      {{back(100_00), voucher.Ready}, {back(50_00), voucher.Ready}},
		"half of it is disputed":                          {{disputedOf(payment.DisputeOpen, 150_00), voucher.Ready}, {lost, voucher.Ready}},
		"half of it is lost, then all the rest sent back": {{disputedOf(payment.DisputeLost, 150_00), voucher.Ready}, {back(150_00), ""}},
		"what was used before stays used":                 {{uses(extraOne), voucher.Used}, {opened, voucher.Used}, {lost, voucher.Used}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range []*deal{s.paidDirectly(t), s.paidFromWallet(t)} {
				d.play(steps...)
			}
		})
	}

	t.Run("of a wallet's purchase it is frozen while all that is kept is unpaid, also when the dispute is lost, and free when the debt is paid", func(t *testing.T) {
		d := s.paidFromWallet(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{opened, voucher.Frozen}, step{lost, voucher.Frozen}, step{tops(150_00), voucher.Ready})
		require.NoError(t, s.use(t, d.who, d.extra, 1))
	})

	t.Run("and so it is while the organisation decides about what was sent back, until it bears that", func(t *testing.T) {
		earns := s.paidDirectly(t)
		earns.play(step{uses(paidOne), voucher.Ready}, step{uses(otherOne), voucher.Ready})
		d := s.paidFromWallet(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{back(300_00), voucher.Frozen}, step{bears, voucher.Ready})
	})

	t.Run("of an order that was paid directly it is taken back with all of the money, whatever of it is kept", func(t *testing.T) {
		d := s.paidDirectly(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{opened, voucher.Frozen}, step{lost, voucher.Void})
		d = s.paidDirectly(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{back(300_00), voucher.Refunded})
		require.Equal(t, money.Amount(150_00), s.state(d.who).owed)
	})

	t.Run("and also when nothing is owed any more", func(t *testing.T) {
		d := s.paidDirectly(t)
		d.play(step{expires, voucher.Ready}, step{opened, voucher.Frozen}, step{tops(100_00), voucher.Ready})
		require.Zero(t, s.state(d.who).owed)
		d.play(step{lost, voucher.Void})
	})

	t.Run("while all of a direct payment is back it is frozen, also where the organisation bore some of it", func(t *testing.T) {
		earns := s.paidDirectly(t)
		earns.play(step{uses(paidOne), voucher.Ready}, step{uses(otherOne), voucher.Ready})
		d := s.paidDirectly(t)
		d.play(step{back(140_00), voucher.Ready}, step{bears, voucher.Ready}, step{disputedOf(payment.DisputeOpen, 160_00), voucher.Frozen}, step{won, voucher.Ready})
	})

	t.Run("another charge that owes for all of it takes over from one that owes no more", func(t *testing.T) {
		ann := s.Customer(0)
		a := s.topUp(t, ann, 100_00)
		s.MustBuy(ann, s.Package(tenanttest.Package{Price: 100_00}))
		b := s.topUp(t, ann, 300_00)
		d := &deal{s, t, ann, b, s.buys(t, ann)}
		frozenFor := func() int64 {
			return s.Count(`SELECT CASE frozen_for WHEN $2 THEN 1 ELSE 2 END FROM voucher WHERE id = $1`, d.extra, a)
		}
		s.turn(t, a, disputed(payment.DisputeOpen))
		d.play(step{opened, voucher.Frozen})
		require.EqualValues(t, 1, frozenFor())
		s.turn(t, a, disputed(payment.DisputeWon))
		require.EqualValues(t, 2, frozenFor())
		d.play(step{lost, voucher.Void})
	})

	t.Run("of two purchases the newest is unpaid first", func(t *testing.T) {
		d := s.paidFromWallet(t)
		require.NoError(t, s.use(t, d.who, d.paid, 1))
		second := s.topUp(t, d.who, 300_00)
		more := s.buys(t, d.who)
		both := func() []voucher.State { return []voucher.State{s.stateOf(d.extra), s.stateOf(more.extra)} }
		s.gatewaySays(t, second, disputed(payment.DisputeOpen))
		require.Equal(t, []voucher.State{voucher.Ready, voucher.Frozen}, both())
		s.gatewaySays(t, d.charge, disputed(payment.DisputeOpen))
		require.Equal(t, []voucher.State{voucher.Frozen, voucher.Frozen}, both())
		s.gatewaySays(t, d.charge, disputed(payment.DisputeWon))
		require.Equal(t, []voucher.State{voucher.Ready, voucher.Frozen}, both())
		s.gatewaySays(t, second, disputed(payment.DisputeWon))
		require.Equal(t, []voucher.State{voucher.Ready, voucher.Ready}, both())
	})

	t.Run("an order that cost nothing is left alone", func(t *testing.T) {
		d := s.paidFromWallet(t)
		gift := s.MustBuy(d.who, s.Package(tenanttest.Package{}))
		d.play(step{lost, voucher.Void})
		require.Equal(t, voucher.Ready, s.stateOf(gift.ID))
	})
}

// play has one step after the other happen, twice over, and the books balance.
func (d *deal) play(steps ...step) {
	d.t.Helper()
	for n, next := range steps {
		next.what(d)
		if next.extra != "" {
			require.Equal(d.t, next.extra, d.stateOf(d.extra), "step %d", n)
		} else {
			require.NotContains(d.t, []voucher.State{voucher.Ready, voucher.InUse, voucher.Frozen}, d.stateOf(d.extra), "step %d", n)
		}
		d.MustBalance()
	}
}

// TestExtrasForNothing: somebody wants what came along without paying for what it came along with.
func TestExtrasForNothing(t *testing.T) {
	s := open(t)
	opened, lost := disputed(payment.DisputeOpen), disputed(payment.DisputeLost)

	t.Run("he shows it at the counter while his bank asks for the money", func(t *testing.T) {
		d := s.paidFromWallet(t)
		use, err := s.Voucher.StartUse(t.Context(), d.who, tenanttest.Key(), voucher.UseInput{Voucher: d.extra, ServicePoint: s.place, Items: 1})
		require.NoError(t, err)
		s.Scan(s.staff, use, s.place)
		s.gatewaySays(t, d.charge, opened)
		_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: s.place})
		require.ErrorIs(t, err, voucher.ErrSessionOver)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		s.gatewaySays(t, d.charge, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrVoid)
	})

	t.Run("he uses what he paid for and keeps the extra for after the dispute", func(t *testing.T) {
		d := s.paidFromWallet(t)
		require.NoError(t, s.use(t, d.who, d.paid, 1))
		require.NoError(t, s.use(t, d.who, d.other, 1))
		s.gatewaySays(t, d.charge, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		require.Equal(t, money.Amount(300_00), s.state(d.who).debt)
		s.topUp(t, d.who, 300_00)
		s.MustBalance()
		require.NoError(t, s.use(t, d.who, d.extra, 1), "he paid for it")
	})

	t.Run("what paid his debt is asked back as well", func(t *testing.T) {
		d := s.paidFromWallet(t)
		require.NoError(t, s.use(t, d.who, d.paid, 1))
		s.gatewaySays(t, d.charge, lost)
		pays := s.topUp(t, d.who, 150_00)
		require.Equal(t, voucher.Ready, s.stateOf(d.extra))
		s.gatewaySays(t, pays, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		require.Equal(t, money.Amount(150_00), s.state(d.who).debt)
	})

	t.Run("he buys something else with other money, and has a little sent back so that all is looked at again", func(t *testing.T) {
		d := s.paidFromWallet(t)
		s.gatewaySays(t, d.charge, opened)
		other := s.topUp(t, d.who, 301_00)
		more := s.buys(t, d.who)
		s.gatewaySays(t, other, sentBack(1))
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		require.NoError(t, s.use(t, d.who, more.extra, 1), "that is paid")
		s.gatewaySays(t, d.charge, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrVoid)
	})

	t.Run("two payments filled his wallet, and both are asked back", func(t *testing.T) {
		ann := s.Customer(0)
		a, b := s.topUp(t, ann, 150_00), s.topUp(t, ann, 150_00)
		d := &deal{s, t, ann, a, s.buys(t, ann)}
		s.gatewaySays(t, a, opened)
		require.Equal(t, voucher.Ready, s.stateOf(d.extra), "half of it is paid")
		s.gatewaySays(t, b, sentBack(150_00))
		require.ErrorIs(t, s.use(t, ann, d.extra, 1), voucher.ErrFrozen)
		s.gatewaySays(t, a, lost)
		require.Equal(t, voucher.Void, s.stateOf(d.extra))
	})

	t.Run("all of the money goes back, one part after the other, and the extra's line gives its stock back once", func(t *testing.T) {
		one := 1
		pkg := s.Package(tenanttest.Package{Price: 300_00, Vouchers: 2, Extras: 2, Stock: &one, PerCustomer: &one})
		ann := s.Customer(0)
		charge := s.topUp(t, ann, 300_00)
		s.MustBuy(ann, pkg)
		for range 3 {
			s.gatewaySays(t, charge, sentBack(100_00))
		}
		require.Equal(t, state{vouchers: map[string]int{"refunded": 4}}, s.state(ann))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM orders WHERE customer_id = $1 AND state = 'refunded'`, ann.Subject))
		s.topUp(t, ann, 300_00)
		s.MustBuy(ann, pkg)
		s.MustBalance()
	})
}
