package catalog

import (
	"welovevoucher/platform/resource"
)

// TagRow is a category of the market, as the back office keeps it.
type TagRow struct {
	resource.Base
	NameTH   string `json:"name_th" minLength:"1" maxLength:"40"`
	NameEN   string `json:"name_en" maxLength:"40"`
	Position int32  `json:"position" minimum:"0" maximum:"9999" doc:"Order in the market, smallest first"`
}

// Tags is the table of tags.
var Tags = resource.New(resource.Def[TagRow]{
	Name: "tags", Module: "tags", Relation: "tag", AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "position",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "position", Can: resource.Sort | resource.Lookup | resource.Write, TH: "ลำดับ", EN: "Position"},
	},
})
