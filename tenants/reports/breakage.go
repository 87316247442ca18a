package reports

import (
	"context"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/rollup"
)

// BreakageFilter asks for days, weeks or months.
type BreakageFilter struct {
	Days
	Step step `json:"step,omitempty"`
}

func (f BreakageFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(steps, string(f.Step))...)
}

// BreakageRow has what became of the worth of vouchers that expired.
type BreakageRow struct {
	Day      string       `json:"day" format:"date"`
	Until    string       `json:"until" format:"date"`
	Expired  int64        `json:"expired"`
	Breakage money.Amount `json:"breakage_satang"`
	Returned money.Amount `json:"returned_satang"`
	Platform money.Amount `json:"platform_satang"`
	Worth    money.Amount `json:"worth_satang"`
}

// What leaves breakage again counts against it.
const breakage = `SELECT ` + stepFirst + `, ` + stepLast + `, coalesce(sum(entries) FILTER (WHERE kind = 'expiry' AND credit IN ('breakage', 'wallet')), 0)::bigint,
		coalesce(sum(CASE WHEN credit = 'breakage' THEN amount_satang ELSE -amount_satang END) FILTER (WHERE 'breakage' IN (debit, credit)), 0)::bigint,
		coalesce(sum(amount_satang) FILTER (WHERE kind = 'expiry' AND credit = 'wallet'), 0)::bigint,
		coalesce(sum(amount_satang) FILTER (WHERE kind = 'expiry' AND credit = 'platform_fee'), 0)::bigint,
		sum(CASE WHEN debit = 'unearned' THEN amount_satang ELSE -amount_satang END)::bigint
	FROM ` + rollup.EntriesByDay + ` d WHERE day BETWEEN $1::date AND $2::date AND (kind = 'expiry' OR 'breakage' IN (debit, credit))
	GROUP BY ` + stepOf + ` ORDER BY ` + stepOf + ` DESC`

// Breakage is the report of what expired unused: to the shop, or back to who held it.
var Breakage = report.New(report.Def[BreakageFilter, BreakageRow]{
	Name: "breakage", Module: "dailytransaction", TH: "เวาเชอร์หมดอายุ", EN: "Expired unused", Days: true,
	Filters: []report.Filter{steps},
	Columns: []report.Column{
		{Name: "day", Kind: report.Day, TH: "วันที่", EN: "Day"},
		{Name: "until", Kind: report.Day, TH: "ถึงวันที่", EN: "Until", FileOnly: true},
		{Name: "expired", Kind: report.Number, TH: "เวาเชอร์", EN: "Vouchers", Sum: true},
		{Name: "breakage_satang", Kind: report.Satang, TH: "เป็นรายได้ของร้าน", EN: "The shop's", Sum: true, Main: true},
		{Name: "returned_satang", Kind: report.Satang, TH: "คืนเข้า Wallet ลูกค้า", EN: "Back to customers' wallets", Sum: true},
		{Name: "platform_satang", Kind: report.Satang, TH: "ส่วนลดที่คืนแพลตฟอร์ม", EN: "The platform's discount, back to it", Sum: true},
		{Name: "worth_satang", Kind: report.Satang, TH: "มูลค่าที่หมดอายุ", EN: "Expired in all", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"breakage_satang", "returned_satang"}},
	Check: BreakageFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f BreakageFilter, _ report.Page, each func(BreakageRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[BreakageRow], each, breakage, f.From, f.To, f.Step.orDay())
	},
})
