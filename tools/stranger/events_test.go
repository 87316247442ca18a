package stranger_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// event is a line of section 7's realtime: what the server pushes to whom, and what makes it.
type event struct {
	name, who string
	fields    string // of what it carries
	happens   func(*testing.T, *world)
}

var events = []event{
	{"command_print", "user", "**.balance_satang:number", func(_ *testing.T, w *world) { w.shop.FundWallet(w.as["user"], 100_00) }},
	{"optionupdate", "owner", "table:text data.[].name_th:text", func(_ *testing.T, w *world) {
		harness.MustPost[any](w.shop.Owner, "/api/owner/save/size", "", named(nil))
	}},
}

// checkEvents connects by websocket alone, with the token in the query, as section 9 has it.
func checkEvents(t *testing.T, w *world) {
	for _, e := range events {
		name := "7 /socket.io " + e.name
		t.Run(name, func(t *testing.T) {
			socket := w.connect(t, w.as[e.who])
			e.happens(t, w)
			holds(t, name, next(socket, e.name, e.fields))
		})
	}
}

// connect opens Engine.IO 4 and Socket.IO's main namespace.
func (w *world) connect(t *testing.T, b *harness.Browser) *websocket.Conn {
	t.Helper()
	dialer := websocket.Dialer{NetDialContext: w.Client.Transport.(*http.Transport).DialContext}
	socket, _, err := dialer.DialContext(t.Context(), fmt.Sprintf("ws://%s:%d/socket.io/?EIO=4&transport=websocket&token=%s", b.Host, w.Port, url.QueryEscape(b.Token)), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, socket.Close()) })
	_, opened, err := socket.ReadMessage()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(opened), "0{"), string(opened))
	require.NoError(t, socket.WriteMessage(websocket.TextMessage, []byte("40")))
	_, joined, err := socket.ReadMessage()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(joined), "40{"), string(joined))
	return socket
}

// next waits for an event of that name with those fields: one about another table may still be on its way. It says what the last
// one's payload lacks, or what came instead.
func next(socket *websocket.Conn, name, fields string) string {
	var others []string
	lacking := ""
	if err := socket.SetReadDeadline(time.Now().Add(3 * time.Second)); err != nil {
		return err.Error()
	}
	for {
		_, packet, err := socket.ReadMessage()
		if err != nil {
			return cmp.Or(lacking, fmt.Sprintf("none, but %.300q", others))
		}
		var sent list
		if event, ok := strings.CutPrefix(string(packet), "42"); ok && json.Unmarshal([]byte(event), &sent) == nil && len(sent) == 2 && sent[0] == name {
			if lacking = lacks(sent[1], fields); lacking == "" {
				return ""
			}
		}
		others = append(others, string(packet))
	}
}
