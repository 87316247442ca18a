package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestListen(t *testing.T) {
	s := dbtest.Open(t)
	other := s.Process(t)
	var mu sync.Mutex
	var received []string
	other.DB.Subscribe("weather", func(what string) {
		mu.Lock()
		defer mu.Unlock()
		received = append(received, what)
	})
	var caughtUp func()
	// all returns the changes that were received, once those of all earlier commits were.
	all := func() (all []string) {
		caughtUp()
		mu.Lock()
		defer mu.Unlock()
		all, received = received, nil
		return all
	}
	publishInPlatform := func(ctx context.Context, topic, what string, err error) error {
		return s.DB.InPlatform(ctx, func(tx db.Tx) error {
			tx.Publish(topic, what)
			return err
		})
	}
	require.NoError(t, publishInPlatform(t.Context(), "weather", "before the process listens", nil))
	caughtUp = other.Listen(t)
	require.Equal(t, []string{""}, all(), "anything may have changed before")

	t.Run("committed changes of a subscribed topic are received in their order, and no others", func(t *testing.T) {
		no := errors.New("no")
		require.NoError(t, publishInPlatform(t.Context(), "weather", "rain", nil))
		require.ErrorIs(t, publishInPlatform(t.Context(), "weather", "snow", no), no)
		require.NoError(t, publishInPlatform(t.Context(), "news", "rain", nil))
		require.NoError(t, publishInPlatform(t.Context(), "weather", `{"sun": "today"}`, nil))
		require.Equal(t, []string{"rain", `{"sun": "today"}`}, all())
		require.Empty(t, all())
	})

	t.Run("changes of concurrent transactions are received once each", func(t *testing.T) {
		var publishers errgroup.Group
		var want []string
		for n := range 8 {
			want = append(want, strconv.Itoa(n), fmt.Sprint("again ", n))
			publishers.Go(func() error {
				return s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
					tx.Publish("weather", strconv.Itoa(n))
					tx.Publish("weather", fmt.Sprint("again ", n))
					return nil
				})
			})
		}
		require.NoError(t, publishers.Wait())
		require.ElementsMatch(t, want, all())
	})

	t.Run("a change published while the connection is lost is received later", func(t *testing.T) {
		super, err := pgx.Connect(t.Context(), os.Getenv("DATABASE_URL_SUPERUSER"))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, super.Close(context.Background())) })
		at, err := pgx.ParseConfig(s.AppURL)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			var ended int
			require.NoError(t, super.QueryRow(t.Context(), `SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
				WHERE datname = $1 AND query LIKE '%FROM change WHERE number%' AND pid <> pg_backend_pid()`, at.Database).Scan(&ended))
			return ended > 0
		}, 20*time.Second, 10*time.Millisecond)
		require.NoError(t, publishInPlatform(t.Context(), "weather", "fog", nil))
		require.Equal(t, []string{"fog"}, all())
	})

	t.Run("more changes than are kept are received as one: anything may have changed", func(t *testing.T) {
		require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			for range 1001 {
				tx.Publish("weather", "rain")
			}
			return nil
		}))
		require.Equal(t, []string{""}, all())
		require.NoError(t, publishInPlatform(t.Context(), "weather", "sun", nil))
		require.Equal(t, []string{"sun"}, all())
		var kept int
		require.NoError(t, s.DB.ReadInPlatform(t.Context(), func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM change`).Scan(&kept)
		}))
		require.Equal(t, 1000, kept)
	})

	t.Run("change numbers used again, after a database lost commits, mean anything may have changed", func(t *testing.T) {
		require.NoError(t, publishInPlatform(t.Context(), "weather", "hail", nil))
		require.Equal(t, []string{"hail"}, all())
		require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
			tx.Queue(`UPDATE change_number SET number = number - 1`)
			tx.Queue(`DELETE FROM change USING change_number n WHERE change.number > n.number`)
			tx.Publish("weather", "wind")
			return nil
		}))
		require.Equal(t, []string{""}, all())
		require.NoError(t, publishInPlatform(t.Context(), "weather", "sun", nil))
		require.Equal(t, []string{"sun"}, all())
	})

	t.Run("an organisation's change is received, unless its transaction was undone", func(t *testing.T) {
		org, no := s.NewOrg(t), errors.New("no")
		publish := func(what string, err error) error {
			return s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
				tx.Publish("weather", what)
				return errors.Join(addTag(what)(tx), err)
			})
		}
		require.NoError(t, publish("drizzle", nil))
		require.ErrorIs(t, publish("ice", no), no)
		require.Equal(t, []string{"drizzle"}, all())
	})

	t.Run("a read-only transaction cannot publish", func(t *testing.T) {
		publish := func(tx db.Tx) error {
			tx.Publish("weather", "rain")
			return nil
		}
		require.Error(t, s.DB.ReadInPlatform(t.Context(), publish))
		require.Error(t, s.DB.ReadInOrg(t.Context(), s.NewOrg(t), publish))
		require.Empty(t, all())
	})
}

// TestPublish: subscribers of the same process are called before the transaction's caller goes on, also if nobody listens.
func TestPublish(t *testing.T) {
	s := dbtest.Open(t).Process(t)
	var received []string
	s.DB.Subscribe("weather", func(what string) { received = append(received, what) })
	org := s.NewOrg(t)
	publish := func(tx db.Tx) error {
		tx.Publish("weather", "rain")
		require.Empty(t, received, "it may still be undone")
		return nil
	}
	for name, in := range map[string]func(context.Context, func(db.Tx) error) error{
		"the platform":    s.DB.InPlatform,
		"an organisation": func(ctx context.Context, fn func(db.Tx) error) error { return s.DB.InOrg(ctx, org, fn) },
	} {
		t.Run(name, func(t *testing.T) {
			received = nil
			require.NoError(t, in(t.Context(), publish))
			require.Equal(t, []string{"rain"}, received)
		})
	}
}
