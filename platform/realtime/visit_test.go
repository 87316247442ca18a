package realtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gorilla/websocket"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
)

// newNode starts a node on which only tokens that begin with good have a session. It counts the look-ups.
func newNode(t *testing.T) (w *world, server *Server, lookups *atomic.Int64) {
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	lookups = new(atomic.Int64)
	server = New(client, func(_ context.Context, token, _ string) ([]string, error) {
		lookups.Add(1)
		switch {
		case strings.HasPrefix(token, "good"):
			return []string{Room("shop", "user", "ann")}, nil
		case strings.HasPrefix(token, "visitor"):
			return nil, nil
		}
		return nil, fault.NoSession
	}, time.Hour)
	return &world{T: t, nodes: [2]string{serve(t, server)}, events: NewPublisher(client)}, server, lookups
}

// dial opens a connection and sends nothing. It returns the HTTP status if it is refused.
func (w *world) dial(token string) (*websocket.Conn, int) {
	w.Helper()
	conn, res, err := websocket.DefaultDialer.Dial("ws://"+w.nodes[0]+"/socket.io/?EIO=4&transport=websocket&token="+token, nil)
	require.NotNil(w, res, "%v", err)
	require.NoError(w, res.Body.Close())
	if err == nil {
		w.Cleanup(func() { conn.Close() })
	}
	return conn, res.StatusCode
}

// frames are packets as on the wire, masked with zeros.
func frames(packet string, times int) []byte {
	return bytes.Repeat(append([]byte{0x81, 0x80 | byte(len(packet)), 0, 0, 0, 0}, packet...), times)
}

func (s *slots) all() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, taken := range s.taken {
		n += taken
	}
	return n
}

func TestMessageLimit(t *testing.T) {
	w, server, _ := newNode(t)
	s, _ := w.open(0, "good")
	for range maxAtOnce - 1 {
		s.ask(Recheck)
	}
	answers := 0
	_, err := s.conn.UnderlyingConn().Write(frames(`427["recheck"]`, 2000))
	require.NoError(t, err)
	require.NoError(t, s.conn.SetReadDeadline(time.Now().Add(5*time.Second)))
	for {
		_, text, err := s.conn.ReadMessage()
		if err != nil {
			var late net.Error
			require.False(t, errors.As(err, &late) && late.Timeout(), "still open")
			break
		}
		require.True(t, strings.HasPrefix(string(text), "437"), string(text))
		answers++
	}
	require.LessOrEqual(t, answers, maxAtOnce)
	require.Eventually(t, func() bool { return server.slots.all() == 0 }, 5*time.Second, 10*time.Millisecond, "a closed connection holds no slot")

	other, _ := w.open(0, "good")
	time.Sleep(3 * packetTime)
	for range maxAtOnce {
		other.ask(Recheck)
	}
}

// TestSlowReader: a client that reads nothing is dropped before much is queued for it, and one that reads gets everything.
func TestSlowReader(t *testing.T) {
	w, server, _ := newNode(t)
	slow, _ := w.open(0, "good_slow")
	require.NoError(t, slow.conn.UnderlyingConn().(*net.TCPConn).SetReadBuffer(4<<10))
	fast, _ := w.open(0, "good_fast")
	var group sync.WaitGroup
	defer group.Wait()
	large := strings.Repeat("x", 60<<10)
	received := make(chan struct{}, 1000)
	group.Go(func() {
		for {
			_, text, err := fast.conn.ReadMessage()
			if err != nil {
				return
			}
			if strings.HasPrefix(string(text), "42") {
				received <- struct{}{}
			}
		}
	})
	open := func() int { return server.slots.all() }
	before := open()
	events := 0
	for ; events < 1000 && open() == before; events++ {
		server.handOn(t.Context(), fmt.Sprintf(`{"room":%q,"event":%q,"payload":%q}`, Room("shop", "user", "ann"), CommandPrint, large))
		<-received
	}
	require.Less(t, events, 1000, "more than 60 MB are queued for the slow reader")
	server.handOn(t.Context(), fmt.Sprintf(`{"room":%q,"event":%q,"payload":1}`, Room("shop", "user", "ann"), CommandPrint))
	<-received
	require.NoError(t, fast.conn.Close())
}

func TestSlots(t *testing.T) {
	w, server, _ := newNode(t)
	t.Run("a session holds so many sockets, and no more", func(t *testing.T) {
		for range maxOfSession {
			_, hello := w.open(0, "good")
			require.True(t, strings.HasPrefix(hello, "40"), hello)
		}
		conn, _ := w.dial("good")
		require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("40")))
		screen{t, conn}.closed()
		_, hello := w.open(0, "good_other")
		require.True(t, strings.HasPrefix(hello, "40"), hello)
	})
	t.Run("an address holds so many sockets without a person, and people connect all the same", func(t *testing.T) {
		var last *websocket.Conn
		for i := range maxOfNobody {
			conn, status := w.dial("visitor" + strconv.Itoa(i/maxOfSession))
			require.Equal(t, http.StatusSwitchingProtocols, status)
			if i%2 == 0 {
				require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("40")))
			}
			last = conn
		}
		_, status := w.dial("good_late")
		require.Equal(t, http.StatusTooManyRequests, status)
		require.NoError(t, last.Close())
		require.Eventually(t, func() bool {
			conn, status := w.dial("good_late")
			if status != http.StatusSwitchingProtocols {
				return false
			}
			_, _, err := conn.ReadMessage()
			require.NoError(t, err)
			require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("40")))
			_, text, err := conn.ReadMessage()
			return err == nil && strings.HasPrefix(string(text), "40")
		}, 5*time.Second, 20*time.Millisecond)
		_, hello := w.open(0, "good_later")
		require.True(t, strings.HasPrefix(hello, "40"), "a person's socket takes no slot of those without one: %s", hello)
	})
	t.Run("a request that is no websocket holds no slot", func(t *testing.T) {
		before := server.slots.all()
		res, err := http.Get("http://" + w.nodes[0] + "/socket.io/?EIO=4&transport=polling&token=x")
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, before, server.slots.all())
	})
}

func TestRefusals(t *testing.T) {
	w, _, lookups := newNode(t)
	t.Run("a refused socket gets the refusal, and is closed", func(t *testing.T) {
		s, refused := w.open(0, "bad")
		require.True(t, strings.HasPrefix(refused, "44"), refused)
		s.closed()
	})
	t.Run("a flood of connects on one socket looks its session up once", func(t *testing.T) {
		before := lookups.Load()
		conn, _ := w.dial("bad")
		_, err := conn.UnderlyingConn().Write(frames("40", 500))
		require.NoError(t, err)
		screen{t, conn}.closed()
		require.Equal(t, int64(1), lookups.Load()-before)
	})
	t.Run("accepted sockets of an address are not counted as refusals", func(t *testing.T) {
		for i := range 2 * ratelimit.Stranger.Max {
			_, hello := w.open(0, "good"+strconv.Itoa(i))
			require.True(t, strings.HasPrefix(hello, "40"), hello)
		}
	})
	t.Run("after so many refusals in a minute no token of the address is looked up", func(t *testing.T) {
		before := lookups.Load()
		for range 2 * ratelimit.Stranger.Max {
			conn, _ := w.dial("bad")
			require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("40")))
			screen{t, conn}.closed()
		}
		require.Equal(t, int64(ratelimit.Stranger.Max-2), lookups.Load()-before)
	})
}
