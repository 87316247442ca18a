package db

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// affinity gives a pool's seats to schemas. A connection prepares and plans a schema's statements for itself, and remembers its
// tables: if a thousand schemas met each of sixteen connections, that would take Postgres twenty minutes and ten gigabytes. So a
// schema comes back to the seats that have met it, and waits for one of them though others are free. It takes another one too
// when it has to wait for as long as a meeting costs, or when its short waits have come to ten times that: who sells much
// soon has many. While all are taken, a seat goes to those whom it has met first, but past nobody who has waited so long.
type affinity struct {
	warmUpCost time.Duration

	mu        sync.Mutex
	slots     []*slot
	waiters   []*waiter                // in the order they came
	warmSlots map[string]int           // by schema: how many seats have met it
	waited    map[string]time.Duration // by schema: for those while others were free, since it met the last one

	counts
}

// counts are what metrics tell.
type counts struct {
	warmSlot, anySlot delay // for an own seat while others were free; for any
	timeouts, warmUps int64
}

// delay is how often, and how long, somebody waited.
type delay struct {
	times int64
	long  time.Duration
}

type slot struct {
	number  int
	taken   bool
	conn    *pgx.Conn
	warmFor map[string]bool // schemas that conn knows
	cold    bool            // the schema that it was given to is new to it
}

// waiter waits for a seat.
type waiter struct {
	schema   string
	came     time.Time
	any      bool // he does not care anymore which
	assigned chan *slot
}

// tolerance is how many meetings' time a schema waits in all before it meets another seat, and one guest before all others. A
// meeting costs memory as well.
const tolerance = 10

func newAffinity(size int, warmUpCost time.Duration) *affinity {
	s := &affinity{warmUpCost: warmUpCost, warmSlots: map[string]int{}, waited: map[string]time.Duration{}}
	for number := range size {
		s.slots = append(s.slots, &slot{number: number, warmFor: map[string]bool{}})
	}
	return s
}

// acquireSlot takes a seat for the schema, or waits for one. Who sits must rise.
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

// wait ends with a seat, or with the context. After as long as a meeting costs any seat will do.
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

// count writes down how long a guest waited, and whether he paid for it.
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

// choose returns the free seat that a guest should have: one that has met the schema; where none has, or he takes any, the one
// that has met fewest; or nil.
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

// assign takes a seat for a schema.
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

// leave takes a guest out of the line, and says whether he was still in it.
func (s *affinity) leave(g *waiter) bool {
	i := slices.Index(s.waiters, g)
	if i < 0 {
		return false
	}
	s.waiters = slices.Delete(s.waiters, i, i+1)
	return true
}

// releaseSlot frees a seat, or hands it on: to the first in line that it has met, or that nobody has, or who has waited too long; then to
// the first who takes any.
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

// attach says which connection a seat has. A new one has met nobody.
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
