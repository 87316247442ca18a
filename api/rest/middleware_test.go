package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

func newFront() (*fiber.App, *observer.ObservedLogs) {
	core, lines := observer.New(zapcore.DebugLevel)
	around := func(ctx context.Context) context.Context { return ctx }
	return NewApp(Front{Door: &Door{}, Log: zap.New(core), PlatformHost: "example.com", Around: around}), lines
}

func TestLogKeepsNoSecretAddress(t *testing.T) {
	app, lines := newFront()
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error { return c.SendStatus(http.StatusOK) })
	for _, method := range []string{http.MethodPost, http.MethodPut} {
		_, err := app.Test(httptest.NewRequest(method, "/api/hook/canary?token=canary", nil))
		require.NoError(t, err)
	}
	require.Equal(t, 2, lines.Len())
	for _, line := range lines.All() {
		require.NotContains(t, line.ContextMap()["path"], "canary")
	}
}

func TestGarbageIsNotOurFault(t *testing.T) {
	app, lines := newFront()
	for _, refused := range []*fiber.Error{fiber.ErrBadRequest, fiber.ErrRequestHeaderFieldsTooLarge} { // as fasthttp's refusals come to us
		path := fmt.Sprintf("/api/hook/%d", refused.Code)
		app.Post(path, func(fiber.Ctx) error { return refused })
		res, err := app.Test(httptest.NewRequest(http.MethodPost, path, nil))
		require.NoError(t, err)
		require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
	}
	require.Zero(t, lines.FilterLevelExact(zapcore.ErrorLevel).Len())
}
