package demo

import (
	"context"
	"errors"
	"net/http"
	"time"

	"welovevoucher/platform/payment"
)

// promptPayer stands in for the gateway in the past, where everybody has paid his QR at once: the imitated one knows only
// today.
type promptPayer struct{}

var errOnlyPromptPay = errors.New("in the demo's past people pay by PromptPay, and want nothing back")

// CreateQR is a code that is paid.
func (promptPayer) CreateQR(_ context.Context, o payment.ChargeRequest) (payment.Charge, error) {
	return payment.Charge{
		ID: "chrg_past_" + o.ID.String(), State: payment.Paid, Amount: o.Amount, Currency: "THB", RequestID: o.ID, Organisation: o.Organisation,
		Expires: o.Expires.Truncate(time.Second),
	}, nil
}

func (promptPayer) CreateCard(context.Context, payment.ChargeRequest, string, string) (payment.Charge, error) {
	return payment.Charge{}, errOnlyPromptPay
}

func (promptPayer) Find(context.Context, payment.ChargeRequest) (payment.Charge, error) {
	return payment.Charge{}, payment.ErrUnknownCharge
}

func (promptPayer) Fetch(context.Context, string) (payment.Charge, error) {
	return payment.Charge{}, payment.ErrUnknownCharge
}

func (promptPayer) Refund(context.Context, payment.RefundRequest) (payment.Refund, error) {
	return payment.Refund{}, errOnlyPromptPay
}

func (promptPayer) VerifyKeys(context.Context) error { return nil }

func (promptPayer) Events(context.Context, time.Time) ([]payment.Event, error) { return nil, nil }

func (promptPayer) VerifyWebhook(http.Header, []byte) (payment.Event, error) {
	return payment.Event{}, payment.ErrSignature
}
