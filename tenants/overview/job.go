package overview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/org"
)

// JobInput asks for a page of jobs that do not get done.
type JobInput struct {
	Org      *uuid.UUID `json:"org_id,omitempty" required:"false" doc:"Only of this organisation"`
	Platform bool       `json:"platform,omitempty" required:"false" doc:"Only the platform's own"`
	State    string     `json:"state,omitempty" required:"false" enum:"given_up,failing,late"`
	Limit    int        `json:"limit,omitempty" required:"false" minimum:"0" maximum:"200"`
	After    string     `json:"after,omitempty" required:"false" maxLength:"80" doc:"Next of the page before"`
}

// Job is one that does not get done.
type Job struct {
	ID       uuid.UUID  `json:"id"`
	Org      *uuid.UUID `json:"org_id" nullable:"true" doc:"Null for one of the platform itself"`
	NameTH   string     `json:"name_th" doc:"Of the organisation"`
	NameEN   string     `json:"name_en"`
	Kind     string     `json:"kind"`
	Due      time.Time  `json:"due_at" doc:"UTC"`
	Attempts int32      `json:"attempts"`
	Reason   string     `json:"reason" doc:"Why it failed last; empty if it never did"`
	GivenUp  bool       `json:"given_up" doc:"It is not tried again by itself"`
	MayStop  bool       `json:"may_stop" doc:"Nobody misses its work but who would have got a message or a file"`
}

// JobPage is a page of jobs, the oldest first.
type JobPage struct {
	Data   []Job   `json:"data"`
	Next   *string `json:"next" nullable:"true"`
	Counts Jobs    `json:"counts" doc:"Of all, whatever was asked for"`
	Seen   Seen    `json:"seen"`
}

// ByJob names a job.
type ByJob struct {
	ID  uuid.UUID  `json:"id"`
	Org *uuid.UUID `json:"org_id" nullable:"true" doc:"Null for one of the platform itself"`
}

// stoppable are jobs that send somebody a message, or make a file that can be asked for again. What others do has to happen: they move money or rights, or figures stand on them.
var stoppable = []string{"notice", "notice.update", "push.send", "receipt.send", "report.mail", "report.make"}

const (
	maxShown = 50
	jobs     = `SELECT j.id, j.org_id, coalesce(o.name_th, ''), coalesce(o.name_en, ''), j.kind, j.due_at, j.attempts, j.last_error, j.attempts >= $1, false FROM (
			SELECT NULL::uuid AS org_id, id, kind, due_at, attempts, last_error FROM outbox WHERE done_at IS NULL AND (attempts > 0 OR due_at <= $2) AND $3::uuid IS NULL
			UNION ALL SELECT org_id, id, kind, due_at, attempts, last_error FROM overview_job WHERE ($3::uuid IS NULL OR org_id = $3) AND NOT $4
		) j LEFT JOIN organisation o ON o.id = j.org_id
		WHERE CASE $5 WHEN 'given_up' THEN j.attempts >= $1 WHEN 'failing' THEN j.attempts BETWEEN 1 AND $1 - 1 WHEN 'late' THEN j.attempts < $1 AND j.due_at <= $2 ELSE true END
			AND ($6::timestamptz IS NULL OR (j.due_at, j.id) > ($6, $7::uuid))
		ORDER BY j.due_at, j.id LIMIT $8`
)

// Jobs returns a page of jobs that do not get done, of the platform and of every organisation.
func (s *Service) Jobs(ctx context.Context, in JobInput) (p JobPage, err error) {
	if in.Limit <= 0 {
		in.Limit = maxShown
	}
	after, afterID, err := readCursor(in.After)
	if err != nil {
		return p, err
	}
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		p.Data, err = collect(ctx, tx, pgx.RowToStructByPos[Job], jobs, queue.MaxAttempts, tx.Now.Add(-queue.LateAfter), in.Org, in.Platform, in.State, after, afterID, in.Limit+1)
		if err != nil {
			return err
		}
		var v Overview
		if err := tx.QueryRow(ctx, sums).Scan(&v.Balances.Unearned, &v.Balances.Payable, &v.Balances.Wallets, &v.Jobs.GivenUp, &v.Jobs.Late, &v.Jobs.Since,
			&v.Seen.Organisations, &v.Seen.Missing, &v.Seen.Oldest); err != nil {
			return err
		}
		err = v.addOwn(ctx, tx)
		p.Counts, p.Seen = v.Jobs, v.Seen
		return err
	})
	if err != nil {
		return p, fmt.Errorf("jobs: %w", err)
	}
	for n := range p.Data {
		p.Data[n].MayStop = p.Data[n].GivenUp && slices.Contains(stoppable, p.Data[n].Kind)
	}
	if len(p.Data) > in.Limit {
		p.Data = p.Data[:in.Limit]
		last := p.Data[in.Limit-1]
		next := last.Due.UTC().Format(time.RFC3339Nano) + "/" + last.ID.String()
		p.Next = &next
	}
	return p, nil
}

// readCursor returns nil for none, and fault.BadInput for a text that no page has as Next.
func readCursor(text string) (at *time.Time, id *uuid.UUID, err error) {
	if text == "" {
		return nil, nil, nil
	}
	due, of, _ := strings.Cut(text, "/")
	parsed, err := time.Parse(time.RFC3339Nano, due)
	if err != nil {
		return nil, nil, fault.At("after", fault.WrongFormat)
	}
	read, err := uuid.Parse(of)
	if err != nil {
		return nil, nil, fault.At("after", fault.WrongFormat)
	}
	return &parsed, &read, nil
}

// RunAgain has a job that was given up be tried again. Who did it stands in the audit log of the job's schema, and in the platform's. It returns queue.ErrNotGivenUp.
func (s *Service) RunAgain(ctx context.Context, who auditlog.Actor, in ByJob) error {
	return s.change(ctx, who, "run_again", in, func(tx db.Tx) (queue.Undone, error) { return queue.RunAgain(ctx, tx, in.ID) })
}

// Stop marks a job that was given up as done, without its work. It returns queue.ErrNeeded for one whose work somebody would miss, or queue.ErrNotGivenUp.
func (s *Service) Stop(ctx context.Context, who auditlog.Actor, in ByJob) error {
	return s.change(ctx, who, "stop_job", in, func(tx db.Tx) (queue.Undone, error) { return queue.Stop(ctx, tx, in.ID, stoppable) })
}

// find returns org.ErrNotFound unless an organisation is open.
func (s *Service) find(ctx context.Context, id uuid.UUID) error {
	o, err := s.orgs.ByID(ctx, id)
	if err == nil && !o.Answers() {
		return org.ErrNotFound
	}
	return err
}

// Look is Follow for who asks for it. It returns org.ErrNotFound.
func (s *Service) Look(ctx context.Context, id uuid.UUID) error {
	if err := s.find(ctx, id); err != nil {
		return err
	}
	return s.Follow(ctx, id)
}

// changed is what the audit log says of a job.
type changed struct {
	Job    string     `json:"job"`
	Org    *uuid.UUID `json:"org_id,omitempty"`
	Reason string     `json:"reason"`
}

func (s *Service) change(ctx context.Context, who auditlog.Actor, does string, in ByJob, change func(tx db.Tx) (queue.Undone, error)) error {
	object := "outbox/" + in.ID.String()
	var was queue.Undone
	work := func(tx db.Tx) (err error) {
		if was, err = change(tx); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, does, object, nil, changed{Job: was.Kind, Reason: was.LastError})
	}
	if in.Org == nil {
		return s.db.InPlatform(ctx, work)
	}
	if err := s.find(ctx, *in.Org); err != nil {
		return err
	}
	if err := s.db.InOrg(ctx, *in.Org, work); err != nil {
		return err
	}
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		return auditlog.Record(ctx, tx, who, does, object, nil, changed{was.Kind, in.Org, was.LastError})
	})
	if err != nil {
		return err
	}
	return s.Follow(ctx, *in.Org)
}
