package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

// TestLost: a connection that ends before COMMIT is sent costs another try, and nothing is done twice.
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

	t.Run("a transaction whose connection is lost runs again, and writes once", func(t *testing.T) {
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

	t.Run("an error of the transaction's function is returned, and not tried again", func(t *testing.T) {
		no, tries := errors.New("no"), 0
		require.ErrorIs(t, s.DB.InOrg(t.Context(), org, func(db.Tx) error { tries++; return no }), no)
		require.Equal(t, 1, tries)
	})

	t.Run("a transaction whose context has ended is not tried again", func(t *testing.T) {
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

// TestUnknown: a commit without an answer may have been done or not, also when it went with other statements, and also later than
// it is looked up.
func TestUnknown(t *testing.T) {
	s := dbtest.Open(t)
	org := s.NewOrg(t)
	proxy := dbtest.NewProxy(t, s.AppURL)
	weak, err := db.Open(t.Context(), map[string]string{db.MainNode: proxy.URL}, 1, s.Clock)
	require.NoError(t, err)
	t.Cleanup(weak.Close)
	received := 0
	weak.Subscribe("tags", func(string) { received++ })
	add := func(tag string) error {
		return weak.InOrg(t.Context(), org, func(tx db.Tx) error {
			tx.Publish("tags", "")
			if err := tx.QueryRow(t.Context(), `SELECT 1`).Scan(new(int)); err != nil {
				return err
			}
			tx.Queue(insertTag, db.NewID(), tag, tx.Now)
			return nil
		})
	}

	require.NoError(t, add("answered"))
	require.Equal(t, 1, countTags(t, s, org))
	lost := proxy.CutAt("lost")
	require.ErrorIs(t, add("lost"), db.ErrUnknownOutcome)
	require.Equal(t, 2, received, "what is cached may be wrong now")
	lost.Lose()
	require.NoError(t, add("answered"))
	require.Equal(t, 2, countTags(t, s, org), "it never arrived")
	late := proxy.CutAt("late")
	require.ErrorIs(t, add("late"), db.ErrUnknownOutcome)
	require.Equal(t, 2, countTags(t, s, org), "not yet")
	late.Arrive()
	require.Eventually(t, func() bool { return countTags(t, s, org) == 3 }, 5*time.Second, time.Millisecond, "it was done")
	proxy.StopBehindCommit()
	require.NoError(t, add("confirmed"), "the answer of COMMIT has arrived")
	require.Equal(t, 4, countTags(t, s, org))

	unwritten := proxy.CutAt("unwritten")
	received = 0
	require.NoError(t, weak.InOrg(t.Context(), org, func(tx db.Tx) error {
		tx.Publish("tags", "unwritten")
		return addTag("without a row of the change")(tx)
	}))
	require.Positive(t, received, "subscribers of this process are called")
	unwritten.Lose()
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
		s.List(t, orgs[i], db.Placement{Schema: roles[i], Node: db.MainNode}, 0)
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
					return fmt.Errorf("%s instead of %s", user, roles[n-1])
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
