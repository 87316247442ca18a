package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// office is a market with people of its back office.
type office struct {
	*market
	mali, tom token.Session
}

// openOffice opens one in which a refund above a sum needs a second person.
func openOffice(t *testing.T, above money.Amount) *office {
	t.Helper()
	m := openMarket(t, two(0))
	o := &office{market: m, mali: m.Owner(), tom: m.Owner()}
	_, err := o.Approval.SaveRules(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), approval.Rules{Refund: &above})
	require.NoError(t, err)
	return o
}

func actor(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: who.Subject}
}

// ask has mali ask for a refund of all of a voucher.
func (o *office) ask(t *testing.T, v uuid.UUID) uuid.UUID {
	t.Helper()
	in := o.wants(v, 2)
	_, err := o.Refund.Ask(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
	require.ErrorIs(t, err, fault.At("note", fault.Required), "the second person reads why")
	in = o.noted(v, 2)
	asked, err := o.Refund.Ask(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
	require.NoError(t, err)
	o.MustBalance()
	return asked.Approval
}

// noted is a refund of items with a note for the second person.
func (o *office) noted(v uuid.UUID, items int64) refund.Input {
	in := o.wants(v, items)
	in.Note = "moves to Phuket"
	return in
}

// takesBack has ann refunded an item of a voucher that she asked for, as two people agreed.
func (o *office) takesBack(t *testing.T, v uuid.UUID) {
	t.Helper()
	q := o.asked(t, v, 1)
	asked, err := o.Refund.AskToGrant(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), refund.RequestNote{ID: q.ID, Note: "in time"})
	require.NoError(t, err)
	require.NoError(t, o.approve(o.tom, asked.Approval))
}

func (o *office) approve(who token.Session, id uuid.UUID) error {
	return o.Approval.Approve(context.Background(), who, actor(who), tenanttest.Key(), approval.Answer{ID: id})
}

func (o *office) look(t *testing.T, who token.Session, id uuid.UUID) approval.Detail {
	t.Helper()
	d, err := o.Approval.Detail(t.Context(), who, actor(who), approval.ByRequest{ID: id})
	require.NoError(t, err)
	o.MustBalance()
	return d
}

// TestAsk: a refund above the organisation's rule needs a second person.
func TestAsk(t *testing.T) {
	t.Run("above the sum it is asked for, nothing moves, and it is made as it was shown when another approves it", func(t *testing.T) {
		o := openOffice(t, 499_99)
		in := o.wants(o.vouchers[0], 2)
		q, err := o.Refund.Quote(t.Context(), o.Org, in.Choice)
		require.NoError(t, err)
		require.True(t, q.Second)
		_, err = o.Refund.Make(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
		require.ErrorIs(t, err, approval.ErrNeeded)

		before := o.Balance(o.ann)
		id := o.ask(t, o.vouchers[0])
		require.Equal(t, before, o.Balance(o.ann))
		require.Equal(t, voucher.Ready, o.stateOf(o.vouchers[0]))

		d := o.look(t, o.tom, id)
		require.Equal(t, approval.MayAnswer, d.May)
		require.Empty(t, d.Fault)
		require.Equal(t, before, o.Balance(o.ann), "looking changes nothing")
		shown := map[string][2]money.Amount{}
		for _, c := range d.Changes {
			shown[c.What] = [2]money.Amount{c.Before.Amount, c.After.Amount}
		}
		unearned, pending := o.SystemBalance(ledger.Unearned), o.Pending(o.agent)
		require.NoError(t, o.approve(o.tom, id))
		o.MustBalance()
		require.Equal(t, map[string][2]money.Amount{
			"wallet": {before, o.Balance(o.ann)}, "unearned": {unearned, o.SystemBalance(ledger.Unearned)}, "commission": {pending, o.Pending(o.agent)},
			"fee": {30_00, 15_00}, "voucher": {0, 0},
		}, shown)
		require.Equal(t, before+500_00, o.Balance(o.ann))
		require.Equal(t, voucher.Refunded, o.stateOf(o.vouchers[0]))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM refund f JOIN approval a ON a.id = f.approval_id WHERE f.made_by = $1 AND a.answered_by = $2 AND NOT a.alone`, o.mali.Subject, o.tom.Subject))
		require.ErrorIs(t, o.approve(o.tom, id), approval.ErrAnswered)
		require.Equal(t, approval.MayNothing, o.look(t, o.tom, id).May)
	})

	t.Run("small steps count together: of the order, and of the customer within a day", func(t *testing.T) {
		o := openOffice(t, 500_00)
		other := o.MustBuy(o.ann, o.Package(tenanttest.Package{Price: 100_00})).ID
		o.refund(t, o.vouchers[0], 2)
		_, err := o.make(o.wants(o.vouchers[1], 1))
		require.ErrorIs(t, err, approval.ErrNeeded)
		_, err = o.make(o.wants(other, 1))
		require.ErrorIs(t, err, approval.ErrNeeded)
		o.Clock.Advance(25 * time.Hour)
		_, err = o.make(o.wants(o.vouchers[1], 1))
		require.ErrorIs(t, err, approval.ErrNeeded, "the order's for ever")
		o.refund(t, other, 1)
	})

	t.Run("ending a voucher pays as a refund does, so one person cannot do that either", func(t *testing.T) {
		o := openOffice(t, 499_99)
		q, err := o.Refund.QuoteVoid(t.Context(), o.Org, o.vouchers[0])
		require.NoError(t, err)
		require.True(t, q.Second)
		in := refund.VoidInput{ID: o.vouchers[0], Reason: "sold twice"}
		require.ErrorIs(t, o.Refund.Void(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in), approval.ErrNeeded)
		o.refund(t, o.vouchers[0], 1)
		require.ErrorIs(t, o.Refund.Void(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in), approval.ErrNeeded, "small steps count together")
		o.Clock.Advance(25 * time.Hour)
		other := o.MustBuy(o.ann, o.Package(tenanttest.Package{Price: 100_00})).ID
		require.NoError(t, o.Refund.Void(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), refund.VoidInput{ID: other, Reason: "sold twice"}))
		o.MustBalance()
	})

	t.Run("a void is asked for, shows what it changes, and is made when a second person approves it", func(t *testing.T) {
		o := openOffice(t, 0)
		in, key := refund.VoidInput{ID: o.vouchers[0], Reason: "sold twice"}, tenanttest.Key()
		asked, err := o.Refund.AskVoid(t.Context(), o.Org, actor(o.mali), key, in)
		require.NoError(t, err)
		again, err := o.Refund.AskVoid(t.Context(), o.Org, actor(o.mali), key, in)
		require.NoError(t, err)
		require.Equal(t, asked, again)
		_, err = o.Refund.AskVoid(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), in)
		require.ErrorIs(t, err, approval.ErrWaiting)
		require.Equal(t, voucher.Ready, o.stateOf(o.vouchers[0]))
		require.ErrorIs(t, o.Approval.Approve(t.Context(), o.mali, actor(o.mali), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrOwn)
		d, err := o.Approval.Detail(t.Context(), o.tom, actor(o.tom), approval.ByRequest{ID: asked.Approval})
		require.NoError(t, err)
		require.Empty(t, d.Fault)
		whats := map[string]bool{}
		for _, change := range d.Changes {
			whats[change.What] = true
		}
		require.True(t, whats["wallet"] && whats["unearned"] && whats["voucher"], d.Changes)
		require.False(t, whats["owed"])
		before := o.Balance(o.ann)
		require.NoError(t, o.Approval.Approve(t.Context(), o.tom, actor(o.tom), tenanttest.Key(), approval.Answer{ID: asked.Approval}))
		require.Equal(t, voucher.Void, o.stateOf(o.vouchers[0]))
		require.Equal(t, before+500_00, o.Balance(o.ann))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM owner_void WHERE made_by = $1 AND approval_id = $2`, o.mali.Subject, asked.Approval))
		require.ErrorIs(t, o.Approval.Approve(t.Context(), o.tom, actor(o.tom), tenanttest.Key(), approval.Answer{ID: asked.Approval}), approval.ErrAnswered)
		o.MustBalance()
	})

	t.Run("a void that was asked for is refused once the voucher was used", func(t *testing.T) {
		o := openOffice(t, 0)
		asked, err := o.Refund.AskVoid(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), refund.VoidInput{ID: o.vouchers[0], Reason: "sold twice"})
		require.NoError(t, err)
		require.NoError(t, o.use(t, o.ann, o.vouchers[0], 2))
		require.ErrorIs(t, o.Approval.Approve(t.Context(), o.tom, actor(o.tom), tenanttest.Key(), approval.Answer{ID: asked.Approval}), voucher.ErrAlreadyUsed)
		_, err = o.Refund.AskVoid(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), refund.VoidInput{ID: o.vouchers[0], Reason: "sold twice"})
		require.ErrorIs(t, err, voucher.ErrAlreadyUsed)
		o.MustBalance()
	})

	t.Run("who asked, who may not, and who comes second cannot approve", func(t *testing.T) {
		o := openOffice(t, 0)
		id := o.ask(t, o.vouchers[0])
		require.ErrorIs(t, o.approve(o.mali, id), approval.ErrOwn)
		require.Equal(t, approval.MayWithdraw, o.look(t, o.mali, id).May)
		clerk := o.Staff()
		require.ErrorIs(t, o.approve(clerk, id), fault.NotAllowed)
		require.ErrorIs(t, o.Approval.Refuse(t.Context(), clerk, actor(clerk), approval.Refusal{ID: id, Reason: "no"}), fault.NotAllowed)
		require.ErrorIs(t, o.Approval.Refuse(t.Context(), o.mali, actor(o.mali), approval.Refusal{ID: id, Reason: "no"}), approval.ErrOwn)
		require.ErrorIs(t, o.Approval.Withdraw(t.Context(), o.tom, actor(o.tom), approval.ByRequest{ID: id}), approval.ErrNotYours)
		require.ErrorIs(t, o.approve(o.tom, uuid.New()), fault.Missing)
		another := o.wants(o.vouchers[1], 1)
		another.Note = "moves to Phuket"
		_, err := o.Refund.Ask(t.Context(), o.Org, actor(o.tom), tenanttest.Key(), another)
		require.ErrorIs(t, err, approval.ErrWaiting)

		before, anna := o.Balance(o.ann), o.Owner()
		var all sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			all.Go(func() { results[i] = o.approve([]token.Session{o.tom, anna}[i%2], id) })
		}
		all.Wait()
		made := 0
		for _, err := range results {
			if err == nil {
				made++
				continue
			}
			require.ErrorIs(t, err, approval.ErrAnswered)
		}
		require.Equal(t, 1, made)
		require.Equal(t, before+500_00, o.Balance(o.ann))
		o.MustBalance()
	})

	t.Run("a key approves once", func(t *testing.T) {
		o := openOffice(t, 0)
		id, key := o.ask(t, o.vouchers[0]), tenanttest.Key()
		for range 2 {
			require.NoError(t, o.Approval.Approve(t.Context(), o.tom, actor(o.tom), key, approval.Answer{ID: id}))
		}
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM refund`))
	})

	t.Run("what was used meanwhile stands against it, and it waits on", func(t *testing.T) {
		o := openOffice(t, 0)
		id := o.ask(t, o.vouchers[0])
		require.NoError(t, o.use(t, o.ann, o.vouchers[0], 1))
		d := o.look(t, o.tom, id)
		require.Equal(t, "voucher.too_few_items", d.Fault)
		require.Empty(t, d.Changes)
		before := o.Balance(o.ann)
		require.ErrorIs(t, o.approve(o.tom, id), voucher.ErrTooFew)
		require.Equal(t, before, o.Balance(o.ann))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM approval WHERE state = 'waiting'`))
		require.NoError(t, o.Approval.Withdraw(t.Context(), o.mali, actor(o.mali), approval.ByRequest{ID: id}))
		require.ErrorIs(t, o.approve(o.tom, id), approval.ErrAnswered)
	})

	t.Run("to nobody else, of no other items, and no other sum than was asked for", func(t *testing.T) {
		for name, c := range map[string]struct {
			items int64
			then  func(o *office)
		}{
			"it was given to bob":           {2, func(o *office) { o.gives(t, o.vouchers[0], 2) }},
			"its last item went to bob":     {1, func(o *office) { o.gives(t, o.vouchers[0], 1) }},
			"its payer had the item before": {1, func(o *office) { o.takesBack(t, o.vouchers[0]) }},
		} {
			o := openOffice(t, 0)
			asked, err := o.Refund.Ask(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), o.noted(o.vouchers[0], c.items))
			require.NoError(t, err)
			void, err := o.Refund.AskVoid(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), refund.VoidInput{ID: o.vouchers[0], Reason: "sold twice"})
			require.NoError(t, err)
			c.then(o)
			before, state := o.Balances(), o.stateOf(o.vouchers[0])
			for _, id := range []uuid.UUID{asked.Approval, void.Approval} {
				require.Equal(t, refund.ErrSumsChanged.Code, o.look(t, o.tom, id).Fault, name)
				require.ErrorIs(t, o.approve(o.tom, id), refund.ErrSumsChanged, name)
			}
			require.Equal(t, before, o.Balances())
			require.Equal(t, state, o.stateOf(o.vouchers[0]))
			require.NoError(t, o.Approval.Withdraw(t.Context(), o.mali, actor(o.mali), approval.ByRequest{ID: asked.Approval}))
			again, err := o.Refund.Ask(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), o.noted(o.vouchers[0], 1))
			require.NoError(t, err)
			require.NoError(t, o.approve(o.tom, again.Approval), "as it is now, it is asked for anew")
			o.MustBalance()
		}
	})

	t.Run("refused and lapsed it moves nothing", func(t *testing.T) {
		o := openOffice(t, 0)
		refused := o.ask(t, o.vouchers[0])
		require.NoError(t, o.Approval.Refuse(t.Context(), o.tom, actor(o.tom), approval.Refusal{ID: refused, Reason: "ask him first"}))
		lapsed := o.ask(t, o.vouchers[0])
		o.Clock.Advance(3 * 24 * time.Hour)
		require.ErrorIs(t, o.approve(o.SignInAnew(o.tom), lapsed), approval.ErrAnswered, "also before a worker has ended it")
		o.In(approval.Lapse)
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM approval WHERE state = 'lapsed' AND id = $1`, lapsed))
		require.Zero(t, o.Count(`SELECT count(*) FROM refund`))
		o.MustBalance()
	})

	t.Run("who is alone approves his own the day after, signed in anew, and the record says so", func(t *testing.T) {
		o := openOffice(t, 0)
		o.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE staff SET status = 2 WHERE id = $1`, o.tom.Subject)
			return err
		})
		id := o.ask(t, o.vouchers[0])
		require.ErrorIs(t, o.approve(o.mali, id), approval.ErrTomorrow)
		o.mali = o.SignInAnew(o.mali)
		require.ErrorIs(t, o.approve(o.mali, id), approval.ErrTomorrow, "anew on the same day")
		o.Clock.Advance(24 * time.Hour)
		require.ErrorIs(t, o.approve(o.mali, id), approval.ErrTomorrow, "the day after, but still signed in")
		o.mali = o.SignInAnew(o.mali)
		require.Equal(t, approval.MayAlone, o.look(t, o.mali, id).May)
		require.NoError(t, o.approve(o.mali, id))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM approval WHERE state = 'approved' AND alone`))
		o.MustBalance()
	})

	t.Run("of two who tighten a rule at once, the stricter one holds", func(t *testing.T) {
		o := openOffice(t, 100_00)
		for n := range money.Amount(10) {
			mild, strict := 90_00-4_00*n, 88_00-4_00*n
			var both sync.WaitGroup
			for who, above := range map[*token.Session]money.Amount{&o.mali: mild, &o.tom: strict} {
				both.Go(func() {
					_, err := o.Approval.SaveRules(t.Context(), o.Org, actor(*who), tenanttest.Key(), approval.Rules{Refund: &above})
					require.NoError(t, err)
				})
			}
			both.Wait()
			require.EqualValues(t, strict, o.Count(`SELECT above FROM approval_rule WHERE kind = 'refund'`))
			o.Force(`DELETE FROM approval`)
		}
	})

	t.Run("one person cannot let go of the rule", func(t *testing.T) {
		o := openOffice(t, 100_00)
		more, less := money.Amount(200_00), money.Amount(50_00)
		for _, r := range []approval.Rules{{}, {Refund: &more}} {
			saved, err := o.Approval.SaveRules(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), r)
			require.NoError(t, err)
			require.True(t, saved.Asked)
			require.EqualValues(t, 100_00, *saved.Refund)
			id := uuid.UUID{}
			o.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT id FROM approval WHERE kind = 'rule' AND state = 'waiting'`).Scan(&id)
			})
			require.ErrorIs(t, o.approve(o.mali, id), approval.ErrOwn)
			require.Len(t, o.look(t, o.tom, id).Changes, 1)
			require.NoError(t, o.Approval.Refuse(t.Context(), o.tom, actor(o.tom), approval.Refusal{ID: id, Reason: "no"}))
		}
		saved, err := o.Approval.SaveRules(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), approval.Rules{Refund: &less})
		require.NoError(t, err)
		require.False(t, saved.Asked)
		require.EqualValues(t, 50_00, *saved.Refund)

		_, err = o.Approval.SaveRules(t.Context(), o.Org, actor(o.mali), tenanttest.Key(), approval.Rules{})
		require.NoError(t, err)
		id := uuid.UUID{}
		o.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM approval WHERE kind = 'rule' AND state = 'waiting'`).Scan(&id)
		})
		require.NoError(t, o.approve(o.tom, id))
		require.Zero(t, o.Count(`SELECT count(*) FROM approval_rule`))
		o.refund(t, o.vouchers[0], 2)
	})
}
