//go:build unix

// Command dev is `make dev`: the whole platform on this machine, with everything outside of it imitated. It needs Go, Node with npm,
// and make. What it keeps is in .data; stop it with Ctrl-C.
//
// With arguments it runs the program's own command beside a platform that is running: `go run ./tools/dev audit ledger`.
//
// PORT moves it. DATABASE_URL with MIGRATE_URL, REDIS_URL, S3_ENDPOINT, LINE_API_URL, OMISE_API_URL or SMS_URL take something else
// than what is started here.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"welovevoucher/tools/checkout"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go watchParent(ctx, cancel)

	root, err := checkout.Root()
	if err == nil {
		err = os.Chdir(root)
	}
	switch args := os.Args[1:]; {
	case err != nil:
	case len(args) > 0:
		err = beside(ctx, args)
	default:
		err = run(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "\n"+fullDisk(err).Error())
		os.Exit(1)
	}
}

// watchParent cancels when `go run` is gone, which does not hand on the SIGTERM that ends it, or make.
func watchParent(ctx context.Context, cancel context.CancelFunc) {
	parent := os.Getppid()
	grandparent, err := strconv.Atoi(os.Getenv("MAKE_PID"))
	if err != nil {
		grandparent = parent // not started by make
	}
	for ctx.Err() == nil {
		if os.Getppid() != parent || errors.Is(syscall.Kill(grandparent, 0), syscall.ESRCH) {
			cancel()
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
}
