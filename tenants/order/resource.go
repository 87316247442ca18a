package order

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/rate"
)

// Row is an order as the back office lists it. It has a state machine, so nothing is edited here.
type Row struct {
	ID         uuid.UUID     `json:"id"`
	Number     string        `json:"number"`
	State      string        `json:"state" enum:"awaiting,expired,paid,part_refunded,refunded"`
	Customer   uuid.UUID     `json:"customer_id"`
	Name       string        `json:"customer_name"`
	Channel    int16         `json:"sale_channel" doc:"1 counter, 2 online, 3 agent, 4 printed"`
	ChannelTH  *string       `json:"sale_channel_name_th" doc:"What the organisation calls it"`
	ChannelEN  *string       `json:"sale_channel_name_en"`
	Agent      *uuid.UUID    `json:"agent_id" nullable:"true"`
	AgentName  *string       `json:"agent_name"`
	BoughtTH   string        `json:"bought_name_th" doc:"Its first package"`
	BoughtEN   string        `json:"bought_name_en"`
	Picture    *uuid.UUID    `json:"bought_picture_id" nullable:"true"`
	Bought     int64         `json:"bought_pieces" doc:"Of the first package"`
	Method     string        `json:"method" enum:"wallet,promptpay,card"`
	Pieces     int64         `json:"pieces" doc:"Of all packages"`
	Total      money.Amount  `json:"total_satang"`
	Fee        money.Amount  `json:"platform_fee_satang"`
	Commission money.Amount  `json:"commission_satang"`
	CreatedAt  time.Time     `json:"created_at" doc:"UTC"`
	PaidAt     *time.Time    `json:"paid_at" doc:"UTC; null while it waits for its money, and when it never came"`
	Lines      []RowLine     `json:"lines,omitempty" doc:"In detail, not in lists"`
	Owed       money.Amount  `json:"owed_satang,omitempty" doc:"In detail: of what went back of its payment, what nothing has covered yet"`
	Cases      []charge.Case `json:"cases,omitempty" doc:"In detail: what the organisation has to decide about its payment, or had to"`
	ListID     uuid.UUID     `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// RowLine is one package of an order.
type RowLine struct {
	Package  uuid.UUID    `json:"package_id"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Picture  *uuid.UUID   `json:"picture_id" nullable:"true"`
	Quantity int          `json:"quantity"`
	Unit     money.Amount `json:"unit_satang"`
	Amount   money.Amount `json:"amount_satang"`
	Discount money.Amount `json:"discount_satang" doc:"What discounts took off"`

	RateKind  rate.Kind `json:"rate_kind" enum:",percent,baht" doc:"By which its agent earns; empty without one"`
	RateValue int64     `json:"rate_value" doc:"Basis points, or satang for each piece; 0 without an agent"`

	Card bool `json:"card" doc:"A member card, whose type package_id names"`
}

const ratedLines = `SELECT coalesce(l.package_id, y.id), l.name_th, l.name_en, coalesce(p.picture_id, y.picture_id), l.quantity, l.unit_satang, l.amount_satang, l.unit_satang * l.quantity - l.amount_satang,
		coalesce(l.rate_kind, ''), coalesce(l.rate_value, 0), y.id IS NOT NULL
	FROM order_line l LEFT JOIN package p ON p.id = l.package_id ` + ofCard + ` WHERE l.order_id = $1 ORDER BY l.position`

// Orders is the table of orders.
var Orders = resource.New(resource.Def[Row]{
	Name: "orders", Module: "soldtransaction", Relation: "orders", Sort: "-created_at",
	Joins: "JOIN customer c ON c.id = r.customer_id LEFT JOIN agent a ON a.id = r.agent_id LEFT JOIN customer ac ON ac.id = a.customer_id " +
		"LEFT JOIN list_option ch ON ch.list = 'salechannel' AND ch.number = r.sale_channel " +
		"LEFT JOIN order_line first ON first.order_id = r.id AND first.position = 0 LEFT JOIN package p ON p.id = first.package_id LEFT JOIN charge h ON h.id = r.id",
	Finds: []string{
		`SELECT o.id FROM orders o WHERE o.number LIKE upper({begins}) ORDER BY o.number LIMIT 200`,
		`SELECT o.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT o.id FROM orders o WHERE o.customer_id = c.id ORDER BY o.id DESC LIMIT 10) o`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "number", Can: resource.Filter, TH: "เลขที่", EN: "Number"},
		{Name: "state", Can: resource.Filter, Few: true, Common: "paid", TH: "สถานะ", EN: "State"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "sale_channel", Can: resource.Filter, Few: true, Common: "2"},
		{Name: "sale_channel_name_th", SQL: "ch.name_th", TH: "ช่องทาง (ไทย)", EN: "Channel (Thai)"},
		{Name: "sale_channel_name_en", SQL: "ch.name_en", TH: "ช่องทาง (อังกฤษ)", EN: "Channel (English)"},
		{Name: "agent_id", Can: resource.Filter},
		{Name: "agent_name", SQL: "ac.display_name", TH: "ตัวแทน", EN: "Agent"},
		{Name: "bought_name_th", SQL: "coalesce(first.name_th, '')", TH: "สิ่งที่ซื้อ (ไทย)", EN: "Bought (Thai)"},
		{Name: "bought_name_en", SQL: "coalesce(first.name_en, '')", TH: "สิ่งที่ซื้อ (อังกฤษ)", EN: "Bought (English)"},
		{Name: "bought_picture_id", SQL: "p.picture_id"},
		{Name: "bought_pieces", SQL: "coalesce(first.quantity, 0)"},
		{Name: "method", SQL: "coalesce(h.method, 'wallet')", TH: "จ่ายด้วย", EN: "Paid with"},
		{Name: "pieces", SQL: "(SELECT coalesce(sum(l.quantity), 0) FROM order_line l WHERE l.order_id = r.id)", TH: "จำนวน", EN: "Pieces"},
		{Name: "total_satang", TH: "ยอดรวม", EN: "Total"},
		{Name: "platform_fee_satang", TH: "ค่าธรรมเนียม", EN: "Platform fee"},
		{Name: "commission_satang", TH: "ค่าคอม", EN: "Commission"},
		{Name: "created_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "สั่งเมื่อ", EN: "Ordered"},
		{Name: "paid_at", Can: resource.Filter | resource.Between, TH: "ชำระเมื่อ", EN: "Paid"},
	},
	Fill: func(ctx context.Context, tx db.Tx, row *Row) error {
		rows, err := tx.Query(ctx, ratedLines, row.ID)
		if err != nil {
			return fmt.Errorf("lines of order %s: %w", row.ID, err)
		}
		if row.Lines, err = pgx.CollectRows(rows, pgx.RowToStructByPos[RowLine]); err != nil {
			return fmt.Errorf("lines of order %s: %w", row.ID, err)
		}
		row.Owed, row.Cases, err = charge.OwedBy(ctx, tx, row.ID)
		return err
	},
})
