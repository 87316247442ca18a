package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.uber.org/zap"

	"welovevoucher/platform/log"
)

// What is told comes with the commit or not at all, and before Postgres answers what is asked after it.
const (
	listen = `LISTEN told`
	tell   = `SELECT pg_notify('told', $1)`
)

// How often a process asks whether it has heard everything, how long it waits for that, and before it connects again.
const (
	listenEvery    = 250 * time.Millisecond
	listenPatience = 5 * time.Second
	listenAgain    = time.Second
)

// ears are those in this process who remember what others may change.
type ears struct {
	mu     sync.Mutex
	forget map[string][]func(what string) // by topic
	heard  time.Time
}

// Tell says to all who hear a topic that something of it has changed, once this transaction in the platform's schema is committed: what, in
// the topic's own words, and nothing where it may be anything. It is for what changes seldom, because of transactions that tell
// Postgres commits one after the other.
func (tx Tx) Tell(topic, what string) {
	if tx.Org != uuid.Nil {
		panic("db: an organisation's schema tells nobody")
	}
	tx.Later(tell, topic+" "+what)
}

// Hear has forget called with what any process tells of a topic, and with nothing where it may have been missed. heard says up to when all
// was told, by the clock of transactions; it is the zero time until somebody listens.
func (d *DB) Hear(topic string, forget func(what string)) (heard func() time.Time) {
	d.ears.mu.Lock()
	defer d.ears.mu.Unlock()
	if d.ears.forget == nil {
		d.ears.forget = map[string][]func(string){}
	}
	d.ears.forget[topic] = append(d.ears.forget[topic], forget)
	return func() time.Time {
		d.ears.mu.Lock()
		defer d.ears.mu.Unlock()
		return d.ears.heard
	}
}

// Listen hears what is told until ctx is done. While Postgres cannot be reached nothing is heard.
func (d *DB) Listen(ctx context.Context) {
	for {
		err := d.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		log.From(ctx).Warn("db: what changes is not heard, but asked for", zap.Error(err))
		if err := pause(ctx, listenAgain); err != nil {
			return
		}
	}
}

func (d *DB) listen(ctx context.Context) (err error) {
	cfg := d.nodes[MainNode].conns[0].Config().ConnConfig
	cfg.Tracer = nil // each question would be a trace
	cfg.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) {
		topic, what, _ := strings.Cut(n.Payload, " ")
		d.ears.tell(topic, what)
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err := conn.Exec(ctx, listen); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	d.ears.tellAll()
	for {
		began := d.Now()
		if err := ping(ctx, conn); err != nil {
			return fmt.Errorf("ask whether all is heard: %w", err)
		}
		d.ears.hasHeard(began)
		if err := pause(ctx, listenEvery); err != nil {
			return err
		}
	}
}

func ping(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, listenPatience)
	defer cancel()
	return conn.Ping(ctx)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (e *ears) tell(topic, what string) {
	e.mu.Lock()
	all := slices.Clone(e.forget[topic])
	e.mu.Unlock()
	for _, forget := range all {
		forget(what)
	}
}

// tellAll: what was told before we listened is lost.
func (e *ears) tellAll() {
	e.mu.Lock()
	topics := slices.Collect(maps.Keys(e.forget))
	e.mu.Unlock()
	for _, topic := range topics {
		e.tell(topic, "")
	}
}

func (e *ears) hasHeard(at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = at
}
