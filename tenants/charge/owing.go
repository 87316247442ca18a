package charge

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/tenants/ledger"
)

// Owing is a captured charge that owes: its gateway sent money back, or holds it back, that the payer had spent.
type Owing struct {
	ID       uuid.UUID
	Disputed money.Amount // what the payer's bank holds back
	Dispute  payment.Dispute
	Owed     money.Amount // of both, what nothing has covered yet
	BankOwed money.Amount // the part of it that the payer's bank holds back

	saved [2]money.Amount // Owed and BankOwed as the row has them
}

// Spending is which purchases a person's charge may have paid for.
type Spending struct {
	ID    uuid.UUID
	Order uuid.UUID  // that it paid, or none
	Since *time.Time // when its money came into a wallet of his, so that what was bought from there since may be bought with it; or never
	taken *time.Time // when it last took money back from there, whoever's that was
}

const (
	lockOwing = `SELECT id, disputed_satang, dispute, owed_satang, bank_owed_satang
		FROM charge WHERE customer_id = ANY ($1) AND owed_satang > 0 ORDER BY captured_at, id FOR UPDATE`
	spending = `SELECT c.id, CASE WHEN NOT c.credited THEN c.id ELSE '00000000-0000-0000-0000-000000000000' END,
		CASE WHEN c.credited THEN c.captured_at ELSE least(
			(SELECT min(t.at) FROM voucher v JOIN voucher_event n ON n.voucher_id = v.id JOIN transfer t ON t.kind IN ('expiry', 'taken_back') AND t.cause_id = n.id
				JOIN entry e ON e.transfer_id = t.id WHERE (v.order_id = c.id OR v.resale_id = c.id) AND e.credit_id = ANY ($2)),
			(SELECT min(coalesce(m.ended_at, f.made_at)) FROM voucher v JOIN refund_item i ON i.voucher_id = v.id JOIN refund f ON f.id = i.refund_id
				LEFT JOIN remittance m ON m.refund_id = f.id
				WHERE (v.order_id = c.id OR v.resale_id = c.id) AND f.customer_id = ANY ($1) AND (m.id IS NULL OR m.state = 'failed')),
			(SELECT min(m.at) FROM charge_event m WHERE m.charge_id = c.id AND m.kind = 'dispute_won' AND m.wallet_satang > 0)) END,
		(SELECT max(m.at) FROM charge_event m WHERE m.charge_id = c.id AND m.wallet_satang < 0)
		FROM charge c WHERE c.customer_id = ANY ($1) AND c.state = 'captured'
			AND (c.owed_satang > 0 OR EXISTS (SELECT FROM charge_event m WHERE m.charge_id = c.id AND m.wallet_satang < 0))
		ORDER BY c.captured_at, c.id`
	saveOwed = `UPDATE charge SET owed_satang = $2, bank_owed_satang = $3 WHERE id = $1`
	saveDebt = `UPDATE customer SET debt_satang = $2 WHERE id = $1 AND debt_satang <> $2`
	borneOf  = `SELECT (coalesce((SELECT sum(amount_satang) FROM charge_event WHERE charge_id = $1 AND kind IN ('borne', 'written_off')), 0)
		- coalesce((SELECT sum(e.amount_satang) FROM charge_event m JOIN transfer t ON t.kind IN ('taken_back', 'chargeback') AND t.cause_id = m.id
			JOIN entry e ON e.transfer_id = t.id WHERE m.charge_id = $1 AND m.kind IN ('taken_back', 'dispute_won') AND e.credit_id = $2), 0))::bigint`
	debtors = `SELECT DISTINCT customer_id FROM charge WHERE owed_satang > 0 ORDER BY customer_id`
)

// LockOwing locks the charges by which somebody owes, whoever he was, the oldest first. He is locked already.
func LockOwing(ctx context.Context, tx db.Tx, customer []uuid.UUID) ([]*Owing, error) {
	rows, err := tx.Query(ctx, lockOwing, customer)
	if err != nil {
		return nil, fmt.Errorf("charges by which %s owes: %w", customer, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*Owing, error) {
		o := &Owing{}
		err := row.Scan(&o.ID, &o.Disputed, &o.Dispute, &o.Owed, &o.BankOwed)
		o.saved = [2]money.Amount{o.Owed, o.BankOwed}
		return o, err
	})
	if err != nil {
		return nil, fmt.Errorf("charges by which %s owes: %w", customer, err)
	}
	return list, nil
}

// Spendings are a person's charges that owe, or have taken money from his wallet.
func Spendings(ctx context.Context, tx db.Tx, customer []uuid.UUID) ([]Spending, error) {
	wallets := make([]uuid.UUID, len(customer))
	for i, id := range customer {
		wallets[i] = ledger.AccountOf(ledger.Wallet, id).ID(tx.Key)
	}
	rows, err := tx.Query(ctx, spending, customer, wallets)
	if err != nil {
		return nil, fmt.Errorf("what charges of %s may have bought: %w", customer, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s Spending, err error) {
		err = row.Scan(&s.ID, &s.Order, &s.Since, &s.taken)
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("what charges of %s may have bought: %w", customer, err)
	}
	return list, nil
}

// Reached are those among a person's charges for whose purchases the money of one stands: its own, and in turn those of each that
// took money back from the wallet when some of this one's may have lain there.
func Reached(all []Spending, id uuid.UUID) (reached []Spending) {
	in := map[uuid.UUID]bool{}
	var add func(s Spending)
	add = func(s Spending) {
		in[s.ID], reached = true, append(reached, s)
		for _, other := range all {
			if !in[other.ID] && s.Since != nil && other.taken != nil && !other.taken.Before(*s.Since) {
				add(other)
			}
		}
	}
	for _, s := range all {
		if s.ID == id {
			add(s)
		}
	}
	return reached
}

// OwedForRefunds returns the part of the debt that the gateway has refunded.
func (o *Owing) OwedForRefunds() money.Amount { return o.Owed - o.BankOwed }

// Cover posts what covers a part of what is owed: by satang of it, kind as ChargeMovement has it. toWallet is by how much the
// payer's wallet grew by it, or shrank. Save has to follow. It is of the part that is not the bank's first; who covers the bank's says so by BankOwed.
// The posting's cause gets an id unless it has one.
func (o *Owing) Cover(tx db.Tx, kind string, by, toWallet money.Amount, cause ledger.Cause, postings ...ledger.Posting) error {
	if by <= 0 || by > o.Owed {
		return fmt.Errorf("wallet: cover %d of %d that charge %s owes", by, o.Owed, o.ID)
	}
	o.Owed -= by
	o.BankOwed = min(o.BankOwed, o.Owed)
	return recordEvent(tx, Event{Charge: o.ID, Kind: kind, Amount: by, Owed: -by, Wallet: toWallet}, cause, postings...)
}

// Bear posts what the organisation pays of what is owed, of what it has earned. Save has to follow.
func (o *Owing) Bear(tx db.Tx, step uuid.UUID, by money.Amount) error {
	return o.Cover(tx, "borne", by, 0, ledger.Cause{Kind: "borne", ID: step},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: by})
}

// WriteOff is Bear of a debt that two people write off, whose case, if it is of a dispute that was lost, says so.
func (o *Owing) WriteOff(tx db.Tx, step uuid.UUID, by money.Amount) error {
	tx.Queue(writeOffLost, o.ID)
	return o.Cover(tx, "written_off", by, 0, ledger.Cause{Kind: "write_off", ID: step},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: by})
}

// Save writes down what a charge owes after everything that covered some of it: once, because a row that is written thousands of
// times in a transaction is read more slowly each time.
func (o *Owing) Save(tx db.Tx) {
	if now := [2]money.Amount{o.Owed, o.BankOwed}; now != o.saved {
		tx.Queue(saveOwed, o.ID, o.Owed, o.BankOwed)
		o.saved = now
	}
}

// Borne returns the sum that the organisation has borne for a charge or written off, less what it has got back since, from items that were taken back
// or from the bank.
func (o *Owing) Borne(ctx context.Context, tx db.Tx) (sum money.Amount, err error) {
	if err := tx.QueryRow(ctx, borneOf, o.ID, ledger.SystemAccount(ledger.Payable).ID(tx.Key)).Scan(&sum); err != nil {
		return 0, fmt.Errorf("what was borne for charge %s: %w", o.ID, err)
	}
	return sum, nil
}

// PayDebt takes what a wallet has, at most debt, for what a charge owes. It returns what that was.
func (o *Owing) PayDebt(ctx context.Context, tx db.Tx, customer uuid.UUID, debt money.Amount) (paid money.Amount, err error) {
	balance, err := ledger.Balance(ctx, tx, customer)
	if err != nil {
		return 0, err
	}
	if paid = min(balance, debt); paid <= 0 {
		return 0, nil
	}
	return paid, o.Cover(tx, "debt_paid", paid, -paid, ledger.Cause{Kind: "debt", MemoTH: "ชำระยอดค้าง", MemoEN: "Paid what was owed"},
		ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, customer), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: paid})
}

// SaveDebt keeps what a customer owes and nothing stands for.
func SaveDebt(tx db.Tx, customer uuid.UUID, debt money.Amount) { tx.Queue(saveDebt, customer, debt) }

// Debtors are the customers by whose charges something is owed.
func Debtors(ctx context.Context, tx db.Tx) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, debtors)
	if err != nil {
		return nil, fmt.Errorf("who owes: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
