package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/order"
)

// Organisation is one that an admin opened over HTTP.
type Organisation struct {
	*Platform
	ID                          uuid.UUID
	Unique, Host, Channel, Liff string
	Owner                       *Browser
	ServicePoint, Package       uuid.UUID // what Sell made last
}

// Open lets an admin open an organisation whose LINE channel has that id, and that has a gateway account of its own.
func (p *Platform) Open(unique, nameTH, channel string) *Organisation {
	p.T.Helper()
	keys := map[string]string{"public_key": "pkey_test_" + unique, "secret_key": "skey_test_" + unique, "webhook_secret": Secret(32)}
	o := p.open(unique, nameTH, channel, keys)
	keys["webhook_url"] = fmt.Sprintf("http://127.0.0.1:%d/api/hook/%s", p.Port, o.Endpoint())
	p.Control(p.Pay.URL, "/emulator/endpoints", keys)
	return o
}

// OpenKeyless lets an admin open one whose money the platform's account collects.
func (p *Platform) OpenKeyless(unique, nameTH, channel string) *Organisation {
	p.T.Helper()
	return p.open(unique, nameTH, channel, map[string]string{"public_key": "", "secret_key": "", "webhook_secret": ""})
}

func (p *Platform) open(unique, nameTH, channel string, keys map[string]string) *Organisation {
	p.T.Helper()
	o := &Organisation{Platform: p, Unique: unique, Host: unique + ".localhost", Channel: channel, Liff: channel + "-" + (strings.ReplaceAll(unique, "-", "") + "00000000")[:8]}
	admin := p.Admin()
	o.ID = MustPost[struct{ ID uuid.UUID }](admin, "/api/admin/organize/save", "", map[string]any{
		"unique": unique, "name_th": nameTH, "name_en": unique, "tagline_th": "", "tagline_en": "", "plan_id": p.Plan,
		"background_color_primary": "#1f5c4d", "background_color_secondary": "#d9a662", "hosts": []string{o.Host},
		"liff":    map[string]string{"liffuser": o.Liff, "liffagent": "", "lifftrade": "", "lifftransfer": ""},
		"line":    map[string]string{"channel_id": channel, "channel_secret": "secret-of-" + unique},
		"payment": keys,
		"owner":   map[string]string{"username": "owner", "name": "เจ้าของ", "password": "owner2026"},
	}).ID
	p.Eventually("the organisation goes live", func() bool {
		return MustPost[struct{ State string }](admin, "/api/admin/organize/detail", "", map[string]any{"id": o.ID}).State == "live"
	})
	o.Owner = p.Browser(o.Host)
	o.Owner.Token = SignIn(o.Owner, "/api/authen/owner/user", map[string]string{"username": "owner", "password": "owner2026"}).Token
	return o
}

// Admin is a browser in which a superadmin is signed in.
func (p *Platform) Admin() *Browser {
	p.T.Helper()
	admin := p.Browser("localhost")
	admin.Token = SignIn(admin, "/api/authen/admin/user", map[string]string{"username": "admin", "password": AdminPassword}).Token
	return admin
}

// Endpoint is the unguessable part of where the organisation's gateway sends webhooks.
func (o *Organisation) Endpoint() (endpoint string) {
	o.T.Helper()
	require.NoError(o.T, o.DB.InOrg(o.T.Context(), o.ID, func(tx db.Tx) error {
		return tx.QueryRow(o.T.Context(), `SELECT endpoint_id FROM payment_system WHERE status = 5`).Scan(&endpoint)
	}))
	return endpoint
}

// Sell puts a package on sale; stock nil is unlimited.
func (o *Organisation) Sell(price int64, stock *int) {
	o.T.Helper()
	kind := db.NewID()
	o.ServicePoint, o.Package = db.NewID(), db.NewID()
	ctx := o.T.Context()
	require.NoError(o.T, o.DB.InOrg(ctx, o.ID, func(tx db.Tx) error {
		for _, insert := range []struct {
			sql  string
			args []any
		}{
			{`INSERT INTO service_point (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, 'สาขานิมมาน', 'Nimman', 5, now(), now())`, []any{o.ServicePoint}},
			{`INSERT INTO voucher_type (id, name_th, name_en, items, list_price_satang, valid_days, transfer_rule, status, created_at, updated_at)
				VALUES ($1, $2, 'Massage', 3, 140000, 90, 'unlimited', 5, now(), now())`, []any{kind, "นวด canary-" + o.Unique}},
			{
				`INSERT INTO template_version (id, template_id, conditions_th, conditions_en, service_point_ids, current, created_at)
					VALUES ($1, $1, '', '', '{}', true, now())`, []any{kind},
			},
			{
				`INSERT INTO package (id, code, name_th, name_en, price_satang, featured, status, created_at, updated_at) VALUES ($1, $4, $2, 'Pack of 3', $3, true, 5, now(), now())`,
				[]any{o.Package, "แพ็ก canary-" + o.Unique, price, o.Package.String()},
			},
			{`INSERT INTO package_part (package_id, position, voucher_type_id, quantity) VALUES ($1, 1, $2, 1)`, []any{o.Package, kind}},
			{`INSERT INTO stock (package_id, quantity) VALUES ($1, $2)`, []any{o.Package, stock}},
		} {
			if _, err := tx.Exec(ctx, insert.sql, insert.args...); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Discount lets buyers take satang off a cart by a code, so many times in all; uses nil is without end.
func (o *Organisation) Discount(code string, satang int64, uses *int) (id uuid.UUID) {
	o.T.Helper()
	saved := MustPost[struct{ ID uuid.UUID }](o.Owner, "/api/owner/save/discount", "", map[string]any{
		"name_th": "ลด " + code, "name_en": "", "position": 1, "how": "code", "class": "cart", "kind": "baht", "value": satang, "max_satang": nil, "payer": "organisation",
		"least_satang": 0, "least_items": 0, "first_only": false, "starts_at": nil, "ends_at": nil, "uses_each": nil, "stack": "all", "uses": uses, "budget_satang": nil, "code": code,
	})
	MustPost[any](o.Owner, "/api/owner/status/discount", "", map[string]any{"ids": []uuid.UUID{saved.ID}, "status": 5})
	return saved.ID
}

// Customer signs a person in through LIFF.
func (o *Organisation) Customer(person string) *Browser {
	o.T.Helper()
	b := o.Browser(o.Host)
	idToken := o.Control(o.LINE.URL, "/emulator/login", map[string]string{"person": person, "client_id": o.Channel})["id_token"]
	b.Token = SignIn(b, "/api/authen/webclient/"+o.Unique+"/line", map[string]any{"LINETOKEN": idToken, "unique": o.Unique, "addorg": true}).Token
	return b
}

// Agent is a customer who sells for commission, signed in as such.
type Agent struct {
	*Browser
	ID   uuid.UUID
	Link string // the code of his link to what Sell made last
}

// Agent lets the owner approve a person, who then makes a link.
func (o *Organisation) Agent(person string, basisPoints int) (a Agent) {
	o.T.Helper()
	type row struct{ ID uuid.UUID }
	kind := MustPost[row](o.Owner, "/api/owner/save/agenttype", "", map[string]any{
		"name_th": "ตัวแทน", "name_en": "Agent", "rate_basis_points": basisPoints, "recruiter_basis_points": 0, "matures": "use", "mature_days": 0,
	})
	customer := MustPost[row](o.Customer(person), "/api/user/profile/customer", "", nil)
	a.ID = MustPost[row](o.Owner, "/api/owner/agent/approve", "", map[string]any{"customer_id": customer.ID, "agent_type_id": kind.ID}).ID
	a.Browser = o.Browser(o.Host)
	a.Token = SignIn(a.Browser, "/api/authen/agent/"+o.Unique+"/line", map[string]any{"LINETOKEN": o.IDToken(person, o.Channel)}).Token
	a.Link = MustPost[struct{ Code string }](a.Browser, "/api/agent/link/create", "", map[string]any{"package_id": o.Package}).Code
	return a
}

// TopUp is a top-up's answer.
type TopUp struct {
	ID    uuid.UUID
	State string
	Late  bool
}

// StartTopUp asks for a PromptPay QR.
func (b *Browser) StartTopUp(satang int64) TopUp {
	b.T.Helper()
	return MustPost[TopUp](b, "/api/user/wallet/topup", uuid.NewString(), map[string]any{"amount_satang": satang, "method": "promptpay"})
}

// Balance of the customer's wallet, in satang.
func (b *Browser) Balance() int64 {
	b.T.Helper()
	return MustPost[struct {
		Balance int64 `json:"balance_satang"`
	}](b, "/api/user/getwallet", "", nil).Balance
}

// Charge is the gateway's id of a top-up's charge.
func (o *Organisation) Charge(id uuid.UUID) (charge string) {
	o.T.Helper()
	require.NoError(o.T, o.DB.InOrg(o.T.Context(), o.ID, func(tx db.Tx) error {
		return tx.QueryRow(o.T.Context(), `SELECT gateway_id FROM charge WHERE id = $1`, id).Scan(&charge)
	}))
	return charge
}

// PayFor pays a charge at the emulated gateway.
func (o *Organisation) PayFor(id uuid.UUID, how map[string]any) {
	o.T.Helper()
	o.Control(o.Pay.URL, "/emulator/charges/"+o.Charge(id)+"/pay", how)
}

// Deposit is a charge as the owner's list shows it.
func (o *Organisation) Deposit(id uuid.UUID) Saved {
	o.T.Helper()
	return MustPost[Saved](o.Owner, "/api/owner/detail/depositqrtransaction", "", map[string]any{"id": id})
}

// FundWallet tops a customer's wallet up and waits for the money.
func (o *Organisation) FundWallet(b *Browser, satang int64) {
	o.T.Helper()
	before := b.Balance()
	o.PayFor(b.StartTopUp(satang).ID, map[string]any{})
	o.Eventually("the money arrives", func() bool { return b.Balance() == before+satang })
}

// Quote is what a cart would cost.
type Quote struct {
	Hash     string
	Missing  int64 `json:"missing_satang"`
	TopUp    int64 `json:"topup_satang"`
	Minimum  bool  `json:"topup_is_minimum"`
	Consents []struct {
		Version uuid.UUID `json:"_id"`
	}
}

// QuoteFor prices one piece of what is sold, by codes if there are any, and returns the body that buys it.
func (o *Organisation) QuoteFor(b *Browser, codes ...string) (Quote, map[string]any) {
	o.T.Helper()
	lines := []map[string]any{{"package_id": o.Package, "quantity": 1}}
	q := MustPost[Quote](b, "/api/user/order/quote", "", map[string]any{"lines": lines, "codes": slices.Concat([]string{}, codes)})
	accepted := []uuid.UUID{}
	for _, c := range q.Consents {
		accepted = append(accepted, c.Version)
	}
	return q, map[string]any{"lines": lines, "codes": slices.Concat([]string{}, codes), "hash": q.Hash, "accepted": accepted, "lang": "th"}
}

// Order is what was bought.
type Order struct {
	ID       uuid.UUID
	Vouchers []struct{ ID uuid.UUID }
}

// Buy buys one piece from the wallet.
func (o *Organisation) Buy(b *Browser) Order {
	o.T.Helper()
	_, confirm := o.QuoteFor(b)
	return MustPost[Order](b, "/api/user/order/confirm", uuid.NewString(), confirm)
}

// MustBalance fails the test when the audit of the books finds anything.
func (o *Organisation) MustBalance() {
	o.T.Helper()
	findings, err := order.Audit(o.T.Context(), o.DB, o.ID)
	require.NoError(o.T, err)
	require.Empty(o.T, findings)
}

// Direct is an order paid at the gateway.
type Direct struct {
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

// Order makes one that waits for its money.
func (o *Organisation) Order(b *Browser) Direct {
	o.T.Helper()
	_, body := o.QuoteFor(b)
	body["method"] = "promptpay"
	return MustPost[Direct](b, "/api/user/order/pay", uuid.NewString(), body)
}

// OrderState reads an order.
func (b *Browser) OrderState(id uuid.UUID) Direct {
	b.T.Helper()
	return MustPost[Direct](b, "/api/user/order/detail", "", map[string]any{"id": id})
}
