// Package clock knows the time, and the calendar day it is in Bangkok.
package clock

import (
	"sync/atomic"
	"time"
	_ "time/tzdata" // the program must know Bangkok on a machine without zone files
)

// Bangkok is the zone in which days begin and vouchers end.
var Bangkok = must(time.LoadLocation("Asia/Bangkok"))

// Clock tells the time. Tests move it; the program never does.
type Clock struct{ ahead atomic.Int64 }

// Now is the time in UTC, cut to the microseconds that Postgres keeps.
func (c *Clock) Now() time.Time {
	return time.Now().Add(time.Duration(c.ahead.Load())).UTC().Truncate(time.Microsecond)
}

// Advance moves the clock forward by d.
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }

// Day is the calendar day in Bangkok, as midnight UTC of the same date: how a SQL date travels.
func Day(t time.Time) time.Time {
	y, m, d := t.In(Bangkok).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Start is the instant at which a Day begins in Bangkok.
func Start(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, Bangkok).UTC()
}

func must(l *time.Location, err error) *time.Location {
	if err != nil {
		panic(err)
	}
	return l
}
