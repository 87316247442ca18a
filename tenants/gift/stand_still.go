package gift

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
	stillSince = `(SELECT began_at FROM suspension WHERE ended_at IS NULL)`

	lockAllGiven = `SELECT v.id FROM voucher v WHERE v.gift_id IS NOT NULL ORDER BY v.id FOR UPDATE`
	allUnderWay  = `SELECT g.id, g.begins_at, g.expires_at, (SELECT min(v.valid_until) FROM voucher v WHERE v.gift_id = g.id) FROM gift g
		WHERE g.ended_at IS NULL AND g.expires_at > $1 AND g.begins_at < $2 ORDER BY g.id FOR UPDATE`
	lengthen = `UPDATE gift SET expires_at = $2 WHERE id = $1`
)

// StandStill gives every gift under way the days back that its link was good for and nobody could use, since a time: each that began, and not
// after the last day of its vouchers.
func StandStill(ctx context.Context, tx db.Tx, since time.Time) error {
	if _, err := tx.Exec(ctx, lockAllGiven); err != nil {
		return fmt.Errorf("lock what is given: %w", err)
	}
	rows, err := tx.Query(ctx, allUnderWay, since, tx.Now)
	if err != nil {
		return fmt.Errorf("gifts under way: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		ID              uuid.UUID
		Begins, Expires time.Time
		ValidUntil      *time.Time
	}])
	if err != nil {
		return fmt.Errorf("gifts under way: %w", err)
	}
	for _, g := range list {
		from := since
		if g.Begins.After(from) {
			from = g.Begins
		}
		const day = 24 * time.Hour
		days := int((tx.Now.Sub(from) + day - 1) / day)
		to := clock.Start(clock.Day(g.Expires).AddDate(0, 0, days))
		if end := g.ValidUntil; end != nil && clock.Start(end.AddDate(0, 0, 1)).Before(to) {
			to = clock.Start(end.AddDate(0, 0, 1))
		}
		if to.After(g.Expires) {
			tx.Queue(lengthen, g.ID, to)
		}
	}
	return tx.Flush(ctx)
}
