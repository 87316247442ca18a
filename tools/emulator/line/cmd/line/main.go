// Command line runs the LINE emulator alone. `make dev` runs it in process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sync/errgroup"

	"welovevoucher/tools/emulator"
	"welovevoucher/tools/emulator/line"
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
	e, err := line.New(o)
	if err != nil {
		return err
	}
	certificate, err := line.TLS()
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return emulator.ListenAndServe(ctx, addr, e.Handler(), nil) })
	if secure != "" {
		group.Go(func() error { return emulator.ListenAndServe(ctx, secure, e.Handler(), certificate) })
	}
	fmt.Println("LINE emulator on http://" + addr)
	return group.Wait()
}
