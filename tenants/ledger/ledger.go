// Package ledger is the books of one organisation: accounts, transfers, entries, and the balances of customers' wallets.
// README.md beside this file lists what always holds.
package ledger

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// Kind of account (docs/domain.md).
type Kind string

// Accounts. Wallets and the two commission accounts belong to somebody; the others are the house's.
const (
	// Gateway has what came in before it was kept apart who holds money at a payment company, the platform or the organisation itself,
	// and whether it is real or was made with test keys.
	Gateway             Kind = "gateway"
	GatewayPlatform     Kind = "gateway_platform"
	GatewayOwn          Kind = "gateway_own"
	GatewayPlatformTest Kind = "gateway_platform_test"
	GatewayOwnTest      Kind = "gateway_own_test"
	Wallet              Kind = "wallet"
	Unearned            Kind = "unearned"
	Payable             Kind = "payable"
	PlatformFee         Kind = "platform_fee"
	GatewayFee          Kind = "gateway_fee"
	CommissionPending   Kind = "commission_pending"
	CommissionPayable   Kind = "commission_payable"
	// CommissionReceivable is what an agent owes whose commission was taken back after it had been paid out.
	CommissionReceivable Kind = "commission_receivable"
	Breakage             Kind = "breakage"
	// ChargebackReceivable is what customers owe whose bank took back what they had spent, less what agents gave back of it.
	ChargebackReceivable Kind = "chargeback_receivable"
	Adjustment           Kind = "adjustment"
)

// Real reports whether a gateway's account is of real money.
func (k Kind) Real() bool { return k != GatewayPlatformTest && k != GatewayOwnTest }

// Account names one account of the ledger.
type Account struct {
	Kind   Kind
	Holder uuid.UUID // uuid.Nil for the house's
}

// SystemAccount is an account of the organisation itself.
func SystemAccount(kind Kind) Account { return Account{Kind: kind} }

// AccountOf is somebody's account.
func AccountOf(kind Kind, owner uuid.UUID) Account { return Account{Kind: kind, Holder: owner} }

// ID follows from organisation, kind and owner, so that nobody has to look it up.
func (a Account) ID(org uuid.UUID) uuid.UUID {
	return uuid.NewSHA1(org, append([]byte(a.Kind+"|"), a.Holder[:]...))
}

// Posting is an entry to be: a positive amount from Debit to Credit.
type Posting struct {
	Debit, Credit Account
	Amount        money.Amount
}

// Cause is why money moves; one cause of a kind moves it once.
type Cause struct {
	Kind     string // topup, purchase, use, refund …
	ID       uuid.UUID
	MemoTH   string // what the owner of a wallet reads beside it
	MemoEN   string
	Reverses uuid.UUID // the transfer that this one takes back, or uuid.Nil
}

// ErrInsufficient says that a wallet holds less than is asked of it.
var ErrInsufficient = fault.New(fault.Conflict, "wallet.insufficient_balance",
	"Sorry, you have insufficient balance in your Wallet. Please add money first")

const (
	takeFromWallet = `UPDATE wallet SET balance_satang = balance_satang - $2, updated_at = $3
		WHERE account_id = $1 AND balance_satang >= $2`
	addToWallet = `INSERT INTO wallet (account_id, customer_id, balance_satang, updated_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id) DO UPDATE SET balance_satang = wallet.balance_satang + excluded.balance_satang, updated_at = excluded.updated_at`
)

var (
	insertAccounts = db.Bulk(`INSERT INTO account (id, kind, owner_id, created_at)
		SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::uuid[]), $4
		ON CONFLICT (id) DO NOTHING`)
	insertTransfers = db.Bulk(`INSERT INTO transfer (id, kind, cause_id, day, at, memo_th, memo_en, reverses)
		SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::uuid[]), $7, $8, unnest($4::text[]), unnest($5::text[]), unnest($6::uuid[])`)
	insertEntries = db.Bulk(`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang)
		SELECT unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::bigint[])`)
	// A wallet stands by now as all of the transfers leave it: after an entry it stood there less what later ones move. NULL is
	// of an account that has none.
	insertWalletEntries = db.Bulk(`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang, credit_after_satang)
		SELECT e.id, e.transfer_id, e.debit_id, e.credit_id, e.amount,
			CASE WHEN e.debit_later IS NOT NULL THEN (SELECT balance_satang FROM wallet WHERE account_id = e.debit_id) - e.debit_later END,
			CASE WHEN e.credit_later IS NOT NULL THEN (SELECT balance_satang FROM wallet WHERE account_id = e.credit_id) - e.credit_later END
		FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::uuid[]) AS transfer_id, unnest($3::uuid[]) AS debit_id, unnest($4::uuid[]) AS credit_id,
			unnest($5::bigint[]) AS amount, unnest($6::bigint[]) AS debit_later, unnest($7::bigint[]) AS credit_later) AS e`)
)

// OpenSystemAccounts makes the organisation's own accounts; provisioning calls it, twice does no harm.
func OpenSystemAccounts(ctx context.Context, tx db.Tx) error {
	var accounts []Account
	for _, kind := range []Kind{
		GatewayPlatform, GatewayOwn, GatewayPlatformTest, GatewayOwnTest, Unearned, Payable, PlatformFee, GatewayFee, "bank_clearing", "withholding_tax",
		Breakage, ChargebackReceivable, Adjustment,
	} {
		accounts = append(accounts, SystemAccount(kind))
	}
	OpenAccounts(tx, accounts...)
	return tx.Flush(ctx)
}

// OpenAccounts makes accounts that are not there yet.
func OpenAccounts(tx db.Tx, accounts ...Account) {
	ids, kinds, owners := make([]uuid.UUID, len(accounts)), make([]string, len(accounts)), make([]*uuid.UUID, len(accounts))
	for i, a := range accounts {
		ids[i], kinds[i] = a.ID(tx.Org), string(a.Kind)
		if a.Holder != uuid.Nil {
			owners[i] = &a.Holder
		}
	}
	tx.QueueRows(insertAccounts, ids, kinds, owners, tx.Now)
}

// Transfer is money that moves for one cause.
type Transfer struct {
	Cause
	Postings []Posting
}

// checked leaves out postings of nothing, and refuses those that no book can carry.
func (m Transfer) checked() (Transfer, error) {
	m.Postings = slices.DeleteFunc(slices.Clone(m.Postings), func(p Posting) bool { return p.Amount == 0 })
	for _, p := range m.Postings {
		if p.Amount < 0 || p.Amount > money.Max || p.Debit == p.Credit {
			return m, fmt.Errorf("wallet: posting of %d from %s to %s", p.Amount, p.Debit.Kind, p.Credit.Kind)
		}
	}
	return m, nil
}

// Post moves money: one transfer, its entries, and the balances of the wallets it touches. Postings of nothing are
// left out; a transfer of nothing is no transfer. With its next answer the transaction ends in ErrInsufficient when a
// wallet holds too little.
func Post(tx db.Tx, cause Cause, postings ...Posting) error {
	return PostAll(tx, []Transfer{{cause, postings}})
}

// PostAll is Transfer for several causes, all or none; a wallet has to hold what all of them leave it.
func PostAll(tx db.Tx, moves []Transfer) error {
	var all []Transfer
	var postings []Posting
	for _, m := range moves {
		m, err := m.checked()
		if err != nil {
			return err
		}
		if len(m.Postings) > 0 {
			all, postings = append(all, m), append(postings, m.Postings...)
		}
	}
	if len(all) > 0 {
		updateWallets(tx, postings)
		queueTransfers(tx, all)
	}
	return nil
}

// updateWallets changes every wallet once, by its net sum, in the order of account ids.
func updateWallets(tx db.Tx, postings []Posting) {
	net := map[Account]money.Amount{}
	for _, p := range postings {
		if p.Debit.Kind == Wallet {
			net[p.Debit] -= p.Amount
		}
		if p.Credit.Kind == Wallet {
			net[p.Credit] += p.Amount
		}
	}
	wallets := slices.SortedFunc(maps.Keys(net), func(a, b Account) int {
		x, y := a.ID(tx.Org), b.ID(tx.Org)
		return bytes.Compare(x[:], y[:])
	})
	for _, a := range wallets {
		moveWallet(tx, a, net[a])
	}
}

func moveWallet(tx db.Tx, a Account, by money.Amount) {
	if by < 0 {
		tx.Queue(takeFromWallet, a.ID(tx.Org), -by, tx.Now).Exec(func(done pgconn.CommandTag) error {
			if done.RowsAffected() == 0 {
				return ErrInsufficient
			}
			return nil
		})
		return
	}
	OpenAccounts(tx, a)
	tx.Queue(addToWallet, a.ID(tx.Org), a.Holder, by, tx.Now)
}

// entryRow is an entry as it is written; what later ones move is known by then.
type entryRow struct {
	Posting
	transfer                uuid.UUID
	debitLater, creditLater money.Amount
}

// queueTransfers writes transfers and their entries, in their order.
func queueTransfers(tx db.Tx, moves []Transfer) {
	later := map[Account]money.Amount{}
	for _, m := range moves {
		for _, p := range m.Postings {
			later[p.Debit] -= p.Amount
			later[p.Credit] += p.Amount
		}
	}
	ids := db.Column(moves, func(Transfer) uuid.UUID { return db.NewID() })
	var entries []entryRow
	for i, m := range moves {
		for _, p := range m.Postings {
			later[p.Debit] += p.Amount
			later[p.Credit] -= p.Amount
			entries = append(entries, entryRow{p, ids[i], later[p.Debit], later[p.Credit]})
		}
	}
	tx.QueueRows(insertTransfers, ids,
		db.Column(moves, func(m Transfer) string { return m.Kind }),
		db.Column(moves, func(m Transfer) uuid.UUID { return m.ID }),
		db.Column(moves, func(m Transfer) string { return m.MemoTH }),
		db.Column(moves, func(m Transfer) string { return m.MemoEN }),
		db.Column(moves, func(m Transfer) *uuid.UUID {
			if m.Reverses == uuid.Nil {
				return nil
			}
			return &m.Reverses
		}),
		clock.Day(tx.Now), tx.Now)
	queueEntries(tx, entries)
}

// queueEntries looks for no wallet where none is touched, which is each use: Postgres spends on one half of what it does with.
func queueEntries(tx db.Tx, entries []entryRow) {
	columns := []any{
		db.Column(entries, func(entryRow) uuid.UUID { return db.NewID() }),
		db.Column(entries, func(e entryRow) uuid.UUID { return e.transfer }),
		db.Column(entries, func(e entryRow) uuid.UUID { return e.Debit.ID(tx.Org) }),
		db.Column(entries, func(e entryRow) uuid.UUID { return e.Credit.ID(tx.Org) }),
		db.Column(entries, func(e entryRow) money.Amount { return e.Amount }),
	}
	if !slices.ContainsFunc(entries, func(e entryRow) bool { return e.Debit.Kind == Wallet || e.Credit.Kind == Wallet }) {
		tx.QueueRows(insertEntries, columns...)
		return
	}
	ofWallet := func(a Account, later money.Amount) *money.Amount {
		if a.Kind != Wallet {
			return nil
		}
		return &later
	}
	tx.QueueRows(insertWalletEntries, append(columns,
		db.Column(entries, func(e entryRow) *money.Amount { return ofWallet(e.Debit, e.debitLater) }),
		db.Column(entries, func(e entryRow) *money.Amount { return ofWallet(e.Credit, e.creditLater) }))...)
}

const readBalance = `SELECT balance_satang FROM wallet WHERE account_id = $1`

// Balance of a customer's wallet; nothing when he never had money.
func Balance(ctx context.Context, tx db.Tx, customer uuid.UUID) (money.Amount, error) {
	var balance money.Amount
	rows, err := tx.Query(ctx, readBalance, AccountOf(Wallet, customer).ID(tx.Org))
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
