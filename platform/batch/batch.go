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
	serve              func(ctx context.Context, key K, group []W) error
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
	led   trace.SpanContext // where the group is found in the traces
}

// runTimeout bounds a group, which belongs to no caller and so ends with none of them, and each try after it.
const runTimeout = 10 * time.Second

// New returns a till for groups of most works, or fewer, behind which no more than long wait. serve leaves in each work what became
// of it; an error is that of the whole group, and then each work of several is served again by itself, so that one cannot spoil it
// for others. unsure tells errors after which it is not known whether the group was done. A work that was alone is served once
// more then, too; serve has to see what was done already, and to do the rest.
func New[K comparable, W any](most, long int, serve func(ctx context.Context, key K, group []W) error, unsure func(err error) bool) *Batcher[K, W] {
	return &Batcher[K, W]{maxBatch: most, maxQueue: long, serve: serve, isUnknown: unsure, queues: map[K][]*call[W]{}}
}

// Do has a work served, with others if there are some. It returns fault.Unready when the line is full, and the context's
// error when that ends before the work's turn; once its group is under way it waits for that.
func (t *Batcher[K, W]) Do(ctx context.Context, key K, work W) error {
	me := &call[W]{work, make(chan outcome[W], 1)}
	t.mu.Lock()
	line, busy := t.queues[key]
	switch {
	case !busy:
		t.queues[key] = nil
	case len(line) >= t.maxQueue:
		t.mu.Unlock()
		return fault.Unready
	default:
		t.queues[key] = append(line, me)
	}
	t.mu.Unlock()

	mine := outcome[W]{group: []*call[W]{me}}
	if busy {
		var left bool
		if mine, left = t.wait(ctx, key, me); left {
			return ctx.Err()
		}
	}
	if len(mine.group) > 0 {
		mine = t.runBatch(ctx, key, mine.group)
	} else {
		trace.SpanFromContext(ctx).AddLink(trace.Link{SpanContext: mine.led})
	}
	if mine.alone {
		return t.retry(ctx, key, work, mine.err)
	}
	return mine.err
}

// DoAlone has a work served by itself, past the line.
func (t *Batcher[K, W]) DoAlone(ctx context.Context, key K, work W) error {
	err := t.one(ctx, key, work)
	if t.isUnknown(err) {
		return t.retry(ctx, key, work, err)
	}
	return err
}

// retry serves a work once more. What was unsure stays so when that fails: no other error says what became of the first try.
func (t *Batcher[K, W]) retry(ctx context.Context, key K, work W, first error) error {
	err := t.one(ctx, key, work)
	if err != nil && t.isUnknown(first) {
		return fmt.Errorf("%w; once more: %s", first, err.Error())
	}
	return err
}

func (t *Batcher[K, W]) one(ctx context.Context, key K, work W) error {
	ctx, end := context.WithTimeout(ctx, runTimeout)
	defer end()
	return t.serve(ctx, key, []W{work})
}

// wait waits for a turn. left tells that the context ended first, and that no group takes him any more.
func (t *Batcher[K, W]) wait(ctx context.Context, key K, me *call[W]) (mine outcome[W], left bool) {
	select {
	case mine = <-me.done:
		return mine, false
	case <-ctx.Done():
	}
	t.mu.Lock()
	line := t.queues[key]
	at := slices.Index(line, me)
	if at >= 0 {
		t.queues[key] = slices.Delete(line, at, at+1)
	}
	t.mu.Unlock()
	if at >= 0 {
		return outcome[W]{}, true
	}
	return <-me.done, false
}

// runBatch serves a group, gives the line to the next, and tells everybody how it went.
func (t *Batcher[K, W]) runBatch(ctx context.Context, key K, group []*call[W]) (mine outcome[W]) {
	led := trace.SpanContextFromContext(ctx)
	mine = outcome[W]{alone: len(group) > 1, led: led} // if serve panics, whoever it was panics alone
	defer func() {
		t.next(key)
		for _, other := range group[1:] {
			other.done <- mine
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
	err := t.serve(all, key, works)
	mine = outcome[W]{err: err, alone: err != nil && len(group) > 1 || t.isUnknown(err), led: led}
	return mine
}

// QueueLen is how many are in a key's line.
func (t *Batcher[K, W]) QueueLen(key K) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queues[key])
}

// next gives the line to whoever is first in it.
func (t *Batcher[K, W]) next(key K) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := t.queues[key]
	if len(line) == 0 {
		delete(t.queues, key)
		return
	}
	n := min(t.maxBatch, len(line))
	group := line[:n:n]
	t.queues[key] = line[n:]
	group[0].done <- outcome[W]{group: group}
}
