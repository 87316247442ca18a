package reports

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/rollup"
)

// DailyFilter asks for days, weeks or months, and perhaps for one package.
type DailyFilter struct {
	Days
	Step    step       `json:"step,omitempty"`
	Package *uuid.UUID `json:"package_id,omitempty"`
}

func (f DailyFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(steps, string(f.Step))...)
}

// DailyRow has what was sold, taken off, given back and used on some days.
type DailyRow struct {
	Day        string       `json:"day" format:"date"`
	Until      string       `json:"until" format:"date"`
	Orders     int64        `json:"orders"`
	Quantity   int64        `json:"quantity"`
	Online     money.Amount `json:"online_satang"`
	Agent      money.Amount `json:"agent_satang"`
	Other      money.Amount `json:"other_satang"`
	Gross      money.Amount `json:"gross_satang"`
	Discount   money.Amount `json:"discount_satang"`
	Refunded   money.Amount `json:"refunded_satang"`
	Fee        money.Amount `json:"fee_satang"`
	Commission money.Amount `json:"commission_satang"`
	Unearned   money.Amount `json:"unearned_satang"`
	Used       money.Amount `json:"used_satang"`
}

// backByDay is what refunds gave to their customers between the instants $4 and $5, for FROM: of each refund a row for each of its vouchers.
const backByDay = `(SELECT (f.made_at AT TIME ZONE 'Asia/Bangkok')::date AS day, l.package_id, o.sale_channel,
		i.share_satang + i.fee_satang + i.commission_satang - i.platform_discount_satang - i.refund_fee_satang AS amount_satang
	FROM refund f JOIN refund_item i ON i.refund_id = f.id JOIN voucher v ON v.id = i.voucher_id JOIN orders o ON o.id = v.order_id
	JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position WHERE f.made_at >= $4 AND f.made_at < $5)`

// An order of several packages counts once where all are asked for, else for the one that is.
const daily = `SELECT ` + stepFirst + `, ` + stepLast + `, sum(orders)::bigint, sum(quantity)::bigint, sum(online)::bigint, sum(agent)::bigint, sum(gross - online - agent)::bigint,
		sum(gross)::bigint, sum(off)::bigint, sum(back)::bigint, sum(fee)::bigint, sum(commission)::bigint, sum(unearned)::bigint, sum(used)::bigint
	FROM (
		SELECT day, CASE WHEN $6::uuid IS NULL THEN first_orders ELSE orders END AS orders, quantity, CASE sale_channel WHEN 2 THEN gross_satang ELSE 0 END AS online,
			CASE sale_channel WHEN 3 THEN gross_satang ELSE 0 END AS agent, gross_satang AS gross, 0 AS off, 0 AS back,
			fee_satang AS fee, commission_satang AS commission, unearned_satang AS unearned, 0 AS used
		FROM ` + rollup.SalesByDay + ` s WHERE day BETWEEN $1::date AND $2::date AND ($6::uuid IS NULL OR package_id = $6)
		UNION ALL SELECT day, 0, 0, 0, 0, 0, amount_satang, 0, 0, 0, 0, 0
		FROM ` + rollup.DiscountsByDay + ` s WHERE day BETWEEN $1::date AND $2::date AND ($6::uuid IS NULL OR package_id = $6)
		UNION ALL SELECT day, 0, 0, 0, 0, 0, 0, amount_satang, 0, 0, 0, 0 FROM ` + backByDay + ` s WHERE $6::uuid IS NULL OR package_id = $6
		UNION ALL SELECT day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, amount_satang
		FROM ` + rollup.UsesByDay + ` s WHERE day BETWEEN $1::date AND $2::date AND ($6::uuid IS NULL OR package_id = $6)
	) d GROUP BY ` + stepOf + ` ORDER BY ` + stepOf + ` DESC`

// Daily is the report of sales by day, week or month.
var Daily = report.New(report.Def[DailyFilter, DailyRow]{
	Name: "daily", Module: "dailytransaction", TH: "ยอดขายรายวัน", EN: "Daily sales", Days: true,
	Filters: []report.Filter{packages, steps},
	Columns: []report.Column{
		{Name: "day", Kind: report.Day, TH: "วันที่", EN: "Day", Report: "sold", With: map[string]string{"from": "day", "to": "until"}},
		{Name: "until", Kind: report.Day, TH: "ถึงวันที่", EN: "Until", FileOnly: true},
		{Name: "orders", Kind: report.Number, TH: "คำสั่งซื้อ", EN: "Orders", Sum: true},
		{Name: "quantity", Kind: report.Number, TH: "จำนวน", EN: "Pieces", Sum: true},
		{Name: "online_satang", Kind: report.Satang, TH: "ร้านออนไลน์", EN: "Online shop", Sum: true},
		{Name: "agent_satang", Kind: report.Satang, TH: "ตัวแทน", EN: "Agents", Sum: true},
		{Name: "other_satang", Kind: report.Satang, TH: "ช่องทางอื่น", EN: "Other channels", Sum: true},
		{Name: "gross_satang", Kind: report.Satang, TH: "ขายได้", EN: "Sold", Sum: true, Main: true},
		{Name: "discount_satang", Kind: report.Satang, TH: "ส่วนลดที่ให้", EN: "Discounts given", Sum: true},
		{Name: "refunded_satang", Kind: report.Satang, TH: "คืนเงิน", EN: "Refunded", Sum: true},
		{Name: "fee_satang", Kind: report.Satang, TH: "ค่าธรรมเนียม", EN: "Platform fee", Sum: true},
		{Name: "commission_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true},
		{Name: "unearned_satang", Kind: report.Satang, TH: "ส่วนของร้าน", EN: "The shop's share", Sum: true},
		{Name: "used_satang", Kind: report.Satang, TH: "ลูกค้าใช้แล้ว", EN: "Used", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"online_satang", "agent_satang", "other_satang"}},
	Check: DailyFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f DailyFilter, _ report.Page, each func(DailyRow) error) error {
		from, to := f.instants()
		return db.Stream(ctx, tx, pgx.RowToStructByPos[DailyRow], each, daily, f.From, f.To, f.Step.orDay(), from, to, f.Package)
	},
})
