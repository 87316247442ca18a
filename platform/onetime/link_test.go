package onetime_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/onetime"
)

func TestLinks(t *testing.T) {
	open := func(t *testing.T) (*onetime.Links, *miniredis.Miniredis) {
		server := miniredis.RunT(t)
		client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
		t.Cleanup(func() { require.NoError(t, client.Close()) })
		return onetime.NewLinks(client), server
	}

	t.Run("of many who open a link at once, one does", func(t *testing.T) {
		links, _ := open(t)
		secret, err := links.Save(t.Context(), "spa", []byte("a receipt"), time.Minute)
		require.NoError(t, err)
		var opened atomic.Int32
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if value, err := links.Open(t.Context(), "spa", secret); err == nil && string(value) == "a receipt" {
					opened.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, opened.Load())
	})

	t.Run("a link is over after its time, and elsewhere there is none", func(t *testing.T) {
		links, server := open(t)
		secret, err := links.Save(t.Context(), "spa", []byte("a receipt"), time.Minute)
		require.NoError(t, err)
		_, err = links.Open(t.Context(), "hotel", secret)
		require.ErrorIs(t, err, onetime.ErrOver)
		_, err = links.Open(t.Context(), "spa", secret[1:])
		require.ErrorIs(t, err, onetime.ErrOver)
		server.FastForward(time.Minute)
		_, err = links.Open(t.Context(), "spa", secret)
		require.ErrorIs(t, err, onetime.ErrOver)
	})

	t.Run("Redis has no secret", func(t *testing.T) {
		links, server := open(t)
		secret, err := links.Save(t.Context(), "spa", []byte("a receipt"), time.Minute)
		require.NoError(t, err)
		for _, name := range server.Keys() {
			require.NotContains(t, name, secret)
		}
	})

	t.Run("without Redis none is made and none opened", func(t *testing.T) {
		links, server := open(t)
		server.Close()
		_, err := links.Save(t.Context(), "spa", nil, time.Minute)
		require.ErrorIs(t, err, fault.Unready)
		_, err = links.Open(t.Context(), "spa", "secret")
		require.ErrorIs(t, err, fault.Unready)
	})
}
