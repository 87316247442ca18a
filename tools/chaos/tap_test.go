package chaos

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db/dbtest"
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
	during       moment = "during"            // it has been run, or waits for a lock, and its answer never arrives
	beforeCommit moment = "before its commit" // all of its transaction is done, the COMMIT is not sent
	afterCommit  moment = "after its commit"  // the COMMIT has been run, its answer never arrives
)

// trap waits for a statement that contains some words, in a transaction that has named an id. The connection stands still
// from then on, and is cut when the harm is done.
type trap struct {
	words  string
	about  uuid.UUID
	when   moment
	sprung chan struct{}
	done   chan struct{}
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

// set waits for a statement, for one time. Whoever sets a trap closes its done.
func (w *tap) set(words string, about uuid.UUID, when moment) *trap {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trap = &trap{words: words, about: about, when: when, sprung: make(chan struct{}), done: make(chan struct{})}
	return w.trap
}

// spring takes the trap away, says so, and waits until the harm is done.
func (w *tap) spring(found *trap) error {
	w.mu.Lock()
	mine := w.trap == found
	if mine {
		w.trap = nil
	}
	w.mu.Unlock()
	if mine {
		close(found.sprung)
		<-found.done
	}
	return errCut
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
	c := &conversation{tap: w, client: client, server: server, known: map[string]string{}, ran: make(chan struct{}, 1)}
	go c.answer()
	_ = c.listen() // whatever ended it, both sides are closed now
}

// conversation is one connection.
type conversation struct {
	tap            *tap
	client, server net.Conn
	known          map[string]string // prepared statements, by name

	trap  *trap // that waited when these were seen in the transaction under way
	about bool  // its id was named
	seen  bool  // and its words said after that

	silent atomic.Bool // answers are kept back
	ran    chan struct{}
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

// answer takes answers back. While they are kept back it only says that what was asked last has been answered.
func (c *conversation) answer() {
	defer c.client.Close() // when the server hangs up
	from, to := bufio.NewReader(c.server), bufio.NewWriter(c.client)
	for {
		head, err := from.Peek(5)
		if err != nil {
			return
		}
		kind, length := head[0], 1+int64(binary.BigEndian.Uint32(head[1:]))
		if c.silent.Load() {
			if _, err := io.CopyN(io.Discard, from, length); err != nil {
				return
			}
			if kind == closed || kind == failed || kind == ready {
				select {
				case c.ran <- struct{}{}:
				default:
				}
			}
			continue
		}
		if _, err := io.CopyN(to, from, length); err != nil {
			return
		}
		if from.Buffered() == 0 && to.Flush() != nil {
			return
		}
	}
}

// Answers of Postgres: CloseComplete, ErrorResponse, ReadyForQuery.
const closed, failed, ready = '3', 'E', 'Z'

// pass carries one message over, with the harm that waits for it.
func (c *conversation) pass(message pgproto3.FrontendMessage) error {
	said := c.sql(message)
	if waiting := c.tap.waiting(); waiting != c.trap || is(said, "begin") || is(said, "rollback") {
		c.trap, c.about, c.seen = waiting, false, false
	}
	if said == "" || c.trap == nil {
		return c.send(message)
	}
	c.about = c.about || given(message, c.trap.about)
	switch {
	case is(said, "commit") && c.seen && c.trap.when == beforeCommit:
		return c.tap.spring(c.trap)
	case is(said, "commit") && c.seen && c.trap.when == afterCommit:
		return errors.Join(c.run(message), c.tap.spring(c.trap))
	case is(said, "commit"):
		c.about, c.seen = false, false
	case !c.about || !strings.Contains(said, c.trap.words):
	case c.trap.when == before:
		return c.tap.spring(c.trap)
	case c.trap.when == during:
		return errors.Join(c.run(message), c.tap.spring(c.trap))
	default:
		c.seen = true
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

// given reports whether a statement is given an id, alone or among others. Every one is given uuid.Nil.
func given(message pgproto3.FrontendMessage, id uuid.UUID) bool {
	bind, prepared := message.(*pgproto3.Bind)
	if !prepared || id == uuid.Nil {
		return prepared
	}
	for _, value := range bind.Parameters {
		if bytes.Contains(value, id[:]) || bytes.Contains(value, []byte(id.String())) {
			return true
		}
	}
	return false
}

// longestRun is how long a statement may take that does not wait for somebody's lock.
const longestRun = time.Second

// run has a statement done and keeps every answer back. What was prepared takes some words more: Flush has it answered
// without ending anything, and Close, of what isn't there, is answered after it.
func (c *conversation) run(message pgproto3.FrontendMessage) error {
	c.silent.Store(true)
	words := []pgproto3.FrontendMessage{message}
	if bind, prepared := message.(*pgproto3.Bind); prepared {
		words = append(words, &pgproto3.Execute{Portal: bind.DestinationPortal}, &pgproto3.Close{ObjectType: 'P', Name: "tap"}, &pgproto3.Flush{})
	}
	for _, word := range words {
		if err := c.send(word); err != nil {
			return err
		}
	}
	select {
	case <-c.ran:
	case <-time.After(longestRun):
	}
	return nil
}

func is(sql, word string) bool { return strings.EqualFold(strings.TrimSuffix(sql, ";"), word) }

func (c *conversation) send(message pgproto3.FrontendMessage) error {
	text, err := message.Encode(nil)
	if err != nil {
		return err
	}
	_, err = c.server.Write(text)
	return err
}

// TestTap: at each moment exactly that has happened which its name says, and only in the transaction that is meant.
func TestTap(t *testing.T) {
	address := dbtest.Open(t).OwnURL
	tap := newTap(t, address)
	connect := func(address string) *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) }) // cut ones are closed already
		return conn
	}
	beside := connect(address)
	_, err := beside.Exec(t.Context(), `CREATE SEQUENCE tapped; CREATE TABLE tapped_row (id uuid PRIMARY KEY)`)
	require.NoError(t, err)

	// Each counts by the sequence, which no rollback takes back, and then writes a row.
	do := func(conn *pgx.Conn, id uuid.UUID, end string) error {
		for _, step := range []struct {
			sql  string
			args []any
		}{{"begin", nil}, {`SELECT $1::uuid`, []any{id}}, {`SELECT nextval($1::text::regclass)`, []any{"tapped"}}, {`INSERT INTO tapped_row VALUES ($1)`, []any{id}}, {end, nil}} {
			if _, err := conn.Exec(t.Context(), step.sql, step.args...); err != nil {
				return err
			}
		}
		return nil
	}
	look := func() (counted, rows int) {
		require.NoError(t, beside.QueryRow(t.Context(), `SELECT CASE WHEN is_called THEN last_value ELSE 0 END, (SELECT count(*) FROM tapped_row) FROM tapped`).Scan(&counted, &rows))
		return counted, rows
	}

	for _, try := range []struct {
		when          moment
		counted, rows int
	}{{before, 0, 0}, {during, 1, 0}, {beforeCommit, 1, 0}, {afterCommit, 1, 1}} {
		counted, rows := look()
		id := uuid.New()
		trap := tap.set("nextval", id, try.when)
		conn := connect(tap.through(address))
		require.NoError(t, do(conn, uuid.New(), "commit"), "another's transaction is let through")
		if try.when == beforeCommit || try.when == afterCommit {
			require.NoError(t, do(conn, id, "rollback"), "an undone transaction has no commit")
			require.NoError(t, do(conn, uuid.New(), "commit"), "nor has the one that follows it")
			counted, rows = counted+2, rows+1
		}
		counted, rows = counted+1, rows+1

		ended := make(chan error, 1)
		go func() { ended <- do(conn, id, "commit") }()
		<-trap.sprung
		nowCounted, nowRows := look()
		require.Equal(t, counted+try.counted, nowCounted, try.when)
		require.Equal(t, rows+try.rows, nowRows, try.when)
		close(trap.done)
		require.Error(t, <-ended, "no call is answered")
		require.Equal(t, rows+try.rows, func() int { _, n := look(); return n }())
	}
}
