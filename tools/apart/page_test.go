package apart

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/stage"
)

// pages: what is not in the API's description shows one organisation on its own host, and nothing of another.
func (w *twins) pages(t *testing.T) {
	get := operation{Method: http.MethodGet}
	for path, want := range map[string]int{
		"/": 200, "/welovevoucher/" + w.ours.Liff + "/market": 200, "/user/market/" + w.ours.Package.String(): 200, "/owner": 200,
		"/media/" + w.ours.picture + "?w=300": 200, "/media/x": 404,
		"/media/" + w.theirs.picture + "?w=300":        404,
		"/welovevoucher/" + w.theirs.Liff + "/market":  404,
		"/user/market/" + w.theirs.Package.String():    200, // the page of a package that is not there
		"/media/..%2f" + w.theirs.ID.String() + "%2fx": 404,
		"/assets/customer/..%2f..%2findex.html":        404,
		"/api/health":                                  200, "/api/docs": 200, "/api/openapi.json": 200, "/robots.txt": 200, "/favicon.ico": 204, "/image/profile2.png": 200,
		"/api/nothing": 404,
	} {
		got := send(w.Platform, get, w.ours.Host, "x", w.ours.owner.Token, path, "", nil)
		if path != "/api/health" {
			require.Equal(t, want, got.status, path)
		}
		require.NotContains(t, got.text, w.theirs.canary, path)
	}
	require.Contains(t, send(w.Platform, get, w.ours.Host, "x", "", "/user/market", "", nil).text, w.ours.canary, "the canary would be seen")
	require.Equal(t, 404, send(w.Platform, get, "localhost", "x", w.ours.owner.Token, "/media/"+w.ours.picture, "", nil).status)

	hook, theirs := operation{Method: http.MethodPost}, ""
	w.theirs.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT endpoint_id FROM payment_system`).Scan(&theirs)
	})
	for _, endpoint := range []string{theirs, "x", w.theirs.ID.String(), strings.Repeat("a", 43)} {
		got := send(w.Platform, hook, w.ours.Host, "x", "", "/api/hook/"+endpoint, "application/json", []byte(`{"id":"evnt_1","key":"charge.complete"}`))
		require.False(t, got.ok(), endpoint)
		require.Less(t, got.status, 500, endpoint)
	}
}

// files: what the matrix had made holds its own organisation's rows, and none of another's.
func (w *twins) files(t *testing.T) {
	w.ours.settle()
	jobs := stage.Must[struct{ Data []stage.Saved }](w.ours.owner.Browser, "/api/owner/report/job/list", "", nil).Data
	held := 0
	for _, job := range jobs {
		if job["state"] == "cancelled" {
			continue
		}
		got := send(w.Platform, operation{Method: http.MethodGet}, w.ours.Host, "x", w.ours.owner.Token, "/api/owner/report/file/"+job.ID(), "", nil)
		require.Equal(t, 200, got.status, "%v", job)
		require.NotContains(t, got.text, w.theirs.canary)
		if strings.Contains(got.text, w.ours.canary) {
			held++
		}
	}
	require.Greater(t, held, 10, "of %d files", len(jobs))

	err := filepath.WalkDir(filepath.Join(w.Objects, w.ours.ID.String()), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		require.NotContains(t, string(text), w.theirs.canary, path)
		return err
	})
	require.NoError(t, err)
}

// sockets: a socket opens for a good token on its own organisation's host, and hears that organisation alone.
func (w *twins) sockets(t *testing.T) {
	dial := func(host, plain string) (*websocket.Conn, string) {
		dialer := websocket.Dialer{NetDialContext: w.Client.Transport.(*http.Transport).DialContext}
		conn, res, err := dialer.Dial(fmt.Sprintf("ws://%s:%d/socket.io/?EIO=4&transport=websocket&token=%s", host, w.Port, plain), nil)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		t.Cleanup(func() { _ = conn.Close() })
		_, _, err = conn.ReadMessage()
		require.NoError(t, err)
		require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("40")))
		_, hello, err := conn.ReadMessage()
		require.NoError(t, err)
		return conn, string(hello)
	}
	refused := append(w.credentials(w.ours.ann), credential{"another organisation's", w.theirs.ann.Token})
	for _, c := range refused {
		_, hello := dial(w.ours.Host, c.token)
		require.True(t, strings.HasPrefix(hello, "44"), "%s: %s", c.name, hello)
	}

	ours, hello := dial(w.ours.Host, w.ours.owner.Token)
	require.True(t, strings.HasPrefix(hello, "40{"), hello)
	visitor, _ := dial(w.ours.Host, w.ours.visitor.Token)
	for _, s := range []*shop{w.theirs, w.ours} { // theirs first: it would be heard first
		s.add("tags", 0, map[string]any{"name_th": s.named("ใหม่"), "name_en": s.canary, "position": 1})
		s.Eventually("the event is on its way", func() bool { s.settle(); return true })
	}
	require.NoError(t, ours.SetReadDeadline(time.Now().Add(5*time.Second)))
	_, text, err := ours.ReadMessage()
	require.NoError(t, err)
	var event []json.RawMessage
	require.NoError(t, json.Unmarshal(text[2:], &event))
	require.JSONEq(t, `"optionupdate"`, string(event[0]))
	require.NotContains(t, string(text), w.theirs.canary)

	require.NoError(t, ours.SetReadDeadline(time.Now().Add(300*time.Millisecond)))
	_, text, err = ours.ReadMessage()
	require.Error(t, err, "one event of ours, none of theirs: %s", text)
	require.NoError(t, visitor.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	_, text, err = visitor.ReadMessage()
	require.Error(t, err, "who is nobody hears nothing: %s", text)
}
