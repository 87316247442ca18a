package onetime_test

import (
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/onetime"
)

const (
	key      = "ann"
	mac      = "aa11"
	wrong    = "bb22"
	maxTries = 5
)

func newCodes(t *testing.T) (*onetime.Codes, *miniredis.Miniredis) {
	t.Helper()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return onetime.New(client), server
}

func mustSave(t *testing.T, codes *onetime.Codes, key, mac string) {
	t.Helper()
	require.NoError(t, codes.Save(t.Context(), key, mac, time.Minute))
}

// outcome is what Use returned.
type outcome struct {
	right bool
	left  int
}

func mustUse(t *testing.T, codes *onetime.Codes, key, mac string) outcome {
	t.Helper()
	right, left, err := codes.Use(t.Context(), key, mac, maxTries)
	require.NoError(t, err)
	return outcome{right, left}
}

func TestUse(t *testing.T) {
	t.Run("a code is right once", func(t *testing.T) {
		codes, server := newCodes(t)
		mustSave(t, codes, key, mac)
		require.Equal(t, outcome{right: true}, mustUse(t, codes, key, mac))
		require.Empty(t, server.Keys())
		require.Equal(t, outcome{}, mustUse(t, codes, key, mac))
	})

	t.Run("wrong tries are counted, and a code is right after four of them", func(t *testing.T) {
		codes, _ := newCodes(t)
		mustSave(t, codes, key, mac)
		for left := maxTries - 1; left > 0; left-- {
			require.Equal(t, outcome{left: left}, mustUse(t, codes, key, wrong))
		}
		require.Equal(t, outcome{right: true}, mustUse(t, codes, key, mac))
	})

	t.Run("the fifth wrong try deletes the code", func(t *testing.T) {
		codes, server := newCodes(t)
		mustSave(t, codes, key, mac)
		for range maxTries {
			mustUse(t, codes, key, wrong)
		}
		require.Empty(t, server.Keys())
		require.Equal(t, outcome{}, mustUse(t, codes, key, mac))
	})

	t.Run("wrong tries at once are each counted", func(t *testing.T) {
		codes, _ := newCodes(t)
		mustSave(t, codes, key, mac)
		require.ElementsMatch(t, []outcome{{left: 4}, {left: 3}}, useTwice(t, codes, wrong))
	})

	t.Run("of two right tries at once one is", func(t *testing.T) {
		codes, _ := newCodes(t)
		mustSave(t, codes, key, mac)
		require.ElementsMatch(t, []outcome{{right: true}, {}}, useTwice(t, codes, mac))
	})

	t.Run("another key is not touched", func(t *testing.T) {
		codes, _ := newCodes(t)
		mustSave(t, codes, key, mac)
		mustSave(t, codes, "bob", "cc33")
		for range maxTries {
			mustUse(t, codes, key, wrong)
		}
		require.Equal(t, outcome{left: 4}, mustUse(t, codes, "bob", mac), "it is another code, with tries of its own")
		require.Equal(t, outcome{right: true}, mustUse(t, codes, "bob", "cc33"))
	})

	t.Run("without Redis nothing is right", func(t *testing.T) {
		codes, server := newCodes(t)
		mustSave(t, codes, key, mac)
		server.Close()
		right, _, err := codes.Use(t.Context(), key, mac, maxTries)
		require.ErrorIs(t, err, fault.Unready)
		require.False(t, right)
	})
}

// useTwice tries one MAC twice at once.
func useTwice(t *testing.T, codes *onetime.Codes, mac string) []outcome {
	t.Helper()
	var all sync.WaitGroup
	found, errs := make([]outcome, 2), make([]error, 2)
	for i := range found {
		all.Go(func() { found[i].right, found[i].left, errs[i] = codes.Use(t.Context(), key, mac, maxTries) })
	}
	all.Wait()
	require.Equal(t, []error{nil, nil}, errs)
	return found
}

func TestSave(t *testing.T) {
	t.Run("a new code takes the place of the one before, with tries of its own", func(t *testing.T) {
		codes, _ := newCodes(t)
		mustSave(t, codes, key, mac)
		mustUse(t, codes, key, wrong)
		mustSave(t, codes, key, "cc33")
		require.Equal(t, outcome{left: 4}, mustUse(t, codes, key, mac))
		require.Equal(t, outcome{right: true}, mustUse(t, codes, key, "cc33"))
	})

	t.Run("a wrong try does not make a code last longer", func(t *testing.T) {
		codes, server := newCodes(t)
		mustSave(t, codes, key, mac)
		server.FastForward(59 * time.Second)
		require.Equal(t, outcome{left: 4}, mustUse(t, codes, key, wrong))
		server.FastForward(time.Second)
		require.Equal(t, outcome{}, mustUse(t, codes, key, mac))
	})

	t.Run("without Redis none is kept", func(t *testing.T) {
		codes, server := newCodes(t)
		server.Close()
		require.ErrorIs(t, codes.Save(t.Context(), key, mac, time.Minute), fault.Unready)
	})
}
