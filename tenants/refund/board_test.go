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
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// market is a shop with a board that takes nothing but the platform's fee, where ann has bought two vouchers of 500.00 by an agent.
type market struct {
	*shop
	bob      token.Session
	order    uuid.UUID
	vouchers []uuid.UUID
	topped   uuid.UUID // a top-up of ann's, if a test has one
}

func openMarket(t *testing.T, p tenanttest.Package) *market {
	t.Helper()
	s := open(t)
	s.OpenBoard(0)
	s.ann = s.Customer(20_000_00)
	s.VerifyMobile(s.ann)
	pkg := s.Package(p)
	s.Visit(s.ann, s.agent, pkg)
	o, err := s.Order.Buy(t.Context(), s.ann, tenanttest.Key(), s.Quote(s.ann, pkg, 1))
	require.NoError(t, err)
	m := &market{shop: s, bob: s.Customer(0), order: o.ID}
	for _, v := range o.Vouchers {
		m.vouchers = append(m.vouchers, v.ID)
	}
	return m
}

// two cost 500.00 each, and come with as many for nothing as said.
func two(extras int) tenanttest.Package {
	return tenanttest.Package{Price: 1000_00, Vouchers: 2, Items: 2, Transfers: 5, Extras: extras}
}

func (m *market) offer(t *testing.T, seller token.Session, v uuid.UUID, price money.Amount) uuid.UUID {
	t.Helper()
	m.VerifyMobile(seller)
	f, err := m.Board.Offer(t.Context(), seller, tenanttest.Key(), board.Input{Part: board.Part{Voucher: v, Items: 2}, Price: price})
	require.NoError(t, err)
	return f.ID
}

// sell has somebody buy a voucher from its holder's offer, from his wallet.
func (m *market) sell(t *testing.T, seller, buyer token.Session, v uuid.UUID, price money.Amount) {
	t.Helper()
	offer := m.offer(t, seller, v, price)
	_, err := m.Board.Buy(t.Context(), buyer, tenanttest.Key(), board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)
}

// sellDirect has bob pay an offer of ann's past his wallet, and returns the charge.
func (m *market) sellDirect(t *testing.T, v uuid.UUID, price money.Amount) uuid.UUID {
	t.Helper()
	p, err := m.Board.Pay(t.Context(), m.bob, tenanttest.Key(), "", board.PayInput{
		BuyInput:      board.BuyInput{Offer: m.offer(t, m.ann, v, price), Accepted: []uuid.UUID{}, Lang: "th"},
		PaymentMethod: charge.PaymentMethod{Method: "promptpay"},
	})
	require.NoError(t, err)
	m.PayAtGateway(p.ID)
	return p.ID
}

// settleOthers does what jobs do for a first payer: twice over.
func (m *market) settleOthers(t *testing.T) {
	t.Helper()
	for range 2 {
		m.In(func(ctx context.Context, tx db.Tx) error { return refund.Settle(ctx, tx, m.ann.Subject, true) })
		m.MustBalance()
	}
}

func (m *market) orderState() (state string) {
	m.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT state FROM orders WHERE id = $1`, m.order).Scan(&state)
	})
	return state
}

// TestBoughtOnTheBoard: money goes back that paid for what somebody else had bought first.
func TestBoughtOnTheBoard(t *testing.T) {
	t.Run("a dispute of the offer's own payment freezes what it bought, and won it is free", func(t *testing.T) {
		m := openMarket(t, two(0))
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		anns := m.Balance(m.ann)
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.Equal(t, voucher.Frozen, m.stateOf(m.vouchers[0]))
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[1]), "what its first payer has is not his")
		require.Equal(t, state{owed: 450_00, vouchers: map[string]int{"frozen": 1}, pending: 100_00}, m.state(m.bob))
		require.Equal(t, anns, m.Balance(m.ann), "the seller keeps his money")
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_frozen' AND customer_id = $1`, m.bob.Subject))
		m.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[0]))
		require.Equal(t, state{vouchers: map[string]int{"ready": 1}, pending: 100_00}, m.state(m.bob))
		require.Equal(t, "paid", m.orderState())
	})

	t.Run("lost, it is void: what lies behind it beyond the price is the buyer's, and the first payer's order and its agent have it taken back", func(t *testing.T) {
		m := openMarket(t, two(0))
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		anns := m.Balance(m.ann)
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		m.gatewaySays(t, paid, disputed(payment.DisputeLost))
		require.Equal(t, state{vouchers: map[string]int{"void": 1}, pending: 100_00}, m.state(m.bob))
		require.EqualValues(t, 50_00, m.Balance(m.bob))
		require.Equal(t, anns, m.Balance(m.ann))
		require.Equal(t, "part_refunded", m.orderState())
		m.settleOthers(t)
		require.EqualValues(t, 50_00, m.Pending(m.agent))
		require.Zero(t, m.SystemBalance(ledger.ChargebackReceivable))
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[1]))
	})

	t.Run("a top-up that was spent there stands frozen with what it bought in the market, the newest first", func(t *testing.T) {
		m := openMarket(t, two(0))
		top := m.topUp(t, m.bob, 1_400_00)
		own := m.MustBuy(m.bob, m.Package(tenanttest.Package{Price: 500_00}))
		m.Clock.Advance(time.Minute)
		m.sell(t, m.ann, m.bob, m.vouchers[0], 450_00)
		m.Clock.Advance(time.Minute)
		m.sell(t, m.ann, m.bob, m.vouchers[1], 450_00)
		m.gatewaySays(t, top, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 900_00 })
		require.Equal(t, []voucher.State{voucher.Frozen, voucher.Frozen, voucher.Ready}, []voucher.State{m.stateOf(m.vouchers[0]), m.stateOf(m.vouchers[1]), m.stateOf(own.ID)})
		m.gatewaySays(t, top, func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
		require.Equal(t, state{vouchers: map[string]int{"void": 2, "ready": 1}, pending: 100_00}, m.state(m.bob))
		require.EqualValues(t, 100_00, m.Balance(m.bob), "500.00 each of what he had for 450.00")
		require.Equal(t, "refunded", m.orderState())
		m.settleOthers(t)
		require.Zero(t, m.Pending(m.agent))
	})

	t.Run("what its buyer has sold on is not frozen: he owes it", func(t *testing.T) {
		m := openMarket(t, two(0))
		carl := m.Customer(5_000_00)
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		m.sell(t, m.bob, carl, m.vouchers[0], 500_00)
		m.spendAll(t, m.bob)
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[0]))
		require.EqualValues(t, 450_00, m.state(m.bob).debt)
		require.Zero(t, m.state(carl).debt)
		m.gatewaySays(t, paid, disputed(payment.DisputeLost))
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[0]))
		require.Equal(t, "paid", m.orderState())
	})

	t.Run("the first payer's own dispute leaves it with its buyer, who may owe as well: each has his own frozen", func(t *testing.T) {
		m := openMarket(t, two(0))
		top := m.topUp(t, m.ann, 1_000_00)
		order, err := m.Order.Buy(t.Context(), m.ann, tenanttest.Key(), m.Quote(m.ann, m.Package(two(0)), 1))
		require.NoError(t, err)
		sold, kept := order.Vouchers[0].ID, order.Vouchers[1].ID
		m.Clock.Advance(15 * 24 * time.Hour)
		paid := m.sellDirect(t, sold, 450_00)
		m.spendAll(t, m.ann)
		m.gatewaySays(t, top, disputed(payment.DisputeOpen))
		require.Equal(t, []voucher.State{voucher.Ready, voucher.Frozen}, []voucher.State{m.stateOf(sold), m.stateOf(kept)})
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.Equal(t, []voucher.State{voucher.Frozen, voucher.Frozen}, []voucher.State{m.stateOf(sold), m.stateOf(kept)})
		m.settleOthers(t)
		require.Equal(t, []voucher.State{voucher.Frozen, voucher.Frozen}, []voucher.State{m.stateOf(sold), m.stateOf(kept)}, "settling one lets go of nothing of the other's")
		m.gatewaySays(t, paid, disputed(payment.DisputeLost))
		m.settleOthers(t)
		m.gatewaySays(t, top, disputed(payment.DisputeLost))
		require.Equal(t, []voucher.State{voucher.Void, voucher.Void}, []voucher.State{m.stateOf(sold), m.stateOf(kept)})
	})

	t.Run("frozen while it is on sale again or on its way to somebody, it is its buyer's", func(t *testing.T) {
		m := openMarket(t, two(0))
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		again := m.offer(t, m.bob, m.vouchers[0], 500_00)
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.Equal(t, voucher.Frozen, m.stateOf(m.vouchers[0]))
		_, err := m.Board.Buy(t.Context(), m.Customer(5_000_00), tenanttest.Key(), board.BuyInput{Offer: again, Accepted: []uuid.UUID{}, Lang: "th"})
		require.ErrorIs(t, err, board.ErrOver)
		m.gatewaySays(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[0]))
	})

	t.Run("what came along for nothing stays its first payer's", func(t *testing.T) {
		m := openMarket(t, two(1))
		extra := m.vouchers[2]
		top := m.topUp(t, m.bob, 900_00)
		m.sell(t, m.ann, m.bob, m.vouchers[0], 450_00)
		m.sell(t, m.ann, m.bob, m.vouchers[1], 450_00)
		m.gatewaySays(t, top, disputed(payment.DisputeOpen))
		require.Equal(t, voucher.Ready, m.stateOf(extra))
		m.gatewaySays(t, top, disputed(payment.DisputeLost))
		m.settleOthers(t)
		require.Equal(t, []voucher.State{voucher.Void, voucher.Void, voucher.Ready}, []voucher.State{m.stateOf(m.vouchers[0]), m.stateOf(m.vouchers[1]), m.stateOf(extra)})
		require.Equal(t, "part_refunded", m.orderState())
	})

	t.Run("some of it used, the rest is frozen, and what that does not cover is a debt", func(t *testing.T) {
		m := openMarket(t, two(0))
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		require.NoError(t, m.use(t, m.bob, m.vouchers[0], 1))
		m.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		require.Equal(t, state{debt: 200_00, owed: 450_00, vouchers: map[string]int{"frozen": 1}, pending: 100_00}, m.state(m.bob))
		m.gatewaySays(t, paid, disputed(payment.DisputeLost))
		require.Equal(t, state{debt: 200_00, owed: 200_00, vouchers: map[string]int{"void": 1}, pending: 100_00}, m.state(m.bob))
		m.settleOthers(t)
		require.EqualValues(t, 75_00, m.Pending(m.agent))
	})

	t.Run("what the gateway sends back takes items that fit whole, and the rest is a case", func(t *testing.T) {
		m := openMarket(t, two(0))
		paid := m.sellDirect(t, m.vouchers[0], 450_00)
		m.gatewaySays(t, paid, sentBack(450_00))
		require.Equal(t, state{owed: 200_00, vouchers: map[string]int{"frozen": 1}, pending: 100_00}, m.state(m.bob), "an item is worth 250.00")
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM charge_case WHERE charge_id = $1 AND amount_satang = 20000 AND closed_at IS NULL`, paid))
		m.settleOthers(t)
		require.EqualValues(t, 75_00, m.Pending(m.agent))
	})
}

// spendAll takes all that is in a wallet.
func (m *market) spendAll(t *testing.T, who token.Session) {
	t.Helper()
	all := m.Balance(who)
	m.In(func(_ context.Context, tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: m.Adjustment(all)},
			ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, who.Subject), Credit: ledger.SystemAccount(ledger.Payable), Amount: all}))
	})
}
