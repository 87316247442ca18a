package customer_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

type world struct {
	*tenanttest.World
	people *customer.Service
	system uuid.UUID
}

func newWorld(t *testing.T) world {
	t.Helper()
	w := tenanttest.New(t)
	return world{w, customer.New(w.DB, w.Box(), refund.Settle), w.AddPaymentSystem()}
}

func (w world) signIn(t *testing.T, sub string) token.Session {
	t.Helper()
	id, err := w.people.SignIn(context.Background(), w.Org, customer.LINEIdentity{Subject: sub, Name: sub})
	require.NoError(t, err)
	return token.Session{Audience: token.User, Org: w.Org, Subject: id}
}

// erase erases a customer. Whether something stands in the way is for the package privacy to say.
func (w world) erase(who token.Session) {
	w.Clock.Advance(time.Second)
	w.In(func(ctx context.Context, tx db.Tx) error {
		customer.Lock(tx, who.Subject)
		return w.people.Erase(ctx, tx, who.Subject)
	})
	w.Clock.Advance(time.Second)
}

// unpaid begins a top-up whose time runs out; the gateway still lets it be paid.
func (w world) unpaid(t *testing.T, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.Clock.Advance(charge.Lifetime)
	w.Check(c.ID)
	return c.ID
}

// spent is a top-up that bought something which has expired since.
func (w world) spent(t *testing.T, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(c.ID)
	w.MustBuy(who, w.Package(tenanttest.Package{Price: amount}))
	w.Clock.Advance(100 * 24 * time.Hour)
	w.In(w.Voucher.ExpireVouchers)
	return c.ID
}

func (w world) dispute(t *testing.T, id uuid.UUID, d payment.Dispute) {
	t.Helper()
	name := w.Pay.SetCharge(id, func(c *payment.Charge) { c.Dispute, c.Disputed = d, c.Amount })
	require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: w.system, GatewayID: name}))
	w.Clock.Advance(time.Second)
}

func (w world) moves() int64 {
	return w.Count(`SELECT count(*) FROM transfer WHERE kind = 'former_account'`)
}

// TestMoneyOfFormer: money that comes to somebody who has erased himself is his when he comes again, once, and nobody else's.
func TestMoneyOfFormer(t *testing.T) {
	t.Run("a late payment to a former customer is a movement of his new wallet", func(t *testing.T) {
		w := newWorld(t)
		ann := w.signIn(t, "U-ann")
		late := w.unpaid(t, ann, 300_00)
		w.erase(ann)
		w.PayAtGateway(late)
		require.Equal(t, money.Amount(300_00), w.Balance(ann))
		w.MustBalance()

		w.Clock.Advance(time.Hour)
		again := w.signIn(t, "U-ann")
		require.Zero(t, w.Balance(ann))
		require.Equal(t, money.Amount(300_00), w.Balance(again))
		page, err := w.Wallet.Movements(t.Context(), again, 0, nil)
		require.NoError(t, err)
		require.Len(t, page.Data, 1)
		m := page.Data[0]
		require.Equal(t, []any{"former_account", money.Amount(300_00), money.Amount(300_00), "เงินจากบัญชีเดิม", "Money of your former account"},
			[]any{m.Kind, m.Amount, m.After, m.TitleTH, m.TitleEN})
		w.MustBalance()

		w.Clock.Advance(time.Hour)
		require.Equal(t, again, w.signIn(t, "U-ann"), "the new account is found again")
		w.In(func(ctx context.Context, tx db.Tx) error { return refund.Settle(ctx, tx, ann.Subject, true) })
		require.EqualValues(t, 1, w.moves())
		require.Equal(t, money.Amount(300_00), w.Balance(again))
		w.MustBuy(again, w.Package(tenanttest.Package{Price: 300_00}))
		w.MustBalance()
	})

	t.Run("a dispute won after the erasure pays the debt first, then fills the new wallet", func(t *testing.T) {
		w := newWorld(t)
		ann := w.signIn(t, "U-ann")
		won, lost := w.spent(t, ann, 500_00), w.direct(t, ann, 200_00)
		w.dispute(t, won, payment.DisputeOpen)
		w.pays(t, ann, 500_00)
		w.erase(ann)
		w.dispute(t, won, payment.DisputeWon)
		require.Equal(t, money.Amount(500_00), w.Balance(ann))
		w.dispute(t, lost, payment.DisputeLost)
		require.EqualValues(t, 200_00, w.Count(`SELECT debt_satang FROM customer WHERE id = $1`, ann.Subject))
		w.MustBalance()

		again := w.signIn(t, "U-ann")
		require.Equal(t, []money.Amount{0, 300_00}, []money.Amount{w.Balance(ann), w.Balance(again)})
		require.Zero(t, w.Count(`SELECT sum(debt_satang) FROM customer`))
		require.Zero(t, w.SystemBalance(ledger.ChargebackReceivable))
		w.MustBalance()
	})

	t.Run("a debt stays as far as the former wallet does not cover it", func(t *testing.T) {
		w := newWorld(t)
		ann := w.signIn(t, "U-ann")
		lost, late := w.direct(t, ann, 500_00), w.unpaid(t, ann, 200_00)
		w.erase(ann)
		w.PayAtGateway(late)
		w.dispute(t, lost, payment.DisputeLost)
		require.Equal(t, money.Amount(200_00), w.Balance(ann))
		again := w.signIn(t, "U-ann")
		require.Zero(t, w.Balance(again))
		require.EqualValues(t, 300_00, w.Count(`SELECT debt_satang FROM customer WHERE id = $1`, again.Subject))
		require.EqualValues(t, 300_00, w.Count(`SELECT sum(debt_satang) FROM customer`))
		w.MustBalance()
	})

	t.Run("a customer erased twice has the money of both former wallets", func(t *testing.T) {
		w := newWorld(t)
		first := w.signIn(t, "U-ann")
		one, two := w.unpaid(t, first, 200_00), w.unpaid(t, first, 120_00)
		w.erase(first)
		w.PayAtGateway(one)
		second := w.signIn(t, "U-ann")
		require.Equal(t, money.Amount(200_00), w.Balance(second))
		three := w.unpaid(t, second, 103_00)
		w.erase(second) // with money in the wallet: privacy would refuse
		w.PayAtGateway(two)
		w.PayAtGateway(three)
		require.Zero(t, w.Balance(first), "the second is whom the first came again as")
		w.MustBalance()

		third := w.signIn(t, "U-ann")
		require.Equal(t, []money.Amount{0, 0, 423_00}, []money.Amount{w.Balance(first), w.Balance(second), w.Balance(third)})
		require.EqualValues(t, 2, w.moves())
		w.MustBalance()
	})

	t.Run("another LINE account does not get a former customer's money", func(t *testing.T) {
		w := newWorld(t)
		ann := w.signIn(t, "U-ann")
		late := w.unpaid(t, ann, 300_00)
		w.erase(ann)
		w.PayAtGateway(late)
		eve := w.signIn(t, "U-eve")
		w.erase(eve)
		for _, sub := range []string{"U-eve", "U-ann ", "u-ann", ann.Subject.String()} {
			other := w.signIn(t, sub)
			w.In(func(ctx context.Context, tx db.Tx) error { return refund.Settle(ctx, tx, other.Subject, true) })
			require.Zero(t, w.Balance(other), sub)
		}
		require.Equal(t, money.Amount(300_00), w.Balance(ann))
		require.Zero(t, w.moves())
	})

	t.Run("a customer whose pseudonym is forgotten gets nothing of his former wallet", func(t *testing.T) {
		w := newWorld(t)
		ann := w.signIn(t, "U-ann")
		late := w.unpaid(t, ann, 300_00)
		w.erase(ann)
		w.PayAtGateway(late)
		again := w.signIn(t, "U-ann")
		w.erase(again)
		w.Clock.Advance(25 * 31 * 24 * time.Hour)
		w.In(customer.ForgetFormer)
		require.Zero(t, w.Balance(w.signIn(t, "U-ann")))
		w.MustBalance()
	})

	t.Run("concurrent sign-ins move a former wallet's money once", func(t *testing.T) {
		w := newWorld(t)
		for range 10 {
			ann := w.signIn(t, "U-ann")
			before := w.moves()
			late := w.unpaid(t, ann, 300_00)
			w.erase(ann)
			w.PayAtGateway(late)
			ids := make([]uuid.UUID, 4)
			var group sync.WaitGroup
			for i := range ids {
				group.Go(func() {
					ids[i], _ = w.people.SignIn(context.Background(), w.Org, customer.LINEIdentity{Subject: "U-ann"})
				})
			}
			group.Wait()
			for _, id := range ids {
				require.Equal(t, ids[0], id)
			}
			require.Equal(t, before+1, w.moves())
		}
		require.Equal(t, money.Amount(10*300_00), w.Balance(w.signIn(t, "U-ann")))
		w.MustBalance()
	})

	t.Run("a sign-in beside the late payment loses no money", func(t *testing.T) {
		w := newWorld(t)
		ann := w.signIn(t, "U-ann")
		for i := range 20 {
			late := w.unpaid(t, ann, 100_00)
			w.erase(ann)
			w.Pay.SetCharge(late, func(c *payment.Charge) { c.State = payment.Paid })
			var again uuid.UUID
			var paid, came error
			var group sync.WaitGroup
			group.Go(func() { paid = w.Charge.Check(context.Background(), w.Org, late) })
			group.Go(func() {
				time.Sleep(time.Duration(i%5) * time.Millisecond)
				again, came = w.people.SignIn(context.Background(), w.Org, customer.LINEIdentity{Subject: "U-ann"})
			})
			group.Wait()
			require.NoError(t, paid)
			require.NoError(t, came)
			ann.Subject = again
			require.Equal(t, money.Amount(i+1)*100*money.Baht, w.Balance(ann))
		}
		w.MustBalance()
	})
}

// direct is an order that was paid past the wallet, and has expired since.
func (w world) direct(t *testing.T, who token.Session, amount money.Amount) uuid.UUID {
	t.Helper()
	in := order.PayInput{BuyInput: w.Quote(who, w.Package(tenanttest.Package{Price: amount}), 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
	o, err := w.Order.Pay(t.Context(), who, tenanttest.Key(), "", in)
	require.NoError(t, err)
	w.PayAtGateway(o.ID)
	w.Clock.Advance(100 * 24 * time.Hour)
	w.In(w.Voucher.ExpireVouchers)
	return o.ID
}

// pays tops a wallet up, in time.
func (w world) pays(t *testing.T, who token.Session, amount money.Amount) {
	t.Helper()
	c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(c.ID)
}
