package ledger

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

// SystemBalance is what one of the organisation's own accounts holds, credits less debits: the last sealed day's snapshot
// and what came since.
func SystemBalance(ctx context.Context, tx db.Tx, kind Kind) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, houseBalance, SystemAccount(kind).ID(tx.Key)).Scan(&sum); err != nil {
		return 0, fmt.Errorf("balance of %s: %w", kind, err)
	}
	return sum, nil
}

// Float is money that lies at a payment company for others: customers' wallets, what was sold and is not used yet, and what the
// organisation and its agents have earned of it and nobody has paid out.
type Float struct {
	Wallets  money.Amount `json:"wallets_satang"`
	Unearned money.Amount `json:"unearned_satang"`
	Earned   money.Amount `json:"earned_satang"`
}

const (
	allWallets = `SELECT coalesce(sum(balance_satang), 0)::bigint FROM wallet`
	allEarned  = `SELECT coalesce(sum(CASE a.id WHEN e.credit_id THEN e.amount_satang ELSE -e.amount_satang END), 0)::bigint FROM account a
		JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind IN ('payable', 'commission_pending', 'commission_payable')`
)

// ReadFloat reads it.
func ReadFloat(ctx context.Context, tx db.Tx) (f Float, err error) {
	if err := tx.QueryRow(ctx, allWallets).Scan(&f.Wallets); err != nil {
		return f, fmt.Errorf("what wallets hold: %w", err)
	}
	if err := tx.QueryRow(ctx, allEarned).Scan(&f.Earned); err != nil {
		return f, fmt.Errorf("what was earned: %w", err)
	}
	f.Unearned, err = SystemBalance(ctx, tx, Unearned)
	return f, err
}

const accountBalance = `SELECT coalesce(sum(CASE WHEN credit_id = $1 THEN amount_satang ELSE -amount_satang END), 0)::bigint
	FROM entry WHERE credit_id = $1 OR debit_id = $1`

// AccountBalance is what somebody's account holds that has no balance row, credits less debits, by all of its entries.
func AccountBalance(ctx context.Context, tx db.Tx, a Account) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, accountBalance, a.ID(tx.Key)).Scan(&sum); err != nil {
		return 0, fmt.Errorf("balance of %s of %s: %w", a.Kind, a.Holder, err)
	}
	return sum, nil
}
