// Command line runs the LINE emulator alone. `make dev` runs it in process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"welovevoucher/tools/line"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8082", "address for plain HTTP")
	secure := flag.String("tls", "127.0.0.1:8442", "address for LINE's own hosts over TLS; empty for none")
	dir := flag.String("dir", "", "folder that keeps people and channels; empty keeps nothing")
	adopt := flag.Bool("adopt", false, "take unknown channels as registered")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, *addr, *secure, line.Options{Dir: *dir, Adopt: *adopt}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr, secure string, o line.Options) error {
	emulator, err := line.New(o)
	if err != nil {
		return err
	}
	certificate, err := line.TLS()
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	serve := func(addr string, start func(*http.Server, net.Listener) error) error {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return fmt.Errorf("LINE emulator: %w", err)
		}
		server := &http.Server{Handler: emulator.Handler(), TLSConfig: certificate, ReadHeaderTimeout: 5 * time.Second}
		group.Go(func() error {
			if err := start(server, l); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
		group.Go(func() error {
			<-ctx.Done()
			return server.Close()
		})
		return nil
	}
	if err := serve(addr, func(s *http.Server, l net.Listener) error { return s.Serve(l) }); err != nil {
		return err
	}
	if secure != "" {
		if err := serve(secure, func(s *http.Server, l net.Listener) error { return s.ServeTLS(l, "", "") }); err != nil {
			return err
		}
	}
	fmt.Println("LINE emulator on http://" + addr)
	return group.Wait()
}
