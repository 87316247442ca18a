// Package payee keeps who is paid commission or earnings, and what each says of himself and of his bank account: a draft while he fills it in, a version
// once he has sent it. What he says is encrypted; lists show last four digits, and indexes find the same card, number or account again.
package payee

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/sms"
	"welovevoucher/tenants/bank"
)

// Kinds of payees, as what they are paid.
const (
	Person  = "person"
	Company = "company"
)

// ErrMobile refuses a number of other lengths than the specification has.
var ErrMobile = fault.New(fault.Invalid, "payee.mobile", "Mobile No. Must consist of 8 to 10 digits.")

// Form is what a payee says of himself, apart from two pictures. Of a company the names and the card are those of who acts for it.
type Form struct {
	Kind          string `json:"kind" enum:"person,company"`
	FirstName     string `json:"firstname" maxLength:"40"`
	LastName      string `json:"lastname" maxLength:"40"`
	Company       string `json:"company_name" maxLength:"80" doc:"Of a company"`
	TaxID         string `json:"tax_id" maxLength:"20" doc:"Of a company: 10 to 13 of 0-9 A-Z; spaces and dashes are left out"`
	Branch        string `json:"branch" maxLength:"5" doc:"Of a company: five digits, 00000 is the head office"`
	VATRegistered bool   `json:"vat_registered"`
	Resident      bool   `json:"resident" doc:"In Thailand, as the Revenue Department means it"`
	IDCard        string `json:"idcard" maxLength:"20" doc:"ID card or passport: 6 to 13 of 0-9 A-Z; spaces and dashes are left out"`
	BirthDate     string `json:"birthdate" maxLength:"10" doc:"Of a person: YYYY-MM-DD"`
	Mobile        string `json:"mobilenumber" maxLength:"20" doc:"8 to 10 digits; one of other than 10 cannot be verified"`
	Email         string `json:"emailaddress" maxLength:"320"`
	Address       string `json:"address" maxLength:"100"`
	Subdistrict   string `json:"subdistrict" maxLength:"60"`
	District      string `json:"district" maxLength:"60"`
	Province      string `json:"province" maxLength:"60"`
	Postcode      string `json:"postcode" maxLength:"5"`
	Nationality   string `json:"nationality" maxLength:"2" doc:"ISO 3166, two letters"`
	Recruiter     string `json:"referercode" maxLength:"20" doc:"Of the agent who recruited him; may be empty"`
	Bank          string `json:"bank" maxLength:"3" doc:"The bank's code at the Bank of Thailand"`
	Number        string `json:"account_number" maxLength:"30"`
	AccountName   string `json:"account_name" maxLength:"100" doc:"Of the account, as the bank has it: the payee's own name"`
}

// Name is the payee's own: of a company that of the company.
func (f Form) Name() string {
	if f.Kind == Company {
		return f.Company
	}
	return strings.TrimSpace(f.FirstName + " " + f.LastName)
}

// Person is the name of who fills the form in.
func (f Form) Person() string { return strings.TrimSpace(f.FirstName + " " + f.LastName) }

// identity is what two payees cannot both have.
func (f Form) identity() string {
	if f.Kind == Company {
		return "tax " + f.TaxID
	}
	return f.IDCard
}

// mobile is the number in E.164 where it is a mobile number of Thailand, and its digits otherwise.
func (f Form) mobile() string {
	if whole, err := sms.Normalise(f.Mobile); err == nil {
		return whole
	}
	return f.Mobile
}

// SameAccount reports whether two forms name one bank account under one name.
func (f Form) SameAccount(other Form) bool {
	return f.Bank == other.Bank && f.Number == other.Number && f.AccountName == other.AccountName
}

var apart = strings.NewReplacer(" ", "", "-", "", ".", "")

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Tidy returns the form as it is kept: texts without outer or double spaces, numbers without what stands between their digits. What a company has is empty of a
// person, and a birth date of a company.
func (f Form) Tidy() Form {
	for _, text := range []*string{&f.FirstName, &f.LastName, &f.Company, &f.Address, &f.Subdistrict, &f.District, &f.Province, &f.AccountName} {
		*text = oneLine(*text)
	}
	for _, number := range []*string{&f.TaxID, &f.IDCard, &f.Mobile, &f.Number, &f.Postcode, &f.Branch} {
		*number = strings.ToUpper(apart.Replace(*number))
	}
	f.Email, f.BirthDate, f.Recruiter = strings.TrimSpace(f.Email), strings.TrimSpace(f.BirthDate), strings.ToUpper(strings.TrimSpace(f.Recruiter))
	f.Nationality = strings.ToUpper(strings.TrimSpace(f.Nationality))
	if f.Kind == Company {
		f.BirthDate = ""
	} else {
		f.Company, f.TaxID, f.Branch = "", "", ""
	}
	return f
}

var (
	idForm       = regexp.MustCompile(`^[0-9A-Z]{6,13}$`)
	taxForm      = regexp.MustCompile(`^[0-9A-Z]{10,13}$`)
	branchForm   = regexp.MustCompile(`^[0-9]{5}$`)
	mobileForm   = regexp.MustCompile(`^[0-9]{8,10}$`)
	postcodeForm = regexp.MustCompile(`^[1-9][0-9]{4}$`)
	countryForm  = regexp.MustCompile(`^[A-Z]{2}$`)
	bankForm     = regexp.MustCompile(`^[0-9]{3}$`)
)

const oldest = "1900-01-01"

// Check returns the fields of a tidy form that cannot be sent as they are. today is a day in Bangkok.
func (f Form) Check(today time.Time) (bad []fault.Field) {
	add := func(path string, why *fault.Fault) { bad = append(bad, fault.Field{Path: path, Fault: why.Code}) }
	text := func(path, value string, most int) {
		switch {
		case value == "":
			add(path, fault.Required)
		case utf8.RuneCountInString(value) > most:
			add(path, fault.TooLong)
		}
	}
	form := func(path, value string, is *regexp.Regexp, why *fault.Fault) {
		switch {
		case value == "":
			add(path, fault.Required)
		case !is.MatchString(value):
			add(path, why)
		}
	}
	if f.Kind != Person && f.Kind != Company {
		add("kind", fault.NotInList)
	}
	text("firstname", f.FirstName, 40)
	text("lastname", f.LastName, 40)
	form("idcard", f.IDCard, idForm, fault.WrongFormat)
	if f.Kind == Company {
		text("company_name", f.Company, 80)
		form("tax_id", f.TaxID, taxForm, fault.WrongFormat)
		form("branch", f.Branch, branchForm, fault.WrongFormat)
	} else if day, err := time.Parse(time.DateOnly, f.BirthDate); f.BirthDate == "" {
		add("birthdate", fault.Required)
	} else if err != nil || f.BirthDate < oldest || day.After(today) {
		add("birthdate", fault.WrongFormat)
	}
	form("mobilenumber", f.Mobile, mobileForm, ErrMobile)
	switch {
	case f.Email == "":
		add("emailaddress", fault.Required)
	case !mail.ValidAddress(f.Email):
		add("emailaddress", mail.ErrAddress)
	}
	text("address", f.Address, 100)
	text("subdistrict", f.Subdistrict, 60)
	text("district", f.District, 60)
	text("province", f.Province, 60)
	form("postcode", f.Postcode, postcodeForm, fault.WrongFormat)
	form("nationality", f.Nationality, countryForm, fault.WrongFormat)
	return append(bad, f.checkAccount()...)
}

func (f Form) checkAccount() (bad []fault.Field) {
	if !bankForm.MatchString(f.Bank) {
		bad = append(bad, fault.Field{Path: "bank", Fault: fault.Required.Code})
	}
	if f.AccountName == "" {
		bad = append(bad, fault.Field{Path: "account_name", Fault: fault.Required.Code})
	}
	switch _, err := (bank.Account{Bank: f.Bank, Number: f.Number, Name: f.AccountName}).Checked(); {
	case f.Number == "":
		bad = append(bad, fault.Field{Path: "account_number", Fault: fault.Required.Code})
	case len(bad) == 0 && err != nil:
		bad = append(bad, fault.Field{Path: "account_number", Fault: bank.ErrNumber.Code})
	}
	return bad
}

// Age is how old a person is on a day; of a company, 0.
func (f Form) Age(today time.Time) int {
	born, err := time.Parse(time.DateOnly, f.BirthDate)
	if err != nil {
		return 0
	}
	years := today.Year() - born.Year()
	if today.Month() < born.Month() || today.Month() == born.Month() && today.Day() < born.Day() {
		years--
	}
	return years
}

// digitsOfID is how many digits an ID card and a tax id of Thailand have.
const digitsOfID = 13

// WrongDigit reports whether a number of 13 digits is no ID card or tax id of Thailand: its last digit does not follow from the others.
func WrongDigit(number string) bool {
	if len(number) != digitsOfID || strings.Trim(number, "0123456789") != "" {
		return false
	}
	sum := 0
	for i := range digitsOfID - 1 {
		sum += int(number[i]-'0') * (digitsOfID - i)
	}
	return (11-sum%11)%10 != int(number[digitsOfID-1]-'0')
}

// Fields are what of a form, and of its pictures, whoever refuses it may ask to be mended.
var Fields = []string{
	"firstname", "lastname", "company_name", "tax_id", "branch", "idcard", "birthdate", "mobilenumber", "emailaddress", "address", "subdistrict", "district", "province",
	"postcode", "nationality", "bank", "account_number", "account_name", "picture_idcard", "picture_bank",
}

// CheckFields returns fault.NotInList for a field that no form has.
func CheckFields(fields []string) error {
	for i, field := range fields {
		if !slices.Contains(Fields, field) {
			return fault.At(fmt.Sprintf("fields.%d", i), fault.NotInList)
		}
	}
	return nil
}

// seal returns a form as it lies in a row of a table.
func seal(box *secret.Box, tx db.Tx, column string, row uuid.UUID, f Form) ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("form of payee: %w", err)
	}
	sealed, err := box.Seal(secret.AAD{Org: tx.Key, Column: column, Row: row}, text)
	if err != nil {
		return nil, fmt.Errorf("seal the form of a payee: %w", err)
	}
	return sealed, nil
}

func open(box *secret.Box, tx db.Tx, column string, row uuid.UUID, sealed []byte) (f Form, err error) {
	if sealed == nil {
		return f, nil
	}
	text, err := box.Open(secret.AAD{Org: tx.Key, Column: column, Row: row}, sealed)
	if err != nil {
		return f, fmt.Errorf("form of a payee: %w", err)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, errors.New("form of a payee: no form lies in its row")
	}
	return f, nil
}

// indexes find the same card, number or account of somebody else.
type indexes struct{ Identity, Mobile, Account []byte }

func indexesOf(box *secret.Box, tx db.Tx, f Form) (i indexes, err error) {
	var errs [3]error
	i.Identity, errs[0] = box.Index(tx.Key, "payee.identity", f.identity())
	i.Mobile, errs[1] = box.Index(tx.Key, "payee.mobile", f.mobile())
	i.Account, errs[2] = bank.Account{Bank: f.Bank, Number: f.Number}.Index(box, tx.Key)
	return i, errors.Join(errs[:]...)
}

// last returns the last four characters of a number.
func last(number string) string { return number[max(0, len(number)-4):] }
