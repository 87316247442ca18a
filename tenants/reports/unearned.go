package reports

import (
	"context"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/ledger"
)

// UnearnedFilter says by what vouchers are sorted into rows: the days until the last one on which they can be used, or since they were sold.
type UnearnedFilter struct {
	By string `json:"by,omitempty"`
}

// UnearnedRow has what is owed to who holds vouchers that are valid for so long, or were sold so long ago.
type UnearnedRow struct {
	Age      string       `json:"age"`
	Vouchers int64        `json:"vouchers"`
	Frozen   money.Amount `json:"frozen_satang"`
	Worth    money.Amount `json:"worth_satang"`
}

var ageing = report.Filter{Name: "by", TH: "แยกตาม", EN: "By", Must: true, Words: []report.Word{
	{Value: "last_day", TH: "วันหมดอายุ", EN: "Last day"}, {Value: "sold", TH: "วันที่ขาย", EN: "Day of sale"},
}}

var ages = []report.Word{
	{Value: "due", TH: "หมดอายุแล้ว รอปิดรายการ", EN: "Past the last day, not closed yet"},
	{Value: "u7", TH: "ภายใน 7 วัน", EN: "Within 7 days"},
	{Value: "u30", TH: "8–30 วัน", EN: "8 to 30 days"},
	{Value: "u90", TH: "31–90 วัน", EN: "31 to 90 days"},
	{Value: "u180", TH: "91–180 วัน", EN: "91 to 180 days"},
	{Value: "u365", TH: "181–365 วัน", EN: "181 to 365 days"},
	{Value: "more", TH: "เกิน 365 วัน", EN: "More than 365 days"},
}

// The price of a member card whose term has not begun is without a last day. What is left of a voucher is worth what its first items are that were not taken away, less those that were used (voucher.Sums).
const unearned = `SELECT a.age, coalesce(v.n, 0)::bigint, coalesce(v.frozen, 0)::bigint, coalesce(v.worth, 0)::bigint
	FROM unnest(ARRAY['due', 'u7', 'u30', 'u90', 'u180', 'u365', 'more']) WITH ORDINALITY AS a (age, place)
	LEFT JOIN (SELECT CASE WHEN days < 0 THEN 'due' WHEN days <= 7 THEN 'u7' WHEN days <= 30 THEN 'u30' WHEN days <= 90 THEN 'u90' WHEN days <= 180 THEN 'u180' WHEN days <= 365 THEN 'u365' ELSE 'more' END AS age,
			count(*) FILTER (WHERE state <> 'card') AS n, sum(worth) FILTER (WHERE state = 'frozen') AS frozen, sum(worth) AS worth
		FROM (SELECT v.state, CASE WHEN $2 = 'sold' THEN $1::date - (v.issued_at AT TIME ZONE 'Asia/Bangkok')::date ELSE v.valid_until - $1::date END AS days,
				CASE WHEN v.kind = 'baht' THEN div(v.share_satang::numeric * (v.items_total - v.items_out), v.items_total) - div(v.share_satang::numeric * (v.items_total - v.items_out - v.items_left), v.items_total)
					ELSE CASE WHEN v.items_out = 0 THEN v.share_satang ELSE v.share_satang / v.items_total * (v.items_total - v.items_out) END
						- v.share_satang / v.items_total * (v.items_total - v.items_out - v.items_left) END AS worth
			FROM voucher v WHERE v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen')
			UNION ALL SELECT 'card', CASE WHEN $2 = 'sold' THEN $1::date - (o.paid_at AT TIME ZONE 'Asia/Bangkok')::date END, o.total_satang - o.platform_fee_satang
			FROM card_order r JOIN orders o ON o.id = r.order_id WHERE o.paid_at IS NOT NULL AND r.begun_at IS NULL AND r.returned_at IS NULL) v
		GROUP BY 1) v ON v.age = a.age
	WHERE v.worth > 0 OR v.n > 0 OR a.age <> 'due' ORDER BY a.place`

// Unearned is the report of what is owed to who holds vouchers: as much as the account of that name has.
var Unearned = report.New(report.Def[UnearnedFilter, UnearnedRow]{
	Name: "unearned", Module: "dailytransaction", TH: "เงินรอใช้ตามอายุ", EN: "Owed to holders, by age",
	Filters: []report.Filter{ageing},
	Columns: []report.Column{
		{Name: "age", TH: "ช่วงเวลา", EN: "Days", Words: ages},
		{Name: "vouchers", Kind: report.Number, TH: "เวาเชอร์", EN: "Vouchers", Sum: true},
		{Name: "frozen_satang", Kind: report.Satang, TH: "ส่วนที่พักไว้", EN: "Of it on hold", Sum: true},
		{Name: "worth_satang", Kind: report.Satang, TH: "เงินรอใช้", EN: "Owed", Sum: true, Main: true},
	},
	Chart: &report.Chart{By: "age", Series: []string{"worth_satang"}},
	Check: func(f UnearnedFilter) []fault.Field { return oneOf(ageing, f.By) },
	Figures: func(ctx context.Context, tx db.Tx, _ UnearnedFilter) ([]report.Figure, error) {
		balances, err := ledger.SystemBalances(ctx, tx, ledger.Unearned)
		return []report.Figure{{TH: "เงินรอใช้ในบัญชี", EN: "Unearned in the books", Amount: int64(balances[ledger.Unearned])}}, err
	},
	Each: func(ctx context.Context, tx db.Tx, f UnearnedFilter, _ report.Page, each func(UnearnedRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[UnearnedRow], each, unearned, clock.Day(tx.Now), f.By)
	},
})
