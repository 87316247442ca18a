package payout

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/tax"
)

// DraftInput is which payouts a run collects, and when they are to be paid.
type DraftInput struct {
	Kind    Kind         `json:"kind" enum:"agent,refund" doc:"agent: commission. refund: refunds to bank accounts, and what is paid out of wallets to them"`
	UpTo    string       `json:"up_to" format:"date" doc:"What could be paid out by the end of this day is collected; it is over"`
	PayDay  string       `json:"pay_day" format:"date" doc:"A bank day after today"`
	Minimum money.Amount `json:"minimum_satang" minimum:"1" maximum:"100000000" doc:"Of commission: who would be paid less waits for the next run"`
}

// ByRun names a run.
type ByRun struct {
	ID uuid.UUID `json:"id"`
}

// ByPayout names a payout.
type ByPayout struct {
	ID uuid.UUID `json:"id"`
}

// Proposal asks a second person to approve a run as it was looked at.
type Proposal struct {
	ID   uuid.UUID `json:"id"`
	Hash string    `json:"hash" maxLength:"64" doc:"Of the run, as it was looked at"`
	Note string    `json:"note" minLength:"1" maxLength:"500" doc:"For the second person"`
}

// Asked is a run that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

// WorkJob computes or books what is left of a run.
type WorkJob struct {
	Run uuid.UUID `json:"run_id"`
}

// Kind names the job.
func (WorkJob) Kind() string { return "payout.work" }

const (
	insertRun = `INSERT INTO payout_run (id, number, kind, means, state, up_to, pay_day, minimum_satang, postponed, drafted_at, drafted_by, schedule_id)
		SELECT $1, 'PO' || lpad((count(*) + 1)::text, 4, '0'), $9, 'file', 'draft', $2, $3, $4, $5, $6, $7, $8 FROM payout_run ON CONFLICT DO NOTHING`
	readRun = `SELECT r.id, r.number, r.kind, r.state, r.up_to, r.pay_day, r.minimum_satang, r.postponed, r.hash, r.file_hash, r.drafted_by, r.schedule_id, r.computed_at, r.booked_at,
		EXISTS (SELECT FROM approval a WHERE a.id = r.approval_id AND a.state = 'waiting' AND a.due_at > $2) FROM payout_run r WHERE r.id = $1`
	lockRun    = readRun + ` FOR UPDATE OF r`
	cancelRun  = `UPDATE payout_run SET state = 'cancelled', ended_at = $2 WHERE id = $1`
	proposeRun = `UPDATE payout_run SET approval_id = $2 WHERE id = $1`
	approveRun = `UPDATE payout_run SET state = 'approved', approved_at = $2 WHERE id = $1`
	postponeOf = `UPDATE payout_run SET postponed = array_append(postponed, $2), hash = $3 WHERE id = $1`
	leaveOut   = `UPDATE payout SET state = 'left_out', left_out = $2 WHERE id = $1`
	dropLines  = `DELETE FROM payout_line WHERE payout_id = ANY ($1)`
	readyOf    = `SELECT count(*), coalesce(sum(net_satang), 0)::bigint FROM payout WHERE run_id = $1 AND state = 'ready'`
	runOf      = `SELECT run_id FROM payout WHERE id = $1`
	lockReady  = `SELECT coalesce(payee_id, remittance_id) FROM payout WHERE id = $1 AND state = 'ready' FOR UPDATE`
	answeredBy = `SELECT answered_by, alone FROM approval WHERE id = $1`
	paysSelf   = `SELECT EXISTS (SELECT FROM payout p LEFT JOIN agent a ON a.id = p.payee_id LEFT JOIN remittance m ON m.id = p.remittance_id LEFT JOIN former_customer f ON f.customer_id = m.customer_id
		JOIN customer c ON c.id = coalesce(a.customer_id, f.successor_id, m.customer_id) JOIN staff s ON s.line_sub = c.line_sub WHERE p.run_id = $1 AND p.state = 'ready' AND s.id = $2)`
	computedRows = `SELECT position, coalesce(payee_id, remittance_id), version_id, state, coalesce(left_out, ''), lines, gross_satang, withheld_satang FROM payout WHERE run_id = $1 ORDER BY position`
)

// run is a row of payout_run. Days are at midnight UTC.
type run struct {
	ID        uuid.UUID
	Number    string
	Kind      Kind
	State     State
	UpTo      time.Time
	PayDay    time.Time
	Minimum   money.Amount
	Postponed []uuid.UUID // payees, or transfers
	Hash      []byte
	FileHash  []byte
	DraftedBy *uuid.UUID // nil of a schedule's
	Schedule  *uuid.UUID
	Computed  *time.Time
	Booked    *time.Time
	Proposed  bool // a request waits for a second person
}

// read returns a run as sql has it, or fault.Missing.
func read(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (r run, err error) {
	rows, err := tx.Query(ctx, sql, id, tx.Now)
	if err != nil {
		return r, fmt.Errorf("payout run %s: %w", id, err)
	}
	r, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[run])
	if errors.Is(err, pgx.ErrNoRows) {
		return r, fault.Missing
	}
	if err != nil {
		return r, fmt.Errorf("payout run %s: %w", id, err)
	}
	return r, nil
}

// lockOpen locks a draft that nobody has proposed, or has proposed in vain. It returns fault.Missing or ErrNotNow.
func lockOpen(ctx context.Context, tx db.Tx, id uuid.UUID) (run, error) {
	r, err := read(ctx, tx, lockRun, id)
	if err == nil && (r.State != Draft || r.Proposed) {
		err = ErrNotNow
	}
	return r, err
}

// lockDraft is lockOpen of a draft that is computed. It returns ErrComputing of another.
func lockDraft(ctx context.Context, tx db.Tx, id uuid.UUID) (run, error) {
	r, err := lockOpen(ctx, tx, id)
	if err == nil && r.Computed == nil {
		err = ErrComputing
	}
	return r, err
}

// changed notifies screens that a run has changed, and records by whom.
func changed(ctx context.Context, tx db.Tx, who auditlog.Actor, does string, r uuid.UUID, in any) error {
	if err := notice.SendTableUpdate(ctx, tx, Runs.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, does, Runs.Name()+"/"+r.String(), nil, in)
}

// checkDays returns why a run cannot be drafted, or proposed, with these days. today is a day in Bangkok.
func (s *Service) checkDays(ctx context.Context, of Kind, upTo, pay, today time.Time) error {
	if !upTo.Before(today) {
		return fault.At("up_to", bankfile.ErrDayNotOver)
	}
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return err
	}
	if !pay.After(today) || !calendar.IsBankDay(pay) {
		return fault.At("pay_day", ErrNoBankDay)
	}
	if of == Refunds {
		return nil
	}
	rules, err := tax.Read(ctx, s.db)
	if err != nil {
		return err
	}
	for _, class := range []tax.Class{{Resident: true}, {Company: true, Resident: true}} {
		if _, err := rules.Of(class, pay); err != nil {
			return err
		}
	}
	_, err = rules.WithoutVAT(0, pay)
	return err
}

// Draft begins a run, which a job computes. It returns fault.WrongFormat, bankfile.ErrDayNotOver, ErrNoBankDay, tax.ErrNoRule, or ErrDraftOpen if a draft of its
// kind is open.
func (s *Service) Draft(ctx context.Context, org uuid.UUID, who auditlog.Actor, in DraftInput) (of ByRun, err error) {
	upTo, err := bankfile.ParseDay("up_to", in.UpTo)
	if err != nil {
		return of, err
	}
	pay, err := bankfile.ParseDay("pay_day", in.PayDay)
	if err != nil {
		return of, err
	}
	if err := s.checkDays(ctx, in.Kind, upTo, pay, clock.Day(s.db.Now())); err != nil {
		return of, err
	}
	of.ID = db.NewID()
	return of, s.db.InOrg(ctx, org, func(tx db.Tx) error {
		return begin(ctx, tx, who, run{ID: of.ID, Kind: in.Kind, UpTo: upTo, PayDay: pay, Minimum: in.Minimum, Postponed: []uuid.UUID{}, DraftedBy: &who.ID})
	})
}

// begin inserts a draft. It returns ErrDraftOpen if one of its kind is open.
func begin(ctx context.Context, tx db.Tx, who auditlog.Actor, r run) error {
	done, err := tx.Exec(ctx, insertRun, r.ID, r.UpTo, r.PayDay, r.Minimum, r.Postponed, tx.Now, r.DraftedBy, r.Schedule, r.Kind)
	if err != nil {
		return fmt.Errorf("draft a payout run: %w", err)
	}
	if done.RowsAffected() == 0 {
		return ErrDraftOpen
	}
	if err := queue.Enqueue(ctx, tx, WorkJob{r.ID}); err != nil {
		return err
	}
	return changed(ctx, tx, who, "draft", r.ID, DraftInput{r.Kind, r.UpTo.Format(time.DateOnly), r.PayDay.Format(time.DateOnly), r.Minimum})
}

// Recompute puts a new draft of the same days in the place of one; who was postponed stays so. It returns fault.Missing, ErrNotNow, ErrComputing, or a fault
// of Draft.
func (s *Service) Recompute(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) (of ByRun, err error) {
	var r run
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		r, err = read(ctx, tx, readRun, id)
		return err
	})
	if err != nil {
		return of, err
	}
	if err := s.checkDays(ctx, r.Kind, r.UpTo, r.PayDay, clock.Day(s.db.Now())); err != nil {
		return of, err
	}
	of.ID = db.NewID()
	return of, s.db.InOrg(ctx, org, func(tx db.Tx) error {
		r, err := lockDraft(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := cancel(ctx, tx, who, id); err != nil {
			return err
		}
		r.ID, r.DraftedBy, r.Schedule = of.ID, &who.ID, nil
		return begin(ctx, tx, who, r)
	})
}

// Cancel ends a draft that nobody has proposed; what it collected can be collected again. It returns fault.Missing or ErrNotNow.
func (s *Service) Cancel(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if _, err := lockOpen(ctx, tx, id); err != nil {
			return err
		}
		return cancel(ctx, tx, who, id)
	})
}

func cancel(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID) error {
	if _, err := tx.Exec(ctx, cancelRun, id, tx.Now); err != nil {
		return fmt.Errorf("cancel payout run %s: %w", id, err)
	}
	if err := queue.Enqueue(ctx, tx, WorkJob{id}); err != nil {
		return err
	}
	return changed(ctx, tx, who, "cancel", id, nil)
}

// Postpone leaves a payee, or a transfer, of a draft to the next run. It returns fault.Missing, ErrNotNow or ErrComputing.
func (s *Service) Postpone(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var of, paid uuid.UUID
		if err := tx.QueryRow(ctx, runOf, id).Scan(&of); errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		} else if err != nil {
			return fmt.Errorf("run of payout %s: %w", id, err)
		}
		r, err := lockDraft(ctx, tx, of)
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, lockReady, id).Scan(&paid); errors.Is(err, pgx.ErrNoRows) {
			return ErrNotNow
		} else if err != nil {
			return fmt.Errorf("lock payout %s: %w", id, err)
		}
		tx.Queue(dropLines, []uuid.UUID{id})
		tx.Queue(leaveOut, id, "postponed")
		hash, err := hashOf(ctx, tx, r.ID)
		if err != nil {
			return err
		}
		tx.Queue(postponeOf, r.ID, paid, hash)
		return changed(ctx, tx, who, "postpone", r.ID, ByPayout{id})
	})
}

// Propose asks a second person to approve a draft; nothing moves until then. The same key asks once. It returns fault.Required without a note, fault.Missing, ErrNotNow,
// ErrComputing, ErrChanged, ErrEmpty, ErrDayPassed, or a fault of Draft.
func (s *Service) Propose(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in Proposal) (a Asked, err error) {
	if in.Note = strings.TrimSpace(in.Note); in.Note == "" {
		return a, fault.At("note", fault.Required)
	}
	var r run
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		r, err = read(ctx, tx, readRun, in.ID)
		return err
	})
	if err != nil {
		return a, err
	}
	days := s.checkDays(ctx, r.Kind, r.UpTo, r.PayDay, clock.Day(s.db.Now()))
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "payout.propose", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			r, err := lockDraft(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			if days != nil {
				return days
			}
			net, err := r.mayGoOn(ctx, tx, in.Hash)
			if err != nil {
				return err
			}
			err = approval.Ask(ctx, tx, who, id, approval.Request{
				Kind: Approvals.Name, Table: Runs.Name(), Record: r.ID, Title: r.Number, Amount: net, Note: in.Note, Input: Proposal{r.ID, in.Hash, in.Note},
			})
			if err != nil {
				return err
			}
			tx.Queue(proposeRun, r.ID, id)
			return changed(ctx, tx, who, "propose", r.ID, in)
		})
	return a, err
}

// mayGoOn returns the sum that a draft pays. It returns ErrChanged if it is not the one of a hash, or ErrEmpty.
func (r run) mayGoOn(ctx context.Context, tx db.Tx, hash string) (net money.Amount, err error) {
	if hex.EncodeToString(r.Hash) != hash {
		return 0, ErrChanged
	}
	var ready int
	if err := tx.QueryRow(ctx, readyOf, r.ID).Scan(&ready, &net); err != nil {
		return 0, fmt.Errorf("what payout run %s pays: %w", r.ID, err)
	}
	if ready == 0 {
		return 0, ErrEmpty
	}
	return net, nil
}

// Approvals are runs that a second person has to approve: all of them.
var Approvals = approval.KindOf[Proposal]{
	Name: "payout", Module: Runs.Module(), Letter: access.Status,
	Do: approve,
	Facts: func(ctx context.Context, tx db.Tx, in Proposal) ([]approval.Fact, error) {
		r, err := read(ctx, tx, readRun, in.ID)
		if err != nil {
			return nil, err
		}
		fact := approval.Fact{What: "run", Name: r.Number, Value: approval.Value{State: string(r.State)}}
		if err := tx.QueryRow(ctx, readyOf, r.ID).Scan(&fact.Value.Items, &fact.Value.Amount); err != nil {
			return nil, fmt.Errorf("what payout run %s pays: %w", r.ID, err)
		}
		return []approval.Fact{fact}, nil
	},
}.Kind()

// approve freezes a run as it was proposed; a job books it. Who answers neither drafted it nor is paid by it; only where nobody else could answer, he may have drafted it.
func approve(ctx context.Context, tx db.Tx, by approval.By, in Proposal) error {
	r, err := read(ctx, tx, lockRun, in.ID)
	if err != nil {
		return err
	}
	if r.State != Draft {
		return ErrNotNow
	}
	if _, err := r.mayGoOn(ctx, tx, in.Hash); err != nil {
		return err
	}
	if r.PayDay.Before(clock.Day(tx.Now)) {
		return ErrDayPassed
	}
	if open, err := ledger.FoundLast(ctx, tx); err != nil {
		return err
	} else if open {
		return ErrBooksOpen
	}
	who, err := r.mayApprove(ctx, tx, by.Approval)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, approveRun, r.ID, tx.Now); err != nil {
		return fmt.Errorf("approve payout run %s: %w", r.ID, err)
	}
	if err := queue.Enqueue(ctx, tx, WorkJob{r.ID}); err != nil {
		return err
	}
	return changed(ctx, tx, auditlog.Actor{Kind: by.Asked.Kind, ID: who, Request: by.Asked.Request}, "approve", r.ID, in)
}

// mayApprove returns who answers a request, or nobody while it is only looked at what approving it would change. It returns ErrSamePerson or ErrOwn.
func (r run) mayApprove(ctx context.Context, tx db.Tx, request uuid.UUID) (uuid.UUID, error) {
	var who *uuid.UUID
	var alone, self bool
	if err := tx.QueryRow(ctx, answeredBy, request).Scan(&who, &alone); err != nil {
		return uuid.Nil, fmt.Errorf("who answers %s: %w", request, err)
	}
	if who == nil {
		return uuid.Nil, nil
	}
	if r.DraftedBy != nil && *who == *r.DraftedBy && !alone {
		return *who, ErrSamePerson
	}
	if err := tx.QueryRow(ctx, paysSelf, r.ID, *who).Scan(&self); err != nil {
		return *who, fmt.Errorf("who is paid by payout run %s: %w", r.ID, err)
	}
	if self {
		return *who, ErrOwn
	}
	return *who, nil
}

// isPostponed reports whether somebody left a payee, or a transfer, to the next run.
func (r run) isPostponed(id uuid.UUID) bool { return slices.Contains(r.Postponed, id) }
