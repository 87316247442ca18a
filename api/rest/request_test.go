package rest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"
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
			got = address(c, proxies)
			return nil
		})
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("X-Forwarded-For", "192.0.2.1, 198.51.100.7, 203.0.113.5") // the client's own words come first

		_, err := app.Test(req)

		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
