package rest

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"welovevoucher/platform/log"
)

var tracer = otel.Tracer("welovevoucher/api/rest")

// requests is labelled by the route as it was registered, never by a path: those have no end.
var requests = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name: "wlv_http_request_duration_seconds", Help: "How long requests took, by route and class of status.",
	Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
}, []string{"route", "class"})

// unread keys why a request could not be read. Fiber walks the middleware for it all the same, finds no route, and gives its
// answer only after that: without the reason its line would say 404.
type unread struct{}

// observe gives a request its trace and its logger, and when it is over measures it and writes one line. What it keeps
// never holds the query: there may be a token or a code in it.
func (f MiddlewareDeps) observe(c fiber.Ctx) error {
	began := time.Now()
	ctx, span := tracer.Start(f.caller(c), c.Method(), trace.WithSpanKind(trace.SpanKindServer))
	defer span.End()
	id := c.GetRespHeader(fiber.HeaderXRequestID)
	c.SetContext(log.Traced(log.With(log.Into(ctx, f.Log), zap.String("request", id))))

	err := c.Next()
	if refused, ok := c.RequestCtx().UserValue(unread{}).(error); ok {
		err = fiber.ErrBadRequest
		if errors.Is(refused, fasthttp.ErrBodyTooLarge) {
			err = fiber.ErrRequestEntityTooLarge
		}
	}
	if err != nil {
		err = onError(c, err)
	}
	status, took, route := c.Response().StatusCode(), time.Since(began), routeOf(c)
	requests.WithLabelValues(route, strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
	span.SetName(c.Method() + " " + route)
	span.SetAttributes(attribute.String("http.request.method", c.Method()), attribute.String("http.route", route),
		attribute.Int("http.response.status_code", status), attribute.String("request", id))
	if status >= fiber.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	path := c.Path()
	if hook(path) {
		path = route // a webhook's address is a secret of its organisation
	}
	log.From(c.Context()).Info("request", zap.String("method", c.Method()), zap.String("path", path),
		zap.Int("status", status), zap.Duration("took", took))
	if c.RequestCtx().Hijacked() {
		c.RequestCtx().ResetUserValues() // or a socket would hold all that its request has looked up, for hours
	}
	return err
}

// caller is the trace that our own proxy began. A stranger's is not gone on with: he would decide what is sampled.
func (f MiddlewareDeps) caller(c fiber.Ctx) context.Context {
	if !f.proxied(c) {
		return c.Context()
	}
	return propagation.TraceContext{}.Extract(c.Context(), propagation.MapCarrier{"traceparent": c.Get("traceparent")})
}

// proxied reports whether a request comes through a proxy of ours.
func (f MiddlewareDeps) proxied(c fiber.Ctx) bool { return len(f.Proxies) > 0 && c.IsProxyTrusted() }

// ownID drops the id that a stranger gave his request: the log and the audit would hold what he likes, or somebody else's.
func (f MiddlewareDeps) ownID(c fiber.Ctx) error {
	if !f.proxied(c) {
		c.Request().Header.Del(fiber.HeaderXRequestID)
	}
	return c.Next()
}

// routeOf is the pattern of the route that answered.
func routeOf(c fiber.Ctx) string {
	if path := c.Route().Path; path != "/" {
		return path
	}
	return "none" // only the middleware was reached
}
