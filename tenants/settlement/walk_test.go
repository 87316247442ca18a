package settlement_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/settlement"
)

// walk is a random walk of one organisation and the platform, beside what must be true.
type walk struct {
	*paid
	rand   *rand.Rand
	uses   []earned
	spent  money.Amount
	run    uuid.UUID // the one that was drafted last
	is     bankfile.Standing
	amount money.Amount
	gone   money.Amount // paid and not come back
}

type earned struct {
	amount money.Amount
	day    time.Time
}

// safe is what was earned and cannot be objected to any more, less what was spent or paid out.
func (w *walk) safe() (sum money.Amount) {
	for _, u := range w.uses {
		if u.day.Before(clock.Day(w.Clock.Now()).AddDate(0, 0, -1)) {
			sum += u.amount
		}
	}
	return sum - w.spent - w.gone - w.underWay()
}

func (w *walk) underWay() money.Amount {
	if w.is == bankfile.Booked || w.is == bankfile.Sent {
		return w.amount
	}
	return 0
}

func (w *walk) use() {
	amount := money.Amount(1 + w.rand.Int64N(900_00))
	w.uses = append(w.uses, earned{amount, clock.Day(w.Clock.Now())})
	w.In(func(_ context.Context, tx db.Tx) error {
		gateway, unearned := ledger.SystemAccount(ledger.GatewayPlatform), ledger.SystemAccount(ledger.Unearned)
		return ledger.Post(tx,
			ledger.NewTransfer(ledger.Cause{Kind: "purchase", ID: db.NewID()}, ledger.Posting{Debit: gateway, Credit: unearned, Amount: amount}, ledger.Posting{Debit: gateway, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: amount / 20}),
			ledger.NewTransfer(ledger.Cause{Kind: "use", ID: db.NewID()}, ledger.Posting{Debit: unearned, Credit: ledger.SystemAccount(ledger.Payable), Amount: amount}))
	})
}

// spend has the organisation pay some of what it has earned for good.
func (w *walk) spend() {
	most := w.safe()
	if most <= 0 {
		return
	}
	by := money.Amount(1 + w.rand.Int64N(int64(most)))
	w.spent += by
	w.In(func(_ context.Context, tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "write_off", ID: db.NewID()}, ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.ChargebackReceivable), Amount: by}))
	})
}

// draftOne drafts a run, which pays what can be paid and nothing else.
func (w *walk) draftOne() {
	if w.is == bankfile.Ready {
		require.NoError(w.t, w.Settlement.Cancel(w.t.Context(), w.admin, settlement.ByRun{ID: w.run}))
		w.is = ""
	}
	under := w.underWay() > 0
	id := w.draft()
	row := w.row(id)
	if row.ID == uuid.Nil {
		require.NoError(w.t, w.Settlement.Cancel(w.t.Context(), w.admin, settlement.ByRun{ID: id}))
		require.LessOrEqual(w.t, -w.SystemBalance(ledger.GatewayPlatform), money.Amount(0), "the account holds nothing of it")
		return
	}
	require.Equal(w.t, w.safe(), row.Amount)
	if under {
		require.Equal(w.t, "under_way", row.LeftOut)
	}
	if row.State == bankfile.LeftOut {
		require.NoError(w.t, w.Settlement.Cancel(w.t.Context(), w.admin, settlement.ByRun{ID: id}))
		return
	}
	require.False(w.t, under)
	w.run, w.is, w.amount = id, row.State, row.Amount
}

// approveOne approves what was drafted and books it, sometimes killed before the platform knows.
func (w *walk) approveOne() {
	if w.is != bankfile.Ready {
		return
	}
	fits := w.safe() >= w.amount
	err := w.approve(w.other, w.run, w.paid.run(w.run).Hash)
	if w.paid.run(w.run).Record.PayDay < clock.Day(w.Clock.Now()).Format(time.DateOnly) {
		require.ErrorIs(w.t, err, settlement.ErrDayPassed)
		return
	}
	require.NoError(w.t, err)
	w.work()
	if !fits {
		require.Equal(w.t, "changed", w.row(w.run).LeftOut)
		w.is = ""
		return
	}
	w.is = bankfile.Booked
	if w.rand.IntN(2) == 0 {
		w.platform(`UPDATE settlement SET state = 'ready', moved = NULL, booked_at = NULL WHERE run_id = $1 AND org_id = $2`, w.run, w.Org)
		w.platform(`UPDATE settlement_run SET booked_at = NULL, state = 'approved', ended_at = NULL WHERE id = $1`, w.run)
		w.work()
	}
	require.Equal(w.t, bankfile.Booked, w.row(w.run).State)
}

// say says what became of the run, sometimes twice, and sometimes the job is killed before the platform knows that the books have followed.
func (w *walk) say() {
	outcome := []string{"paid", "failed", "returned"}[w.rand.IntN(3)]
	was := w.is
	if was != bankfile.Booked && was != bankfile.Paid || was == bankfile.Paid && outcome == "failed" || was == bankfile.Booked && outcome == "returned" {
		return
	}
	in := settlement.Said{ID: w.row(w.run).ID, Outcome: outcome, Day: clock.Day(w.Clock.Now()).Format(time.DateOnly), Reason: "x"}
	for range 1 + w.rand.IntN(2) {
		require.NoError(w.t, w.Settlement.Say(w.t.Context(), w.admin, in))
	}
	w.work()
	if w.rand.IntN(2) == 0 {
		w.platform(`UPDATE settlement SET moved = $3 WHERE run_id = $1 AND org_id = $2`, w.run, w.Org, was)
		w.work()
	}
	switch {
	case was == bankfile.Booked && outcome == "paid":
		w.is, w.gone = bankfile.Paid, w.gone+w.amount
	case was == bankfile.Booked:
		w.is = bankfile.Failed
	case outcome == "returned":
		w.is, w.gone = bankfile.Returned, w.gone-w.amount
	}
}

// TestWalk: whatever happens in which order, and wherever the job is killed, an organisation is paid what it earned for good, once.
func TestWalk(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := &walk{paid: openPaid(t), rand: rand.New(rand.NewPCG(seed, 0))}
	for range 60 {
		switch w.rand.IntN(8) {
		case 0, 1:
			w.use()
		case 2:
			w.Clock.Advance(24 * time.Hour)
		case 3:
			w.spend()
		case 4:
			w.draftOne()
		case 5, 6:
			w.approveOne()
		case 7:
			w.say()
		}
		var sum money.Amount
		for _, u := range w.uses {
			sum += u.amount
		}
		require.Equal(t, []money.Amount{sum - w.spent - w.gone - w.underWay(), w.underWay()}, []money.Amount{w.SystemBalance(ledger.Payable), w.SystemBalance(ledger.BankClearing)})
	}
	require.Empty(t, w.findings())
	if w.is == bankfile.Ready {
		require.NoError(t, w.Settlement.Cancel(t.Context(), w.admin, settlement.ByRun{ID: w.run}))
	}
}
