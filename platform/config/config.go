// Package config reads the environment once, at start, into one struct. TestConfigTable compares the table in README.md with it.
package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Config is the configuration of a process. Load fills in the defaults, so its zero value is not one.
type Config struct {
	Port        int    // PORT
	MetricsAddr string // METRICS_ADDR
	Traces      bool   // OTEL_EXPORTER_OTLP_ENDPOINT is set; OpenTelemetry's library reads it and the other OTEL_ variables itself
	PublicURL   string // PUBLIC_URL, the platform's own address, e.g. http://localhost:8080
	LogLevel    string // LOG_LEVEL
	LogConsole  bool   // LOG_CONSOLE

	Nodes        map[string]string // DATABASE_URL is node "main"; DATABASE_NODES adds name=url pairs, one a line
	MigrateNodes map[string]string // MIGRATE_URL and MIGRATE_NODES, the same for the role that owns the schemas
	PoolSize     int               // DATABASE_POOL, connections per node

	RedisURL  string // REDIS_URL
	MasterKey []byte // MASTER_KEY, 32 bytes in base64

	S3        S3     // S3_ENDPOINT …
	ObjectDir string // OBJECT_DIR, used when no S3 is configured

	Line Line // LINE_API_URL … LINE_CHANNEL_SECRET
	Pay  Pay  // OMISE_API_URL … OMISE_WEBHOOK_SECRET
	SMS  SMS  // SMS_URL, SMS_TOKEN
	Mail Mail // SMTP_URL, MAIL_FROM

	TrustedProxies []string      // TRUSTED_PROXIES, addresses whose X-Forwarded-* headers are trusted
	ShutdownDrain  time.Duration // SHUTDOWN_DRAIN
	ShutdownGrace  time.Duration // SHUTDOWN_GRACE
}

// S3 is a bucket of an S3-compatible store.
type S3 struct{ Endpoint, Bucket, Region, AccessKey, SecretKey string }

// Line has the base addresses of LINE's API and of its login pages, and the platform's own LINE Login channel, by which admins sign
// in. Those of organisations are in the database.
type Line struct{ APIURL, AccessURL, LIFFURL, ChannelID, ChannelSecret string }

// Pay has the base addresses of the payment gateway and of its card vault, and the keys of the platform's own account, which
// collects for every organisation without keys of its own. The keys are empty if the platform has no account.
type Pay struct{ APIURL, VaultURL, PublicKey, SecretKey, WebhookSecret string }

// SMS has the address and token of the SMS gateway.
type SMS struct{ URL, Token string }

// Mail has the address of the SMTP server, with its user and password, and the address that messages come from.
type Mail struct{ URL, From string }

// Variable documents one environment variable.
type Variable struct{ Name, Default, Meaning string }

// Variables is the configuration table, in the order of README.md and of the command `config`.
var Variables = []Variable{
	{"PORT", "8080", "port of the API and the apps"},
	{"METRICS_ADDR", "127.0.0.1:9090", "address of Prometheus metrics, another one for each process of a machine; keep it private"},
	{"OTEL_EXPORTER_OTLP_ENDPOINT", "", "where traces go, by OTLP over HTTP, e.g. http://collector:4318; empty makes none. The other OTEL_ variables of OpenTelemetry hold as well"},
	{"OTEL_TRACES_SAMPLER", "parentbased_always_on", "which requests are traced, e.g. parentbased_traceidratio"},
	{"OTEL_TRACES_SAMPLER_ARG", "1.0", "its share of all requests, e.g. 0.1"},
	{"OTEL_EXPORTER_OTLP_HEADERS", "", "what the collector wants to see, `name=value,…`"},
	{"OTEL_SERVICE_NAME", "welovevoucher-api, welovevoucher-worker", "the name in traces"},
	{"PUBLIC_URL", "http://localhost:8080", "the platform's own address; organisations live on hosts below it or on their own"},
	{"LOG_LEVEL", "info", "debug, info, warn or error"},
	{"LOG_CONSOLE", "false", "true writes logs for a person instead of JSON"},
	{"DATABASE_URL", "", "Postgres of the node `main`, as the login role that owns nothing (required)"},
	{"DATABASE_NODES", "", "more nodes, one `name=url` a line"},
	{"MIGRATE_URL", "", "the same node as the role that owns schemas; only `migrate` and `worker` need it"},
	{"MIGRATE_NODES", "", "more nodes for that role, one `name=url` a line"},
	{"DATABASE_POOL", "16", "connections per node and process, which has one more of the node `main`"},
	{"REDIS_URL", "", "Redis for hints, limits and fan-out (required); losing it loses nothing"},
	{"MASTER_KEY", "", "32 bytes in base64: encrypts secrets in the database, peppers passwords (required)"},
	{"S3_ENDPOINT", "", "S3-compatible store for pictures and reports; empty means OBJECT_DIR"},
	{"S3_BUCKET", "welovevoucher", "its bucket"},
	{"S3_REGION", "ap-southeast-1", "its region"},
	{"S3_ACCESS_KEY", "", "its access key"},
	{"S3_SECRET_KEY", "", "its secret key"},
	{"OBJECT_DIR", ".data/objects", "folder for objects when no S3 is configured"},
	{"LINE_API_URL", "https://api.line.me", "LINE's API"},
	{"LINE_ACCESS_URL", "https://access.line.me", "LINE's login pages"},
	{"LINE_LIFF_URL", "https://liff.line.me", "where LIFF links lead"},
	{"LINE_CHANNEL_ID", "", "the platform's own LINE Login channel, by which admins sign in; empty leaves them their passwords"},
	{"LINE_CHANNEL_SECRET", "", "its secret"},
	{"OMISE_API_URL", "https://api.omise.co", "payment gateway"},
	{"OMISE_VAULT_URL", "https://vault.omise.co", "where browsers tokenise cards"},
	{"OMISE_PUBLIC_KEY", "", "the platform's own gateway account, which collects for organisations without keys of their own; empty leaves these unpayable. The gateway calls back below PUBLIC_URL, the real one only by https"},
	{"OMISE_SECRET_KEY", "", "its secret key"},
	{"OMISE_WEBHOOK_SECRET", "", "the secret it signs webhooks with, in base64 as its dashboard shows it"},
	{"SMS_URL", "", "gateway for one-time passwords; without one none is sent"},
	{"SMS_TOKEN", "", "its bearer token"},
	{"SMTP_URL", "", "mail server, `smtps://user:password@host:465`, or `smtp://` with STARTTLS; without one no e-mail is sent, no receipt is offered by e-mail, and a lost password is set by LINE or by who manages accounts"},
	{"MAIL_FROM", "", "the address that e-mail comes from (required with SMTP_URL)"},
	{"TRUSTED_PROXIES", "", "comma-separated addresses whose X-Forwarded-* headers are believed"},
	{"SHUTDOWN_DRAIN", "5s", "how long the API goes on after SIGTERM, so that the proxy turns away first: `/api/health` answers 503. Longer than the proxy takes to see that"},
	{"SHUTDOWN_GRACE", "10s", "how long the program may take to stop, the notice included: then it leaves what is still in flight. Shorter than what kills it"},
}

// Load reads the environment. Its error names every variable that is missing or wrong, never a value.
func Load() (Config, error) {
	r := reader{defaults: map[string]string{}}
	for _, v := range Variables {
		r.defaults[v.Name] = v.Default
	}

	c := Config{
		Port:         r.number("PORT"),
		MetricsAddr:  r.text("METRICS_ADDR"),
		Traces:       r.text("OTEL_EXPORTER_OTLP_ENDPOINT") != "",
		PublicURL:    strings.TrimSuffix(r.required("PUBLIC_URL"), "/"),
		LogLevel:     r.text("LOG_LEVEL"),
		LogConsole:   r.text("LOG_CONSOLE") == "true",
		Nodes:        r.nodes("DATABASE_URL", "DATABASE_NODES"),
		MigrateNodes: r.nodes("MIGRATE_URL", "MIGRATE_NODES"),
		PoolSize:     r.number("DATABASE_POOL"),
		RedisURL:     r.required("REDIS_URL"),
		MasterKey:    r.key("MASTER_KEY"),
		S3: S3{
			Endpoint: r.text("S3_ENDPOINT"), Bucket: r.text("S3_BUCKET"), Region: r.text("S3_REGION"),
			AccessKey: r.text("S3_ACCESS_KEY"), SecretKey: r.text("S3_SECRET_KEY"),
		},
		ObjectDir: r.text("OBJECT_DIR"),
		Line: Line{
			APIURL: r.text("LINE_API_URL"), AccessURL: r.text("LINE_ACCESS_URL"), LIFFURL: r.text("LINE_LIFF_URL"),
			ChannelID: r.text("LINE_CHANNEL_ID"), ChannelSecret: r.text("LINE_CHANNEL_SECRET"),
		},
		Pay: Pay{
			APIURL: r.text("OMISE_API_URL"), VaultURL: r.text("OMISE_VAULT_URL"),
			PublicKey: r.text("OMISE_PUBLIC_KEY"), SecretKey: r.text("OMISE_SECRET_KEY"), WebhookSecret: r.text("OMISE_WEBHOOK_SECRET"),
		},
		SMS:           SMS{URL: r.text("SMS_URL"), Token: r.text("SMS_TOKEN")},
		Mail:          Mail{URL: r.text("SMTP_URL"), From: r.text("MAIL_FROM")},
		ShutdownDrain: r.duration("SHUTDOWN_DRAIN"),
		ShutdownGrace: r.duration("SHUTDOWN_GRACE"),
	}
	if proxies := r.text("TRUSTED_PROXIES"); proxies != "" {
		c.TrustedProxies = strings.Split(proxies, ",")
	}
	if keys := c.Pay; (keys.PublicKey == "") != (keys.SecretKey == "") || (keys.SecretKey == "") != (keys.WebhookSecret == "") {
		r.failf("OMISE_PUBLIC_KEY, OMISE_SECRET_KEY and OMISE_WEBHOOK_SECRET belong together")
	}
	if c.ShutdownDrain >= c.ShutdownGrace {
		r.failf("SHUTDOWN_DRAIN must be shorter than SHUTDOWN_GRACE")
	}
	if len(c.Nodes) == 0 {
		r.failf("DATABASE_URL is required")
	}
	return c, errors.Join(r.errs...)
}

type reader struct {
	defaults map[string]string
	errs     []error
}

func (r *reader) failf(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(format, args...))
}

func (r *reader) text(name string) string {
	def, known := r.defaults[name]
	if !known {
		panic("config: " + name + " is not in Variables")
	}
	if v := strings.TrimSpace(os.Getenv(name)); v != "" {
		return v
	}
	return def
}

func (r *reader) required(name string) string {
	v := r.text(name)
	if v == "" {
		r.failf("%s is required", name)
	}
	return v
}

func (r *reader) number(name string) int {
	n, err := strconv.Atoi(r.text(name))
	if err != nil || n <= 0 {
		r.failf("%s must be a positive number", name)
	}
	return n
}

func (r *reader) duration(name string) time.Duration {
	d, err := time.ParseDuration(r.text(name))
	if err != nil || d < 0 {
		r.failf("%s must be a duration such as 10s", name)
	}
	return d
}

func (r *reader) key(name string) []byte {
	k, err := base64.StdEncoding.DecodeString(r.required(name))
	if err != nil || len(k) != 32 {
		r.failf("%s must be 32 bytes in base64", name)
	}
	return k
}

func (r *reader) nodes(main, more string) map[string]string {
	nodes := map[string]string{}
	if url := r.text(main); url != "" {
		nodes["main"] = url
	}
	for line := range strings.SplitSeq(r.text(more), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, url, ok := strings.Cut(line, "=")
		if !ok || name == "" || url == "" {
			r.failf("%s must hold name=url lines", more)
			continue
		}
		nodes[name] = url
	}
	return nodes
}
