package line

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"welovevoucher/tools/emulator"
)

const (
	codeLife    = 10 * time.Minute
	accessLife  = 30 * 24 * time.Hour
	refreshLife = 90 * 24 * time.Hour
	idTokenLife = time.Hour
)

// authorize opens the sign-in page of a web login.
func (e *Emulator) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	l := login{
		channel: q.Get("client_id"), redirectURI: q.Get("redirect_uri"), state: q.Get("state"), nonce: q.Get("nonce"),
		challenge: q.Get("code_challenge"), scope: q.Get("scope"),
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	c, known := e.channel(l.channel)
	switch {
	case !known:
		e.pageError(w, r, "Invalid client_id value: this channel is not registered.")
	case !allowed(c.Callbacks, l.redirectURI):
		e.pageError(w, r, "Invalid redirect_uri value. Check if it is registered in a LINE developers site.")
	case q.Get("response_type") != "code" || l.state == "" || !slices.Contains(strings.Fields(l.scope), "profile") && !slices.Contains(strings.Fields(l.scope), "openid"):
		e.pageError(w, r, "response_type must be code, and state and scope must be given.")
	case l.challenge != "" && q.Get("code_challenge_method") != "S256":
		e.pageError(w, r, "code_challenge_method must be S256.")
	default:
		e.pageLogin(w, r, *c, l)
	}
}

// authorizeLIFF opens the same page for an app that called liff.login().
func (e *Emulator) authorizeLIFF(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()

	e.mu.Lock()
	defer e.mu.Unlock()
	c, app, known := e.app(q.Get("app_id"))
	if !known {
		e.pageError(w, r, "Invalid app_id value: this LIFF app is not registered.")
		return
	}
	l := login{
		channel: c.ID, redirectURI: q.Get("redirect_uri"), state: q.Get("state"), challenge: q.Get("code_challenge"),
		scope: "profile openid", liff: app.ID,
	}
	if l.redirectURI == "" {
		l.redirectURI = app.Endpoint
	}
	switch {
	case !under(app.Endpoint, l.redirectURI):
		e.pageError(w, r, "redirect_uri must be under the endpoint URL of the LIFF app.")
	case q.Get("response_type") != "code" || l.state == "" || l.challenge == "" || q.Get("code_challenge_method") != "S256":
		e.pageError(w, r, "response_type must be code, and state and an S256 code_challenge must be given.")
	default:
		e.pageLogin(w, r, *c, l)
	}
}

func allowed(callbacks []string, uri string) bool {
	u, err := url.Parse(uri)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return false
	}
	return len(callbacks) == 0 || slices.Contains(callbacks, uri)
}

func under(endpoint, uri string) bool {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return false
	}
	end, err := url.Parse(endpoint)
	return endpoint == "" || err == nil && end.Scheme == u.Scheme && end.Host == u.Host && strings.HasPrefix(u.Path, strings.TrimSuffix(end.Path, "/"))
}

// consent is the sign-in page's form: somebody signs in, somebody new does, or nobody wants to.
func (e *Emulator) consent(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	l, open := e.logins[r.FormValue("login")]
	delete(e.logins, r.FormValue("login"))
	if !open || e.now().After(l.expires) {
		e.pageError(w, r, "This sign-in page is too old. Go back and sign in again.")
		return
	}
	if r.FormValue("refuse") != "" {
		e.goBack(w, r, l, url.Values{"error": {"access_denied"}, "error_description": {"The resource owner denied the request."}, "state": {l.state}})
		return
	}

	id := r.FormValue("person")
	if name := strings.TrimSpace(r.FormValue("name")); id == "" && name != "" {
		id = "p" + strings.ToLower(random()[:8])
		if err := e.putPerson(Person{ID: id, Name: name}); err != nil {
			e.pageError(w, r, err.Error())
			return
		}
	}
	if _, known := e.person(id); !known {
		e.pageError(w, r, "Nobody of that name is known here.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "line_person", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	code := random()
	e.codes[code] = grant{login: l, person: id, expires: e.now().Add(codeLife)}

	back := url.Values{"code": {code}, "state": {l.state}}
	if l.liff != "" {
		back.Set("liffClientId", l.channel)
		back.Set("liffRedirectUri", l.redirectURI)
	}
	e.goBack(w, r, l, back)
}

func (e *Emulator) goBack(w http.ResponseWriter, r *http.Request, l login, more url.Values) {
	u, err := url.Parse(l.redirectURI)
	if err != nil {
		e.pageError(w, r, "redirect_uri is no address.")
		return
	}
	query := u.Query()
	maps.Copy(query, more)
	u.RawQuery = query.Encode()
	http.Redirect(w, r, u.String(), http.StatusSeeOther)
}

func (e *Emulator) token(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	c, known := e.channel(r.FormValue("client_id"))
	if !known {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_id")
		return
	}
	switch r.FormValue("grant_type") {
	case "authorization_code":
		e.tokenByCode(w, r, c)
	case "refresh_token":
		e.tokenByRefresh(w, r, c)
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type", "grant_type is not supported")
	}
}

func (e *Emulator) tokenByCode(w http.ResponseWriter, r *http.Request, c *Channel) {
	g, known := e.codes[r.FormValue("code")]
	delete(e.codes, r.FormValue("code")) // single use, also when the rest is wrong
	if !known || e.now().After(g.expires) || g.channel != c.ID {
		refuse(w, http.StatusBadRequest, "invalid_grant", "invalid authorization code")
		return
	}
	if g.redirectURI != r.FormValue("redirect_uri") {
		refuse(w, http.StatusBadRequest, "invalid_grant", "redirect_uri does not match")
		return
	}
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if g.challenge != "" && g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		refuse(w, http.StatusBadRequest, "invalid_grant", "code_verifier does not match")
		return
	}
	if g.liff != "" { // a LIFF app runs in the browser and has no secret; PKCE stands in for it
		if g.liff != r.FormValue("appId") {
			refuse(w, http.StatusBadRequest, "invalid_grant", "appId does not match")
			return
		}
	} else if ok, err := e.authenticates(c, r.FormValue("client_secret")); err != nil {
		refuse(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	} else if !ok {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_secret")
		return
	}

	t := e.issue(c.ID, g.person, g.scope)
	if slices.Contains(strings.Fields(g.scope), "openid") {
		t["id_token"] = e.idToken(r, *c, g.person, claims{nonce: g.nonce, asymmetric: r.FormValue("id_token_key_type") == "JWK" || g.liff != ""})
	}
	emulator.Answer(w, http.StatusOK, t)
}

func (e *Emulator) tokenByRefresh(w http.ResponseWriter, r *http.Request, c *Channel) {
	t, known := e.refresh[r.FormValue("refresh_token")]
	if !known || t.channel != c.ID || e.now().After(t.expires) {
		refuse(w, http.StatusBadRequest, "invalid_grant", "invalid refresh_token")
		return
	}
	if ok, err := e.authenticates(c, r.FormValue("client_secret")); err != nil || !ok {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_secret")
		return
	}
	delete(e.refresh, r.FormValue("refresh_token"))
	emulator.Answer(w, http.StatusOK, e.issue(c.ID, t.person, t.scope))
}

// stateless gives a channel, not a person, an access token. Nothing here asks for one, so none is kept.
func (e *Emulator) stateless(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	if r.FormValue("grant_type") != "client_credentials" {
		refuse(w, http.StatusBadRequest, "unsupported_grant_type", "grant_type is not supported")
		return
	}
	c, known := e.channel(r.FormValue("client_id"))
	if !known {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_id")
		return
	}
	if ok, err := e.authenticates(c, r.FormValue("client_secret")); err != nil || !ok {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_secret")
		return
	}
	stateless := random()
	e.accounts[stateless] = token{channel: c.ID, expires: e.now().Add(15 * time.Minute)}
	emulator.Answer(w, http.StatusOK, map[string]any{"token_type": "Bearer", "expires_in": 900, "access_token": stateless})
}

// issue makes an access and a refresh token.
func (e *Emulator) issue(channel, person, scope string) map[string]any {
	access, refresh := random()+random(), random()+random()
	e.access[access] = token{channel: channel, person: person, scope: scope, expires: e.now().Add(accessLife)}
	e.refresh[refresh] = token{channel: channel, person: person, scope: scope, expires: e.now().Add(refreshLife)}
	return map[string]any{
		"access_token": access, "refresh_token": refresh, "expires_in": int(accessLife.Seconds()),
		"scope": scope, "token_type": "Bearer",
	}
}

func (e *Emulator) revoke(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	c, known := e.channel(r.FormValue("client_id"))
	if !known {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_id")
		return
	}
	if ok, err := e.authenticates(c, r.FormValue("client_secret")); err != nil || !ok {
		refuse(w, http.StatusBadRequest, "invalid_client", "invalid client_secret")
		return
	}
	if t, known := e.access[r.FormValue("access_token")]; known && t.channel == c.ID {
		delete(e.access, r.FormValue("access_token"))
	}
	w.WriteHeader(http.StatusOK)
}

// holder finds whose access token a request bears.
func (e *Emulator) holder(r *http.Request) (token, Person, bool) {
	t, known := e.access[bearer(r)]
	if !known || e.now().After(t.expires) {
		return token{}, Person{}, false
	}
	p, known := e.person(t.person)
	return t, p, known
}

func (e *Emulator) profile(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	t, p, ok := e.holder(r)
	if !ok {
		explain(w, http.StatusUnauthorized, "The access token expired or is invalid")
		return
	}
	if !slices.Contains(strings.Fields(t.scope), "profile") {
		explain(w, http.StatusForbidden, "The access token has no permission to access this resource")
		return
	}
	c, _ := e.channel(t.channel)
	profile := map[string]any{"userId": userID(c.Provider, p.ID), "displayName": p.Name, "pictureUrl": e.pictureURL(r, p)}
	if p.Status != "" {
		profile["statusMessage"] = p.Status
	}
	emulator.Answer(w, http.StatusOK, profile)
}

func (e *Emulator) friendship(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	_, p, ok := e.holder(r)
	if !ok {
		explain(w, http.StatusUnauthorized, "The access token expired or is invalid")
		return
	}
	emulator.Answer(w, http.StatusOK, map[string]bool{"friendFlag": !p.Blocked})
}

func (e *Emulator) pictureURL(r *http.Request, p Person) string {
	if p.Picture != "" {
		return p.Picture
	}
	return e.base(r) + "/emulator/people/" + url.PathEscape(p.ID) + "/picture"
}
