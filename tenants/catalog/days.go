package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// DaysInput asks on which days of a month what a package holds could be used at a service point if it were bought now.
type DaysInput struct {
	ID           uuid.UUID `json:"id"`
	ServicePoint uuid.UUID `json:"service_point_id"`
	Month        string    `json:"month" pattern:"^20[0-9]{2}-(0[1-9]|1[0-2])$" doc:"YYYY-MM"`
}

// Days is whether each day of a month works, from today on.
type Days struct {
	Data    []DayCheck `json:"data"`
	LastDay string     `json:"last_day" format:"date" doc:"Of what is bought now; of several the first to end"`
	From    string     `json:"use_from" doc:"HH:MM of a day that works; empty: all day, or parts differ"`
	To      string     `json:"use_to"`
}

// DayCheck is whether a day works, or why not.
type DayCheck struct {
	Date   string `json:"day" format:"date"`
	Fault  string `json:"fault" enum:",voucher.not_today,voucher.not_at_this_hour,voucher.closed_day,voucher.expired" doc:"Why it does not work; empty if it does"`
	NameTH string `json:"name_th" doc:"Of which part, where there are several; empty if it works"`
	NameEN string `json:"name_en"`
	NextUse
}

// partCalendar is when vouchers of a part can be used.
type partCalendar struct {
	nameTH, nameEN string
	honoured       bool
	Calendar
}

const partCalendars = `SELECT coalesce(t.name_th, g.name_th), coalesce(t.name_en, g.name_en), coalesce(t.valid_until, g.valid_until, $3::date + coalesce(t.valid_days, g.valid_days)),
		EXISTS (SELECT FROM service_point o WHERE o.id = $4 AND o.status = 5 AND (ver.service_point_ids = '{}' OR o.id = ANY (ver.service_point_ids))), ` + ConditionColumns + `
	FROM package p JOIN package_part i ON i.package_id = p.id LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
	JOIN template_version ver ON ver.template_id = coalesce(t.id, g.id) AND ver.current
	WHERE p.id = $2 AND ` + onSale + ` ORDER BY i.position`

// Days returns on which days a package could be used that is bought now: those on which all of it can be. It returns ErrPackageNotFound if it is not on
// sale, and fault.BadInput for a month that is over or a service point that does not honour all of it.
func (s *Service) Days(ctx context.Context, org uuid.UUID, in DaysInput) (d Days, err error) {
	first, err := time.Parse("2006-01", in.Month)
	if err != nil {
		return d, fault.At("month", fault.WrongFormat)
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		today := clock.Day(tx.Now)
		rows, err := tx.Query(ctx, partCalendars, tx.Now, in.ID, today, in.ServicePoint)
		if err != nil {
			return fmt.Errorf("days of package %s: %w", in.ID, err)
		}
		parts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p partCalendar, err error) {
			return p, row.Scan(append([]any{&p.nameTH, &p.nameEN, &p.Last, &p.honoured}, ConditionTargets(&p.Conditions)...)...)
		})
		switch {
		case err != nil:
			return fmt.Errorf("days of package %s: %w", in.ID, err)
		case len(parts) == 0:
			return ErrPackageNotFound
		}
		closed, err := Closings(ctx, tx, in.ServicePoint, today)
		if err != nil {
			return err
		}
		for i := range parts {
			if !parts[i].honoured {
				return fault.At("service_point_id", fault.NotInList)
			}
			parts[i].Closed = closed
		}
		d = daysOf(parts, first, tx.Now)
		return nil
	})
	return d, err
}

// daysOf decides about the days of the month that begins with first.
func daysOf(parts []partCalendar, first, now time.Time) (d Days) {
	last := parts[0].Last
	d.Data = []DayCheck{}
	for i, p := range parts {
		if p.Last.Before(last) {
			last = p.Last
		}
		if p.UseFrom != nil && (i == 0 || d.From == *p.UseFrom && d.To == *p.UseTo) {
			d.From, d.To = *p.UseFrom, *p.UseTo
		} else {
			d.From, d.To = "", ""
		}
	}
	d.LastDay = last.Format(time.DateOnly)
	next := first
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		if day.Before(clock.Day(now)) {
			continue
		}
		c := DayCheck{Date: day.Format(time.DateOnly)}
		if day.After(last) {
			c.Fault = "voucher.expired"
			d.Data = append(d.Data, c)
			continue
		}
		if p, why := refusalOf(parts, day, now); why != nil {
			c.Fault, c.NextUse = why.Code, why.Detail.(NextUse)
			if len(parts) > 1 {
				c.NameTH, c.NameEN = p.nameTH, p.nameEN
			}
			if !next.After(day) {
				next = day.AddDate(0, 0, 1)
			}
			for ; !next.After(last); next = next.AddDate(0, 0, 1) {
				if _, why := refusalOf(parts, next, now); why == nil {
					break
				}
			}
			c.Day, c.From, c.To = "", d.From, d.To
			if !next.After(last) {
				c.Day = next.Format(time.DateOnly)
			}
		}
		d.Data = append(d.Data, c)
	}
	return d
}

// refusalOf returns the first part that cannot be used on a day, and why.
func refusalOf(parts []partCalendar, day, now time.Time) (partCalendar, *fault.Fault) {
	for _, p := range parts {
		if err := p.CheckDay(day, now); err != nil {
			return p, fault.From(err)
		}
	}
	return partCalendar{}, nil
}
