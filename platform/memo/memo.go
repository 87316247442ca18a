// Package memo remembers answers for a moment, so that many who ask the same ask once.
package memo

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Memo keeps the answers to questions that are named by a K. It holds in this process alone: whoever changes what they say
// forgets them here, and every other process believes its own for as long as they are fresh, unless it hears of that (Hearing).
type Memo[K comparable, V any] struct {
	fresh time.Duration
	most  int
	now   func() time.Time
	names func(value V) []K
	heard func() time.Time
	stale time.Duration

	mu    sync.Mutex
	known map[K]*answer[V]
	swept time.Time
}

// answer is under way until done is closed; the rest may be read after that.
type answer[V any] struct {
	done  chan struct{}
	value V
	err   error
	asked time.Time
}

// New returns a Memo whose answers are fresh for so long from when they were asked for. It holds most of them at once; one more
// takes the place of any other.
func New[K comparable, V any](fresh time.Duration, most int, now func() time.Time) *Memo[K, V] {
	return &Memo[K, V]{fresh: fresh, most: most, now: now, known: map[K]*answer[V]{}}
}

// Naming has an answer stand for other questions as well: those that names tells of it. It returns m.
func (m *Memo[K, V]) Naming(names func(value V) []K) *Memo[K, V] {
	m.names = names
	return m
}

// Hearing has an answer stay as fresh as if it had been asked for at heard, until it is stale: heard tells up to when it is known that
// whatever has changed was forgotten. It returns m.
func (m *Memo[K, V]) Hearing(heard func() time.Time, stale time.Duration) *Memo[K, V] {
	m.heard, m.stale = heard, stale
	return m
}

// patience bounds what everybody who wants to know waits for: it belongs to no caller, and so would end with none of them.
const patience = 5 * time.Second

var errPanicked = errors.New("memo: who asked has panicked")

// Recall answers with what is remembered or, once for all who want to know while that is fresh, with what ask returns; an error is told to them and
// not remembered. ask outlives the caller that happened to be first.
func (m *Memo[K, V]) Recall(ctx context.Context, key K, ask func(context.Context) (V, error)) (V, error) {
	a, ours := m.find(key)
	if ours {
		all, end := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer end()
		m.answer(key, a, func() (V, error) { return ask(all) })
		return a.value, a.err
	}
	select {
	case <-a.done:
		return a.value, a.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// Forget drops every answer that which names. One that is under way is dropped as well, for nobody knows yet what it says: who
// waits for it still gets it, and who comes after Forget asks anew.
func (m *Memo[K, V]) Forget(which func(key K, value V) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, a := range m.known {
		if a.underWay() || which(key, a.value) {
			delete(m.known, key)
		}
	}
}

// find returns the answer to wait for; ours is true where the caller is the one to ask.
func (m *Memo[K, V]) find(key K) (a *answer[V], ours bool) {
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if a, ok := m.known[key]; ok && m.isFresh(a, now) {
		return a, false
	}
	m.makeRoom(now)
	a = &answer[V]{done: make(chan struct{}), err: errPanicked, asked: now}
	m.known[key] = a
	return a, true
}

func (m *Memo[K, V]) answer(key K, a *answer[V], ask func() (V, error)) {
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.known[key] == a { // nobody has forgotten it
			m.settle(key, a)
		}
		close(a.done)
	}()
	a.value, a.err = ask()
}

// settle keeps an answer under all of its names, and an error under none. A younger answer stays, and so does one under way.
func (m *Memo[K, V]) settle(key K, a *answer[V]) {
	if a.err != nil {
		delete(m.known, key)
		return
	}
	if m.names == nil {
		return
	}
	for _, name := range m.names(a.value) {
		other, ok := m.known[name]
		if ok && (other.underWay() || !other.asked.Before(a.asked)) {
			continue
		}
		if !ok {
			m.makeRoom(m.now())
		}
		m.known[name] = a
	}
}

// makeRoom drops what is stale, not more often than it becomes so, and any other answer where that is not enough.
func (m *Memo[K, V]) makeRoom(now time.Time) {
	if now.Sub(m.swept) >= m.fresh {
		m.swept = now
		for key, a := range m.known {
			if !a.underWay() && !m.isFresh(a, now) {
				delete(m.known, key)
			}
		}
	}
	for key := range m.known {
		if len(m.known) < m.most {
			return
		}
		delete(m.known, key)
	}
}

func (m *Memo[K, V]) isFresh(a *answer[V], now time.Time) bool {
	if now.Before(a.asked.Add(m.fresh)) {
		return true
	}
	return m.heard != nil && now.Before(a.asked.Add(m.stale)) && now.Before(m.heard().Add(m.fresh))
}

func (a *answer[V]) underWay() bool {
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}
