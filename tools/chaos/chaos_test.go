// Package chaos does to the platform what the world will: everything at once, twice, late, in the wrong order, and with
// the plug pulled. `make chaos SUITE=walk N=50000` runs a suite for long; `make test` runs the beginning of each.
//
// The invariants are those of trust-rules.md, D. market.Audit holds I1 to I4, I6 to I8, I10 and I13; the walk's model I5,
// I7, I9 and I14; the histories I2, I3, I6 and I7 with everybody at once; tools/apart I12 and I15; the kills I11 and I14.
package chaos

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// suite is one kind of harm, done n times over, in rounds that can be interrupted: a long run writes each round down, and
// the next one goes on where it ended, as long as the code is the same.
type suite struct {
	t       *testing.T
	name    string
	n, done int
	commit  string // "" when nothing is written down
	seed    uint64
}

// result is a line of the file that long runs append to.
type result struct {
	At     time.Time `json:"at"`
	Suite  string    `json:"suite"`
	Commit string    `json:"commit"`
	Seed   uint64    `json:"seed"`
	Did    int       `json:"did"`
	Failed bool      `json:"failed"`
}

const results = "../../.cache/chaos/results.jsonl"

// begin reads how long a suite should run: CHAOS_N times, or as short as every test.
func begin(t *testing.T, name string, short int) *suite {
	t.Helper()
	s := &suite{t: t, name: name, n: short}
	if n := os.Getenv("CHAOS_N"); n != "" {
		var err error
		s.n, err = strconv.Atoi(n)
		require.NoError(t, err, "CHAOS_N")
		s.commit = commit(t)
		if !strings.HasSuffix(s.commit, "-dirty") { // else nobody knows which code it was
			s.done = s.before()
		}
	}
	t.Cleanup(func() { t.Logf("%s: %d of %d, last seed %d", name, s.done, s.n, s.seed) })
	return s
}

// more says whether the suite goes on, and chooses the next round's seed.
func (s *suite) more() bool {
	s.seed = rand.Uint64N(1<<63) + 1
	return s.done < s.n && !s.t.Failed()
}

// round runs one round under its seed and counts what it did; a round that fails is written down as such.
func (s *suite) round(do func(t *testing.T, seed uint64) (did int)) {
	s.t.Helper()
	did := 0
	passed := s.t.Run(strconv.FormatUint(s.seed, 10), func(t *testing.T) { did = do(t, s.seed) })
	s.done += max(did, 1)
	if s.commit != "" {
		s.write(result{At: time.Now().UTC(), Suite: s.name, Commit: s.commit, Seed: s.seed, Did: did, Failed: !passed})
	}
}

func (s *suite) before() (done int) {
	file, err := os.Open(results)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(s.t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r result
		require.NoError(s.t, json.Unmarshal(lines.Bytes(), &r))
		if r.Suite == s.name && r.Commit == s.commit && !r.Failed {
			done += r.Did
		}
	}
	return done
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
