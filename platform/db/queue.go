package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Queue queues a statement whose result nothing waits for. Queued statements are sent in their order, in one round trip with the
// next statement that is waited for, or with COMMIT; that call returns their errors. A function given to Exec of the returned query
// gets the number of rows, and may return an error, which ends the transaction.
//
// A purchase is some twenty statements: one by one, their round trips would cost more than their work.
func (tx Tx) Queue(sql string, args ...any) *pgx.QueuedQuery { return tx.queued.Queue(sql, args...) }

// Pending is a result that comes with the next flush of its transaction.
type Pending[T any] struct {
	value T
	ready bool
}

// Await has read make the result out of the rows of a queued statement.
func Await[T any](queued *pgx.QueuedQuery, read func(rows pgx.Rows) (T, error)) *Pending[T] {
	p := &Pending[T]{}
	queued.Query(func(rows pgx.Rows) (err error) {
		p.value, err = read(rows)
		p.ready = err == nil
		return err
	})
	return p
}

// Get returns the result. It panics before the flush, where it would be empty.
func (p *Pending[T]) Get() T {
	if !p.ready {
		panic("db: a result is read before the flush that brings it")
	}
	return p.value
}

// Exec runs a statement, after those that are queued.
func (tx Tx) Exec(ctx context.Context, sql string, args ...any) (tag pgconn.CommandTag, err error) {
	if tx.queued.Len() == 0 && tx.begun {
		return tx.conn.Exec(ctx, tx.tagSQL(sql), args...)
	}
	tx.Queue(sql, args...).Exec(func(done pgconn.CommandTag) error {
		tag = done
		return nil
	})
	err = tx.Flush(ctx)
	return tag, err
}

// SendBatch runs a batch, after the statements that are queued.
func (tx Tx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if err := tx.Flush(ctx); err != nil {
		return failedBatch{err}
	}
	results, err := tx.send(ctx, b)
	if err != nil {
		return failedBatch{err}
	}
	return results
}

// QueryRow reads a row, after the statements that are queued.
func (tx Tx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if tx.queued.Len() == 0 && tx.begun {
		return tx.conn.QueryRow(ctx, tx.tagSQL(sql), args...)
	}
	rows, err := tx.Query(ctx, sql, args...)
	return firstRow{rows, err}
}

// Query reads rows, after the statements that are queued.
func (tx Tx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if tx.queued.Len() == 0 && tx.begun {
		return tx.conn.Query(ctx, tx.tagSQL(sql), args...)
	}
	before := tx.take()
	batch := &pgx.Batch{QueuedQueries: before.QueuedQueries}
	batch.Queue(sql, args...)
	results, err := tx.send(ctx, batch)
	if err != nil {
		return nil, err
	}
	if err := readAll(results, before.QueuedQueries, 1); err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return &lastRows{Rows: rows, results: results}, nil
}

// Flush sends the queued statements and calls their result handlers.
func (tx Tx) Flush(ctx context.Context) error {
	if tx.queued.Len() == 0 {
		return nil
	}
	queued := tx.take()
	results, err := tx.send(ctx, queued)
	if err != nil {
		return err
	}
	if err := readAll(results, queued.QueuedQueries, 0); err != nil {
		return err
	}
	return results.Close()
}

// readAll calls the handlers of the queued statements until one returns an error. It still reads the remaining results, those of
// more further statements too: on a batch error pgx drops its prepared statements, and the next buyer of what is sold out would
// wait until they are prepared again.
func readAll(results pgx.BatchResults, queued []*pgx.QueuedQuery, more int) error {
	for i, q := range queued {
		if err := read(results, q); err != nil {
			_ = skip(results, len(queued)-i-1+more) // err is what counts
			_ = results.Close()                     // the same; the pool drops a broken connection
			return err
		}
	}
	return nil
}

// read reads the result of a queued statement.
func read(results pgx.BatchResults, queued *pgx.QueuedQuery) error {
	if queued.Fn != nil {
		return queued.Fn(results)
	}
	_, err := results.Exec()
	return err
}

// lastRows are the rows of a batch's last statement. To close them closes the batch.
type lastRows struct {
	pgx.Rows
	results pgx.BatchResults
	err     error
}

func (r *lastRows) Close() {
	r.Rows.Close()
	r.err = r.results.Close()
}

func (r *lastRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *lastRows) Err() error { return errors.Join(r.Rows.Err(), r.err) }

// firstRow scans the first of some rows.
type firstRow struct {
	rows pgx.Rows
	err  error
}

func (r firstRow) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(into...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}

// failedBatch is the result of a batch that was never sent.
type failedBatch struct{ err error }

func (r failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, r.err }
func (r failedBatch) Query() (pgx.Rows, error)         { return nil, r.err }
func (r failedBatch) QueryRow() pgx.Row                { return firstRow{err: r.err} }
func (r failedBatch) Close() error                     { return r.err }
func (r failedBatch) Tx() pgx.Tx                       { return nil }
