package overview

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

const (
	customersUntil     = `SELECT customers_until, transfers_until FROM overview WHERE org_id = $1`
	keepCustomersUntil = `UPDATE overview SET customers_until = $2, transfers_until = $3 WHERE org_id = $1`
	changedCustomers   = `SELECT id FROM customer WHERE updated_at >= $1
		UNION SELECT w.customer_id FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN wallet w ON w.account_id = e.debit_id WHERE t.day >= $2 AND t.id >= $3
		UNION SELECT w.customer_id FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN wallet w ON w.account_id = e.credit_id WHERE t.day >= $2 AND t.id >= $3`
	customersToCopy = `SELECT c.id, c.display_name, c.status, coalesce(w.balance_satang, 0), c.debt_satang, c.created_at, greatest(c.updated_at, w.updated_at)
		FROM customer c LEFT JOIN wallet w ON w.customer_id = c.id `
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

// erased is the status of a customer whose data is gone. He is not listed.
const erased = 9

var customerSource = source[customerRow]{
	page: customersToCopy + `WHERE c.id > $1 ORDER BY c.id LIMIT $2`,
	byID: customersToCopy + `WHERE c.id = ANY ($1)`,
	scan: func(row pgx.CollectableRow) (c customerRow, err error) {
		err = row.Scan(&c.ID, &c.Name, &c.Status, &c.Wallet, &c.Debt, &c.Joined, &c.Changed)
		return c, err
	},
	id:   func(c customerRow) uuid.UUID { return c.ID },
	own:  func(c *customerRow, org uuid.UUID) { c.Org = org },
	gone: func(c customerRow) bool { return c.Status == erased },
	keep: db.NewBulk[customerRow](`INSERT INTO overview_customer (org_id, id, name, status, wallet_satang, debt_satang, joined_at, changed_at)
		SELECT unnest(@org_id::uuid[]), unnest(@id::uuid[]), unnest(@name::text[]), unnest(@status::smallint[]), unnest(@wallet::bigint[]), unnest(@debt::bigint[]), unnest(@joined_at::timestamptz[]), unnest(@changed_at::timestamptz[])
		ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, status = excluded.status, wallet_satang = excluded.wallet_satang, debt_satang = excluded.debt_satang, joined_at = excluded.joined_at, changed_at = excluded.changed_at
		WHERE (overview_customer.name, overview_customer.status, overview_customer.wallet_satang, overview_customer.debt_satang, overview_customer.joined_at, overview_customer.changed_at)
			<> (excluded.name, excluded.status, excluded.wallet_satang, excluded.debt_satang, excluded.joined_at, excluded.changed_at)`),
	drop:        `DELETE FROM overview_customer WHERE org_id = $1 AND id = ANY ($2)`,
	dropBetween: `DELETE FROM overview_customer WHERE org_id = $1 AND id > $2 AND ($3::uuid IS NULL OR id <= $3) AND id <> ALL ($4)`,
}

// followCustomers copies the customers of an organisation that were changed, or whose wallets were, since the last time; all of them if all is true, or if they
// never were.
func (s *Service) followCustomers(ctx context.Context, id uuid.UUID, all bool) error {
	var changed *time.Time
	var transfers *uuid.UUID
	if _, err := s.begin(ctx, id); err != nil {
		return fmt.Errorf("customers of %s: %w", id, err)
	}
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, customersUntil, id).Scan(&changed, &transfers) })
	if err != nil {
		return fmt.Errorf("customers of %s: %w", id, err)
	}
	now, mark := s.db.Now(), db.NewID()
	if all || changed == nil || transfers == nil {
		err = customerSource.copyAll(ctx, s, id)
	} else {
		err = s.copyChangedCustomers(ctx, id, changed.Add(-overlap), *transfers)
	}
	if err != nil {
		return fmt.Errorf("customers of %s: %w", id, err)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, keepCustomersUntil, id, now, mark)
		return err
	})
}

// FollowCustomer copies a customer whom the platform has changed, so that its list shows it at once.
func (s *Service) FollowCustomer(ctx context.Context, of ByCustomer) error {
	if err := customerSource.copyThese(ctx, s, of.Org, []uuid.UUID{of.ID}); err != nil {
		return fmt.Errorf("customer %s of %s: %w", of.ID, of.Org, err)
	}
	return nil
}

func (s *Service) copyChangedCustomers(ctx context.Context, id uuid.UUID, since time.Time, transfers uuid.UUID) error {
	ids, err := s.readIDs(ctx, id, changedCustomers, since, clock.Day(since), idsSince(transfers))
	if err != nil {
		return err
	}
	return customerSource.copyThese(ctx, s, id, ids)
}
