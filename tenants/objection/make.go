package objection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

// Input names the use that was not the customer's.
type Input struct {
	Use uuid.UUID `json:"id"`
}

const (
	objectedTo = `SELECT r.at, r.amount_satang, o.id IS NOT NULL, EXISTS (SELECT FROM goodwill g WHERE g.redemption_id = r.id) FROM redemption r LEFT JOIN objection o ON o.redemption_id = r.id WHERE r.id = $1 AND r.customer_id = $2`
	insert     = `INSERT INTO objection (id, redemption_id, voucher_id, customer_id, state, share_satang, made_at, due_at) VALUES ($1, $2, $3, $4, 'open', $5, $6, $7)`
)

// Object says of a use of the customer's that it was not he, and holds what it earned. It returns the faults of consent.Requirements.Check,
// ErrNotFound for anybody else's, ErrMade, ErrTooLate, or idempotency.ErrReused.
func (s *Service) Object(ctx context.Context, who token.Session, key string, in Input) (Use, error) {
	var required *consent.Requirements
	_, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "objection.make", Value: key}, in,
		func(tx db.Tx) { required = consent.LockRequirements(tx, consent.ForSignIn, who) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := required.Check(who.Subject); err != nil {
				return err
			}
			return object(ctx, tx, who, id, in.Use)
		})
	if err != nil {
		return Use{}, err
	}
	return s.Use(ctx, who, in.Use)
}

func object(ctx context.Context, tx db.Tx, who token.Session, id, use uuid.UUID) error {
	of, err := voucher.LockOfUse(ctx, tx, use)
	if errors.Is(err, voucher.ErrNotFound) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	var at time.Time
	var earned money.Amount
	var made, given bool
	err = tx.QueryRow(ctx, objectedTo, use, who.Subject).Scan(&at, &earned, &made, &given)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case err != nil:
		return fmt.Errorf("read use %s: %w", use, err)
	case made:
		return ErrMade
	case given || !tx.Now.Before(Until(at)): // goodwill waits for that, and may have overtaken who began in time
		return ErrTooLate
	}
	tx.Queue(insert, id, use, of, who.Subject, earned, tx.Now, tx.Now.Add(decideWithin))
	held := ledger.SystemAccount(ledger.UseObjection)
	ledger.OpenAccounts(tx, held) // organisations from before have none
	if err := ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "objection", ID: id},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: held, Amount: earned})); err != nil {
		return err
	}
	if err := commission.UseObjected(ctx, tx, use); err != nil {
		return err
	}
	return notice.SendTableUpdate(ctx, tx, Objections.Name())
}
