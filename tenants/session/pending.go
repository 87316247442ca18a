package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
)

// Pending is a sign-in whose person has shown one proof, and still has to show a code. Org is uuid.Nil for an admin.
type Pending struct {
	Audience token.Audience
	Org      uuid.UUID
	Subject  uuid.UUID
	Way      string // how the first proof was shown
	Return   string // a path of our own
}

const (
	pendingLifetime = 5 * time.Minute

	insertPending = `INSERT INTO pending_sign_in (token_hash, audience, org_id, subject_id, way, return_path, browser, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	tryPending    = `UPDATE pending_sign_in SET tries = tries + 1 WHERE token_hash = $1 AND browser = $2 AND used_at IS NULL AND expires_at > $3 AND tries < 5
		RETURNING audience, coalesce(org_id, '00000000-0000-0000-0000-000000000000'), subject_id, way, return_path`
	usePending   = `UPDATE pending_sign_in SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL`
	sweepPending = `DELETE FROM pending_sign_in WHERE expires_at < $1`
)

// Await keeps a sign-in that waits for a code, and returns its token. browser is the secret cookie of the browser that began it.
func (s *Service) Await(ctx context.Context, p Pending, browser string) (plain string, err error) {
	plain = token.Random(32)
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, insertPending, token.Hash(plain), p.Audience, null(p.Org), p.Subject, p.Way, p.Return, token.Hash(browser), tx.Now.Add(pendingLifetime))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("keep a sign-in of %s: %w", p.Subject, err)
	}
	return plain, nil
}

// TryPending counts one of five codes, and returns whose it must be. It returns ErrLogin for a sign-in that is unknown, used, five minutes
// old, tried five times, or begun in another browser.
func (s *Service) TryPending(ctx context.Context, plain, browser string) (p Pending, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, tryPending, token.Hash(plain), token.Hash(browser), tx.Now).Scan(&p.Audience, &p.Org, &p.Subject, &p.Way, &p.Return)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLogin
		}
		return err
	})
	return p, err
}

// UsePending ends a sign-in that waited, once. It returns ErrLogin the second time.
func (s *Service) UsePending(ctx context.Context, plain string) error {
	return s.once(ctx, usePending, plain)
}

// once marks a row of a token as used. It returns ErrLogin where it was already.
func (s *Service) once(ctx context.Context, sql, plain string) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, sql, token.Hash(plain), tx.Now)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrLogin
		}
		return err
	})
}
