package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
)

// How often the relay polls and sweeps, and how old an enqueued row is before a sweep checks what became of its task.
const (
	listenEvery   = 50 * time.Millisecond
	sweepActive   = 15 * time.Second
	sweepAll      = 10 * time.Minute
	activeFor     = time.Hour
	askAfter      = 5 * time.Second // less than a sweep: each checks all rows that the one before enqueued
	batch         = 100
	markKey       = "queue:mark" // missing after Redis was emptied
	againSuffix   = ":again"
	organisations = `SELECT id FROM organisation WHERE schema_name IS NOT NULL ORDER BY id`
)

// Relay enqueues due rows of the outboxes in Asynq, and runs those of HandleInline itself. Any number of relays may run.
type Relay struct {
	mux       *Mux
	key       []byte
	redis     redis.UniversalClient
	waker     *Waker
	client    *asynq.Client
	inspector *asynq.Inspector
	log       *zap.Logger
	known     map[uuid.UUID]time.Time // when an organisation's outbox last had a due row; survives an emptied Redis
	sweptAll  time.Time
	swept     time.Time
	backlog   backlog
}

// NewRelay returns a relay for the kinds that mux handles. key signs the tasks; the Server needs the same.
func NewRelay(mux *Mux, client redis.UniversalClient, key []byte, logger *zap.Logger) *Relay {
	return &Relay{
		mux: mux, key: key, redis: client, waker: NewWaker(client), log: logger,
		client: asynq.NewClientFromRedisClient(client), inspector: asynq.NewInspectorFromRedisClient(client),
		known: map[uuid.UUID]time.Time{}, backlog: backlog{now: mux.db.Now, of: map[uuid.UUID]open{}},
	}
}

// lastLook is how long RunOnce may go on when the process stops. If it were cut off, the hints that it has taken would be lost, and
// rows could stay locked for a while, which the next relay skips: both would wait for a sweep.
const lastLook = 5 * time.Second

// graceful returns a context that ends lastLook after ctx.
func graceful(ctx context.Context) (later context.Context, stop func()) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() {
		select {
		case <-later.Done():
		case <-time.After(lastLook):
			cancel()
		}
	})
	return later, func() { unhook(); cancel() }
}

// Run calls RunOnce until ctx ends. It logs errors; the next call tries again.
func (r *Relay) Run(ctx context.Context) {
	ctx = untraced(ctx)
	looking, stop := graceful(ctx)
	defer stop()
	ticker := time.NewTicker(listenEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := r.RunOnce(looking); err != nil {
			r.log.Error("queue: relay", zap.Error(err))
			select { // Redis or Postgres cannot be reached; twenty errors a second would only fill the log
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// RunOnce drains the outboxes whose hints are due, and sweeps if it is time to.
func (r *Relay) RunOnce(ctx context.Context) error {
	now := r.mux.db.Now()
	forgotten, err := r.redis.SetNX(ctx, markKey, "1", 0).Result()
	if err != nil {
		return fmt.Errorf("relay: %w", err)
	}

	switch {
	case forgotten: // Redis was emptied: the tasks are gone too
		err = r.sweep(ctx, now, now)
	case now.Sub(r.sweptAll) >= sweepAll:
		err = r.sweep(ctx, now, now.Add(-askAfter))
	case now.Sub(r.swept) >= sweepActive:
		err = r.sweepActive(ctx, now)
	}
	return errors.Join(err, r.pollDue(ctx, now))
}

var popDue = redis.NewScript(`
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if #due > 0 then redis.call('ZREM', KEYS[1], unpack(due)) end
return due`)

// onlyNew as enqueuedBefore skips rows that are enqueued already. Only sweeps check those.
var onlyNew time.Time

func (r *Relay) pollDue(ctx context.Context, now time.Time) error {
	due, err := popDue.Run(ctx, r.redis, []string{dueKey}, now.UnixMilli(), batch).StringSlice()
	if err != nil {
		return fmt.Errorf("relay: take hints: %w", err)
	}
	var errs []error
	for _, member := range due {
		if org, err := uuid.Parse(member); err == nil { // this program writes no other members
			errs = append(errs, r.drain(ctx, org, onlyNew))
		}
	}
	return errors.Join(errs...)
}

// sweep drains every outbox.
func (r *Relay) sweep(ctx context.Context, now, enqueuedBefore time.Time) error {
	orgs := []uuid.UUID{}
	err := r.mux.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, organisations)
		if err != nil {
			return err
		}
		orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return fmt.Errorf("relay: %w", err)
	}
	r.sweptAll, r.swept = now, now
	return r.drainEach(ctx, append(orgs, uuid.Nil), enqueuedBefore)
}

// sweepActive drains the outboxes that had a row within the last hour, as far as Redis or this relay knows.
func (r *Relay) sweepActive(ctx context.Context, now time.Time) error {
	since := now.Add(-activeFor)
	maps.DeleteFunc(r.known, func(_ uuid.UUID, at time.Time) bool { return at.Before(since) })

	oldest := strconv.FormatInt(since.UnixMilli(), 10)
	pipe := r.redis.Pipeline()
	pipe.ZRemRangeByScore(ctx, activeKey, "-inf", oldest)
	members := pipe.ZRange(ctx, activeKey, 0, -1)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("relay: %w", err)
	}
	for _, member := range members.Val() {
		if org, err := uuid.Parse(member); err == nil {
			if _, ok := r.known[org]; !ok {
				r.known[org] = now
			}
		}
	}

	r.swept = now
	orgs := slices.Collect(maps.Keys(r.known))
	if _, ok := r.known[uuid.Nil]; !ok {
		orgs = append(orgs, uuid.Nil)
	}
	return r.drainEach(ctx, orgs, now.Add(-askAfter))
}

func (r *Relay) drainEach(ctx context.Context, orgs []uuid.UUID, enqueuedBefore time.Time) error {
	var errs []error
	for _, org := range orgs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errs = append(errs, r.drain(ctx, org, enqueuedBefore))
	}
	r.backlog.measured()
	return errors.Join(errs...)
}

// drain enqueues all due rows of one outbox, and leaves a hint for the next one that is due later. A sweep reads first whether any
// is due: it visits every organisation that has sold lately, and mostly none is.
func (r *Relay) drain(ctx context.Context, org uuid.UUID, enqueuedBefore time.Time) error {
	if !enqueuedBefore.Equal(onlyNew) {
		due, err := r.hasDue(ctx, org, enqueuedBefore)
		if err != nil {
			return fmt.Errorf("relay %s: %w", org, err)
		}
		if !due {
			return nil
		}
	}
	for {
		n, err := r.enqueueDue(ctx, org, enqueuedBefore)
		if err != nil {
			return fmt.Errorf("relay %s: %w", org, err)
		}
		if n > 0 {
			r.known[org] = r.mux.db.Now()
		}
		if n < batch {
			return nil
		}
	}
}

const (
	isDue   = `done_at IS NULL AND due_at <= $1 AND (enqueued_at IS NULL OR enqueued_at < $2) AND kind = ANY($3) AND attempts < $4`
	anyDue  = `SELECT EXISTS (SELECT FROM outbox WHERE ` + isDue + `)`
	takeDue = `SELECT id, kind, enqueued_at, coalesce(payload->>'trace', ''), CASE WHEN kind = ANY($6) THEN payload END FROM outbox
		WHERE ` + isDue + ` ORDER BY due_at, id LIMIT $5 FOR UPDATE SKIP LOCKED`
	markEnqueued = `UPDATE outbox SET enqueued_at = $2 WHERE id = ANY($1)`
	failInline   = `UPDATE outbox SET attempts = attempts + 1, last_error = $2, enqueued_at = $3 WHERE id = $1`
	// A row of a Dispatcher is due only if its process dies before it marks it. The sweep is soon enough for that, so it gets no
	// hint.
	nextDue = `SELECT min(due_at) FILTER (WHERE NOT inline), coalesce(bool_or(inline), false) FROM (
		SELECT due_at, kind = ANY($3) AND due_at <= $4 AS inline FROM outbox
		WHERE done_at IS NULL AND enqueued_at IS NULL AND due_at > $1 AND kind = ANY($2)) AS o`
)

type dueRow struct {
	ID         uuid.UUID
	Kind       string
	EnqueuedAt *time.Time
	Trace      string
	Payload    *row // only of kinds that the relay runs itself
}

// hasDue reports whether any row is due. It also counts the open rows, and leaves a hint for the next row.
func (r *Relay) hasDue(ctx context.Context, org uuid.UUID, enqueuedBefore time.Time) (due bool, err error) {
	err = r.mux.read(ctx, org, func(tx db.Tx) error {
		tx.Queue(anyDue, tx.Now, enqueuedBefore, r.mux.kinds(), MaxAttempts).QueryRow(func(row pgx.Row) error { return row.Scan(&due) })
		r.measure(tx)
		r.hintNext(tx)
		return nil
	})
	return due, err
}

// enqueueDue enqueues or runs a batch of due rows before it commits. So a row that is marked as enqueued or done really is, and a
// row that was enqueued but not marked is found again and gets the same task id. It returns how many rows it took.
func (r *Relay) enqueueDue(ctx context.Context, org uuid.UUID, enqueuedBefore time.Time) (taken int, err error) {
	err = r.mux.in(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, takeDue, tx.Now, enqueuedBefore, r.mux.kinds(), MaxAttempts, batch, r.mux.inlineKinds())
		if err != nil {
			return err
		}
		due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[dueRow])
		if err != nil {
			return err
		}

		handed, inline, waiting := make([]uuid.UUID, 0, len(due)), map[string][]dueRow{}, 0
		for _, row := range due {
			if row.Payload != nil {
				inline[row.Kind] = append(inline[row.Kind], row)
				continue
			}
			ok, err := r.enqueue(ctx, org, row)
			if err != nil {
				return err
			}
			if ok {
				handed = append(handed, row.ID)
			} else {
				waiting++
			}
		}
		if taken = len(due); waiting > 0 {
			taken = min(taken-waiting, batch-1) // some wait for their last run to end: do not loop
			tx.AfterCommit(func(ctx context.Context) { r.waker.Wake(ctx, tx, tx.Now.Add(time.Second)) })
		}
		if len(handed) > 0 {
			tx.Queue(markEnqueued, handed, tx.Now)
		}
		r.runInline(ctx, tx, org, inline)
		if !enqueuedBefore.Equal(onlyNew) {
			r.measure(tx)
		}
		r.hintNext(tx)
		return nil
	})
	return taken, err
}

// runInline runs rows of HandleInline. A later sweep tries failed ones again.
func (r *Relay) runInline(ctx context.Context, tx db.Tx, org uuid.UUID, kinds map[string][]dueRow) {
	for kind, rows := range kinds {
		done, failed := r.mux.runInline(ctx, r.log, org, kind, rows)
		if len(done) > 0 {
			tx.Queue(markDispatched, done, slices.Repeat([]time.Time{tx.Now}, len(done)))
		}
		for id, err := range failed {
			tx.Queue(failInline, id, clip(err.Error(), 500), tx.Now)
		}
	}
}

// hintNext leaves a hint for the next row that is due later.
func (r *Relay) hintNext(tx db.Tx) {
	tx.Queue(nextDue, tx.Now, r.mux.kinds(), r.mux.inlineKinds(), tx.Now.Add(VisibilityTimeout)).QueryRow(func(row pgx.Row) error {
		var next *time.Time
		var inlineDue bool
		err := row.Scan(&next, &inlineDue)
		if inlineDue {
			r.known[tx.Org] = tx.Now // so that the sweep visits it
		}
		if next != nil {
			tx.AfterCommit(func(ctx context.Context) { r.waker.Wake(ctx, tx, *next) })
		}
		return err
	})
}

// enqueue reports whether Asynq has a task for the row.
func (r *Relay) enqueue(ctx context.Context, org uuid.UUID, row dueRow) (bool, error) {
	queue := r.mux.handlers[row.Kind].queue
	add := func(taskID string) error {
		_, err := r.client.EnqueueContext(ctx, newTask(r.key, row.Kind, org, row.ID, row.Trace),
			asynq.TaskID(taskID), asynq.Queue(queue), asynq.MaxRetry(MaxAttempts))
		return err
	}

	taskID := row.ID.String()
	err := add(taskID)
	if !errors.Is(err, asynq.ErrTaskIDConflict) {
		return err == nil, err
	}

	info, err := r.inspector.GetTaskInfo(queue, taskID)
	switch {
	case errors.Is(err, asynq.ErrTaskNotFound) || errors.Is(err, asynq.ErrQueueNotFound):
		return false, nil // the task ended just now; the next drain sees what became of the row
	case err != nil:
		return false, err
	}
	switch info.State {
	case asynq.TaskStateArchived, asynq.TaskStateCompleted: // the row's attempts were reset by hand
		if err := r.inspector.DeleteTask(queue, taskID); err != nil {
			return false, err
		}
		return true, add(taskID)
	case asynq.TaskStateActive:
		if row.EnqueuedAt == nil {
			return false, nil // the tick's last run is about to end
		}
		alone, err := r.orphaned(queue, taskID)
		if err != nil || !alone {
			return err == nil, err
		}
		if err := add(taskID + againSuffix); !errors.Is(err, asynq.ErrTaskIDConflict) {
			return err == nil, err
		}
		return true, nil
	default:
		return true, nil // waiting for a worker, or for its next try
	}
}

// orphaned reports whether the worker of an active task has died. Asynq itself would wait for up to three minutes. A worker inside
// a transaction holds the row's lock, so an internal task whose row could be locked has no worker.
func (r *Relay) orphaned(queue, taskID string) (bool, error) {
	if queue == internalQueue {
		return true, nil
	}
	for page := 1; ; page++ {
		tasks, err := r.inspector.ListActiveTasks(queue, asynq.Page(page), asynq.PageSize(batch))
		if err != nil {
			return false, err
		}
		for _, task := range tasks {
			if task.ID == taskID {
				return task.IsOrphaned, nil
			}
		}
		if len(tasks) < batch {
			return false, nil
		}
	}
}
