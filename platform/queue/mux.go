package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
)

// Queues of Asynq. They are apart so that a job that only changes our rows never waits for a slow gateway, and neither waits for a
// long report.
const (
	internalQueue = "inside"
	externalQueue = "outside"
	longQueue     = "long"
)

// MaxAttempts is how often a job is tried. Then its row stays undone, with the last error, and is not enqueued again.
const MaxAttempts = 25

// Mux holds the handler of each kind of job.
type Mux struct {
	db       *db.DB
	handlers map[string]handler
	needed   map[string]func(ctx context.Context, tx db.Tx) (bool, error)
}

// handler is one of two: run does one job of an Asynq task, inline does many in the process that has committed them or in the
// relay.
type handler struct {
	queue  string
	run    func(ctx context.Context, org, id uuid.UUID) error
	inline func(ctx context.Context, org uuid.UUID, rows []dueRow) (succeeded []uuid.UUID, failed map[uuid.UUID]error)
}

// NewMux returns a mux with the queue's own jobs: fan-out of a tick to every organisation, and purging of old rows.
func NewMux(d *db.DB) *Mux {
	m := &Mux{db: d, handlers: map[string]handler{}, needed: map[string]func(ctx context.Context, tx db.Tx) (bool, error){}}
	HandleParts(m, m.purge)
	HandleExternal(m, m.runFanOut)
	return m
}

// HandleTx registers fn for T. fn runs in a transaction of the schema in which the job was enqueued, an organisation's or the
// platform's. The row is marked as done in the same transaction, so the work happens once.
func HandleTx[T Job](m *Mux, fn func(ctx context.Context, tx db.Tx, job T) error) {
	add[T](m, internalQueue, func(ctx context.Context, org, id uuid.UUID) error {
		return m.in(ctx, org, func(tx db.Tx) error {
			r, err := load(ctx, tx, lockOpen, id)
			if r == nil || err != nil {
				return err
			}
			job, err := decode[T](r)
			if err != nil {
				return err
			}

			if err := fn(ctx, tx, job); err != nil {
				return err
			}
			return finish(ctx, tx, id, r.Tick)
		})
	})
}

// HandleParts registers fn for T whose work is in our database, but too long for one transaction: fn uses several. The row is
// marked as done afterwards, so fn may be called again, and must then do only what is left.
func HandleParts[T Job](m *Mux, fn func(ctx context.Context, org uuid.UUID, job T) error) {
	addUnmarked(m, internalQueue, func(ctx context.Context, org, _ uuid.UUID, job T) error { return fn(ctx, org, job) })
}

// HandleExternal registers fn for T whose work is a call to an outside service. The row is marked as done afterwards, so fn may be
// called twice: id is the stable reference to give to the service.
func HandleExternal[T Job](m *Mux, fn func(ctx context.Context, org, id uuid.UUID, job T) error) {
	addUnmarked(m, externalQueue, fn)
}

// HandleLong is HandleExternal for jobs that take many seconds, such as exports. They have a few workers of their own, so that
// calls to outside services never wait for them.
func HandleLong[T Job](m *Mux, fn func(ctx context.Context, org, id uuid.UUID, job T) error) {
	addUnmarked(m, longQueue, fn)
}

// addUnmarked adds a handler whose work is not part of the transaction that marks the row as done.
func addUnmarked[T Job](m *Mux, queue string, fn func(ctx context.Context, org, id uuid.UUID, job T) error) {
	add[T](m, queue, func(ctx context.Context, org, id uuid.UUID) error {
		var r *row
		err := m.in(ctx, org, func(tx db.Tx) (err error) {
			r, err = load(ctx, tx, readOpen, id)
			return err
		})
		if r == nil || err != nil {
			return err
		}
		job, err := decode[T](r)
		if err != nil {
			return err
		}

		if err := fn(ctx, org, id, job); err != nil {
			return err
		}
		return m.in(ctx, org, func(tx db.Tx) error { return finish(ctx, tx, id, r.Tick) })
	})
}

// HandleInline registers fn for T whose work takes a moment and may happen twice, such as a notice. A Dispatcher calls fn in the
// process that has committed T. Otherwise the relay does, with all jobs that are due in one outbox, in one transaction: a task for
// each would cost more than the sale that it reports.
func HandleInline[T Job](m *Mux, fn func(ctx context.Context, org uuid.UUID, jobs []T) error) {
	register[T](m, handler{inline: func(ctx context.Context, org uuid.UUID, rows []dueRow) (succeeded []uuid.UUID, failed map[uuid.UUID]error) {
		failed = map[uuid.UUID]error{}
		jobs := make([]T, 0, len(rows))
		for _, r := range rows {
			job, err := decode[T](r.Payload)
			if err != nil {
				failed[r.ID] = err
				continue
			}
			jobs, succeeded = append(jobs, job), append(succeeded, r.ID)
		}
		began := time.Now()
		err := guarded(func() error { return fn(ctx, org, jobs) })
		var zero T
		for _, id := range succeeded {
			count(zero.Kind(), time.Since(began), err)
			if err != nil {
				failed[id] = err
			}
		}
		if err != nil {
			succeeded = nil
		}
		return succeeded, failed
	}})
}

// SkipUnless has the schedule enqueue T only into organisations for which needed returns true. needed gets a read-only transaction:
// it costs less than a row and a task that find nothing to do.
func SkipUnless[T Job](m *Mux, needed func(ctx context.Context, tx db.Tx) (bool, error)) {
	var zero T
	m.needed[zero.Kind()] = needed
}

func add[T Job](m *Mux, queue string, run func(ctx context.Context, org, id uuid.UUID) error) {
	register[T](m, handler{queue: queue, run: run})
}

func register[T Job](m *Mux, h handler) {
	var zero T
	if _, twice := m.handlers[zero.Kind()]; twice {
		panic("queue: " + zero.Kind() + " has two handlers")
	}
	m.handlers[zero.Kind()] = h
}

// runInline runs rows of one kind, in spans of the traces that enqueued them. It returns which succeeded, and the error of each
// other.
func (m *Mux) runInline(ctx context.Context, logger *zap.Logger, org uuid.UUID, kind string, rows []dueRow) (succeeded []uuid.UUID, failed map[uuid.UUID]error) {
	defer spans(ctx, kind, org, rows)()
	succeeded, failed = m.handlers[kind].inline(ctx, org, rows)
	for id, err := range failed {
		logger.Error("queue: job failed", zap.String("job", kind), zap.Stringer("job_id", id), zap.Stringer("org_id", org), zap.Error(err))
	}
	return succeeded, failed
}

// inlineKinds lists the kinds of HandleInline, which get no task.
func (m *Mux) inlineKinds() []string {
	return slices.DeleteFunc(m.kinds(), func(kind string) bool { return m.handlers[kind].inline == nil })
}

// kinds lists the kinds that this program handles. A relay enqueues no other, so that jobs of a newer program are left to it.
func (m *Mux) kinds() []string {
	kinds := make([]string, 0, len(m.handlers))
	for kind := range m.handlers {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// run runs one job. It counts a failure on the row, which is then not enqueued after MaxAttempts.
func (m *Mux) run(ctx context.Context, kind string, org, id uuid.UUID) (err error) {
	h, ok := m.handlers[kind]
	if h.inline != nil {
		return nil // an earlier release made a task of it; the relay runs it at its next sweep
	}
	if !ok {
		return fmt.Errorf("queue: no handler for %s", kind)
	}
	ctx = log.With(ctx, zap.String("job", kind), zap.Stringer("job_id", id), zap.Stringer("org_id", org))

	began := time.Now()
	err = guarded(func() error { return h.run(ctx, org, id) })
	count(kind, time.Since(began), err)
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, m.in(ctx, org, func(tx db.Tx) error {
		_, failErr := tx.Exec(ctx, fail, id, clip(err.Error(), 500))
		return failErr
	}))
}

func guarded(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}

func (m *Mux) in(ctx context.Context, org uuid.UUID, fn func(tx db.Tx) error) error {
	if org == uuid.Nil {
		return m.db.InPlatform(ctx, fn)
	}
	return m.db.InOrg(ctx, org, fn)
}

// read is in for a transaction that only reads.
func (m *Mux) read(ctx context.Context, org uuid.UUID, fn func(tx db.Tx) error) error {
	if org == uuid.Nil {
		return m.db.ReadInPlatform(ctx, fn)
	}
	return m.db.ReadInOrg(ctx, org, fn)
}

const (
	readOpen = `SELECT payload FROM outbox WHERE id = $1 AND done_at IS NULL`
	lockOpen = readOpen + ` FOR UPDATE`
	done     = `UPDATE outbox SET done_at = $2 WHERE id = $1 AND done_at IS NULL`
	drop     = `DELETE FROM outbox WHERE id = $1`
	fail     = `UPDATE outbox SET attempts = attempts + 1, last_error = $2 WHERE id = $1 AND done_at IS NULL`
)

// load returns nil if the row is done already.
func load(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (*row, error) {
	r := &row{}
	err := tx.QueryRow(ctx, sql, id).Scan(r)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

func finish(ctx context.Context, tx db.Tx, id uuid.UUID, tick bool) error {
	if tick {
		_, err := tx.Exec(ctx, drop, id)
		return err
	}
	_, err := tx.Exec(ctx, done, id, tx.Now)
	return err
}

func decode[T Job](r *row) (job T, err error) {
	if err := json.Unmarshal(r.Job, &job); err != nil {
		return job, fmt.Errorf("queue: payload of %s: %w", job.Kind(), err)
	}
	return job, nil
}

func clip(s string, n int) string {
	runes := []rune(s)
	return string(runes[:min(len(runes), n)])
}
