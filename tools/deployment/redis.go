package deployment

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/process"
)

// RedisServer is a Redis that forgets everything when it is killed: Debian's where there is one, else the one in process.
type RedisServer struct {
	t       testing.TB
	port    int
	process *process.Process
	inside  *miniredis.Miniredis
}

// NewMemory starts one that runs until the test ends.
func NewMemory(t testing.TB) *RedisServer {
	t.Helper()
	m := &RedisServer{t: t, port: FreePort(t)}
	m.Start()
	t.Cleanup(m.Kill)
	return m
}

// Address is its host and port.
func (m *RedisServer) Address() string { return fmt.Sprintf("127.0.0.1:%d", m.port) }

// Real says that it is a process of its own.
func (m *RedisServer) Real() bool { return m.inside == nil }

// PID is its number on this machine; this process's where it is inside.
func (m *RedisServer) PID() int {
	if m.inside != nil {
		return os.Getpid()
	}
	return m.process.Pid()
}

// Start starts it, empty.
func (m *RedisServer) Start() {
	m.t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		m.inside = miniredis.NewMiniRedis()
		require.NoError(m.t, m.inside.StartAddr(m.Address()))
		return
	}
	cmd := exec.Command(program, "--port", strconv.Itoa(m.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
	m.process, err = process.Start(cmd, syscall.SIGTERM)
	require.NoError(m.t, err)
	client := redis.NewClient(&redis.Options{Addr: m.Address()})
	defer client.Close()
	require.Eventually(m.t, func() bool { return client.Ping(m.t.Context()).Err() == nil }, 10*time.Second, 20*time.Millisecond)
}

// Kill ends it at once.
func (m *RedisServer) Kill() {
	m.t.Helper()
	if m.inside != nil {
		m.inside.Close()
		return
	}
	require.NoError(m.t, m.process.Stop(syscall.SIGKILL, 0))
}
