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

// WalletsFilter asks for what moved customers' wallets on some days, perhaps for one reason.
type WalletsFilter struct {
	Days
	Kind string `json:"kind,omitempty"`
}

func (f WalletsFilter) check() []fault.Field {
	return append(f.Days.check(), oneOf(walletKinds, f.Kind)...)
}

// WalletsRow is what a transfer did to a wallet.
type WalletsRow struct {
	ID       uuid.UUID    `json:"id"`
	Account  uuid.UUID    `json:"account_id"`
	At       time.Time    `json:"at"`
	Kind     string       `json:"kind"`
	Number   string       `json:"number"`
	Customer uuid.UUID    `json:"customer_id"`
	Name     string       `json:"customer_name"`
	In       money.Amount `json:"in_satang"`
	Out      money.Amount `json:"out_satang"`
	After    money.Amount `json:"after_satang"`
}

// walletKinds are the kinds of transfers that move wallets (the audit's rule of which accounts a kind moves has them all).
var walletKinds = report.Filter{Name: "kind", TH: "รายการ", EN: "Kind", Words: []report.Word{
	{Value: "topup", TH: "เติมเงิน", EN: "Top-up"},
	{Value: "purchase", TH: "ซื้อ", EN: "Purchase"},
	{Value: "resale", TH: "ขายต่อ", EN: "Resale"},
	{Value: "refund", TH: "คืนเงิน", EN: "Refund"},
	{Value: "remittance_failed", TH: "คืนเงินเข้าบัตรหรือบัญชีไม่ได้", EN: "Not refunded to the card or account"},
	{Value: "cashout", TH: "ถอนเงินออก", EN: "Paid out"},
	{Value: "goodwill", TH: "ร้านคืนเงินให้", EN: "Given back by the shop"},
	{Value: "card_returned", TH: "คืนค่าบัตรสมาชิก", EN: "Price of a member card, returned"},
	{Value: "card_credited", TH: "คืนค่าบัตรใบเดิมตามวันที่เหลือ", EN: "Days left of a member card, returned"},
	{Value: "expiry", TH: "คืนเงินเมื่อหมดอายุ", EN: "Paid back at expiry"},
	{Value: "taken_back", TH: "คืนมูลค่าเวาเชอร์", EN: "Worth of a voucher"},
	{Value: "chargeback", TH: "ธนาคารดึงเงินคืน", EN: "Taken back by the bank"},
	{Value: "debt", TH: "ชำระยอดค้าง", EN: "Debt paid"},
	{Value: "former_account", TH: "เงินจากบัญชีเดิม", EN: "From a former account"},
	{Value: "adjustment", TH: "ปรับปรุง", EN: "Adjustment"},
}}

const (
	moved = `SELECT t.id, m.account_id, t.at, t.kind,
			coalesce((SELECT number FROM orders WHERE id = t.cause_id), (SELECT reference FROM charge WHERE id = t.cause_id),
				(SELECT number FROM resale WHERE id = t.cause_id), (SELECT number FROM refund WHERE id = t.cause_id), (SELECT number FROM cashout WHERE id = t.cause_id), ''),
			m.holder_id, c.display_name, m.inward, m.outward, m.after
		FROM transfer t CROSS JOIN LATERAL (
			SELECT a.id AS account_id, a.holder_id, coalesce(sum(e.amount_satang) FILTER (WHERE e.credit_id = a.id), 0)::bigint AS inward,
				coalesce(sum(e.amount_satang) FILTER (WHERE e.debit_id = a.id), 0)::bigint AS outward,
				(array_agg(CASE WHEN e.credit_id = a.id THEN e.credit_after_satang ELSE e.debit_after_satang END ORDER BY e.id DESC))[1] AS after
			FROM entry e JOIN account a ON a.id IN (e.debit_id, e.credit_id) AND a.kind = 'wallet' WHERE e.transfer_id = t.id GROUP BY a.id, a.holder_id) m
		JOIN customer c ON c.id = m.holder_id
		WHERE t.day BETWEEN $1::date AND $2::date AND t.kind = ANY ($3::text[])
			AND ($4::uuid IS NULL OR (t.day, t.id) <= ((SELECT a.day FROM transfer a WHERE a.id = $4), $4) AND (t.day, t.id, m.account_id) < ((SELECT a.day FROM transfer a WHERE a.id = $4), $4, $5::uuid))
		ORDER BY t.day DESC, t.id DESC, m.account_id DESC LIMIT $6`
	countMoved = `SELECT coalesce(sum(entries), 0)::bigint FROM ` + rollup.EntriesByDay + ` e
		WHERE day BETWEEN $1::date AND $2::date AND kind = ANY ($3::text[]) AND 'wallet' IN (debit, credit)`
	movedByDay = `SELECT day::text, coalesce(sum(amount_satang) FILTER (WHERE credit = 'wallet'), 0)::bigint, coalesce(sum(amount_satang) FILTER (WHERE debit = 'wallet'), 0)::bigint
		FROM ` + rollup.EntriesByDay + ` e WHERE day BETWEEN $1::date AND $2::date AND kind = ANY ($3::text[]) AND 'wallet' IN (debit, credit) GROUP BY day ORDER BY day`
	walletsAt = `SELECT coalesce(sum(amount_satang) FILTER (WHERE credit = 'wallet' AND day < $1::date), 0)::bigint - coalesce(sum(amount_satang) FILTER (WHERE debit = 'wallet' AND day < $1::date), 0)::bigint,
			coalesce(sum(amount_satang) FILTER (WHERE credit = 'wallet'), 0)::bigint - coalesce(sum(amount_satang) FILTER (WHERE debit = 'wallet'), 0)::bigint,
			coalesce(sum(amount_satang) FILTER (WHERE kind = 'topup' AND credit = 'wallet' AND day >= $1::date), 0)::bigint
		FROM ` + rollup.EntriesByDay + ` e WHERE day <= $2::date AND 'wallet' IN (debit, credit)`
)

func (f WalletsFilter) kinds() []string {
	if f.Kind != "" {
		return []string{f.Kind}
	}
	kinds := []string{}
	for _, w := range walletKinds.Words {
		kinds = append(kinds, w.Value)
	}
	return kinds
}

// Wallets is the report of what moved customers' wallets, between what all of them held before and after.
var Wallets = report.New(report.Def[WalletsFilter, WalletsRow]{
	Name: "wallets", Module: "wallettransaction", TH: "รายการ Wallet", EN: "Wallet movements", Days: true,
	Filters: []report.Filter{walletKinds},
	Columns: []report.Column{
		{Name: "at", Kind: report.Moment, TH: "เวลา", EN: "Time"},
		{Name: "customer_name", TH: "ลูกค้า", EN: "Customer", Table: "customer", ID: "customer_id"},
		{Name: "kind", TH: "รายการ", EN: "Kind", Words: walletKinds.Words},
		{Name: "number", TH: "เลขที่", EN: "Number"},
		{Name: "in_satang", Kind: report.Satang, TH: "เข้า", EN: "In", Sum: true, Main: true},
		{Name: "out_satang", Kind: report.Satang, TH: "ออก", EN: "Out", Sum: true},
		{Name: "after_satang", Kind: report.Satang, TH: "คงเหลือของลูกค้า", EN: "The customer's balance"},
	},
	Chart: &report.Chart{By: "day", Series: []string{"in_satang", "out_satang"}, Beside: true},
	Check: WalletsFilter.check,
	Key:   func(r WalletsRow) string { return r.ID.String() + "," + r.Account.String() },
	Count: func(ctx context.Context, tx db.Tx, f WalletsFilter) (n int64, err error) {
		return n, tx.QueryRow(ctx, countMoved, f.From, f.To, f.kinds()).Scan(&n)
	},
	Points: func(ctx context.Context, tx db.Tx, f WalletsFilter) ([]report.Point, error) {
		return points(ctx, tx, []string{"in_satang", "out_satang"}, movedByDay, f.From, f.To, f.kinds())
	},
	Figures: func(ctx context.Context, tx db.Tx, f WalletsFilter) ([]report.Figure, error) {
		opening := report.Figure{TH: "ยอดยกมา", EN: "Opening balance"}
		closing := report.Figure{TH: "ยอดคงเหลือ", EN: "Closing balance"}
		topups := report.Figure{TH: "ลูกค้าเติมเงิน", EN: "Topped up"}
		err := tx.QueryRow(ctx, walletsAt, f.From, f.To).Scan(&opening.Amount, &closing.Amount, &topups.Amount)
		return []report.Figure{opening, topups, closing}, err
	},
	Each: func(ctx context.Context, tx db.Tx, f WalletsFilter, page report.Page, each func(WalletsRow) error) error {
		after, err := page.IDs(2)
		if err != nil {
			return err
		}
		return db.Stream(ctx, tx, pgx.RowToStructByPos[WalletsRow], each, moved, f.From, f.To, f.kinds(), after[0], after[1], page.Rows())
	},
})
