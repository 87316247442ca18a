package commission

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

// Balance is what a payee can be paid out, or owes. One of them is nothing.
type Balance struct {
	Payable    money.Amount `json:"payable_satang" doc:"Can be paid out"`
	Receivable money.Amount `json:"owed_satang" doc:"Was paid out and taken back since: the next that matures pays it first"`
}

const (
	openBalances = `INSERT INTO payee_balance (payee_id) SELECT DISTINCT unnest($1::uuid[]) ON CONFLICT DO NOTHING`
	lockBalances = `SELECT payee_id, payable_satang, receivable_satang FROM payee_balance WHERE payee_id = ANY ($1) ORDER BY payee_id FOR NO KEY UPDATE`
	saveBalance  = `UPDATE payee_balance SET payable_satang = $2, receivable_satang = $3 WHERE payee_id = $1`
	readBalance  = `SELECT coalesce(sum(payable_satang), 0)::bigint, coalesce(sum(receivable_satang), 0)::bigint FROM payee_balance WHERE payee_id = $1`
)

// BalanceOf returns a payee's balance.
func BalanceOf(ctx context.Context, tx db.Tx, payee uuid.UUID) (b Balance, err error) {
	if err := tx.QueryRow(ctx, readBalance, payee).Scan(&b.Payable, &b.Receivable); err != nil {
		return b, fmt.Errorf("balance of payee %s: %w", payee, err)
	}
	return b, nil
}

// Balances are the balances of payees, locked.
type Balances map[uuid.UUID]*Balance

// LockBalances locks the balances of payees, in the order of their ids, and opens those that are missing with their accounts.
func LockBalances(ctx context.Context, tx db.Tx, payees []uuid.UUID) (Balances, error) {
	tx.Queue(openBalances, payees)
	var accounts []ledger.Account
	for _, id := range payees {
		accounts = append(accounts, payable(id), receivable(id))
	}
	ledger.OpenAccounts(tx, accounts...)
	rows, err := tx.Query(ctx, lockBalances, payees)
	if err != nil {
		return nil, fmt.Errorf("lock balances of payees: %w", err)
	}
	balances := Balances{}
	var payee uuid.UUID
	var b Balance
	_, err = pgx.ForEachRow(rows, []any{&payee, &b.Payable, &b.Receivable}, func() error {
		has := b
		balances[payee] = &has
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lock balances of payees: %w", err)
	}
	return balances, nil
}

// Save queues the update of the balances.
func (b Balances) Save(tx db.Tx) {
	for payee, has := range b {
		tx.Queue(saveBalance, payee, has.Payable, has.Receivable)
	}
}

// Move is a transfer by which a payee can be paid out so much more, or less below zero, and the other accounts hold what he does not.
// His balance changes with it.
func (b Balances) Move(payee uuid.UUID, cause ledger.Cause, by money.Amount, others ...Part) (ledger.Transfer, error) {
	has, ok := b[payee]
	if !ok {
		return ledger.Transfer{}, errors.New("commission: a payee has no balance")
	}
	return ledger.NewTransfer(cause, postings(append(others, has.shift(payee, by)...))...), nil
}

// shift changes a balance by what matures, or is mature no more. What matures pays first what the payee owes; what is mature no more comes
// from what can be paid out, and the rest he owes.
func (b *Balance) shift(payee uuid.UUID, by money.Amount) []Part {
	if by > 0 {
		settles := min(b.Receivable, by)
		b.Receivable, b.Payable = b.Receivable-settles, b.Payable+by-settles
		return []Part{{receivable(payee), settles}, {payable(payee), by - settles}}
	}
	from := min(b.Payable, -by)
	b.Payable, b.Receivable = b.Payable-from, b.Receivable-by-from
	return []Part{{payable(payee), -from}, {receivable(payee), by + from}}
}

// Part is by how much an account's balance grows, or falls below zero.
type Part struct {
	Account ledger.Account
	By      money.Amount
}

// postings returns entries from the accounts that fall to those that grow. The parts add up to nothing.
func postings(parts []Part) (all []ledger.Posting) {
	for i := range parts {
		for k := range parts {
			from, to := &parts[i], &parts[k]
			if amount := min(-from.By, to.By); amount > 0 {
				all = append(all, ledger.Posting{Debit: from.Account, Credit: to.Account, Amount: amount})
				from.By, to.By = from.By+amount, to.By-amount
			}
		}
	}
	return all
}
