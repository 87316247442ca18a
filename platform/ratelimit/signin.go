package ratelimit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
)

// ErrLocked is returned while an account takes no password from this device. It can still sign in by LINE, which unlocks the
// password on the device too.
var ErrLocked = fault.New(fault.TooMany, "signin.locked", "too many failed sign-ins, please try again later")

// How failures count: the fifth locks the account for 15 minutes, each further one for twice as long, up to a day. They are cleared
// by a success, or a month after the last one.
const (
	freeFailures = 5
	firstLock    = 15 * time.Minute
	longestLock  = 24 * time.Hour
	forgotten    = 30 * 24 * time.Hour

	sprayTime     = 10 * time.Minute
	sprayAddress  = 20  // failures of unknown devices from one address, over all accounts of an organisation
	sprayOrg      = 200 // failures in one organisation, from anywhere
	sprayDelay    = time.Second
	deviceKnown   = 180 * 24 * time.Hour
	deviceUnknown = "unknown"
)

// Attempt is one try of a password. Device is the random value of a cookie of the browser, empty if it has none.
type Attempt struct {
	Org     uuid.UUID // uuid.Nil for admins of the platform
	Account string    // "staff:" and the user name, also if there is no such account
	Device  string
	Address string
}

// SignInLimiter counts failed passwords.
type SignInLimiter struct {
	redis redis.UniversalClient
	pause func(ctx context.Context, d time.Duration) error
}

// NewSignIns returns a SignInLimiter.
func NewSignIns(client redis.UniversalClient) *SignInLimiter { return &SignInLimiter{client, pause} }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// try counts the attempt as a failure before the password is checked, so that a hundred at once count as a hundred. A device that
// has signed in before has a counter of its own, and is not limited by its address: strangers cannot lock it out, neither by trying
// its account nor from behind its address. It returns {result, milliseconds}: 0 go on, 1 locked, 2 too many from the address, 3 go
// on slowly.
//
// KEYS: known device, the account's failures and lock for it, for strangers, failures of the address, of the organisation. ARGV:
// free failures, first and longest lock, when failures are forgotten, spray time, the limits of address and organisation.
var try = redis.NewScript(`
local failures, lock, known = KEYS[4], KEYS[5], redis.call('EXISTS', KEYS[1]) == 1
if known then failures, lock = KEYS[2], KEYS[3] end

local left = redis.call('PTTL', lock)
if left > 0 then return {1, left} end
if not known and tonumber(redis.call('GET', KEYS[6]) or '0') >= tonumber(ARGV[6]) then
	return {2, math.max(redis.call('PTTL', KEYS[6]), 1)}
end

local n = redis.call('INCR', failures)
redis.call('PEXPIRE', failures, ARGV[4])
if n >= tonumber(ARGV[1]) then
	local ms = math.min(tonumber(ARGV[2]) * 2 ^ math.min(n - tonumber(ARGV[1]), 20), tonumber(ARGV[3]))
	redis.call('SET', lock, '1', 'PX', string.format('%d', ms))
end
for _, key in ipairs(known and {KEYS[7]} or {KEYS[7], KEYS[6]}) do
	if redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, ARGV[5]) end
end
if tonumber(redis.call('GET', KEYS[7])) > tonumber(ARGV[7]) then return {3, 0} end
return {0, 0}`)

// Try counts an attempt. Call it before the password is compared, and Succeeded if it was right. It returns ErrLocked or
// fault.RateLimited with a Wait, and fault.Unready if Redis is away. While many accounts of an organisation are attacked, it delays
// each attempt there by a second.
func (s *SignInLimiter) Try(ctx context.Context, a Attempt) error {
	answer, err := try.Run(ctx, s.redis, a.keys(), freeFailures, firstLock.Milliseconds(), longestLock.Milliseconds(), forgotten.Milliseconds(),
		sprayTime.Milliseconds(), sprayAddress, sprayOrg).Int64Slice()
	if err != nil {
		return fmt.Errorf("count sign-ins: %w", errors.Join(fault.Unready, err))
	}
	switch answer[0] {
	case 1:
		return ErrLocked.With(waiting(answer[1]))
	case 2:
		log.From(ctx).Warn("sign-ins: many failures from one address", zap.Stringer("org_id", a.Org))
		return fault.RateLimited.With(waiting(answer[1]))
	case 3:
		log.From(ctx).Warn("sign-ins: many failures in one organisation", zap.Stringer("org_id", a.Org))
		return s.pause(ctx, sprayDelay)
	}
	return nil
}

// forgive takes back what try counted, and remembers the device. KEYS as for try. ARGV: how long a device is known, and the device.
var forgive = redis.NewScript(`
local known = redis.call('EXISTS', KEYS[1]) == 1
if known then redis.call('DEL', KEYS[2], KEYS[3]) else redis.call('DEL', KEYS[4], KEYS[5]) end
for _, key in ipairs(known and {KEYS[7]} or {KEYS[7], KEYS[6]}) do
	if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
if ARGV[2] ~= '' then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
return 0`)

// Succeeded clears the account's failures for this device, and gives the device a counter of its own from now on.
func (s *SignInLimiter) Succeeded(ctx context.Context, a Attempt) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), failClosedTimeout) // also for who has hung up meanwhile
	defer cancel()
	if err := forgive.Run(bounded, s.redis, a.keys(), deviceKnown.Milliseconds(), a.Device).Err(); err != nil {
		return fmt.Errorf("clear failed sign-ins: %w", errors.Join(fault.Unready, err))
	}
	return nil
}

// Know gives a device a counter of its own from now on, because the account's person has signed in there without the password. It
// clears no failures.
func (s *SignInLimiter) Know(ctx context.Context, a Attempt) error {
	if a.Device == "" {
		return nil
	}
	if err := s.redis.Set(ctx, a.keys()[0], "1", deviceKnown).Err(); err != nil {
		return fmt.Errorf("remember a device: %w", errors.Join(fault.Unready, err))
	}
	return nil
}

// keys hashes what the caller sends: a user name or cookie that contains our separators could otherwise name the counter of another
// account, or pass for a known device.
func (a Attempt) keys() []string {
	device := a.Device
	if device == "" {
		device = deviceUnknown
	}
	account := "sign-in:" + a.Org.String() + ":" + hashed(a.Account)
	own := account + ":device:" + hashed(device)
	return []string{
		own, own + ":failures", own + ":lock", account + ":failures", account + ":lock",
		"sign-in:" + a.Org.String() + ":address:" + subnet(a.Address), "sign-in:" + a.Org.String() + ":all",
	}
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
