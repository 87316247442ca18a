package overview

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

const (
	depositsUntil     = `SELECT deposits_until, charges_until FROM overview WHERE org_id = $1`
	keepDepositsUntil = `UPDATE overview SET deposits_until = $2, charges_until = $3 WHERE org_id = $1`
	// What waits for its money in the copy may have ended meanwhile.
	openDeposits    = `SELECT id FROM overview_deposit WHERE org_id = $1 AND state IN ('created', 'awaiting')`
	changedDeposits = `SELECT id FROM charge WHERE id >= $1 UNION SELECT id FROM charge WHERE captured_at >= $2`
	depositsToCopy  = `SELECT id, reference, customer_id, purpose, method, state, amount_satang, captured_satang, gateway, created_at, captured_at FROM charge `
)

type depositRow struct {
	Org        uuid.UUID  `db:"org_id"`
	ID         uuid.UUID  `db:"id"`
	Reference  string     `db:"reference"`
	Customer   uuid.UUID  `db:"customer_id"`
	Purpose    string     `db:"purpose"`
	Method     string     `db:"method"`
	State      string     `db:"state"`
	Amount     int64      `db:"amount"`
	Captured   int64      `db:"captured"`
	Gateway    string     `db:"gateway"`
	CreatedAt  time.Time  `db:"created_at"`
	CapturedAt *time.Time `db:"captured_at"`
}

var depositSource = source[depositRow]{
	page: depositsToCopy + `WHERE id > $1 ORDER BY id LIMIT $2`,
	byID: depositsToCopy + `WHERE id = ANY ($1)`,
	scan: func(row pgx.CollectableRow) (d depositRow, err error) {
		err = row.Scan(&d.ID, &d.Reference, &d.Customer, &d.Purpose, &d.Method, &d.State, &d.Amount, &d.Captured, &d.Gateway, &d.CreatedAt, &d.CapturedAt)
		return d, err
	},
	id:   func(d depositRow) uuid.UUID { return d.ID },
	own:  func(d *depositRow, org uuid.UUID) { d.Org = org },
	gone: func(depositRow) bool { return false },
	keep: db.NewBulk[depositRow](`INSERT INTO overview_deposit (org_id, id, reference, customer_id, purpose, method, state, amount_satang, captured_satang, gateway, created_at, captured_at)
		SELECT unnest(@org_id::uuid[]), unnest(@id::uuid[]), unnest(@reference::text[]), unnest(@customer_id::uuid[]), unnest(@purpose::text[]), unnest(@method::text[]), unnest(@state::text[]),
			unnest(@amount::bigint[]), unnest(@captured::bigint[]), unnest(@gateway::text[]), unnest(@created_at::timestamptz[]), unnest(@captured_at::timestamptz[])
		ON CONFLICT (org_id, id) DO UPDATE SET reference = excluded.reference, customer_id = excluded.customer_id, purpose = excluded.purpose, method = excluded.method, state = excluded.state,
			amount_satang = excluded.amount_satang, captured_satang = excluded.captured_satang, gateway = excluded.gateway, created_at = excluded.created_at, captured_at = excluded.captured_at
		WHERE (overview_deposit.reference, overview_deposit.customer_id, overview_deposit.purpose, overview_deposit.method, overview_deposit.state, overview_deposit.amount_satang, overview_deposit.captured_satang, overview_deposit.gateway, overview_deposit.created_at, overview_deposit.captured_at)
			IS DISTINCT FROM (excluded.reference, excluded.customer_id, excluded.purpose, excluded.method, excluded.state, excluded.amount_satang, excluded.captured_satang, excluded.gateway, excluded.created_at, excluded.captured_at)`),
	drop:        `DELETE FROM overview_deposit WHERE org_id = $1 AND id = ANY ($2)`,
	dropBetween: `DELETE FROM overview_deposit WHERE org_id = $1 AND id > $2 AND ($3::uuid IS NULL OR id <= $3) AND id <> ALL ($4)`,
}

// followDeposits copies the payments of an organisation that were begun or paid since the last time, and those that waited then; all of them if all
// is true, or if they never were. What was paid stays so: money that goes back is not copied.
func (s *Service) followDeposits(ctx context.Context, id uuid.UUID, all bool) error {
	var paid *time.Time
	var charges *uuid.UUID
	var open []uuid.UUID
	if _, err := s.begin(ctx, id); err != nil {
		return fmt.Errorf("payments of %s: %w", id, err)
	}
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if err = tx.QueryRow(ctx, depositsUntil, id).Scan(&paid, &charges); err == nil {
			open, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], openDeposits, id)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("payments of %s: %w", id, err)
	}
	now, mark := s.db.Now(), db.NewID()
	if all || paid == nil || charges == nil {
		err = depositSource.copyAll(ctx, s, id)
	} else {
		err = s.copyChangedDeposits(ctx, id, paid.Add(-overlap), *charges, open)
	}
	if err != nil {
		return fmt.Errorf("payments of %s: %w", id, err)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, keepDepositsUntil, id, now, mark)
		return err
	})
}

func (s *Service) copyChangedDeposits(ctx context.Context, id uuid.UUID, since time.Time, charges uuid.UUID, open []uuid.UUID) error {
	ids, err := s.readIDs(ctx, id, changedDeposits, idsSince(charges), since)
	if err != nil {
		return err
	}
	return depositSource.copyThese(ctx, s, id, append(open, ids...))
}
