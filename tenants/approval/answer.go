package approval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
)

// waiting is a request that may be answered.
type waiting struct {
	ID      uuid.UUID
	Kind    string
	Input   json.RawMessage
	Of      *uuid.UUID // whose money it is about
	Amount  money.Amount
	AskedBy uuid.UUID
	AskedAt time.Time
	Due     time.Time
	State   string
}

// open reports whether a request can be answered at a moment.
func (w waiting) open(now time.Time) bool { return w.State == "waiting" && now.Before(w.Due) }

const (
	readRequest = `SELECT id, kind, input, customer_id, amount_satang, asked_by, asked_at, due_at, state FROM approval WHERE id = $1`
	lockRequest = readRequest + ` FOR UPDATE`
	endRequest  = `UPDATE approval SET state = $2, answered_by = $3, answered_at = $4, answer = $5, alone = $6, made_id = $7 WHERE id = $1`
	lapseDue    = `UPDATE approval SET state = 'lapsed', answered_at = due_at WHERE state = 'waiting' AND due_at <= $1`
)

func read(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (w waiting, err error) {
	err = tx.QueryRow(ctx, sql, id).Scan(&w.ID, &w.Kind, &w.Input, &w.Of, &w.Amount, &w.AskedBy, &w.AskedAt, &w.Due, &w.State)
	if errors.Is(err, pgx.ErrNoRows) {
		return w, fault.Missing
	}
	if err != nil {
		return w, fmt.Errorf("approval %s: %w", id, err)
	}
	return w, nil
}

// Standing is what an account may do with a request.
type Standing string

// Standings. Where nobody else could answer, who asked may approve it himself, signed in anew, the day after (docs/domain.md, Two pairs of eyes).
const (
	MayAnswer   Standing = "answer"
	MayAlone    Standing = "alone"    // for want of anybody else
	MayTomorrow Standing = "tomorrow" // the same, but not yet
	MayWithdraw Standing = "withdraw" // his own
	MayNothing  Standing = "nothing"
)

// standing returns what a session may do with an open request.
func (s *Service) standing(ctx context.Context, who token.Session, w waiting) (Standing, error) {
	kind := s.kinds[w.Kind]
	return StandingOf(ctx, s.db, s.may, who, Asked{kind.Module, kind.Letter, w.AskedBy, w.AskedAt})
}

// Asked is something that waits for a second person.
type Asked struct {
	Module string // in which who answers needs the letter
	Letter string
	By     uuid.UUID
	At     time.Time
}

// StandingOf returns what a session may do with what an account has asked for.
func StandingOf(ctx context.Context, on *db.DB, may staff.May, who token.Session, of Asked) (Standing, error) {
	var accounts []staff.Account
	err := on.ReadInOrg(ctx, who.Org, func(tx db.Tx) (err error) {
		accounts, err = staff.WhoCanSignIn(ctx, tx)
		return err
	})
	if err != nil {
		return MayNothing, err
	}
	mine, others := false, false
	for _, account := range accounts {
		can, err := may(ctx, who.Org, account, of.Module, of.Letter)
		if err != nil {
			return MayNothing, err
		}
		mine, others = mine || can && account.ID == who.Subject, others || can && account.ID != who.Subject
	}
	switch {
	case who.Subject != of.By && mine:
		return MayAnswer, nil
	case who.Subject != of.By:
		return MayNothing, nil
	case others || !mine:
		return MayWithdraw, nil
	case clock.Day(who.Began()).After(clock.Day(of.At)):
		return MayAlone, nil
	}
	return MayTomorrow, nil
}

// ByRequest is a request.
type ByRequest struct {
	ID uuid.UUID `json:"id"`
}

// Answer is the answer to a request.
type Answer struct {
	ID uuid.UUID `json:"id"`
}

// Refusal is the answer no, with the reason.
type Refusal struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"For who asked"`
}

// Approve makes the change that was asked for, in the transaction of the answer. The same key answers once. It returns fault.Missing, ErrAnswered, ErrOwn,
// ErrTomorrow, fault.NotAllowed, or the fault that stands against the change now; the request waits on then.
func (s *Service) Approve(ctx context.Context, who token.Session, actor auditlog.Actor, key string, in Answer) error {
	w, err := s.find(ctx, who.Org, in.ID)
	if err != nil {
		return err
	}
	standing, err := s.standing(ctx, who, w)
	if err != nil {
		return err
	}
	_, err = idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "approval.approve", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.Subject) },
		func(tx db.Tx, made uuid.UUID) error {
			w, err := read(ctx, tx, lockRequest, in.ID)
			if err != nil {
				return err
			}
			if !w.open(tx.Now) {
				return ErrAnswered
			}
			if refusal := mayApprove(standing); refusal != nil {
				return refusal
			}
			return s.approve(ctx, tx, actor, w, standing == MayAlone, made)
		})
	return err
}

func mayApprove(standing Standing) error {
	switch standing {
	case MayAnswer, MayAlone:
		return nil
	case MayTomorrow:
		return ErrTomorrow
	case MayWithdraw:
		return ErrOwn
	}
	return fault.NotAllowed
}

func (s *Service) approve(ctx context.Context, tx db.Tx, who auditlog.Actor, w waiting, alone bool, made uuid.UUID) error {
	if _, err := tx.Exec(ctx, endRequest, w.ID, "approved", who.ID, tx.Now, "", alone, made); err != nil {
		return fmt.Errorf("approve %s: %w", w.ID, err)
	}
	if err := s.do(ctx, tx, who, w, made); err != nil {
		return err
	}
	if err := changed(ctx, tx); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "approve", "approval/"+w.ID.String(), nil, w.Input)
}

// do makes the change in the name of who asked for it.
func (s *Service) do(ctx context.Context, tx db.Tx, who auditlog.Actor, w waiting, made uuid.UUID) error {
	asked := auditlog.Actor{Kind: who.Kind, ID: w.AskedBy, Request: who.Request}
	return s.kinds[w.Kind].do(ctx, tx, By{Approval: w.ID, Asked: asked, Answers: who.ID, Customer: w.Of, Amount: w.Amount, ID: made}, w.Input)
}

// Refuse ends a request of somebody else's. It returns fault.Missing, ErrAnswered, ErrOwn or fault.NotAllowed.
func (s *Service) Refuse(ctx context.Context, who token.Session, actor auditlog.Actor, in Refusal) error {
	return s.end(ctx, who, actor, in.ID, "refused", in.Reason, func(standing Standing) error {
		switch standing {
		case MayAnswer:
			return nil
		case MayNothing:
			return fault.NotAllowed
		}
		return ErrOwn
	})
}

// Withdraw ends a request of one's own. It returns fault.Missing, ErrAnswered or ErrNotYours.
func (s *Service) Withdraw(ctx context.Context, who token.Session, actor auditlog.Actor, in ByRequest) error {
	return s.end(ctx, who, actor, in.ID, "withdrawn", "", func(standing Standing) error {
		if standing == MayAnswer || standing == MayNothing {
			return ErrNotYours
		}
		return nil
	})
}

func (s *Service) end(ctx context.Context, who token.Session, actor auditlog.Actor, id uuid.UUID, state, reason string, refuse func(Standing) error) error {
	w, err := s.find(ctx, who.Org, id)
	if err != nil {
		return err
	}
	standing, err := s.standing(ctx, who, w)
	if err != nil {
		return err
	}
	if err := refuse(standing); err != nil {
		return err
	}
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		w, err := read(ctx, tx, lockRequest, id)
		if err != nil {
			return err
		}
		if !w.open(tx.Now) {
			return ErrAnswered
		}
		if _, err := tx.Exec(ctx, endRequest, id, state, who.Subject, tx.Now, reason, false, nil); err != nil {
			return fmt.Errorf("end approval %s: %w", id, err)
		}
		if err := changed(ctx, tx); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, actor, state, "approval/"+id.String(), nil, map[string]string{"reason": reason})
	})
}

func (s *Service) find(ctx context.Context, org, id uuid.UUID) (w waiting, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		w, err = read(ctx, tx, readRequest, id)
		return err
	})
	return w, err
}

// Lapse ends the requests that nobody has answered in time. A worker calls it for each organisation.
func Lapse(ctx context.Context, tx db.Tx) error {
	tag, err := tx.Exec(ctx, lapseDue, tx.Now)
	if err != nil {
		return fmt.Errorf("lapse approvals: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return changed(ctx, tx)
}

func changed(ctx context.Context, tx db.Tx) error {
	return notice.SendTableUpdate(ctx, tx, Approvals.Name())
}
