//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/dev/machine"
)

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
	require.False(t, machine.Fresh(".cache/stamp", first))
	require.NoError(t, machine.Mark(".cache/stamp", first))
	require.True(t, machine.Fresh(".cache/stamp", first))

	write("apps/customer/node_modules/x.js", "1")
	write("apps/customer/main.test.tsx", "1")
	require.Equal(t, first, sum(), "a build does not read these")
	write("apps/customer/main.tsx", "2")
	require.False(t, machine.Fresh(".cache/stamp", sum()))
}

func TestMasterKey(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir(machine.Home, 0o755))
	first, err := masterKey()
	require.NoError(t, err)
	second, err := masterKey()
	require.NoError(t, err)
	require.Equal(t, first, second)
	info, err := os.Stat(filepath.Join(machine.Home, "master.key"))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

func TestBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	require.ErrorIs(t, beside(t.Context(), []string{"audit", "ledger"}), errNothingRuns)

	require.NoError(t, os.MkdirAll("bin", 0o755))
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho $DATABASE_URL $* > said\n"), 0o755))
	require.NoError(t, os.MkdirAll(machine.Home, 0o755))
	w := &world{set: []string{"DATABASE_URL=postgres://there"}}
	require.NoError(t, w.leave())
	require.NoError(t, beside(t.Context(), []string{"audit", "ledger"}))
	said, err := os.ReadFile("said")
	require.NoError(t, err)
	require.Equal(t, "postgres://there audit ledger\n", string(said))

	require.NoError(t, w.stop())
	require.ErrorIs(t, beside(t.Context(), []string{"audit", "ledger"}), errNothingRuns)
}
