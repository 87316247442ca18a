package org

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
)

// Admins are the platform's own accounts, in no organisation.
type Admins struct {
	db        *db.DB
	passwords *secret.Passwords
	sender    mail.Sender
	revoke    func(ctx context.Context, org, subject uuid.UUID) error
}

// NewAdmins returns the service. revoke ends every session of a person; the organisation of an admin is uuid.Nil.
func NewAdmins(d *db.DB, passwords *secret.Passwords, sender mail.Sender, revoke func(ctx context.Context, org, subject uuid.UUID) error) *Admins {
	return &Admins{db: d, passwords: passwords, sender: sender, revoke: revoke}
}

// Faults of admin accounts.
var (
	ErrWrongPassword = fault.New(fault.Conflict, "admin.wrong_password", "The user name or password is wrong")
	ErrLINE          = fault.New(fault.Conflict, "admin.line_unknown", "this LINE account is not linked to an admin")
	ErrLineTaken     = fault.New(fault.Conflict, "admin.line_taken", "this LINE account belongs to another admin")
	ErrLinked        = fault.New(fault.Conflict, "admin.line_linked", "a LINE account is linked already")
	ErrWeak          = fault.New(fault.Invalid, "field.password_weak", "A password of the platform needs at least 10 characters")
)

// RoleSuperAdmin may do everything on the platform.
const RoleSuperAdmin = "superadmin"

// Admin is an account as the rights see it.
type Admin struct {
	ID         uuid.UUID         `json:"id"`
	Username   string            `json:"username"`
	Name       string            `json:"name"`
	Role       string            `json:"role"`
	Permission map[string]string `json:"permission_admin" doc:"Module to letters v, i, u, a"`
	LINE       bool              `json:"line" doc:"Whether a LINE account is linked"`
	Email      string            `json:"-"`
}

const (
	adminByName = `SELECT id, username, name, role, permission, line_sub IS NOT NULL, email, password_hash FROM admin WHERE username = $1 AND status = 5`
	adminByID   = `SELECT id, username, name, role, permission, line_sub IS NOT NULL, email, password_hash FROM admin WHERE id = $1 AND status = 5`
	adminByLINE = `SELECT id, username, name, role, permission, line_sub IS NOT NULL, email, password_hash FROM admin WHERE line_sub = $1 AND status = 5`
	setLost     = `UPDATE admin SET password_hash = $2 WHERE id = $1 AND status = 5`
	linkAdmin   = `UPDATE admin SET line_sub = $2 WHERE id = $1 AND status = 5 AND line_sub IS NULL`
	unlinkAdmin = `UPDATE admin SET line_sub = NULL WHERE id = $1 AND status = 5`
	insertAdmin = `INSERT INTO admin (id, username, name, password_hash, role, status, created_at) VALUES ($1, $2, $3, $4, $5, 5, $6)
		ON CONFLICT (username) DO NOTHING`
)

// minStrong is the strong policy's length, the default for platform admins.
const minStrong = 10

// ErrTaken is for the operator alone, whose command has no field to name.
var ErrTaken = errors.New("an admin of this user name is there already; nothing was changed")

// Add makes a superadmin. It returns ErrWeak for a short password, and ErrTaken.
func (s *Admins) Add(ctx context.Context, username, name, password string) error {
	if len(password) < minStrong {
		return ErrWeak
	}
	hash, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, insertAdmin, db.NewID(), username, name, hash, RoleSuperAdmin, tx.Now)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrTaken
		}
		return err
	})
}

// ByPassword finds the account behind a user name and password. It returns ErrWrongPassword otherwise, in the same time.
func (s *Admins) ByPassword(ctx context.Context, username, password string) (uuid.UUID, error) {
	a, hash, err := s.find(ctx, adminByName, username)
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
	return a.ID, nil
}

// Named returns the account of a user name. It returns ErrWrongPassword where there is none.
func (s *Admins) Named(ctx context.Context, username string) (Admin, error) {
	a, _, err := s.find(ctx, adminByName, username)
	return a, err
}

// SetLostPassword sets the password of an account whose person has shown who he is by a link, and ends its sessions. use ends the link. It returns
// ErrWeak, and fault.NoSession for an account that may not sign in.
func (s *Admins) SetLostPassword(ctx context.Context, id uuid.UUID, password, request string, use func(ctx context.Context) error) error {
	if len(password) < minStrong {
		return fault.At("password", ErrWeak)
	}
	hash, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	if err := use(ctx); err != nil {
		return err
	}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, setLost, id, hash)
		if err != nil {
			return fmt.Errorf("password of admin %s: %w", id, err)
		}
		if tag.RowsAffected() == 0 {
			return fault.NoSession
		}
		return auditlog.Record(ctx, tx, auditlog.Actor{Kind: token.Admin, ID: id, Request: request}, "lost_password", adminObject+id.String(), nil, nil)
	})
	if err != nil {
		return err
	}
	return s.revoke(ctx, uuid.Nil, id)
}

// ByLINE finds the account that a LINE person has linked to himself. It returns ErrLINE for a stranger.
func (s *Admins) ByLINE(ctx context.Context, subject string) (Admin, error) {
	a, _, err := s.find(ctx, adminByLINE, subject)
	if errors.Is(err, ErrWrongPassword) {
		return a, ErrLINE
	}
	return a, err
}

// LinkLINE lets an admin sign in by LINE from now on. It returns ErrLinked when he does already, ErrLineTaken when the
// LINE person is another admin, and fault.NoSession when the account is no longer active.
func (s *Admins) LinkLINE(ctx context.Context, id uuid.UUID, subject, request string) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, linkAdmin, id, subject)
		if db.Constraint(err) == "admin_line_sub" {
			return ErrLineTaken
		}
		if err != nil {
			return fmt.Errorf("link LINE to admin %s: %w", id, err)
		}
		if tag.RowsAffected() == 0 {
			return s.whyNotLinked(ctx, tx, id)
		}
		return auditlog.Record(ctx, tx, auditlog.Actor{Kind: token.Admin, ID: id, Request: request}, "link_line", "admin/"+id.String(), nil, nil)
	})
}

func (s *Admins) whyNotLinked(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	_, _, err := readAdmin(tx.QueryRow(ctx, adminByID, id))
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.NoSession
	}
	if err != nil {
		return err
	}
	return ErrLinked
}

// UnlinkLINE ends that an admin may sign in by LINE; his password stays.
func (s *Admins) UnlinkLINE(ctx context.Context, who auditlog.Actor) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, unlinkAdmin, who.ID); err != nil {
			return fmt.Errorf("unlink LINE from admin %s: %w", who.ID, err)
		}
		return auditlog.Record(ctx, tx, who, "unlink_line", "admin/"+who.ID.String(), nil, nil)
	})
}

// Admin is the account of a session. It returns fault.NoSession when it is no longer active.
func (s *Admins) Admin(ctx context.Context, who token.Session) (Admin, error) {
	a, _, err := s.find(ctx, adminByID, who.Subject)
	if errors.Is(err, ErrWrongPassword) {
		return a, fault.NoSession
	}
	return a, err
}

func (s *Admins) find(ctx context.Context, sql string, arg any) (a Admin, hash string, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		a, hash, err = readAdmin(tx.QueryRow(ctx, sql, arg))
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return a, "", ErrWrongPassword
	}
	if err != nil {
		return a, "", fmt.Errorf("find an admin: %w", err)
	}
	return a, hash, nil
}

func readAdmin(row pgx.Row) (a Admin, hash string, err error) {
	err = row.Scan(&a.ID, &a.Username, &a.Name, &a.Role, &a.Permission, &a.LINE, &a.Email, &hash)
	return a, hash, err
}
