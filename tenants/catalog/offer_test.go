package catalog_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/tenanttest"
)

// TestForOrder: several packages are asked for at once, and each is answered as if it were alone.
func TestForOrder(t *testing.T) {
	w := tenanttest.New(t)
	two, limit := w.Package(tenanttest.Package{Price: 100_00, Vouchers: 2}), 3
	mixed := w.Package(tenanttest.Package{Price: 200_00, PerCustomer: &limit})
	draft, ended, empty := w.Package(tenanttest.Package{Draft: true}), w.Package(tenanttest.Package{}), w.Package(tenanttest.Package{})
	deleted, unknown, picture := w.Package(tenanttest.Package{}), uuid.New(), uuid.New()
	w.In(func(_ context.Context, tx db.Tx) error {
		tx.Later(`INSERT INTO picture (id, width, height, bytes, colour, created_at) VALUES ($1, 16, 16, 1, '#000000', now())`, picture)
		tx.Later(`UPDATE package SET picture_id = $2 WHERE id = $1`, mixed, picture)
		tx.Later(`INSERT INTO package_item (package_id, position, voucher_type_id, quantity) SELECT $1, 0, voucher_type_id, 7 FROM package_item WHERE package_id = $2`, mixed, two)
		tx.Later(`UPDATE package SET sale_to = $2 WHERE id = $1`, ended, tx.Now)
		tx.Later(`UPDATE package SET status = 9 WHERE id = $1`, deleted)
		tx.Later(`UPDATE package_item SET package_id = $2, position = 2 WHERE package_id = $1`, empty, mixed)
		return nil
	})

	all := []uuid.UUID{mixed, draft, unknown, two, ended, deleted, empty}
	w.In(func(ctx context.Context, tx db.Tx) error {
		together := catalog.ForOrder(tx, all)
		var alone []*catalog.Listing
		for _, id := range all {
			alone = append(alone, catalog.ForOrder(tx, []uuid.UUID{id})[id])
		}
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		for i, id := range all {
			require.Equal(t, alone[i], together[id])
		}
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
		return nil
	})
}
