package db_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
)

func TestPool(t *testing.T) {
	s := dbtest.Open(t)
	const size = 4
	d, err := db.Open(t.Context(), map[string]string{db.MainNode: s.AppURL}, size, s.Clock)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	orgs := []uuid.UUID{s.NewOrg(t), s.NewOrg(t), s.NewOrg(t)}
	process := func(ctx context.Context, org uuid.UUID) (pid int, err error) {
		err = d.InOrg(ctx, org, func(tx db.Tx) error { return tx.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&pid) })
		return pid, err
	}

	t.Run("an organisation comes back to its connection while that is free", func(t *testing.T) {
		at := map[uuid.UUID]int{}
		for range 5 {
			for _, org := range orgs {
				pid, err := process(t.Context(), org)
				require.NoError(t, err)
				if at[org] == 0 {
					at[org] = pid
				}
				require.Equal(t, at[org], pid)
			}
		}
	})

	t.Run("one organisation may hold every connection, and another one waits then", func(t *testing.T) {
		var mu sync.Mutex
		pids, full, over := map[int]bool{}, make(chan struct{}), make(chan struct{})
		var all errgroup.Group
		for range size {
			all.Go(func() error {
				return d.InOrg(t.Context(), orgs[0], func(tx db.Tx) error {
					var pid int
					if err := tx.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid); err != nil {
						return err
					}
					mu.Lock()
					if pids[pid] = true; len(pids) == size {
						close(full)
					}
					mu.Unlock()
					<-over
					return nil
				})
			})
		}
		<-full
		short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := process(short, orgs[1])
		require.ErrorIs(t, err, context.DeadlineExceeded)
		close(over)
		require.NoError(t, all.Wait())
		_, err = process(t.Context(), orgs[1])
		require.NoError(t, err)
	})

	t.Run("each organisation has prepared statements of its own on a shared connection", func(t *testing.T) {
		shared, err := db.Open(t.Context(), map[string]string{db.MainNode: s.AppURL}, 1, s.Clock)
		require.NoError(t, err)
		t.Cleanup(shared.Close)
		for range 2 {
			for _, org := range orgs {
				require.NoError(t, shared.InOrg(t.Context(), org, addTag("own")))
			}
		}
		var prepared int
		require.NoError(t, shared.InOrg(t.Context(), orgs[0], func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO tag %'`).Scan(&prepared)
		}))
		require.Equal(t, len(orgs), prepared)
		for _, org := range orgs {
			require.Equal(t, 2, countTags(t, s, org))
		}
	})
}
