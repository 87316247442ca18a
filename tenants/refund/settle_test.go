package refund_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// shop is an organisation with staff, a service point and an agent, and one customer who buys.
type shop struct {
	*tenanttest.World
	system, point, agent uuid.UUID
	staff, ann           token.Session
}

func open(t *testing.T) *shop {
	t.Helper()
	w := tenanttest.New(t)
	s := &shop{World: w, system: w.AddPaymentSystem(), point: w.ServicePoint(), staff: w.Staff(), ann: w.Customer(0)}
	s.agent = w.Agent(w.Customer(0), 1000)
	return s
}

// topUp brings money into a customer's wallet and returns its charge.
func (s *shop) topUp(t *testing.T, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	c, err := s.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(c.ID)
	return c.ID
}

// direct buys one piece past the wallet and returns the order's charge.
func (s *shop) direct(t *testing.T, who token.Session, pkg uuid.UUID) uuid.UUID {
	t.Helper()
	o, err := s.Order.Pay(t.Context(), who, tenanttest.Key(), "", order.PayInput{BuyInput: s.Quote(who, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	s.PayAtGateway(o.ID)
	return o.ID
}

// gatewaySays is where the gateway says something new of a charge, and the books balance.
func (s *shop) gatewaySays(t *testing.T, charge uuid.UUID, change func(*payment.Charge)) {
	t.Helper()
	s.turn(t, charge, change)
	s.MustBalance()
}

// turn is where the gateway says something new of a charge, twice over.
func (s *shop) turn(t *testing.T, paid uuid.UUID, change func(*payment.Charge)) {
	t.Helper()
	name := s.Pay.SetCharge(paid, change)
	for range 2 {
		require.NoError(t, s.Charge.HandleGatewayEvent(t.Context(), s.Org, charge.GatewayEventJob{System: s.system, GatewayID: name}))
	}
}

// decide is the worker's hour.
func (s *shop) decide(t *testing.T) {
	t.Helper()
	require.NoError(t, refund.Decide(t.Context(), s.DB, s.Org))
}

func disputed(state payment.Dispute) func(*payment.Charge) {
	return func(c *payment.Charge) { c.Dispute, c.Disputed = state, c.Amount }
}

func sentBack(by money.Amount) func(*payment.Charge) {
	return func(c *payment.Charge) { c.Refunded = min(c.Amount, c.Refunded+by) }
}

// use has staff confirm items of a voucher; what is over or on hold is not used.
func (s *shop) use(t *testing.T, who token.Session, v uuid.UUID, items int64) error {
	t.Helper()
	use, err := s.Voucher.StartUse(t.Context(), who, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: s.point, Items: items})
	if err != nil {
		return err
	}
	s.Scan(s.staff, use, s.point)
	_, err = s.Voucher.Confirm(t.Context(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: s.point})
	return err
}

type state struct {
	debt, owed money.Amount
	vouchers   map[string]int
	pending    money.Amount
}

func (s *shop) state(who token.Session) state {
	is := state{vouchers: map[string]int{}, pending: s.Pending(s.agent)}
	s.In(func(ctx context.Context, tx db.Tx) error {
		h, err := wallet.ReadHolding(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		is.debt = h.Debt
		for _, o := range h.Owes {
			is.owed += o.Amount
		}
		rows, err := tx.Query(ctx, `SELECT state, count(*)::int FROM voucher WHERE holder_id = $1 GROUP BY 1`, who.Subject)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			var n int
			if err := rows.Scan(&name, &n); err != nil {
				return err
			}
			is.vouchers[name] = n
		}
		return rows.Err()
	})
	return is
}

// TestTopUpChargedBack: money that filled the wallet, was spent and is taken back by the payer's bank.
func TestTopUpChargedBack(t *testing.T) {
	t.Run("a dispute freezes vouchers up to what is owed, and releases them when it is won", func(t *testing.T) {
		s := open(t)
		s.Visit(s.ann, s.agent, s.Package(tenanttest.Package{Price: 1}))
		before := s.Customer(0)
		s.topUp(t, before, 500_00)
		old := s.MustBuy(before, s.Package(tenanttest.Package{Price: 100_00}))
		paid := s.topUp(t, s.ann, 1000_00)
		first := s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 300_00, Items: 3}))
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 400_00}))
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 200_00}))
		require.NoError(t, s.use(t, s.ann, first.ID, 1))
		require.Equal(t, money.Amount(90_00), s.state(s.ann).pending)

		s.gatewaySays(t, paid, disputed(payment.DisputeOpen))
		is := s.state(s.ann)
		require.Zero(t, s.Balance(s.ann), "the wallet's balance is taken")
		require.Equal(t, money.Amount(900_00), is.owed)
		require.Equal(t, map[string]int{"frozen": 3}, is.vouchers)
		require.Equal(t, money.Amount(100_00), is.debt, "nothing stands for the item that was used")
		require.Zero(t, is.pending, "the agent has no commission of what is not paid")
		require.ErrorIs(t, s.use(t, s.ann, first.ID, 1), voucher.ErrFrozen)

		_, err := s.Order.Buy(t.Context(), s.ann, tenanttest.Key(), s.Quote(s.ann, s.Package(tenanttest.Package{}), 1))
		require.ErrorIs(t, err, customer.ErrDebt)
		require.Equal(t, customer.Debt{Amount: 100_00}, fault.From(err).Detail)
		_, err = s.Order.Pay(t.Context(), s.ann, tenanttest.Key(), "", order.PayInput{
			BuyInput: s.Quote(s.ann, s.Package(tenanttest.Package{Price: 50_00}), 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"},
		})
		require.ErrorIs(t, err, customer.ErrDebt)
		require.NoError(t, s.use(t, before, old.ID, 1), "another customer's voucher is untouched")

		s.gatewaySays(t, paid, disputed(payment.DisputeWon))
		is = s.state(s.ann)
		require.Equal(t, state{vouchers: map[string]int{"ready": 3}, pending: 90_00}, is)
		require.Equal(t, money.Amount(100_00), s.Balance(s.ann))
	})

	t.Run("a top-up settles the debt first, and the commission comes back with it", func(t *testing.T) {
		s := open(t)
		pkg := s.Package(tenanttest.Package{Price: 500_00})
		s.Visit(s.ann, s.agent, pkg)
		paid := s.topUp(t, s.ann, 500_00)
		v := s.MustBuy(s.ann, pkg)
		require.NoError(t, s.use(t, s.ann, v.ID, 1))
		s.gatewaySays(t, paid, disputed(payment.DisputeLost))
		require.Equal(t, state{debt: 500_00, owed: 500_00, vouchers: map[string]int{"used": 1}}, s.state(s.ann))

		s.topUp(t, s.ann, 200_00)
		s.MustBalance()
		require.Zero(t, s.Balance(s.ann))
		require.Equal(t, state{debt: 300_00, owed: 300_00, vouchers: map[string]int{"used": 1}, pending: 20_00}, s.state(s.ann))
		s.topUp(t, s.ann, 350_00)
		s.MustBalance()
		require.Equal(t, money.Amount(50_00), s.Balance(s.ann))
		require.Equal(t, state{vouchers: map[string]int{"used": 1}, pending: 50_00}, s.state(s.ann))
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 50_00}))
	})

	t.Run("a lost dispute voids vouchers, and their worth beyond the debt goes to the wallet", func(t *testing.T) {
		s := open(t)
		small, other := s.topUp(t, s.ann, 100_00), s.topUp(t, s.ann, 500_00)
		s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 600_00}))
		s.gatewaySays(t, small, disputed(payment.DisputeOpen))
		require.Equal(t, map[string]int{"frozen": 1}, s.state(s.ann).vouchers)
		s.gatewaySays(t, small, disputed(payment.DisputeLost))
		require.Equal(t, state{vouchers: map[string]int{"void": 1}}, s.state(s.ann))
		require.Equal(t, money.Amount(500_00), s.Balance(s.ann))
		s.gatewaySays(t, other, disputed(payment.DisputeLost))
		require.Zero(t, s.Balance(s.ann))
		require.Zero(t, s.SystemBalance(ledger.ChargebackReceivable))
	})

	t.Run("two disputes freeze different vouchers, and each releases its own", func(t *testing.T) {
		s := open(t)
		a, b := s.topUp(t, s.ann, 300_00), s.topUp(t, s.ann, 300_00)
		for range 2 {
			s.MustBuy(s.ann, s.Package(tenanttest.Package{Price: 300_00}))
		}
		s.gatewaySays(t, a, disputed(payment.DisputeOpen))
		require.Equal(t, map[string]int{"frozen": 1, "ready": 1}, s.state(s.ann).vouchers)
		s.gatewaySays(t, b, disputed(payment.DisputeOpen))
		require.Equal(t, state{owed: 600_00, vouchers: map[string]int{"frozen": 2}}, s.state(s.ann))
		s.gatewaySays(t, a, disputed(payment.DisputeWon))
		require.Equal(t, state{owed: 300_00, vouchers: map[string]int{"frozen": 1, "ready": 1}}, s.state(s.ann))
		s.gatewaySays(t, b, disputed(payment.DisputeLost))
		require.Equal(t, state{vouchers: map[string]int{"void": 1, "ready": 1}}, s.state(s.ann))
	})
}

// TestSentBack: a refund that the gateway makes by itself takes whole unused items, and the rest is the organisation's to decide.
func TestSentBack(t *testing.T) {
	t.Run("a refund of all but a satang takes whole items back, and freezes the rest", func(t *testing.T) {
		s := open(t)
		pkg := s.Package(tenanttest.Package{Price: 1000_00, Vouchers: 2})
		s.Visit(s.ann, s.agent, pkg)
		paid := s.direct(t, s.ann, pkg)
		s.gatewaySays(t, paid, sentBack(999_99))
		require.Equal(t, state{owed: 499_99, vouchers: map[string]int{"refunded": 1, "frozen": 1}, pending: 0}, s.state(s.ann))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge_case WHERE kind = 'refund' AND amount_satang = 49999 AND closed_at IS NULL`))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM orders WHERE state = 'part_refunded'`))

		s.gatewaySays(t, paid, sentBack(1))
		require.Equal(t, state{vouchers: map[string]int{"refunded": 2}}, s.state(s.ann))
		require.Zero(t, s.SystemBalance(ledger.ChargebackReceivable))
		require.Zero(t, s.SystemBalance(ledger.Unearned))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM charge_case WHERE outcome = 'covered'`))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM orders WHERE state = 'refunded'`))
	})

	t.Run("after seven days the organisation bears the rest, as far as it has earned that much", func(t *testing.T) {
		s := open(t)
		paid := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 300_00, Items: 3}))
		v := s.first(paid)
		require.NoError(t, s.use(t, s.ann, v, 1))
		s.gatewaySays(t, paid, sentBack(150_00))
		require.Equal(t, state{owed: 50_00, vouchers: map[string]int{"frozen": 1}}, s.state(s.ann))
		s.decide(t)
		require.Equal(t, money.Amount(50_00), s.state(s.ann).owed, "not before its time")
		s.Clock.Advance(charge.CaseLifetime)
		s.decide(t)
		s.MustBalance()
		require.Equal(t, state{vouchers: map[string]int{"ready": 1}}, s.state(s.ann))
		require.Equal(t, money.Amount(97_00-50_00), s.SystemBalance(ledger.Payable))
		require.NoError(t, s.use(t, s.ann, v, 1))
		require.ErrorIs(t, s.use(t, s.ann, v, 1), voucher.ErrAlreadyUsed, "the third was taken back")

		poor := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 900_00}))
		s.gatewaySays(t, poor, sentBack(800_00))
		s.Clock.Advance(charge.CaseLifetime)
		s.decide(t)
		s.MustBalance()
		require.Zero(t, s.SystemBalance(ledger.Payable))
		require.Equal(t, money.Amount(800_00-(97_00-50_00+97_00)), s.state(s.ann).owed)
	})

	t.Run("a refund cuts a gift voucher to the satang, and ends its open use", func(t *testing.T) {
		s := open(t)
		paid := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 500_00, GiftValue: 600_00}))
		v := s.first(paid)
		_, err := s.Voucher.StartUse(t.Context(), s.ann, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: s.point, Items: 600_00})
		require.NoError(t, err)
		s.gatewaySays(t, paid, sentBack(100_00))
		require.Equal(t, state{vouchers: map[string]int{"ready": 1}}, s.state(s.ann))
		require.EqualValues(t, 480_01, s.Count(`SELECT items_left FROM voucher WHERE id = $1`, v))
		require.ErrorIs(t, s.use(t, s.ann, v, 600_00), voucher.ErrTooFew)
		require.NoError(t, s.use(t, s.ann, v, 480_01))
		require.Equal(t, money.Amount(388_00), s.SystemBalance(ledger.Payable))
	})

	t.Run("a full refund takes free vouchers back too, and frees their stock", func(t *testing.T) {
		s := open(t)
		one := 1
		pkg := s.Package(tenanttest.Package{Price: 100_00, Vouchers: 2, Stock: &one, PerCustomer: &one})
		paid := s.direct(t, s.ann, pkg)
		s.Force(`UPDATE voucher SET share_satang = CASE WHEN id = $1 THEN 9700 ELSE 0 END, fee_satang = CASE WHEN id = $1 THEN 300 ELSE 0 END WHERE order_id = $2`,
			s.first(paid), paid) // as a package with a free part has it
		s.gatewaySays(t, paid, sentBack(50_00))
		require.Equal(t, map[string]int{"ready": 1, "frozen": 1}, s.state(s.ann).vouchers)
		s.gatewaySays(t, paid, sentBack(50_00))
		require.Equal(t, state{vouchers: map[string]int{"refunded": 2}}, s.state(s.ann))
		s.direct(t, s.ann, pkg)
		s.MustBalance()
	})
}

// first is the first voucher of an order.
func (s *shop) first(order uuid.UUID) (id uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1 ORDER BY id LIMIT 1`, order).Scan(&id)
	})
	return id
}

// TestEveryOrder: a refund from outside, the end of validity with its money to the wallet, a use, a dispute that is lost, a top-up
// and the organisation's seven days, in every order. Nobody has more in the end than he paid, unless he owes it.
func TestEveryOrder(t *testing.T) {
	for _, paid := range []string{"directly", "from the wallet"} {
		t.Run("a purchase paid "+paid, func(t *testing.T) {
			s := open(t)
			pkg := s.Package(tenanttest.Package{Price: 299_99, Items: 3, Vouchers: 2, Extras: 1, ToWallet: true})
			for _, order := range permutations(5) {
				s.play(t, pkg, paid == "directly", order)
			}
		})
	}
}

func (s *shop) play(t *testing.T, pkg uuid.UUID, directly bool, order []int) {
	t.Helper()
	ann := s.Customer(0)
	s.Visit(ann, s.agent, pkg)
	var paid uuid.UUID
	if directly {
		paid = s.direct(t, ann, pkg)
	} else {
		paid = s.topUp(t, ann, 300_00)
		s.MustBuy(ann, pkg)
	}
	v := s.any(ann)
	did := ""
	for _, n := range order {
		switch n {
		case 0:
			did += ", 120.00 sent back"
			s.turn(t, paid, sentBack(120_00))
		case 1:
			did += ", expired"
			s.Clock.Advance(91 * 24 * time.Hour)
			s.In(s.Voucher.ExpireVouchers)
		case 2:
			did += ", used"
			_ = s.use(t, ann, v, 1) // or refused, where it is over or on hold
		case 3:
			did += ", disputed and lost"
			s.turn(t, paid, disputed(payment.DisputeOpen))
			s.turn(t, paid, disputed(payment.DisputeLost))
		case 4:
			did += ", topped up"
			s.topUp(t, ann, 100_00)
		}
	}
	s.Clock.Advance(charge.CaseLifetime)
	s.decide(t)
	s.MustBalance()
	in, out := s.account(ann)
	debt := s.state(ann).debt
	bore := money.Amount(s.Count(`SELECT coalesce(sum(m.amount_satang), 0) FROM charge_event m JOIN charge c ON c.id = m.charge_id WHERE m.kind = 'borne' AND c.customer_id = $1`, ann.Subject))
	require.LessOrEqual(t, out, in+debt+bore, "%s: out %d of %d, %d owed, %d borne", did, out, in, debt, bore)
}

// account is what a customer has paid, and what he has had for it: money back, money in the wallet, what he used or still can.
func (s *shop) account(who token.Session) (in, out money.Amount) {
	out = s.Balance(who)
	s.In(func(ctx context.Context, tx db.Tx) error {
		var back money.Amount
		err := tx.QueryRow(ctx, `SELECT coalesce(sum(captured_satang), 0)::bigint, coalesce(sum(refunded_satang + disputed_satang), 0)::bigint
			FROM charge WHERE customer_id = $1 AND state = 'captured'`, who.Subject).Scan(&in, &back)
		if err != nil {
			return err
		}
		out += back
		orders := []uuid.UUID{}
		rows, err := tx.Query(ctx, `SELECT id FROM orders WHERE customer_id = $1`, who.Subject)
		if err != nil {
			return err
		}
		for rows.Next() {
			var id uuid.UUID
			if err := rows.Scan(&id); err != nil {
				return err
			}
			orders = append(orders, id)
		}
		vouchers, err := voucher.LockOfOrders(ctx, tx, orders)
		for _, v := range vouchers {
			used := v.Total - v.Left - v.Out
			out += v.Sums.Slice(v.Kind, v.Total, 0, used).Paid()
			if v.State == voucher.Ready || v.State == voucher.InUse {
				out += v.Rest().Paid()
			}
		}
		return err
	})
	return in, out
}

func (s *shop) any(who token.Session) (id uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE holder_id = $1 ORDER BY id LIMIT 1`, who.Subject).Scan(&id)
	})
	return id
}

// permutations are the orders of n things.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{{}}
	}
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, append(append(append([]int{}, shorter[:at]...), n-1), shorter[at:]...))
		}
	}
	return all
}
