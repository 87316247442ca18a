package rollup_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// requireFullCount: the tables and what is still named are a full count.
func requireFullCount(t *testing.T, w *tenanttest.World) {
	t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) error {
		findings, err := rollup.Audit(ctx, tx)
		require.Empty(t, findings)
		return err
	})
}

const stillNamed = `SELECT count(*) FROM outbox WHERE kind = 'rollup.facts'`

func buy(t *testing.T, w *tenanttest.World, pkg uuid.UUID, n int) order.Order {
	t.Helper()
	ann := w.Customer(10_000_00)
	o, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, n))
	require.NoError(t, err)
	return o
}

func TestFollow(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 333_33, Items: 3, Vouchers: 2})
	buy(t, w, pkg, 2)
	requireFullCount(t, w)
	require.NotZero(t, w.Count(stillNamed))
	require.Zero(t, w.Count(`SELECT count(*) FROM sales_by_day`), "until it is followed each reader counts it")

	require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
	require.Zero(t, w.Count(stillNamed))
	require.EqualValues(t, 666_66, w.Count(`SELECT gross_satang FROM sales_by_day`))
	require.EqualValues(t, 1, w.Count(`SELECT orders FROM sales_by_hour`))
	requireFullCount(t, w)

	t.Run("following again adds nothing", func(t *testing.T) {
		require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
		require.EqualValues(t, 666_66, w.Count(`SELECT gross_satang FROM sales_by_day`))
		requireFullCount(t, w)
	})

	t.Run("a late fact counts in its own hour", func(t *testing.T) {
		w.Clock.Advance(49 * time.Hour)
		buy(t, w, pkg, 1)
		require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
		w.Clock.Advance(-48 * time.Hour)
		buy(t, w, pkg, 1)
		requireFullCount(t, w)
		require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
		require.EqualValues(t, 3, w.Count(`SELECT count(*) FROM sales_by_hour`))
		requireFullCount(t, w)
	})

	t.Run("an undone transaction names no facts", func(t *testing.T) {
		undone := errors.New("undone")
		require.ErrorIs(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
			require.NoError(t, rollup.Enqueue(t.Context(), tx, rollup.Facts{Orders: []uuid.UUID{db.NewID()}}))
			return undone
		}), undone)
		require.Zero(t, w.Count(stillNamed))
	})

	t.Run("the audit finds a wrong roll-up, and Build corrects it", func(t *testing.T) {
		w.Force(`UPDATE sales_by_day SET quantity = quantity + 1`)
		w.Force(`DELETE FROM newcomers_by_hour`)
		w.In(func(ctx context.Context, tx db.Tx) error {
			findings, err := rollup.Audit(ctx, tx)
			require.Len(t, findings, 2)
			require.Contains(t, findings[0].String(), "sales_by_day")
			return err
		})
		require.NoError(t, rollup.Build(t.Context(), w.DB, w.Org))
		requireFullCount(t, w)
	})
}

// TestFollowWhileItSells: followers, builders and sellers at the same time; at any moment it is a full count.
func TestFollowWhileItSells(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 99_99, Vouchers: 2})
	point, staff := w.ServicePoint(), w.Staff()
	var all errgroup.Group
	for range 4 {
		ann := w.Customer(100_000_00)
		all.Go(func() error {
			for range 12 {
				o, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1+rand.IntN(2)))
				if err != nil {
					return err
				}
				opened, err := w.Voucher.StartUse(t.Context(), ann, tenanttest.Key(), voucher.UseInput{Voucher: o.Vouchers[0].ID, ServicePoint: point, Items: 1})
				if err != nil {
					return err
				}
				w.Scan(staff, opened, point)
				if _, err := w.Voucher.Confirm(t.Context(), staff, tenanttest.Key(), voucher.ConfirmInput{Session: opened.ID, ServicePoint: point}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	ended := make(chan struct{})
	var beside errgroup.Group
	for n, do := range []func(context.Context, *db.DB, uuid.UUID) error{rollup.Follow, rollup.Follow, rollup.Build} {
		beside.Go(func() error {
			for {
				select {
				case <-ended:
					return nil
				default:
				}
				if err := do(t.Context(), w.DB, w.Org); err != nil {
					return err
				}
				if n == 0 {
					requireFullCount(t, w)
				}
			}
		})
	}
	require.NoError(t, all.Wait())
	close(ended)
	require.NoError(t, beside.Wait())
	requireFullCount(t, w)
	require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
	require.Zero(t, w.Count(stillNamed))
	requireFullCount(t, w)
	require.EqualValues(t, 48, w.Count(`SELECT sum(orders)::bigint FROM sales_by_hour`))
	require.EqualValues(t, 48, w.Count(`SELECT sum(uses)::bigint FROM uses_by_hour`))
}

// TestNewCustomers: a customer's first sign-in is a fact, once.
func TestNewCustomers(t *testing.T) {
	w := tenanttest.New(t)
	people := customer.New(w.DB, w.Box(), refund.Settle)
	for range 2 {
		_, err := people.SignIn(t.Context(), w.Org, customer.LINEIdentity{Subject: "U1", Name: "แอน"})
		require.NoError(t, err)
		requireFullCount(t, w)
	}
	require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
	require.EqualValues(t, 1, w.Count(`SELECT sum(customers)::bigint FROM newcomers_by_hour`))
}

// TestEntries: the entries of a sealed day are added once; those of later days are counted by who asks.
func TestEntries(t *testing.T) {
	w := tenanttest.New(t)
	pkg := w.Package(tenanttest.Package{Price: 100_00})
	const toUnearned = `SELECT coalesce(sum(amount_satang), 0)::bigint FROM ` + rollup.EntriesByDay + ` e WHERE kind = 'purchase' AND credit = 'unearned'`
	buy(t, w, pkg, 1)
	require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
	require.Zero(t, w.Count(`SELECT count(*) FROM entries_by_day`), "the day goes on")
	sold := w.Count(toUnearned)
	require.EqualValues(t, w.SystemBalance(ledger.Unearned), sold)

	w.Clock.Advance(50 * time.Hour)
	w.In(ledger.SealDays)
	buy(t, w, pkg, 2)
	requireFullCount(t, w)
	for range 2 {
		require.NoError(t, rollup.Follow(t.Context(), w.DB, w.Org))
		require.Equal(t, sold, w.Count(`SELECT sum(amount_satang)::bigint FROM entries_by_day WHERE kind = 'purchase' AND credit = 'unearned'`))
		require.EqualValues(t, w.SystemBalance(ledger.Unearned), w.Count(toUnearned))
		requireFullCount(t, w)
	}

	t.Run("Build adds what is sealed, and the audit sees a wrong sum", func(t *testing.T) {
		require.NoError(t, rollup.Build(t.Context(), w.DB, w.Org))
		requireFullCount(t, w)
		w.Force(`UPDATE entries_by_day SET amount_satang = amount_satang + 1 WHERE credit = 'platform_fee'`)
		w.In(func(ctx context.Context, tx db.Tx) error {
			findings, err := rollup.Audit(ctx, tx)
			require.Len(t, findings, 1)
			require.Contains(t, findings[0].String(), "entries_by_day")
			return err
		})
	})
}
