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

// square is a fixture: a dispatcher, a relay, and what their handlers received for each organisation.
type square struct {
	*plant
	dispatcher *queue.Dispatcher
	deaf       atomic.Bool

	mu    sync.Mutex
	words map[uuid.UUID][]string
}

func newSquare(t *testing.T) *square {
	s := &square{plant: newPlant(t), words: map[uuid.UUID][]string{}}
	queue.HandleInline(s.mux, func(_ context.Context, org uuid.UUID, words []word) error {
		if s.deaf.Load() {
			return errors.New("nobody listens")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, w := range words {
			s.words[org] = append(s.words[org], w.Text)
		}
		return nil
	})
	s.dispatcher = queue.NewDispatcher(s.mux, queue.NewWaker(s.redis), zaptest.NewLogger(t, zaptest.Level(zapcore.FatalLevel)))
	s.look(t) // the first look sweeps every outbox
	return s
}

// walk runs the dispatcher until the returned function is called.
func (s *square) walk(t *testing.T) (stop func()) {
	ctx, end := context.WithCancel(t.Context())
	var walking sync.WaitGroup
	walking.Go(func() { s.dispatcher.Run(ctx) })
	stop = func() { end(); walking.Wait() }
	t.Cleanup(stop)
	return stop
}

func (s *square) say(t *testing.T, org uuid.UUID, jobs ...queue.Job) {
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

func (s *square) heard(org uuid.UUID) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.words[org]...)
}

// unmarked counts rows that are not marked as done, also those that are not due yet.
func (s *square) unmarked(t *testing.T, org uuid.UUID) (n int) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE done_at IS NULL`).Scan(&n)
	}))
	return n
}

// later is after the relay's sweep has taken over rows that a dispatcher should have run.
const later = queue.VisibilityTimeout + time.Second

func TestDispatcher(t *testing.T) {
	t.Run("what was committed is told at once where it was, and marked later: the relay has nothing to do", func(t *testing.T) {
		s := newSquare(t)
		org, other := s.NewOrg(t), s.NewOrg(t)
		s.walk(t)
		s.say(t, org, word{"a"}, word{"b"})
		s.say(t, other, word{"for another"})
		s.eventually(t, func() bool { return len(s.heard(org))+len(s.heard(other)) == 3 })
		require.Equal(t, []string{"for another"}, s.heard(other))
		require.Equal(t, 2, s.unmarked(t, org))

		s.look(t)
		s.Clock.Advance(queue.VisibilityTimeout - time.Second)
		s.eventually(t, func() bool { return s.unmarked(t, org)+s.unmarked(t, other) == 0 })
		s.Clock.Advance(later)
		s.look(t)
		require.Equal(t, []string{"a", "b"}, s.heard(org))
	})

	t.Run("a transaction that comes to nothing tells nobody", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		stop := s.walk(t)
		ctx, away := s.dispatcher.With(t.Context()), errors.New("thought better of it")
		require.ErrorIs(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			return errors.Join(queue.Enqueue(ctx, tx, word{"a"}), away)
		}), away)
		stop()
		require.Empty(t, s.heard(org))
	})

	t.Run("what a process that died has not told, the relay tells", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		stop := s.walk(t)
		s.say(t, org, word{"told"})
		stop()
		s.say(t, org, word{"untold"}) // the dispatcher has stopped
		s.look(t)
		require.Equal(t, []string{"told"}, s.heard(org))

		s.Clock.Advance(later)
		s.look(t)
		require.Equal(t, []string{"told", "untold"}, s.heard(org))
		require.Zero(t, s.unmarked(t, org))
	})

	t.Run("also where Redis forgot the organisation meanwhile, and everything was swept before it was due", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		s.say(t, org, word{"untold"}) // no dispatcher runs
		require.NoError(t, s.redis.FlushAll(t.Context()).Err())
		s.look(t)
		require.Empty(t, s.heard(org))

		s.Clock.Advance(later)
		s.look(t)
		require.Equal(t, []string{"untold"}, s.heard(org))
	})

	t.Run("what nobody could hear, the relay tells", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		s.deaf.Store(true)
		stop := s.walk(t)
		s.say(t, org, word{"a"})
		stop()
		s.deaf.Store(false)
		require.Equal(t, 1, s.unmarked(t, org))

		s.Clock.Advance(later)
		s.look(t)
		require.Equal(t, []string{"a"}, s.heard(org))
		require.Zero(t, s.unmarked(t, org))
	})

	t.Run("Redis is away: what could not be told is told when it is back", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		stop := s.walk(t)
		s.memory.SetError("away")
		s.deaf.Store(true)
		s.say(t, org, word{"a"})
		stop()
		s.memory.SetError("")
		s.deaf.Store(false)
		s.say(t, org, word{"b"})
		s.walk(t)()
		require.Equal(t, []string{"b"}, s.heard(org))

		s.Clock.Advance(later)
		s.look(t)
		require.Equal(t, []string{"b", "a"}, s.heard(org))
	})

	t.Run("told to stop, it tells and marks what it has", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		stop := s.walk(t)
		for range 20 {
			s.say(t, org, word{"a"})
		}
		stop()
		require.Len(t, s.heard(org), 20)
		require.Zero(t, s.unmarked(t, org))
	})

	t.Run("what there is to do, and what is to be told later, goes by the relay", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		s.serve(t)
		stop := s.walk(t)
		s.say(t, org, note{Text: "done"})
		ctx := s.dispatcher.With(t.Context())
		require.NoError(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			return queue.EnqueueAt(ctx, tx, tx.Now.Add(time.Minute), word{"in a minute"})
		}))
		s.look(t)
		s.eventually(t, func() bool { return len(s.notes(t, org)) == 1 })
		stop()
		require.Empty(t, s.heard(org))

		s.Clock.Advance(61 * time.Second)
		s.look(t)
		require.Equal(t, []string{"in a minute"}, s.heard(org))
	})

	t.Run("where the relay came first, people are told twice, and the row stays as it was marked", func(t *testing.T) {
		s := newSquare(t)
		org := s.NewOrg(t)
		stop := s.walk(t)
		s.say(t, org, word{"before"})
		stop()
		s.say(t, org, word{"twice"})
		s.Clock.Advance(later)
		s.look(t)
		s.walk(t)()
		require.Equal(t, []string{"before", "twice", "twice"}, s.heard(org))
		require.Zero(t, s.unmarked(t, org))
	})
}
