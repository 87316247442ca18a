// Package sms imitates a text-message gateway on this machine: what is sent can be read.
//
//	POST /messages {to, text}           takes a message; Idempotency-Key seen before: taken once
//	GET  /emulator/messages?to=+66…     reads them, newest first
//	     /emulator/faults, /calls       as the other emulators
package sms

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"welovevoucher/tools/emulator"
)

// Message is a text that would have arrived.
type Message struct {
	At   time.Time `json:"at"`
	To   string    `json:"to"` // +66…
	Text string    `json:"text"`
	Key  string    `json:"key"`
}

// Emulator is a text-message gateway.
type Emulator struct {
	faults emulator.Control

	mu       sync.Mutex
	messages []Message
}

// New returns an emulator with an empty inbox.
func New() *Emulator { return &Emulator{} }

// Handler serves everything, control API included.
func (e *Emulator) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /messages", e.take)
	mux.HandleFunc("GET /emulator/messages", e.list)
	e.faults.Route(mux)
	return e.faults.Wrap(mux, func(w http.ResponseWriter, status int) {
		emulator.Answer(w, status, map[string]string{"message": "this fault was asked for"})
	})
}

func (e *Emulator) take(w http.ResponseWriter, r *http.Request) {
	if _, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !ok {
		emulator.Answer(w, http.StatusUnauthorized, map[string]string{"message": "a bearer token is needed"})
		return
	}
	m := Message{At: time.Now().UTC(), Key: r.Header.Get("Idempotency-Key")}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&m); err != nil || m.Text == "" || !strings.HasPrefix(m.To, "+66") {
		emulator.Answer(w, http.StatusBadRequest, map[string]string{"message": "to (+66…) and text are needed"})
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.Key == "" || !slices.ContainsFunc(e.messages, func(n Message) bool { return n.Key == m.Key }) {
		e.messages = append(e.messages, m)
	}
	emulator.Answer(w, http.StatusAccepted, map[string]string{"status": "accepted"})
}

func (e *Emulator) list(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("to")
	e.mu.Lock()
	defer e.mu.Unlock()
	found := []Message{}
	for _, m := range slices.Backward(e.messages) {
		if to == "" || m.To == to {
			found = append(found, m)
		}
	}
	emulator.Answer(w, http.StatusOK, found)
}
