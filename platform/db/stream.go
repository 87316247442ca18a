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

// Stream runs a query through a cursor, makes an R of every row, and calls each for it. All rows are from one snapshot, and few are
// in memory. It stops at the first error of each, and nothing more is read then; each may use tx. A transaction has one stream at a
// time.
func Stream[R any](ctx context.Context, tx Tx, read pgx.RowToFunc[R], each func(row R) error, sql string, args ...any) error {
	tx.Queue(planForAll)
	if _, err := tx.Exec(ctx, "DECLARE stream NO SCROLL CURSOR FOR "+sql, args...); err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	for {
		// The columns are those of the cursor, so they are described each time.
		rows, err := tx.Query(ctx, fetchSome, pgx.QueryExecModeDescribeExec)
		if err != nil {
			return fmt.Errorf("stream: %w", err)
		}
		batch, err := pgx.CollectRows(rows, read)
		if err != nil {
			return fmt.Errorf("stream: %w", err)
		}
		for _, row := range batch {
			if err := each(row); err != nil {
				return err
			}
		}
		if len(batch) < fetched {
			_, err := tx.Exec(ctx, "CLOSE stream")
			return err
		}
	}
}
