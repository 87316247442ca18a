//go:build unix

package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Lock makes a folder, and keeps a second `make dev` out of it.
func Lock(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("folder for data: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("folder for data: %w", err)
	}
	if err := exclusive(file); err != nil {
		holder, readErr := os.ReadFile(file.Name())
		return nil, errors.Join(fmt.Errorf("`make dev` already runs in this folder (process %s)", holder), readErr, file.Close())
	}
	if err := errors.Join(file.Truncate(0), writeAt(file, strconv.Itoa(os.Getpid()))); err != nil {
		return nil, errors.Join(fmt.Errorf("folder for data: %w", err), file.Close())
	}
	return func() { _ = file.Close() }, nil // closing gives the lock back, and cannot go wrong in a way that matters now
}

func writeAt(file *os.File, text string) error {
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

func exclusive(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
