package provisioning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/org"
)

const (
	lockState      = `SELECT state, suspension_reason FROM organisation WHERE id = $1 FOR UPDATE`
	setSuspended   = `UPDATE organisation SET state = 'suspended', suspension_reason = $2, suspended_at = $3, updated_at = $3 WHERE id = $1`
	setLive        = `UPDATE organisation SET state = 'live', suspension_reason = '', suspended_at = NULL, updated_at = $2 WHERE id = $1`
	openSuspension = `INSERT INTO suspension (id, began_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	endSuspension  = `UPDATE suspension SET ended_at = $1 WHERE ended_at IS NULL RETURNING began_at`
)

// stateOf is the state of an organisation as the audit log keeps it.
type stateOf struct {
	State  org.State `json:"state"`
	Reason string    `json:"reason,omitempty"`
}

// Suspend has an organisation sell, give and claim nothing, from ten seconds on at most, and the days of its gifts stand still. Uses, refunds and
// what the clock does go on. The reason is for the platform's own people. It may be called again: the first reason stays. It returns
// org.ErrNotFound and ErrProvisioning.
func (s *Service) Suspend(ctx context.Context, id uuid.UUID, who auditlog.Actor, reason string) error {
	if err := s.switchState(ctx, id, who, "suspend", stateOf{org.Suspended, reason}); err != nil {
		return err
	}
	return s.db.InOrg(ctx, id, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, openSuspension, db.NewID(), tx.Now); err != nil {
			return fmt.Errorf("suspend %s: %w", id, err)
		}
		return nil
	})
}

// Resume has an organisation that was suspended sell again. The links of its gifts have the days back that nobody could use. It may be called
// again. It returns org.ErrNotFound and ErrProvisioning.
func (s *Service) Resume(ctx context.Context, id uuid.UUID, who auditlog.Actor) error {
	o, err := s.directory.ByID(ctx, id)
	if err != nil {
		return err
	}
	if !o.Answers() {
		return ErrProvisioning
	}
	err = s.db.InOrg(ctx, id, func(tx db.Tx) error {
		var began time.Time
		err := tx.QueryRow(ctx, endSuspension, tx.Now).Scan(&began)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("resume %s: %w", id, err)
		}
		return gift.StandStill(ctx, tx, began)
	})
	if err != nil {
		return err
	}
	return s.switchState(ctx, id, who, "resume", stateOf{State: org.Live})
}

func (s *Service) switchState(ctx context.Context, id uuid.UUID, who auditlog.Actor, action string, to stateOf) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		var before stateOf
		err := tx.QueryRow(ctx, lockState, id).Scan(&before.State, &before.Reason)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return org.ErrNotFound
		case err != nil:
			return fmt.Errorf("%s %s: %w", action, id, err)
		case before.State == org.Provisioning:
			return ErrProvisioning
		case before.State == to.State:
			return nil
		}
		if err := auditlog.Record(ctx, tx, who, action, "organisation/"+id.String(), before, to); err != nil {
			return err
		}
		if to.State == org.Suspended {
			_, err = tx.Exec(ctx, setSuspended, id, to.Reason, tx.Now)
		} else {
			_, err = tx.Exec(ctx, setLive, id, tx.Now)
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", action, id, err)
		}
		tx.Publish(org.Topic, id.String())
		return nil
	})
}
