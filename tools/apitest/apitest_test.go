// Package apitest goes the whole way over HTTP, as programs that know nothing of our code would: an admin opens
// organisations, customers sign in by LINE, pay, buy and use; all on real parts, with LINE and the gateway emulated.
package apitest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/org"
	"welovevoucher/tools/harness"
)

func TestMainJob(t *testing.T) {
	p := harness.Start(t)
	spa, hotel := p.Open("lamai-spa", "เรือนละไม สปา", "1650000001"), p.Open("sathorn-waree", "โรงแรมสาทรวารี", "1650000002")
	spa.Sell(3290_00, nil)
	hotel.Sell(1690_00, nil)

	t.Run("the site is live with its own name and colours from the first byte", func(t *testing.T) {
		status, header, page := p.Get(spa.Host, "/welovevoucher/"+spa.Liff+"/market")
		require.Equal(t, 200, status)
		require.Contains(t, page, "<title>เรือนละไม สปา</title>")
		require.Contains(t, page, "--brand:#1f5c4d")
		require.Contains(t, page, "canary-lamai-spa")
		require.Contains(t, page, "<noscript><main>", "readable without script")
		require.NotContains(t, page, "canary-sathorn-waree")
		_, _, front := p.Get(spa.Host, "/")
		require.Contains(t, front, "canary-lamai-spa", "the front brings its packages with it")
		require.Contains(t, front, `"/api/user/get/service_point"`)
		require.NotContains(t, front, "canary-sathorn-waree")
		require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		status, _, _ = p.Get(hotel.Host, "/welovevoucher/"+spa.Liff+"/market")
		require.Equal(t, 404, status, "another organisation's LIFF on this host")
		status, _, _ = p.Get("nobody.localhost", "/")
		require.Equal(t, 404, status)
	})

	t.Run("the platform's sign-in page finds a shop, and its administration is found from a shop's host", func(t *testing.T) {
		status, _, page := p.Get("localhost", "/loginpage?unique=lamai-spa")
		require.Equal(t, 200, status)
		require.Contains(t, page, "<title>เรือนละไม สปา</title>", "the shop's own page")
		for _, unknown := range []string{"", "?unique=nobody", "?unique=//evil.example", "?unique=%0d%0aX:1"} {
			_, _, page = p.Get("localhost", "/loginpage"+unknown)
			require.Contains(t, page, `"org":null`, "stays on the platform's host: %q", unknown)
		}
		_, _, page = p.Get(hotel.Host, "/loginpage?unique=lamai-spa")
		require.NotContains(t, page, "canary-lamai-spa", "a shop's host leads to no other shop")

		for _, path := range []string{"/advwsadmin", "/advwsadmin/organize_list?q=x"} {
			status, _, page = p.Get(spa.Host, path)
			require.Equal(t, 200, status)
			require.Contains(t, page, `"org":null`)
		}
		_, _, page = p.Get(spa.Host, "/advwsadminx")
		require.NotContains(t, page, `"org":null`)
	})

	t.Run("a customer tops up, buys and uses a voucher at the service point", func(t *testing.T) {
		ann := spa.Customer("แอน")
		q, confirm := spa.QuoteFor(ann)
		require.EqualValues(t, 3290_00, q.TopUp)
		require.Equal(t, "wallet.insufficient_balance", ann.Post("/api/user/order/confirm", uuid.NewString(), confirm).Fault)

		spa.FundWallet(ann, 3300_00)
		bought := spa.Buy(ann)
		require.EqualValues(t, 10_00, ann.Balance())
		q, _ = spa.QuoteFor(ann)
		require.EqualValues(t, 3280_00, q.TopUp)

		opened := harness.MustPost[harness.Use](ann, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": spa.ServicePoint, "items": 1})
		at := map[string]any{"code": spa.Typed(opened), "service_point_id": spa.ServicePoint}
		redeem := map[string]any{"use_session_id": opened.ID, "service_point_id": spa.ServicePoint}
		require.Equal(t, "voucher.code_unknown", hotel.Owner.Post("/api/staff/voucher/verify", "", at).Fault, "the other organisation's staff")
		require.EqualValues(t, 2, harness.MustPost[struct {
			After int64 `json:"items_left_after"`
		}](spa.Owner, "/api/staff/voucher/verify", "", at).After)
		harness.MustPost[any](spa.Owner, "/api/staff/voucher/confirm", uuid.NewString(), redeem)
		require.Equal(t, "used", harness.MustPost[harness.Use](ann, "/api/user/voucher/use/get", "", map[string]any{"id": opened.ID}).State)
		require.Equal(t, "voucher.already_used", spa.Owner.Post("/api/staff/voucher/confirm", uuid.NewString(), redeem).Fault)
		spa.MustBalance()
	})

	t.Run("of twenty buyers of one last item over HTTP one succeeds", func(t *testing.T) {
		one := 1
		hotel.Sell(100_00, &one)
		buyers, results := make([]*harness.Browser, 20), make([]harness.Reply, 20)
		for i := range buyers {
			buyers[i] = hotel.Customer(fmt.Sprintf("buyer %d", i))
			hotel.FundWallet(buyers[i], 100_00)
		}
		var wg sync.WaitGroup
		for i, b := range buyers {
			_, confirm := hotel.QuoteFor(b)
			wg.Go(func() { results[i] = b.Post("/api/user/order/confirm", uuid.NewString(), confirm) })
		}
		wg.Wait()

		won := 0
		for _, r := range results {
			if r.Result {
				won++
			} else {
				require.Equal(t, "catalog.sold_out", r.Fault)
			}
		}
		require.Equal(t, 1, won)
		hotel.MustBalance()
	})

	t.Run("many calls with one key have one effect, and another body is refused", func(t *testing.T) {
		hotel.Sell(100_00, nil)
		bee := hotel.Customer("บี")
		hotel.FundWallet(bee, 300_00)
		_, confirm := hotel.QuoteFor(bee)
		key := uuid.NewString()
		replies := make([]harness.Reply, 64)
		var wg sync.WaitGroup
		for i := range replies {
			wg.Go(func() {
				for replies[i].Code == 0 || replies[i].Fault == "rate.limited" { // he may try thirty times a minute
					require.NoError(t, p.ForgetLimits())
					replies[i] = bee.Post("/api/user/order/confirm", key, confirm)
				}
			})
		}
		wg.Wait()
		for _, r := range replies {
			require.True(t, r.Result, r.Fault)
			require.JSONEq(t, string(replies[0].Detail), string(r.Detail))
		}
		require.EqualValues(t, 200_00, bee.Balance())

		require.NoError(t, p.ForgetLimits())
		confirm["lang"] = "en"
		require.Equal(t, "idempotency.key_reused", bee.Post("/api/user/order/confirm", key, confirm).Fault)
		require.Equal(t, "field.required", bee.Post("/api/user/order/confirm", "", confirm).Fields[0].Fault)
		hotel.MustBalance()
	})
}

func TestWebhooks(t *testing.T) {
	p := harness.Start(t)
	o := p.Open("webhooks", "ทดสอบ", "1650000003")

	t.Run("a webhook that comes once, often or reordered credits once", func(*testing.T) {
		for i, how := range []map[string]any{{}, {"times": 5}, {"reorder": true}, {"times": 3, "reorder": true}} {
			b := o.Customer(fmt.Sprintf("person %d", i))
			o.PayFor(b.StartTopUp(250_00).ID, how)
			o.Eventually("credited", func() bool { return b.Balance() == 250_00 })
		}
		o.MustBalance()
	})

	t.Run("a payment after its QR has expired is credited, and late", func(t *testing.T) {
		b := o.Customer("late")
		started := b.StartTopUp(250_00)
		o.Control(o.Pay.URL, "/emulator/charges/"+o.Charge(started.ID)+"/expire", map[string]any{})
		o.Eventually("expired", func() bool {
			return harness.MustPost[harness.TopUp](b, "/api/user/wallet/topup/get", "", map[string]any{"id": started.ID}).State == "expired"
		})
		o.PayFor(started.ID, map[string]any{"late": true})
		o.Eventually("credited", func() bool { return b.Balance() == 250_00 })
		require.True(t, harness.MustPost[harness.TopUp](b, "/api/user/wallet/topup/get", "", map[string]any{"id": started.ID}).Late)
		o.MustBalance()
	})

	t.Run("a forged webhook, or a payment of another sum, credits nothing", func(t *testing.T) {
		for name, how := range map[string]map[string]any{"forged": {"forge": true}, "wrong sum": {"amount_satang": 100}} {
			b := o.Customer(name)
			o.PayFor(b.StartTopUp(250_00).ID, how)
			good := o.Customer("after " + name)
			o.FundWallet(good, 100_00) // by now the other one has been looked at as well
			require.Zero(t, b.Balance(), name)
		}
		o.MustBalance()
	})

	t.Run("refunds, disputes and fees at the gateway are posted once", func(t *testing.T) {
		b := o.Customer("disputes")
		id := b.StartTopUp(1000_00).ID
		o.PayFor(id, map[string]any{})
		o.Eventually("credited", func() bool { return b.Balance() == 1000_00 })
		at := func(action string, how map[string]any) {
			o.Control(o.Pay.URL, "/emulator/charges/"+o.Charge(id)+"/"+action, how)
		}
		at("refund", map[string]any{"forge": true})
		at("refund", map[string]any{"amount_satang": 100_00, "times": 3, "reorder": true})
		o.Eventually("refunded", func() bool { return b.Balance() == 900_00 })
		at("dispute", map[string]any{"times": 0}) // its webhook is lost
		at("refund", map[string]any{"amount_satang": 5000_00, "times": 2})
		o.Eventually("disputed", func() bool { return b.Balance() == 0 })
		at("win", map[string]any{"times": 2})
		o.Eventually("given back, and sent back by the refund of too much", func() bool {
			return o.Deposit(id)["dispute"] == "won"
		})
		row := o.Deposit(id)
		require.EqualValues(t, 1000_00, row["refunded_satang"])
		require.EqualValues(t, 0, row["disputed_satang"])
		require.EqualValues(t, 17_66, row["fee_satang"])
		require.Zero(t, b.Balance())
		o.MustBalance()
	})

	t.Run("an invalid amount or method of a top-up is refused at its field", func(t *testing.T) {
		b := o.Customer("careless")
		for body, want := range map[string]string{
			`{"amount_satang":9999,"method":"promptpay"}`:        "field.too_small",
			`{"amount_satang":-1,"method":"promptpay"}`:          "field.too_small",
			`{"amount_satang":99999999999,"method":"promptpay"}`: "field.too_big",
			`{"amount_satang":100.5,"method":"promptpay"}`:       "field.type",
			`{"amount_satang":"หนึ่งร้อย","method":"promptpay"}`: "field.type",
			`{"method":"promptpay"}`:                             "field.required",
			`{"amount_satang":10000,"method":"gold"}`:            "field.not_in_list",
			`{"amount_satang":10000,"method":"promptpay","x":1}`: "field.unknown",
		} {
			r := b.Raw("/api/user/wallet/topup", uuid.NewString(), []byte(body))
			require.Equal(t, 422, r.Code, body)
			require.NotEmpty(t, r.Fields, body)
			require.Equal(t, want, r.Fields[0].Fault, body)
		}
	})
}

func TestDirectPayment(t *testing.T) {
	p := harness.Start(t)
	o := p.Open("direct", "จ่ายตรง", "1650000007")
	o.Sell(990_00, nil)

	t.Run("a webhook that comes often or reordered pays an order once", func(t *testing.T) {
		for i, how := range []map[string]any{{}, {"times": 5}, {"times": 3, "reorder": true}} {
			b := o.Customer(fmt.Sprintf("direct %d", i))
			made := o.Order(b)
			require.NotEmpty(t, made.Payment.QR)
			o.PayFor(made.ID, how)
			o.Eventually("paid", func() bool { return b.OrderState(made.ID).State == "paid" })
			require.Len(t, b.OrderState(made.ID).Vouchers, 1)
			require.Zero(t, b.Balance())
		}
		o.MustBalance()
	})

	t.Run("late money fills the wallet, and the order stays expired", func(t *testing.T) {
		b := o.Customer("direct late")
		made := o.Order(b)
		o.Control(o.Pay.URL, "/emulator/charges/"+o.Charge(made.ID)+"/expire", map[string]any{})
		o.Eventually("over", func() bool { return b.OrderState(made.ID).State == "expired" })
		o.PayFor(made.ID, map[string]any{"late": true})
		o.Eventually("credited", func() bool { return b.Balance() == 990_00 })
		after := b.OrderState(made.ID)
		require.Equal(t, "expired", after.State)
		require.True(t, after.Payment.Late && after.Payment.Credited)
		o.MustBalance()
	})

	t.Run("a forged webhook, or a payment of another sum, pays no order", func(t *testing.T) {
		for name, how := range map[string]map[string]any{"forged": {"forge": true}, "wrong sum": {"amount_satang": 100}} {
			b := o.Customer("direct " + name)
			made := o.Order(b)
			o.PayFor(made.ID, how)
			o.FundWallet(o.Customer("direct after "+name), 100_00) // by now the other one has been looked at as well
			require.Equal(t, "awaiting", b.OrderState(made.ID).State, name)
		}
		o.MustBalance()
	})

	t.Run("another customer's order is not found", func(t *testing.T) {
		b, eve := o.Customer("direct owner"), o.Customer("direct eve")
		made := o.Order(b)
		for _, path := range []string{"/api/user/order/detail", "/api/user/order/cancel"} {
			require.Equal(t, "order.not_found", eve.Post(path, "", map[string]any{"id": made.ID}).Fault)
		}
		require.Equal(t, "charge.not_found", eve.Post("/api/user/wallet/topup/get", "", map[string]any{"id": made.ID}).Fault)
		require.Equal(t, "expired", harness.MustPost[harness.Direct](b, "/api/user/order/cancel", "", map[string]any{"id": made.ID}).State)
		o.PayFor(made.ID, map[string]any{})
		o.Eventually("what was paid all the same is in the wallet", func() bool { return b.Balance() == 990_00 })
		o.MustBalance()
	})
}

func TestRefusedCalls(t *testing.T) {
	p := harness.Start(t)
	ours, theirs := p.Open("ours", "ของเรา", "1650000004"), p.Open("theirs", "ของเขา", "1650000005")
	ours.Sell(100_00, nil)
	theirs.Sell(100_00, nil)
	ann, eve := ours.Customer("แอน"), theirs.Customer("อีฟ")
	ours.FundWallet(ann, 100_00)
	bought := ours.Buy(ann)

	t.Run("a token of one organisation is refused on another's host", func(t *testing.T) {
		stray := p.Browser(theirs.Host)
		stray.Token = ann.Token
		r := stray.Post("/api/user/getwallet", "", nil)
		require.Equal(t, 401, r.Code)
		require.Equal(t, "Invalid Token", r.Message)
	})

	t.Run("another organisation's records are not found by their ids", func(t *testing.T) {
		require.Equal(t, "voucher.not_found", eve.Post("/api/user/voucher/detail", "", map[string]any{"id": bought.Vouchers[0].ID}).Fault)
		require.Equal(t, "order.not_found", eve.Post("/api/user/order/detail", "", map[string]any{"id": bought.ID}).Fault)
		require.Equal(t, "catalog.package_not_found", eve.Post("/api/user/salepackage/detail", "", map[string]any{"id": ours.Package}).Fault)
		require.Equal(t, "voucher.not_found", eve.Post("/api/user/voucher/use", uuid.NewString(),
			map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": theirs.ServicePoint, "items": 1}).Fault)
		require.NotContains(t, string(eve.Post("/api/user/get/salepackage", "", map[string]any{}).Detail), "canary-ours")
	})

	t.Run("an ID token of another channel is refused", func(t *testing.T) {
		idToken := p.Control(p.LINE.URL, "/emulator/login", map[string]string{"person": "แอน", "client_id": ours.Channel})["id_token"]
		b := p.Browser(theirs.Host)
		r := b.Post("/api/authen/webclient/theirs/line", "", map[string]any{"LINETOKEN": idToken})
		require.Equal(t, "line.refused", r.Fault)
	})

	t.Run("a token is refused by the calls of another audience", func(t *testing.T) {
		for path, who := range map[string]*harness.Browser{
			"/api/staff/get/service_point": ann, "/api/admin/organize/list": ours.Owner, "/api/user/getwallet": ours.Owner, "/api/agent/summary": ann,
		} {
			require.Equal(t, 401, who.Post(path, "", nil).Code, path)
		}
		for _, token := range []string{"", "us_", "us_" + strings.Repeat("A", 43), strings.Replace(ann.Token, "us_", "ow_", 1), ann.Token + "x"} {
			b := p.Browser(ours.Host)
			b.Token = token
			require.Equal(t, 401, b.Post("/api/user/getwallet", "", nil).Code)
		}
	})

	t.Run("a suspended customer's session is over at once", func(t *testing.T) {
		bob := ours.Customer("บ๊อบ")
		id := harness.MustPost[struct{ Profile struct{ ID uuid.UUID } }](bob, "/api/authen/rechecktoken", "", map[string]any{}).Profile.ID
		require.True(t, ours.Owner.Post("/api/owner/status/customer", "", map[string]any{"ids": []uuid.UUID{id}, "status": 4}).Result)
		require.Equal(t, 401, bob.Post("/api/user/getwallet", "", nil).Code)
	})

	t.Run("an organisation that is not open has no sessions, also on the platform's host", func(t *testing.T) {
		closed := p.Open("closed", "ปิดแล้ว", "1650000006")
		kim := closed.Customer("คิม")
		kim.Host = "localhost"
		require.Equal(t, 200, kim.Post("/api/user/getwallet", "", nil).Code)
		become(p, closed, "provisioning")
		p.Eventually("the session is over", func() bool { return kim.Post("/api/user/getwallet", "", nil).Code == 401 })
		for _, host := range []string{closed.Host, "nobody.localhost"} {
			require.Contains(t, pageAt(t, p, host, "/user/trade/"+uuid.NewString()), "ไม่พบร้านนี้")
		}
	})

	t.Run("signing out ends the session at once", func(t *testing.T) {
		require.True(t, eve.Post("/api/authen/logout", "", nil).Result)
		require.Equal(t, 401, eve.Post("/api/user/getwallet", "", nil).Code)
	})

	t.Run("a malformed body is refused with a fault", func(t *testing.T) {
		for _, body := range []string{"", "{", "null", "[]", `"x"`, "\x00\xff", `{"lines":null}`, `{"lines":[]}`, `{"lines":[{"package_id":"x","quantity":1}]}`} {
			r := ann.Raw("/api/user/order/quote", "", []byte(body))
			require.Contains(t, []int{400, 422}, r.Code, body)
			require.Equal(t, "input.invalid", r.Fault, body)
		}
		r := ann.Raw("/api/user/link/open", "", []byte(`{"code":"ab\u0000defghi"}`))
		require.Equal(t, []any{422, "input.invalid"}, []any{r.Code, r.Fault}, "Postgres keeps no zero byte in a text")
		require.Equal(t, 413, ann.Raw("/api/user/order/quote", "", []byte(`{"x":"`+strings.Repeat("ก", 1<<20)+`"}`)).Code)
		require.Equal(t, 404, ann.Raw("/api/user/nothing/here", "", []byte(`{}`)).Code)
	})
}

// become gives an organisation a state.
func become(p *harness.Platform, o *harness.Organisation, state string) {
	p.T.Helper()
	require.NoError(p.T, p.DB.InPlatform(p.T.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(p.T.Context(), `UPDATE organisation SET state = $2 WHERE id = $1`, o.ID, state)
		tx.Publish(org.Topic, o.ID.String())
		return err
	}))
}

// TestSuspendedShop: a suspended organisation sells and gives nothing. What it has sold is used and refunded, and who has it signs in.
func TestSuspendedShop(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("resting", "ร้านพัก", "1650000005")
	shop.Sell(100_00, nil)
	ann, may := shop.Customer("แอน"), shop.Agent("เมย์", 1000)
	shop.FundWallet(ann, 300_00)
	bought := shop.Buy(ann)
	paid := ann.StartTopUp(100_00)
	become(p, shop, "suspended")
	p.Eventually("every process knows", func() bool {
		return ann.Post("/api/user/get/salepackage", "", map[string]any{}).Fault == "org.suspended"
	})

	_, _, page := p.Get(shop.Host, "/user/market/"+shop.Package.String()+"?link="+may.Link)
	require.Contains(t, page, `"suspended":true`)
	require.NotContains(t, page, "canary-resting", "its market is not painted ahead")
	require.Equal(t, "org.suspended", may.Post("/api/agent/link/create", "", map[string]any{"package_id": shop.Package}).Fault)
	require.True(t, may.Post("/api/agent/summary", "", nil).Result)
	require.Equal(t, "org.suspended", ann.Post("/api/user/wallet/topup", uuid.NewString(), map[string]any{"amount_satang": 100_00, "method": "promptpay"}).Fault)
	require.Equal(t, "org.suspended", ann.Post("/api/user/order/confirm", uuid.NewString(), map[string]any{}).Fault, "whatever it is asked")

	shop.PayFor(paid.ID, map[string]any{})
	p.Eventually("money that was on its way arrives", func() bool { return ann.Balance() == 300_00 })
	again := shop.Customer("แอน")
	opened := harness.MustPost[harness.Use](again, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": shop.ServicePoint, "items": 1})
	owner := p.Browser(shop.Host)
	owner.Token = harness.SignIn(owner, "/api/authen/owner/user", map[string]string{"username": "owner", "password": "owner2026"}).Token
	harness.MustPost[any](owner, "/api/staff/voucher/verify", "", map[string]any{"code": shop.Typed(opened), "service_point_id": shop.ServicePoint})
	harness.MustPost[any](owner, "/api/staff/voucher/confirm", uuid.NewString(), map[string]any{"use_session_id": opened.ID, "service_point_id": shop.ServicePoint})
	shop.MustBalance()

	become(p, shop, "live")
	p.Eventually("it sells again", func() bool { return ann.Post("/api/user/get/salepackage", "", map[string]any{}).Result })
	shop.Buy(ann)
}

// pageAt is what a browser shows at an address that answers no shop's page.
func pageAt(t *testing.T, p *harness.Platform, host, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://%s:%d%s", host, p.Port, path), nil)
	require.NoError(t, err)
	req.Header.Set("Accept", "text/html")
	res, err := p.Client.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, http.StatusNotFound, res.StatusCode)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(text)
}
