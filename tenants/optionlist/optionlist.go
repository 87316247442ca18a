// Package optionlist holds the organisation's option lists: rows that have a name and a position in
// their list and nothing else. It holds the questions that customers ask beside them.
package optionlist

import (
	"context"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// Option is a row of a list.
type Option struct {
	resource.Base
	List     string `json:"list" readOnly:"true" required:"false" doc:"The table it stands in"`
	Number   *int16 `json:"number" readOnly:"true" required:"false" doc:"What the platform calls it; null for the organisation's own, which can be deleted"`
	NameTH   string `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN   string `json:"name_en" maxLength:"80"`
	Position int32  `json:"position" minimum:"0" maximum:"9999" doc:"Order in the list, smallest first"`
}

// ErrConstant says that orders are written with this row's number, so it stays; its name may change.
var ErrConstant = fault.New(fault.Conflict, "list_option.constant", "this row belongs to the platform and cannot be deleted")

// Lists are the tables of options. Customer types and sale channels begin with rows of the platform's own, which have a Number.
var Lists = []*resource.Table[Option]{
	list("customertype", "setting", "r.list = 'customertype'"),
	list("salechannel", "setting", "r.list = 'salechannel'"),
	list("qrtype", "setting", "r.list = 'qrtype'"),
	list("timeslot", "setting", "r.list = 'timeslot'"),
	list("service", "setting", "r.list = 'service'"),
	list("size", "setting", "r.list = 'size'"),
	list("accesscontrol", "setting", "r.list = 'accesscontrol'"),
	list("privilege", "privilage", "r.list = 'privilege'"),
}

func list(name, module, where string) *resource.Table[Option] {
	return resource.New(resource.Def[Option]{
		Name: name, Module: module, Relation: "list_option", Where: where,
		AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "position",
		Columns: []resource.Column{
			{Name: "list", Can: resource.Write},
			{Name: "number", Can: resource.Filter | resource.Sort | resource.Lookup, TH: "หมายเลข", EN: "Number"},
			{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
			{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
			{Name: "position", Can: resource.Sort | resource.Lookup | resource.Write, TH: "ลำดับ", EN: "Position"},
		},
		BeforeSave: func(_ context.Context, _ db.Tx, _ *Option, c *Option) error {
			c.List = name
			return nil
		},
		BeforeStatus: func(_ context.Context, _ db.Tx, c Option, status int16) error {
			if c.Number != nil && status == resource.Deleted {
				return ErrConstant
			}
			return nil
		},
	})
}
