// Package rollup adds up what was sold, used, discounted and paid in, who came, and the entries of the ledger, by day and hour, so that overviews
// and reports read hundreds of rows instead of millions.
//
// The transaction that makes a fact (an order is paid, a voucher used, a use undone, a charge captured, a customer new) names it in its outbox, in
// the statement that inserts its notices. A worker adds what is named to the tables and deletes the names, in one transaction. So at
// any moment the tables and the facts that are still named are a full count, and each fact counts once, however late it comes and
// however often a worker dies. The queries here (SalesByDay and its like) read both.
package rollup

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
)

// Facts are rows that a transaction has made, and that count from its commit. Times and amounts of such rows never change.
type Facts struct {
	Orders      []uuid.UUID `json:"orders,omitempty"` // paid
	Redemptions []uuid.UUID `json:"redemptions,omitempty"`
	Undone      []uuid.UUID `json:"undone,omitempty"`    // redemptions: they are taken out of their own day and hour
	Charges     []uuid.UUID `json:"charges,omitempty"`   // captured
	Customers   []uuid.UUID `json:"customers,omitempty"` // new
}

// Kind names the job. The queries here have the name, too.
func (Facts) Kind() string { return "rollup.facts" }

// followAfter is how long facts wait for others of the organisation. Until then each reader counts them for himself.
const followAfter = 30 * time.Second

// Job is the job to enqueue with the transaction's others.
func (f Facts) Job() queue.TracedJob { return queue.TracedJob{Job: f, Delay: followAfter} }

// Enqueue names facts of tx.
func Enqueue(ctx context.Context, tx db.Tx, f Facts) error {
	return queue.EnqueueAll(ctx, tx, []queue.TracedJob{f.Job()})
}

const (
	lock = `SELECT FROM rollup FOR UPDATE`
	take = `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE kind = 'rollup.facts' AND done_at IS NULL ORDER BY id LIMIT $1)
		RETURNING payload->'job'`
	followed = `UPDATE rollup SET followed_at = $1`
)

// atOnce bounds a transaction: a fact of a flash sale is a batch of up to 64 orders.
const atOnce = 500

// Follow adds the facts that are named to the tables, in transactions of some each.
func Follow(ctx context.Context, d *db.DB, org uuid.UUID) error {
	for {
		n, err := followSome(ctx, d, org)
		if err != nil {
			return fmt.Errorf("roll up %s: %w", org, err)
		}
		if n < atOnce {
			break
		}
	}
	for {
		done, err := followDay(ctx, d, org)
		if err != nil {
			return fmt.Errorf("roll up the entries of %s: %w", org, err)
		}
		if done {
			return nil
		}
	}
}

// followDay adds the entries of the next day that is sealed. It returns true if there is none.
func followDay(ctx context.Context, d *db.DB, org uuid.UUID) (done bool, err error) {
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		tx.Queue(buildTimeout)
		tx.Queue(lock)
		var day *time.Time
		if err := tx.QueryRow(ctx, nextSealed).Scan(&day); err != nil {
			return err
		}
		if done = day == nil; done {
			return nil
		}
		tx.Queue(addEntries, day)
		tx.Queue(addedUntil, day)
		return nil
	})
	return done, err
}

// followSome returns how many rows of the outbox it has taken. One follower at a time has the lock.
func followSome(ctx context.Context, d *db.DB, org uuid.UUID) (taken int, err error) {
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		tx.Queue(lock)
		rows, err := tx.Query(ctx, take, atOnce)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowTo[Facts])
		if err != nil {
			return err
		}
		if taken = len(all); taken == 0 {
			return nil
		}
		var some Facts
		for _, f := range all {
			some.Orders = append(some.Orders, f.Orders...)
			some.Redemptions = append(some.Redemptions, f.Redemptions...)
			some.Undone = append(some.Undone, f.Undone...)
			some.Charges = append(some.Charges, f.Charges...)
			some.Customers = append(some.Customers, f.Customers...)
		}
		for _, a := range additions {
			if ids := a.of(some); len(ids) > 0 {
				tx.Queue(a.add, ids)
			}
		}
		tx.Queue(followed, tx.Now)
		return nil
	})
	return taken, err
}

const buildTimeout = `SET LOCAL statement_timeout = '30min'`

// Recount are the statements that count everything anew, in one transaction: those that empty the tables, then the one that fills
// them and deletes the names of what it has counted.
func Recount() (statements []string) {
	for _, t := range tables {
		statements = append(statements, t.clear)
	}
	return append(statements, build)
}

// Build counts everything anew, while the organisation goes on. It is for a copy, or for tables that Audit has found wrong.
func Build(ctx context.Context, d *db.DB, org uuid.UUID) error {
	err := d.InOrg(ctx, org, func(tx db.Tx) error {
		tx.Queue(buildTimeout)
		tx.Queue(lock)
		for _, sql := range Recount() {
			tx.Queue(sql)
		}
		tx.Queue(followed, tx.Now)
		return nil
	})
	if err != nil {
		return fmt.Errorf("build the roll-ups of %s: %w", org, err)
	}
	return nil
}

// Finding is a table that differs from a full count.
type Finding struct {
	Table string
	Rows  int64 // that are not there, or not the same
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %d rows differ from a full count", f.Table, f.Rows)
}

// Audit compares each table, with the facts that are still named, to a full count.
func Audit(ctx context.Context, tx db.Tx) (findings []Finding, err error) {
	if _, err := tx.Exec(ctx, buildTimeout); err != nil {
		return nil, err
	}
	for _, t := range tables {
		f := Finding{Table: t.name}
		if err := tx.QueryRow(ctx, t.compare).Scan(&f.Rows); err != nil {
			return nil, fmt.Errorf("audit %s: %w", t.name, err)
		}
		if f.Rows > 0 {
			findings = append(findings, f)
		}
	}
	return findings, nil
}
