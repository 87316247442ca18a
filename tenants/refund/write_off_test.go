package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// owed is a shop that has earned something, two people of its back office, and a customer who has used what his bank takes back.
type owed struct {
	*shop
	mali, tom token.Session
	charge    uuid.UUID
}

// openOwed opens one in which ann has used her three items of 300.00, and others have used what the shop earns a sum by.
func openOwed(t *testing.T, sold money.Amount) *owed {
	t.Helper()
	s := open(t)
	o := &owed{shop: s, mali: s.Owner(), tom: s.Owner()}
	p := s.Package(tenanttest.Package{Price: 300_00, Items: 3})
	s.Visit(s.ann, s.agent, p)
	o.charge = s.direct(t, s.ann, p)
	require.NoError(t, s.use(t, s.ann, s.first(o.charge), 3))
	if sold > 0 {
		bob := s.Customer(sold)
		require.NoError(t, s.use(t, bob, s.MustBuy(bob, s.Package(tenanttest.Package{Price: sold})).ID, 1))
	}
	s.Clock.Advance(3 * 24 * time.Hour) // nobody may object any more
	return o
}

func (o *owed) ask(amount money.Amount) (uuid.UUID, error) {
	asked, err := o.Refund.AskWriteOff(context.Background(), o.Org, actor(o.mali), tenanttest.Key(), refund.WriteOffInput{Charge: o.charge, Amount: amount, Reason: "moved abroad"})
	return asked.Approval, err
}

func (o *owed) mustAsk(t *testing.T, amount money.Amount) uuid.UUID {
	t.Helper()
	id, err := o.ask(amount)
	require.NoError(t, err)
	o.MustBalance()
	return id
}

func (o *owed) approve(who token.Session, id uuid.UUID) error {
	return o.Approval.Approve(context.Background(), who, actor(who), tenanttest.Key(), approval.Answer{ID: id})
}

// TestWriteOff: two people write off what a customer owes.
func TestWriteOff(t *testing.T) {
	t.Run("the organisation pays it, once, and the customer owes nothing any more", func(t *testing.T) {
		o := openOwed(t, 500_00)
		pending := o.Pending(o.agent)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		require.Equal(t, state{debt: 300_00, owed: 300_00, vouchers: map[string]int{"used": 1}, pending: pending - 30_00}, o.state(o.ann))
		payable := o.SystemBalance(ledger.Payable)

		id := o.mustAsk(t, 300_00)
		require.EqualValues(t, 300_00, o.state(o.ann).debt, "asking moves nothing")
		_, err := o.ask(300_00)
		require.ErrorIs(t, err, approval.ErrWaiting)
		require.ErrorIs(t, o.approve(o.mali, id), approval.ErrOwn)

		d, err := o.Approval.Detail(t.Context(), o.tom, actor(o.tom), approval.ByRequest{ID: id})
		require.NoError(t, err)
		require.Empty(t, d.Fault)
		shown := map[string][2]money.Amount{}
		for _, c := range d.Changes {
			shown[c.What] = [2]money.Amount{c.Before.Amount, c.After.Amount}
		}
		require.Equal(t, map[string][2]money.Amount{
			"debt": {300_00, 0}, "payable": {payable, payable - 300_00}, "owed": {270_00, 0}, "commission": {pending - 30_00, pending},
		}, shown)

		require.NoError(t, o.approve(o.tom, id))
		o.MustBalance()
		require.Equal(t, state{vouchers: map[string]int{"used": 1}}, o.state(o.ann))
		require.Equal(t, commission.Balance{Payable: pending}, o.Earned(o.agent), "all that he sold is used and paid, so it has matured")
		require.Equal(t, payable-300_00, o.SystemBalance(ledger.Payable))
		require.Zero(t, o.SystemBalance(ledger.ChargebackReceivable))
		require.ErrorIs(t, o.approve(o.tom, id), approval.ErrAnswered)
		_, err = o.ask(300_00)
		require.ErrorIs(t, err, refund.ErrDebtChanged, "nothing is written off twice")
		o.topUp(t, o.ann, 100_00)
		o.MustBalance()
		require.EqualValues(t, 100_00, o.Balance(o.ann))
	})

	t.Run("of a debt of which something was paid meanwhile it is asked for anew", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		id := o.mustAsk(t, 300_00)
		o.topUp(t, o.ann, 100_00)
		require.EqualValues(t, 200_00, o.state(o.ann).debt)
		d, err := o.Approval.Detail(t.Context(), o.tom, actor(o.tom), approval.ByRequest{ID: id})
		require.NoError(t, err)
		require.Equal(t, "refund.debt_changed", d.Fault)
		require.ErrorIs(t, o.approve(o.tom, id), refund.ErrDebtChanged)
		require.NoError(t, o.Approval.Withdraw(t.Context(), o.mali, actor(o.mali), approval.ByRequest{ID: id}))
		_, err = o.ask(300_00)
		require.ErrorIs(t, err, refund.ErrDebtChanged)
		require.NoError(t, o.approve(o.tom, o.mustAsk(t, 200_00)))
		o.MustBalance()
		require.Zero(t, o.state(o.ann).debt)
	})

	t.Run("refused while the organisation has not earned as much for good", func(t *testing.T) {
		o := openOwed(t, 10_00)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		id := o.mustAsk(t, 300_00)
		require.ErrorIs(t, o.approve(o.tom, id), refund.ErrNotEarned, "260.70 and 9.70")
		bob := o.Customer(100_00)
		require.NoError(t, o.use(t, bob, o.MustBuy(bob, o.Package(tenanttest.Package{Price: 100_00})).ID, 1))
		require.ErrorIs(t, o.approve(o.tom, id), refund.ErrNotEarned, "he may object still")
		o.Clock.Advance(3 * 24 * time.Hour)
		require.NoError(t, o.approve(o.tom, o.mustAsk(t, 300_00)))
		o.MustBalance()
	})

	t.Run("a dispute that is won then returns first what is owed, then what was written off", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeOpen))
		payable := o.SystemBalance(ledger.Payable)
		require.NoError(t, o.approve(o.tom, o.mustAsk(t, 300_00)))
		o.MustBalance()
		require.Equal(t, payable-300_00, o.SystemBalance(ledger.Payable))
		o.gatewaySays(t, o.charge, disputed(payment.DisputeWon))
		require.Equal(t, payable, o.SystemBalance(ledger.Payable))
		require.Zero(t, o.Balance(o.ann))
		require.Zero(t, o.SystemBalance(ledger.ChargebackReceivable))
	})

	t.Run("what was paid of the debt before is the payer's again when a dispute is won", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeOpen))
		o.topUp(t, o.ann, 120_00)
		payable := o.SystemBalance(ledger.Payable)
		require.NoError(t, o.approve(o.tom, o.mustAsk(t, 180_00)))
		o.gatewaySays(t, o.charge, disputed(payment.DisputeWon))
		require.Equal(t, payable, o.SystemBalance(ledger.Payable))
		require.EqualValues(t, 120_00, o.Balance(o.ann))
	})

	t.Run("what a voucher stands for is no debt, and is voided when the dispute is lost", func(t *testing.T) {
		o := openOwed(t, 500_00)
		p := o.Package(tenanttest.Package{Price: 300_00, Items: 3})
		o.charge = o.direct(t, o.ann, p)
		require.NoError(t, o.use(t, o.ann, o.first(o.charge), 1))
		o.Clock.Advance(3 * 24 * time.Hour)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeOpen))
		_, err := o.ask(300_00)
		require.ErrorIs(t, err, refund.ErrDebtChanged)
		require.NoError(t, o.approve(o.tom, o.mustAsk(t, 100_00)))
		o.MustBalance()
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		require.Equal(t, state{vouchers: map[string]int{"used": 1, "void": 1}, pending: o.Pending(o.agent)}, o.state(o.ann))
	})

	t.Run("what the gateway sent back and nobody covers, before its seven days, whose case ends by it", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, sentBack(150_00))
		require.NoError(t, o.approve(o.tom, o.mustAsk(t, 150_00)))
		o.MustBalance()
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM charge_case WHERE outcome = 'written_off'`))
		o.Clock.Advance(8 * 24 * time.Hour)
		o.decide(t)
		o.MustBalance()
		require.Zero(t, o.Count(`SELECT count(*) FROM charge_event WHERE kind = 'borne'`))
	})

	t.Run("once under a key, not without a reason, nor another organisation's", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		in, key := refund.WriteOffInput{Charge: o.charge, Amount: 300_00, Reason: " "}, tenanttest.Key()
		_, err := o.Refund.AskWriteOff(t.Context(), o.Org, actor(o.mali), key, in)
		require.ErrorIs(t, err, fault.At("reason", fault.Required))
		in.Reason = "moved abroad"
		var ids []uuid.UUID
		for range 2 {
			asked, err := o.Refund.AskWriteOff(t.Context(), o.Org, actor(o.mali), key, in)
			require.NoError(t, err)
			ids = append(ids, asked.Approval)
		}
		require.Equal(t, ids[0], ids[1])
		in.Reason = "another"
		_, err = o.Refund.AskWriteOff(t.Context(), o.Org, actor(o.mali), key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)
		in.Charge = uuid.New()
		_, err = o.Refund.AskWriteOff(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
		require.ErrorIs(t, err, fault.Missing)
		other := tenanttest.On(t, o.Server)
		_, err = other.Refund.AskWriteOff(t.Context(), other.Org, actor(other.Owner()), tenanttest.Key(), refund.WriteOffInput{Charge: o.charge, Amount: 300_00, Reason: "mine"})
		require.ErrorIs(t, err, fault.Missing)
		o.MustBalance()
	})

	t.Run("at once with a payment of the debt: each order of the two is whole", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		id := o.mustAsk(t, 300_00)
		more, err := o.Wallet.StartTopUp(t.Context(), o.ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		var both sync.WaitGroup
		var wrote error
		both.Go(func() { wrote = o.approve(o.tom, id) })
		both.Go(func() { o.PayAtGateway(more.ID) })
		both.Wait()
		o.MustBalance()
		is := o.state(o.ann)
		if wrote == nil {
			require.Equal(t, [2]money.Amount{0, 100_00}, [2]money.Amount{is.debt, o.Balance(o.ann)})
		} else {
			require.ErrorIs(t, wrote, refund.ErrDebtChanged)
			require.Equal(t, [2]money.Amount{200_00, 0}, [2]money.Amount{is.debt, o.Balance(o.ann)})
		}
	})

	t.Run("two debts at once, of which the organisation can pay one", func(t *testing.T) {
		o := openOwed(t, 0)
		cat := o.Customer(0)
		p := o.Package(tenanttest.Package{Price: 300_00, Items: 1})
		second := o.direct(t, cat, p)
		require.NoError(t, o.use(t, cat, o.first(second), 1))
		o.Clock.Advance(3 * 24 * time.Hour)
		for _, c := range []uuid.UUID{o.charge, second} {
			o.gatewaySays(t, c, disputed(payment.DisputeLost))
		}
		require.Less(t, o.SystemBalance(ledger.Payable), money.Amount(600_00))
		var ids []uuid.UUID
		for _, c := range []uuid.UUID{o.charge, second} {
			o.charge = c
			ids = append(ids, o.mustAsk(t, 300_00))
		}
		var both sync.WaitGroup
		errs := make([]error, 2)
		for i, id := range ids {
			both.Go(func() { errs[i] = o.approve(o.tom, id) })
		}
		both.Wait()
		o.MustBalance()
		require.GreaterOrEqual(t, o.SystemBalance(ledger.Payable), money.Amount(0))
		if errs[0] == nil {
			errs[0] = errs[1]
		}
		require.ErrorIs(t, errs[0], refund.ErrNotEarned)
	})
}
