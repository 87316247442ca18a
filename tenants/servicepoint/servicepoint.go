// Package servicepoint is where vouchers are honoured: the organisation's service points.
package servicepoint

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
)

// ServicePoint is a place that honours vouchers.
type ServicePoint struct {
	resource.Base
	NameTH    string      `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN    string      `json:"name_en" maxLength:"80"`
	AddressTH string      `json:"address_th" maxLength:"300"`
	AddressEN string      `json:"address_en" maxLength:"300"`
	Phone     string      `json:"phone" maxLength:"20"`
	Latitude  *float64    `json:"latitude" minimum:"-90" maximum:"90"`
	Longitude *float64    `json:"longitude" minimum:"-180" maximum:"180"`
	HoursTH   string      `json:"hours_th" maxLength:"200"`
	HoursEN   string      `json:"hours_en" maxLength:"200"`
	Partner   *uuid.UUID  `json:"partner_id" nullable:"true" doc:"Whose it is: he earns of what is used here; null: nobody's"`
	PartnerTH string      `json:"partner_name_th" readOnly:"true" required:"false"`
	PartnerEN string      `json:"partner_name_en" readOnly:"true" required:"false"`
	Staff     []uuid.UUID `json:"staff" maxItems:"500" doc:"Who honours vouchers here; none means everybody"`
}

// ServicePoints is the table of service points.
var ServicePoints = resource.New(resource.Def[ServicePoint]{
	Name: "service_point", Module: "servicepoint", Relation: "service_point", Joins: "LEFT JOIN partner x ON x.id = r.partner_id",
	AtMost: 10_000, HasStatus: true, InitialStatus: resource.Active, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "address_th", Can: resource.Search | resource.Write, TH: "ที่อยู่ (ไทย)", EN: "Address (Thai)"},
		{Name: "address_en", Can: resource.Search | resource.Write, TH: "ที่อยู่ (อังกฤษ)", EN: "Address (English)"},
		{Name: "phone", Can: resource.Search | resource.Write, TH: "โทรศัพท์", EN: "Phone"},
		{Name: "latitude", Can: resource.Write, TH: "ละติจูด", EN: "Latitude"},
		{Name: "longitude", Can: resource.Write, TH: "ลองจิจูด", EN: "Longitude"},
		{Name: "hours_th", Can: resource.Write, TH: "เวลาทำการ (ไทย)", EN: "Hours (Thai)"},
		{Name: "hours_en", Can: resource.Write, TH: "เวลาทำการ (อังกฤษ)", EN: "Hours (English)"},
		{Name: "partner_id", RefersTo: "partner", Can: resource.Filter | resource.Write},
		{Name: "partner_name_th", SQL: "coalesce(x.name_th, '')", Can: resource.Search | resource.Sort, TH: "พาร์ตเนอร์ (ไทย)", EN: "Partner (Thai)"},
		{Name: "partner_name_en", SQL: "coalesce(x.name_en, '')", Can: resource.Search | resource.Sort, TH: "พาร์ตเนอร์ (อังกฤษ)", EN: "Partner (English)"},
		{Name: "staff", SQL: "ARRAY(SELECT staff_id FROM service_point_staff WHERE service_point_id = r.id ORDER BY staff_id)", Can: resource.Filter},
	},
	Constraints: map[string]fault.Field{"service_point_staff_staff": {Path: "staff", Fault: fault.NotInList.Code}},
	Validate: func(p ServicePoint) (bad []fault.Field) {
		if (p.Latitude == nil) != (p.Longitude == nil) {
			bad = append(bad, fault.Field{Path: "longitude", Fault: fault.Required.Code})
		}
		return bad
	},
	BeforeSave:  beforeSave,
	AfterChange: catalog.BumpRevision,
	AfterSave: func(ctx context.Context, tx db.Tx, _ *ServicePoint, p ServicePoint) error {
		if _, err := tx.Exec(ctx, dropStaff, p.ID); err != nil {
			return fmt.Errorf("staff of service point %s: %w", p.ID, err)
		}
		if _, err := tx.Exec(ctx, addStaff, p.ID, p.Staff); err != nil {
			return fmt.Errorf("staff of service point %s: %w", p.ID, err)
		}
		return nil
	},
})

// beforeSave refuses a partner who is none any more.
func beforeSave(ctx context.Context, tx db.Tx, old, row *ServicePoint) error {
	if row.Partner == nil || old != nil && old.Partner != nil && *old.Partner == *row.Partner {
		return nil
	}
	var over bool
	if err := tx.QueryRow(ctx, isOver, *row.Partner).Scan(&over); err != nil {
		return fmt.Errorf("partner %s: %w", row.Partner, err)
	}
	if over {
		return fault.At("partner_id", fault.NotInList)
	}
	return nil
}

const (
	isOver    = `SELECT EXISTS (SELECT FROM partner WHERE id = $1 AND status = 2)`
	dropStaff = `DELETE FROM service_point_staff WHERE service_point_id = $1`
	addStaff  = `INSERT INTO service_point_staff (service_point_id, staff_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT (service_point_id, staff_id) DO NOTHING`

	selectServes = `SELECT ` + StaffServesAt + ` FROM (SELECT $1::uuid AS staff, $2::uuid AS service_point) AS at`
)

// StaffServes is the condition on service_point p that the staff at.staff honours vouchers there: they are named, or nobody is, or
// they keep the organisation.
const StaffServes = `(NOT EXISTS (SELECT FROM service_point_staff s WHERE s.service_point_id = p.id)
	OR EXISTS (SELECT FROM service_point_staff s WHERE s.service_point_id = p.id AND s.staff_id = at.staff)
	OR EXISTS (SELECT FROM staff WHERE id = at.staff AND role <> 'user'))`

// StaffServesAt is StaffServes as a value, for the service point at.service_point: false where there is none.
const StaffServesAt = `EXISTS (SELECT FROM service_point p WHERE p.id = at.service_point AND ` + StaffServes + `)`

// ErrNotStaff says that somebody else honours vouchers at this service point.
var ErrNotStaff = fault.New(fault.Forbidden, "service_point.not_yours", "You do not work at this service point")

// RequireStaff lets the transaction's next answer be ErrNotStaff when a service point names its staff and not this one.
func RequireStaff(tx db.Tx, staff, servicePoint uuid.UUID) {
	tx.Queue(selectServes, staff, servicePoint).QueryRow(func(row pgx.Row) error {
		var may bool
		if err := row.Scan(&may); err != nil {
			return fmt.Errorf("does %s serve at %s: %w", staff, servicePoint, err)
		}
		if !may {
			return ErrNotStaff
		}
		return nil
	})
}
