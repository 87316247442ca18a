package svg

import (
	"encoding/hex"
	"fmt"
	"image/color"
	"math"
	"strings"
)

// paint is the colour of each pixel.
type paint interface{ at(x, y int) color.NRGBA }

type plain color.NRGBA

func (p plain) at(int, int) color.NRGBA { return color.NRGBA(p) }

// gradient goes through colours along a line, or from a centre outwards.
type gradient struct {
	inverse  matrix // from pixels to where the gradient is 0 to 1
	radial   bool
	from, to point   // of a linear one
	centre   point   // of a radial one
	radius   float64 // of a radial one
	colours  [256]color.NRGBA
}

func (g *gradient) at(x, y int) color.NRGBA {
	p := g.inverse.of(point{float64(x) + 0.5, float64(y) + 0.5})
	var t float64
	if g.radial {
		t = p.minus(g.centre).length() / g.radius
	} else {
		along := g.to.minus(g.from)
		p = p.minus(g.from)
		t = (p.x*along.x + p.y*along.y) / (along.x*along.x + along.y*along.y)
	}
	return g.colours[share(t)]
}

// paint reads fill and stroke of a shape with these bounds.
func (c *canvas) paint(text string, box bounds, m matrix) (paint, error) {
	id, is := reference(text)
	if !is {
		colour, err := c.colour(text)
		return plain(colour), err
	}
	n := c.drawing.ids[id]
	if n == nil || n.name != "linearGradient" && n.name != "radialGradient" {
		return nil, fmt.Errorf("svg: there is no gradient %s", id)
	}
	switch units := n.attr["gradientUnits"]; units {
	case "userSpaceOnUse":
	case "":
		m = m.then(translation(box.min.x, box.min.y)).then(scaling(box.width(), box.height()))
	default:
		return nil, fmt.Errorf("svg: gradients in %s are not drawn here", units)
	}
	inverse, ok := m.inverse()
	if !ok {
		return plain{}, nil // a shape without an area
	}
	g := &gradient{inverse: inverse, radial: n.name == "radialGradient"}
	if err := g.place(n); err != nil {
		return nil, err
	}
	return g, c.stops(g, n)
}

func (g *gradient) place(n *node) (err error) {
	read := func(name string, otherwise float64, into *float64) {
		if err == nil {
			*into, err = n.number(name, otherwise)
		}
	}
	if g.radial {
		read("cx", .5, &g.centre.x)
		read("cy", .5, &g.centre.y)
		read("r", .5, &g.radius)
		return err
	}
	read("x1", 0, &g.from.x)
	read("y1", 0, &g.from.y)
	read("x2", 1, &g.to.x)
	read("y2", 0, &g.to.y)
	return err
}

// stops fills in a gradient's colours.
func (c *canvas) stops(g *gradient, n *node) error {
	var offsets []float64
	var colours []color.NRGBA
	for _, stop := range n.children {
		offset, err := stop.number("offset", 0)
		if err != nil {
			return err
		}
		colour, err := c.colour(stop.attr["stop-color"])
		if err != nil {
			return err
		}
		opacity, err := stop.number("stop-opacity", 1)
		if err != nil {
			return err
		}
		colour.A = share(opacity)
		offsets, colours = append(offsets, offset), append(colours, colour)
	}
	if len(colours) == 0 {
		return fmt.Errorf("svg: the gradient %s without colours", n.attr["id"])
	}
	next := 0
	for i := range g.colours {
		t := float64(i) / 255
		for next < len(offsets) && offsets[next] <= t {
			next++
		}
		switch {
		case next == 0:
			g.colours[i] = colours[0]
		case next == len(offsets):
			g.colours[i] = colours[next-1]
		default:
			part := (t - offsets[next-1]) / (offsets[next] - offsets[next-1])
			g.colours[i] = between(colours[next-1], colours[next], part)
		}
	}
	return nil
}

func between(a, b color.NRGBA, part float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*part)) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}

// colour reads #rgb, #rrggbb, and var(--name,fallback).
func (c *canvas) colour(text string) (color.NRGBA, error) {
	if inside, is := strings.CutPrefix(text, "var(--"); is {
		name, fallback, _ := strings.Cut(strings.TrimSuffix(inside, ")"), ",")
		if own, given := c.colours[name]; given {
			return own, nil
		}
		text = fallback
	}
	return Hex(text)
}

// Hex reads #rgb and #rrggbb. It returns an error for anything else.
func Hex(text string) (color.NRGBA, error) {
	digits, is := strings.CutPrefix(text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	channels, err := hex.DecodeString(digits)
	if !is || len(channels) != 3 || err != nil {
		return color.NRGBA{}, fmt.Errorf("svg: the colour %q is not drawn here", text)
	}
	return color.NRGBA{channels[0], channels[1], channels[2], 255}, nil
}
