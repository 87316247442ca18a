package consent

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// Version is a text that people agree to, as the back office keeps it.
type Version struct {
	resource.Base
	Document  string `json:"kind" readOnly:"true" required:"false" enum:"pdpa,terms"`
	Purpose   string `json:"purpose" enum:"customer,member,purchase"`
	Addressee string `json:"audience" enum:"customer,agent"`
	Version   string `json:"version" minLength:"1" maxLength:"20"`
	TitleTH   string `json:"name_th" minLength:"1" maxLength:"120"`
	TitleEN   string `json:"name_en" minLength:"1" maxLength:"120"`
	BodyTH    string `json:"body_th" minLength:"1" maxLength:"20000"`
	BodyEN    string `json:"body_en" minLength:"1" maxLength:"20000"`
	Active    bool   `json:"active" readOnly:"true" required:"false"`
	Accepted  int64  `json:"accepted" readOnly:"true" required:"false" doc:"By how many people"`
}

// ErrFixed says that a text people were asked to accept stays as it was: make a new version.
var ErrFixed = fault.New(fault.Conflict, "consent.version_fixed", "this version has been in use, please make a new one")

// ErrLast says that the active version of a purpose can only be replaced by another, not switched off.
var ErrLast = fault.New(fault.Conflict, "consent.version_active", "please activate another version instead")

// PDPA and Terms are the tables of texts.
var (
	PDPA  = versions("pdpa", "pdpa", "pdpa", "r.document = 'pdpa'")
	Terms = versions("terms", "termsandconditions", "termsandconditions", "r.document = 'terms'")
)

func versions(document, name, module, where string) *resource.Table[Version] {
	return resource.New(resource.Def[Version]{
		Name: name, Module: module, Relation: "consent_version", Where: where,
		AtMost: 1000, HasStatus: true, InitialStatus: resource.Inactive, Sort: "-created_at",
		Columns: []resource.Column{
			{Name: "kind", SQL: "r.document", Can: resource.Write},
			{Name: "purpose", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "ใช้เมื่อ", EN: "Purpose"},
			{Name: "audience", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "ผู้ยอมรับ", EN: "Audience"},
			{Name: "version", Can: resource.Filter | resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "รุ่น", EN: "Version"},
			{Name: "name_th", SQL: "r.title_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Title (Thai)"},
			{Name: "name_en", SQL: "r.title_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Title (English)"},
			{Name: "body_th", Can: resource.Write},
			{Name: "body_en", Can: resource.Write},
			{Name: "active", Can: resource.Filter | resource.Sort | resource.Lookup, TH: "ใช้งานอยู่", EN: "Active"},
			{Name: "accepted", SQL: "(SELECT count(*) FROM consent c WHERE c.version_id = r.id)", TH: "จำนวนผู้ยอมรับ", EN: "Accepted by"},
		},
		Constraints: map[string]fault.Field{"consent_version_once": {Path: "version", Fault: fault.Duplicate.Code}},
		BeforeSave: func(_ context.Context, _ db.Tx, old *Version, v *Version) error {
			v.Document = document
			if old != nil && (old.Active || old.Accepted > 0) {
				return ErrFixed
			}
			return nil
		},
		BeforeStatus: activate,
	})
}

const (
	lockPurpose = `SELECT id FROM consent_version WHERE document = $1 AND purpose = $2 AND audience = $3 ORDER BY id FOR UPDATE`
	retire      = `UPDATE consent_version SET active = false, status = 2, updated_at = $5
		WHERE document = $1 AND purpose = $2 AND audience = $3 AND active AND id <> $4`
	setActive = `UPDATE consent_version SET active = true WHERE id = $1`
)

// activate makes a version the one that people are asked for; the one before it is retired in the same transaction.
func activate(ctx context.Context, tx db.Tx, v Version, status int16) error {
	if status != resource.Active {
		if v.Active {
			return ErrLast
		}
		return nil
	}
	rows, err := tx.Query(ctx, lockPurpose, v.Document, v.Purpose, v.Addressee)
	if err != nil {
		return fmt.Errorf("versions beside %s: %w", v.ID, err)
	}
	rows.Close()
	if _, err := tx.Exec(ctx, retire, v.Document, v.Purpose, v.Addressee, v.ID, tx.Now); err != nil {
		return fmt.Errorf("retire versions beside %s: %w", v.ID, err)
	}
	return mark(ctx, tx, v.ID)
}

func mark(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	if _, err := tx.Exec(ctx, setActive, id); err != nil {
		return fmt.Errorf("activate version %s: %w", id, err)
	}
	return nil
}
