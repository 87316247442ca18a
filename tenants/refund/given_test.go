package refund_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestGiven: money goes back that paid for what was given to somebody else, or is on its way to him.
func TestGiven(t *testing.T) {
	give := func(t *testing.T, s *shop, who token.Session, order uuid.UUID) (id uuid.UUID, g gift.Gift) {
		t.Helper()
		var items int64
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id, items_left FROM voucher WHERE order_id = $1 AND holder_id = $2 ORDER BY id LIMIT 1`, order, who.Subject).Scan(&id, &items)
		})
		g, err := s.Gift.Give(t.Context(), who, tenanttest.Key(), gift.Input{Voucher: id, Items: items, Card: "love"})
		require.NoError(t, err)
		return id, g
	}
	part := func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, 300_00 }

	t.Run("a dispute stops a gift on its way, and what comes along is the giver's again", func(t *testing.T) {
		s := open(t)
		order := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 900_00, Vouchers: 3, Transfers: 1, Together: true}))
		id, g := give(t, s, s.ann, order)
		s.gatewaySays(t, order, part)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen'`))
		require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM voucher WHERE state = 'ready'`))
		_, err := s.Gift.Receive(t.Context(), s.Customer(0), gift.Link{Ref: g.Ref})
		require.ErrorIs(t, err, gift.ErrOver)
		require.Equal(t, gift.OverDetail{State: voucher.Stopped, People: 1}, fault.From(err).Detail)
		s.gatewaySays(t, order, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, voucher.Ready, s.stateOf(id))
	})

	t.Run("a dispute stops an ang-pao in the middle: what is left comes back, and who has one keeps it while the rest covers the debt", func(t *testing.T) {
		s := open(t)
		bob := s.Customer(0)
		order := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 900_00, Vouchers: 3, Transfers: 1}))
		var id uuid.UUID
		s.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1 ORDER BY id LIMIT 1`, order).Scan(&id)
		})
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: id, Items: 1, People: 3, Card: "love"})
		require.NoError(t, err)
		got, err := s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		s.gatewaySays(t, order, part)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen' AND holder_id = $1`, s.ann.Subject))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE state = 'ready' AND holder_id = $1`, s.ann.Subject))
		require.Equal(t, voucher.Ready, s.stateOf(*got.Contents[0].Voucher))
		_, err = s.Gift.Receive(t.Context(), s.Customer(0), gift.Link{Ref: g.Ref})
		require.Equal(t, gift.OverDetail{State: voucher.Stopped, People: 3}, fault.From(err).Detail)
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM message WHERE kind = 'gift_rest_stopped' AND customer_id = $1`, s.ann.Subject))
		s.MustBalance()
	})

	t.Run("a dispute freezes what was given away, after what the payer has; lost, it is void", func(t *testing.T) {
		s := open(t)
		bob := s.Customer(0)
		pair := s.Package(tenanttest.Package{Price: 600_00, Vouchers: 2, Transfers: 1})
		given := func() (order, id uuid.UUID) {
			order = s.direct(t, s.ann, pair)
			id, g := give(t, s, s.ann, order)
			_, err := s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
			require.NoError(t, err)
			return order, id
		}
		order, id := given()
		s.gatewaySays(t, order, part)
		require.Equal(t, voucher.Ready, s.stateOf(id), "the payer's own stands for it")
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM voucher WHERE state = 'frozen'`))

		order, id = given()
		s.gatewaySays(t, order, disputed(payment.DisputeOpen))
		require.Equal(t, voucher.Frozen, s.stateOf(id))
		_, err := s.Voucher.StartUse(t.Context(), bob, tenanttest.Key(), voucher.UseInput{Voucher: id, ServicePoint: s.point, Items: 1})
		require.ErrorIs(t, err, voucher.ErrFrozen)
		s.gatewaySays(t, order, disputed(payment.DisputeLost))
		require.Equal(t, voucher.Void, s.stateOf(id))
		require.Zero(t, s.Balance(bob))
	})

	t.Run("what is taken back beyond what is owed is its holder's, and pays his debt", func(t *testing.T) {
		s := open(t)
		bob := s.Customer(0)
		card := s.Package(tenanttest.Package{Price: 1000_00, GiftValue: 3})
		order := s.direct(t, s.ann, card)
		id, g := give(t, s, s.ann, order)
		_, err := s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)

		owed := s.topUp(t, bob, 300_00)
		three := s.Package(tenanttest.Package{Price: 300_00})
		spent, err := s.Order.Buy(t.Context(), bob, tenanttest.Key(), s.Quote(bob, three, 1))
		require.NoError(t, err)
		require.NoError(t, s.use(t, bob, spent.Vouchers[0].ID, 1))
		s.gatewaySays(t, owed, disputed(payment.DisputeLost))
		require.EqualValues(t, 300_00, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, bob.Subject))

		s.gatewaySays(t, order, sentBack(400_00)) // of satang worth 333.33 each, two are taken
		require.Equal(t, voucher.Ready, s.stateOf(id))
		require.Positive(t, s.Balance(bob))
		require.Zero(t, s.Balance(s.ann))
		s.In(func(ctx context.Context, tx db.Tx) error { return refund.Settle(ctx, tx, bob.Subject, true) }) // the job
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM outbox WHERE kind = 'refund.settle'`))
		require.Zero(t, s.Balance(bob))
		require.Less(t, s.Count(`SELECT debt_satang FROM customer WHERE id = $1`, bob.Subject), int64(300_00))
		s.MustBalance()
	})

	t.Run("items that were given away are taken back after those that the payer has, and all of them are the order", func(t *testing.T) {
		s := open(t)
		bob := s.Customer(0)
		pkg := s.Package(tenanttest.Package{Price: 900_00, Items: 3, Transfers: 1, Stock: new(10)})
		order := s.direct(t, s.ann, pkg)
		id := voucherOf(s, order)
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: id, Items: 1, Card: "love"})
		require.NoError(t, err)
		got, err := s.Gift.Receive(t.Context(), bob, gift.Link{Ref: g.Ref})
		require.NoError(t, err)
		slice := *got.Contents[0].Voucher

		s.gatewaySays(t, order, part) // a third is held back
		require.Equal(t, voucher.Frozen, s.stateOf(id))
		require.Equal(t, voucher.Ready, s.stateOf(slice))
		s.gatewaySays(t, order, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
		require.Equal(t, voucher.Ready, s.stateOf(id))

		s.gatewaySays(t, order, sentBack(600_00))
		require.Equal(t, voucher.Refunded, s.stateOf(id))
		require.Equal(t, voucher.Ready, s.stateOf(slice))
		require.EqualValues(t, 1, s.Count(`SELECT sold FROM stock WHERE package_id = $1`, pkg))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM orders WHERE id = $1 AND state = 'part_refunded'`, order))
		s.gatewaySays(t, order, sentBack(900_00))
		require.Equal(t, voucher.Refunded, s.stateOf(slice))
		require.Zero(t, s.Count(`SELECT sold FROM stock WHERE package_id = $1`, pkg))
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM orders WHERE id = $1 AND state = 'refunded'`, order))
		s.MustBalance()
	})

	t.Run("a split alone takes nothing back, and a lost dispute voids parent and slice", func(t *testing.T) {
		s := open(t)
		order := s.direct(t, s.ann, s.Package(tenanttest.Package{Price: 900_00, Items: 3, Transfers: 1}))
		g, err := s.Gift.Give(t.Context(), s.ann, tenanttest.Key(), gift.Input{Voucher: voucherOf(s, order), Items: 2, Card: "love"})
		require.NoError(t, err)
		s.In(func(ctx context.Context, tx db.Tx) error { return refund.Settle(ctx, tx, s.ann.Subject, false) })
		require.EqualValues(t, 1, s.Count(`SELECT count(*) FROM orders WHERE id = $1 AND state = 'paid'`, order))
		s.MustBalance()
		s.gatewaySays(t, order, disputed(payment.DisputeLost))
		require.EqualValues(t, 2, s.Count(`SELECT count(*) FROM voucher WHERE state = 'void'`))
		_, err = s.Gift.Receive(t.Context(), s.Customer(0), gift.Link{Ref: g.Ref})
		require.ErrorIs(t, err, gift.ErrOver)
		s.MustBalance()
	})
}

// voucherOf returns the voucher of an order of one.
func voucherOf(s *shop, order uuid.UUID) (id uuid.UUID) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM voucher WHERE order_id = $1`, order).Scan(&id)
	})
	return id
}
