package public

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secondfactor"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/signin"
)

// hostOf is the organisation whose host was called, or uuid.Nil on the platform's.
func hostOf(req *rest.Request) uuid.UUID {
	if req.Org == nil {
		return uuid.Nil
	}
	return req.Org.ID
}

// CodeInput goes on with a sign-in that waits.
type CodeInput struct {
	Pending string `json:"pending" minLength:"1" maxLength:"120"`
	Code    string `json:"code" minLength:"6" maxLength:"20" doc:"Of the app, or a recovery code"`
}

func (c handlers) code(ctx context.Context, _ token.Session, in CodeInput) (answerWithToken, error) {
	req := rest.From(ctx)
	return opened(c.SignIn.WithCode(ctx, hostOf(req), in.Pending, in.Code, device(req)))
}

// ForgotInput names the account whose password is lost.
type ForgotInput struct {
	Audience token.Audience `json:"audience" enum:"owner,staff,admin"`
	Username string         `json:"username" minLength:"1" maxLength:"80"`
	Unique   string         `json:"unique,omitempty" maxLength:"40" doc:"On the platform's own host: which organisation"`
}

// forgot answers the same for a user name that nobody has.
func (c handlers) forgot(ctx context.Context, _ token.Session, in ForgotInput) (rest.Empty, error) {
	req := rest.From(ctx)
	ask := signin.Forgotten{Audience: in.Audience, Username: in.Username, URL: req.Origin + signin.SetPasswordPath(in.Audience), Lang: req.Lang}
	if in.Audience == token.Admin {
		if req.Org != nil {
			return rest.Empty{}, fault.Missing
		}
		return rest.Empty{}, c.SignIn.Forgot(ctx, ask)
	}
	o, err := c.findOrg(ctx, in.Unique)
	if err != nil {
		return rest.Empty{}, err
	}
	ask.Org, ask.URL = o.ID, req.OriginOf(o)+signin.SetPasswordPath(in.Audience)
	return rest.Empty{}, c.SignIn.Forgot(ctx, ask)
}

// LinkInput is the token of a link that sets a lost password.
type LinkInput struct {
	Token string `json:"token" minLength:"1" maxLength:"120"`
}

func (c handlers) lost(ctx context.Context, _ token.Session, in LinkInput) (signin.Lost, error) {
	return c.SignIn.Lost(ctx, hostOf(rest.From(ctx)), in.Token)
}

func (c handlers) setLost(ctx context.Context, _ token.Session, in JoinInput) (answerWithToken, error) {
	req := rest.From(ctx)
	return opened(c.SignIn.SetLost(ctx, hostOf(req), in.Token, signin.Password{Password: in.Password, Device: device(req)}, req.ID))
}

func (c handlers) factor(ctx context.Context, who token.Session, _ rest.Empty) (secondfactor.State, error) {
	return c.SecondFactor.State(ctx, secondfactor.HolderOf(who))
}

func (c handlers) offerFactor(ctx context.Context, who token.Session, _ rest.Empty) (secondfactor.Offer, error) {
	var issuer, account string
	if who.Audience == token.Admin {
		a, err := c.Admins.Admin(ctx, who)
		if err != nil {
			return secondfactor.Offer{}, err
		}
		issuer, account = "We Love Voucher", a.Username
	} else {
		a, err := c.Staff.Account(ctx, who)
		if err != nil {
			return secondfactor.Offer{}, err
		}
		o, err := c.Orgs.ByID(ctx, who.Org)
		if err != nil {
			return secondfactor.Offer{}, err
		}
		issuer, account = o.NameEN, a.Username
	}
	return c.SecondFactor.Offer(ctx, secondfactor.HolderOf(who), issuer, account)
}

// FactorCode is a code of the app on the phone, or a recovery code.
type FactorCode struct {
	Code string `json:"code" minLength:"6" maxLength:"20"`
}

func actor(ctx context.Context, who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
}

func (c handlers) startFactor(ctx context.Context, who token.Session, in FactorCode) (secondfactor.Recovery, error) {
	return c.SecondFactor.Start(ctx, who, actor(ctx, who), in.Code)
}

func (c handlers) renewRecovery(ctx context.Context, who token.Session, in FactorCode) (secondfactor.Recovery, error) {
	return c.SecondFactor.Renew(ctx, who, actor(ctx, who), in.Code)
}

func (c handlers) stopFactor(ctx context.Context, who token.Session, in FactorCode) (rest.Empty, error) {
	return rest.Empty{}, c.SecondFactor.Stop(ctx, who, actor(ctx, who), in.Code)
}
