package org

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// LogLine is a line of the platform's audit log.
type LogLine struct {
	ID      uuid.UUID `json:"id"`
	At      time.Time `json:"at" doc:"UTC"`
	Kind    string    `json:"actor_kind" doc:"Whose account it was: admin, owner, operator for a command; system for the clock"`
	Name    string    `json:"actor_name" doc:"Of an admin; empty for others"`
	Action  string    `json:"action"`
	Object  string    `json:"object" doc:"Table and id"`
	Changes []Changed `json:"changes"`
}

// Changed is a field that was changed. Secrets are not in the audit log but for their last four characters.
type Changed struct {
	Field  string `json:"field"`
	Before string `json:"before" doc:"Empty if there was none"`
	After  string `json:"after" doc:"Empty if there is none"`
}

const logOfObject = `SELECT l.id, l.at, l.actor_kind, coalesce(a.name, ''), l.action, l.object, l.before, l.after
		FROM audit_log l LEFT JOIN admin a ON a.id = l.actor_id AND l.actor_kind = 'admin' WHERE l.object = $1 ORDER BY l.at DESC, l.id DESC LIMIT 50`

// readLogLine reads a line, and into more the columns that follow it.
func readLogLine(row pgx.CollectableRow, more ...any) (l LogLine, err error) {
	var before, after map[string]json.RawMessage
	if err := row.Scan(append([]any{&l.ID, &l.At, &l.Kind, &l.Name, &l.Action, &l.Object, &before, &after}, more...)...); err != nil {
		return l, err
	}
	l.Changes = changesOf(before, after)
	return l, nil
}

// changesOf returns the fields that differ, by their names.
func changesOf(before, after map[string]json.RawMessage) []Changed {
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
