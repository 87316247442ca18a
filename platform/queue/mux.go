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

// Queues of Asynq. What only changes our own rows never waits behind a slow gateway, and neither waits behind a long report.
const (
	internalQueue = "inside"
	externalQueue = "outside"
	longQueue     = "long"
)

// maxAttempts is when a job is given up: its row stays undone, with the last error, and nobody takes it again.
const maxAttempts = 25

// Mux knows what to do for each kind of job.
type Mux struct {
	db       *db.DB
	handlers map[string]handler
	needed   map[string]func(ctx context.Context, tx db.Tx) (bool, error)
}

// handler either runs a job that Asynq holds, or tells many at once.
type handler struct {
	queue  string
	run    func(ctx context.Context, org, id uuid.UUID) error
	inline func(ctx context.Context, org uuid.UUID, rows []dueRow) (succeeded []uuid.UUID, failed map[uuid.UUID]error)
}

// NewMux knows the queue's own jobs: giving a tick to every organisation, and forgetting what is long done.
func NewMux(d *db.DB) *Mux {
	m := &Mux{db: d, handlers: map[string]handler{}, needed: map[string]func(ctx context.Context, tx db.Tx) (bool, error){}}
	HandleTx(m, purge)
	HandleExternal(m, m.runFanOut)
	return m
}

// HandleTx says what to do for T inside the schema that the job was put in: an organisation's, or the platform's.
// The work and the mark that it is done are one transaction, so it happens once.
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

// HandleParts says what to do for T where the work is in our database and too long for one transaction: fn does it in several.
// It is marked done afterwards, so fn may be called again, and does what is left.
func HandleParts[T Job](m *Mux, fn func(ctx context.Context, org uuid.UUID, job T) error) {
	addUnmarked(m, internalQueue, func(ctx context.Context, org, _ uuid.UUID, job T) error { return fn(ctx, org, job) })
}

// HandleExternal says what to do for T where the work is a call to the outside.
// It is marked done afterwards, so it may happen twice: id is the stable reference to give to the other side.
func HandleExternal[T Job](m *Mux, fn func(ctx context.Context, org, id uuid.UUID, job T) error) {
	addUnmarked(m, externalQueue, fn)
}

// HandleLong is HandleOutside for what takes many seconds because somebody asked for much: it has few workers of its own, and the
// calls to the outside never wait for it.
func HandleLong[T Job](m *Mux, fn func(ctx context.Context, org, id uuid.UUID, job T) error) {
	addUnmarked(m, longQueue, fn)
}

// addUnmarked adds a handler whose work is no part of the transaction that marks it done.
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

// HandleInline says whom to tell of T where that is all there is to do and takes a moment: a Herald does it in the process that has
// committed T; else the relay itself, for all that are due in one outbox at once and in one transaction, because a task of its own
// would cost more than the sale it tells of. Somebody may be told twice.
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

// SkipUnless has the schedule put T into those organisations only in which needed finds something to do, in a transaction that
// cannot write: where there is nothing, a row and a task would cost more than the look.
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

// tell tells rows of one kind, in the traces of those who put them.
func (m *Mux) runInline(ctx context.Context, logger *zap.Logger, org uuid.UUID, kind string, rows []dueRow) (succeeded []uuid.UUID, failed map[uuid.UUID]error) {
	defer spans(ctx, kind, org, rows)()
	succeeded, failed = m.handlers[kind].inline(ctx, org, rows)
	for id, err := range failed {
		logger.Error("queue: job failed", zap.String("job", kind), zap.Stringer("job_id", id), zap.Stringer("org", org), zap.Error(err))
	}
	return succeeded, failed
}

// toldKinds lists the kinds that make no task.
func (m *Mux) inlineKinds() []string {
	return slices.DeleteFunc(m.kinds(), func(kind string) bool { return m.handlers[kind].inline == nil })
}

// kinds lists what this program can do; a relay hands over nothing else, so that a newer program gets its own.
func (m *Mux) kinds() []string {
	kinds := make([]string, 0, len(m.handlers))
	for kind := range m.handlers {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// run does one job. A failure is counted on the row, which is also what ends the trying.
func (m *Mux) run(ctx context.Context, kind string, org, id uuid.UUID) (err error) {
	h, ok := m.handlers[kind]
	if h.inline != nil {
		return nil // an earlier release handed it over; the relay tells it at its next sweep
	}
	if !ok {
		return fmt.Errorf("queue: no handler for %s", kind)
	}
	ctx = log.With(ctx, zap.String("job", kind), zap.Stringer("job_id", id), zap.Stringer("org", org))

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

// look is in for what only reads.
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

// load returns nil when the row is done already.
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
