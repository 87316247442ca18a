// Package line imitates LINE on this machine: Login v2.1, LIFF and the Messaging API, on the real wire, for development and tests.
// README.md lists what it answers and how it is made to misbehave.
package line

import (
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"welovevoucher/tools/emulator"
	"welovevoucher/tools/repo"
)

// Options says how an emulator behaves.
type Options struct {
	// Dir keeps people, channels and the signing key between starts. Empty keeps nothing.
	Dir string
	// URL is the emulator's own address for pictures and LIFF links, e.g. http://localhost:8082. Empty takes the request's.
	URL string
	// Adopt takes a channel it does not know as registered: with the first secret that it shows, and any address to return to.
	Adopt bool
}

// Emulator answers for api.line.me, access.line.me, liff.line.me and liff-shortcut.line.me at once: their paths don't collide.
type Emulator struct {
	issued  atomic.Int64 // ID tokens
	options Options

	mu       sync.Mutex
	kept     kept
	logins   map[string]login  // by request id: what a sign-in page was opened for
	codes    map[string]grant  // by authorization code
	access   map[string]token  // by access token
	refresh  map[string]token  // by refresh token
	pickers  map[string]picker // by one-time token of a share picker
	accounts map[string]token  // by stateless access token
	accepted map[string]string // by channel and retry key: id of the request that took it
	messages []Message
	skew     time.Duration

	faults *emulator.Control
}

// New returns an emulator with what Options.Dir has kept.
func New(o Options) (*Emulator, error) {
	o.URL = strings.TrimSuffix(o.URL, "/")
	k, err := load(o.Dir)
	if err != nil {
		return nil, err
	}
	e := &Emulator{
		options: o, kept: k,
		logins: map[string]login{}, codes: map[string]grant{}, access: map[string]token{}, refresh: map[string]token{},
		pickers: map[string]picker{}, accounts: map[string]token{}, accepted: map[string]string{},
	}
	e.faults = e.control()
	return e, nil
}

// Handler serves everything, control API included.
func (e *Emulator) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /oauth2/v2.1/authorize", e.authorize)
	mux.HandleFunc("GET /liff/v1/authorize", e.authorizeLIFF)
	mux.HandleFunc("POST /emulator/consent", e.consent)
	mux.HandleFunc("POST /oauth2/v2.1/token", e.token)
	mux.HandleFunc("POST /oauth2/v3/token", e.stateless)
	mux.HandleFunc("POST /oauth2/v2.1/verify", e.verifyIDToken)
	mux.HandleFunc("GET /oauth2/v2.1/verify", e.verifyAccessToken)
	mux.HandleFunc("POST /oauth2/v2.1/revoke", e.revoke)
	mux.HandleFunc("GET /oauth2/v2.1/certs", e.certs)
	mux.HandleFunc("GET /.well-known/openid-configuration", e.configuration)
	mux.HandleFunc("GET /v2/profile", e.profile)
	mux.HandleFunc("GET /friendship/v1/status", e.friendship)

	mux.HandleFunc("GET /liff/v2/apps/{liff}/contextToken", e.contextToken)
	mux.HandleFunc("GET /liff/v2/apps/{liff}/featureToken", e.featureToken)
	mux.HandleFunc("GET /liff/v2/apps/{liff}/ott", e.oneTimeToken)
	mux.HandleFunc("GET /oauth2/v2.1/liff/shareTargetPicker", e.sharePicker)
	mux.HandleFunc("GET /oauth2/v2.1/liff/shareTargetPicker/result", e.shareResult)
	mux.HandleFunc("POST /oauth2/v2.1/liff/shareTargetPicker/result", e.shareDone)
	mux.HandleFunc("GET /api/shortcut", e.shortcut)
	mux.HandleFunc("GET /{liff}", e.openLIFF)
	mux.HandleFunc("GET /{liff}/{path...}", e.openLIFF)

	mux.HandleFunc("POST /v2/bot/message/push", e.push)
	mux.HandleFunc("GET /v2/bot/message/quota", e.quota)
	mux.HandleFunc("GET /v2/bot/message/quota/consumption", e.consumption)
	mux.HandleFunc("GET /v2/bot/info", e.account)

	mux.HandleFunc("GET /emulator/font.woff2", repo.Font)
	mux.HandleFunc("GET /emulator/people", e.listPeople)
	mux.HandleFunc("POST /emulator/people", e.savePerson)
	mux.HandleFunc("GET /emulator/people/{person}/picture", e.picture)
	mux.HandleFunc("GET /emulator/channels", e.listChannels)
	mux.HandleFunc("POST /emulator/channels", e.saveChannel)
	mux.HandleFunc("POST /emulator/channels/{channel}/events", e.sendEvents)
	mux.HandleFunc("POST /emulator/login", e.controlLogin)
	mux.HandleFunc("POST /emulator/open", e.controlOpen)
	mux.HandleFunc("GET /emulator/messages", e.listMessages)
	e.faults.Route(mux)
	return identify(e.faults.Wrap(mux, func(w http.ResponseWriter, status int) {
		if status == http.StatusTooManyRequests {
			explain(w, status, "The API rate limit has been exceeded. Try again later.")
			return
		}
		refuse(w, status, "server_error", "this fault was asked for")
	}))
}

func (e *Emulator) now() time.Time { return time.Now().Add(e.skew) }

// base is the emulator's address as the caller sees it.
func (e *Emulator) base(r *http.Request) string {
	if e.options.URL != "" {
		return e.options.URL
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// refuse answers as OAuth 2.0 does (RFC 6749, 5.2), which LINE Login follows.
func refuse(w http.ResponseWriter, status int, code, description string) {
	emulator.Answer(w, status, map[string]string{"error": code, "error_description": description})
}

// explain answers as the Messaging and profile APIs do.
func explain(w http.ResponseWriter, status int, message string) {
	emulator.Answer(w, status, map[string]string{"message": message})
}

func bearer(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func random() string { return rand.Text() }
