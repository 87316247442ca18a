// Command pay runs the payment gateway's emulator alone. `make dev` runs it in process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"welovevoucher/tools/emulator"
	"welovevoucher/tools/emulator/omise"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8083", "address")
	dir := flag.String("dir", "", "folder that keeps accounts and charges; empty keeps nothing")
	adopt := flag.Bool("adopt", false, "take unknown keys as an account")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	e, err := omise.New(omise.Options{Dir: *dir, Adopt: *adopt})
	if err == nil {
		fmt.Println("payment gateway's emulator on http://" + *addr + "/emulator/")
		err = emulator.ListenAndServe(ctx, *addr, e.Handler(), nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
