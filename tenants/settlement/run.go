package settlement

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/tax"
)

// DraftInput is what a run collects, and when it is to be paid.
type DraftInput struct {
	UpTo    string       `json:"up_to" format:"date" doc:"What was earned by the end of this day is collected; it is over"`
	PayDay  string       `json:"pay_day" format:"date" doc:"A bank day after today"`
	Minimum money.Amount `json:"minimum_satang" minimum:"1" maximum:"100000000" doc:"What would be paid less waits for the next run"`
}

// ByRun names a run.
type ByRun struct {
	ID uuid.UUID `json:"id"`
}

// Approval approves a run as it was looked at.
type Approval struct {
	ID   uuid.UUID `json:"id"`
	Hash string    `json:"hash" maxLength:"64" doc:"Of the run, as it was looked at"`
}

// Withdrawal takes an approved run back.
type Withdrawal struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"The organisations read it"`
}

// WorkJob computes and books what is left of runs, and has the books of organisations follow what was said of them.
type WorkJob struct{}

// Kind names the job.
func (WorkJob) Kind() string { return "settlement.work" }

const (
	insertRun = `INSERT INTO settlement_run (id, number, state, up_to, pay_day, minimum_satang, drafted_at, drafted_by)
		SELECT $1, 'ST' || lpad((count(*) + 1)::text, 4, '0'), 'draft', $2, $3, $4, $5, $6 FROM settlement_run ON CONFLICT DO NOTHING`
	runByID   = `SELECT id, number, state, up_to, pay_day, minimum_satang, hash, file_hash, drafted_at, drafted_by, computed_at, approved_at, approved_by, alone, booked_at, exported_at, ended_at FROM settlement_run WHERE id = $1`
	lockRun   = runByID + ` FOR UPDATE`
	cancelRun = `UPDATE settlement_run SET state = 'cancelled', ended_at = $2 WHERE id = $1`
	clearRun  = `UPDATE settlement SET state = 'left_out', left_out = 'cancelled' WHERE run_id = $1 AND state = 'ready'`
	approve   = `UPDATE settlement_run SET state = 'approved', approved_at = $2, approved_by = $3, alone = $4 WHERE id = $1`
	readyOf   = `SELECT count(*) FROM settlement WHERE run_id = $1 AND state = 'ready'`
	admins    = `SELECT id, role, permission FROM admin WHERE status = 5`
	endRun    = `UPDATE settlement_run SET state = 'closed', ended_at = $2 WHERE id = $1 AND state IN ('approved', 'exported') AND booked_at IS NOT NULL
		AND NOT EXISTS (SELECT FROM settlement s WHERE s.run_id = $1 AND s.state IN ('ready', 'booked', 'sent'))`
	takeBack = `UPDATE settlement SET state = 'failed', ended_at = $2, reason = $3 WHERE run_id = $1 AND state = 'booked'`
)

// run is a row of settlement_run. Days are at midnight UTC.
type run struct {
	ID         uuid.UUID
	Number     string
	State      State
	UpTo       time.Time
	PayDay     time.Time
	Minimum    money.Amount
	Hash       []byte
	FileHash   []byte
	Drafted    time.Time
	DraftedBy  uuid.UUID
	Computed   *time.Time
	Approved   *time.Time
	ApprovedBy *uuid.UUID
	Alone      bool
	Booked     *time.Time
	Exported   *time.Time
	Ended      *time.Time
}

// read returns a run as sql has it, or fault.Missing.
func read(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (r run, err error) {
	rows, err := tx.Query(ctx, sql, id)
	if err != nil {
		return r, fmt.Errorf("settlement run %s: %w", id, err)
	}
	r, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[run])
	if errors.Is(err, pgx.ErrNoRows) {
		return r, fault.Missing
	}
	if err != nil {
		return r, fmt.Errorf("settlement run %s: %w", id, err)
	}
	return r, nil
}

// done records who did what with a run.
func done(ctx context.Context, tx db.Tx, by auditlog.Actor, does string, id uuid.UUID, in any) error {
	return auditlog.Record(ctx, tx, by, does, "settlement_run/"+id.String(), nil, in)
}

// Draft begins a run, which a job computes. It returns fault.WrongFormat, bankfile.ErrDayNotOver or ErrNoBankDay at a field, or ErrDraftOpen if a draft is open.
func (s *Service) Draft(ctx context.Context, by auditlog.Actor, in DraftInput) (of ByRun, err error) {
	upTo, err := bankfile.ParseDay("up_to", in.UpTo)
	if err != nil {
		return of, err
	}
	pay, err := bankfile.ParseDay("pay_day", in.PayDay)
	if err != nil {
		return of, err
	}
	today := clock.Day(s.db.Now())
	if !upTo.Before(today) {
		return of, fault.At("up_to", bankfile.ErrDayNotOver)
	}
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return of, err
	}
	if !pay.After(today) || !calendar.IsBankDay(pay) {
		return of, fault.At("pay_day", ErrNoBankDay)
	}
	of.ID = db.NewID()
	return of, s.db.InPlatform(ctx, func(tx db.Tx) error {
		made, err := tx.Exec(ctx, insertRun, of.ID, upTo, pay, in.Minimum, tx.Now, by.ID)
		if err != nil {
			return fmt.Errorf("draft a settlement run: %w", err)
		}
		if made.RowsAffected() == 0 {
			return ErrDraftOpen
		}
		if err := queue.Enqueue(ctx, tx, WorkJob{}); err != nil {
			return err
		}
		return done(ctx, tx, by, "draft", of.ID, in)
	})
}

// Cancel ends a draft. It returns fault.Missing or ErrNotNow.
func (s *Service) Cancel(ctx context.Context, by auditlog.Actor, in ByRun) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, in.ID)
		if err != nil {
			return err
		}
		if r.State != Draft {
			return ErrNotNow
		}
		tx.Queue(cancelRun, r.ID, tx.Now)
		tx.Queue(clearRun, r.ID)
		return done(ctx, tx, by, "cancel", r.ID, nil)
	})
}

// Approve freezes a run as it was looked at, and has a job book it. Who approves did not draft it; where nobody else could, he signs in anew the day after. It returns
// fault.Missing, ErrNotNow, ErrComputing, ErrChanged, ErrEmpty, ErrDayPassed, ErrSamePerson or ErrRunTomorrow.
func (s *Service) Approve(ctx context.Context, who token.Session, by auditlog.Actor, in Approval) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, in.ID)
		if err != nil {
			return err
		}
		var ready int
		if err := tx.QueryRow(ctx, readyOf, r.ID).Scan(&ready); err != nil {
			return fmt.Errorf("what settlement run %s pays: %w", r.ID, err)
		}
		switch {
		case r.State != Draft:
			return ErrNotNow
		case r.Computed == nil:
			return ErrComputing
		case hex.EncodeToString(r.Hash) != in.Hash:
			return ErrChanged
		case ready == 0:
			return ErrEmpty
		case r.PayDay.Before(clock.Day(tx.Now)):
			return ErrDayPassed
		}
		alone := r.DraftedBy == by.ID
		if alone {
			if err := mayAlone(ctx, tx, who, r); err != nil {
				return err
			}
		}
		tx.Queue(approve, r.ID, tx.Now, by.ID, alone)
		if err := queue.Enqueue(ctx, tx, WorkJob{}); err != nil {
			return err
		}
		return done(ctx, tx, by, "approve", r.ID, in)
	})
}

// mayAlone returns what keeps the admin who drafted a run from approving it himself.
func mayAlone(ctx context.Context, tx db.Tx, who token.Session, r run) error {
	rows, err := tx.Query(ctx, admins)
	if err != nil {
		return fmt.Errorf("admins: %w", err)
	}
	var id uuid.UUID
	var role string
	var permission map[string]string
	others := false
	_, err = pgx.ForEachRow(rows, []any{&id, &role, &permission}, func() error {
		others = others || id != who.Subject && access.AdminCan(role, permission, "payment", access.Approve)
		return nil
	})
	if err != nil {
		return fmt.Errorf("admins: %w", err)
	}
	if others {
		return ErrSamePerson
	}
	if !clock.Day(who.Began()).After(clock.Day(r.Drafted)) {
		return ErrRunTomorrow
	}
	return nil
}

// Withdraw takes back a run that is booked and whose file nobody has made: what it would have paid is payable again. It returns fault.Required without a reason,
// fault.Missing, ErrBooking or ErrNotNow.
func (s *Service) Withdraw(ctx context.Context, by auditlog.Actor, in Withdrawal) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, in.ID)
		switch {
		case err != nil:
			return err
		case r.State == Approved && r.Booked == nil:
			return ErrBooking
		case r.State != Approved:
			return ErrNotNow
		}
		tx.Queue(takeBack, r.ID, tx.Now, in.Reason)
		tx.Queue(endRun, r.ID, tx.Now)
		if err := queue.Enqueue(ctx, tx, WorkJob{}); err != nil {
			return err
		}
		return done(ctx, tx, by, "withdraw", r.ID, in)
	})
}
