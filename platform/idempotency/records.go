package idempotency

import (
	"bytes"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// Call is a keyed call that is decided together with others, in one transaction.
type Call struct {
	Key
	hash []byte
}

// NewCall returns ErrMissing when there is no key, or one that cannot be kept.
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

// Records are what the keys of some calls stand for: what each made before, or makes now.
//
// A call is refused on its own, and then leaves no claim; so a claim is written only once it is known that its call has an
// effect. Until then the lock that the caller holds on every actor keeps his twins waiting, in this process and in others:
// lock the actors before Find.
type Records struct {
	of    map[Key]result
	added []Call
}

// LIMIT has each looked up by its key: a join may be planned, while the table is small, to read all of it.
var findClaims = db.Bulk(`SELECT asked.actor, asked.operation, asked.key, i.request_hash, i.result_id
	FROM (SELECT unnest($1::uuid[]) AS actor, unnest($2::text[]) AS operation, unnest($3::text[]) AS key) AS asked CROSS JOIN LATERAL (
		SELECT request_hash, result_id FROM idempotency
		WHERE actor = asked.actor AND operation = asked.operation AND key = asked.key LIMIT 1) AS i`)

// A claim that is there all the same fails the transaction, as the last wall.
var insertClaims = db.Bulk(`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
	SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::text[]), unnest($4::bytea[]), unnest($5::uuid[]), $6`)

// QueueRecords asks what was made under the keys; it is there with the transaction's next answer.
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

// Result is what a call's key has made, or uuid.Nil. It returns ErrReused when that was for another body.
func (c *Records) Result(call Call) (uuid.UUID, error) {
	m, claimed := c.of[call.Key]
	if claimed && !bytes.Equal(m.hash, call.hash) {
		return uuid.Nil, ErrReused
	}
	return m.id, nil
}

// Add says that a call makes id; its twins after it find that.
func (c *Records) Add(call Call, id uuid.UUID) {
	c.of[call.Key] = result{call.hash, id}
	c.added = append(c.added, call)
}

// Save writes the claims.
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
