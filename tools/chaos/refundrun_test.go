package chaos

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/clock"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/tax"
	"welovevoucher/tenants/tenanttest"
)

// inRun reports whether a run has booked a transfer, and says what became of it.
func (o *out) inRun() bool {
	return o.pays != nil && o.state != "failed"
}

// heldBack reports whether a transfer that nobody has made should not be made any more: its charge has less by now.
func (o *out) heldBack() bool {
	left := o.of.amount - o.of.refunded - o.of.disputed - o.of.sent
	for _, other := range o.of.outs {
		if other.bank && (other.state == "done" || other.state == "open" && other.sent) {
			left -= other.amount
		}
	}
	return o.amount > left
}

// transfers are what was refunded to bank accounts, or paid out of wallets to them.
func (s *shop) transfers() (all []*out) {
	for _, c := range s.payments() {
		all = append(all, slices.DeleteFunc(slices.Clone(c.outs), func(o *out) bool { return !o.bank })...)
	}
	return all
}

func (s *shop) transferOf(r *rapid.T, id uuid.UUID) *out {
	all := s.transfers()
	i := slices.IndexFunc(all, func(o *out) bool { return o.id == id })
	require.GreaterOrEqual(r, i, 0, "a run transfers what was refunded")
	return all[i]
}

// refundRow is a payout of a run of refunds.
type refundRow struct {
	ID, Transfer uuid.UUID
	State        payout.Standing
	LeftOut      string
	Net          int64
}

func (w *walk) rowsOfRun(run uuid.UUID) []refundRow {
	return rows[refundRow](w.w, `SELECT id, remittance_id, state, coalesce(left_out, ''), net_satang FROM payout WHERE run_id = $1 ORDER BY position`, run)
}

// RunRefunds is the owner, who drafts a run of what was refunded to bank accounts by yesterday, and at once or later goes on with the draft: he cancels it, or a second
// person approves it, and it is handed over or taken back. A night passes first while something waits, because a walk is short.
func (w *walk) RunRefunds(r *rapid.T) {
	w.w.BankDays()
	if w.run != uuid.Nil && w.story(r).Record.State != payout.Draft { // it was approved, and the job would book it, too
		w.bookRun(r, w.run)
	}
	if w.refunds == uuid.Nil {
		if slices.ContainsFunc(w.model.transfers(), func(o *out) bool { return o.state == "open" && !o.inRun() }) {
			w.w.Clock.Advance(24 * time.Hour)
		}
		w.draftRefunds(r)
		if rapid.Bool().Draw(r, "later") {
			return
		}
	}
	ctx := context.WithoutCancel(r.Context())
	story, err := w.w.Payout.Run(ctx, w.w.Org, w.refunds)
	require.NoError(r, err)
	if story.Record.Payees == 0 || rapid.IntRange(0, 4).Draw(r, "cancels") == 0 {
		w.cancelRefunds(r)
		return
	}
	asked, err := w.w.Payout.Propose(ctx, w.w.Org, w.actor(w.owner), tenanttest.Key(), payout.Proposal{ID: w.refunds, Hash: story.Hash, Note: "x"})
	if story.Record.PayDay <= dayOf(w.now()) {
		require.ErrorIs(r, err, payout.ErrNoBankDay)
		w.cancelRefunds(r)
		return
	}
	require.NoError(r, err)
	w.model.runsListed()
	w.model.inboxed()
	second := w.w.SignInAnew(w.second)
	require.ErrorIs(r, w.w.Approval.Approve(ctx, w.owner, w.actor(w.owner), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrOwn)
	require.NoError(r, w.w.Approval.Approve(ctx, second, w.actor(second), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
	w.model.put(payout.WorkJob{Run: w.refunds}, 0)
	w.model.runsListed()
	w.model.inboxed()
	w.bookRefunds(r)
}

func (w *walk) draftRefunds(r *rapid.T) {
	ctx, today := context.WithoutCancel(r.Context()), clock.Day(w.now())
	calendar, err := tax.ReadCalendar(ctx, w.w.DB)
	require.NoError(r, err)
	pays, ok := calendar.BankDayAfter(today, rapid.IntRange(1, 3).Draw(r, "bank days"))
	require.True(r, ok)
	made, err := w.w.Payout.Draft(ctx, w.w.Org, w.actor(w.owner),
		payout.DraftInput{Kind: payout.Refunds, UpTo: today.AddDate(0, 0, -1).Format(time.DateOnly), PayDay: pays.Format(time.DateOnly), Minimum: 1})
	require.NoError(r, err)
	w.refunds = made.ID
	w.model.put(payout.WorkJob{Run: made.ID}, 0)
	w.model.runsListed()
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.model.runsListed()
	old := rows[uuid.UUID](w.w, `SELECT id FROM remittance WHERE made_at < $1`, clock.Start(today))
	want := map[uuid.UUID]string{}
	for _, o := range w.model.transfers() {
		if o.state != "open" || o.inRun() || !slices.Contains(old, o.id) {
			continue
		}
		want[o.id] = ""
		switch {
		case o.sent:
			want[o.id] = "under_way"
		case o.heldBack():
			want[o.id] = "held_back"
		}
	}
	got := map[uuid.UUID]string{}
	for _, row := range w.rowsOfRun(made.ID) {
		got[row.Transfer] = row.LeftOut
	}
	require.Equal(r, want, got)
	if len(want) > 0 {
		w.model.transfersListed()
	}
}

func (w *walk) cancelRefunds(r *rapid.T) {
	ctx := context.WithoutCancel(r.Context())
	require.NoError(r, w.w.Payout.Cancel(ctx, w.w.Org, w.actor(w.owner), w.refunds))
	w.model.put(payout.WorkJob{Run: w.refunds}, 0)
	w.model.runsListed()
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.refunds = uuid.Nil
}

// bookRefunds books a run that was approved: of what was in the draft, what still waits. Then its file is made, or it is taken back.
func (w *walk) bookRefunds(r *rapid.T) {
	ctx, run := context.WithoutCancel(r.Context()), w.refunds
	w.refunds = uuid.Nil
	waits := map[uuid.UUID]bool{}
	for _, row := range w.rowsOfRun(run) {
		if row.State == payout.Ready {
			o := w.model.transferOf(r, row.Transfer)
			waits[row.ID] = o.state == "open" && !o.sent && !o.heldBack()
		}
	}
	require.NoError(r, w.w.Payout.Work(ctx, w.w.Org))
	w.model.transfersListed()
	w.model.runsListed()
	var booked []refundRow
	for _, row := range w.rowsOfRun(run) {
		still, was := waits[row.ID]
		switch {
		case was && still:
			require.Equal(r, payout.Booked, row.State)
			booked = append(booked, row)
		case was:
			require.Equal(r, "changed", row.LeftOut)
		}
	}
	if len(booked) == 0 {
		return
	}
	if rapid.IntRange(0, 3).Draw(r, "takes back") == 0 {
		require.NoError(r, w.w.Payout.Withdraw(ctx, w.w.Org, w.actor(w.second), payout.Withdrawal{ID: run, Reason: "x"}))
		w.model.transfersListed()
		w.model.runsListed()
		return
	}
	_, err := w.w.Payout.Export(ctx, w.w.Org, w.actor(w.owner), run)
	require.NoError(r, err)
	w.model.transfersListed()
	w.model.runsListed()
	for _, row := range booked {
		o := w.model.transferOf(r, row.Transfer)
		o.sent, o.pays = true, &paying{id: row.ID, run: run, gross: row.Net, net: row.Net, state: payout.Sent}
	}
}

// SayOfRefund is the bank's answer to a refund of a run, at any time and in any order, also twice.
func (w *walk) SayOfRefund(r *rapid.T) {
	o := one(r, "transfer", slices.DeleteFunc(w.model.transfers(), func(o *out) bool { return o.pays == nil }))
	outcome := rapid.SampledFrom([]string{"paid", "paid", "failed", "returned"}).Draw(r, "outcome")
	today := dayOf(w.now())
	err := w.w.Payout.Say(context.WithoutCancel(r.Context()), w.w.Org, w.actor(w.owner), payout.Said{ID: o.pays.id, Outcome: outcome, Day: today, Reason: "x"})
	path, sense := w.model.path(o.pays, outcome, today)
	if len(path) > 0 && path[len(path)-1] == payout.Returned && o.pays.state == payout.Paid && w.model.books[ledger.Payable] < o.amount {
		require.ErrorIs(r, err, payout.ErrNotCovered)
		return
	}
	w.model.runsListed()
	w.model.transfersListed()
	if !sense {
		require.ErrorIs(r, err, payout.ErrContradicts)
		return
	}
	require.NoError(r, err)
	for _, state := range path {
		o.pays.state = state
		if state == payout.Paid {
			o.pays.paidOn = today
			w.model.arrived(o)
			continue
		}
		w.model.inWallet(o, w.now())
		w.model.put(charge.SettleJob{Customer: o.of.who.id}, 0)
		w.model.unsettled = append(w.model.unsettled, o.of.who.id)
	}
}

// arrived is where a transfer is paid: the shop has paid it, so it has earned that.
func (s *shop) arrived(o *out) {
	o.state = "done"
	s.add(ledger.BankClearing, -o.amount)
	s.add(ledger.Payable, o.amount)
	s.write(o.of.who.id, o.says(message.MoneyAtBank, message.CashoutAtBank), 1, o.amount)
}

// inWallet is where a transfer could not be made, or came back that was.
func (s *shop) inWallet(o *out, now time.Time) {
	from := ledger.BankClearing
	if o.state == "done" {
		from = ledger.Payable
	}
	o.state = "failed"
	s.add(from, -o.amount)
	o.of.who.balance += o.amount
	o.of.came().comes(o.amount, now)
	s.write(o.of.who.id, o.says(message.MoneyNotToBank, message.CashoutFailed), 1, o.amount)
	s.notify(o.of.who, notice.Event{Topic: "wallet"})
}
