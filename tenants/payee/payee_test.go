package payee_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/tenants/payee"
)

// TestSameName tries the cases that the front end's own comparison is tested by, too.
func TestSameName(t *testing.T) {
	text, err := os.ReadFile("../../apps/client/src/payee/names.json")
	require.NoError(t, err)
	var cases []struct {
		Account, Name string
		Same          bool
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Greater(t, len(cases), 20)
	for _, c := range cases {
		require.Equal(t, c.Same, payee.SameName(c.Account, c.Name), "%q and %q", c.Account, c.Name)
	}
}

var today = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

func person() payee.Form {
	return payee.Form{
		Kind: payee.Person, FirstName: "วิภาดา", LastName: "กันทะวงศ์", Resident: true, IDCard: "1101700203646", BirthDate: "1993-08-02", Mobile: "0865550192",
		Email: "wipada.k@example.com", Address: "45 หมู่ 3", Subdistrict: "ริมใต้", District: "แม่ริม", Province: "เชียงใหม่", Postcode: "50180", Nationality: "TH",
		Bank: "004", Number: "0418123732", AccountName: "วิภาดา กันทะวงศ์",
	}
}

func company() payee.Form {
	f := person()
	f.Kind, f.BirthDate, f.Company, f.TaxID, f.Branch = payee.Company, "", "บริษัท ฟ้าเหนือทัวร์ จำกัด", "0105561000003", "00000"
	return f
}

func TestCheck(t *testing.T) {
	require.Empty(t, person().Check(today))
	require.Empty(t, company().Check(today))
	cases := []struct {
		name   string
		form   payee.Form
		change func(f *payee.Form)
		path   string
		fault  *fault.Fault
	}{
		{"no first name", person(), func(f *payee.Form) { f.FirstName = "" }, "firstname", fault.Required},
		{"a first name of 41 letters", person(), func(f *payee.Form) { f.FirstName = letters(41) }, "firstname", fault.TooLong},
		{"a card of five characters", person(), func(f *payee.Form) { f.IDCard = "AA123" }, "idcard", fault.WrongFormat},
		{"a card with a Thai letter", person(), func(f *payee.Form) { f.IDCard = "กก12345" }, "idcard", fault.WrongFormat},
		{"no birth date", person(), func(f *payee.Form) { f.BirthDate = "" }, "birthdate", fault.Required},
		{"born tomorrow", person(), func(f *payee.Form) { f.BirthDate = "2026-11-22" }, "birthdate", fault.WrongFormat},
		{"born in 1899", person(), func(f *payee.Form) { f.BirthDate = "1899-12-31" }, "birthdate", fault.WrongFormat},
		{"no such day", person(), func(f *payee.Form) { f.BirthDate = "1993-02-30" }, "birthdate", fault.WrongFormat},
		{"a number of seven digits", person(), func(f *payee.Form) { f.Mobile = "0865550" }, "mobilenumber", payee.ErrMobile},
		{"an address without @", person(), func(f *payee.Form) { f.Email = "wipada.example.com" }, "emailaddress", mail.ErrAddress},
		{"an e-mail of five characters", person(), func(f *payee.Form) { f.Email = "a@b.c" }, "emailaddress", mail.ErrAddress},
		{"a postcode that begins with 0", person(), func(f *payee.Form) { f.Postcode = "05018" }, "postcode", fault.WrongFormat},
		{"a nationality in words", person(), func(f *payee.Form) { f.Nationality = "THAI" }, "nationality", fault.WrongFormat},
		{"no bank", person(), func(f *payee.Form) { f.Bank = "" }, "bank", fault.Required},
		{"nine digits at a bank of ten", person(), func(f *payee.Form) { f.Number = "041812373" }, "account_number", fault.New(fault.Invalid, "test.number", "")},
		{"a company's name of 81 letters", company(), func(f *payee.Form) { f.Company = letters(81) }, "company_name", fault.TooLong},
		{"a tax id of nine digits", company(), func(f *payee.Form) { f.TaxID = "010556100" }, "tax_id", fault.WrongFormat},
		{"a branch in words", company(), func(f *payee.Form) { f.Branch = "หลัก" }, "branch", fault.WrongFormat},
		{"neither a person nor a company", person(), func(f *payee.Form) { f.Kind = "" }, "kind", fault.NotInList},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.change(&c.form)
			code := c.fault.Code
			if code == "test.number" {
				code = "bank.number"
			}
			require.Equal(t, []fault.Field{{Path: c.path, Fault: code}}, c.form.Check(today))
		})
	}
	t.Run("numbers of 8 and 9 digits are kept, and 80 letters of a company", func(t *testing.T) {
		f := company()
		f.Mobile, f.Company = "05312345", letters(80)
		require.Empty(t, f.Check(today))
		f.Mobile = "053123456"
		require.Empty(t, f.Check(today))
	})
}

func letters(n int) string {
	text := make([]rune, n)
	for i := range text {
		text[i] = 'ก'
	}
	return string(text)
}

func TestTidy(t *testing.T) {
	f := payee.Form{
		Kind: payee.Person, FirstName: "  วิภาดา  ", IDCard: "1-1017-00203-64-6", Mobile: "086-555 0192", Number: "041-8-12373-2", TaxID: "1", Company: "x", Email: " a@example.com ",
		Recruiter: " tj219 ", Nationality: "th",
	}.Tidy()
	require.Equal(t, payee.Form{
		Kind: payee.Person, FirstName: "วิภาดา", IDCard: "1101700203646", Mobile: "0865550192", Number: "0418123732", Email: "a@example.com", Recruiter: "TJ219", Nationality: "TH",
	}, f)
	require.Empty(t, payee.Form{Kind: payee.Company, BirthDate: "1993-08-02"}.Tidy().BirthDate)
}

func TestWrongDigit(t *testing.T) {
	for _, right := range []string{"0105561000003", "0994000165501", "0107536000374", "1101700203646", "0105000010051", "0105000010000", "AA1234567", "12345", ""} {
		require.False(t, payee.WrongDigit(right), right)
	}
	for _, wrong := range []string{"0105537091804", "0105561000001"} {
		require.True(t, payee.WrongDigit(wrong), wrong)
	}
}

func TestAge(t *testing.T) {
	for born, age := range map[string]int{"2006-11-21": 20, "2006-11-22": 19, "2007-01-01": 19, "1993-08-02": 33, "": 0} {
		require.Equal(t, age, payee.Form{BirthDate: born}.Age(today), born)
	}
}
