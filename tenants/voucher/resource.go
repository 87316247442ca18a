package voucher

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// Row is an issued voucher as the back office lists it. It has a state machine, so nothing is edited here.
type Row struct {
	ID         uuid.UUID    `json:"id"`
	Code       string       `json:"code"`
	NameTH     string       `json:"name_th"`
	NameEN     string       `json:"name_en"`
	Kind       string       `json:"kind" enum:"item,baht"`
	State      string       `json:"state"`
	Holder     uuid.UUID    `json:"holder_id"`
	HolderName string       `json:"holder_name"`
	Order      uuid.UUID    `json:"order_id"`
	Number     string       `json:"order_number"`
	ItemsTotal int64        `json:"items_total" doc:"Satang when kind is baht"`
	ItemsLeft  int64        `json:"items_left"`
	Share      money.Amount `json:"share_satang" doc:"The seller's part of the price"`
	Frozen     string       `json:"frozen_because" enum:",dispute,refund,shop" doc:"Why it is frozen: the payer's bank holds its money back, the payment company sent some of it back, or the organisation froze it. Money comes first where it is both"`
	ValidUntil string       `json:"valid_until" format:"date"`
	IssuedAt   time.Time    `json:"issued_at" doc:"UTC"`
	ListID     uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// frozenBecause is because of which money a voucher r is frozen, or NULL where it is not.
const frozenBecause = `SELECT CASE WHEN f.disputed_satang > 0 THEN 'dispute' ELSE 'refund' END FROM charge f WHERE f.id = r.frozen_for`

// Vouchers is the table of issued vouchers.
var Vouchers = resource.New(resource.Def[Row]{
	Name: "voucher", Module: "voucher", Relation: "voucher", Sort: "-issued_at",
	Joins: "JOIN customer c ON c.id = r.holder_id JOIN orders o ON o.id = r.order_id",
	Finds: []string{
		`SELECT v.id FROM voucher v WHERE v.code LIKE upper({begins}) ORDER BY v.code LIMIT 200`,
		`SELECT v.id FROM (SELECT o.id FROM orders o WHERE o.number LIKE upper({begins}) ORDER BY o.number LIMIT 20) o
			CROSS JOIN LATERAL (SELECT v.id FROM voucher v WHERE v.order_id = o.id LIMIT 10) v`,
		`SELECT v.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT v.id FROM voucher v WHERE v.holder_id = c.id LIMIT 10) v`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "code", Can: resource.Filter, TH: "รหัส", EN: "Code"},
		{Name: "name_th", TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "kind", TH: "ชนิด", EN: "Kind"},
		{Name: "state", Can: resource.Filter, Few: true, Common: "ready", TH: "สถานะ", EN: "State"},
		{Name: "holder_id", Can: resource.Filter},
		{Name: "holder_name", SQL: "c.display_name", TH: "ผู้ถือ", EN: "Holder"},
		{Name: "order_id", Can: resource.Filter},
		{Name: "order_number", SQL: "o.number", TH: "เลขที่คำสั่งซื้อ", EN: "Order"},
		{Name: "items_total", TH: "จำนวนทั้งหมด", EN: "Items"},
		{Name: "items_left", TH: "คงเหลือ", EN: "Left"},
		{Name: "share_satang", TH: "มูลค่าของร้าน", EN: "Seller's share"},
		{Name: "frozen_because", SQL: "coalesce((" + frozenBecause + "), CASE WHEN r.owner_freeze_id IS NULL THEN '' ELSE 'shop' END)"},
		{Name: "valid_until", Date: true, Can: resource.Filter | resource.Between, TH: "ใช้ได้ถึง", EN: "Valid until"},
		{Name: "issued_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ออกเมื่อ", EN: "Issued"},
	},
})
