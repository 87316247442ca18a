package payout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/tax"
)

// Setting is what drafts are made with where nobody says otherwise.
type Setting struct {
	Minimum money.Amount `json:"minimum_satang" minimum:"1" maximum:"100000000" doc:"Who would be paid less waits for the next run"`
}

// Settings are what the organisation has set for its runs.
type Settings struct {
	Setting
	Schedules []Schedule `json:"schedules" doc:"When runs are drafted by themselves"`
}

// least is the minimum where the organisation has set none: 100 baht.
const least money.Amount = 100_00

const (
	readSetting = `SELECT minimum_satang FROM payout_setting`
	saveSetting = `INSERT INTO payout_setting (minimum_satang, updated_at) VALUES ($1, $2) ON CONFLICT (one) DO UPDATE SET minimum_satang = excluded.minimum_satang, updated_at = excluded.updated_at`
)

func readMinimum(ctx context.Context, tx db.Tx) (s Setting, err error) {
	err = tx.QueryRow(ctx, readSetting).Scan(&s.Minimum)
	if errors.Is(err, pgx.ErrNoRows) {
		return Setting{least}, nil
	}
	if err != nil {
		return s, fmt.Errorf("setting of payouts: %w", err)
	}
	return s, nil
}

// Settings returns what the organisation has set, with the day of each schedule's next draft.
func (s *Service) Settings(ctx context.Context, org uuid.UUID) (all Settings, err error) {
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return all, err
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		if all.Setting, err = readMinimum(ctx, tx); err != nil {
			return err
		}
		all.Schedules, err = readSchedules(ctx, tx)
		return err
	})
	for i := range all.Schedules {
		one := &all.Schedules[i]
		if on, ok := one.next(s.db.Now()); ok {
			one.Next = dayText(on)
			if pay, known := calendar.BankDayAfter(on, bankDays); known {
				one.PayDay = dayText(pay)
			}
		}
	}
	return all, err
}

// SaveSetting puts a setting in the place of the one before, and records both in the audit log. Drafts that are open keep theirs.
func (s *Service) SaveSetting(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Setting) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		before, err := readMinimum(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, saveSetting, in.Minimum, tx.Now); err != nil {
			return fmt.Errorf("save the setting of payouts: %w", err)
		}
		return auditlog.Record(ctx, tx, who, "change", "payout_setting", before, in)
	})
}

// dayText returns a day as the wire has it.
func dayText(day time.Time) *string {
	text := day.Format(time.DateOnly)
	return &text
}
