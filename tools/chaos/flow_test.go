package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
	"welovevoucher/tools/harness"
)

// flows are ways in which people, gateways and time move money and vouchers, and the points at which each is killed: statements of
// one of its parts, in the process that runs it. Of the events that docs/domain.md, Money, lists they hold all that are built: a
// capture in time and one too late, both purchases, a use, one that is undone, an expiry, a resale, and a chargeback, which may be
// returned. An agent's commission is no flow of its own: it is a posting of the purchase that came over his link, and goes and comes
// back with the payment; TestPayoutKills kills where it is paid out. Not built are advances, member cards and adjustments.
var flows = []flow{
	{"a top-up", (*person).topUp, []point{
		{"asked for", "api", "INSERT INTO charge"},
		{"paid", "worker", "UPDATE charge SET state = 'captured'"},
		{"paid", "worker", "INSERT INTO entry"},
	}},
	{"a purchase from the wallet", (*person).buy, []point{
		{"came over a link", "api", "INSERT INTO link_visit"},
		{"bought", "api", "INSERT INTO idempotency"},
		{"bought", "api", "UPDATE wallet SET"},
		{"bought", "api", "INSERT INTO transfer"},
		{"bought", "api", "INSERT INTO entry"},
		{"bought", "api", "INSERT INTO commission ("},
		{"bought", "api", "UPDATE stock SET"},
		{"bought", "api", "INSERT INTO voucher"},
		{"bought", "api", "INSERT INTO outbox"},
	}},
	{"a purchase with a code", (*person).buyByCode, []point{
		{"bought with a code", "api", "INSERT INTO discount_use"},
		{"bought with a code", "api", "INSERT INTO line_discount"},
		{"bought with a code", "api", "UPDATE discount_count SET"},
	}},
	{"a purchase paid at the gateway", (*person).payDirectly, []point{
		{"ordered", "api", "INSERT INTO order_line"},
		{"paid", "worker", "UPDATE orders SET state = 'paid'"},
		{"paid", "worker", "INSERT INTO commission ("},
		{"paid", "worker", "INSERT INTO voucher"},
	}},
	{"an order given up, and paid all the same", (*person).payLate, []point{
		{"given up", "api", "UPDATE orders SET state = 'expired'"},
		{"given up", "api", "UPDATE stock SET"},
		{"paid", "worker", "INSERT INTO entry"},
	}},
	{"a use", (*person).use, []point{
		{"asked for", "api", "INSERT INTO use_session"},
		{"confirmed", "api", "UPDATE voucher SET items_left"},
		{"confirmed", "api", "INSERT INTO redemption"},
	}},
	{"an expiry", (*person).expire, []point{
		{"over", "worker", "UPDATE voucher SET state"},
		{"over", "worker", "INSERT INTO entry"},
	}},
	{"a payment sent back", (*person).sentBack, []point{
		{"sent back", "worker", "INSERT INTO charge_event"},
		{"sent back", "worker", "UPDATE charge SET refunded_satang"},
		{"sent back for an order", "worker", "UPDATE commission SET"},
		{"sent back for an order", "worker", "INSERT INTO commission_change"},
	}},
	{"a payment that a bank takes, and returns", (*person).dispute, []point{
		{"taken", "worker", "INSERT INTO charge_event"},
		{"returned", "worker", "INSERT INTO charge_event"},
		{"returned", "worker", "INSERT INTO entry"},
		{"taken for an order", "worker", "INSERT INTO commission_change"},
		{"returned for an order", "worker", "UPDATE commission SET"},
		{"returned for an order", "worker", "INSERT INTO commission_change"},
	}},
	{"a refund by the shop", (*person).beRefunded, []point{
		{"refunded", "api", "INSERT INTO refund ("},
		{"refunded", "api", "INSERT INTO refund_item"},
		{"refunded", "api", "INSERT INTO entry"},
		{"refunded", "api", "INSERT INTO voucher_event"},
	}},
	{"a refund that was asked for", (*person).askForRefund, []point{
		{"asked for a refund", "api", "INSERT INTO refund_request ("},
		{"granted", "api", "UPDATE refund_request SET"},
		{"granted", "api", "INSERT INTO refund ("},
		{"granted", "api", "INSERT INTO entry"},
	}},
	{"a gift", (*person).give, []point{
		{"given", "api", "INSERT INTO gift"},
		{"given", "api", "INSERT INTO voucher_event"},
		{"claimed", "api", "UPDATE gift SET state = 'claimed'"},
		{"claimed", "api", "UPDATE voucher SET state"},
		{"claimed", "api", "INSERT INTO message"},
	}},
	{"a gift that nobody claims", (*person).wait, []point{
		{"returned", "worker", "UPDATE gift SET state"},
		{"returned", "worker", "UPDATE voucher SET state"},
	}},
	{"a sale from person to person", (*person).sell, []point{
		{"offered", "api", "INSERT INTO offer"},
		{"bought", "api", "UPDATE offer SET state = 'sold'"},
		{"bought", "api", "INSERT INTO resale"},
		{"bought", "api", "INSERT INTO entry"},
		{"bought", "api", "UPDATE voucher SET state"},
	}},
	{"a sale from person to person, paid at the gateway", (*person).sellDirectly, []point{
		{"reserved", "api", "UPDATE offer SET state = 'reserved'"},
		{"reserved", "api", "INSERT INTO reservation"},
		{"paid", "worker", "UPDATE charge SET state = 'captured'"},
		{"paid", "worker", "INSERT INTO resale"},
		{"paid", "worker", "INSERT INTO entry"},
		{"paid", "worker", "UPDATE reservation SET state"},
	}},
	{"a use that the owner undoes", (*person).objectToUse, []point{
		{"objected", "api", "INSERT INTO objection"},
		{"objected", "api", "INSERT INTO entry"},
		{"decided", "api", "UPDATE objection SET state"},
		{"decided", "api", "INSERT INTO voucher ("},
		{"decided", "api", "INSERT INTO entry"},
	}},
	{"a use that the clock undoes", (*person).objectInVain, []point{
		{"undone by the clock", "worker", "UPDATE objection SET state"},
		{"undone by the clock", "worker", "INSERT INTO voucher ("},
		{"undone by the clock", "worker", "INSERT INTO entry"},
	}},
	{"a push", (*person).bePushed, []point{
		{"gathered", "worker", "INSERT INTO push ("},
		{"gathered", "worker", "UPDATE message SET push_id"},
		{"handed over", "worker", "UPDATE push SET state"},
	}},
}

// flow is what somebody does, in parts; each part is given to a stepper under its name.
type flow struct {
	name   string
	walk   func(*person, stepper) error
	points []point
}

// point is where a part of a flow can be met: a statement that contains these words.
type point struct{ part, role, words string }

// stepper does one part of a flow, whose transactions name an id; uuid.Nil is named by all.
type stepper func(part string, about uuid.UUID, do func() error) error

// inPeace is the stepper of whoever nothing happens to on purpose.
func inPeace(_ string, _ uuid.UUID, do func() error) error { return do() }

// charged is where the gateway waits for money.
type charged struct {
	ID       uuid.UUID
	ChargeID string `json:"charge_id"`
}

func (p *person) topUp(step stepper) error {
	_, err := p.topUpOnce(step)
	return err
}

func (p *person) topUpOnce(step stepper) (begun charged, err error) {
	err = step("asked for", p.id, func() error {
		refused, err := p.ask(p.phone, "/api/user/wallet/topup", body(map[string]any{"amount_satang": crowdTopUp, "method": "promptpay"}), &begun)
		return unexpected("a top-up", refused, err)
	})
	if err != nil {
		return begun, err
	}
	p.money += crowdTopUp
	return begun, step("paid", begun.ID, func() error { return p.settle(begun.ChargeID) })
}

// settle pays at the gateway, whose webhook comes once, twice, or never.
func (p *person) settle(charge string) error {
	return p.gateway(charge, "pay", map[string]any{"times": p.dice.IntN(3)})
}

func (p *person) gateway(charge, action string, how map[string]any) error {
	res, err := http.Post(p.of.Pay.URL+"/emulator/charges/"+charge+"/"+action, "application/json", bytes.NewReader(body(how)))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the gateway cannot %s %s: %s", action, charge, res.Status)
	}
	return nil
}

// arrived waits until his wallet holds what it should.
func (p *person) arrived() error {
	var wallet struct {
		Balance int64 `json:"balance_satang"`
	}
	return p.sees(fmt.Sprintf("%d satang", p.money), "/api/user/getwallet", []byte("null"), &wallet, func() bool { return wallet.Balance == p.money })
}

// sees waits until what he is shown is right.
func (p *person) sees(what, path string, body []byte, shown any, right func() bool) error {
	for began := time.Now(); time.Since(began) < timeout; time.Sleep(100 * time.Millisecond) {
		refused, err := p.ask(p.phone, path, body, shown)
		if err := unexpected("to look for "+what, refused, err); err != nil {
			return err
		}
		if right() {
			return nil
		}
	}
	return fmt.Errorf("%s not seen after %s", what, timeout)
}

// come opens the link that somebody was sent, if he was: what he buys from then on is the agent's sale.
func (p *person) come(step stepper) error {
	if p.link == "" {
		return nil
	}
	return step("came over a link", p.id, func() error {
		refused, err := p.ask(p.phone, "/api/user/link/open", body(map[string]any{"code": p.link}), &struct{}{})
		return unexpected("a link", refused, err)
	})
}

func (p *person) buy(step stepper) error {
	order, err := p.buyOnce(step, "bought", p.buys, crowdPrice)
	return p.keeps(order, err)
}

func (p *person) buyByCode(step stepper) error {
	order, err := p.buyOnce(step, "bought with a code", p.codes, crowdPrice-crowdLess)
	return p.keeps(order, err)
}

// keeps has a person use the vouchers of an order later.
func (p *person) keeps(order harness.Order, err error) error {
	for _, v := range order.Vouchers {
		p.unused = append(p.unused, v.ID)
	}
	return err
}

// buyOnce returns an order from the wallet, which is empty when he has no money for it.
func (p *person) buyOnce(step stepper, part string, cart []byte, price int64) (order harness.Order, err error) {
	if err := p.come(step); err != nil {
		return order, err
	}
	var refused string
	err = step(part, p.id, func() (err error) {
		refused, err = p.ask(p.phone, "/api/user/order/confirm", cart, &order)
		return err
	})
	if refused == "wallet.insufficient_balance" {
		return harness.Order{}, nil
	}
	if err := unexpected("a purchase", refused, err); err != nil {
		return order, err
	}
	p.money -= price
	p.paysFor(order.ID, price)
	return order, nil
}

func (p *person) payDirectly(step stepper) error {
	id, charge, err := p.order(step)
	if err != nil || id == uuid.Nil {
		return err
	}
	p.paysFor(id, crowdPrice)
	return step("paid", id, func() error { return p.settle(charge) })
}

func (p *person) giveUp(step stepper) error {
	_, _, err := p.givenUpOrder(step)
	return err
}

func (p *person) givenUpOrder(step stepper) (id uuid.UUID, charge string, err error) {
	id, charge, err = p.order(step)
	if err != nil || id == uuid.Nil {
		return id, charge, err
	}
	var order harness.Direct
	err = step("given up", id, func() error {
		refused, err := p.ask(p.phone, "/api/user/order/cancel", body(map[string]any{"id": id}), &order)
		return unexpected("to give an order up", refused, err)
	})
	if err == nil && order.State != "expired" {
		err = fmt.Errorf("an order that was given up is %s", order.State)
	}
	p.givenUp[id] = true
	return id, charge, err
}

// payLate pays an order that was given up: the money goes to the wallet.
func (p *person) payLate(step stepper) error {
	id, charge, err := p.givenUpOrder(step)
	if err != nil || id == uuid.Nil {
		return err
	}
	p.money += crowdPrice
	return step("paid", id, func() error { return p.gateway(charge, "pay", nil) })
}

func (p *person) use(step stepper) error {
	_, err := p.useOnce(step)
	return err
}

// useOnce returns the use; uuid.Nil when he has no money for a voucher.
func (p *person) useOnce(step stepper) (id uuid.UUID, err error) {
	if len(p.unused) == 0 {
		if err := p.buy(inPeace); err != nil || len(p.unused) == 0 {
			return id, err
		}
	}
	voucher := p.unused[0]
	var asked harness.Use
	var used struct{ ID uuid.UUID }
	err = step("asked for", p.id, func() error {
		refused, err := p.ask(p.phone, "/api/user/voucher/use", body(map[string]any{"voucher_id": voucher, "service_point_id": p.of.ServicePoint, "items": 1}), &asked)
		return unexpected("to use a voucher", refused, err)
	})
	if err != nil {
		return id, err
	}
	err = step("confirmed", asked.ID, func() error {
		shown := body(map[string]any{"code": qr(p.of.ID, asked.ID, asked.Secret, time.Now()), "service_point_id": p.of.ServicePoint})
		if _, err := p.ask(p.staff, "/api/staff/voucher/verify", shown, &json.RawMessage{}); err != nil {
			return err
		}
		refused, err := p.ask(p.staff, "/api/staff/voucher/confirm", body(map[string]any{"use_session_id": asked.ID, "service_point_id": p.of.ServicePoint}), &used)
		return unexpected("a use", refused, err)
	})
	if err != nil {
		return id, err
	}
	p.uses[used.ID] = true
	p.unused = append(p.unused[1:], voucher)
	if p.times[voucher]++; p.times[voucher] == itemsOfVoucher {
		p.unused = p.unused[:len(p.unused)-1]
	}
	return used.ID, nil
}

// overdue is what the timetable asks for every quarter of an hour.
type overdue struct{}

// Kind names the job.
func (overdue) Kind() string { return "voucher.expire" }

// What was sold is changed here behind the program's back; the audit compares it with the voucher's type only where that was not
// changed since.
const (
	ended      = `UPDATE voucher SET valid_until = valid_until - 365, issued_until = issued_until - 365 WHERE id = $1`
	changeType = `UPDATE voucher_type SET updated_at = $2 WHERE id = (SELECT template_id FROM voucher WHERE id = $1)`
)

// expire buys a voucher whose last day is over before it is used.
func (p *person) expire(step stepper) error {
	if err := p.buy(inPeace); err != nil || len(p.unused) == 0 {
		return err
	}
	last := len(p.unused) - 1
	voucher := p.unused[last]
	p.unused = p.unused[:last]
	p.expired[voucher] = true
	err := p.of.InOrgAsSuperuser(context.Background(), p.of.T, p.of.ID, func(tx db.Tx) error {
		tx.Queue(ended, voucher)
		tx.Queue(changeType, voucher, tx.Now)
		return nil
	})
	if err != nil {
		return err
	}
	return step("over", voucher, func() error {
		ctx := queue.NewWaker(p.of.Redis).With(context.Background())
		return p.of.DB.InOrg(ctx, p.of.ID, func(tx db.Tx) error {
			return queue.Enqueue(ctx, tx, overdue{})
		})
	})
}

// payInPeace pays an order at the gateway, and waits until he has its vouchers.
func (p *person) payInPeace() (id uuid.UUID, charge string, err error) {
	id, charge, err = p.order(inPeace)
	if err != nil || id == uuid.Nil {
		return id, charge, err
	}
	p.paysFor(id, crowdPrice)
	if err := p.gateway(charge, "pay", nil); err != nil {
		return id, charge, err
	}
	return id, charge, p.vouchersAre("ready", id)
}

// vouchersAre waits until those of an order are in a state.
func (p *person) vouchersAre(state string, id uuid.UUID) error {
	var order struct{ Vouchers []struct{ State string } }
	return p.sees("vouchers that are "+state, "/api/user/order/detail", body(map[string]any{"id": id}), &order, func() bool {
		return len(order.Vouchers) > 0 && order.Vouchers[0].State == state
	})
}

// sentBack is a top-up that the gateway returns, and then the payment of an order.
func (p *person) sentBack(step stepper) error {
	begun, err := p.topUpOnce(inPeace)
	if err != nil {
		return err
	}
	if err := p.arrived(); err != nil {
		return err
	}
	p.money -= crowdTopUp
	if err := step("sent back", begun.ID, func() error { return p.gateway(begun.ChargeID, "refund", nil) }); err != nil {
		return err
	}

	id, charge, err := p.payInPeace()
	if err != nil || id == uuid.Nil {
		return err
	}
	p.comesBack(id)
	return step("sent back for an order", id, func() error { return p.gateway(charge, "refund", nil) })
}

// dispute is a top-up that his bank takes back, until the organisation is found to be right, and then the payment of an order.
func (p *person) dispute(step stepper) error {
	begun, err := p.topUpOnce(inPeace)
	if err != nil {
		return err
	}
	for _, turn := range []struct {
		part, action string
		money        int64
	}{{"taken", "dispute", -crowdTopUp}, {"returned", "win", crowdTopUp}} {
		if err := p.arrived(); err != nil {
			return err
		}
		p.money += turn.money
		if err := step(turn.part, begun.ID, func() error { return p.gateway(begun.ChargeID, turn.action, nil) }); err != nil {
			return err
		}
	}

	id, charge, err := p.payInPeace()
	if err != nil || id == uuid.Nil {
		return err
	}
	if err := step("taken for an order", id, func() error { return p.gateway(charge, "dispute", nil) }); err != nil {
		return err
	}
	if err := p.vouchersAre("frozen", id); err != nil {
		return err
	}
	return step("returned for an order", id, func() error { return p.gateway(charge, "win", nil) })
}
