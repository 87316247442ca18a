// Package blob stores pictures and reports, in an S3-compatible store or in a folder.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"welovevoucher/platform/config"
)

var (
	// ErrMissing is returned if there is no such object.
	ErrMissing = errors.New("blob: no such object")
	// ErrKey is returned for an invalid key. A key is segments between slashes, of letters, digits, dot, dash and underscore, none
	// of which begins with a dot.
	ErrKey = errors.New("blob: not a key")
)

// Store stores objects by key. Keys begin with the organisation's id, so that one prefix has all objects of one organisation.
type Store interface {
	// Put stores the next size bytes of content under key, and replaces an older object. It stores nothing if there are fewer.
	Put(ctx context.Context, key string, content io.Reader, size int64) error
	// Get opens an object, which the caller closes. It returns ErrMissing if there is none.
	Get(ctx context.Context, key string) (io.ReadCloser, Object, error)
	// Delete deletes an object. It returns nil if there is none.
	Delete(ctx context.Context, key string) error
	// List returns the objects whose keys begin with prefix and a slash, ordered by key.
	List(ctx context.Context, prefix string) ([]Object, error)
}

// Object describes a stored object. Its content type and owner are in the database.
type Object struct {
	Key      string
	Size     int64     // bytes
	Modified time.Time // UTC
}

// Open returns the configured S3 store, or a folder if none is configured.
func Open(ctx context.Context, c config.Config) (Store, error) {
	if c.S3.Endpoint != "" {
		return OpenS3(ctx, c.S3)
	}
	return OpenFolder(c.ObjectDir)
}

var segment = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

const maxKey = 500

func check(key string) error {
	if len(key) > maxKey {
		return ErrKey
	}
	for part := range strings.SplitSeq(key, "/") {
		if !segment.MatchString(part) {
			return fmt.Errorf("%w: %q", ErrKey, key)
		}
	}
	return nil
}

// exactly reads size bytes and fails if there are fewer, so that no partial object is stored.
func exactly(content io.Reader, size int64) io.Reader {
	return &counted{from: io.LimitReader(content, size), left: size}
}

type counted struct {
	from io.Reader
	left int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if c.left -= int64(n); errors.Is(err, io.EOF) && c.left > 0 {
		return n, fmt.Errorf("blob: the content is shorter than was said: %w", io.ErrUnexpectedEOF)
	}
	return n, err
}
