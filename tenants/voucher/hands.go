package voucher

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// As its claims and sales say, and those of what it was made of, before it was. The offer $3 is the one that is looked at.
const handsOf = `WITH RECURSIVE hand (id, parent_id, undoes, before) AS (
		SELECT v.id, v.parent_id, v.undoes, NULL::uuid FROM voucher v WHERE v.id = $1
		UNION ALL SELECT p.id, p.parent_id, p.undoes, coalesce(h.undoes, h.id) FROM hand h JOIN voucher p ON p.id = h.parent_id)
	SELECT CASE n.event WHEN 'sell' THEN 'offer' ELSE 'gift' END FROM hand h JOIN voucher_event n ON n.voucher_id = h.id AND n.event IN ('claim', 'sell')
		AND (h.before IS NULL OR n.id < h.before) AND n.at <= $2 AND ($3::uuid IS NULL OR n.offer_id IS DISTINCT FROM $3) ORDER BY n.id`

// Those of some vouchers that went from hand to hand, as HandsOf says.
const changedHands = `WITH RECURSIVE hand (voucher_id, id, parent_id, undoes, before) AS (
		SELECT v.id, v.id, v.parent_id, v.undoes, NULL::uuid FROM voucher v WHERE v.id = ANY ($1)
		UNION ALL SELECT h.voucher_id, p.id, p.parent_id, p.undoes, coalesce(h.undoes, h.id) FROM hand h JOIN voucher p ON p.id = h.parent_id)
	SELECT DISTINCT h.voucher_id FROM hand h JOIN voucher_event n ON n.voucher_id = h.id AND n.event IN ('claim', 'sell') AND (h.before IS NULL OR n.id < h.before)`

// ChangedHands returns which of some vouchers somebody else has held than who bought them of the organisation, also if they are his again.
func ChangedHands(ctx context.Context, tx db.Tx, vouchers []uuid.UUID) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, changedHands, vouchers)
	if err != nil {
		return nil, fmt.Errorf("vouchers that were handed on: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("vouchers that were handed on: %w", err)
	}
	return list, nil
}

// HandsOf returns by what a voucher went from hand to hand until a time, after the organisation had sold it to the first: by a gift or an offer,
// but not by the offer given. It names nobody.
func HandsOf(ctx context.Context, tx db.Tx, voucher uuid.UUID, until time.Time, offer *uuid.UUID) ([]string, error) {
	rows, err := tx.Query(ctx, handsOf, voucher, until, offer)
	if err != nil {
		return nil, fmt.Errorf("hands of %s: %w", voucher, err)
	}
	hands, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("hands of %s: %w", voucher, err)
	}
	return hands, nil
}
