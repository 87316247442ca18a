package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

// TestLost: a connection that ends before the commit is sent costs another try, once that is done nothing twice.
func TestLost(t *testing.T) {
	s := dbtest.Open(t)
	org := s.NewOrg(t)
	super, err := pgx.Connect(t.Context(), os.Getenv("DATABASE_URL_SUPERUSER"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = super.Close(context.Background()) })
	end := func(tx db.Tx) {
		var pid int
		require.NoError(t, tx.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid))
		_, err := super.Exec(t.Context(), `SELECT pg_terminate_backend($1, 5000)`, pid)
		require.NoError(t, err)
	}

	t.Run("in the middle, and in the pool", func(t *testing.T) {
		tries := 0
		require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
			if tries++; tries <= 2 {
				if err := addTag("lost")(tx); err != nil {
					return err
				}
				end(tx)
			}
			return addTag("lost")(tx)
		}))
		require.Equal(t, 3, tries)
		require.Equal(t, 1, countTags(t, s, org))
	})

	t.Run("a refusal stays one", func(t *testing.T) {
		no, tries := errors.New("no"), 0
		require.ErrorIs(t, s.DB.InOrg(t.Context(), org, func(db.Tx) error { tries++; return no }), no)
		require.Equal(t, 1, tries)
	})

	t.Run("who has given up is not tried for again", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tries := 0
		require.Error(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			tries++
			cancel()
			_, err := tx.Exec(ctx, `SELECT pg_sleep(1)`)
			return err
		}))
		require.Equal(t, 1, tries)
		require.Equal(t, 1, countTags(t, s, org))
	})
}

// TestUnknown: a commit whose answer never comes may have been done or not, also when it travelled with other statements.
func TestUnknown(t *testing.T) {
	s := dbtest.Open(t)
	org := s.NewOrg(t)
	wire := newWeakWire(t, s.AppURL)
	weak, err := db.Open(t.Context(), map[string]string{db.MainNode: wire.address}, 1, s.Clock)
	require.NoError(t, err)
	t.Cleanup(weak.Close)
	add := func(breaks weakness) error {
		return weak.InOrg(t.Context(), org, func(tx db.Tx) error {
			if err := tx.QueryRow(t.Context(), `SELECT 1`).Scan(new(int)); err != nil {
				return err
			}
			tx.Later(insertTag, db.NewID(), "unknown", tx.Now)
			wire.breaks.Store(int32(breaks))
			return nil
		})
	}

	require.NoError(t, add(never))
	require.Equal(t, 1, countTags(t, s, org))
	require.ErrorIs(t, add(onWord), db.ErrUnknownOutcome)
	require.Equal(t, 1, countTags(t, s, org), "it never arrived")
	require.NoError(t, add(never))
	require.ErrorIs(t, add(onAnswer), db.ErrUnknownOutcome)
	require.Equal(t, 3, countTags(t, s, org), "it was done")
	require.NoError(t, add(onGoodbye), "it was told that it was done")
	require.Equal(t, 4, countTags(t, s, org))
}

// weakWire leads to Postgres and breaks when it is told to.
type weakWire struct {
	address string
	breaks  atomic.Int32
}

type weakness int32

const (
	never     weakness = iota
	onWord             // with the next word to Postgres
	onAnswer           // with its next answer
	onGoodbye          // behind its answer to COMMIT, as when Postgres is stopped at that moment
)

var (
	committed = []byte("COMMIT\x00")
	goodbye   = pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "57P01", Message: "terminating connection due to administrator command"}
)

func newWeakWire(t *testing.T, address string) *weakWire {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	upstream := u.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	u.Host = listener.Addr().String()
	w := &weakWire{address: u.String()}
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
			go w.carry(server, client, onWord)
			go w.carry(client, server, onAnswer)
		}
	}()
	return w
}

// carry ends both sides when either ends, or when it is to break.
func (w *weakWire) carry(to, from net.Conn, breaks weakness) {
	defer to.Close()
	defer from.Close()
	for words := make([]byte, 1<<16); ; {
		n, err := from.Read(words)
		if err != nil || w.breaks.CompareAndSwap(int32(breaks), int32(never)) {
			return
		}
		if at := bytes.Index(words[:n], committed); at >= 0 && breaks == onAnswer && w.breaks.CompareAndSwap(int32(onGoodbye), int32(never)) {
			last, err := goodbye.Encode(words[:at+len(committed)])
			if err == nil {
				_, _ = to.Write(last) // it sees that
			}
			return
		}
		if _, err := to.Write(words[:n]); err != nil {
			return
		}
	}
}

// TestGranted: an organisation may be entered on every connection as soon as its role has been granted, however many other
// organisations there are and however busy the connections.
func TestGranted(t *testing.T) {
	s := dbtest.Open(t)
	const before, after, callers = 300, 100, 6
	super, err := pgx.Connect(t.Context(), os.Getenv("DATABASE_URL_SUPERUSER"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = super.Close(context.Background()) })
	orgs, roles := make([]uuid.UUID, before+after), make([]string, before+after)
	for i := range orgs {
		orgs[i], roles[i] = db.NewID(), dbtest.NewSchemaName()
		s.List(t, orgs[i], db.Home{Schema: roles[i], Node: db.MainNode}, 0)
	}
	grant := func(i int) {
		_, err := super.Exec(t.Context(), "CREATE ROLE "+roles[i]+" NOLOGIN")
		require.NoError(t, err)
		_, err = super.Exec(t.Context(), "GRANT "+roles[i]+" TO wlv_app")
		require.NoError(t, err)
	}
	t.Cleanup(func() {
		_, err := super.Exec(context.Background(), "DROP ROLE "+strings.Join(roles, ", "))
		require.NoError(t, err)
	})
	for i := range before {
		grant(i)
	}

	var granted atomic.Int64
	granted.Store(before)
	var calls errgroup.Group
	for range callers {
		calls.Go(func() error {
			for {
				n := granted.Load()
				var user string
				err := s.DB.InOrg(t.Context(), orgs[n-1], func(tx db.Tx) error { return tx.QueryRow(t.Context(), "SELECT current_user").Scan(&user) })
				if err != nil || n == before+after {
					return err
				}
				if user != roles[n-1] {
					return fmt.Errorf("%s in the place of %s", user, roles[n-1])
				}
			}
		})
	}
	for i := range after {
		grant(before + i)
		granted.Add(1)
	}
	require.NoError(t, calls.Wait())
}
