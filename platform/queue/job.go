// Package queue runs jobs after a commit, and still runs them when Redis is emptied.
//
// Enqueue writes a row into the outbox of the transaction's own schema, so a job exists exactly when the change does. A Dispatcher
// runs jobs of HandleInline at once, in the process that has committed them. A Relay enqueues other rows that are due in Asynq,
// with the row's id as task id; a Server runs them through a Mux. The task in Redis has no payload: it names a row and carries a
// MAC, which shows that this program wrote it. The relay's sweep enqueues again what Redis loses, so a handler may be called twice;
// HandleTx marks the row as done in the handler's transaction, so that the second call does nothing.
package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// Job is a payload: a small struct that is stored as JSON. Kind is its stable name, e.g. "topup.expire".
type Job interface{ Kind() string }

// row is what the payload column holds: the job, and the trace of the request that enqueued it.
type row struct {
	Job   json.RawMessage `json:"job"`
	Trace string          `json:"trace,omitempty"`
	// Tick marks a row that a schedule will insert again under the same id. It is deleted when it is done, instead of kept.
	Tick bool `json:"tick,omitempty"`
}

// Enqueue queues the insert of job, which is due as soon as tx has been committed. In the platform's schema it is a job of the
// platform.
func Enqueue(ctx context.Context, tx db.Tx, job Job) error { return EnqueueAt(ctx, tx, tx.Now, job) }

// EnqueueAt queues the insert of job, which is due at due if tx is committed.
func EnqueueAt(ctx context.Context, tx db.Tx, due time.Time, job Job) error {
	return enqueueEach(ctx, tx, due, []TracedJob{{job, TraceOf(ctx)}})
}

// TracedJob is a job with the trace of its own caller, for a transaction that several callers share.
type TracedJob struct {
	Job   Job
	Trace string
}

// EnqueueAll is Enqueue for the jobs of several callers.
func EnqueueAll(ctx context.Context, tx db.Tx, jobs []TracedJob) error {
	if len(jobs) == 0 {
		return nil
	}
	return enqueueEach(ctx, tx, tx.Now, jobs)
}

func enqueueEach(ctx context.Context, tx db.Tx, due time.Time, jobs []TracedJob) error {
	rows := make([]outboxRow, len(jobs))
	for i, traced := range jobs {
		body, err := json.Marshal(traced.Job)
		if err != nil {
			return fmt.Errorf("queue: payload of %s: %w", traced.Job.Kind(), err)
		}
		rows[i] = outboxRow{db.NewID(), traced.Job.Kind(), row{Job: body, Trace: traced.Trace}, due}
	}
	insert(ctx, tx, due, rows...)
	return nil
}

type outboxRow struct {
	ID      uuid.UUID `db:"id"`
	Kind    string    `db:"kind"`
	Payload row       `db:"payload"`
	Due     time.Time `db:"due_at"`
}

var insertRows = db.NewBulk[outboxRow](`INSERT INTO outbox (id, kind, payload, due_at)
	SELECT unnest(@id::uuid[]), unnest(@kind::text[]), unnest(@payload::jsonb[]), unnest(@due_at::timestamptz[]) ON CONFLICT (id) DO NOTHING`)

func insert(ctx context.Context, tx db.Tx, due time.Time, rows ...outboxRow) {
	if dispatcher := dispatcherFrom(ctx); dispatcher != nil && dispatcher.allInline(rows) && !due.After(tx.Now) {
		for i := range rows {
			rows[i].Due = tx.Now.Add(VisibilityTimeout)
		}
		insertRows.Queue(tx, rows)
		tx.AfterCommit(func(context.Context) { dispatcher.take(tx.Org, rows) })
		return
	}
	insertRows.Queue(tx, rows)
	if waker := wakerFrom(ctx); waker != nil {
		tx.AfterCommit(func(ctx context.Context) { waker.Wake(ctx, tx, due) })
	}
}

const skipDue = `UPDATE outbox SET done_at = $1 WHERE done_at IS NULL AND due_at <= $1`

// SkipDue marks every job that is due in tx's schema as done, without running it. It is for demo data, which is written at past
// times and whose notices nobody waits for.
func SkipDue(ctx context.Context, tx db.Tx) error {
	_, err := tx.Exec(ctx, skipDue, tx.Now)
	return err
}
