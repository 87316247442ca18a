package svg

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// canvas is what a drawing is drawn onto.
type canvas struct {
	drawing *Drawing
	colours map[string]color.NRGBA
	onto    *image.RGBA
	area    image.Rectangle
	clip    *image.Alpha // nil: all of it
	depth   int          // of elements used within another
}

// maxDepth ends a drawing that uses itself.
const maxDepth = 20

// style is what an element hands on to those in it.
type style struct {
	fill, stroke  string
	width         float64
	strokeOpacity float64
	caps, joins   string
	dash          []float64
}

func (c *canvas) draw(n *node, m matrix, s style) error {
	if !drawn[n.name] {
		return nil
	}
	if c.depth++; c.depth > maxDepth {
		return fmt.Errorf("svg: a drawing deeper than %d", maxDepth)
	}
	defer func() { c.depth-- }()
	own, err := transform(n.attr["transform"])
	if err != nil {
		return err
	}
	m = m.then(own)
	if s, err = s.of(n); err != nil {
		return err
	}
	opacity, err := n.number("opacity", 1)
	if err != nil {
		return err
	}
	if id, is := reference(n.attr["clip-path"]); is {
		before := c.clip
		defer func() { c.clip = before }()
		if c.clip, err = c.clipped(id, m); err != nil {
			return err
		}
	}

	lines, err := n.lines(m.scale())
	if err != nil {
		return err
	}
	if lines != nil && (s.fill == "none" || s.stroke == "none") {
		return c.shape(lines, m, s, opacity)
	}
	return c.layer(opacity, func() error {
		if lines != nil {
			return c.shape(lines, m, s, 1)
		}
		inside := n.children
		if n.name == "use" {
			used := c.drawing.ids[strings.TrimPrefix(n.attr["href"], "#")]
			if used == nil {
				return fmt.Errorf("svg: there is no %s to use", n.attr["href"])
			}
			inside = []*node{used}
		}
		for _, child := range inside {
			if err := c.draw(child, m, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// layer draws what belongs together, and lets through all of it as one.
func (c *canvas) layer(opacity float64, content func() error) error {
	if opacity >= 1 {
		return content()
	}
	below := c.onto
	c.onto = image.NewRGBA(c.area)
	err := content()
	above := c.onto
	c.onto = below
	draw.DrawMask(below, c.area, above, c.area.Min, image.NewUniform(color.Alpha{share(opacity)}), image.Point{}, draw.Over)
	return err
}

// of is the style of an element.
func (s style) of(n *node) (style, error) {
	for name, into := range map[string]*string{"fill": &s.fill, "stroke": &s.stroke, "stroke-linecap": &s.caps, "stroke-linejoin": &s.joins} {
		if value, given := n.attr[name]; given {
			*into = value
		}
	}
	for _, of := range []string{s.caps, s.joins} {
		if of != "" && of != "round" {
			return s, fmt.Errorf("svg: an end or a corner that is %s is not drawn here", of)
		}
	}
	var err error
	if s.width, err = n.number("stroke-width", s.width); err != nil {
		return s, err
	}
	if s.strokeOpacity, err = n.number("stroke-opacity", s.strokeOpacity); err != nil {
		return s, err
	}
	if dash, given := n.attr["stroke-dasharray"]; given {
		s.dash, err = numbers(dash)
	}
	return s, err
}

func (n *node) number(name string, otherwise float64) (float64, error) {
	text, given := n.attr[name]
	if !given {
		return otherwise, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("svg: the %s of a %s: %q", name, n.name, text)
	}
	return f, nil
}

func (n *node) numbers(names ...string) (values []float64, err error) {
	for _, name := range names {
		value, err := n.number(name, 0)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// lines are a shape's, nil for what is none.
func (n *node) lines(scale float64) ([]line, error) {
	switch n.name {
	case "path":
		return readPath(n.attr["d"], scale)
	case "rect":
		v, err := n.numbers("x", "y", "width", "height", "rx")
		if err != nil {
			return nil, err
		}
		return rectangle(bounds{point{v[0], v[1]}, point{v[0] + v[2], v[1] + v[3]}}, v[4], scale), nil
	case "circle":
		v, err := n.numbers("cx", "cy", "r")
		if err != nil {
			return nil, err
		}
		return ellipse(point{v[0], v[1]}, v[2], v[2], scale), nil
	case "ellipse":
		v, err := n.numbers("cx", "cy", "rx", "ry")
		if err != nil {
			return nil, err
		}
		return ellipse(point{v[0], v[1]}, v[2], v[3], scale), nil
	}
	return nil, nil
}

// reference is the id in url(#id).
func reference(text string) (id string, is bool) {
	inside, is := strings.CutPrefix(text, "url(#")
	return strings.TrimSuffix(inside, ")"), is
}

// clipped is where a clip path lets through, inside of what is clipped already.
func (c *canvas) clipped(id string, m matrix) (*image.Alpha, error) {
	from := c.drawing.ids[id]
	if from == nil || from.name != "clipPath" {
		return nil, fmt.Errorf("svg: there is no clip path %s", id)
	}
	inside := image.NewAlpha(c.area)
	for _, n := range from.children {
		own, err := transform(n.attr["transform"])
		if err != nil {
			return nil, err
		}
		all := m.then(own)
		lines, err := n.lines(all.scale())
		if err != nil {
			return nil, err
		}
		mask, at := c.mask(lines, all)
		if mask != nil {
			draw.Draw(inside, at, mask, at.Min, draw.Over)
		}
	}
	if c.clip != nil {
		for i, a := range c.clip.Pix {
			inside.Pix[i] = uint8(int(inside.Pix[i]) * int(a) / 255) //nolint:gosec // a product of two shares
		}
	}
	return inside, nil
}

func (c *canvas) shape(lines []line, m matrix, s style, opacity float64) error {
	box := around(lines)
	if s.fill != "none" {
		paint, err := c.paint(s.fill, box, m)
		if err != nil {
			return err
		}
		c.cover(lines, m, paint, opacity)
	}
	if s.stroke == "none" || s.width <= 0 {
		return nil
	}
	paint, err := c.paint(s.stroke, box, m)
	if err != nil {
		return err
	}
	p := pen{width: s.width, dash: s.dash, scale: m.scale()}
	p.round.caps, p.round.joins = s.caps == "round", s.joins == "round"
	c.cover(p.outline(lines), m, paint, opacity*s.strokeOpacity)
	return nil
}

// mask is how much of each pixel a shape covers, and where; nil where it lies outside.
func (c *canvas) mask(lines []line, m matrix) (*image.Alpha, image.Rectangle) {
	placed := make([]line, len(lines))
	for i, l := range lines {
		placed[i].points = make([]point, len(l.points))
		for k, p := range l.points {
			placed[i].points[k] = m.of(p)
		}
	}
	box := around(placed)
	if !(box.width() >= 0) {
		return nil, image.Rectangle{}
	}
	at := image.Rect(floor(box.min.x), floor(box.min.y), floor(box.max.x)+1, floor(box.max.y)+1).Intersect(c.area)
	if at.Empty() {
		return nil, at
	}
	corner := point{float64(at.Min.X), float64(at.Min.Y)}
	r := vector.NewRasterizer(at.Dx(), at.Dy())
	for _, l := range placed {
		for i := range l.points {
			l.points[i] = l.points[i].minus(corner)
		}
		for i, p := range clip(l.points, float64(at.Dx()), float64(at.Dy())) {
			if i == 0 {
				r.MoveTo(float32(p.x), float32(p.y))
			} else {
				r.LineTo(float32(p.x), float32(p.y))
			}
		}
		r.ClosePath()
	}
	mask := image.NewAlpha(at)
	r.Draw(mask, at, image.Opaque, image.Point{})
	return mask, at
}

// floor keeps what lies far outside near enough to be counted with.
func floor(f float64) int { return int(math.Floor(min(1e6, max(-1e6, f)))) }

// cover lays a paint over a shape.
func (c *canvas) cover(lines []line, m matrix, paint paint, opacity float64) {
	mask, at := c.mask(lines, m)
	if mask == nil {
		return
	}
	all := int(share(opacity))
	for y := at.Min.Y; y < at.Max.Y; y++ {
		row := mask.Pix[mask.PixOffset(at.Min.X, y):]
		onto := c.onto.Pix[c.onto.PixOffset(at.Min.X, y):]
		for i := range at.Dx() {
			a := int(row[i])
			if a == 0 {
				continue
			}
			if c.clip != nil {
				a = a * int(c.clip.AlphaAt(at.Min.X+i, y).A) / 255
			}
			over(onto[i*4:i*4+4], paint.at(at.Min.X+i, y), a*all)
		}
	}
}

// over lays a colour that lets light through over a pixel; share is of 255·255.
func over(pixel []uint8, c color.NRGBA, share int) {
	const whole = 255 * 255 * 255
	a := share * int(c.A)
	for i, value := range [4]uint8{c.R, c.G, c.B, 255} {
		pixel[i] = uint8((int(value)*a + int(pixel[i])*(whole-a) + whole/2) / whole) //nolint:gosec // between two bytes
	}
}

// share is a part of one as a byte.
func share(f float64) uint8 { return uint8(math.Round(min(1, max(0, f)) * 255)) }
