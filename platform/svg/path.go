package svg

import (
	"fmt"
	"math"
	"strings"
)

// path becomes lines as it is read: curves are cut so finely that it is not seen.
type path struct {
	lines   []line
	at      point
	start   point // of the line that is drawn now
	control point // of the last curve, for the next one that goes on smoothly
	last    byte  // command
	scale   float64
}

// Most and least parts that a curve is cut into.
const minParts, maxParts = 4, 72

// parts is how many a curve of a length is cut into.
func (p *path) parts(length float64) int {
	return min(maxParts, max(minParts, int(2*math.Sqrt(length*p.scale))))
}

func (p *path) move(to point) {
	p.lines = append(p.lines, line{points: []point{to}})
	p.at, p.start = to, to
}

func (p *path) to(q point) {
	if len(p.lines) == 0 || p.lines[len(p.lines)-1].closed {
		p.move(p.at)
	}
	l := &p.lines[len(p.lines)-1]
	l.points = append(l.points, q)
	p.at = q
}

func (p *path) close() {
	if len(p.lines) > 0 {
		p.lines[len(p.lines)-1].closed = true
	}
	p.at = p.start
}

func (p *path) cubic(a, b, end point) {
	from := p.at
	n := p.parts(a.minus(from).length() + b.minus(a).length() + end.minus(b).length())
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		ab, bc, cd := from.toward(a, t), a.toward(b, t), b.toward(end, t)
		p.to(ab.toward(bc, t).toward(bc.toward(cd, t), t))
	}
	p.control = b
}

func (p *path) quadratic(a, end point) {
	from := p.at
	n := p.parts(a.minus(from).length() + end.minus(a).length())
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		p.to(from.toward(a, t).toward(a.toward(end, t), t))
	}
	p.control = a
}

// arc is that of SVG's implementation notes, F.6.5: from end points to a centre.
func (p *path) arc(rx, ry, degrees float64, large, sweep bool, end point) {
	from := p.at
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || from == end {
		p.to(end)
		return
	}
	turn := rotation(degrees)
	back := rotation(-degrees)
	half := back.of(from.minus(end).times(0.5))
	if over := half.x*half.x/(rx*rx) + half.y*half.y/(ry*ry); over > 1 {
		rx, ry = rx*math.Sqrt(over), ry*math.Sqrt(over)
	}
	q := rx*rx*half.y*half.y + ry*ry*half.x*half.x
	f := math.Sqrt(max(0, (rx*rx*ry*ry-q)/q))
	if large == sweep {
		f = -f
	}
	c := point{f * rx * half.y / ry, -f * ry * half.x / rx}
	centre := turn.of(c).add(from.toward(end, 0.5))
	begin := math.Atan2((half.y-c.y)/ry, (half.x-c.x)/rx)
	angle := math.Atan2((-half.y-c.y)/ry, (-half.x-c.x)/rx) - begin
	switch {
	case sweep && angle < 0:
		angle += 2 * math.Pi
	case !sweep && angle > 0:
		angle -= 2 * math.Pi
	}
	n := p.parts(math.Abs(angle) * max(rx, ry))
	for i := 1; i < n; i++ {
		sin, cos := math.Sincos(begin + angle*float64(i)/float64(n))
		p.to(turn.of(point{rx * cos, ry * sin}).add(centre))
	}
	p.to(end)
}

// reflected is where a curve's first control point lies that goes on smoothly from one of kinds.
func (p *path) reflected(kinds string) point {
	if p.last == 0 || !strings.ContainsRune(kinds, rune(p.last)) {
		return p.at
	}
	return p.at.times(2).minus(p.control)
}

// readPath reads the attribute d.
func readPath(d string, scale float64) ([]line, error) {
	p := path{scale: scale}
	s := scanner{d}
	command := byte(0)
	for s.skip(); s.text != ""; s.skip() {
		switch c := s.text[0]; {
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			command, s.text = c, s.text[1:]
		case command == 'M':
			command = 'L'
		case command == 'm':
			command = 'l'
		case command == 0 || command == 'Z' || command == 'z':
			return nil, fmt.Errorf("svg: the path %.40q", d)
		}
		if err := p.apply(command, &s); err != nil {
			return nil, err
		}
		p.last = command &^ 0x20
	}
	return p.lines, nil
}

// arguments are how many numbers a command takes.
var arguments = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 5, 'Z': 0}

func (p *path) apply(command byte, s *scanner) error {
	kind := command &^ 0x20
	count, known := arguments[kind]
	if !known {
		return fmt.Errorf("svg: the command %c of a path is not drawn here", command)
	}
	origin := point{}
	if command != kind {
		origin = p.at
	}
	var n [6]float64
	var flags [2]bool
	for i := range count {
		var err error
		if kind == 'A' && i == 3 {
			for f := range flags {
				if flags[f], err = s.flag(); err != nil {
					return err
				}
			}
		}
		if n[i], err = s.number(); err != nil {
			return err
		}
	}
	at := func(i int) point { return point{n[i], n[i+1]}.add(origin) }
	switch kind {
	case 'M':
		p.move(at(0))
	case 'L':
		p.to(at(0))
	case 'H':
		p.to(point{n[0] + origin.x, p.at.y})
	case 'V':
		p.to(point{p.at.x, n[0] + origin.y})
	case 'C':
		p.cubic(at(0), at(2), at(4))
	case 'S':
		p.cubic(p.reflected("CS"), at(0), at(2))
	case 'Q':
		p.quadratic(at(0), at(2))
	case 'T':
		p.quadratic(p.reflected("QT"), at(0))
	case 'A':
		p.arc(n[0], n[1], n[2], flags[0], flags[1], at(3))
	case 'Z':
		p.close()
	}
	return nil
}

func ellipse(centre point, rx, ry, scale float64) []line {
	p := path{scale: scale}
	p.move(point{centre.x + rx, centre.y})
	p.arc(rx, ry, 0, false, true, point{centre.x - rx, centre.y})
	p.arc(rx, ry, 0, false, true, point{centre.x + rx, centre.y})
	p.close()
	return p.lines
}

func rectangle(b bounds, radius, scale float64) []line {
	r := min(radius, b.width()/2, b.height()/2)
	p := path{scale: scale}
	p.move(point{b.min.x + r, b.min.y})
	for _, corner := range [][2]point{
		{{b.max.x - r, b.min.y}, {b.max.x, b.min.y + r}},
		{{b.max.x, b.max.y - r}, {b.max.x - r, b.max.y}},
		{{b.min.x + r, b.max.y}, {b.min.x, b.max.y - r}},
		{{b.min.x, b.min.y + r}, {b.min.x + r, b.min.y}},
	} {
		p.to(corner[0])
		if r > 0 {
			p.arc(r, r, 0, false, true, corner[1])
		}
	}
	p.close()
	return p.lines
}
