package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/money"
)

// file is a csv or xlsx file that is being written.
type file interface {
	row(cells []any) error
	totals(cells []any) error
	close() error
}

func newFile(w io.Writer, format, lang string, columns []Column) (file, error) {
	if format == "xlsx" {
		return newXLSX(w, lang, columns)
	}
	return newCSV(w, lang, columns)
}

// csvFile begins with a byte order mark; without it, Excel reads Thai as Latin.
type csvFile struct {
	w       *csv.Writer
	columns []Column
}

func newCSV(w io.Writer, lang string, columns []Column) (*csvFile, error) {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return nil, err
	}
	f := &csvFile{w: csv.NewWriter(w), columns: columns}
	f.w.UseCRLF = true // RFC 4180
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = label(lang, c.TH, c.EN)
	}
	return f, f.w.Write(header)
}

func (f *csvFile) row(cells []any) error {
	line := make([]string, len(cells))
	for i, cell := range cells {
		line[i] = harmless(f.columns[i].Kind, written(f.columns[i].Kind, cell))
	}
	return f.w.Write(line)
}

func (f *csvFile) totals(cells []any) error { return f.row(cells) }

func (f *csvFile) close() error {
	f.w.Flush()
	return f.w.Error()
}

// WriteCSV writes rows, each its cells in the order of the columns, as a csv file that no worker makes: with a header in a language, dates in
// Bangkok and texts that no spreadsheet takes for formulas.
func WriteCSV(w io.Writer, lang string, columns []Column, rows [][]any) error {
	f, err := newCSV(w, lang, columns)
	if err != nil {
		return err
	}
	for _, cells := range rows {
		if err := f.row(cells); err != nil {
			return err
		}
	}
	return f.close()
}

// harmless keeps a spreadsheet from reading a text as a formula (OWASP, CSV injection). It skips the leading characters that
// spreadsheets skip, and knows the full-width signs of Thai and Chinese keyboards. Numbers of ours need no guard.
func harmless(k Kind, s string) string {
	if k != Text || s == "" {
		return s
	}
	seen := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zs, unicode.Mn)
	})
	sign, _ := utf8.DecodeRuneInString(seen)
	if strings.ContainsRune("=+-@|%＝＋－＠｜％﹦﹢﹣﹫−", sign) || strings.ContainsRune("\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}

// written returns a cell as text for a csv file.
func written(k Kind, cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case time.Time:
		return v.In(clock.Bangkok).Format("02/01/2006 15:04")
	case string:
		if day, err := time.Parse(time.DateOnly, v); k == Day && err == nil {
			return day.Format("02/01/2006")
		}
		return v
	}
	if n, ok := integer(cell); ok && k == Satang {
		return strings.ReplaceAll(money.Amount(n).String(), ",", "")
	}
	if n, ok := integer(cell); ok {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprint(cell)
}

func integer(cell any) (int64, bool) {
	if v := reflect.ValueOf(cell); v.CanInt() {
		return v.Int(), true
	}
	return 0, false
}

// xlsxFile writes through excelize's stream, which keeps rows on disk. Texts are written as strings, never as formulas.
type xlsxFile struct {
	out      io.Writer
	book     *excelize.File
	stream   *excelize.StreamWriter
	columns  []Column
	styles   map[Kind]int
	bold     map[Kind]int
	lang     string
	sheets   int
	next     int // row of the sheet
	perSheet int
}

// maxSheetRows is where a sheet of Excel ends. What comes after it is in a further sheet.
const maxSheetRows = 1_048_576

func newXLSX(w io.Writer, lang string, columns []Column) (*xlsxFile, error) {
	f := &xlsxFile{out: w, book: excelize.NewFile(), columns: columns, styles: map[Kind]int{}, bold: map[Kind]int{}, lang: lang, perSheet: maxSheetRows}
	formats := map[Kind]string{Text: "@", Number: "#,##0", Satang: "#,##0.00", Day: "dd/mm/yyyy", Moment: "dd/mm/yyyy hh:mm"}
	for kind, format := range formats {
		var err error
		if f.styles[kind], err = f.book.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return nil, err
		}
		if f.bold[kind], err = f.book.NewStyle(&excelize.Style{CustomNumFmt: &format, Font: &excelize.Font{Bold: true}}); err != nil {
			return nil, err
		}
	}

	return f, f.begin()
}

// begin ends the sheet and begins the next one with the header.
func (f *xlsxFile) begin() (err error) {
	if f.stream != nil {
		if err := f.stream.Flush(); err != nil {
			return err
		}
	}
	f.sheets, f.next = f.sheets+1, 1
	name := fmt.Sprintf("Sheet%d", f.sheets)
	if _, err := f.book.NewSheet(name); err != nil { // the first is there
		return err
	}
	if f.stream, err = f.book.NewStreamWriter(name); err != nil {
		return err
	}
	header := make([]any, len(f.columns))
	for i, c := range f.columns {
		if err := f.stream.SetColWidth(i+1, i+1, 18); err != nil {
			return err
		}
		header[i] = excelize.Cell{StyleID: f.bold[Text], Value: label(f.lang, c.TH, c.EN)}
	}
	if err := f.stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	return f.write(header)
}

func (f *xlsxFile) row(cells []any) error    { return f.write(f.styled(cells, f.styles)) }
func (f *xlsxFile) totals(cells []any) error { return f.write(f.styled(cells, f.bold)) }

func (f *xlsxFile) styled(cells []any, styles map[Kind]int) []any {
	out := make([]any, len(cells))
	for i, cell := range cells {
		kind := f.columns[i].Kind
		out[i] = excelize.Cell{StyleID: styles[kind], Value: spreadsheet(kind, cell)}
	}
	return out
}

// spreadsheet returns a cell as a value of Excel. Its numbers are doubles, so an amount becomes a float here, at the very end.
func spreadsheet(k Kind, cell any) any {
	switch v := cell.(type) {
	case nil:
		return nil
	case time.Time: // Excel has no time zones: it gets the wall clock of Bangkok
		local := v.In(clock.Bangkok)
		return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
	case string:
		if day, err := time.Parse(time.DateOnly, v); k == Day && err == nil {
			return day
		}
		return v
	}
	n, ok := integer(cell)
	if ok && k == Satang {
		return float64(n) / 100
	}
	if ok {
		return n
	}
	return fmt.Sprint(cell)
}

func (f *xlsxFile) write(cells []any) error {
	if f.next > f.perSheet {
		if err := f.begin(); err != nil {
			return err
		}
	}
	at, err := excelize.CoordinatesToCellName(1, f.next)
	if err != nil {
		return err
	}
	f.next++
	return f.stream.SetRow(at, cells)
}

func (f *xlsxFile) close() error {
	defer f.book.Close()
	if err := f.stream.Flush(); err != nil {
		return err
	}
	return f.book.Write(f.out)
}
