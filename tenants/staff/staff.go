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
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
)

// Service knows the accounts.
type Service struct {
	db        *db.DB
	passwords *secret.Passwords
	recent    *cache.Cache[account, Person]
}

type account struct{ org, id uuid.UUID }

// An account that was found is believed for a second; each call asks for it.
const (
	believed  = time.Second
	maxRecent = 20_000
)

// New returns the service.
func New(d *db.DB, passwords *secret.Passwords) *Service {
	s := &Service{db: d, passwords: passwords, recent: cache.New[account, Person](believed, maxRecent, d.Now)}
	d.Subscribe(access.Topic, func(what string) {
		s.recent.DeleteFunc(func(a account, _ Person) bool { return db.Concerns(what, a.org) })
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

// Person is an account as the rights see it.
type Person struct {
	ID         uuid.UUID
	Name       string
	Picture    string
	Role       string
	Permission *uuid.UUID // of role user
	// HasPassword says that he signs in by a user name and a password; who has none signs in by LINE alone.
	HasPassword bool
	Username    string
}

// Set is the person's permission set, or uuid.Nil.
func (p Person) Set() uuid.UUID {
	if p.Permission == nil {
		return uuid.Nil
	}
	return *p.Permission
}

const (
	byUsername = `SELECT id, name, picture_url, role, permission_id, username, password_hash FROM staff WHERE username = $1 AND status = 5`
	byLINE     = `SELECT id, name, picture_url, role, permission_id, username, password_hash FROM staff WHERE line_sub = $1 AND status = 5`
	byID       = `SELECT id, name, picture_url, role, permission_id, username, password_hash FROM staff WHERE id = $1 AND status = 5`
	lock       = `SELECT FROM staff WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`
	insert     = `INSERT INTO staff (id, username, name, password_hash, role, permission_id, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, 5, $7, $7) ON CONFLICT (username) DO NOTHING`
)

// Lock queues the lock of accounts, in the order of their ids, until the transaction ends: what each of their owners does comes one after
// another.
func Lock(tx db.Tx, ids ...uuid.UUID) { tx.Queue(lock, ids) }

var passwordForm = regexp.MustCompile(`^[A-Za-z0-9]{4,72}$`)

// ValidPassword is the floor: what every organisation asks of a password.
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

// ByLINE finds the account that belongs to a LINE person. It returns ErrWrongPassword for a stranger.
func (s *Service) ByLINE(ctx context.Context, org uuid.UUID, subject string) (Person, error) {
	p, _, err := s.find(ctx, org, byLINE, subject)
	return p, err
}

// Person is the account of a session. It returns fault.NoSession when the account is no longer active. A change acts at once in
// the process that made it, within a moment in others, and within a second in a process that does not receive it.
func (s *Service) Person(ctx context.Context, who token.Session) (Person, error) {
	return s.recent.GetOrLoad(ctx, account{who.Org, who.Subject}, func(ctx context.Context) (Person, error) {
		p, _, err := s.find(ctx, who.Org, byID, who.Subject)
		if errors.Is(err, ErrWrongPassword) {
			return p, fault.NoSession
		}
		return p, err
	})
}

func (s *Service) find(ctx context.Context, org uuid.UUID, sql string, arg any) (p Person, hash string, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		return tx.QueryRow(ctx, sql, arg).Scan(&p.ID, &p.Name, &p.Picture, &p.Role, &p.Permission, &p.Username, &hash)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return p, "", ErrWrongPassword
	}
	if err != nil {
		return p, "", fmt.Errorf("find an account: %w", err)
	}
	p.HasPassword = hash != ""
	return p, hash, nil
}

// Invite is an account to be made.
type Invite struct {
	Username   string
	Name       string
	Password   string
	Role       string
	Permission *uuid.UUID
}

// Hash prepares an invite's password before its transaction, because it takes a while.
func (s *Service) Hash(ctx context.Context, password string) (string, error) {
	if !ValidPassword(password) {
		return "", fault.At("password", ErrPassword)
	}
	return s.passwords.Hash(ctx, password)
}

// Add makes an account with a password hashed before; a user name that exists is left as it is.
func Add(ctx context.Context, tx db.Tx, in Invite, hash string) error {
	if _, err := tx.Exec(ctx, insert, db.NewID(), in.Username, in.Name, hash, in.Role, in.Permission, tx.Now); err != nil {
		return fmt.Errorf("add the account %s: %w", in.Username, err)
	}
	return nil
}
