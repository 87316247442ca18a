package payout

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/tax"
)

const (
	// An exported run waits for the bank's answer to some of it (Rules).
	unanswered  = `SELECT id, pay_day FROM payout_run WHERE state = 'exported' AND late_at IS NULL AND pay_day < $1 ORDER BY id`
	anyWaits    = `SELECT EXISTS (SELECT FROM payout_run WHERE state = 'exported' AND late_at IS NULL AND pay_day < $1)`
	markLate    = `UPDATE payout_run SET late_at = $2 WHERE id = $1 AND state = 'exported' AND late_at IS NULL`
	answersIn   = 3 // bank days after the pay day
	answersDays = 7 // days after it, where the banks' holidays are not known
)

// AnyUnanswered reports whether MarkLate has anything to look at.
func AnyUnanswered(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyWaits, clock.Day(tx.Now)).Scan(&some)
	return some, err
}

// MarkLate marks the runs for all of which the bank should have answered by now and has not. A worker calls it.
func (s *Service) MarkLate(ctx context.Context, org uuid.UUID) error {
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return err
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		today := clock.Day(tx.Now)
		rows, err := tx.Query(ctx, unanswered, today)
		if err != nil {
			return fmt.Errorf("runs without an answer: %w", err)
		}
		var id uuid.UUID
		var pay time.Time
		var late []uuid.UUID
		_, err = pgx.ForEachRow(rows, []any{&id, &pay}, func() error {
			until, known := calendar.BankDayAfter(pay, answersIn)
			if !known {
				until = pay.AddDate(0, 0, answersDays)
			}
			if until.Before(today) {
				late = append(late, id)
			}
			return nil
		})
		if err != nil || len(late) == 0 {
			return err
		}
		for _, id := range late {
			tx.Queue(markLate, id, tx.Now)
		}
		return notice.SendTableUpdate(ctx, tx, Runs.Name())
	})
}
