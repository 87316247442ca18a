package omise

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"welovevoucher/tools/emulator"
)

// delivery says how an event is to be sent.
type delivery struct {
	times int           // the same event so often; 0 loses it
	forge bool          // with a signature of another secret
	age   time.Duration // signed that long ago
}

// Delivery is one attempt to call an account's webhook.
type Delivery struct {
	At     time.Time `json:"at"`
	Event  string    `json:"event"`
	Kind   string    `json:"kind"`
	Charge string    `json:"charge"`
	URL    string    `json:"url"`
	Status int       `json:"status"` // 0: no answer
}

// sentEvent is an event as its account lists it, whether its webhook came or not. A restart forgets them.
type sentEvent struct {
	account string // public key
	at      time.Time
	event   map[string]any
}

func (e *Emulator) listEvents(w http.ResponseWriter, r *http.Request, a Account) {
	from, to := between(r)
	all := []map[string]any{}
	for _, t := range e.told {
		if t.account == a.PublicKey && !t.at.Before(from) && !t.at.After(to) {
			all = append(all, t.event)
		}
	}
	if r.URL.Query().Get("order") == "reverse_chronological" {
		slices.Reverse(all)
	}
	emulator.Answer(w, http.StatusOK, list(r, all))
}

// notify sends an event in the background. The caller holds the lock.
func (e *Emulator) notify(r *http.Request, c *charge, kind string, how delivery) {
	base := e.options.URL
	if base == "" && r != nil {
		base = e.base(r)
	}
	e.send(c, []map[string]any{c.event(base, kind)}, how)
}

func (c *charge) event(base, kind string) map[string]any {
	id := newID("evnt")
	data := c.wire(base)
	switch {
	case kind == "refund.create":
		data = c.Refunds[len(c.Refunds)-1].wire(c)
	case strings.HasPrefix(kind, "dispute."):
		data = c.Dispute.wire(c)
	}
	return map[string]any{
		"object": "event", "id": id, "livemode": false, "location": "/events/" + id, "key": kind, "data": data,
		"webhook_deliveries": []any{}, "created_at": time.Now().UTC().Format(time.RFC3339),
	}
}

// pauses between attempts at an address that does not answer 2xx.
var pauses = []time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second}

func (e *Emulator) send(c *charge, events []map[string]any, how delivery) {
	i := slices.IndexFunc(e.kept.Accounts, func(a Account) bool { return a.PublicKey == c.Account })
	if i < 0 {
		return
	}
	account, to := e.kept.Accounts[i], c.Webhooks
	for _, event := range events {
		if !how.forge {
			e.told = append(e.told, sentEvent{c.Account, time.Now(), event})
		}
	}
	if len(to) == 0 && account.WebhookURL != "" {
		to = []string{account.WebhookURL}
	}
	secret, err := base64.StdEncoding.DecodeString(account.WebhookSecret)
	if err != nil || how.forge {
		secret = []byte("somebody else's secret")
	}

	go func() {
		for _, event := range events {
			body, err := json.Marshal(event)
			if err != nil {
				continue // maps of plain values always marshal
			}
			for range how.times {
				for _, address := range to {
					e.deliver(address, body, secret, how.age, Delivery{Event: event["id"].(string), Kind: event["key"].(string), Charge: c.ID, URL: address})
				}
			}
		}
	}()
}

func (e *Emulator) deliver(address string, body, secret []byte, age time.Duration, d Delivery) {
	for _, pause := range pauses {
		time.Sleep(pause)
		d.At, d.Status = time.Now().UTC(), post(address, body, secret, age)
		e.mu.Lock()
		e.deliveries = append(e.deliveries, d)
		e.mu.Unlock()
		if d.Status >= 200 && d.Status < 300 || d.Status == http.StatusUnauthorized {
			return
		}
	}
}

func post(address string, body, secret []byte, age time.Duration) (status int) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	stamp := strconv.FormatInt(time.Now().Add(-age).Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Omise-Signature-Timestamp", stamp)
	req.Header.Set("Omise-Signature", hex.EncodeToString(mac.Sum(nil)))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)); err != nil {
		return 0
	}
	return res.StatusCode
}

func (e *Emulator) listDeliveries(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	found := []Delivery{}
	for _, d := range e.deliveries {
		if c := r.URL.Query().Get("charge"); c == "" || c == d.Charge {
			found = append(found, d)
		}
	}
	emulator.Answer(w, http.StatusOK, found)
}
