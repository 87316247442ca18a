//go:build unix

package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// Watch returns a context that ends when we shall: by Ctrl-C, or when whoever started us is gone.
func Watch() (ctx context.Context, stop func()) {
	ctx, unhear := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	go watchParent(ctx, cancel)
	return ctx, func() { cancel(); unhear() }
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

// began names the variable by which a command passes on to the next one when it all began.
const began = "DEV_BEGAN"

// Steps returns what says what happens now, and after how long.
func Steps() func(what string) {
	start := time.Now()
	if ms, err := strconv.ParseInt(os.Getenv(began), 10, 64); err == nil {
		start = time.UnixMilli(ms)
	}
	return func(what string) { fmt.Printf("%5.1fs  %s\n", time.Since(start).Seconds(), what) }
}

// Began is our environment for a command that goes on where we stop, since start.
func Began(start time.Time) []string {
	return append(os.Environ(), began+"="+strconv.FormatInt(start.UnixMilli(), 10))
}
