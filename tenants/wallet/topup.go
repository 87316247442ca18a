package wallet

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
)

// MinTopUp is the least that a wallet takes in at once.
const MinTopUp = 100 * money.Baht

// TopUpInput asks for money to be taken in.
type TopUpInput struct {
	Amount money.Amount `json:"amount_satang" minimum:"10000" maximum:"15000000" doc:"At least 100 baht"`
	charge.PaymentMethod
}

// check holds what the schema says, whoever calls.
func (in TopUpInput) check() error {
	switch {
	case in.Amount < MinTopUp:
		return fault.At("amount_satang", fault.TooSmall)
	case in.Amount > charge.MaxAmount:
		return fault.At("amount_satang", fault.TooBig)
	}
	return in.Check()
}

// StartTopUp writes a top-up down, asks the gateway for a QR or a card payment, and returns what the phone shows. It
// returns the faults of consent.Requirements.Check, charge.ErrNoMethod, payment.ErrRefused or payment.ErrUnavailable; after the last, the same key tries
// again without a second charge.
func (s *Service) StartTopUp(ctx context.Context, who token.Session, key, returnTo string, in TopUpInput) (c charge.Charge, err error) {
	if err := in.check(); err != nil {
		return c, err
	}

	var required *consent.Requirements
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "wallet.topup", Value: key}, in,
		func(tx db.Tx) { required = consent.LockRequirements(tx, consent.ForSignIn, who) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := required.Check(who.Subject); err != nil {
				return err
			}
			return s.charges.Create(ctx, tx, charge.NewCharge{ID: id, Customer: who.Subject, Purpose: charge.TopUp, Method: in.Method, Amount: in.Amount})
		})
	if err != nil {
		return c, err
	}
	if err := s.charges.StartAtGateway(ctx, who.Org, id, in.PaymentMethod, returnTo); err != nil {
		return c, err
	}
	return s.charges.Find(ctx, who, id)
}
