package payment

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/omise/omise-go"
	"github.com/omise/omise-go/operations"

	"welovevoucher/platform/money"
	"welovevoucher/platform/outbound"
)

// Keys belong to one Omise account. Webhook is the base64 secret from its dashboard.
type Keys struct{ Public, Secret, Webhook string }

// Omise is the Gateway of one Omise account.
type Omise struct {
	address string
	keys    Keys
	http    *http.Client
	now     func() time.Time
}

var _ Gateway = (*Omise)(nil)

// connections is the transport that all accounts share.
var connections = http.DefaultTransport.(*http.Transport).Clone()

// NewOmise returns the gateway of one account, at an address such as https://api.omise.co.
func NewOmise(address string, keys Keys) *Omise {
	return &Omise{address: address, keys: keys, http: outbound.Client(tidy{connections}), now: time.Now}
}

// Names in a charge's metadata.
const (
	metaOrder        = "order"
	metaOrganisation = "organisation"
)

// CreateQR implements Gateway. It makes a PromptPay source and charges it.
func (o *Omise) CreateQR(ctx context.Context, order ChargeRequest) (Charge, error) {
	if found, ok, err := o.earlier(ctx, order); ok || err != nil {
		return found, err
	}
	var source omise.Source
	err := o.do(ctx, func(c *omise.Client) error {
		return c.Do(&source, &operations.CreateSource{Type: "promptpay", Amount: int64(order.Amount), Currency: "thb"})
	})
	if err != nil {
		return Charge{}, fmt.Errorf("Omise source for order %s: %w", order.ID, err)
	}
	return o.create(ctx, order, operations.CreateCharge{Source: source.ID})
}

// CreateCard implements Gateway.
func (o *Omise) CreateCard(ctx context.Context, order ChargeRequest, cardToken, returnTo string) (Charge, error) {
	if found, ok, err := o.earlier(ctx, order); ok || err != nil {
		return found, err
	}
	return o.create(ctx, order, operations.CreateCharge{Card: cardToken, ReturnURI: returnTo})
}

func (o *Omise) create(ctx context.Context, order ChargeRequest, create operations.CreateCharge) (Charge, error) {
	create.Amount, create.Currency, create.Description = int64(order.Amount), "thb", order.Description
	create.Metadata = map[string]any{metaOrder: order.ID.String(), metaOrganisation: order.Organisation.String()}
	if !order.Expires.IsZero() {
		create.ExpiresAt = &order.Expires
	}
	if order.Webhook != "" {
		create.WebhookEndpoints = []string{order.Webhook}
	}

	var made charge
	err := o.do(ctx, func(c *omise.Client) error { return c.Do(&made, &create) })
	if errors.Is(err, ErrUnavailable) {
		// The charge may exist. If it is not found, that proves nothing yet, so no second one is made here.
		order.Retry = true
		if found, ok, lookErr := o.earlier(ctx, order); ok && lookErr == nil {
			return found, nil
		}
	}
	if errors.Is(err, ErrUnknownCharge) || err == nil && made.Live != o.live() { // not found means the source or the card token
		err = ErrRefused
	}
	if err != nil {
		return Charge{}, fmt.Errorf("Omise charge for order %s: %w", order.ID, err)
	}
	return made.read(), nil
}

// page is the most that Omise lists in one answer.
const page = 100

// skew is more than the gateway's clock may differ from ours.
const skew = 10 * time.Minute

// earlier searches the account's charges, newest first, for one that an unanswered call has made. It limits the search to the time
// in which the request could be charged, because an account may have the charges of many organisations.
func (o *Omise) earlier(ctx context.Context, order ChargeRequest) (Charge, bool, error) {
	if !order.Retry {
		return Charge{}, false, nil
	}
	var until time.Time
	if !order.Expires.IsZero() {
		until = order.Expires.Add(skew).UTC()
	}
	for offset := 0; ; offset += page {
		var list struct {
			Total int      `json:"total"`
			Data  []charge `json:"data"`
		}
		err := o.do(ctx, func(c *omise.Client) error {
			return c.Do(&list, &operations.ListCharges{List: operations.List{
				From: order.Created.Add(-time.Minute).UTC(), To: until, Order: omise.ReverseChronological, Limit: page, Offset: offset,
			}})
		})
		if err != nil {
			return Charge{}, false, fmt.Errorf("Omise charges since order %s: %w", order.ID, err)
		}
		i := slices.IndexFunc(list.Data, func(c charge) bool { return c.Live == o.live() && c.read().RequestID == order.ID })
		if i >= 0 {
			return list.Data[i].read(), true, nil
		}
		if len(list.Data) < page || offset+page >= list.Total {
			return Charge{}, false, nil
		}
	}
}

// Find implements Gateway. It searches the account's charges since the request.
func (o *Omise) Find(ctx context.Context, order ChargeRequest) (Charge, error) {
	order.Retry = true
	found, ok, err := o.earlier(ctx, order)
	if err == nil && !ok {
		err = fmt.Errorf("Omise charge for order %s: %w", order.ID, ErrUnknownCharge)
	}
	return found, err
}

// Fetch implements Gateway.
func (o *Omise) Fetch(ctx context.Context, chargeID string) (Charge, error) {
	if !strings.HasPrefix(chargeID, "chrg_") || strings.ContainsAny(chargeID, "/?#%") {
		return Charge{}, fmt.Errorf("Omise charge: %w", ErrUnknownCharge)
	}
	var c charge
	err := o.do(ctx, func(client *omise.Client) error {
		return client.Do(&c, &operations.RetrieveCharge{ChargeID: chargeID})
	})
	if err == nil && c.Live != o.live() {
		err = ErrUnknownCharge
	}
	if err != nil {
		return Charge{}, fmt.Errorf("Omise charge %s: %w", chargeID, err)
	}
	if c.Refunds.Total > len(c.Refunds.Data) { // a charge has the first ones only
		if c.Refunds.Data, err = o.refunds(ctx, chargeID); err != nil {
			return Charge{}, fmt.Errorf("Omise refunds of %s: %w", chargeID, err)
		}
	}
	return c.read(), nil
}

// live reports whether the account's keys move real money. Charges of the other mode are ignored: test money must not fill a real
// balance.
func (o *Omise) live() bool { return !strings.HasPrefix(o.keys.Secret, "skey_test_") }

// Refund implements Gateway.
func (o *Omise) Refund(ctx context.Context, order RefundRequest) (Refund, error) {
	if order.Retry {
		if found, ok, err := o.earlierRefund(ctx, order); ok || err != nil {
			return found, err
		}
	}
	var made omise.Refund
	err := o.do(ctx, func(c *omise.Client) error {
		return c.Do(&made, &operations.CreateRefund{
			ChargeID: order.ChargeID, Amount: int64(order.Amount), Metadata: map[string]any{metaOrder: order.ID.String()},
		})
	})
	switch {
	case err == nil:
		return Refund{ID: made.ID, Amount: money.Amount(made.Amount), RequestID: order.ID}, nil
	case errors.Is(err, ErrUnavailable) || order.Retry: // an earlier try may have arrived since it was looked for, and be why this one is refused
		found, ok, lookErr := o.earlierRefund(ctx, order)
		if ok && lookErr == nil {
			return found, nil
		}
		if lookErr != nil {
			return Refund{}, errors.Join(fmt.Errorf("Omise refund %s of %s: %s", order.ID, order.ChargeID, err.Error()), lookErr)
		}
	}
	if errors.Is(err, ErrUnknownCharge) {
		err = ErrRefused
	}
	return Refund{}, fmt.Errorf("Omise refund %s of %s: %w", order.ID, order.ChargeID, err)
}

// earlierRefund looks for a refund among those of its charge. It returns ErrUnavailable if it cannot look.
func (o *Omise) earlierRefund(ctx context.Context, order RefundRequest) (Refund, bool, error) {
	all, err := o.refunds(ctx, order.ChargeID)
	if err != nil {
		return Refund{}, false, fmt.Errorf("Omise refunds of %s: %w: %s", order.ChargeID, ErrUnavailable, err.Error())
	}
	i := slices.IndexFunc(all, func(r omise.Refund) bool { return meta(r.Metadata, metaOrder) == order.ID })
	if i < 0 {
		return Refund{}, false, nil
	}
	return readRefund(all[i]), true, nil
}

// refunds lists all refunds of a charge.
func (o *Omise) refunds(ctx context.Context, chargeID string) (all []omise.Refund, err error) {
	for {
		var list struct {
			Total int            `json:"total"`
			Data  []omise.Refund `json:"data"`
		}
		err := o.do(ctx, func(c *omise.Client) error {
			return c.Do(&list, &operations.ListRefunds{ChargeID: chargeID, List: operations.List{Limit: page, Offset: len(all)}})
		})
		if err != nil {
			return nil, err
		}
		all = append(all, list.Data...)
		if len(list.Data) < page || len(all) >= list.Total {
			return all, nil
		}
	}
}

func readRefund(r omise.Refund) Refund {
	return Refund{ID: r.ID, Amount: money.Amount(r.Amount), RequestID: meta(r.Metadata, metaOrder)}
}

// readRefunds returns those that name a request of ours.
func readRefunds(all []omise.Refund) (ours []Refund) {
	for _, r := range all {
		if read := readRefund(r); read.RequestID != uuid.Nil {
			ours = append(ours, read)
		}
	}
	return ours
}

// charge adds fields of Omise's answer that the library leaves out.
type charge struct {
	omise.Charge
	ExpiredFlag bool  `json:"expired"`
	Fee         int64 `json:"fee"`
	FeeVAT      int64 `json:"fee_vat"`
	Refunds     struct {
		Total int            `json:"total"`
		Data  []omise.Refund `json:"data"`
	} `json:"refunds"`
}

func (c charge) read() Charge {
	out := Charge{
		ID: c.ID, Live: c.Live, Amount: money.Amount(c.Amount), Currency: strings.ToUpper(c.Currency),
		AuthorizeURL: c.AuthorizeURI, Expires: c.ExpiresAt.UTC(), Refunded: money.Amount(c.RefundedAmount), Fee: money.Amount(c.Fee + c.FeeVAT),
	}
	out.RequestID, out.Organisation = meta(c.Metadata, metaOrder), meta(c.Metadata, metaOrganisation)
	out.Refunds = readRefunds(c.Refunds.Data)
	if c.Card != nil && len(c.Card.LastDigits) == 4 {
		out.CardDigits, out.Fingerprint = c.Card.LastDigits, c.Card.Fingerprint
	}
	if c.Source != nil && c.Source.ScannableCode != nil && c.Source.ScannableCode.Image != nil {
		out.QRImage = c.Source.ScannableCode.Image.DownloadURI
	}
	if c.FailureCode != nil {
		out.Failure = *c.FailureCode
	}
	if c.Dispute != nil {
		out.Dispute, out.Disputed = DisputeOpen, money.Amount(c.Dispute.Amount)
		switch c.Dispute.Status {
		case omise.Won:
			out.Dispute = DisputeWon
		case omise.Lost, omise.Closed:
			out.Dispute = DisputeLost
		}
	}
	switch {
	case c.Reversed || c.Status == omise.ChargeReversed:
		out.State = Reversed
	case c.Status == omise.ChargeSuccessful && c.Paid:
		out.State = Paid
	case c.Status == "expired" || c.ExpiredFlag:
		out.State = Expired
	case c.Status == omise.ChargeFailed:
		out.State = Failed
	default:
		out.State = Pending
	}
	return out
}

// meta returns one of our ids from the metadata, or uuid.Nil: a charge that somebody else made in the same account has none, or
// anything.
func meta(all map[string]any, name string) uuid.UUID {
	text, ok := all[name].(string)
	if !ok {
		return uuid.Nil
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil
	}
	return id
}
