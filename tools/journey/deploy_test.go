package journey

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	lineemu "welovevoucher/tools/line"
	payemu "welovevoucher/tools/pay"
	"welovevoucher/tools/postgres"
	"welovevoucher/tools/stage"
)

// deployment is the program as README.md says to deploy it: its two roles on a Postgres that had nothing in it, two
// processes of the API behind one address, one worker.
type deployment struct {
	*stage.Platform
	program   string
	env       []string // without METRICS_ADDR and PORT
	ownerURL  string
	objects   string
	collector *collector
	memory    *miniredis.Miniredis
	apis      []*running
	worker    *running
}

// running is one process of ours.
type running struct {
	cmd     *exec.Cmd
	port    int
	metrics string // address of its numbers
	log     string // file
	left    atomic.Bool
	away    atomic.Bool // its health says no
}

func deploy(t testing.TB) *deployment {
	t.Helper()
	d := &deployment{Platform: &stage.Platform{T: t}, collector: newCollector(t), objects: t.TempDir(), memory: miniredis.RunT(t)}
	d.program = filepath.Join(t.TempDir(), "welovevoucher")
	build := exec.Command("go", "build", "-o", d.program, ".")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	appURL := d.prepareDatabase()
	lines, err := lineemu.New(lineemu.Options{Adopt: true})
	require.NoError(t, err)
	d.LINE = httptest.NewServer(lines.Handler())
	t.Cleanup(d.LINE.Close)
	pays, err := payemu.New(payemu.Options{Adopt: true})
	require.NoError(t, err)
	d.Pay = httptest.NewServer(pays.Handler())
	t.Cleanup(d.Pay.Close)

	d.env = append(os.Environ(), "DATABASE_URL="+appURL, "REDIS_URL=redis://"+d.memory.Addr(), "MASTER_KEY="+stage.Secret(32), "OBJECT_DIR="+d.objects,
		"LINE_API_URL="+d.LINE.URL, "LINE_ACCESS_URL="+d.LINE.URL, "LINE_LIFF_URL="+d.LINE.URL, "OMISE_API_URL="+d.Pay.URL, "OMISE_VAULT_URL="+d.Pay.URL,
		"OTEL_EXPORTER_OTLP_ENDPOINT="+d.collector.URL, "OTEL_BSP_SCHEDULE_DELAY=200", "PUBLIC_URL=http://localhost", "SHUTDOWN_NOTICE="+notice.String())
	d.must("migrate")
	d.must("admin", "add", "admin", "ผู้ดูแล")
	d.apis = []*running{d.start("api"), d.start("api")}
	for _, api := range d.apis {
		go api.watch(t.Context())
	}
	d.worker = d.start("worker")
	d.Port = d.apis[0].port
	d.Client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: d.balance(), DisableKeepAlives: true}}
	d.Eventually("both processes are healthy", func() bool {
		for range d.apis {
			if status, ok := d.health(); !ok || status != http.StatusOK {
				return false
			}
		}
		return true
	})
	require.NoError(t, d.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT id FROM plan ORDER BY id LIMIT 1`).Scan(&d.Plan)
	}))
	return d
}

// prepareDatabase runs what README.md tells the superuser to run, on a cluster of this test's own.
func (d *deployment) prepareDatabase() (appURL string) {
	d.T.Helper()
	dir, err := os.MkdirTemp("", "welovevoucher-deploy-")
	require.NoError(d.T, err)
	d.T.Cleanup(func() { require.NoError(d.T, os.RemoveAll(dir)) })
	server, err := postgres.Start(d.T.Context(), postgres.Options{Dir: dir, BinDir: os.Getenv(clientTools)})
	require.NoError(d.T, err)
	d.T.Cleanup(func() { require.NoError(d.T, server.Stop()) })

	at, err := url.Parse(server.URL())
	require.NoError(d.T, err)
	address := func(user *url.Userinfo, database string) string {
		u := *at
		u.User, u.Path = user, "/"+database
		return u.String()
	}
	sql := strings.ReplaceAll(block(d.T, "Deploying", "sql"), "'…'", "'secret'")
	asPostgres, inDatabase, found := strings.Cut(sql, `\c welovevoucher`)
	require.True(d.T, found)
	d.exec(address(at.User, "postgres"), asPostgres)
	d.exec(address(at.User, "welovevoucher"), inDatabase)

	appURL = address(url.UserPassword("wlv_app", "secret"), "welovevoucher")
	d.ownerURL = address(url.UserPassword("wlv_migrator", "secret"), "welovevoucher")
	opened, err := db.Open(d.T.Context(), map[string]string{db.MainNode: appURL}, 4, &clock.Clock{})
	require.NoError(d.T, err)
	d.T.Cleanup(opened.Close)
	d.Server = &dbtest.Server{DB: opened, AppURL: appURL, OwnURL: d.ownerURL}
	return appURL
}

func (d *deployment) exec(address, sql string) {
	d.T.Helper()
	conn, err := pgx.Connect(d.T.Context(), address)
	require.NoError(d.T, err)
	defer conn.Close(context.WithoutCancel(d.T.Context()))
	for statement := range strings.SplitSeq(sql, ";") {
		if strings.TrimSpace(statement) != "" { // CREATE DATABASE wants to be alone
			_, err := conn.Exec(d.T.Context(), statement)
			require.NoError(d.T, err, statement)
		}
	}
}

func (d *deployment) with(more ...string) []string { return slices.Concat(d.env, more) }

// run is one command of an operator.
func (d *deployment) run(args ...string) (string, error) {
	cmd := exec.CommandContext(d.T.Context(), d.program, args...)
	cmd.Env = d.with("MIGRATE_URL="+d.ownerURL, "ADMIN_PASSWORD="+stage.AdminPassword)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (d *deployment) must(args ...string) string {
	d.T.Helper()
	out, err := d.run(args...)
	require.NoError(d.T, err, out)
	return out
}

func (d *deployment) start(role string) *running {
	d.T.Helper()
	r := &running{port: freePort(d.T), metrics: fmt.Sprintf("127.0.0.1:%d", freePort(d.T)), log: filepath.Join(d.T.TempDir(), role+".log")}
	file, err := os.Create(r.log)
	require.NoError(d.T, err)
	defer file.Close()
	r.cmd = exec.Command(d.program, role)
	r.cmd.Env = d.with(fmt.Sprintf("PORT=%d", r.port), "METRICS_ADDR="+r.metrics)
	if role == "worker" {
		r.cmd.Env = append(r.cmd.Env, "MIGRATE_URL="+d.ownerURL)
	}
	r.cmd.Stdout, r.cmd.Stderr = file, file
	require.NoError(d.T, r.cmd.Start())
	d.T.Cleanup(func() {
		r.stop(d.T)
		if text := r.text(d.T); d.T.Failed() {
			d.T.Logf("%s:\n%s", role, text[max(0, len(text)-4000):])
		}
	})
	return r
}

// stop asks the process to end, as a machine does that goes down, and requires that it ends well.
func (r *running) stop(t testing.TB) {
	t.Helper()
	if r.left.Swap(true) {
		return
	}
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, r.cmd.Wait())
}

func (r *running) text(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(r.log)
	require.NoError(t, err)
	return string(text)
}

// lookAt is how often the proxy looks whether a process wants requests; the processes give notice for longer.
const lookAt, notice = 100 * time.Millisecond, time.Second

// balance is what a proxy does: it takes the processes in turn, but not one whose health says no, and the next one where nobody
// listens.
func (d *deployment) balance() func(ctx context.Context, network, address string) (net.Conn, error) {
	var turn atomic.Int64
	return func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		if !strings.Contains(address, "localhost") {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		}
		first := int(turn.Add(1))
		for _, away := range []bool{false, true} { // those that say no are better than none
			for i := range d.apis {
				api := d.apis[(first+i)%len(d.apis)]
				if api.away.Load() != away {
					continue
				}
				if conn, err = (&net.Dialer{}).DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", api.port)); err == nil {
					return conn, nil
				}
			}
		}
		return nil, err
	}
}

// watch looks after a process's health as the proxy does, until the test ends.
func (r *running) watch(ctx context.Context) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for ctx.Err() == nil {
		res, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/api/health", r.port))
		r.away.Store(err != nil || res.StatusCode != http.StatusOK)
		if err == nil {
			_ = res.Body.Close() // the status was all
		}
		time.Sleep(lookAt)
	}
}

func (d *deployment) health() (int, bool) {
	res, err := d.Client.Get("http://localhost/api/health")
	if err != nil {
		return 0, false
	}
	return res.StatusCode, res.Body.Close() == nil
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// block is the first fenced block of a language in a chapter of README.md: what is written there is what is tried here.
func block(t testing.TB, chapter, language string) string {
	t.Helper()
	blocks := blocks(t, chapter, language)
	require.NotEmpty(t, blocks)
	return blocks[0]
}

func blocks(t testing.TB, chapter, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "\n## "+chapter+"\n")
	require.True(t, ok, chapter)
	rest, _, _ = strings.Cut(rest, "\n## ")
	inside, current := false, ""
	for line := range strings.Lines(rest) {
		switch {
		case !inside && strings.TrimSpace(line) == "```"+language:
			inside, current = true, ""
		case inside && strings.TrimSpace(line) == "```":
			inside = false
			found = append(found, current)
		case inside:
			current += line
		}
	}
	return found
}

func TestDeploy(t *testing.T) {
	d := deploy(t)
	spa := d.Open("lamai-spa", "เรือนละไม สปา", "1650000001")
	spa.Sell(300_00, nil)
	ann := spa.Customer("แอน")
	spa.Rich(ann, 600_00)
	bought := spa.Buy(ann)
	type use struct {
		ID        string
		TypedCode string `json:"typed_code"`
	}
	opened := stage.Must[use](ann, "/api/user/voucher/use", stage.Secret(12), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": spa.Place, "items": 1})
	stage.Must[any](spa.Owner, "/api/staff/voucher/confirm", stage.Secret(12), map[string]any{"use_session_id": opened.ID, "service_point_id": spa.Place})
	thief := d.Browser(spa.Host)
	require.False(t, thief.Post("/api/authen/owner/user", "", map[string]string{"username": "owner", "password": "wrong-2026"}).Result)
	ann.Post("/api/user/no-such-"+bought.ID.String(), "", map[string]any{})

	t.Run("numbers tell what happened, and nothing about whom", func(t *testing.T) { d.requireNumbers(t) })
	t.Run("a trace leads from the request through its SQL to the job", func(t *testing.T) { d.requireTrace(t) })
	t.Run("every line names its trace", func(t *testing.T) { d.requireLines(t) })
	t.Run("the books balance", func(t *testing.T) {
		require.Equal(t, "lamai-spa: the books balance\n", d.must("audit", "ledger"))
	})
	t.Run("a taken metrics address stops the start", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), d.program, "api")
		cmd.Env = d.with(fmt.Sprintf("PORT=%d", freePort(t)), "METRICS_ADDR="+d.worker.metrics)
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "METRICS_ADDR cannot be opened")
	})
	t.Run("processes that are stopped under load lose no request and no job", func(t *testing.T) { d.requireGraceful(t, spa) })
}

// requireGraceful buys without a pause while one API and the only worker are replaced.
func (d *deployment) requireGraceful(t testing.TB, spa *stage.Organisation) {
	buyers := make([]*stage.Browser, 4)
	for i := range buyers {
		buyers[i] = spa.Customer(fmt.Sprintf("buyer %d", i))
		for range 3 { // more than he can spend meanwhile on any machine
			spa.Rich(buyers[i], 150_000_00)
		}
		if i%2 == 0 { // and half of them over connections that stay open
			buyers[i].Client = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: d.balance()}}
		}
	}
	var bought, lost atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, b := range buyers {
		_, confirm := spa.QuoteFor(b)
		body, err := json.Marshal(confirm)
		require.NoError(t, err)
		wg.Go(func() {
			for ctx.Err() == nil {
				d.forgetLimits()
				if err := tryBuy(b, body); err != nil {
					t.Log(err)
					lost.Add(1)
					continue
				}
				bought.Add(1)
			}
		})
	}
	time.Sleep(time.Second)
	d.apis[1].stop(t)
	d.worker.stop(t)
	d.worker = d.start("worker")
	time.Sleep(time.Second)
	stop()
	wg.Wait()

	require.Zero(t, lost.Load())
	require.Greater(t, bought.Load(), int64(10))
	var undone []string
	defer func() {
		if len(undone) > 0 {
			t.Log(undone)
		}
	}()
	d.Eventually("every job is done", func() bool { undone = d.undone(spa); return len(undone) == 0 })
	require.Equal(t, "lamai-spa: the books balance\n", d.must("audit", "ledger"))
	t.Logf("%d purchases meanwhile", bought.Load())
}

// forgetLimits lets buyers go on faster than people do.
func (d *deployment) forgetLimits() {
	for _, key := range d.memory.Keys() {
		if strings.HasPrefix(key, "limit:") {
			d.memory.Del(key)
		}
	}
}

// undone lists the jobs that are due, with what is known of them.
func (d *deployment) undone(o *stage.Organisation) (jobs []string) {
	d.T.Helper()
	const sql = `SELECT concat_ws(' ', id, kind, 'due', due_at, 'handed', handed_at, 'failed', attempts, last_error)
		FROM outbox WHERE done_at IS NULL AND due_at <= $1 ORDER BY due_at`
	require.NoError(d.T, d.DB.InOrg(d.T.Context(), o.ID, func(tx db.Tx) error {
		rows, err := tx.Query(d.T.Context(), sql, tx.Now)
		if err != nil {
			return err
		}
		jobs, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	}))
	return jobs
}

// tryBuy is one purchase that may be lost on the way.
func tryBuy(b *stage.Browser, body []byte) error {
	req, err := http.NewRequest(http.MethodPost, "http://"+b.Host+"/api/user/order/confirm", bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer " + b.Token, "Cookie": "browser=" + b.Session, "Idempotency-Key": stage.Secret(12),
	} {
		req.Header.Set(name, value)
	}
	res, err := b.Client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var r stage.Reply
	if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
		return err
	}
	if !r.Result {
		return fmt.Errorf("%d %s", r.Code, r.Fault)
	}
	return nil
}

// requireLines looks at what the processes have written.
func (d *deployment) requireLines(t testing.TB) {
	requests := 0
	for _, r := range append([]*running{d.worker}, d.apis...) {
		lines := bufio.NewScanner(strings.NewReader(r.text(t)))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct{ Msg, Trace, Request, Job string }
			require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
			require.NotContains(t, lines.Text(), "แอน")
			if line.Msg == "request" {
				requests++
				require.Len(t, line.Trace, 32)
				require.NotEmpty(t, line.Request)
			}
			if line.Job != "" {
				require.Len(t, line.Trace, 32, lines.Text())
			}
		}
	}
	require.Greater(t, requests, 10)
}
