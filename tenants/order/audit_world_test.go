package order_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// past is an organisation to which everything has happened that moves money or rights. names are the ids that SQL may say in
// braces.
type past struct {
	*tenanttest.World
	t             *testing.T
	system, point uuid.UUID
	staff         token.Session
	people        *customer.Service
	names         map[string]uuid.UUID
}

func newPast(t *testing.T) *past {
	t.Helper()
	w := tenanttest.New(t)
	p := &past{World: w, t: t, system: w.AddPaymentSystem(), point: w.ServicePoint(), staff: w.Staff(), people: customer.New(w.DB, w.Box(), refund.Settle), names: map[string]uuid.UUID{}}
	p.names["system"], p.names["point"], p.names["staff"] = p.system, p.point, p.staff.Subject

	three := p.pack("three", tenanttest.Package{Price: 300_00, Items: 3})
	kept := p.pack("kept", tenanttest.Package{Price: 100_00, ToWallet: true})
	pair := p.pack("pair", tenanttest.Package{Price: 200_00, Vouchers: 2})
	card := p.pack("card", tenanttest.Package{Price: 500_00, GiftValue: 600_00})
	free := p.pack("free", tenanttest.Package{})
	handed := p.pack("handed", tenanttest.Package{Price: 10_00, Items: 2, Transfers: 2})
	extra := p.pack("extra", tenanttest.Package{Price: 300_00, Extras: 1})
	dear := p.pack("dear", tenanttest.Package{Price: 100_00, Items: 2, Transfers: 2})
	refundable := p.pack("refundable", tenanttest.Package{Price: 100_00, Items: 2, Refunds: catalog.RefundTerms{Rule: "self", Days: 7, FeeBasisPoints: 1000}})
	askable := p.pack("askable", tenanttest.Package{Price: 100_00, Items: 3, Refunds: catalog.RefundTerms{Rule: "asking", Days: 7, FeeBasisPoints: 1000}})
	p.Clock.Advance(5 * time.Minute) // so that what was sold is known to be what the catalogue says

	agent := p.Agent(p.somebody("seller"), 1000)
	other := p.AgentBy(p.somebody("other_seller"), 500, commission.Rule{Matures: "sale"})
	p.names["agent"], p.names["other_agent"] = agent, other
	ann, bee := p.somebody("ann"), p.somebody("bee")

	// What a day brings, which is sealed later: wallets, a sale, a use, an end of validity by either rule.
	p.topUp("ann_topup", ann, 1000_00)
	p.topUp("bee_topup", bee, 1000_00)
	p.buy("lapsed", ann, three)
	p.buy("to_wallet", ann, kept)
	p.buy("also_lapsed", bee, three)
	reviver := p.somebody("reviver")
	p.topUp("reviver_topup", reviver, 300_00)
	p.buy("revived", reviver, three)
	p.Clock.Advance(91 * 24 * time.Hour)
	p.In(p.Voucher.ExpireVouchers)
	p.In(ledger.SealDays)

	p.Visit(ann, agent, three)
	p.buy("sold", ann, three)
	p.use("sold", ann, 1)
	p.use("sold", ann, 1)
	p.Visit(bee, other, pair)
	p.SpecialRate(other, pair, true, 7_00)
	p.buy("pair", bee, pair)
	p.buy("ready", bee, three)
	p.buy("gratis", bee, free)
	p.buy("on_its_way", bee, handed)
	p.give("on_its_way", bee)
	p.buy("claimed", bee, handed)
	p.claim(ann, p.give("claimed", bee))
	p.use("claimed", ann, 1)
	p.buy("came_back", bee, handed)
	_, err := p.Gift.Withdraw(t.Context(), bee, p.give("came_back", bee).ID)
	require.NoError(t, err)
	p.buy("halved", bee, handed)
	half := p.giveItems("halved", bee, 1)
	p.In(func(ctx context.Context, tx db.Tx) error {
		var id uuid.UUID
		defer func() { p.names["half"] = id }()
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE gift_id = $1`, half.ID).Scan(&id)
	})
	p.claim(ann, half)
	p.buy("shared", bee, handed)
	shared, err := p.Gift.Give(t.Context(), bee, tenanttest.Key(), gift.Input{Voucher: p.names["shared_voucher"], Items: 1, People: 2, Card: "thanks"})
	require.NoError(t, err)
	p.names["shared_gift"] = shared.ID
	p.claim(ann, shared)
	p.buy("all_taken", bee, handed)
	taken, err := p.Gift.Give(t.Context(), bee, tenanttest.Key(), gift.Input{Voucher: p.names["all_taken_voucher"], Items: 1, People: 2, Card: "thanks"})
	require.NoError(t, err)
	p.names["all_taken_gift"] = taken.ID
	p.claim(ann, taken)
	p.claim(p.somebody("taker"), taken)
	p.OpenBoard(200)
	p.VerifyMobile(bee)
	p.buy("on_sale", bee, handed)
	p.offer("on_sale", bee, 2)
	p.buy("resold", bee, handed)
	p.sell("resold", bee, 2, ann)
	p.buy("off_sale", bee, handed)
	_, err = p.Board.Cancel(t.Context(), bee, p.offer("off_sale", bee, 2))
	require.NoError(t, err)
	p.buy("cut_for_sale", bee, handed)
	p.sell("cut_for_sale", bee, 1, ann)
	p.topUp("bee_more", bee, 300_00)
	p.buy("reserved", bee, dear)
	p.payOffered("reserved", bee, p.somebody("reserver"))
	require.NoError(t, p.Board.Report(t.Context(), ann, board.ReportInput{Offer: p.names["reserved_offer"], Reason: "price"}))
	p.buy("paid_sale", bee, dear)
	p.payOffered("paid_sale", bee, ann)
	p.PayAtGateway(p.names["paid_sale"])
	p.gateway("paid_sale", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 50_00 })
	p.buy("refunded", bee, dear)
	p.refund("refunded", 1)
	mali := p.somebody("mali")
	p.topUp("mali_topup", mali, 500_00)
	p.buy("approved", mali, dear)
	p.askRefund("approved", 1)
	leo := p.somebody("leo")
	p.topUp("leo_topup", leo, 500_00)
	p.names["discount"] = p.Discount(tenanttest.Discount{Code: "PAST", Value: 10_00, Payer: "platform"})
	p.names["other_discount"] = p.Discount(tenanttest.Discount{Code: "OTHER", Value: 5_00})
	p.buy("reduced", leo, pair, "PAST")
	p.buy("freed", leo, dear, "PAST")
	p.refund("freed", 2)
	p.buy("regretted", bee, refundable)
	p.refundOwn("regretted", bee, refund.Wallet)
	ida := p.somebody("ida")
	p.topUp("ida_topup", ida, 500_00)
	for _, name := range []string{"granted", "declined", "wished", "agreed"} {
		p.buy(name, ida, askable)
		p.request(name, ida, 2)
	}
	p.answerRequests(ida)
	objector := p.somebody("objector")
	p.topUp("objector_topup", objector, 1000_00)
	for _, name := range []string{"objected", "stood", "undone"} {
		p.buy(name, objector, three)
		p.use(name, objector, 1)
		p.object(name, objector)
	}
	p.decide("stood", false)
	p.decide("undone", true)
	p.buy("held", bee, handed)
	p.freeze("held")
	p.buy("let_go", bee, handed)
	p.freeze("let_go")
	p.letGo("let_go")
	require.NoError(t, p.Voucher.Reissue(t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, voucher.ReissueInput{ID: p.names["let_go_voucher"], Reason: "seen by others"}))
	p.Clock.Advance(time.Second)
	p.extend("revived")
	p.use("revived", reviver, 1)
	p.askExtend("let_go")
	p.buy("closed", bee, p.pack("closed", tenanttest.Package{Price: 10_00, Only: []uuid.UUID{p.ServicePoint()}}))
	p.giveDaysBack("closed")
	p.topUp("leo_more", leo, 100_00)
	p.buy("asked_void", leo, dear)
	p.askVoid("asked_void")
	p.buy("voided", bee, dear)
	p.void("voided")
	sponsored := p.pack("sponsored", tenanttest.Package{Price: 7})
	p.Discount(tenanttest.Discount{Code: "SPONSOR", Value: 7, Payer: "platform", Only: []uuid.UUID{sponsored}})
	p.buy("sponsored", bee, sponsored, "SPONSOR")
	p.void("sponsored")
	p.names["given_back"] = p.open(bee, "ready", 1)
	_, err = p.Voucher.CancelUse(t.Context(), bee, p.names["given_back"])
	require.NoError(t, err)
	p.names["open_use"] = p.open(bee, "ready", 1)
	p.direct("direct", ann, three)
	p.use("direct", ann, 1)
	p.names["adjusted"] = p.Customer(50_00).Subject
	p.names["adjusted_too"] = p.Customer(70_00).Subject

	// Money that went back.
	p.direct("cut", bee, card)
	p.gateway("cut", func(c *payment.Charge) { c.Refunded = 100_00 })
	p.direct("part", bee, pair)
	p.gateway("part", func(c *payment.Charge) { c.Refunded = 100_00 })
	p.direct("whole", bee, pair)
	p.gateway("whole", func(c *payment.Charge) { c.Refunded, c.Fee = 200_00, 7_00 })
	p.direct("agents", ann, three)
	p.gateway("agents", func(c *payment.Charge) { c.Refunded = 100_00 })
	p.gateway("agents", func(c *payment.Charge) { c.Refunded = 200_00 })
	p.direct("won", bee, three)
	p.gateway("won", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
	p.gateway("won", func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
	cat := p.somebody("cat")
	p.topUp("cat_topup", cat, 700_00)
	p.buy("void", cat, three)
	p.buy("eaten", cat, three)
	p.use("eaten", cat, 3)
	p.gateway("cat_topup", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, c.Amount })
	p.topUp("cat_pays", cat, 100_00)
	dan := p.somebody("dan")
	p.direct("borne", dan, three)
	p.use("borne", dan, 1)
	p.gateway("borne", func(c *payment.Charge) { c.Refunded = 150_00 })
	p.Clock.Advance(charge.CaseLifetime)
	require.NoError(t, refund.Decide(t.Context(), p.DB, p.Org))
	p.In(ledger.SealDays)
	p.writeOff("cat_topup")
	p.goodwill("borne", 10_00)
	p.direct("decided", dan, three)
	p.use("decided", dan, 1)
	p.gateway("decided", func(c *payment.Charge) { c.Refunded = 150_00 })
	p.bear("decided")
	p.direct("frozen", dan, three)
	p.gateway("frozen", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
	p.direct("covered", bee, pair)
	p.gateway("covered", func(c *payment.Charge) { c.Refunded = 150_00 })
	p.gateway("covered", func(c *payment.Charge) { c.Refunded = 200_00 })
	p.direct("case", dan, pair)
	p.gateway("case", func(c *payment.Charge) { c.Refunded = 150_00 })

	// What came along for nothing follows what was paid for it.
	hal, ivy := p.somebody("hal"), p.somebody("ivy")
	p.topUp("hal_topup", hal, 300_00)
	p.buy("extra_held", hal, extra)
	p.gateway("hal_topup", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
	p.topUp("ivy_topup", ivy, 300_00)
	p.buy("extra_owed", ivy, extra)
	p.use("extra_owed", ivy, 1)
	p.gateway("ivy_topup", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, c.Amount })
	jan := p.somebody("jan")
	p.direct("extra_paid", p.somebody("kim"), extra)
	p.gateway("extra_paid", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 100_00 })
	p.direct("extra_back", jan, extra)
	p.gateway("extra_back", func(c *payment.Charge) { c.Refunded = c.Amount })
	p.direct("extra_lost", jan, extra)
	p.use("extra_lost", jan, 1)
	p.gateway("extra_lost", func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeLost, c.Amount })

	// What was refunded to a card: one is there, one could not be, and one is on its way.
	p.toCard("carded", p.somebody("liz"), refundable)
	require.NoError(t, p.Charge.Remit(t.Context(), p.Org, charge.RemitJob{Remittance: p.names["carded_remittance"]}))
	p.toCard("not_carded", p.somebody("max"), refundable)
	p.Pay.RefusesRefunds = true
	require.NoError(t, p.Charge.Remit(t.Context(), p.Org, charge.RemitJob{Remittance: p.names["not_carded_remittance"]}))
	p.toCard("under_way", p.somebody("ned"), refundable)

	// What was refunded to a bank account: one is there, one came back, and one waits for its transfer.
	p.toBank("banked", p.somebody("oda"), refundable)
	p.transfer("banked", "done")
	p.toBank("not_banked", p.somebody("pia"), refundable)
	p.transfer("not_banked", "failed")
	p.toBank("to_transfer", p.somebody("qua"), refundable)
	p.Clock.Advance(time.Second)

	// What was paid out of a wallet is there, is on its way, and is asked for.
	rio := p.somebody("rio")
	p.topUp("rio_topup", rio, 500_00)
	p.takeOut("paid_out", rio, 200_00)
	p.transfer("paid_out", "done")
	p.takeOut("leaving", rio, 100_00)
	p.asksFor("asks_for", rio, 50_00)

	// Charges that ended otherwise.
	p.names["late"] = p.ask(bee, pair)
	p.Pay.SetCharge(p.names["late"], func(c *payment.Charge) { c.State = payment.Expired })
	p.Check(p.names["late"])
	p.PayAtGateway(p.names["late"])
	p.names["gone"] = p.ask(bee, pair)
	p.Pay.SetCharge(p.names["gone"], func(c *payment.Charge) { c.State = payment.Expired })
	p.Check(p.names["gone"])
	duplicate := p.Pay.DuplicateCharge(p.names["part"], func(c *payment.Charge) { c.Refunded = 0 })
	require.NoError(t, p.Charge.HandleGatewayEvent(t.Context(), p.Org, charge.GatewayEventJob{System: p.system, GatewayID: duplicate}))
	p.names["wrong"] = p.ask(bee, pair)
	p.Pay.SetCharge(p.names["wrong"], func(c *payment.Charge) { c.State, c.Amount = payment.Paid, c.Amount-1 })
	p.Check(p.names["wrong"])
	p.names["waits"] = p.ask(p.somebody("eve"), pair)

	// Three are erased and come again. What one of them had paid goes back then, so that he owes it; another one pays twice while he
	// is nobody.
	p.forget("gus")
	p.signIn("gus")
	p.forget("fay")
	p.signIn("fay")
	p.gateway("fay_order", func(c *payment.Charge) { c.Refunded = 100_00 })
	p.forget("hal")
	p.names["was_hal"] = p.names["hal"]
	duplicate = p.Pay.DuplicateCharge(p.names["hal_order"], func(*payment.Charge) {})
	require.NoError(t, p.Charge.HandleGatewayEvent(t.Context(), p.Org, charge.GatewayEventJob{System: p.system, GatewayID: duplicate}))
	p.Clock.Advance(time.Minute)
	p.signIn("hal")
	p.cards()
	p.Mature()
	p.Clock.Advance(time.Minute)
	return p
}

// forget has somebody buy, use and be erased.
func (p *past) forget(name string) {
	who := p.signIn(name)
	p.direct(name+"_order", who, p.names["kept_package"])
	p.use(name+"_order", who, 1)
	require.NoError(p.t, p.Privacy.Erase(context.Background(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, privacy.EraseInput{Confirm: "ลบข้อมูลของฉัน"}))
	p.names["erased"] = who.Subject
}

func (p *past) signIn(name string) token.Session {
	id, err := p.people.SignIn(p.t.Context(), p.Org, customer.LINEIdentity{Subject: "U-" + name, Name: name})
	require.NoError(p.t, err)
	p.names[name] = id
	return token.Session{Audience: token.User, Org: p.Org, Subject: id}
}

func (p *past) somebody(name string) token.Session {
	who := p.Customer(0)
	p.names[name] = who.Subject
	return who
}

func (p *past) pack(name string, of tenanttest.Package) uuid.UUID {
	p.names[name+"_package"] = p.Package(of)
	return p.names[name+"_package"]
}

// cards has member cards bought: one waits, one was refused, one runs in place of another one, whose price came back.
func (p *past) cards() {
	for level, price := range map[int]money.Amount{2: 490_00, 5: 990_00} {
		p.Force(`WITH kind AS (INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES (gen_random_uuid(), 'บัตร', 'Card', $1, 1, 5, now(), now()) RETURNING id)
			INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, price_satang, created_at)
			SELECT id, id, 1, 'days', 365, 'first', $1, 0, 'off', 'off', 'off', 'off', 'off', 'off', 'off', $2, now() FROM kind`, level, price)
	}
	owner := auditlog.Actor{Kind: token.Owner, ID: p.Owner().Subject}
	for _, name := range []string{"card_waits", "card_refused", "card_replaced"} {
		who := p.somebody(name + "_buyer")
		p.topUp(name+"_topup", who, 2_000_00)
		application := p.card(name, who, 2, 490_00)
		switch name {
		case "card_refused":
			require.NoError(p.t, p.Member.Refuse(p.t.Context(), p.Org, owner, member.RefuseInput{ID: application, Reason: "-"}))
		case "card_replaced":
			require.NoError(p.t, p.Member.Approve(p.t.Context(), p.Org, owner, member.ApproveInput{ID: application, Reason: "-"}))
			p.card("card_runs", who, 5, 990_00)
		}
		p.Clock.Advance(time.Second)
	}
}

// card pays for the card of a level, and names the order. It returns the application.
func (p *past) card(name string, who token.Session, level int, price money.Amount) (application uuid.UUID) {
	in := order.CardInput{Price: price, ApplyInput: member.ApplyInput{Lang: "th", Form: member.Form{FirstName: "ก", LastName: "ข", Mobile: "0895550146"}}}
	p.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT card_type_id FROM card_type_version WHERE level = $1`, level).Scan(&in.Type)
	})
	_, err := p.Cards.Buy(p.t.Context(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, tenanttest.Key(), in)
	require.NoError(p.t, err)
	p.In(func(ctx context.Context, tx db.Tx) error {
		var id uuid.UUID
		defer func() { p.names[name] = id }()
		return tx.QueryRow(ctx, `SELECT order_id, application_id FROM card_order ORDER BY order_id DESC LIMIT 1`).Scan(&id, &application)
	})
	p.Clock.Advance(time.Second)
	return application
}

func (p *past) topUp(name string, who token.Session, amount money.Amount) {
	c, err := p.Wallet.StartTopUp(p.t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: amount, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(p.t, err)
	p.PayAtGateway(c.ID)
	p.names[name] = c.ID
}

// buy pays from the wallet, with codes of discounts; the order has the name, its first voucher that and _voucher.
func (p *past) buy(name string, who token.Session, pkg uuid.UUID, codes ...string) {
	o, err := p.Order.Buy(p.t.Context(), who, tenanttest.Key(), p.Quote(who, pkg, 1, codes...))
	require.NoError(p.t, err)
	p.names[name], p.names[name+"_voucher"] = o.ID, o.Vouchers[0].ID
	p.Clock.Advance(time.Second)
}

// ask makes an order that waits for its money.
func (p *past) ask(who token.Session, pkg uuid.UUID) uuid.UUID {
	o, err := p.Order.Pay(p.t.Context(), who, tenanttest.Key(), "", order.PayInput{BuyInput: p.Quote(who, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(p.t, err)
	return o.ID
}

func (p *past) direct(name string, who token.Session, pkg uuid.UUID) {
	p.paid(name, who, p.ask(who, pkg))
}

// toCard has somebody pay by card and an item of his voucher refunded there.
func (p *past) toCard(name string, who token.Session, pkg uuid.UUID) {
	o, err := p.Order.Pay(p.t.Context(), who, tenanttest.Key(), "", order.PayInput{
		BuyInput: p.Quote(who, pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "card", CardToken: "tokn"},
	})
	require.NoError(p.t, err)
	p.paid(name, who, o.ID)
	p.refundOwn(name, who, refund.Card)
	p.nameRemittance(name)
}

// toBank has somebody pay an order by PromptPay and have it refunded to a bank account.
func (p *past) toBank(name string, who token.Session, pkg uuid.UUID) {
	p.direct(name, who, pkg)
	p.refundOwn(name, who, refund.Bank)
	p.nameRemittance(name)
}

func (p *past) nameRemittance(name string) {
	p.In(func(ctx context.Context, tx db.Tx) error {
		var id uuid.UUID
		defer func() { p.names[name+"_remittance"] = id }()
		return tx.QueryRow(ctx, `SELECT id FROM remittance WHERE refund_id = $1`, p.names[name+"_refund"]).Scan(&id)
	})
}

// asksFor has somebody ask for money of his wallet, which he filled by PromptPay.
func (p *past) asksFor(name string, who token.Session, amount money.Amount) {
	in := cashout.Input{Amount: amount, Account: &bank.Account{Bank: "004", Number: "1234567890", Name: name}}
	asked, err := p.Cashout.Ask(p.t.Context(), who, tenanttest.Key(), in)
	require.NoError(p.t, err)
	p.names[name] = asked.ID
	p.Clock.Advance(time.Second)
}

// takeOut has it approved as well.
func (p *past) takeOut(name string, who token.Session, amount money.Amount) {
	p.asksFor(name, who, amount)
	by := auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}
	require.NoError(p.t, p.Cashout.Approve(p.t.Context(), p.Org, by, tenanttest.Key(), cashout.ByRequest{ID: p.names[name]}))
	p.In(func(ctx context.Context, tx db.Tx) error {
		var id uuid.UUID
		defer func() { p.names[name+"_remittance"] = id }()
		return tx.QueryRow(ctx, `SELECT id FROM remittance WHERE cashout_id = $1`, p.names[name]).Scan(&id)
	})
	p.Clock.Advance(time.Second)
}

// transfer has somebody say that a refund was transferred, and two people what became of that.
func (p *past) transfer(name, outcome string) {
	for _, says := range []string{"done", outcome} {
		in := refund.TransferMade{ID: p.names[name+"_remittance"], Outcome: says, Reference: "1", Note: "-"}
		require.NoError(p.t, p.Refund.AskTransfer(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(), in))
		c, err := p.Refund.TransferCase(p.t.Context(), p.Org, in.ID)
		require.NoError(p.t, err)
		second := p.Owner()
		by := auditlog.Actor{Kind: token.Owner, ID: second.Subject}
		p.names[name+"_transfer_approval"] = *c.Approval
		p.Clock.Advance(time.Second)
		if says == outcome {
			require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, by, tenanttest.Key(), approval.Answer{ID: *c.Approval}))
			break
		}
		require.NoError(p.t, p.Approval.Refuse(p.t.Context(), second, by, approval.Refusal{ID: *c.Approval, Reason: "it came back"}))
	}
	p.Clock.Advance(time.Second)
}

// paid is where an order's money comes in.
func (p *past) paid(name string, who token.Session, id uuid.UUID) {
	p.Clock.Advance(time.Second)
	p.PayAtGateway(id)
	o, err := p.Order.Order(p.t.Context(), who, id)
	require.NoError(p.t, err)
	p.names[name], p.names[name+"_voucher"] = id, o.Vouchers[0].ID
	p.Clock.Advance(time.Second)
}

func (p *past) open(who token.Session, name string, items int64) uuid.UUID {
	use, err := p.Voucher.StartUse(p.t.Context(), who, tenanttest.Key(), voucher.UseInput{Voucher: p.names[name+"_voucher"], ServicePoint: p.point, Items: items})
	require.NoError(p.t, err)
	return use.ID
}

func (p *past) use(name string, who token.Session, items int64) {
	use, err := p.Voucher.StartUse(p.t.Context(), who, tenanttest.Key(), voucher.UseInput{Voucher: p.names[name+"_voucher"], ServicePoint: p.point, Items: items})
	require.NoError(p.t, err)
	p.Scan(p.staff, use, p.point)
	p.Clock.Advance(time.Second)
	r, err := p.Voucher.Confirm(p.t.Context(), p.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: p.point})
	require.NoError(p.t, err)
	p.names[name+"_use"] = r.ID
}

// object has somebody say that the use of an order's voucher was not his.
func (p *past) object(name string, who token.Session) {
	_, err := p.Objection.Object(p.t.Context(), who, tenanttest.Key(), objection.Input{Use: p.names[name+"_use"]})
	require.NoError(p.t, err)
	p.In(func(ctx context.Context, tx db.Tx) error {
		var id uuid.UUID
		defer func() { p.names[name+"_objection"] = id }()
		return tx.QueryRow(ctx, `SELECT id FROM objection WHERE redemption_id = $1`, p.names[name+"_use"]).Scan(&id)
	})
	p.Clock.Advance(time.Second)
}

// decide ends an objection; what was used is a voucher again, or is not.
func (p *past) decide(name string, undo bool) {
	require.NoError(p.t, p.Objection.Decide(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, objection.Decision{ID: p.names[name+"_objection"], Undo: undo}))
	p.In(func(ctx context.Context, tx db.Tx) error {
		var id uuid.UUID
		defer func() { p.names[name+"_anew"] = id }()
		return tx.QueryRow(ctx, `SELECT coalesce((SELECT id FROM voucher WHERE undoes = $1), $1)`, p.names[name+"_use"]).Scan(&id)
	})
	p.Clock.Advance(time.Second)
}

// freeze freezes an order's voucher for the organisation.
func (p *past) freeze(name string) {
	who := auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}
	require.NoError(p.t, p.Voucher.Freeze(p.t.Context(), p.Org, who, voucher.FreezeInput{ID: p.names[name+"_voucher"], Reason: "sold twice"}))
	p.Clock.Advance(time.Second)
}

// letGo releases it.
func (p *past) letGo(name string) {
	require.NoError(p.t, p.Voucher.Release(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, p.names[name+"_voucher"]))
	p.Clock.Advance(time.Second)
}

// extend gives an order's voucher sixty days from now.
func (p *past) extend(name string) {
	who := auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}
	in := refund.ExtendInput{ID: p.names[name+"_voucher"], Until: clock.Day(p.Clock.Now()).AddDate(0, 0, 60).Format(time.DateOnly), Reason: "the branch was closed"}
	require.NoError(p.t, p.Refund.Extend(p.t.Context(), p.Org, who, tenanttest.Key(), in))
	p.Clock.Advance(time.Second)
}

// void ends an order's voucher for the organisation.
func (p *past) void(name string) {
	who := auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}
	require.NoError(p.t, p.Refund.Void(p.t.Context(), p.Org, who, tenanttest.Key(), refund.VoidInput{ID: p.names[name+"_voucher"], Reason: "printed twice"}))
	p.Clock.Advance(time.Second)
}

// gateway is where it says something new of a charge.
func (p *past) gateway(name string, change func(*payment.Charge)) {
	id := p.Pay.SetCharge(p.names[name], change)
	require.NoError(p.t, p.Charge.HandleGatewayEvent(p.t.Context(), p.Org, charge.GatewayEventJob{System: p.system, GatewayID: id}))
	p.Clock.Advance(time.Second)
}

// sql puts ids instead of their names.
func (p *past) sql(text string) string {
	var pairs []string
	for name, id := range p.names {
		pairs = append(pairs, "{"+name+"}", "'"+id.String()+"'::uuid")
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// give puts an order's voucher, which has two items, on its way.
func (p *past) give(name string, who token.Session) gift.Gift { return p.giveItems(name, who, 2) }

func (p *past) giveItems(name string, who token.Session, items int64) gift.Gift {
	g, err := p.Gift.Give(p.t.Context(), who, tenanttest.Key(), gift.Input{Voucher: p.names[name+"_voucher"], Items: items, Card: "thanks", Words: "ขอบคุณ"})
	require.NoError(p.t, err)
	p.names[name+"_gift"] = g.ID
	return g
}

// offer puts some of an order's voucher, which has two items, on sale.
func (p *past) offer(name string, who token.Session, items int64) uuid.UUID {
	return p.offerFor(name, who, items, 1_00)
}

func (p *past) offerFor(name string, who token.Session, items int64, price money.Amount) uuid.UUID {
	f, err := p.Board.Offer(p.t.Context(), who, tenanttest.Key(), board.Input{Part: board.Part{Voucher: p.names[name+"_voucher"], Items: items}, Price: price})
	require.NoError(p.t, err)
	p.names[name+"_offer"] = f.ID
	return f.ID
}

func (p *past) sell(name string, who token.Session, items int64, to token.Session) {
	sold, err := p.Board.Buy(p.t.Context(), to, tenanttest.Key(), board.BuyInput{Offer: p.offer(name, who, items), Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(p.t, err)
	p.names[name+"_resale"], p.names[name+"_sold"] = sold.ID, sold.Vouchers[0]
}

// refundOwn has an order's payer refund an item of its voucher.
func (p *past) refundOwn(name string, who token.Session, method refund.Method) {
	o, err := p.Refund.Options(p.t.Context(), who, p.names[name])
	require.NoError(p.t, err)
	made, err := p.Refund.RefundOwn(p.t.Context(), who, tenanttest.Key(), refund.OwnInput{
		Choice: refund.Choice{Order: p.names[name], Parts: []refund.Part{{Voucher: p.names[name+"_voucher"], Items: 1}}}, Method: method, Amount: o.Vouchers[0].Slices[0].Amount,
		Account: &bank.Account{Bank: "004", Number: "1234567890", Name: name},
	})
	require.NoError(p.t, err)
	p.names[name+"_refund"] = made.ID
}

// request has an order's payer ask for a refund of items of its voucher.
func (p *past) request(name string, who token.Session, items int64) {
	o, err := p.Refund.Options(p.t.Context(), who, p.names[name])
	require.NoError(p.t, err)
	asked, err := p.Refund.MakeRequest(p.t.Context(), who, tenanttest.Key(), refund.OwnInput{
		Choice: refund.Choice{Order: p.names[name], Parts: []refund.Part{{Voucher: p.names[name+"_voucher"], Items: items}}}, Amount: o.Vouchers[0].Slices[items-1].Amount,
	})
	require.NoError(p.t, err)
	p.names[name+"_request"] = asked.ID
}

// answerRequests grants one request and refuses another; of a third something is given away, and its payer asks again.
func (p *past) answerRequests(who token.Session) {
	by := auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}
	require.NoError(p.t, p.Refund.GrantRequest(p.t.Context(), p.Org, by, tenanttest.Key(), refund.ByRequest{ID: p.names["granted_request"]}))
	require.NoError(p.t, p.Refund.RefuseRequest(p.t.Context(), p.Org, by, refund.RequestRefusal{ID: p.names["declined_request"], Answer: "it was booked"}))
	asked, err := p.Refund.AskToGrant(p.t.Context(), p.Org, by, tenanttest.Key(), refund.RequestNote{ID: p.names["agreed_request"], Note: "moves to Phuket"})
	require.NoError(p.t, err)
	second := p.Owner()
	require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, auditlog.Actor{Kind: token.Owner, ID: second.Subject}, tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	p.names["agreed_approval"] = asked.Approval
	p.refund("wished", 1)
	wished := refund.ByRequest{ID: p.names["wished_request"]}
	require.NoError(p.t, p.Refund.AskAgain(p.t.Context(), p.Org, by, wished))
	p.Clock.Advance(time.Minute)
	renewed, err := p.Refund.RenewRequest(p.t.Context(), who, tenanttest.Key(), refund.RenewInput{ID: wished.ID, Amount: 30_00})
	require.NoError(p.t, err)
	p.names["renewed_request"] = renewed.ID
}

// refund refunds items of an order's voucher.
func (p *past) refund(name string, items int64) {
	made, err := p.Refund.Make(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(),
		refund.Input{Choice: refund.Choice{Order: p.names[name], Parts: []refund.Part{{Voucher: p.names[name+"_voucher"], Items: items}}}, Reason: "asked"})
	require.NoError(p.t, err)
	p.names[name+"_refund"] = made.ID
}

// askRefund has a second person let items of an order's voucher be refunded.
func (p *past) askRefund(name string, items int64) {
	asked, err := p.Refund.Ask(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(),
		refund.Input{Choice: refund.Choice{Order: p.names[name], Parts: []refund.Part{{Voucher: p.names[name+"_voucher"], Items: items}}}, Reason: "asked", Note: "moves to Phuket"})
	require.NoError(p.t, err)
	second := p.Owner()
	require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, auditlog.Actor{Kind: token.Owner, ID: second.Subject}, tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	p.names[name+"_approval"] = asked.Approval
}

// askVoid has a second person let an order's voucher be ended.
func (p *past) askVoid(name string) {
	asked, err := p.Refund.AskVoid(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(), refund.VoidInput{ID: p.names[name+"_voucher"], Reason: "printed twice"})
	require.NoError(p.t, err)
	second := p.Owner()
	require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, auditlog.Actor{Kind: token.Owner, ID: second.Subject}, tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	p.names[name+"_approval"] = asked.Approval
	p.Clock.Advance(time.Second)
}

// bear has the organisation bear what the gateway sent back of a payment.
func (p *past) bear(name string) {
	var in refund.BearInput
	p.In(func(ctx context.Context, tx db.Tx) error {
		_, cases, err := charge.OwedBy(ctx, tx, p.names[name])
		in = refund.BearInput{ID: cases[0].ID, Amount: cases[0].Amount}
		return err
	})
	require.NoError(p.t, p.Refund.Bear(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(), in))
	p.Clock.Advance(time.Second)
}

// askExtend has a second person let a run begin that extends an order's voucher.
func (p *past) askExtend(name string) {
	in := care.ExtendInput{
		Selection: care.Selection{Filter: map[string]any{"id": p.names[name+"_voucher"].String()}}, Until: clock.Day(p.Clock.Now()).AddDate(1, 0, 0).Format(time.DateOnly), Reason: "the branch was closed",
	}
	asked, err := p.Care.AskExtend(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(), in)
	require.NoError(p.t, err)
	second := p.Owner()
	require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, auditlog.Actor{Kind: token.Owner, ID: second.Subject}, tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	p.Clock.Advance(time.Second)
}

// giveDaysBack closes the only place of an order's voucher for four days, and gives them back.
func (p *past) giveDaysBack(name string) {
	who, today := auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, clock.Day(p.Clock.Now())
	var point uuid.UUID
	p.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT ver.service_point_ids[1] FROM voucher v JOIN template_version ver ON ver.id = v.version_id WHERE v.id = $1`, p.names[name+"_voucher"]).Scan(&point)
	})
	closure := p.Close(point, today.AddDate(0, 0, 2), today.AddDate(0, 0, 5))
	p.Clock.Advance(time.Second)
	run, err := p.Care.StartReturn(p.t.Context(), p.Org, who, tenanttest.Key(), care.ByClosure{ID: closure})
	require.NoError(p.t, err)
	p.Clock.Advance(time.Second)
	require.NoError(p.t, p.Care.Do(p.t.Context(), p.Org, care.RunJob{Run: run.ID}))
	p.names[name+"_run"], p.names[name+"_closure"] = run.ID, closure
	p.Clock.Advance(time.Second)
}

// goodwill has two people give back so much for a use.
func (p *past) goodwill(name string, amount money.Amount) {
	in := refund.GoodwillInput{Use: p.names[name+"_use"], Amount: amount, Reason: "the room was cold"}
	asked, err := p.Refund.AskGoodwill(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(), in)
	require.NoError(p.t, err)
	second := p.Owner()
	require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, auditlog.Actor{Kind: token.Owner, ID: second.Subject}, tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	p.names[name+"_goodwill_approval"] = asked.Approval
	p.Clock.Advance(time.Second)
}

// writeOff has two people write off what a payment owes.
func (p *past) writeOff(name string) {
	var debt money.Amount
	p.In(func(ctx context.Context, tx db.Tx) (err error) {
		debt, err = refund.DebtOf(ctx, tx, p.names[name])
		return err
	})
	asked, err := p.Refund.AskWriteOff(p.t.Context(), p.Org, auditlog.Actor{Kind: token.Owner, ID: p.staff.Subject}, tenanttest.Key(), refund.WriteOffInput{Charge: p.names[name], Amount: debt, Reason: "moved abroad"})
	require.NoError(p.t, err)
	second := p.Owner()
	require.NoError(p.t, p.Approval.Approve(p.t.Context(), second, auditlog.Actor{Kind: token.Owner, ID: second.Subject}, tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	p.names[name+"_write_off_approval"] = asked.Approval
	p.Clock.Advance(time.Second)
}

// payOffered reserves what somebody offers for another, who begins to pay it past his wallet.
func (p *past) payOffered(name string, who, to token.Session) {
	paid, err := p.Board.Pay(p.t.Context(), to, tenanttest.Key(), "", board.PayInput{
		BuyInput: board.BuyInput{Offer: p.offerFor(name, who, 2, 50_00), Accepted: []uuid.UUID{}, Lang: "th"}, PaymentMethod: charge.PaymentMethod{Method: "promptpay"},
	})
	require.NoError(p.t, err)
	p.names[name] = paid.ID
}

func (p *past) claim(who token.Session, g gift.Gift) {
	_, err := p.Gift.Receive(p.t.Context(), who, gift.Link{Ref: g.Ref})
	require.NoError(p.t, err)
}
