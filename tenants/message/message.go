// Package message keeps an inbox for each customer: what he is informed of about his vouchers, gifts, offers and money. A message is written in
// the transaction that causes it, or by the clock. Its texts are made when it is read, so that no name stays with it that was erased elsewhere.
package message

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// Kind is what a message is about.
type Kind string

// Kinds. The first word is what the subject of a message is: a gift, an offer, a voucher, a charge, a redemption, a payer's request for a refund, what is
// paid out of a wallet, an agent, or a member.
const (
	GiftDue          Kind = "gift_due" // its moment has come
	GiftClaimed      Kind = "gift_claimed"
	GiftDeclined     Kind = "gift_declined"
	GiftThanked      Kind = "gift_thanked"
	GiftReturned     Kind = "gift_returned"
	GiftStopped      Kind = "gift_stopped"
	GiftUnopened     Kind = "gift_unopened"
	GiftFirstTaken   Kind = "gift_first_taken"   // of an ang-pao; who takes the others stands on its page
	GiftAllTaken     Kind = "gift_all_taken"     // of an ang-pao
	GiftRestReturned Kind = "gift_rest_returned" // of an ang-pao that some have taken one of
	GiftRestStopped  Kind = "gift_rest_stopped"  // the same
	OfferSold        Kind = "offer_sold"
	OfferEnded       Kind = "offer_ended"
	OfferStopped     Kind = "offer_stopped"
	VoucherEnds      Kind = "voucher_ends"
	VoucherExpired   Kind = "voucher_expired"
	VoucherFrozen    Kind = "voucher_frozen"
	VoucherReleased  Kind = "voucher_released"
	VoucherTakenBack Kind = "voucher_taken_back"

	VoucherRefunded       Kind = "voucher_refunded" // by the organisation
	VoucherFrozenByShop   Kind = "voucher_frozen_by_shop"
	VoucherReleasedByShop Kind = "voucher_released_by_shop"
	VoucherVoidedByShop   Kind = "voucher_voided_by_shop"
	VoucherReissued       Kind = "voucher_reissued" // it has another code
	VoucherExtended       Kind = "voucher_extended" // it has more days
	VoucherToCard         Kind = "voucher_to_card"  // as VoucherRefunded, to the card that paid

	MoneyToppedUp Kind = "money_topped_up"
	MoneyRefunded Kind = "money_refunded" // by the customer himself
	MoneyKept     Kind = "money_kept"     // of an order or an offer that was not bought, or that was paid twice
	MoneyToCard   Kind = "money_to_card"  // as MoneyRefunded, to the card that paid
	// MoneyNotToCard says that the card did not take it, so it is in the wallet.
	MoneyNotToCard Kind = "money_not_to_card"
	MoneyToBank    Kind = "money_to_bank" // as MoneyRefunded, by a transfer that the organisation has to make
	MoneyAtBank    Kind = "money_at_bank" // it has made it
	// MoneyNotToBank says that the transfer could not be made, so it is in the wallet.
	MoneyNotToBank Kind = "money_not_to_bank"

	UseConfirmed Kind = "use_confirmed"
	UseStands    Kind = "use_stands" // although who used it says that he did not
	UseUndone    Kind = "use_undone"
	UseGoodwill  Kind = "use_goodwill" // the organisation gave money back for it

	RefundGranted Kind = "refund_granted"
	RefundRefused Kind = "refund_refused"
	RefundChanged Kind = "refund_changed" // what it names is not all there any more
	RefundToCard  Kind = "refund_to_card" // as RefundGranted, to the card that paid
	RefundToBank  Kind = "refund_to_bank" // as RefundGranted, by a transfer that the organisation has to make

	CashoutApproved Kind = "cashout_approved"
	CashoutRefused  Kind = "cashout_refused"
	CashoutAtBank   Kind = "cashout_at_bank" // the organisation has transferred it
	CashoutFailed   Kind = "cashout_failed"  // a part of it could not be sent, so it is in the wallet

	AgentApproved   Kind = "agent_approved"
	AgentRefused    Kind = "agent_refused"
	AgentSuspended  Kind = "agent_suspended"
	AgentResumed    Kind = "agent_resumed"
	AgentChanged    Kind = "agent_changed"     // a new form was approved; the day is since when its account is paid to
	AgentNotChanged Kind = "agent_not_changed" // a new form was refused

	AgentPaid        Kind = "agent_paid"         // commission was transferred to an agent's bank account
	AgentNotPaid     Kind = "agent_not_paid"     // it could not be, so the next run pays it
	AgentPayReturned Kind = "agent_pay_returned" // it came back from the bank
	AgentDenied      Kind = "agent_denied"       // commission of an order was denied

	MemberApproved  Kind = "member_approved"
	MemberRefused   Kind = "member_refused"
	MemberSuspended Kind = "member_suspended"
	MemberResumed   Kind = "member_resumed"
	MemberEnded     Kind = "member_ended" // the last day of the card has passed
	MemberPointsEnd Kind = "member_points_end"
)

// keptFor is how long a message is kept, read or not.
const keptFor = 180 * 24 * time.Hour

const (
	insertOne     = `INSERT INTO message (id, customer_id, kind, subject_id, vouchers, amount_satang, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	insertWithDay = `INSERT INTO message (id, customer_id, kind, subject_id, day, created_at) VALUES ($1, $2, $3, $4, $5, $6)`
	forgetOld     = `DELETE FROM message WHERE created_at < $1`
	eraseOf       = `DELETE FROM message WHERE customer_id = $1`
)

// outside has the kinds that are of money which goes to a card or a bank account, or of commission; of others it came into the wallet.
var outside = []Kind{MoneyToCard, VoucherToCard, RefundToCard, MoneyToBank, RefundToBank, MoneyAtBank, CashoutApproved, CashoutAtBank, AgentPaid, AgentNotPaid, AgentPayReturned, AgentDenied}

// Write queues the insert of a message to a customer, and notifies his screens. received is what came into his wallet by its cause, or goes to his card or
// bank account.
func Write(ctx context.Context, tx db.Tx, customer uuid.UUID, kind Kind, subject uuid.UUID, received money.Amount) error {
	return write(ctx, tx, customer, kind, subject, 1, received)
}

// WriteWithDay is Write for a kind whose texts name a day.
func WriteWithDay(ctx context.Context, tx db.Tx, customer uuid.UUID, kind Kind, subject uuid.UUID, day time.Time) error {
	tx.Queue(insertWithDay, db.NewID(), customer, kind, subject, day, tx.Now)
	return notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "message"})
}

// Used is a use that a customer is informed of.
type Used struct {
	Customer   uuid.UUID
	Redemption uuid.UUID
}

type usedRow struct {
	ID         uuid.UUID `db:"id"`
	Customer   uuid.UUID `db:"customer_id"`
	Kind       Kind      `db:"kind"`
	Redemption uuid.UUID `db:"subject_id"`
	At         time.Time `db:"created_at"`
}

var insertUsed = db.NewBulk[usedRow](`INSERT INTO message (id, customer_id, kind, subject_id, created_at)
	SELECT unnest(@id::uuid[]), unnest(@customer_id::uuid[]), unnest(@kind::text[]), unnest(@subject_id::uuid[]), unnest(@created_at::timestamptz[])`)

// QueueUsed queues the insert of a message for each use of a batch, in one statement. It sends no notice of its own: the screens that receive
// the notice of the use ask for the inbox as well.
func QueueUsed(tx db.Tx, uses []Used) {
	insertUsed.Queue(tx, db.Column(uses, func(u Used) usedRow {
		return usedRow{db.NewID(), u.Customer, UseConfirmed, u.Redemption, tx.Now}
	}))
}

func write(ctx context.Context, tx db.Tx, customer uuid.UUID, kind Kind, subject uuid.UUID, vouchers int, received money.Amount) error {
	tx.Queue(insertOne, db.NewID(), customer, kind, subject, vouchers, received, tx.Now)
	return notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "message"})
}

// OfVouchers collects what a transaction does to vouchers, so that each holder has one message of each kind. The zero value is empty.
type OfVouchers struct{ list []ofVouchers }

type ofVouchers struct {
	holder   uuid.UUID
	kind     Kind
	first    uuid.UUID
	vouchers int
	received money.Amount
}

// Add adds what happened to a voucher, and what came into its holder's wallet by it, or is on its way to his card.
func (o *OfVouchers) Add(holder uuid.UUID, kind Kind, voucher uuid.UUID, received money.Amount) {
	i := slices.IndexFunc(o.list, func(m ofVouchers) bool { return m.holder == holder && m.kind == kind })
	if i < 0 {
		i, o.list = len(o.list), append(o.list, ofVouchers{holder: holder, kind: kind, first: voucher})
	}
	o.list[i].vouchers++
	o.list[i].received += received
}

// Write queues the inserts of the messages, and notifies the holders' screens.
func (o *OfVouchers) Write(ctx context.Context, tx db.Tx) error {
	for _, m := range o.list {
		if err := write(ctx, tx, m.holder, m.kind, m.first, m.vouchers, m.received); err != nil {
			return err
		}
	}
	return nil
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
