package admin

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/tax"
)

// HolidayYear asks for the bank holidays of a year.
type HolidayYear struct {
	Year int `json:"year" minimum:"2000" maximum:"2200" doc:"Of the Christian era"`
}

// HolidayDay names a bank holiday.
type HolidayDay struct {
	Day string `json:"day" format:"date"`
}

// Holidays are the bank holidays of a year.
type Holidays struct {
	Data []tax.Holiday `json:"data"`
}

func (c handlers) holidays(ctx context.Context, _ token.Session, in HolidayYear) (Holidays, error) {
	days, err := c.Tax.Holidays(ctx, in.Year)
	return Holidays{days}, err
}

func (c handlers) saveHoliday(ctx context.Context, who token.Session, in tax.Holiday) (tax.Holiday, error) {
	return c.Tax.SaveHoliday(ctx, actor(ctx, who), in)
}

func (c handlers) removeHoliday(ctx context.Context, who token.Session, in HolidayDay) (rest.Empty, error) {
	return rest.Empty{}, c.Tax.RemoveHoliday(ctx, actor(ctx, who), in.Day)
}
