package rest

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// describeIDs gives every field that holds an id the format uuid, so that a body is checked for it and a form knows a lookup that is
// required. huma sees only that an id is read from text.
func describeIDs(r huma.Registry) {
	id := reflect.TypeFor[uuid.UUID]()
	for name, schema := range r.Map() {
		t := deref(r.TypeFromRef("#/components/schemas/" + name))
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, field := range reflect.VisibleFields(t) {
			property, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			s := schema.Properties[property]
			if s == nil {
				continue
			}
			switch of := deref(field.Type); {
			case of == id && s.Type == huma.TypeString:
				s.Format = "uuid"
			case of.Kind() == reflect.Slice && deref(of.Elem()) == id && s.Items != nil:
				s.Items.Format = "uuid"
			}
		}
	}
}

// deref is the type that a pointer leads to.
func deref(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// described is a registry as the document shows it.
type described struct {
	huma.Registry
	schemas map[string]*huma.Schema
}

// MarshalJSON implements json.Marshaler.
func (d described) MarshalJSON() ([]byte, error) { return json.Marshal(d.schemas) }

// withNulls says of every field that points to an object that it may be null. huma says so of scalars alone. Bodies are
// checked against the registry itself, which stays as it is.
func withNulls(r huma.Registry) huma.Registry {
	d := described{r, maps.Clone(r.Map())}
	for name, schema := range d.schemas {
		t := r.TypeFromRef("#/components/schemas/" + name)
		if t == nil {
			continue
		}
		changed := *schema
		changed.Properties = maps.Clone(schema.Properties)
		for _, property := range pointers(t) {
			if p := changed.Properties[property]; p != nil && p.Ref != "" {
				changed.Properties[property] = &huma.Schema{
					Description: p.Description, AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}},
				}
			}
		}
		d.schemas[name] = &changed
	}
	return d
}

// pointers are the JSON names of a struct's fields that are sent as null where they point nowhere.
func pointers(t reflect.Type) (names []string) {
	if t = deref(t); t.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Type.Kind() == reflect.Pointer && name != "" && name != "-" && !strings.Contains(options, "omitempty") {
			names = append(names, name)
		}
	}
	return names
}
