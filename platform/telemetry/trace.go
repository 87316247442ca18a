// Package telemetry makes a running process observable: traces go to a collector, and metrics are served on a private port.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/zap"
)

// flushing limits how long a stopping process waits for its collector.
const flushing = 5 * time.Second

// Trace starts tracing in the name of service; stop sends what is left. The OTEL_ variables of OpenTelemetry configure exporter,
// batches, sampling and name. Without export nothing is recorded, but every request and job still has a trace id for the logs.
func Trace(ctx context.Context, service string, export bool, logger *zap.Logger) (stop func(), err error) {
	if !export {
		otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSampler(trace.NeverSample())))
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	who, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(),
		resource.WithAttributes(attribute.String("service.name", service)), resource.WithFromEnv()) // the last one wins
	if err != nil {
		return nil, errors.Join(fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err), exporter.Shutdown(ctx))
	}

	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { logger.Warn("telemetry", zap.Error(err)) }))
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(who))
	otel.SetTracerProvider(provider)
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), flushing)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			logger.Warn("telemetry: the last traces are lost", zap.Error(err))
		}
	}, nil
}
