package line

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"welovevoucher/tools/emulator"
)

// contextToken describes the app to the SDK; the SDK reads the payload and does not check the signature.
func (e *Emulator) contextToken(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	c, app, known := e.app(r.PathValue("liff"))
	if !known {
		explain(w, http.StatusNotFound, "LIFF app not found")
		return
	}
	payload := contextOf(app)
	if t, p, ok := e.holder(r); ok && t.channel == c.ID {
		payload["userId"] = userID(c.Provider, p.ID)
	}
	emulator.Answer(w, http.StatusOK, map[string]string{"contextToken": e.sign(payload)})
}

// contextOf is what LINE says about an app.
func contextOf(app LIFF) jwt.MapClaims {
	allowed := map[string]any{"permission": true, "minVer": "9.19.0"}
	return jwt.MapClaims{
		"type": "external", "viewType": "full", "liffId": app.ID, "endpointUrl": app.Endpoint, "accessTokenHash": "", "scope": []string{"profile", "openid"},
		"permanentLinkPattern": "concat", "miniDomainAllowed": false, "miniAppId": "",
		"menuColorSetting": map[string]any{"adaptableColorSchemes": []string{"light"}},
		"availability": map[string]any{
			"shareTargetPicker": allowed, "scanCodeV2": allowed, "subwindowOpen": allowed, "addToHomeV2": allowed,
			"addToHomeLineScheme": map[string]any{"permission": false, "minVer": ""}, "multipleLiffTransition": map[string]any{"permission": false, "minVer": ""},
			"skipChannelVerificationScreen": map[string]any{"permission": false, "minVer": ""},
		},
	}
}

func (e *Emulator) featureToken(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	_, app, known := e.app(r.PathValue("liff"))
	if !known {
		explain(w, http.StatusNotFound, "LIFF app not found")
		return
	}
	emulator.Answer(w, http.StatusOK, map[string]string{"featureToken": e.feature(app)})
}

func (e *Emulator) feature(app LIFF) string {
	return e.sign(jwt.MapClaims{"liffId": app.ID, "exp": e.now().Add(time.Hour).Unix()})
}

// openLIFF is a link of liff.line.me: it goes to the app's endpoint with the rest of the link in liff.state.
func (e *Emulator) openLIFF(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	_, app, known := e.app(r.PathValue("liff"))
	if !known || app.Endpoint == "" {
		http.NotFound(w, r)
		return
	}
	state := ""
	if path := r.PathValue("path"); path != "" {
		state = "/" + path
	}
	if r.URL.RawQuery != "" {
		state += "?" + r.URL.RawQuery
	}
	to, err := primary(app, state)
	if err != nil {
		e.pageError(w, r, "The LIFF app's endpoint is no address.")
		return
	}
	http.Redirect(w, r, to.String(), http.StatusFound)
}

// primary is the address that LINE opens first: the endpoint, with the rest of the link in liff.state.
func primary(app LIFF, state string) (*url.URL, error) {
	to, err := url.Parse(app.Endpoint)
	if err != nil || state == "" {
		return to, err
	}
	query := to.Query()
	query.Set("liff.state", state)
	to.RawQuery = query.Encode()
	return to, nil
}

// controlOpen is a tap on a LIFF link inside LINE's app: it answers the address that LINE's own browser opens, with
// the proof of who is there behind its #.
func (e *Emulator) controlOpen(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Person string `json:"person"`
		LiffID string `json:"liff_id"`
		Path   string `json:"path"` // of the link, behind the LIFF id
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		explain(w, http.StatusBadRequest, err.Error())
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	c, app, known := e.app(in.LiffID)
	if !known || app.Endpoint == "" {
		explain(w, http.StatusNotFound, "LIFF app not found")
		return
	}
	person, err := e.anyone(in.Person)
	if err != nil {
		explain(w, http.StatusInternalServerError, err.Error())
		return
	}
	to, err := primary(app, in.Path)
	if err != nil {
		explain(w, http.StatusBadRequest, "the LIFF app's endpoint is no address")
		return
	}

	about := contextOf(app)
	about["type"], about["userId"] = "utou", userID(c.Provider, person)
	proof := url.Values{
		"access_token": {e.issue(c.ID, person, "profile openid")["access_token"].(string)}, "client_id": {c.ID},
		"context_token": {e.sign(about)}, "feature_token": {e.feature(app)},
		"id_token": {e.idToken(r, *c, person, claims{asymmetric: true})},
	}
	emulator.Answer(w, http.StatusOK, map[string]string{"url": to.String() + "#" + proof.Encode()})
}

// picker is one opening of the share picker.
type picker struct {
	liff    string
	person  string
	result  string // "", SUCCESS, CANCEL or another word for a failure
	expires time.Time
}

func (e *Emulator) oneTimeToken(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	c, app, known := e.app(r.PathValue("liff"))
	t, p, ok := e.holder(r)
	if !known || !ok || t.channel != c.ID {
		explain(w, http.StatusUnauthorized, "The access token expired or is invalid")
		return
	}
	ott := random()
	e.pickers[ott] = picker{liff: app.ID, person: p.ID, expires: e.now().Add(10 * time.Minute)}
	emulator.Answer(w, http.StatusOK, map[string]string{"ott": ott})
}

func (e *Emulator) picked(r *http.Request) (string, picker, bool) {
	ott := r.URL.Query().Get("ott")
	p, known := e.pickers[ott]
	return ott, p, known && p.liff == r.URL.Query().Get("liffId") && e.now().Before(p.expires)
}

func (e *Emulator) sharePicker(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	ott, p, known := e.picked(r)
	if !known {
		e.pageError(w, r, "This share page is too old. Close it and share again.")
		return
	}
	e.pageShare(w, r, ott, p)
}

func (e *Emulator) shareResult(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	_, p, known := e.picked(r)
	if !known {
		explain(w, http.StatusBadRequest, "ott is invalid")
		return
	}
	result := map[string]string{}
	if p.result != "" {
		result["result"] = p.result
		result["resultDescription"] = p.result
	}
	emulator.Answer(w, http.StatusOK, result)
}

// shareDone takes the page's own result, and the SDK's CANCEL when the page was closed.
func (e *Emulator) shareDone(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	ott, p, known := e.picked(r)
	if !known {
		explain(w, http.StatusBadRequest, "ott is invalid")
		return
	}
	if p.result != "" { // the page closes itself when it is done, and the SDK takes that for a cancel
		emulator.Answer(w, http.StatusOK, map[string]string{"status": "ok"})
		return
	}
	p.result = r.FormValue("result")
	e.pickers[ott] = p
	if p.result == "SUCCESS" {
		channelID, _, _ := strings.Cut(p.liff, "-")
		for _, to := range r.Form["to"] {
			if _, known := e.person(to); known {
				e.messages = append(e.messages, Message{At: e.now().UTC(), Kind: "share", Channel: channelID, From: p.person, To: to, Delivered: true, Messages: []byte(r.FormValue("messages"))})
			}
		}
	}
	emulator.Answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (e *Emulator) shortcut(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	_, app, known := e.app(r.URL.Query().Get("liffId"))
	to := r.URL.Query().Get("url")
	if !known || !under(app.Endpoint, to) && !slices.Contains([]string{"line", "https"}, scheme(to)) {
		explain(w, http.StatusBadRequest, "invalid url")
		return
	}
	emulator.Answer(w, http.StatusOK, map[string]string{"shortcutPageUrl": e.base(r) + "/" + app.ID + "?shortcut=" + url.QueryEscape(to)})
}

func scheme(address string) string {
	before, _, _ := strings.Cut(address, ":")
	return before
}
