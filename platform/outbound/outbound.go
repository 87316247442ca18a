// Package outbound makes the HTTP client for outside services. It waits 5 seconds, follows no redirect and reads at most 1 MB, so
// that a slow or hostile service cannot hold up the program.
package outbound

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// Limits of one call.
const (
	Timeout = 5 * time.Second
	MaxBody = 1 << 20
)

// ErrTooLarge is returned by the body of an answer that is larger than MaxBody.
var ErrTooLarge = errors.New("outbound: answer too large")

// Client returns a client over next, or over a transport of its own if next is nil.
func Client(next http.RoundTripper) *http.Client {
	if next == nil {
		next = http.DefaultTransport.(*http.Transport).Clone()
	}
	return &http.Client{
		Timeout:       Timeout,
		Transport:     capped{next},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type capped struct{ next http.RoundTripper }

func (c capped) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	res.Body = &body{ReadCloser: res.Body, left: MaxBody}
	return res, nil
}

type body struct {
	io.ReadCloser
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > b.left+1 { // one byte more than allowed, to distinguish "exactly full" from "too large"
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, ErrTooLarge
	}
	return n, err
}
