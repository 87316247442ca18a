package stranger_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

type object = map[string]any

type list = []any

// world is a platform with one organisation and a signed-in person of each audience.
type world struct {
	*harness.Platform
	shop  *harness.Organisation
	as    map[string]*harness.Browser
	codes map[string]any // what {name} stands for in a row
}

// answer is what came back: the body as any program reads it, that knows no type of ours.
type answer struct {
	status int
	body   object
	text   string
}

// String is the part of an answer that a person compares with a sentence.
func (a answer) String() string {
	if a.body == nil {
		return fmt.Sprintf("%d %.120s", a.status, a.text)
	}
	out := []string{fmt.Sprintf("%d result=%v message=%q", a.status, a.body["result"], a.body["message"])}
	if fields, ok := a.body["fields"].(list); ok {
		for _, f := range fields {
			out = append(out, fmt.Sprintf("%v: %v", f.(object)["path"], f.(object)["fault"]))
		}
	}
	return strings.Join(out, " ")
}

// call sends a body as JSON; nil sends nothing at all, as the calls do that have an empty one.
func (w *world) call(t *testing.T, b *harness.Browser, method, path string, body any, header map[string]string) answer {
	t.Helper()
	require.NoError(t, w.ForgetLimits())
	var in io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		in = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, fmt.Sprintf("http://%s:%d%s", b.Host, w.Port, path), in)
	require.NoError(t, err)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if b.Token != "" {
		req.Header.Set("Authorization", "Bearer "+b.Token)
	}
	req.Header.Set("Cookie", "browser="+b.Session)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := w.Client.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	a := answer{status: res.StatusCode, text: string(text)}
	if json.Unmarshal(text, &a.body) != nil {
		a.body = nil
	}
	return a
}

// fill puts into a row what its {names} stand for.
func (w *world) fill(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case string:
		if who, ok := strings.CutPrefix(v, "{line:"); ok {
			return w.IDToken(strings.TrimSuffix(who, "}"), w.shop.Channel)
		}
		if who, ok := strings.CutPrefix(v, "{token:"); ok {
			return w.as[strings.TrimSuffix(who, "}")].Token
		}
		if code, ok := w.codes[v]; ok {
			return code
		}
		for name, code := range w.codes {
			if text, ok := code.(string); ok {
				v = strings.ReplaceAll(v, name, text)
			}
		}
		return v
	case object:
		out := object{}
		for name, value := range v {
			out[name] = w.fill(t, value)
		}
		return out
	case list:
		out := list{}
		for _, value := range v {
			out = append(out, w.fill(t, value))
		}
		return out
	}
	return v
}

// invite makes the token that a member of staff registers with, as the owner sends it out.
func (w *world) invite(t *testing.T, area string) string {
	t.Helper()
	made := harness.MustPost[struct{ URL string }](w.shop.Owner, "/api/owner/staff/invite", "", object{"name": "พนักงาน", "role": "admin", "area": area})
	_, plain, ok := strings.Cut(made.URL, "#")
	require.True(t, ok, made.URL)
	return plain
}

// holds compares what was seen with what the specification says of a row. It fails if they differ, unless the
// row is in open with this very difference; and it fails if a row is there that differs no more.
func holds(t *testing.T, row, difference string) {
	t.Helper()
	want, known := open[row]
	switch {
	case known && difference == "":
		t.Errorf("%s holds now: take it from open", row)
	case known && difference != want.observed:
		t.Errorf("%s\nknown:    %s\nobserved: %s", row, want.observed, difference)
	case !known && difference != "":
		t.Errorf("%s\nobserved: %s", row, difference)
	}
	seen[row] = true
}

// seen are the rows that holds was asked about.
var seen = map[string]bool{}
