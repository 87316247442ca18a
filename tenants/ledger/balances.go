package ledger

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// ErrInsufficient says that a wallet holds less than is asked of it.
var ErrInsufficient = fault.New(fault.Conflict, "wallet.insufficient_balance",
	"Sorry, you have insufficient balance in your Wallet. Please add money first")

const readBalance = `SELECT balance_satang FROM wallet WHERE account_id = $1`

// Balance of a customer's wallet; nothing when he never had money.
func Balance(ctx context.Context, tx db.Tx, customer uuid.UUID) (money.Amount, error) {
	var balance money.Amount
	rows, err := tx.Query(ctx, readBalance, AccountOf(Wallet, customer).ID(tx.Key))
	if err != nil {
		return 0, fmt.Errorf("balance of %s: %w", customer, err)
	}
	defer rows.Close()
	if rows.Next() {
		if err := rows.Scan(&balance); err != nil {
			return 0, err
		}
	}
	return balance, rows.Err()
}

type (
	debitRow struct {
		Account uuid.UUID    `db:"account_id"`
		Amount  money.Amount `db:"amount"`
		At      time.Time    `db:"at"`
	}
	creditRow struct {
		Account  uuid.UUID    `db:"account_id"`
		Customer uuid.UUID    `db:"customer_id"`
		Amount   money.Amount `db:"amount"`
		At       time.Time    `db:"at"`
	}
)

func (d debitRow) account() uuid.UUID  { return d.Account }
func (c creditRow) account() uuid.UUID { return c.Account }

const lockWallets = `SELECT customer_id, balance_satang FROM wallet WHERE account_id = ANY ($1) ORDER BY account_id FOR NO KEY UPDATE`

// debitWallets leaves a wallet alone that holds too little: its caller counts the rows. debitLocked runs into wallet_not_negative.
var (
	debitWallets = db.NewBulk[debitRow](`UPDATE wallet SET balance_satang = balance_satang - d.amount, updated_at = d.at
		FROM (SELECT unnest(@account_id::uuid[]) AS account_id, unnest(@amount::bigint[]) AS amount, unnest(@at::timestamptz[]) AS at) AS d
		WHERE wallet.account_id = d.account_id AND wallet.balance_satang >= d.amount`)
	debitLocked = db.NewBulk[debitRow](`UPDATE wallet SET balance_satang = balance_satang - d.amount, updated_at = d.at
		FROM (SELECT unnest(@account_id::uuid[]) AS account_id, unnest(@amount::bigint[]) AS amount, unnest(@at::timestamptz[]) AS at) AS d
		WHERE wallet.account_id = d.account_id`)
	creditWallets = db.NewBulk[creditRow](`INSERT INTO wallet (account_id, customer_id, balance_satang, updated_at)
		SELECT unnest(@account_id::uuid[]), unnest(@customer_id::uuid[]), unnest(@amount::bigint[]), unnest(@at::timestamptz[])
		ON CONFLICT (account_id) DO UPDATE SET balance_satang = wallet.balance_satang + excluded.balance_satang, updated_at = excluded.updated_at`)
)

// walletChanges returns by how much transfers change each wallet, in the order of accounts.
func walletChanges(tx db.Tx, transfers []Transfer) (debits []debitRow, credits []creditRow) {
	net := map[Account]money.Amount{}
	for _, t := range transfers {
		for _, p := range t.Postings {
			if p.Debit.Kind == Wallet {
				net[p.Debit] -= p.Amount
			}
			if p.Credit.Kind == Wallet {
				net[p.Credit] += p.Amount
			}
		}
	}
	for a, by := range net {
		if by < 0 {
			debits = append(debits, debitRow{a.ID(tx.Key), -by, tx.Now})
		} else {
			credits = append(credits, creditRow{a.ID(tx.Key), a.Holder, by, tx.Now})
		}
	}
	slices.SortFunc(debits, func(a, b debitRow) int { return bytes.Compare(a.Account[:], b.Account[:]) })
	slices.SortFunc(credits, func(a, b creditRow) int { return bytes.Compare(a.Account[:], b.Account[:]) })
	return debits, credits
}

// LockedBalances has the balances of wallets that are locked until the transaction ends. Payments from them are decided one after the other
// and saved together.
type LockedBalances struct {
	before    *db.Pending[map[uuid.UUID]money.Amount] // by customer
	paid      map[uuid.UUID]money.Amount
	transfers []Transfer
}

// LockBalances queues the lock of customers' wallets, in the order of their accounts.
func LockBalances(tx db.Tx, customers []uuid.UUID) *LockedBalances {
	accounts := db.Column(customers, func(id uuid.UUID) uuid.UUID { return AccountOf(Wallet, id).ID(tx.Key) })
	before := db.Await(tx.Queue(lockWallets, accounts), func(rows pgx.Rows) (map[uuid.UUID]money.Amount, error) {
		all := map[uuid.UUID]money.Amount{}
		var customer uuid.UUID
		var balance money.Amount
		_, err := pgx.ForEachRow(rows, []any{&customer, &balance}, func() error {
			all[customer] = balance
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("lock wallets: %w", err)
		}
		return all, nil
	})
	return &LockedBalances{before: before, paid: map[uuid.UUID]money.Amount{}}
}

// Check returns ErrInsufficient if a customer's wallet holds less.
func (b *LockedBalances) Check(customer uuid.UUID, amount money.Amount) error {
	if b.before.Get()[customer]-b.paid[customer] < amount {
		return ErrInsufficient
	}
	return nil
}

// Debit adds a transfer out of a customer's wallet; what other wallets hold does not change by it. It returns ErrInsufficient.
func (b *LockedBalances) Debit(customer uuid.UUID, t Transfer) error {
	t, err := t.check()
	if err != nil || len(t.Postings) == 0 {
		return err
	}
	wallet, sum := AccountOf(Wallet, customer), money.Amount(0)
	for _, p := range t.Postings {
		if p.Debit.Kind == Wallet && p.Debit != wallet || p.Credit.Kind == Wallet {
			return fmt.Errorf("ledger: %s pays from %s to %s", customer, p.Debit.Kind, p.Credit.Kind)
		}
		if p.Debit == wallet {
			sum += p.Amount
		}
	}
	if err := b.Check(customer, sum); err != nil {
		return err
	}
	b.paid[customer] += sum
	b.transfers = append(b.transfers, t)
	return nil
}

// Save queues the transfers, without result handlers, so that COMMIT may go in the same round trip. The constraint wallet_not_negative
// refuses what Check let through.
func (b *LockedBalances) Save(tx db.Tx) {
	if len(b.transfers) == 0 {
		return
	}
	debits, _ := walletChanges(tx, b.transfers)
	debitLocked.Queue(tx, debits)
	queueTransfers(tx, b.transfers)
}
