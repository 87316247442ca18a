package charge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
)

// pollSpan is how far back gateways are asked for their events. A webhook that was lost while it lasts, whatever it was
// about, is made up for: of a charge that is captured nothing else would show a refund or a dispute.
const pollSpan = 3 * 24 * time.Hour

const (
	ownSystems     = `SELECT id FROM payment_system WHERE collector = 'organisation' AND status IN (2, 5)`
	platformSystem = `SELECT id FROM payment_system WHERE collector = 'platform'`
	insertSeen     = `INSERT INTO gateway_event (system_id, event_id, kind, charge_id, received_at)
		SELECT $1, unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), $5
		ON CONFLICT (system_id, event_id) DO NOTHING RETURNING charge_id`
)

// recordEvents writes a payment system's events down, once, and enqueues a job for each charge that has a new one.
func recordEvents(ctx context.Context, tx db.Tx, system uuid.UUID, events ...payment.Event) error {
	ids, kinds, charges := make([]string, len(events)), make([]string, len(events)), make([]string, len(events))
	for i, e := range events {
		ids[i], kinds[i], charges[i] = e.ID, e.Kind, e.ChargeID
	}
	rows, err := tx.Query(ctx, insertSeen, system, ids, kinds, charges, tx.Now)
	if err != nil {
		return fmt.Errorf("events of payment system %s: %w", system, err)
	}
	told, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("events of payment system %s: %w", system, err)
	}
	news := map[string]bool{"": true} // what is about no charge is none of ours
	for _, charge := range told {
		if news[charge] {
			continue
		}
		news[charge] = true
		if err := queue.Enqueue(ctx, tx, GatewayEventJob{System: system, GatewayID: charge}); err != nil {
			return err
		}
	}
	return nil
}

// PollEvents asks the organisation's own gateways for their latest events, as if each webhook came now. A system that
// is not in use any more may have lost its keys; then there is nobody to ask.
func (s *Service) PollEvents(ctx context.Context, org uuid.UUID) error {
	systems, err := s.systems(ctx, org, ownSystems)
	if err != nil {
		return err
	}
	var failed error
	for _, system := range systems {
		gateway, err := s.gateway(ctx, org, system)
		if err != nil {
			return err
		}
		events, err := gateway.Events(ctx, s.db.Now().Add(-pollSpan))
		if errors.Is(err, payment.ErrRefused) {
			log.From(ctx).Warn("a payment system does not let us look back", zap.Stringer("system", system), zap.Error(err))
			continue
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		failed = errors.Join(failed, s.db.InOrg(ctx, org, func(tx db.Tx) error { return recordEvents(ctx, tx, system, events...) }))
	}
	return failed
}

// PollPlatformEvents does the same for the platform's account, whose events are of all organisations that have no keys.
func (s *Service) PollPlatformEvents(ctx context.Context) error {
	if s.gateways.Platform.Secret == "" {
		return nil
	}
	gateway, err := s.gateways.Open(s.gateways.Platform)
	if err != nil {
		return err
	}
	events, err := gateway.Events(ctx, s.db.Now().Add(-pollSpan))
	if err != nil {
		return err
	}
	byOrg, err := groupByOrg(ctx, gateway, events)
	if err != nil {
		return err
	}
	var failed error
	for org, events := range byOrg {
		failed = errors.Join(failed, s.recordPlatformEvents(ctx, org, events))
	}
	return failed
}

// groupByOrg returns whose charges events are about. A refund or a dispute names its charge only, so the gateway is asked.
func groupByOrg(ctx context.Context, gateway payment.Gateway, events []payment.Event) (map[uuid.UUID][]payment.Event, error) {
	owner := map[string]uuid.UUID{}
	for _, e := range events {
		if e.Organisation != uuid.Nil {
			owner[e.ChargeID] = e.Organisation
		}
	}
	byOrg := map[uuid.UUID][]payment.Event{}
	for _, e := range events {
		org, known := owner[e.ChargeID]
		if !known && e.ChargeID != "" {
			charge, err := gateway.Fetch(ctx, e.ChargeID)
			if err != nil && !errors.Is(err, payment.ErrUnknownCharge) {
				return nil, err
			}
			org = charge.Organisation
			owner[e.ChargeID] = org
		}
		if org != uuid.Nil {
			byOrg[org] = append(byOrg[org], e)
		}
	}
	return byOrg, nil
}

func (s *Service) recordPlatformEvents(ctx context.Context, org uuid.UUID, events []payment.Event) error {
	systems, err := s.systems(ctx, org, platformSystem)
	if errors.Is(err, db.ErrNoOrg) {
		log.From(ctx).Error("the platform's gateway account has charges of an organisation that is not here", zap.Stringer("org_id", org))
		return nil
	}
	if err != nil {
		return err
	}
	for _, system := range systems {
		if err := s.db.InOrg(ctx, org, func(tx db.Tx) error { return recordEvents(ctx, tx, system, events...) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) systems(ctx context.Context, org uuid.UUID, which string) (systems []uuid.UUID, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, which)
		if err != nil {
			return err
		}
		systems, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("payment systems of %s: %w", org, err)
	}
	return systems, nil
}
