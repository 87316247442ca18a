package ratelimit

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"welovevoucher/platform/fault"
)

// guess counts a wrong guess, or returns for how many milliseconds the counter is full. KEYS: the counter. ARGV: its maximum and
// milliseconds.
var guess = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return math.max(redis.call('PTTL', KEYS[1]), 1) end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`)

// right takes back what guess has counted, if its period still runs.
var right = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 0`)

// Guess counts a guess as wrong before it is checked, so that a hundred at once count as a hundred. Right takes it back. Guess
// returns fault.RateLimited with a Wait after too many wrong ones, and fault.Unready if Redis is away.
func (l *Limiter) Guess(ctx context.Context, u Counter) error {
	bounded, cancel := context.WithTimeout(ctx, failClosedTimeout)
	defer cancel()
	left, err := guess.Run(bounded, l.redis, []string{"limit:" + u.key()}, u.Max, u.Per.Milliseconds()).Int64()
	if err != nil {
		return fmt.Errorf("count guesses: %w", errors.Join(fault.Unready, err))
	}
	if left > 0 {
		return fault.RateLimited.With(waiting(left))
	}
	return nil
}

// Right takes the last guess back, because it was right; also for who has hung up meanwhile.
func (l *Limiter) Right(ctx context.Context, u Counter) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), failClosedTimeout)
	defer cancel()
	if err := right.Run(bounded, l.redis, []string{"limit:" + u.key()}).Err(); err != nil {
		return fmt.Errorf("take a guess back: %w", errors.Join(fault.Unready, err))
	}
	return nil
}
