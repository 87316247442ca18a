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
	done      chan struct{}
	value     V
	err       error
	startedAt time.Time
}

// New returns a Memo whose answers are fresh for so long from when they were asked for. It holds most of them at once; one more
// takes the place of any other.
func New[K comparable, V any](ttl time.Duration, capacity int, now func() time.Time) *Cache[K, V] {
	return &Cache[K, V]{ttl: ttl, capacity: capacity, now: now, entries: map[K]*entry[V]{}}
}

// WithAliases has an answer stand for other questions as well: those that names tells of it. It returns m.
func (c *Cache[K, V]) WithAliases(aliases func(value V) []K) *Cache[K, V] {
	c.aliases = aliases
	return c
}

// WithSync has an answer stay as fresh as if it had been asked for at heard, until it is stale: heard tells up to when it is known that
// whatever has changed was forgotten. It returns m.
func (c *Cache[K, V]) WithSync(syncedAt func() time.Time, maxTTL time.Duration) *Cache[K, V] {
	c.syncedAt, c.maxTTL = syncedAt, maxTTL
	return c
}

// loadTimeout bounds what everybody who wants to know waits for: it belongs to no caller, and so would end with none of them.
const loadTimeout = 5 * time.Second

var errPanicked = errors.New("cache: the load has panicked")

// GetOrLoad answers with what is remembered or, once for all who want to know while that is fresh, with what ask returns; an error is told to them and
// not remembered. ask outlives the caller that happened to be first.
func (c *Cache[K, V]) GetOrLoad(ctx context.Context, key K, load func(context.Context) (V, error)) (V, error) {
	e, mine := c.find(key)
	if mine {
		all, end := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer end()
		c.load(key, e, func() (V, error) { return load(all) })
		return e.value, e.err
	}
	select {
	case <-e.done:
		return e.value, e.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// DeleteFunc drops every answer that which names. One that is under way is dropped as well, for nobody knows yet what it says: who
// waits for it still gets it, and who comes after DeleteFunc asks anew.
func (c *Cache[K, V]) DeleteFunc(which func(key K, value V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.entries {
		if e.loading() || which(key, e.value) {
			delete(c.entries, key)
		}
	}
}

// find returns the answer to wait for; ours is true where the caller is the one to ask.
func (c *Cache[K, V]) find(key K) (e *entry[V], mine bool) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok && c.isValid(e, now) {
		return e, false
	}
	c.evict(now)
	e = &entry[V]{done: make(chan struct{}), err: errPanicked, startedAt: now}
	c.entries[key] = e
	return e, true
}

func (c *Cache[K, V]) load(key K, e *entry[V], load func() (V, error)) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.entries[key] == e { // nobody has forgotten it
			c.store(key, e)
		}
		close(e.done)
	}()
	e.value, e.err = load()
}

// settle keeps an answer under all of its names, and an error under none. A younger answer stays, and so does one under way.
func (c *Cache[K, V]) store(key K, e *entry[V]) {
	if e.err != nil {
		delete(c.entries, key)
		return
	}
	if c.aliases == nil {
		return
	}
	for _, name := range c.aliases(e.value) {
		other, ok := c.entries[name]
		if ok && (other.loading() || !other.startedAt.Before(e.startedAt)) {
			continue
		}
		if !ok {
			c.evict(c.now())
		}
		c.entries[name] = e
	}
}

// evict drops what is stale, not more often than it becomes so, and any other answer where that is not enough.
func (c *Cache[K, V]) evict(now time.Time) {
	if now.Sub(c.swept) >= c.ttl {
		c.swept = now
		for key, e := range c.entries {
			if !e.loading() && !c.isValid(e, now) {
				delete(c.entries, key)
			}
		}
	}
	for key := range c.entries {
		if len(c.entries) < c.capacity {
			return
		}
		delete(c.entries, key)
	}
}

func (c *Cache[K, V]) isValid(e *entry[V], now time.Time) bool {
	if now.Before(e.startedAt.Add(c.ttl)) {
		return true
	}
	return c.syncedAt != nil && now.Before(e.startedAt.Add(c.maxTTL)) && now.Before(c.syncedAt().Add(c.ttl))
}

func (e *entry[V]) loading() bool {
	select {
	case <-e.done:
		return false
	default:
		return true
	}
}
