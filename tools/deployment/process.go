package deployment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Process is one process of ours.
type Process struct {
	Port    int
	Metrics string // address of its numbers

	role string
	log  string // file
	cmd  *exec.Cmd
	left atomic.Bool
	away atomic.Bool // its health says no
}

// Start runs another process of a role.
func (d *Deployment) Start(role string) *Process {
	d.T.Helper()
	p := &Process{Port: FreePort(d.T), Metrics: fmt.Sprintf("127.0.0.1:%d", FreePort(d.T)), role: role, log: filepath.Join(d.T.TempDir(), role+".log")}
	d.run(p)
	d.T.Cleanup(func() {
		defer func() { // also where it does not end well
			if text := p.Log(d.T); d.T.Failed() {
				d.T.Logf("%s:\n%s", role, text[max(0, len(text)-4000):])
			}
		}()
		p.Stop(d.T)
	})
	return p
}

// run starts the process at its port; what it says is added to its log.
func (d *Deployment) run(p *Process) {
	d.T.Helper()
	file, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(d.T, err)
	defer file.Close()
	p.cmd = exec.Command(d.Program, p.role)
	p.cmd.Env = d.Env(p.role, fmt.Sprintf("PORT=%d", p.Port), "METRICS_ADDR="+p.Metrics)
	p.cmd.Stdout, p.cmd.Stderr = file, file
	require.NoError(d.T, p.cmd.Start())
	p.left.Store(false)
}

// Stop asks the process to end, as a machine does that goes down, and requires that it ends well.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	if p.left.Swap(true) {
		return
	}
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.cmd.Wait())
}

// Kill ends the process at once, in the middle of whatever it does. It may be called twice.
func (p *Process) Kill() {
	if !p.left.Swap(true) {
		_ = p.cmd.Process.Kill() // it may have ended by itself: Wait says so
		_ = p.cmd.Wait()         // "signal: killed"
	}
}

// Again starts a killed process anew, at its port.
func (d *Deployment) Again(p *Process) {
	d.T.Helper()
	require.True(d.T, p.left.Load(), "%s still runs", p.role)
	d.run(p)
}

// PID is its number on this machine.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Log is what the process has written.
func (p *Process) Log(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(p.log)
	require.NoError(t, err)
	return string(text)
}

// watch looks after a process's health as the proxy does, until the test ends.
func (p *Process) watch(ctx context.Context) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for ctx.Err() == nil {
		res, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/api/health", p.Port))
		p.away.Store(err != nil || res.StatusCode != http.StatusOK)
		if err == nil {
			_ = res.Body.Close() // the status was all
		}
		time.Sleep(lookAt)
	}
}

// FreePort is one that nobody listens at. It is below those that the kernel gives to outgoing connections, of which one could take it before its process
// listens.
func FreePort(t testing.TB) int {
	t.Helper()
	const first, after = 20_000, 32_000
	for range 1000 {
		port := first + rand.IntN(after-first)
		if _, taken := handedOut.LoadOrStore(port, true); taken {
			continue
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		require.NoError(t, l.Close())
		return port
	}
	require.Fail(t, "no port is free")
	return 0
}

// handedOut are the ports of this process's tests.
var handedOut sync.Map
