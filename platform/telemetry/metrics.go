package telemetry

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/zap"
)

// ServeMetrics serves Prometheus metrics at /metrics of a private address, and Go's profiles below /debug/pprof. It returns an
// error if the address is taken: a process without metrics would look healthy.
func ServeMetrics(address string, logger *zap.Logger) (*http.Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("METRICS_ADDR cannot be opened: %w", err)
	}
	logger.Info("metrics", zap.Stringer("address", listener.Addr()))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("telemetry: metrics are served no more", zap.Error(err))
		}
	}()
	return server, nil
}
