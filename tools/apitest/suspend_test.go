package apitest

import (
	"encoding/base64"
	"maps"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// TestSuspendOrganisation: an admin with the letter suspends, resumes, renames and puts on another plan; what was sold goes on being used.
func TestSuspendOrganisation(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("rests-spa", "สปา", "1650000063")
	shop.Sell(100_00, nil)
	ann := shop.Customer("rests-ann")
	shop.FundWallet(ann, 200_00)
	bought := shop.Buy(ann)
	admin := p.Admin()
	const path = "/api/admin/organize/"
	id := map[string]any{"id": shop.ID}
	type detail struct {
		State   string   `json:"state"`
		NameTH  string   `json:"name_th"`
		Plan    string   `json:"plan_id"`
		Modules []string `json:"modules"`
		Logo    *string  `json:"logo_url"`
	}
	calls := map[string]map[string]any{
		"suspend": {"id": shop.ID, "reason": "the books do not balance"},
		"resume":  id,
		"plan":    {"id": shop.ID, "plan_id": "019380a0-0000-7000-8000-000000000001"},
		"setting/save": {
			"id": shop.ID, "name_th": "สปาใหม่", "name_en": "New spa", "tagline_th": "", "tagline_en": "", "background_color_primary": "#1f5c4d", "background_color_secondary": "#d9a662",
		},
	}

	reader := p.Browser("localhost")
	require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, password_hash, role, permission, status, created_at)
			SELECT $1, 'rests-reader', 'Reader', password_hash, 'admin', '{"organize":"via","package":"u"}', 5, created_at FROM admin WHERE username = 'admin'`, uuid.New())
		return err
	}))
	reader.Token = harness.SignIn(reader, "/api/authen/admin/user", map[string]string{"username": "rests-reader", "password": harness.AdminPassword}).Token
	for call, body := range calls {
		require.Equal(t, http.StatusForbidden, reader.Post(path+call, "", body).Code, call)
		require.NotEqual(t, http.StatusOK, shop.Owner.Post(path+call, "", body).Code, call)
		require.NotEqual(t, http.StatusOK, ann.Post(path+call, "", body).Code, call)
	}
	require.Equal(t, "live", harness.MustPost[detail](admin, path+"detail", "", id).State)
	require.Equal(t, http.StatusUnprocessableEntity, admin.Post(path+"suspend", "", map[string]any{"id": shop.ID, "reason": ""}).Code)
	require.Equal(t, http.StatusNotFound, admin.Post(path+"suspend", "", map[string]any{"id": uuid.New(), "reason": "a stranger"}).Code)

	require.Equal(t, "suspended", harness.MustPost[detail](admin, path+"suspend", "", calls["suspend"]).State)
	require.Equal(t, "org.suspended", ann.Post("/api/user/get/salepackage", "", map[string]any{}).Fault)
	use := harness.MustPost[harness.Use](ann, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": shop.ServicePoint, "items": 1})
	shop.Scan(shop.Owner, use)
	harness.MustPost[any](shop.Owner, "/api/staff/voucher/confirm", uuid.NewString(), map[string]any{"use_session_id": use.ID, "service_point_id": shop.ServicePoint})

	require.Equal(t, "สปาใหม่", harness.MustPost[detail](admin, path+"setting/save", "", calls["setting/save"]).NameTH, "of a suspended one, too")
	logo := map[string]any{"logo": base64.StdEncoding.EncodeToString([]byte("no picture"))}
	maps.Copy(logo, calls["setting/save"])
	refused := admin.Post(path+"setting/save", "", logo)
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Equal(t, "logo", refused.Fields[0].Path)

	require.Equal(t, "live", harness.MustPost[detail](admin, path+"resume", "", id).State)
	shop.Buy(ann)

	small := harness.MustPost[detail](admin, path+"plan", "", calls["plan"])
	require.NotContains(t, small.Modules, "discount")
	require.Equal(t, http.StatusForbidden, shop.Owner.Post("/api/owner/get/discount", "", map[string]any{}).Code, "its module is off at once, for the owner too")
	require.Equal(t, http.StatusUnprocessableEntity, admin.Post(path+"plan", "", map[string]any{"id": shop.ID, "plan_id": uuid.New()}).Code)

	record := harness.MustPost[struct {
		Reason string `json:"suspension_reason"`
		Log    []struct {
			Action string
			Name   string `json:"actor_name"`
		}
		Figures struct {
			Uses struct{ Count int }
		}
	}](admin, path+"record", "", id)
	require.Empty(t, record.Reason)
	actions := []string{}
	for _, line := range record.Log[:4] {
		actions = append(actions, line.Action)
	}
	require.Equal(t, []string{"change_plan", "resume", "change", "suspend"}, actions)
	require.NotEmpty(t, record.Log[0].Name)
	require.Equal(t, 1, record.Figures.Uses.Count)
	shop.MustBalance()
}
