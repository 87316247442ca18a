package member

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLastDay: each kind of validity at the edges of months and years. Of months the day is kept: a month that has none of that number takes its last.
func TestLastDay(t *testing.T) {
	day := func(text string) time.Time {
		d, err := time.Parse("02/01/2006", text)
		require.NoError(t, err)
		return d
	}
	for _, c := range []struct {
		unit   string
		length int
		first  string
		anchor int
		last   string
	}{
		{"days", 1, "31/12/2026", 31, "31/12/2026"},
		{"days", 30, "30/01/2027", 30, "28/02/2027"},
		{"days", 3650, "01/01/2027", 1, "28/12/2036"},
		{"months", 1, "31/01/2027", 31, "27/02/2027"},
		{"months", 1, "28/02/2027", 31, "30/03/2027"},
		{"months", 1, "31/03/2027", 31, "29/04/2027"},
		{"months", 1, "30/01/2028", 30, "28/02/2028"},
		{"months", 1, "31/01/2028", 31, "28/02/2028"},
		{"months", 1, "29/02/2028", 31, "30/03/2028"},
		{"months", 12, "01/12/2026", 1, "30/11/2027"},
		{"months", 12, "29/02/2028", 29, "27/02/2029"},
		{"months", 12, "28/02/2029", 29, "27/02/2030"},
		{"months", 11, "31/12/2026", 31, "29/11/2027"},
		{"months", 120, "15/06/2026", 15, "14/06/2036"},
		{"year", 0, "01/01/2027", 1, "31/12/2027"},
		{"year", 0, "30/09/2027", 30, "31/12/2027"},
		{"year", 0, "01/10/2027", 1, "31/12/2028"},
		{"year", 0, "31/12/2027", 31, "31/12/2028"},
	} {
		last := Validity{c.unit, c.length}.lastDay(day(c.first), c.anchor)
		require.NotNil(t, last)
		require.Equal(t, c.last, last.Format("02/01/2006"), "%d %s from %s", c.length, c.unit, c.first)
	}
	require.Nil(t, Validity{"endless", 0}.lastDay(day("31/01/2027"), 31))
}

// FuzzLastDay: terms of months that follow one another leave no day out and share none, and each begins on the day of the month that the first began on, or on the last of
// a month that has it not.
func FuzzLastDay(f *testing.F) {
	f.Add(int64(20_000), 1)
	f.Add(int64(20_484), 1)
	f.Add(int64(21_243), 12)
	f.Fuzz(func(t *testing.T, days int64, months int) {
		if days < 0 || days > 40_000 || months < 1 || months > 120 {
			return
		}
		first := time.Unix(days*86_400, 0).UTC()
		anchor := first.Day()
		for range 14 {
			last := Validity{"months", months}.lastDay(first, anchor)
			next := last.AddDate(0, 0, 1)
			require.True(t, next.After(first))
			month := time.Date(first.Year(), first.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
			require.Equal(t, month.Month(), next.Month(), "%s", first)
			require.Equal(t, month.Year(), next.Year())
			require.Equal(t, min(anchor, daysOf(month)), next.Day())
			first = next
		}
	})
}
