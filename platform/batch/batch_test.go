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
	errSpoilt = errors.New("spoilt")
	errUnsure = errors.New("unsure")
)

// shop runs letters and records the batches. "!" panics, "?" fails its batch, after "#" the outcome is unknown, after "~" only the
// first time, after "^" the first time, and then it fails.
type shop struct {
	*batch.Batcher[string, string]
	open chan struct{} // a batch "wait" ends once it is closed

	mu     sync.Mutex
	groups []string
}

func open(most, long int) *shop {
	s := &shop{open: make(chan struct{})}
	s.Batcher = batch.New(most, long, s.serve, func(err error) bool { return errors.Is(err, errUnsure) })
	return s
}

func (s *shop) serve(ctx context.Context, _ string, group []string) error {
	all := strings.Join(group, "")
	s.mu.Lock()
	first := !slices.ContainsFunc(s.groups, func(before string) bool { return strings.Contains(before, all) })
	s.groups = append(s.groups, all)
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
		return errSpoilt
	case strings.Contains(all, "#"), first && strings.ContainsAny(all, "~^"):
		return errUnsure
	case strings.Contains(all, "^"):
		return errSpoilt
	}
	return nil
}

// during calls Do for works, one after the other, while a batch runs. It returns the result of each.
func (s *shop) during(t *testing.T, works ...string) []any {
	t.Helper()
	told := make([]any, len(works))
	var all sync.WaitGroup
	all.Go(func() { require.NoError(t, s.Do(t.Context(), "key", "wait")) })
	synctest.Wait()
	for i, work := range works {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					told[i] = r
				}
			}()
			if err := s.Do(t.Context(), "key", work); err != nil {
				told[i] = err
			}
		})
		synctest.Wait()
	}
	close(s.open)
	all.Wait()
	require.Zero(t, s.Busy(), "a key that nobody waits for is forgotten")
	return told
}

func TestTill(t *testing.T) {
	for _, c := range []struct {
		name   string
		works  []string
		told   []any
		groups []string
	}{
		{"who comes meanwhile goes together, as many as may", []string{"a", "b", "c", "d", "e"}, make([]any, 5), []string{"wait", "abc", "de"}},
		{"who spoils his group fails alone", []string{"a", "?", "c"}, []any{nil, errSpoilt, nil}, []string{"wait", "a?c", "a", "?", "c"}},
		{"who panics in his group panics alone", []string{"a", "!", "c"}, []any{nil, "!", nil}, []string{"wait", "a!c", "a", "!", "c"}},
		{"a panic of the first does not stop the line", []string{"!"}, []any{"!"}, []string{"wait", "!"}},
		{"after what is unsure each finds out alone", []string{"a", "~", "c"}, make([]any, 3), []string{"wait", "a~c", "a", "~", "c"}},
		{"so does who was alone", []string{"~"}, make([]any, 1), []string{"wait", "~", "~"}},
		{"who finds out nothing is told that, and tries no more", []string{"a", "#", "c"}, []any{nil, errUnsure, nil}, []string{"wait", "a#c", "a", "#", "c"}},
		{"what was unsure is nothing else because of the second try", []string{"^"}, []any{errUnsure}, []string{"wait", "^", "^"}},
		{"a full line takes nobody", []string{"a", "b", "c", "d", "e", "f", "g"}, []any{nil, nil, nil, nil, nil, nil, fault.Unready}, []string{"wait", "abc", "def"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(3, 6)
				for i, told := range s.during(t, c.works...) {
					if want, is := c.told[i].(error); is {
						require.ErrorIs(t, told.(error), want)
					} else {
						require.Equal(t, c.told[i], told)
					}
				}
				require.ElementsMatch(t, c.groups, s.groups)
			})
		})
	}

	t.Run("nobody waits for company, and no key for another", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(3, 6)
			go func() { _ = s.Do(t.Context(), "key", "wait") }()
			synctest.Wait()
			require.NoError(t, s.Do(t.Context(), "other", "a"))
			require.Equal(t, []string{"wait", "a"}, s.groups)
			close(s.open)
		})
	})

	t.Run("who goes alone passes the line, and finds out as well", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(3, 6)
			go func() { _ = s.Do(t.Context(), "key", "wait") }()
			synctest.Wait()
			require.NoError(t, s.DoAlone(t.Context(), "key", "a"))
			require.ErrorIs(t, s.DoAlone(t.Context(), "key", "?"), errSpoilt)
			require.NoError(t, s.DoAlone(t.Context(), "key", "~"))
			require.ErrorIs(t, s.DoAlone(t.Context(), "key", "^"), errUnsure)
			require.Equal(t, []string{"wait", "a", "?", "~", "~", "^", "^"}, s.groups)
			close(s.open)
		})
	})

	t.Run("who hangs up leaves the line, and undoes nobody's group", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := open(3, 6)
			gone, hangUp := context.WithCancel(t.Context())
			var all sync.WaitGroup
			serve := func(ctx context.Context, work string, want error) {
				all.Go(func() { require.ErrorIs(t, s.Do(ctx, "key", work), want) })
				synctest.Wait()
			}
			serve(gone, "wait", nil) // its batch is running
			serve(gone, "a", context.Canceled)
			serve(t.Context(), "b", nil)
			hangUp()
			synctest.Wait()
			require.Equal(t, 1, s.QueueLen("key"))
			serve(t.Context(), "c", nil)
			close(s.open)
			all.Wait()
			require.Equal(t, []string{"wait", "bc"}, s.groups)
		})
	})
}
