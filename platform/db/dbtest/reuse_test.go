package dbtest_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestNewOrg(t *testing.T) {
	s := dbtest.Open(t)
	// open returns an organisation of a test that does something to its schema, and ends; and the schema.
	open := func(change string) (org uuid.UUID, schema string) {
		t.Run(change, func(t *testing.T) {
			org = s.NewOrg(t)
			err := s.InOrgAsSuperuser(t.Context(), t, org, func(tx db.Tx) error {
				if err := tx.QueryRow(t.Context(), `SELECT current_schema()`).Scan(&schema); err != nil || change == "" {
					return err
				}
				_, err := tx.Exec(t.Context(), change)
				return err
			})
			require.NoError(t, err)
		})
		return org, schema
	}
	texts := func(org uuid.UUID) (n, added int) {
		require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE name_en = 'added') FROM tag`).Scan(&n, &added)
		}))
		return n, added
	}

	first, schema := open(`UPDATE list_option SET name_en = 'added'; INSERT INTO tag (id, name_th, name_en, status, created_at, updated_at) VALUES (gen_random_uuid(), 'ก', 'added', 5, now(), now())`)
	n, added := texts(first)
	require.Equal(t, []int{1, 1}, []int{n, added})

	again, same := open("")
	require.Equal(t, schema, same)
	n, added = texts(again)
	require.Zero(t, n+added)

	for _, change := range []string{
		`ALTER TABLE tag DROP COLUMN name_en`, `ALTER TABLE tag ADD CONSTRAINT more CHECK (true)`, `CREATE INDEX more ON tag (name_th)`,
		`DO $$ BEGIN EXECUTE format('REVOKE SELECT ON tag FROM %I', current_schema()); END $$`,
	} {
		_, changed := open(change)
		_, next := open("")
		require.NotEqual(t, changed, next, change)
	}
}
