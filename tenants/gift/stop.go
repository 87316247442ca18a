package gift

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

const (
	termOf    = `SELECT state, begins_at, expires_at, extended_at IS NOT NULL, ` + stillSince + `, people FROM gift WHERE id = $1`
	stoppedBy = `UPDATE gift SET stopped_by = CASE WHEN $3 THEN NULL ELSE $2::uuid END, stopped_by_admin = CASE WHEN $3 THEN $2::uuid END WHERE id = $1`
	openOf    = `SELECT id FROM gift WHERE giver_id = ANY ($1) AND ended_at IS NULL ORDER BY id`
)

// Stop ends a gift that nobody has claimed for the organisation: its giver has the vouchers back. It returns fault.Missing or ErrOver.
func (s *Service) Stop(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		stopped, err := stop(ctx, tx, who, id)
		if err != nil {
			return err
		}
		if !stopped {
			return whyNotOpen(ctx, tx, id)
		}
		return notice.SendTableUpdate(ctx, tx, Gifts.Name())
	})
}

func whyNotOpen(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	var t term
	err := tx.QueryRow(ctx, termOf, id).Scan(&t.state, &t.begins, &t.expires, &t.extended, &t.still, &t.people)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Missing
	}
	if err != nil {
		return fmt.Errorf("read gift %s: %w", id, err)
	}
	return t.over(tx.Now)
}

// StopOf ends the gifts under way of customers who are suspended.
func StopOf(ctx context.Context, tx db.Tx, who auditlog.Actor, givers []uuid.UUID) error {
	rows, err := tx.Query(ctx, openOf, givers)
	if err != nil {
		return fmt.Errorf("gifts of who is suspended: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("gifts of who is suspended: %w", err)
	}
	for _, id := range ids {
		if _, err := stop(ctx, tx, who, id); err != nil {
			return err
		}
	}
	return nil
}

// stop reports whether the gift was under way.
func stop(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID) (bool, error) {
	ended, err := voucher.EndGift(ctx, tx, id, voucher.Stopped)
	if err != nil || !ended {
		return false, err
	}
	tx.Queue(stoppedBy, id, who.ID, who.Kind == token.Admin)
	return true, auditlog.Record(ctx, tx, who, "stop", "gift/"+id.String(), nil, nil)
}
