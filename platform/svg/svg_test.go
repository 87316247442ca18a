package svg_test

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/svg"
)

// drawn draws what stands in a drawing of 100 × 100 onto white.
func drawn(t *testing.T, inside string, colours map[string]color.NRGBA) *image.RGBA {
	t.Helper()
	d, err := svg.Parse(strings.NewReader(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">` + inside + `</svg>`))
	require.NoError(t, err)
	m := image.NewRGBA(image.Rect(0, 0, 100, 100))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	require.NoError(t, d.Draw(m, m.Bounds(), colours))
	return m
}

func TestWhatIsDrawn(t *testing.T) {
	white, red, black := color.RGBA{255, 255, 255, 255}, color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 0, 255}
	half := color.RGBA{255, 127, 127, 255}
	type at map[image.Point]color.RGBA
	for name, one := range map[string]struct {
		inside string
		want   at
	}{
		"a rectangle, and its round corner": {`<rect x="10" y="10" width="80" height="80" rx="20" fill="#f00"/>`, at{{50, 50}: red, {11, 11}: white, {11, 50}: red, {9, 50}: white}},
		"a circle is black by itself":       {`<circle cx="50" cy="50" r="20"/>`, at{{50, 32}: black, {50, 28}: white}},
		"a path with curves and arcs":       {`<path d="M10 50a40 40 0 01 80 0C90 90 10 90 10 50Z" fill="#f00"/>`, at{{50, 12}: red, {50, 78}: red, {50, 82}: white, {12, 12}: white}},
		"relative numbers run together":     {`<path d="M10-10l80 .5.5 80h-80.5z" fill="#f00"/>`, at{{50, 30}: red, {50, 75}: white}},
		"smooth curves go on":               {`<path d="M0 50Q25 0 50 50T100 50V100H0Z" fill="#f00"/>`, at{{25, 30}: red, {75, 55}: white, {75, 80}: red}},
		"a line with corners":               {`<path d="M20 80V20H80" fill="none" stroke="#f00" stroke-width="10"/>`, at{{20, 60}: red, {16, 16}: red, {50, 50}: white, {82, 20}: white}},
		"a round end":                       {`<path d="M20 50H80" stroke="#f00" stroke-width="10" stroke-linecap="round"/>`, at{{83, 50}: red, {84, 46}: white}},
		"dashes keep their length":          {`<path d="M0 50H100" stroke="#f00" stroke-width="10" stroke-dasharray="10 10"/>`, at{{5, 50}: red, {15, 50}: white, {85, 50}: red, {95, 50}: white}},
		"a tenth of a turn about a point":   {`<rect x="45" y="10" width="10" height="80" fill="#f00" transform="rotate(90 50 50)"/>`, at{{15, 50}: red, {50, 15}: white}},
		"one map after another":             {`<rect width="1" height="1" fill="#f00" transform="translate(20 20)scale(50)"/>`, at{{21, 21}: red, {69, 69}: red, {71, 71}: white}},
		"what is used takes the place":      {`<defs><rect id="a" width="10" height="10" fill="#f00"/></defs><use href="#a" transform="translate(50 50)"/>`, at{{55, 55}: red, {5, 5}: white}},
		"a group lets through as one":       {`<g opacity=".5" fill="#f00"><rect width="60" height="60"/><rect x="30" y="30" width="60" height="60"/></g>`, at{{10, 10}: half, {45, 45}: half, {80, 80}: half}},
		"a shape with an edge, as one":      {`<rect x="20" y="20" width="60" height="60" fill="#f00" stroke="#f00" stroke-width="20" opacity=".5"/>`, at{{25, 50}: half, {50, 50}: half}},
		"a clip":                            {`<defs><clipPath id="c"><circle cx="50" cy="50" r="20"/></clipPath></defs><g clip-path="url(#c)"><rect width="100" height="100" fill="#f00"/></g>`, at{{50, 50}: red, {20, 20}: white}},
		"a colour by its name":              {`<rect width="100" height="50" fill="var(--brand,#000)"/><rect y="50" width="100" height="50" fill="var(--other,#000)"/>`, at{{50, 20}: red, {50, 80}: black}},
		"far outside":                       {`<rect x="-9000000" y="-400" width="99000000" height="450" fill="#f00"/>`, at{{50, 49}: red, {50, 51}: white}},
	} {
		t.Run(name, func(t *testing.T) {
			m := drawn(t, one.inside, map[string]color.NRGBA{"brand": {255, 0, 0, 255}})
			for where, want := range one.want {
				got := m.RGBAAt(where.X, where.Y)
				for i, value := range [3]uint8{got.R, got.G, got.B} {
					require.InDelta(t, [3]uint8{want.R, want.G, want.B}[i], value, 2, "%v: %v", where, got)
				}
			}
		})
	}
}

func TestGradients(t *testing.T) {
	across := drawn(t, `<defs><linearGradient id="a"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient></defs><rect width="100" height="100" fill="url(#a)"/>`, nil)
	require.InDelta(t, 64, across.RGBAAt(25, 50).R, 3)
	require.InDelta(t, 191, across.RGBAAt(75, 50).G, 3)
	outward := drawn(t, `<defs><radialGradient id="a" gradientUnits="userSpaceOnUse" cx="50" cy="50" r="40"><stop offset="0" stop-color="#000"/><stop offset=".5" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs><rect width="100" height="100" fill="url(#a)"/>`, nil)
	require.InDelta(t, 6, outward.RGBAAt(50, 50).R, 6)
	require.InDelta(t, 128, outward.RGBAAt(60, 50).R, 6)
	require.Equal(t, uint8(255), outward.RGBAAt(75, 50).R)
}

func TestWhatIsRefused(t *testing.T) {
	for _, inside := range []string{
		`<text x="1">a</text>`, `<rect style="fill:red"/>`, `<image href="https://elsewhere.example/a.png"/>`, `<rect`,
	} {
		_, err := svg.Parse(strings.NewReader(`<svg viewBox="0 0 1 1">` + inside + `</svg>`))
		require.Error(t, err, inside)
	}
	for _, text := range []string{``, `<g/>`, `<svg/>`, `<svg viewBox="0 0 0 1"/>`} {
		_, err := svg.Parse(strings.NewReader(text))
		require.Error(t, err, text)
	}
	for _, inside := range []string{
		`<path d="M0 0B1 1"/>`, `<path d="0 0"/>`, `<path d="M0"/>`, `<path d="M0 0a1 1 0 2 0 1 1"/>`, `<rect fill="red"/>`, `<rect fill="url(#a)"/>`, `<use href="#a"/>`,
		`<g clip-path="url(#a)"/>`, `<rect width="x"/>`, `<rect transform="skewX(1)"/>`, `<path d="M0 0" stroke-linecap="square"/>`, `<g id="a"><use href="#a"/></g>`,
	} {
		d, err := svg.Parse(strings.NewReader(`<svg viewBox="0 0 1 1">` + inside + `</svg>`))
		require.NoError(t, err, inside)
		require.Error(t, d.Draw(image.NewRGBA(image.Rect(0, 0, 9, 9)), image.Rect(0, 0, 9, 9), nil), inside)
	}
}

// TestCards: each card of a gift can be drawn, and has the colours that it is given.
func TestCards(t *testing.T) {
	files, err := filepath.Glob("../../apps/customer/src/features/gift/cards/*.svg")
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		pictures := map[string][]uint8{}
		for name, colours := range map[string]map[string]color.NRGBA{"own": nil, "others": {"brand": {200, 0, 90, 255}, "second": {20, 20, 200, 255}}} {
			d, err := svg.Parse(strings.NewReader(string(text)))
			require.NoError(t, err, file)
			m := image.NewRGBA(image.Rect(0, 0, 200, 150))
			require.NoError(t, d.Draw(m, m.Bounds(), colours), file)
			for _, corner := range []image.Point{{0, 0}, {199, 0}, {0, 149}, {199, 149}} {
				require.Equal(t, uint8(255), m.RGBAAt(corner.X, corner.Y).A, "%s leaves a hole", file)
			}
			pictures[name] = m.Pix
		}
		require.NotEqual(t, pictures["own"], pictures["others"], file)
	}
}
