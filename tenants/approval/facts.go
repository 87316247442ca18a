package approval

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
)

const nameOf = `SELECT display_name FROM customer WHERE id = $1`

// WalletOf returns the wallet of a customer, whoever he is now, who is locked.
func WalletOf(ctx context.Context, tx db.Tx, id uuid.UUID) (f Fact, err error) {
	f.What = "wallet"
	person, _, err := customer.LockPerson(ctx, tx, id)
	if err != nil {
		return f, err
	}
	if err := tx.QueryRow(ctx, nameOf, person).Scan(&f.Name); err != nil {
		return f, fmt.Errorf("customer %s: %w", id, err)
	}
	f.Value.Amount, err = ledger.Balance(ctx, tx, person)
	return f, err
}
