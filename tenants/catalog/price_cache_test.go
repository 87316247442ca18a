package catalog_test

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
)

// results asks a cache in a transaction of its own.
func results(w *tenanttest.World, cache *catalog.PriceCache, ids ...uuid.UUID) (found map[uuid.UUID]*catalog.PackageResult) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		query := cache.Query(tx, ids)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		var err error
		found, err = query.Results(ctx, tx)
		return err
	})
	return found
}

// TestResults: several packages are asked for at once, and each is answered as if it were alone, remembered or not.
func TestResults(t *testing.T) {
	w := tenanttest.New(t)
	two, limit := w.Package(tenanttest.Package{Price: 100_00, Vouchers: 2}), 3
	mixed := w.Package(tenanttest.Package{Price: 200_00, PerCustomer: &limit})
	draft, ended, empty := w.Package(tenanttest.Package{Draft: true}), w.Package(tenanttest.Package{}), w.Package(tenanttest.Package{})
	deleted, unknown, picture := w.Package(tenanttest.Package{}), uuid.New(), uuid.New()
	w.In(func(_ context.Context, tx db.Tx) error {
		tx.Queue(`INSERT INTO picture (id, width, height, bytes, colour, created_at) VALUES ($1, 16, 16, 1, '#000000', now())`, picture)
		tx.Queue(`UPDATE package SET picture_id = $2 WHERE id = $1`, mixed, picture)
		tx.Queue(`INSERT INTO package_part (package_id, position, voucher_type_id, quantity) SELECT $1, 0, voucher_type_id, 7 FROM package_part WHERE package_id = $2`, mixed, two)
		tx.Queue(`UPDATE package SET sale_to = $2 WHERE id = $1`, ended, tx.Now)
		tx.Queue(`UPDATE package SET status = 9 WHERE id = $1`, deleted)
		tx.Queue(`UPDATE package_part SET package_id = $2, position = 2 WHERE package_id = $1`, empty, mixed)
		return nil
	})

	all := []uuid.UUID{mixed, draft, unknown, two, ended, deleted, empty}
	cache := catalog.NewPriceCache()
	together := results(w, cache, all...)
	for _, id := range all {
		require.Equal(t, results(w, catalog.NewPriceCache(), id)[id], together[id])
	}
	require.Equal(t, together, results(w, cache, all...), "some of them remembered")
	for id, want := range map[uuid.UUID]error{
		draft: catalog.ErrNotOnSale, ended: catalog.ErrNotOnSale, empty: catalog.ErrNotOnSale,
		deleted: catalog.ErrPackageNotFound, unknown: catalog.ErrPackageNotFound,
	} {
		require.ErrorIs(t, together[id].Refused, want)
	}
	require.NoError(t, together[two].Refused)
	require.NoError(t, together[mixed].Refused)
	require.Nil(t, together[two].PerCustomer)
	require.Equal(t, &limit, together[mixed].PerCustomer)
	require.Nil(t, together[two].Parts[0].Picture)
	var quantities []int
	for _, p := range together[mixed].Parts {
		quantities = append(quantities, p.Quantity)
		require.Equal(t, &picture, p.Picture, "the package's, where there is no other")
	}
	require.Equal(t, []int{7, 1, 1}, quantities, "in their order")
}

func TestPriceCache(t *testing.T) {
	w := tenanttest.New(t)
	cache := catalog.NewPriceCache()
	pkg, other := w.Package(tenanttest.Package{Price: 100_00}), w.Package(tenanttest.Package{Price: 50_00})
	from, to := w.Clock.Now().Add(time.Hour), w.Clock.Now().Add(2*time.Hour)
	byHand := func(sql string, args ...any) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, sql, args...)
			return err
		})
	}
	change := func(sql string, args ...any) {
		byHand(sql, args...)
		w.In(catalog.BumpRevision)
	}
	require.Equal(t, money.Amount(100_00), results(w, cache, pkg)[pkg].Price)

	change(`UPDATE package SET price_satang = 12000 WHERE id = $1`, pkg)
	require.Equal(t, money.Amount(120_00), results(w, cache, pkg)[pkg].Price, "the revision drops the cached price")
	both := results(w, cache, pkg, other)
	require.Equal(t, []money.Amount{120_00, 50_00}, []money.Amount{both[pkg].Price, both[other].Price}, "one is cached and one is not")

	change(`UPDATE package SET sale_from = $2, sale_to = $3 WHERE id = $1`, pkg, from, to)
	require.ErrorIs(t, results(w, cache, pkg)[pkg].Refused, catalog.ErrNotOnSale)
	w.Clock.Advance(time.Hour)
	require.NoError(t, results(w, cache, pkg)[pkg].Refused, "a cached package comes on sale by itself")
	w.Clock.Advance(time.Hour)
	require.ErrorIs(t, results(w, cache, pkg)[pkg].Refused, catalog.ErrNotOnSale)

	change(`UPDATE package SET status = 9 WHERE id = $1`, pkg)
	require.ErrorIs(t, results(w, cache, pkg)[pkg].Refused, catalog.ErrPackageNotFound)

	require.Equal(t, money.Amount(50_00), results(w, cache, other)[other].Price)
	byHand(`UPDATE package SET price_satang = 6000 WHERE id = $1`, other)
	require.Equal(t, money.Amount(50_00), results(w, cache, other)[other].Price)
	w.Clock.Advance(10 * time.Second)
	w.In(func(ctx context.Context, tx db.Tx) error {
		query := cache.Query(tx, []uuid.UUID{other})
		require.NoError(t, tx.Flush(ctx))
		late, end := context.WithCancel(ctx)
		end()
		now, err := query.Results(late, tx)
		require.NoError(t, err, "an expired entry is read in the first round trip")
		require.Equal(t, money.Amount(60_00), now[other].Price, "a change without a new revision")
		return nil
	})

	elsewhere := tenanttest.New(t)
	require.ErrorIs(t, results(elsewhere, cache, other)[other].Refused, catalog.ErrPackageNotFound, "it is another organisation's")

	cache.Fill(10_000)
	require.Equal(t, catalog.MaxPackages, cache.Known())
	require.NoError(t, results(w, cache, other)[other].Refused)
	require.Equal(t, catalog.MaxPackages, cache.Known())
}

// TestRevision: a row of what prices are made of bumps the revision when it is added, changed or stopped, and a sale does not.
func TestRevision(t *testing.T) {
	s := newShop(t)
	tables := map[string]func(){
		"package": func() { bumps(s, catalog.Packages, s.complete()) },
		"voucher_type": func() {
			bumps(s, catalog.VoucherTypes, catalog.VoucherType{NameTH: "นวด", Items: 1, UsageRules: terms()})
		},
		"gift_voucher": func() {
			bumps(s, catalog.GiftVouchers, catalog.GiftVoucher{NameTH: "บัตร", Value: 500_00, UsageRules: terms()})
		},
		"service_point": func() { bumps(s, servicepoint.ServicePoints, servicepoint.ServicePoint{NameTH: "สาขา"}) },
		// Written with the rows above, and by nothing else (tools/arch, TestRevision).
		"package_part": func() {}, "template_version": func() {},
	}
	for _, table := range priceTables(s) {
		require.Contains(t, tables, table, "packages are priced by it now: does it bump the revision?")
		tables[table]()
		delete(tables, table)
	}
	require.Empty(t, tables)

	w := tenanttest.New(t)
	var before, after uuid.UUID
	ann, pkg := w.Customer(500_00), w.Package(tenanttest.Package{Price: 100_00})
	w.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, selectRevision).Scan(&before) })
	_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, pkg, 1))
	require.NoError(t, err)
	w.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, selectRevision).Scan(&after) })
	require.Equal(t, before, after, "a sale is no change of what is sold")
}

const selectRevision = `SELECT revision FROM catalog_revision`

// bumps adds a row, saves it and stops it; each time the revision is another one afterwards, and is not when all is undone.
func bumps[T any](s *shop, table *resource.Table[T], row T) {
	s.t.Helper()
	id := func() uuid.UUID { return reflect.ValueOf(row).FieldByName("ID").Interface().(uuid.UUID) }
	for what, change := range []func(ctx context.Context, tx db.Tx) error{
		func(ctx context.Context, tx db.Tx) (err error) {
			row, err = table.Save(ctx, tx, s.owner, row)
			return err
		},
		func(ctx context.Context, tx db.Tx) (err error) {
			row, err = table.Save(ctx, tx, s.owner, row)
			return err
		},
		func(ctx context.Context, tx db.Tx) error {
			return table.SetStatus(ctx, tx, s.owner, []uuid.UUID{id()}, resource.Inactive)
		},
	} {
		var before, within, undone uuid.UUID
		back, kept := errors.New("back"), row
		require.ErrorIs(s.t, s.in(func(ctx context.Context, tx db.Tx) error {
			require.NoError(s.t, tx.QueryRow(ctx, selectRevision).Scan(&before))
			require.NoError(s.t, change(ctx, tx))
			require.NoError(s.t, tx.QueryRow(ctx, selectRevision).Scan(&within))
			return back
		}), back)
		row = kept
		require.NotEqual(s.t, before, within, "%s, change %d", table.Name(), what)
		require.NoError(s.t, s.in(func(ctx context.Context, tx db.Tx) error {
			require.NoError(s.t, tx.QueryRow(ctx, selectRevision).Scan(&undone))
			return change(ctx, tx)
		}))
		require.Equal(s.t, before, undone)
	}
}

// priceTables are what Postgres reads to price a package.
func priceTables(s *shop) (tables []string) {
	s.t.Helper()
	for _, sql := range catalog.PriceQueries {
		require.NoError(s.t, s.in(func(ctx context.Context, tx db.Tx) error {
			rows, err := tx.Query(ctx, `EXPLAIN (FORMAT JSON) `+sql, []uuid.UUID{uuid.New()})
			if err != nil {
				return err
			}
			plan, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[string])
			for _, found := range regexp.MustCompile(`"Relation Name": "(\w+)"`).FindAllStringSubmatch(plan, -1) {
				tables = append(tables, found[1])
			}
			return err
		}))
	}
	slices.Sort(tables)
	return slices.Compact(tables)
}
