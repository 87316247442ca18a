//go:build unix

package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is whom Postgres runs as: ourselves, or nobody when we are root, because Postgres refuses to run as root.
type account struct{ nobody *syscall.Credential }

func owner() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return account{}, fmt.Errorf("Postgres does not run as root, and this machine has no user nobody: %w", err)
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("id of the user nobody: %w", err)
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("group of the user nobody: %w", err)
	}
	return account{nobody: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// command keeps our environment away from Postgres: PG* variables and a foreign locale would change what it does.
func (a account) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.nobody}
	return cmd
}

func (a account) own(path string) error {
	if a.nobody == nil {
		return nil
	}
	if err := os.Chown(path, int(a.nobody.Uid), int(a.nobody.Gid)); err != nil {
		return fmt.Errorf("give %s to nobody: %w", path, err)
	}
	return nil
}

// place makes the folder, or one in the machine's own data folder where nobody cannot enter the one asked for
// (a checkout in a home folder that is closed to others). Each folder asked for has its own there.
func (a account) place(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("folder of the cluster: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("folder of the cluster: %w", err)
	}
	if !a.enters(filepath.Dir(dir)) {
		sum := sha256.Sum256([]byte(dir))
		if dir, err = a.shared(hex.EncodeToString(sum[:6])); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("folder of the cluster: %w", err)
	}
	return dir, a.own(dir)
}

// shared is a path below the first of the system's folders that we may write and nobody may enter.
func (a account) shared(name string) (string, error) {
	for _, base := range []string{"/var/lib", "/var/tmp", "/tmp"} {
		dir := filepath.Join(base, "welovevoucher")
		if a.enters(base) && os.MkdirAll(dir, 0o755) == nil && os.Chmod(dir, 0o755) == nil {
			return filepath.Join(dir, name), nil
		}
	}
	return "", errors.New("found no folder for Postgres's data that the user nobody can enter")
}

// enters says whether the account may pass through every folder down to dir.
func (a account) enters(dir string) bool {
	if a.nobody == nil {
		return true
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
		dir = filepath.Dir(dir)
	}
}
