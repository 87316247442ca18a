package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
)

func TestQueue(t *testing.T) {
	s := dbtest.Open(t)
	org := s.NewOrg(t)
	in := func(fn func(ctx context.Context, tx db.Tx) error) error {
		return s.DB.InOrg(t.Context(), org, func(tx db.Tx) error { return fn(t.Context(), tx) })
	}
	add := func(tx db.Tx, name string) *pgx.QueuedQuery { return tx.Queue(insertTag, db.NewID(), name, tx.Now) }
	named := func(name string) (n int) {
		require.NoError(t, in(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT count(*) FROM tag WHERE name_th = $1`, name).Scan(&n)
		}))
		return n
	}
	no := errors.New("no")

	t.Run("a queued statement runs with the commit, and never without it", func(t *testing.T) {
		require.NoError(t, in(func(_ context.Context, tx db.Tx) error { add(tx, "kept"); return nil }))
		require.Equal(t, 1, named("kept"))
		require.ErrorIs(t, in(func(_ context.Context, tx db.Tx) error { add(tx, "dropped"); return no }), no)
		require.Zero(t, named("dropped"))
	})

	t.Run("a statement queued last is sent with COMMIT, and undoes it when it fails", func(t *testing.T) {
		last := func(then func(tx db.Tx)) error {
			return in(func(ctx context.Context, tx db.Tx) error {
				if err := tx.QueryRow(ctx, `SELECT 1`).Scan(new(int)); err != nil {
					return err
				}
				add(tx, "last")
				then(tx)
				return nil
			})
		}
		require.NoError(t, last(func(db.Tx) {}))
		require.Equal(t, 1, named("last"))
		require.Equal(t, "23502", db.SQLState(last(func(tx db.Tx) { tx.Queue(`INSERT INTO tag (id) VALUES ($1)`, db.NewID()) })))
		require.ErrorIs(t, last(func(tx db.Tx) { tx.Queue(insertTag, db.NewID(), "\x00", tx.Now) }), fault.BadInput)
		require.Error(t, last(func(tx db.Tx) { tx.Queue(`SELECT 1 FROM nowhere`) }), "before it is sent")
		require.Equal(t, 1, named("last"))
	})

	t.Run("an error of a result's handler leaves all statements prepared", func(t *testing.T) {
		one, err := db.Open(t.Context(), map[string]string{db.MainNode: s.AppURL}, 1, s.Clock)
		require.NoError(t, err)
		t.Cleanup(one.Close)
		prepared := func(refuse bool) (at time.Time) {
			err := one.InOrg(t.Context(), org, func(tx db.Tx) error {
				const own = `SELECT prepare_time FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO tag %'`
				if err := tx.QueryRow(t.Context(), own).Scan(&at); err != nil && !errors.Is(err, pgx.ErrNoRows) {
					return err
				}
				add(tx, "judged").Exec(func(pgconn.CommandTag) error {
					if refuse {
						return no
					}
					return nil
				})
				add(tx, "after it")
				return tx.Flush(t.Context())
			})
			if refuse {
				require.ErrorIs(t, err, no)
			} else {
				require.NoError(t, err)
			}
			return at
		}
		prepared(false)
		first := prepared(true)
		require.NotZero(t, first)
		require.Equal(t, first, prepared(false))
		require.Equal(t, 2, named("judged"))
		require.Equal(t, 2, named("after it"))
	})

	t.Run("a queued statement runs before whatever is asked after it", func(t *testing.T) {
		const count = `SELECT count(*) FROM tag WHERE name_th = $1`
		require.NoError(t, in(func(ctx context.Context, tx db.Tx) error {
			var n int
			add(tx, "ordered")
			require.NoError(t, tx.QueryRow(ctx, count, "ordered").Scan(&n))
			require.Equal(t, 1, n)

			add(tx, "ordered")
			rows, err := tx.Query(ctx, `SELECT name_th FROM tag WHERE name_th = $1`, "ordered")
			require.NoError(t, err)
			names, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			require.Len(t, names, 2)

			add(tx, "ordered")
			tag, err := tx.Exec(ctx, `UPDATE tag SET name_en = 'x' WHERE name_th = $1`, "ordered")
			require.NoError(t, err)
			require.EqualValues(t, 3, tag.RowsAffected())

			add(tx, "ordered")
			batch := &pgx.Batch{}
			batch.Queue(count, "ordered").QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
			require.NoError(t, tx.SendBatch(ctx, batch).Close())
			require.Equal(t, 4, n)

			add(tx, "ordered")
			require.ErrorIs(t, tx.QueryRow(ctx, `SELECT name_th FROM tag WHERE name_th = 'missing'`).Scan(new(string)), pgx.ErrNoRows)
			require.NoError(t, tx.QueryRow(ctx, count, "ordered").Scan(&n)) // the connection is free again
			require.Equal(t, 5, n)
			return nil
		}))
	})

	t.Run("a queued statement that fails or is refused ends the transaction, whatever comes next", func(t *testing.T) {
		fails := func(tx db.Tx) { tx.Queue(`INSERT INTO tag (id) VALUES ($1)`, db.NewID()) }
		refuses := func(tx db.Tx) { add(tx, "refused").Exec(func(pgconn.CommandTag) error { return no }) }
		asks := map[string]func(ctx context.Context, tx db.Tx) error{
			"the commit": func(context.Context, db.Tx) error { return nil },
			"a flush":    func(ctx context.Context, tx db.Tx) error { return tx.Flush(ctx) },
			"a row":      func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, `SELECT 1`).Scan(new(int)) },
			"rows": func(ctx context.Context, tx db.Tx) error {
				rows, err := tx.Query(ctx, `SELECT 1`)
				if err == nil {
					rows.Close()
				}
				return err
			},
			"a statement": func(ctx context.Context, tx db.Tx) error { _, err := tx.Exec(ctx, `SELECT 1`); return err },
			"a batch": func(ctx context.Context, tx db.Tx) error {
				batch := &pgx.Batch{}
				batch.Queue(`SELECT 1`)
				return tx.SendBatch(ctx, batch).Close()
			},
		}
		for name, ask := range asks {
			err := in(func(ctx context.Context, tx db.Tx) error { fails(tx); return ask(ctx, tx) })
			require.Equal(t, "23502", db.SQLState(err), name)
			err = in(func(ctx context.Context, tx db.Tx) error { refuses(tx); return ask(ctx, tx) })
			require.ErrorIs(t, err, no, name)
		}
		require.Zero(t, named("refused"))
	})
}
