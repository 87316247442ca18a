package pages

import (
	_ "embed"
	"io/fs"
	"mime"
	"path"
	"strings"

	"github.com/gofiber/fiber/v3"

	"welovevoucher/api/rest"
)

// profilePNG stands in for a person without a picture.
//
//go:embed profile2.png
var profilePNG []byte

func (s server) profilePicture(c fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, "image/png")
	c.Set(fiber.HeaderCacheControl, "public, max-age=86400")
	return c.Send(profilePNG)
}

// encodings in the order we like them; the build writes both beside each file.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// asset serves a built file: its name holds a hash of its content, so it never changes.
func (s server) asset(c fiber.Ctx) error {
	file := path.Clean(c.Params("app") + "/" + c.Params("*"))
	if !fs.ValidPath(file) || strings.HasSuffix(file, ".html") {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	for _, e := range encodings {
		if !strings.Contains(c.Get(fiber.HeaderAcceptEncoding), e.name) {
			continue
		}
		if text, err := fs.ReadFile(s.Dist, file+e.suffix); err == nil {
			c.Set(fiber.HeaderContentEncoding, e.name)
			return send(c, file, text)
		}
	}
	text, err := fs.ReadFile(s.Dist, file)
	if err != nil {
		return fiber.ErrNotFound
	}
	return send(c, file, text)
}

// serviceWorker serves the service worker of the customer's app from /user/, the folder of the pages that it controls. Its address stays the same: a browser asks for it at each
// visit, and finds the next release by it.
func (s server) serviceWorker(c fiber.Ctx) error {
	text, err := fs.ReadFile(s.Dist, "customer/service-worker.js")
	if err != nil || rest.From(c.Context()).Org == nil {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, "text/javascript; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-cache")
	c.Set("Service-Worker-Allowed", "/") // in a plain browser the LINE app's address has it too
	return c.Send(text)
}

func send(c fiber.Ctx, file string, text []byte) error {
	kind := mime.TypeByExtension(path.Ext(file))
	switch path.Ext(file) { // not every machine's table knows these
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".woff2":
		kind = "font/woff2"
	case ".wasm":
		kind = "application/wasm"
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	return c.Send(text)
}
