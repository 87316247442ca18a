package chaos

import (
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/deployment"
	"welovevoucher/tools/process"
)

// memory is a Redis that forgets everything when it is killed: Debian's where there is one, else the one in process.
type memory struct {
	t       testing.TB
	port    int
	process *process.Process
	inside  *miniredis.Miniredis
}

func newMemory(t testing.TB) *memory {
	t.Helper()
	m := &memory{t: t, port: deployment.FreePort(t)}
	m.start()
	t.Cleanup(m.kill)
	return m
}

func (m *memory) address() string { return fmt.Sprintf("127.0.0.1:%d", m.port) }

func (m *memory) start() {
	m.t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		m.inside = miniredis.NewMiniRedis()
		require.NoError(m.t, m.inside.StartAddr(m.address()))
		return
	}
	cmd := exec.Command(program, "--port", strconv.Itoa(m.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
	m.process, err = process.Start(cmd, syscall.SIGTERM)
	require.NoError(m.t, err)
	client := redis.NewClient(&redis.Options{Addr: m.address()})
	defer client.Close()
	require.Eventually(m.t, func() bool { return client.Ping(m.t.Context()).Err() == nil }, 10*time.Second, 20*time.Millisecond)
}

func (m *memory) kill() {
	m.t.Helper()
	if m.inside != nil {
		m.inside.Close()
		return
	}
	require.NoError(m.t, m.process.Stop(syscall.SIGKILL, 0))
}
