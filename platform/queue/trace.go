package queue

import (
	"context"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"welovevoucher/platform/log"
)

// traceHeader carries the trace that the row belongs to. It is not signed, because nothing is decided by it.
const traceHeader = "traceparent"

var tracer = otel.Tracer("welovevoucher/platform/queue")

// TraceOf returns the trace context that a row stores, so that its job is part of the trace of the request that enqueued it. It
// returns "" for scheduled jobs, which begin traces of their own.
func TraceOf(ctx context.Context) string {
	if trace.SpanContextFromContext(ctx).TraceID() == clockTrace {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceHeader]
}

// continued returns ctx in the trace of the request that enqueued the job.
func continued(ctx context.Context, task *asynq.Task) context.Context {
	return follow(ctx, task.Headers()[traceHeader])
}

func follow(ctx context.Context, parent string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceHeader: parent})
}

// spans starts a span for each row, in the trace of the request that enqueued it. end ends them all.
func spans(ctx context.Context, kind string, org uuid.UUID, rows []dueRow) (end func()) {
	open := make([]trace.Span, 0, len(rows))
	for _, row := range rows {
		_, span := tracer.Start(follow(ctx, row.Trace), "job "+kind, trace.WithSpanKind(trace.SpanKindConsumer),
			trace.WithAttributes(attribute.Stringer("job.id", row.ID), attribute.Stringer("org", org)))
		open = append(open, span)
	}
	return func() {
		for _, span := range open {
			span.End()
		}
	}
}

// traced runs a job in a span: a child of the request that enqueued it, or the root of a trace if the schedule did.
func traced(ctx context.Context, task *asynq.Task, org uuid.UUID, run func(ctx context.Context) error) error {
	ctx, span := tracer.Start(continued(ctx, task), "job "+task.Type(), trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithAttributes(attribute.String("job.id", task.Headers()[idHeader]), attribute.Stringer("org", org)))
	defer span.End()

	err := run(log.Traced(ctx))
	if err != nil {
		span.SetStatus(codes.Error, "") // the text is in the log and on the row
	}
	return err
}

// clockTrace is the trace of relay and schedule, which run every moment. It is never sampled.
var clockTrace = trace.TraceID{1}

// untraced keeps ctx out of the traces: spans below a parent that is not sampled are not sampled either.
func untraced(ctx context.Context) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: clockTrace, SpanID: trace.SpanID{1}}))
}
