package catalog

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
)

// TestPictureQueue: an organisation's many uploads wait for each other, and another organisation's is next.
func TestPictureQueue(t *testing.T) {
	s, greedy, modest := NewPictures(nil, nil), uuid.New(), uuid.New()
	var mu sync.Mutex
	var order []string
	var group sync.WaitGroup
	next := make(chan struct{})
	upload := func(org uuid.UUID, who string) {
		group.Go(func() {
			err := s.alone(context.Background(), org, func() error {
				mu.Lock()
				order = append(order, who)
				mu.Unlock()
				<-next
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	queued := func(org uuid.UUID) int {
		s.mu.Lock()
		defer s.mu.Unlock()
		if l := s.lines[org]; l != nil {
			return l.n
		}
		return 0
	}
	for i := range maxInLine {
		upload(greedy, "greedy")
		require.Eventually(t, func() bool { return queued(greedy) == i+1 && len(s.one) == 1 }, 5*time.Second, time.Millisecond)
	}
	require.ErrorIs(t, s.alone(t.Context(), greedy, func() error { return nil }), fault.RateLimited, "the organisation's queue is full")
	upload(modest, "modest")
	require.Eventually(t, func() bool { return queued(modest) == 1 }, 5*time.Second, time.Millisecond)
	time.Sleep(50 * time.Millisecond) // until it stands at the decoder, which nothing shows

	for range maxInLine + 1 {
		next <- struct{}{}
	}
	group.Wait()
	require.Equal(t, []string{"greedy", "modest", "greedy", "greedy", "greedy"}, order)
	require.Empty(t, s.lines)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.one <- struct{}{}
	require.ErrorIs(t, s.alone(ctx, greedy, func() error { return nil }), context.Canceled)
	<-s.one
	require.Empty(t, s.lines, "a cancelled upload leaves the queue")
	require.Panics(t, func() { _ = s.alone(t.Context(), greedy, func() error { panic("a decoder") }) })
	require.Empty(t, s.lines)
	require.Empty(t, s.one)
}
