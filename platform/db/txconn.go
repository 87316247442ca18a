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

// accessMode says what a transaction is for.
type accessMode bool

const (
	readWrite accessMode = false
	readOnly  accessMode = true // it has no BEGIN: Postgres begins and ends one with what goes out together
)

// txConn is a transaction's connection. The prologue goes out with the first statements, because a round trip of its own would
// cost as much as they do.
//
// pgx prepares a statement that a connection does not know yet before anything of its batch runs, and so without role and
// path, where it finds no table. Nothing has begun then: the prologue goes alone, once for each statement and connection,
// and the statements after it.
type txConn struct {
	txSetup
	conn   *pgx.Conn
	begun  bool
	queued pgx.Batch

	changes []change // to tell with the commit
}

// txSetup enters a schema under a role, until the transaction ends.
type txSetup struct {
	role, schema, path, planCacheMode string

	mode accessMode
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]{2,40}$`)

// newPrologue takes names that come from the platform's table only, and checks them all the same.
func newTxSetup(role, schema string, how accessMode) (txSetup, error) {
	if !identifier.MatchString(role) || !identifier.MatchString(schema) {
		return txSetup{}, fmt.Errorf("db: %q is not a schema's name", schema)
	}
	return txSetup{role, schema, schema + ", pg_temp", "auto", how}, nil
}

// tagSQL gives a statement a text, and so a prepared statement, of its schema's own. Postgres plans a prepared statement again
// whenever the path is another one than at its last use; one for all would be planned anew nearly every time. A purchase
// among a hundred organisations takes Postgres 3.8 ms so, and 5.1 ms without, where one alone takes 2.1 to 2.5.
func (in txSetup) tagSQL(sql string) string { return sql + " --" + in.schema }

// take empties the queue.
func (w *txConn) take() *pgx.Batch {
	queued := w.queued
	w.queued = pgx.Batch{}
	return &queued
}

// enter bounds every statement to five seconds as well, and says how they are planned.
const (
	begin = `BEGIN`
	enter = `SELECT set_config('role', $1, true), set_config('search_path', $2, true), set_config('statement_timeout', '5s', true), set_config('plan_cache_mode', $3, true)`
	look  = enter + `, set_config('transaction_read_only', 'on', true)`
)

// start puts the prologue into a batch, and returns of how many statements it is.
func (in txSetup) start(b *pgx.Batch, begins bool) (n int) {
	if begins {
		b.Queue(begin)
	}
	if in.mode == readOnly {
		b.Queue(look, in.role, in.path, in.planCacheMode)
	} else {
		b.Queue(enter, in.role, in.path, in.planCacheMode)
	}
	return b.Len()
}

// send runs a batch in the transaction, and begins it before that.
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

// closeIfUnprivileged ends a connection that may not take the role, so that the transaction is tried on another one. Its Postgres process
// keeps a list of the roles it may take; where a grant is committed while the list is being made, it lacks that one until the
// next grant (TestGranted: Postgres 18 does it), and an organisation that was just opened would be refused there.
func (w *txConn) closeIfUnprivileged(ctx context.Context, err error) {
	if isState(err, noPrivilege) {
		_ = w.conn.Close(ctx) // err is told
	}
}

// copyBatch copies a batch's statements: pgx remembers on them how it prepared them.
func copyBatch(b *pgx.Batch) *pgx.Batch {
	copied := &pgx.Batch{}
	for _, q := range b.QueuedQueries {
		copied.Queue(q.SQL, q.Arguments...).Fn = q.Fn
	}
	return copied
}

// skip reads the answers to n statements of ours.
func skip(results pgx.BatchResults, n int) error {
	for range n {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	return nil
}

// unless leaves out an error that was told already.
func unless(err, seen error) error {
	if errors.Is(err, seen) {
		return nil
	}
	return err
}

// canCommitInBatch tells whether the commit may travel with what is queued. Nobody looks at those answers, so nobody can refuse
// them, and Postgres skips the commit when a statement before it fails. It has answered in this transaction before, so that
// a connection that was dead already has been found out while the outcome was known.
func (w *txConn) canCommitInBatch() bool {
	watched := func(q *pgx.QueuedQuery) bool { return q.Fn != nil }
	return w.begun && !slices.ContainsFunc(w.queued.QueuedQueries, watched)
}

const commit = `COMMIT`

// commit ends the transaction, after what is queued.
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
	if done.String() == commit { // what comes behind it, such as the end of a Postgres that stops, undoes nothing
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

// rollback ends a transaction that has not been committed; on a broken connection it has ended already.
func (w *txConn) rollback(ctx context.Context) error {
	at := w.conn.PgConn()
	if !w.begun || at.IsClosed() || (at.TxStatus() == 'I' && !at.IsBusy()) {
		return nil
	}
	_, err := w.conn.Exec(ctx, "rollback")
	if err != nil {
		_ = w.conn.Close(ctx) // its error is told
	}
	return err
}
