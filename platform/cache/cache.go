// Package cache remembers answers for a moment, so that many who ask the same ask once.
package cache

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Cache keeps the answers to questions that are named by a K. It holds in this process alone: whoever changes what they say
// forgets them here, and every other process believes its own for as long as they are fresh, unless it hears of that (Hearing).
type Cache[K comparable, V any] struct {
	ttl      time.Duration
	capacity int
	now      func() time.Time
	aliases  func(value V) []K
	syncedAt func() time.Time
	maxTTL   time.Duration

	mu      sync.Mutex
	entries map[K]*entry[V]
	swept   time.Time
}

// entry is under way until done is closed; the rest may be read after that.
type entry[V any] struct {
	done  chan struct{}
	value V
	err   error
	asked time.Time
}

// New returns a Memo whose answers are fresh for so long from when they were asked for. It holds most of them at once; one more
// takes the place of any other.
func New[K comparable, V any](fresh time.Duration, most int, now func() time.Time) *Cache[K, V] {
	return &Cache[K, V]{ttl: fresh, capacity: most, now: now, entries: map[K]*entry[V]{}}
}

// WithAliases has an answer stand for other questions as well: those that names tells of it. It returns m.
func (m *Cache[K, V]) WithAliases(names func(value V) []K) *Cache[K, V] {
	m.aliases = names
	return m
}

// WithSync has an answer stay as fresh as if it had been asked for at heard, until it is stale: heard tells up to when it is known that
// whatever has changed was forgotten. It returns m.
func (m *Cache[K, V]) WithSync(heard func() time.Time, stale time.Duration) *Cache[K, V] {
	m.syncedAt, m.maxTTL = heard, stale
	return m
}

// loadTimeout bounds what everybody who wants to know waits for: it belongs to no caller, and so would end with none of them.
const loadTimeout = 5 * time.Second

var errPanicked = errors.New("cache: who asked has panicked")

// GetOrLoad answers with what is remembered or, once for all who want to know while that is fresh, with what ask returns; an error is told to them and
// not remembered. ask outlives the caller that happened to be first.
func (m *Cache[K, V]) GetOrLoad(ctx context.Context, key K, ask func(context.Context) (V, error)) (V, error) {
	a, ours := m.find(key)
	if ours {
		all, end := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
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

// DeleteFunc drops every answer that which names. One that is under way is dropped as well, for nobody knows yet what it says: who
// waits for it still gets it, and who comes after DeleteFunc asks anew.
func (m *Cache[K, V]) DeleteFunc(which func(key K, value V) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, a := range m.entries {
		if a.loading() || which(key, a.value) {
			delete(m.entries, key)
		}
	}
}

// find returns the answer to wait for; ours is true where the caller is the one to ask.
func (m *Cache[K, V]) find(key K) (a *entry[V], ours bool) {
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if a, ok := m.entries[key]; ok && m.isFresh(a, now) {
		return a, false
	}
	m.evict(now)
	a = &entry[V]{done: make(chan struct{}), err: errPanicked, asked: now}
	m.entries[key] = a
	return a, true
}

func (m *Cache[K, V]) answer(key K, a *entry[V], ask func() (V, error)) {
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.entries[key] == a { // nobody has forgotten it
			m.settle(key, a)
		}
		close(a.done)
	}()
	a.value, a.err = ask()
}

// settle keeps an answer under all of its names, and an error under none. A younger answer stays, and so does one under way.
func (m *Cache[K, V]) settle(key K, a *entry[V]) {
	if a.err != nil {
		delete(m.entries, key)
		return
	}
	if m.aliases == nil {
		return
	}
	for _, name := range m.aliases(a.value) {
		other, ok := m.entries[name]
		if ok && (other.loading() || !other.asked.Before(a.asked)) {
			continue
		}
		if !ok {
			m.evict(m.now())
		}
		m.entries[name] = a
	}
}

// evict drops what is stale, not more often than it becomes so, and any other answer where that is not enough.
func (m *Cache[K, V]) evict(now time.Time) {
	if now.Sub(m.swept) >= m.ttl {
		m.swept = now
		for key, a := range m.entries {
			if !a.loading() && !m.isFresh(a, now) {
				delete(m.entries, key)
			}
		}
	}
	for key := range m.entries {
		if len(m.entries) < m.capacity {
			return
		}
		delete(m.entries, key)
	}
}

func (m *Cache[K, V]) isFresh(a *entry[V], now time.Time) bool {
	if now.Before(a.asked.Add(m.ttl)) {
		return true
	}
	return m.syncedAt != nil && now.Before(a.asked.Add(m.maxTTL)) && now.Before(m.syncedAt().Add(m.ttl))
}

func (a *entry[V]) loading() bool {
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}
