// Command sms runs the text-message gateway's emulator alone. `make dev` runs it in process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"welovevoucher/tools/emulator"
	"welovevoucher/tools/emulator/sms"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8084", "address")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	fmt.Println("text-message gateway's emulator on http://" + *addr + "/emulator/messages")
	if err := emulator.ListenAndServe(ctx, *addr, sms.New().Handler(), nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
