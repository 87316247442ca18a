//go:build unix

package machine

import (
	"net"
	"os"
	"strconv"
	"testing"

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
	release, err := Lock(dir)
	require.NoError(t, err)
	_, err = Lock(dir)
	require.ErrorContains(t, err, "already runs in this folder (process "+strconv.Itoa(os.Getpid())+")")
	release()
	release, err = Lock(dir)
	require.NoError(t, err)
	release()
}
