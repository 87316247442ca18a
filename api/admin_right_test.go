package api

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/tenanttest"
)

// TestAdminRights: every module × letter × kind of admin is allowed or refused by the table of rights, and by nothing else.
func TestAdminRights(t *testing.T) {
	w := tenanttest.New(t)
	may := allow(&tenants.Services{Admins: org.NewAdmins(w.DB, nil, nil, nil)})
	add := func(role string, status int16, permission map[string]string) token.Session {
		t.Helper()
		id := db.NewID()
		require.NoError(t, w.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, role, permission, status, created_at) VALUES ($1, $2, 'ผู้ดูแล', $3, $4, $5, $6)`,
				id, id.String(), role, permission, status, tx.Now)
			return err
		}))
		return token.Session{Audience: token.Admin, Subject: id}
	}
	letters := access.AdminLetters + access.Status
	everything, names := map[string]string{}, []string{"everything", ""}
	for _, m := range org.AdminModules {
		everything[m.Name], names = access.AdminLetters, append(names, m.Name)
	}
	super, gone := add(org.RoleSuperAdmin, 5, map[string]string{}), add(org.RoleSuperAdmin, 4, everything)
	stranger := token.Session{Audience: token.Admin, Subject: uuid.New()}
	for _, module := range names {
		for letter := range strings.SplitSeq(letters, "") {
			exists := letter != access.Status
			poor := maps.Clone(everything)
			if poor[module] != "" {
				poor[module] = strings.ReplaceAll(poor[module], letter, "")
			}
			for name, one := range map[string]struct {
				who     token.Session
				allowed bool
			}{
				"superadmin": {super, exists},
				"just this":  {add("admin", 5, map[string]string{module: letter}), exists},
				"all but it": {add("admin", 5, poor), false},
				"none":       {add("admin", 5, map[string]string{}), false},
			} {
				err := may(t.Context(), one.who, module, letter)
				if one.allowed {
					require.NoError(t, err, "%s: %q %s", name, module, letter)
				} else {
					require.ErrorIs(t, err, fault.NotAllowed, "%s: %q %s", name, module, letter)
				}
			}
			require.ErrorIs(t, may(t.Context(), gone, module, letter), fault.NoSession, "suspended")
			require.ErrorIs(t, may(t.Context(), stranger, module, letter), fault.NoSession)
		}
	}
	for path, right := range rights {
		if right.Module != "" && strings.HasPrefix(path, "/api/admin/") {
			require.Contains(t, everything, right.Module, path)
			require.Contains(t, access.AdminLetters, right.Letter, path)
			require.Len(t, right.Letter, 1, path)
		}
	}
}
