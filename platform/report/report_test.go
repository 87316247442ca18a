package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/report"
)

type filter struct {
	Rows  int `json:"rows"`
	Break int `json:"break"`
	Sleep int `json:"sleep"` // seconds before the first row
}

type line struct {
	Name   string       `json:"name"`
	Day    string       `json:"day"`
	At     time.Time    `json:"at"`
	Count  int64        `json:"count"`
	Amount money.Amount `json:"amount_satang"`
	Note   *string      `json:"note"`
}

const series = `SELECT CASE i WHEN 1 THEN '=HYPERLINK("http://x")' WHEN 2 THEN 'ที่นี่ "ปู่", ญี่ปุ่น' ELSE 'แถว ' || i END,
	'2026-12-31', timestamptz '2026-12-31 17:30:00+00', i, 100 * i + 5, CASE i WHEN 2 THEN '-1+1' END FROM (SELECT pg_sleep($2)) s, generate_series(1, $1::bigint) i`

// sheet is a report of as many rows as its filter says. gate lets a test stop it in the middle.
func sheet(gate func(ctx context.Context, row int64) error) *report.Declared[filter, line] {
	return report.New(report.Def[filter, line]{
		Name: "test", Module: "report",
		Columns: []report.Column{
			{Name: "name", TH: "ชื่อ", EN: "Name"},
			{Name: "day", Kind: report.Day, TH: "วันที่", EN: "Day"},
			{Name: "at", Kind: report.Moment, TH: "เวลา", EN: "Time"},
			{Name: "count", Kind: report.Number, TH: "จำนวน", EN: "Count", Sum: true},
			{Name: "amount_satang", Kind: report.Satang, TH: "ยอด", EN: "Amount", Sum: true},
			{Name: "note", TH: "หมายเหตุ", EN: "Note"},
		},
		Check: func(f filter) []fault.Field {
			if f.Rows < 0 {
				return []fault.Field{{Path: "rows", Fault: fault.TooSmall.Code}}
			}
			return nil
		},
		Count: func(_ context.Context, _ db.Tx, f filter) (int64, error) { return int64(f.Rows), nil },
		Each: func(ctx context.Context, tx db.Tx, f filter, _ report.Page, each func(line) error) error {
			return db.Stream(ctx, tx, pgx.RowToStructByPos[line], func(l line) error {
				if err := gate(ctx, l.Count); err != nil {
					return err
				}
				return each(l)
			}, series, f.Rows, f.Sleep)
		},
	})
}

func open(context.Context, int64) error { return nil }

// memoryStore is a Store in memory.
type memoryStore struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (s *memoryStore) Put(_ context.Context, key string, content io.Reader, size int64) error {
	b, err := io.ReadAll(content)
	if int64(len(b)) != size {
		return errors.New("content has another size than was given")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[key] = b
	return err
}

func (s *memoryStore) Delete(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, key)
	return nil
}

type world struct {
	*dbtest.Server
	*report.Engine
	memoryStore *memoryStore
	org, person uuid.UUID
	notified    []uuid.UUID
}

func newWorld(t *testing.T, gate func(ctx context.Context, row int64) error) *world {
	t.Helper()
	s := dbtest.Open(t)
	w := &world{Server: s, memoryStore: &memoryStore{files: map[string][]byte{}}, org: s.NewOrg(t), person: db.NewID()}
	const person = `INSERT INTO staff (id, username, name, role, status, created_at, updated_at) VALUES ($1, 'may', 'May', 'admin', 5, $2, $2)`
	require.NoError(t, s.DB.InOrg(t.Context(), w.org, func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), person, w.person, tx.Now)
		return err
	}))
	hold := func(tx db.Tx, people ...uuid.UUID) {
		tx.Queue(`SELECT id FROM staff WHERE id = $1 FOR NO KEY UPDATE`, people[0])
	}
	w.Engine = report.NewEngine(s.DB, w.memoryStore, hold, func(_ context.Context, _ db.Tx, _, job uuid.UUID) error {
		w.notified = append(w.notified, job)
		return nil
	}, sheet(gate))
	return w
}

func (w *world) ask(t *testing.T, filter, format, lang string) report.Export {
	t.Helper()
	job, err := w.Enqueue(t.Context(), w.org, w.person, report.Request{Report: "test", Filter: json.RawMessage(filter), Format: format, Lang: lang})
	require.NoError(t, err)
	require.Equal(t, report.Waiting, job.State)
	return job
}

func (w *world) do(t *testing.T, job report.Export) report.Export {
	t.Helper()
	require.NoError(t, w.Make(t.Context(), w.org, db.NewID(), report.MakeExport{Export: job.ID}))
	job, err := w.Get(t.Context(), w.org, w.person, job.ID)
	require.NoError(t, err)
	return job
}

func (w *world) read(t *testing.T, job report.Export) []byte {
	t.Helper()
	file, err := w.File(t.Context(), w.org, w.person, job.ID)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(file.Name, "test-") && strings.HasSuffix(file.Name, "."+job.Format), file.Name)
	require.True(t, strings.HasPrefix(file.Key, w.org.String()+"/report/"))
	require.Contains(t, w.memoryStore.files, file.Key)
	return w.memoryStore.files[file.Key]
}

func TestFiles(t *testing.T) {
	w := newWorld(t, open)

	t.Run("a CSV opens in Excel, in Thai, without formulas", func(t *testing.T) {
		job := w.do(t, w.ask(t, `{"rows": 3}`, "csv", "th"))
		require.Equal(t, report.Done, job.State)
		require.EqualValues(t, 3, job.RowsDone)
		body := w.read(t, job)
		require.True(t, bytes.HasPrefix(body, []byte("\xef\xbb\xbf")))
		rows, err := csv.NewReader(bytes.NewReader(body[3:])).ReadAll()
		require.NoError(t, err)
		require.Equal(t, [][]string{
			{"ชื่อ", "วันที่", "เวลา", "จำนวน", "ยอด", "หมายเหตุ"},
			{`'=HYPERLINK("http://x")`, "31/12/2026", "01/01/2027 00:30", "1", "1.05", ""},
			{`ที่นี่ "ปู่", ญี่ปุ่น`, "31/12/2026", "01/01/2027 00:30", "2", "2.05", "'-1+1"},
			{"แถว 3", "31/12/2026", "01/01/2027 00:30", "3", "3.05", ""},
			{"รวม", "", "", "6", "6.15", ""},
		}, rows)
	})

	t.Run("an XLSX has numbers, dates and no formula", func(t *testing.T) {
		job := w.do(t, w.ask(t, `{"rows": 2}`, "xlsx", "en"))
		require.Equal(t, report.Done, job.State)
		book, err := excelize.OpenReader(bytes.NewReader(w.read(t, job)))
		require.NoError(t, err)
		defer book.Close()
		rows, err := book.GetRows("Sheet1")
		require.NoError(t, err)
		require.Equal(t, [][]string{
			{"Name", "Day", "Time", "Count", "Amount", "Note"},
			{`=HYPERLINK("http://x")`, "31/12/2026", "01/01/2027 00:30", "1", "1.05"},
			{`ที่นี่ "ปู่", ญี่ปุ่น`, "31/12/2026", "01/01/2027 00:30", "2", "2.05", "-1+1"},
			{"Total", "", "", "3", "3.10"},
		}, rows)
		formula, err := book.GetCellFormula("Sheet1", "A2")
		require.NoError(t, err)
		require.Empty(t, formula)
	})

	t.Run("a report of 20,000 rows is done", func(t *testing.T) {
		job := w.do(t, w.ask(t, `{"rows": 20000}`, "xlsx", "th"))
		require.EqualValues(t, 20_000, job.RowsDone)
		require.Equal(t, report.Done, job.State)
	})

	t.Run("a screen gets the first thousand rows and the totals of all", func(t *testing.T) {
		var screen report.Screen
		require.NoError(t, w.DB.InOrg(t.Context(), w.org, func(tx db.Tx) (err error) {
			screen, err = sheet(open).Screen(t.Context(), tx, json.RawMessage(`{"rows": 1500}`), "")
			return err
		}))
		require.Len(t, screen.Data, 1000)
		require.EqualValues(t, 1500, screen.Total)
		require.Equal(t, map[string]int64{"count": 1_125_750, "amount_satang": 112_582_500}, screen.Totals)
	})
}

func TestJobs(t *testing.T) {
	t.Run("invalid requests are refused before a row is written", func(t *testing.T) {
		w := newWorld(t, open)
		for _, ask := range []report.Request{
			{Report: "test", Filter: json.RawMessage(`{"rows": -1}`), Format: "csv"},
			{Report: "test", Filter: json.RawMessage(`{"rows": 1, "sql": "x"}`), Format: "csv"},
			{Report: "test", Filter: nil, Format: "csv"},
			{Report: "test", Filter: json.RawMessage(`{}`), Format: "pdf"},
		} {
			_, err := w.Enqueue(t.Context(), w.org, w.person, ask)
			require.ErrorIs(t, err, fault.BadInput)
		}
		_, err := w.Enqueue(t.Context(), w.org, w.person, report.Request{Report: "wages", Filter: json.RawMessage(`{}`), Format: "csv"})
		require.ErrorIs(t, err, report.ErrUnknown)
	})

	t.Run("a person has three open jobs at most", func(t *testing.T) {
		w := newWorld(t, open)
		for range 3 {
			w.ask(t, `{}`, "csv", "th")
		}
		_, err := w.Enqueue(t.Context(), w.org, w.person, report.Request{Report: "test", Filter: json.RawMessage(`{}`), Format: "csv"})
		require.ErrorIs(t, err, report.ErrTooMany)
	})

	t.Run("a person has three open jobs at most, also by concurrent requests", func(t *testing.T) {
		w := newWorld(t, open)
		var group sync.WaitGroup
		var accepted atomic.Int32
		for range 12 {
			group.Go(func() {
				_, err := w.Enqueue(context.Background(), w.org, w.person, report.Request{Report: "test", Filter: json.RawMessage(`{}`), Format: "csv"})
				if err == nil {
					accepted.Add(1)
					return
				}
				require.ErrorIs(t, err, report.ErrTooMany)
			})
		}
		group.Wait()
		require.EqualValues(t, 3, accepted.Load())
	})

	t.Run("a job is missing to another person, and in another organisation", func(t *testing.T) {
		w := newWorld(t, open)
		job := w.do(t, w.ask(t, `{"rows": 1}`, "csv", "th"))
		for _, who := range []struct{ org, person uuid.UUID }{{w.org, db.NewID()}, {w.NewOrg(t), w.person}} {
			_, err := w.Get(t.Context(), who.org, who.person, job.ID)
			require.ErrorIs(t, err, fault.Missing)
			_, err = w.Cancel(t.Context(), who.org, who.person, job.ID)
			require.ErrorIs(t, err, fault.Missing)
			_, err = w.File(t.Context(), who.org, who.person, job.ID)
			require.ErrorIs(t, err, fault.Missing)
		}
	})

	t.Run("a job cancelled in the middle stops its worker and stores nothing", func(t *testing.T) {
		var w *world
		var job report.Export
		w = newWorld(t, func(ctx context.Context, row int64) error {
			if row < 5000 {
				return nil
			}
			got, err := w.Cancel(context.Background(), w.org, w.person, job.ID)
			require.NoError(t, err)
			require.Equal(t, report.Cancelled, got.State)
			<-ctx.Done() // the worker has noticed
			return ctx.Err()
		})
		job = w.ask(t, `{"rows": 20000}`, "csv", "th")
		job = w.do(t, job)
		require.Equal(t, report.Cancelled, job.State)
		require.Less(t, job.RowsDone, int64(20_000))
		require.Empty(t, w.memoryStore.files)
		_, err := w.File(t.Context(), w.org, w.person, job.ID)
		require.ErrorIs(t, err, report.ErrNotReady)
	})

	t.Run("a job cancelled before Postgres has a row ends without it", func(t *testing.T) {
		w := newWorld(t, open)
		job := w.ask(t, `{"rows": 1, "sleep": 60}`, "csv", "th")
		made := make(chan error)
		began := time.Now()
		go func() { made <- w.Make(context.Background(), w.org, db.NewID(), report.MakeExport{Export: job.ID}) }()
		require.Eventually(t, func() bool {
			now, err := w.Get(t.Context(), w.org, w.person, job.ID)
			require.NoError(t, err)
			return now.State == report.Running
		}, 30*time.Second, 10*time.Millisecond)
		_, err := w.Cancel(t.Context(), w.org, w.person, job.ID)
		require.NoError(t, err)
		require.NoError(t, <-made)
		require.Less(t, time.Since(began), 50*time.Second)
		require.Empty(t, w.memoryStore.files)
	})

	t.Run("a job whose worker died is made by another, and a done job is not made again", func(t *testing.T) {
		died := false
		w := newWorld(t, func(_ context.Context, row int64) error {
			if row == 700 && !died {
				died = true
				return errors.New("killed")
			}
			return nil
		})
		job := w.ask(t, `{"rows": 1000}`, "csv", "th")
		require.Error(t, w.Make(t.Context(), w.org, db.NewID(), report.MakeExport{Export: job.ID}))
		job = w.do(t, job)
		require.Equal(t, report.Done, job.State)
		require.Equal(t, 1002, bytes.Count(w.read(t, job), []byte("\r\n")))

		notified := len(w.notified)
		require.Equal(t, report.Done, w.do(t, job).State)
		require.Len(t, w.notified, notified)
	})

	t.Run("a job that still fails after an hour is failed", func(t *testing.T) {
		w := newWorld(t, func(context.Context, int64) error { return errors.New("never") })
		job := w.ask(t, `{"rows": 1}`, "csv", "th")
		w.Clock.Advance(61 * time.Minute)
		require.Error(t, w.Make(t.Context(), w.org, db.NewID(), report.MakeExport{Export: job.ID}))
		job, err := w.Get(t.Context(), w.org, w.person, job.ID)
		require.NoError(t, err)
		require.Equal(t, report.Failed, job.State)
	})

	t.Run("a file is deleted after a week", func(t *testing.T) {
		w := newWorld(t, open)
		job := w.do(t, w.ask(t, `{"rows": 1}`, "csv", "th"))
		require.NoError(t, w.Forget(t.Context(), w.org, db.NewID(), report.PurgeJob{}))
		require.Len(t, w.memoryStore.files, 1)
		w.Clock.Advance(8 * 24 * time.Hour)
		require.NoError(t, w.Forget(t.Context(), w.org, db.NewID(), report.PurgeJob{}))
		require.Empty(t, w.memoryStore.files)
		_, err := w.File(t.Context(), w.org, w.person, job.ID)
		require.ErrorIs(t, err, report.ErrNotReady)
	})
}
