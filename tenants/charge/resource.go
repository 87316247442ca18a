package charge

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// Deposit is a charge as the back office lists it.
type Deposit struct {
	ID         uuid.UUID    `json:"id"`
	Reference  string       `json:"reference"`
	GatewayID  string       `json:"gateway_id" doc:"The gateway's name of it"`
	Customer   uuid.UUID    `json:"customer_id"`
	Name       string       `json:"customer_name"`
	Purpose    string       `json:"purpose" enum:"topup,order,offer,duplicate"`
	Method     string       `json:"method" enum:"promptpay,card"`
	State      string       `json:"state" enum:"created,awaiting,captured,expired,failed"`
	Amount     money.Amount `json:"amount_satang"`
	Captured   money.Amount `json:"captured_satang" doc:"What came in"`
	Fee        money.Amount `json:"fee_satang" doc:"The gateway's, its VAT included"`
	Refunded   money.Amount `json:"refunded_satang" doc:"What the gateway sent back to the payer, asked by us or not"`
	Disputed   money.Amount `json:"disputed_satang" doc:"What the payer's bank holds back"`
	Owed       money.Amount `json:"owed_satang" doc:"Of both, what nothing has covered yet"`
	Case       money.Amount `json:"case_satang" doc:"What the organisation has to decide: of what was sent back, what no whole unused item covers; or the other sum that was paid"`
	CaseKind   string       `json:"case_kind" enum:",refund,wrong_sum"`
	CaseDueAt  *time.Time   `json:"case_due_at" doc:"UTC; when the organisation bears it by itself"`
	Dispute    string       `json:"dispute" enum:",open,won,lost" doc:"How far the payer's bank has come; we win or lose it"`
	CreatedAt  time.Time    `json:"created_at" doc:"UTC"`
	CapturedAt *time.Time   `json:"captured_at" doc:"UTC"`
	ListID     uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Charges is the table of charges.
var Charges = resource.New(resource.Def[Deposit]{
	Name: "depositqrtransaction", Module: "depositqrtransaction", Relation: "charge", Sort: "-created_at",
	Joins: "JOIN customer c ON c.id = r.customer_id LEFT JOIN LATERAL (SELECT k.kind, k.amount_satang, k.due_at FROM charge_case k " +
		"WHERE k.charge_id = r.id AND k.kind <> 'dispute' AND k.closed_at IS NULL ORDER BY k.kind LIMIT 1) k ON true",
	Finds: []string{
		`SELECT g.id FROM charge g WHERE g.reference LIKE upper({begins}) ORDER BY g.reference LIMIT 200`,
		`SELECT g.id FROM charge g WHERE g.gateway_id LIKE {begins} ORDER BY g.gateway_id LIMIT 200`,
		`SELECT g.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT g.id FROM charge g WHERE g.customer_id = c.id ORDER BY g.created_at DESC LIMIT 10) g`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "reference", Can: resource.Filter, TH: "เลขอ้างอิง", EN: "Reference"},
		{Name: "gateway_id", SQL: "coalesce(r.gateway_id, '')", Key: "r.gateway_id", Can: resource.Filter, TH: "เลขที่ของระบบชำระเงิน", EN: "Gateway's number"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "purpose", TH: "ชำระเพื่อ", EN: "For"},
		{Name: "method", TH: "ช่องทาง", EN: "Method"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "amount_satang", TH: "ยอดเงิน", EN: "Amount"},
		{Name: "captured_satang", TH: "รับจริง", EN: "Received"},
		{Name: "fee_satang", TH: "ค่าธรรมเนียมระบบชำระเงิน", EN: "Gateway's fee"},
		{Name: "refunded_satang", SQL: "r.refunded_satang + r.sent_satang", TH: "คืนผู้ชำระ", EN: "Sent back"},
		{Name: "disputed_satang", TH: "ธนาคารเรียกคืน", EN: "Held back by the bank"},
		{Name: "owed_satang", TH: "ลูกค้าค้างชำระ", EN: "Disputed, owed"},
		{Name: "case_satang", SQL: "coalesce(k.amount_satang, 0)", TH: "รอร้านตัดสินใจ", EN: "To be decided"},
		{Name: "case_kind", SQL: "coalesce(k.kind, '')"},
		{Name: "case_due_at", SQL: "k.due_at", TH: "ตัดสินใจภายใน", EN: "To be decided until"},
		{Name: "dispute", Can: resource.Filter, Few: true, TH: "ข้อพิพาท", EN: "Dispute"},
		{Name: "created_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "เริ่มเมื่อ", EN: "Started"},
		{Name: "captured_at", Can: resource.Filter | resource.Between, TH: "รับเงินเมื่อ", EN: "Paid"},
	},
})
