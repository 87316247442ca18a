package report

import (
	"bytes"
	"testing"
	"time"

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

func TestWriteCSV(t *testing.T) {
	columns := []Column{{Kind: Moment, TH: "เวลา", EN: "Time"}, {TH: "รายการ", EN: "What"}, {Kind: Satang, TH: "บาท", EN: "Baht"}}
	var th, en bytes.Buffer
	rows := [][]any{{time.Date(2026, 10, 31, 17, 0, 0, 0, time.UTC), "=1+1", int64(-1_234_50)}, {nil, nil, nil}}
	require.NoError(t, WriteCSV(&th, "th", columns, rows))
	require.Equal(t, "\ufeffเวลา,รายการ,บาท\r\n01/11/2026 00:00,'=1+1,-1234.50\r\n,,\r\n", th.String())
	require.NoError(t, WriteCSV(&en, "en", columns, nil))
	require.Equal(t, "\ufeffTime,What,Baht\r\n", en.String())
}
