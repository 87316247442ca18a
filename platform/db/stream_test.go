package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestStream(t *testing.T) {
	s := dbtest.Open(t)
	org := s.NewOrg(t)
	in := func(fn func(ctx context.Context, tx db.Tx) error) error {
		return s.DB.InOrg(t.Context(), org, func(tx db.Tx) error { return fn(t.Context(), tx) })
	}
	const sql = `SELECT k FROM generate_series(1, $1::int) k`
	for _, n := range []int{0, 1, 1999, 2000, 2001, 10_000} {
		read := []int{}
		require.NoError(t, in(func(ctx context.Context, tx db.Tx) error {
			return db.Stream(ctx, tx, pgx.RowTo[int], func(k int) error { read = append(read, k); return nil }, sql, n)
		}))
		require.Len(t, read, n)
		for i, k := range read {
			require.Equal(t, i+1, k)
		}
	}

	t.Run("an error of each ends it, and the transaction goes on", func(t *testing.T) {
		enough := errors.New("enough")
		read := 0
		require.NoError(t, in(func(ctx context.Context, tx db.Tx) error {
			err := db.Stream(ctx, tx, pgx.RowTo[int], func(int) error {
				if read++; read == 2500 {
					return enough
				}
				return nil
			}, sql, 1_000_000)
			require.ErrorIs(t, err, enough)
			return tx.QueryRow(ctx, `SELECT 1`).Scan(new(int))
		}))
		require.Equal(t, 2500, read)
	})

	t.Run("an error of a later row is returned", func(t *testing.T) {
		err := in(func(ctx context.Context, tx db.Tx) error {
			return db.Stream(ctx, tx, pgx.RowTo[int], func(int) error { return nil }, `SELECT 1 / ($1::int - k) FROM generate_series(1, 5000) k`, 4500)
		})
		require.ErrorContains(t, err, "division by zero")
	})

	t.Run("a panic of read reaches the caller, and so does one of each", func(t *testing.T) {
		broken := func(pgx.CollectableRow) (int, error) { panic("read") }
		require.PanicsWithValue(t, "read", func() {
			_ = in(func(ctx context.Context, tx db.Tx) error {
				return db.Stream(ctx, tx, broken, func(int) error { return nil }, sql, 3)
			})
		})
		require.PanicsWithValue(t, "each", func() {
			_ = in(func(ctx context.Context, tx db.Tx) error {
				return db.Stream(ctx, tx, pgx.RowTo[int], func(int) error { panic("each") }, sql, 5000)
			})
		})
		require.NoError(t, in(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, `SELECT 1`).Scan(new(int)) }))
	})
}
