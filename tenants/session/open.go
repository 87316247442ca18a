package session

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// OpenSession is a session of a person that has not ended.
type OpenSession struct {
	ID       string    `json:"id" doc:"Names the session, and opens nothing"`
	OpenedAt time.Time `json:"opened_at" doc:"UTC"`
	SeenAt   time.Time `json:"seen_at" doc:"UTC, to the minute: when it called last"`
	This     bool      `json:"this" doc:"It is the one that asks"`
}

const (
	openOf = `SELECT token_hash, created_at, last_seen_at FROM session
		WHERE org_id IS NOT DISTINCT FROM $1 AND subject_id = $2 AND audience = $3 AND revoked_at IS NULL AND expires_at > $4 AND last_seen_at > $5
		ORDER BY last_seen_at DESC, token_hash LIMIT 100`
	revokeOne = `UPDATE session SET revoked_at = $4 WHERE token_hash = $1 AND org_id IS NOT DISTINCT FROM $2 AND subject_id = $3 AND revoked_at IS NULL` + ofWhom
)

// OpenSessions returns the sessions of a person of one audience that have not ended, the one that called last first. org is uuid.Nil for an admin; asks is the session that asks.
func (s *Service) OpenSessions(ctx context.Context, audience token.Audience, org, subject uuid.UUID, asks token.Session) (list []OpenSession, err error) {
	_, idle := token.Lifetime(audience)
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, openOf, null(org), subject, audience, tx.Now, tx.Now.Add(-idle))
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (o OpenSession, err error) {
			var hash []byte
			err = row.Scan(&hash, &o.OpenedAt, &o.SeenAt)
			o.ID = hex.EncodeToString(hash)
			o.This = o.ID == hex.EncodeToString(asks.Hash)
			return o, err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sessions of %s: %w", subject, err)
	}
	return list, nil
}

// RevokeOne ends one session of a person at once, by its id. It returns fault.Missing for an id that is none.
func (s *Service) RevokeOne(ctx context.Context, org, subject uuid.UUID, id string) error {
	hash, err := hex.DecodeString(id)
	if err != nil {
		return fault.Missing
	}
	return s.end(ctx, revokeOne, func(tx db.Tx) []any { return []any{hash, null(org), subject, tx.Now} })
}
