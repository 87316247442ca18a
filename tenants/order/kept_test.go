package order_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// ownerFixture changes the catalogue as the owner does.
type ownerFixture struct{ *tenanttest.World }

// change saves the only voucher type with other terms.
func (w ownerFixture) change(t *testing.T, fn func(*catalog.VoucherType)) {
	t.Helper()
	w.In(func(ctx context.Context, tx db.Tx) error {
		page, err := catalog.VoucherTypes.List(ctx, tx, resource.Query{})
		require.Len(t, page.Data, 1)
		if err != nil {
			return err
		}
		kind, err := catalog.VoucherTypes.Detail(ctx, tx, page.Data[0].Value.ID)
		if err != nil {
			return err
		}
		kind.TransferTimes = 1
		fn(&kind)
		_, err = catalog.VoucherTypes.Save(ctx, tx, auditlog.Actor{Kind: token.Owner, ID: db.NewID()}, kind)
		return err
	})
}

func (w ownerFixture) status(point uuid.UUID, status int16) {
	w.In(func(ctx context.Context, tx db.Tx) error {
		return servicepoint.ServicePoints.SetStatus(ctx, tx, auditlog.Actor{Kind: token.Owner, ID: db.NewID()}, []uuid.UUID{point}, status)
	})
}

// use asks to use one item and says no again.
func (w ownerFixture) use(t *testing.T, who token.Session, v, point uuid.UUID) error {
	t.Helper()
	use, err := w.Voucher.StartUse(t.Context(), who, tenanttest.Key(), voucher.UseInput{Voucher: v, ServicePoint: point, Items: 1})
	if err != nil {
		return err
	}
	_, err = w.Voucher.CancelUse(t.Context(), who, use.ID)
	require.NoError(t, err)
	return nil
}

func TestVersionsAsSold(t *testing.T) {
	t.Run("a narrowed voucher type leaves sold vouchers and unpaid orders as they were", func(t *testing.T) {
		w := ownerFixture{tenanttest.New(t)}
		w.AddPaymentSystem()
		here, there := w.ServicePoint(), w.ServicePoint()
		pkg, ann := w.Package(tenanttest.Package{Price: 100_00}), w.Customer(1000_00)
		w.change(t, func(v *catalog.VoucherType) {
			v.ConditionsTH, v.ConditionsEN = "ใช้ได้ทุกวัน", "any day"
		})
		sold := w.MustBuy(ann, pkg)
		waits, err := w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", byQR(w.Quote(ann, pkg, 1)))
		require.NoError(t, err)
		quoted := w.Quote(ann, pkg, 1)

		w.change(t, func(v *catalog.VoucherType) {
			v.ConditionsTH, v.ConditionsEN, v.ServicePoints = "เฉพาะวันจันทร์", "Mondays only", []uuid.UUID{here}
			v.ExpiryRule = "wallet"
		})
		w.PayAtGateway(waits.ID)
		waits, err = w.Order.Order(t.Context(), ann, waits.ID)
		require.NoError(t, err)

		for _, id := range []uuid.UUID{sold.ID, waits.Vouchers[0].ID} {
			d, err := w.Voucher.Detail(t.Context(), ann, id)
			require.NoError(t, err)
			require.Equal(t, []string{"ใช้ได้ทุกวัน", "any day"}, []string{d.ConditionsTH, d.ConditionsEN})
			require.Equal(t, "breakage", d.ExpiryRule)
			require.Len(t, d.Where, 2)
			require.Equal(t, 2, d.ServicePoints)
			require.NoError(t, w.use(t, ann, id, there))
		}
		_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), quoted)
		require.ErrorIs(t, err, order.ErrQuoteChanged, "the quote has the old conditions")

		narrow := w.MustBuy(ann, pkg)
		require.ErrorIs(t, w.use(t, ann, narrow.ID, there), voucher.ErrOtherServicePoint)
		d, err := w.Voucher.Detail(t.Context(), ann, narrow.ID)
		require.NoError(t, err)
		require.Equal(t, []any{"Mondays only", 1, 1}, []any{d.ConditionsEN, len(d.Where), d.ServicePoints})
		require.Equal(t, "wallet", d.ExpiryRule)
		w.change(t, func(v *catalog.VoucherType) { v.ServicePoints = nil })
		require.ErrorIs(t, w.use(t, ann, narrow.ID, there), voucher.ErrOtherServicePoint, "a wider type does not widen it")
		w.MustBalance()
	})

	t.Run("a closed service point is refused as closed, one that never honoured it as another", func(t *testing.T) {
		w := ownerFixture{tenanttest.New(t)}
		here, there, other := w.ServicePoint(), w.ServicePoint(), w.ServicePoint()
		ann := w.Customer(100_00)
		v := w.MustBuy(ann, w.Package(tenanttest.Package{Price: 100_00, Only: []uuid.UUID{here, there}}))

		w.status(here, resource.Inactive)
		require.ErrorIs(t, w.use(t, ann, v.ID, here), voucher.ErrServicePointClosed)
		w.status(here, resource.Deleted)
		require.ErrorIs(t, w.use(t, ann, v.ID, here), voucher.ErrServicePointGone)
		w.status(other, resource.Deleted)
		require.ErrorIs(t, w.use(t, ann, v.ID, other), voucher.ErrOtherServicePoint)
		require.ErrorIs(t, w.use(t, ann, v.ID, uuid.New()), voucher.ErrOtherServicePoint)
		require.NoError(t, w.use(t, ann, v.ID, there))
	})

	t.Run("a voucher type saved with the same usage rules makes no version", func(t *testing.T) {
		w := ownerFixture{tenanttest.New(t)}
		here, there := w.ServicePoint(), w.ServicePoint()
		w.Package(tenanttest.Package{Only: []uuid.UUID{here, there}})
		versions := func() int64 { return w.Count(`SELECT count(*) FROM template_version`) }
		w.change(t, func(v *catalog.VoucherType) { v.NameEN, v.ServicePoints = "New name", []uuid.UUID{there, here, there} })
		require.EqualValues(t, 1, versions())
		w.change(t, func(v *catalog.VoucherType) { v.ServicePoints = []uuid.UUID{there} })
		require.EqualValues(t, 2, versions())
		require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM template_version WHERE current`))
	})
}

// TestRefundTermsKept: an order keeps what its package said of refunds when it was made, also one that is paid later. Of goods that the law protects
// what is left at expiry is their holder's, whatever the voucher type says.
func TestRefundTermsKept(t *testing.T) {
	w := newFixture(t, tenanttest.Package{Price: 1000_00, Class: "beauty", Refunds: catalog.RefundTerms{Rule: "self", Days: 14}})
	rich := w.Customer(1000_00)
	q, err := w.Order.Quote(t.Context(), rich, order.QuoteInput{Lines: []order.Line{{Package: w.pkg, Quantity: 1}}})
	require.NoError(t, err)
	require.Equal(t, catalog.RefundTerms{Rule: "self", Days: 14}, q.Lines[0].RefundTerms)
	require.Equal(t, clock.Day(w.Clock.Now()).AddDate(0, 0, 14).Format(time.DateOnly), q.Lines[0].RefundUntil)
	require.Equal(t, []string{"wallet"}, q.Lines[0].ExpiryRules)
	product, err := catalog.New(w.DB).Product(t.Context(), w.Org, w.pkg)
	require.NoError(t, err)
	require.Equal(t, []any{q.Lines[0].RefundTerms, q.Lines[0].RefundUntil, "wallet"}, []any{product.RefundTerms, product.RefundUntil, product.Items[0].ExpiryRule})

	w.MustBuy(rich, w.pkg)
	waiting := w.order(t, w.ann, 1)
	w.In(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE package SET class = 'ordinary', refund_rule = 'none', refund_days = 1, refund_fee_basis_points = 500, updated_at = $1`, tx.Now)
		return errors.Join(err, catalog.BumpRevision(ctx, tx))
	})
	w.PayAtGateway(waiting.ID)
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM order_line WHERE (refund_rule, refund_days, refund_fee_basis_points) = ('self', 14, 0)`))
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM voucher WHERE expiry_rule = 'wallet'`))
	w.MustBalance()
}
