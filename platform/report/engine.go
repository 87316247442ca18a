package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/queue"
)

// Store stores finished files; blob.Store is one.
type Store interface {
	Put(ctx context.Context, key string, content io.Reader, size int64) error
	Delete(ctx context.Context, key string) error
}

// State is the state of an export: waiting → running → done or failed, or cancelled before it is done.
type State string

// States of an export.
const (
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Export is the making of a file that somebody has requested.
type Export struct {
	ID        uuid.UUID       `json:"id"`
	Report    string          `json:"report"`
	Filter    json.RawMessage `json:"filter"`
	Format    string          `json:"format" enum:"csv,xlsx"`
	Lang      string          `json:"lang" enum:"th,en"`
	State     State           `json:"state" enum:"waiting,running,done,failed,cancelled"`
	RowsDone  int64           `json:"rows_done"`
	RowsTotal int64           `json:"rows_total" doc:"About; past 10,000 an estimate"`
	AskedBy   uuid.UUID       `json:"asked_by"`
	CreatedAt time.Time       `json:"created_at" doc:"UTC"`
	UpdatedAt time.Time       `json:"updated_at" doc:"UTC"`
	object    string
}

// Request is a request for a file.
type Request struct {
	Report string
	Filter json.RawMessage
	Format string // csv, xlsx
	Lang   string // th, en
}

// Faults of requests for files.
var (
	ErrUnknown  = fault.New(fault.NotFound, "report.unknown", "report not found")
	ErrTooMany  = fault.New(fault.TooMany, "report.too_many", "please wait until your other reports are done")
	ErrNotReady = fault.New(fault.Conflict, "report.not_ready", "this report is not ready")
)

const (
	maxOpen  = 3 // exports of one person at once
	keepFile = 7 * 24 * time.Hour
	giveUp   = time.Hour // after which an export that keeps failing is marked as failed
)

// Engine makes files of declared reports.
type Engine struct {
	db      *db.DB
	store   Store
	reports map[string]Report
	lock    func(tx db.Tx, people ...uuid.UUID)
	notify  func(ctx context.Context, tx db.Tx, person, export uuid.UUID) error
}

// NewEngine returns an engine for reports. lock locks a person until the transaction ends, so that their requests are counted one
// after another. notify is called in each transaction that changes an export's state.
func NewEngine(d *db.DB, store Store, lock func(tx db.Tx, people ...uuid.UUID),
	notify func(ctx context.Context, tx db.Tx, person, export uuid.UUID) error, reports ...Report,
) *Engine {
	e := &Engine{db: d, store: store, lock: lock, notify: notify, reports: map[string]Report{}}
	for _, r := range reports {
		if _, twice := e.reports[r.Name()]; twice {
			panic("report: " + r.Name() + " is declared twice")
		}
		e.reports[r.Name()] = r
	}
	return e
}

// Module returns the permission module of a report, or ErrUnknown.
func (e *Engine) Module(name string) (string, error) {
	r, ok := e.reports[name]
	if !ok {
		return "", ErrUnknown
	}
	return r.Module(), nil
}

// Describe returns what a screen has to know of a report, as an organisation calls it. It returns ErrUnknown, also for a table, whose rows are files only.
func (e *Engine) Describe(ctx context.Context, org uuid.UUID, name string) (about Description, err error) {
	r, err := e.shown(name)
	if err != nil {
		return about, err
	}
	about = r.Describe()
	called, err := e.titleOf(ctx, org, r)
	about.TH, about.EN = called.TH, called.EN
	return about, err
}

// shown returns a report that has a screen, or ErrUnknown.
func (e *Engine) shown(name string) (Report, error) {
	r, ok := e.reports[name]
	if !ok || r.Describe().TH == "" {
		return nil, ErrUnknown
	}
	return r, nil
}

func (e *Engine) titleOf(ctx context.Context, org uuid.UUID, r Report) (called Title, err error) {
	err = e.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		called, err = r.title(ctx, tx)
		return err
	})
	return called, err
}

// Screen reads a report for a screen: its first page, or the one after. It returns ErrUnknown as Describe does, or fault.BadInput.
func (e *Engine) Screen(ctx context.Context, org uuid.UUID, name string, filter json.RawMessage, after string) (screen Screen, err error) {
	r, err := e.shown(name)
	if err != nil {
		return Screen{}, err
	}
	err = e.db.InOrg(ctx, org, func(tx db.Tx) error {
		screen, err = r.Screen(ctx, tx, filter, after)
		return err
	})
	return screen, err
}

// MakeExport is the export of the queue that makes a file.
type MakeExport struct {
	Export uuid.UUID `json:"job"`
}

// Kind implements queue.Job.
func (MakeExport) Kind() string { return "report.make" }

// PurgeJob is the daily export that deletes files a week old.
type PurgeJob struct{}

// Kind implements queue.Job.
func (PurgeJob) Kind() string { return "report.forget" }

const (
	columns = `id, report, filter, format, lang, state, rows_done, rows_total, requested_by, created_at, updated_at, object_key`
	insert  = `INSERT INTO report_job (id, report, filter, format, lang, state, requested_by, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $7)`
	openJobs = `SELECT count(*) FROM report_job WHERE requested_by = $1 AND state IN ('waiting', 'running')`
	byID     = `SELECT ` + columns + ` FROM report_job WHERE id = $1 AND requested_by = $2`
	byPerson = `SELECT ` + columns + ` FROM report_job WHERE requested_by = $1 ORDER BY created_at DESC LIMIT 50`
	claim    = `UPDATE report_job SET state = 'running', rows_done = 0, updated_at = $2 WHERE id = $1 AND state IN ('waiting', 'running')
		RETURNING ` + columns
	proceed = `UPDATE report_job SET rows_done = $2, rows_total = $3, updated_at = $4 WHERE id = $1 AND state = 'running'`
	settle  = `UPDATE report_job SET state = $2, rows_done = $3, rows_total = $3, object_key = $4, updated_at = $5
		WHERE id = $1 AND state = 'running'`
	failJob       = `UPDATE report_job SET state = 'failed', updated_at = $2 WHERE id = $1 AND state = 'running'`
	cancel        = `UPDATE report_job SET state = 'cancelled', updated_at = $3 WHERE id = $1 AND requested_by = $2 AND state IN ('waiting', 'running')`
	old           = `SELECT id, object_key FROM report_job WHERE object_key <> '' AND updated_at < $1`
	forget        = `UPDATE report_job SET object_key = '', updated_at = $2 WHERE id = $1`
	exportTimeout = `SET LOCAL statement_timeout = '60s'` // of each fetch, of which the first may sort all rows
)

// Enqueue creates an export for a file. It returns fault.BadInput, ErrUnknown, or ErrTooMany if the person has three open exports.
func (e *Engine) Enqueue(ctx context.Context, org, person uuid.UUID, ask Request) (Export, error) {
	if ask.Format != "csv" && ask.Format != "xlsx" {
		return Export{}, fault.At("format", fault.NotInList)
	}
	if err := e.Check(ask.Report, ask.Filter); err != nil {
		return Export{}, err
	}

	id := db.NewID()
	var export Export
	err := e.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		e.lock(tx, person)
		var n int
		if err := tx.QueryRow(ctx, openJobs, person).Scan(&n); err != nil {
			return err
		}
		if n >= maxOpen {
			return ErrTooMany
		}
		if _, err := tx.Exec(ctx, insert, id, ask.Report, ask.Filter, ask.Format, lang(ask.Lang), person, tx.Now); err != nil {
			return err
		}
		if err := queue.Enqueue(ctx, tx, MakeExport{Export: id}); err != nil {
			return err
		}
		export, err = read(ctx, tx, person, id)
		return err
	})
	return export, err
}

func lang(l string) string {
	if l == "en" {
		return l
	}
	return "th"
}

// Get returns an export of the person, or fault.Missing.
func (e *Engine) Get(ctx context.Context, org, person, id uuid.UUID) (export Export, err error) {
	err = e.db.InOrg(ctx, org, func(tx db.Tx) error {
		export, err = read(ctx, tx, person, id)
		return err
	})
	return export, err
}

func read(ctx context.Context, tx db.Tx, person, id uuid.UUID) (Export, error) {
	export, err := scan(tx.QueryRow(ctx, byID, id, person))
	if errors.Is(err, pgx.ErrNoRows) {
		return export, fault.Missing
	}
	return export, err
}

func scan(row pgx.Row) (j Export, err error) {
	return j, row.Scan(&j.ID, &j.Report, &j.Filter, &j.Format, &j.Lang, &j.State, &j.RowsDone, &j.RowsTotal, &j.AskedBy,
		&j.CreatedAt, &j.UpdatedAt, &j.object)
}

// List returns the person's latest fifty exports.
func (e *Engine) List(ctx context.Context, org, person uuid.UUID) (exports []Export, err error) {
	err = e.db.InOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, byPerson, person)
		if err != nil {
			return err
		}
		exports, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Export, error) { return scan(row) })
		return err
	})
	return exports, err
}

// Cancel cancels an export that is not done; its worker notices within a second. It returns the export.
func (e *Engine) Cancel(ctx context.Context, org, person, id uuid.UUID) (export Export, err error) {
	err = e.db.InOrg(ctx, org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, cancel, id, person, tx.Now); err != nil {
			return err
		}
		export, err = read(ctx, tx, person, id)
		return err
	})
	return export, err
}

// File is a finished file: its key in the store, its name and content type.
type File struct{ Key, Name, ContentType string }

// File returns a finished file of the person. It returns ErrNotReady before it is finished, and after it was deleted, and ErrUnknown where its report is no more.
func (e *Engine) File(ctx context.Context, org, person, id uuid.UUID) (File, error) {
	export, err := e.Get(ctx, org, person, id)
	if err != nil {
		return File{}, err
	}
	if export.State != Done || export.object == "" {
		return File{}, ErrNotReady
	}
	r, ok := e.reports[export.Report]
	if !ok {
		return File{}, ErrUnknown
	}
	called, err := e.titleOf(ctx, org, r)
	if err != nil {
		return File{}, err
	}
	name := called.File + "-" + export.CreatedAt.In(clock.Bangkok).Format("20060102-1504") + "." + export.Format
	return File{Key: export.object, Name: name, ContentType: ContentTypes[export.Format]}, nil
}

// ContentTypes are the content types by format.
var ContentTypes = map[string]string{
	"csv":  "text/csv; charset=utf-8",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

var (
	errCancelled = errors.New("report: cancelled")
	errTwice     = errors.New("report: the transaction began again after rows were written; the export will")
)

// Make makes the file of an export. If it is called again, it makes the file again under the same name, or does nothing if the export is
// over.
func (e *Engine) Make(ctx context.Context, org, _ uuid.UUID, m MakeExport) error {
	var export Export
	err := e.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		if export, err = scan(tx.QueryRow(ctx, claim, m.Export, tx.Now)); err != nil {
			return err
		}
		return e.notify(ctx, tx, export.AskedBy, export.ID)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}

	err = e.make(ctx, org, export)
	var refusal *fault.Fault
	switch {
	case err == nil || errors.Is(err, errCancelled):
		return nil
	case errors.As(err, &refusal) || e.db.Now().Sub(export.CreatedAt) > giveUp:
		return errors.Join(e.fail(ctx, org, export), quiet(refusal, err))
	}
	return err
}

// quiet returns nil if the error was the caller's own, because another try would not help.
func quiet(refusal *fault.Fault, err error) error {
	if refusal != nil {
		return nil //nolint:nilerr // the refusal is on the export's row
	}
	return err
}

func (e *Engine) fail(ctx context.Context, org uuid.UUID, export Export) error {
	return e.db.InOrg(ctx, org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, failJob, export.ID, tx.Now); err != nil {
			return err
		}
		return e.notify(ctx, tx, export.AskedBy, export.ID)
	})
}

// make writes the rows to a file on disk, and stores it once it is complete.
func (e *Engine) make(ctx context.Context, org uuid.UUID, export Export) error {
	r, ok := e.reports[export.Report]
	if !ok {
		return ErrUnknown
	}
	temp, err := os.CreateTemp("", "report-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	defer temp.Close()

	rows, err := e.writeExport(ctx, org, export, r, temp)
	if err != nil {
		return err
	}
	size, err := temp.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return err
	}
	key := org.String() + "/report/" + export.ID.String() + "." + export.Format
	if err := e.store.Put(ctx, key, temp, size); err != nil {
		return fmt.Errorf("store report %s: %w", export.ID, err)
	}
	return e.db.InOrg(ctx, org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, settle, export.ID, Done, rows, key, tx.Now); err != nil {
			return err
		}
		return e.notify(ctx, tx, export.AskedBy, export.ID)
	})
}

// writeExport streams the report's rows into w and returns how many there were. It returns errCancelled soon after the person has
// cancelled the export, also while Postgres has no row yet.
func (e *Engine) writeExport(ctx context.Context, org uuid.UUID, export Export, r Report, w io.Writer) (rows int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	var done progress
	var saving sync.WaitGroup
	saving.Go(func() { e.saveProgress(ctx, cancel, org, export.ID, &done) })
	defer saving.Wait()
	defer cancel(nil)

	err = e.write(ctx, org, Request{export.Report, export.Filter, export.Format, export.Lang}, r, w, &done)
	if cause := context.Cause(ctx); cause != nil { // err is that its statement was cut off
		return 0, cause
	}
	return done.written.Load(), err
}

// progress is how many rows of about how many are written.
type progress struct{ written, total atomic.Int64 }

func (e *Engine) write(ctx context.Context, org uuid.UUID, ask Request, r Report, w io.Writer, done *progress) error {
	out, err := newFile(w, ask.Format, ask.Lang, r.Columns())
	if err != nil {
		return err
	}
	sums := newTotals(r.Columns())
	err = e.db.InOrg(ctx, org, func(tx db.Tx) error {
		if done.written.Load() > 0 {
			return errTwice
		}
		if _, err := tx.Exec(ctx, exportTimeout); err != nil {
			return err
		}
		counted, err := r.count(ctx, tx, ask.Filter)
		if err != nil {
			return err
		}
		done.total.Store(counted)
		return r.each(ctx, tx, ask.Filter, ask.Lang, func(cells []any) error {
			done.written.Add(1)
			sums.add(cells)
			if err := out.row(cells); err != nil {
				return err
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	if sums.any {
		if err := out.totals(sums.row(ask.Lang)); err != nil {
			return err
		}
	}
	return out.close()
}

// Write writes the file of a report into w, whose error it returns. It returns ErrUnknown, or fault.BadInput for a wrong filter.
func (e *Engine) Write(ctx context.Context, org uuid.UUID, ask Request, w io.Writer) error {
	r, ok := e.reports[ask.Report]
	if !ok {
		return ErrUnknown
	}
	return e.write(ctx, org, ask, r, w, &progress{})
}

// Check returns ErrUnknown if there is no such report, or fault.BadInput for a wrong filter.
func (e *Engine) Check(name string, filter json.RawMessage) error {
	r, ok := e.reports[name]
	if !ok {
		return ErrUnknown
	}
	return r.check(filter)
}

const progressEvery = 500 * time.Millisecond

// saveProgress saves how many rows are written, twice a second, until ctx ends. It cancels ctx if the person has cancelled the export.
func (e *Engine) saveProgress(ctx context.Context, cancel context.CancelCauseFunc, org, export uuid.UUID, done *progress) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		rows := done.written.Load()
		err := e.db.InOrg(ctx, org, func(tx db.Tx) error {
			tag, err := tx.Exec(ctx, proceed, export, rows, max(rows, done.total.Load()), tx.Now)
			if err == nil && tag.RowsAffected() == 0 {
				return errCancelled
			}
			return err
		})
		if err == nil || ctx.Err() != nil {
			continue
		}
		cancel(err)
		return
	}
}

// Forget deletes files that are a week old.
func (e *Engine) Forget(ctx context.Context, org, _ uuid.UUID, _ PurgeJob) error {
	type file struct {
		ID  uuid.UUID
		Key string
	}
	var files []file
	err := e.db.InOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, old, tx.Now.Add(-keepFile))
		if err != nil {
			return err
		}
		files, err = pgx.CollectRows(rows, pgx.RowToStructByPos[file])
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := e.store.Delete(ctx, f.Key); err != nil {
			return fmt.Errorf("delete report %s: %w", f.ID, err)
		}
		err := e.db.InOrg(ctx, org, func(tx db.Tx) error {
			_, err := tx.Exec(ctx, forget, f.ID, tx.Now)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
