// Package payment takes money through a payment gateway. A webhook only says where to look: callers change a balance only by what
// Fetch has returned.
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
	// ErrRefused is returned if the gateway refuses and a retry cannot help: bad keys, amount, card token.
	ErrRefused = fault.New(fault.Conflict, "payment.refused", "the payment was refused, please try another way to pay")
	// ErrUnavailable is returned if the gateway did not answer. The request may have taken effect: try again with Retry set.
	ErrUnavailable = fault.New(fault.Unavailable, "payment.unavailable", "please try again")
	// ErrUnknownCharge is returned if the account has no such charge.
	ErrUnknownCharge = fault.New(fault.NotFound, "payment.unknown_charge", "this payment is not known")
	// ErrKeys is returned if the gateway does not know the secret key.
	ErrKeys = fault.New(fault.Invalid, "payment.keys", "the payment gateway does not know this key")
	// ErrPair is returned if the public key belongs to another account than the secret key, or to another mode.
	ErrPair = fault.New(fault.Invalid, "payment.key_pair", "this public key does not belong to the secret key")
	// ErrSignature is returned for a webhook that is not from the gateway or too old, or if there is no secret to check it with.
	ErrSignature = fault.New(fault.Unauthorized, "payment.bad_signature", "Invalid Token")
)

// Collector is whose gateway account takes the money of an organisation's customers.
type Collector string

// The collectors, as they are stored and on the wire.
const (
	CollectorPlatform     Collector = "platform"
	CollectorOrganisation Collector = "organisation"
)

// Gateway is one account at one payment system.
type Gateway interface {
	// CreateQR requests a PromptPay code. The charge is pending until it is paid or expires.
	CreateQR(ctx context.Context, o ChargeRequest) (Charge, error)
	// CreateCard charges the card of a token that the browser got from the gateway. If the charge is pending with an AuthorizeURL,
	// the browser must be sent there (3-D Secure); it comes back to returnTo.
	CreateCard(ctx context.Context, o ChargeRequest, cardToken, returnTo string) (Charge, error)
	// Find looks for the charge of a request whose creation was never answered. It returns ErrUnknownCharge if there is none.
	Find(ctx context.Context, o ChargeRequest) (Charge, error)
	// Fetch reads a charge. It returns ErrUnknownCharge if the account has none of this id.
	Fetch(ctx context.Context, chargeID string) (Charge, error)
	// Refund sends money of a paid charge back. It returns ErrRefused if the gateway refused to, and has not done it at an earlier try.
	Refund(ctx context.Context, o RefundRequest) (Refund, error)
	// VerifyKeys checks with the gateway that the keys belong to one account. It returns ErrKeys, ErrPair or ErrUnavailable.
	VerifyKeys(ctx context.Context) error
	// Events lists the account's events since a time, oldest first, whether their webhooks arrived or not.
	Events(ctx context.Context, since time.Time) ([]Event, error)
	// VerifyWebhook returns the event of a webhook, or ErrSignature. Act on Fetch, never on the event.
	VerifyWebhook(header http.Header, body []byte) (Event, error)
}

// ChargeRequest is our row of a charge that is to be made. The row is written first. Its id is sent as metadata, so that a charge
// whose creation was never answered is found again.
type ChargeRequest struct {
	ID           uuid.UUID // our charge's row
	Organisation uuid.UUID
	Amount       money.Amount
	Description  string
	Created      time.Time // of the row; older charges are not searched
	Expires      time.Time // UTC; zero leaves it to the gateway
	Webhook      string    // address of this charge's webhooks; empty: the account's own
	Retry        bool      // an earlier try may have reached the gateway: search before making another
}

// State is the state of a charge.
type State string

// States of a charge. Paid is final except for refunds; an expired charge may still become paid.
const (
	Pending  State = "pending"
	Paid     State = "paid"
	Failed   State = "failed"
	Expired  State = "expired"
	Reversed State = "reversed"
)

// Dispute is the state of a dispute, by which the payer's bank takes a payment back. The gateway holds the money back while it is
// open.
type Dispute string

// States of a dispute. Won and lost are from our side.
const (
	Undisputed  Dispute = ""
	DisputeOpen Dispute = "open"
	DisputeWon  Dispute = "won"
	DisputeLost Dispute = "lost"
)

// After reports whether a dispute can change from other to d. Won and lost are final.
func (d Dispute) After(other Dispute) bool {
	return d != other && (other == Undisputed || other == DisputeOpen && d != Undisputed)
}

// Charge is a charge as the gateway reports it.
type Charge struct {
	ID           string
	State        State
	Live         bool // false in the gateway's test mode
	Amount       money.Amount
	Currency     string    // upper case, THB
	RequestID    uuid.UUID // ours, from its metadata; uuid.Nil if it has none
	Organisation uuid.UUID
	QRImage      string // address of the code's picture
	AuthorizeURL string // where the browser confirms a card payment
	Expires      time.Time
	Refunded     money.Amount // sent back so far
	Refunds      []Refund     // of that sum, those that name a request of ours
	CardDigits   string       // the last four of the card that paid; empty otherwise
	Fingerprint  string       // the same for each payment by one card; empty otherwise
	Dispute      Dispute
	Disputed     money.Amount // what the payer's bank has taken back, or asks for
	Fee          money.Amount // the gateway's, its VAT included
	Failure      string       // the gateway's code, e.g. insufficient_fund
}

// RefundRequest is our row of a refund that is to be made; see ChargeRequest.
type RefundRequest struct {
	ID       uuid.UUID
	ChargeID string
	Amount   money.Amount
	Retry    bool
}

// Refundable reports whether the gateway sends money back that was paid by a method: to a card it does, by PromptPay it does not.
func Refundable(method string) bool { return method == "card" }

// Refund is a refund as the gateway reports it.
type Refund struct {
	ID        string
	Amount    money.Amount
	RequestID uuid.UUID // ours, from its metadata
}

// Event is a verified webhook: something happened to a charge. ID is the gateway's, by which a repeated one is recognised.
type Event struct {
	ID           string
	Kind         string    // e.g. charge.complete
	ChargeID     string    // empty when it is about something else
	Organisation uuid.UUID // uuid.Nil if the event only names the charge, as those of refunds and disputes do
}
