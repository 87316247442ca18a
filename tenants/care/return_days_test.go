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
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

func (f *fixture) day(n int) time.Time { return clock.Day(f.Clock.Now()).AddDate(0, 0, n) }

// only has ann hold a voucher that can be used at some service points alone.
func (f *fixture) only(p tenanttest.Package, points ...uuid.UUID) uuid.UUID {
	p.Price, p.Only, p.Transfers = 100_00, points, 3
	return f.MustBuy(f.ann, f.Package(p)).ID
}

func (f *fixture) validUntil(t *testing.T, id uuid.UUID) time.Time {
	t.Helper()
	var until time.Time
	f.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT valid_until FROM voucher WHERE id = $1`, id).Scan(&until)
	})
	return until
}

func (f *fixture) preview(t *testing.T, closure uuid.UUID) care.Return {
	t.Helper()
	p, err := f.Care.PreviewReturn(t.Context(), f.Org, care.ByClosure{ID: closure})
	require.NoError(t, err)
	return p
}

// giveBack does a run to its end, which does what its preview said.
func (f *fixture) giveBack(t *testing.T, closure uuid.UUID) care.Run {
	t.Helper()
	p := f.preview(t, closure)
	r, err := f.Care.StartReturn(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ByClosure{ID: closure})
	require.NoError(t, err)
	r = f.finish(t, r)
	require.Equal(t, []int{p.Total, p.Can}, []int{r.Total, r.Done})
	for _, v := range p.Vouchers {
		require.Equal(t, v.To, f.validUntil(t, v.ID).Format(time.DateOnly), v.Code)
	}
	return r
}

func (f *fixture) nothingLeft(t *testing.T, closure uuid.UUID) {
	t.Helper()
	require.Zero(t, f.preview(t, closure).Total)
	_, err := f.Care.StartReturn(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ByClosure{ID: closure})
	require.ErrorIs(t, err, care.ErrNone)
}

func TestReturnDays(t *testing.T) {
	t.Run("as many days as were closed, to what can be used nowhere else, once", func(t *testing.T) {
		f := open(t, 1)
		other := f.ServicePoint()
		here, both := f.only(tenanttest.Package{}, f.point), f.only(tenanttest.Package{}, f.point, other)
		until := f.validUntil(t, here)
		closure := f.Close(f.point, f.day(2), f.day(5))

		require.Equal(t, 1, f.preview(t, closure).Total, "the others can be used at the other one")
		f.giveBack(t, closure)

		require.Equal(t, until.AddDate(0, 0, 4), f.validUntil(t, here))
		require.Equal(t, until, f.validUntil(t, both))
		require.EqualValues(t, 1, f.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_extended' AND customer_id = $1`, f.ann.Subject))
		require.Equal(t, 1, f.preview(t, closure).Given)
		f.nothingLeft(t, closure)
	})

	t.Run("of two closures that overlap no day is given twice", func(t *testing.T) {
		f := open(t, 0)
		here := f.only(tenanttest.Package{}, f.point)
		until := f.validUntil(t, here)
		f.giveBack(t, f.Close(f.point, f.day(2), f.day(5)))
		f.nothingLeft(t, f.Close(f.point, f.day(3), f.day(4)))
		f.giveBack(t, f.Close(f.point, f.day(4), f.day(8)))

		require.Equal(t, until.AddDate(0, 0, 7), f.validUntil(t, here))
	})

	t.Run("of closures at two places the days count on which both are closed", func(t *testing.T) {
		f := open(t, 1)
		other := f.ServicePoint()
		both := f.only(tenanttest.Package{}, f.point, other)
		until := f.validUntil(t, both)
		first, second := f.Close(f.point, f.day(2), f.day(6)), f.Close(other, f.day(5), f.day(9))

		f.giveBack(t, second)

		require.Equal(t, until.AddDate(0, 0, 2), f.validUntil(t, both))
		require.EqualValues(t, 2, f.Count(`SELECT count(DISTINCT voucher_id) FROM returned_day`), "what can be used everywhere, too")
		f.nothingLeft(t, first)
	})

	t.Run("a place that takes no vouchers any more is closed every day", func(t *testing.T) {
		f := open(t, 0)
		other := f.ServicePoint()
		both := f.only(tenanttest.Package{}, f.point, other)
		until := f.validUntil(t, both)
		f.Force(`UPDATE service_point SET status = 2 WHERE id = $1`, other)
		f.giveBack(t, f.Close(f.point, f.day(2), f.day(3)))

		require.Equal(t, until.AddDate(0, 0, 2), f.validUntil(t, both))
	})

	t.Run("a closure that is shortened takes nothing back, and one that is longer gives the rest", func(t *testing.T) {
		f := open(t, 0)
		here := f.only(tenanttest.Package{}, f.point)
		until := f.validUntil(t, here)
		closure := f.Close(f.point, f.day(2), f.day(5))
		f.giveBack(t, closure)
		change := func(last int) {
			f.Force(`UPDATE closure SET last_day = $2, updated_at = $3 WHERE id = $1`, closure, f.day(last), f.Clock.Now().Add(time.Second))
		}
		change(3)
		f.nothingLeft(t, closure)
		require.Equal(t, until.AddDate(0, 0, 4), f.validUntil(t, here))
		change(7)
		f.giveBack(t, closure)
		require.Equal(t, until.AddDate(0, 0, 6), f.validUntil(t, here))
		f.Force(`UPDATE closure SET status = 9, updated_at = $2 WHERE id = $1`, closure, f.Clock.Now().Add(time.Second))
		require.Equal(t, until.AddDate(0, 0, 6), f.validUntil(t, here))
		_, err := f.Care.PreviewReturn(t.Context(), f.Org, care.ByClosure{ID: closure})
		require.ErrorIs(t, err, fault.Missing)
		f.MustBalance()
	})

	t.Run("what ended meanwhile can be used as long as it was closed, and what it was worth is unearned again", func(t *testing.T) {
		f := open(t, 0)
		here := f.only(tenanttest.Package{}, f.point)
		paidOut := f.only(tenanttest.Package{ToWallet: true}, f.point)
		closure := f.Close(f.point, f.day(88), f.day(95))
		f.Clock.Advance(96 * 24 * time.Hour)
		require.NoError(t, f.Voucher.ExpireAllVouchers(t.Context(), f.Org))
		unearned, kept := f.SystemBalance(ledger.Unearned), f.SystemBalance(ledger.Breakage)

		p := f.preview(t, closure)
		require.Equal(t, []int{2, 1, 1, 8}, []int{p.Total, p.Can, p.Revived, p.Days})
		require.Equal(t, []care.Why{{Fault: "voucher.paid_out", Vouchers: 1}}, p.Cannot)
		r := f.giveBack(t, closure)

		require.Equal(t, "voucher.paid_out", r.Refusals[0].Fault)
		require.Equal(t, paidOut, r.Refusals[0].Voucher)
		require.Equal(t, f.day(2), f.validUntil(t, here), "closed from its last day but two: three days that it can be used")
		require.Equal(t, p.Kept, kept-f.SystemBalance(ledger.Breakage))
		require.Equal(t, p.Kept, f.SystemBalance(ledger.Unearned)-unearned)
	})

	t.Run("days before it was bought do not count, nor of what is used or void", func(t *testing.T) {
		f := open(t, 0)
		here, used := f.only(tenanttest.Package{}, f.point), f.only(tenanttest.Package{}, f.point)
		f.MustRedeem(f.ann, used, 1, f.door, f.point)
		until := f.validUntil(t, here)
		closure := f.Close(f.point, f.day(-20), f.day(1))

		require.Equal(t, 1, f.preview(t, closure).Total)
		f.giveBack(t, closure)

		require.Equal(t, until.AddDate(0, 0, 2), f.validUntil(t, here))
	})

	t.Run("what is split off afterwards has its days already, and what was before gets them", func(t *testing.T) {
		f := open(t, 0)
		here := f.only(tenanttest.Package{Items: 4}, f.point)
		give := func() {
			_, err := f.Gift.Give(t.Context(), f.ann, tenanttest.Key(), gift.Input{Voucher: here, Items: 1, Card: "love"})
			require.NoError(t, err)
		}
		give()
		closure := f.Close(f.point, f.day(2), f.day(5))
		require.Equal(t, 2, f.giveBack(t, closure).Done)
		give()

		f.nothingLeft(t, closure)
		longer := f.Close(f.point, f.day(5), f.day(6))
		require.Equal(t, 3, f.giveBack(t, longer).Done, "each gets the day that none of them has")
		require.EqualValues(t, 1, f.Count(`SELECT count(DISTINCT valid_until) FROM voucher`))
	})

	t.Run("the same key starts one run, another body under it is refused", func(t *testing.T) {
		f := open(t, 0)
		f.only(tenanttest.Package{}, f.point)
		closure, key := care.ByClosure{ID: f.Close(f.point, f.day(2), f.day(5))}, tenanttest.Key()
		one, err := f.Care.StartReturn(t.Context(), f.Org, f.staff, key, closure)
		require.NoError(t, err)
		again, err := f.Care.StartReturn(t.Context(), f.Org, f.staff, key, closure)
		require.NoError(t, err)
		require.Equal(t, one.ID, again.ID)
		_, err = f.Care.StartReturn(t.Context(), f.Org, f.staff, key, care.ByClosure{ID: f.Close(f.point, f.day(7), f.day(8))})
		require.ErrorIs(t, err, idempotency.ErrReused)
		_, err = f.Care.StartReturn(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ByClosure{ID: uuid.New()})
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("two runs at once over closures that overlap give each day once", func(t *testing.T) {
		f := open(t, 0)
		p := f.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{f.point}})
		for range 12 {
			f.MustBuy(f.ann, p)
		}
		var runs []care.Run
		for _, closure := range []uuid.UUID{f.Close(f.point, f.day(2), f.day(5)), f.Close(f.point, f.day(4), f.day(8)), f.Close(f.point, f.day(2), f.day(8))} {
			r, err := f.Care.StartReturn(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ByClosure{ID: closure})
			require.NoError(t, err)
			runs = append(runs, r)
		}
		errs := make([]error, 2*len(runs))
		var wg sync.WaitGroup
		for i := range errs { // each of them twice, as a sweep does that believes a worker dead
			wg.Go(func() { errs[i] = f.Care.Do(context.Background(), f.Org, care.RunJob{Run: runs[i/2].ID}) })
		}
		wg.Wait()
		require.NoError(t, errors.Join(errs...))

		require.EqualValues(t, 12, f.Count(`SELECT count(*) FROM voucher WHERE valid_until = issued_until + 7`))
		for _, r := range runs {
			f.finish(t, r)
		}
	})

	t.Run("it is cancelled where it stands, and another run gives the rest", func(t *testing.T) {
		f := open(t, 0)
		p := f.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{f.point}})
		for range 3 {
			f.MustBuy(f.ann, p)
		}
		closure := f.Close(f.point, f.day(2), f.day(5))
		r, err := f.Care.StartReturn(t.Context(), f.Org, f.staff, tenanttest.Key(), care.ByClosure{ID: closure})
		require.NoError(t, err)
		require.NoError(t, f.Care.Cancel(t.Context(), f.Org, f.staff, r.ID))
		require.NoError(t, f.Care.Do(t.Context(), f.Org, care.RunJob{Run: r.ID}))
		require.Zero(t, f.Count(`SELECT count(*) FROM extension`))
		require.Equal(t, 3, f.giveBack(t, closure).Done)
	})

	t.Run("a day that was both frozen and closed is given once, whichever is given first", func(t *testing.T) {
		for _, closureFirst := range []bool{true, false} {
			f := open(t, 0)
			here := f.only(tenanttest.Package{Items: 2}, f.point)
			until := f.validUntil(t, here)
			closure := f.Close(f.point, f.day(1), f.day(4))
			f.Clock.Advance(24 * time.Hour)
			require.NoError(t, f.Voucher.Freeze(t.Context(), f.Org, f.staff, voucher.FreezeInput{ID: here, Reason: "sold twice"})) // on the first closed day
			f.Clock.Advance(47 * time.Hour)                                                                                        // on the third
			if closureFirst {
				f.giveBack(t, closure)
				require.Equal(t, until.AddDate(0, 0, 4), f.validUntil(t, here))
			}
			require.NoError(t, f.Voucher.Release(t.Context(), f.Org, f.staff, here))
			given, err := f.Gift.Give(t.Context(), f.ann, tenanttest.Key(), gift.Input{Voucher: here, Items: 1, Card: "love"})
			require.NoError(t, err)
			if !closureFirst {
				require.Equal(t, until.AddDate(0, 0, 2), f.validUntil(t, here))
				f.giveBack(t, closure)
			}
			require.Equal(t, until.AddDate(0, 0, 4), f.validUntil(t, here))
			require.Equal(t, until.AddDate(0, 0, 4), f.validUntil(t, *given.Contents[0].Voucher), "and to what was split off after its release")
			f.nothingLeft(t, closure)
			f.MustBalance()
		}
	})

	t.Run("another organisation's closure is not found", func(t *testing.T) {
		f, other := open(t, 0), open(t, 0)
		f.only(tenanttest.Package{}, f.point)
		closure := f.Close(f.point, f.day(2), f.day(5))
		_, err := other.Care.PreviewReturn(t.Context(), other.Org, care.ByClosure{ID: closure})
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("a gift, an offer, a use and a freeze go on", func(t *testing.T) {
		f := open(t, 0)
		given, asked, frozen := f.only(tenanttest.Package{}, f.point), f.only(tenanttest.Package{}, f.point), f.only(tenanttest.Package{}, f.point)
		_, err := f.Gift.Give(t.Context(), f.ann, tenanttest.Key(), gift.Input{Voucher: given, Items: 1, Card: "love"})
		require.NoError(t, err)
		_, err = f.Voucher.StartUse(t.Context(), f.ann, tenanttest.Key(), voucher.UseInput{Voucher: asked, ServicePoint: f.point, Items: 1})
		require.NoError(t, err)
		require.NoError(t, f.Voucher.Freeze(t.Context(), f.Org, f.staff, voucher.FreezeInput{ID: frozen, Reason: "sold twice"}))

		require.Equal(t, 3, f.giveBack(t, f.Close(f.point, f.day(2), f.day(5))).Done)

		for state, id := range map[string]uuid.UUID{"in_transfer": given, "in_use": asked, "frozen": frozen} {
			require.EqualValues(t, 1, f.Count(`SELECT count(*) FROM voucher WHERE state = $1 AND id = $2`, state, id), state)
		}
	})
}

// TestAskReturnDays: the days of a closure are given back to more vouchers than one person may extend when a second one approves it, and only those
// days that he saw.
func TestAskReturnDays(t *testing.T) {
	f := open(t, 0)
	p := f.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{f.point}})
	for range 5 {
		f.MustBuy(f.ann, p)
	}
	mali, tom := f.Owner(), f.Owner()
	by := func(who token.Session) auditlog.Actor { return auditlog.Actor{Kind: token.Owner, ID: who.Subject} }
	four := int64(4)
	_, err := f.Approval.SaveRules(t.Context(), f.Org, by(mali), tenanttest.Key(), approval.Rules{Extend: &four})
	require.NoError(t, err)
	id := f.Close(f.point, f.day(2), f.day(5))
	closure := care.ByClosure{ID: id}
	require.True(t, f.preview(t, id).Second)
	_, err = f.Care.StartReturn(t.Context(), f.Org, by(mali), tenanttest.Key(), closure)
	require.ErrorIs(t, err, approval.ErrNeeded)
	ask := func() care.Asked {
		asked, err := f.Care.AskReturn(t.Context(), f.Org, by(mali), tenanttest.Key(), closure)
		require.NoError(t, err)
		return asked
	}
	approve := func(asked care.Asked, who token.Session) error {
		return f.Approval.Approve(t.Context(), who, by(who), tenanttest.Key(), approval.Answer{ID: asked.Approval})
	}
	change := func(last int) {
		f.Clock.Advance(time.Second)
		f.Force(`UPDATE closure SET last_day = $2, updated_at = $3 WHERE id = $1`, id, f.day(last), f.Clock.Now())
	}

	// Whoever asked makes the closure longer before it is approved, and afterwards.
	asked := ask()
	change(60)
	require.ErrorIs(t, approve(asked, tom), care.ErrClosure)
	change(5)
	d, err := f.Approval.Detail(t.Context(), tom, by(tom), approval.ByRequest{ID: asked.Approval})
	require.NoError(t, err)
	require.Equal(t, []approval.Change{{What: "days_returned", Name: f.day(2).Format(time.DateOnly) + "/" + f.day(5).Format(time.DateOnly), After: approval.Value{Items: 5}}}, d.Changes)
	require.ErrorIs(t, approve(asked, mali), approval.ErrOwn)
	require.NoError(t, approve(asked, tom))
	change(60)
	runs, err := f.Care.Runs(t.Context(), f.Org, mali.Subject)
	require.NoError(t, err)
	run := f.finish(t, runs.Data[0])
	require.Equal(t, []int{0, 5}, []int{run.Done, run.Refused})
	require.Equal(t, "care.closure_changed", run.Refusals[0].Fault)

	change(5)
	require.NoError(t, approve(ask(), tom))
	runs, err = f.Care.Runs(t.Context(), f.Org, mali.Subject)
	require.NoError(t, err)
	require.Equal(t, 5, f.finish(t, runs.Data[0]).Done)

	// Small steps count together with extensions, within a day.
	for range 4 {
		one := care.ExtendInput{Selection: care.Selection{Filter: map[string]any{"id": f.MustBuy(f.ann, p).ID.String()}}, Until: f.until(200), Reason: "x"}
		_, err = f.Care.StartExtend(t.Context(), f.Org, by(mali), tenanttest.Key(), one)
		require.NoError(t, err)
	}
	next := care.ByClosure{ID: f.Close(f.point, f.day(7), f.day(8))}
	_, err = f.Care.StartReturn(t.Context(), f.Org, by(tom), tenanttest.Key(), next)
	require.ErrorIs(t, err, approval.ErrNeeded)
	f.MustBalance()
}
