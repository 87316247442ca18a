//go:build unix

package main

import (
	"context"

	"welovevoucher/tools/process"
)

// program is the binary under development: the same as in production.
const program = "bin/welovevoucher"

// buildApps builds each front end whose sources have changed.
func buildApps(ctx context.Context, step func(string)) error {
	step("building the apps that have changed")
	return process.Run(ctx, nil, "npm", "--prefix", "apps", "run", "--silent", "build")
}
