package customer

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
)

const (
	saveMobile = `UPDATE customer SET mobile = $2, mobile_index = $3, mobile_verified_at = $4, updated_at = $4 WHERE id = $1`
	mobileOf   = `SELECT mobile FROM customer WHERE id = $1`
)

// SetMobile writes down a mobile number, in E.164, that the customer has just proved to be his; it takes the place of the one before.
// It returns ErrSuspended or fault.NoSession for one who is not served any more.
func (s *Service) SetMobile(ctx context.Context, who token.Session, actor auditlog.Actor, number string) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		sealed, err := s.box.Seal(mobileAt(tx.Key, who.Subject), []byte(number))
		if err != nil {
			return fmt.Errorf("seal the mobile number of %s: %w", who.Subject, err)
		}
		index, err := MobileIndex(s.box, tx.Key, number)
		if err != nil {
			return err
		}
		locked := Lock(tx, who.Subject)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := locked.Check(who.Subject); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, saveMobile, who.Subject, sealed, index, tx.Now); err != nil {
			return fmt.Errorf("save the mobile number of %s: %w", who.Subject, err)
		}
		return auditlog.Record(ctx, tx, actor, "verify mobile", "customer/"+who.Subject.String(), nil, nil)
	})
}

// MobileOf returns the mobile number of a customer in E.164, "" where it is not known.
func (s *Service) MobileOf(ctx context.Context, tx db.Tx, id uuid.UUID) (string, error) {
	var sealed []byte
	if err := tx.QueryRow(ctx, mobileOf, id).Scan(&sealed); err != nil {
		return "", fmt.Errorf("mobile number of %s: %w", id, err)
	}
	if sealed == nil {
		return "", nil
	}
	plain, err := s.box.Open(mobileAt(tx.Key, id), sealed)
	if err != nil {
		return "", fmt.Errorf("mobile number of %s: %w", id, err)
	}
	return string(plain), nil
}

// MobileIndex returns by what customers are found who have a mobile number, however it is written; nil if a text is none. key is the
// organisation's.
func MobileIndex(box *secret.Box, key uuid.UUID, text string) ([]byte, error) {
	number, err := sms.Normalise(text)
	if err != nil {
		return nil, nil //nolint:nilerr // a text that is no number finds nobody
	}
	return box.Index(key, "customer.mobile", number)
}

func mobileAt(org, id uuid.UUID) secret.AAD {
	return secret.AAD{Org: org, Column: "customer.mobile", Row: id}
}
