package db

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Bulk is a statement that takes rows of R at once: eight orders take Postgres 180 µs in one statement, and 680 µs in eight. Its
// parameters are named after R's db tags.
type Bulk[R any] struct {
	sql    string // with numbered parameters
	fields []int  // of R, by parameter
}

// NewBulk takes a statement whose columns are written `unnest(@name::uuid[])`: @name is the field of R with that db tag, of all rows.
// It panics if a parameter has another form, or if R has no such field, or one that is not used, or a list: unnest would make a row
// of each of its elements.
func NewBulk[R any](sql string) *Bulk[R] {
	numbered, names := numberParameters(sql)
	row := reflect.TypeFor[R]()
	b := &Bulk[R]{sql: numbered}
	for _, name := range names {
		n := 0
		for n < row.NumField() && row.Field(n).Tag.Get("db") != name {
			n++
		}
		if n == row.NumField() {
			panic(fmt.Sprintf("db: %s has no field for @%s: %s", row, name, sql))
		}
		if t := row.Field(n).Type; t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 {
			panic(fmt.Sprintf("db: @%s of %s is a list: %s", name, row, sql))
		}
		b.fields = append(b.fields, n)
	}
	if len(b.fields) != row.NumField() {
		panic(fmt.Sprintf("db: %s has %d fields, of which %d are used: %s", row, row.NumField(), len(b.fields), sql))
	}
	return b
}

var (
	unnested = regexp.MustCompile(`unnest\(@(\w+)::(\w+)\[\]\)`)
	leftOver = regexp.MustCompile(`(?i)@|unnest|\$[0-9]`)
)

// numberParameters returns the statement with numbered parameters, and their names in that order. It panics if there is none, or
// one of another form.
func numberParameters(sql string) (numbered string, names []string) {
	numbered = unnested.ReplaceAllStringFunc(sql, func(column string) string {
		found := unnested.FindStringSubmatch(column)
		n := slices.Index(names, found[1])
		if n < 0 {
			n, names = len(names), append(names, found[1])
		}
		return fmt.Sprintf("unnest($%d::%s[])", n+1, found[2])
	})
	if len(names) == 0 || leftOver.MatchString(unnested.ReplaceAllString(sql, "")) {
		panic("db: a column that is not written unnest(@name::type[]): " + sql)
	}
	return numbered, names
}

// Queue queues the statement for rows.
func (b *Bulk[R]) Queue(tx Tx, rows []R) *pgx.QueuedQuery {
	args := make([]any, len(b.fields))
	values := reflect.ValueOf(rows)
	for i, field := range b.fields {
		column := reflect.MakeSlice(reflect.SliceOf(reflect.TypeFor[R]().Field(field).Type), len(rows), len(rows))
		for n := range rows {
			column.Index(n).Set(values.Index(n).Field(field))
		}
		args[i] = column.Interface()
	}
	return tx.Queue(b.sql, args...)
}

// Column returns one value of each row.
func Column[R, V any](rows []R, value func(r R) V) []V {
	column := make([]V, len(rows))
	for i, r := range rows {
		column[i] = value(r)
	}
	return column
}
