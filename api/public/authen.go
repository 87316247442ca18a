// Package public holds the calls that open, read and end a session, and what strangers may ask.
package public

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/api/wire"
	"welovevoucher/platform/access"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/gate"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/signin"
	"welovevoucher/tenants/staff"
)

type handlers struct{ *tenants.Services }

// Register puts the sign-in calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := handlers{s}
	rest.PostForOrg(a, "/api/authen/web/client/{unique}", "An anonymous session: it reads what is public", c.client)
	rest.PostForOrg(a, "/api/authen/web/agent/{liffId}", "An anonymous session in an agent app", c.client)
	rest.PostForOrg(a, "/api/authen/webclient/{unique}/line", "Sign a customer in with LIFF's ID token", c.withIDToken(token.User))
	rest.PostForOrg(a, "/api/authen/agent/{liffId}/line", "Sign an agent in with LIFF's ID token", c.withIDToken(token.Agent))
	rest.Post(a, "/api/authen/line/start", "Begin a web login by LINE", c.start)
	rest.Post(a, "/api/authen/line/finish", "Finish a web login by LINE", c.finish)
	rest.Post(a, "/api/authen/owner/user", "Sign an owner in by password", c.withPassword(token.Owner))
	rest.Post(a, "/api/authen/staff/user", "Sign staff in by password", c.withPassword(token.Staff))
	rest.Post(a, "/api/authen/owner/line", "Sign an owner in by LINE", c.staffIDToken(token.Owner))
	rest.Post(a, "/api/authen/staff/line", "Sign staff in by LINE", c.staffIDToken(token.Staff))
	rest.Post(a, "/api/authen/admin/user", "Sign a platform admin in", c.admin)
	rest.Post(a, "/api/authen/admin/line", "Sign a platform admin in by LINE", c.adminIDToken)
	rest.Post(a, "/api/authen/admin/invitation", "Whose password a link sets", c.adminInvitation)
	rest.Post(a, "/api/authen/admin/join", "Set an admin's password by a link, once", c.adminJoin)
	rest.Post(a, "/api/authen/registeruser/owner/line", "Take a staff invitation with LIFF's ID token", c.register)
	rest.Post(a, "/api/authen/registeruser/line", "The same, in an online app", c.register)
	rest.Post(a, "/api/authen/registeruser/invitation", "What an invitation is for", c.invitation)
	rest.Post(a, "/api/authen/rechecktoken", "Is this session still good, and whose is it", c.recheck)
	rest.Post(a, "/api/authen/agentrechecktoken", "The same in an agent app", c.recheck)
	rest.Post(a, "/api/authen/getuserdetail", "Whose session this is", c.recheck)
	rest.PostKeyed(a, "/api/public/contact/send", "Write to the platform", c.toPlatform)
	rest.Post(a, "/api/public/shop/find", "Find a shop by a part of its name", c.findShop)
	rest.Post(a, "/api/authen/code", "Go on with a sign-in that waits for a code", c.code)
	rest.Post(a, "/api/authen/password/forgot", "Send a link by which a lost password is set", c.forgot)
	rest.Post(a, "/api/authen/password/link", "Whose password a link sets", c.lost)
	rest.Post(a, "/api/authen/password/set", "Set a lost password by a link, once", c.setLost)
	rest.Post(a, "/api/account/secondfactor/state", "Whether one's second factor is on", c.factor)
	rest.Post(a, "/api/account/secondfactor/offer", "A secret for the app on one's phone", c.offerFactor)
	rest.Post(a, "/api/account/secondfactor/start", "Switch the second factor on, with a code of the secret", c.startFactor)
	rest.Post(a, "/api/account/secondfactor/renew", "Ten other recovery codes", c.renewRecovery)
	rest.Post(a, "/api/account/secondfactor/stop", "Switch the second factor off", c.stopFactor)
	rest.Post(a, "/api/authen/logout", "End this session", c.logout, rest.Says[rest.Empty](wire.SignedOut))
}

// toPlatform keeps a message of a visitor of the platform's own host; on an organisation's, messages are for that one.
func (c handlers) toPlatform(ctx context.Context, _ token.Session, key string, in contact.Input) (contact.Receipt, error) {
	if rest.From(ctx).Org != nil {
		return contact.Receipt{}, fault.Missing
	}
	return c.Contact.SendToPlatform(ctx, key, in)
}

// FindInput is a part of a shop's name.
type FindInput struct {
	Name string `json:"name" minLength:"2" maxLength:"80"`
}

// Shop is an organisation as a stranger may see it: what its own front says of it.
type Shop struct {
	NameTH    string `json:"name_th"`
	NameEN    string `json:"name_en"`
	TaglineTH string `json:"tagline_th"`
	TaglineEN string `json:"tagline_en"`
	URL       string `json:"url" doc:"Where its customers sign in"`
}

// Shops are the first of those that were found.
type Shops struct {
	Data []Shop `json:"data"`
}

// findShop finds a shop for who stands on the platform's own host; an organisation's host names no other.
func (c handlers) findShop(ctx context.Context, _ token.Session, in FindInput) (Shops, error) {
	if rest.From(ctx).Org != nil {
		return Shops{}, fault.Missing
	}
	found, err := c.Orgs.Find(ctx, in.Name)
	list := Shops{Data: make([]Shop, len(found))}
	for i, o := range found {
		list.Data[i] = Shop{o.NameTH, o.NameEN, o.TaglineTH, o.TaglineEN, rest.From(ctx).OriginOf(o) + "/user/home"}
	}
	return list, err
}

// findOrg finds the organisation that a call is about. On an organisation's own host it must be that one; on the
// platform's host the unique or liffId of a sign-in call chooses (docs/domain.md).
func (c handlers) findOrg(ctx context.Context, name string) (org.Org, error) {
	host := rest.From(ctx).Org
	if name == "" && host != nil {
		return *host, nil
	}
	named, err := c.Orgs.ByUnique(ctx, name)
	if org.LiffForm.MatchString(name) {
		named, err = c.Orgs.ByLiff(ctx, name)
	}
	if err != nil {
		return org.Org{}, err
	}
	if (host != nil && host.ID != named.ID) || !named.Answers() {
		return org.Org{}, org.ErrNotFound
	}
	return named, nil
}

// Opened is a session that was opened. Its token stands beside it.
type Opened struct {
	Audience token.Audience `json:"audience" enum:"client,user,agent,owner,staff,admin"`
	Return   string         `json:"return" doc:"A path of our own to go on at"`
	Session  string         `json:"session" doc:"Of web/client: the one that it was asked with"`
	Pending  string         `json:"pending,omitempty" required:"false" doc:"Names a sign-in that waits for a code; then there is no token yet"`
}

// answerWithToken is the answer of a call that opens a session.
type answerWithToken = rest.WithToken[Opened]

func opened(r signin.Result, err error) (answerWithToken, error) {
	return answerWithToken{Token: r.Token, Detail: Opened{Audience: r.Audience, Return: r.Return, Pending: r.Pending}}, err
}

// ClientInput is the body of web/client; everything in it is optional and nothing in it raises a right.
type ClientInput struct {
	Token     string  `json:"token,omitempty" maxLength:"100"`
	Username  string  `json:"username,omitempty" maxLength:"80"`
	Password  string  `json:"password,omitempty" maxLength:"80"`
	AutoRenew bool    `json:"autorenew,omitempty"`
	Session   string  `json:"session,omitempty" maxLength:"25" pattern:"^([A-Za-z0-9]{25})?$"`
	Channel   Channel `json:"channel,omitempty"`
}

// Channel is the sale channel that a client says it is: by its number, which is 2 online, or by a word. It decides nothing;
// an order's channel is that of the call that makes it.
type Channel struct{}

// UnmarshalJSON takes either: huma has checked the body against Schema before.
func (*Channel) UnmarshalJSON([]byte) error { return nil }

// Schema implements huma.SchemaProvider.
func (Channel) Schema(huma.Registry) *huma.Schema {
	first, last, longest := 1.0, 4.0, 20
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeInteger, Minimum: &first, Maximum: &last}, {Type: huma.TypeString, MaxLength: &longest},
	}}
}

func (c handlers) client(ctx context.Context, _ token.Session, orgName string, in ClientInput) (answerWithToken, error) {
	o, err := c.findOrg(ctx, orgName)
	if err != nil {
		return answerWithToken{}, err
	}
	answer, err := opened(c.SignIn.Client(ctx, o))
	answer.Detail.Session = in.Session
	return answer, err
}

// IDTokenInput is LIFF's ID token.
type IDTokenInput struct {
	LineToken string `json:"LINETOKEN" minLength:"1" maxLength:"4000"`
	Unique    string `json:"unique,omitempty" maxLength:"40"`
	AddOrg    bool   `json:"addorg,omitempty"`
}

func (c handlers) withIDToken(audience token.Audience) func(context.Context, token.Session, string, IDTokenInput) (answerWithToken, error) {
	return func(ctx context.Context, _ token.Session, orgName string, in IDTokenInput) (answerWithToken, error) {
		o, err := c.findOrg(ctx, orgName)
		if err != nil {
			return answerWithToken{}, err
		}
		return opened(c.SignIn.WithIDToken(ctx, audience, o, in.LineToken, rest.From(ctx).Browser))
	}
}

func (c handlers) staffIDToken(audience token.Audience) func(context.Context, token.Session, IDTokenInput) (answerWithToken, error) {
	with := c.withIDToken(audience)
	return func(ctx context.Context, who token.Session, in IDTokenInput) (answerWithToken, error) {
		return with(ctx, who, in.Unique, in)
	}
}

// StartInput begins a web login.
type StartInput struct {
	Audience   token.Audience `json:"audience" enum:"user,agent,owner,staff,admin"`
	Unique     string         `json:"unique,omitempty" maxLength:"40" doc:"On the platform's own host: which organisation"`
	LiffID     string         `json:"liff_id,omitempty" maxLength:"30"`
	Return     string         `json:"return" maxLength:"8000" doc:"A path of ours to go on at, with its query and its hash"`
	Invitation string         `json:"invitation,omitempty" maxLength:"120" doc:"Token of a staff invitation to take; its organisation then is the orgName"`
	Resets     bool           `json:"resets,omitempty" required:"false" doc:"Show who has lost his password: then no session is opened, and return leads to where it is set"`
}

// StartResult is where the browser goes.
type StartResult struct {
	URL string `json:"url"`
}

func (c handlers) start(ctx context.Context, _ token.Session, in StartInput) (StartResult, error) {
	req := rest.From(ctx)
	begin := signin.Start{
		Audience: in.Audience, Return: in.Return, Redirect: callback(req, in), Lang: req.Lang, Browser: req.Browser, Invitation: in.Invitation, Resets: in.Resets,
	}
	if in.Audience == token.Admin {
		if req.Org != nil || in.Invitation != "" {
			return StartResult{}, fault.Missing
		}
		url, err := c.SignIn.Start(ctx, begin)
		return StartResult{URL: url}, err
	}
	var err error
	if in.Invitation != "" {
		begin.Org, err = c.inviter(ctx, in.Invitation)
	} else {
		begin.Org, err = c.findOrg(ctx, cmp.Or(in.LiffID, in.Unique))
	}
	if err != nil {
		return StartResult{}, err
	}
	url, err := c.SignIn.Start(ctx, begin)
	return StartResult{URL: url}, err
}

// callback is the page that LINE returns to; the audience decides which app it is.
func callback(req *rest.Request, in StartInput) string {
	area := string(in.Audience)
	switch {
	case in.Invitation != "":
		area = "register"
	case in.Audience == token.Agent:
		area = "weloveagent"
	case in.Audience == token.Admin:
		area = "advwsadmin"
	case in.Audience == token.User && in.LiffID != "":
		area = "welovevoucher"
	}
	return req.Origin + "/logincallback/" + area
}

// FinishInput is what LINE sent back.
type FinishInput struct {
	Code  string `json:"code" minLength:"1" maxLength:"1000"`
	State string `json:"state" minLength:"1" maxLength:"200"`
	Area  string `json:"area" enum:"user,welovevoucher,weloveagent,owner,staff,register,advwsadmin" doc:"Of the callback page that LINE called"`
}

func (c handlers) finish(ctx context.Context, _ token.Session, in FinishInput) (answerWithToken, error) {
	req := rest.From(ctx)
	return opened(c.SignIn.Finish(ctx, in.Code, in.State, req.Origin+"/logincallback/"+in.Area, device(req), req.ID))
}

// PasswordInput signs an account of an organisation in.
type PasswordInput struct {
	Username string `json:"username" minLength:"1" maxLength:"80"`
	Password string `json:"password" minLength:"1" maxLength:"80"`
	Unique   string `json:"unique,omitempty" maxLength:"40" doc:"On the platform's own host: which organisation"`
}

func (c handlers) withPassword(audience token.Audience) func(context.Context, token.Session, PasswordInput) (answerWithToken, error) {
	return func(ctx context.Context, _ token.Session, in PasswordInput) (answerWithToken, error) {
		o, err := c.findOrg(ctx, in.Unique)
		if err != nil {
			return answerWithToken{}, err
		}
		return opened(c.SignIn.WithPassword(ctx, audience, o, password(ctx, in.Username, in.Password)))
	}
}

func password(ctx context.Context, username, plain string) signin.Password {
	return signin.Password{Username: username, Password: plain, Device: device(rest.From(ctx))}
}

func device(req *rest.Request) signin.Device {
	return signin.Device{Browser: req.Browser, Address: req.IP}
}

// AdminInput signs a platform admin in.
type AdminInput struct {
	Username string `json:"username" minLength:"1" maxLength:"80"`
	Password string `json:"password" minLength:"1" maxLength:"80"`
}

func (c handlers) admin(ctx context.Context, _ token.Session, in AdminInput) (answerWithToken, error) {
	if rest.From(ctx).Org != nil {
		return answerWithToken{}, fault.Missing
	}
	return opened(c.SignIn.Admin(ctx, password(ctx, in.Username, in.Password)))
}

// AdminTokenInput is an ID token of the platform's own channel.
type AdminTokenInput struct {
	LineToken string `json:"LINETOKEN" minLength:"1" maxLength:"4000"`
}

func (c handlers) adminIDToken(ctx context.Context, _ token.Session, in AdminTokenInput) (answerWithToken, error) {
	req := rest.From(ctx)
	if req.Org != nil {
		return answerWithToken{}, fault.Missing
	}
	return opened(c.SignIn.AdminWithIDToken(ctx, in.LineToken, device(req)))
}

func (c handlers) adminInvitation(ctx context.Context, _ token.Session, in InvitationInput) (org.AdminInvitation, error) {
	if rest.From(ctx).Org != nil {
		return org.AdminInvitation{}, fault.Missing
	}
	return c.Admins.Invitation(ctx, in.Token)
}

// JoinInput sets a password by a link.
type JoinInput struct {
	Token    string `json:"token" minLength:"1" maxLength:"120"`
	Password string `json:"password" minLength:"1" maxLength:"72"`
}

func (c handlers) adminJoin(ctx context.Context, _ token.Session, in JoinInput) (answerWithToken, error) {
	req := rest.From(ctx)
	if req.Org != nil {
		return answerWithToken{}, fault.Missing
	}
	return opened(c.SignIn.AdminJoins(ctx, in.Token, signin.Password{Password: in.Password, Device: device(req)}, req.ID))
}

// RegisterInput takes a staff invitation.
type RegisterInput struct {
	LineToken string `json:"LINETOKEN" minLength:"1" maxLength:"4000"`
	Token     string `json:"token" minLength:"1" maxLength:"120" doc:"Of the invitation"`
}

func (c handlers) register(ctx context.Context, _ token.Session, in RegisterInput) (answerWithToken, error) {
	o, err := c.inviter(ctx, in.Token)
	if err != nil {
		return answerWithToken{}, err
	}
	req := rest.From(ctx)
	return opened(c.SignIn.Register(ctx, o, in.LineToken, in.Token, req.Browser, req.ID))
}

// inviter is the organisation whose invitation this is. Its token names it, as a path's unique does in other sign-in calls.
func (c handlers) inviter(ctx context.Context, plain string) (org.Org, error) {
	o, err := c.findOrg(ctx, staff.InvitationUnique(plain))
	if errors.Is(err, org.ErrNotFound) {
		return o, staff.ErrInvitation
	}
	return o, err
}

// InvitationInput is the token of an invitation.
type InvitationInput struct {
	Token string `json:"token" minLength:"1" maxLength:"120"`
}

// Inviter is an invitation and who invites.
type Inviter struct {
	staff.Invitation
	NameTH string `json:"name_th" doc:"Of the organisation"`
	NameEN string `json:"name_en"`
}

func (c handlers) invitation(ctx context.Context, _ token.Session, in InvitationInput) (Inviter, error) {
	o, err := c.inviter(ctx, in.Token)
	if err != nil {
		return Inviter{}, err
	}
	found, err := c.Staff.Invitation(ctx, o.ID, in.Token)
	return Inviter{Invitation: found, NameTH: o.NameTH, NameEN: o.NameEN}, err
}

// RecheckInput names the session in the body, as the specification has it; the header serves as well.
type RecheckInput struct {
	Token  string `json:"token,omitempty" maxLength:"100"`
	LiffID string `json:"liffId,omitempty" maxLength:"40" doc:"The app that asks: a LIFF id, or the organisation's unique on its online site"`
	gate.Card
}

// Who is the person behind a session, with his organisation's settings.
type Who struct {
	Audience   token.Audience            `json:"audience" enum:"client,user,agent,owner,staff,admin"`
	Profile    *wire.Profile             `json:"profile" doc:"null for visitors"`
	Role       string                    `json:"role" doc:"Of admins; that of others is their organisation's"`
	Permission map[string]access.Letters `json:"permission_admin" doc:"Of admins: module to letters v, i, u, a"`
	Line       bool                      `json:"line" doc:"Of admins: whether a LINE account is linked"`
	Org        *wire.Org                 `json:"org" doc:"null for admins"`
	Gate       string                    `json:"gate" enum:",member,registermember" doc:"Where the membership gate sends this customer; empty: he may go where he wants"`
	Member     *gate.Membership          `json:"member" doc:"What a customer is as a member, or was; null for others"`
}

func (c handlers) recheck(ctx context.Context, _ token.Session, in RecheckInput) (w Who, err error) {
	req := rest.From(ctx)
	if in.Token != "" {
		req.Bearer = in.Token
	}
	who, err := req.Session(ctx)
	if err != nil {
		return w, err
	}
	w.Audience, w.Permission = who.Audience, map[string]access.Letters{}
	if who.Org != uuid.Nil {
		o, err := c.Orgs.ByID(ctx, who.Org)
		if err != nil {
			return w, err
		}
		if in.LiffID != "" && !slices.Contains([]string{o.Unique, o.Liff.User, o.Liff.Agent, o.Liff.Trade, o.Liff.Transfer}, in.LiffID) {
			return w, fault.NoSession
		}
		accepts, err := c.Consent.Setting(ctx, who.Org)
		if err != nil {
			return w, err
		}
		shaped := wire.OrgOf(o, accepts)
		w.Org = &shaped
		if w.Gate, w.Member, err = c.Gate.Read(ctx, who, o, in.Card); err != nil {
			return w, err
		}
	}
	return w, c.person(ctx, who, &w)
}

// person fills in who the session belongs to.
func (c handlers) person(ctx context.Context, who token.Session, w *Who) error {
	var profile wire.Profile
	switch who.Audience {
	case token.User, token.Agent:
		p, err := c.Customer.Profile(ctx, who)
		if err != nil {
			return err
		}
		profile = wire.CustomerProfile(p)
	case token.Owner, token.Staff:
		p, err := c.Staff.Account(ctx, who)
		if err != nil {
			return err
		}
		may, err := c.Letters(ctx, who.Org, p)
		if err != nil {
			return err
		}
		account := w.Org.For(p, may)
		profile, w.Org = wire.StaffProfile(p), &account
	case token.Admin:
		a, err := c.Admins.Admin(ctx, who)
		if err != nil {
			return err
		}
		profile, w.Role, w.Line = wire.AdminProfile(a), a.Role, a.LINE
		for module, letters := range a.Permission {
			w.Permission[module] = strings.Split(letters, "")
		}
	default:
		return nil
	}
	w.Profile = &profile
	return nil
}

func (c handlers) logout(ctx context.Context, who token.Session, _ rest.Empty) (rest.Empty, error) {
	return rest.Empty{}, c.Session.Revoke(ctx, who.Hash)
}
