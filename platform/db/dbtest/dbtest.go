// Package dbtest gives tests a real Postgres: one database per test binary, with as many organisations as they need.
package dbtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/migrations"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

// Server is a database of this test binary, with the platform's schema in it.
type Server struct {
	DB       *db.DB
	Schemas  *db.Schemas
	Clock    *clock.Clock
	AppURL   string
	OwnURL   string
	SuperURL string

	used *used // nil of a server that Open and OpenOn did not return: each of its organisations has a schema of its own
}

var (
	once   sync.Once
	server *Server
	failed error
)

// Open returns the test binary's database. It needs DATABASE_URL_SUPERUSER, which `make test` sets.
func Open(t testing.TB) *Server {
	t.Helper()
	once.Do(func() {
		server, failed = open(context.Background(), map[string]Addresses{db.MainNode: addressesOf(""), NodeB: addressesOf("_B")}, true)
	})
	require.NoError(t, failed)
	return server
}

// Addresses are those of a node's Postgres: for the superuser, for the program, and for the owner of the schemas.
type Addresses struct{ Super, App, Owner string }

// addressesOf are those that `make test` sets for a node.
func addressesOf(suffix string) Addresses {
	return Addresses{Super: os.Getenv("DATABASE_URL_SUPERUSER" + suffix), App: os.Getenv("DATABASE_URL" + suffix), Owner: os.Getenv("MIGRATE_URL" + suffix)}
}

// OpenOwn returns a database and a clock that no other test has, on the main node. It is for a test that changes what organisations
// share, or that other tests' organisations would disturb.
func OpenOwn(t testing.TB) *Server {
	t.Helper()
	return openUntilTheEnd(t, map[string]Addresses{db.MainNode: addressesOf("")}, true)
}

// OpenOn returns a database on other nodes than Open's.
func OpenOn(t testing.TB, nodes map[string]Addresses) *Server {
	t.Helper()
	return openUntilTheEnd(t, nodes, false)
}

func openUntilTheEnd(t testing.TB, nodes map[string]Addresses, copied bool) *Server {
	t.Helper()
	s, err := open(t.Context(), nodes, copied)
	require.NoError(t, err)
	t.Cleanup(func() {
		s.DB.Close()
		s.Schemas.Close()
	})
	return s
}

// asSuperuser puts a superuser's rights in the place of the role that a transaction has taken, until it ends.
const asSuperuser = `SELECT set_config('role', 'none', true)`

// InOrgAsSuperuser runs fn in a transaction in an organisation's schema on the main node, with the rights of a superuser: for
// fixtures and attacks that no role of the program can make. An error of fn rolls it back.
func (s *Server) InOrgAsSuperuser(ctx context.Context, t testing.TB, org uuid.UUID, fn func(tx db.Tx) error) error {
	t.Helper()
	super, err := db.Open(ctx, map[string]string{db.MainNode: s.SuperURL}, 1, s.Clock)
	require.NoError(t, err)
	defer super.Close()
	return super.InOrg(ctx, org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, asSuperuser); err != nil {
			return err
		}
		return fn(tx)
	})
}

// NewOrg creates a live organisation with an empty schema.
func (s *Server) NewOrg(t testing.TB) uuid.UUID {
	t.Helper()
	return s.NewOrgOn(t, db.MainNode)
}

// NewOrgOn is NewOrg on a given node.
func (s *Server) NewOrgOn(t testing.TB, node string) uuid.UUID {
	t.Helper()
	ctx := context.Background()
	one, again := tenant{}, false
	var err error
	shared := node == db.MainNode && s.used != nil
	if shared {
		one, again, err = s.used.again(ctx)
		require.NoError(t, err)
	}
	if !again {
		one.home = db.Placement{Schema: NewSchemaName(), Node: node}
		one.version, err = s.Schemas.ProvisionTenant(ctx, one.home)
		require.NoError(t, err)
	}
	one.org = db.NewID()
	s.List(t, one.org, one.home, one.version)
	if shared {
		t.Cleanup(func() {
			if !t.Failed() {
				s.used.put(one)
			}
		})
	}
	return one.org
}

// Process returns another process of the program: its DB is its own, and so are its subscriptions. Node b is not one of its nodes.
func (s *Server) Process(t testing.TB) *Server {
	t.Helper()
	other := *s
	var err error
	other.DB, err = db.Open(t.Context(), map[string]string{db.MainNode: s.AppURL}, 4, s.Clock)
	require.NoError(t, err)
	t.Cleanup(other.DB.Close)
	return &other
}

// Listen runs DB.Listen until the test is over. caughtUp waits until all changes from before its call were received.
func (s *Server) Listen(t testing.TB) (caughtUp func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var listening sync.WaitGroup
	listening.Go(func() { s.DB.Listen(ctx) })
	t.Cleanup(func() {
		stop()
		listening.Wait()
	})
	heard := s.DB.Subscribe("no topic", func(string) {})
	return func() {
		t.Helper()
		now := s.Clock.Now()
		require.Eventually(t, func() bool { return heard().After(now) }, 20*time.Second, time.Millisecond)
	}
}

// List inserts a live organisation into the platform's schema. It does not create the organisation's own.
func (s *Server) List(t testing.TB, org uuid.UUID, home db.Placement, version int64) {
	t.Helper()
	ctx := context.Background()
	err := s.DB.InPlatform(ctx, func(tx db.Tx) error {
		plan := db.NewID()
		if _, err := tx.Exec(ctx, insertPlan, plan, tx.Now); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, insertOrg, org, "t-"+NewSchemaName()[2:], plan, home.Node, home.Schema, version, tx.Now, db.NewID())
		return err
	})
	require.NoError(t, err)
}

const (
	insertPlan = `INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at)
		VALUES ($1, 'ทดสอบ', 'Test', '{}', 300, 5, $2)`
	insertOrg = `INSERT INTO organisation (id, key, unique_name, name_th, name_en, plan_id, node, schema_name, schema_version,
		state, colour_primary, colour_secondary, created_at, updated_at)
		VALUES ($1, $8, $2, 'ทดสอบ', 'Test', $3, $4, $5, $6, 'live', '#1f5c4d', '#d9a662', $7, $7)`
)

// NewSchemaName returns a name as provisioning makes it: t_ and twelve hex digits.
func NewSchemaName() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return "t_" + hex.EncodeToString(b)
}

// NodeB is the second Postgres; MainNode is the first.
const NodeB = "b"

// open makes a database on each node. The main one is a copy of the template if copied is true; it is empty otherwise.
func open(ctx context.Context, nodes map[string]Addresses, copied bool) (*Server, error) {
	name := "test_" + NewSchemaName()[2:]
	app, owner := map[string]string{}, map[string]string{}
	for node, at := range nodes {
		if at.Super == "" {
			return nil, errors.New("DATABASE_URL_SUPERUSER is not set: run the tests by `make test`, or one package by `make test-go PKG=./platform/db`")
		}
		from := ""
		if node == db.MainNode && copied {
			var err error
			if from, err = makeTemplate(ctx, at); err != nil {
				return nil, fmt.Errorf("template of the tests' databases: %w", err)
			}
		}
		if err := create(ctx, at.Super, name, from); err != nil {
			return nil, fmt.Errorf("node %s: %w", node, err)
		}
		app[node], owner[node] = in(at.App, name), in(at.Owner, name)
	}

	s := &Server{Clock: &clock.Clock{}, AppURL: app[db.MainNode], OwnURL: owner[db.MainNode], SuperURL: in(nodes[db.MainNode].Super, name)}
	var err error
	if s.Schemas, err = db.OpenSchemas(ctx, owner, "wlv_app", migrations.FS); err != nil {
		return nil, err
	}
	if err := s.Schemas.MigratePlatform(ctx); err != nil {
		return nil, err
	}
	if s.used, err = openUsed(ctx, s.Schemas, s.SuperURL); err != nil {
		return nil, err
	}
	pools := map[string]string{}
	for node, address := range app {
		if pools[node], err = withShortIdle(address); err != nil {
			return nil, err
		}
	}
	s.DB, err = db.Open(ctx, pools, 16, s.Clock)
	return s, err
}

// withShortIdle is an address whose pool soon closes what it does not need. Each schema that a test makes has every open connection look through all
// the plans that it keeps, those of the schemas of earlier tests too: with sixteen connections that was half of
// what the longest package costs.
func withShortIdle(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("the test's database has a malformed address")
	}
	q := u.Query()
	q.Set("pool_max_conn_idle_time", "1s")
	q.Set("pool_health_check_period", "1s")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// create makes a database that is a copy of another, or empty if there is none to copy.
func create(ctx context.Context, super, name, from string) error {
	conn, err := pgx.Connect(ctx, super)
	if err != nil {
		return fmt.Errorf("the test's Postgres does not answer: %w", err)
	}
	defer conn.Close(ctx)
	statement := "CREATE DATABASE " + pgx.Identifier{name}.Sanitize() + " OWNER wlv_migrator"
	if from != "" {
		statement += " STRATEGY file_copy TEMPLATE " + pgx.Identifier{from}.Sanitize()
	}
	_, err = conn.Exec(ctx, statement)
	return err
}

// in returns the address of another database of the same server.
func in(address, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Path = "/" + database
	return u.String()
}

// Blocks reports whether another transaction waits for a lock of tx.
func Blocks(ctx context.Context, t testing.TB, tx db.Tx) (waits bool) {
	t.Helper()
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`).Scan(&waits)
	if err != nil {
		t.Error(err)
	}
	return waits
}
