package db

import (
	"context"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"
)

// pool holds a node's connections, each in a seat, which is a pool of one: it connects, pings and recycles.
//
// A schema gets the same seat whenever that is free. Its statements are prepared and planned there, and a connection
// remembers the tables of some schemas and not of all.
type pool struct {
	seats  []*pgxpool.Pool
	turn   *semaphore.Weighted // one for each seat, first come first served
	spread maphash.Seed

	mu    sync.Mutex
	taken []bool

	waits, waited, givenUp atomic.Int64 // waited in nanoseconds
}

func newPool(ctx context.Context, cfg *pgxpool.Config, size int) (*pool, error) {
	p := &pool{turn: semaphore.NewWeighted(int64(size)), spread: maphash.MakeSeed(), taken: make([]bool, size)}
	cfg.MaxConns = 1
	for range size {
		seat, err := pgxpool.NewWithConfig(ctx, cfg.Copy())
		if err != nil {
			return nil, err
		}
		p.seats = append(p.seats, seat)
	}
	return p, nil
}

func (p *pool) close() {
	for _, seat := range p.seats {
		seat.Close()
	}
}

// acquire waits for a connection, that of the schema's own seat if it can be had. free gives it back.
func (p *pool) acquire(ctx context.Context, schema string) (conn *pgx.Conn, free func(), err error) {
	if err := p.wait(ctx); err != nil {
		return nil, nil, err
	}
	i := p.sit(schema)
	held, err := p.seats[i].Acquire(ctx)
	if err != nil {
		p.rise(i)
		return nil, nil, err
	}
	return held.Conn(), func() {
		held.Release()
		p.rise(i)
	}, nil
}

func (p *pool) wait(ctx context.Context) error {
	if p.turn.TryAcquire(1) {
		return nil
	}
	began := time.Now()
	err := p.turn.Acquire(ctx, 1)
	p.waits.Add(1)
	p.waited.Add(int64(time.Since(began)))
	if err != nil {
		p.givenUp.Add(1)
	}
	return err
}

func (p *pool) sit(schema string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := int(maphash.String(p.spread, schema) % uint64(len(p.taken))) //nolint:gosec // smaller than tens of seats
	for p.taken[i] {
		i = (i + 1) % len(p.taken)
	}
	p.taken[i] = true
	return i
}

func (p *pool) rise(i int) {
	p.mu.Lock()
	p.taken[i] = false
	p.mu.Unlock()
	p.turn.Release(1)
}

// open counts the connections that there are.
func (p *pool) open() (used, idle int) {
	for _, seat := range p.seats {
		s := seat.Stat()
		used, idle = used+int(s.AcquiredConns()), idle+int(s.IdleConns())
	}
	return used, idle
}
