// Package user holds the calls of customers: the market, the wallet, orders and vouchers.
package user

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/api/wire"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/history"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/push"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

type handlers struct{ *tenants.Services }

// Register puts the customers' calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := handlers{s}
	rest.Post(a, "/api/user/get/salepackage", "Packages on sale", c.market,
		func(p catalog.MarketPage) string { return wire.If(len(p.Data) == 0, wire.NoPackage) })
	rest.Post(a, "/api/user/salepackage/detail", "One package on sale", c.product)
	rest.Post(a, "/api/user/salepackage/days", "On which days of a month it could be used at a service point if it were bought now", c.days)
	rest.Post(a, "/api/user/get/tags", "Categories of the market", c.tags)
	rest.Post(a, "/api/user/get/service_point", "Where vouchers are honoured", c.servicePoints)
	rest.Post(a, "/api/user/get/contactus", "Who sells, and whom to ask; empty while the organisation has not said it", c.contact)
	rest.Post(a, "/api/user/get/faq", "What customers ask, and the organisation's answers", c.questions)
	rest.Post(a, "/api/user/get/membercardtype", "Kinds of member cards", c.cardTypes,
		func(p rest.Page[member.CardType]) string { return wire.If(len(p.Data) == 0, wire.NoMemberCard) })
	rest.Post(a, "/api/user/get/customer", "Nobody: customers see no others", rest.Nothing[customer.Row])
	rest.Post(a, "/api/user/get/agent", "Nobody: customers see no agents", rest.Nothing[agent.Row])
	rest.Post(a, "/api/user/get/agenttype", "None: customers see no agent types", rest.Nothing[agent.Type])
	rest.Post(a, "/api/user/get/pdpa", "Active texts on personal data", c.texts("pdpa"))
	rest.Post(a, "/api/user/get/termsandconditions", "Active terms", c.texts("terms"))

	rest.PostKeyed(a, "/api/user/contact/send", "Write to the organisation", s.Contact.Send)

	rest.Post(a, "/api/user/consent/open", "What is still to be accepted after signing in", c.openConsents)
	rest.Post(a, "/api/user/consent/accept", "Accept everything that is open after signing in", c.accept)
	rest.Post(a, "/api/user/privacy/get", "What is held about the customer, and what he agreed to", c.held)
	rest.Post(a, "/api/user/privacy/export", "Everything that is held about the customer, to take along", c.export)
	rest.Post(a, "/api/user/privacy/erase", "Take the customer out of everything, for ever", c.erase)

	rest.Post(a, "/api/user/profile/customer", "The customer's own profile", c.profile)
	rest.Post(a, "/api/user/profile/save", "Change the profile", c.saveProfile)
	rest.Post(a, "/api/user/mobile/request", "Send a code to a mobile number", c.requestMobile)
	rest.Post(a, "/api/user/mobile/verify", "Prove by the code that the mobile number is the customer's own", c.verifyMobile)
	rest.Post(a, "/api/user/link/open", "Remember an agent's sale link for thirty days", c.openLink)

	rest.Post(a, "/api/user/getwallet", "Balance of the wallet", c.wallet)
	rest.Post(a, "/api/user/wallet/movements", "What moved the wallet's money", c.movements)
	rest.Post(a, "/api/user/wallet/statement", "A month of the wallet: its balance before and after, what came in, what went out, and its movements", s.Wallet.Statement)
	rest.Post(a, "/api/user/wallet/statement/file", "A month of the wallet as a csv file", s.Wallet.StatementFile)
	rest.Post(a, "/api/user/wallet/statement/link", "A link that opens the file of a month once, in any browser", s.Wallet.LinkFile)
	rest.Post(a, "/api/user/wallet/statement/open", "Open the link to the file of a month, once", s.Wallet.OpenFile)

	rest.PostKeyed(a, "/api/user/wallet/topup", "Top the wallet up by PromptPay or card", c.topUp)
	rest.Post(a, "/api/user/wallet/topup/get", "What became of a top-up", c.topUpState)
	rest.Post(a, "/api/user/wallet/payment-options", "Ways to pay", c.options)

	rest.Post(a, "/api/user/order/quote", "Price a cart", c.quote)
	rest.PostKeyed(a, "/api/user/order/confirm", "Buy what was quoted, from the wallet", c.buy, rest.Says[order.Order](wire.VoucherPurchased))
	rest.PostKeyed(a, "/api/user/order/pay", "Order what was quoted and pay for it directly by PromptPay or card", c.payOrder, outcome)
	rest.Post(a, "/api/user/order/awaiting", "Orders that wait for their money", c.awaiting,
		func(l List[order.Order]) string { return wire.If(len(l.Data) == 0, wire.NoOrder) })
	rest.Post(a, "/api/user/order/cancel", "Give up an order that waits for its money", c.cancelOrder)
	rest.Post(a, "/api/user/order/list", "What the customer bought, and what still waits for its money, newest first", c.orders,
		func(l List[order.Listed]) string { return wire.If(len(l.Data) == 0, wire.NoOrder) })
	rest.Post(a, "/api/user/order/detail", "A purchase, and where its vouchers are now", c.order,
		func(d order.Detail) string { return outcome(d.Order) })

	rest.Post(a, "/api/user/voucher/list", "The customer's vouchers", c.vouchers,
		func(l voucher.List) string { return wire.If(len(l.Data) == 0, wire.NoVoucher) })
	rest.Post(a, "/api/user/voucher/detail", "One voucher", c.voucher)
	rest.PostKeyed(a, "/api/user/voucher/use", "Ask to use items at a place; opens ten minutes of changing QR", s.Voucher.StartUse)
	rest.Post(a, "/api/user/voucher/use/get", "What became of a use", c.use,
		func(u voucher.UseSession) string { return wire.If(u.State == "used", wire.VoucherUsed) })
	rest.Post(a, "/api/user/voucher/use/cancel", "Cancel a use", c.cancelUse)
	rest.Post(a, "/api/user/refund/options", "What of an order its payer may have refunded", c.refundOptions)
	rest.Post(a, "/api/user/receipt/get", "A receipt of what he paid or had refunded", s.Receipt.OfCustomer)
	rest.Post(a, "/api/user/receipt/link", "A link that opens a receipt once, in any browser", s.Receipt.MakeLink)
	rest.Post(a, "/api/user/receipt/open", "Open the link to a receipt, once", s.Receipt.OpenLink)
	rest.Post(a, "/api/user/receipt/send", "Send a receipt by e-mail", s.Receipt.Send)
	rest.PostKeyed(a, "/api/user/refund/make", "Refund unused items of an order to the wallet of its payer, who changed his mind", s.Refund.RefundOwn)
	rest.PostKeyed(a, "/api/user/refund/ask", "Ask the shop to refund unused items of an order to the wallet of its payer, who changed his mind", s.Refund.MakeRequest)
	rest.PostKeyed(a, "/api/user/refund/renew", "Ask again for what is left of a request of which something was used or has left its payer", s.Refund.RenewRequest)
	rest.Post(a, "/api/user/agent/get", "How far the customer is on the way to sell for commission", c.agent)
	registerMember(a, c)
	rest.Post(a, "/api/user/cashout/options", "What of a wallet may be paid out to its customer, and what he has asked for", c.cashoutOptions)
	rest.PostKeyed(a, "/api/user/cashout/ask", "Ask the shop to pay money of the wallet out, back to what filled it", s.Cashout.Ask)
	rest.Post(a, "/api/user/cashout/withdraw", "Withdraw a request that waits for the shop's answer", s.Cashout.Withdraw)
	rest.Post(a, "/api/user/refund/withdraw", "Withdraw a request that waits for the shop's answer", s.Refund.WithdrawRequest)
	rest.Post(a, "/api/user/objection/use", "A use, and whether the customer may still say that it was not he", c.usedBy)
	rest.PostKeyed(a, "/api/user/objection/make", "Say that a use was not the customer's", s.Objection.Object)
	rest.PostKeyed(a, "/api/user/transfer/create", "Give a voucher by a link", s.Gift.Give)
	rest.Post(a, "/api/user/transfer/setting", "How long a gift waits for its receiver", c.giftSetting)
	rest.Post(a, "/api/user/transfer/list", "What was given and received", c.gifts)
	rest.Post(a, "/api/user/transfer/detail", "A gift that was given or received", c.gift)
	rest.Post(a, "/api/user/transfer/withdraw", "Take back a gift that nobody has received", c.withdrawGift)
	rest.Post(a, "/api/user/transfer/begin", "Open the link of a gift now that would open later", c.beginGift)
	rest.Post(a, "/api/user/transfer/extend", "Make the link of a gift good for longer, once, on its last day", c.extendGift)
	rest.Post(a, "/api/user/transfer/open", "What the link of a gift leads to", s.Gift.Open)
	rest.Post(a, "/api/user/transfer/receive", "Receive what the link of a gift leads to", s.Gift.Receive, rest.Says[gift.Gift](wire.VoucherReceived))
	rest.Post(a, "/api/user/transfer/decline", "Decline what the link of a gift leads to", c.declineGift)
	rest.Post(a, "/api/user/transfer/thank", "Thank who gave it, once", c.thankForGift)
	rest.Post(a, "/api/user/trade/setting", "Whether vouchers are sold on here, and on which terms", c.boardSetting)
	rest.Post(a, "/api/user/trade/list", "What is offered", s.Board.List)
	rest.Post(a, "/api/user/trade/detail", "An offer", c.offer)
	rest.Post(a, "/api/user/trade/check", "On which terms a voucher may be offered", s.Board.Check)
	rest.PostKeyed(a, "/api/user/trade/create", "Offer a voucher", s.Board.Offer)
	rest.Post(a, "/api/user/trade/cancel", "Take back an offer that nobody has bought", c.cancelOffer)
	rest.PostKeyed(a, "/api/user/trade/buy", "Buy what is offered, from the wallet", s.Board.Buy, rest.Says[board.Purchase](wire.VoucherPurchased))
	rest.PostKeyed(a, "/api/user/trade/pay", "Pay what is offered by PromptPay or card; until that ends it is reserved", c.payOffer)
	rest.Post(a, "/api/user/trade/payment", "What has become of a payment of an offer", c.offerPayment)
	rest.Post(a, "/api/user/trade/giveup", "Give up a payment of an offer that waits for its money", c.giveUpOffer)
	rest.Post(a, "/api/user/trade/report", "Let the organisation know that it should look at an offer", c.reportOffer)
	rest.Post(a, "/api/user/trade/own", "What was offered, or bought on the board", c.ownOffers)
	rest.Post(a, "/api/user/history/list", "What happened to the customer's vouchers, newest first", s.History.List,
		func(p history.Page) string { return wire.If(len(p.Data) == 0, wire.NoHistory) })
	rest.Post(a, "/api/user/message/list", "The customer's inbox", c.messages)
	rest.Post(a, "/api/user/message/unread", "How many messages he has not seen", c.unread)
	rest.Post(a, "/api/user/message/read", "Mark a message, and those before it, as seen", s.Message.Read)
	rest.Post(a, "/api/user/push/get", "How he is reached in LINE", c.push)
	rest.Post(a, "/api/user/push/save", "Choose of what he wants no push", s.Push.Choose)
	rest.Post(a, "/api/user/push/device", "What the app knows of him in LINE", s.Push.Report)
	rest.Post(a, "/api/user/voucher/history", "What was used", c.history,
		func(l List[voucher.Redemption]) string { return wire.If(len(l.Data) == 0, wire.NoHistory) })
}

// ID names one record.
type ID struct {
	ID uuid.UUID `json:"id"`
}

// After continues a list behind its last id.
type After struct {
	Limit int        `json:"limit,omitempty" minimum:"0" maximum:"100"`
	After *uuid.UUID `json:"after,omitempty"`
}

// List wraps what fits on one page.
type List[T any] struct {
	Data []T `json:"data"`
}

func (c handlers) market(ctx context.Context, who token.Session, in catalog.MarketInput) (catalog.MarketPage, error) {
	return c.Catalog.Market(ctx, who.Org, in)
}

func (c handlers) contact(ctx context.Context, who token.Session, _ rest.Empty) (List[catalog.PublicContact], error) {
	rows, err := c.Catalog.Contact(ctx, who.Org)
	return List[catalog.PublicContact]{rows}, err
}

func (c handlers) days(ctx context.Context, who token.Session, in catalog.DaysInput) (catalog.Days, error) {
	return c.Catalog.Days(ctx, who.Org, in)
}

func (c handlers) product(ctx context.Context, who token.Session, in ID) (catalog.PackageDetail, error) {
	o, err := c.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return catalog.PackageDetail{}, err
	}
	p, err := c.Catalog.Product(ctx, who.Org, in.ID)
	p.Protected = o.Collector == payment.CollectorPlatform
	return p, err
}

func (c handlers) tags(ctx context.Context, who token.Session, _ rest.Empty) (List[catalog.Tag], error) {
	tags, err := c.Catalog.Tags(ctx, who.Org)
	return List[catalog.Tag]{tags}, err
}

func (c handlers) servicePoints(ctx context.Context, who token.Session, _ rest.Empty) (List[catalog.PublicServicePoint], error) {
	points, err := c.Catalog.ServicePoints(ctx, who.Org)
	return List[catalog.PublicServicePoint]{points}, err
}

func (c handlers) questions(ctx context.Context, who token.Session, _ rest.Empty) (List[optionlist.PublicQuestion], error) {
	questions, err := c.OptionList.ListQuestions(ctx, who.Org)
	return List[optionlist.PublicQuestion]{questions}, err
}

func (c handlers) cardTypes(ctx context.Context, who token.Session, q rest.Query) (rest.Page[member.CardType], error) {
	page, err := c.Member.Offered(ctx, who.Org, q.Resource())
	return rest.PageOf(page), err
}

func (c handlers) texts(kind string) func(context.Context, token.Session, rest.Empty) (List[consent.Text], error) {
	return func(ctx context.Context, who token.Session, _ rest.Empty) (List[consent.Text], error) {
		texts, err := c.Consent.Active(ctx, who.Org, "customer", kind)
		return List[consent.Text]{texts}, err
	}
}

func (c handlers) openConsents(ctx context.Context, who token.Session, _ rest.Empty) (List[consent.Text], error) {
	texts, err := c.Consent.OpenFor(ctx, who)
	return List[consent.Text]{texts}, err
}

func (c handlers) accept(ctx context.Context, who token.Session, in consent.AcceptInput) (rest.Empty, error) {
	return rest.Empty{}, c.Consent.Accept(ctx, who, in)
}

func (c handlers) held(ctx context.Context, who token.Session, _ rest.Empty) (privacy.Summary, error) {
	return c.Privacy.Held(ctx, who)
}

func (c handlers) export(ctx context.Context, who token.Session, _ rest.Empty) (privacy.Export, error) {
	return c.Privacy.Export(ctx, who)
}

func (c handlers) erase(ctx context.Context, who token.Session, in privacy.EraseInput) (rest.Empty, error) {
	by := auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
	return rest.Empty{}, c.Privacy.Erase(ctx, who, by, in)
}

func (c handlers) profile(ctx context.Context, who token.Session, _ rest.Empty) (wire.Profile, error) {
	p, err := c.Customer.Profile(ctx, who)
	return wire.CustomerProfile(p), err
}

func (c handlers) saveProfile(ctx context.Context, who token.Session, in customer.ProfileInput) (wire.Profile, error) {
	p, err := c.Customer.Save(ctx, who, in)
	return wire.CustomerProfile(p), err
}

// LinkInput is the code of a sale link.
type LinkInput struct {
	Code string `json:"code" minLength:"8" maxLength:"40"`
}

func (c handlers) openLink(ctx context.Context, who token.Session, in LinkInput) (agent.Opened, error) {
	return c.Agent.Open(ctx, who, in.Code)
}

func (c handlers) wallet(ctx context.Context, who token.Session, _ rest.Empty) (wallet.Holding, error) {
	return c.Wallet.Holding(ctx, who)
}

func (c handlers) movements(ctx context.Context, who token.Session, in After) (wallet.Page, error) {
	return c.Wallet.Movements(ctx, who, in.Limit, in.After)
}

func (c handlers) topUp(ctx context.Context, who token.Session, key string, in wallet.TopUpInput) (charge.Charge, error) {
	return c.Wallet.StartTopUp(ctx, who, key, rest.From(ctx).Origin+session.OwnPath(in.Return), in)
}

func (c handlers) topUpState(ctx context.Context, who token.Session, in ID) (charge.Charge, error) {
	return c.Charge.Find(ctx, who, in.ID)
}

func (c handlers) options(ctx context.Context, who token.Session, _ rest.Empty) (List[charge.Option], error) {
	options, err := c.Charge.Options(ctx, who)
	return List[charge.Option]{options}, err
}

// outcome is the text of what has become of an order that is paid directly: ordered while it waits for its money, then purchased.
func outcome(o order.Order) string {
	switch o.State {
	case "awaiting":
		return wire.OrderSuccessful
	case "paid":
		return wire.PurchaseSuccessful
	default:
		return ""
	}
}

func (c handlers) awaiting(ctx context.Context, who token.Session, _ rest.Empty) (List[order.Order], error) {
	orders, err := c.Order.ListAwaiting(ctx, who)
	return List[order.Order]{orders}, err
}

func (c handlers) cancelOrder(ctx context.Context, who token.Session, in ID) (order.Order, error) {
	return c.Order.Cancel(ctx, who, in.ID)
}

func (c handlers) orders(ctx context.Context, who token.Session, in After) (List[order.Listed], error) {
	list, err := c.Order.List(ctx, who, in.After)
	return List[order.Listed]{list}, err
}

func (c handlers) order(ctx context.Context, who token.Session, in ID) (order.Detail, error) {
	return c.Order.Detail(ctx, who, in.ID)
}

// VouchersInput narrows the list.
type VouchersInput struct {
	Filter voucher.ListInput `json:"filter"`
}

func (c handlers) vouchers(ctx context.Context, who token.Session, in VouchersInput) (voucher.List, error) {
	return c.Voucher.List(ctx, who, in.Filter)
}

func (c handlers) voucher(ctx context.Context, who token.Session, in ID) (voucher.Detail, error) {
	return c.Voucher.Detail(ctx, who, in.ID)
}

func (c handlers) use(ctx context.Context, who token.Session, in ID) (voucher.UseSession, error) {
	return c.Voucher.Use(ctx, who, in.ID)
}

func (c handlers) cancelUse(ctx context.Context, who token.Session, in ID) (voucher.UseSession, error) {
	return c.Voucher.CancelUse(ctx, who, in.ID)
}

func (c handlers) giftSetting(ctx context.Context, who token.Session, _ rest.Empty) (s gift.Setting, err error) {
	err = c.DB.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		s, err = gift.ReadSetting(ctx, tx)
		return err
	})
	return s, err
}

func (c handlers) gifts(ctx context.Context, who token.Session, in After) (List[gift.Gift], error) {
	list, err := c.Gift.List(ctx, who, in.After)
	return List[gift.Gift]{list}, err
}

func (c handlers) messages(ctx context.Context, who token.Session, in After) (List[message.Message], error) {
	list, err := c.Message.List(ctx, who, in.After)
	return List[message.Message]{list}, err
}

func (c handlers) push(ctx context.Context, who token.Session, _ rest.Empty) (push.Person, error) {
	return c.Push.Person(ctx, who)
}

func (c handlers) unread(ctx context.Context, who token.Session, _ rest.Empty) (message.Unread, error) {
	return c.Message.Unread(ctx, who)
}

func (c handlers) gift(ctx context.Context, who token.Session, in ID) (gift.Gift, error) {
	return c.Gift.Detail(ctx, who, in.ID)
}

func (c handlers) withdrawGift(ctx context.Context, who token.Session, in ID) (gift.Gift, error) {
	return c.Gift.Withdraw(ctx, who, in.ID)
}

func (c handlers) beginGift(ctx context.Context, who token.Session, in ID) (gift.Gift, error) {
	return c.Gift.Begin(ctx, who, in.ID)
}

func (c handlers) extendGift(ctx context.Context, who token.Session, in ID) (gift.Gift, error) {
	return c.Gift.Extend(ctx, who, in.ID)
}

func (c handlers) declineGift(ctx context.Context, who token.Session, in gift.Link) (rest.Empty, error) {
	return rest.Empty{}, c.Gift.Decline(ctx, who, in)
}

func (c handlers) thankForGift(ctx context.Context, who token.Session, in ID) (gift.Gift, error) {
	return c.Gift.Thank(ctx, who, in.ID)
}

func (c handlers) boardSetting(ctx context.Context, who token.Session, _ rest.Empty) (board.Setting, error) {
	return c.Board.Setting(ctx, who.Org)
}

func (c handlers) offer(ctx context.Context, who token.Session, in ID) (board.Detail, error) {
	return c.Board.Detail(ctx, who, in.ID)
}

func (c handlers) cancelOffer(ctx context.Context, who token.Session, in ID) (board.Detail, error) {
	return c.Board.Cancel(ctx, who, in.ID)
}

func (c handlers) payOffer(ctx context.Context, who token.Session, key string, in board.PayInput) (board.Payment, error) {
	return c.Board.Pay(ctx, who, key, rest.From(ctx).Origin+session.OwnPath(in.Return), in)
}

func (c handlers) offerPayment(ctx context.Context, who token.Session, in ID) (board.Payment, error) {
	return c.Board.Payment(ctx, who, in.ID)
}

func (c handlers) giveUpOffer(ctx context.Context, who token.Session, in ID) (board.Payment, error) {
	return c.Board.GiveUp(ctx, who, in.ID)
}

func (c handlers) reportOffer(ctx context.Context, who token.Session, in board.ReportInput) (board.Detail, error) {
	if err := c.Board.Report(ctx, who, in); err != nil {
		return board.Detail{}, err
	}
	return c.Board.Detail(ctx, who, in.Offer)
}

func (c handlers) ownOffers(ctx context.Context, who token.Session, in board.OwnInput) (List[board.Offer], error) {
	list, err := c.Board.Own(ctx, who, in)
	return List[board.Offer]{list}, err
}

func (c handlers) refundOptions(ctx context.Context, who token.Session, in ID) (refund.Options, error) {
	return c.Refund.Options(ctx, who, in.ID)
}

func (c handlers) cashoutOptions(ctx context.Context, who token.Session, _ rest.Empty) (cashout.Options, error) {
	return c.Cashout.Options(ctx, who)
}

func (c handlers) usedBy(ctx context.Context, who token.Session, in ID) (objection.Use, error) {
	return c.Objection.Use(ctx, who, in.ID)
}

func (c handlers) history(ctx context.Context, who token.Session, in After) (List[voucher.Redemption], error) {
	uses, err := c.Voucher.History(ctx, who, in.After)
	return List[voucher.Redemption]{uses}, err
}

func (c handlers) agent(ctx context.Context, who token.Session, _ rest.Empty) (agent.Standing, error) {
	return c.Applications.Standing(ctx, who)
}
