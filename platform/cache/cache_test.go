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
	"welovevoucher/platform/fault"
)

type loader = func(context.Context) (int, error)

func returns(n int) loader { return func(context.Context) (int, error) { return n, nil } }

func TestGetOrLoad(t *testing.T) {
	now := time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)
	at := now
	newCache := func() *cache.Cache[string, int] {
		at = now
		return cache.New[string, int](time.Second, 3, func() time.Time { return at })
	}
	get := func(c *cache.Cache[string, int], key string, load loader) int {
		n, err := c.GetOrLoad(t.Context(), key, load)
		require.NoError(t, err)
		return n
	}

	t.Run("an entry lasts as long as the TTL, for its own key", func(t *testing.T) {
		c := newCache()
		require.Equal(t, 1, get(c, "ours", returns(1)))
		require.Equal(t, 2, get(c, "theirs", returns(2)))
		at = now.Add(time.Second - 1)
		require.Equal(t, 1, get(c, "ours", returns(3)))
		at = now.Add(time.Second)
		require.Equal(t, 4, get(c, "ours", returns(4)))
	})

	t.Run("with WithSync an entry lasts until syncedAt plus the TTL, and four seconds at most", func(t *testing.T) {
		c, syncedAt := newCache(), time.Time{}
		c.WithSync(func() time.Time { return syncedAt }, 4*time.Second)
		get(c, "ours", returns(1))
		at = now.Add(time.Second)
		require.Equal(t, 2, get(c, "ours", returns(2)), "nothing was synced")
		at, syncedAt = now.Add(3*time.Second-1), now.Add(2*time.Second)
		require.Equal(t, 2, get(c, "ours", returns(3)))
		at = now.Add(3 * time.Second)
		require.Equal(t, 4, get(c, "ours", returns(4)), "syncedAt is a second ago")
		at, syncedAt = now.Add(7*time.Second-1), now.Add(7*time.Second-1)
		require.Equal(t, 4, get(c, "ours", returns(5)))
		at, syncedAt = now.Add(7*time.Second), now.Add(7*time.Second)
		require.Equal(t, 6, get(c, "ours", returns(6)))
		c.DeleteFunc(func(string, int) bool { return true })
		require.Equal(t, 7, get(c, "ours", returns(7)))
	})

	t.Run("a call does not wait for a load that began a TTL ago", func(t *testing.T) {
		c := newCache()
		require.Equal(t, 1, get(c, "ours", func(context.Context) (int, error) {
			at = now.Add(time.Second)
			require.Equal(t, 2, get(c, "ours", returns(2)))
			return 1, nil
		}))
		require.Equal(t, 2, get(c, "ours", returns(3)), "the younger entry stays")
	})

	t.Run("a deleted entry is loaded again, and no other", func(t *testing.T) {
		c := newCache()
		get(c, "ours", returns(1))
		get(c, "theirs", returns(2))
		c.DeleteFunc(func(key string, value int) bool { return key == "ours" && value == 1 })
		require.Equal(t, 3, get(c, "ours", returns(3)))
		require.Equal(t, 2, get(c, "theirs", returns(4)))
	})

	t.Run("a load that runs during DeleteFunc is not kept, and later calls do not get its value", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c, began, release := newCache(), make(chan struct{}), make(chan struct{})
			var all sync.WaitGroup
			for range 3 { // one loads, two wait
				all.Go(func() {
					n, err := c.GetOrLoad(t.Context(), "ours", func(context.Context) (int, error) {
						close(began)
						<-release
						return 1, nil
					})
					if n != 1 || err != nil {
						t.Error(n, err)
					}
				})
			}
			<-began
			synctest.Wait()
			c.DeleteFunc(func(string, int) bool { return false })
			n, err := c.GetOrLoad(t.Context(), "ours", returns(2))
			require.NoError(t, err)
			require.Equal(t, 2, n)
			close(release)
			all.Wait()
			n, err = c.GetOrLoad(t.Context(), "ours", returns(3))
			require.NoError(t, err)
			require.Equal(t, 2, n)
		})
	})

	t.Run("who waits too long for a load is asked to try again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, err := newCache().GetOrLoad(t.Context(), "ours", func(ctx context.Context) (int, error) {
				<-ctx.Done()
				return 0, ctx.Err()
			})
			require.ErrorIs(t, err, fault.Unready)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	})

	t.Run("concurrent calls with one key load it once", func(t *testing.T) {
		c, loads, all := newCache(), atomic.Int64{}, sync.WaitGroup{}
		for range 50 {
			all.Go(func() {
				if _, err := c.GetOrLoad(t.Context(), "ours", func(context.Context) (int, error) { return int(loads.Add(1)), nil }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, loads.Load())
	})

	t.Run("an error is not kept, nor is a panic", func(t *testing.T) {
		c, broken := newCache(), errors.New("broken")
		_, err := c.GetOrLoad(t.Context(), "ours", func(context.Context) (int, error) { return 1, broken })
		require.ErrorIs(t, err, broken)
		require.Panics(t, func() { get(c, "ours", func(context.Context) (int, error) { panic("broken") }) })
		require.Equal(t, 2, get(c, "ours", returns(2)))
	})

	t.Run("a cancelled call does not cancel its load, and waits for no other's", func(t *testing.T) {
		c := newCache()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		n, err := c.GetOrLoad(ctx, "ours", func(loading context.Context) (int, error) { return 1, loading.Err() })
		require.NoError(t, err)
		require.Equal(t, 1, n)
		get(c, "theirs", func(context.Context) (int, error) {
			_, err := c.GetOrLoad(ctx, "theirs", returns(3))
			require.ErrorIs(t, err, context.Canceled)
			return 2, nil
		})
	})

	t.Run("an alias finds the youngest entry that has it, until its TTL ends", func(t *testing.T) {
		c := newCache().WithAliases(func(int) []string { return []string{"both"} })
		require.Equal(t, 1, get(c, "ours", returns(1)))
		require.Equal(t, 1, get(c, "both", returns(2)))
		at = now.Add(time.Second - 1)
		require.Equal(t, 3, get(c, "theirs", returns(3)))
		require.Equal(t, 3, get(c, "both", returns(4)))
		at = now.Add(time.Second)
		require.Equal(t, 3, get(c, "both", returns(5)))
	})

	t.Run("a load that runs during DeleteFunc gets no alias", func(t *testing.T) {
		c := newCache().WithAliases(func(int) []string { return []string{"both"} })
		get(c, "ours", func(context.Context) (int, error) {
			c.DeleteFunc(func(string, int) bool { return false })
			return 1, nil
		})
		require.Equal(t, 2, get(c, "both", returns(2)))
	})

	t.Run("the cache holds no more entries than its capacity", func(t *testing.T) {
		c, held := newCache(), 0
		for _, key := range []string{"a", "b", "c", "d", "e"} {
			get(c, key, returns(1))
		}
		c.DeleteFunc(func(string, int) bool { held++; return false })
		require.Equal(t, 3, held)
		at = now.Add(time.Second)
		get(c, "f", returns(1))
		held = 0
		c.DeleteFunc(func(string, int) bool { held++; return false })
		require.Equal(t, 1, held, "expired entries are evicted")
	})
}
