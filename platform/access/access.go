// Package access decides what a back-office account may do: role, module, letter (specification section 6).
//
// Each organisation has a casbin enforcer of its own, one policy per (permission set, module, letter): an enforcer
// with domains grows with all tenants' rows. A change of a permission set acts at once on the machine that made it,
// within milliseconds on the others by Redis, and within maxAge where that message was lost. Who else remembers rights or
// accounts follows.
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

// Letters of a module's rights. Approve is for admins only.
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

// HasAllRights tells whether a role of an owner or staff account has every right in its organisation.
func HasAllRights(role string) bool {
	return role == "superadmin" || role == "admin" || role == "adminowner"
}

// AdminCan decides for platform admins: only superadmin has every right; others what permission_admin lists.
func AdminCan(role string, permission map[string]string, module, letter string) bool {
	if len(letter) != 1 || !strings.Contains(adminLetters, letter) {
		return false
	}
	return role == "superadmin" || strings.Contains(permission[module], letter)
}

// How long an enforcer is believed without a message, and how many stay in memory.
const (
	maxAge  = time.Minute
	maxOrgs = 1000
	channel = "access:changed"
)

// Access holds the enforcers of the organisations that were asked about.
type Access struct {
	db        *db.DB
	redis     redis.UniversalClient
	enforcers *cache.Cache[uuid.UUID, *casbin.SyncedCachedEnforcer]
	followers []func(org uuid.UUID)
}

// New returns an Access that has loaded nothing. Run must be running for it to hear other machines.
func New(d *db.DB, client redis.UniversalClient) *Access {
	return &Access{db: d, redis: client, enforcers: cache.New[uuid.UUID, *casbin.SyncedCachedEnforcer](maxAge, maxOrgs, d.Now)}
}

// Can tells whether an account of this role and permission set may do what the letter says in the module.
// set is uuid.Nil for an account without one. An inactive set grants nothing.
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

// Follow has forget called with every organisation whose rights or accounts have changed, here or on another machine. Call it
// before anybody asks.
func (a *Access) Follow(forget func(org uuid.UUID)) { a.followers = append(a.followers, forget) }

// Changed forgets the organisation's rights here and tells the other machines. Call it after the commit.
func (a *Access) Changed(ctx context.Context, org uuid.UUID) {
	a.forget(org)
	if err := a.redis.Publish(ctx, channel, org.String()).Err(); err != nil {
		log.From(ctx).Warn("access: other machines learn of changed rights up to a minute late", zap.Stringer("org", org), zap.Error(err))
	}
}

// Run hears of changes made on other machines until ctx is done.
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
