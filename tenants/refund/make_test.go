package refund_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// wants is a refund of items of a voucher, for a customer who asked for it.
func (m *market) wants(v uuid.UUID, items int64) refund.Input {
	var order uuid.UUID
	m.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT order_id FROM voucher WHERE id = $1`, v).Scan(&order)
	})
	return refund.Input{Choice: refund.Choice{Order: order, Parts: []refund.Part{{Voucher: v, Items: items}}}, Reason: "asked"}
}

func (m *market) owner() auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: m.staff.Subject}
}

func (m *market) make(in refund.Input) (refund.Made, error) {
	return m.Refund.Make(context.Background(), m.Org, m.owner(), tenanttest.Key(), in)
}

// refund refunds items, as its quote said, and the books balance.
func (m *market) refund(t *testing.T, v uuid.UUID, items int64) refund.Quote {
	t.Helper()
	in := m.wants(v, items)
	q, err := m.Refund.Quote(t.Context(), m.Org, in.Choice)
	require.NoError(t, err)
	require.Equal(t, q.Amount, q.Share+q.Fee+q.Commission)
	made, err := m.make(in)
	require.NoError(t, err)
	require.Equal(t, q.Amount, made.Amount)
	require.Len(t, made.Number, 10)
	m.MustBalance()
	return q
}

// TestMake: the organisation refunds unused items.
func TestMake(t *testing.T) {
	t.Run("all of an order goes back from where it lies, to its buyer's wallet", func(t *testing.T) {
		m := openMarket(t, two(0))
		before := [3]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee)}
		in := m.wants(m.vouchers[0], 2)
		in.Parts = append(in.Parts, refund.Part{Voucher: m.vouchers[1], Items: 2})
		made, err := m.make(in)
		require.NoError(t, err)
		require.EqualValues(t, 1000_00, made.Amount)
		m.MustBalance()
		require.Equal(t, [3]money.Amount{before[0] + 1000_00, before[1] - 870_00, before[2] - 30_00},
			[3]money.Amount{m.Balance(m.ann), m.SystemBalance(ledger.Unearned), m.SystemBalance(ledger.PlatformFee)})
		require.Zero(t, m.Pending(m.agent))
		require.Zero(t, m.SystemBalance(ledger.ChargebackReceivable))
		require.Equal(t, "refunded", m.orderState())
		require.Equal(t, voucher.Refunded, m.stateOf(m.vouchers[0]))
		require.EqualValues(t, 1, m.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_refunded' AND vouchers = 2 AND amount_satang = 100000 AND customer_id = $1`, m.ann.Subject))
		require.Zero(t, m.Count(`SELECT count(*) FROM message WHERE kind = 'voucher_taken_back'`))
	})

	t.Run("item after item is as much as all at once, and what was used stays earned", func(t *testing.T) {
		m := openMarket(t, tenanttest.Package{Price: 999_01, Items: 3, Transfers: 5})
		balance := m.Balance(m.ann)
		require.NoError(t, m.use(t, m.ann, m.vouchers[0], 1))
		earned := m.SystemBalance(ledger.Payable)
		first, second := m.refund(t, m.vouchers[0], 1), m.refund(t, m.vouchers[0], 1)
		require.Equal(t, balance+first.Amount+second.Amount, m.Balance(m.ann))
		require.EqualValues(t, 666_01, first.Amount+second.Amount, "the satang that does not divide lies on the last item")
		require.Equal(t, earned, m.SystemBalance(ledger.Payable))
		require.Equal(t, "part_refunded", m.orderState())
		_, err := m.make(m.wants(m.vouchers[0], 1))
		require.ErrorIs(t, err, voucher.ErrRefunded)
	})

	t.Run("on sale, on its way: whole, and that ends; in use, frozen, used, expired, void: not", func(t *testing.T) {
		for name, c := range map[string]struct {
			reach func(t *testing.T, m *market, v uuid.UUID)
			whole error // what refunding all says
			some  error
		}{
			"ready":   {func(*testing.T, *market, uuid.UUID) {}, nil, nil},
			"on sale": {func(t *testing.T, m *market, v uuid.UUID) { m.offer(t, m.ann, v, 100_00) }, nil, voucher.ErrOnSale},
			"on its way": {func(t *testing.T, m *market, v uuid.UUID) {
				_, err := m.Gift.Give(t.Context(), m.ann, tenanttest.Key(), gift.Input{Voucher: v, Items: 2, Card: "love"})
				require.NoError(t, err)
			}, nil, voucher.ErrInTransfer},
			"in use": {func(t *testing.T, m *market, v uuid.UUID) {
				_, err := m.Voucher.StartUse(t.Context(), m.ann, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: m.point, Items: 1})
				require.NoError(t, err)
			}, voucher.ErrInUse, voucher.ErrInUse},
			"used": {func(t *testing.T, m *market, v uuid.UUID) { require.NoError(t, m.use(t, m.ann, v, 2)) }, voucher.ErrAlreadyUsed, voucher.ErrAlreadyUsed},
			"expired": {func(_ *testing.T, m *market, _ uuid.UUID) {
				m.Clock.Advance(91 * 24 * 3600e9)
				m.In(m.Voucher.ExpireVouchers)
			}, voucher.ErrExpired, voucher.ErrExpired},
			"over, before a worker came by": {func(_ *testing.T, m *market, _ uuid.UUID) { m.Clock.Advance(91 * 24 * 3600e9) }, voucher.ErrExpired, voucher.ErrExpired},
			"frozen": {func(t *testing.T, m *market, _ uuid.UUID) {
				m.spendAll(t, m.ann)
				m.gatewaySays(t, m.topped, disputed(payment.DisputeOpen))
			}, voucher.ErrFrozen, voucher.ErrFrozen},
			"void": {func(t *testing.T, m *market, _ uuid.UUID) {
				m.spendAll(t, m.ann)
				m.gatewaySays(t, m.topped, disputed(payment.DisputeLost))
			}, voucher.ErrVoid, voucher.ErrVoid},
		} {
			t.Run(name, func(t *testing.T) {
				m := openMarket(t, tenanttest.Package{Price: 500_00, Items: 2, Transfers: 5})
				m.topped = m.topUp(t, m.ann, 500_00)
				v := m.MustBuy(m.ann, m.Package(tenanttest.Package{Price: 500_00, Items: 2, Transfers: 5})).ID
				c.reach(t, m, v)
				_, err := m.make(m.wants(v, 1))
				require.ErrorIs(t, err, c.some)
				if c.some == nil {
					_, err = m.make(m.wants(v, 1))
				} else {
					_, err = m.make(m.wants(v, 2))
				}
				require.ErrorIs(t, err, c.whole)
				m.MustBalance()
				require.Zero(t, m.Count(`SELECT count(*) FROM gift WHERE ended_at IS NULL`)*m.Count(`SELECT count(*) FROM voucher WHERE state = 'refunded'`))
			})
		}
	})

	t.Run("what was given or sold on is refunded to who holds it, and two people's not at once", func(t *testing.T) {
		m := openMarket(t, two(0))
		m.topUp(t, m.bob, 450_00)
		m.sell(t, m.ann, m.bob, m.vouchers[0], 450_00)
		in := m.wants(m.vouchers[0], 2)
		in.Parts = append(in.Parts, refund.Part{Voucher: m.vouchers[1], Items: 2})
		_, err := m.make(in)
		require.ErrorIs(t, err, refund.ErrTwoHolders)
		anns := m.Balance(m.ann)
		require.Equal(t, m.bob.Subject, m.refund(t, m.vouchers[0], 2).Holder)
		require.EqualValues(t, 500_00, m.Balance(m.bob), "what lies behind it, whatever he paid")
		require.Equal(t, anns, m.Balance(m.ann))
		require.EqualValues(t, 50_00, m.Pending(m.agent))
	})

	t.Run("what came along goes with the last that was paid for, and is not refunded alone", func(t *testing.T) {
		m := openMarket(t, two(1))
		_, err := m.make(m.wants(m.vouchers[2], 1))
		require.ErrorIs(t, err, refund.ErrNothing)
		m.refund(t, m.vouchers[0], 2)
		require.Equal(t, voucher.Ready, m.stateOf(m.vouchers[2]))
		m.refund(t, m.vouchers[1], 2)
		require.Equal(t, voucher.Refunded, m.stateOf(m.vouchers[2]))
		require.Equal(t, "refunded", m.orderState())
	})

	t.Run("another order's voucher, more than there is, twice the same: nothing", func(t *testing.T) {
		m := openMarket(t, two(0))
		other := m.wants(m.MustBuy(m.ann, m.Package(tenanttest.Package{Price: 100_00})).ID, 1)
		other.Order = m.order
		_, err := m.make(other)
		require.ErrorIs(t, err, voucher.ErrNotFound)
		_, err = m.make(m.wants(m.vouchers[0], 3))
		require.ErrorIs(t, err, voucher.ErrTooFew)
		twice := m.wants(m.vouchers[0], 1)
		twice.Parts = append(twice.Parts, twice.Parts[0])
		_, err = m.make(twice)
		require.ErrorIs(t, err, voucher.ErrNotFound)
		require.Zero(t, m.Count(`SELECT count(*) FROM refund`))
		m.MustBalance()
	})

	t.Run("a key refunds once, and ten at once refund what there is", func(t *testing.T) {
		m := openMarket(t, two(0))
		in, key := m.wants(m.vouchers[0], 1), tenanttest.Key()
		first, err := m.Refund.Make(t.Context(), m.Org, m.owner(), key, in)
		require.NoError(t, err)
		again, err := m.Refund.Make(t.Context(), m.Org, m.owner(), key, in)
		require.NoError(t, err)
		require.Equal(t, first, again)
		in.Parts[0].Items = 2
		_, err = m.Refund.Make(t.Context(), m.Org, m.owner(), key, in)
		require.ErrorIs(t, err, idempotency.ErrReused)

		balance := m.Balance(m.ann)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _, _ = m.make(m.wants(m.vouchers[1], 2)) })
		}
		all.Wait()
		require.Equal(t, balance+500_00, m.Balance(m.ann))
		m.MustBalance()
	})

	t.Run("a refund and a use at once: one of them", func(t *testing.T) {
		m := openMarket(t, two(0))
		use, err := m.Voucher.StartUse(t.Context(), m.ann, tenanttest.Key(), voucher.UseInput{Voucher: m.vouchers[0], ServicePoint: m.point, Items: 2})
		require.NoError(t, err)
		m.Scan(m.staff, use, m.point)
		var all sync.WaitGroup
		all.Go(func() { _, _ = m.make(m.wants(m.vouchers[0], 2)) })
		all.Go(func() {
			_, _ = m.Voucher.Confirm(context.Background(), m.staff, tenanttest.Key(), voucher.ConfirmInput{Session: use.ID, ServicePoint: m.point})
		})
		all.Wait()
		require.Equal(t, voucher.Used, m.stateOf(m.vouchers[0]))
		require.Zero(t, m.Count(`SELECT count(*) FROM refund`))
		m.MustBalance()
	})

	t.Run("a payment that is charged back after a refund takes what came to the wallet first", func(t *testing.T) {
		m := openMarket(t, two(0))
		order := m.direct(t, m.bob, m.Package(two(0)))
		var v uuid.UUID
		m.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1 ORDER BY id LIMIT 1`, order).Scan(&v)
		})
		m.refund(t, v, 2)
		require.EqualValues(t, 500_00, m.Balance(m.bob))
		m.gatewaySays(t, order, disputed(payment.DisputeOpen))
		require.Zero(t, m.Balance(m.bob))
		is := m.state(m.bob)
		require.Equal(t, [2]money.Amount{0, 500_00}, [2]money.Amount{is.debt, is.owed})
		require.Equal(t, map[string]int{"refunded": 1, "frozen": 1}, is.vouchers)
		m.gatewaySays(t, order, disputed(payment.DisputeLost))
		require.Equal(t, map[string]int{"refunded": 1, "void": 1}, m.state(m.bob).vouchers)
		require.Zero(t, m.state(m.bob).owed)
	})

	t.Run("a debtor's refund pays what he owes first", func(t *testing.T) {
		m := openMarket(t, two(0))
		order := m.direct(t, m.bob, m.Package(tenanttest.Package{Price: 300_00}))
		kept := m.direct(t, m.bob, m.Package(two(0)))
		var spent, left uuid.UUID
		m.In(func(ctx context.Context, tx db.Tx) error {
			if err := tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1`, order).Scan(&spent); err != nil {
				return err
			}
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1 ORDER BY id LIMIT 1`, kept).Scan(&left)
		})
		require.NoError(t, m.use(t, m.bob, spent, 1))
		m.gatewaySays(t, order, disputed(payment.DisputeOpen))
		require.EqualValues(t, 300_00, m.state(m.bob).debt)
		m.refund(t, left, 2)
		require.Zero(t, m.state(m.bob).debt)
		require.EqualValues(t, 200_00, m.Balance(m.bob))
	})
}
