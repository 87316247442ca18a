// Package access decides what an account of the back office may do, by its role, the module, and a letter of its permission set.
//
// Each organisation has a casbin enforcer of its own, with one policy per permission set, module and letter: one enforcer with
// domains would grow with the rows of all organisations. A changed permission set takes effect at once in the process that changed
// it, within milliseconds in others by Redis, and within maxAge if that message is lost. Follow lets other caches of rights and
// accounts be cleared too.
package access

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/platform/cache"
	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
)

// Letters of a module's rights. Approve is for platform admins only.
const (
	See     = "v"
	Add     = "i"
	Change  = "u"
	Status  = "s"
	Approve = "a"
)

const (
	ownerLetters = See + Add + Change + Status
	adminLetters = See + Add + Change + Approve
)

// HasAllRights reports whether the role of an owner or staff account has every right in its organisation.
func HasAllRights(role string) bool {
	return role == "superadmin" || role == "admin" || role == "adminowner"
}

// AdminCan reports whether a platform admin may do what letter says in module. The role superadmin has every right; other roles
// have those in permission.
func AdminCan(role string, permission map[string]string, module, letter string) bool {
	if len(letter) != 1 || !strings.Contains(adminLetters, letter) {
		return false
	}
	return role == "superadmin" || strings.Contains(permission[module], letter)
}

// How long an enforcer is used without a message, and how many are kept.
const (
	maxAge  = time.Minute
	maxOrgs = 1000
	channel = "access:changed"
)

// Access caches the enforcers of organisations.
type Access struct {
	db        *db.DB
	redis     redis.UniversalClient
	enforcers *cache.Cache[uuid.UUID, *casbin.SyncedCachedEnforcer]
	followers []func(org uuid.UUID)
}

// New returns an Access. It receives changes of other processes while Run runs.
func New(d *db.DB, client redis.UniversalClient) *Access {
	return &Access{db: d, redis: client, enforcers: cache.New[uuid.UUID, *casbin.SyncedCachedEnforcer](maxAge, maxOrgs, d.Now)}
}

// Can reports whether an account of this role and permission set may do what letter says in module. set is uuid.Nil for an account
// without one. An inactive set grants nothing.
func (a *Access) Can(ctx context.Context, org uuid.UUID, role string, set uuid.UUID, module, letter string) (bool, error) {
	if len(letter) != 1 || !strings.Contains(ownerLetters, letter) {
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

// Follow calls forget with each organisation whose rights or accounts have changed, in this process or another. Call it before the
// first use of a.
func (a *Access) Follow(forget func(org uuid.UUID)) { a.followers = append(a.followers, forget) }

// Changed drops the organisation's rights here and in other processes. Call it after the commit. If Redis is away, others keep the
// old rights for up to maxAge.
func (a *Access) Changed(ctx context.Context, org uuid.UUID) {
	a.forget(org)
	if err := a.redis.Publish(ctx, channel, org.String()).Err(); err != nil {
		log.From(ctx).Warn("access: other machines learn of changed rights up to a minute late", zap.Stringer("org_id", org), zap.Error(err))
	}
}

// Run receives changes of other processes until ctx ends.
func (a *Access) Run(ctx context.Context) {
	messages := a.redis.Subscribe(ctx, channel)
	defer messages.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case message, ok := <-messages.Channel():
			if !ok {
				return
			}
			if org, err := uuid.Parse(message.Payload); err == nil {
				a.forget(org)
			}
		}
	}
}

func (a *Access) forget(org uuid.UUID) {
	a.enforcers.DeleteFunc(func(kept uuid.UUID, _ *casbin.SyncedCachedEnforcer) bool { return kept == org })
	for _, forget := range a.followers {
		forget(org)
	}
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
