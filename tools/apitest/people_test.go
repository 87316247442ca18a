package apitest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

func TestInvitations(t *testing.T) {
	p := harness.Start(t)
	shop, other := p.Open("invites", "ร้านชวน", "1650000021"), p.Open("invites-not", "ร้านอื่น", "1650000022")
	type invited struct {
		Account uuid.UUID `json:"staff_id"`
		URL     string
	}
	invite := func(o *harness.Organisation, area string) (token string) {
		t.Helper()
		made := harness.MustPost[invited](o.Owner, "/api/owner/staff/invite", "", map[string]any{"name": "พนักงาน", "role": "admin", "area": area})
		require.Contains(t, made.URL, "http://"+o.Host)
		_, token, ok := strings.Cut(made.URL, "/owner/register/staff#")
		require.True(t, ok, made.URL)
		return token
	}

	t.Run("an invited person joins by LINE's page, on the organisation's host", func(t *testing.T) {
		token := invite(shop, "owner")
		b := p.Browser(shop.Host)
		require.Equal(t, "ร้านชวน", harness.MustPost[struct {
			NameTH string `json:"name_th"`
		}](b, "/api/authen/registeruser/invitation", "", map[string]string{"token": token}).NameTH)
		begin := map[string]any{"audience": "owner", "return": "/owner", "invitation": token}
		r := b.WebLogin(begin, "register", "somchai")
		require.True(t, r.Result, r.Fault)
		b.Token = harness.SignIn(b, "/api/authen/owner/line", map[string]any{"LINETOKEN": p.IDToken("somchai", shop.Channel)}).Token
		require.Equal(t, "admin", harness.MustPost[struct{ Org struct{ Role string } }](b, "/api/authen/rechecktoken", "", map[string]any{}).Org.Role)

		require.Equal(t, "invitation.used", p.Browser(shop.Host).Post("/api/authen/line/start", "", begin).Fault)
		require.Equal(t, "invitation.used", b.Post("/api/authen/registeruser/invitation", "", map[string]string{"token": token}).Fault)
	})

	t.Run("an invited person joins by a LIFF token, on the platform's host", func(t *testing.T) {
		token := invite(shop, "staff")
		b := p.Browser("localhost")
		in := harness.SignIn(b, "/api/authen/registeruser/line", map[string]any{"LINETOKEN": p.IDToken("pranee", shop.Channel), "token": token})
		require.Equal(t, []string{"staff", "/staff"}, []string{in.Audience, in.Return})
		require.True(t, strings.HasPrefix(in.Token, "st_"))
		again := p.Browser("localhost").Post("/api/authen/registeruser/owner/line", "", map[string]any{"LINETOKEN": p.IDToken("malee", shop.Channel), "token": token})
		require.Equal(t, "invitation.used", again.Fault)
	})

	t.Run("an invitation refuses another organisation's token, host or channel, and a linked person", func(t *testing.T) {
		token := invite(shop, "staff")
		foreign := strings.Replace(token, "invites.", "invites-not.", 1)
		liff := func(host, channel, person, token string) string {
			t.Helper()
			return p.Browser(host).Post("/api/authen/registeruser/owner/line", "", map[string]any{"LINETOKEN": p.IDToken(person, channel), "token": token}).Fault
		}
		require.Equal(t, "invitation.not_found", liff(other.Host, shop.Channel, "eve", token))
		require.Equal(t, "invitation.not_found", liff("localhost", other.Channel, "eve", foreign))
		require.Equal(t, "invitation.not_found", liff(other.Host, other.Channel, "eve", foreign))
		require.Equal(t, "invitation.not_found", liff(shop.Host, shop.Channel, "eve", token+"x"))
		require.Equal(t, "line.refused", liff(shop.Host, other.Channel, "eve", token))
		require.Equal(t, "staff.line_taken", liff(shop.Host, shop.Channel, "somchai", token))
		require.Equal(t, "invitation.not_found", p.Browser(other.Host).Post("/api/authen/line/start", "",
			map[string]any{"audience": "owner", "return": "/owner", "invitation": token}).Fault)

		p.Clock.Advance(73 * time.Hour)
		t.Cleanup(func() { p.Clock.Advance(-73 * time.Hour) })
		require.Equal(t, "invitation.expired", p.Browser(shop.Host).Post("/api/authen/registeruser/invitation", "", map[string]string{"token": token}).Fault)
	})

	t.Run("a login without an invitation refuses a person who is not linked", func(t *testing.T) {
		r := p.Browser(shop.Host).WebLogin(map[string]any{"audience": "owner", "return": "/owner"}, "owner", "stranger")
		require.Equal(t, "staff.wrong_password", r.Fault)
	})
}

func TestAdminsByLINE(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("not-platform", "ร้าน", "1650000031")
	admin := p.Browser("localhost")
	start := map[string]any{"audience": "admin", "return": "/advwsadmin/organize_list"}
	password := map[string]string{"username": "admin", "password": harness.AdminPassword}
	// The tests share a database, and so its admin.
	admin.Token = harness.SignIn(admin, "/api/authen/admin/user", password).Token
	harness.MustPost[any](admin, "/api/admin/line/unlink", "", nil)

	t.Run("a person who is not linked is refused", func(t *testing.T) {
		require.Equal(t, "admin.line_unknown", p.Browser("localhost").WebLogin(start, "advwsadmin", "boss").Fault)
		require.Equal(t, "admin.line_unknown", p.Browser("localhost").Post("/api/authen/admin/line", "", map[string]any{"LINETOKEN": p.IDToken("boss", harness.PlatformChannel)}).Fault)
	})

	t.Run("an admin links LINE after a password, and then signs in by it", func(t *testing.T) {
		page := harness.MustPost[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
		code, state := p.AtLINE(page, "boss")
		finish := map[string]string{"code": code, "state": state, "area": "advwsadmin"}
		thief := p.Browser("localhost")
		require.Equal(t, "login.not_found", thief.Post("/api/authen/line/finish", "", finish).Fault, "in another browser")

		left := p.Browser("localhost")
		left.Token = harness.SignIn(left, "/api/authen/admin/user", password).Token
		code, state = p.AtLINE(harness.MustPost[struct{ URL string }](left, "/api/admin/line/link", "", nil).URL, "eve")
		harness.MustPost[any](left, "/api/authen/logout", "", nil)
		r := left.Post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Equal(t, 401, r.Code, "in a browser that the admin has left")

		page = harness.MustPost[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
		code, state = p.AtLINE(page, "boss")
		linked := harness.SignIn(admin, "/api/authen/line/finish", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Empty(t, linked.Token, "the session that is open stays")
		require.True(t, harness.MustPost[struct{ Line bool }](admin, "/api/authen/rechecktoken", "", map[string]any{}).Line)

		r = p.Browser("localhost").WebLogin(start, "advwsadmin", "boss")
		require.True(t, r.Result, r.Fault)
		in := harness.SignIn(p.Browser("localhost"), "/api/authen/admin/line", map[string]any{"LINETOKEN": p.IDToken("boss", harness.PlatformChannel)})
		require.True(t, strings.HasPrefix(in.Token, "ad_"))
	})

	t.Run("a second link, an organisation's host and its channel are refused", func(t *testing.T) {
		page := harness.MustPost[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
		code, state := p.AtLINE(page, "second")
		r := admin.Post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Equal(t, "admin.line_linked", r.Fault)
		require.Equal(t, "not_found", p.Browser(shop.Host).Post("/api/authen/line/start", "", start).Fault)
		require.Equal(t, "line.refused", p.Browser("localhost").Post("/api/authen/admin/line", "", map[string]any{"LINETOKEN": p.IDToken("boss", shop.Channel)}).Fault)
		require.Equal(t, 401, shop.Owner.Post("/api/admin/line/link", "", nil).Code)

		p.AddAdmin("deputy", "รอง")
		deputy := p.Browser("localhost")
		deputy.Token = harness.SignIn(deputy, "/api/authen/admin/user", map[string]string{"username": "deputy", "password": harness.AdminPassword}).Token
		code, state = p.AtLINE(harness.MustPost[struct{ URL string }](deputy, "/api/admin/line/link", "", nil).URL, "boss")
		r = deputy.Post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Equal(t, "admin.line_taken", r.Fault)
	})

	t.Run("an unlinked person is refused, and his sessions by LINE are over", func(t *testing.T) {
		byLINE := p.Browser("localhost")
		byLINE.Token = byLINE.WebLogin(start, "advwsadmin", "boss").Token
		harness.MustPost[any](admin, "/api/admin/line/unlink", "", nil)
		require.Equal(t, 401, byLINE.Post("/api/admin/organize/list", "", map[string]any{}).Code)
		harness.MustPost[any](admin, "/api/admin/organize/list", "", map[string]any{})
		require.Equal(t, "admin.line_unknown", p.Browser("localhost").WebLogin(start, "advwsadmin", "boss").Fault)
	})
}

func TestIDTokenOnce(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("id-token", "ร้าน", "1650000041")
	text := p.IDToken("แอน", shop.Channel).(string)
	first := p.Browser(shop.Host)
	signIn := func(b *harness.Browser, text string) harness.Reply {
		return b.Post("/api/authen/webclient/id-token/line", "", map[string]any{"LINETOKEN": text})
	}
	require.True(t, signIn(first, text).Result)
	require.True(t, signIn(first, text).Result, "LIFF hands it out for an hour")
	require.Equal(t, 401, signIn(p.Browser(shop.Host), text).Code, "another browser")
	require.False(t, signIn(p.Browser(shop.Host), text+"=").Result, "however it is spelled")
	require.False(t, signIn(p.Browser(shop.Host), " "+text).Result)
}

func TestConsentAndErasure(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("consents", "ร้านขอความยินยอม", "1650000051")
	ann := shop.Customer("แอน")
	type texts struct {
		Data []struct {
			Version uuid.UUID `json:"_id"`
		}
	}
	require.Empty(t, harness.MustPost[texts](ann, "/api/user/consent/open", "", nil).Data)

	version := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/pdpa", "", map[string]any{
		"purpose": "customer", "audience": "customer", "version": "1", "name_th": "ก", "name_en": "A", "body_th": "ข", "body_en": "B",
	})
	harness.MustPost[any](shop.Owner, "/api/owner/status/pdpa", "", map[string]any{"ids": []string{version.ID()}, "status": 5})
	open := harness.MustPost[texts](ann, "/api/user/consent/open", "", nil).Data
	require.Len(t, open, 1)
	who := harness.MustPost[struct {
		Org struct{ OrgSetting map[string]any }
	}](ann, "/api/authen/rechecktoken", "", map[string]any{"liffId": shop.Liff})
	require.Equal(t, true, who.Org.OrgSetting["pdpa_customer_accept"])
	require.Equal(t, version.ID(), who.Org.OrgSetting["pdpa_customer_accept_version"])
	require.Equal(t, false, who.Org.OrgSetting["terms_customer_accept_agent"])

	refused := ann.Post("/api/user/consent/accept", "", map[string]any{"version_ids": []string{}, "lang": "th"})
	require.Equal(t, []any{409, "Please review PDPA"}, []any{refused.Code, refused.Message})
	require.Equal(t, "consent.inactive_consent", ann.Post("/api/user/consent/accept", "", map[string]any{"version_ids": []uuid.UUID{uuid.New()}, "lang": "th"}).Fault)
	harness.MustPost[any](ann, "/api/user/consent/accept", "", map[string]any{"version_ids": []uuid.UUID{open[0].Version}, "lang": "th"})
	held := harness.MustPost[struct{ Accepted []struct{ Address string } }](ann, "/api/user/privacy/get", "", nil)
	require.Equal(t, "127.0.0.1", held.Accepted[0].Address)

	shop.FundWallet(ann, 100_00)
	confirm := map[string]string{"confirm": "ลบข้อมูลของฉัน"}
	require.Equal(t, "privacy.wallet_not_empty", ann.Post("/api/user/privacy/erase", "", confirm).Fault)
	require.Equal(t, 401, shop.Owner.Post("/api/user/privacy/erase", "", confirm).Code)

	bee := shop.Customer("บี")
	harness.MustPost[any](bee, "/api/user/privacy/erase", "", confirm)
	require.Equal(t, 401, bee.Post("/api/user/getwallet", "", nil).Code, "the session is over")
	again := shop.Customer("บี")
	require.Len(t, harness.MustPost[texts](again, "/api/user/consent/open", "", nil).Data, 1, "a new customer is asked anew")
}

func TestSignOutClosesSockets(t *testing.T) {
	p := harness.Start(t)
	owner := p.Open("hangs-up", "ร้านวางสาย", "1650000041").Owner
	dialer := websocket.Dialer{NetDialContext: p.Client.Transport.(*http.Transport).DialContext}
	socket, res, err := dialer.Dial(fmt.Sprintf("ws://%s:%d/socket.io/?EIO=4&transport=websocket&token=%s", owner.Host, p.Port, owner.Token), nil)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	t.Cleanup(func() { _ = socket.Close() })
	require.NoError(t, socket.WriteMessage(websocket.TextMessage, []byte("40")))
	for hello := ""; !strings.HasPrefix(hello, "40{"); {
		_, text, err := socket.ReadMessage()
		require.NoError(t, err)
		hello = string(text)
	}

	harness.MustPost[any](owner, "/api/authen/logout", "", nil)

	require.NoError(t, socket.SetReadDeadline(time.Now().Add(20*time.Second))) // a third of the time until it is looked at anyhow
	for err == nil {
		_, _, err = socket.ReadMessage()
	}
	var late net.Error
	require.False(t, errors.As(err, &late) && late.Timeout(), "still open")
}
