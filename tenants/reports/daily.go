// Package reports are what an organisation looks at: reports by the engine's rules, and the dashboard.
package reports

import (
	"context"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
)

// Days is a range of calendar days in Bangkok, both included.
type Days struct {
	From string `json:"from" format:"date"`
	To   string `json:"to" format:"date"`
}

// maxDays bounds a report.
const maxDays = 731

// instants returns the first instant of the range and the first after it.
func (d Days) instants() (from, to time.Time) {
	first, _ := time.Parse(time.DateOnly, d.From) // check has seen both
	last, _ := time.Parse(time.DateOnly, d.To)
	return clock.Start(first), clock.Start(last.AddDate(0, 0, 1))
}

func (d Days) check() (bad []fault.Field) {
	first, err := time.Parse(time.DateOnly, d.From)
	if err != nil {
		bad = append(bad, fault.Field{Path: "from", Fault: fault.WrongFormat.Code})
	}
	last, err := time.Parse(time.DateOnly, d.To)
	if err != nil {
		bad = append(bad, fault.Field{Path: "to", Fault: fault.WrongFormat.Code})
	}
	if len(bad) > 0 {
		return bad
	}
	if last.Before(first) {
		return []fault.Field{{Path: "to", Fault: fault.TooSmall.Code}}
	}
	if last.Sub(first) > maxDays*24*time.Hour {
		return []fault.Field{{Path: "to", Fault: fault.TooBig.Code}}
	}
	return nil
}

// DailyFilter asks for days, and perhaps for one package.
type DailyFilter struct {
	Days
	Package *uuid.UUID `json:"package_id,omitempty"`
}

// DailyRow is what one package brought on one day.
type DailyRow struct {
	Day        string       `json:"day" format:"date"`
	Package    uuid.UUID    `json:"package_id"`
	Code       string       `json:"code"`
	NameTH     string       `json:"name_th"`
	NameEN     string       `json:"name_en"`
	Orders     int64        `json:"orders"`
	Quantity   int64        `json:"quantity"`
	Gross      money.Amount `json:"gross_satang"`
	Fee        money.Amount `json:"fee_satang"`
	Commission money.Amount `json:"commission_satang"`
	Unearned   money.Amount `json:"unearned_satang" doc:"What the sale set aside for the organisation until use"`
}

// An order's fee and commission are one sum each. What a line gave up is its price less what its vouchers carry; of that,
// the fee is a share cut by running sums, so that the lines of an order add up to the satang.
const (
	dailyLines = `SELECT o.id AS order_id, (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date AS day, l.package_id, l.quantity, l.amount_satang,
			l.amount_satang - v.share AS given, o.platform_fee_satang AS fee,
			sum(l.amount_satang - v.share) OVER (PARTITION BY o.id ORDER BY l.position) AS upto,
			sum(l.amount_satang - v.share) OVER (PARTITION BY o.id) AS whole
		FROM orders o JOIN order_line l ON l.order_id = o.id
		CROSS JOIN LATERAL (SELECT coalesce(sum(share_satang), 0) AS share FROM voucher WHERE order_id = o.id AND line_position = l.position) v
		WHERE o.paid_at >= $1 AND o.paid_at < $2`
	dailyParts = `SELECT order_id, day, package_id, quantity, amount_satang, given,
			CASE WHEN whole = 0 THEN 0 ELSE div(fee * upto, whole) - div(fee * (upto - given), whole) END AS fee
		FROM (` + dailyLines + `) line`
	daily = `SELECT d.day::text, d.package_id, p.code, p.name_th, p.name_en, count(DISTINCT d.order_id), sum(d.quantity)::bigint,
			sum(d.amount_satang)::bigint, sum(d.fee)::bigint, sum(d.given - d.fee)::bigint, sum(d.amount_satang - d.given)::bigint
		FROM (` + dailyParts + `) d JOIN package p ON p.id = d.package_id
		WHERE $3::uuid IS NULL OR d.package_id = $3
		GROUP BY d.day, d.package_id, p.code, p.name_th, p.name_en ORDER BY d.day DESC, sum(d.amount_satang) DESC, d.package_id`
	countDaily = `SELECT count(*) FROM (SELECT DISTINCT (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date, l.package_id
		FROM orders o JOIN order_line l ON l.order_id = o.id
		WHERE o.paid_at >= $1 AND o.paid_at < $2 AND ($3::uuid IS NULL OR l.package_id = $3)) n`
)

// Daily is the report of sales: per day and package.
var Daily = report.New(report.Def[DailyFilter, DailyRow]{
	Name: "daily", Module: "dailytransaction",
	Columns: []report.Column{
		{Name: "day", Kind: report.Day, TH: "วันที่", EN: "Day"},
		{Name: "code", TH: "รหัสแพ็กเกจ", EN: "Package code"},
		{Name: "name_th", TH: "แพ็กเกจ (ไทย)", EN: "Package (Thai)"},
		{Name: "name_en", TH: "แพ็กเกจ (อังกฤษ)", EN: "Package (English)"},
		{Name: "orders", Kind: report.Number, TH: "จำนวนคำสั่งซื้อ", EN: "Orders"},
		{Name: "quantity", Kind: report.Number, TH: "จำนวนชิ้น", EN: "Quantity", Sum: true},
		{Name: "gross_satang", Kind: report.Satang, TH: "ยอดขาย (บาท)", EN: "Gross (baht)", Sum: true},
		{Name: "fee_satang", Kind: report.Satang, TH: "ค่าธรรมเนียมแพลตฟอร์ม (บาท)", EN: "Platform fee (baht)", Sum: true},
		{Name: "commission_satang", Kind: report.Satang, TH: "ค่าคอม (บาท)", EN: "Commission (baht)", Sum: true},
		{Name: "unearned_satang", Kind: report.Satang, TH: "รายได้รอรับรู้ (บาท)", EN: "Unearned (baht)", Sum: true},
	},
	Check: func(f DailyFilter) []fault.Field { return f.check() },
	Count: func(ctx context.Context, tx db.Tx, f DailyFilter) (n int64, err error) {
		from, to := f.instants()
		return n, tx.QueryRow(ctx, countDaily, from, to, f.Package).Scan(&n)
	},
	Each: func(ctx context.Context, tx db.Tx, f DailyFilter, each func(DailyRow) error) error {
		from, to := f.instants()
		return report.Stream(ctx, tx, each, daily, from, to, f.Package)
	},
})
