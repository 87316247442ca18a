// Package secondfactor asks who works in the office, beside his password, for a code of an app on his phone (TOTP, RFC 6238), or for
// one of ten recovery codes. It is off until a person switches it on for himself.
package secondfactor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
)

var (
	// ErrCode says that a code is wrong, over, or was used before.
	ErrCode = fault.New(fault.Conflict, "second_factor.code", "this code is wrong")
	// ErrOn says that the second factor is on already.
	ErrOn = fault.New(fault.Conflict, "second_factor.on", "the second factor is on already")
	// ErrOff says that the second factor is off.
	ErrOff = fault.New(fault.Conflict, "second_factor.off", "the second factor is off")
)

const (
	step          = 30 // seconds that a code lasts; the one before and the one after are taken too
	recoveryCodes = 10
)

// Service keeps the secrets of all who work in the office.
type Service struct {
	db      *db.DB
	box     *secret.Box
	guesses *ratelimit.SignInLimiter
	// others ends the sessions of a person but the one that asks.
	others func(ctx context.Context, who token.Session) error
}

// New returns the service. others ends the sessions of a person but the one that asks.
func New(d *db.DB, box *secret.Box, guesses *ratelimit.SignInLimiter, others func(ctx context.Context, who token.Session) error) *Service {
	return &Service{db: d, box: box, guesses: guesses, others: others}
}

// Holder is whose factor it is. Org is uuid.Nil for an admin.
type Holder struct{ Org, Subject uuid.UUID }

// HolderOf is who has the session.
func HolderOf(who token.Session) Holder { return Holder{who.Org, who.Subject} }

// object is the holder in the audit log.
func (h Holder) object() string {
	if h.Org == uuid.Nil {
		return "admin/" + h.Subject.String()
	}
	return "staff/" + h.Subject.String()
}

// State is what a person reads of his own.
type State struct {
	On            bool       `json:"on"`
	Since         *time.Time `json:"since" nullable:"true" doc:"UTC; null while it is off"`
	RecoveryCodes int        `json:"recovery_codes" doc:"How many are left"`
}

// Offer is a secret to be taken into an app on the phone. It counts once a code of it was shown.
type Offer struct {
	Secret string `json:"secret" doc:"To be typed where no picture can be scanned"`
	URL    string `json:"url" doc:"otpauth address, for a QR"`
}

// Recovery are new recovery codes. They are shown once.
type Recovery struct {
	Codes []string `json:"codes"`
}

// The tables are alike in an organisation's schema and in the platform's.
const (
	readState = `SELECT f.counts_from, (SELECT count(*) FROM recovery_code r WHERE r.subject_id = f.subject_id AND r.used_at IS NULL)
		FROM second_factor f WHERE f.subject_id = $1 AND f.counts_from IS NOT NULL`
	offer = `INSERT INTO second_factor (subject_id, secret, created_at) VALUES ($1, $2, $3)
		ON CONFLICT (subject_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, used_step = 0 WHERE second_factor.counts_from IS NULL`
	lockFactor   = `SELECT secret, counts_from, used_step FROM second_factor WHERE subject_id = $1 FOR UPDATE`
	start        = `UPDATE second_factor SET counts_from = $2 WHERE subject_id = $1`
	useStep      = `UPDATE second_factor SET used_step = $2 WHERE subject_id = $1`
	useRecovery  = `UPDATE recovery_code SET used_at = $3 WHERE subject_id = $1 AND code_hash = $2 AND used_at IS NULL`
	dropCodes    = `DELETE FROM recovery_code WHERE subject_id = $1`
	insertCodes  = `INSERT INTO recovery_code (subject_id, code_hash) SELECT $1, unnest($2::bytea[])`
	dropFactor   = `DELETE FROM second_factor WHERE subject_id = $1`
	secretColumn = "second_factor.secret"
)

var options = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1} // what every app understands

func (s *Service) in(ctx context.Context, h Holder, fn func(tx db.Tx) error) error {
	if h.Org == uuid.Nil {
		return s.db.InPlatform(ctx, fn)
	}
	return s.db.InOrg(ctx, h.Org, fn)
}

// State returns whether a person's second factor is on.
func (s *Service) State(ctx context.Context, h Holder) (out State, err error) {
	err = s.in(ctx, h, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, readState, h.Subject).Scan(&out.Since, &out.RecoveryCodes)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		out.On = err == nil
		return err
	})
	if err != nil {
		return State{}, fmt.Errorf("second factor of %s: %w", h.Subject, err)
	}
	return out, nil
}

// Offer makes a secret, in place of one whose code was never shown. issuer and account name it in the app. It returns ErrOn.
func (s *Service) Offer(ctx context.Context, h Holder, issuer, account string) (Offer, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: account, Period: step, SecretSize: 20})
	if err != nil {
		return Offer{}, fmt.Errorf("make a secret: %w", err)
	}
	err = s.in(ctx, h, func(tx db.Tx) error {
		sealed, err := s.box.Seal(at(tx, h), []byte(key.Secret()))
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, offer, h.Subject, sealed, tx.Now)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrOn
		}
		return err
	})
	if err != nil {
		return Offer{}, fmt.Errorf("offer a second factor to %s: %w", h.Subject, err)
	}
	return Offer{Secret: key.Secret(), URL: key.URL()}, nil
}

func at(tx db.Tx, h Holder) secret.AAD {
	return secret.AAD{Org: tx.Key, Column: secretColumn, Row: h.Subject}
}

// Start switches the second factor on, for who shows a code of the secret that he was offered, and ends his other sessions. It returns
// ErrCode, ErrOn, ErrOff without an offer, or ratelimit.ErrLocked.
func (s *Service) Start(ctx context.Context, who token.Session, by auditlog.Actor, code string) (out Recovery, err error) {
	err = s.guarded(ctx, who, func(tx db.Tx, h Holder) error {
		f, err := s.lock(ctx, tx, h)
		switch {
		case err != nil:
			return err
		case f.countsFrom != nil:
			return ErrOn
		}
		if err := f.takeCode(ctx, tx, h, code); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, start, h.Subject, tx.Now); err != nil {
			return err
		}
		if out, err = renew(ctx, tx, h); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, by, "second_factor_on", h.object(), nil, nil)
	})
	if err != nil {
		return Recovery{}, err
	}
	return out, s.others(ctx, who)
}

// Renew makes ten other recovery codes; the old ones open nothing any more. It returns ErrCode, ErrOff or ratelimit.ErrLocked.
func (s *Service) Renew(ctx context.Context, who token.Session, by auditlog.Actor, code string) (out Recovery, err error) {
	err = s.guarded(ctx, who, func(tx db.Tx, h Holder) error {
		if err := s.take(ctx, tx, h, code); err != nil {
			return err
		}
		if out, err = renew(ctx, tx, h); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, by, "recovery_codes", h.object(), nil, nil)
	})
	return out, err
}

// Stop switches the second factor off. It returns ErrCode, ErrOff or ratelimit.ErrLocked.
func (s *Service) Stop(ctx context.Context, who token.Session, by auditlog.Actor, code string) error {
	return s.guarded(ctx, who, func(tx db.Tx, h Holder) error {
		if err := s.take(ctx, tx, h, code); err != nil {
			return err
		}
		return Drop(ctx, tx, by, h)
	})
}

// Drop switches a person's second factor off without a code, for who may handle his account. It returns ErrOff.
func Drop(ctx context.Context, tx db.Tx, by auditlog.Actor, h Holder) error {
	tag, err := tx.Exec(ctx, dropFactor, h.Subject)
	if err != nil {
		return fmt.Errorf("drop the second factor of %s: %w", h.Subject, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrOff
	}
	return auditlog.Record(ctx, tx, by, "second_factor_off", h.object(), nil, nil)
}

// Verify takes a code, or a recovery code, once. It returns ErrCode, or ErrOff.
func (s *Service) Verify(ctx context.Context, h Holder, code string) error {
	return s.in(ctx, h, func(tx db.Tx) error { return s.take(ctx, tx, h, code) })
}

// guarded counts a code as wrong before it is looked at: a session left open somewhere is no place to guess at.
func (s *Service) guarded(ctx context.Context, who token.Session, do func(tx db.Tx, h Holder) error) error {
	attempt := ratelimit.Attempt{Org: who.Org, Account: Account(who.Subject), Address: who.Address}
	if err := s.guesses.Try(ctx, attempt); err != nil {
		return err
	}
	h := HolderOf(who)
	if err := s.in(ctx, h, func(tx db.Tx) error { return do(tx, h) }); err != nil {
		return err // also where no code was looked at: what forgives must have cost a right one
	}
	return s.guesses.Succeeded(ctx, attempt)
}

// Account is what wrong codes of a person are counted by.
func Account(subject uuid.UUID) string { return "code:" + subject.String() }

type factor struct {
	secret     string
	countsFrom *time.Time
	usedStep   int64
}

// lock returns a person's factor, and lets the codes of one person follow one another. It returns ErrOff.
func (s *Service) lock(ctx context.Context, tx db.Tx, h Holder) (f factor, err error) {
	var sealed []byte
	err = tx.QueryRow(ctx, lockFactor, h.Subject).Scan(&sealed, &f.countsFrom, &f.usedStep)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, ErrOff
	}
	if err != nil {
		return f, fmt.Errorf("second factor of %s: %w", h.Subject, err)
	}
	plain, err := s.box.Open(at(tx, h), sealed)
	f.secret = string(plain)
	return f, err
}

func (s *Service) take(ctx context.Context, tx db.Tx, h Holder, code string) error {
	f, err := s.lock(ctx, tx, h)
	if err != nil {
		return err
	}
	if f.countsFrom == nil {
		return ErrOff
	}
	if code = normalized(code); len(code) != recoveryLength {
		return f.takeCode(ctx, tx, h, code)
	}
	tag, err := tx.Exec(ctx, useRecovery, h.Subject, token.Hash(code), tx.Now)
	if err == nil && tag.RowsAffected() == 0 {
		return ErrCode
	}
	return err
}

// takeCode takes a code of the app: of this step, the one before or the one after, and later than the newest that was taken.
func (f factor) takeCode(ctx context.Context, tx db.Tx, h Holder, code string) error {
	code = normalized(code)
	for at := tx.Now.Unix()/step - 1; at <= tx.Now.Unix()/step+1; at++ {
		good, err := hotp.ValidateCustom(code, uint64(at), f.secret, options) //nolint:gosec // a time after 1970
		if errors.Is(err, otp.ErrValidateInputInvalidLength) {
			return ErrCode
		}
		if err != nil {
			return fmt.Errorf("code of %s: %w", h.Subject, err)
		}
		if good && at > f.usedStep {
			_, err := tx.Exec(ctx, useStep, h.Subject, at)
			return err
		}
	}
	return ErrCode
}

// recoveryLength is that of a recovery code without its hyphen.
const recoveryLength = 12

// normalized is a code as it is compared: people type spaces and hyphens, and letters as they like.
func normalized(code string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

// newCode returns a recovery code of 60 random bits.
func newCode() string { return strings.ToLower(rand.Text()[:recoveryLength]) }

func renew(ctx context.Context, tx db.Tx, h Holder) (out Recovery, err error) {
	hashes := make([][]byte, recoveryCodes)
	for i := range hashes {
		plain := newCode()
		hashes[i] = token.Hash(plain)
		out.Codes = append(out.Codes, plain[:recoveryLength/2]+"-"+plain[recoveryLength/2:])
	}
	if _, err := tx.Exec(ctx, dropCodes, h.Subject); err != nil {
		return out, err
	}
	_, err = tx.Exec(ctx, insertCodes, h.Subject, hashes)
	return out, err
}
