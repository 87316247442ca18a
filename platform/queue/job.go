// Package queue does what must happen after a commit, and does it even when Redis forgets everything.
//
// Put writes a row into the outbox of the transaction's own schema, so the job exists exactly when the change does.
// What there is only to tell, a Herald tells at once. A Relay hands other rows that are due to Asynq, with the row's id as
// task id; a Server runs them through a Mux. The task in Redis carries no payload: it names a row and proves by a MAC that we
// wrote it. What Redis loses, the relay's sweep hands over again, so every handler may run twice; Handle's done-marker makes
// the second run do nothing.
package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// Job is a payload: a small struct that travels as JSON. Kind is its stable name, e.g. "topup.expire".
type Job interface{ Kind() string }

// row is what the payload column holds: the job, and the trace it belongs to.
type row struct {
	Job   json.RawMessage `json:"job"`
	Trace string          `json:"trace,omitempty"`
	// Tick marks a row that a schedule will write again: it is deleted when done, not kept.
	Tick bool `json:"tick,omitempty"`
}

// Enqueue makes job happen as soon as tx has been committed. In the platform's schema it makes a job of the platform.
func Enqueue(ctx context.Context, tx db.Tx, job Job) error { return EnqueueAt(ctx, tx, tx.Now, job) }

// EnqueueAt makes job happen once due has come, if tx is committed.
func EnqueueAt(ctx context.Context, tx db.Tx, due time.Time, job Job) error {
	return enqueueEach(ctx, tx, due, []TracedJob{{job, TraceOf(ctx)}})
}

// TracedJob is a job, and the trace of who told it where that is not the context's: several callers share a transaction.
type TracedJob struct {
	Job   Job
	Trace string
}

// EnqueueAll is Put for jobs of several callers.
func EnqueueAll(ctx context.Context, tx db.Tx, jobs []TracedJob) error {
	if len(jobs) == 0 {
		return nil
	}
	return enqueueEach(ctx, tx, tx.Now, jobs)
}

func enqueueEach(ctx context.Context, tx db.Tx, due time.Time, jobs []TracedJob) error {
	rows := make([]row, len(jobs))
	for i, traced := range jobs {
		body, err := json.Marshal(traced.Job)
		if err != nil {
			return fmt.Errorf("queue: payload of %s: %w", traced.Job.Kind(), err)
		}
		rows[i] = row{Job: body, Trace: traced.Trace}
	}
	insert(ctx, tx, db.Column(jobs, func(TracedJob) uuid.UUID { return db.NewID() }), due, db.Column(jobs, func(t TracedJob) string { return t.Job.Kind() }), rows)
	return nil
}

var insertRows = db.Bulk(`INSERT INTO outbox (id, kind, payload, due_at)
	SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::jsonb[]), $4 ON CONFLICT (id) DO NOTHING`)

func insert(ctx context.Context, tx db.Tx, ids []uuid.UUID, due time.Time, kinds []string, rows []row) {
	if dispatcher := dispatcherFrom(ctx); dispatcher != nil && dispatcher.allInline(kinds) && !due.After(tx.Now) {
		tx.QueueRows(insertRows, ids, kinds, rows, tx.Now.Add(VisibilityTimeout))
		dispatcher.piggyback(tx)
		tx.AfterCommit(func(context.Context) { dispatcher.take(tx.Org, ids, kinds, rows) })
		return
	}
	tx.QueueRows(insertRows, ids, kinds, rows, due)
	if waker := wakerFrom(ctx); waker != nil {
		tx.AfterCommit(func(ctx context.Context) { waker.Wake(ctx, tx, due) })
	}
}

const skipDue = `UPDATE outbox SET done_at = $1 WHERE done_at IS NULL AND due_at <= $1`

// SkipDue counts everything that has fallen due in tx's schema as done, undone: for what is written with a clock of its own, of whose
// news nobody waits to hear.
func SkipDue(ctx context.Context, tx db.Tx) error {
	_, err := tx.Exec(ctx, skipDue, tx.Now)
	return err
}
