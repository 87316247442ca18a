package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What SQL in an organisation's schema may not say, so that any Postgres node will do (docs/architecture.md).
var forbidden = []struct {
	why string
	sql *regexp.Regexp
}{
	{"no triggers, rules or functions", regexp.MustCompile(`(?i)\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?(TRIGGER|RULE|FUNCTION|PROCEDURE)\b`)},
	{"no serial, identity values are not for us", regexp.MustCompile(`(?i)\b(big|small)?serial\b|GENERATED\s+\w+\s+AS\s+IDENTITY`)},
	{"no unlogged tables", regexp.MustCompile(`(?i)\bUNLOGGED\b`)},
	{"no deferrable constraints", regexp.MustCompile(`(?i)\bDEFERRABLE\b`)},
	{"no MERGE", regexp.MustCompile(`(?i)\bMERGE\s+INTO\b`)},
	{"no NOTIFY, no advisory lock, no lock_timeout", regexp.MustCompile(`(?i)\b((pg_)?NOTIFY|pg_advisory\w*|lock_timeout)\b`)},
	{"times and ids come from Go", regexp.MustCompile(`(?i)\b(now|clock_timestamp|statement_timestamp|gen_random_uuid|random|uuidv7|nextval)\s*\(`)},
	{"times come from Go", regexp.MustCompile(`(?i)\bCURRENT_(TIMESTAMP|DATE|TIME)\b`)},
	{"RETURNING names columns", regexp.MustCompile(`(?i)\bRETURNING\s+\*`)},
	{"a select names its columns", regexp.MustCompile(`(?i)\bSELECT\s+\*`)},
	{"no subquery in VALUES", regexp.MustCompile(`(?is)\bVALUES\s*\([^;]*\(\s*SELECT\b`)},
	{"no table of another schema", regexp.MustCompile(`(?i)\b(FROM|JOIN|INTO|UPDATE)\s+(platform|t_[0-9a-f]{12})\.`)},
	{"no session-wide setting", regexp.MustCompile(`(?i)\bSET\s+(SESSION|ROLE|search_path)\b`)},
}

func TestSQLInGo(t *testing.T) {
	checked := 0
	for _, dir := range []string{"platform", "tenants", "workers", "api"} {
		walk(t, filepath.Join("..", "..", dir), ".go", func(path string) {
			if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
				return
			}
			for _, text := range literals(t, path) {
				if !isSQL.MatchString(text) {
					continue
				}
				checked++
				for _, rule := range forbidden {
					require.False(t, rule.sql.MatchString(text), "%s: %s:\n%s", path, rule.why, text)
				}
			}
		})
	}
	require.Greater(t, checked, 100, "the walk found the SQL")
}

// TestRevision: what the price of a package is made of is written by declared tables that bump the revision after each change
// (catalog.BumpRevision), and by SQL of tenants/catalog that is part of these. Any other would change what is sold while
// price caches have it as it was.
func TestRevision(t *testing.T) {
	declared := regexp.MustCompile(`Relation:\s+"(package|package_part|voucher_type|gift_voucher|template_version|service_point)"`)
	bumping := regexp.MustCompile(`AfterChange:\s+(catalog\.)?BumpRevision\b`)
	writes := regexp.MustCompile(`(?i)\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?:ONLY\s+)?(package|package_part|voucher_type|gift_voucher|template_version|service_point)\b`)
	inside, outside := 0, []string{}
	for _, dir := range []string{"platform", "tenants", "workers", "api"} {
		walk(t, filepath.Join("..", "..", dir), ".go", func(path string) {
			if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
				return
			}
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			require.LessOrEqual(t, len(declared.FindAll(source, -1)), len(bumping.FindAll(source, -1)), "%s: does it bump the revision?", path)
			for _, text := range literals(t, path) {
				switch {
				case !writes.MatchString(text):
				case strings.Contains(filepath.ToSlash(path), "tenants/catalog/"):
					inside++
				default:
					outside = append(outside, path+": "+text)
				}
			}
		})
	}
	require.Positive(t, inside, "the walk found the SQL")
	require.Empty(t, outside)
}

// A migration may grant by format(), because roles are named after schemas; beyond that it keeps the same rules.
func TestSQLInMigrations(t *testing.T) {
	walk(t, filepath.Join("..", "..", "migrations", "tenant"), ".sql", func(path string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		sql := comment.ReplaceAllString(string(text), "")
		for _, rule := range forbidden {
			require.False(t, rule.sql.MatchString(sql), "%s: %s", path, rule.why)
		}
		for _, table := range createTable.FindAllStringSubmatch(sql, -1) {
			require.Contains(t, table[2], "PRIMARY KEY", "%s: %s has no primary key", path, table[1])
			require.NotRegexp(t, unnamed, table[2], "%s: %s has a constraint without a name", path, table[1])
		}
		for _, name := range constraint.FindAllStringSubmatch(sql, -1) {
			require.LessOrEqual(t, len(name[1]), 55, "%s: room for a shard's suffix", name[1])
		}
		require.NotContains(t, sql, "+goose Down", "migrations only go forward")
	})
}

var (
	isSQL       = regexp.MustCompile(`^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\b`)
	comment     = regexp.MustCompile(`(?m)--.*$`)
	createTable = regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\n\);`)
	constraint  = regexp.MustCompile(`CONSTRAINT (\w+)`)
	unnamed     = regexp.MustCompile(`(?m)^\s*(CHECK|UNIQUE|FOREIGN KEY)\b|NOT NULL (CHECK|UNIQUE|REFERENCES)\b`)
)

// literals are the string constants of a file, each joined with what it is added to.
func literals(t *testing.T, path string) (texts []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}

func walk(t *testing.T, root, suffix string, visit func(path string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
			visit(path)
		}
		return err
	}))
}
