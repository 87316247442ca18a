// Package staff is the organisation's own people: owners, and staff who scan vouchers.
package staff

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/cache"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
)

// Service knows the accounts, and changes them and their permission sets.
type Service struct {
	db             *db.DB
	passwords      *secret.Passwords
	guesses        *ratelimit.SignInLimiter
	policy         func(ctx context.Context, org uuid.UUID) (string, error)
	revoke         func(ctx context.Context, org, subject uuid.UUID) error
	adminMayInvite func(ctx context.Context, admin uuid.UUID) (bool, error)
	recent         *cache.Cache[accountKey, Account]
}

type accountKey struct{ org, id uuid.UUID }

// How long an account that was found is used, and how many are kept: each call of the back office needs its own.
const (
	ttl       = time.Second
	maxRecent = 20_000
)

// New returns the service. policy is the organisation's password policy, spec or strong; revoke ends every session of a person;
// adminMayInvite reports whether an admin of the platform may invite people to an organisation.
func New(d *db.DB, passwords *secret.Passwords, guesses *ratelimit.SignInLimiter, policy func(ctx context.Context, org uuid.UUID) (string, error),
	revoke func(ctx context.Context, org, subject uuid.UUID) error, adminMayInvite func(ctx context.Context, admin uuid.UUID) (bool, error),
) *Service {
	s := &Service{
		db: d, passwords: passwords, guesses: guesses, policy: policy, revoke: revoke, adminMayInvite: adminMayInvite,
		recent: cache.New[accountKey, Account](ttl, maxRecent, d.Now),
	}
	d.Subscribe(access.Topic, func(what string) {
		s.recent.DeleteFunc(func(key accountKey, _ Account) bool { return db.Concerns(what, key.org) })
	})
	return s
}

// Faults of signing in and of passwords. ErrWrongPassword does not say whether the account exists.
var (
	ErrWrongPassword = fault.New(fault.Conflict, "staff.wrong_password", "The user name or password is wrong")
	ErrPassword      = fault.New(fault.Invalid, "field.password",
		"Password is invalid! Pattern A-Z , a-z , 0-9 and minimum length of 4 characters .")
)

// Roles that may do everything in their organisation. RoleUser needs a permission set.
const (
	RoleSuperAdmin = "superadmin"
	RoleAdmin      = "admin"
	RoleAdminOwner = "adminowner"
	RoleUser       = "user"
)

// Account is an account of the back office.
type Account struct {
	resource.Base
	Username   string     `json:"username" minLength:"3" maxLength:"60" pattern:"^[A-Za-z0-9._@-]+$"`
	Name       string     `json:"name" minLength:"1" maxLength:"80"`
	Role       string     `json:"role" enum:"superadmin,admin,adminowner,user"`
	Permission *uuid.UUID `json:"permission_id" nullable:"true" doc:"Of role user; the other roles may do everything"`
	Email      string     `json:"email,omitempty" required:"false" maxLength:"254" doc:"Where a link goes by which a lost password is set; empty if none is known"`
	Password   string     `json:"password,omitempty" writeOnly:"true" required:"false" maxLength:"72" doc:"For a new account, or to set another"`
	Factor     bool       `json:"second_factor" readOnly:"true" required:"false" doc:"Whether a code is asked for beside the password"`
	LINE       bool       `json:"line" readOnly:"true" required:"false" doc:"Whether a LINE account is linked"`
	Invited    *time.Time `json:"invited_until" readOnly:"true" required:"false" nullable:"true" doc:"How long the open invitation lasts; null when there is none"`
	// Picture is the person's at LINE. HasPassword says that he signs in by a user name and a password; who has none signs in by
	// LINE alone. Lists have neither, and the Service's accounts have no Invited.
	Picture     string `json:"-"`
	HasPassword bool   `json:"-"`
	hash        string // of Password
}

// Set returns the permission set, or uuid.Nil.
func (a Account) Set() uuid.UUID {
	if a.Permission == nil {
		return uuid.Nil
	}
	return *a.Permission
}

const (
	active = `SELECT id, status, created_at, updated_at, username, name, role, permission_id, line_sub IS NOT NULL, email, picture_url, password_hash
		FROM staff WHERE status = 5 AND `
	byUsername = active + `username = $1`
	byLINE     = active + `line_sub = $1`
	byID       = active + `id = $1`
	signable   = active + `(password_hash <> '' OR line_sub IS NOT NULL) ORDER BY id`
	lock       = `SELECT FROM staff WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`
	insert     = `INSERT INTO staff (id, username, name, password_hash, role, permission_id, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, 5, $7, $7) ON CONFLICT (username) DO NOTHING`
)

// Lock queues the lock of accounts, in the order of their ids, until the transaction ends, so that the actions of one account follow one
// another.
func Lock(tx db.Tx, ids ...uuid.UUID) { tx.Queue(lock, ids) }

var passwordForm = regexp.MustCompile(`^[A-Za-z0-9]{4,72}$`)

// ValidPassword reports whether a password meets the least that every organisation asks for.
func ValidPassword(s string) bool { return passwordForm.MatchString(s) }

// ByPassword finds the account behind a user name and password. It returns ErrWrongPassword otherwise, in the same time.
func (s *Service) ByPassword(ctx context.Context, org uuid.UUID, username, password string) (uuid.UUID, error) {
	p, hash, err := s.find(ctx, org, byUsername, username)
	if err != nil && !errors.Is(err, ErrWrongPassword) {
		return uuid.Nil, err
	}
	same, err := s.passwords.Matches(ctx, password, hash)
	if err != nil {
		return uuid.Nil, err
	}
	if !same {
		return uuid.Nil, ErrWrongPassword
	}
	return p.ID, nil
}

// Named returns the active account of a user name. It returns ErrWrongPassword where there is none.
func (s *Service) Named(ctx context.Context, org uuid.UUID, username string) (Account, error) {
	a, _, err := s.find(ctx, org, byUsername, username)
	return a, err
}

// ByLINE finds the account that belongs to a LINE person. It returns ErrWrongPassword for a stranger.
func (s *Service) ByLINE(ctx context.Context, org uuid.UUID, subject string) (Account, error) {
	p, _, err := s.find(ctx, org, byLINE, subject)
	return p, err
}

// Account is the account of a session. It returns fault.NoSession when the account is no longer active. A change acts at once in
// the process that made it, within a moment in others, and within a second in a process that does not receive it.
func (s *Service) Account(ctx context.Context, who token.Session) (Account, error) {
	return s.recent.GetOrLoad(ctx, accountKey{who.Org, who.Subject}, func(ctx context.Context) (Account, error) {
		p, _, err := s.find(ctx, who.Org, byID, who.Subject)
		if errors.Is(err, ErrWrongPassword) {
			return p, fault.NoSession
		}
		return p, err
	})
}

func (s *Service) find(ctx context.Context, org uuid.UUID, sql string, arg any) (a Account, hash string, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		return tx.QueryRow(ctx, sql, arg).Scan(&a.ID, &a.Status, &a.CreatedAt, &a.UpdatedAt, &a.Username, &a.Name, &a.Role, &a.Permission, &a.LINE, &a.Email, &a.Picture, &hash)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return a, "", ErrWrongPassword
	}
	if err != nil {
		return a, "", fmt.Errorf("find an account: %w", err)
	}
	a.HasPassword = hash != ""
	return a, hash, nil
}

// WhoCanSignIn returns the active accounts that somebody can sign in to.
func WhoCanSignIn(ctx context.Context, tx db.Tx) ([]Account, error) {
	rows, err := tx.Query(ctx, signable)
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a Account, err error) {
		err = row.Scan(&a.ID, &a.Status, &a.CreatedAt, &a.UpdatedAt, &a.Username, &a.Name, &a.Role, &a.Permission, &a.LINE, &a.Email, &a.Picture, &a.hash)
		a.HasPassword = a.hash != ""
		return a, err
	})
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	return list, nil
}

// Hash prepares a password for Add before the transaction, because it takes a while.
func (s *Service) Hash(ctx context.Context, password string) (string, error) {
	if !ValidPassword(password) {
		return "", fault.At("password", ErrPassword)
	}
	return s.passwords.Hash(ctx, password)
}

// Add makes an account with a password hashed before; a user name that exists is left as it is.
func Add(ctx context.Context, tx db.Tx, in Account, hash string) error {
	if _, err := tx.Exec(ctx, insert, db.NewID(), in.Username, in.Name, hash, in.Role, in.Permission, tx.Now); err != nil {
		return fmt.Errorf("add the account %s: %w", in.Username, err)
	}
	return nil
}
