package resource

import (
	"context"
	"reflect"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// Described is the description of a Table.
type Described interface {
	Name() string
	Module() string
	Relation() string
	Columns() (columns []Column, types []reflect.Type)
	AtMost() int
	HasStatus() bool
	Finds() bool
}

// Declared is a Table for code that does not know the type of its rows.
type Declared interface {
	Described
	Explain(q Query) (Explainable, error)
	ListAny(ctx context.Context, tx db.Tx, q Query) (Page[any], error)
	DetailAny(ctx context.Context, tx db.Tx, id uuid.UUID) (any, error)
	ExportAny(ctx context.Context, tx db.Tx, q Query, each func(row any) error) error
}

// ListAny is List. The rows have the JSON of a T.
func (t *Table[T]) ListAny(ctx context.Context, tx db.Tx, q Query) (Page[any], error) {
	page, err := t.List(ctx, tx, q)
	rows := make([]Row[any], len(page.Data))
	for i, row := range page.Data {
		rows[i] = Row[any]{row.Value, row.selected}
	}
	return Page[any]{rows, page.Next, page.Total}, err
}

// DetailAny is Detail.
func (t *Table[T]) DetailAny(ctx context.Context, tx db.Tx, id uuid.UUID) (any, error) {
	return t.Detail(ctx, tx, id)
}

// ExportAny is Export.
func (t *Table[T]) ExportAny(ctx context.Context, tx db.Tx, q Query, each func(row any) error) error {
	return t.Export(ctx, tx, q, func(row T) error { return each(row) })
}
