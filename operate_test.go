package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigTable(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var table bytes.Buffer
	cmd := configCommand()
	cmd.SetArgs(nil)
	cmd.SetOut(&table)
	require.NoError(t, cmd.Execute())
	require.Contains(t, string(readme), table.String(), "README.md is out of date: `welovevoucher config` prints its table")
}
