package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
)

// CommissionsFilter asks for what moved the commission of agents on some days, perhaps of one agent or for one cause.
type CommissionsFilter struct {
	Days
	Agent *uuid.UUID `json:"agent_id,omitempty"`
	Cause string     `json:"cause,omitempty"`
}

func (f CommissionsFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(causes, f.Cause)...)
}

// CommissionsRow is a sale that earned commission, or a change of what of it is due or mature.
type CommissionsRow struct {
	ID     uuid.UUID    `json:"id"`
	At     time.Time    `json:"at"`
	Agent  uuid.UUID    `json:"agent_id"`
	Name   string       `json:"agent_name"`
	Order  uuid.UUID    `json:"order_id"`
	Number string       `json:"number"`
	Level  string       `json:"level"`
	Cause  string       `json:"cause"`
	Due    money.Amount `json:"due_satang"`
	Mature money.Amount `json:"mature_satang"`
}

// agents is the filter that takes one agent.
var agents = report.Filter{Name: "agent_id", TH: "ตัวแทน", EN: "Agent", Table: "agent"}

// causes are why what is due or mature of a commission moved.
var causes = report.Filter{Name: "cause", TH: "เพราะ", EN: "Because", Words: []report.Word{
	{Value: "sold", TH: "ขายได้", EN: "Sold"},
	{Value: "matured", TH: "ถึงกำหนดจ่าย", EN: "Matured"},
	{Value: "taken_back", TH: "หักคืนตามเงินที่ลูกค้าได้คืน", EN: "Taken back with the buyer's money"},
	{Value: "denied", TH: "ร้านไม่จ่ายหลังตรวจสอบ", EN: "Denied after a look"},
	{Value: "restored", TH: "ได้คืนเมื่อลูกค้าชำระแล้ว", EN: "Due again, the buyer has paid"},
	{Value: "unmatured", TH: "ยังไม่ถึงกำหนด เพราะต่ออายุเวาเชอร์", EN: "Not mature any more, extended"},
}}

// levels are for what an agent has commission of an order.
var levels = []report.Word{{Value: "seller", TH: "ผู้ขาย", EN: "Seller"}, {Value: "recruiter", TH: "ผู้ชวน", EN: "Recruiter"}}

const (
	// Why a change c is one. What changes of commission that was denied is not the payee's.
	causeOfChange = `CASE WHEN c.due_satang < 0 AND c.denied_satang > 0 THEN 'denied' WHEN c.due_satang < 0 THEN 'taken_back' WHEN c.due_satang > 0 THEN 'restored' WHEN c.mature_satang > 0 THEN 'matured' ELSE 'unmatured' END`
	// The row after which a page begins is a sale or a change.
	sinceMove = `(SELECT a.at, a.id FROM (SELECT k.created_at AS at, k.id FROM commission k WHERE k.id = $5 UNION ALL SELECT c.at, c.id FROM commission_change c WHERE c.id = $5) a)`
	// Both are read from their own indexes, and no more than may be wanted.
	commissions = `SELECT m.id, m.at, m.agent_id, u.display_name, o.id, o.number, CASE m.level WHEN 2 THEN 'recruiter' ELSE 'seller' END, m.cause, m.due, m.mature FROM (
			(SELECT k.id, k.created_at AS at, k.agent_id, k.order_id, k.level, 'sold' AS cause, k.amount_satang AS due, 0::bigint AS mature FROM commission k
				WHERE k.agent_id IS NOT NULL AND k.created_at >= $1 AND k.created_at < $2 AND ($3::uuid IS NULL OR k.agent_id = $3) AND $4::text IN ('', 'sold') AND ($5::uuid IS NULL OR (k.created_at, k.id) < ` + sinceMove + `)
				ORDER BY k.created_at DESC, k.id DESC LIMIT $6)
			UNION ALL (SELECT c.id, c.at, c.payee_id, k.order_id, k.level, ` + causeOfChange + `, c.due_satang, c.mature_satang FROM commission_change c JOIN commission k ON k.id = c.commission_id AND k.agent_id IS NOT NULL
				WHERE c.at >= $1 AND c.at < $2 AND (c.due_satang <> 0 OR c.mature_satang <> 0) AND ($3::uuid IS NULL OR c.payee_id = $3) AND ($4::text = '' OR ` + causeOfChange + ` = $4) AND ($5::uuid IS NULL OR (c.at, c.id) < ` + sinceMove + `)
				ORDER BY c.at DESC, c.id DESC LIMIT $6)
			ORDER BY at DESC, id DESC LIMIT $6) m
		JOIN orders o ON o.id = m.order_id JOIN agent g ON g.id = m.agent_id JOIN customer u ON u.id = g.customer_id ORDER BY m.at DESC, m.id DESC`
	movesOfCommissions = `(SELECT k.created_at AS at, k.amount_satang AS due, 0::bigint AS mature FROM commission k
			WHERE k.agent_id IS NOT NULL AND k.created_at >= $1 AND k.created_at < $2 AND ($3::uuid IS NULL OR k.agent_id = $3) AND $4::text IN ('', 'sold')
		UNION ALL SELECT c.at, c.due_satang, c.mature_satang FROM commission_change c JOIN commission k ON k.id = c.commission_id AND k.agent_id IS NOT NULL
			WHERE c.at >= $1 AND c.at < $2 AND (c.due_satang <> 0 OR c.mature_satang <> 0) AND ($3::uuid IS NULL OR c.payee_id = $3) AND ($4::text = '' OR ` + causeOfChange + ` = $4))`
	countCommissions = `SELECT count(*) FROM ` + movesOfCommissions + ` m`
	commissionsByDay = `SELECT (m.at AT TIME ZONE 'Asia/Bangkok')::date::text, sum(m.due)::bigint, sum(m.mature)::bigint FROM ` + movesOfCommissions + ` m GROUP BY 1 ORDER BY 1`
)

// Commissions is the report of what agents earned, what of it matured and what was taken back. A sale is a row of it, because its changes alone do not say
// what they are changes of: so its sums are what is due of the sales, and what of that can be paid out, also where nothing has matured yet.
var Commissions = report.New(report.Def[CommissionsFilter, CommissionsRow]{
	Name: "agentcommissiontransaction", Module: "agentcommissiontransaction", TH: "รายการค่าคอมตัวแทน", EN: "Commission of agents", Days: true,
	Filters: []report.Filter{agents, causes},
	Columns: []report.Column{
		{Name: "at", Kind: report.Moment, TH: "เวลา", EN: "Time"},
		{Name: "agent_name", TH: "ตัวแทน", EN: "Agent", Table: "agent", ID: "agent_id"},
		{Name: "number", TH: "คำสั่งซื้อ", EN: "Order", Table: "orders", ID: "order_id"},
		{Name: "level", TH: "ในฐานะ", EN: "As", Words: levels},
		{Name: "cause", TH: "เพราะ", EN: "Because", Words: causes.Words},
		{Name: "due_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true, Main: true},
		{Name: "mature_satang", Kind: report.Satang, TH: "ถึงกำหนดจ่าย", EN: "Matured", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"due_satang", "mature_satang"}, Beside: true},
	Check: CommissionsFilter.check,
	Key:   func(r CommissionsRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f CommissionsFilter) (n int64, err error) {
		from, to := f.instants()
		return n, tx.QueryRow(ctx, countCommissions, from, to, f.Agent, f.Cause).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f CommissionsFilter) ([]report.Point, error) {
		from, to := f.instants()
		return points(ctx, tx, []string{"due_satang", "mature_satang"}, commissionsByDay, from, to, f.Agent, f.Cause)
	},
	Each: func(ctx context.Context, tx db.Tx, f CommissionsFilter, page report.Page, each func(CommissionsRow) error) error {
		from, to := f.instants()
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[CommissionsRow], each, commissions, from, to, f.Agent, f.Cause, after[0], page.Rows())
	},
})
