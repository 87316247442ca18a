// Package batch lets what several callers ask at the same time be done together.
//
// Nobody waits for company: who comes while nothing is under way goes at once, alone. Who comes meanwhile waits in line, and
// all in line go next, together.
package batch

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
)

// Batcher serves works of one key in groups, one group at a time; different keys know nothing of each other, and a key that
// nobody is waiting for takes no memory.
type Batcher[K comparable, W any] struct {
	maxBatch, maxQueue int
	run                func(ctx context.Context, key K, works []W) error
	isUnknown          func(err error) bool

	mu     sync.Mutex
	queues map[K][]*call[W] // there while a group of the key is under way
}

// call is somebody in line. He is told once: to serve the next group, which begins with him, or how his group went.
type call[W any] struct {
	work W
	done chan outcome[W]
}

type outcome[W any] struct {
	group []*call[W]
	alone bool
	err   error
	span  trace.SpanContext // where the group is found in the traces
}

// runTimeout bounds a group, which belongs to no caller and so ends with none of them, and each try after it.
const runTimeout = 10 * time.Second

// New returns a till for groups of most works, or fewer, behind which no more than long wait. serve leaves in each work what became
// of it; an error is that of the whole group, and then each work of several is served again by itself, so that one cannot spoil it
// for others. unsure tells errors after which it is not known whether the group was done. A work that was alone is served once
// more then, too; serve has to see what was done already, and to do the rest.
func New[K comparable, W any](maxBatch, maxQueue int, run func(ctx context.Context, key K, works []W) error, isUnknown func(err error) bool) *Batcher[K, W] {
	return &Batcher[K, W]{maxBatch: maxBatch, maxQueue: maxQueue, run: run, isUnknown: isUnknown, queues: map[K][]*call[W]{}}
}

// Do has a work served, with others if there are some. It returns fault.Unready when the line is full, and the context's
// error when that ends before the work's turn; once its group is under way it waits for that.
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

	result := outcome[W]{group: []*call[W]{me}}
	if busy {
		var left bool
		if result, left = b.wait(ctx, key, me); left {
			return ctx.Err()
		}
	}
	if len(result.group) > 0 {
		result = b.runBatch(ctx, key, result.group)
	} else {
		trace.SpanFromContext(ctx).AddLink(trace.Link{SpanContext: result.span})
	}
	if result.alone {
		return b.retry(ctx, key, work, result.err)
	}
	return result.err
}

// DoAlone has a work served by itself, past the line.
func (b *Batcher[K, W]) DoAlone(ctx context.Context, key K, work W) error {
	err := b.one(ctx, key, work)
	if b.isUnknown(err) {
		return b.retry(ctx, key, work, err)
	}
	return err
}

// retry serves a work once more. What was unsure stays so when that fails: no other error says what became of the first try.
func (b *Batcher[K, W]) retry(ctx context.Context, key K, work W, first error) error {
	err := b.one(ctx, key, work)
	if err != nil && b.isUnknown(first) {
		return fmt.Errorf("%w; once more: %s", first, err.Error())
	}
	return err
}

func (b *Batcher[K, W]) one(ctx context.Context, key K, work W) error {
	ctx, end := context.WithTimeout(ctx, runTimeout)
	defer end()
	return b.run(ctx, key, []W{work})
}

// wait waits for a turn. left tells that the context ended first, and that no group takes him any more.
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

// runBatch serves a group, gives the line to the next, and tells everybody how it went.
func (b *Batcher[K, W]) runBatch(ctx context.Context, key K, group []*call[W]) (result outcome[W]) {
	span := trace.SpanContextFromContext(ctx)
	result = outcome[W]{alone: len(group) > 1, span: span} // if serve panics, whoever it was panics alone
	defer func() {
		b.next(key)
		for _, other := range group[1:] {
			other.done <- result
		}
		if len(group) > 1 {
			if r := recover(); r != nil {
				log.From(ctx).Error("batch: a group was given up, each goes alone", zap.Any("panic", r), zap.Stack("stack"))
			}
		}
	}()

	works := make([]W, len(group))
	for i, w := range group {
		works[i] = w.work
	}
	all, end := context.WithTimeout(context.WithoutCancel(ctx), runTimeout)
	defer end()
	err := b.run(all, key, works)
	result = outcome[W]{err: err, alone: err != nil && len(group) > 1 || b.isUnknown(err), span: span}
	return result
}

// QueueLen is how many are in a key's line.
func (b *Batcher[K, W]) QueueLen(key K) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queues[key])
}

// next gives the line to whoever is first in it.
func (b *Batcher[K, W]) next(key K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue := b.queues[key]
	if len(queue) == 0 {
		delete(b.queues, key)
		return
	}
	n := min(b.maxBatch, len(queue))
	group := queue[:n:n]
	b.queues[key] = queue[n:]
	group[0].done <- outcome[W]{group: group}
}
