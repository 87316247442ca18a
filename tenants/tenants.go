// Package tenants holds the business, one package a noun. New makes every service, for the API, the workers and tools.
package tenants

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/db"
	"welovevoucher/platform/line"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/report"
	"welovevoucher/platform/secondfactor"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/announcement"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/gate"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/history"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/orgtemplate"
	"welovevoucher/tenants/otp"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/push"
	"welovevoucher/tenants/receipt"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/settlement"
	"welovevoucher/tenants/signin"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/story"
	"welovevoucher/tenants/suspension"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
	"welovevoucher/tenants/withholding"
)

// Deps has everything that the services need.
type Deps struct {
	DB        *db.DB
	Schemas   *db.Schemas // nil in the API, which provisions nothing
	Access    *access.Access
	SignIns   *ratelimit.SignInLimiter
	Limits    *ratelimit.Limiter
	Codes     *onetime.Codes
	Links     *onetime.Links
	SMS       sms.Sender
	Mail      mail.Sender
	Objects   blob.Store
	Box       *secret.Box
	Passwords *secret.Passwords
	Line      *line.Client
	LIFF      string       // where LIFF links begin
	Channel   line.Channel // the platform's own, by which admins sign in
	Gateways  charge.GatewayConfig
	Domain    string          // hosts below it are the platform's own
	Exports   []report.Report // the reports that files are made of
}

// Services is the whole business.
type Services struct {
	DB            *db.DB
	Access        *access.Access
	Admins        *org.Admins
	Agent         *agent.Service
	Applications  *agent.Applications
	Album         *payee.Album
	Approval      *approval.Service
	Cards         *order.Cards
	Care          *care.Service
	Catalog       *catalog.Service
	Cashout       *cashout.Service
	Charge        *charge.Service
	OptionList    *optionlist.Service
	Consent       *consent.Service
	Contact       *contact.Service
	Customer      *customer.Service
	Discount      *discount.Service
	Files         *report.Engine
	Board         *board.Service
	Gate          *gate.Service
	Gift          *gift.Service
	History       *history.Service
	Hold          *hold.Service
	Limits        *ratelimit.Limiter
	LiveCards     *member.Live
	Member        *member.Service
	Message       *message.Service
	Objection     *objection.Service
	Receipt       *receipt.Service
	Refund        *refund.Service
	Order         *order.Service
	Partner       *partner.Service
	Payout        *payout.Service
	Withholding   *withholding.Service
	Provisioning  *provisioning.Service
	Push          *push.Service
	Objects       blob.Store
	Org           *org.Service
	Orgs          *org.Directory
	OTP           *otp.Service
	Overview      *overview.Service
	Pictures      *catalog.Pictures
	Privacy       *privacy.Service
	Reports       *reports.Service
	SecondFactor  *secondfactor.Service
	Session       *session.Service
	Settlement    *settlement.Service
	SignIn        *signin.Service
	Staff         *staff.Service
	Story         *story.Service
	OrgTemplates  *orgtemplate.Service
	Subscriptions *reports.Subscriptions
	Suspension    *suspension.Service
	Tax           *tax.Service
	Announcement  *announcement.Service
	Voucher       *voucher.Service
	Wallet        *wallet.Service
}

// ApprovalKinds are the changes that may need a second person.
var ApprovalKinds = []approval.Kind{
	refund.Approvals, refund.RequestApprovals, refund.VoidApprovals, refund.WriteOffApprovals, refund.GoodwillApprovals, refund.TransferApprovals, care.Approvals, cashout.Approvals, payout.Approvals, withholding.Approvals,
	hold.Approvals, member.PointApprovals,
}

// New makes every service.
func New(p Deps) *Services {
	s := &Services{
		DB: p.DB, Access: p.Access, Limits: p.Limits, Objects: p.Objects, Pictures: catalog.NewPictures(p.DB, p.Objects), Reports: reports.New(p.DB), Story: story.New(p.DB, p.Box),
		Agent: agent.New(p.DB), Catalog: catalog.New(p.DB), OptionList: optionlist.New(p.DB), Consent: consent.New(p.DB), Contact: contact.New(p.DB, p.Box), Customer: customer.New(p.DB, p.Box, refund.Settle),
		History: history.New(p.DB), Message: message.New(p.DB), Orgs: org.NewDirectory(p.DB), Session: session.New(p.DB), Tax: tax.New(p.DB), Announcement: announcement.New(p.DB),
		Gate: gate.New(p.DB), Objection: objection.New(p.DB, refund.Settle), Discount: discount.New(p.DB),
		OTP:     otp.New(p.Codes, p.Limits, p.SMS, p.Mail, p.Box),
		Voucher: voucher.New(p.DB, refund.Settle),
		Charge:  charge.New(p.DB, p.Box, p.Gateways, map[string]charge.Handler{order.DirectPayment: order.OrderCharges, board.DirectPayment: board.OfferCharges}, refund.Settle),
	}
	s.Gift = gift.New(p.DB, p.Box, s.Orgs)
	s.Member = member.New(p.DB, p.Box, s.Orgs)
	s.LiveCards = member.NewLive(p.DB, p.Box, s.Session)
	s.Admins = org.NewAdmins(p.DB, p.Passwords, p.Mail, s.Session.RevokeAll)
	s.Album = payee.NewAlbum(p.DB, p.Box, p.Objects, s.Pictures.Reencode)
	s.Applications = agent.NewApplications(p.DB, p.Box, s.Album)
	s.Receipt = receipt.New(p.DB, s.Orgs, p.Links, p.Mail, p.Box)
	s.Refund = refund.New(p.DB, p.Box, s.Voucher.ExpireAllVouchers)
	s.Care = care.New(p.DB, s.Refund)
	s.Suspension = suspension.New(p.DB, s.Session)
	s.Cashout = cashout.New(p.DB, p.Box)
	s.Payout = payout.New(p.DB, p.Box)
	s.Hold = hold.New(p.DB, p.Box, s.Session)
	s.Withholding = withholding.New(p.DB, p.Box)
	s.Partner = partner.New(p.DB, p.Box, s.May)
	s.Settlement = settlement.New(p.DB, p.Box, s.May)
	s.Approval = approval.New(p.DB, s.May, ApprovalKinds...)
	s.Wallet = wallet.New(p.DB, s.Charge, p.Links)
	s.Staff = staff.New(p.DB, p.Passwords, p.SignIns, s.passwordPolicy, s.Session.RevokeAll, s.Admins.MayInviteStaff)
	s.Privacy = privacy.New(p.DB, p.Box, s.Customer, s.Contact, s.Member, s.Session.RevokeAll)
	s.Files = report.NewEngine(p.DB, p.Objects, staff.Lock, notifyExport, p.Exports...)
	s.Subscriptions = reports.NewSubscriptions(p.DB, s.Files, s.OTP, p.Mail, p.Box, s.Orgs, s.Staff, s.May)
	s.Order, s.Cards = order.New(p.DB, s.Orgs, s.Charge), order.NewCards(p.DB, s.Orgs, s.Member)
	s.Board = board.New(p.DB, s.Orgs, s.Charge)
	s.OrgTemplates = orgtemplate.New(p.DB, p.Objects, s.Pictures, s.Orgs)
	s.Provisioning = provisioning.New(p.DB, p.Schemas, p.Box, s.Staff, s.Pictures, s.OrgTemplates, s.Orgs, p.Domain, provisioning.Verifiers{
		Line: p.Line.VerifyChannel, Platform: p.Gateways.Platform.Secret != "", PlatformLive: payment.Live(p.Gateways.Platform.Public),
		Pay: func(ctx context.Context, keys charge.Keys) error {
			gateway, err := p.Gateways.Open(keys)
			if err != nil {
				return err
			}
			return gateway.VerifyKeys(ctx)
		},
	})
	s.Push = push.New(p.DB, p.Box, p.Line, s.Orgs, p.LIFF)
	s.Org = org.New(p.DB, s.Orgs, p.Box)
	s.SecondFactor = secondfactor.New(p.DB, p.Box, p.SignIns, s.Session.RevokeElsewhere)
	s.SignIn = signin.New(p.DB, p.Line, p.Channel, s.Orgs, s.Org, s.Session, s.Customer, s.Staff, s.Admins, p.SignIns, p.Limits, s.SecondFactor, p.Mail)
	s.Overview = overview.New(p.DB, s.Orgs)
	return s
}

func (s *Services) passwordPolicy(ctx context.Context, id uuid.UUID) (string, error) {
	o, err := s.Orgs.ByID(ctx, id)
	return o.PasswordPolicy, err
}

// notifyExport notifies the person who waits for a file.
func notifyExport(ctx context.Context, tx db.Tx, person, export uuid.UUID) error {
	return notice.Send(ctx, tx, token.Owner, person, notice.Event{Topic: "job", ID: &export})
}
