package overview

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

const (
	// overlap is how far before the end of the last copy the next one begins: a transaction's rows have the time of its begin, and its ids too.
	overlap     = 10 * time.Minute
	customersAt = 2000

	untilOf    = `SELECT customers_until, transfers_until FROM overview WHERE org_id = $1`
	keepUntil  = `UPDATE overview SET customers_until = $2, transfers_until = $3 WHERE org_id = $1`
	changedIDs = `SELECT id FROM customer WHERE updated_at >= $1
		UNION SELECT w.customer_id FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN wallet w ON w.account_id = e.debit_id WHERE t.day >= $2 AND t.id >= $3
		UNION SELECT w.customer_id FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN wallet w ON w.account_id = e.credit_id WHERE t.day >= $2 AND t.id >= $3`
	customerPage = `SELECT c.id, c.display_name, c.status, coalesce(w.balance_satang, 0), c.debt_satang, c.created_at, greatest(c.updated_at, w.updated_at)
		FROM customer c LEFT JOIN wallet w ON w.customer_id = c.id WHERE c.id > $1 ORDER BY c.id LIMIT $2`
	customersByID = `SELECT c.id, c.display_name, c.status, coalesce(w.balance_satang, 0), c.debt_satang, c.created_at, greatest(c.updated_at, w.updated_at)
		FROM customer c LEFT JOIN wallet w ON w.customer_id = c.id WHERE c.id = ANY ($1)`

	dropCustomers      = `DELETE FROM overview_customer WHERE org_id = $1 AND id = ANY ($2)`
	dropOtherCustomers = `DELETE FROM overview_customer WHERE org_id = $1 AND id > $2 AND ($3::uuid IS NULL OR id <= $3) AND id <> ALL ($4)`
)

type customerRow struct {
	Org     uuid.UUID `db:"org_id"`
	ID      uuid.UUID `db:"id"`
	Name    string    `db:"name"`
	Status  int16     `db:"status"`
	Wallet  int64     `db:"wallet"`
	Debt    int64     `db:"debt"`
	Joined  time.Time `db:"joined_at"`
	Changed time.Time `db:"changed_at"`
}

var keepCustomers = db.NewBulk[customerRow](`INSERT INTO overview_customer (org_id, id, name, status, wallet_satang, debt_satang, joined_at, changed_at)
	SELECT unnest(@org_id::uuid[]), unnest(@id::uuid[]), unnest(@name::text[]), unnest(@status::smallint[]), unnest(@wallet::bigint[]), unnest(@debt::bigint[]), unnest(@joined_at::timestamptz[]), unnest(@changed_at::timestamptz[])
	ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, status = excluded.status, wallet_satang = excluded.wallet_satang, debt_satang = excluded.debt_satang, joined_at = excluded.joined_at, changed_at = excluded.changed_at
	WHERE (overview_customer.name, overview_customer.status, overview_customer.wallet_satang, overview_customer.debt_satang, overview_customer.joined_at, overview_customer.changed_at)
		<> (excluded.name, excluded.status, excluded.wallet_satang, excluded.debt_satang, excluded.joined_at, excluded.changed_at)`)

// erased is the status of a customer whose data is gone. He is not listed.
const erased = 9

// until is how far customers were copied.
type until struct {
	changed   *time.Time
	transfers *uuid.UUID
}

// followCustomers copies the customers of an organisation that were changed, or whose wallets were, since the last time; all of them if all is true, or if they
// never were.
func (s *Service) followCustomers(ctx context.Context, id uuid.UUID, all bool) error {
	var last until
	if _, err := s.begin(ctx, id); err != nil {
		return fmt.Errorf("customers of %s: %w", id, err)
	}
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, untilOf, id).Scan(&last.changed, &last.transfers) })
	if err != nil {
		return fmt.Errorf("customers of %s: %w", id, err)
	}
	now, mark := s.db.Now(), db.NewID()
	if all || last.changed == nil || last.transfers == nil {
		err = s.copyAll(ctx, id)
	} else {
		err = s.copyChanged(ctx, id, last)
	}
	if err != nil {
		return fmt.Errorf("customers of %s: %w", id, err)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, keepUntil, id, now, mark)
		return err
	})
}

func (s *Service) copyAll(ctx context.Context, id uuid.UUID) error {
	var after uuid.UUID
	for {
		found, err := s.copyCustomers(ctx, id, func(tx db.Tx) (pgx.Rows, error) { return tx.Query(ctx, customerPage, after, customersAt) }, func(tx db.Tx, found []customerRow) {
			var upTo *uuid.UUID
			if len(found) == customersAt {
				upTo = &found[len(found)-1].ID
			}
			tx.Queue(dropOtherCustomers, id, after, upTo, db.Column(found, func(c customerRow) uuid.UUID { return c.ID }))
		})
		if err != nil || len(found) < customersAt {
			return err
		}
		after = found[len(found)-1].ID
	}
}

func (s *Service) copyChanged(ctx context.Context, id uuid.UUID, last until) error {
	var ids []uuid.UUID
	seconds, nanoseconds := last.transfers.Time().UnixTime()
	since := last.changed.Add(-overlap)
	err := s.db.InOrg(ctx, id, func(tx db.Tx) error {
		tx.Queue(longRead)
		rows, err := tx.Query(ctx, changedIDs, since, clock.Day(since), db.LowestID(time.Unix(seconds, nanoseconds).Add(-overlap)))
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, customersAt) {
		_, err := s.copyCustomers(ctx, id, func(tx db.Tx) (pgx.Rows, error) { return tx.Query(ctx, customersByID, some) }, func(db.Tx, []customerRow) {})
		if err != nil {
			return err
		}
	}
	return nil
}

// copyCustomers keeps the customers that read finds, and drops others with drop, in one transaction. It returns what it has found. Of two at the same time one reads again.
func (s *Service) copyCustomers(ctx context.Context, id uuid.UUID, read func(tx db.Tx) (pgx.Rows, error), drop func(tx db.Tx, found []customerRow)) (found []customerRow, err error) {
	for {
		before, err := s.begin(ctx, id)
		if err != nil {
			return nil, err
		}
		err = s.db.InOrg(ctx, id, func(tx db.Tx) error {
			tx.Queue(longRead)
			rows, err := read(tx)
			if err != nil {
				return err
			}
			found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (c customerRow, err error) {
				c.Org = id
				err = row.Scan(&c.ID, &c.Name, &c.Status, &c.Wallet, &c.Debt, &c.Joined, &c.Changed)
				return c, err
			})
			return err
		})
		if err != nil {
			return nil, err
		}
		kept := false
		err = s.db.InPlatform(ctx, func(tx db.Tx) error {
			raised, err := tx.Exec(ctx, raise, id, before)
			if kept = err == nil && raised.RowsAffected() == 1; !kept {
				return err
			}
			there := slices.DeleteFunc(slices.Clone(found), func(c customerRow) bool { return c.Status == erased })
			if len(there) > 0 {
				keepCustomers.Queue(tx, there)
			}
			if len(there) < len(found) {
				gone := slices.DeleteFunc(slices.Clone(found), func(c customerRow) bool { return c.Status != erased })
				tx.Queue(dropCustomers, id, db.Column(gone, func(c customerRow) uuid.UUID { return c.ID }))
			}
			drop(tx, found)
			return nil
		})
		if err != nil || kept {
			return found, err
		}
	}
}
