// Package presence is the proof that a member stands at a service point: his phone showed a code of his card there, which nobody else can make.
package presence

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Lifetime is how long a presence lasts, for the staff account and the service point that it was opened for.
const Lifetime = 5 * time.Minute

// kept is how long after its end a presence is kept.
const kept = 90 * 24 * time.Hour

// ErrReplayed refuses a code that has opened a presence already.
var ErrReplayed = fault.New(fault.Conflict, "presence.replayed", "This code has been scanned already")

// Means by which a member proves that he is there. They are stored by these strings.
const (
	ByQR  = "qr"
	Typed = "typed" // the six digits of the same step
)

// Proof is what opens a presence.
type Proof struct {
	Customer     uuid.UUID
	Staff        uuid.UUID
	ServicePoint uuid.UUID
	Means        string
	Key          uuid.UUID
	Step         int64
}

const (
	insert = `INSERT INTO presence (id, customer_id, staff_id, service_point_id, means, card_key_id, step, opened_at, until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (card_key_id, step) DO NOTHING`
	dropOld = `DELETE FROM presence WHERE until < $1`
	dropOf  = `DELETE FROM presence WHERE customer_id = $1`
	heldOf  = `SELECT r.opened_at, p.name_th, p.name_en FROM presence r JOIN service_point p ON p.id = r.service_point_id WHERE r.customer_id = $1 ORDER BY r.opened_at, r.id`
)

// Open opens a presence. It returns its id and its end, or ErrReplayed if the step of the key has opened one.
func Open(ctx context.Context, tx db.Tx, p Proof) (id uuid.UUID, until time.Time, err error) {
	id, until = db.NewID(), tx.Now.Add(Lifetime)
	made, err := tx.Exec(ctx, insert, id, p.Customer, p.Staff, p.ServicePoint, p.Means, p.Key, p.Step, tx.Now, until)
	if err != nil {
		return id, until, fmt.Errorf("presence of %s: %w", p.Customer, err)
	}
	if made.RowsAffected() == 0 {
		return id, until, ErrReplayed
	}
	return id, until, nil
}

// Held is when and where staff read the code of a member's card.
type Held struct {
	At             time.Time `json:"at" doc:"UTC"`
	ServicePointTH string    `json:"service_point_name_th"`
	ServicePointEN string    `json:"service_point_name_en"`
}

// Of returns all presences that are kept of a customer.
func Of(ctx context.Context, tx db.Tx, customer uuid.UUID) ([]Held, error) {
	rows, err := tx.Query(ctx, heldOf, customer)
	if err != nil {
		return nil, fmt.Errorf("presences of %s: %w", customer, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Held])
	if err != nil {
		return nil, fmt.Errorf("presences of %s: %w", customer, err)
	}
	return all, nil
}

// Erase deletes the presences of a customer.
func Erase(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	if _, err := tx.Exec(ctx, dropOf, customer); err != nil {
		return fmt.Errorf("erase presences of %s: %w", customer, err)
	}
	return nil
}

// DropOld deletes presences that are not to be kept any longer.
func DropOld(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, dropOld, tx.Now.Add(-kept)); err != nil {
		return fmt.Errorf("old presences: %w", err)
	}
	return nil
}
