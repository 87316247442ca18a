package order_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

func TestBuy(t *testing.T) {
	t.Run("a purchase takes its price from the wallet, splits it and issues the vouchers", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(5000_00)
		pkg := w.Package(tenanttest.Package{Price: 3290_00, Items: 3, Vouchers: 2})

		order, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1))

		require.NoError(t, err)
		require.Len(t, order.Vouchers, 2)
		require.Equal(t, money.Amount(1710_00), w.Balance(ann))
		require.Equal(t, money.Amount(98_70), w.SystemBalance(ledger.PlatformFee))
		require.Equal(t, money.Amount(3191_30), w.SystemBalance(ledger.Unearned))
		w.MustBalance()
	})

	t.Run("a cart and a package say the last day and the rule of the vouchers that they issue", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(5000_00)
		pkg := w.Package(tenanttest.Package{Price: 3290_00, Vouchers: 2, ToWallet: true, Transfers: 2, Together: true})

		quote, err := w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: pkg, Quantity: 1}}})
		require.NoError(t, err)
		product, err := catalog.New(w.DB).Product(t.Context(), w.Org, pkg)
		require.NoError(t, err)
		bought, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1))
		require.NoError(t, err)

		last := bought.Vouchers[0].ValidUntil
		require.Equal(t, []string{last}, quote.Lines[0].LastDays)
		require.Equal(t, last, product.Items[0].LastDay)
		require.Equal(t, []string{"wallet"}, quote.Lines[0].ExpiryRules)
		require.Equal(t, []order.Giving{{Rule: "times", Times: 2, Together: true}}, quote.Lines[0].Transfers)
	})

	t.Run("a voucher without a picture of its own has its package's", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(200_00)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		show := func(set string) *uuid.UUID {
			picture := uuid.New()
			w.In(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.Exec(ctx, `INSERT INTO picture (id, width, height, bytes, colour, created_at) VALUES ($1, 16, 16, 1, '#000000', now())`, picture)
				if err == nil {
					_, err = tx.Exec(ctx, set, picture)
				}
				return errors.Join(err, catalog.BumpRevision(ctx, tx))
			})
			return &picture
		}

		shared := show(`UPDATE package SET picture_id = $1`)
		require.Equal(t, shared, w.MustBuy(ann, pkg).Picture)
		own := show(`UPDATE voucher_type SET picture_id = $1`)
		require.Equal(t, own, w.MustBuy(ann, pkg).Picture)
	})

	t.Run("a package is sold while its owner saves it, without a deadlock", func(t *testing.T) {
		w := tenanttest.New(t)
		ann, stock, picture := w.Customer(100_00), 5, uuid.New()
		pkg := w.Package(tenanttest.Package{Price: 100_00, Stock: &stock})
		w.ServicePoint()
		w.In(func(_ context.Context, tx db.Tx) error {
			tx.Queue(`INSERT INTO picture (id, width, height, bytes, colour, created_at) VALUES ($1, 16, 16, 1, '#000000', now())`, picture)
			tx.Queue(`UPDATE package SET picture_id = $1`, picture)
			return nil
		})
		quoted, owner, tries := w.Quote(ann, pkg, 1), auditlog.Actor{Kind: token.Owner, ID: db.NewID()}, 0

		w.In(func(ctx context.Context, tx db.Tx) error {
			tries++
			row, err := catalog.Packages.Detail(ctx, tx, pkg)
			if err != nil {
				return err
			}
			if row, err = catalog.Packages.Save(ctx, tx, owner, row); err != nil { // the package is his until the end
				return err
			}
			_, err = w.Order.Buy(ctx, ann, tenanttest.Key(), quoted) // takes the stock, and then refers to the package
			require.NoError(t, err)
			more := int64(9)
			row.Quantity = &more
			_, err = catalog.Packages.Save(ctx, tx, owner, row)
			return err
		})

		require.Equal(t, 1, tries, "no deadlock was solved by trying again")
		require.EqualValues(t, 8, w.Count(`SELECT quantity - sold FROM stock WHERE package_id = $1`, pkg))
		w.MustBalance()
	})

	t.Run("insufficient balance leaves no order and no voucher", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(99_00)
		pkg := w.Package(tenanttest.Package{Price: 100_00})

		_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1))

		require.ErrorIs(t, err, ledger.ErrInsufficient)
		require.Zero(t, w.Count(`SELECT count(*) FROM orders`)+w.Count(`SELECT count(*) FROM voucher`)+w.Count(`SELECT sum(sold) FROM stock`))
		w.MustBalance()
	})

	t.Run("a price or a content that changed since the quote is refused, never charged", func(t *testing.T) {
		for _, change := range []string{
			`UPDATE package SET price_satang = 10100`, `UPDATE voucher_type SET items = 2`, `UPDATE voucher_type SET transfer_rule = 'none'`,
			`UPDATE package_part SET quantity = 2`, `UPDATE package SET refund_rule = 'none'`, `UPDATE package SET refund_fee_basis_points = 100`,
			`UPDATE package SET class = 'beauty', refund_rule = 'self'`,
		} {
			w := tenanttest.New(t)
			ann := w.Customer(500_00)
			pkg := w.Package(tenanttest.Package{Price: 100_00})
			quoted := w.Quote(ann, pkg, 1)
			w.In(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.Exec(ctx, change)
				return errors.Join(err, catalog.BumpRevision(ctx, tx))
			})

			_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted)

			require.ErrorIs(t, err, order.ErrQuoteChanged, change)
			require.Equal(t, money.Amount(500_00), w.Balance(ann))
		}
	})

	t.Run("a cart of more vouchers than a transaction carries is refused", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(0)
		book := w.Package(tenanttest.Package{Vouchers: 99})

		_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, book, 20))
		require.NoError(t, err)
		_, err = w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: book, Quantity: 21}}})

		require.ErrorIs(t, err, fault.BadInput)
		require.Equal(t, int64(20*99), w.Count(`SELECT count(*) FROM voucher`))
	})

	t.Run("a draft cannot be bought, and another organisation's package is not found", func(t *testing.T) {
		w, other := tenanttest.New(t), tenanttest.New(t)
		ann := w.Customer(500_00)
		for pkg, want := range map[uuid.UUID]error{
			w.Package(tenanttest.Package{Price: 100_00, Draft: true}): catalog.ErrNotOnSale,
			other.Package(tenanttest.Package{Price: 100_00}):          catalog.ErrPackageNotFound,
		} {
			_, err := w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: pkg, Quantity: 1}}})
			require.ErrorIs(t, err, want)
		}
	})

	t.Run("twenty buyers for one last item: one gets it, nineteen keep their money", func(t *testing.T) {
		w := tenanttest.New(t)
		one := 1
		pkg := w.Package(tenanttest.Package{Price: 100_00, Stock: &one})

		results := make([]error, 20)
		var wg sync.WaitGroup
		for i := range results {
			buyer := w.Customer(100_00)
			quoted := w.Quote(buyer, pkg, 1)
			wg.Go(func() { _, results[i] = w.Order.Buy(context.Background(), buyer, tenanttest.Key(), quoted) })
		}
		wg.Wait()

		bought := 0
		for _, err := range results {
			if err == nil {
				bought++
			} else {
				require.ErrorIs(t, err, catalog.ErrSoldOut)
			}
		}
		require.Equal(t, 1, bought)
		require.EqualValues(t, 19*100_00, w.Count(`SELECT sum(balance_satang) FROM wallet`))
		w.MustBalance()
	})

	t.Run("a free package keeps its limit per customer, though no wallet is locked for it", func(t *testing.T) {
		w := tenanttest.New(t)
		one := 1
		ann := w.Customer(0)
		quoted := w.Quote(ann, w.Package(tenanttest.Package{PerCustomer: &one}), 1)

		results := make([]error, 2)
		var wg sync.WaitGroup
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `SELECT FROM stock FOR UPDATE`) // both are under way before either is done
			for i := range results {
				wg.Go(func() { _, results[i] = w.Order.Buy(context.Background(), ann, tenanttest.Key(), quoted) })
			}
			time.Sleep(300 * time.Millisecond)
			return err
		})
		wg.Wait()

		require.ErrorIs(t, errors.Join(results...), order.ErrLimit)
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders`))
	})

	t.Run("a suspended customer cannot buy, whatever session he still has", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(500_00)
		quoted := w.Quote(ann, w.Package(tenanttest.Package{Price: 100_00}), 1)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4 WHERE id = $1`, ann.Subject)
			return err
		})

		_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted)

		require.ErrorIs(t, err, customer.ErrSuspended)
		require.Equal(t, money.Amount(500_00), w.Balance(ann))
	})

	t.Run("a customer who lacks a required consent cannot buy, pay, top up, use or sell", func(t *testing.T) {
		w := tenanttest.New(t)
		ann, bee := w.Customer(500_00), w.Customer(0)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		w.AddPaymentSystem()
		w.Agent(bee, 1000)
		key, point := tenanttest.Key(), w.ServicePoint()
		quoted := w.Quote(ann, pkg, 1)
		before, err := w.Order.Buy(t.Context(), ann, key, quoted)
		require.NoError(t, err)
		version := w.Text("pdpa", "customer")
		w.Text("terms", "agent")

		sneaky := quoted
		sneaky.Accepted = []uuid.UUID{version}
		for name, try := range map[string]func() error{
			"buy": func() error { _, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted); return err },
			"buy, the text among those of the order": func() error {
				_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), sneaky)
				return err
			},
			"pay": func() error {
				_, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: quoted, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
				return err
			},
			"top up": func() error {
				_, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
				return err
			},
			"use": func() error {
				_, err := w.Voucher.StartUse(t.Context(), ann, tenanttest.Key(), voucher.UseInput{Voucher: before.Vouchers[0].ID, ServicePoint: point, Items: 1})
				return err
			},
			"sell": func() error {
				_, err := agent.New(w.DB).Link(t.Context(), token.Session{Audience: token.Agent, Org: w.Org, Subject: bee.Subject}, pkg)
				return err
			},
		} {
			require.ErrorIs(t, try(), consent.ErrMissing, name)
		}
		require.Equal(t, money.Amount(400_00), w.Balance(ann))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders`))
		require.Zero(t, w.Count(`SELECT count(*) FROM charge`)+w.Count(`SELECT count(*) FROM use_session`)+w.Count(`SELECT count(*) FROM sale_link`))
		again, err := w.Order.Buy(t.Context(), ann, key, quoted)
		require.NoError(t, err, "a purchase from before is still returned for its key")
		require.Equal(t, before.ID, again.ID)

		texts := consent.New(w.DB)
		require.NoError(t, texts.Accept(t.Context(), ann, consent.AcceptInput{Versions: []uuid.UUID{version}, Lang: "th"}))
		_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted)
		require.NoError(t, err)
		w.Text("pdpa", "customer")
		_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted)
		require.ErrorIs(t, err, consent.ErrMissing, "a new version has to be accepted again")
		w.MustBalance()
	})

	t.Run("64 calls with one key have one effect and one answer", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(150_00)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		quoted, key := w.Quote(ann, pkg, 1), tenanttest.Key()

		orders, results := make([]order.Order, 64), make([]error, 64)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { orders[i], results[i] = w.Order.Buy(context.Background(), ann, key, quoted) })
		}
		wg.Wait()

		for i := range results {
			require.NoError(t, results[i])
			require.Equal(t, orders[0], orders[i])
		}
		require.Equal(t, money.Amount(50_00), w.Balance(ann))
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM orders`))
		w.MustBalance()
	})

	t.Run("one key with another body is refused", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(500_00)
		pkg, key := w.Package(tenanttest.Package{Price: 100_00}), tenanttest.Key()
		_, err := w.Order.Buy(t.Context(), ann, key, w.Quote(ann, pkg, 1))
		require.NoError(t, err)

		_, err = w.Order.Buy(t.Context(), ann, key, w.Quote(ann, pkg, 2))

		require.ErrorIs(t, err, idempotency.ErrReused)
		require.Equal(t, money.Amount(400_00), w.Balance(ann))
	})

	t.Run("a customer's limit holds for concurrent purchases", func(t *testing.T) {
		w := tenanttest.New(t)
		two := 2
		ann := w.Customer(1000_00)
		pkg := w.Package(tenanttest.Package{Price: 100_00, PerCustomer: &two})

		quoted := w.Quote(ann, pkg, 1)
		results := make([]error, 8)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { _, results[i] = w.Order.Buy(context.Background(), ann, tenanttest.Key(), quoted) })
		}
		wg.Wait()

		bought := 0
		for _, err := range results {
			if err == nil {
				bought++
			} else {
				require.ErrorIs(t, err, order.ErrLimit)
			}
		}
		require.Equal(t, 2, bought)
		w.MustBalance()
	})

	t.Run("a purchase by an agent's link earns him commission, and his own does not", func(t *testing.T) {
		w := tenanttest.New(t)
		bee, ann := w.Customer(1000_00), w.Customer(1000_00)
		pkg := w.Package(tenanttest.Package{Price: 1000_00})
		agentID := w.Agent(bee, 1000)
		w.Visit(ann, agentID, pkg)
		w.Count(`WITH v AS (INSERT INTO link_visit SELECT $1, link_id, at FROM link_visit LIMIT 1 RETURNING 1) SELECT count(*) FROM v`, bee.Subject)

		w.MustBuy(ann, pkg)
		require.Equal(t, money.Amount(100_00), w.Pending(agentID))
		w.MustBuy(bee, pkg)
		require.Equal(t, money.Amount(100_00), w.Pending(agentID))
		w.MustBalance()
	})

	t.Run("an agent who is suspended as a customer earns nothing", func(t *testing.T) {
		w := tenanttest.New(t)
		bee, ann := w.Customer(0), w.Customer(1000_00)
		pkg := w.Package(tenanttest.Package{Price: 1000_00})
		agentID := w.Agent(bee, 1000)
		w.Visit(ann, agentID, pkg)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4 WHERE id = $1`, bee.Subject)
			return err
		})

		w.MustBuy(ann, pkg)
		require.Zero(t, w.Pending(agentID))
		w.MustBalance()
	})

	t.Run("a purchase updates one wallet and one stock row; everything else is inserted", func(t *testing.T) {
		w := tenanttest.New(t)
		ann := w.Customer(500_00)
		pkg := w.Package(tenanttest.Package{Price: 100_00})
		quoted := w.Quote(ann, pkg, 1)

		before := rowVersions(w)
		_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted)
		require.NoError(t, err)
		after := rowVersions(w)

		var replaced []string
		for version, table := range before {
			if _, still := after[version]; !still {
				replaced = append(replaced, table)
			}
		}
		require.ElementsMatch(t, []string{"wallet", "stock"}, replaced)
	})
}

// rowVersions names every row version of the organisation: an UPDATE or DELETE is one that is gone.
func rowVersions(w *tenanttest.World) map[string]string {
	versions := map[string]string{}
	w.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`)
		if err != nil {
			return err
		}
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, table := range tables {
			if table == "goose_db_version" {
				continue
			}
			rows, err := tx.Query(ctx, `SELECT ctid::text || xmin::text FROM `+pgx.Identifier{table}.Sanitize())
			if err != nil {
				return err
			}
			found, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				return err
			}
			for _, version := range found {
				versions[table+version] = table
			}
		}
		return nil
	})
	return versions
}
