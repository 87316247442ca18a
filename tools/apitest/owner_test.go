package apitest

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg" // DecodeConfig knows what we serve
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/api/owner"
	"welovevoucher/platform/access"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/tenants/org"
	"welovevoucher/tools/harness"
)

func TestBackOffice(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("lamai-office", "ละไม สปา", "1650000011")

	point := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/service_point", "", map[string]any{
		"name_th": "สาขานิมมาน", "name_en": "Nimman", "address_th": "", "address_en": "", "phone": "", "latitude": 18.79, "longitude": 98.96, "hours_th": "", "hours_en": "", "partner_id": nil, "staff": []string{},
	})
	tag := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/tags", "", map[string]any{"name_th": "สปา", "name_en": "Spa", "position": 1})
	kind := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/vouchertype", "", map[string]any{
		"name_th": "นวดไทย 60 นาที", "name_en": "Thai massage", "items": 3, "list_price_satang": 50000, "valid_days": 90, "valid_until": nil,
		"transfer_rule": "none", "transfer_times": 0, "transfer_together": false, "expiry_rule": "breakage", "vat_point": "sale",
		"conditions_th": "", "conditions_en": "", "picture_id": nil, "service_points": []string{point.ID()},
	})
	picture := shop.Owner.Upload(1000, 750, map[string]int{"x": 0, "y": 0, "w": 800, "h": 600})
	require.True(t, picture.Result, picture.Fault)
	var pic struct {
		ID            string
		Width, Height int
	}
	require.NoError(t, json.Unmarshal(picture.Detail, &pic))
	require.Equal(t, 800, pic.Width)

	pkg := map[string]any{
		"code": "", "name_th": "แพ็กนวด 3 ครั้ง", "name_en": "Massage × 3", "description_th": "", "description_en": "", "badge_th": "", "badge_en": "",
		"picture_id": nil, "price_satang": 129000, "list_price_satang": 150000, "sale_from": nil, "sale_to": nil, "per_customer": nil, "featured": true,
		"class": "ordinary", "refund_rule": "asking", "refund_days": 7, "refund_fee_basis_points": 0,
		"quantity": 10, "tags": []string{tag.ID()}, "parts": []map[string]any{{"voucher_type_id": kind.ID(), "gift_voucher_id": nil, "quantity": 1}},
	}

	t.Run("a package is saved, put on sale and seen in the market", func(t *testing.T) {
		row := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/salepackage", "", pkg)
		refused := shop.Owner.Post("/api/owner/status/salepackage", "", map[string]any{"ids": []string{row.ID()}, "status": 5})
		require.Equal(t, "catalog.not_publishable", refused.Fault)
		require.Equal(t, "picture_id", refused.Fields[0].Path)

		row["picture_id"] = pic.ID
		row = harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/salepackage", "", row)
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/status/salepackage", "", map[string]any{"ids": []string{row.ID()}, "status": 5})
		shop.Package, shop.ServicePoint = uuid.MustParse(row.ID()), uuid.MustParse(point.ID())

		ann := shop.Customer("Uann")
		market := harness.MustPost[struct{ Data []harness.Saved }](ann, "/api/user/get/salepackage", "", map[string]any{})
		require.Len(t, market.Data, 1)
		require.Equal(t, "แพ็กนวด 3 ครั้ง", market.Data[0]["name_th"])

		status, header, body := ann.Fetch(http.MethodGet, "/media/"+pic.ID+"?w=300", "", nil)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "image/jpeg", header.Get("Content-Type"))
		require.Contains(t, header.Get("Cache-Control"), "immutable")
		size, _, err := image.DecodeConfig(bytes.NewReader(body))
		require.NoError(t, err)
		require.Equal(t, 400, size.Width)
	})

	t.Run("a save of a row read before another change is refused", func(t *testing.T) {
		row := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/detail/tags", "", map[string]any{"id": tag.ID()})
		row["position"] = 2
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/tags", "", row)
		require.Equal(t, "resource.changed_meanwhile", shop.Owner.Post("/api/owner/save/tags", "", row).Fault)
		row["colour"] = "red"
		require.Equal(t, []struct{ Path, Fault string }{{"colour", "field.unknown"}}, shop.Owner.Post("/api/owner/save/tags", "", row).Fields)
	})

	t.Run("a list has the selected columns", func(t *testing.T) {
		list := harness.MustPost[struct {
			Data  []harness.Saved
			Total int
		}](shop.Owner, "/api/owner/get/tags", "", map[string]any{"select": []string{"id", "name_th"}, "filter": map[string]any{"active": true, "organize": "another"}})
		require.Equal(t, 1, list.Total)
		require.Equal(t, harness.Saved{"id": tag.ID(), "name_th": "สปา"}, list.Data[0])
	})

	t.Run("a sale is in the report, on the dashboard and in a file", func(t *testing.T) {
		ben := shop.Customer("Uben")
		shop.FundWallet(ben, 200000)
		q := harness.MustPost[harness.Quote](ben, "/api/user/order/quote", "", map[string]any{"lines": []map[string]any{{"package_id": shop.Package, "quantity": 1}}})
		accepted := []uuid.UUID{}
		for _, c := range q.Consents {
			accepted = append(accepted, c.Version)
		}
		harness.MustPost[any](ben, "/api/user/order/confirm", uuid.NewString(), map[string]any{
			"lines": []map[string]any{{"package_id": shop.Package, "quantity": 1}}, "hash": q.Hash, "accepted": accepted, "lang": "th",
		})

		day := clock.Day(p.DB.Now()).Format(time.DateOnly)
		daily := harness.MustPost[struct{ Totals map[string]int }](shop.Owner, "/api/owner/report/daily", "",
			map[string]any{"filter": map[string]any{"from": day, "to": day}})
		require.Equal(t, 129000, daily.Totals["gross_satang"])
		dashboard := harness.MustPost[struct {
			Sales struct {
				Gross int `json:"gross_satang"`
			}
		}](shop.Owner, "/api/owner/dashboard", "", map[string]any{"days": 7})
		require.Equal(t, 129000, dashboard.Sales.Gross)

		for path, body := range map[string]map[string]any{
			"/api/owner/report/job":    {"report": "daily", "filter": map[string]any{"from": day, "to": day}, "format": "csv"},
			"/api/owner/export/orders": {"format": "csv"},
		} {
			job := harness.MustPost[harness.Saved](shop.Owner, path, "", body)
			p.Eventually("the file is made", func() bool {
				job = harness.MustPost[harness.Saved](shop.Owner, "/api/owner/report/job/get", "", map[string]any{"id": job.ID()})
				return job["state"] == "done"
			})
			status, header, file := shop.Owner.Fetch(http.MethodGet, "/api/owner/report/file/"+job.ID(), "", nil)
			require.Equal(t, http.StatusOK, status)
			require.Contains(t, header.Get("Content-Disposition"), "attachment")
			require.Equal(t, "no-store", header.Get("Cache-Control"))
			require.Contains(t, string(file), "1290.00")
		}
	})

	t.Run("settings change at once, and take only a picture of one's own as logo", func(t *testing.T) {
		setting := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/setting/get", "", nil)
		in := map[string]any{}
		for _, name := range []string{"name_th", "name_en", "tagline_th", "tagline_en", "background_color_primary", "background_color_secondary", "logo_id", "register_before_use"} {
			in[name] = setting[name]
		}
		in["name_th"], in["logo_id"] = "ละไม ใหม่", pic.ID
		require.Equal(t, "ละไม ใหม่", harness.MustPost[harness.Saved](shop.Owner, "/api/owner/setting/save", "", in)["name_th"])
		var before, after string
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT before->>'name_th', after->>'name_th' FROM audit_log WHERE object = $1 AND action = 'change'`, "organisation/"+shop.ID.String()).
				Scan(&before, &after)
		}))
		require.Equal(t, []string{"ละไม สปา", "ละไม ใหม่"}, []string{before, after}, "written down with the change")
		in["logo_id"] = uuid.NewString()
		require.Equal(t, "logo_id", shop.Owner.Post("/api/owner/setting/save", "", in).Fields[0].Path)
	})
}

func TestOwnerRights(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("lamai-rights", "ละไม สปา", "1650000012")
	other := p.Open("tara-rights", "ธารา", "1650000013")
	set := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/permission", "", map[string]any{
		"name_th": "ดูแท็ก", "name_en": "Tags", "modules": map[string][]string{"tags": {"v", "u"}},
	})
	account := map[string]any{"username": "clerk", "name": "ต้อม", "role": "user", "permission_id": set.ID(), "password": "Abcd1234"}
	created := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/staff", "", account)
	require.NotContains(t, created, "password")

	clerk := p.Browser(shop.Host)
	clerk.Token = harness.SignIn(clerk, "/api/authen/owner/user", map[string]string{"username": "clerk", "password": "Abcd1234"}).Token
	visitor := p.Browser(shop.Host)
	customer := shop.Customer("Uann")
	elsewhere := p.Browser(shop.Host)
	elsewhere.Token = other.Owner.Token

	t.Run("each call needs its letter, whoever calls", func(t *testing.T) {
		for path, right := range owner.Rights() {
			file := strings.Contains(path, "{id}")
			path = strings.ReplaceAll(path, "{id}", uuid.NewString())
			call := func(b *harness.Browser) harness.Reply {
				if file {
					return b.Send(http.MethodGet, path, "", nil)
				}
				return b.Raw(path, "", []byte(`{}`))
			}
			for _, b := range []*harness.Browser{visitor, customer, elsewhere} {
				require.Equal(t, http.StatusUnauthorized, call(b).Code, path)
			}
			got := call(clerk).Code
			switch {
			case right.Module == "":
				require.NotEqual(t, http.StatusUnauthorized, got, path)
			case right.Module == "tags" && right.Letter != "s":
				require.NotEqual(t, http.StatusForbidden, got, path)
			default:
				require.Equal(t, http.StatusForbidden, got, path)
			}
			require.Less(t, call(shop.Owner).Code, 500, path)
		}
	})

	t.Run("u does not allow to add, and v of a table does not allow a report", func(t *testing.T) {
		fresh := map[string]any{"name_th": "ใหม่", "name_en": "", "position": 0}
		require.Equal(t, http.StatusForbidden, clerk.Post("/api/owner/save/tags", "", fresh).Code)
		row := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/tags", "", fresh)
		row["name_th"] = "เปลี่ยน"
		require.Equal(t, http.StatusOK, clerk.Post("/api/owner/save/tags", "", row).Code)

		require.Equal(t, http.StatusForbidden, clerk.Post("/api/owner/report/job", "", map[string]any{"report": "daily", "filter": map[string]any{}, "format": "csv"}).Code)
		require.Equal(t, http.StatusForbidden, clerk.Post("/api/owner/report/job", "", map[string]any{"report": "customer", "filter": map[string]any{}, "format": "csv"}).Code)
		require.Equal(t, http.StatusForbidden, clerk.Upload(100, 100, nil).Code)
	})

	t.Run("who may add packages adds no voucher type within one without the right to add types", func(t *testing.T) {
		sets := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/permission", "", map[string]any{
			"name_th": "แพ็กเกจ", "name_en": "Packages", "modules": map[string][]string{"salepackage": {"v", "i", "u"}, "vouchertype": {"v", "u"}},
		})
		harness.MustPost[any](shop.Owner, "/api/owner/save/staff", "", map[string]any{"username": "seller", "name": "แพร", "role": "user", "permission_id": sets.ID(), "password": "Abcd1234"})
		seller := p.Browser(shop.Host)
		seller.Token = harness.SignIn(seller, "/api/authen/owner/user", map[string]string{"username": "seller", "password": "Abcd1234"}).Token
		count := func(table string) int {
			return harness.MustPost[struct{ Total int }](shop.Owner, "/api/owner/get/"+table, "", map[string]any{}).Total
		}
		types, packages := count("vouchertype"), count("salepackage")
		fresh := map[string]any{
			"code": "", "name_th": "แพ็กใหม่", "name_en": "", "description_th": "", "description_en": "", "badge_th": "", "badge_en": "",
			"picture_id": nil, "price_satang": 129000, "list_price_satang": nil, "sale_from": nil, "sale_to": nil, "per_customer": nil, "featured": false,
			"class": "ordinary", "refund_rule": "asking", "refund_days": 7, "refund_fee_basis_points": 0,
			"quantity": nil, "tags": []string{}, "parts": []map[string]any{{"voucher_type_id": nil, "gift_voucher_id": nil, "quantity": 1, "new_voucher_type": map[string]any{
				"name_th": "นวดใหม่", "name_en": "", "items": 1, "list_price_satang": nil, "valid_days": 90, "valid_until": nil,
				"expiry_rule": "wallet", "conditions_th": "", "conditions_en": "", "service_points": []string{},
			}}},
		}
		require.Equal(t, http.StatusForbidden, seller.Post("/api/owner/save/salepackage", "", fresh).Code)
		require.Equal(t, []int{types, packages}, []int{count("vouchertype"), count("salepackage")}, "nothing is saved")

		row := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/salepackage", "", fresh)
		row["name_th"] = "ชื่อใหม่"
		require.Equal(t, http.StatusOK, seller.Post("/api/owner/save/salepackage", "", row).Code, "one whose types are there")
		row = harness.MustPost[harness.Saved](shop.Owner, "/api/owner/detail/salepackage", "", map[string]any{"id": row.ID()})
		row["parts"] = fresh["parts"]
		require.Equal(t, http.StatusForbidden, seller.Post("/api/owner/save/salepackage", "", row).Code, "nor within one that is there")
		require.Equal(t, []int{types + 1, packages + 1}, []int{count("vouchertype"), count("salepackage")})
	})

	t.Run("an account sees its letters, and loses them at once when they are taken", func(t *testing.T) {
		who := func() harness.Reply {
			return clerk.Post("/api/authen/rechecktoken", "", map[string]any{"token": clerk.Token})
		}
		var seen struct {
			Org struct {
				Permission struct{ Mod map[string][]string }
			}
		}
		require.NoError(t, json.Unmarshal(who().Detail, &seen))
		require.Equal(t, map[string][]string{"tags": {"v", "u"}}, seen.Org.Permission.Mod)
		row := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/detail/permission", "", map[string]any{"id": set.ID()})
		row["modules"] = map[string][]string{}
		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/permission", "", row)
		require.Equal(t, http.StatusForbidden, clerk.Post("/api/owner/get/tags", "", map[string]any{}).Code)

		harness.MustPost[harness.Saved](shop.Owner, "/api/owner/status/staff", "", map[string]any{"ids": []string{created.ID()}, "status": 2})
		require.Equal(t, http.StatusUnauthorized, who().Code)
	})
}

// TestPlan: no account of an organisation may use a module that its plan lacks, whatever its rights.
func TestPlan(t *testing.T) {
	p := harness.Start(t)
	shop, beside := p.Open("plan-small", "ร้านเล็ก", "1650000048"), p.Open("plan-large", "ร้านใหญ่", "1650000049")
	onPlan := func(name string) {
		require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(t.Context(), `UPDATE organisation SET plan_id = (SELECT id FROM plan WHERE name_en = $2) WHERE id = $1`, shop.ID, name)
			tx.Publish(org.Topic, shop.ID.String())
			return err
		}))
	}
	onPlan("Starter")
	for path, body := range map[string]any{
		"/api/owner/get/agent":          map[string]any{},
		"/api/owner/export/agent":       map[string]any{"format": "csv"},
		"/api/owner/save/agenttype":     map[string]any{"name_th": "ก", "name_en": "a", "rate_basis_points": 500, "recruiter_basis_points": 0, "matures": "sale", "mature_days": 0},
		"/api/owner/agent/approve":      map[string]any{"customer_id": uuid.New(), "agent_type_id": uuid.New()},
		"/api/owner/get/membercardtype": map[string]any{},
	} {
		require.Equal(t, http.StatusForbidden, shop.Owner.Post(path, "", body).Code, path)
	}
	for _, path := range []string{"/api/owner/get/salepackage", "/api/owner/get/payment", "/api/owner/setting/get"} {
		require.Equal(t, http.StatusOK, shop.Owner.Post(path, "", map[string]any{}).Code, path)
	}
	has := func(owner *harness.Browser) (modules []string) {
		who := harness.MustPost[struct {
			Org struct {
				Module     []struct{ Name string }
				Permission struct{ Mod map[string][]string }
			}
		}](owner, "/api/authen/rechecktoken", "", map[string]any{"token": owner.Token})
		for _, module := range who.Org.Module {
			modules = append(modules, module.Name)
			require.Equal(t, []string{"v", "i", "u", "s"}, who.Org.Permission.Mod[module.Name])
		}
		require.Len(t, who.Org.Permission.Mod, len(modules))
		return modules
	}
	require.NotContains(t, has(shop.Owner), "agent")
	require.ElementsMatch(t, access.ModuleNames(), has(beside.Owner))
	require.Equal(t, http.StatusOK, beside.Owner.Post("/api/owner/get/agent", "", map[string]any{}).Code)

	onPlan("Growth")
	require.Equal(t, http.StatusOK, shop.Owner.Post("/api/owner/get/agent", "", map[string]any{}).Code)
}
