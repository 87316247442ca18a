package db

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// accessMode says whether a transaction writes.
type accessMode bool

const (
	readWrite accessMode = false
	readOnly  accessMode = true // without BEGIN: each round trip is a transaction of its own
)

// txConn is a transaction's connection. The statements of its txSetup go in the round trip of the first statements, because one of
// their own would cost as much as they do.
//
// pgx prepares a statement that is new to a connection before it runs anything of the batch, and so before role and search path are
// set: the statement finds no table. Nothing has begun then. The setup is sent alone, once for each statement and connection, and
// the statements after it.
type txConn struct {
	txSetup
	conn   *pgx.Conn
	begun  bool
	queued pgx.Batch

	ended // what will follow
}

// txSetup sets role, search path and timeout of a transaction, until it ends.
type txSetup struct {
	role, schema, path, planCacheMode string

	mode accessMode
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]{2,40}$`)

// newTxSetup returns the setup for a schema. Names come from the platform's table only; it checks them all the same, because they
// are not quoted.
func newTxSetup(role, schema string, how accessMode) (txSetup, error) {
	if !identifier.MatchString(role) || !identifier.MatchString(schema) {
		return txSetup{}, fmt.Errorf("db: %q is not a schema's name", schema)
	}
	return txSetup{role, schema, schema + ", pg_temp", "auto", how}, nil
}

// tagSQL returns a text of the schema's own for a statement, and so a prepared statement of its own. Postgres plans a prepared
// statement again whenever the search path differs from the last one; a shared statement would be planned nearly every time. A
// purchase among a hundred organisations takes Postgres 3.8 ms this way, 5.1 ms without, and 2.1 to 2.5 ms if there is only one
// organisation.
func (in txSetup) tagSQL(sql string) string { return sql + " --" + in.schema }

// take returns the queued statements and empties the queue.
func (w *txConn) take() *pgx.Batch {
	queued := w.queued
	w.queued = pgx.Batch{}
	return &queued
}

// setUp also limits each statement to five seconds, and sets how they are planned.
const (
	begin         = `BEGIN`
	setUp         = `SELECT set_config('role', $1, true), set_config('search_path', $2, true), set_config('statement_timeout', '5s', true), set_config('plan_cache_mode', $3, true)`
	setUpReadOnly = setUp + `, set_config('transaction_read_only', 'on', true)`
)

// start queues the setup into b. It returns the number of its statements.
func (in txSetup) start(b *pgx.Batch, begins bool) (n int) {
	if begins {
		b.Queue(begin)
	}
	if in.mode == readOnly {
		b.Queue(setUpReadOnly, in.role, in.path, in.planCacheMode)
	} else {
		b.Queue(setUp, in.role, in.path, in.planCacheMode)
	}
	return b.Len()
}

// send sends a batch in the transaction, and begins the transaction first if needed.
func (w *txConn) send(ctx context.Context, b *pgx.Batch) (pgx.BatchResults, error) {
	for _, q := range b.QueuedQueries {
		q.SQL = w.tagSQL(q.SQL)
	}
	if w.begun {
		return w.conn.SendBatch(ctx, b), nil
	}
	w.begun = w.mode == readWrite
	first := &pgx.Batch{}
	ours := w.start(first, w.begun)
	first.QueuedQueries = append(first.QueuedQueries, b.QueuedQueries...)
	results := w.conn.SendBatch(ctx, first)
	err := skip(results, ours)
	if err == nil {
		return results, nil
	}
	closed := results.Close()
	if SQLState(err) == "" || w.conn.PgConn().TxStatus() != 'I' {
		w.closeIfUnprivileged(ctx, err)
		return nil, errors.Join(err, unless(closed, err))
	}

	w.begun = true
	alone := &pgx.Batch{}
	w.start(alone, true)
	if err := w.conn.SendBatch(ctx, alone).Close(); err != nil {
		w.closeIfUnprivileged(ctx, err)
		return nil, fmt.Errorf("begin: %w", err)
	}
	return w.conn.SendBatch(ctx, copyBatch(b)), nil
}

// closeIfUnprivileged closes a connection that may not take the role, so that the transaction is tried on another one. A Postgres
// process keeps a list of the roles that it may take. If a grant is committed while the list is built, the list lacks it until the
// next grant (TestGranted: Postgres 18 does this), and the connection would refuse an organisation that has just been opened.
func (w *txConn) closeIfUnprivileged(ctx context.Context, err error) {
	if isState(err, noPrivilege) {
		_ = w.conn.Close(ctx) // the caller returns err
	}
}

// copyBatch copies the statements of a batch: pgx stores on them how it prepared them.
func copyBatch(b *pgx.Batch) *pgx.Batch {
	copied := &pgx.Batch{}
	for _, q := range b.QueuedQueries {
		copied.Queue(q.SQL, q.Arguments...).Fn = q.Fn
	}
	return copied
}

// skip reads the results of n statements of the setup.
func skip(results pgx.BatchResults, n int) error {
	for range n {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	return nil
}

// unless returns err, or nil if it is in seen already.
func unless(err, seen error) error {
	if errors.Is(err, seen) {
		return nil
	}
	return err
}

// canCommitInBatch reports whether COMMIT may go in the same batch as the queued statements: if none has a result handler, which
// might refuse. Postgres skips COMMIT if a statement before it fails. The connection has answered in this transaction already, so a
// dead one was found while the outcome was still known.
func (w *txConn) canCommitInBatch() bool {
	watched := func(q *pgx.QueuedQuery) bool { return q.Fn != nil }
	return w.begun && !slices.ContainsFunc(w.queued.QueuedQueries, watched)
}

const commit = `COMMIT`

// commit sends the queued statements and COMMIT.
func (w *txConn) commit(ctx context.Context) error {
	if !w.begun {
		return nil
	}
	var done pgconn.CommandTag
	last := w.take()
	for _, q := range last.QueuedQueries {
		q.SQL = w.tagSQL(q.SQL)
	}
	last.Queue(commit).Exec(func(tag pgconn.CommandTag) error { done = tag; return nil })
	err := w.conn.SendBatch(ctx, last).Close()
	if done.String() == commit { // an error after that, such as a Postgres that stops, undoes nothing
		return nil
	}
	if err != nil {
		return err
	}
	if done.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback
	}
	return nil
}

// rollback ends a transaction that was not committed. On a broken connection it has ended already.
func (w *txConn) rollback(ctx context.Context) error {
	at := w.conn.PgConn()
	if !w.begun || at.IsClosed() || (at.TxStatus() == 'I' && !at.IsBusy()) {
		return nil
	}
	_, err := w.conn.Exec(ctx, "rollback")
	if err != nil {
		_ = w.conn.Close(ctx) // the caller returns the error
	}
	return err
}

// generic is the mode in which a statement has one plan for all arguments.
const generic = "force_generic_plan"

const planOnce = `SET LOCAL plan_cache_mode = '` + generic + `'`

// ForceGenericPlan has Postgres plan the transaction's statements once for each connection, for all arguments, until their tables
// change or are analyzed. It is for statements that find rows by key. Postgres would plan them again for each array, because it
// takes a short one for cheap; where the number of rows matters, that is right.
//
// It is cheapest before the first statement, because it then is part of the setup.
func (tx Tx) ForceGenericPlan() {
	tx.planCacheMode = generic
	if tx.begun {
		tx.Queue(planOnce)
	}
}

// custom is the mode in which a statement is planned for its arguments each time.
const custom = "force_custom_plan"

const planEach = `SET LOCAL plan_cache_mode = '` + custom + `'`

// ForceCustomPlan has Postgres plan the transaction's statements for their arguments: for lists, where another value of a filter
// wants another index.
func (tx Tx) ForceCustomPlan() {
	if tx.planCacheMode == custom {
		return
	}
	tx.planCacheMode = custom
	if tx.begun {
		tx.Queue(planEach)
	}
}
