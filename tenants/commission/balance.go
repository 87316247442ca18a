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

// lock locks the balances of payees, in the order of their ids, and opens those that are missing with their accounts.
func lock(ctx context.Context, tx db.Tx, payees []uuid.UUID) (map[uuid.UUID]*Balance, error) {
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
	balances := map[uuid.UUID]*Balance{}
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

// plan returns the postings that move a payee's commission by so much of what is due and of what is mature, and changes his balance with them. What matures
// pays first what he owes; what was mature and is no more comes from what can be paid out, and the rest he owes. What is due comes
// from, or goes back to, what buyers owe the organisation.
func plan(payee uuid.UUID, b *Balance, due, mature money.Amount) []ledger.Posting {
	back := ledger.SystemAccount(ledger.ChargebackReceivable)
	parts := []part{{Pending(payee), due - mature}, {back, -due}}
	if mature > 0 {
		settles := min(b.Receivable, mature)
		b.Receivable, b.Payable = b.Receivable-settles, b.Payable+mature-settles
		parts = append(parts, part{receivable(payee), settles}, part{payable(payee), mature - settles})
	} else {
		from := min(b.Payable, -mature)
		b.Payable, b.Receivable = b.Payable-from, b.Receivable-mature-from
		parts = append(parts, part{payable(payee), -from}, part{receivable(payee), mature + from})
	}
	return postings(parts)
}

// part is by how much an account's balance grows, or falls below zero.
type part struct {
	Account ledger.Account
	By      money.Amount
}

// postings returns entries from the accounts that fall to those that grow. The parts add up to nothing.
func postings(parts []part) (all []ledger.Posting) {
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
