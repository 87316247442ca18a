// Package admin holds the calls of the platform's own people.
package admin

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/theme"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/signin"
)

type handlers struct{ *tenants.Services }

// Register puts the admins' calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := handlers{s}
	rest.Post(a, "/api/admin/theme", "All colours of pages of two", rest.Theme)
	rest.Post(a, "/api/admin/line/link", "Sign in by LINE from now on: where the browser goes for that", c.linkLINE)
	rest.Post(a, "/api/admin/line/unlink", "No longer sign in by LINE", c.unlinkLINE)
	rest.Post(a, "/api/admin/dashboard/overview", "All organisations together: figures, balances, plans, what to look at", c.overview)
	rest.Post(a, "/api/admin/dashboard/organisations", "Organisations with their figures, those with the most first", c.rank)
	rest.Post(a, "/api/admin/dashboard/build", "Have the figures of all organisations counted anew, while they go on", c.buildOverview)
	rest.Post(a, "/api/admin/user/list", "Customers of all organisations, who was changed last first", c.customers)
	rest.Post(a, "/api/admin/user/detail", "One customer as his organisation has him now; who looked is in its audit log", c.customer)
	rest.Post(a, "/api/admin/user/file", "What is found of customers, as a csv file", c.customerFile)
	rest.Post(a, "/api/admin/user/suspend", "No longer serve a customer: his gifts and offers stop, and he is signed out", c.suspendCustomer)
	rest.Post(a, "/api/admin/user/resume", "Serve a suspended customer again", c.resumeCustomer)
	rest.Post(a, "/api/admin/wallet/list", "The wallets of all organisations' customers, the fullest first", c.wallets)
	rest.Post(a, "/api/admin/wallet/detail", "A customer's wallet as his organisation has it now", c.wallet)
	rest.Post(a, "/api/admin/wallet/file", "What is found of wallets, as a csv file", c.walletFile)
	rest.Post(a, "/api/admin/voucher/list", "Vouchers of all organisations, the newest or those that end soonest first, and how many are in which state", c.vouchers)
	rest.Post(a, "/api/admin/voucher/detail", "A voucher as its organisation has it now", c.voucher)
	rest.Post(a, "/api/admin/voucher/file", "What is found of vouchers, as a csv file", c.voucherFile)
	rest.Post(a, "/api/admin/deposit/list", "Payments through gateways of all organisations, the newest first", c.deposits)
	rest.Post(a, "/api/admin/deposit/detail", "A payment as its organisation has it now", c.deposit)
	rest.Post(a, "/api/admin/deposit/file", "What is found of payments, as a csv file", c.depositFile)
	rest.Post(a, "/api/admin/paymentsystem/list", "The accounts through which organisations are paid, and how payments through them went lately", c.paymentSystems)
	rest.Post(a, "/api/admin/staff/list", "Who works in the offices of all organisations, who was changed last first", c.staff)
	rest.Post(a, "/api/admin/staff/file", "What is found of staff, as a csv file", c.staffFile)
	rest.Post(a, "/api/admin/staff/invite", "A link by which somebody joins an organisation's office by LINE, with all rights", c.inviteStaff)
	rest.Post(a, "/api/admin/job/list", "Jobs that failed or are late, the oldest first", c.jobs)
	rest.Post(a, "/api/admin/job/look", "Look at the jobs of one organisation now", c.lookAtJobs)
	rest.Post(a, "/api/admin/job/again", "Have a job that was given up be tried again", c.runAgain)
	rest.Post(a, "/api/admin/job/stop", "Have a job that was given up be done without its work", c.stopJob)
	rest.Post(a, "/api/admin/template/list", "What a new organisation can begin with", c.templates)
	rest.Post(a, "/api/admin/template/detail", "A template: what its newest version has, and its versions", c.template)
	rest.Post(a, "/api/admin/template/add", "Make a template from an organisation", c.addTemplate)
	rest.Post(a, "/api/admin/template/version", "Make the next version of a template from an organisation", c.addTemplateVersion)
	rest.Post(a, "/api/admin/template/save", "Rename a template, or say whether organisations can begin with it", c.saveTemplate)
	rest.Post(a, "/api/admin/organize/list", "Organisations, by name, state and plan", c.list)
	rest.Post(a, "/api/admin/organize/detail", "One organisation, and how far its opening is", c.detail)
	rest.Post(a, "/api/admin/organize/save", "Open an organisation", c.create)
	rest.Post(a, "/api/admin/organize/retry", "Go on with an opening that broke", c.retry)
	rest.Post(a, "/api/admin/organize/record", "What is known of an organisation: its figures, its health, what was changed of it", c.record)
	rest.Post(a, "/api/admin/organize/setting/save", "Change the names, colours or logo of an organisation", c.change)
	rest.Post(a, "/api/admin/organize/plan", "Put an organisation on another plan", c.changePlan)
	rest.Post(a, "/api/admin/organize/suspend", "Have an organisation sell nothing: its vouchers are used and refunded as before", c.suspend)
	rest.Post(a, "/api/admin/organize/resume", "Have a suspended organisation sell again", c.resume)
	rest.Post(a, "/api/admin/organize/options", "What the platform does for a new organisation", c.options)
	rest.Post(a, "/api/admin/organize/connections", "How an organisation stands with LINE, its gateway and the DNS", c.connections)
	rest.Post(a, "/api/admin/organize/line/save", "Connect an organisation to LINE", c.saveLine)
	rest.Post(a, "/api/admin/organize/payment/save", "Choose who collects an organisation's money", c.savePayment)
	rest.Post(a, "/api/admin/organize/host/add", "Write an address of an organisation down", c.addHost)
	rest.Post(a, "/api/admin/organize/host/verify", "Look for an address's DNS record now", c.verifyHost)
	rest.Post(a, "/api/admin/organize/host/canonical", "Make an address the one that links lead to", c.canonicalHost)
	rest.Post(a, "/api/admin/organize/host/remove", "Take an address away", c.removeHost)
	rest.Post(a, "/api/admin/admin/list", "All admins of the platform", c.admins)
	rest.Post(a, "/api/admin/admin/detail", "One admin, with his sessions and sign-ins", c.adminDetail)
	rest.Post(a, "/api/admin/admin/invite", "Invite an admin by a link, with which he sets a password", c.inviteAdmin)
	rest.Post(a, "/api/admin/admin/link", "Make another link for an admin: to join, or to set another password", c.inviteAdminAgain)
	rest.Post(a, "/api/admin/admin/takeback", "Make an admin's open link worthless", c.takeBackAdmin)
	rest.Post(a, "/api/admin/admin/save", "Change an admin's name, address or rights", c.saveAdmin)
	rest.Post(a, "/api/admin/admin/suspend", "Keep an admin out, and end his sessions", c.suspendAdmin)
	rest.Post(a, "/api/admin/admin/resume", "Let a suspended admin in again", c.resumeAdmin)
	rest.Post(a, "/api/admin/admin/sessions/end", "End an admin's sessions", c.endSessions)
	rest.Post(a, "/api/admin/admin/factor/drop", "Switch an admin's second factor off who has lost his phone", c.dropFactor)
	rest.Post(a, "/api/admin/auditlog/list", "What was changed on the platform, newest first", c.log)
	rest.Post(a, "/api/admin/auditlog/file", "What is found in the audit log, as a csv file", c.logFile)
	rest.Post(a, "/api/admin/plan/list", "Plans, those that an organisation can be put on first, and the modules that there are", c.plans)
	rest.Post(a, "/api/admin/plan/add", "Add a plan", c.addPlan)
	rest.Post(a, "/api/admin/plan/save", "Change a plan, and with it the organisations that are on it", c.savePlan)
	rest.Post(a, "/api/admin/announcement/list", "What was announced to the organisations' offices, newest first", c.announcements)
	rest.Post(a, "/api/admin/announcement/add", "Announce something to the offices of all organisations, or of those on some plans", c.announce)
	rest.Post(a, "/api/admin/announcement/save", "Change an announcement that is not over", c.changeAnnouncement)
	rest.Post(a, "/api/admin/announcement/withdraw", "Have offices show an announcement no longer", c.withdrawAnnouncement)
	rest.Post(a, "/api/admin/contactus/list", "What visitors have written to the platform, newest first", c.messages)
	rest.Post(a, "/api/admin/contactus/detail", "One message", c.message)
	rest.Post(a, "/api/admin/contactus/answer", "Write down that a message was answered, or was not", c.answer)
	rest.Post(a, "/api/admin/bankholiday/list", "Bank holidays of a year; none: no payout of that year can be proposed", c.holidays)
	rest.Post(a, "/api/admin/bankholiday/save", "Add a bank holiday, or change what is written of it", c.saveHoliday)
	rest.Post(a, "/api/admin/bankholiday/remove", "Remove a bank holiday", c.removeHoliday)
	rest.Post(a, "/api/admin/account/list", "Accounts of organisations that wait for the platform, the oldest first", c.accountRequests)
	rest.Post(a, "/api/admin/account/detail", "One account that waits for the platform; who looked is in the organisation's audit log", c.accountRequest)
	rest.Post(a, "/api/admin/account/accept", "Approve the account of an organisation: it is paid to seven days later", c.acceptAccount)
	rest.Post(a, "/api/admin/settlement/list", "Runs that pay organisations, the newest first", c.settlementRuns)
	rest.Post(a, "/api/admin/settlement/detail", "A run, and what it pays to each organisation", c.settlementRun)
	rest.Post(a, "/api/admin/settlement/draft", "Draft a run of what organisations have earned", c.draftSettlement)
	rest.Post(a, "/api/admin/settlement/cancel", "Cancel a draft", c.cancelSettlement)
	rest.Post(a, "/api/admin/settlement/approve", "Approve a run that another admin drafted, as it was looked at", c.approveSettlement)
	rest.Post(a, "/api/admin/settlement/withdraw", "Take back a run whose file nobody has made", c.withdrawSettlement)
	rest.Post(a, "/api/admin/settlement/export", "The bank's file of a run; the same bytes each time", c.exportSettlement)
	rest.Post(a, "/api/admin/settlement/read", "Take in what the bank answers to a run", c.readSettlement)
	rest.Post(a, "/api/admin/settlement/say", "Say what became of one payment of a run", c.saySettlement)
	rest.Post(a, "/api/admin/account/refuse", "Refuse the account of an organisation, with a reason", c.refuseAccount)
}

// Login is LINE's page to go to.
type Login struct {
	URL string `json:"url"`
}

func (c handlers) linkLINE(ctx context.Context, who token.Session, _ rest.Empty) (Login, error) {
	req := rest.From(ctx)
	url, err := c.SignIn.StartLink(ctx, who, signin.Start{
		Return: "/advwsadmin/organize_list", Redirect: req.Origin + "/logincallback/advwsadmin", Lang: req.Lang, Browser: req.Browser,
	})
	return Login{url}, err
}

func (c handlers) unlinkLINE(ctx context.Context, who token.Session, _ rest.Empty) (rest.Empty, error) {
	if err := c.Admins.UnlinkLINE(ctx, actor(ctx, who)); err != nil {
		return rest.Empty{}, err
	}
	return rest.Empty{}, c.Session.RevokeElsewhere(ctx, who) // whoever came in by that LINE account
}

func actor(ctx context.Context, who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
}

// Organisation is one as an admin sees it.
type Organisation struct {
	ID        uuid.UUID `json:"id"`
	Unique    string    `json:"unique"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	State     org.State `json:"state" enum:"provisioning,live,suspended"`
	Primary   string    `json:"background_color_primary"`
	Secondary string    `json:"background_color_secondary"`
	OnPrimary string    `json:"text_on_primary" doc:"The colour of text on the primary one"`
	Host      string    `json:"host"`
	URL       string    `json:"url" doc:"Where its site is, or will be"`
	Liff      org.Liff  `json:"liff"`
	Plan      uuid.UUID `json:"plan_id"`
	CreatedAt string    `json:"created_at" format:"date-time"`
}

// List is a page of organisations.
type List struct {
	Data   []Organisation `json:"data"`
	Next   *uuid.UUID     `json:"next" nullable:"true"`
	Total  int64          `json:"total"`
	States States         `json:"states" doc:"How many there are in each state, whichever was asked for"`
}

// States counts organisations by their state.
type States struct {
	Provisioning int64 `json:"provisioning"`
	Live         int64 `json:"live"`
	Suspended    int64 `json:"suspended"`
}

func (c handlers) list(ctx context.Context, _ token.Session, in org.ListInput) (List, error) {
	page, err := c.Orgs.List(ctx, in)
	list := List{
		Data: make([]Organisation, len(page.Data)), Next: page.Next, Total: page.Total,
		States: States{page.States[org.Provisioning], page.States[org.Live], page.States[org.Suspended]},
	}
	for i, o := range page.Data {
		list.Data[i] = show(ctx, o)
	}
	return list, err
}

func show(ctx context.Context, o org.Org) Organisation {
	return Organisation{
		ID: o.ID, Unique: o.Unique, NameTH: o.NameTH, NameEN: o.NameEN, State: o.State, Primary: o.Primary, Secondary: o.Secondary,
		OnPrimary: theme.TextOn(o.Primary), Host: o.Host, URL: rest.From(ctx).OriginOf(o), Liff: o.Liff, Plan: o.Plan, CreatedAt: o.CreatedAt.Format("2006-01-02T15:04:05Z07:00"),
	}
}

// ID names an organisation.
type ID struct {
	ID uuid.UUID `json:"id"`
}

// Detail is an organisation and its steps.
type Detail struct {
	Organisation
	TaglineTH      string              `json:"tagline_th"`
	TaglineEN      string              `json:"tagline_en"`
	Modules        []string            `json:"modules" doc:"Of its plan"`
	FeeBasisPoints int64               `json:"fee_basis_points" doc:"Of what is ordered from now on"`
	Steps          []provisioning.Step `json:"steps"`
	Logo           *string             `json:"logo_url" doc:"The picture itself, in a data URL: its own address is on the organisation's host"`
}

func (c handlers) detail(ctx context.Context, _ token.Session, in ID) (d Detail, err error) {
	o, err := c.Orgs.ByID(ctx, in.ID)
	if err != nil {
		return d, err
	}
	d = Detail{Organisation: show(ctx, o), TaglineTH: o.TaglineTH, TaglineEN: o.TaglineEN, Modules: o.Modules, FeeBasisPoints: o.FeeBasisPoints}
	if d.Steps, err = c.Provisioning.Steps(ctx, in.ID); err != nil {
		return d, err
	}
	d.Logo, err = c.logo(ctx, o)
	return d, err
}

// logo is nil where there is none.
func (c handlers) logo(ctx context.Context, o org.Org) (*string, error) {
	if o.Logo == uuid.Nil {
		return nil, nil
	}
	object, _, err := c.Objects.Get(ctx, catalog.PictureKey(o.ID, o.Logo, catalog.PictureWidths[0]))
	if errors.Is(err, blob.ErrMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("logo of %s: %w", o.ID, err)
	}
	defer object.Close()
	picture, err := io.ReadAll(object)
	if err != nil {
		return nil, fmt.Errorf("logo of %s: %w", o.ID, err)
	}
	url := "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(picture)
	return &url, nil
}

func (c handlers) create(ctx context.Context, who token.Session, in provisioning.NewOrg) (ID, error) {
	id, err := c.Provisioning.Create(ctx, actor(ctx, who), in)
	return ID{id}, err
}

func (c handlers) retry(ctx context.Context, who token.Session, in ID) (rest.Empty, error) {
	return rest.Empty{}, c.Provisioning.Retry(ctx, in.ID, actor(ctx, who))
}
