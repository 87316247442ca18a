package reports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzDays: a range that is not refused is of days as Postgres spells them, in their order, and no longer than allowed.
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
		from, err := time.Parse(time.DateOnly, first)
		require.NoError(t, err)
		to, err := time.Parse(time.DateOnly, last)
		require.NoError(t, err)
		require.Equal(t, Days{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)}, days)
		require.False(t, to.Before(from))
		require.LessOrEqual(t, to.Sub(from), maxDays*24*time.Hour)
	})
}
