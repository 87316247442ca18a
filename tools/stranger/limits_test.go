package stranger_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// limit is a rule of section 5 about a field: values just inside are taken, values just outside are refused with
// the sentence, wherever the form that has the field is sent.
type limit struct {
	name    string // the field as section 3 names it
	inside  list
	outside list
	text    string // "" where the specification has no sentence
}

const (
	badEmail    = "Please enter a valid email address."
	badPassword = "Password is invalid! Pattern A-Z , a-z , 0-9 and minimum length of 4 characters ."
	badMobile   = "Mobile No. Must consist of 8 to 10 digits."
)

// letters is a word of n letters of one kind.
func letters(n int) string { return strings.Repeat("a", n) }

// email is an address of n characters with a local part of 64 at most.
func email(local, n int) string {
	rest := n - local - 1
	var labels []string
	for rest > 63 {
		labels = append(labels, letters(60))
		rest -= 61
	}
	return letters(local) + "@" + strings.Join(append(labels, letters(rest-3)+".co"), ".")
}

// most is a maximum length in characters, which are three bytes each in Thai.
func most(name string, n int) limit {
	return limit{name, list{letters(n), strings.Repeat("ก", n)}, list{letters(n + 1), strings.Repeat("ก", n+1)}, ""}
}

// formLimits are section 5's, by the names of section 3's forms.
var formLimits = []limit{
	{"emailaddress", list{"a@b.co", email(20, 60), "first.last+tag@sub.example.com"}, list{"a@b.c", email(20, 61), "nobody", "a b@example.com", "a@", "@example.com"}, badEmail},
	{"emailaddress", list{email(64, 100), email(20, 254)}, list{email(65, 100), email(20, 255), letters(65) + "@b.co"}, badEmail},
	{"emailaddress", nil, list{""}, ""},
	{"otp", list{"123456"}, list{"12345", "1234567", "12345a"}, ""},
	{"mobilenumber", list{"12345678", "0812345678", "081-234-5678"}, list{"1234567", "08123456789", "08123456a8"}, badMobile},
	{"idcard", list{"ABC123", "1234567890123"}, list{"AB123", "12345678901234", "abc123", "ABC-123"}, ""},
	{"taxid", list{"ABCDE12345", "1234567890123"}, list{"123456789", "12345678901234", "abcde12345"}, ""},
	most("prefix", 10), most("firstname", 40), most("lastname", 40), most("corporation_name", 80), most("issued_name", 80),
	most("address", 100), most("food", 100), most("medical", 100), most("special_requirements", 100), most("education", 100),
	most("fullname", 80), most("road", 50),
}

// form is a call that takes fields of formLimits: a body that is taken, and where in it each field stands. Where the call keeps a body right or not, sent
// is the one that checks it, and says of each field what is wrong.
type form struct {
	who, path string
	sent      string
	in        func(w *world) object // what sent is given, with the body under "form"; nil: nothing
	body      object
	at        map[string]string
}

// forms are the calls of the API's own description that have such a field: the specification shows none.
var forms = []form{
	{
		"user", "/api/user/profile/save", "", nil,
		object{"firstname": "Ann", "lastname": "Smith", "emailaddress": "ann@example.com", "gender": "female"},
		map[string]string{"emailaddress": "emailaddress", "firstname": "firstname", "lastname": "lastname"},
	},
	{
		"applicant", "/api/agent/register/save", "/api/agent/register/send", nil,
		object{
			"kind": "company", "firstname": "Ann", "lastname": "Smith", "company_name": "Smith", "tax_id": "0105561000007", "branch": "00000", "vat_registered": true, "resident": true,
			"idcard": "AB1234567", "birthdate": "", "mobilenumber": "0812345678", "emailaddress": "ann@example.com", "address": "1", "subdistrict": "x", "district": "x", "province": "x",
			"postcode": "50180", "nationality": "TH", "referercode": "", "bank": "004", "account_number": "1234567890", "account_name": "Smith",
		},
		map[string]string{
			"emailaddress": "emailaddress", "firstname": "firstname", "lastname": "lastname", "mobilenumber": "mobilenumber", "idcard": "idcard", "taxid": "tax_id",
			"corporation_name": "company_name", "address": "address",
		},
	},
	{
		"other", "/api/user/member/save", "/api/user/member/apply",
		func(w *world) object {
			return object{"card_type_id": freeCard(w, "required"), "version_ids": list{}, "lang": "en"}
		},
		memberForm,
		map[string]string{
			"emailaddress": "emailaddress", "firstname": "firstname", "lastname": "lastname", "mobilenumber": "mobilenumber", "idcard": "idcard", "taxid": "tax_id",
			"issued_name": "issued_name", "address": "address",
		},
	},
}

// memberForm is right but for the gender that it does not say: so it is looked at and never sent.
var memberForm = object{
	"firstname": "Ann", "lastname": "Smith", "mobilenumber": "0812345678", "emailaddress": "ann@example.com", "idcard": "AB1234567", "gender": "", "birthdate": "1990-01-01",
	"nationality": "TH", "address": "1", "subdistrict": "x", "district": "x", "province": "x", "postcode": "50180", "name_on_card": "Ann", "issued_name": "Ann", "office_type": "head",
	"tax_id": "1234567890123", "taxpayer_type": "personal",
}

// bound is a limit of sections 5 and 9 in a call of its own.
type bound struct {
	name, who, path string
	body            object
	taken           bool
	text            string
}

var bounds = []bound{
	{"a top-up of 100 baht", "user", "/api/user/wallet/topup", object{"amount_satang": 100_00, "method": "promptpay"}, true, ""},
	{"a top-up of 99.99 baht", "user", "/api/user/wallet/topup", object{"amount_satang": 99_99, "method": "promptpay"}, false, ""},
	{"5000 customers", "owner", "/api/owner/get/customer", object{"filter": object{}, "select": list{"_id"}, "limit": 5000}, true, ""},
	{"5001 customers", "owner", "/api/owner/get/customer", object{"filter": object{}, "select": list{"_id"}, "limit": 5001}, false, ""},
	{"10000 agents", "owner", "/api/owner/get/agent", object{"filter": object{}, "select": list{"_id"}, "limit": 10000}, true, ""},
	{"10001 agents", "owner", "/api/owner/get/agent", object{"filter": object{}, "select": list{"_id"}, "limit": 10001}, false, ""},
	{"a password of 4", "owner", "/api/owner/save/staff", clerk("clerk-4", "aB09"), true, ""},
	{"a password of 3", "owner", "/api/owner/save/staff", clerk("clerk-3", "aB0"), false, badPassword},
	{"a password with a hyphen", "owner", "/api/owner/save/staff", clerk("clerk-hyphen", "abcd-1234"), false, badPassword},
	{"a password of Thai letters", "owner", "/api/owner/save/staff", clerk("clerk-thai", "กขคงจฉ"), false, badPassword},
	{"a password with a space", "owner", "/api/owner/save/staff", clerk("clerk-space", "abcd 1234"), false, badPassword},
	{"another password of 3", "owner", "/api/owner/password/change", object{"old_password": "owner2026", "password": "aB0"}, false, badPassword},
	{"another password with a hyphen", "owner", "/api/owner/password/change", object{"old_password": "owner2026", "password": "owner-2026"}, false, badPassword},
	{"another password of 4", "owner", "/api/owner/password/change", object{"old_password": "owner2026", "password": "aB09"}, true, ""},
}

func clerk(username, password string) object {
	return object{"name": username, "username": username, "password": password, "role": "admin", "permission_id": nil, "status": 5}
}

func checkLimits(t *testing.T, w *world) {
	within := make([]object, len(forms)) // before the owner's password is another
	for i, f := range forms {
		if f.in != nil {
			within[i] = f.in(w)
		}
	}
	for _, b := range bounds {
		name := "5 " + b.name
		t.Run(name, func(t *testing.T) {
			holds(t, name, judged(w.keyed(t, w.as[b.who], b.path, w.fill(t, b.body)), b.taken, b.text))
		})
	}
	taken := takenFields(t, w)
	for _, l := range formLimits {
		if slices.ContainsFunc(forms, func(f form) bool { return f.at[l.name] != "" }) {
			continue
		}
		name := "5 " + l.name
		difference := "no call takes it"
		if path, ok := taken[l.name]; ok {
			difference = path + " takes it: try it"
		}
		holds(t, name, difference)
	}
	for i, f := range forms {
		for _, l := range formLimits {
			at, ok := f.at[l.name]
			if !ok {
				continue
			}
			for _, taken := range []bool{true, false} {
				values := l.inside
				if !taken {
					values = l.outside
				}
				for _, value := range values {
					name := fmt.Sprintf("5 %s %s taken=%v %v", f.path, l.name, taken, value)
					t.Run(name, func(t *testing.T) {
						body := maps.Clone(f.body)
						body[at] = value
						a := w.keyed(t, w.as[f.who], f.path, body)
						if f.sent != "" && a.body["result"] == true {
							a = f.judge(t, w, within[i], body, at)
						}
						holds(t, name, judged(a, taken, l.text))
					})
				}
			}
		}
	}
}

// judge is what the call that checks the form says of one of its fields.
func (f form) judge(t *testing.T, w *world, in, body object, at string) answer {
	if in == nil {
		return ofField(w.keyed(t, w.as[f.who], f.sent, nil), at)
	}
	sends := maps.Clone(in)
	sends["form"] = body
	return ofField(w.keyed(t, w.as[f.who], f.sent, sends), "form."+at)
}

// takenFields are the names of all fields that calls take, each with the path of one that does, by the API's own
// description.
func takenFields(t *testing.T, w *world) map[string]string {
	t.Helper()
	description := w.call(t, w.as[""], http.MethodGet, "/api/openapi.json", nil, nil).body
	schemas := description["components"].(object)["schemas"].(object)
	names := map[string]string{}
	var collect func(path string, schema any)
	collect = func(path string, schema any) {
		switch s := schema.(type) {
		case list:
			for _, inner := range s {
				collect(path, inner)
			}
		case object:
			if ref, ok := s["$ref"].(string); ok {
				collect(path, schemas[ref[strings.LastIndex(ref, "/")+1:]])
			}
			if properties, ok := s["properties"].(object); ok {
				for name, inner := range properties {
					names[name] = path
					collect(path, inner)
				}
			}
			for _, name := range []string{"items", "anyOf", "oneOf", "allOf"} {
				collect(path, s[name])
			}
		}
	}
	for path, operations := range description["paths"].(object) {
		for _, operation := range operations.(object) {
			if body, ok := operation.(object)["requestBody"].(object); ok {
				for _, content := range body["content"].(object) {
					collect(path, content.(object)["schema"])
				}
			}
		}
	}
	require.Contains(t, names, "firstname", "the forms with a name")
	return names
}

// sentences are those of section 5, by the codes of what is wrong with a field.
var sentences = map[any]string{"field.email": badEmail, "payee.mobile": badMobile}

// ofField is what an answer says of one field of a form: that it is taken, or what is wrong with it. That a number is right and yet to be verified is no limit.
func ofField(a answer, at string) answer {
	fields, _ := a.body["fields"].(list)
	for _, f := range fields {
		if f := f.(object); f["path"] == at && f["fault"] != "agent.mobile_unverified" {
			message := sentences[f["fault"]]
			return answer{status: a.status, text: a.text, body: object{"result": false, "message": message, "fields": list{f}}}
		}
	}
	return answer{status: http.StatusOK, body: object{"result": true, "message": "success"}}
}

// judged says how an answer differs from a value's being taken, or refused with a sentence.
func judged(a answer, taken bool, text string) string {
	if a.body == nil || a.body["result"] != taken || !taken && text != "" && a.body["message"] != text {
		return a.String()
	}
	return ""
}
