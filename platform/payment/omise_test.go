package payment

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// answering returns an account whose gateway always gives the same answer. Good answers are tested against the emulator, in
// tools/emulator/omise.
func answering(t *testing.T, status int, body string) (gateway *Omise, seen *http.Request) {
	seen = &http.Request{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		*seen = *r
		seen.Body = io.NopCloser(strings.NewReader(string(text)))
		w.WriteHeader(status)
		if err != nil {
			t.Error(err) // require may stop the test's own goroutine only
		}
		_, _ = io.WriteString(w, body) // fails if the client has read enough and closes
	}))
	t.Cleanup(server.Close)
	return NewOmise(server.URL, Keys{Public: "pkey_test_1", Secret: "skey_test_1"}), seen
}

func TestFetch(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"a bad key":      {401, `{"object":"error","code":"authentication_failure","message":"Ann"}`, ErrRefused},
		"no such charge": {404, `{"object":"error","code":"not_found","message":"Ann"}`, ErrUnknownCharge},
		"overloaded":     {429, `{"object":"error","code":"rate","message":"Ann"}`, ErrUnavailable},
		"broken":         {500, `{"object":"error","code":"internal","message":"Ann"}`, ErrUnavailable},
		"not JSON":       {502, `<html>Ann</html>`, ErrUnavailable},
		"redirected":     {302, ``, ErrUnavailable},
		"huge":           {200, `{"x":"` + strings.Repeat("x", 2<<20) + `"}`, ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			gateway, _ := answering(t, test.status, test.body)
			_, err := gateway.Fetch(t.Context(), "chrg_test_1")
			require.ErrorIs(t, err, test.want)
			require.NotContains(t, err.Error(), "Ann", "an answer's text may name a person")
		})
	}
	t.Run("an invalid charge id is not sent to the gateway", func(t *testing.T) {
		gateway, seen := answering(t, 200, `{}`)
		for _, id := range []string{"", "chrg_../account", "chrg_1?x", "src_1"} {
			_, err := gateway.Fetch(t.Context(), id)
			require.ErrorIs(t, err, ErrUnknownCharge)
		}
		require.Nil(t, seen.URL)
	})
	t.Run("an account without keys is refused", func(t *testing.T) {
		_, err := NewOmise("http://127.0.0.1:1", Keys{}).Fetch(t.Context(), "chrg_test_1")
		require.ErrorIs(t, err, ErrRefused)
	})
	t.Run("an address where nothing listens is unavailable", func(t *testing.T) {
		_, err := NewOmise("http://127.0.0.1:1", Keys{Public: "pkey_test_1", Secret: "skey_test_1"}).Fetch(t.Context(), "chrg_test_1")
		require.ErrorIs(t, err, ErrUnavailable)
	})
}

func TestStates(t *testing.T) {
	for body, want := range map[string]State{
		`{"status":"pending"}`:                               Pending,
		`{"status":"successful","paid":true}`:                Paid,
		`{"status":"successful","paid":false}`:               Pending,
		`{"status":"failed"}`:                                Failed,
		`{"status":"expired"}`:                               Expired,
		`{"status":"failed","expired":true}`:                 Expired,
		`{"status":"successful","paid":true,"expired":true}`: Paid,
		`{"status":"reversed"}`:                              Reversed,
		`{"status":"a new one"}`:                             Pending,
		`{"status":"pending","metadata":{"order":7}}`:        Pending,
	} {
		gateway, _ := answering(t, 200, body)
		got, err := gateway.Fetch(t.Context(), "chrg_test_1")
		require.NoError(t, err)
		require.Equal(t, want, got.State, body)
		require.Zero(t, got.RequestID)
	}
}

func TestPlayMoney(t *testing.T) {
	const order = "0192f0c0-0000-7000-8000-000000000001"
	charge := `{"id":"chrg_1","status":"successful","paid":true,"livemode":%t,"metadata":{"order":"` + order + `"}}`
	for _, live := range []bool{true, false} {
		own, other := fmt.Sprintf(charge, live), fmt.Sprintf(charge, !live)
		for body, want := range map[string]error{own: nil, other: ErrUnknownCharge} {
			gateway, _ := answering(t, 200, body)
			gateway.keys.Secret = map[bool]string{true: "skey_1", false: "skey_test_1"}[live]
			_, err := gateway.Fetch(t.Context(), "chrg_1")
			require.ErrorIs(t, err, want)

			gateway.http = listing(t, body)
			_, err = gateway.Find(t.Context(), ChargeRequest{ID: uuid.MustParse(order)})
			require.ErrorIs(t, err, want)
		}
	}
}

// listing returns an account whose list of charges has one charge.
func listing(t *testing.T, charge string) *http.Client {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := io.WriteString(w, `{"object":"list","data":[`+charge+`]}`); err != nil {
			t.Error(err) // require may stop the test's own goroutine only
		}
	}))
	t.Cleanup(server.Close)
	return &http.Client{Transport: to(server.URL)}
}

// to sends every request to one address.
type to string

func (address to) RoundTrip(r *http.Request) (*http.Response, error) {
	there, err := http.NewRequestWithContext(r.Context(), http.MethodGet, string(address), nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultTransport.RoundTrip(there)
}

func TestRequests(t *testing.T) {
	t.Run("empty fields are not sent", func(t *testing.T) {
		gateway, seen := answering(t, 200, `{"id":"chrg_test_1","status":"pending"}`)
		_, err := gateway.CreateCard(t.Context(), ChargeRequest{ID: uuid.New(), Amount: 100_00}, "tokn_test_1", "https://shop.example/paid")
		require.NoError(t, err)
		body, err := io.ReadAll(seen.Body)
		require.NoError(t, err)
		require.NotContains(t, string(body), "platform_fee")
		require.Contains(t, string(body), `"amount":10000`)
	})
	t.Run("a list's parameters are in the query", func(t *testing.T) {
		gateway, seen := answering(t, 200, `{"object":"list","data":[{"id":"chrg_test_1","status":"pending","metadata":{"order":"0192f0c0-0000-7000-8000-000000000001"}}]}`)
		got, err := gateway.CreateQR(t.Context(), ChargeRequest{ID: uuid.MustParse("0192f0c0-0000-7000-8000-000000000001"), Amount: 100_00, Created: time.Unix(1_800_000_060, 0), Retry: true})
		require.NoError(t, err)
		require.Equal(t, "chrg_test_1", got.ID)
		require.Equal(t, http.MethodGet, seen.Method)
		require.Equal(t, "from=2027-01-15T08%3A00%3A00Z&limit=100&order=reverse_chronological", seen.URL.RawQuery)
		require.Zero(t, seen.ContentLength)
	})
}

func TestVerifyWebhook(t *testing.T) {
	const secret = "c2VjcmV0IG9mIHRoZSBob29r"
	now := time.Unix(1_800_000_000, 0)
	gateway := &Omise{keys: Keys{Webhook: secret}, now: func() time.Time { return now }}
	body := []byte(`{"object":"event","id":"evnt_test_1","key":"charge.complete","later":1,"data":{"object":"charge","id":"chrg_test_1"}}`)
	sign := func(secret string, at time.Time, body []byte) http.Header {
		key, err := base64.StdEncoding.DecodeString(secret)
		require.NoError(t, err)
		stamp := strconv.FormatInt(at.Unix(), 10)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(stamp + "." + string(body)))
		return http.Header{"Omise-Signature-Timestamp": {stamp}, "Omise-Signature": {hex.EncodeToString(mac.Sum(nil))}}
	}

	t.Run("a genuine signature holds within five minutes either way", func(t *testing.T) {
		for _, at := range []time.Time{now, now.Add(-Tolerance), now.Add(Tolerance)} {
			event, err := gateway.VerifyWebhook(sign(secret, at, body), body)
			require.NoError(t, err)
			require.Equal(t, Event{ID: "evnt_test_1", Kind: "charge.complete", ChargeID: "chrg_test_1"}, event)
		}
	})
	t.Run("either of two signatures is enough, while the secret is changed", func(t *testing.T) {
		old := sign("b2xk", now, body).Get("Omise-Signature")
		for _, both := range []string{old + "," + sign(secret, now, body).Get("Omise-Signature"), sign(secret, now, body).Get("Omise-Signature") + ", " + old} {
			header := sign(secret, now, body)
			header.Set("Omise-Signature", both)
			_, err := gateway.VerifyWebhook(header, body)
			require.NoError(t, err)
		}
	})
	t.Run("a refund's event names its charge", func(t *testing.T) {
		refund := []byte(`{"id":"evnt_test_2","key":"refund.create","data":{"object":"refund","id":"rfnd_test_1","charge":"chrg_test_1"}}`)
		event, err := gateway.VerifyWebhook(sign(secret, now, refund), refund)
		require.NoError(t, err)
		require.Equal(t, "chrg_test_1", event.ChargeID)
	})

	later := sign(secret, now, body)
	later.Set("Omise-Signature-Timestamp", strconv.FormatInt(now.Unix()+1, 10))
	empty := sign(secret, now, body)
	empty.Set("Omise-Signature", "")
	for name, header := range map[string]http.Header{
		"another secret":        sign("b2xk", now, body),
		"six minutes old":       sign(secret, now.Add(-Tolerance-time.Second), body),
		"from the future":       sign(secret, now.Add(Tolerance+time.Second), body),
		"a changed time":        later,
		"no signature":          empty,
		"no headers":            {},
		"signature of its body": sign(secret, now, []byte("another body")),
	} {
		_, err := gateway.VerifyWebhook(header, body)
		require.ErrorIs(t, err, ErrSignature, name)
	}
	t.Run("without a secret no signature is genuine", func(t *testing.T) {
		for _, none := range []string{"", "not base64!"} {
			unset := &Omise{keys: Keys{Webhook: none}, now: gateway.now}
			mac := hmac.New(sha256.New, nil)
			mac.Write([]byte(strconv.FormatInt(now.Unix(), 10) + "." + string(body)))
			header := sign(secret, now, body)
			header.Set("Omise-Signature", hex.EncodeToString(mac.Sum(nil)))
			_, err := unset.VerifyWebhook(header, body)
			require.ErrorIs(t, err, ErrSignature)
		}
	})
}
