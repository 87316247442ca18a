//go:build unix

package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOlder(t *testing.T) {
	for have, want := range map[string]bool{"20.18.3": true, "20.19.0": false, "20.20": false, "22.0.0": false, "9.99.9": true, "20": true} {
		require.Equal(t, want, older(have, "20.19"), have)
	}
}

func TestHolder(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	require.Contains(t, holder(l.Addr().(*net.TCPAddr).Port), "(process "+strconv.Itoa(os.Getpid())+")")
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	release, err := lock(dir)
	require.NoError(t, err)
	_, err = lock(dir)
	require.ErrorContains(t, err, "already runs in this folder (process "+strconv.Itoa(os.Getpid())+")")
	release()
	release, err = lock(dir)
	require.NoError(t, err)
	release()
}

func TestStamp(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("apps/customer/node_modules", 0o755))
	write := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	sum := func() []byte {
		s, err := sources("apps")
		require.NoError(t, err)
		return s
	}
	write("apps/customer/main.tsx", "1")
	first := sum()
	require.False(t, fresh(".cache/stamp", first))
	require.NoError(t, mark(".cache/stamp", first))
	require.True(t, fresh(".cache/stamp", first))

	write("apps/customer/node_modules/x.js", "1")
	write("apps/customer/main.test.tsx", "1")
	require.Equal(t, first, sum(), "a build does not read these")
	write("apps/customer/main.tsx", "2")
	require.False(t, fresh(".cache/stamp", sum()))
}

func TestMasterKey(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir(home, 0o755))
	first, err := masterKey()
	require.NoError(t, err)
	second, err := masterKey()
	require.NoError(t, err)
	require.Equal(t, first, second)
	info, err := os.Stat(filepath.Join(home, "master.key"))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

func TestBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	require.ErrorIs(t, beside(t.Context(), []string{"audit", "ledger"}), errNothingRuns)

	require.NoError(t, os.MkdirAll("bin", 0o755))
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho $DATABASE_URL $* > said\n"), 0o755))
	require.NoError(t, os.MkdirAll(home, 0o755))
	w := &world{set: []string{"DATABASE_URL=postgres://there"}}
	require.NoError(t, w.leave())
	require.NoError(t, beside(t.Context(), []string{"audit", "ledger"}))
	said, err := os.ReadFile("said")
	require.NoError(t, err)
	require.Equal(t, "postgres://there audit ledger\n", string(said))

	require.NoError(t, w.stop())
	require.ErrorIs(t, beside(t.Context(), []string{"audit", "ledger"}), errNothingRuns)
}

func TestCommand(t *testing.T) {
	require.NoError(t, command(t.Context(), nil, "true"))
	require.ErrorContains(t, command(t.Context(), nil, "false"), "`false` failed")

	t.Run("what a stopped command has started is stopped too", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		pid := filepath.Join(t.TempDir(), "pid")
		require.ErrorIs(t, command(ctx, nil, "sh", "-c", "sleep 60 & echo $! > "+pid+"; wait"), context.DeadlineExceeded)
		text, err := os.ReadFile(pid)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return !alive(string(text)) }, 5*time.Second, 20*time.Millisecond)
	})
}

// alive says whether a process runs; one that ended and that nobody has asked about yet does not.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid[:len(pid)-1])
	if err != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(n) + "/stat")
	if os.IsNotExist(err) {
		return false
	}
	return err != nil || !zombie(string(stat))
}

func zombie(stat string) bool {
	for i := len(stat) - 1; i >= 0; i-- {
		if stat[i] == ')' {
			return len(stat) > i+2 && stat[i+2] == 'Z'
		}
	}
	return false
}
