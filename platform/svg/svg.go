// Package svg draws this repository's own drawings as pictures, for readers that take no SVG: chats. It knows as much of SVG as those
// drawings use, and refuses the rest. oksvg, the kept library for this, does not clip.
package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"
)

// Drawing is a drawing that has been read.
type Drawing struct {
	root *node
	ids  map[string]*node
	box  bounds // of the root's viewBox
}

type node struct {
	name     string
	attr     map[string]string
	children []*node
}

// attributes are those that this package knows, by element. Those of "" may stand on everything that is drawn.
var attributes = map[string]string{
	"":    "id fill stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray opacity transform clip-path",
	"svg": "xmlns viewBox preserveAspectRatio", "g": "", "path": "d", "use": "href",
	"rect": "x y width height rx", "circle": "cx cy r", "ellipse": "cx cy rx ry",
	"defs": "", "clipPath": "id", "stop": "offset stop-color stop-opacity",
	"linearGradient": "id x1 y1 x2 y2 gradientUnits", "radialGradient": "id cx cy r gradientUnits",
}

// drawn are the elements that the attributes of "" may stand on.
var drawn = map[string]bool{"g": true, "path": true, "use": true, "rect": true, "circle": true, "ellipse": true}

// Parse reads a drawing. It returns an error if there is something in it that this package does not draw.
func Parse(text io.Reader) (*Drawing, error) {
	d := &Drawing{ids: map[string]*node{}}
	var open []*node
	for decoder := xml.NewDecoder(text); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("svg: %w", err)
		}
		switch element := token.(type) {
		case xml.StartElement:
			n, err := newNode(element)
			if err != nil {
				return nil, err
			}
			if id := n.attr["id"]; id != "" {
				d.ids[id] = n
			}
			if len(open) == 0 {
				d.root = n
			} else {
				last := open[len(open)-1]
				last.children = append(last.children, n)
			}
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	if d.root == nil || d.root.name != "svg" {
		return nil, errors.New("svg: no drawing")
	}
	box, err := numbers(d.root.attr["viewBox"])
	if err != nil || len(box) != 4 || box[2] <= 0 || box[3] <= 0 {
		return nil, errors.New("svg: a drawing without viewBox")
	}
	d.box = bounds{point{box[0], box[1]}, point{box[0] + box[2], box[1] + box[3]}}
	return d, nil
}

func newNode(element xml.StartElement) (*node, error) {
	n := &node{name: element.Name.Local, attr: map[string]string{}}
	own, known := attributes[n.name]
	if !known || n.name == "" {
		return nil, fmt.Errorf("svg: a %s is not drawn here", n.name)
	}
	if drawn[n.name] {
		own += " " + attributes[""]
	}
	for _, a := range element.Attr {
		if !strings.Contains(" "+own+" ", " "+a.Name.Local+" ") {
			return nil, fmt.Errorf("svg: the %s of a %s is not drawn here", a.Name.Local, n.name)
		}
		n.attr[a.Name.Local] = a.Value
	}
	return n, nil
}

// Draw fills a rectangle of a picture with the drawing: what does not fit lies outside. A colour of the drawing that is var(--name,
// fallback) is that of its name.
func (d *Drawing) Draw(onto *image.RGBA, at image.Rectangle, colours map[string]color.NRGBA) error {
	size, box := at.Size(), d.box
	scale := max(float64(size.X)/box.width(), float64(size.Y)/box.height())
	middle := point{float64(at.Min.X+at.Max.X) / 2, float64(at.Min.Y+at.Max.Y) / 2}
	place := translation(middle.x, middle.y).then(scaling(scale, scale)).then(translation(-(box.min.x+box.max.x)/2, -(box.min.y+box.max.y)/2))
	c := canvas{drawing: d, colours: colours, onto: onto, area: at.Intersect(onto.Bounds())}
	for _, n := range d.root.children {
		if err := c.draw(n, place, style{fill: "#000", stroke: "none", width: 1, strokeOpacity: 1}); err != nil {
			return err
		}
	}
	return nil
}
