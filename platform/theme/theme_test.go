package theme

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var write = flag.Bool("write", false, "write the examples")

// examples are shown by the front end's stories and tests.
const examples = "../../apps/ui/src/theme/examples.json"

// TestExamples: what is checked in is what is computed. With -write it is written anew.
func TestExamples(t *testing.T) {
	type example struct {
		Colours
		Theme
	}
	var computed []example
	for _, c := range []Colours{
		{"#1f5c4d", "#d9a662"},
		{"#061c33", "#d3ae55"},
		{"#f7a8b8", "#2e7d6b"},
		{"#e50014", "#061c33"},
		{"#808080", "#c0c0c0"},
		{"#000000", "#ffffff"},
		{"#ffff00", "#0000ff"},
		{"#7f7f00", "#ff00ff"},
		{"#3b1f8f", "#00c2a8"},
		{"#061c33", "#e50014"},
	} {
		computed = append(computed, example{c, Of(c)})
	}
	text, err := json.MarshalIndent(computed, "", " ")
	require.NoError(t, err)
	text = append(text, '\n')
	if *write {
		require.NoError(t, os.WriteFile(examples, text, 0o644))
	}
	checkedIn, err := os.ReadFile(examples)
	require.NoError(t, err)
	require.Equal(t, string(checkedIn), string(text), "go test ./platform/theme -run TestExamples -write")
}

// TestContrast: every text reads on its ground, and every mark is seen, whatever the colours.
func TestContrast(t *testing.T) {
	pairs := [][2]string{
		{"brand-fg", "brand"},
		{"second-fg", "second"},
		{"brand-text", "bg"},
		{"brand-text", "surface"},
		{"brand-text", "raised"},
		{"brand-text", "sunken"},
		{"brand-text", "brand-soft"},
		{"second-text", "surface"},
		{"second-text", "second-soft"},
		{"text", "bg"},
		{"text-2", "sunken"},
		{"text-3", "bg"},
		{"text-3", "surface"},
		{"text-3", "raised"},
		{"text-3", "sunken"},
		{"band-fg", "band"},
		{"band-fg-2", "band"},
		{"band-fg", "band-shade"},
		{"ok-text", "ok-soft"},
		{"warn-text", "warn-soft"},
		{"bad-text", "bad-soft"},
		{"info-text", "info-soft"},
		{"brand-fg", "brand-hover"},
	}
	random := rand.New(rand.NewPCG(20261121, 0))
	colour := func() string { return fmt.Sprintf("#%06x", random.IntN(1<<24)) }
	for range 20_000 {
		primary, secondary := colour(), colour()
		for _, dark := range []bool{false, true} {
			values := byName(Tokens(primary, secondary, dark))
			for _, pair := range pairs {
				if ratio := contrast(values[pair[0]], values[pair[1]]); ratio < 4.5 {
					t.Errorf("%s %s dark=%t: %s on %s is %.2f", primary, secondary, dark, pair[0], pair[1], ratio)
				}
			}
			if ratio := contrast(values["brand-mark"], values["surface"]); ratio < 3 {
				t.Errorf("%s %s dark=%t: a mark on the surface is %.2f", primary, secondary, dark, ratio)
			}
		}
	}
}
