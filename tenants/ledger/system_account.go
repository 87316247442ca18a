package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

const (
	// The day is read first: with its value Postgres knows that few transfers are of the days after it, and walks to them.
	lastSealed     = `SELECT coalesce(max(day)::text, '-infinity') FROM snapshot`
	systemBalances = `SELECT a.id, (coalesce(s.credit_satang - s.debit_satang, 0) + coalesce(o.sum, 0))::bigint
		FROM unnest($1::uuid[]) a (id)
		LEFT JOIN snapshot s ON s.account_id = a.id AND s.day = $2::text::date
		LEFT JOIN (SELECT m.id, sum(m.satang) FROM transfer t JOIN entry e ON e.transfer_id = t.id
			CROSS JOIN LATERAL (VALUES (e.credit_id, e.amount_satang), (e.debit_id, -e.amount_satang)) m (id, satang)
			WHERE t.day > $2::text::date AND m.id = ANY ($1) GROUP BY 1) o (id, sum) ON o.id = a.id`
)

// SystemBalances is what some of the organisation's own accounts hold, credits less debits: the last sealed day's snapshot and what
// came since.
func SystemBalances(ctx context.Context, tx db.Tx, kinds ...Kind) (map[Kind]money.Amount, error) {
	var day string
	if err := tx.QueryRow(ctx, lastSealed).Scan(&day); err != nil {
		return nil, fmt.Errorf("last sealed day: %w", err)
	}
	byID := map[uuid.UUID]Kind{}
	for _, kind := range kinds {
		byID[SystemAccount(kind).ID(tx.Key)] = kind
	}
	rows, err := tx.Query(ctx, systemBalances, slices.Collect(maps.Keys(byID)), day)
	if err != nil {
		return nil, fmt.Errorf("balances: %w", err)
	}
	balances := map[Kind]money.Amount{}
	var id uuid.UUID
	var sum money.Amount
	_, err = pgx.ForEachRow(rows, []any{&id, &sum}, func() error {
		balances[byID[id]] = sum
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("balances: %w", err)
	}
	return balances, nil
}

// SystemBalance is SystemBalances of one.
func SystemBalance(ctx context.Context, tx db.Tx, kind Kind) (money.Amount, error) {
	balances, err := SystemBalances(ctx, tx, kind)
	return balances[kind], err
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
		JOIN entry e ON a.id IN (e.credit_id, e.debit_id) WHERE a.kind IN ('payable', 'use_objection', 'commission_pending', 'commission_payable')`
)

// ReadFloat returns the float of the organisation.
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

// AccountBalance returns the balance of an account that has a holder and no balance row, credits less debits, from all of its entries.
func AccountBalance(ctx context.Context, tx db.Tx, a Account) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, accountBalance, a.ID(tx.Key)).Scan(&sum); err != nil {
		return 0, fmt.Errorf("balance of %s of %s: %w", a.Kind, a.Holder, err)
	}
	return sum, nil
}
