package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Reset is whose password a link sets, and where he signs in. Org is uuid.Nil for an admin.
type Reset struct {
	Audience token.Audience
	Org      uuid.UUID
	Subject  uuid.UUID
}

// ErrReset says that a link sets no password: it is unknown, over, or the password was set by it or by another one since.
var ErrReset = fault.New(fault.NotFound, "password.link", "this link is not valid any more")

const (
	resetLifetime = 30 * time.Minute

	insertReset = `INSERT INTO password_reset (token_hash, audience, org_id, subject_id, expires_at) VALUES ($1, $2, $3, $4, $5)`
	findReset   = `SELECT audience, coalesce(org_id, '00000000-0000-0000-0000-000000000000'), subject_id FROM password_reset WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2`
	// All links of a person end with the first that is used. They are locked in one order, so that of two used at once one is second.
	useReset = `WITH mine AS MATERIALIZED (
			SELECT token_hash FROM password_reset WHERE subject_id = (SELECT subject_id FROM password_reset WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2) AND used_at IS NULL
			ORDER BY token_hash FOR UPDATE)
		UPDATE password_reset r SET used_at = $2 FROM mine WHERE r.token_hash = mine.token_hash AND EXISTS (SELECT FROM mine m WHERE m.token_hash = $1)`
	sweepResets = `DELETE FROM password_reset WHERE expires_at < $1`
)

// AddReset returns the token of a link by which a person sets a lost password within half an hour.
func (s *Service) AddReset(ctx context.Context, r Reset) (plain string, err error) {
	plain = token.Random(32)
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, insertReset, token.Hash(plain), r.Audience, null(r.Org), r.Subject, tx.Now.Add(resetLifetime))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("keep a link of %s: %w", r.Subject, err)
	}
	return plain, nil
}

// FindReset returns whose password a link sets. It returns ErrReset.
func (s *Service) FindReset(ctx context.Context, plain string) (r Reset, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, findReset, token.Hash(plain), tx.Now).Scan(&r.Audience, &r.Org, &r.Subject)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrReset
		}
		return err
	})
	return r, err
}

// UseReset ends a link, and all others of its person. It returns ErrReset for one that has ended.
func (s *Service) UseReset(ctx context.Context, plain string) error {
	err := s.once(ctx, useReset, plain)
	if errors.Is(err, ErrLogin) {
		return ErrReset
	}
	return err
}
