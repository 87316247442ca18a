package member

import "time"

// Validity is how long a term lasts.
type Validity struct {
	Unit   string // days, months, year, endless
	Length int    // of days or months
}

// The months of a year in which a term of a calendar year begins to have the next year, too.
const nextYearFrom = time.October

// lastDay returns the last day of a term that begins on a day, or nil if it has no end. anchor is the day of the month that months are counted by: one of a shorter
// month counts from its last day, and the next term begins on the anchor again. A calendar year that begins in October or later ends with the next one.
func (v Validity) lastDay(first time.Time, anchor int) *time.Time {
	var last time.Time
	switch v.Unit {
	case "days":
		last = first.AddDate(0, 0, v.Length-1)
	case "months":
		month := time.Date(first.Year(), first.Month()+time.Month(v.Length), 1, 0, 0, 0, 0, time.UTC)
		last = month.AddDate(0, 0, min(anchor, daysOf(month))-2)
	case "year":
		year := first.Year()
		if first.Month() >= nextYearFrom {
			year++
		}
		last = time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC)
	default:
		return nil
	}
	return &last
}

// daysOf returns how many days a month has, of which the first is given.
func daysOf(month time.Time) int { return month.AddDate(0, 1, -1).Day() }
