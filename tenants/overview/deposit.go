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

// DepositFilter narrows the payments of all organisations.
type DepositFilter struct {
	Search string     `json:"search,omitempty" required:"false" maxLength:"80" doc:"How a reference begins; then they are ordered by reference, of every state"`
	Org    *uuid.UUID `json:"org_id,omitempty" required:"false" doc:"Only of this organisation"`
	State  string     `json:"state,omitempty" required:"false" enum:"created,awaiting,captured,expired,failed" doc:"Only in this state"`
}

// DepositInput asks for a page of payments.
type DepositInput struct {
	DepositFilter
	Page
}

// Deposit is money asked of a customer through a gateway.
type Deposit struct {
	ID         uuid.UUID    `json:"id"`
	Org        uuid.UUID    `json:"org_id"`
	OrgTH      string       `json:"org_name_th"`
	OrgEN      string       `json:"org_name_en"`
	Reference  string       `json:"reference"`
	Name       string       `json:"customer_name" doc:"Empty if his data is gone"`
	Purpose    string       `json:"purpose" enum:"topup,order,offer,duplicate"`
	Method     string       `json:"method" enum:"promptpay,card"`
	State      string       `json:"state" enum:"created,awaiting,captured,expired,failed"`
	Amount     money.Amount `json:"amount_satang" doc:"What was asked"`
	Captured   money.Amount `json:"captured_satang" doc:"What came in"`
	OwnGateway bool         `json:"own_gateway" doc:"Through the organisation's own account at a gateway, not through the platform's"`
	Test       bool         `json:"test" doc:"In the gateway's test mode: no money moved"`
	CreatedAt  time.Time    `json:"created_at" doc:"UTC"`
	CapturedAt *time.Time   `json:"captured_at" doc:"UTC"`
}

// DepositPage is a page of payments.
type DepositPage struct {
	Data []Deposit `json:"data"`
	Next *string   `json:"next" nullable:"true"`
	Seen Seen      `json:"seen"`
}

const (
	depositColumns = `SELECT d.id, d.org_id, o.name_th, o.name_en, d.reference, coalesce(c.name, ''), d.purpose, d.method, d.state, d.amount_satang, d.captured_satang,
			d.gateway IN ('gateway_own', 'gateway_own_test'), d.gateway IN ('gateway_own_test', 'gateway_platform_test'), d.created_at, d.captured_at
		FROM overview_deposit d JOIN organisation o ON o.id = d.org_id LEFT JOIN overview_customer c ON c.org_id = d.org_id AND c.id = d.customer_id `

	// $1, the value of the place, is not needed where the id is the order.
	depositsNewest      = depositColumns + `WHERE $1::text = '' AND (d.id, d.org_id) < ($3, $2) ORDER BY d.id DESC, d.org_id DESC LIMIT $4`
	depositsInState     = depositColumns + `WHERE d.state = $1 AND (d.id, d.org_id) < ($3, $2) ORDER BY d.id DESC, d.org_id DESC LIMIT $4`
	depositsByReference = depositColumns + `WHERE (d.reference, d.org_id, d.id) > ($1::text, $2::uuid, $3::uuid) AND d.reference < $5::text || chr(1114111) ORDER BY d.reference, d.org_id, d.id LIMIT $4`

	depositsOfOrgNewest      = depositColumns + `WHERE d.org_id = $4 AND $1::text = '' AND d.id < $2 ORDER BY d.id DESC LIMIT $3`
	depositsOfOrgInState     = depositColumns + `WHERE d.org_id = $4 AND d.state = $1 AND d.id < $2 ORDER BY d.id DESC LIMIT $3`
	depositsOfOrgByReference = depositColumns + `WHERE d.org_id = $4 AND (d.reference, d.id) > ($1::text, $2::uuid) AND d.reference < $5::text || chr(1114111) ORDER BY d.reference, d.id LIMIT $3`

	seenDeposits = `SELECT count(v.deposits_until), count(*) FILTER (WHERE v.deposits_until IS NULL), min(v.deposits_until) FROM organisation o LEFT JOIN overview v ON v.org_id = o.id WHERE o.state <> 'provisioning'`
)

func (d Deposit) key() (org, id uuid.UUID) { return d.Org, d.ID }

func (f DepositFilter) order() order[Deposit] {
	if search := strings.ToUpper(strings.TrimSpace(f.Search)); search != "" {
		return order[Deposit]{depositsByReference, depositsOfOrgByReference, search, place{value: search}, func(d Deposit) any { return d.Reference }, parseText}
	}
	all, ofOrg := depositsNewest, depositsOfOrgNewest
	if f.State != "" {
		all, ofOrg = depositsInState, depositsOfOrgInState
	}
	first := place{f.State, uuid.Max, uuid.Max}
	return order[Deposit]{all, ofOrg, "", first, func(Deposit) any { return f.State }, func(string) (any, error) { return f.State, nil }}
}

// Deposits returns a page of the payments of all organisations, or of one: the newest first.
func (s *Service) Deposits(ctx context.Context, in DepositInput) (p DepositPage, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if p.Data, p.Next, err = in.order().page(ctx, tx, in.Org, in.Page); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenDeposits).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("payments of all organisations: %w", err)
	}
	return p, nil
}

var (
	purposes = map[string]word{
		"topup":     {"เติมเงิน", "Top-up"},
		"order":     {"คำสั่งซื้อ", "Order"},
		"offer":     {"ประกาศขาย", "Offer"},
		"duplicate": {"ชำระซ้ำ", "Paid twice"},
	}
	methods = map[string]word{
		"promptpay": {"QR พร้อมเพย์", "PromptPay QR"},
		"card":      {"บัตร", "Card"},
	}
	states = map[string]word{
		"created":  {"เริ่มแล้ว", "Started"},
		"awaiting": {"รอชำระ", "Waiting for payment"},
		"captured": {"ชำระแล้ว", "Paid"},
		"expired":  {"ไม่ได้ชำระ", "Not paid"},
		"failed":   {"ไม่สำเร็จ", "Failed"},
	}
	yesNo = map[bool]word{true: {"ใช่", "Yes"}, false: {"ไม่ใช่", "No"}}
)

var depositColumnsOfFile = []report.Column{
	{TH: "เลขอ้างอิง", EN: "Reference"},
	{TH: "องค์กร", EN: "Organisation"},
	{TH: "ลูกค้า", EN: "Customer"},
	{TH: "ชำระเพื่อ", EN: "For"},
	{TH: "ช่องทาง", EN: "Method"},
	{TH: "สถานะ", EN: "State"},
	{Kind: report.Satang, TH: "ยอดเงิน", EN: "Amount"},
	{Kind: report.Satang, TH: "รับจริง", EN: "Received"},
	{TH: "ผ่านบัญชีขององค์กรเอง", EN: "Own gateway"},
	{TH: "โหมดทดสอบ", EN: "Test mode"},
	{Kind: report.Moment, TH: "เริ่มเมื่อ", EN: "Started"},
	{Kind: report.Moment, TH: "รับเงินเมื่อ", EN: "Paid"},
}

// DepositFile writes what is found of payments into a csv file, and records that it did.
func (s *Service) DepositFile(ctx context.Context, who auditlog.Actor, lang string, f DepositFilter) (file File, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		file, err = f.order().file(ctx, tx, f.Org, fileList[Deposit]{
			who: who, table: "overview_deposit", name: "payments.csv", lang: lang, filter: f, columns: depositColumnsOfFile,
			cells: func(d Deposit) []any {
				return []any{
					d.Reference, inLanguage(lang, d.OrgTH, d.OrgEN), d.Name, purposes[d.Purpose].in(lang), methods[d.Method].in(lang), states[d.State].in(lang),
					d.Amount, d.Captured, yesNo[d.OwnGateway].in(lang), yesNo[d.Test].in(lang), d.CreatedAt, d.CapturedAt,
				}
			},
		})
		return err
	})
	if err != nil {
		return file, fmt.Errorf("file of payments: %w", err)
	}
	return file, nil
}

// ByDeposit names a payment of an organisation.
type ByDeposit struct {
	Org uuid.UUID `json:"org_id"`
	ID  uuid.UUID `json:"id"`
}

// DepositRecord is a payment as its organisation has it now.
type DepositRecord struct {
	GatewayID string       `json:"gateway_id" doc:"The gateway's name of it; may be empty"`
	State     string       `json:"state" enum:"created,awaiting,captured,expired,failed"`
	Amount    money.Amount `json:"amount_satang"`
	Captured  money.Amount `json:"captured_satang"`
	Fee       money.Amount `json:"fee_satang" doc:"The gateway's, its VAT included"`
	Refunded  money.Amount `json:"refunded_satang" doc:"What the gateway sent back to the payer"`
	Disputed  money.Amount `json:"disputed_satang" doc:"What the payer's bank holds back"`
	Owed      money.Amount `json:"owed_satang" doc:"Of both, what nothing has covered yet"`
	Dispute   string       `json:"dispute" enum:",open,won,lost"`
}

const depositOf = `SELECT coalesce(gateway_id, ''), state, amount_satang, captured_satang, fee_satang, refunded_satang + sent_satang, disputed_satang, owed_satang, dispute FROM charge WHERE id = $1`

// Deposit returns a payment as its organisation has it now. Who looked stands in the organisation's audit log. It returns org.ErrNotFound or
// fault.Missing.
func (s *Service) Deposit(ctx context.Context, who auditlog.Actor, in ByDeposit) (r DepositRecord, err error) {
	if err := s.find(ctx, in.Org); err != nil {
		return r, err
	}
	err = s.db.InOrg(ctx, in.Org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, depositOf, in.ID).Scan(&r.GatewayID, &r.State, &r.Amount, &r.Captured, &r.Fee, &r.Refunded, &r.Disputed, &r.Owed, &r.Dispute)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("payment %s: %w", in.ID, err)
		}
		return auditlog.Record(ctx, tx, who, "look", "depositqrtransaction/"+in.ID.String(), nil, nil)
	})
	return r, err
}
