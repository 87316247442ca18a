package db_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/migrations"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestProvisionTenant(t *testing.T) {
	s := dbtest.Open(t)
	newest, err := s.Schemas.TenantVersion()
	require.NoError(t, err)
	owner, err := pgx.Connect(t.Context(), s.OwnURL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, owner.Close(t.Context())) })
	tables := func(schema string) (n int) {
		require.NoError(t, owner.QueryRow(t.Context(), `SELECT count(*) FROM pg_tables WHERE schemaname = $1`, schema).Scan(&n))
		return n
	}
	provision := func(of *db.Schemas, schema string) error {
		version, err := of.ProvisionTenant(t.Context(), db.Placement{Schema: schema, Node: db.MainNode})
		if err == nil && version != newest {
			return fmt.Errorf("%s is at %d", schema, version)
		}
		return err
	}

	t.Run("schemas provisioned one after the other each have their tables", func(t *testing.T) {
		for range 2 * db.SchemasAtOnce {
			schema := dbtest.NewSchemaName()
			require.NoError(t, provision(s.Schemas, schema))
			require.Greater(t, tables(schema), 40)
		}
	})

	t.Run("two processes that provision one schema at once may fail, and succeed in a second try", func(t *testing.T) {
		other, err := db.OpenSchemas(t.Context(), map[string]string{db.MainNode: s.OwnURL}, "wlv_app", migrations.FS)
		require.NoError(t, err)
		t.Cleanup(other.Close)
		for range 5 {
			schema := dbtest.NewSchemaName()
			var failed [2]error
			var both errgroup.Group
			for i, of := range []*db.Schemas{s.Schemas, other} {
				both.Go(func() error { failed[i] = provision(of, schema); return nil })
			}
			require.NoError(t, both.Wait())
			require.NoError(t, provision(other, schema), "after %v", failed)
			require.Greater(t, tables(schema), 40)
		}
	})

	t.Run("a schema that exists already gets its tables, its role and its grant", func(t *testing.T) {
		schema := dbtest.NewSchemaName()
		_, err := owner.Exec(t.Context(), `CREATE SCHEMA `+schema)
		require.NoError(t, err)
		require.NoError(t, provision(s.Schemas, schema))
		org := db.NewID()
		s.List(t, org, db.Placement{Schema: schema, Node: db.MainNode}, newest)
		require.NoError(t, s.DB.InOrg(t.Context(), org, addTag("whole")), "its role was made, too, and granted")
	})

	t.Run("schemas that cannot be provisioned keep none of the others back", func(t *testing.T) {
		var placements []db.Placement
		for range 2 * db.SchemasAtOnce {
			placements = append(placements, db.Placement{Schema: dbtest.NewSchemaName(), Node: db.MainNode})
		}
		lost := db.Placement{Schema: dbtest.NewSchemaName(), Node: "nowhere"}
		folded := db.Placement{Schema: strings.ToUpper(dbtest.NewSchemaName()), Node: db.MainNode} // in a path it is another's
		_, err := owner.Exec(t.Context(), fmt.Sprintf(`CREATE SCHEMA "%[1]s"; CREATE ROLE "%[1]s"; GRANT "%[1]s" TO wlv_app`, folded.Schema))
		require.NoError(t, err)

		reached, err := s.Schemas.MakeTenants(t.Context(), append([]db.Placement{lost, folded}, placements...)...)
		require.Error(t, err)
		require.Len(t, reached, len(placements))
		for _, placement := range placements {
			require.Equal(t, newest, reached[placement])
			require.Greater(t, tables(placement.Schema), 40)
		}
		_, err = s.Schemas.ProvisionTenant(t.Context(), folded)
		require.ErrorContains(t, err, "not a schema's name")
		_, err = s.Schemas.ProvisionTenant(t.Context(), lost)
		require.ErrorContains(t, err, "nowhere")
	})
}
