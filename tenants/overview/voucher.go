package overview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
)

// VoucherFilter narrows the vouchers of all organisations.
type VoucherFilter struct {
	Search string     `json:"search,omitempty" required:"false" maxLength:"80" doc:"How a code begins; then they are ordered by code, of every state"`
	Org    *uuid.UUID `json:"org_id,omitempty" required:"false" doc:"Only of this organisation"`
	State  string     `json:"state,omitempty" required:"false" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void" doc:"Only in this state"`
	By     string     `json:"by,omitempty" required:"false" enum:"issued,ending" doc:"The newest first, which is what is taken if nothing is said, or those that end by themselves, the soonest first; this is of no state"`
}

// VoucherInput asks for a page of vouchers.
type VoucherInput struct {
	VoucherFilter
	Page
}

// Voucher is a voucher of some organisation.
type Voucher struct {
	ID         uuid.UUID `json:"id"`
	Org        uuid.UUID `json:"org_id"`
	OrgTH      string    `json:"org_name_th"`
	OrgEN      string    `json:"org_name_en"`
	Code       string    `json:"code"`
	NameTH     string    `json:"name_th"`
	NameEN     string    `json:"name_en"`
	Kind       string    `json:"kind" enum:"item,baht"`
	State      string    `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void"`
	Name       string    `json:"holder_name" doc:"Empty if his data is gone"`
	ItemsTotal int64     `json:"items_total" doc:"Satang when kind is baht"`
	ItemsLeft  int64     `json:"items_left"`
	ValidUntil string    `json:"valid_until" format:"date"`
	IssuedAt   time.Time `json:"issued_at" doc:"UTC"`
}

// VoucherCounts says how many vouchers are in which state.
type VoucherCounts struct {
	Ready   int64 `json:"ready" doc:"Being used ones among them"`
	Moving  int64 `json:"moving" doc:"For sale, or given and not accepted yet"`
	Frozen  int64 `json:"frozen"`
	Used    int64 `json:"used"`
	Expired int64 `json:"expired"`
	Back    int64 `json:"back" doc:"Refunded or void"`
}

// VoucherPage is a page of vouchers.
type VoucherPage struct {
	Data   []Voucher     `json:"data"`
	Next   *string       `json:"next" nullable:"true"`
	Seen   Seen          `json:"seen"`
	Counts VoucherCounts `json:"counts" doc:"Of the organisation that is asked for, or of all"`
}

const (
	voucherColumns = `SELECT v.id, v.org_id, o.name_th, o.name_en, v.code, v.name_th, v.name_en, v.kind, v.state, coalesce(c.name, ''), v.items_total, v.items_left, v.valid_until::text, v.issued_at
		FROM overview_voucher v JOIN organisation o ON o.id = v.org_id LEFT JOIN overview_customer c ON c.org_id = v.org_id AND c.id = v.holder_id `

	// $1, the value of the place, is not needed where the id is the order.
	vouchersNewest  = voucherColumns + `WHERE $1::text = '' AND (v.id, v.org_id) < ($3, $2) ORDER BY v.id DESC, v.org_id DESC LIMIT $4`
	vouchersInState = voucherColumns + `WHERE v.state = $1 AND (v.id, v.org_id) < ($3, $2) ORDER BY v.id DESC, v.org_id DESC LIMIT $4`
	vouchersByCode  = voucherColumns + `WHERE (v.code, v.org_id, v.id) > ($1::text, $2::uuid, $3::uuid) AND v.code < $5::text || chr(1114111) ORDER BY v.code, v.org_id, v.id LIMIT $4`
	vouchersEnding  = voucherColumns + `WHERE v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer') AND (v.valid_until, v.org_id, v.id) > ($1::date, $2::uuid, $3::uuid)
		ORDER BY v.valid_until, v.org_id, v.id LIMIT $4`

	vouchersOfOrgNewest  = voucherColumns + `WHERE v.org_id = $4 AND $1::text = '' AND v.id < $2 ORDER BY v.id DESC LIMIT $3`
	vouchersOfOrgInState = voucherColumns + `WHERE v.org_id = $4 AND v.state = $1 AND v.id < $2 ORDER BY v.id DESC LIMIT $3`
	vouchersOfOrgByCode  = voucherColumns + `WHERE v.org_id = $4 AND (v.code, v.id) > ($1::text, $2::uuid) AND v.code < $5::text || chr(1114111) ORDER BY v.code, v.id LIMIT $3`
	vouchersOfOrgEnding  = voucherColumns + `WHERE v.org_id = $4 AND v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer') AND (v.valid_until, v.id) > ($1::date, $2::uuid)
		ORDER BY v.valid_until, v.id LIMIT $3`

	seenVouchers = `SELECT count(v.vouchers_until), count(*) FILTER (WHERE v.vouchers_until IS NULL), min(v.vouchers_until) FROM organisation o LEFT JOIN overview v ON v.org_id = o.id WHERE o.state <> 'provisioning'`
	voucherSums  = `SELECT coalesce(sum(vouchers_ready), 0)::bigint, coalesce(sum(vouchers_moving), 0)::bigint, coalesce(sum(vouchers_frozen), 0)::bigint, coalesce(sum(vouchers_used), 0)::bigint,
			coalesce(sum(vouchers_expired), 0)::bigint, coalesce(sum(vouchers_back), 0)::bigint
		FROM overview WHERE $1::uuid IS NULL OR org_id = $1`
)

func (v Voucher) key() (org, id uuid.UUID) { return v.Org, v.ID }

func (f VoucherFilter) order() order[Voucher] {
	if search := strings.ToUpper(strings.TrimSpace(f.Search)); search != "" {
		return order[Voucher]{vouchersByCode, vouchersOfOrgByCode, search, place{value: search}, func(v Voucher) any { return v.Code }, parseText}
	}
	if f.By == "ending" {
		return order[Voucher]{vouchersEnding, vouchersOfOrgEnding, "", place{value: "0001-01-01"}, func(v Voucher) any { return v.ValidUntil }, parseDay}
	}
	all, ofOrg := vouchersNewest, vouchersOfOrgNewest
	if f.State != "" {
		all, ofOrg = vouchersInState, vouchersOfOrgInState
	}
	first := place{f.State, uuid.Max, uuid.Max}
	return order[Voucher]{all, ofOrg, "", first, func(Voucher) any { return f.State }, func(string) (any, error) { return f.State, nil }}
}

// Vouchers returns a page of the vouchers of all organisations, or of one.
func (s *Service) Vouchers(ctx context.Context, in VoucherInput) (p VoucherPage, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if p.Data, p.Next, err = in.order().page(ctx, tx, in.Org, in.Page); err != nil {
			return err
		}
		c := &p.Counts
		if err := tx.QueryRow(ctx, voucherSums, in.Org).Scan(&c.Ready, &c.Moving, &c.Frozen, &c.Used, &c.Expired, &c.Back); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenVouchers).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("vouchers of all organisations: %w", err)
	}
	return p, nil
}

var voucherStates = map[string]word{
	"ready":       {"พร้อมใช้", "Ready"},
	"in_use":      {"กำลังใช้", "Being used"},
	"on_sale":     {"ลงขายอยู่", "For sale"},
	"in_transfer": {"กำลังให้", "Being given"},
	"frozen":      {"พักไว้", "Frozen"},
	"used":        {"ใช้แล้ว", "Used"},
	"expired":     {"หมดอายุ", "Expired"},
	"refunded":    {"คืนเงินแล้ว", "Refunded"},
	"void":        {"ยกเลิกแล้ว", "Void"},
}

var voucherColumnsOfFile = []report.Column{
	{TH: "รหัส", EN: "Code"},
	{TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
	{TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
	{TH: "องค์กร", EN: "Organisation"},
	{TH: "ผู้ถือ", EN: "Holder"},
	{TH: "สถานะ", EN: "State"},
	{TH: "จำนวนทั้งหมด", EN: "Items"},
	{TH: "คงเหลือ", EN: "Left"},
	{TH: "ใช้ได้ถึง", EN: "Valid until"},
	{Kind: report.Moment, TH: "ออกเมื่อ", EN: "Issued"},
}

// amountOf writes how much a voucher has: a number of items, or baht.
func amountOf(kind string, n int64) any {
	if kind == "baht" {
		return money.Amount(n).String()
	}
	return n
}

// VoucherFile writes the vouchers that a filter finds into a csv file. The platform's audit log says who did.
func (s *Service) VoucherFile(ctx context.Context, who auditlog.Actor, lang string, f VoucherFilter) (file File, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) (err error) {
		file, err = f.order().file(ctx, tx, f.Org, fileList[Voucher]{
			who: who, table: "overview_voucher", name: "vouchers.csv", lang: lang, filter: f, columns: voucherColumnsOfFile,
			cells: func(v Voucher) []any {
				return []any{
					v.Code, v.NameTH, v.NameEN, inLanguage(lang, v.OrgTH, v.OrgEN), v.Name, voucherStates[v.State].in(lang),
					amountOf(v.Kind, v.ItemsTotal), amountOf(v.Kind, v.ItemsLeft), v.ValidUntil, v.IssuedAt,
				}
			},
		})
		return err
	})
	if err != nil {
		return file, fmt.Errorf("file of vouchers: %w", err)
	}
	return file, nil
}

// ByVoucher names a voucher of an organisation.
type ByVoucher struct {
	Org uuid.UUID `json:"org_id"`
	ID  uuid.UUID `json:"id"`
}

// VoucherRecord is a voucher as its organisation has it now.
type VoucherRecord struct {
	Code       string       `json:"code"`
	State      string       `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void"`
	Name       string       `json:"holder_name" doc:"Empty if his data is gone"`
	Order      string       `json:"order_number"`
	ItemsTotal int64        `json:"items_total" doc:"Satang when kind is baht"`
	ItemsLeft  int64        `json:"items_left"`
	Share      money.Amount `json:"share_satang" doc:"The seller's part of the price"`
	ValidUntil string       `json:"valid_until" format:"date"`
	Uses       int64        `json:"uses" doc:"Without those that were undone"`
	UsedAt     *time.Time   `json:"used_at" nullable:"true" doc:"Of the last use; UTC"`
}

const voucherOf = `SELECT v.code, v.state, c.display_name, o.number, v.items_total, v.items_left, v.share_satang, v.valid_until::text,
		u.uses, u.used_at
	FROM voucher v JOIN customer c ON c.id = v.holder_id JOIN orders o ON o.id = v.order_id
		CROSS JOIN LATERAL (SELECT count(*) AS uses, max(r.at) AS used_at FROM redemption r WHERE r.voucher_id = v.id AND NOT EXISTS (SELECT FROM voucher a WHERE a.undoes = r.id)) u
	WHERE v.id = $1`

// Voucher returns a voucher as its organisation has it now. Who looked stands in the organisation's audit log. It returns org.ErrNotFound or
// fault.Missing.
func (s *Service) Voucher(ctx context.Context, who auditlog.Actor, in ByVoucher) (r VoucherRecord, err error) {
	if err := s.find(ctx, in.Org); err != nil {
		return r, err
	}
	err = s.db.InOrg(ctx, in.Org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, voucherOf, in.ID).Scan(&r.Code, &r.State, &r.Name, &r.Order, &r.ItemsTotal, &r.ItemsLeft, &r.Share, &r.ValidUntil, &r.Uses, &r.UsedAt)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("voucher %s: %w", in.ID, err)
		}
		return auditlog.Record(ctx, tx, who, "look", "voucher/"+in.ID.String(), nil, nil)
	})
	return r, err
}
