package order_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// cartOf quotes a cart with codes and returns what confirms it, and the quote.
func cartOf(t *testing.T, w *tenanttest.World, who token.Session, lines []order.Line, codes ...string) (order.BuyInput, order.Quote) {
	t.Helper()
	q, err := w.Order.Quote(t.Context(), who, order.QuoteInput{Lines: lines, Codes: codes})
	require.NoError(t, err)
	kept := []string{}
	for _, d := range q.Discounts {
		if d.Code != "" {
			kept = append(kept, d.Code)
		}
	}
	return order.BuyInput{Lines: lines, Codes: kept, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"}, q
}

func one(pkg uuid.UUID) []order.Line { return []order.Line{{Package: pkg, Quantity: 1}} }

func mustBuy(t *testing.T, w *tenanttest.World, who token.Session, in order.BuyInput) order.Order {
	t.Helper()
	o, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), in)
	require.NoError(t, err)
	return o
}

func used(w *tenanttest.World, id uuid.UUID) int64 {
	return w.Count(`SELECT used FROM discount_count WHERE discount_id = $1`, id)
}

// TestExample: two lines with a code, bought by an agent's link, used and refunded in part.
func TestExample(t *testing.T) {
	w := tenanttest.New(t)
	ann, staff, point := w.Customer(2000_00), w.Staff(), w.ServicePoint()
	a, b := w.Package(tenanttest.Package{Price: 999_00, Items: 3}), w.Package(tenanttest.Package{Price: 450_00, GiftValue: 500_00})
	seller := w.Agent(w.Customer(0), 1000)
	w.Visit(ann, seller, a)
	id := w.Discount(tenanttest.Discount{Code: "LAMAI100", Value: 100_00})
	in, q := cartOf(t, w, ann, []order.Line{{Package: a, Quantity: 1}, {Package: b, Quantity: 1}}, "lamai-100")

	require.Equal(t, money.Amount(1349_00), q.Total)
	require.Equal(t, []money.Amount{930_06, 418_94, 68_94, 31_06}, []money.Amount{q.Lines[0].Amount, q.Lines[1].Amount, q.Lines[0].Discount, q.Lines[1].Discount})
	require.Equal(t, []discount.Reduction{{ID: id, NameTH: "ส่วนลดทดสอบ", NameEN: "Test discount", Code: "lamai-100", Amount: 100_00}}, q.Discounts)
	o := mustBuy(t, w, ann, in)

	require.Equal(t, []money.Amount{651_00, 1173_63, 40_47, 134_90}, []money.Amount{w.Balance(ann), w.SystemBalance(ledger.Unearned), w.SystemBalance(ledger.PlatformFee), w.Pending(seller)})
	read, err := w.Order.Order(t.Context(), ann, o.ID)
	require.NoError(t, err)
	require.Equal(t, o.Lines, read.Lines)
	require.Equal(t, "LAMAI100", read.Discounts[0].Code)
	require.EqualValues(t, 1, used(w, id))

	w.MustRedeem(ann, o.Vouchers[0].ID, 1, staff, point)
	w.MustRedeem(ann, o.Vouchers[1].ID, 123_45, staff, point)
	require.Equal(t, []money.Amount{813_93, 359_70}, []money.Amount{w.SystemBalance(ledger.Unearned), w.SystemBalance(ledger.Payable)})

	made, err := w.Refund.Make(t.Context(), w.Org, auditlog.Actor{Kind: token.Owner, ID: staff.Subject}, tenanttest.Key(), refund.Input{
		Choice: refund.Choice{Order: o.ID, Parts: []refund.Part{{Voucher: o.Vouchers[0].ID, Items: 2}}}, Reason: "asked",
	})
	require.NoError(t, err)
	require.Equal(t, money.Amount(620_05), made.Amount)
	require.EqualValues(t, 1, used(w, id), "something stays of the order")
	w.MustBalance()
}

// TestPayers: who pays a discount earns less, and nobody else does.
func TestPayers(t *testing.T) {
	for payer, want := range map[string]struct{ paid, unearned, fee, pending money.Amount }{
		"organisation": {450_00, 391_50, 13_50, 45_00},
		"agent":        {450_00, 435_00, 15_00, 0},
		"platform":     {450_00, 435_00, -35_00, 50_00},
	} {
		t.Run(payer, func(t *testing.T) {
			w := tenanttest.New(t)
			ann, staff := w.Customer(1000_00), w.Staff()
			pkg := w.Package(tenanttest.Package{Price: 500_00, Items: 3, Vouchers: 2})
			seller := w.Agent(w.Customer(0), 1000)
			w.Visit(ann, seller, pkg)
			id := w.Discount(tenanttest.Discount{Percent: true, Value: 1000, Payer: payer})
			in, _ := cartOf(t, w, ann, one(pkg))
			o := mustBuy(t, w, ann, in)
			require.Equal(t, want.paid, o.Total)
			sums := func() []money.Amount {
				return []money.Amount{w.Balance(ann), w.SystemBalance(ledger.Unearned), w.SystemBalance(ledger.PlatformFee), w.Pending(seller)}
			}
			require.Equal(t, []money.Amount{1000_00 - want.paid, want.unearned, want.fee, want.pending}, sums())
			w.MustBalance()

			for _, v := range o.Vouchers {
				_, err := w.Refund.Make(t.Context(), w.Org, auditlog.Actor{Kind: token.Owner, ID: staff.Subject}, tenanttest.Key(), refund.Input{
					Choice: refund.Choice{Order: o.ID, Parts: []refund.Part{{Voucher: v.ID, Items: 3}}}, Reason: "asked",
				})
				require.NoError(t, err)
			}
			require.Equal(t, []money.Amount{1000_00, 0, 0, 0}, sums(), "everything went back where it came from")
			require.EqualValues(t, 0, used(w, id))
			w.MustBalance()
		})
	}
}

// TestPlatformPaysOfSlices: the platform paid at most the share of what is undone, given and refunded, and the audit cuts it as the books do.
func TestPlatformPaysOfSlices(t *testing.T) {
	for name, of := range map[string]struct {
		pkg                           tenanttest.Package
		used, undone, given, refunded int64
	}{
		"items": {tenanttest.Package{Price: 8, Items: 4, Transfers: 2}, 1, 1, 1, 1},
		"baht":  {tenanttest.Package{Price: 8, GiftValue: 11}, 3, 3, 1, 4},
	} {
		t.Run(name, func(t *testing.T) {
			w := tenanttest.New(t)
			ann, bob, staff, point := w.Customer(1_00), w.Customer(0), w.Staff(), w.ServicePoint()
			by := auditlog.Actor{Kind: token.Owner, ID: staff.Subject}
			w.Discount(tenanttest.Discount{Value: 6, Payer: "platform"})
			in, _ := cartOf(t, w, ann, one(w.Package(of.pkg)))
			o := mustBuy(t, w, ann, in)
			v := o.Vouchers[0].ID

			w.MustRedeem(ann, v, of.used, staff, point)
			w.Clock.Advance(time.Second)
			w.MustRedeem(ann, v, of.undone, staff, point)
			undo := uuid.Nil
			w.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT id FROM redemption ORDER BY items_left LIMIT 1`).Scan(&undo)
			})
			_, err := w.Objection.Object(t.Context(), ann, tenanttest.Key(), objection.Input{Use: undo})
			require.NoError(t, err)
			var objected uuid.UUID
			w.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT id FROM objection`).Scan(&objected)
			})
			require.NoError(t, w.Objection.Decide(t.Context(), w.Org, by, objection.Decision{ID: objected, Undo: true, Answer: "We looked."}))
			w.MustBalance()

			g, err := w.Gift.Give(t.Context(), ann, tenanttest.Key(), gift.Input{Voucher: v, Items: of.given, Card: "love"})
			require.NoError(t, err)
			_, err = w.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
			require.NoError(t, err)
			w.MustBalance()

			_, err = w.Refund.Make(t.Context(), w.Org, by, tenanttest.Key(), refund.Input{
				Choice: refund.Choice{Order: o.ID, Parts: []refund.Part{{Voucher: v, Items: of.refunded}}}, Reason: "asked",
			})
			require.NoError(t, err)
			require.Zero(t, w.Count(`SELECT count(*) FROM refund_item WHERE platform_discount_satang > share_satang`))
			w.MustBalance()
		})
	}
}

// TestDirectWithDiscount: a use is taken when payment starts, and freed when the order is over without its money.
func TestDirectWithDiscount(t *testing.T) {
	w := tenanttest.New(t)
	w.AddPaymentSystem()
	ann, bee := w.Customer(0), w.Customer(0)
	pkg, last := w.Package(tenanttest.Package{Price: 500_00}), 1
	id := w.Discount(tenanttest.Discount{Code: "ONCE", Value: 50_00, Payer: "platform", CodeUses: &last})
	in, _ := cartOf(t, w, ann, one(pkg), "ONCE")
	other, _ := cartOf(t, w, bee, one(pkg), "ONCE")
	pay := func(who token.Session, in order.BuyInput) (order.Order, error) {
		return w.Order.Pay(t.Context(), who, tenanttest.Key(), "", order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	}

	o, err := pay(ann, in)
	require.NoError(t, err)
	require.Equal(t, money.Amount(450_00), o.Total)
	require.Equal(t, money.Amount(50_00), o.Discounts[0].Amount)
	_, err = pay(bee, other)
	require.ErrorIs(t, err, discount.ErrUsedUp)
	require.Equal(t, "ONCE", lossOf(t, err).Code)

	_, err = w.Order.Cancel(t.Context(), ann, o.ID)
	require.NoError(t, err)
	require.EqualValues(t, 0, used(w, id))
	o, err = pay(bee, other)
	require.NoError(t, err)
	w.PayAtGateway(o.ID)
	o, err = w.Order.Order(t.Context(), bee, o.ID)
	require.NoError(t, err)
	require.Equal(t, "paid", o.State)
	require.Equal(t, []money.Amount{485_00, -35_00}, []money.Amount{w.SystemBalance(ledger.Unearned), w.SystemBalance(ledger.PlatformFee)})
	w.MustBalance()
}

func lossOf(t *testing.T, err error) discount.Loss {
	t.Helper()
	loss, is := fault.From(err).Detail.(discount.Loss)
	require.True(t, is, "%v", err)
	return loss
}

// TestDiscountCheats: nobody uses a discount more often than it may be used, or one that is not his.
func TestDiscountCheats(t *testing.T) {
	w := tenanttest.New(t)
	w.AddPaymentSystem()
	pkg, once := w.Package(tenanttest.Package{Price: 500_00}), 1
	buy := func(who token.Session, in order.BuyInput) error {
		_, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), in)
		return err
	}

	t.Run("a second time, where each may once, with the first quote and with a new one", func(t *testing.T) {
		ann := w.Customer(2000_00)
		w.Discount(tenanttest.Discount{Code: "EACH", Value: 100_00, Each: &once})
		in, _ := cartOf(t, w, ann, one(pkg), "EACH")
		require.NoError(t, buy(ann, in))
		require.ErrorIs(t, buy(ann, in), discount.ErrYoursUsed)
		_, q := cartOf(t, w, ann, one(pkg), "EACH")
		require.Equal(t, money.Amount(500_00), q.Total)
		require.Equal(t, discount.ErrYoursUsed.Code, q.Lost[0].Fault)
	})
	t.Run("as another row, after he erased himself", func(t *testing.T) {
		ann, again := w.Customer(2000_00), w.Customer(2000_00)
		w.Discount(tenanttest.Discount{Code: "PERSON", Value: 100_00, Each: &once, First: true})
		in, _ := cartOf(t, w, ann, one(pkg), "PERSON")
		require.NoError(t, buy(ann, in))
		w.Force(`INSERT INTO former_customer (customer_id, pseudonym, successor_id, forget_at) VALUES ($1, '\x00', $2, now() + interval '1 year')`, ann.Subject, again.Subject)
		_, q := cartOf(t, w, again, one(pkg), "PERSON")
		require.Equal(t, discount.ErrFirstOnly.Code, q.Lost[0].Fault)
		w.Force(`DELETE FROM former_customer`)
	})
	t.Run("the first purchase twice: by one that waits for its money", func(t *testing.T) {
		ann := w.Customer(2000_00)
		w.Discount(tenanttest.Discount{Code: "FIRST", Value: 100_00, First: true})
		in, _ := cartOf(t, w, ann, one(pkg), "FIRST")
		_, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(t, err)
		require.ErrorIs(t, buy(ann, in), discount.ErrFirstOnly)
	})
	t.Run("with a quote of before it ended, or was switched off", func(t *testing.T) {
		ann := w.Customer(2000_00)
		ends := w.Clock.Now().Add(time.Hour)
		id := w.Discount(tenanttest.Discount{Code: "SOON", Value: 100_00, Ends: &ends})
		in, _ := cartOf(t, w, ann, one(pkg), "SOON")
		w.Clock.Advance(time.Hour)
		require.ErrorIs(t, buy(ann, in), discount.ErrEnded)
		w.In(func(ctx context.Context, tx db.Tx) error {
			tx.Queue(`UPDATE discount SET status = 2 WHERE id = $1`, id)
			return catalog.BumpRevision(ctx, tx)
		})
		require.ErrorIs(t, buy(ann, in), discount.ErrUnknown)
	})
	t.Run("with somebody's own code, or with none and a code's price", func(t *testing.T) {
		ann, bee := w.Customer(2000_00), w.Customer(2000_00)
		w.Discount(tenanttest.Discount{Codes: []string{"OFANN"}, Value: 100_00})
		w.Force(`UPDATE discount_code SET customer_id = $1 WHERE code = 'OFANN'`, ann.Subject)
		_, q := cartOf(t, w, bee, one(pkg), "OFANN")
		require.Equal(t, discount.Loss{Code: "OFANN", Fault: discount.ErrUnknown.Code, ForTH: []string{}, ForEN: []string{}}, bare(q.Lost[0]))
		in, _ := cartOf(t, w, ann, one(pkg), "OFANN")
		require.ErrorIs(t, buy(bee, in), discount.ErrUnknown)
		in.Codes = nil
		require.ErrorIs(t, buy(ann, in), order.ErrQuoteChanged)
	})
	t.Run("more than its budget", func(t *testing.T) {
		ann, budget := w.Customer(2000_00), money.Amount(150_00)
		id := w.Discount(tenanttest.Discount{Code: "BUDGET", Value: 100_00, Budget: &budget})
		in, _ := cartOf(t, w, ann, one(pkg), "BUDGET")
		require.NoError(t, buy(ann, in))
		require.ErrorIs(t, buy(ann, in), discount.ErrUsedUp)
		require.EqualValues(t, 1, used(w, id))
	})
	t.Run("past the count that the code has read", func(t *testing.T) {
		ann := w.Customer(2000_00)
		id := w.Discount(tenanttest.Discount{Code: "COUNT", Value: 100_00, Uses: &once})
		in, _ := cartOf(t, w, ann, one(pkg), "COUNT")
		require.NoError(t, buy(ann, in))
		err := w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `UPDATE discount_count SET used = used + 1 WHERE discount_id = $1`, id)
			return err
		})
		require.Equal(t, "discount_count_used_up", db.Constraint(err), "%v", err)
	})
	w.MustBalance()
}

func bare(l discount.Loss) discount.Loss {
	return discount.Loss{Discount: l.Discount, Code: l.Code, Fault: l.Fault, NameTH: l.NameTH, NameEN: l.NameEN, At: l.At, Times: l.Times, ForTH: l.ForTH, ForEN: l.ForEN}
}

// TestBackTwice: what comes back of a discounted order twice at once frees its use once.
func TestBackTwice(t *testing.T) {
	w := tenanttest.New(t)
	system := w.AddPaymentSystem()
	ann, pkg := w.Customer(0), w.Package(tenanttest.Package{Price: 500_00, Vouchers: 3})
	id := w.Discount(tenanttest.Discount{Code: "BACK", Value: 100_01})
	in, _ := cartOf(t, w, ann, one(pkg), "BACK")
	o, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(o.ID)
	at := w.Pay.SetCharge(o.ID, func(c *payment.Charge) { c.Refunded = o.Total })
	for range 2 {
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: at}))
	}
	require.EqualValues(t, 0, used(w, id))
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM discount_use WHERE freed_at IS NOT NULL`))
	w.MustBalance()
}
