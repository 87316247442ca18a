package bench

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/session"
)

// BenchmarkMemory: what the API holds when nobody asks, and what a thousand open screens add.
func BenchmarkMemory(b *testing.B) {
	const sockets = 1000
	s := open(b, "resting", "1650000106", 1)
	idle := place.Start("api") // the first one still holds what hashing passwords took
	api := func() float64 {
		time.Sleep(10 * time.Second)
		return proportional(idle.PID(), "Rss:")
	}
	rest := api()
	atMost("memory of the API at rest", 80, " MB", []float64{rest},
		fmt.Sprintf("its resident set ten seconds after it started; %.0f MB without the program's own file", proportional(idle.PID(), "Anonymous:")))

	for n, person := range s.people(sockets) {
		if n%20 == 0 {
			require.NoError(b, s.ForgetLimits())
		}
		s.listen(idle.Port, person)
	}
	atMost("what 1,000 sockets add", 60, " MB", []float64{(api() - rest) * 1000 / sockets},
		"each another person's; this API has served nothing else, so what serving the first requests takes is among it")
}

// people are customers who have signed in, by their tokens.
func (s *shop) people(n int) (tokens []string) {
	s.T.Helper()
	ctx, sessions := s.T.Context(), session.New(s.DB)
	for range n {
		who := db.NewID()
		require.NoError(s.T, s.DB.InOrg(ctx, s.ID, func(tx db.Tx) error { enrol(tx, who); return nil }))
		plain, err := sessions.Open(ctx, token.User, s.ID, who, "bench")
		require.NoError(s.T, err)
		tokens = append(tokens, plain)
	}
	return tokens
}

// listen opens a socket as the screen of a person with a token does, until the run ends.
func (s *shop) listen(port int, person string) {
	s.T.Helper()
	address := fmt.Sprintf("ws://127.0.0.1:%d/socket.io/?EIO=4&transport=websocket&token=%s", port, person)
	conn, res, err := websocket.DefaultDialer.Dial(address, http.Header{"Host": {s.Host}})
	require.NoError(s.T, err)
	require.NoError(s.T, res.Body.Close())
	s.T.Cleanup(func() { _ = conn.Close() }) // the server closes first
	require.NoError(s.T, conn.WriteMessage(websocket.TextMessage, []byte("40")))
	for range 2 { // it is open, and connected
		_, text, err := conn.ReadMessage()
		require.NoError(s.T, err)
		require.False(s.T, strings.HasPrefix(string(text), "44"), "refused: %s", text)
	}
	go func() { // answers what the server asks from time to time
		for {
			kind, text, err := conn.NextReader()
			if err != nil {
				return
			}
			if said, err := io.ReadAll(text); err != nil || string(said) != "2" {
				continue
			}
			if conn.WriteMessage(kind, []byte("3")) != nil {
				return
			}
		}
	}()
}
