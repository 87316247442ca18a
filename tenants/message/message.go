// Package message keeps an inbox for each customer: what he is informed of about his vouchers, gifts, offers and money. A message is written in
// the transaction that causes it, or by the clock. Its texts are made when it is read, so that no name stays with it that was erased elsewhere.
package message

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// Kind is what a message is about.
type Kind string

// Kinds. The first word is what the subject of a message is: a gift, an offer, a voucher or a charge.
const (
	GiftClaimed      Kind = "gift_claimed"
	GiftDeclined     Kind = "gift_declined"
	GiftThanked      Kind = "gift_thanked"
	GiftReturned     Kind = "gift_returned"
	GiftStopped      Kind = "gift_stopped"
	GiftUnopened     Kind = "gift_unopened"
	OfferSold        Kind = "offer_sold"
	OfferEnded       Kind = "offer_ended"
	OfferStopped     Kind = "offer_stopped"
	VoucherEnds      Kind = "voucher_ends"
	VoucherExpired   Kind = "voucher_expired"
	VoucherFrozen    Kind = "voucher_frozen"
	VoucherReleased  Kind = "voucher_released"
	VoucherTakenBack Kind = "voucher_taken_back"
	MoneyToppedUp    Kind = "money_topped_up"
	MoneyKept        Kind = "money_kept" // of an order that was not made, or that was paid twice
)

// keptFor is how long a message is kept, read or not.
const keptFor = 180 * 24 * time.Hour

const (
	insertOne        = `INSERT INTO message (id, customer_id, kind, subject_id, amount_satang, created_at) VALUES ($1, $2, $3, $4, $5, $6)`
	insertWithOthers = insertOne + ` ON CONFLICT (customer_id, kind, created_at) WHERE kind IN ('voucher_expired', 'voucher_frozen', 'voucher_released', 'voucher_taken_back')
		DO UPDATE SET vouchers = message.vouchers + 1, amount_satang = message.amount_satang + excluded.amount_satang`
	forgetOld = `DELETE FROM message WHERE created_at < $1`
	eraseOf   = `DELETE FROM message WHERE customer_id = $1`
)

// Write queues the insert of a message to a customer, and notifies his screens. received is what came into his wallet by its cause.
func Write(ctx context.Context, tx db.Tx, customer uuid.UUID, kind Kind, subject uuid.UUID, received money.Amount) error {
	sql := insertOne
	switch kind {
	case VoucherExpired, VoucherFrozen, VoucherReleased, VoucherTakenBack:
		sql = insertWithOthers
	}
	tx.Queue(sql, db.NewID(), customer, kind, subject, received, tx.Now)
	return notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "message"})
}

// ForgetOld deletes messages that are older than 180 days. A worker calls it for each organisation.
func ForgetOld(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, forgetOld, tx.Now.Add(-keptFor)); err != nil {
		return fmt.Errorf("old messages: %w", err)
	}
	return nil
}

// Erase deletes the messages to a customer.
func Erase(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	if _, err := tx.Exec(ctx, eraseOf, customer); err != nil {
		return fmt.Errorf("messages to %s: %w", customer, err)
	}
	return nil
}
