package batch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/batch"
	"welovevoucher/platform/fault"
)

var (
	errBroken  = errors.New("broken")
	errUnknown = errors.New("unknown")
)

// batcher runs letters and records the batches. "!" panics, "?" fails its batch, after "#" the outcome is unknown, after "~" only the
// first time, after "^" the first time, and then it fails.
type batcher struct {
	*batch.Batcher[string, string]
	open chan struct{} // a batch "wait" ends once it is closed

	mu      sync.Mutex
	batches []string
}

func open(maxBatch, maxQueue int) *batcher {
	s := &batcher{open: make(chan struct{})}
	s.Batcher = batch.New(maxBatch, maxQueue, s.run, func(err error) bool { return errors.Is(err, errUnknown) })
	return s
}

func (s *batcher) run(ctx context.Context, _ string, works []string) error {
	all := strings.Join(works, "")
	s.mu.Lock()
	first := !slices.ContainsFunc(s.batches, func(before string) bool { return strings.Contains(before, all) })
	s.batches = append(s.batches, all)
	s.mu.Unlock()
	if all == "wait" {
		<-s.open
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case strings.Contains(all, "!"):
		panic("!")
	case strings.Contains(all, "?"):
		return errBroken
	case strings.Contains(all, "#"), first && strings.ContainsAny(all, "~^"):
		return errUnknown
	case strings.Contains(all, "^"):
		return errBroken
	}
	return nil
}

// during calls Do for works, one after the other, while a batch runs. It returns the result of each.
func (s *batcher) during(t *testing.T, works ...string) []any {
	t.Helper()
	results := make([]any, len(works))
	var all sync.WaitGroup
	all.Go(func() { require.NoError(t, s.Do(t.Context(), "key", "wait")) })
	synctest.Wait()
	for i, work := range works {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					results[i] = r
				}
			}()
			if err := s.Do(t.Context(), "key", work); err != nil {
				results[i] = err
			}
		})
		synctest.Wait()
	}
	close(s.open)
	all.Wait()
	require.Zero(t, s.Busy(), "a key that no call waits for is forgotten")
	return results
}

func TestBatcher(t *testing.T) {
	for _, c := range []struct {
		name    string
		works   []string
		results []any
		batches []string
	}{
		{"calls that arrive during a batch run as one, up to the maximum", []string{"a", "b", "c", "d", "e"}, make([]any, 5), []string{"wait", "abc", "de"}},
		{"a work that fails its batch fails alone", []string{"a", "?", "c"}, []any{nil, errBroken, nil}, []string{"wait", "a?c", "a", "?", "c"}},
		{"a work that panics in its batch panics alone", []string{"a", "!", "c"}, []any{nil, "!", nil}, []string{"wait", "a!c", "a", "!", "c"}},
		{"a panic of the first call does not stop the queue", []string{"!"}, []any{"!"}, []string{"wait", "!"}},
		{"after an unknown outcome each work runs alone", []string{"a", "~", "c"}, make([]any, 3), []string{"wait", "a~c", "a", "~", "c"}},
		{"so does a batch of one", []string{"~"}, make([]any, 1), []string{"wait", "~", "~"}},
		{"a second unknown outcome is returned, and not tried again", []string{"a", "#", "c"}, []any{nil, errUnknown, nil}, []string{"wait", "a#c", "a", "#", "c"}},
		{"an unknown outcome stays unknown when the second try fails otherwise", []string{"^"}, []any{errUnknown}, []string{"wait", "^", "^"}},
		{"a full queue refuses", []string{"a", "b", "c", "d", "e", "f", "g"}, []any{nil, nil, nil, nil, nil, nil, fault.Unready}, []string{"wait", "abc", "def"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(3, 6)
				for i, results := range s.during(t, c.works...) {
					if want, is := c.results[i].(error); is {
						require.ErrorIs(t, results.(error), want)
					} else {
						require.Equal(t, c.results[i], results)
					}
				}
				require.ElementsMatch(t, c.batches, s.batches)
			})
		})
	}

	t.Run("a call alone runs at once, and no key waits for another", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(3, 6)
			go func() { _ = s.Do(t.Context(), "key", "wait") }()
			synctest.Wait()
			require.NoError(t, s.Do(t.Context(), "other", "a"))
			require.Equal(t, []string{"wait", "a"}, s.batches)
			close(s.open)
		})
	})

	t.Run("DoAlone passes the queue, and tries an unknown outcome again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(3, 6)
			go func() { _ = s.Do(t.Context(), "key", "wait") }()
			synctest.Wait()
			require.NoError(t, s.DoAlone(t.Context(), "key", "a"))
			require.ErrorIs(t, s.DoAlone(t.Context(), "key", "?"), errBroken)
			require.NoError(t, s.DoAlone(t.Context(), "key", "~"))
			require.ErrorIs(t, s.DoAlone(t.Context(), "key", "^"), errUnknown)
			require.Equal(t, []string{"wait", "a", "?", "~", "~", "^", "^"}, s.batches)
			close(s.open)
		})
	})

	t.Run("who is not served in time is asked to try again, unless nobody knows what was done", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			for failure, want := range map[error]error{errBroken: fault.Unready, errUnknown: errUnknown} {
				slow := batch.New(2, 2, func(ctx context.Context, _ string, _ []string) error {
					<-ctx.Done()
					return errors.Join(failure, ctx.Err())
				}, func(err error) bool { return errors.Is(err, errUnknown) })
				for _, do := range []func(context.Context, string, string) error{slow.Do, slow.DoAlone} {
					err := do(t.Context(), "k", "a")
					require.ErrorIs(t, err, want)
					require.ErrorIs(t, err, failure)
				}
				require.Equal(t, errors.Is(failure, errBroken), errors.Is(slow.Do(t.Context(), "k", "a"), fault.Unready))
			}
		})
	})

	t.Run("a call whose context ends leaves the queue, and its batch goes on", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(3, 6)
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			do := func(ctx context.Context, work string, want error) {
				all.Go(func() { require.ErrorIs(t, s.Do(ctx, "key", work), want) })
				synctest.Wait()
			}
			do(ctx, "wait", nil) // its batch is running
			do(ctx, "a", context.Canceled)
			do(t.Context(), "b", nil)
			cancel()
			synctest.Wait()
			require.Equal(t, 1, s.QueueLen("key"))
			do(t.Context(), "c", nil)
			close(s.open)
			all.Wait()
			require.Equal(t, []string{"wait", "bc"}, s.batches)
		})
	})
}
