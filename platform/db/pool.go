package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// pool holds a node's connections. Each slot has one, in a pgxpool of size one, which connects, pings and recycles it.
type pool struct {
	*affinity
	conns []*pgxpool.Pool // by slot
}

func newPool(ctx context.Context, cfg *pgxpool.Config, size int) (*pool, error) {
	p := &pool{affinity: newAffinity(size, warmUpCost)}
	cfg.MaxConns = 1
	for range size {
		conn, err := pgxpool.NewWithConfig(ctx, cfg.Copy())
		if err != nil {
			return nil, err
		}
		p.conns = append(p.conns, conn)
	}
	return p, nil
}

func (p *pool) close() {
	for _, conn := range p.conns {
		conn.Close()
	}
}

// acquire waits for a connection, preferably one that is warm for the schema. free returns it.
func (p *pool) acquire(ctx context.Context, schema string) (conn *pgx.Conn, free func(), err error) {
	s, err := p.acquireSlot(ctx, schema)
	if err != nil {
		return nil, nil, err
	}
	held, err := p.conns[s.number].Acquire(ctx)
	if err != nil {
		p.releaseSlot(s)
		return nil, nil, err
	}
	p.attach(s, held.Conn(), schema)
	return held.Conn(), func() {
		held.Release()
		p.releaseSlot(s)
	}, nil
}

// open counts the connections that are open.
func (p *pool) open() (used, idle int) {
	for _, conn := range p.conns {
		s := conn.Stat()
		used, idle = used+int(s.AcquiredConns()), idle+int(s.IdleConns())
	}
	return used, idle
}

// warmUpCost is what it costs Postgres to prepare and plan the statements by which a schema sells, on a connection that is new to
// it: measured 60 to 100 ms.
const warmUpCost = 80 * time.Millisecond
