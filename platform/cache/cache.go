// Package cache keeps values for seconds, and loads each once for all callers that need it at the same time.
package cache

import (
	"context"
	"errors"
	"sync"
	"time"

	"welovevoucher/platform/fault"
)

// Cache keeps values by a K, in this process only. Whoever changes what a value was made from calls DeleteFunc. Other processes
// keep theirs until it expires, unless a subscription deletes it there (WithSync).
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

// entry is loading until done is closed. value and err may be read after that.
type entry[V any] struct {
	done      chan struct{}
	value     V
	err       error
	startedAt time.Time // when its load began
}

// New returns a Cache whose entries are valid for ttl after their load began. It holds capacity entries; a further one replaces any
// other.
func New[K comparable, V any](ttl time.Duration, capacity int, now func() time.Time) *Cache[K, V] {
	return &Cache[K, V]{ttl: ttl, capacity: capacity, now: now, entries: map[K]*entry[V]{}}
}

// WithAliases stores a value under further keys too: those that aliases returns for it. It returns c.
func (c *Cache[K, V]) WithAliases(aliases func(value V) []K) *Cache[K, V] {
	c.aliases = aliases
	return c
}

// WithSync extends the TTL while a subscription is current. syncedAt returns the time up to which all changes were received, and
// the entries they concern deleted. An entry is valid until syncedAt + ttl, at most until maxTTL after its load began. WithSync
// returns c.
func (c *Cache[K, V]) WithSync(syncedAt func() time.Time, maxTTL time.Duration) *Cache[K, V] {
	c.syncedAt, c.maxTTL = syncedAt, maxTTL
	return c
}

// loadTimeout limits a load, which all callers of a key share and which does not end with the context of any.
const loadTimeout = 5 * time.Second

var errPanicked = errors.New("cache: the load has panicked")

// GetOrLoad returns the valid entry of key. Without one it calls load, once for all callers that come meanwhile. An error of load
// is returned to them and not kept. load gets a context that does not end with the caller's, but after loadTimeout: then they get
// fault.Unready.
func (c *Cache[K, V]) GetOrLoad(ctx context.Context, key K, load func(context.Context) (V, error)) (V, error) {
	e, mine := c.find(key)
	if mine {
		all, end := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer end()
		c.load(key, e, func() (V, error) {
			value, err := load(all)
			if err != nil && all.Err() != nil {
				err = errors.Join(fault.Unready, err)
			}
			return value, err
		})
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

// DeleteFunc deletes the entries for which the given function returns true, and every entry that is loading, because its value is
// not known yet. Callers that wait for such a load still get its value; later ones load again.
func (c *Cache[K, V]) DeleteFunc(which func(key K, value V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.entries {
		if e.loading() || which(key, e.value) {
			delete(c.entries, key)
		}
	}
}

// find returns the entry to wait for. mine is true if the caller must load it.
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
		if c.entries[key] == e { // not deleted meanwhile
			c.store(key, e)
		}
		close(e.done)
	}()
	e.value, e.err = load()
}

// store keeps a value under all of its aliases, and drops an error. Entries that are newer or loading are not replaced.
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

// evict deletes expired entries, at most once per ttl, and then any others until there is room for one.
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
