package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"welovevoucher/tools/deployment"
)

// deployed is what is measured: one API and one worker, on a Postgres whose commits last.
type deployed struct {
	*deployment.Deployment
	memory *deployment.RedisServer
	http   *fasthttp.HostClient // a lean client: what it costs is not the platform's
}

// place runs until the last row is measured.
var place *deployed

// begin deploys the platform for the first row that asks; b must be the outermost benchmark, at whose end it stops.
func begin(b *testing.B) *deployed {
	b.Helper()
	d := &deployed{memory: deployment.NewMemory(b)}
	d.Deployment = deployment.Start(b, deployment.Options{APIs: 1, RedisURL: "redis://" + d.memory.Address(), Durable: true})
	d.Client = d.NewClient(false)
	d.http = &fasthttp.HostClient{Addr: fmt.Sprintf("127.0.0.1:%d", d.APIs[0].Port), MaxConns: 256}
	place = d
	return d
}

func (d *deployed) memoryKind() string {
	if d == nil || !d.memory.Real() {
		return "no redis-server: one in process, slower"
	}
	return "redis-server"
}

// call is one request as a phone sends it; anything but a good answer is an error.
func (d *deployed) call(host, token, path, key string, body []byte) ([]byte, error) {
	req, res := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(res)
	req.SetRequestURI(path)
	req.Header.SetMethod(fasthttp.MethodPost)
	req.Header.SetHost(host)
	req.Header.SetContentType("application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	req.SetBodyRaw(body)
	if err := d.http.Do(req, res); err != nil {
		return nil, err
	}
	answer := append([]byte(nil), res.Body()...)
	if res.StatusCode() != fasthttp.StatusOK {
		return nil, fmt.Errorf("%s answered %d: %s", path, res.StatusCode(), answer)
	}
	return answer, nil
}

// counted is one of the numbers that the API exports.
func (d *deployed) counted(name string) float64 {
	d.T.Helper()
	_, text, err := fasthttp.Get(nil, "http://"+d.APIs[0].Metrics+"/metrics")
	require.NoError(d.T, err)
	_, rest, found := strings.Cut(string(text), "\n"+name+" ")
	require.True(d.T, found, name)
	number, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseFloat(number, 64)
	require.NoError(d.T, err)
	return n
}

// spent is processor time by who spent it.
type spent struct{ api, worker, postgres, redis time.Duration }

// spent reads what the machine has counted so far; nothing where it does not say.
func (d *deployed) spent() spent {
	s := spent{
		api: time.Duration(ticks(d.APIs[0].PID(), 13, 14)) * tick, worker: time.Duration(ticks(d.Worker.PID(), 13, 14)) * tick,
		redis: time.Duration(ticks(d.memory.PID(), 13, 14)) * tick, postgres: time.Duration(ticks(d.Postgres.PID(), 13, 16)) * tick,
	}
	for _, pid := range children(d.Postgres.PID()) {
		s.postgres += time.Duration(ticks(pid, 13, 14)) * tick
	}
	return s
}

func (s spent) minus(o spent) spent {
	return spent{s.api - o.api, s.worker - o.worker, s.postgres - o.postgres, s.redis - o.redis}
}

func (s spent) plus(o spent) spent {
	return spent{s.api + o.api, s.worker + o.worker, s.postgres + o.postgres, s.redis + o.redis}
}

func (s spent) over(n int) spent {
	by := time.Duration(max(n, 1))
	return spent{s.api / by, s.worker / by, s.postgres / by, s.redis / by}
}

func (s spent) String() string {
	round := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	return fmt.Sprintf("api %s, worker %s, postgres %s, redis %s", round(s.api), round(s.worker), round(s.postgres), round(s.redis))
}

// tick is the unit of /proc/…/stat on every Linux that is not built by hand.
const tick = 10 * time.Millisecond

// ticks adds up fields of /proc/…/stat, counted as proc(5) does, less one.
func ticks(pid, from, to int) (sum int64) {
	for _, field := range stat(pid)[from-2 : to-1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		sum += n
	}
	return sum
}

// stat is what /proc/…/stat says after the program's name, or zeros.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !found || len(fields) < 20 {
		return strings.Fields(strings.Repeat("0 ", 20))
	}
	return fields
}

// children are the processes that a process has started.
func children(pid int) (list []int) {
	all, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well formed
	for _, dir := range all {
		child, err := strconv.Atoi(filepath.Base(dir))
		if err == nil && stat(child)[1] == strconv.Itoa(pid) {
			list = append(list, child)
		}
	}
	return list
}

// proportional adds up lines of a process's map of memory, in MB.
func proportional(pid int, lines ...string) float64 {
	return megabytes(fmt.Sprintf("/proc/%d/smaps_rollup", pid), lines...)
}

// megabytes adds up lines of a file that counts in kB; nothing where there is none.
func megabytes(file string, lines ...string) (mb float64) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if slices.Contains(lines, fields[0]) {
			kb, err := strconv.ParseFloat(fields[1], 64)
			if err == nil {
				mb += kb / 1024
			}
		}
	}
	return mb
}
