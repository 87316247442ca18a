package dbtest

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wire leads to Postgres and can be cut. Who speaks on it hears no answer then, and what he said last arrives late, or never.
type Wire struct {
	URL string

	mu  sync.Mutex
	cut *Cut
}

// Cut is a wire that is cut, once its words were said.
type Cut struct {
	words   []byte
	arrives chan bool
}

// NewWire opens one to where an address leads.
func NewWire(t testing.TB, address string) *Wire {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	upstream := u.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	u.Host = listener.Addr().String()
	w := &Wire{URL: u.String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			server, err := net.Dial("tcp", upstream)
			if err != nil {
				_ = client.Close() // it sees that
				continue
			}
			go w.carry(server, client, w.passes)
			go w.carry(client, server, func([]byte, net.Conn) bool { return true })
		}
	}()
	return w
}

// CutAt cuts it, once, at the next words to Postgres that contain these: an argument of a statement, for example. They are
// kept until Arrive or Lose.
func (w *Wire) CutAt(words string) *Cut {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = &Cut{[]byte(words), make(chan bool, 1)}
	return w.cut
}

// Arrive lets Postgres have the words.
func (c *Cut) Arrive() { c.arrives <- true }

// Lose ends the connection without them.
func (c *Cut) Lose() { c.arrives <- false }

// passes tells whether words reach Postgres, and when.
func (w *Wire) passes(words []byte, speaker net.Conn) bool {
	w.mu.Lock()
	c := w.cut
	if c == nil || !bytes.Contains(words, c.words) {
		w.mu.Unlock()
		return true
	}
	w.cut = nil
	w.mu.Unlock()
	_ = speaker.Close() // that is the harm
	return <-c.arrives
}

// carry takes words to the other side, and ends both when either ends.
func (w *Wire) carry(to, from net.Conn, passes func(words []byte, speaker net.Conn) bool) {
	defer to.Close()
	defer from.Close()
	for words := make([]byte, 1<<16); ; {
		n, err := from.Read(words)
		if err != nil || !passes(words[:n], from) {
			return
		}
		if _, err := to.Write(words[:n]); err != nil {
			return
		}
	}
}
