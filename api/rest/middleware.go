package rest

import (
	"context"
	_ "embed"
	"errors"
	"html"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/helmet"
	"github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/gofiber/fiber/v3/middleware/requestid"
	"github.com/valyala/fasthttp"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
)

// MiddlewareDeps is what stands before every route.
type MiddlewareDeps struct {
	Log          *zap.Logger
	Orgs         *org.Directory
	Sessions     *session.Service
	PlatformHost string   // the platform's own host, without port
	PublicURL    string   // the platform's own address; its port is that of every host, and https there means https everywhere
	Proxies      []string // whose X-Forwarded-* headers are believed
	WithContext  func(context.Context) context.Context
	Drainer      *Drainer
}

// NewApp returns a Fiber app with the middleware of every call.
func NewApp(f MiddlewareDeps) *fiber.App {
	app := fiber.New(fiber.Config{
		AppName:           "We Love Voucher",
		Immutable:         true,
		BodyLimit:         MaxUpload,
		ReadBufferSize:    8 << 10, // a request's header at most; proxies in front allow as much
		ReduceMemoryUsage: true,    // or a socket keeps that buffer for as long as it is open
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       75 * time.Second,
		TrustProxy:        len(f.Proxies) > 0,
		TrustProxyConfig:  fiber.TrustProxyConfig{Proxies: f.Proxies},
		ErrorHandler:      onError,
	})
	server := app.Server()
	answer := server.ErrorHandler
	server.ErrorHandler = func(c *fasthttp.RequestCtx, err error) {
		c.SetUserValue(unread{}, err)
		answer(c, err)
	}
	server.HeaderReceived = endAfterChunks
	// A form is read by its length before it is taken apart. Else what stands behind its end is the next request, and where it is broken
	// the rest stays unread, and the answer is lost with the connection.
	server.DisablePreParseMultipartForm = true
	public, err := url.Parse(f.PublicURL)
	if err != nil {
		panic(err) // main has looked at it
	}
	app.Use(f.Drainer.attend, f.ownID, requestid.New(), f.observe, onlySecure(public.Scheme == "https"), f.enter(public.Port()), recover.New(), helmet.New(helmet.Config{
		XFrameOptions:             "DENY",
		ReferrerPolicy:            "strict-origin-when-cross-origin",
		CrossOriginEmbedderPolicy: "unsafe-none",
		CrossOriginOpenerPolicy:   "same-origin-allow-popups", // the share picker posts messages to its opener
		PermissionPolicy:          "camera=(self), geolocation=(self), microphone=()",
	}))
	return app
}

// endAfterChunks lets nothing follow a body that comes in chunks: where a length stands beside them, a proxy may have believed that,
// and what we read as the next request is somebody's body (RFC 9112, 6.1).
func endAfterChunks(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	if h.ContentLength() == -1 { // as fasthttp calls it
		h.SetConnectionClose()
	}
	return fasthttp.RequestConfig{}
}

// onlySecure has a browser come back by https alone, for a year: where it came so, and always where that is how we are reached, whatever
// the proxy says of a request. It names no host but the one that is asked; what lies below that is its owner's.
func onlySecure(always bool) fiber.Handler {
	return func(c fiber.Ctx) error {
		if always || c.Scheme() == "https" {
			c.Set(fiber.HeaderStrictTransportSecurity, "max-age=31536000")
		}
		return c.Next()
	}
}

// noShop is what a person sees at an address that no organisation has, or one that is not open yet.
//
//go:embed no_shop.html
var noShop string

// answerNoShop answers a page to who asked for one, and fiber.ErrNotFound to any other call.
func (f MiddlewareDeps) answerNoShop(c fiber.Ctx) error {
	if c.Method() != fiber.MethodGet || !strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML) {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	return c.Status(fiber.StatusNotFound).SendString(strings.ReplaceAll(noShop, "PUBLIC_URL", html.EscapeString(f.PublicURL)))
}

// enter finds the organisation of the host and gives the request its context. A packed body goes no further: Fiber would
// unpack it for whoever reads it, without a limit, and a megabyte can hold thousands of them.
func (f MiddlewareDeps) enter(port string) fiber.Handler {
	return func(c fiber.Ctx) error {
		if packing := c.Get(fiber.HeaderContentEncoding); packing != "" && !strings.EqualFold(packing, "identity") {
			return fiber.ErrUnsupportedMediaType
		}
		ctx := f.WithContext(c.Context())
		var host *org.Org
		name := org.CleanHost(c.Host())
		if name != f.PlatformHost && !hostless(c.Path()) {
			found, err := f.Orgs.ByHost(c.Context(), name)
			if errors.Is(err, org.ErrNotFound) || (err == nil && !found.Answers()) {
				return f.answerNoShop(c)
			}
			if err != nil {
				return err
			}
			host = &found
			ctx = log.With(ctx, zap.String("org", found.Unique))
		}

		if port != "" {
			name += ":" + port
		}
		c.SetContext(context.WithValue(ctx, requestKey{}, newRequest(c, host, c.Scheme()+"://"+name, f.Proxies, f.find)))
		return c.Next()
	}
}

const healthPath = "/api/health"

// hostless calls come from machines that may know us by an address only: balancers and gateways.
func hostless(path string) bool {
	return path == healthPath || hook(path)
}

// hook reports whether a path is a webhook's, however it is spelled: the router does not mind capitals, and what a gateway
// was given wrongly holds the secret as well.
func hook(spelled string) bool {
	if plain, err := url.PathUnescape(spelled); err == nil {
		spelled = plain
	}
	return strings.HasPrefix(strings.ToLower(path.Clean("/"+spelled)), "/api/hook/")
}

func (f MiddlewareDeps) find(ctx context.Context, plain string) (token.Session, error) {
	return f.Sessions.FindCached(ctx, plain)
}

// onError answers what no handler did: an unknown path, a body that is too large, garbage, a panic, an organisation that could not be looked up in
// time.
func onError(c fiber.Ctx, err error) error {
	status := fiber.StatusInternalServerError
	if known, ok := errors.AsType[*fiber.Error](err); ok {
		status = known.Code
	}
	if c.RequestCtx().UserValue(unread{}) != nil && status >= fiber.StatusInternalServerError {
		status = fiber.StatusBadRequest // Fiber calls it a gateway's fault when a client hangs up in the middle
	}

	answer := ErrorResponse(err)
	switch status {
	case fiber.StatusNotFound, fiber.StatusMethodNotAllowed:
		answer = ErrorResponse(fault.Missing)
	case fiber.StatusRequestEntityTooLarge:
		answer = ErrorResponse(fault.BodyTooLarge)
	default:
		if status < fiber.StatusInternalServerError { // what is no HTTP, or has too long a header
			answer = ErrorResponse(fault.BadInput)
			break
		}
		log.From(c.Context()).Error("request failed", zap.Error(err))
	}
	return c.Status(answer.Code).JSON(answer)
}
