package db_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

// TestLost: a connection that ends before the commit is sent costs another try, once that is done nothing twice.
func TestLost(t *testing.T) {
	s := dbtest.Open(t)
	org := s.NewOrg(t)
	super, err := pgx.Connect(t.Context(), os.Getenv("DATABASE_URL_SUPERUSER"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = super.Close(context.Background()) })
	end := func(tx db.Tx) {
		var pid int
		require.NoError(t, tx.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid))
		_, err := super.Exec(t.Context(), `SELECT pg_terminate_backend($1, 5000)`, pid)
		require.NoError(t, err)
	}

	t.Run("in the middle, and in the pool", func(t *testing.T) {
		tries := 0
		require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
			if tries++; tries <= 2 {
				if err := addTag("lost")(tx); err != nil {
					return err
				}
				end(tx)
			}
			return addTag("lost")(tx)
		}))
		require.Equal(t, 3, tries)
		require.Equal(t, 1, countTags(t, s, org))
	})

	t.Run("a refusal stays one", func(t *testing.T) {
		no, tries := errors.New("no"), 0
		require.ErrorIs(t, s.DB.InOrg(t.Context(), org, func(db.Tx) error { tries++; return no }), no)
		require.Equal(t, 1, tries)
	})

	t.Run("who has given up is not tried for again", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tries := 0
		require.Error(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			tries++
			cancel()
			_, err := tx.Exec(ctx, `SELECT pg_sleep(1)`)
			return err
		}))
		require.Equal(t, 1, tries)
		require.Equal(t, 1, countTags(t, s, org))
	})
}
