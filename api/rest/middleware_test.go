package rest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"welovevoucher/platform/fault"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

func newApp() (*fiber.App, *observer.ObservedLogs) {
	core, lines := observer.New(zapcore.DebugLevel)
	around := func(ctx context.Context) context.Context { return ctx }
	return NewApp(MiddlewareDeps{Drainer: &Drainer{}, Log: zap.New(core), PlatformHost: "example.com", WithContext: around}), lines
}

func TestLogKeepsNoSecretAddress(t *testing.T) {
	app, lines := newApp()
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error { return c.SendStatus(http.StatusOK) })
	for _, path := range []string{"/api/hook/canary", "/API/hook/canary", "/Api/HOOK/canary", "/api/hook/canary/", "//api//hook/canary", "/api/%68ook/canary", "/api/hook/%zz/canary", "/api/./hook/canary"} {
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			request := httptest.NewRequest(method, "/", nil)
			request.URL.Opaque = path + "?token=canary"
			_, err := app.Test(request)
			require.NoError(t, err)
		}
	}
	require.Equal(t, 16, lines.Len())
	for _, line := range lines.All() {
		require.NotContains(t, line.ContextMap()["path"], "canary")
	}
}

func TestRequestIDIsOurs(t *testing.T) {
	ask := func(app *fiber.App) string {
		request := httptest.NewRequest(http.MethodPost, "/api/hook/x", nil)
		request.Header.Set("X-Request-ID", "somebody-else's")
		res, err := app.Test(request)
		require.NoError(t, err)
		return res.Header.Get("X-Request-ID")
	}
	app, lines := newApp()
	id := ask(app)
	require.Greater(t, len(id), 20)
	require.NotContains(t, id, "somebody-else's")
	require.Equal(t, id, lines.All()[0].ContextMap()["request"])

	around := func(ctx context.Context) context.Context { return ctx }
	behind := NewApp(MiddlewareDeps{Drainer: &Drainer{}, Log: zap.NewNop(), PlatformHost: "example.com", WithContext: around, Proxies: []string{"0.0.0.0"}})
	require.Equal(t, "somebody-else's", ask(behind), "of our proxy")
}

func TestGarbageIsNoInternalError(t *testing.T) {
	app, lines := newApp()
	for _, refused := range []*fiber.Error{fiber.ErrBadRequest, fiber.ErrRequestHeaderFieldsTooLarge} { // as fasthttp's refusals come to us
		path := fmt.Sprintf("/api/hook/%d", refused.Code)
		app.Post(path, func(fiber.Ctx) error { return refused })
		res, err := app.Test(httptest.NewRequest(http.MethodPost, path, nil))
		require.NoError(t, err)
		require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
	}
	require.Zero(t, lines.FilterLevelExact(zapcore.ErrorLevel).Len())
}

func TestPackedBodiesAreNotUnpacked(t *testing.T) {
	app, _ := newApp()
	size := 0
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error {
		size = len(c.Body())
		return c.SendStatus(http.StatusOK)
	})
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	blank := make([]byte, 1<<20)
	for range 64 {
		_, err := w.Write(blank)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, encoding := range []string{"gzip", "GZIP", "identity, gzip"} {
		req := httptest.NewRequest(http.MethodPost, "/api/hook/x", bytes.NewReader(packed.Bytes()))
		req.Header.Set("Content-Encoding", encoding)
		res, err := app.Test(req)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode, encoding)
	}
	runtime.ReadMemStats(&after)
	require.Zero(t, size)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))

	plain := httptest.NewRequest(http.MethodPost, "/api/hook/x", bytes.NewReader([]byte("{}")))
	plain.Header.Set("Content-Encoding", "identity")
	res, err := app.Test(plain)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, 2, size)
}

// serve lets clients in, and returns the address.
func serve(t *testing.T, app *fiber.App) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var listening sync.WaitGroup
	listening.Go(func() {
		if err := app.Listener(l, fiber.ListenConfig{DisableStartupMessage: true}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		require.NoError(t, app.Shutdown())
		listening.Wait()
	})
	return l.Addr().String()
}

// dial is the only client of app, who waits ten seconds for an answer.
func dial(t *testing.T, app *fiber.App) net.Conn {
	conn, err := net.Dial("tcp", serve(t, app))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
	return conn
}

func TestSilentConnectionIsClosed(t *testing.T) {
	app, _ := newApp()
	app.Server().ReadTimeout = 50 * time.Millisecond
	conn := dial(t, app)
	_, err := io.Copy(io.Discard, conn)
	require.NoError(t, err)
}

// TestNothingFollowsChunks: a request with both a length and chunks is the last of its connection. A proxy that goes by the length
// has let one request through, and the chunks would make two of it.
func TestNothingFollowsChunks(t *testing.T) {
	app, lines := newApp()
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error { return c.SendStatus(http.StatusOK) })
	conn := dial(t, app)
	hidden := "POST /api/hook/hidden HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n"
	_, err := fmt.Fprintf(conn, "POST /api/hook/x HTTP/1.1\r\nHost: example.com\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s",
		5+len(hidden), hidden)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, conn)
	require.NoError(t, err, "one answer, and the end")
	require.Equal(t, 1, lines.Len())
}

// TestNothingHidesBehindAForm: what stands behind a form's end, and within its length, is no request of its own.
func TestNothingHidesBehindAForm(t *testing.T) {
	app, lines := newApp()
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error { return c.SendStatus(http.StatusOK) })
	conn := dial(t, app)
	form := "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n"
	hidden := strings.Repeat("\r\n", 100_000) + "POST /api/hook/hidden HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n"
	_, err := fmt.Fprintf(conn, "POST /api/hook/x HTTP/1.1\r\nHost: example.com\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n%s%s",
		len(form)+len(hidden), form, hidden)
	require.NoError(t, err)
	_, err = fmt.Fprint(conn, "POST /api/hook/last HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, conn)
	require.NoError(t, err)
	require.Equal(t, 2, lines.FilterMessage("request").Len())
}

// TestBrokenFormIsAnswered: who is still sending when we see that his form is broken gets his answer all the same.
func TestBrokenFormIsAnswered(t *testing.T) {
	app, _ := newApp()
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error {
		_, err := c.MultipartForm()
		require.Error(t, err)
		return c.SendStatus(http.StatusBadRequest)
	})
	to := "http://" + serve(t, app) + "/api/hook/x"
	broken := append([]byte("--x\r\nContent-Disposition: form-data; name=\"a\x00\"\r\n\r\n"), make([]byte, 1<<20)...)
	for range 20 {
		res, err := http.Post(to, "multipart/form-data; boundary=x", bytes.NewReader(broken))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusBadRequest, res.StatusCode)
	}
}

func TestClosedConnectionIsNoInternalError(t *testing.T) {
	app, lines := newApp()
	t.Cleanup(func() { // once all is served, and written
		require.Equal(t, 1, lines.FilterMessage("request").Len())
		require.Zero(t, lines.FilterLevelExact(zapcore.ErrorLevel).Len())
	})
	conn, err := net.Dial("tcp", serve(t, app))
	require.NoError(t, err)
	_, err = fmt.Fprint(conn, "POST /api/hook/x HTTP/1.1\r\nHost: example.com\r\nContent-Length: 9\r\n\r\nhalf")
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).SetLinger(0)) // which resets it
	require.NoError(t, conn.Close())
	require.Eventually(t, func() bool { return lines.FilterMessage("request").Len() == 1 }, 10*time.Second, time.Millisecond)
}

func TestLogHasTheAnswerThatWasGiven(t *testing.T) {
	app, lines := newApp()
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error { return c.SendStatus(http.StatusOK) })
	address := serve(t, app)
	for head, want := range map[string]int{
		fmt.Sprintf("Content-Length: %d", MaxUpload+1): http.StatusRequestEntityTooLarge,
		"Content-Length: many":                         http.StatusUnprocessableEntity,
		"Content-Length: 0\r\nContent-Length: 2":       http.StatusUnprocessableEntity, // whose length a proxy may see otherwise
		"Host: other.example.com":                      http.StatusUnprocessableEntity, // or two organisations were asked at once
		"Content-Length: 0":                            http.StatusOK,
	} {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "POST /api/hook/x HTTP/1.1\r\nHost: example.com\r\n%s\r\n\r\n", head)
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.NoError(t, conn.Close())
		require.Equal(t, want, res.StatusCode, head)
		written := lines.TakeAll()
		require.Len(t, written, 1, head)
		require.EqualValues(t, want, written[0].ContextMap()["status"], head)
	}
}

// A browser comes back by https where it came so, as the proxy in front says, and where that is how we are reached.
func TestOnlySecure(t *testing.T) {
	around := func(ctx context.Context) context.Context { return ctx }
	for _, test := range []struct {
		public, proxy, said, want string
	}{
		{"http://example.com", "0.0.0.0", "https", "max-age=31536000"},
		{"http://example.com", "0.0.0.0", "http", ""},
		{"http://example.com", "192.0.2.99", "https", ""}, // anybody can say so
		{"http://localhost:8080", "0.0.0.0", "", ""},
		{"https://example.com", "0.0.0.0", "", "max-age=31536000"},
		{"https://example.com", "192.0.2.99", "http", "max-age=31536000"},
	} {
		app := NewApp(MiddlewareDeps{
			Drainer: &Drainer{}, Log: zap.NewNop(), PlatformHost: "example.com", PublicURL: test.public, WithContext: around, Proxies: []string{test.proxy},
		})
		app.Get("/", func(c fiber.Ctx) error { return c.SendString(From(c.Context()).Origin) })
		for _, path := range []string{"/", "/nowhere"} {
			req := httptest.NewRequest(http.MethodGet, path, nil)
			req.Host = "example.com:4444"
			if test.said != "" {
				req.Header.Set("X-Forwarded-Proto", test.said)
			}
			res, err := app.Test(req)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, test.want, res.Header.Get("Strict-Transport-Security"), "%v %s", test, path)
		}
	}
}

// TestOnError: what fails before a handler is answered as its fault, and what is none says nothing of itself.
func TestOnError(t *testing.T) {
	app, _ := newApp()
	app.Get("/fault", func(fiber.Ctx) error { return fmt.Errorf("find organisation: %w", fault.Unready) })
	app.Get("/other", func(fiber.Ctx) error { return errors.New("the database's address") })
	for path, want := range map[string]int{"/fault": http.StatusServiceUnavailable, "/other": http.StatusInternalServerError} {
		req := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		res, err := app.Test(req)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.StatusCode, path)
		require.NotContains(t, string(body), "database")
	}
}
