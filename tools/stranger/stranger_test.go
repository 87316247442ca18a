package stranger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
	"welovevoucher/tools/wire"
)

// TestSpecification holds the product to every row here; they share one platform, for time.
func TestSpecification(t *testing.T) {
	w := begin(t)
	for _, section := range []struct {
		name  string
		check func(*testing.T, *world)
	}{
		{"texts", checkTexts}, // first: some are of an organisation that has nothing yet
		{"calls", checkCalls},
		{"events", checkEvents},
		{"routes", checkRoutes},
		{"constants", checkConstants},
		{"limits", checkLimits}, // changes the owner's password
		{"away", checkAway},
	} {
		t.Run(section.name, func(t *testing.T) { section.check(t, w) })
	}
	for row, o := range open {
		require.True(t, seen[row], "%s is in open and in no table", row)
		if o.why != "" {
			require.Contains(t, wire.Deviations, o.why, row)
		}
	}
}

// begin starts a platform and signs somebody of each audience in.
func begin(t *testing.T) *world {
	t.Helper()
	p := harness.Start(t)
	w := &world{Platform: p, shop: p.Open("stranger", "ร้านของคนแปลกหน้า", "1650000077"), as: map[string]*harness.Browser{}}
	w.shop.Sell(100_00, nil)
	w.as[""] = p.Browser(w.shop.Host)
	w.as["platform"] = p.Browser("localhost")
	w.as["owner"] = w.shop.Owner
	w.as["admin"] = p.Admin()
	w.as["user"] = w.shop.Customer("stranger-user")
	w.as["other"] = w.shop.Customer("stranger-other")
	w.as["new"] = w.shop.Customer("stranger-new")
	w.as["agent"] = w.shop.Agent("stranger-may", 500).Browser
	applicant := p.Browser(w.shop.Host)
	applicant.Token = harness.SignIn(p.Browser(w.shop.Host), "/api/authen/agent/"+w.shop.Unique+"/line", object{"LINETOKEN": p.IDToken("stranger-applicant", w.shop.Channel)}).Token
	w.as["applicant"] = applicant
	staff := p.Browser(w.shop.Host)
	staff.Token = harness.SignIn(staff, "/api/authen/registeruser/line", object{"LINETOKEN": p.IDToken("stranger-staff", w.shop.Channel), "token": w.invite(t, "staff")}).Token
	w.as["staff"] = staff

	harness.MustPost[any](w.as["admin"], "/api/admin/line/unlink", "", nil) // the tests share a database, and so its admin
	page := harness.MustPost[struct{ URL string }](w.as["admin"], "/api/admin/line/link", "", nil).URL
	code, state := p.AtLINE(page, "stranger-boss")
	harness.MustPost[any](w.as["admin"], "/api/authen/line/finish", "", object{"code": code, "state": state, "area": "advwsadmin"})
	t.Cleanup(func() { require.True(t, w.as["admin"].Post("/api/admin/line/unlink", "", nil).Result) })

	w.codes = map[string]any{
		"{unique}": w.shop.Unique, "{liffId}": w.shop.Liff, "{organize}": w.shop.ID.String(),
		"{invite owner}": w.invite(t, "owner"), "{invite staff}": w.invite(t, "staff"),
		"{LINE of the admin}": p.IDToken("stranger-boss", harness.PlatformChannel),
	}
	return w
}
