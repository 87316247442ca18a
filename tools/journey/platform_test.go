// Package journey goes the whole way over HTTP, as programs that know nothing of our code would: an admin opens
// organisations, customers sign in by LINE, pay, buy and use; all on real parts, with LINE and the gateway emulated.
package journey

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"welovevoucher/api"
	"welovevoucher/api/owner"
	"welovevoucher/api/pages"
	"welovevoucher/platform/access"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/line"
	"welovevoucher/platform/pay"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/realtime"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants"
	"welovevoucher/tenants/wallet"
	lineemu "welovevoucher/tools/line"
	payemu "welovevoucher/tools/pay"
	"welovevoucher/workers"
)

// platform is everything running at once, in this process.
type platform struct {
	*dbtest.Server
	t        *testing.T
	services *tenants.Services
	line     *httptest.Server
	pay      *httptest.Server
	port     int
	client   *http.Client
	plan     uuid.UUID
}

const (
	adminPassword   = "platform-2026"
	platformChannel = "1650000000"
)

func start(t *testing.T) *platform {
	t.Helper()
	p := &platform{Server: dbtest.Open(t), t: t, plan: db.NewID()}

	lines, err := lineemu.New(lineemu.Options{Adopt: true})
	require.NoError(t, err)
	p.line = httptest.NewServer(lines.Handler())
	t.Cleanup(p.line.Close)
	pays, err := payemu.New(payemu.Options{Adopt: true})
	require.NoError(t, err)
	p.pay = httptest.NewServer(pays.Handler())
	t.Cleanup(p.pay.Close)

	client := openRedis(t)
	hints := queue.NewHints(client)
	master := bytes.Repeat([]byte{42}, 32) // the tests share a database, and so its key
	box, err := secret.New(master)
	require.NoError(t, err)
	objects, err := blob.OpenFolder(t.TempDir())
	require.NoError(t, err)
	p.services, err = tenants.New(tenants.Parts{
		DB: p.DB, Schemas: p.Schemas, Access: access.New(p.DB, client), Guesses: ratelimit.NewSignIns(client), Limits: ratelimit.New(client), Objects: objects, Files: owner.Exports(), Box: box, Domain: "localhost",
		Channel: line.Channel{ID: platformChannel, Secret: "secret-of-the-platform"},
		Line:    line.New(config.Line{APIURL: p.line.URL, AccessURL: p.line.URL, LIFFURL: p.line.URL}),
		Pay: func(k wallet.Keys) (pay.Gateway, error) {
			return pay.NewOmise(config.Pay{APIURL: p.pay.URL, VaultURL: p.pay.URL}, pay.Keys{Public: k.Public, Secret: k.Secret, Webhook: k.Webhook}), nil
		},
		Vault: p.pay.URL,
	})
	require.NoError(t, err)

	page := []byte(`<!doctype html><html lang="th"><head><!--boot--></head><body><div id="app"></div></body></html>`)
	sockets := api.Sockets(p.services, client, "localhost")
	app, err := api.New(api.Parts{
		Log: zap.NewNop(), Services: p.services, Hints: hints, Sockets: sockets, PlatformHost: "localhost",
		Pages: pages.Config{Dist: fstest.MapFS{"customer/index.html": {Data: page}, "agent/index.html": {Data: page}, "backoffice/index.html": {Data: page}}},
	})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p.port = listener.Addr().(*net.TCPAddr).Port
	go func() { _ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }() // ends with Shutdown below
	t.Cleanup(func() { require.NoError(t, app.ShutdownWithTimeout(2*time.Second)) })

	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	mux := queue.NewMux(p.DB)
	workers.Jobs(mux, p.services, realtime.NewPublisher(client))
	schedule := queue.NewSchedule(p.DB, hints, zap.NewNop())
	workers.Timetable(schedule)
	finished := make(chan error, 1)
	go func() {
		finished <- workers.Run(ctx, queue.NewRelay(mux, client, master, zap.NewNop()), queue.NewServer(mux, client, master, zap.NewNop(), 4, 4), schedule)
	}()
	t.Cleanup(func() { stop(); require.NoError(t, <-finished) })

	// Every host of ours is this machine.
	p.client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.Contains(address, "localhost") {
				address = fmt.Sprintf("127.0.0.1:%d", p.port)
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}
	p.seed()
	return p
}

// openRedis is the real one where there is one (.ci/run starts it), else one in this process.
func openRedis(t *testing.T) *redis.Client {
	t.Helper()
	options := &redis.Options{}
	if url := os.Getenv("TEST_REDIS_URL"); url != "" {
		var err error
		options, err = redis.ParseURL(url)
		require.NoError(t, err)
	} else {
		options.Addr = miniredis.RunT(t).Addr()
	}
	client := redis.NewClient(options)
	require.NoError(t, client.FlushDB(t.Context()).Err())
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

func (p *platform) seed() {
	p.t.Helper()
	require.NoError(p.t, p.services.Admins.Add(p.t.Context(), "admin", "ผู้ดูแล", adminPassword))
	require.NoError(p.t, p.DB.InPlatform(p.t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(p.t.Context(), `INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at)
			VALUES ($1, 'มาตรฐาน', 'Standard', '{}', 300, 5, $2)`, p.plan, tx.Now)
		return err
	}))
}

// reply is an envelope.
type reply struct {
	Result  bool            `json:"result"`
	Code    int             `json:"code"`
	Detail  json.RawMessage `json:"detail"`
	Message string          `json:"message"`
	Fault   string          `json:"fault"`
	Fields  []struct{ Path, Fault string }
}

// browser is one person's phone or desk: a host, a token, a cookie.
type browser struct {
	*platform
	host    string
	token   string
	session string
}

func (p *platform) browser(host string) *browser {
	return &browser{platform: p, host: host, session: uuid.NewString()}
}

// post calls the API; key is an idempotency key or "".
func (b *browser) post(path, key string, body any) reply {
	b.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(b.t, err)
	return b.raw(path, key, text)
}

func (b *browser) raw(path, key string, text []byte) reply {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, fmt.Sprintf("http://%s:%d%s", b.host, b.port, path), bytes.NewReader(text))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", "browser="+b.session)
	if b.token != "" {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := b.client.Do(req)
	require.NoError(b.t, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	var r reply
	require.NoError(b.t, json.Unmarshal(answer, &r), "%s answered %s", path, answer)
	require.Equal(b.t, res.StatusCode, r.Code, path)
	return r
}

// must calls the API and reads the detail of an answer that has to be good.
func must[T any](b *browser, path, key string, body any) (detail T) {
	b.t.Helper()
	r := b.post(path, key, body)
	require.True(b.t, r.Result, "%s: %d %s %v", path, r.Code, r.Fault, r.Fields)
	require.NoError(b.t, json.Unmarshal(r.Detail, &detail))
	return detail
}

func (p *platform) get(host, path string) (int, http.Header, string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, fmt.Sprintf("http://%s:%d%s", host, p.port, path), nil)
	require.NoError(p.t, err)
	res, err := p.client.Do(req)
	require.NoError(p.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	return res.StatusCode, res.Header, string(text)
}

// control calls an emulator.
func (p *platform) control(base, path string, body any) map[string]any {
	p.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(p.t, err)
	res, err := http.Post(base+path, "application/json", bytes.NewReader(text))
	require.NoError(p.t, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	require.Less(p.t, res.StatusCode, 300, "%s: %s", path, answer)
	out := map[string]any{}
	if len(bytes.TrimSpace(answer)) > 0 {
		require.NoError(p.t, json.Unmarshal(answer, &out))
	}
	return out
}

// eventually waits for workers to do what they must.
func (p *platform) eventually(what string, ok func() bool) {
	p.t.Helper()
	require.Eventually(p.t, ok, 20*time.Second, 50*time.Millisecond, what)
}

func b64(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return base64.StdEncoding.EncodeToString(b)
}
