package resource

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Query selects rows of a list. It is not trusted until a Table has checked it.
type Query struct {
	Filter map[string]any `json:"filter,omitempty" required:"false" doc:"Per field: a value, a list of values, null, or {from, to}"`
	Search string         `json:"search,omitempty" required:"false" maxLength:"100" doc:"Words, all of which must be found"`
	Select []string       `json:"select,omitempty" required:"false" maxItems:"60" doc:"Fields to answer; all when empty"`
	Sort   string         `json:"sort,omitempty" required:"false" maxLength:"60" doc:"A field, or -field for descending"`
	Limit  int            `json:"limit,omitempty" required:"false" minimum:"0" maximum:"10000" doc:"At most 200; of Lookup columns alone the Def's MaxLookup"`
	After  string         `json:"after,omitempty" required:"false" maxLength:"2000" doc:"The next of the page before"`
}

// Page is a part of a list. Total is counted up to 1,000 and estimated beyond.
type Page[T any] struct {
	Data  []Row[T] `json:"data"`
	Next  *string  `json:"next" doc:"Send it as after to read on; null at the end"`
	Total int64    `json:"total"`
}

// Row is a T of which a query may have selected some fields.
type Row[T any] struct {
	Value    T              // of a selection: with zeros in the other fields
	selected map[string]any // nil: all
}

// JSON returns what is written for the row: all fields of T, or the selected ones.
func (r Row[T]) JSON() any {
	if r.selected != nil {
		return r.selected
	}
	return r.Value
}

// MarshalJSON writes the row. Lists of many rows are quicker made of what JSON returns: encoding/json reads again what this writes.
func (r Row[T]) MarshalJSON() ([]byte, error) { return json.Marshal(r.JSON()) }

// Limits of a query, and how far rows are counted exactly.
const (
	defaultLimit = 50
	maxLimit     = 200
	maxLookup    = 5000
	countUpTo    = 1000
	maxWords     = 5
	maxBranches  = 20
	maxValues    = 200
)

// List reads a page. It returns fault.BadInput, with the field, for anything that the Def does not allow.
func (t *Table[T]) List(ctx context.Context, tx db.Tx, q Query) (Page[T], error) {
	p, err := t.plan(q)
	if err != nil {
		return Page[T]{}, err
	}
	limit, err := t.limit(q, p.columns)
	if err != nil {
		return Page[T]{}, err
	}
	p.prepare(tx)
	page, total := t.queuePage(tx, p, limit), func() int64 { return 0 }
	if !p.countsItself() {
		total = t.queueTotal(tx, p)
	}
	if err := tx.Flush(ctx); err != nil {
		return Page[T]{}, fmt.Errorf("list %s: %w", t.def.Name, err)
	}
	read := page.Get()
	read.Total = max(read.Total, total())
	return read, nil
}

// Export calls each for every row of the query, in one pass. It stops at the first error of each.
func (t *Table[T]) Export(ctx context.Context, tx db.Tx, q Query, each func(row T) error) error {
	p, err := t.plan(q)
	if err != nil {
		return err
	}
	sql := "SELECT " + expressions(t.columns) + " FROM (" + t.cut(p, "r.*", "") + ") r " + t.def.Joins + p.order(nil)
	if err := db.Stream(ctx, tx, t.reader(), each, sql, p.args...); err != nil {
		return fmt.Errorf("export %s: %w", t.def.Name, err)
	}
	return nil
}

// reader returns what makes a row of all columns, one after another.
func (t *Table[T]) reader() pgx.RowToFunc[T] {
	into := make([]any, len(t.columns))
	return func(from pgx.CollectableRow) (row T, err error) {
		v := reflect.ValueOf(&row).Elem()
		for i, c := range t.columns {
			into[i] = c.value(v)
		}
		return row, from.Scan(into...)
	}
}

// Check returns what is wrong with a query, without asking the database.
func (t *Table[T]) Check(q Query) []fault.Field {
	if _, err := t.plan(q); err != nil {
		return fault.From(err).Fields
	}
	return nil
}

// Count returns how many rows the query selects: exactly up to 1,000, estimated beyond.
func (t *Table[T]) Count(ctx context.Context, tx db.Tx, q Query) (int64, error) {
	p, err := t.plan(q)
	if err != nil {
		return 0, err
	}
	p.prepare(tx)
	total := t.queueTotal(tx, p)
	if err := tx.Flush(ctx); err != nil {
		return 0, fmt.Errorf("count %s: %w", t.def.Name, err)
	}
	return total(), nil
}

const (
	joinByRow = `SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('join_collapse_limit', '1', true)`
	walkIndex = joinByRow + `, set_config('enable_bitmapscan', 'off', true)`
)

// prepare has the transaction's statements planned for pages: joined row by row in the order of Joins, since what a page is joined with
// is looked up by keys. A search is planned for its letters, without which Postgres finds no index for it, and a Relation that is a
// query for the values by which it is cut, as Postgres thinks best. All others are planned once for all values, and walk an index in its
// order.
func (p *plan) prepare(tx db.Tx) {
	switch {
	case p.ofQuery:
		tx.ForceCustomPlan()
	case p.found != "":
		tx.ForceCustomPlan()
		tx.Queue(joinByRow)
	default:
		tx.ForceGenericPlan()
		tx.Queue(walkIndex)
	}
}

// Statement is SQL with its arguments.
type Statement struct {
	SQL  string
	Args []any
}

// Explainable is what List asks Postgres for a query: the page, and how many rows there are.
type Explainable struct {
	Statements []Statement
	Prepare    func(tx db.Tx) // sets how they are planned
	PlanOnce   bool           // for all values
}

// Explain returns what List asks Postgres for a query.
func (t *Table[T]) Explain(q Query) (Explainable, error) {
	p, err := t.plan(q)
	if err != nil {
		return Explainable{}, err
	}
	limit, err := t.limit(q, p.columns)
	if err != nil {
		return Explainable{}, err
	}
	return Explainable{[]Statement{t.pageOf(p, limit), t.countOf(p)}, p.prepare, p.found == "" && !p.ofQuery}, nil
}

const detailBy = " AND r.id = $1"

// Detail reads one row, with what Fill adds. It returns fault.Missing if there is none.
func (t *Table[T]) Detail(ctx context.Context, tx db.Tx, id uuid.UUID) (T, error) {
	row, err := t.one(ctx, tx, id, "")
	if err != nil {
		return row, err
	}
	return row, t.fill(ctx, tx, &row)
}

func (t *Table[T]) fill(ctx context.Context, tx db.Tx, row *T) error {
	if t.def.Fill == nil {
		return nil
	}
	return t.def.Fill(ctx, tx, row)
}

func (t *Table[T]) one(ctx context.Context, tx db.Tx, id uuid.UUID, lock string) (row T, err error) {
	v := reflect.ValueOf(&row).Elem()
	into := make([]any, len(t.columns))
	for i, c := range t.columns {
		into[i] = c.value(v)
	}
	sql := "SELECT " + expressions(t.columns) + t.from() + t.alive() + detailBy + lock
	err = tx.QueryRow(ctx, sql, id).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, fault.Missing
	}
	if err != nil {
		return row, fmt.Errorf("%s %s: %w", t.def.Name, id, err)
	}
	return row, nil
}

// plan is a checked query: fragments of the Def, and values to bind.
type plan struct {
	columns    []column
	keep       []string
	where      string   // fragments and placeholders only
	few        []one    // values of Few columns
	pinned     *one     // of a Few column whose index is walked
	branches   []branch // conditions of which each row meets exactly one; none is no condition
	found      string   // selects the ids that a search finds
	args       []any
	joined     bool // where or sort needs Joins
	between    *column
	created    bool // a range of the id, which is walked
	ofQuery    bool
	sort       column
	sortName   string // as a Query has it
	sortSQL    string
	descending bool
	after      *cursor
	afterID    string // placeholders of the cursor
	afterValue string
}

// one is a value that a column is to have.
type one struct {
	column column
	value  string // its placeholder
	common bool
}

func (o one) condition() string { return o.column.key + " = " + o.value }

// pinned is condition in other words. Postgres takes a column that equals a constant out of the order, and would then walk all ids
// instead of that column's index wherever it takes the value for frequent, however far the rows with it are. That the value is not the
// common one is said beside it, because the index leaves that one out.
func (o one) pinned() string {
	condition := o.column.key + " >= " + o.value + " AND " + o.column.key + " <= " + o.value
	if o.column.Common != "" || o.column.kind == textKind {
		condition += " AND " + o.column.key + " <> " + o.column.common()
	}
	return condition
}

// branch is a condition, and what of it is pinned, or nil.
type branch struct {
	condition string
	pinned    *one
}

func (t *Table[T]) plan(q Query) (*plan, error) {
	p := &plan{where: t.alive(), ofQuery: t.ofQuery()}
	steps := []func(*plan, Query) error{t.planSelect, t.planFilter, t.planSearch, t.planSort}
	for _, step := range steps {
		if err := step(p, q); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (t *Table[T]) planSelect(p *plan, q Query) error {
	if len(q.Select) == 0 && q.Limit > maxLimit {
		q.Select = t.choices // if nil, so many whole rows are refused
	}
	if len(q.Select) == 0 {
		p.columns = t.columns
		return nil
	}
	fields := make([]string, len(q.Select))
	for i, name := range q.Select {
		fields[i] = fieldOf(name)
		if _, ok := t.byName[fields[i]]; !ok {
			return fault.At("select."+strconv.Itoa(i), fault.Unknown)
		}
	}
	for _, c := range t.columns { // in the order of the Def, each once
		if slices.Contains(fields, c.Name) {
			p.columns = append(p.columns, c)
		}
	}
	p.keep = q.Select
	return nil
}

// fieldOf returns the field of a selected name. Lists name the id _id.
func fieldOf(name string) string {
	if name == "_id" {
		return "id"
	}
	return name
}

// planFilter goes through the columns of the Def, not through the input, so that the statement's text does not depend on the
// input's order.
func (t *Table[T]) planFilter(p *plan, q Query) error {
	known := 0
	for _, c := range t.columns {
		value, ok := q.Filter[c.Name]
		if !ok || c.Can&Filter == 0 {
			continue
		}
		known++
		p.joined = p.joined || t.isJoined(c.key)
		if err := t.filter(p, c, value); err != nil {
			return err
		}
	}
	// The specification's lists send these two with every filter. The organisation is the session's alone.
	if _, ok := q.Filter["organize"]; ok {
		known++
	}
	_, own := t.byName["active"]
	if active, ok := q.Filter["active"]; ok && t.def.HasStatus && !own {
		known++
		switch active {
		case true:
			p.where += " AND r.status = 5"
		case false:
			p.where += " AND r.status <> 5"
		default:
			return fault.At("filter.active", fault.WrongType)
		}
	}
	if known == len(q.Filter) {
		return nil
	}

	names := make([]string, 0, len(q.Filter))
	for name := range q.Filter {
		if name != "organize" && (name != "active" || own || !t.def.HasStatus) && t.lookup(name, Filter) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	fields := []fault.Field{}
	for _, name := range names {
		fields = append(fields, fault.Field{Path: "filter." + clip(name, 60), Fault: fault.Unknown.Code})
	}
	return fault.Of(fields...)
}

func (t *Table[T]) filter(p *plan, c column, value any) error {
	path := "filter." + c.Name
	switch v := value.(type) {
	case nil:
		if !c.null { // an index is not asked for what is not there
			p.where += " AND false"
			return nil
		}
		p.where += " AND " + c.key + " IS NULL"
		return nil
	case []any:
		return t.filterAny(p, c, path, v)
	case map[string]any:
		return t.filterRange(p, c, path, v)
	}
	if c.Can&Between != 0 { // its index is walked
		return t.filterRange(p, c, path, map[string]any{"from": value, "to": value})
	}

	bound, err := bind(c.kind, value, path)
	if err != nil {
		return err
	}
	p.equals(c, bound)
	return nil
}

func (p *plan) equals(c column, bound string) {
	switch {
	case c.kind == listKind:
		p.where += " AND " + c.SQL + " @> ARRAY[" + p.arg(bound, uuidKind) + "]"
	case c.kind == boolKind && bound == "true":
		p.where += " AND " + c.key
	case c.kind == boolKind:
		p.where += " AND NOT " + c.key
	case c.Few:
		p.few = append(p.few, p.one(c, bound))
	default:
		p.where += " AND " + p.one(c, bound).condition()
	}
}

func (p *plan) one(c column, bound string) one {
	return one{c, p.arg(bound, c.kind), c.Common == bound}
}

// filterAny selects the rows of each value by a branch of its own where the table grows: an index has each value's rows in their
// order, but not those of several.
func (t *Table[T]) filterAny(p *plan, c column, path string, values []any) error {
	if c.kind >= listKind || c.isCreation() {
		return fault.At(path, fault.WrongType)
	}
	if len(values) > maxValues {
		return fault.At(path, fault.TooLong)
	}
	bound := make([]string, len(values))
	for i, value := range values {
		one, err := bind(c.kind, value, path+"."+strconv.Itoa(i))
		if err != nil {
			return err
		}
		bound[i] = one
	}
	slices.Sort(bound)
	bound = slices.Compact(bound)
	if t.grows() && len(bound) > maxBranches {
		return fault.At(path, fault.TooLong)
	}
	switch {
	case len(bound) == 1:
		p.equals(c, bound[0])
	case t.grows() && len(bound) > 1 && len(p.branches) == 0 && c.kind != boolKind:
		for _, value := range bound {
			each := p.one(c, value)
			if !c.Few || each.common {
				p.branches = append(p.branches, branch{condition: each.condition()})
			} else {
				p.branches = append(p.branches, branch{each.pinned(), &each})
			}
		}
	default:
		p.args = append(p.args, bound)
		p.where += fmt.Sprintf(" AND %s = ANY($%d::text[]::%s[])", c.key, len(p.args), casts[c.kind])
	}
	return nil
}

func (t *Table[T]) filterRange(p *plan, c column, path string, limits map[string]any) error {
	if c.kind == boolKind || c.kind == uuidKind || c.kind >= listKind || t.grows() && c.Can&Between == 0 {
		return fault.At(path, fault.WrongType)
	}
	used := 0
	for _, end := range []struct {
		name, operator string
		drift          time.Duration
	}{{"from", " >= ", -clockDrift}, {"to", " <= ", clockDrift}} {
		value, ok := limits[end.name]
		if !ok || value == nil {
			continue
		}
		bound, err := bind(c.kind, value, path+"."+end.name)
		if err != nil {
			return err
		}
		p.where += " AND " + c.key + end.operator + p.arg(bound, c.kind)
		if c.isCreation() && !p.ofQuery {
			p.where += " AND r.id" + end.operator + p.arg(idAt(bound, end.drift), uuidKind)
		}
		used++
	}
	if used == 0 {
		return fault.At(path, fault.WrongFormat)
	}
	switch {
	case c.isCreation():
		p.created = true
	case t.grows() && p.between == nil:
		p.between = &c
	}
	return nil
}

// clockDrift is more than the clocks of two processes differ, and than a transaction takes.
const clockDrift = time.Hour

// idAt returns the lowest id of rows that were made a while after a time, as bind writes it: what is asked for by the time of creation
// is found by the id, without an index of its own.
func idAt(bound string, after time.Duration) string {
	at, err := time.Parse(time.RFC3339Nano, bound)
	if err != nil {
		panic(err) // bind has read it
	}
	return db.LowestID(at.Add(after)).String()
}

// arg binds a value, as text that Postgres casts, and returns its placeholder.
func (p *plan) arg(value string, k kind) string {
	p.args = append(p.args, value)
	return fmt.Sprintf("$%d::text::%s", len(p.args), casts[k])
}

func (t *Table[T]) planSearch(p *plan, q Query) error {
	words := strings.Fields(q.Search)
	if len(words) == 0 {
		return nil
	}
	if !t.Finds() {
		return fault.At("search", fault.Unknown)
	}
	if len(words) > maxWords {
		return fault.At("search", fault.TooLong)
	}
	if slices.ContainsFunc(words, func(word string) bool { return !db.IsText(word) }) {
		return fault.At("search", fault.WrongFormat)
	}
	if t.grows() {
		p.find(t.def.Finds, words)
		return nil
	}
	searched := []string{}
	for _, c := range t.columns {
		if c.Can&Search != 0 {
			searched = append(searched, c.SQL)
			p.joined = p.joined || t.isJoined(c.SQL)
		}
	}
	for _, word := range words {
		found := make([]string, len(searched))
		placeholder := p.arg("%"+escapeLike.Replace(word)+"%", textKind)
		for i, sql := range searched {
			found[i] = sql + " ILIKE " + placeholder
		}
		p.where += " AND (" + strings.Join(found, " OR ") + ")"
	}
	return nil
}

var escapeLike = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func (t *Table[T]) planSort(p *plan, q Query) error {
	sort := cmp.Or(q.Sort, t.def.Sort)
	name, descending := strings.CutPrefix(sort, "-")
	c := t.lookup(name, Sort)
	if c == nil {
		return fault.At("sort", fault.Unknown)
	}
	p.sortSQL = c.key
	switch {
	case p.between != nil: // the index that has the range has it in this order
		c, p.sortSQL = p.between, p.between.key
	case c.ByID || p.created:
		id := t.columns[t.byName["id"]]
		id.Name = c.Name
		c, p.sortSQL = &id, id.key
	case c.null:
		p.sortSQL = "coalesce(" + p.sortSQL + ", " + lowest[c.kind] + ")"
	}
	p.sort, p.descending, p.sortName = *c, descending, c.Name
	if descending {
		p.sortName = "-" + c.Name
	}
	p.joined = p.joined || t.isJoined(p.sortSQL)
	for _, o := range p.few {
		if p.pinned == nil && len(p.branches) == 0 && p.found == "" && p.sortSQL == "r.id" && !o.common {
			p.pinned = &o
			p.where += " AND " + o.pinned()
		} else {
			p.where += " AND " + o.condition()
		}
	}
	if q.After == "" {
		return nil
	}
	after, err := readCursor(q.After, p.sortName, c.kind)
	p.after = after
	return err
}

func (t *Table[T]) limit(q Query, columns []column) (int, error) {
	maximum := maxLimit
	if !slices.ContainsFunc(columns, func(c column) bool { return c.Can&Lookup == 0 }) {
		maximum = t.def.MaxLookup
	}
	if q.Limit < 0 {
		return 0, fault.At("limit", fault.TooSmall)
	}
	if q.Limit > maximum {
		return 0, fault.At("limit", fault.TooBig)
	}
	if q.Limit == 0 {
		if len(q.Select) > 0 && maximum > maxLimit {
			return maximum, nil // an option list is read whole
		}
		return defaultLimit, nil
	}
	return q.Limit, nil
}

// order returns the ORDER BY clause. With the id, the key is a position that stays the same among equal keys and when rows are
// added. All rows have one value in a pinned column.
func (p *plan) order(pinned *one) string {
	direction := " ASC"
	if p.descending {
		direction = " DESC"
	}
	if pinned != nil {
		return " ORDER BY " + pinned.column.key + direction + ", r.id" + direction
	}
	if p.sortSQL == "r.id" {
		return " ORDER BY r.id" + direction
	}
	return " ORDER BY " + p.sortSQL + direction + ", r.id" + direction
}

// behind returns the condition of the rows after the cursor. It is of the index that order walks.
func (p *plan) behind(pinned *one) string {
	operator := " > "
	if p.descending {
		operator = " < "
	}
	switch {
	case p.afterID == "":
		return ""
	case pinned != nil:
		return " AND (" + pinned.column.key + ", r.id)" + operator + "(" + pinned.value + ", " + p.afterID + ")"
	case p.sortSQL == "r.id":
		return " AND r.id" + operator + p.afterID
	}
	return " AND (" + p.sortSQL + ", r.id)" + operator + "(" + p.afterValue + ", " + p.afterID + ")"
}

const countedFields = "r.id"

// cut returns the SQL of the plan's rows of the relation alone, or of fields of them, at most limit, in order. Joins come after it,
// so that they are of a page and not of all rows.
func (t *Table[T]) cut(p *plan, fields, limit string) string {
	from := "SELECT " + fields + " FROM "
	if p.found == "" {
		from += t.def.Relation + " r"
	} else {
		from += "(" + p.found + ") k JOIN " + t.def.Relation + " r ON r.id = k.id"
	}
	if p.joined {
		from += " " + t.def.Joins
	}
	if len(p.branches) == 0 {
		return from + p.where + p.behind(p.pinned) + p.order(p.pinned) + limit
	}
	branches := make([]string, len(p.branches))
	for i, b := range p.branches {
		branches[i] = "(" + from + p.where + " AND " + b.condition + p.behind(b.pinned) + p.order(b.pinned) + limit + ")"
	}
	order := p.order(nil)
	if fields == countedFields && p.afterID == "" {
		order = "" // any of them are counted
	}
	return "SELECT " + fields + " FROM (" + strings.Join(branches, " UNION ALL ") + ") r" + order + limit
}

// pageOf selects limit rows after the cursor, and one more. It also selects the sort key as text, for the next cursor.
func (t *Table[T]) pageOf(p *plan, limit int) Statement {
	q := *p
	q.args = slices.Clone(p.args)
	if p.after != nil {
		q.afterID = q.arg(p.after.ID.String(), uuidKind)
		if p.sortSQL != "r.id" {
			q.afterValue = q.arg(p.after.Value, p.sort.kind)
		}
	}
	end := " LIMIT " + strconv.Itoa(limit+1) // written out, because the plan depends on it
	fields, counted := "r.*", ""
	if p.countsItself() {
		fields, counted = "r.*, count(*) OVER () AS rows_found", ", r.rows_found"
	}
	return Statement{
		SQL: "SELECT " + expressions(p.columns) + ", (" + p.sortSQL + ")::text, r.id" + counted + " FROM (" + t.cut(&q, fields, end) + ") r " +
			t.def.Joins + p.order(nil) + end,
		Args: q.args,
	}
}

// countsItself reports whether the page comes with how many rows there are: a search has read them all.
func (p *plan) countsItself() bool { return p.found != "" && p.after == nil && len(p.branches) == 0 }

// countOf counts the plan's rows as far as they are counted, in the order of the page: then the same index is walked. All rows of a
// table that has many are not counted; beside the number it selects how many Postgres knows of.
func (t *Table[T]) countOf(p *plan) Statement {
	count := "SELECT count(*) FROM (" + t.cut(p, countedFields, " LIMIT "+strconv.Itoa(countUpTo+1)) + ") n"
	if !t.isWhole(p) {
		return Statement{SQL: count, Args: p.args}
	}
	const surely = 2 * countUpTo
	return Statement{SQL: fmt.Sprintf("SELECT CASE WHEN c.reltuples > %d THEN %d ELSE (%s) END, c.reltuples::bigint FROM pg_class c WHERE c.oid = '%s'::regclass",
		surely, countUpTo+1, count, t.def.Relation)}
}

// ofQuery reports whether the Relation is a query.
func (t *Table[T]) ofQuery() bool { return strings.HasPrefix(t.def.Relation, "(") }

// isWhole reports whether the plan selects every row of a table that grows, of which Postgres knows about how many it has.
func (t *Table[T]) isWhole(p *plan) bool {
	return t.grows() && t.def.Where == "" && !t.ofQuery() &&
		p.where == t.alive() && len(p.branches) == 0 && p.found == ""
}

// queuePage queues the reading of a page. If the plan counts itself, it has its Total.
func (t *Table[T]) queuePage(tx db.Tx, p *plan, limit int) *db.Pending[Page[T]] {
	s := t.pageOf(p, limit)
	return db.Await(tx.Queue(s.SQL, s.Args...), func(rows pgx.Rows) (Page[T], error) {
		page := Page[T]{Data: make([]Row[T], 0, min(limit, defaultLimit))}
		last := cursor{Sort: p.sortName}
		into := make([]any, len(p.columns), len(p.columns)+3)
		into = append(into, &last.Value, &last.ID)
		if p.countsItself() {
			into = append(into, &page.Total)
		}
		for rows.Next() {
			if len(page.Data) == limit {
				next := last.String()
				page.Next = &next
				break
			}
			var row Row[T]
			v := reflect.ValueOf(&row.Value).Elem()
			for i, c := range p.columns {
				into[i] = c.value(v)
			}
			if err := rows.Scan(into...); err != nil {
				return Page[T]{}, err
			}
			row.selected = t.selected(p, v, last.ID)
			page.Data = append(page.Data, row)
		}
		rows.Close()
		return page, rows.Err()
	})
}

// selected returns the fields that the plan selects of a row, or nil if it selects none: then the row, which is v, gets its id in the
// way lists spell it.
func (t *Table[T]) selected(p *plan, v reflect.Value, id uuid.UUID) map[string]any {
	if p.keep == nil {
		v.FieldByIndex(t.listID).Set(reflect.ValueOf(id))
		return nil
	}
	kept := make(map[string]any, len(p.keep))
	for _, name := range p.keep {
		kept[name] = v.FieldByIndex(t.columns[t.byName[fieldOf(name)]].field).Interface()
	}
	return kept
}

// queueTotal queues the counting of the plan's rows, and returns a function for the result, which is there after the flush. Beyond
// countUpTo it is what Postgres has estimated: of the whole table when it was last analyzed, else of the plan.
func (t *Table[T]) queueTotal(tx db.Tx, p *plan) func() int64 {
	var counted, estimated int64
	s := t.countOf(p)
	if t.isWhole(p) {
		tx.Queue(s.SQL, s.Args...).QueryRow(func(row pgx.Row) error { return row.Scan(&counted, &estimated) })
	} else {
		tx.Queue(s.SQL, s.Args...).QueryRow(func(row pgx.Row) error { return row.Scan(&counted) })
		tx.Queue("EXPLAIN (FORMAT JSON) "+t.cut(p, countedFields, ""), p.args...).QueryRow(func(row pgx.Row) error {
			var plan []struct {
				Plan struct {
					Rows float64 `json:"Plan Rows"`
				}
			}
			err := row.Scan(&plan)
			if err == nil {
				estimated = int64(plan[0].Plan.Rows)
			}
			return err
		})
	}
	return func() int64 {
		if counted <= countUpTo {
			return counted
		}
		return max(counted, estimated)
	}
}

func expressions(columns []column) string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.SQL
	}
	return strings.Join(out, ", ")
}
