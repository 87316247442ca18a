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
	"welovevoucher/tenants/rollup"
)

// SoldFilter asks for orders that were paid on some days, perhaps by one channel.
type SoldFilter struct {
	Days
	Channel channel `json:"sale_channel,omitempty"`
}

func (f SoldFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(channels, string(f.Channel))...)
}

// SoldRow is an order that was paid.
type SoldRow struct {
	ID         uuid.UUID    `json:"id"`
	PaidAt     time.Time    `json:"paid_at"`
	Number     string       `json:"number"`
	Customer   uuid.UUID    `json:"customer_id"`
	Name       string       `json:"customer_name"`
	BoughtTH   string       `json:"bought_th"`
	BoughtEN   string       `json:"bought_en"`
	Channel    string       `json:"sale_channel"`
	Agent      string       `json:"agent_name"`
	Orders     int64        `json:"orders"`
	Quantity   int64        `json:"quantity"`
	Gross      money.Amount `json:"gross_satang"`
	Discount   money.Amount `json:"discount_satang"`
	Refunded   money.Amount `json:"refunded_satang"`
	Fee        money.Amount `json:"fee_satang"`
	Commission money.Amount `json:"commission_satang"`
}

const (
	sold = `SELECT o.id, o.paid_at, o.number, o.customer_id, c.display_name, coalesce(f.name_th, ''), coalesce(f.name_en, ''), o.sale_channel::text, coalesce(ac.display_name, ''), 1::bigint,
			l.quantity, o.total_satang + d.platform, d.off, b.back, o.platform_fee_satang, o.commission_satang
		FROM (SELECT o.id, o.paid_at, o.number, o.customer_id, o.agent_id, o.sale_channel, o.total_satang, o.platform_fee_satang, o.commission_satang
			FROM orders o WHERE o.paid_at >= $1 AND o.paid_at < $2 AND ($3::smallint IS NULL OR o.sale_channel = $3)
				AND ($4::uuid IS NULL OR (o.paid_at, o.id) < (SELECT a.paid_at, a.id FROM orders a WHERE a.id = $4))
			ORDER BY o.paid_at DESC, o.id DESC LIMIT $5) o
		JOIN customer c ON c.id = o.customer_id LEFT JOIN agent a ON a.id = o.agent_id LEFT JOIN customer ac ON ac.id = a.customer_id
		LEFT JOIN order_line f ON f.order_id = o.id AND f.position = 0
		CROSS JOIN LATERAL (SELECT coalesce(sum(quantity), 0)::bigint AS quantity FROM order_line WHERE order_id = o.id) l
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_satang), 0)::bigint AS off, coalesce(sum(amount_satang) FILTER (WHERE payer = 'platform'), 0)::bigint AS platform
			FROM line_discount WHERE order_id = o.id) d
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_satang), 0)::bigint AS back FROM refund WHERE order_id = o.id) b
		ORDER BY o.paid_at DESC, o.id DESC`
	countSold = `SELECT coalesce(sum(first_orders), 0)::bigint FROM ` + rollup.SalesByDay + ` s WHERE day BETWEEN $1::date AND $2::date AND ($3::smallint IS NULL OR sale_channel = $3)`
	// A refund is made after its order was paid.
	soldByDay = `SELECT day::text, sum(orders)::bigint, sum(quantity)::bigint, sum(gross)::bigint, sum(off)::bigint, sum(back)::bigint, sum(fee)::bigint, sum(commission)::bigint
		FROM (
			SELECT day, first_orders AS orders, quantity, gross_satang AS gross, 0 AS off, 0 AS back, fee_satang AS fee, commission_satang AS commission
			FROM ` + rollup.SalesByDay + ` s WHERE day BETWEEN $1::date AND $2::date AND ($3::smallint IS NULL OR sale_channel = $3)
			UNION ALL SELECT day, 0, 0, 0, amount_satang, 0, 0, 0
			FROM ` + rollup.DiscountsByDay + ` s WHERE day BETWEEN $1::date AND $2::date AND ($3::smallint IS NULL OR sale_channel = $3)
			UNION ALL SELECT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date, 0, 0, 0, 0, b.amount_satang, 0, 0
			FROM refund b JOIN orders o ON o.id = b.order_id WHERE b.made_at >= $4 AND o.paid_at >= $4 AND o.paid_at < $5 AND ($3::smallint IS NULL OR o.sale_channel = $3)
		) d GROUP BY day ORDER BY day`
)

// Sold is the report of orders that were paid. What waits for its money is not sold.
var Sold = report.New(report.Def[SoldFilter, SoldRow]{
	Name: "sold", Module: "soldtransaction", TH: "รายการขาย", EN: "Sales", Days: true,
	Filters: []report.Filter{channels},
	Columns: []report.Column{
		{Name: "paid_at", Kind: report.Moment, TH: "ชำระเมื่อ", EN: "Paid"},
		{Name: "number", TH: "เลขที่", EN: "Number", Table: "orders", ID: "id"},
		{Name: "customer_name", TH: "ผู้ซื้อ", EN: "Buyer", Table: "customer", ID: "customer_id"},
		{Name: "bought", Both: true, TH: "สิ่งที่ซื้อ", EN: "Bought"},
		{Name: "sale_channel", TH: "ช่องทาง", EN: "Channel", Words: channels.Words},
		{Name: "agent_name", TH: "ตัวแทน", EN: "Agent"},
		{Name: "orders", Kind: report.Number, TH: "คำสั่งซื้อ", EN: "Orders", Sum: true, FileOnly: true},
		{Name: "quantity", Kind: report.Number, TH: "จำนวน", EN: "Pieces", Sum: true},
		{Name: "gross_satang", Kind: report.Satang, TH: "ขายได้", EN: "Sold", Sum: true, Main: true},
		{Name: "discount_satang", Kind: report.Satang, TH: "ส่วนลดที่ให้", EN: "Discounts given", Sum: true},
		{Name: "refunded_satang", Kind: report.Satang, TH: "คืนเงินแล้ว", EN: "Refunded since", Sum: true},
		{Name: "fee_satang", Kind: report.Satang, TH: "ค่าธรรมเนียม", EN: "Platform fee", Sum: true},
		{Name: "commission_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"gross_satang"}},
	Check: SoldFilter.check,
	Key:   func(r SoldRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f SoldFilter) (n int64, err error) {
		return n, tx.QueryRow(ctx, countSold, f.From, f.To, f.Channel.number()).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f SoldFilter) ([]report.Point, error) {
		from, to := f.instants()
		return points(ctx, tx, []string{"orders", "quantity", "gross_satang", "discount_satang", "refunded_satang", "fee_satang", "commission_satang"},
			soldByDay, f.From, f.To, f.Channel.number(), from, to)
	},
	Each: func(ctx context.Context, tx db.Tx, f SoldFilter, page report.Page, each func(SoldRow) error) error {
		from, to := f.instants()
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[SoldRow], each, sold, from, to, f.Channel.number(), after[0], page.Rows())
	},
})

// points reads days and, for each, a number for each name.
func points(ctx context.Context, tx db.Tx, names []string, sql string, args ...any) ([]report.Point, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p report.Point, err error) {
		numbers := make([]int64, len(names))
		into := []any{&p.Day}
		for i := range numbers {
			into = append(into, &numbers[i])
		}
		err = row.Scan(into...)
		p.Values = map[string]int64{}
		for i, name := range names {
			p.Values[name] = numbers[i]
		}
		return p, err
	})
	if all == nil {
		all = []report.Point{}
	}
	return all, err
}
