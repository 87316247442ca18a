package catalog

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
)

// Package is a product sold, as the back office keeps it: one price, a list of what is received, stock, sale period.
type Package struct {
	resource.Base
	Code          string        `json:"code" maxLength:"20" pattern:"^[A-Za-z0-9-]*$" doc:"Empty: we make one"`
	NameTH        string        `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN        string        `json:"name_en" maxLength:"80"`
	DescriptionTH string        `json:"description_th" maxLength:"4000"`
	DescriptionEN string        `json:"description_en" maxLength:"4000"`
	BadgeTH       string        `json:"badge_th" maxLength:"30"`
	BadgeEN       string        `json:"badge_en" maxLength:"30"`
	PictureID     *uuid.UUID    `json:"picture_id" nullable:"true"`
	Price         money.Amount  `json:"price_satang" minimum:"0" maximum:"1000000000000"`
	ListPrice     *money.Amount `json:"list_price_satang" minimum:"0" maximum:"1000000000000" doc:"Shown struck through"`
	SaleFrom      *time.Time    `json:"sale_from" doc:"UTC"`
	SaleTo        *time.Time    `json:"sale_to" doc:"UTC"`
	PerCustomer   *int32        `json:"per_customer" minimum:"1" maximum:"9999"`
	Featured      bool          `json:"featured"`
	Class         string        `json:"class" enum:"ordinary,beauty,fitness" doc:"Of beauty and fitness what is left at expiry goes back to the wallet, and its payer has it refunded by himself for seven days at least, without a fee: the law says so"`
	RefundTerms
	Quantity *int64        `json:"quantity" minimum:"0" maximum:"100000000" doc:"To sell in all; null: unlimited"`
	Sold     int64         `json:"sold" readOnly:"true" required:"false"`
	Tags     []uuid.UUID   `json:"tags" maxItems:"20"`
	Parts    []PackagePart `json:"parts,omitempty" required:"false" maxItems:"30" doc:"In detail and save, not in lists"`
}

// PackagePart is one kind of voucher in a package: a voucher type, a gift voucher, or a voucher type that SavePackage adds.
type PackagePart struct {
	VoucherType    *uuid.UUID      `json:"voucher_type_id" nullable:"true"`
	GiftVoucher    *uuid.UUID      `json:"gift_voucher_id" nullable:"true"`
	Quantity       int32           `json:"quantity" minimum:"1" maximum:"99"`
	NewVoucherType *NewVoucherType `json:"new_voucher_type,omitempty" db:"-" required:"false" doc:"With neither id: the voucher type that is added for this part"`
}

// kinds is how many of the three a part names; it must be one.
func (p PackagePart) kinds() (n int) {
	for _, named := range []bool{p.VoucherType != nil, p.GiftVoucher != nil, p.NewVoucherType != nil} {
		if named {
			n++
		}
	}
	return n
}

// draft is the status of a new package: nobody sees it before it is activated.
const draft int16 = 1

// Packages is the table of packages.
var Packages = resource.New(resource.Def[Package]{
	Name: "salepackage", Module: "salepackage", Relation: "package", Joins: "LEFT JOIN stock s ON s.package_id = r.id",
	AtMost: 10_000, HasStatus: true, InitialStatus: draft, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "code", Can: resource.Filter | resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "รหัส", EN: "Code"},
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "description_th", Can: resource.Write},
		{Name: "description_en", Can: resource.Write},
		{Name: "badge_th", Can: resource.Write},
		{Name: "badge_en", Can: resource.Write},
		{Name: "picture_id", Can: resource.Lookup | resource.Write},
		{Name: "price_satang", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "ราคา", EN: "Price"},
		{Name: "list_price_satang", Can: resource.Sort | resource.Write, TH: "ราคาเต็ม", EN: "List price"},
		{Name: "sale_from", Can: resource.Filter | resource.Sort | resource.Write, TH: "เริ่มขาย", EN: "On sale from"},
		{Name: "sale_to", Can: resource.Filter | resource.Sort | resource.Write, TH: "ขายถึง", EN: "On sale until"},
		{Name: "per_customer", Can: resource.Write, TH: "จำกัดต่อคน", EN: "Limit per customer"},
		{Name: "class", Can: resource.Filter | resource.Write, TH: "ประเภทสินค้า", EN: "Class"},
		{Name: "refund_rule", Can: resource.Filter | resource.Write, TH: "ผู้ชำระขอคืนเงิน", EN: "Payer's refund"},
		{Name: "refund_days", Can: resource.Write, TH: "ขอคืนเงินได้ (วัน)", EN: "Refund within (days)"},
		{Name: "refund_fee_basis_points", Can: resource.Write},
		{Name: "featured", Can: resource.Filter | resource.Sort | resource.Write, TH: "แนะนำ", EN: "Featured"},
		{Name: "quantity", SQL: "s.quantity", Can: resource.Filter | resource.Sort, TH: "จำนวนทั้งหมด", EN: "Stock"},
		{Name: "sold", SQL: "coalesce(s.sold, 0) - (" + waiting + " = r.id)", Can: resource.Filter | resource.Sort, TH: "ขายแล้ว", EN: "Sold"},
		{Name: "tags", SQL: "ARRAY(SELECT tag_id FROM package_tag WHERE package_id = r.id ORDER BY tag_id)", Can: resource.Filter},
	},
	Constraints: map[string]fault.Field{
		"package_code":       {Path: "code", Fault: fault.Duplicate.Code},
		"package_period":     {Path: "sale_to", Fault: fault.TooSmall.Code},
		"package_picture":    {Path: "picture_id", Fault: fault.NotInList.Code},
		"package_tag_tag":    {Path: "tags", Fault: fault.NotInList.Code},
		"package_part_type":  {Path: "parts", Fault: fault.NotInList.Code},
		"package_part_gift":  {Path: "parts", Fault: fault.NotInList.Code},
		"stock_not_oversold": {Path: "quantity", Fault: fault.TooSmall.Code},
	},
	Validate: checkPackage,
	Fill:     fillPackage,
	BeforeSave: func(_ context.Context, _ db.Tx, old *Package, p *Package) error {
		if p.Code == "" && old != nil {
			p.Code = old.Code
		}
		if p.Code == "" {
			p.Code = newCode()
		}
		return nil
	},
	AfterSave:    savePackage,
	AfterChange:  BumpRevision,
	BeforeStatus: publish,
})

// MaxVouchers bounds what one order issues: a package may hold thousands of vouchers, an order thousands of packages, and
// all of them are written in one transaction of a machine that serves everybody. A package of more could never be bought.
const MaxVouchers = 2000

// vouchers is how many one piece of the package issues.
func (p Package) vouchers() (n int) {
	for _, item := range p.Parts {
		n += int(item.Quantity)
	}
	return n
}

// Limits of what is multiplied when a package is sold, as the schemas say them.
const (
	maxPrice = 1_000_000_000_000 // satang
	maxItems = 999               // uses of one voucher
	maxParts = 30
	maxEach  = 99 // vouchers of one part
)

// within returns the fault of a number that is not between least and most. It returns nil otherwise.
func within[N int32 | int64 | money.Amount](path string, n, least, most N) []fault.Field {
	switch {
	case n < least:
		return []fault.Field{{Path: path, Fault: fault.TooSmall.Code}}
	case n > most:
		return []fault.Field{{Path: path, Fault: fault.TooBig.Code}}
	}
	return nil
}

func checkPackage(p Package) (bad []fault.Field) {
	bad = append(bad, within("price_satang", p.Price, 0, maxPrice)...)
	if p.ListPrice != nil {
		bad = append(bad, within("list_price_satang", *p.ListPrice, 0, maxPrice)...)
	}
	if len(p.Parts) > maxParts {
		return append(bad, fault.Field{Path: "parts", Fault: fault.TooLong.Code})
	}
	if p.vouchers() > MaxVouchers {
		bad = append(bad, fault.Field{Path: "parts", Fault: fault.TooBig.Code})
	}
	for i, item := range p.Parts {
		bad = append(bad, within("parts."+strconv.Itoa(i)+".quantity", item.Quantity, 1, maxEach)...)
		if item.kinds() != 1 {
			bad = append(bad, fault.Field{Path: "parts." + strconv.Itoa(i), Fault: fault.Required.Code})
		}
	}
	bad = append(bad, p.check(p.Class)...)
	if p.SaleFrom != nil && p.SaleTo != nil && !p.SaleFrom.Before(*p.SaleTo) {
		bad = append(bad, fault.Field{Path: "sale_to", Fault: fault.TooSmall.Code})
	}
	return bad
}

// newCode makes a package's code for people who did not think of one.
func newCode() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return "P-" + base32.StdEncoding.EncodeToString(b)
}

const (
	itemsOf = `SELECT voucher_type_id, gift_voucher_id, quantity FROM package_part WHERE package_id = $1 ORDER BY position`

	dropItems = `DELETE FROM package_part WHERE package_id = $1`
	addItem   = `INSERT INTO package_part (package_id, position, voucher_type_id, gift_voucher_id, quantity) VALUES ($1, $2, $3, $4, $5)`
	dropTags  = `DELETE FROM package_tag WHERE package_id = $1`
	addTags   = `INSERT INTO package_tag (package_id, tag_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT (package_id, tag_id) DO NOTHING`
	setStock  = `INSERT INTO stock (package_id, quantity) VALUES ($1, $2)
		ON CONFLICT (package_id) DO UPDATE SET quantity = excluded.quantity`
)

func fillPackage(ctx context.Context, tx db.Tx, p *Package) (err error) {
	p.Parts, err = collect[PackagePart](ctx, tx, itemsOf, p.ID)
	return err
}

// savePackage writes what hangs on a package. Its buyers wait for the stock's row, so that is touched only when the
// stock changes. A package on sale stays fit for sale.
func savePackage(ctx context.Context, tx db.Tx, old *Package, p Package) error {
	var batch pgx.Batch
	batch.Queue(dropItems, p.ID)
	for i, item := range p.Parts {
		batch.Queue(addItem, p.ID, i, item.VoucherType, item.GiftVoucher, item.Quantity)
	}
	batch.Queue(dropTags, p.ID)
	batch.Queue(addTags, p.ID, p.Tags)
	if old == nil || !same(old.Quantity, p.Quantity) {
		batch.Queue(setStock, p.ID, p.Quantity)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("contents of package %s: %w", p.ID, err)
	}
	if p.Status != resource.Active {
		return nil
	}
	return checkPublished(ctx, tx, p)
}

func same(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// ErrNotPublishable says that a package cannot be on sale yet; its fields say what is missing.
var ErrNotPublishable = fault.New(fault.Invalid, "catalog.not_publishable", "this package cannot be put on sale yet")

func publish(ctx context.Context, tx db.Tx, p Package, status int16) error {
	if status != resource.Active {
		return nil
	}
	if err := fillPackage(ctx, tx, &p); err != nil {
		return err
	}
	return checkPublished(ctx, tx, p)
}

const (
	holdTypes = `SELECT id FROM voucher_type WHERE id IN (SELECT voucher_type_id FROM package_part WHERE package_id = $1) ORDER BY id FOR SHARE`
	holdGifts = `SELECT id FROM gift_voucher WHERE id IN (SELECT gift_voucher_id FROM package_part WHERE package_id = $1) ORDER BY id FOR SHARE`

	unfitParts = `SELECT
		count(*) FILTER (WHERE coalesce(t.status, g.status) <> 5 OR coalesce(t.valid_until, g.valid_until) < $2),
		count(*) FILTER (WHERE NOT EXISTS (SELECT FROM service_point p WHERE p.status = 5 AND (
			NOT EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(t.id, g.id))
			OR EXISTS (SELECT FROM template_service_point v WHERE v.template_id = coalesce(t.id, g.id) AND v.service_point_id = p.id))))
	FROM package_part i LEFT JOIN voucher_type t ON t.id = i.voucher_type_id LEFT JOIN gift_voucher g ON g.id = i.gift_voucher_id
	WHERE i.package_id = $1`
)

// checkPublished reads what the rule needs. It holds the types first, so that nobody switches one off meanwhile: who
// does looks for packages on sale only after he has the type's row.
func checkPublished(ctx context.Context, tx db.Tx, p Package) error {
	for _, hold := range []string{holdTypes, holdGifts} {
		if _, err := tx.Exec(ctx, hold, p.ID); err != nil {
			return fmt.Errorf("hold parts of package %s: %w", p.ID, err)
		}
	}
	var inactive, unserved int
	if err := tx.QueryRow(ctx, unfitParts, p.ID, clock.Day(tx.Now)).Scan(&inactive, &unserved); err != nil {
		return fmt.Errorf("parts of package %s: %w", p.ID, err)
	}
	if missing := p.missing(inactive, unserved, tx.Now); len(missing) > 0 {
		f := *ErrNotPublishable
		f.Fields = missing
		return &f
	}
	return nil
}

// missing returns the fields that keep a package from being on sale.
func (p Package) missing(inactiveParts, unservedParts int, now time.Time) (fields []fault.Field) {
	if p.PictureID == nil {
		fields = append(fields, fault.Field{Path: "picture_id", Fault: fault.Required.Code})
	}
	if len(p.Parts) == 0 {
		fields = append(fields, fault.Field{Path: "parts", Fault: fault.Required.Code})
	}
	if p.vouchers() > MaxVouchers {
		fields = append(fields, fault.Field{Path: "parts", Fault: fault.TooBig.Code})
	}
	if inactiveParts > 0 {
		fields = append(fields, fault.Field{Path: "parts", Fault: ErrInactivePart.Code})
	}
	if unservedParts > 0 {
		fields = append(fields, fault.Field{Path: "parts", Fault: ErrNoServicePoint.Code})
	}
	if p.SaleTo != nil && !p.SaleTo.After(now) {
		fields = append(fields, fault.Field{Path: "sale_to", Fault: fault.TooSmall.Code})
	}
	return fields
}

// Codes of a package's parts: a type is inactive, or can no longer be used; no active service point honours it.
var (
	ErrInactivePart   = fault.New(fault.Invalid, "field.inactive_part", "this contains something that is not active")
	ErrNoServicePoint = fault.New(fault.Invalid, "field.no_service_point", "no service point honours this")
)
