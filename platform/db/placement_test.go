package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestPlacement(t *testing.T) {
	s := dbtest.Open(t)

	t.Run("organisations on two nodes work side by side", func(t *testing.T) {
		here, there := s.NewOrg(t), s.NewOrgOn(t, dbtest.NodeB)
		require.NoError(t, s.DB.InOrg(t.Context(), here, addTag("here")))
		require.NoError(t, s.DB.InOrg(t.Context(), there, addTag("there")))
		require.NoError(t, s.DB.InOrg(t.Context(), there, addTag("there as well")))

		require.Equal(t, 1, countTags(t, s, here))
		require.Equal(t, 2, countTags(t, s, there))
		placement, err := s.DB.Placement(t.Context(), there)
		require.NoError(t, err)
		require.Equal(t, dbtest.NodeB, placement.Node)
	})

	t.Run("an organisation that has moved is found again when its old node refuses it", func(t *testing.T) {
		org := s.NewOrg(t)
		require.NoError(t, s.DB.InOrg(t.Context(), org, addTag("before the move")))
		placement, err := s.DB.Placement(t.Context(), org)
		require.NoError(t, err)

		_, err = s.Schemas.ProvisionTenant(t.Context(), db.Placement{Schema: placement.Schema, Node: dbtest.NodeB})
		require.NoError(t, err)
		owner, err := pgx.Connect(t.Context(), s.OwnURL)
		require.NoError(t, err)
		defer owner.Close(t.Context())
		_, err = owner.Exec(t.Context(), `REVOKE USAGE ON SCHEMA `+placement.Schema+` FROM `+placement.Schema)
		require.NoError(t, err)

		require.Error(t, s.DB.InOrg(t.Context(), org, addTag("nowhere")), "closed here, and the placement still says here")
		require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `UPDATE organisation SET node = $2 WHERE id = $1`, org, dbtest.NodeB)
			return err
		}))
		require.NoError(t, s.DB.InOrg(t.Context(), org, addTag("after the move")))
		require.Equal(t, 1, countTags(t, s, org))
	})
}
