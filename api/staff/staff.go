// Package staff holds the calls of staff: they scan, confirm, and see the day's uses.
package staff

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/api/wire"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/presence"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

type handlers struct{ *tenants.Services }

// Register puts the calls of staff onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := handlers{s}
	rest.Post(a, "/api/staff/theme", "All colours of pages of two", rest.Theme)
	rest.Post(a, "/api/staff/password/change", "Change one's own password", c.changePassword)
	rest.Post(a, "/api/staff/get/service_point", "Service points where this account scans", c.servicePoints)
	rest.Post(a, "/api/staff/get/customer", "Nobody: staff see whom they scan", rest.Nothing[customer.Row])
	rest.Post(a, "/api/staff/get/agent", "Nobody: staff see no agents", rest.Nothing[agent.Row])
	rest.Post(a, "/api/staff/get/agenttype", "None: staff see no agent types", rest.Nothing[agent.Type])
	rest.Post(a, "/api/staff/voucher/verify", "Read a scanned or typed code; changes no voucher", c.verify)
	rest.Post(a, "/api/staff/voucher/verify/cancel", "Not what was scanned: the customer's QR goes on", c.cancelScan)
	rest.PostKeyed(a, "/api/staff/voucher/confirm", "Use what was scanned", s.Voucher.Confirm, rest.Says[voucher.Redemption](wire.VoucherUsed))
	rest.Post(a, "/api/staff/member/scan", "Read the live code of a member's card: he stands here for five minutes", c.scanMember)
	rest.Post(a, "/api/staff/member/find", "The members who have the number of a card or of a mobile phone", c.findMember)
	rest.Post(a, "/api/staff/get/activevoucher", "What was used here on a day", c.usesOn)
	rest.Post(a, "/api/staff/get/partnercommission", "What a partner earns of what was used here on a day", c.partnerUsesOn)
}

func (c handlers) changePassword(ctx context.Context, who token.Session, in staff.PasswordChange) (rest.Empty, error) {
	by := auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
	return rest.Empty{}, c.Staff.ChangePassword(ctx, who, by, in)
}

// ServicePoints is where this person honours vouchers.
type ServicePoints struct {
	Data []catalog.PublicServicePoint `json:"data"`
}

func (c handlers) servicePoints(ctx context.Context, who token.Session, _ rest.Empty) (ServicePoints, error) {
	points, err := c.Voucher.ListServicePoints(ctx, who)
	return ServicePoints{points}, err
}

// verify lets five typed codes an hour be wrong. A QR goes on then.
func (c handlers) verify(ctx context.Context, who token.Session, in voucher.ScanInput) (voucher.Scan, error) {
	if !voucher.IsTyped(in.Code) {
		return c.Voucher.Verify(ctx, who, in)
	}
	return guessed(ctx, c.Limits, who, voucher.ErrCodeUnknown, func() (voucher.Scan, error) { return c.Voucher.Verify(ctx, who, in) })
}

func (c handlers) scanMember(ctx context.Context, who token.Session, in member.ScanInput) (member.Seen, error) {
	if _, typed := presence.ParseTyped(in.Code); !typed {
		return c.LiveCards.Scan(ctx, who, in)
	}
	return guessed(ctx, c.Limits, who, member.ErrCodeUnknown, func() (member.Seen, error) { return c.LiveCards.Scan(ctx, who, in) })
}

func (c handlers) findMember(ctx context.Context, who token.Session, in member.FindInput) (member.FoundList, error) {
	return guessed(ctx, c.Limits, who, member.ErrNobody, func() (member.FoundList, error) { return c.LiveCards.Find(ctx, who, in) })
}

// guessed looks for what an account typed. Five an hour may be wrong, all kinds together: more would be guessing. It returns voucher.ErrTypedTooOften then.
func guessed[T any](ctx context.Context, limits *ratelimit.Limiter, who token.Session, wrong error, look func() (T, error)) (found T, err error) {
	typed := ratelimit.Typed.For(who.Org.String() + ":" + who.Subject.String())
	if err := limits.Guess(ctx, typed); errors.Is(err, fault.RateLimited) {
		return found, voucher.ErrTypedTooOften.With(fault.From(err).Detail)
	} else if err != nil {
		return found, err
	}
	found, err = look()
	if errors.Is(err, wrong) || errors.Is(err, servicepoint.ErrNotStaff) {
		return found, err
	}
	return found, errors.Join(err, limits.Right(ctx, typed))
}

func (c handlers) cancelScan(ctx context.Context, who token.Session, in voucher.ScannedInput) (rest.Empty, error) {
	return rest.Empty{}, c.Voucher.CancelScan(ctx, who, in)
}

// UsesInput names a service point and a day.
type UsesInput struct {
	ServicePoint uuid.UUID  `json:"service_point_id"`
	Day          string     `json:"day,omitempty" required:"false" format:"date" doc:"In Bangkok; today without it"`
	After        *uuid.UUID `json:"after,omitempty" required:"false" doc:"Next of the page before"`
}

// Uses is a page of a day's uses at a service point, newest first.
type Uses struct {
	Data []voucher.Redemption `json:"data"`
	Next *uuid.UUID           `json:"next" nullable:"true"`
}

// day returns the day that is asked for, the zero time for today.
func (in UsesInput) day() (time.Time, error) {
	if in.Day == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, in.Day)
	if err != nil {
		return day, fault.At("day", fault.WrongFormat)
	}
	return day, nil
}

func (c handlers) usesOn(ctx context.Context, who token.Session, in UsesInput) (uses Uses, err error) {
	day, err := in.day()
	if err != nil {
		return uses, err
	}
	uses.Data, uses.Next, err = c.Voucher.UsesOn(ctx, who, in.ServicePoint, day, in.After)
	return uses, err
}

func (c handlers) partnerUsesOn(ctx context.Context, who token.Session, in UsesInput) (partner.DayOfUses, error) {
	day, err := in.day()
	if err != nil {
		return partner.DayOfUses{}, err
	}
	return c.Partner.UsesOn(ctx, who, in.ServicePoint, day, in.After)
}
