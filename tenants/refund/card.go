package refund

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/charge"
)

// Method is where a refund goes. What was asked for before there was a choice has none: that is the wallet.
type Method string

// The methods. Card is the one that paid the order.
const (
	Wallet Method = "wallet"
	Card   Method = "card"
)

// ErrNotToCard is returned where a refund cannot go to the card that paid.
var ErrNotToCard = fault.New(fault.Conflict, "refund.not_to_card", "This cannot go back to the card that paid. Please choose the Wallet.")

// What somebody owes who came again is beside who he is now.
const payerAndDebt = `SELECT o.customer_id, c.debt_satang FROM orders o LEFT JOIN former_customer f ON f.customer_id = o.customer_id
	JOIN customer c ON c.id = coalesce(f.successor_id, o.customer_id) WHERE o.id = $1`

// readCard returns the card by which who holds what is chosen of an order paid for it, or nil if it cannot go there: nobody paid by card, he is not who paid
// or has bought some of it back on the board, or he owes. He is locked where the limit is relied on.
func readCard(ctx context.Context, tx db.Tx, order uuid.UUID, list []chosen) (*charge.Card, error) {
	var payer uuid.UUID
	var debt int64
	if err := tx.QueryRow(ctx, payerAndDebt, order).Scan(&payer, &debt); err != nil {
		return nil, fmt.Errorf("payer of order %s: %w", order, err)
	}
	if debt > 0 {
		return nil, nil
	}
	for _, c := range list {
		if c.Holder != payer || c.Resale != nil {
			return nil, nil
		}
	}
	return charge.CardOf(ctx, tx, order)
}

// checkCard returns ErrNotToCard unless what is chosen of an order can go to the card that paid it.
func checkCard(ctx context.Context, tx db.Tx, order uuid.UUID, list []chosen) error {
	card, err := readCard(ctx, tx, order, list)
	if err != nil {
		return err
	}
	if card == nil || card.Limit < comes(list) {
		return ErrNotToCard
	}
	return nil
}
