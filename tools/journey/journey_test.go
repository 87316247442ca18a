package journey

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/market"
)

// organisation is one that an admin opened over HTTP.
type organisation struct {
	*platform
	unique, host, channel, liff string
	id                          uuid.UUID
	owner                       *browser
	place, pkg                  uuid.UUID
}

func (p *platform) open(unique, nameTH, channel string) *organisation {
	p.t.Helper()
	o := &organisation{platform: p, unique: unique, host: unique + ".localhost", channel: channel, liff: channel + "-" + (strings.ReplaceAll(unique, "-", "") + "00000000")[:8]}
	admin := p.browser("localhost")
	admin.token = must[struct{ Token string }](admin, "/api/authen/admin/user", "", map[string]string{"username": "admin", "password": adminPassword}).Token
	hookSecret := b64(32)
	o.id = must[struct{ ID uuid.UUID }](admin, "/api/admin/organize/save", "", map[string]any{
		"unique": unique, "name_th": nameTH, "name_en": unique, "tagline_th": "", "tagline_en": "", "plan_id": p.plan,
		"background_color_primary": "#1f5c4d", "background_color_secondary": "#d9a662", "hosts": []string{o.host},
		"liff":    map[string]string{"user": o.liff, "agent": "", "trade": "", "transfer": ""},
		"line":    map[string]string{"channel_id": channel, "channel_secret": "secret-of-" + unique},
		"payment": map[string]string{"public_key": "pkey_test_" + unique, "secret_key": "skey_test_" + unique, "webhook_secret": hookSecret},
		"owner":   map[string]string{"username": "owner", "name": "เจ้าของ", "password": "owner2026"},
	}).ID
	p.eventually("the organisation goes live", func() bool {
		return must[struct{ State string }](admin, "/api/admin/organize/detail", "", map[string]any{"id": o.id}).State == "live"
	})

	var endpoint string
	require.NoError(p.t, p.DB.InOrg(p.t.Context(), o.id, func(tx db.Tx) error {
		return tx.QueryRow(p.t.Context(), `SELECT endpoint_id FROM payment_system`).Scan(&endpoint)
	}))
	p.control(p.pay.URL, "/emulator/endpoints", map[string]string{
		"public_key": "pkey_test_" + unique, "secret_key": "skey_test_" + unique, "webhook_secret": hookSecret,
		"webhook_url": fmt.Sprintf("http://127.0.0.1:%d/api/hook/%s", p.port, endpoint),
	})
	o.owner = p.browser(o.host)
	o.owner.token = must[struct{ Token string }](o.owner, "/api/authen/owner/user", "", map[string]string{"username": "owner", "password": "owner2026"}).Token
	return o
}

// sell puts a package on sale; stock nil is unlimited.
func (o *organisation) sell(price int64, stock *int) {
	o.t.Helper()
	kind := db.NewID()
	o.place, o.pkg = db.NewID(), db.NewID()
	ctx := o.t.Context()
	require.NoError(o.t, o.DB.InOrg(ctx, o.id, func(tx db.Tx) error {
		for _, insert := range []struct {
			sql  string
			args []any
		}{
			{`INSERT INTO service_point (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, 'สาขานิมมาน', 'Nimman', 5, now(), now())`, []any{o.place}},
			{`INSERT INTO voucher_type (id, name_th, name_en, items, list_price_satang, valid_days, transfer_rule, status, created_at, updated_at)
				VALUES ($1, $2, 'Massage', 3, 140000, 90, 'none', 5, now(), now())`, []any{kind, "นวด canary-" + o.unique}},
			{
				`INSERT INTO package (id, code, name_th, name_en, price_satang, featured, status, created_at, updated_at) VALUES ($1, $4, $2, 'Pack of 3', $3, true, 5, now(), now())`,
				[]any{o.pkg, "แพ็ก canary-" + o.unique, price, o.pkg.String()},
			},
			{`INSERT INTO package_item (package_id, position, voucher_type_id, quantity) VALUES ($1, 1, $2, 1)`, []any{o.pkg, kind}},
			{`INSERT INTO stock (package_id, quantity) VALUES ($1, $2)`, []any{o.pkg, stock}},
		} {
			if _, err := tx.Exec(ctx, insert.sql, insert.args...); err != nil {
				return err
			}
		}
		return nil
	}))
}

// customer signs a person in through LIFF.
func (o *organisation) customer(person string) *browser {
	o.t.Helper()
	b := o.browser(o.host)
	idToken := o.control(o.line.URL, "/emulator/login", map[string]string{"person": person, "client_id": o.channel})["id_token"]
	b.token = must[struct{ Token string }](b, "/api/authen/webclient/"+o.unique+"/line", "", map[string]any{"LINETOKEN": idToken, "unique": o.unique, "addorg": true}).Token
	return b
}

type topUp struct {
	ID    uuid.UUID
	State string
	Late  bool
}

func (b *browser) startTopUp(satang int64) topUp {
	b.t.Helper()
	return must[topUp](b, "/api/user/wallet/topup", uuid.NewString(), map[string]any{"amount_satang": satang, "method": "promptpay"})
}

func (b *browser) balance() int64 {
	b.t.Helper()
	return must[struct {
		Balance int64 `json:"balance_satang"`
	}](b, "/api/user/getwallet", "", nil).Balance
}

// charge is the gateway's id of a top-up's charge.
func (o *organisation) charge(id uuid.UUID) (charge string) {
	o.t.Helper()
	require.NoError(o.t, o.DB.InOrg(o.t.Context(), o.id, func(tx db.Tx) error {
		return tx.QueryRow(o.t.Context(), `SELECT gateway_id FROM charge WHERE id = $1`, id).Scan(&charge)
	}))
	return charge
}

func (o *organisation) payFor(id uuid.UUID, how map[string]any) {
	o.t.Helper()
	o.control(o.pay.URL, "/emulator/charges/"+o.charge(id)+"/pay", how)
}

// rich tops a customer's wallet up and waits for the money.
func (o *organisation) rich(b *browser, satang int64) {
	o.t.Helper()
	before := b.balance()
	o.payFor(b.startTopUp(satang).ID, map[string]any{})
	o.eventually("the money arrives", func() bool { return b.balance() == before+satang })
}

type quote struct {
	Hash     string
	Missing  int64 `json:"missing_satang"`
	TopUp    int64 `json:"topup_satang"`
	Minimum  bool  `json:"topup_is_minimum"`
	Consents []struct {
		Version uuid.UUID `json:"version_id"`
	}
}

func (o *organisation) quoteFor(b *browser) (quote, map[string]any) {
	o.t.Helper()
	lines := []map[string]any{{"package_id": o.pkg, "quantity": 1}}
	q := must[quote](b, "/api/user/order/quote", "", map[string]any{"lines": lines})
	accepted := []uuid.UUID{}
	for _, c := range q.Consents {
		accepted = append(accepted, c.Version)
	}
	return q, map[string]any{"lines": lines, "hash": q.Hash, "accepted": accepted, "lang": "th"}
}

type order struct {
	ID       uuid.UUID
	Vouchers []struct{ ID uuid.UUID }
}

func (o *organisation) buy(b *browser) order {
	o.t.Helper()
	_, confirm := o.quoteFor(b)
	return must[order](b, "/api/user/order/confirm", uuid.NewString(), confirm)
}

func (o *organisation) mustBalance() {
	o.t.Helper()
	findings, err := market.Audit(o.t.Context(), o.DB, o.id)
	require.NoError(o.t, err)
	require.Empty(o.t, findings)
}

func TestMainJob(t *testing.T) {
	p := start(t)
	spa, hotel := p.open("lamai-spa", "เรือนละไม สปา", "1650000001"), p.open("sathorn-waree", "โรงแรมสาทรวารี", "1650000002")
	spa.sell(3290_00, nil)
	hotel.sell(1690_00, nil)

	t.Run("the site is live with its own name and colours from the first byte", func(t *testing.T) {
		status, header, page := p.get(spa.host, "/welovevoucher/"+spa.liff+"/market")
		require.Equal(t, 200, status)
		require.Contains(t, page, "<title>เรือนละไม สปา</title>")
		require.Contains(t, page, "--brand:#1f5c4d")
		require.Contains(t, page, "canary-lamai-spa")
		require.Contains(t, page, "<noscript><main>", "readable without script")
		require.NotContains(t, page, "canary-sathorn-waree")
		require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		status, _, _ = p.get(hotel.host, "/welovevoucher/"+spa.liff+"/market")
		require.Equal(t, 404, status, "another organisation's LIFF on this host")
		status, _, _ = p.get("nobody.localhost", "/")
		require.Equal(t, 404, status)
	})

	t.Run("short of money, topped up, bought, used at the door", func(t *testing.T) {
		ann := spa.customer("แอน")
		q, confirm := spa.quoteFor(ann)
		require.EqualValues(t, 3290_00, q.TopUp)
		require.Equal(t, "wallet.insufficient_balance", ann.post("/api/user/order/confirm", uuid.NewString(), confirm).Fault)

		spa.rich(ann, 3300_00)
		bought := spa.buy(ann)
		require.EqualValues(t, 10_00, ann.balance())
		q, _ = spa.quoteFor(ann)
		require.EqualValues(t, 3280_00, q.TopUp)

		type use struct {
			ID        uuid.UUID
			TypedCode string `json:"typed_code"`
			State     string
		}
		opened := must[use](ann, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": spa.place, "items": 1})
		at := map[string]any{"code": opened.TypedCode, "service_point_id": spa.place}
		door := map[string]any{"use_session_id": opened.ID, "service_point_id": spa.place}
		require.Equal(t, "voucher.unknown", hotel.owner.post("/api/staff/voucher/verify", "", at).Fault, "the other organisation's door")
		require.EqualValues(t, 2, must[struct {
			After int64 `json:"items_left_after"`
		}](spa.owner, "/api/staff/voucher/verify", "", at).After)
		must[any](spa.owner, "/api/staff/voucher/confirm", uuid.NewString(), door)
		require.Equal(t, "used", must[use](ann, "/api/user/voucher/use/get", "", map[string]any{"id": opened.ID}).State)
		require.Equal(t, "voucher.already_used", spa.owner.post("/api/staff/voucher/confirm", uuid.NewString(), door).Fault)
		spa.mustBalance()
	})

	t.Run("twenty buyers for one last item over HTTP", func(t *testing.T) {
		one := 1
		hotel.sell(100_00, &one)
		buyers, results := make([]*browser, 20), make([]reply, 20)
		for i := range buyers {
			buyers[i] = hotel.customer(fmt.Sprintf("buyer %d", i))
			hotel.rich(buyers[i], 100_00)
		}
		var wg sync.WaitGroup
		for i, b := range buyers {
			_, confirm := hotel.quoteFor(b)
			wg.Go(func() { results[i] = b.post("/api/user/order/confirm", uuid.NewString(), confirm) })
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
		hotel.mustBalance()
	})

	t.Run("one key, many calls: one effect; another body: refused", func(t *testing.T) {
		hotel.sell(100_00, nil)
		bee := hotel.customer("บี")
		hotel.rich(bee, 300_00)
		_, confirm := hotel.quoteFor(bee)
		key := uuid.NewString()
		replies := make([]reply, 64)
		var wg sync.WaitGroup
		for i := range replies {
			wg.Go(func() { replies[i] = bee.post("/api/user/order/confirm", key, confirm) })
		}
		wg.Wait()
		for _, r := range replies {
			require.True(t, r.Result, r.Fault)
			require.JSONEq(t, string(replies[0].Detail), string(r.Detail))
		}
		require.EqualValues(t, 200_00, bee.balance())

		confirm["lang"] = "en"
		require.Equal(t, "idempotency.key_reused", bee.post("/api/user/order/confirm", key, confirm).Fault)
		require.Equal(t, "field.required", bee.post("/api/user/order/confirm", "", confirm).Fields[0].Fault)
		hotel.mustBalance()
	})
}

func TestWebhooks(t *testing.T) {
	p := start(t)
	o := p.open("webhooks", "ทดสอบ", "1650000003")

	t.Run("once, twice and reordered credit once", func(*testing.T) {
		for i, how := range []map[string]any{{}, {"times": 5}, {"reorder": true}, {"times": 3, "reorder": true}} {
			b := o.customer(fmt.Sprintf("person %d", i))
			o.payFor(b.startTopUp(250_00).ID, how)
			o.eventually("credited", func() bool { return b.balance() == 250_00 })
		}
		o.mustBalance()
	})

	t.Run("after the QR has expired the money still arrives, and says so", func(t *testing.T) {
		b := o.customer("late")
		started := b.startTopUp(250_00)
		o.control(o.pay.URL, "/emulator/charges/"+o.charge(started.ID)+"/expire", map[string]any{})
		o.eventually("expired", func() bool {
			return must[topUp](b, "/api/user/wallet/topup/get", "", map[string]any{"id": started.ID}).State == "expired"
		})
		o.payFor(started.ID, map[string]any{"late": true})
		o.eventually("credited", func() bool { return b.balance() == 250_00 })
		require.True(t, must[topUp](b, "/api/user/wallet/topup/get", "", map[string]any{"id": started.ID}).Late)
		o.mustBalance()
	})

	t.Run("forged, or of another sum, credits nothing", func(t *testing.T) {
		for name, how := range map[string]map[string]any{"forged": {"forge": true}, "wrong sum": {"amount_satang": 100}} {
			b := o.customer(name)
			o.payFor(b.startTopUp(250_00).ID, how)
			good := o.customer("after " + name)
			o.rich(good, 100_00) // by now the other one has been looked at as well
			require.Zero(t, b.balance(), name)
		}
		o.mustBalance()
	})

	t.Run("less than the minimum, too much, a fraction and words are refused at the field", func(t *testing.T) {
		b := o.customer("careless")
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
			r := b.raw("/api/user/wallet/topup", uuid.NewString(), []byte(body))
			require.Equal(t, 422, r.Code, body)
			require.NotEmpty(t, r.Fields, body)
			require.Equal(t, want, r.Fields[0].Fault, body)
		}
	})
}

type direct struct {
	ID      uuid.UUID
	State   string
	Number  string
	Payment struct {
		Late, Credited bool
		QR             string `json:"qr_image_url"`
		Authorize      string `json:"authorize_url"`
	}
	Vouchers []struct{ ID uuid.UUID }
}

// order makes one that waits for its money.
func (o *organisation) order(b *browser) direct {
	o.t.Helper()
	_, body := o.quoteFor(b)
	body["method"] = "promptpay"
	return must[direct](b, "/api/user/order/pay", uuid.NewString(), body)
}

func (b *browser) orderState(id uuid.UUID) direct {
	b.t.Helper()
	return must[direct](b, "/api/user/order/detail", "", map[string]any{"id": id})
}

func TestDirectPayment(t *testing.T) {
	p := start(t)
	o := p.open("direct", "จ่ายตรง", "1650000007")
	o.sell(990_00, nil)

	t.Run("twice and reordered pays once", func(t *testing.T) {
		for i, how := range []map[string]any{{}, {"times": 5}, {"times": 3, "reorder": true}} {
			b := o.customer(fmt.Sprintf("direct %d", i))
			made := o.order(b)
			require.NotEmpty(t, made.Payment.QR)
			o.payFor(made.ID, how)
			o.eventually("paid", func() bool { return b.orderState(made.ID).State == "paid" })
			require.Len(t, b.orderState(made.ID).Vouchers, 1)
			require.Zero(t, b.balance())
		}
		o.mustBalance()
	})

	t.Run("late money is in the wallet, and the order stays over", func(t *testing.T) {
		b := o.customer("direct late")
		made := o.order(b)
		o.control(o.pay.URL, "/emulator/charges/"+o.charge(made.ID)+"/expire", map[string]any{})
		o.eventually("over", func() bool { return b.orderState(made.ID).State == "expired" })
		o.payFor(made.ID, map[string]any{"late": true})
		o.eventually("credited", func() bool { return b.balance() == 990_00 })
		after := b.orderState(made.ID)
		require.Equal(t, "expired", after.State)
		require.True(t, after.Payment.Late && after.Payment.Credited)
		o.mustBalance()
	})

	t.Run("forged, or of another sum, pays nothing", func(t *testing.T) {
		for name, how := range map[string]map[string]any{"forged": {"forge": true}, "wrong sum": {"amount_satang": 100}} {
			b := o.customer("direct " + name)
			made := o.order(b)
			o.payFor(made.ID, how)
			o.rich(o.customer("direct after "+name), 100_00) // by now the other one has been looked at as well
			require.Equal(t, "awaiting", b.orderState(made.ID).State, name)
		}
		o.mustBalance()
	})

	t.Run("another customer's order is nobody's business", func(t *testing.T) {
		b, eve := o.customer("direct owner"), o.customer("direct eve")
		made := o.order(b)
		for _, path := range []string{"/api/user/order/detail", "/api/user/order/cancel"} {
			require.Equal(t, "market.order_not_found", eve.post(path, "", map[string]any{"id": made.ID}).Fault)
		}
		require.Equal(t, "topup.not_found", eve.post("/api/user/wallet/topup/get", "", map[string]any{"id": made.ID}).Fault)
		require.Equal(t, "expired", must[direct](b, "/api/user/order/cancel", "", map[string]any{"id": made.ID}).State)
		o.payFor(made.ID, map[string]any{})
		o.eventually("what was paid all the same is in the wallet", func() bool { return b.balance() == 990_00 })
		o.mustBalance()
	})
}

func TestStrangers(t *testing.T) {
	p := start(t)
	ours, theirs := p.open("ours", "ของเรา", "1650000004"), p.open("theirs", "ของเขา", "1650000005")
	ours.sell(100_00, nil)
	theirs.sell(100_00, nil)
	ann, eve := ours.customer("แอน"), theirs.customer("อีฟ")
	ours.rich(ann, 100_00)
	bought := ours.buy(ann)

	t.Run("a token of one organisation is nothing on another's host", func(t *testing.T) {
		stray := p.browser(theirs.host)
		stray.token = ann.token
		r := stray.post("/api/user/getwallet", "", nil)
		require.Equal(t, 401, r.Code)
		require.Equal(t, "Invalid Token", r.Message)
	})

	t.Run("another organisation's records are not found by their ids", func(t *testing.T) {
		require.Equal(t, "voucher.not_found", eve.post("/api/user/voucher/detail", "", map[string]any{"id": bought.Vouchers[0].ID}).Fault)
		require.Equal(t, "market.order_not_found", eve.post("/api/user/order/detail", "", map[string]any{"id": bought.ID}).Fault)
		require.Equal(t, "catalog.package_not_found", eve.post("/api/user/salepackage/detail", "", map[string]any{"id": ours.pkg}).Fault)
		require.Equal(t, "voucher.not_found", eve.post("/api/user/voucher/use", uuid.NewString(),
			map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": theirs.place, "items": 1}).Fault)
		require.NotContains(t, string(eve.post("/api/user/get/salepackage", "", map[string]any{}).Detail), "canary-ours")
	})

	t.Run("an ID token of another channel is refused", func(t *testing.T) {
		idToken := p.control(p.line.URL, "/emulator/login", map[string]string{"person": "แอน", "client_id": ours.channel})["id_token"]
		b := p.browser(theirs.host)
		r := b.post("/api/authen/webclient/theirs/line", "", map[string]any{"LINETOKEN": idToken})
		require.Equal(t, "line.refused", r.Fault)
	})

	t.Run("no audience acts on another's calls", func(t *testing.T) {
		for path, who := range map[string]*browser{
			"/api/staff/get/service_point": ann, "/api/admin/organize/list": ours.owner, "/api/user/getwallet": ours.owner, "/api/agent/summary": ann,
		} {
			require.Equal(t, 401, who.post(path, "", nil).Code, path)
		}
		for _, token := range []string{"", "us_", "us_" + strings.Repeat("A", 43), strings.Replace(ann.token, "us_", "ow_", 1), ann.token + "x"} {
			b := p.browser(ours.host)
			b.token = token
			require.Equal(t, 401, b.post("/api/user/getwallet", "", nil).Code)
		}
	})

	t.Run("who is suspended is out at once", func(t *testing.T) {
		bob := ours.customer("บ๊อบ")
		id := must[struct{ Profile struct{ ID uuid.UUID } }](bob, "/api/authen/rechecktoken", "", map[string]any{}).Profile.ID
		require.True(t, ours.owner.post("/api/owner/status/customer", "", map[string]any{"ids": []uuid.UUID{id}, "status": 4}).Result)
		require.Equal(t, 401, bob.post("/api/user/getwallet", "", nil).Code)
	})

	t.Run("a suspended organisation answers nobody, on the platform's host neither", func(t *testing.T) {
		closed := p.open("closed", "ปิดแล้ว", "1650000006")
		kim := closed.customer("คิม")
		kim.host = "localhost"
		require.Equal(t, 200, kim.post("/api/user/getwallet", "", nil).Code)
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `UPDATE organisation SET state = 'suspended' WHERE id = $1`, closed.id)
			return err
		}))
		p.eventually("the session is over", func() bool { return kim.post("/api/user/getwallet", "", nil).Code == 401 })
	})

	t.Run("signing out ends the session at once", func(t *testing.T) {
		require.True(t, eve.post("/api/authen/logout", "", nil).Result)
		require.Equal(t, 401, eve.post("/api/user/getwallet", "", nil).Code)
	})

	t.Run("wrong bytes get a clear answer", func(t *testing.T) {
		for _, body := range []string{"", "{", "null", "[]", `"x"`, "\x00\xff", `{"lines":null}`, `{"lines":[]}`, `{"lines":[{"package_id":"x","quantity":1}]}`} {
			r := ann.raw("/api/user/order/quote", "", []byte(body))
			require.Contains(t, []int{400, 422}, r.Code, body)
			require.Equal(t, "input.invalid", r.Fault, body)
		}
		r := ann.raw("/api/user/link/open", "", []byte(`{"code":"ab\u0000defghi"}`))
		require.Equal(t, []any{422, "input.invalid"}, []any{r.Code, r.Fault}, "Postgres keeps no zero byte in a text")
		require.Equal(t, 413, ann.raw("/api/user/order/quote", "", []byte(`{"x":"`+strings.Repeat("ก", 1<<20)+`"}`)).Code)
		require.Equal(t, 404, ann.raw("/api/user/nothing/here", "", []byte(`{}`)).Code)
	})
}
