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

// Watch returns a context that ends at Ctrl-C, or when the parent process ends.
func Watch() (ctx context.Context, stop func()) {
	ctx, stopSignals := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	go watchParent(ctx, cancel)
	return ctx, func() { cancel(); stopSignals() }
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

// startedAtEnv names the variable by which a command says to the next one when the first began.
const startedAtEnv = "DEV_BEGAN"

// StepPrinter returns a function that prints what happens now, and how long after the start.
func StepPrinter() func(what string) {
	start := time.Now()
	if ms, err := strconv.ParseInt(os.Getenv(startedAtEnv), 10, 64); err == nil {
		start = time.UnixMilli(ms)
	}
	return func(what string) { fmt.Printf("%5.1fs  %s\n", time.Since(start).Seconds(), what) }
}

// EnvWithStart returns this process's environment, with the start, for a command that goes on where it stops.
func EnvWithStart(start time.Time) []string {
	return append(os.Environ(), startedAtEnv+"="+strconv.FormatInt(start.UnixMilli(), 10))
}
