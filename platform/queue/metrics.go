package queue

import (
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"welovevoucher/platform/db"
)

// Kinds are declared in code, so there are few labels. docs/operations.md says what to do about each metric.
var (
	jobs = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "wlv_jobs_total", Help: "Runs of jobs by kind and result: done or failed.",
	}, []string{"kind", "result"})
	jobTime = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name: "wlv_job_duration_seconds", Help: "How long a run of a job took.",
		Buckets: []float64{.005, .02, .1, .5, 2, 10, 60, 300},
	}, []string{"kind"})
)

func count(kind string, took time.Duration, err error) {
	result := "done"
	if err != nil {
		result = "failed"
	}
	jobs.WithLabelValues(kind, result).Inc()
	jobTime.WithLabelValues(kind).Observe(took.Seconds())
}

// open has the rows of one outbox that are due and not done.
type open struct {
	rows, givenUp int
	oldest        time.Time
}

// backlog has the rows that the relay found in every outbox at its last sweep. Ages are computed when they are read, so that a relay that has
// stopped does not show a good number for ever.
type backlog struct {
	now func() time.Time

	mu   sync.Mutex
	of   map[uuid.UUID]open
	last time.Time
}

const countOpen = `SELECT count(*) FILTER (WHERE attempts < $2), count(*) FILTER (WHERE attempts >= $2), min(due_at) FILTER (WHERE attempts < $2)
	FROM outbox WHERE done_at IS NULL AND due_at <= $1`

// measure queues the count of what is due and not done in an outbox.
func (r *Relay) measure(tx db.Tx) {
	tx.Queue(countOpen, tx.Now, MaxAttempts).QueryRow(func(row pgx.Row) error {
		var o open
		var oldest *time.Time
		if err := row.Scan(&o.rows, &o.givenUp, &oldest); err != nil {
			return err
		}
		if oldest != nil {
			o.oldest = *oldest
		}
		r.backlog.measure(tx.Org, o)
		return nil
	})
}

func (b *backlog) measure(org uuid.UUID, o open) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if delete(b.of, org); o.rows+o.givenUp > 0 {
		b.of[org] = o
	}
}

func (b *backlog) measured() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = b.now()
}

var (
	outboxRows    = prometheus.NewDesc("wlv_outbox_rows", "Rows of all outboxes that are due and not done.", nil, nil)
	outboxAge     = prometheus.NewDesc("wlv_outbox_oldest_age_seconds", "How long the oldest of them has been due.", nil, nil)
	outboxGivenUp = prometheus.NewDesc("wlv_outbox_dead_rows", "Rows that failed too often and that nobody tries again.", nil, nil)
	outboxLooked  = prometheus.NewDesc("wlv_outbox_sweep_age_seconds", "How long ago the relay last swept.", nil, nil)
)

// Describe implements prometheus.Collector.
func (r *Relay) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{outboxRows, outboxAge, outboxGivenUp, outboxLooked} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (r *Relay) Collect(to chan<- prometheus.Metric) {
	b := &r.backlog
	b.mu.Lock()
	defer b.mu.Unlock()

	now, rows, givenUp, age := b.now(), 0, 0, time.Duration(0)
	for _, o := range b.of {
		rows += o.rows
		givenUp += o.givenUp
		if !o.oldest.IsZero() {
			age = max(age, now.Sub(o.oldest))
		}
	}
	gauge := func(d *prometheus.Desc, v float64) { to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	gauge(outboxRows, float64(rows))
	gauge(outboxAge, age.Seconds())
	gauge(outboxGivenUp, float64(givenUp))
	if !b.last.IsZero() {
		gauge(outboxLooked, now.Sub(b.last).Seconds())
	}
}
