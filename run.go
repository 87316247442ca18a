package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"runtime/debug"
	"sync"

	"github.com/gofiber/fiber/v3"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"welovevoucher/api"
	"welovevoucher/api/owner"
	"welovevoucher/api/pages"
	"welovevoucher/api/rest"
	"welovevoucher/migrations"
	"welovevoucher/platform/access"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/line"
	"welovevoucher/platform/log"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/realtime"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/telemetry"
	"welovevoucher/tenants"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
	"welovevoucher/workers"
)

// liffHosts are the addresses that LINE's own script calls, whatever ours are set to.
var liffHosts = []string{"https://api.line.me", "https://access.line.me", "https://liff.line.me", "https://liff-shortcut.line.me"}

// appRole is the login of API and workers; it owns nothing.
const appRole = "wlv_app"

// program is everything that the commands stand on.
type program struct {
	cfg      config.Config
	log      *zap.Logger
	clock    *clock.Clock
	db       *db.DB
	schemas  *db.Schemas // nil without MIGRATE_URL
	redis    *redis.Client
	waker    *queue.Waker
	services *tenants.Services
}

// collectAt is how much garbage may lie beside what is in use, in percent, before it is collected. So little is in use that with Go's
// own 100 a ninth of the API's work is collecting; at 250 a thousand sockets would take more than their 60 MB. GOGC overrides it.
const collectAt = 200

func open(ctx context.Context) (*program, error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	cfg, err := config.Load()
	if err != nil {
		return nil, err
	}
	level, err := zapcore.ParseLevel(cfg.LogLevel)
	if err != nil {
		return nil, errors.New("LOG_LEVEL must be debug, info, warn or error")
	}
	p := &program{cfg: cfg, clock: &clock.Clock{}}
	if p.log, err = log.New(level, cfg.LogConsole); err != nil {
		return nil, err
	}
	options, err := redis.ParseURL(cfg.RedisURL)
	if err != nil {
		return nil, errors.New("REDIS_URL is malformed")
	}
	p.redis = redis.NewClient(options)
	p.waker = queue.NewWaker(p.redis)
	if p.db, err = db.Open(ctx, cfg.Nodes, cfg.PoolSize, p.clock); err != nil {
		return nil, err
	}
	if len(cfg.MigrateURL) > 0 {
		if p.schemas, err = db.OpenSchemas(ctx, cfg.MigrateURL, appRole, migrations.FS); err != nil {
			return nil, err
		}
	}
	return p, p.buildServices(ctx)
}

func (p *program) buildServices(ctx context.Context) error {
	box, err := secret.New(p.cfg.MasterKey)
	if err != nil {
		return err
	}
	host, err := p.platformHost()
	if err != nil {
		return err
	}
	objects, err := blob.Open(ctx, p.cfg)
	if err != nil {
		return err
	}
	p.services, err = tenants.New(tenants.Deps{
		DB: p.db, Schemas: p.schemas, Access: access.New(p.db), SignIns: ratelimit.NewSignIns(p.redis), Limits: ratelimit.New(p.redis), Objects: objects, Files: owner.Exports(), Box: box, Line: line.New(p.cfg.Line), Channel: line.Channel{ID: p.cfg.Line.ChannelID, Secret: p.cfg.Line.ChannelSecret},
		Gateways: charge.GatewayConfig{
			Open: func(k charge.Keys) (payment.Gateway, error) {
				return payment.NewOmise(p.cfg.Pay.APIURL, payment.Keys{Public: k.Public, Secret: k.Secret, Webhook: k.Webhook}), nil
			},
			Platform: charge.Keys{Public: p.cfg.Pay.PublicKey, Secret: p.cfg.Pay.SecretKey, Webhook: p.cfg.Pay.WebhookSecret},
			Vault:    p.cfg.Pay.VaultURL, Hooks: p.cfg.PublicURL + "/api/hook/",
		},
		Domain: host,
	})
	return err
}

func (p *program) platformHost() (string, error) {
	u, err := url.Parse(p.cfg.PublicURL)
	if err != nil || u.Host == "" {
		return "", errors.New("PUBLIC_URL must be an address such as https://example.com")
	}
	return org.CleanHost(u.Host), nil
}

func (p *program) close() {
	p.db.Close()
	if p.schemas != nil {
		p.schemas.Close()
	}
	_ = p.redis.Close() // nothing can be done about it any more
	_ = p.log.Sync()    // a terminal does not support it
}

// health is one check per part that the program cannot work without.
func (p *program) health() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"postgres": p.db.Ping,
		"objects": func(ctx context.Context) error {
			_, err := p.services.Objects.List(ctx, "health")
			return err
		},
		"redis": func(ctx context.Context) error { return p.redis.Ping(ctx).Err() },
	}
}

func apiCommand() *cobra.Command {
	return &cobra.Command{Use: "api", Short: "Answer HTTP", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) (err error) {
		ctx := cmd.Context()
		defer func() { err = unlessStopped(ctx, err) }()
		p, err := open(ctx)
		if err != nil {
			return err
		}
		defer p.close()
		unwatch, err := p.startTelemetry(ctx, "welovevoucher-api", p.db)
		if err != nil {
			return err
		}
		defer unwatch()

		host, err := p.platformHost()
		if err != nil {
			return err
		}
		mux := queue.NewMux(p.db)
		workers.RegisterNotices(mux, p.services, realtime.NewPublisher(p.redis))
		dispatcher := queue.NewDispatcher(mux, p.waker, p.log)
		sockets, door := api.Sockets(p.services, p.redis, host), &rest.Drainer{}
		app, err := api.New(api.Deps{
			Sockets: sockets,
			Log:     p.log, Services: p.services, Dispatcher: dispatcher, PlatformHost: host, PublicURL: p.cfg.PublicURL, Proxies: p.cfg.TrustedProxies,
			Pages: pages.Config{
				Dist: dist(), LineBase: p.cfg.Line.APIURL,
				Connect: append([]string{p.cfg.Line.APIURL, p.cfg.Line.AccessURL, p.cfg.Line.LIFFURL, p.cfg.Pay.VaultURL}, liffHosts...),
				Images:  []string{"https://profile.line-scdn.net", p.cfg.Line.APIURL, p.cfg.Pay.APIURL},
			},
			Health: p.health(), Door: door,
		})
		if err != nil {
			return err
		}
		// A stop ends none of these: until the last request is over, changes must be received, sockets read and notices sent.
		open, closeSockets := context.WithCancel(context.WithoutCancel(ctx))
		defer closeSockets()
		serving, stop := context.WithCancel(context.WithoutCancel(ctx))
		var beside sync.WaitGroup
		defer beside.Wait()
		defer stop()
		beside.Go(func() { dispatcher.Run(serving) })
		beside.Go(func() { p.db.Listen(log.Into(serving, p.log)) })
		go p.supervise(open, "sockets", sockets.Run)
		debug.FreeOSMemory() // starting takes twice of what resting needs, and Go gives it back in minutes only
		return p.listen(ctx, app, door, closeSockets)
	}}
}

// listen serves until ctx is done, then takes its leave: whoever is on the way in is let in, sockets are closed, and requests
// in flight finish.
func (p *program) listen(ctx context.Context, app *fiber.App, door *rest.Drainer, closeSockets func()) error {
	listener, err := net.Listen("tcp", fmt.Sprintf(":%d", p.cfg.Port))
	if err != nil {
		return fmt.Errorf("port %d cannot be opened: %w", p.cfg.Port, err)
	}
	done := make(chan error, 1)
	go func() {
		done <- app.Listener(rest.NewListener(listener), fiber.ListenConfig{DisableStartupMessage: true})
	}()
	p.log.Info("listening", zap.Int("port", p.cfg.Port), zap.String("url", p.cfg.PublicURL))
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}

	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.cfg.ShutdownGrace)
	defer cancel()
	// Where the proxy goes on sending all the same, half of the time that is left is for the requests in flight.
	coming, end := context.WithTimeout(grace, (p.cfg.ShutdownDrain+p.cfg.ShutdownGrace)/2)
	defer end()
	p.log.Info("leaving", zap.Duration("notice", p.cfg.ShutdownDrain))
	door.Drain(coming, p.cfg.ShutdownDrain)
	closeSockets() // now, that their next connection finds another process
	return app.ShutdownWithContext(grace)
}

// unlessStopped forgives what was cut off because somebody asked for it: a process may be stopped while it starts.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// supervise runs a part until ctx is done and says so when it stops before.
func (p *program) supervise(ctx context.Context, part string, run func(context.Context) error) {
	if err := run(ctx); err != nil && ctx.Err() == nil {
		p.log.Error("a part has stopped", zap.String("part", part), zap.Error(err))
	}
}

// startTelemetry lets operators see into this process: traces, and numbers from the collectors beside those that count by themselves.
func (p *program) startTelemetry(ctx context.Context, service string, collectors ...prometheus.Collector) (stop func(), err error) {
	prometheus.MustRegister(collectors...)
	flush, err := telemetry.Trace(ctx, service, p.cfg.Traces, p.log)
	if err != nil {
		return nil, err
	}
	numbers, err := telemetry.ServeMetrics(p.cfg.MetricsAddr, p.log)
	if err != nil {
		flush()
		return nil, err
	}
	return func() {
		_ = numbers.Close() // whoever reads them now finds the next process
		flush()
	}, nil
}

// inHand is how many jobs a worker does at once.
var inHand = queue.Workers{Inside: 8, Outside: 8, Long: 2}

func workerCommand() *cobra.Command {
	return &cobra.Command{Use: "worker", Short: "Do the jobs, keep the timetable", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) (err error) {
		defer func() { err = unlessStopped(cmd.Context(), err) }()
		p, err := open(cmd.Context())
		if err != nil {
			return err
		}
		defer p.close()

		mux := queue.NewMux(p.db)
		workers.RegisterJobs(mux, p.services, realtime.NewPublisher(p.redis))
		schedule := queue.NewSchedule(p.db, p.waker, p.log)
		workers.RegisterSchedule(schedule)
		relay := queue.NewRelay(mux, p.redis, p.cfg.MasterKey, p.log)
		unwatch, err := p.startTelemetry(cmd.Context(), "welovevoucher-worker", p.db, relay)
		if err != nil {
			return err
		}
		defer unwatch()
		listening, stop := context.WithCancel(context.WithoutCancel(cmd.Context()))
		var beside sync.WaitGroup
		defer beside.Wait()
		defer stop()
		beside.Go(func() { p.db.Listen(log.Into(listening, p.log)) })
		return workers.Run(cmd.Context(), relay,
			queue.NewServer(mux, p.redis, p.cfg.MasterKey, p.log, inHand), schedule)
	}}
}
