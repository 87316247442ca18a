package apitest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"welovevoucher/platform/db"
	"welovevoucher/platform/payment"
	"welovevoucher/tools/harness"
)

// signed delivers a webhook as the platform's gateway account signs it.
func signed(p *harness.Platform, endpoint string, event map[string]any) int {
	p.T.Helper()
	body, err := json.Marshal(event)
	require.NoError(p.T, err)
	secret, err := base64.StdEncoding.DecodeString(harness.PlatformAccount.WebhookSecret)
	require.NoError(p.T, err)
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	req, err := http.NewRequestWithContext(p.T.Context(), http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/api/hook/%s", p.Port, endpoint), bytes.NewReader(body))
	require.NoError(p.T, err)
	req.Header.Set("Omise-Signature-Timestamp", stamp)
	req.Header.Set("Omise-Signature", hex.EncodeToString(mac.Sum(nil)))
	res, err := p.Client.Do(req)
	require.NoError(p.T, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(p.T, err)
	require.NoError(p.T, res.Body.Close())
	return res.StatusCode
}

func TestPlatformAccount(t *testing.T) {
	p := harness.Start(t)
	a, b := p.OpenKeyless("keyless-a", "ร้าน ก", "1650000041"), p.OpenKeyless("keyless-b", "ร้าน ข", "1650000042")

	t.Run("a shop without keys takes top-ups, and each webhook finds its shop", func(t *testing.T) {
		ann, bea := a.Customer("ann"), b.Customer("bea")
		a.FundWallet(ann, 500_00)
		b.FundWallet(bea, 300_00)
		require.EqualValues(t, 500_00, ann.Balance())
		require.EqualValues(t, 300_00, bea.Balance())
		a.MustBalance()
		b.MustBalance()
	})

	t.Run("a genuine webhook about another shop's charge moves nothing", func(t *testing.T) {
		ann, bea := a.Customer("ann"), b.Customer("bea")
		before := bea.Balance()
		topUp := ann.StartTopUp(400_00)
		charge := a.Charge(topUp.ID)
		// The row as an insider of B might forge it: the same id, another owner.
		require.NoError(t, b.DB.InOrg(t.Context(), b.ID, func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO charge (id, customer_id, system_id, purpose, method, amount_satang, state, reference, created_at, expires_at, attempts, gateway)
				SELECT $1, c.id, s.id, 'topup', 'promptpay', 40000, 'created', 'TU000000000', $2, $3, 1, 'gateway_platform_test' FROM customer c, payment_system s`, topUp.ID, tx.Now, tx.Now.Add(10*time.Minute))
			if err != nil {
				return err
			}
			_, err = tx.Exec(t.Context(), `INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
				SELECT customer_id, 'wallet.topup', 'forged', '', id, $2 FROM charge WHERE id = $1`, topUp.ID, tx.Now)
			return err
		}))
		a.PayFor(topUp.ID, map[string]any{"times": 0})
		event := map[string]any{"id": "evnt_test_cheat", "key": "charge.complete", "data": map[string]any{"object": "charge", "id": charge, "paid": true}}
		require.Equal(t, http.StatusOK, signed(p, b.Endpoint(), event))
		p.Eventually("the job is done", func() bool {
			return count(b, `SELECT count(*) FROM outbox WHERE kind = 'charge.heard' AND done_at IS NULL`) == 0
		})

		require.Equal(t, before, bea.Balance())
		require.Equal(t, 1, count(b, `SELECT count(*) FROM charge WHERE id = $1 AND state = 'created' AND gateway_id IS NULL`, topUp.ID))
		b.MustBalance()

		require.Equal(t, http.StatusOK, signed(p, a.Endpoint(), event), "the same event at the right address")
		p.Eventually("the money arrives", func() bool { return ann.Balance() == 900_00 })
	})
}

// TestLostWebhooks: events of a gateway that nobody received are asked for, of one's own account and of the platform's.
func TestLostWebhooks(t *testing.T) {
	p := harness.Start(t)
	own, keyless, beside := p.Open("lost-own", "ร้าน ก", "1650000045"), p.OpenKeyless("lost-platform", "ร้าน ข", "1650000046"), p.OpenKeyless("lost-beside", "ร้าน ค", "1650000047")
	look := map[string]func(context.Context) error{
		"own":      func(ctx context.Context) error { return p.Services.Charge.PollEvents(ctx, own.ID) },
		"platform": p.Services.Charge.PollPlatformEvents,
	}
	for name, shop := range map[string]*harness.Organisation{"own": own, "platform": keyless} {
		t.Run(name, func(t *testing.T) {
			ann := shop.Customer("ann")
			id := ann.StartTopUp(1000_00).ID
			shop.PayFor(id, map[string]any{})
			p.Eventually("credited", func() bool { return ann.Balance() == 1000_00 })
			events := func() int { return count(shop, `SELECT count(*) FROM outbox WHERE kind = 'charge.heard'`) }
			idle := func() bool {
				return count(shop, `SELECT count(*) FROM outbox WHERE kind = 'charge.heard' AND done_at IS NULL`) == 0
			}

			require.NoError(t, look[name](t.Context()))
			p.Eventually("the events from before are handled", idle)
			before := events()
			require.NoError(t, look[name](t.Context()))
			require.Equal(t, before, events(), "an event is handled once")

			shop.Control(p.Pay.URL, "/emulator/charges/"+shop.Charge(id)+"/refund", map[string]any{"amount_satang": 250_00, "times": 0})
			require.EqualValues(t, 1000_00, ann.Balance())
			for range 2 {
				require.NoError(t, look[name](t.Context()))
			}
			p.Eventually("taken back", func() bool { return ann.Balance() == 750_00 && idle() })
			require.Equal(t, before+1, events())

			shop.Control(p.Pay.URL, "/emulator/charges/"+shop.Charge(id)+"/dispute", map[string]any{"amount_satang": 100_00, "times": 0})
			require.NoError(t, look[name](t.Context()))
			p.Eventually("held back", func() bool { return ann.Balance() == 650_00 && idle() })
			shop.MustBalance()
		})
	}
	require.Zero(t, count(beside, `SELECT count(*) FROM gateway_event`), "another organisation of the same account has no event")
}

func count(o *harness.Organisation, sql string, args ...any) (n int) {
	o.T.Helper()
	require.NoError(o.T, o.DB.InOrg(o.T.Context(), o.ID, func(tx db.Tx) error { return tx.QueryRow(o.T.Context(), sql, args...).Scan(&n) }))
	return n
}

func TestConnectLater(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	p := harness.StartWith(t, harness.Options{Log: zap.New(core)})
	shop, other := p.OpenKeyless("connect-later", "ร้านใหม่", "1650000043"), p.Open("connect-other", "ร้านอื่น", "1650000044")
	admin, ann := p.Admin(), shop.Customer("ann")
	secrets := []string{"skey_test_later", "bGF0ZXIgd2ViaG9vayBzZWNyZXQ="}
	change := map[string]any{"id": shop.ID, "collector": "organisation", "payment": map[string]string{
		"public_key": "pkey_test_later", "secret_key": secrets[0], "webhook_secret": secrets[1],
	}}
	type connections struct {
		WebhookURL string `json:"webhook_url"`
		Payment    struct {
			Collector string
			Switching bool
			End       string `json:"secret_key_end"`
		}
	}
	read := func() connections {
		return harness.MustPost[connections](admin, "/api/admin/organize/connections", "", map[string]any{"id": shop.ID})
	}
	protected := func() bool {
		o, err := p.Services.Orgs.ByID(t.Context(), shop.ID)
		require.NoError(t, err)
		return o.Collector == payment.CollectorPlatform
	}
	require.True(t, protected())

	t.Run("only an admin with the letter changes connections", func(t *testing.T) {
		narrow := uuid.New()
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			hash := ""
			if err := tx.QueryRow(t.Context(), `SELECT password_hash FROM admin WHERE username = 'admin'`).Scan(&hash); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, password_hash, role, permission, status, created_at)
				VALUES ($1, 'reader', 'Reader', $2, 'admin', '{"organize":"v"}', 5, $3)`, narrow, hash, tx.Now)
			return err
		}))
		reader := p.Browser("localhost")
		reader.Token = harness.SignIn(reader, "/api/authen/admin/user", map[string]string{"username": "reader", "password": harness.AdminPassword}).Token
		harness.MustPost[connections](reader, "/api/admin/organize/connections", "", map[string]any{"id": shop.ID})
		for name, who := range map[string]*harness.Browser{"owner": shop.Owner, "customer": ann, "reader": reader} {
			for path, body := range map[string]map[string]any{
				"/api/admin/organize/payment/save": change,
				"/api/admin/organize/line/save":    {"id": shop.ID, "line": map[string]string{"channel_id": "", "channel_secret": ""}, "liff": map[string]string{"liffuser": "", "liffagent": "", "lifftrade": "", "lifftransfer": ""}},
				"/api/admin/organize/host/add":     {"id": shop.ID, "host": "x.localhost"},
				"/api/admin/organize/host/remove":  {"id": shop.ID, "host": shop.Host},
			} {
				r := who.Post(path, "", body)
				require.False(t, r.Result, "%s %s", name, path)
				require.Contains(t, []int{http.StatusForbidden, http.StatusUnauthorized}, r.Code, "%s %s", name, path)
			}
		}
	})

	t.Run("open charges go on, and new ones go through the new account", func(t *testing.T) {
		old := ann.StartTopUp(200_00)
		harness.MustPost[connections](admin, "/api/admin/organize/payment/save", "", change)
		p.Eventually("the switch is made", func() bool { c := read(); return c.Payment.Collector == "organisation" && !c.Payment.Switching })
		require.False(t, protected())
		require.Equal(t, "ater", read().Payment.End)
		p.Control(p.Pay.URL, "/emulator/endpoints", map[string]string{
			"public_key": "pkey_test_later", "secret_key": secrets[0], "webhook_secret": secrets[1], "webhook_url": fmt.Sprintf("http://127.0.0.1:%d/api/hook/%s", p.Port, shop.Endpoint()),
		})
		require.Contains(t, read().WebhookURL, shop.Endpoint())

		shop.PayFor(old.ID, map[string]any{})
		p.Eventually("the old charge is credited", func() bool { return ann.Balance() == 200_00 })
		shop.FundWallet(ann, 100_00)
		require.Equal(t, 1, count(shop, `SELECT count(DISTINCT c.system_id) FROM charge c JOIN payment_system s ON s.id = c.system_id WHERE s.public_key = 'pkey_test_later'`))
		require.Equal(t, 2, count(shop, `SELECT count(DISTINCT system_id) FROM charge`))
		shop.MustBalance()
	})

	t.Run("the platform collects again once customers hold no money", func(t *testing.T) {
		back := map[string]any{"id": shop.ID, "collector": "platform", "payment": map[string]string{"public_key": "", "secret_key": "", "webhook_secret": ""}}
		require.Equal(t, "org.float", admin.Post("/api/admin/organize/payment/save", "", back).Fault, "his wallet is filled")
		shop.Sell(ann.Balance(), nil)
		bought := shop.Buy(ann)
		require.Equal(t, "org.float", admin.Post("/api/admin/organize/payment/save", "", back).Fault, "his voucher is not used")
		use := harness.MustPost[harness.Use](ann, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": shop.ServicePoint, "items": 3})
		shop.Scan(shop.Owner, use)
		harness.MustPost[any](shop.Owner, "/api/staff/voucher/confirm", uuid.NewString(), map[string]any{"use_session_id": use.ID, "service_point_id": shop.ServicePoint})
		harness.MustPost[connections](admin, "/api/admin/organize/payment/save", "", back)
		p.Eventually("the switch is made", func() bool {
			c := read()
			return c.Payment.Collector == "platform" && !c.Payment.Switching && protected()
		})
		require.Equal(t, 2, count(shop, `SELECT count(*) FROM payment_system`))
		shop.FundWallet(ann, 100_00)
		shop.MustBalance()
	})

	t.Run("a key, a channel or a host that is not confirmed is refused at its field", func(t *testing.T) {
		for field, keys := range map[string][2]string{
			"payment.secret_key": {"pkey_nobody", "skey_nobody"},
			"payment.public_key": {"pkey_test_connect-other", "skey_test_later"},
		} {
			r := admin.Post("/api/admin/organize/payment/save", "", map[string]any{"id": shop.ID, "collector": "organisation", "payment": map[string]string{
				"public_key": keys[0], "secret_key": keys[1], "webhook_secret": secrets[1],
			}})
			require.Equal(t, "input.invalid", r.Fault)
			require.Equal(t, field, r.Fields[0].Path)
		}
		apps := map[string]string{"liffuser": shop.Liff, "liffagent": "", "lifftrade": "", "lifftransfer": ""}
		r := admin.Post("/api/admin/organize/line/save", "", map[string]any{
			"id": shop.ID, "line": map[string]string{"channel_id": shop.Channel, "channel_secret": "a wrong secret"}, "liff": apps,
		})
		require.Equal(t, "line.channel_secret", r.Fields[0].Path)

		apps["liffuser"] = other.Liff
		r = admin.Post("/api/admin/organize/line/save", "", map[string]any{
			"id": shop.ID, "line": map[string]string{"channel_id": other.Channel, "channel_secret": "secret-of-connect-other"}, "liff": apps,
		})
		require.Equal(t, "liff.liffuser", r.Fields[0].Path)
		require.Equal(t, "org.liff_taken", r.Fields[0].Fault)
		r = admin.Post("/api/admin/organize/host/add", "", map[string]any{"id": shop.ID, "host": other.Host})
		require.Equal(t, "org.host_taken", r.Fields[0].Fault)
	})

	t.Run("no key is in an answer, a log or the audit", func(t *testing.T) {
		answer := admin.Post("/api/admin/organize/connections", "", map[string]any{"id": shop.ID})
		var written strings.Builder
		written.Write(answer.Detail)
		for _, line := range logs.All() {
			fmt.Fprint(&written, line.Message, line.ContextMap())
		}
		audits := func(ctx context.Context, tx db.Tx) error {
			text := ""
			if err := tx.QueryRow(ctx, `SELECT coalesce(string_agg(a::text, ' '), '') FROM audit_log a WHERE action LIKE 'connect%'`).Scan(&text); err != nil {
				return err
			}
			require.Contains(t, text, "connect_payment")
			written.WriteString(text)
			return nil
		}
		require.NoError(t, p.DB.InOrg(t.Context(), shop.ID, func(tx db.Tx) error { return audits(t.Context(), tx) }))
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error { return audits(t.Context(), tx) }))
		for _, secret := range append(secrets, "secret-of-connect-later", "a wrong secret", harness.PlatformAccount.SecretKey, harness.PlatformAccount.WebhookSecret) {
			require.NotContains(t, written.String(), secret)
		}
	})
}
