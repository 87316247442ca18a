package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
)

// Conditions say on which days, at which hours and for how many persons a voucher can be used. What they leave out is allowed. Closed days of the
// organisation and of its service points are not conditions: they hold for every voucher (Calendar).
type Conditions struct {
	Weekdays     []int16  `json:"weekdays" required:"false" maxItems:"7" doc:"1 Monday to 7 Sunday; none means every day"`
	UseFrom      *string  `json:"use_from" required:"false" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"HH:MM in Bangkok, with use_to; null: all day"`
	UseTo        *string  `json:"use_to" required:"false" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"HH:MM; before use_from it is of the next day, and the night belongs to the day on which it began"`
	BlackoutDays []string `json:"blackout_days" required:"false" maxItems:"100" doc:"YYYY-MM-DD, days on which it cannot be used"`
	Persons      *int32   `json:"persons" required:"false" minimum:"1" maximum:"99" doc:"How many may come to one use at most; null: it does not say"`
}

// ConditionColumns are the columns of Conditions, in their order, of a template or a version ver.
const ConditionColumns = `ver.weekdays, ver.use_from, ver.use_to, ver.blackout_days, ver.persons`

// ConditionTargets are where the ConditionColumns of a row are scanned.
func ConditionTargets(c *Conditions) []any {
	return []any{&c.Weekdays, &c.UseFrom, &c.UseTo, &c.BlackoutDays, &c.Persons}
}

// Most days and persons that conditions name, as the schema says them.
const (
	maxBlackoutDays = 100
	maxPersons      = 99
)

// check returns the fields that are no days or hours, or that contradict each other.
func (c Conditions) check() (bad []fault.Field) {
	for _, day := range c.Weekdays {
		if day < 1 || day > 7 {
			bad = append(bad, fault.Field{Path: "weekdays", Fault: fault.NotInList.Code})
			break
		}
	}
	if (c.UseFrom == nil) != (c.UseTo == nil) {
		missing := "use_to"
		if c.UseFrom == nil {
			missing = "use_from"
		}
		return append(bad, fault.Field{Path: missing, Fault: fault.Required.Code})
	}
	if c.UseFrom != nil {
		from, fromErr := time.Parse(hourFormat, *c.UseFrom)
		to, toErr := time.Parse(hourFormat, *c.UseTo)
		switch {
		case fromErr != nil || len(*c.UseFrom) != len(hourFormat):
			bad = append(bad, fault.Field{Path: "use_from", Fault: fault.WrongFormat.Code})
		case toErr != nil || len(*c.UseTo) != len(hourFormat):
			bad = append(bad, fault.Field{Path: "use_to", Fault: fault.WrongFormat.Code})
		case from.Equal(to):
			bad = append(bad, fault.Field{Path: "use_to", Fault: fault.WrongFormat.Code})
		}
	}
	if len(c.BlackoutDays) > maxBlackoutDays {
		bad = append(bad, fault.Field{Path: "blackout_days", Fault: fault.TooLong.Code})
	}
	for _, day := range c.BlackoutDays {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			bad = append(bad, fault.Field{Path: "blackout_days", Fault: fault.WrongFormat.Code})
			break
		}
	}
	if c.Persons != nil {
		bad = append(bad, within("persons", *c.Persons, 1, maxPersons)...)
	}
	return bad
}

// sorted returns them with each day once and in order, so that the same conditions are equal. No list of it is nil, and all seven weekdays are none.
func (c Conditions) sorted() Conditions {
	c.Weekdays = append([]int16{}, c.Weekdays...)
	slices.Sort(c.Weekdays)
	if c.Weekdays = slices.Compact(c.Weekdays); len(c.Weekdays) == 7 {
		c.Weekdays = []int16{}
	}
	c.BlackoutDays = append([]string{}, c.BlackoutDays...)
	slices.Sort(c.BlackoutDays)
	c.BlackoutDays = slices.Compact(c.BlackoutDays)
	return c
}

// equal reports whether both say the same.
func (c Conditions) equal(other Conditions) bool {
	return reflect.DeepEqual(c.sorted(), other.sorted())
}

const hourFormat = "15:04"

// minutes returns the minute of a day that an hour of check is.
func minutes(hour string) int {
	at, _ := time.Parse(hourFormat, hour) // as check has seen it
	return at.Hour()*60 + at.Minute()
}

// weekday returns the number of a day's weekday in Conditions.
func weekday(day time.Time) int16 { return int16((int(day.Weekday())+6)%7 + 1) }

// allow reports whether they let a voucher be used on a day at all.
func (c Conditions) allow(day time.Time) bool {
	return (len(c.Weekdays) == 0 || slices.Contains(c.Weekdays, weekday(day))) && !slices.Contains(c.BlackoutDays, day.Format(time.DateOnly))
}

// dayOf returns the day to which a time belongs, and whether it is within their hours. After midnight that is the day before, as long as its hours last.
func (c Conditions) dayOf(at time.Time) (day time.Time, within bool) {
	day = clock.Day(at)
	if c.UseFrom == nil {
		return day, true
	}
	local := at.In(clock.Bangkok)
	now, from, to := local.Hour()*60+local.Minute(), minutes(*c.UseFrom), minutes(*c.UseTo)
	switch {
	case from < to:
		return day, from <= now && now < to
	case now < to:
		return day.AddDate(0, 0, -1), true
	}
	return day, now >= from
}

// beginsLater reports whether the hours of the day of a time in Bangkok have not begun.
func (c Conditions) beginsLater(at time.Time) bool {
	local := at.In(clock.Bangkok)
	return c.UseFrom != nil && local.Hour()*60+local.Minute() < minutes(*c.UseFrom)
}

// Sentences say when and for how many persons a voucher can be used.
type Sentences struct {
	UsableTH string `json:"usable_th" doc:"When and for how many persons it can be used, in one sentence; empty where nothing limits that"`
	UsableEN string `json:"usable_en"`
}

var (
	weekdaysTH = []string{"จันทร์", "อังคาร", "พุธ", "พฤหัสบดี", "ศุกร์", "เสาร์", "อาทิตย์"}
	weekdaysEN = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// Sentences returns them in words. Buyers, holders, staff and the organisation read these and no others.
func (c Conditions) Sentences() Sentences {
	c = c.sorted()
	if len(c.Weekdays) == 0 && c.UseFrom == nil && len(c.BlackoutDays) == 0 && c.Persons == nil {
		return Sentences{}
	}
	th, en := "ใช้ได้", "Valid"
	if len(c.Weekdays) > 0 {
		th, en = th+"วัน"+named(c.Weekdays, weekdaysTH, "–", " "), en+" "+named(c.Weekdays, weekdaysEN, " to ", ", ")
	} else {
		th, en = th+"ทุกวัน", en+" every day"
	}
	if c.UseFrom != nil {
		hours := *c.UseFrom + "–" + *c.UseTo
		th, en = th+" "+hours, en+" "+hours
		if minutes(*c.UseTo) < minutes(*c.UseFrom) {
			th, en = th+" ของวันถัดไป", en+" of the next day"
		}
	}
	if c.Persons != nil {
		persons := strconv.Itoa(int(*c.Persons))
		th += " ครั้งละไม่เกิน " + persons + " คน"
		en += ", for at most " + persons + choose(*c.Persons == 1, " person", " persons") + " a use"
	}
	except := spans(c.BlackoutDays)
	th += " ไม่รวมวันหยุดของร้าน"
	en += ", except on days when the shop is closed"
	if except != "" {
		th, en = th+" และวันที่ "+except, en+" and on "+except
	}
	return Sentences{th, en}
}

// Preview returns the sentences of conditions that are not saved yet. It returns fault.BadInput for those that Save would refuse.
func Preview(c Conditions) (Sentences, error) {
	if bad := c.check(); len(bad) > 0 {
		return Sentences{}, fault.Of(bad...)
	}
	return c.Sentences(), nil
}

func choose(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// named returns sorted weekdays by their names. Three or more in a row are the first and the last of them.
func named(days []int16, names []string, to, and string) string {
	var parts []string
	for i := 0; i < len(days); {
		last := i
		for last+1 < len(days) && days[last+1] == days[last]+1 {
			last++
		}
		if last-i < 2 {
			parts, i = append(parts, names[days[i]-1]), i+1
			continue
		}
		parts, i = append(parts, names[days[i]-1]+to+names[days[last]-1]), last+1
	}
	return strings.Join(parts, and)
}

// spans returns sorted days as people write them. Days in a row are the first and the last of them.
func spans(days []string) string {
	var parts []string
	for i := 0; i < len(days); {
		last := i
		for last+1 < len(days) && nextDay(days[last]) == days[last+1] {
			last++
		}
		if last == i {
			parts = append(parts, slashed(days[i]))
		} else {
			parts = append(parts, slashed(days[i])+"–"+slashed(days[last]))
		}
		i = last + 1
	}
	return strings.Join(parts, ", ")
}

func nextDay(day string) string {
	at, _ := time.Parse(time.DateOnly, day) // as check has seen it
	return at.AddDate(0, 0, 1).Format(time.DateOnly)
}

// slashed returns a day as people write it.
func slashed(day string) string {
	var y, m, d int
	_, _ = fmt.Sscanf(day, "%d-%d-%d", &y, &m, &d) // as check has seen it
	return fmt.Sprintf("%02d/%02d/%04d", d, m, y)
}
