package access_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

// newSet makes an active permission set.
func newSet(t *testing.T, s *dbtest.Server, org uuid.UUID, modules map[string]string) uuid.UUID {
	t.Helper()
	const sql = `INSERT INTO permission (id, name_th, name_en, modules, status, created_at, updated_at)
		VALUES ($1, 'ชุดสิทธิ์', 'Set', $2, 5, $3, $3)`
	id := db.NewID()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), sql, id, modules, tx.Now)
		return err
	}))
	return id
}

// change runs sql and publishes the organisation's rights, in one transaction.
func change(t *testing.T, s *dbtest.Server, org uuid.UUID, sql string, args ...any) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		tx.Publish(access.Topic, org.String())
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	}))
}

func TestCan(t *testing.T) {
	s := dbtest.Open(t)
	a := access.New(s.DB)
	org, other := s.NewOrg(t), s.NewOrg(t)
	set := newSet(t, s, org, map[string]string{"salepackage": "vu", "staff": ""})
	foreign := newSet(t, s, other, map[string]string{"salepackage": "vius"})

	can := func(role string, set uuid.UUID, module, letter string) bool {
		ok, err := a.Can(t.Context(), org, role, set, module, letter)
		require.NoError(t, err)
		return ok
	}

	t.Run("a set gives its letters and no others", func(t *testing.T) {
		for _, module := range []string{"salepackage", "staff", "voucher", "", "SALEPACKAGE"} {
			for _, letter := range []string{"v", "i", "u", "s", "a", "", "vu", "*", "V"} {
				want := module == "salepackage" && (letter == "v" || letter == "u")
				require.Equal(t, want, can("user", set, module, letter), "%s %q", module, letter)
			}
		}
	})

	t.Run("letters may be a list, as the specification also writes them", func(t *testing.T) {
		listed := newSet(t, s, org, map[string]string{"voucher": ""})
		change(t, s, org, `UPDATE permission SET modules = '{"voucher": ["v", "s"]}' WHERE id = $1`, listed)
		require.True(t, can("user", listed, "voucher", "s"))
		require.False(t, can("user", listed, "voucher", "u"))
	})

	t.Run("full roles need no set, but no role has a letter that does not exist", func(t *testing.T) {
		for _, role := range []string{"superadmin", "admin", "adminowner"} {
			require.True(t, can(role, uuid.Nil, "staff", "s"))
			require.False(t, can(role, uuid.Nil, "staff", "a"))
			require.False(t, can(role, uuid.Nil, "staff", "vs"))
		}
		for _, role := range []string{"user", "", "Admin", "superadmin "} {
			require.False(t, can(role, uuid.Nil, "staff", "v"))
		}
	})

	t.Run("a set of another organisation gives nothing", func(t *testing.T) {
		require.False(t, can("user", foreign, "salepackage", "v"))
	})

	t.Run("an inactive set gives nothing", func(t *testing.T) {
		off := newSet(t, s, org, map[string]string{"salepackage": "v"})
		change(t, s, org, `UPDATE permission SET status = 2 WHERE id = $1`, off)
		require.False(t, can("user", off, "salepackage", "v"))
		require.True(t, can("user", set, "salepackage", "v"))
	})
}

func TestChange(t *testing.T) {
	s := dbtest.Open(t)
	const revoke = `UPDATE permission SET modules = '{}' WHERE id = $1`
	can := func(t *testing.T, a *access.Access, org, set uuid.UUID) bool {
		t.Helper()
		ok, err := a.Can(t.Context(), org, "user", set, "staff", "u")
		require.NoError(t, err)
		return ok
	}

	t.Run("a revoked right is gone at once here, and soon in another process", func(t *testing.T) {
		other := s.Process(t)
		here, there := access.New(s.DB), access.New(other.DB)
		caughtUp := other.Listen(t)
		caughtUp()
		org := s.NewOrg(t)
		set := newSet(t, s, org, map[string]string{"staff": "u"})
		require.True(t, can(t, here, org, set))
		require.True(t, can(t, there, org, set))

		change(t, s, org, revoke, set)
		require.False(t, can(t, here, org, set))
		caughtUp()
		require.False(t, can(t, there, org, set))
	})

	t.Run("a process that does not listen uses a revoked right for a minute at most", func(t *testing.T) {
		a := access.New(s.Process(t).DB)
		org := s.NewOrg(t)
		set := newSet(t, s, org, map[string]string{"staff": "u"})
		require.True(t, can(t, a, org, set))
		change(t, s, org, revoke, set)
		require.True(t, can(t, a, org, set), "it does not listen")
		s.Clock.Advance(61 * time.Second)
		require.False(t, can(t, a, org, set))
	})

	t.Run("rights read before a change are never kept after it", func(t *testing.T) {
		a := access.New(s.DB)
		org := s.NewOrg(t)
		set := newSet(t, s, org, map[string]string{"staff": "u"})
		const grant = `UPDATE permission SET modules = '{"staff": "u"}' WHERE id = $1`
		for range 20 {
			change(t, s, org, grant, set)
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() { _, _ = a.Can(context.Background(), org, "user", set, "staff", "u") })
			}
			change(t, s, org, revoke, set)
			require.False(t, can(t, a, org, set))
			group.Wait()
			require.False(t, can(t, a, org, set))
		}
	})
}

func TestAdminCan(t *testing.T) {
	permission := map[string]string{"organize": "va", "staff": "vius"}
	require.True(t, access.AdminCan("superadmin", nil, "organize", "u"))
	require.True(t, access.AdminCan("support", permission, "organize", "a"))
	require.False(t, access.AdminCan("support", permission, "organize", "u"))
	require.False(t, access.AdminCan("support", permission, "staff", "s"), "s is no letter of admins")
	require.False(t, access.AdminCan("admin", nil, "organize", "v"), "admin is a full role of organisations only")
	require.False(t, access.AdminCan("superadmin", nil, "organize", "va"))
}
