package provisioning

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/payment"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
)

// Connections is how an organisation stands with LINE, its gateway and the DNS. Secrets are write-only: of each its last
// four characters are shown.
type Connections struct {
	Line    LineConnection `json:"line"`
	Liff    org.Liff       `json:"liff"`
	Payment Payment        `json:"payment"`
	Hosts   []Host         `json:"hosts"`
}

// LineConnection is a LINE Login channel.
type LineConnection struct {
	ChannelID string `json:"channel_id"`
	SecretSet bool   `json:"secret_set"`
	SecretEnd string `json:"secret_end" doc:"Its last four characters"`
}

// Payment names the collector of the organisation's money.
type Payment struct {
	Collector  payment.Collector `json:"collector" enum:"none,platform,organisation"`
	PublicKey  string            `json:"public_key" doc:"Of its own account"`
	SecretSet  bool              `json:"secret_set"`
	SecretEnd  string            `json:"secret_key_end" doc:"Its last four characters"`
	WebhookEnd string            `json:"webhook_secret_end" doc:"Its last four characters"`
	Live       bool              `json:"live" doc:"Its own keys move real money"`
	Switching  bool              `json:"switching" doc:"New charges do not go through it yet; a worker is about to see to that"`
	Platform   bool              `json:"platform_account" doc:"The platform has an account that can collect instead"`
	TestSales  bool              `json:"test_sales" doc:"What was sold with test keys keeps it from collecting real money: it has to become void first (void_test)"`
	Endpoint   string            `json:"-"`
}

// collectorNone is nobody, while an organisation has no payment system.
const collectorNone payment.Collector = "none"

const (
	readLine      = `SELECT line_channel_id, line_secret FROM organisation WHERE id = $1`
	readCollector = `SELECT o.payment_system_id, coalesce(e.collector, 'none'), coalesce(e.id, '') FROM organisation o
		LEFT JOIN payment_endpoint e ON e.org_id = o.id AND e.system_id = o.payment_system_id WHERE o.id = $1`
	systemRow = `SELECT status, public_key, secret_key, webhook_secret FROM payment_system WHERE id = $1`
)

// Connections of an organisation. It returns org.ErrNotFound.
func (s *Service) Connections(ctx context.Context, id uuid.UUID) (c Connections, err error) {
	var system *uuid.UUID
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		state, sealed, err := s.readLine(ctx, tx, readLine, id)
		if err != nil {
			return err
		}
		c.Line, c.Liff = LineConnection{state.ChannelID, len(sealed) > 0, state.SecretEnd}, state.Liff
		if c.Hosts, err = s.readHosts(ctx, tx, hostsOf, id); err != nil {
			return err
		}
		return tx.QueryRow(ctx, readCollector, id).Scan(&system, &c.Payment.Collector, &c.Payment.Endpoint)
	})
	c.Payment.Platform = s.proofs.Platform
	if err != nil || system == nil {
		return c, err
	}
	err = s.db.InOrg(ctx, id, func(tx db.Tx) error { return s.readSystem(ctx, tx, *system, &c.Payment) })
	return c, err
}

func (s *Service) readSystem(ctx context.Context, tx db.Tx, system uuid.UUID, p *Payment) error {
	var status int
	var sealedKey, sealedHook []byte
	err := tx.QueryRow(ctx, systemRow, system).Scan(&status, &p.PublicKey, &sealedKey, &sealedHook)
	if errors.Is(err, pgx.ErrNoRows) {
		p.Collector = collectorNone // the schema was restored from before it
		return nil
	}
	if err != nil {
		return err
	}
	p.Switching = status != 5
	from, err := s.readBooks(ctx, tx)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	p.TestSales = err == nil && from.voids(s.holderOf(p.Collector, p.PublicKey))
	if p.Collector != payment.CollectorOrganisation {
		return nil
	}
	keys, err := charge.OpenKeys(s.box, tx.Key, system, p.PublicKey, sealedKey, sealedHook)
	p.SecretSet, p.SecretEnd, p.WebhookEnd, p.Live = true, end(keys.Secret), end(keys.Webhook), payment.Live(p.PublicKey)
	return err
}
