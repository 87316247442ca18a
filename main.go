// Command welovevoucher is the platform: API, workers and the tools of its operators in one binary.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // where the system has no certificates of authorities, as an image from scratch
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	root := &cobra.Command{
		Use:           "welovevoucher",
		Short:         "Vouchers, packages and member cards for organisations whose customers live in LINE",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(os.Stdout)
	root.AddCommand(apiCommand(), workerCommand(), migrateCommand(), orgCommand(), adminCommand(), auditCommand(), rollupCommand(), overviewCommand(), jobCommand(),
		configCommand(), openapiCommand(), modulesCommand(), faultsCommand())
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "welovevoucher:", err)
		stop()
		os.Exit(1)
	}
}
