package commission

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

const sumDenied = `SELECT coalesce(sum(denied_satang), 0)::bigint FROM commission WHERE order_id IS NOT NULL AND denied_at IS NOT NULL`

// Denied is what a payee loses of an order that was denied.
type Denied struct {
	Payee  uuid.UUID
	Amount money.Amount
}

// Deny leaves payees nothing of an order: what is due to them is the organisation's from now on, and so is what would be due to them later. It returns what each
// loses, and nobody of an order that was denied before or has no commission.
func Deny(ctx context.Context, tx db.Tx, order uuid.UUID) ([]Denied, error) {
	rows, err := tx.Query(ctx, ofOrders, []uuid.UUID{order})
	if err != nil {
		return nil, fmt.Errorf("commission of order %s: %w", order, err)
	}
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("commission of order %s: %w", order, err)
	}
	var was, now []held
	var denied []Denied
	for _, h := range all {
		if h.DeniedAt != nil {
			continue
		}
		was, denied = append(was, h), append(denied, Denied{h.Payee, h.Due})
		h.DeniedAt, h.Denied, h.Due = &tx.Now, h.Due, 0
		now = append(now, h)
	}
	return denied, save(ctx, tx, was, now)
}

// Spendable returns what is payable to the organisation less what was denied of orders' commissions: a refund takes that from it, so nothing else may. It is read before and after,
// because a denial adds to both, and a refund takes from both.
func Spendable(ctx context.Context, tx db.Tx) (money.Amount, error) {
	var before, after money.Amount
	if err := tx.QueryRow(ctx, sumDenied).Scan(&before); err != nil {
		return 0, fmt.Errorf("what was denied of commissions: %w", err)
	}
	payable, err := ledger.SystemBalance(ctx, tx, ledger.Payable)
	if err != nil {
		return 0, err
	}
	if err := tx.QueryRow(ctx, sumDenied).Scan(&after); err != nil {
		return 0, fmt.Errorf("what was denied of commissions: %w", err)
	}
	return payable - max(before, after), nil
}
