package order_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// toppedUp is an organisation whose customer has topped up 1,000 baht, for which the gateway takes 17.66.
func toppedUp(t *testing.T) (w fixture, id uuid.UUID) {
	t.Helper()
	w = newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3})
	c, err := w.Wallet.StartTopUp(t.Context(), w.ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 1000_00, PaymentMethod: charge.PaymentMethod{Method: "card", CardToken: "tokn"}})
	require.NoError(t, err)
	w.Pay.SetCharge(c.ID, func(c *payment.Charge) { c.Fee = 17_66 })
	w.PayAtGateway(c.ID)
	require.Equal(t, money.Amount(1000_00), w.Balance(w.ann))
	return w, c.ID
}

// webhookComes has a webhook come for a charge, so often.
func (w fixture) webhookComes(t *testing.T, times int, id string) {
	t.Helper()
	for range times {
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: w.system(), GatewayID: id}))
	}
	w.MustBalance()
}

func (w fixture) turn(t *testing.T, charge uuid.UUID, change func(*payment.Charge)) {
	t.Helper()
	w.webhookComes(t, 3, w.Pay.SetCharge(charge, change))
}

func TestRefundsAndDisputes(t *testing.T) {
	t.Run("the gateway's fee is posted once, from the platform fee", func(t *testing.T) {
		w, paid := toppedUp(t)
		require.Equal(t, money.Amount(17_66), w.SystemBalance(ledger.GatewayFee))
		require.Equal(t, money.Amount(-17_66), w.SystemBalance(ledger.PlatformFee))
		w.turn(t, paid, func(c *payment.Charge) { c.Fee = 20_00 })
		require.Equal(t, money.Amount(20_00), w.SystemBalance(ledger.GatewayFee), "a later fee counts when it is higher")
		w.turn(t, paid, func(c *payment.Charge) { c.Fee = 3_00 })
		w.turn(t, paid, func(c *payment.Charge) { c.Fee = 2000_00 })
		require.Equal(t, money.Amount(20_00), w.SystemBalance(ledger.GatewayFee))
	})

	t.Run("a refund is taken from the wallet once, however often it is reported", func(t *testing.T) {
		w, paid := toppedUp(t)
		w.turn(t, paid, func(c *payment.Charge) { c.Refunded = 300_00 })
		require.Equal(t, money.Amount(700_00), w.Balance(w.ann))
		w.turn(t, paid, func(c *payment.Charge) { c.Refunded = 100_00 })
		require.Equal(t, money.Amount(700_00), w.Balance(w.ann), "an older answer that comes late")
		w.turn(t, paid, func(c *payment.Charge) { c.Refunded = 1000_00 })
		require.Zero(t, w.Balance(w.ann))
		require.Zero(t, w.SystemBalance(ledger.GatewayOwn))
		page, err := w.Wallet.Movements(t.Context(), w.ann, 10, nil)
		require.NoError(t, err)
		require.Len(t, page.Data, 3)
		require.Equal(t, []any{"chargeback", money.Amount(-700_00), money.Amount(0), "Sent back to where it was paid from"},
			[]any{page.Data[0].Kind, page.Data[0].Amount, page.Data[0].After, page.Data[0].TitleEN})
		require.EqualValues(t, 3, w.Count(`SELECT count(*) FROM outbox WHERE kind = 'notice' AND payload::text LIKE '%"wallet"%'`))
	})

	t.Run("no more than was paid is taken back", func(t *testing.T) {
		w, paid := toppedUp(t)
		w.turn(t, paid, func(c *payment.Charge) { c.Refunded, c.Dispute, c.Disputed = 2500_00, payment.DisputeOpen, 1000_00 })
		require.Zero(t, w.Balance(w.ann))
		require.Zero(t, w.SystemBalance(ledger.GatewayOwn))
		require.Zero(t, w.SystemBalance(ledger.ChargebackReceivable))
	})

	t.Run("a dispute leaves what the wallet lacks owed, and settles that first when it is won", func(t *testing.T) {
		w, paid := toppedUp(t)
		w.MustBuy(w.ann, w.Package(tenanttest.Package{Price: 600_00}))
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1000_00 })
		require.Zero(t, w.Balance(w.ann))
		require.Equal(t, money.Amount(-600_00), w.SystemBalance(ledger.ChargebackReceivable))
		require.Zero(t, w.SystemBalance(ledger.GatewayOwn))

		w.turn(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, money.Amount(400_00), w.Balance(w.ann))
		require.Zero(t, w.SystemBalance(ledger.ChargebackReceivable))
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeOpen })
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.Undisputed, 0 })
		require.Equal(t, money.Amount(400_00), w.Balance(w.ann), "out of order changes nothing")
	})

	t.Run("a lost dispute is posted when it begins, or when it is first reported", func(t *testing.T) {
		w, paid := toppedUp(t)
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1000_00 })
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
		require.Zero(t, w.Balance(w.ann))
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Zero(t, w.Balance(w.ann), "lost is final")

		w, paid = toppedUp(t)
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, 1000_00 })
		require.Zero(t, w.Balance(w.ann))
		w, paid = toppedUp(t)
		w.turn(t, paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 1000_00 })
		require.Equal(t, money.Amount(1000_00), w.Balance(w.ann))
	})

	t.Run("vouchers of an order are frozen while its payer has his money back", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3, Vouchers: 2})
		o := w.order(t, w.ann, 1)
		w.PayAtGateway(o.ID)
		other := w.order(t, w.ann, 1)
		w.PayAtGateway(other.ID)
		frozen := func() int64 {
			return w.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen' AND order_id = $1`, o.ID)
		}

		w.turn(t, o.ID, func(c *payment.Charge) { c.Refunded = 10_00 })
		require.EqualValues(t, 1, frozen(), "no whole item costs so little: one voucher stands for it until the organisation has decided")
		w.turn(t, o.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 990_00 })
		require.EqualValues(t, 2, frozen())
		require.Equal(t, money.Amount(-1000_00), w.SystemBalance(ledger.ChargebackReceivable))
		w.turn(t, o.ID, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.EqualValues(t, 1, frozen())
		require.Equal(t, money.Amount(-10_00), w.SystemBalance(ledger.ChargebackReceivable))
		w.turn(t, o.ID, func(c *payment.Charge) { c.Refunded = 1000_00 })
		require.Zero(t, frozen())
		require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM voucher WHERE state = 'refunded' AND order_id = $1`, o.ID))
		require.Zero(t, w.SystemBalance(ledger.ChargebackReceivable))
		require.Zero(t, w.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen' AND order_id = $1`, other.ID))
	})

	t.Run("an agent keeps the commission of what stays paid, and regains it when a dispute is won", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3})
		bob := w.Customer(5000_00)
		agent := w.Agent(w.Customer(0), 1000)
		w.Visit(w.ann, agent, w.pkg)
		w.Visit(bob, agent, w.pkg)
		w.MustBuy(bob, w.pkg)
		o := w.order(t, w.ann, 1)
		w.PayAtGateway(o.ID)
		require.Equal(t, money.Amount(200_00), w.Pending(agent))
		due := func() (satang money.Amount) {
			w.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT due_satang FROM commission WHERE order_id = $1`, o.ID).Scan(&satang)
			})
			return satang
		}

		for _, step := range []struct {
			change  func(*payment.Charge)
			pending money.Amount
			due     money.Amount
			owed    money.Amount
		}{
			{func(c *payment.Charge) { c.Refunded = 333_33 }, 166_66, 66_66, 0},
			{func(c *payment.Charge) { c.Refunded = 100_00 }, 166_66, 66_66, 0},
			{func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 666_67 }, 100_00, 0, 600_00},
			{func(c *payment.Charge) { c.Dispute = payment.DisputeWon }, 166_66, 66_66, 0},
			{func(c *payment.Charge) { c.Refunded = 1000_00 }, 100_00, 0, 0},
		} {
			w.turn(t, o.ID, step.change)
			require.Equal(t, step.pending, w.Pending(agent))
			require.Equal(t, step.due, due())
			require.Equal(t, -step.owed, w.SystemBalance(ledger.ChargebackReceivable))
		}
		require.EqualValues(t, 4, w.Count(`SELECT count(*) FROM commission_change`), "each once, however often it was reported")
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM commission WHERE due_satang = amount_satang`), "the other sale is as it was")
	})

	t.Run("a refund of an order paid directly is not taken from the wallet", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3})
		w.ann = w.Customer(1500_00)
		for _, change := range []func(*payment.Charge){
			func(c *payment.Charge) { c.Refunded = 10_00 }, func(c *payment.Charge) { c.Refunded = 1000_00 },
			func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1000_00 }, func(c *payment.Charge) { c.State = payment.Reversed },
		} {
			o := w.order(t, w.ann, 1)
			w.PayAtGateway(o.ID)
			w.turn(t, o.ID, change)
			require.Equal(t, money.Amount(1500_00), w.Balance(w.ann), "his vouchers stand for it: he would pay twice")
		}
		require.Equal(t, money.Amount(-1010_00), w.SystemBalance(ledger.ChargebackReceivable))
		require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen'`))
		require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM voucher WHERE state = 'refunded'`))
	})

	t.Run("a dispute ends an open use session, and the voucher is not used", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3})
		o := w.order(t, w.ann, 1)
		w.PayAtGateway(o.ID)
		v, staff, point := w.state(t, o.ID).Vouchers[0], w.Staff(), w.ServicePoint()
		use, err := w.Voucher.StartUse(t.Context(), w.ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: point, Items: 1})
		require.NoError(t, err)

		w.turn(t, o.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 1000_00 })
		_, err = w.Voucher.Confirm(t.Context(), staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: point})
		require.ErrorIs(t, err, voucher.ErrSessionOver)
		w.turn(t, o.ID, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		_, err = w.Voucher.StartUse(t.Context(), w.ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: point, Items: 1})
		require.NoError(t, err)
		w.MustBalance()
	})

	t.Run("money sent back before the capture is known, or after it, does not stay in the wallet", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		o := w.order(t, w.ann, 1)
		w.turn(t, o.ID, func(c *payment.Charge) {
			c.State, c.Fee, c.Refunded, c.Dispute, c.Disputed = payment.Paid, 5_00, 400_00, payment.DisputeOpen, 1000_00
		})
		require.Equal(t, "expired", w.state(t, o.ID).State, "it was never paid for in full")
		require.Zero(t, w.Balance(w.ann))
		require.Zero(t, w.SystemBalance(ledger.GatewayOwn))

		w, paid := toppedUp(t)
		w.turn(t, paid, func(c *payment.Charge) { c.State = payment.Reversed })
		require.Zero(t, w.Balance(w.ann))
		require.Zero(t, w.SystemBalance(ledger.GatewayOwn))
	})

	t.Run("each of two charges of one payment has a fee and a refund of its own", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 50_00})
		o := w.order(t, w.ann, 1)
		w.PayAtGateway(o.ID)
		duplicate := w.Pay.DuplicateCharge(o.ID, func(c *payment.Charge) { c.Fee = 1_00 })
		w.webhookComes(t, 2, duplicate)
		require.Equal(t, money.Amount(50_00), w.Balance(w.ann))
		require.Equal(t, money.Amount(1_00), w.SystemBalance(ledger.GatewayFee))
		w.Pay.Change(duplicate, func(c *payment.Charge) { c.Refunded = 50_00 })
		w.webhookComes(t, 2, duplicate)
		require.Zero(t, w.Balance(w.ann))
		require.Zero(t, w.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen'`), "the order is still paid for")

		third := w.Pay.DuplicateCharge(o.ID, func(c *payment.Charge) { c.State, c.Fee, c.Refunded = payment.Paid, 0, 0 })
		w.webhookComes(t, 2, third)
		require.Equal(t, money.Amount(50_00), w.Balance(w.ann))
		w.Pay.Change(third, func(c *payment.Charge) { c.State = payment.Reversed })
		w.webhookComes(t, 2, third)
		require.Zero(t, w.Balance(w.ann), "reversed is back as well")
	})

	t.Run("sixteen events at once beside a purchase move the money once", func(t *testing.T) {
		w, paid := toppedUp(t)
		name := w.Pay.SetCharge(paid, func(c *payment.Charge) { c.Refunded, c.Dispute, c.Disputed = 200_00, payment.DisputeOpen, 300_00 })
		system, quoted := w.system(), w.Quote(w.ann, w.pkg, 1)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
			})
		}
		bought := 0
		wg.Go(func() {
			if _, err := w.Order.Buy(t.Context(), w.ann, tenanttest.Key(), quoted); err == nil {
				bought = 1
			}
		})
		wg.Wait()
		require.Equal(t, money.Amount(500_00-bought*500_00), w.Balance(w.ann))
		require.Equal(t, money.Amount(-bought*500_00), w.SystemBalance(ledger.ChargebackReceivable))
		w.MustBalance()
	})
}
