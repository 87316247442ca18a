// Package pdf writes pages of Thai and Latin text, lines and boxes (README.md). Lengths are points of 1/72 inch, from a page's upper left corner; y of a text is its baseline.
package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Width and height of a page of A4.
const (
	Width  = 595.28
	Height = 841.89
)

// MM is a millimetre.
const MM = 72 / 25.4

// About is what a document says of itself.
type About struct {
	Title  string
	Author string
	Made   time.Time // the document's own, not when its bytes were made
}

// Document is a document that is being written. Its methods do nothing more once writing has failed; Close returns that.
type Document struct {
	out     io.Writer
	hash    hash.Hash
	at      int64
	offsets []int64 // of objects, the first is number 1; 0 is not written yet
	about   About
	faces   [2]*face
	page    *bytes.Buffer // nil before the first
	pages   []int
	err     error
}

// Objects with numbers of their own.
const (
	catalogObject = iota + 1
	pagesObject
	infoObject
	resourcesObject
	firstFreeObject
)

// New begins a document.
func New(w io.Writer, about About) *Document {
	d := &Document{out: w, hash: sha256.New(), offsets: make([]int64, firstFreeObject-1), about: about}
	for f := range d.faces {
		d.faces[f] = newFace(Font(f))
	}
	d.writef("%s", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	return d
}

func (d *Document) writef(format string, args ...any) {
	if d.err != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	d.hash.Write([]byte(text))
	n, err := io.WriteString(d.out, text)
	d.at += int64(n)
	if err != nil {
		d.err = fmt.Errorf("pdf: %w", err)
	}
}

// object writes one with a number that was reserved.
func (d *Document) object(number int, body string) {
	d.offsets[number-1] = d.at
	d.writef("%d 0 obj\n%s\nendobj\n", number, body)
}

func (d *Document) reserve() int {
	d.offsets = append(d.offsets, 0)
	return len(d.offsets)
}

// stream writes a stream, deflated. head are more entries of its dictionary.
func (d *Document) stream(number int, head string, content []byte) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(content)
	if closed := z.Close(); err == nil {
		err = closed
	}
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("pdf: %w", err)
	}
	d.object(number, fmt.Sprintf("<< %s/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", head, packed.Len(), packed.Bytes()))
}

// Page ends the page before and begins another.
func (d *Document) Page() {
	d.endPage()
	d.page = &bytes.Buffer{}
}

func (d *Document) endPage() {
	if d.page == nil {
		return
	}
	content, page := d.reserve(), d.reserve()
	d.stream(content, "", d.page.Bytes())
	d.object(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Resources %d 0 R /Contents %d 0 R >>",
		pagesObject, number(Width), number(Height), resourcesObject, content))
	d.pages = append(d.pages, page)
}

// Line draws a straight line.
func (d *Document) Line(x1, y1, x2, y2, width float64) {
	d.draw("%s w %s %s m %s %s l S\n", width, x1, Height-y1, x2, Height-y2)
}

// Box draws a rectangle's edge.
func (d *Document) Box(x, y, width, height, line float64) {
	d.draw("%s w %s %s %s %s re S\n", line, x, Height-y-height, width, height)
}

// Fill fills a rectangle with grey: 0 is black, 1 white.
func (d *Document) Fill(x, y, width, height, grey float64) {
	d.draw("%s g %s %s %s %s re f 0 g\n", grey, x, Height-y-height, width, height)
}

func (d *Document) draw(format string, numbers ...float64) {
	texts := make([]any, len(numbers))
	for i, n := range numbers {
		texts[i] = number(n)
	}
	fmt.Fprintf(d.page, format, texts...)
}

// number returns a number with at most three decimals.
func number(n float64) string {
	text := strconv.FormatFloat(n, 'f', 3, 64)
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// Close ends the document. It returns the first error of writing it.
func (d *Document) Close() error {
	d.endPage()
	d.page = nil
	var fonts strings.Builder
	for f, face := range d.faces {
		if len(face.codes) == 0 {
			continue
		}
		object, err := d.embed(face)
		if err != nil && d.err == nil {
			d.err = err
		}
		fmt.Fprintf(&fonts, "/F%d %d 0 R ", f, object)
	}
	d.object(resourcesObject, fmt.Sprintf("<< /Font << %s>> >>", fonts.String()))
	var kids strings.Builder
	for _, page := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", page)
	}
	d.object(pagesObject, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(d.pages), kids.String()))
	d.object(catalogObject, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Lang (th) /MarkInfo << /Marked false >> /ViewerPreferences << /DisplayDocTitle true >> >>", pagesObject))
	made := d.about.Made.UTC().Format("D:20060102150405Z")
	d.object(infoObject, fmt.Sprintf("<< /Title %s /Author %s /CreationDate (%s) /ModDate (%s) >>", textString(d.about.Title), textString(d.about.Author), made, made))

	id := hex.EncodeToString(d.hash.Sum(nil)[:16])
	table := d.at
	d.writef("xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)+1)
	for _, offset := range d.offsets {
		d.writef("%010d 00000 n \n", offset)
	}
	d.writef("trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R /ID [<%s> <%s>] >>\nstartxref\n%d\n%%%%EOF\n", len(d.offsets)+1, catalogObject, infoObject, id, id, table)
	return d.err
}

// textString returns a text as UTF-16 with a byte order mark, in hexadecimal digits.
func textString(text string) string { return "<FEFF" + utf16Hex(text) + ">" }

func utf16Hex(text string) string {
	var digits strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&digits, "%04X", unit)
	}
	return digits.String()
}
