package org_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

// TestChanged: a process that receives all changes keeps an organisation for longer than two seconds, but not when it has changed.
func TestChanged(t *testing.T) {
	w := tenanttest.New(t)
	other := w.Process(t)
	here, there := org.NewDirectory(w.DB), org.NewDirectory(other.DB)
	caughtUp := other.Listen(t)
	for _, name := range []string{"ร้านเดิม", "ร้านใหม่"} {
		_, err := org.New(w.DB, here, nil).SaveSettings(t.Context(), w.Org, auditlog.Actor{Kind: token.Owner, ID: db.NewID()}, org.Settings{
			NameTH: name, NameEN: "Shop", Primary: "#1f5c4d", Secondary: "#d9a662",
		})
		require.NoError(t, err)
		found, err := here.ByID(t.Context(), w.Org)
		require.NoError(t, err)
		require.Equal(t, name, found.NameTH, "at once")
		caughtUp()
		found, err = there.ByID(t.Context(), w.Org)
		require.NoError(t, err)
		require.Equal(t, name, found.NameTH)
	}
}
