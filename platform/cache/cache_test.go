package cache_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/cache"
)

type number = func(context.Context) (int, error)

func is(n int) number { return func(context.Context) (int, error) { return n, nil } }

func TestRecall(t *testing.T) {
	now := time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)
	at := now
	fresh := func() *cache.Cache[string, int] {
		at = now
		return cache.New[string, int](time.Second, 3, func() time.Time { return at })
	}
	recall := func(m *cache.Cache[string, int], key string, ask number) int {
		n, err := m.GetOrLoad(t.Context(), key, ask)
		require.NoError(t, err)
		return n
	}

	t.Run("an answer is fresh for a second, for its question", func(t *testing.T) {
		m := fresh()
		require.Equal(t, 1, recall(m, "ours", is(1)))
		require.Equal(t, 2, recall(m, "theirs", is(2)))
		at = now.Add(time.Second - 1)
		require.Equal(t, 1, recall(m, "ours", is(3)))
		at = now.Add(time.Second)
		require.Equal(t, 4, recall(m, "ours", is(4)))
	})

	t.Run("an answer is as fresh as what was heard last, and stale after four seconds all the same", func(t *testing.T) {
		m, heard := fresh(), time.Time{}
		m.WithSync(func() time.Time { return heard }, 4*time.Second)
		recall(m, "ours", is(1))
		at = now.Add(time.Second)
		require.Equal(t, 2, recall(m, "ours", is(2)), "nobody has heard anything")
		at, heard = now.Add(3*time.Second-1), now.Add(2*time.Second)
		require.Equal(t, 2, recall(m, "ours", is(3)))
		at = now.Add(3 * time.Second)
		require.Equal(t, 4, recall(m, "ours", is(4)), "what was heard is a second ago")
		at, heard = now.Add(7*time.Second-1), now.Add(7*time.Second-1)
		require.Equal(t, 4, recall(m, "ours", is(5)))
		at, heard = now.Add(7*time.Second), now.Add(7*time.Second)
		require.Equal(t, 6, recall(m, "ours", is(6)))
		m.DeleteFunc(func(string, int) bool { return true })
		require.Equal(t, 7, recall(m, "ours", is(7)))
	})

	t.Run("who comes later than an answer is fresh does not wait for it", func(t *testing.T) {
		m := fresh()
		require.Equal(t, 1, recall(m, "ours", func(context.Context) (int, error) {
			at = now.Add(time.Second)
			require.Equal(t, 2, recall(m, "ours", is(2)))
			return 1, nil
		}))
		require.Equal(t, 2, recall(m, "ours", is(3)), "the younger stays")
	})

	t.Run("what is forgotten is asked anew, and nothing else", func(t *testing.T) {
		m := fresh()
		recall(m, "ours", is(1))
		recall(m, "theirs", is(2))
		m.DeleteFunc(func(key string, value int) bool { return key == "ours" && value == 1 })
		require.Equal(t, 3, recall(m, "ours", is(3)))
		require.Equal(t, 2, recall(m, "theirs", is(4)))
	})

	t.Run("an answer under way when it is forgotten is not remembered, and nobody who comes later gets it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, read, go1 := fresh(), make(chan struct{}), make(chan struct{})
			var all sync.WaitGroup
			for range 3 { // one asks, two wait
				all.Go(func() {
					n, err := m.GetOrLoad(t.Context(), "ours", func(context.Context) (int, error) {
						close(read)
						<-go1
						return 1, nil
					})
					if n != 1 || err != nil {
						t.Error(n, err)
					}
				})
			}
			<-read
			synctest.Wait()
			m.DeleteFunc(func(string, int) bool { return false })
			n, err := m.GetOrLoad(t.Context(), "ours", is(2))
			require.NoError(t, err)
			require.Equal(t, 2, n)
			close(go1)
			all.Wait()
			n, err = m.GetOrLoad(t.Context(), "ours", is(3))
			require.NoError(t, err)
			require.Equal(t, 2, n)
		})
	})

	t.Run("many want to know, one asks", func(t *testing.T) {
		m, asked, all := fresh(), atomic.Int64{}, sync.WaitGroup{}
		for range 50 {
			all.Go(func() {
				if _, err := m.GetOrLoad(t.Context(), "ours", func(context.Context) (int, error) { return int(asked.Add(1)), nil }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, asked.Load())
	})

	t.Run("what went wrong is not remembered, a panic neither", func(t *testing.T) {
		m, broken := fresh(), errors.New("broken")
		_, err := m.GetOrLoad(t.Context(), "ours", func(context.Context) (int, error) { return 1, broken })
		require.ErrorIs(t, err, broken)
		require.Panics(t, func() { recall(m, "ours", func(context.Context) (int, error) { panic("broken") }) })
		require.Equal(t, 2, recall(m, "ours", is(2)))
	})

	t.Run("one who gives up takes nobody along, and need not wait for others", func(t *testing.T) {
		m := fresh()
		gone, leave := context.WithCancel(t.Context())
		leave()
		n, err := m.GetOrLoad(gone, "ours", func(ctx context.Context) (int, error) { return 1, ctx.Err() })
		require.NoError(t, err)
		require.Equal(t, 1, n)
		recall(m, "theirs", func(context.Context) (int, error) {
			_, err := m.GetOrLoad(gone, "theirs", is(3))
			require.ErrorIs(t, err, context.Canceled)
			return 2, nil
		})
	})

	t.Run("an answer has the names it says, for as long as it is fresh, and no younger one's", func(t *testing.T) {
		m := fresh().WithAliases(func(int) []string { return []string{"both"} })
		require.Equal(t, 1, recall(m, "ours", is(1)))
		require.Equal(t, 1, recall(m, "both", is(2)))
		at = now.Add(time.Second - 1)
		require.Equal(t, 3, recall(m, "theirs", is(3)))
		require.Equal(t, 3, recall(m, "both", is(4)))
		at = now.Add(time.Second)
		require.Equal(t, 3, recall(m, "both", is(5)))
	})

	t.Run("a forgotten answer gets no other name", func(t *testing.T) {
		m := fresh().WithAliases(func(int) []string { return []string{"both"} })
		recall(m, "ours", func(context.Context) (int, error) {
			m.DeleteFunc(func(string, int) bool { return false })
			return 1, nil
		})
		require.Equal(t, 2, recall(m, "both", is(2)))
	})

	t.Run("no more are held than most", func(t *testing.T) {
		m, held := fresh(), 0
		for _, key := range []string{"a", "b", "c", "d", "e"} {
			recall(m, key, is(1))
		}
		m.DeleteFunc(func(string, int) bool { held++; return false })
		require.Equal(t, 3, held)
		at = now.Add(time.Second)
		recall(m, "f", is(1))
		held = 0
		m.DeleteFunc(func(string, int) bool { held++; return false })
		require.Equal(t, 1, held, "what is stale goes")
	})
}
