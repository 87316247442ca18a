// Package resource is the engine of declared tables: list, detail, save, status and export of a table of the back office from one
// Def (docs/architecture.md, Tables of the back office).
//
// All SQL is written in Defs. What a caller sends only selects among fragments, and is bound as a parameter. Columns are always in
// the order of the Def, so there are few different statements.
package resource

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Def declares a table with rows T. Each Column is a field of T with the same JSON name.
type Def[T any] struct {
	Name      string // on the wire: owner/get/{Name}
	Module    string // of the permission set
	Relation  string // the table; SQL fragments call its row r
	Joins     string // more of the FROM clause, e.g. JOIN customer c ON c.id = r.customer_id
	Where     string // a condition on every row, e.g. r.kind = 'pdpa'
	Columns   []Column
	Sort      string // default, "field" or "-field"
	HasStatus bool   // rows have a status, and those with status 9 are deleted
	// AtMost is how many rows the table has by its nature. A table without it grows for ever: each sort, filter and search that it
	// offers must walk an index, however many rows there are (tools/fill, TestPlans).
	AtMost int
	// Finds are what a search of a table that grows looks into, instead of Search columns: statements that select ids of rows, of
	// each the first 200. {begins} is a pattern of what begins with the whole search, {grams} and {parts} are what GramsOf and LIKE
	// ALL compare for its words.
	Finds []string
	// MaxLookup is how many rows one call may list if it selects Lookup columns only; 5000 when 0. If it is set, a call that asks
	// for more rows than it may list whole, and selects nothing, gets these columns.
	MaxLookup     int
	InitialStatus int16   // status of a new row
	Statuses      []int16 // that rows may be given; inactive, active and deleted when empty

	// Constraints maps a constraint's name to the field and fault that its violation means.
	Constraints map[string]fault.Field

	Validate     func(row T) []fault.Field
	Fill         func(ctx context.Context, tx db.Tx, row *T) error              // reads what Columns don't, for Detail
	BeforeSave   func(ctx context.Context, tx db.Tx, old *T, row *T) error      // old is nil for a new row
	AfterSave    func(ctx context.Context, tx db.Tx, old *T, row T) error       // writes what Columns don't
	BeforeStatus func(ctx context.Context, tx db.Tx, old T, status int16) error // may refuse
	AfterChange  func(ctx context.Context, tx db.Tx) error                      // called last in each call that has changed a row
}

// Base must be embedded by every T that can be saved.
type Base struct {
	ID        uuid.UUID `json:"id" required:"false" doc:"None for a new row"`
	ListID    uuid.UUID `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it; id is what counts"`
	Status    int16     `json:"status" readOnly:"true" required:"false" doc:"2 inactive, 5 active"`
	CreatedAt time.Time `json:"created_at" readOnly:"true" required:"false" doc:"UTC"`
	UpdatedAt time.Time `json:"updated_at" required:"false" doc:"UTC. A change must send what it has read"`
}

func (b *Base) base() *Base { return b }

// Statuses of rows (docs/domain.md, Words).
const (
	Pending   int16 = 1
	Inactive  int16 = 2
	Suspended int16 = 4
	Active    int16 = 5
	Deleted   int16 = 9
)

// Column is one field of T and what may be done with it.
type Column struct {
	Name   string
	SQL    string // an expression over r and Joins; "" is r.{Name}. A Write or Once column must be r.{column}
	Key    string // what filters compare instead of SQL, so that an index is walked
	Few    bool   // has few values, and an index on (Key, id)
	Common string // the one of the few values that the index leaves out, because most rows have it
	ByID   bool   // is sorted as the id, which is in the order of creation; a range of it is found by the id
	Date   bool   // a string field that holds a SQL date
	// RefersTo is the table whose row a Write or Once column names by its id. It is for tables with a status: their deleted rows stay, so a
	// foreign key accepts them, and Save refuses them. TestReferences says where it is missing.
	RefersTo string
	Can      Can
	TH, EN   string // header of an exported file; "" leaves the column out
}

// Can has the uses that a column allows. Every column may be selected.
type Can uint8

// Uses of a column. Lookup columns may be listed by thousands, for choices in forms. Of a table that grows, a Filter column is
// compared with single values; with Between a range may be asked for too, and its rows are then sorted by that column. A Once column is written
// with a new row, and Save refuses a change of it.
const (
	Filter Can = 1 << iota
	Search
	Sort
	Lookup
	Write
	Between
	Once
)

// Table is a compiled Def.
type Table[T any] struct {
	def     Def[T]
	columns []column
	byName  map[string]int
	listID  []int          // the field _id of T
	joined  *regexp.Regexp // finds a name of Joins
	choices []string       // columns for a call that selects nothing, if MaxLookup is set
	insert  string
	update  string
}

type column struct {
	Column
	key    string // the expression that filters compare, in its own type
	stored string // the table's column that is written
	kind   kind
	null   bool
	field  []int // of T
}

type kind int

const (
	textKind kind = iota
	intKind
	floatKind
	boolKind
	uuidKind
	timeKind
	dateKind
	listKind // of uuids
	jsonKind
)

// casts are the types to which a bound parameter or the text of a cursor is cast.
var casts = map[kind]string{
	textKind: "text", intKind: "bigint", floatKind: "double precision", boolKind: "boolean",
	uuidKind: "uuid", timeKind: "timestamptz", dateKind: "date",
}

// lowest replaces NULL in sort keys.
var lowest = map[kind]string{
	textKind: "''", intKind: "'-9223372036854775808'::bigint", floatKind: "'-infinity'", boolKind: "false",
	uuidKind: "'00000000-0000-0000-0000-000000000000'", timeKind: "'-infinity'", dateKind: "'-infinity'",
}

// New compiles a Def. It panics on one that contradicts itself.
func New[T any](def Def[T]) *Table[T] {
	t := &Table[T]{def: def, byName: map[string]int{}, joined: aliases(def.Joins)}
	if def.HasStatus {
		active := strconv.Itoa(int(Active))
		status, created, updated := Filter|Sort, Filter|Sort, Sort
		if t.grows() {
			status, created, updated = Filter, Filter|Between|Sort, 0
		}
		t.def.Columns = append([]Column{
			{Name: "id", Can: Filter | Sort | Lookup, ByID: t.grows()},
			{Name: "status", Can: status, Few: t.grows(), Common: active, TH: "สถานะ", EN: "Status"},
			{Name: "created_at", Can: created, ByID: t.grows(), TH: "สร้างเมื่อ", EN: "Created"},
			{Name: "updated_at", Can: updated},
		}, def.Columns...)
	}

	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			fields[name] = f
		}
	}
	if id, ok := fields["_id"]; !ok || id.Type != reflect.TypeFor[uuid.UUID]() {
		panic("resource: " + def.Name + " has no _id, which is how lists spell the id")
	}
	t.listID = fields["_id"].Index
	for _, c := range t.def.Columns {
		f, ok := fields[c.Name]
		if !ok {
			panic(fmt.Sprintf("resource: %s: the row has no field %s", def.Name, c.Name))
		}
		if _, twice := t.byName[c.Name]; twice {
			panic(fmt.Sprintf("resource: %s: column %s stands twice", def.Name, c.Name))
		}
		t.byName[c.Name] = len(t.columns)
		t.columns = append(t.columns, compile(c, f))
	}
	if _, ok := t.byName["id"]; !ok {
		panic("resource: " + def.Name + " has no id")
	}
	if name := strings.TrimPrefix(def.Sort, "-"); t.lookup(name, Sort) == nil {
		panic(fmt.Sprintf("resource: %s: cannot be sorted by %q", def.Name, name))
	}
	for _, c := range t.columns {
		if t.grows() && (c.Can&Search != 0 || c.Can&Sort != 0 && t.isJoined(c.key)) || !t.grows() && (c.Can&Between != 0 || def.Finds != nil) {
			panic(fmt.Sprintf("resource: %s: a table that grows has Finds, and is sorted by its own columns; Between and Finds are for it alone (%s)", def.Name, c.Name))
		}
	}
	if len(t.def.Statuses) == 0 {
		t.def.Statuses = []int16{Inactive, Active, Deleted}
	}
	if t.def.MaxLookup == 0 {
		t.def.MaxLookup = maxLookup
	} else {
		t.choices = t.lookups()
	}
	t.insert, t.update = t.writes()
	return t
}

// lookups returns the Lookup columns, and _id, which is the name of the id in lists.
func (t *Table[T]) lookups() []string {
	names := []string{"_id"}
	for _, c := range t.columns {
		if c.Can&Lookup != 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

var alias = regexp.MustCompile(`(?i)\bJOIN\s+\w+\s+(\w+)\s+ON\b|\)\s+(\w+)\s+ON\b`)

// aliases returns an expression that finds what Joins call their tables, or nil.
func aliases(joins string) *regexp.Regexp {
	names := []string{}
	for _, found := range alias.FindAllStringSubmatch(joins, -1) {
		names = append(names, cmp.Or(found[1], found[2]))
	}
	if len(names) == 0 {
		return nil
	}
	return regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\.`)
}

// isJoined reports whether an expression needs Joins.
func (t *Table[T]) isJoined(sql string) bool { return t.joined != nil && t.joined.MatchString(sql) }

func (t *Table[T]) grows() bool { return t.def.AtMost == 0 }

// AtMost returns how many rows the table has by its nature; 0 where it grows for ever.
func (t *Table[T]) AtMost() int { return t.def.AtMost }

// HasStatus reports whether rows have a status, so that a deleted one stays in the table.
func (t *Table[T]) HasStatus() bool { return t.def.HasStatus }

// Finds reports whether the table can be searched.
func (t *Table[T]) Finds() bool {
	return len(t.def.Finds) > 0 || slices.ContainsFunc(t.columns, func(c column) bool { return c.Can&Search != 0 })
}

// Name returns the table's name on the wire, Module its name in permission sets, Relation its name in the schema.
func (t *Table[T]) Name() string     { return t.def.Name }
func (t *Table[T]) Module() string   { return t.def.Module }
func (t *Table[T]) Relation() string { return t.def.Relation }

// Columns returns the columns, and the type of each one's field.
func (t *Table[T]) Columns() (columns []Column, types []reflect.Type) {
	for _, c := range t.columns {
		columns = append(columns, c.Column)
		types = append(types, reflect.TypeFor[T]().FieldByIndex(c.field).Type)
	}
	return columns, types
}

func compile(c Column, f reflect.StructField) column {
	if c.SQL == "" {
		c.SQL = "r." + c.Name
	}
	stored, plain := strings.CutPrefix(c.SQL, "r.")
	if c.Can&(Write|Once) != 0 && !plain {
		panic("resource: column " + c.Name + " is written, so its SQL must be a column of the table")
	}
	key := cmp.Or(c.Key, c.SQL)
	if c.Date { // is selected as text, but compared as a date
		key, c.SQL = "("+key+")::date", "("+c.SQL+")::text"
	}
	out := column{Column: c, key: key, stored: stored, field: f.Index}

	typ := f.Type
	if typ.Kind() == reflect.Pointer {
		out.null, typ = true, typ.Elem()
	}
	switch {
	case c.Date:
		out.kind = dateKind
	case typ == reflect.TypeFor[uuid.UUID]():
		out.kind = uuidKind
	case typ == reflect.TypeFor[time.Time]():
		out.kind = timeKind
	case typ == reflect.TypeFor[[]uuid.UUID]():
		out.kind = listKind
	case typ.Kind() == reflect.String:
		out.kind = textKind
	case typ.Kind() == reflect.Bool:
		out.kind = boolKind
	case typ.Kind() >= reflect.Int && typ.Kind() <= reflect.Int64:
		out.kind = intKind
	case typ.Kind() == reflect.Float64:
		out.kind = floatKind
	default:
		out.kind = jsonKind
	}
	if c.RefersTo != "" && (out.kind != uuidKind || c.Can&(Write|Once) == 0) {
		panic("resource: column " + c.Name + " refers to a row, so it must be an id that is written")
	}
	if out.kind >= listKind && c.Can&(Sort|Search) != 0 || out.kind == jsonKind && c.Can&Filter != 0 {
		panic("resource: column " + c.Name + " is of a type that cannot be sorted, searched or filtered")
	}
	return out
}

// lookup returns the column if it may be used for use, or nil.
func (t *Table[T]) lookup(name string, use Can) *column {
	i, ok := t.byName[name]
	if !ok || t.columns[i].Can&use == 0 {
		return nil
	}
	return &t.columns[i]
}

// common returns the common value as SQL.
func (c column) common() string { return "'" + c.Common + "'::" + casts[c.kind] }

// isCreation reports whether the column is the time at which rows are made, and their ids with them.
func (c column) isCreation() bool { return c.ByID && c.kind == timeKind }

// value returns a pointer to the column's field in row.
func (c column) value(row reflect.Value) any { return row.FieldByIndex(c.field).Addr().Interface() }

func (t *Table[T]) from() string { return " FROM " + t.def.Relation + " r " + t.def.Joins }

// alive returns the condition that every statement begins with.
func (t *Table[T]) alive() string {
	conditions := []string{}
	if t.def.HasStatus {
		conditions = append(conditions, "r.status <> 9")
	}
	if t.def.Where != "" {
		conditions = append(conditions, "("+t.def.Where+")")
	}
	if len(conditions) == 0 {
		return " WHERE true"
	}
	return " WHERE " + strings.Join(conditions, " AND ")
}
