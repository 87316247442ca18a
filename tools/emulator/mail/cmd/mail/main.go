// Command mail runs the mail server's emulator alone. `make dev` runs it in process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"welovevoucher/tools/emulator"
	"welovevoucher/tools/emulator/mail"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8086", "address of the page")
	smtp := flag.String("smtp", "127.0.0.1:8087", "address of the mail server")
	flag.Parse()

	if err := run(*addr, *smtp); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(addr, smtp string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	l, err := net.Listen("tcp", smtp)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	server := mail.New()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	fmt.Println("mail server on smtp://" + smtp + ", what it took on http://" + addr)
	err = emulator.ListenAndServe(ctx, addr, server.Handler(), nil)
	return errors.Join(err, l.Close(), <-ended)
}
