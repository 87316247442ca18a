package overview

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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
	Limit int    `json:"limit,omitempty" required:"false" minimum:"0" maximum:"200"`
	After string `json:"after,omitempty" required:"false" maxLength:"400" doc:"Next of the page before"`
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

// Each statement walks one index from where the page before ended: no more rows are read than are shown.
const (
	customerColumns = `SELECT c.id, c.org_id, o.name_th, o.name_en, c.name, c.status, c.wallet_satang, c.debt_satang, c.joined_at, c.changed_at FROM overview_customer c JOIN organisation o ON o.id = c.org_id `

	customersByChange = customerColumns + `WHERE (c.changed_at, c.org_id, c.id) < ($1, $2, $3) ORDER BY c.changed_at DESC, c.org_id DESC, c.id DESC LIMIT $4`
	customersByWallet = customerColumns + `WHERE (c.wallet_satang, c.org_id, c.id) < ($1, $2, $3) ORDER BY c.wallet_satang DESC, c.org_id DESC, c.id DESC LIMIT $4`
	customersByName   = customerColumns + `WHERE (lower(c.name), c.org_id, c.id) > (lower($1::text), $2::uuid, $3::uuid) AND lower(c.name) < lower($5::text) || chr(1114111) ORDER BY lower(c.name), c.org_id, c.id LIMIT $4`

	ofOrgByChange = customerColumns + `WHERE c.org_id = $4 AND (c.changed_at, c.id) < ($1, $2) ORDER BY c.changed_at DESC, c.id DESC LIMIT $3`
	ofOrgByWallet = customerColumns + `WHERE c.org_id = $4 AND (c.wallet_satang, c.id) < ($1, $2) ORDER BY c.wallet_satang DESC, c.id DESC LIMIT $3`
	ofOrgByName   = customerColumns + `WHERE c.org_id = $4 AND (lower(c.name), c.id) > (lower($1::text), $2::uuid) AND lower(c.name) < lower($5::text) || chr(1114111) ORDER BY lower(c.name), c.id LIMIT $3`

	maxCustomers     = 50
	maxCustomersFile = 10_000
)

// order is how customers are ordered, with the statements for all organisations and for one, and the place of a customer in it.
type order struct {
	all, ofOrg string
	place      func(c Customer) any
}

var (
	byChange = order{customersByChange, ofOrgByChange, func(c Customer) any { return c.Changed.UTC().Format(time.RFC3339Nano) }}
	byWallet = order{customersByWallet, ofOrgByWallet, func(c Customer) any { return int64(c.Wallet) }}
	byName   = order{customersByName, ofOrgByName, func(c Customer) any { return c.Name }}
)

// place is where a page begins: behind a customer, or before all.
type place struct {
	value   any
	org, id uuid.UUID
}

// statement returns what reads customers behind a place.
func (f CustomerFilter) statement(after place, limit int) (sql string, args []any) {
	sql, args = f.order().all, []any{after.value, after.org, after.id, limit}
	if f.Org != nil {
		sql, args = f.order().ofOrg, []any{after.value, after.id, limit, *f.Org}
	}
	if search := strings.TrimSpace(f.Search); search != "" {
		args = append(args, search)
	}
	return sql, args
}

// customersFrom returns customers behind a place.
func customersFrom(ctx context.Context, tx db.Tx, f CustomerFilter, after place, limit int) ([]Customer, error) {
	sql, args := f.statement(after, limit)
	return collect(ctx, tx, pgx.RowToStructByPos[Customer], sql, args...)
}

func (f CustomerFilter) order() order {
	switch {
	case strings.TrimSpace(f.Search) != "":
		return byName
	case f.Sort == "-wallet":
		return byWallet
	}
	return byChange
}

// begin is the place before all.
func (f CustomerFilter) begin() place {
	switch {
	case strings.TrimSpace(f.Search) != "":
		return place{value: strings.TrimSpace(f.Search)}
	case f.Sort == "-wallet":
		return place{int64(1<<63 - 1), uuid.Max, uuid.Max}
	}
	return place{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), uuid.Max, uuid.Max}
}

// read returns the place that a page's Next names. It returns fault.BadInput for a text that no page of this order has.
func (f CustomerFilter) read(next string) (p place, err error) {
	if next == "" {
		return f.begin(), nil
	}
	wrong := fault.At("after", fault.WrongFormat)
	parts := strings.SplitN(next, "/", 3)
	if len(parts) != 3 {
		return p, wrong
	}
	if p.org, err = uuid.Parse(parts[0]); err != nil {
		return p, wrong
	}
	if p.id, err = uuid.Parse(parts[1]); err != nil {
		return p, wrong
	}
	switch {
	case strings.TrimSpace(f.Search) != "":
		p.value = parts[2]
	case f.Sort == "-wallet":
		p.value, err = strconv.ParseInt(parts[2], 10, 64)
	default:
		p.value, err = time.Parse(time.RFC3339Nano, parts[2])
	}
	if err != nil {
		return p, wrong
	}
	return p, nil
}

// Customers returns a page of customers of all organisations, or of one.
func (s *Service) Customers(ctx context.Context, in CustomerInput) (p CustomerPage, err error) {
	if in.Limit <= 0 {
		in.Limit = maxCustomers
	}
	after, err := in.read(in.After)
	if err != nil {
		return p, err
	}
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if p.Data, err = customersFrom(ctx, tx, in.CustomerFilter, after, in.Limit+1); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenSums).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("customers of all organisations: %w", err)
	}
	if len(p.Data) > in.Limit {
		p.Data = p.Data[:in.Limit]
		last := p.Data[in.Limit-1]
		next := fmt.Sprintf("%s/%s/%v", last.Org, last.ID, in.order().place(last))
		p.Next = &next
	}
	return p, nil
}

const seenSums = `SELECT count(v.customers_until), count(*) FILTER (WHERE v.customers_until IS NULL), min(v.customers_until) FROM organisation o LEFT JOIN overview v ON v.org_id = o.id WHERE o.state <> 'provisioning'`

// CustomerFile is what was found of customers, as a csv file.
type CustomerFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Cut  bool   `json:"cut" doc:"There are more rows: the file has the first 10,000"`
}

var customerColumnsOfFile = []report.Column{
	{TH: "ลูกค้า", EN: "Customer"},
	{TH: "องค์กร", EN: "Organisation"},
	{Kind: report.Satang, TH: "เงินใน Wallet", EN: "Wallet"},
	{Kind: report.Satang, TH: "ค้างชำระ", EN: "Debt"},
	{Kind: report.Moment, TH: "เข้าร่วมเมื่อ", EN: "Joined"},
	{Kind: report.Moment, TH: "เปลี่ยนล่าสุด", EN: "Changed"},
}

// CustomerFile writes what is found of customers into a csv file, and records that it did.
func (s *Service) CustomerFile(ctx context.Context, who auditlog.Actor, lang string, f CustomerFilter) (file CustomerFile, err error) {
	var found []Customer
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		if found, err = customersFrom(ctx, tx, f, f.begin(), maxCustomersFile+1); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "export", "overview_customer", nil, f)
	})
	if err != nil {
		return file, fmt.Errorf("file of customers: %w", err)
	}
	if file.Cut = len(found) > maxCustomersFile; file.Cut {
		found = found[:maxCustomersFile]
	}
	rows := make([][]any, len(found))
	for n, c := range found {
		name := c.OrgTH
		if lang == "en" {
			name = c.OrgEN
		}
		rows[n] = []any{c.Name, name, c.Wallet, c.Debt, c.Joined, c.Changed}
	}
	var text strings.Builder
	if err := report.WriteCSV(&text, lang, customerColumnsOfFile, rows); err != nil {
		return file, fmt.Errorf("file of customers: %w", err)
	}
	file.Name, file.Text = "customers.csv", text.String()
	return file, nil
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
