// Package onetime keeps the MACs of one-time codes in Redis. Each step is atomic: tries at once are each counted, and a code is
// right once.
package onetime

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"welovevoucher/platform/fault"
)

// Codes keeps codes.
type Codes struct{ redis redis.UniversalClient }

// New returns the codes that are in a Redis.
func New(client redis.UniversalClient) *Codes { return &Codes{client} }

const timeout = 3 * time.Second

// save replaces a code. KEYS: the code. ARGV: its MAC, milliseconds.
var save = redis.NewScript(`
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'mac', ARGV[1], 'tries', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`)

// Save keeps the MAC of a code under a key, instead of what was there. It returns fault.Unready if Redis is away.
func (c *Codes) Save(ctx context.Context, key, mac string, lifetime time.Duration) error {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := save.Run(bounded, c.redis, []string{"code:" + key}, mac, lifetime.Milliseconds()).Err(); err != nil {
		return fmt.Errorf("save a code: %w", errors.Join(fault.Unready, err))
	}
	return nil
}

const matched = -1

// compare counts a wrong try. It deletes the code if it is right or if this was the last try. KEYS: the code. ARGV: a MAC, the
// maximum of wrong tries. It returns matched, or how many tries are left.
var compare = redis.NewScript(`
local mac = redis.call('HGET', KEYS[1], 'mac')
if not mac then return 0 end
if mac == ARGV[1] then
	redis.call('DEL', KEYS[1])
	return -1
end
local left = tonumber(ARGV[2]) - redis.call('HINCRBY', KEYS[1], 'tries', 1)
if left <= 0 then
	redis.call('DEL', KEYS[1])
	return 0
end
return left`)

// Use compares a MAC with the one under a key, and deletes that if they are equal. Otherwise it returns how many wrong tries are
// left; 0 means that there is no code, or none any more. It returns fault.Unready if Redis is away.
func (c *Codes) Use(ctx context.Context, key, mac string, maxTries int) (right bool, left int, err error) {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	left, err = compare.Run(bounded, c.redis, []string{"code:" + key}, mac, maxTries).Int()
	if err != nil {
		return false, 0, fmt.Errorf("compare a code: %w", errors.Join(fault.Unready, err))
	}
	return left == matched, max(left, 0), nil
}
