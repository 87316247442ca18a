package voucher

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// RedemptionRow is a redemption as the back office lists it. Nothing of it ever changes.
type RedemptionRow struct {
	ID             uuid.UUID    `json:"id"`
	At             time.Time    `json:"at" doc:"UTC"`
	Voucher        uuid.UUID    `json:"voucher_id"`
	Code           string       `json:"code"`
	NameTH         string       `json:"name_th"`
	NameEN         string       `json:"name_en"`
	Kind           string       `json:"kind" enum:"item,baht"`
	Customer       uuid.UUID    `json:"customer_id"`
	CustomerName   string       `json:"customer_name"`
	ServicePoint   uuid.UUID    `json:"service_point_id"`
	ServicePointTH string       `json:"service_point_name_th"`
	ServicePointEN string       `json:"service_point_name_en"`
	StaffName      string       `json:"staff_name" doc:"Who confirmed it"`
	Items          int64        `json:"items" doc:"Satang when kind is baht"`
	ItemsLeft      int64        `json:"items_left"`
	Amount         money.Amount `json:"amount_satang" doc:"What the organisation has earned by it"`
	ListID         uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Redemptions is the table of redemptions.
var Redemptions = resource.New(resource.Def[RedemptionRow]{
	Name: "activevouchertransaction", Module: "activevouchertransaction", Relation: "redemption", Sort: "-at",
	Joins: "JOIN voucher v ON v.id = r.voucher_id JOIN customer c ON c.id = r.customer_id JOIN service_point p ON p.id = r.service_point_id JOIN staff s ON s.id = r.staff_id",
	Finds: []string{
		`SELECT r.id FROM (SELECT v.id FROM voucher v WHERE v.code LIKE upper({begins}) ORDER BY v.code LIMIT 20) v
			CROSS JOIN LATERAL (SELECT r.id FROM redemption r WHERE r.voucher_id = v.id ORDER BY r.id DESC LIMIT 10) r`,
		`SELECT r.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT r.id FROM redemption r WHERE r.customer_id = c.id ORDER BY r.id DESC LIMIT 10) r`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ใช้เมื่อ", EN: "Used"},
		{Name: "voucher_id", Can: resource.Filter},
		{Name: "code", SQL: "v.code", TH: "รหัส", EN: "Code"},
		{Name: "name_th", SQL: "v.name_th", TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", SQL: "v.name_en", TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "kind", SQL: "v.kind", TH: "ชนิด", EN: "Kind"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "service_point_id", Can: resource.Filter, Few: true},
		{Name: "service_point_name_th", SQL: "p.name_th", TH: "จุดบริการ (ไทย)", EN: "Service point (Thai)"},
		{Name: "service_point_name_en", SQL: "p.name_en", TH: "จุดบริการ (อังกฤษ)", EN: "Service point (English)"},
		{Name: "staff_name", SQL: "s.name", TH: "พนักงาน", EN: "Staff"},
		{Name: "items", TH: "จำนวนที่ใช้", EN: "Items"},
		{Name: "items_left", TH: "คงเหลือ", EN: "Left"},
		{Name: "amount_satang", TH: "มูลค่าที่รับรู้", EN: "Earned"},
	},
})
