package org

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/token"
)

// ErrInvitation says that a link sets no password: it is unknown, used, taken back or over, or who made it may no longer handle its account.
var ErrInvitation = fault.New(fault.NotFound, "admin.invitation", "this link is not valid any more")

// adminInvitationLifetime is how long a link may be used.
const adminInvitationLifetime = 72 * time.Hour

// NewAdmin is an admin who is to be invited.
type NewAdmin struct {
	Username string `json:"username" minLength:"3" maxLength:"60" pattern:"^[A-Za-z0-9._@-]+$"`
	AdminInput
}

// AdminInvited is a link by which a person sets a password. Its token is shown once; only its hash is kept.
type AdminInvited struct {
	ID        uuid.UUID
	Token     string
	ExpiresAt time.Time
	Name      string
	Email     string
}

// AdminInvitation is shown to who holds a link.
type AdminInvitation struct {
	Username  string    `json:"username"`
	Name      string    `json:"name"`
	ExpiresAt time.Time `json:"expires_at" doc:"UTC"`
}

const (
	insertInvited = `INSERT INTO admin (id, username, name, email, role, permission, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, 1, $7)
		ON CONFLICT (username) DO NOTHING`
	insertInvitation = `INSERT INTO admin_invitation (id, admin_id, token_hash, added_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`
	revokeInvitation = `UPDATE admin_invitation SET revoked_at = $2 WHERE admin_id = $1 AND used_at IS NULL AND revoked_at IS NULL`
	findInvitation   = `SELECT i.id, i.admin_id, i.added_by, i.expires_at, a.username, a.name, a.role, a.permission
		FROM admin_invitation i JOIN admin a ON a.id = i.admin_id
		WHERE i.token_hash = $1 AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2 AND a.status IN (1, 5) FOR UPDATE OF i`
	useInvitation    = `UPDATE admin_invitation SET used_at = $2 WHERE id = $1`
	setAdminPassword = `UPDATE admin SET password_hash = $2, status = 5 WHERE id = $1`
)

func validEmail(email string) error {
	if email != "" && !mail.ValidAddress(email) {
		return fault.At("email", mail.ErrAddress)
	}
	return nil
}

// invitationMails are the sentences of an invitation's e-mail, by language: subject, text.
var invitationMails = map[string][2]string{
	"th": {
		"ตั้งรหัสผ่านของผู้ดูแลแพลตฟอร์ม We Love Voucher",
		"สวัสดี %s\n\nเปิดลิงก์นี้เพื่อตั้งรหัสผ่านและเข้าสู่ระบบผู้ดูแล ใช้ได้ครั้งเดียวภายใน 72 ชั่วโมง\n\n%s\n\nถ้าไม่ได้คาดว่าจะได้รับอีเมลนี้ ไม่ต้องทำอะไร\n",
	},
	"en": {
		"Set your password as an admin of We Love Voucher",
		"Hello %s\n\nOpen this link to set a password and sign in to the administration. It works once, within 72 hours.\n\n%s\n\nIf you did not expect this e-mail, there is nothing to do.\n",
	},
}

// MailInvitation sends a link to its admin's address. It returns false where he has none, or no mail server is configured.
func (s *Admins) MailInvitation(ctx context.Context, made AdminInvited, url, lang string) (bool, error) {
	if made.Email == "" || !s.sender.Ready() {
		return false, nil
	}
	words := invitationMails[lang]
	err := s.sender.Send(ctx, mail.Message{
		Key: db.NewID(), Sender: "We Love Voucher", To: made.Email, Subject: words[0], Text: fmt.Sprintf(words[1], made.Name, url),
	})
	return err == nil, err
}

// Invite adds an admin who can sign in once he has set a password by the link. It returns fault.BadInput or ErrBeyond.
func (s *Admins) Invite(ctx context.Context, who auditlog.Actor, in NewAdmin) (out AdminInvited, err error) {
	permission, err := in.permission()
	if err != nil {
		return out, err
	}
	if err := validEmail(in.Email); err != nil {
		return out, err
	}
	id := db.NewID()
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		e, err := readEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		if err := e.mayHandle(in.Role, permission); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insertInvited, id, in.Username, in.Name, in.Email, in.Role, permission, tx.Now)
		if err != nil {
			return fmt.Errorf("invite an admin: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.At("username", fault.Duplicate)
		}
		after := account{in.Name, in.Email, in.Role, permission, adminInvited}
		if err := auditlog.Record(ctx, tx, who, "invite", adminObject+id.String(), nil, after); err != nil {
			return err
		}
		out, err = addInvitation(ctx, tx, who.ID, id, after)
		return err
	})
	return out, err
}

// InviteAgain makes another link for an admin, and takes back the one that is open: to join, or to set another password. It returns
// fault.Missing or ErrBeyond.
func (s *Admins) InviteAgain(ctx context.Context, who auditlog.Actor, id uuid.UUID) (out AdminInvited, err error) {
	err = s.change(ctx, who, id, func(tx db.Tx, _ editor, of account) error {
		if of.Status == adminSuspended {
			return fault.Missing
		}
		if _, err := tx.Exec(ctx, revokeInvitation, id, tx.Now); err != nil {
			return fmt.Errorf("invitation of admin %s: %w", id, err)
		}
		if err := auditlog.Record(ctx, tx, who, "invite", adminObject+id.String(), nil, nil); err != nil {
			return err
		}
		out, err = addInvitation(ctx, tx, who.ID, id, of)
		return err
	})
	return out, err
}

func addInvitation(ctx context.Context, tx db.Tx, by, id uuid.UUID, of account) (AdminInvited, error) {
	out := AdminInvited{ID: id, Token: token.Random(32), ExpiresAt: tx.Now.Add(adminInvitationLifetime), Name: of.Name, Email: of.Email}
	if _, err := tx.Exec(ctx, insertInvitation, db.NewID(), id, token.Hash(out.Token), by, tx.Now, out.ExpiresAt); err != nil {
		return out, fmt.Errorf("invitation of admin %s: %w", id, err)
	}
	return out, nil
}

// TakeBackInvitation makes the open link of an admin worthless. It returns fault.Missing or ErrBeyond.
func (s *Admins) TakeBackInvitation(ctx context.Context, who auditlog.Actor, id uuid.UUID) error {
	return s.change(ctx, who, id, func(tx db.Tx, _ editor, _ account) error {
		if _, err := tx.Exec(ctx, revokeInvitation, id, tx.Now); err != nil {
			return fmt.Errorf("invitation of admin %s: %w", id, err)
		}
		return auditlog.Record(ctx, tx, who, "take_back", adminObject+id.String(), nil, nil)
	})
}

type adminInvitation struct {
	id, admin uuid.UUID
	AdminInvitation
}

// readInvitation returns a link that may be used: by who made it, as he and the account are now.
func readInvitation(ctx context.Context, tx db.Tx, plain string) (i adminInvitation, err error) {
	var by uuid.UUID
	var role string
	var permission map[string]string
	err = tx.QueryRow(ctx, findInvitation, token.Hash(plain), tx.Now).Scan(&i.id, &i.admin, &by, &i.ExpiresAt, &i.Username, &i.Name, &role, &permission)
	if errors.Is(err, pgx.ErrNoRows) {
		return i, ErrInvitation
	}
	if err != nil {
		return i, fmt.Errorf("find an invitation: %w", err)
	}
	e, err := readEditor(ctx, tx, by)
	if err == nil {
		err = e.mayHandle(role, permission)
	}
	if errors.Is(err, fault.NoSession) || errors.Is(err, ErrBeyond) {
		return i, ErrInvitation
	}
	return i, err
}

// Invitation shows a link to who holds it. It returns ErrInvitation.
func (s *Admins) Invitation(ctx context.Context, plain string) (AdminInvitation, error) {
	var found adminInvitation
	err := s.db.InPlatform(ctx, func(tx db.Tx) (err error) {
		found, err = readInvitation(ctx, tx, plain)
		return err
	})
	return found.AdminInvitation, err
}

// Join sets the password of a link's account, once, and ends the sessions of whoever signed in to it before. It returns ErrWeak or
// ErrInvitation.
func (s *Admins) Join(ctx context.Context, plain, password, request string) (id uuid.UUID, err error) {
	if len(password) < minStrong {
		return id, fault.At("password", ErrWeak)
	}
	hash, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return id, err
	}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		found, err := readInvitation(ctx, tx, plain)
		if err != nil {
			return err
		}
		id = found.admin
		if _, err := tx.Exec(ctx, setAdminPassword, id, hash); err != nil {
			return fmt.Errorf("password of admin %s: %w", id, err)
		}
		if _, err := tx.Exec(ctx, useInvitation, found.id, tx.Now); err != nil {
			return fmt.Errorf("use an invitation: %w", err)
		}
		return auditlog.Record(ctx, tx, auditlog.Actor{Kind: token.Admin, ID: id, Request: request}, "join", adminObject+id.String(), nil, nil)
	})
	if err != nil {
		return uuid.Nil, err
	}
	return id, s.revoke(ctx, uuid.Nil, id)
}
