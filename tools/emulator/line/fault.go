package line

import (
	"maps"
	"net/http"
	"time"

	"welovevoucher/tools/emulator"
)

// LINE's own kinds of faults. The first let verify answer 200 with that claim wrong, "fields" adds some that nobody knows;
// "revoked" forgets every token, "skew" sets the emulator's clock some seconds ahead or behind.
var distortions = []string{"expired", "audience", "issuer", "nonce", "subject", "fields"}

func (e *Emulator) control() *emulator.Control {
	return &emulator.Control{
		Kinds: distortions,
		AtOnce: map[string]func(emulator.Fault){
			"skew": func(f emulator.Fault) {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.skew = time.Duration(f.Seconds) * time.Second
			},
			"revoked": func(emulator.Fault) {
				e.mu.Lock()
				defer e.mu.Unlock()
				clear(e.access)
				clear(e.refresh)
			},
		},
		Cleared: func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.skew = 0
		},
	}
}

// distort makes a verify call's answer wrong as asked for.
func (e *Emulator) distort(path string, payload map[string]any) {
	for _, f := range e.faults.Take(path, distortions...) {
		maps.Copy(payload, map[string]map[string]any{
			"expired":  {"exp": time.Now().Add(-time.Minute).Unix(), "expires_in": 0},
			"audience": {"aud": "1000000000", "client_id": "1000000000"},
			"issuer":   {"iss": "https://access.example.com"},
			"nonce":    {"nonce": "another"},
			"subject":  {"sub": ""},
			"fields":   {"unheard_of": map[string]any{"of": []int{1, 2, 3}}, "version": 3},
		}[f.Kind])
	}
}

// identify gives every answer the request id that LINE's have.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Line-Request-Id", random())
		w.Header().Set("Access-Control-Expose-Headers", "X-Line-Request-Id")
		next.ServeHTTP(w, r)
	})
}
