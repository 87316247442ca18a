package journey

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

type signedIn struct{ Token, Audience, Return string }

// atLINE signs somebody in on LINE's page and returns the code and state that LINE sends back.
func (p *platform) atLINE(page, person string) (code, state string) {
	p.t.Helper()
	p.control(p.line.URL, "/emulator/people", map[string]string{"id": person, "name": person})
	res, err := http.Get(page)
	require.NoError(p.t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	require.NoError(p.t, res.Body.Close())
	found := regexp.MustCompile(`name="login" value="([^"]+)"`).FindSubmatch(text)
	require.NotNil(p.t, found, string(text))

	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err = client.PostForm(p.line.URL+"/emulator/consent", url.Values{"login": {string(found[1])}, "person": {person}})
	require.NoError(p.t, err)
	require.NoError(p.t, res.Body.Close())
	to, err := res.Location()
	require.NoError(p.t, err)
	return to.Query().Get("code"), to.Query().Get("state")
}

// webLogin goes to LINE's page and comes back.
func (b *browser) webLogin(start map[string]any, area, person string) reply {
	b.t.Helper()
	page := must[struct{ URL string }](b, "/api/authen/line/start", "", start).URL
	code, state := b.atLINE(page, person)
	return b.post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": area})
}

func (p *platform) idToken(person, channel string) any {
	p.t.Helper()
	return p.control(p.line.URL, "/emulator/login", map[string]string{"person": person, "client_id": channel})["id_token"]
}

func TestInvitations(t *testing.T) {
	p := start(t)
	shop, other := p.open("invites", "ร้านชวน", "1650000021"), p.open("invites-not", "ร้านอื่น", "1650000022")
	type invited struct {
		Account uuid.UUID `json:"staff_id"`
		URL     string
	}
	invite := func(o *organisation, area string) (token string) {
		t.Helper()
		made := must[invited](o.owner, "/api/owner/staff/invite", "", map[string]any{"name": "พนักงาน", "role": "admin", "area": area})
		require.Contains(t, made.URL, "http://"+o.host)
		_, token, ok := strings.Cut(made.URL, "/owner/register/staff#")
		require.True(t, ok, made.URL)
		return token
	}

	t.Run("by LINE's page, from the organisation's own host", func(t *testing.T) {
		token := invite(shop, "owner")
		b := p.browser(shop.host)
		require.Equal(t, "ร้านชวน", must[struct {
			NameTH string `json:"name_th"`
		}](b, "/api/authen/registeruser/invitation", "", map[string]string{"token": token}).NameTH)
		begin := map[string]any{"audience": "owner", "return": "/owner", "invitation": token}
		r := b.webLogin(begin, "register", "somchai")
		require.True(t, r.Result, r.Fault)
		b.token = must[signedIn](b, "/api/authen/owner/line", "", map[string]any{"LINETOKEN": p.idToken("somchai", shop.channel)}).Token
		require.Equal(t, "admin", must[struct{ Role string }](b, "/api/authen/rechecktoken", "", map[string]any{}).Role)

		require.Equal(t, "invitation.used", p.browser(shop.host).post("/api/authen/line/start", "", begin).Fault)
		require.Equal(t, "invitation.used", b.post("/api/authen/registeruser/invitation", "", map[string]string{"token": token}).Fault)
	})

	t.Run("by LIFF's token, from the platform's host, to the door", func(t *testing.T) {
		token := invite(shop, "staff")
		b := p.browser("localhost")
		in := must[signedIn](b, "/api/authen/registeruser/line", "", map[string]any{"LINETOKEN": p.idToken("pranee", shop.channel), "token": token})
		require.Equal(t, []string{"staff", "/staff"}, []string{in.Audience, in.Return})
		require.True(t, strings.HasPrefix(in.Token, "st_"))
		again := p.browser("localhost").post("/api/authen/registeruser/owner/line", "", map[string]any{"LINETOKEN": p.idToken("malee", shop.channel), "token": token})
		require.Equal(t, "invitation.used", again.Fault)
	})

	t.Run("not with another organisation's token, host or LINE channel, nor twice the same LINE person", func(t *testing.T) {
		token := invite(shop, "staff")
		foreign := strings.Replace(token, "invites.", "invites-not.", 1)
		liff := func(host, channel, person, token string) string {
			t.Helper()
			return p.browser(host).post("/api/authen/registeruser/owner/line", "", map[string]any{"LINETOKEN": p.idToken(person, channel), "token": token}).Fault
		}
		require.Equal(t, "invitation.not_found", liff(other.host, shop.channel, "eve", token))
		require.Equal(t, "invitation.not_found", liff("localhost", other.channel, "eve", foreign))
		require.Equal(t, "invitation.not_found", liff(other.host, other.channel, "eve", foreign))
		require.Equal(t, "invitation.not_found", liff(shop.host, shop.channel, "eve", token+"x"))
		require.Equal(t, "line.refused", liff(shop.host, other.channel, "eve", token))
		require.Equal(t, "staff.line_taken", liff(shop.host, shop.channel, "somchai", token))
		require.Equal(t, "invitation.not_found", p.browser(other.host).post("/api/authen/line/start", "",
			map[string]any{"audience": "owner", "return": "/owner", "invitation": token}).Fault)

		p.Clock.Advance(73 * time.Hour)
		t.Cleanup(func() { p.Clock.Advance(-73 * time.Hour) })
		require.Equal(t, "invitation.expired", p.browser(shop.host).post("/api/authen/registeruser/invitation", "", map[string]string{"token": token}).Fault)
	})

	t.Run("a login begun without an invitation lets no stranger in", func(t *testing.T) {
		r := p.browser(shop.host).webLogin(map[string]any{"audience": "owner", "return": "/owner"}, "owner", "stranger")
		require.Equal(t, "staff.wrong_password", r.Fault)
	})
}

func TestAdminsByLINE(t *testing.T) {
	p := start(t)
	shop := p.open("not-platform", "ร้าน", "1650000031")
	admin := p.browser("localhost")
	start := map[string]any{"audience": "admin", "return": "/advwsadmin/organize_list"}
	password := map[string]string{"username": "admin", "password": adminPassword}
	// The tests share a database, and so its admin.
	admin.token = must[signedIn](admin, "/api/authen/admin/user", "", password).Token
	must[any](admin, "/api/admin/line/unlink", "", nil)

	t.Run("a stranger is not let in", func(t *testing.T) {
		require.Equal(t, "admin.line_unknown", p.browser("localhost").webLogin(start, "advwsadmin", "boss").Fault)
		require.Equal(t, "admin.line_unknown", p.browser("localhost").post("/api/authen/admin/line", "", map[string]any{"LINETOKEN": p.idToken("boss", platformChannel)}).Fault)
	})

	t.Run("who is signed in links once, and then signs in by LINE", func(t *testing.T) {
		page := must[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
		code, state := p.atLINE(page, "boss")
		finish := map[string]string{"code": code, "state": state, "area": "advwsadmin"}
		thief := p.browser("localhost")
		require.Equal(t, "login.not_found", thief.post("/api/authen/line/finish", "", finish).Fault, "in another browser")

		left := p.browser("localhost")
		left.token = must[signedIn](left, "/api/authen/admin/user", "", password).Token
		code, state = p.atLINE(must[struct{ URL string }](left, "/api/admin/line/link", "", nil).URL, "eve")
		must[any](left, "/api/authen/logout", "", nil)
		r := left.post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Equal(t, 401, r.Code, "in a browser that the admin has left")

		page = must[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
		code, state = p.atLINE(page, "boss")
		linked := must[signedIn](admin, "/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Empty(t, linked.Token, "the session that is open stays")
		require.True(t, must[struct{ Line bool }](admin, "/api/authen/rechecktoken", "", map[string]any{}).Line)

		r = p.browser("localhost").webLogin(start, "advwsadmin", "boss")
		require.True(t, r.Result, r.Fault)
		in := must[signedIn](p.browser("localhost"), "/api/authen/admin/line", "", map[string]any{"LINETOKEN": p.idToken("boss", platformChannel)})
		require.True(t, strings.HasPrefix(in.Token, "ad_"))
	})

	t.Run("not a second one beside it, and nobody on an organisation's host or by its channel", func(t *testing.T) {
		page := must[struct{ URL string }](admin, "/api/admin/line/link", "", nil).URL
		code, state := p.atLINE(page, "second")
		r := admin.post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Equal(t, "admin.line_linked", r.Fault)
		require.Equal(t, "not_found", p.browser(shop.host).post("/api/authen/line/start", "", start).Fault)
		require.Equal(t, "line.refused", p.browser("localhost").post("/api/authen/admin/line", "", map[string]any{"LINETOKEN": p.idToken("boss", shop.channel)}).Fault)
		require.Equal(t, 401, shop.owner.post("/api/admin/line/link", "", nil).Code)

		require.NoError(t, p.services.Admins.Add(t.Context(), "deputy", "รอง", adminPassword))
		deputy := p.browser("localhost")
		deputy.token = must[signedIn](deputy, "/api/authen/admin/user", "", map[string]string{"username": "deputy", "password": adminPassword}).Token
		code, state = p.atLINE(must[struct{ URL string }](deputy, "/api/admin/line/link", "", nil).URL, "boss")
		r = deputy.post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": "advwsadmin"})
		require.Equal(t, "admin.line_taken", r.Fault)
	})

	t.Run("unlinked, LINE opens nothing, and what it opened is over", func(t *testing.T) {
		byLINE := p.browser("localhost")
		var in signedIn
		require.NoError(t, json.Unmarshal(byLINE.webLogin(start, "advwsadmin", "boss").Detail, &in))
		byLINE.token = in.Token
		must[any](admin, "/api/admin/line/unlink", "", nil)
		require.Equal(t, 401, byLINE.post("/api/admin/organize/list", "", map[string]any{}).Code)
		must[any](admin, "/api/admin/organize/list", "", map[string]any{})
		require.Equal(t, "admin.line_unknown", p.browser("localhost").webLogin(start, "advwsadmin", "boss").Fault)
	})
}

func TestIDTokenOnce(t *testing.T) {
	p := start(t)
	shop := p.open("id-token", "ร้าน", "1650000041")
	text := p.idToken("แอน", shop.channel).(string)
	first := p.browser(shop.host)
	signIn := func(b *browser, text string) reply {
		return b.post("/api/authen/webclient/id-token/line", "", map[string]any{"LINETOKEN": text})
	}
	require.True(t, signIn(first, text).Result)
	require.True(t, signIn(first, text).Result, "LIFF hands it out for an hour")
	require.Equal(t, 401, signIn(p.browser(shop.host), text).Code, "another browser")
	require.False(t, signIn(p.browser(shop.host), text+"=").Result, "however it is spelled")
	require.False(t, signIn(p.browser(shop.host), " "+text).Result)
}

func TestConsentAndErasure(t *testing.T) {
	p := start(t)
	shop := p.open("consents", "ร้านขอความยินยอม", "1650000051")
	ann := shop.customer("แอน")
	type texts struct {
		Data []struct {
			Version uuid.UUID `json:"version_id"`
		}
	}
	require.Empty(t, must[texts](ann, "/api/user/consent/open", "", nil).Data)

	version := must[saved](shop.owner, "/api/owner/save/pdpa", "", map[string]any{
		"purpose": "customer", "audience": "customer", "version": "1", "title_th": "ก", "title_en": "A", "body_th": "ข", "body_en": "B",
	})
	must[any](shop.owner, "/api/owner/status/pdpa", "", map[string]any{"ids": []string{version.id()}, "status": 5})
	open := must[texts](ann, "/api/user/consent/open", "", nil).Data
	require.Len(t, open, 1)
	who := must[struct{ Org map[string]any }](ann, "/api/authen/rechecktoken", "", map[string]any{"liffId": shop.liff})
	require.Equal(t, true, who.Org["pdpa_customer_accept"])
	require.Equal(t, version.id(), who.Org["pdpa_customer_accept_version"])
	require.Equal(t, false, who.Org["terms_customer_accept_agent"])

	refused := ann.post("/api/user/consent/accept", "", map[string]any{"version_ids": []string{}, "lang": "th"})
	require.Equal(t, []any{409, "Please review PDPA"}, []any{refused.Code, refused.Message})
	require.Equal(t, "consent.inactive", ann.post("/api/user/consent/accept", "", map[string]any{"version_ids": []uuid.UUID{uuid.New()}, "lang": "th"}).Fault)
	must[any](ann, "/api/user/consent/accept", "", map[string]any{"version_ids": []uuid.UUID{open[0].Version}, "lang": "th"})
	held := must[struct{ Accepted []struct{ Address string } }](ann, "/api/user/privacy/get", "", nil)
	require.Equal(t, "127.0.0.1", held.Accepted[0].Address)

	shop.rich(ann, 100_00)
	confirm := map[string]string{"confirm": "ลบข้อมูลของฉัน"}
	require.Equal(t, "privacy.wallet_not_empty", ann.post("/api/user/privacy/erase", "", confirm).Fault)
	require.Equal(t, 401, shop.owner.post("/api/user/privacy/erase", "", confirm).Code)

	bee := shop.customer("บี")
	must[any](bee, "/api/user/privacy/erase", "", confirm)
	require.Equal(t, 401, bee.post("/api/user/getwallet", "", nil).Code, "the session is over")
	again := shop.customer("บี")
	require.Len(t, must[texts](again, "/api/user/consent/open", "", nil).Data, 1, "a new customer is asked anew")
}
