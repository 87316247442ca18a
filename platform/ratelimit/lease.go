package ratelimit

import (
	"sync"
	"time"
)

// leaseFraction is the part of what is left of a limit that a process leases at once: a sixteenth. For each other process that has
// called for it, a caller may be stopped that much too early, but never too late. Limits below 32 are counted call by call.
const leaseFraction = 16

// leases are calls that Redis has counted in advance and that were not made yet.
type leases struct {
	mu sync.Mutex
	of map[string]lease
}

type lease struct {
	calls int64
	end   time.Time
}

// take takes one leased call of each counter, and returns which counters have none.
func (l *leases) take(now time.Time, uses []Counter) (leased map[string]lease, lacking []Counter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range uses {
		of := l.of[u.key()]
		if of.calls == 0 || !now.Before(of.end) {
			lacking = append(lacking, u)
			continue
		}
		l.of[u.key()] = lease{of.calls - 1, of.end}
		if leased == nil {
			leased = make(map[string]lease, len(uses))
		}
		leased[u.key()] = lease{1, of.end}
	}
	return leased, lacking
}

// putBack returns leased calls that were not made, if their period still runs.
func (l *leases) putBack(leased map[string]lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, back := range leased {
		if of := l.of[key]; of.end.Equal(back.end) {
			l.of[key] = lease{of.calls + back.calls, of.end}
		}
	}
}

// add keeps what Redis granted, except the one call that is being made: granted has calls and milliseconds for each counter.
func (l *leases) add(asked time.Time, uses []Counter, granted []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.of) > maxLocal {
		clear(l.of)
	}
	for i, u := range uses {
		of, more := l.of[u.key()], granted[2*i]-1
		end := asked.Add(time.Duration(granted[2*i+1]) * time.Millisecond)
		if !asked.Before(of.end) || more > 0 && end.Sub(of.end) > u.Per/2 { // the next period has begun
			of = lease{}
		}
		if more > 0 {
			of = lease{of.calls + more, end}
		}
		if of.calls == 0 {
			delete(l.of, u.key())
			continue
		}
		l.of[u.key()] = of
	}
}
