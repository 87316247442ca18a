package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
)

// LinkSalesRow is an order that was paid and is owed to an agent.
type LinkSalesRow struct {
	ID         uuid.UUID    `json:"id"`
	PaidAt     time.Time    `json:"paid_at"`
	Number     string       `json:"number"`
	Agent      uuid.UUID    `json:"agent_id"`
	Name       string       `json:"agent_name"`
	Link       string       `json:"link"`
	BoughtTH   string       `json:"bought_th"`
	BoughtEN   string       `json:"bought_en"`
	Buyer      string       `json:"buyer_masked"`
	Orders     int64        `json:"orders"`
	Quantity   int64        `json:"quantity"`
	Paid       money.Amount `json:"paid_satang"`
	Commission money.Amount `json:"commission_satang"`
}

// LinksRow is a link on a day: how often it was opened, by how many customers, and who bought by it.
type LinksRow struct {
	Day        string       `json:"day" format:"date"`
	Agent      uuid.UUID    `json:"agent_id"`
	Name       string       `json:"agent_name"`
	Link       string       `json:"link"`
	PackageTH  string       `json:"package_th"`
	PackageEN  string       `json:"package_en"`
	Opens      int64        `json:"opens"`
	Openers    int64        `json:"openers"`
	Buyers     int64        `json:"buyers"`
	Conversion string       `json:"conversion"`
	Orders     int64        `json:"orders"`
	Paid       money.Amount `json:"paid_satang"`
	Commission money.Amount `json:"commission_satang"`
}

const (
	linkSales = `SELECT o.id, o.paid_at, o.number, o.agent_id, a.display_name, coalesce(k.code, ''), coalesce(f.name_th, ''), coalesce(f.name_en, ''), left(c.display_name, 1) || '***', 1::bigint, l.quantity, o.total_satang, o.commission_satang
		FROM (SELECT o.id, o.paid_at, o.number, o.customer_id, o.agent_id, o.link_id, o.total_satang, o.commission_satang FROM orders o
			WHERE o.agent_id IS NOT NULL AND o.paid_at IS NOT NULL AND o.paid_at >= $1 AND o.paid_at < $2 AND ($3::uuid IS NULL OR o.agent_id = $3)
				AND ($4::uuid IS NULL OR (o.paid_at, o.id) < (SELECT b.paid_at, b.id FROM orders b WHERE b.id = $4))
			ORDER BY o.paid_at DESC, o.id DESC LIMIT $5) o
		JOIN customer c ON c.id = o.customer_id JOIN agent g ON g.id = o.agent_id JOIN customer a ON a.id = g.customer_id LEFT JOIN sale_link k ON k.id = o.link_id
		LEFT JOIN order_line f ON f.order_id = o.id AND f.position = 0
		CROSS JOIN LATERAL (SELECT coalesce(sum(quantity), 0)::bigint AS quantity FROM order_line WHERE order_id = o.id) l
		ORDER BY o.paid_at DESC, o.id DESC`
	ofLinkSales    = ` FROM orders o WHERE o.agent_id IS NOT NULL AND o.paid_at IS NOT NULL AND o.paid_at >= $1 AND o.paid_at < $2 AND ($3::uuid IS NULL OR o.agent_id = $3)`
	countLinkSales = `SELECT count(*)` + ofLinkSales
	linkSalesByDay = `SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date::text, count(*), sum((SELECT sum(l.quantity) FROM order_line l WHERE l.order_id = o.id))::bigint, sum(o.total_satang)::bigint, sum(o.commission_satang)::bigint` + ofLinkSales + ` GROUP BY 1 ORDER BY 1`
	linksByDay     = `SELECT d.day::text, l.agent_id, c.display_name, l.code, p.name_th, p.name_en, d.opens, d.openers, d.buyers,
			CASE WHEN d.openers > 0 THEN to_char(round(100.0 * d.buyers / d.openers, 1), 'FM9999990.0') || ' %' ELSE '' END, d.orders, d.paid, d.commission
		FROM (SELECT day, link_id, sum(opens)::bigint AS opens, sum(openers)::bigint AS openers, sum(buyers)::bigint AS buyers, sum(orders)::bigint AS orders, sum(paid)::bigint AS paid, sum(commission)::bigint AS commission FROM (
				SELECT d.day, d.link_id, d.opens, d.openers, 0 AS buyers, 0 AS orders, 0 AS paid, 0 AS commission FROM link_day d WHERE d.day BETWEEN $1::date AND $2::date
				UNION ALL SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date, o.link_id, 0, 0, count(DISTINCT o.customer_id), count(*), sum(o.total_satang), sum(o.commission_satang)
				FROM orders o WHERE o.agent_id IS NOT NULL AND o.link_id IS NOT NULL AND o.paid_at IS NOT NULL AND o.paid_at >= $3 AND o.paid_at < $4 GROUP BY 1, 2) x
			GROUP BY day, link_id) d
		JOIN sale_link l ON l.id = d.link_id JOIN package p ON p.id = l.package_id JOIN agent g ON g.id = l.agent_id JOIN customer c ON c.id = g.customer_id
		WHERE $5::uuid IS NULL OR l.agent_id = $5 ORDER BY d.day DESC, d.openers DESC, d.paid DESC, l.id`
)

// LinkSales is the report of what was sold by agents' links.
var LinkSales = report.New(report.Def[AgentFilter, LinkSalesRow]{
	Name: "agentgeneratesaletransaction", Module: "agentgeneratesaletransaction", TH: "ยอดขายของตัวแทน", EN: "Sales of agents", Days: true,
	Filters: []report.Filter{agents},
	Columns: []report.Column{
		{Name: "paid_at", Kind: report.Moment, TH: "ชำระเมื่อ", EN: "Paid"},
		{Name: "number", TH: "คำสั่งซื้อ", EN: "Order", Table: "orders", ID: "id"},
		{Name: "agent_name", TH: "ตัวแทน", EN: "Agent", Table: "agent", ID: "agent_id"},
		{Name: "link", TH: "ลิงก์", EN: "Link"},
		{Name: "bought", Both: true, TH: "แพ็กเกจ", EN: "Package"},
		{Name: "buyer_masked", TH: "ผู้ซื้อ", EN: "Buyer"},
		{Name: "orders", Kind: report.Number, TH: "คำสั่งซื้อ", EN: "Orders", Sum: true, FileOnly: true},
		{Name: "quantity", Kind: report.Number, TH: "จำนวน", EN: "Pieces", Sum: true},
		{Name: "paid_satang", Kind: report.Satang, TH: "ชำระ", EN: "Paid for it", Sum: true, Main: true},
		{Name: "commission_satang", Kind: report.Satang, TH: "ค่าคอมเมื่อขาย", EN: "Commission as sold", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"paid_satang", "commission_satang"}, Beside: true},
	Check: AgentFilter.check,
	Key:   func(r LinkSalesRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f AgentFilter) (n int64, err error) {
		from, to := f.instants()
		return n, tx.QueryRow(ctx, countLinkSales, from, to, f.Agent).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f AgentFilter) ([]report.Point, error) {
		from, to := f.instants()
		return points(ctx, tx, []string{"orders", "quantity", "paid_satang", "commission_satang"}, linkSalesByDay, from, to, f.Agent)
	},
	Each: func(ctx context.Context, tx db.Tx, f AgentFilter, page report.Page, each func(LinkSalesRow) error) error {
		from, to := f.instants()
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[LinkSalesRow], each, linkSales, from, to, f.Agent, after[0], page.Rows())
	},
})

// Links is the report of agents' links by day: opens, who opened them, who bought. A customer counts once for each link and day.
var Links = report.New(report.Def[AgentFilter, LinksRow]{
	Name: "links", Module: "agentgeneratesaletransaction", TH: "ลิงก์ของตัวแทนรายวัน", EN: "Agents' links by day", Days: true,
	Filters: []report.Filter{agents},
	Columns: []report.Column{
		{Name: "day", Kind: report.Day, TH: "วันที่", EN: "Day", Report: "agentgeneratesaletransaction", With: map[string]string{"from": "day", "to": "day", "agent_id": "agent_id"}},
		{Name: "agent_name", TH: "ตัวแทน", EN: "Agent", Table: "agent", ID: "agent_id"},
		{Name: "link", TH: "ลิงก์", EN: "Link"},
		{Name: "package", Both: true, TH: "แพ็กเกจ", EN: "Package"},
		{Name: "opens", Kind: report.Number, TH: "เปิด (ครั้ง)", EN: "Opens", Sum: true},
		{Name: "openers", Kind: report.Number, TH: "คนที่เปิด", EN: "Openers", Sum: true},
		{Name: "buyers", Kind: report.Number, TH: "คนที่ซื้อ", EN: "Buyers", Sum: true},
		{Name: "conversion", TH: "ซื้อต่อคนที่เปิด", EN: "Buyers of openers"},
		{Name: "orders", Kind: report.Number, TH: "คำสั่งซื้อ", EN: "Orders", Sum: true},
		{Name: "paid_satang", Kind: report.Satang, TH: "ชำระ", EN: "Paid", Sum: true, Main: true},
		{Name: "commission_satang", Kind: report.Satang, TH: "ค่าคอมเมื่อขาย", EN: "Commission as sold", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"openers", "buyers"}, Beside: true},
	Check: AgentFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f AgentFilter, _ report.Page, each func(LinksRow) error) error {
		from, to := f.instants()
		return db.Stream(ctx, tx, pgx.RowToStructByPos[LinksRow], each, linksByDay, f.From, f.To, from, to, f.Agent)
	},
})
