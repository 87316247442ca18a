// Package idempotency makes a keyed call take effect once, for ever.
//
// The key is inserted in the same transaction as the effect, together with the id of the row that the effect makes. A repeated call
// finds the key and answers from that row. A rollback leaves no key.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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

// Records are the results of the keys of some calls: what each has made before, or makes in this transaction.
//
// A call may be refused without the others of its transaction, and leaves no key then. So a key is inserted once it is known that
// its call has an effect.
type Records struct {
	before *db.Pending[map[Key]record]
	made   map[Key]record
}

type record struct {
	hash []byte
	id   uuid.UUID
}

type (
	keyRow struct {
		Actor     uuid.UUID `db:"actor"`
		Operation string    `db:"operation"`
		Key       string    `db:"key"`
	}
	recordRow struct {
		Actor     uuid.UUID `db:"actor"`
		Operation string    `db:"operation"`
		Key       string    `db:"key"`
		Hash      []byte    `db:"request_hash"`
		Result    uuid.UUID `db:"result_id"`
		At        time.Time `db:"at"`
	}
)

var (
	// selectRecords looks up each key by the index. Without LIMIT, Postgres may plan a join that reads the whole table while it is
	// small.
	selectRecords = db.NewBulk[keyRow](`SELECT asked.actor, asked.operation, asked.key, i.request_hash, i.result_id
		FROM (SELECT unnest(@actor::uuid[]) AS actor, unnest(@operation::text[]) AS operation, unnest(@key::text[]) AS key) AS asked CROSS JOIN LATERAL (
			SELECT request_hash, result_id FROM idempotency
			WHERE actor = asked.actor AND operation = asked.operation AND key = asked.key LIMIT 1) AS i`)
	// insertRecords fails the transaction if a key is there already, as a last defence.
	insertRecords = db.NewBulk[recordRow](`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
		SELECT unnest(@actor::uuid[]), unnest(@operation::text[]), unnest(@key::text[]), unnest(@request_hash::bytea[]), unnest(@result_id::uuid[]), unnest(@at::timestamptz[])`)
)

// QueueRecords queues the look-up of the calls' keys. The caller has locked their actors: the lock has calls with one key come one
// after another.
func QueueRecords(tx db.Tx, calls ...Call) *Records {
	rows := db.Column(calls, func(c Call) keyRow { return keyRow{c.Actor, c.Operation, c.Value} })
	before := db.Await(selectRecords.Queue(tx, rows), func(rows pgx.Rows) (map[Key]record, error) {
		all := map[Key]record{}
		var k Key
		var r record
		_, err := pgx.ForEachRow(rows, []any{&k.Actor, &k.Operation, &k.Value, &r.hash, &r.id}, func() error {
			all[k] = record{bytes.Clone(r.hash), r.id}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read keys: %w", err)
		}
		return all, nil
	})
	return &Records{before: before, made: map[Key]record{}}
}

// Result returns the id that the call's key has made, or uuid.Nil. It returns ErrReused if that was for another body.
func (c *Records) Result(call Call) (uuid.UUID, error) {
	r, found := c.before.Get()[call.Key]
	if !found {
		r, found = c.made[call.Key]
	}
	if found && !bytes.Equal(r.hash, call.hash) {
		return uuid.Nil, ErrReused
	}
	return r.id, nil
}

// Add says that a call makes id. Later calls of the transaction with the same key get it from Result.
func (c *Records) Add(call Call, id uuid.UUID) { c.made[call.Key] = record{call.hash, id} }

// Save queues the insert of the added keys.
func (c *Records) Save(tx db.Tx) {
	var rows []recordRow
	for k, r := range c.made {
		rows = append(rows, recordRow{k.Actor, k.Operation, k.Value, r.hash, r.id, tx.Now})
	}
	if len(rows) > 0 {
		insertRecords.Queue(tx, rows)
	}
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
