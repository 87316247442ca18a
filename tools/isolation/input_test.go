package isolation

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/token"
	"welovevoucher/tools/harness"
)

// runner sends what nobody means to every operation.
type runner struct {
	*harness.Platform
	shop     *shop
	document *openapi3.T
	schemas  *jsonschema.Compiler
	chance   *rand.Rand

	counts   map[string]int
	tried    map[kind]map[string]int // path -> inputs
	findings []string
}

// TestInput: every operation answers its valid call, no input is answered by 5xx, and every answer is as the API describes it.
func TestInput(t *testing.T) {
	seed := seedOf(t)
	p := harness.Start(t)
	admin := &person{Browser: p.Browser("localhost"), kind: token.Admin}
	admin.Token = harness.SignIn(admin.Browser, "/api/authen/admin/user", map[string]any{"username": "admin", "password": harness.AdminPassword}).Token
	r := &runner{
		Platform: p, shop: open(p, "odd-input", "1650000063", admin), document: load(t), schemas: schemasOf(t),
		chance: rand.New(rand.NewPCG(seed, 0)), counts: map[string]int{}, tried: map[kind]map[string]int{},
	}
	r.mustRefuse(t)

	all, n := operations(t), size(t, 20)
	for _, o := range all {
		r.keys(t, o)
		r.valid(t, o)
	}
	slices.SortStableFunc(all, func(a, b operation) int { return ends(a) - ends(b) })
	for _, o := range all {
		r.operation(t, o, n)
	}
	rows := [][]any{
		{"seed", "operations", "valid calls answered", "inputs", "of odd keys", "2xx", "401 or 403", "other 4xx", "5xx", "answers that do not fit"},
		{seed, len(all), r.counts["valid"], r.counts["all"], r.counts["keys"], r.counts["2xx"], r.counts["no entry"], r.counts["4xx"], r.counts["5xx"], r.counts["misfit"]},
		{},
		{"kind", "operations", "inputs"},
	}
	for _, k := range kinds {
		inputs := 0
		for _, n := range r.tried[k] {
			inputs += n
		}
		rows = append(rows, []any{k, len(r.tried[k]), inputs})
	}
	report(t, rows)
	for _, finding := range r.findings {
		t.Error(finding)
	}
	require.Equal(t, len(all)-len(explained), r.counts["valid"], "no operation passes by refusing everything")
	for _, o := range all {
		for _, k := range kinds {
			if o.Body != nil {
				require.NotZero(t, r.tried[k][o.Path], "%s got nothing of the kind %s", o.Path, k)
			}
		}
	}
	require.Greater(t, r.counts["keys"], 10*len(all), "keys were misspelled")
	require.Less(t, r.counts["no entry"]*20, r.counts["all"], "nearly all passed the check of session and rights")
}

// ends is 1 for operations that put somebody out; they come last.
func ends(o operation) int {
	if strings.Contains(o.Path, "/status/") || strings.HasSuffix(o.Path, "/erase") || strings.HasSuffix(o.Path, "/logout") {
		return 1
	}
	return 0
}

// mustRefuse proves that what looks at answers sees a wrong one.
func (r *runner) mustRefuse(t *testing.T) {
	t.Helper()
	const asJSON = "application/json; charset=utf-8"
	op := operation{Method: http.MethodPost, Path: "/api/user/getwallet"}
	require.NoError(t, r.fits(op, 200, asJSON, []byte(`{"result":true,"code":200,"detail":{"balance_satang":1,"debt_satang":0,"owes":[]},"message":""}`)))
	require.Error(t, r.fits(op, 200, asJSON, []byte(`{"result":true,"code":200,"detail":{"balance_satang":"1","debt_satang":0,"owes":[]},"message":""}`)))
	require.Error(t, r.fits(op, 200, asJSON, []byte(`{"result":true,"code":200,"detail":{"balance_satang":1,"debt_satang":0,"owes":[],"more":1},"message":""}`)))
	require.Error(t, r.fits(op, 200, asJSON, []byte(`{"result":true,"code":200,"detail":null,"message":""}`)))
	require.Error(t, r.fits(op, 409, asJSON, []byte(`{"result":false}`)))
	require.Error(t, r.fits(op, 200, "text/csv", []byte(`1`)))
	file := operation{Method: http.MethodGet, Path: "/api/owner/report/file/{id}"}
	require.NoError(t, r.fits(file, 200, "text/csv; charset=utf-8", []byte(`1`)))
	require.Error(t, r.fits(file, 200, asJSON, []byte(`1`)))
	require.Error(t, r.fits(file, 404, "text/csv", []byte(`1`)))
}

// fits checks an answer against what is described for its status: its content type, and its schema; a file may hold anything.
// kin-openapi reads the document; the schemas of OpenAPI 3.1 are JSON Schema 2020-12, and are given to the validator for that,
// because kin-openapi itself takes an empty schema for one without null.
func (r *runner) fits(o operation, status int, contentType string, body []byte) error {
	name := "default"
	if status == http.StatusOK {
		name = "200"
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("content type %q: %w", contentType, err)
	}
	media := r.document.Paths.Value(o.Path).GetOperation(o.Method).Responses.Value(name).Value.Content[kind]
	switch {
	case media == nil || media.Schema == nil:
		return fmt.Errorf("%d is not described as %s", status, kind)
	case media.Schema.Value.Format == "binary":
		return nil
	}
	pointer := "api.json#/paths/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(o.Path) + "/" + strings.ToLower(o.Method) + "/responses/" + name + "/content/application~1json/schema"
	schema, err := r.schemas.Compile(pointer)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// schemasOf are the schemas of the API's description, as it is served.
func schemasOf(t *testing.T) *jsonschema.Compiler {
	t.Helper()
	text, err := os.ReadFile(description)
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("api.json", document))
	return compiler
}

// input is one request as bytes.
type input struct {
	what, path, contentType, key string
	body                         []byte
}

// valid sends the call as it is meant, so that the answer is seen that odd input seldom gets.
func (r *runner) valid(t *testing.T, o operation) {
	t.Helper()
	r.forget(t, o)
	who := r.shop.actor(o)
	status := r.send(t, o, who, asMeant(t, o, r.shop.valid(o, who)))
	if status == http.StatusOK {
		r.counts["valid"]++
	}
	if (status == http.StatusOK) != (explained[o.Path] == "") {
		r.findings = append(r.findings, fmt.Sprintf("%s as it is meant: %d; %s", o.Path, status, whereBodiesStand))
	}
}

// operation sends one input of each kind that it can take, and again until there are n. What an input that is accepted uses
// up is made anew for the next round.
func (r *runner) operation(t *testing.T, o operation, n int) {
	t.Helper()
	for sent := 0; sent == 0 || sent < n; {
		r.forget(t, o)
		who := r.shop.actor(o)
		valid := r.shop.valid(o, who)
		known := map[kind][]oddity{}
		for _, odd := range r.oddities(o, valid) {
			known[odd.kind] = append(known[odd.kind], odd)
		}
		for _, i := range r.chance.Perm(len(kinds)) {
			some := known[kinds[i]]
			if len(some) == 0 {
				continue
			}
			odd := some[r.chance.IntN(len(some))]
			in := asMeant(t, o, valid)
			in.what = odd.what
			odd.change(&in)
			if status := r.send(t, o, who, in); status == http.StatusUnauthorized && len(o.Audiences) > 0 {
				who = r.shop.actor(o) // he was put out by what was sent
			}
			if r.tried[odd.kind] == nil {
				r.tried[odd.kind] = map[string]int{}
			}
			r.tried[odd.kind][o.Path]++
			sent++
		}
	}
}

// forget lets nobody be refused for failed sign-ins before, for files that are still being made, or for the addresses that there are.
func (r *runner) forget(t *testing.T, o operation) {
	t.Helper()
	forgetSignIns(r.Platform)
	if strings.HasPrefix(o.Path, "/api/admin/organize/host/") {
		r.shop.forgetAddresses(t)
	}
	if strings.Contains(o.Path, "/export/") || o.Path == "/api/owner/report/job" {
		r.shop.settle()
	}
}

func (r *runner) send(t *testing.T, o operation, who *person, in input) int {
	t.Helper()
	host := r.shop.hostOf(o, who)
	req, err := http.NewRequestWithContext(t.Context(), o.Method, fmt.Sprintf("http://%s:%d", host, r.Port), bytes.NewReader(in.body))
	require.NoError(t, err)
	req.URL.Path, req.URL.RawQuery, _ = strings.Cut(in.path, "?")
	req.Header = http.Header{"Content-Type": {in.contentType}, "Cookie": {"browser=" + who.Session}, "Authorization": {"Bearer " + who.Token}}
	if in.key != "" {
		req.Header.Set("Idempotency-Key", in.key)
	}
	require.NoError(t, r.ForgetLimits())
	res, err := r.Client.Do(req)
	require.NoError(t, err, "%s: %s", o.Path, in.what)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)

	r.counts["all"]++
	switch {
	case res.StatusCode >= 500:
		r.counts["5xx"]++
		r.findings = append(r.findings, fmt.Sprintf("%s: %s: %d %s\n%.500s", o.Path, in.what, res.StatusCode, answer, in.body))
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		r.counts["no entry"]++
	case res.StatusCode >= 400:
		r.counts["4xx"]++
	default:
		r.counts["2xx"]++
	}
	if err := r.fits(o, res.StatusCode, res.Header.Get("Content-Type"), answer); err != nil {
		r.counts["misfit"]++
		r.findings = append(r.findings, fmt.Sprintf("%s: %s: %d %.300s does not fit: %.400s\n%.300s", o.Path, in.what, res.StatusCode, answer, err, in.body))
	}
	return res.StatusCode
}
