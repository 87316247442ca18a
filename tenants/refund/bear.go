package refund

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
)

// Faults of deciding about a case.
var (
	ErrCaseClosed = fault.New(fault.Conflict, "refund.case_closed", "This has been decided, or covered, already")
	ErrDisputed   = fault.New(fault.Conflict, "refund.disputed", "The payer's bank has not decided about this payment yet")
	// ErrNotEarned is returned where the organisation would pay more than it has earned for good.
	ErrNotEarned = fault.New(fault.Conflict, "refund.not_earned", "The organisation has not earned that much for good yet. What was used can be objected to until the end of the next day")
)

// BearInput is which case the organisation bears before its time is over.
type BearInput struct {
	ID     uuid.UUID    `json:"id" doc:"Of the case"`
	Amount money.Amount `json:"amount_satang" minimum:"1" maximum:"15000000" doc:"What nothing covers, as it was shown"`
}

const caseToBear = `SELECT k.charge_id, c.customer_id FROM charge_case k JOIN charge c ON c.id = k.charge_id WHERE k.id = $1 AND k.kind = 'refund'`

// Bear has the organisation pay what its gateway sent back and no whole unused item covers; what was frozen for it is released. The same key does it
// once. It returns fault.Missing, ErrCaseClosed, ErrDebtChanged if it is not the sum that was shown, ErrDisputed, ErrNotEarned and idempotency.ErrReused.
func (s *Service) Bear(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in BearInput) error {
	_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "case.bear", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error { return bearCase(ctx, tx, who, id, in) })
	return err
}

func bearCase(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, in BearInput) error {
	var of, payer uuid.UUID
	err := tx.QueryRow(ctx, caseToBear, in.ID).Scan(&of, &payer)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Missing
	}
	if err != nil {
		return fmt.Errorf("case %s: %w", in.ID, err)
	}
	s, err := load(ctx, tx, payer)
	if err != nil {
		return err
	}
	open, err := charge.CaseIsOpen(ctx, tx, in.ID)
	if err != nil {
		return err
	}
	c := s.owingFor(of)
	switch {
	case !open || c == nil:
		return ErrCaseClosed
	case c.OwedForRefunds() != in.Amount:
		return ErrDebtChanged
	case c.Dispute == payment.DisputeOpen:
		return ErrDisputed
	}
	has, err := commission.EarnedForGood(ctx, tx)
	if err != nil {
		return err
	}
	if has < in.Amount {
		return ErrNotEarned
	}
	if err := c.Bear(tx, id, in.Amount); err != nil {
		return err
	}
	c.BearCase(tx, id, who.ID)
	s.changed = true
	if err := s.settle(ctx, tx, "borne"); err != nil {
		return err
	}
	if err := notice.Send(ctx, tx, token.User, s.customer, notice.Event{Topic: "wallet"}); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "bear", charge.Cases.Name()+"/"+in.ID.String(), nil, in)
}
