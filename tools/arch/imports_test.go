// Package arch holds the walls of the architecture as tests: who may import whom, and what SQL may say.
package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "welovevoucher/"

// Ranks of tenants' packages: one may import those of a lower rank (docs/architecture.md, Layout). Packages that are not there yet
// have their rank already.
var ranks = map[string]int{
	"announcement": 0, "rollup": 0, "ledger": 0, "org": 0, "notice": 0, "content": 0, "catalog": 0, "optionlist": 0, "bank": 0,
	"customer": 1, "session": 1, "servicepoint": 1, "staff": 1, "bankfile": 1, "message": 1, "otp": 1, "payee": 1, "tax": 1, "gate": 1, "rate": 1, "overview": 1,
	"consent": 2, "contact": 2, "push": 2, "charge": 2, "points": 2, "presence": 2, "approval": 2, "discount": 2, "commission": 2,
	"wallet": 3, "partner": 3, "settlement": 3, "voucher": 3, "agent": 3, "payout": 3, "withholding": 3, "hold": 3, "member": 3, "family": 3,
	"order": 4, "orgtemplate": 4, "gift": 4, "board": 4, "objection": 4,
	"refund": 5, "cashout": 5, "attach": 5,
	"enrol": 6, "reports": 6, "care": 6, "story": 6, "history": 6, "receipt": 6, "signin": 6, "suspension": 6, "provisioning": 6,
	"counter": 7, "privacy": 7,
	"":           8, // tenants.go
	"tenanttest": 9,
}

// Libraries that only some places may know.
var fenced = map[string][]string{
	"github.com/gofiber/":            {"api", "platform/realtime", "program", ""},
	"github.com/danielgtaylor/huma/": {"api"},
	"github.com/hibiken/asynq":       {"platform/queue"},
	"github.com/redis/go-redis/":     {"platform", "api", "program"},
	"github.com/omise/omise-go":      {"platform/payment"},
	"github.com/wneessen/go-mail":    {"platform/mail"},
	"github.com/minio/minio-go/":     {"platform/blob"},
	"github.com/pressly/goose/":      {"platform/db"},
	"github.com/casbin/casbin/":      {"platform/access"},
	"github.com/xuri/excelize/":      {"platform/report"},
	"github.com/go-text/typesetting": {"platform/pdf"},
	"github.com/tdewolff/font":       {"platform/pdf"},
	"github.com/pquerna/otp":         {"platform/secondfactor", "tools/harness"},
	"github.com/zishang520/":         {"platform/realtime"},
}

func TestImports(t *testing.T) {
	for file, imports := range importsOf(t) {
		from := filepath.ToSlash(filepath.Dir(file))
		if from == "." {
			from = ""
		}
		test := strings.HasSuffix(file, "_test.go")
		for _, to := range imports {
			inside, ours := strings.CutPrefix(to, module)
			if !ours {
				requireFence(t, file, from, to, test)
				continue
			}
			if test || strings.HasSuffix(from, "test") {
				continue // tests may look anywhere; what they look at may not look back
			}
			require.True(t, allowed(from, inside), "%s imports %s", file, inside)
		}
	}
}

// allowed is the import table.
func allowed(from, to string) bool {
	top := func(path string) string { first, _, _ := strings.Cut(path, "/"); return first }
	switch top(from) {
	case "": // main: commands only
		return top(to) != "tools"
	case "program": // wiring only
		return top(to) != "tools" && top(to) != "apps"
	case "platform":
		return top(to) == "platform" || (from == "platform/db/dbtest" && to == "migrations")
	case "tenants":
		return top(to) == "platform" || (top(to) == "tenants" && rank(from) > rank(to)) || from == to
	case "api", "workers":
		return top(to) == "platform" || top(to) == "tenants" || top(to) == top(from)
	case "tools":
		return true
	}
	return false // apps and migrations hold files only
}

func rank(path string) int {
	name := strings.TrimPrefix(strings.TrimPrefix(path, "tenants"), "/")
	r, known := ranks[name]
	if !known {
		return -1 // a new package needs a rank: nothing lets it import or be imported until then
	}
	return r
}

func requireFence(t *testing.T, file, from, to string, test bool) {
	t.Helper()
	if test || strings.HasPrefix(from, "tools") {
		return
	}
	for library, places := range fenced {
		if !strings.HasPrefix(to, library) {
			continue
		}
		inside := false
		for _, place := range places {
			inside = inside || from == place || (place != "" && strings.HasPrefix(from+"/", place+"/"))
		}
		require.True(t, inside, "%s imports %s", file, to)
	}
}

// TestToolsAreNotImported: nothing that runs in production imports tools.
func TestToolsAreNotImported(t *testing.T) {
	for file, imports := range importsOf(t) {
		if strings.HasPrefix(filepath.ToSlash(file), "tools/") {
			continue
		}
		for _, to := range imports {
			require.False(t, strings.HasPrefix(to, module+"tools"), "%s imports %s", file, to)
		}
	}
}

func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && d.Name() != ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found[name] = []string{}
		for _, spec := range parsed.Imports {
			found[name] = append(found[name], strings.Trim(spec.Path.Value, `"`))
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(found), 50, "the walk found the sources")
	return found
}
