package queue_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap/zaptest"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
)

// count counts platform rows of a kind, so that tests of one database don't see each other's.
func count(t *testing.T, p *fixture, kind string) (n int) {
	t.Helper()
	require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE kind = $1`, kind).Scan(&n)
	}))
	return n
}

type hourly struct{}

func (hourly) Kind() string { return "test.hourly" }

func TestSchedule(t *testing.T) {
	p := newFixture(t)
	var idle, broken atomic.Value // an organisation that has nothing to do, and one that cannot be asked
	queue.SkipUnless[note](p.mux, func(ctx context.Context, tx db.Tx) (needed bool, err error) {
		if tx.Org == broken.Load() {
			_, err = tx.Exec(ctx, "SELECT 1/0")
		}
		return tx.Org != idle.Load(), err
	})
	p.serve(t)
	waker := queue.NewWaker(p.redis)
	newSchedule := func() *queue.Schedule {
		s := queue.NewSchedule(p.DB, waker, zaptest.NewLogger(t))
		s.Every(time.Hour, hourly{})
		s.EveryOrg(time.Hour, note{Text: "each"})
		return s
	}
	first, second := newSchedule(), newSchedule()
	p.Clock.Advance(time.Hour) // with -count=2 the lease and the ticks of the run before are still there
	before := count(t, p, "test.hourly")
	ticks := func() int { return count(t, p, "test.hourly") - before }

	t.Run("one schedule ticks, once a period", func(t *testing.T) {
		for range 3 {
			require.NoError(t, first.RunOnce(t.Context()))
			require.NoError(t, second.RunOnce(t.Context()))
		}
		require.Equal(t, 1, ticks())

		p.Clock.Advance(time.Hour)
		require.NoError(t, second.RunOnce(t.Context()))
		require.NoError(t, first.RunOnce(t.Context()))
		require.Equal(t, 2, ticks())
	})

	t.Run("another schedule takes over when the lease has run out", func(t *testing.T) {
		p.Clock.Advance(time.Hour)
		require.NoError(t, second.RunOnce(t.Context()), "the lease ran out an hour ago")
		require.Equal(t, 3, ticks())
		require.NoError(t, first.RunOnce(t.Context()))
		require.Equal(t, 3, ticks())
	})

	t.Run("no schedule ticks while schedules are paused", func(t *testing.T) {
		require.NoError(t, queue.PauseSchedules(t.Context(), p.DB, p.Clock.Now().Add(2*time.Hour)))
		p.Clock.Advance(time.Hour)
		require.NoError(t, first.RunOnce(t.Context()))
		require.NoError(t, second.RunOnce(t.Context()))
		require.Equal(t, 3, ticks())

		require.NoError(t, queue.PauseSchedules(t.Context(), p.DB, p.Clock.Now().Add(-time.Second)))
		require.NoError(t, first.RunOnce(t.Context()))
		require.Equal(t, 4, ticks())
		p.Clock.Advance(time.Hour) // the lease is free again for the next
	})

	t.Run("every organisation that is open or suspended gets the job, and a second only when the first is done", func(t *testing.T) {
		a, b, unopened := p.NewOrg(t), p.NewOrg(t), p.NewOrg(t)
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			for org, state := range map[uuid.UUID]string{b: "suspended", unopened: "provisioning"} {
				if _, err := tx.Exec(t.Context(), `UPDATE organisation SET state = $2 WHERE id = $1`, org, state); err != nil {
					return err
				}
			}
			return nil
		}))
		p.Clock.Advance(time.Hour)
		require.NoError(t, second.RunOnce(t.Context()))
		p.runRelay(t)
		each := func() bool {
			p.runRelay(t)
			return len(p.notes(t, a)) == 1 && len(p.notes(t, b)) == 1
		}
		p.eventually(t, each)
		p.eventually(t, func() bool { p.runRelay(t); return open(t, p.Server, a) == 0 }) // the daily purge came with it
		require.Zero(t, rows(t, p, a), "a tick's row is not kept")
		require.Empty(t, p.notes(t, unopened))
	})

	t.Run("an organisation without work gets no job, and one whose check fails blocks no other", func(t *testing.T) {
		busy, others := p.NewOrg(t), []uuid.UUID{p.NewOrg(t), p.NewOrg(t)}
		idle.Store(others[0])
		broken.Store(others[1])
		p.Clock.Advance(time.Hour)
		require.NoError(t, second.RunOnce(t.Context()))
		p.eventually(t, func() bool { p.runRelay(t); return len(p.notes(t, busy)) == 1 })
		for _, org := range others {
			require.Empty(t, p.notes(t, org))
			p.eventually(t, func() bool { p.runRelay(t); return rows(t, p, org) == 0 })
		}

		broken.Store(uuid.Nil)
		p.Clock.Advance(time.Hour)
		p.eventually(t, func() bool { p.runRelay(t); return fanOuts(t, p) == 0 }) // it is tried again until every one is reached
	})

	t.Run("a job done more than a week ago is purged", func(t *testing.T) {
		org := p.NewOrg(t)
		p.enqueue(t, org, note{Text: "old"})
		p.runRelay(t)
		p.eventually(t, func() bool { p.runRelay(t); return open(t, p.Server, org) == 0 })
		require.NoError(t, p.DB.InOrg(t.Context(), org, func(tx db.Tx) error { // more than a transaction takes
			_, err := tx.Exec(t.Context(), `INSERT INTO outbox (id, kind, payload, due_at, done_at) SELECT gen_random_uuid(), 'note', '{}', $1, $1 FROM generate_series(1, 45000)`, tx.Now)
			return err
		}))
		require.Equal(t, 45_001, rows(t, p, org))

		p.Clock.Advance(8 * 24 * time.Hour)
		p.enqueue(t, org, queue.Purge{})
		p.eventually(t, func() bool { p.runRelay(t); return open(t, p.Server, org) == 0 })
		require.Equal(t, 1, rows(t, p, org), "only the purge itself is left")
	})
}

// fanOuts counts the ticks that have not reached every organisation.
func fanOuts(t *testing.T, p *fixture) (n int) {
	t.Helper()
	require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE kind = 'queue.to_each' AND done_at IS NULL`).Scan(&n)
	}))
	return n
}

func rows(t *testing.T, p *fixture, org uuid.UUID) (n int) {
	t.Helper()
	require.NoError(t, p.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM outbox`).Scan(&n)
	}))
	return n
}
