// Package report is the engine of declared reports: a filter, rows that stream from Postgres, and three outputs: a screen, a csv
// file, an xlsx file. Files are made by a worker, with progress, and can be cancelled.
package report

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/uuid"

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
	Sum    bool   // has a sum in the totals row
	Both   bool   // the fields Name_th and Name_en, of which a reader gets his language's, or the other where it is empty
	Words  []Word // what the values of a text are called, if they are few
	// Table names the declared table of which the cell opens a record, whose id is in the field ID.
	Table, ID string
	// Report names the report that the cell opens, with the filter as it is, changed as With says: by filter, the field whose value it gets.
	Report string
	With   map[string]string
	Main   bool // what a phone shows of the numbers
	// FileOnly is of no use on a screen.
	FileOnly bool
}

// Word is what a value is called.
type Word struct {
	Value string `json:"value"`
	TH    string `json:"th"`
	EN    string `json:"en"`
}

func (w Word) in(lang string) string { return label(lang, w.TH, w.EN) }

// Filter is something that a reader may choose besides the days: one of Words, or an active row of a declared table.
type Filter struct {
	Name  string `json:"name"`
	TH    string `json:"title_th"`
	EN    string `json:"title_en"`
	Words []Word `json:"words,omitempty" required:"false" doc:"Its values"`
	Table string `json:"table,omitempty" required:"false" doc:"The table of whose rows it takes the id"`
	Must  bool   `json:"must" doc:"One of the values, the first by default; otherwise it may be missing"`
}

// Chart says what of the rows a picture shows: a bar for each value of the column By, or for each day of the points, of Series on top of each other or
// beside each other.
type Chart struct {
	By     string   `json:"by"`
	Series []string `json:"series"`
	Beside bool     `json:"beside"`
}

// Point is the figures of one day of a report whose rows come in pages, by column.
type Point struct {
	Day    string           `json:"day" format:"date"`
	Values map[string]int64 `json:"values"`
}

// Figure is a sum that stands above a report, such as a balance.
type Figure struct {
	TH     string `json:"title_th"`
	EN     string `json:"title_en"`
	Amount int64  `json:"amount_satang"`
}

// Page says which rows are wanted: those after the row with the key After, at most Limit; all where they are nothing.
type Page struct {
	After string
	Limit int
}

// Rows is the limit for SQL: NULL where all rows are wanted.
func (p Page) Rows() *int {
	if p.Limit == 0 {
		return nil
	}
	return &p.Limit
}

// IDs returns the ids of which the key After consists, or nothing where it is empty. It returns fault.BadInput if there are others than n.
func (p Page) IDs(n int) ([]*uuid.UUID, error) {
	ids := make([]*uuid.UUID, n)
	if p.After == "" {
		return ids, nil
	}
	parts := strings.Split(p.After, ",")
	if len(parts) != n {
		return nil, fault.At("after", fault.WrongFormat)
	}
	for i, part := range parts {
		id, err := uuid.Parse(part)
		if err != nil {
			return nil, fault.At("after", fault.WrongFormat)
		}
		ids[i] = &id
	}
	return ids, nil
}

// Title is what an organisation calls a report, and what the names of its files begin with.
type Title struct {
	TH, EN string
	File   string
}

// Def declares a report with filter F and rows R.
type Def[F, R any] struct {
	Name    string
	Module  string // of the permission set
	TH, EN  string
	Title   func(ctx context.Context, tx db.Tx) (Title, error) // set where each organisation has words of its own; TH and EN stand where none is asked
	Days    bool                                               // F has from and to
	Filters []Filter
	Columns []Column
	Chart   *Chart
	Check   func(f F) []fault.Field
	Count   func(ctx context.Context, tx db.Tx, f F) (int64, error) // approximate number of rows, for progress
	// Each streams the rows. It may leave the page alone if Key is nil.
	Each func(ctx context.Context, tx db.Tx, f F, page Page, each func(row R) error) error
	// Key is set where rows are too many to be added up for a screen, which gets them in pages. Points has their sums then.
	Key     func(row R) string
	Points  func(ctx context.Context, tx db.Tx, f F) ([]Point, error)
	Figures func(ctx context.Context, tx db.Tx, f F) ([]Figure, error)
}

// Report is a Def for the engine: the filter is JSON, and a row is its cells in the order of the columns.
type Report interface {
	Name() string
	Module() string
	Columns() []Column
	Describe() Description
	Screen(ctx context.Context, tx db.Tx, filter json.RawMessage, after string) (Screen, error)
	check(filter json.RawMessage) error
	title(ctx context.Context, tx db.Tx) (Title, error)
	count(ctx context.Context, tx db.Tx, filter json.RawMessage) (int64, error)
	each(ctx context.Context, tx db.Tx, filter json.RawMessage, lang string, each func(cells []any) error) error
}

// Declared is a compiled Def.
type Declared[F, R any] struct {
	def    Def[F, R]
	names  map[string][]int // fields of R by JSON name
	fields [][2][]int       // of each column; the second is the English one
	words  []map[string]Word
}

// New compiles a Def. It panics on a column that is no field of R.
func New[F, R any](def Def[F, R]) *Declared[F, R] {
	d := &Declared[F, R]{def: def, names: map[string][]int{}}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			d.names[name] = f.Index
		}
	}
	field := func(name string) []int {
		index, ok := d.names[name]
		if !ok {
			panic(fmt.Sprintf("report: %s: rows have no field %s", def.Name, name))
		}
		return index
	}
	for _, c := range def.Columns {
		both := [2][]int{}
		if c.Both {
			both = [2][]int{field(c.Name + "_th"), field(c.Name + "_en")}
		} else {
			both[0] = field(c.Name)
		}
		if c.ID != "" {
			field(c.ID)
		}
		for _, name := range c.With {
			field(name)
		}
		words := map[string]Word{}
		for _, w := range c.Words {
			words[w.Value] = w
		}
		d.fields, d.words = append(d.fields, both), append(d.words, words)
	}
	return d
}

// Description is what a screen has to know of a report before it reads it.
type Description struct {
	Name    string        `json:"name"`
	TH      string        `json:"title_th"`
	EN      string        `json:"title_en"`
	Days    bool          `json:"days" doc:"Its filter has from and to"`
	Filters []Filter      `json:"filters"`
	Columns []ColumnTitle `json:"columns"`
	Chart   *Chart        `json:"chart"`
	Paged   bool          `json:"paged" doc:"Rows come in pages, the newest first, and points have their sums"`
}

// ColumnTitle is a column as a screen knows it.
type ColumnTitle struct {
	Name   string `json:"name"`
	Kind   string `json:"kind" enum:"text,number,satang,day,moment"`
	TH     string `json:"title_th"`
	EN     string `json:"title_en"`
	Sum    bool   `json:"sum" doc:"It has a sum in totals"`
	Both   bool   `json:"both" doc:"The fields are name_th and name_en"`
	Words  []Word `json:"words,omitempty" required:"false" doc:"What its values are called"`
	Table  string `json:"table,omitempty" required:"false" doc:"A cell opens a record of this table"`
	ID     string `json:"id,omitempty" required:"false" doc:"The field with the record's id"`
	Report string `json:"report,omitempty" required:"false" doc:"A cell opens this report"`
	With   []With `json:"with,omitempty" required:"false" doc:"What its filter gets of the row"`
	Main   bool   `json:"main" doc:"What a phone shows of the numbers"`
	Hidden bool   `json:"hidden" doc:"In files only"`
}

// With says that a filter gets the value of a field.
type With struct {
	Filter string `json:"filter"`
	Field  string `json:"field"`
}

var kinds = map[Kind]string{Text: "text", Number: "number", Satang: "satang", Day: "day", Moment: "moment"}

// Describe returns the report's description.
func (d *Declared[F, R]) Describe() Description {
	out := Description{
		Name: d.def.Name, TH: d.def.TH, EN: d.def.EN, Days: d.def.Days, Filters: append([]Filter{}, d.def.Filters...),
		Columns: []ColumnTitle{}, Chart: d.def.Chart, Paged: d.def.Key != nil,
	}
	for _, c := range d.def.Columns {
		title := ColumnTitle{
			Name: c.Name, Kind: kinds[c.Kind], TH: c.TH, EN: c.EN, Sum: c.Sum, Both: c.Both, Words: c.Words,
			Table: c.Table, ID: c.ID, Report: c.Report, Main: c.Main, Hidden: c.FileOnly,
		}
		for _, filter := range slices.Sorted(maps.Keys(c.With)) {
			title.With = append(title.With, With{filter, c.With[filter]})
		}
		out.Columns = append(out.Columns, title)
	}
	return out
}

func (d *Declared[F, R]) title(ctx context.Context, tx db.Tx) (Title, error) {
	if d.def.Title == nil {
		return Title{TH: d.def.TH, EN: d.def.EN, File: d.def.Name}, nil
	}
	return d.def.Title(ctx, tx)
}

// Screen is the report for a screen. Without a page it has the first thousand rows. Totals, Points and Figures are of all rows; only the first page has them.
type Screen struct {
	Data    []map[string]any `json:"data" doc:"Rows, by the fields that the columns name"`
	Next    string           `json:"next" doc:"What to ask for as after; empty at the end"`
	Totals  map[string]int64 `json:"totals" doc:"Sums over all rows, by column"`
	Total   int64            `json:"total" doc:"Number of all rows; about, where they come in pages"`
	Points  []Point          `json:"points" doc:"Where rows come in pages: sums of each day that has any"`
	Figures []Figure         `json:"figures"`
}

const (
	screenRows    = 1000
	pageRows      = 100
	screenTimeout = `SET LOCAL statement_timeout = '20s'` // a report may read more than a list does
)

// Screen reads the report for a screen. It returns fault.BadInput for a wrong filter.
func (d *Declared[F, R]) Screen(ctx context.Context, tx db.Tx, filter json.RawMessage, after string) (Screen, error) {
	s := Screen{Data: []map[string]any{}, Totals: map[string]int64{}, Points: []Point{}, Figures: []Figure{}}
	f, err := d.read(filter)
	if err != nil {
		return s, err
	}
	if _, err := tx.Exec(ctx, screenTimeout); err != nil {
		return s, err
	}
	if d.def.Figures != nil && after == "" {
		if s.Figures, err = d.def.Figures(ctx, tx, f); err != nil {
			return s, fmt.Errorf("figures of %s: %w", d.def.Name, err)
		}
	}
	if d.def.Key != nil {
		return s, d.page(ctx, tx, f, after, &s)
	}

	sums := newTotals(d.def.Columns)
	err = d.def.Each(ctx, tx, f, Page{}, func(row R) error {
		if s.Total++; s.Total <= screenRows {
			s.Data = append(s.Data, d.object(row))
		}
		sums.add(d.cells(row, ""))
		return nil
	})
	for i, c := range d.def.Columns {
		if c.Sum {
			s.Totals[c.Name] = sums.of[i]
		}
	}
	return s, err
}

// page reads a page of rows into s, and with the first one their sums.
func (d *Declared[F, R]) page(ctx context.Context, tx db.Tx, f F, after string, s *Screen) (err error) {
	if after == "" {
		if s.Total, err = d.def.Count(ctx, tx, f); err != nil {
			return fmt.Errorf("count of %s: %w", d.def.Name, err)
		}
		if s.Points, err = d.def.Points(ctx, tx, f); err != nil {
			return fmt.Errorf("points of %s: %w", d.def.Name, err)
		}
		for _, c := range d.def.Columns {
			if !c.Sum {
				continue
			}
			s.Totals[c.Name] = 0
			for _, p := range s.Points {
				s.Totals[c.Name] += p.Values[c.Name]
			}
		}
	}
	last := ""
	return d.def.Each(ctx, tx, f, Page{after, pageRows + 1}, func(row R) error {
		if len(s.Data) == pageRows {
			s.Next = last
			return nil
		}
		s.Data, last = append(s.Data, d.object(row)), d.def.Key(row)
		return nil
	})
}

// object returns a row by its JSON names.
func (d *Declared[F, R]) object(row R) map[string]any {
	v, all := reflect.ValueOf(row), make(map[string]any, len(d.names))
	for name, index := range d.names {
		all[name] = v.FieldByIndex(index).Interface()
	}
	return all
}

// Name returns the report's name on the wire, Module its name in permission sets.
func (d *Declared[F, R]) Name() string      { return d.def.Name }
func (d *Declared[F, R]) Module() string    { return d.def.Module }
func (d *Declared[F, R]) Columns() []Column { return d.def.Columns }

func (d *Declared[F, R]) read(filter json.RawMessage) (f F, err error) {
	if err := strictjson.UnmarshalKnown(filter, &f); err != nil {
		return f, fault.At("filter", fault.WrongFormat)
	}
	if d.def.Check == nil {
		return f, nil
	}
	if fields := d.def.Check(f); len(fields) > 0 {
		return f, fault.Of(fields...)
	}
	return f, nil
}

func (d *Declared[F, R]) check(filter json.RawMessage) error {
	_, err := d.read(filter)
	return err
}

func (d *Declared[F, R]) count(ctx context.Context, tx db.Tx, filter json.RawMessage) (int64, error) {
	f, err := d.read(filter)
	if err != nil || d.def.Count == nil {
		return 0, err
	}
	return d.def.Count(ctx, tx, f)
}

func (d *Declared[F, R]) each(ctx context.Context, tx db.Tx, filter json.RawMessage, lang string, each func(cells []any) error) error {
	f, err := d.read(filter)
	if err != nil {
		return err
	}
	return d.def.Each(ctx, tx, f, Page{}, func(row R) error { return each(d.cells(row, lang)) })
}

// cells returns a row in the order of the columns, in a language.
func (d *Declared[F, R]) cells(row R, lang string) []any {
	v := reflect.ValueOf(row)
	cells := make([]any, len(d.fields))
	for i, index := range d.fields {
		if d.def.Columns[i].Both {
			th, en := v.FieldByIndex(index[0]).String(), v.FieldByIndex(index[1]).String()
			cells[i] = label(lang, th, en)
			if cells[i] == "" {
				cells[i] = th + en
			}
			continue
		}
		field := v.FieldByIndex(index[0])
		if field.Kind() == reflect.Pointer {
			if field.IsNil() {
				continue
			}
			field = field.Elem()
		}
		cells[i] = field.Interface()
		if word, ok := d.words[i][fmt.Sprint(cells[i])]; len(d.words[i]) > 0 && ok {
			cells[i] = word.in(lang)
		}
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
