//go:build unix

package process_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/tools/process"
)

func TestRun(t *testing.T) {
	require.NoError(t, process.Run(t.Context(), nil, "true"))
	require.ErrorContains(t, process.Run(t.Context(), nil, "false"), "`false` failed")

	t.Run("a stopped command's children are stopped too", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		pid := filepath.Join(t.TempDir(), "pid")
		require.ErrorIs(t, process.Run(ctx, nil, "sh", "-c", "sleep 60 & echo $! > "+pid+"; wait"), context.DeadlineExceeded)
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
