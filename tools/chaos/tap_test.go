package chaos

import (
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// tap is a wire to Postgres that understands what a client says on it, and can do harm at a named statement: nothing in
// the program has to know of it.
type tap struct {
	t        testing.TB
	listener net.Listener
	upstream string

	mu   sync.Mutex
	trap *trap
}

// moment is when harm is done, seen from a statement of a transaction.
type moment string

// The moments.
const (
	before       moment = "before"            // the statement is not sent
	during       moment = "during"            // it is sent, its answer is not awaited
	beforeCommit moment = "before its commit" // all of its transaction is done, the COMMIT is not sent
	afterCommit  moment = "after its commit"  // the COMMIT is sent, its answer never arrives
)

// trap is harm that waits for a statement that contains some words.
type trap struct {
	words string
	when  moment
	harm  func()
	done  chan struct{} // closed when the harm is done
}

// newTap opens a wire to where an address leads.
func newTap(t testing.TB, address string) *tap {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &tap{t: t, listener: l, upstream: u.Host}
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	go w.serve()
	return w
}

// through is an address whose words go over this wire.
func (w *tap) through(address string) string {
	u, err := url.Parse(address)
	require.NoError(w.t, err)
	u.Host = w.listener.Addr().String()
	return u.String()
}

// set waits for a statement, for one time.
func (w *tap) set(words string, when moment, harm func()) *trap {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trap = &trap{words: words, when: when, harm: harm, done: make(chan struct{})}
	return w.trap
}

// spring takes the trap away when it is for these words at this moment, and does its harm.
func (w *tap) spring(found *trap) {
	w.mu.Lock()
	mine := w.trap == found
	if mine {
		w.trap = nil
	}
	w.mu.Unlock()
	if mine {
		found.harm()
		close(found.done)
	}
}

func (w *tap) waiting() *trap {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trap
}

func (w *tap) serve() {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return // closed
		}
		go w.carry(client)
	}
}

// carry takes one connection's words to Postgres, one by one, and the answers back as they are.
func (w *tap) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", w.upstream)
	if err != nil {
		return // the client sees a closed connection, as it would
	}
	defer server.Close()
	c := &conversation{tap: w, client: client, server: server, known: map[string]string{}}
	go func() {
		_, _ = io.Copy(client, server) // ends with either side
		_ = client.Close()             // and says so to the other
	}()
	_ = c.listen() // whatever ended it, both sides are closed now
}

// conversation is one connection.
type conversation struct {
	tap            *tap
	client, server net.Conn
	known          map[string]string // prepared statements, by name
	seen           *trap             // its words were said in this transaction
}

var errCut = errors.New("cut")

func (c *conversation) listen() error {
	from := pgproto3.NewBackend(c.client, c.client)
	hello, err := from.ReceiveStartupMessage()
	if err != nil {
		return err
	}
	if err := c.send(hello); err != nil {
		return err
	}
	if _, cancels := hello.(*pgproto3.CancelRequest); cancels {
		return nil
	}
	if err := from.SetAuthType(pgproto3.AuthTypeSASL); err != nil {
		return err
	}
	for first := true; ; {
		message, err := from.Receive()
		if err != nil {
			return err
		}
		if _, password := message.(*pgproto3.SASLInitialResponse); password && first {
			first = false
			if err := from.SetAuthType(pgproto3.AuthTypeSASLContinue); err != nil {
				return err
			}
		}
		if err := c.pass(message); err != nil {
			return err
		}
	}
}

// pass carries one message over, with the harm that waits for it.
func (c *conversation) pass(message pgproto3.FrontendMessage) error {
	said := c.sql(message)
	waiting := c.tap.waiting()
	switch {
	case said == "" || waiting == nil:
	case isCommit(said) && c.seen == waiting && waiting.when == beforeCommit:
		c.tap.spring(waiting)
		return errCut
	case isCommit(said) && c.seen == waiting && waiting.when == afterCommit:
		_ = c.client.Close() // first, so that no answer slips through
		err := c.run(message)
		c.tap.spring(waiting)
		return errors.Join(errCut, err)
	case !strings.Contains(said, waiting.words):
	case waiting.when == before:
		c.tap.spring(waiting)
		return errCut
	case waiting.when == during:
		err := errors.Join(c.send(message), c.send(&pgproto3.Flush{}))
		c.tap.spring(waiting)
		return errors.Join(errCut, err)
	default:
		c.seen = waiting
	}
	return c.send(message)
}

// sql is the statement that a message runs, or "".
func (c *conversation) sql(message pgproto3.FrontendMessage) string {
	switch m := message.(type) {
	case *pgproto3.Query:
		return m.String
	case *pgproto3.Parse:
		c.known[m.Name] = m.Query
	case *pgproto3.Bind:
		return c.known[m.PreparedStatement]
	}
	return ""
}

// run has a statement done: one that was prepared takes two words more.
func (c *conversation) run(message pgproto3.FrontendMessage) error {
	if err := c.send(message); err != nil {
		return err
	}
	if bind, prepared := message.(*pgproto3.Bind); prepared {
		return errors.Join(c.send(&pgproto3.Execute{Portal: bind.DestinationPortal}), c.send(&pgproto3.Sync{}))
	}
	return nil
}

func isCommit(sql string) bool { return strings.EqualFold(strings.TrimSuffix(sql, ";"), "commit") }

func (c *conversation) send(message pgproto3.FrontendMessage) error {
	text, err := message.Encode(nil)
	if err != nil {
		return err
	}
	_, err = c.server.Write(text)
	return err
}
