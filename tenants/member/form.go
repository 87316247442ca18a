package member

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
	"welovevoucher/tenants/payee"
)

// Form is what who applies says of himself. What his card type does not ask is empty.
type Form struct {
	FirstName    string `json:"firstname" maxLength:"40"`
	LastName     string `json:"lastname" maxLength:"40"`
	Mobile       string `json:"mobilenumber" maxLength:"20" doc:"8 to 10 digits; spaces and dashes are left out"`
	Email        string `json:"emailaddress" maxLength:"320"`
	IDCard       string `json:"idcard" maxLength:"20" doc:"ID card or passport: 6 to 13 of 0-9 A-Z; spaces and dashes are left out"`
	Gender       string `json:"gender" enum:",male,female,other"`
	BirthDate    string `json:"birthdate" maxLength:"10" doc:"YYYY-MM-DD"`
	Nationality  string `json:"nationality" maxLength:"2" doc:"ISO 3166, two letters"`
	Address      string `json:"address" maxLength:"100"`
	Subdistrict  string `json:"subdistrict" maxLength:"60"`
	District     string `json:"district" maxLength:"60"`
	Province     string `json:"province" maxLength:"60"`
	Postcode     string `json:"postcode" maxLength:"5"`
	NameOnCard   string `json:"name_on_card" maxLength:"80" doc:"Of a receipt"`
	IssuedName   string `json:"issued_name" maxLength:"80" doc:"Of a receipt"`
	OfficeType   string `json:"office_type" enum:",head,branch" doc:"Of a receipt"`
	TaxID        string `json:"tax_id" maxLength:"20" doc:"Of a receipt: 10 to 13 of 0-9 A-Z; spaces and dashes are left out"`
	TaxpayerType string `json:"taxpayer_type" enum:",personal,corporation" doc:"Of a receipt: by which income tax"`
}

// Name is that of who applies.
func (f Form) Name() string { return f.FirstName + " " + f.LastName }

var apart = strings.NewReplacer(" ", "", "-", "", ".", "")

// tidy returns the form as it is kept: texts without outer or double spaces, numbers without what stands between their digits, and nothing that was not asked for.
func (f Form) tidy(a Asks) Form {
	for _, text := range []*string{&f.FirstName, &f.LastName, &f.Address, &f.Subdistrict, &f.District, &f.Province, &f.NameOnCard, &f.IssuedName} {
		*text = strings.Join(strings.Fields(*text), " ")
	}
	for _, number := range []*string{&f.IDCard, &f.Mobile, &f.Postcode, &f.TaxID} {
		*number = strings.ToUpper(apart.Replace(*number))
	}
	f.Email, f.BirthDate, f.Nationality = strings.TrimSpace(f.Email), strings.TrimSpace(f.BirthDate), strings.ToUpper(strings.TrimSpace(f.Nationality))
	for asked, fields := range map[*string][]*string{
		&a.Email: {&f.Email}, &a.IDCard: {&f.IDCard}, &a.Gender: {&f.Gender}, &a.BirthDate: {&f.BirthDate}, &a.Nationality: {&f.Nationality},
		&a.Address: {&f.Address, &f.Subdistrict, &f.District, &f.Province, &f.Postcode},
		&a.Receipt: {&f.NameOnCard, &f.IssuedName, &f.OfficeType, &f.TaxID, &f.TaxpayerType},
	} {
		if *asked == "off" {
			for _, field := range fields {
				*field = ""
			}
		}
	}
	return f
}

var (
	idForm       = regexp.MustCompile(`^[0-9A-Z]{6,13}$`)
	taxForm      = regexp.MustCompile(`^[0-9A-Z]{10,13}$`)
	mobileForm   = regexp.MustCompile(`^[0-9]{8,10}$`)
	postcodeForm = regexp.MustCompile(`^[1-9][0-9]{4}$`)
	countryForm  = regexp.MustCompile(`^[A-Z]{2}$`)
)

// Limits of the form, in letters as people count them.
const (
	maxName      = 40
	maxAddress   = 100
	maxPlace     = 60
	maxOnReceipt = 80
	oldest       = "1900-01-01"
)

// check returns the fields of a tidy form that a card type does not take. today is a day in Bangkok.
func (f Form) check(t Terms, today time.Time) (bad []fault.Field) {
	add := func(path string, why *fault.Fault) { bad = append(bad, fault.Field{Path: path, Fault: why.Code}) }
	// is returns whether what is in a field is to be looked at; an empty one is wrong where it is needed.
	is := func(path, value string, needed bool) bool {
		if value == "" && needed {
			add(path, fault.Required)
		}
		return value != ""
	}
	text := func(path, value string, most int, needed bool) {
		if is(path, value, needed) && utf8.RuneCountInString(value) > most {
			add(path, fault.TooLong)
		}
	}
	form := func(path, value string, form *regexp.Regexp, why *fault.Fault, needed bool) {
		if is(path, value, needed) && !form.MatchString(value) {
			add(path, why)
		}
	}
	oneOf := func(path, value string, needed bool, list ...string) {
		if is(path, value, needed) && !slices.Contains(list, value) {
			add(path, fault.NotInList)
		}
	}
	text("firstname", f.FirstName, maxName, true)
	text("lastname", f.LastName, maxName, true)
	form("mobilenumber", f.Mobile, mobileForm, payee.ErrMobile, true)
	if is("emailaddress", f.Email, t.Email == "required") && !mail.ValidAddress(f.Email) {
		add("emailaddress", mail.ErrAddress)
	}
	form("idcard", f.IDCard, idForm, fault.WrongFormat, t.IDCard == "required")
	oneOf("gender", f.Gender, t.Gender == "required", "male", "female", "other")
	if is("birthdate", f.BirthDate, t.BirthDate == "required") {
		switch day, err := time.Parse(time.DateOnly, f.BirthDate); {
		case err != nil || f.BirthDate < oldest || day.After(today):
			add("birthdate", fault.WrongFormat)
		case day.AddDate(int(t.LeastAge), 0, 0).After(today):
			add("birthdate", ErrTooYoung)
		}
	}
	form("nationality", f.Nationality, countryForm, fault.WrongFormat, t.Nationality == "required")

	whole := t.Address == "required" || f.Address+f.Subdistrict+f.District+f.Province+f.Postcode != ""
	text("address", f.Address, maxAddress, whole)
	text("subdistrict", f.Subdistrict, maxPlace, whole)
	text("district", f.District, maxPlace, whole)
	text("province", f.Province, maxPlace, whole)
	form("postcode", f.Postcode, postcodeForm, fault.WrongFormat, whole)

	whole = t.Receipt == "required" || f.NameOnCard+f.IssuedName+f.OfficeType+f.TaxID+f.TaxpayerType != ""
	text("name_on_card", f.NameOnCard, maxOnReceipt, whole)
	text("issued_name", f.IssuedName, maxOnReceipt, whole)
	oneOf("office_type", f.OfficeType, whole, "head", "branch")
	form("tax_id", f.TaxID, taxForm, fault.WrongFormat, whole)
	oneOf("taxpayer_type", f.TaxpayerType, whole, "personal", "corporation")
	return bad
}

// age returns how old a person is on a day, in years, or nil if his date of birth is not known.
func (f Form) age(today time.Time) *int {
	born, err := time.Parse(time.DateOnly, f.BirthDate)
	if err != nil {
		return nil
	}
	years := today.Year() - born.Year()
	if born.AddDate(years, 0, 0).After(today) {
		years--
	}
	return &years
}

// identityRight reports whether the last of 13 digits follows from the others, or there are not 13.
func (f Form) identityRight() bool { return !payee.WrongDigit(f.IDCard) }

// Columns in which forms are encrypted.
const (
	inApplication = "application.form"
	inDraft       = "member_draft.form"
)

// seal returns a form as it lies in a row of a column.
func seal(box *secret.Box, tx db.Tx, column string, row uuid.UUID, f Form) ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("form of a member: %w", err)
	}
	sealed, err := box.Seal(secret.AAD{Org: tx.Key, Column: column, Row: row}, text)
	if err != nil {
		return nil, fmt.Errorf("seal the form of a member: %w", err)
	}
	return sealed, nil
}

// open returns the form that lies in a row of a column, and the zero Form for one that is forgotten.
func open(box *secret.Box, tx db.Tx, column string, row uuid.UUID, sealed []byte) (f Form, err error) {
	if sealed == nil {
		return f, nil
	}
	text, err := box.Open(secret.AAD{Org: tx.Key, Column: column, Row: row}, sealed)
	if err != nil {
		return f, fmt.Errorf("form of a member: %w", err)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, errors.New("form of a member: no form lies in its row")
	}
	return f, nil
}

// indexes find the same card and number of somebody else. Of a form without a card the first is nil.
func (f Form) indexes(box *secret.Box, tx db.Tx) (identity, mobile []byte, err error) {
	if f.IDCard != "" {
		if identity, err = box.Index(tx.Key, "member.identity", f.IDCard); err != nil {
			return nil, nil, err
		}
	}
	number := f.Mobile
	if whole, err := sms.Normalise(number); err == nil {
		number = whole
	}
	mobile, err = box.Index(tx.Key, "member.mobile", number)
	return identity, mobile, err
}

// last returns the last four characters of a number.
func last(number string) string { return number[max(0, len(number)-4):] }
