package ledger

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// LockedBalances are some customers' wallets, locked until the transaction ends: what they hold is known, so paying from them is
// decided here, one after the other, and written at once.
type LockedBalances struct {
	holds map[Account]money.Amount
	paid  map[Account]money.Amount
	moves []Transfer
}

var (
	lockWallets = db.Bulk(`SELECT customer_id, balance_satang FROM wallet WHERE account_id = ANY ($1::uuid[]) ORDER BY account_id FOR NO KEY UPDATE`)
	payWallets  = db.Bulk(`UPDATE wallet SET balance_satang = balance_satang - p.paid, updated_at = $3
		FROM (SELECT unnest($1::uuid[]) AS account_id, unnest($2::bigint[]) AS paid) AS p WHERE wallet.account_id = p.account_id`)
)

// LockBalances locks wallets in the order of their accounts; they are there with the transaction's next answer.
func LockBalances(tx db.Tx, customers []uuid.UUID) *LockedBalances {
	p := &LockedBalances{holds: map[Account]money.Amount{}, paid: map[Account]money.Amount{}}
	tx.QueueRows(lockWallets, db.Column(customers, func(id uuid.UUID) uuid.UUID { return AccountOf(Wallet, id).ID(tx.Org) })).Query(func(rows pgx.Rows) error {
		var customer uuid.UUID
		var balance money.Amount
		_, err := pgx.ForEachRow(rows, []any{&customer, &balance}, func() error {
			p.holds[AccountOf(Wallet, customer)] = balance
			return nil
		})
		if err != nil {
			return fmt.Errorf("lock wallets: %w", err)
		}
		return nil
	})
	return p
}

// Check returns ErrInsufficient when a customer's wallet holds less.
func (p *LockedBalances) Check(customer uuid.UUID, amount money.Amount) error {
	purse := AccountOf(Wallet, customer)
	if p.holds[purse]-p.paid[purse] < amount {
		return ErrInsufficient
	}
	return nil
}

// Debit moves money out of a customer's wallet, which is the debit of every posting. It returns ErrInsufficient.
func (p *LockedBalances) Debit(customer uuid.UUID, m Transfer) error {
	m, err := m.checked()
	if err != nil || len(m.Postings) == 0 {
		return err
	}
	purse, sum := AccountOf(Wallet, customer), money.Amount(0)
	for _, posting := range m.Postings {
		if posting.Debit != purse || posting.Credit.Kind == Wallet {
			return fmt.Errorf("wallet: %s pays from %s to %s", customer, posting.Debit.Kind, posting.Credit.Kind)
		}
		sum += posting.Amount
	}
	if err := p.Check(customer, sum); err != nil {
		return err
	}
	p.paid[purse] += sum
	p.moves = append(p.moves, m)
	return nil
}

// Save writes what was paid. Nobody judges its answers, so the commit may travel with them; the constraint
// wallet_not_negative would refuse more than there is.
func (p *LockedBalances) Save(tx db.Tx) {
	if len(p.moves) == 0 {
		return
	}
	payers := slices.Collect(maps.Keys(p.paid))
	tx.QueueRows(payWallets,
		db.Column(payers, func(a Account) uuid.UUID { return a.ID(tx.Org) }),
		db.Column(payers, func(a Account) money.Amount { return p.paid[a] }), tx.Now)
	queueTransfers(tx, p.moves)
}
