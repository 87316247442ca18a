// Package db is the only way to a table: InOrg for one organisation's schema, InPlatform for the platform's own.
//
// One transaction is one organisation, on one node, under one role. Its prologue travels with the first statements; nothing
// of it outlives the transaction, so any connection serves any organisation (architecture.md, Tenancy).
//
// # What the hottest paths do more
//
// They too come in by InOrg, LookInOrg and their like, and do this besides:
//
//   - [Tx.Queue]: statements nobody waits for travel with the next one, as the prologue does, and with the commit where nobody looks
//     at their answers. A purchase is some twenty statements, whose round trips would cost more than their work.
//   - [DB.ReadInOrg]: what only reads and is asked all the time (the market, a scan) waits for no BEGIN and no COMMIT once the
//     connection knows its statements.
//   - A statement's text, and so its plan, is its schema's own (txconn.go): a plan for another path is made anew.
//   - [Tx.ForceGenericPlan]: buying, scanning and confirming find rows by key, and all of the market is read by the same statements; to plan
//     them for what each is given would take longer than to run them.
//   - A schema comes back to the connections that know it (affinity.go), because to meet one costs 80 ms and 1.5 MB.
//   - Package gather: who buys of an organisation, scans or confirms there while others do shares the next transaction with all who
//     came meanwhile. Of a flash sale's buyers each would wait for the locks and the commits of all before him instead.
//   - Package memo remembers for seconds what nearly everybody asks: whose host this is, whose session, an organisation's market.
//     Who calls once in some seconds gains from that only because each process hears what others change ([DB.Listen]).
//     The catalogue's price list remembers packages until a stamp, which each purchase reads, is another one.
//   - Package ratelimit counts a share of what is left of a limit at once, so that not each call asks Redis.
//   - [welovevoucher/platform/queue.Dispatcher]: what is only to tell is told by the process that committed it, and marked done later, many
//     rows together, instead of a transaction for each.
package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"welovevoucher/platform/clock"
)

// MainNode holds the platform's schema, and organisations beside it.
const MainNode = "main"

// platformSchema and platformRole name what InPlatform enters.
const (
	platformSchema = "platform"
	platformRole   = "wlv_platform"
)

// ErrNoOrg says that the organisation has no schema: unknown, or not provisioned yet.
var ErrNoOrg = errors.New("db: organisation has no schema")

// ErrUnknownOutcome says that the connection broke while COMMIT was under way: it may have happened or not.
// Read the outcome back by the idempotency key before doing anything again.
var ErrUnknownOutcome = errors.New("db: outcome of the commit is unknown")

// errLost says that the connection ended before its commit was sent, so that nothing has happened: Postgres has restarted, or
// a pool held what was dead already.
var errLost = errors.New("db: connection lost")

// DB holds a pool per Postgres node and knows where each organisation lives.
type DB struct {
	clock         *clock.Clock
	nodes         map[string]*pool
	placements    sync.Map // uuid.UUID -> Home
	listenPool    *pool    // of one connection, by which ears hear
	subscriptions subscriptions
}

// Placement is where an organisation lives.
type Placement struct{ Schema, Node string }

// Tx is one transaction in one schema. Now is its only time.
type Tx struct {
	Org uuid.UUID // uuid.Nil in the platform's schema
	Now time.Time

	*txConn
	after *[]func(context.Context)
}

// AfterCommit runs fn once the transaction has been committed. fn is a hint: if the process dies, it is lost.
func (tx Tx) AfterCommit(fn func(context.Context)) { *tx.after = append(*tx.after, fn) }

// statements is how many prepared ones a connection keeps: what some 110 organisations sell by.
const statements = 4096

// recycle is how old a connection becomes: each remembers the catalogue of every schema it met.
const recycle = 15 * time.Minute

// Open connects to every node.
func Open(ctx context.Context, nodes map[string]string, poolSize int, c *clock.Clock) (*DB, error) {
	d := &DB{clock: c, nodes: map[string]*pool{}}
	for name, url := range nodes {
		cfg, err := pgxpool.ParseConfig(url)
		if err != nil {
			return nil, fmt.Errorf("db: node %s: the address is malformed", name)
		}
		cfg.MaxConnLifetime = recycle
		cfg.MaxConnLifetimeJitter = 3 * time.Minute
		cfg.ConnConfig.StatementCacheCapacity = statements
		cfg.ConnConfig.Tracer = otelpgx.NewTracer()
		cfg.AfterConnect = bareIDs
		if d.nodes[name], err = newPool(ctx, cfg, poolSize); err != nil {
			return nil, fmt.Errorf("db: node %s: %w", name, err)
		}
	}
	if d.nodes[MainNode] == nil {
		return nil, errors.New("db: node main is missing")
	}
	cfg := d.nodes[MainNode].conns[0].Config()
	cfg.ConnConfig.Tracer = nil // each look would be a trace
	var err error
	if d.listenPool, err = newPool(ctx, cfg, 1); err != nil {
		return nil, fmt.Errorf("db: listen: %w", err)
	}
	return d, nil
}

// Close closes every pool.
func (d *DB) Close() {
	d.listenPool.close()
	for _, pool := range d.nodes {
		pool.close()
	}
}

// Ping asks every node for an answer.
func (d *DB) Ping(ctx context.Context) error {
	for name, pool := range d.nodes {
		conn, free, err := pool.acquire(ctx, platformSchema)
		if err == nil {
			err = conn.Ping(ctx)
			free()
		}
		if err != nil {
			return fmt.Errorf("db: node %s: %w", name, err)
		}
	}
	return nil
}

// Now is the time of the next transaction.
func (d *DB) Now() time.Time { return d.clock.Now() }

// InOrg runs fn in a transaction inside the organisation's schema, under its role. Serialization failures and
// deadlocks run fn again, so fn must have no effect but through tx. An organisation that has moved to another node
// is found again once.
func (d *DB) InOrg(ctx context.Context, org uuid.UUID, fn func(tx Tx) error) error {
	return d.inOrg(ctx, org, readWrite, fn)
}

// ReadInOrg is InOrg for what only reads and is asked all the time: what goes out together is a transaction of its own, which
// begins and ends with its round trip. A transaction here never sees more than what was committed before each statement, so one
// for the whole of fn would show it nothing else. To write is refused.
func (d *DB) ReadInOrg(ctx context.Context, org uuid.UUID, fn func(tx Tx) error) error {
	return d.inOrg(ctx, org, readOnly, fn)
}

func (d *DB) inOrg(ctx context.Context, org uuid.UUID, how accessMode, fn func(tx Tx) error) error {
	home, err := d.Placement(ctx, org)
	if err != nil {
		return err
	}

	err = d.in(ctx, org, home, home.Schema, how, fn)
	if !moved(err) {
		return err
	}
	d.placements.Delete(org)
	again, homeErr := d.Placement(ctx, org)
	if homeErr != nil || again == home {
		return err
	}
	return d.in(ctx, org, again, again.Schema, how, fn)
}

// InPlatform runs fn in a transaction inside the platform's schema.
func (d *DB) InPlatform(ctx context.Context, fn func(tx Tx) error) error {
	return d.in(ctx, uuid.Nil, Placement{Schema: platformSchema, Node: MainNode}, platformRole, readWrite, fn)
}

// ReadInPlatform is to InPlatform what LookInOrg is to InOrg.
func (d *DB) ReadInPlatform(ctx context.Context, fn func(tx Tx) error) error {
	return d.in(ctx, uuid.Nil, Placement{Schema: platformSchema, Node: MainNode}, platformRole, readOnly, fn)
}

const home = `SELECT coalesce(schema_name, ''), node FROM organisation WHERE id = $1`

// Placement says where the organisation lives. It returns ErrNoOrg when it has no schema yet.
func (d *DB) Placement(ctx context.Context, org uuid.UUID) (Placement, error) {
	if h, ok := d.placements.Load(org); ok {
		return h.(Placement), nil
	}

	var h Placement
	err := d.ReadInPlatform(ctx, func(tx Tx) error {
		return tx.QueryRow(ctx, home, org).Scan(&h.Schema, &h.Node)
	})
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && h.Schema == "") {
		return Placement{}, fmt.Errorf("%w: %s", ErrNoOrg, org)
	}
	if err != nil {
		return Placement{}, err
	}
	d.placements.Store(org, h)
	return h, nil
}

const tries = 5

var tracer = otel.Tracer("welovevoucher/platform/db")

func (d *DB) in(ctx context.Context, org uuid.UUID, home Placement, role string, how accessMode, fn func(tx Tx) error) error {
	pool := d.nodes[home.Node]
	if pool == nil {
		return fmt.Errorf("db: node %s of %s is not configured", home.Node, home.Schema)
	}
	begin, err := newTxSetup(role, home.Schema, how)
	if err != nil {
		return err
	}

	ctx, span := tracer.Start(ctx, "transaction", trace.WithAttributes(attribute.String("schema", home.Schema), attribute.String("node", home.Node)))
	defer span.End()
	for try := 1; ; try++ {
		err := d.once(ctx, pool, org, begin, fn)
		if try == tries || !(isState(err, serializationFailure) || isState(err, deadlock) || errors.Is(err, errLost)) {
			return err
		}
		pause := time.Duration(rand.Int64N(int64(20*time.Millisecond) << try)) //nolint:gosec // chance spreads retries
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (d *DB) once(ctx context.Context, pool *pool, org uuid.UUID, begin txSetup, fn func(tx Tx) error) (err error) {
	after := []func(context.Context){}
	conn, free, err := pool.acquire(ctx, begin.schema)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	w := &txConn{conn: conn, txSetup: begin}
	// A cancelled request must still give its connection back clean.
	defer func() {
		if rollbackErr := w.rollback(context.WithoutCancel(ctx)); rollbackErr != nil {
			err = errors.Join(err, fmt.Errorf("roll back: %w", rollbackErr))
		}
		free()
	}()

	tx := Tx{Org: org, Now: d.clock.Now(), txConn: w, after: &after}
	err = fn(tx)
	if err == nil && !w.canCommitInBatch() {
		err = tx.Flush(ctx)
	}
	if err == nil && len(w.changes) > 0 {
		w.deliver()
		if !w.begun { // there is nothing but these
			err = tx.Flush(ctx)
		}
	}
	if err != nil {
		if w.conn.IsClosed() && ctx.Err() == nil {
			return fmt.Errorf("%w: %w", errLost, err)
		}
		return unfit(err)
	}
	if err := w.commit(ctx); err != nil {
		if SQLState(err) == "" && !errors.Is(err, pgx.ErrTxCommitRollback) {
			return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
		}
		return fmt.Errorf("commit: %w", unfit(err))
	}
	for _, fn := range after {
		fn(ctx)
	}
	return nil
}

// NewID makes a time-ordered id (UUIDv7). Ids are made here, never by the database.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
