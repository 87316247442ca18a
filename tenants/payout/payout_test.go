package payout_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
)

// office is an organisation with two people of its back office, a customer with money, and a package of three items for 900.00, of which agents have 10 %.
type office struct {
	*tenanttest.World

	t             *testing.T
	first, second token.Session
	ann           token.Session
	pkg           uuid.UUID
	staff         token.Session
	place         uuid.UUID
}

func open(t *testing.T) *office {
	t.Helper()
	w := tenanttest.New(t)
	w.BankDays()
	o := &office{World: w, t: t, first: w.Owner(), second: w.Owner(), ann: w.Customer(1_000_000_00), staff: w.Staff(), place: w.ServicePoint()}
	o.pkg = w.Package(tenanttest.Package{Price: 900_00, Items: 3})
	return o
}

func actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

// agent sells at 10 %, matures at the sale, and has a person's form approved.
func (o *office) agent() uuid.UUID {
	o.t.Helper()
	id := o.AgentBy(o.Customer(0), 1000, commission.Rule{Matures: "sale"})
	o.Payee(id, o.first, tenanttest.PersonForm())
	return id
}

// sells has ann buy so many by an agent's link: 90.00 of commission each, which is mature.
func (o *office) sells(agent uuid.UUID, n int) (vouchers []uuid.UUID) {
	o.t.Helper()
	o.Visit(o.ann, agent, o.pkg)
	for range n {
		vouchers = append(vouchers, o.MustBuy(o.ann, o.pkg).ID)
	}
	o.Mature()
	return vouchers
}

func (o *office) one(sql string, args ...any) (id uuid.UUID) {
	o.t.Helper()
	o.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, sql, args...).Scan(&id) })
	return id
}

// tomorrow lets a night pass, so that what is mature is of a day that is over. It is noon then.
func (o *office) tomorrow() {
	o.t.Helper()
	day := clock.Day(o.Clock.Now()).AddDate(0, 0, 1)
	o.Clock.Advance(clock.Start(day).Add(12 * time.Hour).Sub(o.Clock.Now()))
	o.first, o.second = o.SignInAnew(o.first), o.SignInAnew(o.second)
}

// days are yesterday, and the next bank day.
func (o *office) days() (upTo, pay string) {
	o.t.Helper()
	calendar, err := tax.ReadCalendar(o.t.Context(), o.DB)
	require.NoError(o.t, err)
	today := clock.Day(o.Clock.Now())
	pays, ok := calendar.BankDayAfter(today, 1)
	require.True(o.t, ok)
	return today.AddDate(0, 0, -1).Format(time.DateOnly), pays.Format(time.DateOnly)
}

// draft makes a draft of what was mature yesterday.
func (o *office) draft() uuid.UUID {
	o.t.Helper()
	upTo, pay := o.days()
	made, err := o.Payout.Draft(o.t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Agents, UpTo: upTo, PayDay: pay, Minimum: 100_00})
	require.NoError(o.t, err)
	o.work()
	return made.ID
}

func (o *office) work() {
	o.t.Helper()
	require.NoError(o.t, o.Payout.Work(o.t.Context(), o.Org))
}

func (o *office) run(id uuid.UUID) payout.RunStory {
	o.t.Helper()
	story, err := o.Payout.Run(o.t.Context(), o.Org, id)
	require.NoError(o.t, err)
	return story
}

func (o *office) propose(id uuid.UUID) (uuid.UUID, error) {
	asked, err := o.Payout.Propose(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), payout.Proposal{ID: id, Hash: o.run(id).Hash, Note: "ค่าคอมเดือนนี้"})
	return asked.Approval, err
}

func (o *office) answer(by token.Session, asked uuid.UUID) error {
	return o.Approval.Approve(o.t.Context(), by, actor(by), tenanttest.Key(), approval.Answer{ID: asked})
}

// approve has the second person approve a draft, and it is booked.
func (o *office) approve(id uuid.UUID) {
	o.t.Helper()
	asked, err := o.propose(id)
	require.NoError(o.t, err)
	require.NoError(o.t, o.answer(o.second, asked))
	o.work()
}

func (o *office) export(id uuid.UUID) payout.File {
	o.t.Helper()
	f, err := o.Payout.Export(o.t.Context(), o.Org, actor(o.first), id)
	require.NoError(o.t, err)
	return f
}

// pays drafts, approves and exports a run.
func (o *office) pays() uuid.UUID {
	o.t.Helper()
	id := o.draft()
	o.approve(id)
	o.export(id)
	return id
}

// of returns an agent's payout of a run.
func (o *office) of(run, agent uuid.UUID) payout.Row {
	o.t.Helper()
	story, err := o.Payout.Payout(o.t.Context(), o.Org, o.one(`SELECT id FROM payout WHERE run_id = $1 AND payee_id = $2`, run, agent))
	require.NoError(o.t, err)
	return story.Record
}

func (o *office) says(id uuid.UUID, outcome, why string) error {
	return o.Payout.Say(o.t.Context(), o.Org, actor(o.first), payout.Said{ID: id, Outcome: outcome, Day: clock.Day(o.Clock.Now()).Format(time.DateOnly), Reason: why})
}

// has requires what an agent can be paid out and what he owes, and that the books balance.
func (o *office) has(agent uuid.UUID, payable, owed money.Amount) {
	o.t.Helper()
	require.Equal(o.t, []money.Amount{payable, owed}, []money.Amount{o.Earned(agent).Payable, o.Earned(agent).Receivable}, "payable, owed")
	o.MustBalance()
}

// refunds gives all of a voucher's three items back.
func (o *office) refunds(voucher uuid.UUID) {
	o.t.Helper()
	order := o.one(`SELECT order_id FROM voucher WHERE id = $1`, voucher)
	_, err := o.Refund.Make(o.t.Context(), o.Org, actor(o.first), tenanttest.Key(), refund.Input{
		Choice: refund.Choice{Order: order, Parts: []refund.Part{{Voucher: voucher, Items: 3}}}, Method: "wallet", Reason: "asked",
	})
	require.NoError(o.t, err)
}

func TestRun(t *testing.T) {
	o := open(t)
	nok, low, early := o.agent(), o.agent(), o.AgentBy(o.Customer(0), 1000, commission.Rule{Matures: "sale"})
	o.sells(nok, 3)
	o.sells(low, 1)
	o.sells(early, 2)
	o.tomorrow()
	o.sells(nok, 1) // of a day that is not over

	id := o.draft()
	story := o.run(id)
	require.Equal(t, payout.Draft, story.Record.State)
	require.False(t, story.Computing)
	require.Equal(t, []money.Amount{270_00, 0, 270_00}, []money.Amount{story.Record.Gross, story.Record.Withheld, story.Record.Net})
	require.EqualValues(t, 1, story.Record.Payees)
	require.Equal(t, "below_minimum", o.of(id, low).LeftOut)
	require.Equal(t, "not_approved", o.of(id, early).LeftOut)
	o.has(nok, 360_00, 0) // a draft moves nothing

	_, err := o.Payout.Draft(t.Context(), o.Org, actor(o.first), func() payout.DraftInput {
		upTo, pay := o.days()
		return payout.DraftInput{Kind: payout.Agents, UpTo: upTo, PayDay: pay, Minimum: 1}
	}())
	require.Equal(t, payout.ErrDraftOpen, err)

	o.approve(id)
	require.Equal(t, payout.Approved, o.run(id).Record.State)
	o.has(nok, 90_00, 0)
	require.Equal(t, money.Amount(270_00), o.SystemBalance(ledger.BankClearing))

	file := o.export(id)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Text, "\ufeff"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, []string{"reference", "bank_code", "account_number", "account_name", "amount", "pay_day"}, rows[0])
	require.Equal(t, []string{o.of(id, nok).Reference, "014"}, rows[1][:2])
	require.Equal(t, "270.00", rows[1][4])
	require.Equal(t, file, o.export(id), "the same bytes again")
	require.Equal(t, payout.Sent, o.of(id, nok).State)

	held := o.SystemBalance(ledger.Payable)
	require.NoError(t, o.says(o.of(id, nok).ID, "paid", ""))
	require.Equal(t, held+270_00, o.SystemBalance(ledger.Payable), "the organisation's bank paid, so what is held is its own")
	require.Equal(t, payout.Closed, o.run(id).Record.State)
	o.has(nok, 90_00, 0)
	require.NoError(t, o.says(o.of(id, nok).ID, "paid", ""), "said twice")
	o.has(nok, 90_00, 0)
	looked, err := o.Payout.Payout(t.Context(), o.Org, o.of(id, nok).ID)
	require.NoError(t, err)
	require.Len(t, looked.Lines, 3)
	require.Len(t, looked.Results, 2)
}

func TestSecondPerson(t *testing.T) {
	o := open(t)
	nok := o.agent()
	o.sells(nok, 2)
	o.tomorrow()
	id := o.draft()
	asked, err := o.propose(id)
	require.NoError(t, err)
	_, err = o.propose(id)
	require.Equal(t, payout.ErrNotNow, err, "it waits already")
	require.Equal(t, payout.ErrNotNow, o.Payout.Cancel(t.Context(), o.Org, actor(o.first), id))
	require.Equal(t, payout.ErrNotNow, o.Payout.Postpone(t.Context(), o.Org, actor(o.first), o.of(id, nok).ID))
	require.Equal(t, approval.ErrOwn, o.answer(o.first, asked))
	detail, err := o.Approval.Detail(t.Context(), o.second, actor(o.second), approval.ByRequest{ID: asked})
	require.NoError(t, err)
	require.Empty(t, detail.Fault)
	require.Equal(t, approval.Value{Amount: 180_00, State: "draft", Items: 1}, detail.Changes[0].Before)
	require.Equal(t, approval.Value{Amount: 180_00, State: "approved", Items: 1}, detail.Changes[0].After)

	t.Run("nobody approves what pays him", func(t *testing.T) {
		o.Force(`UPDATE staff SET line_sub = (SELECT c.line_sub FROM customer c JOIN agent a ON a.customer_id = c.id WHERE a.id = $2) WHERE id = $1`, o.second.Subject, nok)
		require.Equal(t, payout.ErrOwn, o.answer(o.second, asked))
		o.Force(`UPDATE staff SET line_sub = NULL WHERE id = $1`, o.second.Subject)
	})

	t.Run("who drafted it does not approve it, although another proposed it", func(t *testing.T) {
		require.NoError(t, o.Approval.Withdraw(t.Context(), o.first, actor(o.first), approval.ByRequest{ID: asked}))
		again, err := o.Payout.Propose(t.Context(), o.Org, actor(o.second), tenanttest.Key(), payout.Proposal{ID: id, Hash: o.run(id).Hash, Note: "x"})
		require.NoError(t, err)
		require.Equal(t, payout.ErrSamePerson, o.answer(o.first, again.Approval))
		require.NoError(t, o.Approval.Withdraw(t.Context(), o.second, actor(o.second), approval.ByRequest{ID: again.Approval}))
	})

	t.Run("what was looked at is what is approved", func(t *testing.T) {
		_, err := o.Payout.Propose(t.Context(), o.Org, actor(o.first), tenanttest.Key(), payout.Proposal{ID: id, Hash: strings.Repeat("0", 64), Note: "x"})
		require.Equal(t, payout.ErrChanged, err)
	})

	t.Run("a run of nobody is not proposed", func(t *testing.T) {
		require.NoError(t, o.Payout.Postpone(t.Context(), o.Org, actor(o.first), o.of(id, nok).ID))
		require.Equal(t, "postponed", o.of(id, nok).LeftOut)
		_, err := o.propose(id)
		require.Equal(t, payout.ErrEmpty, err)
		again, err := o.Payout.Recompute(t.Context(), o.Org, actor(o.first), id)
		require.NoError(t, err)
		o.work()
		require.Equal(t, "postponed", o.of(again.ID, nok).LeftOut, "who was postponed stays so")
		require.NoError(t, o.Payout.Cancel(t.Context(), o.Org, actor(o.first), again.ID))
		o.work()
		o.pays()
		o.MustBalance()
	})
}

func TestDays(t *testing.T) {
	o := open(t)
	o.tomorrow()
	upTo, pay := o.days()
	for name, in := range map[string]payout.DraftInput{
		"a day that is not over": {Kind: payout.Agents, UpTo: clock.Day(o.Clock.Now()).Format(time.DateOnly), PayDay: pay, Minimum: 1},
		"a pay day today":        {Kind: payout.Agents, UpTo: upTo, PayDay: clock.Day(o.Clock.Now()).Format(time.DateOnly), Minimum: 1},
		"a Sunday": {Kind: payout.Agents, UpTo: upTo, PayDay: func() string {
			day := clock.Day(o.Clock.Now())
			return day.AddDate(0, 0, 7-int(day.Weekday())).Format(time.DateOnly)
		}(), Minimum: 1},
		"a year without a list": {Kind: payout.Agents, UpTo: upTo, PayDay: fmt.Sprintf("%d-06-15", o.Clock.Now().Year()+3), Minimum: 1},
		"no day":                {Kind: payout.Agents, UpTo: "soon", PayDay: pay, Minimum: 1},
	} {
		_, err := o.Payout.Draft(t.Context(), o.Org, actor(o.first), in)
		require.NotEmpty(t, fault.From(err).Fields, name)
	}
}

// TestFailed: what could not be paid is paid by the next run, without tax twice.
func TestFailed(t *testing.T) {
	o := open(t)
	firm := o.AgentBy(o.Customer(0), 1000, commission.Rule{Matures: "sale"})
	o.Payee(firm, o.first, tenanttest.CompanyForm())
	o.SpecialRate(firm, o.pkg, true, 250_00)
	o.sells(firm, 2)
	o.tomorrow()
	id := o.pays()
	p := o.of(id, firm)
	require.Equal(t, []money.Amount{500_00, 14_02, 485_98}, []money.Amount{p.Gross, p.Withheld, p.Net}, "3 % of 467.29")
	require.Equal(t, money.Amount(14_02), o.SystemBalance(ledger.WithholdingTax))
	require.Equal(t, fault.At("reason", fault.Required), o.says(p.ID, "failed", " "))
	require.NoError(t, o.says(p.ID, "failed", "ชื่อบัญชีไม่ตรง"))
	require.Zero(t, o.SystemBalance(ledger.WithholdingTax))
	o.has(firm, 500_00, 0)
	require.Equal(t, payout.Closed, o.run(id).Record.State)
	require.ErrorIs(t, o.says(p.ID, "paid", ""), payout.ErrContradicts)
	require.ErrorIs(t, o.says(p.ID, "returned", "x"), payout.ErrContradicts, "nothing was paid that could come back")
	o.has(firm, 500_00, 0)

	o.tomorrow()
	o.sells(firm, 2)
	o.tomorrow()
	next := o.pays()
	p = o.of(next, firm)
	require.Equal(t, []money.Amount{1000_00, 28_04, 971_96}, []money.Amount{p.Gross, p.Withheld, p.Net}, "of 934.58")
	require.EqualValues(t, 4, p.Lines)
	require.NoError(t, o.says(p.ID, "paid", ""))

	t.Run("what comes back is paid again, and not taxed again", func(t *testing.T) {
		require.NoError(t, o.says(p.ID, "failed", "x"), "a failure of the same day says nothing new")
		require.Equal(t, payout.Paid, o.of(next, firm).State)
		o.tomorrow()
		require.NoError(t, o.says(p.ID, "returned", "บัญชีปิด"))
		o.has(firm, 971_96, 0)
		require.Equal(t, money.Amount(28_04), o.SystemBalance(ledger.WithholdingTax), "the tax of the payment stands")
		o.tomorrow()
		o.sells(firm, 2)
		o.tomorrow()
		third := o.of(o.pays(), firm)
		require.Equal(t, []money.Amount{1471_96, 14_02, 1457_94}, []money.Amount{third.Gross, third.Withheld, third.Net})
		o.has(firm, 0, 0)
	})
}

// TestTakenBack: what was taken back after it was paid makes the next payout smaller, and before it was booked leaves its payee out.
func TestTakenBack(t *testing.T) {
	o := open(t)
	nok := o.agent()
	vouchers := o.sells(nok, 2)
	o.tomorrow()

	id := o.draft()
	asked, err := o.propose(id)
	require.NoError(t, err)
	require.NoError(t, o.answer(o.second, asked))
	o.refunds(vouchers[0])
	o.work() // it was approved, and is booked now
	require.Equal(t, "changed", o.of(id, nok).LeftOut)
	require.Equal(t, payout.Closed, o.run(id).Record.State)
	o.has(nok, 90_00, 0)

	o.sells(nok, 1)
	o.tomorrow()
	id = o.pays()
	require.Equal(t, []money.Amount{180_00, -90_00}, []money.Amount{o.of(id, nok).Gross, o.of(id, nok).Returned}, "both sales, what was taken back, and one more")
	looked, err := o.Payout.Payout(t.Context(), o.Org, o.of(id, nok).ID)
	require.NoError(t, err)
	require.Equal(t, []string{"taken_back", "refund", ""}, []string{looked.Lines[0].What, looked.Lines[0].Why, looked.Lines[1].Why})
	require.NoError(t, o.says(o.of(id, nok).ID, "paid", ""))

	o.refunds(vouchers[1])
	o.has(nok, 0, 90_00)
	o.tomorrow()
	require.Equal(t, "owes", o.of(o.cancelled(), nok).LeftOut)
	o.sells(nok, 3)
	o.tomorrow()
	id = o.pays()
	p := o.of(id, nok)
	require.Equal(t, []money.Amount{180_00, -90_00}, []money.Amount{p.Gross, p.Returned})
	o.has(nok, 0, 0)
}

// cancelled is a draft that is cancelled again.
func (o *office) cancelled() uuid.UUID {
	id := o.draft()
	require.NoError(o.t, o.Payout.Cancel(o.t.Context(), o.Org, actor(o.first), id))
	return id
}

// TestCancelled: what a cancelled draft collected is collected by the next.
func TestCancelled(t *testing.T) {
	o := open(t)
	nok := o.agent()
	o.sells(nok, 2)
	o.tomorrow()
	first := o.cancelled()
	require.Equal(t, payout.Cancelled, o.run(first).Record.State)
	upTo, pay := o.days()
	computing, err := o.Payout.Draft(t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Agents, UpTo: upTo, PayDay: pay, Minimum: 1})
	require.NoError(t, err)
	require.True(t, o.run(computing.ID).Computing)
	_, err = o.propose(computing.ID)
	require.Equal(t, payout.ErrComputing, err)
	require.NoError(t, o.Payout.Cancel(t.Context(), o.Org, actor(o.first), computing.ID), "also while it is computed")
	next := o.draft()
	require.Equal(t, money.Amount(180_00), o.of(next, nok).Gross)
	require.Empty(t, o.run(computing.ID).Hash)
	require.Equal(t, "cancelled", o.of(first, nok).LeftOut)
	o.approve(next)
	o.has(nok, 0, 0)
}

// TestSuspended: who is suspended, or has another account now, is left out of what was approved before.
func TestSuspended(t *testing.T) {
	o := open(t)
	nok, bee := o.agent(), o.agent()
	o.sells(nok, 2)
	o.sells(bee, 2)
	o.tomorrow()
	id := o.draft()
	asked, err := o.propose(id)
	require.NoError(t, err)
	require.NoError(t, o.answer(o.second, asked))
	o.Force(`UPDATE agent SET state = 'suspended' WHERE id = $1`, nok)
	o.Payee(bee, o.first, tenanttest.PersonForm())
	o.work()
	require.Equal(t, "changed", o.of(id, nok).LeftOut)
	require.Equal(t, "changed", o.of(id, bee).LeftOut)
	o.has(nok, 180_00, 0)
	again := o.draft()
	require.Equal(t, "suspended", o.of(again, nok).LeftOut)
	require.Equal(t, "account_new", o.of(again, bee).LeftOut)
}

func resultFile(rows ...string) string {
	return "\ufeffreference,amount,outcome,day,reason\r\n" + strings.Join(rows, "\r\n") + "\r\n"
}

func TestResultFile(t *testing.T) {
	o := open(t)
	nok, bee := o.agent(), o.agent()
	o.sells(nok, 2)
	o.sells(bee, 3)
	o.tomorrow()
	id := o.pays()
	today := clock.Day(o.Clock.Now()).Format(time.DateOnly)
	ok := fmt.Sprintf("%s,180.00,paid,%s,", o.of(id, nok).Reference, today)
	read := func(text string) (bankfile.ReadResult, error) {
		return o.Payout.ReadFile(t.Context(), o.Org, actor(o.first), payout.ResultFile{ID: id, Name: "result.csv", Text: text})
	}
	for text, why := range map[string]error{
		"":           bankfile.ErrNoFile,
		"a,b\r\n1,2": bankfile.ErrNoFile,
		resultFile(): bankfile.ErrNoFile,
		resultFile(ok, "PO9999-00001,1.00,paid,"+today+","):                                 fault.At("rows.1.reference", bankfile.ErrUnknown),
		resultFile(ok, fmt.Sprintf("%s,270.01,paid,%s,", o.of(id, bee).Reference, today)):   fault.At("rows.1.amount", bankfile.ErrOtherAmount),
		resultFile(ok, fmt.Sprintf("%s,270.00,maybe,%s,", o.of(id, bee).Reference, today)):  fault.At("rows.1.outcome", fault.NotInList),
		resultFile(ok, fmt.Sprintf("%s,270.00,failed,%s,", o.of(id, bee).Reference, today)): fault.At("rows.1.reason", fault.Required),
	} {
		_, err := read(text)
		require.Equal(t, why, err, text)
	}
	require.Equal(t, payout.Sent, o.of(id, nok).State, "a file with a wrong row changes nothing")

	text := resultFile(ok, fmt.Sprintf(`%s,270.00,failed,%s,"R07, ชื่อไม่ตรง"`, o.of(id, bee).Reference, today))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			_, err := read(text)
			require.NoError(t, err)
		})
	}
	wait.Wait()
	result, err := read(text)
	require.NoError(t, err)
	require.Equal(t, bankfile.ReadResult{Rows: 2, Known: 2, Contradicts: []string{}}, result)
	o.has(nok, 0, 0)
	o.has(bee, 270_00, 0)
	result, err = read(resultFile(fmt.Sprintf("%s,270.00,paid,%s,", o.of(id, bee).Reference, today)))
	require.NoError(t, err)
	require.Equal(t, []string{o.of(id, bee).Reference}, result.Contradicts)
	o.has(bee, 270_00, 0)
}

// TestFile: the bank's file has what is on its way when it is made first, and stays so.
func TestFile(t *testing.T) {
	o := open(t)
	nok, bee, cat := o.agent(), o.agent(), o.agent()
	for _, agent := range []uuid.UUID{nok, bee, cat} {
		o.sells(agent, 2)
	}
	o.tomorrow()
	id := o.draft()
	o.approve(id)
	require.NoError(t, o.says(o.of(id, nok).ID, "failed", "บัญชีปิด"), "before the file was made")
	require.NoError(t, o.says(o.of(id, bee).ID, "paid", ""), "by hand")
	require.ErrorIs(t, o.says(o.of(id, cat).ID, "returned", "x"), payout.ErrContradicts, "it was not sent")
	file := o.export(id)
	require.Contains(t, file.Text, o.of(id, cat).Reference)
	require.NotContains(t, file.Text, o.of(id, nok).Reference, "the next run pays it")
	require.NotContains(t, file.Text, o.of(id, bee).Reference)
	require.NoError(t, o.says(o.of(id, cat).ID, "failed", "x"))
	require.Equal(t, file, o.export(id))
	require.Equal(t, payout.Closed, o.run(id).Record.State)
	o.has(nok, 180_00, 0)
	o.has(bee, 0, 0)

	t.Run("an account that was erased is in no file any more", func(t *testing.T) {
		o.Force(`UPDATE payee_version SET form = NULL, identity_index = NULL, mobile_index = NULL, account_index = NULL WHERE payee_id = $1`, cat)
		_, err := o.Payout.Export(t.Context(), o.Org, actor(o.first), id)
		require.Equal(t, payout.ErrForgotten, err)
	})

	t.Run("not after its pay day", func(t *testing.T) {
		o.sells(bee, 2)
		o.tomorrow()
		late := o.draft()
		o.approve(late)
		for range 9 {
			o.tomorrow()
		}
		_, err := o.Payout.Export(t.Context(), o.Org, actor(o.first), late)
		require.Equal(t, payout.ErrDayPassed, err)
		require.NoError(t, o.Payout.Withdraw(t.Context(), o.Org, actor(o.second), payout.Withdrawal{ID: late, Reason: "ไม่ทันวันโอน"}))
		o.has(bee, 180_00, 0)
		require.Equal(t, payout.Closed, o.run(late).Record.State)
	})

	t.Run("nothing is withdrawn whose file was made", func(t *testing.T) {
		o.sells(bee, 1)
		o.tomorrow()
		sent := o.pays()
		require.Equal(t, payout.ErrNotNow, o.Payout.Withdraw(t.Context(), o.Org, actor(o.second), payout.Withdrawal{ID: sent, Reason: "x"}))
		require.Equal(t, payout.Sent, o.of(sent, bee).State)
	})
}

// TestTwice: two who work on the same run at once book each payout once.
func TestTwice(t *testing.T) {
	o := open(t)
	var agents []uuid.UUID
	for range 12 {
		agents = append(agents, o.agent())
		o.sells(agents[len(agents)-1], 2)
	}
	o.tomorrow()
	upTo, pay := o.days()
	made, err := o.Payout.Draft(t.Context(), o.Org, actor(o.first), payout.DraftInput{Kind: payout.Agents, UpTo: upTo, PayDay: pay, Minimum: 1})
	require.NoError(t, err)
	both := func() {
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() { require.NoError(t, o.Payout.Work(context.Background(), o.Org)) })
		}
		wait.Wait()
	}
	both()
	require.EqualValues(t, 12, o.run(made.ID).Record.Payees)
	asked, err := o.propose(made.ID)
	require.NoError(t, err)
	require.NoError(t, o.answer(o.second, asked))
	both()
	require.Equal(t, money.Amount(12*180_00), o.SystemBalance(ledger.BankClearing))
	o.MustBalance()
}
