package apitest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestContact: visitors write to a shop and to the platform; each message is where it belongs and nowhere else.
func TestContact(t *testing.T) {
	p := harness.Start(t)
	spa, ice := p.Open("contact-spa", "สปา", "1650000051"), p.Open("contact-ice", "ไอศกรีม", "1650000052")
	letter := func(change map[string]any) map[string]any {
		body := map[string]any{"name": "แอน", "email": "ann@mail.example", "phone": "081 234 5678", "subject": "จองโต๊ะ", "text": "สองที่"}
		maps.Copy(body, change)
		return body
	}
	visitorOf := func(shop *harness.Organisation) *harness.Browser {
		visitor := p.Browser(shop.Host)
		visitor.Token = visitor.Post("/api/authen/web/client/"+shop.Unique, "", map[string]any{}).Token
		return visitor
	}
	type receipt struct{ ID uuid.UUID }
	const toShop, toPlatform = "/api/user/contact/send", "/api/public/contact/send"

	t.Run("a shop's office reads what its visitor wrote, once, and marks it; another shop's has none of it", func(t *testing.T) {
		visitor, key := visitorOf(spa), uuid.NewString()
		sent := harness.MustPost[receipt](visitor, toShop, key, letter(nil))
		require.Equal(t, sent, harness.MustPost[receipt](visitor, toShop, key, letter(nil)))
		require.Equal(t, "idempotency.key_reused", visitor.Post(toShop, key, letter(map[string]any{"text": "สามที่"})).Fault)
		list := func(of *harness.Organisation, body map[string]any) []harness.Saved {
			return harness.MustPost[struct{ Data []harness.Saved }](of.Owner, "/api/owner/get/contactus", "", body).Data
		}
		require.Len(t, list(spa, map[string]any{"filter": map[string]any{"state": "new"}}), 1)
		require.Len(t, list(spa, map[string]any{"search": "ANN@"}), 1)
		require.Empty(t, list(ice, map[string]any{}))
		id := map[string]any{"id": sent.ID}
		require.Equal(t, "081 234 5678", harness.MustPost[harness.Saved](spa.Owner, "/api/owner/contactus/read", "", id)["phone"])
		for _, path := range []string{"/api/owner/contactus/read", "/api/owner/detail/contactus"} {
			require.Equal(t, 404, ice.Owner.Post(path, "", id).Code, path)
		}
		answer := map[string]any{"id": sent.ID, "answered": true}
		require.Equal(t, 404, ice.Owner.Post("/api/owner/contactus/answer", "", answer).Code)
		require.Len(t, list(spa, map[string]any{"filter": map[string]any{"state": "new"}}), 1, "another shop has changed nothing")
		harness.MustPost[any](spa.Owner, "/api/owner/contactus/answer", "", answer)
		require.Empty(t, list(spa, map[string]any{"filter": map[string]any{"state": "new"}}))
	})

	t.Run("what is too long, no text or no JSON is refused, and so is who has no session or another shop's", func(t *testing.T) {
		require.NoError(t, p.ForgetLimits())
		for field, length := range map[string]int{"name": 121, "email": 255, "phone": 31, "subject": 151, "text": 4001} {
			visitor := visitorOf(spa)
			r := visitor.Post(toShop, uuid.NewString(), letter(map[string]any{field: strings.Repeat("ก", length)}))
			require.Equal(t, 422, r.Code, field)
			require.Equal(t, field, r.Fields[0].Path)
		}
		require.NoError(t, p.ForgetLimits())
		for _, text := range []string{"", "{", `{"name":"a\u0000b","email":"a@b.example","subject":"a","text":"b"}`} {
			r := visitorOf(spa).Raw(toShop, uuid.NewString(), []byte(text))
			require.False(t, r.Result, text)
			require.Less(t, r.Code, 500, text)
		}
		odd := visitorOf(spa).Raw(toShop, uuid.NewString(), []byte("{\"name\":\"\xff\",\"email\":\"a@b.example\",\"subject\":\"a\",\"text\":\"b\"}"))
		var kept receipt
		require.NoError(t, json.Unmarshal(odd.Detail, &kept))
		require.Equal(t, "\ufffd", harness.MustPost[harness.Saved](spa.Owner, "/api/owner/contactus/read", "", map[string]any{"id": kept.ID})["name"], "a byte that is no text is kept as the sign for one")
		require.Equal(t, 401, p.Browser(spa.Host).Post(toShop, uuid.NewString(), letter(nil)).Code)
		stranger := visitorOf(ice)
		stranger.Host = spa.Host
		require.Equal(t, 401, stranger.Post(toShop, uuid.NewString(), letter(nil)).Code)
		require.NotEqual(t, 200, visitorOf(spa).Post(toShop, "", letter(nil)).Code, "without a key")
	})

	t.Run("five an hour from one browser, and another browser still writes", func(t *testing.T) {
		require.NoError(t, p.ForgetLimits())
		visitor := visitorOf(spa)
		for range 5 {
			require.True(t, visitor.Post(toShop, uuid.NewString(), letter(nil)).Result)
		}
		require.Equal(t, "rate.limited", visitor.Post(toShop, uuid.NewString(), letter(nil)).Fault)
		require.True(t, visitorOf(spa).Post(toShop, uuid.NewString(), letter(nil)).Result)
	})

	t.Run("the platform's admin reads what was written to the platform, which no shop's host takes", func(t *testing.T) {
		require.NoError(t, p.ForgetLimits())
		sent := harness.MustPost[receipt](p.Browser("localhost"), toPlatform, uuid.NewString(), letter(nil))
		require.Equal(t, 404, p.Browser(spa.Host).Post(toPlatform, uuid.NewString(), letter(nil)).Code)
		admin := p.Admin()
		rows := harness.MustPost[struct{ Data []harness.Saved }](admin, "/api/admin/contactus/list", "", map[string]any{"state": "new"}).Data
		require.Equal(t, sent.ID.String(), rows[0].ID())
		id := map[string]any{"id": sent.ID}
		require.Equal(t, "สองที่", harness.MustPost[harness.Saved](admin, "/api/admin/contactus/detail", "", id)["text"])
		require.False(t, spa.Owner.Post("/api/admin/contactus/detail", "", id).Result)
		require.Equal(t, 404, spa.Owner.Post("/api/owner/contactus/read", "", id).Code)
	})
}

// TestFindShop: on the platform's host a part of its name leads to a shop's own host; a shop's host names no other.
func TestFindShop(t *testing.T) {
	p := harness.Start(t)
	spa := p.Open("find-spa", "ร้านหาเจอ", "1650000053")
	type shops struct{ Data []map[string]string }
	found := harness.MustPost[shops](p.Browser("localhost"), "/api/public/shop/find", "", map[string]any{"name": "หาเจอ"}).Data
	require.Len(t, found, 1)
	require.Equal(t, "ร้านหาเจอ", found[0]["name_th"])
	require.Contains(t, found[0]["url"], "://"+spa.Host)
	require.True(t, strings.HasSuffix(found[0]["url"], "/user/home"))
	require.Len(t, found[0], 5, "what its own front says, and where that is")
	require.Equal(t, 404, p.Browser(spa.Host).Post("/api/public/shop/find", "", map[string]any{"name": "หาเจอ"}).Code)
	require.Equal(t, 422, p.Browser("localhost").Post("/api/public/shop/find", "", map[string]any{"name": "ห"}).Code)

	for path, want := range map[string]string{"/icon.svg": "image/svg+xml", "/manifest.webmanifest": "application/manifest+json", "/image/platform.png": "image/png"} {
		status, header, _ := p.Get(spa.Host, path)
		require.Equal(t, 200, status, path)
		require.Equal(t, want, header.Get("Content-Type"), path)
	}
	_, _, page := p.Get(spa.Host, "/")
	require.Contains(t, page, `<meta property="og:site_name" content="ร้านหาเจอ">`)

	for accept, want := range map[string]string{"text/html,*/*": "text/html; charset=utf-8", "*/*": "application/json; charset=utf-8"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://nobody.localhost:%d/user/market", p.Port), nil)
		require.NoError(t, err)
		req.Header.Set("Accept", accept)
		res, err := p.Client.Do(req)
		require.NoError(t, err)
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, 404, res.StatusCode, "no organisation has this host")
		require.Equal(t, want, res.Header.Get("Content-Type"))
		require.Equal(t, want[:9] == "text/html", strings.Contains(string(text), "/loginpage\""))
	}
}
