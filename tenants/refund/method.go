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

// The methods. Card is the one that paid the order; Bank an account that its payer names, if he paid by PromptPay.
const (
	Wallet Method = "wallet"
	Card   Method = "card"
	Bank   Method = "bank"
)

// Faults of a refund that cannot go where it should.
var (
	ErrNotToCard = fault.New(fault.Conflict, "refund.not_to_card", "This cannot go back to the card that paid. Please choose the Wallet.")
	ErrNotToBank = fault.New(fault.Conflict, "refund.not_to_bank", "This cannot go to a bank account. Please choose the Wallet.")
)

// What somebody owes who came again is beside who he is now.
const payerAndDebt = `SELECT o.customer_id, c.debt_satang FROM orders o LEFT JOIN former_customer f ON f.customer_id = o.customer_id
	JOIN customer c ON c.id = coalesce(f.successor_id, o.customer_id) WHERE o.id = $1`

// readSource returns by what who holds what is chosen of an order paid for it outside of his wallet, or nil if it cannot go there: he paid from the wallet, he is
// not who paid or has bought some of it back on the board, or he owes. He is locked where the limit is relied on.
func readSource(ctx context.Context, tx db.Tx, order uuid.UUID, list []chosen) (*charge.Source, error) {
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
	return charge.SourceOf(ctx, tx, order)
}

// checkSource returns ErrNotToCard or ErrNotToBank unless what is chosen of an order can go back by a method. To the wallet it always can.
func checkSource(ctx context.Context, tx db.Tx, method Method, order uuid.UUID, list []chosen) error {
	refusal := ErrNotToCard
	switch method {
	case Wallet, "":
		return nil
	case Bank:
		refusal = ErrNotToBank
	case Card:
	}
	source, err := readSource(ctx, tx, order, list)
	if err != nil {
		return err
	}
	if source == nil || Method(source.Method) != method || source.Limit < comes(list) {
		return refusal
	}
	return nil
}
