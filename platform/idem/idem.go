// Package idem gives every money-moving call one effect per key, for ever.
//
// The key is claimed in the same transaction as the effect, before it, together with the id of what will be made.
// A repeat finds the claim and answers from that row; a twin in flight waits for the first to commit; after a
// rollback nothing is claimed.
package idem

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Faults of a keyed call.
var (
	ErrReused  = fault.New(fault.Conflict, "idempotency.key_reused", "this key was used for another request")
	ErrMissing = fault.New(fault.Invalid, "idempotency.key_required", "an Idempotency-Key header is required")
)

// Key is unique per actor and operation within an organisation.
type Key struct {
	Actor     uuid.UUID
	Operation string
	Value     string // as the client sent it, 8 to 200 characters
}

const (
	claim = `INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (actor, operation, key) DO NOTHING`
	claimed = `SELECT request_hash, result_id FROM idempotency WHERE actor = $1 AND operation = $2 AND key = $3`
)

// Claim takes the key for the effect that will make id. When the key was claimed before for the same body, it returns
// the id made then and replay true. It returns ErrReused when the body differs, ErrMissing when there is no key.
func Claim(ctx context.Context, tx db.Tx, key Key, body any, id uuid.UUID) (made uuid.UUID, replay bool, err error) {
	if len(key.Value) < 8 || len(key.Value) > 200 {
		return uuid.Nil, false, ErrMissing
	}
	hash, err := digest(body)
	if err != nil {
		return uuid.Nil, false, err
	}

	tag, err := tx.Exec(ctx, claim, key.Actor, key.Operation, key.Value, hash, id, tx.Now)
	if err != nil {
		return uuid.Nil, false, fmt.Errorf("claim key of %s: %w", key.Operation, err)
	}
	if tag.RowsAffected() == 1 {
		return id, false, nil
	}

	var first []byte
	if err := tx.QueryRow(ctx, claimed, key.Actor, key.Operation, key.Value).Scan(&first, &made); err != nil {
		return uuid.Nil, false, fmt.Errorf("read key of %s: %w", key.Operation, err)
	}
	if string(first) != string(hash) {
		return uuid.Nil, false, ErrReused
	}
	return made, true, nil
}

func digest(body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("hash the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}
