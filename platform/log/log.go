// Package log makes the one logger and carries it, with request id and organisation, in the context.
package log

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// New returns a JSON logger for production, or a console one for a person at a terminal.
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

// lines is a logger before it is made: most of what could write never does, and what a logger would copy for each request lives as
// long as the request, a socket's for hours.
type lines struct {
	base   *zap.Logger
	fields []zap.Field
}

// With returns a context whose logger carries more fields. Fields never hold a token, a secret or a person's data, nor words that lie
// in a request's buffers.
func With(ctx context.Context, fields ...zap.Field) context.Context {
	l, ok := ctx.Value(key{}).(lines)
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, key{}, lines{l.base, slices.Concat(l.fields, fields)})
}

// Traced adds the trace that the context is in, by which the lines of a request and of its jobs are found together.
func Traced(ctx context.Context) context.Context {
	return With(ctx, zap.Stringer("trace", trace.SpanContextFromContext(ctx).TraceID()))
}

// Into puts a logger into the context.
func Into(ctx context.Context, l *zap.Logger) context.Context {
	return context.WithValue(ctx, key{}, lines{base: l})
}

// From returns the context's logger, or one that writes nowhere.
func From(ctx context.Context) *zap.Logger {
	if l, ok := ctx.Value(key{}).(lines); ok {
		return l.base.With(l.fields...)
	}
	return zap.NewNop()
}
