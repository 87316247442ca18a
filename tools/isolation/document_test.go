// Package isolation tries to bring two organisations together, and the API down: every operation of the API's own
// description with every credential that must not open it, with another organisation's ids, and with input that nobody
// means; and a pool of two connections under two organisations whose transactions break in the middle.
//
// `make test` runs it small, `make isolation N=500` large. Each test prints what it counted, and the seed that it drew by;
// APART_SEED draws the same kinds of things again.
package isolation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/token"
)

// operation is one call that the API describes.
type operation struct {
	Method, Path   string
	Audiences      []token.Audience // none: everybody
	Module, Letter string
	Agreed         bool             // only for who has agreed to what is asked for after signing in
	Stops          bool             // while the organisation is suspended
	Keyed          bool             // needs an Idempotency-Key
	Body           *openapi3.Schema // nil: takes none
	Form           bool             // the body is a form, not JSON
}

// description is what make check compares with the code.
const description = "../../api/openapi.json"

// operations are all that it describes.
func operations(t testing.TB) []operation {
	t.Helper()
	document := load(t)
	var found []operation
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			found = append(found, describe(t, method, path, op))
		}
	}
	slices.SortFunc(found, func(a, b operation) int { return cmp.Compare(a.Path, b.Path) })
	require.Greater(t, len(found), 100, "the document was read")
	return found
}

func load(t testing.TB) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile(description)
	require.NoError(t, err)
	require.True(t, document.IsOpenAPI31OrLater())
	require.NoError(t, document.Validate(context.Background()))
	return document
}

func describe(t testing.TB, method, path string, op *openapi3.Operation) operation {
	t.Helper()
	o := operation{Method: method, Path: path}
	o.Module, _ = op.Extensions["x-module"].(string)
	o.Letter, _ = op.Extensions["x-letter"].(string)
	o.Agreed, _ = op.Extensions["x-needs-consent"].(bool)
	o.Stops, _ = op.Extensions["x-stops-while-suspended"].(bool)
	text, err := json.Marshal(op.Extensions["x-audiences"])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &o.Audiences))
	require.Equal(t, op.Security != nil, len(o.Audiences) > 0, path)
	o.Keyed = op.Parameters.GetByInAndName("header", "Idempotency-Key") != nil
	if op.RequestBody != nil {
		for kind, media := range op.RequestBody.Value.Content {
			o.Body, o.Form = media.Schema.Value, kind != "application/json"
		}
	}
	return o
}

// table is the declared table that an operation of the back office is about, or "".
func (o operation) table() string {
	for _, verb := range []string{"get", "detail", "story", "export", "save", "status"} {
		if name, ok := strings.CutPrefix(o.Path, "/api/owner/"+verb+"/"); ok {
			return name
		}
	}
	return ""
}

// report prints a table of counts.
func report(t *testing.T, rows [][]any) {
	t.Helper()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				_, _ = fmt.Fprint(w, "\t")
			}
			_, _ = fmt.Fprint(w, cell)
		}
		_, _ = fmt.Fprintln(w)
	}
	require.NoError(t, w.Flush())
	t.Log("\n" + text.String())
}

// size is how much of something to do: N of `make isolation N=…`, else what make test has the time for.
func size(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("ISOLATION_N")
	if text == "" {
		return usual
	}
	var n int
	_, err := fmt.Sscan(text, &n)
	require.NoError(t, err, "ISOLATION_N is no number")
	return n
}

// seedOf is another one each time, unless APART_SEED names one that was printed.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("APART_SEED"); text != "" {
		_, err := fmt.Sscan(text, &seed)
		require.NoError(t, err, "APART_SEED is no number")
	}
	t.Logf("APART_SEED=%d", seed)
	return seed
}
