package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/config"
)

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	store, err := Open(t.Context(), config.Config{ObjectDir: dir})
	require.NoError(t, err)
	contract(t, store)

	t.Run("no half-written object stays", func(t *testing.T) {
		left, err := os.ReadDir(filepath.Join(dir, coming))
		require.NoError(t, err)
		require.Empty(t, left)
	})
	t.Run("a symbolic link does not lead out of the folder", func(t *testing.T) {
		outside := filepath.Join(t.TempDir(), "secret")
		require.NoError(t, os.WriteFile(outside, []byte("hush"), 0o600))
		require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
		_, _, err := store.Get(t.Context(), "link")
		require.Error(t, err)
	})
}

// TestS3 needs a store: tools/s3/run starts one and sets the variables.
func TestS3(t *testing.T) {
	endpoint := os.Getenv("S3_TEST_ENDPOINT")
	if endpoint == "" {
		t.Log("S3_TEST_ENDPOINT is not set: run this through tools/s3/run")
		return
	}
	c := config.S3{Endpoint: endpoint, Bucket: "test", Region: "us-east-1", AccessKey: os.Getenv("S3_TEST_ACCESS_KEY"), SecretKey: os.Getenv("S3_TEST_SECRET_KEY")}
	store, err := Open(t.Context(), config.Config{S3: c})
	require.NoError(t, err)
	contract(t, store)

	t.Run("a wrong secret key is refused", func(t *testing.T) {
		c.SecretKey += "x"
		_, err := OpenS3(t.Context(), c)
		require.Error(t, err)
	})
}

// contract is what every store keeps.
func contract(t *testing.T, s Store) {
	ctx := t.Context()
	read := func(key string) []byte {
		content, object, err := s.Get(ctx, key)
		require.NoError(t, err)
		defer content.Close()
		text, err := io.ReadAll(content)
		require.NoError(t, err)
		require.EqualValues(t, len(text), object.Size)
		require.WithinDuration(t, time.Now(), object.Modified, time.Hour)
		return text
	}
	put := func(key, text string) { require.NoError(t, s.Put(ctx, key, strings.NewReader(text), int64(len(text)))) }

	t.Run("an object can be read back, and replaced", func(t *testing.T) {
		put("a/picture/1.jpg", "one")
		put("a/picture/1.jpg", "another")
		require.Equal(t, "another", string(read("a/picture/1.jpg")))
	})
	t.Run("a large object comes back byte for byte", func(t *testing.T) {
		large := make([]byte, 18<<20)
		_, err := rand.Read(large)
		require.NoError(t, err)
		require.NoError(t, s.Put(ctx, "a/report/large", bytes.NewReader(large), int64(len(large))))
		require.True(t, bytes.Equal(large, read("a/report/large")))
		require.NoError(t, s.Delete(ctx, "a/report/large"))
	})
	t.Run("a list has one organisation's objects, in order", func(t *testing.T) {
		put("list/b", "1")
		put("list/a/x", "22")
		put("listing/c", "3")
		got, err := s.List(ctx, "list")
		require.NoError(t, err)
		require.Len(t, got, 2)
		require.Equal(t, []string{"list/a/x", "list/b"}, []string{got[0].Key, got[1].Key})
		require.EqualValues(t, 2, got[0].Size)
		none, err := s.List(ctx, "nobody")
		require.NoError(t, err)
		require.Empty(t, none)
	})
	t.Run("a deleted object is missing, also when it is deleted twice", func(t *testing.T) {
		put("a/gone", "x")
		require.NoError(t, s.Delete(ctx, "a/gone"))
		require.NoError(t, s.Delete(ctx, "a/gone"))
		_, _, err := s.Get(ctx, "a/gone")
		require.ErrorIs(t, err, ErrMissing)
	})
	t.Run("content shorter than its size is refused, and longer content is cut", func(t *testing.T) {
		require.Error(t, s.Put(ctx, "a/short", strings.NewReader("abc"), 4))
		_, _, err := s.Get(ctx, "a/short")
		require.ErrorIs(t, err, ErrMissing)
		require.NoError(t, s.Put(ctx, "a/long", strings.NewReader("abcde"), 4))
		require.Equal(t, "abcd", string(read("a/long")))
	})
	t.Run("an invalid key is refused by every method", func(t *testing.T) {
		for _, bad := range []string{"", "/a", "a/", "a//b", "../a", "a/../b", ".coming/x", "a/.b", "ก", "a b", `a\b`, "a\x00b", strings.Repeat("a", 501)} {
			require.ErrorIs(t, s.Put(ctx, bad, strings.NewReader(""), 0), ErrKey, bad)
			_, _, err := s.Get(ctx, bad)
			require.ErrorIs(t, err, ErrKey, bad)
			require.ErrorIs(t, s.Delete(ctx, bad), ErrKey, bad)
			_, err = s.List(ctx, bad)
			require.ErrorIs(t, err, ErrKey, bad)
		}
	})
	t.Run("a reader sees one version whole while others are written", func(t *testing.T) {
		put("a/race", strings.Repeat("0", 1000))
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				text := strings.Repeat(string(rune('0'+i)), 1000)
				if err := s.Put(context.WithoutCancel(ctx), "a/race", strings.NewReader(text), 1000); err != nil {
					t.Error(err)
				}
			})
			got := read("a/race")
			require.Equal(t, strings.Repeat(string(got[0]), 1000), string(got))
		}
		group.Wait()
	})
}
