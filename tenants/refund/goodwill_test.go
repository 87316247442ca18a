package refund_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// kind is a shop that has earned something, two people of its back office, and ann, who has used one of her three items of 100.01 or so.
type kind struct {
	*owed
	voucher, redemption uuid.UUID
}

func openKind(t *testing.T) *kind {
	t.Helper()
	s := open(t)
	k := &kind{owed: &owed{shop: s, mali: s.Owner(), tom: s.Owner()}}
	bob := s.Customer(500_00)
	require.NoError(t, s.use(t, bob, s.MustBuy(bob, s.Package(tenanttest.Package{Price: 500_00})).ID, 1))
	s.Clock.Advance(3 * 24 * time.Hour)
	k.ann = s.Customer(1000_00)
	k.voucher = s.MustBuy(k.ann, s.Package(tenanttest.Package{Price: 300_03, Items: 3, Transfers: 2})).ID
	k.redemption = k.redeem(t, k.ann, k.voucher)
	return k
}

// redeem uses one item, and returns the use.
func (k *kind) redeem(t *testing.T, who token.Session, v uuid.UUID) (id uuid.UUID) {
	t.Helper()
	require.NoError(t, k.use(t, who, v, 1))
	k.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM redemption WHERE voucher_id = $1 ORDER BY id DESC LIMIT 1`, v).Scan(&id)
	})
	return id
}

func (k *kind) askFor(use uuid.UUID, amount money.Amount) (uuid.UUID, error) {
	asked, err := k.Refund.AskGoodwill(context.Background(), k.Org, actor(k.mali), tenanttest.Key(), refund.GoodwillInput{Use: use, Amount: amount, Reason: "the room was cold"})
	return asked.Approval, err
}

// give has two people give back so much.
func (k *kind) give(t *testing.T, use uuid.UUID, amount money.Amount) {
	t.Helper()
	id, err := k.askFor(use, amount)
	require.NoError(t, err)
	require.NoError(t, k.approve(k.tom, id))
	k.MustBalance()
}

// payOut takes some of what was earned, as a payout will.
func (k *kind) payOut(t *testing.T, amount money.Amount) {
	t.Helper()
	id := k.Adjustment(amount)
	k.In(func(_ context.Context, tx db.Tx) error {
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: id},
			ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: ledger.SystemAccount(ledger.Adjustment), Amount: amount}))
	})
}

// TestGoodwill: two people give money back for what was used.
func TestGoodwill(t *testing.T) {
	t.Run("to who used it, of what the shop has earned, and at most what was paid for it", func(t *testing.T) {
		k := openKind(t)
		_, err := k.askFor(k.redemption, 50_00)
		require.ErrorIs(t, err, refund.ErrGoodwillEarly, "he may object still")
		k.Clock.Advance(3 * 24 * time.Hour)
		before, payable := k.Balance(k.ann), k.SystemBalance(ledger.Payable)
		id, err := k.askFor(k.redemption, 60_00)
		require.NoError(t, err)
		require.Equal(t, before, k.Balance(k.ann))
		require.ErrorIs(t, k.approve(k.mali, id), approval.ErrOwn)
		d, err := k.Approval.Detail(t.Context(), k.tom, actor(k.tom), approval.ByRequest{ID: id})
		require.NoError(t, err)
		shown := map[string][2]money.Amount{}
		for _, c := range d.Changes {
			shown[c.What] = [2]money.Amount{c.Before.Amount, c.After.Amount}
		}
		require.Equal(t, map[string][2]money.Amount{"wallet": {before, before + 60_00}, "payable": {payable, payable - 60_00}}, shown)
		require.NoError(t, k.approve(k.tom, id))
		k.MustBalance()
		require.Equal(t, [2]money.Amount{before + 60_00, payable - 60_00}, [2]money.Amount{k.Balance(k.ann), k.SystemBalance(ledger.Payable)})
		require.ErrorIs(t, k.approve(k.tom, id), approval.ErrAnswered)

		list, err := k.Refund.GoodwillUses(t.Context(), k.Org, k.voucher)
		require.NoError(t, err)
		require.Equal(t, [2]money.Amount{100_01, 60_00}, [2]money.Amount{list.Data[0].Paid, list.Data[0].Given})
		_, err = k.askFor(k.redemption, 40_02)
		require.ErrorIs(t, err, refund.ErrGoodwillMost)
		k.give(t, k.redemption, 40_01)
		_, err = k.askFor(k.redemption, 1)
		require.ErrorIs(t, err, refund.ErrGoodwillMost)
		m, err := k.Wallet.Movements(t.Context(), k.ann, 10, nil)
		require.NoError(t, err)
		require.Equal(t, "goodwill", m.Data[0].Kind)
		v, err := k.Voucher.Detail(t.Context(), k.ann, k.voucher)
		require.NoError(t, err)
		require.Equal(t, v.Code, m.Data[0].Number)
		require.Contains(t, k.messagesTo(t, k.ann), string(message.UseGoodwill))
		k.ReportsAgree(t)
	})

	t.Run("not beside an objection that is open or undid it, but where the use stands", func(t *testing.T) {
		k := openKind(t)
		object := func(use uuid.UUID) (id uuid.UUID) {
			_, err := k.Objection.Object(t.Context(), k.ann, tenanttest.Key(), objection.Input{Use: use})
			require.NoError(t, err)
			k.In(func(ctx context.Context, tx db.Tx) error {
				return tx.QueryRow(ctx, `SELECT id FROM objection WHERE redemption_id = $1`, use).Scan(&id)
			})
			return id
		}
		first := object(k.redemption)
		second := k.redeem(t, k.ann, k.voucher)
		other := object(second)
		_, err := k.askFor(k.redemption, 1_00)
		require.ErrorIs(t, err, refund.ErrGoodwillOpen)
		require.NoError(t, k.Objection.Decide(t.Context(), k.Org, actor(k.mali), objection.Decision{ID: first, Undo: true}))
		require.NoError(t, k.Objection.Decide(t.Context(), k.Org, actor(k.mali), objection.Decision{ID: other}))
		k.Clock.Advance(5 * 24 * time.Hour)
		_, err = k.askFor(k.redemption, 1_00)
		require.ErrorIs(t, err, refund.ErrGoodwillOpen)
		k.give(t, second, 100_01)
		_, err = k.Objection.Object(t.Context(), k.ann, tenanttest.Key(), objection.Input{Use: second})
		require.ErrorIs(t, err, objection.ErrMade)
	})

	t.Run("what was given can be objected to by nobody any more", func(t *testing.T) {
		k := openKind(t)
		k.Clock.Advance(3 * 24 * time.Hour)
		k.give(t, k.redemption, 1_00)
		_, err := k.Objection.Object(t.Context(), k.ann, tenanttest.Key(), objection.Input{Use: k.redemption})
		require.ErrorIs(t, err, objection.ErrTooLate)
	})

	t.Run("beside a refund and a void of the rest, in each order", func(t *testing.T) {
		k := openKind(t)
		k.Clock.Advance(3 * 24 * time.Hour)
		k.give(t, k.redemption, 100_01)
		require.NoError(t, k.void(k.voucher))
		k.MustBalance()
		require.EqualValues(t, 1000_00-300_03+300_03, k.Balance(k.ann))
		_, err := k.askFor(k.redemption, 1)
		require.ErrorIs(t, err, refund.ErrGoodwillMost)

		k = openKind(t)
		require.NoError(t, k.void(k.voucher))
		k.Clock.Advance(3 * 24 * time.Hour)
		k.give(t, k.redemption, 100_01)
		require.EqualValues(t, 1000_00, k.Balance(k.ann))
	})

	t.Run("what he owes is paid from it first", func(t *testing.T) {
		k := openKind(t)
		p := k.Package(tenanttest.Package{Price: 300_00})
		paid := k.direct(t, k.ann, p)
		require.NoError(t, k.use(t, k.ann, k.first(paid), 1))
		k.Clock.Advance(3 * 24 * time.Hour)
		k.gatewaySays(t, paid, disputed(payment.DisputeLost))
		before, debt := k.Balance(k.ann), k.state(k.ann).debt
		require.Positive(t, debt)
		k.give(t, k.redemption, 50_00)
		require.Equal(t, before+50_00-debt, k.Balance(k.ann))
		require.Zero(t, k.state(k.ann).debt)
	})

	t.Run("refused while the shop has not earned it for good, of nothing, and another organisation's", func(t *testing.T) {
		k := openKind(t)
		k.Clock.Advance(3 * 24 * time.Hour)
		id, err := k.askFor(k.redemption, 100_01)
		require.NoError(t, err)
		k.payOut(t, k.SystemBalance(ledger.Payable)-100_00)
		require.ErrorIs(t, k.approve(k.tom, id), refund.ErrNotEarned)
		_, err = k.askFor(uuid.New(), 1)
		require.ErrorIs(t, err, fault.Missing)
		other := tenanttest.On(t, k.Server)
		_, err = other.Refund.AskGoodwill(t.Context(), other.Org, actor(other.Owner()), tenanttest.Key(), refund.GoodwillInput{Use: k.redemption, Amount: 1, Reason: "mine"})
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("not to who has deleted his account, unless he came again", func(t *testing.T) {
		k := openKind(t)
		k.Clock.Advance(3 * 24 * time.Hour)
		id, err := k.askFor(k.redemption, 50_00)
		require.NoError(t, err)
		k.Force(`UPDATE customer SET erased_at = now(), status = 9 WHERE id = $1`, k.ann.Subject)
		require.ErrorIs(t, k.approve(k.tom, id), voucher.ErrHolderGone)
		uses, err := k.Refund.GoodwillUses(t.Context(), k.Org, k.voucher)
		require.NoError(t, err)
		require.Equal(t, voucher.ErrHolderGone.Code, uses.Data[0].Fault)
		_, err = k.askFor(k.redemption, 1_00)
		require.ErrorIs(t, err, voucher.ErrHolderGone)
		again, had := k.Customer(0), k.Balance(k.ann)
		k.Force(`INSERT INTO former_customer (customer_id, pseudonym, forget_at, successor_id) VALUES ($1, '\x00', now() + interval '1 year', $2)`, k.ann.Subject, again.Subject)
		require.NoError(t, k.approve(k.tom, id))
		require.Equal(t, had+50_00, k.Balance(again))
	})

	t.Run("two at once for one use give no more than was paid", func(t *testing.T) {
		k := openKind(t)
		k.Clock.Advance(3 * 24 * time.Hour)
		first, err := k.askFor(k.redemption, 60_00)
		require.NoError(t, err)
		_, err = k.askFor(k.redemption, 60_00)
		require.ErrorIs(t, err, approval.ErrWaiting)
		var both sync.WaitGroup
		errs := make([]error, 2)
		for i := range errs {
			both.Go(func() { errs[i] = k.approve(k.tom, first) })
		}
		both.Wait()
		k.MustBalance()
		require.EqualValues(t, 1, k.Count(`SELECT count(*) FROM goodwill`))
	})
}
