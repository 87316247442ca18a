package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"welovevoucher/platform/config"
	"welovevoucher/platform/log"
	"welovevoucher/platform/telemetry"
	"welovevoucher/program"
)

// collectAt is how much garbage may lie beside what is in use, in percent, before it is collected. So little is in use that with Go's
// own 100 a ninth of the API's work is collecting; at 250 a thousand sockets would take more than their 60 MB. GOGC overrides it.
const collectAt = 200

// open opens the program as the environment says.
func open(ctx context.Context) (*program.Program, error) {
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
	logger, err := log.New(level, cfg.LogConsole)
	if err != nil {
		return nil, err
	}
	return program.Open(ctx, cfg, logger)
}

func apiCommand() *cobra.Command {
	return &cobra.Command{Use: "api", Short: "Answer HTTP", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) (err error) {
		ctx := cmd.Context()
		defer func() { err = unlessStopped(ctx, err) }()
		p, err := open(ctx)
		if err != nil {
			return err
		}
		defer p.Close()
		stop, err := startTelemetry(ctx, p, "welovevoucher-api", p.DB)
		if err != nil {
			return err
		}
		defer stop()
		a, err := p.NewAPI(dist())
		if err != nil {
			return err
		}
		listener, err := net.Listen("tcp", fmt.Sprintf(":%d", p.Config.Port))
		if err != nil {
			return fmt.Errorf("port %d cannot be opened: %w", p.Config.Port, err)
		}
		debug.FreeOSMemory() // starting takes twice of what resting needs, and Go gives it back in minutes only
		p.Log.Info("listening", zap.Int("port", p.Config.Port), zap.String("url", p.Config.PublicURL))
		return a.Serve(ctx, listener)
	}}
}

func workerCommand() *cobra.Command {
	return &cobra.Command{Use: "worker", Short: "Do the jobs, keep the timetable", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) (err error) {
		ctx := cmd.Context()
		defer func() { err = unlessStopped(ctx, err) }()
		p, err := open(ctx)
		if err != nil {
			return err
		}
		defer p.Close()
		w := p.NewWorker()
		stop, err := startTelemetry(ctx, p, "welovevoucher-worker", p.DB, w.Relay)
		if err != nil {
			return err
		}
		defer stop()
		return w.Run(ctx)
	}}
}

// unlessStopped forgives what was cut off because somebody asked for it: a process may be stopped while it starts.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// startTelemetry lets operators see into this process: traces, and numbers from the collectors beside those that count by themselves.
func startTelemetry(ctx context.Context, p *program.Program, service string, collectors ...prometheus.Collector) (stop func(), err error) {
	prometheus.MustRegister(collectors...)
	flush, err := telemetry.Trace(ctx, service, p.Config.Traces, p.Log)
	if err != nil {
		return nil, err
	}
	numbers, err := telemetry.ServeMetrics(p.Config.MetricsAddr, p.Log)
	if err != nil {
		flush()
		return nil, err
	}
	return func() {
		_ = numbers.Close() // whoever reads them now finds the next process
		flush()
	}, nil
}
