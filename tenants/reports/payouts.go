package reports

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
)

// PaidFilter asks for payouts of the runs whose pay days are some days, perhaps of one agent or in one state.
type PaidFilter struct {
	Days
	Agent *uuid.UUID `json:"agent_id,omitempty"`
	State string     `json:"state,omitempty"`
}

func (f PaidFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(standings, f.State)...)
}

// PaidRow is a payout. Who was left out is paid nothing: what waits for him is in Left.
type PaidRow struct {
	ID        uuid.UUID    `json:"id"`
	PayDay    string       `json:"pay_day" format:"date"`
	Run       uuid.UUID    `json:"run_id"`
	Number    string       `json:"number"`
	Agent     *uuid.UUID   `json:"agent_id" nullable:"true" doc:"Null of a partner"`
	Name      string       `json:"agent_name"`
	Reference string       `json:"reference"`
	State     string       `json:"state"`
	LeftOut   string       `json:"left_out"`
	Reason    string       `json:"reason"`
	PaidOn    *string      `json:"paid_on"`
	Gross     money.Amount `json:"gross_satang"`
	Withheld  money.Amount `json:"withheld_satang"`
	Net       money.Amount `json:"net_satang"`
	Paid      money.Amount `json:"paid_satang"`
	Left      money.Amount `json:"left_satang"`
}

// RunsRow is a run of commission that was approved.
type RunsRow struct {
	ID       uuid.UUID    `json:"id"`
	PayDay   string       `json:"pay_day" format:"date"`
	Number   string       `json:"number"`
	UpTo     string       `json:"up_to" format:"date"`
	State    string       `json:"state"`
	Payees   int64        `json:"payees"`
	Gross    money.Amount `json:"gross_satang"`
	Withheld money.Amount `json:"withheld_satang"`
	Net      money.Amount `json:"net_satang"`
	Paid     money.Amount `json:"paid_satang"`
	Failed   money.Amount `json:"failed_satang"`
	OutCount int64        `json:"left_out_count"`
	Left     money.Amount `json:"left_satang"`
	Drafted  string       `json:"drafted_by" doc:"Empty where a schedule did"`
	Asked    string       `json:"asked_by"`
	Approved string       `json:"approved_by"`
	Exported string       `json:"exported_by"`
	Hash     string       `json:"hash"`
	FileHash string       `json:"file_hash"`
}

// standings are what a payout of an approved run is.
var standings = report.Filter{Name: "state", TH: "สถานะ", EN: "State", Words: []report.Word{
	{Value: "booked", TH: "อนุมัติแล้ว รอส่งธนาคาร", EN: "Approved, not sent"},
	{Value: "sent", TH: "ส่งแล้ว รอผลจากธนาคาร", EN: "Sent, no answer yet"},
	{Value: "paid", TH: "โอนแล้ว", EN: "Paid"},
	{Value: "failed", TH: "โอนไม่สำเร็จ", EN: "Not paid"},
	{Value: "returned", TH: "เงินโอนกลับ", EN: "Came back"},
	{Value: "left_out", TH: "ยังไม่โอน", EN: "Left out"},
}}

// leftOutWords are why somebody is not paid by a run.
var leftOutWords = []report.Word{
	{Value: "not_approved", TH: "ยังไม่มีข้อมูลบัญชีที่อนุมัติ", EN: "No form with an account is approved"},
	{Value: "suspended", TH: "ระงับตัวแทนอยู่", EN: "The agent is suspended"},
	{Value: "account_new", TH: "บัญชีใหม่ ยังไม่ครบ 7 วัน", EN: "The account is new"},
	{Value: "owes", TH: "ยอดที่หักคืนมากกว่าที่ได้", EN: "More was taken back than earned"},
	{Value: "below_minimum", TH: "น้อยกว่าขั้นต่ำ", EN: "Less than the minimum"},
	{Value: "too_big", TH: "เกิน 2 ล้านบาท", EN: "More than 2 million baht"},
	{Value: "no_tax_rule", TH: "ไม่มีกฎภาษีของวันโอน", EN: "No tax rule for the pay day"},
	{Value: "under_way", TH: "มียอดอื่นกำลังโอน", EN: "Another payout is under way"},
	{Value: "postponed", TH: "เลื่อนไปรอบหน้า", EN: "Left to the next run"},
	{Value: "changed", TH: "ยอดเปลี่ยนหลังเสนออนุมัติ", EN: "Changed after it was proposed"},
	{Value: "cancelled", TH: "ยกเลิกร่าง", EN: "The draft was cancelled"},
}

// runWords are what an approved run is.
var runWords = []report.Word{
	{Value: "approved", TH: "อนุมัติแล้ว", EN: "Approved"},
	{Value: "exported", TH: "รอผลจากธนาคาร", EN: "Waits for the bank"},
	{Value: "closed", TH: "จบแล้ว", EN: "Closed"},
}

const (
	// Payouts of a run are read in their order, and no more than may be wanted. What the job has not booked yet was not paid to anybody.
	paidOut = `SELECT p.id, p.pay_day::text, p.run_id, p.number, g.id, coalesce(c.display_name, x.name_th), p.reference, p.state, coalesce(p.left_out, ''), p.reason, p.paid_on::text,
			CASE p.state WHEN 'left_out' THEN 0 ELSE p.gross_satang END, CASE p.state WHEN 'left_out' THEN 0 ELSE p.withheld_satang END, CASE p.state WHEN 'left_out' THEN 0 ELSE p.net_satang END,
			CASE p.state WHEN 'paid' THEN p.net_satang ELSE 0 END, CASE p.state WHEN 'left_out' THEN p.gross_satang ELSE 0 END
		FROM (SELECT u.id AS run_id, u.pay_day, u.number, p.id, p.position, p.payee_id, p.reference, p.state, p.left_out, p.reason, p.paid_on, p.gross_satang, p.withheld_satang, p.net_satang
			FROM (SELECT r.id, r.pay_day, r.number FROM payout_run r WHERE r.kind = 'agent' AND r.pay_day BETWEEN $1::date AND $2::date AND r.approved_at IS NOT NULL
				AND ($5::uuid IS NULL OR (r.pay_day, r.id) <= (SELECT b.pay_day, b.id FROM payout a JOIN payout_run b ON b.id = a.run_id WHERE a.id = $5)) ORDER BY r.pay_day DESC, r.id DESC) u
			CROSS JOIN LATERAL (SELECT p.id, p.position, p.payee_id, p.reference, p.state, p.left_out, p.reason, p.paid_on, p.gross_satang, p.withheld_satang, p.net_satang FROM payout p
				WHERE p.run_id = u.id AND p.state <> 'ready' AND ($3::uuid IS NULL OR p.payee_id = $3) AND ($4::text = '' OR p.state = $4)
					AND ($5::uuid IS NULL OR p.position > coalesce((SELECT a.position FROM payout a WHERE a.id = $5 AND a.run_id = u.id), 0))
				ORDER BY p.position LIMIT $6) p
			ORDER BY u.pay_day DESC, u.id DESC, p.position LIMIT $6) p
		LEFT JOIN agent g ON g.id = p.payee_id LEFT JOIN customer c ON c.id = g.customer_id LEFT JOIN partner x ON x.id = p.payee_id ORDER BY p.pay_day DESC, p.run_id DESC, p.position`
	ofPaidOut = ` FROM payout_run r JOIN payout p ON p.run_id = r.id WHERE r.kind = 'agent' AND r.pay_day BETWEEN $1::date AND $2::date AND r.approved_at IS NOT NULL AND p.state <> 'ready'
		AND ($3::uuid IS NULL OR p.payee_id = $3) AND ($4::text = '' OR p.state = $4)`
	sumsOfPayouts = `coalesce(sum(p.gross_satang) FILTER (WHERE p.state <> 'left_out'), 0)::bigint, coalesce(sum(p.withheld_satang) FILTER (WHERE p.state <> 'left_out'), 0)::bigint,
		coalesce(sum(p.net_satang) FILTER (WHERE p.state <> 'left_out'), 0)::bigint, coalesce(sum(p.net_satang) FILTER (WHERE p.state = 'paid'), 0)::bigint`
	countPaidOut = `SELECT count(*)` + ofPaidOut
	paidOutByDay = `SELECT r.pay_day::text, ` + sumsOfPayouts + `, coalesce(sum(p.gross_satang) FILTER (WHERE p.state = 'left_out'), 0)::bigint` + ofPaidOut + ` GROUP BY r.pay_day ORDER BY r.pay_day`

	paidRuns = `SELECT r.id, r.pay_day::text, r.number, r.up_to::text, r.state, n.payees, n.gross, n.withheld, n.net, n.paid, n.failed, n.left_out, n.waits,
			coalesce(d.name, ''), coalesce(q.name, ''), coalesce(s.name, ''), coalesce(x.name, ''), encode(r.hash, 'hex'), coalesce(encode(r.file_hash, 'hex'), '')
		FROM payout_run r LEFT JOIN staff d ON d.id = r.drafted_by LEFT JOIN approval a ON a.id = r.approval_id LEFT JOIN staff q ON q.id = a.asked_by LEFT JOIN staff s ON s.id = a.answered_by
		LEFT JOIN staff x ON x.id = r.exported_by
		CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE p.state <> 'left_out'), ` + sumsOfPayouts + `, coalesce(sum(p.net_satang) FILTER (WHERE p.state IN ('failed', 'returned')), 0)::bigint,
			count(*) FILTER (WHERE p.state = 'left_out'), coalesce(sum(p.gross_satang) FILTER (WHERE p.state = 'left_out'), 0)::bigint
			FROM payout p WHERE p.run_id = r.id AND p.state <> 'ready') n (payees, gross, withheld, net, paid, failed, left_out, waits)
		WHERE r.kind = 'agent' AND r.pay_day BETWEEN $1::date AND $2::date AND r.approved_at IS NOT NULL ORDER BY r.pay_day DESC, r.id DESC`
)

// PaidOut is the report of what each agent, or partner, was paid by approved runs, or why he was not. A draft moves nothing, so it is in the list of runs alone.
var PaidOut = report.New(report.Def[PaidFilter, PaidRow]{
	Name: "agentpaycommissiontransaction", Module: "agentpaycommissiontransaction", TH: "ค่าคอมที่โอนให้ตัวแทน", EN: "Commission paid to agents", Days: true,
	Filters: []report.Filter{agents, standings},
	Columns: []report.Column{
		{Name: "pay_day", Kind: report.Day, TH: "วันโอน", EN: "Pay day"},
		{Name: "number", TH: "รอบโอน", EN: "Run", Table: "payoutrun", ID: "run_id"},
		{Name: "agent_name", TH: "ตัวแทน", EN: "Agent", Table: "agent", ID: "agent_id"},
		{Name: "reference", TH: "เลขอ้างอิง", EN: "Reference", Table: "payout", ID: "id"},
		{Name: "state", TH: "สถานะ", EN: "State", Words: standings.Words},
		{Name: "left_out", TH: "เหตุที่ยังไม่โอน", EN: "Left out because", Words: leftOutWords},
		{Name: "reason", TH: "เหตุผลจากธนาคาร", EN: "The bank's reason"},
		{Name: "paid_on", Kind: report.Day, TH: "โอนเมื่อ", EN: "Paid"},
		{Name: "gross_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true},
		{Name: "withheld_satang", Kind: report.Satang, TH: "หัก ณ ที่จ่าย", EN: "Withheld", Sum: true},
		{Name: "net_satang", Kind: report.Satang, TH: "ยอดโอน", EN: "Transfer", Sum: true, Main: true},
		{Name: "paid_satang", Kind: report.Satang, TH: "โอนสำเร็จ", EN: "Arrived", Sum: true},
		{Name: "left_satang", Kind: report.Satang, TH: "ค้างไว้รอบหน้า", EN: "Left out", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"net_satang", "paid_satang"}, Beside: true},
	Check: PaidFilter.check,
	Key:   func(r PaidRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f PaidFilter) (n int64, err error) {
		return n, tx.QueryRow(ctx, countPaidOut, f.From, f.To, f.Agent, f.State).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f PaidFilter) ([]report.Point, error) {
		return points(ctx, tx, []string{"gross_satang", "withheld_satang", "net_satang", "paid_satang", "left_satang"}, paidOutByDay, f.From, f.To, f.Agent, f.State)
	},
	Each: func(ctx context.Context, tx db.Tx, f PaidFilter, page report.Page, each func(PaidRow) error) error {
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[PaidRow], each, paidOut, f.From, f.To, f.Agent, f.State, after[0], page.Rows())
	},
})

// PaidRuns is the report of approved runs of commission, with their sums, who did which step, and the hashes of what was approved and of the bank's file. The list of runs
// is where they are worked with: it has drafts, searches and buttons, and no sums over several.
var PaidRuns = report.New(report.Def[DaysFilter, RunsRow]{
	Name: "payoutruns", Module: "paycommissiontransaction", TH: "สรุปรอบโอนค่าคอม", EN: "Payouts by run", Days: true,
	Columns: []report.Column{
		{Name: "pay_day", Kind: report.Day, TH: "วันโอน", EN: "Pay day", Report: "agentpaycommissiontransaction", With: map[string]string{"from": "pay_day", "to": "pay_day"}},
		{Name: "number", TH: "รอบโอน", EN: "Run", Table: "payoutrun", ID: "id"},
		{Name: "up_to", Kind: report.Day, TH: "ถึงวันที่", EN: "Up to"},
		{Name: "state", TH: "สถานะ", EN: "State", Words: runWords},
		{Name: "payees", Kind: report.Number, TH: "คน", EN: "Payees", Sum: true},
		{Name: "gross_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true},
		{Name: "withheld_satang", Kind: report.Satang, TH: "หัก ณ ที่จ่าย", EN: "Withheld", Sum: true},
		{Name: "net_satang", Kind: report.Satang, TH: "ยอดโอน", EN: "Transfer", Sum: true, Main: true},
		{Name: "paid_satang", Kind: report.Satang, TH: "โอนสำเร็จ", EN: "Arrived", Sum: true},
		{Name: "failed_satang", Kind: report.Satang, TH: "ไม่สำเร็จหรือโอนกลับ", EN: "Failed or came back", Sum: true},
		{Name: "left_out_count", Kind: report.Number, TH: "ยังไม่โอน (คน)", EN: "Left out", Sum: true},
		{Name: "left_satang", Kind: report.Satang, TH: "ค้างไว้รอบหน้า", EN: "Left for the next", Sum: true},
		{Name: "drafted_by", TH: "ผู้ร่าง", EN: "Drafted by"},
		{Name: "asked_by", TH: "ผู้เสนอ", EN: "Proposed by"},
		{Name: "approved_by", TH: "ผู้อนุมัติ", EN: "Approved by"},
		{Name: "exported_by", TH: "ผู้ทำไฟล์", EN: "File made by"},
		{Name: "hash", TH: "แฮชที่อนุมัติ", EN: "Hash approved", FileOnly: true},
		{Name: "file_hash", TH: "แฮชไฟล์ธนาคาร", EN: "Hash of the bank's file", FileOnly: true},
	},
	Chart: &report.Chart{By: "pay_day", Series: []string{"paid_satang", "failed_satang", "withheld_satang"}},
	Check: func(f DaysFilter) []fault.Field { return f.check() },
	Each: func(ctx context.Context, tx db.Tx, f DaysFilter, _ report.Page, each func(RunsRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[RunsRow], each, paidRuns, f.From, f.To)
	},
})
