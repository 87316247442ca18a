// Package harness is the whole platform in one process, for tests that go over HTTP as programs would that know nothing
// of our code: real parts on a real Postgres, with LINE and the gateway emulated. Nothing but tests imports it.
package harness

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
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
	"go.uber.org/zap/zaptest"

	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/program"
	"welovevoucher/tenants"
	"welovevoucher/tenants/org"
	lineemu "welovevoucher/tools/emulator/line"
	mailemu "welovevoucher/tools/emulator/mail"
	payemu "welovevoucher/tools/emulator/omise"
	smsemu "welovevoucher/tools/emulator/sms"
)

// Platform is everything running at once, in this process.
type Platform struct {
	*dbtest.Server
	T        testing.TB
	Services *tenants.Services
	App      *fiber.App
	Redis    *redis.Client
	Objects  string // folder
	LINE     *httptest.Server
	Pay      *httptest.Server
	SMS      *httptest.Server
	Mail     *mailemu.Emulator
	SMTP     string // address of Mail
	Port     int
	Client   *http.Client
	Plan     uuid.UUID
}

// What Start seeds the platform with.
const (
	AdminPassword   = "platform-2026"
	PlatformChannel = "1650000000"
)

// PlatformAccount is the platform's own at the gateway.
var PlatformAccount = payemu.Account{
	PublicKey: "pkey_test_platform", SecretKey: "skey_test_platform", WebhookSecret: base64.StdEncoding.EncodeToString([]byte("webhooks of the platform's account")),
}

// Options change how the platform runs.
type Options struct {
	Log      *zap.Logger    // none: errors are the test's output
	Database *dbtest.Server // none: the one that the test binary's tests share
	Pool     int            // connections; 0: as many as dbtest opens
	Redis    string         // address of one that nobody else uses; none: what openRedis finds
}

// Start runs the platform until the test ends.
func Start(t testing.TB) *Platform {
	t.Helper()
	return StartWith(t, Options{})
}

// MasterKey is one for all tests, because they share a database.
var MasterKey = bytes.Repeat([]byte{42}, 32)

// StartWith runs it as options say.
func StartWith(t testing.TB, o Options) *Platform {
	t.Helper()
	if o.Database == nil {
		o.Database = dbtest.Open(t)
	}
	server := *o.Database
	p := &Platform{Server: &server, T: t, Objects: t.TempDir(), Plan: db.NewID()}
	if o.Log == nil {
		o.Log = zaptest.NewLogger(t, zaptest.Level(zap.ErrorLevel))
	}
	if o.Pool > 0 {
		var err error
		p.DB, err = db.Open(t.Context(), map[string]string{db.MainNode: p.AppURL}, o.Pool, p.Clock)
		require.NoError(t, err)
		t.Cleanup(p.DB.Close)
	}

	p.Imitate()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p.Port = listener.Addr().(*net.TCPAddr).Port

	client := openRedis(t, o.Redis)
	p.Redis = client
	running, err := program.New(t.Context(), program.Parts{
		Log: o.Log, DB: p.DB, Schemas: p.Schemas, Redis: client,
		Config: config.Config{
			PublicURL: fmt.Sprintf("http://localhost:%d", p.Port), MasterKey: MasterKey,
			ObjectDir: p.Objects, ShutdownGrace: 2 * time.Second,
			Line: config.Line{APIURL: p.LINE.URL, AccessURL: p.LINE.URL, LIFFURL: p.LINE.URL, ChannelID: PlatformChannel, ChannelSecret: "secret-of-the-platform"},
			SMS:  config.SMS{URL: p.SMS.URL + "/messages", Token: "test"},
			Mail: config.Mail{URL: p.SMTP, From: "noreply@example.com"},
			Pay: config.Pay{
				APIURL: p.Pay.URL, VaultURL: p.Pay.URL,
				PublicKey: PlatformAccount.PublicKey, SecretKey: PlatformAccount.SecretKey, WebhookSecret: PlatformAccount.WebhookSecret,
			},
		},
	})
	require.NoError(t, err)
	p.Services = running.Services
	page := &fstest.MapFile{Data: []byte(`<!doctype html><html lang="th"><head><!--boot--></head><body><div id="app"></div></body></html>`)}
	api, err := running.NewAPI(fstest.MapFS{"customer/index.html": page, "agent/index.html": page, "backoffice/index.html": page})
	require.NoError(t, err)
	p.App = api.App
	p.untilTheEnd(func(ctx context.Context) error { return api.Serve(ctx, listener) })
	t.Cleanup(func() { p.Client.CloseIdleConnections() }) // also those that were opened for a call that another one took
	p.untilTheEnd(running.NewWorker().Run)

	// Every host of ours is this machine.
	p.Client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.Contains(address, "localhost") {
				address = fmt.Sprintf("127.0.0.1:%d", p.Port)
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}
	p.seed()
	return p
}

// untilTheEnd runs a part of the platform until the test ends.
func (p *Platform) untilTheEnd(run func(ctx context.Context) error) {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	p.T.Cleanup(func() {
		stop()
		require.NoError(p.T, <-ended)
	})
}

// openRedis is at address, or the real one where there is one (.ci/run starts it), else one in this process.
func openRedis(t testing.TB, address string) *redis.Client {
	t.Helper()
	options := &redis.Options{Addr: address}
	if url := os.Getenv("TEST_REDIS_URL"); address == "" && url != "" {
		var err error
		options, err = redis.ParseURL(url)
		require.NoError(t, err)
		options.DB = holdDatabase(t, *options)
	} else if address == "" {
		options.Addr = miniredis.RunT(t).Addr()
	}
	client := redis.NewClient(options)
	require.NoError(t, client.FlushDB(t.Context()).Err())
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

// holdDatabase takes a database of the real Redis that no platform has, for test binaries run side by side: they would
// take each other's jobs. The server's first database says which are held.
func holdDatabase(t testing.TB, shared redis.Options) int {
	t.Helper()
	client := redis.NewClient(&shared)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for n := 1; ; n++ {
		require.Less(t, n, 16, "every database is held")
		key := fmt.Sprintf("held:%d", n)
		free, err := client.SetNX(t.Context(), key, os.Getpid(), time.Hour).Result()
		require.NoError(t, err)
		if free {
			t.Cleanup(func() { require.NoError(t, client.Del(context.WithoutCancel(t.Context()), key).Err()) })
			return n
		}
	}
}

// Imitate starts LINE, the gateway and that of text messages, until the test ends.
func (p *Platform) Imitate() {
	p.T.Helper()
	lines, err := lineemu.New(lineemu.Options{Adopt: true})
	require.NoError(p.T, err)
	p.LINE = httptest.NewServer(lines.Handler())
	p.T.Cleanup(p.LINE.Close)
	pays, err := payemu.New(payemu.Options{Adopt: true, Accounts: []payemu.Account{PlatformAccount}})
	require.NoError(p.T, err)
	p.Pay = httptest.NewServer(pays.Handler())
	p.T.Cleanup(p.Pay.Close)
	p.SMS = httptest.NewServer(smsemu.New().Handler())
	p.T.Cleanup(p.SMS.Close)
	smtp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(p.T, err)
	p.Mail, p.SMTP = mailemu.New(), "smtp://"+smtp.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- p.Mail.Serve(smtp) }()
	p.T.Cleanup(func() { require.NoError(p.T, errors.Join(smtp.Close(), <-ended)) })
}

// Texts returns what was sent to a mobile number in E.164, newest first.
func (p *Platform) Texts(to string) []string {
	p.T.Helper()
	res, err := http.Get(p.SMS.URL + "/emulator/messages?to=" + url.QueryEscape(to))
	require.NoError(p.T, err)
	defer res.Body.Close()
	var sent []smsemu.Message
	require.NoError(p.T, json.NewDecoder(res.Body).Decode(&sent))
	texts := make([]string, len(sent))
	for i, m := range sent {
		texts[i] = m.Text
	}
	return texts
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// Code returns the code that was sent last to a mobile number in E.164, "" if none was.
func (p *Platform) Code(to string) string {
	p.T.Helper()
	texts := p.Texts(to)
	if len(texts) == 0 {
		return ""
	}
	return sixDigits.FindString(texts[0])
}

func (p *Platform) seed() {
	p.T.Helper()
	p.AddAdmin("admin", "ผู้ดูแล")
	require.NoError(p.T, p.DB.InPlatform(p.T.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(p.T.Context(), `INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at)
			SELECT $1, 'มาตรฐาน', 'Standard', modules, 300, 5, $2 FROM plan WHERE name_en = 'Growth'`, p.Plan, tx.Now)
		return err
	}))
}

// AddAdmin adds one who signs in by AdminPassword. The tests of a package share a database, and so its admins.
func (p *Platform) AddAdmin(username, name string) {
	p.T.Helper()
	if err := p.Services.Admins.Add(p.T.Context(), username, name, AdminPassword); !errors.Is(err, org.ErrTaken) {
		require.NoError(p.T, err)
	}
}

// ForgetLimits lets people go on who were faster than people may be.
func (p *Platform) ForgetLimits() error {
	ctx := context.Background()
	counts, err := p.Redis.Keys(ctx, "limit:*").Result()
	if err != nil || len(counts) == 0 {
		return err
	}
	return p.Redis.Del(ctx, counts...).Err()
}

// Control calls an emulator.
func (p *Platform) Control(base, path string, body any) map[string]any {
	p.T.Helper()
	text, err := json.Marshal(body)
	require.NoError(p.T, err)
	res, err := http.Post(base+path, "application/json", bytes.NewReader(text))
	require.NoError(p.T, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(p.T, err)
	require.Less(p.T, res.StatusCode, 300, "%s: %s", path, answer)
	out := map[string]any{}
	if len(bytes.TrimSpace(answer)) > 0 {
		require.NoError(p.T, json.Unmarshal(answer, &out))
	}
	return out
}

// Eventually waits for workers to do what they must. A charge that began just before is looked at half a minute later, and that is
// waited for too, and at a pace at which a person may ask all that time.
func (p *Platform) Eventually(what string, ok func() bool) {
	p.T.Helper()
	require.Eventually(p.T, ok, time.Minute, 200*time.Millisecond, what)
}

// Secret is n random bytes in base64.
func Secret(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return base64.StdEncoding.EncodeToString(b)
}
