package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

// Schedule enqueues jobs once a period. Any number may run: only the one that holds the lease works, and each period of a job is a
// unique row, so no job is enqueued twice. Periods are counted from midnight in Bangkok.
type Schedule struct {
	db      *db.DB
	waker   *Waker
	log     *zap.Logger
	holder  string
	entries []entry
}

type entry struct {
	name  string
	every time.Duration
	job   Job
}

// NewSchedule returns a schedule that purges old rows daily. Every and EveryOrg add other jobs before Run.
func NewSchedule(d *db.DB, waker *Waker, logger *zap.Logger) *Schedule {
	s := &Schedule{db: d, waker: waker, log: logger, holder: db.NewID().String()}
	s.Every(24*time.Hour, Purge{})
	s.EveryOrg(24*time.Hour, Purge{})
	return s
}

// Every enqueues a job of the platform once a period.
func (s *Schedule) Every(period time.Duration, job Job) {
	s.entries = append(s.entries, entry{name: job.Kind(), every: period, job: job})
}

// EveryOrg enqueues job into the outbox of each organisation that is open or suspended, once a period. It skips an organisation whose last one is still
// undone: so the job must do all that is due, not what one period brought.
func (s *Schedule) EveryOrg(period time.Duration, job Job) {
	body, err := json.Marshal(job)
	if err != nil {
		panic(fmt.Sprintf("queue: payload of %s: %v", job.Kind(), err)) // a programming error, at start
	}
	s.entries = append(s.entries, entry{name: "each:" + job.Kind(), every: period, job: fanOut{Of: job.Kind(), Job: body}})
}

// The lease is renewed every second. Another schedule may take it ten seconds after its holder has stopped.
const (
	lookEvery = time.Second
	leaseFor  = 10 * time.Second
	leaseName = "scheduler"
	takeLease = `INSERT INTO lease (name, holder, held_until) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
		WHERE lease.holder = excluded.holder OR lease.held_until < $4`
	takeFromAll = `INSERT INTO lease (name, holder, held_until) VALUES ($1, 'nobody', $2)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until`
	insertTick = `INSERT INTO tick (job, period, at) VALUES ($1, $2, $3) ON CONFLICT (job, period) DO NOTHING`
)

// Run calls RunOnce every second until ctx ends.
func (s *Schedule) Run(ctx context.Context) {
	ctx = untraced(s.waker.With(ctx))
	looking, stop := graceful(ctx)
	defer stop()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		if err := s.RunOnce(looking); err != nil {
			s.log.Error("queue: schedule", zap.Error(err))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// RunOnce enqueues the jobs whose period has begun, if this schedule holds the lease.
func (s *Schedule) RunOnce(ctx context.Context) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		held, err := tx.Exec(ctx, takeLease, leaseName, s.holder, tx.Now.Add(leaseFor), tx.Now)
		if err != nil || held.RowsAffected() == 0 {
			return err
		}
		for _, e := range s.entries {
			ticked, err := tx.Exec(ctx, insertTick, e.name, periodOf(tx.Now, e.every), tx.Now)
			if err != nil {
				return err
			}
			if ticked.RowsAffected() == 0 {
				continue
			}
			if err := Enqueue(ctx, tx, e.job); err != nil {
				return err
			}
		}
		return nil
	})
}

// PauseSchedules takes the lease from every process until the given time, so that none enqueues scheduled jobs; a past time ends
// the pause. It is for demo data, which is written at past times.
func PauseSchedules(ctx context.Context, d *db.DB, until time.Time) error {
	return d.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, takeFromAll, leaseName, until)
		return err
	})
}

func periodOf(now time.Time, every time.Duration) string {
	_, offset := now.In(clock.Bangkok).Zone()
	zone := time.Duration(offset) * time.Second
	return now.Add(zone).Truncate(every).Add(-zone).UTC().Format(time.RFC3339)
}

// fanOut is a job of the platform that enqueues another job for every organisation that is open or suspended.
type fanOut struct {
	Of  string          `json:"of"`
	Job json.RawMessage `json:"job"`
}

func (fanOut) Kind() string { return "queue.to_each" }

const opened = `SELECT id FROM organisation WHERE state <> 'provisioning' ORDER BY id`

// runFanOut inserts rows under an id made of organisation and kind, so that a second run adds nothing. It goes on after an
// organisation that cannot be reached, and returns its error at the end.
func (m *Mux) runFanOut(ctx context.Context, _, _ uuid.UUID, job fanOut) error {
	var orgs []uuid.UUID
	err := m.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, opened)
		if err != nil {
			return err
		}
		orgs, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return err
	}

	var errs []error
	for _, org := range orgs {
		errs = append(errs, m.enqueueFor(ctx, org, job))
	}
	return errors.Join(errs...)
}

func (m *Mux) enqueueFor(ctx context.Context, org uuid.UUID, job fanOut) error {
	if needed := m.needed[job.Of]; needed != nil {
		some := false
		err := m.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
			some, err = needed(ctx, tx)
			return err
		})
		if err != nil || !some {
			return err
		}
	}
	return m.db.InOrg(ctx, org, func(tx db.Tx) error {
		insert(ctx, tx, newRow{outboxRow{uuid.NewSHA1(org, []byte(job.Of)), job.Of, row{Job: job.Job, Tick: true}, tx.Now}, true})
		return nil
	})
}

// Purge deletes rows that were done more than a week ago.
type Purge struct{}

// Kind implements Job.
func (Purge) Kind() string { return "queue.purge" }

const (
	retention = 7 * 24 * time.Hour
	// purgeDone finds the rows where they lie: the oldest are first in the table, and no index is kept for this alone.
	purgeDone = `DELETE FROM outbox WHERE ctid = ANY (ARRAY(SELECT ctid FROM outbox WHERE done_at < $1 LIMIT $2))`
	purgeTick = `DELETE FROM tick WHERE at < $1`
)

// purgeAtOnce bounds a transaction: a day of a large organisation is half a million rows.
const purgeAtOnce = 20_000

func (m *Mux) purge(ctx context.Context, org uuid.UUID, _ Purge) error {
	for more := true; more; {
		err := m.in(ctx, org, func(tx db.Tx) error {
			done, err := tx.Exec(ctx, purgeDone, tx.Now.Add(-retention), purgeAtOnce)
			more = done.RowsAffected() == purgeAtOnce
			return err
		})
		if err != nil {
			return fmt.Errorf("purge the outbox: %w", err)
		}
	}
	if org != uuid.Nil {
		return nil
	}
	return m.in(ctx, org, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, purgeTick, tx.Now.Add(-retention))
		return err
	})
}
