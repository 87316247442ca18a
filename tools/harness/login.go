package harness

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"

	"github.com/stretchr/testify/require"
)

// SignedIn is a login's answer: the token, and what stands in the detail beside it.
type SignedIn struct{ Token, Audience, Return, Session string }

// SignIn makes a call that opens a session, which must succeed.
func SignIn(b *Browser, path string, body any) SignedIn {
	b.T.Helper()
	return b.Post(path, "", body).SignedIn(b)
}

// SignedIn reads a login's answer, which must have succeeded.
func (r Reply) SignedIn(b *Browser) (in SignedIn) {
	b.T.Helper()
	require.True(b.T, r.Result, "%d %s %v", r.Code, r.Fault, r.Fields)
	require.NoError(b.T, json.Unmarshal(r.Detail, &in))
	in.Token = r.Token
	return in
}

// AtLINE signs somebody in on LINE's page and returns the code and state that LINE sends back.
func (p *Platform) AtLINE(page, person string) (code, state string) {
	p.T.Helper()
	p.Control(p.LINE.URL, "/emulator/people", map[string]string{"id": person, "name": person})
	res, err := http.Get(page)
	require.NoError(p.T, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(p.T, err)
	require.NoError(p.T, res.Body.Close())
	found := regexp.MustCompile(`name="login" value="([^"]+)"`).FindSubmatch(text)
	require.NotNil(p.T, found, string(text))

	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err = client.PostForm(p.LINE.URL+"/emulator/consent", url.Values{"login": {string(found[1])}, "person": {person}})
	require.NoError(p.T, err)
	require.NoError(p.T, res.Body.Close())
	to, err := res.Location()
	require.NoError(p.T, err)
	return to.Query().Get("code"), to.Query().Get("state")
}

// WebLogin goes to LINE's page and comes back.
func (b *Browser) WebLogin(start map[string]any, area, person string) Reply {
	b.T.Helper()
	page := MustPost[struct{ URL string }](b, "/api/authen/line/start", "", start).URL
	code, state := b.AtLINE(page, person)
	return b.Post("/api/authen/line/finish", "", map[string]string{"code": code, "state": state, "area": area})
}

// IDToken is what LIFF would hand out to a person.
func (p *Platform) IDToken(person, channel string) any {
	p.T.Helper()
	return p.Control(p.LINE.URL, "/emulator/login", map[string]string{"person": person, "client_id": channel})["id_token"]
}
