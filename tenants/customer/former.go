package customer

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// formerMonths is how long a customer who erased himself is known by a pseudonym, so that what protects the organisation's money
// (limits per customer, what he owes) holds when he comes again, and money that has come for him since is his.
const formerMonths = 24

const (
	subjectOf    = `SELECT line_sub FROM customer WHERE id = $1`
	insertFormer = `INSERT INTO former_customer (customer_id, pseudonym, forget_at) VALUES ($1, $2, $3)`
	lockFormer   = `SELECT id FROM customer WHERE id IN (SELECT customer_id FROM former_customer WHERE pseudonym = $1) ORDER BY id FOR NO KEY UPDATE`
	succeed      = `UPDATE former_customer SET successor_id = $2 WHERE pseudonym = $1`
	leaveDebt    = `UPDATE customer SET debt_satang = 0 WHERE id = ANY ($1) AND debt_satang > 0`
	lockPerson   = `SELECT id FROM customer WHERE id = coalesce((SELECT successor_id FROM former_customer WHERE customer_id = $1), $1) FOR NO KEY UPDATE`
	personNow    = `SELECT coalesce((SELECT successor_id FROM former_customer WHERE customer_id = $1), $1)`
	formerOf     = `SELECT customer_id FROM former_customer WHERE successor_id = $1`
	forgetFormer = `DELETE FROM former_customer WHERE forget_at <= $1
		AND NOT EXISTS (SELECT FROM charge c WHERE c.customer_id = former_customer.customer_id AND c.owed_satang > 0)`
)

// MaySucceed is an SQL condition on the customers u and n. It holds if u is erased and n is the same LINE person, who came again: n is
// the successor of u or has the same pseudonym. It holds as well if the pseudonym of u, or of an erased n, is deleted already, because
// then nobody knows.
const MaySucceed = `(u.erased_at IS NOT NULL AND (NOT EXISTS (SELECT FROM former_customer f WHERE f.customer_id = u.id)
	OR EXISTS (SELECT FROM former_customer f LEFT JOIN former_customer g ON g.customer_id = n.id WHERE f.customer_id = u.id
		AND (f.successor_id = n.id OR f.pseudonym = g.pseudonym OR g.customer_id IS NULL AND n.erased_at IS NOT NULL))))`

// pseudonym returns the keyed hash by which an organisation recognises a LINE person after his row was erased.
func (s *Service) pseudonym(key uuid.UUID, subject string) ([]byte, error) {
	return s.box.Index(key, "former_customer.pseudonym", "line|"+subject)
}

// remember keeps the pseudonym of a customer who is about to be erased.
func (s *Service) remember(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	var subject string
	if err := tx.QueryRow(ctx, subjectOf, id).Scan(&subject); err != nil {
		return fmt.Errorf("who %s is: %w", id, err)
	}
	mark, err := s.pseudonym(tx.Key, subject)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, insertFormer, id, mark, tx.Now.AddDate(0, formerMonths, 0)); err != nil {
		return fmt.Errorf("pseudonym of %s: %w", id, err)
	}
	return nil
}

// recognise makes a new customer the successor of the rows that the same LINE person had before. Their debt becomes his, and so does money
// that has come to them since; it pays the debt first.
func (s *Service) recognise(ctx context.Context, tx db.Tx, id uuid.UUID, subject string) error {
	mark, err := s.pseudonym(tx.Key, subject)
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, lockFormer, mark)
	if err != nil {
		return fmt.Errorf("who %s was: %w", id, err)
	}
	former, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(former) == 0 {
		return err
	}
	tx.Queue(succeed, mark, id)
	tx.Queue(leaveDebt, former)
	return s.settle(ctx, tx, id, false)
}

// LockPerson locks the row that a customer has now: id itself, or its successor if the person was erased and came again. It returns that
// row's id, and all ids of the person, the present one last. It returns fault.NoSession if there is no such customer.
func LockPerson(ctx context.Context, tx db.Tx, id uuid.UUID) (now uuid.UUID, all []uuid.UUID, err error) {
	for {
		err = tx.QueryRow(ctx, lockPerson, id).Scan(&now)
		if errors.Is(err, pgx.ErrNoRows) {
			return now, nil, fault.NoSession
		}
		if err != nil {
			return now, nil, fmt.Errorf("lock %s: %w", id, err)
		}
		locked := now
		if err := tx.QueryRow(ctx, personNow, id).Scan(&now); err != nil {
			return now, nil, fmt.Errorf("who %s is now: %w", id, err)
		}
		if now == locked {
			break // otherwise he came again while the lock was waited for
		}
	}
	rows, err := tx.Query(ctx, formerOf, now)
	if err != nil {
		return now, nil, fmt.Errorf("who %s was: %w", now, err)
	}
	former, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return now, nil, fmt.Errorf("who %s was: %w", now, err)
	}
	return now, append(former, now), nil
}

// ForgetFormer deletes pseudonyms whose time is over and by which nothing is owed any more. A worker calls it for each organisation.
func ForgetFormer(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, forgetFormer, tx.Now); err != nil {
		return fmt.Errorf("forget pseudonyms: %w", err)
	}
	return nil
}
