package queue

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
)

// Dispatcher runs jobs of HandleInline in the process that has committed them, at once, and marks their rows as done some seconds
// later, many rows of an organisation together. Through the relay, a sale in an organisation that sells little would cost a second
// transaction.
//
// Its rows are due for the relay only VisibilityTimeout after their commit. By then they are marked as done, or the process has
// died or its handler has failed, and the relay's sweep finds them.
type Dispatcher struct {
	mux    *Mux
	waker  *Waker
	log    *zap.Logger
	wakeup chan struct{}

	mu       sync.Mutex
	pending  []pendingRow // committed, not run yet
	unmarked map[uuid.UUID]*dispatched
	activeAt map[uuid.UUID]time.Time // when markActive last succeeded for an organisation
}

// pendingRow is a committed row whose job has not run yet.
type pendingRow struct {
	org uuid.UUID
	row dueRow
	at  time.Time // of its commit
}

// dispatched are rows of one organisation whose jobs have run, and that are not marked as done yet.
type dispatched struct {
	ids   []uuid.UUID
	at    []time.Time
	since time.Time // commit of the first one; VisibilityTimeout later the relay takes what is not marked
}

// VisibilityTimeout is how long after its commit a row that a Dispatcher should have run is due for the relay.
const VisibilityTimeout = 15 * time.Second

const (
	markAfter       = 8 * time.Second
	markEvery       = 250 * time.Millisecond
	dispatchEvery   = 50 * time.Millisecond // what is committed meanwhile runs together
	markActiveEvery = 10 * time.Minute      // much less than activeFor, for which the sweep looks into its outbox
	maxPending      = 10_000                // rows beyond these are left to the relay
)

// NewDispatcher returns a dispatcher for the inline handlers of mux. It gets rows from contexts made by With, and runs them in Run.
func NewDispatcher(mux *Mux, waker *Waker, logger *zap.Logger) *Dispatcher {
	return &Dispatcher{
		mux: mux, waker: waker, log: logger, wakeup: make(chan struct{}, 1),
		unmarked: map[uuid.UUID]*dispatched{}, activeAt: map[uuid.UUID]time.Time{},
	}
}

type dispatcherKey struct{}

// With returns a context in which Enqueue gives jobs of HandleInline to d, and wakes the relay for others. The API sets it for
// every request.
func (d *Dispatcher) With(ctx context.Context) context.Context {
	return context.WithValue(d.waker.With(ctx), dispatcherKey{}, d)
}

func dispatcherFrom(ctx context.Context) *Dispatcher {
	d, _ := ctx.Value(dispatcherKey{}).(*Dispatcher)
	return d
}

// runs reports whether the kind has an inline handler.
func (d *Dispatcher) runs(kind string) bool { return d.mux.handlers[kind].inline != nil }

// take adds committed rows to pending. Beyond maxPending it leaves them to the relay.
func (d *Dispatcher) take(org uuid.UUID, rows []outboxRow) {
	now := d.mux.db.Now()
	d.mu.Lock()
	if len(d.pending)+len(rows) <= maxPending {
		for _, r := range rows {
			d.pending = append(d.pending, pendingRow{org, dueRow{ID: r.ID, Kind: r.Kind, Trace: r.Payload.Trace, Payload: &r.Payload}, now})
		}
	}
	d.mu.Unlock()

	select {
	case d.wakeup <- struct{}{}:
	default: // it was woken already
	}
}

// Run runs pending jobs and marks rows as done until ctx ends, then once more for all that are left.
func (d *Dispatcher) Run(ctx context.Context) {
	ctx = untraced(ctx)
	working, stop := graceful(ctx)
	defer stop()

	var marking sync.WaitGroup
	marking.Go(func() {
		ticker := time.NewTicker(markEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				d.markDone(working, d.mux.db.Now().Add(-markAfter))
			}
		}
	})
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-d.wakeup:
			d.dispatch(working)
			select {
			case <-ctx.Done():
			case <-time.After(dispatchEvery):
			}
		}
	}
	marking.Wait()
	d.dispatch(working)
	d.markDone(working, d.mux.db.Now())
}

// dispatch runs all pending jobs, those of one organisation and kind in one call.
func (d *Dispatcher) dispatch(ctx context.Context) {
	d.mu.Lock()
	came := d.pending
	d.pending = nil
	d.mu.Unlock()

	type part struct {
		org  uuid.UUID
		kind string
	}
	parts := map[part][]dueRow{}
	for _, n := range came {
		p := part{n.org, n.row.Kind}
		parts[p] = append(parts[p], n.row)
	}
	for p, rows := range parts {
		d.markActive(ctx, p.org)
		bounded, cancel := context.WithTimeout(ctx, redisTimeout)
		ids, _ := d.mux.runInline(bounded, d.log, p.org, p.kind, rows)
		cancel()
		d.addUnmarked(p.org, ids, came[0].at)
	}
}

// markActive has the relay's sweep look into the organisation's outbox, in case this process dies before it marks its rows.
func (d *Dispatcher) markActive(ctx context.Context, org uuid.UUID) {
	now := d.mux.db.Now()
	if now.Sub(d.activeAt[org]) >= markActiveEvery && d.waker.markActive(ctx, org, now) {
		d.activeAt[org] = now
	}
}

// addUnmarked adds rows that markDone marks later. None of them was committed before since.
func (d *Dispatcher) addUnmarked(org uuid.UUID, ids []uuid.UUID, since time.Time) {
	if len(ids) == 0 {
		return
	}
	now := d.mux.db.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unmarked[org] == nil {
		d.unmarked[org] = &dispatched{since: since}
	}
	d.unmarked[org].ids = append(d.unmarked[org].ids, ids...)
	d.unmarked[org].at = append(d.unmarked[org].at, slices.Repeat([]time.Time{now}, len(ids))...)
}

const markDispatched = `UPDATE outbox SET done_at = dispatched.at FROM unnest($1::uuid[], $2::timestamptz[]) AS dispatched (id, at)
	WHERE outbox.id = dispatched.id AND done_at IS NULL`

// markDone marks as done the rows of organisations whose first unmarked row was committed before the given time. The relay runs
// again what cannot be marked.
func (d *Dispatcher) markDone(ctx context.Context, before time.Time) {
	type ripe struct {
		org uuid.UUID
		*dispatched
	}
	var all []ripe
	d.mu.Lock()
	for org, t := range d.unmarked {
		if !t.since.After(before) {
			all = append(all, ripe{org, t})
			delete(d.unmarked, org)
		}
	}
	d.mu.Unlock()

	for done, t := range all {
		err := d.mux.in(ctx, t.org, func(tx db.Tx) error {
			_, err := tx.Exec(ctx, markDispatched, t.ids, t.at)
			return err
		})
		if err != nil && ctx.Err() != nil {
			d.log.Error("queue: stopped before all dispatched rows were marked done", zap.Int("organisations", len(all)-done), zap.Error(err))
			return
		}
		if err != nil {
			d.log.Error("queue: mark dispatched rows as done", zap.Stringer("org_id", t.org), zap.Error(err))
		}
	}
}
