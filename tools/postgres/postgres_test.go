//go:build unix

package postgres

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// folder is one that nobody can enter: t.TempDir is closed to others.
func folder(t *testing.T) string {
	dir, err := os.MkdirTemp("", "postgres-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func mustStart(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	return s
}

func mustConnect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func mustExec(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	_, err := conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func TestStart(t *testing.T) {
	dir := folder(t)
	first := mustStart(t, Options{Dir: dir, Durable: true})
	require.Equal(t, dir, first.Dir)
	conn := mustConnect(t, first.URL())
	mustExec(t, conn, `CREATE TABLE note (text text); INSERT INTO note VALUES ('ที่นี่')`)

	t.Run("text is UTF-8 and sorted by code point", func(t *testing.T) {
		var encoding, collation string
		err := conn.QueryRow(t.Context(), `SELECT pg_encoding_to_char(encoding), datcollate FROM pg_database WHERE datname = 'postgres'`).Scan(&encoding, &collation)
		require.NoError(t, err)
		require.Equal(t, []string{"UTF8", "C"}, []string{encoding, collation})
	})
	t.Run("a connection without the password is refused", func(t *testing.T) {
		_, err := pgx.Connect(t.Context(), "postgres://postgres@127.0.0.1:"+strconv.Itoa(first.Port)+"/postgres?sslmode=disable")
		require.Error(t, err)
	})
	t.Run("a second server on the folder is refused while the first lives", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		_, err := Start(ctx, Options{Dir: dir})
		require.Error(t, err)
		require.NoError(t, conn.Ping(t.Context()))
	})

	t.Run("data outlives a restart, also with a pid file that names another program", func(t *testing.T) {
		require.NoError(t, first.Stop())
		stale := strconv.Itoa(os.Getppid()) + "\n" + filepath.Join(dir, "cluster") + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "cluster", "postmaster.pid"), []byte(stale), 0o600))

		second := mustStart(t, Options{Dir: dir, Durable: true})

		var text string
		require.NoError(t, mustConnect(t, second.URL()).QueryRow(t.Context(), `SELECT text FROM note`).Scan(&text))
		require.Equal(t, "ที่นี่", text)
	})
}

func TestCrash(t *testing.T) {
	s := mustStart(t, Options{Dir: folder(t), Durable: true})
	address := s.URL()
	mustExec(t, mustConnect(t, address), `CREATE TABLE note (text text)`)
	cut := mustConnect(t, address)
	mustExec(t, cut, `INSERT INTO note VALUES ('ที่นี่')`)
	mustExec(t, cut, `BEGIN; INSERT INTO note VALUES ('ไม่อยู่')`)

	require.NoError(t, s.Crash(t.Context()))

	require.Error(t, cut.Ping(t.Context()), "every connection has ended")
	var text string
	require.NoError(t, mustConnect(t, address).QueryRow(t.Context(), `SELECT string_agg(text, ' ') FROM note`).Scan(&text))
	require.Equal(t, "ที่นี่", text, "what was committed is there, at the same address")
}

func TestStartElsewhere(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("only root has to give the cluster to nobody; here the folder asked for is always used")
	}
	closed := filepath.Join(folder(t), "postgres")
	require.NoError(t, os.Chmod(filepath.Dir(closed), 0o700))

	s := mustStart(t, Options{Dir: closed})
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(s.Dir)) })

	require.Equal(t, os.Geteuid() == 0, s.Dir != closed)
	require.NoError(t, mustConnect(t, s.URL()).Ping(t.Context()))
}

func TestBootstrap(t *testing.T) {
	s := mustStart(t, Options{Dir: folder(t)})

	urls := make([][2]string, 4)
	var group sync.WaitGroup
	for i := range urls {
		group.Go(func() {
			app, migrate, err := Bootstrap(t.Context(), s.URL())
			if err == nil {
				urls[i] = [2]string{app, migrate}
			}
		})
	}
	group.Wait()
	for _, u := range urls {
		require.NotEmpty(t, u[0])
		require.Equal(t, urls[0], u, "every caller gets the same addresses")
	}

	app, migrator := mustConnect(t, urls[0][0]), mustConnect(t, urls[0][1])
	mustExec(t, migrator, `CREATE ROLE t_0 NOLOGIN; GRANT t_0 TO wlv_app; CREATE SCHEMA t_0; CREATE TABLE t_0.note (id int); GRANT USAGE ON SCHEMA t_0 TO t_0; GRANT SELECT ON t_0.note TO t_0`)

	t.Run("the program's login has no right of its own", func(t *testing.T) {
		for _, sql := range []string{`SELECT * FROM t_0.note`, `CREATE TABLE public.x (id int)`, `CREATE SCHEMA x`, `CREATE ROLE x`, `SET ROLE wlv_migrator`} {
			_, err := app.Exec(t.Context(), sql)
			require.ErrorContains(t, err, "permission denied", sql)
		}
	})
	t.Run("the program's login takes an organisation's rights by its role", func(t *testing.T) {
		mustExec(t, app, `BEGIN; SET LOCAL ROLE t_0; SELECT * FROM t_0.note; COMMIT`)
	})
	t.Run("an address without a password is refused, and an error never prints one", func(t *testing.T) {
		_, _, err := Bootstrap(t.Context(), "postgres://postgres@127.0.0.1/postgres")
		require.Error(t, err)
		_, _, err = Bootstrap(t.Context(), "postgres://postgres:hush@127.0.0.1:bad/postgres")
		require.NotContains(t, err.Error(), "hush")
	})
}
