package care_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

type fixture struct {
	*tenanttest.World
	ann   token.Session
	staff auditlog.Actor
	door  token.Session
	point uuid.UUID
}

// open has ann hold so many vouchers of one item for 100.00 each.
func open(t *testing.T, n int) *fixture {
	t.Helper()
	w := tenanttest.New(t)
	door, point := w.Staff(), w.ServicePoint()
	f := &fixture{w, w.Customer(10_000_00), auditlog.Actor{Kind: token.Owner, ID: door.Subject}, door, point}
	p := w.Package(tenanttest.Package{Price: 100_00, Transfers: 3})
	for range n {
		w.MustBuy(f.ann, p)
	}
	return f
}

// until is so many days from today.
func (f *fixture) until(days int) string {
	return clock.Day(f.Clock.Now()).AddDate(0, 0, days).Format(time.DateOnly)
}

// all is every voucher that ann holds.
func (f *fixture) all() care.Selection {
	return care.Selection{Filter: map[string]any{"holder_id": f.ann.Subject.String()}}
}

func (f *fixture) extend(t *testing.T, of care.Selection, days int) care.Run {
	t.Helper()
	r, err := f.Care.StartExtend(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ExtendInput{Selection: of, Until: f.until(days), Reason: "the branch was closed"})
	require.NoError(t, err)
	require.Equal(t, "running", r.State)
	return r
}

func (f *fixture) change(t *testing.T, task care.Task) care.Run {
	t.Helper()
	r, err := f.Care.StartChange(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ChangeInput{Selection: f.all(), Task: task, Reason: "sold twice"})
	require.NoError(t, err)
	return r
}

// finish does a run to its end.
func (f *fixture) finish(t *testing.T, r care.Run) care.Run {
	t.Helper()
	require.NoError(t, f.Care.Do(t.Context(), f.Org, care.RunJob{Run: r.ID}))
	r, err := f.Care.Run(t.Context(), f.Org, f.staff.ID, r.ID)
	require.NoError(t, err)
	require.Equal(t, r.Total, r.Done+r.Refused)
	f.MustBalance()
	return r
}

// mix brings some vouchers out of the way: one is used, one void, one frozen by the organisation, and the rest of an older order is over.
func (f *fixture) mix(t *testing.T) {
	t.Helper()
	f.MustBuy(f.ann, f.Package(tenanttest.Package{Price: 100_00, ToWallet: true}))
	f.Clock.Advance(91 * 24 * time.Hour)
	require.NoError(t, f.Voucher.ExpireAllVouchers(t.Context(), f.Org))
	for range 4 {
		f.MustBuy(f.ann, f.Package(tenanttest.Package{Price: 100_00, Transfers: 3}))
	}
	list, err := f.Voucher.List(t.Context(), f.ann, voucher.ListInput{State: "ready"})
	require.NoError(t, err)
	f.MustRedeem(f.ann, list.Data[0].ID, 1, f.door, f.point)
	require.NoError(t, f.Voucher.Freeze(t.Context(), f.Org, f.staff, voucher.FreezeInput{ID: list.Data[1].ID, Reason: "sold twice"}))
}

// TestPreview: a run does what its preview said, and refuses for its reasons.
func TestPreview(t *testing.T) {
	for _, task := range []care.Task{care.Extend, care.Freeze, care.Release, care.Void} {
		t.Run(string(task), func(t *testing.T) {
			f := open(t, 2)
			f.mix(t)
			p, err := f.Care.Preview(t.Context(), f.Org, care.PreviewInput{Selection: f.all(), Task: task, Until: f.until(100)})
			require.NoError(t, err)
			require.Equal(t, 7, p.Total)
			before, breakage := f.Balance(f.ann), f.SystemBalance(ledger.Breakage)
			var r care.Run
			if task == care.Extend {
				require.Equal(t, []int{5, 2}, []int{p.Can, p.Revived})
				r = f.extend(t, f.all(), 100)
			} else {
				r = f.change(t, task)
			}
			r = f.finish(t, r)
			require.Equal(t, p.Can, r.Done)
			whys := map[string]int{}
			for _, refusal := range r.Refusals {
				whys[refusal.Fault]++
			}
			for _, why := range p.Cannot {
				require.Equal(t, why.Vouchers, whys[why.Fault], why.Fault)
			}
			require.Len(t, whys, len(p.Cannot))
			require.Equal(t, before+p.Paid, f.Balance(f.ann))
			require.Equal(t, breakage-p.Kept, f.SystemBalance(ledger.Breakage))
			require.Zero(t, f.finish(t, f.extend(t, f.all(), 100)).Done*btoi(task == care.Extend), "again, it changes nothing")
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestRun: each voucher is done once, whatever happens to who does it.
func TestRun(t *testing.T) {
	t.Run("killed in between, and begun again by two at once", func(t *testing.T) {
		f := open(t, 12)
		r := f.extend(t, f.all(), 100)
		ctx, kill := context.WithTimeout(t.Context(), 60*time.Millisecond)
		defer kill()
		if err := f.Care.Do(ctx, f.Org, care.RunJob{Run: r.ID}); err != nil {
			require.True(t, errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil, err)
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { _ = f.Care.Do(context.Background(), f.Org, care.RunJob{Run: r.ID}) })
		}
		both.Wait()
		r = f.finish(t, r)
		require.Equal(t, []int{12, 0}, []int{r.Done, r.Refused})
		require.Equal(t, "done", r.State)
		require.EqualValues(t, 12, f.Count(`SELECT count(*) FROM extension`))
		require.EqualValues(t, 12, f.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_extended'`))
	})

	t.Run("cancelled by who started it, and by nobody else; the rest stays as it was", func(t *testing.T) {
		f := open(t, 3)
		r := f.extend(t, f.all(), 100)
		other := auditlog.Actor{Kind: token.Owner, ID: f.Staff().Subject}
		require.ErrorIs(t, f.Care.Cancel(t.Context(), f.Org, other, r.ID), care.ErrNotYours)
		require.ErrorIs(t, f.Care.Cancel(t.Context(), f.Org, f.staff, uuid.New()), fault.Missing)
		require.NoError(t, f.Care.Cancel(t.Context(), f.Org, f.staff, r.ID))
		require.NoError(t, f.Care.Do(t.Context(), f.Org, care.RunJob{Run: r.ID}))
		r, err := f.Care.Run(t.Context(), f.Org, f.staff.ID, r.ID)
		require.NoError(t, err)
		require.Equal(t, []any{"cancelled", 3, 0}, []any{r.State, r.Total, r.Done})
		require.Zero(t, f.Count(`SELECT count(*) FROM extension`))
		list, err := f.Care.Runs(t.Context(), f.Org, f.staff.ID)
		require.NoError(t, err)
		require.Len(t, list.Data, 1)
		require.True(t, list.Data[0].Own)
		f.MustBalance()
	})

	t.Run("what came to an end since it was selected is refused, and the rest is done", func(t *testing.T) {
		f := open(t, 3)
		r := f.change(t, care.Freeze)
		list, err := f.Voucher.List(t.Context(), f.ann, voucher.ListInput{State: "ready"})
		require.NoError(t, err)
		f.MustRedeem(f.ann, list.Data[0].ID, 1, f.door, f.point)
		r = f.finish(t, r)
		require.Equal(t, []int{2, 1}, []int{r.Done, r.Refused})
		require.Equal(t, voucher.ErrAlreadyUsed.Code, r.Refusals[0].Fault)
	})
}

// TestStart: what is refused before anything begins.
func TestStart(t *testing.T) {
	t.Run("one run under a key, of what a list may be narrowed by", func(t *testing.T) {
		f := open(t, 2)
		key, in := tenanttest.Key(), care.ExtendInput{Selection: f.all(), Until: f.until(100), Reason: "closed"}
		first, err := f.Care.StartExtend(t.Context(), f.Org, f.staff, key, in)
		require.NoError(t, err)
		again, err := f.Care.StartExtend(t.Context(), f.Org, f.staff, key, in)
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		in.Reason = "another"
		_, err = f.Care.StartExtend(t.Context(), f.Org, f.staff, key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)
		in.Reason = " "
		_, err = f.Care.StartExtend(t.Context(), f.Org, f.staff, tenanttest.Key(), in)
		require.Error(t, err)
		in.Reason, in.Filter = "x", map[string]any{"share_satang": 1}
		_, err = f.Care.StartExtend(t.Context(), f.Org, f.staff, tenanttest.Key(), in)
		require.ErrorIs(t, err, fault.BadInput)
		in.Filter = map[string]any{"holder_id": uuid.NewString()}
		_, err = f.Care.StartExtend(t.Context(), f.Org, f.staff, tenanttest.Key(), in)
		require.ErrorIs(t, err, care.ErrNone)
	})

	t.Run("only what can be used at a service point and nowhere else", func(t *testing.T) {
		f := open(t, 2)
		closed, other := f.ServicePoint(), f.ServicePoint()
		f.MustBuy(f.ann, f.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{closed}}))
		f.MustBuy(f.ann, f.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{closed, other}}))
		of := f.all()
		of.ServicePoint = &closed
		r := f.finish(t, f.extend(t, of, 100))
		require.Equal(t, []int{1, 1}, []int{r.Total, r.Done})
	})

	t.Run("no void of what one person may not pay back", func(t *testing.T) {
		f := open(t, 3)
		above := money.Amount(250_00)
		_, err := f.Approval.SaveRules(t.Context(), f.Org, f.staff, tenanttest.Key(), approval.Rules{Refund: &above})
		require.NoError(t, err)
		p, err := f.Care.Preview(t.Context(), f.Org, care.PreviewInput{Selection: f.all(), Task: care.Void})
		require.NoError(t, err)
		require.True(t, p.Second)
		_, err = f.Care.StartChange(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ChangeInput{Selection: f.all(), Task: care.Void, Reason: "sold twice"})
		require.ErrorContains(t, err, "more than one person may pay back")
		require.Zero(t, f.Count(`SELECT count(*) FROM care_run`))
	})
}

// TestVoidsAtOnce: two runs of one person end what two people bought and one holds. Together that is more than one person may pay back to him.
func TestVoidsAtOnce(t *testing.T) {
	f := open(t, 0)
	above := money.Amount(150_00)
	_, err := f.Approval.SaveRules(t.Context(), f.Org, f.staff, tenanttest.Key(), approval.Rules{Refund: &above})
	require.NoError(t, err)
	for range 5 {
		bob, runs := f.Customer(0), []care.Run{}
		for range 2 {
			payer := f.Customer(100_00)
			v := f.MustBuy(payer, f.Package(tenanttest.Package{Price: 100_00, Transfers: 1}))
			g, err := f.Gift.Give(t.Context(), payer, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: 1, Card: "love"})
			require.NoError(t, err)
			_, err = f.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
			require.NoError(t, err)
			r, err := f.Care.StartChange(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ChangeInput{Selection: care.Selection{Filter: map[string]any{"id": v.ID.String()}}, Task: care.Void, Reason: "sold twice"})
			require.NoError(t, err)
			runs = append(runs, r)
		}
		var both sync.WaitGroup
		for _, r := range runs {
			both.Go(func() { _ = f.Care.Do(context.Background(), f.Org, care.RunJob{Run: r.ID}) })
		}
		both.Wait()
		first, second := f.finish(t, runs[0]), f.finish(t, runs[1])
		require.Equal(t, []int{1, 1}, []int{first.Done + second.Done, first.Refused + second.Refused})
		require.Equal(t, money.Amount(100_00), f.Balance(bob))
	}
}

// TestAskExtend: more vouchers than one person may extend are extended when a second one approves it.
func TestAskExtend(t *testing.T) {
	f := open(t, 5)
	mali, tom := f.Owner(), f.Owner()
	by := func(who token.Session) auditlog.Actor { return auditlog.Actor{Kind: token.Owner, ID: who.Subject} }
	four := int64(4)
	_, err := f.Approval.SaveRules(t.Context(), f.Org, by(mali), tenanttest.Key(), approval.Rules{Extend: &four})
	require.NoError(t, err)
	p, err := f.Care.Preview(t.Context(), f.Org, care.PreviewInput{Selection: f.all(), Task: care.Extend, Until: f.until(100)})
	require.NoError(t, err)
	require.True(t, p.Second)
	in := care.ExtendInput{Selection: f.all(), Until: f.until(100), Reason: "the branch was closed"}
	_, err = f.Care.StartExtend(t.Context(), f.Org, by(mali), tenanttest.Key(), in)
	require.ErrorIs(t, err, approval.ErrNeeded)

	key := tenanttest.Key()
	asked, err := f.Care.AskExtend(t.Context(), f.Org, by(mali), key, in)
	require.NoError(t, err)
	again, err := f.Care.AskExtend(t.Context(), f.Org, by(mali), key, in)
	require.NoError(t, err)
	require.Equal(t, asked, again)
	f.MustBuy(f.ann, f.Package(tenanttest.Package{Price: 100_00})) // which was not asked for
	d, err := f.Approval.Detail(t.Context(), tom, by(tom), approval.ByRequest{ID: asked.Approval})
	require.NoError(t, err)
	require.Empty(t, d.Fault)
	require.Equal(t, []approval.Change{{What: "extended", Name: f.until(100), After: approval.Value{Items: 5}}}, d.Changes)
	require.Zero(t, f.Count(`SELECT count(*) FROM care_run`))
	approve := func(who token.Session) error {
		return f.Approval.Approve(t.Context(), who, by(who), tenanttest.Key(), approval.Answer{ID: asked.Approval})
	}
	require.ErrorIs(t, approve(mali), approval.ErrOwn)
	require.NoError(t, approve(tom))
	require.ErrorIs(t, approve(tom), approval.ErrAnswered)
	runs, err := f.Care.Runs(t.Context(), f.Org, mali.Subject)
	require.NoError(t, err)
	require.True(t, runs.Data[0].Own)
	require.Equal(t, 5, f.finish(t, runs.Data[0]).Done)

	// Small steps count together within a day.
	one := care.ExtendInput{Selection: care.Selection{Filter: map[string]any{"id": f.MustBuy(f.ann, f.Package(tenanttest.Package{Price: 100_00})).ID.String()}}, Until: f.until(200), Reason: "x"}
	for range 4 {
		_, err = f.Care.StartExtend(t.Context(), f.Org, by(mali), tenanttest.Key(), one)
		require.NoError(t, err)
	}
	_, err = f.Care.StartExtend(t.Context(), f.Org, by(tom), tenanttest.Key(), one)
	require.ErrorIs(t, err, approval.ErrNeeded)
	f.Clock.Advance(25 * time.Hour)
	_, err = f.Care.StartExtend(t.Context(), f.Org, by(tom), tenanttest.Key(), one)
	require.NoError(t, err)
	f.MustBalance()
}
