package pdf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// Align is where a text stands beside its x.
type Align int

// Aligns.
const (
	Left Align = iota
	Centre
	Right
)

// Style is how a text looks.
type Style struct {
	Font  Font
	Size  float64
	Align Align
	Grey  float64 // 0 is black
}

// glyph is one with its place in a line, in the font's units.
type glyph struct {
	id         font.GID
	x, y       int
	advance    int
	first, end int // runes of its cluster
}

// shape returns the glyphs of a line and how wide it is, in the font's units.
func (f *face) shape(line []rune) (glyphs []glyph, width int) {
	for from := 0; from < len(line); {
		to, script := from+1, language.Latin
		if isThai(line[from]) {
			script = language.Thai
		}
		for to < len(line) && isThai(line[to]) == isThai(line[from]) {
			to++
		}
		out := f.shaper.Shape(shaping.Input{Text: line, RunStart: from, RunEnd: to, Direction: di.DirectionLTR, Face: f.face, Size: fixed.I(f.unitsPerEm), Script: script, Language: language.NewLanguage("th")})
		for _, g := range out.Glyphs {
			glyphs = append(glyphs, glyph{
				id: g.GlyphID, x: width + g.XOffset.Round(), y: g.YOffset.Round(), advance: g.Advance.Round(),
				first: g.TextIndex(), end: g.TextIndex() + g.RunesCount(),
			})
			width += g.Advance.Round()
		}
		from = to
	}
	return glyphs, width
}

// TextWidth returns how wide a line is.
func (d *Document) TextWidth(line string, s Style) float64 {
	face := d.faces[s.Font]
	_, width := face.shape([]rune(line))
	return float64(width) * s.Size / float64(face.unitsPerEm)
}

// Text draws one line. It does not break it.
func (d *Document) Text(x, y float64, line string, s Style) {
	face, runes := d.faces[s.Font], []rune(line)
	glyphs, width := face.shape(runes)
	scale := s.Size / float64(face.unitsPerEm)
	switch s.Align {
	case Centre:
		x -= float64(width) * scale / 2
	case Right:
		x -= float64(width) * scale
	}
	if s.Grey > 0 {
		d.draw("%s g\n", s.Grey)
	}
	fmt.Fprintf(d.page, "BT /F%d %s Tf\n", s.Font, number(s.Size))
	for len(glyphs) > 0 {
		n := span(glyphs, runes)
		part := runes[glyphs[0].first:glyphs[n-1].end]
		if len(part) > 1 {
			fmt.Fprintf(d.page, "/Span << /ActualText <FEFF%s> >> BDC\n", utf16Hex(string(part)))
		}
		for i, text := range letters(glyphs[:n], runes) {
			g := glyphs[i]
			fmt.Fprintf(d.page, "1 0 0 1 %s %s Tm <%04X> Tj\n", number(x+float64(g.x)*scale), number(Height-y+float64(g.y)*scale), face.code(g.id, text))
		}
		if len(part) > 1 {
			d.page.WriteString("EMC\n")
		}
		glyphs = glyphs[n:]
	}
	d.page.WriteString("ET\n")
	if s.Grey > 0 {
		d.page.WriteString("0 g\n")
	}
}

// cluster returns how many of the glyphs are the first one's cluster.
func cluster(glyphs []glyph) int {
	n := 1
	for n < len(glyphs) && glyphs[n].first == glyphs[0].first {
		n++
	}
	return n
}

// span returns how many of the glyphs say their text together: a cluster, and the next one too where its last mark stands left of its end, because readers would
// take what is between that mark and the next letter for a space.
func span(glyphs []glyph, line []rune) int {
	n := cluster(glyphs)
	for n < len(glyphs) && line[glyphs[n].first] != ' ' {
		if last := glyphs[n-1]; last.x+last.advance >= glyphs[n].x {
			break
		}
		n += cluster(glyphs[n:])
	}
	return n
}

const (
	saraAm = 'ำ'
	above  = "่้๊๋์" // marks before which the ring of sara am is drawn
)

// letters returns which letters each glyph stands for, for readers that do not know of ActualText. Sara am is drawn as a ring and a tail, which have letters of their
// own. Where a cluster's glyphs are not its letters one by one otherwise, the first stands for all.
func letters(glyphs []glyph, line []rune) (texts []string) {
	for len(glyphs) > 0 {
		n := cluster(glyphs)
		var own []string
		for _, r := range line[glyphs[0].first:glyphs[0].end] {
			if r == saraAm {
				ring := len(own)
				for ring > 0 && strings.Contains(above, own[ring-1]) {
					ring--
				}
				own, r = slices.Insert(own, ring, "ํ"), 'า'
			}
			own = append(own, string(r))
		}
		if len(own) != n {
			own = make([]string, n)
			own[0] = string(line[glyphs[0].first:glyphs[0].end])
		}
		texts = append(texts, own...)
		glyphs = glyphs[n:]
	}
	return texts
}

// Wrap breaks a text into lines that are no wider than width, between words. A word that is wider has a line of its own.
func (d *Document) Wrap(text string, width float64, s Style) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, piece := range pieces(paragraph) {
			if line != "" && d.TextWidth(strings.TrimRight(line+piece, " "), s) > width {
				lines = append(lines, strings.TrimRight(line, " "))
				line = ""
			}
			line += piece
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
