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

// A change is deleted once a thousand have followed it.
const (
	insertChange = `WITH next AS (UPDATE change_number SET number = number + 1 RETURNING number),
		old AS (DELETE FROM change USING next WHERE change.number <= next.number - 1000)
		INSERT INTO change (number, id, topic, key) SELECT (SELECT number FROM next), $1, $2, $3`
	changesFrom = `SELECT number, id, topic, key FROM change WHERE number >= $1 ORDER BY number`
)

// How often a process polls for changes, and how long it waits for the answer.
const (
	listenEvery   = 250 * time.Millisecond
	listenTimeout = 5 * time.Second
)

// change is one call of Publish.
type change struct {
	Number      int64
	ID          uuid.UUID
	Topic, What string
}

// subscriptions are the handlers of this process. syncedAt is when the last successful poll began.
type subscriptions struct {
	mu       sync.Mutex
	handlers map[string][]func(what string) // by topic
	syncedAt time.Time
}

// Publish informs the subscribers of a topic that something of it has changed, once tx is committed; they define what. Those of this
// process are called before InOrg or InPlatform returns, also if the outcome of the commit is unknown; those of others within
// listenEvery, if they can be reached. It is for rare changes: transactions that publish commit one after the other, because they
// lock one row.
//
// In the platform's schema the change is written in tx. An organisation's role has no rights there, and its node may be another: its
// change is written right after the commit. If the process dies in between, other processes use what they have until it expires.
func (tx Tx) Publish(topic, what string) {
	tx.changes = append(tx.changes, change{Topic: topic, What: what})
}

var errPublish = errors.New("db: a transaction that only reads has nothing to publish")

// queueChanges queues the changes of a transaction in the platform's schema last, to go with COMMIT, because they lock the row that
// all publishers share.
func (w *txConn) queueChanges() {
	for _, c := range w.changes {
		w.queued.Queue(insertChange, NewID(), c.Topic, c.What)
	}
}

// publishTimeout is how long the caller of an organisation's transaction waits for its changes to be written.
const publishTimeout = 2 * time.Second

// publish delivers the changes of a transaction that has ended, after it wrote those of an organisation's.
func (d *DB) publish(ctx context.Context, org uuid.UUID, changes []change) {
	if org == uuid.Nil || len(changes) == 0 {
		d.subscriptions.deliver(changes)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishTimeout)
	defer cancel()
	err := d.InPlatform(ctx, func(tx Tx) error {
		tx.changes = append(tx.changes, changes...)
		return nil
	})
	if err != nil {
		d.subscriptions.deliver(changes)
		log.From(ctx).Warn("db: other processes do not receive a change, their caches expire instead", zap.Stringer("org_id", org), zap.Error(err))
	}
}

// Subscribe calls onChange with the what of each change of a topic, from any process, and with "" if changes may have been missed.
// syncedAt returns the time, by the clock of transactions, up to which all changes of the platform's schema were received. It returns
// the zero time before Listen has polled.
func (d *DB) Subscribe(topic string, onChange func(what string)) (syncedAt func() time.Time) {
	d.subscriptions.mu.Lock()
	defer d.subscriptions.mu.Unlock()
	if d.subscriptions.handlers == nil {
		d.subscriptions.handlers = map[string][]func(what string){}
	}
	d.subscriptions.handlers[topic] = append(d.subscriptions.handlers[topic], onChange)
	return func() time.Time {
		d.subscriptions.mu.Lock()
		defer d.subscriptions.mu.Unlock()
		return d.subscriptions.syncedAt
	}
}

// Concerns reports whether the what of a topic whose publishers name rows by their ids may be that of id.
func Concerns(what string, id uuid.UUID) bool {
	changed, err := uuid.Parse(what)
	return err != nil || changed == id
}

// Listen polls for changes until ctx ends. It uses a connection of its own: if it had to wait while all others are busy, caches
// would expire and make it worse. While Postgres cannot be reached, syncedAt stands still.
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

// listen delivers the changes after last, and returns the newest. If last is not in the table any more, or its number has another
// id, changes may have been missed.
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
	_, err = d.once(ctx, d.listenPool, platform, begin, func(tx Tx) error {
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

// deliverAll calls every handler with "": anything may have changed.
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
