// Package repo knows where the repository is on this machine and what npm has put into it.
package repo

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
)

// Root is the folder that holds go.mod, at or above the working folder.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod in this folder or above it")
		}
		dir = filepath.Dir(dir)
	}
}

// Module is the folder of an npm package, which need not be there.
func Module(name string) (string, error) {
	root, err := Root()
	return filepath.Join(root, "apps", "node_modules", filepath.FromSlash(name)), err
}

// Font serves the apps' Thai font to the emulators' pages, for machines that have none. Where npm has not run, pages do without.
func Font(w http.ResponseWriter, r *http.Request) {
	dir, err := Module("@fontsource-variable/noto-sans-thai")
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "max-age=86400")
	http.ServeFile(w, r, filepath.Join(dir, "files", "noto-sans-thai-thai-wght-normal.woff2"))
}
