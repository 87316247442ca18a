package chaos

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/deployment"
	"welovevoucher/tools/stage"
)

// points are the statements at which the eight flows of money and vouchers are killed, and whose process runs them.
var points = []struct{ flow, role, words string }{
	{"a top-up is asked for", "api", "INSERT INTO charge"},
	{"a top-up comes in", "worker", "UPDATE charge SET state = 'captured'"},
	{"a purchase is paid from the wallet", "api", "INSERT INTO transfer"},
	{"a purchase is paid from the wallet", "api", "UPDATE stock"},
	{"an order is placed", "api", "INSERT INTO order_line"},
	{"an order is paid at the gateway", "worker", "UPDATE orders SET state = 'paid'"},
	{"an order is given up", "api", "UPDATE orders SET state = 'expired'"},
	{"a voucher is shown", "api", "INSERT INTO use_session"},
	{"a use is confirmed", "api", "INSERT INTO redemption"},
}

var moments = []moment{before, during, beforeCommit, afterCommit}

// TestKills: the API, the worker, Postgres or Redis is killed while people use the platform, at any time or at a named
// point, and started again: what people were told is there, nothing is there twice, and it is at work again.
func TestKills(t *testing.T) { harm(t, "kills", "1651000003", (*victim).kill) }

// harm does one kind of it to a deployment, again and again.
func harm(t *testing.T, name, channel string, once func(*victim, *testing.T, *rand.Rand) time.Time) {
	harms := begin(t, name, 5)
	v := newVictim(t, name, channel)
	for harms.more() {
		harms.round(func(t *testing.T, part *result) {
			v.suffer(t, part, func(t *testing.T, dice *rand.Rand) time.Time { return once(v, t, dice) })
			part.Did = 1
		})
	}
}

// suffer does harm while people use the platform, and requires that nothing came of it. harm returns when it was done.
func (v *victim) suffer(t *testing.T, part *result, harm func(t *testing.T, dice *rand.Rand) time.Time) {
	v.T = t
	dice := rand.New(rand.NewPCG(part.Seed, 1))
	crowd := gather(v.shop, part.Seed)
	crowd.begin()
	time.Sleep(time.Duration(200+dice.IntN(600)) * time.Millisecond)

	began := harm(t, dice)
	v.atWork(t)
	part.took("until at work again", time.Since(began))
	crowd.end()
	// A job that talked to the outside when its worker died is taken up when Asynq's lease on it has run out.
	require.Eventually(t, func() bool { return len(v.Undone(v.shop)) == 0 }, 2*time.Minute, 100*time.Millisecond, "every job is done")
	part.took("until every answer was known", crowd.longest())
	part.took("until every job was done", time.Since(began))
	crowd.check()
	require.Contains(t, v.Must("audit", "ledger", v.shop.Unique), "the books balance")
}

// victim is a deployment whose every wire is ours: a network that can be bad, and before Postgres a tap for each role.
type victim struct {
	*deployment.Deployment
	redis *deployment.Memory
	taps  map[string]*tap
	nets  *nets
	shop  *stage.Organisation
	probe *stage.Browser // somebody who shows that it is at work
}

func newVictim(t *testing.T, unique, channel string) *victim {
	v := &victim{redis: deployment.NewMemory(t), taps: map[string]*tap{}, nets: newNets(t)}
	v.Deployment = deployment.Start(t, deployment.Options{
		APIs: 1, RedisURL: "redis://" + v.redis.Address(), Durable: true,
		Route: func(role, what, address string) string {
			address = v.nets.through(what, address)
			if what != "postgres" {
				return address
			}
			if v.taps[role] == nil {
				v.taps[role] = newTap(t, address)
			}
			return v.taps[role].through(address)
		},
	})
	v.shop = v.Open(unique, "ร้านที่ล้มแล้วลุก", channel)
	v.shop.Sell(crowdPrice, nil)
	v.probe = v.shop.Customer("somebody who asks whether it works")
	return v
}

// kill ends something at once, starts it again, and returns when it was killed.
func (v *victim) kill(t *testing.T, dice *rand.Rand) (at time.Time) {
	processes := map[string]*deployment.Process{"api": v.APIs[0], "worker": v.Worker}
	if dice.IntN(2) == 0 {
		p := points[dice.IntN(len(points))]
		when := moments[dice.IntN(len(moments))]
		t.Logf("kill -9 of the %s when %s, %s %s", p.role, p.flow, when, p.words)
		v.spring(t, p.role, p.words, when, func() { at = time.Now(); processes[p.role].Kill() })
		v.Again(processes[p.role])
		return at
	}

	at = time.Now()
	switch who := dice.IntN(4); who {
	case 0, 1:
		role := []string{"api", "worker"}[who]
		t.Logf("kill -9 of the %s", role)
		processes[role].Kill()
		v.Again(processes[role])
	case 2:
		t.Log("kill -9 of Postgres")
		v.KillPostgres()
	case 3:
		t.Log("kill -9 of Redis")
		v.redis.Kill()
		v.redis.Start()
	}
	return at
}

// spring does harm when a role comes to a statement.
func (v *victim) spring(t *testing.T, role, words string, when moment, harm func()) {
	t.Helper()
	sprung := v.taps[role].set(words, when, harm)
	select {
	case <-sprung.done:
	case <-time.After(time.Minute):
		require.Fail(t, "nobody came to "+words)
	}
}

// atWork waits until the platform answers, takes money, and its worker credits it.
func (v *victim) atWork(t *testing.T) {
	t.Helper()
	require.Eventually(t, v.Healthy, time.Minute, 50*time.Millisecond, "healthy again")
	v.shop.Rich(v.probe, crowdTopUp)
}
