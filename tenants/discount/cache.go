package discount

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Cache keeps the active discounts of organisations under the catalogue's revision, as catalog.PriceCache keeps their packages: who changes a discount,
// or what it is for, bumps the revision. So a purchase where there is none asks Postgres nothing for it.
type Cache struct {
	mu    sync.Mutex
	known map[uuid.UUID]cached // by organisation
}

type cached struct {
	discounts []*Discount // by position
	revision  uuid.UUID
	until     time.Time
}

// maxAge bounds what no revision shows, as catalog.PriceCache does; of more than maxOrgs organisations any one is forgotten.
const (
	maxAge  = 10 * time.Second
	maxOrgs = 4096
)

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{known: map[uuid.UUID]cached{}} }

// A discount for packages or tags of which there is none is for a package that nothing is.
const selectActive = `SELECT d.id, d.name_th, d.name_en, d.how, d.class, d.kind, d.value, d.max_satang, d.payer, d.least_satang, d.least_items, d.first_only,
		d.starts_at, d.ends_at, d.uses_each, d.stack, d.position,
		ARRAY(SELECT s.package_id FROM discount_scope s WHERE s.discount_id = d.id AND s.package_id IS NOT NULL
			UNION SELECT t.package_id FROM discount_scope s JOIN package_tag t ON t.tag_id = s.tag_id WHERE s.discount_id = d.id
			UNION SELECT '00000000-0000-0000-0000-000000000000'::uuid FROM discount_scope s WHERE s.discount_id = d.id AND s.tag_id IS NOT NULL ORDER BY 1),
		ARRAY(SELECT s.channel::integer FROM discount_scope s WHERE s.discount_id = d.id AND s.channel IS NOT NULL ORDER BY 1),
		ARRAY(SELECT coalesce(t.name_th, p.name_th) FROM discount_scope s LEFT JOIN tag t ON t.id = s.tag_id LEFT JOIN package p ON p.id = s.package_id
			WHERE s.discount_id = d.id AND s.channel IS NULL ORDER BY s.position LIMIT 3),
		ARRAY(SELECT coalesce(t.name_en, p.name_en) FROM discount_scope s LEFT JOIN tag t ON t.id = s.tag_id LEFT JOIN package p ON p.id = s.package_id
			WHERE s.discount_id = d.id AND s.channel IS NULL ORDER BY s.position LIMIT 3)
	FROM discount d WHERE d.status = 5 ORDER BY d.position, d.id`

// Query is the active discounts that a transaction has asked for.
type Query struct {
	cache *Cache
	known *cached
	asked bool // Postgres, and not only what is remembered
}

// Query queues the read of the organisation's active discounts if they are not remembered. It comes after the read of the catalogue's revision.
func (c *Cache) Query(tx db.Tx) *Query {
	q := &Query{cache: c, known: c.recall(tx.Org, tx.Now)}
	if q.known == nil {
		q.queueRead(tx)
	}
	return q
}

// Results returns the discounts as they are at a revision of the catalogue. It is called after the next flush, and flushes again if what is
// remembered is of another revision.
func (q *Query) Results(ctx context.Context, tx db.Tx, revision uuid.UUID) ([]*Discount, error) {
	if !q.asked && q.known.revision != revision {
		q.queueRead(tx)
		if err := tx.Flush(ctx); err != nil {
			return nil, err
		}
	}
	if q.asked {
		q.known.revision, q.known.until = revision, tx.Now.Add(maxAge)
		q.cache.remember(tx.Org, *q.known)
	}
	return q.known.discounts, nil
}

func (q *Query) queueRead(tx db.Tx) {
	q.asked, q.known = true, &cached{}
	tx.Queue(selectActive).Query(func(rows pgx.Rows) (err error) {
		q.known.discounts, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[Discount])
		if err != nil {
			return fmt.Errorf("active discounts: %w", err)
		}
		return nil
	})
}

func (c *Cache) recall(org uuid.UUID, now time.Time) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.known[org]; ok && now.Before(one.until) {
		return &one
	}
	return nil
}

func (c *Cache) remember(org uuid.UUID, one cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[org] = one
	for key := range c.known {
		if len(c.known) <= maxOrgs {
			return
		}
		delete(c.known, key)
	}
}

// Possible returns the discounts that a cart of packages may have at a time: those that need no code, have begun, have not ended, and are for one of them.
func Possible(discounts []*Discount, packages []uuid.UUID, now time.Time) (possible []*Discount) {
	for _, d := range discounts {
		if d.How == Automatic && (d.Starts == nil || !now.Before(*d.Starts)) && (d.Ends == nil || now.Before(*d.Ends)) && slices.ContainsFunc(packages, d.isFor) {
			possible = append(possible, d)
		}
	}
	return possible
}
