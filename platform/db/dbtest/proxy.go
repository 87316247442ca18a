package dbtest

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// Proxy is a TCP proxy to Postgres that can be cut. After a cut the client gets no answer, and its last bytes reach Postgres late
// or never.
type Proxy struct {
	URL string

	mu    sync.Mutex
	cut   *Cut
	stops bool
}

// Cut holds back the bytes at which the connection was cut, until Arrive or Lose.
type Cut struct {
	words   []byte
	arrives chan bool
}

// NewProxy opens a proxy to the Postgres of an address.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	upstream := u.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	u.Host = listener.Addr().String()
	w := &Proxy{URL: u.String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			server, err := net.Dial("tcp", upstream)
			if err != nil {
				_ = client.Close() // the client gets the error
				continue
			}
			go w.carry(server, client, w.passes)
			go w.carry(client, server, w.answers)
		}
	}()
	return w
}

// CutAt cuts one connection, at its next bytes to Postgres that contain words: an argument of a statement, for example.
func (w *Proxy) CutAt(words string) *Cut {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = &Cut{[]byte(words), make(chan bool, 1)}
	return w.cut
}

// Arrive sends the bytes to Postgres.
func (c *Cut) Arrive() { c.arrives <- true }

// Lose ends the connection to Postgres without them.
func (c *Cut) Lose() { c.arrives <- false }

// passes filters what the client sends. It returns what Postgres gets, and whether more may follow.
func (w *Proxy) passes(words []byte, speaker net.Conn) ([]byte, bool) {
	w.mu.Lock()
	c := w.cut
	if c == nil || !bytes.Contains(words, c.words) {
		w.mu.Unlock()
		return words, true
	}
	w.cut = nil
	w.mu.Unlock()
	_ = speaker.Close() // this is the cut
	if <-c.arrives {
		return words, true
	}
	return nil, false
}

var (
	committed = []byte("COMMIT\x00")
	goodbye   = pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "57P01", Message: "terminating connection due to administrator command"}
)

// StopBehindCommit ends one connection, right after its next answer to COMMIT, as a Postgres does that is stopped at that moment.
func (w *Proxy) StopBehindCommit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stops = true
}

// answers filters what Postgres sends. It returns what the client gets, and whether more may follow.
func (w *Proxy) answers(words []byte, _ net.Conn) ([]byte, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := bytes.Index(words, committed)
	if at < 0 || !w.stops {
		return words, true
	}
	w.stops = false
	last, err := goodbye.Encode(words[:at+len(committed)])
	if err != nil {
		return nil, false
	}
	return last, false
}

// carry copies one direction through a filter, and closes both connections when either ends.
func (w *Proxy) carry(to, from net.Conn, filter func(words []byte, speaker net.Conn) (through []byte, more bool)) {
	defer to.Close()
	defer from.Close()
	for words := make([]byte, 1<<16); ; {
		n, err := from.Read(words)
		if err != nil {
			return
		}
		through, more := filter(words[:n], from)
		if _, err := to.Write(through); err != nil || !more {
			return
		}
	}
}
