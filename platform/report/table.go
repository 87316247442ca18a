package report

import (
	"reflect"
	"strings"
	"time"

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
		Name: t.Name(), Module: t.Module(), Columns: columns, Check: t.Check, Count: t.Count, Each: t.Export,
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
