package refund_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// sponsored is a package of which the platform pays so much. It costs so little that the platform's fee rounds to nothing.
func (s *shop) sponsored(p tenanttest.Package, paid int64) uuid.UUID {
	pkg := s.Package(p)
	s.Discount(tenanttest.Discount{Value: paid, Payer: "platform", Only: []uuid.UUID{pkg}})
	return pkg
}

// buysAll buys one of each package from the wallet, and returns the vouchers by the packages' places.
func (s *shop) buysAll(t *testing.T, who token.Session, packages ...uuid.UUID) (o order.Order, vouchers [][]uuid.UUID) {
	t.Helper()
	var lines []order.Line
	for _, pkg := range packages {
		lines = append(lines, order.Line{Package: pkg, Quantity: 1})
	}
	q, err := s.Order.Quote(t.Context(), who, order.QuoteInput{Lines: lines})
	require.NoError(t, err)
	o, err = s.Order.Buy(t.Context(), who, tenanttest.Key(), order.BuyInput{Lines: lines, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)
	for place := range packages {
		s.In(func(ctx context.Context, tx db.Tx) error {
			var of []uuid.UUID
			defer func() { vouchers = append(vouchers, of) }()
			return tx.QueryRow(ctx, `SELECT array_agg(id ORDER BY id) FROM voucher WHERE order_id = $1 AND line_position = $2`, o.ID, place).Scan(&of)
		})
	}
	return o, vouchers
}

// accounts are the balances of the organisation's accounts.
func (s *shop) accounts(kinds ...ledger.Kind) (sums []money.Amount) {
	for _, kind := range kinds {
		sums = append(sums, s.SystemBalance(kind))
	}
	return sums
}

// TestVoidOfPlatform: what only the platform paid for goes back to it when the organisation ends it.
func TestVoidOfPlatform(t *testing.T) {
	s := open(t)
	ann := s.Customer(10_00)
	_, v := s.buysAll(t, ann, s.sponsored(tenanttest.Package{Price: 10, Items: 3}, 10))
	require.NoError(t, s.use(t, ann, v[0][0], 1))
	require.Equal(t, []money.Amount{7, 3, -10}, s.accounts(ledger.Unearned, ledger.Payable, ledger.PlatformFee))

	q := s.mustVoid(t, v[0][0])
	require.Equal(t, refund.VoidQuote{Holder: ann.Subject, HolderName: q.HolderName}, q)
	require.Equal(t, []money.Amount{0, 3, -3}, s.accounts(ledger.Unearned, ledger.Payable, ledger.PlatformFee))
	require.EqualValues(t, 10_00, s.Balance(ann))
	require.Zero(t, s.Count(`SELECT count(*) FROM refund`))
	s.ReportsAgree(t)
}

// TestPlatformIsNoExtra: what only the platform paid for does not come along for nothing.
func TestPlatformIsNoExtra(t *testing.T) {
	t.Run("it stays when nothing that its payer paid for is kept, and what is worth nothing goes along", func(t *testing.T) {
		s := open(t)
		m := &market{shop: s}
		ann := s.Customer(300_00)
		_, v := s.buysAll(t, ann, s.Package(tenanttest.Package{Price: 300_00, Extras: 1}), s.sponsored(tenanttest.Package{Price: 10, Items: 2}, 10))
		m.refund(t, v[0][0], 1)
		require.Equal(t, []voucher.State{voucher.Refunded, voucher.Refunded, voucher.Ready}, []voucher.State{s.stateOf(v[0][0]), s.stateOf(v[0][1]), s.stateOf(v[1][0])})
		require.Equal(t, []money.Amount{10, -10}, s.accounts(ledger.Unearned, ledger.PlatformFee))
		require.NoError(t, s.use(t, ann, v[1][0], 1))
		s.mustVoid(t, v[1][0])
		require.Equal(t, []money.Amount{0, 5, -5}, s.accounts(ledger.Unearned, ledger.Payable, ledger.PlatformFee))
		s.ReportsAgree(t)
	})

	t.Run("it is not frozen for a payment, and stays when that is lost", func(t *testing.T) {
		s := open(t)
		ann := s.Customer(0)
		charge := s.topUp(t, ann, 300_00)
		_, v := s.buysAll(t, ann, s.Package(tenanttest.Package{Price: 300_00, Extras: 1}), s.sponsored(tenanttest.Package{Price: 10, Items: 2}, 10))
		states := func() []voucher.State {
			return []voucher.State{s.stateOf(v[0][0]), s.stateOf(v[0][1]), s.stateOf(v[1][0])}
		}
		s.gatewaySays(t, charge, disputed(payment.DisputeOpen))
		require.Equal(t, []voucher.State{voucher.Frozen, voucher.Frozen, voucher.Ready}, states())
		s.gatewaySays(t, charge, disputed(payment.DisputeLost))
		require.Equal(t, []voucher.State{voucher.Void, voucher.Void, voucher.Ready}, states())
		require.NoError(t, s.use(t, ann, v[1][0], 2))
		require.Equal(t, []money.Amount{0, 10, -10}, s.accounts(ledger.Unearned, ledger.Payable, ledger.PlatformFee))
		s.MustBalance()
	})

	t.Run("the rest of a frozen voucher is free when only the platform paid for it", func(t *testing.T) {
		s := open(t)
		ann := s.Customer(0)
		charge := s.topUp(t, ann, 100_00)
		_, v := s.buysAll(t, ann, s.sponsored(tenanttest.Package{Price: 7, Items: 4}, 4)) // paid of each item: 0.01, 0, 0.01, 0.01
		require.NoError(t, s.use(t, ann, v[0][0], 1))
		s.gatewaySays(t, charge, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 99_99 })
		require.Equal(t, voucher.Frozen, s.stateOf(v[0][0]))
		s.gatewaySays(t, charge, sentBack(1))
		require.Equal(t, voucher.Ready, s.stateOf(v[0][0]))
		require.NoError(t, s.use(t, ann, v[0][0], 1))
		s.MustBalance()
	})
}

// TestSentBackOfPlatform: of a voucher of which the platform paid a part, as many items are taken back as the money that was sent back paid for.
func TestSentBackOfPlatform(t *testing.T) {
	s := open(t)
	ann := s.Customer(0)
	charge := s.topUp(t, ann, 100_00)
	_, v := s.buysAll(t, ann, s.sponsored(tenanttest.Package{Price: 10, Items: 5}, 7)) // paid of each item: 0.01, 0.01, 0, 0.01, 0
	require.EqualValues(t, 99_97, s.Balance(ann))
	s.gatewaySays(t, charge, sentBack(99_98))
	require.Equal(t, []int64{2, 3}, []int64{s.Count(`SELECT items_left FROM voucher WHERE id = $1`, v[0][0]), s.Count(`SELECT items_out FROM voucher WHERE id = $1`, v[0][0])})
	require.Zero(t, s.state(ann).owed)
	require.Equal(t, []money.Amount{4, -2}, s.accounts(ledger.Unearned, ledger.PlatformFee))
}
