package stranger_test

import (
	"fmt"
	"strings"
)

// kinds are what a field may be; a question mark behind one says that it may be empty as well.
var kinds = map[string]func(any) bool{
	"any":    func(any) bool { return true },
	"true":   func(v any) bool { return v == true },
	"false":  func(v any) bool { return v == false },
	"bool":   func(v any) bool { _, ok := v.(bool); return ok },
	"number": func(v any) bool { _, ok := v.(float64); return ok },
	"text":   func(v any) bool { s, ok := v.(string); return ok && s != "" },
	"list":   func(v any) bool { _, ok := v.([]any); return ok },
	"none":   func(v any) bool { rows, ok := v.([]any); return ok && len(rows) == 0 },
	"object": func(v any) bool { _, ok := v.(object); return ok },
	"colour": func(v any) bool { s, ok := v.(string); return ok && len(s) == 7 && s[0] == '#' },
}

// lacks says which of the fields an answer lacks, or has of another kind. A field is path:kind; the path's parts
// are divided by dots, [] goes through a list that must not be empty, and ** finds a name at any depth.
func lacks(body any, fields string) string {
	var out []string
	for field := range strings.FieldsSeq(fields) {
		path, kind, _ := strings.Cut(field, ":")
		if why := lack(body, strings.Split(path, "."), kind); why != "" {
			out = append(out, path+" "+why)
		}
	}
	return strings.Join(out, ", ")
}

func lack(v any, path []string, kind string) string {
	if len(path) == 0 {
		plain, empty := strings.CutSuffix(kind, "?")
		if empty && (v == nil || v == "") || kinds[plain](v) {
			return ""
		}
		return fmt.Sprintf("is %s, not %s", shown(v), kind)
	}
	if path[0] == "[]" {
		rows, ok := v.([]any)
		if !ok {
			return "is no list"
		}
		if len(rows) == 0 {
			return "is an empty list"
		}
		for _, row := range rows {
			if why := lack(row, path[1:], kind); why != "" {
				return why
			}
		}
		return ""
	}
	if path[0] == "**" {
		value, ok := find(v, path[1])
		if !ok {
			return "is missing"
		}
		return lack(value, path[2:], kind)
	}
	o, ok := v.(object)
	if !ok {
		return "is missing"
	}
	value, ok := o[path[0]]
	if !ok {
		return "is missing"
	}
	return lack(value, path[1:], kind)
}

// find looks for a name at any depth, the nearest first.
func find(v any, name string) (any, bool) {
	o, ok := v.(object)
	if !ok {
		return nil, false
	}
	if value, ok := o[name]; ok {
		return value, true
	}
	for _, inner := range o {
		if value, ok := find(inner, name); ok {
			return value, true
		}
	}
	return nil, false
}

func shown(v any) string {
	if rows, ok := v.([]any); ok && len(rows) > 0 {
		return "a list of rows"
	}
	return fmt.Sprintf("%.60s", fmt.Sprintf("%#v", v))
}
