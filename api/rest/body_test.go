package rest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
)

type cartLine struct {
	Quantity int `json:"quantity" minimum:"1" maximum:"99"`
}

type cart struct {
	Name  string         `json:"name,omitempty" maxLength:"10"`
	Lines []cartLine     `json:"lines,omitempty" maxItems:"3"`
	More  map[string]any `json:"more,omitempty"`
}

// TestBody: what passed the schema is what the use case gets.
func TestBody(t *testing.T) {
	var got *cart
	app, _ := newApp()
	api := New(app, Rights{"/api/test/cart": {}}, nil, nil, func(context.Context, ...ratelimit.Counter) error { return nil })
	Post(api, "/api/test/cart", "A cart", func(_ context.Context, _ token.Session, in cart) (Empty, error) {
		got = &in
		return Empty{}, nil
	})
	send := func(body string) (int, ErrorEnvelope) {
		req := httptest.NewRequest(http.MethodPost, "/api/test/cart", strings.NewReader(body))
		req.Host = "example.com"
		req.Header.Set("Content-Type", "application/json")
		res, err := app.Test(req)
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Less(t, len(text), 64<<10, "an answer does not grow with the body")
		var r ErrorEnvelope
		require.NoError(t, json.Unmarshal(text, &r))
		return res.StatusCode, r
	}

	status, _ := send(`{"name":"a","lines":[{"quantity":1}],"more":{"Name":1,"name":2}}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, &cart{Name: "a", Lines: []cartLine{{1}}, More: map[string]any{"Name": 1.0, "name": 2.0}}, got)

	const size = 1 << 19
	for body, want := range map[string]*fault.Fault{
		`{"lines":[{"quantity":1,"Quantity":4611686018427387904}]}`: fault.BadInput,
		`{"lines":[{"Quantity":1}]}`:                                fault.BadInput,
		`{"name":"a","Name":"` + strings.Repeat("x", size) + `"}`:   fault.BadInput,
		`{"NAME":"a"}`: fault.BadInput,
		`{"lines":[{"quantity":1,"quantity":2}]}`:                    fault.RepeatedKey,
		`{"lines":[{"quantity":1}],"lines":[{}]}`:                    fault.RepeatedKey,
		`{"more":{"a":[{"b":{"c":1,"c":1}}]}}`:                       fault.RepeatedKey,
		`{"name":"a","n\u0061me":"b"}`:                               fault.RepeatedKey,
		`{"` + strings.Repeat("x", size) + `":1}`:                    fault.BadInput,
		`{"lines":[` + strings.Repeat(`{},`, 2000) + `{}]}`:          fault.BadInput,
		`{"lines":[` + strings.Repeat(`{},`, size/3) + `{}]}`:        fault.TooComplex,
		`{"more":{"a":` + strings.Repeat(`[`, 100_000):               fault.TooComplex,
		`{"more":` + strings.Repeat(`{"a":`, 100_000):                fault.TooComplex,
		`{"lines":[{"quantity":` + strings.Repeat("9", size) + `}]}`: fault.BadInput,
		`{"lines":[{"quantity":1e5000}]}`:                            fault.BadInput,
	} {
		got = nil
		status, refused := send(body)
		require.Equal(t, http.StatusUnprocessableEntity, status, "%.100s", body)
		require.Equal(t, want.Code, refused.Fault, "%.100s", body)
		require.Nil(t, got, "%.100s", body)
	}
}
