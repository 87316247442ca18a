// Package ledger is the books of one organisation: accounts, transfers, entries, and the balances of customers' wallets.
// README.md beside this file lists what always holds.
package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Kind of account (docs/domain.md).
type Kind string

// Accounts. Wallets and the commission accounts have a holder; the others are system accounts.
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
	// CommissionReceivable has commissions that were taken back after they had been paid out: the agent owes them.
	CommissionReceivable Kind = "commission_receivable"
	Breakage             Kind = "breakage"
	// ChargebackReceivable has what customers owe: money that was spent before their banks took it back, less the commissions reversed for it.
	ChargebackReceivable Kind = "chargeback_receivable"
	// UseObjection has what uses earned to which who used them objects, until the organisation has decided.
	UseObjection Kind = "use_objection"
	// BankClearing has what is on its way out to cards and bank accounts.
	BankClearing Kind = "bank_clearing"
	// WithholdingTax has what was withheld of payees for the Revenue Department.
	WithholdingTax Kind = "withholding_tax"
	Adjustment     Kind = "adjustment"

	// PointsIssued and the kinds below are the second currency: what was issued, spent and has lapsed, what customers owe of them, and
	// their lots, one for each day on which points lapse.
	PointsIssued Kind = "points_issued"
	PointsSpent  Kind = "points_spent"
	PointsLapsed Kind = "points_lapsed"
	PointsOwed   Kind = "points_owed"
	PointLot     Kind = "point_lot"
)

// ofPoints reports whether an account's balance is of points, and not of satang.
func (k Kind) ofPoints() bool {
	return k == PointsIssued || k == PointsSpent || k == PointsLapsed || k == PointsOwed || k == PointLot
}

// Real reports whether a gateway's account is of real money.
func (k Kind) Real() bool { return k != GatewayPlatformTest && k != GatewayOwnTest }

// Account names one account of the ledger.
type Account struct {
	Kind   Kind
	Holder uuid.UUID // uuid.Nil for a system account
	Lapses string    // of a lot of points the day on which they lapse, as 2028-06-30
}

// SystemAccount is an account of the organisation itself.
func SystemAccount(kind Kind) Account { return Account{Kind: kind} }

// AccountOf is the account of a holder.
func AccountOf(kind Kind, holder uuid.UUID) Account { return Account{Kind: kind, Holder: holder} }

// LotOf is the account of a holder's points that lapse on a day.
func LotOf(holder uuid.UUID, lapses time.Time) Account {
	return Account{Kind: PointLot, Holder: holder, Lapses: lapses.Format(time.DateOnly)}
}

// ID follows from the organisation's key, kind, holder and day of lapse, so that nobody has to look it up.
func (a Account) ID(key uuid.UUID) uuid.UUID {
	return uuid.NewSHA1(key, append(append([]byte(a.Kind+"|"), a.Holder[:]...), a.Lapses...))
}

// Posting is an entry that is not written yet: a positive amount from Debit to Credit, of satang or of points as their kinds have it.
type Posting struct {
	Debit, Credit Account
	Amount        money.Amount
}

// Cause is the reason of a transfer. A cause of a kind has one transfer at most.
type Cause struct {
	Kind     string // topup, purchase, use, refund …
	ID       uuid.UUID
	MemoTH   string // the text beside it in the wallet's statement
	MemoEN   string
	Reverses uuid.UUID // the transfer that this one takes back, or uuid.Nil
}

// OpenSystemAccounts makes the organisation's own accounts; provisioning calls it, twice does no harm.
func OpenSystemAccounts(ctx context.Context, tx db.Tx) error {
	var accounts []Account
	for _, kind := range []Kind{
		GatewayPlatform, GatewayOwn, GatewayPlatformTest, GatewayOwnTest, Unearned, Payable, PlatformFee, GatewayFee, BankClearing, WithholdingTax,
		Breakage, ChargebackReceivable, UseObjection, Adjustment, PointsIssued, PointsSpent, PointsLapsed,
	} {
		accounts = append(accounts, SystemAccount(kind))
	}
	OpenAccounts(tx, accounts...)
	return tx.Flush(ctx)
}

type accountRow struct {
	ID        uuid.UUID  `db:"id"`
	Kind      Kind       `db:"kind"`
	Holder    *uuid.UUID `db:"holder_id"`
	Lapses    *string    `db:"lapses_on"`
	CreatedAt time.Time  `db:"created_at"`
}

var insertAccounts = db.NewBulk[accountRow](`INSERT INTO account (id, kind, holder_id, lapses_on, created_at)
	SELECT unnest(@id::uuid[]), unnest(@kind::text[]), unnest(@holder_id::uuid[]), unnest(@lapses_on::text[])::date, unnest(@created_at::timestamptz[])
	ON CONFLICT (id) DO NOTHING`)

// OpenAccounts makes accounts that are not there yet.
func OpenAccounts(tx db.Tx, accounts ...Account) {
	insertAccounts.Queue(tx, db.Column(accounts, func(a Account) accountRow {
		row := accountRow{ID: a.ID(tx.Key), Kind: a.Kind, CreatedAt: tx.Now}
		if a.Holder != uuid.Nil {
			row.Holder = &a.Holder
		}
		if a.Lapses != "" {
			row.Lapses = &a.Lapses
		}
		return row
	}))
}

// Transfer is money that moves for one cause.
type Transfer struct {
	Cause
	Postings []Posting
}

// NewTransfer returns a transfer of postings.
func NewTransfer(cause Cause, postings ...Posting) Transfer { return Transfer{cause, postings} }

// check returns the transfer without postings of nothing. It refuses those that no book can carry.
func (t Transfer) check() (Transfer, error) {
	t.Postings = slices.DeleteFunc(slices.Clone(t.Postings), func(p Posting) bool { return p.Amount == 0 })
	for _, p := range t.Postings {
		if p.Amount < 0 || p.Amount > money.Max || p.Debit == p.Credit || p.Debit.Kind.ofPoints() != p.Credit.Kind.ofPoints() {
			return t, fmt.Errorf("ledger: posting of %d from %s to %s", p.Amount, p.Debit.Kind, p.Credit.Kind)
		}
	}
	return t, nil
}

// Post queues transfers, all or none: their entries, and the balances of the wallets they touch. Postings of nothing are left out; a
// transfer of nothing is no transfer. The next flush returns ErrInsufficient if a wallet holds less than all of them together
// take from it. They count in their order: entry_wallets_not_negative refuses one that takes what a later one brings.
func Post(tx db.Tx, transfers ...Transfer) error {
	var all []Transfer
	for _, t := range transfers {
		t, err := t.check()
		if err != nil {
			return err
		}
		if len(t.Postings) > 0 {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return nil
	}
	debits, credits := walletChanges(tx, all)
	if len(debits)+len(credits) > 1 {
		tx.Queue(lockWallets, append(db.Column(debits, debitRow.account), db.Column(credits, creditRow.account)...))
	}
	if len(debits) > 0 {
		debitWallets.Queue(tx, debits).Exec(func(done pgconn.CommandTag) error {
			if done.RowsAffected() < int64(len(debits)) {
				return ErrInsufficient
			}
			return nil
		})
	}
	if len(credits) > 0 {
		OpenAccounts(tx, db.Column(credits, func(c creditRow) Account { return AccountOf(Wallet, c.Customer) })...)
		creditWallets.Queue(tx, credits)
	}
	queueTransfers(tx, all)
	return nil
}

type transferRow struct {
	ID       uuid.UUID  `db:"id"`
	Kind     string     `db:"kind"`
	Cause    uuid.UUID  `db:"cause_id"`
	Day      time.Time  `db:"day"`
	At       time.Time  `db:"at"`
	MemoTH   string     `db:"memo_th"`
	MemoEN   string     `db:"memo_en"`
	Reverses *uuid.UUID `db:"reverses"`
}

// entryRow is an entry. DebitLater and CreditLater say by how much later entries of this transaction change that account's wallet. The balance
// after this entry is the final balance less that.
type entryRow struct {
	ID          uuid.UUID     `db:"id"`
	Transfer    uuid.UUID     `db:"transfer_id"`
	Debit       uuid.UUID     `db:"debit_id"`
	Credit      uuid.UUID     `db:"credit_id"`
	Amount      money.Amount  `db:"amount_satang"`
	DebitLater  *money.Amount `db:"debit_later"`
	CreditLater *money.Amount `db:"credit_later"`
}

var (
	insertTransfers = db.NewBulk[transferRow](`INSERT INTO transfer (id, kind, cause_id, day, at, memo_th, memo_en, reverses)
		SELECT unnest(@id::uuid[]), unnest(@kind::text[]), unnest(@cause_id::uuid[]), unnest(@day::date[]), unnest(@at::timestamptz[]),
			unnest(@memo_th::text[]), unnest(@memo_en::text[]), unnest(@reverses::uuid[])`)
	insertEntries = db.NewBulk[entryRow](`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang, credit_after_satang)
		SELECT e.id, e.transfer_id, e.debit_id, e.credit_id, e.amount,
			CASE WHEN e.debit_later IS NOT NULL THEN (SELECT balance_satang FROM wallet WHERE account_id = e.debit_id) - e.debit_later END,
			CASE WHEN e.credit_later IS NOT NULL THEN (SELECT balance_satang FROM wallet WHERE account_id = e.credit_id) - e.credit_later END
		FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@transfer_id::uuid[]) AS transfer_id, unnest(@debit_id::uuid[]) AS debit_id,
			unnest(@credit_id::uuid[]) AS credit_id, unnest(@amount_satang::bigint[]) AS amount,
			unnest(@debit_later::bigint[]) AS debit_later, unnest(@credit_later::bigint[]) AS credit_later) AS e`)
)

// queueTransfers queues transfers and their entries, in their order. The wallets are changed before.
func queueTransfers(tx db.Tx, transfers []Transfer) {
	later := map[Account]money.Amount{}
	for _, t := range transfers {
		for _, p := range t.Postings {
			later[p.Debit] -= p.Amount
			later[p.Credit] += p.Amount
		}
	}
	ofWallet := func(a Account) *money.Amount {
		if a.Kind != Wallet {
			return nil
		}
		amount := later[a]
		return &amount
	}
	var rows []transferRow
	var entries []entryRow
	for _, t := range transfers {
		row := transferRow{ID: db.NewID(), Kind: t.Kind, Cause: t.ID, Day: clock.Day(tx.Now), At: tx.Now, MemoTH: t.MemoTH, MemoEN: t.MemoEN}
		if t.Reverses != uuid.Nil {
			row.Reverses = &t.Reverses
		}
		rows = append(rows, row)
		for _, p := range t.Postings {
			later[p.Debit] += p.Amount
			later[p.Credit] -= p.Amount
			entries = append(entries, entryRow{
				ID: db.NewID(), Transfer: row.ID, Debit: p.Debit.ID(tx.Key), Credit: p.Credit.ID(tx.Key), Amount: p.Amount,
				DebitLater: ofWallet(p.Debit), CreditLater: ofWallet(p.Credit),
			})
		}
	}
	insertTransfers.Queue(tx, rows)
	insertEntries.Queue(tx, entries)
}
