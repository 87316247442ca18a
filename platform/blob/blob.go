// Package blob keeps pictures and reports, in an S3-compatible store or in a folder.
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
	// ErrMissing says that there is no such object.
	ErrMissing = errors.New("blob: no such object")
	// ErrKey says that a key is none: segments of letters, digits, dot, dash and underscore between slashes, none starting with a dot.
	ErrKey = errors.New("blob: not a key")
)

// Store keeps objects by key. Keys begin with the organisation's id, so that one prefix is one organisation's.
type Store interface {
	// Put writes the next size bytes of content: wholly, or not at all when there are fewer. An object with the same key is replaced.
	Put(ctx context.Context, key string, content io.Reader, size int64) error
	// Get opens an object, or returns ErrMissing. Close what it returns.
	Get(ctx context.Context, key string) (io.ReadCloser, Object, error)
	// Delete removes an object; one that is not there is fine.
	Delete(ctx context.Context, key string) error
	// List returns the objects whose keys begin with prefix and a slash, in order of keys.
	List(ctx context.Context, prefix string) ([]Object, error)
}

// Object is what a store knows of one. What is in it, its row in the database says.
type Object struct {
	Key      string
	Size     int64     // bytes
	Modified time.Time // UTC
}

// Open returns the S3 store that is configured, or the folder.
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

// exactly reads size bytes and fails when there are fewer, so that half an object is never kept.
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
