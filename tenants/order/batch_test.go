package order_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

// buying is one purchase of several that are taken together, and its result.
type buying struct {
	ctx   context.Context //nolint:containedctx // each buyer has his own
	who   token.Session
	key   string
	in    order.BuyInput
	order order.Order
	err   error
}

func buys(who token.Session, in order.BuyInput) *buying {
	return &buying{ctx: context.Background(), who: who, key: tenanttest.Key(), in: in}
}

// together lets purchases come while another is under way, so that one transaction takes them all, in their order.
func together(t *testing.T, w *tenanttest.World, meanwhile func(), all ...*buying) {
	t.Helper()
	first := buys(w.Customer(0), w.Quote(w.Customer(0), w.Package(tenanttest.Package{}), 1))
	var group sync.WaitGroup
	w.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `SELECT FROM stock WHERE package_id = $1 FOR UPDATE`, first.in.Lines[0].Package)
		for n, b := range append([]*buying{first}, all...) {
			group.Go(func() { b.order, b.err = w.Order.Buy(b.ctx, b.who, b.key, b.in) })
			if n == 0 {
				require.Eventually(t, func() bool { return dbtest.Blocks(ctx, t, tx) }, 5*time.Second, time.Millisecond, "it has gone at once, and waits for its stock")
				continue
			}
			require.Eventually(t, func() bool { return w.Order.Waiting(w.Org) == n }, 5*time.Second, time.Millisecond)
		}
		meanwhile()
		return err
	})
	group.Wait()
	require.NoError(t, first.err)
}

// waitsForCustomer counts the transactions that wait for a customer's row that another one has locked.
func waitsForCustomer(w *tenanttest.World) int64 {
	return w.Count(`SELECT count(*) FROM pg_locks WHERE locktype = 'tuple' AND relation = 'customer'::regclass`)
}

func nothing() {}

// ask asks for agreement to a text with every order, or no more.
func ask(w *tenanttest.World, version uuid.UUID, active bool) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE consent_version SET purpose = 'purchase', active = $2 WHERE id = $1`, version, active)
		return err
	})
}

// transactions counts the transactions that wrote these orders.
func transactions(w *tenanttest.World, all ...*buying) int64 {
	var ids []uuid.UUID
	for _, b := range all {
		ids = append(ids, b.order.ID)
	}
	return w.Count(`SELECT count(DISTINCT xmin::text) FROM orders WHERE id = ANY ($1)`, ids)
}

func TestBuyTogether(t *testing.T) {
	t.Run("each purchase of a batch gets its own result, and a refused one leaves nothing", func(t *testing.T) {
		w := tenanttest.New(t)
		three := 3
		pkg := w.Package(tenanttest.Package{Price: 100_00, Stock: &three})
		other := w.Package(tenanttest.Package{Price: 100_00})
		rich := func() token.Session { return w.Customer(500_00) }
		ann, bee, repeat, reuse, gone, poor, old, odd := rich(), rich(), rich(), rich(), rich(), w.Customer(99_99), rich(), rich()
		quote := w.Quote(ann, pkg, 1)

		before := buys(repeat, w.Quote(repeat, other, 1))
		before.order, before.err = w.Order.Buy(t.Context(), repeat, before.key, before.in)
		require.NoError(t, before.err)
		again, reused, stale, unknown := *before, buys(reuse, w.Quote(reuse, other, 1)), buys(old, quote), buys(odd, quote)
		reused.order, reused.err = w.Order.Buy(t.Context(), reuse, reused.key, reused.in)
		require.NoError(t, reused.err)
		reused.in = w.Quote(reuse, other, 2)
		stale.in.Hash = w.Quote(old, pkg, 2).Hash
		unknown.in.Accepted = []uuid.UUID{uuid.New()}
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4 WHERE id = $1`, gone.Subject)
			return err
		})
		one, two, last, late := buys(ann, quote), buys(bee, quote), buys(rich(), quote), buys(rich(), quote)
		short, suspended := buys(poor, quote), buys(gone, quote)
		none := &buying{ctx: t.Context(), who: ann, in: quote}

		together(t, w, nothing, short, one, &again, stale, suspended, two, reused, unknown, last, late)

		for _, b := range []*buying{one, two, last} {
			require.NoError(t, b.err)
			require.Equal(t, money.Amount(400_00), w.Balance(b.who))
		}
		require.EqualValues(t, 1, transactions(w, one, two, last))
		for b, want := range map[*buying]error{
			short: ledger.ErrInsufficient, stale: order.ErrQuoteChanged, suspended: customer.ErrSuspended,
			reused: idempotency.ErrReused, unknown: consent.ErrInactive, late: catalog.ErrSoldOut,
		} {
			require.ErrorIs(t, b.err, want)
			require.Zero(t, b.order)
		}
		require.NoError(t, again.err)
		require.Equal(t, before.order, again.order)
		_, none.err = w.Order.Buy(t.Context(), none.who, none.key, none.in)
		require.ErrorIs(t, none.err, idempotency.ErrMissing)

		require.EqualValues(t, 6, w.Count(`SELECT count(*) FROM idempotency`), "three and three before")
		require.EqualValues(t, 6, w.Count(`SELECT count(*) FROM orders`))
		require.Zero(t, w.Count(`SELECT count(*) FROM consent`))
		require.EqualValues(t, 6, w.Count(`SELECT count(*) FROM outbox WHERE kind = 'notice'`))
		w.MustBalance()

		reason := w.Adjustment(1)
		w.In(func(ctx context.Context, tx db.Tx) error {
			if _, err := tx.Exec(ctx, `UPDATE stock SET quantity = 4 WHERE package_id = $1`, pkg); err != nil {
				return err
			}
			return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: reason},
				ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, poor.Subject), Amount: 1}))
		})
		_, err := w.Order.Buy(t.Context(), poor, short.key, short.in)
		require.NoError(t, err, "a key that was refused may try again")
	})

	t.Run("one key twice in a batch has one effect, whichever call comes first", func(t *testing.T) {
		w := tenanttest.New(t)
		ann, bee := w.Customer(500_00), w.Customer(150_00)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		first := buys(ann, w.Quote(ann, pkg, 1))
		duplicate, changed := *first, *first
		changed.in = w.Quote(ann, pkg, 2)
		much := buys(bee, w.Quote(bee, pkg, 2))
		less := *much
		less.in = w.Quote(bee, pkg, 1)

		together(t, w, nothing, first, &duplicate, &changed, much, &less)

		require.NoError(t, first.err)
		require.NoError(t, duplicate.err)
		require.Equal(t, first.order, duplicate.order)
		require.ErrorIs(t, changed.err, idempotency.ErrReused)
		require.ErrorIs(t, much.err, ledger.ErrInsufficient)
		require.NoError(t, less.err, "the call before it was refused, and left the key free")
		require.Equal(t, money.Amount(400_00), w.Balance(ann))
		require.Equal(t, money.Amount(50_00), w.Balance(bee))
		w.MustBalance()
	})

	t.Run("two purchases of one customer in a batch are decided one after the other", func(t *testing.T) {
		w := tenanttest.New(t)
		two := 2
		ann, bee := w.Customer(250_00), w.Customer(500_00)
		pkg, limited := w.Package(tenanttest.Package{Price: 100_00}), w.Package(tenanttest.Package{Price: 100_00, PerCustomer: &two})
		a := []*buying{buys(ann, w.Quote(ann, pkg, 1)), buys(ann, w.Quote(ann, pkg, 1)), buys(ann, w.Quote(ann, pkg, 1))}
		b := []*buying{buys(bee, w.Quote(bee, limited, 1)), buys(bee, w.Quote(bee, limited, 2)), buys(bee, w.Quote(bee, limited, 1))}
		terms := w.Text("terms", "customer")
		ask(w, terms, false)
		for _, buying := range append(a, b[0], b[1]) {
			buying.in.Accepted = []uuid.UUID{terms}
		}

		together(t, w, func() { ask(w, terms, true) }, a[0], b[0], a[1], b[1], a[2], b[2])

		require.NoError(t, a[0].err)
		require.NoError(t, a[1].err)
		require.ErrorIs(t, a[2].err, ledger.ErrInsufficient)
		require.NoError(t, b[0].err)
		require.ErrorIs(t, b[1].err, order.ErrLimit)
		require.NoError(t, b[2].err, "a text accepted a moment ago is not asked for again")
		require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM consent`))
		moves, err := w.Wallet.Movements(t.Context(), ann, 10, nil)
		require.NoError(t, err)
		require.Equal(t, []money.Amount{50_00, 150_00, 250_00}, []money.Amount{moves.Data[0].After, moves.Data[1].After, moves.Data[2].After})
		w.MustBalance()
	})

	t.Run("a purchase that the database refuses fails alone in its batch", func(t *testing.T) {
		w := tenanttest.New(t)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		ann, eve, bee := w.Customer(100_00), w.Customer(100_00), w.Customer(100_00)
		terms := w.Text("terms", "customer")
		ask(w, terms, false)
		quote := w.Quote(ann, pkg, 1)
		quote.Accepted = []uuid.UUID{terms}
		good, broken, fine := buys(ann, quote), buys(eve, quote), buys(bee, quote)
		broken.in.Lang = "th\x00" // the API lets none through

		together(t, w, func() { ask(w, terms, true) }, good, broken, fine)

		require.NoError(t, good.err)
		require.ErrorIs(t, broken.err, fault.BadInput)
		require.NoError(t, fine.err)
		require.EqualValues(t, 2, transactions(w, good, fine), "each alone")
		require.Equal(t, money.Amount(100_00), w.Balance(eve))
		w.MustBalance()
	})

	for name, end := range map[string]struct {
		cut    func(*dbtest.Cut)
		orders int64
	}{
		"arrives late": {(*dbtest.Cut).Arrive, 1}, "never arrives": {(*dbtest.Cut).Lose, 3},
	} {
		t.Run("a COMMIT without an answer is resolved for each purchase, also when it "+name, func(t *testing.T) {
			w := tenanttest.New(t)
			proxy := dbtest.NewProxy(t, w.AppURL)
			weak, err := db.Open(t.Context(), map[string]string{db.MainNode: proxy.URL}, 4, w.Clock)
			require.NoError(t, err)
			t.Cleanup(weak.Close)
			w.Order = order.New(weak, org.NewDirectory(weak), w.Charge)
			ann, bee, cat := w.Customer(150_00), w.Customer(150_00), w.Customer(150_00)
			three := 3
			quote := w.Quote(ann, w.Package(tenanttest.Package{Price: 100_00, Stock: &three}), 1)
			all := []*buying{buys(ann, quote), buys(bee, quote), buys(cat, quote)}
			cut := proxy.CutAt(quote.Hash) // it stands in the orders, which travel with COMMIT

			var group sync.WaitGroup
			group.Go(func() { together(t, w, nothing, all...) })
			require.Eventually(t, func() bool { return waitsForCustomer(w) == 3 }, 5*time.Second, time.Millisecond, "each asks again, behind the transaction that has not ended")
			end.cut(cut)
			group.Wait()

			for _, b := range all {
				require.NoError(t, b.err)
				require.Equal(t, money.Amount(50_00), w.Balance(b.who))
				again, err := w.Order.Buy(t.Context(), b.who, b.key, b.in)
				require.NoError(t, err)
				require.Equal(t, b.order, again)
			}
			require.Equal(t, end.orders, transactions(w, all...))
			require.EqualValues(t, 3, w.Count(`SELECT count(*) FROM orders WHERE total_satang > 0`))
			w.MustBalance()
		})
	}

	t.Run("a COMMIT that stays without an answer is returned as an unknown outcome", func(t *testing.T) {
		w := tenanttest.New(t)
		proxy := dbtest.NewProxy(t, w.AppURL)
		weak, err := db.Open(t.Context(), map[string]string{db.MainNode: proxy.URL}, 4, w.Clock)
		require.NoError(t, err)
		t.Cleanup(weak.Close)
		service := order.New(weak, org.NewDirectory(weak), w.Charge)
		ann := w.Customer(150_00)
		b := buys(ann, w.Quote(ann, w.Package(tenanttest.Package{Price: 100_00}), 1))
		cut := proxy.CutAt(b.in.Hash)

		_, err = service.Buy(b.ctx, ann, b.key, b.in) // the second try waits until Postgres ends it

		require.ErrorIs(t, err, db.ErrUnknownOutcome)
		cut.Arrive()
		b.order, err = service.Buy(b.ctx, ann, b.key, b.in)
		require.NoError(t, err)
		require.Equal(t, money.Amount(50_00), w.Balance(ann))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders`))
		w.MustBalance()
	})

	t.Run("an idempotency key that the database cannot store is refused as missing", func(t *testing.T) {
		w := tenanttest.New(t)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		ann, eve, bee := w.Customer(100_00), w.Customer(100_00), w.Customer(100_00)
		quote := w.Quote(ann, pkg, 1)
		good, zero, fine := buys(ann, quote), buys(eve, quote), buys(bee, quote)
		zero.key = "no text \x00 of a database"

		together(t, w, func() { zero.order, zero.err = w.Order.Buy(zero.ctx, zero.who, zero.key, zero.in) }, good, fine)

		require.ErrorIs(t, zero.err, idempotency.ErrMissing)
		require.NoError(t, good.err)
		require.NoError(t, fine.err)
		require.EqualValues(t, 1, transactions(w, good, fine))
	})

	t.Run("a queued purchase whose context ends buys nothing, and the next one goes on", func(t *testing.T) {
		w := tenanttest.New(t)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		ann, bee := w.Customer(100_00), w.Customer(100_00)
		gone, stays := buys(ann, w.Quote(ann, pkg, 1)), buys(bee, w.Quote(bee, pkg, 1))
		var cancel context.CancelFunc
		gone.ctx, cancel = context.WithCancel(t.Context())

		together(t, w, func() {
			cancel()
			require.Eventually(t, func() bool { return w.Order.Waiting(w.Org) == 1 }, 5*time.Second, time.Millisecond)
		}, gone, stays)

		require.ErrorIs(t, gone.err, context.Canceled)
		require.NoError(t, stays.err)
		require.Equal(t, money.Amount(100_00), w.Balance(ann))
	})

	t.Run("a batch of one organisation does not block another's", func(t *testing.T) {
		w, other := tenanttest.New(t), tenanttest.New(t)
		ann, bee := w.Customer(100_00), other.Customer(100_00)
		here, there := buys(ann, w.Quote(ann, w.Package(tenanttest.Package{Price: 100_00}), 1)), other.Quote(bee, other.Package(tenanttest.Package{Price: 100_00}), 1)

		together(t, w, func() {
			_, err := w.Order.Buy(t.Context(), bee, tenanttest.Key(), there)
			require.NoError(t, err, "though the other organisation's batch is running")
		}, here)

		require.NoError(t, here.err)
		require.Zero(t, w.Count(`SELECT count(*) FROM orders WHERE customer_id = $1`, bee.Subject))
		other.MustBalance()
		w.MustBalance()
	})

	t.Run("a changed price holds in every process, also where the old one is cached", func(t *testing.T) {
		w := tenanttest.New(t)
		ann, pkg := w.Customer(1000_00), w.Package(tenanttest.Package{Price: 100_00})
		services := []*order.Service{w.Order, order.New(w.DB, org.NewDirectory(w.DB), w.Charge)}
		old := w.Quote(ann, pkg, 1)
		for _, service := range services {
			_, err := service.Buy(t.Context(), ann, tenanttest.Key(), old)
			require.NoError(t, err)
		}
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE package SET price_satang = 12000 WHERE id = $1`, pkg)
			return errors.Join(err, catalog.BumpRevision(ctx, tx))
		})
		for _, service := range services {
			_, err := service.Buy(t.Context(), ann, tenanttest.Key(), old)
			require.ErrorIs(t, err, order.ErrQuoteChanged)
		}
		for _, service := range services {
			quote, err := service.Quote(t.Context(), ann, order.QuoteInput{Lines: old.Lines})
			require.NoError(t, err)
			require.Equal(t, money.Amount(120_00), quote.Total)
			_, err = service.Buy(t.Context(), ann, tenanttest.Key(), order.BuyInput{Lines: old.Lines, Hash: quote.Hash, Lang: "th"})
			require.NoError(t, err)
		}
		require.Equal(t, money.Amount(560_00), w.Balance(ann))
		w.MustBalance()
	})

	t.Run("purchases of more vouchers than a transaction carries take several", func(t *testing.T) {
		w := tenanttest.New(t)
		ann, bee := w.Customer(0), w.Customer(0)
		book, one := w.Package(tenanttest.Package{Vouchers: 99}), w.Package(tenanttest.Package{})
		first, second, small := buys(ann, w.Quote(ann, book, 20)), buys(bee, w.Quote(bee, book, 20)), buys(bee, w.Quote(bee, one, 1))

		together(t, w, nothing, first, second, small)

		for _, b := range []*buying{first, second, small} {
			require.NoError(t, b.err)
		}
		require.EqualValues(t, 2, transactions(w, first, second, small))
		w.MustBalance()
	})

	t.Run("an agent earns by each purchase of a batch", func(t *testing.T) {
		w := tenanttest.New(t)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		agentID := w.Agent(w.Customer(0), 1000)
		ann, bee, cat := w.Customer(100_00), w.Customer(200_00), w.Customer(100_00)
		w.Visit(ann, agentID, pkg)
		w.Visit(bee, agentID, pkg)
		all := []*buying{buys(ann, w.Quote(ann, pkg, 1)), buys(cat, w.Quote(cat, pkg, 1)), buys(bee, w.Quote(bee, pkg, 2))}

		together(t, w, nothing, all...)

		require.Equal(t, money.Amount(30_00), w.Pending(agentID))
		require.EqualValues(t, 1, transactions(w, all...))
		w.MustBalance()
	})

	t.Run("lines are written in the order of packages, whatever the order of the carts", func(t *testing.T) {
		w := tenanttest.New(t)
		one, two, three := w.Package(tenanttest.Package{}), w.Package(tenanttest.Package{}), w.Package(tenanttest.Package{})
		cart := func(packages ...uuid.UUID) *buying {
			who := w.Customer(0)
			lines := db.Column(packages, func(id uuid.UUID) order.Line { return order.Line{Package: id, Quantity: 1} })
			q, err := w.Order.Quote(t.Context(), who, order.QuoteInput{Lines: lines})
			require.NoError(t, err)
			return buys(who, order.BuyInput{Lines: lines, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"})
		}
		first, second := cart(three, one), cart(two, three, one)

		together(t, w, nothing, first, second)

		require.NoError(t, first.err)
		require.NoError(t, second.err)
		require.Equal(t, []uuid.UUID{two, three, one}, db.Column(second.order.Lines, func(l order.PricedLine) uuid.UUID { return l.Package }))
		require.Zero(t, w.Count(`SELECT count(*) FROM (SELECT package_id < lag(package_id) OVER (ORDER BY l.ctid) AS back
			FROM order_line l WHERE order_id = ANY ($1)) AS l WHERE back`, []uuid.UUID{first.order.ID, second.order.ID}))
	})

	t.Run("two processes with a batcher each keep stock, limits, keys and wallets", func(t *testing.T) {
		w := tenanttest.New(t)
		stock, limit := 17, 3
		hot, cool := w.Package(tenanttest.Package{Price: 100_00, Stock: &stock}), w.Package(tenanttest.Package{Price: 10_00, PerCustomer: &limit})
		services := []*order.Service{w.Order, order.New(w.DB, org.NewDirectory(w.DB), w.Charge)}
		var all []*buying
		for range 10 {
			who := w.Customer(300_00)
			lines := []order.Line{{Package: hot, Quantity: 1}, {Package: cool, Quantity: 1}}
			for range 4 {
				if all = append(all, buys(who, w.Quote(who, hot, 1))); len(all)%2 == 0 { // locks both in another order than its id
					lines[0], lines[1] = lines[1], lines[0]
					q, err := w.Order.Quote(t.Context(), who, order.QuoteInput{Lines: lines})
					require.NoError(t, err)
					all[len(all)-1].in = order.BuyInput{Lines: []order.Line{lines[0], lines[1]}, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"}
				}
			}
		}

		var group sync.WaitGroup
		answers := make([][2]buying, len(all))
		for i, b := range all {
			for n, service := range services {
				group.Go(func() {
					answers[i][n].order, answers[i][n].err = service.Buy(context.Background(), b.who, b.key, b.in)
				})
			}
		}
		group.Wait()

		sold := 0
		for _, pair := range answers {
			for _, a := range pair {
				if a.err != nil {
					require.Contains(t, []string{catalog.ErrSoldOut.Code, ledger.ErrInsufficient.Code, order.ErrLimit.Code}, fault.From(a.err).Code, "%v", a.err)
				}
			}
			if pair[0].err == nil || pair[1].err == nil {
				sold++
			}
			if pair[0].err == nil && pair[1].err == nil {
				require.Equal(t, pair[0].order, pair[1].order)
			}
		}
		require.Equal(t, 17, sold)
		require.EqualValues(t, 17, w.Count(`SELECT count(*) FROM orders`))
		require.EqualValues(t, 17, w.Count(`SELECT sold FROM stock WHERE package_id = $1`, hot))
		w.MustBalance()
	})
}
