package omise

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	client "welovevoucher/platform/payment"
	"welovevoucher/tools/emulator"
)

const webhookSecret = "c2VjcmV0IG9mIHRoZSBob29r"

// world is an emulator with one account, our own client for it, and what came to its webhook.
type world struct {
	*testing.T
	url     string
	gateway *client.Omise
	hooks   chan hook
}

type hook struct {
	event client.Event
	err   error
}

func newWorld(t *testing.T, o Options) world {
	e, err := New(o)
	require.NoError(t, err)
	server := httptest.NewServer(e.Handler())
	t.Cleanup(server.Close)

	w := world{T: t, url: server.URL, hooks: make(chan hook, 100)}
	w.gateway = client.NewOmise(server.URL, client.Keys{Public: "pkey_test_1", Secret: "skey_test_1", Webhook: webhookSecret})
	us := httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		event, err := w.gateway.VerifyWebhook(r.Header, body)
		if err != nil {
			res.WriteHeader(http.StatusUnauthorized)
		}
		w.hooks <- hook{event, err}
	}))
	t.Cleanup(us.Close)
	w.control("endpoints", Account{PublicKey: "pkey_test_1", SecretKey: "skey_test_1", WebhookURL: us.URL, WebhookSecret: webhookSecret}, http.StatusOK)
	return w
}

func (w world) control(path string, in any, want int) {
	w.Helper()
	body, err := json.Marshal(in)
	require.NoError(w, err)
	res, err := http.Post(w.url+"/emulator/"+path, "application/json", bytes.NewReader(body))
	require.NoError(w, err)
	require.NoError(w, res.Body.Close())
	require.Equal(w, want, res.StatusCode, path)
}

func (w world) order(amount money.Amount) client.ChargeRequest {
	return client.ChargeRequest{
		ID: uuid.Must(uuid.NewV7()), Organisation: uuid.Must(uuid.NewV7()), Amount: amount, Description: "เติมเงิน",
		Created: time.Now(), Expires: time.Now().Add(10 * time.Minute),
	}
}

func (w world) qr(amount money.Amount) client.Charge {
	w.Helper()
	c, err := w.gateway.CreateQR(w.Context(), w.order(amount))
	require.NoError(w, err)
	w.next("charge.create")
	return c
}

func (w world) fetch(id string) client.Charge {
	w.Helper()
	c, err := w.gateway.Fetch(w.Context(), id)
	require.NoError(w, err)
	return c
}

// next waits for a webhook, of a kind if one is named.
func (w world) next(kind string) hook {
	w.Helper()
	select {
	case h := <-w.hooks:
		if h.err == nil && kind != "" {
			require.Equal(w, kind, h.event.Kind)
		}
		return h
	case <-time.After(5 * time.Second):
		require.FailNow(w, "no webhook "+kind)
		return hook{}
	}
}

func (w world) card(number string) string {
	w.Helper()
	req, err := http.NewRequest(http.MethodPost, w.url+"/tokens", bytes.NewBufferString(url.Values{
		"card[name]": {"ANN TAYLOR"}, "card[number]": {number}, "card[expiration_month]": {"12"}, "card[expiration_year]": {"2039"}, "card[security_code]": {"123"},
	}.Encode()))
	require.NoError(w, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth("pkey_test_1", "")
	res, err := http.DefaultClient.Do(req)
	require.NoError(w, err)
	defer res.Body.Close()
	require.Equal(w, "*", res.Header.Get("Access-Control-Allow-Origin"))
	var t struct{ ID string }
	require.NoError(w, json.NewDecoder(res.Body).Decode(&t))
	return t.ID
}

func TestPromptPay(t *testing.T) {
	w := newWorld(t, Options{})
	order := w.order(200_00)
	made, err := w.gateway.CreateQR(t.Context(), order)
	require.NoError(t, err)
	w.next("charge.create")
	require.Equal(t, client.Pending, made.State)
	require.Equal(t, []uuid.UUID{order.ID, order.Organisation}, []uuid.UUID{made.RequestID, made.Organisation})
	require.WithinDuration(t, order.Expires, made.Expires, time.Second)

	t.Run("the picture needs no key", func(t *testing.T) {
		res, err := http.Get(made.QRImage)
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Contains(t, string(text), "<svg")
		require.Equal(t, "image/svg+xml", res.Header.Get("Content-Type"))
	})
	t.Run("a payment sends a webhook, and is read back as paid", func(t *testing.T) {
		w.control("charges/"+made.ID+"/pay", nil, http.StatusOK)
		h := w.next("charge.complete")
		require.NoError(t, h.err)
		require.Equal(t, made.ID, h.event.ChargeID)
		got := w.fetch(made.ID)
		require.Equal(t, client.Paid, got.State)
		require.Equal(t, money.Amount(3_53), got.Fee, "1.65 % is 3.30, VAT on it 0.23")
		w.control("charges/"+made.ID+"/pay", nil, http.StatusBadRequest)
	})
	t.Run("PromptPay's money is not sent back", func(t *testing.T) {
		_, err := w.gateway.Refund(t.Context(), client.RefundRequest{ID: uuid.Must(uuid.NewV7()), ChargeID: made.ID, Amount: 50_00})
		require.ErrorIs(t, err, client.ErrRefused)
		require.Zero(t, w.fetch(made.ID).Refunded)
	})
	t.Run("another account does not find the charge", func(t *testing.T) {
		w.control("endpoints", Account{PublicKey: "pkey_test_2", SecretKey: "skey_test_2"}, http.StatusOK)
		other := client.NewOmise(w.url, client.Keys{Public: "pkey_test_2", Secret: "skey_test_2"})
		_, err := other.Fetch(t.Context(), made.ID)
		require.ErrorIs(t, err, client.ErrUnknownCharge)
	})
	t.Run("an amount no bank takes is refused", func(t *testing.T) {
		_, err := w.gateway.CreateQR(t.Context(), w.order(150_000_01))
		require.ErrorIs(t, err, client.ErrRefused)
	})
}

func TestUnknownOutcome(t *testing.T) {
	w := newWorld(t, Options{})

	t.Run("a charge whose answer was lost is found, not made twice", func(t *testing.T) {
		w.control("faults", emulator.Fault{Path: "/charges", Kind: "lost", Times: 1}, http.StatusOK)
		order := w.order(100_00)
		made, err := w.gateway.CreateQR(t.Context(), order)
		require.NoError(t, err)
		require.Equal(t, order.ID, made.RequestID)

		order.Retry = true
		again, err := w.gateway.CreateQR(t.Context(), order)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
	})
	t.Run("while the gateway is away a charge has no answer", func(t *testing.T) {
		w.control("faults", emulator.Fault{Kind: "status", Status: 503, Times: 2}, http.StatusOK)
		order := w.order(100_00)
		_, err := w.gateway.CreateQR(t.Context(), order)
		require.ErrorIs(t, err, client.ErrUnavailable)
		order.Retry = true
		_, err = w.gateway.CreateQR(t.Context(), order)
		require.ErrorIs(t, err, client.ErrUnavailable)
		_, err = w.gateway.CreateQR(t.Context(), order)
		require.NoError(t, err)
	})
}

// paidByCard is a charge of a card that its bank does not ask about.
func (w world) paidByCard(amount money.Amount) client.Charge {
	w.Helper()
	c, err := w.gateway.CreateCard(w.Context(), w.order(amount), w.card("4242424242424242"), "")
	require.NoError(w, err)
	require.Equal(w, client.Paid, c.State)
	// They are sent beside each other.
	require.ElementsMatch(w, []string{"charge.create", "charge.complete"}, []string{w.next("").event.Kind, w.next("").event.Kind})
	return c
}

func TestRefunds(t *testing.T) {
	w := newWorld(t, Options{})
	request := func(paid client.Charge, amount money.Amount) client.RefundRequest {
		return client.RefundRequest{ID: uuid.Must(uuid.NewV7()), ChargeID: paid.ID, Amount: amount}
	}

	t.Run("they are found again, never exceed the charge, and name their requests beside those from the dashboard", func(t *testing.T) {
		paid := w.paidByCard(200_00)
		require.Equal(t, "4242", paid.CardDigits)
		refund := request(paid, 150_00)
		first, err := w.gateway.Refund(t.Context(), refund)
		require.NoError(t, err)
		require.Equal(t, refund.ID, first.RequestID)
		refund.Retry = true
		second, err := w.gateway.Refund(t.Context(), refund)
		require.NoError(t, err)
		require.Equal(t, first, second)
		_, err = w.gateway.Refund(t.Context(), request(paid, 50_01))
		require.ErrorIs(t, err, client.ErrRefused)
		w.control("charges/"+paid.ID+"/refund", map[string]any{"amount_satang": 10_00}, http.StatusOK)
		got := w.fetch(paid.ID)
		require.Equal(t, money.Amount(160_00), got.Refunded)
		require.Equal(t, []client.Refund{first}, got.Refunds)
		for range 2 {
			w.next("refund.create")
		}
	})
	t.Run("one whose answer was lost is found", func(t *testing.T) {
		paid := w.paidByCard(100_00)
		w.control("faults", emulator.Fault{Path: "/charges/" + paid.ID + "/refunds", Kind: "lost", Times: 1}, http.StatusOK)
		_, err := w.gateway.Refund(t.Context(), request(paid, 100_00))
		require.NoError(t, err)
		require.Equal(t, money.Amount(100_00), w.fetch(paid.ID).Refunded)
		w.next("refund.create")
	})
	t.Run("while the gateway does not say what became of an earlier try, nothing is refused", func(t *testing.T) {
		paid := w.paidByCard(100_00)
		refund := request(paid, 100_00)
		refund.Retry = true
		w.control("faults", emulator.Fault{Path: "/charges/" + paid.ID + "/refunds", Kind: "status", Status: http.StatusUnauthorized, Times: 1}, http.StatusOK)
		_, err := w.gateway.Refund(t.Context(), refund)
		require.ErrorIs(t, err, client.ErrUnavailable)
		require.NotErrorIs(t, err, client.ErrRefused)
		require.Zero(t, w.fetch(paid.ID).Refunded)
	})
	t.Run("more than a charge shows are all read", func(t *testing.T) {
		paid := w.paidByCard(100_00)
		for range shownRefunds + 1 {
			_, err := w.gateway.Refund(t.Context(), request(paid, 1_00))
			require.NoError(t, err)
			w.next("refund.create")
		}
		require.Len(t, w.fetch(paid.ID).Refunds, shownRefunds+1)
	})
	t.Run("what the payer's bank wants back is not sent back", func(t *testing.T) {
		paid := w.paidByCard(100_00)
		w.control("charges/"+paid.ID+"/dispute", nil, http.StatusOK)
		w.next("dispute.create")
		_, err := w.gateway.Refund(t.Context(), request(paid, 100_00))
		require.ErrorIs(t, err, client.ErrRefused)
	})
}

func TestCard(t *testing.T) {
	w := newWorld(t, Options{})
	pay := func(number, result string) client.Charge {
		c, err := w.gateway.CreateCard(t.Context(), w.order(500_00), w.card(number), "https://shop.example/paid?x=1")
		require.NoError(t, err)
		require.Equal(t, client.Pending, c.State)
		w.next("charge.create")

		browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		res, err := browser.Get(c.AuthorizeURL)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode)
		res, err = browser.PostForm(c.AuthorizeURL, url.Values{"result": {result}})
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, "https://shop.example/paid?x=1", res.Header.Get("Location"))
		w.next("charge.complete")
		return w.fetch(c.ID)
	}

	require.Equal(t, client.Paid, pay("4242424242424242", "pass").State)
	require.Equal(t, client.Failed, pay("4242424242424242", "fail").State)
	broke := pay("4111111111140011", "pass")
	require.Equal(t, []any{client.Failed, "insufficient_fund"}, []any{broke.State, broke.Failure})

	t.Run("a token works once, a wrong number gives none", func(t *testing.T) {
		token := w.card("4242 4242 4242 4242")
		_, err := w.gateway.CreateCard(t.Context(), w.order(500_00), token, "https://shop.example/paid")
		require.NoError(t, err)
		_, err = w.gateway.CreateCard(t.Context(), w.order(500_00), token, "https://shop.example/paid")
		require.ErrorIs(t, err, client.ErrRefused)
		_, err = w.gateway.CreateCard(t.Context(), w.order(500_00), "tokn_test_none", "https://shop.example/paid")
		require.ErrorIs(t, err, client.ErrRefused)
		require.Empty(t, w.card("4242424242424243"))
	})
}

func TestWebhookFaults(t *testing.T) {
	w := newWorld(t, Options{})

	t.Run("late: expired, then paid", func(t *testing.T) {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/expire", nil, http.StatusOK)
		w.next("charge.expire")
		require.Equal(t, client.Expired, w.fetch(c.ID).State)
		w.control("charges/"+c.ID+"/pay", nil, http.StatusBadRequest)
		w.control("charges/"+c.ID+"/pay", map[string]any{"late": true}, http.StatusOK)
		w.next("charge.complete")
		require.Equal(t, client.Paid, w.fetch(c.ID).State)
	})
	t.Run("times: the same event thrice, or never", func(t *testing.T) {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/pay", map[string]any{"times": 3}, http.StatusOK)
		first := w.next("charge.complete")
		for range 2 {
			require.Equal(t, first, w.next("charge.complete"))
		}
		silent := w.qr(100_00)
		w.control("charges/"+silent.ID+"/pay", map[string]any{"times": 0}, http.StatusOK)
		require.Equal(t, client.Paid, w.fetch(silent.ID).State)
		require.Empty(t, w.hooks)
	})
	t.Run("reorder: the older event comes last", func(*testing.T) {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/pay", map[string]any{"reorder": true}, http.StatusOK)
		w.next("charge.complete")
		w.next("charge.create")
	})
	t.Run("forge: refused, and nothing was paid", func(t *testing.T) {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/pay", map[string]any{"forge": true}, http.StatusOK)
		require.ErrorIs(t, w.next("").err, client.ErrSignature)
		require.Equal(t, client.Pending, w.fetch(c.ID).State)
	})
	t.Run("old: signed six minutes ago", func(t *testing.T) {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/pay", map[string]any{"age_seconds": 360}, http.StatusOK)
		require.ErrorIs(t, w.next("").err, client.ErrSignature)
	})
	t.Run("amount: another sum was paid", func(t *testing.T) {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/pay", map[string]any{"amount_satang": 99_00}, http.StatusOK)
		w.next("charge.complete")
		require.Equal(t, money.Amount(99_00), w.fetch(c.ID).Amount)
	})
}

func TestMoneyBack(t *testing.T) {
	w := newWorld(t, Options{})
	paid := func() client.Charge {
		c := w.qr(100_00)
		w.control("charges/"+c.ID+"/refund", nil, http.StatusBadRequest)
		w.control("charges/"+c.ID+"/pay", nil, http.StatusOK)
		w.next("charge.complete")
		return c
	}

	t.Run("refunds from the dashboard, also of more than was paid", func(t *testing.T) {
		c := paid()
		w.control("charges/"+c.ID+"/refund", map[string]any{"amount_satang": 30_00, "times": 2}, http.StatusOK)
		first := w.next("refund.create")
		require.Equal(t, c.ID, first.event.ChargeID)
		require.Equal(t, first, w.next("refund.create"))
		w.control("charges/"+c.ID+"/refund", map[string]any{}, http.StatusOK)
		w.next("refund.create")
		require.Equal(t, money.Amount(100_00), w.fetch(c.ID).Refunded)
		w.control("charges/"+c.ID+"/refund", map[string]any{"amount_satang": 1_00}, http.StatusOK)
		w.next("refund.create")
		require.Equal(t, money.Amount(101_00), w.fetch(c.ID).Refunded)
	})
	t.Run("all events are listed page by page, the lost ones too, and no forged one", func(t *testing.T) {
		since := time.Now()
		c := paid()
		w.control("charges/"+c.ID+"/refund", map[string]any{"amount_satang": 30_00, "times": 0}, http.StatusOK)
		w.control("charges/"+c.ID+"/refund", map[string]any{"forge": true}, http.StatusOK)
		require.ErrorIs(t, w.next("").err, client.ErrSignature)
		events, err := w.gateway.Events(t.Context(), since)
		require.NoError(t, err)
		var kinds []string
		for _, e := range events {
			require.Equal(t, c.ID, e.ChargeID)
			kinds = append(kinds, e.Kind)
		}
		require.Equal(t, []string{"charge.create", "charge.complete", "refund.create"}, kinds)
		require.Equal(t, w.fetch(c.ID).Organisation, events[0].Organisation)
		require.Zero(t, events[2].Organisation)

		for range 250 {
			w.control("charges/"+c.ID+"/refund", map[string]any{"amount_satang": 1, "times": 0}, http.StatusOK)
		}
		events, err = w.gateway.Events(t.Context(), since)
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, e := range events {
			seen[e.ID] = true
		}
		require.Len(t, seen, 253)
		require.Len(t, events, 253)
		events, err = w.gateway.Events(t.Context(), time.Now().Add(time.Hour))
		require.NoError(t, err)
		require.Empty(t, events)
	})
	t.Run("a dispute is opened once, and won or lost", func(t *testing.T) {
		for end, want := range map[string]client.Dispute{"win": client.DisputeWon, "lose": client.DisputeLost} {
			c := paid()
			require.Equal(t, client.Undisputed, w.fetch(c.ID).Dispute)
			w.control("charges/"+c.ID+"/"+end, nil, http.StatusBadRequest)
			w.control("charges/"+c.ID+"/dispute", nil, http.StatusOK)
			require.Equal(t, c.ID, w.next("dispute.create").event.ChargeID)
			got := w.fetch(c.ID)
			require.Equal(t, client.DisputeOpen, got.Dispute)
			require.Equal(t, money.Amount(100_00), got.Disputed)
			w.control("charges/"+c.ID+"/dispute", nil, http.StatusBadRequest)
			w.control("charges/"+c.ID+"/"+end, nil, http.StatusOK)
			w.next("dispute.close")
			require.Equal(t, want, w.fetch(c.ID).Dispute)
			w.control("charges/"+c.ID+"/"+end, nil, http.StatusBadRequest)
		}
	})
	t.Run("forge: nothing happened", func(t *testing.T) {
		c := paid()
		for _, action := range []string{"refund", "dispute"} {
			w.control("charges/"+c.ID+"/"+action, map[string]any{"forge": true}, http.StatusOK)
			require.ErrorIs(t, w.next("").err, client.ErrSignature)
		}
		got := w.fetch(c.ID)
		require.Zero(t, got.Refunded)
		require.Equal(t, client.Undisputed, got.Dispute)
	})
}

func TestExpiry(t *testing.T) {
	w := newWorld(t, Options{})
	order := w.order(100_00)
	order.Expires = time.Now().Add(1200 * time.Millisecond)
	c, err := w.gateway.CreateQR(t.Context(), order)
	require.NoError(t, err)
	w.next("charge.create")
	require.Equal(t, c.ID, w.next("charge.expire").event.ChargeID)
	require.Equal(t, client.Expired, w.fetch(c.ID).State)
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	before := newWorld(t, Options{Dir: dir})
	c := before.qr(100_00)

	again, err := New(Options{Dir: dir})
	require.NoError(t, err)
	server := httptest.NewServer(again.Handler())
	defer server.Close()
	got, err := client.NewOmise(server.URL, client.Keys{Public: "pkey_test_1", Secret: "skey_test_1"}).Fetch(t.Context(), c.ID)
	require.NoError(t, err)
	require.Equal(t, client.Pending, got.State)
}

func TestKeys(t *testing.T) {
	w := newWorld(t, Options{})
	for _, keys := range []client.Keys{{Public: "pkey_test_9", Secret: "skey_test_9"}, {Public: "pkey_test_1", Secret: "skey_test_9"}} {
		_, err := client.NewOmise(w.url, keys).Fetch(t.Context(), "chrg_test_1")
		require.ErrorIs(t, err, client.ErrRefused)
	}
	adopting := newWorld(t, Options{Adopt: true})
	_, err := client.NewOmise(adopting.url, client.Keys{Public: "pkey_test_9", Secret: "skey_test_9"}).CreateQR(t.Context(), w.order(100_00))
	require.NoError(t, err)
}

func TestPage(t *testing.T) {
	w := newWorld(t, Options{})
	c := w.qr(1_234_50)
	res, err := http.Get(w.url + "/emulator/")
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Contains(t, string(text), "1,234.50")

	res, err = http.PostForm(w.url+"/emulator/charges/"+c.ID+"/pay", nil)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, client.Paid, w.fetch(c.ID).State)
}
