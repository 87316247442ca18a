// Package signin opens sessions: it is where LINE, organisations, customers, staff and sessions meet.
package signin

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/secondfactor"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/staff"
)

// Service signs people in.
type Service struct {
	db        *db.DB
	line      *line.Client
	platform  line.Channel // the platform's own; empty when it has none
	orgs      *org.Directory
	channels  *org.Service
	sessions  *session.Service
	customers *customer.Service
	staff     *staff.Service
	admins    *org.Admins
	guesses   *ratelimit.SignInLimiter
	limits    *ratelimit.Limiter
	factors   *secondfactor.Service
	mail      mail.Sender
}

// New returns the service.
func New(d *db.DB, l *line.Client, platform line.Channel, orgs *org.Directory, channels *org.Service, sessions *session.Service, customers *customer.Service,
	st *staff.Service, admins *org.Admins, guesses *ratelimit.SignInLimiter, limits *ratelimit.Limiter, factors *secondfactor.Service, sender mail.Sender,
) *Service {
	return &Service{
		db: d, line: l, platform: platform, orgs: orgs, channels: channels, sessions: sessions, customers: customers, staff: st,
		admins: admins, guesses: guesses, limits: limits, factors: factors, mail: sender,
	}
}

// ErrAudience says that this audience does not sign in that way.
var ErrAudience = fault.New(fault.Invalid, "signin.audience", "please try again")

// Result is a new session, or what is needed before there is one.
type Result struct {
	Token    string // "" when LINE was linked to the session that is open, when a code is missing, or when a password is to be set
	Pending  string // of a sign-in that waits for a code, or ""
	Audience token.Audience
	Return   string // a path of our own to go on at
}

// failures is labelled by fault codes, which are declared in code.
var failures = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "wlv_sign_in_failures_total", Help: "Sign-ins that were refused, by audience and fault.",
}, []string{"audience", "fault"})

func count(audience token.Audience, err error) {
	if err != nil {
		failures.WithLabelValues(string(audience), fault.From(err).Code).Inc()
	}
}

// Client opens an anonymous session, which reads what an organisation shows to everybody.
func (s *Service) Client(ctx context.Context, o org.Org) (Result, error) {
	plain, err := s.sessions.Open(ctx, token.Client, o.ID, uuid.Nil, "")
	return Result{Token: plain, Audience: token.Client, Return: "/"}, err
}

// Start is a web login to begin.
type Start struct {
	Audience token.Audience
	Org      org.Org
	Return   string
	Redirect string // our callback's address, exactly as LINE must call it
	Lang     string
	Browser  string // secret cookie that binds the login to this browser
	// Invitation is the token of a staff invitation that the login takes, or "".
	Invitation string
	// Resets says that the login shows who has lost his password.
	Resets bool
}

// Start returns the address of LINE's login page. With an invitation it returns the faults of staff.Service.Invitation.
func (s *Service) Start(ctx context.Context, in Start) (string, error) {
	login := session.Login{Audience: in.Audience, Org: in.Org.ID, Return: in.Return, Resets: in.Resets}
	if in.Resets && !office(in.Audience) {
		return "", ErrAudience
	}
	if in.Invitation != "" {
		if _, err := s.staff.Invitation(ctx, in.Org.ID, in.Invitation); err != nil {
			return "", err
		}
		login.Invitation = token.Hash(in.Invitation)
	}
	return s.begin(ctx, in, login)
}

func (s *Service) begin(ctx context.Context, in Start, login session.Login) (string, error) {
	if in.Browser == "" || in.Audience == token.Client {
		return "", ErrAudience
	}
	channel, err := s.channel(ctx, in.Audience, in.Org.ID)
	if err != nil {
		return "", err
	}
	state, login, err := s.sessions.Begin(ctx, login, in.Browser)
	if err != nil {
		return "", err
	}
	return s.line.AuthorizeURL(line.Authorize{
		ChannelID: channel.ID, RedirectURI: in.Redirect, State: state, Nonce: login.Nonce, Verifier: login.Verifier, Language: in.Lang,
	}), nil
}

// Device is what is known of where somebody signs in.
type Device struct {
	Browser string // secret cookie of the browser
	Address string // IP
}

// Finish takes what LINE sent back, once, in the browser that began: it opens a session, takes an invitation, links
// LINE to an admin, or leads who has lost his password to where he sets another. It returns session.ErrLogin, line.ErrRefused, staff.ErrWrongPassword for somebody whom nobody invited, or
// the faults of staff.Service.Join and org.Admins.LinkLINE, and fault.NoSession for an admin who has signed out meanwhile.
func (s *Service) Finish(ctx context.Context, code, state, redirect string, from Device, request string) (result Result, err error) {
	login, err := s.sessions.Finish(ctx, state, from.Browser)
	if err != nil {
		return Result{}, err
	}
	defer func() { count(login.Audience, err) }()
	channel, err := s.channel(ctx, login.Audience, login.Org)
	if err != nil {
		return Result{}, err
	}
	tokens, err := s.line.Exchange(ctx, channel, code, redirect, login.Verifier)
	if err != nil {
		return Result{}, err
	}
	identity, err := s.line.VerifyIDToken(ctx, tokens.IDToken, channel.ID, login.Nonce)
	if err != nil {
		return Result{}, err
	}
	switch {
	case login.Subject != uuid.Nil:
		return s.link(ctx, login, identity, from.Browser, request)
	case login.Resets:
		return s.resetByLINE(ctx, login, identity)
	case len(login.Invitation) > 0:
		return s.join(ctx, login.Org, login.Invitation, identity, from, request)
	default:
		return s.open(ctx, login.Audience, login.Org, identity, from, login.Return)
	}
}

// WithIDToken signs in with the ID token that LIFF gave the page. The token's channel must be the organisation's.
func (s *Service) WithIDToken(ctx context.Context, audience token.Audience, o org.Org, idToken, browser string) (result Result, err error) {
	defer func() { count(audience, err) }()
	channel, err := s.channels.LineChannel(ctx, o.ID)
	if err != nil {
		return Result{}, err
	}
	identity, err := s.line.VerifyIDToken(ctx, idToken, channel.ID, "")
	if err != nil {
		return Result{}, err
	}
	if err := s.sessions.UseIDToken(ctx, identity.Claims, browser, identity.Expires); err != nil {
		return Result{}, err
	}
	return s.open(ctx, audience, o.ID, identity, Device{Browser: browser}, "/")
}

// open finds whom LINE named in the organisation, and opens the session of the audience.
func (s *Service) open(ctx context.Context, audience token.Audience, orgID uuid.UUID, who line.Identity, from Device, back string) (Result, error) {
	var subject uuid.UUID
	var account string // by which the same person signs in by password
	var err error
	switch audience {
	case token.User, token.Agent:
		subject, err = s.customers.SignIn(ctx, orgID, customer.LINEIdentity{Subject: who.Subject, Name: who.Name, Picture: who.Picture})
	case token.Owner, token.Staff:
		var p staff.Account
		p, err = s.staff.ByLINE(ctx, orgID, who.Subject)
		subject, account = p.ID, staffAccount(p.Username)
	case token.Admin:
		var a org.Admin
		a, err = s.admins.ByLINE(ctx, who.Subject)
		subject, account = a.ID, adminAccount(a.Username)
	default:
		return Result{}, ErrAudience
	}
	if err != nil {
		return Result{}, fmt.Errorf("sign in as %s: %w", audience, err)
	}
	if account != "" { // strangers who keep the account locked do not keep its person out of here
		if err := s.guesses.Know(ctx, ratelimit.Attempt{Org: orgID, Account: account, Device: from.Browser}); err != nil {
			return Result{}, err
		}
	}
	return s.enter(ctx, entry{audience, orgID, subject, "line", back}, from)
}

// entry is a session that is to be opened for somebody who has shown who he is.
type entry struct {
	audience token.Audience
	org      uuid.UUID
	subject  uuid.UUID
	way      string // password, line, invitation, or link where a lost password was set
	back     string // a path of our own to go on at
}

// office reports whether people of an audience have an account with a password.
func office(audience token.Audience) bool {
	return audience == token.Owner || audience == token.Staff || audience == token.Admin
}

// enter opens the session, or lets it wait for a code where the person's second factor is on.
func (s *Service) enter(ctx context.Context, e entry, from Device) (Result, error) {
	if office(e.audience) {
		state, err := s.factors.State(ctx, secondfactor.Holder{Org: e.org, Subject: e.subject})
		if err != nil {
			return Result{}, err
		}
		if state.On {
			pending, err := s.sessions.Await(ctx, session.Pending{Audience: e.audience, Org: e.org, Subject: e.subject, Way: e.way, Return: e.back}, from.Browser)
			return Result{Pending: pending, Audience: e.audience, Return: e.back}, err
		}
	}
	return s.openFor(ctx, e, from)
}

// openFor opens the session of somebody who has shown all that is asked of him. Of an admin it keeps that he signed in.
func (s *Service) openFor(ctx context.Context, e entry, from Device) (Result, error) {
	if e.audience == token.Admin {
		if err := s.admins.RecordSignInOf(ctx, e.subject, e.way, "", from.Address); err != nil {
			return Result{}, err
		}
	}
	plain, err := s.sessions.Open(ctx, e.audience, e.org, e.subject, from.Browser)
	return Result{Token: plain, Audience: e.audience, Return: e.back}, err
}

// WithCode opens the session of a sign-in that waits, for a code or a recovery code. org is that of the host, or uuid.Nil on the platform's.
// It returns session.ErrLogin, secondfactor.ErrCode, or ratelimit.ErrLocked after too many wrong codes.
func (s *Service) WithCode(ctx context.Context, host uuid.UUID, pending, code string, from Device) (result Result, err error) {
	p, err := s.sessions.TryPending(ctx, pending, from.Browser)
	if err != nil {
		return Result{}, err
	}
	defer func() { count(p.Audience, err) }()
	if host != uuid.Nil && host != p.Org {
		return Result{}, session.ErrLogin
	}
	attempt := ratelimit.Attempt{Org: p.Org, Account: secondfactor.Account(p.Subject), Device: from.Browser, Address: from.Address}
	if err := s.guesses.Try(ctx, attempt); err != nil {
		return Result{}, err
	}
	err = s.factors.Verify(ctx, secondfactor.Holder{Org: p.Org, Subject: p.Subject}, code)
	if errors.Is(err, secondfactor.ErrCode) && p.Audience == token.Admin {
		return Result{}, errors.Join(err, s.admins.RecordSignInOf(ctx, p.Subject, p.Way, secondfactor.ErrCode.Code, from.Address))
	}
	if err != nil && !errors.Is(err, secondfactor.ErrOff) { // somebody switched it off meanwhile
		return Result{}, err
	}
	if err := s.sessions.UsePending(ctx, pending); err != nil {
		return Result{}, err
	}
	if err := s.guesses.Succeeded(ctx, attempt); err != nil {
		return Result{}, err
	}
	return s.openFor(ctx, entry{p.Audience, p.Org, p.Subject, p.Way, p.Return}, from)
}

// Of whom failed passwords are counted.
func staffAccount(username string) string { return "staff:" + username }
func adminAccount(username string) string { return "admin:" + username }

// Password is one sign-in by user name and password, and where it comes from.
type Password struct {
	Username, Password string
	Device
}

// WithPassword signs owners and staff in by user name and password. It returns staff.ErrWrongPassword, or ratelimit.ErrLocked
// after too many failures.
func (s *Service) WithPassword(ctx context.Context, audience token.Audience, o org.Org, in Password) (Result, error) {
	return s.guarded(ctx, audience, o.ID, staffAccount(in.Username), "/"+string(audience), in, func() (uuid.UUID, error) {
		return s.staff.ByPassword(ctx, o.ID, in.Username, in.Password)
	})
}

// Admin signs an admin of the platform in. It returns org.ErrWrongPassword, or ratelimit.ErrLocked.
func (s *Service) Admin(ctx context.Context, in Password) (Result, error) {
	return s.guarded(ctx, token.Admin, uuid.Nil, adminAccount(in.Username), "/advwsadmin", in, func() (uuid.UUID, error) {
		id, err := s.admins.ByPassword(ctx, in.Username, in.Password)
		if errors.Is(err, org.ErrWrongPassword) {
			return id, errors.Join(err, s.admins.RecordSignIn(ctx, in.Username, "password", org.ErrWrongPassword.Code, in.Address))
		}
		return id, err
	})
}

// guarded counts the attempt as a failure before the password is looked at, and forgives it when it was right.
func (s *Service) guarded(ctx context.Context, audience token.Audience, orgID uuid.UUID, account, back string, in Password,
	find func() (uuid.UUID, error),
) (result Result, err error) {
	defer func() { count(audience, err) }()
	attempt := ratelimit.Attempt{Org: orgID, Account: account, Device: in.Browser, Address: in.Address}
	if err := s.guesses.Try(ctx, attempt); err != nil {
		return Result{}, err
	}
	subject, err := find()
	if err != nil {
		return Result{}, err
	}
	if err := s.guesses.Succeeded(ctx, attempt); err != nil {
		return Result{}, err
	}
	return s.enter(ctx, entry{audience, orgID, subject, "password", back}, in.Device)
}
