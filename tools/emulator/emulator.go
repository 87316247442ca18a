// Package emulator is what the emulators of outside services share: faults on demand, a record of calls, state on disk, serving.
package emulator

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Answer writes v as JSON.
func Answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) //nolint:errchkjson // the caller hung up: nobody reads it
}

// Fault is one way to misbehave.
type Fault struct {
	// Path it applies to, e.g. /charges; empty is every call but the control API's.
	Path string `json:"path"`
	// Kind is "status" (answer with Status), "slow" (wait DelayMS first), "lost" (do the work, then hang up without an answer),
	// or one of the emulator's own.
	Kind    string `json:"kind"`
	Status  int    `json:"status,omitempty"`
	DelayMS int    `json:"delay_ms,omitempty"`
	Seconds int    `json:"seconds,omitempty"`
	Times   int    `json:"times,omitempty"` // how many calls; 0 is until faults are cleared
}

// Call is one request an emulator got, without what it carried.
type Call struct {
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	Host   string    `json:"host"`
	Path   string    `json:"path"`
	Status int       `json:"status"` // 0: hung up on purpose
}

const maxCalls = 10_000

// Control holds faults and calls of one emulator.
type Control struct {
	// Kinds are the faults that the emulator takes itself, with Take.
	Kinds []string
	// AtOnce are those that happen when they are asked for, not with a later call.
	AtOnce map[string]func(Fault)
	// Cleared is called when all faults are.
	Cleared func()

	mu     sync.Mutex
	faults []*Fault
	calls  []Call
}

// Route adds /emulator/faults and /emulator/calls.
func (c *Control) Route(mux *http.ServeMux) {
	mux.HandleFunc("GET /emulator/faults", c.listFaults)
	mux.HandleFunc("POST /emulator/faults", c.addFault)
	mux.HandleFunc("DELETE /emulator/faults", c.clearFaults)
	mux.HandleFunc("GET /emulator/calls", c.listCalls)
	mux.HandleFunc("DELETE /emulator/calls", c.clearCalls)
}

func (c *Control) addFault(w http.ResponseWriter, r *http.Request) {
	kinds := append([]string{"status", "slow", "lost"}, c.Kinds...)
	for kind := range c.AtOnce {
		kinds = append(kinds, kind)
	}
	var f Fault
	err := json.NewDecoder(r.Body).Decode(&f)
	if err != nil || !slices.Contains(kinds, f.Kind) || f.Kind == "status" && (f.Status < 200 || f.Status > 599) {
		slices.Sort(kinds)
		Answer(w, http.StatusBadRequest, map[string]string{"message": "a fault has a kind of " + strings.Join(kinds, ", ") + ", and what the kind needs"})
		return
	}
	if act, ok := c.AtOnce[f.Kind]; ok {
		act(f)
		Answer(w, http.StatusOK, f)
		return
	}
	c.Add(f)
	Answer(w, http.StatusOK, f)
}

// Add asks for a fault.
func (c *Control) Add(f Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = append(c.faults, &f)
}

func (c *Control) listFaults(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	Answer(w, http.StatusOK, append([]*Fault{}, c.faults...))
}

func (c *Control) clearFaults(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	c.faults = nil
	c.mu.Unlock()
	if c.Cleared != nil {
		c.Cleared()
	}
	w.WriteHeader(http.StatusNoContent)
}

func (c *Control) listCalls(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	Answer(w, http.StatusOK, append([]Call{}, c.calls...))
}

func (c *Control) clearCalls(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = nil
	w.WriteHeader(http.StatusNoContent)
}

// Take returns the faults of some kinds that are due for a path, and counts them down.
func (c *Control) Take(path string, kinds ...string) []Fault {
	c.mu.Lock()
	defer c.mu.Unlock()

	var due []Fault
	c.faults = slices.DeleteFunc(c.faults, func(f *Fault) bool {
		if f.Path != "" && f.Path != path || !slices.Contains(kinds, f.Kind) {
			return false
		}
		due = append(due, *f)
		f.Times--
		return f.Times == 0
	})
	return due
}

// Wrap records calls, lets browsers call from any page, and applies the faults that need no knowledge of the call.
// refuse writes an error as the imitated service would.
func (c *Control) Wrap(next http.Handler, refuse func(w http.ResponseWriter, status int)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions {
			header.Set("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE")
			header.Set("Access-Control-Allow-Headers", "authorization, content-type, omise-version")
			header.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/emulator/") {
			next.ServeHTTP(w, r)
			return
		}

		seen := &statusWriter{ResponseWriter: w, code: http.StatusOK}
		call := Call{At: time.Now().UTC(), Method: r.Method, Host: r.Host, Path: r.URL.Path}
		for _, f := range c.Take(r.URL.Path, "status", "slow", "lost") {
			switch f.Kind {
			case "status":
				refuse(w, f.Status)
				call.Status = f.Status
				c.record(call)
				return
			case "slow":
				select {
				case <-time.After(time.Duration(f.DelayMS) * time.Millisecond):
				case <-r.Context().Done():
				}
			case "lost":
				next.ServeHTTP(nowhere{http.Header{}}, r)
				c.record(call)
				panic(http.ErrAbortHandler)
			}
		}
		next.ServeHTTP(seen, r)
		call.Status = seen.code
		c.record(call)
	})
}

func (c *Control) record(call Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) == maxCalls {
		c.calls = slices.Delete(c.calls, 0, maxCalls/10)
	}
	c.calls = append(c.calls, call)
}

type statusWriter struct {
	http.ResponseWriter
	code int
}

func (s *statusWriter) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// nowhere is an answer that is lost on the way.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header         { return n.header }
func (n nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (n nowhere) WriteHeader(int)             {}

// Load reads the state that Keep has written to dir, and leaves v as it is when there is none, or no dir.
func Load(dir, name string, v any) error {
	if dir == "" {
		return nil
	}
	content, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("emulator's state: %w", err)
	}
	if err := json.Unmarshal(content, v); err != nil {
		return fmt.Errorf("emulator's state in %s: %w", filepath.Join(dir, name), err)
	}
	return nil
}

// Keep writes the state beside the old file and renames, so that a kill leaves one of the two.
func Keep(dir, name string, v any) error {
	if dir == "" {
		return nil
	}
	content, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the emulator's state: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the emulator's state: %w", err)
	}
	fresh := filepath.Join(dir, name+".new")
	if err := os.WriteFile(fresh, content, 0o600); err != nil {
		return fmt.Errorf("keep the emulator's state: %w", err)
	}
	return os.Rename(fresh, filepath.Join(dir, name))
}

// Serve answers until ctx ends; with a certificate, over TLS.
func Serve(ctx context.Context, l net.Listener, h http.Handler, certificate *tls.Config) (err error) {
	server := &http.Server{Handler: h, TLSConfig: certificate, ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // Serve returns what went wrong
	defer stop()

	if certificate != nil {
		err = server.ServeTLS(l, "", "")
	} else {
		err = server.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// ListenAndServe is Serve on an address.
func ListenAndServe(ctx context.Context, addr string, h http.Handler, certificate *tls.Config) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	return Serve(ctx, l, h, certificate)
}
