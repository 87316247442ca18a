package charge_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// TestSaveMethods: customers have the ways to pay that the organisation offers, in its order; what was begun by another one is paid all the same.
func TestSaveMethods(t *testing.T) {
	w := tenanttest.New(t)
	system, ann := w.AddPaymentSystem(), w.Customer(0)
	by := auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}
	read := func() (at time.Time) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT updated_at FROM payment_system WHERE id = $1`, system).Scan(&at)
		})
		return at
	}
	save := func(methods ...string) error {
		return w.Charge.SaveMethods(context.Background(), w.Org, by, charge.MethodsInput{ID: system, Methods: methods, UpdatedAt: read()})
	}
	offered := func() (methods []string) {
		list, err := w.Charge.Options(t.Context(), ann)
		require.NoError(t, err)
		for _, o := range list {
			methods = append(methods, o.Method)
		}
		return methods
	}
	begin := func(method string) (charge.Charge, error) {
		in := wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: method}}
		if method == "card" {
			in.CardToken = "tokn_1"
		}
		return w.Wallet.StartTopUp(context.Background(), ann, tenanttest.Key(), "", in)
	}

	require.NoError(t, save("card", "promptpay"))
	require.Equal(t, []string{"card", "promptpay"}, offered())
	begun, err := begin("promptpay")
	require.NoError(t, err)

	require.NoError(t, save("card"))
	require.Equal(t, []string{"card"}, offered())
	_, err = begin("promptpay")
	require.ErrorIs(t, err, charge.ErrNoMethod)
	w.PayAtGateway(begun.ID)
	require.EqualValues(t, 100_00, w.Balance(ann), "what was begun is paid")

	require.Equal(t, fault.At("methods", fault.NotInList), save("card", "card"))
	require.Equal(t, resource.ErrChangedMeanwhile, w.Charge.SaveMethods(t.Context(), w.Org, by, charge.MethodsInput{ID: system, Methods: []string{"promptpay"}, UpdatedAt: read().Add(-time.Second)}))
	require.Equal(t, fault.Missing, w.Charge.SaveMethods(t.Context(), w.Org, by, charge.MethodsInput{ID: db.NewID(), Methods: []string{"card"}}))
	w.Force(`UPDATE payment_system SET status = 2`)
	require.Equal(t, charge.ErrNotUsed, save("promptpay"))
	require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'methods'`))
	w.MustBalance()
}
