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
	activeKey = "queue:lately" // by the time of its last hint
)

// Waker tell the relay, after a commit, which organisation's outbox has something to hand over, and when.
// A lost hint costs time, never a job.
//
// Where sale follows sale, one hint in a while speaks for all that came meanwhile: the relay looks into the whole outbox.
type Waker struct {
	redis redis.UniversalClient

	mu         sync.Mutex
	debouncing map[uuid.UUID]time.Time // organisations that had one just now, and when the last since then was asked for: zero for none
}

// debounce is how long an organisation's next hint may wait. It is less than the relay's own pace.
const debounce = 20 * time.Millisecond

// NewWaker gives hints through Redis.
func NewWaker(client redis.UniversalClient) *Waker {
	return &Waker{redis: client, debouncing: map[uuid.UUID]time.Time{}}
}

type wakerKey struct{}

// With returns a context in which Put gives hints. A Herald sets it for every request, the Server for every job.
func (h *Waker) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, wakerKey{}, h)
}

func wakerFrom(ctx context.Context) *Waker {
	h, _ := ctx.Value(wakerKey{}).(*Waker)
	return h
}

// patience bounds what a caller waits for Redis after the commit.
const redisTimeout = 300 * time.Millisecond

// Wake tells of a row that falls due. The commit has happened, so a cancelled caller changes nothing. What is due already may
// rest a moment behind another hint.
func (h *Waker) Wake(ctx context.Context, tx db.Tx, due time.Time) {
	ctx = context.WithoutCancel(ctx)
	if due.After(tx.Now) || h.startDebounce(ctx, tx.Org, tx.Now) {
		h.hint(ctx, tx.Org, due, tx.Now)
	}
}

// wake tells whether an organisation's hint need not wait; those after it will.
func (h *Waker) startDebounce(ctx context.Context, org uuid.UUID, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()

	if _, debouncing := h.debouncing[org]; debouncing {
		h.debouncing[org] = now
		return false
	}
	h.debouncing[org] = time.Time{}
	time.AfterFunc(debounce, func() { h.endDebounce(ctx, org) })
	return true
}

// endDebounce ends an organisation's rest, and gives the hint that waited for it.
func (h *Waker) endDebounce(ctx context.Context, org uuid.UUID) {
	h.mu.Lock()
	now := h.debouncing[org]
	delete(h.debouncing, org)
	h.mu.Unlock()

	if !now.IsZero() && h.startDebounce(ctx, org, now) {
		h.hint(ctx, org, now, now)
	}
}

// show has the relay's sweep look into an organisation's outbox for the next hour, and tells whether that is known now.
func (h *Waker) markActive(ctx context.Context, org uuid.UUID, now time.Time) bool {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()

	err := h.redis.ZAdd(ctx, activeKey, redis.Z{Score: float64(now.UnixMilli()), Member: org.String()}).Err()
	if err != nil {
		log.From(ctx).Warn("queue: the sweep does not know of an organisation yet", zap.Stringer("org", org), zap.Error(err))
	}
	return err == nil
}

// tell keeps the earliest due time of the organisation.
func (h *Waker) hint(ctx context.Context, org uuid.UUID, due, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()

	pipe := h.redis.Pipeline()
	pipe.ZAddLT(ctx, dueKey, redis.Z{Score: float64(due.UnixMilli()), Member: org.String()})
	pipe.ZAdd(ctx, activeKey, redis.Z{Score: float64(now.UnixMilli()), Member: org.String()})
	if _, err := pipe.Exec(ctx); err != nil {
		log.From(ctx).Warn("queue: the hint was lost, the sweep will find the row", zap.Stringer("org", org), zap.Error(err))
	}
}
