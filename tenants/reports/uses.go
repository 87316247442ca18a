package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/rollup"
)

// UsesFilter asks for the uses of some days, perhaps at one service point.
type UsesFilter struct {
	Days
	ServicePoint *uuid.UUID `json:"service_point_id,omitempty"`
}

// UsesRow is a use. What was undone counts as nothing.
type UsesRow struct {
	ID       uuid.UUID    `json:"id"`
	At       time.Time    `json:"at"`
	Voucher  uuid.UUID    `json:"voucher_id"`
	Code     string       `json:"code"`
	NameTH   string       `json:"name_th"`
	NameEN   string       `json:"name_en"`
	Customer uuid.UUID    `json:"customer_id"`
	Name     string       `json:"customer_name"`
	PlaceTH  string       `json:"place_th"`
	PlaceEN  string       `json:"place_en"`
	Staff    string       `json:"staff_name"`
	Items    string       `json:"items"`
	State    string       `json:"state"`
	Uses     int64        `json:"uses"`
	Amount   money.Amount `json:"amount_satang"`
}

const (
	// Those of each service point are read from its index, and no more than may be wanted.
	used = `SELECT u.id, u.at, v.id, v.code, v.name_th, v.name_en, u.customer_id, c.display_name, u.place_th, u.place_en, s.name,
			CASE v.kind WHEN 'baht' THEN to_char(u.items / 100.0, 'FM999,999,990.00') || ' ฿' ELSE u.items::text END,
			coalesce(o.state, ''), CASE o.state WHEN 'undone' THEN 0 ELSE 1 END::bigint, CASE o.state WHEN 'undone' THEN 0 ELSE u.amount_satang END
		FROM (SELECT r.id, r.at, r.voucher_id, r.customer_id, r.staff_id, r.items, r.amount_satang, p.name_th AS place_th, p.name_en AS place_en FROM service_point p
			CROSS JOIN LATERAL (SELECT r.id, r.at, r.voucher_id, r.customer_id, r.staff_id, r.items, r.amount_satang FROM redemption r
				WHERE r.service_point_id = p.id AND r.at >= $1 AND r.at < $2 AND ($4::uuid IS NULL OR (r.at, r.id) < (SELECT a.at, a.id FROM redemption a WHERE a.id = $4))
				ORDER BY r.at DESC, r.id DESC LIMIT $5) r
			WHERE $3::uuid IS NULL OR p.id = $3 ORDER BY r.at DESC, r.id DESC LIMIT $5) u
		JOIN voucher v ON v.id = u.voucher_id JOIN customer c ON c.id = u.customer_id JOIN staff s ON s.id = u.staff_id
		LEFT JOIN LATERAL (SELECT state FROM objection WHERE redemption_id = u.id LIMIT 1) o ON true -- LIMIT keeps it from being joined as a whole
		ORDER BY u.at DESC, u.id DESC`
	countUsed = `SELECT coalesce(sum(uses), 0)::bigint FROM ` + rollup.UsesByDay + ` u WHERE day BETWEEN $1::date AND $2::date AND ($3::uuid IS NULL OR service_point_id = $3)`
	usedByDay = `SELECT day::text, sum(uses)::bigint, sum(amount_satang)::bigint FROM ` + rollup.UsesByDay + ` u
		WHERE day BETWEEN $1::date AND $2::date AND ($3::uuid IS NULL OR service_point_id = $3) GROUP BY day ORDER BY day`
)

var objections = []report.Word{
	{Value: "", TH: "ใช้แล้ว", EN: "Used"},
	{Value: "open", TH: "ลูกค้าโต้แย้ง รอร้านตัดสิน", EN: "Objected to, to be decided"},
	{Value: "stands", TH: "โต้แย้งแล้ว ยืนยันการใช้", EN: "Objected to, stands"},
	{Value: "undone", TH: "ยกเลิกการใช้แล้ว", EN: "Undone"},
}

// Used is the report of what was used.
var Used = report.New(report.Def[UsesFilter, UsesRow]{
	Name: "uses", Module: "activevouchertransaction", TH: "การใช้เวาเชอร์", EN: "Vouchers used", Days: true,
	Filters: []report.Filter{places},
	Columns: []report.Column{
		{Name: "at", Kind: report.Moment, TH: "ใช้เมื่อ", EN: "Used"},
		{Name: "code", TH: "รหัส", EN: "Code", Table: "voucher", ID: "voucher_id"},
		{Name: "name", Both: true, TH: "เวาเชอร์", EN: "Voucher"},
		{Name: "customer_name", TH: "ลูกค้า", EN: "Customer", Table: "customer", ID: "customer_id"},
		{Name: "place", Both: true, TH: "จุดบริการ", EN: "Service point"},
		{Name: "staff_name", TH: "พนักงาน", EN: "Staff"},
		{Name: "items", TH: "ใช้ไป", EN: "Used up"},
		{Name: "state", TH: "สถานะ", EN: "State", Words: objections},
		{Name: "uses", Kind: report.Number, TH: "ครั้ง", EN: "Times", Sum: true},
		{Name: "amount_satang", Kind: report.Satang, TH: "ร้านได้รับ", EN: "Earned", Sum: true, Main: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"amount_satang"}},
	Check: UsesFilter.check,
	Key:   func(r UsesRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f UsesFilter) (n int64, err error) {
		return n, tx.QueryRow(ctx, countUsed, f.From, f.To, f.ServicePoint).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f UsesFilter) ([]report.Point, error) {
		return points(ctx, tx, []string{"uses", "amount_satang"}, usedByDay, f.From, f.To, f.ServicePoint)
	},
	Each: func(ctx context.Context, tx db.Tx, f UsesFilter, page report.Page, each func(UsesRow) error) error {
		from, to := f.instants()
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[UsesRow], each, used, from, to, f.ServicePoint, after[0], page.Rows())
	},
})
