package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
)

// ContactDetails say who the organisation is before the law, and whom its customers ask. Each of them may be empty.
type ContactDetails struct {
	LegalNameTH string `json:"legal_name_th" maxLength:"160"`
	LegalNameEN string `json:"legal_name_en" maxLength:"160"`
	AddressTH   string `json:"address_th" maxLength:"300"`
	AddressEN   string `json:"address_en" maxLength:"300"`
	TaxID       string `json:"tax_id" maxLength:"13" pattern:"^([0-9]{13})?$" doc:"13 digits, of which the last is a checksum"`
	Branch      string `json:"branch" maxLength:"5" pattern:"^([0-9]{5})?$" doc:"As registered for VAT; 00000 is the head office"`
	Phone       string `json:"phone" maxLength:"20" pattern:"^[0-9+() -]*$"`
	Email       string `json:"email" maxLength:"254"`
	LineID      string `json:"line_id" maxLength:"31" pattern:"^(@?[A-Za-z0-9._-]{1,30})?$" doc:"Of its LINE account, with the @ of an official one"`
}

// ErrTaxID is the code of a field: its last digit does not follow from the others.
var ErrTaxID = fault.New(fault.Invalid, "field.tax_id", "this is no tax id")

// ValidTaxID reports whether the last of 13 digits is the checksum of the others.
func ValidTaxID(digits string) bool {
	if len(digits) != 13 {
		return false
	}
	sum := 0
	for i, digit := range []byte(digits) {
		if digit < '0' || digit > '9' {
			return false
		}
		if i < 12 {
			sum += int(digit-'0') * (13 - i)
		}
	}
	return int(digits[12]-'0') == (11-sum%11)%10
}

func (c ContactDetails) check() (bad []fault.Field) {
	if c.TaxID != "" && !ValidTaxID(c.TaxID) {
		bad = append(bad, fault.Field{Path: "tax_id", Fault: ErrTaxID.Code})
	}
	if c.Email != "" && !mail.ValidAddress(c.Email) {
		bad = append(bad, fault.Field{Path: "email", Fault: mail.ErrAddress.Code})
	}
	return bad
}

const (
	selectContactDetails = `SELECT legal_name_th, legal_name_en, address_th, address_en, tax_id, branch, phone, email, line_id FROM contact_details`
	saveContactDetails   = `INSERT INTO contact_details (legal_name_th, legal_name_en, address_th, address_en, tax_id, branch, phone, email, line_id, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (one) DO UPDATE SET legal_name_th = excluded.legal_name_th, legal_name_en = excluded.legal_name_en,
			address_th = excluded.address_th, address_en = excluded.address_en, tax_id = excluded.tax_id, branch = excluded.branch,
			phone = excluded.phone, email = excluded.email, line_id = excluded.line_id, updated_at = excluded.updated_at`
)

// ReadContactDetails returns them empty while nobody has written them.
func ReadContactDetails(ctx context.Context, tx db.Tx) (c ContactDetails, err error) {
	err = tx.QueryRow(ctx, selectContactDetails).Scan(&c.LegalNameTH, &c.LegalNameEN, &c.AddressTH, &c.AddressEN, &c.TaxID, &c.Branch, &c.Phone, &c.Email, &c.LineID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return c, fmt.Errorf("contact details: %w", err)
	}
	return c, nil
}

// SaveContactDetails puts them in the place of those before, and records both in the audit log. It returns fault.BadInput.
func SaveContactDetails(ctx context.Context, tx db.Tx, who auditlog.Actor, c ContactDetails) error {
	if bad := c.check(); len(bad) > 0 {
		return fault.Of(bad...)
	}
	before, err := ReadContactDetails(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, saveContactDetails, c.LegalNameTH, c.LegalNameEN, c.AddressTH, c.AddressEN, c.TaxID, c.Branch, c.Phone, c.Email, c.LineID, tx.Now)
	if err != nil {
		return fmt.Errorf("save contact details: %w", err)
	}
	return auditlog.Record(ctx, tx, who, "change", "contact_details", before, c)
}
