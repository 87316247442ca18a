package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
)

// TestOutcomeUnknown: a call whose COMMIT got no answer says that nobody knows what became of it, also where it was refused besides.
func TestOutcomeUnknown(t *testing.T) {
	limit := ratelimit.Limit{Name: "buy", Max: 9}
	app, _ := newApp()
	api := New(app, Rights{"/api/test/buy": {Limit: limit}}, nil, nil, func(context.Context, ...ratelimit.Counter) error { return nil })
	var err error
	PostKeyed(api, "/api/test/buy", "Buy", func(context.Context, token.Session, string, Empty) (Empty, error) { return Empty{}, err })

	for _, err = range []error{
		fmt.Errorf("buy: %w", fmt.Errorf("%w: unexpected EOF", db.ErrUnknownOutcome)),
		fmt.Errorf("%w: %w", fault.Missing, db.ErrUnknownOutcome),
	} {
		req := httptest.NewRequest(http.MethodPost, "/api/test/buy", strings.NewReader("{}"))
		req.Host = "example.com"
		req.Header.Set("Idempotency-Key", "12345678")
		req.Header.Set("Content-Type", "application/json")
		res, failed := app.Test(req)
		require.NoError(t, failed)
		var answer ErrorEnvelope
		require.NoError(t, json.NewDecoder(res.Body).Decode(&answer))
		require.NoError(t, res.Body.Close())

		require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
		require.Equal(t, fault.OutcomeUnknown.Code, answer.Fault)
	}
}
