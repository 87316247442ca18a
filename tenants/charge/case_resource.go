package charge

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// CaseRow is a case as the back office lists it. It is decided and never edited.
type CaseRow struct {
	ID        uuid.UUID    `json:"id"`
	OpenedAt  time.Time    `json:"opened_at" doc:"UTC"`
	Kind      string       `json:"kind" enum:"refund,dispute,wrong_sum" doc:"refund: the gateway sent back what no whole unused item covers; dispute: the payer's bank takes the payment back; wrong_sum: another sum was paid than was asked for"`
	State     string       `json:"state" enum:"open,covered,borne,written_off,won,lost" doc:"borne and written_off: the organisation paid it"`
	Charge    uuid.UUID    `json:"charge_id"`
	Reference string       `json:"reference" doc:"Of the payment"`
	Customer  uuid.UUID    `json:"customer_id"`
	Name      string       `json:"customer_name"`
	Amount    money.Amount `json:"amount_satang" doc:"refund: what nothing covers; dispute: what the bank took back; wrong_sum: what was paid instead"`
	Owed      money.Amount `json:"owed_satang" doc:"What the payment owes now, covered by frozen vouchers or not"`
	DueAt     *time.Time   `json:"due_at" nullable:"true" doc:"UTC; when the organisation bears it by itself"`
	ClosedAt  *time.Time   `json:"closed_at" nullable:"true" doc:"UTC"`
	DecidedBy string       `json:"decided_by_name" doc:"Who had the organisation bear it; empty where that happened by itself"`
	ListID    uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Cases is the table of cases.
var Cases = resource.New(resource.Def[CaseRow]{
	Name: "case", Module: Charges.Module(), Relation: "charge_case", Sort: "-opened_at",
	Joins: `JOIN charge g ON g.id = r.charge_id JOIN customer c ON c.id = g.customer_id LEFT JOIN staff s ON s.id = r.decided_by`,
	Finds: []string{
		`SELECT k.id FROM (SELECT g.id FROM charge g WHERE g.reference LIKE upper({begins}) ORDER BY g.reference LIMIT 20) g
			CROSS JOIN LATERAL (SELECT k.id FROM charge_case k WHERE k.charge_id = g.id ORDER BY k.id DESC LIMIT 10) k`,
		`SELECT k.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT k.id FROM charge g JOIN charge_case k ON k.charge_id = g.id
			WHERE g.customer_id = c.id ORDER BY g.created_at DESC LIMIT 10) k`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "opened_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ตั้งแต่", EN: "Since"},
		{Name: "kind", Can: resource.Filter, Few: true, TH: "เรื่อง", EN: "Kind"},
		{Name: "state", SQL: "CASE r.outcome WHEN '' THEN 'open' ELSE r.outcome END", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "charge_id", Can: resource.Filter},
		{Name: "reference", SQL: "g.reference", TH: "เลขอ้างอิง", EN: "Reference"},
		{Name: "customer_id", SQL: "g.customer_id"},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "amount_satang", TH: "ยอดเงิน", EN: "Amount"},
		{Name: "owed_satang", SQL: "g.owed_satang", TH: "ยังค้าง", EN: "Still owed"},
		{Name: "due_at", TH: "ร้านรับภาระเองเมื่อ", EN: "Borne by itself on"},
		{Name: "closed_at", TH: "จบเมื่อ", EN: "Ended"},
		{Name: "decided_by_name", SQL: "coalesce(s.name, '')", TH: "ผู้ตัดสินใจ", EN: "Decided by"},
	},
})
