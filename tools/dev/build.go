//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"welovevoucher/tools/dev/machine"
	"welovevoucher/tools/process"
)

// program is the binary under development: the same as in production.
const program = "bin/welovevoucher"

// buildApps runs the front ends' build when a source of theirs changed.
func buildApps(ctx context.Context, step func(string)) error {
	const stamp = ".cache/apps.built"
	sum, err := sources("apps")
	if err != nil {
		return err
	}
	built := true
	for _, app := range []string{"customer", "agent", "backoffice"} {
		_, err := os.Stat(filepath.Join("apps/dist", app, "index.html"))
		built = built && err == nil
	}
	if built && machine.Fresh(stamp, sum) {
		return nil
	}
	step("building the apps (once per change)")
	if err := process.Run(ctx, nil, "npm", "--prefix", "apps", "run", "--silent", "build"); err != nil {
		return err
	}
	return machine.Mark(stamp, sum)
}

// skipped are folders of the workspace that a build does not read.
var skipped = []string{"node_modules", "dist", "storybook-static", "test-results", "playwright-report", ".storybook"}

// sources is a hash over names and contents of all files that a build may read.
func sources(dir string) ([]byte, error) {
	all := sha256.New()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains(skipped, entry.Name()) {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() || strings.Contains(entry.Name(), ".test.") || strings.Contains(entry.Name(), ".stories.") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		one := sha256.Sum256(content)
		fmt.Fprintf(all, "%s %x\n", path, one)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look at the apps' sources: %w", err)
	}
	return all.Sum(nil), nil
}
