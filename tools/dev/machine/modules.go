//go:build unix

package machine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"welovevoucher/tools/process"
)

// InstallModules runs npm when the lock file is not the one that was installed.
func InstallModules(ctx context.Context, step func(string)) error {
	const stamp = "apps/node_modules/.installed"
	lock, err := os.ReadFile("apps/package-lock.json")
	if err != nil {
		return fmt.Errorf("read the lock file: %w", err)
	}
	sum := sha256.Sum256(lock)
	if Fresh(stamp, sum[:]) {
		return nil
	}
	step("installing npm packages (once per lock file)")
	if err := process.Run(ctx, nil, "npm", "--prefix", "apps", "ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"); err != nil {
		return err
	}
	return Mark(stamp, sum[:])
}

// Fresh reports whether a mark is of this sum.
func Fresh(stamp string, sum []byte) bool {
	have, err := os.ReadFile(stamp)
	return err == nil && string(have) == hex.EncodeToString(sum)
}

// Mark writes a sum down.
func Mark(stamp string, sum []byte) error {
	if err := os.MkdirAll(filepath.Dir(stamp), 0o755); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(hex.EncodeToString(sum)), 0o600)
}
