package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHarmless(t *testing.T) {
	for _, formula := range []string{
		"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "|cmd", "%0A", " =1", "   =1", "\ufeff=1", "\u00a0=1", "\u3000=1", "\u200b=1", "\u2060=1", "\u202e=1",
		"\x00=1", "\u00a0 \ufeff\t=1", "＝1", "＋1", "－1", "＠SUM(A1)", " ＝1", "\u00a0＠x",
	} {
		require.Equal(t, "'"+formula, harmless(Text, formula))
	}
	for _, text := range []string{"", " ", "แพ็ก", "a=1", "1-2", "'=1", "นวด 60 นาที", "(=1)", "０"} {
		require.Equal(t, text, harmless(Text, text))
	}
	require.Equal(t, "-1.00", harmless(Satang, "-1.00"), "a number of ours")
}
