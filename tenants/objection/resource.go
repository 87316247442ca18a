package objection

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/voucher"
)

// Row is an objection as the back office lists it. It has a state machine, so nothing is edited here.
type Row struct {
	ID             uuid.UUID    `json:"id"`
	MadeAt         time.Time    `json:"made_at" doc:"UTC"`
	State          string       `json:"state" enum:"open,stands,undone"`
	DueAt          time.Time    `json:"due_at" doc:"UTC; when the use is undone by itself"`
	NameTH         string       `json:"name_th" doc:"Of the voucher"`
	NameEN         string       `json:"name_en"`
	Voucher        uuid.UUID    `json:"voucher_id"`
	Code           string       `json:"code"`
	Kind           string       `json:"kind" enum:"item,baht"`
	Items          int64        `json:"items" doc:"Satang when kind is baht"`
	Customer       uuid.UUID    `json:"customer_id"`
	CustomerName   string       `json:"customer_name"`
	ServicePointTH string       `json:"service_point_name_th"`
	ServicePointEN string       `json:"service_point_name_en"`
	StaffName      string       `json:"staff_name" doc:"Who confirmed the use"`
	UsedAt         time.Time    `json:"used_at" doc:"UTC"`
	Share          money.Amount `json:"share_satang" doc:"What the organisation earned by it, which is held while it is open"`
	DecidedAt      *time.Time   `json:"decided_at" doc:"UTC"`
	DecidedBy      string       `json:"decided_by_name" doc:"Empty while nobody has decided, and where it was undone by itself"`
	ListID         uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Objections is the table of objections.
var Objections = resource.New(resource.Def[Row]{
	Name: "objection", Module: voucher.Vouchers.Module(), Relation: "objection", Sort: "-made_at",
	Joins: `JOIN redemption u ON u.id = r.redemption_id JOIN voucher v ON v.id = r.voucher_id JOIN customer c ON c.id = r.customer_id JOIN service_point p ON p.id = u.service_point_id
		JOIN staff s ON s.id = u.staff_id LEFT JOIN staff d ON d.id = r.decided_by`,
	Finds: []string{
		`SELECT n.id FROM (SELECT v.id FROM voucher v WHERE v.code LIKE upper({begins}) ORDER BY v.code LIMIT 20) v
			CROSS JOIN LATERAL (SELECT n.id FROM objection n WHERE n.voucher_id = v.id ORDER BY n.id DESC LIMIT 10) n`,
		`SELECT n.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT n.id FROM objection n WHERE n.customer_id = c.id ORDER BY n.id DESC LIMIT 10) n`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "made_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "แจ้งเมื่อ", EN: "Objected"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "due_at", TH: "ตัดสินก่อน", EN: "Decide by"},
		{Name: "name_th", SQL: "v.name_th", TH: "เวาเชอร์ (ไทย)", EN: "Voucher (Thai)"},
		{Name: "name_en", SQL: "v.name_en", TH: "เวาเชอร์ (อังกฤษ)", EN: "Voucher (English)"},
		{Name: "voucher_id", Can: resource.Filter},
		{Name: "code", SQL: "v.code", TH: "รหัส", EN: "Code"},
		{Name: "kind", SQL: "v.kind", TH: "ชนิด", EN: "Kind"},
		{Name: "items", SQL: "u.items", TH: "จำนวนที่ใช้", EN: "Items"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "service_point_name_th", SQL: "p.name_th", TH: "จุดบริการ (ไทย)", EN: "Service point (Thai)"},
		{Name: "service_point_name_en", SQL: "p.name_en", TH: "จุดบริการ (อังกฤษ)", EN: "Service point (English)"},
		{Name: "staff_name", SQL: "s.name", TH: "พนักงาน", EN: "Staff"},
		{Name: "used_at", SQL: "u.at", TH: "ใช้เมื่อ", EN: "Used"},
		{Name: "share_satang", TH: "เงินที่พักไว้", EN: "Held"},
		{Name: "decided_at", TH: "ตัดสินเมื่อ", EN: "Decided"},
		{Name: "decided_by_name", SQL: "coalesce(d.name, '')", TH: "ผู้ตัดสิน", EN: "Decided by"},
	},
})
