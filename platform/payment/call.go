package payment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/omise/omise-go"
)

// do makes one call, with a client of its own because the library stores the context in the client. Errors have Omise's code, but
// not its text or answer, which may name a person.
func (o *Omise) do(ctx context.Context, call func(*omise.Client) error) error {
	c, err := omise.NewClient(o.keys.Public, o.keys.Secret)
	if err != nil || o.keys.Public == "" || o.keys.Secret == "" {
		return fmt.Errorf("no keys: %w", ErrRefused)
	}
	c.Client = o.http
	c.Endpoints["https://api.omise.co"] = strings.TrimSuffix(o.address, "/")
	c.WithContext(ctx)

	err = call(c)
	var refused *omise.Error
	var unreadable *omise.ErrTransport
	var network *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && refused.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: %w", refused.Code, ErrUnknownCharge)
	case errors.As(err, &refused) && refused.StatusCode != http.StatusTooManyRequests && refused.StatusCode < http.StatusInternalServerError:
		return fmt.Errorf("status %d %s: %w", refused.StatusCode, refused.Code, ErrRefused)
	case errors.As(err, &refused):
		return fmt.Errorf("status %d %s: %w", refused.StatusCode, refused.Code, ErrUnavailable)
	case errors.As(err, &unreadable):
		return fmt.Errorf("unreadable answer: %w", ErrUnavailable)
	case errors.As(err, &network):
		return fmt.Errorf("%w: %w", ErrUnavailable, network.Err)
	default:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}

// tidy makes the library's requests as Omise documents them: it moves the parameters of a GET from the body to the query, and drops
// empty objects.
type tidy struct{ next http.RoundTripper }

func (t tidy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		return t.next.RoundTrip(r)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read a request: %w", err)
	}
	if err := r.Body.Close(); err != nil {
		return nil, fmt.Errorf("read a request: %w", err)
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, fmt.Errorf("read a request: %w", err)
	}

	r = r.Clone(r.Context()) // a RoundTripper must not change its request
	if r.Method == http.MethodGet {
		query := url.Values{}
		for name, value := range body {
			text := string(value)
			if text[0] == '"' {
				if err := json.Unmarshal(value, &text); err != nil {
					return nil, fmt.Errorf("read a request: %w", err)
				}
			}
			query.Set(name, text)
		}
		r.URL.RawQuery = query.Encode()
		r.Body, r.GetBody, r.ContentLength = nil, nil, 0
		return t.next.RoundTrip(r)
	}

	for _, name := range []string{"billing", "shipping", "platform_fee"} {
		if empty(body[name]) {
			delete(body, name)
		}
	}
	if text, err = json.Marshal(body); err != nil {
		return nil, fmt.Errorf("write a request: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	r.ContentLength = int64(len(text))
	return t.next.RoundTrip(r)
}

// empty reports whether an object has only empty strings and zeros.
func empty(object json.RawMessage) bool {
	var fields map[string]any
	if json.Unmarshal(object, &fields) != nil {
		return false
	}
	for _, value := range fields {
		if value != "" && value != float64(0) {
			return false
		}
	}
	return true
}
