package apitest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tools/harness"
)

// TestGoLive: a shop that was tried out with test keys takes real money from then on. What was sold before is nowhere to be seen, and
// what is still under way about it ends quietly.
func TestGoLive(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("go-live", "ร้านเปิดใหม่", "1650000048")
	shop.Sell(900_00, nil)
	admin, ann, agt := p.Admin(), shop.Customer("ann"), shop.Agent("agt", 1000)
	annID := harness.MustPost[struct{ ID uuid.UUID }](ann, "/api/user/profile/customer", "", nil).ID
	harness.MustPost[any](ann, "/api/user/link/open", "", map[string]any{"code": agt.Link})

	topUp := ann.StartTopUp(3000_00)
	shop.PayFor(topUp.ID, map[string]any{})
	p.Eventually("the money arrives", func() bool { return ann.Balance() == 3000_00 })
	buyKey := uuid.NewString()
	_, confirm := shop.QuoteFor(ann)
	bought := harness.MustPost[harness.Order](ann, "/api/user/order/confirm", buyKey, confirm)
	use := func(v uuid.UUID) harness.Use {
		return harness.MustPost[harness.Use](ann, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": v, "service_point_id": shop.ServicePoint, "items": 1})
	}
	used := use(bought.Vouchers[0].ID)
	shop.Scan(shop.Owner, used)
	harness.MustPost[any](shop.Owner, "/api/staff/voucher/confirm", uuid.NewString(), map[string]any{"use_session_id": used.ID, "service_point_id": shop.ServicePoint})
	shop.Control(p.Pay.URL, "/emulator/charges/"+shop.Charge(topUp.ID)+"/refund", map[string]any{"amount_satang": 2000_00})
	p.Eventually("taken back", func() bool { return ann.Balance() < 2100_00 })
	waiting := ann.StartTopUp(500_00)
	waitingCharge, oldEndpoint := shop.Charge(waiting.ID), shop.Endpoint()
	shown := use(bought.Vouchers[0].ID)
	job := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/export/"+order.Orders.Name(), "", map[string]any{"format": "csv"})
	p.Eventually("the file is made", func() bool {
		return harness.MustPost[harness.Saved](shop.Owner, "/api/owner/report/job/get", "", map[string]any{"id": job.ID()})["state"] == "done"
	})
	typed := shop.Typed(shown)
	shop.MustBalance()

	keys := map[string]string{"public_key": "pkey_go_live", "secret_key": "skey_go_live", "webhook_secret": harness.Secret(32)}
	live := map[string]any{"id": shop.ID, "collector": "organisation", "payment": keys}
	p.Control(p.Pay.URL, "/emulator/endpoints", keys)
	refused := admin.Post("/api/admin/organize/payment/save", "", live)
	require.Equal(t, "org.test_sales", refused.Fault)
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Equal(t, http.StatusOK, shop.Owner.Post("/api/owner/setting/get", "", nil).Code)
	live["void_test"] = true
	for who, b := range map[string]*harness.Browser{"owner": shop.Owner, "customer": ann} {
		require.False(t, b.Post("/api/admin/organize/payment/save", "", live).Result, who)
	}
	type connections struct {
		Payment struct {
			Live, Switching bool
			TestSales       bool `json:"test_sales"`
		}
	}
	harness.MustPost[connections](admin, "/api/admin/organize/payment/save", "", live)
	p.Eventually("the switch is made", func() bool {
		c := harness.MustPost[connections](admin, "/api/admin/organize/connections", "", map[string]any{"id": shop.ID})
		return c.Payment.Live && !c.Payment.Switching && !c.Payment.TestSales
	})
	keys["webhook_url"] = fmt.Sprintf("http://127.0.0.1:%d/api/hook/%s", p.Port, shop.Endpoint())
	p.Control(p.Pay.URL, "/emulator/endpoints", keys)
	shop.MustBalance()

	t.Run("no list, figure or export shows the test sales", func(t *testing.T) {
		day := clock.Day(p.DB.Now()).Format(time.DateOnly)
		span := map[string]any{"from": day, "to": day}
		require.Zero(t, ann.Balance())
		for _, ask := range []struct {
			who  *harness.Browser
			path string
			body any
		}{
			{ann, "/api/user/getwallet", nil},
			{ann, "/api/user/wallet/movements", map[string]any{}},
			{ann, "/api/user/voucher/list", map[string]any{"filter": map[string]any{"state": "all"}}},
			{ann, "/api/user/voucher/history", map[string]any{}},
			{ann, "/api/user/order/awaiting", nil},
			{ann, "/api/user/privacy/get", nil},
			{ann, "/api/user/privacy/export", nil},
			{agt.Browser, "/api/agent/history", map[string]any{}},
			{agt.Browser, "/api/agent/summary", nil},
			{shop.Owner, "/api/owner/get/" + voucher.Vouchers.Name(), map[string]any{}},
			{shop.Owner, "/api/owner/get/" + order.Orders.Name(), map[string]any{}},
			{shop.Owner, "/api/owner/get/" + charge.Charges.Name(), map[string]any{}},
			{shop.Owner, "/api/owner/customer/wallet", map[string]any{"id": annID}},
			{shop.Owner, "/api/owner/report/daily", map[string]any{"filter": span}},
			{shop.Owner, "/api/owner/report/sold", map[string]any{"filter": span}},
			{shop.Owner, "/api/owner/report/wallets", map[string]any{"filter": span}},
			{shop.Owner, "/api/owner/report/unearned", map[string]any{"filter": map[string]any{}}},
			{shop.Owner, "/api/owner/report/job/list", nil},
			{shop.Owner, "/api/owner/dashboard", map[string]any{"days": 7}},
			{shop.Owner, "/api/owner/dashboard/activity", nil},
		} {
			r := ask.who.Post(ask.path, "", ask.body)
			require.True(t, r.Result, "%s: %d %s %v", ask.path, r.Code, r.Fault, r.Fields)
			require.NotRegexp(t, `"(amount|gross|balance|debt|owed|pending|payable|month|total|net|fee|commission|wallets|unearned|earned)_satang":-?[1-9]`, string(r.Detail), ask.path)
			for _, gone := range []string{bought.ID.String(), bought.Vouchers[0].ID.String(), topUp.ID.String(), waiting.ID.String(), used.ID.String(), job.ID()} {
				require.NotContains(t, string(r.Detail), gone, ask.path)
			}
		}
		for _, still := range []string{customer.Customers.Name(), agent.Agents.Name()} {
			require.Positive(t, harness.MustPost[struct{ Total int }](shop.Owner, "/api/owner/get/"+still, "", map[string]any{}).Total, still)
		}
	})

	t.Run("old links, codes and keys are not found", func(t *testing.T) {
		for path, body := range map[string]map[string]any{
			"/api/user/order/detail":     {"id": bought.ID},
			"/api/user/voucher/detail":   {"id": bought.Vouchers[0].ID},
			"/api/user/voucher/use/get":  {"id": shown.ID},
			"/api/user/wallet/topup/get": {"id": waiting.ID},
		} {
			r := ann.Post(path, "", body)
			require.Equal(t, http.StatusNotFound, r.Code, "%s: %s", path, r.Fault)
		}
		r := shop.Owner.Post("/api/staff/voucher/verify", "", map[string]any{"code": typed, "service_point_id": shop.ServicePoint})
		require.Equal(t, "voucher.code_unknown", r.Fault)
		require.Equal(t, "order.not_found", ann.Post("/api/user/order/confirm", buyKey, confirm).Fault)
		status, _, _ := shop.Owner.Fetch(http.MethodGet, "/api/owner/report/file/"+job.ID(), "", nil)
		require.Equal(t, http.StatusNotFound, status)
	})

	t.Run("a QR from before that is paid now, and its webhook, move nothing", func(t *testing.T) {
		p.Control(p.Pay.URL, "/emulator/charges/"+waitingCharge+"/pay", map[string]any{})
		p.Eventually("the webhook is handled", func() bool {
			return count(shop, `SELECT count(*) FROM gateway_event WHERE charge_id = $1`, waitingCharge) > 0 &&
				count(shop, `SELECT count(*) FROM outbox WHERE kind LIKE 'charge.%' AND done_at IS NULL AND due_at <= now()`) == 0
		})
		require.Zero(t, count(shop, `SELECT count(*) FROM outbox WHERE attempts > 0`), "no job fails over it")
		require.NotEqual(t, oldEndpoint, shop.Endpoint())
		require.Zero(t, ann.Balance())
		require.Zero(t, count(shop, `SELECT count(*) FROM charge`))
	})

	t.Run("the shop sells for real money, with everything that was set up", func(t *testing.T) {
		shop.FundWallet(ann, 1000_00)
		bought := shop.Buy(ann)
		require.EqualValues(t, 100_00, ann.Balance())
		shop.Scan(shop.Owner, use(bought.Vouchers[0].ID))
		require.Equal(t, 1, count(shop, `SELECT count(*) FROM charge WHERE gateway = 'gateway_own'`))
		shop.MustBalance()
		back := map[string]any{"id": shop.ID, "collector": "organisation", "payment": map[string]string{"public_key": "pkey_test_go-live", "secret_key": "", "webhook_secret": ""}, "void_test": true}
		require.Equal(t, "org.real_books", admin.Post("/api/admin/organize/payment/save", "", back).Fault)
	})

	t.Run("the file of the test sales is deleted", func(t *testing.T) {
		week := p.DB.Now().AddDate(0, 0, -7)
		require.Equal(t, 1, count(shop, `SELECT count(*) FROM report_job WHERE object_key <> '' AND updated_at < $1`, week), "the daily job finds it")
		require.NoError(t, p.Services.Files.Forget(t.Context(), shop.ID, uuid.New(), report.PurgeJob{}))
		require.Zero(t, count(shop, `SELECT count(*) FROM report_job WHERE object_key <> ''`))
	})
}
