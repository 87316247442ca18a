package apitest

import (
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// account is somebody's who works in an office, and signs in by a password.
type account struct {
	*harness.Browser
	path, username, password string
	unique                   string
}

func (a account) signIn(b *harness.Browser) (in harness.Reply) {
	body := map[string]any{"username": a.username, "password": a.password}
	if a.unique != "" {
		body["unique"] = a.unique
	}
	return b.Post(a.path, "", body)
}

func pendingOf(t *testing.T, r harness.Reply) string {
	t.Helper()
	require.True(t, r.Result, r.Fault)
	require.Empty(t, r.Token, "no session is open before the code")
	pending := regexp.MustCompile(`"pending":"([^"]+)"`).FindSubmatch(r.Detail)
	require.NotNil(t, pending, string(r.Detail))
	return string(pending[1])
}

type recovery struct{ Codes []string }

// switchOn has somebody's second factor asked for from now on.
func switchOn(b *harness.Browser) (secret, used string, codes []string) {
	b.T.Helper()
	secret = harness.MustPost[struct{ Secret string }](b, "/api/account/secondfactor/offer", "", map[string]any{}).Secret
	used = b.AppCode(secret)
	codes = harness.MustPost[recovery](b, "/api/account/secondfactor/start", "", map[string]any{"code": used}).Codes
	require.Len(b.T, codes, 10)
	return secret, used, codes
}

func newOwner(shop *harness.Organisation, username, email string) (a account, id string) {
	shop.T.Helper()
	saved := harness.MustPost[harness.Saved](shop.Owner, "/api/owner/save/staff", "", map[string]any{
		"username": username, "name": "ผู้จัดการ", "role": "admin", "permission_id": nil, "password": "secret99", "email": email,
	})
	a = account{shop.Browser(shop.Host), "/api/authen/owner/user", username, "secret99", shop.Unique}
	a.Token = a.signIn(a.Browser).Token
	require.NotEmpty(shop.T, a.Token)
	return a, saved.ID()
}

func TestTwoSteps(t *testing.T) {
	p := harness.Start(t)
	shop, other := p.Open("two-steps", "ร้านสองชั้น", "1650000071"), p.Open("two-steps-not", "ร้านอื่น", "1650000072")
	admin := account{p.Browser("localhost"), "/api/authen/admin/user", "phoned", harness.AdminPassword, ""}
	p.AddAdmin("phoned", "ผู้ดูแล")
	admin.Token = admin.signIn(admin.Browser).Token
	owner, ownerID := newOwner(shop, "manager", "")

	for name, a := range map[string]account{"owner": owner, "admin": admin} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, a.Token)
			offered := harness.MustPost[struct{ Secret string }](a.Browser, "/api/account/secondfactor/offer", "", map[string]any{}).Secret
			require.NotEmpty(t, a.signIn(p.Browser(a.Host)).Token, "an offer asks for nothing yet")
			require.Equal(t, "second_factor.code", a.Post("/api/account/secondfactor/start", "", map[string]any{"code": "000000"}).Fault)
			require.Equal(t, "second_factor.off", a.Post("/api/account/secondfactor/stop", "", map[string]any{"code": p.AppCode(offered)}).Fault)

			elsewhere := p.Browser(a.Host)
			elsewhere.Token = a.signIn(elsewhere).Token
			secret, used, codes := switchOn(a.Browser)
			require.Equal(t, "second_factor.code", a.Post("/api/account/secondfactor/renew", "", map[string]any{"code": used}).Fault, "a code is taken once")
			require.Equal(t, "second_factor.on", a.Post("/api/account/secondfactor/offer", "", map[string]any{}).Fault)
			require.Equal(t, 401, elsewhere.Post("/api/account/secondfactor/state", "", map[string]any{}).Code, "his other sessions have ended")

			there := p.Browser(a.Host)
			pending := pendingOf(t, a.signIn(there))
			code := func(b *harness.Browser, pending, code string) string {
				return b.Post("/api/authen/code", "", map[string]any{"pending": pending, "code": code}).Fault
			}
			require.Equal(t, "login.not_found", code(p.Browser(a.Host), pending, codes[0]), "another browser's")
			if name == "owner" {
				strange := p.Browser(other.Host)
				strange.Session = there.Session
				require.Equal(t, "login.not_found", code(strange, pending, codes[0]), "another organisation's host")
			}
			require.Equal(t, "second_factor.code", code(there, pending, "123456"))
			p.Clock.Advance(time.Minute)
			used = p.AppCode(secret)
			in := there.Post("/api/authen/code", "", map[string]any{"pending": pending, "code": used})
			require.True(t, in.Result, in.Fault)
			require.NotEmpty(t, in.Token)
			require.Equal(t, "login.not_found", code(there, pending, codes[0]), "a sign-in goes on once")

			pending = pendingOf(t, a.signIn(there))
			require.Equal(t, "second_factor.code", code(there, pending, used), "the code that opened the session before")
			require.Empty(t, code(there, pending, codes[0]))
			pending = pendingOf(t, a.signIn(there))
			require.Equal(t, "second_factor.code", code(there, pending, codes[0]), "a recovery code is good once")
			p.Clock.Advance(6 * time.Minute)
			require.Equal(t, "login.not_found", code(there, pending, codes[1]), "it is over after five minutes")

			renewed := harness.MustPost[recovery](a.Browser, "/api/account/secondfactor/renew", "", map[string]any{"code": p.AppCode(secret)}).Codes
			pending = pendingOf(t, a.signIn(there))
			require.Equal(t, "second_factor.code", code(there, pending, codes[1]), "an old one after new ones were made")
			require.Empty(t, code(there, pending, renewed[0]))
		})
	}

	t.Run("wrong codes lock a person out, however many sign-ins are begun", func(t *testing.T) {
		a, _ := newOwner(shop, "guessed", "")
		_, _, codes := switchOn(a.Browser)
		thief := p.Browser(shop.Host)
		locked := ""
		for range 4 {
			pending := pendingOf(t, a.signIn(thief))
			for range 2 {
				locked = thief.Post("/api/authen/code", "", map[string]any{"pending": pending, "code": "123456"}).Fault
			}
		}
		require.Equal(t, "signin.locked", locked)
		require.Equal(t, "signin.locked", thief.Post("/api/authen/code", "", map[string]any{"pending": pendingOf(t, a.signIn(thief)), "code": codes[0]}).Fault)
	})

	t.Run("LINE opens no session without the code either", func(t *testing.T) {
		made := harness.MustPost[struct{ URL string }](shop.Owner, "/api/owner/staff/invite", "", map[string]any{"name": "พนักงาน", "role": "admin", "area": "owner"})
		token := regexp.MustCompile(`#(.+)$`).FindStringSubmatch(made.URL)[1]
		b := p.Browser(shop.Host)
		require.True(t, b.WebLogin(map[string]any{"audience": "owner", "return": "/owner", "invitation": token}, "register", "nok").Result)
		b.Token = harness.SignIn(b, "/api/authen/owner/line", map[string]any{"LINETOKEN": p.IDToken("nok", shop.Channel)}).Token
		_, _, codes := switchOn(b)
		again := p.Browser(shop.Host)
		pending := pendingOf(t, again.WebLogin(map[string]any{"audience": "owner", "return": "/owner/orderlist"}, "owner", "nok"))
		in := again.Post("/api/authen/code", "", map[string]any{"pending": pending, "code": codes[0]})
		require.Contains(t, string(in.Detail), `"return":"/owner/orderlist"`)
	})

	t.Run("who may handle an account switches it off for who has lost the phone", func(t *testing.T) {
		drop := func(b *harness.Browser, id string) string {
			return b.Post("/api/owner/staff/factor/drop", "", map[string]any{"id": id}).Fault
		}
		require.Equal(t, "staff.own_account", drop(owner.Browser, ownerID))
		require.NotEmpty(t, drop(other.Owner, ownerID))
		require.Empty(t, drop(shop.Owner, ownerID))
		require.Equal(t, "second_factor.off", drop(shop.Owner, ownerID))
		require.NotEmpty(t, owner.signIn(p.Browser(shop.Host)).Token)
	})
}

// linkIn returns the token of the newest letter to an address.
func linkIn(t *testing.T, p *harness.Platform, to string, letters int) string {
	t.Helper()
	p.Eventually("the letter is there", func() bool { return len(p.Mail.Messages(to)) >= letters })
	all := p.Mail.Messages(to)
	require.Len(t, all, letters)
	return regexp.MustCompile(`#(\S+)`).FindStringSubmatch(all[0].Text)[1]
}

func TestLostPassword(t *testing.T) {
	p := harness.Start(t)
	shop, other := p.Open("lost", "ร้านลืม", "1650000073"), p.Open("lost-not", "ร้านอื่น", "1650000074")
	a, id := newOwner(shop, "forgetful", "forgetful@example.com")
	forgot := func(username string) harness.Reply {
		return p.Browser(shop.Host).Post("/api/authen/password/forgot", "", map[string]any{"audience": "owner", "username": username})
	}
	set := func(b *harness.Browser, link, password string) harness.Reply {
		return b.Post("/api/authen/password/set", "", map[string]any{"token": link, "password": password})
	}

	known, unknown := forgot("forgetful"), forgot("nobody-here")
	require.Equal(t, [2]any{known.Code, string(known.Detail)}, [2]any{unknown.Code, string(unknown.Detail)}, "the answer does not say whether the account exists")
	first := linkIn(t, p, "forgetful@example.com", 1)
	require.True(t, forgot("forgetful").Result)
	link := linkIn(t, p, "forgetful@example.com", 2)

	b := p.Browser(shop.Host)
	require.Equal(t, "password.link", set(p.Browser(other.Host), link, "newsecret1").Fault, "another organisation's host")
	weak := set(b, link, "!!")
	require.Len(t, weak.Fields, 1, weak.Fault)
	require.Equal(t, "field.password", weak.Fields[0].Fault)
	require.Contains(t, string(b.Post("/api/authen/password/link", "", map[string]any{"token": link}).Detail), `"username":"forgetful"`, "a refused password does not use the link up")
	in := set(b, link, "newsecret1")
	require.True(t, in.Result, in.Fault)
	require.NotEmpty(t, in.Token)
	require.Equal(t, "password.link", set(b, link, "newsecret2").Fault, "it is good once")
	require.Equal(t, "password.link", set(b, first, "newsecret2").Fault, "the other one ends with it")
	require.Equal(t, 401, a.Post("/api/account/secondfactor/state", "", map[string]any{}).Code, "every session has ended")
	require.Equal(t, "staff.wrong_password", a.signIn(p.Browser(shop.Host)).Fault)
	a.password = "newsecret1"
	require.True(t, a.signIn(p.Browser(shop.Host)).Result)

	require.True(t, forgot("forgetful").Result)
	require.Equal(t, 429, forgot("forgetful").Code, "three in an hour")
	require.Equal(t, 429, forgot("FORGETFUL").Code)
	link = linkIn(t, p, "forgetful@example.com", 3)
	p.Clock.Advance(31 * time.Minute)
	require.Equal(t, "password.link", set(b, link, "newsecret3").Fault, "it is over after half an hour")
	p.Clock.Advance(time.Hour)
	require.NoError(t, p.ForgetLimits())
	require.True(t, forgot("forgetful").Result)
	link = linkIn(t, p, "forgetful@example.com", 4)
	harness.MustPost[any](shop.Owner, "/api/owner/status/staff", "", map[string]any{"ids": []string{id}, "status": 2})
	require.Equal(t, "password.link", set(b, link, "newsecret3").Fault, "an account that was switched off")

	t.Run("the second factor is asked for afterwards", func(t *testing.T) {
		a, _ := newOwner(shop, "careful", "careful@example.com")
		_, _, codes := switchOn(a.Browser)
		require.True(t, forgot("careful").Result)
		b := p.Browser(shop.Host)
		pending := pendingOf(t, set(b, linkIn(t, p, "careful@example.com", 1), "newsecret1"))
		require.NotEmpty(t, b.Post("/api/authen/code", "", map[string]any{"pending": pending, "code": codes[3]}).Token)
	})

	t.Run("LINE shows who it is", func(t *testing.T) {
		made := harness.MustPost[struct{ URL string }](shop.Owner, "/api/owner/staff/invite", "", map[string]any{"name": "พนักงาน", "role": "admin", "area": "owner"})
		token := regexp.MustCompile(`#(.+)$`).FindStringSubmatch(made.URL)[1]
		require.True(t, p.Browser(shop.Host).WebLogin(map[string]any{"audience": "owner", "return": "/owner", "invitation": token}, "register", "noi").Result)
		b := p.Browser(shop.Host)
		begin := map[string]any{"audience": "owner", "return": "/owner", "resets": true}
		r := b.WebLogin(begin, "owner", "noi")
		require.True(t, r.Result, r.Fault)
		require.Empty(t, r.Token)
		link := regexp.MustCompile(`"return":"/owner/newpassword#([^"]+)"`).FindSubmatch(r.Detail)
		require.NotNil(t, link, string(r.Detail))
		require.NotEmpty(t, set(b, string(link[1]), "bylinenow1").Token)
		require.Equal(t, "staff.wrong_password", p.Browser(shop.Host).WebLogin(begin, "owner", "stranger").Fault)
		require.Equal(t, "signin.audience", p.Browser(shop.Host).Post("/api/authen/line/start", "", map[string]any{"audience": "user", "return": "/user/home", "resets": true}).Fault)
	})

	t.Run("an admin", func(t *testing.T) {
		p.AddAdmin("lost-admin", "ผู้ดูแล")
		boss := p.Browser("localhost")
		boss.Token = harness.SignIn(boss, "/api/authen/admin/user", map[string]any{"username": "admin", "password": harness.AdminPassword}).Token
		var admin uuid.UUID
		for _, row := range harness.MustPost[struct {
			Data []struct {
				ID       uuid.UUID
				Username string
			}
		}](boss, "/api/admin/admin/list", "", map[string]any{}).Data {
			if row.Username == "lost-admin" {
				admin = row.ID
			}
		}
		harness.MustPost[any](boss, "/api/admin/admin/save", "", map[string]any{"id": admin, "name": "ผู้ดูแล", "email": "lost@example.com", "role": "superadmin", "permission_admin": map[string]any{}})
		ask := map[string]any{"audience": "admin", "username": "lost-admin"}
		require.Equal(t, 404, p.Browser(shop.Host).Post("/api/authen/password/forgot", "", ask).Code)
		require.True(t, p.Browser("localhost").Post("/api/authen/password/forgot", "", ask).Result)
		link := linkIn(t, p, "lost@example.com", 1)
		require.Equal(t, "password.link", set(p.Browser(shop.Host), link, "long enough").Fault)
		b := p.Browser("localhost")
		require.Equal(t, "field.password_weak", set(b, link, "short").Fields[0].Fault)
		require.NotEmpty(t, set(b, link, "long enough").Token)
		require.True(t, p.Browser("localhost").Post("/api/authen/admin/user", "", map[string]any{"username": "lost-admin", "password": "long enough"}).Result)
	})
}
