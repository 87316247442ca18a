package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/rollup"
)

// PointsFilter asks for what moved members' points on some days, perhaps for one reason.
type PointsFilter struct {
	Days
	Kind string `json:"kind,omitempty"`
}

func (f PointsFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(pointKinds, f.Kind)...)
}

func (f PointsFilter) kinds() []string {
	if f.Kind != "" {
		return []string{f.Kind}
	}
	kinds := []string{}
	for _, w := range pointKinds.Words {
		kinds = append(kinds, w.Value)
	}
	return kinds
}

// PointsRow is what a transfer did to a customer's points.
type PointsRow struct {
	ID       uuid.UUID  `json:"id"`
	At       time.Time  `json:"at"`
	Card     string     `json:"card_number"`
	Customer uuid.UUID  `json:"customer_id"`
	Name     string     `json:"customer_name"`
	Kind     string     `json:"kind"`
	Order    *uuid.UUID `json:"order_id"`
	Number   string     `json:"number"`
	In       int64      `json:"points_in"`
	Out      int64      `json:"points_out"`
	Lapses   string     `json:"lapses_on"`
}

// pointKinds are the kinds of transfers of points.
var pointKinds = report.Filter{Name: "kind", TH: "รายการ", EN: "Kind", Words: []report.Word{
	{Value: "points_granted", TH: "ได้แต้ม", EN: "Granted"},
	{Value: "points_taken_back", TH: "เรียกคืนตามการคืนเงิน", EN: "Taken back with a refund"},
	{Value: "points_lapsed", TH: "หมดอายุ", EN: "Lapsed"},
	{Value: "points_adjusted", TH: "ร้านปรับแต้ม", EN: "Adjusted by the shop"},
}}

const (
	// Whoever lists them walks transfer_point_moves.
	ofPoints   = `t.kind IN ('points_granted', 'points_taken_back', 'points_lapsed', 'points_adjusted')`
	pointMoves = `SELECT t.id, t.at, coalesce(k.number, ''), m.holder_id, c.display_name, t.kind, g.order_id, coalesce(o.number, ''), m.inward, m.outward, coalesce(m.lapses_on::text, '')
		FROM transfer t CROSS JOIN LATERAL (
			SELECT a.holder_id, coalesce(sum(e.amount_satang) FILTER (WHERE e.credit_id = a.id), 0)::bigint AS inward, coalesce(sum(e.amount_satang) FILTER (WHERE e.debit_id = a.id), 0)::bigint AS outward, min(a.lapses_on) AS lapses_on
			FROM entry e JOIN account a ON a.id IN (e.debit_id, e.credit_id) AND a.kind IN ('point_lot', 'points_owed') WHERE e.transfer_id = t.id GROUP BY a.holder_id) m
		JOIN customer c ON c.id = m.holder_id LEFT JOIN membership b ON b.customer_id = m.holder_id LEFT JOIN member_card k ON k.membership_id = b.id
		LEFT JOIN point_grant g ON g.id = t.cause_id LEFT JOIN orders o ON o.id = g.order_id
		WHERE ` + ofPoints + ` AND t.day BETWEEN $1::date AND $2::date AND t.kind = ANY ($3::text[])
			AND ($4::uuid IS NULL OR (t.day, t.id) < ((SELECT a.day FROM transfer a WHERE a.id = $4), $4))
		ORDER BY t.day DESC, t.id DESC LIMIT $5`
	countPointMoves = `SELECT count(*) FROM transfer t WHERE ` + ofPoints + ` AND t.day BETWEEN $1::date AND $2::date AND t.kind = ANY ($3::text[])`
	pointsByDay     = `SELECT day::text, coalesce(sum(amount_satang) FILTER (WHERE credit IN ('point_lot', 'points_owed')), 0)::bigint, coalesce(sum(amount_satang) FILTER (WHERE debit IN ('point_lot', 'points_owed')), 0)::bigint
		FROM ` + rollup.EntriesByDay + ` e WHERE day BETWEEN $1::date AND $2::date AND kind = ANY ($3::text[]) GROUP BY day ORDER BY day`
)

// Points is the report of what moved members' points.
var Points = report.New(report.Def[PointsFilter, PointsRow]{
	Name: "points", Module: "pointtransaction", TH: "รายการแต้ม", EN: "Points", Days: true,
	Filters: []report.Filter{pointKinds},
	Columns: []report.Column{
		{Name: "at", Kind: report.Moment, TH: "เวลา", EN: "Time"},
		{Name: "card_number", TH: "เลขบัตร", EN: "Card"},
		{Name: "customer_name", TH: "ลูกค้า", EN: "Customer", Table: "customer", ID: "customer_id"},
		{Name: "kind", TH: "รายการ", EN: "Kind", Words: pointKinds.Words},
		{Name: "number", TH: "คำสั่งซื้อ", EN: "Order", Table: "orders", ID: "order_id"},
		{Name: "points_in", Kind: report.Number, TH: "แต้มเข้า", EN: "Points in", Sum: true, Main: true},
		{Name: "points_out", Kind: report.Number, TH: "แต้มออก", EN: "Points out", Sum: true},
		{Name: "lapses_on", Kind: report.Day, TH: "ใช้ได้ถึง", EN: "Good until"},
	},
	Check: PointsFilter.check,
	Key:   func(r PointsRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f PointsFilter) (n int64, err error) {
		return n, tx.QueryRow(ctx, countPointMoves, f.From, f.To, f.kinds()).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f PointsFilter) ([]report.Point, error) {
		return points(ctx, tx, []string{"points_in", "points_out"}, pointsByDay, f.From, f.To, f.kinds())
	},
	Each: func(ctx context.Context, tx db.Tx, f PointsFilter, page report.Page, each func(PointsRow) error) error {
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[PointsRow], each, pointMoves, f.From, f.To, f.kinds(), after[0], page.Rows())
	},
})
