// Package ratelimit limits in Redis, for all processes together, how often somebody may call and may fail to sign in. Each step is
// atomic. If Redis is emptied, counting starts anew, except for calls that processes have leased (leaseFraction).
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

// Limit allows Max calls in a period of Per, which begins with the first of them.
type Limit struct {
	Name string
	Max  int
	Per  time.Duration
	// FailOpen lets calls pass while Redis is away, counted in this process alone. It is never set for one-time passwords and
	// money. Signing in has PerAddress, which has it; wrong passwords are counted by package signin, which has not.
	FailOpen bool
}

// The limits. api/rights.go says which operation has which.
var (
	PerAddress = Limit{Name: "address", Max: 300, Per: time.Minute, FailOpen: true}
	PerToken   = Limit{Name: "token", Max: 600, Per: time.Minute, FailOpen: true}
	// Anonymous is for visitors, who only read: per browser, or per address without one. Thousands of a mobile carrier's customers
	// share an address, so the browsers of an address have a limit of their own together.
	Anonymous          = Limit{Name: "anonymous", Max: 30, Per: time.Minute, FailOpen: true}
	AnonymousShared    = Limit{Name: "anonymous-shared", Max: 3000, Per: time.Minute, FailOpen: true}
	Stranger           = Limit{Name: "stranger", Max: 30, Per: time.Minute, FailOpen: true} // sockets whose token has no session, per address
	Money              = Limit{Name: "money", Max: 30, Per: time.Minute}                    // per customer
	Scan               = Limit{Name: "scan", Max: 120, Per: time.Minute}                    // per member of staff
	Typed              = Limit{Name: "typed", Max: 5, Per: time.Hour}                       // wrong codes per member of staff, counted by Guess
	DiscountCode       = Limit{Name: "discount-code", Max: 10, Per: time.Hour}              // wrong codes per customer, counted by Guess
	DiscountCodeShared = Limit{Name: "discount-code-shared", Max: 60, Per: time.Hour}       // and per address
	Redeem             = Limit{Name: "redeem", Max: 120, Per: time.Minute}                  // per member of staff; as many uses as scans
	Connect            = Limit{Name: "connect", Max: 30, Per: time.Minute}                  // per admin, for calls to LINE, the gateway or the DNS
	Export             = Limit{Name: "export", Max: 5, Per: time.Hour}                      // per person
	Receipt            = Limit{Name: "receipt", Max: 10, Per: time.Hour}                    // e-mails per customer
	// Contact is for messages to an organisation or to the platform: per customer, per browser, or per address without either; the
	// browsers of an address have a limit of their own together.
	Contact       = Limit{Name: "contact", Max: 5, Per: time.Hour}
	ContactShared = Limit{Name: "contact-shared", Max: 60, Per: time.Hour}
	OTPEvery      = Limit{Name: "otp-minute", Max: 1, Per: time.Minute} // per mobile number, as the next two
	OTPSome       = Limit{Name: "otp-some", Max: 3, Per: 10 * time.Minute}
	OTPDaily      = Limit{Name: "otp-day", Max: 10, Per: 24 * time.Hour}
	OTPPerAddress = Limit{Name: "otp-address", Max: 100, Per: 24 * time.Hour}
	OTPPerOrg     = Limit{Name: "otp-org", Max: 2000, Per: 24 * time.Hour}
	Forgotten     = Limit{Name: "forgotten", Max: 3, Per: time.Hour} // links for a lost password, per user name
)

// Counter is a limit for one subject: an address, the hash of a token, a mobile number.
type Counter struct {
	Limit
	Subject string
}

func (u Counter) key() string { return u.Name + ":" + u.Subject }

// For returns the counter of a subject.
func (l Limit) For(subject string) Counter { return Counter{l, subject} }

// ForAddress returns the counter of an IP address, which for IPv6 is that of its /64.
func (l Limit) ForAddress(address string) Counter { return l.For(subnet(address)) }

// subnet returns the first 64 bits of an IPv6 address, because one subscriber has all addresses behind them, and an IPv4 address as
// it is.
func subnet(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
}

// Wait is the detail of fault.RateLimited and ErrLocked.
type Wait struct {
	RetryAfterSeconds int `json:"retry_after_seconds" doc:"Try again after so many seconds"`
}

func waiting(milliseconds int64) Wait {
	return Wait{RetryAfterSeconds: int((milliseconds + 999) / 1000)}
}

// Limiter counts calls.
type Limiter struct {
	redis  redis.UniversalClient
	local  local
	leases leases
}

// New returns a limiter.
func New(client redis.UniversalClient) *Limiter {
	return &Limiter{redis: client, local: local{counts: map[string]count{}}, leases: leases{of: map[string]lease{}}}
}

// take counts calls under every key, or under none if one of them is full; then it returns how long that one stays full. Of what is
// left of a limit it counts a part at once, as a lease for the calling process: 1/fraction, at least one call. KEYS: one per
// counter. ARGV: the fraction, then maximum and milliseconds of each. It returns {0, calls, milliseconds, …} or {milliseconds}.
var take = redis.NewScript(`
local had, granted = {}, {0}
for i, key in ipairs(KEYS) do
	had[i] = tonumber(redis.call('GET', key) or '0')
	if had[i] >= tonumber(ARGV[2*i]) then
		local left = redis.call('PTTL', key)
		if left > 0 then return {left} end
		redis.call('DEL', key)
		had[i] = 0
	end
end
for i, key in ipairs(KEYS) do
	local calls, left = math.max(1, math.floor((tonumber(ARGV[2*i]) - had[i]) / tonumber(ARGV[1]))), 0
	if redis.call('INCRBY', key, calls) == calls then redis.call('PEXPIRE', key, ARGV[2*i+1]) end
	if calls > 1 then left = redis.call('PTTL', key) end
	granted[2*i], granted[2*i+1] = calls, left
end
return granted`)

// Take counts one call under all counters at once. It returns fault.RateLimited with a Wait if one of them is full, and
// fault.Unready if Redis is away and one of them is not FailOpen.
func (l *Limiter) Take(ctx context.Context, uses ...Counter) error {
	leased, lacking := l.leases.take(time.Now(), uses)
	if len(lacking) == 0 {
		return nil
	}
	left, err := l.ask(ctx, lacking)
	if err != nil || left > 0 {
		l.leases.putBack(leased)
	}
	if err != nil {
		return fmt.Errorf("count calls: %w", errors.Join(fault.Unready, err))
	}
	if left > 0 {
		return fault.RateLimited.With(waiting(left))
	}
	return nil
}

// full returns for how many milliseconds a counter is full, or 0. KEYS: the counter. ARGV: its maximum.
var full = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then return 0 end
return math.max(redis.call('PTTL', KEYS[1]), 0)`)

// Full checks a counter under which only failures are counted, and counts nothing. It returns fault.RateLimited with a Wait if it
// is full, and fault.Unready if Redis is away and the limit is not FailOpen.
func (l *Limiter) Full(ctx context.Context, u Counter) error {
	bounded, cancel := context.WithTimeout(ctx, failOpenTimeout)
	defer cancel()
	left, err := full.Run(bounded, l.redis, []string{"limit:" + u.key()}, u.Max).Int64()
	switch {
	case err != nil && ctx.Err() == nil && u.FailOpen:
		log.From(ctx).Warn("limits are counted in this process alone", zap.Error(err))
		left = l.local.full(time.Now(), u)
	case err != nil:
		return fmt.Errorf("look at calls: %w", errors.Join(fault.Unready, err))
	}
	if left > 0 {
		return fault.RateLimited.With(waiting(left))
	}
	return nil
}

// How long a call waits for Redis. One that is refused without Redis waits longer.
const (
	failOpenTimeout   = 500 * time.Millisecond
	failClosedTimeout = 3 * time.Second
)

// ask counts in Redis, and keeps the leases that it grants. It returns for how many milliseconds a counter is full, or 0.
func (l *Limiter) ask(ctx context.Context, uses []Counter) (left int64, err error) {
	keys, args, wait := make([]string, len(uses)), append(make([]any, 0, 1+2*len(uses)), leaseFraction), failOpenTimeout
	for i, u := range uses {
		keys[i] = "limit:" + u.key()
		args = append(args, u.Max, u.Per.Milliseconds())
		if !u.FailOpen {
			wait = failClosedTimeout
		}
	}
	asked := time.Now()
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	answer, err := take.Run(bounded, l.redis, keys, args...).Int64Slice()
	switch {
	case err != nil && ctx.Err() == nil && wait == failOpenTimeout:
		log.From(ctx).Warn("limits are counted in this process alone", zap.Error(err))
		return l.local.take(time.Now(), uses), nil
	case err != nil:
		return 0, err
	case len(answer) == 1:
		return answer[0], nil
	}
	l.leases.add(asked, uses, answer[1:])
	return 0, nil
}

// local counts in this process while Redis is away.
type local struct {
	mu     sync.Mutex
	counts map[string]count
}

type count struct {
	n   int
	end time.Time
}

const maxLocal = 100_000

func (l *local) take(now time.Time, uses []Counter) (left int64) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.counts) > maxLocal {
		clear(l.counts)
	}
	for _, u := range uses {
		if left := l.left(now, u); left > 0 {
			return left
		}
	}
	for _, u := range uses {
		c := l.counts[u.key()]
		if !now.Before(c.end) {
			c = count{end: now.Add(u.Per)}
		}
		c.n++
		l.counts[u.key()] = c
	}
	return 0
}

func (l *local) full(now time.Time, u Counter) (left int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left(now, u)
}

// left returns for how many milliseconds a counter is full, or 0. The caller holds the lock.
func (l *local) left(now time.Time, u Counter) int64 {
	if c := l.counts[u.key()]; c.n >= u.Max && now.Before(c.end) {
		return max(c.end.Sub(now).Milliseconds(), 1)
	}
	return 0
}
