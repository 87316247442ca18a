package overview

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/report"
)

const (
	maxListed = 50
	maxInFile = 10_000
)

// Page asks for a part of a list of all organisations.
type Page struct {
	Limit int    `json:"limit,omitempty" required:"false" minimum:"0" maximum:"200"`
	After string `json:"after,omitempty" required:"false" maxLength:"400" doc:"Next of the page before"`
}

// File is what was found of a list, as a csv file.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Cut  bool   `json:"cut" doc:"There are more rows: the file has the first 10,000"`
}

// row is one of a list of all organisations.
type row interface {
	key() (org, id uuid.UUID)
}

// order is one in which a list is read. Each of its statements walks one index from where the page before ended: no more rows are read than are
// shown. all takes the value, organisation and id of the row before and a limit; ofOrg the value, the id, a limit and the organisation.
type order[R row] struct {
	all, ofOrg string
	search     string // what the rows begin with, as the last argument of both; "" if the order is not of a search
	first      place  // before all rows
	value      func(r R) any
	parse      func(text string) (any, error) // the value that is written in the place after a page
}

// place is where a page begins: behind a row, or before all.
type place struct {
	value   any
	org, id uuid.UUID
}

// statement returns what reads the rows of an organisation, of all if it is nil, that are behind a place.
func (o order[R]) statement(of *uuid.UUID, after place, limit int) (sql string, args []any) {
	sql, args = o.all, []any{after.value, after.org, after.id, limit}
	if of != nil {
		sql, args = o.ofOrg, []any{after.value, after.id, limit, *of}
	}
	if o.search != "" {
		args = append(args, o.search)
	}
	return sql, args
}

// read returns the place that a page's Next names. It returns fault.BadInput for a text that no page of this order has.
func (o order[R]) read(next string) (p place, err error) {
	if next == "" {
		return o.first, nil
	}
	wrong := fault.At("after", fault.WrongFormat)
	parts := strings.SplitN(next, "/", 3)
	if len(parts) != 3 {
		return p, wrong
	}
	if p.org, err = uuid.Parse(parts[0]); err != nil {
		return p, wrong
	}
	if p.id, err = uuid.Parse(parts[1]); err != nil {
		return p, wrong
	}
	if p.value, err = o.parse(parts[2]); err != nil {
		return p, wrong
	}
	return p, nil
}

// rows returns those behind a place.
func (o order[R]) rows(ctx context.Context, tx db.Tx, of *uuid.UUID, after place, limit int) ([]R, error) {
	sql, args := o.statement(of, after, limit)
	return collect(ctx, tx, pgx.RowToStructByPos[R], sql, args...)
}

// page returns a page of the list, and what names the next one; nil if it is the last.
func (o order[R]) page(ctx context.Context, tx db.Tx, of *uuid.UUID, in Page) (rows []R, next *string, err error) {
	limit := in.Limit
	if limit <= 0 {
		limit = maxListed
	}
	after, err := o.read(in.After)
	if err != nil {
		return nil, nil, err
	}
	if rows, err = o.rows(ctx, tx, of, after, limit+1); err != nil || len(rows) <= limit {
		return rows, nil, err
	}
	rows = rows[:limit]
	last := rows[limit-1]
	org, id := last.key()
	name := fmt.Sprintf("%s/%s/%v", org, id, o.value(last))
	return rows, &name, nil
}

// file writes what is found into a csv file, and records that it did. cells returns a row's.
func (o order[R]) file(ctx context.Context, tx db.Tx, of *uuid.UUID, l fileList[R]) (f File, err error) {
	found, err := o.rows(ctx, tx, of, o.first, maxInFile+1)
	if err != nil {
		return f, err
	}
	if err := auditlog.Record(ctx, tx, l.who, "export", l.table, nil, l.filter); err != nil {
		return f, err
	}
	if f.Cut = len(found) > maxInFile; f.Cut {
		found = found[:maxInFile]
	}
	rows := make([][]any, len(found))
	for n, r := range found {
		rows[n] = l.cells(r)
	}
	var text strings.Builder
	err = report.WriteCSV(&text, l.lang, l.columns, rows)
	f.Name, f.Text = l.name, text.String()
	return f, err
}

// fileList is a list as a file has it.
type fileList[R row] struct {
	who         auditlog.Actor
	table, name string
	lang        string
	filter      any // as the audit log has it
	columns     []report.Column
	cells       func(r R) []any
}

var (
	newestFirst  = place{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), uuid.Max, uuid.Max}
	largestFirst = place{int64(1<<63 - 1), uuid.Max, uuid.Max}
)

// moment is a time as a place has it.
func moment(t time.Time) any { return t.UTC().Format(time.RFC3339Nano) }

func parseMoment(text string) (any, error) { return time.Parse(time.RFC3339Nano, text) }

func parseAmount(text string) (any, error) { return strconv.ParseInt(text, 10, 64) }

func parseDay(text string) (any, error) {
	day, err := time.Parse(time.DateOnly, text)
	return day.Format(time.DateOnly), err
}

func parseText(text string) (any, error) { return text, nil }
