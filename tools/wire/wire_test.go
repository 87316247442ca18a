package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// deviates says that what follows differs from the specification on purpose.
func deviates(t *testing.T, name string) {
	t.Helper()
	require.Contains(t, Deviations, name)
	require.NotEmpty(t, Deviations[name].Why)
}

type object = map[string]any

func keys(o any) []string { return slices.Sorted(maps.Keys(o.(object))) }

const session = "abcdefghijklmnopqrstuvwxy" // 25 letters, as the specification's section 9 has it

// TestSigningIn: every call of section 7 that opens a session, with its own body.
func TestSigningIn(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("wire-sign", "ร้าน", "1650000091")
	invite := func(area string) string {
		made := harness.MustPost[struct{ URL string }](shop.Owner, "/api/owner/staff/invite", "", object{"name": "พนักงาน", "role": "admin", "area": area})
		_, plain, _ := strings.Cut(made.URL, "#")
		return plain
	}
	line := func(person string) any { return p.IDToken(person, shop.Channel) }
	deviates(t, "register by invitation")
	deviates(t, "staff sign in")
	deviates(t, "web client credentials")
	client := object{"token": "", "username": "", "password": "", "autorenew": true, "session": session, "channel": 2}
	admin := p.Admin()
	harness.MustPost[any](admin, "/api/admin/line/unlink", "", nil) // the tests share a database, and so its admin
	page := harness.MustPost[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
	code, state := p.AtLINE(page, "wire-boss")
	harness.MustPost[any](admin, "/api/authen/line/finish", "", object{"code": code, "state": state, "area": "advwsadmin"})
	t.Cleanup(func() { harness.MustPost[any](admin, "/api/admin/line/unlink", "", nil) })

	for _, call := range []struct {
		host, path, audience string
		body                 func() object
	}{
		{"localhost", "owner/user", "owner", func() object { return object{"username": "owner", "password": "owner2026", "unique": shop.Unique} }},
		{shop.Host, "registeruser/owner/line", "owner", func() object { return object{"LINETOKEN": line("wire-owner"), "token": invite("owner")} }},
		{shop.Host, "registeruser/line", "staff", func() object { return object{"LINETOKEN": line("wire-door"), "token": invite("staff")} }},
		{"localhost", "owner/line", "owner", func() object { return object{"LINETOKEN": line("wire-owner"), "unique": shop.Unique} }},
		{"localhost", "staff/line", "staff", func() object { return object{"LINETOKEN": line("wire-door"), "unique": shop.Unique} }},
		{"localhost", "admin/user", "admin", func() object { return object{"username": "admin", "password": harness.AdminPassword} }},
		{"localhost", "admin/line", "admin", func() object { return object{"LINETOKEN": p.IDToken("wire-boss", harness.PlatformChannel)} }},
		{shop.Host, "web/client/" + shop.Unique, "client", func() object { return client }},
		{shop.Host, "web/client/" + shop.Liff, "client", func() object { return client }},
		{shop.Host, "web/agent/" + shop.Liff, "client", func() object { return object{} }},
		{shop.Host, "webclient/" + shop.Unique + "/line", "user", func() object { return object{"LINETOKEN": line("wire-ann"), "unique": shop.Unique, "addorg": true} }},
		{shop.Host, "agent/" + shop.Liff + "/line", "agent", func() object { return object{"LINETOKEN": line("wire-may"), "unique": shop.Unique, "addorg": true} }},
	} {
		t.Run(call.path, func(t *testing.T) {
			require.NoError(t, p.ForgetLimits())
			b := p.Browser(call.host)
			r := b.Post("/api/authen/"+call.path, "", call.body())
			require.True(t, r.Result, "%s %v", r.Fault, r.Fields)
			require.NotEmpty(t, r.Token)
			var detail object
			require.NoError(t, json.Unmarshal(r.Detail, &detail))
			require.Equal(t, []string{"audience", "return", "session"}, keys(detail), "the token stands beside it, and nowhere else")
			require.Equal(t, call.audience, detail["audience"])
			if strings.HasPrefix(call.path, "web/client/") {
				require.Equal(t, session, detail["session"])
			}
			who := b.Post("/api/authen/getuserdetail", "", object{"token": r.Token})
			require.True(t, who.Result, who.Fault)
			require.NoError(t, json.Unmarshal(who.Detail, &detail))
			require.Equal(t, call.audience, detail["audience"])
			require.NotContains(t, string(who.Detail), r.Token)
		})
	}

	t.Run("channel", func(t *testing.T) {
		for channel, taken := range map[any]bool{1: true, 2: true, 4: true, "web": true, "2": true, 0: false, 5: false, 1.5: false, true: false, strings.Repeat("x", 21): false} {
			r := p.Browser(shop.Host).Post("/api/authen/web/client/"+shop.Unique, "", object{"channel": channel})
			require.Equal(t, taken, r.Result, channel)
		}
	})

	t.Run("an invalid token", func(t *testing.T) {
		b := p.Browser(shop.Host)
		replies := []harness.Reply{b.Post("/api/user/getwallet", "", nil)}
		for _, path := range []string{"rechecktoken", "agentrechecktoken", "getuserdetail"} {
			replies = append(replies, b.Post("/api/authen/"+path, "", object{"token": "us_nonsense"}))
		}
		b.Token = shop.Owner.Token // another audience's
		replies = append(replies, b.Post("/api/user/profile/customer", "", nil))
		for _, r := range replies {
			require.False(t, r.Result)
			require.Equal(t, http.StatusUnauthorized, r.Code)
			require.JSONEq(t, `"Invalid Token"`, string(r.Detail))
			require.Equal(t, "Invalid Token", r.Message)
		}
	})
}

// profileFields are those of section 3, and three of ours.
var profileFields = []string{
	"age", "agent", "created_at", "displayName", "emailaddress", "firstname", "gender", "id", "isadmin", "lastname", "membercard", "mobile_verified", "mobilenumber",
	"pictureUrl", "referercode", "type", "usertype",
}

// TestProfiles: the signed-in person, by every call that returns it.
func TestProfiles(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("wire-people", "ร้านคน", "1650000092")
	shop.Sell(100_00, nil)
	who := func(b *harness.Browser) object {
		return harness.MustPost[object](b, "/api/authen/rechecktoken", "", object{"token": b.Token})
	}
	ann := shop.Customer("wire-ann")
	deviates(t, "mobile number")

	t.Run("a customer", func(t *testing.T) {
		own := harness.MustPost[object](ann, "/api/user/profile/customer", "", nil)
		require.Equal(t, profileFields, keys(own))
		require.Equal(t, own, who(ann)["profile"])
		require.Equal(t, []any{"line", "line", false, false, false, nil, nil}, []any{own["usertype"], own["type"], own["isadmin"], own["agent"], own["membercard"], own["mobilenumber"], own["age"]})

		born := func(day string) {
			require.NoError(t, p.DB.InOrg(t.Context(), shop.ID, func(tx db.Tx) error {
				_, err := tx.Exec(t.Context(), `UPDATE customer SET birth_date = $2::text::date WHERE id = $1`, own["id"], day)
				return err
			}))
		}
		now := p.DB.Now().In(time.FixedZone("Bangkok", 7*3600))
		for years, day := range map[int]string{30: now.AddDate(-30, 0, 0).Format(time.DateOnly), 29: now.AddDate(-30, 0, 1).Format(time.DateOnly)} {
			born(day)
			require.EqualValues(t, years, harness.MustPost[object](ann, "/api/user/profile/customer", "", nil)["age"], day)
		}
	})

	t.Run("an agent", func(t *testing.T) {
		may := shop.Agent("wire-may", 1000)
		own := harness.MustPost[object](may.Browser, "/api/agent/profile/agent", "", nil)
		require.Equal(t, profileFields, keys(own))
		require.Equal(t, []any{true, "line"}, []any{own["agent"], own["usertype"]})
		require.Equal(t, own, harness.MustPost[object](may.Browser, "/api/authen/agentrechecktoken", "", object{"token": may.Token, "liffId": shop.Liff})["profile"])
	})

	t.Run("an organisation, as anybody sees it", func(t *testing.T) {
		org := who(ann)["org"].(object)
		require.Equal(t, []string{"id", "liff", "module", "orgsetting", "owner", "permission", "role", "setting", "unique"}, keys(org))
		require.Equal(t, object{"liffuser": shop.Liff, "liffagent": "", "lifftrade": "", "lifftransfer": ""}, org["liff"])
		require.Equal(t, object{"name_th": "ร้านคน", "name_en": "wire-people", "pictureUrl": ""}, org["setting"])
		require.Equal(t, []any{false, "", object{"mod": object{}}}, []any{org["owner"], org["role"], org["permission"]})
		require.Contains(t, org["module"], object{"name": "salepackage"})
		want := []string{"background_color_primary", "background_color_secondary", "name_th", "register_before_use"}
		for _, text := range []string{"pdpa", "terms"} {
			for _, kind := range []string{"customer", "member", "purchase"} {
				for _, end := range []string{"accept", "accept_version", "accept_agent", "accept_version_agent"} {
					want = append(want, text+"_"+kind+"_"+end)
				}
			}
		}
		slices.Sort(want)
		require.Equal(t, want, keys(org["orgsetting"]))
	})

	t.Run("accounts of the back office", func(t *testing.T) {
		deviates(t, "module letters filled")
		owner := who(shop.Owner)
		profile, org := owner["profile"].(object), owner["org"].(object)
		require.Equal(t, profileFields, keys(profile))
		require.Equal(t, []any{"เจ้าของ", "user", "user", false, ""}, []any{profile["displayName"], profile["type"], profile["usertype"], profile["isadmin"], profile["referercode"]})
		require.Equal(t, true, org["owner"])
		require.Contains(t, []string{"superadmin", "adminowner"}, org["role"])
		mod := org["permission"].(object)["mod"].(object)
		require.Len(t, mod, len(org["module"].([]any)))
		require.Equal(t, []any{"v", "i", "u", "s"}, mod["salepackage"])

		set := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/permission", "", object{"name_th": "ชุด", "name_en": "", "modules": object{"tags": []string{"v", "u"}}})
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/staff", "", object{
			"username": "wirestaff", "name": "พนักงาน", "role": "user", "permission_id": set.ID(), "password": "wire2026",
		})
		staff := p.Browser(shop.Host)
		staff.Token = harness.SignIn(staff, "/api/authen/staff/user", object{"username": "wirestaff", "password": "wire2026"}).Token
		org = who(staff)["org"].(object)
		require.Equal(t, []any{false, "user", object{"mod": object{"tags": []any{"v", "u"}}}}, []any{org["owner"], org["role"], org["permission"]})
	})

	t.Run("an admin", func(t *testing.T) {
		deviates(t, "role of an admin")
		boss := who(p.Admin())
		require.Equal(t, []any{nil, "superadmin", object{}, true}, []any{boss["org"], boss["role"], boss["permission_admin"], boss["profile"].(object)["isadmin"]})
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, password_hash, role, status, created_at, permission)
				SELECT $1, 'wire-deputy', 'รอง', password_hash, 'admin', 5, created_at, '{"organize": "va"}' FROM admin WHERE username = 'admin'`, db.NewID())
			return err
		}))
		deputy := p.Browser("localhost")
		deputy.Token = harness.SignIn(deputy, "/api/authen/admin/user", object{"username": "wire-deputy", "password": harness.AdminPassword}).Token
		require.Equal(t, object{"organize": []any{"v", "a"}}, who(deputy)["permission_admin"])
	})

	t.Run("a visitor", func(t *testing.T) {
		visitor := p.Browser(shop.Host)
		visitor.Token = harness.SignIn(visitor, "/api/authen/web/client/"+shop.Unique, object{}).Token
		require.Nil(t, who(visitor)["profile"])
	})
}

// tables are those of section 7 that owner/get answers.
var tables = []string{
	"customertype", "payment", "qrtype", "definestatus", "timeslot", "service", "salepackage", "tags", "salechannel", "size", "discount", "permission",
	"service_point", "faq", "pdpa", "termsandconditions", "accesscontrol", "vouchertype", "privilege", "membercardtype", "agenttype",
}

type rows = struct{ Data []object }

// TestLists: option lists and lookups, for who may see them.
func TestLists(t *testing.T) {
	p := harness.Start(t)
	shop, other := p.Open("wire-lists", "ร้านรายการ", "1650000093"), p.Open("wire-other", "ร้านอื่น", "1650000094")
	for _, o := range []*harness.Organisation{shop, other} {
		o.Sell(100_00, nil)
	}
	owner := shop.Owner
	get := func(b *harness.Browser, path string, body object) []object {
		return harness.MustPost[rows](b, path, "", body).Data
	}
	tag := harness.MustPost[harness.Saved](owner, "/api/owner/save/tags", "", object{"name_th": "สปา", "name_en": "Spa", "position": 1})
	deviates(t, "id beside _id")

	for _, table := range tables {
		t.Run(table, func(t *testing.T) {
			filter := object{"active": true, "status": 5, "organize": other.ID} // the organisation is the session's, whatever it says
			short := get(owner, "/api/owner/get/"+table, object{"filter": filter, "select": []string{"_id", "name_th", "name_en"}, "limit": 5000})
			require.Len(t, get(owner, "/api/owner/get/"+table, object{"filter": filter, "select": []string{"_id", "name_th", "name_en"}}), len(short))
			for _, row := range short {
				require.Equal(t, []string{"_id", "name_en", "name_th"}, keys(row))
			}
			for _, row := range get(owner, "/api/owner/get/"+table, object{"filter": filter}) {
				require.Equal(t, row["id"], row["_id"])
				require.NotEmpty(t, row["_id"])
			}
		})
	}
	require.Equal(t, tag.ID(), get(owner, "/api/owner/get/tags", object{})[0]["_id"])

	t.Run("a row is saved as it was listed", func(t *testing.T) {
		row := get(owner, "/api/owner/get/tags", object{})[0]
		row["name_en"] = "Wellness"
		require.Equal(t, "Wellness", harness.MustPost[harness.Saved](owner, "/api/owner/save/tags", "", row)["name_en"])
	})

	t.Run("a list is sorted either way it is asked", func(t *testing.T) {
		table := get(owner, "/api/owner/get/definestatus", object{})[0]["table_name"]
		numbers := func(sort any) (numbers []any) {
			for _, row := range get(owner, "/api/owner/get/definestatus", object{"filter": object{"table_name": table}, "select": []string{"_id", "number"}, "sort": sort}) {
				numbers = append(numbers, row["number"])
			}
			return numbers
		}
		up := numbers("number")
		require.Greater(t, len(up), 1)
		require.Equal(t, up, numbers(object{"number": 1}))
		slices.Reverse(up)
		require.Equal(t, up, numbers(object{"number": -1}))
		require.Equal(t, up, numbers("-number"))
		for _, sort := range []any{object{}, object{"number": 2}, object{"number": "1"}, object{"number": 1, "name_th": 1}, object{"number; DROP TABLE customer": 1}, object{"-number": -1}, []any{"number"}, 1} {
			require.Equal(t, http.StatusUnprocessableEntity, owner.Post("/api/owner/get/definestatus", "", object{"sort": sort}).Code, sort)
		}
	})

	t.Run("customers are listed by five thousand, agents by ten thousand", func(t *testing.T) {
		deviates(t, "whole rows by 200")
		deviates(t, "strict bodies")
		shop.Customer("wire-eve")
		found := get(owner, "/api/owner/get/customer", object{
			"filter": object{"organize": shop.ID, "status": []int{1, 5}}, "limit": 5000,
			"select": []string{"_id", "firstname", "lastname", "emailaddress", "age", "displayName", "referercode"},
		})
		require.NotEmpty(t, found)
		require.Equal(t, []string{"_id", "age", "displayName", "emailaddress", "firstname", "lastname", "referercode"}, keys(found[0]))
		require.NotEmpty(t, found[0]["referercode"])
		require.Nil(t, found[0]["age"])
		require.Equal(t, "limit", owner.Post("/api/owner/get/customer", "", object{"select": []string{"_id"}, "limit": 5001}).Fields[0].Path)
		require.Equal(t, "limit", owner.Post("/api/owner/get/customer", "", object{"limit": 201}).Fields[0].Path, "whole rows of people come in pages")
		require.Equal(t, "select.0", owner.Post("/api/owner/get/customer", "", object{"select": []string{"first_name"}}).Fields[0].Path, "there is one spelling")

		shop.Agent("wire-may", 1000)
		agents := get(owner, "/api/owner/get/agent", object{"filter": object{"active": true}, "limit": 10000})
		require.Len(t, agents, 1)
		require.NotEmpty(t, agents[0]["_id"])
		require.NotEmpty(t, agents[0]["referercode"])
		require.NotContains(t, agents[0], "sold_satang", "thousands of rows come without sums")
		require.Equal(t, "limit", owner.Post("/api/owner/get/agent", "", object{"limit": 10001}).Fields[0].Path)
	})
}

// TestOwnLookups: get/agent, get/customer and get/agenttype under each default path.
func TestOwnLookups(t *testing.T) {
	p := harness.Start(t)
	shop, other := p.Open("wire-own", "ร้านตัวแทน", "1650000095"), p.Open("wire-far", "ร้านไกล", "1650000096")
	shop.Sell(100_00, nil)
	other.Sell(100_00, nil)
	deviates(t, "agents see themselves")
	may, joy, far := shop.Agent("มะลิ", 1000), shop.Agent("จอย", 500), other.Agent("ฟ้า", 700)
	shop.Customer("nobody's")
	opened, bought := shop.Customer("เปิดลิงก์"), shop.Customer("ซื้อ")
	harness.MustPost[any](opened, "/api/user/link/open", "", object{"code": may.Link})
	harness.MustPost[any](bought, "/api/user/link/open", "", object{"code": may.Link})
	shop.FundWallet(bought, 500_00)
	shop.Buy(bought)
	harness.MustPost[any](bought, "/api/user/link/open", "", object{"code": joy.Link}) // he is the customer of both now
	id := func(b *harness.Browser) any {
		return harness.MustPost[object](b, "/api/user/profile/customer", "", nil)["id"]
	}
	ids := func(b *harness.Browser, path string, body object) (ids []any) {
		ids = []any{}
		for _, row := range harness.MustPost[rows](b, path, "", body).Data {
			ids = append(ids, row["_id"])
		}
		return ids
	}

	require.ElementsMatch(t, []any{id(opened), id(bought)}, ids(may.Browser, "/api/agent/get/customer", object{"filter": object{"status": []int{1, 5}}}))
	require.ElementsMatch(t, []any{id(bought)}, ids(joy.Browser, "/api/agent/get/customer", object{}))
	require.Empty(t, ids(far.Browser, "/api/agent/get/customer", object{}))
	for name, filter := range map[string]object{
		"another agent's": {"agent_id": joy.ID}, "all agents'": {"agent_id": nil}, "a list of agents": {"agent_id": []any{joy.ID, may.ID}}, "another organisation": {"organize": other.ID},
	} {
		require.Len(t, ids(may.Browser, "/api/agent/get/customer", object{"filter": filter}), 2, name)
	}
	row := harness.MustPost[rows](joy.Browser, "/api/agent/get/customer", "", object{}).Data[0]
	require.Equal(t, "ซ***", row["displayName"], "as his history shows it")
	require.NotEmpty(t, row["referercode"])
	require.False(t, may.Post("/api/agent/get/customer", "", object{"select": []string{"emailaddress"}}).Result)

	require.Equal(t, []any{may.ID.String()}, ids(may.Browser, "/api/agent/get/agent", object{"filter": object{"id": joy.ID}, "limit": 10000}))
	types := harness.MustPost[rows](joy.Browser, "/api/agent/get/agenttype", "", object{"filter": object{}}).Data
	require.Len(t, types, 1)
	require.EqualValues(t, 500, types[0]["rate_basis_points"])

	applicant := p.Browser(shop.Host)
	applicant.Token = harness.SignIn(applicant, "/api/authen/agent/"+shop.Unique+"/line", object{"LINETOKEN": p.IDToken("ใคร", shop.Channel)}).Token
	harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/staff", "", object{"username": "wiredoor", "name": "ประตู", "role": "admin", "permission_id": nil, "password": "wire2026"})
	staff := p.Browser(shop.Host)
	staff.Token = harness.SignIn(staff, "/api/authen/staff/user", object{"username": "wiredoor", "password": "wire2026"}).Token
	for _, table := range []string{"agent", "customer", "agenttype"} {
		require.NotEmpty(t, ids(shop.Owner, "/api/owner/get/"+table, object{}), table)
		for audience, b := range map[string]*harness.Browser{"user": bought, "staff": staff, "agent": applicant} {
			require.Empty(t, ids(b, "/api/"+audience+"/get/"+table, object{"filter": object{}, "limit": 10000}), table, audience)
		}
		require.Equal(t, http.StatusUnauthorized, bought.Post("/api/owner/get/"+table, "", object{}).Code)
		require.Equal(t, http.StatusUnauthorized, bought.Post("/api/agent/get/"+table, "", object{}).Code)
	}
}

// TestTexts: the version that the organisation's setting names is found among those that are read.
func TestTexts(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("wire-texts", "ร้านข้อตกลง", "1650000097")
	deviates(t, "active texts")
	for _, table := range []string{"pdpa", "termsandconditions"} {
		for _, audience := range []string{"customer", "agent"} {
			v := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/"+table, "", object{
				"purpose": "customer", "audience": audience, "version": audience, "name_th": "ก", "name_en": "A", "body_th": "ข", "body_en": "B",
			})
			harness.MustPost[any](shop.Owner, "/api/owner/status/"+table, "", object{"ids": []string{v.ID()}, "status": 5})
		}
	}
	ann := shop.Customer("wire-texts-ann")
	agent := p.Browser(shop.Host)
	agent.Token = harness.SignIn(agent, "/api/authen/agent/"+shop.Unique+"/line", object{"LINETOKEN": p.IDToken("wire-texts-may", shop.Channel)}).Token
	accepted := harness.MustPost[struct{ Org struct{ OrgSetting object } }](ann, "/api/authen/rechecktoken", "", object{}).Org.OrgSetting
	for _, read := range []struct {
		by          *harness.Browser
		path, field string
	}{
		{ann, "/api/user/get/pdpa", "pdpa_customer_accept_version"},
		{ann, "/api/user/get/termsandconditions", "terms_customer_accept_version"},
		{agent, "/api/agent/get/pdpa", "pdpa_customer_accept_version_agent"},
		{agent, "/api/agent/get/termsandconditions", "terms_customer_accept_version_agent"},
	} {
		texts := harness.MustPost[rows](read.by, read.path, "", nil).Data
		i := slices.IndexFunc(texts, func(text object) bool { return text["_id"] == accepted[read.field] })
		require.GreaterOrEqual(t, i, 0, read.path)
		require.Equal(t, []any{true, "ก"}, []any{texts[i]["active"], texts[i]["name_th"]})
	}
	listed := harness.MustPost[rows](shop.Owner, "/api/owner/get/pdpa", "", object{"filter": object{"active": true}, "select": []string{"_id", "active", "name_th"}}).Data
	require.NotEmpty(t, listed)
	require.Equal(t, []any{true, "ก"}, []any{listed[0]["active"], listed[0]["name_th"]})

	text := func(table string) string {
		return harness.MustPost[rows](ann, "/api/user/get/"+table, "", nil).Data[0]["_id"].(string)
	}
	for message, ids := range map[string][]string{
		"inactive consent": {uuid.NewString()}, "Please review PDPA": {text("termsandconditions")}, "Please review the Terms and Conditions": {text("pdpa")},
	} {
		require.Equal(t, message, ann.Post("/api/user/consent/accept", "", object{"version_ids": ids, "lang": "th"}).Message)
	}
}

// TestWords: the texts of sections 5 and 8, word for word.
func TestWords(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("wire-words", "ร้านถ้อยคำ", "1650000098")
	ann, owner := shop.Customer("wire-words-ann"), shop.Owner
	nobody := object{"id": uuid.New()}
	says := func(b *harness.Browser, message, path string, body object) {
		t.Helper()
		require.Equal(t, message, b.Post(path, uuid.NewString(), body).Message, path)
	}

	says(ann, "Package not found", "/api/user/get/salepackage", object{})
	says(ann, "Package not found", "/api/user/salepackage/detail", nobody)
	says(ann, "Voucher not found", "/api/user/voucher/list", object{"filter": object{"state": "all"}})
	says(ann, "Voucher not found", "/api/user/voucher/detail", nobody)
	says(ann, "Order not found yet", "/api/user/order/awaiting", nil)
	says(ann, "Order not found yet", "/api/user/order/detail", nobody)
	says(ann, "History not found", "/api/user/voucher/history", object{})
	says(ann, "Sale not found", "/api/user/link/open", object{"code": "nonsense0"})
	says(ann, "No Member Card Type available for sale found", "/api/user/get/membercardtype", object{})

	deviates(t, "message of bad input")
	deviates(t, "e-mail text")
	deviates(t, "wallet text")
	mail := func(address string) harness.Reply {
		return ann.Post("/api/user/profile/save", "", object{"firstname": "แอน", "lastname": "", "emailaddress": address, "gender": ""})
	}
	local := strings.Repeat("a", 64)
	domain := strings.Repeat("b", 61) + "." + strings.Repeat("c", 60) + "." + strings.Repeat("d", 60) + ".co.th" // 189
	for address, message := range map[string]string{
		"": "Please enter your e-mail address.", "a@b.c": "Please enter a valid email address.", "a@bc.d": "success", "nonsense": "Please enter a valid email address.",
		local + "@b.co": "success", local + "a@b.co": "Please enter a valid email address.",
		local + "@" + domain: "success", local + "@x" + domain: "Please enter a valid email address.",
	} {
		r := mail(address)
		require.Equal(t, message, r.Message, "%d letters: %s", len(address), address)
		require.Equal(t, message == "success", r.Result)
	}
	require.Len(t, local+"@"+domain, 254)
	account := object{"username": "wirewords", "name": "ก", "role": "admin", "permission_id": nil, "password": "ab!"}
	says(owner, "Password is invalid! Pattern A-Z , a-z , 0-9 and minimum length of 4 characters .", "/api/owner/save/staff", account)

	shop.Sell(100_00, nil)
	_, confirm := shop.QuoteFor(ann)
	r := ann.Post("/api/user/order/confirm", uuid.NewString(), confirm)
	require.True(t, strings.HasPrefix(r.Message, "Sorry, you have insufficient balance in your Wallet. Please add "), r.Message)
	stale := maps.Clone(confirm)
	stale["hash"] = "nonsense"
	says(ann, "please create a new order", "/api/user/order/confirm", stale)
	unknown := maps.Clone(confirm)
	unknown["accepted"] = []any{uuid.New()}

	shop.FundWallet(ann, 500_00)
	says(ann, "The provider's confirmation data is missing", "/api/user/order/confirm", unknown)
	_, confirm = shop.QuoteFor(ann)
	says(ann, "Successfully purchased the voucher", "/api/user/order/confirm", confirm)
	_, direct := shop.QuoteFor(ann)
	direct["method"] = "promptpay"
	order := ann.Post("/api/user/order/pay", uuid.NewString(), direct)
	require.Equal(t, "Order successfully", order.Message)
	var made struct {
		ID      uuid.UUID
		Payment struct{ ID uuid.UUID }
	}
	require.NoError(t, json.Unmarshal(order.Detail, &made))
	says(ann, "Order successfully", "/api/user/order/detail", object{"id": made.ID})
	shop.PayFor(made.Payment.ID, object{})
	p.Eventually("it is paid", func() bool { return ann.OrderState(made.ID).State == "paid" })
	says(ann, "Purchase successful", "/api/user/order/detail", object{"id": made.ID})

	voucher := ann.OrderState(made.ID).Vouchers[0].ID
	use := harness.MustPost[harness.Use](ann, "/api/user/voucher/use", uuid.NewString(), object{"voucher_id": voucher, "service_point_id": shop.ServicePoint, "items": 3})
	says(ann, "success", "/api/user/voucher/use/get", object{"id": use.ID})
	here := object{"code": shop.Typed(use), "service_point_id": shop.ServicePoint}
	harness.MustPost[any](owner, "/api/staff/voucher/verify", "", here)
	done := object{"use_session_id": use.ID, "service_point_id": shop.ServicePoint}
	says(owner, "Voucher successfully used", "/api/staff/voucher/confirm", done)
	says(ann, "Voucher successfully used", "/api/user/voucher/use/get", object{"id": use.ID})
	says(owner, "You have already used this voucher.", "/api/staff/voucher/confirm", done)
	says(ann, "success", "/api/user/voucher/history", object{})
	says(owner, "Voucher not found", "/api/staff/voucher/verify", object{"code": "AAAAAAAA", "service_point_id": shop.ServicePoint})
}

// TestRealtime: refreshed option lists, to who may see them.
func TestRealtime(t *testing.T) {
	p := harness.Start(t)
	shop, other := p.Open("wire-live", "ร้านสด", "1650000099"), p.Open("wire-quiet", "ร้านเงียบ", "1650000090")
	deviates(t, "optionupdate table")
	clerk := func(name string, modules object) *harness.Browser {
		set := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/permission", "", object{"name_th": name, "name_en": "", "modules": modules})
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/staff", "", object{"username": name, "name": name, "role": "user", "permission_id": set.ID(), "password": "wire2026"})
		b := p.Browser(shop.Host)
		b.Token = harness.SignIn(b, "/api/authen/owner/user", object{"username": name, "password": "wire2026"}).Token
		return b
	}
	sees, blind := clerk("seesit", object{"servicepoint": []string{"v"}}), clerk("blindto", object{"tags": []string{"v"}})
	ann, far := shop.Customer("wire-live-ann"), other.Customer("wire-live-far")
	listeners := map[string]*websocket.Conn{}
	for name, b := range map[string]*harness.Browser{"owner": shop.Owner, "sees": sees, "blind": blind, "customer": ann, "far": far, "far owner": other.Owner} {
		listeners[name] = listen(t, p, b)
	}
	harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/service_point", "", object{
		"name_th": "สาขาใหม่", "name_en": "New branch", "address_th": "ความลับ", "address_en": "", "phone": "", "latitude": nil, "longitude": nil, "hours_th": "", "hours_en": "", "partner_id": nil, "staff": []string{},
	})
	received := func(name, table string) (object, bool) {
		t.Helper()
		require.NoError(t, listeners[name].SetReadDeadline(time.Now().Add(10*time.Second)))
		for {
			_, text, err := listeners[name].ReadMessage()
			require.NoError(t, err, name)
			var event []json.RawMessage
			if !strings.HasPrefix(string(text), "42") || json.Unmarshal(text[2:], &event) != nil || string(event[0]) != `"optionupdate"` {
				continue
			}
			var payload object
			require.NoError(t, json.Unmarshal(event[1], &payload))
			if payload["table"] == table {
				require.NotContains(t, string(text), "ความลับ")
				_, lists := payload["data"]
				return payload, lists
			}
		}
	}
	for _, name := range []string{"owner", "sees", "customer"} {
		payload, lists := received(name, "service_point")
		require.True(t, lists, name)
		first := payload["data"].([]any)[0].(object)
		require.Equal(t, []string{"_id", "name_en", "name_th"}, keys(first), name)
		require.Equal(t, "สาขาใหม่", first["name_th"])
	}
	_, lists := received("blind", "service_point")
	require.False(t, lists, "an account without the right receives the name alone")
	for _, name := range []string{"far", "far owner"} {
		require.NoError(t, listeners[name].SetReadDeadline(time.Now().Add(300*time.Millisecond)))
		_, text, err := listeners[name].ReadMessage()
		require.Error(t, err, "%s received %s", name, text)
	}

	t.Run("an account that loses the right receives no more rows of the table", func(t *testing.T) {
		set := harness.MustPost[rows](shop.Owner, "/api/owner/get/permission", "", object{"search": "seesit"}).Data[0]
		set["modules"] = object{"tags": []string{"v"}}
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/permission", "", set)
		received("sees", "permission")
		time.Sleep(time.Second) // the sockets are looked at again
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/service_point", "", object{
			"name_th": "สาขาลับ", "name_en": "", "address_th": "", "address_en": "", "phone": "", "latitude": nil, "longitude": nil, "hours_th": "", "hours_en": "", "partner_id": nil, "staff": []string{},
		})
		_, lists := received("sees", "service_point")
		require.False(t, lists)
	})
}

// listen opens a socket for who is signed in.
func listen(t *testing.T, p *harness.Platform, b *harness.Browser) *websocket.Conn {
	t.Helper()
	dialer := websocket.Dialer{NetDialContext: p.Client.Transport.(*http.Transport).DialContext}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	conn, res, err := dialer.DialContext(ctx, fmt.Sprintf("ws://%s:%d/socket.io/?EIO=4&transport=websocket&token=%s", b.Host, p.Port, b.Token), nil)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	t.Cleanup(func() { _ = conn.Close() })
	_, _, err = conn.ReadMessage()
	require.NoError(t, err)
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte("40")))
	_, hello, err := conn.ReadMessage()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(hello), "40{"), string(hello))
	return conn
}
