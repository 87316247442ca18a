//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"welovevoucher/tools/demo"
	"welovevoucher/tools/dev/machine"
	"welovevoucher/tools/process"
)

func run(ctx context.Context) (err error) {
	step := machine.StepPrinter()
	release, err := machine.Lock(machine.Home)
	if err != nil {
		return err
	}
	defer release()
	port, err := machine.Check()
	if err != nil {
		return err
	}

	w := &world{public: "http://localhost:" + strconv.Itoa(port), port: port, step: step}
	defer func() { err = errors.Join(err, w.stop()) }()

	building, both := errgroup.WithContext(ctx)
	building.Go(func() error {
		if err := machine.InstallModules(both, step); err != nil {
			return err
		}
		building.Go(func() error { return w.startOutside(ctx) }) // Postgres is one of the packages
		return buildApps(both, step)
	})
	// Compiles meanwhile nearly all that the program is linked from; it holds the apps, so it comes after them.
	building.Go(func() error { return machine.Compile(both, "./api/...", "./workers/...") })
	if err := building.Wait(); err != nil {
		return err
	}
	step("building the program")
	if err := machine.Compile(ctx, "-o", program, "."); err != nil {
		return err
	}

	step("bringing the database up to date")
	if err := process.Run(ctx, w.env(migrator), program, "migrate"); err != nil {
		return err
	}
	if err := w.openLog(); err != nil {
		return err
	}
	if err := w.startProgram(); err != nil {
		return err
	}
	if err := w.healthy(ctx); err != nil {
		return err
	}
	if err := w.writeEnvironmentFile(); err != nil {
		return err
	}
	accounts, err := w.loadDemo(ctx)
	if err != nil {
		return err
	}
	step("ready")
	w.print(accounts)
	return w.wait(ctx)
}

// loadDemo fills the platform where nobody can be harmed by it: beside the imitated LINE and gateway.
func (w *world) loadDemo(ctx context.Context) ([]demo.Account, error) {
	if w.line == "" || w.pay == "" {
		return nil, nil
	}
	w.step("loading demo data")
	accounts, err := demo.Load(ctx, demo.Options{
		BaseURL: w.public, LineURL: w.line, PayURL: w.pay, Program: program, Environment: w.env(migrator), Dir: filepath.Join(machine.Home, "demo"),
	})
	if err != nil {
		return nil, fmt.Errorf("load demo data: %w", err)
	}
	return accounts, nil
}

// healthy waits until the API answers that every part of it works.
func (w *world) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.public+"/api/health", nil)
		if err != nil {
			return err
		}
		if res, err := http.DefaultClient.Do(req); err == nil {
			if err := res.Body.Close(); err != nil {
				return err
			}
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the API did not become healthy: %w", ctx.Err())
		case end := <-w.ended:
			return end
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// wait returns when the person stops us, or when something that must run has ended.
func (w *world) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case end := <-w.ended:
		return end
	}
}

func (w *world) print(accounts []demo.Account) {
	fmt.Printf("\n  Platform        %s\n", w.public)
	fmt.Printf("  Administration  %s/advwsadmin\n", w.public)
	for _, a := range accounts {
		fmt.Printf("  %-15s %s\n", a.Area, a.URL)
		if a.SignIn != "" {
			fmt.Printf("  %-15s %s\n", "", a.SignIn)
		}
	}
	if w.line != "" {
		fmt.Printf("\n  LINE, imitated     %s\n", w.line)
	}
	if w.pay != "" {
		fmt.Printf("  Payments, imitated %s/emulator/  (press there to pay a QR code)\n", w.pay)
	}
	if w.sms != "" {
		fmt.Printf("  Text messages      %s/emulator/messages\n", w.sms)
	}
	if w.mail != "" {
		fmt.Printf("  Mail               %s\n", w.mail)
	}
	if w.database != nil {
		if here, err := filepath.Abs(filepath.Join(machine.Home, "postgres")); err != nil || here != w.database.Dir {
			fmt.Printf("  Postgres's data    %s  (the user nobody cannot enter this folder)\n", w.database.Dir)
		}
	}
	fmt.Printf("\n  Log of requests    %s  (warnings and errors are shown here as well)\n", logFile())
	fmt.Print("\n  Ctrl-C stops everything. Data stays in " + machine.Home + ".\n\n")
}
