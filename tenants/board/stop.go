package board

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
	readState = `SELECT state FROM offer WHERE id = $1`
	stoppedBy = `UPDATE offer SET stopped_by = CASE WHEN $3 THEN NULL ELSE $2::uuid END, stopped_by_admin = CASE WHEN $3 THEN $2::uuid END WHERE id = $1`
	openOf    = `SELECT id FROM offer WHERE seller_id = ANY ($1) AND state IN ('open', 'reserved') ORDER BY id`
)

// Stop ends an offer for the organisation, also while somebody is paying it: its seller has the vouchers back. It returns fault.Missing or ErrOver.
func (s *Service) Stop(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		stopped, err := stop(ctx, tx, who, id)
		if err != nil {
			return err
		}
		if !stopped {
			return whyNotOpen(ctx, tx, id)
		}
		return notice.SendTableUpdate(ctx, tx, Offers.Name())
	})
}

func whyNotOpen(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	state, err := stateOf(ctx, tx, id)
	if err != nil {
		return err
	}
	return ErrOver.With(OverDetail{state})
}

// stateOf returns the state of an offer, or fault.Missing.
func stateOf(ctx context.Context, tx db.Tx, id uuid.UUID) (state string, err error) {
	err = tx.QueryRow(ctx, readState, id).Scan(&state)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.Missing
	}
	if err != nil {
		return "", fmt.Errorf("read offer %s: %w", id, err)
	}
	return state, nil
}

// StopOf ends the offers of customers who are suspended, also those that somebody is paying.
func StopOf(ctx context.Context, tx db.Tx, who auditlog.Actor, sellers []uuid.UUID) error {
	rows, err := tx.Query(ctx, openOf, sellers)
	if err != nil {
		return fmt.Errorf("offers of who is suspended: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("offers of who is suspended: %w", err)
	}
	for _, id := range ids {
		if _, err := stop(ctx, tx, who, id); err != nil {
			return err
		}
	}
	return nil
}

// stop reports whether the offer was open or reserved.
func stop(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID) (bool, error) {
	ended, err := voucher.StopOffer(ctx, tx, id, voucher.Stopped)
	if err != nil || !ended {
		return false, err
	}
	tx.Queue(stoppedBy, id, who.ID, who.Kind == token.Admin)
	return true, auditlog.Record(ctx, tx, who, "stop", "offer/"+id.String(), nil, nil)
}
