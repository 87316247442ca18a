package ratelimit

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
)

func mustRedis(t *testing.T) (*miniredis.Miniredis, redis.UniversalClient) {
	memory := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: memory.Addr(), MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return memory, client
}

func wait(t *testing.T, err error) time.Duration {
	t.Helper()
	w, ok := fault.From(err).Detail.(Wait)
	require.True(t, ok, "%v", err)
	return time.Duration(w.RetryAfterSeconds) * time.Second
}

func TestTake(t *testing.T) {
	memory, client := mustRedis(t)
	l := New(client)

	t.Run("a limit lets its maximum pass, and no more until its period is over", func(t *testing.T) {
		for range OTPSome.Max {
			require.NoError(t, l.Take(t.Context(), OTPSome.For("a")))
		}
		err := l.Take(t.Context(), OTPSome.For("a"))
		require.ErrorIs(t, err, fault.RateLimited)
		require.Equal(t, OTPSome.Per, wait(t, err))
		require.NoError(t, l.Take(t.Context(), OTPSome.For("b")), "another caller")

		memory.FastForward(OTPSome.Per)
		require.NoError(t, l.Take(t.Context(), OTPSome.For("a")))
	})
	t.Run("the IPv6 addresses of one /64 count as one", func(t *testing.T) {
		same := []string{"2001:db8:1:2::1", "2001:db8:1:2:ffff::7", "2001:db8:1:2::1%eth0"}
		for i := range Anonymous.Max {
			require.NoError(t, l.Take(t.Context(), Anonymous.ForAddress(same[i%len(same)])))
		}
		require.ErrorIs(t, l.Take(t.Context(), Anonymous.ForAddress("2001:db8:1:2:3:4:5:6")), fault.RateLimited)
		for _, other := range []string{"2001:db8:1:3::1", "192.0.2.1", "::ffff:192.0.2.2", ""} {
			require.NoError(t, l.Take(t.Context(), Anonymous.ForAddress(other)), other)
		}
	})
	t.Run("a call counts for all of its limits or for none", func(t *testing.T) {
		uses := []Counter{OTPDaily.For("c"), OTPEvery.For("c")}
		require.NoError(t, l.Take(t.Context(), uses...))
		for range 20 {
			require.ErrorIs(t, l.Take(t.Context(), uses...), fault.RateLimited)
		}
		require.Equal(t, "1", client.Get(t.Context(), "limit:otp-day:c").Val(), "a refused call does not use up the day")
	})
	t.Run("Full does not count", func(t *testing.T) {
		failures := Stranger.For("f")
		for range Stranger.Max {
			require.NoError(t, l.Full(t.Context(), failures))
			require.NoError(t, l.Take(t.Context(), failures))
		}
		err := l.Full(t.Context(), failures)
		require.ErrorIs(t, err, fault.RateLimited)
		require.Equal(t, Stranger.Per, wait(t, err))
		memory.FastForward(Stranger.Per)
		require.NoError(t, l.Full(t.Context(), failures))
	})
	t.Run("of sixty sign-ins at once ten pass", func(t *testing.T) {
		var passed atomic.Int32
		var group sync.WaitGroup
		for range 60 {
			group.Go(func() {
				if New(client).Take(t.Context(), Connect.For("d")) == nil {
					passed.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, Connect.Max, passed.Load())
	})
	t.Run("without Redis reads are counted in the process, and sign-ins refused", func(t *testing.T) {
		memory.Close()
		for range PerAddress.Max {
			require.NoError(t, l.Take(t.Context(), PerAddress.For("e")))
		}
		require.ErrorIs(t, l.Take(t.Context(), PerAddress.For("e")), fault.RateLimited)
		for range Stranger.Max {
			require.NoError(t, l.Full(t.Context(), Stranger.For("e")))
			require.NoError(t, l.Take(t.Context(), Stranger.For("e")))
		}
		require.ErrorIs(t, l.Full(t.Context(), Stranger.For("e")), fault.RateLimited)
		require.ErrorIs(t, l.Full(t.Context(), Connect.For("e")), fault.Unready)
		require.ErrorIs(t, l.Take(t.Context(), Connect.For("e")), fault.Unready)
		require.ErrorIs(t, l.Take(t.Context(), PerToken.For("e"), Money.For("e")), fault.Unready)
	})
}

func TestSignIns(t *testing.T) {
	memory, client := mustRedis(t)
	s := NewSignIns(client)
	newDevice := func(account string) Attempt {
		return Attempt{Org: uuid.Max, Account: account, Address: uuid.NewString()} // each from another address
	}
	fail := func(account string, times int) {
		for range times {
			require.NoError(t, s.Try(t.Context(), newDevice(account)))
		}
	}

	t.Run("the fifth failure locks for 15 minutes, each further one for twice as long, up to a day", func(t *testing.T) {
		fail("staff:ann", 5)
		for _, minutes := range []time.Duration{15, 30, 60, 120, 240, 480, 960, 1440, 1440} {
			err := s.Try(t.Context(), newDevice("staff:ann"))
			require.ErrorIs(t, err, ErrLocked)
			require.Equal(t, minutes*time.Minute, wait(t, err))
			memory.FastForward(minutes * time.Minute)
			fail("staff:ann", 1)
		}
	})
	t.Run("a success clears the failures before it", func(t *testing.T) {
		fail("staff:ben", 4)
		require.NoError(t, s.Succeeded(t.Context(), newDevice("staff:ben")))
		fail("staff:ben", 4)
	})
	t.Run("a right password on the fifth try is not locked afterwards", func(t *testing.T) {
		fail("staff:eve", 5)
		require.NoError(t, s.Succeeded(t.Context(), newDevice("staff:eve")))
		fail("staff:eve", 1)
	})
	t.Run("other devices' failures do not lock a device that signed in before, and its own do", func(t *testing.T) {
		own := Attempt{Org: uuid.Max, Account: "staff:kai", Device: "cookie", Address: "192.0.2.1"}
		require.NoError(t, s.Try(t.Context(), own))
		require.NoError(t, s.Succeeded(t.Context(), own))
		fail("staff:kai", 5)
		require.ErrorIs(t, s.Try(t.Context(), newDevice("staff:kai")), ErrLocked)

		for range 5 {
			require.NoError(t, s.Try(t.Context(), own))
		}
		require.ErrorIs(t, s.Try(t.Context(), own), ErrLocked)

		made := own
		made.Device = "invented"
		require.ErrorIs(t, s.Try(t.Context(), made), ErrLocked, "an invented cookie is no known device")
	})
	t.Run("Know makes a device known that has a cookie, and no other", func(t *testing.T) {
		fail("staff:nok", 5)
		fresh := Attempt{Org: uuid.Max, Account: "staff:nok", Device: "fresh", Address: "192.0.2.7"}
		require.ErrorIs(t, s.Try(t.Context(), fresh), ErrLocked)
		require.NoError(t, s.Know(t.Context(), fresh))
		for range 5 {
			require.NoError(t, s.Try(t.Context(), fresh))
		}
		require.ErrorIs(t, s.Try(t.Context(), fresh), ErrLocked)
		require.NoError(t, s.Know(t.Context(), newDevice("staff:nok")))
		require.ErrorIs(t, s.Try(t.Context(), newDevice("staff:nok")), ErrLocked)
	})
	t.Run("no user name and no cookie spells the counter of another account or device", func(t *testing.T) {
		for i := range 20 {
			fail("staff:lea:device:"+strconv.Itoa(i), 1)
		}
		passed := 0
		for i := range 20 {
			made := newDevice("staff:lea")
			made.Device = strconv.Itoa(i) + ":failures"
			if s.Try(t.Context(), made) == nil {
				passed++
			}
		}
		require.Equal(t, 5, passed)
	})
	t.Run("one address may fail twenty times over all accounts", func(t *testing.T) {
		for i := range 20 {
			require.NoError(t, s.Try(t.Context(), Attempt{Org: uuid.Max, Account: "staff:" + strconv.Itoa(i), Address: "192.0.2.2"}))
		}
		require.ErrorIs(t, s.Try(t.Context(), Attempt{Org: uuid.Max, Account: "staff:new", Address: "192.0.2.2"}), fault.RateLimited)
		memory.FastForward(sprayTime)
		require.NoError(t, s.Try(t.Context(), Attempt{Org: uuid.Max, Account: "staff:new", Address: "192.0.2.2"}))
	})
	t.Run("an address's failures refuse neither another organisation nor a known device", func(t *testing.T) {
		own := Attempt{Org: uuid.New(), Account: "staff:mae", Device: "cookie", Address: "192.0.2.3"}
		right := func(a Attempt) {
			require.NoError(t, s.Try(t.Context(), a))
			require.NoError(t, s.Succeeded(t.Context(), a))
		}
		for i := range sprayAddress {
			require.NoError(t, s.Try(t.Context(), Attempt{Org: uuid.Max, Account: "staff:there" + strconv.Itoa(i), Address: own.Address}))
		}
		right(own)
		for i := range sprayAddress {
			require.NoError(t, s.Try(t.Context(), Attempt{Org: own.Org, Account: "staff:here" + strconv.Itoa(i), Address: own.Address}))
		}
		right(own)
		made := own
		made.Device = "invented"
		require.ErrorIs(t, s.Try(t.Context(), made), fault.RateLimited, "a right password on a known device gives other devices no tries back")

		for range freeFailures {
			require.NoError(t, s.Try(t.Context(), own))
		}
		require.ErrorIs(t, s.Try(t.Context(), own), ErrLocked, "a known device has failures of its own")
	})
	t.Run("the IPv6 addresses of one /64 may fail twenty times together", func(t *testing.T) {
		from := func(i int) Attempt {
			return Attempt{Org: uuid.Max, Account: "staff:six" + strconv.Itoa(i), Address: "2001:db8::" + strconv.Itoa(i)}
		}
		for i := range 20 {
			require.NoError(t, s.Try(t.Context(), from(i)))
		}
		require.ErrorIs(t, s.Try(t.Context(), from(20)), fault.RateLimited)
	})
	t.Run("of a hundred tries at once five pass", func(t *testing.T) {
		var passed atomic.Int32
		var group sync.WaitGroup
		for range 100 {
			group.Go(func() {
				if s.Try(t.Context(), newDevice("staff:race")) == nil {
					passed.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 5, passed.Load())
	})
	t.Run("failures over many accounts slow the organisation's sign-ins down", func(t *testing.T) {
		memory.FastForward(sprayTime)
		var paused []time.Duration
		s.pause = func(_ context.Context, d time.Duration) error {
			paused = append(paused, d)
			return nil
		}
		org := uuid.New()
		for i := range sprayOrg {
			require.NoError(t, s.Try(t.Context(), Attempt{Org: org, Account: strconv.Itoa(i), Address: strconv.Itoa(i)}))
		}
		require.Empty(t, paused)
		require.NoError(t, s.Try(t.Context(), Attempt{Org: org, Account: "last", Address: "last"}))
		require.Equal(t, []time.Duration{sprayDelay}, paused)
	})
	t.Run("without Redis a sign-in by password is refused", func(t *testing.T) {
		memory.Close()
		require.ErrorIs(t, s.Try(t.Context(), newDevice("staff:ann")), fault.Unready)
	})
}
