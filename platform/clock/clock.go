// Package clock is the source of the time, and of the calendar day in Bangkok.
package clock

import (
	"sync/atomic"
	"time"
	_ "time/tzdata" // Bangkok is needed on machines without zone files
)

// Bangkok is the zone in which days begin and vouchers expire.
var Bangkok = must(time.LoadLocation("Asia/Bangkok"))

// Clock returns the time. Only tests and demo data move it.
type Clock struct{ ahead atomic.Int64 }

// Now returns the time in UTC, truncated to microseconds, which is what Postgres stores.
func (c *Clock) Now() time.Time {
	return time.Now().Add(time.Duration(c.ahead.Load())).UTC().Truncate(time.Microsecond)
}

// Advance moves the clock forward by d.
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }

// Day returns the calendar day of t in Bangkok, as midnight UTC of the same date, which is how a SQL date is sent.
func Day(t time.Time) time.Time {
	y, m, d := t.In(Bangkok).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Start returns the instant at which a Day begins in Bangkok.
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
