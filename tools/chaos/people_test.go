package chaos

import (
	"bytes"
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
	"welovevoucher/tools/stage"
)

// crowd is people who go on using the platform while harm is done to it. What they were told to have happened is kept, and
// has to be found afterwards; what they were not answered they ask again, under the same key, until they are.
type crowd struct {
	*stage.Organisation
	stop   chan struct{}
	people []*person
	gone   sync.WaitGroup
}

// person is somebody with a phone, and what he knows to be true.
type person struct {
	of    *crowd
	id    uuid.UUID
	phone *stage.Browser
	door  *stage.Browser // whoever confirms what he uses
	dice  *rand.Rand
	buys  []byte // the body that buys one piece

	money   int64 // satang that the wallet holds when everything has come in
	paid    map[uuid.UUID]bool
	givenUp map[uuid.UUID]bool
	uses    map[uuid.UUID]bool
	unused  []uuid.UUID
	times   map[uuid.UUID]int // that a voucher was used
	unknown time.Duration     // the longest that he did not know what became of what he asked
	failed  error
}

const (
	crowdSize  = 5
	crowdPrice = 50_00
	crowdTopUp = 100_00
)

// gather lets new people come; they sign in, and begin when told to.
func gather(o *stage.Organisation, seed uint64) *crowd {
	c := &crowd{Organisation: o, stop: make(chan struct{})}
	for i := range crowdSize {
		p := &person{
			of: c, phone: o.Customer(fmt.Sprintf("U%d-%d", seed, i)), door: o.Owner, dice: rand.New(rand.NewPCG(seed, uint64(i))),
			paid: map[uuid.UUID]bool{}, givenUp: map[uuid.UUID]bool{}, uses: map[uuid.UUID]bool{}, times: map[uuid.UUID]int{},
		}
		p.id = stage.Must[struct{ ID uuid.UUID }](p.phone, "/api/user/profile/customer", "", nil).ID
		o.Rich(p.phone, 1_000_00)
		p.money = 1_000_00
		_, confirm := o.QuoteFor(p.phone)
		var err error
		p.buys, err = json.Marshal(confirm)
		require.NoError(o.T, err)
		c.people = append(c.people, p)
	}
	return c
}

// begin lets everybody act until end.
func (c *crowd) begin() {
	for _, p := range c.people {
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
	deeds := []func() error{p.topUp, p.buy, p.buy, p.payDirectly, p.giveUp, p.use, p.use}
	return deeds[p.dice.IntN(len(deeds))]()
}

// patience is how long somebody asks again before he calls it lost.
const patience = 90 * time.Second

// ask asks until there is an answer: a good one, whose detail goes into the last argument, or a refusal.
func (p *person) ask(b *stage.Browser, path string, body []byte, into any) (refused string, err error) {
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
		if time.Since(began) > patience {
			return "", fmt.Errorf("%s is not known after %s: %d %s %w", path, patience, r.Code, r.Fault, lost)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// charge is where the gateway waits for money.
type charged struct {
	ID       uuid.UUID
	ChargeID string `json:"charge_id"`
}

func (p *person) topUp() error {
	var begun charged
	if refused, err := p.ask(p.phone, "/api/user/wallet/topup", body(map[string]any{"amount_satang": crowdTopUp, "method": "promptpay"}), &begun); err != nil || refused != "" {
		return unexpected("a top-up", refused, err)
	}
	p.money += crowdTopUp
	return p.settle(begun.ChargeID)
}

// settle pays at the gateway, whose webhook comes once, twice, or never.
func (p *person) settle(charge string) error {
	res, err := http.Post(p.of.Pay.URL+"/emulator/charges/"+charge+"/pay", "application/json", bytes.NewReader(body(map[string]any{"times": p.dice.IntN(3)})))
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func (p *person) buy() error {
	var order stage.Order
	switch refused, err := p.ask(p.phone, "/api/user/order/confirm", p.buys, &order); {
	case refused == "wallet.insufficient_balance":
		return nil
	case err != nil || refused != "":
		return unexpected("a purchase", refused, err)
	}
	p.money -= crowdPrice
	p.paid[order.ID] = true
	for _, v := range order.Vouchers {
		p.unused = append(p.unused, v.ID)
	}
	return nil
}

// order asks for one that is paid at the gateway; uuid.Nil when he may not have another one yet.
func (p *person) order() (id uuid.UUID, charge string, err error) {
	direct := map[string]any{}
	if err := json.Unmarshal(p.buys, &direct); err != nil {
		return id, "", err
	}
	direct["method"] = "promptpay"
	var order struct {
		ID      uuid.UUID
		Payment charged
	}
	switch refused, err := p.ask(p.phone, "/api/user/order/pay", body(direct), &order); {
	case slices.Contains([]string{"market.pay_first", "market.held_enough", "market.wallet_only"}, refused): // his last ones wait for a lost webhook, or he gave too many up
		return uuid.Nil, "", nil
	case err != nil || refused != "":
		return id, "", unexpected("an order", refused, err)
	}
	return order.ID, order.Payment.ChargeID, nil
}

func (p *person) payDirectly() error {
	id, charge, err := p.order()
	if err != nil || id == uuid.Nil {
		return err
	}
	p.paid[id] = true
	return p.settle(charge)
}

func (p *person) giveUp() error {
	id, _, err := p.order()
	if err != nil || id == uuid.Nil {
		return err
	}
	var order stage.Direct
	if refused, err := p.ask(p.phone, "/api/user/order/cancel", body(map[string]any{"id": id}), &order); err != nil || refused != "" || order.State != "expired" {
		return unexpected("giving an order up "+order.State, refused, err)
	}
	p.givenUp[id] = true
	return nil
}

func (p *person) use() error {
	if len(p.unused) == 0 {
		return p.buy()
	}
	voucher := p.unused[0]
	var asked, used struct{ ID uuid.UUID }
	if refused, err := p.ask(p.phone, "/api/user/voucher/use", body(map[string]any{"voucher_id": voucher, "service_point_id": p.of.Place, "items": 1}), &asked); err != nil || refused != "" {
		return unexpected("to use a voucher", refused, err)
	}
	if refused, err := p.ask(p.door, "/api/staff/voucher/confirm", body(map[string]any{"use_session_id": asked.ID, "service_point_id": p.of.Place}), &used); err != nil || refused != "" {
		return unexpected("a use", refused, err)
	}
	p.uses[used.ID] = true
	p.unused = append(p.unused[1:], voucher)
	if p.times[voucher]++; p.times[voucher] == itemsOfVoucher {
		p.unused = p.unused[:len(p.unused)-1]
	}
	return nil
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

// unexpected is a refusal that nothing explains, or a loss.
func unexpected(what, refused string, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s was refused: %s", what, refused)
}

const paidOrders = `SELECT id FROM orders WHERE state = 'paid' AND customer_id = $1`

// check requires that all that people were told is there, and nothing else.
func (c *crowd) check() {
	c.T.Helper()
	for _, p := range c.people {
		require.Eventually(c.T, func() bool { return p.phone.Balance() == p.money }, time.Minute, 100*time.Millisecond, "all the money arrives")
		// An order whose webhook was lost is paid when the gateway is asked, half a minute after it was made.
		require.Eventually(c.T, func() bool { return len(p.paid) == len(c.ids(paidOrders, p)) }, time.Minute, 100*time.Millisecond, "every order is paid")
		require.Equal(c.T, p.paid, c.ids(paidOrders, p), "paid orders")
		require.Equal(c.T, p.givenUp, c.ids(`SELECT id FROM orders WHERE state <> 'paid' AND customer_id = $1`, p), "orders given up")
		require.Equal(c.T, p.uses, c.ids(`SELECT id FROM redemption WHERE customer_id = $1`, p), "uses")
	}
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
