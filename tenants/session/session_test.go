package session_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
)

type world struct {
	*dbtest.Server
	*testing.T
	here, there *session.Service // two processes
	other       *dbtest.Server   // the process of there
	org         uuid.UUID
}

func newWorld(t *testing.T) *world {
	s := dbtest.Open(t)
	other := s.Process(t)
	return &world{s, t, session.New(s.DB), session.New(other.DB), other, s.NewOrg(t)}
}

// open signs a person in, and has both processes find him.
func (w *world) open(kind token.Audience, subject uuid.UUID) (plain string, who token.Session) {
	plain, err := w.here.Open(w.Context(), kind, w.org, subject, "")
	require.NoError(w, err)
	for _, s := range []*session.Service{w.there, w.here} {
		who, err = s.FindCached(w.Context(), plain)
		require.NoError(w, err)
		require.Equal(w, []any{kind, w.org, subject}, []any{who.Audience, who.Org, who.Subject})
	}
	return plain, who
}

func (w *world) found(s *session.Service, plain string) bool {
	_, err := s.FindCached(w.Context(), plain)
	if err != nil {
		require.ErrorIs(w, err, fault.NoSession)
	}
	return err == nil
}

func (w *world) exec(sql string, args ...any) {
	require.NoError(w, w.DB.InPlatform(w.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(w.Context(), sql, args...)
		return err
	}))
}

func TestRevoke(t *testing.T) {
	w := newWorld(t)

	t.Run("a session is refused at once by the process that ends it", func(t *testing.T) {
		ann := db.NewID()
		phone, who := w.open(token.User, ann)
		laptop, _ := w.open(token.User, ann)
		ben, _ := w.open(token.User, db.NewID())

		require.NoError(t, w.here.RevokeElsewhere(t.Context(), who))
		require.True(t, w.found(w.here, phone))
		require.False(t, w.found(w.here, laptop))
		require.NoError(t, w.here.Revoke(t.Context(), who.Hash))
		require.False(t, w.found(w.here, phone))
		again, _ := w.open(token.User, ann)
		require.NoError(t, w.here.RevokeAll(t.Context(), w.org, ann))
		require.False(t, w.found(w.here, again))
		require.True(t, w.found(w.here, ben))
	})

	t.Run("a visitor's session is refused at once by the process that ends it", func(t *testing.T) {
		plain, who := w.open(token.Client, uuid.Nil)
		require.NoError(t, w.here.Revoke(t.Context(), who.Hash))
		require.False(t, w.found(w.here, plain))
	})

	t.Run("a process that does not listen refuses an ended session after a second", func(t *testing.T) {
		ann := db.NewID()
		plain, _ := w.open(token.Staff, ann)
		require.NoError(t, w.here.RevokeAll(t.Context(), w.org, ann))

		_, err := w.there.Find(t.Context(), plain)
		require.ErrorIs(t, err, fault.NoSession, "Find does not use the cache")
		w.Clock.Advance(time.Second)
		require.False(t, w.found(w.there, plain))
	})

	t.Run("a session that is looked up while it ends is not cached", func(t *testing.T) {
		for range 20 {
			ann := db.NewID()
			plain, err := w.here.Open(t.Context(), token.User, w.org, ann, "")
			require.NoError(t, err)
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() { _, _ = w.here.FindCached(context.Background(), plain) })
			}
			require.NoError(t, w.here.RevokeAll(t.Context(), w.org, ann))
			require.False(t, w.found(w.here, plain))
			group.Wait()
			require.False(t, w.found(w.here, plain))
		}
	})
}

func TestRecent(t *testing.T) {
	w := newWorld(t)

	t.Run("a session ends at the moment it expires", func(t *testing.T) {
		plain, err := w.here.Open(t.Context(), token.Admin, uuid.Nil, db.NewID(), "")
		require.NoError(t, err)
		w.exec(`UPDATE session SET expires_at = $2 WHERE token_hash = $1`, token.Hash(plain), w.Clock.Now().Add(500*time.Millisecond))
		w.found(w.here, plain)
		w.Clock.Advance(501 * time.Millisecond)
		require.False(t, w.found(w.here, plain))
	})

	t.Run("sessions of an organisation that is not open are refused within a second, those of a suspended one are not", func(t *testing.T) {
		plain, _ := w.open(token.Owner, db.NewID())
		w.exec(`UPDATE organisation SET state = 'suspended' WHERE id = $1`, w.org)
		w.Clock.Advance(time.Second)
		require.True(t, w.found(w.here, plain))
		w.exec(`UPDATE organisation SET state = 'provisioning' WHERE id = $1`, w.org)
		w.Clock.Advance(time.Second)
		require.False(t, w.found(w.here, plain))
	})

	t.Run("an invalid or unknown token is refused", func(t *testing.T) {
		unknown, _ := token.New(token.User)
		for _, plain := range []string{"", "us_", unknown, unknown + "A"} {
			require.False(t, w.found(w.here, plain))
		}
	})
}

// TestEnded: a process that receives all that ends keeps a session for longer than a second, but not when it has ended.
func TestEnded(t *testing.T) {
	w := newWorld(t)
	caughtUp := w.other.Listen(t)
	for name, end := range map[string]func(w *world, who token.Session) error{
		"signed out":             func(w *world, who token.Session) error { return w.here.Revoke(w.Context(), who.Hash) },
		"with all of the person": func(w *world, who token.Session) error { return w.here.RevokeAll(w.Context(), w.org, who.Subject) },
		"from another session": func(w *world, who token.Session) error {
			return w.here.RevokeElsewhere(w.Context(), token.Session{Org: w.org, Subject: who.Subject, Hash: token.Hash("another")})
		},
		"with its organisation": func(w *world, _ token.Session) error {
			return w.DB.InPlatform(w.Context(), func(tx db.Tx) error {
				tx.Publish(org.Topic, w.org.String())
				_, err := tx.Exec(w.Context(), `UPDATE organisation SET state = 'provisioning' WHERE id = $1`, w.org)
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.org = w.NewOrg(t)
			plain, who := w.open(token.User, db.NewID())
			require.NoError(t, end(w, who))
			caughtUp()
			require.False(t, w.found(w.there, plain))
		})
	}

	w.org = w.NewOrg(t)
	t.Run("a revocation that is not published takes effect later, but within twelve seconds", func(t *testing.T) {
		later := func(after time.Duration) {
			w.Clock.Advance(after)
			caughtUp()
		}
		require.Eventually(t, func() bool { // at once, but where this machine stands still for a second
			plain, who := w.open(token.User, db.NewID())
			w.exec(`UPDATE session SET revoked_at = created_at WHERE token_hash = $1`, who.Hash)
			later(2 * time.Second)
			if !w.found(w.there, plain) {
				return false
			}
			later(10 * time.Second)
			return !w.found(w.there, plain)
		}, 20*time.Second, time.Millisecond)
	})
}

// TestSignIns: the office sees when a customer signed in, and in which browser he had not before.
func TestSignIns(t *testing.T) {
	w := newWorld(t)
	somebody, began := uuid.New(), w.DB.Now()
	for _, browser := range []string{"phone", "phone", "another", ""} {
		_, err := w.here.Open(t.Context(), token.User, w.org, somebody, browser)
		require.NoError(t, err)
		w.Clock.Advance(time.Minute)
	}
	_, err := w.here.Open(t.Context(), token.Agent, w.org, somebody, "third")
	require.NoError(t, err)
	_, err = w.here.Open(t.Context(), token.User, w.org, uuid.New(), "fourth")
	require.NoError(t, err)

	fresh := func(from time.Time) (list []bool) {
		all, err := w.there.SignIns(t.Context(), w.org, somebody, from, w.DB.Now())
		require.NoError(t, err)
		for _, one := range all {
			list = append(list, one.New)
		}
		return list
	}
	require.Equal(t, []bool{false, true, false, false}, fresh(began))
	require.Equal(t, []bool{false, true}, fresh(began.Add(90*time.Second)))
	list, err := w.here.SignIns(t.Context(), w.NewOrg(t), somebody, began, w.DB.Now())
	require.NoError(t, err)
	require.Empty(t, list)
}
