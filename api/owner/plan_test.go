package owner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/staff"
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
	for _, module := range staff.Modules {
		require.True(t, growth.Grants(module), module)
	}
	for module, granted := range map[string]bool{
		"salepackage": true, "dailytransaction": true, "payment": true, "setting": true,
		"agent": false, "agentcommissiontransaction": false, "memberlist": false, "pointtransaction": false, "nonsense": false,
	} {
		require.Equal(t, granted, starter.Grants(module), module)
	}
}
