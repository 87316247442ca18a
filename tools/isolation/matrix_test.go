package isolation

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tools/harness"
)

// answer is what came back, as it was sent.
type answer struct {
	status int
	fault  string
	text   string // headers and body
	body   []byte
}

func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

// ask makes a call with a token, on a host.
func ask(p *harness.Platform, o operation, host, cookie, bearer string, r request) answer {
	p.T.Helper()
	body, contentType := r.form, r.contentType
	if body == nil && o.Method == http.MethodPost {
		var err error
		body, err = json.Marshal(r.body)
		require.NoError(p.T, err)
		contentType = "application/json"
	}
	return send(p, o, host, cookie, bearer, r.path, contentType, body)
}

func send(p *harness.Platform, o operation, host, cookie, bearer, path, contentType string, body []byte) answer {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), o.Method, fmt.Sprintf("http://%s:%d%s", host, p.Port, path), bytes.NewReader(body))
	require.NoError(p.T, err)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Cookie", "browser="+cookie)
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	if o.Keyed {
		req.Header.Set("Idempotency-Key", uuid.NewString())
	}
	require.NoError(p.T, p.ForgetLimits()) // what is refused is refused for another reason
	res, err := p.Client.Do(req)
	require.NoError(p.T, err, o.Path)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(p.T, err)
	var envelope struct{ Fault string }
	_ = json.Unmarshal(text, &envelope) // a file is no envelope
	return answer{status: res.StatusCode, fault: envelope.Fault, text: fmt.Sprint(res.Header) + string(text), body: text}
}

// twoOrgs are two organisations with the same rows, and what was found while one's people tried the other's calls.
type twoOrgs struct {
	*harness.Platform
	t             *testing.T
	ours, theirs  *shop
	tables        *digests
	bad           map[*person][]credential
	clerk, warden *person // with the rights of one permission set, in the office and for scanning
	deputy        *person // an admin with the rights that a test gives him

	calls, shown, own, unexpected, canaries, touched int
	tried                                            map[string]map[string]int  // credential -> path -> calls
	alone                                            map[string]int             // why nobody else's is tried -> operations
	due                                              map[string]map[string]bool // credential -> paths that it must have been tried on
	findings                                         []string
}

// credential is a token that must not open a call.
type credential struct{ name, token string }

func (w *twoOrgs) findf(format string, args ...any) {
	w.findings = append(w.findings, fmt.Sprintf(format, args...))
}

func TestMatrix(t *testing.T) {
	var written journal
	p := harness.StartWith(t, harness.Options{Log: written.logger()})
	received := listen(p)
	admin := &person{Browser: p.Browser("localhost"), kind: token.Admin}
	admin.Token = harness.SignIn(admin.Browser, "/api/authen/admin/user", map[string]any{"username": "admin", "password": harness.AdminPassword}).Token
	w := &twoOrgs{
		Platform: p, t: t, bad: map[*person][]credential{}, tried: map[string]map[string]int{}, alone: map[string]int{}, due: map[string]map[string]bool{},
		ours: open(p, "twin-ours", "1650000061", admin), theirs: open(p, "twin-theirs", "1650000062", admin),
	}
	w.tables = watch(w.Platform, w.ours, w.theirs)
	w.clerk, w.warden = w.ours.staff(token.Owner, "user"), w.ours.staff(token.Staff, "user")
	w.deputy = w.addDeputy()

	w.matrix(operations(t))
	w.files(t)
	w.pages(t)
	w.sockets(t)
	w.suspend(operations(t))
	w.texts(operations(t))
	written.mustNotHold(t, w.ours.canary, w.theirs.canary, password, w.ours.ann.Token, w.theirs.owner.Token)
	received.mustKeepApart(t, w.ours, w.theirs)
}

// matrix is every operation with every credential, and what was counted.
func (w *twoOrgs) matrix(all []operation) {
	w.t.Helper()
	for _, o := range all {
		w.try(o)
	}
	rows := [][]any{
		{"operations", "valid calls shown", "with one's own canary", "calls", "unexpected answers", "canaries", "tables touched"},
		{len(all), w.shown, w.own, w.calls, w.unexpected, w.canaries, w.touched},
		{},
		{"credential", "operations", "calls"},
	}
	for _, name := range slices.Sorted(maps.Keys(w.tried)) {
		calls := 0
		for _, n := range w.tried[name] {
			calls += n
		}
		rows = append(rows, []any{name, len(w.tried[name]), calls})
	}
	rows = append(rows, nil, []any{"no other person's id is tried", "operations"})
	for _, why := range slices.Sorted(maps.Keys(w.alone)) {
		rows = append(rows, []any{why, w.alone[why]})
	}
	report(w.t, rows)
	for _, finding := range w.findings {
		w.t.Error(finding)
	}
	require.Equal(w.t, len(all)-len(explained), w.shown, "no operation passes by refusing everything")
	require.Greater(w.t, w.own, len(all)/4, "a canary would be seen")
	for _, name := range []string{"none", "expired", "revoked", "tampered"} {
		require.Len(w.t, w.tried[name], len(all), name)
	}
	for _, name := range []string{anotherOrganisations, wrongAudience, tooFewRights, anotherOrganisation} {
		require.NotEmpty(w.t, w.due[name], name)
		for path := range w.due[name] {
			require.NotZero(w.t, w.tried[name][path], "%s with %s", path, name)
		}
	}
	require.GreaterOrEqual(w.t, len(w.tried[anotherPerson]), 10)
}

// expect writes down, by the document and by the valid call alone, which credentials an operation must be tried with beside those
// that every one is.
func (w *twoOrgs) expect(o operation, who *person, valid request) {
	w.t.Helper()
	body, err := json.Marshal(valid.body)
	require.NoError(w.t, err)
	names := rowID.MatchString(valid.path) || rowID.Match(body)
	for credential, due := range map[string]bool{
		anotherOrganisations: who.kind != token.Admin,                                                      // the platform's people are of none
		wrongAudience:        !asksForSession(o) || len(o.Audiences) > 0 && o.Path != "/api/authen/logout", // which is everybody's
		tooFewRights:         o.Module != "",
		anotherOrganisation:  names && who.kind != token.Admin,
	} {
		if due {
			if w.due[credential] == nil {
				w.due[credential] = map[string]bool{}
			}
			w.due[credential][o.Path] = true
		}
	}
}

var rowID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`) // version 7: a row's

// texts puts new texts in force. Whoever has not agreed to them yet is refused where the rights table says so, and nowhere
// else; once he has, he is let in.
func (w *twoOrgs) texts(all []operation) {
	w.t.Helper()
	type call struct {
		operation
		who *person
		request
	}
	var calls []call
	for _, o := range all {
		if who := w.ours.actor(o); who.kind == token.User || who.kind == token.Agent {
			calls = append(calls, call{o, who, w.ours.valid(o, who)})
		}
	}
	for _, audience := range []string{"customer", "agent"} {
		w.ours.add("pdpa", 5, map[string]any{
			"purpose": "customer", "audience": audience, "version": fresh("new"), "name_th": "ก", "name_en": "A", "body_th": "ข", "body_en": "B",
		})
	}
	agreed := 0
	for _, c := range calls {
		got := ask(w.Platform, c.operation, w.ours.Host, c.who.Session, c.who.Token, c.request)
		require.Equal(w.t, c.Agreed, got.fault == "consent.missing", "%s: %d %s", c.Path, got.status, got.fault)
		if c.Agreed {
			agreed++
		}
	}
	require.GreaterOrEqual(w.t, agreed, 5)

	for _, c := range calls {
		if c.Agreed {
			w.ours.accept(c.who, string(c.who.kind))
			got := ask(w.Platform, c.operation, w.ours.Host, c.who.Session, c.who.Token, c.request)
			require.NotEqual(w.t, "consent.missing", got.fault, c.Path)
			require.NotEqual(w.t, http.StatusUnauthorized, got.status, c.Path)
		}
	}
}

// explained are operations whose valid call is refused here, and by which fault: what they need is not there.
var explained = map[string]string{
	"/api/admin/organize/retry": "org.not_found",      // no opening broke
	"/api/authen/admin/line":    "admin.line_unknown", // no admin has linked this LINE account
}

// actor is who makes the operation's valid call.
func (s *shop) actor(o operation) *person {
	switch o.Path {
	case "/api/authen/rechecktoken", "/api/authen/agentrechecktoken", "/api/authen/getuserdetail":
		return s.ann
	case "/api/authen/logout", "/api/user/privacy/erase":
		return s.customer(fresh("leaver"))
	case "/api/user/order/pay", "/api/user/order/cancel", "/api/user/trade/pay", "/api/user/trade/payment", "/api/user/trade/giveup", "/api/user/trade/report":
		return s.customer(fresh("payer")) // who gives up many orders may pay from the wallet alone
	case "/api/agent/register/leave", "/api/agent/register/send": // who sells goes on; what was sent leaves no draft to send once more
		return s.applicant()
	case "/api/user/refund/ask", "/api/user/refund/renew", "/api/user/refund/withdraw":
		return s.asker()
	case "/api/owner/setting/push/test":
		owner := s.staff(token.Owner, "admin")
		s.connectPush()
		s.linkLINE(owner)
		return owner
	case "/api/owner/password/change", "/api/account/secondfactor/state", "/api/account/secondfactor/offer", "/api/account/secondfactor/start",
		"/api/account/secondfactor/renew", "/api/account/secondfactor/stop":
		return s.staff(token.Owner, "admin")
	case "/api/staff/password/change":
		return s.staff(token.Staff, "user")
	}
	for kind, p := range map[token.Audience]*person{token.User: s.ann, token.Agent: s.may, token.Owner: s.owner, token.Admin: s.admin} {
		if slices.Contains(o.Audiences, kind) && strings.HasPrefix(o.Path, "/api/"+string(kind)+"/") {
			return p
		}
	}
	if strings.HasPrefix(o.Path, "/api/staff/") {
		return s.counter
	}
	return s.visitor
}

// private are the back office's calls about one's own things; its other rows are everybody's who works there.
var private = []string{"/api/owner/report/", "/api/owner/profile/", "/api/owner/password/"}

// offered are a customer's calls about what is offered to everybody.
var offered = []string{"/api/user/trade/detail", "/api/user/trade/buy", "/api/user/trade/pay", "/api/user/trade/report"}

// other is somebody else of the same organisation, who has such things of his own, or nil.
func (s *shop) other(o operation, p *person) *person {
	if slices.Contains(offered, o.Path) {
		return nil
	}
	if p.kind == token.Owner && !slices.ContainsFunc(private, func(area string) bool { return strings.HasPrefix(o.Path, area) }) {
		return nil
	}
	return map[token.Audience]*person{token.User: s.eve, token.Agent: s.joy, token.Owner: s.deputy}[p.kind]
}

// asksForSession reports whether a call needs one; three calls of signing in only look whose it is.
func asksForSession(o operation) bool {
	return len(o.Audiences) > 0 || strings.HasSuffix(o.Path, "rechecktoken") || strings.HasSuffix(o.Path, "/getuserdetail")
}

// hostOf is where a call is made: the platform's own host, or the organisation's.
func (s *shop) hostOf(o operation, who *person) string {
	if who.kind == token.Admin || strings.HasPrefix(o.Path, "/api/authen/admin/") || strings.HasPrefix(o.Path, "/api/public/") {
		return "localhost"
	}
	return s.Host
}

// try is one operation: refused to everybody whom it is not for, blind to what is another's, and then answered.
func (w *twoOrgs) try(o operation) {
	w.t.Helper()
	who, counterpart := w.ours.actor(o), w.theirs.actor(o)
	ours, theirs := w.ours.valid(o, who), w.theirs.valid(o, counterpart)
	host := w.ours.hostOf(o, who)
	other, others := w.ours.other(o, who), request{}
	if other != nil {
		others = w.ours.valid(o, other)
	}
	w.expect(o, who, ours)
	w.ours.settle()
	w.theirs.settle()
	before := w.tables.now()

	if asksForSession(o) {
		w.refuseCredentials(o, host, who, counterpart, ours)
		w.refuseRights(o, host, who, ours)
	} else {
		w.refuseStandIns(o, host, ours)
	}
	w.unchanged(o, "was refused", before, w.tables.now())
	w.refuseNames(o, host, who, ours, theirs, anotherOrganisation)
	hidden := []string{}
	if other != nil {
		hidden = other.own()
		w.refuseNames(o, host, who, ours, others, anotherPerson, other.name)
	}
	w.unchanged(o, "named another's", before, w.tables.now())
	w.answerValid(o, host, who, w.ours.valid(o, who), hidden...) // some calls may be made once: what was tried above is used up
	if o.Path == "/api/owner/setting/push/test" {
		w.ours.connectPush() // untested again: else the clock marks messages while others are tried
	}
	if w.tried[anotherPerson][o.Path] == 0 {
		w.alone[whyAlone(who, other)]++
	}
}

const (
	anotherOrganisations = "another organisation's"
	wrongAudience        = "wrong audience"
	tooFewRights         = "too few rights"
	anotherOrganisation  = "another organisation's id"
	anotherPerson        = "another person's id"
)

// whyAlone says why an operation cannot name what is another person's.
func whyAlone(who, other *person) string {
	switch {
	case other != nil:
		return "it names nothing; the answer holds nothing of another's"
	case who.kind == token.Client:
		return "nobody is signed in"
	case who.kind == token.Admin:
		return "admins see every organisation"
	case who.kind == token.User:
		return "it is offered to everybody"
	default:
		return "all who work there see the same"
	}
}

// call asks, counts, and looks for what is not the caller's.
func (w *twoOrgs) call(o operation, credential, host string, who *person, bearer string, r request, canaries ...string) answer {
	w.t.Helper()
	got := ask(w.Platform, o, host, who.Session, bearer, r)
	w.calls++
	if w.tried[credential] == nil {
		w.tried[credential] = map[string]int{}
	}
	w.tried[credential][o.Path]++
	for _, canary := range canaries {
		if strings.Contains(got.text, canary) {
			w.canaries++
			w.findf("%s with %s: the answer holds a canary", o.Path, credential)
		}
	}
	if got.status >= 500 {
		w.unexpected++
		w.findf("%s with %s: %d", o.Path, credential, got.status)
	}
	return got
}

func (w *twoOrgs) refuseCredentials(o operation, host string, who, counterpart *person, r request) {
	w.t.Helper()
	both := []string{w.ours.canary, w.theirs.canary}
	bad := w.credentials(who)
	if counterpart != who {
		bad = append(slices.Clone(bad), credential{anotherOrganisations, counterpart.Token})
	}
	if len(o.Audiences) > 0 {
		for _, p := range []*person{w.ours.visitor, w.ours.ann, w.ours.may, w.ours.owner, w.ours.counter, w.ours.admin} {
			if !slices.Contains(o.Audiences, p.kind) {
				bad = append(bad, credential{wrongAudience, p.Token})
			}
		}
	}
	for _, c := range bad {
		if got := w.call(o, c.name, host, who, c.token, r, both...); got.status != http.StatusUnauthorized {
			w.unexpected++
			w.findf("%s with %s: %d %s, want 401", o.Path, c.name, got.status, got.fault)
		}
		if c.token == "" || len(o.Audiences) > 0 {
			continue
		}
		named := request{path: r.path, body: map[string]any{"token": c.token}} // these calls take a token in the body as well
		if got := w.call(o, c.name, host, who, "", named, both...); got.status != http.StatusUnauthorized {
			w.unexpected++
			w.findf("%s with %s in its body: %d %s, want 401", o.Path, c.name, got.status, got.fault)
		}
	}
}

// free are calls without a session that ask for nothing: of signing in, and of the platform's own pages.
var free = []string{"/api/authen/web/client/{unique}", "/api/authen/web/agent/{liffId}", "/api/authen/line/start", "/api/authen/password/forgot", "/api/public/contact/send", "/api/public/shop/find"}

// refuseStandIns: where somebody signs in, no token stands in for what is asked for, be it good or bad; and who needs to show
// nothing gets no more for any.
func (w *twoOrgs) refuseStandIns(o operation, host string, r request) {
	w.t.Helper()
	r.body = maps.Clone(r.body)
	for _, proof := range []string{"LINETOKEN", "password", "token", "code", "state", "secret"} {
		if r.body[proof] != nil {
			r.body[proof] = "wrong"
		}
	}
	tokens := append(slices.Clone(w.credentials(w.ours.visitor)), credential{anotherOrganisations, w.theirs.owner.Token})
	for _, p := range []*person{w.ours.ann, w.ours.may, w.ours.owner, w.ours.counter, w.ours.admin} {
		tokens = append(tokens, credential{wrongAudience, p.Token})
	}
	for _, c := range tokens {
		got := w.call(o, c.name, host, w.ours.visitor, c.token, r, w.theirs.canary)
		var in struct{ Detail harness.SignedIn }
		_ = decode(got.body, &in) // the detail of a refusal is none
		if got.ok() != slices.Contains(free, o.Path) || (in.Detail.Audience != "" && in.Detail.Audience != string(token.Client)) {
			w.unexpected++
			w.findf("%s with %s and nothing else: %d %s %s", o.Path, c.name, got.status, got.fault, in.Detail.Audience)
		}
	}
	forgetSignIns(w.Platform)
}

// forgetSignIns lets nobody be refused for failures before.
func forgetSignIns(p *harness.Platform) {
	p.T.Helper()
	counts, err := p.Redis.Keys(p.T.Context(), "sign-in:*").Result()
	require.NoError(p.T, err)
	if len(counts) > 0 {
		require.NoError(p.T, p.Redis.Del(p.T.Context(), counts...).Err())
	}
}

// credentials are tokens of somebody's that are good no more, or never were.
func (w *twoOrgs) credentials(who *person) []credential {
	w.t.Helper()
	if known, ok := w.bad[who]; ok {
		return known
	}
	open := func() string {
		session, err := w.Services.Session.Find(w.t.Context(), who.Token)
		require.NoError(w.t, err)
		plain, err := w.Services.Session.Open(w.t.Context(), session.Audience, session.Org, session.Subject, "")
		require.NoError(w.t, err)
		return plain
	}
	change := func(sql string) string {
		plain := open()
		require.NoError(w.t, w.DB.InPlatform(w.t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(w.t.Context(), sql, token.Hash(plain), tx.Now)
			return err
		}))
		return plain
	}
	flip := func(at int) string {
		text := []byte(who.Token)
		text[at] = map[bool]byte{true: 'B', false: 'A'}[text[at] == 'A']
		return string(text)
	}
	prefix := map[bool]string{true: "us_", false: "ow_"}[who.kind == token.Owner]
	w.bad[who] = []credential{
		{"none", ""},
		{"expired", change(`UPDATE session SET expires_at = $2::timestamptz - interval '1 second' WHERE token_hash = $1`)},
		{"idle too long", change(`UPDATE session SET last_seen_at = $2::timestamptz - interval '31 days' WHERE token_hash = $1`)},
		{"revoked", change(`UPDATE session SET revoked_at = $2 WHERE token_hash = $1`)},
		{"tampered", flip(len(who.Token) - 2)},
		{"tampered", who.Token + "A"},
		{"tampered", prefix + who.Token[3:]},
		{"tampered", hex.EncodeToString(token.Hash(who.Token))},
	}
	return w.bad[who]
}

// decides are calls that look at rights by themselves, and what somebody without any may not do there.
var decides = []string{"/api/owner/report/job", "/api/owner/upload/image"}

func (w *twoOrgs) refuseRights(o operation, host string, who *person, r request) {
	w.t.Helper()
	poor := map[token.Audience]*person{token.Owner: w.clerk, token.Staff: w.warden, token.Admin: w.deputy}[who.kind]
	if o.Module == "" && !slices.Contains(decides, o.Path) {
		return
	}
	w.grant(poor, func(module, letter string) bool {
		return o.Module != "" && (module != o.Module || !strings.Contains(o.Letter, letter))
	})
	got := w.call(o, tooFewRights, host, poor, poor.Token, r, w.ours.canary, w.theirs.canary)
	if got.status != http.StatusForbidden {
		w.unexpected++
		w.findf("%s with everything but %s %s: %d %s, want 403", o.Path, o.Module, o.Letter, got.status, got.fault)
	}
	if o.Module == "" {
		return
	}
	w.grant(poor, func(module, letter string) bool { return module == o.Module && strings.Contains(o.Letter, letter) })
	got = w.call(o, "just enough rights", host, poor, poor.Token, request{path: r.path, body: map[string]any{"nothing": "that is asked for"}})
	if got.status == http.StatusForbidden || got.status == http.StatusUnauthorized {
		w.unexpected++
		w.findf("%s with nothing but %s %s: %d %s, want to be let in", o.Path, o.Module, o.Letter, got.status, got.fault)
	}
}

// grant gives rights to whoever has the permission set, or to the deputy.
func (w *twoOrgs) grant(poor *person, has func(module, letter string) bool) {
	w.t.Helper()
	letters, all, modules := "vius", access.ModuleNames(), map[string][]string{}
	if poor == w.deputy {
		letters, all = "viusa", db.Column(org.AdminModules, func(m access.Module) string { return m.Name })
	}
	for _, module := range all {
		for _, letter := range letters {
			if has(module, string(letter)) {
				modules[module] = append(modules[module], string(letter))
			}
		}
	}
	if poor == w.deputy {
		joined := map[string]string{}
		for module, given := range modules {
			joined[module] = strings.Join(given, "")
		}
		require.NoError(w.t, w.DB.InPlatform(w.t.Context(), func(tx db.Tx) error {
			_, err := tx.Exec(w.t.Context(), `UPDATE admin SET permission = $2 WHERE username = $1`, deputyName, joined)
			return err
		}))
		return
	}
	set := w.ours.rows["permission"]
	row := harness.MustPost[harness.Saved](w.ours.owner.Browser, "/api/owner/detail/permission", "", map[string]any{"id": set})
	row["modules"] = modules
	harness.MustPost[any](w.ours.owner.Browser, "/api/owner/save/permission", "", row)
}

const deputyName = "apart-deputy"

// addDeputy is an admin of whom nothing is expected but what permission says.
func (w *twoOrgs) addDeputy() *person {
	w.t.Helper()
	w.AddAdmin(deputyName, "รอง")
	require.NoError(w.t, w.DB.InPlatform(w.t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(w.t.Context(), `UPDATE admin SET role = 'admin' WHERE username = $1`, deputyName)
		return err
	}))
	p := &person{Browser: w.Browser("localhost"), kind: token.Admin}
	p.Token = harness.SignIn(p.Browser, "/api/authen/admin/user", map[string]any{"username": deputyName, "password": harness.AdminPassword}).Token
	return p
}

// change would write over the other organisation's row, as it stands there now.
func (w *twoOrgs) change(o operation, r request) map[string]any {
	w.t.Helper()
	body, id := maps.Clone(r.body), w.theirs.rows[o.table()]
	body["id"] = id
	body["updated_at"] = harness.MustPost[harness.Saved](w.theirs.owner.Browser, "/api/owner/detail/"+o.table(), "", map[string]any{"id": id})["updated_at"]
	return body
}

// narrow are calls in which a strange id only narrows what is found, to nothing.
var narrow = []string{
	"/api/owner/report/job", "/api/owner/report/daily", "/api/owner/report/uses", "/api/owner/report/discounts", "/api/owner/report/agentcommissiontransaction", "/api/owner/report/agentgeneratesaletransaction", "/api/owner/report/agentpaycommissiontransaction",
	"/api/owner/report/agentproductcommissiontransaction", "/api/owner/report/partnercommissiontransaction", "/api/owner/report/links", "/api/owner/report/report02", "/api/owner/report/report03",
}

// refuseNames sends one's own good token with each of another's names in turn, on one's own host and on the platform's.
func (w *twoOrgs) refuseNames(o operation, host string, who *person, ours, theirs request, credential string, canaries ...string) {
	w.t.Helper()
	if who.kind == token.Admin || strings.HasPrefix(o.Path, "/api/authen/admin/") {
		return // the platform's own people see every organisation
	}
	canaries = append(canaries, w.theirs.canary)
	try := func(host string, r request) {
		got := w.call(o, credential, host, who, who.Token, r, canaries...)
		if got.ok() && !slices.Contains(narrow, o.Path) {
			w.unexpected++
			w.findf("%s with %s on %s: %d; %v", o.Path, credential, host, got.status, r.body)
		}
	}
	hosts := []string{host, "localhost"}
	if !asksForSession(o) {
		hosts = hosts[:1] // on the platform's host a sign-in call names its place
	}
	for _, host := range hosts {
		if ours.path != theirs.path {
			changed := ours
			changed.path = theirs.path
			try(host, changed)
		}
		bodies := swap(ours.body, theirs.body, "")
		if credential == anotherOrganisation && strings.HasPrefix(o.Path, "/api/owner/save/") {
			bodies = append(bodies, w.change(o, ours))
		}
		for _, body := range bodies {
			changed := ours
			changed.body = body.(map[string]any)
			try(host, changed)
		}
	}
}

func (w *twoOrgs) answerValid(o operation, host string, who *person, r request, hidden ...string) {
	w.t.Helper()
	if who.kind != token.Admin { // nothing is hidden from an admin
		hidden = append(hidden, w.theirs.canary)
	}
	got := w.call(o, "valid", host, who, who.Token, r, hidden...)
	switch {
	case got.ok() && explained[o.Path] == "":
		w.shown++
		if strings.Contains(got.text, w.ours.canary) {
			w.own++
		}
	case got.ok() || got.fault != explained[o.Path]:
		w.unexpected++
		w.findf("%s as it is meant: %d %s %s; %s", o.Path, got.status, got.fault, got.text[max(0, len(got.text)-300):], whereBodiesStand)
	}
}

func (w *twoOrgs) unchanged(o operation, what string, before, after map[string]string) {
	w.t.Helper()
	for table, digest := range before {
		own := slices.Contains(narrow, o.Path) && strings.HasPrefix(table, w.ours.Unique+".")
		if after[table] != digest && !own {
			w.touched++
			w.findf("%s %s, and %s changed", o.Path, what, table)
		}
	}
}
