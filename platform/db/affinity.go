package db

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// affinity assigns the slots of a pool to schemas. A connection prepares and plans a schema's statements for itself, and keeps its
// catalogue: if each of a thousand schemas used each of sixteen connections, that would take Postgres twenty minutes and ten
// gigabytes.
//
// So a schema gets slots that are warm for it, and waits for one though others are free. It gets a cold slot once it has waited for
// as long as a warm-up takes, or once its short waits add up to ten times that: a schema that sells much soon has many. While all
// slots are taken, a released one goes first to a waiter for which it is warm, but never ahead of one who has waited ten times that
// long.
type affinity struct {
	warmUpCost time.Duration

	mu        sync.Mutex
	slots     []*slot
	waiters   []*waiter                // in the order they came
	warmSlots map[string]int           // by schema: number of warm slots
	waited    map[string]time.Duration // by schema: waits while other slots were free, since its last warm-up

	counts
}

// counts are what the metrics report.
type counts struct {
	warmSlot, anySlot delay // waits for a warm slot while others were free; for any
	timeouts, warmUps int64
}

// delay is how often, and how long in all, callers waited.
type delay struct {
	times int64
	long  time.Duration
}

type slot struct {
	number  int
	taken   bool
	conn    *pgx.Conn
	warmFor map[string]bool // schemas whose statements conn has prepared
	cold    bool            // not warm for the schema that it was assigned to
}

// waiter waits for a slot.
type waiter struct {
	schema   string
	came     time.Time
	any      bool // takes a cold slot too
	assigned chan *slot
}

// tolerance limits waits, in warm-ups: how long a schema waits in all before it gets a cold slot, and a waiter before it goes
// first. A warm-up costs memory too, so it is not 1.
const tolerance = 10

func newAffinity(size int, warmUpCost time.Duration) *affinity {
	a := &affinity{warmUpCost: warmUpCost, warmSlots: map[string]int{}, waited: map[string]time.Duration{}}
	for number := range size {
		a.slots = append(a.slots, &slot{number: number, warmFor: map[string]bool{}})
	}
	return a
}

// acquireSlot takes a slot for the schema, or waits for one until ctx ends. The caller must call releaseSlot.
func (a *affinity) acquireSlot(ctx context.Context, schema string) (*slot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a.mu.Lock()
	w := &waiter{schema: schema, came: time.Now(), any: a.waited[schema] >= tolerance*a.warmUpCost, assigned: make(chan *slot, 1)}
	if free := a.choose(w); free != nil {
		a.assign(free, schema)
		a.mu.Unlock()
		return free, nil
	}
	full := !slices.ContainsFunc(a.slots, func(s *slot) bool { return !s.taken })
	a.waiters = append(a.waiters, w)
	a.mu.Unlock()

	s, err := a.wait(ctx, w)
	a.count(w, full, time.Since(w.came), err)
	return s, err
}

// wait waits for a slot, or returns the error of ctx. After warmUpCost it takes any slot.
func (a *affinity) wait(ctx context.Context, w *waiter) (*slot, error) {
	over := time.NewTimer(a.warmUpCost)
	defer over.Stop()
	for {
		select {
		case s := <-w.assigned:
			return s, nil
		case <-over.C:
			a.mu.Lock()
			w.any = true
			if free := a.choose(w); free != nil && a.leave(w) {
				a.assign(free, w.schema)
				w.assigned <- free
			}
			a.mu.Unlock()
		case <-ctx.Done():
			a.mu.Lock()
			waiting := a.leave(w)
			a.mu.Unlock()
			if !waiting {
				a.releaseSlot(<-w.assigned)
			}
			return nil, ctx.Err()
		}
	}
}

// count adds a wait to the counts, and to the waits of its schema if others were free.
func (a *affinity) count(w *waiter, full bool, waited time.Duration, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	by := &a.warmSlot
	if full {
		by = &a.anySlot
	}
	by.times++
	by.long += waited
	if err != nil {
		a.timeouts++
	}
	if !full && !w.any {
		a.waited[w.schema] += waited
	}
}

func (a *affinity) counted() counts {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts
}

// choose returns the free slot for a waiter: one that is warm for its schema; if no slot is, or it takes any, the one that is
// warm for the fewest schemas; else nil.
func (a *affinity) choose(w *waiter) (best *slot) {
	for _, s := range a.slots {
		if s.taken {
			continue
		}
		if s.warmFor[w.schema] {
			return s
		}
		if (w.any || a.warmSlots[w.schema] == 0) && (best == nil || len(s.warmFor) < len(best.warmFor)) {
			best = s
		}
	}
	return best
}

// assign takes a free slot for a schema.
func (a *affinity) assign(s *slot, schema string) {
	s.taken, s.cold = true, !s.warmFor[schema]
	if s.cold {
		a.markWarm(s, schema)
		delete(a.waited, schema)
	}
}

func (a *affinity) markWarm(s *slot, schema string) {
	s.warmFor[schema] = true
	a.warmSlots[schema]++
}

// leave removes a waiter, and reports whether it was still waiting.
func (a *affinity) leave(w *waiter) bool {
	i := slices.Index(a.waiters, w)
	if i < 0 {
		return false
	}
	a.waiters = slices.Delete(a.waiters, i, i+1)
	return true
}

// releaseSlot gives the slot to the first waiter whose schema is warm on it, warm on none, or overdue; then to the first that takes
// any; else it frees it.
func (a *affinity) releaseSlot(s *slot) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.taken = false
	i := slices.IndexFunc(a.waiters, func(w *waiter) bool {
		return s.warmFor[w.schema] || a.warmSlots[w.schema] == 0 || w.any && time.Since(w.came) >= tolerance*a.warmUpCost
	})
	if i < 0 {
		i = slices.IndexFunc(a.waiters, func(w *waiter) bool { return w.any })
	}
	if i < 0 {
		return
	}
	next := a.waiters[i]
	a.leave(next)
	a.assign(s, next.schema)
	next.assigned <- s
}

// attach says which connection a slot has. A new connection is warm for the given schema only.
func (a *affinity) attach(s *slot, conn *pgx.Conn, schema string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.cold || s.conn != conn {
		a.warmUps++
	}
	if s.conn == conn {
		return
	}
	s.conn = conn
	for other := range s.warmFor {
		if a.warmSlots[other]--; a.warmSlots[other] == 0 {
			delete(a.warmSlots, other)
		}
	}
	clear(s.warmFor)
	a.markWarm(s, schema)
}
