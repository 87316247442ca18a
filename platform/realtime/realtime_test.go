package realtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/gorilla/websocket"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// world is a fixture: one Redis, two nodes on it, and sessions that the test may end.
type world struct {
	*testing.T
	nodes    [2]string
	servers  [2]*Server
	events   *Publisher
	mu       sync.Mutex
	sessions map[string][]string
}

func newWorld(t *testing.T, revalidate time.Duration) *world {
	memory := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: memory.Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })

	w := &world{T: t, events: NewPublisher(client), sessions: map[string][]string{
		"us_ann":       {Room("shop", "user", "ann"), Room("shop", "user", "")},
		"us_ann_phone": {Room("shop", "user", "ann"), Room("shop", "user", "")},
		"us_ben":       {Room("shop", "user", "ben"), Room("shop", "user", "")},
	}}
	for i := range w.nodes {
		server := New(client, func(_ context.Context, token, host string) ([]string, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			rooms, ok := w.sessions[token]
			if !ok || !strings.HasPrefix(host, "127.0.0.1") {
				return nil, errors.New("no session")
			}
			return rooms, nil
		}, revalidate)

		w.servers[i], w.nodes[i] = server, serve(t, server)
	}
	require.Eventually(t, func() bool { return memory.PubSubNumSub(channel)[channel] == len(w.nodes) }, 5*time.Second, 10*time.Millisecond)
	return w
}

// serve runs a server until the test is over, and returns its address.
func serve(t *testing.T, server *Server) string {
	app := fiber.New(fiber.Config{ReduceMemoryUsage: true})
	app.All("/socket.io/*", server.Handler(fiber.Ctx.IP))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		if err := server.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	group.Go(func() {
		if err := app.Listener(l, fiber.ListenConfig{DisableStartupMessage: true}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		require.NoError(t, app.Shutdown())
		group.Wait()
	})
	return l.Addr().String()
}

// screen is a socket.io client: packets are engine.io's digit, socket.io's digit, and JSON.
type screen struct {
	*testing.T
	conn *websocket.Conn
}

func (w *world) open(node int, token string) (screen, string) {
	w.Helper()
	conn, res, err := websocket.DefaultDialer.Dial("ws://"+w.nodes[node]+"/socket.io/?EIO=4&transport=websocket&token="+token, nil)
	require.NoError(w, err)
	require.NoError(w, res.Body.Close())
	w.Cleanup(func() { conn.Close() })
	s := screen{w.T, conn}
	require.Equal(w, byte('0'), s.read()[0], "engine.io opens")
	require.NoError(w, conn.WriteMessage(websocket.TextMessage, []byte("40")))
	return s, s.read()
}

func (s screen) read() string {
	s.Helper()
	require.NoError(s, s.conn.SetReadDeadline(time.Now().Add(5*time.Second)))
	_, text, err := s.conn.ReadMessage()
	require.NoError(s, err)
	return string(text)
}

// event reads one event, and its payload as JSON.
func (s screen) event() (name, payload string) {
	s.Helper()
	text := s.read()
	require.True(s, strings.HasPrefix(text, "42"), text)
	var parts []json.RawMessage
	require.NoError(s, json.Unmarshal([]byte(text[2:]), &parts))
	require.NoError(s, json.Unmarshal(parts[0], &name))
	return name, string(parts[1])
}

// closed waits for the server to hang up.
func (s screen) closed() {
	s.Helper()
	require.NoError(s, s.conn.SetReadDeadline(time.Now().Add(5*time.Second)))
	for {
		if _, _, err := s.conn.ReadMessage(); err != nil {
			var late net.Error
			require.False(s, errors.As(err, &late) && late.Timeout(), "still open")
			return
		}
	}
}

func (w *world) emit(room, event string, payload any) {
	w.Helper()
	require.NoError(w, w.events.Emit(w.Context(), Event{Room: room, Name: event, Payload: payload}))
}

// ask emits an event with a packet's number, and reads the acknowledgement of it.
func (s screen) ask(event string) string {
	s.Helper()
	require.NoError(s, s.conn.WriteMessage(websocket.TextMessage, []byte(`427["`+event+`"]`)))
	text := s.read()
	require.True(s, strings.HasPrefix(text, "437["), text)
	return strings.TrimSuffix(strings.TrimPrefix(text, "437["), "]")
}

func TestRecheck(t *testing.T) {
	w := newWorld(t, time.Hour)
	ann, _ := w.open(0, "us_ann")
	ben, _ := w.open(0, "us_ben")
	good := `{"result":true,"code":200,"message":"success"}`
	require.JSONEq(t, good, ann.ask(Recheck))

	w.mu.Lock()
	delete(w.sessions, "us_ann")
	w.mu.Unlock()
	require.JSONEq(t, good, ann.ask(Recheck), "a recheck without a pause is answered without another look-up")
	time.Sleep(recheckEvery)
	require.JSONEq(t, `{"result":false,"code":401,"detail":"Invalid Token","message":"Invalid Token"}`, ann.ask(Recheck))
	ann.closed()
	require.JSONEq(t, good, ben.ask(Recheck), "another person's session is unchanged")

	require.NoError(t, ben.conn.WriteMessage(websocket.TextMessage, []byte(`42["recheck"]`)), "without an acknowledgement")
	require.NoError(t, ben.conn.WriteMessage(websocket.TextMessage, []byte(`42["nonsense",{}]`)))
	require.JSONEq(t, good, ben.ask(Recheck), "and the socket lives on")
}

func TestEmit(t *testing.T) {
	w := newWorld(t, time.Minute)
	ann, hello := w.open(0, "us_ann")
	require.True(t, strings.HasPrefix(hello, "40{"), hello)
	annElsewhere, _ := w.open(1, "us_ann")
	ben, _ := w.open(1, "us_ben")

	t.Run("a person's sockets receive their events on every node, and no other person's do", func(t *testing.T) {
		w.emit(Room("shop", "user", "ann"), CommandPrint, map[string]any{"topic": "wallet", "balance_satang": 150_00})
		w.emit(Room("shop", "user", ""), OptionUpdate, map[string]string{"table": "salepackage"})
		for _, s := range []screen{ann, annElsewhere} {
			name, payload := s.event()
			require.Equal(t, CommandPrint, name)
			require.JSONEq(t, `{"topic":"wallet","balance_satang":15000}`, payload)
			name, _ = s.event()
			require.Equal(t, OptionUpdate, name)
		}
		name, payload := ben.event()
		require.Equal(t, OptionUpdate, name, "Ben's first event is the one to all")
		require.JSONEq(t, `{"table":"salepackage"}`, payload)
	})
	t.Run("sockets of the excepted room do not receive an event", func(t *testing.T) {
		require.NoError(t, w.events.Emit(t.Context(),
			Event{Room: Room("shop", "user", ""), Except: Room("shop", "user", "ann"), Name: OptionUpdate, Payload: 1},
			Event{Room: Room("shop", "user", ""), Name: OptionUpdate, Payload: 2}))
		for s, first := range map[screen]string{ann: "2", annElsewhere: "2", ben: "1"} {
			_, payload := s.event()
			require.Equal(t, first, payload)
		}
		_, payload := ben.event()
		require.Equal(t, "2", payload)
	})
	t.Run("an ended session's sockets close at once, and the person's others stay", func(*testing.T) {
		annsPhone, _ := w.open(1, "us_ann_phone")
		w.mu.Lock()
		delete(w.sessions, "us_ann")
		w.mu.Unlock()
		w.servers[0].Revalidate(Room("shop", "user", "ann"))
		ann.closed()
		w.servers[1].Revalidate(Room("shop", "user", "ben"), Everywhere)
		annElsewhere.closed()
		w.emit(Room("shop", "user", "ann"), OptionUpdate, map[string]string{"table": "tags"})
		annsPhone.event()
	})
}

func TestAdmit(t *testing.T) {
	w := newWorld(t, time.Minute)
	_, refused := w.open(0, "us_forged")
	require.True(t, strings.HasPrefix(refused, "44"), refused)
	require.JSONEq(t, `{"message":"Invalid Token","data":{"code":401,"fault":"session.invalid_token"}}`, refused[2:])
	_, refused = w.open(0, "")
	require.True(t, strings.HasPrefix(refused, "44"), refused)

	res, err := http.Get("http://" + w.nodes[0] + "/socket.io/?EIO=4&transport=polling&token=us_ann")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode, "websockets only")
}

func TestRevalidate(t *testing.T) {
	w := newWorld(t, 200*time.Millisecond)
	ann, _ := w.open(0, "us_ann")
	ben, _ := w.open(0, "us_ben")

	w.mu.Lock()
	delete(w.sessions, "us_ann")
	w.sessions["us_ben"] = []string{Room("shop", "user", "ben"), Room("shop", "staff", "")}
	w.mu.Unlock()

	ann.closed()
	time.Sleep(300 * time.Millisecond)
	w.emit(Room("shop", "user", ""), OptionUpdate, "not for Ben any more")
	w.emit(Room("shop", "staff", ""), OptionUpdate, "for staff")
	_, payload := ben.event()
	require.Equal(t, `"for staff"`, payload)
}

func TestNoLeak(t *testing.T) {
	w := newWorld(t, time.Minute)
	watchers := func() int {
		var all bytes.Buffer
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(&all, 2))
		return strings.Count(all.String(), "contextWatcher")
	}
	for range 50 {
		s, _ := w.open(0, "us_ann")
		require.NoError(t, s.conn.Close())
	}
	require.Eventually(t, func() bool {
		runtime.GC()
		return watchers() == 0
	}, 10*time.Second, 50*time.Millisecond, "every closed socket lets go of its goroutines")
}

// TestTokenAndHostAreCopies: fasthttp reads the next request into the buffers of a closed connection, and a socket's token and host stay what
// they were all the same.
func TestTokenAndHostAreCopies(t *testing.T) {
	const token, host = "us_ann", "ours.example.com"
	memory := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: memory.Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	var asked, changed atomic.Int64
	server := New(client, func(_ context.Context, t, h string) ([]string, error) {
		asked.Add(1)
		before := t == token && h == host
		time.Sleep(time.Millisecond) // as a query takes
		if !before || t != token || h != host {
			changed.Add(1)
		}
		return nil, nil
	}, time.Millisecond)

	address := serve(t, server)

	var clients sync.WaitGroup
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return net.Dial("tcp", address) }}
	for range 8 {
		clients.Go(func() {
			for range 250 {
				conn, res, err := dialer.Dial("ws://"+host+"/socket.io/?EIO=4&transport=websocket&token="+token, nil)
				if err != nil {
					t.Error(err)
					return
				}
				res.Body.Close()
				if _, _, err := conn.ReadMessage(); err != nil {
					t.Error(err)
				}
				if err := conn.WriteMessage(websocket.TextMessage, []byte("40")); err != nil {
					t.Error(err)
				}
				conn.Close()
			}
		})
		clients.Go(func() {
			for range 250 {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				for range 5 {
					if _, err := fmt.Fprint(conn, "GET /socket_io/?EIO=4&transport=websocket&token=us_eve HTTP/1.1\r\nHost: evil.example.com\r\n\r\n"); err != nil {
						t.Error(err)
					}
					if _, err := conn.Read(make([]byte, 1<<10)); err != nil {
						t.Error(err)
					}
				}
				conn.Close()
			}
		})
	}
	clients.Wait()
	require.Eventually(t, func() bool { return asked.Load() > 100 }, 5*time.Second, time.Millisecond)
	require.Zero(t, changed.Load(), "of %d", asked.Load())
}
