package signin

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
)

// Register takes a staff invitation with the ID token that LIFF gave the page, and opens the session that the invitation
// is for. It returns the faults of staff.Service.Join.
func (s *Service) Register(ctx context.Context, o org.Org, idToken, invitation, browser, request string) (Result, error) {
	channel, err := s.channels.LineChannel(ctx, o.ID)
	if err != nil {
		return Result{}, err
	}
	who, err := s.line.VerifyIDToken(ctx, idToken, channel.ID, "")
	if err != nil {
		return Result{}, err
	}
	if err := s.sessions.UseIDToken(ctx, who.Claims, browser, who.Expires); err != nil {
		return Result{}, err
	}
	return s.join(ctx, o.ID, token.Hash(invitation), who, Device{Browser: browser}, request)
}

func (s *Service) join(ctx context.Context, orgID uuid.UUID, invitation []byte, who line.Identity, from Device, request string) (Result, error) {
	joined, err := s.staff.Join(ctx, orgID, invitation, who.Subject, who.Picture, request)
	if err != nil {
		return Result{}, err
	}
	return s.enter(ctx, entry{joined.Area, orgID, joined.Account, "invitation", "/" + string(joined.Area)}, from)
}

// AdminWithIDToken signs an admin in with an ID token of the platform's own channel. It returns org.ErrNoLine without
// one, and org.ErrLINE for a LINE person who is not linked.
func (s *Service) AdminWithIDToken(ctx context.Context, idToken string, from Device) (Result, error) {
	channel, err := s.channel(ctx, token.Admin, uuid.Nil)
	if err != nil {
		return Result{}, err
	}
	who, err := s.line.VerifyIDToken(ctx, idToken, channel.ID, "")
	if err != nil {
		return Result{}, err
	}
	if err := s.sessions.UseIDToken(ctx, who.Claims, from.Browser, who.Expires); err != nil {
		return Result{}, err
	}
	return s.open(ctx, token.Admin, uuid.Nil, who, from, "/advwsadmin")
}

// AdminJoins sets an admin's password by a link, and signs him in. It returns org.ErrWeak or org.ErrInvitation.
func (s *Service) AdminJoins(ctx context.Context, invitation string, in Password, request string) (Result, error) {
	id, err := s.admins.Join(ctx, invitation, in.Password, request)
	if err != nil {
		return Result{}, err
	}
	return s.enter(ctx, entry{token.Admin, uuid.Nil, id, "invitation", "/advwsadmin"}, in.Device)
}

// channel is where an audience signs in: the organisation's own, or the platform's for admins.
func (s *Service) channel(ctx context.Context, audience token.Audience, orgID uuid.UUID) (line.Channel, error) {
	if audience != token.Admin {
		return s.channels.LineChannel(ctx, orgID)
	}
	if s.platform.ID == "" || s.platform.Secret == "" {
		return line.Channel{}, org.ErrNoLine
	}
	return s.platform, nil
}

// StartLink returns the address of LINE's login page for an admin who is signed in and wants to sign in by LINE from now
// on. Finish then links and opens no session.
func (s *Service) StartLink(ctx context.Context, who token.Session, in Start) (string, error) {
	in.Audience = token.Admin
	return s.begin(ctx, in, session.Login{Audience: token.Admin, Subject: who.Subject, Return: in.Return})
}

// link needs the admin's session to be open still where he began: a browser that he has left must not get his account.
func (s *Service) link(ctx context.Context, login session.Login, who line.Identity, browser, request string) (Result, error) {
	open, err := s.sessions.IsOpen(ctx, uuid.Nil, login.Subject, browser)
	if err != nil {
		return Result{}, err
	}
	if !open {
		return Result{}, fault.NoSession
	}
	return Result{Audience: token.Admin, Return: login.Return}, s.admins.LinkLINE(ctx, login.Subject, who.Subject, request)
}
