package omise

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "welovevoucher/platform/payment"
)

func TestVerifyKeys(t *testing.T) {
	w := newWorld(t, Options{})
	w.control("endpoints", Account{PublicKey: "pkey_test_2", SecretKey: "skey_test_2"}, http.StatusOK)
	for name, test := range map[string]struct {
		keys client.Keys
		want error
	}{
		"one account's":          {client.Keys{Public: "pkey_test_1", Secret: "skey_test_1"}, nil},
		"an unknown account's":   {client.Keys{Public: "pkey_test_3", Secret: "skey_test_3"}, client.ErrKeys},
		"another's public key":   {client.Keys{Public: "pkey_test_2", Secret: "skey_test_1"}, client.ErrPair},
		"an unknown public key":  {client.Keys{Public: "pkey_test_3", Secret: "skey_test_1"}, client.ErrPair},
		"one for tests":          {client.Keys{Public: "pkey_1", Secret: "skey_test_1"}, client.ErrPair},
		"the two the wrong way":  {client.Keys{Public: "skey_test_1", Secret: "pkey_test_1"}, client.ErrKeys},
		"not what keys are like": {client.Keys{Public: "1", Secret: "2"}, client.ErrKeys},
	} {
		err := client.NewOmise(w.url, test.keys).VerifyKeys(t.Context())
		require.ErrorIs(t, err, test.want, name)
	}
	require.ErrorIs(t, client.NewOmise("http://127.0.0.1:1", client.Keys{Public: "pkey_test_1", Secret: "skey_test_1"}).VerifyKeys(t.Context()), client.ErrUnavailable)
}

func TestWebhookOfACharge(t *testing.T) {
	w := newWorld(t, Options{})
	there := make(chan string, 10)
	named := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { there <- r.URL.Path }))
	t.Cleanup(named.Close)

	order := w.order(200_00)
	order.Webhook = named.URL + "/api/hook/unguessable"
	made, err := w.gateway.CreateQR(t.Context(), order)
	require.NoError(t, err)
	require.Equal(t, "/api/hook/unguessable", <-there)
	w.control("charges/"+made.ID+"/pay", map[string]any{}, http.StatusOK)
	require.Equal(t, "/api/hook/unguessable", <-there)
	require.Empty(t, w.hooks, "the account's own address receives nothing")

	order = w.order(200_00)
	order.Webhook = "not an address"
	_, err = w.gateway.CreateQR(t.Context(), order)
	require.ErrorIs(t, err, client.ErrRefused)
}

func TestFindLooksAmongTheChargesOfItsTime(t *testing.T) {
	w := newWorld(t, Options{})
	order := w.order(200_00)
	made, err := w.gateway.CreateQR(t.Context(), order)
	require.NoError(t, err)
	found, err := w.gateway.Find(t.Context(), order)
	require.NoError(t, err)
	require.Equal(t, made.ID, found.ID)

	order.Created, order.Expires = order.Created.Add(-3*time.Hour), order.Expires.Add(-3*time.Hour)
	_, err = w.gateway.Find(t.Context(), order)
	require.ErrorIs(t, err, client.ErrUnknownCharge, "an account of many organisations is not read to its end")
}
