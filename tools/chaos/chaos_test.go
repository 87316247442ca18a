// Package chaos does to the platform what the world will: everything at once, twice, late, in the wrong order, and with
// the plug pulled. `make chaos SUITE=walk N=50000` runs a suite for long; `make test` runs the beginning of each.
//
// The invariants are those of trust-rules.md, D, and the walk looks at all of them after each step: market.Audit at I1 to I4,
// I6 to I8, I10 and I13, its model at I5, I7, I9, I11 and I14, what was written since at I12; Trespass is the step that could
// break I15. With everybody at once the histories look at I2, I3, I6 and I7, the kills and cuts at I11 and I14, tools/apart at
// I12 and I15 in every operation.
package chaos

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
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
		if !strings.HasSuffix(s.commit, "-dirty") { // else nobody knows which code it was
			s.before()
		}
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

// last is the latest round of each seed: one that failed and was run again counts as it ended then.
func (s *suite) last() map[uint64]result {
	last := map[uint64]result{}
	for _, r := range s.rounds {
		last[r.Seed] = r
	}
	return last
}

// done is how much was done by rounds that did not fail.
func (s *suite) done() (n int) {
	for _, r := range s.last() {
		if !r.Failed {
			n += r.Did
		}
	}
	return n
}

// end prints what all rounds of this commit came to. One that failed in an earlier run fails this one too, until its seed
// has been run again and passed.
func (s *suite) end() {
	total := result{}
	for seed, r := range s.last() {
		if r.Failed {
			s.t.Errorf("%s failed under seed %d; once more: CHAOS_SEED=%d make chaos SUITE=%s N=1", s.name, seed, seed, s.name)
		}
		for kind, n := range r.Kinds {
			total.count(kind, n)
		}
		for what, seconds := range r.Worst {
			total.took(what, time.Duration(seconds*float64(time.Second)))
		}
	}
	s.t.Logf("%s: %d of %d, seeds up to %d", s.name, s.done(), s.n, s.rounds[len(s.rounds)-1].Seed)
	for _, kind := range slices.Sorted(maps.Keys(total.Kinds)) {
		s.t.Logf("%8d × %s", total.Kinds[kind], kind)
	}
	for _, what := range slices.Sorted(maps.Keys(total.Worst)) {
		s.t.Logf("%8.1f s at most %s", total.Worst[what], what)
	}
}

func (s *suite) before() {
	file, err := os.Open(results)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	require.NoError(s.t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r result
		require.NoError(s.t, json.Unmarshal(lines.Bytes(), &r))
		if r.Suite == s.name && r.Commit == s.commit {
			s.rounds = append(s.rounds, r)
		}
	}
}

func (s *suite) write(r result) {
	require.NoError(s.t, os.MkdirAll(filepath.Dir(results), 0o750))
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
