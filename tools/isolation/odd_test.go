package isolation

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// kind is what is odd about an input.
type kind string

const (
	boundary  kind = "boundary" // at what is allowed and just outside of it, and what must be there left out
	wrongType kind = "wrong type"
	extra     kind = "extra" // what nobody asks for
	huge      kind = "huge"  // more than 15 KB
	thai      kind = "Thai"
	hostile   kind = "hostile" // broken spelling, other formats, what other programs would run
)

var kinds = []kind{boundary, wrongType, extra, huge, thai, hostile}

// asMeant is a valid call.
func asMeant(t testing.TB, o operation, valid request) input {
	t.Helper()
	in := input{what: "as it is meant", path: valid.path, contentType: valid.contentType, body: valid.form}
	if !o.Form {
		text, err := json.Marshal(valid.body)
		require.NoError(t, err)
		in.contentType, in.body = "application/json", text
	}
	if o.Keyed {
		in.key = uuid.NewString()
	}
	return in
}

// oddity makes one thing of a valid call odd.
type oddity struct {
	kind   kind
	what   string
	change func(in *input)
}

// oddities are all that are known for an operation.
func (r *runner) oddities(o operation, valid request) (all []oddity) {
	if o.Form {
		return r.forms(valid)
	}
	add := func(k kind, what string, change func(in *input)) { all = append(all, oddity{k, what, change}) }
	if o.Method == http.MethodPost {
		all = wholeBodies(asMeant(r.T, o, valid).body)
	}
	for _, odd := range []string{"", "text/plain", "application/xml", "application/json; charset=tis-620", "multipart/form-data"} {
		add(hostile, "content type "+odd, func(in *input) { in.contentType = odd })
	}
	add(thai, "content type", func(in *input) { in.contentType = "ก" })
	if o.Keyed {
		for _, odd := range []string{"", "1234567", "00000000", strings.Repeat("k", 200), strings.Repeat("k", 201)} {
			add(boundary, "key "+odd, func(in *input) { in.key = odd })
		}
		add(thai, "key", func(in *input) { in.key = "กุญแจของฉัน" })
		add(hostile, "key", func(in *input) { in.key = "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8" })
	}
	if head, tail, found := strings.Cut(o.Path, "{"); found {
		_, tail, _ = strings.Cut(tail, "}")
		for _, odd := range texts(0, 100) {
			if text := odd.value.(string); !strings.Contains(text, "?") && len(text) < 4000 {
				add(odd.kind, "the path", func(in *input) { in.path = head + text + tail })
			}
		}
	}
	add(extra, "a query", func(in *input) { in.path += "?limit=-1&%00=%ff&a[]=1" })
	if o.Body != nil {
		all = append(all, r.changes(o, valid.body)...)
	}
	return all
}

// wholeBodies are odd as a whole.
func wholeBodies(valid []byte) (all []oddity) {
	add := func(k kind, bodies ...[]byte) {
		for _, body := range bodies {
			all = append(all, oddity{k, "the body", func(in *input) { in.body = body }})
		}
	}
	field := func(text string) []byte {
		rest, object := bytes.CutPrefix(valid, []byte("{"))
		if !object || string(rest) == "}" {
			return []byte("{" + text + "}")
		}
		return slices.Concat([]byte("{"+text+","), rest)
	}
	add(boundary, nil, []byte("{}"))
	add(wrongType, []byte("[]"), []byte(`"x"`), []byte("1"), []byte("[null]"))
	add(extra, field(`"more":1`), field(`"นอก":1`), field(`"__proto__":{"isadmin":true}`), field(`"organize":"x","isadmin":true,"status":5`), slices.Concat(valid, valid))
	add(huge, field(`"more":"`+strings.Repeat("ก", 400_000)+`"`), field(`"more":[`+strings.Repeat("0,", 10_000)+"0]"), slices.Concat(valid, bytes.Repeat([]byte(" "), 70_000)),
		[]byte(strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)), []byte(strings.Repeat(`{"a":`, 20_000)+"1"+strings.Repeat("}", 20_000)))
	add(thai, []byte(`"สวัสดี"`), []byte(`{"ชื่อ":"ที่นี่ ๑๒๓"}`), []byte("{\"\xaa\xd7\xe8\xcd\":\"\xa1\"}")) // the last in TIS-620
	add(hostile, []byte("1e999"), []byte("{"), []byte("\x00"), []byte("\xff\xfe{\x00}\x00"), append([]byte("\xef\xbb\xbf"), valid...), bytes.ToUpper(valid), valid[:len(valid)/2], []byte("x=1&y=2"), []byte("<a/>"))
	if inner := bytes.Trim(valid, "{}"); len(inner) > 0 {
		add(hostile, slices.Concat([]byte("{"), inner, []byte(","), inner, []byte("}"))) // each field twice
	}
	return all
}

// changes walks the body's schema; each makes one value in it odd, or leaves it out.
func (r *runner) changes(o operation, body map[string]any) (all []oddity) {
	add := func(k kind, what string, changed func() any) {
		all = append(all, oddity{k, what, func(in *input) {
			text, err := json.Marshal(changed())
			require.NoError(r.T, err)
			for mark, raw := range rawValues {
				text = bytes.ReplaceAll(text, []byte(strconv.Quote(mark)), []byte(raw))
			}
			in.body = text
		}})
	}
	var walk func(s *openapi3.Schema, path []string)
	walk = func(s *openapi3.Schema, path []string) {
		for _, value := range r.values(o, s, path) {
			add(value.kind, strings.Join(path, "."), func() any { return with(body, path, value.value) })
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			walk(s.Properties[name].Value, append(slices.Clone(path), name))
		}
		if s.Items != nil && s.Items.Value != nil && len(s.Items.Value.Properties) > 0 {
			walk(s.Items.Value, append(slices.Clone(path), "0"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Body.Properties)) {
		walk(o.Body.Properties[name].Value, []string{name})
		add(boundary, "without "+name, func() any {
			left := maps.Clone(body)
			delete(left, name)
			return left
		})
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
	"raw:long": strings.Repeat("9", 20_000), "raw:nan": "NaN", "raw:leading": "007", "raw:minus": "-0", "raw:comment": "/**/1",
}

// odd is a value for a place in a body.
type odd struct {
	kind  kind
	value any
}

func each(k kind, values ...any) (all []odd) {
	for _, value := range values {
		all = append(all, odd{k, value})
	}
	return all
}

// samples are values of each type.
var samples = []struct {
	typ    string
	values []any
}{
	{"null", []any{nil}},
	{"boolean", []any{true}},
	{"string", []any{"", "x"}},
	{"integer", []any{0, -1}},
	{"number", []any{1.5}},
	{"array", []any{[]any{}, []any{nil}, []any{[]any{}}}},
	{"object", []any{map[string]any{}, map[string]any{"a": map[string]any{"b": 1}}}},
}

// values are odd ones for a place in a body.
func (r *runner) values(o operation, s *openapi3.Schema, path []string) []odd {
	all := each(hostile, "raw:bytes", "raw:surrogate", "raw:zero", "raw:huge", "raw:digits", "raw:nan", "raw:leading", "raw:minus", "raw:comment")
	for _, sample := range samples {
		k := wrongType
		if s.Type.Includes(sample.typ) || (sample.typ == "integer" && s.Type.Includes("number")) {
			k = boundary
		}
		all = append(all, each(k, sample.values...)...)
	}
	switch {
	case s.Type.Includes("string"):
		longest := 100
		if s.MaxLength != nil {
			longest = int(*s.MaxLength)
		}
		all = append(all, texts(int(s.MinLength), longest)...)
		all = append(all, each(boundary, s.Enum...)...)
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		all = append(all, each(boundary, int64(1)<<31, int64(1)<<53, int64(-1)<<63, uint64(1)<<63, 1e18, 1e-9)...)
		all = append(all, each(huge, "raw:long")...)
		all = append(all, each(thai, "๑๒๓")...)
		if s.Min != nil {
			all = append(all, each(boundary, *s.Min, *s.Min-1, *s.Min-0.5)...)
		}
		if s.Max != nil {
			all = append(all, each(boundary, *s.Max, *s.Max+1)...)
		}
	case s.Type.Includes("array"):
		longest := 100
		if s.MaxItems != nil {
			longest = int(*s.MaxItems)
		}
		for _, item := range []any{"x", 1, uuid.NewString(), uuid.Nil.String(), "raw:zero", map[string]any{}} {
			all = append(all, each(boundary, []any{item}, slices.Repeat([]any{item}, longest), slices.Repeat([]any{item}, longest+1))...)
		}
		all = append(all, each(huge, slices.Repeat([]any{uuid.NewString()}, 5000))...)
		all = append(all, each(thai, []any{"ที่นี่"})...)
	case s.Type.Includes("object"):
		all = append(all, each(extra, map[string]any{"more": 1}, map[string]any{"": nil})...)
		all = append(all, each(huge, map[string]any{"more": strings.Repeat("x", 70_000)})...)
		all = append(all, each(thai, map[string]any{"ไม่มี": "ก"})...)
		all = append(all, each(hostile, map[string]any{"raw:zero": "raw:zero"})...)
	}
	return append(all, r.lookups(o, path)...)
}

// texts are odd ones, those at both ends of their allowed length among them.
func texts(least, longest int) []odd {
	return slices.Concat(
		each(boundary, strings.Repeat("ก", max(0, least-1)), strings.Repeat("ก", least), strings.Repeat("ก", longest), strings.Repeat("ก", longest+1), strings.Repeat("a", longest),
			"-1", "1e5", "0x10", "NaN", "true", "null", "0000-00-00", "9999-12-31", "10000-01-01", "-infinity", "infinity", "2026-11-21", "2026-11-21T24:00:60Z", "9999-12-31T23:59:59.999999999+14:00",
			"0000-01-01", "0000-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00Z", uuid.Nil.String(), "ffffffff-ffff-ffff-ffff-ffffffffffff"),
		each(wrongType, strings.ToUpper(uuid.NewString()), "urn:uuid:"+uuid.NewString(), "{"+uuid.NewString()+"}", strings.Repeat("f", 32)),
		each(huge, strings.Repeat("x", 70_000), strings.Repeat("น้ำ", 6000)),
		each(thai, "ที่นี่ ปู่ ญี่ปุ่น น้ำ ๑๒๓", "ก", "๒๕๖๙-๑๑-๒๑", "2567-02-30", "2569-11-21", "21 พ.ย. 2569", "ฯลฯ ๆ ฿", "\u0e33\u0e4d\u0e32\u0e39\u0e4e"),
		each(hostile, "👩‍👩‍👧‍👦🏳️‍🌈", "\u202e\u200b\ufeff", "e\u0301\u0327", "  ", "\r\n\t", "' OR 1=1 --", `%_\`, "../../../etc/passwd", "${x}{{x}}<script>"),
	)
}

// lookups are odd filters, sorts and cursors of a declared table, made of its own columns.
func (r *runner) lookups(o operation, path []string) (all []odd) {
	table := o.table()
	if table == "" || len(path) != 1 {
		return nil
	}
	add := func(k kind, values ...any) { all = append(all, each(k, values...)...) }
	for _, column := range r.columns(table) {
		switch path[0] {
		case "filter":
			by := func(k kind, values ...any) {
				for _, value := range values {
					add(k, map[string]any{column: value})
				}
			}
			for _, text := range texts(0, 300) {
				by(text.kind, text.value)
			}
			by(wrongType, nil, true, 5, -1, 1.5, 1e300, []any{}, []any{nil, "x", 1}, map[string]any{"from": "x"}, map[string]any{"from": 1, "to": 0}, map[string]any{"from": map[string]any{}})
			by(boundary, slices.Repeat([]any{"x"}, 300), map[string]any{"from": nil, "to": nil}, map[string]any{"from": "2026-11-21", "to": "0001-01-01"}, map[string]any{"from": "9999-12-31T23:59:59Z"})
			by(extra, map[string]any{"like": "%"})
			by(hostile, "raw:zero")
		case "sort":
			add(boundary, column, "-"+column)
			add(hostile, "--"+column, column+" DESC", column+";", strings.ToUpper(column))
		case "after":
			for _, value := range []string{"x", "", "1", "true", "-infinity", "2026-11-21", "2026-11-21 00:00:00+00", "0000-01-01", "0000-01-01 00:00:00+00", "1e-400", "99999999999999999999", "1e309", "ก\x00"} {
				body, err := json.Marshal(map[string]string{"s": column, "v": value, "i": uuid.NewString()})
				require.NoError(r.T, err)
				add(boundary, encode(body))
			}
		case "select":
			add(boundary, []any{column}, slices.Repeat([]any{column}, 60))
			add(hostile, []any{column + ", 1"}, []any{"*"})
		}
	}
	return all
}

// columns are those of the row that detail answers.
func (r *runner) columns(table string) []string {
	op := r.document.Paths.Value("/api/owner/detail/" + table).Post
	row := op.Responses.Value("200").Value.Content["application/json"].Schema.Value.Properties["detail"].Value
	return slices.Sorted(maps.Keys(row.Properties))
}
