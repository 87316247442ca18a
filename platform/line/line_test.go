package line

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/config"
)

// answering returns a client whose LINE always gives the same answer. Good answers are tested against the emulator, in
// tools/emulator/line.
func answering(t *testing.T, status int, body string) *Client {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		if _, err := w.Write([]byte(body)); err != nil {
			t.Error(err) // require may stop the test's own goroutine only
		}
	}))
	t.Cleanup(server.Close)
	return New(config.Line{APIURL: server.URL, AccessURL: server.URL})
}

func claims(change map[string]any) string {
	all := map[string]any{"iss": Issuer, "sub": "U1", "aud": "1650000001", "exp": time.Now().Add(time.Hour).Unix(), "nonce": "n", "later": []int{1}}
	maps.Copy(all, change)
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestVerifyIDToken(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"a good answer, with unknown fields": {200, claims(nil), nil},
		"LINE refuses":                       {400, `{"error":"invalid_request"}`, ErrRefused},
		"LINE is overloaded":                 {429, ``, ErrUnavailable},
		"LINE is broken":                     {500, ``, ErrUnavailable},
		"LINE redirects":                     {302, ``, ErrRefused},
		"not JSON":                           {200, `<html>`, ErrUnavailable},
		"a huge answer":                      {200, strings.Repeat(" ", 2<<20), ErrUnavailable},
		"another audience":                   {200, claims(map[string]any{"aud": "1650000002"}), ErrRefused},
		"another issuer":                     {200, claims(map[string]any{"iss": "https://evil.example"}), ErrRefused},
		"another nonce":                      {200, claims(map[string]any{"nonce": "m"}), ErrRefused},
		"no nonce":                           {200, claims(map[string]any{"nonce": nil}), ErrRefused},
		"expired":                            {200, claims(map[string]any{"exp": time.Now().Unix() - 1}), ErrRefused},
		"no subject":                         {200, claims(map[string]any{"sub": ""}), ErrRefused},
	} {
		t.Run(name, func(t *testing.T) {
			who, err := answering(t, test.status, test.body).VerifyIDToken(t.Context(), "token", "1650000001", "n")
			require.ErrorIs(t, err, test.want)
			if test.want == nil {
				require.Equal(t, "U1", who.Subject)
			} else {
				require.Zero(t, who)
			}
		})
	}
	t.Run("an organisation without a channel refuses every token", func(t *testing.T) {
		_, err := answering(t, 200, claims(map[string]any{"aud": ""})).VerifyIDToken(t.Context(), "token", "", "n")
		require.ErrorIs(t, err, ErrRefused)
	})
}

func TestVerifyAccessToken(t *testing.T) {
	for body, want := range map[string]error{
		`{"client_id":"1650000001","expires_in":1}`: nil,
		`{"client_id":"1650000002","expires_in":1}`: ErrRefused,
		`{"client_id":"1650000001","expires_in":0}`: ErrRefused,
		`{}`: ErrRefused,
	} {
		err := answering(t, 200, body).VerifyAccessToken(t.Context(), "token", "1650000001")
		require.ErrorIs(t, err, want, body)
	}
}

func TestErrorsHoldNoToken(t *testing.T) {
	unreachable := New(config.Line{APIURL: "http://127.0.0.1:1", AccessURL: "http://127.0.0.1:1"})
	err := unreachable.VerifyAccessToken(t.Context(), "hush", "1650000001")
	require.ErrorIs(t, err, ErrUnavailable)
	require.NotContains(t, err.Error(), "hush")
}

func TestPush(t *testing.T) {
	key := uuid.New()
	require.NoError(t, answering(t, 409, `{}`).Push(t.Context(), "token", key, "U1", Text("สวัสดี")), "409 says it arrived before")
	require.ErrorIs(t, answering(t, 400, `{}`).Push(t.Context(), "token", key, "U1", Text("สวัสดี")), ErrRefused)
	require.ErrorIs(t, answering(t, 500, `{}`).Push(t.Context(), "token", key, "U1", Text("สวัสดี")), ErrUnavailable)
	require.ErrorIs(t, answering(t, 401, `{}`).Push(t.Context(), "token", key, "U1", Text("สวัสดี")), ErrChannel)
	require.ErrorIs(t, answering(t, 429, `{"message":"The API rate limit has been exceeded. Try again later."}`).Push(t.Context(), "token", key, "U1", Text("สวัสดี")), ErrUnavailable)
	require.ErrorIs(t, answering(t, 429, `{"message":"You have reached your monthly limit."}`).Push(t.Context(), "token", key, "U1", Text("สวัสดี")), ErrSpent)
	require.Error(t, answering(t, 200, `{}`).Push(t.Context(), "token", key, "U1"))
}

func TestEvents(t *testing.T) {
	// LINE's scheme: base64 of HMAC-SHA256 over the raw body. This value was computed with openssl.
	const signature = "lRpUQsNoBkGsD7YOFBKJrNiWk0rAN2mJqnFeYVlTsJ8="
	body := []byte(`{"destination":"U1","events":[]}`)
	events, err := Events("channel secret", body, signature)
	require.NoError(t, err)
	require.Empty(t, events)
	for _, forged := range []struct{ secret, body, signature string }{
		{"channel secret", string(body) + " ", signature}, {"another secret", string(body), signature}, {"", string(body), signature}, {"channel secret", string(body), ""},
	} {
		_, err := Events(forged.secret, []byte(forged.body), forged.signature)
		require.ErrorIs(t, err, ErrRefused)
	}
}

func TestAuthorizeURL(t *testing.T) {
	c := New(config.Line{APIURL: "https://api.line.me", AccessURL: "https://access.line.me/"})
	// Verifier and challenge are those of RFC 7636, appendix B.
	u, err := url.Parse(c.AuthorizeURL(Authorize{
		ChannelID: "1650000001", RedirectURI: "https://shop.example/logincallback/user", State: "s", Nonce: "n",
		Verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", Language: "th",
	}))
	require.NoError(t, err)
	require.Equal(t, "access.line.me/oauth2/v2.1/authorize", u.Host+u.Path)
	require.Equal(t, url.Values{
		"response_type": {"code"}, "client_id": {"1650000001"}, "redirect_uri": {"https://shop.example/logincallback/user"},
		"state": {"s"}, "nonce": {"n"}, "scope": {"profile openid"}, "ui_locales": {"th"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"},
	}, u.Query())
}
