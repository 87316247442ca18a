package order_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

func TestOrders(t *testing.T) {
	t.Run("an order has its channel's name in the organisation's own words", func(t *testing.T) {
		w := tenanttest.New(t)
		w.MustBuy(w.Customer(1000_00), w.Package(tenanttest.Package{Price: 500_00}))
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE list_option SET name_th = 'หน้าเว็บ', name_en = 'Our shop' WHERE list = 'salechannel' AND number = 2`)
			return err
		})

		w.In(func(ctx context.Context, tx db.Tx) error {
			page, err := order.Orders.List(ctx, tx, resource.Query{})
			require.NoError(t, err)
			require.Len(t, page.Data, 1)
			row, err := json.Marshal(page.Data[0])
			require.NoError(t, err)
			require.Contains(t, string(row), `"sale_channel_name_th":"หน้าเว็บ"`)
			require.Contains(t, string(row), `"sale_channel_name_en":"Our shop"`)
			return nil
		})
	})
}
