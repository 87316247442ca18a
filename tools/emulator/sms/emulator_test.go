package sms

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/config"
	client "welovevoucher/platform/sms"
)

func TestInbox(t *testing.T) {
	server := httptest.NewServer(New().Handler())
	defer server.Close()
	gateway := client.New(config.SMS{URL: server.URL + "/messages", Token: "dev"})

	key := uuid.New()
	for range 2 {
		require.NoError(t, gateway.Send(t.Context(), key, "0812345678", "รหัส 123456"))
	}
	require.NoError(t, gateway.Send(t.Context(), uuid.New(), "0898765432", "รหัส 654321"))
	require.ErrorIs(t, client.New(config.SMS{URL: server.URL + "/messages"}).Send(t.Context(), key, "0812345678", "x"), client.ErrRefused)

	res, err := http.Get(server.URL + "/emulator/messages?to=" + url.QueryEscape("+66812345678"))
	require.NoError(t, err)
	defer res.Body.Close()
	var got []Message
	require.NoError(t, json.NewDecoder(res.Body).Decode(&got))
	require.Len(t, got, 1, "one key, one message")
	require.Equal(t, "รหัส 123456", got[0].Text)
}
