package db

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/log"
)

// Changes are kept until a thousand have come after them.
const (
	insertChange = `WITH next AS (UPDATE change_number SET number = number + 1 RETURNING number),
		old AS (DELETE FROM change USING next WHERE change.number <= next.number - 1000)
		INSERT INTO change (number, id, topic, what) SELECT (SELECT number FROM next), $1, $2, $3`
	changesFrom = `SELECT number, id, topic, what FROM change WHERE number >= $1 ORDER BY number`
)

// How often a process looks for changes, and how long it waits for the answer.
const (
	listenEvery   = 250 * time.Millisecond
	listenTimeout = 5 * time.Second
)

// change is what a transaction tells.
type change struct {
	Number      int64
	ID          uuid.UUID
	Topic, What string
}

// subscriptions are those in this process who remember what others may change.
type subscriptions struct {
	mu       sync.Mutex
	handlers map[string][]func(what string) // by topic
	syncedAt time.Time
}

// Publish says to all who hear a topic that something of it has changed, once this transaction in the platform's schema is committed: what, in
// the topic's own words. It is for what changes seldom, because transactions that tell commit one after the other.
func (tx Tx) Publish(topic, what string) {
	if tx.Org != uuid.Nil {
		panic("db: Publish needs a transaction in the platform's schema")
	}
	tx.changes = append(tx.changes, change{Topic: topic, What: what})
}

// deliver queues what was told, to go with the commit, because its lock is everybody's.
func (w *txConn) deliver() {
	for _, c := range w.changes {
		w.queued.Queue(insertChange, NewID(), c.Topic, c.What)
	}
}

// Subscribe has forget called with what any process tells of a topic, and with nothing where something was missed. heard says up to when all was
// told, by the clock of transactions; it is the zero time until somebody listens.
func (d *DB) Subscribe(topic string, onChange func(what string)) (syncedAt func() time.Time) {
	d.subscriptions.mu.Lock()
	defer d.subscriptions.mu.Unlock()
	if d.subscriptions.handlers == nil {
		d.subscriptions.handlers = map[string][]func(string){}
	}
	d.subscriptions.handlers[topic] = append(d.subscriptions.handlers[topic], onChange)
	return func() time.Time {
		d.subscriptions.mu.Lock()
		defer d.subscriptions.mu.Unlock()
		return d.subscriptions.syncedAt
	}
}

// Listen looks for what is told until ctx is done, on a connection of its own: where all others are busy, to remember less would make it
// worse. While Postgres cannot be reached nothing is heard.
func (d *DB) Listen(ctx context.Context) {
	last, failing := change{Number: -1}, false
	for {
		began := d.Now()
		newest, err := d.listen(ctx, last)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !failing {
			log.From(ctx).Warn("db: changes are not received, caches load again instead", zap.Error(err))
		}
		if failing = err != nil; !failing {
			d.subscriptions.setSyncedAt(began)
			last = newest
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(listenEvery):
		}
	}
}

// listen tells what has come after the last change, and returns the newest. Where the last one is not there any more, or another has its
// number, something was missed.
func (d *DB) listen(ctx context.Context, last change) (newest change, err error) {
	ctx, cancel := context.WithTimeout(ctx, listenTimeout)
	defer cancel()
	changes, err := d.changesFrom(ctx, last.Number)
	if err != nil {
		return last, err
	}
	if len(changes) > 0 && changes[0] == last {
		d.subscriptions.deliver(changes[1:])
		return changes[len(changes)-1], nil
	}
	if changes, err = d.changesFrom(ctx, 0); err != nil {
		return last, err
	}
	if len(changes) == 0 {
		return last, errors.New("db: the table of changes is empty")
	}
	d.subscriptions.deliverAll()
	return changes[len(changes)-1], nil
}

func (d *DB) changesFrom(ctx context.Context, number int64) (changes []change, err error) {
	begin, err := newTxSetup(platformRole, platformSchema, readOnly)
	if err != nil {
		return nil, err
	}
	err = d.once(ctx, d.listenPool, uuid.Nil, begin, func(tx Tx) error {
		rows, err := tx.Query(ctx, changesFrom, number)
		if err != nil {
			return err
		}
		changes, err = pgx.CollectRows(rows, pgx.RowToStructByPos[change])
		return err
	})
	return changes, err
}

func (e *subscriptions) deliver(changes []change) {
	for _, c := range changes {
		e.mu.Lock()
		all := slices.Clone(e.handlers[c.Topic])
		e.mu.Unlock()
		for _, handler := range all {
			handler(c.What)
		}
	}
}

// deliverAll tells everybody that anything may have changed.
func (e *subscriptions) deliverAll() {
	var all []change
	e.mu.Lock()
	for topic := range e.handlers {
		all = append(all, change{Topic: topic})
	}
	e.mu.Unlock()
	e.deliver(all)
}

func (e *subscriptions) setSyncedAt(at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.syncedAt = at
}
