// Package program puts the parts of a process together, for the commands and for tests that run the platform in one process.
package program

import (
	"context"
	"errors"
	"net/url"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/api/owner"
	"welovevoucher/migrations"
	"welovevoucher/platform/access"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/line"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/sms"
	"welovevoucher/tenants"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
)

// appRole is the login of API and workers; it owns nothing.
const appRole = "wlv_app"

// Parts are what a process is connected to.
type Parts struct {
	Config  config.Config
	Log     *zap.Logger
	DB      *db.DB
	Schemas *db.Schemas // nil without MIGRATE_URL
	Redis   redis.UniversalClient
}

// Program is everything that the commands stand on.
type Program struct {
	Parts
	Services *tenants.Services
	host     string // of the platform, without port
}

// Open connects to everything that cfg names. Close ends that.
func Open(ctx context.Context, cfg config.Config, logger *zap.Logger) (*Program, error) {
	parts := Parts{Config: cfg, Log: logger}
	options, err := redis.ParseURL(cfg.RedisURL)
	if err != nil {
		return nil, errors.New("REDIS_URL is malformed")
	}
	parts.Redis = redis.NewClient(options)
	if parts.DB, err = db.Open(ctx, cfg.Nodes, cfg.PoolSize, &clock.Clock{}); err != nil {
		return nil, err
	}
	if len(cfg.MigrateNodes) > 0 {
		if parts.Schemas, err = db.OpenSchemas(ctx, cfg.MigrateNodes, appRole, migrations.FS); err != nil {
			return nil, err
		}
	}
	return New(ctx, parts)
}

// New makes the services on parts.
func New(ctx context.Context, parts Parts) (*Program, error) {
	p, cfg := &Program{Parts: parts}, parts.Config
	box, err := secret.New(cfg.MasterKey)
	if err != nil {
		return nil, err
	}
	passwords, err := secret.NewPasswords(box)
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(cfg.PublicURL)
	if err != nil || at.Host == "" {
		return nil, errors.New("PUBLIC_URL must be an address such as https://example.com")
	}
	p.host = org.CleanHost(at.Host)
	sender, err := mail.New(cfg.Mail)
	if err != nil {
		return nil, err
	}
	objects, err := blob.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p.Services = tenants.New(tenants.Deps{
		DB: p.DB, Schemas: p.Schemas, Access: access.New(p.DB), SignIns: ratelimit.NewSignIns(p.Redis), Limits: ratelimit.New(p.Redis),
		Codes: onetime.New(p.Redis), Links: onetime.NewLinks(p.Redis), SMS: sms.New(cfg.SMS), Mail: sender,
		Objects: objects, Exports: owner.Exports(), Box: box, Passwords: passwords, Line: line.New(cfg.Line), LIFF: cfg.Line.LIFFURL,
		Channel: line.Channel{ID: cfg.Line.ChannelID, Secret: cfg.Line.ChannelSecret},
		Gateways: charge.GatewayConfig{
			Open: func(k charge.Keys) (payment.Gateway, error) {
				return payment.NewOmise(cfg.Pay.APIURL, payment.Keys{Public: k.Public, Secret: k.Secret, Webhook: k.Webhook}), nil
			},
			Platform: charge.Keys{Public: cfg.Pay.PublicKey, Secret: cfg.Pay.SecretKey, Webhook: cfg.Pay.WebhookSecret},
			Vault:    cfg.Pay.VaultURL, Hooks: cfg.PublicURL + "/api/hook/",
		},
		Domain: p.host,
	})
	return p, nil
}

// Close ends the connections of Open.
func (p *Program) Close() {
	p.DB.Close()
	if p.Schemas != nil {
		p.Schemas.Close()
	}
	_ = p.Redis.Close() // nothing can be done about it any more
	_ = p.Log.Sync()    // a terminal does not support it
}

// health is one check per part that the program cannot work without.
func (p *Program) health() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"postgres": p.DB.Ping,
		"objects": func(ctx context.Context) error {
			_, err := p.Services.Objects.List(ctx, "health")
			return err
		},
		"redis": func(ctx context.Context) error { return p.Redis.Ping(ctx).Err() },
	}
}
