package report

import (
	"context"
	"reflect"
	"strings"
	"time"

	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
)

// OfTable returns the report of a declared table: the rows that its list shows for the same query.
func OfTable[T any](t *resource.Table[T]) *Declared[resource.Query, T] {
	columns := []Column{}
	all, types := t.Columns()
	for i, c := range all {
		if c.TH != "" {
			columns = append(columns, Column{Name: c.Name, Kind: kindOf(c, types[i]), TH: c.TH, EN: c.EN})
		}
	}
	return New(Def[resource.Query, T]{
		Name: t.Name(), Module: t.Module(), Columns: columns, Check: t.Check, Count: t.Count,
		Each: func(ctx context.Context, tx db.Tx, q resource.Query, _ Page, each func(row T) error) error {
			return t.Export(ctx, tx, q, each)
		},
	})
}

func kindOf(c resource.Column, t reflect.Type) Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case c.Date:
		return Day
	case t == reflect.TypeFor[time.Time]():
		return Moment
	case strings.HasSuffix(c.Name, "_satang"):
		return Satang
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return Number
	}
	return Text
}
