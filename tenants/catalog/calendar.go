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

// Faults of a use outside of a voucher's days and hours. Each may have a NextUse.
var (
	ErrNotToday      = fault.New(fault.Conflict, "voucher.not_today", "This voucher cannot be used on this day")
	ErrNotAtThisHour = fault.New(fault.Conflict, "voucher.not_at_this_hour", "This voucher cannot be used at this hour")
	ErrClosedDay     = fault.New(fault.Conflict, "voucher.closed_day", "This place is closed on this day")
)

// NextUse is when a voucher can be used next, and why it cannot be now.
type NextUse struct {
	Day      string `json:"next_day" doc:"YYYY-MM-DD, Asia/Bangkok; empty if there is no such day before its last one"`
	From     string `json:"use_from" doc:"HH:MM; empty: all day"`
	To       string `json:"use_to"`
	ReasonTH string `json:"reason_th" doc:"Why the place is closed; empty if it is not"`
	ReasonEN string `json:"reason_en"`
}

// Closing is a closed day of the organisation, or days on which one service point is closed.
type Closing struct {
	First  time.Time
	Last   time.Time
	NameTH string
	NameEN string
}

// Calendar is what decides when a voucher can be used at a service point: its conditions, when the place is closed, and its last day.
type Calendar struct {
	Conditions
	Closed []Closing
	Last   time.Time // as clock.Day returns it
}

// ClosedAround selects, as an array, which of a day and the day before it service point p is closed on. asked has the day.
const ClosedAround = `ARRAY(SELECT k.day FROM (VALUES (asked.day - 1), (asked.day)) AS k (day)
	WHERE EXISTS (SELECT FROM closed_day h WHERE h.day = k.day AND h.status = 5)
		OR EXISTS (SELECT FROM closure c WHERE c.service_point_id = p.id AND c.status = 5 AND c.first_day <= k.day AND c.last_day >= k.day))`

// Around returns the calendar of conditions with the days that ClosedAround selects. Only its Refusal of a time on the day that was asked about
// is known.
func Around(c Conditions, closed []time.Time, last time.Time) Calendar {
	of := Calendar{Conditions: c, Last: last}
	for _, day := range closed {
		of.Closed = append(of.Closed, Closing{First: day, Last: day})
	}
	return of
}

// What is closed on a day or later, the organisation's own days first.
const selectClosings = `SELECT h.day, h.day, h.name_th, h.name_en FROM closed_day h WHERE h.status = 5 AND h.day >= $2
	UNION ALL SELECT c.first_day, c.last_day, c.reason_th, c.reason_en FROM closure c WHERE c.status = 5 AND c.service_point_id = $1 AND c.last_day >= $2`

// Closings returns when a service point is closed on a day or later.
func Closings(ctx context.Context, tx db.Tx, servicePoint uuid.UUID, since time.Time) ([]Closing, error) {
	rows, err := tx.Query(ctx, selectClosings, servicePoint, since)
	if err != nil {
		return nil, fmt.Errorf("when service point %s is closed: %w", servicePoint, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Closing])
}

// closing returns why the place is closed on a day, or nil.
func (c Calendar) closing(day time.Time) *Closing {
	for i, one := range c.Closed {
		if !day.Before(one.First) && !day.After(one.Last) {
			return &c.Closed[i]
		}
	}
	return nil
}

// on returns why it cannot be used on a day at all, or nil: ErrNotToday or ErrClosedDay.
func (c Calendar) on(day time.Time) *fault.Fault {
	switch {
	case !c.allow(day):
		return ErrNotToday
	case c.closing(day) != nil:
		return ErrClosedDay
	}
	return nil
}

// Refusal returns why it cannot be used at a time, or nil: ErrNotToday, ErrClosedDay or ErrNotAtThisHour. Whether its last day is over is another question.
func (c Calendar) Refusal(at time.Time) error {
	if why := c.refusal(at); why != nil {
		return why
	}
	return nil
}

func (c Calendar) refusal(at time.Time) *fault.Fault {
	day, within := c.dayOf(at)
	why := c.on(day)
	if why == nil && !within {
		return ErrNotAtThisHour
	}
	return why
}

// Check is Refusal with a NextUse.
func (c Calendar) Check(at time.Time) error {
	why := c.refusal(at)
	if why == nil {
		return nil
	}
	since := clock.Day(at)
	if !c.beginsLater(at) {
		since = since.AddDate(0, 0, 1)
	}
	day, _ := c.dayOf(at)
	return why.With(c.next(since, c.closing(day)))
}

// CheckDay returns why it cannot be used on a day that is asked about beforehand, or nil: ErrNotToday, ErrClosedDay, or ErrNotAtThisHour if the hours of
// today are over, each with a NextUse.
func (c Calendar) CheckDay(day, now time.Time) error {
	why := c.on(day)
	if today, within := c.dayOf(now); why == nil && day.Equal(today) && !within && !c.beginsLater(now) {
		why = ErrNotAtThisHour
	}
	if why == nil {
		return nil
	}
	return why.With(c.next(day.AddDate(0, 0, 1), c.closing(day)))
}

// next returns the first day that works, not before since, and why the place is closed.
func (c Calendar) next(since time.Time, closed *Closing) (n NextUse) {
	if closed != nil {
		n.ReasonTH, n.ReasonEN = closed.NameTH, closed.NameEN
	}
	for day := since; !day.After(c.Last); day = day.AddDate(0, 0, 1) {
		if c.on(day) != nil {
			continue
		}
		n.Day = day.Format(time.DateOnly)
		if c.UseFrom != nil {
			n.From, n.To = *c.UseFrom, *c.UseTo
		}
		return n
	}
	return n
}
