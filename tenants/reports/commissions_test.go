package reports_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/report"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
)

// agency is an organisation with two people of its back office, a buyer, and a package of three items for 900.00, of which agents have 10 %.
type agency struct {
	*tenanttest.World

	t             *testing.T
	system        uuid.UUID
	first, second token.Session
	ann           token.Session
	pkg           uuid.UUID
	staff         token.Session
	place         uuid.UUID
}

func openAgency(t *testing.T) *agency {
	t.Helper()
	w := tenanttest.New(t)
	w.BankDays()
	a := &agency{World: w, t: t, system: w.AddPaymentSystem(), first: w.Owner(), second: w.Owner(), ann: w.Customer(1_000_000_00), staff: w.Staff(), place: w.ServicePoint()}
	a.pkg = w.Package(tenanttest.Package{Price: 900_00, Items: 3})
	return a
}

func (a *agency) by(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

// sells has ann buy one by an agent's link, and returns its order and its voucher.
func (a *agency) sells(agent uuid.UUID) (orderID, voucher uuid.UUID) {
	a.t.Helper()
	a.Visit(a.ann, agent, a.pkg)
	voucher = a.MustBuy(a.ann, a.pkg).ID
	return a.one(`SELECT order_id FROM voucher WHERE id = $1`, voucher), voucher
}

// direct has ann pay by PromptPay for one of an agent's link.
func (a *agency) direct(agent uuid.UUID) uuid.UUID {
	a.t.Helper()
	a.Visit(a.ann, agent, a.pkg)
	o, err := a.Order.Pay(a.t.Context(), a.ann, tenanttest.Key(), "", order.PayInput{BuyInput: a.Quote(a.ann, a.pkg, 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(a.t, err)
	a.PayAtGateway(o.ID)
	return o.ID
}

func (a *agency) disputed(order uuid.UUID, change func(*payment.Charge)) {
	a.t.Helper()
	name := a.Pay.SetCharge(order, change)
	require.NoError(a.t, a.Charge.HandleGatewayEvent(a.t.Context(), a.Org, charge.GatewayEventJob{System: a.system, GatewayID: name}))
}

// refunds gives back so many items of a voucher.
func (a *agency) refunds(orderID, voucher uuid.UUID, items int64) {
	a.t.Helper()
	_, err := a.Refund.Make(a.t.Context(), a.Org, a.by(a.first), tenanttest.Key(), refund.Input{
		Choice: refund.Choice{Order: orderID, Parts: []refund.Part{{Voucher: voucher, Items: items}}}, Method: "wallet", Reason: "asked",
	})
	require.NoError(a.t, err)
}

func (a *agency) one(sql string, args ...any) (id uuid.UUID) {
	a.t.Helper()
	a.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql, args...).Scan(&id) })
	return id
}

// tomorrow lets a night pass, so that what is mature is of a day that is over. It is noon then.
func (a *agency) tomorrow() {
	a.t.Helper()
	a.Mature()
	day := clock.Day(a.Clock.Now()).AddDate(0, 0, 1)
	a.Clock.Advance(clock.Start(day).Add(12 * time.Hour).Sub(a.Clock.Now()))
	a.first, a.second = a.SignInAnew(a.first), a.SignInAnew(a.second)
}

// pays drafts, approves and exports a run of what was mature yesterday, and says what became of each agent's payout: ” nothing.
func (a *agency) pays(became map[uuid.UUID][]string) (run uuid.UUID) {
	a.t.Helper()
	calendar, err := tax.ReadCalendar(a.t.Context(), a.DB)
	require.NoError(a.t, err)
	today := clock.Day(a.Clock.Now())
	payDay, ok := calendar.BankDayAfter(today, 1)
	require.True(a.t, ok)
	made, err := a.Payout.Draft(a.t.Context(), a.Org, a.by(a.first), payout.DraftInput{Kind: payout.Agents, UpTo: today.AddDate(0, 0, -1).Format(time.DateOnly), PayDay: payDay.Format(time.DateOnly), Minimum: 50_00})
	require.NoError(a.t, err)
	require.NoError(a.t, a.Payout.Work(a.t.Context(), a.Org))
	drafted, err := a.Payout.Run(a.t.Context(), a.Org, made.ID)
	require.NoError(a.t, err)
	asked, err := a.Payout.Propose(a.t.Context(), a.Org, a.by(a.first), tenanttest.Key(), payout.Proposal{ID: made.ID, Hash: drafted.Hash, Note: "x"})
	require.NoError(a.t, err)
	require.NoError(a.t, a.Approval.Approve(a.t.Context(), a.second, a.by(a.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	require.NoError(a.t, a.Payout.Work(a.t.Context(), a.Org))
	_, err = a.Payout.Export(a.t.Context(), a.Org, a.by(a.first), made.ID)
	require.NoError(a.t, err)
	for agent, outcomes := range became {
		id := a.one(`SELECT id FROM payout WHERE run_id = $1 AND payee_id = $2`, made.ID, agent)
		for _, outcome := range outcomes {
			said := payout.Said{ID: id, Outcome: outcome, Day: today.Format(time.DateOnly), Reason: "ชื่อบัญชีไม่ตรง"}
			require.NoError(a.t, a.Payout.Say(a.t.Context(), a.Org, a.by(a.first), said))
		}
	}
	return made.ID
}

// reads returns a report of the last year and the next month.
func (a *agency) reads(r report.Report, filter map[string]any) report.Screen {
	a.t.Helper()
	today := clock.Day(a.Clock.Now())
	all := days(today.AddDate(-1, 0, 0), today.AddDate(0, 1, 0))
	maps.Copy(all, filter)
	s, err := screen(a.t, a.World, r, all)
	require.NoError(a.t, err)
	return s
}

// column returns the values of a column, from the newest row on.
func column(s report.Screen, name string) (values []any) {
	for _, row := range s.Data {
		values = append(values, row[name])
	}
	return values
}

func TestCommissions(t *testing.T) {
	a := openAgency(t)
	nok, som := a.AgentBy(a.Customer(0), 1000, commission.Rule{Matures: "sale"}), a.AgentBy(a.Customer(0), 1000, commission.Rule{Matures: "days", Days: 7})
	orderID, voucher := a.sells(nok)
	a.sells(som)
	a.Mature()
	a.tomorrow()
	a.refunds(orderID, voucher, 1)
	paid := a.direct(nok)
	a.Mature()
	a.Clock.Advance(time.Hour)
	a.disputed(paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
	a.Clock.Advance(time.Hour)
	a.disputed(paid, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeWon, 0 })

	s := a.reads(reports.Commissions, map[string]any{"agent_id": nok})
	require.Equal(t, []any{"restored", "taken_back", "matured", "sold", "taken_back", "matured", "sold"}, column(s, "cause"))
	require.Equal(t, []any{money.Amount(90_00), money.Amount(-90_00), money.Amount(0), money.Amount(90_00), money.Amount(-30_00), money.Amount(0), money.Amount(90_00)}, column(s, "due_satang"))
	require.Equal(t, map[string]int64{"due_satang": 150_00, "mature_satang": 150_00}, s.Totals)
	require.EqualValues(t, 7, s.Total)
	require.Len(t, s.Points, 2, "two days")
	require.Equal(t, nok, s.Data[0]["agent_id"])
	require.Equal(t, paid, s.Data[0]["order_id"])
	require.EqualValues(t, 150_00, a.Earned(nok).Payable)

	require.Equal(t, map[string]int64{"due_satang": 90_00, "mature_satang": 0}, a.reads(reports.Commissions, map[string]any{"agent_id": som}).Totals)
	require.Equal(t, map[string]int64{"due_satang": -120_00, "mature_satang": -120_00}, a.reads(reports.Commissions, map[string]any{"cause": "taken_back"}).Totals)
	require.EqualValues(t, 3, a.reads(reports.Commissions, map[string]any{"cause": "sold"}).Total)
	_, err := screen(t, a.World, reports.Commissions, map[string]any{"from": "2026-01-01", "to": "2026-01-02", "cause": "luck"})
	require.Error(t, err)

	a.MustBalance()

	// A voucher that expired makes its commission mature, and an extension takes that back.
	late := a.AgentBy(a.Customer(0), 1000, commission.Rule{Matures: "use"})
	_, sold := a.sells(late)
	a.EndVouchers(clock.Day(a.Clock.Now()).AddDate(0, 0, -1))
	a.In(a.Voucher.ExpireVouchers)
	a.Mature()
	in := refund.ExtendInput{ID: sold, Until: clock.Day(a.Clock.Now()).AddDate(0, 1, 0).Format(time.DateOnly), Reason: "closed"}
	require.NoError(t, a.Refund.Extend(t.Context(), a.Org, a.by(a.first), tenanttest.Key(), in))
	a.Mature()
	require.Equal(t, []any{"unmatured", "matured", "sold"}, column(a.reads(reports.Commissions, map[string]any{"agent_id": late}), "cause"))
	a.ReportsAgree(t)
}

// TestPaidOut: what was paid, failed, came back and was left out is each where an accountant looks for it.
func TestPaidOut(t *testing.T) {
	a := openAgency(t)
	sale := commission.Rule{Matures: "sale"}
	paid, failed, returned, early := a.AgentBy(a.Customer(0), 1000, sale), a.AgentBy(a.Customer(0), 1000, sale), a.AgentBy(a.Customer(0), 1000, sale), a.AgentBy(a.Customer(0), 1000, sale)
	a.Payee(paid, a.first, tenanttest.PersonForm())
	a.Payee(failed, a.first, tenanttest.PersonForm())
	a.Payee(returned, a.first, tenanttest.CompanyForm())
	for _, agent := range []uuid.UUID{paid, failed, returned, returned, early} {
		a.sells(agent)
	}
	a.tomorrow()
	run := a.pays(map[uuid.UUID][]string{paid: {"paid"}, failed: {"failed"}, returned: {"paid", "returned"}})

	s := a.reads(reports.PaidOut, nil)
	states := map[any]map[string]any{}
	for _, row := range s.Data {
		states[*row["agent_id"].(*uuid.UUID)] = row
		require.Equal(t, run, row["run_id"])
	}
	require.Equal(t, "paid", states[paid]["state"])
	require.Equal(t, money.Amount(90_00), states[paid]["paid_satang"])
	require.Equal(t, "failed", states[failed]["state"])
	require.Equal(t, "ชื่อบัญชีไม่ตรง", states[failed]["reason"])
	require.Equal(t, money.Amount(0), states[failed]["paid_satang"])
	require.Equal(t, "returned", states[returned]["state"])
	require.Equal(t, money.Amount(180_00)-states[returned]["withheld_satang"].(money.Amount), states[returned]["net_satang"])
	require.Positive(t, states[returned]["withheld_satang"])
	require.Equal(t, "not_approved", states[early]["left_out"])
	require.Equal(t, money.Amount(0), states[early]["gross_satang"])
	require.EqualValues(t, 90_00, s.Totals["left_satang"])
	require.EqualValues(t, 360_00, s.Totals["gross_satang"])
	require.EqualValues(t, 90_00, s.Totals["paid_satang"])
	require.EqualValues(t, 1, a.reads(reports.PaidOut, map[string]any{"state": "returned"}).Total)
	require.EqualValues(t, 90_00, a.reads(reports.PaidOut, map[string]any{"agent_id": failed}).Totals["net_satang"])

	a.sells(paid)
	a.tomorrow()
	a.pays(nil) // on its way: what failed and came back is in it again
	runs := a.reads(reports.PaidRuns, nil)
	require.EqualValues(t, 2, runs.Total)
	require.Equal(t, "exported", runs.Data[0]["state"])
	require.Equal(t, "closed", runs.Data[1]["state"])
	require.Len(t, runs.Data[1]["hash"], 64)
	require.Len(t, runs.Data[1]["file_hash"], 64)
	require.NotEmpty(t, runs.Data[1]["approved_by"])
	require.EqualValues(t, 3, runs.Data[1]["payees"])
	a.MustBalance()
	a.ReportsAgree(t)
}

// TestCommissionByVoucher: what of an order's commission was taken back, waits and is mature is each voucher's by what became of its items, to the satang.
func TestCommissionByVoucher(t *testing.T) {
	a := openAgency(t)
	pair := a.Package(tenanttest.Package{Price: 333_33, Items: 3, Vouchers: 2, Transfers: 1})
	late, soon := a.AgentBy(a.Customer(0), 1250, commission.Rule{Matures: "use"}), a.AgentBy(a.Customer(0), 1000, commission.Rule{Matures: "sale"})
	a.Visit(a.ann, late, pair)
	bought := a.MustBuy(a.ann, pair)
	orderID := a.one(`SELECT order_id FROM voucher WHERE id = $1`, bought.ID)
	first, second := a.one(`SELECT id FROM voucher WHERE order_id = $1 ORDER BY id LIMIT 1`, orderID), a.one(`SELECT id FROM voucher WHERE order_id = $1 ORDER BY id DESC LIMIT 1`, orderID)

	// Of the first an item is used, and one given to bob, who uses it too; of the second two are refunded.
	a.MustRedeem(a.ann, first, 1, a.staff, a.place)
	given, err := a.Gift.Give(t.Context(), a.ann, tenanttest.Key(), gift.Input{Voucher: first, Items: 1, Card: "love"})
	require.NoError(t, err)
	bob := a.Customer(0)
	_, err = a.Gift.Receive(t.Context(), bob, gift.Link{Ref: given.Ref})
	require.NoError(t, err)
	slice := a.one(`SELECT id FROM voucher WHERE parent_id = $1`, first)
	a.MustRedeem(bob, slice, 1, a.staff, a.place)
	a.refunds(orderID, second, 2)
	a.Clock.Advance(50 * time.Hour)
	a.Mature()

	read := func() map[any][]any {
		of := map[any][]any{}
		for _, row := range a.reads(reports.CommissionByVoucher, map[string]any{"agent_id": late}).Data {
			of[row["voucher_id"]] = []any{row["frozen_satang"], row["reversed_satang"], row["pending_satang"], row["mature_satang"]}
		}
		return of
	}
	all := []any{money.Amount(20_84), money.Amount(0), money.Amount(6_94), money.Amount(13_90)} // its last item, which bob has, takes the rest of what three do not divide
	require.Equal(t, map[any][]any{first: all, second: {money.Amount(20_83), money.Amount(13_89), money.Amount(6_94), money.Amount(0)}}, read(), "what bob has is the first's")
	require.EqualValues(t, 13_90, a.Earned(late).Payable)
	require.EqualValues(t, 13_88, a.Pending(late))
	a.MustBalance()
	a.ReportsAgree(t)

	// Of three orders the bank holds one back, and a third of another's money is refunded.
	a.Clock.Advance(time.Hour)
	a.direct(soon)
	held, third := a.direct(soon), a.direct(soon)
	a.Mature()
	a.disputed(held, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount/2 })
	a.disputed(third, func(c *payment.Charge) { c.Refunded = 100_00 })
	a.Mature()
	s := a.reads(reports.CommissionByVoucher, map[string]any{"agent_id": soon})
	require.EqualValues(t, 3, s.Total)
	require.EqualValues(t, 270_00, s.Totals["frozen_satang"])
	require.EqualValues(t, a.Earned(soon).Payable, s.Totals["mature_satang"])
	require.Positive(t, s.Totals["reversed_satang"])
	a.MustBalance()
	a.ReportsAgree(t)
}

// TestLinks: opens are counted on their day in Bangkok, each customer once for a link and a day, and a sale stands under its link.
func TestLinks(t *testing.T) {
	a := openAgency(t)
	nokSelf := a.Customer(0)
	nok := a.AgentBy(nokSelf, 1000, commission.Rule{Matures: "sale"})
	other := a.Package(tenanttest.Package{Price: 100_00})
	a.tomorrow()
	link := func(pkg uuid.UUID) string {
		made, err := agent.New(a.DB).Link(t.Context(), nokSelf, pkg)
		require.NoError(t, err)
		return made.Code
	}
	first, second := link(a.pkg), link(other)
	open := func(who token.Session, code string) {
		_, err := agent.New(a.DB).Open(t.Context(), who, code)
		require.NoError(t, err)
	}
	bob := a.Customer(1_000_00)
	for range 3 {
		open(bob, first)
	}
	open(bob, second)
	open(bob, first)
	open(a.ann, first)
	a.MustBuy(a.ann, a.pkg)
	a.MustBuy(a.ann, a.pkg)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = agent.New(a.DB).Open(t.Context(), bob, second) })
	}
	all.Wait()
	a.Clock.Advance(24 * time.Hour)
	open(bob, first)

	s := a.reads(reports.Links, map[string]any{"agent_id": nok})
	require.EqualValues(t, 3, s.Total)
	of := func(row map[string]any) []any {
		return []any{row["link"], row["opens"], row["openers"], row["buyers"], row["conversion"], row["paid_satang"]}
	}
	require.Equal(t, []any{first, int64(1), int64(1), int64(0), "0.0 %", money.Amount(0)}, of(s.Data[0]))
	require.Equal(t, []any{first, int64(5), int64(2), int64(1), "50.0 %", money.Amount(1800_00)}, of(s.Data[1]))
	require.Equal(t, []any{second, int64(9), int64(1), int64(0), "0.0 %", money.Amount(0)}, of(s.Data[2]))
	require.EqualValues(t, 1, a.Count(`SELECT count(*) FROM link_opener WHERE customer_id = $1`, bob.Subject), "what he opened before is forgotten")

	sales := a.reads(reports.LinkSales, map[string]any{"agent_id": nok})
	require.EqualValues(t, 2, sales.Total)
	require.Equal(t, first, sales.Data[0]["link"])
	require.Equal(t, "แ***", sales.Data[0]["buyer_masked"])
	require.EqualValues(t, 180_00, sales.Totals["commission_satang"])
	require.EqualValues(t, 0, a.reads(reports.LinkSales, map[string]any{"agent_id": uuid.New()}).Total)

	own, err := agent.New(a.DB).LinkUses(t.Context(), nokSelf)
	require.NoError(t, err)
	require.Len(t, own.Data, 2)
	require.Equal(t, []int64{6, 3, 1, 2}, []int64{own.Data[0].Opens, own.Data[0].Openers, own.Data[0].Buyers, own.Data[0].Orders})
	require.Equal(t, money.Amount(180_00), own.Data[0].Commission)
	_, err = agent.New(a.DB).LinkUses(t.Context(), bob)
	require.ErrorIs(t, err, agent.ErrNotAgent)
	a.ReportsAgree(t)
}
