// Package partner keeps who earns of what is used at his service points. The office makes a partner and fills in what he says of himself and of his bank account;
// another person approves that.
package partner

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/ledger"
)

// Faults of partners.
var (
	ErrOver       = fault.New(fault.Conflict, "partner.over", "He is a partner no more")
	ErrNotNow     = fault.New(fault.Conflict, "partner.not_now", "This form does not wait for an answer any more")
	ErrBankName   = fault.New(fault.Invalid, "partner.bank_name", "The name of the account has to be the partner's own")
	ErrSamePerson = fault.New(fault.Conflict, "partner.same_person", "You filled this form in. Another person has to approve it")
	ErrTomorrow   = fault.New(fault.Conflict, "partner.tomorrow", "You alone can approve this: sign in anew tomorrow, and approve it then")
	ErrDuplicate  = fault.New(fault.Conflict, "partner.duplicate", "Somebody else who is paid has the same")
	ErrBegun      = fault.New(fault.Conflict, "partner_rate.begun", "This rate has begun. Add another one instead")
	ErrPast       = fault.New(fault.Invalid, "partner_rate.past", "this day is over")
)

// Row is a partner as the back office keeps it.
type Row struct {
	resource.Base
	NameTH  string `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN  string `json:"name_en" maxLength:"80"`
	Places  int64  `json:"places" readOnly:"true" required:"false" doc:"Service points that are his"`
	Rate    *int32 `json:"basis_points" nullable:"true" readOnly:"true" required:"false" doc:"Of today; null while he has none"`
	Waiting bool   `json:"waiting" readOnly:"true" required:"false" doc:"A form of his waits for an answer"`
	Payable bool   `json:"approved" readOnly:"true" required:"false" doc:"A form of his is approved, so he can be paid"`
}

const (
	insertPayee = `INSERT INTO payee (id, kind, created_at) VALUES ($1, 'partner', $2)`
	lockPartner = `SELECT status FROM partner WHERE id = $1 FOR NO KEY UPDATE`

	// The rate of a partner r on the day of today in Bangkok.
	rateToday = `(SELECT t.basis_points FROM partner_rate t WHERE t.partner_id = r.id AND t.status = 5 AND t.first_day <= (now() AT TIME ZONE 'Asia/Bangkok')::date ORDER BY t.first_day DESC LIMIT 1)`
)

// Partners is the table of partners.
var Partners = resource.New(resource.Def[Row]{
	Name: "partner", Module: "servicepoint", Relation: "partner",
	AtMost: 5000, HasStatus: true, InitialStatus: resource.Active, Statuses: []int16{resource.Inactive, resource.Suspended, resource.Active}, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "places", SQL: "(SELECT count(*) FROM service_point p WHERE p.partner_id = r.id AND p.status <> 9)", TH: "จุดบริการ", EN: "Service points"},
		{Name: "basis_points", SQL: rateToday, TH: "ส่วนแบ่ง (1/100 ของร้อยละ)", EN: "Rate (basis points)"},
		{Name: "waiting", SQL: "EXISTS (SELECT FROM payee_version v WHERE v.payee_id = r.id AND v.state = 'pending')", Can: resource.Filter, TH: "มีข้อมูลรออนุมัติ", EN: "A form waits"},
		{Name: "approved", SQL: "EXISTS (SELECT FROM payee_version v WHERE v.payee_id = r.id AND v.state = 'approved')", Can: resource.Filter, TH: "โอนได้", EN: "Can be paid"},
	},
	BeforeSave:   beforeSave,
	BeforeStatus: beforeStatus,
})

// beforeSave makes the payee of a new partner, with the account of what he waits for.
func beforeSave(ctx context.Context, tx db.Tx, old, row *Row) error {
	if old != nil {
		if old.Status == resource.Inactive {
			return ErrOver
		}
		return nil
	}
	if _, err := tx.Exec(ctx, insertPayee, row.ID, tx.Now); err != nil {
		return fmt.Errorf("payee of partner %s: %w", row.ID, err)
	}
	ledger.OpenAccounts(tx, ledger.AccountOf(ledger.CommissionPending, row.ID))
	return nil
}

// beforeStatus refuses to make somebody a partner again who ended: what is used at his service points has been nobody's since.
func beforeStatus(_ context.Context, _ db.Tx, old Row, _ int16) error {
	if old.Status == resource.Inactive {
		return ErrOver
	}
	return nil
}

// RateRow is a rate of a partner as the back office keeps it.
type RateRow struct {
	resource.Base
	Partner     uuid.UUID `json:"partner_id"`
	PartnerTH   string    `json:"partner_name_th" readOnly:"true" required:"false"`
	PartnerEN   string    `json:"partner_name_en" readOnly:"true" required:"false"`
	BasisPoints int32     `json:"basis_points" minimum:"0" maximum:"5000" doc:"Of what the organisation earns by a use at his service points"`
	FirstDay    string    `json:"first_day" format:"date" doc:"Of the uses it holds for, in Bangkok; not before the day it is added. It holds until the next one begins"`
}

// Rates is the table of rates. Uses keep the rate they were made with, so a row stays as it is.
var Rates = resource.New(resource.Def[RateRow]{
	Name: "partnerrate", Module: Partners.Module(), Relation: "partner_rate", Joins: "JOIN partner p ON p.id = r.partner_id",
	AtMost: 50_000, HasStatus: true, InitialStatus: resource.Active, Statuses: []int16{resource.Deleted}, Sort: "-first_day",
	Columns: []resource.Column{
		{Name: "partner_id", RefersTo: "partner", Can: resource.Filter | resource.Once},
		{Name: "partner_name_th", SQL: "p.name_th", Can: resource.Search | resource.Sort, TH: "พาร์ตเนอร์ (ไทย)", EN: "Partner (Thai)"},
		{Name: "partner_name_en", SQL: "p.name_en", Can: resource.Search | resource.Sort, TH: "พาร์ตเนอร์ (อังกฤษ)", EN: "Partner (English)"},
		{Name: "basis_points", Can: resource.Sort | resource.Once, TH: "ส่วนแบ่ง (1/100 ของร้อยละ)", EN: "Rate (basis points)"},
		{Name: "first_day", Date: true, Can: resource.Filter | resource.Sort | resource.Once, TH: "วันแรก", EN: "First day"},
	},
	Constraints:  map[string]fault.Field{"partner_rate_once": {Path: "first_day", Fault: fault.Duplicate.Code}},
	BeforeSave:   beforeRate,
	BeforeStatus: beforeRateStatus,
})

// beforeRate refuses a day that is over.
func beforeRate(_ context.Context, tx db.Tx, old, row *RateRow) error {
	if old == nil && row.FirstDay < clock.Day(tx.Now).Format(time.DateOnly) {
		return fault.At("first_day", ErrPast)
	}
	return nil
}

// beforeRateStatus lets a rate be withdrawn until its first day comes: nothing has been used by it yet.
func beforeRateStatus(_ context.Context, tx db.Tx, old RateRow, _ int16) error {
	if old.FirstDay <= clock.Day(tx.Now).Format(time.DateOnly) {
		return ErrBegun
	}
	return nil
}
