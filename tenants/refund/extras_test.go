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
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// purchase is what a customer bought for 300 baht: two vouchers of 150 each, and one that came along for nothing.
type purchase struct {
	*shop
	t      *testing.T
	who    token.Session
	charge uuid.UUID // that paid it, or filled the wallet which did
	bought
}

type bought struct{ paid, other, extra uuid.UUID }

var twoAndOne = tenanttest.Package{Price: 300_00, Vouchers: 2, Extras: 1}

func (s *shop) paidDirectly(t *testing.T) *purchase {
	t.Helper()
	who := s.Customer(0)
	charge := s.direct(t, who, s.Package(tenanttest.Package{Price: 300_00, Vouchers: 2, Extras: 1, ToWallet: true}))
	return &purchase{s, t, who, charge, s.vouchersOf(charge)}
}

func (s *shop) paidFromWallet(t *testing.T) *purchase {
	t.Helper()
	who := s.Customer(0)
	charge := s.topUp(t, who, 300_00)
	return &purchase{s, t, who, charge, s.buys(t, who)}
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

// step is something that happens to a purchase, after which its extra is in a state.
type step struct {
	what  func(*purchase)
	extra voucher.State
}

func says(change func(*payment.Charge)) func(*purchase) {
	return func(d *purchase) { d.turn(d.t, d.charge, change) }
}

func disputedOf(state payment.Dispute, satang money.Amount) func(*purchase) {
	return says(func(c *payment.Charge) { c.Dispute, c.Disputed = state, satang })
}

func uses(which func(*purchase) uuid.UUID) func(*purchase) {
	return func(d *purchase) { require.NoError(d.t, d.use(d.t, d.who, which(d), 1)) }
}

func paidOne(d *purchase) uuid.UUID  { return d.paid }
func otherOne(d *purchase) uuid.UUID { return d.other }
func extraOne(d *purchase) uuid.UUID { return d.extra }

func tops(amount money.Amount) func(*purchase) {
	return func(d *purchase) { d.topUp(d.t, d.who, amount) }
}

func expires(d *purchase) {
	d.Clock.Advance(91 * 24 * time.Hour)
	d.In(d.Voucher.ExpireVouchers)
}

func bears(d *purchase) {
	d.Clock.Advance(charge.CaseLifetime)
	require.NoError(d.t, refund.Decide(d.t.Context(), d.DB, d.Org))
}

// TestExtras: the state of a free voucher follows the payment of its order.
func TestExtras(t *testing.T) {
	s := open(t)
	opened, won, lost := says(disputed(payment.DisputeOpen)), says(disputed(payment.DisputeWon)), says(disputed(payment.DisputeLost))
	back := func(satang money.Amount) func(*purchase) { return says(sentBack(satang)) }
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
		"an extra used before stays used":                 {{uses(extraOne), voucher.Used}, {opened, voucher.Used}, {lost, voucher.Used}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range []*purchase{s.paidDirectly(t), s.paidFromWallet(t)} {
				d.play(steps...)
			}
		})
	}

	t.Run("an extra of a wallet purchase is frozen while the used voucher is unpaid", func(t *testing.T) {
		d := s.paidFromWallet(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{opened, voucher.Frozen}, step{lost, voucher.Frozen}, step{tops(150_00), voucher.Ready})
		require.NoError(t, s.use(t, d.who, d.extra, 1))
	})

	t.Run("an extra of a wallet purchase is frozen until the organisation bears what was sent back", func(t *testing.T) {
		earns := s.paidDirectly(t)
		earns.play(step{uses(paidOne), voucher.Ready}, step{uses(otherOne), voucher.Ready})
		d := s.paidFromWallet(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{back(300_00), voucher.Frozen}, step{bears, voucher.Ready})
	})

	t.Run("an extra of an order paid directly is taken back with all of the money, whatever was used", func(t *testing.T) {
		d := s.paidDirectly(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{opened, voucher.Frozen}, step{lost, voucher.Void})
		d = s.paidDirectly(t)
		d.play(step{uses(paidOne), voucher.Ready}, step{back(300_00), voucher.Refunded})
		require.Equal(t, money.Amount(150_00), s.state(d.who).owed)
	})

	t.Run("an extra of an order paid directly is void after a lost dispute, though nothing is owed", func(t *testing.T) {
		d := s.paidDirectly(t)
		d.play(step{expires, voucher.Ready}, step{opened, voucher.Frozen}, step{tops(100_00), voucher.Ready})
		require.Zero(t, s.state(d.who).owed)
		d.play(step{lost, voucher.Void})
	})

	t.Run("an extra is frozen while a direct payment is back, also where part of it was borne", func(t *testing.T) {
		earns := s.paidDirectly(t)
		earns.play(step{uses(paidOne), voucher.Ready}, step{uses(otherOne), voucher.Ready})
		d := s.paidDirectly(t)
		d.play(step{back(140_00), voucher.Ready}, step{bears, voucher.Ready}, step{disputedOf(payment.DisputeOpen, 160_00), voucher.Frozen}, step{won, voucher.Ready})
	})

	t.Run("an extra stays frozen for a second charge when the first owes no more", func(t *testing.T) {
		ann := s.Customer(0)
		a := s.topUp(t, ann, 100_00)
		s.MustBuy(ann, s.Package(tenanttest.Package{Price: 100_00}))
		b := s.topUp(t, ann, 300_00)
		d := &purchase{s, t, ann, b, s.buys(t, ann)}
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

	t.Run("of two purchases the newest one's extra is frozen first", func(t *testing.T) {
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

	t.Run("a voucher of a free order stays as it was", func(t *testing.T) {
		d := s.paidFromWallet(t)
		gift := s.MustBuy(d.who, s.Package(tenanttest.Package{}))
		d.play(step{lost, voucher.Void})
		require.Equal(t, voucher.Ready, s.stateOf(gift.ID))
	})
}

// play has one step after the other happen, twice over, and the books balance.
func (d *purchase) play(steps ...step) {
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

// TestExtrasForNothing: a customer tries to use a free voucher without paying for its order.
func TestExtrasForNothing(t *testing.T) {
	s := open(t)
	opened, lost := disputed(payment.DisputeOpen), disputed(payment.DisputeLost)

	t.Run("an extra in use is not confirmed once its payment is disputed", func(t *testing.T) {
		d := s.paidFromWallet(t)
		use, err := s.Voucher.StartUse(t.Context(), d.who, tenanttest.Key(), voucher.UseInput{Voucher: d.extra, ServicePoint: s.point, Items: 1})
		require.NoError(t, err)
		s.Scan(s.staff, use, s.point)
		s.gatewaySays(t, d.charge, opened)
		_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: s.point})
		require.ErrorIs(t, err, voucher.ErrSessionOver)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		s.gatewaySays(t, d.charge, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrVoid)
	})

	t.Run("an extra kept while the paid vouchers were used is frozen until the debt is paid", func(t *testing.T) {
		d := s.paidFromWallet(t)
		require.NoError(t, s.use(t, d.who, d.paid, 1))
		require.NoError(t, s.use(t, d.who, d.other, 1))
		s.gatewaySays(t, d.charge, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		require.Equal(t, money.Amount(300_00), s.state(d.who).debt)
		s.topUp(t, d.who, 300_00)
		s.MustBalance()
		require.NoError(t, s.use(t, d.who, d.extra, 1), "the debt is paid")
	})

	t.Run("an extra is frozen again when the payment of the debt is disputed", func(t *testing.T) {
		d := s.paidFromWallet(t)
		require.NoError(t, s.use(t, d.who, d.paid, 1))
		s.gatewaySays(t, d.charge, lost)
		pays := s.topUp(t, d.who, 150_00)
		require.Equal(t, voucher.Ready, s.stateOf(d.extra))
		s.gatewaySays(t, pays, lost)
		require.ErrorIs(t, s.use(t, d.who, d.extra, 1), voucher.ErrFrozen)
		require.Equal(t, money.Amount(150_00), s.state(d.who).debt)
	})

	t.Run("a refund of another payment does not release a frozen extra", func(t *testing.T) {
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

	t.Run("an extra of two payments is frozen once both are asked back", func(t *testing.T) {
		ann := s.Customer(0)
		a, b := s.topUp(t, ann, 150_00), s.topUp(t, ann, 150_00)
		d := &purchase{s, t, ann, a, s.buys(t, ann)}
		s.gatewaySays(t, a, opened)
		require.Equal(t, voucher.Ready, s.stateOf(d.extra), "half of it is paid")
		s.gatewaySays(t, b, sentBack(150_00))
		require.ErrorIs(t, s.use(t, ann, d.extra, 1), voucher.ErrFrozen)
		s.gatewaySays(t, a, lost)
		require.Equal(t, voucher.Void, s.stateOf(d.extra))
	})

	t.Run("money sent back in parts refunds the extras, and gives their stock back once", func(t *testing.T) {
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

// TestWorthlessItems: items that are worth nothing because the price rounds to nothing for each go along with the last ones that were paid for.
func TestWorthlessItems(t *testing.T) {
	s := open(t)
	m := &market{shop: s}
	ann := s.Customer(10_00)
	v := s.MustBuy(ann, s.Package(tenanttest.Package{Price: 1, Items: 7})).ID
	require.EqualValues(t, 1, m.refund(t, v, 3).Amount)
	require.Equal(t, voucher.Refunded, s.stateOf(v))
	require.EqualValues(t, 4, s.Count(`SELECT items_left FROM voucher`))
	require.EqualValues(t, 10_00, s.Balance(ann))
	require.Zero(t, s.SystemBalance(ledger.Unearned))
	s.ReportsAgree(t)
}
