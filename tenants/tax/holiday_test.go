package tax_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/tax"
)

// office is an admin of the platform and the year after this one, whose holidays are not known.
type office struct {
	*dbtest.Server
	*tax.Service
	admin auditlog.Actor
	year  time.Time
}

func openOffice(t *testing.T) *office {
	t.Helper()
	s := dbtest.OpenOwn(t)
	o := &office{Server: s, Service: tax.New(s.DB), admin: auditlog.Actor{Kind: token.Admin, ID: db.NewID()}}
	o.year = time.Date(clock.Day(s.Clock.Now()).Year()+1, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, inPlatform(t, s, `INSERT INTO admin (id, username, name, role, status, created_at) VALUES ($1, $2, 'Ann', 'superadmin', 5, $3)`,
		o.admin.ID, o.admin.ID.String(), s.Clock.Now()))
	return o
}

func (o *office) holiday(days int) tax.Holiday {
	return tax.Holiday{Day: o.year.AddDate(0, 0, days).Format(time.DateOnly), NameTH: "วันหยุด", NameEN: "Holiday", Source: "ธปท."}
}

// changes are the actions that the audit log has of a day, the first first.
func (o *office) changes(t *testing.T, on string) (actions []string) {
	t.Helper()
	require.NoError(t, o.DB.ReadInPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT array_agg(action ORDER BY id) FROM audit_log WHERE object = $1 AND actor_id = $2`, "bankholiday/"+on, o.admin.ID).Scan(&actions)
	}))
	return actions
}

func TestHolidays(t *testing.T) {
	o := openOffice(t)
	year := o.year.Year()
	list := func() []tax.Holiday {
		holidays, err := o.Holidays(t.Context(), year)
		require.NoError(t, err)
		return holidays
	}
	require.Empty(t, list())
	first, last := o.holiday(0), o.holiday(364)
	for _, h := range []tax.Holiday{last, first, o.holiday(-1), o.holiday(366)} {
		h.NameTH += " "
		saved, err := o.SaveHoliday(t.Context(), o.admin, h)
		require.NoError(t, err)
		require.Equal(t, "วันหยุด", saved.NameTH, "without space around it")
	}
	require.Equal(t, []tax.Holiday{first, last}, list(), "of the year alone, by day")

	calendar := readCalendar(t, o.Server)
	require.False(t, calendar.IsBankDay(o.year))
	_, known := calendar.BankDayAfter(o.year, 5)
	require.True(t, known, "the year is known now")

	changed := first
	changed.NameEN = "New Year's Day"
	for range 2 {
		_, err := o.SaveHoliday(t.Context(), o.admin, changed)
		require.NoError(t, err)
	}
	require.Equal(t, []tax.Holiday{changed, last}, list())

	require.NoError(t, o.RemoveHoliday(t.Context(), o.admin, first.Day))
	require.ErrorIs(t, o.RemoveHoliday(t.Context(), o.admin, first.Day), fault.Missing)
	require.Equal(t, []tax.Holiday{last}, list())
	require.Equal(t, []string{"add", "change", "remove"}, o.changes(t, first.Day), "what was so already is no change")
}

func TestWrongHolidays(t *testing.T) {
	o := openOffice(t)
	for want, change := range map[string]func(*tax.Holiday){
		"day " + fault.WrongFormat.Code:  func(h *tax.Holiday) { h.Day = "13/10/2026" },
		"day " + tax.ErrFarDay.Code:      func(h *tax.Holiday) { h.Day = "2569-10-13" },
		"name_th " + fault.Required.Code: func(h *tax.Holiday) { h.NameTH = " \n" },
		"name_en " + fault.Required.Code: func(h *tax.Holiday) { h.NameEN = "" },
		"source " + fault.Required.Code:  func(h *tax.Holiday) { h.Source = "\t" },
	} {
		h := o.holiday(3)
		change(&h)
		_, err := o.SaveHoliday(t.Context(), o.admin, h)
		require.ErrorIs(t, err, fault.BadInput, want)
		fields := fault.From(err).Fields
		require.Len(t, fields, 1, want)
		require.Equal(t, want, fields[0].Path+" "+fields[0].Fault)
	}
	old := o.holiday(-365 * 10)
	_, err := o.SaveHoliday(t.Context(), o.admin, old)
	require.Equal(t, tax.ErrFarDay.Code, fault.From(err).Fields[0].Fault)
	for on, want := range map[string]error{"yesterday": fault.BadInput, "0000-01-01": fault.Missing, "9999-12-31": fault.Missing} {
		require.ErrorIs(t, o.RemoveHoliday(t.Context(), o.admin, on), want, on)
	}
}

// TestOneDayAddedTwiceAtOnce: of two admins who add a day at the same moment, both are answered, and the day is there once.
func TestOneDayAddedTwiceAtOnce(t *testing.T) {
	o := openOffice(t)
	h := o.holiday(10)
	errs := make(chan error)
	for range 4 {
		go func() {
			_, err := o.SaveHoliday(t.Context(), o.admin, h)
			errs <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-errs)
	}
	holidays, err := o.Holidays(t.Context(), o.year.Year())
	require.NoError(t, err)
	require.Equal(t, []tax.Holiday{h}, holidays)
	require.Equal(t, []string{"add"}, o.changes(t, h.Day))
}
