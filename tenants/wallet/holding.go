package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
)

// Holding is a customer's money in this organisation, and what he owes.
type Holding struct {
	Balance money.Amount `json:"balance_satang"`
	Debt    money.Amount `json:"debt_satang" doc:"What he owes and nothing stands for; until it is paid he cannot buy. Whatever comes into the wallet pays it first"`
	Owes    []Owes       `json:"owes" doc:"The payments that owe, the oldest first, also where frozen vouchers stand for all of it"`
}

// Owes is a payment whose money went back after it was spent.
type Owes struct {
	Reference string       `json:"reference"`
	Reason    string       `json:"reason" enum:"dispute,refund" doc:"dispute: the payer's bank holds it back; refund: the payment company sent it back"`
	Amount    money.Amount `json:"owed_satang"`
	PaidAt    time.Time    `json:"paid_at" doc:"UTC"`
}

const (
	holding = `SELECT coalesce((SELECT balance_satang FROM wallet WHERE customer_id = $1), 0), debt_satang,
			EXISTS (SELECT FROM charge WHERE (customer_id = $1 OR customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = $1))
				AND owed_satang > 0) FROM customer WHERE id = $1`
	owesOf = `SELECT reference, CASE WHEN disputed_satang > 0 THEN 'dispute' ELSE 'refund' END, owed_satang, captured_at
		FROM charge WHERE (customer_id = $1 OR customer_id IN (SELECT f.customer_id FROM former_customer f WHERE f.successor_id = $1)) AND owed_satang > 0
		ORDER BY captured_at, id`
)

// ReadHolding returns the balance and the debt of a customer, also of the rows that he had before he erased himself.
func ReadHolding(ctx context.Context, tx db.Tx, customer uuid.UUID) (h Holding, err error) {
	var owes bool
	h.Owes = []Owes{}
	err = tx.QueryRow(ctx, holding, customer).Scan(&h.Balance, &h.Debt, &owes)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, nil
	}
	if err != nil {
		return h, fmt.Errorf("holding of %s: %w", customer, err)
	}
	if !owes {
		return h, nil
	}
	rows, err := tx.Query(ctx, owesOf, customer)
	if err != nil {
		return h, fmt.Errorf("what %s owes: %w", customer, err)
	}
	h.Owes, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Owes])
	return h, err
}

// Holding has the balance and the debt of a customer.
func (s *Service) Holding(ctx context.Context, who token.Session) (h Holding, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		h, err = ReadHolding(ctx, tx, who.Subject)
		return err
	})
	return h, err
}
