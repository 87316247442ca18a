package org

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/cache"
	"welovevoucher/platform/db"
)

// Directory finds organisations by id, host, unique or liffId. Answers are kept for two seconds, so that a page's calls ask once and a
// changed theme shows at once; or longer, while this process receives all changes.
type Directory struct {
	db    *db.DB
	known *cache.Cache[string, Org]
}

const (
	freshFor = 2 * time.Second
	maxTTL   = 10 * time.Second // what is changed by hand is published to nobody
	maxKnown = 10_000
)

// Topic is published with an organisation's id when what a Directory returns of it has changed. Whoever changes an organisation, its
// plan, its hosts or its LIFF apps publishes it in the same transaction.
const Topic = "organisation"

// NewDirectory returns an empty directory.
func NewDirectory(d *db.DB) *Directory {
	known := cache.New[string, Org](freshFor, maxKnown, d.Now).WithAliases(func(o Org) []string { return []string{idKey(o.ID)} })
	known.WithSync(d.Subscribe(Topic, func(what string) {
		known.DeleteFunc(func(_ string, o Org) bool { return db.Concerns(what, o.ID) })
	}), maxTTL)
	return &Directory{db: d, known: known}
}

const columns = `SELECT o.id, o.unique_name, o.name_th, o.name_en, o.tagline_th, o.tagline_en, o.state, o.colour_primary, o.colour_secondary,
	coalesce(o.logo_id, '00000000-0000-0000-0000-000000000000'), o.register_before_use, o.password_policy,
	o.collector,
	p.fee_basis_points, p.modules, o.line_channel_id, o.line_secret, o.plan_id, o.created_at,
	coalesce((SELECT h.host FROM host h WHERE h.org_id = o.id AND (h.verified_at IS NOT NULL OR o.state = 'provisioning')
		ORDER BY h.canonical DESC, h.host LIMIT 1), ''),
	coalesce((SELECT l.liff_id FROM liff_app l WHERE l.org_id = o.id AND l.purpose = 'user'), ''),
	coalesce((SELECT l.liff_id FROM liff_app l WHERE l.org_id = o.id AND l.purpose = 'agent'), ''),
	coalesce((SELECT l.liff_id FROM liff_app l WHERE l.org_id = o.id AND l.purpose = 'trade'), ''),
	coalesce((SELECT l.liff_id FROM liff_app l WHERE l.org_id = o.id AND l.purpose = 'transfer'), '')
	FROM organisation o JOIN plan p ON p.id = o.plan_id `

const (
	byID     = columns + `WHERE o.id = $1`
	byUnique = columns + `WHERE o.unique_name = $1`
	byHost   = columns + `JOIN host h ON h.org_id = o.id WHERE h.host = $1 AND h.verified_at IS NOT NULL`
	byLiff   = columns + `JOIN liff_app f ON f.org_id = o.id WHERE f.liff_id = $1`
)

// ByID finds an organisation. All finders return ErrNotFound when there is none.
func (d *Directory) ByID(ctx context.Context, id uuid.UUID) (Org, error) {
	return d.find(ctx, idKey(id), byID, id)
}

func idKey(id uuid.UUID) string { return "id:" + id.String() }

// ByUnique finds an organisation by its public slug.
func (d *Directory) ByUnique(ctx context.Context, unique string) (Org, error) {
	if !UniqueForm.MatchString(unique) {
		return Org{}, ErrNotFound
	}
	return d.find(ctx, "unique:"+unique, byUnique, unique)
}

// ByHost finds the organisation whose verified host this is, exactly.
func (d *Directory) ByHost(ctx context.Context, host string) (Org, error) {
	host = CleanHost(host)
	if !HostForm.MatchString(host) {
		return Org{}, ErrNotFound
	}
	return d.find(ctx, "host:"+host, byHost, host)
}

// ByLiff finds the organisation that a LIFF app belongs to.
func (d *Directory) ByLiff(ctx context.Context, liffID string) (Org, error) {
	if !LiffForm.MatchString(liffID) {
		return Org{}, ErrNotFound
	}
	return d.find(ctx, "liff:"+liffID, byLiff, liffID)
}

func (d *Directory) find(ctx context.Context, key, sql string, arg any) (Org, error) {
	return d.known.GetOrLoad(ctx, key, func(ctx context.Context) (o Org, err error) {
		err = d.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
			o, err = scan(tx.QueryRow(ctx, sql, arg))
			return err
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return Org{}, ErrNotFound
		}
		if err != nil {
			return Org{}, fmt.Errorf("find organisation by %s: %w", key, err)
		}
		return o, nil
	})
}

func scan(row pgx.Row) (o Org, err error) {
	err = row.Scan(&o.ID, &o.Unique, &o.NameTH, &o.NameEN, &o.TaglineTH, &o.TaglineEN, &o.State, &o.Primary, &o.Secondary,
		&o.Logo, &o.RegisterBeforeUse, &o.PasswordPolicy, &o.Collector, &o.FeeBasisPoints, &o.Modules, &o.LineChannel,
		&o.lineSecret, &o.Plan, &o.CreatedAt, &o.Host, &o.Liff.User, &o.Liff.Agent, &o.Liff.Trade, &o.Liff.Transfer)
	return o, err
}

// findShops looks into names only, in small letters. A pattern's signs mean themselves.
const findShops = columns + `WHERE o.state <> 'provisioning' AND EXISTS (SELECT FROM host h WHERE h.org_id = o.id AND h.verified_at IS NOT NULL)
	AND (position($1 IN lower(o.name_th)) > 0 OR position($1 IN lower(o.name_en)) > 0 OR o.unique_name = $1)
	ORDER BY position($1 IN lower(o.name_th)) = 1 OR position($1 IN lower(o.name_en)) = 1 DESC, o.name_en, o.id LIMIT 10`

// Find returns the first open or suspended organisations with a host that have a text in their names, or as their unique. It returns none for
// fewer than two letters.
func (d *Directory) Find(ctx context.Context, name string) (found []Org, err error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if len([]rune(name)) < 2 {
		return nil, nil
	}
	err = d.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, findShops, name)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Org, error) { return scan(row) })
		return err
	})
	return found, err
}

const allOrgs = columns + `WHERE o.schema_name IS NOT NULL AND o.id > $1 ORDER BY o.id LIMIT 100`

// Each calls fn for every organisation that has a schema, oldest first.
func (d *Directory) Each(ctx context.Context, fn func(Org) error) error {
	var last uuid.UUID
	for {
		var found []Org
		err := d.db.InPlatform(ctx, func(tx db.Tx) error {
			rows, err := tx.Query(ctx, allOrgs, last)
			if err != nil {
				return err
			}
			found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Org, error) { return scan(row) })
			return err
		})
		if err != nil || len(found) == 0 {
			return err
		}
		for _, o := range found {
			if err := fn(o); err != nil {
				return fmt.Errorf("%s: %w", o.Unique, err)
			}
			last = o.ID
		}
	}
}
