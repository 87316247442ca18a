// Package gather lets what several callers ask at the same time be done together.
//
// Nobody waits for company: who comes while nothing is under way goes at once, alone. Who comes meanwhile waits in line, and
// all in line go next, together.
package gather

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

// Till serves works of one key in groups, one group at a time; different keys know nothing of each other, and a key that
// nobody is waiting for takes no memory.
type Till[K comparable, W any] struct {
	most, long int
	serve      func(ctx context.Context, key K, group []W) error
	unsure     func(err error) bool

	mu    sync.Mutex
	lines map[K][]*waiting[W] // there while a group of the key is under way
}

// waiting is somebody in line. He is told once: to serve the next group, which begins with him, or how his group went.
type waiting[W any] struct {
	work W
	told chan turn[W]
}

type turn[W any] struct {
	group []*waiting[W]
	alone bool
	err   error
	led   trace.SpanContext // where the group is found in the traces
}

// patience bounds a group, which belongs to no caller and so ends with none of them, and each try after it.
const patience = 10 * time.Second

// New returns a till for groups of most works, or fewer, behind which no more than long wait. serve leaves in each work what became
// of it; an error is that of the whole group, and then each work of several is served again by itself, so that one cannot spoil it
// for others. unsure tells errors after which it is not known whether the group was done. A work that was alone is served once
// more then, too; serve has to see what was done already, and to do the rest.
func New[K comparable, W any](most, long int, serve func(ctx context.Context, key K, group []W) error, unsure func(err error) bool) *Till[K, W] {
	return &Till[K, W]{most: most, long: long, serve: serve, unsure: unsure, lines: map[K][]*waiting[W]{}}
}

// Serve has a work served, with others if there are some. It returns fault.Unready when the line is full, and the context's
// error when that ends before the work's turn; once its group is under way it waits for that.
func (t *Till[K, W]) Serve(ctx context.Context, key K, work W) error {
	me := &waiting[W]{work, make(chan turn[W], 1)}
	t.mu.Lock()
	line, busy := t.lines[key]
	switch {
	case !busy:
		t.lines[key] = nil
	case len(line) >= t.long:
		t.mu.Unlock()
		return fault.Unready
	default:
		t.lines[key] = append(line, me)
	}
	t.mu.Unlock()

	mine := turn[W]{group: []*waiting[W]{me}}
	if busy {
		var left bool
		if mine, left = t.wait(ctx, key, me); left {
			return ctx.Err()
		}
	}
	if len(mine.group) > 0 {
		mine = t.lead(ctx, key, mine.group)
	} else {
		trace.SpanFromContext(ctx).AddLink(trace.Link{SpanContext: mine.led})
	}
	if mine.alone {
		return t.again(ctx, key, work, mine.err)
	}
	return mine.err
}

// Alone has a work served by itself, past the line.
func (t *Till[K, W]) Alone(ctx context.Context, key K, work W) error {
	err := t.one(ctx, key, work)
	if t.unsure(err) {
		return t.again(ctx, key, work, err)
	}
	return err
}

// again serves a work once more. What was unsure stays so when that fails: no other error says what became of the first try.
func (t *Till[K, W]) again(ctx context.Context, key K, work W, first error) error {
	err := t.one(ctx, key, work)
	if err != nil && t.unsure(first) {
		return fmt.Errorf("%w; once more: %s", first, err.Error())
	}
	return err
}

func (t *Till[K, W]) one(ctx context.Context, key K, work W) error {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	return t.serve(ctx, key, []W{work})
}

// wait waits for a turn. left tells that the context ended first, and that no group takes him any more.
func (t *Till[K, W]) wait(ctx context.Context, key K, me *waiting[W]) (mine turn[W], left bool) {
	select {
	case mine = <-me.told:
		return mine, false
	case <-ctx.Done():
	}
	t.mu.Lock()
	line := t.lines[key]
	at := slices.Index(line, me)
	if at >= 0 {
		t.lines[key] = slices.Delete(line, at, at+1)
	}
	t.mu.Unlock()
	if at >= 0 {
		return turn[W]{}, true
	}
	return <-me.told, false
}

// lead serves a group, gives the line to the next, and tells everybody how it went.
func (t *Till[K, W]) lead(ctx context.Context, key K, group []*waiting[W]) (mine turn[W]) {
	led := trace.SpanContextFromContext(ctx)
	mine = turn[W]{alone: len(group) > 1, led: led} // if serve panics, whoever it was panics alone
	defer func() {
		t.next(key)
		for _, other := range group[1:] {
			other.told <- mine
		}
		if len(group) > 1 {
			if r := recover(); r != nil {
				log.From(ctx).Error("gather: a group was given up, each goes alone", zap.Any("panic", r), zap.Stack("stack"))
			}
		}
	}()

	works := make([]W, len(group))
	for i, w := range group {
		works[i] = w.work
	}
	all, end := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer end()
	err := t.serve(all, key, works)
	mine = turn[W]{err: err, alone: err != nil && len(group) > 1 || t.unsure(err), led: led}
	return mine
}

// Waiting is how many are in a key's line.
func (t *Till[K, W]) Waiting(key K) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lines[key])
}

// next gives the line to whoever is first in it.
func (t *Till[K, W]) next(key K) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := t.lines[key]
	if len(line) == 0 {
		delete(t.lines, key)
		return
	}
	n := min(t.most, len(line))
	group := line[:n:n]
	t.lines[key] = line[n:]
	group[0].told <- turn[W]{group: group}
}
