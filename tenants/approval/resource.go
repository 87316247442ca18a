package approval

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
)

// Row is a request as the back office lists it. It is answered and never edited.
type Row struct {
	ID           uuid.UUID    `json:"id"`
	Kind         string       `json:"kind" enum:"refund,refund_request,void,write_off,goodwill,extend,bank_transfer,cashout,payout,tax_return,denial,points,rule" doc:"refund_request: one that a payer asked for; write_off: of a debt; goodwill: for a use; extend: of many vouchers at once; bank_transfer: what became of one; cashout: money of a wallet that its customer asks for; payout: a run that pays commission out; tax_return: that a file of what was withheld was filed; denial: of the commission of an order that is held; points: of a member, given or taken; rule: to let go of what needs a second person"`
	State        string       `json:"state" enum:"waiting,approved,refused,withdrawn,lapsed"`
	Table        string       `json:"record_table" doc:"Of the record that it changes"`
	Record       uuid.UUID    `json:"record_id"`
	Title        string       `json:"title" doc:"The record's number, or empty"`
	Customer     *uuid.UUID   `json:"customer_id" nullable:"true"`
	CustomerName string       `json:"customer_name" doc:"Empty where it concerns none"`
	Amount       money.Amount `json:"amount_satang" doc:"0 where it moves no money"`
	Note         string       `json:"note" doc:"Why, in words of who asked"`
	AskedAt      time.Time    `json:"asked_at" doc:"UTC"`
	AskedBy      uuid.UUID    `json:"asked_by"`
	AskedByName  string       `json:"asked_by_name"`
	DueAt        time.Time    `json:"due_at" doc:"UTC; when it lapses"`
	AnsweredAt   *time.Time   `json:"answered_at" nullable:"true" doc:"UTC"`
	AnsweredBy   string       `json:"answered_by_name" doc:"Empty while nobody has, and where it lapsed"`
	Answer       string       `json:"answer" doc:"Why it was refused"`
	Alone        bool         `json:"alone" doc:"Who asked approved it himself the day after, because nobody else could"`
	ListID       uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Approvals is the table of requests.
var Approvals = resource.New(resource.Def[Row]{
	Name: "approval", Relation: "approval", Sort: "-asked_at",
	Module: access.NewModule(access.Module{Name: "approval", With: "setting", Group: "overview", Place: 15, TH: "รออนุมัติ", EN: "Approvals"}),
	Joins:  `JOIN staff a ON a.id = r.asked_by LEFT JOIN staff n ON n.id = r.answered_by LEFT JOIN customer c ON c.id = r.customer_id`,
	Finds: []string{
		`SELECT q.id FROM approval q WHERE q.title LIKE upper({begins}) ORDER BY q.title, q.id LIMIT 200`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "kind", Can: resource.Filter, Few: true, TH: "เรื่อง", EN: "Kind"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "record_table"},
		{Name: "record_id"},
		{Name: "title", TH: "เลขที่", EN: "Number"},
		{Name: "customer_id"},
		{Name: "customer_name", SQL: "coalesce(c.display_name, '')", TH: "ลูกค้า", EN: "Customer"},
		{Name: "amount_satang", TH: "จำนวนเงิน", EN: "Amount"},
		{Name: "note", TH: "เหตุผล", EN: "Reason"},
		{Name: "asked_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ขอเมื่อ", EN: "Asked"},
		{Name: "asked_by"},
		{Name: "asked_by_name", SQL: "a.name", TH: "ผู้ขอ", EN: "Asked by"},
		{Name: "due_at", TH: "ตอบก่อน", EN: "Answer by"},
		{Name: "answered_at", TH: "ตอบเมื่อ", EN: "Answered"},
		{Name: "answered_by_name", SQL: "coalesce(n.name, '')", TH: "ผู้ตอบ", EN: "Answered by"},
		{Name: "answer", TH: "คำตอบ", EN: "Answer"},
		{Name: "alone"},
	},
})
