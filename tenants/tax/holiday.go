package tax

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Service keeps the bank holidays.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{d} }

// ErrFarDay is returned for a day that is no bank holiday which anybody means, such as one of a year that is counted from the Buddha.
var ErrFarDay = fault.New(fault.Invalid, "field.far_day", "this day is more than five years from now")

// maxYears is how far a bank holiday may be from today.
const maxYears = 5

// Holiday is a day on which banks are closed.
type Holiday struct {
	Day    string `json:"day" format:"date"`
	NameTH string `json:"name_th" minLength:"1" maxLength:"200"`
	NameEN string `json:"name_en" minLength:"1" maxLength:"200"`
	Source string `json:"source" minLength:"1" maxLength:"300" doc:"Where it was announced"`
}

const (
	holidaysOf    = `SELECT day::text, name_th, name_en, source FROM bank_holiday WHERE day >= make_date($1, 1, 1) AND day <= make_date($1, 12, 31) ORDER BY day`
	insertHoliday = `INSERT INTO bank_holiday (day, name_th, name_en, source, added_by, added_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (day) DO NOTHING`
	lockHoliday   = `SELECT day::text, name_th, name_en, source FROM bank_holiday WHERE day = $1 FOR UPDATE`
	updateHoliday = `UPDATE bank_holiday SET name_th = $2, name_en = $3, source = $4 WHERE day = $1`
	deleteHoliday = `DELETE FROM bank_holiday WHERE day = $1`
)

// Holidays lists the bank holidays of a year by day. None: the year has no bank days.
func (s *Service) Holidays(ctx context.Context, year int) (holidays []Holiday, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, holidaysOf, year)
		if err != nil {
			return fmt.Errorf("bank holidays of %d: %w", year, err)
		}
		holidays, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Holiday])
		return err
	})
	return holidays, err
}

// SaveHoliday adds a bank holiday, or changes the names and the source of the one on this day. It returns fault.BadInput.
func (s *Service) SaveHoliday(ctx context.Context, who auditlog.Actor, in Holiday) (Holiday, error) {
	for _, text := range []*string{&in.NameTH, &in.NameEN, &in.Source} {
		*text = strings.TrimSpace(*text)
	}
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		day, err := in.check(tx.Now)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insertHoliday, day, in.NameTH, in.NameEN, in.Source, who.ID, tx.Now)
		if err != nil {
			return fmt.Errorf("add bank holiday %s: %w", in.Day, err)
		}
		if tag.RowsAffected() == 1 {
			return record(ctx, tx, who, "add", in.Day, nil, in)
		}
		before, err := lock(ctx, tx, day)
		if err != nil || before == in {
			return err
		}
		if _, err := tx.Exec(ctx, updateHoliday, day, in.NameTH, in.NameEN, in.Source); err != nil {
			return fmt.Errorf("change bank holiday %s: %w", in.Day, err)
		}
		return record(ctx, tx, who, "change", in.Day, before, in)
	})
	return in, err
}

// RemoveHoliday removes a bank holiday. It returns fault.Missing if there is none on this day.
func (s *Service) RemoveHoliday(ctx context.Context, who auditlog.Actor, date string) error {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return fault.At("day", fault.WrongFormat)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		before, err := lock(ctx, tx, day)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, deleteHoliday, day); err != nil {
			return fmt.Errorf("remove bank holiday %s: %w", date, err)
		}
		return record(ctx, tx, who, "remove", date, before, nil)
	})
}

// check returns the day, or a fault for each field that is wrong.
func (h Holiday) check(now time.Time) (day time.Time, err error) {
	var wrong []fault.Field
	today := clock.Day(now)
	day, err = time.Parse(time.DateOnly, h.Day)
	switch {
	case err != nil:
		wrong = append(wrong, fault.Field{Path: "day", Fault: fault.WrongFormat.Code})
	case day.Before(today.AddDate(-maxYears, 0, 0)) || day.After(today.AddDate(maxYears, 0, 0)):
		wrong = append(wrong, fault.Field{Path: "day", Fault: ErrFarDay.Code})
	}
	for _, field := range []struct{ path, text string }{{"name_th", h.NameTH}, {"name_en", h.NameEN}, {"source", h.Source}} {
		if field.text == "" {
			wrong = append(wrong, fault.Field{Path: field.path, Fault: fault.Required.Code})
		}
	}
	if len(wrong) > 0 {
		return day, fault.Of(wrong...)
	}
	return day, nil
}

// lock returns the bank holiday of a day until the transaction ends. It returns fault.Missing.
func lock(ctx context.Context, tx db.Tx, day time.Time) (h Holiday, err error) {
	err = tx.QueryRow(ctx, lockHoliday, day).Scan(&h.Day, &h.NameTH, &h.NameEN, &h.Source)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, fault.Missing
	}
	if err != nil {
		return h, fmt.Errorf("bank holiday of %s: %w", day.Format(time.DateOnly), err)
	}
	return h, nil
}

func record(ctx context.Context, tx db.Tx, who auditlog.Actor, action, day string, before, after any) error {
	return auditlog.Record(ctx, tx, who, action, "bankholiday/"+day, before, after)
}
