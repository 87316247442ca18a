package staff

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// Faults of invitations. ErrInvitation is the same for an unknown token and one of another organisation, nor from one
// that was taken back.
var (
	ErrInvitation        = fault.New(fault.NotFound, "invitation.not_found", "this invitation is not valid")
	ErrInvitationUsed    = fault.New(fault.Conflict, "invitation.used", "this invitation has been used")
	ErrInvitationExpired = fault.New(fault.Conflict, "invitation.expired", "this invitation has expired")
	ErrLineTaken         = fault.New(fault.Conflict, "staff.line_taken", "this LINE account belongs to another account here")
)

// invitationLifetime is how long a link may be used: the cookie that keeps it lasts longer.
const invitationLifetime = 72 * time.Hour

// InviteInput asks for a link that joins a LINE person to an account: to a new one, or to one that exists.
type InviteInput struct {
	Account    *uuid.UUID     `json:"staff_id,omitempty" nullable:"true" doc:"An account that exists; the other fields of the person are then left out"`
	Name       string         `json:"name,omitempty" maxLength:"80"`
	Role       string         `json:"role,omitempty" enum:"superadmin,admin,adminowner,user"`
	Permission *uuid.UUID     `json:"permission_id,omitempty" nullable:"true" doc:"Of role user"`
	Area       token.Audience `json:"area" enum:"owner,staff" doc:"Where the person goes: the back office, or scanning"`
}

// PlatformInviteInput asks for a link by which a person joins an organisation's office, with all rights: which of its permission sets somebody has
// is the organisation's own matter.
type PlatformInviteInput struct {
	Name string `json:"name" minLength:"1" maxLength:"80"`
	Role string `json:"role" enum:"superadmin,admin,adminowner"`
}

// Invited is an invitation as it is handed out. Token is shown once; only its hash is kept.
type Invited struct {
	Account   uuid.UUID
	Token     string
	ExpiresAt time.Time
}

// Invitation is shown to an invited person before he signs in.
type Invitation struct {
	Name      string         `json:"name" doc:"As the organisation knows the person"`
	Area      token.Audience `json:"area" enum:"owner,staff"`
	ExpiresAt time.Time      `json:"expires_at"`
}

// Joined is the account that an invitation led to, and where its person goes.
type Joined struct {
	Account uuid.UUID
	Area    token.Audience
}

const (
	setPending      = `UPDATE staff SET status = 1 WHERE id = $1`
	revokeOpen      = `UPDATE staff_invitation SET revoked_at = $2 WHERE staff_id = $1 AND used_at IS NULL AND revoked_at IS NULL`
	insertInvite    = `INSERT INTO staff_invitation (id, token_hash, staff_id, area, invited_by, invited_by_admin, created_at, expires_at) VALUES ($1, $2, $3, $4, CASE WHEN $6 THEN NULL ELSE $5::uuid END, CASE WHEN $6 THEN $5::uuid END, $7, $8)`
	adminOfInvite   = `SELECT invited_by_admin FROM staff_invitation WHERE token_hash = $1`
	inviteColumns   = `SELECT i.id, i.staff_id, i.area, i.expires_at, i.used_at, i.revoked_at, i.invited_by, s.name, s.status, s.role, s.permission_id FROM staff_invitation i JOIN staff s ON s.id = i.staff_id WHERE i.token_hash = $1`
	lockInvite      = inviteColumns + ` FOR UPDATE OF i, s`
	freeLINE        = `UPDATE staff SET line_sub = NULL WHERE line_sub = $1 AND status = 9`
	linkLINE        = `UPDATE staff SET line_sub = $2, picture_url = CASE WHEN $3 = '' THEN picture_url ELSE $3 END, status = 5, updated_at = $4 WHERE id = $1`
	useInvite       = `UPDATE staff_invitation SET used_at = $2 WHERE id = $1 AND used_at IS NULL`
	lineTakenByName = "staff_line_sub"
)

// InvitationUnique is the unique of the organisation that an invitation's token names. Nothing is proved by it.
func InvitationUnique(plain string) string {
	unique, _, _ := strings.Cut(plain, ".")
	return unique
}

// Invite makes a link for a new account, or for one that exists; an older open link of that account is taken back. A new
// account is pending until the link is used. unique is the organisation's. It returns the faults of SaveAccount.
func (s *Service) Invite(ctx context.Context, org uuid.UUID, unique string, who auditlog.Actor, in InviteInput) (out Invited, err error) {
	return s.makeLink(ctx, org, unique, who, in.Area, func(tx db.Tx) (uuid.UUID, error) {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return uuid.Nil, err
		}
		if in.Account != nil {
			return s.again(ctx, tx, asks, *in.Account)
		}
		if err := asks.mayHandle(ctx, tx, in.Role, in.Permission); err != nil {
			return uuid.Nil, err
		}
		return addInvited(ctx, tx, who, Account{Name: in.Name, Role: in.Role, Permission: in.Permission})
	})
}

// InviteByPlatform makes a link to an organisation's office for a new account, for an admin of the platform. It is worth something as long as he may
// invite. It returns the faults of SaveAccount.
func (s *Service) InviteByPlatform(ctx context.Context, org uuid.UUID, unique string, who auditlog.Actor, in PlatformInviteInput) (Invited, error) {
	return s.makeLink(ctx, org, unique, who, token.Owner, func(tx db.Tx) (uuid.UUID, error) {
		return addInvited(ctx, tx, who, Account{Name: in.Name, Role: in.Role})
	})
}

// makeLink makes a link for the account that find finds or adds.
func (s *Service) makeLink(ctx context.Context, org uuid.UUID, unique string, who auditlog.Actor, area token.Audience, find func(tx db.Tx) (uuid.UUID, error)) (out Invited, err error) {
	out.Token = unique + "." + token.Random(32)
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if out.Account, err = find(tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, revokeOpen, out.Account, tx.Now); err != nil {
			return fmt.Errorf("older invitations of %s: %w", out.Account, err)
		}
		out.ExpiresAt = tx.Now.Add(invitationLifetime)
		_, err = tx.Exec(ctx, insertInvite, db.NewID(), token.Hash(out.Token), out.Account, area, who.ID, who.Kind == token.Admin, tx.Now, out.ExpiresAt)
		if err != nil {
			return fmt.Errorf("invite %s: %w", out.Account, err)
		}
		if err := notice.SendTableUpdate(ctx, tx, Accounts.Name()); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "invite", "staff/"+out.Account.String(), nil, map[string]any{"area": area})
	})
	return out, err
}

// addInvited makes the account of somebody who will sign in by LINE: it has a user name, because lists show one, and no
// password.
func addInvited(ctx context.Context, tx db.Tx, who auditlog.Actor, account Account) (uuid.UUID, error) {
	if strings.TrimSpace(account.Name) == "" {
		return uuid.Nil, fault.At("name", fault.Required)
	}
	account.Username = madeUpName()
	saved, err := Accounts.Save(ctx, tx, who, account)
	if err != nil {
		return uuid.Nil, err
	}
	if _, err := tx.Exec(ctx, setPending, saved.ID); err != nil {
		return uuid.Nil, fmt.Errorf("account %s waits: %w", saved.ID, err)
	}
	return saved.ID, nil
}

func madeUpName() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return "line-" + strings.ToLower(base32.StdEncoding.EncodeToString(b))
}

// again invites somebody who has an account already.
func (s *Service) again(ctx context.Context, tx db.Tx, asks editor, id uuid.UUID) (uuid.UUID, error) {
	account, err := Accounts.Detail(ctx, tx, id)
	if err != nil {
		return uuid.Nil, err
	}
	if account.Status != resource.Active && account.Status != resource.Pending {
		return uuid.Nil, fault.Missing
	}
	return id, asks.mayHandle(ctx, tx, account.Role, account.Permission)
}

// RevokeInvitation makes an account's open invitation worthless.
func (s *Service) RevokeInvitation(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		if _, err := s.again(ctx, tx, asks, id); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, revokeOpen, id, tx.Now); err != nil {
			return fmt.Errorf("invitation of %s: %w", id, err)
		}
		if err := notice.SendTableUpdate(ctx, tx, Accounts.Name()); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "take_back", "staff/"+id.String(), nil, nil)
	})
}

// Invitation shows an open invitation to who holds its link. It returns ErrInvitation, ErrInvitationUsed or
// ErrInvitationExpired.
func (s *Service) Invitation(ctx context.Context, org uuid.UUID, plain string) (out Invitation, err error) {
	if err := s.requireAdmin(ctx, org, token.Hash(plain)); err != nil {
		return out, err
	}
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		found, err := findInvite(ctx, tx, inviteColumns, token.Hash(plain))
		out = Invitation{Name: found.name, Area: found.area, ExpiresAt: found.expires}
		return err
	})
	if err != nil {
		return Invitation{}, err
	}
	return out, nil
}

// Join takes an invitation, once: from now on the LINE person signs in to its account. hash is that of the link's token.
// It returns the faults of Invitation, or ErrLineTaken when the person has another account here.
func (s *Service) Join(ctx context.Context, org uuid.UUID, hash []byte, subject, picture, request string) (out Joined, err error) {
	if err := s.requireAdmin(ctx, org, hash); err != nil {
		return out, err
	}
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		found, err := findInvite(ctx, tx, lockInvite, hash)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, freeLINE, subject); err != nil {
			return fmt.Errorf("accounts that are gone: %w", err)
		}
		_, err = tx.Exec(ctx, linkLINE, found.account, subject, picture, tx.Now)
		if db.Constraint(err) == lineTakenByName {
			return ErrLineTaken
		}
		if err != nil {
			return fmt.Errorf("link LINE to %s: %w", found.account, err)
		}
		if _, err := tx.Exec(ctx, useInvite, found.id, tx.Now); err != nil {
			return fmt.Errorf("use an invitation: %w", err)
		}
		tx.Publish(access.Topic, tx.Org.String())
		s.endSessions(tx, found.account) // of whoever signed in to it before
		if err := notice.SendTableUpdate(ctx, tx, Accounts.Name()); err != nil {
			return err
		}
		out = Joined{Account: found.account, Area: found.area}
		by := auditlog.Actor{Kind: found.area, ID: found.account, Request: request}
		return auditlog.Record(ctx, tx, by, "join", "staff/"+found.account.String(), nil, nil)
	})
	return out, err
}

// requireAdmin returns ErrInvitation of a link that an admin of the platform made who may not invite any more.
func (s *Service) requireAdmin(ctx context.Context, org uuid.UUID, hash []byte) error {
	var admin *uuid.UUID
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		err := tx.QueryRow(ctx, adminOfInvite, hash).Scan(&admin)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrInvitation
		}
		return err
	})
	if err != nil || admin == nil {
		return err
	}
	may, err := s.adminMayInvite(ctx, *admin)
	if err == nil && !may {
		return ErrInvitation
	}
	return err
}

type invite struct {
	id, account uuid.UUID
	area        token.Audience
	expires     time.Time
	name        string
}

// findInvite returns an invitation that may be taken: by who gave it, as he and the account are now. A link from before he
// was dismissed, or from before the account was given more than he has, is worth nothing.
func findInvite(ctx context.Context, tx db.Tx, sql string, hash []byte) (i invite, err error) {
	var used, revoked *time.Time
	var by *uuid.UUID // of the organisation; nil of an admin's, whom requireAdmin has looked at
	var status int16
	var role string
	var set *uuid.UUID
	err = tx.QueryRow(ctx, sql, hash).Scan(&i.id, &i.account, &i.area, &i.expires, &used, &revoked, &by, &i.name, &status, &role, &set)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return i, ErrInvitation
	case err != nil:
		return i, fmt.Errorf("find an invitation: %w", err)
	case used != nil:
		return i, ErrInvitationUsed
	case revoked != nil, status != resource.Active && status != resource.Pending:
		return i, ErrInvitation
	case !tx.Now.Before(i.expires):
		return i, ErrInvitationExpired
	}
	if by == nil {
		return i, nil
	}
	asks, err := loadEditor(ctx, tx, *by)
	if err == nil {
		err = asks.mayHandle(ctx, tx, role, set)
	}
	if refusal := (*fault.Fault)(nil); errors.As(err, &refusal) {
		return i, ErrInvitation
	}
	return i, err
}
