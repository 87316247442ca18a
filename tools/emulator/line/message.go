package line

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"welovevoucher/tools/emulator"
)

// Message is what somebody would have seen in a chat: pushed by an official account, or shared by a person.
type Message struct {
	At        time.Time       `json:"at"`
	Kind      string          `json:"kind"` // push or share
	Channel   string          `json:"channel"`
	From      string          `json:"from,omitempty"` // person who shared
	To        string          `json:"to"`             // person
	Delivered bool            `json:"delivered"`      // false: they blocked the account
	Key       string          `json:"key,omitempty"`  // retry key
	Messages  json.RawMessage `json:"messages"`
}

func (e *Emulator) push(w http.ResponseWriter, r *http.Request) {
	var in struct {
		To       string            `json:"to"`
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		explain(w, http.StatusBadRequest, "The request body could not be parsed as JSON")
		return
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	c, known := e.accountOf(w, r)
	if !known {
		return
	}
	if len(in.Messages) == 0 || len(in.Messages) > 5 {
		explain(w, http.StatusBadRequest, "The request body has 1 error(s): size must be between 1 and 5 (messages)")
		return
	}
	p, known := e.byUserID(c.Provider, in.To)
	if !known {
		explain(w, http.StatusBadRequest, "The property, 'to', in the request body is invalid")
		return
	}
	request := w.Header().Get("X-Line-Request-Id")
	if key := r.Header.Get("X-Line-Retry-Key"); key != "" {
		if before, seen := e.accepted[c.ID+" "+key]; seen {
			w.Header().Set("X-Line-Accepted-Request-Id", before)
			explain(w, http.StatusConflict, "The retry key is already accepted")
			return
		}
	}
	if c.Quota > 0 && !p.Blocked && e.pushed(c.ID) >= c.Quota {
		explain(w, http.StatusTooManyRequests, "You have reached your monthly limit.")
		return
	}
	if key := r.Header.Get("X-Line-Retry-Key"); key != "" {
		e.accepted[c.ID+" "+key] = request
	}
	all, err := json.Marshal(in.Messages)
	if err != nil {
		explain(w, http.StatusBadRequest, "messages are not JSON")
		return
	}
	e.messages = append(e.messages, Message{At: e.now().UTC(), Kind: "push", Channel: c.ID, To: p.ID, Delivered: !p.Blocked, Key: r.Header.Get("X-Line-Retry-Key"), Messages: all})

	sent := make([]map[string]string, len(in.Messages))
	for i := range sent {
		sent[i] = map[string]string{"id": strconv.Itoa(len(e.messages)*10 + i), "quoteToken": random()}
	}
	emulator.Answer(w, http.StatusOK, map[string]any{"sentMessages": sent})
}

// accountOf finds the channel whose access token the request bears, long-lived or stateless, or answers that there is none.
func (e *Emulator) accountOf(w http.ResponseWriter, r *http.Request) (Channel, bool) {
	given := bearer(r)
	stateless, issued := e.accounts[given]
	i := slices.IndexFunc(e.kept.Channels, func(c Channel) bool {
		return c.AccessToken != "" && c.AccessToken == given || issued && stateless.channel == c.ID && stateless.expires.After(e.now())
	})
	if i < 0 {
		explain(w, http.StatusUnauthorized, "Authentication failed. Confirm that the access token in the authorization header is valid.")
		return Channel{}, false
	}
	return e.kept.Channels[i], true
}

// pushed counts what a channel's account has sent: a push to one who has blocked it does not count.
func (e *Emulator) pushed(channel string) (n int) {
	for _, m := range e.messages {
		if m.Kind == "push" && m.Channel == channel && m.Delivered {
			n++
		}
	}
	return n
}

func (e *Emulator) quota(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, known := e.accountOf(w, r)
	switch {
	case !known:
	case c.Quota == 0:
		emulator.Answer(w, http.StatusOK, map[string]any{"type": "none"})
	default:
		emulator.Answer(w, http.StatusOK, map[string]any{"type": "limited", "value": c.Quota})
	}
}

func (e *Emulator) consumption(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c, known := e.accountOf(w, r); known {
		emulator.Answer(w, http.StatusOK, map[string]int{"totalUsage": e.pushed(c.ID)})
	}
}

func (e *Emulator) account(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c, known := e.accountOf(w, r); known {
		emulator.Answer(w, http.StatusOK, map[string]string{"userId": userID("bot", c.ID), "basicId": "@" + c.ID, "displayName": cmp.Or(c.Name, c.ID), "chatMode": "bot", "markAsReadMode": "auto"})
	}
}

// sendEvents posts events to a channel's webhook, signed as LINE does.
func (e *Emulator) sendEvents(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Events []map[string]any `json:"events"`
		Forge  bool             `json:"forge"` // sign with another secret
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		explain(w, http.StatusBadRequest, err.Error())
		return
	}
	e.mu.Lock()
	c, known := e.channel(r.PathValue("channel"))
	if !known || c.Webhook == "" {
		e.mu.Unlock()
		explain(w, http.StatusNotFound, "this channel has no webhook")
		return
	}
	channel, now := *c, e.now()
	e.mu.Unlock()

	for _, event := range in.Events {
		if event["webhookEventId"] == nil {
			event["webhookEventId"] = random()
		}
		event["timestamp"] = now.UnixMilli()
		event["mode"] = "active"
	}
	if in.Events == nil {
		in.Events = []map[string]any{} // LINE's own verification has none
	}
	body, err := json.Marshal(map[string]any{"destination": userID("bot", channel.ID), "events": in.Events})
	if err != nil {
		explain(w, http.StatusBadRequest, err.Error())
		return
	}
	secret := channel.Secret
	if in.Forge {
		secret += "x"
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	status, err := deliver(r.Context(), channel.Webhook, body, base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	if err != nil {
		explain(w, http.StatusBadGateway, err.Error())
		return
	}
	emulator.Answer(w, http.StatusOK, map[string]int{"status": status})
}

func deliver(ctx context.Context, to string, body []byte, signature string) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Line-Signature", signature)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, err
}
