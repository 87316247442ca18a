package discount

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
)

// Row is a discount as the back office keeps it.
type Row struct {
	resource.Base
	NameTH     string        `json:"name_th" minLength:"1" maxLength:"80" doc:"Buyers read it"`
	NameEN     string        `json:"name_en" maxLength:"80"`
	Position   int32         `json:"position" minimum:"0" maximum:"9999" doc:"Order in which discounts on the cart are counted, smallest first"`
	How        How           `json:"how" enum:"automatic,code,codes" doc:"automatic: by itself; code: by one that many may use; codes: by many, which are made in bulk"`
	Class      Class         `json:"class" enum:"line,cart"`
	Kind       Kind          `json:"kind" enum:"percent,baht"`
	Value      int64         `json:"value" minimum:"0" maximum:"1000000000000" doc:"Basis points, or satang: off each piece of a line, or off the cart"`
	Max        *money.Amount `json:"max_satang" minimum:"1" maximum:"1000000000000" doc:"Of a line, or of the cart"`
	Payer      Payer         `json:"payer" enum:"organisation,agent,platform" doc:"The platform alone says what it pays"`
	Least      money.Amount  `json:"least_satang" minimum:"0" maximum:"1000000000000" doc:"Of the lines it is for; on the cart after discounts on lines"`
	LeastItems int32         `json:"least_items" minimum:"0" maximum:"9999"`
	FirstOnly  bool          `json:"first_only" doc:"Only a customer's first purchase"`
	Starts     *time.Time    `json:"starts_at" doc:"UTC"`
	Ends       *time.Time    `json:"ends_at" doc:"UTC; not given from then on"`
	UsesEach   *int32        `json:"uses_each" minimum:"1" maximum:"9999" doc:"By one customer"`
	Stack      Stack         `json:"stack" enum:"alone,with_line,all" doc:"alone: beside nothing; with_line: beside discounts on lines"`
	Uses       *int32        `json:"uses" minimum:"1" maximum:"100000000" doc:"In all; null: unlimited"`
	Budget     *money.Amount `json:"budget_satang" minimum:"1" maximum:"1000000000000" doc:"In all; null: unlimited"`
	Used       int32         `json:"used" readOnly:"true" required:"false"`
	Spent      money.Amount  `json:"spent_satang" readOnly:"true" required:"false"`
	Code       string        `json:"code" maxLength:"40" doc:"The one that many may use; empty if there is none"`
	Packages   []uuid.UUID   `json:"packages,omitempty" required:"false" maxItems:"200" doc:"In detail and save; with tags, what it is for; neither: everything"`
	Tags       []uuid.UUID   `json:"tags,omitempty" required:"false" maxItems:"50"`
	Channels   []int32       `json:"channels,omitempty" required:"false" maxItems:"10" doc:"Sale channels; none: all"`
}

// Discounts is the table of discounts.
var Discounts = resource.New(resource.Def[Row]{
	Name: "discount", Module: "discount", Relation: "discount", Joins: "JOIN discount_count n ON n.discount_id = r.id LEFT JOIN discount_code k ON k.discount_id = r.id AND k.status = 5 AND r.how = 'code'",
	AtMost: 1000, HasStatus: true, InitialStatus: resource.Inactive, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "position", Can: resource.Sort | resource.Lookup | resource.Write, TH: "ลำดับ", EN: "Position"},
		{Name: "how", Can: resource.Filter | resource.Write, TH: "วิธีให้", EN: "Given"},
		{Name: "class", Can: resource.Filter | resource.Write},
		{Name: "kind", Can: resource.Filter | resource.Write},
		{Name: "value", Can: resource.Write},
		{Name: "max_satang", Can: resource.Write, TH: "ไม่เกิน", EN: "At most"},
		{Name: "payer", Can: resource.Filter | resource.Write, TH: "ใครออก", EN: "Paid by"},
		{Name: "least_satang", Can: resource.Write, TH: "ยอดขั้นต่ำ", EN: "Least total"},
		{Name: "least_items", Can: resource.Write},
		{Name: "first_only", Can: resource.Filter | resource.Write},
		{Name: "starts_at", Can: resource.Filter | resource.Sort | resource.Write, TH: "เริ่ม", EN: "From"},
		{Name: "ends_at", Can: resource.Filter | resource.Sort | resource.Write, TH: "ถึง", EN: "Until"},
		{Name: "uses_each", Can: resource.Write, TH: "ต่อคน", EN: "For each customer"},
		{Name: "stack", Can: resource.Write},
		{Name: "uses", SQL: "n.uses", TH: "ใช้ได้ทั้งหมด", EN: "Uses in all"},
		{Name: "budget_satang", SQL: "n.budget_satang", TH: "งบทั้งหมด", EN: "Budget"},
		{Name: "used", SQL: "n.used", Can: resource.Sort, TH: "ใช้แล้ว", EN: "Used"},
		{Name: "spent_satang", SQL: "n.spent_satang", Can: resource.Sort, TH: "ลดไปแล้ว", EN: "Taken off"},
		{Name: "code", SQL: "coalesce(k.code, '')", Can: resource.Search, TH: "โค้ด", EN: "Code"},
	},
	Constraints: map[string]fault.Field{
		"discount_value":              {Path: "value", Fault: fault.TooSmall.Code},
		"discount_period":             {Path: "ends_at", Fault: fault.TooSmall.Code},
		"discount_count_used_up":      {Path: "uses", Fault: fault.TooSmall.Code},
		"discount_count_budget_spent": {Path: "budget_satang", Fault: fault.TooSmall.Code},
		"discount_scope_package":      {Path: "packages", Fault: fault.NotInList.Code},
		"discount_scope_tag":          {Path: "tags", Fault: fault.NotInList.Code},
	},
	Validate:    check,
	Fill:        fillScope,
	BeforeSave:  ownPayer,
	AfterSave:   saveRest,
	AfterChange: catalog.BumpRevision,
	BeforeStatus: func(_ context.Context, _ db.Tx, old Row, status int16) error {
		if status == resource.Active && old.Value == 0 {
			return fault.At("value", fault.TooSmall)
		}
		return nil
	},
})

func check(r Row) (bad []fault.Field) {
	if r.Value < 0 {
		bad = append(bad, fault.Field{Path: "value", Fault: fault.TooSmall.Code})
	}
	if r.Kind == Percent && r.Value > 10_000 {
		bad = append(bad, fault.Field{Path: "value", Fault: fault.TooBig.Code})
	}
	if r.Starts != nil && r.Ends != nil && !r.Starts.Before(*r.Ends) {
		bad = append(bad, fault.Field{Path: "ends_at", Fault: fault.TooSmall.Code})
	}
	switch code := CleanCode(r.Code); {
	case r.How != OneCode:
	case code == "":
		bad = append(bad, fault.Field{Path: "code", Fault: fault.Required.Code})
	case len(code) < minCode:
		bad = append(bad, fault.Field{Path: "code", Fault: fault.TooShort.Code})
	}
	return bad
}

// minCode is how short a code may be.
const minCode = 4

// ownPayer refuses a new discount that the platform would pay: an organisation does not spend another's money.
func ownPayer(_ context.Context, _ db.Tx, old, row *Row) error {
	if row.Payer == Platform && (old == nil || old.Payer != Platform) {
		return fault.At("payer", fault.NotInList)
	}
	if row.Payer == Platform && spendsMore(*old, *row) {
		return fault.At("payer", ErrPlatforms)
	}
	return nil
}

// ErrPlatforms says that the terms of a discount which the platform pays are not the organisation's to change.
var ErrPlatforms = fault.New(fault.Invalid, "field.platform_pays", "the platform pays this discount and says how much")

// spendsMore reports whether a change touches what somebody else pays.
func spendsMore(old, row Row) bool {
	return old.How != row.How || old.Class != row.Class || old.Kind != row.Kind || old.Value != row.Value || !same(old.Max, row.Max) || old.Least != row.Least ||
		old.LeastItems != row.LeastItems || old.FirstOnly != row.FirstOnly || !same(old.UsesEach, row.UsesEach) || old.Stack != row.Stack ||
		!same(old.Uses, row.Uses) || !same(old.Budget, row.Budget) || !sameTime(old.Starts, row.Starts) || !sameTime(old.Ends, row.Ends)
}

func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func sameTime(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

const (
	scopeOf   = `SELECT package_id, tag_id, channel FROM discount_scope WHERE discount_id = $1 ORDER BY position`
	dropScope = `DELETE FROM discount_scope WHERE discount_id = $1`
	addScope  = `INSERT INTO discount_scope (discount_id, position, package_id, tag_id, channel) VALUES ($1, $2, $3, $4, $5)`
	setCount  = `INSERT INTO discount_count (discount_id, uses, budget_satang) VALUES ($1, $2, $3)
		ON CONFLICT (discount_id) DO UPDATE SET uses = excluded.uses, budget_satang = excluded.budget_satang`
	dropCodes = `UPDATE discount_code SET status = 9 WHERE discount_id = $1 AND code <> $2 AND status = 5`
	setCode   = `INSERT INTO discount_code (id, discount_id, code, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (code) DO UPDATE SET status = 5 WHERE discount_code.discount_id = excluded.discount_id`
)

func fillScope(ctx context.Context, tx db.Tx, row *Row) error {
	rows, err := tx.Query(ctx, scopeOf, row.ID)
	if err != nil {
		return fmt.Errorf("what discount %s is for: %w", row.ID, err)
	}
	var pkg, tag *uuid.UUID
	var channel *int32
	_, err = pgx.ForEachRow(rows, []any{&pkg, &tag, &channel}, func() error {
		switch {
		case pkg != nil:
			row.Packages = append(row.Packages, *pkg)
		case tag != nil:
			row.Tags = append(row.Tags, *tag)
		default:
			row.Channels = append(row.Channels, *channel)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("what discount %s is for: %w", row.ID, err)
	}
	return nil
}

// saveRest writes what hangs on a discount. Its buyers wait for the row of its count, so that is touched only when the limits change.
func saveRest(ctx context.Context, tx db.Tx, old *Row, r Row) error {
	var batch pgx.Batch
	batch.Queue(dropScope, r.ID)
	n := 0
	add := func(pkg, tag *uuid.UUID, channel *int32) {
		batch.Queue(addScope, r.ID, n, pkg, tag, channel)
		n++
	}
	for i := range r.Packages {
		add(&r.Packages[i], nil, nil)
	}
	for i := range r.Tags {
		add(nil, &r.Tags[i], nil)
	}
	for i := range r.Channels {
		add(nil, nil, &r.Channels[i])
	}
	if old == nil || !same(old.Uses, r.Uses) || !same(old.Budget, r.Budget) {
		batch.Queue(setCount, r.ID, r.Uses, r.Budget)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("what discount %s is for: %w", r.ID, err)
	}
	return saveCode(ctx, tx, r)
}

// saveCode keeps the one code of a discount that has one, and ends the others. Codes that were made in bulk stay.
func saveCode(ctx context.Context, tx db.Tx, r Row) error {
	if r.How == ManyCodes {
		return nil
	}
	code := ""
	if r.How == OneCode {
		code = CleanCode(r.Code)
	}
	if _, err := tx.Exec(ctx, dropCodes, r.ID, code); err != nil {
		return fmt.Errorf("codes of discount %s: %w", r.ID, err)
	}
	if code == "" {
		return nil
	}
	done, err := tx.Exec(ctx, setCode, db.NewID(), r.ID, code, tx.Now)
	if err != nil {
		return fmt.Errorf("code of discount %s: %w", r.ID, err)
	}
	if done.RowsAffected() == 0 {
		return fault.At("code", fault.Duplicate)
	}
	return nil
}
