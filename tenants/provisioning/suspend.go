package provisioning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/org"
)

// ErrNotOpen is for the operator alone: an organisation that was not opened yet cannot be suspended, nor resumed.
var ErrNotOpen = errors.New("this organisation is not open yet")

const (
	switchState    = `UPDATE organisation SET state = $2, updated_at = $3 WHERE id = $1 AND state = ANY ($4)`
	openSuspension = `INSERT INTO suspension (id, began_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	endSuspension  = `UPDATE suspension SET ended_at = $1 WHERE ended_at IS NULL RETURNING began_at`
)

// Suspend has an organisation sell, give and claim nothing, from ten seconds on at most, and the days of its gifts stand still. Uses, refunds and
// what the clock does go on. It may be called again. It returns ErrNotOpen.
func (s *Service) Suspend(ctx context.Context, id uuid.UUID) error {
	if err := s.switchState(ctx, id, org.Suspended); err != nil {
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
// again. It returns ErrNotOpen.
func (s *Service) Resume(ctx context.Context, id uuid.UUID) error {
	err := s.db.InOrg(ctx, id, func(tx db.Tx) error {
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
	return s.switchState(ctx, id, org.Live)
}

func (s *Service) switchState(ctx context.Context, id uuid.UUID, to org.State) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, switchState, id, to, tx.Now, []org.State{org.Live, org.Suspended})
		if err != nil {
			return fmt.Errorf("switch %s to %s: %w", id, to, err)
		}
		if tag.RowsAffected() == 0 {
			return ErrNotOpen
		}
		tx.Publish(org.Topic, id.String())
		return nil
	})
}
