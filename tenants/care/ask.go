package care

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// Approvals are the runs that extend more vouchers than one person may, or give days back to more.
var Approvals = approval.KindOf[askedRun]{
	Name: "extend", Module: voucher.Vouchers.Module(), Letter: access.Change,
	Do: func(ctx context.Context, tx db.Tx, by approval.By, in askedRun) error {
		r := run{Task: ReturnDays, Closure: in.Closure, FirstDay: in.FirstDay, LastDay: in.LastDay, Reason: in.Reason}
		var err error
		if in.Closure != nil {
			err = r.lockClosure(ctx, tx)
		} else {
			r, err = in.extension()
		}
		if err != nil {
			return err
		}
		return startRun(ctx, tx, by.Asked, by.ID, &by.Approval, r, in.Vouchers)
	},
	Facts: func(ctx context.Context, tx db.Tx, in askedRun) ([]approval.Fact, error) {
		f := approval.Fact{What: "extended", Name: in.Until}
		if in.Closure != nil {
			f.What, f.Name = "days_returned", *in.FirstDay+"/"+*in.LastDay
		}
		if err := tx.QueryRow(ctx, toExtend, in.Vouchers).Scan(&f.Value.Items); err != nil {
			return nil, fmt.Errorf("what is extended: %w", err)
		}
		return []approval.Fact{f}, nil
	},
}.Kind()

// askedRun is a run that somebody asks for: of exactly the vouchers that were selected when he asked. What cannot be extended by then is recorded
// with its fault, as in every run.
type askedRun struct {
	Until    string      `json:"valid_until,omitempty"` // of an extension
	Closure  *uuid.UUID  `json:"closure_id,omitempty"`  // whose days are given back
	FirstDay *string     `json:"first_day,omitempty"`
	LastDay  *string     `json:"last_day,omitempty"`
	Reason   string      `json:"reason"`
	Vouchers []uuid.UUID `json:"vouchers"`
}

func (in askedRun) extension() (run, error) {
	until, err := time.Parse(time.DateOnly, in.Until)
	if err != nil {
		return run{}, fmt.Errorf("last day of an extension: %w", err)
	}
	return run{Task: Extend, Until: &until, Reason: in.Reason}, nil
}

// Asked is a run that waits for a second person.
type Asked struct {
	Approval uuid.UUID `json:"approval_id"`
}

const (
	toExtend = `SELECT count(*) FROM care_item i JOIN care_run r ON r.id = i.run_id WHERE r.task IN ('extend', 'return_days') AND r.state = 'running' AND i.voucher_id = ANY ($1)`
	// What was extended without a second person within a day counts together, whoever did it: the rule could otherwise be passed in small steps.
	extendedLately = `SELECT count(*) FROM care_run r JOIN care_item i ON i.run_id = r.id WHERE r.task IN ('extend', 'return_days') AND r.approval_id IS NULL AND r.started_at > $1 AND i.fault = ''`
)

// needsSecond reports whether a run that extends so many vouchers needs a second person.
func needsSecond(ctx context.Context, tx db.Tx, vouchers int) (bool, error) {
	var before int64
	if err := tx.QueryRow(ctx, extendedLately, tx.Now.Add(-24*time.Hour)).Scan(&before); err != nil {
		return false, fmt.Errorf("vouchers extended before: %w", err)
	}
	return approval.Exceeds(ctx, tx, "extend", before+int64(vouchers))
}

// AskExtend asks a second person to let the selected vouchers be extended; nothing is done until then. The same key asks once. It returns
// fault.BadInput, ErrNone, ErrTooMany or idempotency.ErrReused.
func (s *Service) AskExtend(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ExtendInput) (Asked, error) {
	until, err := s.lastDay(in.Until)
	if err != nil {
		return Asked{}, err
	}
	of := askedRun{Until: until.Format(time.DateOnly), Reason: strings.TrimSpace(in.Reason)}
	if of.Reason == "" {
		return Asked{}, fault.At("reason", fault.Required)
	}
	return s.ask(ctx, org, who, key, in, in.Selection, of)
}

// ask asks for a run of the vouchers that are selected now.
func (s *Service) ask(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in any, of vouchers, r askedRun) (a Asked, err error) {
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "care.extend.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			if r.Vouchers, err = of.ids(ctx, tx); err != nil {
				return err
			}
			return approval.Ask(ctx, tx, who, id, approval.Request{Kind: "extend", Table: "care_run", Record: id, Note: r.Reason, Input: r})
		})
	return a, err
}
