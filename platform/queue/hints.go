package queue

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
)

// Keys of Redis. Both are sorted sets of organisations; uuid.Nil stands for the platform's own outbox.
const (
	dueKey    = "queue:due"    // by the time (unix milliseconds) at which a row of its outbox falls due
	latelyKey = "queue:lately" // by the time of its last hint
)

// Hints tell the relay, after a commit, which organisation's outbox has something to hand over, and when.
// A lost hint costs time, never a job.
type Hints struct{ redis redis.UniversalClient }

// NewHints gives hints through Redis.
func NewHints(client redis.UniversalClient) *Hints { return &Hints{redis: client} }

type hintsKey struct{}

// With returns a context in which Put gives hints. The API sets it for every request; the Server for every job.
func (h *Hints) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, hintsKey{}, h)
}

func hintsFrom(ctx context.Context) *Hints {
	h, _ := ctx.Value(hintsKey{}).(*Hints)
	return h
}

// patience bounds what a caller waits for Redis after the commit.
const patience = 300 * time.Millisecond

// give keeps the earliest due time of the organisation. The commit has happened, so a cancelled caller changes nothing.
func (h *Hints) give(ctx context.Context, tx db.Tx, due time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()

	pipe := h.redis.Pipeline()
	pipe.ZAddLT(ctx, dueKey, redis.Z{Score: float64(due.UnixMilli()), Member: tx.Org.String()})
	pipe.ZAdd(ctx, latelyKey, redis.Z{Score: float64(tx.Now.UnixMilli()), Member: tx.Org.String()})
	if _, err := pipe.Exec(ctx); err != nil {
		log.From(ctx).Warn("queue: the hint was lost, the sweep will find the row", zap.Stringer("org", tx.Org), zap.Error(err))
	}
}
