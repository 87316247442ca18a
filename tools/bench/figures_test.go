// Package bench measures the platform against a yardstick that stands beside it, in one run on the machine at hand:
// `make bench`. A figure is a ratio. Yardstick and platform take turns, some seconds each and several times over, so
// that whatever else the machine does falls on both; the middle of the rounds counts.
package bench

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

var (
	window = flag.Duration("window", 4*time.Second, "how long one side is measured at a time")
	rounds = flag.Int("rounds", 5, "how often both sides take turns")
)

// act does one operation as the nth of several clients.
type act func(client int) error

// run is what one side did in a window.
type run struct {
	perSecond float64
	p99       time.Duration
}

// drive lets clients act one after the other for a window, each on its own.
func drive(b *testing.B, clients int, d time.Duration, do act) run {
	b.Helper()
	var waiting sync.WaitGroup
	took, failed := make([][]time.Duration, clients), make([]error, clients)
	start := time.Now()
	for client := range clients {
		waiting.Go(func() {
			for time.Since(start) < d {
				began := time.Now()
				if failed[client] = do(client); failed[client] != nil {
					return
				}
				took[client] = append(took[client], time.Since(began))
			}
		})
	}
	waiting.Wait()
	elapsed := time.Since(start)
	if err := errors.Join(failed...); err != nil {
		b.Fatal(err)
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	return run{perSecond: float64(len(all)) / elapsed.Seconds(), p99: all[len(all)*99/100]}
}

// compared is what came of two sides' turns.
type compared struct {
	speed, slowest []float64 // of each round: ours ÷ yardstick, operations a second and p99
	yard, ours     run       // of the middle round by speed
}

// compare lets yardstick and platform take turns, after a turn of each that does not count.
func compare(b *testing.B, clients int, yard, ours act) compared {
	b.Helper()
	drive(b, clients, *window/2, yard)
	drive(b, clients, *window/2, ours)
	type pair struct{ yard, ours run }
	var turns []pair
	for range *rounds {
		turns = append(turns, pair{drive(b, clients, *window, yard), drive(b, clients, *window, ours)})
	}
	slices.SortFunc(turns, func(x, y pair) int {
		return int(1e6 * (x.ours.perSecond/x.yard.perSecond - y.ours.perSecond/y.yard.perSecond))
	})
	middle := turns[len(turns)/2]
	c := compared{yard: middle.yard, ours: middle.ours}
	for _, turn := range turns {
		c.speed = append(c.speed, turn.ours.perSecond/turn.yard.perSecond)
		c.slowest = append(c.slowest, float64(turn.ours.p99)/float64(turn.yard.p99))
	}
	slices.Sort(c.slowest)
	return c
}

// figure is a line of the table. higher says that more is better.
type figure struct {
	name, goal, got, seen string
	met                   bool
}

var figures []figure

// atLeast keeps a ratio that should not fall under its goal, atMost one that should not pass it.
func atLeast(name string, goal float64, rounds []float64, seen string) {
	ratio(name, "≥", goal, rounds, seen, middle(rounds) >= goal)
}

func atMost(name string, goal float64, rounds []float64, seen string) {
	ratio(name, "≤", goal, rounds, seen, middle(rounds) <= goal)
}

func ratio(name, sign string, goal float64, rounds []float64, seen string, met bool) {
	got := fmt.Sprintf("%.2f (%.2f–%.2f)", middle(rounds), rounds[0], rounds[len(rounds)-1])
	figures = append(figures, figure{name, fmt.Sprintf("%s %.2f", sign, goal), got, seen, met})
}

func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if len(figures) > 0 {
		report()
	}
	os.Exit(status)
}

// report prints the table, which docs/figures.md shows as it is.
func report() {
	fmt.Printf("\n%s, %s/%s, %d cores; %d rounds of %s\n\n", time.Now().UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), *rounds, *window)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| Figure\t| Goal\t| Reached (least–most)\t| \t| Seen\t|")
	fmt.Fprintln(table, "| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, f := range figures {
		met := "missed"
		if f.met {
			met = "reached"
		}
		fmt.Fprintf(table, "| %s\t| %s\t| %s\t| %s\t| %s\t|\n", f.name, f.goal, f.got, met, f.seen)
	}
	if err := table.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
