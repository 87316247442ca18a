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

// TestFind: a stranger finds live shops with a host by their names, and nothing else.
func TestFind(t *testing.T) {
	w := tenanttest.New(t)
	d := org.NewDirectory(w.DB)
	change := func(sql string, args ...any) {
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), sql, args...)
			return err
		}))
	}
	change(`UPDATE organisation SET name_th = 'เรือนละไม 100%', name_en = 'Ruean Lamai', state = 'live' WHERE id = $1`, w.Org)
	names := func(text string) (found []string) {
		shops, err := d.Find(t.Context(), text)
		require.NoError(t, err)
		for _, o := range shops {
			found = append(found, o.NameEN)
		}
		return found
	}
	require.Empty(t, names("lamai"), "it has no host yet")
	change(`INSERT INTO host (host, org_id, canonical) VALUES ('lamai.example', $1, true)`, w.Org)
	require.Empty(t, names("lamai"), "its host is not verified yet")
	change(`UPDATE host SET verified_at = now() WHERE host = 'lamai.example'`)
	for _, text := range []string{"lamai", " LAMAI ", "ละไม", "100%", "Ruean Lamai"} {
		require.Equal(t, []string{"Ruean Lamai"}, names(text), text)
	}
	for _, text := range []string{"", " l ", "%%", "__", `\`, "lamai.example", "x' OR true --"} {
		require.Empty(t, names(text), text)
	}
	change(`UPDATE organisation SET state = 'suspended' WHERE id = $1`, w.Org)
	require.Equal(t, []string{"Ruean Lamai"}, names("lamai"), "its customers look for their vouchers")
	change(`UPDATE organisation SET state = 'provisioning' WHERE id = $1`, w.Org)
	require.Empty(t, names("lamai"), "it is not open")
}
