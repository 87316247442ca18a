//go:build unix

// Command dev is `make dev`: the whole platform on this machine, with everything outside of it imitated. It needs Go, Node with npm,
// and make. What it keeps is in .data; stop it with Ctrl-C. Make has it compiled by the command start beside it.
//
// With arguments it runs the program's own command beside a platform that is running: `go run ./tools/dev audit ledger`.
//
// PORT moves it. DATABASE_URL with MIGRATE_URL, REDIS_URL, S3_ENDPOINT, LINE_API_URL, OMISE_API_URL, SMS_URL or SMTP_URL take something else
// than what is started here.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"welovevoucher/tools/dev/machine"
	"welovevoucher/tools/repo"
)

func main() {
	ctx, stop := machine.Watch()
	defer stop()
	root, err := repo.Root()
	if err == nil {
		err = os.Chdir(root)
	}
	switch args := os.Args[1:]; {
	case err != nil:
	case len(args) > 0:
		err = runCommand(ctx, args)
	default:
		err = run(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "\n"+machine.OrFull(err).Error())
		os.Exit(1)
	}
}
