// Package idempotency makes a keyed call take effect once, for ever.
//
// The key is inserted in the same transaction as the effect, together with the id of the row that the effect makes. A repeated call
// finds the key and answers from that row. A rollback leaves no key.
package idempotency

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

// Key is the idempotency key of a call. It is unique per actor and operation within an organisation.
type Key struct {
	Actor     uuid.UUID
	Operation string
	Value     string // as the client sent it, 8 to 200 characters
}

// Call is a key, and the body that it stands for.
type Call struct {
	Key
	hash []byte
}

// NewCall returns a call with a hash of body. It returns ErrMissing if there is no key or an invalid one.
func NewCall(key Key, body any) (Call, error) {
	if len(key.Value) < 8 || len(key.Value) > 200 || !db.IsText(key.Value) {
		return Call{}, ErrMissing
	}
	hash, err := digest(body)
	return Call{key, hash}, err
}

func digest(body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("hash the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// Once runs effect in a transaction of the organisation with the id of the row that it makes, unless the same key has made one. It returns
// that id either way. lock locks the actor, so that calls with one key come one after another. Once returns ErrReused if the key stands
// for another body, and ErrMissing if there is no key or an invalid one.
func Once(ctx context.Context, d *db.DB, org uuid.UUID, key Key, body any, lock func(tx db.Tx), effect func(tx db.Tx, id uuid.UUID) error) (id uuid.UUID, err error) {
	call, err := NewCall(key, body)
	if err != nil {
		return uuid.Nil, err
	}
	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		lock(tx)
		records := QueueRecords(tx, call)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if id, err = records.Result(call); err != nil || id != uuid.Nil {
			return err
		}
		id = db.NewID()
		records.Add(call, id)
		records.Save(tx)
		return effect(tx, id)
	})
	return id, err
}
