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

// CustomerFilter narrows customers of all organisations.
type CustomerFilter struct {
	Search string     `json:"search,omitempty" required:"false" maxLength:"80" doc:"How a name begins; then they are ordered by name"`
	Org    *uuid.UUID `json:"org_id,omitempty" required:"false" doc:"Only of this organisation"`
	Sort   string     `json:"sort,omitempty" required:"false" enum:"-changed_at,-wallet" doc:"Who was changed last comes first, if nothing else is said"`
}

// CustomerInput asks for a page of customers.
type CustomerInput struct {
	CustomerFilter
	Page
}

// Customer is one of an organisation. The same person in two organisations is two.
type Customer struct {
	ID      uuid.UUID    `json:"id"`
	Org     uuid.UUID    `json:"org_id"`
	OrgTH   string       `json:"org_name_th"`
	OrgEN   string       `json:"org_name_en"`
	Name    string       `json:"name"`
	Status  int16        `json:"status"`
	Wallet  money.Amount `json:"wallet_satang"`
	Debt    money.Amount `json:"debt_satang" doc:"What he owes for money that was taken back"`
	Joined  time.Time    `json:"joined_at" doc:"UTC"`
	Changed time.Time    `json:"changed_at" doc:"When he or his wallet was changed, UTC"`
}

// CustomerPage is a page of customers.
type CustomerPage struct {
	Data []Customer `json:"data"`
	Next *string    `json:"next" nullable:"true"`
	Seen Seen       `json:"seen"`
}

const (
	customerColumns = `SELECT c.id, c.org_id, o.name_th, o.name_en, c.name, c.status, c.wallet_satang, c.debt_satang, c.joined_at, c.changed_at FROM overview_customer c JOIN organisation o ON o.id = c.org_id `

	customersByChange = customerColumns + `WHERE (c.changed_at, c.org_id, c.id) < ($1, $2, $3) ORDER BY c.changed_at DESC, c.org_id DESC, c.id DESC LIMIT $4`
	customersByWallet = customerColumns + `WHERE (c.wallet_satang, c.org_id, c.id) < ($1, $2, $3) ORDER BY c.wallet_satang DESC, c.org_id DESC, c.id DESC LIMIT $4`
	customersByDebt   = customerColumns + `WHERE c.debt_satang > 0 AND (c.debt_satang, c.org_id, c.id) < ($1, $2, $3) ORDER BY c.debt_satang DESC, c.org_id DESC, c.id DESC LIMIT $4`
	customersByName   = customerColumns + `WHERE (lower(c.name), c.org_id, c.id) > (lower($1::text), $2::uuid, $3::uuid) AND lower(c.name) < lower($5::text) || chr(1114111) ORDER BY lower(c.name), c.org_id, c.id LIMIT $4`

	ofOrgByChange = customerColumns + `WHERE c.org_id = $4 AND (c.changed_at, c.id) < ($1, $2) ORDER BY c.changed_at DESC, c.id DESC LIMIT $3`
	ofOrgByWallet = customerColumns + `WHERE c.org_id = $4 AND (c.wallet_satang, c.id) < ($1, $2) ORDER BY c.wallet_satang DESC, c.id DESC LIMIT $3`
	ofOrgByDebt   = customerColumns + `WHERE c.org_id = $4 AND c.debt_satang > 0 AND (c.debt_satang, c.id) < ($1, $2) ORDER BY c.debt_satang DESC, c.id DESC LIMIT $3`
	ofOrgByName   = customerColumns + `WHERE c.org_id = $4 AND (lower(c.name), c.id) > (lower($1::text), $2::uuid) AND lower(c.name) < lower($5::text) || chr(1114111) ORDER BY lower(c.name), c.id LIMIT $3`
)

func (c Customer) key() (org, id uuid.UUID) { return c.Org, c.ID }

func (f CustomerFilter) order() order[Customer] {
	search := strings.TrimSpace(f.Search)
	switch {
	case search != "":
		return byName(search)
	case f.Sort == "-wallet":
		return byWallet
	}
	return order[Customer]{customersByChange, ofOrgByChange, "", newestFirst, func(c Customer) any { return moment(c.Changed) }, parseMoment}
}

func byName(search string) order[Customer] {
	return order[Customer]{customersByName, ofOrgByName, search, place{value: search}, func(c Customer) any { return c.Name }, parseText}
}

var (
	byWallet = order[Customer]{customersByWallet, ofOrgByWallet, "", largestFirst, func(c Customer) any { return int64(c.Wallet) }, parseAmount}
	byDebt   = order[Customer]{customersByDebt, ofOrgByDebt, "", largestFirst, func(c Customer) any { return int64(c.Debt) }, parseAmount}
)

// Customers returns a page of customers of all organisations, or of one.
func (s *Service) Customers(ctx context.Context, in CustomerInput) (p CustomerPage, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if p.Data, p.Next, err = in.order().page(ctx, tx, in.Org, in.Page); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenSums).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("customers of all organisations: %w", err)
	}
	return p, nil
}

const seenSums = `SELECT count(v.customers_until), count(*) FILTER (WHERE v.customers_until IS NULL), min(v.customers_until) FROM organisation o LEFT JOIN overview v ON v.org_id = o.id WHERE o.state <> 'provisioning'`

var customerColumnsOfFile = []report.Column{
	{TH: "ลูกค้า", EN: "Customer"},
	{TH: "องค์กร", EN: "Organisation"},
	{Kind: report.Satang, TH: "เงินใน Wallet", EN: "Wallet"},
	{Kind: report.Satang, TH: "ค้างชำระ", EN: "Debt"},
	{Kind: report.Moment, TH: "เข้าร่วมเมื่อ", EN: "Joined"},
	{Kind: report.Moment, TH: "เปลี่ยนล่าสุด", EN: "Changed"},
}

func (c Customer) cells(lang string) []any {
	return []any{c.Name, inLanguage(lang, c.OrgTH, c.OrgEN), c.Wallet, c.Debt, c.Joined, c.Changed}
}

// CustomerFile writes what is found of customers into a csv file, and records that it did.
func (s *Service) CustomerFile(ctx context.Context, who auditlog.Actor, lang string, f CustomerFilter) (file File, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		file, err = f.order().file(ctx, tx, f.Org, fileList[Customer]{
			who: who, table: "overview_customer", name: "customers.csv", lang: lang, filter: f, columns: customerColumnsOfFile,
			cells: func(c Customer) []any { return c.cells(lang) },
		})
		return err
	})
	if err != nil {
		return file, fmt.Errorf("file of customers: %w", err)
	}
	return file, nil
}

func inLanguage(lang, th, en string) string {
	if lang == "en" {
		return en
	}
	return th
}

// ByCustomer names a customer of an organisation.
type ByCustomer struct {
	Org uuid.UUID `json:"org_id"`
	ID  uuid.UUID `json:"id"`
}

// CustomerRecord is a customer as his organisation has him now.
type CustomerRecord struct {
	Name     string       `json:"name"`
	Status   int16        `json:"status"`
	Joined   time.Time    `json:"joined_at" doc:"UTC"`
	Wallet   money.Amount `json:"wallet_satang"`
	Debt     money.Amount `json:"debt_satang"`
	Orders   int64        `json:"orders" doc:"Paid ones"`
	Vouchers int64        `json:"vouchers" doc:"That he can use"`
}

// ErrNoCustomer is for one that the organisation does not have, or whose data is gone.
var ErrNoCustomer = fault.New(fault.NotFound, "overview.no_customer", "This customer is not there any more")

const recordOf = `SELECT c.display_name, c.status, c.created_at, coalesce(w.balance_satang, 0), c.debt_satang, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id AND o.paid_at IS NOT NULL),
		(SELECT count(*) FROM voucher v WHERE v.holder_id = c.id AND v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer'))
	FROM customer c LEFT JOIN wallet w ON w.customer_id = c.id WHERE c.id = $1 AND c.status <> $2`

// Customer returns a customer as his organisation has him now. Who looked stands in the organisation's audit log. It returns org.ErrNotFound or ErrNoCustomer.
func (s *Service) Customer(ctx context.Context, who auditlog.Actor, in ByCustomer) (r CustomerRecord, err error) {
	if err := s.find(ctx, in.Org); err != nil {
		return r, err
	}
	err = s.db.InOrg(ctx, in.Org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, recordOf, in.ID, erased).Scan(&r.Name, &r.Status, &r.Joined, &r.Wallet, &r.Debt, &r.Orders, &r.Vouchers)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoCustomer
		}
		if err != nil {
			return fmt.Errorf("customer %s: %w", in.ID, err)
		}
		return auditlog.Record(ctx, tx, who, "look", "customer/"+in.ID.String(), nil, nil)
	})
	return r, err
}
