package refund

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/voucher"
)

// RequestRow is a payer's request as the back office lists it. It has states, so nothing is edited here.
type RequestRow struct {
	ID           uuid.UUID    `json:"id"`
	AskedAt      time.Time    `json:"asked_at" doc:"UTC"`
	State        string       `json:"state" enum:"asked,done,refused,changed,withdrawn" doc:"changed: some of it was used or has left its payer, so he was asked again"`
	DueAt        time.Time    `json:"due_at" doc:"UTC; when it should have been answered"`
	Order        uuid.UUID    `json:"order_id"`
	Number       string       `json:"number" doc:"Of the order"`
	Customer     uuid.UUID    `json:"customer_id"`
	CustomerName string       `json:"customer_name"`
	Amount       money.Amount `json:"amount_satang" doc:"To the wallet"`
	AnsweredAt   *time.Time   `json:"answered_at" nullable:"true" doc:"UTC"`
	AnsweredBy   string       `json:"answered_by_name" doc:"Empty while nobody has, and where its payer withdrew it"`
	ListID       uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Requests is the table of what payers ask to be refunded.
var Requests = resource.New(resource.Def[RequestRow]{
	Name: "refundrequest", Module: voucher.Vouchers.Module(), Relation: "refund_request", Sort: "-asked_at",
	Joins: `JOIN orders o ON o.id = r.order_id JOIN customer c ON c.id = r.customer_id LEFT JOIN staff s ON s.id = r.answered_by`,
	Finds: []string{
		`SELECT q.id FROM (SELECT o.id FROM orders o WHERE o.number LIKE upper({begins}) ORDER BY o.number LIMIT 20) o
			CROSS JOIN LATERAL (SELECT q.id FROM refund_request q WHERE q.order_id = o.id ORDER BY q.id DESC LIMIT 10) q`,
		`SELECT q.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT q.id FROM refund_request q WHERE q.customer_id = c.id ORDER BY q.id DESC LIMIT 10) q`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "asked_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ขอเมื่อ", EN: "Asked"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "due_at", TH: "ตอบก่อน", EN: "Answer by"},
		{Name: "order_id", Can: resource.Filter},
		{Name: "number", SQL: "o.number", TH: "คำสั่งซื้อ", EN: "Order"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "amount_satang", TH: "จำนวนเงิน", EN: "Amount"},
		{Name: "answered_at", TH: "ตอบเมื่อ", EN: "Answered"},
		{Name: "answered_by_name", SQL: "coalesce(s.name, '')", TH: "ผู้ตอบ", EN: "Answered by"},
	},
})
