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

// surroundings is where a running platform leaves what its program was given, for commands beside it. Its keys open a platform
// on one machine and nothing else.
func surroundings() string { return filepath.Join(machine.Home, "environment.json") }

var errNothingRuns = errors.New("nothing runs here: start it with make dev, then ask again beside it")

// beside runs one of the program's own commands with what the running platform has: `audit ledger`, for example.
func beside(ctx context.Context, args []string) error {
	text, err := os.ReadFile(surroundings())
	if errors.Is(err, fs.ErrNotExist) {
		return errNothingRuns
	}
	if err != nil {
		return err
	}
	var set []string
	if err := json.Unmarshal(text, &set); err != nil {
		return fmt.Errorf("%s: %w", surroundings(), err)
	}
	return process.Run(ctx, slices.Concat(os.Environ(), set, []string{"LOG_LEVEL=warn"}), program, args...)
}

// leave writes the surroundings down until the platform stops.
func (w *world) leave() error {
	text, err := json.Marshal(w.set)
	if err != nil {
		return err
	}
	if err := os.WriteFile(surroundings(), text, 0o600); err != nil {
		return err
	}
	w.later(func() error { return os.Remove(surroundings()) })
	return nil
}
