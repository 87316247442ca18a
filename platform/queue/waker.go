package queue

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
)

// Keys of Redis. Both are sorted sets of organisations; uuid.Nil stands for the platform's own outbox.
const (
	dueKey    = "queue:due"    // by the time (unix milliseconds) at which a row of its outbox falls due
	activeKey = "queue:lately" // by the time of its last hint, or of its last markActive
)

// Waker gives the relay a hint after a commit: which organisation's outbox has a due row, and when. A lost hint costs time, never a
// job.
//
// It debounces: after a hint, those that follow within 20 ms become one, because the relay looks into the whole outbox.
type Waker struct {
	redis redis.UniversalClient

	mu         sync.Mutex
	debouncing map[uuid.UUID]time.Time // by organisation: time of the last hint that was held back, or zero
}

// debounce is how long a hint may be held back. It is less than the relay's own interval.
const debounce = 20 * time.Millisecond

// NewWaker returns a waker that leaves its hints in Redis.
func NewWaker(client redis.UniversalClient) *Waker {
	return &Waker{redis: client, debouncing: map[uuid.UUID]time.Time{}}
}

type wakerKey struct{}

// With returns a context in which Enqueue wakes the relay. A Dispatcher sets it for every request, the Server for every job.
func (w *Waker) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, wakerKey{}, w)
}

func wakerFrom(ctx context.Context) *Waker {
	w, _ := ctx.Value(wakerKey{}).(*Waker)
	return w
}

// redisTimeout bounds how long a caller waits for Redis after the commit.
const redisTimeout = 300 * time.Millisecond

// Wake gives a hint for a row of tx that is due at due. It ignores that ctx is cancelled, because tx has been committed. A row that
// is due already may wait behind an earlier hint, for at most debounce.
func (w *Waker) Wake(ctx context.Context, tx db.Tx, due time.Time) {
	ctx = context.WithoutCancel(ctx)
	if due.After(tx.Now) || w.startDebounce(ctx, tx.Org, tx.Now) {
		w.hint(ctx, tx.Org, due, tx.Now)
	}
}

// startDebounce reports whether the organisation's hint may be given now. Those after it are held back until endDebounce.
func (w *Waker) startDebounce(ctx context.Context, org uuid.UUID, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()

	if _, debouncing := w.debouncing[org]; debouncing {
		w.debouncing[org] = now
		return false
	}
	w.debouncing[org] = time.Time{}
	time.AfterFunc(debounce, func() { w.endDebounce(ctx, org) })
	return true
}

// endDebounce gives the hint that was held back, if there is one.
func (w *Waker) endDebounce(ctx context.Context, org uuid.UUID) {
	w.mu.Lock()
	now := w.debouncing[org]
	delete(w.debouncing, org)
	w.mu.Unlock()

	if !now.IsZero() && w.startDebounce(ctx, org, now) {
		w.hint(ctx, org, now, now)
	}
}

// markActive has the relay's sweep look into the organisation's outbox for the next hour. It returns false if Redis did not answer.
func (w *Waker) markActive(ctx context.Context, org uuid.UUID, now time.Time) bool {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()

	err := w.redis.ZAdd(ctx, activeKey, redis.Z{Score: float64(now.UnixMilli()), Member: org.String()}).Err()
	if err != nil {
		log.From(ctx).Warn("queue: the sweep does not know of an organisation yet", zap.Stringer("org_id", org), zap.Error(err))
	}
	return err == nil
}

// hint stores the earliest due time of the organisation.
func (w *Waker) hint(ctx context.Context, org uuid.UUID, due, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()

	pipe := w.redis.Pipeline()
	pipe.ZAddLT(ctx, dueKey, redis.Z{Score: float64(due.UnixMilli()), Member: org.String()})
	pipe.ZAdd(ctx, activeKey, redis.Z{Score: float64(now.UnixMilli()), Member: org.String()})
	if _, err := pipe.Exec(ctx); err != nil {
		log.From(ctx).Warn("queue: the hint was lost, the sweep will find the row", zap.Stringer("org_id", org), zap.Error(err))
	}
}
