package commission

import (
	"context"
	"fmt"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// LastRegret is the last day on which who paid an order o of a card's version v may change his mind; NULL where he may not.
const LastRegret = `CASE WHEN v.class <> 'ordinary' THEN (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date + 7 END`

const (
	lockBooks = `SELECT FROM ledger FOR NO KEY UPDATE`
	unsettled = `SELECT coalesce(sum(CASE t.kind WHEN 'use' THEN e.amount_satang ELSE -e.amount_satang END), 0)::bigint FROM transfer t JOIN entry e ON e.transfer_id = t.id
		WHERE t.day >= $1 AND t.kind IN ('use', 'partner_commission') AND NOT EXISTS (SELECT FROM objection o WHERE o.redemption_id = t.cause_id)`
	// Of cards whose members would replace them today, or leave.
	credits = `SELECT coalesce(sum(CASE WHEN $1 <= ` + LastRegret + ` THEN p.share WHEN t.ends_on >= $1 THEN p.share - p.share * ($1::date - t.starts_on) / (t.ends_on - t.starts_on + 1) ELSE 0 END), 0)::bigint
		FROM membership_term t JOIN card_order r ON r.application_id = t.application_id JOIN orders o ON o.id = r.order_id JOIN card_type_version v ON v.id = t.version_id
		CROSS JOIN LATERAL (SELECT o.total_satang - o.platform_fee_satang AS share) p WHERE t.state = 'running' AND r.begun_at IS NOT NULL AND r.credited_at IS NULL`
)

// EarnedForGood returns what the organisation has earned for good, nobody may object to any more, and no member gets back with a card of a higher level: so much it may pay,
// and be paid. Who asks waits for others who pay of it, because a system account has no row to lock.
func EarnedForGood(ctx context.Context, tx db.Tx) (money.Amount, error) {
	if _, err := tx.Exec(ctx, lockBooks); err != nil {
		return 0, fmt.Errorf("lock what was earned: %w", err)
	}
	// What may still be objected to is read first: an objection takes it from what was earned.
	var open money.Amount
	if err := tx.QueryRow(ctx, unsettled, clock.Day(tx.Now).AddDate(0, 0, -1)).Scan(&open); err != nil {
		return 0, fmt.Errorf("what may be objected to: %w", err)
	}
	var back money.Amount
	if err := tx.QueryRow(ctx, credits, clock.Day(tx.Now)).Scan(&back); err != nil {
		return 0, fmt.Errorf("what members may get back: %w", err)
	}
	spendable, err := Spendable(ctx, tx)
	return spendable - open - back, err
}
