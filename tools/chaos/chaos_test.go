// Package chaos does to the platform what the world will: everything at once, twice, late, in the wrong order, and with
// the plug pulled. `make chaos SUITE=walk N=50000` runs a suite for long; `make test` runs the beginning of each.
//
// The invariants I1 to I15 are those of docs/domain.md. The walk looks at all of them after each step: order.Audit at I1 to I3, I7 to I10 and
// I13, its model at I4 to I10, the seals of the last look at I13, the relay at I11, what was written since at I12, a stranger's call at
// I15. At I14 it looks when Postgres, Redis and what the
// services had in mind are gone, which is one of the steps, and the end of every walk: then all is there that any step was answered. With
// everybody at once the histories look at I2, I3, I6 and I7, the races at I2, I3, I5 and I6, the kills and cuts at I11 and I14, tools/isolation at I12 and I15 in every
// operation.
package chaos

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
)

// suite is one kind of harm, done n times over, in rounds that can be interrupted: a long run writes each round down, and
// the next one goes on where it ended, as long as the code is the same.
type suite struct {
	t      *testing.T
	name   string
	n      int
	commit string // "" when nothing is written down
	seed   uint64
	replay uint64   // one round under this seed, once more
	rounds []result // of this commit
}

// result is one round, and a line of the file that long runs append to.
type result struct {
	At     time.Time          `json:"at"`
	Suite  string             `json:"suite"`
	Commit string             `json:"commit"`
	Seed   uint64             `json:"seed"`
	Did    int                `json:"did"`
	Failed bool               `json:"failed"`
	Kinds  map[string]int     `json:"kinds,omitempty"` // how often each kind of what was done
	Worst  map[string]float64 `json:"worst,omitempty"` // the longest that each thing took, in seconds
}

// count counts some of a kind.
func (r *result) count(kind string, n int) {
	if r.Kinds == nil {
		r.Kinds = map[string]int{}
	}
	r.Kinds[kind] += n
}

// took keeps how long something took, if it is the longest.
func (r *result) took(what string, d time.Duration) {
	if r.Worst == nil {
		r.Worst = map[string]float64{}
	}
	r.Worst[what] = max(r.Worst[what], d.Seconds())
}

const results = "../../.cache/chaos/results.jsonl"

// begin reads how long a suite should run: CHAOS_N times, or as short as every test; CHAOS_SEED runs one round under that
// seed once more.
func begin(t *testing.T, name string, short int) *suite {
	t.Helper()
	s := &suite{t: t, name: name, n: short}
	if n := os.Getenv("CHAOS_N"); n != "" {
		var err error
		s.n, err = strconv.Atoi(n)
		require.NoError(t, err, "CHAOS_N")
		s.commit = commit(t)
		s.before()
	}
	if seed := os.Getenv("CHAOS_SEED"); seed != "" {
		var err error
		s.replay, err = strconv.ParseUint(seed, 10, 64)
		require.NoError(t, err, "CHAOS_SEED")
	}
	t.Cleanup(s.end)
	return s
}

// more says whether the suite goes on, and chooses the next round's seed.
func (s *suite) more() bool {
	if s.replay != 0 {
		again := s.seed != s.replay
		s.seed = s.replay
		return again
	}
	s.seed = rand.Uint64N(1<<63) + 1
	return s.done() < s.n && !s.t.Failed()
}

// prefer draws the next round's seed again as long as what it chooses was done before, so that every kind has its turn.
func (s *suite) prefer(kind func(seed uint64) string) {
	if s.replay != 0 {
		return
	}
	done := sum(s.rounds).Kinds
	for range 1000 {
		if done[kind(s.seed)] == 0 {
			return
		}
		s.seed = rand.Uint64N(1<<63) + 1
	}
}

// round runs one round under its seed; what it did goes into its result. A round that fails is written down as such.
func (s *suite) round(do func(t *testing.T, r *result)) {
	s.t.Helper()
	r := result{Suite: s.name, Commit: s.commit, Seed: s.seed}
	r.Failed = !s.t.Run(strconv.FormatUint(s.seed, 10), func(t *testing.T) { do(t, &r) })
	r.At = time.Now().UTC()
	s.rounds = append(s.rounds, r)
	if s.commit != "" {
		s.write(r)
	}
}

// together runs some rounds in a part of the test of their own, for what they share.
func (s *suite) together(do func(t *testing.T)) {
	s.t.Helper()
	whole := s.t
	defer func() { s.t = whole }()
	whole.Run("together", func(t *testing.T) { s.t = t; do(t) })
}

// last is the latest round of each seed: one that failed and was run again counts as it ended then.
func last(rounds []result) map[uint64]result {
	last := map[uint64]result{}
	for _, r := range rounds {
		last[r.Seed] = r
	}
	return last
}

// done is how much was done by rounds that did not fail.
func (s *suite) done() int { return sum(s.rounds).Did }

// sum adds rounds up; the longest of each kind of time is the longest of all.
func sum(rounds []result) (total result) {
	for _, r := range last(rounds) {
		if r.Failed {
			total.Failed = true
			continue
		}
		total.Did += r.Did
		for kind, n := range r.Kinds {
			total.count(kind, n)
		}
		for what, seconds := range r.Worst {
			total.took(what, time.Duration(seconds*float64(time.Second)))
		}
	}
	return total
}

// end prints what all rounds of this commit came to, and after a long run what those of every suite did. One that failed in an
// earlier run fails this one too, until its seed has been run again and passed.
func (s *suite) end() {
	for seed, r := range last(s.rounds) {
		if r.Failed {
			s.t.Errorf("%s failed under seed %d; once more: CHAOS_SEED=%d make chaos SUITE=%s N=1", s.name, seed, seed, s.name)
		}
	}
	if len(s.rounds) == 0 {
		return // it did not begin
	}
	total := sum(s.rounds)
	s.t.Logf("%s: %d of %d, seeds up to %d", s.name, total.Did, s.n, s.rounds[len(s.rounds)-1].Seed)
	for _, kind := range slices.Sorted(maps.Keys(total.Kinds)) {
		s.t.Logf("%8d × %s", total.Kinds[kind], kind)
	}
	for _, what := range slices.Sorted(maps.Keys(total.Worst)) {
		s.t.Logf("%8.1f s at most %s", total.Worst[what], what)
	}
	if s.commit != "" {
		require.NoError(s.t, table(os.Stdout, s.commit, recorded(s.t, s.commit)))
	}
}

// goals are the figures of docs/figures.md that the suites are for: how much is to be done without a failure, and what may take how
// long. No test fails for a time.
var goals = []struct {
	suite, figure string
	n             int
	within        map[string]time.Duration
}{
	{"walk", "actions of a random walk against the model, all invariants after each", 50_000, nil},
	{"history", "concurrent histories of wallets and vouchers, judged by porcupine", 5_000, nil},
	{"race", "people at once for one offer, link or ang-pao: as many have it as there is, nobody else paid", 20_000, nil},
	{"kills", "kills, nothing acknowledged lost, nothing doubled", 100, map[string]time.Duration{"until at work again": 30 * time.Second}},
	{"cuts", "network cuts, every unknown outcome known", 50, map[string]time.Duration{"until every answer was known": time.Minute}},
	{"storm", "webhooks, each credited exactly once, none of the forged", 20_000, nil},
	{"flush", "FLUSHALL while working, no job lost", 100, nil},
	{"cart", "random carts of discounts that stack: every sum that of its parts, none below zero", 100_000, nil},
	{"cartoracle", "random carts and what becomes of their vouchers: every sum the oracle's", 100_000, nil},
	{"orderoracle", "random carts that are bought, used, given, refunded, voided, disputed: what is stored the oracle's", 500, nil},
	{"yearoracle", "random years of a payee, what is taxed and withheld of each: every sum the oracle's", 100_000, nil},
	{"payoutoracle", "random histories of agents and their payout runs: every sum, state and balance the oracle's", 500, nil},
	{"payoutkills", "kills of the worker while it computes and books 10,000 payouts, everybody paid once", 20, nil},
	{"scan", "vouchers scanned by 50 scanners, exactly as many uses", 10_000, nil},
}

// table prints what a commit's long runs have come to, suite by suite, as docs/figures.md shows it.
func table(to io.Writer, commit string, rounds []result) error {
	fmt.Fprintf(to, "\n%s, commit %s, %s/%s, %d cores\n\n", time.Now().UTC().Format("2006-01-02 15:04"), commit, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	out := tabwriter.NewWriter(to, 0, 0, 1, ' ', 0)
	fmt.Fprintln(out, "| Figure\t| Goal\t| Done\t| \t| Longest\t| Last seed\t|")
	fmt.Fprintln(out, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, g := range goals {
		var of []result
		for _, r := range rounds {
			if r.Suite == g.suite {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		total, verdict := sum(of), "reached"
		var longest []string
		for _, what := range slices.Sorted(maps.Keys(total.Worst)) {
			text := fmt.Sprintf("%.1f s %s", total.Worst[what], what)
			if limit, ok := g.within[what]; ok {
				text += fmt.Sprintf(" (≤ %.0f s)", limit.Seconds())
				if total.Worst[what] > limit.Seconds() {
					verdict = "missed"
				}
			}
			longest = append(longest, text)
		}
		switch {
		case total.Failed:
			verdict = "failed"
		case total.Did < g.n && verdict == "reached":
			verdict = "not done yet"
		}
		fmt.Fprintf(out, "| %s\t| %d\t| %d\t| %s\t| %s\t| %d\t|\n", g.figure, g.n, total.Did, verdict, strings.Join(longest, "; "), of[len(of)-1].Seed)
	}
	return out.Flush()
}

// before takes up what earlier runs of this code have done.
func (s *suite) before() {
	for _, r := range recorded(s.t, s.commit) {
		if r.Suite == s.name {
			s.rounds = append(s.rounds, r)
		}
	}
}

// recorded are the rounds of all suites that a commit's long runs have written down: none of a dirty one's, because nobody knows which
// code that was.
func recorded(t *testing.T, commit string) (rounds []result) {
	t.Helper()
	if strings.HasSuffix(commit, "-dirty") {
		return nil
	}
	file, err := os.Open(results)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r result
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		if r.Commit == commit {
			rounds = append(rounds, r)
		}
	}
	return rounds
}

func (s *suite) write(r result) {
	require.NoError(s.t, os.MkdirAll(filepath.Dir(results), 0o755))
	file, err := os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(s.t, err)
	defer file.Close()
	require.NoError(s.t, json.NewEncoder(file).Encode(r))
}

// commit names the code that is run, and says when it is not committed.
func commit(t *testing.T) string {
	out, err := exec.CommandContext(t.Context(), "git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// seedRapid makes rapid.Check one round under a seed.
func seedRapid(t *testing.T, seed uint64, steps int) {
	t.Helper()
	for name, value := range map[string]string{"checks": "1", "steps": strconv.Itoa(steps), "seed": strconv.FormatUint(seed, 10)} {
		require.NoError(t, flag.Set("rapid."+name, value))
	}
}
