package demo

import (
	"context"
	"errors"
	"net/http"
	"time"

	"welovevoucher/platform/pay"
)

// promptPayer stands in for the gateway in the past, where everybody has paid his QR at once: the imitated one knows only
// today.
type promptPayer struct{}

var errOnlyPromptPay = errors.New("in the demo's past people pay by PromptPay, and want nothing back")

// CreateQR is a code that is paid.
func (promptPayer) CreateQR(_ context.Context, o pay.ChargeRequest) (pay.Charge, error) {
	return pay.Charge{
		ID: "chrg_past_" + o.ID.String(), State: pay.Paid, Amount: o.Amount, Currency: "THB", RequestID: o.ID, Organisation: o.Organisation,
		Expires: o.Expires.Truncate(time.Second),
	}, nil
}

func (promptPayer) CreateCard(context.Context, pay.ChargeRequest, string, string) (pay.Charge, error) {
	return pay.Charge{}, errOnlyPromptPay
}

func (promptPayer) Find(context.Context, pay.ChargeRequest) (pay.Charge, error) {
	return pay.Charge{}, pay.ErrUnknownCharge
}

func (promptPayer) Fetch(context.Context, string) (pay.Charge, error) {
	return pay.Charge{}, pay.ErrUnknownCharge
}

func (promptPayer) Refund(context.Context, pay.RefundRequest) (pay.Refund, error) {
	return pay.Refund{}, errOnlyPromptPay
}

func (promptPayer) VerifyKeys(context.Context) error { return nil }

func (promptPayer) Events(context.Context, time.Time) ([]pay.Event, error) { return nil, nil }

func (promptPayer) VerifyWebhook(http.Header, []byte) (pay.Event, error) {
	return pay.Event{}, pay.ErrSignature
}
