package chaos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
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
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"welovevoucher/api"
	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/log"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/program"
	"welovevoucher/tenants"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tools/postgres"
)

// environment is what every walk has about it: a machine that may fail, another organisation, the API's calls, and a relay.
type environment struct {
	machine   *postgres.Server
	database  *dbtest.Server
	neighbour *neighbour
	services  *tenants.Services
	app       *fiber.App
	paths     []path

	newRelay func() *queue.Relay
	relay    *queue.Relay // of the walk under way
	memory   *miniredis.Miniredis
	did      map[uuid.UUID][]string // the jobs of each organisation, as often as each was done
	again    map[uuid.UUID][]string // why a relay's transaction ran again, which does its jobs again
}

// path is a call that not every kind of session may make, and the kinds that may not.
type path struct {
	path    string
	refused []token.Audience
}

func newEnvironment(t *testing.T) *environment {
	s := &environment{memory: miniredis.RunT(t), did: map[uuid.UUID][]string{}, again: map[uuid.UUID][]string{}}
	s.machine, s.database = newMachine(t)
	s.neighbour = newNeighbour(t, s.database)
	client := redis.NewClient(&redis.Options{Addr: s.memory.Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	key := make([]byte, 32)
	d := s.database.DB
	running, err := program.New(t.Context(), program.Parts{
		Log: zap.NewNop(), DB: d, Redis: client, Config: config.Config{PublicURL: "http://localhost", MasterKey: key, ObjectDir: t.TempDir()},
	})
	require.NoError(t, err)
	s.services = running.Services
	page := &fstest.MapFile{Data: []byte(`<!doctype html><!--boot-->`)}
	served, err := running.NewAPI(fstest.MapFS{"customer/index.html": page, "agent/index.html": page, "backoffice/index.html": page})
	require.NoError(t, err)
	s.app = served.App
	calls, err := api.Operations(fiber.New(), s.services)
	require.NoError(t, err)
	for name, item := range calls.OpenAPI().Paths {
		if item.Post == nil {
			continue // a file that everybody may fetch
		}
		admitted, _ := item.Post.Extensions["x-audiences"].([]token.Audience)
		refused := slices.DeleteFunc([]token.Audience{token.Client, token.User, token.Agent, token.Owner, token.Staff, token.Admin},
			func(k token.Audience) bool { return slices.Contains(admitted, k) })
		if len(admitted) > 0 && len(refused) > 0 {
			s.paths = append(s.paths, path{name, refused})
		}
	}
	slices.SortFunc(s.paths, func(a, b path) int { return strings.Compare(a.path, b.path) }) // so that a seed means the same
	require.Greater(t, len(s.paths), 100, "the API's calls were found")

	mux := queue.NewMux(d)
	count[notice.Job](mux, s.did)
	count[notice.TableUpdate](mux, s.did)
	count[charge.CheckJob](mux, s.did)
	count[charge.SettleJob](mux, s.did)
	count[charge.RemitJob](mux, s.did)
	count[care.RunJob](mux, s.did)
	count[payout.WorkJob](mux, s.did)
	s.newRelay = func() *queue.Relay { return queue.NewRelay(mux, client, key, zap.NewNop()) }
	return s
}

// renew gives the next walk a Redis and a relay that know of no organisation. The one before may have left its schema to the next,
// and a relay that knew it would do the next one's jobs under its id.
func (s *environment) renew() {
	s.memory.FlushAll()
	s.relay = s.newRelay()
}

// newMachine starts a Postgres of the walk's own, whose commits have to survive its failures, and makes a database in it.
func newMachine(t *testing.T) (*postgres.Server, *dbtest.Server) {
	dir, err := os.MkdirTemp("", "welovevoucher-walk-")
	require.NoError(t, err)
	machine, err := postgres.Start(t.Context(), postgres.Options{Dir: dir, Durable: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(machine.Stop(), os.RemoveAll(machine.Dir), os.RemoveAll(dir))) })
	app, owner, err := postgres.Bootstrap(t.Context(), machine.URL())
	require.NoError(t, err)
	return machine, dbtest.OpenOn(t, map[string]dbtest.Addresses{db.MainNode: {Super: machine.URL(), App: app, Owner: owner}})
}

// crash ends Postgres without a word, empties Redis, and has the services forget what they had in mind.
func (s *environment) crash(t require.TestingT, w *tenanttest.World) {
	require.NoError(t, s.machine.Crash(context.Background()))
	s.memory.FlushAll()
	w.Restart()
	s.neighbour.Restart()
}

// count keeps which jobs of a kind are done. The relay does them itself, as it does notices; what Asynq does with a job is for the kills
// and the emptied Redis to show.
func count[T queue.Job](mux *queue.Mux, did map[uuid.UUID][]string) {
	queue.HandleInline(mux, func(_ context.Context, org uuid.UUID, jobs []T) error {
		for _, j := range jobs {
			did[org] = append(did[org], job(j.Kind(), j, 0))
		}
		return nil
	})
}

// relayed lets the relay look at an organisation's outbox, and returns all that it ever did of it.
func (s *environment) relayed(t require.TestingT, org uuid.UUID) []string {
	_, err := s.memory.ZAdd("queue:due", 0, org.String())
	require.NoError(t, err)
	core, logged := observer.New(zapcore.WarnLevel)
	require.NoError(t, s.relay.RunOnce(log.Into(context.Background(), zap.New(core))))
	for _, line := range logged.All() {
		s.again[org] = append(s.again[org], fmt.Sprint(line.Message, line.ContextMap()))
	}
	return s.did[org]
}

// post makes a call, and returns its status.
func (s *environment) post(t require.TestingT, name, bearer string) int {
	req := httptest.NewRequest(http.MethodPost, name, strings.NewReader("{}"))
	req.Host = "localhost"
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+bearer)
	req.Header.Set("Idempotency-Key", uuid.NewString())
	res, err := s.app.Test(req, fiber.TestConfig{Timeout: 20 * time.Second, FailOnTimeout: true})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// neighbour is another organisation, what its rows are known by, and all that is written into its schema.
type neighbour struct {
	*tenanttest.World
	*reader
	buyer  token.Session
	pack   uuid.UUID
	names  []string
	orders int
}

func newNeighbour(t *testing.T, database *dbtest.Server) *neighbour {
	w := tenanttest.On(t, database)
	n := &neighbour{World: w, buyer: w.Customer(0), pack: w.Package(tenanttest.Package{})}
	canary := "canary-" + w.Org.String()
	n.In(func(_ context.Context, tx db.Tx) error {
		tx.Queue(`UPDATE customer SET display_name = $1`, canary)
		tx.Queue(`UPDATE package SET name_th = $1, name_en = $1`, canary)
		tx.Queue(`UPDATE voucher_type SET name_th = $1, name_en = $1`, canary)
		return nil
	})
	n.names = append(names(t, w, n.buyer.Subject, n.pack), canary)
	n.reader = read(t, w)
	return n
}

// spelled is an id as a row may spell it.
func spelled(id uuid.UUID) []string {
	return []string{id.String(), strings.ReplaceAll(id.String(), "-", "")}
}

// names are what no other organisation's schema may name.
func names(t *testing.T, w *tenanttest.World, ids ...uuid.UUID) (all []string) {
	home, err := w.DB.Placement(t.Context(), w.Org)
	require.NoError(t, err)
	all = []string{home.Schema}
	for _, id := range append(ids, w.Org) {
		all = append(all, spelled(id)...)
	}
	return all
}

// reader reads whatever has been written into an organisation's schema since it last did.
type reader struct {
	of    *tenanttest.World
	sql   string
	since int64 // transaction
}

// Every row says which transaction wrote it; those before the oldest that was under way at the last look have been read.
const (
	tablesOf  = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND has_table_privilege(oid, 'SELECT')`
	writtenTo = `SELECT '%[1]s', r::text FROM %[1]s AS r WHERE r.xmin::text::bigint >= $1`
	sinceNow  = `SELECT '', pg_snapshot_xmin(pg_current_snapshot())::text WHERE $1 >= 0`
)

func read(t *testing.T, w *tenanttest.World) *reader {
	queries := []string{sinceNow}
	for _, table := range rows[string](w, tablesOf) {
		queries = append(queries, fmt.Sprintf(writtenTo, table))
	}
	require.Greater(t, len(queries), 30, "the schema's tables were found")
	return &reader{of: w, sql: strings.Join(queries, " UNION ALL ")}
}

func (n *reader) mustNotName(t require.TestingT, names []string) {
	type row struct{ Table, Text string }
	for _, written := range rows[row](n.of, n.sql, n.since) {
		if written.Table == "" {
			_, err := fmt.Sscan(written.Text, &n.since)
			require.NoError(t, err)
			continue
		}
		for _, name := range names {
			require.NotContains(t, written.Text, name, "%s names %s: %s", written.Table, name, written.Text)
		}
	}
}
