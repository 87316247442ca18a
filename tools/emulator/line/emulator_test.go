package line

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/config"
	client "welovevoucher/platform/line"
	"welovevoucher/tools/emulator"
)

const (
	channel = "1650000001"
	secret  = "a secret of thirty-two characters"
	app     = channel + "-AbCdEfGh"
	home    = "https://shop.example/user"
)

// world is an emulator with Malee, one channel and our own client for it.
type world struct {
	*testing.T
	url    string
	client *client.Client
	web    client.Channel
}

func newWorld(t *testing.T, o Options) world {
	e, err := New(o)
	require.NoError(t, err)
	server := httptest.NewServer(e.Handler())
	t.Cleanup(server.Close)
	w := world{t, server.URL, client.New(config.Line{APIURL: server.URL, AccessURL: server.URL}), client.Channel{ID: channel, Secret: secret}}
	w.control("people", Person{ID: "malee", Name: "มาลี ศรีสุข", Email: "malee@example.com"}, nil)
	w.control("channels", Channel{
		ID: channel, Secret: secret, Name: "Sweet Shop", Callbacks: []string{home}, AccessToken: "bot",
		LIFF: []LIFF{{ID: app, Endpoint: home}},
	}, nil)
	return w
}

func (w world) control(path string, in, out any) {
	w.Helper()
	body, err := json.Marshal(in)
	require.NoError(w, err)
	res, err := http.Post(w.url+"/emulator/"+path, "application/json", bytes.NewReader(body))
	require.NoError(w, err)
	defer res.Body.Close()
	require.Equal(w, http.StatusOK, res.StatusCode, path)
	if out != nil {
		require.NoError(w, json.NewDecoder(res.Body).Decode(out))
	}
}

func (w world) get(path string, out any) int {
	w.Helper()
	res, err := http.Get(w.url + path)
	require.NoError(w, err)
	defer res.Body.Close()
	if out != nil {
		require.NoError(w, json.NewDecoder(res.Body).Decode(out))
	}
	return res.StatusCode
}

// press opens a sign-in page and submits its form; it returns where the browser is sent.
func (w world) press(page string, form url.Values) url.Values {
	w.Helper()
	res, err := http.Get(page)
	require.NoError(w, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(w, err)
	require.NoError(w, res.Body.Close())
	require.Equal(w, http.StatusOK, res.StatusCode, string(text))

	form.Set("login", regexp.MustCompile(`name="login" value="([^"]+)"`).FindStringSubmatch(string(text))[1])
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if res, err = browser.PostForm(w.url+"/emulator/consent", form); err != nil {
		require.NoError(w, err)
	}
	require.NoError(w, res.Body.Close())
	to, err := res.Location()
	require.NoError(w, err)
	require.Equal(w, home, "https://"+to.Host+to.Path)
	return to.Query()
}

func (w world) authorizeURL(a client.Authorize) string {
	a.ChannelID = channel
	if a.RedirectURI == "" {
		a.RedirectURI = home
	}
	return w.client.AuthorizeURL(a)
}

func TestWebLogin(t *testing.T) {
	w := newWorld(t, Options{})
	page := w.authorizeURL(client.Authorize{State: "s", Nonce: "n", Verifier: "v"})

	back := w.press(page, url.Values{"person": {"malee"}})
	require.Equal(t, "s", back.Get("state"))
	tokens, err := w.client.Exchange(t.Context(), w.web, back.Get("code"), home, "v")
	require.NoError(t, err)

	t.Run("the ID token is Malee's, signed with the channel's secret", func(t *testing.T) {
		who, err := w.client.VerifyIDToken(t.Context(), tokens.IDToken, channel, "n")
		require.NoError(t, err)
		require.Equal(t, "มาลี ศรีสุข", who.Name)
		require.Regexp(t, `^U[0-9a-f]{32}$`, who.Subject)

		require.NoError(t, w.client.VerifyAccessToken(t.Context(), tokens.AccessToken, channel))
		profile, err := w.client.Profile(t.Context(), tokens.AccessToken)
		require.NoError(t, err)
		require.Equal(t, who.Subject, profile.Subject)
		require.Equal(t, http.StatusOK, w.get(strings.TrimPrefix(profile.Picture, w.url), nil))
	})
	t.Run("an ID token with another nonce or for another channel is refused", func(t *testing.T) {
		_, err := w.client.VerifyIDToken(t.Context(), tokens.IDToken, channel, "m")
		require.ErrorIs(t, err, client.ErrRefused)
		w.control("channels", Channel{ID: "1650000002", Secret: secret}, nil)
		_, err = w.client.VerifyIDToken(t.Context(), tokens.IDToken, "1650000002", "n")
		require.ErrorIs(t, err, client.ErrRefused)
	})
	t.Run("a code works once", func(t *testing.T) {
		_, err := w.client.Exchange(t.Context(), w.web, back.Get("code"), home, "v")
		require.ErrorIs(t, err, client.ErrRefused)
	})
	t.Run("a code needs its verifier, address and secret, in time", func(t *testing.T) {
		for _, wrong := range []struct {
			ch             client.Channel
			home, verifier string
			later          int
		}{
			{w.web, home, "w", 0},
			{w.web, home + "/", "v", 0},
			{client.Channel{ID: channel, Secret: "x"}, home, "v", 0},
			{w.web, home, "v", 601},
		} {
			code := w.press(page, url.Values{"person": {"malee"}}).Get("code")
			w.control("faults", emulator.Fault{Kind: "skew", Seconds: wrong.later}, nil)
			_, err := w.client.Exchange(t.Context(), wrong.ch, code, wrong.home, wrong.verifier)
			require.ErrorIs(t, err, client.ErrRefused)
			w.control("faults", emulator.Fault{Kind: "skew"}, nil)
		}
	})
	t.Run("an address that is not registered gets no page", func(t *testing.T) {
		for _, bad := range []string{"https://evil.example/user", home + "?next=1", "javascript:alert(1)"} {
			res, err := http.Get(w.authorizeURL(client.Authorize{RedirectURI: bad, State: "s", Verifier: "v"}))
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, http.StatusBadRequest, res.StatusCode, bad)
		}
	})
	t.Run("a refused sign-in comes back as access_denied", func(t *testing.T) {
		back := w.press(page, url.Values{"refuse": {"1"}})
		require.Equal(t, []string{"access_denied", "s", ""}, []string{back.Get("error"), back.Get("state"), back.Get("code")})
	})
	t.Run("a new person is made on the page", func(t *testing.T) {
		w.press(page, url.Values{"name": {"<b>เอก</b>"}})
		var people []Person
		w.get("/emulator/people", &people)
		require.Equal(t, "<b>เอก</b>", people[len(people)-1].Name)
	})
	t.Run("a revoked token opens nothing", func(t *testing.T) {
		require.NoError(t, w.client.Revoke(t.Context(), w.web, tokens.AccessToken))
		require.ErrorIs(t, w.client.VerifyAccessToken(t.Context(), tokens.AccessToken, channel), client.ErrRefused)
		_, err := w.client.Profile(t.Context(), tokens.AccessToken)
		require.ErrorIs(t, err, client.ErrRefused)
	})
}

func TestLIFF(t *testing.T) {
	w := newWorld(t, Options{})
	query := url.Values{
		"app_id": {app}, "state": {"abcdefghijkl"}, "response_type": {"code"}, "code_challenge_method": {"S256"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "liff_sdk_version": {"2.31.0"},
	}
	back := w.press(w.url+"/liff/v1/authorize?"+query.Encode(), url.Values{"person": {"malee"}})
	require.Equal(t, []string{channel, home}, []string{back.Get("liffClientId"), back.Get("liffRedirectUri")})

	res, err := http.PostForm(w.url+"/oauth2/v2.1/token", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {channel}, "appId": {app}, "code": {back.Get("code")},
		"code_verifier": {"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}, "redirect_uri": {home}, "id_token_key_type": {"JWK"},
	})
	require.NoError(t, err)
	var tokens client.Tokens
	require.NoError(t, json.NewDecoder(res.Body).Decode(&tokens))
	require.NoError(t, res.Body.Close())

	t.Run("the ID token is ES256 and verifies without a nonce", func(t *testing.T) {
		who, err := w.client.VerifyIDToken(t.Context(), tokens.IDToken, channel, "")
		require.NoError(t, err)
		require.NotEmpty(t, who.Subject)
	})
	t.Run("a link opens the endpoint with the rest in liff.state", func(t *testing.T) {
		browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		res, err := browser.Get(w.url + "/" + app + "/trade/1?a=b")
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, home+"?liff.state="+url.QueryEscape("/trade/1?a=b"), res.Header.Get("Location"))
	})
	t.Run("a tap inside LINE opens the endpoint with the person's proof behind the #", func(t *testing.T) {
		var opened struct{ URL string }
		w.control("open", map[string]any{"person": "malee", "liff_id": app, "path": "/market"}, &opened)
		to, err := url.Parse(opened.URL)
		require.NoError(t, err)
		require.Equal(t, home, to.Scheme+"://"+to.Host+to.Path)
		require.Equal(t, "/market", to.Query().Get("liff.state"))

		proof, err := url.ParseQuery(to.Fragment)
		require.NoError(t, err)
		who, err := w.client.VerifyIDToken(t.Context(), proof.Get("id_token"), channel, "")
		require.NoError(t, err)
		require.Equal(t, "มาลี ศรีสุข", who.Name)
		require.NoError(t, w.client.VerifyAccessToken(t.Context(), proof.Get("access_token"), channel))
		require.Equal(t, channel, proof.Get("client_id"))
	})
	t.Run("sharing reaches whom the person picks", func(t *testing.T) {
		w.control("people", Person{ID: "ann", Name: "Ann"}, nil)
		var one struct{ OTT string }
		req, err := http.NewRequest(http.MethodGet, w.url+"/liff/v2/apps/"+app+"/ott", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, json.NewDecoder(res.Body).Decode(&one))
		require.NoError(t, res.Body.Close())

		result := "/oauth2/v2.1/liff/shareTargetPicker/result?" + url.Values{"liffId": {app}, "ott": {one.OTT}}.Encode()
		var state map[string]string
		w.get(result, &state)
		require.Empty(t, state)
		res, err = http.PostForm(w.url+result, url.Values{"result": {"SUCCESS"}, "to": {"ann"}, "messages": {`[{"type":"text","text":"hi"}]`}})
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		w.get(result, &state)
		require.Equal(t, "SUCCESS", state["result"])

		var got []Message
		w.get("/emulator/messages?to=ann", &got)
		require.Len(t, got, 1)
		require.Equal(t, "malee", got[0].From)
	})
}

func TestControlLogin(t *testing.T) {
	w := newWorld(t, Options{})
	login := func(in map[string]any) client.Tokens {
		var tokens client.Tokens
		in["person"], in["client_id"] = "malee", channel
		w.control("login", in, &tokens)
		return tokens
	}

	_, err := w.client.VerifyIDToken(t.Context(), login(map[string]any{}).IDToken, channel, "")
	require.NoError(t, err)
	_, err = w.client.VerifyIDToken(t.Context(), login(map[string]any{"alg": "HS256", "nonce": "n"}).IDToken, channel, "n")
	require.NoError(t, err)
	for name, bad := range map[string]map[string]any{
		"expired": {"age_seconds": 3601}, "expired web login": {"age_seconds": 3601, "alg": "HS256"}, "another audience": {"audience": "1650000009"},
	} {
		_, err := w.client.VerifyIDToken(t.Context(), login(bad).IDToken, channel, "")
		require.ErrorIs(t, err, client.ErrRefused, name)
	}
	altered := login(map[string]any{}).IDToken
	altered = altered[:len(altered)-8] + "AAAAAAAA"
	_, err = w.client.VerifyIDToken(t.Context(), altered, channel, "")
	require.ErrorIs(t, err, client.ErrRefused)
}

func TestPush(t *testing.T) {
	w := newWorld(t, Options{})
	var tokens struct {
		UserID string `json:"user_id"`
	}
	w.control("login", map[string]string{"person": "malee", "client_id": channel}, &tokens)

	key := uuid.New()
	for range 2 {
		require.NoError(t, w.client.Push(t.Context(), "bot", key, tokens.UserID, client.Text("บัตรใกล้หมดอายุ")))
	}
	var got []Message
	w.get("/emulator/messages?to=malee", &got)
	require.Len(t, got, 1, "one key, one message")
	require.True(t, got[0].Delivered)

	require.ErrorIs(t, w.client.Push(t.Context(), "another bot", uuid.New(), tokens.UserID, client.Text("x")), client.ErrChannel)
	require.ErrorIs(t, w.client.Push(t.Context(), "bot", uuid.New(), "U0", client.Text("x")), client.ErrRefused)
}

func TestQuota(t *testing.T) {
	w := newWorld(t, Options{})
	w.control("channels", Channel{ID: channel, Secret: secret, Name: "Lamai", Quota: 1}, nil)
	var tokens struct {
		UserID string `json:"user_id"`
	}
	w.control("login", map[string]string{"person": "malee", "client_id": channel}, &tokens)
	bearer, err := w.client.AccountToken(t.Context(), client.Channel{ID: channel, Secret: secret})
	require.NoError(t, err)

	account, err := w.client.Account(t.Context(), bearer)
	require.NoError(t, err)
	require.Equal(t, []string{"@" + channel, "Lamai"}, []string{account.BasicID, account.Name})
	require.NoError(t, w.client.Push(t.Context(), bearer, uuid.New(), tokens.UserID, client.Text("x")))
	require.ErrorIs(t, w.client.Push(t.Context(), bearer, uuid.New(), tokens.UserID, client.Text("x")), client.ErrSpent)
	quota, err := w.client.Quota(t.Context(), bearer)
	require.NoError(t, err)
	require.Equal(t, client.Quota{Limited: true, Value: 1, Used: 1}, quota)
	w.control("faults", emulator.Fault{Path: "/v2/bot/message/push", Kind: "status", Status: 429, Times: 1}, nil)
	require.ErrorIs(t, w.client.Push(t.Context(), bearer, uuid.New(), tokens.UserID, client.Text("x")), client.ErrUnavailable)
}

func TestFaults(t *testing.T) {
	w := newWorld(t, Options{})
	var tokens client.Tokens
	w.control("login", map[string]string{"person": "malee", "client_id": channel, "nonce": "n"}, &tokens)
	verify := func() error {
		_, err := w.client.VerifyIDToken(t.Context(), tokens.IDToken, channel, "n")
		return err
	}

	for kind, want := range map[string]error{
		"expired": client.ErrRefused, "audience": client.ErrRefused, "issuer": client.ErrRefused,
		"nonce": client.ErrRefused, "subject": client.ErrRefused, "fields": nil,
	} {
		w.control("faults", emulator.Fault{Path: "/oauth2/v2.1/verify", Kind: kind, Times: 1}, nil)
		require.ErrorIs(t, verify(), want, kind)
		require.NoError(t, verify(), "the fault was for one call")
	}
	w.control("faults", emulator.Fault{Kind: "status", Status: 429, Times: 2}, nil)
	require.ErrorIs(t, verify(), client.ErrUnavailable)
	require.ErrorIs(t, verify(), client.ErrUnavailable)
	require.NoError(t, verify())
	w.control("faults", emulator.Fault{Kind: "skew", Seconds: 3601}, nil)
	require.ErrorIs(t, verify(), client.ErrRefused)
	w.control("faults", emulator.Fault{Kind: "skew"}, nil)
	w.control("faults", emulator.Fault{Kind: "revoked"}, nil)
	require.ErrorIs(t, w.client.VerifyAccessToken(t.Context(), tokens.AccessToken, channel), client.ErrRefused)

	var calls []emulator.Call
	w.get("/emulator/calls", &calls)
	require.Contains(t, calls[len(calls)-1].Path, "/verify")
}

func TestWebhook(t *testing.T) {
	w := newWorld(t, Options{})
	signed := make(chan bool, 1)
	us := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		events, err2 := client.Events(secret, body, r.Header.Get("X-Line-Signature"))
		signed <- err == nil && err2 == nil && len(events) == 1 && events[0].Type == "follow"
	}))
	defer us.Close()
	w.control("channels", Channel{ID: channel, Secret: secret, Webhook: us.URL}, nil)

	for _, forge := range []bool{false, true} {
		w.control("channels/"+channel+"/events", map[string]any{"events": []map[string]any{{"type": "follow"}}, "forge": forge}, nil)
		require.Equal(t, !forge, <-signed, strconv.FormatBool(forge))
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	before := newWorld(t, Options{Dir: dir})
	var tokens client.Tokens
	before.control("login", map[string]string{"person": "malee", "client_id": channel}, &tokens)

	again, err := New(Options{Dir: dir})
	require.NoError(t, err)
	server := httptest.NewServer(again.Handler())
	defer server.Close()

	_, err = client.New(config.Line{APIURL: server.URL}).VerifyIDToken(t.Context(), tokens.IDToken, channel, "")
	require.NoError(t, err, "people, channels and the signing key are kept")
}

func TestAdopt(t *testing.T) {
	w := newWorld(t, Options{Adopt: true})
	fresh := client.Channel{ID: "1650000077", Secret: "first shown"}
	page := w.client.AuthorizeURL(client.Authorize{ChannelID: fresh.ID, RedirectURI: home, State: "s", Verifier: "v"})
	_, err := w.client.Exchange(t.Context(), fresh, w.press(page, url.Values{"person": {"malee"}}).Get("code"), home, "v")
	require.NoError(t, err)
	_, err = w.client.Exchange(t.Context(), client.Channel{ID: fresh.ID, Secret: "second"}, w.press(page, url.Values{"person": {"malee"}}).Get("code"), home, "v")
	require.ErrorIs(t, err, client.ErrRefused, "the first secret stays")
}

func TestVerifyChannel(t *testing.T) {
	w := newWorld(t, Options{})
	require.NoError(t, w.client.VerifyChannel(t.Context(), w.web))
	for _, ch := range []client.Channel{{ID: channel, Secret: "another"}, {ID: channel}, {ID: "1650000099", Secret: secret}, {}} {
		require.ErrorIs(t, w.client.VerifyChannel(t.Context(), ch), client.ErrChannel)
	}
}
