//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"welovevoucher/tools/process"
)

// program is the binary under development: the same as in production.
const program = "bin/welovevoucher"

// installModules runs npm when the lock file is not the one that was installed.
func installModules(ctx context.Context, step func(string)) error {
	const stamp = "apps/node_modules/.installed"
	lock, err := os.ReadFile("apps/package-lock.json")
	if err != nil {
		return fmt.Errorf("read the lock file: %w", err)
	}
	sum := sha256.Sum256(lock)
	if fresh(stamp, sum[:]) {
		return nil
	}
	step("installing npm packages (once per lock file)")
	// `npm ci` refuses a lock file that lacks the optional packages of platforms its writer could not fetch; this takes the same
	// versions from it, fetches what this machine needs, and leaves the file alone.
	if err := command(ctx, nil, "npm", "--prefix", "apps", "install", "--no-save", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"); err != nil {
		return err
	}
	return mark(stamp, sum[:])
}

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
	if built && fresh(stamp, sum) {
		return nil
	}
	step("building the apps (once per change)")
	if err := command(ctx, nil, "npm", "--prefix", "apps", "run", "--silent", "build"); err != nil {
		return err
	}
	return mark(stamp, sum)
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

func fresh(stamp string, sum []byte) bool {
	have, err := os.ReadFile(stamp)
	return err == nil && string(have) == hex.EncodeToString(sum)
}

func mark(stamp string, sum []byte) error {
	if err := os.MkdirAll(filepath.Dir(stamp), 0o755); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(hex.EncodeToString(sum)), 0o600)
}

// command runs something to its end; when ctx ends first, it and what it started are stopped.
func command(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, env
	p, err := process.Start(cmd, syscall.SIGTERM)
	if err != nil {
		return err
	}
	select {
	case <-p.Done():
		if p.Err() != nil {
			return fmt.Errorf("`%s` failed: %w", strings.Join(append([]string{name}, args...), " "), p.Err())
		}
		return nil
	case <-ctx.Done():
		return errors.Join(ctx.Err(), p.Stop(syscall.SIGTERM, 5*time.Second))
	}
}
