package reports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
)

// FuzzDays: a range that is not refused begins with its first day in Bangkok, ends with its last, and is no longer than allowed.
func FuzzDays(f *testing.F) {
	for _, seed := range [][2]string{
		{"2026-11-21", "2026-11-21"},
		{"2026-11-21", "2026-11-20"},
		{"2024-01-01", "2026-01-01"},
		{"2569-11-01", "2569-11-30"},
		{"๒๕๖๙-๑๑-๒๑", "๒๕๖๙-๑๑-๒๑"},
		{"21 พ.ย. 2569", "21/11/2569"},
		{"0000-01-01", "0000-01-02"},
		{"9999-12-31", "9999-12-31"},
		{"1919-12-31", "1920-04-01"},
		{"2026-02-29", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, first, last string) {
		days := Days{From: first, To: last}
		if len(days.check()) > 0 {
			return
		}
		from, to := days.instants()
		require.Equal(t, first, clock.Day(from).Format(time.DateOnly))
		require.Equal(t, last, clock.Day(to.Add(-time.Nanosecond)).Format(time.DateOnly))
		require.True(t, from.Before(to))
		require.LessOrEqual(t, to.Sub(from), (maxDays+2)*24*time.Hour)
	})
}
