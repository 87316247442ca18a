package db

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Bulk is a statement that takes rows of R at once: eight orders take Postgres 180 µs in one statement, and 680 µs in eight. Its
// parameters are named after R's db tags.
type Bulk[R any] struct {
	many, single string
	fields       []int // of R, by parameter
}

// NewBulk takes a statement whose columns are written `unnest(@name::uuid[])`: @name is the field of R with that db tag, of all rows.
// For a single row it derives the statement with plain values, which most calls send: a voucher takes Postgres 61 µs so, and 81 µs as
// arrays. NewBulk panics if a parameter has another form, or if R has no such field, or one that is not used.
func NewBulk[R any](sql string) *Bulk[R] {
	many, single, names := bulkForms(sql)
	row := reflect.TypeFor[R]()
	b := &Bulk[R]{many: many, single: single}
	for _, name := range names {
		n := 0
		for n < row.NumField() && row.Field(n).Tag.Get("db") != name {
			n++
		}
		if n == row.NumField() {
			panic(fmt.Sprintf("db: %s has no field for @%s: %s", row, name, sql))
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

// bulkForms returns the statement for many rows and the one for a single row, both with numbered parameters, and the parameters'
// names in that order. It panics if there is none, or one of another form.
func bulkForms(sql string) (many, single string, names []string) {
	number := func(name string) string {
		n := slices.Index(names, name)
		if n < 0 {
			n, names = len(names), append(names, name)
		}
		return "$" + strconv.Itoa(n+1)
	}
	form := func(format string) string {
		return unnested.ReplaceAllStringFunc(sql, func(column string) string {
			found := unnested.FindStringSubmatch(column)
			return strings.NewReplacer("@", number(found[1]), "type", found[2]).Replace(format)
		})
	}
	many, single = form("unnest(@::type[])"), form("@::type")
	if len(names) == 0 || leftOver.MatchString(unnested.ReplaceAllString(sql, "")) {
		panic("db: a column that is not written unnest(@name::type[]): " + sql)
	}
	return many, single, names
}

// Queue queues the statement for rows, in the form that fits their number.
func (b *Bulk[R]) Queue(tx Tx, rows []R) *pgx.QueuedQuery {
	args := make([]any, len(b.fields))
	if len(rows) == 1 {
		row := reflect.ValueOf(rows[0])
		for i, field := range b.fields {
			args[i] = row.Field(field).Interface()
		}
		return tx.Queue(b.single, args...)
	}
	values := reflect.ValueOf(rows)
	for i, field := range b.fields {
		column := reflect.MakeSlice(reflect.SliceOf(reflect.TypeFor[R]().Field(field).Type), len(rows), len(rows))
		for n := range rows {
			column.Index(n).Set(values.Index(n).Field(field))
		}
		args[i] = column.Interface()
	}
	return tx.Queue(b.many, args...)
}

// Column returns one value of each row.
func Column[R, V any](rows []R, value func(r R) V) []V {
	column := make([]V, len(rows))
	for i, r := range rows {
		column[i] = value(r)
	}
	return column
}
