// Package omise imitates the payment gateway Omise on this machine, on the real wire: PromptPay, cards with 3-D Secure, refunds and
// signed webhooks. README.md lists what it answers and how charges are made to be paid, to fail, or to misbehave.
package omise

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"welovevoucher/tools/emulator"
	"welovevoucher/tools/repo"
)

// Options says how an emulator behaves.
type Options struct {
	// Dir keeps accounts and charges between starts. Empty keeps nothing.
	Dir string
	// URL is the emulator's own address as browsers see it, e.g. http://localhost:8083. Empty takes the request's.
	URL string
	// Adopt takes keys that it does not know as an account: pkey_test_x and skey_test_x belong together.
	Adopt bool
	// Accounts are known from the start.
	Accounts []Account
}

// Account is an Omise account, in test mode where its keys say so.
type Account struct {
	PublicKey     string `json:"public_key"`
	SecretKey     string `json:"secret_key"`
	WebhookURL    string `json:"webhook_url,omitempty"`
	WebhookSecret string `json:"webhook_secret,omitempty"` // base64
}

type kept struct {
	Accounts []Account          `json:"accounts"`
	Charges  []*charge          `json:"charges"`
	Sources  map[string]*source `json:"sources"`
	Tokens   map[string]*token  `json:"tokens"`
}

// Emulator answers for api.omise.co and vault.omise.co at once: their paths don't collide.
type Emulator struct {
	options Options
	faults  *emulator.Control

	mu         sync.Mutex
	kept       kept
	deliveries []Delivery
	told       []sentEvent
}

const file = "pay.json"

// New returns an emulator with what Options.Dir has kept.
func New(o Options) (*Emulator, error) {
	o.URL = strings.TrimSuffix(o.URL, "/")
	e := &Emulator{options: o, faults: &emulator.Control{}}
	if err := emulator.Load(o.Dir, file, &e.kept); err != nil {
		return nil, err
	}
	if e.kept.Sources == nil {
		e.kept.Sources = map[string]*source{}
	}
	if e.kept.Tokens == nil {
		e.kept.Tokens = map[string]*token{}
	}
	for _, a := range o.Accounts {
		e.save(a)
	}
	for _, c := range e.kept.Charges {
		e.expireLater(c)
	}
	return e, nil
}

// save adds an account, or changes the one of its public key.
func (e *Emulator) save(a Account) {
	if i := slices.IndexFunc(e.kept.Accounts, func(b Account) bool { return b.PublicKey == a.PublicKey }); i >= 0 {
		e.kept.Accounts[i] = a
		return
	}
	e.kept.Accounts = append(e.kept.Accounts, a)
}

func (e *Emulator) keep() error { return emulator.Keep(e.options.Dir, file, e.kept) }

// Handler serves everything, control API included.
func (e *Emulator) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /account", e.secret(e.readAccount))
	mux.HandleFunc("POST /tokens", e.public(e.createToken))
	mux.HandleFunc("GET /tokens/{id}", e.public(e.readToken))
	mux.HandleFunc("POST /sources", e.either(e.createSource))
	mux.HandleFunc("GET /sources/{id}", e.either(e.readSource))
	mux.HandleFunc("POST /charges", e.secret(e.createCharge))
	mux.HandleFunc("GET /charges", e.secret(e.listCharges))
	mux.HandleFunc("GET /charges/{id}", e.secret(e.readCharge))
	mux.HandleFunc("POST /charges/{id}/expire", e.secret(e.expireCharge))
	mux.HandleFunc("POST /charges/{id}/refunds", e.secret(e.createRefund))
	mux.HandleFunc("GET /charges/{id}/refunds", e.secret(e.listRefunds))
	mux.HandleFunc("GET /events", e.secret(e.listEvents))
	mux.HandleFunc("GET /charges/{id}/documents/{document}/downloads/{key}", e.qrImage)
	mux.HandleFunc("GET /payments/{payment}/authorize", e.pageAuthorize)
	mux.HandleFunc("POST /payments/{payment}/authorize", e.authorize)

	mux.HandleFunc("GET /emulator/{$}", e.pageCharges)
	mux.HandleFunc("GET /emulator/font.woff2", repo.Font)
	mux.HandleFunc("GET /emulator/endpoints", e.listAccounts)
	mux.HandleFunc("POST /emulator/endpoints", e.saveAccount)
	mux.HandleFunc("GET /emulator/charges", e.controlCharges)
	mux.HandleFunc("POST /emulator/charges/{id}/{action}", e.controlCharge)
	mux.HandleFunc("GET /emulator/deliveries", e.listDeliveries)
	e.faults.Route(mux)
	return e.faults.Wrap(mux, func(w http.ResponseWriter, status int) {
		refuse(w, status, "service_unavailable", "this fault was asked for")
	})
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	emulator.Answer(w, status, map[string]string{
		"object": "error", "location": "https://www.omise.co/api-errors#" + strings.ReplaceAll(code, "_", "-"), "code": code, "message": message,
	})
}

func missing(w http.ResponseWriter, what, id string) {
	refuse(w, http.StatusNotFound, "not_found", what+" "+id+" was not found")
}

// handler answers for an account; the lock is held.
type handler func(w http.ResponseWriter, r *http.Request, a Account)

func (e *Emulator) public(h handler) http.HandlerFunc { return e.authenticated(h, "pkey_") }
func (e *Emulator) secret(h handler) http.HandlerFunc { return e.authenticated(h, "skey_") }
func (e *Emulator) either(h handler) http.HandlerFunc { return e.authenticated(h, "pkey_", "skey_") }

func (e *Emulator) authenticated(h handler, prefixes ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key, _, _ := r.BasicAuth()
		right := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })

		e.mu.Lock()
		defer e.mu.Unlock()
		a, known := e.account(key)
		if !known || !right {
			refuse(w, http.StatusUnauthorized, "authentication_failure", "authentication failed")
			return
		}
		h(w, r, a)
	}
}

func (e *Emulator) account(key string) (Account, bool) {
	for _, a := range e.kept.Accounts {
		if a.PublicKey == key || a.SecretKey == key {
			return a, true
		}
	}
	prefix, rest, ok := strings.Cut(key, "_test_")
	if !e.options.Adopt || !ok || rest == "" || prefix != "pkey" && prefix != "skey" {
		return Account{}, false
	}
	a := Account{PublicKey: "pkey_test_" + rest, SecretKey: "skey_test_" + rest}
	e.kept.Accounts = append(e.kept.Accounts, a)
	return a, true
}

// parameters reads a body of JSON, or of form fields such as card[name] and metadata[order], as Omise does.
func parameters(w http.ResponseWriter, r *http.Request, into any) bool {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := json.NewDecoder(r.Body).Decode(into); err != nil {
			refuse(w, http.StatusBadRequest, "bad_request", "the body is not JSON of the right kind")
			return false
		}
		return true
	}
	if err := r.ParseForm(); err != nil {
		refuse(w, http.StatusBadRequest, "bad_request", "the body is not a form")
		return false
	}
	text, err := json.Marshal(nested(r.PostForm))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "bad_request", "the form has fields of a wrong kind")
		return false
	}
	return true
}

func nested(form url.Values) map[string]any {
	all := map[string]any{}
	for name, values := range form {
		outer, rest, inside := strings.Cut(name, "[")
		if !inside {
			all[name] = values[0]
			continue
		}
		group, ok := all[outer].(map[string]any)
		if !ok {
			group = map[string]any{}
			all[outer] = group
		}
		group[strings.TrimSuffix(rest, "]")] = values[0]
	}
	return all
}

// number is an integer that forms send as text.
type number int64

func (n *number) UnmarshalJSON(text []byte) error {
	var i json.Number
	if err := json.Unmarshal([]byte(strings.Trim(string(text), `"`)), &i); err != nil {
		return err
	}
	v, err := i.Int64()
	*n = number(v)
	return err
}

func (e *Emulator) base(r *http.Request) string {
	if e.options.URL != "" {
		return e.options.URL
	}
	return "http://" + r.Host
}

func newID(kind string) string { return kind + "_test_" + strings.ToLower(rand.Text()[:19]) }

// list is Omise's envelope of many.
func list[T any](r *http.Request, all []T) map[string]any {
	offset, limit := 0, 20
	_, _ = fmt.Sscan(r.URL.Query().Get("offset"), &offset) // what is no number leaves the default
	_, _ = fmt.Sscan(r.URL.Query().Get("limit"), &limit)
	limit = min(max(limit, 1), 100)
	from := min(max(offset, 0), len(all))
	return map[string]any{
		"object": "list", "location": r.URL.Path, "offset": offset, "limit": limit, "total": len(all), "order": r.URL.Query().Get("order"),
		"from": time.Unix(0, 0).UTC(), "to": time.Now().UTC(), "data": append([]T{}, all[from:min(from+limit, len(all))]...),
	}
}
