package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
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
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/privacy"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// TestWalk: whatever people, gateways and time do to an organisation, in whatever order, it stays what the model says,
// and its books balance. One round is one organisation, from empty on; what is counted are actions.
func TestWalk(t *testing.T) {
	t.Parallel()
	for walks := begin(t, "walk", 200); walks.more(); {
		walks.together(func(t *testing.T) {
			around := newEnvironment(t)
			for n := 0; n == 0 || n < walksOnOne && walks.more(); n++ {
				walks.round(around.walk)
			}
		})
	}
}

// walksOnOne is how many walks one machine sees. After a crash Postgres looks at every file there is, and a relay at every organisation.
const walksOnOne = 10

func (s *environment) walk(t *testing.T, part *result) {
	seedRapid(t, part.Seed, 100)
	rapid.Check(t, func(r *rapid.T) {
		w, did := newWalk(t, s), map[string]int{}
		actions := rapid.StateMachineActions(w)
		for name, action := range maps.Clone(actions) {
			if name == "" {
				continue
			}
			counted := func(r *rapid.T) { action(r); did[name]++ }
			actions[name] = counted
			for n := range often[name] {
				actions[fmt.Sprintf("%s, chance %d", name, n+2)] = counted
			}
		}
		r.Repeat(actions)
		w.end(r)
		part.Did, part.Kinds = 0, did
		for _, n := range did {
			part.Did += n
		}
	})
}

// often is how many chances more some actions have than the others: those by which money goes back, which also find nothing to
// do more often, and what comes before them; and leaving, which little allows.
var often = map[string]int{"Paid": 3, "TopUp": 1, "Order": 1, "Confirm": 1, "SentBack": 3, "Dispute": 3, "Leave": 3, "PaidToNobody": 5, "Give": 4, "GiveEach": 3, "Claim": 8, "EndGift": 1, "Offer": 5, "BuyOffered": 4, "PayOffered": 5, "PaidOffered": 3, "CancelOffer": 1, "Object": 3, "Answer": 2, "Refund": 2, "Remit": 4, "Transfer": 4, "TakeOut": 2, "AskRefund": 2, "SecondPerson": 6, "RefundOwn": 4, "Wish": 1, "AnswerWish": 1, "Freeze": 2, "Release": 4, "WriteOff": 3, "Goodwill": 2, "DecideCase": 2, "EndRate": 4, "DraftRun": 3, "DraftScheduled": 4, "GoOnWithRun": 6, "SayOfPayout": 4, "FileTax": 2, "FindHolds": 3, "ReleaseHold": 2, "DenyHold": 3, "RunRefunds": 8, "SayOfRefund": 4, "ApplyForCard": 3, "AnswerCard": 4, "GrantPoints": 3, "AdjustPoints": 2}

// walk is an organisation beside its model. Each exported method, but Check, is something that happens.
type walk struct {
	*environment
	w             *tenanttest.World
	model         *shop
	staff         token.Session
	owner, second token.Session // of the back office
	servicePoints []uuid.UUID
	system        uuid.UUID
	agent         uuid.UUID
	recruiter     uuid.UUID // of the agent
	partner       uuid.UUID // of the last service point; nothing of his is approved, so no run pays him
	agentType     uuid.UUID
	run           uuid.UUID // of payouts, that is not booked yet, or nil
	refunds       uuid.UUID // the draft of a run of refunds, or nil
	scheduled     time.Time // when the only schedule of runs was added, or dealt with a day
	discount      uuid.UUID
	cardType      uuid.UUID
	schema        *reader        // of the organisation's
	ours          []string       // what no other organisation's schema may name
	sealed        []seal         // at the last look
	repeat        func(*rapid.T) // the last purchase or use, once more under its own key; nil before the first
}

// self lets a payer have a package refunded by himself.
func self(days, feeBasisPoints int32) catalog.RefundTerms {
	return catalog.RefundTerms{Rule: "self", Days: days, FeeBasisPoints: feeBasisPoints}
}

func newWalk(t *testing.T, around *environment) *walk {
	around.renew()
	w := &walk{environment: around, w: tenanttest.On(t, around.database), model: &shop{books: map[ledger.Kind]int64{}, rule: commission.Rule{Matures: "use"}}, sealed: []seal{}}
	w.model.remittance = func() uuid.UUID { return rows[uuid.UUID](w.w, `SELECT id FROM remittance ORDER BY id DESC LIMIT 1`)[0] }
	w.model.paidOut = func(taking, of uuid.UUID) uuid.UUID {
		return rows[uuid.UUID](w.w, `SELECT id FROM remittance WHERE cashout_id = $1 AND charge_id = $2`, taking, of)[0]
	}
	w.system, w.staff, w.servicePoints = w.w.AddPaymentSystem(), w.w.Staff(), []uuid.UUID{w.w.ServicePoint(), w.w.ServicePoint()}
	w.owner, w.second = w.w.Owner(), w.w.Owner()
	for _, balance := range []int64{0, 5_000_00, 1_200_00, 99_99} {
		id := w.w.Customer(money.Amount(balance)).Subject
		w.model.buyers = append(w.model.buyers, &buyer{id: id, line: id.String(), balance: balance})
		w.model.add(ledger.Adjustment, -balance)
	}
	w.agent, w.recruiter = w.w.Agent(w.session(w.model.buyers[0]), agentBasisPoints), w.w.Agent(w.w.Customer(0), agentBasisPoints)
	w.w.Recruit(w.agent, w.recruiter, recruiterBasisPoints)
	w.partner = w.w.PartnerAt(w.servicePoints[1], partnerBasisPoints)
	require.NoError(t, w.w.Payout.AddSchedule(t.Context(), w.w.Org, w.actor(w.owner), payout.Rhythm{Kind: payout.Agents, Every: "week", Day: 1}))
	w.scheduled = w.now()
	w.agentType = rows[uuid.UUID](w.w, `SELECT agent_type_id FROM agent WHERE id = $1`, w.agent)[0]
	w.w.Payee(w.agent, w.owner, tenanttest.CompanyForm())
	w.model.toCome = func() int64 {
		has := w.w.Earned(w.agent)
		return int64(w.w.Pending(w.agent) + has.Payable + has.Receivable)
	}

	few, once := 5, 2
	for _, p := range []*pack{
		{price: 100_00, vouchers: 1, items: 1, refunds: self(7, 0)},
		{price: 333_33, vouchers: 3, items: 3, extras: 2, stock: &few, together: true, refunds: self(30, 725)},
		{price: 1_000_01, vouchers: 2, items: 7, limit: &once, servicePoint: &w.servicePoints[0], refunds: catalog.RefundTerms{Rule: "asking", Days: 365}},
		{price: 500_00, vouchers: 1, gift: 600_00, refunds: self(365, 10_000)},
		{price: 77_77, vouchers: 1, items: 3, extras: 1, toWallet: true, refunds: self(90, 1)},
		{price: 250_00, vouchers: 1, items: 2, extras: 1, refunds: catalog.RefundTerms{Rule: "asking", Days: 7, FeeBasisPoints: 333}},
		{price: 0, vouchers: 1, items: 1, limit: &once, refunds: catalog.RefundTerms{Rule: "none", Days: 7}},
	} {
		sold := tenanttest.Package{
			Price: money.Amount(p.price), Items: p.items, Vouchers: p.vouchers, GiftValue: money.Amount(p.gift), Stock: p.stock, PerCustomer: p.limit, ToWallet: p.toWallet, Extras: p.extras, Refunds: p.refunds,
		}
		if p.servicePoint != nil {
			sold.Only = []uuid.UUID{*p.servicePoint}
		}
		p.id = w.w.Package(sold)
		w.model.packages = append(w.model.packages, p)
	}
	w.change(`UPDATE voucher_type SET transfer_times = $1`, maxTransfers)
	for _, p := range w.model.packages {
		if p.together {
			w.change(`UPDATE voucher_type SET transfer_together = true WHERE id IN (SELECT voucher_type_id FROM package_part WHERE package_id = $1)`, p.id)
		}
	}

	uses := discountUses
	w.discount = w.w.Discount(tenanttest.Discount{Code: discountCode, Value: discountOff, Uses: &uses})
	w.w.OpenBoard(royaltyBasisPoints)
	w.addCardType()
	w.schema = read(t, w.w)
	w.ours = names(t, w.w, w.staff.Subject, w.owner.Subject, w.second.Subject, w.agent, w.partner, w.discount, w.system, w.servicePoints[0], w.servicePoints[1])
	for _, b := range w.model.buyers {
		w.ours = append(w.ours, spelled(b.id)...)
	}
	for _, p := range w.model.packages {
		w.ours = append(w.ours, spelled(p.id)...)
	}
	return w
}

func (w *walk) session(b *buyer) token.Session {
	return token.Session{Audience: token.User, Org: w.w.Org, Subject: b.id}
}

func (w *walk) now() time.Time { return w.w.Clock.Now() }

// one chooses one of some, or skips the action while there is none.
func one[T any](r *rapid.T, name string, from []T) T {
	if len(from) == 0 {
		r.SkipNow()
	}
	return from[rapid.IntRange(0, len(from)-1).Draw(r, name)]
}

// same fails unless what happened is what the model expected to.
func same(r *rapid.T, want, got error) {
	r.Helper()
	if want == nil {
		require.NoError(r, got)
		return
	}
	require.ErrorIs(r, got, want)
}

// quote is what a buyer agrees to, by a code or not; a stale one is of a price that has changed since. off is what the code takes off.
func (w *walk) quote(r *rapid.T, b *buyer) (p *pack, n int, off int64, stale bool, in order.BuyInput) {
	p, n, stale = one(r, "package", w.model.packages), rapid.IntRange(1, 5).Draw(r, "pieces"), rapid.IntRange(0, 9).Draw(r, "stale") == 0
	codes := []string{}
	if rapid.IntRange(0, 2).Draw(r, "code") == 0 {
		if off = w.model.discount(p, n); off > 0 {
			codes = []string{discountCode}
		}
	}
	in = w.w.Quote(w.session(b), p.id, n, codes...)
	if stale {
		quoted := in.Hash
		in.Hash = "0" + in.Hash[1:]
		if in.Hash == quoted {
			in.Hash = "1" + in.Hash[1:]
		}
	}
	return p, n, off, stale, in
}

// Buy from the wallet.
func (w *walk) Buy(r *rapid.T) {
	b := one(r, "buyer", w.model.buyers)
	p, n, off, stale, in := w.quote(r, b)
	key, total := tenanttest.Key(), p.price*int64(n)-off

	refusal := w.model.refuseDeal(b, p, n, stale)
	if refusal == nil && b.balance < total {
		refusal = ledger.ErrInsufficient
	}
	if refusal == nil {
		refusal = soldOut(p, n)
	}
	who := w.session(b)
	bought, err := w.w.Order.Buy(r.Context(), who, key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	b.balance -= total
	w.model.notify(b, notice.Event{Topic: "wallet"})
	o := w.model.book(bought.ID, b, p, n, off, w.now())
	w.settle(r, o, w.now())
	w.repeat = func(r *rapid.T) {
		twice, err := w.w.Order.Buy(r.Context(), who, key, in)
		require.NoError(r, err)
		require.Equal(r, bought.ID, twice.ID)
	}
}

// BuyAgain repeats the last purchase or use under its own key: nothing more happens.
func (w *walk) BuyAgain(r *rapid.T) {
	if w.repeat == nil {
		r.SkipNow()
	}
	w.repeat(r)
}

// Order a package that is paid at the gateway.
func (w *walk) Order(r *rapid.T) {
	b := one(r, "buyer", w.model.buyers)
	p, n, off, stale, in := w.quote(r, b)

	refusal, total := w.model.refuseDeal(b, p, n, stale), p.price*int64(n)-off
	switch {
	case refusal != nil:
	case total == 0:
		refusal = order.ErrNothingToPay
	case total < int64(charge.MinAmount):
		refusal = order.ErrDirectSum
	default:
		if refusal = w.model.refuseHold(b, p, n, w.now()); refusal == nil {
			refusal = soldOut(p, n)
		}
	}
	card := rapid.Bool().Draw(r, "by card")
	method := charge.PaymentMethod{Method: map[bool]string{false: "promptpay", true: "card"}[card], CardToken: "tokn"}
	placed, err := w.w.Order.Pay(r.Context(), w.session(b), tenanttest.Key(), "", order.PayInput{BuyInput: in, PaymentMethod: method})
	same(r, refusal, err)
	if err == nil {
		o := w.model.book(placed.ID, b, p, n, off, w.now())
		w.model.asked(&chargeState{id: o.id, who: b, amount: o.total, pays: o, card: card, state: "awaiting", expires: w.now().Add(charge.Lifetime)})
	}
}

// GiveUp an order that waits for its money.
func (w *walk) GiveUp(r *rapid.T) {
	o := one(r, "order", w.model.orders)
	another := rapid.IntRange(0, 4).Draw(r, "another") == 0
	who := token.Session{Audience: token.User, Org: w.w.Org, Subject: o.by}
	if another {
		who = w.session(w.model.buyers[(slices.Index(w.model.buyers, o.who)+1)%len(w.model.buyers)])
	}
	_, err := w.w.Order.Cancel(r.Context(), who, o.id)
	if another {
		require.ErrorIs(r, err, order.ErrNotFound)
		return
	}
	require.NoError(r, err)
	if c := w.chargeOf(o); c != nil {
		w.model.giveUp(c, "expired", w.now())
	}
}

func (w *walk) chargeOf(o *orderState) *chargeState {
	for _, c := range w.model.charges {
		if c.pays == o {
			return c
		}
	}
	return nil
}

// TopUp asks for money to be taken in.
func (w *walk) TopUp(r *rapid.T) {
	b := one(r, "buyer", w.model.buyers)
	amount := rapid.Int64Range(100_00, 2_000_00).Draw(r, "amount")
	begun, err := w.w.Wallet.StartTopUp(r.Context(), w.session(b), tenanttest.Key(), "",
		wallet.TopUpInput{Amount: money.Amount(amount), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	same(r, b.refused(), err)
	if err == nil {
		w.model.asked(&chargeState{id: begun.ID, who: b, amount: amount, state: "awaiting", expires: w.now().Add(charge.Lifetime)})
	}
}

// Paid is where the gateway says so, in time or whenever later.
func (w *walk) Paid(r *rapid.T) {
	w.paid(r, one(r, "charge", w.open()))
}

func (w *walk) paid(r *rapid.T, c *chargeState) {
	w.w.PayAtGateway(c.id)
	w.model.capture(c, func() []uuid.UUID { return w.issued(r, c.pays) }, w.now())
	w.shares(r, c.pays)
}

// open charges are those that nobody has paid yet, whatever we think of them.
func (w *walk) open() (open []*chargeState) {
	for _, c := range w.model.charges {
		if c.state != "captured" {
			open = append(open, c)
		}
	}
	return open
}

// PaidTwice is where the gateway took the money a second time: that is the customer's.
func (w *walk) PaidTwice(r *rapid.T) {
	c := one(r, "charge", w.model.charges)
	if c.state != "captured" {
		r.SkipNow()
	}
	w.paidTwice(r, c)
}

// PaidToNobody is where money comes, by a charge that nobody had paid or once more, whose customer has erased himself.
func (w *walk) PaidToNobody(r *rapid.T) {
	c := one(r, "charge", slices.DeleteFunc(slices.Clone(w.model.charges), func(c *chargeState) bool { return !c.who.gone }))
	if c.state == "captured" {
		w.paidTwice(r, c)
	} else {
		w.paid(r, c)
	}
}

func (w *walk) paidTwice(r *rapid.T, c *chargeState) {
	second := w.w.Pay.DuplicateCharge(c.id, func(p *payment.Charge) {
		p.State, p.Fee, p.Refunded, p.Refunds, p.Dispute, p.Disputed = payment.Paid, 0, 0, nil, payment.Undisputed, 0
	})
	for range 2 { // and it says so twice
		require.NoError(r, w.w.Charge.HandleGatewayEvent(r.Context(), w.w.Org, charge.GatewayEventJob{System: w.system, GatewayID: second}))
	}
	made := rows[uuid.UUID](w.w, `SELECT id FROM charge WHERE gateway_id = $1`, second)[0]
	w.model.paidTwice(c, made, w.now())
}

// gatewaySays is where the gateway says something new of a charge that was captured, twice over, or of one that was not.
func (w *walk) gatewaySays(r *rapid.T, c *chargeState, change func(*payment.Charge)) {
	name := w.w.Pay.SetCharge(c.id, change)
	for range 2 {
		require.NoError(r, w.w.Charge.HandleGatewayEvent(r.Context(), w.w.Org, charge.GatewayEventJob{System: w.system, GatewayID: name}))
	}
	for _, o := range c.outs {
		if o.lost {
			w.model.done(c, o, w.now())
		}
	}
}

// Remit is where the gateway is asked for what was refunded to a card: it does it, refuses, or does not answer, and says then or later that it did.
func (w *walk) Remit(r *rapid.T) {
	var all []*chargeState
	for _, c := range w.model.payments() {
		if c.card && len(c.outs) > 0 {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		r.SkipNow()
	}
	c := one(r, "charge", all)
	o := one(r, "out", c.outs)
	fate := rapid.SampledFrom([]string{"does it", "does it", "refuses", "does not answer"}).Draw(r, "the gateway")
	w.w.Pay.RefusesRefunds, w.w.Pay.LosesAnswers = fate == "refuses", fate == "does not answer"
	err := w.w.Charge.Remit(r.Context(), w.w.Org, charge.RemitJob{Remittance: o.id})
	w.w.Pay.RefusesRefunds, w.w.Pay.LosesAnswers = false, false
	refused := fate == "refuses" || c.amount-c.refunded-c.disputed-c.sent < o.amount || c.atGateway()+o.amount > c.amount || c.dispute == payment.DisputeOpen
	switch {
	case o.state != "open":
		require.NoError(r, err)
	case o.lost: // it is found
		require.NoError(r, err)
		w.model.done(c, o, w.now())
	case refused:
		require.NoError(r, err)
		w.model.notToCard(c, o, w.now())
	case fate == "does not answer":
		require.ErrorIs(r, err, payment.ErrUnavailable)
		o.lost = true
	default:
		require.NoError(r, err)
		w.model.done(c, o, w.now())
	}
}

// Transfer is where somebody of the shop says what became of a refund to a bank account: that it was transferred or came back, of which he asks a second person,
// or that it cannot be transferred.
func (w *walk) Transfer(r *rapid.T) {
	all := w.model.transfers()
	open := slices.DeleteFunc(slices.Clone(all), func(o *out) bool { return o.state != "open" })
	if len(open) > 0 && rapid.IntRange(0, 4).Draw(r, "open") > 0 {
		all = open
	}
	if len(all) == 0 {
		r.SkipNow()
	}
	o, key, by := one(r, "transfer", all), tenanttest.Key(), w.manager()
	outcome := rapid.SampledFrom([]string{"done", "done", "failed", "cannot be"}).Draw(r, "outcome")
	if outcome == "cannot be" {
		var refusal error
		switch {
		case o.state != "failed" && o.inRun():
			refusal = payout.ErrInRun
		case o.state != "open":
			refusal = charge.ErrTransferOver
		case o.sent:
			refusal = charge.ErrTransferSent
		}
		in := refund.TransferFailure{ID: o.id, Reason: "a walk's"}
		same(r, refusal, w.w.Refund.FailTransfer(r.Context(), w.w.Org, by, key, in))
		if refusal == nil {
			w.model.notTransferred(o, w.now())
			w.repeat = func(r *rapid.T) { require.NoError(r, w.w.Refund.FailTransfer(r.Context(), w.w.Org, by, key, in)) }
		}
		return
	}
	refusal := o.refuseTransfer(outcome)
	if refusal == nil && slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.out == o && a.waits(w.now()) }) {
		refusal = approval.ErrWaiting
	}
	in := refund.TransferMade{ID: o.id, Outcome: outcome, Reference: "1", Note: "a walk's"}
	same(r, refusal, w.w.Refund.AskTransfer(r.Context(), w.w.Org, by, key, in))
	if refusal != nil {
		return
	}
	if outcome == "done" {
		o.sent = true
		w.model.transfersListed()
	}
	c, err := w.w.Refund.TransferCase(r.Context(), w.w.Org, o.id)
	require.NoError(r, err)
	w.model.ask(&request{id: *c.Approval, out: o, made: outcome == "done", at: w.now()})
}

// TakeOut is where somebody asks for money of his wallet, or where the shop or he does something about what was asked for.
func (w *walk) TakeOut(r *rapid.T) {
	all := w.model.cashouts
	waiting := slices.DeleteFunc(slices.Clone(all), func(q *taking) bool { return q.state != "asked" })
	if len(all) == 0 || rapid.IntRange(0, 3).Draw(r, "ask") == 0 || len(waiting) == 0 && rapid.IntRange(0, 3).Draw(r, "ask first") > 0 {
		w.askToTake(r)
		return
	}
	if len(waiting) > 0 && rapid.IntRange(0, 9).Draw(r, "waiting") > 0 {
		all = waiting
	}
	q, key, by := one(r, "taking", all), tenanttest.Key(), w.manager()
	in := cashout.ByRequest{ID: q.id}
	var over error
	if q.state != "asked" {
		over = cashout.ErrOver
	}
	switch rapid.SampledFrom([]string{"pay", "pay", "pay", "ask", "refuse", "withdraw"}).Draw(r, "answer") {
	case "pay":
		refusal := w.model.refuseTake(q)
		same(r, refusal, w.w.Cashout.Approve(r.Context(), w.w.Org, by, key, in))
		if refusal == nil {
			w.model.payOut(q)
			w.repeat = func(r *rapid.T) { require.NoError(r, w.w.Cashout.Approve(r.Context(), w.w.Org, by, key, in)) }
		}
	case "ask":
		refusal := w.model.refuseTake(q)
		if refusal == nil && slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.take == q && a.waits(w.now()) }) {
			refusal = approval.ErrWaiting
		}
		made, err := w.w.Cashout.AskToApprove(r.Context(), w.w.Org, by, key, cashout.Note{ID: q.id, Note: "please"})
		same(r, refusal, err)
		if refusal == nil {
			w.model.ask(&request{id: made.Approval, take: q, at: w.now()})
		}
	case "refuse":
		same(r, over, w.w.Cashout.Refuse(r.Context(), w.w.Org, by, cashout.Refusal{ID: q.id, Answer: "no"}))
		if over == nil {
			w.model.refuseToPay(q)
		}
	case "withdraw":
		b := one(r, "who", w.model.buyers)
		if rapid.IntRange(0, 4).Draw(r, "he") > 0 {
			b = q.by
		}
		if b.id != q.row {
			over = fault.Missing
		}
		_, err := w.w.Cashout.Withdraw(r.Context(), w.session(b), in)
		same(r, over, err)
		if over == nil {
			q.state = "withdrawn"
			w.model.cashoutsListed()
		}
	}
}

// askToTake is where somebody asks for some of what he may have, or for more, with a bank account or without.
func (w *walk) askToTake(r *rapid.T) {
	b := one(r, "who", w.model.buyers)
	_, _, most := w.model.fills(b, 0)
	sum := max(1, rapid.Int64Range(1, 1_000).Draw(r, "of a thousand")*most/1_000+int64(rapid.IntRange(0, 9).Draw(r, "more")/9))
	in := cashout.Input{Amount: money.Amount(sum)}
	if rapid.IntRange(0, 3).Draw(r, "account") > 0 {
		in.Account = &bank.Account{Bank: "004", Number: "1234567890", Name: "a walk's"}
	}
	refusal := w.model.refuseTaking(b, sum, in.Account != nil)
	key := tenanttest.Key()
	asked, err := w.w.Cashout.Ask(r.Context(), w.session(b), key, in)
	same(r, refusal, err)
	if refusal != nil {
		return
	}
	w.model.asksToTake(&taking{id: asked.ID, by: b, row: b.id, sum: sum, account: in.Account != nil && w.model.byBank(b, sum), state: "asked"})
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Cashout.Ask(r.Context(), w.session(b), key, in)
		require.NoError(r, err)
		require.Equal(r, asked.ID, again.ID)
	}
}

// to draws where a refund goes that the shop makes of itself.
func to(r *rapid.T) refund.Method {
	return rapid.SampledFrom([]refund.Method{refund.Wallet, refund.Card}).Draw(r, "to")
}

// ownTo draws where a refund goes that its payer makes or wishes for.
func ownTo(r *rapid.T, in *refund.OwnInput) {
	in.Method = rapid.SampledFrom([]refund.Method{refund.Wallet, refund.Card, refund.Bank}).Draw(r, "to")
	if in.Method == refund.Bank {
		in.Account = &bank.Account{Bank: "004", Number: "1234567890", Name: "a walk's"}
	}
}

// captured chooses a charge that brought money.
func (w *walk) captured(r *rapid.T) *chargeState {
	var all []*chargeState
	for _, c := range w.model.charges {
		if c.state == "captured" {
			all = append(all, c)
		}
	}
	return one(r, "charge", all)
}

// Fee is where the gateway says what it took for a charge.
func (w *walk) Fee(r *rapid.T) {
	c := w.captured(r)
	fee := max(c.fee, c.amount*int64(rapid.IntRange(1, 4).Draw(r, "percent"))/100)
	w.gatewaySays(r, c, func(p *payment.Charge) { p.Fee = money.Amount(fee) })
	w.model.add(ledger.PlatformFee, c.fee-fee)
	w.model.add(ledger.GatewayFee, fee-c.fee)
	if fee > c.fee {
		w.model.listed()
	}
	c.fee = fee
}

// SentBack is where the gateway returned some of a payment, or all of it.
func (w *walk) SentBack(r *rapid.T) {
	c := w.captured(r)
	rest := c.amount - c.atGateway() - c.disputed
	if rest == 0 {
		r.SkipNow()
	}
	by := rest
	if rapid.Bool().Draw(r, "in part") {
		by = rapid.Int64Range(1, rest).Draw(r, "sum")
	}
	w.gatewaySays(r, c, func(p *payment.Charge) { p.Refunded += money.Amount(by) })
	c.refunded += by
	w.model.takeBack(c, by, w.now())
	w.model.followed(c, false, w.now())
}

// Dispute is where a payer's bank wants a payment back, which the shop then wins, loses, or waits for.
func (w *walk) Dispute(r *rapid.T) {
	c := w.captured(r)
	next := map[payment.Dispute][]payment.Dispute{payment.Undisputed: {payment.DisputeOpen, payment.DisputeLost}, payment.DisputeOpen: {payment.DisputeWon, payment.DisputeLost}}[c.dispute]
	if len(next) == 0 {
		r.SkipNow()
	}
	first := c.dispute == payment.Undisputed
	c.dispute = one(r, "dispute", next)
	w.gatewaySays(r, c, func(p *payment.Charge) { p.Dispute, p.Disputed = c.dispute, p.Amount })
	won := c.dispute == payment.DisputeWon && c.disputed > 0
	switch {
	case first:
		c.disputed = c.amount - c.refunded - c.sent
		if c.disputed > 0 {
			before := c.owed
			w.model.takeBack(c, c.disputed, w.now())
			c.bank = c.owed - before
		}
	case won:
		w.model.giveBack(c, w.now())
	}
	w.model.followed(c, won, w.now())
}

// WrongSum is where the gateway says that another sum was paid: nothing is credited, and the shop is notified once.
func (w *walk) WrongSum(r *rapid.T) {
	c := one(r, "charge", w.open())
	w.w.Pay.SetCharge(c.id, func(p *payment.Charge) { p.State, p.Amount = payment.Paid, p.Amount-1 })
	w.w.Check(c.id)
	w.w.Pay.SetCharge(c.id, func(p *payment.Charge) { p.State, p.Amount = payment.Pending, p.Amount+1 })
	if !c.wrong {
		c.wrong = true
		w.model.listed()
	}
}

// Refused is where the gateway ends a charge without money.
func (w *walk) Refused(r *rapid.T) {
	c := one(r, "charge", w.open())
	state := rapid.SampledFrom([]payment.State{payment.Failed, payment.Expired}).Draw(r, "state")
	w.w.Pay.SetCharge(c.id, func(p *payment.Charge) { p.State = state })
	w.w.Check(c.id)
	if state == payment.Failed {
		w.model.giveUp(c, "failed", w.now())
	} else {
		w.model.giveUp(c, "expired", w.now())
	}
	w.w.Pay.SetCharge(c.id, func(p *payment.Charge) { p.State = payment.Pending }) // and still lets it be paid
}

// Ask is where the timetable looks at a charge for which no webhook came.
func (w *walk) Ask(r *rapid.T) {
	c := one(r, "charge", w.model.charges)
	w.w.Check(c.id)
	if !w.now().Before(c.expires) {
		w.model.giveUp(c, "expired", w.now())
	}
}

// AskUse of some items, at a service point.
func (w *walk) AskUse(r *rapid.T) {
	v, b := one(r, "voucher", w.model.vouchers), one(r, "who", w.model.buyers)
	if rapid.IntRange(0, 4).Draw(r, "owner") > 0 {
		b = v.owner
	}
	servicePoint, items := one(r, "service point", w.servicePoints), rapid.Int64Range(1, v.total).Draw(r, "items")
	asked, err := w.w.Voucher.StartUse(r.Context(), w.session(b), tenanttest.Key(), voucher.UseInput{Voucher: v.id, ServicePoint: servicePoint, Items: items})
	same(r, refuseUse(v, b, items, servicePoint, w.now()), err)
	if err != nil {
		return
	}
	w.model.release(v)
	v.use = &use{id: asked.ID, by: b.id, of: v, items: items, servicePoint: servicePoint, state: "open", expires: asked.ExpiresAt, secret: asked.Secret}
	v.state = voucher.InUse
	w.model.uses = append(w.model.uses, v.use)
}

// PutBack a voucher that is shown to staff.
func (w *walk) PutBack(r *rapid.T) {
	u := one(r, "use", w.model.uses)
	holder := token.Session{Audience: token.User, Org: w.w.Org, Subject: u.by}
	_, err := w.w.Voucher.CancelUse(r.Context(), holder, u.id)
	require.NoError(r, err)
	if u.state == "open" {
		u.close("cancelled")
	}
}

// Give a voucher, or some of its items, and what goes along with it.
func (w *walk) Give(r *rapid.T) {
	v, b, key := one(r, "voucher", w.model.vouchers), one(r, "who", w.model.buyers), tenanttest.Key()
	if rapid.IntRange(0, 6).Draw(r, "owner") > 0 {
		b = v.owner
	}
	in := gift.Input{Voucher: v.id, Items: max(1, v.left), Card: "thanks", Words: "ขอบคุณ"}
	if rapid.Bool().Draw(r, "some") {
		in.Items = rapid.Int64Range(1, v.left+1).Draw(r, "items")
	}
	w.give(r, v, b, key, in, w.model.refuseGive(v, b, in.Items, w.now()), w.model.lot(v))
}

// GiveEach gives vouchers that are alike, or some items of one, to each of some people by one link.
func (w *walk) GiveEach(r *rapid.T) {
	v, b := one(r, "voucher", w.model.vouchers), one(r, "who", w.model.buyers)
	if rapid.IntRange(0, 6).Draw(r, "owner") > 0 {
		b = v.owner
	}
	in := gift.Input{Voucher: v.id, Items: max(1, v.left), People: rapid.IntRange(2, 4).Draw(r, "people"), Card: "songkran"}
	if v.left > 1 && rapid.Bool().Draw(r, "some") {
		in.Items = rapid.Int64Range(1, 1+v.left/2).Draw(r, "items")
	}
	alike := w.model.alike(v, w.now())
	w.give(r, v, b, tenanttest.Key(), in, w.model.refuseGiveEach(v, b, in.People, in.Items, w.now()), alike[:min(len(alike), in.People)])
}

// give gives a lot, or some items of its voucher, unless something stands against that.
func (w *walk) give(r *rapid.T, v *ticket, b *buyer, key string, in gift.Input, want error, lot []*ticket) {
	if rapid.IntRange(0, 3).Draw(r, "later") == 0 {
		begins := w.now().Add(time.Duration(rapid.IntRange(-1, 100*24).Draw(r, "hours")) * time.Hour)
		in.Begins = &begins
		if day := clock.Day(begins); want == nil && (!begins.After(w.now()) || day.After(clock.Day(w.now()).AddDate(0, 0, 90)) || slices.ContainsFunc(lot, func(v *ticket) bool { return day.After(v.until) })) {
			want = gift.ErrWhen
		}
	}
	made, err := w.w.Gift.Give(r.Context(), w.session(b), key, in)
	same(r, want, err)
	if err != nil {
		return
	}
	for _, v := range lot {
		w.model.release(v)
	}
	if in.Items < v.left {
		lot = nil
		for _, id := range rows[uuid.UUID](w.w, `SELECT id FROM voucher WHERE gift_id = $1 AND id <> $2 ORDER BY id`, made.ID, v.id) {
			lot = append(lot, w.model.split(v, id, in.Items))
		}
		if len(lot) < in.People {
			lot = append(lot, v)
		}
	}
	slices.SortFunc(lot, func(a, b *ticket) int { return bytes.Compare(a.id[:], b.id[:]) })
	g := &present{people: max(1, in.People), takers: map[uuid.UUID]bool{}, id: made.ID, giver: b.id, from: b, of: lot, state: made.State, ref: made.Ref, begins: made.BeginsAt, expires: made.ExpiresAt}
	require.Equal(r, in.Begins != nil, g.state == "scheduled")
	for _, v := range lot {
		v.state, v.gift = voucher.InTransfer, g
	}
	w.model.gifts = append(w.model.gifts, g)
	w.model.notify(b, notice.Event{Topic: "gift", ID: &g.id, State: g.state})
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Gift.Give(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: g.giver}, key, in)
		require.NoError(r, err)
		require.Equal(r, g.id, again.ID)
	}
}

// Claim a gift, rather an open one.
func (w *walk) Claim(r *rapid.T) {
	g, b := w.gift(r), one(r, "buyer", w.model.buyers)
	_, err := w.w.Gift.Receive(r.Context(), w.session(b), gift.Link{Ref: g.ref})
	if g.receiver == b.id && b.refused() == nil {
		require.NoError(r, err)
		return
	}
	same(r, refuseClaim(g, b, w.now()), err)
	if err != nil {
		return
	}
	event := notice.Event{Topic: "gift", ID: &g.id, State: "claimed"}
	w.model.notify(b, event)
	w.model.notify(g.from, event)
	got := g.of
	if g.people == 1 {
		g.state, g.receiver = "claimed", b.id
		w.model.write(g.giver, message.GiftClaimed, 1, 0)
	} else {
		switch len(g.of) {
		case g.people:
			w.model.write(g.giver, message.GiftFirstTaken, 1, 0)
		case 1:
			g.state = "claimed"
			w.model.write(g.giver, message.GiftAllTaken, 1, 0)
		}
		got, g.of, g.takers[b.id] = g.of[:1], g.of[1:], true
	}
	for _, v := range got {
		v.state, v.gift, v.owner, v.holder, v.handed = voucher.Ready, nil, b, b.id, true
		if v.counted() {
			v.transfers--
		}
	}
}

// BeginGift is where its giver opens the link of a gift that would open later.
func (w *walk) BeginGift(r *rapid.T) {
	g := w.gift(r)
	got, err := w.w.Gift.Begin(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: g.giver}, g.id)
	switch {
	case g.underWay() && w.now().Before(g.begins):
		require.NoError(r, err)
		g.state, g.begins, g.expires = "open", w.now(), got.ExpiresAt
		w.model.notify(g.from, notice.Event{Topic: "gift", ID: &g.id, State: "open"})
	case g.isOpen(w.now()):
		require.NoError(r, err)
	default:
		require.ErrorIs(r, err, gift.ErrOver)
	}
}

// EndGift is where its giver withdraws a gift, or somebody declines it.
func (w *walk) EndGift(r *rapid.T) {
	g := w.gift(r)
	if rapid.Bool().Draw(r, "by the giver") {
		got, err := w.w.Gift.Withdraw(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: g.giver}, g.id)
		require.NoError(r, err)
		if g.underWay() {
			w.model.end(g, voucher.Withdrawn)
		}
		require.Equal(r, g.state, got.State)
		return
	}
	b := one(r, "buyer", w.model.buyers)
	err := w.w.Gift.Decline(r.Context(), w.session(b), gift.Link{Ref: g.ref})
	if g.receiver == b.id && b.refused() == nil {
		require.NoError(r, err)
		return
	}
	same(r, refuseClaim(g, b, w.now()), err)
	if err == nil && g.people == 1 {
		w.model.end(g, voucher.Declined)
	}
}

// Offer a voucher, rather a ready one, or some of its items, and what goes along with it, at a price.
func (w *walk) Offer(r *rapid.T) {
	v, b, key := one(r, "voucher", w.model.vouchers), one(r, "who", w.model.buyers), tenanttest.Key()
	ready := slices.DeleteFunc(slices.Clone(w.model.vouchers), func(v *ticket) bool { return v.state != voucher.Ready || v.transfers == 0 && v.counted() })
	if len(ready) > 0 && rapid.IntRange(0, 4).Draw(r, "ready") > 0 {
		v = one(r, "ready voucher", ready)
	}
	if rapid.IntRange(0, 6).Draw(r, "owner") > 0 {
		b = v.owner
	}
	in := board.Input{Part: board.Part{Voucher: v.id, Items: max(1, v.left)}, Price: money.Amount(rapid.Int64Range(99, 30_00).Draw(r, "price"))}
	if rapid.IntRange(0, 3).Draw(r, "much") == 0 {
		in.Price = money.Amount(rapid.Int64Range(30_00, 400_00).Draw(r, "high price"))
	}
	if rapid.Bool().Draw(r, "some") {
		in.Items = rapid.Int64Range(1, v.left+1).Draw(r, "items")
	}
	if !b.gone {
		w.w.VerifyMobile(w.session(b))
	}
	made, err := w.w.Board.Offer(r.Context(), w.session(b), key, in)

	same(r, w.model.refuseOffer(v, b, in.Items, int64(in.Price), w.now()), err)
	if err != nil {
		return
	}
	lot := w.model.lot(v)
	for _, v := range lot {
		w.model.release(v)
	}
	if in.Items < v.left {
		lot = []*ticket{w.model.split(v, rows[uuid.UUID](w.w, `SELECT id FROM voucher WHERE offer_id = $1`, made.ID)[0], in.Items)}
	}
	price := int64(in.Price)
	f := &resale{id: made.ID, seller: b.id, from: b, of: lot, state: "open", price: price, royalty: roundHalfUp(price, royaltyBasisPoints), fee: roundHalfUp(price, feeBasisPoints), expires: made.ExpiresAt}
	for _, v := range lot {
		v.state, v.offer = voucher.OnSale, f
	}
	w.model.offers = append(w.model.offers, f)
	w.model.notify(b, notice.Event{Topic: "offer", ID: &f.id, State: "open"})
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Board.Offer(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: f.seller}, key, in)
		require.NoError(r, err)
		require.Equal(r, f.id, again.ID)
	}
}

// royaltyBasisPoints is what the organisation takes of a resale.
const royaltyBasisPoints = 200

// BuyOffered is where somebody buys what another offers, rather an open offer.
func (w *walk) BuyOffered(r *rapid.T) {
	f, b, key := w.offer(r), one(r, "buyer", w.model.buyers), tenanttest.Key()
	in := board.BuyInput{Offer: f.id, Accepted: []uuid.UUID{}, Lang: "th"}
	bought, err := w.w.Board.Buy(r.Context(), w.session(b), key, in)

	same(r, w.model.refuseBuy(f, b, w.now()), err)
	if err != nil {
		return
	}
	b.balance -= f.price
	w.model.sell(f, b, bought.ID, nil, w.now())
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Board.Buy(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: f.buyer}, key, in)
		require.NoError(r, err)
		require.Equal(r, bought, again)
	}
}

// mayBuy are the buyers whom nothing keeps from paying an offer.
func (w *walk) mayBuy(f *resale) []*buyer {
	return slices.DeleteFunc(slices.Clone(w.model.buyers), func(b *buyer) bool { return w.model.refusePay(f, b, w.now()) != nil })
}

// PayOffered is where somebody begins to pay what another offers past his wallet: it is reserved for him.
func (w *walk) PayOffered(r *rapid.T) {
	f, b, key := w.offer(r), one(r, "buyer", w.model.buyers), tenanttest.Key()
	if may := w.mayBuy(f); len(may) > 0 && rapid.IntRange(0, 4).Draw(r, "may") > 0 {
		b = one(r, "who may", may)
	}
	in := board.PayInput{BuyInput: board.BuyInput{Offer: f.id, Accepted: []uuid.UUID{}, Lang: "th"}, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
	begun, err := w.w.Board.Pay(r.Context(), w.session(b), key, "", in)
	same(r, w.model.refusePay(f, b, w.now()), err)
	if err != nil {
		return
	}
	c := &chargeState{id: begun.ID, who: b, amount: f.price, offer: f, state: "awaiting", made: w.now(), expires: w.now().Add(charge.Lifetime)}
	w.model.asked(c)
	f.state, f.paying = "reserved", c
	for _, person := range []*buyer{f.from, b} {
		w.model.notify(person, notice.Event{Topic: "offer", ID: &f.id, State: "reserved"})
	}
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Board.Pay(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: c.by}, key, "", in)
		require.NoError(r, err)
		require.Equal(r, begun.ID, again.ID)
	}
	if rapid.IntRange(0, 2).Draw(r, "waits") > 0 { // most pay within their ten minutes, which few later steps meet
		w.paid(r, c)
	}
}

// PaidOffered is where the gateway says that an offer's charge is paid, in time or later.
func (w *walk) PaidOffered(r *rapid.T) { w.paid(r, one(r, "charge", w.ofOffers(w.open()))) }

// GiveUpOffered is where somebody gives up the payment of an offer.
func (w *walk) GiveUpOffered(r *rapid.T) {
	c := one(r, "charge", w.ofOffers(w.model.charges))
	if rapid.IntRange(0, 4).Draw(r, "another") == 0 {
		other := w.model.buyers[(slices.Index(w.model.buyers, c.who)+1)%len(w.model.buyers)]
		_, err := w.w.Board.GiveUp(r.Context(), w.session(other), c.id)
		require.ErrorIs(r, err, board.ErrNotFound)
		return
	}
	_, err := w.w.Board.GiveUp(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: c.by}, c.id)
	require.NoError(r, err)
	w.model.giveUp(c, "expired", w.now())
}

// ofOffers are those among charges that pay an offer.
func (w *walk) ofOffers(charges []*chargeState) []*chargeState {
	return slices.DeleteFunc(slices.Clone(charges), func(c *chargeState) bool { return c.offer == nil })
}

// StopOffer is where the organisation ends an offer, whoever is paying it.
func (w *walk) StopOffer(r *rapid.T) {
	f := w.offer(r)
	err := w.w.Board.Stop(r.Context(), w.w.Org, auditlog.Actor{ID: w.staff.Subject}, f.id)
	if f.state != "open" && f.state != "reserved" {
		require.ErrorIs(r, err, board.ErrOver)
		return
	}
	require.NoError(r, err)
	w.model.offSale(f, voucher.Stopped)
	w.model.put(notice.TableUpdate{Table: "boardtransaction"}, 0)
}

// CancelOffer is where its seller ends an offer.
func (w *walk) CancelOffer(r *rapid.T) {
	f := w.offer(r)
	got, err := w.w.Board.Cancel(r.Context(), token.Session{Audience: token.User, Org: w.w.Org, Subject: f.seller}, f.id)
	if f.paying != nil {
		require.ErrorIs(r, err, board.ErrBeingPaid)
		return
	}
	require.NoError(r, err)
	if f.state == "open" {
		as := voucher.Cancelled
		if !w.now().Before(f.expires) {
			as = voucher.Ended
		}
		w.model.offSale(f, as)
	}
	require.Equal(r, f.state, got.State)
}

// offer is rather one that is open.
func (w *walk) offer(r *rapid.T) *resale {
	open := slices.DeleteFunc(slices.Clone(w.model.offers), func(f *resale) bool { return f.state != "open" })
	if len(open) > 0 && rapid.IntRange(0, 4).Draw(r, "open") > 0 {
		return one(r, "offer", open)
	}
	return one(r, "offer", w.model.offers)
}

// gift is rather one that is open.
func (w *walk) gift(r *rapid.T) *present {
	open := slices.DeleteFunc(slices.Clone(w.model.gifts), func(g *present) bool { return !g.underWay() })
	if len(open) > 0 && rapid.IntRange(0, 4).Draw(r, "open") > 0 {
		return one(r, "gift", open)
	}
	return one(r, "gift", w.model.gifts)
}

// Settle is the job that has somebody pay what he owes from what came into his wallet because of another's payment.
func (w *walk) Settle(r *rapid.T) {
	id := one(r, "customer", w.model.unsettled)
	w.w.In(func(ctx context.Context, tx db.Tx) error { return refund.Settle(ctx, tx, id, true) })
	w.model.unsettled = slices.DeleteFunc(w.model.unsettled, func(other uuid.UUID) bool { return other == id })
	for _, b := range w.model.buyers {
		if b.id == id || slices.Contains(b.former, id) {
			w.model.collect(b, true, w.now())
		}
	}
}

// someOfAnOrder is what the shop may refund: of one voucher or of two, rather what there is.
func (w *walk) someOfAnOrder(r *rapid.T) ([]some, refund.Input) {
	first := one(r, "voucher", w.model.vouchers)
	list := []some{{first, rapid.Int64Range(1, max(1, first.left)).Draw(r, "items")}}
	if rapid.IntRange(0, 9).Draw(r, "too many") == 0 {
		list[0].items = first.left + 1
	}
	for _, v := range w.model.vouchers {
		if v.order == first.order && v != first && len(list) == 1 && v.left > 0 && rapid.Bool().Draw(r, "and another") {
			list = append(list, some{v, v.left})
		}
	}
	in := refund.Input{Choice: refund.Choice{Order: first.order.id}, Reason: "asked", Note: "a note"}
	for _, part := range list {
		in.Parts = append(in.Parts, refund.Part{Voucher: part.of.id, Items: part.items})
	}
	return list, in
}

// Refund is where the shop refunds some of an order.
func (w *walk) Refund(r *rapid.T) {
	list, in := w.someOfAnOrder(r)
	in.Method = to(r)
	key, who := tenanttest.Key(), w.manager()
	refusal := refuseRefund(list, w.now())
	if refusal == nil {
		sum := int64(0)
		for _, part := range list {
			sum += part.of.price(part.of.total-part.of.out-part.items, part.of.total-part.of.out)
		}
		refusal = w.model.refuseTo(in.Method, list, sum)
	}
	made, err := w.w.Refund.Make(r.Context(), w.w.Org, who, key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.refund(list, false, in.Method, w.now())
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Refund.Make(r.Context(), w.w.Org, who, key, in)
		require.NoError(r, err)
		require.Equal(r, made, again)
	}
}

// AskRefund is where somebody of the shop asks a second person for a refund.
func (w *walk) AskRefund(r *rapid.T) {
	list, in := w.someOfAnOrder(r)
	key, of := tenanttest.Key(), list[0].of.order
	refusal := refuseRefund(list, w.now())
	if refusal == nil && slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.wish == nil && a.of == of && a.waits(w.now()) }) {
		refusal = approval.ErrWaiting
	}
	made, err := w.w.Refund.Ask(r.Context(), w.w.Org, w.manager(), key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.ask(&request{id: made.Approval, of: of, list: list, at: w.now()})
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Refund.Ask(r.Context(), w.w.Org, w.manager(), key, in)
		require.NoError(r, err)
		require.Equal(r, made, again)
	}
}

// SecondPerson looks at what was asked for, and approves it, refuses it or has it withdrawn; who asked cannot approve.
func (w *walk) SecondPerson(r *rapid.T) {
	all := w.model.requests
	waiting := slices.DeleteFunc(slices.Clone(all), func(a *request) bool { return !a.waits(w.now()) })
	if len(waiting) > 0 && rapid.IntRange(0, 9).Draw(r, "waiting") > 0 {
		all = waiting
	}
	a := one(r, "request", all)
	second := w.w.SignInAnew(w.second)
	actor := auditlog.Actor{Kind: token.Owner, ID: second.Subject}
	detail, err := w.w.Approval.Detail(r.Context(), second, actor, approval.ByRequest{ID: a.id})
	require.NoError(r, err)
	var refusal error
	if !a.waits(w.now()) {
		refusal = approval.ErrAnswered
	}
	require.Equal(r, refusal == nil, detail.May == approval.MayAnswer)
	switch rapid.SampledFrom([]string{"approve", "approve", "approve", "own", "refuse", "withdraw"}).Draw(r, "answer") {
	case "approve":
		if refusal == nil {
			refusal = w.model.refuseRequest(a, w.now())
			f := fault.From(refusal)
			require.Equal(r, refusal != nil, detail.Fault != "" && detail.Fault == f.Code)
		}
		key := tenanttest.Key()
		same(r, refusal, w.w.Approval.Approve(r.Context(), second, actor, key, approval.Answer{ID: a.id}))
		if refusal == nil {
			w.model.approve(a, w.now())
			w.repeat = func(r *rapid.T) {
				require.NoError(r, w.w.Approval.Approve(r.Context(), second, actor, key, approval.Answer{ID: a.id}))
			}
		}
	case "own":
		if refusal == nil {
			refusal = approval.ErrOwn
		}
		same(r, refusal, w.w.Approval.Approve(r.Context(), w.w.SignInAnew(w.owner), w.manager(), tenanttest.Key(), approval.Answer{ID: a.id}))
	case "refuse":
		same(r, refusal, w.w.Approval.Refuse(r.Context(), second, actor, approval.Refusal{ID: a.id, Reason: "no"}))
		if refusal == nil {
			w.model.answered(a)
		}
	case "withdraw":
		same(r, refusal, w.w.Approval.Withdraw(r.Context(), w.w.SignInAnew(w.owner), w.manager(), approval.ByRequest{ID: a.id}))
		if refusal == nil {
			w.model.answered(a)
		}
	}
}

// WriteOff is where somebody of the shop asks a second person to write off what a payment owes.
func (w *walk) WriteOff(r *rapid.T) {
	owing := slices.DeleteFunc(slices.Clone(w.model.charges), func(c *chargeState) bool { return w.model.debt(c) == 0 })
	c, key := one(r, "charge", owing), tenanttest.Key()
	sum := w.model.debt(c)
	var refusal error
	if rapid.IntRange(0, 9).Draw(r, "stale") == 0 {
		sum, refusal = sum+1, refund.ErrDebtChanged
	} else if slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.debt == c && a.waits(w.now()) }) {
		refusal = approval.ErrWaiting
	}
	in := refund.WriteOffInput{Charge: c.id, Amount: money.Amount(sum), Reason: "a walk's"}
	made, err := w.w.Refund.AskWriteOff(r.Context(), w.w.Org, w.manager(), key, in)
	same(r, refusal, err)
	if err == nil {
		w.model.ask(&request{id: made.Approval, debt: c, sum: sum, at: w.now()})
	}
}

// Goodwill is where somebody of the shop asks a second person to give money back for a use.
func (w *walk) Goodwill(r *rapid.T) {
	u := one(r, "use", w.model.spent)
	sum := rapid.Int64Range(1, max(1, u.of.price(u.since, u.since+u.items))).Draw(r, "sum")
	refusal := u.refuseGoodwill(sum, w.now())
	if refusal == nil && slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.use == u && a.waits(w.now()) }) {
		refusal = approval.ErrWaiting
	}
	made, err := w.w.Refund.AskGoodwill(r.Context(), w.w.Org, w.manager(), tenanttest.Key(), refund.GoodwillInput{Use: u.id, Amount: money.Amount(sum), Reason: "a walk's"})
	same(r, refusal, err)
	if err == nil {
		w.model.ask(&request{id: made.Approval, use: u, sum: sum, at: w.now()})
	}
}

// DecideCase is where the shop bears what was sent back before its seven days are over.
func (w *walk) DecideCase(r *rapid.T) {
	open := slices.DeleteFunc(slices.Clone(w.model.charges), func(c *chargeState) bool { return c.owed == c.bank })
	c, key := one(r, "charge", open), tenanttest.Key()
	sum := c.owed - c.bank
	refusal := w.model.refuseUnearned(sum, w.now())
	switch {
	case rapid.IntRange(0, 9).Draw(r, "stale") == 0:
		sum, refusal = sum+1, refund.ErrDebtChanged
	case c.dispute == payment.DisputeOpen:
		refusal = refund.ErrDisputed
	}
	in := refund.BearInput{ID: rows[uuid.UUID](w.w, `SELECT id FROM charge_case WHERE charge_id = $1 AND kind = 'refund' AND closed_at IS NULL`, c.id)[0], Amount: money.Amount(sum)}
	err := w.w.Refund.Bear(r.Context(), w.w.Org, w.manager(), key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.payFor(c, sum, w.now())
	w.repeat = func(r *rapid.T) { require.NoError(r, w.w.Refund.Bear(r.Context(), w.w.Org, w.manager(), key, in)) }
}

// LapseAsked ends what nobody has answered in time.
func (w *walk) LapseAsked(*rapid.T) {
	w.w.In(approval.Lapse)
	w.model.lapseAsked(w.now())
}

// ownChoice is some of an order and who, rather who paid, changes his mind about it: rather of what is ready and goes by a rule, and for the right sum.
func (w *walk) ownChoice(r *rapid.T, rule string) (list []some, b *buyer, sum int64, in refund.OwnInput) {
	var first *ticket
	first, b = one(r, "voucher", w.model.vouchers), one(r, "who", w.model.buyers)
	ready := slices.DeleteFunc(slices.Clone(w.model.vouchers), func(v *ticket) bool {
		return v.state != voucher.Ready || v.handed || v.order.of.refunds.Rule != rule || clock.Day(w.now()).After(clock.Day(v.order.paid).AddDate(0, 0, int(v.order.of.refunds.Days)))
	})
	if len(ready) > 0 && rapid.IntRange(0, 4).Draw(r, "ready") > 0 {
		first = one(r, "ready voucher", ready)
	}
	if rapid.IntRange(0, 6).Draw(r, "payer") > 0 {
		b = first.order.who
	}
	list = []some{{first, rapid.Int64Range(1, max(1, first.left)).Draw(r, "items")}}
	if rapid.IntRange(0, 9).Draw(r, "too many") == 0 {
		list[0].items = first.left + 1
	}
	for _, v := range w.model.vouchers {
		if v.order == first.order && v != first && len(list) == 1 && v.left > 0 && rapid.Bool().Draw(r, "and another") {
			list = append(list, some{v, v.left})
		}
	}
	in = refund.OwnInput{Choice: refund.Choice{Order: first.order.id}}
	for _, part := range list {
		in.Parts = append(in.Parts, refund.Part{Voucher: part.of.id, Items: part.items})
		if part.items <= part.of.left {
			sum += part.of.price(part.of.total-part.of.out-part.items, part.of.total-part.of.out) - part.fee()
		}
	}
	if rapid.IntRange(0, 9).Draw(r, "another sum") == 0 {
		sum++
	}
	in.Amount = money.Amount(sum)
	return list, b, sum, in
}

// RefundOwn is where somebody, rather who paid, has some of an order refunded because he changed his mind: rather of what is ready, and for the right sum.
func (w *walk) RefundOwn(r *rapid.T) {
	list, b, sum, in := w.ownChoice(r, "self")
	ownTo(r, &in)
	key := tenanttest.Key()
	refusal := refuseOwnRefund(list, b, "self", sum, w.now())
	if refusal == nil {
		refusal = w.model.refuseTo(in.Method, list, sum)
	}
	made, err := w.w.Refund.RefundOwn(r.Context(), w.session(b), key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.refund(list, true, in.Method, w.now())
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Refund.RefundOwn(r.Context(), w.session(b), key, in)
		require.NoError(r, err)
		require.Equal(r, made, again)
	}
}

// Wish is where somebody asks the shop for a refund, rather who paid and may.
func (w *walk) Wish(r *rapid.T) {
	list, b, sum, in := w.ownChoice(r, "asking")
	ownTo(r, &in)
	key := tenanttest.Key()
	asked, err := w.w.Refund.MakeRequest(r.Context(), w.session(b), key, in)
	refusal := refuseOwnRefund(list, b, "asking", sum, w.now())
	if refusal == nil && w.model.wishOf(list[0].of.order) != nil {
		refusal = refund.ErrRequested
	}
	if refusal == nil {
		refusal = w.model.refuseTo(in.Method, list, sum)
	}
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.wished(asked.ID, b, list, in.Method)
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Refund.MakeRequest(r.Context(), w.session(b), key, in)
		require.NoError(r, err)
		require.Equal(r, asked.ID, again.ID)
	}
}

// AnswerWish is where the shop or its payer does something about what was asked for, rather while that waits; while nothing does, somebody rather asks.
func (w *walk) AnswerWish(r *rapid.T) {
	all := w.model.wishes
	waiting := slices.DeleteFunc(slices.Clone(all), func(q *wish) bool { return q.state != "asked" && (q.state != "changed" || q.renewed) })
	if len(all) == 0 || len(waiting) == 0 && rapid.IntRange(0, 3).Draw(r, "ask first") > 0 {
		w.Wish(r)
		return
	}
	if len(waiting) > 0 && rapid.IntRange(0, 9).Draw(r, "waiting") > 0 {
		all = waiting
	}
	q, key, by := one(r, "wish", all), tenanttest.Key(), w.manager()
	var over error
	if q.state != "asked" {
		over = refund.ErrRequestOver
	}
	in := refund.ByRequest{ID: q.id}
	answers := []string{"grant", "grant", "ask", "again", "refuse", "withdraw"}
	if q.state == "changed" {
		answers = []string{"renew", "renew", "grant", "again", "refuse", "withdraw"}
	}
	switch rapid.SampledFrom(answers).Draw(r, "answer") {
	case "grant":
		refusal := q.refuseGrant(w.now())
		same(r, refusal, w.w.Refund.GrantRequest(r.Context(), w.w.Org, by, key, in))
		if refusal == nil {
			w.model.grant(q, w.now())
			w.repeat = func(r *rapid.T) { require.NoError(r, w.w.Refund.GrantRequest(r.Context(), w.w.Org, by, key, in)) }
		}
	case "ask":
		refusal := q.refuseGrant(w.now())
		if refusal == nil && slices.ContainsFunc(w.model.requests, func(a *request) bool { return a.wish == q && a.waits(w.now()) }) {
			refusal = approval.ErrWaiting
		}
		made, err := w.w.Refund.AskToGrant(r.Context(), w.w.Org, by, key, refund.RequestNote{ID: q.id, Note: "please"})
		same(r, refusal, err)
		if refusal == nil {
			w.model.ask(&request{id: made.Approval, of: q.of[0].of.order, wish: q, list: q.of, at: w.now()})
		}
	case "again":
		if over == nil && q.whole() {
			over = refund.ErrRequestSame
		}
		same(r, over, w.w.Refund.AskAgain(r.Context(), w.w.Org, by, in))
		if over == nil {
			w.model.answerWish(q, "changed", message.RefundChanged)
		}
	case "refuse":
		same(r, over, w.w.Refund.RefuseRequest(r.Context(), w.w.Org, by, refund.RequestRefusal{ID: q.id, Answer: "no"}))
		if over == nil {
			w.model.answerWish(q, "refused", message.RefundRefused)
		}
	case "withdraw":
		b := one(r, "who", w.model.buyers)
		if rapid.IntRange(0, 4).Draw(r, "payer") > 0 {
			b = q.by
		}
		if b.id != q.payer {
			over = fault.Missing
		}
		_, err := w.w.Refund.WithdrawRequest(r.Context(), w.session(b), in)
		same(r, over, err)
		if over == nil {
			q.state = "withdrawn"
			w.model.wishesListed()
		}
	case "renew":
		w.renew(r, q, key)
	}
}

// renew is where a payer asks again for what is left of a wish that has changed, for the right sum or another.
func (w *walk) renew(r *rapid.T, q *wish, key string) {
	rest := q.rest()
	sum := comes(rest) + int64(rapid.IntRange(0, 9).Draw(r, "another sum")/9)
	refusal := q.by.refused()
	switch {
	case refusal != nil:
	case q.by.id != q.payer:
		refusal = fault.Missing
	case q.state != "changed" || q.renewed:
		refusal = refund.ErrRequestOver
	case wait(rest, w.now()) != nil:
		refusal = wait(rest, w.now())
	case sum != comes(rest):
		refusal = refund.ErrSumsChanged
	case sum == 0:
		refusal = refund.ErrNothing
	case w.model.wishOf(q.of[0].of.order) != nil:
		refusal = refund.ErrRequested
	}
	next, err := w.w.Refund.RenewRequest(r.Context(), w.session(q.by), key, refund.RenewInput{ID: q.id, Amount: money.Amount(sum)})
	same(r, refusal, err)
	if refusal != nil {
		return
	}
	q.renewed = true
	w.model.wished(next.ID, q.by, rest, q.to)
}

// Confirm a use, the right one or the wrong one, for the first time or again.
func (w *walk) Confirm(r *rapid.T) {
	u, servicePoint, key := one(r, "use", w.model.uses), one(r, "service point", w.servicePoints), tenanttest.Key()
	if rapid.IntRange(0, 4).Draw(r, "right service point") > 0 {
		servicePoint = u.servicePoint
	}
	in := voucher.ConfirmInput{Session: u.id, ServicePoint: servicePoint}
	w.scan(r, u, servicePoint)
	used, err := w.w.Voucher.Confirm(r.Context(), w.staff, key, in)
	same(r, refuseConfirm(u, servicePoint, w.now()), err)
	if err != nil {
		return
	}
	earned := w.w.Count(`SELECT amount_satang FROM redemption WHERE id = $1`, used.ID)
	partners := int64(0)
	if servicePoint == w.servicePoints[1] {
		partners = roundHalfUp(earned, partnerBasisPoints)
		w.model.add(ledger.Payable, -partners)
		w.model.add(ledger.CommissionPending, partners)
	}
	w.model.spent = append(w.model.spent, &spent{
		id: used.ID, partners: partners, by: u.by, who: u.of.owner, of: u.of, since: u.of.used(), items: u.items, earned: earned, at: used.At, transfers: u.of.transfers, resale: u.of.resale, handed: u.of.handed,
	})
	w.model.messages = append(w.model.messages, written{u.by, message.UseConfirmed, 1, 0})
	require.True(r, w.model.earn(u.of, u.items, earned), "%d satang for %d of %d", earned, u.items, u.of.total)
	u.close("used")
	w.model.notify(u.of.owner, notice.Event{Topic: "use", ID: &u.id, State: "used"})
	w.repeat = func(r *rapid.T) {
		again, err := w.w.Voucher.Confirm(r.Context(), w.staff, key, in)
		require.NoError(r, err)
		require.Equal(r, used.ID, again.ID)
	}
}

// spent is a use that was confirmed, rather one of the last.
func (w *walk) spent(r *rapid.T) *spent {
	all := w.model.spent
	if len(all) > 3 && rapid.IntRange(0, 4).Draw(r, "late") > 0 {
		all = all[len(all)-3:]
	}
	return one(r, "use", all)
}

// Object to a use, rather one's own.
func (w *walk) Object(r *rapid.T) {
	u, b, key := w.spent(r), one(r, "who", w.model.buyers), tenanttest.Key()
	if rapid.IntRange(0, 6).Draw(r, "owner") > 0 {
		b = u.who
	}
	who, in := w.session(b), objection.Input{Use: u.id}
	_, err := w.w.Objection.Object(r.Context(), who, key, in)
	same(r, refuseObject(u, b, w.now()), err)
	if err != nil {
		return
	}
	u.state, u.made = objection.Open, rows[time.Time](w.w, `SELECT made_at FROM objection WHERE redemption_id = $1`, u.id)[0]
	w.model.add(ledger.Payable, u.partners-u.earned)
	w.model.add(ledger.CommissionPending, -u.partners)
	w.model.add(ledger.UseObjection, u.earned)
	w.model.put(notice.TableUpdate{Table: "objection"}, 0)
	w.repeat = func(r *rapid.T) {
		_, err := w.w.Objection.Object(r.Context(), who, key, in)
		require.NoError(r, err)
	}
}

// Answer an objection for the shop, rather an open one.
func (w *walk) Answer(r *rapid.T) {
	made := slices.DeleteFunc(slices.Clone(w.model.spent), func(u *spent) bool { return u.state == "" })
	open := slices.DeleteFunc(slices.Clone(made), func(u *spent) bool { return u.state != objection.Open })
	if len(open) > 0 && rapid.IntRange(0, 4).Draw(r, "open") > 0 {
		made = open
	}
	u, undo := one(r, "objection", made), rapid.Bool().Draw(r, "undo")
	id := rows[uuid.UUID](w.w, `SELECT id FROM objection WHERE redemption_id = $1`, u.id)[0]
	var refusal error
	if u.state != objection.Open || u.due(w.now()) {
		refusal = objection.ErrDecided
	}
	err := w.w.Objection.Decide(r.Context(), w.w.Org, w.manager(), objection.Decision{ID: id, Undo: undo})
	same(r, refusal, err)
	switch {
	case err != nil:
	case undo:
		w.undone(u)
	default:
		w.model.stands(u)
	}
}

// Freeze a voucher for the shop, whatever state it is in.
func (w *walk) Freeze(r *rapid.T) {
	v := one(r, "voucher", w.model.vouchers)
	refusal := v.refuseFreeze(w.now())
	err := w.w.Voucher.Freeze(r.Context(), w.w.Org, w.manager(), voucher.FreezeInput{ID: v.id, Reason: "a walk's"})
	same(r, refusal, err)
	if err == nil {
		w.model.hold(v, w.now())
	}
}

// Release a voucher for the shop, rather one that it froze.
func (w *walk) Release(r *rapid.T) {
	some := w.model.vouchers
	held := slices.DeleteFunc(slices.Clone(some), func(v *ticket) bool { return v.held.IsZero() })
	if len(held) > 0 && rapid.IntRange(0, 4).Draw(r, "held") > 0 {
		some = held
	}
	v := one(r, "voucher", some)
	refusal := v.refuseRelease()
	err := w.w.Voucher.Release(r.Context(), w.w.Org, w.manager(), v.id)
	same(r, refusal, err)
	if err == nil {
		w.model.letUse(v, w.now())
	}
}

// Void ends a voucher for the shop, whatever state it is in.
func (w *walk) Void(r *rapid.T) {
	v := one(r, "voucher", w.model.vouchers)
	in, key := refund.VoidInput{ID: v.id, Reason: "a walk's"}, tenanttest.Key()
	refusal := v.refuseVoid(w.now())
	err := w.w.Refund.Void(r.Context(), w.w.Org, w.manager(), key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.void(v, w.now())
	w.repeat = func(r *rapid.T) { require.NoError(r, w.w.Refund.Void(r.Context(), w.w.Org, w.manager(), key, in)) }
}

// Reissue gives a voucher another code for the shop, whatever state it is in.
func (w *walk) Reissue(r *rapid.T) {
	v := one(r, "voucher", w.model.vouchers)
	refusal := v.refuseVoid(w.now()) // what is over has no code to give
	before := rows[string](w.w, `SELECT code FROM voucher WHERE id = $1`, v.id)
	err := w.w.Voucher.Reissue(r.Context(), w.w.Org, w.manager(), voucher.ReissueInput{ID: v.id, Reason: "a walk's"})
	same(r, refusal, err)
	if err == nil {
		w.model.reissue(v)
		require.NotEqual(r, before, rows[string](w.w, `SELECT code FROM voucher WHERE id = $1`, v.id))
	}
}

// Extend gives a voucher another last day for the shop, whatever state it is in, often one that is over.
func (w *walk) Extend(r *rapid.T) {
	some := w.model.vouchers
	over := slices.DeleteFunc(slices.Clone(some), func(v *ticket) bool { return v.state != voucher.Expired && !v.due(w.now()) })
	if len(over) > 0 && rapid.IntRange(0, 2).Draw(r, "over") > 0 {
		some = over
	}
	v := one(r, "voucher", some)
	until := clock.Day(w.now()).AddDate(0, 0, rapid.IntRange(-1, 70).Draw(r, "days"))
	if v.due(w.now()) {
		w.model.lapse(w.now())
	}
	in, key := refund.ExtendInput{ID: v.id, Until: until.Format(time.DateOnly), Reason: "a walk's"}, tenanttest.Key()
	refusal := v.refuseExtend(until, w.now())
	err := w.w.Refund.Extend(r.Context(), w.w.Org, w.manager(), key, in)
	same(r, refusal, err)
	if err != nil {
		return
	}
	w.model.extend(v, until, w.now())
	w.repeat = func(r *rapid.T) { require.NoError(r, w.w.Refund.Extend(r.Context(), w.w.Org, w.manager(), key, in)) }
}

// Care does to some vouchers what the shop can do to one, whatever states they are in.
func (w *walk) Care(r *rapid.T) {
	if len(w.model.vouchers) == 0 {
		return
	}
	some := map[*ticket]bool{}
	for range rapid.IntRange(1, 4).Draw(r, "vouchers") {
		some[one(r, "voucher", w.model.vouchers)] = true
	}
	list := slices.SortedFunc(maps.Keys(some), func(a, b *ticket) int { return bytes.Compare(a.id[:], b.id[:]) })
	ids := []any{}
	for _, v := range list {
		ids = append(ids, v.id.String())
	}
	of, until := care.Selection{Filter: map[string]any{"id": ids}}, clock.Day(w.now()).AddDate(0, 0, rapid.IntRange(0, 70).Draw(r, "days"))
	task := rapid.SampledFrom([]care.Task{care.Extend, care.Freeze, care.Release}).Draw(r, "task")
	var run care.Run
	var err error
	if task == care.Extend {
		run, err = w.w.Care.StartExtend(r.Context(), w.w.Org, w.manager(), tenanttest.Key(), care.ExtendInput{Selection: of, Until: until.Format(time.DateOnly), Reason: "a walk's"})
	} else {
		run, err = w.w.Care.StartChange(r.Context(), w.w.Org, w.manager(), tenanttest.Key(), care.ChangeInput{Selection: of, Task: task, Reason: "a walk's"})
	}
	require.NoError(r, err)
	w.model.put(care.RunJob{Run: run.ID}, 0)
	require.NoError(r, w.w.Care.Do(r.Context(), w.w.Org, care.RunJob{Run: run.ID}))
	did := 0
	for _, v := range list {
		if task == care.Extend && v.due(w.now()) {
			w.model.lapse(w.now())
		}
		switch {
		case task == care.Extend && v.refuseExtend(until, w.now()) == nil:
			w.model.extend(v, until, w.now())
		case task == care.Freeze && v.refuseFreeze(w.now()) == nil:
			w.model.hold(v, w.now())
		case task == care.Release && v.refuseRelease() == nil:
			w.model.letUse(v, w.now())
		default:
			continue
		}
		did++
	}
	w.model.put(notice.TableUpdate{Table: "voucher"}, 0)
	run, err = w.w.Care.Run(r.Context(), w.w.Org, w.owner.Subject, run.ID)
	require.NoError(r, err)
	require.Equal(r, []int{len(list), did, len(list) - did}, []int{run.Total, run.Done, run.Refused})
}

// GiveDaysBack is where one of the shop's places was closed for some days, and what could be used nowhere then gets them back.
func (w *walk) GiveDaysBack(r *rapid.T) {
	last := clock.Day(w.now()).AddDate(0, 0, -rapid.IntRange(1, 30).Draw(r, "over since"))
	c := closure{rapid.IntRange(0, 1).Draw(r, "place"), last.AddDate(0, 0, -rapid.IntRange(0, 9).Draw(r, "days")), last}
	in := care.ByClosure{ID: w.w.Close(w.servicePoints[c.place], c.first, c.last)}
	w.model.closures = append(w.model.closures, c)
	list := slices.DeleteFunc(slices.Clone(w.model.vouchers), func(v *ticket) bool { days, _ := w.model.daysBack(v, c); return len(days) == 0 })
	slices.SortFunc(list, func(a, b *ticket) int { return bytes.Compare(a.id[:], b.id[:]) })
	run, err := w.w.Care.StartReturn(r.Context(), w.w.Org, w.manager(), tenanttest.Key(), in)
	if len(list) == 0 {
		require.ErrorIs(r, err, care.ErrNone)
		return
	}
	require.NoError(r, err)
	w.model.put(care.RunJob{Run: run.ID}, 0)
	require.NoError(r, w.w.Care.Do(r.Context(), w.w.Org, care.RunJob{Run: run.ID}))
	did := 0
	for _, v := range list {
		if v.due(w.now()) {
			w.model.lapse(w.now())
		}
		days, until := w.model.daysBack(v, c)
		if v.refuseExtend(until, w.now()) != nil {
			continue
		}
		w.model.extend(v, until, w.now())
		v.returned = slices.Concat(v.returned, days)
		did++
	}
	w.model.put(notice.TableUpdate{Table: "voucher"}, 0)
	run, err = w.w.Care.Run(r.Context(), w.w.Org, w.owner.Subject, run.ID)
	require.NoError(r, err)
	require.Equal(r, []int{len(list), did, len(list) - did}, []int{run.Total, run.Done, run.Refused})
}

func (w *walk) manager() auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: w.owner.Subject}
}

func (w *walk) undone(u *spent) {
	w.model.undo(u, rows[uuid.UUID](w.w, `SELECT id FROM voucher WHERE undoes = $1`, u.id)[0], w.now())
}

// CancelScan of a use: it cannot be confirmed any more, and its QR goes on.
func (w *walk) CancelScan(r *rapid.T) {
	u := one(r, "use", w.model.uses)
	w.scan(r, u, u.servicePoint)
	scanned := refuseConfirm(u, u.servicePoint, w.now()) == nil
	for range 2 {
		require.NoError(r, w.w.Voucher.CancelScan(r.Context(), w.staff, voucher.ScannedInput{Session: u.id}))
	}
	if !scanned {
		return
	}
	w.model.notify(u.of.owner, notice.Event{Topic: "use", ID: &u.id, State: "open"})
	_, err := w.w.Voucher.Confirm(r.Context(), w.staff, tenanttest.Key(), voucher.ConfirmInput{Session: u.id, ServicePoint: u.servicePoint})
	require.ErrorIs(r, err, voucher.ErrNotScanned)
}

// scan a use as its holder shows it now. The holder's phone is notified while the use is open.
func (w *walk) scan(r *rapid.T, u *use, servicePoint uuid.UUID) {
	_, err := w.w.Voucher.Verify(r.Context(), w.staff, voucher.ScanInput{Code: qr(w.w.Org, u.id, u.secret, w.now()), ServicePoint: servicePoint})
	refused := refuseConfirm(u, servicePoint, w.now())
	same(r, refused, err)
	if u.state != "open" || !w.now().Before(u.expires) {
		return
	}
	event := notice.Event{Topic: "use", ID: &u.id, State: "scanned"}
	if refused != nil {
		event.State, event.Fault = "refused", fault.From(refused).Code
	}
	w.model.notify(u.of.owner, event)
}

// Visit the agent's link.
func (w *walk) Visit(r *rapid.T) {
	b := one(r, "buyer", w.here())
	w.w.Visit(w.session(b), w.agent, one(r, "package", w.model.packages).id)
	b.visited = w.now()
}

// Neighbour is somebody of another organisation, whom the same services serve: he buys there, and reaches for what is ours as
// we reach for his.
func (w *walk) Neighbour(r *rapid.T) {
	may, n := w.neighbour.buyer, w.neighbour
	b, v := one(r, "buyer", w.model.buyers), one(r, "voucher", w.model.vouchers)
	bought, err := w.w.Order.Buy(r.Context(), may, tenanttest.Key(), n.Quote(may, n.pack, 1))
	require.NoError(r, err)
	n.names = append(append(n.names, spelled(bought.ID)...), spelled(bought.Vouchers[0].ID)...)
	n.orders++

	_, err = w.w.Order.Quote(r.Context(), may, order.QuoteInput{Lines: []order.Line{{Package: v.of.id, Quantity: 1}}})
	require.ErrorIs(r, err, catalog.ErrPackageNotFound)
	_, err = w.w.Order.Order(r.Context(), may, v.order.id)
	require.ErrorIs(r, err, order.ErrNotFound)
	_, err = w.w.Voucher.StartUse(r.Context(), may, tenanttest.Key(), voucher.UseInput{Voucher: v.id, ServicePoint: w.servicePoints[0], Items: 1})
	require.ErrorIs(r, err, voucher.ErrNotFound)
	_, err = w.w.Order.Order(r.Context(), w.session(b), bought.ID)
	require.ErrorIs(r, err, order.ErrNotFound)
	if len(w.model.spent) > 0 {
		_, err = w.w.Objection.Object(r.Context(), may, tenanttest.Key(), objection.Input{Use: w.spent(r).id})
		require.ErrorIs(r, err, objection.ErrNotFound)
	}
	if len(w.model.gifts) > 0 {
		_, err = w.w.Gift.Receive(r.Context(), may, gift.Link{Ref: w.gift(r).ref})
		require.ErrorIs(r, err, gift.ErrNotFound)
	}
	if len(w.model.offers) > 0 {
		_, err = w.w.Board.Buy(r.Context(), may, tenanttest.Key(), board.BuyInput{Offer: w.offer(r).id, Accepted: []uuid.UUID{}, Lang: "th"})
		require.ErrorIs(r, err, board.ErrNotFound)
	}
}

// Suspend a customer, or take him back.
func (w *walk) Suspend(r *rapid.T) {
	b := one(r, "buyer", w.here())
	b.suspended = !b.suspended
	status := 5
	if b.suspended {
		status = 1
	}
	w.change(`UPDATE customer SET status = $2 WHERE id = $1`, b.id, status)
}

// here are the buyers who have not erased themselves, or have come again.
func (w *walk) here() []*buyer {
	return slices.DeleteFunc(slices.Clone(w.model.buyers), func(b *buyer) bool { return b.gone })
}

// Leave is somebody who erases himself, unless something stands in the way. Money alone he may have paid out by hand. The agent
// stays in any case: the walk needs him.
func (w *walk) Leave(r *rapid.T) {
	b := one(r, "buyer", w.here())
	paidOut := rapid.IntRange(0, 3).Draw(r, "paid out") > 0
	refusal := w.model.refuseErase(b, w.now())
	if refusal == privacy.ErrWallet && paidOut { //nolint:errorlint // the model's own word
		w.payOut(b)
		refusal = w.model.refuseErase(b, w.now())
	}
	if refusal == nil && b == w.model.buyers[0] {
		r.SkipNow()
	}
	err := w.services.Privacy.Erase(r.Context(), w.session(b), auditlog.Actor{Kind: token.User, ID: b.id}, privacy.EraseInput{Confirm: "ERASE MY DATA"})
	same(r, refusal, err)
	if err == nil {
		b.gone, b.visited, w.repeat = true, time.Time{}, nil
		for _, a := range w.model.cards {
			if a.by == b.id {
				a.runs = false
			}
		}
		w.model.lapsePoints(b.id, "", true)
		if w.model.cardOf(b, func(a *wanted) bool { return a.state == "granted" }) != nil {
			w.model.membersListed(b)
		}
		w.model.messages = slices.DeleteFunc(w.model.messages, func(m written) bool { return m.Customer == b.id })
		w.model.withdrawAll(b)
	}
}

// payOut empties a wallet by hand.
func (w *walk) payOut(b *buyer) {
	reason := w.w.Adjustment(money.Amount(b.balance))
	w.w.In(func(_ context.Context, tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: reason},
			ledger.Posting{Debit: ledger.AccountOf(ledger.Wallet, b.id), Credit: ledger.SystemAccount(ledger.Adjustment), Amount: money.Amount(b.balance)}))
	})
	w.model.add(ledger.Adjustment, b.balance)
	b.balance = 0
}

// ComeAgain is somebody who was erased and signs in anew, twice: rather when money has come for him.
func (w *walk) ComeAgain(r *rapid.T) {
	b := one(r, "buyer", slices.DeleteFunc(slices.Clone(w.model.buyers), func(b *buyer) bool { return !b.gone }))
	if rapid.IntRange(0, 3).Draw(r, "without money") > 0 && b.balance == 0 {
		r.SkipNow()
	}
	id, err := w.services.Customer.SignIn(r.Context(), w.w.Org, customer.LINEIdentity{Subject: b.line})
	require.NoError(r, err)
	again, err := w.services.Customer.SignIn(r.Context(), w.w.Org, customer.LINEIdentity{Subject: b.line})
	require.NoError(r, err)
	require.Equal(r, id, again)
	w.model.comeAgain(b, id, w.now())
	w.ours = append(w.ours, spelled(id)...)
}

// Reprice a package.
func (w *walk) Reprice(r *rapid.T) {
	p := one(r, "package", w.model.packages)
	if p.price == 0 {
		r.SkipNow()
	}
	p.price = rapid.Int64Range(1_00, 900_00).Draw(r, "price")
	w.change(`UPDATE package SET price_satang = $2 WHERE id = $1`, p.id, p.price)
}

func (w *walk) change(sql string, args ...any) {
	w.w.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return errors.Join(err, catalog.BumpRevision(ctx, tx))
	})
}

// Minutes pass.
func (w *walk) Minutes(r *rapid.T) {
	w.w.Clock.Advance(time.Duration(rapid.IntRange(1, 12).Draw(r, "minutes")) * time.Minute)
}

// Weeks pass.
func (w *walk) Weeks(r *rapid.T) {
	w.w.Clock.Advance(time.Duration(rapid.IntRange(1, 6).Draw(r, "weeks")) * 7 * 24 * time.Hour)
}

// TidyUses is the worker that ends use sessions whose ten minutes have passed, and gifts and offers whose days have, opens gifts whose moment has
// come, and undoes uses about which the shop has not decided in time.
func (w *walk) TidyUses(r *rapid.T) {
	require.NoError(r, w.w.Voucher.EndDue(r.Context(), w.w.Org))
	for _, u := range w.model.uses {
		if u.state == "open" && !w.now().Before(u.expires) {
			u.close("expired")
		}
	}
	for _, g := range w.model.gifts {
		if g.state == "scheduled" && g.isOpen(w.now()) {
			g.state = "open"
			w.model.write(g.giver, message.GiftDue, 1, 0)
			w.model.notify(g.from, notice.Event{Topic: "gift", ID: &g.id, State: "open"})
		}
		if g.underWay() && !w.now().Before(g.expires) {
			w.model.end(g, voucher.Returned)
		}
	}
	for _, f := range w.model.offers {
		if f.state == "open" && !w.now().Before(f.expires) {
			w.model.offSale(f, voucher.Ended)
		}
	}
	require.NoError(r, w.w.Objection.UndoDue(r.Context(), w.w.Org))
	for _, u := range slices.SortedFunc(slices.Values(w.model.spent), func(a, b *spent) int { return a.made.Compare(b.made) }) {
		if u.due(w.now()) {
			w.undone(u)
		}
	}
}

// TidyVouchers is the worker that ends what is past its last day.
func (w *walk) TidyVouchers(*rapid.T) {
	w.w.In(w.w.Voucher.ExpireVouchers)
	w.model.lapse(w.now())
}

// Decide is the worker that ends what the shop had seven days to decide.
func (w *walk) Decide(r *rapid.T) {
	require.NoError(r, refund.Decide(r.Context(), w.w.DB, w.w.Org))
	w.model.bear(w.now())
}

// Seal is the worker that seals the days that are over.
func (w *walk) Seal(*rapid.T) {
	w.w.In(ledger.SealDays)
	w.w.In(auditlog.SealDays)
}

// Crash is where everything fails at once, and is started again; as it takes so long, not whenever it might.
func (w *walk) Crash(r *rapid.T) {
	if rapid.IntRange(0, 4).Draw(r, "luck") > 0 {
		r.SkipNow()
	}
	w.crash(r, w.w)
}

// settle lets the model share an order out, with the ids of the vouchers that came of it.
func (w *walk) settle(r *rapid.T, o *orderState, at time.Time) {
	w.model.settle(o, w.issued(r, o), at)
	w.shares(r, o)
}

// issued are the vouchers of an order, of each piece first those that are paid for.
func (w *walk) issued(r *rapid.T, o *orderState) []uuid.UUID {
	ids := rows[uuid.UUID](w.w, `SELECT id FROM voucher WHERE order_id = $1 ORDER BY id`, o.id)
	require.Len(r, ids, o.n*(o.of.vouchers+o.of.extras))
	return ids
}

// shares reads what each voucher of an order carries of its price: of the shop's part, the platform's and the agent's equal parts
// each, but for a satang, which add up; what came along for nothing carries nothing.
func (w *walk) shares(r *rapid.T, o *orderState) {
	if o == nil || o.state != "paid" {
		return
	}
	fee, count := roundHalfUp(o.total, feeBasisPoints), int64(o.n*o.of.vouchers)
	whole, sums := [3]int64{o.total - fee - o.commission, fee, o.commission}, [3]int64{}
	n := 0
	for _, v := range w.model.vouchers {
		if v.order != o || v.parent != nil {
			continue
		}
		type carried struct{ Share, Fee, Commission int64 }
		found := rows[carried](w.w, `SELECT share_satang, fee_satang, commission_satang FROM voucher WHERE id = $1`, v.id)[0]
		v.sums = [3]int64{found.Share, found.Fee, found.Commission}
		if n++; o.of.isExtra(n - 1) {
			require.Zero(r, v.sums)
			continue
		}
		for part, x := range v.sums {
			require.Contains(r, []int64{whole[part] / count, whole[part]/count + 1}, x)
			sums[part] += x
		}
	}
	require.Equal(r, whole, sums)
}

// rows reads a column, or several into a struct, in the organisation's schema.
func rows[T any](w *tenanttest.World, sql string, args ...any) (all []T) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		found, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(found, func(row pgx.CollectableRow) (T, error) {
			if len(row.FieldDescriptions()) == 1 {
				return pgx.RowTo[T](row)
			}
			return pgx.RowToStructByPos[T](row)
		})
		return err
	})
	return all
}

// Check is asked after each action: the audit finds nothing, and every row is what the model says.
func (w *walk) Check(r *rapid.T) {
	findings, err := order.Audit(r.Context(), w.w.DB, w.w.Org)
	require.NoError(r, err)
	require.Empty(r, findings)

	for kind, want := range w.model.books {
		if kind == ledger.CommissionPending { // what of it has matured is posted sooner or later
			is := money.Amount(0)
			for _, id := range []uuid.UUID{w.agent, w.recruiter, w.partner} {
				has := w.w.Earned(id)
				is += w.w.Pending(id) + has.Payable - has.Receivable
			}
			require.EqualValues(r, want, is, kind)
			continue
		}
		require.EqualValues(r, want, w.w.SystemBalance(kind), kind)
	}
	w.checkSeals(r)
	w.checkBuyers(r)
	w.checkVouchers(r)
	w.checkOffers(r)
	w.checkUses(r)
	w.checkOrders(r)
	w.checkCards(r)
	w.checkPoints(r)
	w.checkOutbox(r)
	w.checkMessages(r)
	w.checkRollups(r)
	w.checkApart(r)
	w.checkOtherAudience(r)
}

// seal is a sealed day.
type seal struct {
	Day  time.Time
	Hash []byte
}

// checkSeals: what was sealed at the last look is sealed now, in the same words.
func (w *walk) checkSeals(r *rapid.T) {
	sealed := rows[seal](w.w, `SELECT day, hash FROM seal ORDER BY day`)
	require.GreaterOrEqual(r, len(sealed), len(w.sealed))
	require.Equal(r, w.sealed, sealed[:len(w.sealed)])
	w.sealed = sealed
}

func (w *walk) checkBuyers(r *rapid.T) {
	for _, b := range w.model.buyers {
		require.EqualValues(r, b.balance, w.w.Balance(w.session(b)))
		require.Equal(r, b.debt, w.w.Count(`SELECT debt_satang FROM customer WHERE id = $1`, b.id))
		status := map[[2]bool]int64{{}: 5, {true, false}: 1, {false, true}: 9}[[2]bool{b.suspended, b.gone}]
		require.Equal(r, status, w.w.Count(`SELECT status FROM customer WHERE id = $1`, b.id))
		for _, id := range b.former {
			require.Zero(r, w.w.Count(`SELECT debt_satang + coalesce((SELECT balance_satang FROM wallet WHERE customer_id = $1), 0) FROM customer WHERE id = $1`, id))
		}
	}
}

func (w *walk) checkUses(r *rapid.T) {
	type row struct {
		ID    uuid.UUID
		State string
	}
	found := map[uuid.UUID]string{}
	for _, u := range rows[row](w.w, `SELECT id, state FROM use_session`) {
		found[u.ID] = u.State
	}
	require.Len(r, found, len(w.model.uses))
	for _, u := range w.model.uses {
		require.Equal(r, u.state, found[u.id])
	}
}

func (w *walk) checkVouchers(r *rapid.T) {
	type row struct {
		ID, Owner uuid.UUID
		Parent    *uuid.UUID
		State     voucher.State
		Left, Out int64
		Frozen    *uuid.UUID
		Held      bool
		Until     string
		Transfers int
		Resold    bool
	}
	found := map[uuid.UUID]row{}
	for _, v := range rows[row](w.w, `SELECT id, holder_id, parent_id, state, items_left, items_out, frozen_for, owner_freeze_id IS NOT NULL, valid_until::text, transfers_left, resale_id IS NOT NULL FROM voucher`) {
		found[v.ID] = v
	}
	require.Len(r, found, len(w.model.vouchers))
	for _, v := range w.model.vouchers {
		var frozen, parent *uuid.UUID
		if v.frozen != nil {
			frozen = &v.frozen.id
		}
		if v.parent != nil {
			parent = &v.parent.id
		}
		require.Equal(r, row{v.id, v.holder, parent, v.state, v.left, v.out, frozen, !v.held.IsZero(), v.until.Format(time.DateOnly), v.transfers, v.resale != nil}, found[v.id])
	}
	require.Zero(r, w.w.Count(`SELECT count(*) FROM voucher v JOIN use_session u ON u.voucher_id = v.id AND u.state = 'open' WHERE v.state <> 'in_use'`),
		"what is on sale, given on or frozen is not in use")
	gifts := map[uuid.UUID]string{}
	for _, g := range rows[struct {
		ID, Giver uuid.UUID
		Receiver  *uuid.UUID
		State     string
	}](w.w, `SELECT id, giver_id, receiver_id, state FROM gift`) {
		gifts[g.ID] = fmt.Sprint(g.Giver, g.State, g.Receiver != nil)
	}
	require.Len(r, gifts, len(w.model.gifts))
	for _, g := range w.model.gifts {
		require.Equal(r, fmt.Sprint(g.giver, g.state, g.receiver != uuid.Nil), gifts[g.id])
		require.EqualValues(r, len(g.takers), w.w.Count(`SELECT count(*) FROM gift_taker WHERE gift_id = $1`, g.id))
	}
}

func (w *walk) checkOffers(r *rapid.T) {
	offers := map[uuid.UUID]string{}
	for _, f := range rows[struct {
		ID, Seller uuid.UUID
		Buyer      *uuid.UUID
		State      string
		Price      int64
	}](w.w, `SELECT f.id, f.seller_id, r.buyer_id, f.state, f.price_satang FROM offer f LEFT JOIN resale r ON r.offer_id = f.id`) {
		offers[f.ID] = fmt.Sprint(f.Seller, f.State, f.Price)
		if f.Buyer != nil {
			offers[f.ID] += f.Buyer.String()
		}
	}
	require.Len(r, offers, len(w.model.offers))
	for _, f := range w.model.offers {
		want := fmt.Sprint(f.seller, f.state, f.price)
		if f.buyer != uuid.Nil {
			want += f.buyer.String()
		}
		require.Equal(r, want, offers[f.id])
	}
}

func (w *walk) checkOrders(r *rapid.T) {
	type row struct {
		ID    uuid.UUID
		State string
	}
	orders, charges := map[uuid.UUID]string{}, map[uuid.UUID]string{}
	for _, o := range rows[row](w.w, `SELECT id, state FROM orders`) {
		orders[o.ID] = o.State
	}
	for _, c := range rows[row](w.w, `SELECT id, state FROM charge WHERE purpose <> 'duplicate'`) {
		charges[c.ID] = c.State
	}
	require.Len(r, orders, len(w.model.orders)+len(w.model.cards))
	require.EqualValues(r, w.model.discounts(), w.w.Count(`SELECT used FROM discount_count WHERE discount_id = $1`, w.discount))
	require.Len(r, charges, len(w.model.charges))
	for _, o := range w.model.orders {
		require.Equal(r, o.state, orders[o.id])
	}
	for _, c := range w.model.charges {
		require.Equal(r, c.state, charges[c.id])
		require.Equal(r, c.owed, w.w.Count(`SELECT owed_satang FROM charge WHERE id = $1`, c.id))
	}
	for _, p := range w.model.packages {
		require.EqualValues(r, p.sold, w.w.Count(`SELECT sold FROM stock WHERE package_id = $1`, p.id))
		require.Equal(r, p.price, w.w.Count(`SELECT price_satang FROM package WHERE id = $1`, p.id))
	}
	require.EqualValues(r, w.neighbour.orders, w.neighbour.Count(`SELECT count(*) FROM orders WHERE state = 'paid'`))
}

// checkOutbox: each job that follows from what happened is there once, and nothing else is. What has fallen due was done when the
// relay had looked, and once; nobody has touched what is not due.
func (w *walk) checkOutbox(r *rapid.T) {
	type row struct {
		Kind, Job string
		After     float64
		Due       time.Time
		Done      bool
	}
	before := w.now()
	did := slices.Sorted(slices.Values(w.relayed(r, w.w.Org)))
	after := w.now()
	var found, done []string
	for _, o := range rows[row](w.w, `SELECT o.kind, o.payload->>'job', coalesce(extract(epoch FROM o.due_at - c.created_at), 0)::float8, o.due_at, o.done_at IS NOT NULL
		FROM outbox o LEFT JOIN charge c ON o.kind = 'charge.check' AND c.id = (o.payload->'job'->>'charge')::uuid
		WHERE o.enqueued_at IS NULL AND o.attempts = 0 AND o.kind <> 'rollup.facts'`) {
		found = append(found, job(o.Kind, json.RawMessage(o.Job), time.Duration(o.After*float64(time.Second))))
		if o.Done {
			done = append(done, job(o.Kind, json.RawMessage(o.Job), 0))
			require.False(r, o.Due.After(after), "%s %s is done before it is due", o.Kind, o.Job)
		} else {
			require.True(r, o.Due.After(before), "%s %s is due, and not done", o.Kind, o.Job)
		}
	}
	slices.Sort(found)
	slices.Sort(w.model.jobs)
	require.Equal(r, w.model.jobs, found)
	slices.Sort(done)
	if again := w.again[w.w.Org]; len(again) > 0 { // InOrg may run a function again, and a job is then done again with it
		require.Subset(r, done, did, "nothing else was done: %q", again)
		require.Subset(r, did, done, "each was done: %q", again)
		return
	}
	require.Equal(r, done, did, "each was done once")
}

// checkMessages: each message that follows from what happened is there once, and nothing else is.
func (w *walk) checkMessages(r *rapid.T) {
	want, found := map[written]int{}, map[written]int{}
	for _, m := range w.model.messages {
		want[m]++
	}
	for _, m := range rows[written](w.w, `SELECT customer_id, kind, vouchers, amount_satang FROM message`) {
		found[m]++
	}
	require.Equal(r, want, found)
}

// RollUp adds the facts that are named to the roll-ups, or counts all anew.
func (w *walk) RollUp(r *rapid.T) {
	do := one(r, "roll-up", []func(context.Context, *db.DB, uuid.UUID) error{rollup.Follow, rollup.Follow, rollup.Build})
	require.NoError(r, do(context.Background(), w.w.DB, w.w.Org))
}

// ReadReports reads every report of the office: each says what the ledger has.
func (w *walk) ReadReports(r *rapid.T) { w.w.ReportsAgree(r) }

// checkRollups: the roll-ups and the facts that are still named are a full count.
func (w *walk) checkRollups(r *rapid.T) {
	w.w.In(func(ctx context.Context, tx db.Tx) error {
		findings, err := rollup.Audit(ctx, tx)
		require.Empty(r, findings)
		return err
	})
}

// checkApart: no row that was written since the last action names the other organisation, whatever the table. What was
// written before has been looked at then; at the end everything is, once more.
func (w *walk) checkApart(r *rapid.T) {
	ours := slices.Clone(w.ours)
	for _, o := range w.model.orders {
		ours = append(ours, spelled(o.id)...)
	}
	for _, a := range w.model.cards {
		ours = append(ours, spelled(a.order)...)
	}
	for _, c := range w.model.charges {
		ours = append(ours, spelled(c.id)...)
	}
	for _, v := range w.model.vouchers {
		ours = append(ours, spelled(v.id)...)
	}
	w.schema.mustNotName(r, w.neighbour.names)
	w.neighbour.mustNotName(r, ours)
}

// checkOtherAudience: a session of one kind, of this organisation and with a customer's id, cannot take a path of another kind's.
func (w *walk) checkOtherAudience(r *rapid.T) {
	path, b := one(r, "path", w.paths), one(r, "buyer", w.model.buyers)
	kind := one(r, "kind", path.refused)
	of, subject := w.w.Org, b.id
	switch kind {
	case token.Admin:
		of = uuid.Nil
	case token.Client:
		subject = uuid.Nil
	}
	bearer, err := w.services.Session.Open(r.Context(), kind, of, subject, "")
	require.NoError(r, err)
	_, err = w.services.Session.Find(r.Context(), bearer)
	require.NoError(r, err, "it is a good session")
	require.Equal(r, http.StatusUnauthorized, w.post(r, path.path, bearer), "%s at %s", kind, path.path)
	if kind == token.User && b.refused() == nil {
		require.Equal(r, http.StatusOK, w.post(r, "/api/user/getwallet", bearer), "his own path is open to him")
	}
}

// end is the end of a walk: what any of its steps was answered is so after a crash, and the last answer is given again.
func (w *walk) end(r *rapid.T) {
	w.crash(r, w.w)
	w.schema.since, w.neighbour.since = 0, 0
	if w.repeat != nil {
		w.repeat(r)
	}
	w.Check(r)
}
