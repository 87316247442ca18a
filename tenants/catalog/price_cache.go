package catalog

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// PriceCache keeps packages as their organisations sell them. Each transaction that queries it reads the catalogue's revision, which
// BumpRevision changes with every change of a price; a package that was read under another revision is read again. So one row stands for
// six tables.
//
// A transaction that changes the catalogue must not query it: if it were rolled back, its changes would stay in the cache.
type PriceCache struct {
	mu    sync.Mutex
	known map[priceKey]cachedPackage
}

type priceKey struct{ org, pkg uuid.UUID }

// cachedPackage is a package whatever the time is, as the catalogue has it at a revision.
type cachedPackage struct {
	PricedPackage
	published bool
	from, to  *time.Time // when it is sold
	revision  uuid.UUID
	until     time.Time
}

// maxAge bounds what no revision shows: a row that was changed by hand, or by a program that knew no revisions.
const maxAge = 10 * time.Second

// maxPackages is how many packages are remembered, mostly 1 to 2 KB each; of more, any one is forgotten.
const maxPackages = 4096

// NewPriceCache returns an empty cache.
func NewPriceCache() *PriceCache { return &PriceCache{known: map[priceKey]cachedPackage{}} }

// PriceQuery is packages that a transaction has asked for.
type PriceQuery struct {
	cache    *PriceCache
	ids      []uuid.UUID
	revision uuid.UUID
	found    map[uuid.UUID]*cachedPackage
	asked    bool // Postgres, and not only what is remembered
}

const (
	selectRevision = `SELECT revision FROM catalog_revision`
	updateRevision = `UPDATE catalog_revision SET revision = $1`
	// LIMIT has each looked up by its key, and OFFSET the same: a join may be planned, while the tables are small, to read all
	// of them.
	selectPackages = `SELECT asked.id, p.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
		SELECT name_th, name_en, picture_id, price_satang, per_customer, refund_rule, refund_days, refund_fee_basis_points, status = 5, sale_from, sale_to
		FROM package WHERE id = asked.id AND status <> 9 LIMIT 1) AS p`
	selectParts = `SELECT asked.id, p.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
		SELECT coalesce(t.id, g.id), v.id, g.id IS NOT NULL, coalesce(t.name_th, g.name_th), coalesce(t.name_en, g.name_en),
			coalesce(t.picture_id, g.picture_id), i.quantity, coalesce(t.items, g.value_satang),
			coalesce(t.list_price_satang * t.items, g.value_satang), coalesce(t.valid_days, g.valid_days), coalesce(t.valid_until, g.valid_until),
			coalesce(t.transfer_rule, g.transfer_rule), coalesce(t.transfer_times, g.transfer_times),
			coalesce(t.transfer_together, g.transfer_together), CASE k.class WHEN 'ordinary' THEN coalesce(t.expiry_rule, g.expiry_rule) ELSE 'wallet' END, coalesce(t.vat_point, g.vat_point),
			(SELECT count(*) FROM service_point p WHERE p.status = 5 AND (v.service_point_ids = '{}' OR p.id = ANY (v.service_point_ids)))
		FROM package_part i JOIN package k ON k.id = i.package_id LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
		LEFT JOIN template_version v ON v.template_id = coalesce(t.id, g.id) AND v.current
		WHERE i.package_id = asked.id ORDER BY i.position OFFSET 0) AS p`
)

// BumpRevision changes the revision of the catalogue. A change of one of its tables calls it afterwards, in the same transaction; the
// AfterChange of their resource.Def does (TestRevision).
func BumpRevision(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, updateRevision, db.NewID()); err != nil {
		return fmt.Errorf("bump the revision of the catalogue: %w", err)
	}
	return nil
}

// Query queues the read of packages that customers want to buy, each once. Results has them after the next flush.
func (c *PriceCache) Query(tx db.Tx, ids []uuid.UUID) *PriceQuery {
	q := &PriceQuery{cache: c, ids: ids, found: c.recall(tx.Org, tx.Now, ids)}
	// The revision is read first. A package read after it may be newer than its revision, which costs one reload; the reverse would
	// sell an old price.
	tx.Queue(selectRevision).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(&q.revision); err != nil {
			return fmt.Errorf("revision of the catalogue: %w", err)
		}
		return nil
	})
	if len(q.found) < len(ids) {
		q.queueRead(tx)
	}
	return q
}

// Results waits for what is not remembered as it is now. One is refused with ErrPackageNotFound, or with ErrNotOnSale outside of
// its sale period, before it is published, and when a voucher of it has had its last day.
func (q *PriceQuery) Results(ctx context.Context, tx db.Tx) (map[uuid.UUID]*PackageResult, error) {
	if !q.asked && q.stale() {
		q.queueRead(tx)
		if err := tx.Flush(ctx); err != nil {
			return nil, err
		}
	}
	if q.asked {
		q.cache.remember(tx.Org, q.revision, tx.Now.Add(maxAge), q.found)
	}
	results := make(map[uuid.UUID]*PackageResult, len(q.ids))
	for _, id := range q.ids {
		results[id] = &PackageResult{Refused: ErrPackageNotFound}
		if p := q.found[id]; p != nil {
			results[id] = p.result(tx.Now)
		}
	}
	return results, nil
}

// Revision returns the catalogue's revision, which comes with the flush after Query.
func (q *PriceQuery) Revision() uuid.UUID { return q.revision }

func (q *PriceQuery) stale() bool {
	for _, p := range q.found {
		if p.revision != q.revision {
			return true
		}
	}
	return false
}

// queueRead queues the read of all its packages from Postgres, in place of what is remembered of them.
func (q *PriceQuery) queueRead(tx db.Tx) {
	q.asked, q.found = true, make(map[uuid.UUID]*cachedPackage, len(q.ids))
	tx.Queue(selectPackages, q.ids).Query(func(rows pgx.Rows) error {
		var p cachedPackage
		into := []any{&p.ID, &p.NameTH, &p.NameEN, &p.Picture, &p.Price, &p.PerCustomer, &p.Refunds.Rule, &p.Refunds.Days, &p.Refunds.FeeBasisPoints, &p.published, &p.from, &p.to}
		_, err := pgx.ForEachRow(rows, into, func() error {
			one := p
			q.found[p.ID] = &one
			return nil
		})
		if err != nil {
			return fmt.Errorf("packages: %w", err)
		}
		return nil
	})
	tx.Queue(selectParts, q.ids).Query(func(rows pgx.Rows) error {
		type partOf struct {
			Package uuid.UUID
			PricedPart
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[partOf])
		if err != nil {
			return fmt.Errorf("parts of packages: %w", err)
		}
		for _, part := range all {
			p := q.found[part.Package]
			if p == nil {
				continue // of one that was deleted
			}
			if part.Picture == nil {
				part.Picture = p.Picture
			}
			p.Parts = append(p.Parts, part.PricedPart)
		}
		return nil
	})
}

// result returns the package as it is sold now, or the fault for which it cannot be bought.
func (p *cachedPackage) result(now time.Time) *PackageResult {
	r := &PackageResult{PricedPackage: p.PricedPackage}
	early, late := p.from != nil && now.Before(*p.from), p.to != nil && !now.Before(*p.to)
	if !p.published || early || late || len(p.Parts) == 0 || !p.Lasts(now) {
		r.Refused = ErrNotOnSale.With(map[string]uuid.UUID{"package_id": p.ID})
	}
	return r
}

func (c *PriceCache) recall(org uuid.UUID, now time.Time, ids []uuid.UUID) map[uuid.UUID]*cachedPackage {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := make(map[uuid.UUID]*cachedPackage, len(ids))
	for _, id := range ids {
		if one, ok := c.known[priceKey{org, id}]; ok && now.Before(one.until) {
			found[id] = &one
		}
	}
	return found
}

func (c *PriceCache) remember(org, revision uuid.UUID, until time.Time, found map[uuid.UUID]*cachedPackage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, one := range found {
		one.revision, one.until = revision, until
		c.known[priceKey{org, id}] = *one
	}
	for key := range maps.Keys(c.known) {
		if len(c.known) <= maxPackages {
			return
		}
		delete(c.known, key)
	}
}
