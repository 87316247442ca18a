package charge

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
)

// Keys open one account at a gateway.
type Keys struct{ Public, Secret, Webhook string }

// GatewayConfig is how money comes in.
type GatewayConfig struct {
	Open     func(Keys) (payment.Gateway, error) // the client of an account
	Platform Keys                                // of the platform's own account; all empty when it has none
	Vault    string                              // where browsers make tokens of cards
	Hooks    string                              // below it gateways find us, e.g. https://example.com/api/hook/
}

// KeyAAD is where an encrypted column of a payment system lies. key is the organisation's.
func KeyAAD(key uuid.UUID, column string, system uuid.UUID) secret.AAD {
	return secret.AAD{Org: key, Column: "payment_system." + column, Row: system}
}

// heldBy is the ledger's account for the money of a payment system: whose it is, and whether it is real.
func (s *Service) heldBy(collector payment.Collector, public string) ledger.Kind {
	switch {
	case collector == payment.CollectorPlatform && !payment.Live(s.gateways.Platform.Public):
		return ledger.GatewayPlatformTest
	case collector == payment.CollectorPlatform:
		return ledger.GatewayPlatform
	case !payment.Live(public):
		return ledger.GatewayOwnTest
	default:
		return ledger.GatewayOwn
	}
}

const (
	systemFor = `SELECT id, collector, public_key, (SELECT live FROM ledger) FROM payment_system
		WHERE status = 5 AND $1 = ANY (methods) ORDER BY created_at LIMIT 1`
	beginBooks = `UPDATE ledger SET live = $1 WHERE live IS NULL OR live = $1`
	systemKeys = `SELECT collector, endpoint_id, public_key, secret_key, webhook_secret FROM payment_system WHERE id = $1`
	options    = `SELECT collector, public_key, methods, (SELECT live FROM ledger) FROM payment_system WHERE status = 5 ORDER BY created_at`
	endpoint   = `SELECT org_id, system_id FROM payment_endpoint WHERE id = $1`
)

// gatewayClient is the gateway account of a payment system.
type gatewayClient struct {
	payment.Gateway
	hook string // where charges say that their webhooks go; "" leaves it to the account, which has one organisation then
}

// gateway opens a payment system: with its own keys, or with the platform's. All organisations share the latter's account,
// so there each charge names the address of its organisation.
func (s *Service) gateway(ctx context.Context, org, system uuid.UUID) (gatewayClient, error) {
	var collector payment.Collector
	var endpoint, public string
	var sealedKey, sealedHook []byte
	var key uuid.UUID
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		key = tx.Key
		return tx.QueryRow(ctx, systemKeys, system).Scan(&collector, &endpoint, &public, &sealedKey, &sealedHook)
	})
	if err != nil {
		return gatewayClient{}, fmt.Errorf("keys of payment system %s: %w", system, err)
	}
	if collector == payment.CollectorPlatform {
		gateway, err := s.gateways.Open(s.gateways.Platform)
		return gatewayClient{gateway, s.gateways.Hooks + endpoint}, err
	}
	keys, err := OpenKeys(s.box, key, system, public, sealedKey, sealedHook)
	if err != nil {
		return gatewayClient{}, err
	}
	gateway, err := s.gateways.Open(keys)
	return gatewayClient{gateway, ""}, err
}

// OpenKeys decrypts the keys of a payment system. key is the organisation's.
func OpenKeys(box *secret.Box, key, system uuid.UUID, public string, sealedKey, sealedHook []byte) (Keys, error) {
	secretKey, err := box.Open(KeyAAD(key, "secret_key", system), sealedKey)
	if err != nil {
		return Keys{}, fmt.Errorf("keys of payment system %s: %w", system, err)
	}
	hook, err := box.Open(KeyAAD(key, "webhook_secret", system), sealedHook)
	if err != nil {
		return Keys{}, fmt.Errorf("keys of payment system %s: %w", system, err)
	}
	return Keys{Public: public, Secret: string(secretKey), Webhook: string(hook)}, nil
}

// Option is one way to pay.
type Option struct {
	Method    string `json:"method" enum:"promptpay,card"`
	PublicKey string `json:"public_key" doc:"For the vault, which makes a token of a card in the browser"`
	VaultURL  string `json:"vault_url"`
}

// fits says whether books take a charge that is posted to an account of that kind: books of real money none of test keys, and the other
// way round. A nil live is of books that had no charge yet.
func fits(live *bool, held ledger.Kind) bool { return live == nil || *live == held.Real() }

// Options lists the ways to pay here; none through the platform's account while it has no keys, and none that the books do not take.
func (s *Service) Options(ctx context.Context, who token.Session) (list []Option, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, options)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var collector payment.Collector
			var key string
			var methods []string
			var live *bool
			if err := rows.Scan(&collector, &key, &methods, &live); err != nil {
				return err
			}
			if !fits(live, s.heldBy(collector, key)) {
				continue
			}
			if collector == payment.CollectorPlatform {
				if key = s.gateways.Platform.Public; key == "" {
					continue
				}
			}
			for _, method := range methods {
				list = append(list, Option{Method: method, PublicKey: key, VaultURL: s.gateways.Vault})
			}
		}
		return rows.Err()
	})
	return list, err
}

// ErrNoEndpoint says that no payment system listens at this address.
var ErrNoEndpoint = fault.New(fault.Unauthorized, "webhook.unknown", "Invalid Token")

// HandleWebhook takes a gateway's webhook: verified, written down once, and then only a hint to ask the gateway itself. It
// returns ErrNoEndpoint or payment.ErrSignature.
func (s *Service) HandleWebhook(ctx context.Context, endpointID string, header http.Header, body []byte) error {
	var org, system uuid.UUID
	err := s.db.InPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, endpoint, endpointID).Scan(&org, &system) })
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNoEndpoint
	}
	if err != nil {
		return fmt.Errorf("whose webhook: %w", err)
	}
	gateway, err := s.gateway(ctx, org, system)
	if err != nil {
		return err
	}
	event, err := gateway.VerifyWebhook(header, body)
	if err != nil {
		return err
	}

	return s.db.InOrg(ctx, org, func(tx db.Tx) error { return recordEvents(ctx, tx, system, event) })
}

// reference returns a reference that a person can read out to us: TU and nine digits.
func reference() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000_000))
	if err != nil {
		panic(err) // the machine has no randomness
	}
	return fmt.Sprintf("TU%09d", n)
}
