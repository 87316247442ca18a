package stranger_test

import (
	"net/http"
	"strings"
	"testing"
)

// route is an address of section 2. It ends at the app's page, unless to says where a browser without a token is
// sent, or the row says what else.
type route struct {
	host string // "org": the organisation's; "platform"
	path string
}

// routes are section 2's, with {liffId} as the organisation's and {cb*} as a login's return.
var routes = func() (out []route) {
	add := func(host, under string, names string) {
		for name := range strings.FieldsSeq(names) {
			out = append(out, route{host, under + name})
		}
	}
	// 2.1 and 2.2
	for _, host := range []string{"platform", "org"} {
		add(host, "/", "aboutus partner contact faq termsandconditions loginpage main welovevoucher/forgotpassword online/forgotpassword home")
		out = append(out, route{host, "/"})
	}
	add("org", "/", "owner owner/loginpage owner/register/staff staff staff/loginpage user welovevoucher/{liffId} welovevoucher/{liffId}/home weloveagent/{liffId} weloveagent/{liffId}/home nowhere")
	add("platform", "/", "owner owner/loginpage owner/register/staff staff staff/loginpage advwsadmin advwsadmin/loginpage")
	add("platform", "/", "user/home welovevoucher/{liffId}/home weloveagent/{liffId}/home trade transfer nowhere")
	add("org", "/", "advwsadmin advwsadmin/loginpage")
	// 2.3
	add("org", "/user/", "home market profile history agent activevoucher wallet scanqrcodegift cart sale trade transferdata home/back/again")
	add("org", "/welovevoucher/{liffId}/", `home/back/again market activevoucher cart profile history agent wallet member registermember privilegemember
		sale trade transferdata scanqrcodegift scanqrcodelinkmember`)
	add("org", "/", `trade trade/buy/a/b trade/sale/a/b transfer tradeuser/{liffId} tradeuser/{liffId}/buy/a/b tradeuser/{liffId}/sale/a/b transferuser/{liffId}`)
	add("org", "/", "user/market?page=wallet&ref=abc user/market?liff.state=%2Ftrade%2Fbuy%2Fa%2Fb")
	// 2.4
	add("org", "/weloveagent/{liffId}/", "history profile register")
	// 2.5
	add("org", "/owner/", `main login changepassword customerlist dailytransaction soldtransaction depositqrtransaction wallettransaction pointtransaction
		privilegetransaction activevouchertransaction boardtransaction transfertransaction agentgeneratesaletransaction agentcommissiontransaction
		agentvouchercommissiontransaction agentticketcommissiontransaction agentpaycommissiontransaction paycommissiontransaction
		partnervouchercommissiontransaction partnerticketcommissiontransaction packagelist giftvoucherlist vouchertypelist voucherlist discountlist
		memberlist membercard membercardtypelist privilegelist buypackage activevoucher agentlist agenttypelist agentsetting stafflist permissionlist
		servicepointlist settingorganize settingpdpalist settingtermandconditionlist paymentoptionlist settingtag
		contactuslist contactusdetail settingheader settingcontent1 settingcontent2 settingcontent3 settingcontent4 settingcontent5 settingtermandcondition settingpdpa
		settingtheme settingcontactus settingcalendar orderlist ordergeneratelist ordertrackinglist orderlistdetail ordergeneratedetail ordertrackingdetail scanqrcode
		generatetype generatelist definestatusqr printqrcode report01 report02 report03 report04`)
	for name := range strings.FieldsSeq(`dashboard customer customertype payment service salechannel discount staff permission package faq slot size
		vouchertype giftvoucher membercard membercardtype paymentoption servicepoint privilege agent agenttype`) {
		add("org", "/owner/"+name, "list add edit")
	}
	// 2.6
	add("org", "/staff/", "scanqrcode activevouchertransaction partnervouchercommissiontransaction")
	// 2.7
	for name := range strings.FieldsSeq("module organize package template user") {
		add("platform", "/advwsadmin/"+name, "_list _add _edit")
	}
	add("platform", "/advwsadmin/", "main admin_list admin_edit staff_add staff_list staff_edit voucher_list wallet_list settingtag deposit_list paymentsystem")
	// 2.8
	add("platform", "/logincallback/", "advwsadmin/back/again")
	add("org", "/logincallback/", "owner/back/again staff/back/again register/back/again user/back/again welovevoucher/back/again weloveagent/back/again")
	return out
}()

// checkRoutes reads every route without a token: the guards of 2.1 are the page's, so each ends at a page.
func checkRoutes(t *testing.T, w *world) {
	for _, r := range routes {
		name := "2 " + r.host + " " + r.path
		t.Run(name, func(t *testing.T) {
			holds(t, name, w.visit(t, r.host, r.path))
		})
	}
}

// visit says how a page differs from the app's, "" if it does not. It follows no redirect: it names where it leads.
func (w *world) visit(t *testing.T, host, path string) string {
	t.Helper()
	status, header, text := w.Get(w.host(host), w.fill(t, path).(string))
	switch {
	case status != http.StatusOK:
		return http.StatusText(status) + " " + header.Get("Location")
	case !strings.HasPrefix(header.Get("Content-Type"), "text/html"):
		return header.Get("Content-Type")
	case !strings.Contains(text, `id="app"`):
		return "another page than the app's"
	case !strings.Contains(text, `"area":"`+area(path)+`"`):
		return "another app's page"
	}
	return ""
}

// area is which of the three apps has a path: 2.4 is the agents', 2.5 to 2.7 the back office, all else is customers'.
func area(path string) string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if first == "logincallback" {
		first, _, _ = strings.Cut(rest, "/")
	}
	switch first {
	case "owner", "staff", "advwsadmin", "register":
		return "backoffice"
	case "weloveagent":
		return "agent"
	}
	return "customer"
}

func (w *world) host(name string) string {
	if name == "org" {
		return w.shop.Host
	}
	return "localhost"
}
