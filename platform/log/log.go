// Package log makes the logger, and carries it with request id and organisation in the context.
package log

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// New returns a JSON logger, or one for a terminal if console is set.
func New(level zapcore.Level, console bool) (*zap.Logger, error) {
	cfg := zap.NewProductionConfig()
	if console {
		cfg = zap.NewDevelopmentConfig()
		cfg.EncoderConfig.EncodeLevel = zapcore.CapitalColorLevelEncoder
		cfg.DisableStacktrace = true
	}
	cfg.Level = zap.NewAtomicLevelAt(level)
	cfg.EncoderConfig.EncodeTime = zapcore.ISO8601TimeEncoder
	cfg.Sampling = nil
	return cfg.Build()
}

type key struct{}

// lines are a base logger and fields, from which From makes a logger. Most requests log nothing, and a logger that is made early
// would copy the fields for the whole life of the request, a socket's for hours.
type lines struct {
	base   *zap.Logger
	fields []zap.Field
}

// With returns a context whose logger has more fields. Fields must hold no token, secret or personal data, and no string of a
// request's buffers, which are reused.
func With(ctx context.Context, fields ...zap.Field) context.Context {
	l, ok := ctx.Value(key{}).(lines)
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, key{}, lines{l.base, slices.Concat(l.fields, fields)})
}

// Traced adds the id of the context's trace, by which the lines of a request and of its jobs are found together.
func Traced(ctx context.Context) context.Context {
	return With(ctx, zap.Stringer("trace", trace.SpanContextFromContext(ctx).TraceID()))
}

// Into returns a context with the logger.
func Into(ctx context.Context, l *zap.Logger) context.Context {
	return context.WithValue(ctx, key{}, lines{base: l})
}

// From returns the context's logger, or one that writes nothing.
func From(ctx context.Context) *zap.Logger {
	if l, ok := ctx.Value(key{}).(lines); ok {
		return l.base.With(l.fields...)
	}
	return zap.NewNop()
}
