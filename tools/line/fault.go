package line

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Fault is one way to misbehave.
type Fault struct {
	// Path it applies to, e.g. /oauth2/v2.1/verify; empty is every call but the control API's.
	Path string `json:"path"`
	// Kind is one of
	//  status    answer with Status and an error
	//  slow      wait DelayMS first
	//  expired, audience, issuer, nonce, subject    let verify answer 200 with that claim wrong
	//  fields    let verify answer with fields nobody knows
	//  revoked   forget every token
	//  skew      set the emulator's clock Seconds ahead (or behind)
	Kind    string `json:"kind"`
	Status  int    `json:"status,omitempty"`
	DelayMS int    `json:"delay_ms,omitempty"`
	Seconds int    `json:"seconds,omitempty"`
	Times   int    `json:"times,omitempty"` // how many calls; 0 is until faults are cleared
}

var kinds = []string{"status", "slow", "expired", "audience", "issuer", "nonce", "subject", "fields", "revoked", "skew"}

func (e *Emulator) addFault(w http.ResponseWriter, r *http.Request) {
	var f Fault
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil || !slices.Contains(kinds, f.Kind) || f.Kind == "status" && (f.Status < 200 || f.Status > 599) {
		explain(w, http.StatusBadRequest, "a fault has a path, a kind of "+strings.Join(kinds, ", ")+", and what the kind needs")
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch f.Kind {
	case "skew":
		e.skew = time.Duration(f.Seconds) * time.Second
	case "revoked":
		clear(e.access)
		clear(e.refresh)
	default:
		e.faults = append(e.faults, &f)
	}
	answer(w, http.StatusOK, f)
}

func (e *Emulator) listFaults(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	answer(w, http.StatusOK, append([]*Fault{}, e.faults...))
}

func (e *Emulator) clearFaults(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults, e.skew = nil, 0
	w.WriteHeader(http.StatusNoContent)
}

// take returns the faults of some kinds for a path and counts them down. The caller holds the lock.
func (e *Emulator) take(path string, kinds ...string) []Fault {
	var due []Fault
	e.faults = slices.DeleteFunc(e.faults, func(f *Fault) bool {
		if f.Path != "" && f.Path != path || !slices.Contains(kinds, f.Kind) {
			return false
		}
		due = append(due, *f)
		f.Times--
		return f.Times == 0
	})
	return due
}

// wrong are the faults that change a verify call's answer.
func (e *Emulator) wrong(path string) []Fault {
	return e.take(path, "expired", "audience", "issuer", "nonce", "subject", "fields")
}

func (f Fault) distort(payload map[string]any) {
	change := map[string]map[string]any{
		"expired":  {"exp": time.Now().Add(-time.Minute).Unix(), "expires_in": 0},
		"audience": {"aud": "1000000000", "client_id": "1000000000"},
		"issuer":   {"iss": "https://access.example.com"},
		"nonce":    {"nonce": "another"},
		"subject":  {"sub": ""},
		"fields":   {"unheard_of": map[string]any{"of": []int{1, 2, 3}}, "version": 3},
	}[f.Kind]
	maps.Copy(payload, change)
}

// misbehave applies the faults that don't need to understand the call, and lets browsers call from any page as LINE does.
func (e *Emulator) misbehave(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Line-Request-Id", random())
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", "X-Line-Request-Id")
		if r.Method == http.MethodOptions {
			header.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
			header.Set("Access-Control-Allow-Headers", "authorization, content-type")
			header.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/emulator/") {
			next.ServeHTTP(w, r)
			return
		}
		e.mu.Lock()
		due := e.take(r.URL.Path, "status", "slow")
		e.mu.Unlock()
		for _, f := range due {
			if f.Kind == "status" {
				refuse(w, f.Status, "server_error", "this fault was asked for")
				return
			}
			select {
			case <-time.After(time.Duration(f.DelayMS) * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Call is one request the emulator got, without what it carried.
type Call struct {
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	Host   string    `json:"host"`
	Path   string    `json:"path"`
	Status int       `json:"status"`
}

const maxCalls = 10_000

func (e *Emulator) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &status{ResponseWriter: w, code: http.StatusOK}
		next.ServeHTTP(seen, r)
		if strings.HasPrefix(r.URL.Path, "/emulator/") {
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.calls) == maxCalls {
			e.calls = slices.Delete(e.calls, 0, maxCalls/10)
		}
		e.calls = append(e.calls, Call{At: e.now().UTC(), Method: r.Method, Host: r.Host, Path: r.URL.Path, Status: seen.code})
	})
}

type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

func (e *Emulator) listCalls(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	answer(w, http.StatusOK, append([]Call{}, e.calls...))
}

func (e *Emulator) clearCalls(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = nil
	w.WriteHeader(http.StatusNoContent)
}
