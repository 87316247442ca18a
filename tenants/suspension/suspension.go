// Package suspension ends the service to customers: what they have under way stops, and they are signed out.
package suspension

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/session"
)

// Service suspends customers.
type Service struct {
	db       *db.DB
	sessions *session.Service
}

// New returns the service.
func New(d *db.DB, sessions *session.Service) *Service { return &Service{d, sessions} }

// SetStatus suspends customers of an organisation, or serves them again. Gifts and offers of who is suspended stop, and his sessions end; if ending
// them fails the call fails, and doing it again ends them. It returns the faults of customer.Customers.SetStatus.
func (s *Service) SetStatus(ctx context.Context, org uuid.UUID, who auditlog.Actor, ids []uuid.UUID, status int16) error {
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if err := customer.Customers.SetStatus(ctx, tx, who, ids, status); err != nil {
			return err
		}
		if status != resource.Active {
			if err := gift.StopOf(ctx, tx, who, ids); err != nil {
				return err
			}
			if err := board.StopOf(ctx, tx, who, ids); err != nil {
				return err
			}
		}
		tx.Publish(catalog.MarketTopic, tx.Org.String())
		return notice.SendTableUpdate(ctx, tx, customer.Customers.Name())
	})
	if err != nil || status == resource.Active {
		return err
	}
	for _, id := range ids {
		if err := s.sessions.RevokeAll(ctx, org, id); err != nil {
			return fmt.Errorf("sign %s out: %w", id, err)
		}
	}
	return nil
}
