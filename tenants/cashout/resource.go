package cashout

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// Row is a request as the back office lists it. It has states, so nothing is edited here.
type Row struct {
	ID           uuid.UUID    `json:"id"`
	AskedAt      time.Time    `json:"asked_at" doc:"UTC"`
	State        string       `json:"state" enum:"asked,approved,refused,withdrawn"`
	DueAt        time.Time    `json:"due_at" doc:"UTC; until when it should have been answered and paid"`
	Number       string       `json:"number"`
	Customer     uuid.UUID    `json:"customer_id"`
	CustomerName string       `json:"customer_name"`
	Amount       money.Amount `json:"amount_satang"`
	AnsweredAt   *time.Time   `json:"answered_at" nullable:"true" doc:"UTC"`
	AnsweredBy   string       `json:"answered_by_name" doc:"Empty while nobody has, and where the customer withdrew it"`
	ListID       uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Cashouts is the table of what customers ask to be paid out of their wallets.
var Cashouts = resource.New(resource.Def[Row]{
	Name: "cashout", Module: "wallettransaction", Relation: "cashout", Sort: "-asked_at",
	Joins: `JOIN customer c ON c.id = r.customer_id LEFT JOIN staff s ON s.id = r.answered_by`,
	Finds: []string{
		`SELECT k.id FROM cashout k WHERE k.number LIKE upper({begins}) ORDER BY k.number LIMIT 200`,
		`SELECT k.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT k.id FROM cashout k WHERE k.customer_id = c.id ORDER BY k.id DESC LIMIT 10) k`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "asked_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ขอเมื่อ", EN: "Asked"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "due_at", TH: "ตอบก่อน", EN: "Answer by"},
		{Name: "number", Can: resource.Filter, TH: "เลขที่", EN: "Number"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "amount_satang", TH: "จำนวนเงิน", EN: "Amount"},
		{Name: "answered_at", TH: "ตอบเมื่อ", EN: "Answered"},
		{Name: "answered_by_name", SQL: "coalesce(s.name, '')", TH: "ผู้ตอบ", EN: "Answered by"},
	},
})
