package chaos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/migrations"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tools/deployment"
)

// TestPayoutKills: the worker is killed while it computes and books a run of many payees, at any time or at a named point, and started again. Then everybody
// is paid once, what the oracle says; the bank's file has the same bytes again; and its answers are taken in once, in whatever parts and order they come.
func TestPayoutKills(t *testing.T) {
	t.Parallel()
	kills := begin(t, "payoutkills", 3)
	payees, each := 300, 3
	if kills.commit != "" {
		payees, each = 10_000, 20
	}
	v := deployPayer(t)
	for kills.more() {
		kills.round(func(t *testing.T, part *result) {
			p := v.open(t, part, payees)
			run := p.draft(each / 3)
			p.approve(run, each-each/3)
			p.answered(run, p.export(run))
			p.MustBalance()
			part.Did = each
		})
	}
}

// payer is the program with a worker whose wire to Postgres is ours.
type payer struct {
	*deployment.Deployment
	taps map[string]*tap
}

func deployPayer(t *testing.T) *payer {
	v := &payer{taps: map[string]*tap{}}
	v.Deployment = deployment.Start(t, deployment.Options{
		APIs: 1, RedisURL: "redis://" + deployment.NewMemory(t).Address(), Durable: true,
		Route: func(role, what, address string) string {
			if what != "postgres" {
				return address
			}
			if v.taps[role] == nil {
				v.taps[role] = newTap(t, address)
			}
			return v.taps[role].through(address)
		},
	})
	schemas, err := db.OpenSchemas(t.Context(), map[string]string{db.MainNode: v.OwnURL}, "wlv_app", migrations.FS)
	require.NoError(t, err)
	t.Cleanup(schemas.Close)
	v.Schemas = schemas
	return v
}

// payday is an organisation that owes many agents, beside the oracle's agents.
type payday struct {
	*tenanttest.World

	v             *payer
	t             *testing.T
	part          *result
	dice          *rand.Rand
	first, second token.Session
	agents        []*oracleAgent
	upTo, pays    string
}

// open makes an organisation that sold something yesterday under the link of each agent.
func (v *payer) open(t *testing.T, part *result, payees int) *payday {
	const back = -24 * time.Hour
	v.T = t
	v.Worker.Kill() // what it does is of today
	v.Clock.Advance(back)
	w := tenanttest.On(t, v.Server)
	w.BankDays()
	p := &payday{World: w, v: v, t: t, part: part, dice: rand.New(rand.NewPCG(part.Seed, 8)), first: w.Owner(), second: w.Owner(), upTo: dayOf(v.payerNow())}
	buyer := w.Customer(10_000_000_000_00)
	prices := []int64{900_00, 1_349_07, 1_500_000_00}
	var sold []uuid.UUID
	for _, price := range prices {
		sold = append(sold, w.Package(tenanttest.Package{Price: money.Amount(price)}))
	}
	for range payees {
		a := p.agent()
		for range 1 + p.dice.IntN(2) {
			n := p.dice.IntN(len(prices))
			w.Visit(buyer, a.id, sold[n])
			w.MustBuy(buyer, sold[n])
			cart := CartInput{Fee: oracleFee, Agent: a.basisPoints, Lines: []CartLine{{Price: prices[n], Quantity: 1, Parts: []int64{1}, Items: []int64{1}}}}
			a.moves = append(a.moves, &oracleMove{amount: oracleOfCart(cart).Lines[0].Sums.Commission, day: p.upTo})
		}
		if a.suspended {
			w.Force(`UPDATE agent SET state = 'suspended' WHERE id = $1`, a.id)
		}
	}
	w.Mature()
	v.Clock.Advance(-back)
	p.first, p.second = w.SignInAnew(p.first), w.SignInAnew(p.second)
	calendar, err := tax.ReadCalendar(t.Context(), w.DB)
	require.NoError(t, err)
	pays, ok := calendar.BankDayAfter(clock.Day(v.payerNow()), 2)
	require.True(t, ok)
	p.pays = pays.Format(time.DateOnly)
	v.Again(v.Worker)
	return p
}

func (v *payer) payerNow() time.Time { return v.Clock.Now() }

// agent makes an agent: a few are not approved, or suspended.
func (p *payday) agent() *oracleAgent {
	a := &oracleAgent{basisPoints: 100 + p.dice.Int64N(2901), suspended: p.dice.IntN(20) == 0}
	a.id = p.AgentBy(p.Customer(0), int(a.basisPoints), commission.Rule{Matures: "sale"})
	p.agents = append(p.agents, a)
	if p.dice.IntN(20) > 0 {
		p.form(a)
	}
	return a
}

func (p *payday) form(a *oracleAgent) {
	a.form = tenanttest.PersonForm()
	if p.dice.IntN(3) == 0 {
		a.form = tenanttest.CompanyForm()
	}
	a.form.VATRegistered, a.form.Resident = p.dice.IntN(2) == 0, p.dice.IntN(4) > 0
	p.Payee(a.id, p.first, a.form)
	a.forms, a.class = 1, taxedAs{Company: a.form.Kind == payee.Company, Resident: a.form.Resident, VAT: a.form.VATRegistered}
}

func (p *payday) by(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

func (p *payday) story(run *oracleRun) payout.RunStory {
	story, err := p.Payout.Run(p.t.Context(), p.Org, run.id)
	require.NoError(p.t, err)
	return story
}

// suffer has the worker do something, and kills it some times at any moment or at a point of its transactions, at which it stands still until then.
func (p *payday) suffer(kills int, about uuid.UUID, points []string, begin func(), busy func() bool) {
	wire, moments := p.v.taps["worker"], []moment{"", before, during, beforeCommit, afterCommit}
	for left := kills; ; left-- {
		var set *trap
		words, when := points[p.dice.IntN(len(points))], moments[p.dice.IntN(len(moments))]
		if left > 0 && when != "" {
			set = wire.set(words, about, when)
		}
		if left == kills {
			begin()
		} else {
			p.v.Again(p.v.Worker)
		}
		if left == 0 {
			break
		}
		if set == nil {
			time.Sleep(time.Duration(p.dice.IntN(300)) * time.Millisecond)
			p.kill("at any time", busy())
			continue
		}
		if p.sprung(set, busy) {
			p.kill(fmt.Sprintf("%s %s", when, words), true)
		} else {
			wire.mu.Lock()
			wire.trap = nil
			wire.mu.Unlock()
			p.kill("when all was done", false)
		}
		close(set.done)
	}
	require.Eventually(p.t, func() bool { return !busy() }, 5*time.Minute, 50*time.Millisecond, "it is done by the worker that was started last")
}

// sprung waits until the worker stands still at a point, or has nothing more to do.
func (p *payday) sprung(set *trap, busy func() bool) bool {
	for giveUp := time.Now().Add(3 * time.Minute); time.Now().Before(giveUp); {
		select {
		case <-set.sprung:
			return true
		case <-time.After(50 * time.Millisecond):
			if !busy() {
				return false
			}
		}
	}
	require.Fail(p.t, "nobody came to "+set.words)
	return false
}

func (p *payday) kill(at string, busy bool) {
	p.t.Logf("kill -9 of the worker, %s; it had something to do: %t", at, busy)
	p.part.count("kill "+at, 1)
	if busy {
		p.part.count("kill in the middle", 1)
	}
	p.v.Worker.Kill()
}

// draft has a run computed, and compares it with the oracle.
func (p *payday) draft(kills int) *oracleRun {
	run := &oracleRun{upTo: p.upTo, payDay: p.pays, minimum: 100_00, state: payout.Draft}
	p.suffer(kills, uuid.Nil, []string{"INSERT INTO payout ", "INSERT INTO payout_line", "UPDATE payout_run"}, func() {
		made, err := p.Payout.Draft(p.t.Context(), p.Org, p.by(p.first), payout.DraftInput{Kind: payout.Agents, UpTo: run.upTo, PayDay: run.payDay, Minimum: money.Amount(run.minimum)})
		require.NoError(p.t, err)
		run.id = made.ID
	}, func() bool { return p.story(run).Computing })
	for _, a := range p.agents {
		if one := a.compute(run); one != nil {
			run.payouts, a.payouts = append(run.payouts, one), append(a.payouts, one)
		}
	}
	p.compare(run)
	return run
}

// approve has a run approved and booked, and compares it with the oracle.
func (p *payday) approve(run *oracleRun, kills int) {
	asked, err := p.Payout.Propose(p.t.Context(), p.Org, p.by(p.first), tenanttest.Key(), payout.Proposal{ID: run.id, Hash: p.story(run).Hash, Note: "x"})
	require.NoError(p.t, err)
	p.suffer(kills, run.id, []string{"UPDATE payout ", "INSERT INTO transfer", "INSERT INTO entry", "UPDATE payee_balance"}, func() {
		require.NoError(p.t, p.Approval.Approve(p.t.Context(), p.second, p.by(p.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	}, func() bool { return p.story(run).Booking })
	for _, one := range run.ready() {
		one.state = payout.Booked
	}
	run.state = payout.Approved
	p.compare(run)
}

// compare requires that what is stored of a run, and what each agent can be paid, is the oracle's.
func (p *payday) compare(run *oracleRun) {
	p.t.Helper()
	type stored struct {
		ID, Payee                     uuid.UUID
		Reference, State, Why         string
		Lines                         int
		Gross, Taxable, Withheld, Net int64
	}
	all := map[uuid.UUID]stored{}
	for _, row := range rows[stored](p.World, `SELECT id, payee_id, reference, state, coalesce(left_out, ''), lines, gross_satang, taxable_satang, withheld_satang, net_satang FROM payout WHERE run_id = $1`, run.id) {
		all[row.Payee] = row
	}
	require.EqualValues(p.t, len(run.payouts), p.Count(`SELECT count(*) FROM payout WHERE run_id = $1`, run.id))
	for _, one := range run.payouts {
		is := all[one.agent.id]
		one.id, one.reference = is.ID, is.Reference
		want := stored{is.ID, one.agent.id, is.Reference, string(one.state), is.Why, len(one.lines), one.gross, one.taxable, one.withheld, one.net}
		if one.state == payout.LeftOut {
			require.Contains(p.t, one.why, is.Why)
			want.Taxable, want.Withheld, want.Net = is.Taxable, is.Withheld, is.Net
		}
		require.Equal(p.t, want, is)
	}
	type balance struct {
		Payee         uuid.UUID
		Payable, Owed int64
	}
	has := map[uuid.UUID]balance{}
	for _, b := range rows[balance](p.World, `SELECT payee_id, payable_satang, receivable_satang FROM payee_balance`) {
		has[b.Payee] = b
	}
	for _, a := range p.agents {
		payable := int64(0)
		for _, move := range a.moves {
			payable += move.amount
		}
		for _, one := range a.payouts {
			if one.stands() {
				payable -= one.gross
			}
		}
		require.Equal(p.t, []int64{payable, 0}, []int64{has[a.id].Payable, has[a.id].Owed})
	}
}

// export makes the bank's file twice, also by services that have nothing in mind, and returns who is paid.
func (p *payday) export(run *oracleRun) (sent []*oraclePayout) {
	file, err := p.Payout.Export(p.t.Context(), p.Org, p.by(p.first), run.id)
	require.NoError(p.t, err)
	p.Restart()
	again, err := p.Payout.Export(p.t.Context(), p.Org, p.by(p.second), run.id)
	require.NoError(p.t, err)
	require.Equal(p.t, file, again)
	for _, one := range run.payouts {
		line := fmt.Sprintf("\n%s,%s,%s,%s,%s,%s\n", one.reference, one.form.Bank, one.form.Number, one.form.AccountName, baht(one.net), run.payDay)
		require.Equal(p.t, one.state == payout.Booked, strings.Contains(strings.ReplaceAll(file.Text, "\r", ""), line), line)
		if one.state == payout.Booked {
			one.state = payout.Sent
			sent = append(sent, one)
		}
	}
	require.Equal(p.t, len(sent)+1, strings.Count(strings.TrimSpace(file.Text), "\n")+1)
	run.state = payout.Exported
	return sent
}

// answered has the bank answer in files that overlap, out of order, twice and at once; files with a row of another run are refused whole.
func (p *payday) answered(run *oracleRun, sent []*oraclePayout) {
	var lines []string
	today := dayOf(p.v.payerNow())
	for _, one := range sent {
		outcome := []string{"paid", "paid", "paid", "paid", "failed", "returned"}[p.dice.IntN(6)]
		lines = append(lines, fmt.Sprintf("%s,%s,%s,%s,x\n", one.reference, baht(one.net), outcome, today))
		path, _ := one.becomes(outcome, today)
		one.state = path[len(path)-1]
		switch one.state {
		case payout.Failed:
			one.release()
		case payout.Returned:
			one.agent.moves = append(one.agent.moves, &oracleMove{amount: one.net, day: today, cameBack: true})
		}
	}
	read := func(lines []string) (bankfile.ReadResult, error) {
		return p.Payout.ReadFile(p.t.Context(), p.Org, p.by(p.first), payout.ResultFile{ID: run.id, Name: "result.csv", Text: "reference,amount,outcome,day,reason\n" + strings.Join(lines, "")})
	}
	p.dice.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	foreign := p.another()
	before := p.Count(`SELECT count(*) FROM payout_result`)
	_, err := read(append(slices.Clone(lines), fmt.Sprintf("%s,%s,paid,%s,\n", foreign.reference, baht(foreign.net), today)))
	require.Equal(p.t, fault.At(fmt.Sprintf("rows.%d.reference", len(lines)), bankfile.ErrUnknown), err)
	require.Equal(p.t, before, p.Count(`SELECT count(*) FROM payout_result`), "nothing of it was read")

	var reading sync.WaitGroup
	third := len(lines) / 3
	for _, some := range [][]string{lines[third:], lines[:2*third], lines[third : 2*third], lines[third:], lines[:2*third]} {
		reading.Go(func() {
			result, err := read(some)
			if err != nil || len(result.Contradicts) > 0 {
				p.t.Errorf("%v, %+v", err, result)
			}
		})
	}
	reading.Wait()
	result, err := read(lines)
	require.NoError(p.t, err)
	require.Equal(p.t, bankfile.ReadResult{Rows: len(lines), Known: len(lines), Contradicts: []string{}}, result)
	run.close()
	require.Equal(p.t, payout.Closed, p.story(run).Record.State)
	p.compare(run)
}

// another drafts a run of who had no approved form before, and returns a payout of it.
func (p *payday) another() *oraclePayout {
	run := &oracleRun{upTo: p.upTo, payDay: p.pays, minimum: 1, state: payout.Draft}
	a := p.agents[slices.IndexFunc(p.agents, func(a *oracleAgent) bool { return a.forms == 0 })]
	p.form(a)
	made, err := p.Payout.Draft(p.t.Context(), p.Org, p.by(p.first), payout.DraftInput{Kind: payout.Agents, UpTo: run.upTo, PayDay: run.payDay, Minimum: 1})
	require.NoError(p.t, err)
	run.id = made.ID
	require.Eventually(p.t, func() bool { return !p.story(run).Computing }, 5*time.Minute, 50*time.Millisecond)
	reference := rows[string](p.World, `SELECT reference FROM payout WHERE run_id = $1 AND payee_id = $2`, run.id, a.id)[0]
	require.NoError(p.t, p.Payout.Cancel(p.t.Context(), p.Org, p.by(p.first), run.id))
	return &oraclePayout{reference: reference, net: 1_00}
}
