package clock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzDay: every instant lies in its day in Bangkok, and the day begins where Start says.
func FuzzDay(f *testing.F) {
	for _, seed := range []int64{0, 1_800_000_000, -1, 946_659_599, 253_402_300_799, -2_000_000_000} { // Bangkok's own time before 1920 is another
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seconds int64) {
		if seconds < -62_135_596_800 || seconds > 253_402_300_799 {
			return // outside of the years 1 to 9999 nothing is taken
		}
		at := time.Unix(seconds, 0)
		day := Day(at)
		begin, end := Start(day), Start(day.AddDate(0, 0, 1))
		require.False(t, at.Before(begin), "%s begins %s", at, begin)
		require.True(t, at.Before(end), "%s ends %s", at, end)
		require.Equal(t, day, Day(begin))
		require.Equal(t, at.In(Bangkok).Format(time.DateOnly), day.Format(time.DateOnly))
	})
}
