package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/migrations"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/session"
	"welovevoucher/tools/harness"
)

// few and many are how many organisations purchases are spread over, and some how many are migrated. MANY says another number for
// many, of few at least, for a quick look.
const (
	few  = 100
	some = 500
)

func many() int {
	n, err := strconv.Atoi(os.Getenv("MANY"))
	if err != nil {
		return 1000
	}
	return max(n, few)
}

// BenchmarkMany: purchases spread over organisations against bare SQL spread over the same ones, a small migration of each, and
// what a connection remembers after it has met them all.
func BenchmarkMany(b *testing.B) {
	const clients = 8
	s := open(b, "single", "1650000105", 1)
	schemas, err := db.OpenSchemas(b.Context(), map[string]string{db.MainNode: s.OwnURL}, "wlv_app", migrations.FS)
	require.NoError(b, err)
	defer schemas.Close()
	s.Schemas = schemas
	stalls := s.stalls(few)
	bare := make([]*pgx.Conn, clients)
	for n := range bare {
		bare[n] = s.connect()
	}
	spread := func() compared {
		chance := make([]*rand.Rand, clients)
		for n := range chance {
			chance[n] = rand.New(rand.NewPCG(*seed, uint64(n)))
		}
		drawn := func(n int) *shop { return stalls[chance[n].IntN(len(stalls))] }
		return compare(b, clients,
			func(n int) error { return drawn(n).purchaseBare(bare[n]) },
			s.goOn(func(n int) error {
				stall := drawn(n)
				return stall.buy(stall.buyers[0])
			}))
	}
	warm := func() {
		var turn atomic.Int64
		next := make(chan *shop)
		go func() {
			defer close(next)
			for range 2 * 16 { // twice for each connection of the pool
				for _, stall := range stalls {
					next <- stall
				}
			}
		}()
		var all errgroup.Group
		for range clients {
			all.Go(func() error {
				for stall := range next {
					if turn.Add(1)%20 == 0 {
						if err := s.ForgetLimits(); err != nil {
							return err
						}
					}
					if err := stall.buy(stall.buyers[0]); err != nil {
						return err
					}
				}
				return nil
			})
		}
		require.NoError(b, all.Wait())
	}
	warm()
	c := spread()
	atLeast(fmt.Sprintf("purchase spread over %d organisations ÷ bare over the same", len(stalls)), 0.6, "", c.speed, c.String())

	stalls = append(stalls, s.stalls(min(some, many())-len(stalls))...)
	warm()
	for _, stall := range stalls {
		s.Eventually("what its sales left to do is done", func() bool { return len(place.Undone(stall.Organisation)) == 0 })
	}
	s.migrateEach()

	stalls = append(stalls, s.stalls(many()-len(stalls))...)
	warm()
	own, touched := s.connections(bare)
	connections := place.counted(`wlv_db_connections_max{node="main"}`)
	c = spread()
	atLeast(fmt.Sprintf("purchase spread over %d organisations ÷ bare over the same", len(stalls)), 0.6, "", c.speed, c.String())
	atEnd, touchedAtEnd := s.connections(bare)
	atMost("memory of a Postgres connection after them all", 150, " MB", []float64{max(own, atEnd)},
		fmt.Sprintf("the largest of all, after each organisation had sold 32 times, and at the end; %.0f MB with shared buffers that nobody else has touched; "+
			"the API's %.0f have met %.0f of the organisations each, on average and at most: what one had met before it was recycled, after 15 minutes, counts as well",
			max(touched, touchedAtEnd), connections, place.counted(`wlv_db_warmups_total{node="main"}`)/connections))
}

// stalls are organisations with one buyer each. They are written down as onboarding leaves them, with schemas made as it
// makes them in advance, because opening a thousand by hand takes an hour.
func (s *shop) stalls(n int) []*shop {
	s.T.Helper()
	ctx := s.T.Context()
	all := make([]*shop, n)
	var making errgroup.Group
	making.SetLimit(4)
	for i := range all {
		making.Go(func() (err error) { all[i], err = s.stall(ctx); return err })
	}
	require.NoError(s.T, making.Wait())
	for _, stall := range all {
		stall.Sell(price, nil)
		who := &stall.buyers[0]
		who.pack = stall.Package
		stall.readVoucherType(who)
		_, body := stall.QuoteFor(who.phone)
		var err error
		who.confirm, err = json.Marshal(body)
		require.NoError(s.T, err)
		require.NoError(s.T, s.ForgetLimits())
	}
	s.checkpoint()
	return all
}

// purchaseBare enters the organisation with a connection of another's and writes a purchase, in a single round trip.
func (s *shop) purchaseBare(conn *pgx.Conn) error {
	var batch pgx.Batch
	batch.Queue(`SELECT set_config('role', $1, true), set_config('search_path', $1, true)`, s.schema)
	s.queuePurchase(&batch, s.buyers[0])
	return conn.SendBatch(s.T.Context(), &batch).Close()
}

// checkpoint writes out what has been changed, so that what is measured next does not pay for what came before.
func (s *shop) checkpoint() {
	s.T.Helper()
	superuser, err := pgx.Connect(s.T.Context(), place.Postgres.URL())
	require.NoError(s.T, err)
	_, err = superuser.Exec(s.T.Context(), "CHECKPOINT")
	require.NoError(s.T, err)
	require.NoError(s.T, superuser.Close(s.T.Context()))
}

func (s *shop) stall(ctx context.Context) (*shop, error) {
	id, who, schema := db.NewID(), db.NewID(), dbtest.NewSchemaName()
	unique := "s" + schema[2:]
	version, err := s.Schemas.ProvisionTenant(ctx, db.Placement{Schema: schema, Node: db.MainNode})
	if err != nil {
		return nil, err
	}
	o := &harness.Organisation{Platform: s.Platform, ID: id, Unique: unique, Host: unique + ".localhost"}
	err = s.DB.InPlatform(ctx, func(tx db.Tx) error {
		tx.Queue(`INSERT INTO organisation (id, key, unique_name, name_th, name_en, plan_id, node, schema_name, schema_version, state, colour_primary, colour_secondary, created_at, updated_at)
			VALUES ($1, $1, $2, 'แผง', 'Stall', $3, $4, $5, $6, 'live', '#1f5c4d', '#d9a662', $7, $7)`, id, unique, s.Plan, db.MainNode, schema, version, tx.Now)
		tx.Queue(`INSERT INTO host (host, org_id, canonical, verified_at) VALUES ($1, $2, true, $3)`, o.Host, id, tx.Now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = s.DB.InOrg(ctx, id, func(tx db.Tx) error {
		if err := ledger.OpenSystemAccounts(ctx, tx); err != nil {
			return err
		}
		enrol(tx, who)
		reason := db.NewID()
		tx.Queue(`INSERT INTO adjustment (id, amount_satang, reason, asked_by, approved_by, at) VALUES ($1, $2, 'bench', $3, $4, $5)`, reason, topUp, id, who, tx.Now)
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: reason},
			ledger.Posting{Debit: ledger.SystemAccount(ledger.Adjustment), Credit: ledger.AccountOf(ledger.Wallet, who), Amount: topUp}))
	})
	if err != nil {
		return nil, err
	}
	phone := o.Browser(o.Host)
	phone.Token, err = session.New(s.DB).Open(ctx, token.User, id, who, "bench")
	return &shop{Organisation: o, schema: schema, buyers: []buyer{{id: who, phone: phone}}}, err
}

// enrol writes a customer down as signing in does.
func enrol(tx db.Tx, who uuid.UUID) {
	tx.Queue(`INSERT INTO customer (id, line_sub, display_name, refer_code, status, created_at, updated_at) VALUES ($1, $2, 'แอน', $2, 5, $3, $3)`, who, who.String(), tx.Now)
}

// connections reads, in MB, the largest memory that one of Postgres' connections has for itself, and with the shared pages that it
// alone has touched. Those of the yardstick are left out: each of them keeps statements of every organisation for ever.
func (s *shop) connections(yardstick []*pgx.Conn) (own, touched float64) {
	s.T.Helper()
	ours := func(pid int) bool {
		return !slices.ContainsFunc(yardstick, func(c *pgx.Conn) bool { return int(c.PgConn().PID()) == pid })
	}
	for _, pid := range children(place.Postgres.PID()) {
		if !ours(pid) {
			continue
		}
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(command), "wlv_app") {
			own = max(own, proportional(pid, "Anonymous:"))
			touched = max(touched, proportional(pid, "Private_Clean:", "Private_Dirty:"))
		}
	}
	return own, touched
}

// migrateEach adds a column and an index to each organisation, by what `migrate` calls, three times over.
func (s *shop) migrateEach() {
	s.T.Helper()
	next := fstest.MapFS{}
	require.NoError(s.T, fs.WalkDir(migrations.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, name)
		next[name] = &fstest.MapFile{Data: text}
		return err
	}))
	var organisations int
	var took []float64
	for n := range 3 {
		next[path.Join("tenant", fmt.Sprintf("9999%d_bench.sql", n))] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "-- +goose Up\nALTER TABLE tag ADD COLUMN bench_%[1]d integer;\nCREATE INDEX tag_bench_%[1]d ON tag (bench_%[1]d);\n", n),
		}
		var all time.Duration
		organisations, all = s.migrate(next)
		took = append(took, float64((all/time.Duration(organisations)).Microseconds())/1000)
	}
	slices.Sort(took)
	atMost(fmt.Sprintf("a small migration for each of %d organisations, %d at a time", organisations, db.SchemasAtOnce), 5, " ms", took, "three in a row")
}

// migrate brings every organisation to what files say; it returns how many there are, and how long that took.
func (s *shop) migrate(files fs.FS) (organisations int, took time.Duration) {
	s.T.Helper()
	schemas, err := db.OpenSchemas(s.T.Context(), map[string]string{db.MainNode: s.OwnURL}, "wlv_app", files)
	require.NoError(s.T, err)
	defer schemas.Close()

	began := time.Now()
	organisations, err = provisioning.New(s.DB, schemas, nil, nil, nil, nil, nil, "", provisioning.Verifiers{}).MigrateAll(s.T.Context())
	require.NoError(s.T, err)
	return organisations, time.Since(began)
}

// BenchmarkOrganisation: from the first step of its opening until an organisation is live, whose schema was made in advance.
func BenchmarkOrganisation(b *testing.B) {
	begin(b)
	schemas, err := db.OpenSchemas(b.Context(), map[string]string{db.MainNode: place.OwnURL}, "wlv_app", migrations.FS)
	require.NoError(b, err)
	defer schemas.Close()
	var took []float64
	for n := range 9 {
		home := db.Placement{Schema: dbtest.NewSchemaName(), Node: db.MainNode}
		version, err := schemas.ProvisionTenant(b.Context(), home)
		require.NoError(b, err)
		require.NoError(b, place.DB.InPlatform(b.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(b.Context(), `INSERT INTO schema_pool (schema_name, node, version, created_at) VALUES ($1, $2, $3, $4)`, home.Schema, home.Node, version, tx.Now)
			return err
		}))
		o := place.OpenKeyless(fmt.Sprintf("opened-%d", n), "ร้านใหม่", fmt.Sprintf("165000020%d", n))
		took = append(took, provisioned(b, o.ID))
	}
	slices.Sort(took)
	atMost("a new organisation from the pool of spare schemas", 50, " ms", took, "from the first of its steps to the end of the last")
}

func provisioned(b *testing.B, org uuid.UUID) (ms float64) {
	b.Helper()
	require.NoError(b, place.DB.InPlatform(b.Context(), func(tx db.Tx) error {
		return tx.QueryRow(b.Context(), `SELECT extract(epoch FROM max(finished_at) - min(started_at))::float8 * 1000 FROM provision_step WHERE org_id = $1`, org).Scan(&ms)
	}))
	return ms
}
