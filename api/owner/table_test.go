package owner_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/api/owner"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// TestExports: a table that is listed can be exported, so a file can be made of it.
func TestExports(t *testing.T) {
	made := map[string]bool{}
	for _, r := range owner.Exports() {
		made[r.Name()] = true
	}
	for path := range owner.Rights() {
		if table, ok := strings.CutPrefix(path, "/api/owner/export/"); ok {
			require.True(t, made[table], "%s is listed, but not in Exports", table)
		}
	}
}

// TestEveryColumn sends every statement that a declared table can make to Postgres, over rows that are there.
func TestEveryColumn(t *testing.T) {
	w := tenanttest.New(t)
	place := w.Place()
	pkg := w.Package(tenanttest.Package{Price: 500_00, Only: []uuid.UUID{place}})
	w.Package(tenanttest.Package{Price: 300_00, GiftValue: 300_00})
	seller := w.Agent(w.Customer(0), 1000)
	ann := w.Customer(5000_00)
	w.Visit(ann, seller, pkg)
	w.MustBuy(ann, pkg)
	w.Staff()
	w.AddPaymentSystem()
	_, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.In(func(ctx context.Context, tx db.Tx) error {
		for _, sql := range []string{
			`INSERT INTO tag (id, name_th, name_en, status, created_at, updated_at) VALUES (gen_random_uuid(), 'ก', 'a', 5, now(), now())`,
			`INSERT INTO permission (id, name_th, name_en, modules, status, created_at, updated_at) VALUES (gen_random_uuid(), 'ก', 'a', '{"tags": "v"}', 5, now(), now())`,
			`INSERT INTO definestatus (id, table_name, number, name_th, name_en, color, status, created_at, updated_at) VALUES (gen_random_uuid(), 'staff', 5, 'ก', 'a', 'ok', 5, now(), now())`,
			`INSERT INTO choice (id, list, name_th, name_en, status, created_at, updated_at)
				SELECT gen_random_uuid(), list, 'ก', 'a', 5, now(), now() FROM unnest('{qrtype,timeslot,service,size,accesscontrol,discount,privilege,membercardtype}'::text[]) list`,
			`INSERT INTO faq (id, name_th, name_en, answer_th, answer_en, status, created_at, updated_at) VALUES (gen_random_uuid(), 'ก', 'a', 'ข', 'b', 5, now(), now())`,
			`INSERT INTO consent_version (id, kind, purpose, audience, version, title_th, title_en, body_th, body_en, status, created_at, updated_at)
				SELECT gen_random_uuid(), kind, 'member', 'agent', '1', 'ก', 'a', 'ก', 'a', 2, now(), now() FROM unnest('{pdpa,terms}'::text[]) kind`,
		} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})

	try(t, w, catalog.Packages)
	try(t, w, catalog.VoucherTypes)
	try(t, w, catalog.GiftVouchers)
	try(t, w, catalog.Tags)
	try(t, w, servicepoint.ServicePoints)
	try(t, w, content.Statuses)
	try(t, w, consent.PDPA)
	try(t, w, consent.Terms)
	try(t, w, agent.AgentTypes)
	try(t, w, agent.Agents)
	try(t, w, customer.Customers)
	try(t, w, voucher.Vouchers)
	try(t, w, order.Orders)
	try(t, w, staff.Accounts)
	try(t, w, staff.PermissionSets)
	try(t, w, optionlist.Questions)
	try(t, w, charge.Systems)
	try(t, w, charge.Charges)
	for _, list := range optionlist.Lists {
		try(t, w, list)
	}
}

func try[T any](t *testing.T, w *tenanttest.World, table *resource.Table[T]) {
	t.Run(table.Name(), func(t *testing.T) {
		require.Contains(t, staff.Modules, table.Module())
		list := func(q resource.Query) (page resource.Page[T]) {
			require.NoError(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) (err error) {
				page, err = table.List(t.Context(), tx, q)
				return err
			}), "%+v", q)
			return page
		}
		require.NotEmpty(t, list(resource.Query{}).Data)

		columns, _ := table.Columns()
		searched := false
		for _, c := range columns {
			searched = searched || c.Can&resource.Search != 0
			list(resource.Query{Select: []string{c.Name}})
			if c.Can&resource.Filter != 0 {
				list(resource.Query{Filter: map[string]any{c.Name: nil}})
			}
			if c.Can&resource.Sort == 0 {
				continue
			}
			for _, sort := range []string{c.Name, "-" + c.Name} {
				for page := list(resource.Query{Sort: sort, Limit: 1}); page.Next != nil; {
					page = list(resource.Query{Sort: sort, Limit: 1, After: *page.Next})
				}
			}
		}
		if searched {
			list(resource.Query{Search: "ก a"})
		}
		n := 0
		require.NoError(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
			return table.Export(t.Context(), tx, resource.Query{}, func(row T) error {
				n++
				_, err := table.Detail(t.Context(), tx, reflect.ValueOf(row).FieldByName("ID").Interface().(uuid.UUID))
				return err
			})
		}))
		require.EqualValues(t, list(resource.Query{}).Total, n)
	})
}
