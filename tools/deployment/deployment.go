// Package deployment is the program as README.md says to deploy it, in processes of its own, for tests that stop, replace
// and kill them: its two roles on a Postgres that had nothing in it, the API's processes behind one address, one worker.
// Nothing but tests imports it.
package deployment

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/queue"
	"welovevoucher/tools/harness"
	"welovevoucher/tools/postgres"
)

// Deployment is what runs.
type Deployment struct {
	*harness.Platform
	Program  string
	Postgres *postgres.Server
	APIs     []*Process
	Worker   *Process

	options Options
	env     []string // without what differs between processes
}

// Options change how it is deployed.
type Options struct {
	APIs     int
	RedisURL string
	Env      []string
	// BinDir has the Postgres to use; empty takes that of `make dev`. Durable lets its commits survive.
	BinDir  string
	Durable bool
	// Route says at which address a role finds "postgres", "redis" or the "gateway", which is at an address; nil leaves it.
	Route func(role, what, address string) string
}

// lookAt is how often the proxy looks whether a process wants requests; the processes give notice for longer.
const lookAt, notice = 100 * time.Millisecond, time.Second

// Start deploys the program and waits until it is healthy. It runs until the test ends.
func Start(t testing.TB, o Options) *Deployment {
	t.Helper()
	d := &Deployment{Platform: &harness.Platform{T: t, Objects: t.TempDir()}, options: o}
	d.Imitate()
	memory, err := redis.ParseURL(o.RedisURL)
	require.NoError(t, err)
	d.Redis = redis.NewClient(memory)
	t.Cleanup(func() { require.NoError(t, d.Redis.Close()) })
	d.Program = filepath.Join(t.TempDir(), "welovevoucher")
	build := exec.Command("go", "build", "-o", d.Program, ".")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	d.prepareDatabase()
	d.env = slices.Concat(os.Environ(), []string{
		"MASTER_KEY=" + harness.Secret(32), "OBJECT_DIR=" + d.Objects, "LINE_API_URL=" + d.LINE.URL, "LINE_ACCESS_URL=" + d.LINE.URL,
		"LINE_LIFF_URL=" + d.LINE.URL, "OMISE_VAULT_URL=" + d.Pay.URL, "SMS_URL=" + d.SMS.URL + "/messages", "SMS_TOKEN=test", "SMTP_URL=" + d.SMTP, "MAIL_FROM=noreply@example.com", "PUBLIC_URL=http://localhost", "SHUTDOWN_DRAIN=" + notice.String(),
	}, o.Env)
	d.Must("migrate")
	d.Must("admin", "add", "admin", "ผู้ดูแล")
	for range o.APIs {
		d.APIs = append(d.APIs, d.Start("api"))
	}
	for _, api := range d.APIs {
		go api.watch(t.Context())
	}
	d.Worker = d.Start("worker")
	d.Port = d.APIs[0].Port
	d.Client = d.NewClient(true)
	d.Eventually("every process is healthy", func() bool {
		for range d.APIs {
			if !d.Healthy() {
				return false
			}
		}
		return true
	})
	require.NoError(t, d.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT id FROM plan ORDER BY id DESC LIMIT 1`).Scan(&d.Plan)
	}))
	return d
}

// prepareDatabase runs what README.md has the superuser run, on a cluster of this test's own.
func (d *Deployment) prepareDatabase() {
	d.T.Helper()
	dir, err := os.MkdirTemp("", "welovevoucher-deploy-")
	require.NoError(d.T, err)
	d.Postgres, err = postgres.Start(d.T.Context(), postgres.Options{Dir: dir, BinDir: d.options.BinDir, Durable: d.options.Durable})
	require.NoError(d.T, err)
	d.T.Cleanup(func() {
		require.NoError(d.T, errors.Join(d.Postgres.Stop(), os.RemoveAll(d.Postgres.Dir), os.RemoveAll(dir)))
	})

	at, err := url.Parse(d.Postgres.URL())
	require.NoError(d.T, err)
	address := func(user *url.Userinfo, database string) string {
		u := *at
		u.User, u.Path = user, "/"+database
		return u.String()
	}
	sql := strings.ReplaceAll(Said(d.T, "Deploying", "sql")[0], "'…'", "'secret'")
	asPostgres, inDatabase, found := strings.Cut(sql, `\c welovevoucher`)
	require.True(d.T, found)
	d.exec(address(at.User, "postgres"), asPostgres)
	d.exec(address(at.User, "welovevoucher"), inDatabase)

	appURL := address(url.UserPassword("wlv_app", "secret"), "welovevoucher")
	now := &clock.Clock{}
	opened, err := db.Open(d.T.Context(), map[string]string{db.MainNode: appURL}, 4, now)
	require.NoError(d.T, err)
	d.T.Cleanup(opened.Close)
	d.Server = &dbtest.Server{
		DB: opened, Clock: now, AppURL: appURL, OwnURL: address(url.UserPassword("wlv_migrator", "secret"), "welovevoucher"), SuperURL: address(at.User, "welovevoucher"),
	}
}

func (d *Deployment) exec(address, sql string) {
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

// Env is what a process of a role gets; an operator's command has the role "".
func (d *Deployment) Env(role string, more ...string) []string {
	at := func(what, address string) string {
		if role == "" || d.options.Route == nil {
			return address
		}
		return d.options.Route(role, what, address)
	}
	env := slices.Concat(d.env, []string{
		"DATABASE_URL=" + at("postgres", d.AppURL), "REDIS_URL=" + at("redis", d.options.RedisURL), "OMISE_API_URL=" + at("gateway", d.Pay.URL),
	}, more)
	if role != "api" {
		env = append(env, "MIGRATE_URL="+at("postgres", d.OwnURL))
	}
	return env
}

// Run is one command of an operator.
func (d *Deployment) Run(args ...string) (string, error) {
	_, out, err := d.RunProcess(args...)
	return out, err
}

// RunProcess is Run, and says how the process ended.
func (d *Deployment) RunProcess(args ...string) (ended *os.ProcessState, out string, err error) {
	cmd := exec.CommandContext(d.T.Context(), d.Program, args...)
	cmd.Env = d.Env("", "ADMIN_PASSWORD="+harness.AdminPassword)
	written, err := cmd.CombinedOutput()
	return cmd.ProcessState, string(written), err
}

// Must is a command that has to succeed.
func (d *Deployment) Must(args ...string) string {
	d.T.Helper()
	out, err := d.Run(args...)
	require.NoError(d.T, err, out)
	return out
}

// NewClient is somebody's who reaches every host of ours through the proxy. A client that hangs up does so after each answer.
func (d *Deployment) NewClient(hangUp bool) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: d.balance(), DisableKeepAlives: hangUp, MaxIdleConnsPerHost: 16}}
}

// balance is what a proxy does: it takes the processes in turn, but not one whose health says no, and the next one where nobody
// listens.
func (d *Deployment) balance() func(ctx context.Context, network, address string) (net.Conn, error) {
	var turn atomic.Int64
	return func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		if !strings.Contains(address, "localhost") {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		}
		first := int(turn.Add(1))
		for _, away := range []bool{false, true} { // those that say no are better than none
			for i := range d.APIs {
				api := d.APIs[(first+i)%len(d.APIs)]
				if api.away.Load() != away {
					continue
				}
				if conn, err = (&net.Dialer{}).DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", api.Port)); err == nil {
					return conn, nil
				}
			}
		}
		return nil, err
	}
}

// Healthy asks one process, whichever is next.
func (d *Deployment) Healthy() bool {
	res, err := d.Client.Get("http://localhost/api/health")
	if err != nil {
		return false
	}
	return res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

// Undone lists the jobs of an organisation that are due, or notices already, and not done, with what is known of them.
func (d *Deployment) Undone(o *harness.Organisation) (jobs []string) {
	d.T.Helper()
	const sql = `SELECT concat_ws(' ', id, kind, 'due', due_at, 'handed', enqueued_at, 'failed', attempts, last_error)
		FROM outbox WHERE done_at IS NULL AND due_at <= $1 ORDER BY due_at`
	require.NoError(d.T, d.DB.InOrg(d.T.Context(), o.ID, func(tx db.Tx) error {
		rows, err := tx.Query(d.T.Context(), sql, tx.Now.Add(queue.VisibilityTimeout))
		if err != nil {
			return err
		}
		jobs, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	}))
	return jobs
}

// Said are the fenced blocks of a language in a chapter of README.md: what is written there is what is tried.
func Said(t testing.TB, chapter, language string) (blocks []string) {
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
			blocks = append(blocks, current)
		case inside:
			current += line
		}
	}
	require.NotEmpty(t, blocks, "README.md says nothing under %s", chapter)
	return blocks
}
