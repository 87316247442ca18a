package db

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// fixture is an affinity in a synctest bubble, where time passes only while all goroutines wait.
type fixture struct {
	*testing.T
	*affinity
}

func inBubble(t *testing.T, size int, test func(s fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(fixture{t, newAffinity(size, 80*time.Millisecond)}) })
}

func (s fixture) mustAcquireAtOnce(schema string) *slot {
	s.Helper()
	began := time.Now()
	at := s.mustAcquire(schema)
	require.Zero(s, time.Since(began), "%s waited", schema)
	return at
}

func (s fixture) mustAcquire(schema string) *slot {
	s.Helper()
	at, err := s.acquireSlot(s.Context(), schema)
	require.NoError(s, err)
	return at
}

func TestAffinity(t *testing.T) {
	t.Run("new schemas spread over the slots, and each comes back to its own", func(t *testing.T) {
		inBubble(t, 4, func(s fixture) {
			own := map[string]*slot{}
			for n := range 8 {
				schema := strconv.Itoa(n)
				own[schema] = s.mustAcquireAtOnce(schema)
				s.releaseSlot(own[schema])
			}
			for schema, at := range own {
				require.Len(t, at.warmFor, 2)
				require.Same(t, at, s.mustAcquireAtOnce(schema))
				s.releaseSlot(at)
			}
		})
	})

	t.Run("a schema whose warm slot is taken waits for it, though others are free", func(t *testing.T) {
		inBubble(t, 4, func(s fixture) {
			at := s.mustAcquireAtOnce("a")
			go func() { time.Sleep(10 * time.Millisecond); s.releaseSlot(at) }()
			require.Same(t, at, s.mustAcquire("a"))
			require.Equal(t, counts{warmSlot: delay{1, 10 * time.Millisecond}}, s.counted())
		})
	})

	t.Run("a schema whose short waits add up takes a second slot, and keeps both", func(t *testing.T) {
		inBubble(t, 4, func(s fixture) {
			first := s.mustAcquireAtOnce("a")
			for range 12 {
				go func() { time.Sleep(70 * time.Millisecond); s.releaseSlot(first) }()
				require.Same(t, first, s.mustAcquire("a"))
			}
			second := s.mustAcquireAtOnce("a")
			require.NotSame(t, first, second)
			s.releaseSlot(first)
			s.releaseSlot(second)
			for range 2 {
				require.True(t, s.mustAcquireAtOnce("a").warmFor["a"])
			}
		})
	})

	t.Run("a schema waits for its warm slot no longer than a warm-up costs", func(t *testing.T) {
		inBubble(t, 2, func(s fixture) {
			slow := s.mustAcquireAtOnce("a")
			began := time.Now()
			require.NotSame(t, slow, s.mustAcquire("a"))
			require.Equal(t, 80*time.Millisecond, time.Since(began))
		})
	})

	t.Run("a freed slot goes to a waiter that is warm on it before one that takes any slot", func(t *testing.T) {
		inBubble(t, 2, func(s fixture) {
			a, b := s.mustAcquireAtOnce("a"), s.mustAcquireAtOnce("b")
			var order []string
			wait := func(schema string, after time.Duration) {
				go func() {
					time.Sleep(after)
					at := s.mustAcquire(schema)
					order = append(order, fmt.Sprint(schema, at.number))
					time.Sleep(time.Millisecond)
					s.releaseSlot(at)
				}()
			}
			wait("a", 0)
			wait("b", 100*time.Millisecond) // a takes any by then
			time.Sleep(200 * time.Millisecond)
			s.releaseSlot(b)
			time.Sleep(time.Second)
			s.releaseSlot(a)
			synctest.Wait()
			require.Equal(t, []string{fmt.Sprint("b", b.number), fmt.Sprint("a", b.number)}, order)
		})
	})

	t.Run("an overdue waiter gets a slot before waiters that are warm on it", func(t *testing.T) {
		inBubble(t, 2, func(s fixture) {
			s.mustAcquireAtOnce("b") // and holds its slot
			free, over := s.mustAcquireAtOnce("a"), atomic.Bool{}
			var all sync.WaitGroup
			for range 2 { // one of them always waits
				all.Go(func() {
					for !over.Load() {
						at := s.mustAcquire("a")
						time.Sleep(time.Millisecond)
						s.releaseSlot(at)
					}
				})
			}
			synctest.Wait()
			began := time.Now()
			s.releaseSlot(free)
			s.releaseSlot(s.mustAcquire("b"))
			require.LessOrEqual(t, time.Since(began), tolerance*s.warmUpCost+2*time.Millisecond)
			over.Store(true)
			all.Wait()
		})
	})

	t.Run("a waiter with a new schema gets a slot before later waiters that are warm on it", func(t *testing.T) {
		inBubble(t, 1, func(s fixture) {
			at := s.mustAcquireAtOnce("a")
			var order []string
			for _, schema := range []string{"new", "a"} {
				go func() {
					next := s.mustAcquire(schema)
					order = append(order, schema)
					s.releaseSlot(next)
				}()
				synctest.Wait()
			}
			s.releaseSlot(at)
			synctest.Wait()
			require.Equal(t, []string{"new", "a"}, order)
		})
	})

	t.Run("a waiter whose context ends leaves the queue, and counts as a timeout", func(t *testing.T) {
		inBubble(t, 1, func(s fixture) {
			at := s.mustAcquireAtOnce("a")
			short, cancel := context.WithTimeout(s.Context(), 20*time.Millisecond)
			defer cancel()
			_, err := s.acquireSlot(short, "b")
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Empty(t, s.waiters)
			s.releaseSlot(at)
			require.Same(t, at, s.mustAcquireAtOnce("b"))
			require.EqualValues(t, 1, s.counted().timeouts)
		})
	})

	t.Run("a new connection is warm for no schema", func(t *testing.T) {
		inBubble(t, 1, func(s fixture) {
			first := new(pgx.Conn)
			for range 2 {
				at := s.mustAcquireAtOnce("a")
				s.attach(at, first, "a")
				require.True(t, at.warmFor["a"])
				s.releaseSlot(at)
				require.EqualValues(t, 1, s.counted().warmUps)
			}
			at := s.mustAcquireAtOnce("b")
			s.attach(at, new(pgx.Conn), "b")
			require.EqualValues(t, 2, s.counted().warmUps)
			require.False(t, at.warmFor["a"])
			require.True(t, at.warmFor["b"])
		})
	})
}
