package chaos

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
)

// TestPayoutOracle: agents sell, and what they sold is used, refunded and disputed, day after day; runs are drafted, approved, booked, sent and answered in
// any order. What each run pays whom, why it leaves somebody out, and what every agent can be paid, owes and waits for is what the oracle says.
func TestPayoutOracle(t *testing.T) {
	t.Parallel()
	histories := begin(t, "payoutoracle", 4)
	database := dbtest.OpenOwn(t) // with a clock of its own
	for histories.more() {
		histories.round(func(t *testing.T, part *result) {
			seedRapid(t, part.Seed, 100)
			rapid.Check(t, func(r *rapid.T) {
				m := openPayoutMarket(t, r, database)
				r.Repeat(map[string]func(*rapid.T){"": m.check, "something": m.something})
				findings, err := order.Audit(context.Background(), m.w.DB, m.w.Org)
				require.NoError(r, err)
				require.Empty(r, findings)
				part.Did, part.Kinds = 1, m.did
			})
		})
	}
}

// payoutMarket is an organisation with agents, beside which the oracle keeps what each has earned, is paid and owes.
type payoutMarket struct {
	w             *tenanttest.World
	system, point uuid.UUID
	staff, buyer  token.Session
	first, second token.Session // of the back office
	kinds         []*paidKind
	agents        []*oracleAgent
	sales         []*oracleSale
	runs          []*oracleRun
	ends          string // before the first voucher expires
	did           map[string]int
}

// paidKind is a package on sale.
type paidKind struct {
	id       uuid.UUID
	price    int64
	vouchers int
	items    int64 // of each voucher
	baht     bool  // items are satang
}

// oracleAgent is an agent, and all that made more or less of what he can be paid.
type oracleAgent struct {
	id          uuid.UUID
	rule        commission.Rule
	basisPoints int64
	recruiter   *oracleAgent // who recruited him, or nil
	toRecruiter int64        // basis points
	special     map[*paidKind]CartRate
	class       taxedAs
	form        payee.Form
	forms       int // how many were approved
	paysFrom    string
	suspended   bool
	moves       []*oracleMove
	payouts     []*oraclePayout
}

// oracleMove is what a commission's mature part moved by, or what came back of a payout.
type oracleMove struct {
	amount   int64
	day      string
	cameBack bool
	in       *oraclePayout // that has it as a line; nil while it is open
}

// oracleSale is an order under an agent's link.
type oracleSale struct {
	id              uuid.UUID
	who             token.Session
	agent           *oracleAgent
	rule            commission.Rule
	day             string
	direct          bool
	price           int64
	sold            int64 // the commission that it was sold with
	vouchers        []*paidVoucher
	unpaid          int64
	frozen          []*paidVoucher
	disputed        string // open, or over
	mature          int64
	recruiter       *oracleAgent // who earns of it beside the agent, or nil
	recruits        int64        // his part of the commission that it was sold with
	recruiterMature int64
}

type paidVoucher struct {
	oracleVoucher
	id    uuid.UUID
	uses  []*paidUse
	moved Sums // to vouchers of uses that were undone
}

// paidUse is a use, and what became of an objection to it.
type paidUse struct {
	of       *paidVoucher
	items    int64
	worth    Sums
	day      string
	objected string          // the day, or empty
	state    objection.State // of the objection
}

// oracleRun is a run as the oracle has it.
type oracleRun struct {
	id           uuid.UUID
	upTo, payDay string
	minimum      int64
	state        payout.State
	booking      bool
	postponed    []*oracleAgent
	payouts      []*oraclePayout
	file         *payout.File
}

// oraclePayout is what an agent is paid by a run, or why not: any of the reasons that hold.
type oraclePayout struct {
	id                            uuid.UUID
	reference                     string
	run                           *oracleRun
	agent                         *oracleAgent
	form                          payee.Form // of the agent when it was computed
	forms                         int
	lines                         []*oracleMove
	gross, taxable, withheld, net int64
	state                         payout.Standing
	why                           []string
	paidOn                        string
}

// oracleHolidays are the days from Monday to Friday on which banks are closed while a history lasts.
var oracleHolidays = []string{"2026-12-07", "2026-12-10", "2026-12-31", "2027-01-01"}

func openPayoutMarket(t *testing.T, r *rapid.T, database *dbtest.Server) *payoutMarket {
	first := time.Date(2026, time.November, 30, 5, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 40).Draw(r, "begins after"))
	database.Clock.Advance(first.Sub(database.Clock.Now()))
	w := tenanttest.On(t, database)
	w.BankDays()
	m := &payoutMarket{w: w, system: w.AddPaymentSystem(), point: w.ServicePoint(), staff: w.Staff(), buyer: w.Customer(1_000_000_000_00), did: map[string]int{}}
	m.first, m.second, m.ends = w.Owner(), w.Owner(), dayAfter(m.today(), 80)
	m.kinds = []*paidKind{
		{price: 900_00, vouchers: 1, items: 3},
		{price: 1_349_07, vouchers: 2, items: 4},
		{price: 33_33, vouchers: 1, items: 2},
		{price: 500_00, vouchers: 1, items: 600_00, baht: true},
		{price: 1_200_000_00, vouchers: 1, items: 7},
		{price: 6_000_000_00, vouchers: 1, items: 1},
	}
	for _, k := range m.kinds {
		sold := tenanttest.Package{Price: money.Amount(k.price), Vouchers: k.vouchers, Items: int(k.items)}
		if k.baht {
			sold.Items, sold.GiftValue = 1, money.Amount(k.items)
		}
		k.id = w.Package(sold)
	}
	w.Discount(tenanttest.Discount{Code: "AGENT", Value: 20_00, Payer: "agent"})
	w.Discount(tenanttest.Discount{Code: "SHOP", Percent: true, Value: 750})
	for n := range rapid.IntRange(2, 4).Draw(r, "agents") {
		m.addAgent(r, n)
	}
	return m
}

// something happens, of all that can.
func (m *payoutMarket) something(r *rapid.T) {
	is := func(ok func(*oracleRun) bool) bool { return slices.ContainsFunc(m.runs, ok) }
	some := func(ok func(*oracleSale, *paidVoucher) bool) bool {
		sales, _ := m.of(ok)
		return len(sales) > 0
	}
	ready := func(a *oracleAgent) bool {
		p := a.compute(&oracleRun{upTo: dayAfter(m.today(), -1), payDay: bankDayAfter(m.today(), 1), minimum: 1})
		if p == nil || p.state != payout.Ready {
			return false
		}
		p.release()
		return true
	}
	var ways []func(*rapid.T)
	for _, way := range []struct {
		chances int
		can     bool
		do      func(*rapid.T)
	}{
		{6, len(m.selling()) > 0, m.sell},
		{4, some(usable), m.use},
		{2, some(refundable), m.refund},
		{1, len(m.usesOf(m.mayObject)) > 0, m.object},
		{2, len(m.usesOf(m.mayDecide)) > 0, m.decide},
		{1, len(m.disputable()) > 0, m.dispute},
		{6, m.today() < m.ends, m.night},
		{1, true, m.changeRule},
		{1, true, m.sendForm},
		{1, true, m.suspend},
		{4, slices.ContainsFunc(m.agents, isSuspended), m.resume},
		{1, true, m.draftRun},
		{8, slices.ContainsFunc(m.agents, ready) && !is(isDraft), m.draftRun},
		{1, is(postpones), m.postpone},
		{1, is(isDraft), m.recompute},
		{1, is(isDraft), m.cancelDraft},
		{8, is(isDraft), m.approve},
		{6, is(isBooking), m.book},
		{8, is(isBooked), m.export},
		{1, is(hasFile), m.export},
		{1, is(isBooked), m.withdrawRun},
		{4, len(m.answerable()) > 0, m.sayOne},
		{4, is(hasFile), m.readFile},
	} {
		if way.can {
			ways = append(ways, slices.Repeat([]func(*rapid.T){way.do}, way.chances)...)
		}
	}
	at := 0
	for _, odd := range rapid.SliceOfN(rapid.Bool(), 12, 12).Draw(r, "happens") { // a number of rapid's is more often small
		at = 2*at + btoi(odd)
	}
	ways[at%len(ways)](r)
}

func (m *payoutMarket) addAgent(r *rapid.T, n int) {
	a := &oracleAgent{rule: drawRule(r), basisPoints: rapid.Int64Range(100, 3000).Draw(r, "basis points"), special: map[*paidKind]CartRate{}}
	a.id = m.w.AgentBy(m.w.Customer(0), int(a.basisPoints), a.rule)
	if n > 0 && rapid.IntRange(0, 2).Draw(r, "was recruited") > 0 {
		a.recruiter, a.toRecruiter = rapid.SampledFrom(m.agents).Draw(r, "by"), rapid.Int64Range(1, 2000).Draw(r, "basis points of his recruiter")
		m.w.Recruit(a.id, a.recruiter.id, int(a.toRecruiter))
	}
	if rapid.IntRange(0, 2).Draw(r, "has a special rate") == 0 {
		k := rapid.SampledFrom(m.kinds).Draw(r, "of")
		special := CartRate{Baht: rapid.Bool().Draw(r, "in baht"), Value: rapid.Int64Range(0, 5000).Draw(r, "rate")}
		a.special[k] = special
		m.w.SpecialRate(a.id, k.id, special.Baht, special.Value)
	}
	if m.agents = append(m.agents, a); n == 0 || rapid.IntRange(0, 4).Draw(r, "early") > 0 {
		m.approveForm(r, a)
	}
}

func drawRule(r *rapid.T) commission.Rule {
	return rapid.SampledFrom([]commission.Rule{{Matures: "sale"}, {Matures: "use"}, {Matures: "days"}, {Matures: "days", Days: 2}}).Draw(r, "rule")
}

// approveForm has a form of an agent's approved. To a new account he is paid seven days later, unless it is his first.
func (m *payoutMarket) approveForm(r *rapid.T, a *oracleAgent) {
	f := tenanttest.PersonForm()
	if rapid.IntRange(0, 2).Draw(r, "a company") == 0 {
		f = tenanttest.CompanyForm()
	}
	f.VATRegistered, f.Resident = rapid.Bool().Draw(r, "VAT"), rapid.IntRange(0, 7).Draw(r, "abroad") < 6
	switch {
	case a.forms == 0:
		a.paysFrom = m.today()
	case rapid.Bool().Draw(r, "keeps the account"):
		f.Bank, f.Number, f.AccountName = a.form.Bank, a.form.Number, a.form.AccountName
	default:
		a.paysFrom = dayAfter(m.today(), 7)
	}
	m.w.Payee(a.id, m.first, f)
	a.form, a.forms, a.class = f, a.forms+1, taxedAs{Company: f.Kind == payee.Company, Resident: f.Resident, VAT: f.VATRegistered}
}

func (m *payoutMarket) today() string { return dayOf(m.w.Clock.Now()) }

func dayAfter(day string, n int) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at.AddDate(0, 0, n).Format(time.DateOnly)
}

// bankDayAfter is the n-th day after one on which banks are open.
func bankDayAfter(day string, n int) string {
	for n > 0 {
		day = dayAfter(day, 1)
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		if at.Weekday() != time.Saturday && at.Weekday() != time.Sunday && !slices.Contains(oracleHolidays, day) {
			n--
		}
	}
	return day
}

// happened has what has matured posted, and writes down what happened.
func (m *payoutMarket) happened(r *rapid.T, what, about string, args ...any) {
	m.did[what]++
	r.Logf("%s: %s: %s", m.today(), what, fmt.Sprintf(about, args...))
	m.w.Mature()
	for _, s := range m.sales {
		whole, recruiter := s.matures(m.today())
		if by := whole - recruiter - s.mature; by != 0 {
			s.agent.moves = append(s.agent.moves, &oracleMove{amount: by, day: m.today()})
			s.mature += by
		}
		if by := recruiter - s.recruiterMature; by != 0 {
			s.recruiter.moves = append(s.recruiter.moves, &oracleMove{amount: by, day: m.today()})
			s.recruiterMature += by
		}
	}
}

func (m *payoutMarket) nameOf(a *oracleAgent) string {
	return fmt.Sprintf("agent %d", slices.Index(m.agents, a))
}

// kept is what of the sale was not taken back.
func (s *oracleSale) kept() (kept Sums) {
	for _, v := range s.vouchers {
		kept = kept.plus(v.kept()).minus(v.moved)
	}
	return kept
}

// paidPart is the part of a commission that is of what is paid.
func (s *oracleSale) paidPart(satang int64) int64 {
	paid := s.kept().paid()
	if paid == 0 {
		return 0
	}
	return halfUp(product(fraction(paid-s.unpaid, paid), satang))
}

// parts are what is paid of a part of the commission, and what of that is the recruiter's.
func (s *oracleSale) parts(satang int64) (whole, recruiter int64) {
	if s.recruits > 0 {
		recruiter = s.paidPart(halfUp(product(fraction(s.recruits, s.sold), satang)))
	}
	return s.paidPart(satang), recruiter
}

// due is what of the commission was not taken back and is paid, and what of that is the recruiter's.
func (s *oracleSale) due() (whole, recruiter int64) { return s.parts(s.kept().Commission) }

// matures is what of the commission has matured on a day, past its midnight, and what of that is the recruiter's.
func (s *oracleSale) matures(day string) (whole, recruiter int64) {
	switch {
	case s.rule.Matures == "sale":
		return s.due()
	case s.rule.Matures == "days" && day >= dayAfter(s.day, s.rule.Days+1):
		return s.due()
	case s.rule.Matures == "days":
		return 0, 0
	}
	used := int64(0)
	for _, v := range s.vouchers {
		for _, u := range v.uses {
			if day >= dayAfter(u.day, 2) && (u.objected == "" || u.state == objection.Stands) {
				used += u.worth.Commission
			}
		}
	}
	return s.parts(used)
}

// sell sells something under an agent's link, from a wallet or directly.
func (m *payoutMarket) sell(r *rapid.T) {
	a, k := one(r, "agent", m.selling()), rapid.SampledFrom(m.kinds).Draw(r, "package")
	pieces := rapid.Int64Range(1, 2).Draw(r, "pieces")
	cart := CartInput{Fee: oracleFee, Agent: a.basisPoints, Lines: []CartLine{{
		Price: k.price, Quantity: pieces, Parts: slices.Repeat([]int64{1}, k.vouchers), Items: slices.Repeat([]int64{k.items}, k.vouchers),
	}}}
	if special, ok := a.special[k]; ok {
		cart.Lines[0].Special = &special
	}
	if a.recruiter != nil && !a.recruiter.suspended {
		cart.Recruiter = a.toRecruiter
	}
	codes := []string{rapid.SampledFrom([]string{"", "", "AGENT", "SHOP"}).Draw(r, "code")}
	switch codes[0] {
	case "AGENT":
		cart.Discounts = []CartDiscount{{Value: 20_00, Payer: "agent"}}
	case "SHOP":
		cart.Discounts = []CartDiscount{{Percent: true, Value: 750, Payer: "organisation"}}
	default:
		codes = nil
	}
	out := oracleOfCart(cart)
	if total(out.Lines[0].Discounts) == 0 {
		codes = nil
	}
	s := &oracleSale{agent: a, rule: a.rule, day: m.today(), price: out.Total, who: m.buyer, sold: out.Lines[0].Sums.Commission, recruits: out.Lines[0].Recruiter}
	if s.recruits > 0 {
		s.recruiter = a.recruiter
	}
	s.direct = out.Total >= 100_00 && out.Total <= 10_000_00 && rapid.Bool().Draw(r, "direct")
	ctx := context.Background()
	if s.direct {
		s.who = m.w.Customer(0)
	}
	m.w.Visit(s.who, a.id, k.id)
	in := m.w.Quote(s.who, k.id, int(pieces), codes...)
	if s.direct {
		placed, err := m.w.Order.Pay(ctx, s.who, tenanttest.Key(), "", order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(r, err)
		s.id = placed.ID
		m.w.PayAtGateway(s.id)
	} else {
		placed, err := m.w.Order.Buy(ctx, s.who, tenanttest.Key(), in)
		require.NoError(r, err)
		s.id = placed.ID
	}
	m.w.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `SELECT v.id, o.total_satang, o.commission_satang FROM voucher v JOIN orders o ON o.id = v.order_id WHERE o.id = $1 ORDER BY v.line_position, v.id`, s.id)
		if err != nil {
			return err
		}
		var id uuid.UUID
		var paid, earned int64
		_, err = pgx.ForEachRow(rows, []any{&id, &paid, &earned}, func() error {
			require.Equal(r, []int64{out.Total, out.Lines[0].Sums.Commission}, []int64{paid, earned}, "%+v", cart)
			s.vouchers = append(s.vouchers, &paidVoucher{id: id, oracleVoucher: oracleVoucher{sums: out.Lines[0].Vouchers[len(s.vouchers)], baht: k.baht, total: k.items}})
			return nil
		})
		return err
	})
	m.sales = append(m.sales, s)
	m.happened(r, "sold", "%s for %d, of which %s earns %d, %+v, direct: %t", s.id, out.Total, m.nameOf(a), out.Lines[0].Sums.Commission, a.rule, s.direct)
}

// selling are the agents who are not suspended.
func (m *payoutMarket) selling() []*oracleAgent {
	return slices.DeleteFunc(slices.Clone(m.agents), func(a *oracleAgent) bool { return a.suspended })
}

// of are the vouchers of some sales that have items left and are not frozen, each with its sale.
func (m *payoutMarket) of(ok func(*oracleSale, *paidVoucher) bool) (sales []*oracleSale, vouchers []*paidVoucher) {
	for _, s := range m.sales {
		for _, v := range s.vouchers {
			if v.left() > 0 && !(s.disputed == "open" && slices.Contains(s.frozen, v)) && ok(s, v) {
				sales, vouchers = append(sales, s), append(vouchers, v)
			}
		}
	}
	return sales, vouchers
}

func usable(*oracleSale, *paidVoucher) bool { return true }

// refundable reports whether a refund goes to a wallet that owes nothing.
func refundable(s *oracleSale, v *paidVoucher) bool { return !s.direct && v.last(v.left()).paid() > 0 }

// pick chooses a voucher and a number of its items.
func (m *payoutMarket) pick(r *rapid.T, ok func(*oracleSale, *paidVoucher) bool) (s *oracleSale, v *paidVoucher, n int64) {
	sales, vouchers := m.of(ok)
	at := rapid.IntRange(0, len(vouchers)-1).Draw(r, "voucher")
	s, v = sales[at], vouchers[at]
	n = rapid.Int64Range(1, v.left()).Draw(r, "items")
	if rapid.IntRange(0, 2).Draw(r, "all") == 0 || v.last(n).paid() == 0 {
		n = v.left()
	}
	return s, v, n
}

// use uses items of a voucher.
func (m *payoutMarket) use(r *rapid.T) {
	s, v, n := m.pick(r, usable)
	m.w.MustRedeem(s.who, v.id, n, m.staff, m.point)
	worth := v.use(n)
	v.uses = append(v.uses, &paidUse{of: v, items: n, worth: worth, day: m.today()})
	m.happened(r, "used", "%d of %s, a commission of %d", n, s.id, worth.Commission)
}

// usesOf are the uses of what was bought from a wallet that are in some state.
func (m *payoutMarket) usesOf(ok func(*paidUse) bool) (uses []*paidUse) {
	for _, s := range m.sales {
		for _, v := range s.vouchers {
			for _, u := range v.uses {
				if !s.direct && ok(u) {
					uses = append(uses, u)
				}
			}
		}
	}
	return uses
}

// mayObject reports whether a use is of today or yesterday and nobody has objected to it.
func (m *payoutMarket) mayObject(u *paidUse) bool {
	return u.objected == "" && m.today() <= dayAfter(u.day, 1)
}

// mayDecide reports whether an objection is open, and surely less than 48 hours old.
func (m *payoutMarket) mayDecide(u *paidUse) bool {
	return u.state == objection.Open && m.today() <= dayAfter(u.objected, 1)
}

// object is who used something, and says that he did not. What it earned is held, so the organisation must have it.
func (m *payoutMarket) object(r *rapid.T) {
	u := one(r, "use", m.usesOf(m.mayObject))
	if int64(m.w.SystemBalance(ledger.Payable)) < u.worth.Share {
		r.SkipNow()
	}
	_, err := m.w.Objection.Object(context.Background(), m.buyer, tenanttest.Key(), objection.Input{Use: m.redemption(u)})
	require.NoError(r, err)
	u.objected, u.state = m.today(), objection.Open
	m.happened(r, "objected", "to %d items", u.items)
}

// redemption is the id of a use.
func (m *payoutMarket) redemption(u *paidUse) uuid.UUID {
	return rows[uuid.UUID](m.w, `SELECT id FROM redemption WHERE voucher_id = $1 ORDER BY id`, u.of.id)[slices.Index(u.of.uses, u)]
}

// decide lets a use stand, or undoes it.
func (m *payoutMarket) decide(r *rapid.T) {
	u, undo := one(r, "use", m.usesOf(m.mayDecide)), rapid.Bool().Draw(r, "undo")
	id := rows[uuid.UUID](m.w, `SELECT id FROM objection WHERE redemption_id = $1`, m.redemption(u))[0]
	require.NoError(r, m.w.Objection.Decide(context.Background(), m.w.Org, m.actor(m.first), objection.Decision{ID: id, Undo: undo}))
	if u.state = objection.Stands; undo {
		m.undone(u)
	}
	m.happened(r, "objection decided", "undone: %t", undo)
}

// undone makes a voucher of a use.
func (m *payoutMarket) undone(u *paidUse) {
	u.state, u.of.moved = objection.Undone, u.of.moved.plus(u.worth)
	made := rows[uuid.UUID](m.w, `SELECT id FROM voucher WHERE parent_id = $1 AND (items_total, share_satang, commission_satang) = ($2, $3, $4) ORDER BY id`, u.of.id, u.items, u.worth.Share, u.worth.Commission)
	for _, s := range m.sales {
		if slices.Contains(s.vouchers, u.of) {
			id := made[slices.IndexFunc(made, func(id uuid.UUID) bool {
				return !slices.ContainsFunc(s.vouchers, func(v *paidVoucher) bool { return v.id == id })
			})]
			s.vouchers = append(s.vouchers, &paidVoucher{id: id, oracleVoucher: oracleVoucher{sums: u.worth, baht: u.of.baht, total: u.items}})
			return
		}
	}
}

// refund is the organisation's, of what was bought from a wallet.
func (m *payoutMarket) refund(r *rapid.T) {
	s, v, n := m.pick(r, refundable)
	_, err := m.w.Refund.Make(context.Background(), m.w.Org, m.actor(m.first), tenanttest.Key(), refund.Input{
		Choice: refund.Choice{Order: s.id, Parts: []refund.Part{{Voucher: v.id, Items: n}}}, Method: refund.Wallet, Reason: "asked",
	})
	require.NoError(r, err)
	worth := v.takeBack(n)
	m.happened(r, "refunded", "%d of %s, a commission of %d", n, s.id, worth.Commission)
}

// dispute is where a bank takes back some of what was paid directly, and later where that is decided.
func (m *payoutMarket) dispute(r *rapid.T) {
	s := one(r, "sale", m.disputable())
	says := func(change func(*payment.Charge)) {
		name := m.w.Pay.SetCharge(s.id, change)
		require.NoError(r, m.w.Charge.HandleGatewayEvent(context.Background(), m.w.Org, charge.GatewayEventJob{System: m.system, GatewayID: name}))
	}
	switch {
	case s.disputed == "":
		s.disputed, s.unpaid = "open", rapid.Int64Range(1, s.price).Draw(r, "disputed")
		if rapid.Bool().Draw(r, "all of it") {
			s.unpaid = s.price
		}
		taken := s.unpaid
		says(func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, money.Amount(taken) })
		s.freeze()
		m.happened(r, "dispute opened", "%d of %d of %s", s.unpaid, s.price, s.id)
	case rapid.Bool().Draw(r, "won"):
		s.disputed, s.unpaid = "over", 0
		says(func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		m.happened(r, "dispute won", "%s", s.id)
	default:
		s.disputed = "over"
		says(func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
		for _, v := range s.frozen {
			s.unpaid -= min(v.takeBack(v.left()).paid(), s.unpaid)
		}
		m.happened(r, "dispute lost", "%s, %d are not covered", s.id, s.unpaid)
	}
}

// disputable are the sales of which a bank has taken nothing back, or has not decided it.
func (m *payoutMarket) disputable() []*oracleSale {
	return slices.DeleteFunc(slices.Clone(m.sales), func(s *oracleSale) bool { return !s.direct || s.disputed == "over" })
}

// freeze freezes vouchers that stand for what was taken back, the newest first.
func (s *oracleSale) freeze() {
	left := slices.Clone(s.vouchers)
	slices.SortFunc(left, func(a, b *paidVoucher) int { return -bytes.Compare(a.id[:], b.id[:]) })
	covered := int64(0)
	for _, v := range left {
		if paid := v.last(v.left()).paid(); paid > 0 && covered < s.unpaid {
			s.frozen, covered = append(s.frozen, v), covered+paid
		}
	}
}

// changeRule has the commission of an agent's later sales mature otherwise.
func (m *payoutMarket) changeRule(r *rapid.T) {
	a := one(r, "agent", m.agents)
	a.rule = drawRule(r)
	m.w.Force(`UPDATE agent_type SET matures = $2, mature_days = $3 WHERE id = (SELECT agent_type_id FROM agent WHERE id = $1)`, a.id, a.rule.Matures, a.rule.Days)
	m.happened(r, "rule changed", "%s %+v", m.nameOf(a), a.rule)
}

// sendForm has another form of an agent's approved.
func (m *payoutMarket) sendForm(r *rapid.T) {
	a := one(r, "agent", m.agents)
	m.approveForm(r, a)
	m.happened(r, "form approved", "%s is %+v, paid from %s", m.nameOf(a), a.class, a.paysFrom)
}

func isSuspended(a *oracleAgent) bool { return a.suspended }

// suspend suspends an agent, who may be so already.
func (m *payoutMarket) suspend(r *rapid.T) { m.setSuspended(r, one(r, "agent", m.agents), true) }

// resume lets a suspended agent go on.
func (m *payoutMarket) resume(r *rapid.T) {
	m.setSuspended(r, one(r, "agent", slices.DeleteFunc(slices.Clone(m.agents), func(a *oracleAgent) bool { return !a.suspended })), false)
}

func (m *payoutMarket) setSuspended(r *rapid.T, a *oracleAgent, suspended bool) {
	a.suspended = suspended
	m.w.Force(`UPDATE agent SET state = $2 WHERE id = $1`, a.id, map[bool]string{false: "approved", true: "suspended"}[suspended])
	m.happened(r, "suspended or resumed", "%s: %t", m.nameOf(a), suspended)
}

// night lets nights pass. It is noon then.
func (m *payoutMarket) night(r *rapid.T) {
	for range max(1, rapid.IntRange(-3, 3).Draw(r, "nights")) {
		day := clock.Day(m.w.Clock.Now()).AddDate(0, 0, 1)
		m.w.Clock.Advance(clock.Start(day).Add(12 * time.Hour).Sub(m.w.Clock.Now()))
		m.first, m.second = m.w.SignInAnew(m.first), m.w.SignInAnew(m.second)
		for _, u := range m.usesOf(func(u *paidUse) bool { return u.state == objection.Open && m.today() >= dayAfter(u.objected, 3) }) {
			require.NoError(r, m.w.Objection.UndoDue(context.Background(), m.w.Org))
			m.undone(u)
			m.did["objection undone by itself"]++
		}
		m.happened(r, "night", "")
	}
}

func (m *payoutMarket) actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

func (m *payoutMarket) work(r *rapid.T) {
	require.NoError(r, m.w.Payout.Work(context.Background(), m.w.Org))
}

// runIn is a run that is in a state.
func (m *payoutMarket) runIn(r *rapid.T, ok func(*oracleRun) bool) *oracleRun {
	return one(r, "run", slices.DeleteFunc(slices.Clone(m.runs), func(run *oracleRun) bool { return !ok(run) }))
}

func isDraft(run *oracleRun) bool { return run.state == payout.Draft }

func postpones(run *oracleRun) bool { return isDraft(run) && len(run.ready()) > 0 }

func isBooking(run *oracleRun) bool { return run.booking }

func isBooked(run *oracleRun) bool { return run.state == payout.Approved && !run.booking }

func hasFile(run *oracleRun) bool { return run.file != nil }

func exports(run *oracleRun) bool { return isBooked(run) || hasFile(run) }

// draftRun drafts a run of what was mature by the end of a day that is over.
func (m *payoutMarket) draftRun(r *rapid.T) {
	run := &oracleRun{
		upTo: dayAfter(m.today(), -rapid.IntRange(1, 3).Draw(r, "up to")), payDay: bankDayAfter(m.today(), rapid.IntRange(1, 5).Draw(r, "bank days")),
		minimum: rapid.SampledFrom([]int64{1, 100_00, 500_00}).Draw(r, "minimum"), state: payout.Draft,
	}
	m.work(r)
	for _, before := range m.runs {
		m.booked(before)
	}
	made, err := m.w.Payout.Draft(context.Background(), m.w.Org, m.actor(m.first), payout.DraftInput{Kind: payout.Agents, UpTo: run.upTo, PayDay: run.payDay, Minimum: money.Amount(run.minimum)})
	if slices.ContainsFunc(m.runs, isDraft) {
		require.ErrorIs(r, err, payout.ErrDraftOpen)
		return
	}
	require.NoError(r, err)
	run.id = made.ID
	m.compute(r, run)
	m.happened(r, "drafted", "%s up to %s, pay day %s, at least %d, %d payouts", run.id, run.upTo, run.payDay, run.minimum, len(run.payouts))
}

// compute has a draft computed, and computes it.
func (m *payoutMarket) compute(r *rapid.T, run *oracleRun) {
	m.work(r)
	m.runs = append(m.runs, run)
	for _, a := range m.agents {
		if p := a.compute(run); p != nil {
			run.payouts, a.payouts = append(run.payouts, p), append(a.payouts, p)
			for _, why := range p.why {
				m.did["left out: "+why]++
			}
		}
	}
	m.read(r, run)
}

// compute returns an agent's payout of a run, or nil if nothing is open.
func (a *oracleAgent) compute(run *oracleRun) *oraclePayout {
	p := &oraclePayout{run: run, agent: a, form: a.form, forms: a.forms, state: payout.Ready}
	earned := int64(0)
	for _, move := range a.moves {
		if move.in == nil && (move.amount < 0 || move.day <= run.upTo) {
			p.lines, p.gross = append(p.lines, move), p.gross+move.amount
			if !move.cameBack {
				earned += move.amount
			}
		}
	}
	if len(p.lines) == 0 {
		return nil
	}
	year, underWay := oracleYear{}, false
	for _, other := range a.payouts {
		if other.stands() && other.run.payDay[:4] == run.payDay[:4] {
			year.taxable, year.withheld = year.taxable+other.taxable, year.withheld+other.withheld
		}
		underWay = underWay || other.state == payout.Booked || other.state == payout.Sent
	}
	taxed, known := a.class.taxable(earned, run.payDay)
	withheld, hasRule := a.class.withheld(year, taxed)
	p.taxable, p.withheld = taxed, withheld
	p.net = p.gross - p.withheld
	for why, holds := range map[string]bool{
		"not_approved": a.forms == 0, "suspended": a.suspended, "account_new": a.forms > 0 && run.payDay < a.paysFrom, "owes": p.gross <= 0, "below_minimum": p.net < run.minimum,
		"too_big": p.net > 2_000_000_00, "no_tax_rule": a.forms > 0 && !(known && hasRule), "under_way": underWay, "postponed": slices.Contains(run.postponed, a),
	} {
		if holds {
			p.leave(why)
		}
	}
	if p.state == payout.Ready {
		for _, move := range p.lines {
			move.in = p
		}
	}
	return p
}

// stands reports whether a payout counts in its year.
func (p *oraclePayout) stands() bool {
	return slices.Contains([]payout.Standing{payout.Booked, payout.Sent, payout.Paid, payout.Returned}, p.state)
}

// leave leaves a payout out. What it would be made of is open.
func (p *oraclePayout) leave(why string) {
	p.state, p.why = payout.LeftOut, append(p.why, why)
	p.release()
}

func (p *oraclePayout) release() {
	for _, move := range p.lines {
		if move.in == p {
			move.in = nil
		}
	}
}

// read reads ids and references of a run that was computed. Whose lines come to nothing or less need not be in it.
func (m *payoutMarket) read(r *rapid.T, run *oracleRun) {
	type found struct {
		Payee, ID uuid.UUID
		Reference string
	}
	all := rows[found](m.w, `SELECT payee_id, id, reference FROM payout WHERE run_id = $1`, run.id)
	run.payouts = slices.DeleteFunc(run.payouts, func(p *oraclePayout) bool {
		n := slices.IndexFunc(all, func(f found) bool { return f.Payee == p.agent.id })
		if n < 0 {
			require.LessOrEqual(r, p.gross, int64(0), "%s has no payout", m.nameOf(p.agent))
			return true
		}
		p.id, p.reference = all[n].ID, all[n].Reference
		return false
	})
	require.Len(r, all, len(run.payouts))
}

// postpone leaves somebody to the next run.
func (m *payoutMarket) postpone(r *rapid.T) {
	run := m.runIn(r, postpones)
	p := one(r, "payout", run.ready())
	require.NoError(r, m.w.Payout.Postpone(context.Background(), m.w.Org, m.actor(m.first), p.id))
	run.postponed = append(run.postponed, p.agent)
	p.leave("postponed")
	m.happened(r, "postponed", "%s", m.nameOf(p.agent))
}

func (run *oracleRun) ready() []*oraclePayout {
	return slices.DeleteFunc(slices.Clone(run.payouts), func(p *oraclePayout) bool { return p.state != payout.Ready })
}

// recompute puts a new draft in the place of one.
func (m *payoutMarket) recompute(r *rapid.T) {
	run := m.runIn(r, isDraft)
	made, err := m.w.Payout.Recompute(context.Background(), m.w.Org, m.actor(m.first), run.id)
	if run.payDay <= m.today() {
		require.Error(r, err)
		return
	}
	require.NoError(r, err)
	run.cancel()
	again := &oracleRun{id: made.ID, upTo: run.upTo, payDay: run.payDay, minimum: run.minimum, state: payout.Draft, postponed: run.postponed}
	m.compute(r, again)
	m.happened(r, "recomputed", "%s", again.id)
}

func (run *oracleRun) cancel() {
	run.state = payout.Cancelled
	for _, p := range run.payouts {
		p.leave("cancelled")
	}
}

// cancelDraft cancels a draft.
func (m *payoutMarket) cancelDraft(r *rapid.T) {
	m.cancel(r, m.runIn(r, isDraft))
}

func (m *payoutMarket) cancel(r *rapid.T, run *oracleRun) {
	require.NoError(r, m.w.Payout.Cancel(context.Background(), m.w.Org, m.actor(m.first), run.id))
	m.work(r)
	run.cancel()
	m.happened(r, "cancelled", "%s", run.id)
}

// approve has a second person approve a draft, which a job is to book. One whose pay day has come is cancelled.
func (m *payoutMarket) approve(r *rapid.T) {
	run, ctx := m.runIn(r, isDraft), context.Background()
	story, err := m.w.Payout.Run(ctx, m.w.Org, run.id)
	require.NoError(r, err)
	asked, err := m.w.Payout.Propose(ctx, m.w.Org, m.actor(m.first), tenanttest.Key(), payout.Proposal{ID: run.id, Hash: story.Hash, Note: "x"})
	if len(run.ready()) == 0 || run.payDay <= m.today() {
		require.Error(r, err)
		m.cancel(r, run)
		return
	}
	require.NoError(r, err)
	require.NoError(r, m.w.Approval.Approve(ctx, m.second, m.actor(m.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	run.state, run.booking = payout.Approved, true
	m.happened(r, "approved", "%s", run.id)
}

// book has a run booked that was approved.
func (m *payoutMarket) book(r *rapid.T) {
	run := m.runIn(r, isBooking)
	m.work(r)
	m.booked(run)
	m.happened(r, "run booked", "%s", run.id)
}

// booked books a run. Who was suspended, has another form, or had something taken back since it was computed is left out.
func (m *payoutMarket) booked(run *oracleRun) {
	if !run.booking {
		return
	}
	run.booking = false
	for _, p := range run.ready() {
		if p.agent.suspended || p.agent.forms != p.forms || slices.ContainsFunc(p.agent.moves, func(move *oracleMove) bool { return move.in == nil && move.amount < 0 }) {
			p.leave("changed")
			m.did["left out: changed"]++
			continue
		}
		p.state = payout.Booked
		if m.did["booked"]++; p.withheld > 0 && !p.agent.class.Company && p.agent.class.Resident {
			m.did["withheld by the year"]++
		}
	}
	run.close()
}

// close ends a run of which nothing is under way.
func (run *oracleRun) close() {
	if !slices.ContainsFunc(run.payouts, func(p *oraclePayout) bool {
		return slices.Contains([]payout.Standing{payout.Ready, payout.Booked, payout.Sent}, p.state)
	}) {
		run.state = payout.Closed
	}
}

// export makes the bank's file, at the first time by the end of the pay day, and later the same again. A run whose pay day is over is withdrawn.
func (m *payoutMarket) export(r *rapid.T) {
	run := m.runIn(r, exports)
	f, err := m.w.Payout.Export(context.Background(), m.w.Org, m.actor(m.first), run.id)
	switch {
	case run.file != nil:
		require.NoError(r, err)
		require.Equal(r, *run.file, f)
		return
	case run.payDay < m.today():
		require.ErrorIs(r, err, payout.ErrDayPassed)
		m.withdraw(r, run)
		return
	}
	require.NoError(r, err)
	want := [][]string{}
	for _, p := range run.payouts {
		if p.state == payout.Booked {
			p.state = payout.Sent
			want = append(want, []string{p.reference, p.form.Bank, p.form.Number, p.form.AccountName, baht(p.net), run.payDay})
		}
	}
	is, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(f.Text, "\ufeff"))).ReadAll()
	require.NoError(r, err)
	require.Equal(r, []string{"reference", "bank_code", "account_number", "account_name", "amount", "pay_day"}, is[0])
	byReference := func(a, b []string) int { return cmp.Compare(a[0], b[0]) }
	slices.SortFunc(want, byReference)
	require.True(r, slices.IsSortedFunc(is[1:], byReference), "by reference")
	require.Equal(r, want, is[1:])
	run.state, run.file = payout.Exported, &f
	m.happened(r, "exported", "%s", run.id)
}

func baht(satang int64) string { return fmt.Sprintf("%d.%02d", satang/100, satang%100) }

// withdrawRun takes a run back whose file nobody has made.
func (m *payoutMarket) withdrawRun(r *rapid.T) {
	m.withdraw(r, m.runIn(r, isBooked))
}

func (m *payoutMarket) withdraw(r *rapid.T, run *oracleRun) {
	require.NoError(r, m.w.Payout.Withdraw(context.Background(), m.w.Org, m.actor(m.second), payout.Withdrawal{ID: run.id, Reason: "x"}))
	for _, p := range run.payouts {
		if p.state == payout.Booked {
			p.state = payout.Failed
			p.release()
		}
	}
	run.state = payout.Closed
	m.happened(r, "withdrawn", "%s", run.id)
}

// becomes is what a payout becomes by what is said of it on a day, and whether that makes sense.
func (p *oraclePayout) becomes(outcome, day string) ([]payout.Standing, bool) {
	switch string(p.state) + " " + outcome {
	case "booked paid", "sent paid":
		return []payout.Standing{payout.Paid}, true
	case "booked failed", "sent failed":
		return []payout.Standing{payout.Failed}, true
	case "sent returned":
		return []payout.Standing{payout.Paid, payout.Returned}, true
	case "paid returned":
		return []payout.Standing{payout.Returned}, true
	case "paid failed":
		if day > p.paidOn {
			return []payout.Standing{payout.Returned}, true
		}
	case "booked returned", "failed paid", "failed returned":
		return nil, false
	}
	return nil, true
}

// bankAnswer is what is said of a payout.
type bankAnswer struct {
	of           *oraclePayout
	outcome, day string
}

func (m *payoutMarket) drawAnswer(r *rapid.T, of []*oraclePayout) bankAnswer {
	return bankAnswer{
		one(r, "payout", of), rapid.SampledFrom([]string{"paid", "paid", "failed", "returned"}).Draw(r, "outcome"), dayAfter(m.today(), -rapid.IntRange(0, 2).Draw(r, "days ago")),
	}
}

// say takes answers in, one after the other. It returns the references of those that make no sense, how many changed something, and whether the organisation
// holds enough for what came back; if it does not, nothing has changed.
func (m *payoutMarket) say(answers []bankAnswer) (contradict []string, applied int, covered bool) {
	held := int64(m.w.SystemBalance(ledger.Payable))
	type before struct {
		state  payout.Standing
		paidOn string
	}
	was := map[*oraclePayout]before{}
	var changed []func()
	covered = true
	for _, said := range answers {
		p := said.of
		if _, ok := was[p]; !ok {
			was[p] = before{p.state, p.paidOn}
		}
		path, sense := p.becomes(said.outcome, said.day)
		if !sense && !slices.Contains(contradict, p.reference) {
			contradict = append(contradict, p.reference)
		}
		if len(path) > 0 {
			applied++
		}
		for _, state := range path {
			switch p.state = state; state {
			case payout.Paid:
				p.paidOn = said.day
				held += p.net
			case payout.Failed:
				changed = append(changed, p.release)
			case payout.Returned:
				held -= p.net
				changed = append(changed, func() {
					p.agent.moves = append(p.agent.moves, &oracleMove{amount: p.net, day: m.today(), cameBack: true})
				})
			}
			covered = covered && held >= 0
		}
	}
	if !covered {
		for p, b := range was {
			p.state, p.paidOn = b.state, b.paidOn
		}
		return nil, 0, false
	}
	for _, change := range changed {
		change()
	}
	for p := range was {
		p.run.close()
	}
	return contradict, applied, true
}

// answerable are the payouts that were booked.
func (m *payoutMarket) answerable() (of []*oraclePayout) {
	for _, run := range m.runs {
		for _, p := range run.payouts {
			if p.state != payout.Ready && p.state != payout.LeftOut {
				of = append(of, p)
			}
		}
	}
	return of
}

// sayOne is what a person says of one payout.
func (m *payoutMarket) sayOne(r *rapid.T) {
	said := m.drawAnswer(r, m.answerable())
	was := said.of.state
	r.Logf("%s: said: %s of %s of %s, which was %s", m.today(), said.outcome, said.of.reference, said.day, was)
	contradicts, _, covered := m.say([]bankAnswer{said})
	err := m.w.Payout.Say(context.Background(), m.w.Org, m.actor(m.first), payout.Said{ID: said.of.id, Outcome: said.outcome, Day: said.day, Reason: "x"})
	switch {
	case !covered:
		require.ErrorIs(r, err, payout.ErrNotCovered)
	case len(contradicts) > 0:
		require.ErrorIs(r, err, payout.ErrContradicts)
	default:
		require.NoError(r, err)
	}
	m.happened(r, "said "+said.outcome+", was "+string(was), "%s of %s of %s, which was %s", said.outcome, said.of.reference, said.day, was)
}

// readFile is what a bank answers, also twice, in another order, with what contradicts, or with a row of another run, by which all of it is refused.
func (m *payoutMarket) readFile(r *rapid.T) {
	run := m.runIn(r, hasFile)
	of := slices.DeleteFunc(slices.Clone(run.payouts), func(p *oraclePayout) bool { return p.state == payout.LeftOut })
	var answers []bankAnswer
	text := []string{"reference,amount,outcome,day,reason\n"}
	line := func(said bankAnswer) string {
		return fmt.Sprintf("%s,%s,%s,%s,x\n", said.of.reference, baht(said.of.net), said.outcome, said.day)
	}
	for range rapid.IntRange(1, 5).Draw(r, "rows") {
		said := m.drawAnswer(r, of)
		answers = append(answers, said)
		text = append(text, line(said))
	}
	in := payout.ResultFile{ID: run.id, Name: "result.csv", Text: strings.Join(text, "")}
	ctx := context.Background()
	for _, other := range m.runs {
		if other != run && len(other.payouts) > 0 && rapid.IntRange(0, 4).Draw(r, "a row of another run") == 0 {
			foreign := in
			foreign.Text += line(bankAnswer{other.payouts[0], "paid", m.today()})
			_, err := m.w.Payout.ReadFile(ctx, m.w.Org, m.actor(m.first), foreign)
			require.Equal(r, fault.At(fmt.Sprintf("rows.%d.reference", len(answers)), bankfile.ErrUnknown), err)
		}
	}
	r.Logf("%s: to be read, of %s: %s", m.today(), run.id, in.Text)
	contradict, applied, covered := m.say(answers)
	result, err := m.w.Payout.ReadFile(ctx, m.w.Org, m.actor(m.first), in)
	if !covered {
		require.ErrorIs(r, err, payout.ErrNotCovered)
		m.happened(r, "refused to be read", "%s", run.id)
		return
	}
	require.NoError(r, err)
	require.Equal(r, []int{len(answers), applied}, []int{result.Rows, result.Applied})
	require.ElementsMatch(r, contradict, unique(result.Contradicts))
	m.happened(r, "read", "%s", run.id)
	if rapid.IntRange(0, 2).Draw(r, "once more") == 0 {
		m.say(answers)
		_, err := m.w.Payout.ReadFile(ctx, m.w.Org, m.actor(m.first), in)
		require.NoError(r, err)
		m.happened(r, "read again", "%s", run.id)
	}
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// check compares every run and every agent with the oracle's.
func (m *payoutMarket) check(r *rapid.T) {
	type stored struct {
		Run                           uuid.UUID
		State                         string
		Payout                        *uuid.UUID
		Standing, Why                 string
		Lines                         int
		Gross, Taxable, Withheld, Net int64
		PaidOn                        string
	}
	all := map[uuid.UUID][]stored{}
	for _, row := range rows[stored](m.w, `SELECT r.id, r.state, p.id, coalesce(p.state, ''), coalesce(p.left_out, ''), coalesce(p.lines, 0), coalesce(p.gross_satang, 0), coalesce(p.taxable_satang, 0),
			coalesce(p.withheld_satang, 0), coalesce(p.net_satang, 0), coalesce(p.paid_on::text, '') FROM payout_run r LEFT JOIN payout p ON p.run_id = r.id`) {
		all[row.Run] = append(all[row.Run], row)
	}
	clearing, withheld := int64(0), int64(0)
	for _, run := range m.runs {
		require.NotEmpty(r, all[run.id])
		require.Equal(r, string(run.state), all[run.id][0].State, "run %s", run.id)
		for _, p := range run.payouts {
			n := slices.IndexFunc(all[run.id], func(row stored) bool { return row.Payout != nil && *row.Payout == p.id })
			require.GreaterOrEqual(r, n, 0)
			is := all[run.id][n]
			want := stored{run.id, string(run.state), &p.id, string(p.state), is.Why, len(p.lines), p.gross, p.taxable, p.withheld, p.net, p.paidOn}
			if p.state == payout.LeftOut { // what tax it would be is nobody's
				require.Contains(r, p.why, is.Why, "%s in run %s: %+v", m.nameOf(p.agent), run.id, is)
				want.Taxable, want.Withheld, want.Net = is.Taxable, is.Withheld, is.Net
			}
			require.Equal(r, want, is, "%s in run %s", m.nameOf(p.agent), run.id)
			if p.stands() {
				withheld += p.withheld
			}
			if p.state == payout.Booked || p.state == payout.Sent {
				clearing += p.net
			}
		}
	}
	balances := m.balances()
	require.Equal(r, []int64{clearing, withheld}, []int64{balances[m.account(ledger.BankClearing)], balances[m.account(ledger.WithholdingTax)]}, "on its way, withheld")
	for _, a := range m.agents {
		pending, has := int64(0), int64(0)
		for _, s := range m.sales {
			whole, recruiter := s.due()
			if s.agent == a {
				pending += whole - recruiter - s.mature
			}
			if s.recruiter == a {
				pending += recruiter - s.recruiterMature
			}
		}
		for _, move := range a.moves {
			has += move.amount
		}
		for _, p := range a.payouts {
			if p.stands() {
				has -= p.gross
			}
		}
		is := []int64{balances[commission.Pending(a.id).ID(m.w.Key)], balances[ledger.AccountOf(ledger.CommissionPayable, a.id).ID(m.w.Key)], balances[ledger.AccountOf(ledger.CommissionReceivable, a.id).ID(m.w.Key)]}
		require.Equal(r, []int64{pending, max(has, 0), min(has, 0)}, is, "%s waits for, can be paid, owes", m.nameOf(a))
	}
}

func (m *payoutMarket) account(kind ledger.Kind) uuid.UUID {
	return ledger.SystemAccount(kind).ID(m.w.Key)
}

// balances are those of all accounts in the books: credits less debits.
func (m *payoutMarket) balances() map[uuid.UUID]int64 {
	type balance struct {
		ID     uuid.UUID
		Satang int64
	}
	balances := map[uuid.UUID]int64{}
	for _, b := range rows[balance](m.w, `SELECT id, sum(satang)::bigint FROM (SELECT credit_id AS id, amount_satang AS satang FROM entry UNION ALL SELECT debit_id, -amount_satang FROM entry) e GROUP BY id`) {
		balances[b.ID] = b.Satang
	}
	return balances
}
