package org

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/secondfactor"

	"go.uber.org/zap"
)

// Faults of changing admins.
var (
	ErrBeyond    = fault.New(fault.Forbidden, "admin.beyond_own_rights", "you cannot give rights that you do not have")
	ErrSelf      = fault.New(fault.Forbidden, "admin.own_account", "you cannot change your own rights")
	ErrLastSuper = fault.New(fault.Conflict, "admin.last_superadmin", "an admin with all rights must remain")
)

// RoleAdmin has the letters of its permission.
const RoleAdmin = "admin"

// Statuses of an admin.
const (
	adminInvited   int16 = 1
	adminSuspended int16 = 4
	adminActive    int16 = 5
)

// AdminRow is an admin as admins list each other.
type AdminRow struct {
	ID         uuid.UUID                 `json:"id"`
	Username   string                    `json:"username"`
	Name       string                    `json:"name"`
	Email      string                    `json:"email" doc:"Empty if none is known"`
	Role       string                    `json:"role" enum:"superadmin,admin"`
	Permission map[string]access.Letters `json:"permission_admin" doc:"Of role admin: module to letters v, i, u, a"`
	LINE       bool                      `json:"line" doc:"Whether a LINE account is linked"`
	Factor     bool                      `json:"second_factor" doc:"Whether a code is asked for beside the password"`
	State      string                    `json:"state" enum:"invited,active,suspended"`
	Invited    *time.Time                `json:"invited_until" nullable:"true" doc:"UTC; how long the open link to set a password lasts; null when there is none"`
	SignedIn   *time.Time                `json:"signed_in_at" nullable:"true" doc:"UTC; when he signed in last"`
}

// AdminSignIn is a sign-in of an admin, or one that was refused.
type AdminSignIn struct {
	At      time.Time `json:"at" doc:"UTC"`
	Way     string    `json:"way" enum:"password,line,invitation,link"`
	Fault   string    `json:"fault" doc:"Why it was refused; empty if it was not"`
	Address string    `json:"address"`
}

// AdminInput is what one admin may change of another.
type AdminInput struct {
	Name       string                    `json:"name" minLength:"1" maxLength:"80"`
	Email      string                    `json:"email" maxLength:"254"`
	Role       string                    `json:"role" enum:"superadmin,admin"`
	Permission map[string]access.Letters `json:"permission_admin" doc:"Of role admin: module to letters v, i, u, a; v is in each that has any"`
}

const (
	adminRows = `SELECT a.id, a.username, a.name, a.email, a.role, a.permission, a.line_sub IS NOT NULL,
			EXISTS (SELECT FROM second_factor f WHERE f.subject_id = a.id AND f.counts_from IS NOT NULL), a.status,
			(SELECT i.expires_at FROM admin_invitation i WHERE i.admin_id = a.id AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2),
			(SELECT max(s.at) FROM admin_sign_in s WHERE s.admin_id = a.id AND s.fault = '')
		FROM admin a WHERE $1::uuid IS NULL OR a.id = $1 ORDER BY a.status DESC, a.name, a.id LIMIT 1000`
	lockAdmin     = `SELECT name, email, role, permission, status FROM admin WHERE id = $1 FOR UPDATE`
	lockEditor    = `SELECT role, permission FROM admin WHERE id = $1 AND status = 5 FOR SHARE`
	updateAdmin   = `UPDATE admin SET name = $2, email = $3, role = $4, permission = $5 WHERE id = $1`
	setStatus     = `UPDATE admin SET status = $2 WHERE id = $1`
	superLeft     = `SELECT id FROM admin WHERE status = 5 AND role = 'superadmin' ORDER BY id FOR UPDATE`
	recordByName  = `INSERT INTO admin_sign_in (id, admin_id, at, way, fault, address) SELECT $1, a.id, $3, $4, $5, $6 FROM admin a WHERE a.username = $2`
	recordByID    = `INSERT INTO admin_sign_in (id, admin_id, at, way, fault, address) VALUES ($1, $2, $3, $4, $5, $6)`
	signInsOf     = `SELECT at, way, fault, address FROM admin_sign_in WHERE admin_id = $1 ORDER BY id DESC LIMIT 50`
	sweepSignIns  = `DELETE FROM admin_sign_in WHERE at < $1`
	signInsFor    = 180 * 24 * time.Hour
	adminObject   = "admin/"
	maxAddressLen = 60
)

// Admins lists all admins: those who are active first.
func (s *Admins) Admins(ctx context.Context) ([]AdminRow, error) { return s.rows(ctx, nil) }

// Row returns one admin. It returns fault.Missing if there is none.
func (s *Admins) Row(ctx context.Context, id uuid.UUID) (AdminRow, error) {
	list, err := s.rows(ctx, &id)
	if err == nil && len(list) == 0 {
		err = fault.Missing
	}
	if err != nil {
		return AdminRow{}, err
	}
	return list[0], nil
}

func (s *Admins) rows(ctx context.Context, id *uuid.UUID) (list []AdminRow, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, adminRows, id, tx.Now)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (a AdminRow, err error) {
			var status int16
			err = row.Scan(&a.ID, &a.Username, &a.Name, &a.Email, &a.Role, &a.Permission, &a.LINE, &a.Factor, &status, &a.Invited, &a.SignedIn)
			a.State = map[int16]string{adminInvited: "invited", adminActive: "active"}[status]
			if a.State == "" {
				a.State = "suspended"
			}
			return a, err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list admins: %w", err)
	}
	return list, nil
}

// SignIns returns the last sign-ins of an admin, newest first, those that were refused among them.
func (s *Admins) SignIns(ctx context.Context, id uuid.UUID) (list []AdminSignIn, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, signInsOf, id)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[AdminSignIn])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sign-ins of admin %s: %w", id, err)
	}
	return list, nil
}

// RecordSignIn keeps that an admin of a user name signed in, or that it was refused: by which fault. It keeps nothing of a name that nobody has.
func (s *Admins) RecordSignIn(ctx context.Context, username, way, refused, address string) error {
	return s.record(ctx, recordByName, username, way, refused, address)
}

// RecordSignInOf keeps that an admin signed in, or that it was refused.
func (s *Admins) RecordSignInOf(ctx context.Context, id uuid.UUID, way, refused, address string) error {
	return s.record(ctx, recordByID, id, way, refused, address)
}

func (s *Admins) record(ctx context.Context, sql string, who any, way, refused, address string) error {
	if len(address) > maxAddressLen {
		address = address[:maxAddressLen]
	}
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, db.NewID(), who, tx.Now, way, refused, address)
		return err
	})
	if err != nil {
		return fmt.Errorf("record a sign-in of an admin: %w", err)
	}
	return nil
}

// SweepSignIns deletes sign-ins of more than 180 days ago; the scheduler calls it once a day.
func (s *Admins) SweepSignIns(ctx context.Context) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, sweepSignIns, tx.Now.Add(-signInsFor))
		return err
	})
}

// account is an admin as he is in the transaction of a change.
type account struct {
	Name       string            `json:"name"`
	Email      string            `json:"email"`
	Role       string            `json:"role"`
	Permission map[string]string `json:"permission_admin"`
	Status     int16             `json:"status"`
}

func readAccount(ctx context.Context, tx db.Tx, id uuid.UUID) (a account, err error) {
	err = tx.QueryRow(ctx, lockAdmin, id).Scan(&a.Name, &a.Email, &a.Role, &a.Permission, &a.Status)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, fault.Missing
	}
	if err != nil {
		return a, fmt.Errorf("admin %s: %w", id, err)
	}
	return a, nil
}

// editor is the admin who changes another one, as he is in the transaction of the change.
type editor struct {
	id         uuid.UUID
	role       string
	permission map[string]string
}

// MayInviteStaff reports whether an admin is active, and may add people to an organisation's office.
func (s *Admins) MayInviteStaff(ctx context.Context, id uuid.UUID) (may bool, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		e, err := readEditor(ctx, tx, id)
		if errors.Is(err, fault.NoSession) {
			return nil
		}
		may = err == nil && access.AdminCan(e.role, e.permission, "staff", access.Add)
		return err
	})
	return may, err
}

func readEditor(ctx context.Context, tx db.Tx, id uuid.UUID) (editor, error) {
	e := editor{id: id}
	err := tx.QueryRow(ctx, lockEditor, id).Scan(&e.role, &e.permission)
	if errors.Is(err, pgx.ErrNoRows) {
		return e, fault.NoSession
	}
	if err != nil {
		return e, fmt.Errorf("who asks: %w", err)
	}
	return e, nil
}

// mayHandle refuses an admin above the one who asks, in what he is or shall become: nobody gives what he does not have.
func (e editor) mayHandle(role string, permission map[string]string) error {
	if e.role == RoleSuperAdmin {
		return nil
	}
	if role == RoleSuperAdmin {
		return ErrBeyond
	}
	for module, letters := range permission {
		for _, letter := range letters {
			if !access.AdminCan(e.role, e.permission, module, string(letter)) {
				return ErrBeyond
			}
		}
	}
	return nil
}

// permission returns the letters as the table has them: sorted, and none for who has all rights. It returns fault.BadInput for a module or a
// letter that there is not, and for letters without v, by which nobody would see what he changes.
func (in AdminInput) permission() (map[string]string, error) {
	out := map[string]string{}
	if in.Role == RoleSuperAdmin {
		return out, nil
	}
	for _, module := range slices.Sorted(maps.Keys(in.Permission)) {
		if !slices.ContainsFunc(AdminModules, func(m access.Module) bool { return m.Name == module }) {
			return nil, fault.At("permission_admin", fault.Unknown)
		}
		given := strings.Join(in.Permission[module], "")
		if strings.Trim(given, access.AdminLetters) != "" || (given != "" && !strings.Contains(given, access.See)) {
			return nil, fault.At("permission_admin."+module, fault.NotInList)
		}
		sorted := strings.Map(func(letter rune) rune {
			if strings.ContainsRune(given, letter) {
				return letter
			}
			return -1
		}, access.AdminLetters)
		if sorted != "" {
			out[module] = sorted
		}
	}
	return out, nil
}

// Save changes an admin. His rights are other ones with his next call. It returns fault.BadInput, fault.Missing, ErrBeyond, ErrSelf or ErrLastSuper.
func (s *Admins) Save(ctx context.Context, who auditlog.Actor, id uuid.UUID, in AdminInput) error {
	permission, err := in.permission()
	if err != nil {
		return err
	}
	if err := validEmail(in.Email); err != nil {
		return err
	}
	return s.change(ctx, who, id, func(tx db.Tx, e editor, before account) error {
		after := account{in.Name, in.Email, in.Role, permission, before.Status}
		if id == who.ID && (before.Role != after.Role || !maps.Equal(before.Permission, after.Permission)) {
			return ErrSelf
		}
		if err := e.mayHandle(after.Role, after.Permission); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, updateAdmin, id, after.Name, after.Email, after.Role, after.Permission); err != nil {
			return fmt.Errorf("save admin %s: %w", id, err)
		}
		return auditlog.Record(ctx, tx, who, "change", adminObject+id.String(), before, after)
	})
}

// Suspend keeps an admin out, and ends his sessions. It returns fault.Missing, ErrBeyond, ErrSelf or ErrLastSuper.
func (s *Admins) Suspend(ctx context.Context, who auditlog.Actor, id uuid.UUID) error {
	return s.change(ctx, who, id, func(tx db.Tx, _ editor, before account) error {
		if id == who.ID {
			return ErrSelf
		}
		if before.Status == adminSuspended {
			return nil
		}
		if _, err := tx.Exec(ctx, setStatus, id, adminSuspended); err != nil {
			return fmt.Errorf("suspend admin %s: %w", id, err)
		}
		if _, err := tx.Exec(ctx, revokeInvitation, id, tx.Now); err != nil {
			return fmt.Errorf("invitation of admin %s: %w", id, err)
		}
		s.endSessions(tx, id)
		return auditlog.Record(ctx, tx, who, "suspend", adminObject+id.String(), nil, nil)
	})
}

// Resume lets a suspended admin in again, with the password that he had. It returns fault.Missing or ErrBeyond.
func (s *Admins) Resume(ctx context.Context, who auditlog.Actor, id uuid.UUID) error {
	return s.change(ctx, who, id, func(tx db.Tx, _ editor, before account) error {
		if before.Status != adminSuspended {
			return nil
		}
		if _, err := tx.Exec(ctx, setStatus, id, adminActive); err != nil {
			return fmt.Errorf("resume admin %s: %w", id, err)
		}
		return auditlog.Record(ctx, tx, who, "resume", adminObject+id.String(), nil, nil)
	})
}

// DropSecondFactor switches the second factor of an admin off who has lost his phone. It returns fault.Missing, ErrBeyond, ErrSelf or secondfactor.ErrOff.
func (s *Admins) DropSecondFactor(ctx context.Context, who auditlog.Actor, id uuid.UUID) error {
	return s.change(ctx, who, id, func(tx db.Tx, _ editor, _ account) error {
		if id == who.ID {
			return ErrSelf // with a code, as everybody does for himself
		}
		return secondfactor.Drop(ctx, tx, who, secondfactor.Holder{Subject: id})
	})
}

// RequireMayHandle returns an error unless one admin may change another: fault.Missing or ErrBeyond.
func (s *Admins) RequireMayHandle(ctx context.Context, who auditlog.Actor, id uuid.UUID, action string) error {
	return s.change(ctx, who, id, func(tx db.Tx, _ editor, _ account) error {
		return auditlog.Record(ctx, tx, who, action, adminObject+id.String(), nil, nil)
	})
}

// change runs a change of an admin by another one who may handle him, and fails if nobody would be left who may do everything.
func (s *Admins) change(ctx context.Context, who auditlog.Actor, id uuid.UUID, run func(tx db.Tx, e editor, before account) error) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, superLeft); err != nil { // changes of admins follow one another
			return fmt.Errorf("admins with all rights: %w", err)
		}
		e, err := readEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		before, err := readAccount(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := e.mayHandle(before.Role, before.Permission); err != nil {
			return err
		}
		if err := run(tx, e, before); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, superLeft)
		if err != nil {
			return fmt.Errorf("admins with all rights: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return ErrLastSuper
		}
		return nil
	})
}

// endSessions signs an admin out once the change is committed. If that fails, who is suspended is refused all the same.
func (s *Admins) endSessions(tx db.Tx, id uuid.UUID) {
	tx.AfterCommit(func(ctx context.Context) {
		if err := s.revoke(context.WithoutCancel(ctx), uuid.Nil, id); err != nil {
			log.From(ctx).Error("sessions were not revoked", zap.Stringer("admin", id), zap.Error(err))
		}
	})
}
