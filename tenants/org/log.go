package org

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
)

// LogLine is a line of the platform's audit log.
type LogLine struct {
	ID      uuid.UUID          `json:"id"`
	At      time.Time          `json:"at" doc:"UTC"`
	Kind    string             `json:"actor_kind" doc:"Whose account it was: admin, owner, operator for a command; system for the clock"`
	Name    string             `json:"actor_name" doc:"Of an admin; empty for others"`
	Action  string             `json:"action"`
	Object  string             `json:"object" doc:"Table and id"`
	Changes []auditlog.Changed `json:"changes"`
}

const logOfObject = `SELECT l.id, l.at, l.actor_kind, coalesce(a.name, ''), l.action, l.object, l.before, l.after
		FROM audit_log l LEFT JOIN admin a ON a.id = l.actor_id AND l.actor_kind = 'admin' WHERE l.object = $1 ORDER BY l.at DESC, l.id DESC LIMIT 50`

// readLogLine reads a line, and into more the columns that follow it.
func readLogLine(row pgx.CollectableRow, more ...any) (l LogLine, err error) {
	var before, after map[string]json.RawMessage
	if err := row.Scan(append([]any{&l.ID, &l.At, &l.Kind, &l.Name, &l.Action, &l.Object, &before, &after}, more...)...); err != nil {
		return l, err
	}
	l.Changes = auditlog.Changes(before, after)
	return l, nil
}
