package reports

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/wallet"
)

// FloatFilter asks for what all wallets held together on some days.
type FloatFilter struct{ Days }

// FloatRow is what all wallets held together at the end of a day.
type FloatRow struct {
	Day     string       `json:"day" format:"date"`
	In      money.Amount `json:"in_satang"`
	Out     money.Amount `json:"out_satang"`
	Held    money.Amount `json:"held_satang"`
	Average money.Amount `json:"average_satang"`
}

// heldByDay has a row for each day from $1 to $2. The average is that of the ends of the last 183 days, which are six months, or of as many as there have
// been since money came into a wallet for the first time.
const heldByDay = `WITH flow AS (
		SELECT day, coalesce(sum(amount_satang) FILTER (WHERE credit = 'wallet'), 0) AS inward, coalesce(sum(amount_satang) FILTER (WHERE debit = 'wallet'), 0) AS outward
		FROM ` + rollup.EntriesByDay + ` e WHERE day <= $2::date AND 'wallet' IN (debit, credit) GROUP BY day
	), held AS (
		SELECT d.day::date AS day, coalesce(f.inward, 0) AS inward, coalesce(f.outward, 0) AS outward,
			(SELECT coalesce(sum(b.inward - b.outward), 0) FROM flow b WHERE b.day < $1::date - 182) + sum(coalesce(f.inward - f.outward, 0)) OVER (ORDER BY d.day) AS held
		FROM generate_series($1::date - 182, $2::date, interval '1 day') d (day) LEFT JOIN flow f ON f.day = d.day::date
	), average AS (
		SELECT day, inward, outward, held, coalesce(round(avg(held) FILTER (WHERE day >= (SELECT min(f.day) FROM flow f)) OVER (ORDER BY day ROWS 182 PRECEDING)), 0) AS average FROM held
	)
	SELECT day::text, inward::bigint, outward::bigint, held::bigint, average::bigint FROM average WHERE day >= $1::date ORDER BY day DESC`

// Float is the report of what all wallets held together, beside the limit.
var Float = report.New(report.Def[FloatFilter, FloatRow]{
	Name: "float", Module: "wallettransaction", TH: "เงินใน Wallet ทั้งหมด", EN: "Money in Wallets", Days: true,
	Columns: []report.Column{
		{Name: "day", Kind: report.Day, TH: "วันที่", EN: "Day", Report: "wallets", With: map[string]string{"from": "day", "to": "day"}},
		{Name: "in_satang", Kind: report.Satang, TH: "เข้า", EN: "In", Sum: true},
		{Name: "out_satang", Kind: report.Satang, TH: "ออก", EN: "Out", Sum: true},
		{Name: "held_satang", Kind: report.Satang, TH: "คงเหลือสิ้นวัน", EN: "Held at the day's end", Main: true},
		{Name: "average_satang", Kind: report.Satang, TH: "เฉลี่ย 6 เดือน", EN: "Six-month average"},
	},
	Chart: &report.Chart{By: "day", Series: []string{"held_satang", "average_satang"}, Beside: true},
	Check: func(f FloatFilter) []fault.Field { return f.check() },
	Figures: func(ctx context.Context, tx db.Tx, _ FloatFilter) ([]report.Figure, error) {
		held, err := readHeld(ctx, tx)
		return []report.Figure{
			{TH: "คงเหลือตอนนี้", EN: "Held now", Amount: int64(held.Now)},
			{TH: "เฉลี่ย 6 เดือน", EN: "Six-month average", Amount: int64(held.Average)},
			{TH: "วงเงินที่ตั้งไว้", EN: "Limit", Amount: int64(held.Limit)},
		}, err
	},
	Each: func(ctx context.Context, tx db.Tx, f FloatFilter, _ report.Page, each func(FloatRow) error) error {
		return db.Stream(ctx, tx, pgx.RowToStructByPos[FloatRow], each, heldByDay, f.From, f.To)
	},
})

// Held is what all wallets hold together, beside the limit.
type Held struct {
	Now     money.Amount `json:"now_satang"`
	Average money.Amount `json:"average_satang" doc:"Of the ends of the last 183 days"`
	Limit   money.Amount `json:"limit_satang"`
	Percent int64        `json:"percent" doc:"Of the limit, by the larger of the two, rounded down"`
	Warning int64        `json:"warning" enum:"0,60,80,95" doc:"The highest of these percentages that is reached; 0 if none is"`
}

func readHeld(ctx context.Context, tx db.Tx) (h Held, err error) {
	limit, err := wallet.ReadLimit(ctx, tx)
	if err != nil {
		return h, err
	}
	today := clock.Day(tx.Now)
	last, err := collect[FloatRow](ctx, tx, heldByDay, today, today)
	if err != nil {
		return h, err
	}
	h = Held{Now: last[0].Held, Average: last[0].Average, Limit: limit.Amount}
	h.Percent = int64(max(h.Now, h.Average) * 100 / h.Limit)
	for _, step := range []int64{60, 80, 95} {
		if h.Percent >= step {
			h.Warning = step
		}
	}
	return h, nil
}

// Held returns what all wallets of an organisation hold together.
func (s *Service) Held(ctx context.Context, org uuid.UUID) (held Held, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		held, err = readHeld(ctx, tx)
		return err
	})
	return held, err
}
