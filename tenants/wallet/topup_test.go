package wallet_test

import (
	"context"
	"math"
	"sync"
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
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

func byQR(amount money.Amount) wallet.TopUpInput {
	return wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
}

func TestTopUp(t *testing.T) {
	newest := func(w *tenanttest.World) (id uuid.UUID) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM charge ORDER BY id DESC LIMIT 1`).Scan(&id)
		})
		return id
	}
	payable := func(t *testing.T) (*tenanttest.World, token.Session) {
		t.Helper()
		w := tenanttest.New(t)
		w.AddPaymentSystem()
		return w, w.Customer(0)
	}

	t.Run("a sum outside the bounds is refused, whoever lets it through", func(t *testing.T) {
		w, ann := payable(t)
		for amount, want := range map[money.Amount]*fault.Fault{
			wallet.MinTopUp - 1: fault.TooSmall, 0: fault.TooSmall, -1: fault.TooSmall, math.MinInt64: fault.TooSmall,
			charge.MaxAmount + 1: fault.TooBig, 5_000_000_000: fault.TooBig, math.MaxInt64: fault.TooBig,
		} {
			_, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", byQR(amount))
			require.Equal(t, fault.At("amount_satang", want), err, amount)
		}
		require.Zero(t, w.Count(`SELECT count(*) FROM charge`))
	})

	t.Run("a charge whose answer was lost is found, and credited once", func(t *testing.T) {
		w, ann := payable(t)
		w.Pay.LosesAnswers = true
		_, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "",
			wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: "card", CardToken: "tokn_1"}})
		require.ErrorIs(t, err, payment.ErrUnavailable)
		id := newest(w)
		w.Pay.SetCharge(id, func(c *payment.Charge) { c.State = payment.Paid })
		for range 2 {
			w.Check(id)
		}
		require.Equal(t, money.Amount(100_00), w.Balance(ann))
		w.MustBalance()
	})

	t.Run("a charge unknown at the gateway expires after ten minutes, and not before", func(t *testing.T) {
		w, ann := payable(t)
		w.In(func(ctx context.Context, tx db.Tx) error {
			return w.Charge.Create(ctx, tx, charge.NewCharge{ID: db.NewID(), Customer: ann.Subject, Purpose: "topup", Method: "promptpay", Amount: 100_00})
		})
		id := newest(w)
		w.Check(id)
		require.Equal(t, "created", state(t, w, ann, id))

		w.Clock.Advance(charge.Lifetime)
		w.Pay.Down = payment.ErrRefused
		require.Error(t, w.Charge.Check(t.Context(), w.Org, id))
		require.Equal(t, "created", state(t, w, ann, id), "a refused look says nothing about the money")
		w.Pay.Down = nil
		w.Check(id)
		require.Equal(t, "expired", state(t, w, ann, id))
	})

	t.Run("a repeated call is answered, also after the payment system was deactivated", func(t *testing.T) {
		w, ann := payable(t)
		key := tenanttest.Key()
		first, err := w.Wallet.StartTopUp(t.Context(), ann, key, "", byQR(100_00))
		require.NoError(t, err)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE payment_system SET status = 2`)
			return err
		})

		again, err := w.Wallet.StartTopUp(t.Context(), ann, key, "", byQR(100_00))
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		_, err = w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", byQR(100_00))
		require.ErrorIs(t, err, charge.ErrNoMethod)
	})

	t.Run("two first calls with one key make one charge", func(t *testing.T) {
		w, ann := payable(t)
		w.Pay.Slow = 300 * time.Millisecond
		key := tenanttest.Key()
		charges, errs := make([]charge.Charge, 8), make([]error, 8)
		var wg sync.WaitGroup
		for i := range charges {
			wg.Go(func() { charges[i], errs[i] = w.Wallet.StartTopUp(context.Background(), ann, key, "", byQR(100_00)) })
		}
		wg.Wait()
		for i := range charges {
			require.NoError(t, errs[i])
			require.Equal(t, charges[0].ChargeID, charges[i].ChargeID)
		}
		require.Equal(t, 1, w.Pay.Made)
	})

	t.Run("a suspended customer cannot top up", func(t *testing.T) {
		w, ann := payable(t)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4`)
			return err
		})
		_, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", byQR(100_00))
		require.ErrorIs(t, err, customer.ErrSuspended)
		require.Zero(t, w.Pay.Made)
	})

	t.Run("money refunded before its capture is known is not credited", func(t *testing.T) {
		w, ann := payable(t)
		for refunded, want := range map[money.Amount]money.Amount{500_00: 0, 120_00: 380_00} {
			before := w.Balance(ann)
			c, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", byQR(500_00))
			require.NoError(t, err)
			w.Pay.SetCharge(c.ID, func(c *payment.Charge) { c.Refunded = refunded })
			w.PayAtGateway(c.ID)
			require.Equal(t, before+want, w.Balance(ann))
		}
		w.MustBalance()
	})
}

func state(t *testing.T, w *tenanttest.World, who token.Session, id uuid.UUID) string {
	t.Helper()
	c, err := w.Charge.Find(t.Context(), who, id)
	require.NoError(t, err)
	return c.State
}

// TestMovements: a statement has the newest transfer first, and what the wallet held after each.
func TestMovements(t *testing.T) {
	w := tenanttest.New(t)
	w.AddPaymentSystem()
	ann := w.Customer(0)
	for _, amount := range []money.Amount{500_00, 120_00} {
		c, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", byQR(amount))
		require.NoError(t, err)
		w.PayAtGateway(c.ID)
	}

	page, err := w.Wallet.Movements(t.Context(), ann, 1, nil)
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
	require.Equal(t, money.Amount(120_00), page.Data[0].Amount)
	require.Equal(t, money.Amount(620_00), page.Data[0].After)

	page, err = w.Wallet.Movements(t.Context(), ann, 10, page.Next)
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
	require.Equal(t, money.Amount(500_00), page.Data[0].After)
	require.Nil(t, page.Next)

	w.MustBuy(ann, w.Package(tenanttest.Package{Price: 100_00}))
	page, err = w.Wallet.Movements(t.Context(), ann, 10, nil)
	require.NoError(t, err)
	w.In(func(ctx context.Context, tx db.Tx) error {
		for _, m := range page.Data {
			var number string
			sql := `SELECT reference FROM charge WHERE id = $1`
			if m.Kind == "purchase" {
				sql = `SELECT number FROM orders WHERE id = $1`
			}
			require.NoError(t, tx.QueryRow(ctx, sql, m.CauseID).Scan(&number))
			require.Equal(t, number, m.Number, "people read the number of what explains it")
		}
		return nil
	})
}
