package user

import (
	"context"
	"errors"

	"welovevoucher/api/rest"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/otp"
)

// mobilePurpose is the purpose of codes by which a customer proves that a mobile number is his.
const mobilePurpose = otp.Purpose("mobile")

// MobileInput is a mobile number as people write it.
type MobileInput struct {
	Mobile string `json:"mobile" maxLength:"20" doc:"Of Thailand: 0812345678 or +66812345678; spaces and hyphens are ignored"`
}

// MobileCode is the code that was sent to a mobile number.
type MobileCode struct {
	MobileInput
	Code string `json:"code" pattern:"^[0-9]{6}$"`
}

// requestMobile sends a code to a mobile number. It returns what otp.Service.Request does.
func (c handlers) requestMobile(ctx context.Context, who token.Session, in MobileInput) (otp.Sent, error) {
	o, err := c.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return otp.Sent{}, err
	}
	text := otp.Text{Shop: o.NameTH, Lang: rest.From(ctx).Lang}
	if text.Lang == "en" && o.NameEN != "" {
		text.Shop = o.NameEN
	}
	sent, err := c.OTP.Request(ctx, who, mobilePurpose, in.Mobile, text)
	return sent, atMobile(err)
}

// verifyMobile makes the number the customer's, because he has the code that was sent to it. The code is used up before the number is
// written down: if that fails, he asks for another.
func (c handlers) verifyMobile(ctx context.Context, who token.Session, in MobileCode) (rest.Empty, error) {
	number, err := c.OTP.Verify(ctx, who, mobilePurpose, in.Mobile, in.Code)
	if err != nil {
		return rest.Empty{}, atMobile(err)
	}
	by := auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
	return rest.Empty{}, c.Customer.SetMobile(ctx, who, by, number)
}

// atMobile names the field of a number that is none.
func atMobile(err error) error {
	if errors.Is(err, sms.ErrNumber) {
		return fault.At("mobile", sms.ErrNumber)
	}
	return err
}
