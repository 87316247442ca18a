package hold_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/story"
)

// TestStory: an order and an agent say when commission was held, and who released it.
func TestStory(t *testing.T) {
	o := atSale(t)
	released, lapsed := o.sells(o.ann, time.Minute), o.sells(o.ann, time.Minute)
	o.releases(o.holds(released))
	o.holds(lapsed)
	o.Clock.Advance(30 * 24 * time.Hour)
	o.find()
	stories := story.New(o.DB, o.Box())
	of := func(events []story.Event) (list []string) {
		for _, e := range events {
			if e.Kind == "commission_held" || e.Kind == "commission_freed" {
				list = append(list, e.Kind+" "+e.Person)
			}
		}
		return list
	}
	for order, want := range map[uuid.UUID][]string{released: {"commission_freed วราภรณ์", "commission_held "}, lapsed: {"commission_freed ", "commission_held "}} {
		shown, err := stories.Order(t.Context(), o.Org, order, story.Visible{})
		require.NoError(t, err)
		require.Equal(t, want, of(shown.Events))
	}
	shown, err := stories.Agent(t.Context(), o.Org, o.agent, story.Visible{})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"commission_held ", "commission_freed วราภรณ์", "commission_held ", "commission_freed "}, of(shown.Events))
}
