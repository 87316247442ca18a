// Package reports are what an organisation looks at: reports by the engine's rules, and the dashboard.
package reports

import (
	"slices"
	"strconv"
	"time"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/report"
)

// All are the reports that have a screen and a file.
var All = []report.Report{Daily, Sold, Used, Wallets, Float, DiscountUse, Unearned, Breakage, ByPackage, ByPlace, ByChannel, ByHour, Commissions, CommissionByVoucher, PaidOut, PaidRuns, LinkSales, Links, PartnerCommissions, Points}

// Days is a range of calendar days in Bangkok, both included.
type Days struct {
	From string `json:"from" format:"date"`
	To   string `json:"to" format:"date"`
}

// maxDays bounds a report.
const maxDays = 731

func (d Days) check() (bad []fault.Field) {
	first, err := time.Parse(time.DateOnly, d.From)
	if err != nil {
		bad = append(bad, fault.Field{Path: "from", Fault: fault.WrongFormat.Code})
	}
	last, err := time.Parse(time.DateOnly, d.To)
	if err != nil {
		bad = append(bad, fault.Field{Path: "to", Fault: fault.WrongFormat.Code})
	}
	if len(bad) > 0 {
		return bad
	}
	if last.Before(first) {
		return []fault.Field{{Path: "to", Fault: fault.TooSmall.Code}}
	}
	if last.Sub(first) > maxDays*24*time.Hour {
		return []fault.Field{{Path: "to", Fault: fault.TooBig.Code}}
	}
	return nil
}

// instants returns the first instant of the range and the first after it. The range has been checked.
func (d Days) instants() (from, to time.Time) {
	first, _ := time.Parse(time.DateOnly, d.From)
	last, _ := time.Parse(time.DateOnly, d.To)
	return clock.Start(first), clock.Start(last.AddDate(0, 0, 1))
}

// step is how many days a row is of; in it is the name that date_trunc knows.
type step string

var steps = report.Filter{Name: "step", TH: "รวมเป็นราย", EN: "By", Must: true, Words: []report.Word{
	{Value: "day", TH: "วัน", EN: "Day"}, {Value: "week", TH: "สัปดาห์", EN: "Week"}, {Value: "month", TH: "เดือน", EN: "Month"},
}}

func (s step) orDay() string {
	if s == "" {
		return "day"
	}
	return string(s)
}

// Texts of SQL that cut days d.day into steps $3 of the range $1 to $2. A step at its edge has the days within.
const (
	stepOf    = `date_trunc($3, d.day::timestamp)`
	stepFirst = `greatest(` + stepOf + `::date, $1::date)::text`
	stepLast  = `least((` + stepOf + ` + ('1 ' || $3)::interval)::date - 1, $2::date)::text`
)

// channel is the number of a sales channel, as a filter has it; empty for all.
type channel string

var channels = report.Filter{Name: "sale_channel", TH: "ช่องทาง", EN: "Channel", Words: []report.Word{
	{Value: "2", TH: "ร้านออนไลน์", EN: "Online shop"},
	{Value: "3", TH: "ตัวแทน", EN: "Agent"},
	{Value: "1", TH: "เคาน์เตอร์", EN: "Counter"},
	{Value: "4", TH: "บัตรพิมพ์", EN: "Printed"},
}}

// number returns the channel for SQL: NULL for all.
func (c channel) number() *int16 {
	n, err := strconv.ParseInt(string(c), 10, 16)
	if err != nil {
		return nil
	}
	number := int16(n)
	return &number
}

var (
	packages = report.Filter{Name: "package_id", TH: "แพ็กเกจ", EN: "Package", Table: "salepackage"}
	places   = report.Filter{Name: "service_point_id", TH: "จุดบริการ", EN: "Service point", Table: "service_point"}
)

// oneOf refuses a value that a filter does not have.
func oneOf(f report.Filter, value string) []fault.Field {
	if value == "" || slices.ContainsFunc(f.Words, func(w report.Word) bool { return w.Value == value }) {
		return nil
	}
	return []fault.Field{{Path: f.Name, Fault: fault.NotInList.Code}}
}
