package arch

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Words that only their author understood, and what is said instead.
var privateWords = map[*regexp.Regexp]string{
	regexp.MustCompile(`(?i)\btills?\b`):                                "batcher, batch",
	regexp.MustCompile(`(?i)\bdesks?\b`):                                "batch, accounts",
	regexp.MustCompile(`(?i)\bdoors?\b`):                                "service point, use view",
	regexp.MustCompile(`(?i)\bheralds?\b`):                              "dispatcher",
	regexp.MustCompile(`(?i)\bmemos?\b`):                                "cache",
	regexp.MustCompile(`(?i)\bstamp(s|ed)?\b`):                          "revision",
	regexp.MustCompile(`(?i)\bseat(s|ed|ing)?\b`):                       "slot, affinity",
	regexp.MustCompile(`(?i)\bpurses?\b`):                               "balance",
	regexp.MustCompile(`(?i)\bglances?\b`):                              "look up",
	regexp.MustCompile(`(?i)\bshel(f|ves)\b`):                           "cache",
	regexp.MustCompile(`(?i)\b(tell|tells|telling|told)\b`):             "report, notify, say",
	regexp.MustCompile(`(?i)\b(hear|hears|heard|hearing)\b`):            "receive, learn",
	regexp.MustCompile(`(?i)\b(patience|beginnings|newcomers?|hall)\b`): "timeout, seed, new customers, room",
}

// TestComments: comments say what things are in the words of the field.
func TestComments(t *testing.T) {
	for file := range importsOf(t) {
		path := filepath.Join("..", "..", file)
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, group := range parsed.Comments {
			for word, instead := range privateWords {
				if found := word.FindString(group.Text()); found != "" {
					t.Errorf("%s: a comment says %q; say %s", file, found, instead)
				}
			}
		}
	}
}

// TestPages: a comment points only to pages that are in the repository.
func TestPages(t *testing.T) {
	page := regexp.MustCompile(`[\w./-]+\.md\b`)
	outside := regexp.MustCompile(`(?i)\bspecification,? (sections? )?[0-9]`)
	for file := range importsOf(t) {
		path := filepath.Join("..", "..", file)
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, group := range parsed.Comments {
			text := group.Text()
			for _, name := range page.FindAllString(text, -1) {
				if !isPage(name, filepath.Dir(path)) {
					t.Errorf("%s: a comment points to %s, which is not in the repository", file, name)
				}
			}
			if found := outside.FindString(text); found != "" {
				t.Errorf("%s: a comment points to %q, which is not in the repository", file, found)
			}
		}
	}
}

// isPage looks beside the file, at the root and in docs.
func isPage(name, dir string) bool {
	root := filepath.Join("..", "..")
	for _, at := range []string{filepath.Join(dir, name), filepath.Join(root, name), filepath.Join(root, "docs", name)} {
		if _, err := os.Stat(at); err == nil {
			return true
		}
	}
	return false
}

// TestReferences: what a page names of the code, as a package and its name, is declared there, be it a method.
func TestReferences(t *testing.T) {
	declares := declaredByPackage(t)
	reference := regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*)(\\.\\w+)?")
	checked := 0
	for _, where := range []string{"*.md", "docs/*.md", "t*/*/*.md", "t*/*/*/*.md"} {
		pages, err := filepath.Glob(filepath.Join("..", "..", where))
		require.NoError(t, err)
		for _, path := range pages {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, found := range reference.FindAllStringSubmatch(string(text), -1) {
				names, ours := declares[found[1]]
				if !ours {
					continue
				}
				checked++
				if !names[found[2]] && !names["."+found[2]] || found[3] != "" && !names[found[3]] {
					t.Errorf("%s names %s, which is not declared", path, found[0][1:])
				}
			}
		}
	}
	require.Greater(t, checked, 20, "the walk found them")
}

// majorVersion ends the path of a module from its second major version on.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// TestCommentReferences: an error that a comment names is declared, in the package it says or in its own. So is
// whatever else of ours it names by its package. A package that nothing imports and that is not ours is not there.
func TestCommentReferences(t *testing.T) {
	declares := declaredByPackage(t)
	reference := regexp.MustCompile(`(?:\b([a-z]+)\.)?\b(Err[A-Z]\w*)\b`)
	qualified := regexp.MustCompile(`\b([a-z]{3,})\.([A-Z]\w*)\b`)
	detail := regexp.MustCompile(`()\(with ([A-Z]\w*)\)`) // what an error carries
	libraries := map[string]bool{}
	for _, imports := range importsOf(t) {
		for _, path := range imports {
			libraries[filepath.Base(majorVersion.ReplaceAllString(path, ""))] = true
		}
	}
	checked := 0
	for file := range importsOf(t) {
		path := filepath.Join("..", "..", file)
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		own := filepath.Base(filepath.Dir(file))
		for _, group := range parsed.Comments {
			text := group.Text()
			for _, found := range slices.Concat(
				reference.FindAllStringSubmatch(text, -1), qualified.FindAllStringSubmatch(text, -1), detail.FindAllStringSubmatch(text, -1),
			) {
				pkg := found[1]
				if pkg == "" {
					pkg = own
				}
				names, ours := declares[pkg]
				if !ours {
					if !libraries[pkg] {
						t.Errorf("%s: a comment names %s, of a package that is not there", file, found[0])
					}
					continue
				}
				checked++
				if !names[found[2]] && !names["."+found[2]] {
					t.Errorf("%s: a comment names %s, which is not declared", file, found[0])
				}
			}
		}
	}
	require.Greater(t, checked, 100, "the walk found them")
}

// declaredByPackage is what each package declares, by the package's name.
func declaredByPackage(t *testing.T) map[string]map[string]bool {
	t.Helper()
	declares := map[string]map[string]bool{}
	for file := range importsOf(t) {
		pkg := filepath.Base(filepath.Dir(file))
		if declares[pkg] == nil {
			declares[pkg] = map[string]bool{}
		}
		for _, name := range declared(t, filepath.Join("..", "..", file)) {
			declares[pkg][name] = true
		}
	}
	return declares
}
