//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/dev/machine"
)

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
	require.ErrorIs(t, runCommand(t.Context(), []string{"audit", "ledger"}), errNothingRuns)

	require.NoError(t, os.MkdirAll("bin", 0o755))
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho $DATABASE_URL $* > said\n"), 0o755))
	require.NoError(t, os.MkdirAll(machine.Home, 0o755))
	w := &world{set: []string{"DATABASE_URL=postgres://there"}}
	require.NoError(t, w.writeEnvironmentFile())
	require.NoError(t, runCommand(t.Context(), []string{"audit", "ledger"}))
	said, err := os.ReadFile("said")
	require.NoError(t, err)
	require.Equal(t, "postgres://there audit ledger\n", string(said))

	require.NoError(t, w.stop())
	require.ErrorIs(t, runCommand(t.Context(), []string{"audit", "ledger"}), errNothingRuns)
}
