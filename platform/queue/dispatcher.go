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
	pending  []pendingEvent // committed, not run yet
	unmarked map[uuid.UUID]*dispatched
	activeAt map[uuid.UUID]time.Time // when markActive last succeeded for an organisation
}

// pendingEvent is a committed row whose job has not run yet.
type pendingEvent struct {
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
	markActiveEvery = 10 * time.Minute      // much less than lately, for which the sweep remembers it
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

// With returns a context in which Enqueue gives jobs of HandleInline to h, and wakes the relay for others. The API sets it for
// every request.
func (h *Dispatcher) With(ctx context.Context) context.Context {
	return context.WithValue(h.waker.With(ctx), dispatcherKey{}, h)
}

func dispatcherFrom(ctx context.Context) *Dispatcher {
	h, _ := ctx.Value(dispatcherKey{}).(*Dispatcher)
	return h
}

// runs reports whether the kind has an inline handler.
func (h *Dispatcher) runs(kind string) bool { return h.mux.handlers[kind].inline != nil }

// take adds committed rows to pending. Beyond maxPending it leaves them to the relay.
func (h *Dispatcher) take(org uuid.UUID, rows []outboxRow) {
	now := h.mux.db.Now()
	h.mu.Lock()
	if len(h.pending)+len(rows) <= maxPending {
		for _, r := range rows {
			h.pending = append(h.pending, pendingEvent{org, dueRow{ID: r.ID, Kind: r.Kind, Trace: r.Payload.Trace, Payload: &r.Payload}, now})
		}
	}
	h.mu.Unlock()

	select {
	case h.wakeup <- struct{}{}:
	default: // it was woken already
	}
}

// Run runs pending jobs and marks rows as done until ctx ends, then once more for all that are left.
func (h *Dispatcher) Run(ctx context.Context) {
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
				h.markDone(working, h.mux.db.Now().Add(-markAfter))
			}
		}
	})
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-h.wakeup:
			h.dispatch(working)
			select {
			case <-ctx.Done():
			case <-time.After(dispatchEvery):
			}
		}
	}
	marking.Wait()
	h.dispatch(working)
	h.markDone(working, h.mux.db.Now())
}

// dispatch runs all pending jobs, those of one organisation and kind in one call.
func (h *Dispatcher) dispatch(ctx context.Context) {
	h.mu.Lock()
	came := h.pending
	h.pending = nil
	h.mu.Unlock()

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
		h.markActive(ctx, p.org)
		bounded, cancel := context.WithTimeout(ctx, redisTimeout)
		ids, _ := h.mux.runInline(bounded, h.log, p.org, p.kind, rows)
		cancel()
		h.addUnmarked(p.org, ids, came[0].at)
	}
}

// markActive has the relay's sweep look into the organisation's outbox, in case this process dies before it marks its rows.
func (h *Dispatcher) markActive(ctx context.Context, org uuid.UUID) {
	now := h.mux.db.Now()
	if now.Sub(h.activeAt[org]) >= markActiveEvery && h.waker.markActive(ctx, org, now) {
		h.activeAt[org] = now
	}
}

// addUnmarked adds rows that markDone marks later. None of them was committed before since.
func (h *Dispatcher) addUnmarked(org uuid.UUID, ids []uuid.UUID, since time.Time) {
	if len(ids) == 0 {
		return
	}
	now := h.mux.db.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.unmarked[org] == nil {
		h.unmarked[org] = &dispatched{since: since}
	}
	h.unmarked[org].ids = append(h.unmarked[org].ids, ids...)
	h.unmarked[org].at = append(h.unmarked[org].at, slices.Repeat([]time.Time{now}, len(ids))...)
}

const markDispatched = `UPDATE outbox SET done_at = dispatched.at FROM unnest($1::uuid[], $2::timestamptz[]) AS dispatched (id, at)
	WHERE outbox.id = dispatched.id AND done_at IS NULL`

// markDone marks as done the rows of organisations whose first unmarked row was committed before the given time. The relay runs
// again what cannot be marked.
func (h *Dispatcher) markDone(ctx context.Context, before time.Time) {
	type ripe struct {
		org uuid.UUID
		*dispatched
	}
	var all []ripe
	h.mu.Lock()
	for org, t := range h.unmarked {
		if !t.since.After(before) {
			all = append(all, ripe{org, t})
			delete(h.unmarked, org)
		}
	}
	h.mu.Unlock()

	for done, t := range all {
		err := h.mux.in(ctx, t.org, func(tx db.Tx) error {
			_, err := tx.Exec(ctx, markDispatched, t.ids, t.at)
			return err
		})
		if err != nil && ctx.Err() != nil {
			h.log.Error("queue: stopped before all dispatched rows were marked done", zap.Int("organisations", len(all)-done), zap.Error(err))
			return
		}
		if err != nil {
			h.log.Error("queue: mark dispatched rows as done", zap.Stringer("org_id", t.org), zap.Error(err))
		}
	}
}
