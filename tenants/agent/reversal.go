package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/wallet"
)

const (
	ofOrder = `SELECT k.id, k.agent_id, CASE k.state WHEN 'reversed' THEN 0 ELSE k.amount_satang END, o.commission_satang
		FROM commission k JOIN orders o ON o.id = k.order_id WHERE k.order_id = $1 FOR UPDATE OF k`
	insertReversal = `INSERT INTO commission_reversal (id, commission_id, amount_satang, at) VALUES ($1, $2, $3, $4)`
	// What is reversed altogether still says how much it was.
	keepCommission = `UPDATE commission SET updated_at = $3, amount_satang = CASE $2::bigint WHEN 0 THEN amount_satang ELSE $2 END,
		state = CASE $2 WHEN 0 THEN 'reversed' ELSE 'pending' END WHERE id = $1`
)

// Reverse leaves an agent the commission of what a buyer has paid for good, of an order's whole price. It is taken back with a
// refund or a chargeback, and comes back with it (trust-rules.md, A5.6). An order that nobody sold has none.
func Reverse(ctx context.Context, tx db.Tx, order uuid.UUID, paid, price money.Amount) error {
	var id, agent uuid.UUID
	var has, agreed money.Amount
	err := tx.QueryRow(ctx, ofOrder, order).Scan(&id, &agent, &has, &agreed)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("commission of order %s: %w", order, err)
	}
	keeps := agreed.Share(int64(paid), int64(price))
	if keeps == has {
		return nil
	}

	reversal := db.NewID()
	tx.Later(keepCommission, id, keeps, tx.Now)
	tx.Later(insertReversal, reversal, id, has-keeps, tx.Now)
	mine, owed := Account(agent), wallet.House(wallet.ChargebackReceivable)
	back := wallet.Posting{Debit: mine, Credit: owed, Amount: has - keeps}
	if keeps > has {
		back = wallet.Posting{Debit: owed, Credit: mine, Amount: keeps - has}
	}
	if err := wallet.Transfer(tx, wallet.Cause{Kind: "commission_reversal", ID: reversal}, back); err != nil {
		return fmt.Errorf("reverse commission of order %s: %w", order, err)
	}
	return nil
}
