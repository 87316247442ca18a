package apart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/token"
	"welovevoucher/tools/stage"
)

// runner sends what nobody means to every operation. The same seed sends the same.
type runner struct {
	*stage.Platform
	shop     *shop
	document *openapi3.T
	schemas  *jsonschema.Compiler
	chance   *rand.Rand

	counts   map[string]int
	findings []string
}

// TestInput: no input is answered by 5xx, and every answer is as the API describes it.
func TestInput(t *testing.T) {
	p := stage.Start(t)
	admin := &person{Browser: p.Browser("localhost"), kind: token.Admin}
	admin.Token = stage.Must[stage.SignedIn](admin.Browser, "/api/authen/admin/user", "", map[string]any{"username": "admin", "password": stage.AdminPassword}).Token
	seed := uint64(1)
	if text := os.Getenv("APART_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	r := &runner{
		Platform: p, shop: open(p, "odd-input", "1650000063", admin), document: load(t), schemas: schemasOf(t),
		chance: rand.New(rand.NewPCG(seed, 0)), counts: map[string]int{},
	}
	r.mustRefuse(t)

	all, n := operations(t), size(t, 20)
	slices.SortStableFunc(all, func(a, b operation) int { return ends(a) - ends(b) })
	for _, o := range all {
		r.operation(t, o, n)
	}
	report(t, [][]any{
		{"operations", "inputs", "2xx", "401 or 403", "other 4xx", "5xx", "answers that do not fit"},
		{len(all), r.counts["all"], r.counts["2xx"], r.counts["no entry"], r.counts["4xx"], r.counts["5xx"], r.counts["misfit"]},
	})
	for _, finding := range r.findings {
		t.Error(finding)
	}
	require.GreaterOrEqual(t, r.counts["all"], n*len(all))
	require.Less(t, r.counts["no entry"]*20, r.counts["all"], "nearly all got past the door")
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
	op := operation{Method: http.MethodPost, Path: "/api/user/getwallet"}
	require.NoError(t, r.fits(op, 200, []byte(`{"result":true,"code":200,"detail":{"balance_satang":1},"message":""}`)))
	require.Error(t, r.fits(op, 200, []byte(`{"result":true,"code":200,"detail":{"balance_satang":"1"},"message":""}`)))
	require.Error(t, r.fits(op, 200, []byte(`{"result":true,"code":200,"detail":{"balance_satang":1,"more":1},"message":""}`)))
	require.Error(t, r.fits(op, 200, []byte(`{"result":true,"code":200,"detail":null,"message":""}`)))
	require.Error(t, r.fits(op, 409, []byte(`{"result":false}`)))
}

// fits checks an answer against its schema. kin-openapi reads the document; the schemas of OpenAPI 3.1 are JSON Schema
// 2020-12, and are given to the validator for that, because kin-openapi itself takes an empty schema for one without null.
func (r *runner) fits(o operation, status int, body []byte) error {
	name := "default"
	if status == http.StatusOK {
		name = "200"
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

func (r *runner) operation(t *testing.T, o operation, n int) {
	t.Helper()
	require.NoError(t, r.Redis.FlushDB(t.Context()).Err())
	who := r.shop.actor(o)
	inputs := r.inputs(o, r.shop.valid(o, who))
	r.chance.Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
	for len(inputs) < n {
		inputs = append(inputs, r.inputs(o, r.shop.valid(o, who))...)
	}
	for i, in := range inputs[:n] {
		if i%10 == 0 { // failed sign-ins are counted in Redis, which may be emptied at any moment
			require.NoError(t, r.Redis.FlushDB(t.Context()).Err())
		}
		if status := r.send(t, o, who, in); status == http.StatusUnauthorized && len(o.Audiences) > 0 {
			who = r.shop.actor(o) // he was put out by what was sent
		}
	}
}

func (r *runner) send(t *testing.T, o operation, who *person, in input) int {
	t.Helper()
	host := r.shop.Host
	if who.kind == token.Admin || strings.HasPrefix(o.Path, "/api/authen/admin/") {
		host = "localhost"
	}
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
	if o.Method == http.MethodGet && res.StatusCode == http.StatusOK {
		return res.StatusCode // a file
	}
	if err := r.fits(o, res.StatusCode, answer); err != nil {
		r.counts["misfit"]++
		r.findings = append(r.findings, fmt.Sprintf("%s: %s: %d %.300s does not fit: %.400s\n%.300s", o.Path, in.what, res.StatusCode, answer, err, in.body))
	}
	return res.StatusCode
}

// inputs are variations of a valid call: each changes one thing.
func (r *runner) inputs(o operation, valid request) (inputs []input) {
	key := ""
	if o.Keyed {
		key = uuid.NewString()
	}
	add := func(what string, body []byte) {
		in := input{what: what, path: valid.path, contentType: "application/json", key: key, body: body}
		if o.Keyed {
			in.key = uuid.NewString()
		}
		inputs = append(inputs, in)
	}
	text, err := json.Marshal(valid.body)
	require.NoError(r.T, err)
	if o.Form {
		return r.forms(valid)
	}
	if o.Method == http.MethodPost {
		for _, body := range wholeBodies(text) {
			add("the body", body)
		}
	}
	for _, kind := range []string{"", "text/plain", "application/xml", "application/json; charset=tis-620", "multipart/form-data", "ก"} {
		inputs = append(inputs, input{what: "content type " + kind, path: valid.path, contentType: kind, key: key, body: text})
	}
	if o.Keyed {
		for _, odd := range []string{"", "1234567", strings.Repeat("k", 201), "กุญแจของฉัน", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8", "00000000"} {
			inputs = append(inputs, input{what: "key " + odd, path: valid.path, contentType: "application/json", key: odd, body: text})
		}
	}
	if strings.Contains(o.Path, "{") {
		for _, odd := range append(texts(0, 100), uuid.Nil.String()) {
			if odd, ok := odd.(string); ok && !strings.Contains(odd, "?") && len(odd) < 4000 {
				head, _, _ := strings.Cut(o.Path, "{")
				_, tail, _ := strings.Cut(o.Path, "}")
				inputs = append(inputs, input{what: "the path", path: head + odd + tail, contentType: "application/json", key: key, body: text})
			}
		}
	}
	inputs = append(inputs, input{what: "a query", path: valid.path + "?limit=-1&%00=%ff&a[]=1", contentType: "application/json", key: key, body: text})
	if o.Body != nil {
		for _, changed := range r.changes(o, o.Body, valid.body, "") {
			add(changed.what, changed.text)
		}
	}
	return inputs
}

// wholeBodies are bodies that are wrong as a whole.
func wholeBodies(valid []byte) [][]byte {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	nested := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	twice := bytes.Replace(valid, []byte("{"), append(append([]byte("{"), bytes.Trim(valid, "{}")...), ','), 1)
	return [][]byte{
		nil, []byte("null"), []byte("[]"), []byte("{}"), []byte(`"x"`), []byte("1e999"), []byte("{"), []byte("\x00"), []byte("\xff\xfe{\x00}\x00"),
		append([]byte("\xef\xbb\xbf"), valid...), append(slices.Clone(valid), valid...), twice, []byte(deep), []byte(nested),
		[]byte(`{"x":"` + strings.Repeat("ก", 400_000) + `"}`), bytes.Replace(valid, []byte("{"), []byte(`{"นอก":1,`), 1),
		bytes.Replace(valid, []byte("{"), []byte(`{"__proto__":{"isadmin":true},`), 1), bytes.Replace(valid, []byte("{"), []byte(`{"organize":"x","isadmin":true,"status":5,`), 1),
		bytes.ToUpper(valid), valid[:len(valid)/2], []byte("x=1&y=2"), []byte("<a/>"),
	}
}

// changed is a body in which one value is another.
type changed struct {
	what string
	text []byte
}

// changes walks a schema, and for each value in it gives bodies in which that value alone is odd.
func (r *runner) changes(o operation, schema *openapi3.Schema, body map[string]any, _ string) (all []changed) {
	put := func(what string, path []string, value any) {
		text, err := json.Marshal(with(body, path, value))
		require.NoError(r.T, err)
		for mark, raw := range rawValues {
			text = bytes.ReplaceAll(text, []byte(strconv.Quote(mark)), []byte(raw))
		}
		all = append(all, changed{what, text})
	}
	var walk func(s *openapi3.Schema, path []string)
	walk = func(s *openapi3.Schema, path []string) {
		for _, value := range r.values(o, s, path) {
			put(strings.Join(path, "."), path, value)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			walk(s.Properties[name].Value, append(slices.Clone(path), name))
		}
		if s.Items != nil && s.Items.Value != nil && len(s.Items.Value.Properties) > 0 {
			walk(s.Items.Value, append(slices.Clone(path), "0"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		walk(schema.Properties[name].Value, []string{name})
		left := maps.Clone(body)
		delete(left, name)
		text, err := json.Marshal(left)
		require.NoError(r.T, err)
		all = append(all, changed{"without " + name, text})
	}
	return all
}

// with is a copy of a body in which the value at path is another.
func with(body any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if path[0] == "0" {
		list, _ := body.([]any)
		first := any(map[string]any{})
		if len(list) > 0 {
			first = list[0]
		}
		return []any{with(first, path[1:], value)}
	}
	object, _ := body.(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	object[path[0]] = with(object[path[0]], path[1:], value)
	return object
}

// rawValues stand for values that Go's encoder would not write.
var rawValues = map[string]string{
	"raw:bytes": "\"\xff\xfe\xed\xa0\x80\"", "raw:surrogate": `"\ud800"`, "raw:zero": `"a\u0000b"`, "raw:huge": "1e400", "raw:digits": strings.Repeat("9", 400),
	"raw:nan": "NaN", "raw:leading": "007", "raw:minus": "-0", "raw:comment": "/**/1",
}

// values are odd ones for a place in a body.
func (r *runner) values(o operation, s *openapi3.Schema, path []string) []any {
	odd := []any{nil, true, "", "x", 0, -1, 1.5, []any{}, map[string]any{}, []any{nil}, []any{[]any{}}, map[string]any{"a": map[string]any{"b": 1}}}
	for mark := range rawValues {
		odd = append(odd, mark)
	}
	slices.SortFunc(odd, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	switch {
	case s.Type.Includes("string"):
		longest := 100
		if s.MaxLength != nil {
			longest = int(*s.MaxLength)
		}
		odd = append(odd, texts(int(s.MinLength), longest)...)
		odd = append(odd, s.Enum...)
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		odd = append(odd, int64(1)<<31, int64(1)<<53, int64(-1)<<63, uint64(1)<<63, 1e18, 1e-9)
		if s.Min != nil {
			odd = append(odd, *s.Min, *s.Min-1, *s.Min-0.5)
		}
		if s.Max != nil {
			odd = append(odd, *s.Max, *s.Max+1)
		}
	case s.Type.Includes("array"):
		longest := 100
		if s.MaxItems != nil {
			longest = int(*s.MaxItems)
		}
		for _, item := range []any{"x", 1, uuid.NewString(), uuid.Nil.String(), "raw:zero", map[string]any{}} {
			odd = append(odd, []any{item}, slices.Repeat([]any{item}, longest), slices.Repeat([]any{item}, longest+1))
		}
	case s.Type.Includes("object"):
		odd = append(odd, map[string]any{"ไม่มี": 1}, map[string]any{"": nil}, map[string]any{"raw:zero": "raw:zero"})
	}
	return append(odd, r.lookups(o, path)...)
}

// texts are odd ones, those at both ends of their allowed length among them.
func texts(least, longest int) []any {
	return []any{
		strings.Repeat("ก", max(0, least-1)), strings.Repeat("ก", least), strings.Repeat("ก", longest), strings.Repeat("ก", longest+1), strings.Repeat("a", longest),
		strings.Repeat("x", 70_000), "ที่นี่ ปู่ ญี่ปุ่น น้ำ ๑๒๓", "👩‍👩‍👧‍👦🏳️‍🌈", "\u202e\u200b\ufeff", "e\u0301\u0327", "  ", "\r\n\t", "' OR 1=1 --", `%_\`, "../../../etc/passwd", "${x}{{x}}<script>",
		"-1", "1e5", "0x10", "NaN", "true", "null", "2567-02-30", "0000-00-00", "9999-12-31", "10000-01-01", "-infinity", "infinity", "2026-11-21", "2026-11-21T24:00:60Z", "9999-12-31T23:59:59.999999999+14:00",
		"0000-01-01", "0000-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00Z", uuid.Nil.String(), strings.ToUpper(uuid.NewString()), "urn:uuid:" + uuid.NewString(), "{" + uuid.NewString() + "}", strings.Repeat("f", 32), "ffffffff-ffff-ffff-ffff-ffffffffffff",
	}
}

// lookups are odd filters, sorts and cursors of a declared table, made of its own columns.
func (r *runner) lookups(o operation, path []string) (odd []any) {
	table := o.table()
	if table == "" || len(path) != 1 {
		return nil
	}
	row := r.columns(table)
	switch path[0] {
	case "filter":
		for _, column := range row {
			for _, value := range append(texts(0, 300), nil, true, 5, -1, 1.5, 1e300, []any{}, []any{nil, "x", 1}, slices.Repeat([]any{"x"}, 300),
				map[string]any{"from": "x"}, map[string]any{"from": 1, "to": 0}, map[string]any{"from": nil, "to": nil}, map[string]any{"from": "2026-11-21", "to": "0001-01-01"},
				map[string]any{"from": "9999-12-31T23:59:59Z"}, map[string]any{"like": "%"}, map[string]any{"from": map[string]any{}}, "raw:zero") {
				odd = append(odd, map[string]any{column: value})
			}
		}
	case "sort":
		for _, column := range row {
			odd = append(odd, column, "-"+column, "--"+column, column+" DESC", column+";", strings.ToUpper(column))
		}
	case "after":
		for _, column := range row {
			for _, value := range []string{"x", "", "1", "true", "-infinity", "2026-11-21", "2026-11-21 00:00:00+00", "0000-01-01", "0000-01-01 00:00:00+00", "1e-400", "99999999999999999999", "1e309", "ก\x00"} {
				body, err := json.Marshal(map[string]string{"s": column, "v": value, "i": uuid.NewString()})
				require.NoError(r.T, err)
				odd = append(odd, encode(body))
			}
		}
	case "select":
		for _, column := range row {
			odd = append(odd, []any{column}, slices.Repeat([]any{column}, 60), []any{column + ", 1"}, []any{"*"})
		}
	}
	return odd
}

// columns are those of the row that detail answers.
func (r *runner) columns(table string) []string {
	op := r.document.Paths.Value("/api/owner/detail/" + table).Post
	row := op.Responses.Value("200").Value.Content["application/json"].Schema.Value.Properties["detail"].Value
	return slices.Sorted(maps.Keys(row.Properties))
}
