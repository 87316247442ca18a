// Package payment takes money through a payment gateway. The gateway moves it; what it moved is read back with Fetch before
// anybody's balance changes, because a webhook is only a hint (trust-rules.md A5).
package payment

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

var (
	// ErrRefused says that the gateway will not do this, however often it is asked: bad keys, amount, card token.
	ErrRefused = fault.New(fault.Conflict, "pay.refused", "the payment was refused, please try another way to pay")
	// ErrUnavailable says that the gateway did not answer, and that what was asked may have happened: ask again with Again set.
	ErrUnavailable = fault.New(fault.Unavailable, "pay.unavailable", "please try again")
	// ErrUnknownCharge says that this account has no such charge.
	ErrUnknownCharge = fault.New(fault.NotFound, "pay.unknown_charge", "this payment is not known")
	// ErrKeys says that the gateway does not know the secret key.
	ErrKeys = fault.New(fault.Invalid, "pay.keys", "the payment gateway does not know this key")
	// ErrPair says that the public key is of another account than the secret key, or of another mode.
	ErrPair = fault.New(fault.Invalid, "pay.key_pair", "this public key does not belong to the secret key")
	// ErrSignature says that a webhook is not from the gateway, is too old, or that there is no secret to tell.
	ErrSignature = fault.New(fault.Unauthorized, "pay.bad_signature", "Invalid Token")
)

// Gateway is one account at one payment system.
type Gateway interface {
	// CreateQR asks for a PromptPay code. The charge is pending until somebody pays it or it expires.
	CreateQR(ctx context.Context, o ChargeRequest) (Charge, error)
	// CreateCard charges a card that the browser has made a token of. Pending with an AuthorizeURL means: send the browser there
	// (3-D Secure); it comes back to returnTo.
	CreateCard(ctx context.Context, o ChargeRequest, cardToken, returnTo string) (Charge, error)
	// Find looks for the charge of an order whose creation was never answered. It returns ErrUnknownCharge where there is none.
	Find(ctx context.Context, o ChargeRequest) (Charge, error)
	// Fetch reads a charge's state. It returns ErrUnknownCharge where the account has none of this id.
	Fetch(ctx context.Context, chargeID string) (Charge, error)
	// Refund sends money of a paid charge back.
	Refund(ctx context.Context, o RefundRequest) (Refund, error)
	// VerifyKeys asks the gateway whether the keys are one account's. It returns ErrKeys, ErrPair or ErrUnavailable.
	VerifyKeys(ctx context.Context) error
	// Events lists what the account has told webhooks since a moment, oldest first, whether they came or not.
	Events(ctx context.Context, since time.Time) ([]Event, error)
	// VerifyWebhook returns what a webhook is about, or ErrSignature. Act on Fetch, never on the event.
	VerifyWebhook(header http.Header, body []byte) (Event, error)
}

// ChargeRequest is our row of a charge that is to be made. The row is written first; its id travels as metadata, so that a charge whose
// creation was never answered is found again.
type ChargeRequest struct {
	ID           uuid.UUID // our charge's row
	Organisation uuid.UUID
	Amount       money.Amount
	Description  string
	Created      time.Time // of the row; older charges are not looked at
	Expires      time.Time // UTC; zero leaves it to the gateway
	Webhook      string    // where the gateway tells about this charge; empty leaves it to the account's own address
	Retry        bool      // an earlier try may have reached the gateway: look before making another
}

// State of a charge.
type State string

// Charge states. Paid is final but for refunds; a charge that expired may still turn out paid.
const (
	Pending  State = "pending"
	Paid     State = "paid"
	Failed   State = "failed"
	Expired  State = "expired"
	Reversed State = "reversed"
)

// Dispute is how far a payer's bank has come that wants a payment back. The gateway holds the money back while it is open.
type Dispute string

// What may become of a dispute; we win or lose it.
const (
	Undisputed  Dispute = ""
	DisputeOpen Dispute = "open"
	DisputeWon  Dispute = "won"
	DisputeLost Dispute = "lost"
)

// After tells whether a dispute that stood at other can stand at d now; won and lost are final.
func (d Dispute) After(other Dispute) bool {
	return d != other && (other == Undisputed || other == DisputeOpen && d != Undisputed)
}

// Charge is what the gateway says of one.
type Charge struct {
	ID           string
	State        State
	Live         bool // false in the gateway's test mode
	Amount       money.Amount
	Currency     string    // upper case, THB
	RequestID    uuid.UUID // ours, from its metadata; zero if it has none
	Organisation uuid.UUID
	QRImage      string // address of the code's picture
	AuthorizeURL string // where the browser confirms a card payment
	Expires      time.Time
	Refunded     money.Amount // sent back so far
	Dispute      Dispute
	Disputed     money.Amount // what the payer's bank has taken back, or asks for
	Fee          money.Amount // the gateway's, its VAT included
	Failure      string       // the gateway's code, e.g. insufficient_fund
}

// RefundRequest is our row of a refund; see Order.
type RefundRequest struct {
	ID       uuid.UUID
	ChargeID string
	Amount   money.Amount
	Retry    bool
}

// Refund is what the gateway says of one.
type Refund struct {
	ID     string
	Amount money.Amount
}

// Event is a verified webhook: something happened to a charge. ID is the gateway's, for de-duplication.
type Event struct {
	ID           string
	Kind         string    // e.g. charge.complete
	ChargeID     string    // empty when it is about something else
	Organisation uuid.UUID // zero where the event says only which charge: of a refund, of a dispute
}
