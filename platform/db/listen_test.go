package db_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestListen(t *testing.T) {
	s := dbtest.Open(t)
	var mu sync.Mutex
	var told []string
	heard := s.DB.Hear("weather", func(what string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, what)
	})
	// all is what was told until everything from before now had been heard.
	all := func() (all []string) {
		now := s.Clock.Now()
		require.Eventually(t, func() bool { return heard().After(now) }, 20*time.Second, time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		all, told = told, nil
		return all
	}
	tell := func(ctx context.Context, topic, what string, err error) error {
		return s.DB.InPlatform(ctx, func(tx db.Tx) error {
			tx.Tell(topic, what)
			return errors.Join(err, tx.Flush(ctx))
		})
	}
	require.NoError(t, tell(t.Context(), "weather", "before anybody listens", nil))
	require.Zero(t, heard())

	var listening sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	listening.Go(func() { s.DB.Listen(ctx) })
	t.Cleanup(func() {
		stop()
		listening.Wait()
	})
	require.Equal(t, []string{""}, all(), "anything may have changed before")

	t.Run("what is committed is heard in its order, and nothing else", func(t *testing.T) {
		no := errors.New("no")
		require.NoError(t, tell(t.Context(), "weather", "rain", nil))
		require.ErrorIs(t, tell(t.Context(), "weather", "snow", no), no)
		require.NoError(t, tell(t.Context(), "news", "rain", nil))
		require.NoError(t, tell(t.Context(), "weather", `{"sun": "today"}`, nil))
		require.Equal(t, []string{"rain", `{"sun": "today"}`}, all())
		require.Empty(t, all())
	})

	t.Run("whose connection was lost is told that anything may have changed before he believes that he has heard all", func(t *testing.T) {
		super, err := pgx.Connect(t.Context(), os.Getenv("DATABASE_URL_SUPERUSER"))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, super.Close(context.Background())) })
		at, err := pgx.ParseConfig(s.AppURL)
		require.NoError(t, err)
		var ended int
		require.NoError(t, super.QueryRow(t.Context(), `SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
			WHERE datname = $1 AND query IN ('LISTEN told', '-- ping')`, at.Database).Scan(&ended))
		require.NotZero(t, ended)
		require.NoError(t, tell(t.Context(), "weather", "missed", nil))
		require.Empty(t, all()[0])
		require.NoError(t, tell(t.Context(), "weather", "rain again", nil))
		require.Equal(t, []string{"rain again"}, all())
	})

	t.Run("an organisation's schema tells nobody", func(t *testing.T) {
		require.Panics(t, func() {
			_ = s.DB.InOrg(t.Context(), s.NewOrg(t), func(tx db.Tx) error {
				tx.Tell("weather", "rain")
				return nil
			})
		})
	})
}
