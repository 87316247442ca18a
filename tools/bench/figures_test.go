// Package bench measures the platform against a yardstick that stands beside it, in one run on the machine at hand:
// `make bench`, or one row of its table by `make bench ROW=purchase`. A figure is a ratio or a count. Yardstick and
// platform take turns, some seconds each and several times over, so that whatever else the machine does falls on both;
// the middle of the rounds counts. The platform runs as README.md says to deploy it: processes of its own, a durable
// Postgres, a Redis, limits, consent and logs as they are.
package bench

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

var (
	window = flag.Duration("window", 4*time.Second, "how long one side is measured at a time")
	rounds = flag.Int("rounds", 5, "how often both sides take turns")
	seed   = flag.Uint64("seed", rand.Uint64N(1<<53), "of what is chosen by chance")
)

// act does one operation as the nth of several clients.
type act func(client int) error

// run is what one side did in a window.
type run struct {
	operations int
	perSecond  float64
	p99        time.Duration
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
	return run{len(all), float64(len(all)) / elapsed.Seconds(), all[len(all)*99/100]}
}

// compared is what came of two sides' turns.
type compared struct {
	speed, slowest []float64 // of each round: ours ÷ yardstick, operations a second and p99
	yard, ours     run       // of the middle round by speed
	cost, bare     spent     // of one operation of ours and of the yardstick's, over all rounds
}

// compare lets yardstick and platform take turns, after a turn of each that does not count.
func compare(b *testing.B, clients int, yard, ours act) compared {
	b.Helper()
	drive(b, clients, *window/2, yard)
	drive(b, clients, *window/2, ours)
	type pair struct{ yard, ours run }
	var turns []pair
	var c compared
	var yards, operations int
	for range *rounds {
		var turn pair
		before := place.spent()
		turn.yard = drive(b, clients, *window, yard)
		between := place.spent()
		turn.ours = drive(b, clients, *window, ours)
		c.bare, c.cost = c.bare.plus(between.minus(before)), c.cost.plus(place.spent().minus(between))
		yards, operations = yards+turn.yard.operations, operations+turn.ours.operations
		turns = append(turns, turn)
	}
	c.bare, c.cost = c.bare.over(yards), c.cost.over(operations)
	slices.SortFunc(turns, func(x, y pair) int {
		return int(1e6 * (x.ours.perSecond/x.yard.perSecond - y.ours.perSecond/y.yard.perSecond))
	})
	for _, turn := range turns {
		c.speed = append(c.speed, turn.ours.perSecond/turn.yard.perSecond)
		c.slowest = append(c.slowest, float64(turn.ours.p99)/float64(turn.yard.p99))
	}
	slices.Sort(c.slowest)
	c.yard, c.ours = turns[len(turns)/2].yard, turns[len(turns)/2].ours
	return c
}

func (c compared) String() string {
	return fmt.Sprintf("%.0f of %.0f a second, p99 %s of %s; processor time each: %s, bare postgres %s",
		c.ours.perSecond, c.yard.perSecond, c.ours.p99.Round(time.Millisecond/10), c.yard.p99.Round(time.Millisecond/10),
		c.cost, c.bare.postgres.Round(10*time.Microsecond))
}

// figure is a line of the table, and of the file that runs append to.
type figure struct {
	At      time.Time `json:"at"`
	Commit  string    `json:"commit"`
	Machine string    `json:"machine"`
	Load    string    `json:"load"`
	Seed    uint64    `json:"seed"`
	Name    string    `json:"name"`
	Goal    string    `json:"goal,omitempty"`
	Got     []float64 `json:"got"` // of each round, sorted
	Unit    string    `json:"unit,omitempty"`
	Seen    string    `json:"seen,omitempty"`
	Met     *bool     `json:"met,omitempty"`
}

var figures []figure

// atLeast keeps a figure that should not fall under its goal, atMost one that should not pass it.
func atLeast(name string, goal float64, unit string, rounds []float64, seen string) {
	keep(figure{Name: name, Goal: fmt.Sprintf("≥ %v%s", goal, unit), Got: rounds, Unit: unit, Seen: seen, Met: new(middle(rounds) >= goal)})
}

func atMost(name string, goal float64, unit string, rounds []float64, seen string) {
	keep(figure{Name: name, Goal: fmt.Sprintf("≤ %v%s", goal, unit), Got: rounds, Unit: unit, Seen: seen, Met: new(middle(rounds) <= goal)})
}

// noted keeps a figure that has no goal: it says what another one leaves open.
func noted(name, unit string, rounds []float64, seen string) {
	keep(figure{Name: name, Got: rounds, Unit: unit, Seen: seen})
}

func keep(f figure) {
	f.At, f.Commit, f.Machine, f.Load, f.Seed = time.Now().UTC(), commit(), machine(), load(), *seed
	figures = append(figures, f)
}

func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if len(figures) > 0 {
		if err := errors.Join(table(), remember()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// table prints the figures, as docs/figures.md shows them.
func table() error {
	fmt.Printf("\n%s, commit %s, %s, seed %d; %d rounds of %s\n\n", time.Now().UTC().Format("2006-01-02 15:04"), commit(), machine(), *seed, *rounds, *window)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(out, "| Figure\t| Goal\t| Reached (least–most)\t| \t| Load\t| Seen\t|")
	fmt.Fprintln(out, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, f := range figures {
		goal, met, got := f.Goal, "missed", fmt.Sprintf("%.3g%s", middle(f.Got), f.Unit)
		switch {
		case f.Met == nil:
			goal, met = "–", "–"
		case *f.Met:
			met = "reached"
		}
		if len(f.Got) > 1 {
			got += fmt.Sprintf(" (%.3g–%.3g)", f.Got[0], f.Got[len(f.Got)-1])
		}
		fmt.Fprintf(out, "| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t|\n", f.Name, goal, got, met, f.Load, f.Seen)
	}
	return out.Flush()
}

const results = "../../.cache/bench/results.jsonl"

// remember appends the figures to those of earlier runs.
func remember() error {
	if err := os.MkdirAll(filepath.Dir(results), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(file)
	for _, f := range figures {
		err = errors.Join(err, lines.Encode(f))
	}
	return errors.Join(err, file.Close())
}

// commit names the code that is measured, and says when it is not committed.
var commit = sync.OnceValue(func() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
})

// machine is what the figures were taken on, as far as it says.
var machine = sync.OnceValue(func() string {
	parts := []string{runtime.GOOS + "/" + runtime.GOARCH, fmt.Sprintf("%d cores", runtime.NumCPU())}
	if mb := megabytes("/proc/meminfo", "MemTotal:"); mb > 0 {
		parts = append(parts, fmt.Sprintf("%.0f GB", mb/1024))
	}
	if name := system(); name != "" {
		parts = append(parts, name)
	}
	return strings.Join(append(parts, place.memoryKind()), ", ")
})

// system names the operating system, or nothing.
func system() string {
	text, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, found := strings.CutPrefix(line, "PRETTY_NAME="); found {
			return strings.Trim(name, "\"\n")
		}
	}
	return ""
}

// load is how many wanted a core in the minute before; ours are among them.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
