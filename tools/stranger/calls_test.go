package stranger_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// row is a line of section 7: who calls what with which body, and which fields the answer has.
type row struct {
	who    string // an audience of section 1; "" is a browser with no token
	path   string
	body   any
	fields string
}

// session is section 9's: 25 letters and digits.
const session = "a1b2c3d4e5f6g7h8i9j0k1l2m"

// Section 7 says what an answer carries, and section 3 the names in its detail.
const (
	signedIn = "result:true token:text detail:object"
	answered = "result:true detail:object"
	listed   = "result:true detail.data:list"
	options  = listed + " detail.data.[]._id:text detail.data.[].name_th:text detail.data.[].name_en:any"
	versions = listed + " detail.data.[]._id:text detail.data.[].active:bool"

	userProfile = " detail.pictureUrl:text detail.displayName:text detail.usertype:text detail.membercard:any detail.agent:any detail.type:any" +
		" detail.isadmin:bool detail.firstname:any detail.lastname:any detail.emailaddress:any detail.age:any detail.gender:any" +
		" detail.mobilenumber:any detail.referercode:any"
	organization = " detail.org.liff.lifftrade:any detail.org.liff.lifftransfer:any detail.org.liff.liffuser:text detail.org.liff.liffagent:any" +
		" detail.org.orgsetting.name_th:text detail.org.orgsetting.background_color_primary:colour detail.org.orgsetting.background_color_secondary:colour" +
		" detail.org.orgsetting.register_before_use:bool" +
		" detail.org.orgsetting.pdpa_customer_accept:bool detail.org.orgsetting.pdpa_customer_accept_version:text?" +
		" detail.org.orgsetting.terms_customer_accept:bool detail.org.orgsetting.terms_customer_accept_version:text?" +
		" detail.org.orgsetting.pdpa_customer_accept_agent:bool detail.org.orgsetting.pdpa_customer_accept_version_agent:text?" +
		" detail.org.orgsetting.terms_customer_accept_agent:bool detail.org.orgsetting.terms_customer_accept_version_agent:text?"
)

// selected is the select that section 7 gives for option lists.
var selected = list{"_id", "name_th", "name_en"}

// active is the filter of section 7's tables; organize is there where a table has it.
var active = object{"active": true, "status": 5}

var calls = []row{
	{"", "/api/authen/owner/user", object{"username": "owner", "password": "owner2026", "unique": "{unique}"}, signedIn},
	{"", "/api/authen/registeruser/owner/line", object{"LINETOKEN": "{line:stranger-owner}", "token": "{invite owner}"}, "result:true"},
	{"", "/api/authen/owner/line", object{"LINETOKEN": "{line:stranger-owner}", "unique": "{unique}"}, signedIn},
	{"platform", "/api/authen/admin/user", object{"username": "admin", "password": harness.AdminPassword}, signedIn},
	{"platform", "/api/authen/admin/line", object{"LINETOKEN": "{LINE of the admin}"}, signedIn},
	{"", "/api/authen/registeruser/line", object{"LINETOKEN": "{line:stranger-door}", "token": "{invite staff}"}, "result:true"},
	{"", "/api/authen/web/client/{unique}", object{"token": "", "username": "", "password": "", "autorenew": true, "session": session, "channel": 2}, "result:true token:text"},
	{"", "/api/authen/web/client/{liffId}", object{"token": "", "username": "", "password": "", "autorenew": true, "session": session, "channel": 2}, "result:true token:text"},
	{"", "/api/authen/webclient/{unique}/line", object{"LINETOKEN": "{line:stranger-ann}", "unique": "{unique}", "addorg": true}, signedIn},
	{"", "/api/authen/web/agent/{liffId}", object{}, "result:true"},
	{"", "/api/authen/agent/{liffId}/line", object{"LINETOKEN": "{line:stranger-agent}", "unique": "{unique}", "addorg": true}, "result:true token:text"},
	{"", "/api/authen/getuserdetail", object{"token": "{token:user}"}, answered + in("profile", userProfile)},
	{"", "/api/authen/getuserdetail", object{"token": "{token:owner}"}, answered + " detail.org.role:text detail.org.permission.mod:object"},
	{"", "/api/authen/getuserdetail", object{"token": "{token:staff}"}, answered + " detail.org.role:text detail.org.permission.mod:object"},
	{"", "/api/authen/getuserdetail", object{"token": "{token:admin}"}, answered + " detail.role:text detail.permission_admin:any"},
	{"user", "/api/authen/rechecktoken", object{"token": "{token:user}", "liffId": "{liffId}"}, answered + in("profile", userProfile) + organization},
	{"owner", "/api/authen/rechecktoken", object{"token": "{token:owner}", "liffId": ""}, answered + " detail.org.owner:bool detail.org.role:text detail.org.module.[].name:text detail.org.permission.mod:object detail.org.setting.name_th:text detail.org.setting.pictureUrl:any"},
	{"agent", "/api/authen/agentrechecktoken", object{"token": "{token:agent}", "liffId": "{liffId}"}, "result:true"},
	{"user", "/api/user/profile/customer", nil, answered + userProfile},
	{"user", "/api/user/getwallet", nil, answered},
	{"agent", "/api/agent/profile/agent", nil, "result:true detail.agent:true detail.usertype:text"},

	{"owner", "/api/owner/get/membercardtype", object{"filter": object{"active": true, "organize": "{organize}"}, "select": selected}, options},
	{
		"owner", "/api/owner/get/membercardtype",
		object{"filter": object{}, "select": list{"_id", "name_th", "name_en", "active", "organize"}},
		options + " detail.data.[].active:bool detail.data.[].organize:text",
	},
	{"user", "/api/user/get/membercardtype", object{"filter": object{"active": true, "organize": "{organize}"}, "select": selected}, options},
	{
		"owner", "/api/owner/get/customer",
		object{"filter": object{"organize": "{organize}"}, "select": list{"_id", "firstname", "lastname", "emailaddress", "age", "gender", "displayName"}, "limit": 5000},
		listed + " detail.data.[]._id:text detail.data.[].firstname:any detail.data.[].lastname:any detail.data.[].emailaddress:any detail.data.[].age:any detail.data.[].gender:any detail.data.[].displayName:text",
	},
	{"owner", "/api/owner/get/customertype", table(nil), options},
	{"owner", "/api/owner/get/payment", table(nil), options},
	{"owner", "/api/owner/get/qrtype", table(nil), options},
	{
		"owner", "/api/owner/get/definestatus",
		object{"filter": object{"active": true, "status": 5, "table_name": "voucher"}, "select": list{"_id", "number", "name_th", "color", "table_name"}, "sort": object{"number": 1}},
		listed + " detail.data.[].number:number detail.data.[].name_th:text detail.data.[].color:text detail.data.[].table_name:text",
	},
	{"owner", "/api/owner/get/timeslot", table(nil), options},
	{"owner", "/api/owner/get/service", table(nil), options},
	{"owner", "/api/owner/get/salepackage", table(nil), options},
	{"owner", "/api/owner/get/tags", table(nil), options},
	{"owner", "/api/owner/get/salechannel", table(nil), options},
	{"owner", "/api/owner/get/size", table(nil), options},
	{"owner", "/api/owner/get/discount", table(nil), options},
	{"owner", "/api/owner/get/permission", table(nil), options},
	{"owner", "/api/owner/get/service_point", table(nil), options},
	{"owner", "/api/owner/get/faq", object{"filter": active, "select": list{"_id"}}, listed + " detail.data.[]._id:text"},
	{"owner", "/api/owner/get/pdpa", object{"filter": active, "select": list{"_id", "active"}}, versions},
	{"owner", "/api/owner/get/termsandconditions", object{"filter": active, "select": list{"_id", "active"}}, versions},
	{"owner", "/api/owner/get/accesscontrol", table(nil), options},
	{"owner", "/api/owner/get/vouchertype", table(object{"organize": "{organize}"}), options},
	{"owner", "/api/owner/get/privilege", table(nil), options},
	{"owner", "/api/owner/get/customer", object{"filter": active, "select": list{"_id"}, "limit": 5}, listed + " detail.data.[]._id:text"},
	{"user", "/api/user/get/pdpa", nil, versions},
	{"user", "/api/user/get/termsandconditions", nil, versions},
	{"agent", "/api/agent/get/pdpa", nil, versions},
	{"agent", "/api/agent/get/termsandconditions", nil, versions},
	{"owner", "/api/owner/get/agent", object{"filter": active, "select": list{"_id"}, "limit": 10000}, listed + " detail.data.[]._id:text"},
	{"owner", "/api/owner/get/customer", object{"filter": object{"status": list{1, 5}}, "select": list{"_id", "firstname", "lastname", "referercode"}}, listed + " detail.data.[]._id:text detail.data.[].referercode:any"},
	{"owner", "/api/owner/get/agenttype", table(nil), options},
	{"agent", "/api/agent/get/agent", object{"filter": active, "select": list{"_id"}, "limit": 10000}, listed + " detail.data.[]._id:text"},
	{"agent", "/api/agent/get/customer", object{"filter": object{"status": list{1, 5}}, "select": list{"_id", "referercode"}}, listed},
	{"agent", "/api/agent/get/agenttype", table(nil), options},
	{"user", "/api/user/get/agent", object{"filter": active, "limit": 10000}, listed},
	{"user", "/api/user/get/customer", object{"filter": active}, listed},
	{"user", "/api/user/get/agenttype", table(nil), listed},
	{"staff", "/api/staff/get/agent", object{"filter": active, "limit": 10000}, listed},
	{"staff", "/api/staff/get/customer", object{"filter": active}, listed},
	{"staff", "/api/staff/get/agenttype", table(nil), listed},
	// what a filter leaves out is not there
	{"owner", "/api/owner/get/customer", object{"filter": object{"organize": "{nothing}"}, "select": list{"_id"}}, "result:true detail.data:none"},
	{"owner", "/api/owner/get/vouchertype", object{"filter": object{"organize": "{nothing}"}, "select": selected}, "result:true detail.data:none"},
	{"owner", "/api/owner/get/service", object{"filter": object{"active": false}, "select": selected}, "result:true detail.data:none"},
	{"owner", "/api/owner/get/service", object{"filter": object{"status": 2}, "select": selected}, "result:true detail.data:none"},
	// section 9: sale channel 2 and customer type 2 are there to be chosen
	{"owner", "/api/owner/get/salechannel", object{"filter": object{"active": true, "number": 2}, "select": list{"number", "name_th"}}, listed + " detail.data.[].name_th:text"},
	{"owner", "/api/owner/get/customertype", object{"filter": object{"active": true, "number": 2}, "select": list{"number", "name_th"}}, listed + " detail.data.[].name_th:text"},
}

// seeds are a row of each table that an organisation begins without.
var seeds = map[string]object{
	"qrtype": named(nil), "timeslot": named(nil), "service": named(nil), "size": named(nil), "accesscontrol": named(nil),
	"privilege": named(nil), "tags": named(nil),
	"membercardtype": named(object{
		"picture_id": nil, "validity": "months", "length": 12, "approval": "first", "level": 1, "least_age": 0, "price_satang": 0, "class": "ordinary", "asks_email": "off", "asks_idcard": "off",
		"asks_gender": "off", "asks_birthdate": "off", "asks_address": "off", "asks_nationality": "off", "asks_receipt": "off",
	}),
	"discount": named(object{
		"how": "code", "code": "STRANGER", "class": "cart", "kind": "percent", "value": 1000, "max_satang": nil, "payer": "organisation", "least_satang": 0, "least_items": 0,
		"first_only": false, "starts_at": nil, "ends_at": nil, "uses": nil, "uses_each": nil, "budget_satang": nil, "stack": "alone",
	}),
	"faq":          named(object{"answer_th": "ได้", "answer_en": "yes"}),
	"definestatus": {"name_th": "หนึ่ง", "name_en": "one", "status": 5, "table_name": "voucher", "number": 77, "color": "ok"},
	"pdpa":         version("agent", "customer", "ตัวแทน"), "termsandconditions": version("agent", "customer", "ตัวแทน"),
}

func named(more object) object {
	row := object{"name_th": "หนึ่ง", "name_en": "one", "position": 1, "status": 5}
	maps.Copy(row, more)
	return row
}

// in puts fields of a detail deeper, under a name.
func in(name, fields string) string {
	return strings.ReplaceAll(fields, " detail.", " detail."+name+".")
}

// table is the body of POST /api/owner/get/{table}: active, status 5, and what more a table is filtered by.
func table(more object) object {
	filter := object{"active": true, "status": 5}
	maps.Copy(filter, more)
	return object{"filter": filter, "select": selected}
}

// others says which fields rows have that a select did not ask for.
func others(answered, asked any) string {
	body, _ := asked.(object)
	selected, ok := body["select"].(list)
	rows, _ := find(answered, "data")
	if data, listed := rows.(list); ok && listed {
		for _, row := range data {
			for name := range row.(object) {
				if !slices.Contains(selected, any(name)) {
					return " " + name + " was not selected"
				}
			}
		}
	}
	return ""
}

// checkCalls makes every call of section 7.
func checkCalls(t *testing.T, w *world) {
	for table, row := range seeds {
		saved := harness.MustPost[harness.Saved](w.shop.Owner, "/api/owner/save/"+table, "", row)
		if row["version"] != nil || table == "discount" || table == "membercardtype" { // which begin as a draft
			harness.MustPost[any](w.shop.Owner, "/api/owner/status/"+table, "", object{"ids": list{saved.ID()}, "status": 5})
		}
	}
	for _, r := range calls {
		name := "7 " + r.path
		if r.body != nil {
			text, err := json.Marshal(r.body)
			require.NoError(t, err)
			name += " " + string(text)
		}
		t.Run(name, func(t *testing.T) {
			a := w.call(t, w.as[r.who], http.MethodPost, w.fill(t, r.path).(string), w.fill(t, r.body), nil)
			difference := lacks(a.body, "result:bool code:number message:any detail:any "+r.fields) + others(a.body, r.body)
			if difference != "" && (a.body == nil || a.body["result"] != true) {
				difference = a.String()
			}
			holds(t, name, difference)
		})
	}

	t.Run("7 /api/owner/upload/image", func(t *testing.T) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		file, err := form.CreateFormFile("images", "picture.png")
		require.NoError(t, err)
		require.NoError(t, png.Encode(file, image.NewRGBA(image.Rect(0, 0, 64, 64))))
		require.NoError(t, form.Close())
		status, _, text := w.as["owner"].Fetch(http.MethodPost, "/api/owner/upload/image", form.FormDataContentType(), &body)
		a := answer{status: status, text: string(text)}
		require.NoError(t, json.Unmarshal(text, &a.body))
		holds(t, "7 /api/owner/upload/image", lacks(a.body, "result:true detail:object detail.id:text"))
	})
}
