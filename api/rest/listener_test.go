package rest

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"
)

// TestListener: a process that leaves waits for requests that it is reading or answering, and for nothing else.
func TestListener(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	listener := NewListener(inner)
	app := fiber.New(fiber.Config{ReadTimeout: time.Minute, IdleTimeout: time.Minute})
	asked, answer := make(chan struct{}), make(chan struct{})
	app.Get("/slow", func(c fiber.Ctx) error {
		close(asked)
		<-answer
		return c.SendString("done")
	})
	app.Get("/", func(c fiber.Ctx) error { return c.SendString("here") })
	served := make(chan error, 1)
	go func() {
		served <- app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true})
	}()

	dial := func() net.Conn {
		conn, err := net.Dial("tcp", inner.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	say := func(conn net.Conn, text string) {
		_, err := conn.Write([]byte(text))
		require.NoError(t, err)
	}
	read := func(conn net.Conn) *http.Response {
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res
	}
	silent, idle, half, slow := dial(), dial(), dial(), dial()
	say(idle, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	require.Equal(t, http.StatusOK, read(idle).StatusCode)
	say(half, "GET / HTTP/1.1\r\n")
	say(slow, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
	<-asked
	require.Eventually(t, func() bool { // what it has said was received
		waiting := 0
		listener.silent.Range(func(any, any) bool { waiting++; return true })
		return waiting == 1
	}, 10*time.Second, time.Millisecond)

	left := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // half of what the silent one could take
	defer cancel()
	go func() { left <- app.ShutdownWithContext(ctx) }()
	_, err = silent.Read(make([]byte, 1))
	require.Error(t, err, "ended, and nothing was said")
	require.Empty(t, left, "two requests are in hand")
	say(half, "Host: a\r\n\r\n")
	require.Equal(t, http.StatusOK, read(half).StatusCode)
	close(answer)
	require.Equal(t, http.StatusOK, read(slow).StatusCode)
	require.NoError(t, <-left)
	require.NoError(t, <-served)
}
