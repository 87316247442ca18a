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

// A Dispatcher tells what there is only to tell (HandleTelling) in the process that has committed it, at once, and marks it done some
// seconds later, many rows of an organisation together. Through the relay, a sale in an organisation that sells little costs a
// second transaction. Marking them would cost one, too; so a few go with the organisation's next transaction that has news.
//
// Its rows fall due for the relay only after Grace. By then they are marked, or the process has died or could not tell, and the
// relay's sweep finds them.
type Dispatcher struct {
	mux    *Mux
	waker  *Waker
	log    *zap.Logger
	wakeup chan struct{}

	mu          sync.Mutex
	pending     []pendingEvent // committed, not told yet
	unmarked    map[uuid.UUID]*dispatched
	piggybacked map[uuid.UUID]*dispatched // to a transaction that is under way, has come to nothing, or nobody knows
	activeAt    map[uuid.UUID]time.Time   // when the sweep was last told of an organisation
}

// pendingEvent is a row to tell.
type pendingEvent struct {
	org uuid.UUID
	row dueRow
	at  time.Time // of its commit
}

// dispatched are rows of one organisation that wait to be marked.
type dispatched struct {
	ids   []uuid.UUID
	at    []time.Time
	since time.Time // the first was committed: Grace after it the relay takes what is left
}

// VisibilityTimeout is how long after its commit the relay takes what a Herald should have told (rule A4.2: undone after 15 s).
const VisibilityTimeout = 15 * time.Second

const (
	markAfter       = 8 * time.Second
	piggybackAfter  = 4 * time.Second
	maxPiggyback    = 32 // more are marked by themselves: nobody's purchase is to wait for those of a flash sale
	markEvery       = 250 * time.Millisecond
	dispatchEvery   = 50 * time.Millisecond // what comes meanwhile is told together
	markActiveEvery = 10 * time.Minute      // much less than lately
	maxPending      = 10_000                // more than this many are left to the relay
)

// NewDispatcher tells what mux tells. Run does the telling; With says of what.
func NewDispatcher(mux *Mux, waker *Waker, logger *zap.Logger) *Dispatcher {
	return &Dispatcher{
		mux: mux, waker: waker, log: logger, wakeup: make(chan struct{}, 1),
		unmarked: map[uuid.UUID]*dispatched{}, piggybacked: map[uuid.UUID]*dispatched{}, activeAt: map[uuid.UUID]time.Time{},
	}
}

type dispatcherKey struct{}

// With returns a context in which Put has the herald tell what it can, and gives hints for the rest. The API sets it for every
// request.
func (h *Dispatcher) With(ctx context.Context) context.Context {
	return context.WithValue(h.waker.With(ctx), dispatcherKey{}, h)
}

func dispatcherFrom(ctx context.Context) *Dispatcher {
	h, _ := ctx.Value(dispatcherKey{}).(*Dispatcher)
	return h
}

// tells says whether there is nothing to do for any of these kinds but to tell it.
func (h *Dispatcher) allInline(kinds []string) bool {
	return !slices.ContainsFunc(kinds, func(kind string) bool { return h.mux.handlers[kind].inline == nil })
}

// take keeps rows that have been committed until Run tells them.
func (h *Dispatcher) take(org uuid.UUID, ids []uuid.UUID, kinds []string, rows []row) {
	now := h.mux.db.Now()
	h.mu.Lock()
	if len(h.pending)+len(rows) <= maxPending {
		for i := range rows {
			h.pending = append(h.pending, pendingEvent{org, dueRow{ID: ids[i], Kind: kinds[i], Trace: rows[i].Trace, Payload: &rows[i]}, now})
		}
	}
	h.mu.Unlock()

	select {
	case h.wakeup <- struct{}{}:
	default: // it has not looked since the last
	}
}

// Run tells and marks until ctx is done, then what is left.
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

// tell tells what has come since it last did, each organisation's in one go.
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

// show has the sweep look into an organisation's outbox, for the case that nobody marks what it holds.
func (h *Dispatcher) markActive(ctx context.Context, org uuid.UUID) {
	now := h.mux.db.Now()
	if now.Sub(h.activeAt[org]) >= markActiveEvery && h.waker.markActive(ctx, org, now) {
		h.activeAt[org] = now
	}
}

// keep keeps rows to mark, none of which was committed before since.
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

// piggyback has a transaction that has news mark what was told in its organisation, where that is little, and where nobody else will lock
// it while the transaction lasts: mark or the relay. Where it comes to nothing, mark does it in its time.
func (h *Dispatcher) piggyback(tx db.Tx) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.unmarked[tx.Org]
	if t == nil || len(t.ids) > maxPiggyback || h.piggybacked[tx.Org] != nil {
		return
	}
	if age := tx.Now.Sub(t.since); age < piggybackAfter || age >= markAfter {
		return
	}
	delete(h.unmarked, tx.Org)
	h.piggybacked[tx.Org] = t
	tx.Queue(markDispatched, t.ids, t.at)
	tx.AfterCommit(func(context.Context) { h.marked(tx.Org, t) })
}

func (h *Dispatcher) marked(org uuid.UUID, t *dispatched) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.piggybacked[org] == t {
		delete(h.piggybacked, org)
	}
}

// markDone writes down what was told in organisations whose first such row was committed before. What cannot be marked will be
// told again.
func (h *Dispatcher) markDone(ctx context.Context, before time.Time) {
	type ripe struct {
		org uuid.UUID
		*dispatched
	}
	var all []ripe
	h.mu.Lock()
	for _, waiting := range []map[uuid.UUID]*dispatched{h.unmarked, h.piggybacked} {
		for org, t := range waiting {
			if !t.since.After(before) {
				all = append(all, ripe{org, t})
				delete(waiting, org)
			}
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
			h.log.Error("queue: mark dispatched rows as done", zap.Stringer("org", t.org), zap.Error(err))
		}
	}
}
