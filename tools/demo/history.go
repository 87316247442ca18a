package demo

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/cashout"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// So many days lie behind the demo: this month's figures have a month before them to stand beside.
const pastDays = 64

// history lives a shop's last weeks: the same use cases as behind the API, but in this process, because only here the clock can
// be set. Each day ends as it does on a running platform: vouchers expire, and the ledger's day is sealed. Its news and its looks
// back at paid charges are left out: thousands of them would stand before the first that somebody waits for.
type history struct {
	*shop
	clock      *clock.Clock
	db         *db.DB
	customers  *customer.Service
	agents     *agent.Service
	market     *order.Service
	charges    *charge.Service
	wallet     *wallet.Service
	vouchers   *voucher.Service
	gifts      *gift.Service
	board      *board.Service
	objections *objection.Service
	refunds    *refund.Service
	payouts    *payout.Service
	cashouts   *cashout.Service
	members    *member.Service
	holds      *hold.Service
	sessions   *session.Service
	approvals  *approval.Service
	box        *secret.Box

	dice      *rand.Rand
	door      token.Session
	known     []token.Session // customers, in the order in which they first came
	strangers []string        // names of those who have not come yet
	links     []string        // of the shop's agents
	firstSold uuid.UUID       // the first of them, who recruited the second
	sold      []int           // by package
	unused    []held
	runs      int // of payouts
	between   between
}

// held is a voucher that somebody may still come with, or something else that is his.
type held struct {
	who token.Session
	id  uuid.UUID
}

func (s *shop) addPast(ctx context.Context) (err error) {
	p, err := s.openPast(ctx)
	if err != nil {
		return err
	}
	defer p.db.Close()
	if err := p.live(ctx); err != nil {
		return fmt.Errorf("on %s: %w", p.clock.Now().In(clock.Bangkok).Format(time.DateTime), err)
	}
	if err := p.scheduleRuns(ctx); err != nil {
		return err
	}
	if err := p.db.InOrg(ctx, p.org, func(tx db.Tx) error { return queue.SkipDue(ctx, tx) }); err != nil {
		return err
	}
	return rollup.Build(ctx, p.db, p.org) // the names of facts were skipped as well
}

func (s *shop) openPast(ctx context.Context) (*history, error) {
	key, err := base64.StdEncoding.DecodeString(s.variable("MASTER_KEY"))
	if err != nil {
		return nil, fmt.Errorf("MASTER_KEY: %w", err)
	}
	box, err := secret.New(key)
	if err != nil {
		return nil, err
	}
	p := &history{shop: s, box: box, clock: &clock.Clock{}, sold: make([]int, len(s.packages)), strangers: slices.Clone(strangers)}
	p.between.verified = map[uuid.UUID]bool{}
	if p.db, err = s.database(ctx, p.clock); err != nil {
		return nil, err
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(s.o.Unique)) // a hash takes everything
	p.dice = rand.New(rand.NewPCG(seed.Sum64(), pastDays))
	services := tenants.New(tenants.Deps{DB: p.db, Box: box, Gateways: charge.GatewayConfig{
		Open:     func(charge.Keys) (payment.Gateway, error) { return promptPayer{}, nil },
		Platform: charge.Keys{Public: "pkey_test_past", Secret: "skey_test_past"},
	}})
	p.customers, p.agents, p.vouchers = services.Customer, services.Agent, services.Voucher
	p.charges, p.wallet, p.market = services.Charge, services.Wallet, services.Order
	p.payouts, p.cashouts, p.holds, p.sessions, p.members = services.Payout, services.Cashout, services.Hold, services.Session, services.Member
	p.approvals = approval.New(p.db, func(_ context.Context, _ uuid.UUID, a staff.Account, _, _ string) (bool, error) {
		return a.Role != staff.RoleUser, nil
	}, tenants.ApprovalKinds...)
	p.gifts, p.board, p.objections, p.refunds = services.Gift, services.Board, services.Objection, services.Refund
	p.door = token.Session{Audience: token.Staff, Org: s.org, Subject: s.doorID}
	p.dice.Shuffle(len(p.strangers), func(i, j int) { p.strangers[i], p.strangers[j] = p.strangers[j], p.strangers[i] })
	return p, nil
}

// restLongest is more than a demo takes to load.
const restLongest = 10 * time.Minute

// withoutTimetable calls fn while the workers' timetable rests: they live in the present, and would put uses of the past back,
// let its vouchers expire and seal its days before it was lived.
func (l *loader) withoutTimetable(ctx context.Context, fn func() error) error {
	d, err := l.database(ctx, &clock.Clock{})
	if err != nil {
		return err
	}
	defer d.Close()
	if err := queue.PauseSchedules(ctx, d, d.Now().Add(restLongest)); err != nil {
		return fmt.Errorf("let the timetable rest: %w", err)
	}
	err = fn()
	if again := queue.PauseSchedules(context.WithoutCancel(ctx), d, d.Now()); again != nil {
		err = errors.Join(err, fmt.Errorf("let the timetable go on: %w", again))
	}
	return err
}

func (l *loader) database(ctx context.Context, c *clock.Clock) (*db.DB, error) {
	address, err := hasty(l.variable("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	return db.Open(ctx, map[string]string{db.MainNode: address}, 2, c)
}

// hasty is a database that does not wait for its disk at each commit: a power cut in the first minute costs a demo nothing.
func hasty(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("DATABASE_URL is malformed")
	}
	query := u.Query()
	query.Set("synchronous_commit", "off")
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// variable of the program's environment; the last one that is set counts.
func (l *loader) variable(name string) string {
	for _, line := range slices.Backward(l.Environment) {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// moment is something that happens at a time.
type moment struct {
	at time.Time
	do func(context.Context) error
}

func (p *history) live(ctx context.Context) error {
	now := time.Now().Add(-time.Minute)
	today := clock.Day(now)
	first := today.AddDate(0, 0, -pastDays)
	p.set(clock.Start(first).Add(8 * time.Hour))
	if err := p.firstAgents(ctx); err != nil {
		return err
	}
	for i := range pastDays + 1 {
		day := first.AddDate(0, 0, i)
		for _, m := range p.plan(day, i) {
			if m.at.After(now) {
				return p.leaveCases(ctx, now)
			}
			p.set(m.at)
			if err := m.do(ctx); err != nil {
				return err
			}
		}
		if err := p.end(ctx, day, now); err != nil {
			return err
		}
	}
	return p.leaveCases(ctx, now)
}

func (p *history) set(at time.Time) { p.clock.Advance(at.Sub(p.clock.Now())) }

// Sunday first: people come at the end of the week.
var week = [7]float64{1.45, 0.75, 0.7, 0.8, 0.9, 1.2, 1.6}

// busy is how much more than usual happens on a day. Salaries come on the 25th and at the end of the month.
func busy(day time.Time, since int) float64 {
	factor := week[day.Weekday()] * (0.85 + 0.3*float64(since)/pastDays)
	if d := day.Day(); d >= 25 && d <= 27 || d == 1 || day.AddDate(0, 0, 1).Day() == 1 {
		factor *= 1.35
	}
	return factor
}

// hours weigh the hours of a day by how much happens in them.
type hours [24]int

// When people buy: at lunch, and in the evening with the phone in hand.
var shopping = hours{8: 1, 9: 2, 10: 3, 11: 4, 12: 6, 13: 4, 14: 3, 15: 3, 16: 3, 17: 4, 18: 5, 19: 7, 20: 8, 21: 8, 22: 4, 23: 1}

func (p *history) plan(day time.Time, since int) []moment {
	moments := []moment{}
	add := func(usual float64, when hours, do func(context.Context) error) {
		n := usual * busy(day, since) * (0.8 + 0.4*p.dice.Float64())
		for range int(n + p.dice.Float64()) { // so that what is rarer than once a day happens on some days
			at := clock.Start(day).Add(time.Duration(p.weighted(when[:]))*time.Hour + time.Duration(p.dice.IntN(3600))*time.Second)
			moments = append(moments, moment{at, do})
		}
	}
	add(p.o.Trade.Orders, shopping, p.purchase)
	add(p.o.Trade.Visits, p.o.Trade.Hours, p.visit)
	add(p.o.Trade.Orders*giftsPerOrder, shopping, p.give)
	add(p.o.Trade.Orders*claimsPerOrder, shopping, p.claim)
	add(p.o.Trade.Orders*offersPerOrder, shopping, p.offer)
	add(p.o.Trade.Orders*resalesPerOrder, shopping, p.resell)
	add(p.o.Trade.Orders*objectionsPerOrder, shopping, p.object)
	add(p.o.Trade.Orders*casesPerOrder, shopping, p.decide)
	if since > 0 && since < pastDays && since%payEvery == 0 {
		moments = append(moments,
			moment{clock.Start(day).Add(payAt), func(ctx context.Context) error {
				return p.pay(ctx, payout.Agents, "ค่าคอมสองสัปดาห์")
			}},
			moment{clock.Start(day).Add(payAt + 2*time.Hour), func(ctx context.Context) error {
				return p.pay(ctx, payout.Refunds, "ถอนเงินสองสัปดาห์")
			}})
	}
	if since > 0 && since < pastDays && since%takeOutEvery == 0 {
		moments = append(moments, moment{clock.Start(day).Add(takeOutAt), p.payOut})
	}
	if since > 0 && since < pastDays && since%joinEvery == 0 {
		moments = append(moments, moment{clock.Start(day).Add(joinAt), p.join})
	}
	slices.SortFunc(moments, func(a, b moment) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	return moments
}

// end closes a day that is over, as the workers do each night.
func (p *history) end(ctx context.Context, day, now time.Time) error {
	night := clock.Start(day.AddDate(0, 0, 1)).Add(20 * time.Minute)
	if night.After(now) {
		return nil
	}
	p.set(night)
	if err := errors.Join(p.vouchers.EndDue(ctx, p.org), p.objections.UndoDue(ctx, p.org), commission.MatureDue(ctx, p.db, p.org), points.GrantDue(ctx, p.db, p.org), points.LapseDue(ctx, p.db, p.org), p.answered(ctx, day)); err != nil {
		return err
	}
	return p.db.InOrg(ctx, p.org, func(tx db.Tx) error {
		return errors.Join(p.vouchers.ExpireVouchers(ctx, tx), ledger.SealDays(ctx, tx), queue.SkipDue(ctx, tx))
	})
}

// weighted throws the dice for one of these.
func (p *history) weighted(weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := p.dice.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return 0
}

// firstAgents are customers who sell from the first day on: the demo's own, and two more.
func (p *history) firstAgents(ctx context.Context) error {
	for _, person := range people {
		who, err := p.inLine(ctx, person.id)
		if err != nil {
			return err
		}
		if person.id == agentPerson {
			err = p.approve(ctx, who, person.id)
		} else {
			p.known = append(p.known, who)
		}
		if err != nil {
			return err
		}
	}
	for i := range 2 {
		name := p.strangers[0]
		who, err := p.stranger(ctx)
		if i > 0 {
			name = ""
		}
		if err == nil {
			err = p.approve(ctx, who, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// approve makes an agent of a customer, with a link to what the shop puts first. Under a name he can be paid as well; without one he sells early.
func (p *history) approve(ctx context.Context, who token.Session, name string) error {
	var id uuid.UUID
	err := p.db.InOrg(ctx, p.org, func(tx db.Tx) (err error) {
		id, err = agent.Approve(ctx, tx, p.ownerID, agent.ApproveInput{Customer: who.Subject, Type: p.agentType})
		if err == nil && len(p.links) == 1 {
			tx.Queue(`UPDATE agent SET recruiter_id = $2 WHERE id = $1`, id, p.firstSold)
			tx.Queue(`UPDATE agent_type SET recruiter_basis_points = 200 WHERE id = $1`, p.agentType)
		}
		return err
	})
	if len(p.links) == 0 {
		p.firstSold = id
	}
	if err == nil && name != "" {
		err = p.knows(ctx, id, name)
	}
	if err != nil {
		return err
	}
	link, err := p.agents.Link(ctx, who, p.packages[0])
	p.links = append(p.links, link.Code)
	return err
}

// inLine is the customer of somebody whom the imitated LINE knows.
func (p *history) inLine(ctx context.Context, person string) (token.Session, error) {
	claims, err := p.claims(ctx, person)
	if err != nil {
		return token.Session{}, err
	}
	return p.comes(ctx, customer.LINEIdentity{Subject: claims.Subject, Name: claims.Name, Picture: claims.Picture})
}

// stranger is somebody new.
func (p *history) stranger(ctx context.Context) (token.Session, error) {
	name := p.strangers[0]
	p.strangers = p.strangers[1:]
	return p.comes(ctx, customer.LINEIdentity{Subject: "U" + uuid.NewSHA1(p.org, []byte(name)).String(), Name: name})
}

func (p *history) comes(ctx context.Context, who customer.LINEIdentity) (token.Session, error) {
	id, err := p.customers.SignIn(ctx, p.org, who)
	return token.Session{Audience: token.User, Org: p.org, Subject: id, Address: "127.0.0.1"}, err
}

// somebody buys: one in three is new, as long as there is anybody new.
func (p *history) somebody(ctx context.Context) (token.Session, error) {
	if len(p.strangers) == 0 || p.dice.IntN(3) > 0 {
		return p.known[p.dice.IntN(len(p.known))], nil
	}
	who, err := p.stranger(ctx)
	p.known = append(p.known, who)
	return who, err
}

// others are the customers so far in any order, but for the demo's own, who are as it says.
func (p *history) others() []token.Session {
	list := slices.Clone(p.known[len(people)-1:])
	p.dice.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// looks is how long somebody looks at what a link leads to before he buys it.
const looks = 2 * time.Minute

func (p *history) purchase(ctx context.Context) error {
	who, err := p.somebody(ctx)
	if err != nil {
		return err
	}
	if p.dice.IntN(5) == 0 {
		p.clock.Advance(-looks)
		if _, err := p.agents.Open(ctx, who, p.links[p.dice.IntN(len(p.links))]); err != nil {
			return err
		}
		p.clock.Advance(looks)
	}
	at := p.choose()
	lines := []order.Line{{Package: p.packages[at], Quantity: 1 + p.weighted([]int{8, 2})}}
	quote, err := p.market.Quote(ctx, who, order.QuoteInput{Lines: lines})
	if err != nil {
		return err
	}
	if quote.Missing > 0 {
		if err := p.fund(ctx, who, quote.TopUp); err != nil {
			return err
		}
	}
	accepted := []uuid.UUID{}
	for _, text := range quote.Consents {
		accepted = append(accepted, text.Version)
	}
	bought, err := p.market.Buy(ctx, who, uuid.NewString(), order.BuyInput{Lines: lines, Hash: quote.Hash, Accepted: accepted, Lang: "th"})
	if errors.Is(err, order.ErrLimit) || errors.Is(err, catalog.ErrSoldOut) {
		return nil // he keeps his money for another day
	}
	if err != nil {
		return err
	}
	p.sold[at] += lines[0].Quantity
	for _, v := range bought.Vouchers {
		p.unused = append(p.unused, held{who, v.ID})
	}
	return nil
}

// choose is a package: what is cheap sells more often, what the shop puts first most of all, and of what is counted enough
// is left for today.
func (p *history) choose() int {
	weights := []int{}
	for i, pkg := range p.o.Packages {
		weight := int(2e5 / math.Sqrt(float64(pkg.Price)))
		if pkg.Featured {
			weight *= 4
		}
		if pkg.Stock > 0 && p.sold[i] > pkg.Stock*2/3 {
			weight = 0
		}
		weights = append(weights, weight)
	}
	return p.weighted(weights)
}

// fund tops a wallet up by a round sum.
func (p *history) fund(ctx context.Context, who token.Session, missing money.Amount) error {
	step := p.o.Trade.TopUp
	in := wallet.TopUpInput{Amount: (missing + step - 1) / step * step, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}}
	charge, err := p.wallet.StartTopUp(ctx, who, uuid.NewString(), "", in)
	if err == nil && charge.State != "captured" {
		err = fmt.Errorf("top-up %s is %s", charge.ID, charge.State)
	}
	return err
}

// visit is somebody who comes with a voucher.
func (p *history) visit(ctx context.Context) error {
	if len(p.unused) == 0 {
		return nil
	}
	at := p.dice.IntN(len(p.unused))
	one := p.unused[at]
	v, err := p.vouchers.Detail(ctx, one.who, one.id)
	if gone := errors.Is(err, voucher.ErrNotFound); gone || err == nil && v.State != voucher.Ready {
		p.unused = slices.Delete(p.unused, at, at+1)
		return nil // it has expired, or is somebody else's
	}
	if err != nil {
		return err
	}
	items := min(v.ItemsLeft, int64(1+p.weighted([]int{5, 2})))
	if v.Kind == voucher.Baht {
		items = min(v.ItemsLeft, int64(100+50*p.dice.IntN(12))*int64(money.Baht))
	}
	servicePoint := v.Where[p.weighted([]int{5, 3, 2, 2}[:min(4, len(v.Where))])].ID
	if items == v.ItemsLeft {
		p.unused = slices.Delete(p.unused, at, at+1)
	}
	use, err := p.vouchers.StartUse(ctx, one.who, uuid.NewString(), voucher.UseInput{Voucher: one.id, ServicePoint: servicePoint, Items: items})
	if err != nil {
		return err
	}
	p.clock.Advance(40 * time.Second) // until it is scanned
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	if err != nil {
		return err
	}
	scanned := voucher.ScanInput{Code: voucher.QR(p.org, use.ID, secret, p.clock.Now()), ServicePoint: servicePoint}
	if _, err = p.vouchers.Verify(ctx, p.door, scanned); err != nil {
		return err
	}
	r, err := p.vouchers.Confirm(ctx, p.door, uuid.NewString(), voucher.ConfirmInput{Session: use.ID, ServicePoint: servicePoint})
	p.between.uses = append(p.between.uses, used{held{one.who, r.ID}, r.At})
	return err
}
