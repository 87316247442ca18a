package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"welovevoucher/platform/config"
)

// S3 stores objects in one private bucket.
type S3 struct {
	client *minio.Client
	bucket string
}

var _ Store = (*S3)(nil)

// OpenS3 connects to the store, and creates the bucket if needed.
func OpenS3(ctx context.Context, c config.S3) (*S3, error) {
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("blob: S3_ENDPOINT must be http://host or https://host")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(c.AccessKey, c.SecretKey, ""), Secure: u.Scheme == "https", Region: c.Region,
	})
	if err != nil {
		return nil, fmt.Errorf("blob: reach S3: %w", err)
	}
	known, err := client.BucketExists(ctx, c.Bucket)
	if err != nil {
		return nil, fmt.Errorf("blob: look for bucket %s: %w", c.Bucket, err)
	}
	if !known {
		err := client.MakeBucket(ctx, c.Bucket, minio.MakeBucketOptions{Region: c.Region})
		if code := minio.ToErrorResponse(err).Code; err != nil && code != "BucketAlreadyOwnedByYou" { // another process was faster
			return nil, fmt.Errorf("blob: make bucket %s: %w", c.Bucket, err)
		}
	}
	return &S3{client: client, bucket: c.Bucket}, nil
}

// Put implements Store. It uploads a large object in parts.
func (s *S3) Put(ctx context.Context, key string, content io.Reader, size int64) error {
	if err := check(key); err != nil {
		return err
	}
	_, err := s.client.PutObject(ctx, s.bucket, key, exactly(content, size), size, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return fmt.Errorf("blob: put %s: %w", key, err)
	}
	return nil
}

// Get implements Store.
func (s *S3) Get(ctx context.Context, key string) (io.ReadCloser, Object, error) {
	if err := check(key); err != nil {
		return nil, Object{}, err
	}
	// Core asks once; the client's own GetObject asks twice, and fails when the object is replaced between.
	core := minio.Core{Client: s.client}
	content, info, _, err := core.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		err = ErrMissing
	}
	if err != nil {
		return nil, Object{}, fmt.Errorf("blob: get %s: %w", key, err)
	}
	return content, Object{Key: key, Size: info.Size, Modified: info.LastModified.UTC()}, nil
}

// Delete implements Store.
func (s *S3) Delete(ctx context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	if err := s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("blob: delete %s: %w", key, err)
	}
	return nil
}

// List implements Store.
func (s *S3) List(ctx context.Context, prefix string) ([]Object, error) {
	if err := check(prefix); err != nil {
		return nil, err
	}
	var all []Object
	for info := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix + "/", Recursive: true}) {
		if info.Err != nil {
			return nil, fmt.Errorf("blob: list %s: %w", prefix, info.Err)
		}
		all = append(all, Object{Key: info.Key, Size: info.Size, Modified: info.LastModified.UTC()})
	}
	return all, nil
}
