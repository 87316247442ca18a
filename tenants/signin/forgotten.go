package signin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/log"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/staff"
)

// ErrNoMail says that no mail server is configured, so that a lost password is set by LINE, or by who handles the account.
var ErrNoMail = fault.New(fault.Conflict, "password.no_mail", "no e-mail can be sent from here")

// Forgotten asks for a link by which a lost password is set.
type Forgotten struct {
	Audience token.Audience
	Org      uuid.UUID // uuid.Nil for an admin
	Username string
	URL      string // of the page that takes the link's token behind its #
	Lang     string
}

// ForgottenJob sends the link to the address of an account, if there is one. That it is a job makes the answer the same, and as quick, for a
// user name that nobody has.
type ForgottenJob struct {
	Audience token.Audience `json:"audience"`
	Username string         `json:"username"`
	URL      string         `json:"url"`
	Lang     string         `json:"lang"`
}

// Kind implements queue.Job.
func (ForgottenJob) Kind() string { return "signin.forgotten" }

// Forgot queues a link for an account. It returns ErrNoMail, or fault.RateLimited after three in an hour.
func (s *Service) Forgot(ctx context.Context, in Forgotten) error {
	if !s.mail.Ready() {
		return ErrNoMail
	}
	account := in.Org.String() + ":" + strings.ToLower(in.Username)
	if err := s.limits.Take(ctx, ratelimit.Forgotten.For(account)); err != nil {
		return err
	}
	job := ForgottenJob{in.Audience, in.Username, in.URL, in.Lang}
	enqueue := func(tx db.Tx) error { return queue.Enqueue(ctx, tx, job) }
	if in.Org == uuid.Nil {
		return s.db.InPlatform(ctx, enqueue)
	}
	return s.db.InOrg(ctx, in.Org, enqueue)
}

// person is the account that a link is for.
type person struct {
	id                    uuid.UUID
	username, name, email string
}

// named returns the account of a user name. known is false where there is none.
func (s *Service) named(ctx context.Context, orgID uuid.UUID, username string) (p person, known bool, err error) {
	if orgID == uuid.Nil {
		a, err := s.admins.Named(ctx, username)
		return person{a.ID, a.Username, a.Name, a.Email}, err == nil, without(err, org.ErrWrongPassword)
	}
	a, err := s.staff.Named(ctx, orgID, username)
	return person{a.ID, a.Username, a.Name, a.Email}, err == nil, without(err, staff.ErrWrongPassword)
}

func without(err, none error) error {
	if errors.Is(err, none) {
		return nil
	}
	return err
}

// forgottenMails are the sentences of the e-mail, by language: subject, text.
var forgottenMails = map[string][2]string{
	"th": {
		"ตั้งรหัสผ่านใหม่ - We Love Voucher",
		"สวัสดี %s\n\nมีคนขอตั้งรหัสผ่านใหม่ให้ชื่อผู้ใช้ %s เปิดลิงก์นี้เพื่อตั้งรหัสผ่าน ใช้ได้ครั้งเดียวภายใน 30 นาที\n\n%s\n\nถ้าไม่ได้เป็นคนขอ ไม่ต้องทำอะไร รหัสผ่านเดิมยังใช้ได้\n",
	},
	"en": {
		"Set a new password - We Love Voucher",
		"Hello %s\n\nSomebody asked to set a new password for the user name %s. Open this link to set it. It works once, within 30 minutes.\n\n%s\n\nIf it was not you, there is nothing to do: your password stays as it is.\n",
	},
}

// MailForgotten sends the link of a job. It sends none to a user name that nobody has, or whose account has no address.
func (s *Service) MailForgotten(ctx context.Context, orgID uuid.UUID, job ForgottenJob) error {
	p, known, err := s.named(ctx, orgID, job.Username)
	if err != nil || !known || p.email == "" {
		return err
	}
	link, err := s.sessions.AddReset(ctx, session.Reset{Audience: job.Audience, Org: orgID, Subject: p.id})
	if err != nil {
		return err
	}
	words := forgottenMails[job.Lang]
	err = s.mail.Send(ctx, mail.Message{
		Key: db.NewID(), Sender: "We Love Voucher", To: p.email, Subject: words[0], Text: fmt.Sprintf(words[1], p.name, p.username, job.URL+"#"+link),
	})
	if errors.Is(err, mail.ErrRefused) || errors.Is(err, mail.ErrAddress) {
		log.From(ctx).Warn("a link for a lost password was not sent", zap.Stringer("account", p.id), zap.Error(err))
		return nil
	}
	return err
}

// resetByLINE leads somebody whom LINE has named to the page where he sets a password. It returns staff.ErrWrongPassword or org.ErrLINE for a stranger.
func (s *Service) resetByLINE(ctx context.Context, login session.Login, who line.Identity) (Result, error) {
	var subject uuid.UUID
	if login.Audience == token.Admin {
		a, err := s.admins.ByLINE(ctx, who.Subject)
		if err != nil {
			return Result{}, err
		}
		subject = a.ID
	} else {
		a, err := s.staff.ByLINE(ctx, login.Org, who.Subject)
		if err != nil {
			return Result{}, err
		}
		subject = a.ID
	}
	link, err := s.sessions.AddReset(ctx, session.Reset{Audience: login.Audience, Org: login.Org, Subject: subject})
	return Result{Audience: login.Audience, Return: SetPasswordPath(login.Audience) + "#" + link}, err
}

// SetPasswordPath is the page that takes a link's token behind its #.
func SetPasswordPath(audience token.Audience) string {
	if audience == token.Admin {
		return "/advwsadmin/newpassword"
	}
	return "/" + string(audience) + "/newpassword"
}

// Lost is the account whose password a link sets.
type Lost struct {
	Username string         `json:"username"`
	Name     string         `json:"name"`
	Audience token.Audience `json:"audience" enum:"owner,staff,admin"`
}

// lost returns a link's row and its account. host is the organisation of the host, or uuid.Nil on the platform's.
func (s *Service) lost(ctx context.Context, host uuid.UUID, link string) (r session.Reset, out Lost, err error) {
	if r, err = s.sessions.FindReset(ctx, link); err != nil {
		return r, out, err
	}
	if host != uuid.Nil && host != r.Org {
		return r, out, session.ErrReset
	}
	out.Audience = r.Audience
	who := token.Session{Audience: r.Audience, Org: r.Org, Subject: r.Subject}
	if r.Org == uuid.Nil {
		a, err := s.admins.Admin(ctx, who)
		out.Username, out.Name = a.Username, a.Name
		return r, out, over(err)
	}
	a, err := s.staff.Account(ctx, who)
	out.Username, out.Name = a.Username, a.Name
	return r, out, over(err)
}

// over says that a link is worthless where its account may not sign in any more.
func over(err error) error {
	if errors.Is(err, fault.NoSession) {
		return session.ErrReset
	}
	return err
}

// Lost shows whose password a link sets. It returns session.ErrReset.
func (s *Service) Lost(ctx context.Context, host uuid.UUID, link string) (Lost, error) {
	_, out, err := s.lost(ctx, host, link)
	return out, err
}

// SetLost sets a lost password by a link, once, ends every session of its account, and signs its person in. It returns session.ErrReset, staff.ErrPassword or org.ErrWeak at
// password.
func (s *Service) SetLost(ctx context.Context, host uuid.UUID, link string, in Password, request string) (Result, error) {
	r, _, err := s.lost(ctx, host, link)
	if err != nil {
		return Result{}, err
	}
	use := func(ctx context.Context) error { return s.sessions.UseReset(ctx, link) }
	if r.Org == uuid.Nil {
		err = s.admins.SetLostPassword(ctx, r.Subject, in.Password, request, use)
	} else {
		err = s.staff.SetLostPassword(ctx, token.Session{Audience: r.Audience, Org: r.Org, Subject: r.Subject}, in.Password, request, use)
	}
	if err != nil {
		return Result{}, err
	}
	back := strings.TrimSuffix(SetPasswordPath(r.Audience), "/newpassword")
	return s.enter(ctx, entry{r.Audience, r.Org, r.Subject, "link", back}, in.Device)
}
