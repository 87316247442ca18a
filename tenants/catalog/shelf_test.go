package catalog

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestShelf(t *testing.T) {
	now := time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)
	ours, theirs := uuid.New(), uuid.New()
	s := newShelf(func() time.Time { return now })
	ask := func(org uuid.UUID, in MarketInput, total int64) int64 {
		page, err := s.page(t.Context(), org, in, func(context.Context) (MarketPage, error) { return MarketPage{Total: total}, nil })
		require.NoError(t, err)
		return page.Total
	}

	t.Run("a page is kept for its organisation and its filter", func(t *testing.T) {
		require.EqualValues(t, 1, ask(ours, MarketInput{}, 1))
		require.EqualValues(t, 1, ask(ours, MarketInput{}, 2))
		require.EqualValues(t, 2, ask(ours, MarketInput{Sort: "-sold"}, 2))
		require.EqualValues(t, 3, ask(theirs, MarketInput{}, 3))
		require.EqualValues(t, 5, ask(ours, MarketInput{Search: "นวด"}, 5))
		require.EqualValues(t, 6, ask(ours, MarketInput{Search: "นวด"}, 6))
	})

	t.Run("a change shows at once, and no other organisation's pages go", func(t *testing.T) {
		s.changed(ours)
		require.EqualValues(t, 7, ask(ours, MarketInput{}, 7))
		require.EqualValues(t, 3, ask(theirs, MarketInput{}, 8))
	})

	t.Run("a page is kept for a second", func(t *testing.T) {
		now = now.Add(pageFresh)
		require.EqualValues(t, 9, ask(ours, MarketInput{}, 9))
	})
}
