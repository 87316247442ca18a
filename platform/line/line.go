// Package line calls LINE: Login v2.1, profile, friendship and the Messaging API.
//
// The identity of a person is never taken from the browser: it sends a token, and LINE says whose token it is.
package line

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
	"time"

	"welovevoucher/platform/config"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/outbound"
	"welovevoucher/platform/strictjson"
)

var (
	// ErrRefused says that LINE does not stand behind a token or code: forged, expired, used, or made for another channel.
	ErrRefused = fault.New(fault.Forbidden, "line.refused", "LINE did not confirm this sign-in, please try again")
	// ErrChannel says that LINE has no channel of that id and secret.
	ErrChannel = fault.New(fault.Invalid, "line.channel", "LINE does not know this channel and secret")
	// ErrUnavailable says that LINE could not be asked: no answer in time, 429 or 5xx.
	ErrUnavailable = fault.New(fault.Unavailable, "line.unavailable", "LINE does not answer, please try again")
)

// Issuer is the issuer of every ID token, also of those of an emulator.
const Issuer = "https://access.line.me"

// Client calls LINE. It has no channel: callers pass that of their organisation.
type Client struct {
	http   *http.Client
	api    string
	access string
	now    func() time.Time
}

// New returns a client for the configured addresses.
func New(c config.Line) *Client {
	return &Client{
		http:   outbound.Client(nil),
		api:    strings.TrimSuffix(c.APIURL, "/"),
		access: strings.TrimSuffix(c.AccessURL, "/"),
		now:    time.Now,
	}
}

// post sends a form, and decodes the answer into out unless out is nil.
func (c *Client) post(ctx context.Context, path string, form url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.api+path, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("LINE %s: %w", path, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	_, err = c.do(req, out)
	return err
}

func (c *Client) get(ctx context.Context, path, bearer string, query url.Values, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.api+path, nil)
	if err != nil {
		return fmt.Errorf("LINE %s: %w", path, err)
	}
	req.URL.RawQuery = query.Encode()
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	_, err = c.do(req, out)
	return err
}

func (c *Client) postJSON(ctx context.Context, path, bearer string, header http.Header, in any) (status int, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return 0, fmt.Errorf("LINE %s: %w", path, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.api+path, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("LINE %s: %w", path, err)
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+bearer)
	return c.do(req, nil)
}

// do sends the request. It ignores unknown fields, because LINE may add some at any time. It does not return LINE's error texts or
// full addresses, because both may contain a token.
func (c *Client) do(req *http.Request, out any) (status int, err error) {
	path := req.URL.Path
	res, err := c.http.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		return 0, fmt.Errorf("LINE %s: %w: %w", path, ErrUnavailable, err)
	}
	defer res.Body.Close()

	body, err := io.ReadAll(res.Body)
	if err != nil {
		return res.StatusCode, fmt.Errorf("LINE %s: read the answer: %w: %w", path, ErrUnavailable, err)
	}
	if res.StatusCode == http.StatusTooManyRequests && isSpent(body) {
		return res.StatusCode, fmt.Errorf("LINE %s: request %s: %w", path, requestID(res), ErrSpent)
	}
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= http.StatusInternalServerError {
		return res.StatusCode, fmt.Errorf("LINE %s: status %d, request %s: %w", path, res.StatusCode, requestID(res), ErrUnavailable)
	}
	if res.StatusCode != http.StatusOK {
		return res.StatusCode, fmt.Errorf("LINE %s: status %d, request %s: %w", path, res.StatusCode, requestID(res), ErrRefused)
	}
	if out == nil {
		return res.StatusCode, nil
	}
	if err := strictjson.Unmarshal(body, out); err != nil {
		return res.StatusCode, fmt.Errorf("LINE %s: the answer is not what it should be: %w", path, ErrUnavailable)
	}
	return res.StatusCode, nil
}

func isSpent(body []byte) bool {
	var answer struct {
		Message string `json:"message"`
	}
	return strictjson.Unmarshal(body, &answer) == nil && answer.Message == spentText
}

func requestID(res *http.Response) string { return res.Header.Get("X-Line-Request-Id") }
