package access_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func newAccess(t *testing.T, s *dbtest.Server, server *miniredis.Miniredis) *access.Access {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	return access.New(s.DB, client)
}

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

func exec(t *testing.T, s *dbtest.Server, org uuid.UUID, sql string, args ...any) {
	t.Helper()
	require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	}))
}

func TestCan(t *testing.T) {
	s := dbtest.Open(t)
	a := newAccess(t, s, miniredis.RunT(t))
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
		exec(t, s, org, `UPDATE permission SET modules = '{"voucher": ["v", "s"]}' WHERE id = $1`, listed)
		a.Changed(t.Context(), org)
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
		exec(t, s, org, `UPDATE permission SET status = 2 WHERE id = $1`, off)
		a.Changed(t.Context(), org)
		require.False(t, can("user", off, "salepackage", "v"))
		require.True(t, can("user", set, "salepackage", "v"))
	})
}

func TestChanged(t *testing.T) {
	s := dbtest.Open(t)
	const revoke = `UPDATE permission SET modules = '{}' WHERE id = $1`

	t.Run("a revoked right is gone at once here, and soon on the other machine", func(t *testing.T) {
		server := miniredis.RunT(t)
		here, there := newAccess(t, s, server), newAccess(t, s, server)
		followed := make(chan uuid.UUID, 2)
		for _, a := range []*access.Access{here, there} {
			a.Follow(func(changed uuid.UUID) { followed <- changed })
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go there.Run(ctx)
		require.Eventually(t, func() bool { return server.PubSubNumSub("access:changed")["access:changed"] == 1 }, time.Second, time.Millisecond)

		org := s.NewOrg(t)
		set := newSet(t, s, org, map[string]string{"staff": "u"})
		for _, a := range []*access.Access{here, there} {
			ok, err := a.Can(t.Context(), org, "user", set, "staff", "u")
			require.NoError(t, err)
			require.True(t, ok)
		}

		exec(t, s, org, revoke, set)
		here.Changed(t.Context(), org)
		ok, err := here.Can(t.Context(), org, "user", set, "staff", "u")
		require.NoError(t, err)
		require.False(t, ok)
		require.Eventually(t, func() bool {
			ok, err := there.Can(t.Context(), org, "user", set, "staff", "u")
			return err == nil && !ok
		}, 2*time.Second, 5*time.Millisecond)
		require.Equal(t, []uuid.UUID{org, org}, []uuid.UUID{<-followed, <-followed}, "both tell who remembers more")
	})

	t.Run("a lost message costs a minute at most", func(t *testing.T) {
		a := newAccess(t, s, miniredis.RunT(t))
		org := s.NewOrg(t)
		set := newSet(t, s, org, map[string]string{"staff": "u"})
		ok, err := a.Can(t.Context(), org, "user", set, "staff", "u")
		require.NoError(t, err)
		require.True(t, ok)

		exec(t, s, org, revoke, set)
		s.Clock.Advance(61 * time.Second)
		ok, err = a.Can(t.Context(), org, "user", set, "staff", "u")
		require.NoError(t, err)
		require.False(t, ok)
	})

	t.Run("rights read before a change are never kept after it", func(t *testing.T) {
		a := newAccess(t, s, miniredis.RunT(t))
		org := s.NewOrg(t)
		set := newSet(t, s, org, map[string]string{"staff": "u"})
		const grant = `UPDATE permission SET modules = '{"staff": "u"}' WHERE id = $1`
		for range 20 {
			exec(t, s, org, grant, set)
			a.Changed(t.Context(), org)
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() { _, _ = a.Can(context.Background(), org, "user", set, "staff", "u") })
			}
			exec(t, s, org, revoke, set)
			a.Changed(t.Context(), org)
			ok, err := a.Can(t.Context(), org, "user", set, "staff", "u")
			require.NoError(t, err)
			require.False(t, ok)
			group.Wait()
			ok, err = a.Can(t.Context(), org, "user", set, "staff", "u")
			require.NoError(t, err)
			require.False(t, ok)
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
