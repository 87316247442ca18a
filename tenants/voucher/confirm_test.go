package voucher_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// confirming is one confirmation of several that are taken together, and its result.
type confirming struct {
	ctx  context.Context //nolint:containedctx // each scanner has his own
	who  token.Session
	key  string
	in   voucher.ConfirmInput
	done voucher.Redemption
	err  error
}

// confirms is a confirmation of what was scanned, if it can be.
func (v useView) confirms(use voucher.UseSession) *confirming { return v.confirmsBy(v.staff, use) }

func (v useView) confirmsBy(who token.Session, use voucher.UseSession) *confirming {
	_, _ = v.Voucher.Verify(context.Background(), who, v.scan(use))
	return &confirming{ctx: context.Background(), who: who, key: tenanttest.Key(), in: voucher.ConfirmInput{Session: use.ID, ServicePoint: v.servicePoint}}
}

// another is a use of one more voucher.
func (v useView) another(t *testing.T, items int64) voucher.UseSession {
	t.Helper()
	v.voucher = v.MustBuy(v.ann, v.pkg).ID
	return v.ask(t, items)
}

// together lets confirmations come while another is under way, so that one transaction takes them all, in their order.
func (v useView) together(t *testing.T, meanwhile func(), all ...*confirming) {
	t.Helper()
	first := v.confirms(v.another(t, 1))
	var group sync.WaitGroup
	v.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `SELECT FROM staff WHERE id = $1 FOR UPDATE`, first.who.Subject)
		for n, c := range append([]*confirming{first}, all...) {
			group.Go(func() { c.done, c.err = v.Voucher.Confirm(c.ctx, c.who, c.key, c.in) })
			if n == 0 {
				require.Eventually(t, func() bool { return dbtest.Blocks(ctx, t, tx) }, 5*time.Second, time.Millisecond, "it has gone at once, and waits for its staff")
				continue
			}
			require.Eventually(t, func() bool { return v.Voucher.Waiting(v.Org) == n }, 5*time.Second, time.Millisecond)
		}
		meanwhile()
		return err
	})
	group.Wait()
	require.NoError(t, first.err)
}

func nothing() {}

// transactions counts the transactions that wrote these redemptions.
func (v useView) transactions(all ...*confirming) int64 {
	return v.Count(`SELECT count(DISTINCT xmin::text) FROM redemption WHERE id = ANY ($1)`, db.Column(all, func(c *confirming) any { return c.done.ID }))
}

func TestConfirmTogether(t *testing.T) {
	t.Run("each confirmation of a batch gets its own result, and a refused one leaves nothing", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
		hers, elsewhere := d.Staff(), d.ServicePoint()
		d.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO service_point_staff (service_point_id, staff_id) VALUES ($1, $2)`, elsewhere, hers.Subject)
			return err
		})
		before := d.confirms(d.another(t, 1))
		before.done, before.err = d.Voucher.Confirm(t.Context(), before.who, before.key, before.in)
		require.NoError(t, before.err)
		again, reused := *before, *before
		over := d.another(t, 1)
		_, err := d.Voucher.CancelUse(t.Context(), d.ann, over.ID)
		require.NoError(t, err)

		some, last, other := d.confirms(d.another(t, 1)), d.confirms(d.another(t, 2)), d.confirmsBy(hers, d.another(t, 1))
		reused.in.Session = d.another(t, 1).ID
		second, cancelled, otherPoint, notMine, unknown := d.confirms(over), d.confirms(over), d.confirmsBy(hers, d.another(t, 1)), d.confirms(d.another(t, 1)), d.confirms(over)
		second.in = before.in
		otherPoint.in.ServicePoint = elsewhere
		notMine.in.ServicePoint = elsewhere
		unknown.in.Session = db.NewID()
		refused := map[*confirming]error{
			&reused: idempotency.ErrReused, second: voucher.ErrAlreadyUsed, cancelled: voucher.ErrSessionOver,
			otherPoint: voucher.ErrOtherServicePoint, notMine: servicepoint.ErrNotStaff, unknown: voucher.ErrCodeUnknown,
		}

		d.together(t, nothing, unknown, some, &again, second, last, cancelled, otherPoint, notMine, other, &reused)

		for _, c := range []*confirming{some, last, other} {
			require.NoError(t, c.err)
		}
		require.EqualValues(t, 1, d.transactions(some, last, other))
		require.EqualValues(t, 1, some.done.ItemsLeft)
		require.Zero(t, last.done.ItemsLeft)
		for c, want := range refused {
			require.ErrorIs(t, c.err, want)
			require.Zero(t, c.done)
		}
		require.NotEmpty(t, fault.From(second.err).Detail.(voucher.PreviousUse).Code)
		require.NoError(t, again.err)
		require.Equal(t, before.done, again.done)

		require.EqualValues(t, 5, d.Count(`SELECT count(*) FROM redemption`), "three, the first, and the one before")
		require.EqualValues(t, 5, d.Count(`SELECT count(*) FROM idempotency WHERE operation = 'voucher.confirm'`))
		require.EqualValues(t, 5, d.Count(`SELECT count(*) FROM outbox WHERE payload #>> '{job,print,topic}' = 'use' AND payload #>> '{job,print,state}' = 'used'`))
		require.EqualValues(t, 1, d.Count(`SELECT count(*) FROM voucher WHERE state = 'used'`))
		for _, c := range []*confirming{some, last, other} {
			require.EqualValues(t, 1, d.Count(`SELECT count(*) FROM outbox WHERE payload #>> '{job,print,id}' = $1::text AND payload #>> '{job,print,state}' = 'used'`, c.in.Session.String()))
		}
		require.Equal(t, money.Amount(6*485_00), d.SystemBalance(ledger.Payable), "each item's share")
		d.MustBalance()

		otherPoint.in.ServicePoint = d.servicePoint
		_, err = d.Voucher.Confirm(t.Context(), otherPoint.who, otherPoint.key, otherPoint.in)
		require.NoError(t, err, "a key that was refused may try again")
	})

	t.Run("one use session confirmed several times in a batch is used once", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 3})
		first := d.confirms(d.ask(t, 1))
		duplicate, second, other, changed := *first, *first, *first, *first
		second.key, other.key, other.who = tenanttest.Key(), tenanttest.Key(), d.Staff()
		changed.in.Session = d.another(t, 1).ID

		d.together(t, nothing, first, &duplicate, &second, &other, &changed)

		require.NoError(t, first.err)
		require.NoError(t, duplicate.err)
		require.Equal(t, first.done, duplicate.done)
		for _, c := range []*confirming{&second, &other} {
			require.ErrorIs(t, c.err, voucher.ErrAlreadyUsed)
			require.Equal(t, first.done.At, fault.From(c.err).Detail.(voucher.PreviousUse).At.UTC())
		}
		require.ErrorIs(t, changed.err, idempotency.ErrReused)
		require.EqualValues(t, 2, d.Count(`SELECT items_left FROM voucher WHERE id = $1`, d.voucher))
		require.EqualValues(t, 2, d.Count(`SELECT count(*) FROM redemption`))
		d.MustBalance()
	})

	t.Run("a confirmation that the database refuses fails alone in its batch", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 3})
		good, broken, fine := d.confirms(d.another(t, 1)), d.confirms(d.another(t, 3)), d.confirms(d.another(t, 1))
		setItems := func(items int) { d.Force(`UPDATE use_session SET items = $2 WHERE id = $1`, broken.in.Session, items) }

		d.together(t, func() { setItems(4) }, good, broken, fine)

		require.NoError(t, good.err)
		require.Error(t, broken.err)
		require.Equal(t, fault.Internal, fault.From(broken.err), "more than there is")
		require.NoError(t, fine.err)
		require.EqualValues(t, 2, d.transactions(good, fine), "each alone")
		setItems(3)
		d.MustBalance()
	})

	for name, end := range map[string]struct {
		cut func(*dbtest.Cut)
		own int64
	}{
		"arrives late": {(*dbtest.Cut).Arrive, 1}, "never arrives": {(*dbtest.Cut).Lose, 3},
	} {
		t.Run("a COMMIT without an answer is resolved for each confirmation, also when it "+name, func(t *testing.T) {
			d := newUseView(t, tenanttest.Package{Price: 1000_00, Items: 2})
			bee := d
			bee.ann = d.Customer(20_000_00)
			all := []*confirming{d.confirms(bee.another(t, 1)), d.confirms(bee.another(t, 2)), d.confirms(bee.another(t, 1))}
			proxy := dbtest.NewProxy(t, d.AppURL)
			weak, err := db.Open(t.Context(), map[string]string{db.MainNode: proxy.URL}, 4, d.Clock)
			require.NoError(t, err)
			t.Cleanup(weak.Close)
			steady := d.Voucher
			cut := proxy.CutAt(bee.ann.Subject.String()) // it stands in the notices, which travel with COMMIT

			var group sync.WaitGroup
			group.Go(func() {
				d.Voucher = voucher.New(weak, refund.Settle)
				d.together(t, nothing, all...)
			})
			require.Eventually(t, func() bool {
				return d.Count(`SELECT count(*) FROM pg_locks WHERE locktype = 'tuple' AND relation = 'staff'::regclass`) == 3
			}, 10*time.Second, time.Millisecond, "each asks again, behind the transaction that has not ended")
			end.cut(cut)
			group.Wait()

			for _, c := range all {
				require.NoError(t, c.err)
				again, err := steady.Confirm(t.Context(), c.who, c.key, c.in)
				require.NoError(t, err)
				require.Equal(t, c.done, again)
			}
			require.Equal(t, end.own, d.transactions(all...))
			require.EqualValues(t, 4, d.Count(`SELECT count(*) FROM redemption`))
			d.MustBalance()
		})
	}

	t.Run("a voucher locked by another transaction blocks no other confirmation", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 1000_00})
		held, free := d.ask(t, 1), d.another(t, 1)
		waiting := d.confirms(held)
		var group sync.WaitGroup
		d.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `SELECT FROM voucher WHERE id = $1 FOR UPDATE`, held.Voucher)
			group.Go(func() {
				waiting.done, waiting.err = d.Voucher.Confirm(waiting.ctx, waiting.who, waiting.key, waiting.in)
			})
			require.Eventually(t, func() bool { return dbtest.Blocks(ctx, t, tx) }, 5*time.Second, time.Millisecond)
			for range 2 {
				_, err := d.confirm(t, free)
				require.True(t, err == nil || errors.Is(err, voucher.ErrAlreadyUsed), "%v", err)
			}
			return err
		})
		group.Wait()
		require.NoError(t, waiting.err)
		require.EqualValues(t, 2, d.Count(`SELECT count(*) FROM redemption`))
		d.MustBalance()
	})

	t.Run("one key for two uses, in two processes at once, has one effect", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 500_00})
		services := []*voucher.Service{d.Voucher, voucher.New(d.DB, refund.Settle)}
		for range 10 {
			both := []*confirming{d.confirms(d.another(t, 1)), d.confirms(d.another(t, 1))}
			both[1].key = both[0].key
			var group sync.WaitGroup
			for i, c := range both {
				group.Go(func() { c.done, c.err = services[i].Confirm(c.ctx, c.who, c.key, c.in) })
			}
			group.Wait()
			if both[0].err != nil {
				both[0], both[1] = both[1], both[0]
			}
			require.NoError(t, both[0].err)
			require.ErrorIs(t, both[1].err, idempotency.ErrReused)
		}
		require.EqualValues(t, 10, d.Count(`SELECT count(*) FROM redemption`))
		d.MustBalance()
	})

	t.Run("two processes use each voucher once", func(t *testing.T) {
		d := newUseView(t, tenanttest.Package{Price: 500_00, Items: 2})
		services := []*voucher.Service{d.Voucher, voucher.New(d.DB, refund.Settle)}
		var uses []voucher.UseSession
		for range 20 {
			uses = append(uses, d.another(t, 1))
		}
		other := d.Staff()

		errs := make([][4]error, len(uses))
		var group sync.WaitGroup
		for i, use := range uses {
			mine, his := d.confirms(use), d.confirmsBy(other, use)
			for n, c := range []*confirming{mine, mine, his, his} { // each asks both, with one key
				group.Go(func() { _, errs[i][n] = services[n%2].Confirm(context.Background(), c.who, c.key, c.in) })
			}
		}
		group.Wait()

		for _, e := range errs {
			require.ErrorIs(t, e[0], e[1], "both calls with one key have one result")
			require.ErrorIs(t, e[2], e[3])
			require.NotEqual(t, e[0] == nil, e[2] == nil)
		}
		require.EqualValues(t, 20, d.Count(`SELECT count(*) FROM redemption`))
		require.Equal(t, money.Amount(20*242_50), d.SystemBalance(ledger.Payable))
		d.MustBalance()
	})
}
