package chaos

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/deployment"
	"welovevoucher/tools/harness"
)

// TestKills: the API, the worker, Postgres or Redis is killed while people use the platform, at any time or at a named
// point, and started again: what people were answered is there, nothing is there twice, and it is at work again.
func TestKills(t *testing.T) {
	harm(t, "kills", "1651000003", (*victim).kill, func(dice *rand.Rand) string { return planKill(dice).point.String() })
}

// harm does one kind of it to a deployment, again and again. of says which point a round's dice choose.
func harm(t *testing.T, name, channel string, once func(*victim, *rand.Rand, *crowd, *result) time.Time, of func(*rand.Rand) string) {
	t.Parallel()
	harms := begin(t, name, 5)
	v := newVictim(t, name, channel)
	for harms.more() {
		harms.prefer(func(seed uint64) string {
			dice := rand.New(rand.NewPCG(seed, 1))
			pause(dice)
			return of(dice)
		})
		harms.round(func(t *testing.T, part *result) {
			v.T = t
			v.suffer(part, once)
			part.Did = 1
		})
	}
}

// suffer has harm done while people use the platform, and requires that nothing came of it. harm returns when it was done.
func (v *victim) suffer(part *result, harm func(*victim, *rand.Rand, *crowd, *result) time.Time) {
	dice := rand.New(rand.NewPCG(part.Seed, 1))
	crowd := gather(v.shop, part.Seed)
	crowd.begin()
	time.Sleep(pause(dice))

	began := harm(v, dice, crowd, part)
	v.atWork()
	part.took("until at work again", time.Since(began))
	crowd.end()
	// A job that talked to the outside when its worker died is taken up when Asynq's lease on it has run out.
	require.Eventually(v.T, func() bool { return len(v.Undone(v.shop)) == 0 }, 2*time.Minute, 100*time.Millisecond, "every job is done")
	part.took("until every answer was known", crowd.longest())
	part.took("until every job was done", time.Since(began))
	crowd.check()
	require.Contains(v.T, v.Must("audit", "ledger", v.shop.Unique), "the books balance")
	require.Contains(v.T, v.Must("audit", "rollups", v.shop.Unique), "the figures are a full count")
}

// pause is how long people use the platform before something happens to it.
func pause(dice *rand.Rand) time.Duration {
	return time.Duration(200+dice.IntN(600)) * time.Millisecond
}

// victim is a deployment whose every wire is ours: a network that can be bad, and before Postgres a tap for each role.
type victim struct {
	*deployment.Deployment
	redis *deployment.RedisServer
	taps  map[string]*tap
	nets  *nets
	shop  *harness.Organisation
	probe *harness.Browser // somebody who shows that it is at work
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
	v.shop.Discount(crowdCode, crowdLess, nil)
	readyToHandOn(v.shop, "the owner of "+unique)
	v.probe = v.shop.Customer("somebody who asks whether it works")
	return v
}

// aim is a moment at a point of a flow; the zero value is any time.
type aim struct {
	flow  flow
	point point
	when  moment
}

func aimAt(when moment, dice *rand.Rand) aim {
	f := flows[dice.IntN(len(flows))]
	return aim{f, f.points[dice.IntN(len(f.points))], when}
}

func (a aim) String() string {
	if a.when == "" {
		return "at any time"
	}
	return fmt.Sprintf("in %s, %s, at %s", a.flow.name, a.point.part, a.point.words)
}

// killPlan is which process ends, and when.
type killPlan struct {
	process string
	point   aim
}

func planKill(dice *rand.Rand) killPlan {
	plan := killPlan{process: []string{"api", "worker", "postgres", "redis"}[dice.IntN(4)]}
	if dice.IntN(3) > 0 {
		plan.point = aimAt([]moment{before, during, beforeCommit, afterCommit}[dice.IntN(4)], dice)
	}
	return plan
}

// kill ends a process at once, starts it again, and returns when it was killed: at any time, or at a point of a flow.
func (v *victim) kill(dice *rand.Rand, people *crowd, part *result) (at time.Time) {
	plan := planKill(dice)
	kill := func() {
		v.T.Logf("kill -9 of %s", plan.process)
		at = time.Now()
		switch plan.process {
		case "api":
			v.APIs[0].Kill()
			v.Again(v.APIs[0])
		case "worker":
			v.Worker.Kill()
			v.Again(v.Worker)
		case "postgres":
			require.NoError(v.T, v.Postgres.Crash(v.T.Context()))
		case "redis":
			v.redis.Kill()
			v.redis.Start()
		}
	}
	part.count("kill of "+plan.process, 1)
	part.count(plan.point.String(), 1)
	if plan.point.when == "" {
		kill()
		return at
	}
	v.at(plan.point, people, part, kill)
	return at
}

// at has somebody walk through one of the flows, and does harm at a point of it.
func (v *victim) at(where aim, people *crowd, part *result, harm func()) {
	v.T.Helper()
	f, p, when := where.flow, where.point, where.when
	part.count(string(when), 1)
	v.T.Logf("in %s, %s: %s %s", f.name, p.part, when, p.words)

	met, walked := make(chan *trap, 1), make(chan struct{})
	people.gone.Go(func() {
		people.mark.failed = f.walk(people.mark, func(name string, about uuid.UUID, do func() error) error {
			if name == p.part {
				set := v.taps[p.role].set(p.words, about, when)
				go func() { <-set.sprung; met <- set }()
			}
			return do()
		})
		close(walked)
	})
	for giveUp := time.After(timeout); ; {
		select {
		case trap := <-met:
			harm()
			close(trap.done)
			return
		case <-walked: // what is left of it is the worker's
			require.NoError(v.T, people.mark.failed)
			walked = nil
		case <-giveUp:
			require.Fail(v.T, "nobody came to "+p.words)
		}
	}
}

// atWork waits until the platform answers, takes money, and its worker credits it.
func (v *victim) atWork() {
	v.T.Helper()
	require.Eventually(v.T, v.Healthy, time.Minute, 50*time.Millisecond, "healthy again")
	v.shop.FundWallet(v.probe, crowdTopUp)
}
