// Package venue is where vouchers are honoured: the organisation's service points.
package venue

import (
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// ServicePoint is a place that honours vouchers.
type ServicePoint struct {
	resource.Base
	NameTH    string   `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN    string   `json:"name_en" maxLength:"80"`
	AddressTH string   `json:"address_th" maxLength:"300"`
	AddressEN string   `json:"address_en" maxLength:"300"`
	Phone     string   `json:"phone" maxLength:"20"`
	Latitude  *float64 `json:"latitude" minimum:"-90" maximum:"90"`
	Longitude *float64 `json:"longitude" minimum:"-180" maximum:"180"`
	HoursTH   string   `json:"hours_th" maxLength:"200"`
	HoursEN   string   `json:"hours_en" maxLength:"200"`
}

// ServicePoints is the table of service points.
var ServicePoints = resource.New(resource.Def[ServicePoint]{
	Name: "service_point", Module: "servicepoint", Relation: "service_point",
	Stateful: true, Initial: resource.Active, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "address_th", Can: resource.Search | resource.Write, TH: "ที่อยู่ (ไทย)", EN: "Address (Thai)"},
		{Name: "address_en", Can: resource.Search | resource.Write, TH: "ที่อยู่ (อังกฤษ)", EN: "Address (English)"},
		{Name: "phone", Can: resource.Search | resource.Write, TH: "โทรศัพท์", EN: "Phone"},
		{Name: "latitude", Can: resource.Write, TH: "ละติจูด", EN: "Latitude"},
		{Name: "longitude", Can: resource.Write, TH: "ลองจิจูด", EN: "Longitude"},
		{Name: "hours_th", Can: resource.Write, TH: "เวลาทำการ (ไทย)", EN: "Hours (Thai)"},
		{Name: "hours_en", Can: resource.Write, TH: "เวลาทำการ (อังกฤษ)", EN: "Hours (English)"},
	},
	Validate: func(p ServicePoint) (bad []fault.Field) {
		if (p.Latitude == nil) != (p.Longitude == nil) {
			bad = append(bad, fault.Field{Path: "longitude", Fault: fault.Required.Code})
		}
		return bad
	},
})
