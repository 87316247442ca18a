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

// row is the content of the payload column: the job, and the trace of the request that enqueued it.
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
	return enqueueEach(ctx, tx, due, []TracedJob{{Job: job, Trace: TraceOf(ctx)}})
}

// TracedJob is a job with the trace of its own caller, for a transaction that several callers share.
type TracedJob struct {
	Job   Job
	Trace string
	// Delay is how long after the transaction it falls due. What is delayed gets no hint for the relay: the sweep finds it some
	// seconds later, and the transaction asks Redis for nothing.
	Delay time.Duration
}

// EnqueueAll is Enqueue for the jobs of several callers.
func EnqueueAll(ctx context.Context, tx db.Tx, jobs []TracedJob) error {
	if len(jobs) == 0 {
		return nil
	}
	return enqueueEach(ctx, tx, tx.Now, jobs)
}

func enqueueEach(ctx context.Context, tx db.Tx, due time.Time, jobs []TracedJob) error {
	rows := make([]newRow, len(jobs))
	for i, traced := range jobs {
		body, err := json.Marshal(traced.Job)
		if err != nil {
			return fmt.Errorf("queue: payload of %s: %w", traced.Job.Kind(), err)
		}
		rows[i] = newRow{outboxRow{db.NewID(), traced.Job.Kind(), row{Job: body, Trace: traced.Trace}, due.Add(traced.Delay)}, traced.Delay == 0}
	}
	insert(ctx, tx, rows...)
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

// newRow is a row to insert, and whether the relay gets a hint when it is due.
type newRow struct {
	outboxRow
	hint bool
}

// insert queues the insert of rows. Those that a Dispatcher runs are its own after the commit.
func insert(ctx context.Context, tx db.Tx, rows ...newRow) {
	dispatcher := dispatcherFrom(ctx)
	var inline []outboxRow
	var due time.Time // of the first that gets a hint
	for i := range rows {
		r := &rows[i]
		switch {
		case dispatcher != nil && dispatcher.runs(r.Kind) && !r.Due.After(tx.Now):
			r.Due = tx.Now.Add(VisibilityTimeout)
			inline = append(inline, r.outboxRow)
		case r.hint && (due.IsZero() || r.Due.Before(due)):
			due = r.Due
		}
	}
	insertRows.Queue(tx, db.Column(rows, func(r newRow) outboxRow { return r.outboxRow }))
	if len(inline) > 0 {
		tx.AfterCommit(func(context.Context) { dispatcher.take(tx.Org, inline) })
	}
	if waker := wakerFrom(ctx); waker != nil && !due.IsZero() {
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
