//go:build unix

// Command start is the beginning of `make dev`. On a new machine most of the time goes into compiling and into fetching npm's
// packages, so both are done at once; for that it is linked from little itself. Then it becomes the command dev.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"welovevoucher/tools/dev/machine"
)

// dev is what it becomes.
const dev = ".cache/bin/dev"

func main() {
	start := time.Now()
	ctx, stop := machine.Watch()
	err := prepare(ctx)
	stop()
	if err == nil {
		err = syscall.Exec(dev, []string{dev}, machine.EnvWithStart(start))
	}
	if !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "\n"+machine.OrFull(err).Error())
		os.Exit(1)
	}
}

func prepare(ctx context.Context) error {
	release, err := machine.Lock(machine.Home)
	if err != nil {
		return err
	}
	defer release()
	if _, err := machine.Check(); err != nil {
		return err
	}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error { return machine.InstallModules(ctx, machine.StepPrinter()) })
	both.Go(func() error { return machine.Compile(ctx, "-o", dev, "./tools/dev") })
	return both.Wait()
}
