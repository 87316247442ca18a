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
	vouchersUntil     = `SELECT vouchers_until, issued_until FROM overview WHERE org_id = $1`
	keepVouchersUntil = `UPDATE overview SET vouchers_until = $2, issued_until = $3 WHERE org_id = $1`
	countVouchers     = `UPDATE overview SET vouchers_ready = c.ready, vouchers_moving = c.moving, vouchers_frozen = c.frozen, vouchers_used = c.used, vouchers_expired = c.expired, vouchers_back = c.back
		FROM (SELECT count(*) FILTER (WHERE state IN ('ready', 'in_use')) AS ready, count(*) FILTER (WHERE state IN ('on_sale', 'in_transfer')) AS moving,
				count(*) FILTER (WHERE state = 'frozen') AS frozen, count(*) FILTER (WHERE state = 'used') AS used, count(*) FILTER (WHERE state = 'expired') AS expired,
				count(*) FILTER (WHERE state IN ('refunded', 'void')) AS back
			FROM overview_voucher WHERE org_id = $1) c
		WHERE overview.org_id = $1`
	changedVouchers = `SELECT id FROM voucher WHERE id >= $1 UNION SELECT id FROM voucher WHERE updated_at >= $2 AND updated_at > issued_at`
	vouchersToCopy  = `SELECT id, code, name_th, name_en, kind, state, holder_id, items_total, items_left, valid_until, issued_at FROM voucher `
)

type voucherRow struct {
	Org        uuid.UUID `db:"org_id"`
	ID         uuid.UUID `db:"id"`
	Code       string    `db:"code"`
	NameTH     string    `db:"name_th"`
	NameEN     string    `db:"name_en"`
	Kind       string    `db:"kind"`
	State      string    `db:"state"`
	Holder     uuid.UUID `db:"holder_id"`
	ItemsTotal int64     `db:"items_total"`
	ItemsLeft  int64     `db:"items_left"`
	ValidUntil time.Time `db:"valid_until"`
	IssuedAt   time.Time `db:"issued_at"`
}

var voucherSource = source[voucherRow]{
	page: vouchersToCopy + `WHERE id > $1 ORDER BY id LIMIT $2`,
	byID: vouchersToCopy + `WHERE id = ANY ($1)`,
	scan: pgx.RowToStructByNameLax[voucherRow], // of its organisation nothing is read
	id:   func(v voucherRow) uuid.UUID { return v.ID },
	own:  func(v *voucherRow, org uuid.UUID) { v.Org = org },
	gone: func(voucherRow) bool { return false },
	keep: db.NewBulk[voucherRow](`INSERT INTO overview_voucher (org_id, id, code, name_th, name_en, kind, state, holder_id, items_total, items_left, valid_until, issued_at)
		SELECT unnest(@org_id::uuid[]), unnest(@id::uuid[]), unnest(@code::text[]), unnest(@name_th::text[]), unnest(@name_en::text[]), unnest(@kind::text[]), unnest(@state::text[]),
			unnest(@holder_id::uuid[]), unnest(@items_total::bigint[]), unnest(@items_left::bigint[]), unnest(@valid_until::date[]), unnest(@issued_at::timestamptz[])
		ON CONFLICT (org_id, id) DO UPDATE SET code = excluded.code, name_th = excluded.name_th, name_en = excluded.name_en, kind = excluded.kind, state = excluded.state, holder_id = excluded.holder_id,
			items_total = excluded.items_total, items_left = excluded.items_left, valid_until = excluded.valid_until, issued_at = excluded.issued_at
		WHERE (overview_voucher.code, overview_voucher.name_th, overview_voucher.name_en, overview_voucher.kind, overview_voucher.state, overview_voucher.holder_id, overview_voucher.items_total, overview_voucher.items_left, overview_voucher.valid_until, overview_voucher.issued_at)
			<> (excluded.code, excluded.name_th, excluded.name_en, excluded.kind, excluded.state, excluded.holder_id, excluded.items_total, excluded.items_left, excluded.valid_until, excluded.issued_at)`),
	drop:        `DELETE FROM overview_voucher WHERE org_id = $1 AND id = ANY ($2)`,
	dropBetween: `DELETE FROM overview_voucher WHERE org_id = $1 AND id > $2 AND ($3::uuid IS NULL OR id <= $3) AND id <> ALL ($4)`,
}

// followVouchers copies the vouchers of an organisation that were issued or changed since the last time, and counts them; all of them if all is true,
// or if they never were.
func (s *Service) followVouchers(ctx context.Context, id uuid.UUID, all bool) error {
	var changed *time.Time
	var issued *uuid.UUID
	if _, err := s.begin(ctx, id); err != nil {
		return fmt.Errorf("vouchers of %s: %w", id, err)
	}
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, vouchersUntil, id).Scan(&changed, &issued) })
	if err != nil {
		return fmt.Errorf("vouchers of %s: %w", id, err)
	}
	now, mark, count := s.db.Now(), db.NewID(), true
	if all || changed == nil || issued == nil {
		err = voucherSource.copyAll(ctx, s, id)
	} else {
		count, err = s.copyChangedVouchers(ctx, id, *issued, changed.Add(-overlap))
	}
	if err != nil {
		return fmt.Errorf("vouchers of %s: %w", id, err)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		tx.Queue(keepVouchersUntil, id, now, mark)
		if count {
			tx.Queue(longRead)
			tx.Queue(countVouchers, id)
		}
		return nil
	})
}

// copyChangedVouchers returns false if there were none.
func (s *Service) copyChangedVouchers(ctx context.Context, id uuid.UUID, issued uuid.UUID, since time.Time) (bool, error) {
	ids, err := s.readIDs(ctx, id, changedVouchers, idsSince(issued), since)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	return true, voucherSource.copyThese(ctx, s, id, ids)
}
