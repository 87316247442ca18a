// Package theme computes all colours of an organisation's pages from its two, on the server, so that the first byte of a page has
// them.
// Previews in the back office ask for them (Of), and stories show apps/ui/src/theme/examples.json, which its test writes.
package theme

import (
	"math"
	"strings"
	"sync"
)

// Colours are an organisation's two.
type Colours struct {
	Primary   string `json:"primary" pattern:"^#[0-9a-f]{6}$"`
	Secondary string `json:"secondary" pattern:"^#[0-9a-f]{6}$"`
}

// Theme has the colours of pages, made from two.
type Theme struct {
	Day      map[string]string `json:"day" doc:"Every colour by its token"`
	Night    map[string]string `json:"night" doc:"The same in the dark theme"`
	Readable []Readable        `json:"readable" doc:"The pairs that are read most"`
}

// Readable is a text on its ground.
type Readable struct {
	Name   string  `json:"name" enum:"button,link,badge,night_link"`
	Text   string  `json:"text"`
	Ground string  `json:"ground"`
	Ratio  float64 `json:"ratio" doc:"Contrast by WCAG 2, 1 to 21"`
}

// Of returns the theme of two colours. It keeps nothing: a preview asks for many that nobody will choose.
func Of(c Colours) Theme {
	t := Theme{Day: byName(Tokens(c.Primary, c.Secondary, false)), Night: byName(Tokens(c.Primary, c.Secondary, true))}
	readable := func(name string, tokens map[string]string, text, ground string) {
		t.Readable = append(t.Readable, Readable{name, tokens[text], tokens[ground], math.Round(contrast(tokens[text], tokens[ground])*100) / 100})
	}
	readable("button", t.Day, "brand-fg", "brand")
	readable("link", t.Day, "brand-text", "surface")
	readable("badge", t.Day, "second-fg", "second")
	readable("night_link", t.Night, "brand-text", "surface")
	return t
}

// TextOn returns the colour of text that is read on a fill.
func TextOn(fill string) string {
	return on(fill)
}

func byName(tokens []Token) map[string]string {
	values := make(map[string]string, len(tokens))
	for _, t := range tokens {
		values[t.Name] = t.Value
	}
	return values
}

// Token is one named colour.
type Token struct{ Name, Value string }

// Tokens returns every colour, for the dark theme if dark is set. primary and secondary are #rrggbb.
func Tokens(primary, secondary string, dark bool) []Token {
	t := palette{dark: dark, values: map[string]string{}}
	t.neutrals(primary)
	t.tone("brand", primary)
	t.tone("second", secondary)
	t.band(primary)
	t.meaning("ok", 152, 0.58)
	t.meaning("warn", 75, 0.74)
	t.meaning("bad", 25, 0.58)
	t.meaning("info", 245, 0.58)

	tokens := make([]Token, len(t.names))
	for i, name := range t.names {
		tokens[i] = Token{name, t.values[name]}
	}
	return tokens
}

var kept sync.Map // [2]string -> string

// Stylesheet returns the organisation's colours as CSS: light, dark by choice (data-theme), and dark by the device's setting.
func Stylesheet(primary, secondary string) string {
	key := [2]string{primary, secondary}
	if css, ok := kept.Load(key); ok {
		return css.(string)
	}
	light, dark := declarations(Tokens(primary, secondary, false)), declarations(Tokens(primary, secondary, true))
	css := ":root{" + light + "}:root[data-theme=dark]{" + dark + "}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){" + dark + "}}"
	kept.Store(key, css)
	return css
}

func declarations(tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString("--" + t.Name + ":" + t.Value)
	}
	return b.String()
}

type palette struct {
	dark   bool
	names  []string
	values map[string]string
}

func (t *palette) set(name, value string) {
	t.names = append(t.names, name)
	t.values[name] = value
}

func (t *palette) all(names ...string) []string {
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = t.values[name]
	}
	return values
}

// pick returns day or, in the dark theme, night.
func (t *palette) pick(day, night float64) float64 {
	if t.dark {
		return night
	}
	return day
}

// neutrals are the background and text colours, tinted half a percent towards the primary. A grey primary gets grey ones.
func (t *palette) neutrals(primary string) {
	p := fromHex(primary)
	tint := 1.0
	if p.c < 0.02 {
		tint = 0
	}
	for _, n := range []struct {
		name                                    string
		dayLight, dayChroma, nightLight, nightC float64
	}{
		{"bg", 0.977, 0.005, 0.182, 0.008},
		{"surface", 1, 0, 0.232, 0.010},
		{"raised", 1, 0, 0.275, 0.011},
		{"sunken", 0.957, 0.007, 0.155, 0.008},
		{"line", 0.915, 0.009, 0.325, 0.011},
		{"line-strong", 0.63, 0.014, 0.56, 0.012},
		{"text", 0.23, 0.014, 0.955, 0.004},
		{"text-2", 0.44, 0.016, 0.80, 0.010},
		{"text-3", 0.52, 0.016, 0.70, 0.012},
	} {
		if n.dayLight == 1 && !t.dark {
			t.set(n.name, "#ffffff")
			continue
		}
		t.set(n.name, oklch{t.pick(n.dayLight, n.nightLight), t.pick(n.dayChroma, n.nightC) * tint, p.h}.hex())
	}
}

func (t *palette) tone(name, source string) {
	o, away := fromHex(source), t.pick(-1, 1)
	fill := source
	if t.dark { // a navy button must stay visible on a dark page
		fill = solve(source, 3, 1, t.all("bg", "surface")...)
	}
	step := 0.04
	if on(fill) == "#ffffff" {
		step = -0.05
	}
	f := fromHex(fill)
	soft := oklch{t.pick(0.953, 0.285), min(o.c*t.pick(0.3, 0.35), t.pick(0.022, 0.032)), o.h}.hex()

	t.set(name, fill)
	t.set(name+"-fg", on(fill))
	t.set(name+"-hover", oklch{max(0, f.l+step), f.c, o.h}.hex())
	t.set(name+"-soft", soft)
	t.set(name+"-text", solve(source, 4.5, away, append(t.all("bg", "surface", "raised", "sunken"), soft)...))
	t.set(name+"-mark", solve(source, 3, away, t.all("bg", "surface", "raised")...))
}

// meaning adds a colour such as that of errors, which is never derived from the organisation's.
func (t *palette) meaning(name string, degrees, lightness float64) {
	hue := degrees * math.Pi / 180
	base := oklch{lightness, 0.15, hue}.hex()
	soft := oklch{t.pick(0.957, 0.28), t.pick(0.03, 0.05), hue}.hex()
	t.set(name, base)
	t.set(name+"-soft", soft)
	t.set(name+"-text", solve(base, 4.5, t.pick(-1, 1), append(t.all("bg", "surface", "raised"), soft)...))
}

// band is the header of customer pages: primary as given, in the dark theme a deep shade of it.
func (t *palette) band(primary string) {
	ground := primary
	if t.dark {
		p := fromHex(primary)
		ground = oklch{min(p.l, 0.30), min(p.c, 0.08), p.h}.hex()
	}
	text, g := on(ground), fromHex(ground)
	quiet := text
	for _, share := range []float64{0.84, 0.9, 0.95} {
		if candidate := mix(text, ground, share); contrast(candidate, ground) >= 4.5 {
			quiet = candidate
			break
		}
	}
	step := 0.035
	if text == "#ffffff" {
		step = -0.055
	}
	t.set("band", ground)
	t.set("band-fg", text)
	t.set("band-fg-2", quiet)
	t.set("band-shade", oklch{min(1, max(0, g.l+step)), g.c, fromHex(primary).h}.hex())
}
