package wallet

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

const (
	lockFilled = `SELECT customer_id, balance_satang FROM wallet WHERE customer_id = ANY ($1) AND balance_satang > 0 ORDER BY account_id FOR NO KEY UPDATE`
	filledBy   = `SELECT e.transfer_id FROM entry e WHERE e.credit_id = $1
			AND NOT EXISTS (SELECT FROM transfer t WHERE t.kind = 'former_account' AND t.cause_id = e.transfer_id)
		ORDER BY e.id DESC LIMIT 1`
)

// filled is a wallet that holds something.
type filled struct {
	Customer uuid.UUID
	Balance  money.Amount
}

// MoveFormer moves the balances of former customers to the wallet of their successor, who is locked. It reports whether there was a balance.
//
// The cause of such a transfer is the credit that came last. One credit moves on once, so nothing moves twice; and where there is
// a balance, there is a credit since the wallet was emptied.
func MoveFormer(ctx context.Context, tx db.Tx, former []uuid.UUID, successor uuid.UUID) (moved bool, err error) {
	if len(former) == 0 {
		return false, nil
	}
	rows, err := tx.Query(ctx, lockFilled, former)
	if err != nil {
		return false, fmt.Errorf("wallets of whom %s was: %w", successor, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[filled])
	if err != nil {
		return false, fmt.Errorf("wallets of whom %s was: %w", successor, err)
	}

	var moves []ledger.Transfer
	for _, w := range list {
		cause := ledger.Cause{Kind: "former_account", MemoTH: "เงินจากบัญชีเดิม", MemoEN: "Money of your former account"}
		if err := tx.QueryRow(ctx, filledBy, ledger.AccountOf(ledger.Wallet, w.Customer).ID(tx.Key)).Scan(&cause.ID); err != nil {
			return false, fmt.Errorf("what filled the wallet of %s: %w", w.Customer, err)
		}
		moves = append(moves, ledger.Transfer{Cause: cause, Postings: []ledger.Posting{{
			Debit: ledger.AccountOf(ledger.Wallet, w.Customer), Credit: ledger.AccountOf(ledger.Wallet, successor), Amount: w.Balance,
		}}})
	}
	return len(moves) > 0, ledger.Post(tx, moves...)
}
