package tax_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db/dbtest"
	"welovevoucher/tenants/tax"
)

func readCalendar(t *testing.T, s *dbtest.Server) tax.Calendar {
	t.Helper()
	c, err := tax.ReadCalendar(t.Context(), s.DB)
	require.NoError(t, err)
	return c
}

func TestCalendar(t *testing.T) {
	c := readCalendar(t, dbtest.Open(t))
	for on, want := range map[string]bool{
		"2026-10-13": false, "2026-10-14": true, "2026-10-23": false, "2026-12-04": true, "2026-12-05": false, "2026-12-06": false, "2026-12-07": false,
		"2026-12-08": true, "2026-12-10": false, "2026-12-31": false, "2027-01-04": false, "2025-12-30": false,
	} {
		require.Equal(t, want, c.IsBankDay(day(on)), on)
	}
	for _, step := range []struct {
		from string
		n    int
		want string
	}{
		{"2026-12-04", 0, "2026-12-04"},
		{"2026-12-03", 1, "2026-12-04"},
		{"2026-12-04", 1, "2026-12-08"},
		{"2026-12-05", 1, "2026-12-08"},
		{"2026-12-04", 2, "2026-12-09"},
		{"2026-12-04", 3, "2026-12-11"},
		{"2026-12-29", 1, "2026-12-30"},
		{"2026-12-30", 1, ""},
		{"2026-12-29", 2, ""},
		{"2027-06-01", 1, ""},
		{"2025-12-31", 1, "2026-01-01"}, // the list of 2026 begins in October
	} {
		got, known := c.BankDayAfter(day(step.from), step.n)
		require.Equal(t, step.want != "", known, "%s + %d", step.from, step.n)
		if known {
			require.Equal(t, step.want, got.Format(time.DateOnly), "%s + %d", step.from, step.n)
		}
	}
	_, known := tax.Calendar{}.BankDayAfter(day("2026-12-03"), 1)
	require.False(t, known)
}
