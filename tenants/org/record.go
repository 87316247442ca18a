package org

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
)

// Record is what the platform knows of an organisation beside what its pages show.
type Record struct {
	SuspendedAt *time.Time `json:"suspended_at" nullable:"true" doc:"UTC; null while it is not suspended"`
	Reason      string     `json:"suspension_reason" doc:"For the platform's own people; customers do not read it"`
	Health      *Health    `json:"health,omitempty" required:"false" doc:"None until it has a schema"`
	Log         []LogLine  `json:"log" doc:"What was changed of it, the latest first, fifty at most"`
}

// Health is whether an organisation's books balance and its jobs get done.
type Health struct {
	BooksAt      *time.Time `json:"books_at" nullable:"true" doc:"When its books were audited last, UTC"`
	BookFindings int64      `json:"book_findings" doc:"What that audit found; 0 is that they balance"`
	DueSince     *time.Time `json:"due_since" nullable:"true" doc:"Since when its oldest job is due and not done, UTC; null if none is"`
	GivenUp      int64      `json:"given_up" doc:"Jobs that failed so often that they are not tried again"`
}

const (
	suspensionOf = `SELECT suspended_at, suspension_reason, schema_name IS NOT NULL AND state <> 'provisioning' FROM organisation WHERE id = $1`

	lastBookAudit = `SELECT at, findings FROM book_audit ORDER BY id DESC LIMIT 1`
	openJobs      = `SELECT min(due_at) FILTER (WHERE attempts < $1 AND due_at <= $2), count(*) FILTER (WHERE attempts >= $1) FROM outbox WHERE done_at IS NULL`
)

// Record returns what the platform knows of an organisation. It returns ErrNotFound.
func (s *Service) Record(ctx context.Context, id uuid.UUID) (r Record, err error) {
	open := false
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		if err := tx.QueryRow(ctx, suspensionOf, id).Scan(&r.SuspendedAt, &r.Reason, &open); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, logOfObject, "organisation/"+id.String())
		if err != nil {
			return err
		}
		r.Log, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (LogLine, error) { return readLogLine(row) })
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return r, ErrNotFound
	}
	if err != nil {
		return r, fmt.Errorf("record of %s: %w", id, err)
	}
	if !open {
		return r, nil
	}
	r.Health = &Health{}
	err = s.db.ReadInOrg(ctx, id, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, lastBookAudit).Scan(&r.Health.BooksAt, &r.Health.BookFindings)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return tx.QueryRow(ctx, openJobs, queue.MaxAttempts, tx.Now).Scan(&r.Health.DueSince, &r.Health.GivenUp)
	})
	if err != nil {
		return r, fmt.Errorf("health of %s: %w", id, err)
	}
	return r, nil
}
