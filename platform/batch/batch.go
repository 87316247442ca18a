// Package batch is group commit: calls that come at the same time run together.
//
// A call that comes while nothing runs is run at once, alone. Calls that come meanwhile wait in a queue, and then run together.
package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
)

// Batcher runs works of one key in batches, one batch at a time; beside it run works that DoAlone takes, and those of a batch that
// failed, each by itself. Keys are independent of each other. A key without running or
// waiting works takes no memory.
type Batcher[K comparable, W any] struct {
	maxBatch, maxQueue int
	run                func(ctx context.Context, key K, works []W) error
	isUnknown          func(err error) bool

	mu     sync.Mutex
	queues map[K][]*call[W] // by key; present while a batch of the key runs
}

// call is a queued work. done receives one outcome: the batch that the call must run, or the result of the batch it was in.
type call[W any] struct {
	work W
	done chan outcome[W]
}

// outcome is either a batch to run, which begins with the call that receives it, or err. If alone is set, the call must run its
// work by itself, because the batch failed. span is that of the batch.
type outcome[W any] struct {
	batch []*call[W]
	alone bool
	err   error
	span  trace.SpanContext
}

// runTimeout limits a batch, which does not end with the context of any of its callers, and each retry.
const runTimeout = 10 * time.Second

// New returns a batcher for batches of at most maxBatch works, with at most maxQueue works queued for a key.
//
// run stores the outcome of each work in the work itself. An error of run is that of the whole batch: then each work of several is
// run again by itself, so that one cannot fail the others. isUnknown reports whether an error leaves it open if the batch was done.
// Then a work that was alone is run once more too; run has to find out what was done, and do the rest.
func New[K comparable, W any](maxBatch, maxQueue int, run func(ctx context.Context, key K, works []W) error, isUnknown func(err error) bool) *Batcher[K, W] {
	return &Batcher[K, W]{maxBatch: maxBatch, maxQueue: maxQueue, run: run, isUnknown: isUnknown, queues: map[K][]*call[W]{}}
}

// Do runs work, together with others if there are any. It returns fault.Unready if the queue is full or the time is over, and the error
// of ctx if that ends while work is queued. Once its batch runs, it waits for the result.
func (b *Batcher[K, W]) Do(ctx context.Context, key K, work W) error {
	me := &call[W]{work, make(chan outcome[W], 1)}
	b.mu.Lock()
	queue, busy := b.queues[key]
	switch {
	case !busy:
		b.queues[key] = nil
	case len(queue) >= b.maxQueue:
		b.mu.Unlock()
		return fault.Unready
	default:
		b.queues[key] = append(queue, me)
	}
	b.mu.Unlock()

	result := outcome[W]{batch: []*call[W]{me}}
	if busy {
		var left bool
		if result, left = b.wait(ctx, key, me); left {
			return ctx.Err()
		}
	}
	if len(result.batch) > 0 {
		result = b.runBatch(ctx, key, result.batch)
	} else {
		trace.SpanFromContext(ctx).AddLink(trace.Link{SpanContext: result.span})
	}
	if result.alone {
		return b.retry(ctx, key, work, result.err)
	}
	return result.err
}

// DoAlone runs work by itself at once, ahead of the queue.
func (b *Batcher[K, W]) DoAlone(ctx context.Context, key K, work W) error {
	err := b.one(ctx, key, work)
	if b.isUnknown(err) {
		return b.retry(ctx, key, work, err)
	}
	return err
}

// retry runs work once more. If that fails too and first was unknown, it returns first: no other error says what became of the
// first run.
func (b *Batcher[K, W]) retry(ctx context.Context, key K, work W, first error) error {
	err := b.one(ctx, key, work)
	if err != nil && b.isUnknown(first) {
		return fmt.Errorf("%w; once more: %s", first, err.Error())
	}
	return err
}

func (b *Batcher[K, W]) one(ctx context.Context, key K, work W) error {
	return b.inTime(ctx, key, []W{work})
}

// inTime runs works for runTimeout at most. It returns fault.Unready, joined with the error, for those that were not done in time.
func (b *Batcher[K, W]) inTime(ctx context.Context, key K, works []W) error {
	ctx, end := context.WithTimeout(ctx, runTimeout)
	defer end()
	err := b.run(ctx, key, works)
	if err != nil && ctx.Err() != nil && !b.isUnknown(err) {
		return errors.Join(fault.Unready, err)
	}
	return err
}

// wait waits for the outcome of me. left is true if ctx ended first and me was removed from the queue.
func (b *Batcher[K, W]) wait(ctx context.Context, key K, me *call[W]) (result outcome[W], left bool) {
	select {
	case result = <-me.done:
		return result, false
	case <-ctx.Done():
	}
	b.mu.Lock()
	queue := b.queues[key]
	at := slices.Index(queue, me)
	if at >= 0 {
		b.queues[key] = slices.Delete(queue, at, at+1)
	}
	b.mu.Unlock()
	if at >= 0 {
		return outcome[W]{}, true
	}
	return <-me.done, false
}

// runBatch runs a batch, then starts the next one and sends the result to the other calls of its own.
func (b *Batcher[K, W]) runBatch(ctx context.Context, key K, batch []*call[W]) (result outcome[W]) {
	span := trace.SpanContextFromContext(ctx)
	result = outcome[W]{alone: len(batch) > 1, span: span} // if run panics, each work runs alone, and only its own call panics
	defer func() {
		b.next(key)
		for _, other := range batch[1:] {
			other.done <- result
		}
		if len(batch) > 1 {
			if r := recover(); r != nil {
				log.From(ctx).Error("batch: a batch was given up, each work goes alone", zap.Any("panic", r), zap.Stack("stack"))
			}
		}
	}()

	works := make([]W, len(batch))
	for i, w := range batch {
		works[i] = w.work
	}
	err := b.inTime(context.WithoutCancel(ctx), key, works)
	result = outcome[W]{err: err, alone: err != nil && len(batch) > 1 || b.isUnknown(err), span: span}
	return result
}

// QueueLen returns how many works of a key are queued.
func (b *Batcher[K, W]) QueueLen(key K) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queues[key])
}

// next takes a batch off the queue, and has its first call run it.
func (b *Batcher[K, W]) next(key K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue := b.queues[key]
	if len(queue) == 0 {
		delete(b.queues, key)
		return
	}
	n := min(b.maxBatch, len(queue))
	batch := queue[:n:n]
	b.queues[key] = queue[n:]
	batch[0].done <- outcome[W]{batch: batch}
}
