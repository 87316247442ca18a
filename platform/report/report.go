// Package report is the engine of declared reports: a filter, rows that stream from Postgres, and three outputs: a screen, a csv
// file, an xlsx file. Files are made by a worker, with progress, and can be cancelled.
package report

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/strictjson"
)

// Kind is how a column is written into a file.
type Kind int

// Kinds of columns. Satang is written as baht with two decimals, Moment as date and time in Bangkok, Day as a date.
const (
	Text Kind = iota
	Number
	Satang
	Day
	Moment
)

// Column is one column of a report: a field of its rows by JSON name, and its headers.
type Column struct {
	Name   string
	Kind   Kind
	TH, EN string
	Sum    bool // has a sum in the totals row
}

// Def declares a report with filter F and rows R.
type Def[F, R any] struct {
	Name    string
	Module  string // of the permission set
	Columns []Column
	Check   func(f F) []fault.Field
	Count   func(ctx context.Context, tx db.Tx, f F) (int64, error) // approximate number of rows, for progress
	Each    func(ctx context.Context, tx db.Tx, f F, each func(row R) error) error
}

// Report is a Def for the engine: the filter is JSON, and a row is its cells in the order of the columns.
type Report interface {
	Name() string
	Module() string
	Columns() []Column
	check(filter json.RawMessage) error
	count(ctx context.Context, tx db.Tx, filter json.RawMessage) (int64, error)
	each(ctx context.Context, tx db.Tx, filter json.RawMessage, each func(cells []any) error) error
}

// Declared is a compiled Def.
type Declared[F, R any] struct {
	def    Def[F, R]
	fields [][]int
}

// New compiles a Def. It panics on a column that is no field of R.
func New[F, R any](def Def[F, R]) *Declared[F, R] {
	d := &Declared[F, R]{def: def}
	byName := map[string][]int{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		byName[name] = f.Index
	}
	for _, c := range def.Columns {
		index, ok := byName[c.Name]
		if !ok {
			panic(fmt.Sprintf("report: %s: rows have no field %s", def.Name, c.Name))
		}
		d.fields = append(d.fields, index)
	}
	return d
}

// Screen is the report for a screen: the first 1000 rows, and totals over all.
type Screen[R any] struct {
	Data   []R              `json:"data"`
	Totals map[string]int64 `json:"totals" doc:"Sums over all rows, by field"`
	Total  int64            `json:"total" doc:"Number of all rows"`
}

// screenRows is how many rows a screen gets; a file has all.
const screenRows = 1000

// Screen reads the report for a screen. It returns fault.BadInput for a wrong filter.
func (d *Declared[F, R]) Screen(ctx context.Context, tx db.Tx, f F) (Screen[R], error) {
	s := Screen[R]{Data: []R{}, Totals: map[string]int64{}}
	if err := d.checked(f); err != nil {
		return s, err
	}
	sums := newTotals(d.def.Columns)
	err := d.def.Each(ctx, tx, f, func(row R) error {
		if s.Total++; s.Total <= screenRows {
			s.Data = append(s.Data, row)
		}
		sums.add(d.cells(row))
		return nil
	})
	for i, c := range d.def.Columns {
		if c.Sum {
			s.Totals[c.Name] = sums.of[i]
		}
	}
	return s, err
}

// Name returns the report's name on the wire, Module its name in permission sets.
func (d *Declared[F, R]) Name() string      { return d.def.Name }
func (d *Declared[F, R]) Module() string    { return d.def.Module }
func (d *Declared[F, R]) Columns() []Column { return d.def.Columns }

func (d *Declared[F, R]) checked(f F) error {
	if d.def.Check == nil {
		return nil
	}
	if fields := d.def.Check(f); len(fields) > 0 {
		return fault.Of(fields...)
	}
	return nil
}

func (d *Declared[F, R]) read(filter json.RawMessage) (f F, err error) {
	if err := strictjson.UnmarshalKnown(filter, &f); err != nil {
		return f, fault.At("filter", fault.WrongFormat)
	}
	return f, d.checked(f)
}

func (d *Declared[F, R]) check(filter json.RawMessage) error {
	_, err := d.read(filter)
	return err
}

func (d *Declared[F, R]) count(ctx context.Context, tx db.Tx, filter json.RawMessage) (int64, error) {
	f, err := d.read(filter)
	if err != nil {
		return 0, err
	}
	return d.def.Count(ctx, tx, f)
}

func (d *Declared[F, R]) each(ctx context.Context, tx db.Tx, filter json.RawMessage, each func(cells []any) error) error {
	f, err := d.read(filter)
	if err != nil {
		return err
	}
	return d.def.Each(ctx, tx, f, func(row R) error { return each(d.cells(row)) })
}

func (d *Declared[F, R]) cells(row R) []any {
	v := reflect.ValueOf(row)
	cells := make([]any, len(d.fields))
	for i, index := range d.fields {
		field := v.FieldByIndex(index)
		if field.Kind() == reflect.Pointer {
			if field.IsNil() {
				continue
			}
			field = field.Elem()
		}
		cells[i] = field.Interface()
	}
	return cells
}

// totals adds up the columns of the totals row. Sums of satang stay far below the maximum of an int64.
type totals struct {
	columns []Column
	of      []int64
	any     bool
}

func newTotals(columns []Column) *totals {
	t := &totals{columns: columns, of: make([]int64, len(columns))}
	for _, c := range columns {
		t.any = t.any || c.Sum
	}
	return t
}

func (t *totals) add(cells []any) {
	for i, c := range t.columns {
		if c.Sum && cells[i] != nil {
			t.of[i] += reflect.ValueOf(cells[i]).Int()
		}
	}
}

// row returns the totals row. Its first cell is its label.
func (t *totals) row(lang string) []any {
	cells := make([]any, len(t.columns))
	for i, c := range t.columns {
		if c.Sum {
			cells[i] = t.of[i]
		}
	}
	cells[0] = label(lang, "รวม", "Total")
	return cells
}

func label(lang, th, en string) string {
	if lang == "en" {
		return en
	}
	return th
}
