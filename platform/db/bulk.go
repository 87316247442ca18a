package db

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// Column returns one column of rows, for a statement that sends them all: eight orders take Postgres 180 µs in one statement, and
// 680 µs in eight.
func Column[R, V any](rows []R, value func(r R) V) []V {
	column := make([]V, len(rows))
	for i, r := range rows {
		column[i] = value(r)
	}
	return column
}

// BulkSQL is a statement whose rows are arrays, one for each column, and the same statement for a single row of plain values.
type BulkSQL struct {
	many, single string
	columns      []int // indexes of the arguments that are columns
}

var (
	unnested = regexp.MustCompile(`unnest\(\$(\d+)::(\w+)\[\]\)`)
	anyOf    = regexp.MustCompile(`= ANY \(\$(\d+)::(\w+)\[\]\)`)
	leftOver = regexp.MustCompile(`(?i)unnest\s*\(\s*\$|\bFROM\s+\$|::\w+\[\]`)
)

// Bulk takes a statement for many rows, and derives the one for a single row: most calls send one, and a voucher takes Postgres 61
// µs as plain values, and 81 µs as arrays. A column is written `unnest($1::uuid[])` in a SELECT or FROM, or `= ANY ($1::uuid[])`.
// Bulk panics on any other form, for which a single value would be wrong. An array that is not such a column is written without a
// type behind its parameter.
func Bulk(sql string) BulkSQL {
	s := BulkSQL{many: sql, single: anyOf.ReplaceAllString(unnested.ReplaceAllString(sql, "$$$1::$2"), "= $$$1::$2")}
	for _, form := range []*regexp.Regexp{unnested, anyOf} {
		for _, found := range form.FindAllStringSubmatch(sql, -1) {
			n, _ := strconv.Atoi(found[1]) // digits
			s.columns = append(s.columns, n-1)
		}
	}
	if len(s.columns) == 0 || leftOver.MatchString(s.single) {
		panic("db: columns that are not selected: " + sql)
	}
	return s
}

// QueueRows is Queue for a BulkSQL. It sends the form that fits the number of rows. Columns are slices of one length, else it
// panics; the other arguments are the same for all rows.
func (tx Tx) QueueRows(s BulkSQL, args ...any) *pgx.QueuedQuery {
	rows := reflect.ValueOf(args[s.columns[0]]).Len()
	for _, n := range s.columns {
		if column := reflect.ValueOf(args[n]); column.Len() != rows {
			panic(fmt.Sprintf("db: a column of %d values beside one of %d: %s", column.Len(), rows, s.many))
		}
	}
	if rows != 1 {
		return tx.Queue(s.many, args...)
	}

	values := slices.Clone(args)
	for _, n := range s.columns {
		values[n] = reflect.ValueOf(args[n]).Index(0).Interface()
	}
	return tx.Queue(s.single, values...)
}
