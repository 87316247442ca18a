package staff

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/secondfactor"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
)

// Accounts is the table of accounts. Its changes go through the Service, the one place where rights are given: an account may not give rights
// that it does not have, nor change its own, and an account with all rights always remains.
var Accounts = resource.New(resource.Def[Account]{
	Name: "staff", Module: "staff", Relation: "staff", AtMost: 10_000, HasStatus: true, InitialStatus: resource.Active, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "username", Can: resource.Filter | resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อผู้ใช้", EN: "User name"},
		{Name: "name", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ", EN: "Name"},
		{Name: "role", Can: resource.Filter | resource.Sort | resource.Write, TH: "บทบาท", EN: "Role"},
		{Name: "permission_id", Can: resource.Filter | resource.Write, RefersTo: "permission"},
		{Name: "email", Can: resource.Write, TH: "อีเมล", EN: "E-mail"},
		{Name: "second_factor", SQL: "EXISTS (SELECT FROM second_factor f WHERE f.subject_id = r.id AND f.counts_from IS NOT NULL)"},
		{Name: "line", SQL: "(r.line_sub IS NOT NULL)", Can: resource.Filter},
		{Name: "invited_until", SQL: "(SELECT i.expires_at FROM staff_invitation i WHERE i.staff_id = r.id AND i.used_at IS NULL AND i.revoked_at IS NULL)"},
	},
	Constraints: map[string]fault.Field{
		"staff_username":   {Path: "username", Fault: fault.Duplicate.Code},
		"staff_permission": {Path: "permission_id", Fault: fault.NotInList.Code},
	},
	Validate: func(a Account) (bad []fault.Field) {
		if a.Role == RoleUser && a.Permission == nil {
			bad = append(bad, fault.Field{Path: "permission_id", Fault: fault.Required.Code})
		}
		if !access.HasAllRights(a.Role) && a.Role != RoleUser {
			bad = append(bad, fault.Field{Path: "role", Fault: fault.NotInList.Code})
		}
		if a.Email != "" && !mail.ValidAddress(a.Email) {
			bad = append(bad, fault.Field{Path: "email", Fault: mail.ErrAddress.Code})
		}
		return bad
	},
	AfterSave: func(ctx context.Context, tx db.Tx, _ *Account, a Account) error {
		if a.hash != "" {
			if _, err := tx.Exec(ctx, setPassword, a.ID, a.hash); err != nil {
				return fmt.Errorf("password of %s: %w", a.ID, err)
			}
		}
		return nil
	},
})

const (
	setPassword = `UPDATE staff SET password_hash = $2 WHERE id = $1`
	setLost     = `UPDATE staff SET password_hash = $2 WHERE id = $1 AND status = 5`
	passwordOf  = `SELECT username, password_hash FROM staff WHERE id = $1 AND status = 5`
)

func sameID(a, b *uuid.UUID) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// SaveAccount adds or changes an account. It returns fault.BadInput, fault.Missing, resource.ErrChangedMeanwhile,
// ErrBeyond, ErrSelf or ErrLastFull. A new password ends the account's sessions.
func (s *Service) SaveAccount(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Account) (saved Account, err error) {
	fresh := resource.IsNew(&in)
	if in.hash, err = s.newPassword(ctx, org, fresh, in.Username, in.Password); err != nil {
		return in, err
	}
	in.Password = ""

	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		if err := s.mayEdit(ctx, tx, asks, in, fresh); err != nil {
			return err
		}
		if saved, err = Accounts.Save(ctx, tx, who, in); err != nil {
			return err
		}
		tx.Publish(access.Topic, tx.Org.String())
		if in.hash != "" && !fresh {
			s.endSessions(tx, saved.ID)
		}
		if err := notice.SendTableUpdate(ctx, tx, Accounts.Name()); err != nil {
			return err
		}
		return requireOneFull(ctx, tx)
	})
	return saved, err
}

func (s *Service) mayEdit(ctx context.Context, tx db.Tx, asks editor, in Account, fresh bool) error {
	if err := asks.mayHandle(ctx, tx, in.Role, in.Permission); err != nil || fresh {
		return err
	}
	old, err := Accounts.Detail(ctx, tx, in.ID)
	if err != nil {
		return err
	}
	if old.ID == asks.ID && (old.Role != in.Role || !sameID(old.Permission, in.Permission)) {
		return ErrSelf
	}
	return asks.mayHandle(ctx, tx, old.Role, old.Permission)
}

// SetAccountStatus activates, deactivates or deletes accounts. An account that is deactivated is signed out at once.
func (s *Service) SetAccountStatus(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			old, err := Accounts.Detail(ctx, tx, id)
			if err != nil {
				return err
			}
			if id == asks.ID {
				return ErrSelf
			}
			if err := asks.mayHandle(ctx, tx, old.Role, old.Permission); err != nil {
				return err
			}
		}
		if err := Accounts.SetStatus(ctx, tx, who, ids, status); err != nil {
			return err
		}
		tx.Publish(access.Topic, tx.Org.String())
		if status != resource.Active {
			for _, id := range ids {
				s.endSessions(tx, id)
			}
		}
		if err := notice.SendTableUpdate(ctx, tx, Accounts.Name()); err != nil {
			return err
		}
		return requireOneFull(ctx, tx)
	})
}

// SavePermissionSet adds or changes a permission set; the change acts at once for everybody who has it. It returns the
// same faults as SaveAccount.
func (s *Service) SavePermissionSet(ctx context.Context, org uuid.UUID, who auditlog.Actor, in PermissionSet) (saved PermissionSet, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		var before *PermissionSet
		if !resource.IsNew(&in) {
			old, err := PermissionSets.Detail(ctx, tx, in.ID)
			if err != nil {
				return err
			}
			before = &old
		}
		if err := asks.mayChangeSet(before, &in); err != nil {
			return err
		}
		if saved, err = PermissionSets.Save(ctx, tx, who, in); err != nil {
			return err
		}
		tx.Publish(access.Topic, tx.Org.String())
		return notice.SendTableUpdate(ctx, tx, PermissionSets.Name())
	})
	return saved, err
}

// SetPermissionStatus activates, deactivates or deletes permission sets. One that somebody has is refused: ErrSetInUse.
func (s *Service) SetPermissionStatus(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			set, err := PermissionSets.Detail(ctx, tx, id)
			if err != nil {
				return err
			}
			if err := asks.mayChangeSet(&set, nil); err != nil {
				return err
			}
		}
		tx.Publish(access.Topic, tx.Org.String())
		if err := PermissionSets.SetStatus(ctx, tx, who, ids, status); err != nil {
			return err
		}
		return notice.SendTableUpdate(ctx, tx, PermissionSets.Name())
	})
}

// endSessions signs a person out once the change is committed. If that fails he is refused all the same where the account is
// inactive; a lost revocation after a new password is logged, and loud.
func (s *Service) endSessions(tx db.Tx, id uuid.UUID) {
	tx.AfterCommit(func(ctx context.Context) {
		if err := s.revoke(context.WithoutCancel(ctx), tx.Org, id); err != nil {
			log.From(ctx).Error("sessions were not revoked", zap.Stringer("staff", id), zap.Error(err))
		}
	})
}

// PasswordChange changes the password of the account that sends it.
type PasswordChange struct {
	Old string `json:"old_password" minLength:"1" maxLength:"72"`
	New string `json:"password" minLength:"1" maxLength:"72"`
}

// ChangePassword sets the caller's own password. It returns ErrWrongPassword when the old one is not his, or fault.BadInput when
// the new one is too weak, and ratelimit.ErrLocked after too many wrong ones: a session left open somewhere is no place to
// guess at. Every session of his ends.
func (s *Service) ChangePassword(ctx context.Context, who token.Session, actor auditlog.Actor, in PasswordChange) error {
	attempt := ratelimit.Attempt{Org: who.Org, Account: "password:" + who.Subject.String(), Address: who.Address}
	if err := s.guesses.Try(ctx, attempt); err != nil {
		return err
	}
	var username, old string
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		return tx.QueryRow(ctx, passwordOf, who.Subject).Scan(&username, &old)
	})
	if err != nil {
		return fmt.Errorf("password of %s: %w", who.Subject, err)
	}
	same, err := s.passwords.Matches(ctx, in.Old, old)
	if err != nil {
		return err
	}
	if !same {
		return ErrWrongPassword
	}
	if err := s.guesses.Succeeded(ctx, attempt); err != nil {
		return err
	}
	hash, err := s.newPassword(ctx, who.Org, true, username, in.New)
	if err != nil {
		return err
	}
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, setPassword, who.Subject, hash); err != nil {
			return err
		}
		s.endSessions(tx, who.Subject)
		return auditlog.Record(ctx, tx, actor, "password", "staff/"+who.Subject.String(), nil, nil)
	})
}

// SetLostPassword sets the password of an account whose person has shown who he is by a link, and ends its sessions. use ends the link. It returns ErrPassword
// at password, and fault.NoSession for an account that may not sign in.
func (s *Service) SetLostPassword(ctx context.Context, who token.Session, password, request string, use func(ctx context.Context) error) error {
	a, _, err := s.find(ctx, who.Org, byID, who.Subject)
	if errors.Is(err, ErrWrongPassword) {
		return fault.NoSession
	}
	if err != nil {
		return err
	}
	hash, err := s.newPassword(ctx, who.Org, true, a.Username, password)
	if err != nil {
		return err
	}
	if err := use(ctx); err != nil {
		return err
	}
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, setLost, who.Subject, hash)
		if err != nil {
			return fmt.Errorf("password of %s: %w", who.Subject, err)
		}
		if tag.RowsAffected() == 0 {
			return fault.NoSession
		}
		s.endSessions(tx, who.Subject)
		actor := auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: request}
		return auditlog.Record(ctx, tx, actor, "lost_password", "staff/"+who.Subject.String(), nil, nil)
	})
}

// DropSecondFactor switches the second factor of an account off whose person has lost his phone. It returns fault.Missing, ErrBeyond, ErrSelf or
// secondfactor.ErrOff.
func (s *Service) DropSecondFactor(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		asks, err := loadEditor(ctx, tx, who.ID)
		if err != nil {
			return err
		}
		of, err := Accounts.Detail(ctx, tx, id)
		if err != nil {
			return err
		}
		if id == asks.ID {
			return ErrSelf // with a code, as everybody does for himself
		}
		if err := asks.mayHandle(ctx, tx, of.Role, of.Permission); err != nil {
			return err
		}
		if err := secondfactor.Drop(ctx, tx, who, secondfactor.Holder{Org: org, Subject: id}); err != nil {
			return err
		}
		return notice.SendTableUpdate(ctx, tx, Accounts.Name())
	})
}

// newPassword hashes a password that follows the organisation's policy; none is needed for an account that exists.
// It comes before the transaction, because a hash takes a while.
func (s *Service) newPassword(ctx context.Context, org uuid.UUID, needed bool, username, password string) (string, error) {
	if password == "" && !needed {
		return "", nil
	}
	policy, err := s.policy(ctx, org)
	if err != nil {
		return "", err
	}
	if !ValidPassword(password) || (policy == "strong" && !strong(username, password)) {
		return "", fault.At("password", ErrPassword)
	}
	return s.passwords.Hash(ctx, password)
}

// strong is the policy beyond the floor: ten signs, letters and digits, not the user name.
func strong(username, password string) bool {
	return len(password) >= 10 && strings.ContainsFunc(password, unicode.IsDigit) && strings.ContainsFunc(password, unicode.IsLetter) &&
		!strings.Contains(strings.ToLower(password), strings.ToLower(username))
}
