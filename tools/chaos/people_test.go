package chaos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/commission"
	"welovevoucher/tools/harness"
)

// crowd is people who go on using the platform while harm is done to it. What they were answered is kept, and
// has to be found afterwards; what they were not answered they ask again, under the same key, until they are.
type crowd struct {
	*harness.Organisation
	agent  harness.Agent // who sent a link to some of them
	stop   chan struct{}
	people []*person
	mark   *person // one of them, to whom something happens on purpose
	friend *person // one of them, who does nothing but what the mark wants
	gone   sync.WaitGroup
}

// person is somebody with a phone, and what he knows to be true.
type person struct {
	of    *crowd
	id    uuid.UUID
	name  string // at LINE
	phone *harness.Browser
	staff *harness.Browser // confirms what he uses
	dice  *rand.Rand
	buys  []byte // the body that buys one piece
	codes []byte // the same with a code
	texts any    // that he accepts with a purchase
	link  string // that the agent sent him, or ""

	money   int64 // satang that the wallet holds when everything has come in
	paid    map[uuid.UUID]bool
	earns   map[uuid.UUID]sale // the agent, by each order that has a commission
	givenUp map[uuid.UUID]bool
	uses    map[uuid.UUID]bool
	expired map[uuid.UUID]bool
	handed  map[uuid.UUID]bool // vouchers that others gave or sold him
	anew    map[uuid.UUID]bool // uses that were undone, so that he has their items again
	unused  []uuid.UUID
	times   map[uuid.UUID]int // that a voucher was used
	unknown time.Duration     // the longest that he did not know what became of what he asked
	failed  error
}

const (
	crowdSize  = 5
	crowdPrice = 50_00
	crowdTopUp = 100_00
	crowdCode  = "CROWD"
	crowdLess  = 7_77 // by the code
)

// gather lets new people come; they sign in, and begin when the test says so.
func gather(o *harness.Organisation, seed uint64) *crowd {
	c := &crowd{Organisation: o, agent: o.Agent(fmt.Sprintf("U%d-agent", seed), agentBasisPoints), stop: make(chan struct{})}
	for i := range crowdSize + 2 {
		p := &person{
			of: c, name: fmt.Sprintf("U%d-%d", seed, i), staff: o.Owner, dice: rand.New(rand.NewPCG(seed, uint64(i))), handed: map[uuid.UUID]bool{}, anew: map[uuid.UUID]bool{},
			paid: map[uuid.UUID]bool{}, earns: map[uuid.UUID]sale{}, givenUp: map[uuid.UUID]bool{}, uses: map[uuid.UUID]bool{}, expired: map[uuid.UUID]bool{}, times: map[uuid.UUID]int{},
		}
		p.phone = o.Customer(p.name)
		if i == crowdSize || p.dice.IntN(2) == 0 {
			p.link = c.agent.Link
		}
		p.id = harness.MustPost[struct{ ID uuid.UUID }](p.phone, "/api/user/profile/customer", "", nil).ID
		o.FundWallet(p.phone, 1_000_00)
		p.money = 1_000_00
		_, confirm := o.QuoteFor(p.phone)
		p.texts = confirm["accepted"]
		_, coded := o.QuoteFor(p.phone, crowdCode)
		p.buys, p.codes = body(confirm), body(coded)
		c.people = append(c.people, p)
	}
	c.mark, c.friend = c.people[crowdSize], c.people[crowdSize+1]
	return c
}

// begin lets everybody but the mark and his friend act until end.
func (c *crowd) begin() {
	for _, p := range c.people[:crowdSize] {
		c.gone.Go(func() {
			for p.failed == nil {
				select {
				case <-c.stop:
					return
				case <-time.After(time.Duration(50+p.dice.IntN(150)) * time.Millisecond):
					p.failed = p.act()
				}
			}
		})
	}
}

// end waits until everybody has finished what he was about, and knows what became of it.
func (c *crowd) end() {
	c.T.Helper()
	close(c.stop)
	c.gone.Wait()
	for _, p := range c.people {
		require.NoError(c.T, p.failed)
	}
}

func (p *person) act() error {
	deeds := []func(*person, stepper) error{
		(*person).topUp, (*person).buy, (*person).buyByCode, (*person).payDirectly, (*person).giveUp, (*person).use, (*person).use,
	}
	return deeds[p.dice.IntN(len(deeds))](p, inPeace)
}

// timeout is how long somebody asks again before he calls it lost.
const timeout = 90 * time.Second

// ask asks until there is an answer: a good one, whose detail goes into the last argument, or a refusal.
func (p *person) ask(b *harness.Browser, path string, body []byte, into any) (refused string, err error) {
	key, began, unsure := uuid.NewString(), time.Now(), false
	for {
		r, lost := b.Try(path, key, body)
		switch {
		case lost == nil && r.Result:
			if unsure {
				p.unknown = max(p.unknown, time.Since(began))
			}
			return "", json.Unmarshal(r.Detail, into)
		case lost == nil && r.Code == http.StatusTooManyRequests: // he is faster than people may be, and nothing happened
			_ = p.of.ForgetLimits() // Redis may be away just now; he asks again in any case
		case lost == nil && r.Code < http.StatusInternalServerError:
			return r.Fault, nil
		default: // it may have happened or not
			unsure = true
		}
		if time.Since(began) > timeout {
			return "", fmt.Errorf("%s is not known after %s: %d %s %w", path, timeout, r.Code, r.Fault, lost)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// order asks for one that is paid at the gateway; uuid.Nil when he may not have another one yet.
func (p *person) order(step stepper) (id uuid.UUID, charge string, err error) {
	if err := p.come(step); err != nil {
		return id, "", err
	}
	direct := map[string]any{}
	if err := json.Unmarshal(p.buys, &direct); err != nil {
		return id, "", err
	}
	direct["method"] = "promptpay"
	var order struct {
		ID      uuid.UUID
		Payment charged
	}
	var refused string
	err = step("ordered", p.id, func() (err error) {
		refused, err = p.ask(p.phone, "/api/user/order/pay", body(direct), &order)
		return err
	})
	if slices.Contains([]string{"order.pay_first", "order.too_many_reserved", "order.wallet_only"}, refused) { // his last ones wait for a lost webhook, or he gave too many up
		return uuid.Nil, "", nil
	}
	return order.ID, order.Payment.ChargeID, unexpected("an order", refused, err)
}

// paysFor keeps that an order of a price is paid, or will be.
func (p *person) paysFor(order uuid.UUID, price int64) {
	p.paid[order] = true
	if p.link != "" {
		p.earns[order] = sale{order, roundHalfUp(price, agentBasisPoints), "pending"}
	}
}

// comesBack keeps that an order's payment goes back whole.
func (p *person) comesBack(order uuid.UUID) {
	if of, is := p.earns[order]; is {
		of.State = "reversed"
		p.earns[order] = of
	}
}

// itemsOfVoucher is what stage sells.
const itemsOfVoucher = 3

func body(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of plain values always marshal
	}
	return text
}

// unexpected is a refusal that nothing explains, or a loss; nil is neither.
func unexpected(what, refused string, err error) error {
	if err != nil || refused == "" {
		return err
	}
	return fmt.Errorf("%s was refused: %s", what, refused)
}

const paidOrders = `SELECT id FROM orders WHERE paid_at IS NOT NULL AND customer_id = $1`

// check requires that all that people were answered is there, and nothing else.
func (c *crowd) check() {
	c.T.Helper()
	for _, p := range c.people {
		await(func() bool { return p.phone.Balance() == p.money })
		require.Equal(c.T, p.money, p.phone.Balance(), "all the money arrives")
		// An order whose webhook was lost is paid when the gateway is asked, half a minute after it was made.
		await(func() bool { return len(p.paid) == len(c.ids(paidOrders, p)) })
		require.Equal(c.T, p.paid, c.ids(paidOrders, p), "paid orders")
		require.Equal(c.T, p.givenUp, c.ids(`SELECT id FROM orders WHERE paid_at IS NULL AND customer_id = $1`, p), "orders given up")
		require.Equal(c.T, p.uses, c.ids(`SELECT id FROM redemption WHERE customer_id = $1`, p), "uses")
		require.Equal(c.T, p.expired, c.ids(`SELECT id FROM voucher WHERE state = 'expired' AND holder_id = $1`, p), "expired vouchers")
		p.checkHanded()
	}
	c.checkAgent()
}

// await waits a minute at most for what the worker has to do. It looks in the test's own goroutine: another one would go on asking
// when the test is over, and end the suite before it has written its seed down.
func await(done func() bool) {
	for began := time.Now(); !done() && time.Since(began) < time.Minute; {
		time.Sleep(100 * time.Millisecond)
	}
}

// sale is an order as the agent sees it.
type sale struct {
	ID         uuid.UUID
	Commission int64 `json:"commission_satang"`
	State      string
}

// checkAgent requires that the agent sees each order that was paid over his link once, and no other, and that what waits for
// him in the books is his part of those whose payment has not gone back. What has expired waits no more: a worker lets it mature within half a minute.
func (c *crowd) checkAgent() {
	c.T.Helper()
	var sales []sale
	var owed int64
	for _, p := range c.people {
		over := c.ids(`SELECT order_id FROM voucher WHERE state = 'expired' AND holder_id = $1`, p)
		for _, of := range p.earns {
			if over[of.ID] && of.State == "pending" {
				of.State = "payable"
			}
			sales = append(sales, of)
			if of.State == "pending" {
				owed += of.Commission
			}
		}
	}
	await(func() bool { return c.pending() == owed }) // a payment goes back when the worker learns of it
	require.Equal(c.T, owed, c.pending(), "satang that wait for the agent")
	require.ElementsMatch(c.T, sales, c.sales(), "sales of the agent")
	require.Equal(c.T, owed, harness.MustPost[struct {
		Pending int64 `json:"pending_satang"`
	}](c.agent.Browser, "/api/agent/summary", "", nil).Pending, "what the agent sees")
}

// sales are all of the agent's.
func (c *crowd) sales() (all []sale) {
	c.T.Helper()
	for after := map[string]any{}; ; {
		page := harness.MustPost[struct {
			Data []sale
			Next *uuid.UUID
		}](c.agent.Browser, "/api/agent/history", "", after)
		all = append(all, page.Data...)
		if page.Next == nil {
			return all
		}
		after["after"] = page.Next
	}
}

const entriesOf = `SELECT coalesce(sum(CASE WHEN credit_id = $1 THEN amount_satang ELSE -amount_satang END), 0) FROM entry WHERE $1 IN (credit_id, debit_id)`

// pending is what the agent's account holds, in satang.
func (c *crowd) pending() (satang int64) {
	c.T.Helper()
	require.NoError(c.T, c.DB.InOrg(c.T.Context(), c.ID, func(tx db.Tx) error {
		return tx.QueryRow(c.T.Context(), entriesOf, commission.Pending(c.agent.ID).ID(c.ID)).Scan(&satang)
	}))
	return satang
}

func (c *crowd) ids(sql string, p *person) map[uuid.UUID]bool {
	c.T.Helper()
	found := map[uuid.UUID]bool{}
	require.NoError(c.T, c.DB.InOrg(c.T.Context(), c.ID, func(tx db.Tx) error {
		rows, err := tx.Query(c.T.Context(), sql, p.id)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		for _, id := range ids {
			found[id] = true
		}
		return err
	}))
	return found
}

// longest is the longest that anybody did not know what became of what he asked.
func (c *crowd) longest() (d time.Duration) {
	for _, p := range c.people {
		d = max(d, p.unknown)
	}
	return d
}
