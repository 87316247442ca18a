package catalog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
)

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

// bangkok is an instant by its day and hour in Bangkok.
func bangkok(text string) time.Time {
	at, err := time.ParseInLocation("2006-01-02 15:04", text, clock.Bangkok)
	if err != nil {
		panic(err)
	}
	return at.UTC()
}

func hours(from, to string) Conditions { return Conditions{UseFrom: &from, UseTo: &to} }

func on(c Conditions, weekdays ...int16) Conditions {
	c.Weekdays = weekdays
	return c
}

func without(c Conditions, days ...string) Conditions {
	c.BlackoutDays = days
	return c
}

func closed(days ...string) (all []Closing) {
	for i := 0; i < len(days); i += 2 {
		all = append(all, Closing{First: day(days[i]), Last: day(days[i+1]), NameTH: "ปิดปรับปรุง", NameEN: "Renovation"})
	}
	return all
}

// 2026-11-23 is a Monday.
func TestCalendar(t *testing.T) {
	weekdays := on(hours("11:00", "17:00"), 1, 2, 3, 4, 5)
	nights := on(hours("18:00", "02:00"), 5, 6)
	for _, c := range []struct {
		name   string
		of     Calendar
		at     string
		why    error
		next   string
		reason string
	}{
		{"nothing limits it", Calendar{Last: day("2026-12-31")}, "2026-11-29 03:00", nil, "", ""},
		{"in its hours", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-23 11:00", nil, "", ""},
		{"in its last minute", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-23 16:59", nil, "", ""},
		{"when its hours are over", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-23 17:00", ErrNotAtThisHour, "2026-11-24", ""},
		{"before its hours it is the same day", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-23 10:59", ErrNotAtThisHour, "2026-11-23", ""},
		{"on Friday evening it is Monday", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-27 18:00", ErrNotAtThisHour, "2026-11-30", ""},
		{"on a Saturday", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-28 12:00", ErrNotToday, "2026-11-30", ""},
		{"on a Saturday morning it is not the same day", Calendar{weekdays, nil, day("2026-12-31")}, "2026-11-28 09:00", ErrNotToday, "2026-11-30", ""},
		{"on a blackout day", Calendar{without(weekdays, "2026-11-23", "2026-11-24"), nil, day("2026-12-31")}, "2026-11-23 12:00", ErrNotToday, "2026-11-25", ""},
		{"when the place is closed", Calendar{weekdays, closed("2026-11-23", "2026-11-24"), day("2026-12-31")}, "2026-11-23 12:00", ErrClosedDay, "2026-11-25", "ปิดปรับปรุง"},
		{"closings that overlap", Calendar{weekdays, closed("2026-11-23", "2026-11-25", "2026-11-24", "2026-11-26"), day("2026-12-31")}, "2026-11-23 12:00", ErrClosedDay, "2026-11-27", "ปิดปรับปรุง"},
		{"a night is of the day on which it began", Calendar{nights, nil, day("2026-12-31")}, "2026-11-29 01:59", nil, "", ""},
		{"also before a day that is none of its days", Calendar{nights, closed("2026-11-29", "2026-11-29"), day("2026-12-31")}, "2026-11-29 01:59", nil, "", ""},
		{"at the night's end", Calendar{nights, nil, day("2026-12-31")}, "2026-11-28 02:00", ErrNotAtThisHour, "2026-11-28", ""},
		{"the night after a day that is none of its days", Calendar{nights, nil, day("2026-12-31")}, "2026-11-27 01:00", ErrNotToday, "2026-11-27", ""},
		{"the night of a closed day, in the evening of which it is open again", Calendar{nights, closed("2026-11-27", "2026-11-27"), day("2026-12-31")}, "2026-11-28 01:00", ErrClosedDay, "2026-11-28", "ปิดปรับปรุง"},
		{"its last day works", Calendar{weekdays, nil, day("2026-11-24")}, "2026-11-23 17:00", ErrNotAtThisHour, "2026-11-24", ""},
		{"on its last day there is no next", Calendar{weekdays, nil, day("2026-11-24")}, "2026-11-24 17:00", ErrNotAtThisHour, "", ""},
		{"its last day is no day of it", Calendar{weekdays, nil, day("2026-11-29")}, "2026-11-28 12:00", ErrNotToday, "", ""},
		{"closed until its last day", Calendar{Conditions{}, closed("2026-11-23", "2027-11-22"), day("2026-12-31")}, "2026-11-23 12:00", ErrClosedDay, "", "ปิดปรับปรุง"},
		{"over the year's end", Calendar{on(Conditions{}, 5), closed("2027-01-01", "2027-01-01"), day("2027-03-01")}, "2026-12-26 12:00", ErrNotToday, "2027-01-08", ""},
		{"the last minute of a year", Calendar{on(Conditions{}, 4), nil, day("2027-03-01")}, "2026-12-31 23:59", nil, "", ""},
		{"the first minute of a year", Calendar{on(Conditions{}, 4), nil, day("2027-03-01")}, "2027-01-01 00:00", ErrNotToday, "2027-01-07", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.of.Check(bangkok(c.at))

			require.ErrorIs(t, err, c.why)
			require.ErrorIs(t, c.of.Refusal(bangkok(c.at)), c.why)
			if c.why == nil {
				return
			}
			next := fault.From(err).Detail.(NextUse)
			require.Equal(t, c.next, next.Day)
			require.Equal(t, c.reason, next.ReasonTH)
			if c.next != "" && c.of.UseFrom != nil {
				require.Equal(t, []string{*c.of.UseFrom, *c.of.UseTo}, []string{next.From, next.To})
			}
		})
	}
}

func TestCheckDay(t *testing.T) {
	weekdays := Calendar{on(hours("11:00", "17:00"), 1, 2, 3, 4, 5), closed("2026-11-26", "2026-11-27"), day("2026-12-31")}
	for _, c := range []struct {
		name, day, now string
		why            error
		next           string
	}{
		{"a day that works", "2026-11-25", "2026-11-23 20:00", nil, ""},
		{"today before its hours", "2026-11-23", "2026-11-23 08:00", nil, ""},
		{"today in its hours", "2026-11-23", "2026-11-23 12:00", nil, ""},
		{"today after its hours", "2026-11-23", "2026-11-23 17:00", ErrNotAtThisHour, "2026-11-24"},
		{"a closed day", "2026-11-26", "2026-11-23 08:00", ErrClosedDay, "2026-11-30"},
		{"a Sunday", "2026-11-29", "2026-11-23 08:00", ErrNotToday, "2026-11-30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := weekdays.CheckDay(day(c.day), bangkok(c.now))

			require.ErrorIs(t, err, c.why)
			if c.why != nil {
				require.Equal(t, c.next, fault.From(err).Detail.(NextUse).Day)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	persons := func(c Conditions, n int32) Conditions {
		c.Persons = &n
		return c
	}
	for _, c := range []struct {
		name   string
		of     Conditions
		th, en string
	}{
		{"nothing", Conditions{}, "", ""},
		{"all weekdays", on(Conditions{}, 7, 6, 5, 4, 3, 2, 1), "", ""},
		{
			"weekdays and hours", on(hours("11:00", "17:00"), 5, 1, 2, 3, 4, 4), "ใช้ได้วันจันทร์–ศุกร์ 11:00–17:00 ไม่รวมวันหยุดของร้าน",
			"Valid Monday to Friday 11:00–17:00, except on days when the shop is closed",
		},
		{
			"two groups", on(Conditions{}, 1, 2, 3, 6, 7), "ใช้ได้วันจันทร์–พุธ เสาร์ อาทิตย์ ไม่รวมวันหยุดของร้าน",
			"Valid Monday to Wednesday, Saturday, Sunday, except on days when the shop is closed",
		},
		{
			"past midnight", hours("18:00", "02:00"), "ใช้ได้ทุกวัน 18:00–02:00 ของวันถัดไป ไม่รวมวันหยุดของร้าน",
			"Valid every day 18:00–02:00 of the next day, except on days when the shop is closed",
		},
		{
			"blackout days in a row", without(Conditions{}, "2027-01-01", "2026-12-30", "2026-12-31", "2027-04-13"), "ใช้ได้ทุกวัน ไม่รวมวันหยุดของร้าน และวันที่ 30/12/2026–01/01/2027, 13/04/2027",
			"Valid every day, except on days when the shop is closed and on 30/12/2026–01/01/2027, 13/04/2027",
		},
		{
			"persons", persons(Conditions{}, 2), "ใช้ได้ทุกวัน ครั้งละไม่เกิน 2 คน ไม่รวมวันหยุดของร้าน",
			"Valid every day, for at most 2 persons a use, except on days when the shop is closed",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, Sentences{c.th, c.en}, c.of.Sentences())
		})
	}
}

func TestConditionsThatContradict(t *testing.T) {
	text := func(s string) *string { return &s }
	number := func(n int32) *int32 { return &n }
	for path, c := range map[string]Conditions{
		"weekdays":      on(Conditions{}, 8),
		"use_to":        {UseFrom: text("11:00")},
		"use_from":      {UseTo: text("11:00")},
		"blackout_days": without(Conditions{}, "2026-02-30"),
		"persons":       {Persons: number(0)},
	} {
		bad := c.check()
		require.Len(t, bad, 1, path)
		require.Equal(t, path, bad[0].Path)
	}
	require.Equal(t, fault.WrongFormat.Code, hours("11:00", "11:00").check()[0].Fault)
	require.Equal(t, fault.WrongFormat.Code, hours("1:00", "11:00").check()[0].Fault)
	require.Equal(t, fault.WrongFormat.Code, hours("11:00", "24:00").check()[0].Fault)
	require.Empty(t, on(hours("18:00", "02:00"), 1).check())
}

func TestDaysOf(t *testing.T) {
	closings := closed("2026-12-14", "2026-12-16")
	massage := partCalendar{nameTH: "นวด", honoured: true, Calendar: Calendar{without(on(hours("10:00", "21:00"), 1, 2, 3, 4, 5, 6), "2026-12-31"), closings, day("2027-01-04")}}
	tea := partCalendar{nameTH: "ชา", honoured: true, Calendar: Calendar{on(Conditions{}, 1, 2, 3, 4, 5, 6, 7), closings, day("2027-02-01")}}

	d := daysOf([]partCalendar{massage, tea}, day("2026-12-01"), bangkok("2026-12-10 21:30"))

	require.Equal(t, "2027-01-04", d.LastDay)
	require.Empty(t, d.From, "the parts differ")
	require.Len(t, d.Data, 22, "from today on")
	faults := map[string]string{}
	next := map[string]string{}
	for _, c := range d.Data {
		faults[c.Date], next[c.Date] = c.Fault, c.Day
	}
	require.Equal(t, "voucher.not_at_this_hour", faults["2026-12-10"])
	require.Equal(t, "2026-12-11", next["2026-12-10"])
	require.Empty(t, faults["2026-12-12"])
	require.Equal(t, "voucher.not_today", faults["2026-12-13"])
	require.Equal(t, "2026-12-17", next["2026-12-13"], "after the Sunday it is closed")
	require.Equal(t, "voucher.closed_day", faults["2026-12-16"])
	require.Equal(t, "2027-01-01", next["2026-12-31"], "over the year's end")
	require.Equal(t, "นวด", d.Data[3].NameTH)
	require.Equal(t, "ปิดปรับปรุง", d.Data[4].ReasonTH)

	d = daysOf([]partCalendar{massage}, day("2027-01-01"), bangkok("2026-12-10 21:30"))
	require.Equal(t, []string{"10:00", "21:00"}, []string{d.From, d.To})
	require.Equal(t, "2027-01-04", d.Data[2].Day, "the last day works")
	require.Equal(t, "voucher.expired", d.Data[4].Fault)
}
