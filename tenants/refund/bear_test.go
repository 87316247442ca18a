package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// caseOf returns the newest case of the payment.
func (o *owed) caseOf(t *testing.T) (c charge.Case) {
	t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error {
		_, list, err := charge.OwedBy(ctx, tx, o.charge)
		c = list[len(list)-1]
		return err
	})
	return c
}

func (o *owed) bear(id uuid.UUID, amount money.Amount) error {
	return o.Refund.Bear(context.Background(), o.Org, actor(o.mali), tenanttest.Key(), refund.BearInput{ID: id, Amount: amount})
}

// TestBear: the organisation decides about what its gateway sent back.
func TestBear(t *testing.T) {
	t.Run("it bears it before the seven days, once, and what was frozen is released", func(t *testing.T) {
		o := openOwed(t, 500_00)
		p := o.Package(tenanttest.Package{Price: 300_00, Items: 3})
		o.charge = o.direct(t, o.ann, p)
		o.gatewaySays(t, o.charge, sentBack(50_00))
		c, payable := o.caseOf(t), o.SystemBalance(ledger.Payable)
		require.Equal(t, [2]any{"refund", money.Amount(50_00)}, [2]any{c.Kind, c.Amount})
		require.Equal(t, map[string]int{"used": 1, "frozen": 1}, o.state(o.ann).vouchers)
		require.ErrorIs(t, o.bear(c.ID, 40_00), refund.ErrDebtChanged)
		key, in := tenanttest.Key(), refund.BearInput{ID: c.ID, Amount: 50_00}
		for range 2 {
			require.NoError(t, o.Refund.Bear(t.Context(), o.Org, actor(o.mali), key, in))
			o.MustBalance()
		}
		require.Equal(t, payable-50_00, o.SystemBalance(ledger.Payable))
		require.Equal(t, map[string]int{"used": 1, "ready": 1}, o.state(o.ann).vouchers)
		require.Equal(t, "borne", o.caseOf(t).Outcome)
		require.ErrorIs(t, o.bear(c.ID, 50_00), refund.ErrCaseClosed)
		o.Clock.Advance(8 * 24 * time.Hour)
		o.decide(t)
		require.Equal(t, payable-50_00, o.SystemBalance(ledger.Payable))
		o.MustBalance()
	})

	t.Run("or ends the voucher, which covers it", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.charge = o.direct(t, o.ann, o.Package(tenanttest.Package{Price: 300_00, Items: 3}))
		o.gatewaySays(t, o.charge, sentBack(50_00))
		require.NoError(t, o.void(o.first(o.charge)))
		o.MustBalance()
		require.Equal(t, "covered", o.caseOf(t).Outcome)
		require.EqualValues(t, 250_00, o.Balance(o.ann))
	})

	t.Run("not while a bank has not decided, nor what it has not earned, nor another one's", func(t *testing.T) {
		o := openOwed(t, 0)
		o.gatewaySays(t, o.charge, sentBack(100_00))
		c := o.caseOf(t)
		other := tenanttest.On(t, o.Server)
		require.ErrorIs(t, other.Refund.Bear(t.Context(), other.Org, actor(other.Owner()), tenanttest.Key(), refund.BearInput{ID: c.ID, Amount: 100_00}), fault.Missing)
		o.gatewaySays(t, o.charge, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 50_00 })
		require.ErrorIs(t, o.bear(c.ID, 100_00), refund.ErrDisputed)
		o.gatewaySays(t, o.charge, func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
		require.ErrorIs(t, o.bear(o.caseOf(t).ID, 50_00), fault.Missing, "a bank's decision is no case to bear")
		require.NoError(t, o.bear(c.ID, 100_00))
		o.MustBalance()
		require.EqualValues(t, 50_00, o.state(o.ann).debt)
	})

	t.Run("what a bank returns covers it, and nothing is to be decided any more", func(t *testing.T) {
		o := openOwed(t, 0)
		o.charge = o.direct(t, o.ann, o.Package(tenanttest.Package{Price: 300_00, Items: 3, Vouchers: 3}))
		o.gatewaySays(t, o.charge, sentBack(50_00))
		c := o.caseOf(t)
		var free uuid.UUID
		o.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1 AND state = 'ready' LIMIT 1`, o.charge).Scan(&free)
		})
		_, err := o.Refund.Make(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), refund.Input{
			Choice: refund.Choice{Order: o.charge, Parts: []refund.Part{{Voucher: free, Items: 3}}}, Method: refund.Wallet, Reason: "other",
		})
		require.NoError(t, err)
		o.gatewaySays(t, o.charge, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 250_00 })
		o.gatewaySays(t, o.charge, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Zero(t, o.Count(`SELECT count(*) FROM charge_case WHERE closed_at IS NULL`))
		require.ErrorIs(t, o.bear(c.ID, 50_00), refund.ErrCaseClosed)
	})

	t.Run("at once with the clock, it is borne once", func(t *testing.T) {
		o := openOwed(t, 500_00)
		o.gatewaySays(t, o.charge, sentBack(100_00))
		c, payable := o.caseOf(t), o.SystemBalance(ledger.Payable)
		o.Clock.Advance(charge.CaseLifetime)
		var both sync.WaitGroup
		var by error
		both.Go(func() { by = o.bear(c.ID, 100_00) })
		both.Go(func() { _ = refund.Decide(context.Background(), o.DB, o.Org) })
		both.Wait()
		if by != nil {
			require.ErrorIs(t, by, refund.ErrCaseClosed)
		}
		o.MustBalance()
		require.Equal(t, payable-100_00, o.SystemBalance(ledger.Payable))
	})
}

// TestDisputeIsACase: what a bank takes back stands in the list until it has decided.
func TestDisputeIsACase(t *testing.T) {
	for outcome, decided := range map[string]payment.Dispute{"won": payment.DisputeWon, "lost": payment.DisputeLost} {
		t.Run(outcome, func(t *testing.T) {
			o := openOwed(t, 500_00)
			o.gatewaySays(t, o.charge, disputed(payment.DisputeOpen))
			c := o.caseOf(t)
			require.Equal(t, [3]any{"dispute", money.Amount(300_00), ""}, [3]any{c.Kind, c.Amount, c.Outcome})
			require.Nil(t, c.DueAt)
			o.gatewaySays(t, o.charge, disputed(decided))
			require.Equal(t, outcome, o.caseOf(t).Outcome)
			if decided == payment.DisputeLost {
				require.NoError(t, o.approve(o.tom, o.mustAsk(t, 300_00)))
				o.MustBalance()
				require.Equal(t, "written_off", o.caseOf(t).Outcome)
			}
		})
	}

	t.Run("which the bank decided before we looked", func(t *testing.T) {
		o := openOwed(t, 0)
		o.gatewaySays(t, o.charge, disputed(payment.DisputeLost))
		require.Equal(t, "lost", o.caseOf(t).Outcome)
	})
}
