package staff

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
)

// LogRow is a line of the organisation's audit log. What was changed is in its detail alone.
type LogRow struct {
	ID      uuid.UUID          `json:"id"`
	At      time.Time          `json:"at" doc:"UTC"`
	Kind    string             `json:"actor_kind" doc:"Whose account it was: owner, staff, user for a customer, agent, admin of the platform; operator for a command, system for the clock"`
	Actor   *uuid.UUID         `json:"actor_id" nullable:"true"`
	Name    string             `json:"actor_name" doc:"Of staff and customers; empty for others"`
	Action  string             `json:"action"`
	Object  string             `json:"object" doc:"Table"`
	About   string             `json:"about" doc:"Id in that table; empty for what there is once"`
	Changes []auditlog.Changed `json:"changes,omitzero" readOnly:"true" required:"false" doc:"In the detail alone"`
	ListID  uuid.UUID          `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// AuditLog is the table of who changed what in the organisation, and who looked at what is sealed.
var AuditLog = resource.New(resource.Def[LogRow]{
	Name: "auditlog", Relation: "audit_log", Sort: "-at",
	Module: access.NewModule(access.Module{Name: "auditlog", With: "staff", Group: "settings", Place: 25, TH: "บันทึกการใช้งาน", EN: "Audit log"}),
	Joins:  `LEFT JOIN staff s ON s.id = r.actor_id LEFT JOIN customer c ON c.id = r.actor_id`,
	Finds: []string{
		`SELECT l.id FROM (SELECT s.id FROM staff s WHERE lower(s.name) LIKE lower({begins}) ORDER BY s.id LIMIT 20) s
			CROSS JOIN LATERAL (SELECT l.id FROM audit_log l WHERE l.actor_id = s.id ORDER BY l.id DESC LIMIT 10) l`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "เวลา", EN: "Time"},
		{Name: "actor_kind", Can: resource.Filter, Few: true, Common: "owner", TH: "ชนิดบัญชี", EN: "Account"},
		{Name: "actor_id", Can: resource.Filter},
		{Name: "actor_name", SQL: "coalesce(s.name, c.display_name, '')", TH: "ใคร", EN: "Who"},
		{Name: "action", TH: "ทำอะไร", EN: "What"},
		{Name: "object", SQL: "split_part(r.object, '/', 1)", TH: "กับอะไร", EN: "Of what"},
		{Name: "about", SQL: "split_part(r.object, '/', 2)", TH: "รหัส", EN: "Id"},
	},
	Fill: func(ctx context.Context, tx db.Tx, row *LogRow) error {
		var before, after map[string]json.RawMessage
		err := tx.QueryRow(ctx, `SELECT before, after FROM audit_log WHERE id = $1`, row.ID).Scan(&before, &after)
		row.Changes = auditlog.Changes(before, after)
		return err
	},
})
