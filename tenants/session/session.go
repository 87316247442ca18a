// Package session opens, finds and ends sessions of every audience.
//
// A session that was found is kept for a second (FindCached), or longer while this process receives all that end (Topic). Ending one is
// at once where it is ended, and within that second everywhere else.
package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/cache"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
)

// Service keeps sessions in the platform's schema, so that a token can be looked up before its organisation is known.
type Service struct {
	db     *db.DB
	recent *cache.Cache[[sha256.Size]byte, token.Session]
}

const (
	ttl       = time.Second
	maxTTL    = 10 * time.Second // what is changed by hand is published to nobody
	maxRecent = 20_000
)

// New returns the service.
func New(d *db.DB) *Service {
	s := &Service{db: d, recent: cache.New[[sha256.Size]byte, token.Session](ttl, maxRecent, d.Now)}
	d.Subscribe(org.Topic, func(what string) {
		s.forget(func(e Ended) bool { return db.Concerns(what, e.Org) })
	})
	s.recent.WithSync(d.Subscribe(Topic, func(what string) {
		changed, known := ReadEnded(what)
		s.forget(func(e Ended) bool { return !known || e == changed })
	}), maxTTL)
	return s
}

const (
	insert = `INSERT INTO session (token_hash, audience, org_id, subject_id, browser, created_at, last_seen_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`
	find = `SELECT s.audience, coalesce(s.org_id, $2), coalesce(s.subject_id, $2), s.last_seen_at, s.expires_at
		FROM session s LEFT JOIN organisation o ON o.id = s.org_id
		WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND (s.org_id IS NULL OR o.state <> 'provisioning')`
	touch      = `UPDATE session SET last_seen_at = $2 WHERE token_hash = $1`
	revoke     = `UPDATE session SET revoked_at = $2 WHERE token_hash = $1 AND revoked_at IS NULL` + ofWhom
	revokeAll  = `UPDATE session SET revoked_at = $3 WHERE org_id IS NOT DISTINCT FROM $1 AND subject_id = $2 AND revoked_at IS NULL` + ofWhom
	revokeElse = `UPDATE session SET revoked_at = $3 WHERE org_id IS NOT DISTINCT FROM $1 AND subject_id = $2 AND token_hash <> $4 AND revoked_at IS NULL` + ofWhom
	ofWhom     = ` RETURNING audience, coalesce(org_id, '00000000-0000-0000-0000-000000000000'), coalesce(subject_id, '00000000-0000-0000-0000-000000000000')`
	openHere   = `SELECT EXISTS (SELECT FROM session WHERE org_id IS NOT DISTINCT FROM $1 AND subject_id = $2 AND browser = $3 AND revoked_at IS NULL AND expires_at > $4)`
	lasts      = `SELECT last_seen_at FROM session WHERE token_hash = $1 AND audience = 'user' AND org_id = $2 AND subject_id = $3 AND revoked_at IS NULL AND expires_at > $4`
	// What was swept away is not remembered, so the first one that is left is new to nobody.
	signInsOf = `SELECT s.created_at, s.browser <> '' AND EXISTS (SELECT FROM session b WHERE b.org_id = s.org_id AND b.subject_id = s.subject_id AND b.audience = s.audience AND b.created_at < s.created_at)
			AND NOT EXISTS (SELECT FROM session b WHERE b.org_id = s.org_id AND b.subject_id = s.subject_id AND b.browser = s.browser AND b.created_at < s.created_at)
		FROM session s WHERE s.org_id = $1 AND s.subject_id = $2 AND s.audience = 'user' AND s.created_at BETWEEN $3 AND $4 ORDER BY s.created_at DESC LIMIT 10`
	// The browser that two customers signed in by, and when the later of them did so.
	sameBrowser = `SELECT p.n, max(greatest(a.created_at, b.created_at)) FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS p (one, other, n)
		JOIN session a ON a.org_id = $1 AND a.subject_id = p.one AND a.audience IN ('user', 'agent') AND a.browser <> ''
		JOIN session b ON b.org_id = $1 AND b.subject_id = p.other AND b.audience IN ('user', 'agent') AND b.browser = a.browser GROUP BY 1`
	sweep   = `DELETE FROM session WHERE expires_at < $1`
	sweepID = `DELETE FROM id_token_use WHERE expires_at < $1`
)

// Open starts a session and returns its token, which is shown once. browser is the value of the browser's cookie, or empty.
func (s *Service) Open(ctx context.Context, kind token.Audience, org, subject uuid.UUID, browser string) (string, error) {
	plain, hash := token.New(kind)
	absolute, _ := token.Lifetime(kind)
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, insert, hash, kind, null(org), null(subject), browser, tx.Now, tx.Now.Add(absolute))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("open a session of kind %s: %w", kind, err)
	}
	return plain, nil
}

// FindCached is Find with a cache, for requests, which are over in a moment.
func (s *Service) FindCached(ctx context.Context, plain string) (token.Session, error) {
	who, err := s.recent.GetOrLoad(ctx, [sha256.Size]byte(token.Hash(plain)), func(ctx context.Context) (token.Session, error) { return s.Find(ctx, plain) })
	if err == nil && s.db.Now().After(who.Expires) {
		return token.Session{}, fault.NoSession
	}
	return who, err
}

// Find returns the session of a token. It returns fault.NoSession when the token is malformed, unknown, revoked,
// idle for too long or expired, or when its organisation is being provisioned: on the platform's host nothing else looks at that.
func (s *Service) Find(ctx context.Context, plain string) (token.Session, error) {
	kind := token.AudienceOf(plain)
	if kind == "" {
		return token.Session{}, fault.NoSession
	}

	found := token.Session{Hash: token.Hash(plain)}
	var unseen time.Duration
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		var seen time.Time
		err := tx.QueryRow(ctx, find, found.Hash, uuid.Nil).Scan(&found.Audience, &found.Org, &found.Subject, &seen, &found.Expires)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NoSession
		}
		if err != nil {
			return err
		}
		_, idle := token.Lifetime(found.Audience)
		if unseen = tx.Now.Sub(seen); found.Audience != kind || tx.Now.After(found.Expires) || unseen > idle {
			return fault.NoSession
		}
		return nil
	})
	if err != nil || unseen < time.Minute {
		return found, err
	}
	return found, s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, touch, found.Hash, tx.Now)
		return err
	})
}

// Revoke ends one session at once.
func (s *Service) Revoke(ctx context.Context, hash []byte) error {
	return s.end(ctx, revoke, func(tx db.Tx) []any { return []any{hash, tx.Now} })
}

// RevokeAll ends every session of a person at once. org is uuid.Nil for an admin.
func (s *Service) RevokeAll(ctx context.Context, org, subject uuid.UUID) error {
	return s.end(ctx, revokeAll, func(tx db.Tx) []any { return []any{null(org), subject, tx.Now} })
}

// RevokeElsewhere ends every session of a person but the one he asks with.
func (s *Service) RevokeElsewhere(ctx context.Context, who token.Session) error {
	return s.end(ctx, revokeElse, func(tx db.Tx) []any { return []any{null(who.Org), who.Subject, tx.Now, who.Hash} })
}

// Topic is published with an Ended when sessions of a person have ended.
const Topic = "session.ended"

// Ended names a person of one audience, some or all of whose sessions have ended.
type Ended struct {
	Audience token.Audience `json:"audience"`
	Org      uuid.UUID      `json:"org"`     // uuid.Nil for an admin
	Subject  uuid.UUID      `json:"subject"` // uuid.Nil for a browser that is nobody's
}

// ReadEnded reads what a subscriber of Topic is called with. known is false where it may be anybody.
func ReadEnded(what string) (e Ended, known bool) {
	err := json.Unmarshal([]byte(what), &e)
	return e, err == nil
}

// forget deletes people's sessions from this process' cache.
func (s *Service) forget(whose func(Ended) bool) {
	s.recent.DeleteFunc(func(_ [sha256.Size]byte, who token.Session) bool {
		return whose(Ended{who.Audience, who.Org, who.Subject})
	})
}

func (s *Service) end(ctx context.Context, sql string, args func(tx db.Tx) []any) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, sql, args(tx)...)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Ended])
		if err != nil {
			return err
		}
		published := map[Ended]bool{}
		for _, e := range all {
			if published[e] {
				continue
			}
			published[e] = true
			what, err := json.Marshal(e)
			if err != nil {
				return err
			}
			tx.Publish(Topic, string(what))
		}
		return nil
	})
}

// IsOpen says whether a person has a session in the browser with that cookie.
func (s *Service) IsOpen(ctx context.Context, org, subject uuid.UUID, browser string) (open bool, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		return tx.QueryRow(ctx, openHere, null(org), subject, browser, tx.Now).Scan(&open)
	})
	return open, err
}

// Lasts reports whether the session with the hash of its token is a customer's, and has not ended.
func (s *Service) Lasts(ctx context.Context, org, customer uuid.UUID, hash []byte) (bool, error) {
	var unseen time.Duration
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		var seen time.Time
		err := tx.QueryRow(ctx, lasts, hash, org, customer, tx.Now).Scan(&seen)
		unseen = tx.Now.Sub(seen)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("does a session of %s last: %w", customer, err)
	}
	_, idle := token.Lifetime(token.User)
	return unseen <= idle, nil
}

// SignIn is when a customer signed in.
type SignIn struct {
	At  time.Time `json:"at" doc:"UTC"`
	New bool      `json:"new_browser" doc:"In a browser in which he had not signed in before, as far as that is remembered"`
}

// SignIns returns when a customer signed in between two moments, the last ten, newest first.
func (s *Service) SignIns(ctx context.Context, org, customer uuid.UUID, from, to time.Time) (list []SignIn, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, signInsOf, org, customer, from, to)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[SignIn])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sign-ins of %s: %w", customer, err)
	}
	return list, nil
}

// SameBrowser looks at pairs of customers: those at the same place. It returns the places of those who have signed in by one browser, as far as that is remembered, and when
// the later of them did so.
func (s *Service) SameBrowser(ctx context.Context, org uuid.UUID, one, other []uuid.UUID) (map[int]time.Time, error) {
	found := map[int]time.Time{}
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, sameBrowser, org, one, other)
		if err != nil {
			return err
		}
		var n int
		var at time.Time
		_, err = pgx.ForEachRow(rows, []any{&n, &at}, func() error {
			found[n-1] = at
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("who has signed in by one browser: %w", err)
	}
	return found, nil
}

// Sweep deletes what is long over; the scheduler calls it once a day.
func (s *Service) Sweep(ctx context.Context) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		for _, sql := range []string{sweep, sweepLogins, sweepID, sweepPending, sweepResets} {
			if _, err := tx.Exec(ctx, sql, tx.Now.Add(-24*time.Hour)); err != nil {
				return err
			}
		}
		return nil
	})
}

func null(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
