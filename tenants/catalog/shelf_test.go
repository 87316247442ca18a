package catalog

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestShelf(t *testing.T) {
	now := time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)
	ours, theirs := uuid.New(), uuid.New()
	one := func(total int64) func(context.Context) (MarketPage, error) {
		return func(context.Context) (MarketPage, error) { return MarketPage{Total: total}, nil }
	}
	ask := func(s *shelf, org uuid.UUID, in MarketInput, at time.Time, read func(context.Context) (MarketPage, error)) int64 {
		page, err := s.page(t.Context(), org, in, at, read)
		require.NoError(t, err)
		return page.Total
	}

	t.Run("a page is kept for a second, for its organisation and its filter", func(t *testing.T) {
		s := newShelf()
		require.EqualValues(t, 1, ask(s, ours, MarketInput{}, now, one(1)))
		require.EqualValues(t, 1, ask(s, ours, MarketInput{}, now.Add(pageFresh-1), one(2)))
		require.EqualValues(t, 2, ask(s, ours, MarketInput{Sort: "-sold"}, now, one(2)))
		require.EqualValues(t, 3, ask(s, theirs, MarketInput{}, now, one(3)))
		require.EqualValues(t, 4, ask(s, ours, MarketInput{}, now.Add(pageFresh), one(4)))
		require.EqualValues(t, 5, ask(s, ours, MarketInput{Search: "นวด"}, now, one(5)))
		require.EqualValues(t, 6, ask(s, ours, MarketInput{Search: "นวด"}, now, one(6)))
	})

	t.Run("a change shows at once, also where the page was being read", func(t *testing.T) {
		s := newShelf()
		require.EqualValues(t, 1, ask(s, ours, MarketInput{}, now, func(context.Context) (MarketPage, error) {
			s.changed(ours)
			return MarketPage{Total: 1}, nil
		}))
		require.EqualValues(t, 2, ask(s, ours, MarketInput{}, now, one(2)))
		s.changed(theirs)
		require.EqualValues(t, 2, ask(s, ours, MarketInput{}, now, one(3)))
	})

	t.Run("many ask, one reads", func(t *testing.T) {
		s, reads, all := newShelf(), atomic.Int64{}, sync.WaitGroup{}
		for range 50 {
			all.Go(func() {
				_, err := s.page(t.Context(), ours, MarketInput{}, now, func(context.Context) (MarketPage, error) {
					reads.Add(1)
					return MarketPage{}, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, reads.Load())
	})

	t.Run("what went wrong is not kept, and one who gives up takes nobody along", func(t *testing.T) {
		s, broken := newShelf(), errors.New("broken")
		_, err := s.page(t.Context(), ours, MarketInput{}, now, func(context.Context) (MarketPage, error) { return MarketPage{}, broken })
		require.ErrorIs(t, err, broken)
		gone, leave := context.WithCancel(t.Context())
		leave()
		page, err := s.page(gone, ours, MarketInput{}, now, func(ctx context.Context) (MarketPage, error) { return MarketPage{Total: 1}, ctx.Err() })
		require.NoError(t, err)
		require.EqualValues(t, 1, page.Total)
	})
}
