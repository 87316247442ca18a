package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
)

// TestSheets: rows beyond the end of a sheet are in the next one, under a header of its own.
func TestSheets(t *testing.T) {
	var out bytes.Buffer
	f, err := newXLSX(&out, "en", []Column{{Name: "n", Kind: Number, TH: "จำนวน", EN: "Number", Sum: true}})
	require.NoError(t, err)
	f.perSheet = 3
	for n := range 4 {
		require.NoError(t, f.row([]any{n}))
	}
	require.NoError(t, f.totals([]any{6}))
	require.NoError(t, f.close())

	book, err := excelize.OpenReader(&out)
	require.NoError(t, err)
	require.Equal(t, []string{"Sheet1", "Sheet2", "Sheet3"}, book.GetSheetList())
	for name, want := range map[string][][]string{
		"Sheet1": {{"Number"}, {"0"}, {"1"}}, "Sheet2": {{"Number"}, {"2"}, {"3"}}, "Sheet3": {{"Number"}, {"6"}},
	} {
		rows, err := book.GetRows(name)
		require.NoError(t, err)
		require.Equal(t, want, rows, name)
	}
}
