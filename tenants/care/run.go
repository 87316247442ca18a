package care

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// RunJob does a run.
type RunJob struct {
	Run uuid.UUID `json:"run_id"`
}

// Kind names the job.
func (RunJob) Kind() string { return "care.run" }

// ByRun names a run.
type ByRun struct {
	ID uuid.UUID `json:"id"`
}

// Run is how far a run is.
type Run struct {
	ID        uuid.UUID  `json:"id"`
	Task      Task       `json:"task" enum:"extend,freeze,release,void,return_days"`
	Until     *string    `json:"valid_until" format:"date" nullable:"true" doc:"Of an extension"`
	Closure   *uuid.UUID `json:"closure_id" nullable:"true" doc:"Whose days are given back"`
	Reason    string     `json:"reason"`
	State     string     `json:"state" enum:"running,done,cancelled" doc:"cancelled: what was not done yet is left as it was"`
	StartedAt time.Time  `json:"started_at" doc:"UTC"`
	StartedBy string     `json:"started_by"`
	Own       bool       `json:"own" doc:"Whoever asks started it, and may stop it"`
	EndedAt   *time.Time `json:"ended_at" doc:"UTC; null while it runs"`
	Total     int        `json:"total"`
	Done      int        `json:"done" doc:"To so many vouchers it was done"`
	Refused   int        `json:"refused" doc:"To so many it could not be done"`
	Refusals  []Refusal  `json:"refusals" doc:"The first 200 of these; empty in a list of runs"`
}

// Refusal is a voucher to which it could not be done, and why.
type Refusal struct {
	Voucher uuid.UUID `json:"voucher_id"`
	Code    string    `json:"code"`
	Fault   string    `json:"fault"`
}

// Runs are the newest runs.
type Runs struct {
	Data []Run `json:"data"`
}

const (
	runColumns = `SELECT r.id, r.task, r.valid_until::text, r.closure_id, r.reason, r.state, r.started_at, s.name, r.started_by = $1, r.ended_at, i.total, i.done, i.refused FROM care_run r JOIN staff s ON s.id = r.started_by
		CROSS JOIN LATERAL (SELECT count(*) AS total, count(*) FILTER (WHERE i.made_id IS NOT NULL) AS done, count(*) FILTER (WHERE i.fault <> '') AS refused FROM care_item i WHERE i.run_id = r.id) i `
	oneRun    = runColumns + `WHERE r.id = $2`
	newest    = runColumns + `ORDER BY r.id DESC LIMIT 20`
	refusals  = `SELECT v.id, v.code, i.fault FROM care_item i JOIN voucher v ON v.id = i.voucher_id WHERE i.run_id = $1 AND i.fault <> '' ORDER BY i.fault, v.code LIMIT 200`
	runToDo   = `SELECT task, valid_until, closure_id, first_day::text, last_day::text, reason, started_by FROM care_run WHERE id = $1 AND state = 'running'`
	waiting   = `SELECT voucher_id FROM care_item WHERE run_id = $1 AND done_at IS NULL ORDER BY voucher_id LIMIT 100`
	lockItem  = `SELECT i.voucher_id FROM care_item i JOIN care_run r ON r.id = i.run_id WHERE i.run_id = $1 AND i.voucher_id = $2 AND i.done_at IS NULL AND r.state = 'running' FOR UPDATE OF i`
	endItem   = `UPDATE care_item SET done_at = $3, fault = $4, made_id = $5 WHERE run_id = $1 AND voucher_id = $2`
	endRun    = `UPDATE care_run SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'running'`
	whoseRun  = `SELECT started_by FROM care_run WHERE id = $1 FOR UPDATE`
	isRunning = `SELECT state = 'running' FROM care_run WHERE id = $1`
	allDone   = `SELECT NOT EXISTS (SELECT FROM care_item WHERE run_id = $1 AND done_at IS NULL)`
)

func readRun(row pgx.CollectableRow) (r Run, err error) {
	r.Refusals = []Refusal{}
	return r, row.Scan(&r.ID, &r.Task, &r.Until, &r.Closure, &r.Reason, &r.State, &r.StartedAt, &r.StartedBy, &r.Own, &r.EndedAt, &r.Total, &r.Done, &r.Refused)
}

// Run returns a run as an account sees it. It returns fault.Missing if there is none.
func (s *Service) Run(ctx context.Context, org, who, id uuid.UUID) (r Run, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, oneRun, who, id)
		if err != nil {
			return fmt.Errorf("care run %s: %w", id, err)
		}
		r, err = pgx.CollectExactlyOneRow(rows, readRun)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("care run %s: %w", id, err)
		}
		if rows, err = tx.Query(ctx, refusals, id); err != nil {
			return fmt.Errorf("refusals of care run %s: %w", id, err)
		}
		r.Refusals, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Refusal])
		return err
	})
	return r, err
}

// Runs returns the newest runs as an account sees them.
func (s *Service) Runs(ctx context.Context, org, who uuid.UUID) (list Runs, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, newest, who)
		if err != nil {
			return fmt.Errorf("care runs: %w", err)
		}
		list.Data, err = pgx.CollectRows(rows, readRun)
		return err
	})
	return list, err
}

// Cancel ends a run of one's own; what was not done yet is left as it was. It returns fault.Missing or ErrNotYours, and changes nothing of a run that
// has ended.
func (s *Service) Cancel(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var by uuid.UUID
		err := tx.QueryRow(ctx, whoseRun, id).Scan(&by)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fault.Missing
		case err != nil:
			return fmt.Errorf("care run %s: %w", id, err)
		case by != who.ID:
			return ErrNotYours
		}
		tx.Queue(endRun, id, "cancelled", tx.Now)
		return auditlog.Record(ctx, tx, who, "cancel", "care_run/"+id.String(), nil, nil)
	})
}

// work is a run that is done.
type work struct {
	id uuid.UUID
	run
	who auditlog.Actor
}

// Do does what is left of a run, each voucher in a transaction of its own. What was done before it was interrupted is not done again. A worker calls it.
func (s *Service) Do(ctx context.Context, org uuid.UUID, job RunJob) error {
	w := work{id: job.Run, who: auditlog.Actor{Kind: token.Owner}}
	err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		return tx.QueryRow(ctx, runToDo, job.Run).Scan(&w.Task, &w.Until, &w.Closure, &w.FirstDay, &w.LastDay, &w.Reason, &w.who.ID)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // cancelled, or done
	}
	if err != nil {
		return fmt.Errorf("care run %s: %w", job.Run, err)
	}
	for {
		var next []uuid.UUID
		err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
			rows, err := tx.Query(ctx, waiting, w.id)
			if err != nil {
				return err
			}
			next, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
		if err != nil {
			return fmt.Errorf("what is left of care run %s: %w", w.id, err)
		}
		if len(next) == 0 {
			return s.finish(ctx, org, w.id)
		}
		for _, id := range next {
			going, err := s.one(ctx, org, w, id)
			if err != nil || !going {
				return err
			}
		}
	}
}

// one does it to a voucher, or records why it cannot be done. It returns false if the run was cancelled.
func (s *Service) one(ctx context.Context, org uuid.UUID, w work, id uuid.UUID) (going bool, err error) {
	err = s.refunds.UntilStill(ctx, org, func() error {
		return s.inItem(ctx, org, w, id, &going, func(tx db.Tx) error {
			made, err := w.do(ctx, tx, id)
			if err != nil {
				return err
			}
			tx.Queue(endItem, w.id, id, tx.Now, "", made)
			return nil
		})
	})
	why, refused := errors.AsType[*fault.Fault](err)
	if !refused {
		return going, err
	}
	return going, s.inItem(ctx, org, w, id, &going, func(tx db.Tx) error {
		tx.Queue(endItem, w.id, id, tx.Now, why.Code, nil)
		return nil
	})
}

// inItem calls fn in a transaction that has locked who started a run, since what one account does counts together, and a voucher's place in the run. It does
// not if the voucher was done meanwhile, or the run was cancelled.
func (s *Service) inItem(ctx context.Context, org uuid.UUID, w work, id uuid.UUID, going *bool, fn func(tx db.Tx) error) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		staff.Lock(tx, w.who.ID)
		var locked uuid.UUID
		err := tx.QueryRow(ctx, lockItem, w.id, id).Scan(&locked)
		if errors.Is(err, pgx.ErrNoRows) {
			return tx.QueryRow(ctx, isRunning, w.id).Scan(going)
		}
		if err != nil {
			return fmt.Errorf("lock voucher %s of care run %s: %w", id, w.id, err)
		}
		*going = true
		return fn(tx)
	})
}

// do returns the id of what it made, or ended.
func (w work) do(ctx context.Context, tx db.Tx, id uuid.UUID) (made uuid.UUID, err error) {
	made = db.NewID()
	switch w.Task {
	case Extend:
		return made, refund.ExtendTx(ctx, tx, w.who, id, voucher.Extension{ID: made, Until: *w.Until, Reason: w.Reason, By: w.who.ID})
	case ReturnDays:
		if err := w.lockClosure(ctx, tx); err != nil {
			return made, err
		}
		return made, refund.ExtendTx(ctx, tx, w.who, id, voucher.Extension{ID: made, Closure: w.Closure, Reason: w.Reason, By: w.who.ID})
	case Void:
		return made, refund.VoidTx(ctx, tx, w.who, made, nil, refund.VoidInput{ID: id, Reason: w.Reason})
	case Freeze:
		return voucher.FreezeTx(ctx, tx, w.who, voucher.FreezeInput{ID: id, Reason: w.Reason})
	}
	return voucher.ReleaseTx(ctx, tx, w.who, id)
}

func (s *Service) finish(ctx context.Context, org, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var all bool
		if err := tx.QueryRow(ctx, allDone, id).Scan(&all); err != nil || !all {
			return err
		}
		tx.Queue(endRun, id, "done", tx.Now)
		return notice.SendTableUpdate(ctx, tx, voucher.Vouchers.Name())
	})
}
