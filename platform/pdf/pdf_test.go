package pdf

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	tdewolff "github.com/tdewolff/font"

	"welovevoucher/platform/pdf/pdftest"
)

var about = About{Title: "ทดสอบ", Author: "เรือนละไม", Made: time.Date(2026, 12, 17, 3, 0, 0, 0, time.UTC)}

// Letters that fonts draw by other glyphs, or move: marks above ป ฝ ฟ, below ญ ฐ ฎ, two marks at once, sara am.
var hard = []string{
	"ปู่ ญี่ปุ่น ที่นี่ น้ำ กู้ ป้ำ ฐู ฎุ ปิ่นโต้ ผู้ใหญ่ ก๋วยเตี๋ยว ซุ้มประตู กตัญญู ณัฐวุฒิ",
	"น้ำ ป้ำ ฐู ญุ ปี่ ฟั่ กำนัน office 1,349.00 (ท) AVATAR ฿",
	"หนึ่งพันสามร้อยสี่สิบเก้าบาทถ้วน 99/12 หมู่ 4",
}

func document(t *testing.T, lines []string) []byte {
	t.Helper()
	var file bytes.Buffer
	d := New(&file, about)
	for _, font := range []Font{Regular, Bold} {
		d.Page()
		for i, line := range lines {
			d.Text(40, float64(60+20*i), line, Style{Font: font, Size: 14})
		}
	}
	require.NoError(t, d.Close())
	return file.Bytes()
}

func TestTextCopiesOut(t *testing.T) {
	file := document(t, hard)
	pages := pdftest.Read(t, file)
	require.Len(t, pages, 2)
	for _, page := range pages {
		require.Equal(t, hard, page)
	}
}

func TestSameBytesTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		once := document(t, hard)
		time.Sleep(48 * time.Hour) // by the clock of the test, at once
		require.Equal(t, once, document(t, hard))
	})
}

// TestUndated: a font whose time was changed has the sums that a reader may look at.
func TestUndated(t *testing.T) {
	whole := parsedFonts[Regular]().whole
	part, err := whole.Subset([]uint16{0, 40, 41}, tdewolff.SubsetOptions{Tables: tdewolff.KeepMinTables})
	require.NoError(t, err)
	file := undated(part.Write())
	read, err := tdewolff.ParseSFNT(file, 0)
	require.NoError(t, err)
	require.Equal(t, whole.Head.Created, read.Head.Modified)
	require.EqualValues(t, 0xB1B0AFBA, sumOf(file))
}

func TestOnlyUsedGlyphsAreEmbedded(t *testing.T) {
	require.Less(t, len(document(t, []string{"รับเงิน 100.00 บาท"})), 20_000)
}

// testdata/breaks.txt has sentences with a stroke wherever ICU, and so Chromium, would break a line.
func TestBreaksLikeABrowser(t *testing.T) {
	text, err := os.ReadFile("testdata/breaks.txt")
	require.NoError(t, err)
	for broken := range strings.Lines(string(text)) {
		broken = strings.TrimSpace(broken)
		allowed, at := map[int]bool{}, 0
		for piece := range strings.SplitSeq(broken, "|") {
			at += len(piece)
			allowed[at] = true
		}
		at = 0
		for _, piece := range pieces(strings.ReplaceAll(broken, "|", "")) {
			at += len(piece)
			require.True(t, allowed[at], "%s ends in the middle of a word of %s", piece, broken)
		}
	}
}

func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"ต่าง ๆ นานา":       "ต่าง ๆ |นานา",
		"นวดไทย(60 นาที)":   "นวด|ไทย|(60 |นาที)",
		"ซื้อ฿100\u00a0บาท": "ซื้อ|฿100\u00a0บาท",
		"e-mail ค่ะ":        "e-|mail |ค่ะ",
		"ฯลฯ":               "ฯลฯ",
		"12/2569 ฉบับที่ 1": "12/2569 |ฉบับ|ที่ |1",
		"ทำ\u2060งาน":       "ทำ\u2060งาน",
		"เวาเชอร์ใช้ได้หลายครั้ง": "เวาเชอร์|ใช้ได้|หลายครั้ง",
	} {
		require.Equal(t, want, strings.Join(pieces(text), "|"))
	}
}

func TestWrap(t *testing.T) {
	d := New(&bytes.Buffer{}, about)
	style := Style{Size: 14}
	text := "องค์กรเป็นผู้มีหน้าที่หักภาษี ณ ที่จ่าย และนำส่งกรมสรรพากรตามประมวลรัษฎากร มาตรา 50 ทวิ"
	lines := d.Wrap(text, 150, style)
	require.Greater(t, len(lines), 2)
	for _, line := range lines {
		require.LessOrEqual(t, d.TextWidth(line, style), 150.0, line)
	}
	require.Equal(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
	require.Equal(t, []string{"ก", "", "ข"}, d.Wrap("ก\n\nข", 150, style))
	require.Equal(t, []string{"ก๋วยเตี๋ยว"}, d.Wrap("ก๋วยเตี๋ยว", 1, style), "a word has a line of its own")
}

type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestCloseReturnsWhatFailed(t *testing.T) {
	d := New(&full{left: 500}, about)
	d.Page()
	d.Text(40, 60, "น้ำ", Style{Size: 14})
	require.ErrorIs(t, d.Close(), errFull)
}

func FuzzPieces(f *testing.F) {
	for _, line := range hard {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		require.Equal(t, string([]rune(text)), strings.Join(pieces(text), ""), "put together they are the text")
	})
}

func BenchmarkPage(b *testing.B) {
	for b.Loop() {
		d := New(&bytes.Buffer{}, about)
		d.Page()
		for i := range 30 {
			d.Text(40, float64(60+20*i), hard[i%len(hard)], Style{Size: 12})
		}
		if d.Close() != nil {
			b.Fatal("not written")
		}
	}
}
