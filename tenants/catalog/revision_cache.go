package catalog

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// RevisionCache keeps what one statement reads of each organisation under its catalogue's revision, as PriceCache keeps packages: who changes a row of it
// bumps the revision. So a purchase asks Postgres nothing for it.
type RevisionCache[T any] struct {
	sql     string
	collect func(rows pgx.Rows) (T, error)

	mu    sync.Mutex
	known map[uuid.UUID]revised[T] // by organisation
}

type revised[T any] struct {
	value    T
	revision uuid.UUID
	until    time.Time
}

// maxOrgs is how many organisations a RevisionCache remembers; of more, any one is forgotten.
const maxOrgs = 4096

// NewRevisionCache returns an empty cache of what a statement without parameters reads and collect makes of its rows.
func NewRevisionCache[T any](sql string, collect func(rows pgx.Rows) (T, error)) *RevisionCache[T] {
	return &RevisionCache[T]{sql: sql, collect: collect, known: map[uuid.UUID]revised[T]{}}
}

// RevisionQuery is what a transaction has asked a RevisionCache for.
type RevisionQuery[T any] struct {
	cache *RevisionCache[T]
	known *revised[T]
	asked bool // Postgres, and not only what is remembered
}

// Query queues the read if nothing is remembered of the organisation. It comes after the read of the catalogue's revision.
func (c *RevisionCache[T]) Query(tx db.Tx) *RevisionQuery[T] {
	q := &RevisionQuery[T]{cache: c, known: c.recall(tx.Org, tx.Now)}
	if q.known == nil {
		q.queueRead(tx)
	}
	return q
}

// Result returns what holds at a revision of the catalogue. It is called after the next flush, and flushes again if what is remembered is of another
// revision.
func (q *RevisionQuery[T]) Result(ctx context.Context, tx db.Tx, revision uuid.UUID) (value T, err error) {
	if !q.asked && q.known.revision != revision {
		q.queueRead(tx)
		if err := tx.Flush(ctx); err != nil {
			return value, err
		}
	}
	if q.asked {
		q.known.revision, q.known.until = revision, tx.Now.Add(maxAge)
		q.cache.remember(tx.Org, *q.known)
	}
	return q.known.value, nil
}

func (q *RevisionQuery[T]) queueRead(tx db.Tx) {
	q.asked, q.known = true, &revised[T]{}
	tx.Queue(q.cache.sql).Query(func(rows pgx.Rows) (err error) {
		q.known.value, err = q.cache.collect(rows)
		return err
	})
}

func (c *RevisionCache[T]) recall(org uuid.UUID, now time.Time) *revised[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.known[org]; ok && now.Before(one.until) {
		return &one
	}
	return nil
}

func (c *RevisionCache[T]) remember(org uuid.UUID, one revised[T]) {
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
