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
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/content"
)

// AgentFilter asks for some days, perhaps for one agent.
type AgentFilter struct {
	Days
	Agent *uuid.UUID `json:"agent_id,omitempty"`
}

func (f AgentFilter) check() []fault.Field { return f.Days.check() }

// CommissionByVoucherRow is a voucher that an agent sold, or somebody whom he recruited, with its part of his commission of the order.
type CommissionByVoucherRow struct {
	Commission uuid.UUID    `json:"commission_id"`
	At         time.Time    `json:"at"`
	Voucher    uuid.UUID    `json:"voucher_id"`
	Code       string       `json:"code"`
	PackageTH  string       `json:"package_th"`
	PackageEN  string       `json:"package_en"`
	Order      uuid.UUID    `json:"order_id"`
	Number     string       `json:"number"`
	Agent      uuid.UUID    `json:"agent_id"`
	Name       string       `json:"agent_name"`
	Level      string       `json:"level"`
	Frozen     money.Amount `json:"frozen_satang"`
	Reversed   money.Amount `json:"reversed_satang"`
	Pending    money.Amount `json:"pending_satang"`
	Mature     money.Amount `json:"mature_satang"`
}

const (
	// Each order has a voucher at least; of the one at which a page begins all may be read already.
	commissionByVoucher = `SELECT x.id, x.created_at, x.voucher_id, x.code, l.name_th, l.name_en, o.id, o.number, x.agent_id, c.display_name, CASE x.level WHEN 2 THEN 'recruiter' ELSE 'seller' END, x.frozen, x.frozen - x.pending - x.mature, x.pending, x.mature
		FROM (SELECT k.id, k.created_at, k.order_id, k.agent_id, k.level, s.voucher_id, s.code, s.line_position, s.frozen, s.pending, s.mature
			FROM (SELECT k.id, k.created_at, k.order_id, k.agent_id, k.level, k.matures, k.due_satang, k.mature_satang FROM commission k
				WHERE k.agent_id IS NOT NULL AND k.created_at >= $2 AND k.created_at < $3 AND ($4::uuid IS NULL OR k.agent_id = $4)
					AND ($5::uuid IS NULL OR (k.created_at, k.id) <= (SELECT a.created_at, a.id FROM commission a WHERE a.id = $5))
				ORDER BY k.created_at DESC, k.id DESC LIMIT $7::int + 1) k
			CROSS JOIN LATERAL ` + commission.SharesOfVouchers + ` s
			WHERE $5::uuid IS NULL OR k.id <> $5 OR s.voucher_id > $6::uuid ORDER BY k.created_at DESC, k.id DESC, s.voucher_id LIMIT $7) x
		JOIN orders o ON o.id = x.order_id JOIN order_line l ON l.order_id = x.order_id AND l.position = x.line_position
		JOIN agent g ON g.id = x.agent_id JOIN customer c ON c.id = g.customer_id ORDER BY x.created_at DESC, x.id DESC, x.voucher_id`
	countCommissionByVoucher = `SELECT count(*) FROM commission k JOIN voucher v ON v.order_id = k.order_id AND v.parent_id IS NULL
		LEFT JOIN recruiter_share r ON r.order_id = v.order_id AND r.position = v.line_position
		WHERE (k.level = 1 OR r.order_id IS NOT NULL) AND k.created_at >= $1 AND k.created_at < $2 AND ($3::uuid IS NULL OR k.agent_id = $3)`
	commissionOfSalesByDay = `SELECT (k.created_at AT TIME ZONE 'Asia/Bangkok')::date::text, sum(k.amount_satang)::bigint, sum(k.amount_satang - k.due_satang)::bigint,
			sum(k.due_satang - k.mature_satang)::bigint, sum(k.mature_satang)::bigint FROM commission k
		WHERE k.agent_id IS NOT NULL AND k.created_at >= $1 AND k.created_at < $2 AND ($3::uuid IS NULL OR k.agent_id = $3) GROUP BY 1 ORDER BY 1`
)

// CommissionByVoucher is the report of what agents earn of each voucher that they sold on some days, as it is now.
var CommissionByVoucher = report.New(report.Def[AgentFilter, CommissionByVoucherRow]{
	Name: "agentproductcommissiontransaction", Module: "agentproductcommissiontransaction", TH: "ค่าคอมรายเวาเชอร์", EN: "Commission by voucher", Days: true,
	Title: func(ctx context.Context, tx db.Tx) (report.Title, error) {
		w, err := content.ReadProductWord(ctx, tx)
		return report.Title{TH: "ค่าคอมราย" + w.TH, EN: "Commission by " + w.EN, File: "agent" + w.Slug + "commissiontransaction"}, err
	},
	Filters: []report.Filter{agents},
	Columns: []report.Column{
		{Name: "at", Kind: report.Moment, TH: "ขายเมื่อ", EN: "Sold"},
		{Name: "code", TH: "รหัส", EN: "Code", Table: "voucher", ID: "voucher_id"},
		{Name: "package", Both: true, TH: "แพ็กเกจ", EN: "Package"},
		{Name: "number", TH: "คำสั่งซื้อ", EN: "Order", Table: "orders", ID: "order_id"},
		{Name: "agent_name", TH: "ตัวแทน", EN: "Agent", Table: "agent", ID: "agent_id"},
		{Name: "level", TH: "ในฐานะ", EN: "As", Words: levels},
		{Name: "frozen_satang", Kind: report.Satang, TH: "ค่าคอมเมื่อขาย", EN: "As sold", Sum: true, Main: true},
		{Name: "reversed_satang", Kind: report.Satang, TH: "หักคืนแล้ว", EN: "Taken back", Sum: true},
		{Name: "pending_satang", Kind: report.Satang, TH: "ยังไม่ถึงกำหนด", EN: "Pending", Sum: true},
		{Name: "mature_satang", Kind: report.Satang, TH: "ถึงกำหนดแล้ว", EN: "Mature", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"mature_satang", "pending_satang", "reversed_satang"}},
	Check: AgentFilter.check,
	Key:   func(r CommissionByVoucherRow) string { return r.Commission.String() + "," + r.Voucher.String() },
	Count: func(ctx context.Context, tx db.Tx, f AgentFilter) (n int64, err error) {
		from, to := f.instants()
		return n, tx.QueryRow(ctx, countCommissionByVoucher, from, to, f.Agent).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f AgentFilter) ([]report.Point, error) {
		from, to := f.instants()
		return points(ctx, tx, []string{"frozen_satang", "reversed_satang", "pending_satang", "mature_satang"}, commissionOfSalesByDay, from, to, f.Agent)
	},
	Each: func(ctx context.Context, tx db.Tx, f AgentFilter, page report.Page, each func(CommissionByVoucherRow) error) error {
		from, to := f.instants()
		after, err := page.IDs(2)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[CommissionByVoucherRow], each, commissionByVoucher, tx.Now, from, to, f.Agent, after[0], after[1], page.Rows())
	},
})
