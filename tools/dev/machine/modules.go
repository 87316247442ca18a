//go:build unix

package machine

import (
	"context"
	"os"

	"welovevoucher/tools/process"
)

// InstallModules runs npm when the lock file is newer than what was installed, as the Makefile's rule does.
func InstallModules(ctx context.Context, step func(string)) error {
	lock, err := os.Stat("apps/package-lock.json")
	if err != nil {
		return err
	}
	if installed, err := os.Stat("apps/node_modules/.package-lock.json"); err == nil && !installed.ModTime().Before(lock.ModTime()) {
		return nil
	}
	step("installing npm packages (once per lock file)")
	return process.Run(ctx, nil, "npm", "--prefix", "apps", "ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
}
