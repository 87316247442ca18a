//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"welovevoucher/tools/dev/machine"
	"welovevoucher/tools/process"
)

// environmentFile is where a running platform writes the environment of its program, for runCommand. Its keys open a platform on one
// machine and nothing else.
func environmentFile() string { return filepath.Join(machine.Home, "environment.json") }

var errNothingRuns = errors.New("nothing runs here: start it with make dev, then ask again beside it")

// runCommand runs one of the program's own commands with the environment of the running platform: `audit ledger`, for example.
func runCommand(ctx context.Context, args []string) error {
	text, err := os.ReadFile(environmentFile())
	if errors.Is(err, fs.ErrNotExist) {
		return errNothingRuns
	}
	if err != nil {
		return err
	}
	var set []string
	if err := json.Unmarshal(text, &set); err != nil {
		return fmt.Errorf("%s: %w", environmentFile(), err)
	}
	return process.Run(ctx, slices.Concat(os.Environ(), set, []string{"LOG_LEVEL=warn"}), program, args...)
}

// writeEnvironmentFile writes the file, which is removed when the platform stops.
func (w *world) writeEnvironmentFile() error {
	text, err := json.Marshal(w.set)
	if err != nil {
		return err
	}
	if err := os.WriteFile(environmentFile(), text, 0o600); err != nil {
		return err
	}
	w.later(func() error { return os.Remove(environmentFile()) })
	return nil
}
