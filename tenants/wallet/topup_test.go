package wallet_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/pay"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/wallet"
)

// deaf is a gateway that charges a card and is never heard of again, until it is asked.
type deaf struct{ made *pay.Charge }

func (d *deaf) CreateCard(_ context.Context, o pay.Order, _, _ string) (pay.Charge, error) {
	d.made = &pay.Charge{ID: "chrg_" + o.ID.String(), State: pay.Paid, Amount: o.Amount, Currency: "THB", Order: o.ID, Organisation: o.Organisation}
	return pay.Charge{}, pay.ErrUnavailable
}

func (d *deaf) Find(_ context.Context, o pay.Order) (pay.Charge, error) {
	if d.made == nil || d.made.Order != o.ID {
		return pay.Charge{}, pay.ErrUnknownCharge
	}
	return *d.made, nil
}

func (d *deaf) CreateQR(context.Context, pay.Order) (pay.Charge, error) {
	return pay.Charge{}, pay.ErrUnavailable
}
func (d *deaf) Fetch(context.Context, string) (pay.Charge, error) { return *d.made, nil }
func (d *deaf) Refund(context.Context, pay.RefundOrder) (pay.Refund, error) {
	return pay.Refund{}, pay.ErrRefused
}

func (d *deaf) VerifyWebhook(http.Header, []byte) (pay.Event, error) {
	return pay.Event{}, pay.ErrSignature
}

func TestUnansweredTopUp(t *testing.T) {
	b := newBook(t)
	box, err := secret.New(make([]byte, 32))
	require.NoError(t, err)
	system := db.NewID()
	seal := func(column string) []byte {
		sealed, err := box.Seal(wallet.SecretPlace(b.org, column, system), []byte("key"))
		require.NoError(t, err)
		return sealed
	}
	require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO payment_system (id, kind, name_th, name_en, secret_key, webhook_secret, methods, endpoint_id, status, created_at, updated_at)
			VALUES ($1, 'omise', 'ก', 'a', $2, $3, '{card,promptpay}', $4, 5, now(), now())`, system, seal("secret_key"), seal("webhook_secret"), system.String())
		return err
	}))
	gateway := &deaf{}
	service := wallet.New(b.server.DB, box, func(wallet.Keys) (pay.Gateway, error) { return gateway, nil }, "")
	ann := b.customer(t)
	start := func(method string) uuid.UUID {
		_, err := service.StartTopUp(t.Context(), b.session(ann), uuid.NewString(), "",
			wallet.TopUpInput{Amount: 100_00, Method: method, CardToken: "tokn_1"})
		require.ErrorIs(t, err, pay.ErrUnavailable)
		var id uuid.UUID
		require.NoError(t, b.server.DB.InOrg(t.Context(), b.org, func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT id FROM topup ORDER BY id DESC LIMIT 1`).Scan(&id)
		}))
		return id
	}

	paid := start("card")
	for range 2 {
		require.NoError(t, service.Check(t.Context(), b.org, paid))
	}
	require.Equal(t, money.Amount(100_00), b.balance(t, ann), "the card was charged, so the money is here")

	never := start("promptpay")
	require.NoError(t, service.Check(t.Context(), b.org, never))
	found, err := service.TopUp(t.Context(), b.session(ann), never)
	require.NoError(t, err)
	require.Equal(t, "created", found.State, "it may still be on its way")
	require.Equal(t, money.Amount(100_00), b.balance(t, ann))
	b.mustBalance(t)
}
