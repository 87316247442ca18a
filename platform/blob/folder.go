package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Folder stores objects as files. It never leaves its folder, not even by a link (os.Root).
type Folder struct{ root *os.Root }

var _ Store = (*Folder)(nil)

// coming is the folder of files that are still being written. No key begins with a dot.
const coming = ".coming"

// OpenFolder opens the folder, and creates it if needed.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	if err := root.MkdirAll(coming, 0o700); err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	return &Folder{root: root}, nil
}

// Put implements Store. It writes and syncs a temporary file, and renames it.
func (f *Folder) Put(ctx context.Context, key string, content io.Reader, size int64) error {
	if err := check(key); err != nil {
		return err
	}
	aside := path.Join(coming, rand.Text())
	if err := f.write(ctx, aside, exactly(content, size)); err != nil {
		if gone := f.root.Remove(aside); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		return fmt.Errorf("blob: put %s: %w", key, err)
	}
	if err := f.root.MkdirAll(path.Dir(key), 0o700); err != nil {
		return fmt.Errorf("blob: put %s: %w", key, err)
	}
	if err := f.root.Rename(aside, key); err != nil {
		return fmt.Errorf("blob: put %s: %w", key, err)
	}
	return nil
}

func (f *Folder) write(ctx context.Context, name string, content io.Reader) (err error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	if _, err := io.Copy(file, content); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return file.Sync()
}

// Get implements Store.
func (f *Folder) Get(_ context.Context, key string) (io.ReadCloser, Object, error) {
	if err := check(key); err != nil {
		return nil, Object{}, err
	}
	file, err := f.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Object{}, fmt.Errorf("get %s: %w", key, ErrMissing)
	}
	if err != nil {
		return nil, Object{}, fmt.Errorf("blob: get %s: %w", key, err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = ErrMissing
	}
	if err != nil {
		return nil, Object{}, errors.Join(fmt.Errorf("blob: get %s: %w", key, err), file.Close())
	}
	return file, Object{Key: key, Size: info.Size(), Modified: info.ModTime().UTC()}, nil
}

// Delete implements Store. It leaves empty folders.
func (f *Folder) Delete(_ context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	if err := f.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blob: delete %s: %w", key, err)
	}
	return nil
}

// List implements Store.
func (f *Folder) List(_ context.Context, prefix string) ([]Object, error) {
	if err := check(prefix); err != nil {
		return nil, err
	}
	var all []Object
	err := fs.WalkDir(f.root.FS(), prefix, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // nothing there, or deleted meanwhile
		}
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && name != prefix {
			all = append(all, Object{Key: name, Size: info.Size(), Modified: info.ModTime().UTC()})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("blob: list %s: %w", prefix, err)
	}
	slices.SortFunc(all, func(a, b Object) int { return strings.Compare(a.Key, b.Key) })
	return all, nil
}
