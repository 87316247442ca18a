// Package idempotency makes a keyed call take effect once, for ever.
//
// The key is inserted in the same transaction as the effect, before it, together with the id of the row that the effect makes. A
// repeated call finds the key and answers from that row. A concurrent call with the same key waits for the first to commit. A
// rollback leaves no key.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Faults of a keyed call.
var (
	ErrReused  = fault.New(fault.Conflict, "idempotency.key_reused", "this key was used for another request")
	ErrMissing = fault.New(fault.Invalid, "idempotency.key_required", "an Idempotency-Key header is required")
)

// errTaken rolls back the transaction of a call whose key is in the table already.
var errTaken = errors.New("idempotency: the key is claimed")

// Key is the idempotency key of a call. It is unique per actor and operation within an organisation.
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

// Once runs effect in a transaction of the organisation that inserts the key with a new id, which effect uses for the row it makes.
// If the key was inserted before with the same body, it runs repeat with the id of that time. It returns ErrReused if the body
// differs, and ErrMissing if there is no key or an invalid one.
//
// The insert goes in the round trip of effect's first statements, before them. If the key is taken, effect gets that error instead
// of results, and the transaction is rolled back.
func Once(ctx context.Context, d *db.DB, org uuid.UUID, key Key, body any, effect, repeat func(tx db.Tx, id uuid.UUID) error) error {
	call, err := NewCall(key, body)
	if err != nil {
		return err
	}

	err = d.InOrg(ctx, org, func(tx db.Tx) error {
		id := db.NewID()
		tx.Queue(claim, key.Actor, key.Operation, key.Value, call.hash, id, tx.Now).Exec(func(done pgconn.CommandTag) error {
			if done.RowsAffected() == 0 {
				return errTaken
			}
			return nil
		})
		return effect(tx, id)
	})
	if !errors.Is(err, errTaken) {
		return err
	}

	return d.InOrg(ctx, org, func(tx db.Tx) error {
		var first []byte
		var resultID uuid.UUID
		if err := tx.QueryRow(ctx, claimed, key.Actor, key.Operation, key.Value).Scan(&first, &resultID); err != nil {
			return fmt.Errorf("read key of %s: %w", key.Operation, err)
		}
		if !bytes.Equal(first, call.hash) {
			return ErrReused
		}
		return repeat(tx, resultID)
	})
}

func digest(body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("hash the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}
