package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestInOrg(t *testing.T) {
	s := dbtest.Open(t)
	ours, theirs := s.NewOrg(t), s.NewOrg(t)
	theirPlacement, err := s.DB.Placement(t.Context(), theirs)
	require.NoError(t, err)

	t.Run("a transaction sees its organisation's rows only", func(t *testing.T) {
		require.NoError(t, s.DB.InOrg(t.Context(), theirs, addTag("canary")))

		require.Zero(t, countTags(t, s, ours))
		require.Equal(t, 1, countTags(t, s, theirs))
	})

	t.Run("a transaction is refused another organisation's table by name", func(t *testing.T) {
		err := s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), "SELECT * FROM "+theirPlacement.Schema+".tag")
			return err
		})
		require.Equal(t, "42501", db.SQLState(err))
	})

	t.Run("an organisation is refused the platform's tables, and the platform an organisation's", func(t *testing.T) {
		err := s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), "SELECT * FROM platform.organisation")
			return err
		})
		require.Equal(t, "42501", db.SQLState(err))

		err = s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), "SELECT * FROM "+theirPlacement.Schema+".tag")
			return err
		})
		require.Equal(t, "42501", db.SQLState(err))
	})

	t.Run("ids are written and read as they are, and a missing id as NULL", func(t *testing.T) {
		id, many := db.NewID(), []uuid.UUID{db.NewID(), db.NewID()}
		var missing *uuid.UUID
		require.NoError(t, s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error {
			var back, none any
			var list []uuid.UUID
			var text string
			sql := `SELECT $1::uuid, $2::uuid, $3::uuid[], $1::uuid::text, $4::jsonb ->> 'id'`
			var inside string
			err := tx.QueryRow(t.Context(), sql, id, missing, many, map[string]uuid.UUID{"id": id}).Scan(&back, &none, &list, &text, &inside)
			require.Equal(t, []any{id, nil, many, id.String(), id.String()}, []any{back, none, list, text, inside})
			return err
		}))
		require.Error(t, s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error {
			var plain uuid.UUID
			return tx.QueryRow(t.Context(), `SELECT NULL::uuid`).Scan(&plain)
		}), "NULL is no uuid.UUID")
	})

	t.Run("append-only tables refuse changes", func(t *testing.T) {
		for _, sql := range []string{
			"UPDATE entry SET amount_satang = 1", "DELETE FROM entry", "UPDATE transfer SET at = now()", "DELETE FROM transfer",
			"UPDATE seal SET transfers = 0", "DELETE FROM redemption", "UPDATE consent SET lang = ''", "DELETE FROM audit_log",
			"UPDATE idempotency SET key = ''", "TRUNCATE entry", "DROP TABLE entry",
		} {
			err := s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error {
				_, err := tx.Exec(t.Context(), sql)
				return err
			})
			require.Equal(t, "42501", db.SQLState(err), sql)
		}
	})

	t.Run("a commit, an error, a panic or a cancelled request leaves no role on a connection", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		require.Error(t, s.DB.InOrg(ctx, ours, func(tx db.Tx) error {
			cancel()
			_, err := tx.Exec(ctx, "SELECT 1")
			return err
		}))
		require.Error(t, s.DB.InOrg(t.Context(), ours, func(db.Tx) error { return errors.New("no") }))
		require.Panics(t, func() { _ = s.DB.InOrg(t.Context(), ours, func(db.Tx) error { panic("no") }) })

		for range 40 {
			require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
				var role, path string
				err := tx.QueryRow(t.Context(), "SELECT current_user, current_setting('search_path')").Scan(&role, &path)
				require.Equal(t, "wlv_platform", role)
				require.Equal(t, "platform, pg_temp", path)
				return err
			}))
		}
	})

	t.Run("AfterCommit runs its function only after a commit", func(t *testing.T) {
		ran := 0
		count := func(tx db.Tx) { tx.AfterCommit(func(context.Context) { ran++ }) }

		require.Error(t, s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error { count(tx); return errors.New("no") }))
		require.Zero(t, ran)
		require.NoError(t, s.DB.InOrg(t.Context(), ours, func(tx db.Tx) error { count(tx); return nil }))
		require.Equal(t, 1, ran)
	})

	t.Run("an organisation without a schema is not found", func(t *testing.T) {
		err := s.DB.InOrg(t.Context(), uuid.New(), func(db.Tx) error { return nil })
		require.ErrorIs(t, err, db.ErrNoOrg)
	})
}

const insertTag = `INSERT INTO tag (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, $2, $2, 5, $3, $3)`

func addTag(name string) func(db.Tx) error {
	return func(tx db.Tx) error {
		_, err := tx.Exec(context.Background(), insertTag, db.NewID(), name, tx.Now)
		return err
	}
}

func countTags(t *testing.T, s *dbtest.Server, org uuid.UUID) (n int) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), "SELECT count(*) FROM tag").Scan(&n)
	}))
	return n
}
