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
	s := &affinity{warmUpCost: warmUpCost, warmSlots: map[string]int{}, waited: map[string]time.Duration{}}
	for number := range size {
		s.slots = append(s.slots, &slot{number: number, warmFor: map[string]bool{}})
	}
	return s
}

// acquireSlot takes a slot for the schema, or waits for one until ctx ends. The caller must call releaseSlot.
func (s *affinity) acquireSlot(ctx context.Context, schema string) (*slot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	g := &waiter{schema: schema, came: time.Now(), any: s.waited[schema] >= tolerance*s.warmUpCost, assigned: make(chan *slot, 1)}
	if free := s.choose(g); free != nil {
		s.assign(free, schema)
		s.mu.Unlock()
		return free, nil
	}
	full := !slices.ContainsFunc(s.slots, func(at *slot) bool { return !at.taken })
	s.waiters = append(s.waiters, g)
	s.mu.Unlock()

	at, err := s.wait(ctx, g)
	s.count(g, full, time.Since(g.came), err)
	return at, err
}

// wait waits for a slot, or returns the error of ctx. After warmUpCost it takes any slot.
func (s *affinity) wait(ctx context.Context, g *waiter) (*slot, error) {
	over := time.NewTimer(s.warmUpCost)
	defer over.Stop()
	for {
		select {
		case at := <-g.assigned:
			return at, nil
		case <-over.C:
			s.mu.Lock()
			g.any = true
			if free := s.choose(g); free != nil && s.leave(g) {
				s.assign(free, g.schema)
				g.assigned <- free
			}
			s.mu.Unlock()
		case <-ctx.Done():
			s.mu.Lock()
			waiting := s.leave(g)
			s.mu.Unlock()
			if !waiting {
				s.releaseSlot(<-g.assigned)
			}
			return nil, ctx.Err()
		}
	}
}

// count adds a wait to the counts, and to the waits of its schema if others were free.
func (s *affinity) count(g *waiter, full bool, waited time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := &s.warmSlot
	if full {
		by = &s.anySlot
	}
	by.times++
	by.long += waited
	if err != nil {
		s.timeouts++
	}
	if !full && !g.any {
		s.waited[g.schema] += waited
	}
}

func (s *affinity) counted() counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// choose returns the free slot for a waiter: one that is warm for its schema; if no slot is, or it takes any, the one that is
// warm for the fewest schemas; else nil.
func (s *affinity) choose(g *waiter) (best *slot) {
	for _, at := range s.slots {
		if at.taken {
			continue
		}
		if at.warmFor[g.schema] {
			return at
		}
		if (g.any || s.warmSlots[g.schema] == 0) && (best == nil || len(at.warmFor) < len(best.warmFor)) {
			best = at
		}
	}
	return best
}

// assign takes a free slot for a schema.
func (s *affinity) assign(at *slot, schema string) {
	at.taken, at.cold = true, !at.warmFor[schema]
	if at.cold {
		s.markWarm(at, schema)
		delete(s.waited, schema)
	}
}

func (s *affinity) markWarm(at *slot, schema string) {
	at.warmFor[schema] = true
	s.warmSlots[schema]++
}

// leave removes a waiter, and reports whether it was still waiting.
func (s *affinity) leave(g *waiter) bool {
	i := slices.Index(s.waiters, g)
	if i < 0 {
		return false
	}
	s.waiters = slices.Delete(s.waiters, i, i+1)
	return true
}

// releaseSlot gives the slot to the first waiter whose schema is warm on it, warm on none, or overdue; then to the first that takes
// any; else it frees it.
func (s *affinity) releaseSlot(at *slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at.taken = false
	i := slices.IndexFunc(s.waiters, func(g *waiter) bool {
		return at.warmFor[g.schema] || s.warmSlots[g.schema] == 0 || g.any && time.Since(g.came) >= tolerance*s.warmUpCost
	})
	if i < 0 {
		i = slices.IndexFunc(s.waiters, func(g *waiter) bool { return g.any })
	}
	if i < 0 {
		return
	}
	next := s.waiters[i]
	s.leave(next)
	s.assign(at, next.schema)
	next.assigned <- at
}

// attach says which connection a slot has. A new connection is warm for the given schema only.
func (s *affinity) attach(at *slot, conn *pgx.Conn, schema string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.cold || at.conn != conn {
		s.warmUps++
	}
	if at.conn == conn {
		return
	}
	at.conn = conn
	for other := range at.warmFor {
		if s.warmSlots[other]--; s.warmSlots[other] == 0 {
			delete(s.warmSlots, other)
		}
	}
	clear(at.warmFor)
	s.markWarm(at, schema)
}
