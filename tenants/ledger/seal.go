package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
)

const (
	lastSeal = `SELECT day, hash FROM seal ORDER BY day DESC LIMIT 1`
	firstDay = `SELECT min(day) FROM transfer`
	ofDay    = `SELECT t.id::text || '|' || t.kind || '|' || t.cause_id || '|' || coalesce(t.reverses::text, '') || '|' || e.id || '|' ||
			e.debit_id || '|' || e.credit_id || '|' || e.amount_satang, t.id::text, e.amount_satang
		FROM transfer t JOIN entry e ON e.transfer_id = t.id WHERE t.day = $1 ORDER BY t.id, e.id`
	insertSnapshot = `INSERT INTO snapshot (day, account_id, debit_satang, credit_satang)
		SELECT $1, a.id, coalesce(p.debit_satang, 0) + coalesce(d.sum, 0), coalesce(p.credit_satang, 0) + coalesce(c.sum, 0)
		FROM account a
		LEFT JOIN snapshot p ON p.account_id = a.id AND p.day = $2
		LEFT JOIN (SELECT e.debit_id AS id, sum(e.amount_satang) FROM entry e JOIN transfer t ON t.id = e.transfer_id
			WHERE t.day = $1 GROUP BY 1) d (id, sum) ON d.id = a.id
		LEFT JOIN (SELECT e.credit_id AS id, sum(e.amount_satang) FROM entry e JOIN transfer t ON t.id = e.transfer_id
			WHERE t.day = $1 GROUP BY 1) c (id, sum) ON c.id = a.id
		WHERE a.holder_id IS NULL`
	insertSeal = `INSERT INTO seal (day, transfers, entries, total, previous, hash, sealed_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	sealAfter  = `SELECT day, transfers, entries, total::bigint, previous, hash FROM seal WHERE day > $1 ORDER BY day LIMIT 1`
)

// grace is how long after midnight a day is left open, so that no transaction of it can still be under way.
const grace = 15 * time.Minute

// sealTimeout is for a day of a flash sale, whose millions of entries are hashed one after another.
const sealTimeout = `SET LOCAL statement_timeout = '30min'`

// SealDays seals every day that is over and not sealed yet, oldest first. Doing it again changes nothing.
func SealDays(ctx context.Context, tx db.Tx) error {
	tx.Queue(sealTimeout)
	day, previous, err := nextDay(ctx, tx)
	if err != nil || day.IsZero() {
		return err
	}
	for ; clock.Start(day.AddDate(0, 0, 1)).Add(grace).Before(tx.Now); day = day.AddDate(0, 0, 1) {
		s, err := hashDay(ctx, tx, day, previous)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertSnapshot, day, day.AddDate(0, 0, -1)); err != nil {
			return fmt.Errorf("snapshot of %s: %w", day.Format(time.DateOnly), err)
		}
		if _, err := tx.Exec(ctx, insertSeal, day, s.transfers, s.entries, s.total, previous, s.hash, tx.Now); err != nil {
			return fmt.Errorf("seal of %s: %w", day.Format(time.DateOnly), err)
		}
		previous = s.hash
	}
	return nil
}

// nextDay is the oldest unsealed day, and the hash it is chained to; the zero time when nothing has happened yet.
func nextDay(ctx context.Context, tx db.Tx) (day time.Time, previous []byte, err error) {
	err = tx.QueryRow(ctx, lastSeal).Scan(&day, &previous)
	if err == nil {
		return day.AddDate(0, 0, 1), previous, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return day, nil, fmt.Errorf("last seal: %w", err)
	}

	var first *time.Time
	if err := tx.QueryRow(ctx, firstDay).Scan(&first); err != nil || first == nil {
		return time.Time{}, nil, err
	}
	return *first, make([]byte, sha256.Size), nil
}

type sealed struct {
	transfers, entries, total int64
	hash                      []byte
}

// hashDay hashes a day's transfers and entries in the order of their ids, after the hash of the day before.
func hashDay(ctx context.Context, tx db.Tx, day time.Time, previous []byte) (s sealed, err error) {
	rows, err := tx.Query(ctx, ofDay, day)
	if err != nil {
		return s, fmt.Errorf("transfers of %s: %w", day.Format(time.DateOnly), err)
	}
	defer rows.Close()

	sum, last := sha256.New(), ""
	sum.Write(previous)
	sum.Write([]byte(day.Format(time.DateOnly)))
	for rows.Next() {
		var line, transfer string
		var amount int64
		if err := rows.Scan(&line, &transfer, &amount); err != nil {
			return s, err
		}
		sum.Write([]byte(line + "\n"))
		s.entries, s.total = s.entries+1, s.total+amount
		if transfer != last {
			s.transfers, last = s.transfers+1, transfer
		}
	}
	s.hash = sum.Sum(nil)
	return s, rows.Err()
}

// checkSeals recomputes every sealed day and its chain, one day after the other.
func checkSeals(ctx context.Context, tx db.Tx) ([]Finding, error) {
	list := findingList{rule: "no sealed day has changed"}
	expected, previous := time.Time{}, make([]byte, sha256.Size)
	for {
		var day time.Time
		var was sealed
		var chained []byte
		err := tx.QueryRow(ctx, sealAfter, expected.AddDate(0, 0, -1)).Scan(&day, &was.transfers, &was.entries, &was.total, &chained, &was.hash)
		if errors.Is(err, pgx.ErrNoRows) {
			return list.findings, nil
		}
		if err != nil {
			return nil, fmt.Errorf("seal after %s: %w", expected.Format(time.DateOnly), err)
		}
		now, err := hashDay(ctx, tx, day, previous)
		if err != nil {
			return nil, err
		}
		if !expected.IsZero() && !day.Equal(expected) {
			list.add(expected.Format(time.DateOnly), "is not sealed, and a later day is")
		}
		if !bytes.Equal(now.hash, was.hash) || !bytes.Equal(previous, chained) || now.transfers != was.transfers || now.entries != was.entries || now.total != was.total {
			list.add(day.Format(time.DateOnly), fmt.Sprintf("sealed with %d transfers and %d entries of %d satang, now %d and %d of %d",
				was.transfers, was.entries, was.total, now.transfers, now.entries, now.total))
		}
		expected, previous = day.AddDate(0, 0, 1), was.hash
	}
}
