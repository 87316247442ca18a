package rate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
)

// Faults of special rates.
var (
	ErrOverlap = fault.New(fault.Conflict, "rate.overlap", "There is another rate for this on some of these days")
	ErrBegun   = fault.New(fault.Conflict, "rate.begun", "This rate has begun. Say its last day instead")
	ErrOver    = fault.New(fault.Conflict, "rate.over", "This rate is over")
	ErrPast    = fault.New(fault.Invalid, "field.past", "this day is over")
	ErrMax     = fault.New(fault.Invalid, "field.rate_max", "an agent and who recruited him earn at most half")
)

// MaxPercent is the highest rate, in basis points.
const MaxPercent = 5000

// Row is a special rate as the back office keeps it.
type Row struct {
	resource.Base
	Type      uuid.UUID  `json:"agent_type_id"`
	TypeTH    string     `json:"agent_type_name_th" readOnly:"true" required:"false"`
	TypeEN    string     `json:"agent_type_name_en" readOnly:"true" required:"false"`
	Package   *uuid.UUID `json:"package_id" nullable:"true" doc:"That it is for; or a tag; neither: everything"`
	PackageTH string     `json:"package_name_th" readOnly:"true" required:"false"`
	PackageEN string     `json:"package_name_en" readOnly:"true" required:"false"`
	Tag       *uuid.UUID `json:"tag_id" nullable:"true"`
	TagTH     string     `json:"tag_name_th" readOnly:"true" required:"false"`
	TagEN     string     `json:"tag_name_en" readOnly:"true" required:"false"`
	Kind      Kind       `json:"kind" enum:"percent,baht"`
	Value     int64      `json:"value" minimum:"0" maximum:"100000000" doc:"Basis points, at most 5000, or satang for each piece"`
	FirstDay  string     `json:"first_day" format:"date" doc:"Of the orders it holds for, in Bangkok; not before the day it is added"`
	Recruiter int32      `json:"recruiter_basis_points" minimum:"0" maximum:"5000" doc:"For who recruited the agent, of the price; with a percentage of the agent's at most 5000"`
	LastDay   *string    `json:"last_day" nullable:"true" format:"date" doc:"Null: without an end. It alone can be changed, and not to a day that is over"`
}

// SpecialRates is the table of special rates. Sales keep the rate they were made with, so a row stays as it is but for its last day.
var SpecialRates = resource.New(resource.Def[Row]{
	Name: "commissionrate", Module: "agentsetting", Relation: "commission_rate",
	Joins:  "JOIN agent_type y ON y.id = r.agent_type_id LEFT JOIN package p ON p.id = r.package_id LEFT JOIN tag g ON g.id = r.tag_id",
	AtMost: 5000, HasStatus: true, InitialStatus: resource.Active, Statuses: []int16{resource.Deleted}, Sort: "-first_day",
	Columns: []resource.Column{
		{Name: "agent_type_id", RefersTo: "agent_type", Can: resource.Filter | resource.Once},
		{Name: "agent_type_name_th", SQL: "y.name_th", Can: resource.Search | resource.Sort, TH: "ประเภทตัวแทน (ไทย)", EN: "Agent type (Thai)"},
		{Name: "agent_type_name_en", SQL: "y.name_en", Can: resource.Search | resource.Sort, TH: "ประเภทตัวแทน (อังกฤษ)", EN: "Agent type (English)"},
		{Name: "package_id", RefersTo: "package", Can: resource.Filter | resource.Once},
		{Name: "package_name_th", SQL: "coalesce(p.name_th, '')", Can: resource.Search | resource.Sort, TH: "แพ็กเกจ (ไทย)", EN: "Package (Thai)"},
		{Name: "package_name_en", SQL: "coalesce(p.name_en, '')", Can: resource.Search | resource.Sort, TH: "แพ็กเกจ (อังกฤษ)", EN: "Package (English)"},
		{Name: "tag_id", RefersTo: "tag", Can: resource.Filter | resource.Once},
		{Name: "tag_name_th", SQL: "coalesce(g.name_th, '')", Can: resource.Search | resource.Sort, TH: "แท็ก (ไทย)", EN: "Tag (Thai)"},
		{Name: "tag_name_en", SQL: "coalesce(g.name_en, '')", Can: resource.Search | resource.Sort, TH: "แท็ก (อังกฤษ)", EN: "Tag (English)"},
		{Name: "kind", Can: resource.Filter | resource.Once, TH: "คิดเป็น", EN: "Counted in"},
		{Name: "value", Can: resource.Sort | resource.Once, TH: "ค่าคอม (1/100 ของร้อยละ หรือสตางค์)", EN: "Commission (basis points or satang)"},
		{Name: "recruiter_basis_points", Can: resource.Once, TH: "ผู้ชวน (1/100 ของร้อยละ)", EN: "Recruiter (basis points)"},
		{Name: "first_day", Date: true, Can: resource.Filter | resource.Sort | resource.Once, TH: "วันแรก", EN: "First day"},
		{Name: "last_day", Date: true, Can: resource.Filter | resource.Sort | resource.Write, TH: "วันสุดท้าย", EN: "Last day"},
	},
	Validate:     Row.Check,
	BeforeSave:   beforeSave,
	BeforeStatus: beforeStatus,
	AfterChange:  catalog.BumpRevision,
})

// Check returns what contradicts itself in a row.
func (r Row) Check() (bad []fault.Field) {
	if r.Package != nil && r.Tag != nil {
		bad = append(bad, fault.Field{Path: "tag_id", Fault: fault.NotInList.Code})
	}
	if r.Kind == Percent && r.Value > MaxPercent {
		bad = append(bad, fault.Field{Path: "value", Fault: ErrMax.Code})
	}
	if r.Kind == Percent && r.Value <= MaxPercent && r.Value+int64(r.Recruiter) > MaxPercent {
		bad = append(bad, fault.Field{Path: "recruiter_basis_points", Fault: ErrMax.Code})
	}
	if r.LastDay != nil && *r.LastDay < r.FirstDay {
		bad = append(bad, fault.Field{Path: "last_day", Fault: fault.TooSmall.Code})
	}
	return bad
}

const (
	lockType = `SELECT FROM agent_type WHERE id = $1 FOR NO KEY UPDATE`
	// Dates compare as text in this form. Rates of the same package, of the same tag, or both of everything.
	overlapping = `SELECT r.first_day::text, r.last_day::text FROM commission_rate r
		WHERE r.agent_type_id = $1 AND r.package_id IS NOT DISTINCT FROM $2 AND r.tag_id IS NOT DISTINCT FROM $3 AND r.id <> $4 AND r.status = 5
			AND (r.last_day IS NULL OR r.last_day >= $5::text::date) AND ($6::text IS NULL OR r.first_day <= $6::text::date)
		ORDER BY r.first_day LIMIT 1`
)

// Overlap is the detail of ErrOverlap: the days of the other rate.
type Overlap struct {
	FirstDay string  `json:"first_day"`
	LastDay  *string `json:"last_day"`
}

// beforeSave refuses days that are over, and those on which another rate of the same holds. Rates of a type are saved one after the other.
func beforeSave(ctx context.Context, tx db.Tx, old, row *Row) error {
	today := clock.Day(tx.Now).Format(time.DateOnly)
	switch {
	case old == nil && row.FirstDay < today:
		return fault.At("first_day", ErrPast)
	case old != nil && old.LastDay != nil && *old.LastDay < today:
		return ErrOver
	case row.LastDay != nil && *row.LastDay < today:
		return fault.At("last_day", ErrPast)
	}
	if _, err := tx.Exec(ctx, lockType, row.Type); err != nil {
		return fmt.Errorf("lock agent type %s: %w", row.Type, err)
	}
	var other Overlap
	err := tx.QueryRow(ctx, overlapping, row.Type, row.Package, row.Tag, row.ID, row.FirstDay, row.LastDay).Scan(&other.FirstDay, &other.LastDay)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("other rates of agent type %s: %w", row.Type, err)
	}
	return ErrOverlap.With(other)
}

// beforeStatus lets a rate be withdrawn until its first day comes: nothing has been sold by it yet.
func beforeStatus(_ context.Context, tx db.Tx, old Row, _ int16) error {
	if old.FirstDay <= clock.Day(tx.Now).Format(time.DateOnly) {
		return ErrBegun
	}
	return nil
}
