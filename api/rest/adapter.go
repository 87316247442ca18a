package rest

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v3"
)

// adapter lets huma speak Fiber v3; its own package knows only v2.
type adapter struct{ app *fiber.App }

func (a adapter) Handle(op *huma.Operation, handler func(huma.Context)) {
	path := strings.NewReplacer("{", ":", "}", "").Replace(op.Path)
	a.app.Add([]string{op.Method}, path, func(c fiber.Ctx) error {
		handler(&call{op: op, fiber: c})
		return nil
	})
}

// ServeHTTP answers without a network; huma's own test tools call it.
func (a adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resp, err := a.app.Test(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer resp.Body.Close()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body) // the recorder cannot fail
}

// call is one request as huma sees it. Fiber runs with Immutable, so its strings may be kept.
type call struct {
	op     *huma.Operation
	fiber  fiber.Ctx
	status int
}

var _ huma.Context = (*call)(nil)

func (c *call) Operation() *huma.Operation { return c.op }
func (c *call) Context() context.Context   { return c.fiber.Context() }
func (c *call) TLS() *tls.ConnectionState  { return c.fiber.RequestCtx().TLSConnectionState() }
func (c *call) Version() huma.ProtoVersion { return huma.ProtoVersion{Proto: c.fiber.Protocol()} }
func (c *call) Method() string             { return c.fiber.Method() }
func (c *call) Host() string               { return c.fiber.Hostname() }
func (c *call) RemoteAddr() string         { return c.fiber.IP() }
func (c *call) Param(name string) string   { return c.fiber.Params(name) }
func (c *call) Query(name string) string   { return c.fiber.Query(name) }
func (c *call) Header(name string) string  { return c.fiber.Get(name) }
func (c *call) BodyReader() io.Reader      { return bytes.NewReader(c.fiber.Body()) }
func (c *call) SetReadDeadline(t time.Time) error {
	return c.fiber.RequestCtx().Conn().SetReadDeadline(t)
}
func (c *call) Status() int                     { return c.status }
func (c *call) SetHeader(name, value string)    { c.fiber.Set(name, value) }
func (c *call) AppendHeader(name, value string) { c.fiber.Append(name, value) }
func (c *call) BodyWriter() io.Writer           { return c.fiber.RequestCtx() }

func (c *call) URL() url.URL {
	u, err := url.Parse(c.fiber.OriginalURL())
	if err != nil {
		return url.URL{}
	}
	return *u
}

func (c *call) EachHeader(cb func(name, value string)) {
	for name, value := range c.fiber.Request().Header.All() {
		cb(string(name), string(value))
	}
}

func (c *call) GetMultipartForm() (*multipart.Form, error) { return c.fiber.MultipartForm() }

func (c *call) SetStatus(code int) {
	c.status = code
	c.fiber.Status(code)
}
