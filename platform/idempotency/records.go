package idempotency

import (
	"bytes"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Call is a keyed call that shares a transaction with others.
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

type result struct {
	hash []byte
	id   uuid.UUID
}

// Records are the results of the keys of some calls: what each has made before, or makes in this transaction.
//
// One call may fail without the others, and must then leave no key. So keys are inserted once it is known which calls have an
// effect. Until then only a lock keeps concurrent calls with the same key waiting: the caller locks all actors before QueueRecords.
type Records struct {
	of    map[Key]result
	added []Call
}

// findClaims looks up each key by the index. Without LIMIT, Postgres may plan a join that reads the whole table while it is small.
var findClaims = db.Bulk(`SELECT asked.actor, asked.operation, asked.key, i.request_hash, i.result_id
	FROM (SELECT unnest($1::uuid[]) AS actor, unnest($2::text[]) AS operation, unnest($3::text[]) AS key) AS asked CROSS JOIN LATERAL (
		SELECT request_hash, result_id FROM idempotency
		WHERE actor = asked.actor AND operation = asked.operation AND key = asked.key LIMIT 1) AS i`)

// insertClaims fails the transaction if a key is there already, as a last defence.
var insertClaims = db.Bulk(`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
	SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::text[]), unnest($4::bytea[]), unnest($5::uuid[]), $6`)

// QueueRecords queues the look-up of the calls' keys. The result is filled by the next flush.
func QueueRecords(tx db.Tx, calls []Call) *Records {
	c := &Records{of: map[Key]result{}}
	actors, operations, keys := columns(calls)
	tx.QueueRows(findClaims, actors, operations, keys).Query(func(rows pgx.Rows) error {
		var k Key
		var m result
		_, err := pgx.ForEachRow(rows, []any{&k.Actor, &k.Operation, &k.Value, &m.hash, &m.id}, func() error {
			c.of[k] = result{bytes.Clone(m.hash), m.id}
			return nil
		})
		if err != nil {
			return fmt.Errorf("read keys: %w", err)
		}
		return nil
	})
	return c
}

// Result returns the id that the call's key has made, or uuid.Nil. It returns ErrReused if that was for another body.
func (c *Records) Result(call Call) (uuid.UUID, error) {
	m, claimed := c.of[call.Key]
	if claimed && !bytes.Equal(m.hash, call.hash) {
		return uuid.Nil, ErrReused
	}
	return m.id, nil
}

// Add says that a call makes id. Later calls of the transaction with the same key get it from Result.
func (c *Records) Add(call Call, id uuid.UUID) {
	c.of[call.Key] = result{call.hash, id}
	c.added = append(c.added, call)
}

// Save queues the insert of the added keys.
func (c *Records) Save(tx db.Tx) {
	if len(c.added) == 0 {
		return
	}
	actors, operations, keys := columns(c.added)
	tx.QueueRows(insertClaims, actors, operations, keys,
		db.Column(c.added, func(call Call) []byte { return call.hash }),
		db.Column(c.added, func(call Call) uuid.UUID { return c.of[call.Key].id }), tx.Now)
}

func columns(calls []Call) (actors []uuid.UUID, operations, keys []string) {
	return db.Column(calls, func(c Call) uuid.UUID { return c.Actor }),
		db.Column(calls, func(c Call) string { return c.Operation }),
		db.Column(calls, func(c Call) string { return c.Value })
}
