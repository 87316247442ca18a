package queue_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
)

// dispatcherFixture is a dispatcher, a relay, and what their handlers received for each organisation.
type dispatcherFixture struct {
	*fixture
	dispatcher *queue.Dispatcher
	failing    atomic.Bool

	mu    sync.Mutex
	words map[uuid.UUID][]string
}

func newDispatcherFixture(t *testing.T) *dispatcherFixture {
	s := &dispatcherFixture{fixture: newFixture(t), words: map[uuid.UUID][]string{}}
	queue.HandleInline(s.mux, func(_ context.Context, org uuid.UUID, words []word) error {
		if s.failing.Load() {
			return errors.New("no listener")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, w := range words {
			s.words[org] = append(s.words[org], w.Text)
		}
		return nil
	})
	s.dispatcher = queue.NewDispatcher(s.mux, queue.NewWaker(s.redis), zaptest.NewLogger(t, zaptest.Level(zapcore.FatalLevel)))
	s.runRelay(t) // the first run sweeps every outbox
	return s
}

// dispatch runs the dispatcher until the returned function is called.
func (s *dispatcherFixture) dispatch(t *testing.T) (stop func()) {
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.dispatcher.Run(ctx) })
	stop = func() { end(); running.Wait() }
	t.Cleanup(stop)
	return stop
}

// commit enqueues jobs under the dispatcher, in one transaction.
func (s *dispatcherFixture) commit(t *testing.T, org uuid.UUID, jobs ...queue.Job) {
	t.Helper()
	ctx := s.dispatcher.With(t.Context())
	require.NoError(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
		for _, job := range jobs {
			if err := queue.Enqueue(ctx, tx, job); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (s *dispatcherFixture) received(org uuid.UUID) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.words[org]...)
}

// unmarked counts rows that are not marked as done, also those that are not due yet.
func (s *dispatcherFixture) unmarked(t *testing.T, org uuid.UUID) (n int) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE done_at IS NULL`).Scan(&n)
	}))
	return n
}

// later is after the relay's sweep has taken over rows that a dispatcher should have run.
const later = queue.VisibilityTimeout + time.Second

func TestDispatcher(t *testing.T) {
	t.Run("an inline job runs at once and is marked later, and leaves the relay nothing to do", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org, other := s.NewOrg(t), s.NewOrg(t)
		s.dispatch(t)
		s.commit(t, org, word{"a"}, word{"b"})
		s.commit(t, other, word{"for another"})
		s.eventually(t, func() bool { return len(s.received(org))+len(s.received(other)) == 3 })
		require.Equal(t, []string{"for another"}, s.received(other))
		require.Equal(t, 2, s.unmarked(t, org))

		s.runRelay(t)
		s.Clock.Advance(queue.VisibilityTimeout - time.Second)
		s.eventually(t, func() bool { return s.unmarked(t, org)+s.unmarked(t, other) == 0 })
		s.Clock.Advance(later)
		s.runRelay(t)
		require.Equal(t, []string{"a", "b"}, s.received(org))
	})

	t.Run("an inline job of an undone transaction does not run", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		stop := s.dispatch(t)
		ctx, undone := s.dispatcher.With(t.Context()), errors.New("undone")
		require.ErrorIs(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			return errors.Join(queue.Enqueue(ctx, tx, word{"a"}), undone)
		}), undone)
		stop()
		require.Empty(t, s.received(org))
	})

	t.Run("the relay runs an inline job that a stopped process left", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		stop := s.dispatch(t)
		s.commit(t, org, word{"sent"})
		stop()
		s.commit(t, org, word{"unsent"}) // the dispatcher has stopped
		s.runRelay(t)
		require.Equal(t, []string{"sent"}, s.received(org))

		s.Clock.Advance(later)
		s.runRelay(t)
		require.Equal(t, []string{"sent", "unsent"}, s.received(org))
		require.Zero(t, s.unmarked(t, org))
	})

	t.Run("the relay runs a job left behind also where Redis was emptied and swept too early", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		s.commit(t, org, word{"unsent"}) // no dispatcher runs
		require.NoError(t, s.redis.FlushAll(t.Context()).Err())
		s.runRelay(t)
		require.Empty(t, s.received(org))

		s.Clock.Advance(later)
		s.runRelay(t)
		require.Equal(t, []string{"unsent"}, s.received(org))
	})

	t.Run("the relay runs an inline job whose handler has failed", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		s.failing.Store(true)
		stop := s.dispatch(t)
		s.commit(t, org, word{"a"})
		stop()
		s.failing.Store(false)
		require.Equal(t, 1, s.unmarked(t, org))

		s.Clock.Advance(later)
		s.runRelay(t)
		require.Equal(t, []string{"a"}, s.received(org))
		require.Zero(t, s.unmarked(t, org))
	})

	t.Run("an inline job that failed while Redis was away runs when it is back", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		stop := s.dispatch(t)
		s.memory.SetError("away")
		s.failing.Store(true)
		s.commit(t, org, word{"a"})
		stop()
		s.memory.SetError("")
		s.failing.Store(false)
		s.commit(t, org, word{"b"})
		s.dispatch(t)()
		require.Equal(t, []string{"b"}, s.received(org))

		s.Clock.Advance(later)
		s.runRelay(t)
		require.Equal(t, []string{"b", "a"}, s.received(org))
	})

	t.Run("a dispatcher that is stopped runs and marks the jobs it has", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		stop := s.dispatch(t)
		for range 20 {
			s.commit(t, org, word{"a"})
		}
		stop()
		require.Len(t, s.received(org), 20)
		require.Zero(t, s.unmarked(t, org))
	})

	t.Run("jobs of HandleTx, and inline jobs for later, go by the relay", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		s.serve(t)
		stop := s.dispatch(t)
		s.commit(t, org, note{Text: "done"})
		ctx := s.dispatcher.With(t.Context())
		require.NoError(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			return queue.EnqueueAt(ctx, tx, tx.Now.Add(time.Minute), word{"in a minute"})
		}))
		s.runRelay(t)
		s.eventually(t, func() bool { return len(s.notes(t, org)) == 1 })
		stop()
		require.Empty(t, s.received(org))

		s.Clock.Advance(61 * time.Second)
		s.runRelay(t)
		require.Equal(t, []string{"in a minute"}, s.received(org))
	})

	t.Run("an inline job that the relay ran first runs twice, and its row stays marked", func(t *testing.T) {
		s := newDispatcherFixture(t)
		org := s.NewOrg(t)
		stop := s.dispatch(t)
		s.commit(t, org, word{"before"})
		stop()
		s.commit(t, org, word{"twice"})
		s.Clock.Advance(later)
		s.runRelay(t)
		s.dispatch(t)()
		require.Equal(t, []string{"before", "twice", "twice"}, s.received(org))
		require.Zero(t, s.unmarked(t, org))
	})
}
