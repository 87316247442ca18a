package apitest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	deployed "welovevoucher/tools/deployment"
	"welovevoucher/tools/harness"
)

// deployment is the program as README.md says to deploy it, with somebody who takes its traces.
type deployment struct {
	*deployed.Deployment
	collector *collector
}

func deploy(t testing.TB) *deployment {
	t.Helper()
	c := newCollector(t)
	return &deployment{collector: c, Deployment: deployed.Start(t, deployed.Options{
		APIs: 2, RedisURL: "redis://" + miniredis.RunT(t).Addr(), BinDir: os.Getenv(clientTools),
		Env: []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_BSP_SCHEDULE_DELAY=200"},
	})}
}

func TestDeploy(t *testing.T) {
	d := deploy(t)
	spa := d.Open("lamai-spa", "เรือนละไม สปา", "1650000001")
	spa.Sell(300_00, nil)
	ann := spa.Customer("แอน")
	spa.FundWallet(ann, 600_00)
	bought := spa.Buy(ann)
	opened := harness.MustPost[harness.Use](ann, "/api/user/voucher/use", harness.Secret(12), map[string]any{"voucher_id": bought.Vouchers[0].ID, "service_point_id": spa.ServicePoint, "items": 1})
	spa.Scan(spa.Owner, opened)
	harness.MustPost[any](spa.Owner, "/api/staff/voucher/confirm", harness.Secret(12), map[string]any{"use_session_id": opened.ID, "service_point_id": spa.ServicePoint})
	thief := d.Browser(spa.Host)
	require.False(t, thief.Post("/api/authen/owner/user", "", map[string]string{"username": "owner", "password": "wrong-2026"}).Result)
	ann.Post("/api/user/no-such-"+bought.ID.String(), "", map[string]any{})

	t.Run("metrics count what happened, and name nobody", func(t *testing.T) { d.requireNumbers(t) })
	t.Run("a trace leads from the request through its SQL to the job", func(t *testing.T) { d.requireTrace(t) })
	t.Run("every line of the log names its trace", func(t *testing.T) { d.requireLines(t) })
	t.Run("the books balance", func(t *testing.T) {
		require.Equal(t, "lamai-spa: the books balance\n", d.Must("audit", "ledger"))
	})
	t.Run("a taken metrics address stops the start", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), d.Program, "api")
		cmd.Env = d.Env("api", fmt.Sprintf("PORT=%d", deployed.FreePort(t)), "METRICS_ADDR="+d.Worker.Metrics)
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "METRICS_ADDR cannot be opened")
	})
	t.Run("processes that are stopped under load lose no request and no job", func(t *testing.T) { d.requireGraceful(t, spa) })
}

// requireGraceful buys without a pause while one API and the only worker are replaced.
func (d *deployment) requireGraceful(t testing.TB, spa *harness.Organisation) {
	buyers := make([]*harness.Browser, 4)
	for i := range buyers {
		buyers[i] = spa.Customer(fmt.Sprintf("buyer %d", i))
		for range 3 { // more than he can spend meanwhile on any machine
			spa.FundWallet(buyers[i], 150_000_00)
		}
		if i%2 == 0 { // and half of them over connections that stay open
			buyers[i].Client = d.NewClient(false)
		}
	}
	var bought, lost atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, b := range buyers {
		_, confirm := spa.QuoteFor(b)
		body, err := json.Marshal(confirm)
		require.NoError(t, err)
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := d.ForgetLimits(); err != nil {
					t.Error(err)
					return
				}
				if r, err := b.Try("/api/user/order/confirm", harness.Secret(12), body); err != nil || !r.Result {
					t.Log(r.Code, r.Fault, err)
					lost.Add(1)
					continue
				}
				bought.Add(1)
			}
		})
	}
	time.Sleep(time.Second)
	d.APIs[1].Stop(t)
	d.Worker.Stop(t)
	d.Worker = d.Start("worker")
	time.Sleep(time.Second)
	stop()
	wg.Wait()

	require.Zero(t, lost.Load())
	require.Greater(t, bought.Load(), int64(10))
	var undone []string
	defer func() {
		if len(undone) > 0 {
			t.Log(undone)
		}
	}()
	d.Eventually("every job is done", func() bool { undone = d.Undone(spa); return len(undone) == 0 })
	require.Equal(t, "lamai-spa: the books balance\n", d.Must("audit", "ledger"))
	t.Logf("%d purchases meanwhile", bought.Load())
}

// requireLines looks at what the processes have written.
func (d *deployment) requireLines(t testing.TB) {
	requests := 0
	for _, r := range append([]*deployed.Process{d.Worker}, d.APIs...) {
		lines := bufio.NewScanner(strings.NewReader(r.Log(t)))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct{ Msg, Trace, Request, Job string }
			require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
			require.NotContains(t, lines.Text(), "แอน")
			if line.Msg == "request" {
				requests++
				require.Len(t, line.Trace, 32)
				require.NotEmpty(t, line.Request)
			}
			if line.Job != "" {
				require.Len(t, line.Trace, 32, lines.Text())
			}
		}
	}
	require.Greater(t, requests, 10)
}
