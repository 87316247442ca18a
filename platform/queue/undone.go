package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Undone is a row of an outbox that failed, or is late.
type Undone struct {
	ID        uuid.UUID `db:"id"`
	Kind      string    `db:"kind"`
	Due       time.Time `db:"due_at"`
	Attempts  int32     `db:"attempts"`
	LastError string    `db:"last_error"`
}

// LateAfter is how long a row may be due before it counts as late. The relay looks at all outboxes every ten minutes.
const LateAfter = 15 * time.Minute

// Backlog counts what is not done in an outbox.
type Backlog struct {
	GivenUp int64      // failed MaxAttempts times
	Late    int64      // due for LateAfter, and not given up
	Since   *time.Time // the oldest that is due and not given up
}

const (
	countBacklog = `SELECT count(*) FILTER (WHERE attempts >= $1), count(*) FILTER (WHERE attempts < $1 AND due_at <= $3), min(due_at) FILTER (WHERE attempts < $1 AND due_at <= $2)
		FROM outbox WHERE done_at IS NULL`
	undone = `SELECT id, kind, due_at, attempts, last_error FROM outbox WHERE done_at IS NULL AND (attempts > 0 OR due_at <= $1)
		ORDER BY attempts >= $2 DESC, due_at, id LIMIT $3`
	runAgain = `UPDATE outbox SET attempts = 0, enqueued_at = NULL, due_at = $2 WHERE id = $1 AND done_at IS NULL AND attempts >= $3 RETURNING kind, last_error`
	stopJob  = `UPDATE outbox SET done_at = $2 WHERE id = $1 AND done_at IS NULL AND attempts >= $3 AND kind = ANY ($4) RETURNING kind, last_error`
	kindOf   = `SELECT kind FROM outbox WHERE id = $1 AND done_at IS NULL AND attempts >= $2`
)

// Faults of rows that were given up.
var (
	ErrNotGivenUp = fault.New(fault.Conflict, "job.not_given_up", "This job is done, or is tried again by itself")
	ErrNeeded     = fault.New(fault.Conflict, "job.needed", "What this job does has to happen. Have it run again")
)

// ReadBacklog counts what is not done in the outbox of tx's schema.
func ReadBacklog(ctx context.Context, tx db.Tx) (b Backlog, err error) {
	err = tx.QueryRow(ctx, countBacklog, MaxAttempts, tx.Now, tx.Now.Add(-LateAfter)).Scan(&b.GivenUp, &b.Late, &b.Since)
	return b, err
}

// ReadUndone returns rows of the outbox of tx's schema that failed or are late: those that were given up, and the oldest.
func ReadUndone(ctx context.Context, tx db.Tx, limit int) ([]Undone, error) {
	rows, err := tx.Query(ctx, undone, tx.Now.Add(-LateAfter), MaxAttempts, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Undone])
}

// RunAgain has a row that was given up be tried again as often as at first. It returns what the row was, or ErrNotGivenUp.
func RunAgain(ctx context.Context, tx db.Tx, id uuid.UUID) (was Undone, err error) {
	was.ID = id
	err = tx.QueryRow(ctx, runAgain, id, tx.Now, MaxAttempts).Scan(&was.Kind, &was.LastError)
	if errors.Is(err, pgx.ErrNoRows) {
		return was, ErrNotGivenUp
	}
	if err != nil {
		return was, fmt.Errorf("run job %s again: %w", id, err)
	}
	if waker := wakerFrom(ctx); waker != nil {
		tx.AfterCommit(func(ctx context.Context) { waker.Wake(ctx, tx, tx.Now) })
	}
	return was, nil
}

// Stop marks a row that was given up as done, without its work. It returns what the row was, ErrNeeded unless kinds has its kind, or ErrNotGivenUp.
func Stop(ctx context.Context, tx db.Tx, id uuid.UUID, kinds []string) (was Undone, err error) {
	was.ID = id
	err = tx.QueryRow(ctx, stopJob, id, tx.Now, MaxAttempts, kinds).Scan(&was.Kind, &was.LastError)
	if err == nil {
		return was, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return was, fmt.Errorf("stop job %s: %w", id, err)
	}
	err = tx.QueryRow(ctx, kindOf, id, MaxAttempts).Scan(&was.Kind)
	if errors.Is(err, pgx.ErrNoRows) {
		return was, ErrNotGivenUp
	}
	if err != nil {
		return was, fmt.Errorf("stop job %s: %w", id, err)
	}
	return was, ErrNeeded
}
