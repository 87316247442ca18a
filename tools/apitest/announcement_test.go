package apitest

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// TestAnnouncements: an admin who may announces to the offices; one who may only look does not, nor does an owner, and customers read none.
func TestAnnouncements(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("announced-spa", "สปา", "1650000061")
	const add, withdraw, shown = "/api/admin/announcement/add", "/api/admin/announcement/withdraw", "/api/owner/announcement/list"
	type notices struct {
		Data []struct {
			TitleEN string `json:"title_en"`
		}
	}
	now := time.Now().UTC()
	text := map[string]any{
		"kind": "news", "title_th": "ข่าว", "title_en": "News", "text_th": "มีข่าว", "text_en": "There is news", "plans": []uuid.UUID{},
		"from": now.Add(-time.Minute), "until": now.Add(time.Hour),
	}
	reader := p.Browser("localhost")
	require.NoError(t, p.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, password_hash, role, permission, status, created_at)
			SELECT $1, 'announcement-reader', 'Reader', password_hash, 'admin', '{"announcement":"v"}', 5, created_at FROM admin WHERE username = 'admin'`, uuid.New())
		return err
	}))
	reader.Token = harness.SignIn(reader, "/api/authen/admin/user", map[string]string{"username": "announcement-reader", "password": harness.AdminPassword}).Token
	require.Equal(t, http.StatusForbidden, reader.Post(add, "", text).Code)
	require.NotEqual(t, http.StatusOK, shop.Owner.Post(add, "", text).Code)

	id := harness.MustPost[struct{ ID uuid.UUID }](p.Admin(), add, "", text).ID
	require.Equal(t, http.StatusOK, reader.Post("/api/admin/announcement/list", "", map[string]any{}).Code)
	require.Equal(t, "News", harness.MustPost[notices](shop.Owner, shown, "", nil).Data[0].TitleEN)
	require.NotEqual(t, http.StatusOK, shop.Customer("ann").Post(shown, "", nil).Code)

	require.Equal(t, http.StatusForbidden, reader.Post(withdraw, "", map[string]any{"id": id}).Code)
	harness.MustPost[any](p.Admin(), withdraw, "", map[string]any{"id": id})
	require.Empty(t, harness.MustPost[notices](shop.Owner, shown, "", nil).Data)
	wrong := p.Admin().Post(add, "", map[string]any{"kind": "joke"})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
}
