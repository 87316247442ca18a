package staff_test

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/staff"
)

// fixture is an organisation with an owner, a manager who may handle staff and packages, and a clerk who may see packages.
type fixture struct {
	*dbtest.Server
	*staff.Service
	t         *testing.T
	org       uuid.UUID
	access    *access.Access
	policy    string
	revoked   []uuid.UUID
	dismissed []uuid.UUID // admins of the platform

	owner, manager, clerk       staff.Account
	managerSet, clerkSet, wider staff.PermissionSet
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s := dbtest.Open(t)
	o := &fixture{Server: s, t: t, org: s.NewOrg(t), policy: "spec"}
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	o.access = access.New(s.DB)
	box, err := secret.New(bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	passwords, err := secret.NewPasswords(box)
	require.NoError(t, err)
	o.Service = staff.New(s.DB, passwords, ratelimit.NewSignIns(client),
		func(context.Context, uuid.UUID) (string, error) { return o.policy, nil },
		func(_ context.Context, _, subject uuid.UUID) error {
			o.revoked = append(o.revoked, subject)
			return nil
		},
		func(_ context.Context, admin uuid.UUID) (bool, error) {
			return !slices.Contains(o.dismissed, admin), nil
		})

	hash, err := o.Hash(t.Context(), "Owner1234")
	require.NoError(t, err)
	require.NoError(t, s.DB.InOrg(t.Context(), o.org, func(tx db.Tx) error {
		return staff.Add(t.Context(), tx, staff.Account{Username: "owner", Name: "เจ้าของ", Role: staff.RoleAdminOwner}, hash)
	}))
	o.owner.ID, err = o.ByPassword(t.Context(), o.org, "owner", "Owner1234")
	require.NoError(t, err)

	o.managerSet = o.mustSet(o.owner, staff.PermissionSet{NameTH: "ผู้จัดการ", Modules: map[string]access.Letters{
		"staff": {"v", "i", "u", "s"}, "permission": {"v", "i", "u", "s"}, "salepackage": {"v"},
	}})
	o.clerkSet = o.mustSet(o.owner, staff.PermissionSet{NameTH: "พนักงาน", Modules: map[string]access.Letters{"salepackage": {"v"}}})
	o.wider = o.mustSet(o.owner, staff.PermissionSet{NameTH: "กว้างกว่า", Modules: map[string]access.Letters{"salepackage": {"v", "s"}}})
	o.manager = o.mustAccount(o.owner, staff.Account{Username: "manager", Name: "ผู้จัดการ", Role: staff.RoleUser, Permission: &o.managerSet.ID, Password: "Abcd1234"})
	o.clerk = o.mustAccount(o.owner, staff.Account{Username: "clerk", Name: "ต้อม", Role: staff.RoleUser, Permission: &o.clerkSet.ID, Password: "Abcd1234"})
	return o
}

func as(a staff.Account) auditlog.Actor { return auditlog.Actor{Kind: token.Owner, ID: a.ID} }

func (o *fixture) mustSet(by staff.Account, set staff.PermissionSet) staff.PermissionSet {
	o.t.Helper()
	saved, err := o.SavePermissionSet(o.t.Context(), o.org, as(by), set)
	require.NoError(o.t, err)
	return saved
}

func (o *fixture) mustAccount(by, account staff.Account) staff.Account {
	o.t.Helper()
	saved, err := o.SaveAccount(o.t.Context(), o.org, as(by), account)
	require.NoError(o.t, err)
	return saved
}

func (o *fixture) account(id uuid.UUID) (a staff.Account) {
	o.t.Helper()
	require.NoError(o.t, o.DB.InOrg(o.t.Context(), o.org, func(tx db.Tx) (err error) {
		a, err = staff.Accounts.Detail(o.t.Context(), tx, id)
		return err
	}))
	return a
}

func (o *fixture) set(id uuid.UUID) (p staff.PermissionSet) {
	o.t.Helper()
	require.NoError(o.t, o.DB.InOrg(o.t.Context(), o.org, func(tx db.Tx) (err error) {
		p, err = staff.PermissionSets.Detail(o.t.Context(), tx, id)
		return err
	}))
	return p
}

func TestAccountGivesOnlyItsOwnRights(t *testing.T) {
	o := newFixture(t)
	manager := as(o.manager)
	saveAccount := func(a staff.Account) error {
		_, err := o.SaveAccount(t.Context(), o.org, manager, a)
		return err
	}
	saveSet := func(p staff.PermissionSet) error {
		_, err := o.SavePermissionSet(t.Context(), o.org, manager, p)
		return err
	}
	fresh := func(role string, set *uuid.UUID) staff.Account {
		return staff.Account{Username: "x" + db.NewID().String(), Name: "ใหม่", Role: role, Permission: set, Password: "Abcd1234"}
	}

	t.Run("a manager saves accounts and sets within his own rights", func(t *testing.T) {
		require.NoError(t, saveAccount(fresh(staff.RoleUser, &o.clerkSet.ID)))
		clerk := o.account(o.clerk.ID)
		clerk.Name = "ต้อม ใจดี"
		require.NoError(t, saveAccount(clerk))
		require.NoError(t, saveSet(staff.PermissionSet{NameTH: "ดูอย่างเดียว", Modules: map[string]access.Letters{"salepackage": {"v"}}}))
	})

	t.Run("a manager makes no account with all rights, by any role", func(t *testing.T) {
		for _, role := range []string{"superadmin", "admin", "adminowner"} {
			require.ErrorIs(t, saveAccount(fresh(role, nil)), staff.ErrBeyond)
			clerk := o.account(o.clerk.ID)
			clerk.Role = role
			require.ErrorIs(t, saveAccount(clerk), staff.ErrBeyond)
		}
		for _, role := range []string{"", "root", "Superadmin", "owner"} {
			require.ErrorIs(t, saveAccount(fresh(role, nil)), fault.BadInput)
		}
	})

	t.Run("a manager gives no wider set, and widens none", func(t *testing.T) {
		require.ErrorIs(t, saveAccount(fresh(staff.RoleUser, &o.wider.ID)), staff.ErrBeyond)
		clerk := o.account(o.clerk.ID)
		clerk.Permission = &o.wider.ID
		require.ErrorIs(t, saveAccount(clerk), staff.ErrBeyond)
		clerkSet := o.set(o.clerkSet.ID)
		clerkSet.Modules = map[string]access.Letters{"salepackage": {"v", "s"}}
		require.ErrorIs(t, saveSet(clerkSet), staff.ErrBeyond)
		require.ErrorIs(t, saveSet(staff.PermissionSet{NameTH: "ใหม่", Modules: map[string]access.Letters{"payment": {"v"}}}), staff.ErrBeyond)
	})

	t.Run("a manager changes neither the owner, nor a wider set, nor an account that has it", func(t *testing.T) {
		owner := o.account(o.owner.ID)
		owner.Password = "Taken1234"
		require.ErrorIs(t, saveAccount(owner), staff.ErrBeyond)
		owner.Role, owner.Permission, owner.Password = staff.RoleUser, &o.clerkSet.ID, ""
		require.ErrorIs(t, saveAccount(owner), staff.ErrBeyond)
		require.ErrorIs(t, o.SetAccountStatus(t.Context(), o.org, manager, []uuid.UUID{o.owner.ID}, resource.Inactive), staff.ErrBeyond)

		wide := o.set(o.wider.ID)
		wide.Modules = map[string]access.Letters{"salepackage": {"v"}}
		require.ErrorIs(t, saveSet(wide), staff.ErrBeyond, "nor may the manager narrow it")
		require.ErrorIs(t, o.SetPermissionStatus(t.Context(), o.org, manager, []uuid.UUID{o.wider.ID}, resource.Deleted), staff.ErrBeyond)

		senior := o.mustAccount(o.owner, staff.Account{Username: "senior", Name: "หัวหน้า", Role: staff.RoleUser, Permission: &o.wider.ID, Password: "Abcd1234"})
		senior.Password = "Taken1234"
		require.ErrorIs(t, saveAccount(senior), staff.ErrBeyond)
		require.ErrorIs(t, o.SetAccountStatus(t.Context(), o.org, manager, []uuid.UUID{senior.ID}, resource.Inactive), staff.ErrBeyond)
	})

	t.Run("an account does not change its own rights", func(t *testing.T) {
		self := o.account(o.manager.ID)
		self.Permission = &o.clerkSet.ID
		require.ErrorIs(t, saveAccount(self), staff.ErrSelf)
		require.ErrorIs(t, o.SetAccountStatus(t.Context(), o.org, manager, []uuid.UUID{o.manager.ID}, resource.Inactive), staff.ErrSelf)
		own := o.set(o.managerSet.ID)
		own.Modules = map[string]access.Letters{"staff": {"v"}}
		require.ErrorIs(t, saveSet(own), staff.ErrSelf)
		require.ErrorIs(t, o.SetPermissionStatus(t.Context(), o.org, manager, []uuid.UUID{o.managerSet.ID}, resource.Deleted), staff.ErrSelf)

		owner := o.account(o.owner.ID)
		owner.Role, owner.Permission = staff.RoleUser, &o.wider.ID
		_, err := o.SaveAccount(t.Context(), o.org, as(o.owner), owner)
		require.ErrorIs(t, err, staff.ErrSelf)
	})

	t.Run("an account changes nothing in another organisation, nor after its dismissal", func(t *testing.T) {
		other := newFixture(t)
		_, err := other.SaveAccount(t.Context(), other.org, as(o.owner), fresh(staff.RoleUser, &other.clerkSet.ID))
		require.ErrorIs(t, err, fault.NoSession)
		_, err = o.SaveAccount(t.Context(), o.org, as(o.owner), fresh(staff.RoleUser, &other.clerkSet.ID))
		require.ErrorIs(t, err, fault.BadInput)

		require.NoError(t, o.SetAccountStatus(t.Context(), o.org, as(o.owner), []uuid.UUID{o.manager.ID}, resource.Inactive))
		require.ErrorIs(t, saveAccount(fresh(staff.RoleUser, &o.clerkSet.ID)), fault.NoSession)
		require.Contains(t, o.revoked, o.manager.ID)
	})
}

func TestAnAccountWithAllRightsRemains(t *testing.T) {
	o := newFixture(t)
	second := o.mustAccount(o.owner, staff.Account{Username: "second", Name: "อีกคน", Role: staff.RoleAdmin, Password: "Abcd1234"})

	var first, other error
	var group sync.WaitGroup
	group.Go(func() {
		first = o.SetAccountStatus(context.Background(), o.org, as(o.owner), []uuid.UUID{second.ID}, resource.Inactive)
	})
	group.Go(func() {
		other = o.SetAccountStatus(context.Background(), o.org, as(second), []uuid.UUID{o.owner.ID}, resource.Inactive)
	})
	group.Wait()
	require.False(t, first == nil && other == nil, "they dismissed each other")
	require.True(t, first == nil || other == nil)
}

func TestRightsActAtOnce(t *testing.T) {
	o := newFixture(t)
	can := func() bool {
		ok, err := o.access.Can(t.Context(), o.org, staff.RoleUser, o.clerkSet.ID, "salepackage", "v")
		require.NoError(t, err)
		return ok
	}
	require.True(t, can())

	set := o.set(o.clerkSet.ID)
	set.Modules = map[string]access.Letters{}
	o.mustSet(o.owner, set)
	require.False(t, can())

	clerk := o.account(o.clerk.ID)
	clerk.Role = staff.RoleAdmin
	_, err := o.SaveAccount(t.Context(), o.org, as(o.owner), clerk)
	require.NoError(t, err)
	now, err := o.Account(t.Context(), token.Session{Audience: token.Owner, Org: o.org, Subject: o.clerk.ID})
	require.NoError(t, err)
	require.Equal(t, staff.RoleAdmin, now.Role, "a session that is open sees it with its next call")
	clerk = o.account(o.clerk.ID)
	clerk.Role = staff.RoleUser
	_, err = o.SaveAccount(t.Context(), o.org, as(o.owner), clerk)
	require.NoError(t, err)

	require.ErrorIs(t, o.SetPermissionStatus(t.Context(), o.org, as(o.owner), []uuid.UUID{o.clerkSet.ID}, resource.Deleted), staff.ErrSetInUse)
	for _, modules := range []map[string]access.Letters{{"everything": {"v"}}, {"salepackage": {"a"}}, {"salepackage": {"vius"}}, {"*": {"v"}}} {
		_, err := o.SavePermissionSet(t.Context(), o.org, as(o.owner), staff.PermissionSet{NameTH: "แปลก", Modules: modules})
		require.ErrorIs(t, err, fault.BadInput)
	}
}

// TestAccountCache: an account is cached for a second, and until it is changed in the process that changes it.
func TestAccountCache(t *testing.T) {
	o := newFixture(t)
	elsewhere := staff.New(o.Process(t).DB, nil, nil, nil, nil, nil) // it does not listen
	role := func(people *staff.Service) string {
		t.Helper()
		p, err := people.Account(t.Context(), token.Session{Audience: token.Staff, Org: o.org, Subject: o.clerk.ID})
		if err != nil {
			require.ErrorIs(t, err, fault.NoSession)
		}
		return p.Role
	}
	change := func(do func() error, before, after string) {
		t.Helper()
		require.Equal(t, []string{before, before}, []string{role(o.Service), role(elsewhere)})
		require.NoError(t, do())
		require.Equal(t, after, role(o.Service), "at once")
		o.Clock.Advance(time.Second)
		require.Equal(t, after, role(elsewhere), "after the second")
	}

	change(func() error {
		clerk := o.account(o.clerk.ID)
		clerk.Role = staff.RoleAdmin
		_, err := o.SaveAccount(t.Context(), o.org, as(o.owner), clerk)
		return err
	}, staff.RoleUser, staff.RoleAdmin)
	change(func() error {
		return o.SetAccountStatus(t.Context(), o.org, as(o.owner), []uuid.UUID{o.clerk.ID}, resource.Inactive)
	}, staff.RoleAdmin, "")
}

func TestPasswords(t *testing.T) {
	o := newFixture(t)
	session := token.Session{Audience: token.Staff, Org: o.org, Subject: o.clerk.ID}
	change := func(old, fresh string) error {
		return o.ChangePassword(t.Context(), session, as(o.clerk), staff.PasswordChange{Old: old, New: fresh})
	}

	require.ErrorIs(t, change("wrong", "Efgh5678"), staff.ErrWrongPassword)
	for _, weak := range []string{"abc", "ab cd", "รหัสผ่าน", "a-b-c-d", ""} {
		require.ErrorIs(t, change("Abcd1234", weak), fault.BadInput, weak)
	}
	require.NoError(t, change("Abcd1234", "1234"), "the specification's floor")
	require.Contains(t, o.revoked, o.clerk.ID)
	_, err := o.ByPassword(t.Context(), o.org, "clerk", "1234")
	require.NoError(t, err)
	_, err = o.ByPassword(t.Context(), o.org, "clerk", "Abcd1234")
	require.ErrorIs(t, err, staff.ErrWrongPassword)

	o.policy = "strong"
	for _, weak := range []string{"Abcd1234", "abcdefghijkl", "123456789012", "clerk1234567"} {
		require.ErrorIs(t, change("1234", weak), fault.BadInput, weak)
	}
	require.NoError(t, change("1234", "Mango7Sticky9Rice"))

	t.Run("a signed-in account may guess its password no more often than at a sign-in", func(t *testing.T) {
		session.Subject, session.Address = o.manager.ID, "192.0.2.9"
		for range 5 {
			require.ErrorIs(t, change("wrong", "Efgh5678xy"), staff.ErrWrongPassword)
		}
		require.ErrorIs(t, change("Abcd1234", "Efgh5678xy"), ratelimit.ErrLocked, "also with the right password")
	})
	t.Run("a new account needs a password, and none is ever read or audited", func(t *testing.T) {
		_, err := o.SaveAccount(t.Context(), o.org, as(o.owner), staff.Account{Username: "nopass", Name: "ก", Role: staff.RoleAdmin})
		require.ErrorIs(t, err, fault.BadInput)
		require.Empty(t, o.account(o.clerk.ID).Password)
		var leaked int
		require.NoError(t, o.DB.InOrg(t.Context(), o.org, func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM audit_log WHERE after::text LIKE '%Abcd1234%' OR after::text LIKE '%argon%' OR after::text LIKE '%password%'`).Scan(&leaked)
		}))
		require.Zero(t, leaked)
	})
}
