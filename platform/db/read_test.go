package db_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

// TestReadInOrg: a read-only transaction has no BEGIN, and is inside the organisation all the same.
func TestReadInOrg(t *testing.T) {
	s := dbtest.Open(t)
	d, err := db.Open(t.Context(), map[string]string{db.MainNode: s.AppURL}, 1, s.Clock) // one connection for all organisations
	require.NoError(t, err)
	t.Cleanup(d.Close)
	orgs := []uuid.UUID{s.NewOrg(t), s.NewOrg(t)}
	require.NoError(t, d.InOrg(t.Context(), orgs[0], addTag("ours")))
	const count = `SELECT count(*), current_user::text, pg_current_xact_id_if_assigned() IS NULL FROM tag`

	t.Run("each organisation sees its own rows, before and after its statements are prepared", func(t *testing.T) {
		for range 3 {
			for i, org := range orgs {
				placement, err := d.Placement(t.Context(), org)
				require.NoError(t, err)
				require.NoError(t, d.ReadInOrg(t.Context(), org, func(tx db.Tx) error {
					for range 2 {
						var n int
						var role string
						var untouched bool
						if err := tx.QueryRow(t.Context(), count).Scan(&n, &role, &untouched); err != nil {
							return err
						}
						require.Equal(t, []any{1 - i, placement.Schema, true}, []any{n, role, untouched})
					}
					return nil
				}))
			}
		}
	})

	t.Run("queued statements are answered together", func(t *testing.T) {
		var first, second int
		require.NoError(t, d.ReadInOrg(t.Context(), orgs[0], func(tx db.Tx) error {
			tx.Queue(`SELECT count(*) FROM tag`).QueryRow(func(row pgx.Row) error { return row.Scan(&first) })
			tx.Queue(`SELECT count(*) + 1 FROM tag`).QueryRow(func(row pgx.Row) error { return row.Scan(&second) })
			return nil
		}))
		require.Equal(t, []int{1, 2}, []int{first, second})
	})

	t.Run("ForceGenericPlan holds in a read-only transaction, and not after it", func(t *testing.T) {
		mode := func(once bool) (set string) {
			require.NoError(t, d.ReadInOrg(t.Context(), orgs[0], func(tx db.Tx) error {
				if once {
					tx.ForceGenericPlan()
				}
				return tx.QueryRow(t.Context(), `SELECT current_setting('plan_cache_mode')`).Scan(&set)
			}))
			return set
		}
		for range 3 {
			require.Equal(t, "force_generic_plan", mode(true))
			require.Equal(t, "auto", mode(false))
		}
	})

	t.Run("a write is refused", func(t *testing.T) {
		for range 2 {
			err := d.ReadInOrg(t.Context(), orgs[0], addTag("written"))
			require.Equal(t, "25006", db.SQLState(err), "%v", err)
		}
		require.Equal(t, 1, countTags(t, s, orgs[0]))
	})

	t.Run("a read-only transaction leaves neither its role nor its mode on the connection", func(t *testing.T) {
		require.Error(t, d.ReadInOrg(t.Context(), orgs[0], func(tx db.Tx) error {
			var n int
			return tx.QueryRow(t.Context(), `SELECT 1 / count(*) FROM tag WHERE id IS NULL`).Scan(&n)
		}))
		var name, readOnly string
		require.NoError(t, d.ReadInPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT current_user::text`).Scan(&name)
		}))
		require.Equal(t, "wlv_platform", name)
		require.NoError(t, d.InOrg(t.Context(), orgs[1], func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SHOW transaction_read_only`).Scan(&readOnly)
		}))
		require.Equal(t, "off", readOnly)
	})
}
