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

// SaleSums are what a row of sales adds up.
type SaleSums struct {
	Orders     int64        `json:"orders"`
	Quantity   int64        `json:"quantity"`
	Gross      money.Amount `json:"gross_satang"`
	Discount   money.Amount `json:"discount_satang"`
	Refunded   money.Amount `json:"refunded_satang"`
	Fee        money.Amount `json:"fee_satang"`
	Commission money.Amount `json:"commission_satang"`
	Unearned   money.Amount `json:"unearned_satang"`
}

var saleColumns = []report.Column{
	{Name: "orders", Kind: report.Number, TH: "คำสั่งซื้อ", EN: "Orders", Sum: true},
	{Name: "quantity", Kind: report.Number, TH: "จำนวน", EN: "Pieces", Sum: true},
	{Name: "gross_satang", Kind: report.Satang, TH: "ขายได้", EN: "Sold", Sum: true, Main: true},
	{Name: "discount_satang", Kind: report.Satang, TH: "ส่วนลดที่ให้", EN: "Discounts given", Sum: true},
	{Name: "refunded_satang", Kind: report.Satang, TH: "คืนเงิน", EN: "Refunded", Sum: true},
	{Name: "fee_satang", Kind: report.Satang, TH: "ค่าธรรมเนียม", EN: "Platform fee", Sum: true},
	{Name: "commission_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true},
	{Name: "unearned_satang", Kind: report.Satang, TH: "ส่วนของร้าน", EN: "The shop's share", Sum: true},
}

// salesBy adds up what was sold, taken off and given back on some days of a package $3 and a channel $6, for FROM. orders counts an order once for each
// of its packages, first_orders once.
const (
	salesBy = `(
		SELECT package_id, sale_channel, orders, first_orders, quantity, gross_satang AS gross, 0 AS off, 0 AS back, fee_satang AS fee, commission_satang AS commission, unearned_satang AS unearned
		FROM ` + rollup.SalesByDay + ` s WHERE day BETWEEN $1::date AND $2::date
		UNION ALL SELECT package_id, sale_channel, 0, 0, 0, 0, amount_satang, 0, 0, 0, 0 FROM ` + rollup.DiscountsByDay + ` s WHERE day BETWEEN $1::date AND $2::date
		UNION ALL SELECT package_id, sale_channel, 0, 0, 0, 0, 0, amount_satang, 0, 0, 0 FROM ` + backByDay + ` s)`
	saleSums = `sum(x.quantity)::bigint, sum(x.gross)::bigint, sum(x.off)::bigint, sum(x.back)::bigint, sum(x.fee)::bigint, sum(x.commission)::bigint, sum(x.unearned)::bigint`
	ofSales  = ` WHERE ($3::uuid IS NULL OR x.package_id = $3) AND ($6::smallint IS NULL OR x.sale_channel = $6)`

	// What can be sold: packages and member cards.
	sellable = `(SELECT id, code, name_th, name_en, picture_id FROM package UNION ALL SELECT id, '', name_th, name_en, picture_id FROM card_type)`

	byPackage = `SELECT p.id, p.code, p.name_th, p.name_en, sum(x.orders)::bigint, ` + saleSums + ` FROM ` + salesBy + ` x JOIN ` + sellable + ` p ON p.id = x.package_id` + ofSales + `
		GROUP BY p.id, p.code, p.name_th, p.name_en ORDER BY sum(x.gross) DESC, p.id`
	byChannel = `SELECT x.sale_channel::text, sum(CASE WHEN $3::uuid IS NULL THEN x.first_orders ELSE x.orders END)::bigint, ` + saleSums + ` FROM ` + salesBy + ` x` + ofSales + `
		GROUP BY x.sale_channel ORDER BY sum(x.gross) DESC, x.sale_channel`
	byHour = `SELECT h.hour, to_char(h.hour, 'FM00') || ':00', coalesce(s.orders, 0)::bigint, coalesce(s.gross, 0)::bigint, coalesce(u.uses, 0)::bigint
		FROM generate_series(0, 23) h (hour)
		LEFT JOIN (SELECT extract(hour FROM hour AT TIME ZONE 'Asia/Bangkok')::int AS hour, sum(orders) AS orders, sum(gross_satang) AS gross
			FROM ` + rollup.SalesByHour + ` s WHERE hour >= $1 AND hour < $2 GROUP BY 1) s ON s.hour = h.hour
		LEFT JOIN (SELECT extract(hour FROM hour AT TIME ZONE 'Asia/Bangkok')::int AS hour, sum(uses) AS uses
			FROM ` + rollup.UsesByHour + ` s WHERE hour >= $1 AND hour < $2 GROUP BY 1) u ON u.hour = h.hour
		ORDER BY h.hour`
	byPlace = `SELECT p.id, p.name_th, p.name_en, sum(u.uses)::bigint, sum(u.amount_satang)::bigint FROM ` + rollup.UsesByDay + ` u JOIN service_point p ON p.id = u.service_point_id
		WHERE u.day BETWEEN $1::date AND $2::date AND ($3::uuid IS NULL OR u.package_id = $3) GROUP BY p.id, p.name_th, p.name_en ORDER BY 5 DESC, p.id`
)

// PackageRow has the sales of one package.
type PackageRow struct {
	ID     uuid.UUID `json:"id"`
	Code   string    `json:"code"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
	SaleSums
}

// ByPackage is the report of sales by package.
var ByPackage = report.New(report.Def[ChannelFilter, PackageRow]{
	Name: "report01", Module: "dailytransaction", TH: "ยอดขายตามแพ็กเกจ", EN: "Sales by package", Days: true,
	Filters: []report.Filter{channels},
	Columns: append([]report.Column{
		{Name: "name", Both: true, TH: "แพ็กเกจ", EN: "Package", Report: "daily", With: map[string]string{"package_id": "id"}},
		{Name: "code", TH: "รหัสแพ็กเกจ", EN: "Package code"},
	}, saleColumns...),
	Chart: &report.Chart{By: "name", Series: []string{"gross_satang"}},
	Check: ChannelFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f ChannelFilter, _ report.Page, each func(PackageRow) error) error {
		from, to := f.instants()
		return db.Stream(ctx, tx, pgx.RowToStructByPos[PackageRow], each, byPackage, f.From, f.To, nil, from, to, f.Channel.number())
	},
})

// ChannelFilter asks for what was sold on some days, perhaps by one channel.
type ChannelFilter struct {
	Days
	Channel channel `json:"sale_channel,omitempty"`
}

func (f ChannelFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(channels, string(f.Channel))...)
}

// PackageFilter asks for some days, perhaps for one package.
type PackageFilter struct {
	Days
	Package *uuid.UUID `json:"package_id,omitempty"`
}

func (f PackageFilter) check() []fault.Field { return f.Days.check() }

// PlaceRow has what was used at one service point.
type PlaceRow struct {
	ID     uuid.UUID    `json:"id"`
	NameTH string       `json:"name_th"`
	NameEN string       `json:"name_en"`
	Uses   int64        `json:"uses"`
	Amount money.Amount `json:"amount_satang"`
}

// ByPlace is the report of what was earned by service point. A voucher is sold nowhere; it is used somewhere.
var ByPlace = report.New(report.Def[PackageFilter, PlaceRow]{
	Name: "report02", Module: "activevouchertransaction", TH: "รายได้ตามจุดบริการ", EN: "Earned by service point", Days: true,
	Filters: []report.Filter{packages},
	Columns: []report.Column{
		{Name: "name", Both: true, TH: "จุดบริการ", EN: "Service point", Report: "uses", With: map[string]string{"service_point_id": "id"}},
		{Name: "uses", Kind: report.Number, TH: "ครั้งที่ใช้", EN: "Uses", Sum: true},
		{Name: "amount_satang", Kind: report.Satang, TH: "ร้านได้รับ", EN: "Earned", Sum: true, Main: true},
	},
	Chart: &report.Chart{By: "name", Series: []string{"amount_satang"}},
	Check: PackageFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f PackageFilter, _ report.Page, each func(PlaceRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[PlaceRow], each, byPlace, f.From, f.To, f.Package)
	},
})

// ChannelRow has the sales of one channel.
type ChannelRow struct {
	Channel string `json:"sale_channel"`
	SaleSums
}

// ByChannel is the report of sales by channel.
var ByChannel = report.New(report.Def[PackageFilter, ChannelRow]{
	Name: "report03", Module: "dailytransaction", TH: "ยอดขายตามช่องทาง", EN: "Sales by channel", Days: true,
	Filters: []report.Filter{packages},
	Columns: append([]report.Column{
		{Name: "sale_channel", TH: "ช่องทาง", EN: "Channel", Words: channels.Words, Report: "sold", With: map[string]string{"sale_channel": "sale_channel"}},
	}, saleColumns...),
	Chart: &report.Chart{By: "sale_channel", Series: []string{"gross_satang"}},
	Check: PackageFilter.check,
	Each: func(ctx context.Context, tx db.Tx, f PackageFilter, _ report.Page, each func(ChannelRow) error) error {
		from, to := f.instants()
		return db.Stream(ctx, tx, pgx.RowToStructByPos[ChannelRow], each, byChannel, f.From, f.To, f.Package, from, to, nil)
	},
})

// HourRow has what was sold and used in one hour of the day.
type HourRow struct {
	Number int32        `json:"hour_number"`
	Hour   string       `json:"hour"`
	Orders int64        `json:"orders"`
	Gross  money.Amount `json:"gross_satang"`
	Uses   int64        `json:"uses"`
}

// ByHour is the report of sales by the hour of the day in Bangkok.
var ByHour = report.New(report.Def[DaysFilter, HourRow]{
	Name: "report04", Module: "dailytransaction", TH: "ยอดขายตามชั่วโมง", EN: "Sales by hour", Days: true,
	Columns: []report.Column{
		{Name: "hour", TH: "เวลา", EN: "Hour"},
		{Name: "orders", Kind: report.Number, TH: "คำสั่งซื้อ", EN: "Orders", Sum: true},
		{Name: "gross_satang", Kind: report.Satang, TH: "ขายได้", EN: "Sold", Sum: true, Main: true},
		{Name: "uses", Kind: report.Number, TH: "ครั้งที่ใช้", EN: "Uses", Sum: true},
	},
	Chart: &report.Chart{By: "hour", Series: []string{"gross_satang"}},
	Check: func(f DaysFilter) []fault.Field { return f.check() },
	Each: func(ctx context.Context, tx db.Tx, f DaysFilter, _ report.Page, each func(HourRow) error) error {
		from, to := f.instants()
		return db.Stream(ctx, tx, pgx.RowToStructByPos[HourRow], each, byHour, from, to)
	},
})

// DaysFilter asks for some days.
type DaysFilter struct {
	Days
}
