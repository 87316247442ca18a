// Package db is the only way to a table: InOrg for one organisation's schema, InPlatform for the platform's own.
//
// One transaction is one organisation, on one node, under one role. The statements that set it up go in the same round trip as the
// first statements. They hold until the transaction ends, so any connection serves any organisation.
//
// # What the hottest paths do more
//
// They use InOrg, ReadInOrg and their like as well, and besides:
//
//   - [Tx.Queue]: statements whose results nobody waits for go in the round trip of the next one, or of the commit. A
//     purchase is some twenty statements, whose round trips would cost more than their work.
//   - [DB.ReadInOrg]: what only reads and is asked all the time (the market, a scan) needs no round trip for BEGIN and
//     COMMIT once the connection has prepared its statements.
//   - The text of a statement, and so its plan, belongs to one schema (txconn.go). Postgres would plan a shared one again
//     for each search path.
//   - [Tx.ForceGenericPlan]: buying, scanning and confirming find rows by key, and the market is always read by the same
//     statements. To plan them for each set of arguments would take longer than to run them.
//   - A schema gets the connections that have prepared its statements (affinity.go): to prepare them on another costs 80 ms
//     and 1.5 MB.
//   - Package batch: calls of one organisation that buy, scan or confirm at the same time share a transaction. In a flash
//     sale each would otherwise wait for the locks and commits of all before it.
//   - Package cache keeps for seconds what nearly every request needs: the organisation of a host, a session, an
//     organisation's market. Entries stay valid longer while the process receives the changes of others ([DB.Listen]); without
//     that, callers who come once in some seconds would gain nothing. The catalogue keeps packages until the revision that
//     each purchase reads has changed.
//   - Package ratelimit counts part of what is left of a limit in advance, so that not each call asks Redis.
//   - [welovevoucher/platform/queue.Dispatcher]: the process that has committed a notice sends it, and marks its row as done
//     later, many rows together, instead of a transaction for each.
package db

import (
	"context"
	"encoding/binary"
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
	"go.uber.org/zap"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/log"
)

// MainNode holds the platform's schema, and organisations besides.
const MainNode = "main"

// The schema and the role of InPlatform.
const (
	platformSchema = "platform"
	platformRole   = "wlv_platform"
)

// ErrNoOrg is returned for an organisation without a schema: unknown, or not provisioned yet.
var ErrNoOrg = errors.New("db: organisation has no schema")

// ErrUnknownOutcome is returned if the connection broke during COMMIT: the transaction may have been committed or not. Callers look
// up the outcome by the idempotency key before they do anything again. A client gets fault.OutcomeUnknown.
var ErrUnknownOutcome = errors.New("db: outcome of the commit is unknown")

// errLost is returned if the connection ended before COMMIT was sent, so nothing has happened: Postgres was restarted, or the pool
// held a dead connection.
var errLost = errors.New("db: connection lost")

// DB holds a pool per Postgres node, and the placement of each organisation.
type DB struct {
	clock         *clock.Clock
	nodes         map[string]*pool
	placements    sync.Map // uuid.UUID -> placed
	listenPool    *pool    // of one connection, for Listen
	subscriptions subscriptions
}

// Placement is the schema and the node of an organisation.
type Placement struct{ Schema, Node string }

// placed is an organisation, its key, and where it lives.
type placed struct {
	Placement
	org, key uuid.UUID
}

// platform is where the platform's own tables are.
var platform = placed{Placement: Placement{Schema: platformSchema, Node: MainNode}}

// Tx is one transaction in one schema. Now is the only time that its statements use.
type Tx struct {
	Org uuid.UUID // uuid.Nil in the platform's schema
	Key uuid.UUID // of the organisation: what is derived from it, or encrypted for it, stays with a copy of its schema
	Now time.Time

	*txConn
}

// AfterCommit runs fn once the transaction has been committed. fn is lost if the process dies first, so it may only be a hint.
func (tx Tx) AfterCommit(fn func(context.Context)) { tx.after = append(tx.after, fn) }

// maxPrepared is how many prepared statements a connection keeps: those of some 110 organisations that sell.
const maxPrepared = 4096

// recycle is the maximum age of a connection: its Postgres process keeps the catalogue of every schema it has used.
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
		cfg.ConnConfig.StatementCacheCapacity = maxPrepared
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
	cfg.ConnConfig.Tracer = nil // each poll would be a trace
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

// Ping returns an error if a node does not answer.
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

// Now returns the time, in UTC, that a transaction begun now would have.
func (d *DB) Now() time.Time { return d.clock.Now() }

// InOrg runs fn in a transaction in the organisation's schema, under its role. It runs fn again after a serialization failure, a
// deadlock or a connection that was lost before the commit, so fn must have no effect but through tx. It looks up the placement
// again, once, if the organisation seems to have moved to another node. It returns ErrNoOrg or ErrUnknownOutcome.
func (d *DB) InOrg(ctx context.Context, org uuid.UUID, fn func(tx Tx) error) error {
	return d.inOrg(ctx, org, readWrite, fn)
}

// ReadInOrg is InOrg for what only reads and is asked all the time. Each round trip is a transaction of its own, without BEGIN and
// COMMIT. At READ COMMITTED each statement sees what was committed before it, so one transaction for all of fn would show it
// nothing else. Writes fail.
func (d *DB) ReadInOrg(ctx context.Context, org uuid.UUID, fn func(tx Tx) error) error {
	return d.inOrg(ctx, org, readOnly, fn)
}

func (d *DB) inOrg(ctx context.Context, org uuid.UUID, how accessMode, fn func(tx Tx) error) error {
	placement, err := d.placed(ctx, org)
	if err != nil {
		return err
	}

	err = d.in(ctx, placement, placement.Schema, how, fn)
	if !moved(err) {
		return err
	}
	d.placements.Delete(org)
	again, placementErr := d.placed(ctx, org)
	if placementErr != nil || again == placement {
		return err
	}
	return d.in(ctx, again, again.Schema, how, fn)
}

// InPlatform runs fn in a transaction in the platform's schema, as InOrg does.
func (d *DB) InPlatform(ctx context.Context, fn func(tx Tx) error) error {
	return d.in(ctx, platform, platformRole, readWrite, fn)
}

// ReadInPlatform is to InPlatform what ReadInOrg is to InOrg.
func (d *DB) ReadInPlatform(ctx context.Context, fn func(tx Tx) error) error {
	return d.in(ctx, platform, platformRole, readOnly, fn)
}

const selectPlacement = `SELECT coalesce(schema_name, ''), node, key FROM organisation WHERE id = $1`

// Placement returns where the organisation lives. It returns ErrNoOrg if it has no schema yet.
func (d *DB) Placement(ctx context.Context, org uuid.UUID) (Placement, error) {
	h, err := d.placed(ctx, org)
	return h.Placement, err
}

func (d *DB) placed(ctx context.Context, org uuid.UUID) (placed, error) {
	if h, ok := d.placements.Load(org); ok {
		return h.(placed), nil
	}

	h := placed{org: org}
	err := d.ReadInPlatform(ctx, func(tx Tx) error {
		return tx.QueryRow(ctx, selectPlacement, org).Scan(&h.Schema, &h.Node, &h.key)
	})
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && h.Schema == "") {
		return placed{}, fmt.Errorf("%w: %s", ErrNoOrg, org)
	}
	if err != nil {
		return placed{}, err
	}
	d.placements.Store(org, h)
	return h, nil
}

const tries = 5

var tracer = otel.Tracer("welovevoucher/platform/db")

func (d *DB) in(ctx context.Context, placement placed, role string, how accessMode, fn func(tx Tx) error) error {
	pool := d.nodes[placement.Node]
	if pool == nil {
		return fmt.Errorf("db: node %s of %s is not configured", placement.Node, placement.Schema)
	}
	begin, err := newTxSetup(role, placement.Schema, how)
	if err != nil {
		return err
	}

	ctx, span := tracer.Start(ctx, "transaction", trace.WithAttributes(attribute.String("schema", placement.Schema), attribute.String("node", placement.Node)))
	defer span.End()
	for try := 1; ; try++ {
		end, err := d.once(ctx, pool, placement, begin, fn)
		if err == nil || errors.Is(err, ErrUnknownOutcome) {
			d.publish(ctx, placement.org, end.changes)
		}
		if err == nil {
			for _, fn := range end.after {
				fn(ctx)
			}
		}
		if try == tries || !(isState(err, serializationFailure) || isState(err, deadlock) || errors.Is(err, errLost)) {
			return err
		}
		log.From(ctx).Warn("db: a transaction runs again", zap.Int("try", try), zap.Error(err))
		pause := time.Duration(rand.Int64N(int64(20*time.Millisecond) << try)) //nolint:gosec // chance spreads retries
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// ended has the changes and functions that follow a transaction, once its connection is free.
type ended struct {
	changes []change
	after   []func(context.Context)
}

func (d *DB) once(ctx context.Context, pool *pool, placement placed, begin txSetup, fn func(tx Tx) error) (end ended, err error) {
	conn, free, err := pool.acquire(ctx, begin.schema)
	if err != nil {
		return end, fmt.Errorf("begin: %w", err)
	}
	w := &txConn{conn: conn, txSetup: begin}
	// A cancelled request must still return its connection without an open transaction.
	defer func() {
		if rollbackErr := w.rollback(context.WithoutCancel(ctx)); rollbackErr != nil {
			err = errors.Join(err, fmt.Errorf("roll back: %w", rollbackErr))
		}
		free()
	}()

	tx := Tx{Org: placement.org, Key: placement.key, Now: d.clock.Now(), txConn: w}
	err = fn(tx)
	if err == nil && len(w.changes) > 0 && w.mode == readOnly {
		err = errPublish
	}
	if err == nil && !w.canCommitInBatch() {
		err = tx.Flush(ctx)
	}
	if err == nil && len(w.changes) > 0 && placement.org == uuid.Nil {
		w.queueChanges()
		if !w.begun { // the transaction has no other statements
			err = tx.Flush(ctx)
		}
	}
	if err != nil {
		if w.conn.IsClosed() && ctx.Err() == nil {
			return end, fmt.Errorf("%w: %w", errLost, err)
		}
		return end, unfit(err)
	}
	if err := w.commit(ctx); err != nil {
		if SQLState(err) == "" && !errors.Is(err, pgx.ErrTxCommitRollback) {
			return w.ended, fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
		}
		return end, fmt.Errorf("commit: %w", unfit(err))
	}
	return w.ended, nil
}

// NewID returns a time-ordered id (UUIDv7). The database makes no ids.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// LowestID returns the lowest id that NewID may return at a time.
func LowestID(at time.Time) (id uuid.UUID) {
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(min(max(at.UnixMilli(), 0), 1<<48-1)))
	copy(id[:], ms[2:])
	id[6], id[8] = 0x70, 0x80 // version and variant
	return id
}
