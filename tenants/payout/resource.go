package payout

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// RunRow is a run as the back office lists it. It has states, so nothing is edited here.
type RunRow struct {
	ID        uuid.UUID    `json:"id"`
	DraftedAt time.Time    `json:"drafted_at" doc:"UTC"`
	Number    string       `json:"number"`
	Kind      Kind         `json:"kind" enum:"agent,refund"`
	State     State        `json:"state" enum:"draft,approved,exported,closed,cancelled"`
	Waits     bool         `json:"waits" doc:"A draft that a second person has to approve"`
	Late      bool         `json:"late" doc:"It is exported, its pay day is three bank days over, and the bank has not answered for all of it"`
	ToDo      bool         `json:"to_do" doc:"A person has to do something: it is a draft, approved, or late"`
	PayDay    string       `json:"pay_day" format:"date"`
	UpTo      string       `json:"up_to" format:"date"`
	Payees    int64        `json:"payees" doc:"Who are paid, or were to be; of refunds how many transfers"`
	Gross     money.Amount `json:"gross_satang"`
	Withheld  money.Amount `json:"withheld_satang"`
	Net       money.Amount `json:"net_satang"`
	PaidCount int64        `json:"paid_count"`
	FailCount int64        `json:"failed_count" doc:"Could not be paid, or came back"`
	OutCount  int64        `json:"left_out_count"`
	ListID    uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Row is a payout as the back office lists it.
type Row struct {
	ID        uuid.UUID    `json:"id"`
	Run       uuid.UUID    `json:"run_id"`
	RunNumber string       `json:"run_number"`
	RunKind   Kind         `json:"run_kind" enum:"agent,refund"`
	PayDay    string       `json:"pay_day" format:"date"`
	Reference string       `json:"reference"`
	State     Standing     `json:"state" enum:"ready,left_out,booked,sent,paid,failed,returned"`
	LeftOut   string       `json:"left_out" enum:",not_approved,suspended,account_new,owes,below_minimum,too_big,no_tax_rule,under_way,held_back,postponed,changed,cancelled,withdrawn,held" doc:"Why nothing is paid. held_back: the payer's bank holds the payment back meanwhile, or the payment company has sent it back"`
	Payee     *uuid.UUID   `json:"payee_id" nullable:"true" doc:"Null of a refund"`
	Transfer  *uuid.UUID   `json:"transfer_id" nullable:"true" doc:"The bank transfer, of a refund; null of commission"`
	Number    string       `json:"number" doc:"Of the refund, or of what is paid out of a wallet; empty of commission"`
	Partner   *uuid.UUID   `json:"partner_id" nullable:"true" doc:"Who is paid, where it is a partner"`
	Customer  *uuid.UUID   `json:"customer_id" nullable:"true" doc:"Who is paid, as a customer; null of a partner"`
	Name      string       `json:"payee_name"`
	Picture   string       `json:"pictureUrl"`
	Kind      string       `json:"payee_kind" enum:",person,company"`
	Bank      string       `json:"bank" doc:"The bank's code at the Bank of Thailand; empty without an approved form"`
	Digits    string       `json:"account_digits" doc:"The last four"`
	Lines     int64        `json:"lines"`
	Gross     money.Amount `json:"gross_satang"`
	Returned  money.Amount `json:"taken_back_satang" doc:"Of the gross, what was taken back since it was paid before: not above zero"`
	Withheld  money.Amount `json:"withheld_satang"`
	Net       money.Amount `json:"net_satang"`
	PaidOn    *string      `json:"paid_on" format:"date" nullable:"true"`
	Reason    string       `json:"reason" doc:"Why it failed or came back"`
	ListID    uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// late is whether the bank should have answered for a run and has not.
const late = `(r.state = 'exported' AND r.late_at IS NOT NULL)`

// Runs is the table of runs.
var Runs = resource.New(resource.Def[RunRow]{
	Name: "payoutrun", Module: "paycommissiontransaction", Relation: "payout_run", AtMost: 2000, Sort: "-drafted_at",
	Joins: `LEFT JOIN approval a ON a.id = r.approval_id
		CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE p.state <> 'left_out') AS payees, count(*) FILTER (WHERE p.state = 'left_out') AS out,
			coalesce(sum(p.gross_satang) FILTER (WHERE p.state <> 'left_out'), 0)::bigint AS gross, coalesce(sum(p.withheld_satang) FILTER (WHERE p.state <> 'left_out'), 0)::bigint AS withheld,
			coalesce(sum(p.net_satang) FILTER (WHERE p.state <> 'left_out'), 0)::bigint AS net,
			count(*) FILTER (WHERE p.state = 'paid') AS paid, count(*) FILTER (WHERE p.state IN ('failed', 'returned')) AS failed FROM payout p WHERE p.run_id = r.id) n`,
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "drafted_at", Can: resource.Filter | resource.Sort, ByID: true, TH: "เปิดเมื่อ", EN: "Drafted"},
		{Name: "number", Can: resource.Filter | resource.Search, TH: "เลขที่", EN: "Number"},
		{Name: "kind", Can: resource.Filter, TH: "ชนิด", EN: "Kind"},
		{Name: "state", Can: resource.Filter, TH: "สถานะ", EN: "State"},
		{Name: "waits", SQL: "coalesce(a.state = 'waiting', false)"},
		{Name: "late", SQL: late},
		{Name: "to_do", SQL: "(r.state IN ('draft', 'approved') OR " + late + ")", Can: resource.Filter},
		{Name: "pay_day", SQL: "r.pay_day::text", TH: "วันโอน", EN: "Pay day"},
		{Name: "up_to", SQL: "r.up_to::text", TH: "ถึงวันที่", EN: "Up to"},
		{Name: "payees", SQL: "n.payees", TH: "คน", EN: "Payees"},
		{Name: "gross_satang", SQL: "n.gross", TH: "ค่าคอม", EN: "Commission"},
		{Name: "withheld_satang", SQL: "n.withheld", TH: "หัก ณ ที่จ่าย", EN: "Withheld"},
		{Name: "net_satang", SQL: "n.net", TH: "โอน", EN: "Transfer"},
		{Name: "paid_count", SQL: "n.paid", TH: "โอนแล้ว", EN: "Paid"},
		{Name: "failed_count", SQL: "n.failed", TH: "ไม่สำเร็จ", EN: "Failed"},
		{Name: "left_out_count", SQL: "n.out", TH: "ยังไม่โอน", EN: "Left out"},
	},
})

// Payouts is the table of payouts.
var Payouts = resource.New(resource.Def[Row]{
	Name: "payout", Module: Runs.Module(), Relation: "payout", Sort: "-id",
	Joins: `JOIN payout_run u ON u.id = r.run_id LEFT JOIN agent a ON a.id = r.payee_id LEFT JOIN remittance m ON m.id = r.remittance_id LEFT JOIN customer c ON c.id = coalesce(a.customer_id, m.customer_id)
		LEFT JOIN partner x ON x.id = r.payee_id
		LEFT JOIN payee_version v ON v.id = r.version_id LEFT JOIN bank_account b ON b.id = m.account_id LEFT JOIN refund f ON f.id = m.refund_id LEFT JOIN cashout k ON k.id = m.cashout_id`,
	Finds: []string{
		`SELECT p.id FROM payout p WHERE p.reference LIKE upper({begins}) ORDER BY p.reference LIMIT 200`,
		`SELECT p.id FROM (` + customer.Named + `) c JOIN agent a ON a.customer_id = c.id CROSS JOIN LATERAL (SELECT p.id FROM payout p WHERE p.payee_id = a.id ORDER BY p.id DESC LIMIT 10) p`,
		`SELECT p.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT m.id FROM remittance m WHERE m.customer_id = c.id AND m.account_id IS NOT NULL ORDER BY m.id DESC LIMIT 10) m
			CROSS JOIN LATERAL (SELECT p.id FROM payout p WHERE p.remittance_id = m.id ORDER BY p.id DESC LIMIT 5) p`,
		`SELECT p.id FROM (SELECT f.id FROM refund f WHERE f.number LIKE upper({begins}) ORDER BY f.number LIMIT 20) f
			JOIN remittance m ON m.refund_id = f.id AND m.account_id IS NOT NULL JOIN payout p ON p.remittance_id = m.id`,
		`SELECT p.id FROM (SELECT k.id FROM cashout k WHERE k.number LIKE upper({begins}) ORDER BY k.number LIMIT 20) k
			JOIN remittance m ON m.cashout_id = k.id AND m.account_id IS NOT NULL JOIN payout p ON p.remittance_id = m.id`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "run_id", Can: resource.Filter},
		{Name: "run_number", SQL: "u.number", TH: "รอบ", EN: "Run"},
		{Name: "run_kind", SQL: "u.kind"},
		{Name: "pay_day", SQL: "u.pay_day::text", TH: "วันโอน", EN: "Pay day"},
		{Name: "reference", Can: resource.Filter, TH: "เลขอ้างอิง", EN: "Reference"},
		{Name: "state", Can: resource.Filter, Few: true, Common: "paid", TH: "สถานะ", EN: "State"},
		{Name: "left_out", SQL: "coalesce(r.left_out, '')", TH: "เหตุที่ไม่โอน", EN: "Left out because"},
		{Name: "payee_id", Can: resource.Filter},
		{Name: "transfer_id", SQL: "r.remittance_id"},
		{Name: "number", SQL: "coalesce(f.number, k.number, '')", TH: "เลขที่คืนเงิน", EN: "Refund"},
		{Name: "partner_id", SQL: "x.id"},
		{Name: "customer_id", SQL: "c.id"},
		{Name: "payee_name", SQL: "coalesce(c.display_name, x.name_th)", TH: "ผู้รับ", EN: "Payee"},
		{Name: "pictureUrl", SQL: "coalesce(c.picture_url, '')"},
		{Name: "payee_kind", SQL: "coalesce(v.kind, '')"},
		{Name: "bank", SQL: "coalesce(v.bank, b.bank, '')", TH: "ธนาคาร", EN: "Bank"},
		{Name: "account_digits", SQL: "coalesce(v.account_digits, b.digits, '')", TH: "เลขบัญชีลงท้าย", EN: "Account ends with"},
		{Name: "lines", TH: "รายการ", EN: "Lines"},
		{Name: "gross_satang", TH: "ค่าคอม", EN: "Commission"},
		{Name: "taken_back_satang", SQL: "(SELECT coalesce(sum(l.amount_satang), 0)::bigint FROM payout_line l WHERE l.payout_id = r.id AND l.amount_satang < 0)", TH: "หักที่ยกมา", EN: "Carried over"},
		{Name: "withheld_satang", TH: "หัก ณ ที่จ่าย", EN: "Withheld"},
		{Name: "net_satang", TH: "โอน", EN: "Transfer"},
		{Name: "paid_on", SQL: "r.paid_on::text", TH: "โอนเมื่อ", EN: "Paid"},
		{Name: "reason", TH: "เหตุผล", EN: "Reason"},
	},
})
