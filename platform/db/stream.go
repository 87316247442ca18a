package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// A cursor's plan is one for its first rows, unless all are wanted.
	planForAll = `SET LOCAL cursor_tuple_fraction = 1`
	fetchSome  = `FETCH 2000 FROM stream`
	fetched    = 2000
)

// batchOfRows has the rows of one FETCH, or its error.
type batchOfRows[R any] struct {
	rows     []R
	err      error
	panicked any
}

// Stream runs a query through a cursor, makes an R of every row, and calls each for it. All rows are from one snapshot, and few are
// in memory: while each is called, Postgres makes the next ones. It stops at the first error of each, and nothing more is read then.
// Neither each nor another goroutine may use tx meanwhile.
func Stream[R any](ctx context.Context, tx Tx, read pgx.RowToFunc[R], each func(row R) error, sql string, args ...any) error {
	tx.Queue(planForAll)
	if _, err := tx.Exec(ctx, "DECLARE stream NO SCROLL CURSOR FOR "+sql, args...); err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	batches, stop := make(chan batchOfRows[R]), make(chan struct{})
	go func() {
		defer close(batches)
		for more := true; more; {
			batch := fetch(ctx, tx, read)
			more = len(batch.rows) == fetched
			select {
			case batches <- batch:
			case <-stop:
				return
			}
		}
	}()
	err := eachOf(batches, stop, each)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "CLOSE stream")
	return err
}

func fetch[R any](ctx context.Context, tx Tx, read pgx.RowToFunc[R]) (batch batchOfRows[R]) {
	defer func() {
		if r := recover(); r != nil {
			batch = batchOfRows[R]{panicked: r}
		}
	}()
	// The columns are those of the cursor, so they are described each time.
	rows, err := tx.Query(ctx, fetchSome, pgx.QueryExecModeDescribeExec)
	if err == nil {
		batch.rows, err = pgx.CollectRows(rows, read)
	}
	if err != nil {
		return batchOfRows[R]{err: fmt.Errorf("stream: %w", err)}
	}
	return batch
}

// eachOf calls each for the rows of all batches. A panic of fetch goes on in its caller's goroutine. When it returns or panics, fetch
// uses the transaction no more.
func eachOf[R any](batches <-chan batchOfRows[R], stop chan<- struct{}, each func(row R) error) error {
	defer func() {
		close(stop)
		for range batches { // closed once the last fetch has ended
		}
	}()
	for batch := range batches {
		if batch.panicked != nil {
			panic(batch.panicked)
		}
		if batch.err != nil {
			return batch.err
		}
		for _, row := range batch.rows {
			if err := each(row); err != nil {
				return err
			}
		}
	}
	return nil
}
