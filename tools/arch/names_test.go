package arch

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames: no package declares a name that was given up for the glossary's (docs/domain.md).
func TestNames(t *testing.T) {
	givenUp := map[string]map[string]string{} // package, name: the name that stands now
	file, err := os.Open("names.txt")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 || fields[0] == "#" {
			continue
		}
		if givenUp[fields[0]] == nil {
			givenUp[fields[0]] = map[string]string{}
		}
		givenUp[fields[0]][fields[1]] = fields[2]
	}
	for pkg, names := range givenUp {
		files := goFilesOf(t, pkg)
		require.NotEmpty(t, files, "names.txt has a package that is not there: %s", pkg)
		for _, path := range files {
			for _, name := range declared(t, path) {
				if now, found := names[name]; found {
					t.Errorf("%s declares %s, which is %s", path, name, now)
				}
			}
		}
	}
}

// goFilesOf returns the files of one package, without its tests.
func goFilesOf(t *testing.T, pkg string) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("..", "..", pkg, "*.go"))
	require.NoError(t, err)
	for _, path := range all {
		if !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
	}
	return files
}

// declared returns what a file declares at package level, with methods and fields after a dot.
func declared(t *testing.T, path string) (names []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	members := func(list *ast.FieldList) {
		for _, field := range list.List {
			for _, name := range field.Names {
				names = append(names, "."+name.Name)
			}
		}
	}
	for _, decl := range parsed.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil {
				names = append(names, "."+decl.Name.Name)
			} else {
				names = append(names, decl.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
					switch kind := spec.Type.(type) {
					case *ast.StructType:
						members(kind.Fields)
					case *ast.InterfaceType:
						members(kind.Methods)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}
