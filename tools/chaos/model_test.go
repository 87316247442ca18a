package chaos

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/pay"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/market"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// shop is what an organisation has to look like: plain numbers in memory, with arithmetic of their own. It is written
// from domain.md, not from the code that it judges.
type shop struct {
	buyers   []*buyer
	packages []*pack
	charges  []*charge
	orders   []*order
	vouchers []*ticket
	uses     []*use
	books    map[wallet.Kind]int64 // credits less debits, in satang
	jobs     []string              // every row of the outbox
}

const feeBasisPoints, agentBasisPoints = 300, 1000

type buyer struct {
	id        uuid.UUID
	balance   int64
	suspended bool
	visited   time.Time // the agent's link, or never
}

type pack struct {
	id              uuid.UUID
	price           int64
	vouchers, items int
	gift            int64 // satang, or 0 for items
	stock, limit    *int
	sold            int
	place           *uuid.UUID // nil means everywhere
}

type charge struct {
	id      uuid.UUID
	who     *buyer
	amount  int64
	pays    *order // nil for a top-up
	state   string
	expires time.Time

	credited                      bool // to the wallet, whatever it was asked for
	fee, refunded, disputed, owed int64
	dispute                       pay.Dispute
}

type order struct {
	id         uuid.UUID
	who        *buyer
	of         *pack
	n          int
	total      int64
	commission int64
	kept       int64 // of the commission, after what went back
	state      string
	made, over time.Time
}

type ticket struct {
	id          uuid.UUID
	order       *order
	owner       *buyer
	of          *pack
	state       voucher.State
	total, left int64
	share, paid int64
	transfers   int // that are left
	until       time.Time
	use         *use
}

type use struct {
	id      uuid.UUID
	of      *ticket
	items   int64
	place   uuid.UUID
	state   string
	expires time.Time
}

// roundHalfUp is amount × basis points ÷ 10,000.
func roundHalfUp(amount, basisPoints int64) int64 { return (2*amount*basisPoints + 10_000) / 20_000 }

func (s *shop) add(kind wallet.Kind, amount int64) { s.books[kind] += amount }

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

// tell has a buyer's screens told.
func (s *shop) tell(b *buyer, print notice.Print) {
	s.put(notice.Job{Audience: token.User, Subject: b.id, Print: print}, 0)
}

// tellOf has them told what became of a charge.
func (s *shop) tellOf(c *charge, state string, late bool) {
	topic := "topup"
	if c.pays != nil {
		topic = "order"
	}
	s.tell(c.who, notice.Print{Topic: topic, ID: &c.id, State: state, Late: late})
}

// asked writes a charge down, and when the gateway will be asked about it.
func (s *shop) asked(c *charge) {
	s.charges = append(s.charges, c)
	for _, after := range []time.Duration{30 * time.Second, 2 * time.Minute, 10*time.Minute + 2*time.Second, time.Hour, 24 * time.Hour} {
		s.put(wallet.CheckJob{Charge: c.id}, after)
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
	case b.suspended:
		return customer.ErrSuspended
	case stale:
		return market.ErrQuoteChanged
	case p.limit != nil && s.bought(b, p)+n > *p.limit:
		return market.ErrLimit
	}
	return nil
}

func (s *shop) bought(b *buyer, p *pack) (n int) {
	for _, o := range s.orders {
		if o.who == b && o.of == p && o.state != "expired" {
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
		return market.ErrWalletOnly
	case waiting >= 3:
		return market.ErrPayFirst
	case held > 10:
		return market.ErrHeldEnough
	}
	return nil
}

// book writes an order down and takes its stock.
func (s *shop) book(id uuid.UUID, b *buyer, p *pack, n int, now time.Time) *order {
	o := &order{id: id, who: b, of: p, n: n, total: p.price * int64(n), state: "awaiting", made: now}
	if s.agent(b, now) {
		o.commission = min(roundHalfUp(o.total, agentBasisPoints), o.total-roundHalfUp(o.total, feeBasisPoints))
	}
	p.sold += n
	s.orders = append(s.orders, o)
	return o
}

// settle shares an order's price out. The vouchers are the shop's word for how many and how long, ids comes from outside.
func (s *shop) settle(o *order, ids []uuid.UUID, now time.Time) {
	o.state, o.kept = "paid", o.commission
	fee := roundHalfUp(o.total, feeBasisPoints)
	s.add(wallet.PlatformFee, fee)
	s.add(wallet.CommissionPending, o.commission)
	s.add(wallet.Unearned, o.total-fee-o.commission)
	for _, id := range ids {
		items, transfers := int64(o.of.items), mostTransfers
		if o.of.gift > 0 {
			items, transfers = o.of.gift, 0 // without a limit, and so without a count
		}
		s.vouchers = append(s.vouchers, &ticket{
			id: id, order: o, owner: o.who, of: o.of, state: voucher.Ready, total: items, left: items, transfers: transfers,
			until: clock.Day(now).AddDate(0, 0, validDays),
		})
	}
}

// validDays is how long what tenanttest sells can be used; mostTransfers how often it may be given on, gifts but not.
const (
	validDays     = 90
	mostTransfers = 2
)

// refuseUse is what stands against asking to use, or nil. What is held longer than its ten minutes is not held.
func refuseUse(v *ticket, b *buyer, items int64, place uuid.UUID, now time.Time) error {
	held := v.state == voucher.InUse && now.Before(v.use.expires)
	switch {
	case b.suspended:
		return customer.ErrSuspended
	case v.owner != b:
		return voucher.ErrNotFound
	case v.state == voucher.Used:
		return voucher.ErrAlreadyUsed
	case v.state == voucher.Expired || v.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	case v.state == voucher.Frozen:
		return voucher.ErrNotReady
	case held:
		return voucher.ErrBusy
	case items > v.left:
		return voucher.ErrTooFew
	case v.of.place != nil && *v.of.place != place:
		return voucher.ErrPlace
	}
	return nil
}

// refuseConfirm is what stands against confirming a use, or nil.
func refuseConfirm(u *use, place uuid.UUID, now time.Time) error {
	switch {
	case u.state == "used":
		return voucher.ErrAlreadyUsed
	case u.state != "open" || !now.Before(u.expires):
		return voucher.ErrSessionOver
	case u.of.until.Before(clock.Day(now)):
		return voucher.ErrExpired
	case u.place != place:
		return voucher.ErrPlace
	}
	return nil
}

// earn takes the seller's part of a use. What an item is worth is known to the satang; a baht voucher may be cut a satang
// to either side, as long as its parts add up in the end.
func (s *shop) earn(v *ticket, items, earned int64) (fits bool) {
	after := v.left - items
	switch {
	case after == 0:
		fits = v.paid+earned == v.share
	case v.of.gift > 0:
		exact := v.share * (v.total - after) / v.total
		fits = v.paid+earned >= exact-1 && v.paid+earned <= exact+1
	default:
		fits = earned == v.share/v.total*items
	}
	v.left, v.paid = after, v.paid+earned
	s.add(wallet.Unearned, -earned)
	s.add(wallet.Payable, earned)
	return fits
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

// lapse ends the validity of what is past its last day; the rest of it is breakage.
func (s *shop) lapse(now time.Time) {
	for _, v := range s.vouchers {
		if !slices.Contains([]voucher.State{voucher.Ready, voucher.InUse}, v.state) || !v.until.Before(clock.Day(now)) {
			continue
		}
		if v.use != nil {
			v.use.close("expired")
		}
		v.state = voucher.Expired
		s.add(wallet.Unearned, v.paid-v.share)
		s.add(wallet.Breakage, v.share-v.paid)
	}
}

// capture takes a payment in: for what the charge was asked for if that still waits, else into the wallet.
func (s *shop) capture(c *charge, ids func() []uuid.UUID, now time.Time) {
	s.add(wallet.Gateway, -c.amount)
	late := c.state != "awaiting"
	if c.pays != nil && !late {
		s.settle(c.pays, ids(), now)
	} else {
		s.credit(c)
		c.credited = true
	}
	c.state = "captured"
	s.tellOf(c, "captured", late)
}

func (s *shop) credit(c *charge) {
	c.who.balance += c.amount
	s.tell(c.who, notice.Print{Topic: "wallet"})
}

// moved tells the back office that a charge has changed, and the buyer if it was his money.
func (s *shop) moved(c *charge, money bool) {
	s.put(notice.Update{Table: "depositqrtransaction"}, 0)
	if money {
		s.tell(c.who, notice.Print{Topic: "wallet"})
	}
}

// takeBack is money that the gateway has no more: the customer's, as far as it went to his wallet and is there, and the rest
// he owes.
func (s *shop) takeBack(c *charge, by int64) {
	from := int64(0)
	if c.credited {
		from = min(c.who.balance, by)
	}
	c.who.balance -= from
	c.owed += by - from
	s.add(wallet.Gateway, by)
	s.add(wallet.ChargebackReceivable, from-by)
	s.moved(c, true)
	s.hold(c)
}

// giveBack is money that a bank returns: first what is owed for it.
func (s *shop) giveBack(c *charge) {
	by := c.disputed
	paid := min(c.owed, by)
	c.disputed, c.owed = 0, c.owed-paid
	c.who.balance += by - paid
	s.add(wallet.Gateway, -by)
	s.add(wallet.ChargebackReceivable, paid)
	s.moved(c, true)
	s.hold(c)
}

// hold freezes what can still be used of an order whose payer has everything back, or whose bank holds it back. Its agent keeps
// the commission of what did not go back.
func (s *shop) hold(c *charge) {
	if c.pays == nil || c.credited {
		return
	}
	keeps := (2*c.pays.commission*(c.amount-c.refunded-c.disputed) + c.amount) / (2 * c.amount)
	s.add(wallet.ChargebackReceivable, c.pays.kept-keeps)
	s.add(wallet.CommissionPending, keeps-c.pays.kept)
	c.pays.kept = keeps
	whole := c.disputed > 0 || c.refunded >= c.amount
	for _, v := range s.vouchers {
		switch {
		case v.order != c.pays:
		case whole && (v.state == voucher.Ready || v.state == voucher.InUse):
			if v.use != nil {
				v.use.close("cancelled")
			}
			v.state = voucher.Frozen
		case !whole && v.state == voucher.Frozen:
			v.state = voucher.Ready
		}
	}
}

// giveUp ends a charge that nobody paid.
func (s *shop) giveUp(c *charge, state string, now time.Time) {
	if c.state != "awaiting" {
		return
	}
	c.state = state
	s.tellOf(c, state, false)
	if c.pays != nil {
		c.pays.state, c.pays.over = "expired", now
		c.pays.of.sold -= c.pays.n
	}
}
