package agent

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

const (
	ofOrder        = `SELECT id, agent_id, CASE state WHEN 'reversed' THEN 0 ELSE amount_satang END, state FROM commission WHERE order_id = $1 FOR UPDATE`
	insertReversal = `INSERT INTO commission_reversal (id, commission_id, amount_satang, at) VALUES ($1, $2, $3, $4)`
	// What is reversed altogether still says how much it was.
	updateCommission = `UPDATE commission SET updated_at = $3, amount_satang = CASE $2::bigint WHEN 0 THEN amount_satang ELSE $2 END,
		state = CASE WHEN $2 = 0 THEN 'reversed' WHEN state = 'reversed' THEN 'pending' ELSE state END WHERE id = $1`
)

// SaveCommission leaves an agent the commission that he is due of an order now, and posts the difference to what he has. It is
// taken back when what he sold is taken back or unpaid, and comes back with the payment: from what he
// waits for, or, where that has been paid out to him, from what he can have paid out, and the rest he owes. An order that nobody
// sold has none.
func SaveCommission(ctx context.Context, tx db.Tx, order uuid.UUID, due money.Amount) error {
	var id, agent uuid.UUID
	var has money.Amount
	var state string
	err := tx.QueryRow(ctx, ofOrder, order).Scan(&id, &agent, &has, &state)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && has == due {
		return nil
	}
	if err != nil {
		return fmt.Errorf("commission of order %s: %w", order, err)
	}

	reversal := db.NewID()
	tx.Queue(updateCommission, id, due, tx.Now)
	tx.Queue(insertReversal, reversal, id, has-due, tx.Now)
	postings, err := reversed(ctx, tx, agent, state, has-due)
	if err != nil {
		return err
	}
	if err := ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "commission_reversal", ID: reversal}, postings...)); err != nil {
		return fmt.Errorf("reverse commission of order %s: %w", order, err)
	}
	return nil
}

// reversed takes a commission away, or gives it back where by is below zero.
func reversed(ctx context.Context, tx db.Tx, agent uuid.UUID, state string, by money.Amount) ([]ledger.Posting, error) {
	back, waits := ledger.SystemAccount(ledger.ChargebackReceivable), CommissionAccount(agent)
	ready, owes := ledger.AccountOf(ledger.CommissionPayable, agent), ledger.AccountOf(ledger.CommissionReceivable, agent)
	switch {
	case state == "pending" || state == "reversed":
		if by < 0 {
			return []ledger.Posting{{Debit: back, Credit: waits, Amount: -by}}, nil
		}
		return []ledger.Posting{{Debit: waits, Credit: back, Amount: by}}, nil
	case by < 0:
		owed, err := ledger.AccountBalance(ctx, tx, owes)
		if err != nil {
			return nil, err
		}
		settles := min(-owed, -by)
		return []ledger.Posting{{Debit: back, Credit: owes, Amount: settles}, {Debit: back, Credit: ready, Amount: -by - settles}}, nil
	default:
		has, err := ledger.AccountBalance(ctx, tx, ready)
		if err != nil {
			return nil, err
		}
		from := min(max(0, has), by)
		ledger.OpenAccounts(tx, ready, owes)
		return []ledger.Posting{{Debit: ready, Credit: back, Amount: from}, {Debit: owes, Credit: back, Amount: by - from}}, nil
	}
}
