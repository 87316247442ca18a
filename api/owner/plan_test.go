package owner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/tenants/org"
)

// TestPlans: every module is in the largest plan, so that none is forgotten that nobody could ever have.
func TestPlans(t *testing.T) {
	s := dbtest.Open(t)
	plan := func(name string) (o org.Org) {
		require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT modules FROM plan WHERE name_en = $1`, name).Scan(&o.Modules)
		}))
		return o
	}
	starter, growth := plan("Starter"), plan("Growth")
	for _, module := range access.ModuleNames() {
		require.True(t, growth.Grants(module), "no plan has %q: say in its access.NewModule which module it comes with, or add it to a plan by a migration in migrations/platform", module)
	}
	for module, granted := range map[string]bool{
		"salepackage": true, "dailytransaction": true, "payment": true, "setting": true,
		"agent": false, "agentcommissiontransaction": false, "memberlist": false, "pointtransaction": false, "nonsense": false,
	} {
		require.Equal(t, granted, starter.Grants(module), module)
	}
}
