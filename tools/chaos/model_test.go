package chaos

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
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
	"welovevoucher/tenants/voucher"
)

// shop is what an organisation has to look like: plain numbers in memory, with arithmetic of their own. It is written
// from domain.md, not from the code that it judges.
type shop struct {
	rule       commission.Rule // of the agent's type, now
	payouts    []*paying
	taken      int64        // what the agent was paid out of what had matured, and has not come back
	toCome     func() int64 // what he waits for, can be paid out, and owes
	rates      []*specialRate
	buyers     []*buyer
	packages   []*pack
	charges    []*chargeState
	duplicates []*chargeState // by which the gateway took what was paid already
	closures   []closure
	orders     []*orderState
	vouchers   []*ticket
	uses       []*use
	spent      []*spent
	gifts      []*present
	offers     []*resale
	requests   []*request
	wishes     []*wish
	cashouts   []*taking
	cards      []*wanted
	points     map[uuid.UUID]*pointsOf // by the row of their customer
	unsettled  []uuid.UUID             // customers for whom the job that settles what they owe waits
	books      map[ledger.Kind]int64   // credits less debits, in satang
	jobs       []string                // every row of the outbox
	messages   []written               // every row of the inboxes
	remittance func() uuid.UUID        // the newest one
	paidOut    func(taking, of uuid.UUID) uuid.UUID
	beyond     map[*ticket]int64    // what came into a holder's wallet by what was taken back since collect began
	touched    map[*orderState]bool // of which something was taken back since then
}

const feeBasisPoints, agentBasisPoints, recruiterBasisPoints, partnerBasisPoints = 300, 1000, 150, 1500

// A code takes discountOff off a cart, paid by the shop, in at most discountUses orders that are neither over nor taken back whole.
const discountCode, discountOff, discountUses = "WALK", 33_34, 6

// buyer is a person, under whatever rows.
type buyer struct {
	id        uuid.UUID   // the last one's
	former    []uuid.UUID // those before
	line      string      // LINE's id of him
	gone      bool        // erased, and not here again
	balance   int64
	debt      int64
	suspended bool
	visited   time.Time // the agent's link, or never
}

// refused is what is answered to a buyer whatever he asks for, or nil.
func (b *buyer) refused() error {
	if b.suspended || b.gone {
		return customer.ErrSuspended
	}
	return nil
}

type pack struct {
	id              uuid.UUID
	price           int64
	vouchers, items int
	extras          int   // that come along for nothing, of one item each
	gift            int64 // satang, or 0 for items
	toWallet        bool  // what is left when it expires
	together        bool  // what came along for nothing as well: each kind by itself
	stock, limit    *int
	sold            int
	servicePoint    *uuid.UUID // nil means everywhere
	refunds         catalog.RefundTerms
}

type chargeState struct {
	id      uuid.UUID
	who     *buyer
	by      uuid.UUID // as whom he began it
	amount  int64
	pays    *orderState // nil for a top-up or an offer
	offer   *resale     // that it pays, or nil
	stopped bool        // its offer ended before it did
	over    time.Time   // when its offer was open again
	made    time.Time
	comeback
	state   string
	expires time.Time
	card    bool   // it is paid by card
	outs    []*out // what was refunded to that
	sent    int64  // of these, what is there

	credited                             bool // to the wallet, whatever it was asked for
	fee, refunded, disputed, owed, taken int64
	bank                                 int64     // of owed, what a bank holds back
	takes                                time.Time // when it last took money from its payer's wallet
	dispute                              payment.Dispute
	captured                             time.Time
	wrong                                bool      // another sum was paid
	borne                                int64     // by the shop, and not restored since
	undecided                            int64     // of what was sent back, nothing covers so much
	due                                  time.Time // when the shop bears what was sent back and nothing covers; zero: nothing is to be decided
}

// out is what was refunded to the card of a charge, or to a bank account: on its way, done, or failed. lost: the gateway has sent it, and nobody knows. sent:
// somebody has said that it was transferred.
type out struct {
	id     uuid.UUID
	amount int64
	state  string
	lost   bool
	bank   bool
	sent   bool
	wallet bool // it is paid out of a wallet, not refunded
	of     *chargeState
	pays   *paying // of the run whose file has it, or nil
}

// says is which of two messages is written about it.
func (o *out) says(refunded, paidOut message.Kind) message.Kind {
	if o.wallet {
		return paidOut
	}
	return refunded
}

// left is how much of a charge may go back to who paid it.
func (c *chargeState) left() int64 {
	sum := c.amount - c.refunded - c.disputed
	for _, o := range c.outs {
		if o.state != "failed" {
			sum -= o.amount
		}
	}
	return sum
}

// refuseTransfer is what stands against saying that a transfer was made or came back, or nil.
func (o *out) refuseTransfer(outcome string) error {
	switch {
	case o.state == "failed":
		return charge.ErrTransferOver
	case o.inRun():
		return payout.ErrInRun
	case outcome == "done" && o.state == "done":
		return charge.ErrTransferOver
	case outcome == "failed" && o.state == "open" && !o.sent:
		return charge.ErrTransferOpen
	}
	return nil
}

// atGateway is what the gateway has sent back of a charge, whoever asked for it.
func (c *chargeState) atGateway() int64 {
	sum := c.refunded + c.sent
	for _, o := range c.outs {
		if o.lost {
			sum += o.amount
		}
	}
	return sum
}

// refuseTo is what stands against refunding so much of an order to the card that paid it, or to a bank account, or nil.
func (s *shop) refuseTo(method refund.Method, list []some, sum int64) error {
	if method == refund.Wallet {
		return nil
	}
	refusal := map[refund.Method]error{refund.Card: refund.ErrNotToCard, refund.Bank: refund.ErrNotToBank}[method]
	o := list[0].of.order
	c := s.direct(o)
	if c == nil || c.card != (method == refund.Card) || o.who.debt > 0 || slices.ContainsFunc(list, func(part some) bool { return part.of.holder != o.by || part.of.resale != nil }) {
		return refusal
	}
	if sum > c.left() {
		return refusal
	}
	return nil
}

// transferred is where two people say that a refund was transferred.
func (s *shop) transferred(o *out) {
	s.arrived(o)
	s.transfersListed()
}

// notTransferred is where it could not be, so it is in the wallet.
func (s *shop) notTransferred(o *out, now time.Time) {
	s.inWallet(o, now)
	s.collect(o.of.who, true, now)
	s.transfersListed()
}

func (s *shop) transfersListed() { s.put(notice.TableUpdate{Table: "banktransfer"}, 0) }

// done is where the gateway has sent what was refunded to a card.
func (s *shop) done(c *chargeState, o *out, now time.Time) {
	o.state, o.lost = "done", false
	c.sent += o.amount
	s.add(ledger.BankClearing, -o.amount)
	s.add(ledger.GatewayOwn, o.amount)
	s.collect(c.who, false, now)
	s.listed()
}

// notToCard is where it could not, so it is in the wallet.
func (s *shop) notToCard(c *chargeState, o *out, now time.Time) {
	o.state = "failed"
	s.add(ledger.BankClearing, -o.amount)
	c.who.balance += o.amount
	c.came().comes(o.amount, now)
	s.write(c.who.id, o.says(message.MoneyNotToCard, message.CashoutFailed), 1, o.amount)
	s.collect(c.who, true, now)
	s.listed()
	s.notify(c.who, notice.Event{Topic: "wallet"})
}

type orderState struct {
	id         uuid.UUID
	who        *buyer
	by         uuid.UUID // as whom he made it, and holds what he bought
	of         *pack
	n          int
	total      int64 // after its discount
	off        int64 // that the discount takes off it
	commission int64
	recruits   int64           // of the commission, of who recruited the agent
	kept       int64           // of the commission, after what went back
	recruiting int64           // of that, the recruiter's
	denied     bool            // what is kept is the shop's
	rule       commission.Rule // when it matures
	price      int64           // of what was not taken back, when that was settled last
	unpaid     int64           // of it
	state      string
	made, over time.Time

	paid     time.Time
	last     voucher.State // what was taken back last became that
	returned bool          // all of it was taken back unused
	earning  *earning      // nil: no points
	comeback
}

// comeback is what came back of a purchase to its payer's wallet.
type comeback struct {
	back    int64
	returns time.Time // when that began, or a bank returned some of its payment there
}

// came is what came back of what a charge paid.
func (c *chargeState) came() *comeback {
	if c.pays != nil {
		return &c.pays.comeback
	}
	return &c.comeback
}

type ticket struct {
	id          uuid.UUID
	parent      *ticket // of whose items it was made, or nil
	order       *orderState
	owner       *buyer
	holder      uuid.UUID // the row of him
	of          *pack
	extra       bool // it came along for nothing
	state       voucher.State
	total, left int64
	out         int64        // taken back or split off, from the last item on
	sums        [3]int64     // of the price: the shop's, the platform's, the agent's
	paid        int64        // to the shop, by uses
	frozen      *chargeState // because of whose money
	held        time.Time    // since when the shop has frozen it, or never
	transfers   int          // that are left
	until       time.Time
	since       time.Time   // from which day on it could be used
	returned    []time.Time // days of closures that were given back to it, or to what it was split off from before that
	released    []time.Time // days that releases by the shop gave it, in the same way
	use         *use
	gift        *present // by which it is on its way
	offer       *resale  // by which it is on sale
	resale      *resale  // by which it, or what it was split off from, was sold on last, or nil
	handed      bool     // somebody else has held it, or what it was split off from before that
	undoes      bool     // it was issued in the place of a use of its parent, where its price counts still
}

// present is a gift.
type present struct {
	id, giver, receiver uuid.UUID // rows of customers; no receiver while nobody has claimed it
	from                *buyer
	of                  []*ticket // of an ang-pao, those that nobody has taken
	people              int
	takers              map[uuid.UUID]bool
	state, ref          string
	begins, expires     time.Time
}

// underWay reports whether it was not claimed and has not ended, as the database has it.
func (g *present) underWay() bool { return g.state == "scheduled" || g.state == "open" }

// isOpen reports whether its link leads to it.
func (g *present) isOpen(now time.Time) bool {
	return g.underWay() && !now.Before(g.begins) && now.Before(g.expires)
}

// resale is what was offered to others.
type resale struct {
	id, seller, buyer   uuid.UUID // rows of customers; no buyer while nobody has bought it
	from                *buyer
	of                  []*ticket
	state               string
	price, royalty, fee int64
	expires, sold       time.Time
	paying              *chargeState // for which it is reserved, or nil
	paid                *purchase    // when it was sold
}

// purchase is a paid order, or an offer that was bought.
type purchase struct {
	id     uuid.UUID
	who    *buyer
	by     uuid.UUID // as whom he paid
	at     time.Time
	charge *chargeState // that paid it, or nil if the wallet did
}

// purchase is how an order was paid, once it is.
func (s *shop) purchase(o *orderState) *purchase {
	return &purchase{id: o.id, who: o.who, by: o.by, at: o.paid, charge: s.direct(o)}
}

// paidFor is by what a voucher was paid last.
func (s *shop) paidFor(v *ticket) *purchase {
	if v.resale != nil {
		return v.resale.paid
	}
	return s.purchase(v.order)
}

type use struct {
	id           uuid.UUID
	by           uuid.UUID // who shows it
	of           *ticket
	items        int64
	servicePoint uuid.UUID
	state        string
	expires      time.Time
	secret       string
}

// spent is a use that was confirmed, and what who used it says to that.
type spent struct {
	id           uuid.UUID
	by           uuid.UUID // as whom its holder used it
	who          *buyer
	of           *ticket
	since, items int64
	earned       int64
	given        int64 // back for it, by goodwill
	partners     int64 // of what it earned, at the partner's service point
	at           time.Time
	transfers    int     // that were left then
	resale       *resale // by which it had been sold on last then, or nil
	handed       bool    // whether somebody else had held it then

	state objection.State // empty: nobody has objected
	made  time.Time
}

// roundHalfUp is amount × basis points ÷ 10,000.
func roundHalfUp(amount, basisPoints int64) int64 { return (2*amount*basisPoints + 10_000) / 20_000 }

func (s *shop) add(kind ledger.Kind, amount int64) { s.books[kind] += amount }

// job is a row of the outbox: its kind, its payload with the keys in order, and how long after its charge it falls due.
func job(kind string, payload any, after time.Duration) string {
	text, err := json.Marshal(payload)
	if err != nil {
		panic(err) // plain values always marshal
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		panic(err)
	}
	if text, err = json.Marshal(plain); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s %s after %s", kind, text, after)
}

func (s *shop) put(j queue.Job, after time.Duration) {
	s.jobs = append(s.jobs, job(j.Kind(), j, after))
}

// notify has a buyer's screens receive an event.
func (s *shop) notify(b *buyer, print notice.Event) {
	s.put(notice.Job{Audience: token.User, Subject: b.id, Event: print}, 0)
}

// written is a message to a customer.
type written struct {
	Customer uuid.UUID
	Kind     message.Kind
	Vouchers int
	Received int64
}

// write writes a message, and has its receiver's screens receive that.
func (s *shop) write(to uuid.UUID, kind message.Kind, vouchers int, received int64) {
	s.messages = append(s.messages, written{to, kind, vouchers, received})
	s.put(notice.Job{Audience: token.User, Subject: to, Event: notice.Event{Topic: "message"}}, 0)
}

// writeOf writes those about vouchers, one of each kind to each holder.
func (s *shop) writeOf(about []written) {
	sums := map[written]written{}
	for _, m := range about {
		of := written{Customer: m.Customer, Kind: m.Kind}
		sums[of] = written{m.Customer, m.Kind, sums[of].Vouchers + 1, sums[of].Received + m.Received}
	}
	for _, m := range sums {
		s.write(m.Customer, m.Kind, m.Vouchers, m.Received)
	}
}

// notifyOf has them receive what became of a charge.
func (s *shop) notifyOf(c *chargeState, state string, late bool) {
	topic := "topup"
	switch {
	case c.pays != nil:
		topic = "order"
	case c.offer != nil:
		topic = "offer"
	}
	s.notify(c.who, notice.Event{Topic: topic, ID: &c.id, State: state, Late: late})
}

// payments are all charges, also those by which the gateway took what was paid already.
func (s *shop) payments() []*chargeState { return slices.Concat(s.charges, s.duplicates) }

// paidTwice is where the gateway has taken the money of a charge once more, by another one.
func (s *shop) paidTwice(c *chargeState, second uuid.UUID, now time.Time) {
	s.duplicates = append(s.duplicates, &chargeState{id: second, who: c.who, by: c.by, amount: c.amount, state: "captured", card: c.card, credited: true, captured: now})
	s.add(ledger.GatewayOwn, -c.amount)
	s.credit(c, message.MoneyKept, now)
}

// asked writes a charge down, and when the gateway will be asked about it.
func (s *shop) asked(c *chargeState) {
	c.by = c.who.id
	s.charges = append(s.charges, c)
	for _, after := range []time.Duration{30 * time.Second, 2 * time.Minute, 10*time.Minute + 2*time.Second, time.Hour, 24 * time.Hour} {
		s.put(charge.CheckJob{Charge: c.id}, after)
	}
}

// agent is who sold to this buyer, if anybody is owed.
func (s *shop) agent(b *buyer, now time.Time) bool {
	seller := s.buyers[0]
	return b != seller && !seller.suspended && !b.visited.IsZero() && b.visited.After(now.Add(-30*24*time.Hour))
}

// refuseDeal is what stands against a purchase however it is paid, or nil.
func (s *shop) refuseDeal(b *buyer, p *pack, n int, stale bool) error {
	switch {
	case b.refused() != nil:
		return b.refused()
	case b.debt > 0:
		return customer.ErrDebt
	case stale:
		return order.ErrQuoteChanged
	case p.limit != nil && s.bought(b, p)+n > *p.limit:
		return order.ErrLimit
	}
	return nil
}

func (s *shop) bought(b *buyer, p *pack) (n int) {
	for _, o := range s.orders {
		if o.who == b && o.of == p && o.state != "expired" && !o.returned {
			n += o.n
		}
	}
	return n
}

func soldOut(p *pack, n int) error {
	if p.stock != nil && p.sold+n > *p.stock {
		return catalog.ErrSoldOut
	}
	return nil
}

// refuseHold is what stands against an order that holds its stock without money, or nil.
func (s *shop) refuseHold(b *buyer, p *pack, n int, now time.Time) error {
	waiting, held, unpaid, givenUp := 0, n, 0, 0
	for _, c := range s.charges {
		o := c.pays
		switch {
		case o == nil || o.who != b:
		case o.state == "awaiting":
			waiting++
			if o.of == p {
				held += o.n
			}
		case o.state == "expired" && c.state != "captured" && o.over.After(now.Add(-24*time.Hour)):
			givenUp++
			if !o.over.Before(o.made.Add(time.Minute)) {
				unpaid++
			}
		}
	}
	switch {
	case unpaid >= 3, givenUp >= 10:
		return order.ErrWalletOnly
	case waiting >= 3:
		return order.ErrPayFirst
	case held > 10:
		return order.ErrTooManyReserved
	}
	return nil
}

// discounts are the orders that use the discount.
func (s *shop) discounts() (n int) {
	for _, o := range s.orders {
		if o.off > 0 && o.state != "expired" && o.state != "refunded" {
			n++
		}
	}
	return n
}

// discount is what the code takes off so many pieces now.
func (s *shop) discount(p *pack, n int) int64 {
	if s.discounts() >= discountUses {
		return 0
	}
	return min(discountOff, p.price*int64(n))
}

// book writes an order down and takes its stock, and the discount that it has.
func (s *shop) book(id uuid.UUID, b *buyer, p *pack, n int, off int64, now time.Time) *orderState {
	o := &orderState{id: id, who: b, by: b.id, of: p, n: n, total: p.price*int64(n) - off, off: off, state: "awaiting", made: now}
	if s.agent(b, now) {
		o.rule = s.rule
		seller, recruiter := s.earned(p, n, o.total, now)
		o.commission, o.recruits = seller+recruiter, recruiter
	}
	p.sold += n
	s.orders = append(s.orders, o)
	return o
}

// settle shares an order's price out. The vouchers are the shop's word for how many and how long, ids comes from outside.
func (s *shop) settle(o *orderState, ids []uuid.UUID, now time.Time) {
	o.state, o.kept, o.recruiting, o.price, o.paid = "paid", o.commission, o.recruits, o.total, now
	s.earns(o, now)
	fee := roundHalfUp(o.total, feeBasisPoints)
	s.add(ledger.PlatformFee, fee)
	s.add(ledger.CommissionPending, o.commission)
	s.add(ledger.Unearned, o.total-fee-o.commission)
	for n, id := range ids {
		items, transfers, days := int64(o.of.items), maxTransfers, validDays
		switch {
		case o.of.isExtra(n):
			items, days = 1, extraDays
		case o.of.gift > 0:
			items, transfers = o.of.gift, 0 // without a limit, and so without a count
		}
		s.vouchers = append(s.vouchers, &ticket{
			id: id, order: o, owner: o.who, holder: o.by, of: o.of, extra: o.of.isExtra(n), state: voucher.Ready, total: items, left: items, transfers: transfers,
			until: clock.Day(now).AddDate(0, 0, days), since: clock.Day(now),
		})
	}
}

// isExtra reports whether the voucher of a number, in the order of issue, came along for nothing.
func (p *pack) isExtra(n int) bool { return n%(p.vouchers+p.extras) >= p.vouchers }

// validDays is how long what tenanttest sells can be used, extraDays what comes along; maxTransfers how often it may be given on, gifts
// but not.
const (
	validDays    = 90
	extraDays    = 120
	maxTransfers = 2
)

// refuseUse is what stands against asking to use, or nil. What is held longer than its ten minutes is not held.
func refuseUse(v *ticket, b *buyer, items int64, servicePoint uuid.UUID, now time.Time) error {
	held := v.state == voucher.InUse && now.Before(v.use.expires)
	switch {
	case b.refused() != nil:
		return b.refused()
	case v.holder != b.id:
		return voucher.ErrNotFound
	case v.state == voucher.Used:
		return voucher.ErrAlreadyUsed
	case v.state == voucher.Expired || v.state != voucher.Refunded && v.state != voucher.Void && v.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	case v.state == voucher.Frozen:
		return voucher.ErrFrozen
	case v.state == voucher.Refunded:
		return voucher.ErrRefunded
	case v.state == voucher.Void:
		return voucher.ErrVoid
	case held:
		return voucher.ErrInUse
	case v.gift != nil && now.Before(v.gift.expires):
		return voucher.ErrInTransfer
	case v.offer != nil && (v.offer.paying != nil || now.Before(v.offer.expires)):
		return voucher.ErrOnSale
	case items > v.left:
		return voucher.ErrTooFew
	case v.of.servicePoint != nil && *v.of.servicePoint != servicePoint:
		return voucher.ErrOtherServicePoint
	}
	return nil
}

// lot is what goes along with a voucher that is given.
func (s *shop) lot(v *ticket) (list []*ticket) {
	for _, o := range s.vouchers {
		if o == v || v.of.together && o.order == v.order && o.extra == v.extra && o.holder == v.holder && o.live() {
			list = append(list, o)
		}
	}
	return list
}

// refuseGive is what stands against giving so many items of a voucher, or nil.
func (s *shop) refuseGive(v *ticket, b *buyer, items int64, now time.Time) error {
	switch {
	case b.refused() != nil:
		return b.refused()
	case b.debt > 0:
		return customer.ErrDebt
	case v.holder != b.id:
		return voucher.ErrNotFound
	}
	if err := v.refuseGive(now); err != nil {
		return err
	}
	switch {
	case items > v.left:
		return voucher.ErrTooFew
	case items < v.left && v.of.together:
		return voucher.ErrWhole
	}
	for _, other := range s.lot(v) {
		if other.refuseGive(now) != nil {
			return voucher.ErrTogether
		}
	}
	return nil
}

// alike are vouchers that go to others by the same link as a voucher, which is the first of them, each whole.
func (s *shop) alike(v *ticket, now time.Time) []*ticket {
	list := []*ticket{v}
	for _, o := range s.vouchers {
		freed := o.gift != nil && o.gift == v.gift && !now.Before(o.gift.expires) || o.offer != nil && o.offer == v.offer && !now.Before(o.offer.expires)
		if o != v && o.order == v.order && o.extra == v.extra && o.holder == v.holder && o.left == v.left && o.until.Equal(v.until) && o.transfers == v.transfers && (o.state == voucher.Ready || freed) {
			list = append(list, o)
		}
	}
	slices.SortFunc(list[1:], func(a, b *ticket) int { return bytes.Compare(a.id[:], b.id[:]) })
	return list
}

// refuseGiveEach is what stands against giving so many items of a voucher, or of those that are alike, to each of some people, or nil.
func (s *shop) refuseGiveEach(v *ticket, b *buyer, people int, items int64, now time.Time) error {
	switch {
	case b.refused() != nil:
		return b.refused()
	case b.debt > 0:
		return customer.ErrDebt
	case v.holder != b.id:
		return voucher.ErrNotFound
	case v.of.together:
		return voucher.ErrTogether
	}
	if err := v.refuseGive(now); err != nil {
		return err
	}
	switch {
	case items > v.left, items < v.left && items*int64(people) > v.left:
		return voucher.ErrTooFew
	case items == v.left && len(s.alike(v, now)) < people:
		return voucher.ErrTooFewAlike
	}
	return nil
}

func (v *ticket) refuseGive(now time.Time) error {
	state := v.state
	if v.use != nil && !now.Before(v.use.expires) || v.gift != nil && !now.Before(v.gift.expires) || v.offer != nil && v.offer.paying == nil && !now.Before(v.offer.expires) {
		state = voucher.Ready
	}
	switch {
	case state != voucher.Ready:
		return map[voucher.State]error{
			voucher.InUse: voucher.ErrInUse, voucher.InTransfer: voucher.ErrInTransfer, voucher.OnSale: voucher.ErrOnSale, voucher.Frozen: voucher.ErrFrozen, voucher.Used: voucher.ErrAlreadyUsed,
			voucher.Expired: voucher.ErrExpired, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
		}[state]
	case v.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	case v.counted() && v.transfers == 0:
		return voucher.ErrNoTransfersLeft
	}
	return nil
}

// split makes a voucher of its last items.
func (s *shop) split(v *ticket, id uuid.UUID, items int64) *ticket {
	slice, end := *v, v.total-v.out
	slice.id, slice.parent, slice.total, slice.left, slice.out, slice.paid, slice.undoes = id, v, items, items, 0, 0, false
	for part := range slice.sums {
		slice.sums[part] = v.worth(part, end) - v.worth(part, end-items)
	}
	v.left, v.out = v.left-items, v.out+items
	s.vouchers = append(s.vouchers, &slice)
	return &slice
}

// counted reports whether it may be given a number of times, and not as often as one likes.
func (v *ticket) counted() bool { return v.of.gift == 0 || v.extra }

// refuseClaim is what stands against a customer's claim of a gift that he has not claimed, or against his declining it.
func refuseClaim(g *present, b *buyer, now time.Time) error {
	switch {
	case b.refused() != nil:
		return b.refused()
	case g.takers[b.id]:
		return gift.ErrHadOne
	case g.giver == b.id:
		return gift.ErrOwn
	case !g.isOpen(now) || g.from.refused() != nil:
		return gift.ErrOver
	}
	return nil
}

// cardMayCome reports whether a card that may have paid for a voucher did so within a fortnight, so that its bank may take the money back.
func (s *shop) cardMayCome(v *ticket, now time.Time) bool {
	paid, since := s.paidFor(v), now.AddDate(0, 0, -14)
	if paid.charge != nil {
		return paid.charge.card && paid.charge.captured.After(since)
	}
	return slices.ContainsFunc(s.payments(), func(c *chargeState) bool {
		return c.by == paid.by && c.card && c.credited && c.state == "captured" && c.captured.After(since) && !c.captured.After(paid.at)
	})
}

// refuseOffer is what stands against offering so many items of a voucher at a price, or nil.
func (s *shop) refuseOffer(v *ticket, b *buyer, items, price int64, now time.Time) error {
	if err := s.refuseGive(v, b, items, now); err != nil {
		return err
	}
	open := 0
	for _, f := range s.offers {
		if f.seller == b.id && (f.state == "open" || f.state == "reserved") && now.Before(f.expires) {
			open++
		}
	}
	paid := int64(0)
	for _, o := range s.lot(v) {
		n := items
		if o.of.together {
			n = o.left
		}
		end := o.total - o.out
		paid += o.price(end-n, end)
	}
	switch {
	case open >= maxOffers:
		return board.ErrTooMany
	case s.cardMayCome(v, now):
		return board.ErrTooEarly
	case !clock.Day(now).Before(v.until):
		return board.ErrTooLate
	case price < 1_00 || price > paid:
		return board.ErrPrice
	}
	return nil
}

// Most offers that a customer has open, and that he buys on a day.
const maxOffers, maxBought = 10, 8

// refuseBuy is what stands against buying what is offered from the wallet, or nil.
func (s *shop) refuseBuy(f *resale, b *buyer, now time.Time) error {
	if err := s.refuseSale(f, b, now); err != nil {
		return err
	}
	if b.balance < f.price {
		return ledger.ErrInsufficient
	}
	return nil
}

// refusePay is what stands against paying it past the wallet, or nil.
func (s *shop) refusePay(f *resale, b *buyer, now time.Time) error {
	if err := s.refuseSale(f, b, now); err != nil {
		return err
	}
	unpaid, givenUp, paying := 0, 0, false
	for _, c := range s.charges {
		switch {
		case c.offer == nil || c.who != b:
		case c.offer.paying == c:
			paying = true
		case !c.stopped && c.state != "captured" && c.over.After(now.Add(-24*time.Hour)):
			givenUp++
			if !c.over.Before(c.made.Add(time.Minute)) {
				unpaid++
			}
		}
	}
	switch {
	case unpaid >= 3, givenUp >= 10:
		return board.ErrWalletOnly
	case paying:
		return board.ErrPayFirst
	}
	return nil
}

// refuseSale is what stands against both. Of who bought it, or has begun to pay it, it is looked at under the locks alone.
func (s *shop) refuseSale(f *resale, b *buyer, now time.Time) error {
	before := f.buyer == b.id || slices.ContainsFunc(s.charges, func(c *chargeState) bool { return c.offer == f && c.by == b.id })
	over := func() error {
		switch {
		case f.seller == b.id:
			return board.ErrOwn
		case f.paying != nil:
			return board.ErrBeingPaid
		case f.state != "open" || !now.Before(f.expires):
			return board.ErrOver
		}
		return nil
	}
	if !before {
		if err := over(); err != nil {
			return err
		}
	}
	bought := 0
	for _, other := range s.offers {
		if other.buyer == b.id && clock.Day(other.sold).Equal(clock.Day(now)) {
			bought++
		}
		if other.paying != nil && other.paying.by == b.id {
			bought++
		}
	}
	switch {
	case b.refused() != nil:
		return b.refused()
	case b.debt > 0:
		return customer.ErrDebt
	case bought >= maxBought:
		return board.ErrEnough
	case over() != nil:
		return over()
	case f.from.refused() != nil:
		return board.ErrOver
	}
	return nil
}

// sell gives what is offered to who paid for it, and the price, less royalty and fee, to its seller. id is of the sale; by is the charge that paid, or nil.
func (s *shop) sell(f *resale, b *buyer, id uuid.UUID, by *chargeState, now time.Time) {
	f.paid = &purchase{id: id, who: b, by: b.id, at: now, charge: by}
	f.from.balance += f.price - f.royalty - f.fee
	s.add(ledger.Payable, f.royalty)
	s.add(ledger.PlatformFee, f.fee)
	f.state, f.buyer, f.sold, f.paying = "sold", b.id, now, nil
	for _, v := range f.of {
		v.state, v.offer, v.resale, v.owner, v.holder, v.handed = voucher.Ready, nil, f, b, b.id, true
		if v.counted() {
			v.transfers--
		}
	}
	if by != nil || f.from.debt > 0 {
		s.put(charge.SettleJob{Customer: f.seller}, 0)
		s.unsettled = append(s.unsettled, f.seller)
	}
	s.write(f.seller, message.OfferSold, 1, f.price-f.royalty-f.fee)
	for _, person := range []*buyer{f.from, b} {
		s.notify(person, notice.Event{Topic: "offer", ID: &f.id, State: "sold"})
		s.notify(person, notice.Event{Topic: "wallet"})
	}
}

// release frees what a use, a gift or an offer holds that is due.
func (s *shop) release(v *ticket) {
	if v.use != nil {
		v.use.close("expired")
	}
	if v.gift != nil {
		s.end(v.gift, voucher.Returned)
	}
	if v.offer != nil {
		s.offSale(v.offer, voucher.Ended)
	}
}

// offSale is where nobody will buy what is offered: its seller has it back.
func (s *shop) offSale(f *resale, as string) {
	f.state = as
	for _, v := range f.of {
		v.state, v.offer = voucher.Ready, nil
	}
	if c := f.paying; c != nil {
		f.paying, c.stopped = nil, true
		s.notify(c.who, notice.Event{Topic: "offer", ID: &f.id, State: as})
	}
	if kind, informed := map[string]message.Kind{voucher.Ended: message.OfferEnded, voucher.Stopped: message.OfferStopped}[as]; informed {
		s.write(f.seller, kind, 1, 0)
	}
	s.notify(f.from, notice.Event{Topic: "offer", ID: &f.id, State: as})
}

// end is where nobody will claim a gift: its giver has it back.
func (s *shop) end(g *present, as string) {
	g.state = as
	for _, v := range g.of {
		v.state, v.gift = voucher.Ready, nil
	}
	ends := map[string]message.Kind{voucher.Declined: message.GiftDeclined, voucher.Returned: message.GiftReturned, voucher.Stopped: message.GiftStopped}
	if len(g.takers) > 0 {
		ends = map[string]message.Kind{voucher.Returned: message.GiftRestReturned, voucher.Stopped: message.GiftRestStopped}
	}
	if kind, informed := ends[as]; informed {
		s.write(g.giver, kind, 1, 0)
	}
	s.notify(g.from, notice.Event{Topic: "gift", ID: &g.id, State: as})
}

// refuseConfirm is what stands against confirming a use, or nil.
func refuseConfirm(u *use, servicePoint uuid.UUID, now time.Time) error {
	switch {
	case u.state == "used":
		return voucher.ErrAlreadyUsed
	case u.state != "open" || !now.Before(u.expires):
		return voucher.ErrSessionOver
	case u.of.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	case u.servicePoint != servicePoint:
		return voucher.ErrOtherServicePoint
	}
	return nil
}

// worth is what the first n of a voucher's items are worth of one of its sums.
func (v *ticket) worth(part int, n int64) int64 {
	switch x := v.sums[part]; {
	case v.of.gift > 0:
		return x * n / v.total
	case n == v.total:
		return x
	default:
		return x / v.total * n
	}
}

// price is what the payer paid for the items after the first from, up to the one of number to.
func (v *ticket) price(from, to int64) (sum int64) {
	for part := range v.sums {
		sum += v.worth(part, to) - v.worth(part, from)
	}
	return sum
}

func (v *ticket) used() int64 { return v.total - v.left - v.out }

// rest is the price of what is left.
func (v *ticket) rest() int64 { return v.price(v.used(), v.total-v.out) }

// kept is how many items were not taken back.
func (v *ticket) kept() int64 {
	if v.state == voucher.Refunded || v.state == voucher.Void {
		return v.used()
	}
	return v.total - v.out
}

// keptPrice is the price of what was not taken back. What was issued in the place of a use counts where that was used.
func (v *ticket) keptPrice() int64 {
	if v.undoes {
		return -v.price(v.kept(), v.total)
	}
	return v.price(0, v.kept())
}

// keptCommission is the agent's part of it.
func (v *ticket) keptCommission() int64 {
	if v.undoes {
		return v.worth(2, v.kept()) - v.worth(2, v.total)
	}
	return v.worth(2, v.kept())
}

// earn takes the seller's part of a use.
func (s *shop) earn(v *ticket, items, earned int64) (fits bool) {
	exact := v.worth(0, v.used()+items) - v.worth(0, v.used())
	v.left, v.paid = v.left-items, v.paid+earned
	s.add(ledger.Unearned, -earned)
	s.add(ledger.Payable, earned)
	return earned == exact
}

func (u *use) close(state string) {
	u.state = state
	u.of.use = nil
	switch {
	case u.of.left == 0:
		u.of.state = voucher.Used
	case u.of.state == voucher.InUse:
		u.of.state = voucher.Ready
	}
}

// lapse ends the validity of what is past its last day; the rest of it is breakage, or goes to the holder's wallet, where it pays
// what he owes first.
func (s *shop) lapse(now time.Time) {
	credited := map[*buyer]bool{}
	var about []written
	defer func() { s.writeOf(about) }()
	for _, v := range s.vouchers {
		if !v.due(now) {
			continue
		}
		if v.use != nil {
			v.use.close("expired")
		}
		if v.gift != nil {
			s.end(v.gift, voucher.Returned)
		}
		if v.offer != nil {
			s.offSale(v.offer, voucher.Ended)
		}
		v.state = voucher.Expired
		rest := v.worth(0, v.total-v.out) - v.worth(0, v.used())
		s.add(ledger.Unearned, -rest)
		if !v.of.toWallet {
			about = append(about, written{Customer: v.holder, Kind: message.VoucherExpired})
			s.add(ledger.Breakage, rest)
			continue
		}
		about = append(about, written{Customer: v.holder, Kind: message.VoucherExpired, Received: rest})
		v.owner.balance += rest
		v.comesBack(rest, now)
		if rest > 0 && v.owner.debt > 0 {
			credited[v.owner] = true
		}
	}
	for _, b := range s.buyers {
		if credited[b] {
			s.collect(b, true, now)
		}
	}
}

// capture takes a payment in: for what the charge was asked for if that still waits, else into the wallet.
func (s *shop) capture(c *chargeState, ids func() []uuid.UUID, now time.Time) {
	s.add(ledger.GatewayOwn, -c.amount)
	late := c.state != "awaiting"
	switch {
	case c.pays != nil && !late:
		s.settle(c.pays, ids(), now)
	case c.offer != nil && c.offer.paying == c:
		s.sell(c.offer, c.who, c.id, c, now)
	default:
		kind := message.MoneyKept
		if c.pays == nil && c.offer == nil {
			kind = message.MoneyToppedUp
		}
		s.credit(c, kind, now)
		c.credited = true
	}
	c.state, c.captured = "captured", now
	s.notifyOf(c, "captured", late)
}

// credit puts a payment into the wallet, where it pays what is owed first.
func (s *shop) credit(c *chargeState, kind message.Kind, now time.Time) {
	s.write(c.who.id, kind, 1, c.amount)
	c.who.balance += c.amount
	if c.who.debt > 0 {
		s.collect(c.who, true, now)
	}
	s.notify(c.who, notice.Event{Topic: "wallet"})
}

// listed has the back office receive that charges have changed.
func (s *shop) listed() { s.put(notice.TableUpdate{Table: "depositqrtransaction"}, 0) }

// takeBack is money that the gateway has no more: the payer's, as far as this payment put it into his wallet and it is there, and
// the rest he owes.
func (s *shop) takeBack(c *chargeState, by int64, now time.Time) {
	put := c.amount
	if !c.credited {
		put = c.came().back
	}
	for _, o := range c.outs {
		if o.wallet && o.state != "failed" {
			put -= o.amount
		}
	}
	from := max(0, min(c.who.balance, put-c.taken, by))
	c.who.balance, c.taken, c.owed = c.who.balance-from, c.taken+from, c.owed+by-from
	if from > 0 {
		c.takes = now
	}
	s.add(ledger.GatewayOwn, by)
	s.add(ledger.ChargebackReceivable, from-by)
}

// giveBack is money that a bank returns: first what is owed for it, then what the shop bore or wrote off.
func (s *shop) giveBack(c *chargeState, now time.Time) {
	by := c.disputed
	paid := min(c.owed, by)
	restored := min(c.borne, by-paid)
	rest := by - paid - restored
	c.disputed, c.bank, c.owed, c.taken, c.borne = 0, 0, c.owed-paid, c.taken-rest, c.borne-restored
	c.who.balance += rest
	s.add(ledger.Payable, restored)
	if rest > 0 && !c.credited && c.came().returns.IsZero() {
		c.came().returns = now
	}
	s.add(ledger.GatewayOwn, -by)
	s.add(ledger.ChargebackReceivable, paid)
}

// followed is what is done and sent after the gateway said something new of a charge.
func (s *shop) followed(c *chargeState, credited bool, now time.Time) {
	s.listed()
	s.collect(c.who, credited, now)
	s.notify(c.who, notice.Event{Topic: "wallet"})
}

// collect does for everything that a buyer's charges owe what tenants/refund/README.md says: what was sent back takes unused items, what
// a bank holds back freezes vouchers or voids them, money that came in pays what is left, and what came along for nothing and the
// commission follow. It reports whether anything changed.
func (s *shop) collect(b *buyer, credited bool, now time.Time) (changed bool) {
	var owing []*chargeState
	for _, c := range s.charges {
		if c.who == b && c.owed > 0 {
			owing = append(owing, c)
		}
	}
	slices.SortFunc(owing, func(a, b *chargeState) int {
		return cmp.Or(a.captured.Compare(b.captured), bytes.Compare(a.id[:], b.id[:]))
	})
	open, found := map[*chargeState]int64{}, s.found()
	changed = s.letGo(b)
	for _, c := range owing {
		took, over := s.sentItems(c, now)
		changed, credited = changed || took, credited || over
		lost := c.dispute == payment.DisputeLost && c.disputed > 0
		all := c.allBack() && c.owed > 0
		list, covered := s.standing(c), int64(0)
		slices.SortStableFunc(list, func(a, b *ticket) int { return btoi(a.frozen == nil) - btoi(b.frozen == nil) })
		for _, v := range list {
			switch {
			case lost && c.bank > 0:
				rest := c.bank - min(c.bank, v.rest(), c.owed) // the bank's part first
				credited = s.takeItems(c, v, v.left, c.owed, voucher.Void, now) || credited
				c.bank, changed = rest, true
			case covered < c.owed || all && !lost:
				covered += v.rest()
				changed = s.freeze(v, c) || changed
			case v.frozen != nil:
				v.thaw()
				changed = true
			}
		}
		open[c] = max(0, c.owed-covered)
	}
	for _, c := range owing {
		if paid := min(open[c], b.balance); credited && paid > 0 {
			b.balance, c.owed, open[c], changed = b.balance-paid, c.owed-paid, open[c]-paid, true
			c.bank, c.takes = min(c.bank, c.owed), now
			s.add(ledger.ChargebackReceivable, paid)
		}
	}
	unpaid := s.unpaid(owing, open)
	changed = s.followPaid(b, owing, unpaid) || changed
	s.commissions(b, unpaid)
	for o := range s.touched { // whose payer is locked by a job
		if o.who != b && o.commission > 0 {
			s.put(charge.SettleJob{Customer: o.by}, 0)
			s.unsettled = append(s.unsettled, o.by)
		}
	}
	b.debt = 0
	for _, c := range owing {
		b.debt += open[c]
		changed = c.decide(now) || changed
	}
	s.inform(b, found)
	if changed {
		s.listed()
	}
	return changed
}

// found is what collect finds of each voucher: its state, and how many items have left it.
func (s *shop) found() map[*ticket]ticket {
	s.beyond, s.touched = map[*ticket]int64{}, map[*orderState]bool{}
	found := map[*ticket]ticket{}
	for _, v := range s.vouchers {
		found[v] = ticket{state: v.state, out: v.out, frozen: v.frozen}
	}
	return found
}

// inform writes to the holders what became of each voucher.
func (s *shop) inform(b *buyer, found map[*ticket]ticket) {
	var about []written
	for _, v := range s.vouchers {
		m := written{Customer: v.holder, Received: s.beyond[v]}
		if v.owner == b {
			m.Customer = b.id
		}
		switch was := found[v]; {
		case v.out != was.out || v.state != was.state && !v.live():
			m.Kind = message.VoucherTakenBack
		case v.frozen != nil && was.frozen == nil:
			m.Kind = message.VoucherFrozen
		case v.state != voucher.Frozen && was.frozen != nil:
			m.Kind = message.VoucherReleased
		default:
			continue
		}
		about = append(about, m)
	}
	s.writeOf(about)
}

// allBack reports whether all of a payment is back that paid an order: the gateway sent it, or a bank holds it.
func (c *chargeState) allBack() bool { return !c.credited && c.refunded+c.sent+c.disputed >= c.amount }

// freeze stops a voucher for a charge, unless one stopped it before.
func (s *shop) freeze(v *ticket, c *chargeState) (changed bool) {
	if v.frozen != nil {
		return false
	}
	s.stop(v)
	v.state, v.frozen = voucher.Frozen, c
	return true
}

// thaw is where no money is asked back for it any more; the shop may hold it still.
func (v *ticket) thaw() {
	v.frozen = nil
	if v.held.IsZero() {
		v.state = voucher.Ready
	}
}

// refuseFreeze is what stands against freezing it for the shop, or nil.
func (v *ticket) refuseFreeze(now time.Time) error {
	switch {
	case !v.held.IsZero():
		return voucher.ErrFrozenAlready
	case v.state == voucher.Used:
		return voucher.ErrAlreadyUsed
	case v.state == voucher.Refunded:
		return voucher.ErrRefunded
	case v.state == voucher.Void:
		return voucher.ErrVoid
	case v.state == voucher.Expired || v.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	}
	return nil
}

// hold freezes a voucher for the shop.
func (s *shop) hold(v *ticket, now time.Time) {
	s.stop(v)
	v.state, v.held = voucher.Frozen, now
	s.write(v.holder, message.VoucherFrozenByShop, 1, 0)
	s.put(notice.TableUpdate{Table: "voucher"}, 0)
}

// refuseRelease is what stands against its release by the shop, or nil.
func (v *ticket) refuseRelease() error {
	switch {
	case v.held.IsZero() && v.state == voucher.Frozen:
		return voucher.ErrFrozen
	case v.held.IsZero():
		return voucher.ErrNotFrozen
	}
	return nil
}

// letUse ends the shop's freeze: each day that it began, and that no closure gave back, is added to the voucher's validity.
func (s *shop) letUse(v *ticket, now time.Time) {
	days, day := 0, clock.Day(v.held)
	for at := v.held; at.Before(now); at = at.Add(24 * time.Hour) {
		if !slices.ContainsFunc(v.returned, day.Equal) {
			days++
		}
		v.released, day = append(slices.Clone(v.released), day), day.AddDate(0, 0, 1)
	}
	v.held, v.until = time.Time{}, v.until.AddDate(0, 0, days)
	if v.frozen == nil {
		v.state = voucher.Ready
		s.write(v.holder, message.VoucherReleasedByShop, 1, 0)
	}
	s.put(notice.TableUpdate{Table: "voucher"}, 0)
}

// followPaid has what came along for nothing follow what was paid for it.
func (s *shop) followPaid(b *buyer, owing []*chargeState, unpaid map[uuid.UUID]int64) (changed bool) {
	for _, v := range s.vouchers {
		o := v.order
		if o.who != b || o.total == 0 || v.rest() > 0 || v.resale != nil || !v.live() {
			continue
		}
		own := s.direct(o)
		lost := own != nil && own.allBack() && own.dispute == payment.DisputeLost && own.disputed > 0
		held := own != nil && own.allBack() && own.owed > 0
		kept := s.keptOf(o)
		switch {
		case own != nil && own.refunded+own.sent >= own.amount:
			s.takeAway(v, voucher.Refunded)
		case lost:
			s.takeAway(v, voucher.Void)
		case kept == 0 && !s.soldOn(o):
			s.takeAway(v, o.last)
		case held || kept > 0 && unpaid[o.id] == kept:
			if v.frozen != nil && v.frozen.owed > 0 {
				continue
			}
			v.frozen = nil
			s.freeze(v, owing[slices.IndexFunc(owing, func(c *chargeState) bool { return c.owed > 0 && s.standsFor(c, s.purchase(o)) })])
		case v.frozen != nil:
			v.thaw()
		default:
			continue
		}
		changed = true
	}
	return changed
}

// soldOn reports whether something of an order was sold on.
func (s *shop) soldOn(o *orderState) bool {
	return slices.ContainsFunc(s.vouchers, func(v *ticket) bool { return v.order == o && v.resale != nil })
}

// direct is the charge that paid an order itself, or nil.
func (s *shop) direct(o *orderState) *chargeState {
	for _, c := range s.charges {
		if c.pays == o && c.state == "captured" && !c.credited {
			return c
		}
	}
	return nil
}

// keptOf is what was paid for what of an order was not taken back.
func (s *shop) keptOf(o *orderState) (price int64) {
	for _, v := range s.vouchers {
		if v.order == o {
			price += v.keptPrice()
		}
	}
	return price
}

// letGo releases what stands for a charge that owes no more.
func (s *shop) letGo(b *buyer) (changed bool) {
	for _, v := range s.vouchers {
		if v.frozen != nil && v.frozen.who == b && v.frozen.owed == 0 {
			v.thaw()
			changed = true
		}
	}
	return changed
}

// sentItems takes items away for what was sent back.
func (s *shop) sentItems(c *chargeState, now time.Time) (took, credited bool) {
	for _, v := range s.standing(c) {
		sent := c.owed - c.bank
		if n := v.fits(sent); n > 0 {
			took, credited = true, s.takeItems(c, v, n, sent, voucher.Refunded, now) || credited
		}
	}
	return took, credited
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// decide opens, follows or ends what the shop has to decide about what was sent back.
func (c *chargeState) decide(now time.Time) (changed bool) {
	sent, before := c.owed-c.bank, c.undecided
	c.undecided = sent
	switch {
	case sent == 0:
		c.due = time.Time{}
	case sent > before:
		c.due = now.Add(7 * 24 * time.Hour)
	}
	return sent != before
}

// bear is where the shop's time to decide is over.
func (s *shop) bear(now time.Time) {
	debtors := map[uuid.UUID]*buyer{}
	for _, c := range s.charges {
		if c.owed > 0 {
			debtors[c.by] = c.who
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(debtors), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }) {
		b, bore := debtors[id], false
		for _, c := range s.charges {
			if c.who != b || c.owed == 0 {
				continue
			}
			by := min(c.owed-c.bank, s.books[ledger.Payable]-s.mayBeObjectedTo(now)-s.denied())
			if c.due.IsZero() || c.due.After(now) || by <= 0 || c.dispute == payment.DisputeOpen {
				continue
			}
			s.pay(c, by)
			bore = c.decide(now) || bore
		}
		if !bore {
			continue
		}
		if !s.collect(b, false, now) {
			s.listed()
		}
		s.notify(b, notice.Event{Topic: "wallet"})
	}
}

// pay has the shop pay some of what a charge owes, of what it has earned.
func (s *shop) pay(c *chargeState, by int64) {
	c.owed, c.borne = c.owed-by, c.borne+by
	c.bank = min(c.bank, c.owed)
	s.add(ledger.Payable, -by)
	s.add(ledger.ChargebackReceivable, by)
}

// payFor has the shop pay some of what a charge owes because somebody decided so.
func (s *shop) payFor(c *chargeState, by int64, now time.Time) {
	s.pay(c, by)
	c.decide(now)
	if !s.collect(c.who, false, now) {
		s.listed()
	}
	s.notify(c.who, notice.Event{Topic: "wallet"})
}

// debt is what a charge owes and no frozen voucher stands for.
func (s *shop) debt(c *chargeState) int64 {
	debt := c.owed
	for _, v := range s.vouchers {
		if v.frozen == c {
			debt -= v.rest()
		}
	}
	return max(0, debt)
}

// refuseUnearned is what stands against the shop's paying so much, or nil.
func (s *shop) refuseUnearned(by int64, now time.Time) error {
	if s.books[ledger.Payable]-s.mayBeObjectedTo(now)-s.denied() < by {
		return refund.ErrNotEarned
	}
	return nil
}

// refuseGoodwill is what stands against giving so much back for a use, or nil.
func (u *spent) refuseGoodwill(by int64, now time.Time) error {
	switch {
	case u.who.gone:
		return voucher.ErrHolderGone
	case u.state == objection.Open || u.state == objection.Undone:
		return refund.ErrGoodwillOpen
	case u.state == "" && now.Before(objection.Until(u.at)):
		return refund.ErrGoodwillEarly
	case u.given+by > u.of.price(u.since, u.since+u.items):
		return refund.ErrGoodwillMost
	}
	return nil
}

// giveForUse gives so much back to who used something.
func (s *shop) giveForUse(u *spent, by int64, now time.Time) {
	u.given += by
	u.who.balance += by
	s.add(ledger.Payable, -by)
	s.collect(u.who, true, now)
	s.write(u.who.id, message.UseGoodwill, 1, by)
	s.notify(u.who, notice.Event{Topic: "wallet"})
}

// mayBeObjectedTo is what uses earned to which somebody may still object.
func (s *shop) mayBeObjectedTo(now time.Time) (sum int64) {
	for _, u := range s.spent {
		if u.state == "" && now.Before(objection.Until(u.at)) {
			sum += u.earned - u.partners
		}
	}
	return sum
}

// refuseObject is what stands against objecting to a use, or nil.
func refuseObject(u *spent, b *buyer, now time.Time) error {
	switch {
	case b.refused() != nil:
		return b.refused()
	case u.by != b.id:
		return objection.ErrNotFound
	case u.state != "":
		return objection.ErrMade
	case !now.Before(objection.Until(u.at)):
		return objection.ErrTooLate
	}
	return nil
}

// due reports whether a use that was objected to is undone by itself.
func (u *spent) due(now time.Time) bool {
	return u.state == objection.Open && !now.Before(u.made.Add(48*time.Hour))
}

// stands gives the shop what was held.
func (s *shop) stands(u *spent) {
	u.state = objection.Stands
	s.add(ledger.UseObjection, -u.earned)
	s.add(ledger.Payable, u.earned-u.partners)
	s.add(ledger.CommissionPending, u.partners)
	s.write(u.by, message.UseStands, 1, 0)
	s.put(notice.TableUpdate{Table: "objection"}, 0)
}

// undo makes a voucher of what was used; its payer's charges may owe it.
func (s *shop) undo(u *spent, id uuid.UUID, now time.Time) {
	u.state = objection.Undone
	s.add(ledger.UseObjection, -u.earned)
	s.add(ledger.Unearned, u.earned)
	v := u.of
	anew := &ticket{
		id: id, parent: v, order: v.order, owner: u.who, holder: u.by, of: v.of, extra: v.extra, state: voucher.Ready, total: u.items, left: u.items, transfers: u.transfers,
		until: clock.Day(now).AddDate(0, 0, 30), since: clock.Day(now), returned: v.returned, released: v.released, resale: u.resale, handed: u.handed, undoes: true,
	}
	if v.until.After(anew.until) {
		anew.until = v.until
	}
	for part := range anew.sums {
		anew.sums[part] = v.worth(part, u.since+u.items) - v.worth(part, u.since)
	}
	s.vouchers = append(s.vouchers, anew)
	s.write(u.by, message.UseUndone, 1, 0)
	s.put(notice.TableUpdate{Table: "objection"}, 0)
	s.collect(s.paidFor(anew).who, false, now)
}

// request is a refund that waits for a second person, or has waited; of a wish or a taking, that it is granted; a debt that is written off, or money for a use.
type request struct {
	id   uuid.UUID
	debt *chargeState
	use  *spent
	sum  int64 // of these
	out  *out
	made bool // what is said of that
	wish *wish
	take *taking
	of   *orderState
	list []some
	left []int64   // items that had left each of these
	from uuid.UUID // who held them
	row  uuid.UUID // of the member whose points
	n    int64     // are given, or taken
	at   time.Time
	over bool
}

func (a *request) waits(now time.Time) bool { return !a.over && now.Before(a.at.Add(3*24*time.Hour)) }

// refuseRequest is what stands against approving it now, or nil.
func (s *shop) refuseRequest(a *request, now time.Time) error {
	switch {
	case a.debt != nil:
		if s.debt(a.debt) != a.sum {
			return refund.ErrDebtChanged
		}
		return s.refuseUnearned(a.sum, now)
	case a.use != nil:
		if err := a.use.refuseGoodwill(a.sum, now); err != nil {
			return err
		}
		return s.refuseUnearned(a.sum, now)
	case a.out != nil && a.out.state == "done" && s.books[ledger.Payable] < a.out.amount:
		return payout.ErrNotCovered
	case a.out != nil:
		return nil // it waits for this answer alone
	case a.wish != nil:
		return a.wish.refuseGrant(now)
	case a.take != nil:
		return s.refuseTake(a.take)
	case a.n != 0:
		return s.refusePoints(a.row, a.n, now)
	}
	if err := refuseRefund(a.list, now); err != nil {
		return err
	}
	for i, part := range a.list {
		if part.of.out != a.left[i] || part.of.holder != a.from {
			return refund.ErrSumsChanged
		}
	}
	return nil
}

// inboxed has the back office's inbox of requests read anew.
func (s *shop) inboxed() { s.put(notice.TableUpdate{Table: "approval"}, 0) }

func (s *shop) ask(a *request) {
	for _, part := range a.list {
		a.left, a.from = append(a.left, part.of.out), part.of.holder
	}
	s.swept(a.at)
	s.requests = append(s.requests, a)
	s.inboxed()
}

func (s *shop) answered(a *request) {
	a.over = true
	s.inboxed()
}

func (s *shop) approve(a *request, now time.Time) {
	s.answered(a)
	switch {
	case a.debt != nil:
		s.payFor(a.debt, a.sum, now)
	case a.use != nil:
		s.giveForUse(a.use, a.sum, now)
	case a.out != nil && a.made:
		s.transferred(a.out)
	case a.out != nil:
		s.notTransferred(a.out, now)
	case a.wish != nil:
		s.grant(a.wish, now)
	case a.take != nil:
		s.payOut(a.take)
	case a.n != 0:
		s.adjustPoints(a, now)
	default:
		s.refund(a.list, false, refund.Wallet, now)
	}
}

func (s *shop) lapseAsked(now time.Time) {
	if s.swept(now) {
		s.inboxed()
	}
}

// swept ends the requests whose time is over.
func (s *shop) swept(now time.Time) (some bool) {
	for _, a := range s.requests {
		if !a.over && !a.waits(now) {
			a.over, some = true, true
		}
	}
	return some
}

// some is a voucher and how many of its items.
type some struct {
	of    *ticket
	items int64
}

// refuseRefund is what stands against refunding vouchers of one order, or nil.
func refuseRefund(list []some, now time.Time) error {
	paid := int64(0)
	for _, part := range list {
		v := part.of
		switch {
		case v.due(now):
			return voucher.ErrExpired
		case v.state != voucher.Ready && v.state != voucher.OnSale && v.state != voucher.InTransfer || part.items < v.left && v.state != voucher.Ready:
			return map[voucher.State]error{
				voucher.InUse: voucher.ErrInUse, voucher.OnSale: voucher.ErrOnSale, voucher.InTransfer: voucher.ErrInTransfer, voucher.Frozen: voucher.ErrFrozen,
				voucher.Used: voucher.ErrAlreadyUsed, voucher.Expired: voucher.ErrExpired, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
			}[v.state]
		case part.items > v.left:
			return voucher.ErrTooFew
		case v.holder != list[0].of.holder:
			return refund.ErrTwoHolders
		}
		paid += v.price(v.total-v.out-part.items, v.total-v.out)
	}
	if paid == 0 {
		return refund.ErrNothing
	}
	return nil
}

// fee is what the shop keeps of what was paid for the last items of a voucher if its payer has them refunded.
func (part some) fee() int64 {
	v := part.of
	till, kept := v.total-v.out, v.of.refunds.FeeBasisPoints
	return min(roundHalfUp(v.price(till-part.items, till), int64(kept)), v.worth(0, till)-v.worth(0, till-part.items))
}

// refuseOwnRefund is what stands against a refund by somebody who says that he paid for vouchers of one order, for a sum, or nil; rule: whether he makes it
// himself or asks for it.
func refuseOwnRefund(list []some, b *buyer, rule string, sum int64, now time.Time) error {
	o := list[0].of.order
	if err := b.refused(); err != nil {
		return err
	}
	if o.by != b.id {
		return fault.Missing
	}
	paid, comes, bySelf := int64(0), int64(0), false
	for _, part := range list {
		v, terms := part.of, o.of.refunds
		switch {
		case v.holder != b.id || v.handed:
			return refund.ErrNotYours
		case terms.Rule == "none":
			return refund.ErrNotOffered
		case clock.Day(now).After(clock.Day(o.paid).AddDate(0, 0, int(terms.Days))):
			return refund.ErrTooLate
		case terms.Rule == "asking" && rule == "self":
			return refund.ErrByAsking
		case terms.Rule == "self" && rule == "asking":
			bySelf = true
		}
	}
	for _, part := range list {
		v := part.of
		switch {
		case v.due(now):
			return voucher.ErrExpired
		case v.state != voucher.Ready:
			return notReady[v.state]
		case part.items > v.left:
			return voucher.ErrTooFew
		}
		paid += v.price(v.total-v.out-part.items, v.total-v.out)
		comes += v.price(v.total-v.out-part.items, v.total-v.out) - part.fee()
	}
	switch {
	case paid == 0:
		return refund.ErrNothing
	case bySelf:
		return refund.ErrBySelf
	case comes != sum:
		return refund.ErrSumsChanged
	case comes == 0:
		return refund.ErrNothing
	}
	return nil
}

// notReady is what each state but ready says of a refund by its payer.
var notReady = map[voucher.State]error{
	voucher.InUse: voucher.ErrInUse, voucher.OnSale: voucher.ErrOnSale, voucher.InTransfer: voucher.ErrInTransfer, voucher.Frozen: voucher.ErrFrozen,
	voucher.Used: voucher.ErrAlreadyUsed, voucher.Expired: voucher.ErrExpired, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
}

// wish is a refund that a payer asked for. of has what he named, and out how many items had left each voucher then.
type wish struct {
	id      uuid.UUID
	by      *buyer
	payer   uuid.UUID // under which row
	of      []some
	out     []int64
	sum     int64
	state   string
	renewed bool
	to      refund.Method // if it can go there
}

// rest is what is left of it: the named items that nobody has used, and that nobody else has held.
func (q *wish) rest() (list []some) {
	for i, part := range q.of {
		v := part.of
		gone := v.state == voucher.Used || v.state == voucher.Refunded || v.state == voucher.Void || v.holder != q.payer || v.handed
		if n := min(part.items-(v.out-q.out[i]), v.left); n > 0 && !gone {
			list = append(list, some{v, n})
		}
	}
	return list
}

// whole reports whether all of it is left.
func (q *wish) whole() bool {
	rest := q.rest()
	return len(rest) == len(q.of) && !slices.ContainsFunc(q.of, func(part some) bool { return !slices.Contains(rest, part) })
}

// comes is what goes to the wallet for items of its payer's.
func comes(list []some) (sum int64) {
	for _, part := range list {
		v := part.of
		sum += v.price(v.total-v.out-part.items, v.total-v.out) - part.fee()
	}
	return sum
}

// wait refuses what is not ready.
func wait(list []some, now time.Time) error {
	for _, part := range list {
		if part.of.due(now) {
			return voucher.ErrExpired
		}
		if part.of.state != voucher.Ready {
			return notReady[part.of.state]
		}
	}
	return nil
}

// wishOf is the wish that waits of an order, or nil.
func (s *shop) wishOf(o *orderState) *wish {
	i := slices.IndexFunc(s.wishes, func(q *wish) bool { return q.state == "asked" && q.of[0].of.order == o })
	if i < 0 {
		return nil
	}
	return s.wishes[i]
}

// wished has somebody ask for something.
func (s *shop) wished(id uuid.UUID, b *buyer, list []some, to refund.Method) {
	q := &wish{id: id, by: b, payer: b.id, of: list, sum: comes(list), state: "asked", to: to}
	for _, part := range list {
		q.out = append(q.out, part.of.out)
	}
	s.wishes = append(s.wishes, q)
	s.wishesListed()
}

// withdrawAll ends what somebody asked for who is erased.
func (s *shop) withdrawAll(b *buyer) {
	some := false
	for _, q := range s.wishes {
		if q.state == "asked" && q.payer == b.id {
			q.state, some = "withdrawn", true
		}
	}
	if some {
		s.wishesListed()
	}
	for _, q := range s.cashouts {
		if q.state == "asked" && q.row == b.id {
			q.state = "withdrawn"
			s.cashoutsListed()
		}
	}
}

// taking is what a buyer asks to be paid out of his wallet.
type taking struct {
	id      uuid.UUID
	by      *buyer
	row     uuid.UUID // under which row
	sum     int64
	account bool // he has named a bank account
	state   string
}

// fills are what filled a buyer's wallet, the newest first, and how much of a sum goes back to each; all is how much may go back at most.
func (s *shop) fills(b *buyer, sum int64) (list []*chargeState, parts []int64, all int64) {
	for _, c := range s.payments() {
		if c.who == b && c.state == "captured" && c.credited && c.left() > 0 {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *chargeState) int {
		return cmp.Or(b.captured.Compare(a.captured), bytes.Compare(b.id[:], a.id[:]))
	})
	for _, c := range list {
		all += c.left()
		if part := min(c.left(), sum); part > 0 {
			parts, sum = append(parts, part), sum-part
		}
	}
	return list[:len(parts)], parts, min(all, b.balance)
}

// byBank reports whether some of a sum would be transferred.
func (s *shop) byBank(b *buyer, sum int64) bool {
	list, _, _ := s.fills(b, sum)
	return slices.ContainsFunc(list, func(c *chargeState) bool { return !c.card })
}

// refuseTaking is what stands against asking for a sum, or nil.
func (s *shop) refuseTaking(b *buyer, sum int64, account bool) error {
	_, _, most := s.fills(b, sum)
	switch {
	case b.refused() != nil:
		return b.refused()
	case b.debt > 0:
		return cashout.ErrOwes
	case sum > most:
		return cashout.ErrTooMuch
	case s.byBank(b, sum) && !account:
		return fault.At("account", fault.Required)
	case slices.ContainsFunc(s.cashouts, func(q *taking) bool { return q.by == b && q.state == "asked" }):
		return cashout.ErrRequested
	}
	return nil
}

// refusePay is what stands against paying it, or nil.
func (s *shop) refuseTake(q *taking) error {
	_, _, most := s.fills(q.by, q.sum)
	switch {
	case q.state != "asked":
		return cashout.ErrOver
	case q.by.debt > 0:
		return cashout.ErrOwes
	case q.sum > most || s.byBank(q.by, q.sum) && !q.account:
		return cashout.ErrChanged
	}
	return nil
}

func (s *shop) asksToTake(q *taking) {
	s.cashouts = append(s.cashouts, q)
	s.cashoutsListed()
}

// payOut is where the shop pays it.
func (s *shop) payOut(q *taking) {
	list, parts, _ := s.fills(q.by, q.sum)
	q.state = "approved"
	s.cashoutsListed()
	q.by.balance -= q.sum
	s.add(ledger.BankClearing, q.sum)
	for i, c := range list {
		o := &out{id: s.paidOut(q.id, c.id), amount: parts[i], state: "open", bank: !c.card, wallet: true, of: c}
		c.outs = append(c.outs, o)
		if o.bank {
			s.transfersListed()
		} else {
			s.put(charge.RemitJob{Remittance: o.id}, 0)
		}
	}
	s.write(q.by.id, message.CashoutApproved, 1, q.sum)
	s.notify(q.by, notice.Event{Topic: "wallet"})
}

// refuseToPay is where the shop does not pay it.
func (s *shop) refuseToPay(q *taking) {
	q.state = "refused"
	s.cashoutsListed()
	s.write(q.by.id, message.CashoutRefused, 1, 0)
}

func (s *shop) cashoutsListed() { s.put(notice.TableUpdate{Table: "cashout"}, 0) }

// wishesListed has the back office's list of wishes read anew.
func (s *shop) wishesListed() { s.put(notice.TableUpdate{Table: "refundrequest"}, 0) }

// refuseGrant is what stands against granting it, or nil.
func (q *wish) refuseGrant(now time.Time) error {
	switch {
	case q.state != "asked":
		return refund.ErrRequestOver
	case !q.whole():
		return refund.ErrRequestChanged
	}
	return wait(q.of, now)
}

// answerWish ends it, and informs its payer.
func (s *shop) answerWish(q *wish, state string, says message.Kind) {
	q.state = state
	s.wishesListed()
	s.write(q.payer, says, 1, 0)
}

// grant refunds it.
func (s *shop) grant(q *wish, now time.Time) {
	q.state = "done"
	s.wishesListed()
	kind := message.RefundGranted
	if s.refuseTo(q.to, q.of, q.sum) == nil {
		kind = map[refund.Method]message.Kind{refund.Wallet: kind, refund.Card: message.RefundToCard, refund.Bank: message.RefundToBank}[q.to]
	}
	s.refundAs(q.of, kind, now)
}

// refund gives back to who holds vouchers of one order what was paid for some of their items; own: because he who paid for them changed his mind.
func (s *shop) refund(list []some, own bool, to refund.Method, now time.Time) {
	kind := map[bool]message.Kind{false: message.VoucherRefunded, true: message.MoneyRefunded}[own]
	switch to {
	case refund.Card:
		kind = map[bool]message.Kind{false: message.VoucherToCard, true: message.MoneyToCard}[own]
	case refund.Bank:
		kind = message.MoneyToBank
	case refund.Wallet:
	}
	s.refundAs(list, kind, now)
}

// refundAs does so; kind: what its holder reads of it. Of what the shop refunds of itself it keeps nothing.
func (s *shop) refundAs(list []some, kind message.Kind, now time.Time) {
	holder, payer, sum := list[0].of, list[0].of.order.who, int64(0)
	about := []written{}
	toBank := slices.Contains([]message.Kind{message.MoneyToBank, message.RefundToBank}, kind)
	outside := toBank || slices.Contains([]message.Kind{message.MoneyToCard, message.VoucherToCard, message.RefundToCard}, kind)
	s.found()
	for _, part := range list {
		v, before := part.of, part.of.kept()
		price, kept := v.price(v.total-v.out-part.items, v.total-v.out), int64(0)
		if kind != message.VoucherRefunded && kind != message.VoucherToCard {
			kept = part.fee()
		}
		if part.items == v.left {
			s.takeAway(v, voucher.Refunded)
		} else {
			v.left, v.out = v.left-part.items, v.out+part.items
			s.took(v.order, voucher.Refunded)
		}
		share, fee := v.worth(0, before)-v.worth(0, v.kept()), v.worth(1, before)-v.worth(1, v.kept())
		s.add(ledger.Unearned, -share)
		s.add(ledger.PlatformFee, -fee)
		s.add(ledger.ChargebackReceivable, share+fee-price)
		s.add(ledger.Payable, kept)
		if !outside {
			v.comesBack(price-kept, now)
		}
		sum += price - kept
		about = append(about, written{Customer: v.holder, Kind: kind, Received: price - kept})
	}
	if slices.Contains([]message.Kind{message.RefundGranted, message.RefundToCard, message.RefundToBank}, kind) { // one of the wish, however many vouchers that names
		s.write(holder.holder, kind, 1, sum)
	} else {
		s.writeOf(about)
	}
	if outside {
		c := s.direct(holder.order)
		on := &out{id: s.remittance(), amount: sum, state: "open", bank: toBank, of: c}
		c.outs = append(c.outs, on)
		s.add(ledger.BankClearing, sum)
		if toBank {
			s.transfersListed()
		} else {
			s.put(charge.RemitJob{Remittance: on.id}, 0)
		}
		if !s.collect(payer, false, now) {
			s.listed()
		}
		return
	}
	holder.owner.balance += sum
	s.notify(holder.owner, notice.Event{Topic: "wallet"})
	if holder.owner != payer {
		s.put(charge.SettleJob{Customer: holder.holder}, 0)
		s.unsettled = append(s.unsettled, holder.holder)
	}
	if !s.collect(payer, holder.owner == payer, now) {
		s.listed()
	}
}

// reissue gives a voucher another code for the shop: a use under way ends.
func (s *shop) reissue(v *ticket) {
	if v.state == voucher.InUse {
		s.stop(v)
		v.state = voucher.Ready
	}
	s.write(v.holder, message.VoucherReissued, 1, 0)
	s.put(notice.TableUpdate{Table: "voucher"}, 0)
}

// due reports whether its last day is over, and no worker has ended it.
func (v *ticket) due(now time.Time) bool {
	return slices.Contains([]voucher.State{voucher.Ready, voucher.InUse, voucher.InTransfer, voucher.OnSale}, v.state) && v.until.Before(clock.Day(now))
}

// refuseExtend is what stands against its being valid until a day for the shop, or nil.
func (v *ticket) refuseExtend(until, now time.Time) error {
	switch {
	case v.state == voucher.Expired && v.of.toWallet:
		return voucher.ErrPaidOut
	case v.state == voucher.Expired && (v.owner.gone || slices.Contains(v.owner.former, v.holder)):
		return voucher.ErrHolderGone
	case v.state == voucher.Used:
		return voucher.ErrAlreadyUsed
	case v.state == voucher.Refunded:
		return voucher.ErrRefunded
	case v.state == voucher.Void:
		return voucher.ErrVoid
	case !until.After(v.until) || until.Before(clock.Day(now)):
		return voucher.ErrNotLater
	}
	return nil
}

// extend gives a voucher another last day for the shop. What was over is ready again, and stands for what its payer owes.
func (s *shop) extend(v *ticket, until, now time.Time) {
	over, payer := v.state == voucher.Expired, s.paidFor(v).who
	v.until = until
	holder := v.holder
	if v.owner == payer {
		holder = payer.id
	}
	s.write(holder, message.VoucherExtended, 1, 0)
	s.put(notice.TableUpdate{Table: "voucher"}, 0)
	if !over {
		return
	}
	v.state = voucher.Ready
	rest := v.worth(0, v.total-v.out) - v.worth(0, v.used())
	s.add(ledger.Unearned, rest)
	s.add(ledger.Breakage, -rest)
	s.collect(payer, false, now)
}

// closure is the days on which one of the shop's places was closed.
type closure struct {
	place       int // of the shop's
	first, last time.Time
}

func (c closure) has(day time.Time) bool { return !day.Before(c.first) && !day.After(c.last) }

// closedDays are the days of a closure on which what a package sells could be used nowhere.
func (s *shop) closedDays(c closure, p *pack) (days []time.Time) {
	for day := c.first; !day.After(c.last); day = day.AddDate(0, 0, 1) {
		elsewhere := slices.ContainsFunc(s.closures, func(o closure) bool { return o.place != c.place && o.has(day) })
		if p.servicePoint != nil && c.place == 0 || p.servicePoint == nil && elsewhere {
			days = append(days, day)
		}
	}
	return days
}

// daysBack are those of a closure's days that a voucher gets back, and its last day then.
func (s *shop) daysBack(v *ticket, c closure) (days []time.Time, last time.Time) {
	last = v.until
	if v.left == 0 || v.until.Before(c.first) || !slices.Contains([]voucher.State{voucher.Ready, voucher.InUse, voucher.OnSale, voucher.InTransfer, voucher.Frozen, voucher.Expired}, v.state) {
		return nil, last
	}
	for _, day := range s.closedDays(c, v.of) {
		if !day.After(last) && !day.Before(v.since) && !slices.ContainsFunc(v.returned, day.Equal) && !slices.ContainsFunc(v.released, day.Equal) {
			days, last = append(days, day), last.AddDate(0, 0, 1)
		}
	}
	return days, last
}

// refuseVoid is what stands against ending it for the shop, or nil.
func (v *ticket) refuseVoid(now time.Time) error {
	switch {
	case v.state == voucher.Used:
		return voucher.ErrAlreadyUsed
	case v.state == voucher.Refunded:
		return voucher.ErrRefunded
	case v.state == voucher.Void:
		return voucher.ErrVoid
	case v.state == voucher.Expired || v.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	}
	return nil
}

// void ends a voucher for the shop: what was paid for the rest is its holder's, or first what is owed for it.
func (s *shop) void(v *ticket, now time.Time) {
	s.found()
	c, price, before, b := v.frozen, v.rest(), v.kept(), v.order.who
	credited, received := false, int64(0)
	switch {
	case c != nil && price > 0:
		b = c.who
		credited = s.takeItems(c, v, v.left, c.owed, voucher.Void, now)
		received = s.beyond[v]
		if credited {
			s.notify(b, notice.Event{Topic: "wallet"})
		}
	case c != nil:
		b = c.who
		s.takeAway(v, voucher.Void)
	default:
		s.takeAway(v, voucher.Void)
		if received = price; price == 0 {
			break
		}
		share, fee := v.worth(0, before)-v.worth(0, v.kept()), v.worth(1, before)-v.worth(1, v.kept())
		s.add(ledger.Unearned, -share)
		s.add(ledger.PlatformFee, -fee)
		s.add(ledger.ChargebackReceivable, share+fee-price)
		v.comesBack(price, now)
		v.owner.balance += price
		s.notify(v.owner, notice.Event{Topic: "wallet"})
		if credited = v.owner == b; !credited {
			s.put(charge.SettleJob{Customer: v.holder}, 0)
			s.unsettled = append(s.unsettled, v.holder)
		}
	}
	holder := v.holder
	if v.owner == b {
		holder = b.id
	}
	s.write(holder, message.VoucherVoidedByShop, 1, received)
	s.put(notice.TableUpdate{Table: "voucher"}, 0)
	touched := s.touched
	if !s.collect(b, credited, now) {
		s.listed()
	}
	for o := range touched { // whose payer is locked by a job
		if !s.touched[o] && o.who != b && o.commission > 0 {
			s.put(charge.SettleJob{Customer: o.by}, 0)
			s.unsettled = append(s.unsettled, o.by)
		}
	}
}

// live reports whether it can still be used, or could if it were not frozen.
func (v *ticket) live() bool {
	return v.state == voucher.Ready || v.state == voucher.InUse || v.state == voucher.InTransfer || v.state == voucher.OnSale || v.state == voucher.Frozen
}

// standing are the vouchers that can still be used, are worth something and may stand for a charge: the payer's own before what he gave
// away, and of these the newest first. What was sold on is paid for by who bought it.
func (s *shop) standing(c *chargeState) (list []*ticket) {
	by := map[*ticket]*purchase{}
	for _, v := range s.vouchers {
		if v.live() && v.rest() > 0 && (v.frozen == nil || v.frozen == c) && s.standsFor(c, s.paidFor(v)) {
			by[v] = s.paidFor(v)
			list = append(list, v)
		}
	}
	given := func(v *ticket) int { return btoi(v.holder != by[v].by) } // to somebody else, or he has it under another row
	slices.SortFunc(list, func(a, b *ticket) int {
		return cmp.Or(given(a)-given(b), by[b].at.Compare(by[a].at), bytes.Compare(by[b].id[:], by[a].id[:]), bytes.Compare(b.id[:], a.id[:]))
	})
	return list
}

// comesBack is some of an order's worth in its holder's wallet, if that is the payer's.
func (v *ticket) comesBack(satang int64, now time.Time) {
	if v.owner == v.order.who {
		v.order.comes(satang, now)
	}
	if v.resale != nil && v.resale.paid.charge != nil && v.owner == v.resale.paid.who {
		v.resale.paid.charge.comes(satang, now)
	}
}

func (c *comeback) comes(satang int64, now time.Time) {
	c.back += satang
	if satang > 0 && c.returns.IsZero() {
		c.returns = now
	}
}

// standsFor reports whether a purchase may be made with a charge's money, or with money that this one's went for.
func (s *shop) standsFor(c *chargeState, p *purchase) bool {
	may, look := map[*chargeState]bool{c: true}, []*chargeState{c}
	for ; len(look) > 0; look = look[1:] {
		one := look[0]
		since := one.captured
		if !one.credited {
			if one == p.charge {
				return true
			}
			since = one.came().returns
		}
		if since.IsZero() {
			continue
		}
		if p.who == c.who && p.charge == nil && !p.at.IsZero() && !p.at.Before(since) {
			return true
		}
		for _, other := range s.charges {
			if other.who == c.who && !may[other] && !other.takes.Before(since) {
				may[other], look = true, append(look, other)
			}
		}
	}
	return false
}

// fits is how many of the last items a sum takes back: whole ones, or as many satang as reach it.
func (v *ticket) fits(sum int64) (n int64) {
	end := v.total - v.out
	if sum == 0 {
		return 0
	}
	for n < v.left {
		if v.of.gift > 0 && v.price(end-n, end) >= sum || v.of.gift == 0 && v.price(0, n+1) > sum {
			break
		}
		n++
	}
	return n
}

// takeItems takes the last n items away for what a charge owes; what they cost beyond that is the holder's.
func (s *shop) takeItems(c *chargeState, v *ticket, n, owed int64, over voucher.State, now time.Time) (credited bool) {
	end, before := v.total-v.out, v.kept()
	price := v.price(end-n, end)
	if n == v.left {
		s.takeAway(v, over)
	} else {
		s.stop(v)
		v.left, v.out = v.left-n, v.out+n
		s.took(v.order, over)
	}
	share, fee := v.worth(0, before)-v.worth(0, v.kept()), v.worth(1, before)-v.worth(1, v.kept())
	by := min(price, owed)
	beyond := price - by
	if v.owner == c.who { // the shop has first what it bore
		restored := min(c.borne, beyond)
		c.borne, beyond = c.borne-restored, beyond-restored
		s.add(ledger.Payable, restored)
	}
	c.owed -= by
	c.bank = min(c.bank, c.owed)
	v.owner.balance += beyond
	s.beyond[v] += beyond
	v.comesBack(beyond, now)
	if v.owner != c.who && beyond > 0 {
		s.put(charge.SettleJob{Customer: v.holder}, 0)
		s.unsettled = append(s.unsettled, v.holder)
		s.notify(v.owner, notice.Event{Topic: "wallet"})
	}
	s.add(ledger.Unearned, -share)
	s.add(ledger.PlatformFee, -fee)
	s.add(ledger.ChargebackReceivable, share+fee-(price-by))
	return beyond > 0 && v.owner == c.who
}

// takeAway ends all that is left of a voucher.
func (s *shop) takeAway(v *ticket, over voucher.State) {
	s.stop(v)
	v.state, v.frozen, v.held = over, nil, time.Time{}
	s.took(v.order, over)
}

// took is where something of an order was taken back; when nothing stays of it, its stock is free.
func (s *shop) took(o *orderState, over voucher.State) {
	o.last, o.state, o.returned = over, "refunded", true
	s.touched[o] = true
	for _, v := range s.vouchers {
		if v.order == o && v.kept() > 0 {
			o.state, o.returned = "part_refunded", false
		}
	}
	if o.returned {
		o.of.sold -= o.n
	}
}

// stop ends a use, a gift or an offer under way.
func (s *shop) stop(v *ticket) {
	if v.offer != nil {
		s.offSale(v.offer, voucher.Stopped)
	}
	if v.gift != nil {
		s.end(v.gift, voucher.Stopped)
	}
	if v.use != nil {
		s.notify(v.owner, notice.Event{Topic: "use", ID: &v.use.id, State: "cancelled"})
		v.use.close("cancelled")
	}
}

// unpaid is what of each purchase is not paid: what its frozen vouchers stand for, and of what nothing stands for, the newest.
func (s *shop) unpaid(owing []*chargeState, open map[*chargeState]int64) map[uuid.UUID]int64 {
	unpaid, price, list := map[uuid.UUID]int64{}, map[uuid.UUID]int64{}, []*purchase{}
	for _, o := range s.orders {
		price[o.id], list = s.keptOf(o), append(list, s.purchase(o))
	}
	for _, f := range s.offers {
		if f.paid != nil {
			price[f.paid.id], list = f.price, append(list, f.paid)
		}
	}
	for _, c := range owing {
		rest := c.owed
		for _, v := range s.standing(c) {
			if v.frozen == c {
				by := min(rest, v.rest())
				unpaid[s.paidFor(v).id], rest = unpaid[s.paidFor(v).id]+by, rest-by
			}
		}
	}
	slices.SortFunc(list, func(a, b *purchase) int { return cmp.Or(b.at.Compare(a.at), bytes.Compare(b.id[:], a.id[:])) })
	for _, c := range owing {
		rest := open[c]
		for _, p := range list {
			if s.standsFor(c, p) {
				by := min(rest, max(0, price[p.id]-unpaid[p.id]))
				unpaid[p.id], rest = unpaid[p.id]+by, rest-by
			}
		}
	}
	return unpaid
}

// commissions leaves the agent what is paid of what was not taken back.
func (s *shop) commissions(b *buyer, unpaid map[uuid.UUID]int64) {
	price, commission := map[*orderState]int64{}, map[*orderState]int64{}
	for _, v := range s.vouchers {
		price[v.order] += v.keptPrice()
		commission[v.order] += v.keptCommission()
	}
	for _, o := range s.orders {
		if o.who != b || o.paid.IsZero() {
			continue
		}
		keeps, recruiting := o.paidOf(commission[o], price[o], unpaid[o.id])
		s.add(ledger.ChargebackReceivable, o.kept-keeps)
		if o.denied {
			s.add(ledger.Payable, keeps-o.kept)
		} else {
			s.add(ledger.CommissionPending, keeps-o.kept)
		}
		o.kept, o.recruiting, o.price, o.unpaid = keeps, recruiting, price[o], unpaid[o.id]
	}
}

// paidOf is what is paid of a part of the commission, and what of that is the recruiter's: of any part he has the same part.
func (o *orderState) paidOf(commission, price, unpaid int64) (whole, recruiter int64) {
	if price <= 0 || o.commission == 0 {
		return 0, 0
	}
	part := func(of, by, all int64) int64 { return (2*of*by + all) / (2 * all) }
	return part(commission, price-unpaid, price), part(part(commission, o.recruits, o.commission), price-unpaid, price)
}

// refuseErase is what stands against erasing somebody, or nil.
func (s *shop) refuseErase(b *buyer, now time.Time) error {
	holds := func(v *ticket) bool {
		return v.owner == b && slices.Contains([]voucher.State{voucher.Ready, voucher.InUse, voucher.InTransfer, voucher.OnSale, voucher.Frozen}, v.state)
	}
	mayPay := func(c *chargeState) bool {
		return c.who == b && (c.state == "awaiting" || c.state == "expired" && c.expires.Add(-charge.Lifetime).After(now.Add(-charge.StillPayable)))
	}
	switch {
	case b.refused() != nil:
		return b.refused()
	case b.debt > 0:
		return privacy.ErrDebt
	case b.balance > 0:
		return privacy.ErrWallet
	case slices.ContainsFunc(s.vouchers, holds):
		return privacy.ErrVouchers
	case slices.ContainsFunc(s.charges, mayPay):
		return privacy.ErrPayment
	case b == s.buyers[0] && s.commissionToCome():
		return privacy.ErrCommission
	case slices.ContainsFunc(s.spent, func(u *spent) bool { return u.who == b && u.state == objection.Open }):
		return privacy.ErrObjection
	case s.cardOf(b, func(a *wanted) bool { return a.state == "pending" }) != nil:
		return privacy.ErrCard
	}
	return nil
}

// commissionToCome reports whether the agent has commission, or may have it: of an order that waits for its money, or again, when what
// is owed for an order is paid. What he was paid out is his, and does not come any more.
func (s *shop) commissionToCome() bool {
	whole := map[*orderState]int64{}
	for _, v := range s.vouchers {
		whole[v.order] += v.keptCommission()
	}
	return s.toCome() > 0 || slices.ContainsFunc(s.payouts, (*paying).underWay) || slices.ContainsFunc(s.orders, func(o *orderState) bool {
		all, recruiter := o.paidOf(whole[o], 1, 0)
		return o.state == "awaiting" && o.commission > 0 || !o.denied && all-recruiter > o.kept-o.recruiting
	})
}

// comeAgain lets somebody who was erased be a new customer with the money that came for him since. It pays first what he owes.
func (s *shop) comeAgain(b *buyer, id uuid.UUID, now time.Time) {
	b.former, b.id, b.gone = append(b.former, b.id), id, false
	s.collect(b, b.balance > 0, now)
}

// giveUp ends a charge that nobody paid.
func (s *shop) giveUp(c *chargeState, state string, now time.Time) {
	if c.state != "awaiting" {
		return
	}
	c.state = state
	s.notifyOf(c, state, false)
	if c.pays != nil {
		c.pays.state, c.pays.over = "expired", now
		c.pays.of.sold -= c.pays.n
	}
	if f := c.offer; f != nil && f.paying == c {
		f.state, f.paying, c.over = "open", nil, now
		for _, person := range []*buyer{f.from, c.who} {
			s.notify(person, notice.Event{Topic: "offer", ID: &f.id, State: "open"})
		}
	}
}
