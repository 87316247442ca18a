// Package queue does what must happen after a commit, and does it even when Redis forgets everything.
//
// Put writes a row into the outbox of the transaction's own schema, so the job exists exactly when the change does.
// A Relay hands due rows to Asynq, with the row's id as task id; a Server runs them through a Mux. The task in Redis
// carries no payload: it names a row and proves by a MAC that we wrote it. What Redis loses, the relay's sweep hands
// over again, so every handler may run twice; Handle's done-marker makes the second run do nothing.
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

// Put makes job happen as soon as tx has been committed. In the platform's schema it makes a job of the platform.
func Put(ctx context.Context, tx db.Tx, job Job) error { return PutAt(ctx, tx, tx.Now, job) }

// PutAt makes job happen once due has come, if tx is committed.
func PutAt(ctx context.Context, tx db.Tx, due time.Time, job Job) error {
	body, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("queue: payload of %s: %w", job.Kind(), err)
	}
	insert(ctx, tx, db.NewID(), due, job.Kind(), row{Job: body, Trace: traceOf(ctx)})
	return nil
}

const insertRow = `INSERT INTO outbox (id, kind, payload, due_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`

func insert(ctx context.Context, tx db.Tx, id uuid.UUID, due time.Time, kind string, r row) {
	tx.Later(insertRow, id, kind, r, due)
	if hints := hintsFrom(ctx); hints != nil {
		tx.AfterCommit(func(ctx context.Context) { hints.give(ctx, tx, due) })
	}
}
