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

// DiscountUseRow has what a discount took off orders that were paid, by who paid that.
type DiscountUseRow struct {
	ID           uuid.UUID    `json:"id"`
	NameTH       string       `json:"name_th"`
	NameEN       string       `json:"name_en"`
	Uses         int64        `json:"uses"`
	Organisation money.Amount `json:"organisation_satang"`
	Agent        money.Amount `json:"agent_satang"`
	Platform     money.Amount `json:"platform_satang"`
	Amount       money.Amount `json:"amount_satang"`
}

const discountUse = `SELECT d.id, d.name_th, d.name_en, sum(s.uses)::bigint, coalesce(sum(s.amount_satang) FILTER (WHERE s.payer = 'organisation'), 0)::bigint,
		coalesce(sum(s.amount_satang) FILTER (WHERE s.payer = 'agent'), 0)::bigint, coalesce(sum(s.amount_satang) FILTER (WHERE s.payer = 'platform'), 0)::bigint,
		sum(s.amount_satang)::bigint
	FROM ` + rollup.DiscountsByDay + ` s JOIN discount d ON d.id = s.discount_id
	WHERE s.day BETWEEN $1::date AND $2::date AND ($3::uuid IS NULL OR s.package_id = $3) AND ($4::smallint IS NULL OR s.sale_channel = $4)
	GROUP BY d.id, d.name_th, d.name_en ORDER BY 8 DESC, d.id`

// SalesFilter asks for what was sold on some days, perhaps of one package or by one channel.
type SalesFilter struct {
	Days
	Package *uuid.UUID `json:"package_id,omitempty"`
	Channel channel    `json:"sale_channel,omitempty"`
}

func (f SalesFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(channels, string(f.Channel))...)
}

// DiscountUse is the report of what discounts took off. What was refunded since stays in it.
var DiscountUse = report.New(report.Def[SalesFilter, DiscountUseRow]{
	Name: "discounts", Module: "discount", TH: "การใช้ส่วนลด", EN: "Discounts used", Days: true,
	Filters: []report.Filter{packages, channels},
	Columns: []report.Column{
		{Name: "name", Both: true, TH: "ส่วนลด", EN: "Discount", Table: "discount", ID: "id"},
		{Name: "uses", Kind: report.Number, TH: "ครั้งที่ใช้", EN: "Uses", Sum: true},
		{Name: "organisation_satang", Kind: report.Satang, TH: "ร้านออก", EN: "Paid by the shop", Sum: true},
		{Name: "agent_satang", Kind: report.Satang, TH: "ตัวแทนออก", EN: "Paid by agents", Sum: true},
		{Name: "platform_satang", Kind: report.Satang, TH: "แพลตฟอร์มออก", EN: "Paid by the platform", Sum: true},
		{Name: "amount_satang", Kind: report.Satang, TH: "ลดไปทั้งหมด", EN: "Taken off in all", Sum: true, Main: true},
	},
	Chart: &report.Chart{By: "name", Series: []string{"organisation_satang", "agent_satang", "platform_satang"}},
	Check: SalesFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f SalesFilter, _ report.Page, each func(DiscountUseRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[DiscountUseRow], each, discountUse, f.From, f.To, f.Package, f.Channel.number())
	},
})
