package isolation

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// pages: what is not in the API's description shows one organisation on its own host, and nothing of another.
func (w *twoOrgs) pages(t *testing.T) {
	get := operation{Method: http.MethodGet}
	for path, want := range map[string]int{
		"/": 200, "/welovevoucher/" + w.ours.Liff + "/market": 200, "/user/market/" + w.ours.Package.String(): 200, "/owner": 200,
		"/media/" + w.ours.picture + "?w=300": 200, "/media/x": 404,
		"/media/" + w.theirs.picture + "?w=300":             404,
		"/image/gift/" + w.ours.ID.String() + "/x/link.png": 200, "/image/gift/" + w.theirs.ID.String() + "/x/link.png": 404,
		"/welovevoucher/" + w.theirs.Liff + "/market":  404,
		"/user/market/" + w.theirs.Package.String():    200, // the page of a package that is not there
		"/media/..%2f" + w.theirs.ID.String() + "%2fx": 404,
		"/assets/customer/..%2f..%2findex.html":        404,
		"/api/health":                                  200, "/api/docs": 200, "/api/openapi.json": 200, "/robots.txt": 200, "/favicon.ico": 200, "/icon.svg": 200, "/manifest.webmanifest": 200, "/image/platform.png": 200, "/image/profile2.png": 200,
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
	for _, endpoint := range []string{"line/" + w.theirs.Unique, "line/x", theirs, "x", w.theirs.ID.String(), strings.Repeat("a", 43)} {
		got := send(w.Platform, hook, w.ours.Host, "x", "", "/api/hook/"+endpoint, "application/json", []byte(`{"id":"evnt_1","key":"charge.complete"}`))
		require.False(t, got.ok(), endpoint)
		require.Less(t, got.status, 500, endpoint)
	}
}

// files: what the matrix had made, and a spreadsheet of each organisation, holds its own organisation's rows and none of
// the other's.
func (w *twoOrgs) files(t *testing.T) {
	made, held := map[string]int{}, map[string]int{}
	for _, of := range []struct{ own, other *shop }{{w.ours, w.theirs}, {w.theirs, w.ours}} {
		s := of.own
		harness.MustPost[any](s.owner.Browser, "/api/owner/export/salepackage", "", map[string]any{"format": "xlsx"})
		s.settle()
		for _, job := range harness.MustPost[struct{ Data []harness.Saved }](s.owner.Browser, "/api/owner/report/job/list", "", nil).Data {
			if job["state"] == "cancelled" {
				continue
			}
			got := send(w.Platform, operation{Method: http.MethodGet}, s.Host, "x", s.owner.Token, "/api/owner/report/file/"+job.ID(), "", nil)
			require.Equal(t, 200, got.status, "%v", job)
			text, format := got.text+unpacked(t, got.body), job["format"].(string)
			require.NotContains(t, text, of.other.canary)
			made[format]++
			if strings.Contains(text, s.canary) {
				held[format]++
			}
		}
		err := filepath.WalkDir(filepath.Join(w.Objects, s.ID.String()), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			file, err := os.ReadFile(path)
			require.NotContains(t, unpacked(t, file), of.other.canary, path)
			made["in the store"]++
			return err
		})
		require.NoError(t, err)
	}
	rows := [][]any{{"files", "made", "with one's own canary"}}
	for _, kind := range slices.Sorted(maps.Keys(made)) {
		rows = append(rows, []any{kind, made[kind], held[kind]})
	}
	report(t, rows)
	require.Greater(t, held["csv"], 10)
	require.Equal(t, 2, held["xlsx"], "a canary would be seen")
}

// unpacked is what a file says; a spreadsheet is a zip of texts.
func unpacked(t *testing.T, file []byte) string {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("PK")) {
		return string(file)
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	var text strings.Builder
	for _, part := range archive.File {
		packed, err := part.Open()
		require.NoError(t, err)
		_, err = io.Copy(&text, packed)
		require.NoError(t, err)
	}
	return text.String()
}

// sockets: a socket opens for a good token on its own organisation's host, and receives that organisation's events alone.
func (w *twoOrgs) sockets(t *testing.T) {
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
	refused := append(w.credentials(w.ours.ann), credential{anotherOrganisations, w.theirs.ann.Token})
	for _, c := range refused {
		_, hello := dial(w.ours.Host, c.token)
		require.True(t, strings.HasPrefix(hello, "44"), "%s: %s", c.name, hello)
	}

	ours, hello := dial(w.ours.Host, w.ours.owner.Token)
	require.True(t, strings.HasPrefix(hello, "40{"), hello)
	visitor, _ := dial(w.ours.Host, w.ours.visitor.Token)
	for _, s := range []*shop{w.theirs, w.ours} { // theirs first: it would be received first
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
	require.Error(t, err, "a socket without a session receives nothing: %s", text)
}
