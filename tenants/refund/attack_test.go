package refund_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestWorthOfNothingOwed: where a gateway sent nothing back, or nothing more is owed, no satang is taken.
func TestWorthOfNothingOwed(t *testing.T) {
	t.Run("a disputed gift voucher is frozen whole", func(t *testing.T) {
		s := open(t)
		charge := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 500_00, GiftValue: 500_00}))
		s.gatewaySays(t, charge, disputed(payment.DisputeOpen))
		require.Equal(t, state{owed: 500_00, vouchers: map[string]int{"frozen": 1}}, s.state(s.ann))
		require.EqualValues(t, 500_00, s.Count(`SELECT items_left FROM voucher`))
		s.gatewaySays(t, charge, disputed(payment.DisputeWon))
		require.Equal(t, state{vouchers: map[string]int{"ready": 1}}, s.state(s.ann))
	})

	t.Run("a disputed voucher of items worth less than a satang each is frozen whole", func(t *testing.T) {
		s := open(t)
		charge := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1_00, Items: 200}))
		s.gatewaySays(t, charge, disputed(payment.DisputeOpen))
		require.Equal(t, map[string]int{"frozen": 1}, s.state(s.ann).vouchers)
		require.EqualValues(t, 200, s.Count(`SELECT items_left FROM voucher`))
	})
}

// TestBorneThenLost: an organisation bore small refunds; then the bank takes all the rest.
func TestBorneThenLost(t *testing.T) {
	s := open(t)
	earns := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1000_00}))
	require.NoError(t, s.use(t, s.ann, s.first(earns), 1))
	bob := s.Customer(0)
	paid := s.direct(t, bob, s.Package(tenanttest.Package{Price: 300_00, Vouchers: 3}))
	for range 2 {
		s.gatewaySays(t, paid, sentBack(90_00))
		s.Clock.Advance(charge.CaseLifetime)
		s.decide(t)
		s.MustBalance()
	}
	s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 120_00 })
	require.Equal(t, state{owed: 120_00, vouchers: map[string]int{"frozen": 3}}, s.state(bob))
	s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
	require.Equal(t, state{vouchers: map[string]int{"void": 2, "ready": 1}}, s.state(bob), "the organisation has borne what the third is worth")
	require.Zero(t, s.Balance(bob), "what is left of the second is the organisation's, which bore as much")
	require.Equal(t, money.Amount(970_00-180_00+80_00), s.SystemBalance(ledger.Payable))
}

// TestRefundedWhileDisputed: the organisation sends the money back while the bank holds it, and the dispute is closed for it.
func TestRefundedWhileDisputed(t *testing.T) {
	s := open(t)
	paid := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 300_00}))
	once := func(change func(*payment.Charge)) {
		name := s.Pay.SetCharge(paid, change)
		require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
		s.MustBalance()
	}
	once(disputed(payment.DisputeOpen))
	once(sentBack(300_00))
	once(func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
	require.Equal(t, state{vouchers: map[string]int{"refunded": 1}}, s.state(s.ann))
	require.Zero(t, s.Balance(s.ann))
}

// TestReleasedForAnother: a voucher that one charge releases is frozen for the next one at once.
func TestReleasedForAnother(t *testing.T) {
	s := open(t)
	a, b := s.topUp(t, s.ann, 300_00), s.topUp(t, s.ann, 300_00)
	v := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 300_00}))
	require.NoError(t, s.use(t, s.ann, v.ID, 1))
	w := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 300_00}))
	s.gatewaySays(t, a, disputed(payment.DisputeOpen))
	s.gatewaySays(t, b, disputed(payment.DisputeOpen))
	require.Equal(t, money.Amount(300_00), s.state(s.ann).debt)
	s.gatewaySays(t, a, disputed(payment.DisputeWon))
	require.Equal(t, state{owed: 300_00, vouchers: map[string]int{"frozen": 1, "used": 1}}, s.state(s.ann))
	require.Error(t, s.use(t, s.ann, w.ID, 1))
}

// TestSentBackAfterLost: a refund after a dispute was lost in part is the organisation's to decide.
func TestSentBackAfterLost(t *testing.T) {
	s := open(t)
	charge := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 300_00, Vouchers: 3}))
	s.gatewaySays(t, charge, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, 100_00 })
	require.Equal(t, state{vouchers: map[string]int{"void": 1, "ready": 2}}, s.state(s.ann))
	s.gatewaySays(t, charge, sentBack(50_00))
	require.Equal(t, state{owed: 50_00, vouchers: map[string]int{"void": 1, "frozen": 1, "ready": 1}}, s.state(s.ann))
	require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge_case WHERE kind = 'refund' AND amount_satang = 5000 AND closed_at IS NULL`))
	s.gatewaySays(t, charge, sentBack(50_00))
	require.Equal(t, state{vouchers: map[string]int{"void": 1, "refunded": 1, "ready": 1}}, s.state(s.ann))
}

// TestCaseGrows: the seven days begin anew for what is sent back on the sixth.
func TestCaseGrows(t *testing.T) {
	s := open(t)
	earns := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1000_00}))
	require.NoError(t, s.use(t, s.ann, s.first(earns), 1))
	paid := s.direct(t, s.Customer(0), s.Package(tenanttest.Package{Price: 300_00}))
	s.gatewaySays(t, paid, sentBack(10_00))
	s.Clock.Advance(charge.CaseLifetime - time.Hour)
	s.gatewaySays(t, paid, sentBack(200_00))
	s.Clock.Advance(2 * time.Hour)
	s.decide(t)
	require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge_case WHERE closed_at IS NULL`))
	s.Clock.Advance(charge.CaseLifetime)
	s.decide(t)
	s.MustBalance()
	require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge_case WHERE outcome = 'borne'`))
	require.Equal(t, money.Amount(970_00-210_00), s.SystemBalance(ledger.Payable))
}

// TestCaseWaitsForDispute: the organisation bears nothing that the payer's bank may return.
func TestCaseWaitsForDispute(t *testing.T) {
	s := open(t)
	earns := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 1000_00}))
	require.NoError(t, s.use(t, s.ann, s.first(earns), 1))
	paid := s.direct(t, s.Customer(0), s.Package(tenanttest.Package{Price: 300_00}))
	s.gatewaySays(t, paid, sentBack(100_00))
	s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 200_00 })
	s.Clock.Advance(2 * charge.CaseLifetime)
	s.decide(t)
	require.Equal(t, money.Amount(970_00), s.SystemBalance(ledger.Payable))
	s.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
	s.decide(t)
	s.MustBalance()
	require.LessOrEqual(t, s.SystemBalance(ledger.Payable), money.Amount(970_00))
	require.Zero(t, s.SystemBalance(ledger.ChargebackReceivable))
}

// TestAskedBackInAnyOrder: two payments filled a wallet, one before something was bought and one after it; both are asked back.
func TestAskedBackInAnyOrder(t *testing.T) {
	back := map[string]func(*payment.Charge){"disputed by the bank": disputed(payment.DisputeOpen), "sent back by the gateway": sentBack(300_00)}
	for name, change := range back {
		for _, first := range []int{0, 1} {
			t.Run(name, func(t *testing.T) {
				s := open(t)
				pkg := s.Package(tenanttest.Package{Price: 300_00})
				s.Visit(s.ann, s.agent, pkg)
				charges := []uuid.UUID{s.topUp(t, s.ann, 300_00)}
				v := s.MustBuy(s.ann, pkg)
				charges = append(charges, s.topUp(t, s.ann, 300_00))
				s.gatewaySays(t, charges[first], change)
				s.gatewaySays(t, charges[1-first], change)
				require.Error(t, s.use(t, s.ann, v.ID, 1), "all of its money is back")
				require.Zero(t, s.state(s.ann).pending, "the agent has no commission of it")
				require.Zero(t, s.Balance(s.ann))
			})
		}
	}
}

// TestDebtPaidWithMoneyAskedBack: a second payment paid for the item that was used; when that is disputed too, the rest of the
// first purchase stands for it.
func TestDebtPaidWithMoneyAskedBack(t *testing.T) {
	s := open(t)
	pkg := s.Package(tenanttest.Package{Price: 300_00, Items: 3})
	first := s.topUp(t, s.ann, 300_00)
	v := s.MustBuy(s.ann, pkg)
	require.NoError(t, s.use(t, s.ann, v.ID, 1))
	s.gatewaySays(t, first, disputed(payment.DisputeOpen))
	second := s.topUp(t, s.ann, 100_00)
	require.Equal(t, state{owed: 200_00, vouchers: map[string]int{"frozen": 1}, pending: 0}, s.state(s.ann))
	s.gatewaySays(t, first, disputed(payment.DisputeWon))
	require.Equal(t, money.Amount(100_00), s.Balance(s.ann))
	s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 100_00}))
	s.gatewaySays(t, second, disputed(payment.DisputeLost))
	require.Equal(t, state{vouchers: map[string]int{"ready": 1, "void": 1}}, s.state(s.ann))
}

// TestExpiredThenBoughtAgain: an order's money came back to the wallet and bought something else there.
func TestExpiredThenBoughtAgain(t *testing.T) {
	s := open(t)
	charge := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 300_00, ToWallet: true}))
	s.Clock.Advance(91 * 24 * time.Hour)
	s.In(s.Voucher.ExpireVouchers)
	v := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: s.Balance(s.ann)}))
	s.gatewaySays(t, charge, disputed(payment.DisputeOpen))
	require.ErrorIs(t, s.use(t, s.ann, v.ID, 1), voucher.ErrFrozen)
	s.gatewaySays(t, charge, disputed(payment.DisputeLost))
	require.Equal(t, map[string]int{"expired": 1, "void": 1}, s.state(s.ann).vouchers)
}

// TestWonThenSentBack: a bank returned what its payer had paid for meanwhile, so it came to his wallet; then the gateway sends it back.
func TestWonThenSentBack(t *testing.T) {
	won := func(t *testing.T) (s *shop, charge uuid.UUID) {
		s = open(t)
		pkg := s.Package(tenanttest.Package{Price: 300_00, Items: 3})
		s.Visit(s.ann, s.agent, pkg)
		charge = s.direct(t, s.ann, pkg)
		require.NoError(t, s.use(t, s.ann, s.any(s.ann), 1))
		s.gatewaySays(t, charge, disputed(payment.DisputeOpen))
		s.topUp(t, s.ann, 100_00)
		require.Zero(t, s.Balance(s.ann))
		s.gatewaySays(t, charge, disputed(payment.DisputeWon))
		require.Equal(t, money.Amount(100_00), s.Balance(s.ann))
		return s, charge
	}

	t.Run("money in the wallet is taken first", func(t *testing.T) {
		s, charge := won(t)
		s.gatewaySays(t, charge, sentBack(60_00))
		require.Equal(t, state{vouchers: map[string]int{"ready": 1}, pending: 30_00}, s.state(s.ann))
		require.Equal(t, money.Amount(40_00), s.Balance(s.ann))
		s.gatewaySays(t, charge, sentBack(60_00))
		require.Equal(t, money.Amount(20_00), s.state(s.ann).owed)
		require.Zero(t, s.Balance(s.ann))
	})

	t.Run("a voucher bought with the returned money is taken back", func(t *testing.T) {
		s, charge := won(t)
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 100_00}))
		s.gatewaySays(t, charge, sentBack(300_00))
		require.Equal(t, state{vouchers: map[string]int{"refunded": 2}, pending: 10_00}, s.state(s.ann))
	})

	t.Run("a used voucher bought with the returned money leaves a debt", func(t *testing.T) {
		s, charge := won(t)
		v := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 60_00}))
		require.NoError(t, s.use(t, s.ann, v.ID, 1))
		s.gatewaySays(t, charge, sentBack(300_00))
		require.Equal(t, state{debt: 60_00, owed: 60_00, vouchers: map[string]int{"refunded": 1, "used": 1}, pending: 10_00}, s.state(s.ann))
	})
}

// TestDebtOfOrderPaidWithMoneyAskedBack: a debt for a purchase past the wallet was paid from there, by money that is asked back.
func TestDebtOfOrderPaidWithMoneyAskedBack(t *testing.T) {
	s := open(t)
	pkg := s.Package(tenanttest.Package{Price: 300_00, Items: 3})
	s.Visit(s.ann, s.agent, pkg)
	first := s.direct(t, s.ann, pkg)
	require.NoError(t, s.use(t, s.ann, s.any(s.ann), 1))
	s.gatewaySays(t, first, disputed(payment.DisputeOpen))
	second := s.topUp(t, s.ann, 100_00)
	s.gatewaySays(t, first, disputed(payment.DisputeLost))
	require.Equal(t, state{vouchers: map[string]int{"void": 1}, pending: 10_00}, s.state(s.ann))
	s.gatewaySays(t, second, disputed(payment.DisputeLost))
	require.Equal(t, state{debt: 100_00, owed: 100_00, vouchers: map[string]int{"void": 1}}, s.state(s.ann))
}

// TestExpiredThenHeldBack: an order's money came back to the wallet and bought something there that stands for it.
func TestExpiredThenHeldBack(t *testing.T) {
	s := open(t)
	pkg := s.Package(tenanttest.Package{Price: 300_00, ToWallet: true})
	s.Visit(s.ann, s.agent, pkg)
	charge := s.direct(t, s.ann, pkg)
	s.Clock.Advance(91 * 24 * time.Hour)
	s.In(s.Voucher.ExpireVouchers)
	s.Visit(s.ann, s.agent, pkg)
	s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: s.Balance(s.ann)}))
	s.gatewaySays(t, charge, disputed(payment.DisputeOpen))
	require.Equal(t, map[string]int{"expired": 1, "frozen": 1}, s.state(s.ann).vouchers)
}

// TestExpiredThenUsed: an order's money came back to the wallet and bought something there that was used.
func TestExpiredThenUsed(t *testing.T) {
	s := open(t)
	charge := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 300_00, ToWallet: true}))
	s.Clock.Advance(91 * 24 * time.Hour)
	s.In(s.Voucher.ExpireVouchers)
	pkg := s.Package(tenanttest.Package{Price: s.Balance(s.ann)})
	s.Visit(s.ann, s.agent, pkg)
	v := s.MustBuy(s.ann, pkg)
	require.NoError(t, s.use(t, s.ann, v.ID, 1))
	s.gatewaySays(t, charge, sentBack(300_00))
	require.Zero(t, s.state(s.ann).pending, "all of it is unpaid")
}
