// Package owner holds the back office's calls: declared tables, and the use cases that are more than a table.
package owner

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/report"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/rate"
	"welovevoucher/tenants/receipt"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/story"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

var owners = []token.Audience{token.Owner}

// handlers registers each call with its right on the same line. Without an API it only collects rights, tables and their exports.
type handlers struct {
	api     *rest.API
	rights  rest.Rights
	tables  []resource.Declared
	exports []report.Report
	*tenants.Services
}

// Rights returns the rights table of the back office.
func Rights() rest.Rights { return collect().rights }

// Tables are the declared tables of the back office.
func Tables() []resource.Declared { return collect().tables }

// Exports are the reports that files are made of: the declared ones, and every table as it is listed.
func Exports() []report.Report { return append(collect().exports, reports.All...) }

func collect() *handlers {
	o := &handlers{rights: rest.Rights{}}
	o.register()
	return o
}

// Register puts the back office's calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	o := &handlers{api: a, rights: rest.Rights{}, Services: s}
	o.register()
}

// register registers every call of the back office. The rights of a table are letters in the table's own module: registerListed needs v for
// list, record and export, and registerEditable besides i or u to save and s to set a status.
func (o *handlers) register() {
	o.registerPackages()
	registerEditable(o, catalog.VoucherTypes)
	registerEditable(o, catalog.GiftVouchers)
	post(o, "/api/owner/conditions/preview", rest.Right{Audiences: owners}, "What conditions say in words that a form has", o.previewConditions)
	registerEditable(o, catalog.Tags)
	registerEditable(o, servicepoint.ServicePoints)
	registerEditable(o, servicepoint.Closures)
	registerEditable(o, servicepoint.ClosedDays)
	registerEditable(o, content.Statuses)
	for _, list := range optionlist.Lists {
		registerEditable(o, list)
	}
	registerEditable(o, optionlist.Questions)
	registerEditable(o, member.CardTypes)
	o.registerMembers()
	registerEditable(o, discount.Discounts)
	registerListed(o, discount.Codes)
	registerListed(o, discount.Uses)
	post(o, "/api/owner/discount/try", guard(discount.Discounts.Module(), access.See), "What a cart would cost with a discount as a form has it, and why others are not given", o.tryDiscount)
	postKeyed(o, "/api/owner/discountcode/make", guard(discount.Discounts.Module(), access.Add), "Make codes of a discount that nobody guesses", o.makeCodes)
	registerEditable(o, consent.PDPA)
	registerEditable(o, consent.Terms)
	registerEditable(o, agent.AgentTypes)
	registerEditable(o, rate.SpecialRates)
	post(o, "/api/owner/commissionrate/try", guard(rate.SpecialRates.Module(), access.See), "What a cart would cost and who would earn of it, with agents' rates as a form has them", o.tryRate)
	o.registerAgents()
	o.registerPartners()
	o.registerSettlements()
	registerListed(o, customer.Customers)
	status(o, customer.Customers, o.setCustomers)
	registerListed(o, contact.Messages)
	post(o, "/api/owner/contactus/read", guard(contact.Messages.Module(), access.See), "One message, with its text and phone number", o.message)
	post(o, "/api/owner/contactus/answer", guard(contact.Messages.Module(), access.Status), "Write down that a message was answered, or was not", o.answerMessage)
	registerListed(o, voucher.Vouchers)
	registerListed(o, voucher.Redemptions)
	registerListed(o, gift.Gifts)
	registerListed(o, board.Offers)
	post(o, "/api/owner/boardtransaction/stop", guard(voucher.Vouchers.Module(), access.Status), "Stop an offer that nobody has bought", o.stopOffer)
	post(o, "/api/owner/transfertransaction/stop", guard(voucher.Vouchers.Module(), access.Status), "Stop a gift that nobody has received", o.stopGift)
	post(o, "/api/owner/voucher/freeze", guard(voucher.Vouchers.Module(), access.Status), "Put a voucher on hold for a reason of the organisation's", o.freeze)
	post(o, "/api/owner/voucher/release", guard(voucher.Vouchers.Module(), access.Status), "Let a voucher go that the organisation put on hold, and add the days to its validity", o.release)
	post(o, "/api/owner/voucher/void/quote", guard(voucher.Vouchers.Module(), access.Status), "What cancelling a voucher would move and end", o.quoteVoid)
	postKeyed(o, "/api/owner/voucher/void", guard(voucher.Vouchers.Module(), access.Status), "Cancel a voucher; what was paid for its unused items goes to its holder", o.void)
	postKeyed(o, "/api/owner/voucher/void/ask", guard(voucher.Vouchers.Module(), access.Status), "Ask a second person to cancel a voucher", o.askVoid)
	post(o, "/api/owner/voucher/reissue", guard(voucher.Vouchers.Module(), access.Change), "Give a voucher another code; its old one and its QR are not honoured any more", o.reissue)
	post(o, "/api/owner/voucher/goodwill/uses", guard(voucher.Vouchers.Module(), access.Status), "What may be given back for each use of a voucher", o.goodwillUses)
	postKeyed(o, "/api/owner/voucher/goodwill/ask", guard(voucher.Vouchers.Module(), access.Status), "Ask a second person to give money back for a use, to who used it", o.askGoodwill)
	postKeyed(o, "/api/owner/voucher/extend", guard(voucher.Vouchers.Module(), access.Change), "Extend a voucher, also one that is over and whose rest the organisation kept", o.extend)
	post(o, "/api/owner/care/preview", guard(voucher.Vouchers.Module(), access.See), "What a change of many vouchers would do, and to which it cannot be done", o.previewCare)
	postKeyed(o, "/api/owner/care/extend", guard(voucher.Vouchers.Module(), access.Change), "Extend many vouchers; it goes on by itself", o.careExtend)
	postKeyed(o, "/api/owner/care/extend/ask", guard(voucher.Vouchers.Module(), access.Change), "Ask a second person to let many vouchers be extended", o.askCareExtend)
	postKeyed(o, "/api/owner/care/change", guard(voucher.Vouchers.Module(), access.Status), "Put many vouchers on hold, let them go, or cancel them; it goes on by itself", o.careChange)
	post(o, "/api/owner/closure/return/preview", guard(voucher.Vouchers.Module(), access.See), "To which vouchers a closure would give days back, and how many", o.previewReturn)
	postKeyed(o, "/api/owner/closure/return", guard(voucher.Vouchers.Module(), access.Change), "Give the days of a closure back to vouchers that can be used nowhere else; it goes on by itself", o.returnDays)
	postKeyed(o, "/api/owner/closure/return/ask", guard(voucher.Vouchers.Module(), access.Change), "Ask a second person to let the days of a closure be given back", o.askReturnDays)
	post(o, "/api/owner/care/run", guard(voucher.Vouchers.Module(), access.See), "How far a change of many vouchers is, and what it could not be done to", o.careRun)
	post(o, "/api/owner/care/runs", guard(voucher.Vouchers.Module(), access.See), "The newest changes of many vouchers", o.careRuns)
	post(o, "/api/owner/care/cancel", guard(voucher.Vouchers.Module(), access.See), "Stop a change of many vouchers that one has started; what is done stays", o.cancelCare)
	registerListed(o, objection.Objections)
	post(o, "/api/owner/story/objection", guard(voucher.Vouchers.Module(), access.See), "What somebody objects to, and what is known of that use", o.objection)
	post(o, "/api/owner/objection/decide", guard(voucher.Vouchers.Module(), access.Status), "Undo a use to which somebody objects, or let it stand", o.decideObjection)
	post(o, "/api/owner/receipt/get", guard(order.Orders.Module(), access.See), "The receipt of an order, or of its refund", o.receipt)
	post(o, "/api/owner/refund/quote", guard(voucher.Vouchers.Module(), access.Status), "What refunding unused items of an order would move", o.quoteRefund)
	postKeyed(o, "/api/owner/refund/make", guard(voucher.Vouchers.Module(), access.Status), "Refund unused items of an order to the wallet of who holds them", o.makeRefund)
	postKeyed(o, "/api/owner/refund/ask", guard(voucher.Vouchers.Module(), access.Status), "Ask a second person to let unused items of an order be refunded", o.askRefund)
	o.registerRefundRequests()
	o.registerCases()
	o.registerBankTransfers()
	o.registerCashouts()
	o.registerPayouts()
	o.registerWithholding()
	o.registerHolds()
	o.registerApprovals()
	registerListed(o, order.Orders)
	post(o, "/api/owner/customer/wallet", guard("wallettransaction", access.See), "What a customer's wallet holds", o.customerWallet)
	registerListed(o, charge.PaymentSystems)
	post(o, "/api/owner/payment/methods", guard(charge.PaymentSystems.Module(), access.Change), "Change which ways to pay customers have, and in which order", o.saveMethods)
	registerListed(o, charge.Charges)
	o.registerPeople()
	registerListed(o, staff.AuditLog)
	o.registerStories()

	post(o, "/api/owner/find", rest.Right{Audiences: owners}, "The records of a code, a number or a mobile number, of those that one may see", o.find)
	post(o, "/api/owner/announcement/list", rest.Right{Audiences: owners}, "What the platform announces to the office now", o.announcements)
	post(o, "/api/owner/password/change", rest.Right{Audiences: owners}, "Change one's own password", o.changePassword)
	post(o, "/api/owner/setting/get", guard("setting", access.See), "Names, colours and logo", o.settings)
	post(o, "/api/owner/setting/save", guard("setting", access.Change), "Change names, colours and logo", o.saveSettings)
	post(o, "/api/owner/setting/contactus/get", guard("setting", access.See), "Legal name, address, tax id, and whom customers ask", o.contactDetails)
	post(o, "/api/owner/setting/contactus/save", guard("setting", access.Change), "Change legal name, address, tax id, and whom customers ask", o.saveContactDetails)
	post(o, "/api/owner/setting/wallet/get", guard("setting", access.See), "What customers' wallets hold together, beside the limit", func(ctx context.Context, who token.Session, _ rest.Empty) (reports.Held, error) {
		return o.Reports.Held(ctx, who.Org)
	})
	post(o, "/api/owner/setting/wallet/save", guard("setting", access.Change), "Change the limit of what customers' wallets hold together", o.saveWalletLimit)
	post(o, "/api/owner/setting/board/get", guard("setting", access.See), "Whether customers sell vouchers on, and on which terms", o.boardSetting)
	post(o, "/api/owner/setting/board/save", guard("setting", access.Change), "Change whether customers sell vouchers on, and on which terms", o.saveBoardSetting)
	post(o, "/api/owner/setting/product/get", rest.Right{Audiences: owners}, "What the organisation calls what it sells", o.productWord)
	post(o, "/api/owner/setting/product/save", guard("setting", access.Change), "Change what the organisation calls what it sells", o.saveProductWord)
	post(o, "/api/owner/setting/gift/get", guard("setting", access.See), "How long a gift waits for its receiver", o.giftSetting)
	post(o, "/api/owner/setting/push/get", guard("setting", access.See), "The official account, and what became of its pushes", o.pushAccount)
	post(o, "/api/owner/setting/push/save", guard("setting", access.Change), "Connect the official account", o.savePushChannel)
	post(o, "/api/owner/setting/push/remove", guard("setting", access.Change), "Take the official account off", o.removePushChannel)
	post(o, "/api/owner/setting/push/limit/save", guard("setting", access.Change), "Change how many pushes a month are sent at most", o.savePushLimit)
	post(o, "/api/owner/setting/push/test", guard("setting", access.Change), "Push a test to oneself, and begin to push", o.testPush)
	post(o, "/api/owner/setting/gift/save", guard("setting", access.Change), "Change how long a gift waits for its receiver", o.saveGiftSetting)
	post(o, "/api/owner/dashboard", guard("dashboard", access.See), "How the last days went", o.dashboard)
	post(o, "/api/owner/dashboard/firstrun", guard("dashboard", access.See), "What the shop has of what it needs before it sells", o.firstRun)
	post(o, "/api/owner/dashboard/activity", guard("dashboard", access.See), "What has just happened", o.activity)
	o.registerJobs()
	o.registerUpload()
}

func guard(module, letter string) rest.Right {
	return rest.Right{Audiences: owners, Module: module, Letter: letter}
}

func post[In, Out any](o *handlers, path string, right rest.Right, summary string, use func(ctx context.Context, who token.Session, in In) (Out, error)) {
	o.rights[path] = right
	if o.api != nil {
		rest.Post(o.api, path, summary, use)
	}
}

// getFile registers a download.
func (o *handlers) getFile(path string, right rest.Right, summary, contentType string, use func(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error)) {
	o.rights[path] = right
	if o.api != nil {
		rest.GetFile(o.api, path, summary, slices.Values([]string{contentType}), use)
	}
}

// postKeyed registers a call that moves money.
func postKeyed[In, Out any](o *handlers, path string, right rest.Right, summary string, use func(ctx context.Context, who token.Session, key string, in In) (Out, error)) {
	right.Limit = ratelimit.Money
	o.rights[path] = right
	if o.api != nil {
		rest.PostKeyed(o.api, path, summary, use)
	}
}

// actor returns the account that asks, as the audit log writes it.
func actor(ctx context.Context, who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
}

func (o *handlers) message(ctx context.Context, who token.Session, in ByID) (contact.Message, error) {
	return o.Contact.Detail(ctx, who.Org, in.ID)
}

func (o *handlers) answerMessage(ctx context.Context, who token.Session, in contact.AnswerInput) (contact.Message, error) {
	return o.Contact.SetAnswered(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) previewConditions(ctx context.Context, who token.Session, in catalog.Conditions) (catalog.Sentences, error) {
	if err := o.needAny(ctx, who, []string{catalog.VoucherTypes.Module(), catalog.GiftVouchers.Module()}, access.See); err != nil {
		return catalog.Sentences{}, err
	}
	return catalog.Preview(in)
}

// need is for calls whose right depends on what they are asked. It returns fault.NotAllowed.
func (o *handlers) need(ctx context.Context, who token.Session, module, letter string) error {
	return o.needAny(ctx, who, []string{module}, letter)
}

// needAny needs one of the letters in one of the modules.
func (o *handlers) needAny(ctx context.Context, who token.Session, modules []string, letters string) error {
	account, err := o.Staff.Account(ctx, who)
	if err != nil {
		return err
	}
	for _, module := range modules {
		for _, letter := range letters {
			can, err := o.May(ctx, who.Org, account, module, string(letter))
			if can || err != nil {
				return err
			}
		}
	}
	return fault.NotAllowed
}

func (o *handlers) saveWalletLimit(ctx context.Context, who token.Session, in wallet.Limit) (reports.Held, error) {
	if err := o.Wallet.SaveLimit(ctx, who.Org, actor(ctx, who), in); err != nil {
		return reports.Held{}, err
	}
	return o.Reports.Held(ctx, who.Org)
}

func (o *handlers) changePassword(ctx context.Context, who token.Session, in staff.PasswordChange) (rest.Empty, error) {
	return rest.Empty{}, o.Staff.ChangePassword(ctx, who, actor(ctx, who), in)
}

func (o *handlers) approveAgent(ctx context.Context, who token.Session, in agent.ApproveInput) (out Approved, err error) {
	err = o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if out.ID, err = agent.Approve(ctx, tx, who.Subject, in); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, actor(ctx, who), "approve", "agent/"+out.ID.String(), nil, in)
	})
	return out, err
}

func (o *handlers) customerWallet(ctx context.Context, who token.Session, in ByID) (holds wallet.Holding, err error) {
	err = o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if _, err := customer.Customers.Detail(ctx, tx, in.ID); err != nil {
			return err
		}
		holds, err = wallet.ReadHolding(ctx, tx, in.ID)
		return err
	})
	return holds, err
}

// DashboardInput says how far to look back.
type DashboardInput struct {
	Days int `json:"days" minimum:"1" maximum:"366"`
}

func (o *handlers) dashboard(ctx context.Context, who token.Session, in DashboardInput) (d reports.Dashboard, err error) {
	sees, err := o.sees(ctx, who)
	if err != nil {
		return d, err
	}
	return o.Reports.Dashboard(ctx, who.Org, in.Days, sees)
}

// FirstRun is how far a shop is on its way to the first sale.
type FirstRun struct {
	reports.FirstRun
	Logo bool `json:"logo"`
	Line bool `json:"line" doc:"Whether it has a LINE channel; LINE was asked before that was kept"`
}

func (o *handlers) firstRun(ctx context.Context, who token.Session, _ rest.Empty) (f FirstRun, err error) {
	home, err := o.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return f, err
	}
	err = o.need(ctx, who, catalog.Packages.Module(), access.See)
	if err != nil && !errors.Is(err, fault.NotAllowed) {
		return f, err
	}
	f.Logo, f.Line = home.Logo != uuid.Nil, home.LineChannel != ""
	f.FirstRun, err = o.Reports.FirstRun(ctx, who.Org, err == nil)
	return f, err
}

// Events has the latest events, newest first.
type Events struct {
	Data []reports.Event `json:"data"`
}

func (o *handlers) activity(ctx context.Context, who token.Session, _ rest.Empty) (Events, error) {
	sees, err := o.sees(ctx, who)
	if err != nil {
		return Events{}, err
	}
	events, err := o.Reports.Activity(ctx, who.Org, sees)
	return Events{events}, err
}

// sees is what of the overview a person may see: numbers belong to the modules whose lists would show them.
func (o *handlers) sees(ctx context.Context, who token.Session) (sees reports.Visible, err error) {
	return sees, o.fillSeen(ctx, who, []seen{
		{&sees.Sales, []string{order.Orders.Module(), reports.Daily.Module()}},
		{&sees.Uses, []string{voucher.Vouchers.Module(), voucher.Redemptions.Module()}},
		{&sees.Customers, []string{customer.Customers.Module()}},
		{&sees.TopUps, []string{"depositqrtransaction", "wallettransaction"}},
		{&sees.Money, []string{reports.Daily.Module()}},
	})
}

// seen is a part of an answer, and the modules of which who sees any sees the part.
type seen struct {
	is      *bool
	modules []string
}

func (o *handlers) fillSeen(ctx context.Context, who token.Session, parts []seen) error {
	for _, part := range parts {
		err := o.needAny(ctx, who, part.modules, access.See)
		if err != nil && !errors.Is(err, fault.NotAllowed) {
			return err
		}
		*part.is = err == nil
	}
	return nil
}

// inOneTransaction changes the status of rows whose table has no use case of its own for that.
func inOneTransaction[T any](o *handlers, t *resource.Table[T]) setStatus {
	return func(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
		return o.DB.InOrg(ctx, org, func(tx db.Tx) error {
			if err := t.SetStatus(ctx, tx, who, ids, status); err != nil {
				return err
			}
			return o.changed(ctx, tx, t.Name())
		})
	}
}

func (o *handlers) setCustomers(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	return o.Suspension.SetStatus(ctx, org, who, ids, status)
}

func (o *handlers) stopOffer(ctx context.Context, who token.Session, in ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Board.Stop(ctx, who.Org, actor(ctx, who), in.ID)
}

func (o *handlers) stopGift(ctx context.Context, who token.Session, in ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Gift.Stop(ctx, who.Org, actor(ctx, who), in.ID)
}

// SaleReceipt names a receipt that belongs to a sale.
type SaleReceipt struct {
	Kind receipt.Kind `json:"kind" enum:"order,refund"`
	ID   uuid.UUID    `json:"id" doc:"Of the order or refund"`
}

func (o *handlers) receipt(ctx context.Context, who token.Session, in SaleReceipt) (receipt.Receipt, error) {
	return o.Receipt.OfOrganisation(ctx, who, receipt.Of(in))
}

func (o *handlers) quoteRefund(ctx context.Context, who token.Session, in refund.Choice) (refund.Quote, error) {
	return o.Refund.Quote(ctx, who.Org, in)
}

func (o *handlers) tryDiscount(ctx context.Context, who token.Session, in discount.TryInput) (discount.Trial, error) {
	organisation, err := o.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return discount.Trial{}, err
	}
	return o.Discount.Try(ctx, who.Org, organisation.FeeBasisPoints, in)
}

func (o *handlers) tryRate(ctx context.Context, who token.Session, in discount.TryInput) (discount.Trial, error) {
	if in.Discount != nil { // for who may see discounts
		return discount.Trial{}, fault.At("discount", fault.Unknown)
	}
	return o.tryDiscount(ctx, who, in)
}

func (o *handlers) makeCodes(ctx context.Context, who token.Session, key string, in discount.MakeInput) (discount.MadeCodes, error) {
	return o.Discount.MakeCodes(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) makeRefund(ctx context.Context, who token.Session, key string, in refund.Input) (refund.Made, error) {
	return o.Refund.Make(ctx, who.Org, actor(ctx, who), key, in)
}

// FoundRecords are those of a code, a number or a mobile number.
type FoundRecords struct {
	Data []story.Found `json:"data"`
}

func (o *handlers) find(ctx context.Context, who token.Session, in story.FindInput) (found FoundRecords, err error) {
	sees, err := o.seesRecords(ctx, who)
	if err != nil {
		return found, err
	}
	found.Data, err = o.Story.Find(ctx, who.Org, in, sees)
	return found, err
}

func (o *handlers) freeze(ctx context.Context, who token.Session, in voucher.FreezeInput) (rest.Empty, error) {
	return rest.Empty{}, o.Voucher.Freeze(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) extend(ctx context.Context, who token.Session, key string, in refund.ExtendInput) (rest.Empty, error) {
	return rest.Empty{}, o.Refund.Extend(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) previewCare(ctx context.Context, who token.Session, in care.PreviewInput) (care.Preview, error) {
	return o.Care.Preview(ctx, who.Org, in)
}

func (o *handlers) careExtend(ctx context.Context, who token.Session, key string, in care.ExtendInput) (care.Run, error) {
	return o.Care.StartExtend(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) askCareExtend(ctx context.Context, who token.Session, key string, in care.ExtendInput) (care.Asked, error) {
	return o.Care.AskExtend(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) careChange(ctx context.Context, who token.Session, key string, in care.ChangeInput) (care.Run, error) {
	return o.Care.StartChange(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) previewReturn(ctx context.Context, who token.Session, in care.ByClosure) (care.Return, error) {
	return o.Care.PreviewReturn(ctx, who.Org, in)
}

func (o *handlers) returnDays(ctx context.Context, who token.Session, key string, in care.ByClosure) (care.Run, error) {
	return o.Care.StartReturn(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) askReturnDays(ctx context.Context, who token.Session, key string, in care.ByClosure) (care.Asked, error) {
	return o.Care.AskReturn(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) careRun(ctx context.Context, who token.Session, in care.ByRun) (care.Run, error) {
	return o.Care.Run(ctx, who.Org, who.Subject, in.ID)
}

func (o *handlers) careRuns(ctx context.Context, who token.Session, _ rest.Empty) (care.Runs, error) {
	return o.Care.Runs(ctx, who.Org, who.Subject)
}

func (o *handlers) cancelCare(ctx context.Context, who token.Session, in care.ByRun) (rest.Empty, error) {
	return rest.Empty{}, o.Care.Cancel(ctx, who.Org, actor(ctx, who), in.ID)
}

func (o *handlers) reissue(ctx context.Context, who token.Session, in voucher.ReissueInput) (rest.Empty, error) {
	return rest.Empty{}, o.Voucher.Reissue(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) quoteVoid(ctx context.Context, who token.Session, in ByID) (refund.VoidQuote, error) {
	return o.Refund.QuoteVoid(ctx, who.Org, in.ID)
}

func (o *handlers) void(ctx context.Context, who token.Session, key string, in refund.VoidInput) (rest.Empty, error) {
	return rest.Empty{}, o.Refund.Void(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) saveMethods(ctx context.Context, who token.Session, in charge.MethodsInput) (rest.Empty, error) {
	return rest.Empty{}, o.Charge.SaveMethods(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) goodwillUses(ctx context.Context, who token.Session, in ByID) (refund.GoodwillUses, error) {
	return o.Refund.GoodwillUses(ctx, who.Org, in.ID)
}

func (o *handlers) askGoodwill(ctx context.Context, who token.Session, key string, in refund.GoodwillInput) (refund.Asked, error) {
	return o.Refund.AskGoodwill(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) askVoid(ctx context.Context, who token.Session, key string, in refund.VoidInput) (refund.Asked, error) {
	return o.Refund.AskVoid(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) release(ctx context.Context, who token.Session, in ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Voucher.Release(ctx, who.Org, actor(ctx, who), in.ID)
}

// ObjectionCase is what the organisation decides by.
type ObjectionCase struct {
	objection.Case
	SignIns []session.SignIn `json:"sign_ins" doc:"Of the customer, from the day before the use until he objected; the last ten, newest first"`
}

func (o *handlers) objection(ctx context.Context, who token.Session, in ByID) (c ObjectionCase, err error) {
	if c.Case, err = o.Objection.Case(ctx, who.Org, in.ID); err != nil {
		return c, err
	}
	c.SignIns, err = o.Session.SignIns(ctx, who.Org, c.Record.Customer, c.Opened.Add(-24*time.Hour), c.Record.MadeAt)
	return c, err
}

func (o *handlers) decideObjection(ctx context.Context, who token.Session, in objection.Decision) (ObjectionCase, error) {
	if err := o.Objection.Decide(ctx, who.Org, actor(ctx, who), in); err != nil {
		return ObjectionCase{}, err
	}
	return o.objection(ctx, who, ByID{in.ID})
}

// changed notifies open screens of a table, and publishes the market as changed: it shows much of what the tables hold.
func (o *handlers) changed(ctx context.Context, tx db.Tx, table string) error {
	tx.Publish(catalog.MarketTopic, tx.Org.String())
	return notice.SendTableUpdate(ctx, tx, table)
}
