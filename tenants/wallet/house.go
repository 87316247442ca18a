package wallet

import (
	"context"
	"fmt"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

const houseBalance = `SELECT (coalesce((SELECT credit_satang - debit_satang FROM snapshot WHERE account_id = $1 ORDER BY day DESC LIMIT 1), 0)
	+ coalesce((SELECT sum(CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END)
		FROM transfer t JOIN entry e ON e.transfer_id = t.id
		WHERE t.day > coalesce((SELECT max(day) FROM snapshot), '-infinity') AND (e.credit_id = $1 OR e.debit_id = $1)), 0))::bigint`

// HouseBalance is what one of the organisation's own accounts holds, credits less debits: the last sealed day's snapshot
// and what came since.
func HouseBalance(ctx context.Context, tx db.Tx, kind Kind) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, houseBalance, House(kind).ID(tx.Org)).Scan(&sum); err != nil {
		return 0, fmt.Errorf("balance of %s: %w", kind, err)
	}
	return sum, nil
}
