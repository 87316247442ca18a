package member

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/presence"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/session"
)

// Faults of codes of cards.
var (
	ErrCodeUnknown = fault.New(fault.NotFound, "member.code_unknown", "This code is not of a member card")
	ErrCodeStale   = fault.New(fault.Conflict, "member.code_stale", "This code is too old")
	ErrCodeOver    = fault.New(fault.Conflict, "member.code_over", "This phone has to open the card again")
	ErrOtherShop   = fault.New(fault.Conflict, "member.other_organisation", "This card is of another shop")
)

// keyLasts is how long a phone makes codes without asking again.
const keyLasts = 7 * 24 * time.Hour

const (
	inKey       = "card_key.secret"
	secretBytes = 32
	shownOf     = 100 // vouchers
)

// Live lets members' phones show their card as a QR that changes, and staff read it.
type Live struct {
	db       *db.DB
	box      *secret.Box
	sessions *session.Service
}

// NewLive returns the service.
func NewLive(d *db.DB, box *secret.Box, sessions *session.Service) *Live {
	return &Live{d, box, sessions}
}

// Key has everything that the phone needs to make a changing QR by itself.
type Key struct {
	ID         uuid.UUID `json:"id"`
	Secret     string    `json:"secret" doc:"base64url of 32 bytes; the phone signs each QR with it"`
	OrgTag     string    `json:"organisation_tag"`
	ExpiresAt  time.Time `json:"expires_at" doc:"UTC; until then it works without network"`
	ServerTime time.Time `json:"server_time" doc:"UTC"`
}

const (
	// The state of a membership m on the day $2, before what is due was done.
	stateOn   = `CASE WHEN m.state = 'active' AND NOT EXISTS (SELECT FROM membership_term n WHERE n.membership_id = m.id AND n.state IN ('running', 'to_come') AND (n.ends_on IS NULL OR n.ends_on >= $2)) THEN 'expired' ELSE m.state END`
	stateOf   = `SELECT m.id, ` + stateOn + ` FROM membership m WHERE m.customer_id = $1`
	upsertKey = `INSERT INTO card_key (id, membership_id, session_hash, secret, made_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (session_hash) DO UPDATE SET expires_at = excluded.expires_at RETURNING id, secret`
	dropKeys    = `DELETE FROM card_key WHERE membership_id = $1`
	dropOldKeys = `DELETE FROM card_key WHERE expires_at < $1`
	keyColumns  = `SELECT c.id, c.secret, c.session_hash, c.expires_at, m.customer_id FROM card_key c JOIN membership m ON m.id = c.membership_id `
	keyByID     = keyColumns + `WHERE c.id = $1`
	keysOf      = keyColumns + `JOIN member_card k ON k.membership_id = m.id WHERE k.number = $1 ORDER BY c.id`
	seenColumns = `SELECT m.name, CASE WHEN EXISTS (SELECT FROM consent n JOIN consent_version v ON v.id = n.version_id WHERE n.customer_id = m.customer_id AND v.purpose = 'member') THEN c.picture_url ELSE '' END,
			k.number, y.name_th, y.name_en, v.level, t.ends_on::text, a.mobile_digits`
	ofMember = ` FROM membership m JOIN customer c ON c.id = m.customer_id JOIN member_card k ON k.membership_id = m.id
		JOIN LATERAL (SELECT version_id, application_id, ends_on FROM membership_term WHERE membership_id = m.id AND state <> 'to_come' ORDER BY state = 'running' DESC, id DESC LIMIT 1) t ON true
		JOIN card_type_version v ON v.id = t.version_id JOIN card_type y ON y.id = v.card_type_id JOIN application a ON a.id = t.application_id `
	seenOf   = seenColumns + ofMember + `WHERE m.customer_id = $1`
	usableOf = `SELECT id, code, name_th, name_en, picture_id, kind, items_left, items_total, valid_until::text FROM voucher
		WHERE holder_id = $1 AND state = 'ready' AND valid_until >= $2 ORDER BY valid_until, id LIMIT $3`
)

// activeOf returns the membership of a customer who is locked, by today. It returns ErrNoMember, ErrSuspended, ErrExpired or ErrLeft if it is not active.
func activeOf(ctx context.Context, tx db.Tx, id uuid.UUID) (membership uuid.UUID, err error) {
	state := None
	err = tx.QueryRow(ctx, stateOf, id, clock.Day(tx.Now)).Scan(&membership, &state)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return membership, fmt.Errorf("state of member %s: %w", id, err)
	}
	if state != Active {
		return membership, refusals[state]
	}
	return membership, nil
}

// Key returns the key of a member's session, which lasts from now. It returns customer.ErrSuspended, ErrNoMember, ErrSuspended, ErrExpired or ErrLeft.
func (s *Live) Key(ctx context.Context, who token.Session) (k Key, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		locked := customer.Lock(tx, who.Subject)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := locked.Check(who.Subject); err != nil {
			return err
		}
		membership, err := activeOf(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		made := make([]byte, secretBytes)
		_, _ = rand.Read(made) // never fails (crypto/rand)
		id := db.NewID()
		sealed, err := s.box.Seal(secret.AAD{Org: tx.Key, Column: inKey, Row: id}, made)
		if err != nil {
			return fmt.Errorf("seal a key of %s: %w", membership, err)
		}
		k = Key{OrgTag: presence.TagOf(tx.Org), ExpiresAt: tx.Now.Add(keyLasts), ServerTime: tx.Now}
		if err := tx.QueryRow(ctx, upsertKey, id, membership, who.Hash, sealed, tx.Now, k.ExpiresAt).Scan(&k.ID, &sealed); err != nil {
			return fmt.Errorf("key of %s: %w", membership, err)
		}
		plain, err := s.box.Open(secret.AAD{Org: tx.Key, Column: inKey, Row: k.ID}, sealed)
		if err != nil {
			return fmt.Errorf("open a key of %s: %w", membership, err)
		}
		k.Secret = base64.RawURLEncoding.EncodeToString(plain)
		return nil
	})
	return k, err
}

// ScanInput is a code of a card that staff scanned or typed, and their service point.
type ScanInput struct {
	Code         string    `json:"code" minLength:"1" maxLength:"7089" doc:"The text of the QR, or the number of the card and the six digits behind it"`
	ServicePoint uuid.UUID `json:"service_point_id"`
}

// Seen is what staff see of a member who stands before them.
type Seen struct {
	Presence   uuid.UUID     `json:"presence_id"`
	Until      time.Time     `json:"until" doc:"UTC; for this staff account and service point"`
	Name       string        `json:"name"`
	PictureURL string        `json:"pictureUrl" doc:"Empty unless he agreed to the texts for members"`
	Number     string        `json:"number"`
	TypeTH     string        `json:"type_name_th"`
	TypeEN     string        `json:"type_name_en"`
	Level      int16         `json:"level"`
	EndsOn     *string       `json:"ends_on" nullable:"true" format:"date" doc:"The last day of the card; null: it has no end"`
	Mobile     string        `json:"mobile_digits" doc:"The last four"`
	Vouchers   []SeenVoucher `json:"vouchers" doc:"Those that he can use, the first 100 by their last day"`
}

// SeenVoucher is a voucher that a member can use.
type SeenVoucher struct {
	ID         uuid.UUID  `json:"id"`
	Code       string     `json:"code"`
	NameTH     string     `json:"name_th"`
	NameEN     string     `json:"name_en"`
	Picture    *uuid.UUID `json:"picture" nullable:"true"`
	Kind       string     `json:"kind" enum:"item,baht"`
	Left       int64      `json:"items_left"`
	Total      int64      `json:"items_total"`
	ValidUntil string     `json:"valid_until" format:"date"`
}

// cardKey is a row of its table.
type cardKey struct {
	id, customer uuid.UUID
	secret, hash []byte
	expiresAt    time.Time
}

// shown is a code that was verified: whose it is, and which step of which key.
type shown struct {
	cardKey
	means string
	step  int64
}

// Scan reads a code of a member's card, and opens a presence. It returns ErrCodeUnknown, ErrOtherShop, ErrCodeStale, ErrCodeOver also if the session of the phone has ended,
// customer.ErrSuspended, ErrSuspended, ErrExpired, ErrLeft, servicepoint.ErrNotStaff, or presence.ErrReplayed.
func (s *Live) Scan(ctx context.Context, who token.Session, in ScanInput) (seen Seen, err error) {
	code, err := s.verify(ctx, who.Org, in.Code)
	if err != nil {
		return seen, err
	}
	lasts, err := s.sessions.Lasts(ctx, who.Org, code.customer, code.hash)
	if err != nil {
		return seen, err
	}
	if !lasts {
		return seen, ErrCodeOver
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		servicepoint.RequireStaff(tx, who.Subject, in.ServicePoint)
		locked := customer.Lock(tx, code.customer)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := locked.Check(code.customer); err != nil {
			return err
		}
		if _, err := activeOf(ctx, tx, code.customer); err != nil {
			return err
		}
		id, until, err := presence.Open(ctx, tx, presence.Proof{
			Customer: code.customer, Staff: who.Subject, ServicePoint: in.ServicePoint, Means: code.means, Key: code.id, Step: code.step,
		})
		if err != nil {
			return err
		}
		seen, err = readSeen(ctx, tx, code.customer)
		seen.Presence, seen.Until = id, until
		return err
	})
	return seen, err
}

func readSeen(ctx context.Context, tx db.Tx, id uuid.UUID) (seen Seen, err error) {
	err = tx.QueryRow(ctx, seenOf, id).Scan(&seen.Name, &seen.PictureURL, &seen.Number, &seen.TypeTH, &seen.TypeEN, &seen.Level, &seen.EndsOn, &seen.Mobile)
	if err != nil {
		return seen, fmt.Errorf("member %s at a service point: %w", id, err)
	}
	rows, err := tx.Query(ctx, usableOf, id, clock.Day(tx.Now), shownOf)
	if err != nil {
		return seen, fmt.Errorf("vouchers of member %s: %w", id, err)
	}
	if seen.Vouchers, err = pgx.CollectRows(rows, pgx.RowToStructByPos[SeenVoucher]); err != nil {
		return seen, fmt.Errorf("vouchers of member %s: %w", id, err)
	}
	return seen, nil
}

// verify returns whose code a text is. It returns ErrCodeUnknown, ErrOtherShop, ErrCodeStale or ErrCodeOver.
func (s *Live) verify(ctx context.Context, org uuid.UUID, text string) (shown, error) {
	if qr, ok := presence.ParseQR(text); ok {
		if !qr.Of(org) {
			return shown{}, ErrOtherShop
		}
		return s.find(ctx, org, keyByID, qr.Key, func(k cardKey, now time.Time) (shown, error) {
			switch {
			case !qr.SignedBy(k.secret):
				return shown{}, ErrCodeUnknown
			case !qr.Fresh(now):
				return shown{}, ErrCodeStale
			}
			return shown{k, presence.ByQR, qr.Step}, nil
		})
	}
	code, ok := presence.ParseTyped(text)
	if !ok {
		return shown{}, ErrCodeUnknown
	}
	return s.find(ctx, org, keysOf, code.Number, func(k cardKey, now time.Time) (shown, error) {
		step, ok := code.MadeBy(org, k.id, k.secret, now)
		if !ok {
			return shown{}, ErrCodeUnknown
		}
		return shown{k, presence.Typed, step}, nil
	})
}

// find returns what is said by the first of some keys that does not refuse a code, else what the last one refuses it with.
func (s *Live) find(ctx context.Context, org uuid.UUID, sql string, arg any, check func(cardKey, time.Time) (shown, error)) (found shown, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, sql, arg)
		if err != nil {
			return fmt.Errorf("keys of a card: %w", err)
		}
		var k cardKey
		refused := error(ErrCodeUnknown)
		_, err = pgx.ForEachRow(rows, []any{&k.id, &k.secret, &k.hash, &k.expiresAt, &k.customer}, func() error {
			if refused == nil {
				return nil
			}
			one := k
			if one.secret, err = s.box.Open(secret.AAD{Org: tx.Key, Column: inKey, Row: k.id}, k.secret); err != nil {
				return fmt.Errorf("open a key of a card: %w", err)
			}
			if found, refused = check(one, tx.Now); refused == nil && !tx.Now.Before(k.expiresAt) {
				refused = ErrCodeOver
			}
			return nil
		})
		if err != nil {
			return err
		}
		return refused
	})
	return found, err
}
