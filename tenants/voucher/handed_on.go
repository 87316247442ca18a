package voucher

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// HandedOn is a voucher of an order, or a slice of one, that its payer gave away or sold on. What became of it afterwards is its holder's.
type HandedOn struct {
	Line    int        `json:"line" doc:"Of the order, counted from 0"`
	By      string     `json:"by" enum:"gift,offer" doc:"What subject is"`
	Subject uuid.UUID  `json:"subject"`
	NameTH  string     `json:"name_th"`
	NameEN  string     `json:"name_en"`
	Picture *uuid.UUID `json:"picture" nullable:"true"`
	Kind    Kind       `json:"kind" enum:"item,baht"`
	Items   int64      `json:"items" doc:"That went; satang when kind is baht"`
	To      string     `json:"to_name" doc:"As the giver wrote it; may be empty"`
	At      time.Time  `json:"at" doc:"UTC"`
}

const (
	// By the last gift or offer of his by which each went.
	handedOn = `SELECT v.line_position, h.by, h.subject_id, v.name_th, v.name_en, v.picture_id, v.kind, h.items, h.to_name, h.at
		FROM voucher v CROSS JOIN LATERAL (SELECT CASE WHEN n.gift_id IS NULL THEN 'offer' ELSE 'gift' END AS by, coalesce(n.gift_id, n.offer_id) AS subject_id, coalesce(g.to_name, '') AS to_name, n.at, n.id,
				(SELECT b.items FROM voucher_event b WHERE b.voucher_id = v.id AND b.event IN ('give', 'offer') AND (b.gift_id = n.gift_id OR b.offer_id = n.offer_id) LIMIT 1) AS items
			FROM voucher_event n LEFT JOIN gift g ON g.id = n.gift_id LEFT JOIN offer f ON f.id = n.offer_id
			WHERE n.voucher_id = v.id AND n.event IN ('claim', 'sell') AND (g.giver_id = $1 OR f.seller_id = $1) ORDER BY n.id DESC LIMIT 1) h
		WHERE v.order_id = $2 AND v.holder_id <> $1 ORDER BY v.line_position, h.id`
	linesOfHeld = `SELECT v.id, v.line_position FROM voucher v WHERE v.order_id = $2 AND v.holder_id = $1`
)

// LinesOfOrder returns of an order's vouchers which line each that its payer holds is of, and what he has handed on.
func LinesOfOrder(ctx context.Context, tx db.Tx, payer, order uuid.UUID) (lines map[uuid.UUID]int, gone []HandedOn, err error) {
	lines = map[uuid.UUID]int{}
	tx.Queue(linesOfHeld, payer, order).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		var line int
		_, err := pgx.ForEachRow(rows, []any{&id, &line}, func() error {
			lines[id] = line
			return nil
		})
		return err
	})
	tx.Queue(handedOn, payer, order).Query(func(rows pgx.Rows) (err error) {
		gone, err = pgx.CollectRows(rows, pgx.RowToStructByPos[HandedOn])
		return err
	})
	if err := tx.Flush(ctx); err != nil {
		return nil, nil, fmt.Errorf("where the vouchers of order %s are: %w", order, err)
	}
	return lines, gone, nil
}
