package chaos

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
)

// cuts are what a network does. Each ends by itself or is taken away after a while.
var cuts = []struct{ name, toxic string }{
	{"is slow", `{"type": "latency", "attributes": {"latency": 2000, "jitter": 500}}`},
	{"resets every connection", `{"type": "reset_peer", "attributes": {"timeout": 0}}`},
	{"swallows answers", `{"type": "timeout", "attributes": {"timeout": 0}}`},
	{"swallows what is said", `{"type": "timeout", "stream": "upstream", "attributes": {"timeout": 0}}`},
	{"ends in the middle of a sentence", `{"type": "limit_data", "attributes": {"bytes": 700}}`},
	{"is away", ""},
}

// longestCut is how long a network stays bad at most.
const longestCut = 4 * time.Second

// TestCuts: the network to Postgres, Redis or the gateway fails while people use the platform, also right after a COMMIT was
// sent, and everybody knows in the end what became of what he asked for.
func TestCuts(t *testing.T) {
	harm(t, "cuts", "1651000004", (*victim).cut, func(dice *rand.Rand) string { return aimCut(dice).String() })
}

// aimCut is the COMMIT whose answer is lost; the zero value is none, because a network is bad for a while.
func aimCut(dice *rand.Rand) (a aim) {
	if dice.IntN(2) == 0 {
		a = aimAt(afterCommit, dice)
	}
	return a
}

// cut makes a network bad for a while, or loses the answer to a COMMIT, and returns when it was over.
func (v *victim) cut(dice *rand.Rand, people *crowd, part *result) (over time.Time) {
	if commit := aimCut(dice); commit.when != "" {
		part.count(commit.String(), 1)
		v.at(commit, people, part, func() { over = time.Now() })
		return over
	}
	what, cut := []string{"postgres", "redis", "gateway"}[dice.IntN(3)], cuts[dice.IntN(len(cuts))]
	v.T.Logf("the network to %s %s", what, cut.name)
	part.count("the network to "+what, 1)
	part.count("it "+cut.name, 1)
	v.nets.spoil(what, cut.toxic)
	time.Sleep(time.Duration(dice.Int64N(int64(longestCut))))
	v.nets.mend(what, dice.IntN(2) == 0)
	return time.Now()
}

// nets are the networks between the program and what it talks to, by what that is.
type nets struct {
	t      testing.TB
	server *toxiproxy.ApiServer
	all    map[string]*toxiproxy.Proxy
}

func newNets(t testing.TB) *nets {
	return &nets{t: t, server: toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop()), all: map[string]*toxiproxy.Proxy{}}
}

// through is an address whose words go over the network to what is there.
func (n *nets) through(what, address string) string {
	u, err := url.Parse(address)
	require.NoError(n.t, err)
	if n.all[what] == nil {
		p := toxiproxy.NewProxy(n.server, what, "127.0.0.1:0", u.Host)
		require.NoError(n.t, p.Start())
		n.t.Cleanup(p.Stop)
		n.all[what] = p
	}
	u.Host = n.all[what].Listen
	return u.String()
}

// spoil makes a network bad; without a toxic it is away.
func (n *nets) spoil(what, toxic string) {
	if toxic == "" {
		n.all[what].Stop()
		return
	}
	_, err := n.all[what].Toxics.AddToxicJson(strings.NewReader(`{"name": "spoilt", ` + toxic[1:]))
	require.NoError(n.t, err)
}

// mend makes it good again. What it swallowed stays lost, and its connections end, or nobody ever ends them.
func (n *nets) mend(what string, hangUp bool) {
	p := n.all[what]
	p.Toxics.ResetToxics(n.t.Context())
	if hangUp {
		p.Stop()
	}
	if !p.Enabled {
		require.NoError(n.t, p.Start())
	}
}
