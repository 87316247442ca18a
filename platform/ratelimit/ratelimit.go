// Package ratelimit counts in Redis, in one atomic step for all processes: how often somebody may call, and how often they may
// fail to sign in. Redis holds nothing else of it; emptied, it starts counting anew.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
)

// Limit allows Most calls in a time that begins with the first of them.
type Limit struct {
	Name string
	Most int
	Per  time.Duration
	// Open lets calls pass, counted in this process alone, while Redis is away. Sign-in, one-time passwords and money are never open.
	Open bool
}

// The limits of trust-rules.md B5 and B7.
var (
	PerAddress    = Limit{Name: "address", Most: 300, Per: time.Minute, Open: true}
	PerToken      = Limit{Name: "token", Most: 600, Per: time.Minute, Open: true}
	Anonymous     = Limit{Name: "anonymous", Most: 30, Per: time.Minute, Open: true} // tokens of visitors, who only read, per address
	SignIn        = Limit{Name: "sign-in", Most: 10, Per: time.Minute}               // per address
	Money         = Limit{Name: "money", Most: 30, Per: time.Minute}                 // per customer
	Scan          = Limit{Name: "scan", Most: 120, Per: time.Minute}                 // per member of staff, as the next
	Redeem        = Limit{Name: "redeem", Most: 120, Per: time.Minute}               // as many uses as scans
	Connect       = Limit{Name: "connect", Most: 30, Per: time.Minute}               // per admin: LINE, the gateway or the DNS is asked
	Export        = Limit{Name: "export", Most: 5, Per: time.Hour}                   // per person
	OTPEvery      = Limit{Name: "otp-minute", Most: 1, Per: time.Minute}             // per number, as the next two
	OTPSome       = Limit{Name: "otp-some", Most: 3, Per: 10 * time.Minute}
	OTPDaily      = Limit{Name: "otp-day", Most: 10, Per: 24 * time.Hour}
	OTPPerAddress = Limit{Name: "otp-address", Most: 100, Per: 24 * time.Hour}
)

// Use is one limit applied to one subject: an address, a token's hash, a number.
type Use struct {
	Limit
	Subject string
}

// For applies a limit to a subject.
func (l Limit) For(subject string) Use { return Use{l, subject} }

// ForAddress applies a limit to an IP address.
func (l Limit) ForAddress(address string) Use { return l.For(line(address)) }

// line is whom an address stands for: of IPv6 the first 64 bits, for everybody has all the addresses behind them.
func line(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
}

// Wait is the detail of fault.Busy and ErrLocked.
type Wait struct {
	RetryAfterSeconds int `json:"retry_after_seconds" doc:"Try again after so many seconds"`
}

func waiting(milliseconds int64) Wait {
	return Wait{RetryAfterSeconds: int((milliseconds + 999) / 1000)}
}

// Limiter counts calls.
type Limiter struct {
	redis redis.UniversalClient
	local local
}

// New returns a limiter.
func New(client redis.UniversalClient) *Limiter {
	return &Limiter{redis: client, local: local{counts: map[string]count{}}}
}

// take counts one call under every key, or under none when one of them is full; then it returns how long that one lasts.
// KEYS: one per use. ARGV: most and milliseconds of each.
var take = redis.NewScript(`
for i, key in ipairs(KEYS) do
	if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[2*i-1]) then
		local left = redis.call('PTTL', key)
		if left > 0 then return left end
		redis.call('DEL', key)
	end
end
for i, key in ipairs(KEYS) do
	if redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, ARGV[2*i]) end
end
return 0`)

// Take counts one call under all uses at once. It returns fault.Busy with a Wait when one of them is full, and fault.Unready when
// Redis is away and one of them is not open.
func (l *Limiter) Take(ctx context.Context, uses ...Use) error {
	keys, args, open := make([]string, len(uses)), make([]any, 0, 2*len(uses)), true
	for i, u := range uses {
		keys[i] = "limit:" + u.Name + ":" + u.Subject
		args = append(args, u.Most, u.Per.Milliseconds())
		open = open && u.Open
	}
	left, err := l.ask(ctx, open, keys, args)
	if err != nil && ctx.Err() == nil && open {
		log.From(ctx).Warn("limits are counted in this process alone", zap.Error(err))
		left, err = l.local.take(time.Now(), uses), nil
	}
	if err != nil {
		return fmt.Errorf("count calls: %w", errors.Join(fault.Unready, err))
	}
	if left > 0 {
		return fault.Busy.With(waiting(left))
	}
	return nil
}

// What a call waits for Redis: one that nobody may make uncounted waits longer before it is refused.
const (
	patience       = 500 * time.Millisecond
	closedPatience = 3 * time.Second
)

func (l *Limiter) ask(ctx context.Context, open bool, keys []string, args []any) (int64, error) {
	wait := closedPatience
	if open {
		wait = patience
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return take.Run(ctx, l.redis, keys, args...).Int64()
}

// local stands in for Redis while it is away.
type local struct {
	mu     sync.Mutex
	counts map[string]count
}

type count struct {
	n   int
	end time.Time
}

const maxLocal = 100_000

func (l *local) take(now time.Time, uses []Use) (left int64) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.counts) > maxLocal {
		clear(l.counts)
	}
	for _, u := range uses {
		c := l.counts[u.Name+":"+u.Subject]
		if c.n >= u.Most && now.Before(c.end) {
			return max(c.end.Sub(now).Milliseconds(), 1)
		}
	}
	for _, u := range uses {
		c := l.counts[u.Name+":"+u.Subject]
		if !now.Before(c.end) {
			c = count{end: now.Add(u.Per)}
		}
		c.n++
		l.counts[u.Name+":"+u.Subject] = c
	}
	return 0
}
