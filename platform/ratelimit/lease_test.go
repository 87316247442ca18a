package ratelimit

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
)

// commandCount counts the commands sent to Redis.
type commandCount struct{ atomic.Int64 }

func (a *commandCount) DialHook(next redis.DialHook) redis.DialHook { return next }

func (a *commandCount) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		a.Add(1)
		return next(ctx, cmd)
	}
}

func (a *commandCount) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestLeases(t *testing.T) {
	_, client := mustRedis(t)
	commands := &commandCount{}
	client.AddHook(commands)
	passes := func(l *Limiter, uses ...Counter) bool {
		err := l.Take(t.Context(), uses...)
		if err != nil {
			require.ErrorIs(t, err, fault.RateLimited)
		}
		return err == nil
	}

	t.Run("a process lets exactly the limit pass, with far fewer commands to Redis", func(t *testing.T) {
		l, passed := New(client), 0
		before := commands.Load()
		for range PerToken.Max + 50 {
			if passes(l, PerToken.For("a")) {
				passed++
			}
		}
		require.Equal(t, PerToken.Max, passed)
		require.Less(t, commands.Load()-before, int64(PerToken.Max/4))
	})

	t.Run("concurrent calls under two limits pass exactly the lower one", func(t *testing.T) {
		l, passed := New(client), atomic.Int64{}
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for range PerToken.Max / 8 {
					if passes(l, PerToken.For("b"), Scan.For("b")) {
						passed.Add(1)
					}
				}
			})
		}
		all.Wait()
		require.EqualValues(t, Scan.Max, passed.Load())
	})

	t.Run("processes together pass no more than a limit, and each refuses a share too early at most", func(t *testing.T) {
		processes, passed := []*Limiter{New(client), New(client), New(client)}, 0
		for n := range 3 * PerToken.Max {
			if passes(processes[n%len(processes)], PerToken.For("c")) {
				passed++
			}
		}
		require.Equal(t, PerToken.Max, passed, "a caller of all in turn gets the whole limit")

		passed = 0
		for _, l := range processes {
			for range PerToken.Max {
				if passes(l, PerToken.For("d")) {
					passed++
				}
				if l != processes[2] {
					break // called once, and never again
				}
			}
		}
		require.LessOrEqual(t, passed, PerToken.Max)
		require.Greater(t, passed, PerToken.Max-2*PerToken.Max/leaseFraction)
	})

	t.Run("limits without leases count each call in Redis", func(t *testing.T) {
		for _, limit := range []Limit{Money, Connect, Anonymous, Export, OTPEvery, OTPSome, OTPDaily} {
			require.NoError(t, New(client).Take(t.Context(), limit.For("e")))
			require.Equal(t, "1", client.Get(t.Context(), "limit:"+limit.Name+":e").Val(), limit.Name)
		}
	})

	t.Run("a call that one limit refuses uses up none of another", func(t *testing.T) {
		l := New(client)
		for range Money.Max {
			require.True(t, passes(l, PerToken.For("f"), Money.For("f")))
		}
		for range PerToken.Max {
			require.False(t, passes(l, PerToken.For("f"), Money.For("f")))
		}
		for range PerToken.Max - Money.Max {
			require.True(t, passes(l, PerToken.For("f")))
		}
		require.False(t, passes(l, PerToken.For("f")))
	})

	t.Run("a period leaves nothing of its leases to the next", func(t *testing.T) {
		l, now, uses := leases{of: map[string]lease{}}, time.Now(), []Counter{PerToken.For("g")}
		l.add(now, uses, []int64{10, 60_000})
		_, lacking := l.take(now.Add(59*time.Second), uses)
		require.Empty(t, lacking)
		leased, _ := l.take(now.Add(59*time.Second), uses)
		_, lacking = l.take(now.Add(time.Minute), uses)
		require.Equal(t, uses, lacking)

		l.add(now.Add(time.Minute), uses, []int64{3, 60_000})
		l.putBack(leased)
		left := func(at time.Duration) (n int) {
			for {
				if _, lacking := l.take(now.Add(at), uses); len(lacking) > 0 {
					return n
				}
				n++
			}
		}
		require.Equal(t, 2, left(61*time.Second))

		l.add(now.Add(119*time.Second), uses, []int64{10, 1_000})
		l.add(now.Add(119*time.Second+999*time.Millisecond), uses, []int64{3, 60_000}) // taken in one period, counted in the next
		require.Equal(t, 2, left(121*time.Second))
	})
}
