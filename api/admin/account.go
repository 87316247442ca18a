package admin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"go.uber.org/zap"

	"welovevoucher/api/rest"
	"welovevoucher/platform/log"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
)

// Accounts are all admins.
type Accounts struct {
	Data []org.AdminRow `json:"data"`
}

func (c handlers) admins(ctx context.Context, _ token.Session, _ rest.Empty) (Accounts, error) {
	list, err := c.Admins.Admins(ctx)
	return Accounts{list}, err
}

// AccountID names an admin.
type AccountID struct {
	ID uuid.UUID `json:"id"`
}

// AccountRecord is an admin with his sessions and sign-ins.
type AccountRecord struct {
	org.AdminRow
	Self     bool                  `json:"self" doc:"It is the one who asks"`
	Sessions []session.OpenSession `json:"sessions"`
	SignIns  []org.AdminSignIn     `json:"sign_ins" doc:"The last fifty, newest first; kept for 180 days"`
}

func (c handlers) adminDetail(ctx context.Context, who token.Session, in AccountID) (d AccountRecord, err error) {
	if d.AdminRow, err = c.Admins.Row(ctx, in.ID); err != nil {
		return d, err
	}
	d.Self = in.ID == who.Subject
	if d.Sessions, err = c.Session.OpenSessions(ctx, token.Admin, uuid.Nil, in.ID, who); err != nil {
		return d, err
	}
	d.SignIns, err = c.Admins.SignIns(ctx, in.ID)
	return d, err
}

// PasswordLink is a link by which an admin sets a password. It is shown once, and only where no e-mail has taken it.
type PasswordLink struct {
	ID        uuid.UUID `json:"id"`
	Mailed    bool      `json:"mailed" doc:"It was sent to his address"`
	URL       string    `json:"url" doc:"Empty where it was sent; the part behind # stays in the browser"`
	ExpiresAt time.Time `json:"expires_at" doc:"UTC"`
}

// handOut sends the link of an invitation, or returns it where no e-mail can be sent.
func (c handlers) handOut(ctx context.Context, made org.AdminInvited) PasswordLink {
	req := rest.From(ctx)
	link := PasswordLink{ID: made.ID, URL: req.Origin + "/advwsadmin/join#" + made.Token, ExpiresAt: made.ExpiresAt}
	mailed, err := c.Admins.MailInvitation(ctx, made, link.URL, req.Lang)
	if err != nil {
		log.From(ctx).Warn("an invitation was not mailed, its link is shown", zap.Stringer("admin", made.ID), zap.Error(err))
	}
	if mailed {
		link.Mailed, link.URL = true, ""
	}
	return link
}

func (c handlers) inviteAdmin(ctx context.Context, who token.Session, in org.NewAdmin) (PasswordLink, error) {
	made, err := c.Admins.Invite(ctx, actor(ctx, who), in)
	if err != nil {
		return PasswordLink{}, err
	}
	return c.handOut(ctx, made), nil
}

func (c handlers) inviteAdminAgain(ctx context.Context, who token.Session, in AccountID) (PasswordLink, error) {
	made, err := c.Admins.InviteAgain(ctx, actor(ctx, who), in.ID)
	if err != nil {
		return PasswordLink{}, err
	}
	return c.handOut(ctx, made), nil
}

func (c handlers) takeBackAdmin(ctx context.Context, who token.Session, in AccountID) (rest.Empty, error) {
	return rest.Empty{}, c.Admins.TakeBackInvitation(ctx, actor(ctx, who), in.ID)
}

// SaveAccount is an admin and what he shall be.
type SaveAccount struct {
	ID uuid.UUID `json:"id"`
	org.AdminInput
}

func (c handlers) saveAdmin(ctx context.Context, who token.Session, in SaveAccount) (AccountRecord, error) {
	if err := c.Admins.Save(ctx, actor(ctx, who), in.ID, in.AdminInput); err != nil {
		return AccountRecord{}, err
	}
	return c.adminDetail(ctx, who, AccountID{in.ID})
}

func (c handlers) suspendAdmin(ctx context.Context, who token.Session, in AccountID) (AccountRecord, error) {
	if err := c.Admins.Suspend(ctx, actor(ctx, who), in.ID); err != nil {
		return AccountRecord{}, err
	}
	return c.adminDetail(ctx, who, in)
}

func (c handlers) resumeAdmin(ctx context.Context, who token.Session, in AccountID) (AccountRecord, error) {
	if err := c.Admins.Resume(ctx, actor(ctx, who), in.ID); err != nil {
		return AccountRecord{}, err
	}
	return c.adminDetail(ctx, who, in)
}

func (c handlers) dropFactor(ctx context.Context, who token.Session, in AccountID) (AccountRecord, error) {
	if err := c.Admins.DropSecondFactor(ctx, actor(ctx, who), in.ID); err != nil {
		return AccountRecord{}, err
	}
	return c.adminDetail(ctx, who, in)
}

// EndSessions names an admin and one of his sessions.
type EndSessions struct {
	ID      uuid.UUID `json:"id"`
	Session string    `json:"session,omitempty" required:"false" maxLength:"64" doc:"All without it, but not the one that asks"`
}

func (c handlers) endSessions(ctx context.Context, who token.Session, in EndSessions) (AccountRecord, error) {
	by := actor(ctx, who)
	if err := c.Admins.RequireMayHandle(ctx, by, in.ID, "end_sessions"); err != nil {
		return AccountRecord{}, err
	}
	end := func() error { return c.Session.RevokeAll(ctx, uuid.Nil, in.ID) }
	switch {
	case in.Session != "":
		end = func() error { return c.Session.RevokeOne(ctx, uuid.Nil, in.ID, in.Session) }
	case in.ID == who.Subject:
		end = func() error { return c.Session.RevokeElsewhere(ctx, who) }
	}
	if err := end(); err != nil {
		return AccountRecord{}, err
	}
	return c.adminDetail(ctx, who, AccountID{in.ID})
}
