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
	"welovevoucher/tenants/content"
)

// PartnersFilter asks for uses of some days at service points of partners, perhaps of one partner, or in one state.
type PartnersFilter struct {
	Days
	Partner *uuid.UUID `json:"partner_id,omitempty"`
	State   string     `json:"state,omitempty"`
}

func (f PartnersFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(partnerStates, f.State)...)
}

// PartnersRow is a use that a partner earns of. Of what was undone the organisation has earned nothing.
type PartnersRow struct {
	ID        uuid.UUID    `json:"id"`
	At        time.Time    `json:"at"`
	PlaceTH   string       `json:"place_th"`
	PlaceEN   string       `json:"place_en"`
	Partner   uuid.UUID    `json:"partner_id"`
	PartnerTH string       `json:"partner_th"`
	PartnerEN string       `json:"partner_en"`
	Voucher   uuid.UUID    `json:"voucher_id"`
	Code      string       `json:"code"`
	NameTH    string       `json:"name_th"`
	NameEN    string       `json:"name_en"`
	Items     string       `json:"items"`
	State     string       `json:"state"`
	Earned    money.Amount `json:"earned_satang"`
	Frozen    money.Amount `json:"frozen_satang"`
	Due       money.Amount `json:"due_satang"`
	Mature    money.Amount `json:"mature_satang"`
}

// partnerStates are what a partner's commission of a use is.
var partnerStates = report.Filter{Name: "state", TH: "สถานะ", EN: "State", Words: []report.Word{
	{Value: "pending", TH: "ยังไม่ถึงกำหนด", EN: "Pending"},
	{Value: "mature", TH: "ถึงกำหนดแล้ว", EN: "Mature"},
	{Value: "open", TH: "ลูกค้าโต้แย้ง รอร้านตัดสิน", EN: "Objected to, to be decided"},
	{Value: "undone", TH: "ยกเลิกการใช้แล้ว", EN: "Undone"},
	{Value: "none", TH: "ไม่มีส่วนแบ่ง", EN: "Nothing"},
}}

// partners is the filter that takes one partner.
var partners = report.Filter{Name: "partner_id", TH: "พาร์ตเนอร์", EN: "Partner", Table: "partner"}

const (
	// A use r, with its commission k and the objection o to it. It needs the days, the partner and the state.
	usesOfPartners = `redemption r LEFT JOIN commission k ON k.redemption_id = r.id LEFT JOIN objection o ON o.redemption_id = r.id
		CROSS JOIN LATERAL (SELECT CASE WHEN o.state IN ('open', 'undone') THEN o.state WHEN k.id IS NULL THEN 'none' WHEN k.mature_satang > 0 THEN 'mature' ELSE 'pending' END AS is,
			CASE o.state WHEN 'undone' THEN 0 ELSE r.amount_satang END AS earned) s
		WHERE r.partner_id IS NOT NULL AND r.at >= $1 AND r.at < $2 AND ($3::uuid IS NULL OR r.partner_id = $3) AND ($4::text = '' OR s.is = $4)`
	// Those of each partner are read from his index, and no more than may be wanted.
	partnerUses = `SELECT u.id, u.at, p.name_th, p.name_en, u.partner_id, u.partner_th, u.partner_en, v.id, v.code, v.name_th, v.name_en,
			CASE v.kind WHEN 'baht' THEN to_char(u.items / 100.0, 'FM999,999,990.00') || ' ฿' ELSE u.items::text END, u.is, u.earned, u.partner_satang, u.due, u.mature
		FROM (SELECT u.id, u.at, u.service_point_id, u.voucher_id, u.items, u.is, u.earned, u.partner_satang, u.due, u.mature, x.id AS partner_id, x.name_th AS partner_th, x.name_en AS partner_en FROM partner x
			CROSS JOIN LATERAL (SELECT r.id, r.at, r.service_point_id, r.voucher_id, r.items, s.is, s.earned, r.partner_satang, coalesce(k.due_satang, 0) AS due, coalesce(k.mature_satang, 0) AS mature FROM ` + usesOfPartners + `
				AND r.partner_id = x.id AND ($5::uuid IS NULL OR (r.at, r.id) < (SELECT a.at, a.id FROM redemption a WHERE a.id = $5)) ORDER BY r.at DESC, r.id DESC LIMIT $6) u
			WHERE $3::uuid IS NULL OR x.id = $3 ORDER BY u.at DESC, u.id DESC LIMIT $6) u
		JOIN service_point p ON p.id = u.service_point_id JOIN voucher v ON v.id = u.voucher_id ORDER BY u.at DESC, u.id DESC`
	countPartnerUses = `SELECT count(*) FROM ` + usesOfPartners
	partnerUsesByDay = `SELECT (r.at AT TIME ZONE 'Asia/Bangkok')::date::text, sum(s.earned)::bigint, sum(r.partner_satang)::bigint, coalesce(sum(k.due_satang), 0)::bigint, coalesce(sum(k.mature_satang), 0)::bigint
		FROM ` + usesOfPartners + ` GROUP BY 1 ORDER BY 1`
)

// PartnerCommissions is the report of what partners earn of each use at their service points, as it is now.
var PartnerCommissions = report.New(report.Def[PartnersFilter, PartnersRow]{
	Name: "partnercommissiontransaction", Module: "partnercommissiontransaction", TH: "ค่าคอมพาร์ตเนอร์", EN: "Commission of partners", Days: true,
	Title: func(ctx context.Context, tx db.Tx) (report.Title, error) {
		w, err := content.ReadProductWord(ctx, tx)
		return report.Title{TH: "ค่าคอมพาร์ตเนอร์ราย" + w.TH, EN: "Commission of partners by " + w.EN, File: "partner" + w.Slug + "commissiontransaction"}, err
	},
	Filters: []report.Filter{partners, partnerStates},
	Columns: []report.Column{
		{Name: "at", Kind: report.Moment, TH: "ใช้เมื่อ", EN: "Used"},
		{Name: "place", Both: true, TH: "จุดบริการ", EN: "Service point"},
		{Name: "partner", Both: true, TH: "พาร์ตเนอร์", EN: "Partner", Table: "partner", ID: "partner_id"},
		{Name: "code", TH: "รหัส", EN: "Code", Table: "voucher", ID: "voucher_id"},
		{Name: "name", Both: true, TH: "เวาเชอร์", EN: "Voucher"},
		{Name: "items", TH: "ใช้ไป", EN: "Used up"},
		{Name: "state", TH: "สถานะ", EN: "State", Words: partnerStates.Words},
		{Name: "earned_satang", Kind: report.Satang, TH: "ร้านได้รับ", EN: "Earned", Sum: true},
		{Name: "frozen_satang", Kind: report.Satang, TH: "ค่าคอมเมื่อใช้", EN: "As used", Sum: true, Main: true},
		{Name: "due_satang", Kind: report.Satang, TH: "ค่าคอม", EN: "Commission", Sum: true},
		{Name: "mature_satang", Kind: report.Satang, TH: "ถึงกำหนดแล้ว", EN: "Mature", Sum: true},
	},
	Chart: &report.Chart{By: "day", Series: []string{"due_satang", "mature_satang"}, Beside: true},
	Check: PartnersFilter.check,
	Key:   func(r PartnersRow) string { return r.ID.String() },
	Count: func(ctx context.Context, tx db.Tx, f PartnersFilter) (n int64, err error) {
		from, to := f.instants()
		return n, tx.QueryRow(ctx, countPartnerUses, from, to, f.Partner, f.State).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f PartnersFilter) ([]report.Point, error) {
		from, to := f.instants()
		return points(ctx, tx, []string{"earned_satang", "frozen_satang", "due_satang", "mature_satang"}, partnerUsesByDay, from, to, f.Partner, f.State)
	},
	Each: func(ctx context.Context, tx db.Tx, f PartnersFilter, page report.Page, each func(PartnersRow) error) error {
		from, to := f.instants()
		after, err := page.IDs(1)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[PartnersRow], each, partnerUses, from, to, f.Partner, f.State, after[0], page.Rows())
	},
})
