package servicepoint

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// ClosedDay is a day on which the whole organisation is closed.
type ClosedDay struct {
	resource.Base
	Day    string `json:"day" format:"date" doc:"In Bangkok"`
	NameTH string `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN string `json:"name_en" maxLength:"80"`
}

// ClosedDays is the table of closed days.
var ClosedDays = resource.New(resource.Def[ClosedDay]{
	Name: "closed_day", Module: "setting", Relation: "closed_day",
	AtMost: 10_000, HasStatus: true, InitialStatus: resource.Active, Sort: "-day",
	Columns: []resource.Column{
		{Name: "day", Date: true, Can: resource.Filter | resource.Sort | resource.Write, TH: "วันที่", EN: "Day"},
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
	},
	Constraints: map[string]fault.Field{"closed_day_once": {Path: "day", Fault: fault.Duplicate.Code}},
})

// Closure is a range of days on which one service point is closed.
type Closure struct {
	resource.Base
	ServicePoint   uuid.UUID `json:"service_point_id"`
	ServicePointTH string    `json:"service_point_name_th" readOnly:"true" required:"false"`
	ServicePointEN string    `json:"service_point_name_en" readOnly:"true" required:"false"`
	FirstDay       string    `json:"first_day" format:"date" doc:"In Bangkok"`
	LastDay        string    `json:"last_day" format:"date" doc:"In Bangkok, at most a year after the first"`
	ReasonTH       string    `json:"reason_th" minLength:"1" maxLength:"120" doc:"Customers and staff read it"`
	ReasonEN       string    `json:"reason_en" maxLength:"120"`
}

// maxClosed is how many days a closure may have after its first, as the table says it.
const maxClosed = 365

// Closures is the table of closures.
var Closures = resource.New(resource.Def[Closure]{
	Name: "closure", Module: "servicepoint", Relation: "closure", Joins: "JOIN service_point p ON p.id = r.service_point_id",
	AtMost: 10_000, HasStatus: true, InitialStatus: resource.Active, Sort: "-first_day",
	Columns: []resource.Column{
		{Name: "service_point_id", RefersTo: "service_point", Can: resource.Filter | resource.Write},
		{Name: "service_point_name_th", SQL: "p.name_th", Can: resource.Search | resource.Sort, TH: "จุดบริการ (ไทย)", EN: "Service point (Thai)"},
		{Name: "service_point_name_en", SQL: "p.name_en", Can: resource.Search | resource.Sort, TH: "จุดบริการ (อังกฤษ)", EN: "Service point (English)"},
		{Name: "first_day", Date: true, Can: resource.Filter | resource.Sort | resource.Write, TH: "วันแรก", EN: "First day"},
		{Name: "last_day", Date: true, Can: resource.Filter | resource.Sort | resource.Write, TH: "วันสุดท้าย", EN: "Last day"},
		{Name: "reason_th", Can: resource.Search | resource.Write, TH: "เหตุผล (ไทย)", EN: "Reason (Thai)"},
		{Name: "reason_en", Can: resource.Search | resource.Write, TH: "เหตุผล (อังกฤษ)", EN: "Reason (English)"},
	},
	Validate: func(c Closure) []fault.Field {
		first, err := time.Parse(time.DateOnly, c.FirstDay)
		if err != nil {
			return nil // Save says so of a date that is none
		}
		last, err := time.Parse(time.DateOnly, c.LastDay)
		switch {
		case err != nil:
			return nil
		case last.Before(first):
			return []fault.Field{{Path: "last_day", Fault: fault.TooSmall.Code}}
		case last.After(first.AddDate(0, 0, maxClosed)):
			return []fault.Field{{Path: "last_day", Fault: fault.TooBig.Code}}
		}
		return nil
	},
})
