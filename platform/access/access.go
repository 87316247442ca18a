// Package access decides what an account of the back office may do, by its role, the module, and a letter of its permission set.
//
// Each organisation has a casbin enforcer of its own, with one policy per permission set, module and letter: one enforcer with
// domains would grow with the rows of all organisations. A changed permission set takes effect at once in the process that changed
// it, within a moment in others, and within ttl in a process that does not receive the change.
package access

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"
	"github.com/google/uuid"

	"welovevoucher/platform/cache"
	"welovevoucher/platform/db"
)

// Letters of a module's rights. Approve is for platform admins only.
const (
	See     = "v"
	Add     = "i"
	Change  = "u"
	Status  = "s"
	Approve = "a"
)

// The letters of permission sets and those of platform admins, in the order of screens.
const (
	OwnerLetters = See + Add + Change + Status
	AdminLetters = See + Add + Change + Approve
)

// HasAllRights reports whether the role of an owner or staff account has every right in its organisation.
func HasAllRights(role string) bool {
	return role == "superadmin" || role == "admin" || role == "adminowner"
}

// AdminCan reports whether a platform admin may do what letter says in module. The role superadmin has every right; other roles
// have those in permission.
func AdminCan(role string, permission map[string]string, module, letter string) bool {
	if len(letter) != 1 || !strings.Contains(AdminLetters, letter) {
		return false
	}
	return role == "superadmin" || strings.Contains(permission[module], letter)
}

// Topic is published with an organisation's id when its permission sets have changed, or who has them. Whoever changes them
// publishes it in the same transaction.
const Topic = "access"

// How long an enforcer is used, and how many are kept.
const (
	ttl     = time.Minute
	maxOrgs = 1000
)

// Access caches the enforcers of organisations.
type Access struct {
	db        *db.DB
	enforcers *cache.Cache[uuid.UUID, *casbin.SyncedCachedEnforcer]
}

// New returns an Access.
func New(d *db.DB) *Access {
	a := &Access{db: d, enforcers: cache.New[uuid.UUID, *casbin.SyncedCachedEnforcer](ttl, maxOrgs, d.Now)}
	d.Subscribe(Topic, func(what string) {
		a.enforcers.DeleteFunc(func(org uuid.UUID, _ *casbin.SyncedCachedEnforcer) bool { return db.Concerns(what, org) })
	})
	return a
}

// Can reports whether an account of this role and permission set may do what letter says in module. set is uuid.Nil for an account
// without one. An inactive set grants nothing.
func (a *Access) Can(ctx context.Context, org uuid.UUID, role string, set uuid.UUID, module, letter string) (bool, error) {
	if len(letter) != 1 || !strings.Contains(OwnerLetters, letter) {
		return false, nil
	}
	if HasAllRights(role) {
		return true, nil
	}
	if set == uuid.Nil {
		return false, nil
	}
	enforcer, err := a.enforcers.GetOrLoad(ctx, org, func(ctx context.Context) (*casbin.SyncedCachedEnforcer, error) { return a.build(ctx, org) })
	if err != nil {
		return false, fmt.Errorf("rights of %s: %w", org, err)
	}
	return enforcer.Enforce(set.String(), module, letter)
}

const rules = `
[request_definition]
r = set, module, letter
[policy_definition]
p = set, module, letter
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.set == p.set && r.module == p.module && r.letter == p.letter
`

func (a *Access) build(ctx context.Context, org uuid.UUID) (*casbin.SyncedCachedEnforcer, error) {
	m, err := model.NewModelFromString(rules)
	if err != nil {
		return nil, err
	}
	return casbin.NewSyncedCachedEnforcer(m, &loader{ctx: ctx, db: a.db, org: org})
}
