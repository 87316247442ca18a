package rest

import (
	"context"
	"maps"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
)

// Rows are rows of which only the selected fields are there, so all of them are optional in their description. Each is what
// resource.Row.JSON returns.
type Rows[T any] []any

// Schema implements huma.SchemaProvider.
func (Rows[T]) Schema(r huma.Registry) *huma.Schema {
	row := *r.SchemaFromRef(r.Schema(reflect.TypeFor[T](), true, "").Ref)
	row.Required = nil
	row.Properties = maps.Clone(row.Properties)
	row.Properties["_id"] = &huma.Schema{Type: huma.TypeString, Format: "uuid", Description: "The id, as the specification spells it; with a select, where it is selected by this name"}
	return &huma.Schema{Type: huma.TypeArray, Items: &row}
}

// Page is a page of a table.
type Page[T any] struct {
	Data  Rows[T] `json:"data"`
	Next  *string `json:"next" doc:"Send it as after to read on; null at the end"`
	Total int64   `json:"total" doc:"Counted up to 1,000, estimated beyond"`
}

// Nothing answers an audience that sees none of a table's rows, whatever it asks for.
func Nothing[T any](context.Context, token.Session, Query) (Page[T], error) {
	return Page[T]{Data: Rows[T]{}}, nil
}

// PageOf describes a page that was read.
func PageOf[T any](read resource.Page[T]) Page[T] {
	page := Page[T]{Data: make(Rows[T], len(read.Data)), Next: read.Next, Total: read.Total}
	for i, row := range read.Data {
		page.Data[i] = row.JSON()
	}
	return page
}
