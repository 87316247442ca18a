// Package reports are what an organisation looks at: reports by the engine's rules, and the dashboard.
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

// Days is a range of calendar days in Bangkok, both included.
type Days struct {
	From string `json:"from" format:"date"`
	To   string `json:"to" format:"date"`
}

// maxDays bounds a report.
const maxDays = 731

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

// DailyRow has the sales of one package on one day.
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

const (
	daily = `SELECT d.day::text, d.package_id, p.code, p.name_th, p.name_en, sum(d.orders)::bigint, sum(d.quantity)::bigint, sum(d.gross_satang)::bigint,
			sum(d.fee_satang)::bigint, sum(d.commission_satang)::bigint, sum(d.unearned_satang)::bigint
		FROM ` + rollup.SalesByDay + ` d JOIN package p ON p.id = d.package_id
		WHERE d.day BETWEEN $1::date AND $2::date AND ($3::uuid IS NULL OR d.package_id = $3)
		GROUP BY d.day, d.package_id, p.code, p.name_th, p.name_en ORDER BY d.day DESC, sum(d.gross_satang) DESC, d.package_id`
	countDaily = `SELECT count(*) FROM (SELECT DISTINCT day, package_id FROM ` + rollup.SalesByDay + ` d
		WHERE day BETWEEN $1::date AND $2::date AND ($3::uuid IS NULL OR package_id = $3)) n`
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
		return n, tx.QueryRow(ctx, countDaily, f.From, f.To, f.Package).Scan(&n)
	},
	Each: func(ctx context.Context, tx db.Tx, f DailyFilter, each func(DailyRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[DailyRow], each, daily, f.From, f.To, f.Package)
	},
})
