package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Reply is an envelope.
type Reply struct {
	Result  bool            `json:"result"`
	Code    int             `json:"code"`
	Token   string          `json:"token"` // of what opens a session
	Detail  json.RawMessage `json:"detail"`
	Message string          `json:"message"`
	Fault   string          `json:"fault"`
	Fields  []struct{ Path, Fault string }
}

// Browser is one person's phone or computer: a host, a token, a cookie.
type Browser struct {
	*Platform
	Host    string
	Token   string
	Session string // its cookie
}

// Browser is a new one, that nobody has signed in.
func (p *Platform) Browser(host string) *Browser {
	return &Browser{Platform: p, Host: host, Session: uuid.NewString()}
}

// Post calls the API; key is an idempotency key or "".
func (b *Browser) Post(path, key string, body any) Reply {
	b.T.Helper()
	text, err := json.Marshal(body)
	require.NoError(b.T, err)
	return b.Raw(path, key, text)
}

// Raw calls the API with bytes that may be anything.
func (b *Browser) Raw(path, key string, text []byte) Reply {
	b.T.Helper()
	r, err := b.Try(path, key, text)
	require.NoError(b.T, err)
	return r
}

// Try calls the API where the answer may get lost on the way.
func (b *Browser) Try(path, key string, text []byte) (r Reply, err error) {
	req, err := http.NewRequest(http.MethodPost, fmt.Sprintf("http://%s:%d%s", b.Host, b.Port, path), bytes.NewReader(text))
	if err != nil {
		return r, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", "browser="+b.Session)
	if b.Token != "" {
		req.Header.Set("Authorization", "Bearer "+b.Token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := b.Client.Do(req)
	if err != nil {
		return r, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(answer, &r); err != nil || res.StatusCode != r.Code {
		return r, fmt.Errorf("%s answered %d %s", path, res.StatusCode, answer)
	}
	return r, nil
}

// MustPost calls the API and reads the detail of an answer that has to be good.
func MustPost[T any](b *Browser, path, key string, body any) (detail T) {
	b.T.Helper()
	r := b.Post(path, key, body)
	require.True(b.T, r.Result, "%s: %d %s %v", path, r.Code, r.Fault, r.Fields)
	require.NoError(b.T, json.Unmarshal(r.Detail, &detail))
	return detail
}

// Get reads a page without a session.
func (p *Platform) Get(host, path string) (int, http.Header, string) {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), http.MethodGet, fmt.Sprintf("http://%s:%d%s", host, p.Port, path), nil)
	require.NoError(p.T, err)
	res, err := p.Client.Do(req)
	require.NoError(p.T, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(p.T, err)
	return res.StatusCode, res.Header, string(text)
}

// Saved is a row of a declared table.
type Saved map[string]any

// ID is the row's.
func (s Saved) ID() string { return s["id"].(string) }

// Upload sends a picture of one colour.
func (b *Browser) Upload(width, height int, crop map[string]int) Reply {
	b.T.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range crop {
		require.NoError(b.T, form.WriteField(name, strconv.Itoa(value)))
	}
	file, err := form.CreateFormFile("images", "spa.png")
	require.NoError(b.T, err)
	require.NoError(b.T, png.Encode(file, m))
	require.NoError(b.T, form.Close())
	return b.Send(http.MethodPost, "/api/owner/upload/image", form.FormDataContentType(), &body)
}

// Send calls an operation whose body is not JSON.
func (b *Browser) Send(method, path, contentType string, body io.Reader) (r Reply) {
	b.T.Helper()
	status, _, answer := b.Fetch(method, path, contentType, body)
	require.NoError(b.T, json.Unmarshal(answer, &r), "%s answered %s", path, answer)
	require.Equal(b.T, status, r.Code)
	return r
}

// Fetch is one request and its whole answer, whatever it is.
func (b *Browser) Fetch(method, path, contentType string, body io.Reader) (int, http.Header, []byte) {
	b.T.Helper()
	req, err := http.NewRequestWithContext(b.T.Context(), method, fmt.Sprintf("http://%s:%d%s", b.Host, b.Port, path), body)
	require.NoError(b.T, err)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Authorization", "Bearer "+b.Token)
	res, err := b.Client.Do(req)
	require.NoError(b.T, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(b.T, err)
	return res.StatusCode, res.Header, answer
}
