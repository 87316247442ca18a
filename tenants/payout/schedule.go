package payout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/tax"
)

// Rhythm is on which days of a week or a month a run of a kind is drafted by itself.
type Rhythm struct {
	Kind  Kind   `json:"kind" enum:"agent,refund" doc:"agent: commission. refund: refunds to bank accounts, and what is paid out of wallets to them"`
	Every string `json:"every" enum:"week,month"`
	Day   int    `json:"day" minimum:"1" maximum:"31" doc:"Of a week 1, Monday, to 7, Sunday; of a month 1 to 28, or 31, its last"`
}

// Schedule has a run drafted on some days, at 00:10, of what could be paid out by the end of the day before. People do the rest.
type Schedule struct {
	ID uuid.UUID `json:"id"`
	Rhythm
	Active  bool       `json:"active"`
	Since   time.Time  `json:"since" doc:"UTC; it was added or switched on"`
	Handled *time.Time `json:"handled_at" nullable:"true" doc:"UTC; its latest day was dealt with"`
	Outcome string     `json:"outcome" enum:",drafted,draft_open,no_bank_days,no_tax_rule,empty" doc:"Of its latest day. draft_open: another draft of its kind was open. no_bank_days: the banks' holidays of the year of the pay day were not known. no_tax_rule: no tax rule held on the pay day. empty: nobody could be paid"`
	Run     *uuid.UUID `json:"run_id" nullable:"true" doc:"The latest run that it drafted"`
	Number  string     `json:"run_number"`
	Next    *string    `json:"next_on" format:"date" nullable:"true" doc:"The day of its next draft; null while it is switched off"`
	PayDay  *string    `json:"next_pay_day" format:"date" nullable:"true" doc:"The pay day of that draft; null where the banks' holidays are not known"`
}

// Switch turns a schedule on or off.
type Switch struct {
	ID     uuid.UUID `json:"id"`
	Active bool      `json:"active"`
}

// OwnNext is when a payee is paid next.
type OwnNext struct {
	PayDay *string      `json:"pay_day" format:"date" nullable:"true" doc:"Of the run that is under way, or else of the next that a schedule drafts; null where neither is known"`
	Held   money.Amount `json:"held_satang" doc:"What could be paid out, and is in no payout while the organisation takes a look"`
}

// What became of a schedule's day. drafted has a run.
const (
	drafted    = "drafted"
	draftOpen  = "draft_open"
	noBankDays = "no_bank_days"
	noTaxRule  = "no_tax_rule"
	empty      = "empty"
)

// lastOfMonth as the day of a month means its last.
const lastOfMonth = 31

// draftsAt is how long after midnight a run is drafted: what matures at midnight has matured by then.
const draftsAt = 10 * time.Minute

const (
	schedules = `SELECT s.id, s.kind, s.every, s.day, s.active, s.since, s.handled_at, coalesce(s.outcome, ''), r.id, coalesce(r.number, '') FROM payout_schedule s
		LEFT JOIN LATERAL (SELECT r.id, r.number FROM payout_run r WHERE r.schedule_id = s.id ORDER BY r.id DESC LIMIT 1) r ON true `
	allSchedules   = schedules + `ORDER BY s.kind, s.every DESC, s.day, s.id`
	lockSchedule   = schedules + `WHERE s.id = $1 FOR UPDATE OF s`
	insertSchedule = `INSERT INTO payout_schedule (id, kind, every, day, active, since) VALUES ($1, $5, $2, $3, true, $4)
		ON CONFLICT (kind, every, day) DO UPDATE SET active = true, since = excluded.since WHERE NOT payout_schedule.active RETURNING id`
	switchSchedule = `UPDATE payout_schedule SET active = $2, since = CASE WHEN $2 THEN $3 ELSE since END WHERE id = $1`
	handleSchedule = `UPDATE payout_schedule SET handled_at = $2, outcome = $3 WHERE id = $1`
	emptySchedule  = `UPDATE payout_schedule SET outcome = 'empty' WHERE id = $1 AND outcome = 'drafted'`
	somePayable    = `SELECT CASE $1 WHEN 'refund' THEN EXISTS (SELECT FROM remittance WHERE account_id IS NOT NULL AND state = 'approved') ELSE EXISTS (SELECT FROM payee_balance WHERE payable_satang > 0) END`
	// What of a payee no run pays because it is held. It needs what openLines needs.
	heldOf = `SELECT CASE WHEN EXISTS (SELECT FROM commission_hold h WHERE h.payee_id = ANY ($1) AND h.state = 'held' AND h.order_id IS NULL)
		THEN (SELECT coalesce(sum(b.payable_satang), 0) FROM payee_balance b WHERE b.payee_id = ANY ($1))
		ELSE (SELECT coalesce(sum(c.mature_satang), 0) FROM (` + openChanges + `) c WHERE c.commission_id IN (` + heldBack + `)) END::bigint`
	payeesOf   = `SELECT id FROM agent WHERE customer_id = $1`
	openPayDay = `SELECT min(pay_day) FROM payout_run WHERE kind = 'agent' AND state IN ('draft', 'approved', 'exported') AND pay_day >= $1`
)

// theClock drafts what a schedule says, and cancels it if it pays nobody.
var theClock = auditlog.Actor{Kind: "system"}

// has reports whether a day (clock.Day) is one of a rhythm.
func (r Rhythm) has(day time.Time) bool {
	if r.Every == "week" {
		return (int(day.Weekday())+6)%7+1 == r.Day
	}
	if r.Day == lastOfMonth {
		return day.AddDate(0, 0, 1).Day() == 1
	}
	return day.Day() == r.Day
}

// latest returns the latest moment up to now at which a schedule drafts.
func (r Rhythm) latest(now time.Time) time.Time {
	day := clock.Day(now.Add(-draftsAt))
	for !r.has(day) {
		day = day.AddDate(0, 0, -1)
	}
	return clock.Start(day).Add(draftsAt)
}

// isDue reports whether a schedule drafts now: also when nobody did on its day.
func (s Schedule) isDue(now time.Time) bool {
	at := s.latest(now)
	return s.Active && at.After(s.Since) && (s.Handled == nil || at.After(*s.Handled))
}

// next returns the day of its next draft (clock.Day); false while it is switched off.
func (s Schedule) next(now time.Time) (day time.Time, ok bool) {
	if s.isDue(now) {
		return clock.Day(now), true
	}
	day = clock.Day(now.Add(-draftsAt)).AddDate(0, 0, 1)
	for !s.has(day) {
		day = day.AddDate(0, 0, 1)
	}
	return day, s.Active
}

func scanSchedule(row pgx.CollectableRow) (s Schedule, err error) {
	return s, row.Scan(&s.ID, &s.Kind, &s.Every, &s.Day, &s.Active, &s.Since, &s.Handled, &s.Outcome, &s.Run, &s.Number)
}

func readSchedules(ctx context.Context, tx db.Tx) ([]Schedule, error) {
	rows, err := tx.Query(ctx, allSchedules)
	if err != nil {
		return nil, fmt.Errorf("schedules of payouts: %w", err)
	}
	list, err := pgx.CollectRows(rows, scanSchedule)
	if err != nil {
		return nil, fmt.Errorf("schedules of payouts: %w", err)
	}
	return list, nil
}

// lockOne locks a schedule. It returns fault.Missing if there is none.
func lockOne(ctx context.Context, tx db.Tx, id uuid.UUID) (s Schedule, err error) {
	rows, err := tx.Query(ctx, lockSchedule, id)
	if err != nil {
		return s, fmt.Errorf("schedule %s: %w", id, err)
	}
	s, err = pgx.CollectExactlyOneRow(rows, scanSchedule)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, fault.Missing
	}
	if err != nil {
		return s, fmt.Errorf("schedule %s: %w", id, err)
	}
	return s, nil
}

// AddSchedule has runs drafted by themselves from the next such day on; one of that day that is off is switched on. It returns the fault of a field if the day is
// none, or has a schedule that is on.
func (s *Service) AddSchedule(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Rhythm) error {
	if in.Every == "week" && in.Day > 7 || in.Every == "month" && in.Day > 28 && in.Day != lastOfMonth {
		return fault.At("day", fault.NotInList)
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var id uuid.UUID
		err := tx.QueryRow(ctx, insertSchedule, db.NewID(), in.Every, in.Day, tx.Now, in.Kind).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.At("day", fault.Duplicate)
		}
		if err != nil {
			return fmt.Errorf("add a schedule of payouts: %w", err)
		}
		return auditlog.Record(ctx, tx, who, "add", "payout_schedule/"+id.String(), nil, in)
	})
}

// SwitchSchedule turns a schedule on or off. What it missed while it was off is not drafted. It returns fault.Missing if there is none.
func (s *Service) SwitchSchedule(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Switch) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		before, err := lockOne(ctx, tx, in.ID)
		if err != nil || before.Active == in.Active {
			return err
		}
		if _, err := tx.Exec(ctx, switchSchedule, in.ID, in.Active, tx.Now); err != nil {
			return fmt.Errorf("switch schedule %s: %w", in.ID, err)
		}
		return auditlog.Record(ctx, tx, who, "change", "payout_schedule/"+in.ID.String(), Switch{in.ID, before.Active}, in)
	})
}

// dueSchedules returns the schedules that draft now.
func dueSchedules(ctx context.Context, tx db.Tx) (due []Schedule, err error) {
	all, err := readSchedules(ctx, tx)
	for _, one := range all {
		if one.isDue(tx.Now) {
			due = append(due, one)
		}
	}
	return due, err
}

// AnyScheduled reports whether DraftScheduled has anything to do.
func AnyScheduled(ctx context.Context, tx db.Tx) (bool, error) {
	due, err := dueSchedules(ctx, tx)
	return len(due) > 0, err
}

// DraftScheduled drafts the runs that schedules say, each once, and writes down of each schedule what became of its day. A worker calls it.
func (s *Service) DraftScheduled(ctx context.Context, org uuid.UUID) error {
	var due []Schedule
	err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		due, err = dueSchedules(ctx, tx)
		return err
	})
	if err != nil || len(due) == 0 {
		return err
	}
	today := clock.Day(s.db.Now())
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return err
	}
	upTo := today.AddDate(0, 0, -1)
	pay, known := calendar.BankDayAfter(today, bankDays)
	for _, one := range due {
		why := ""
		if !known {
			why = noBankDays
		} else if err := s.checkDays(ctx, one.Kind, upTo, pay, today); errors.Is(err, tax.ErrNoRule) {
			why = noTaxRule
		} else if err != nil {
			return err
		}
		err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
			now, err := lockOne(ctx, tx, one.ID)
			if err != nil || !now.isDue(tx.Now) {
				return err
			}
			outcome := why
			if outcome == "" {
				if outcome, err = now.draft(ctx, tx, upTo, pay); err != nil {
					return err
				}
			}
			if _, err := tx.Exec(ctx, handleSchedule, now.ID, tx.Now, outcome); err != nil {
				return fmt.Errorf("what became of schedule %s: %w", now.ID, err)
			}
			if outcome == drafted {
				return nil // the draft has notified screens
			}
			return notice.SendTableUpdate(ctx, tx, Runs.Name())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// draft drafts a run and returns what became of it. Where nothing can be paid out at all, or a draft of its kind is open, it drafts none.
func (s Schedule) draft(ctx context.Context, tx db.Tx, upTo, pay time.Time) (outcome string, err error) {
	var some bool
	if err := tx.QueryRow(ctx, somePayable, s.Kind).Scan(&some); err != nil {
		return "", fmt.Errorf("whether anything can be paid out: %w", err)
	}
	if !some {
		return empty, nil
	}
	setting, err := readMinimum(ctx, tx)
	if err != nil {
		return "", err
	}
	err = begin(ctx, tx, theClock, run{ID: db.NewID(), Kind: s.Kind, UpTo: upTo, PayDay: pay, Minimum: setting.Minimum, Postponed: []uuid.UUID{}, Schedule: &s.ID})
	if errors.Is(err, ErrDraftOpen) {
		return draftOpen, nil
	}
	return drafted, err
}

// endEmpty cancels a draft that a schedule made, if it pays nobody: nobody has to cancel it before the next one. Its payouts keep why each is left out.
func (r run) endEmpty(ctx context.Context, tx db.Tx) (ended bool, err error) {
	if r.Schedule == nil {
		return false, nil
	}
	var ready int
	var net money.Amount
	if err := tx.QueryRow(ctx, readyOf, r.ID).Scan(&ready, &net); err != nil {
		return false, fmt.Errorf("what payout run %s pays: %w", r.ID, err)
	}
	if ready > 0 {
		return false, nil
	}
	tx.Queue(emptySchedule, *r.Schedule)
	return true, cancel(ctx, tx, theClock, r.ID)
}

// OwnNext returns when payees are paid commission next.
func (s *Service) OwnNext(ctx context.Context, who token.Session) (next OwnNext, err error) {
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return next, err
	}
	now := s.db.Now()
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if err := readHeld(ctx, tx, who.Subject, now, &next.Held); err != nil {
			return err
		}
		var open *time.Time
		if err := tx.QueryRow(ctx, openPayDay, clock.Day(now)).Scan(&open); err != nil {
			return fmt.Errorf("pay day of the run that is under way: %w", err)
		}
		if open != nil {
			next.PayDay = dayText(*open)
			return nil
		}
		all, err := readSchedules(ctx, tx)
		for _, one := range all {
			on, ok := one.next(now)
			pay, known := calendar.BankDayAfter(on, bankDays)
			if text := dayText(pay); ok && known && one.Kind == Agents && (next.PayDay == nil || *text < *next.PayDay) {
				next.PayDay = text
			}
		}
		return err
	})
	return next, err
}

// readHeld reads what of a person no run pays because it is held.
func readHeld(ctx context.Context, tx db.Tx, person uuid.UUID, now time.Time, held *money.Amount) error {
	rows, err := tx.Query(ctx, payeesOf, person)
	if err != nil {
		return fmt.Errorf("payees of %s: %w", person, err)
	}
	payees, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("payees of %s: %w", person, err)
	}
	if err := tx.QueryRow(ctx, heldOf, payees, now, []uuid.UUID{}).Scan(held); err != nil {
		return fmt.Errorf("what is held of %s: %w", person, err)
	}
	return nil
}
