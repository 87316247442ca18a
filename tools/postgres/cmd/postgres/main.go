//go:build unix

// Command postgres runs another command beside a Postgres that is thrown away afterwards:
//
//	go run ./tools/postgres/cmd/postgres -- go test ./...
//
// With -durable its commits survive a power failure, as they must where something is measured.
// The command finds the addresses of the superuser, of the program's login and of the schemas' owner in
// DATABASE_URL_SUPERUSER, DATABASE_URL and MIGRATE_URL, and those of a second node in the same names ending in _B. The exit status is the command's own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"welovevoucher/tools/postgres"
)

func main() {
	durable := flag.Bool("durable", false, "let commits survive a power failure")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: postgres [-durable] -- command [argument …]")
		os.Exit(2)
	}

	status, err := run(*durable, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(status)
}

func run(durable bool, args []string) (status int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()

	env := os.Environ()
	for _, suffix := range []string{"", "_B"} { // two nodes, so that placement is tried for real
		added, stopNode, err := node(ctx, suffix, durable)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, stopNode()) }()
		env = append(env, added...)
	}

	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = env
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }

	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	} else if err != nil {
		return 0, fmt.Errorf("run %s: %w", args[0], err)
	}
	return 0, nil
}

// node starts one server in a folder of its own and returns the variables that lead to it.
func node(ctx context.Context, suffix string, durable bool) (env []string, stop func() error, err error) {
	dir, err := os.MkdirTemp("", "welovevoucher-postgres-")
	if err != nil {
		return nil, nil, fmt.Errorf("folder for Postgres: %w", err)
	}
	server, err := postgres.Start(ctx, postgres.Options{Dir: dir, Durable: durable})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop = func() error { return errors.Join(server.Stop(), os.RemoveAll(server.Dir), os.RemoveAll(dir)) }

	app, migrate, err := postgres.Bootstrap(ctx, server.URL())
	if err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return []string{
		"DATABASE_URL_SUPERUSER" + suffix + "=" + server.URL(), "DATABASE_URL" + suffix + "=" + app, "MIGRATE_URL" + suffix + "=" + migrate,
	}, stop, nil
}
