package theme

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The vectors are written by the front end's function. Both must agree to the last bit.
func TestTokens(t *testing.T) {
	text, err := os.ReadFile("../../apps/ui/src/theme/vectors.json")
	require.NoError(t, err)
	var vectors []struct {
		Primary, Secondary string
		Dark               bool
		Tokens             map[string]string
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.NotEmpty(t, vectors)

	for _, v := range vectors {
		got := map[string]string{}
		for _, token := range Tokens(v.Primary, v.Secondary, v.Dark) {
			got[token.Name] = token.Value
		}
		require.Equal(t, v.Tokens, got, "%s %s dark=%t", v.Primary, v.Secondary, v.Dark)
	}
}

func TestContrast(t *testing.T) {
	pairs := [][2]string{
		{"brand-fg", "brand"},
		{"second-fg", "second"},
		{"brand-text", "bg"},
		{"brand-text", "surface"},
		{"brand-text", "sunken"},
		{"brand-text", "brand-soft"},
		{"second-text", "second-soft"},
		{"text", "bg"},
		{"text-2", "sunken"},
		{"text-3", "bg"},
		{"text-3", "surface"},
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
	t.Run("every text reads on its ground, whatever the colours", rapid.MakeCheck(func(t *rapid.T) {
		colour := rapid.Custom(func(t *rapid.T) string { return fmt.Sprintf("#%06x", rapid.IntRange(0, 0xffffff).Draw(t, "rgb")) })
		values := map[string]string{}
		for _, token := range Tokens(colour.Draw(t, "primary"), colour.Draw(t, "secondary"), rapid.Bool().Draw(t, "dark")) {
			values[token.Name] = token.Value
		}
		for _, pair := range pairs {
			require.GreaterOrEqual(t, contrast(values[pair[0]], values[pair[1]]), 4.5, "%s on %s", pair[0], pair[1])
		}
	}))
}
