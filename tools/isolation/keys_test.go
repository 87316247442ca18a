package isolation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// keys sends the operation's valid call with its keys in another case, twice, swollen and nested, one at a time and at every depth.
// Each is refused as input, whatever it would mean to a reader who does not mind: nothing happens, and nothing breaks.
func (r *runner) keys(t *testing.T, o operation) {
	t.Helper()
	if o.Body == nil || o.Form {
		return
	}
	r.forget(t, o)
	who := r.shop.actor(o)
	in := asMeant(t, o, r.shop.valid(o, who))
	valid := read(t, in.body)
	for _, odd := range misspelled(valid, o.Body) {
		in.what, in.body = odd.what, odd.body
		status := r.send(t, o, who, in)
		r.counts["keys"]++
		if status != http.StatusUnprocessableEntity && status != http.StatusRequestEntityTooLarge {
			r.findings = append(r.findings, fmt.Sprintf("%s: %s: %d\n%.300s", o.Path, odd.what, status, odd.body))
		}
	}
}

// node is a value of JSON whose objects keep their order, and may hold a key twice.
type node struct {
	members []member // of an object
	items   []*node  // of an array
	raw     string   // of anything else
	kind    byte     // { [ or 0
}

type member struct {
	key   string // as it is written, quoted
	value *node
}

func read(t *testing.T, text []byte) *node {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	return nodeOf(t, value)
}

func nodeOf(t *testing.T, value any) *node {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		n := &node{kind: '{'}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			n.members = append(n.members, member{strconv.Quote(key), nodeOf(t, v[key])})
		}
		return n
	case []any:
		n := &node{kind: '['}
		for _, item := range v {
			n.items = append(n.items, nodeOf(t, item))
		}
		return n
	}
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return &node{raw: string(text)}
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(m.key + ":")
			m.value.write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.raw)
	}
}

func (n *node) objects(each func(*node)) {
	if n.kind == '{' {
		each(n)
	}
	for _, m := range slices.Clone(n.members) {
		m.value.objects(each)
	}
	for _, item := range n.items {
		item.objects(each)
	}
}

type misspelling struct {
	what string
	body []byte
}

// misspelled are the valid body with one thing done to one of its objects.
func misspelled(valid *node, schema *openapi3.Schema) (all []misspelling) {
	for name := range schema.Properties { // what may be left out is tried as well
		quoted := strconv.Quote(name)
		if !slices.ContainsFunc(valid.members, func(m member) bool { return m.key == quoted }) && !slices.Contains(schema.Required, name) {
			all = append(all, added(valid, valid, member{otherCase(quoted), &node{raw: "1"}}, "another case of what may be left out"))
		}
	}
	swollen := []string{
		"4611686018427387904", "-4611686018427387904", "1e400", strings.Repeat("9", 100_000), strconv.Quote(strings.Repeat("x", 600_000)), `[{"a":1,"a":2}]`, `{"a":{"b":1,"b":1}}`,
		strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000), "[" + strings.Repeat("{},", 100_000) + "{}]",
	}
	valid.objects(func(object *node) {
		for i, m := range slices.Clone(object.members) {
			all = append(all,
				added(valid, object, member{m.key, m.value}, m.key+" twice"),
				added(valid, object, member{m.key, &node{raw: "4611686018427387904"}}, m.key+" twice, the second huge"),
				added(valid, object, member{escaped(m.key), m.value}, m.key+" twice, once escaped"),
				added(valid, object, member{otherCase(m.key), &node{raw: "4611686018427387904"}}, m.key+" in another case beside it, huge"),
				added(valid, object, member{otherCase(m.key), m.value}, m.key+" in another case beside it"),
			)
			object.members[i].key = otherCase(m.key)
			all = append(all, written(valid, m.key+" in another case"))
			object.members[i].key = m.key
			if object != valid {
				continue
			}
			for _, raw := range swollen {
				object.members[i].value = &node{raw: raw}
				all = append(all, written(valid, m.key+" swollen"))
				object.members[i].value = m.value
			}
		}
		if len(object.members) == 0 {
			all = append(all, added(valid, object, member{`"a"`, &node{raw: `{"b":1,"b":1}`}}, "a key nobody knows, with one twice in it"))
		}
	})
	return all
}

func added(valid, object *node, m member, what string) misspelling {
	object.members = append(object.members, m)
	defer func() { object.members = object.members[:len(object.members)-1] }()
	return written(valid, what)
}

func written(valid *node, what string) misspelling {
	var b bytes.Buffer
	valid.write(&b)
	return misspelling{what, b.Bytes()}
}

// otherCase turns one letter around: the first that has another case.
func otherCase(quoted string) string {
	for i, letter := range quoted {
		if upper := strings.ToUpper(string(letter)); upper != string(letter) {
			return quoted[:i] + upper + quoted[i+1:]
		}
		if lower := strings.ToLower(string(letter)); lower != string(letter) {
			return quoted[:i] + lower + quoted[i+1:]
		}
	}
	return `"x` + quoted[1:]
}

// escaped writes the first letter of a key by its number.
func escaped(quoted string) string { return fmt.Sprintf(`"\u%04x%s`, quoted[1], quoted[2:]) }
