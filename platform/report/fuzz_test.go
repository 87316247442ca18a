package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzCSV: a text is read back as one cell, the same except for a guard, and no spreadsheet reads it as a formula.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"แพ็ก", `=HYPERLINK("x")`, "-1+1", "@SUM(A1)", "a,b\"c\"", "line\nbreak", "\r", "\t=1", "\ufeff=1", "|cmd", "%0A", " =1", "\u00a0=1", "＝1", "\u200b\u200e+1", "\u3000＠SUM(A1)", "\x00-1", "ก็=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		file, err := newCSV(&out, "th", []Column{{Name: "a", TH: "ก", EN: "A", Kind: Text}, {Name: "b", TH: "ข", EN: "B", Kind: Text}})
		require.NoError(t, err)
		require.NoError(t, file.row([]any{text, "end"}))
		require.NoError(t, file.close())
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\ufeff"))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 2)
		require.Equal(t, "end", rows[1][1])
		cell := rows[1][0]
		require.False(t, cell != "" && strings.ContainsRune("=+-@\t|%", rune(cell[0])), "%q", cell)
		require.NotRegexp(t, `^[\s\p{Z}\p{Cf}\p{Cc}]+[=+@|%＝＋－＠-]`, cell)
		require.NotRegexp(t, `^[＝＋－＠]`, cell)
		unix := strings.NewReplacer("\r\n", "\n", "\r", "") // encoding/csv's reader and writer hold line breaks so
		require.Equal(t, unix.Replace(text), unix.Replace(strings.TrimPrefix(cell, map[bool]string{true: "'", false: ""}[!strings.HasPrefix(text, "'")])))
	})
}

// FuzzDay: a day is the same one in a csv and in a spreadsheet; what is none stays as it is.
func FuzzDay(f *testing.F) {
	for _, seed := range []string{"2026-11-21", "2569-11-21", "๒๕๖๙-๑๑-๒๑", "21 พ.ย. 2569", "21/11/2569", "0000-01-01", "9999-12-31", "1899-12-31", "1900-02-29", "2026-02-30", ""} {
		f.Add(seed)
	}
	columns := []Column{{Name: "day", TH: "วัน", EN: "Day", Kind: Day}}
	f.Fuzz(func(t *testing.T, text string) {
		cell := written(Day, text)
		day, isDay := spreadsheet(Day, text).(time.Time)
		if !isDay {
			require.Equal(t, text, cell)
			return
		}
		require.Equal(t, text, day.Format(time.DateOnly))
		require.Equal(t, text[8:]+"/"+text[5:7]+"/"+text[:4], cell)
		for _, format := range []string{"csv", "xlsx"} {
			file, err := newFile(io.Discard, format, "th", columns)
			require.NoError(t, err)
			require.NoError(t, file.row([]any{text}))
			require.NoError(t, file.close())
		}
	})
}
