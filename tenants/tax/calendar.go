package tax

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Calendar has the days on which banks are closed. A year of which no such day is known has no bank days.
type Calendar struct {
	holidays map[string]bool // YYYY-MM-DD
	years    map[int]bool
}

const selectDays = `SELECT day FROM bank_holiday ORDER BY day`

// ReadCalendar reads the bank holidays from the platform's schema.
func ReadCalendar(ctx context.Context, d *db.DB) (c Calendar, err error) {
	var days []time.Time
	err = d.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, selectDays)
		if err != nil {
			return err
		}
		days, err = pgx.CollectRows(rows, pgx.RowTo[time.Time])
		return err
	})
	if err != nil {
		return c, fmt.Errorf("bank holidays: %w", err)
	}
	c = Calendar{map[string]bool{}, map[int]bool{}}
	for _, day := range days {
		c.holidays[day.Format(time.DateOnly)] = true
		c.years[day.Year()] = true
	}
	return c, nil
}

// IsBankDay returns whether banks are open on a day (clock.Day): from Monday to Friday, apart from holidays, in a year whose holidays are known.
func (c Calendar) IsBankDay(day time.Time) bool {
	return c.years[day.Year()] && day.Weekday() != time.Saturday && day.Weekday() != time.Sunday && !c.holidays[day.Format(time.DateOnly)]
}

// BankDayAfter returns the n-th bank day after a day (clock.Day), of 0 the day itself. It returns false if that would need a year whose holidays are not known.
func (c Calendar) BankDayAfter(day time.Time, n int) (time.Time, bool) {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		if !c.years[day.Year()] {
			return time.Time{}, false
		}
		if c.IsBankDay(day) {
			n--
		}
	}
	return day, true
}
