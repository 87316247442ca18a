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

// TestKill: the API, the worker, Postgres or Redis is killed while people use the platform, at any time or at a named
// point, and started again: what people were told is there, nothing is there twice, and it is at work again.
func TestKill(t *testing.T) {
	kills := begin(t, "kill", 5)
	v := newVictim(t)
	var slowest, unknown time.Duration
	for kills.more() {
		kills.round(func(t *testing.T, seed uint64) int {
			v.T = t
			dice := rand.New(rand.NewPCG(seed, 1))
			crowd := gather(v.shop, seed)
			crowd.begin()
			time.Sleep(time.Duration(200+dice.IntN(600)) * time.Millisecond)

			began := v.kill(t, dice)
			v.atWork(t)
			took := time.Since(began)
			crowd.end()
			// A job that talked to the outside when its worker died is taken up when Asynq's lease on it has run out.
			require.Eventually(t, func() bool { return len(v.Undone(v.shop)) == 0 }, 2*time.Minute, 100*time.Millisecond, "every job is done")
			caughtUp := time.Since(began)
			crowd.check()
			require.Contains(t, v.Must("audit", "ledger", v.shop.Unique), "the books balance")

			slowest, unknown = max(slowest, took), max(unknown, crowd.longest())
			t.Logf("at work again after %s, longest unknown %s, every job done after %s",
				took.Round(time.Millisecond), crowd.longest().Round(time.Millisecond), caughtUp.Round(time.Millisecond))
			return 1
		})
	}
	t.Logf("slowest to be at work again: %s; longest unknown: %s", slowest.Round(time.Millisecond), unknown.Round(time.Millisecond))
}

// victim is a deployment, with a wire of our own between each role and Postgres.
type victim struct {
	*deployment.Deployment
	redis *memory
	taps  map[string]*tap
	shop  *stage.Organisation
	probe *stage.Browser // somebody who shows that it is at work
}

func newVictim(t *testing.T) *victim {
	v := &victim{redis: newMemory(t), taps: map[string]*tap{}}
	v.Deployment = deployment.Start(t, deployment.Options{
		APIs: 1, RedisURL: "redis://" + v.redis.address(), Durable: true,
		Route: func(role, address string) string {
			if v.taps[role] == nil {
				v.taps[role] = newTap(t, address)
			}
			return v.taps[role].through(address)
		},
	})
	v.shop = v.Open("kill", "ร้านที่ล้มแล้วลุก", "1651000003")
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
		sprung := v.taps[p.role].set(p.words, when, func() { at = time.Now(); processes[p.role].Kill() })
		select {
		case <-sprung.done:
		case <-time.After(time.Minute):
			require.Fail(t, "nobody came to "+p.words)
		}
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
		v.redis.kill()
		v.redis.start()
	}
	return at
}

// atWork waits until the platform answers, takes money, and its worker credits it.
func (v *victim) atWork(t *testing.T) {
	t.Helper()
	require.Eventually(t, v.Healthy, time.Minute, 50*time.Millisecond, "healthy again")
	v.shop.Rich(v.probe, crowdTopUp)
}
