package auditlog

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Changed is a field that was changed. Secrets are not in the audit log but for their last four characters.
type Changed struct {
	Field  string `json:"field"`
	Before string `json:"before" doc:"Empty if there was none"`
	After  string `json:"after" doc:"Empty if there is none"`
}

// Changes returns the fields in which a row's before and after differ, by their names.
func Changes(before, after map[string]json.RawMessage) []Changed {
	all := maps.Clone(after)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	for field := range before {
		all[field] = after[field]
	}
	changes := []Changed{}
	for _, field := range slices.Sorted(maps.Keys(all)) {
		if bytes.Equal(before[field], after[field]) {
			continue
		}
		changes = append(changes, Changed{field, textOf(before[field]), textOf(after[field])})
	}
	return changes
}

// textOf returns a text without its quotes, nothing for null, and other values as JSON.
func textOf(value json.RawMessage) string {
	if len(value) == 0 || bytes.Equal(value, []byte("null")) {
		return ""
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
