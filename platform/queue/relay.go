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

// How often the relay looks, and how long it waits before it asks after a row that it has handed over.
const (
	listenEvery   = 50 * time.Millisecond
	sweepLately   = 15 * time.Second
	sweepAll      = 10 * time.Minute
	lately        = time.Hour
	askAfter      = 5 * time.Second // less than a sweep, so that each asks after all that the one before handed over
	batch         = 100
	markKey       = "queue:mark" // there as long as Redis has forgotten nothing
	againSuffix   = ":again"
	organisations = `SELECT id FROM organisation WHERE schema_name IS NOT NULL ORDER BY id`
)

// Relay hands due rows of the outboxes to Asynq. Any number of relays may run.
type Relay struct {
	mux       *Mux
	key       []byte
	redis     redis.UniversalClient
	waker     *Waker
	client    *asynq.Client
	inspector *asynq.Inspector
	log       *zap.Logger
	known     map[uuid.UUID]time.Time // when an organisation's outbox last had something; survives an emptied Redis
	sweptAll  time.Time
	swept     time.Time
	backlog   backlog
}

// NewRelay hands over what mux handles. key signs the tasks; the Server needs the same.
func NewRelay(mux *Mux, client redis.UniversalClient, key []byte, logger *zap.Logger) *Relay {
	return &Relay{
		mux: mux, key: key, redis: client, waker: NewWaker(client), log: logger,
		client: asynq.NewClientFromRedisClient(client), inspector: asynq.NewInspectorFromRedisClient(client),
		known: map[uuid.UUID]time.Time{}, backlog: backlog{now: mux.db.Now, of: map[uuid.UUID]open{}},
	}
}

// lastLook is how long a look may take on when the process stops. A look that is cut off loses the hints that it has taken, and
// may leave rows locked for a while that the next relay then passes over: both would wait for a sweep.
const lastLook = 5 * time.Second

// graceful returns a context that is done some time after ctx is.
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

// Run relays until ctx is done and its last look is over. What fails is logged and tried again at the next look.
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
			select { // Redis or Postgres is away; asking twenty times a second would only fill the log
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// RunOnce follows the hints that have fallen due, and sweeps when it is time to.
func (r *Relay) RunOnce(ctx context.Context) error {
	now := r.mux.db.Now()
	forgotten, err := r.redis.SetNX(ctx, markKey, "1", 0).Result()
	if err != nil {
		return fmt.Errorf("relay: %w", err)
	}

	switch {
	case forgotten: // Redis is empty: what was handed over is gone as well
		err = r.sweep(ctx, now, now)
	case now.Sub(r.sweptAll) >= sweepAll:
		err = r.sweep(ctx, now, now.Add(-askAfter))
	case now.Sub(r.swept) >= sweepLately:
		err = r.sweepLately(ctx, now)
	}
	return errors.Join(err, r.pollDue(ctx, now))
}

var popDue = redis.NewScript(`
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if #due > 0 then redis.call('ZREM', KEYS[1], unpack(due)) end
return due`)

// notHanded as handedBefore asks after no row that has been handed over; that is for the sweeps.
var notHanded time.Time

func (r *Relay) pollDue(ctx context.Context, now time.Time) error {
	due, err := popDue.Run(ctx, r.redis, []string{dueKey}, now.UnixMilli(), batch).StringSlice()
	if err != nil {
		return fmt.Errorf("relay: take hints: %w", err)
	}
	var errs []error
	for _, member := range due {
		if org, err := uuid.Parse(member); err == nil { // anything else is not of our writing
			errs = append(errs, r.drain(ctx, org, notHanded))
		}
	}
	return errors.Join(errs...)
}

// sweep looks into every outbox there is.
func (r *Relay) sweep(ctx context.Context, now, handedBefore time.Time) error {
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
	return r.drainEach(ctx, append(orgs, uuid.Nil), handedBefore)
}

// sweepLately looks into the outboxes that had something within the hour, as far as Redis or this relay remembers.
func (r *Relay) sweepLately(ctx context.Context, now time.Time) error {
	since := now.Add(-lately)
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

func (r *Relay) drainEach(ctx context.Context, orgs []uuid.UUID, handedBefore time.Time) error {
	var errs []error
	for _, org := range orgs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errs = append(errs, r.drain(ctx, org, handedBefore))
	}
	r.backlog.measured()
	return errors.Join(errs...)
}

// drain hands over everything that is due in one outbox, and leaves a hint for what falls due later, or keeps it in mind. A sweep only looks first: it
// comes to every organisation that has sold lately, and mostly there is nothing.
func (r *Relay) drain(ctx context.Context, org uuid.UUID, handedBefore time.Time) error {
	if !handedBefore.Equal(notHanded) {
		due, err := r.hasDue(ctx, org, handedBefore)
		if err != nil {
			return fmt.Errorf("relay %s: %w", org, err)
		}
		if !due {
			return nil
		}
	}
	for {
		n, err := r.enqueueDue(ctx, org, handedBefore)
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
	isDue   = `done_at IS NULL AND due_at <= $1 AND (handed_at IS NULL OR handed_at < $2) AND kind = ANY($3) AND attempts < $4`
	anyDue  = `SELECT EXISTS (SELECT FROM outbox WHERE ` + isDue + `)`
	takeDue = `SELECT id, kind, handed_at, coalesce(payload->>'trace', ''), CASE WHEN kind = ANY($6) THEN payload END FROM outbox
		WHERE ` + isDue + ` ORDER BY due_at, id LIMIT $5 FOR UPDATE SKIP LOCKED`
	markHanded = `UPDATE outbox SET handed_at = $2 WHERE id = ANY($1)`
	failInline = `UPDATE outbox SET attempts = attempts + 1, last_error = $2, handed_at = $3 WHERE id = $1`
	// What a Herald tells falls due only if he dies before he marks it. The sweep is soon enough for that.
	nextDue = `SELECT min(due_at) FILTER (WHERE NOT inline), coalesce(bool_or(inline), false) FROM (
		SELECT due_at, kind = ANY($3) AND due_at <= $4 AS inline FROM outbox
		WHERE done_at IS NULL AND handed_at IS NULL AND due_at > $1 AND kind = ANY($2)) AS o`
)

type dueRow struct {
	ID       uuid.UUID
	Kind     string
	HandedAt *time.Time
	Trace    string
	Payload  *row // of what the relay tells itself
}

// hasDue tells whether anything is due, and does what is to do where nothing is: it counts, and leaves a hint.
func (r *Relay) hasDue(ctx context.Context, org uuid.UUID, handedBefore time.Time) (due bool, err error) {
	err = r.mux.read(ctx, org, func(tx db.Tx) error {
		tx.Queue(anyDue, tx.Now, handedBefore, r.mux.kinds(), maxAttempts).QueryRow(func(row pgx.Row) error { return row.Scan(&due) })
		r.measure(tx)
		r.hintNext(tx)
		return nil
	})
	return due, err
}

// enqueueDue enqueues and tells before it commits: a row marked as handed over or done has been, and a row enqueued but not
// marked is found again under the same task id.
func (r *Relay) enqueueDue(ctx context.Context, org uuid.UUID, handedBefore time.Time) (taken int, err error) {
	err = r.mux.in(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, takeDue, tx.Now, handedBefore, r.mux.kinds(), maxAttempts, batch, r.mux.inlineKinds())
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
			taken = min(taken-waiting, batch-1) // some must wait for their last run to end: don't go round
			tx.AfterCommit(func(ctx context.Context) { r.waker.Wake(ctx, tx, tx.Now.Add(time.Second)) })
		}
		if len(handed) > 0 {
			tx.Queue(markHanded, handed, tx.Now)
		}
		r.runInline(ctx, tx, org, inline)
		if !handedBefore.Equal(notHanded) {
			r.measure(tx)
		}
		r.hintNext(tx)
		return nil
	})
	return taken, err
}

// tell does what the relay does itself. What fails is tried again at a later sweep.
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

func (r *Relay) hintNext(tx db.Tx) {
	tx.Queue(nextDue, tx.Now, r.mux.kinds(), r.mux.inlineKinds(), tx.Now.Add(VisibilityTimeout)).QueryRow(func(row pgx.Row) error {
		var next *time.Time
		var inlineDue bool
		err := row.Scan(&next, &inlineDue)
		if inlineDue {
			r.known[tx.Org] = tx.Now // so that the sweep comes
		}
		if next != nil {
			tx.AfterCommit(func(ctx context.Context) { r.waker.Wake(ctx, tx, *next) })
		}
		return err
	})
}

// enqueue reports whether the row is now in Asynq's hands.
func (r *Relay) enqueue(ctx context.Context, org uuid.UUID, row dueRow) (bool, error) {
	queue := r.mux.handlers[row.Kind].queue
	add := func(taskID string) error {
		_, err := r.client.EnqueueContext(ctx, newTask(r.key, row.Kind, org, row.ID, row.Trace),
			asynq.TaskID(taskID), asynq.Queue(queue), asynq.MaxRetry(maxAttempts))
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
		return false, nil // it ended just now; the next look sees what became of the row
	case err != nil:
		return false, err
	}
	switch info.State {
	case asynq.TaskStateArchived, asynq.TaskStateCompleted: // somebody set the row's attempts back
		if err := r.inspector.DeleteTask(queue, taskID); err != nil {
			return false, err
		}
		return true, add(taskID)
	case asynq.TaskStateActive:
		if row.HandedAt == nil {
			return false, nil // a tick's last run is about to end
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

// orphaned tells whether a task's worker has died. Asynq itself would wait for up to three minutes. A worker inside
// a transaction holds the row's lock, so a row that could be taken has none.
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
