// Package content is what the organisation calls things: names and colours of status numbers.
package content

import (
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// Status names one status number of one table.
type Status struct {
	resource.Base
	TableName string `json:"table_name" minLength:"1" maxLength:"40"`
	Number    int16  `json:"number" minimum:"1" maximum:"99"`
	NameTH    string `json:"name_th" minLength:"1" maxLength:"40"`
	NameEN    string `json:"name_en" maxLength:"40"`
	Color     string `json:"color" enum:"ok,warn,bad,mute,info" doc:"A colour of the theme's chips"`
}

// Statuses is the table definestatus.
var Statuses = resource.New(resource.Def[Status]{
	Name: "definestatus", Module: "setting", Relation: "definestatus",
	AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "number",
	Columns: []resource.Column{
		{Name: "table_name", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "ตาราง", EN: "Table"},
		{Name: "number", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "หมายเลข", EN: "Number"},
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "color", Can: resource.Lookup | resource.Write, TH: "สี", EN: "Colour"},
	},
	Constraints: map[string]fault.Field{"definestatus_once": {Path: "number", Fault: fault.Duplicate.Code}},
})
