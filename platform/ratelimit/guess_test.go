package ratelimit_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
)

func TestGuess(t *testing.T) {
	server := miniredis.RunT(t)
	limiter := ratelimit.New(redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1}))
	ann, bea := ratelimit.Typed.For("ann"), ratelimit.Typed.For("bea")

	for range 50 { // right guesses are never refused
		require.NoError(t, limiter.Guess(t.Context(), ann))
		require.NoError(t, limiter.Right(t.Context(), ann))
	}
	var passed atomic.Int64
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			if limiter.Guess(context.Background(), ann) == nil {
				passed.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, ratelimit.Typed.Max, passed.Load(), "concurrent guesses are each counted")

	err := limiter.Guess(t.Context(), ann)
	require.ErrorIs(t, err, fault.RateLimited)
	require.InDelta(t, 3600, fault.From(err).Detail.(ratelimit.Wait).RetryAfterSeconds, 5)
	require.NoError(t, limiter.Guess(t.Context(), bea))
	server.FastForward(time.Hour)
	require.NoError(t, limiter.Guess(t.Context(), ann))

	server.Close()
	require.ErrorIs(t, limiter.Guess(t.Context(), bea), fault.Unready, "without Redis a guess is refused")
}
