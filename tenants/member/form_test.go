package member

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
)

var everything = Terms{LeastAge: 10, Asks: Asks{
	Email: "required", IDCard: "required", Gender: "required", BirthDate: "required", Address: "required", Nationality: "required", Receipt: "required",
}}

func whole() Form {
	return Form{
		FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146", Email: "pim@example.com", IDCard: "1101700230708", Gender: "female", BirthDate: "1995-03-14", Nationality: "TH",
		Address: "98/7", Subdistrict: "ช้างคลาน", District: "เมือง", Province: "เชียงใหม่", Postcode: "50100",
		NameOnCard: "Pim", IssuedName: "พิมพ์ชนก สุขใจ", OfficeType: "head", TaxID: "1101700230708", TaxpayerType: "personal",
	}
}

// TestForm: each rule of each field at its borders.
func TestForm(t *testing.T) {
	today := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	require.Empty(t, whole().check(everything, today))
	thai := func(n int) string { return strings.Repeat("ก", n) }
	local := func(n int) string { return strings.Repeat("a", n) + "@b.co" }
	for path, c := range map[string]struct {
		set       func(f *Form, value string)
		good, bad []string
		fault     string
	}{
		"firstname":     {func(f *Form, v string) { f.FirstName = v }, []string{"ก", thai(40)}, []string{thai(41)}, "field.too_long"},
		"lastname":      {func(f *Form, v string) { f.LastName = v }, []string{"ก", thai(40)}, []string{thai(41)}, "field.too_long"},
		"mobilenumber":  {func(f *Form, v string) { f.Mobile = v }, []string{"12345678", "0812345678"}, []string{"1234567", "08123456789", "0812345x"}, "payee.mobile"},
		"emailaddress":  {func(f *Form, v string) { f.Email = v }, []string{"a@b.co", local(64)}, []string{"a@b.c", local(65), "pim@example", "pim"}, "field.email"},
		"idcard":        {func(f *Form, v string) { f.IDCard = v }, []string{"AA1234", "1101700230707"}, []string{"AA123", "11017002307081", "aa1234", "AA-123"}, "field.format"},
		"gender":        {func(f *Form, v string) { f.Gender = v }, []string{"male", "female", "other"}, []string{"x"}, "field.not_in_list"},
		"birthdate":     {func(f *Form, v string) { f.BirthDate = v }, []string{"1900-01-01", "2016-11-21"}, []string{"1899-12-31", "2026-11-22", "14/03/1995"}, "field.format"},
		"nationality":   {func(f *Form, v string) { f.Nationality = v }, []string{"TH", "US"}, []string{"T", "THA", "th"}, "field.format"},
		"address":       {func(f *Form, v string) { f.Address = v }, []string{"ก", thai(100)}, []string{thai(101)}, "field.too_long"},
		"subdistrict":   {func(f *Form, v string) { f.Subdistrict = v }, []string{thai(60)}, []string{thai(61)}, "field.too_long"},
		"district":      {func(f *Form, v string) { f.District = v }, []string{thai(60)}, []string{thai(61)}, "field.too_long"},
		"province":      {func(f *Form, v string) { f.Province = v }, []string{thai(60)}, []string{thai(61)}, "field.too_long"},
		"postcode":      {func(f *Form, v string) { f.Postcode = v }, []string{"10000", "99999"}, []string{"01000", "1000", "100000", "1000x"}, "field.format"},
		"name_on_card":  {func(f *Form, v string) { f.NameOnCard = v }, []string{thai(80)}, []string{thai(81)}, "field.too_long"},
		"issued_name":   {func(f *Form, v string) { f.IssuedName = v }, []string{thai(80)}, []string{thai(81)}, "field.too_long"},
		"office_type":   {func(f *Form, v string) { f.OfficeType = v }, []string{"head", "branch"}, []string{"x"}, "field.not_in_list"},
		"taxpayer_type": {func(f *Form, v string) { f.TaxpayerType = v }, []string{"personal", "corporation"}, []string{"x"}, "field.not_in_list"},
		"tax_id":        {func(f *Form, v string) { f.TaxID = v }, []string{"0123456789", "ABCDEFGHIJKLM"}, []string{"012345678", "01234567890123"}, "field.format"},
	} {
		for _, value := range c.good {
			f := whole()
			c.set(&f, value)
			require.Empty(t, f.check(everything, today), "%s %q", path, value)
		}
		for _, value := range append(c.bad, "") {
			f := whole()
			c.set(&f, value)
			bad := f.check(everything, today)
			require.Len(t, bad, 1, "%s %q", path, value)
			require.Equal(t, path, bad[0].Path)
			want := c.fault
			if value == "" {
				want = "field.required"
			}
			require.Equal(t, want, bad[0].Fault, "%s %q", path, value)
		}
	}
	young := whole()
	young.BirthDate = "2016-11-22"
	require.Equal(t, ErrTooYoung.Code, young.check(everything, today)[0].Fault)
}

// TestAsked: what is not asked is dropped, what may stay empty may, and an address or a receipt of which something is filled in is filled in whole.
func TestAsked(t *testing.T) {
	today := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	off := Asks{"off", "off", "off", "off", "off", "off", "off"}
	require.Equal(t, Form{FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146"}, whole().tidy(off))
	require.Empty(t, whole().tidy(off).check(Terms{Asks: off}, today))

	optional := Terms{Asks: Asks{"off", "optional", "optional", "optional", "optional", "optional", "optional"}}
	require.Empty(t, Form{FirstName: "a", LastName: "b", Mobile: "12345678"}.check(optional, today))
	half := Form{FirstName: "a", LastName: "b", Mobile: "12345678", Province: "เชียงใหม่", TaxID: "0123456789"}
	require.Len(t, half.check(optional, today), 8)

	spaced := Form{FirstName: "  พิมพ์   ชนก ", LastName: "b", Mobile: "089-555 0146", IDCard: "1 1017 00230 70 8"}.tidy(everything.Asks)
	require.Equal(t, []string{"พิมพ์ ชนก", "0895550146", "1101700230708"}, []string{spaced.FirstName, spaced.Mobile, spaced.IDCard})
}

// TestWish: what each application asks for, by what its customer has.
func TestWish(t *testing.T) {
	today := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	silver, gold := db.NewID(), db.NewID()
	runs := func(days int) *term {
		end := today.AddDate(0, 0, days)
		return &term{version: silver, level: 2, endsOn: &end}
	}
	for name, c := range map[string]struct {
		m     membership
		level int16
		type_ any
		want  kind
		err   error
	}{
		"nobody":                   {membership{}, 1, silver, first, nil},
		"who left":                 {membership{state: Left}, 1, silver, first, nil},
		"expired":                  {membership{state: Expired}, 9, silver, renewal, nil},
		"suspended":                {membership{state: Suspended, running: runs(1)}, 9, gold, "", ErrSuspended},
		"61 days before the end":   {membership{state: Active, running: runs(61)}, 2, silver, "", ErrTooEarly},
		"60 days before the end":   {membership{state: Active, running: runs(60)}, 2, silver, renewal, nil},
		"lower, with the renewal":  {membership{state: Active, running: runs(0)}, 1, gold, renewal, nil},
		"renewed already":          {membership{state: Active, running: runs(0), toCome: runs(365)}, 2, silver, "", ErrRenewed},
		"higher at any time":       {membership{state: Active, running: runs(300)}, 3, gold, upgrade, nil},
		"higher although renewed":  {membership{state: Active, running: runs(3), toCome: runs(365)}, 3, gold, upgrade, nil},
		"without an end":           {membership{state: Active, running: &term{version: silver, level: 2}}, 2, silver, "", ErrNoEnd},
		"another without an end":   {membership{state: Active, running: &term{version: silver, level: 2}}, 2, gold, "", ErrNotHigher},
		"higher of without an end": {membership{state: Active, running: &term{version: silver, level: 2}}, 3, gold, upgrade, nil},
	} {
		version := silver
		if c.type_ == any(gold) {
			version = gold
		}
		got, err := c.m.wish(version, c.level, today)
		require.Equal(t, c.want, got, name)
		if c.err == nil {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.err, err, name)
	}
}
