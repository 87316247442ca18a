package pdf

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	tdewolff "github.com/tdewolff/font"
)

// Font is one of the fonts that documents have.
type Font int

// Fonts.
const (
	Regular Font = iota
	Bold
)

var (
	//go:embed fonts/Sarabun-Regular.ttf
	regularFile []byte
	//go:embed fonts/Sarabun-Bold.ttf
	boldFile []byte
)

var parsedFonts = [...]func() parsedFont{
	Regular: sync.OnceValue(func() parsedFont { return parse("Sarabun-Regular", regularFile) }),
	Bold:    sync.OnceValue(func() parsedFont { return parse("Sarabun-Bold", boldFile) }),
}

// parsedFont is a font for all documents.
type parsedFont struct {
	name   string
	shaped *font.Font
	whole  *tdewolff.SFNT // of which each document has a part
}

// parse reads a font of this package.
func parse(name string, file []byte) parsedFont {
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		panic(fmt.Sprintf("pdf: font %s: %v", name, err))
	}
	whole, err := tdewolff.ParseSFNT(file, 0)
	if err != nil {
		panic(fmt.Sprintf("pdf: font %s: %v", name, err))
	}
	return parsedFont{name, face.Font, whole}
}

// face is a font in one document.
type face struct {
	parsedFont

	shaper     shaping.HarfbuzzShaper
	face       *font.Face
	unitsPerEm int
	codes      map[pair]int
	pairs      []pair // by code less one
}

// pair is a glyph and which letters it stands for.
type pair struct {
	glyph font.GID
	text  string
}

func newFace(f Font) *face {
	parsed := parsedFonts[f]()
	return &face{parsedFont: parsed, face: font.NewFace(parsed.shaped), unitsPerEm: int(parsed.shaped.Upem()), codes: map[pair]int{}}
}

// code returns by which number a page names a glyph that stands for these letters.
func (f *face) code(id font.GID, text string) int {
	p := pair{id, text}
	if f.codes[p] == 0 {
		f.pairs = append(f.pairs, p)
		f.codes[p] = len(f.pairs)
	}
	return f.codes[p]
}

// embed writes a font with the glyphs that pages have used. It returns its object.
func (d *Document) embed(f *face) (object int, err error) {
	glyphs := []uint16{0}
	index := map[font.GID]int{0: 0} // in the part
	for _, p := range f.pairs {
		if _, ok := index[p.glyph]; !ok {
			index[p.glyph] = len(glyphs)
			glyphs = append(glyphs, uint16(p.glyph)) //nolint:gosec // a font has at most 65,536
		}
	}
	part, err := f.whole.Subset(glyphs, tdewolff.SubsetOptions{Tables: tdewolff.KeepPDFTables})
	if err != nil {
		return 0, fmt.Errorf("pdf: subset of font %s: %w", f.name, err)
	}
	file, mapping, texts, descriptor, descendant, object := d.reserve(), d.reserve(), d.reserve(), d.reserve(), d.reserve(), d.reserve()
	bytesOf := undated(part.Write())
	d.stream(file, fmt.Sprintf("/Length1 %d ", len(bytesOf)), bytesOf)

	toGlyph := []byte{0, 0} // of each code, two bytes
	var widths strings.Builder
	unit := 1000 / float64(f.unitsPerEm)
	for _, p := range f.pairs {
		toGlyph = append(toGlyph, byte(index[p.glyph]>>8), byte(index[p.glyph])) //nolint:gosec // its two bytes
		fmt.Fprintf(&widths, "%s ", number(float64(f.face.HorizontalAdvance(p.glyph))*unit))
	}
	d.stream(mapping, "", toGlyph)

	named := make([]string, 0, len(f.pairs))
	for i, p := range f.pairs {
		named = append(named, fmt.Sprintf("<%04X> <%s>", i+1, utf16Hex(p.text)))
	}
	d.stream(texts, "", []byte(toUnicode(named)))

	// A tag of six letters marks a part of a font.
	prefix := "WLVOUC"
	box := func(n int16) string { return number(float64(n) * unit) }
	head, os2, hhea := f.whole.Head, f.whole.OS2, f.whole.Hhea
	d.object(descriptor, fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s+%s /Flags 4 /FontBBox [%s %s %s %s] /ItalicAngle 0 /Ascent %s /Descent %s /CapHeight %s /StemV 80 /FontFile2 %d 0 R >>",
		prefix, f.name, box(head.XMin), box(head.YMin), box(head.XMax), box(head.YMax), box(hhea.Ascender), box(hhea.Descender), box(os2.SCapHeight), file))
	d.object(descendant, fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s+%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /DW 0 /W [1 [%s]] /CIDToGIDMap %d 0 R >>",
		prefix, f.name, descriptor, widths.String(), mapping))
	d.object(object, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s+%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", prefix, f.name, descendant, texts))
	return object, nil
}

// undated sets when a font was changed to when it was made, with the sums that follow from it (OpenType, head). Its writer puts the clock's time there, and the same page
// would not be the same bytes a second later.
func undated(file []byte) []byte {
	for entry := 12; entry < 12+16*int(binary.BigEndian.Uint16(file[4:])); entry += 16 {
		if string(file[entry:entry+4]) != "head" {
			continue
		}
		at, length := binary.BigEndian.Uint32(file[entry+8:]), binary.BigEndian.Uint32(file[entry+12:])
		head := file[at : at+(length+3)&^3]
		copy(head[28:36], head[20:28]) // modified, created
		clear(head[8:12])
		binary.BigEndian.PutUint32(file[entry+4:], sumOf(head))
		binary.BigEndian.PutUint32(head[8:], 0xB1B0AFBA-sumOf(file))
	}
	return file
}

// sumOf adds up four bytes at a time, as a font's checksums do. Tables end at a fourth byte.
func sumOf(table []byte) (sum uint32) {
	for ; len(table) >= 4; table = table[4:] {
		sum += binary.BigEndian.Uint32(table)
	}
	return sum
}

// toUnicode returns a CMap that says which letters each code stands for, of lines of code and letters.
func toUnicode(lines []string) string {
	var cmap strings.Builder
	cmap.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const most = 100 // of a block
	for len(lines) > 0 {
		block := lines[:min(most, len(lines))]
		fmt.Fprintf(&cmap, "%d beginbfchar\n%s\nendbfchar\n", len(block), strings.Join(block, "\n"))
		lines = lines[len(block):]
	}
	cmap.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return cmap.String()
}
