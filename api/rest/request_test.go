package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
)

func TestBrowserCookie(t *testing.T) {
	for header, want := range map[string]string{"https": "__Host-browser", "http": "browser"} {
		var got string
		app := fiber.New(fiber.Config{TrustProxy: true, TrustProxyConfig: fiber.TrustProxyConfig{Proxies: []string{"0.0.0.0"}}})
		app.Get("/", func(c fiber.Ctx) error {
			got = BrowserCookie(c)
			return nil
		})
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("X-Forwarded-Proto", header)

		_, err := app.Test(req)

		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestAddress(t *testing.T) {
	const direct = "0.0.0.0" // of every request that a test of Fiber makes
	for proxy, want := range map[string]string{direct: "198.51.100.7", "192.0.2.99": direct} {
		proxies := []string{proxy, "203.0.113.0/24"}
		var got string
		app := fiber.New(fiber.Config{TrustProxy: true, TrustProxyConfig: fiber.TrustProxyConfig{Proxies: proxies}})
		app.Get("/", func(c fiber.Ctx) error {
			got = Address(c, proxies)
			return nil
		})
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("X-Forwarded-For", "192.0.2.1, 198.51.100.7, 203.0.113.5") // the client's own words come first

		_, err := app.Test(req)

		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// TestAddressSpentByOne: a caller that has spent an address's calls of one operation has spent none of another.
func TestAddressSpentByOne(t *testing.T) {
	app, _ := newApp()
	counts := map[string]int{}
	api := New(app, Rights{"/api/test/token": {}, "/api/test/in": {Limit: ratelimit.PerAddress}}, nil, nil, func(_ context.Context, uses ...ratelimit.Counter) error {
		for _, u := range uses {
			if counts[u.Name+" "+u.Subject]++; counts[u.Name+" "+u.Subject] > u.Max {
				return fault.RateLimited
			}
		}
		return nil
	})
	nothing := func(context.Context, token.Session, Empty) (Empty, error) { return Empty{}, nil }
	Post(api, "/api/test/token", "Ask of a token", nothing)
	Post(api, "/api/test/in", "Sign in", nothing)
	call := func(path string) int {
		req := httptest.NewRequest(http.MethodPost, path, nil)
		req.Host = "example.com"
		res, err := app.Test(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}

	for _, path := range []string{"/api/test/token", "/api/test/in"} {
		for range ratelimit.PerAddress.Max {
			require.Equal(t, http.StatusOK, call(path), path)
		}
		require.Equal(t, http.StatusTooManyRequests, call(path), path)
	}
}

func TestLetters(t *testing.T) {
	owner := []token.Audience{token.Owner}
	api := New(fiber.New(), Rights{
		"/api/test/see":   {Audiences: owner, Module: "tags", Letter: "v"},
		"/api/test/save":  {Audiences: owner, Module: "tags", Letter: "ui"},
		"/api/test/admin": {Audiences: []token.Audience{token.Admin}, Module: "organize", Letter: "v"},
		"/api/test/own":   {Audiences: owner},
	}, nil, nil, nil)
	nothing := func(context.Context, token.Session, Empty) (Empty, error) { return Empty{}, nil }
	for path := range api.rights {
		Post(api, path, "Nothing", nothing)
	}
	require.Equal(t, map[string]string{"tags": "viu"}, api.Letters(access.OwnerLetters, token.Owner, token.Staff))
}
