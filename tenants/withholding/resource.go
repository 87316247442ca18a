package withholding

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/tax"
)

// CertificateRow is a certificate as the back office lists it. Nothing of it is edited.
type CertificateRow struct {
	ID       uuid.UUID    `json:"id"`
	Number   string       `json:"number"`
	State    string       `json:"state" enum:"issued,void"`
	Form     tax.Form     `json:"form" enum:"PND1,PND53"`
	PaidOn   string       `json:"paid_on" format:"date"`
	Payout   uuid.UUID    `json:"payout_id"`
	Ref      string       `json:"payout_reference"`
	Payee    uuid.UUID    `json:"payee_id"`
	Name     string       `json:"payee_name"`
	Income   money.Amount `json:"income_satang" doc:"Paid, without VAT"`
	Withheld money.Amount `json:"withheld_satang"`
	Return   string       `json:"file_name" doc:"In which it is filed; empty while it is in none"`
	Replaces string       `json:"replaces" doc:"Number of the void one in whose place it is, or empty"`
	Reason   string       `json:"reason" doc:"Why it is void"`
	IssuedAt time.Time    `json:"issued_at" doc:"UTC"`
	ListID   uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Certificates is the table of certificates.
var Certificates = resource.New(resource.Def[CertificateRow]{
	Name: "taxcertificate", Module: module, Relation: "tax_certificate", Sort: "-id",
	Joins: `JOIN payout p ON p.id = r.payout_id LEFT JOIN agent a ON a.id = r.payee_id LEFT JOIN customer c ON c.id = a.customer_id LEFT JOIN partner x ON x.id = r.payee_id LEFT JOIN tax_return t ON t.id = r.return_id
		LEFT JOIN tax_certificate o ON o.id = r.replaces_id`,
	Finds: []string{
		`SELECT k.id FROM tax_certificate k WHERE k.number LIKE upper({begins}) ORDER BY k.number LIMIT 200`,
		`SELECT k.id FROM (` + customer.Named + `) c JOIN agent a ON a.customer_id = c.id CROSS JOIN LATERAL (SELECT k.id FROM tax_certificate k WHERE k.payee_id = a.id ORDER BY k.id DESC LIMIT 10) k`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "number", Can: resource.Filter, TH: "เลขที่", EN: "Number"},
		{Name: "state", Can: resource.Filter, Few: true, Common: "issued", TH: "สถานะ", EN: "State"},
		{Name: "form", Can: resource.Filter, Few: true, TH: "แบบ", EN: "Form"},
		{Name: "paid_on", SQL: "r.paid_on::text", TH: "จ่ายเมื่อ", EN: "Paid"},
		{Name: "payout_id", Can: resource.Filter},
		{Name: "payout_reference", SQL: "p.reference", TH: "รายการโอน", EN: "Payout"},
		{Name: "payee_id", Can: resource.Filter},
		{Name: "payee_name", SQL: "coalesce(c.display_name, x.name_th)", TH: "ผู้รับ", EN: "Payee"},
		{Name: "income_satang", TH: "เงินได้", EN: "Income"},
		{Name: "withheld_satang", TH: "ภาษีที่หัก", EN: "Tax withheld"},
		{Name: "file_name", SQL: "coalesce(t.file_name, '')", TH: "ไฟล์นำส่ง", EN: "Filed in"},
		{Name: "replaces", SQL: "coalesce(o.number, '')", TH: "ออกแทน", EN: "In place of"},
		{Name: "reason", TH: "เหตุที่ยกเลิก", EN: "Void because"},
		{Name: "issued_at", TH: "ออกเมื่อ", EN: "Issued"},
	},
})

// ReturnRow is a return as the back office lists it. It has states, so nothing is edited here.
type ReturnRow struct {
	ID           uuid.UUID    `json:"id"`
	MadeAt       time.Time    `json:"made_at" doc:"UTC"`
	Form         tax.Form     `json:"form" enum:"PND1,PND53"`
	Month        string       `json:"month" format:"date" doc:"Its first day"`
	Sequence     int64        `json:"sequence" doc:"0 is the month's first file"`
	State        string       `json:"state" enum:"made,filed,cancelled"`
	Waits        bool         `json:"waits" doc:"For a second person"`
	Approval     *uuid.UUID   `json:"approval_id" nullable:"true" doc:"The last request for a second person"`
	Certificates int64        `json:"certificates"`
	Income       money.Amount `json:"paid_satang"`
	Withheld     money.Amount `json:"withheld_satang"`
	FileName     string       `json:"file_name"`
	FiledOn      *string      `json:"filed_on" format:"date" nullable:"true"`
	Receipt      string       `json:"receipt"`
	MadeBy       string       `json:"made_by_name"`
	ListID       uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Returns is the table of returns.
var Returns = resource.New(resource.Def[ReturnRow]{
	Name: "taxreturn", Module: module, Relation: "tax_return", AtMost: 2000, Sort: "-made_at",
	Joins: `JOIN staff s ON s.id = r.made_by LEFT JOIN approval q ON q.id = r.approval_id`,
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "made_at", Can: resource.Filter | resource.Sort, ByID: true, TH: "ทำเมื่อ", EN: "Made"},
		{Name: "form", Can: resource.Filter, TH: "แบบ", EN: "Form"},
		{Name: "month", SQL: "r.month::text", TH: "เดือน", EN: "Month"},
		{Name: "sequence", TH: "ครั้งที่", EN: "Sequence"},
		{Name: "state", Can: resource.Filter, TH: "สถานะ", EN: "State"},
		{Name: "waits", SQL: "coalesce(q.state = 'waiting', false)"},
		{Name: "approval_id"},
		{Name: "certificates", TH: "ราย", EN: "Certificates"},
		{Name: "paid_satang", TH: "เงินได้", EN: "Income"},
		{Name: "withheld_satang", TH: "ภาษีที่หัก", EN: "Tax withheld"},
		{Name: "file_name", Can: resource.Search, TH: "ไฟล์", EN: "File"},
		{Name: "filed_on", SQL: "r.filed_on::text", TH: "นำส่งเมื่อ", EN: "Filed"},
		{Name: "receipt", TH: "เลขที่ใบเสร็จ", EN: "Receipt"},
		{Name: "made_by_name", SQL: "s.name", TH: "ผู้ทำ", EN: "Made by"},
	},
})
