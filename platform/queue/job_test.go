package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/queue"
)

type greet struct {
	Name string `json:"name"`
}

func (greet) Kind() string { return "test.greet" }

func TestEnqueue(t *testing.T) {
	s := dbtest.Open(t)

	t.Run("a row is there when the transaction commits", func(t *testing.T) {
		org := s.NewOrg(t)
		require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error {
			return queue.Enqueue(t.Context(), tx, greet{Name: "Ann"})
		}))
		require.Equal(t, 1, open(t, s, org))
	})

	t.Run("neither row nor hint is there when the transaction is undone", func(t *testing.T) {
		org, redis := s.NewOrg(t), newRedis(t)
		ctx := queue.NewWaker(redis).With(t.Context())
		refused := errors.New("refused")
		require.ErrorIs(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			require.NoError(t, queue.Enqueue(ctx, tx, greet{Name: "Ann"}))
			return refused
		}), refused)
		require.Zero(t, open(t, s, org))
		require.Empty(t, redis.ZRange(t.Context(), "queue:due", 0, -1).Val())
	})

	t.Run("SkipDue skips the due jobs of its organisation, and none that fall due later", func(t *testing.T) {
		org, other := s.NewOrg(t), s.NewOrg(t)
		for _, id := range []uuid.UUID{org, other} {
			require.NoError(t, s.DB.InOrg(t.Context(), id, func(tx db.Tx) error {
				return errors.Join(queue.Enqueue(t.Context(), tx, greet{Name: "Ann"}), queue.EnqueueAt(t.Context(), tx, tx.Now.Add(time.Hour), greet{Name: "Bob"}))
			}))
		}
		require.NoError(t, s.DB.InOrg(t.Context(), org, func(tx db.Tx) error { return queue.SkipDue(t.Context(), tx) }))
		require.Equal(t, 1, open(t, s, org))
		require.Equal(t, 2, open(t, s, other))
	})

	t.Run("the hint keeps the earliest due time", func(t *testing.T) {
		org, redis := s.NewOrg(t), newRedis(t)
		ctx := queue.NewWaker(redis).With(t.Context())
		var soon time.Time
		require.NoError(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			soon = tx.Now.Add(time.Minute)
			if err := queue.EnqueueAt(ctx, tx, soon, greet{Name: "Ann"}); err != nil {
				return err
			}
			return queue.EnqueueAt(ctx, tx, tx.Now.Add(time.Hour), greet{Name: "Bob"})
		}))
		require.Equal(t, soon.UnixMilli(), int64(redis.ZScore(t.Context(), "queue:due", org.String()).Val()))
	})

	t.Run("a dead Redis does not fail the transaction", func(t *testing.T) {
		org, redis := s.NewOrg(t), newRedis(t)
		require.NoError(t, redis.Close())
		ctx := queue.NewWaker(redis).With(t.Context())
		require.NoError(t, s.DB.InOrg(ctx, org, func(tx db.Tx) error {
			return queue.Enqueue(ctx, tx, greet{Name: "Ann"})
		}))
		require.Equal(t, 1, open(t, s, org))
	})
}

// newRedis gives the test a Redis of its own, with the clock that miniredis lacks.
func newRedis(t *testing.T) *redis.Client {
	t.Helper()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	return client
}

// open counts the rows of the organisation's outbox that are not done; uuid.Nil is the platform's.
func open(t *testing.T, s *dbtest.Server, org uuid.UUID) (n int) {
	t.Helper()
	const sql = `SELECT count(*) FROM outbox WHERE done_at IS NULL`
	count := func(tx db.Tx) error { return tx.QueryRow(context.Background(), sql).Scan(&n) }
	if org == uuid.Nil {
		require.NoError(t, s.DB.InPlatform(t.Context(), count))
		return n
	}
	require.NoError(t, s.DB.InOrg(t.Context(), org, count))
	return n
}
