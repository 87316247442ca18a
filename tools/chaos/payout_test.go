package chaos

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/withholding"
)

// paying is a payout of the agent's that was booked.
type paying struct {
	id, run              uuid.UUID
	gross, withheld, net int64
	state                payout.Standing
	paidOn               string
}

func (p *paying) underWay() bool { return p.state == payout.Booked || p.state == payout.Sent }

func (w *walk) actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

// DraftRun is the owner, who drafts a run of what was mature yesterday, unless one is open.
func (w *walk) DraftRun(r *rapid.T) {
	w.w.BankDays()
	ctx, today := context.WithoutCancel(r.Context()), clock.Day(w.now())
	calendar, err := tax.ReadCalendar(ctx, w.w.DB)
	require.NoError(r, err)
	pays, ok := calendar.BankDayAfter(today, rapid.IntRange(1, 3).Draw(r, "bank days"))
	require.True(r, ok)
	made, err := w.w.Payout.Draft(ctx, w.w.Org, w.actor(w.owner), payout.DraftInput{Kind: payout.Agents, UpTo: today.AddDate(0, 0, -1).Format(time.DateOnly), PayDay: pays.Format(time.DateOnly), Minimum: 1})
	if w.run != uuid.Nil && w.story(r).Record.State == payout.Draft {
		require.ErrorIs(r, err, payout.ErrDraftOpen)
		return
	}
	require.NoError(r, err)
	if w.run != uuid.Nil { // it was approved, and is booked before the next is computed
		w.bookRun(r, w.run)
	}
	w.run = made.ID
	w.model.put(payout.WorkJob{Run: made.ID}, 0)
	w.model.runsListed()
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.model.runsListed()
}

// DraftScheduled is two workers who draft what the only schedule says: one run of each Monday that has passed, unless there is a draft or nothing to pay.
func (w *walk) DraftScheduled(r *rapid.T) {
	w.w.BankDays()
	ctx, now := context.WithoutCancel(r.Context()), w.now()
	open := w.run != uuid.Nil && w.story(r).Record.State == payout.Draft
	if w.run != uuid.Nil && !open { // it was approved, and is booked before the next is computed
		w.bookRun(r, w.run)
	}
	monday := clock.Day(now)
	for monday.Weekday() != time.Monday || clock.Start(monday).Add(10*time.Minute).After(now) {
		monday = monday.AddDate(0, 0, -1)
	}
	due := clock.Start(monday).Add(10 * time.Minute).After(w.scheduled)
	some := w.w.Earned(w.agent).Payable > 0 || w.w.Earned(w.partner).Payable > 0
	for range 2 {
		require.NoError(r, w.w.Payout.DraftScheduled(ctx, w.w.Org))
	}
	if !due {
		return
	}
	w.scheduled = now
	outcome := func() payout.Schedule {
		all, err := w.w.Payout.Settings(ctx, w.w.Org)
		require.NoError(r, err)
		return all.Schedules[0]
	}
	w.model.runsListed()
	if !some || open {
		require.Equal(r, map[bool]string{true: "draft_open", false: "empty"}[some], outcome().Outcome)
		return
	}
	require.Equal(r, "drafted", outcome().Outcome)
	w.run = *outcome().Run
	w.model.put(payout.WorkJob{Run: w.run}, 0)
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.model.runsListed()
	if story := w.story(r); story.Record.Payees == 0 {
		require.Equal(r, payout.Cancelled, story.Record.State)
		require.Equal(r, "empty", outcome().Outcome)
		w.model.put(payout.WorkJob{Run: w.run}, 0)
		w.run = uuid.Nil
	}
}

// runsListed has lists of runs read anew.
func (s *shop) runsListed() { s.put(notice.TableUpdate{Table: payout.Runs.Name()}, 0) }

// cancelRun cancels the draft.
func (w *walk) cancelRun(r *rapid.T) {
	ctx := context.WithoutCancel(r.Context())
	require.NoError(r, w.w.Payout.Cancel(ctx, w.w.Org, w.actor(w.owner), w.run))
	w.model.put(payout.WorkJob{Run: w.run}, 0)
	w.model.runsListed()
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.run = uuid.Nil
}

func (w *walk) story(r *rapid.T) payout.RunStory {
	story, err := w.w.Payout.Run(context.WithoutCancel(r.Context()), w.w.Org, w.run)
	require.NoError(r, err)
	return story
}

// GoOnWithRun approves, books or exports the run that is under way, or cancels a draft.
func (w *walk) GoOnWithRun(r *rapid.T) {
	if w.run == uuid.Nil {
		r.Skip("no run")
	}
	ctx, story := context.WithoutCancel(r.Context()), w.story(r)
	if story.Record.State != payout.Draft {
		w.bookRun(r, w.run)
		return
	}
	if rapid.IntRange(0, 4).Draw(r, "cancels") == 0 {
		w.cancelRun(r)
		return
	}
	asked, err := w.w.Payout.Propose(ctx, w.w.Org, w.actor(w.owner), tenanttest.Key(), payout.Proposal{ID: w.run, Hash: story.Hash, Note: "x"})
	if story.Record.Payees == 0 || story.Record.PayDay <= dayOf(w.now()) {
		require.Error(r, err)
		w.cancelRun(r)
		return
	}
	require.NoError(r, err)
	w.model.runsListed()
	w.model.inboxed()
	require.ErrorIs(r, w.w.Approval.Approve(ctx, w.owner, w.actor(w.owner), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrOwn)
	require.NoError(r, w.w.Approval.Approve(ctx, w.second, w.actor(w.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	w.model.put(payout.WorkJob{Run: w.run}, 0)
	w.model.runsListed()
	w.model.inboxed()
}

// bookRun books a run that was approved, and hands its file over, unless its pay day is over. Of what he was to be paid, the agent has that much less.
func (w *walk) bookRun(r *rapid.T, run uuid.UUID) {
	ctx := context.WithoutCancel(r.Context())
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.model.runsListed()
	w.run = uuid.Nil
	type found struct {
		ID                   uuid.UUID
		Gross, Withheld, Net int64
	}
	all := rows[found](w.w, `SELECT id, gross_satang, withheld_satang, net_satang FROM payout WHERE state = 'booked' AND run_id = (SELECT id FROM payout_run WHERE kind = 'agent' AND state = 'approved')`)
	require.LessOrEqual(r, len(all), 1, "there is one agent")
	w.paysNothingHeld(r, run)
	for _, f := range all {
		p := &paying{id: f.ID, run: run, gross: f.Gross, withheld: f.Withheld, net: f.Net, state: payout.Booked}
		w.model.payouts = append(w.model.payouts, p)
		w.model.move(p.gross, p.net, p.withheld)
		w.export(r, p)
	}
}

func (w *walk) export(r *rapid.T, p *paying) {
	_, err := w.w.Payout.Export(context.WithoutCancel(r.Context()), w.w.Org, w.actor(w.owner), p.run)
	if day := rows[string](w.w, `SELECT pay_day::text FROM payout_run WHERE kind = 'agent' ORDER BY id DESC LIMIT 1`)[0]; day < dayOf(w.now()) {
		require.ErrorIs(r, err, payout.ErrDayPassed)
		require.NoError(r, w.w.Payout.Withdraw(context.WithoutCancel(r.Context()), w.w.Org, w.actor(w.second), payout.Withdrawal{ID: p.run, Reason: "x"}))
		w.model.runsListed()
		p.state = payout.Failed
		w.model.move(-p.gross, -p.net, -p.withheld)
		return
	}
	require.NoError(r, err)
	w.model.runsListed()
	p.state = payout.Sent
}

// move takes from the agent what he is paid, to what is on its way and what is withheld.
func (s *shop) move(gross, net, withheld int64) {
	s.taken += gross
	s.add(ledger.CommissionPending, -gross)
	s.add(ledger.BankClearing, net)
	s.add(ledger.WithholdingTax, withheld)
}

// SayOfPayout is the bank's answer, at any time and in any order, also twice.
func (w *walk) SayOfPayout(r *rapid.T) {
	if len(w.model.payouts) == 0 {
		r.Skip("no payout")
	}
	p := one(r, "payout", w.model.payouts)
	outcome := rapid.SampledFrom([]string{"paid", "paid", "failed", "returned"}).Draw(r, "outcome")
	today := dayOf(w.now())
	err := w.w.Payout.Say(context.WithoutCancel(r.Context()), w.w.Org, w.actor(w.owner), payout.Said{ID: p.id, Outcome: outcome, Day: today, Reason: "x"})
	path, sense := w.model.path(p, outcome, today)
	if !sense {
		require.ErrorIs(r, err, payout.ErrContradicts)
		w.model.runsListed()
		return
	}
	if len(path) > 0 && path[len(path)-1] == payout.Returned && p.state == payout.Paid && w.model.books[ledger.Payable]-w.model.denied() < p.net {
		require.ErrorIs(r, err, payout.ErrNotCovered)
		return
	}
	require.NoError(r, err)
	w.model.runsListed()
	to := rows[uuid.UUID](w.w, `SELECT a.customer_id FROM agent a WHERE a.id = $1 AND a.state <> 'erased'`, w.agent)
	for _, state := range path {
		p.state = state
		kind := message.AgentPaid
		switch state {
		case payout.Paid:
			p.paidOn = today
			w.model.add(ledger.BankClearing, -p.net)
			w.model.add(ledger.Payable, p.net)
		case payout.Failed:
			kind = message.AgentNotPaid
			w.model.move(-p.gross, -p.net, -p.withheld)
		case payout.Returned:
			kind = message.AgentPayReturned
			w.model.taken -= p.net
			w.model.add(ledger.Payable, -p.net)
			w.model.add(ledger.CommissionPending, p.net)
		}
		for _, id := range to {
			w.model.write(id, kind, 1, p.net)
		}
	}
}

// path returns what a payout becomes by what is said of it on a day, and whether that makes sense.
func (s *shop) path(p *paying, outcome, day string) ([]payout.Standing, bool) {
	switch {
	case p.underWay() && outcome == "paid":
		return []payout.Standing{payout.Paid}, true
	case p.underWay() && outcome == "failed":
		return []payout.Standing{payout.Failed}, true
	case p.state == payout.Sent:
		return []payout.Standing{payout.Paid, payout.Returned}, true
	case p.state == payout.Booked, p.state == payout.Failed && outcome != "failed":
		return nil, false
	case p.state == payout.Paid && (outcome == "returned" || outcome == "failed" && day > p.paidOn):
		return []payout.Standing{payout.Returned}, true
	}
	return nil, true
}

// FileTax has certificates issued of what was withheld, and files what of it is of a month that is over: two people say so, or the file is taken back. Sometimes the
// organisation is called otherwise by then, and a certificate is issued anew.
func (w *walk) FileTax(r *rapid.T) {
	ctx := context.WithoutCancel(r.Context())
	w.w.In(func(ctx context.Context, tx db.Tx) error {
		return content.SaveContactDetails(ctx, tx, w.actor(w.owner), content.ContactDetails{LegalNameTH: rapid.SampledFrom([]string{"บริษัท หนึ่ง จำกัด", "บริษัท สอง จำกัด"}).Draw(r, "called"), TaxID: "0105561000003", Branch: "00000", AddressTH: "1"})
	})
	before, err := w.w.Withholding.Next(ctx, w.w.Org)
	require.NoError(r, err)
	require.NoError(r, w.w.Withholding.Issue(ctx, w.w.Org))
	if before.Waiting > 0 {
		w.model.put(notice.TableUpdate{Table: withholding.Certificates.Name()}, 0)
	}
	w.replaceCertificate(r)
	next, err := w.w.Withholding.Next(ctx, w.w.Org)
	require.NoError(r, err)
	require.Zero(r, next.Waiting)
	for _, open := range next.Open {
		made, err := w.w.Withholding.Make(ctx, w.w.Org, w.actor(w.owner), withholding.Month{Form: open.Form, Month: open.Month})
		if !open.Over {
			require.Error(r, err)
			continue
		}
		require.NoError(r, err)
		w.returnsListed()
		if rapid.IntRange(0, 2).Draw(r, "takes back") == 0 {
			require.NoError(r, w.w.Withholding.Cancel(ctx, w.w.Org, w.actor(w.owner), made.ID))
			w.returnsListed()
			continue
		}
		asked, err := w.w.Withholding.Propose(ctx, w.w.Org, w.actor(w.owner), tenanttest.Key(), withholding.Filing{ID: made.ID, FiledOn: dayOf(w.now()), Receipt: "x"})
		require.NoError(r, err)
		w.returnsListed()
		w.model.inboxed()
		require.ErrorIs(r, w.w.Approval.Approve(ctx, w.owner, w.actor(w.owner), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrOwn)
		require.NoError(r, w.w.Approval.Approve(ctx, w.second, w.actor(w.second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
		w.returnsListed()
		w.model.inboxed()
		w.model.add(ledger.WithholdingTax, -int64(open.Withheld))
		w.model.add(ledger.Payable, int64(open.Withheld))
	}
}

func (w *walk) returnsListed() {
	w.model.put(notice.TableUpdate{Table: withholding.Returns.Name()}, 0)
}

// replaceCertificate has the last certificate issued anew, if it says what is not so any more.
func (w *walk) replaceCertificate(r *rapid.T) {
	for _, id := range rows[uuid.UUID](w.w, `SELECT id FROM tax_certificate WHERE state = 'issued' ORDER BY id DESC LIMIT 1`) {
		_, err := w.w.Withholding.Replace(context.WithoutCancel(r.Context()), w.w.Org, w.actor(w.second), withholding.Reissue{ID: id, Reason: "x"})
		if err == nil {
			w.model.put(notice.TableUpdate{Table: withholding.Certificates.Name()}, 0)
			return
		}
		require.Contains(r, []error{withholding.ErrSame, withholding.ErrForgotten}, err)
	}
}
