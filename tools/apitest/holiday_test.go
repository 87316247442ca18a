package apitest

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// TestBankHolidays: admins keep the days on which banks are closed, each within his letters; nobody else reads them.
func TestBankHolidays(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("holiday-spa", "สปา", "1650000061")
	type holiday struct{ Day, Source string }
	const list, save, remove = "/api/admin/bankholiday/list", "/api/admin/bankholiday/save", "/api/admin/bankholiday/remove"
	admin, year := p.Admin(), map[string]any{"year": 2026}
	days := func() []holiday { return harness.MustPost[struct{ Data []holiday }](admin, list, "", year).Data }
	before := days()
	require.NotEmpty(t, before, "the migration brings the rest of 2026")

	added := map[string]any{"day": "2026-12-25", "name_th": "วันหยุดพิเศษ", "name_en": "Special holiday", "source": "ประกาศ ธปท."}
	harness.MustPost[any](admin, save, "", added)
	require.Len(t, days(), len(before)+1)
	added["source"] = "ประกาศ ธปท. ฉบับแก้ไข"
	require.Equal(t, "ประกาศ ธปท. ฉบับแก้ไข", harness.MustPost[holiday](admin, save, "", added).Source)
	require.Len(t, days(), len(before)+1)

	reader := p.Browser("localhost")
	require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, password_hash, role, permission, status, created_at)
			SELECT $1, 'holiday-reader', 'Reader', password_hash, 'admin', '{"payment":"v"}', 5, created_at FROM admin WHERE username = 'admin'`, uuid.New())
		return err
	}))
	reader.Token = harness.SignIn(reader, "/api/authen/admin/user", map[string]string{"username": "holiday-reader", "password": harness.AdminPassword}).Token
	require.Equal(t, http.StatusOK, reader.Post(list, "", year).Code)
	day := map[string]any{"day": "2026-12-25"}
	require.Equal(t, http.StatusForbidden, reader.Post(save, "", added).Code)
	require.Equal(t, http.StatusForbidden, reader.Post(remove, "", day).Code)
	require.NotEqual(t, http.StatusOK, shop.Owner.Post(list, "", year).Code, "an owner's right of payments is another one")

	wrong := admin.Post(save, "", map[string]any{"day": "2569-12-25", "name_th": "ก", "name_en": "a", "source": "s"})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	harness.MustPost[any](admin, remove, "", day)
	require.Equal(t, http.StatusNotFound, admin.Post(remove, "", day).Code)
	require.Equal(t, before, days())
}
