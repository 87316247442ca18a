package order_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

// fixture has an organisation that can be paid directly, a customer without money, and a package of 1,000 baht.
type fixture struct {
	*tenanttest.World
	ann token.Session
	pkg uuid.UUID
}

func newFixture(t *testing.T, p tenanttest.Package) fixture {
	t.Helper()
	w := tenanttest.New(t)
	w.AddPaymentSystem()
	return fixture{World: w, ann: w.Customer(0), pkg: w.Package(p)}
}

func byQR(in order.BuyInput) order.PayInput {
	return order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
}

func (w fixture) order(t *testing.T, who token.Session, n int) order.Order {
	t.Helper()
	o, err := w.Order.Pay(t.Context(), who, tenanttest.Key(), "", byQR(w.Quote(who, w.pkg, n)))
	require.NoError(t, err)
	require.Equal(t, "awaiting", o.State)
	return o
}

// sold is how many pieces of the package are sold, as the back office lists it.
func (w fixture) sold(t *testing.T) (n int64) {
	t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) error {
		p, err := catalog.Packages.Detail(ctx, tx, w.pkg)
		n = p.Sold
		return err
	})
	return n
}

func (w fixture) system() (id uuid.UUID) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM payment_system`).Scan(&id)
	})
	return id
}

func (w fixture) err(t *testing.T, who token.Session, in order.PayInput, want error) {
	t.Helper()
	_, err := w.Order.Pay(t.Context(), who, tenanttest.Key(), "", in)
	require.ErrorIs(t, err, want)
	require.Zero(t, w.Pay.Made, "the gateway was not asked")
	require.Zero(t, w.Count(`SELECT count(*) FROM orders`)+w.Count(`SELECT sum(sold) FROM stock`))
}

func (w fixture) state(t *testing.T, id uuid.UUID) order.Order {
	t.Helper()
	o, err := w.Order.Order(t.Context(), w.ann, id)
	require.NoError(t, err)
	return o
}

func TestPay(t *testing.T) {
	t.Run("an order waits with its stock taken, and issues its vouchers once it is paid", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3, Vouchers: 2})
		bee := w.Customer(0)
		agent := w.Agent(bee, 1000)
		w.Visit(w.ann, agent, w.pkg)

		o := w.order(t, w.ann, 2)
		require.Equal(t, "https://qr.test/", o.Payment.QRImageURL)
		require.Empty(t, o.Vouchers)
		require.EqualValues(t, 2, w.Count(`SELECT sum(sold) FROM stock`))
		require.Zero(t, w.Count(`SELECT count(*) FROM entry`))
		w.MustBalance()
		waiting, err := w.Order.ListAwaiting(t.Context(), w.ann)
		require.NoError(t, err)
		require.Len(t, waiting, 1, "found again after the phone was closed")
		require.Zero(t, w.sold(t), "what waits for its money is not sold")

		for range 3 {
			w.PayAtGateway(o.ID)
		}

		o = w.state(t, o.ID)
		require.Equal(t, "paid", o.State)
		require.Len(t, o.Vouchers, 4)
		require.Equal(t, money.Amount(-2000_00), w.SystemBalance(ledger.GatewayOwn))
		require.Equal(t, money.Amount(60_00), w.SystemBalance(ledger.PlatformFee))
		require.Equal(t, money.Amount(200_00), w.Pending(agent))
		require.Equal(t, money.Amount(1740_00), w.SystemBalance(ledger.Unearned))
		require.Zero(t, w.Balance(w.ann))
		require.EqualValues(t, 2, w.Count(`SELECT sum(sold) FROM stock`))
		require.EqualValues(t, 2, w.sold(t))
		w.MustBalance()
	})

	t.Run("a paid order issues what was quoted, whatever the catalogue says by then", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Items: 3})
		o := w.order(t, w.ann, 1)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE voucher_type SET items = 1, name_en = 'less'`)
			return errors.Join(err, catalog.BumpRevision(ctx, tx))
		})

		w.PayAtGateway(o.ID)

		got := w.state(t, o.ID).Vouchers[0]
		require.EqualValues(t, 3, got.ItemsTotal)
		require.Equal(t, "Aroma massage", got.NameEN)
	})

	t.Run("an unpaid order expires, and gives its stock back once", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		o := w.order(t, w.ann, 1)
		w.Clock.Advance(charge.Lifetime)
		for range 3 {
			w.Check(o.ID)
		}

		require.Equal(t, "expired", w.state(t, o.ID).State)
		require.Zero(t, w.Count(`SELECT sum(sold) FROM stock`))
		w.MustBalance()
	})

	t.Run("a payment after the expiry goes to the wallet, with one notice", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		o := w.order(t, w.ann, 1)
		w.Clock.Advance(charge.Lifetime)
		w.Check(o.ID)
		for range 3 {
			w.PayAtGateway(o.ID)
		}

		o = w.state(t, o.ID)
		require.Equal(t, "expired", o.State)
		require.True(t, o.Payment.Late && o.Payment.Credited)
		require.Equal(t, money.Amount(1000_00), w.Balance(w.ann))
		require.Zero(t, w.Count(`SELECT count(*) FROM voucher`)+w.Count(`SELECT sum(sold) FROM stock`))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM outbox WHERE kind = 'notice' AND payload::text LIKE '%"order"%' AND payload::text LIKE '%"late"%'`))
		w.MustBalance()
	})

	t.Run("of a capture and a cancellation at once one wins, and the stock is right", func(t *testing.T) {
		for range 10 {
			w := newFixture(t, tenanttest.Package{Price: 1000_00})
			o := w.order(t, w.ann, 1)
			var wg sync.WaitGroup
			wg.Go(func() { w.PayAtGateway(o.ID) })
			wg.Go(func() {
				_, err := w.Order.Cancel(context.Background(), w.ann, o.ID)
				require.NoError(t, err)
			})
			wg.Wait()

			o = w.state(t, o.ID)
			won := map[bool]int64{true: 1}[o.State == "paid"]
			require.Equal(t, won, w.Count(`SELECT sum(sold) FROM stock`))
			require.Equal(t, won, w.Count(`SELECT count(*) FROM voucher`))
			require.Equal(t, money.Amount(1-won)*1000_00, w.Balance(w.ann))
			w.MustBalance()
		}
	})

	t.Run("one key makes one order and one charge, also concurrently and after a lost answer", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		in, key := byQR(w.Quote(w.ann, w.pkg, 1)), tenanttest.Key()
		w.Pay.Slow = 300 * time.Millisecond
		orders, errs := make([]order.Order, 8), make([]error, 8)
		var wg sync.WaitGroup
		for i := range orders {
			wg.Go(func() { orders[i], errs[i] = w.Order.Pay(context.Background(), w.ann, key, "", in) })
		}
		wg.Wait()
		for i := range orders {
			require.NoError(t, errs[i])
			require.Equal(t, orders[0].ID, orders[i].ID)
			require.Equal(t, orders[0].Payment.ChargeID, orders[i].Payment.ChargeID)
		}
		require.Equal(t, 1, w.Pay.Made)

		_, err := w.Order.Pay(t.Context(), w.ann, key, "", byQR(w.Quote(w.ann, w.pkg, 2)))
		require.ErrorIs(t, err, idempotency.ErrReused)

		w.Pay.LosesAnswers, key = true, tenanttest.Key()
		_, err = w.Order.Pay(t.Context(), w.ann, key, "", in)
		require.ErrorIs(t, err, payment.ErrUnavailable)
		w.Pay.LosesAnswers = false
		o, err := w.Order.Pay(t.Context(), w.ann, key, "", in)
		require.NoError(t, err)
		require.Equal(t, "awaiting", o.State)
		require.Equal(t, 2, w.Pay.Made, "the second try found the charge of the first")
		w.MustBalance()
	})

	t.Run("of two orders for the last item one is sold out, until the other is cancelled", func(t *testing.T) {
		one := 1
		w := newFixture(t, tenanttest.Package{Price: 1000_00, Stock: &one})
		bee := w.Customer(0)
		quotes := []order.PayInput{byQR(w.Quote(w.ann, w.pkg, 1)), byQR(w.Quote(bee, w.pkg, 1))}
		orders, errs := make([]order.Order, 2), make([]error, 2)
		var wg sync.WaitGroup
		for i, who := range []token.Session{w.ann, bee} {
			wg.Go(func() { orders[i], errs[i] = w.Order.Pay(context.Background(), who, tenanttest.Key(), "", quotes[i]) })
		}
		wg.Wait()
		won := 0
		if errs[0] != nil {
			won = 1
		}
		require.NoError(t, errs[won])
		require.ErrorIs(t, errs[1-won], catalog.ErrSoldOut)
		require.Equal(t, 1, w.Pay.Made)

		winner, loser := []token.Session{w.ann, bee}[won], []token.Session{w.ann, bee}[1-won]
		_, err := w.Order.Cancel(t.Context(), winner, orders[won].ID)
		require.NoError(t, err)
		w.order(t, loser, 1)
		w.MustBalance()
	})

	t.Run("a charge of another sum, currency or organisation, or refused, pays no order", func(t *testing.T) {
		for name, change := range map[string]func(*payment.Charge){
			"less": func(c *payment.Charge) { c.Amount = 1 }, "dollars": func(c *payment.Charge) { c.Currency = "USD" },
			"other row": func(c *payment.Charge) { c.Organisation = uuid.New() },
		} {
			w := newFixture(t, tenanttest.Package{Price: 1000_00})
			o := w.order(t, w.ann, 1)
			w.Pay.SetCharge(o.ID, change)
			w.PayAtGateway(o.ID)
			require.Equal(t, "awaiting", w.state(t, o.ID).State, name)
			w.MustBalance()
		}
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		w.Pay.Refuse = true
		_, err := w.Order.Pay(t.Context(), w.ann, tenanttest.Key(), "", byQR(w.Quote(w.ann, w.pkg, 1)))
		require.ErrorIs(t, err, payment.ErrRefused)
		require.Zero(t, w.Count(`SELECT sum(sold) FROM stock`))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders WHERE state = 'expired'`))
		w.MustBalance()
	})

	t.Run("a charge refunded before its capture pays no order, and its rest fills the wallet", func(t *testing.T) {
		for refunded, left := range map[money.Amount]money.Amount{1000_00: 0, 400_00: 600_00} {
			w := newFixture(t, tenanttest.Package{Price: 1000_00})
			o := w.order(t, w.ann, 1)
			w.Pay.SetCharge(o.ID, func(c *payment.Charge) { c.Refunded = refunded })
			w.PayAtGateway(o.ID)
			require.Equal(t, "expired", w.state(t, o.ID).State)
			require.Equal(t, left, w.Balance(w.ann))
			require.Zero(t, w.Count(`SELECT sum(sold) FROM stock`))
			w.MustBalance()
		}
	})

	t.Run("a gateway that does not answer keeps the order open for a day", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		o := w.order(t, w.ann, 1)
		w.Pay.Down = payment.ErrRefused
		w.Clock.Advance(time.Hour)
		require.Error(t, w.Charge.Check(t.Context(), w.Org, o.ID))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders WHERE state = 'awaiting'`))

		w.Clock.Advance(24 * time.Hour)
		w.Check(o.ID)
		require.Equal(t, "expired", w.state(t, o.ID).State)
		w.Pay.Down = nil
		w.PayAtGateway(o.ID)
		require.Equal(t, money.Amount(1000_00), w.Balance(w.ann), "the money was on its way after all")
		w.MustBalance()
	})

	t.Run("a refused order creates no charge at the gateway", func(t *testing.T) {
		free := newFixture(t, tenanttest.Package{})
		free.err(t, free.ann, byQR(free.Quote(free.ann, free.pkg, 1)), order.ErrNothingToPay)

		dear := newFixture(t, tenanttest.Package{Price: 75_000_01})
		dear.err(t, dear.ann, byQR(dear.Quote(dear.ann, dear.pkg, 2)), order.ErrDirectSum)

		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		in := byQR(w.Quote(w.ann, w.pkg, 1))
		card := in
		card.Method = "card"
		w.err(t, w.ann, card, fault.BadInput)
		stale := in
		stale.Hash = "another"
		w.err(t, w.ann, stale, order.ErrQuoteChanged)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE package SET price_satang = 200000`)
			return errors.Join(err, catalog.BumpRevision(ctx, tx))
		})
		w.err(t, w.ann, in, order.ErrQuoteChanged)
		in = byQR(w.Quote(w.ann, w.pkg, 1))
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4`)
			return err
		})
		w.err(t, w.ann, in, customer.ErrSuspended)

		unpaid := fixture{World: tenanttest.New(t)}
		unpaid.ann, unpaid.pkg = unpaid.Customer(0), unpaid.Package(tenanttest.Package{Price: 1000_00})
		unpaid.err(t, unpaid.ann, byQR(unpaid.Quote(unpaid.ann, unpaid.pkg, 1)), charge.ErrNoMethod)
	})

	t.Run("a package whose last day has passed, or will when the money comes, is not sold", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		lastDay := clock.Day(w.Clock.Now())
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE voucher_type SET valid_days = NULL, valid_until = $1`, lastDay)
			return errors.Join(err, catalog.BumpRevision(ctx, tx))
		})
		rich, midnight := w.Customer(1000_00), clock.Start(lastDay.AddDate(0, 0, 1))
		w.Clock.Advance(midnight.Add(-time.Minute).Sub(w.Clock.Now()))
		in := w.Quote(rich, w.pkg, 1)
		w.err(t, w.ann, byQR(in), catalog.ErrNotOnSale)
		goods := catalog.New(w.DB)
		_, err := goods.Product(t.Context(), w.Org, w.pkg)
		require.NoError(t, err, "the wallet can still pay for it today")

		w.Clock.Advance(time.Minute)
		_, err = w.Order.Buy(t.Context(), rich, tenanttest.Key(), in)
		require.ErrorIs(t, err, catalog.ErrNotOnSale)
		_, err = goods.Product(t.Context(), w.Org, w.pkg)
		require.ErrorIs(t, err, catalog.ErrPackageNotFound)
		page, err := goods.Market(t.Context(), w.Org, catalog.MarketInput{})
		require.NoError(t, err)
		require.Zero(t, page.Total)
		require.Equal(t, money.Amount(1000_00), w.Balance(rich))
	})

	t.Run("unpaid orders count towards the limit, and a customer has three at most", func(t *testing.T) {
		two := 2
		w := newFixture(t, tenanttest.Package{Price: 1000_00, PerCustomer: &two})
		first := w.order(t, w.ann, 2)
		_, err := w.Order.Pay(t.Context(), w.ann, tenanttest.Key(), "", byQR(w.Quote(w.ann, w.pkg, 1)))
		require.ErrorIs(t, err, order.ErrLimit)
		_, err = w.Order.Cancel(t.Context(), w.ann, first.ID)
		require.NoError(t, err)
		w.order(t, w.ann, 2)

		w = newFixture(t, tenanttest.Package{Price: 1000_00})
		for range 3 {
			w.order(t, w.ann, 1)
		}
		_, err = w.Order.Pay(t.Context(), w.ann, tenanttest.Key(), "", byQR(w.Quote(w.ann, w.pkg, 1)))
		require.ErrorIs(t, err, order.ErrPayFirst)
	})

	t.Run("unpaid orders of a customer reserve ten pieces of a package, also when two come at once", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 10_00})
		other := w.Package(tenanttest.Package{Price: 10_00})
		pay := func(pkg uuid.UUID, n int) error {
			_, err := w.Order.Pay(context.Background(), w.ann, tenanttest.Key(), "", byQR(w.Quote(w.ann, pkg, n)))
			return err
		}
		require.ErrorIs(t, pay(w.pkg, 11), order.ErrTooManyReserved)
		require.Zero(t, w.Pay.Made)

		errs := make([]error, 2)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = pay(w.pkg, 6) })
		}
		wg.Wait()
		won := map[bool]int{true: 1}[errs[0] != nil]
		require.NoError(t, errs[won])
		require.ErrorIs(t, errs[1-won], order.ErrTooManyReserved)
		require.Equal(t, order.TooManyReserved{Package: w.pkg, Max: 10, Held: 6}, fault.From(errs[1-won]).Detail)

		mixed := order.QuoteInput{Lines: []order.Line{{Package: other, Quantity: 1}, {Package: w.pkg, Quantity: 5}}}
		q, err := w.Order.Quote(t.Context(), w.ann, mixed)
		require.NoError(t, err)
		_, err = w.Order.Pay(t.Context(), w.ann, tenanttest.Key(), "", byQR(order.BuyInput{Lines: mixed.Lines, Hash: q.Hash, Lang: "th"}))
		require.ErrorIs(t, err, order.ErrTooManyReserved, "beside another package")
		require.NoError(t, pay(w.pkg, 4))
		require.NoError(t, pay(other, 10), "of another package")
		require.EqualValues(t, 10, w.Count(`SELECT sold FROM stock WHERE package_id = $1`, w.pkg))

		waiting, err := w.Order.ListAwaiting(t.Context(), w.ann)
		require.NoError(t, err)
		for _, o := range waiting {
			w.PayAtGateway(o.ID)
		}
		require.NoError(t, pay(w.pkg, 10), "what is paid for is not reserved")
		w.MustBalance()
	})

	t.Run("a customer whose orders expired three times pays from the wallet only for a day", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 10_00})
		bee := w.Customer(0)
		runOut := func(who token.Session) uuid.UUID {
			o := w.order(t, who, 1)
			w.Clock.Advance(charge.Lifetime)
			w.Check(o.ID)
			return o.ID
		}
		again := func(who token.Session) error {
			_, err := w.Order.Pay(t.Context(), who, tenanttest.Key(), "", byQR(w.Quote(who, w.pkg, 1)))
			return err
		}
		for range 4 { // changed his mind at once: nothing was held
			_, err := w.Order.Cancel(t.Context(), w.ann, w.order(t, w.ann, 1).ID)
			require.NoError(t, err)
		}
		late := runOut(w.ann)
		w.PayAtGateway(late) // its money came after all
		first := w.Clock.Now().Add(charge.Lifetime)
		runOut(w.ann)
		held := w.order(t, w.ann, 1)
		w.Clock.Advance(charge.Lifetime - time.Second) // cancelled in its last second
		_, err := w.Order.Cancel(t.Context(), w.ann, held.ID)
		require.NoError(t, err)
		failed := w.order(t, w.ann, 1)
		w.Clock.Advance(5 * time.Minute) // a card that its bank declines in the end
		w.Pay.SetCharge(failed.ID, func(c *payment.Charge) { c.State = payment.Failed })
		w.Check(failed.ID)

		err = again(w.ann)
		require.ErrorIs(t, err, order.ErrWalletOnly)
		require.WithinDuration(t, first.Add(24*time.Hour), fault.From(err).Detail.(charge.WalletOnly).Until, time.Minute)
		require.NoError(t, again(bee), "another customer may")
		_, err = w.Order.Buy(t.Context(), w.ann, tenanttest.Key(), w.Quote(w.ann, w.pkg, 1))
		require.NoError(t, err, "from the wallet, where the late money is")

		w.Clock.Advance(24*time.Hour - 14*time.Minute)
		require.NoError(t, again(w.ann))
		w.MustBalance()
	})

	t.Run("a customer who orders and cancels repeatedly pays from the wallet only for a day", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 10_00})
		first := w.Clock.Now()
		for range 10 {
			o := w.order(t, w.ann, 10)
			w.Clock.Advance(59 * time.Second)
			_, err := w.Order.Cancel(t.Context(), w.ann, o.ID)
			require.NoError(t, err)
		}
		_, err := w.Order.Pay(t.Context(), w.ann, tenanttest.Key(), "", byQR(w.Quote(w.ann, w.pkg, 10)))
		require.ErrorIs(t, err, order.ErrWalletOnly)
		require.WithinDuration(t, first.Add(24*time.Hour+59*time.Second), fault.From(err).Detail.(charge.WalletOnly).Until, time.Second)
		w.Clock.Advance(24 * time.Hour)
		w.order(t, w.ann, 1)
		w.MustBalance()
	})

	t.Run("another customer neither sees nor cancels an order, nor finds its charge", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		o, eve := w.order(t, w.ann, 1), w.Customer(0)

		_, err := w.Order.Order(t.Context(), eve, o.ID)
		require.ErrorIs(t, err, order.ErrNotFound)
		_, err = w.Order.Cancel(t.Context(), eve, o.ID)
		require.ErrorIs(t, err, order.ErrNotFound)
		_, err = w.Charge.Find(t.Context(), eve, o.ID)
		require.ErrorIs(t, err, charge.ErrNotFound)
		waiting, err := w.Order.ListAwaiting(t.Context(), eve)
		require.NoError(t, err)
		require.Empty(t, waiting)
		require.Equal(t, "awaiting", w.state(t, o.ID).State)
	})

	t.Run("of two paid charges of one order one pays it, and the other fills the wallet", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 50_00})
		o := w.order(t, w.ann, 1)
		paid := func(c *payment.Charge) { c.State = payment.Paid }
		refused := w.Pay.DuplicateCharge(o.ID, func(c *payment.Charge) { c.State = payment.Failed })
		duplicate, first := w.Pay.DuplicateCharge(o.ID, paid), w.Pay.SetCharge(o.ID, paid)
		handleEvent := func(id string) {
			require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: w.system(), GatewayID: id}))
		}
		handleEvent(refused)
		require.Equal(t, "awaiting", w.state(t, o.ID).State, "an attempt that failed says nothing about the other")
		for range 2 {
			handleEvent(duplicate)
			handleEvent(first)
		}
		require.Equal(t, "paid", w.state(t, o.ID).State)
		require.Equal(t, money.Amount(50_00), w.Balance(w.ann))
		w.MustBalance()
	})

	t.Run("a webhook that comes before the gateway's answer pays the order at once", func(t *testing.T) {
		w := newFixture(t, tenanttest.Package{Price: 1000_00})
		w.Pay.LosesAnswers = true
		_, err := w.Order.Pay(t.Context(), w.ann, tenanttest.Key(), "", byQR(w.Quote(w.ann, w.pkg, 1)))
		require.ErrorIs(t, err, payment.ErrUnavailable)
		waiting, err := w.Order.ListAwaiting(t.Context(), w.ann)
		require.NoError(t, err)
		system := w.system()
		event := charge.GatewayEventJob{System: system, GatewayID: w.Pay.SetCharge(waiting[0].ID, func(c *payment.Charge) { c.State = payment.Paid })}
		for range 2 {
			require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, event))
		}
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: "chrg_unknown"}))

		require.Equal(t, "paid", w.state(t, waiting[0].ID).State)
		w.MustBalance()
	})
}
