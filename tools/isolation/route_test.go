package isolation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/token"
	"welovevoucher/tools/harness"
)

// undescribed are the routes outside of the API's description, and the part of TestMatrix that tries each.
var undescribed = map[string]string{
	"/api/health":                     "pages",
	"/api/openapi.json":               "pages",
	"/api/docs":                       "pages",
	"/api/hook/:endpoint":             "pages",
	"/api/hook/line/:organisation":    "pages",
	"/socket.io/*":                    "sockets",
	"/assets/:app/*":                  "pages",
	"/media/:id":                      "pages",
	"/image/profile2.png":             "pages",
	"/robots.txt":                     "pages",
	"/favicon.ico":                    "pages",
	"/icon.svg":                       "pages",
	"/image/platform.png":             "pages",
	"/image/gift/:org/:version/:name": "pages",
	"/manifest.webmanifest":           "pages",
	"/user/service-worker.js":         "pages",
	"/*":                              "pages",
}

// TestRoutes: nothing answers that is neither described nor named above.
func TestRoutes(t *testing.T) {
	described := map[string]bool{}
	for _, o := range operations(t) {
		described[o.Method+" "+strings.NewReplacer("{", ":", "}", "").Replace(o.Path)] = true
	}
	found := map[string]bool{}
	for _, route := range harness.Start(t).App.GetRoutes(true) {
		if undescribed[route.Path] != "" {
			found[route.Path] = true
			continue
		}
		key := strings.Replace(route.Method, "HEAD", "GET", 1) + " " + route.Path
		require.True(t, described[key], "%s %s is neither described nor undescribed on purpose", route.Method, route.Path)
		found[key] = true
	}
	require.Len(t, found, len(described)+len(undescribed))
}

// audiences says by a path alone who may call it at most, so that a slip in the rights table is seen.
var audiences = map[string][]token.Audience{
	"/api/public/":  {},
	"/api/authen/":  {token.Client, token.User, token.Agent, token.Owner, token.Staff, token.Admin},
	"/api/user/":    {token.User},
	"/api/agent/":   {token.Agent},
	"/api/owner/":   {token.Owner},
	"/api/staff/":   {token.Staff, token.Owner}, // an owner scans as well
	"/api/admin/":   {token.Admin},
	"/api/account/": {token.Owner, token.Staff, token.Admin}, // one's own, for all who work in an office
}

// public are paths of an audience that others may read too: what is on sale, and texts.
var public = map[string][]token.Audience{
	"/api/user/contact/send":            {token.Client},
	"/api/user/receipt/open":            {token.Client},
	"/api/user/wallet/statement/open":   {token.Client},
	"/api/user/transfer/open":           {token.Client},
	"/api/user/trade/setting":           {token.Client, token.Agent},
	"/api/user/trade/list":              {token.Client, token.Agent},
	"/api/user/trade/detail":            {token.Client, token.Agent},
	"/api/user/get/salepackage":         {token.Client, token.Agent},
	"/api/user/salepackage/detail":      {token.Client, token.Agent},
	"/api/user/salepackage/days":        {token.Client, token.Agent},
	"/api/user/get/contactus":           {token.Client, token.Agent},
	"/api/user/get/tags":                {token.Client, token.Agent},
	"/api/user/get/service_point":       {token.Client, token.Agent},
	"/api/user/get/faq":                 {token.Client, token.Agent},
	"/api/user/get/membercardtype":      {token.Client, token.Agent},
	"/api/user/get/pdpa":                {token.Client, token.Agent},
	"/api/user/get/termsandconditions":  {token.Client, token.Agent},
	"/api/agent/get/pdpa":               {token.Client},
	"/api/agent/get/termsandconditions": {token.Client},
}

func TestAudiences(t *testing.T) {
	for _, o := range operations(t) {
		area := strings.Join(strings.SplitAfter(o.Path, "/")[:3], "")
		if area == "/api/authen/" && o.Path != "/api/authen/logout" {
			require.Empty(t, o.Audiences, "%s is there to sign in", o.Path)
			continue
		}
		if area == "/api/public/" {
			require.Empty(t, o.Audiences, "%s is there for strangers on the platform's own host", o.Path)
			continue
		}
		require.NotEmpty(t, o.Audiences, "%s is open to everybody", o.Path)
		require.Subset(t, append(public[o.Path], audiences[area]...), o.Audiences, o.Path)
	}
}
