package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tools/deployment"
	"welovevoucher/tools/harness"
)

const flushesRound = 10

// TestFlush: Redis is emptied again and again while people pay, buy and ask for reports, and no job is lost: all that was
// put is done, once, with nobody's help. What is counted are flushes.
func TestFlush(t *testing.T) {
	t.Parallel()
	flushes := begin(t, "flush", flushesRound)
	p := harness.StartWith(t, harness.Options{Redis: deployment.NewMemory(t).Address()})
	o := p.Open("flush", "ร้านที่ความจำสั้น", "1651000002")
	o.Sell(50_00, nil)
	copies := overview.New(p.DB, org.NewDirectory(p.DB))
	defer func() {
		// Facts wait for half a minute, and a sweep comes every 15 seconds; what a job did not copy comes with the next one, five minutes later.
		require.Eventually(t, func() bool {
			differ, err := copies.Audit(t.Context(), o.ID)
			return err == nil && len(differ) == 0
		}, 7*time.Minute, time.Second, "the platform's copy of the figures is a full count")
	}()
	for flushes.more() {
		flushes.round(func(t *testing.T, part *result) {
			p.T = t
			dice := rand.New(rand.NewPCG(part.Seed, 1))
			phones := make([]*harness.Browser, 5)
			for i := range phones {
				phones[i] = o.Customer(fmt.Sprintf("U%d-%d", part.Seed, i))
			}
			today := clock.Day(p.Clock.Now()).Format(time.DateOnly)
			report := harness.MustPost[struct{ ID uuid.UUID }](o.Owner, "/api/owner/report/job", "",
				map[string]any{"report": "daily", "filter": map[string]any{"from": today, "to": today}, "format": "csv"})
			for range flushesRound {
				for _, phone := range phones {
					o.PayFor(phone.StartTopUp(100_00).ID, map[string]any{})
				}
				time.Sleep(time.Duration(dice.IntN(100)) * time.Millisecond)
				require.NoError(t, p.Redis.FlushAll(t.Context()).Err())
			}
			for _, phone := range phones {
				o.Eventually("all the money arrives", func() bool { return phone.Balance() == flushesRound*100_00 })
				for range flushesRound {
					o.Buy(phone)
				}
			}
			require.NoError(t, p.Redis.FlushAll(t.Context()).Err())
			began := time.Now()
			// What was handed over and forgotten is handed over again by a sweep, which comes every 15 seconds and asks after 5.
			require.Eventually(t, func() bool { return open(t, o) == 0 }, timeout, 50*time.Millisecond, "all that was due is done")
			part.took("until every job was done", time.Since(began))
			made := harness.MustPost[struct{ State string }](o.Owner, "/api/owner/report/job/get", "", map[string]any{"id": report.ID})
			require.Equal(t, "done", made.State)
			o.MustBalance()
			part.Did = flushesRound
		})
	}
}

// open counts the jobs that are due, or notices already, and not done. The gateway is asked only when it is time to: a clock
// that runs ahead always has such a check that falls due within Grace.
func open(t *testing.T, o *harness.Organisation) (n int) {
	t.Helper()
	require.NoError(t, o.DB.InOrg(context.Background(), o.ID, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE done_at IS NULL AND (due_at <= $1 OR due_at <= $2 AND kind <> $3)`,
			tx.Now, tx.Now.Add(queue.VisibilityTimeout), charge.CheckJob{}.Kind()).Scan(&n)
	}))
	return n
}
