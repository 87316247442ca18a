// Package withholding certifies to each payee what was withheld of a payout, and makes the files by which that is filed with the Revenue Department month by month
// (docs/payouts.md, Papers).
package withholding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
)

// Faults of certificates and returns.
var (
	ErrNotNow       = fault.New(fault.Conflict, "withholding.not_now", "This cannot be done with this paper now")
	ErrMonthNotOver = fault.New(fault.Invalid, "withholding.month_not_over", "This month is not over")
	ErrNothing      = fault.New(fault.Conflict, "withholding.nothing", "Nothing was withheld in this month that is not in a file already")
	ErrInFile       = fault.New(fault.Conflict, "withholding.in_file", "This certificate is in a file that is not filed yet. Cancel the file first")
	ErrNotFiled     = fault.New(fault.Conflict, "withholding.not_filed", "A file of this month is not filed yet. Confirm that it was filed, or cancel it, before what came late is in another")
	ErrForgotten    = fault.New(fault.Conflict, "withholding.forgotten", "What this payee said of himself was erased")
	ErrSame         = fault.New(fault.Conflict, "withholding.same", "A new certificate would say the same")
	ErrPayer        = fault.New(fault.Conflict, "withholding.payer", "The organisation's legal name, tax ID, branch or address is missing")
	ErrSamePerson   = fault.New(fault.Conflict, "withholding.same_person", "You made this file. Another person has to approve it")
	ErrWaits        = fault.New(fault.Conflict, "withholding.waits", "A second person is asked about this file already")
)

const (
	module = "paycommissiontransaction" // of runs: who pays files what was withheld
	atOnce = 200                        // certificates of one transaction
)

// Service issues certificates and makes returns.
type Service struct {
	db  *db.DB
	box *secret.Box
}

// New returns the service. box opens what payees said of themselves.
func New(d *db.DB, box *secret.Box) *Service { return &Service{d, box} }

// ByID names a certificate, a return, or a payout.
type ByID struct {
	ID uuid.UUID `json:"id"`
}

// party is who paid, as a certificate says it.
type party struct {
	Name, TaxID, Branch, Address string
}

// payer returns who pays, or ErrPayer while somebody has still to write down what a certificate needs.
func payer(ctx context.Context, tx db.Tx) (p party, err error) {
	c, err := content.ReadContactDetails(ctx, tx)
	if err != nil {
		return p, err
	}
	p = party{c.LegalNameTH, c.TaxID, c.Branch, c.AddressTH}
	if p.Name == "" || p.TaxID == "" || p.Branch == "" || p.Address == "" {
		return p, ErrPayer
	}
	return p, nil
}

// recipient is who was paid, as a certificate says it: what of his form stands on it.
type recipient struct {
	Kind        string `json:"kind"`
	FirstName   string `json:"firstname"`
	LastName    string `json:"lastname"`
	Company     string `json:"company"`
	TaxID       string `json:"tax_id"` // of a person, of the ID card
	Branch      string `json:"branch"`
	Address     string `json:"address"`
	Subdistrict string `json:"subdistrict"`
	District    string `json:"district"`
	Province    string `json:"province"`
	Postcode    string `json:"postcode"`
}

func recipientOf(f payee.Form) recipient {
	r := recipient{f.Kind, f.FirstName, f.LastName, f.Company, f.IDCard, "", f.Address, f.Subdistrict, f.District, f.Province, f.Postcode}
	if f.Kind == payee.Company {
		r.TaxID, r.Branch = f.TaxID, f.Branch
	}
	return r
}

func (r recipient) name() string {
	if r.Kind == payee.Company {
		return r.Company
	}
	return strings.TrimSpace(r.FirstName + " " + r.LastName)
}

// address returns the whole address in one line. In Bangkok a subdistrict is a แขวง and a district a เขต.
func (r recipient) address() string {
	subdistrict, district, province := "ตำบล", "อำเภอ", "จังหวัด"
	if strings.HasPrefix(r.Province, "กรุงเทพ") {
		subdistrict, district, province = "แขวง", "เขต", ""
	}
	named := func(kind, name string) string {
		if strings.HasPrefix(name, kind) {
			return name
		}
		return kind + name
	}
	return strings.Join([]string{r.Address, named(subdistrict, r.Subdistrict), named(district, r.District), named(province, r.Province), r.Postcode}, " ")
}

const (
	certificateColumn = "tax_certificate.payee"
	fileColumn        = "tax_return.file"
)

func (s *Service) seal(tx db.Tx, id uuid.UUID, r recipient) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("payee of certificate: %w", err)
	}
	sealed, err := s.box.Seal(secret.AAD{Org: tx.Key, Column: certificateColumn, Row: id}, text)
	if err != nil {
		return nil, fmt.Errorf("seal the payee of a certificate: %w", err)
	}
	return sealed, nil
}

func (s *Service) open(tx db.Tx, id uuid.UUID, sealed []byte) (r recipient, err error) {
	text, err := s.box.Open(secret.AAD{Org: tx.Key, Column: certificateColumn, Row: id}, sealed)
	if err != nil {
		return r, fmt.Errorf("payee of certificate %s: %w", id, err)
	}
	if json.Unmarshal(text, &r) != nil {
		return r, errors.New("payee of a certificate: none lies in its row")
	}
	return r, nil
}

// changed notifies screens that a certificate or return has changed, and records by whom.
func changed(ctx context.Context, tx db.Tx, who auditlog.Actor, does, table string, id uuid.UUID, in any) error {
	if err := notice.SendTableUpdate(ctx, tx, table); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, does, table+"/"+id.String(), nil, in)
}
