// Package auditlog records who changed what. Rows are append-only: no role has the right to change one.
package auditlog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
)

// Actor is the account that changes something, and the request.
type Actor struct {
	Kind    token.Audience
	ID      uuid.UUID
	Request string
}

const insert = `INSERT INTO audit_log (id, at, actor_kind, actor_id, action, object, before, after, request_id)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

// Record inserts a row into the audit log of tx's schema, in the transaction that makes the change. object is "table/id". before
// and after are stored as JSON and must hold no secret; nil means none.
func Record(ctx context.Context, tx db.Tx, who Actor, action, object string, before, after any) error {
	_, err := tx.Exec(ctx, insert, db.NewID(), tx.Now, who.Kind, who.ID, action, object, before, after, who.Request)
	if err != nil {
		return fmt.Errorf("audit %s of %s: %w", action, object, err)
	}
	return nil
}
