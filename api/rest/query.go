package rest

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"welovevoucher/platform/resource"
	"welovevoucher/platform/strictjson"
)

// Query asks for a page of a table. It is a resource.Query as the specification spells it.
type Query struct {
	Filter map[string]any `json:"filter,omitempty" required:"false" doc:"Per field: a value, a list of values, null, or {from, to}"`
	Search string         `json:"search,omitempty" required:"false" maxLength:"100" doc:"Words, all of which must be found"`
	Select []string       `json:"select,omitempty" required:"false" maxItems:"60" doc:"Fields to answer; all when empty"`
	Sort   Sort           `json:"sort,omitempty" required:"false"`
	Limit  int            `json:"limit,omitempty" required:"false" minimum:"0" maximum:"10000" doc:"At most 200 rows; 5000 (agents 10000) where only the fields of a lookup are selected"`
	After  string         `json:"after,omitempty" required:"false" maxLength:"2000" doc:"The next of the page before"`
}

// Resource is the query as the engine of declared tables knows it.
func (q Query) Resource() resource.Query {
	return resource.Query{Filter: q.Filter, Search: q.Search, Select: q.Select, Sort: string(q.Sort), Limit: q.Limit, After: q.After}
}

// Sort is a field, or -field for descending. It is read as {"field": 1} and {"field": -1} as well.
type Sort string

// UnmarshalJSON reads either: huma has checked the body against Schema before.
func (s *Sort) UnmarshalJSON(body []byte) error {
	if len(body) == 0 || body[0] != '{' {
		return strictjson.Unmarshal(body, (*string)(s))
	}
	var by map[string]int
	if err := strictjson.Unmarshal(body, &by); err != nil {
		return err
	}
	if len(by) != 1 {
		return fmt.Errorf("a list is sorted by one field, not %d", len(by))
	}
	for field, direction := range by {
		*s = Sort(field)
		if direction < 0 {
			*s = "-" + *s
		}
	}
	return nil
}

// Schema implements huma.SchemaProvider.
func (Sort) Schema(huma.Registry) *huma.Schema {
	longest, one := 60, 1
	return &huma.Schema{
		Description: "A field, or -field for descending; or the field with 1 or -1",
		OneOf: []*huma.Schema{
			{Type: huma.TypeString, MaxLength: &longest},
			{
				Type: huma.TypeObject, MinProperties: &one, MaxProperties: &one,
				AdditionalProperties: &huma.Schema{Type: huma.TypeInteger, Enum: []any{1.0, -1.0}},
			},
		},
	}
}
