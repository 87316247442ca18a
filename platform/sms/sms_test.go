package sms

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"welovevoucher/platform/config"
	"welovevoucher/platform/log"
)

func TestSend(t *testing.T) {
	status, got, header := http.StatusAccepted, map[string]string{}, http.Header{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			status = http.StatusBadRequest
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	g := New(config.SMS{URL: server.URL, Token: "hush"})
	key := uuid.New()

	t.Run("a text is sent, and the number in its log is masked", func(t *testing.T) {
		core, logs := observer.New(zap.DebugLevel)
		ctx := log.Into(t.Context(), zap.New(core))
		require.NoError(t, g.Send(ctx, key, "0812345678", "รหัส 123456"))
		require.Equal(t, map[string]string{"to": "+66812345678", "text": "รหัส 123456"}, got)
		require.Equal(t, []string{"Bearer hush", key.String()}, []string{header.Get("Authorization"), header.Get("Idempotency-Key")})
		require.Equal(t, 1, logs.Len())
		require.Equal(t, map[string]any{"to": "08x-xxx-5678", "key": key.String()}, logs.All()[0].ContextMap())
	})
	t.Run("an answer of the gateway becomes a fault without the number", func(t *testing.T) {
		for code, want := range map[int]error{400: ErrRefused, 401: ErrRefused, 302: ErrRefused, 429: ErrUnavailable, 500: ErrUnavailable} {
			status = code
			err := g.Send(t.Context(), key, "0812345678", "x")
			require.ErrorIs(t, err, want)
			require.NotContains(t, err.Error(), "0812345678")
		}
		require.ErrorIs(t, New(config.SMS{}).Send(t.Context(), key, "0812345678", "x"), ErrUnavailable)
		require.ErrorIs(t, New(config.SMS{URL: "http://127.0.0.1:1/?key=hush"}).Send(t.Context(), key, "0812345678", "x"), ErrUnavailable)
	})
	t.Run("a number that is no Thai mobile number is refused", func(t *testing.T) {
		for _, bad := range []string{"", "021234567", "0712345678", "081234567", "08123456789", "+660812345678", "+65812345678", "08๑2345678"} {
			require.ErrorIs(t, g.Send(t.Context(), key, bad, "x"), ErrNumber, bad)
			require.Equal(t, "?", Mask(bad))
		}
	})
	t.Run("a number is the same however it is written", func(t *testing.T) {
		for _, written := range []string{"0812345678", "081-234-5678", "(081) 234 5678", "+66812345678", "+66 81 234 5678"} {
			number, err := Normalise(written)
			require.NoError(t, err, written)
			require.Equal(t, "+66812345678", number)
			require.Equal(t, "08x-xxx-5678", Mask(written))
		}
	})
}
