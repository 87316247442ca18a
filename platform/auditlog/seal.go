package auditlog

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
	lastSeal = `SELECT day, hash FROM log_seal ORDER BY day DESC LIMIT 1`
	firstAt  = `SELECT min(at) FROM audit_log`
	ofDay    = `SELECT jsonb_build_array(id, extract(epoch FROM at), actor_kind, actor_id, action, object, before, after, request_id)::text
		FROM audit_log WHERE at >= $1 AND at < $2 ORDER BY id`
	insertSeal = `INSERT INTO log_seal (day, lines, previous, hash, sealed_at) VALUES ($1, $2, $3, $4, $5)`
	sealAfter  = `SELECT day, lines, previous, hash FROM log_seal WHERE day > $1 ORDER BY day LIMIT 1`
)

// grace is how long after midnight a day is left open, so that no transaction of it can still be under way.
const grace = 15 * time.Minute

// sealTimeout is for the first seal, or a check, of a log that is years old.
const sealTimeout = `SET LOCAL statement_timeout = '30min'`

// SealDays seals every day of the audit log of tx's schema that is over and not sealed yet, oldest first: a hash of its lines, after
// the hash of the day before. Doing it again changes nothing.
func SealDays(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, sealTimeout); err != nil {
		return fmt.Errorf("let Postgres take its time: %w", err)
	}
	day, previous, err := nextDay(ctx, tx)
	if err != nil || day.IsZero() {
		return err
	}
	for ; clock.Start(day.AddDate(0, 0, 1)).Add(grace).Before(tx.Now); day = day.AddDate(0, 0, 1) {
		lines, hash, err := hashDay(ctx, tx, day, previous)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertSeal, day, lines, previous, hash, tx.Now); err != nil {
			return fmt.Errorf("seal of the audit log of %s: %w", day.Format(time.DateOnly), err)
		}
		previous = hash
	}
	return nil
}

// nextDay returns the oldest day that is not sealed, and the hash that its own begins with. It returns the zero time for an empty log.
func nextDay(ctx context.Context, tx db.Tx) (day time.Time, previous []byte, err error) {
	err = tx.QueryRow(ctx, lastSeal).Scan(&day, &previous)
	if err == nil {
		return day.AddDate(0, 0, 1), previous, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return day, nil, fmt.Errorf("last seal of the audit log: %w", err)
	}
	var first *time.Time
	if err := tx.QueryRow(ctx, firstAt).Scan(&first); err != nil || first == nil {
		return time.Time{}, nil, err
	}
	return clock.Day(*first), make([]byte, sha256.Size), nil
}

// hashDay hashes a day's lines in the order of their ids, after the hash of the day before.
func hashDay(ctx context.Context, tx db.Tx, day time.Time, previous []byte) (lines int64, hash []byte, err error) {
	rows, err := tx.Query(ctx, ofDay, clock.Start(day), clock.Start(day.AddDate(0, 0, 1)))
	if err != nil {
		return 0, nil, fmt.Errorf("audit log of %s: %w", day.Format(time.DateOnly), err)
	}
	sum := sha256.New()
	sum.Write(previous)
	sum.Write([]byte(day.Format(time.DateOnly)))
	var line string
	_, err = pgx.ForEachRow(rows, []any{&line}, func() error {
		sum.Write([]byte(line + "\n"))
		lines++
		return nil
	})
	return lines, sum.Sum(nil), err
}

// Broken is a day of the audit log that is not what was sealed.
type Broken struct{ Day, Why string }

// CheckSeals computes every sealed day of the audit log of tx's schema anew, and returns those that have changed.
func CheckSeals(ctx context.Context, tx db.Tx) (broken []Broken, err error) {
	if _, err := tx.Exec(ctx, sealTimeout); err != nil {
		return nil, fmt.Errorf("let Postgres take its time: %w", err)
	}
	expected, previous := time.Time{}, make([]byte, sha256.Size)
	for {
		var day time.Time
		var lines int64
		var chained, hash []byte
		err := tx.QueryRow(ctx, sealAfter, expected.AddDate(0, 0, -1)).Scan(&day, &lines, &chained, &hash)
		if errors.Is(err, pgx.ErrNoRows) {
			return broken, nil
		}
		if err != nil {
			return nil, fmt.Errorf("seal of the audit log after %s: %w", expected.Format(time.DateOnly), err)
		}
		if !expected.IsZero() && !day.Equal(expected) {
			broken = append(broken, Broken{expected.Format(time.DateOnly), "is not sealed, and a later day is"})
		}
		n, is, err := hashDay(ctx, tx, day, previous)
		if err != nil {
			return nil, err
		}
		if n != lines || !bytes.Equal(is, hash) || !bytes.Equal(previous, chained) {
			broken = append(broken, Broken{day.Format(time.DateOnly), fmt.Sprintf("sealed with %d lines, now %d", lines, n)})
		}
		expected, previous = day.AddDate(0, 0, 1), hash
	}
}
