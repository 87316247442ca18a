package svg

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

type point struct{ x, y float64 }

func (p point) add(q point) point               { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point             { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point           { return point{p.x * f, p.y * f} }
func (p point) length() float64                 { return math.Hypot(p.x, p.y) }
func (p point) toward(q point, t float64) point { return p.add(q.minus(p).times(t)) }

// bounds are the smallest rectangle around points.
type bounds struct{ min, max point }

func (b bounds) width() float64  { return b.max.x - b.min.x }
func (b bounds) height() float64 { return b.max.y - b.min.y }

func around(lines []line) bounds {
	b := bounds{point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}}
	for _, l := range lines {
		for _, p := range l.points {
			b.min = point{min(b.min.x, p.x), min(b.min.y, p.y)}
			b.max = point{max(b.max.x, p.x), max(b.max.y, p.y)}
		}
	}
	return b
}

// line is points, one after the other; a closed one goes back to its first.
type line struct {
	points []point
	closed bool
}

// matrix is an affine map: x' = a·x + c·y + e, y' = b·x + d·y + f.
type matrix struct{ a, b, c, d, e, f float64 }

func translation(x, y float64) matrix { return matrix{1, 0, 0, 1, x, y} }
func scaling(x, y float64) matrix     { return matrix{x, 0, 0, y, 0, 0} }

func rotation(degrees float64) matrix {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return matrix{cos, sin, -sin, cos, 0, 0}
}

// then is the map that applies n first.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) of(p point) point { return point{m.a*p.x + m.c*p.y + m.e, m.b*p.x + m.d*p.y + m.f} }

func (m matrix) determinant() float64 { return m.a*m.d - m.b*m.c }

// scale is how many times longer a length becomes.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.determinant())) }

// inverse returns false if the map has none.
func (m matrix) inverse() (matrix, bool) {
	det := m.determinant()
	if math.Abs(det) < 1e-12 {
		return m, false
	}
	return matrix{m.d / det, -m.b / det, -m.c / det, m.a / det, (m.c*m.f - m.d*m.e) / det, (m.b*m.e - m.a*m.f) / det}, true
}

// transform reads the attribute of that name.
func transform(text string) (matrix, error) {
	m := translation(0, 0)
	for rest := strings.TrimSpace(text); rest != ""; {
		name, after, _ := strings.Cut(rest, "(")
		arguments, behind, closed := strings.Cut(after, ")")
		n, err := numbers(arguments)
		if err != nil || !closed || len(n) == 0 {
			return m, fmt.Errorf("svg: the transform %q", text)
		}
		switch {
		case name == "translate" && len(n) <= 2:
			m = m.then(translation(n[0], append(n, 0)[1]))
		case name == "scale" && len(n) <= 2:
			m = m.then(scaling(n[0], append(n, n[0])[1]))
		case name == "rotate" && len(n) == 1:
			m = m.then(rotation(n[0]))
		case name == "rotate" && len(n) == 3:
			m = m.then(translation(n[1], n[2])).then(rotation(n[0])).then(translation(-n[1], -n[2]))
		default:
			return m, fmt.Errorf("svg: the transform %q is not drawn here", text)
		}
		rest = strings.TrimSpace(behind)
	}
	return m, nil
}

// scanner reads the numbers of an attribute, which may stand without anything between them: 4-.5.25.
type scanner struct{ text string }

func (s *scanner) skip() { s.text = strings.TrimLeft(s.text, " ,\t\r\n") }

func (s *scanner) number() (float64, error) {
	s.skip()
	end, dot := 0, false
	for end < len(s.text) {
		c := s.text[end]
		sign := (c == '-' || c == '+') && (end == 0 || s.text[end-1] == 'e')
		if c >= '0' && c <= '9' || sign || c == 'e' && end > 0 || c == '.' && !dot {
			dot = dot || c == '.'
			end++
			continue
		}
		break
	}
	f, err := strconv.ParseFloat(s.text[:end], 64)
	if err != nil {
		return 0, fmt.Errorf("svg: no number in %.20q", s.text)
	}
	s.text = s.text[end:]
	return f, nil
}

// flag reads a 0 or 1 of an arc, behind which the next number may stand at once.
func (s *scanner) flag() (bool, error) {
	s.skip()
	if s.text == "" || s.text[0] != '0' && s.text[0] != '1' {
		return false, fmt.Errorf("svg: no flag in %.20q", s.text)
	}
	is := s.text[0] == '1'
	s.text = s.text[1:]
	return is, nil
}

func numbers(text string) (all []float64, err error) {
	s := scanner{text}
	for s.skip(); s.text != ""; s.skip() {
		n, err := s.number()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
